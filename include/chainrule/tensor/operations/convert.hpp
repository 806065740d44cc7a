// SPDX-License-Identifier: BSL-1.0
//
// Conversion of a tensor to another element type, and the error message of functions that integer tensors do not have.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/functions/table.hpp>
#include <chainrule/tensor/graph/creation.hpp>
#include <chainrule/tensor/kernels/loops.hpp>
#include <chainrule/tensor/kernels/map.hpp>

#include <concepts>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace chainrule::tensor {

namespace operations {
/// Throws std::domain_error if an integer of type To cannot hold x.
template <class To, class From>
To converted(From x) {
    if constexpr (std::integral<To> && !std::same_as<To, bool>) {
        bool fits = false;
        if constexpr (std::floating_point<From>) {
            // The limits plus 1 are powers of two, which floating-point numbers hold.
            constexpr From beyond = From(2) * static_cast<From>(std::numeric_limits<To>::max() / 2 + 1);
            fits = x < beyond && (std::unsigned_integral<To> ? x > From(-1) : x >= -beyond);
        } else {
            fits = std::cmp_equal(+static_cast<To>(x), +x); // promoted, since it takes no characters and no bool
        }
        if (!fits)
            core::raise(std::domain_error(
                std::string("convert: an element is not a number that the integer type can hold; ") +
                (std::floating_point<From> ? "use clamp(x, low, high) first" : "convert to a larger type")));
    }
    return static_cast<To>(x);
}
} // namespace operations

/// The elements as numbers of another type; integers are truncated towards 0. Gradients do not pass from one type to
/// another. Throws gradient_error for a tensor that requires one, and std::domain_error for a number that an integer
/// cannot hold.
template <arithmetic To, arithmetic From>
[[nodiscard]] tensor<To> convert(const tensor<From>& x) {
    if (graph::recording && x.requires_grad())
        core::raise(gradient_error(storage::sentence("convert: the tensor of shape ", x.shape(),
                                                     " requires a gradient, which does not pass to another type; "
                                                     "write convert<double>(x.detach())")));
    tensor<To> numbers = empty<To>(x.shape());
    kernels::map(
        x.shape(), numbers.node().numbers, false, [](From a) { return operations::converted<To>(a); },
        std::tuple<const From*>(x.node().numbers), numbers.strides(), x.strides());
    return numbers;
}

// Integers have no functions of the table and no mean.
#define CHAINRULE_OF_INTEGERS(NAME, ...)                                                                               \
    template <std::integral T>                                                                                         \
    tensor<double> NAME(const tensor<T>& x) {                                                                          \
        constexpr bool are_integers = sizeof(T) != 0;                                                                  \
        static_assert(!are_integers,                                                                                   \
                      #NAME "(x): the elements of the tensor are integers; write " #NAME "(convert<double>(x))");      \
        return convert<double>(x);                                                                                     \
    }
#define CHAINRULE_NOT_UNARY(...)
CHAINRULE_FUNCTIONS(CHAINRULE_OF_INTEGERS, CHAINRULE_NOT_UNARY, CHAINRULE_NOT_UNARY)
CHAINRULE_OF_INTEGERS(mean)
CHAINRULE_OF_INTEGERS(variance)
#undef CHAINRULE_OF_INTEGERS
#undef CHAINRULE_NOT_UNARY

} // namespace chainrule::tensor
