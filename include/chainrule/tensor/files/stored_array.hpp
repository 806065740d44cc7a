// SPDX-License-Identifier: BSL-1.0
//
// An array from a file. Its element type is known only at run time: ask for it, or convert with to<T>(), which never
// changes a number except by rounding between floating-point types.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/files/whole_file.hpp>
#include <chainrule/tensor/storage/shape_text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <ranges>
#include <string_view>
#include <type_traits>

namespace chainrule::tensor {

/// The element types of files.
enum class element { boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

/// An element type: its name in NumPy and in files, and its size in bytes.
struct element_name {
    element type;
    std::string_view name, code;
    std::size_t size;
};
/// All element types, in the order of `element`.
inline constexpr std::array<element_name, 11> element_names{{{element::boolean, "bool", "b1", 1},
                                                             {element::int8, "int8", "i1", 1},
                                                             {element::int16, "int16", "i2", 2},
                                                             {element::int32, "int32", "i4", 4},
                                                             {element::int64, "int64", "i8", 8},
                                                             {element::uint8, "uint8", "u1", 1},
                                                             {element::uint16, "uint16", "u2", 2},
                                                             {element::uint32, "uint32", "u4", 4},
                                                             {element::uint64, "uint64", "u8", 8},
                                                             {element::float32, "float32", "f4", 4},
                                                             {element::float64, "float64", "f8", 8}}};
/// The names and the size of an element type.
[[nodiscard]] constexpr const element_name& names_of(element type) {
    return element_names[static_cast<std::size_t>(type)];
}

/// The C++ types that a file can store: bool, float, double, and integers of 1 to 8 bytes.
template <class T>
concept storable = (std::integral<T> && sizeof(T) <= 8) || std::same_as<T, float> || std::same_as<T, double>;

/// The element type of T.
template <storable T>
[[nodiscard]] constexpr element element_of() {
    if constexpr (std::same_as<T, bool>) return element::boolean;
    const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    std::size_t i = 0;
    while (element_names[i].code[0] != kind || element_names[i].size != sizeof(T)) ++i;
    return element_names[i].type;
}

/// Calls f with a number of the type: `with_type_of(element::float32, []<class T>(T) { ... })`.
template <class F>
decltype(auto) with_type_of(element type, F&& f) {
    switch (type) {
    case element::boolean: return f(bool{});
    case element::int8: return f(std::int8_t{});
    case element::int16: return f(std::int16_t{});
    case element::int32: return f(std::int32_t{});
    case element::int64: return f(std::int64_t{});
    case element::uint8: return f(std::uint8_t{});
    case element::uint16: return f(std::uint16_t{});
    case element::uint32: return f(std::uint32_t{});
    case element::uint64: return f(std::uint64_t{});
    case element::float32: return f(float{});
    case element::float64: break;
    }
    return f(double{});
}

/// The text of a shape: (), (3,), (3, 4).
[[nodiscard]] inline std::string shape_text(std::span<const std::size_t> shape) { return storage::shape_text(shape); }

/// The size of an array in bytes; empty if it does not fit std::size_t.
[[nodiscard]] inline std::optional<std::size_t> bytes_in(std::span<const std::size_t> shape, std::size_t element_size) {
    for (const std::size_t extent : shape)
        if (extent == 0) return 0;
    std::size_t bytes = element_size;
    for (const std::size_t extent : shape) {
        if (bytes > std::numeric_limits<std::size_t>::max() / extent) return std::nullopt;
        bytes *= extent;
    }
    return bytes;
}

namespace files {

/// Whether T can represent x: exactly, or rounded but not infinite if both are floating-point types.
template <storable T, storable From>
[[nodiscard]] bool is_representable(From x) {
    if constexpr (std::same_as<T, From> || std::same_as<From, bool>) {
        return true;
    } else if constexpr (std::same_as<T, bool>) {
        return x == From(0) || x == From(1);
    } else if constexpr (std::is_floating_point_v<T> && std::is_floating_point_v<From>) {
        return !std::isfinite(x) || std::isfinite(static_cast<T>(x));
    } else if constexpr (std::is_floating_point_v<T>) {
        // Integers of this size have neighbours that the type does not have.
        constexpr int digits = std::numeric_limits<T>::digits;
        if constexpr (std::numeric_limits<From>::digits <= digits)
            return true;
        else
            return x <= From(From(1) << digits) && (std::is_unsigned_v<From> || x >= From(-(From(1) << digits)));
    } else if constexpr (std::is_floating_point_v<From>) {
        const From beyond = std::ldexp(From(1), std::numeric_limits<T>::digits);
        return std::trunc(x) == x && x < beyond && x >= (std::is_signed_v<T> ? -beyond : From(0));
    } else if constexpr (std::is_signed_v<From> == std::is_signed_v<T>) {
        return x >= std::numeric_limits<T>::min() && x <= std::numeric_limits<T>::max();
    } else if constexpr (std::is_signed_v<From>) {
        return x >= 0 && static_cast<std::make_unsigned_t<From>>(x) <= std::numeric_limits<T>::max();
    } else {
        return x <= static_cast<std::make_unsigned_t<T>>(std::numeric_limits<T>::max());
    }
}

} // namespace files

/// A shape, an element type, and the numbers in row-major order. A moved-from array has no numbers and is not written.
class stored_array {
public:
    /// From a shape and a contiguous range of numbers, which are copied. Throws std::invalid_argument if their number
    /// does not match the shape. Example: `stored_array({2, 3}, weights)`
    template <std::ranges::contiguous_range Numbers>
    requires storable<std::ranges::range_value_t<Numbers>>
    stored_array(std::vector<std::size_t> shape, const Numbers& numbers)
        : shape_(std::move(shape)), type_(element_of<std::ranges::range_value_t<Numbers>>()) {
        const std::span all(std::ranges::data(numbers), std::ranges::size(numbers));
        check_count(all.size());
        const auto bytes = std::as_bytes(all);
        bytes_.assign(bytes.begin(), bytes.end());
    }
    /// The same from bits, which are not a contiguous range.
    stored_array(std::vector<std::size_t> shape, const std::vector<bool>& numbers)
        : shape_(std::move(shape)), type_(element::boolean) {
        check_count(numbers.size());
        for (const bool x : numbers) bytes_.push_back(static_cast<std::byte>(x));
    }
    /// From a shape, a type and the bytes of the numbers in the byte order of this machine. Throws
    /// std::invalid_argument if their number does not match, and for a bool that is neither 0 nor 1.
    stored_array(std::vector<std::size_t> shape, element type, std::vector<std::byte> bytes)
        : shape_(std::move(shape)), type_(type), bytes_(std::move(bytes)) {
        if (bytes_in(shape_, names_of(type).size) != bytes_.size())
            core::raise(std::invalid_argument("stored_array: " + std::to_string(bytes_.size()) +
                                              " bytes do not fill the shape " + shape_text(shape_) + " of " +
                                              std::string(names_of(type).name) + "; give as many as it has"));
        // To read another byte as a bool is undefined.
        if (type == element::boolean && std::ranges::any_of(bytes_, [](std::byte b) { return b > std::byte{1}; }))
            core::raise(
                std::invalid_argument("stored_array: a bool is neither true nor false; give bytes that are 0 or 1"));
    }

    /// The size of each axis; empty for a scalar.
    [[nodiscard]] const std::vector<std::size_t>& shape() const { return shape_; }
    /// The type of the elements in files.
    [[nodiscard]] element type() const { return type_; }
    /// The number of elements.
    [[nodiscard]] std::size_t size() const { return bytes_.size() / names_of(type_).size; }
    /// The bytes of the numbers, in the byte order of this machine.
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

    /// The numbers, if T is their type; otherwise throws archive_error.
    template <storable T>
    [[nodiscard]] std::span<const T> values() const& {
        if (element_of<T>() != type_)
            core::raise(archive_error("values: the numbers are " + std::string(names_of(type_).name) + ", not " +
                                      std::string(names_of(element_of<T>()).name) +
                                      "; ask for their type, or convert by to<T>()"));
        return {reinterpret_cast<const T*>(bytes_.data()), size()};
    }
    template <storable T>
    std::span<const T> values() const&& = delete; // would outlive the array

    /// The numbers converted to T. Throws archive_error if T cannot represent one of them: integers must be exact,
    /// floating-point numbers may be rounded.
    template <storable T>
    [[nodiscard]] std::vector<T> to() const {
        return with_type_of(type_, [&]<class From>(From) {
            std::vector<T> result;
            result.reserve(size());
            for (const From x : values<From>()) {
                if (!files::is_representable<T>(x))
                    core::raise(archive_error("to: " + std::to_string(x) + " cannot be stored as " +
                                              std::string(names_of(element_of<T>()).name) +
                                              "; convert to a type that can hold it, such as " +
                                              std::string(names_of(type_).name)));
                result.push_back(static_cast<T>(x));
            }
            return result;
        });
    }

    [[nodiscard]] friend bool operator==(const stored_array&, const stored_array&) = default;

private:
    void check_count(std::size_t count) const {
        if (bytes_in(shape_, names_of(type_).size) != count * names_of(type_).size)
            core::raise(std::invalid_argument("stored_array: " + std::to_string(count) +
                                              " numbers do not fill the shape " + shape_text(shape_) +
                                              "; give as many as it has"));
    }

    std::vector<std::size_t> shape_;
    element type_;
    std::vector<std::byte> bytes_;
};

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
