// SPDX-License-Identifier: BSL-1.0
//
// hello: the square of a number, and its derivative. GradBench tries with it whether a tool answers.
#pragma once

#include "eval.hpp"

namespace gradbench {

struct hello {
    static constexpr auto name = "hello";
    numbers point; // one number

    static hello at(double x) { return {{x}}; }
    static hello read(std::istream& in) { return {read_numbers(in, 1)}; }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        return number_of<List>(x[0] * x[0]);
    }

    void by_hand(numbers& result) const { result.assign(1, 2.0 * point[0]); }
    bool by_kernel(numbers& result) const;
};

} // namespace gradbench
