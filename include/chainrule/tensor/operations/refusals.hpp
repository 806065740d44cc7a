// SPDX-License-Identifier: BSL-1.0
//
// Rejects operations of two tensors whose element types differ, with one message instead of a list of all overloads.
#pragma once

#include <chainrule/functions/table.hpp>
#include <chainrule/tensor/graph/tensor.hpp>

namespace chainrule::tensor {

namespace operations {
template <class A, class B>
tensor<A> refuse_types(const tensor<A>& a) {
    constexpr bool one_type = std::same_as<A, B>;
    static_assert(one_type, "tensor: the operands differ in the type of their elements; make both of one type, as in "
                            "zeros<double>({2, 3}), and choose elements with where(condition, a, b)");
    return a;
}
} // namespace operations

#define CHAINRULE_REFUSED(RESULT, NAME)                                                                                \
    template <class A, class B>                                                                                        \
    requires(!std::same_as<A, B>)                                                                                      \
    RESULT NAME(const tensor<A>& a, const tensor<B>&) {                                                                \
        return operations::refuse_types<A, B>(a), RESULT();                                                            \
    }
CHAINRULE_REFUSED(tensor<A>, operator+)
CHAINRULE_REFUSED(tensor<A>, operator-)
CHAINRULE_REFUSED(tensor<A>, operator*)
CHAINRULE_REFUSED(tensor<A>, operator/)
CHAINRULE_REFUSED(void, operator+=)
CHAINRULE_REFUSED(void, operator-=)
CHAINRULE_REFUSED(void, operator*=)
CHAINRULE_REFUSED(void, operator/=)
CHAINRULE_REFUSED(tensor<bool>, operator<)
CHAINRULE_REFUSED(tensor<bool>, operator<=)
CHAINRULE_REFUSED(tensor<bool>, operator>)
CHAINRULE_REFUSED(tensor<bool>, operator>=)
CHAINRULE_REFUSED(bool, operator==)
CHAINRULE_REFUSED(tensor<bool>, equal)
CHAINRULE_REFUSED(tensor<A>, matmul)
CHAINRULE_REFUSED(tensor<A>, mse)
CHAINRULE_REFUSED(tensor<A>, hinge)
#define CHAINRULE_NOT_BINARY(...)
#define CHAINRULE_BINARY(NAME, ...) CHAINRULE_REFUSED(tensor<A>, NAME)
CHAINRULE_FUNCTIONS(CHAINRULE_NOT_BINARY, CHAINRULE_BINARY, CHAINRULE_NOT_BINARY)
#undef CHAINRULE_BINARY
#undef CHAINRULE_NOT_BINARY
#undef CHAINRULE_REFUSED
template <class A, class B>
requires(!std::same_as<A, B>)
tensor<A> where(const tensor<bool>&, const tensor<A>& a, const tensor<B>&) {
    return operations::refuse_types<A, B>(a);
}

} // namespace chainrule::tensor
