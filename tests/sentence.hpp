// SPDX-License-Identifier: BSL-1.0
//
// The message of an exception, for tests of messages.
#pragma once

#include <exception>
#include <string>

/// The sentence of the exception that f throws, or nothing.
template <class F>
std::string sentence_of(F f) {
    try {
        f();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
