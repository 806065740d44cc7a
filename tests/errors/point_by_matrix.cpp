// SPDX-License-Identifier: BSL-1.0
// expect: function: an Eigen matrix does not determine which element is which variable; pass a vector, as in m.row(0) or m.reshaped()
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

// What the library knows a matrix of Eigen by.
template <bool Vector>
struct dense {
    enum { IsVectorAtCompileTime = Vector, InnerStrideAtCompileTime = 1, SizeAtCompileTime = 2 };
    using Scalar = double;
    double numbers[2];
    const double* data() const { return numbers; }
    int size() const { return 2; }
};

#ifdef CHAINRULE_BAD
double value = F(dense<false>{{2.0, 5.0}});
#else
double value = F(dense<true>{{2.0, 5.0}});
#endif
