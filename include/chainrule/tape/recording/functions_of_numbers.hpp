// SPDX-License-Identifier: BSL-1.0
//
// The functions of one number, and isnan() and its like, for active and traced numbers themselves. Those for all
// expressions do the same, but are no better a match than a template of the same name in a program,
// `template <class T> T sigmoid(T)`, or in another library, as boost::math::isnan: the call would be ambiguous.
#pragma once

#include <chainrule/tape/recording/comparison.hpp>

namespace chainrule {
namespace tape {
template <class T>
class traced;
}

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <class T>                                                                                                 \
    CHAINRULE_PER_NODE auto NAME(const tape::active<T>& x) {                                                           \
        return typename unary<functions::NAME, tape::active<T>>::node{{x}};                                            \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    CHAINRULE_PER_NODE auto NAME(const tape::traced<T>& x) {                                                           \
        return typename unary<functions::NAME, tape::traced<T>>::node{{x}};                                            \
    }
#define CHAINRULE_BINARY(NAME, ...)
#define CHAINRULE_TERNARY(NAME, ...)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

#define CHAINRULE_CLASSIFICATION(NAME, ...)                                                                            \
    template <class T>                                                                                                 \
    [[nodiscard]] auto NAME(const tape::active<T>& x) {                                                                \
        __VA_ARGS__                                                                                                    \
        return NAME(x.value());                                                                                        \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    [[nodiscard]] auto NAME(const tape::traced<T>& x) {                                                                \
        __VA_ARGS__                                                                                                    \
        return NAME(x.value());                                                                                        \
    }
CHAINRULE_CLASSIFICATION(isfinite)
CHAINRULE_CLASSIFICATION(isinf)
CHAINRULE_CLASSIFICATION(isnan)
CHAINRULE_CLASSIFICATION(isnormal, using std::isnormal;)
CHAINRULE_CLASSIFICATION(signbit, using std::signbit;)
CHAINRULE_CLASSIFICATION(fpclassify, using std::fpclassify;)
#undef CHAINRULE_CLASSIFICATION

} // namespace chainrule
