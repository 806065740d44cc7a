// SPDX-License-Identifier: BSL-1.0
//
// How a function runs the program of a request. The dense Hessian of a long program is computed at run time from the
// program of the gradient on numbers with tangents, where that takes fewer instructions. One that is mostly zero is
// filled with zeros before the program writes the rest.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/codegen/finished_program.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/differentiate/modes.hpp>
#include <chainrule/kernel/emit.hpp>

#include <cstddef>
#include <type_traits>

namespace chainrule::detail {

/// The request whose outputs have the rows of a dense Hessian as tangents, or 0 for other requests.
[[nodiscard]] consteval unsigned gradient_of(unsigned request) {
    if (request == request::hessians || request == (request::values | request::jacobians | request::hessians))
        return request::values | request::jacobians;
    return request == request::weighted_hessians ? unsigned{request::cotangents} : 0;
}

/// The outputs of that request before the gradient.
[[nodiscard]] consteval int values_before(unsigned request) {
    return (gradient_of(request) & request::values) != 0 ? 1 : 0;
}

/// Programs of Hessians that are shorter are not compared.
inline constexpr int fewest_instructions_with_tangents = 500;

/// Whether a Hessian is filled with zeros first.
template <class Zeros>
[[nodiscard]] consteval bool are_filled_in() {
    return codegen::is_filled_with_zeros(Zeros::count(), Zeros::entries);
}

/// The instructions of the program of a Hessian, without those that write zeros which are filled in.
template <class Compiled, class Outputs>
[[nodiscard]] consteval int size_without_filled_zeros() {
    constexpr int size = Compiled::code().size;
    if constexpr (size < fewest_instructions_with_tangents) {
        return size;
    } else {
        using zeros = typename Outputs::template zeros<Compiled>;
        return size - (are_filled_in<zeros>() ? zeros::count_of_outputs() : 0);
    }
}

/// Whether F computes a request on T from the tangents of its gradient. An operation on vectors takes as long as one on
/// numbers; as measured, the program of the Hessian loses more time by its many intermediate results.
template <class F, std::size_t Columns, unsigned Request, class T, class Outputs>
[[nodiscard]] consteval bool runs_on_tangents() {
    if constexpr (kernel::vector_lanes<T> == 0) {
        return false;
    } else {
        constexpr int size = size_without_filled_zeros<typename F::template code<Request>, Outputs>();
        if constexpr (size < fewest_instructions_with_tangents) {
            return false;
        } else {
            using gradient = typename F::template code<gradient_of(Request)>;
            constexpr const auto& made =
                gradient::program::template tangents<static_cast<int>(Columns), kernel::vector_lanes<T>,
                                                     values_before(Request)>;
            return made.size > 0 && gradient::code().size + made.operations < size;
        }
    }
}

template <class F, std::size_t Columns, unsigned Request, class T, class Variables, class Numbers, class Outputs>
CHAINRULE_STEP constexpr void run_program(const Variables& variables, const Numbers& numbers, Outputs& outputs) {
    if constexpr (gradient_of(Request) != 0) {
        if constexpr (runs_on_tangents<F, Columns, Request, T, Outputs>()) {
            if (!__builtin_is_constant_evaluated()) {
                using gradient = typename F::template code<gradient_of(Request)>::program;
                auto others = outputs.value_and_gradient();
                kernel::runner<gradient>::template run_with_tangents<T, static_cast<int>(Columns),
                                                                     kernel::vector_lanes<T>, values_before(Request)>(
                    variables, numbers, others, outputs.entries());
                return;
            }
        }
    }
    using compiled = typename F::template code<Request>;
    using program = typename compiled::program;
#if !defined(CHAINRULE_ON_DEVICE) // whose compilers keep results in registers
    if constexpr (gradient_of(Request) != 0 && std::is_floating_point_v<T> &&
                  Columns * Columns >= codegen::fewest_zeros_filled) {
        if constexpr (are_filled_in<typename Outputs::template zeros<compiled>>()) {
            const auto others = outputs.template filled_with_zeros<compiled>();
            kernel::runner<program>::template run<T>(variables, numbers, others);
            return;
        }
    }
#endif
    kernel::runner<program>::template run<T>(variables, numbers, outputs);
}

} // namespace chainrule::detail
