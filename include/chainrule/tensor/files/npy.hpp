// SPDX-License-Identifier: BSL-1.0
//
// NumPy's .npy format for one array, versions 1 to 3: a magic number, a line of text with type, order and shape, and
// the numbers. See the documentation of numpy.lib.format.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tensor/files/stored_array.hpp>

#include <bit>

namespace chainrule::tensor::files::npy {

inline constexpr std::string_view magic = "\x93NUMPY";
inline constexpr std::size_t most_axes = 32; // of NumPy 1

/// The bytes as text.
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
/// The text as bytes.
[[nodiscard]] inline std::span<const std::byte> as_raw(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// The header of a file: the bytes before the numbers, for the byte order of this machine. Throws archive_error for
/// more than 32 axes, the limit of NumPy 1, and for an array that was moved from.
[[nodiscard]] inline std::string header(const stored_array& array, const origin& to) {
    if (bytes_in(array.shape(), names_of(array.type()).size) != array.bytes().size())
        to.refuse("was moved from and has no numbers; give the array that it was moved to");
    if (array.shape().size() > most_axes)
        to.refuse("has " + std::to_string(array.shape().size()) + " axes, and numpy reads " +
                  std::to_string(most_axes) + " at most; reshape it");
    const element_name& names = names_of(array.type());
    const char order = names.size == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    std::string text = "{'descr': '";
    text += order;
    text += names.code;
    text += "', 'fortran_order': False, 'shape': " + shape_text(array.shape()) + ", }";
    // The numbers begin at a multiple of 64, for programs that map the file into memory.
    constexpr std::size_t before = magic.size() + 4;
    text.append(63 - (before + text.size()) % 64, ' ');
    text += '\n';
    std::string result(magic);
    result += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return result + text;
}

/// The contents of a header.
struct description {
    element type = element::float64;
    bool swapped = false; // in the other byte order than that of this machine
    bool fortran_order = false;
    std::vector<std::size_t> shape;
};

/// Parses the dictionary of a header, a Python literal.
class header_reader {
public:
    header_reader(std::string_view text, const origin& from) : rest_(text), from_(from) {}

    /// Throws archive_error.
    [[nodiscard]] description read() {
        description result;
        bool has_type = false, has_order = false, has_shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr" && !std::exchange(has_type, true))
                type(result);
            else if (key == "fortran_order" && !std::exchange(has_order, true))
                result.fortran_order = truth();
            else if (key == "shape" && !std::exchange(has_shape, true))
                result.shape = shape();
            else
                broken();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_spaces();
        if (!rest_.empty() || !has_type || !has_order || !has_shape) broken();
        return result;
    }

private:
    std::string_view rest_;
    const origin& from_;

    [[noreturn]] void broken() const { from_.refuse("has an invalid header; save it again"); }

    void skip_spaces() {
        const std::size_t spaces = rest_.find_first_not_of(" \t\n\r");
        rest_.remove_prefix(spaces == std::string_view::npos ? rest_.size() : spaces);
    }
    bool accept(char c) {
        skip_spaces();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool accept(std::string_view word) {
        skip_spaces();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    void expect(char c) {
        if (!accept(c)) broken();
    }
    std::string_view quoted() {
        const char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
        const std::size_t end = quote == '\0' ? std::string_view::npos : rest_.find(quote);
        if (end == std::string_view::npos) broken();
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool truth() {
        if (accept("True")) return true;
        if (accept("False")) return false;
        broken();
    }
    void type(description& result) {
        skip_spaces();
        if (rest_.starts_with('['))
            from_.refuse("has elements of several fields; save each field as an array of its own");
        const std::string_view text = quoted();
        for (const element_name& names : element_names) {
            if (!text.ends_with(names.code) || text.size() != names.code.size() + 1) continue;
            const char order = text[0];
            if (order != '<' && order != '>' && order != '=' && !(order == '|' && names.size == 1)) break;
            result.type = names.type;
            result.swapped = order == (std::endian::native == std::endian::little ? '>' : '<');
            return;
        }
        from_.refuse("has elements of the type " + in_quotes(text) +
                     "; save it as bool, an integer, float32 or float64, as by astype(numpy.float32)");
    }
    std::vector<std::size_t> shape() {
        std::vector<std::size_t> extents;
        expect('(');
        while (!accept(')')) {
            if (extents.size() == most_axes)
                from_.refuse("has more than " + std::to_string(most_axes) +
                             " axes, which is the most that are read; reshape it before it is saved");
            extents.push_back(extent());
            if (!accept(',')) {
                if (extents.size() == 1) broken(); // (3) is a number, not a tuple
                expect(')');
                break;
            }
        }
        return extents;
    }
    std::size_t extent() {
        skip_spaces();
        std::size_t value = 0, digits = 0;
        for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; ++digits) {
            const auto digit = static_cast<std::size_t>(rest_[0] - '0');
            if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10)
                from_.refuse("claims more numbers than there can be; it is damaged, save it again");
            value = value * 10 + digit;
            rest_.remove_prefix(1);
        }
        if (digits == 0) broken();
        if (rest_.starts_with('L')) rest_.remove_prefix(1); // of Python 2
        return value;
    }
};

/// Converts numbers from column-major to row-major order.
template <class T>
void to_row_major(std::vector<std::byte>& bytes, std::span<const std::size_t> shape) {
    const std::vector<std::byte> columns = bytes;
    std::vector<std::size_t> index(shape.size()), strides(shape.size(), sizeof(T));
    for (std::size_t axis = 1; axis < shape.size(); ++axis) strides[axis] = strides[axis - 1] * shape[axis - 1];
    std::size_t from = 0;
    for (std::size_t to = 0; to < bytes.size(); to += sizeof(T)) {
        std::memcpy(bytes.data() + to, columns.data() + from, sizeof(T));
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            from += strides[axis];
            if (++index[axis] < shape[axis]) break;
            from -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
}

/// Reads an array from the bytes of a .npy file. Throws archive_error if they are in another format.
[[nodiscard]] inline stored_array decode(std::span<const std::byte> file, const origin& from) {
    const std::string_view text = as_text(file);
    if (text.starts_with("PK")) from.refuse("is an archive of arrays; read it by read_npz");
    if (!text.starts_with(magic.substr(0, std::min(text.size(), magic.size()))))
        from.refuse("is not a .npy file; give a file of numpy.save or numpy.savez");
    const auto ends_early = [&] { from.refuse("ends within its header; it is truncated, save it again"); };
    if (file.size() < magic.size() + 2) ends_early();
    const int major = std::to_integer<int>(file[6]), minor = std::to_integer<int>(file[7]);
    if (major < 1 || major > 3 || minor != 0)
        from.refuse("is of the .npy version " + std::to_string(major) + '.' + std::to_string(minor) +
                    ", and 1.0 to 3.0 are known; save it again with a usual version of numpy");
    const std::size_t length_bytes = major == 1 ? 2 : 4, begin = magic.size() + 2 + length_bytes;
    if (file.size() < begin) ends_early();
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length |= std::to_integer<std::size_t>(file[8 + i]) << (8 * i);
    if (file.size() - begin < length) ends_early();

    description header = header_reader(text.substr(begin, length), from).read();
    const std::span<const std::byte> numbers = file.subspan(begin + length);
    const std::size_t size = names_of(header.type).size;
    const std::optional<std::size_t> needed = bytes_in(header.shape, size);
    if (needed != numbers.size())
        from.refuse("has " + std::to_string(numbers.size()) + " bytes of numbers where the shape " +
                    shape_text(header.shape) + " of " + std::string(names_of(header.type).name) + " needs " +
                    (needed ? std::to_string(*needed) : "more than there can be") + "; it is damaged, save it again");

    std::vector<std::byte> bytes(numbers.begin(), numbers.end());
    if (header.swapped && size > 1)
        for (std::size_t i = 0; i < bytes.size(); i += size) std::reverse(bytes.data() + i, bytes.data() + i + size);
    if (header.fortran_order && header.shape.size() > 1)
        with_type_of(header.type, [&]<class T>(T) { to_row_major<T>(bytes, header.shape); });
    CHAINRULE_TRY { return {std::move(header.shape), header.type, std::move(bytes)}; }
    CHAINRULE_CATCH(const std::invalid_argument&) {
        from.refuse("has a bool that is neither true nor false; it is damaged, save it again");
    }
}

} // namespace chainrule::tensor::files::npy

#include <chainrule/core/names_end.inc>
