// SPDX-License-Identifier: BSL-1.0
//
// Named arrays in .npz files, in the format of numpy.savez, and single arrays in .npy files. A file is checked
// completely before anything is returned, and replaced only once the new one is complete.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/files/zip.hpp>

#include <concepts>
#include <map>

namespace chainrule::tensor {

/// Where to load an array: its name, its shape, and the numbers to fill.
template <storable T>
struct destination {
    std::string name;
    std::vector<std::size_t> shape;
    std::span<T> numbers;
};

/// A list of named arrays.
class archive {
public:
    /// An array and its name, in the order in which they were added.
    struct entry {
        std::string name;
        stored_array array;

        [[nodiscard]] friend bool operator==(const entry&, const entry&) = default;
    };

    archive() = default;
    /// An archive with this name in error messages.
    explicit archive(std::string source) : source_(std::move(source)) {}

    /// Adds an array. Throws std::invalid_argument unless the name is new and has 1 to 65000 bytes of UTF-8 without
    /// zeros. Example: `weights.add("layer1.weight", stored_array({128, 784}, numbers));`
    void add(std::string name, stored_array array) {
        if (name.empty() || name.size() > 65000 || name.find('\0') != std::string::npos || !files::is_utf8(name))
            core::raise(std::invalid_argument("add: " + files::in_quotes(name) +
                                              " is not a valid name of an array; "
                                              "give 1 to 65000 bytes of UTF-8 without a zero"));
        if (contains(name))
            core::raise(std::invalid_argument("add: there is an array " + files::in_quotes(name) +
                                              " already; give another name"));
        entries_.push_back({name, std::move(array)});
        CHAINRULE_TRY { places_.emplace(std::move(name), entries_.size() - 1); }
        CHAINRULE_CATCH(...) {
            entries_.pop_back();
            CHAINRULE_RETHROW;
        }
    }
    /// Adds a copy of numbers with a shape. Example: `weights.add("layer1.bias", {128}, numbers);`
    template <class Numbers>
    requires std::constructible_from<stored_array, std::vector<std::size_t>, const Numbers&>
    void add(std::string name, std::vector<std::size_t> shape, const Numbers& numbers) {
        add(std::move(name), stored_array(std::move(shape), numbers));
    }

    /// The number of arrays.
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }
    /// Whether there is an array with this name.
    [[nodiscard]] bool contains(std::string_view name) const { return places_.find(name) != places_.end(); }
    /// The array with this name. Throws archive_error if there is none.
    [[nodiscard]] const stored_array& operator[](std::string_view name) const& {
        return entries_[place_of(name)].array;
    }
    [[nodiscard]] stored_array operator[](std::string_view name) && {
        return std::move(entries_[place_of(name)].array);
    }

    /// Fills every destination with the array of its name, converted like stored_array::to(). Throws archive_error if
    /// an array is missing or not used, has another shape, or has numbers that T cannot represent; then nothing has
    /// changed.
    template <class T>
    void copy_to(const std::vector<destination<T>>& destinations) const {
        const origin from{"copy_to", source_};
        std::vector<std::vector<T>> numbers;
        std::map<std::string_view, bool> wanted;
        for (const destination<T>& to : destinations) {
            if (!contains(to.name)) from.refuse(missing(to.name));
            const stored_array& array = (*this)[to.name];
            wanted[to.name] = true;
            if (array.shape() != to.shape)
                from.part("array", to.name)
                    .refuse("has the shape " + shape_text(array.shape()) + ", not " + shape_text(to.shape) +
                            "; load it into the network it belongs to");
            if (to.numbers.size() != array.size())
                core::raise(std::invalid_argument("copy_to: the destination of " + files::in_quotes(to.name) + " has " +
                                                  std::to_string(to.numbers.size()) + " numbers for the shape " +
                                                  shape_text(to.shape) + "; give as many as it has"));
            numbers.push_back(array.to<T>());
        }
        for (const entry& e : entries_)
            if (!wanted[e.name])
                from.refuse("has an array " + files::in_quotes(e.name) +
                            " without a destination; load it into the network it belongs to");
        for (std::size_t i = 0; i < numbers.size(); ++i) std::ranges::copy(numbers[i], destinations[i].numbers.begin());
    }

    /// The name in error messages, for example the path of the file.
    [[nodiscard]] const std::string& source() const { return source_; }

    /// Whether both have the same names and arrays in the same order.
    [[nodiscard]] friend bool operator==(const archive& a, const archive& b) { return a.entries_ == b.entries_; }

private:
    std::vector<entry> entries_;
    std::map<std::string, std::size_t, std::less<>> places_;
    std::string source_ = "the archive";

    [[nodiscard]] std::size_t place_of(std::string_view name) const {
        const auto place = places_.find(name);
        if (place == places_.end()) origin{"archive", source_}.refuse(missing(name));
        return place->second;
    }
    [[nodiscard]] std::string missing(std::string_view name) const {
        std::string text = "has no array " + files::in_quotes(name) + "; it has ";
        constexpr std::size_t most = 20;
        for (std::size_t i = 0; i < std::min(entries_.size(), most); ++i)
            text += (i == 0 ? "" : ", ") + files::in_quotes(entries_[i].name);
        return text + (entries_.empty() ? "none" : entries_.size() > most ? " and others" : "");
    }
};

/// Passes the bytes of a .npz file piece by piece to `write`, a function of std::span<const std::byte>. Throws
/// archive_error before the first piece if the format cannot hold the archive.
template <class Write>
void encode_npz(const archive& arrays, const origin& to, Write&& write) {
    std::vector<std::string> headers;
    std::vector<files::zip::directory_entry> members;
    for (const auto& [name, array] : arrays) {
        headers.push_back(files::npy::header(array, to.part("array", name)));
        const bool is_ascii = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        members.push_back({.name = name + ".npy",
                           .size = headers.back().size() + array.bytes().size(),
                           .crc = files::zip::checksum(files::npy::as_raw(headers.back()), array.bytes()),
                           .flags = is_ascii ? 0 : files::zip::name_is_utf8});
    }
    const std::uint64_t end = files::zip::lay_out(members, to);
    std::size_t i = 0;
    for (const auto& [name, array] : arrays) {
        write(files::npy::as_raw(files::zip::member_header(members[i])));
        write(files::npy::as_raw(headers[i]));
        write(array.bytes());
        ++i;
    }
    write(files::npy::as_raw(files::zip::directory(members, end)));
}

/// Reads arrays from the bytes of a .npz file. Throws archive_error if they are damaged or in another format.
[[nodiscard]] inline archive decode_npz(std::span<const std::byte> file, const origin& from) {
    archive result(from.subject);
    for (const files::zip::member& member : files::zip::reader(file, from).members()) {
        constexpr std::string_view ending = ".npy";
        std::string name(member.name);
        if (!name.ends_with(ending))
            from.part("member", name)
                .refuse("is not an array, since its name does not end in .npy; give a file of arrays only");
        name.resize(name.size() - ending.size());
        if (result.contains(name))
            from.refuse("has two arrays named " + files::in_quotes(name) + "; save it again under different names");
        stored_array array = files::npy::decode(member.data, from.part("array", name));
        CHAINRULE_TRY { result.add(name, std::move(array)); }
        CHAINRULE_CATCH(const std::invalid_argument&) {
            from.refuse("has an array whose name is empty or not UTF-8; save it again under another name");
        }
    }
    return result;
}

/// Reads an array from the bytes of a .npy file. Throws archive_error if they are in another format.
[[nodiscard]] inline stored_array decode_npy(std::span<const std::byte> file, const origin& from) {
    return files::npy::decode(file, from);
}

/// Deprecated: `npy::decode` is `decode_npy` now. This name stays for one version.
namespace npy {
using files::npy::decode;
}

/// Writes a .npz file. An existing file is replaced once the new one is complete. Throws archive_error; then the
/// existing file is unchanged. Example: `write_npz("weights.npz", weights);`
inline void write_npz(const std::filesystem::path& path, const archive& arrays) {
    const origin to{"write_npz", path.string()};
    file_replacement file(path, to);
    encode_npz(arrays, to, [&](std::span<const std::byte> bytes) { file.write(bytes); });
    file.commit();
}
/// Reads and checks a .npz file with uncompressed members. Throws archive_error.
[[nodiscard]] inline archive read_npz(const std::filesystem::path& path) {
    const origin from{"read_npz", path.string()};
    return decode_npz(read_whole_file(path, from), from);
}

/// Writes a .npy file like write_npz(). The format has no checksum.
inline void write_npy(const std::filesystem::path& path, const stored_array& array) {
    const origin to{"write_npy", path.string()};
    const std::string header = files::npy::header(array, to);
    file_replacement file(path, to);
    file.write(files::npy::as_raw(header));
    file.write(array.bytes());
    file.commit();
}
/// Reads a .npy file. Throws archive_error if its length does not match its header; changed numbers are not detected.
[[nodiscard]] inline stored_array read_npy(const std::filesystem::path& path) {
    const origin from{"read_npy", path.string()};
    return decode_npy(read_whole_file(path, from), from);
}

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
