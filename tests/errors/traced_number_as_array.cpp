// SPDX-License-Identifier: BSL-1.0
// expect: a number, no array: state the count of an array, as in function<10>(f)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](const auto& q) { return q[0] * q[1]; });
#else
constexpr auto F = cr::function<2>([](const auto& q) { return q[0] * q[1]; });
#endif

inline double of_array() {
    const auto [value, gradient] = F.value_and_gradient(2.0, 3.0);
    return value + gradient[0] + F(2.0, 3.0) + F.gradient(2.0, 3.0)[1] + F.hessian(2.0, 3.0)[0][1];
}
