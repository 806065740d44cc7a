// SPDX-License-Identifier: BSL-1.0
//
// Results are written where the caller wants them. In a copy, numbers stay in registers or on the stack until all are
// computed.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>

namespace {

/// A number that remembers where it was assigned.
struct placed {
    double digits = 0;
    const placed* place = nullptr;

    placed() = default;
    placed(double d) : digits(d) {}
    placed(const placed&) = default;
    placed& operator=(const placed& other) {
        digits = other.digits;
        place = this;
        return *this;
    }

    friend placed operator-(const placed& a) { return -a.digits; }
    friend placed operator+(const placed& a, const placed& b) { return a.digits + b.digits; }
    friend placed operator-(const placed& a, const placed& b) { return a.digits - b.digits; }
    friend placed operator*(const placed& a, const placed& b) { return a.digits * b.digits; }
    friend placed operator/(const placed& a, const placed& b) { return a.digits / b.digits; }
    friend bool operator==(const placed& a, const placed& b) { return a.digits == b.digits; }
};

bool in_place(const placed& number) { return number.place == &number; }
template <class Row>
bool in_place(const Row& row) {
    for (const auto& each : row)
        if (!in_place(each)) return false;
    return true;
}

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = x * y * y;
constexpr auto both = cr::vector(f, x / y);
constexpr auto F = cr::function(f, cr::wrt(x, y));
constexpr auto G = cr::function(both, cr::wrt(x, y));
const placed two = 2.0, three = 3.0;
const std::array<placed, 2> point{2.0, 3.0}, further{5.0, 7.0};

} // namespace

TEST_CASE("Positional functions write their results in place") {
    const auto gradient = F.gradient(point);
    CHECK(gradient[1] == 12.0);
    CHECK(in_place(gradient));
    CHECK(in_place(F.gradient(two, three)));
    const auto value_and_gradient = F.value_and_gradient(point);
    CHECK(in_place(value_and_gradient.value));
    CHECK(in_place(value_and_gradient.gradient));
    CHECK(in_place(F.hessian(point)));
    const auto second_order = F.value_gradient_and_hessian(point);
    CHECK(in_place(second_order.value));
    CHECK(in_place(second_order.gradient));
    CHECK(in_place(second_order.hessian));
    CHECK(in_place(F.third_derivatives(point)));
    CHECK(in_place(F.hvp(point, further)));
    CHECK(in_place(F.sparse_hessian(point)));
    CHECK(in_place(G.jacobian(point)));
    const auto value_and_jacobian = G.value_and_jacobian(point);
    CHECK(in_place(value_and_jacobian.values));
    CHECK(in_place(value_and_jacobian.jacobian));
    CHECK(in_place(G.jvp(point, further)));
    CHECK(in_place(G.vjp(point, further)));
    CHECK(in_place(G.lagrangian_hessian(point, further)));
    CHECK(in_place(G.sparse_jacobian(point)));
    CHECK(in_place(G.sparse_lagrangian_hessian(point, further)));
    CHECK(in_place(G.taylor<2>(point, further)));
}
