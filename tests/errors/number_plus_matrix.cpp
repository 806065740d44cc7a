// SPDX-License-Identifier: BSL-1.0
// expect: operator: a number on a tape is combined with a matrix of Eigen; include chainrule/interop/eigen.hpp for products, and add numbers to m.array()
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

// As much of Eigen's as matters here.
template <class T>
struct matrix {
    enum { RowsAtCompileTime = 2 };
    using value_type = T;
    T first, second;
};
template <class T>
struct array : matrix<T> {
    friend array operator+(const T& x, const array& a) { return {{x + a.first, x + a.second}}; }
};

#ifdef CHAINRULE_BAD
using vector = matrix<tape::active<double>>;
#else
using vector = array<tape::active<double>>;
#endif

auto shifted(const vector& v, const tape::active<double>& by) { return by + v; }
