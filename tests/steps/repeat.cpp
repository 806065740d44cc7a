// SPDX-License-Identifier: BSL-1.0
//
// Repeated steps against plain loops of their kernels, bit for bit, and their derivatives against the tape, finite
// differences and one another.
#include "catch.hpp"
#include "../sentence.hpp"

#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/steps.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;

namespace {

constexpr auto x = cr::variables<"x", 2>;
constexpr auto p = cr::variables<"p", 2>;
constexpr auto u = cr::variable<"u">;
constexpr auto h = cr::variable<"h">;

/// A driven pendulum with friction.
struct pendulum {
    static constexpr auto angle(const auto& at, auto step) { return at[0] + step * at[1]; }
    static constexpr auto speed(const auto& at, auto force, const auto& by, auto step) {
        using std::sin;
        return at[1] + step * (force - by[0] * sin(at[0]) - by[1] * at[1] / (1.0 + at[1] * at[1]));
    }
    constexpr auto operator()(const auto& at, auto force, const auto& by, auto step) const {
        return std::array{angle(at, step), speed(at, force, by, step)};
    }
};
struct running {
    constexpr auto operator()(const auto& at, auto force, const auto& by, auto step) const {
        return step * (at[0] * at[0] + 0.1 * force * force * by[0]);
    }
};
struct last {
    constexpr auto operator()(const auto& at, const auto& by, auto) const {
        using std::exp;
        return exp(at[0]) * by[1] + at[1];
    }
};

constexpr std::size_t count = 37;
const std::vector<double> forces = [] {
    std::vector<double> all(count);
    for (std::size_t k = 0; k < count; ++k) all[k] = std::sin(0.3 * static_cast<double>(k));
    return all;
}();
constexpr std::array start{0.4, -0.2};
constexpr std::array constants{2.0, 0.7};
constexpr std::array point{0.4, -0.2, 2.0, 0.7};
constexpr double width = 0.05;

template <class... Further>
auto with_costs(const Further&... further) {
    return cr::repeat(pendulum{}, cr::state(x), cr::over(u = forces), cr::wrt(p), cr::given(h = width),
                      cr::running_cost(running{}), cr::final_cost(last{}), further...);
}
template <class... Further>
auto without_costs(const Further&... further) {
    return cr::repeat(pendulum{}, cr::state(x), cr::over(u = forces), cr::wrt(p), cr::given(h = width), further...);
}

/// The same as an ordinary loop over numbers of any type.
template <class T>
T looped(std::array<T, 2> at, const std::array<T, 2>& by, std::array<T, 2>* end = nullptr) {
    T cost = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
        const T of_step = running{}(at, T(forces[k]), by, T(width));
        const std::array<T, 2> next{T(pendulum::angle(at, T(width))),
                                    T(pendulum::speed(at, T(forces[k]), by, T(width)))};
        cost = cost + of_step;
        at = next;
    }
    if (end != nullptr) *end = at;
    return cost + last{}(at, by, T(width));
}

template <class A>
bool same_bits(const A& a, const A& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST_CASE("values are those of a loop, bit for bit") {
    std::array<double, 2> end;
    const double cost = looped<double>(start, constants, &end);
    CHECK(with_costs()(start, constants) == cost);
    CHECK(with_costs()(point) == cost);
    CHECK(with_costs()(x = start, p = constants) == cost);
    CHECK(with_costs()(start, 2.0, 0.7) == cost);
    CHECK(with_costs().value_and_gradient(point).value == cost);
    CHECK(same_bits(without_costs()(point), end));
    CHECK(same_bits(with_costs().final_state(start, constants), end));
    CHECK(same_bits(without_costs().value_and_jacobian(point).values, end));
    const auto all = with_costs().trajectory(point);
    REQUIRE(all.size() == count + 1);
    CHECK(same_bits(all.front(), start));
    CHECK(same_bits(all.back(), end));
    CHECK(same_bits(all[5], pendulum{}(all[4], forces[4], constants, width)));
}

TEST_CASE("gradients are those of the tape") {
    cr::tape::tape t;
    using number = cr::tape::active<double>;
    const std::array<number, 2> at{t.variable(start[0]), t.variable(start[1])};
    const std::array<number, 2> by{t.variable(constants[0]), t.variable(constants[1])};
    std::array<number, 2> end;
    const number cost = looped<number>(at, by, &end);
    t.backward(cost);
    const std::array expected{at[0].gradient(), at[1].gradient(), by[0].gradient(), by[1].gradient()};
    const auto found = with_costs().gradient(start, constants);
    for (std::size_t i = 0; i < 4; ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-12));

    t.backward(end[1]);
    const std::array of_end{at[0].gradient(), at[1].gradient(), by[0].gradient(), by[1].gradient()};
    const auto weighted = without_costs().vjp(point, std::array{0.0, 1.0});
    const auto jacobian = without_costs().jacobian(start, constants);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(weighted[i] == Approx(of_end[i]).epsilon(1e-12));
        CHECK(jacobian[1][i] == Approx(of_end[i]).epsilon(1e-12));
    }
}

TEST_CASE("directional derivatives and Hessian products agree with gradients") {
    const std::array along{0.3, -1.2, 0.5, 0.9};
    const auto run = with_costs();
    const auto gradient = run.gradient(point);
    double expected = 0;
    for (std::size_t i = 0; i < 4; ++i) expected += gradient[i] * along[i];
    CHECK(run.jvp(point, along) == Approx(expected).epsilon(1e-12));
    CHECK(run.jvp(start, constants, along) == run.jvp(point, along));

    const auto end = without_costs().jvp(point, along);
    const auto jacobian = without_costs().jacobian(point);
    for (std::size_t i = 0; i < 2; ++i) {
        double product = 0;
        for (std::size_t j = 0; j < 4; ++j) product += jacobian[i][j] * along[j];
        CHECK(end[i] == Approx(product).epsilon(1e-12));
    }
    CHECK(same_bits(without_costs().vjp(start, constants, start), without_costs().vjp(point, start)));

    const double e = 1e-5;
    auto above = point, below = point;
    for (std::size_t i = 0; i < 4; ++i) {
        above[i] += e * along[i];
        below[i] -= e * along[i];
    }
    const auto upper = run.gradient(above), lower = run.gradient(below);
    const auto product = run.hvp(point, along);
    for (std::size_t i = 0; i < 4; ++i) CHECK(product[i] == Approx((upper[i] - lower[i]) / (2 * e)).epsilon(1e-7));
    CHECK(same_bits(run.hvp(start, constants, along), product));
}

TEST_CASE("checkpoints give the same bits in less memory") {
    const auto all = with_costs();
    const auto expected = all.value_and_gradient(point);
    const auto end = without_costs().vjp(point, std::array{0.6, -0.4});
    for (const int states : {1, 2, 3, 5, 8, 36, 37, 100}) {
        INFO(states);
        const auto few = with_costs(cr::checkpoints(states));
        CHECK(same_bits(few.value_and_gradient(point), expected));
        CHECK(same_bits(without_costs(cr::checkpoints(states)).vjp(point, std::array{0.6, -0.4}), end));
        CHECK(few.numbers_kept() < std::size_t(states) * 2 + all.numbers_kept() / count + 1);
    }
    CHECK(same_bits(with_costs(cr::checkpoints()).value_and_gradient(point), expected));
    CHECK(with_costs(cr::checkpoints()).numbers_kept() < all.numbers_kept() / 3);
    CHECK(sentence_of([] { (void)cr::checkpoints(0); }) == "checkpoints: no state may be kept; pass 1 or more");
}

TEST_CASE("a workspace holds what is kept") {
    std::vector<double> memory;
    const auto run = with_costs(cr::workspace(memory));
    const auto expected = with_costs().value_and_gradient(point);
    CHECK(same_bits(run.value_and_gradient(point), expected));
    CHECK(memory.size() == run.numbers_kept());
    CHECK(run.numbers_kept() % count == 0);
    const double* const before = memory.data();
    CHECK(same_bits(run.value_and_gradient(point), expected));
    CHECK(memory.data() == before);
    CHECK(same_bits(run.hvp(point, point), with_costs().hvp(point, point))); // of dual numbers: in its own memory

    std::vector<double> enough(run.numbers_kept());
    CHECK(same_bits(with_costs(cr::workspace(std::span<double>(enough))).value_and_gradient(point), expected));
    std::array<double, 3> little{};
    CHECK(sentence_of([&] { (void)with_costs(cr::workspace(little)).gradient(point); }) ==
          "workspace: it has 3 numbers and the steps need " + std::to_string(run.numbers_kept()) +
              "; give as many as numbers_kept() says");
}

TEST_CASE("steps whose numbers cannot be counted are refused") {
    constexpr std::size_t many = std::size_t{1} << 63;
    const auto halved = [](const auto& at) { return std::array{0.5 * at[0], at[1]}; };
    const auto run = cr::repeat(halved, cr::state(x), cr::steps(many));
    CHECK(sentence_of([&] { (void)run.numbers_kept(); }) ==
          "steps: the numbers that 9223372036854775808 steps keep cannot be counted; take fewer, or keep few by "
          "checkpoints(n)");
    CHECK(cr::repeat(halved, cr::state(x), cr::steps(many), cr::checkpoints(10)).numbers_kept() < 1000);
}

TEST_CASE("no steps are the identity") {
    const auto none = cr::repeat(cr::vector(x[0_c] * x[1_c], sin(x[0_c])), cr::state(x), cr::steps(0));
    CHECK(same_bits(none(start), start));
    CHECK(none.jacobian(start) == std::array<std::array<double, 2>, 2>{{{1, 0}, {0, 1}}});
    CHECK(none.vjp(start, std::array{3.0, 4.0}) == std::array{3.0, 4.0});
    CHECK(none.numbers_kept() == 0);
    CHECK(none.trajectory(start).size() == 1);
    for (const auto& run : {cr::repeat(cr::vector(x[0_c] * x[1_c], sin(x[0_c])), cr::state(x), cr::steps(0),
                                       cr::checkpoints(2), cr::final_cost(x[0_c] * x[1_c]))}) {
        CHECK(run(3.0, 4.0) == 12);
        CHECK(run.gradient(3.0, 4.0) == std::array{4.0, 3.0});
    }
}

TEST_CASE("parameters can be set, and data are read where they are") {
    std::vector<double> own = forces;
    auto run = cr::repeat(pendulum{}, cr::state(x), cr::over(u = own), cr::wrt(p), cr::given(h = width));
    const auto first = run(point);
    run.set(h = 2 * width);
    CHECK(run(point) != first);
    run.set(h = width);
    CHECK(same_bits(run(point), first));
    own.back() += 1;
    CHECK(run(point)[1] == Approx(first[1] + width).epsilon(1e-14));
    CHECK(run.step_count() == count);

    CHECK(sentence_of([] {
              (void)cr::repeat(pendulum{}, cr::state(x), cr::over(u = forces), cr::wrt(p), cr::given(h = width),
                               cr::steps(38));
          }) == "repeat: there are 38 steps and the data have 37 rows; bind one row for each step");
    CHECK(sentence_of([] { (void)cr::steps(-1); }) == "steps: the number is -1; pass 0 or more");
}

TEST_CASE("rows may be vectors of variables") {
    constexpr auto w = cr::variables<"w", 2>;
    const std::vector<std::array<double, 2>> rows{{1, 2}, {3, -1}, {0.5, 0.25}};
    const auto run = cr::repeat(cr::vector(x[0_c] + w[0_c] * x[1_c], x[1_c] * w[1_c]), cr::state(x), cr::over(w = rows),
                                cr::final_cost(x[0_c] + x[1_c]));
    double a = 0.4, b = -0.2;
    for (const auto& row : rows) {
        a = a + row[0] * b;
        b = b * row[1];
    }
    CHECK(run(start) == a + b);
    CHECK(run.gradient(start)[0] == 1);
    CHECK(run.gradient(start)[1] == Approx(1 + 3 * 2 - 0.5 * 2 - 2 * 0.25).epsilon(1e-14));
}

TEST_CASE("a function says which variables are the state") {
    constexpr auto step = cr::function(cr::vector(x[0_c] + h * x[1_c], x[1_c] - h * p[0_c] * sin(x[0_c])),
                                       cr::wrt(x, p[0_c]), cr::given(h = 0.1));
    const auto run = cr::repeat(step, cr::steps(20), cr::final_cost(dot(x, x)));
    std::array<double, 2> at = start;
    for (int k = 0; k < 20; ++k) at = step(at[0], at[1], 2.0);
    CHECK(run(start, 2.0) == at[0] * at[0] + at[1] * at[1]);
    CHECK(same_bits(run.final_state(start, 2.0), at));

    // Traced by position, in arrays and in structs.
    constexpr auto squares = cr::function<2>([](const auto& q) { return std::array{q[0] * q[1], q[1] - 0.1 * q[0]}; });
    constexpr auto sum = cr::function<2>([](const auto& q) { return q[0] + q[1]; });
    const auto iterated = cr::repeat(squares, cr::steps(3), cr::final_cost(sum));
    at = start;
    for (int k = 0; k < 3; ++k) at = squares(at);
    CHECK(iterated(start) == at[0] + at[1]);
    const auto scalar = cr::repeat(cr::function([](auto z) { return 0.5 * (z + 2.0 / z); }), cr::steps(6));
    CHECK(scalar(1.0)[0] == Approx(std::sqrt(2.0)).epsilon(1e-15));
    CHECK(scalar.jacobian(1.0)[0][0] == Approx(0).margin(1e-15));
}

TEST_CASE("sines, conditions and custom memory of kernels are handed to the way back") {
    // A pair of sine and cosine, a comparison, quotients and calls, all of them in the derivative.
    constexpr auto step = cr::vector(select(x[0_c] < x[1_c], sin(x[0_c]) * cos(x[0_c]), exp(-x[1_c] * x[1_c])),
                                     atan2(x[1_c], 1_c + x[0_c] * x[0_c]) + 0.3_c * sin(x[0_c]));
    for (const std::array<double, 2>& from : {std::array{0.4, -0.2}, std::array{-0.4, 0.9}}) {
        const auto run = cr::repeat(step, cr::state(x), cr::steps(7), cr::final_cost(x[0_c] * x[1_c]));
        const auto one = cr::function(step, cr::wrt(x));
        std::vector<std::array<double, 2>> all{from};
        for (int k = 0; k < 7; ++k) all.push_back(one(all.back()));
        std::array<double, 2> adjoint{all[7][1], all[7][0]};
        for (std::size_t k = 7; k-- > 0;) adjoint = one.vjp(all[k], adjoint);
        const auto found = run.gradient(from);
        for (std::size_t i = 0; i < 2; ++i) CHECK(found[i] == Approx(adjoint[i]).epsilon(1e-13));
        CHECK(
            same_bits(cr::repeat(step, cr::state(x), cr::steps(7), cr::final_cost(x[0_c] * x[1_c]), cr::checkpoints(2))
                          .gradient(from),
                      found));
    }
}

TEST_CASE("floats, and several starts in lanes") {
    const auto of_floats = without_costs().vjp(std::array{0.4f, -0.2f, 2.0f, 0.7f}, std::array{1.0f, 0.0f});
    static_assert(std::same_as<decltype(of_floats), const std::array<double, 4>>); // the parameter is a double
    const auto run = cr::repeat(cr::vector(x[0_c] + 0.1_c * x[1_c], x[1_c] - 0.1_c * sin(x[0_c])), cr::state(x),
                                cr::steps(50), cr::final_cost(x[0_c] * x[1_c]));
    static_assert(std::same_as<decltype(run(1.0f, 2.0f)), float>);
    CHECK(run.gradient(std::array{0.4f, -0.2f})[0] == Approx(run.gradient(start)[0]).epsilon(1e-4));

    using lanes = cr::batches::vector_number<double, 2>;
    std::array<lanes, 2> starts{};
    starts[0].value[0] = 0.4, starts[0].value[1] = -1.1;
    starts[1].value[0] = -0.2, starts[1].value[1] = 0.8;
    const auto both = run.value_and_gradient(starts);
    for (std::size_t lane = 0; lane < 2; ++lane) {
        const auto one = run.value_and_gradient(std::array{starts[0][lane], starts[1][lane]});
        CHECK(both.value[lane] == Approx(one.value).epsilon(1e-12));
        for (std::size_t i = 0; i < 2; ++i) CHECK(both.gradient[i][lane] == Approx(one.gradient[i]).epsilon(1e-12));
    }
}

TEST_CASE("an infinite slope leaves the derivatives that are finite") {
    // Of three steps the first state does not depend on u, the second does by an infinite slope.
    constexpr auto steps = cr::vector(0.5_c * x[0_c], x[1_c] + sqrt(u));
    constexpr std::array at{1.0, 1.0, 0.0}, none{0.0, 0.0, 0.0};
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto run = cr::repeat(steps, cr::state(x), cr::wrt(u), cr::steps(3));
    constexpr std::array<std::array<double, 3>, 2> jacobian{{{0.125, 0.0, 0.0}, {0.0, 1.0, infinity}}};
    CHECK(run.jacobian(at) == jacobian);
    CHECK(run.value_and_jacobian(at).values == std::array{0.125, 1.0});
    CHECK(run.vjp(at, std::array{2.0, 0.0}) == std::array{0.25, 0.0, 0.0});
    CHECK(run.vjp(at, std::array{2.0, -1.0}) == std::array{0.25, -1.0, -infinity});
    CHECK(run.jvp(at, std::array{1.0, 3.0, 0.0}) == std::array{0.125, 3.0});
    CHECK(run.jvp(at, none) == std::array{0.0, 0.0});
    const auto cost = cr::repeat(steps, cr::state(x), cr::wrt(u), cr::steps(3), cr::final_cost(x[0_c] * x[0_c]));
    CHECK(cost.gradient(at) == std::array{0.03125, 0.0, 0.0});
    CHECK(cost.value_and_gradient(at).value == 0.015625);
    CHECK(cost.jvp(at, std::array{1.0, 0.0, 0.0}) == 0.03125);
    // What is infinite or not defined itself stays so.
    CHECK(std::isnan(run.jacobian(std::array{1.0, 1.0, -1.0})[1][2]));
    CHECK(std::isnan(cost.gradient(std::array{std::nan(""), 1.0, 1.0})[0]));
}

} // namespace
