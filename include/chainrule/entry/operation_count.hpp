// SPDX-License-Identifier: BSL-1.0
//
// operation_count(F): counts the operations of the finished program (codegen/finished_program.hpp) that kernel/emit.hpp
// turns into machine code.
#pragma once

#include <chainrule/codegen/cost.hpp>
#include <chainrule/entry/function.hpp>

namespace chainrule {

/// The number of operations of each kind in a program. A fused operation adds a product to or subtracts it from a
/// number; the compiler may use one machine instruction if its flags allow. A call is a call of one function; sine and
/// cosine of one argument are one call.
struct operation_counts {
    int additions = 0;       ///< a + b and a - b
    int multiplications = 0; ///< a * b
    int divisions = 0;       ///< a / b
    int negations = 0;       ///< -a
    int fused = 0;           ///< a * b + c, with any signs
    int calls = 0;           ///< of functions
    int selections = 0;      ///< comparisons, logical operations and conditionals
    int total = 0;           ///< of all kinds
    int cost = 0;            ///< of all operations, in units of an addition; graph/cost.hpp has the weights

    friend constexpr bool operator==(const operation_counts&, const operation_counts&) = default;
};

namespace detail {

/// The default request: values and first derivatives.
inline constexpr unsigned default_request = values | jacobians;

template <class Code>
[[nodiscard]] constexpr operation_counts count_operations(const Code& code) {
    operation_counts n;
    for (int i = 0; i < code.size; ++i) {
        const instruction s = kernel::unpack(code.body[static_cast<std::size_t>(i)]);
        n.cost += cost_of(s);
        switch (row_of(s.what).as) {
        case counted::addition: ++n.additions; break;
        case counted::multiplication: ++n.multiplications; break;
        case counted::division: ++n.divisions; break;
        case counted::negation: ++n.negations; break;
        case counted::fused: ++n.fused; break;
        case counted::call: ++n.calls; break;
        case counted::selection: ++n.selections; break;
        case counted::memory:
        case counted::nothing: break;
        }
    }
    n.total = n.additions + n.multiplications + n.divisions + n.negations + n.fused + n.calls + n.selections;
    return n;
}

/// Checks that a request for the text or count of a program is valid.
template <unsigned Request, class E, class V, class Bindings, bool Scalar>
consteval bool complete(const positional_function<E, V, Bindings, Scalar>*) {
    using function = positional_function<E, V, Bindings, Scalar>;
    using variables = typename function::variables_list;
    static_assert(
        Request > 0 && Request < 8,
        "program_text, operation_count: the request is not request::values, jacobians, hessians or a sum of them");
    return detail::all_bound<Request, variables::size, typename function::inputs_list,
                             typename function::outputs_list>();
}

} // namespace detail

/// The number of operations of F's program; `Request` as for program_text().
/// Example: `static_assert(operation_count(function(x * y + x, wrt(x, y))).fused == 1);`
template <unsigned Request = detail::default_request, class F>
requires detail::is_positional_function<F>
[[nodiscard]] constexpr operation_counts operation_count(const F&) {
    if constexpr (detail::complete<Request>(static_cast<const F*>(nullptr)))
        return detail::count_operations(F::template code<Request>::code());
    else
        return {};
}

} // namespace chainrule
