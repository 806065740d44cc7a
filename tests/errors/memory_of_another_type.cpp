// SPDX-License-Identifier: BSL-1.0
// expect: memory for results: it is const or temporary, of another number type, or not in order; pass a std::span of the point's numbers, a vector, or a matrix that is stored row by row
#include <chainrule/tape.hpp>
#include <vector>

#ifdef CHAINRULE_BAD
using number = float;
#else
using number = double;
#endif

void differentiate(const std::vector<double>& point, std::vector<number>& gradient) {
    chainrule::tape::gradient([](const auto& x) { return x[0] * sin(x[1]); }, point, gradient);
}
