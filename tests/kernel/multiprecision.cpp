// SPDX-License-Identifier: BSL-1.0
//
// Numbers of Boost.Multiprecision, whose operators may return expressions.
#include "foreign_numbers.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace mp = boost::multiprecision;
using foreign_numbers::x;

TEST_CASE("multiprecision numbers go through kernels, dual numbers and tapes, also where their sums are expressions",
          "[types]") {
    foreign_numbers::foreign<mp::number<mp::cpp_dec_float<50>, mp::et_on>>(1e-13).check();
}

TEST_CASE("multiprecision numbers keep their digits", "[types]") {
    using number = mp::cpp_bin_float_50;
    const number a = number(1) / 3;
    tape::basic_tape<number> t;
    const auto v = t.variable(a);
    const tape::active<number> r = exp(v) * v;
    t.backward(r);
    const number should = exp(a) * (1 + a);
    CHECK(abs(v.gradient() - should) <= 1e-48 * should);
    CHECK(abs((exp(cr::dual<number>::variable(a)) * a).tangents[0] - exp(a) * a) <= 1e-48 * should);
    CHECK(abs(cr::gradient(exp(x) * x)(x = a)[x] - should) <= 1e-48 * should);
}
