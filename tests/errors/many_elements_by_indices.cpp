// SPDX-License-Identifier: BSL-1.0
// expect: matrix: an index in A(i, j) is not a non-negative exact constant, or there are not two; write A(0_c, 1_c) for the second element of the first row, and A[0_c] for the row
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto A = cr::matrix<6>(joints * sin(dot(joints, joints)));

template <class B>
auto frobenius(const B& b) {
    double sum = 0;
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 6; ++j) sum += b(i, j) * b(i, j);
    return sum;
}

#ifdef CHAINRULE_BAD
auto sum = frobenius(A);
#else
auto sum = norm(A);
#endif
