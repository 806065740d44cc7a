// SPDX-License-Identifier: BSL-1.0
//
// A list of types: the expressions and variables of a program.
#pragma once

namespace chainrule::program {

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};

} // namespace chainrule::program
