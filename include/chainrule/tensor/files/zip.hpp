// SPDX-License-Identifier: BSL-1.0
//
// Zip archives with uncompressed members. Written archives use the basic format, which every program reads; read
// archives must be consistent wherever they store something twice, and match their checksums. The format is defined in
// PKWARE's APPNOTE.TXT, sections 4.3 to 4.5.
#pragma once

#include <chainrule/tensor/files/npy.hpp>

#include <boost/crc.hpp>

namespace chainrule::tensor::files::zip {

/// The largest offset, size and number of members without the zip64 extension, whose marker is all ones.
inline constexpr std::uint64_t largest_offset = 0xfffffffe, most_members = 0xfffe;

inline constexpr std::uint32_t member_signature = 0x04034b50, directory_signature = 0x02014b50,
                               end_signature = 0x06054b50, zip64_end_signature = 0x07064b50;
inline constexpr std::size_t member_header_size = 30, directory_entry_size = 46, end_size = 22, zip64_end_size = 20;
inline constexpr unsigned encrypted = 1, sizes_follow = 8, name_is_utf8 = 0x800; // general purpose flags

/// The CRC-32 of several spans of bytes, one after the other.
template <class... Spans>
[[nodiscard]] std::uint32_t checksum(const Spans&... spans) {
    boost::crc_32_type crc;
    (crc.process_bytes(spans.data(), spans.size()), ...);
    return crc.checksum();
}

/// The unsigned integer of `size` bytes at an offset, which must be within the file.
[[nodiscard]] inline std::uint64_t integer_at(std::span<const std::byte> file, std::size_t offset, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(file[offset + i]);
    return value;
}
/// Appends an integer as `size` bytes, the lowest first.
inline void append(std::string& to, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

/// The directory entry of a member.
struct directory_entry {
    std::string name;
    std::uint64_t size = 0, offset = 0;
    std::uint32_t crc = 0;
    unsigned flags = 0;
};

/// Appends the fields that the header of a member and its directory entry have in common.
inline void append_common(std::string& to, const directory_entry& entry) {
    append(to, 20, 2); // the version needed: 2.0
    append(to, entry.flags, 2);
    append(to, 0, 2);            // stored
    append(to, 0, 2);            // midnight
    append(to, (1 << 5) | 1, 2); // 1 January 1980, so that equal arrays make equal files
    append(to, entry.crc, 4);
    append(to, entry.size, 4);
    append(to, entry.size, 4);
    append(to, entry.name.size(), 2);
    append(to, 0, 2); // no extra field
}
/// The bytes before the data of a member.
[[nodiscard]] inline std::string member_header(const directory_entry& entry) {
    std::string bytes;
    append(bytes, member_signature, 4);
    append_common(bytes, entry);
    return bytes + entry.name;
}
/// The bytes after the last member, which begin at `offset`.
[[nodiscard]] inline std::string directory(std::span<const directory_entry> entries, std::uint64_t offset) {
    std::string bytes;
    for (const directory_entry& entry : entries) {
        append(bytes, directory_signature, 4);
        append(bytes, 20, 2); // the version that made it
        append_common(bytes, entry);
        bytes.append(2 + 2 + 2 + 4, '\0'); // comment, disk and attributes
        append(bytes, entry.offset, 4);
        bytes += entry.name;
    }
    const std::size_t size = bytes.size();
    append(bytes, end_signature, 4);
    bytes.append(2 + 2, '\0'); // disks
    append(bytes, entries.size(), 2);
    append(bytes, entries.size(), 2);
    append(bytes, size, 4);
    append(bytes, offset, 4);
    append(bytes, 0, 2); // no comment
    return bytes;
}

/// Sets the offsets of entries whose names and sizes are known, and returns the offset of the directory. Throws
/// archive_error if the archive would need zip64.
inline std::uint64_t lay_out(std::span<directory_entry> entries, const origin& to) {
    if (entries.size() > most_members)
        to.refuse("would have " + std::to_string(entries.size()) + " arrays, and at most " +
                  std::to_string(most_members) + " fit in; save them in several files");
    std::uint64_t offset = 0, names = 0;
    for (directory_entry& entry : entries) {
        entry.offset = offset;
        // Beyond the limit it is enough to stay there.
        offset = std::min(offset + member_header_size + entry.name.size() + std::min(entry.size, largest_offset),
                          2 * largest_offset);
        names += directory_entry_size + entry.name.size();
    }
    if (offset + names > largest_offset)
        to.refuse("would be larger than 4 GB, which is the most that a zip archive without extensions has; "
                  "save the arrays in several files");
    return offset;
}

/// A member of an archive. Its data points into the bytes of the file.
struct member {
    std::string_view name;
    std::span<const std::byte> data;
};

/// Reads the bytes of an archive.
class reader {
public:
    reader(std::span<const std::byte> file, const origin& from) : file_(file), from_(from) {}

    /// Its members, in the order of the directory, after everything has been checked. Throws archive_error.
    [[nodiscard]] std::vector<member> members() {
        const std::size_t end = end_of_directory();
        const std::uint64_t count = integer(end + 10, 2), size = integer(end + 12, 4), begin = integer(end + 16, 4);
        if (begin + size != end) {
            if (end >= zip64_end_size && integer(end - zip64_end_size, 4) == zip64_end_signature) zip64();
            damaged();
        }
        if (integer(end + 4, 4) != 0 || integer(end + 8, 2) != count) damaged(); // of several disks

        std::vector<member> result;
        std::size_t at = static_cast<std::size_t>(begin);
        const std::size_t data_end = at;
        std::size_t data_size = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (end - at < directory_entry_size || integer(at, 4) != directory_signature) damaged();
            const std::size_t name_size = static_cast<std::size_t>(integer(at + 28, 2));
            const std::size_t entry_size = directory_entry_size + name_size +
                                           static_cast<std::size_t>(integer(at + 30, 2)) +
                                           static_cast<std::size_t>(integer(at + 32, 2));
            if (end - at < entry_size) damaged();
            directory_entry entry{.name = std::string(text(at + directory_entry_size, name_size)),
                                  .size = integer(at + 24, 4),
                                  .offset = integer(at + 42, 4),
                                  .crc = static_cast<std::uint32_t>(integer(at + 16, 4)),
                                  .flags = static_cast<unsigned>(integer(at + 8, 2))};
            const origin part = from_.part("member", entry.name);
            if ((entry.flags & encrypted) != 0) part.refuse("is encrypted; save it without a password");
            const std::uint64_t method = integer(at + 10, 2), compressed_size = integer(at + 20, 4);
            if (method != 0)
                part.refuse("is compressed (method " + std::to_string(method) +
                            "); save it by numpy.savez, not by numpy.savez_compressed");
            if (entry.size > largest_offset || compressed_size > largest_offset || entry.offset > largest_offset)
                zip64();
            if (integer(at + 34, 2) != 0 || compressed_size != entry.size) damaged();
            result.push_back({text(at + directory_entry_size, name_size), data_of(entry, data_end, part)});
            // Members that share bytes would let a small file fill the memory.
            data_size += result.back().data.size();
            if (data_size > data_end) damaged();
            at += entry_size;
        }
        if (at != end) damaged();
        return result;
    }

private:
    std::span<const std::byte> file_;
    const origin& from_;

    [[nodiscard]] std::uint64_t integer(std::size_t offset, std::size_t size) const {
        return integer_at(file_, offset, size);
    }
    [[nodiscard]] std::string_view text(std::size_t offset, std::size_t size) const {
        return npy::as_text(file_.subspan(offset, size));
    }
    [[noreturn]] void damaged() const {
        from_.refuse("contradicts itself; it is damaged, restore a copy or save it again");
    }
    [[noreturn]] void zip64() const {
        from_.refuse("is larger than 4 GB or has more than 65534 arrays (zip64); save the arrays in several files");
    }

    // The place of the record at the end, after which a comment of the length that it says may follow.
    [[nodiscard]] std::size_t end_of_directory() const {
        const std::string_view begin = text(0, std::min<std::size_t>(4, file_.size()));
        const std::string_view member_begin("PK\3\4", 4), empty_begin("PK\5\6", 4);
        if (begin != member_begin.substr(0, begin.size()) && begin != empty_begin) {
            if (text(0, std::min(npy::magic.size(), file_.size())) == npy::magic)
                from_.refuse("is one array without a name; read it by read_npy");
            from_.refuse("is not a .npz file; give a file of write_npz or numpy.savez");
        }
        for (std::size_t comment = 0; comment <= 0xffff && file_.size() >= end_size + comment; ++comment) {
            const std::size_t at = file_.size() - end_size - comment;
            if (integer(at, 4) == end_signature && integer(at + 20, 2) == comment) return at;
        }
        from_.refuse("ends before its directory; it is truncated or not a .npz file, save it again");
    }

    // The data of a member, whose own header must say what the directory says.
    [[nodiscard]] std::span<const std::byte> data_of(const directory_entry& entry, std::size_t data_end,
                                                     const origin& part) const {
        const auto at = static_cast<std::size_t>(entry.offset);
        if (at > data_end || data_end - at < member_header_size || integer(at, 4) != member_signature) damaged();
        const std::size_t name_size = static_cast<std::size_t>(integer(at + 26, 2)),
                          extra_size = static_cast<std::size_t>(integer(at + 28, 2));
        if (data_end - at - member_header_size < name_size + extra_size) damaged();
        const std::size_t name_at = at + member_header_size, begin = name_at + name_size + extra_size;
        if (text(name_at, name_size) != entry.name || integer(at + 6, 2) != entry.flags || integer(at + 8, 2) != 0)
            damaged();
        if ((entry.flags & sizes_follow) == 0) {
            std::uint64_t sizes[2] = {integer(at + 22, 4), integer(at + 18, 4)};
            if (sizes[0] == 0xffffffff && sizes[1] == 0xffffffff) zip64_sizes(name_at + name_size, begin, sizes);
            if (sizes[0] != entry.size || sizes[1] != entry.size || integer(at + 14, 4) != entry.crc) damaged();
        }
        if (data_end - begin < entry.size) damaged();
        const std::span<const std::byte> data = file_.subspan(begin, static_cast<std::size_t>(entry.size));
        if (checksum(data) != entry.crc)
            part.refuse("is damaged, since its checksum does not match; restore a copy or save it again");
        return data;
    }
    // numpy writes the sizes of small members too as if they could be large: in an extra field.
    void zip64_sizes(std::size_t at, std::size_t end, std::uint64_t (&sizes)[2]) const {
        constexpr std::uint64_t zip64_field = 1;
        while (end - at >= 4) {
            const std::uint64_t field = integer(at, 2);
            const auto size = static_cast<std::size_t>(integer(at + 2, 2));
            if (end - at - 4 < size) damaged();
            if (field == zip64_field && size >= 16)
                for (std::size_t i = 0; i < 2; ++i) sizes[i] = integer(at + 4 + 8 * i, 8);
            at += 4 + size;
        }
    }
};

} // namespace chainrule::tensor::files::zip
