// SPDX-License-Identifier: BSL-1.0
//
// What is a text that is made while a program compiles? Characters in an array of fixed size, which compares, converts
// and prints like other strings. symbolic/text.hpp fills it.
#pragma once

#include <array>
#include <cstddef>

namespace chainrule {

/// Text of at most Capacity characters, in the object itself. It converts to std::string_view, compares with that and
/// with string literals, and goes to any stream that takes a `const char*`.
template <std::size_t Capacity>
class fixed_text {
public:
    [[nodiscard]] constexpr const char* c_str() const { return characters_; }
    [[nodiscard]] constexpr const char* data() const { return characters_; }
    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr const char* begin() const { return characters_; }
    [[nodiscard]] constexpr const char* end() const { return characters_ + size_; }

    [[nodiscard]] constexpr char* data() { return characters_; }
    constexpr void resize(std::size_t size) { size_ = size; }
    constexpr void push_back(char c) { characters_[size_++] = c; }

    // A template because <string_view> would cost a quarter of the time in which this library is included.
    template <class View>
        requires(!requires { typename View::allocator_type; } && requires(const char* c, std::size_t n) {
            typename View::traits_type;
            View(c, n);
        })
    constexpr operator View() const {
        return View(characters_, size_);
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
    template <class Stream>
        requires requires(Stream& stream, const char* c) {
            stream.write(c, 1);
            stream << c;
        }
    friend Stream& operator<<(Stream& stream, const fixed_text& text) {
        stream << text.c_str();
        return stream;
    }

private:
    char characters_[Capacity + 1] = {};
    std::size_t size_ = 0;
};

} // namespace chainrule
