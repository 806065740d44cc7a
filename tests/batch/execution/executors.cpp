// SPDX-License-Identifier: BSL-1.0
//
// Who computes, threads of the library, of <execution> or of OpenMP, does not change a bit.
#include "catch.hpp"

#include <chainrule/batch.hpp>
#include <chainrule/custom_function.hpp>
#if defined(CHAINRULE_TEST_EXECUTION_POLICIES)
#include <chainrule/batch/execution.hpp>
#endif
#if defined(_OPENMP)
#include <chainrule/batch/openmp.hpp>
#endif

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto f = log(x) + a * x * y - sin(y);

struct points {
    std::vector<double> xs, ys;
    explicit points(std::size_t n) : xs(n), ys(n) {
        for (std::size_t i = 0; i < n; ++i) {
            xs[i] = 0.5 + static_cast<double>(i * 7919 % 1000) / 300;
            ys[i] = 1.25 + static_cast<double>(i * 31 % 17) / 4;
        }
    }
};

/// Asks `executor` for sums and batches, and compares with one thread. The counts of points cut into no range, one and
/// several, whole and not.
template <class Executor>
void check(const Executor& executor) {
    constexpr auto F = cr::function(f, cr::wrt(x, y), cr::given(a = 0.75));
    for (const std::size_t n : {0u, 5u, 1024u, 3000u, 123'457u}) {
        const points p(n);
        const auto data = cr::over(x = p.xs, y = p.ys);
        const auto expected = cr::sum(f, data, cr::wrt(a)).value_and_gradient(0.75);
        const auto found = cr::sum(f, data, cr::wrt(a), executor).value_and_gradient(0.75);
        CHECK(found.value == expected.value);
        CHECK(found.gradient == expected.gradient);

        const auto in = cr::columns(p.xs, p.ys);
        const auto [value, gradient] = cr::batch(F).value_and_gradient(in);
        std::vector<double> values(n);
        std::vector<std::array<double, 3>> slopes(n); // a stride, and room that is not written
        std::vector<double> along(n);
        const auto b = cr::batch(F, executor);
        b.value_and_gradient(in, values,
                             cr::columns(cr::column(n == 0 ? nullptr : slopes[0].data(), n, 3),
                                         cr::column(n == 0 ? nullptr : slopes[0].data() + 1, n, 3)));
        b.jvp(in, cr::columns(cr::common(1.0), p.xs), along);
        const auto expected_along = cr::batch(F).jvp(in, cr::columns(cr::common(1.0), p.xs));
        bool same = true;
        for (std::size_t i = 0; i < n; ++i)
            same = same && values[i] == value[i] && slopes[i][0] == gradient(i, 0) && slopes[i][1] == gradient(i, 1) &&
                   slopes[i][2] == 0.0 && along[i] == expected_along[i];
        CHECK(same);
    }
}

/// Throws where its argument is large. The message is the argument.
struct limited_function : cr::custom_function<limited_function, 1> {
    static constexpr char name[] = "limited";
    static double value(double v) {
        if (v > 3) throw std::domain_error(std::to_string(static_cast<int>(v)));
        return v * v;
    }
    template <class T>
    static constexpr auto derivative(const T& v, const T&) {
        return 2 * v;
    }
};
constexpr limited_function limited{};

/// What a function of a row throws, on whatever thread, reaches the caller: that of the first row.
template <class Executor>
void check_exceptions(const Executor& executor) {
    constexpr auto F = cr::function(limited(x), cr::wrt(x));
    for (const std::size_t first : {0u, 1'500u, 70'001u, 99'999u}) {
        std::vector<double> xs(100'000, 1.0);
        xs[first] = 4;
        if (first + 100 < xs.size()) xs[first + 100] = 5;
        xs.back() = first + 1 == xs.size() ? 4 : 6;
        CHECK_THROWS_WITH((void)cr::batch(F, executor).values(cr::columns(xs)), "4");
        CHECK_THROWS_WITH((void)cr::sum(limited(x) * a, cr::over(x = xs), cr::wrt(a), executor)(1.0), "4");
    }
}

} // namespace

TEST_CASE("threads do not change a bit of a sum or a batch", "[batch]") {
    for (const unsigned n : {0u, 1u, 2u, 3u, 7u}) check(cr::threads(n));
    for (const unsigned n : {1u, 2u, 3u}) check_exceptions(cr::threads(n));
}

#if defined(CHAINRULE_TEST_EXECUTION_POLICIES)
TEST_CASE("execution policies do not change a bit", "[batch]") {
    check(std::execution::seq);
    check(std::execution::par);
    check(std::execution::par_unseq);
    check_exceptions(std::execution::seq);
    check_exceptions(std::execution::par);
}
#endif

#if defined(_OPENMP)
TEST_CASE("OpenMP does not change a bit", "[batch]") {
    for (const int n : {0, 1, 2, 3}) check(cr::openmp(n));
    check_exceptions(cr::openmp(2));
}
#endif
