// SPDX-License-Identifier: BSL-1.0
//
// Text that is built at compile time: characters in an array of fixed size, which compares, converts and prints like
// other strings.
#pragma once

#include <array>
#include <cstddef>

namespace chainrule {

namespace core {
/// An output stream: std::ostream, without its header, or any class with the same operator.
template <class Stream>
concept text_stream = requires(Stream& stream, const char* c) {
    stream.write(c, 1);
    stream << c;
};
} // namespace core

/// Text of at most Capacity characters, stored in the object. It converts to std::string and std::string_view, compares
/// and concatenates (+) with them and with string literals, and can be written to any stream that takes a
/// `const char*`.
template <std::size_t Capacity>
class fixed_text {
public:
    /// The characters, which end with a zero.
    [[nodiscard]] constexpr const char* c_str() const { return characters_; }
    [[nodiscard]] constexpr const char* data() const { return characters_; }
    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr const char* begin() const { return characters_; }
    [[nodiscard]] constexpr const char* end() const { return characters_ + size_; }

    [[nodiscard]] constexpr char* data() { return characters_; }
    /// Changes the size, to at most Capacity.
    constexpr void resize(std::size_t size) { size_ = size; }
    /// Appends a character, for which there must be room.
    constexpr void push_back(char c) { characters_[size_++] = c; }

    // A template, because including <string_view> would take a quarter of the compile time of this library's headers.
    template <class String>
    requires requires(const char* c, std::size_t n) {
        typename String::traits_type;
        String(c, n);
    }
    constexpr operator String() const {
        return String(characters_, size_);
    }

    friend constexpr bool operator==(const fixed_text& a, const char* b) {
        std::size_t i = 0;
        for (; i < a.size_; ++i)
            if (a.characters_[i] != b[i]) return false; // also at the end of b
        return b[i] == '\0';
    }
    template <class Text>
    requires requires(const Text& b) {
        b.data();
        b.size();
    }
    friend constexpr bool operator==(const fixed_text& a, const Text& b) {
        if (a.size_ != b.size()) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (a.characters_[i] != b.data()[i]) return false;
        return true;
    }
    template <std::size_t Size>
    friend constexpr fixed_text<Capacity + Size - 1> operator+(const fixed_text& a, const char (&b)[Size]) {
        fixed_text<Capacity + Size - 1> sum;
        for (const char c : a) sum.push_back(c);
        for (std::size_t i = 0; i + 1 < Size; ++i) sum.push_back(b[i]);
        return sum;
    }
    template <std::size_t Size>
    friend constexpr fixed_text<Capacity + Size - 1> operator+(const char (&a)[Size], const fixed_text& b) {
        fixed_text<Capacity + Size - 1> sum;
        for (std::size_t i = 0; i + 1 < Size; ++i) sum.push_back(a[i]);
        for (const char c : b) sum.push_back(c);
        return sum;
    }
    template <class String>
    requires requires { typename String::allocator_type; }
    friend constexpr String operator+(String a, const fixed_text& b) {
        a.append(b.data(), b.size());
        return a;
    }
    template <class String>
    requires requires { typename String::allocator_type; }
    friend constexpr String operator+(const fixed_text& a, String b) {
        b.insert(0, a.data(), a.size());
        return b;
    }
    template <core::text_stream Stream>
    friend Stream& operator<<(Stream& stream, const fixed_text& text) {
        stream << text.c_str();
        return stream;
    }

private:
    char characters_[Capacity + 1] = {};
    std::size_t size_ = 0;
};

template <std::size_t A, std::size_t B>
[[nodiscard]] constexpr fixed_text<A + B> operator+(const fixed_text<A>& a, const fixed_text<B>& b) {
    fixed_text<A + B> sum;
    for (const char c : a) sum.push_back(c);
    for (const char c : b) sum.push_back(c);
    return sum;
}

} // namespace chainrule
