// SPDX-License-Identifier: BSL-1.0
//
// Reads plain numbers from streams.
#pragma once

namespace chainrule::core {

/// Reads a T, which a number then has as its value, without derivatives. The number stays as it is where that fails.
template <class T, class Stream, class Number>
Stream& read_plain(Stream& in, Number& number) {
    T plain{};
    if (in >> plain) number = Number(plain);
    return in;
}

} // namespace chainrule::core
