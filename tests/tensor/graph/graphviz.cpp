// SPDX-License-Identifier: BSL-1.0
//
// Printing of tensors and of their graphs, as far as docs/tensors.md has no example.
#include "../../catch.hpp"

#include <chainrule/tensor.hpp>

#include <cmath>
#include <limits>
#include <sstream>

TEST_CASE("tensors: NaN has no sign in print, as in NumPy", "[tensor]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double negative = std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
    chainrule::tensor::tensor<double> x{{negative, -infinity}, {-negative, -0.0}};
    std::ostringstream printed;
    printed << x;
    CHECK(printed.str() == "[[nan -inf]\n [nan -0]]");
    x.requires_grad(true);
    CHECK(to_graphviz(x).find(R"(\nnan -inf nan -0)") != std::string::npos);
}
