// SPDX-License-Identifier: BSL-1.0
//
// Programs are derived in constant expressions with sanitizers too: with -fsanitize=undefined, g++ 12 compares no
// address of a constant with nullptr there. Nor does it warn of what a kernel reads and writes: it followed the null
// pointer of an empty range into the kernel.
#include <chainrule/chainrule.hpp>

#include <span>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(log(x) + x * y - sin(y), cr::wrt(x, y));

constexpr auto traced = cr::function([](auto u) {
    const decltype(u) two = 2, root = sqrt(two);
    return u * root;
});

double slope(double at) { return F.gradient(at, 2.0)[0] + F.hessian(at, 2.0)[0][1] + traced.gradient(at)[0]; }

constexpr auto of_nine = cr::function<9>([](const auto& q) {
    auto sum = 0.0 * q[0];
    for (const auto& v : q) sum += v * v;
    return sum;
});

void use(double);
void at_vectors() {
    const std::vector<double> empty, point(9, 1.0);
    const std::vector<float> of_floats(9, 1.0f);
    try {
        use(of_nine.gradient(empty)[0]);
    } catch (const cr::wrong_size&) {
    }
    use(of_nine(point) + of_nine.gradient(point)[0] + of_nine.hvp(point, std::span(point))[0]);
    use(of_nine(of_floats) + of_nine.gradient(of_floats)[0] + of_nine.value_and_gradient(point).value);
}
