// SPDX-License-Identifier: BSL-1.0
//
// batch(F).newton: the root of every problem is that of newton() for this problem alone, whichever problems stand
// beside it, and a search that fails has its status.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/batch.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;
using cr::root_status;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;
constexpr auto e = cr::variable<"e">;

constexpr auto kepler = x - e * sin(x) - k;
constexpr auto K = cr::function(kepler, cr::wrt(x), cr::given(e = 0.0, k = 0.0));

constexpr std::size_t lanes = cr::batches::lane_count<cr::batches::widest<double>>;
constexpr std::size_t counts[] = {0, 1, lanes - 1, lanes, lanes + 1, 1000};

struct orbits {
    std::vector<double> es, ks, starts;
    explicit orbits(std::size_t n) : es(n), ks(n), starts(n) {
        for (std::size_t i = 0; i < n; ++i) {
            es[i] = i % 5 == 0 ? 0.99 : 0.01 * static_cast<double>(i * 37 % 99);
            ks[i] = 0.003 * static_cast<double>(1 + i * 61 % 1047);
            starts[i] = ks[i] + 0.85 * es[i];
        }
    }
    [[nodiscard]] auto columns() const { return cr::columns(x = starts, e = es, k = ks); }
};

// A chain of unknowns, each between its neighbours.
constexpr auto chain = cr::variables<"u", 12>;
template <std::size_t I>
constexpr auto at_place() {
    if constexpr (I < 12)
        return chain[boost::hana::size_c<I>];
    else
        return 0_c;
}
template <std::size_t I>
constexpr auto balance() {
    return 2_c * at_place<I>() + 0.01 * pow(at_place<I>(), 3_c) - k - at_place<I - 1>() - at_place<I + 1>();
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
void check_near(double found, double expected) {
    CHECK(std::abs(found - expected) <= 1e-14 * (1 + std::abs(expected)));
}

} // namespace

TEST_CASE("newton in lanes: Kepler's equation, against newton() one by one") {
    for (const std::size_t n : counts) {
        const orbits all(n);
        const auto roots = cr::batch(K).newton(all.columns());
        REQUIRE(roots.size() == n);
        CHECK(roots.all_converged());
        for (std::size_t i = 0; i < n; ++i) {
            const auto one = cr::try_newton(kepler, x, all.starts[i], e = all.es[i], k = all.ks[i]);
            REQUIRE(one.converged());
            // The conditioning of the root next to the perihelion.
            const double slope = 1 - all.es[i] * std::cos(one.value);
            CHECK(std::abs(roots(i) - one.value) <= 2e-15 * (1 + std::abs(one.value)) / slope);
            CHECK(std::abs(roots.iterations(i) - one.iterations) <= 2); // rounding decides the last
            CHECK(roots.residual(i) < 1e-6);
        }
    }
}

TEST_CASE("newton in lanes: a root does not depend on other problems, the count, memory and threads") {
    const orbits all(1000);
    const auto roots = cr::batch(K).newton(all.columns());
    for (const std::size_t n : counts) {
        const orbits first(n);
        const auto some = cr::batch(K).newton(first.columns());
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(same_bits(some(i), roots(i)));
            CHECK(some.iterations(i) == roots.iterations(i));
        }
    }
    // Each problem between 700 others, and in other memory.
    std::vector<double> rows;
    for (std::size_t i = 300; i < 1000; ++i) rows.insert(rows.end(), {all.es[i], all.starts[i], all.ks[i]});
    const auto strided = [&](std::size_t j) { return cr::column(rows.data() + j, 700, 3); };
    const std::vector<double> before = rows;
    std::vector<double> found(2 * 700);
    const auto ends = cr::batch(K).newton(cr::columns(e = strided(0), x = strided(1), k = strided(2)),
                                          cr::column(found.data(), 700, 2), cr::threads(3));
    CHECK(ends.all_converged());
    CHECK(rows == before);
    for (std::size_t i = 0; i < 700; ++i) {
        CHECK(same_bits(found[2 * i], roots(i + 300)));
        CHECK(found[2 * i + 1] == 0);
    }
    // Many tasks on several threads: progress is reported in order.
    const orbits many(20000);
    std::size_t reports = 0, last = 0;
    const auto alone = cr::batch(K).newton(many.columns());
    const auto together = cr::batch(K).newton(many.columns(), cr::threads(4), cr::report([&](std::size_t done) {
                                                  CHECK(done > last);
                                                  last = done;
                                                  ++reports;
                                              }));
    CHECK(reports >= 1);
    CHECK(last == 20000);
    bool equal = true;
    for (std::size_t i = 0; i < 20000; ++i) equal = equal && same_bits(alone(i), together(i));
    CHECK(equal);
}

TEST_CASE("newton in lanes: problems that fail have their status and influence no other") {
    const auto log_of = cr::batch(cr::function(log(x) + k, cr::wrt(x), cr::given(k = 1.0)));
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
    const std::vector<double> starts = {0.3, -1.0, 0.5, nan, 5.0, infinite, 0.0, 0.4};
    const auto roots = log_of.newton(cr::columns(starts));
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto one = cr::try_newton(log(x) + 1_c, x, starts[i]);
        CHECK(roots.status(i) == one.status);
        CHECK(std::abs(roots.iterations(i) - one.iterations) <= 2);
        if (one.converged()) check_near(roots(i), std::exp(-1.0));
    }
    CHECK(roots.count(root_status::converged) == 3);
    CHECK_FALSE(roots.all_converged());

    // No root; a start where the function is flat; a flat function.
    const auto none = cr::batch(cr::function(x * x + 1_c, cr::wrt(x))).newton(std::vector{0.5, 0.0, 2.0});
    CHECK(none.status(0) == root_status::no_convergence);
    CHECK(none.iterations(0) == 100);
    CHECK(none.status(1) == root_status::no_slope);
    CHECK(none.status(2) == root_status::no_convergence);
    const auto flat = cr::batch(cr::function(k + 0_c * x + pow(x, 3_c) * 0_c, cr::wrt(x), cr::given(k = 2.0)));
    CHECK(flat.newton(std::vector{1.0}).status(0) == root_status::no_slope);
    // An infinite start, where the slope is 0; steps away from a pole beside which a step ended.
    const auto inverse = cr::batch(cr::function(1_c / x - k, cr::wrt(x), cr::given(k = 2.0)));
    for (const auto& found : {inverse.newton(std::vector{infinite}), inverse.newton(std::vector{infinite}, cr::damped)})
        CHECK(found.status(0) == root_status::no_slope);
    for (int i = 1; i < 100; ++i) {
        const double a = 0.1 * i, start = 2.0 / a;
        const std::array starts_of_a{start};
        const auto found = inverse.newton(cr::columns(x = starts_of_a, k = a));
        const auto one = cr::try_newton(1_c / x - k, x, start, k = a);
        CAPTURE(a, found(0));
        CHECK(found.status(0) == one.status);
        CHECK((!found.converged(0) || std::abs(found(0) * a - 1.0) < 1e-14));
    }
    // A parameter that is NaN.
    const std::vector<double> ks = {1.0, nan, 2.0};
    const auto with_nan = log_of.newton(cr::columns(x = 0.2, k = ks));
    CHECK(with_nan.converged(0));
    CHECK(with_nan.status(1) == root_status::not_finite);
    check_near(with_nan(2), std::exp(-2.0));
}

TEST_CASE("newton in lanes: systems, whose pivots each lane chooses") {
    constexpr auto g = cr::vector(x * x + y * y - k * k, x - 2_c * y);
    const auto F = cr::function(g, cr::wrt(x, y), cr::given(k = 1.0));
    for (const std::size_t n : counts) {
        std::vector<double> ks(n), xs(n), ys(n);
        for (std::size_t i = 0; i < n; ++i) {
            ks[i] = 0.01 + 0.1 * static_cast<double>(i % 17);
            xs[i] = i % 3 == 0 ? 0.01 : 1 + 0.2 * static_cast<double>(i % 5); // 0.01: the rows are exchanged
            ys[i] = i % 7 == 0 ? 0.0 : 1.0;
        }
        const auto roots = cr::batch(F).newton(cr::columns(x = xs, y = ys, k = ks));
        for (std::size_t i = 0; i < n; ++i) {
            const auto one = cr::try_newton(g, cr::wrt(x, y), std::array{xs[i], ys[i]}, k = ks[i]);
            REQUIRE(roots.status(i) == one.status);
            check_near(roots(i, 0), one.value[0]);
            check_near(roots(i, 1), one.value[1]);
        }
    }
    // The first pivot is 0 everywhere, and a singular system stands between others.
    const auto S = cr::function(cr::vector(y - k, x * k - 3_c), cr::wrt(x, y), cr::given(k = 1.0));
    const std::vector<double> ks = {1.0, 0.0, 3.0, 4.0, 5.0};
    const auto roots = cr::batch(S).newton(cr::columns(x = 0.0, y = 0.0, k = ks));
    for (const std::size_t i : {0u, 2u, 3u, 4u}) {
        CHECK(roots.converged(i));
        CHECK(roots(i, 0) == 3 / ks[i]);
        CHECK(roots(i, 1) == ks[i]);
    }
    CHECK(roots.status(1) == root_status::no_slope);
}

TEST_CASE("newton in lanes: six unknowns") {
    constexpr auto u = cr::variables<"u", 6>;
    constexpr auto row = [](auto a, auto b, auto c, auto d) {
        return a * a * a + 4_c * a + 0.5_c * b + 0.25_c * d * c - k;
    };
    constexpr auto F = cr::function(cr::vector(row(u[0_c], u[1_c], u[2_c], 0_c), row(u[1_c], u[2_c], u[3_c], 1_c),
                                               row(u[2_c], u[3_c], u[4_c], 2_c), row(u[3_c], u[4_c], u[5_c], 3_c),
                                               row(u[4_c], u[5_c], u[0_c], 4_c), row(u[5_c], u[0_c], u[1_c], 5_c)),
                                    cr::wrt(u), cr::given(k = 1.0));
    const std::vector<double> ks = {1.0, 2.0, 3.5, 0.5, 7.0, 1.5, 2.5, 9.0, 4.0};
    const auto roots = cr::batch(F).newton(
        cr::columns(u[0_c] = 1.0, u[1_c] = 0.9, u[2_c] = 0.8, u[3_c] = 0.7, u[4_c] = 0.6, u[5_c] = 0.5, k = ks),
        cr::damped);
    for (std::size_t i = 0; i < ks.size(); ++i) {
        REQUIRE(roots.converged(i));
        std::array<double, 6> at;
        for (std::size_t j = 0; j < 6; ++j) at[j] = roots(i, j);
        auto one = F;
        one.set(k = ks[i]);
        for (const double g : one(at)) CHECK(std::abs(g) < 1e-13 * ks[i]);
    }
}

// Where all unknowns had to be at rest in the same step, 3 of these 40 went on for ever: rounding moves some of them.
TEST_CASE("newton in lanes: twelve unknowns come to rest one by one") {
    constexpr auto all = std::make_index_sequence<12>{};
    constexpr auto g = []<std::size_t... I>(std::index_sequence<I...>) { return cr::vector(balance<I>()...); }(all);
    std::vector<double> ks(40);
    for (std::size_t i = 0; i < ks.size(); ++i) ks[i] = 0.2 + 0.05 * static_cast<double>(i);
    const auto roots = [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto F = cr::function(g, cr::wrt(chain), cr::given(k = 1.0));
        return cr::batch(F).newton(cr::columns((chain[boost::hana::size_c<I>] = 0.5)..., k = ks));
    }(all);
    CHECK(roots.all_converged());
    std::array<double, 12> start;
    start.fill(0.5);
    for (std::size_t i = 0; i < ks.size(); ++i) {
        const auto one = cr::try_newton(g, chain, start, k = ks[i]);
        REQUIRE(one.converged());
        for (std::size_t j = 0; j < 12; ++j) check_near(roots(i, j), one.value[j]);
    }
}

// Where one unknown is at its root exactly, the Jacobian is singular while the other still moves.
TEST_CASE("newton in lanes: double roots of two unknowns") {
    constexpr auto g = cr::vector(square(x - 1_c), square(y - 1_c));
    std::vector<double> xs, ys;
    for (double from = 1.1; from < 2; from += 0.1)
        for (double other = 1.1; other < 2; other += 0.1) {
            xs.push_back(from);
            ys.push_back(other);
        }
    const auto search = cr::batch(cr::function(g, cr::wrt(x, y)));
    const auto full = search.newton(cr::columns(x = xs, y = ys)),
               damped = search.newton(cr::columns(x = xs, y = ys), cr::damped);
    CHECK(full.all_converged());
    CHECK(damped.all_converged());
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const auto one = cr::try_newton(g, cr::wrt(x, y), std::array{xs[i], ys[i]});
        REQUIRE(one.converged());
        for (std::size_t j = 0; j < 2; ++j) {
            CHECK(std::abs(one.value[j] - 1) < 1e-7);
            CHECK(std::abs(full(i, j) - 1) < 1e-7);
        }
    }
    // Far from a root, a singular Jacobian has its status still.
    CHECK(cr::try_newton(g, cr::wrt(x, y), std::array{1.0, 2.0}).status == root_status::no_slope);
}

// At the root x rests and y is 0 but for rounding, of which each step takes a thousandth.
TEST_CASE("newton in lanes: an unknown that is zero rests where steps shrink slowly") {
    const auto g = cr::vector(x - 1.0 - 1e-3 * y, y * (1.0 + x) - sin(x * k) + sin(k));
    std::vector<double> ks, xs, ys;
    for (double of_k = 0.2; of_k < 3; of_k += 0.3)
        for (double from = 0.1; from < 2; from += 0.3)
            for (double other = -0.9; other < 1; other += 0.3) {
                ks.push_back(of_k);
                xs.push_back(from);
                ys.push_back(other);
            }
    const auto search = cr::batch(cr::function(g, cr::wrt(x, y), cr::given(k = 1.0)));
    const auto full = search.newton(cr::columns(x = xs, y = ys, k = ks)),
               damped = search.newton(cr::columns(x = xs, y = ys, k = ks), cr::damped);
    CHECK(full.all_converged());
    CHECK(damped.all_converged());
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const auto one = cr::try_newton(g, cr::wrt(x, y), std::array{xs[i], ys[i]}, k = ks[i]);
        CHECK(one.converged());
        CHECK(std::abs(one.value[0] - 1) + std::abs(one.value[1]) < 1e-14);
        CHECK(std::abs(full(i, 0) - 1) + std::abs(full(i, 1)) < 1e-14);
        CHECK(std::abs(damped(i, 0) - 1) + std::abs(damped(i, 1)) < 1e-14);
    }
}

TEST_CASE("newton in lanes: damped searches reach roots that full steps miss") {
    const auto arc = cr::batch(cr::function(cr::atan(x) - k, cr::wrt(x), cr::given(k = 0.0)));
    const std::vector<double> starts = {0.5, 1.5, 3.0, -10.0, 1e3};
    const auto full = arc.newton(starts), damped = arc.newton(starts, cr::damped);
    CHECK(full.count(root_status::converged) == 1);
    CHECK(damped.all_converged());
    for (std::size_t i = 0; i < starts.size(); ++i) CHECK(std::abs(damped(i)) < 1e-300);
    // Steps out of the domain are halved.
    const auto logarithm = cr::batch(cr::function(log(x) + 1_c, cr::wrt(x)));
    const auto from_afar = logarithm.newton(std::vector{0.3, 5.0, 1e4, -1.0}, cr::damped);
    for (std::size_t i = 0; i < 3; ++i) check_near(from_afar(i), std::exp(-1.0));
    CHECK(from_afar.status(3) == root_status::not_finite);
    // Rounding hides a double root: it ends there as without damping.
    const auto twice = cr::batch(cr::function((x - 1_c) * (x - 1_c), cr::wrt(x)));
    CHECK(std::abs(twice.newton(std::vector{3.0}, cr::damped)(0) - 1) < 1e-7);
    CHECK(twice.newton(std::vector{3.0}, cr::damped).all_converged());
    // Without a root it ends near the minimum of |g|.
    const auto none = cr::batch(cr::function(x * x + 1_c, cr::wrt(x))).newton(std::vector{0.5}, cr::damped);
    CHECK(none.status(0) == root_status::no_convergence);
    CHECK(std::abs(none(0)) < 0.1);
}

TEST_CASE("newton in lanes: options, and floats") {
    const orbits all(50);
    const auto rough = cr::batch(K).newton(all.columns(), cr::newton_options{.tolerance = 1e-3, .iterations = 100});
    const auto fine = cr::batch(K).newton(all.columns());
    int saved = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        CHECK(std::abs(rough(i) - fine(i)) <= 1e-3 * fine(i));
        saved += fine.iterations(i) - rough.iterations(i);
    }
    CHECK(saved >= 50);
    const auto short_of = cr::batch(K).newton(all.columns(), cr::newton_options{.iterations = 2});
    CHECK(short_of.count(root_status::no_convergence) > 0);
    for (std::size_t i = 0; i < 50; ++i) CHECK(short_of.iterations(i) <= 2);

    const std::vector<float> ks = {0.1f, 1.0f, 2.0f, 3.0f, 0.5f};
    const auto floats = cr::batch(K).newton(cr::columns(x = 1.5f, e = 0.5f, k = ks));
    static_assert(std::is_same_v<decltype(floats(0)), const float&>);
    for (std::size_t i = 0; i < ks.size(); ++i)
        CHECK(std::abs(floats(i) - static_cast<float>(cr::newton(kepler, x, 1.5, e = 0.5, k = double{ks[i]}))) < 1e-6f);
}

TEST_CASE("newton in lanes: columns are checked before anything is computed") {
    const std::vector<double> starts = {1.0, 1.0, 1.0}, ks = {1.0, 1.0};
    std::vector<double> roots(3, -7.0);
    const auto b = cr::batch(K);
    CHECK(sentence_of([&] { b.newton(cr::columns(x = starts, k = ks), roots); }) ==
          "batch: the column of k has 2 numbers and the column of x has 3; give columns of equal length");
    std::vector<double> few(2, -7.0);
    CHECK(contains(sentence_of([&] { b.newton(cr::columns(x = starts), few); }), "the output column 1 has 2 numbers"));
    std::vector<double> own = starts;
    CHECK(contains(sentence_of([&] { b.newton(cr::columns(x = own), own); }), "overlaps the column of x"));
    CHECK(roots == std::vector(3, -7.0));
    CHECK(few == std::vector(2, -7.0));
    CHECK(own == starts);
}
