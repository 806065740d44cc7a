// SPDX-License-Identifier: BSL-1.0
//
// The error message for a class of numbers that lacks a function which a program calls, such as exp.
// functions/names.hpp looks for it.
#pragma once

namespace chainrule::functions {

/// Compilers print its name and arguments.
template <class T>
struct the_class {
    template <class Function>
    static constexpr bool has = false;
};

/// The fault that the class T has no function of this name.
template <class T, class Row>
struct lacks_function {};
template <class T, class Row>
consteval void report(lacks_function<T, Row>) {
    static_assert(the_class<T>::template has<Row>,
                  "f(x): the class of the number x lacks a function that f calls; define it in the namespace of the "
                  "class, as in my_number exp(const my_number& x)");
}

} // namespace chainrule::functions
