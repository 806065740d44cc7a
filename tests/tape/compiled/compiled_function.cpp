// SPDX-License-Identifier: BSL-1.0
//
// Recordings in machine code: values with the bits of the replay, derivatives, comparisons, layouts of points, long
// programs in several functions, the compiler of the machine and the folder of libraries.
#include "custom_functions.hpp"
#include "sentence.hpp"
#include "tape/private_cache.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

#include <array>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

namespace tape = chainrule::tape;

constexpr auto chained = [](const auto& x) {
    std::remove_cvref_t<decltype(x[0])> s = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) s += x[i] * x[i] * sin(x[i + 1]) + max(x[i], x[i + 1]) / x[0];
    return s;
};
constexpr auto polar = [](const auto& p) {
    using T = std::remove_cvref_t<decltype(p[0])>;
    return std::array<T, 3>{p[0] * cos(p[1]), p[0] * sin(p[1]), T(7.0)};
};
std::vector<double> point_of(std::size_t size, double from) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(from + 0.17 * static_cast<double>(i % 11));
    return x;
}
template <class A, class B>
void close(const A& found, const B& expected) {
    REQUIRE(std::size(found) == std::size(expected));
    for (std::size_t i = 0; i < std::size(found); ++i)
        CHECK(found[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-14));
}

} // namespace

TEST_CASE("a compiled recording has its values and derivatives", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(chained, point_of(4, 0.3));
    auto k = tape::compile(r, cache.options(true));
    CHECK(k.inputs() == 4);
    CHECK(k.outputs() == 1);
    CHECK(k.comparisons() == 0);
    for (const double from : {0.3, -1.0, 5.0}) {
        const std::vector<double> x = point_of(4, from);
        CHECK(k(x) == r(x));
        const auto found = k.value_and_gradient(x);
        CHECK(found.value == r(x));
        close(found.gradient, r.gradient(x));
        close(k.gradient(x), r.gradient(x));
        std::vector<double> into(4);
        CHECK(k.value_and_gradient(x, into) == r(x));
        close(into, r.gradient(x));
        k.gradient(std::span(x), into);
        close(into, r.gradient(x));
        k.values(x, std::span(into).first(1));
        CHECK(into[0] == r(x));
        const auto second = k.hessian(x), expected = r.hessian(x);
        close(second.gradient, expected.gradient);
        for (std::size_t i = 0; i < 4; ++i) close(second.hessian.row(i), expected.hessian.row(i));
        std::vector<double> all(16);
        into.assign(4, 0.0);
        CHECK(k.hessian(x, into, all) == second.value);
        CHECK(into == second.gradient);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) CHECK(all[4 * i + j] == second.hessian(i, j));
        CHECK(sentence_of([&] { (void)k.hessian(x, into, into); }) ==
              "hessian: the recording has 16 elements of the Hessian and 4 are given; give as many as it has");
    }
    auto copy = k;
    CHECK(copy.gradient(point_of(4, 0.5)) == k.gradient(point_of(4, 0.5)));
}

TEST_CASE("points and results of compiled recordings are laid out as those of recordings", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(polar, std::array{2.0, 0.5});
    auto k = tape::compile(r, cache.options());
    const std::array x{1.5, 0.7};
    const auto found = k.value_and_jacobian(x), expected = r.value_and_jacobian(x);
    STATIC_REQUIRE(std::same_as<decltype(found), decltype(expected)>);
    CHECK(found.values == expected.values);
    for (std::size_t i = 0; i < 3; ++i) close(found.jacobian[i], expected.jacobian[i]);
    CHECK(k(x) == r(x));
    CHECK(k.jacobian(std::vector(x.begin(), x.end()))(1, 0) == found.jacobian[1][0]);
    std::array<double, 6> rows{};
    k.jacobian(x, rows);
    CHECK(rows[2] == found.jacobian[1][0]);
    CHECK(k(std::array{1, 2})[0] == r(std::array{1.0, 2.0})[0]);

    auto separate = tape::record([](const auto& a, const auto& b) { return a * exp(b); }, 2.0, 0.0);
    auto compiled = tape::compile(separate, cache.options());
    CHECK(compiled(3.0, 0.0) == 3.0);
    CHECK(compiled.gradient(3.0, 0.0) == std::array{1.0, 3.0});
    CHECK(sentence_of([&] { (void)k(std::vector{1.0}); }) ==
          "replay: the recording has 2 numbers in its point and 1 are given; give as many as it has");
    CHECK(sentence_of([&] { k.jacobian(x, std::span(rows).first(2)); }) ==
          "jacobian: the recording has 6 elements of the Jacobian and 2 are given; give as many as it has");
    CHECK(sentence_of([&] { (void)compiled.hessian(1.0, 2.0); }) ==
          "hessian: second derivatives were not compiled; ask for them: compile(r, {.hessians = true})");
    CHECK(sentence_of([&] { (void)tape::compile(r, cache.options(true)); }) ==
          "compile: .hessians = true, but the function returns a list of numbers, which has no Hessian; leave it out, "
          "or return one number");
}

TEST_CASE("a compiled recording multiplies its derivatives with directions and weights", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto options = cache.options(true);
    options.products = true;
    const auto f = [](const auto& x) {
        auto y = x[0] * x[1] * sin(x[2]);
        if (x[3] > 0.0) y = y / (1.0 + exp(-x[3] * x[1]));
        return y;
    };
    const std::vector x{0.3, -0.7, 1.1, 0.4}, direction{1.0, -0.5, 0.25, 2.0};
    auto r = tape::record(f, x);
    auto k = tape::compile(r, options);
    CHECK(k.jvp(x, direction) == Approx(r.jvp(x, direction)).epsilon(1e-13));
    close(k.vjp(x, 2.0), r.vjp(x, 2.0));
    close(k.hvp(x, direction), r.hvp(x, direction));
    tape::matrix<double> several(3, 4);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) several(i, j) = 0.5 * static_cast<double>(i) - static_cast<double>(j);
    const auto rows = k.hvp(x, several), expected = r.hvp(x, several);
    for (std::size_t i = 0; i < 3; ++i) close(rows.row(i), expected.row(i));
    CHECK(k.jvp(x, several)(1, 0) == Approx(r.jvp(x, several)(1, 0)));
    std::vector<double> to(4), changed(x);
    k.hvp(x, direction, to);
    CHECK(to == k.hvp(x, direction));
    k.vjp(x, std::array{2.0}, to);
    CHECK(to == k.vjp(x, 2.0));
    changed[3] = -1.0;
    CHECK_THROWS_AS(k.hvp(changed, direction, to), tape::comparison_changed);
    CHECK(to == k.vjp(x, 2.0));
    CHECK(sentence_of([&] { (void)k.hvp(x, std::vector{1.0}); }) ==
          sentence_of([&] { (void)r.hvp(x, std::vector{1.0}); }));

    auto several_values = tape::record(polar, std::array{2.0, 0.5});
    options.hessians = false;
    auto compiled = tape::compile(several_values, options);
    const std::array at{1.5, 0.7}, along{0.5, -2.0};
    const std::array weights{1.0, 2.0, 3.0};
    const auto tangents = compiled.jvp(at, along);
    STATIC_REQUIRE(std::same_as<decltype(tangents), const std::array<double, 3>>);
    close(tangents, several_values.jvp(at, along));
    close(compiled.vjp(at, weights), several_values.vjp(at, weights));
    CHECK(
        sentence_of([&] { (void)tape::compile(r, cache.options()).jvp(x, direction); }) ==
        "jvp: products were not compiled; ask for them: compile(r, {.products = true}), and .hessians for those of the "
        "Hessian");
}

TEST_CASE("a compiled recording finds out that a comparison changes", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto branching = [](const auto& x) {
        auto y = x[0] * x[1];
        if (y > 2.0 && !(x[0] == 1.0)) y = log(y);
        for (double i = 0; i < value(floor(x[1])); i += 1) y += x[0];
        return y;
    };
    auto r = tape::record(branching, std::array{2.0, 3.5});
    auto k = tape::compile(r, cache.options(true));
    CHECK(k.comparisons() == r.comparisons());
    for (const std::array<double, 2>& x : {std::array{2.5, 3.9}, std::array{0.7, 3.0}}) {
        CHECK(k(x) == r(x));
        close(k.gradient(x), r.gradient(x));
        close(k.hessian(x).hessian[1], r.hessian(x).hessian[1]);
    }
    for (const std::array<double, 2>& x : {std::array{0.2, 3.5}, std::array{1.0, 3.5}, std::array{2.0, 4.5}}) {
        const std::string expected = sentence_of([&] { (void)r(x); });
        CHECK(contains(expected, "record it again"));
        CHECK(sentence_of([&] { (void)k(x); }) == expected);
        CHECK_THROWS_AS(k.gradient(x), tape::comparison_changed);
        CHECK_THROWS_AS(k.hessian(x), tape::comparison_changed);
    }
}

TEST_CASE("numbers of a recording are compiled as they are", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const double third = 1.0 / 3.0, infinite = std::numeric_limits<double>::infinity();
    const auto f = [=](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        return std::vector<T>{x[0] * third, x[0] + 1e-300,   min(x[0], infinite),           x[0] * -0.0,
                              T(0.1),       x[0] * 4.9e-324, x[0] + 1.7976931348623157e308, x[0]};
    };
    auto r = tape::record(f, std::array{2.0});
    auto k = tape::compile(r, cache.options());
    for (const double at : {2.0, -7.25, 0.0}) {
        const std::vector<double> found = k(std::array{at}), expected = r(std::array{at});
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CAPTURE(i);
            CHECK(found[i] == expected[i]);
            CHECK(std::signbit(found[i]) == std::signbit(expected[i]));
        }
    }
}

TEST_CASE("long programs become several functions", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto recurrent = [](const auto& x) {
        auto a = x[0], b = x[1];
        auto kept = a * b;
        for (int i = 0; i < 400; ++i) {
            const auto c = select(a < b, sin(a) * b, cos(a) + 0.3 * b);
            b = a * 0.7 + x[2] / (2.0 + b * b);
            a = c;
            if (i % 50 == 0) kept = kept + a * cos(b);
        }
        return a * b + kept;
    };
    auto r = tape::record(recurrent, std::array{0.3, 0.4, 0.5});
    const std::string text = tape::to_c(r);
    CHECK(contains(text, "f_part_2(in, numbers, out, memory);"));
    auto k = tape::compile(r, cache.options());
    for (const double at : {0.3, -0.8, 2.0}) {
        const std::array x{at, 0.4, 0.5};
        CHECK(k(x) == r(x));
        const auto found = k.gradient(x), expected = r.gradient(x);
        for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-9));
    }
}

TEST_CASE("libraries are kept, and compiled once", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(polar, std::array{2.0, 0.5});
    {
        const auto first = tape::compile(r, cache.options());
        CHECK(!first.was_kept());
        CHECK(first.compile_seconds() > 0);
        CHECK(cache.size() == 1); // and no folder in which it was compiled
        auto again = tape::compile(r, cache.options());
        CHECK(again.was_kept());
        CHECK(again(std::array{1.0, 0.0})[0] == 1.0);
        CHECK(cache.size() == 1);
    }
    // The same folder, which is made if it is not there, by another name of it.
    tape::compile_options within = cache.options();
    within.cache = (cache.path() / "made" / "").string();
    CHECK(!tape::compile(r, within).was_kept());
    CHECK(std::filesystem::status(cache.path() / "made").permissions() == std::filesystem::perms::owner_all);
    std::filesystem::remove_all(cache.path() / "made");
    // Other flags or second derivatives are another library.
    tape::compile_options other = cache.options();
    other.flags.emplace_back("-O2");
    CHECK(!tape::compile(r, other).was_kept());
    CHECK(cache.size() == 2);
    // A file that is not a library is compiled again.
    for (const auto& each : std::filesystem::directory_iterator(cache.path()))
        std::ofstream(each.path()) << "no library";
    CHECK(!tape::compile(r, cache.options()).was_kept());
    CHECK(tape::compile(r, cache.options()).was_kept());

    tape::compile_options unkept;
    unkept.flags = {"-O0"};
    unkept.keep = false;
    CHECK(tape::compile(r, unkept)(std::array{1.0, 0.0})[0] == 1.0);
}

TEST_CASE("a kept library that is damaged is compiled again", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(polar, std::array{2.0, 0.5});
    const auto was_kept = [&] {
        auto k = tape::compile(r, cache.options());
        CHECK(k(std::array{1.0, 0.0})[0] == 1.0);
        return k.was_kept();
    };
    CHECK(!was_kept());
    const std::filesystem::path kept = std::filesystem::directory_iterator(cache.path())->path();
    const std::string whole = tape::libraries::bytes_of(kept);
    // A new file, as a full disk leaves it: the old one may still be loaded.
    const auto becomes = [&](const std::string& bytes) {
        std::filesystem::remove(kept);
        std::ofstream(kept, std::ios::binary) << bytes;
    };
    std::string changed = whole;
    changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
    for (const std::string& damaged : {whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() / 5),
                                       whole.substr(0, 64), std::string(), whole + '\n', changed}) {
        CAPTURE(damaged.size());
        becomes(damaged);
        CHECK(!was_kept());
        CHECK(was_kept());
        CHECK(cache.size() == 1);
    }
    becomes(whole);
    CHECK(was_kept());
    std::filesystem::remove(kept);
    std::filesystem::create_directory(kept); // nothing can be kept at its place
    CHECK(!was_kept());
    CHECK(!was_kept());
    CHECK(cache.size() == 1);
}

TEST_CASE("exponents of ldexp beyond an int are compiled as they are computed", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record([](const auto& x) { return ldexp(x[0], x[1]) + scalbn(x[0], -x[1]); }, std::array{1.5, 2.0});
    auto k = tape::compile(r, cache.options());
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double n : {2.9, -3.9, 1e10, -1e10, infinity, -infinity}) {
        CAPTURE(n);
        CHECK(k(std::array{1.5, n}) == r(std::array{1.5, n}));
    }
    CHECK(std::isnan(k(std::array{1.5, std::numeric_limits<double>::quiet_NaN()})));
}

TEST_CASE("a program that ignores the ends of its children compiles", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(polar, std::array{2.0, 0.5});
    tape::compile_options wrong = cache.options();
    wrong.flags = {"-fno-such-flag-exists"};
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    CHECK(sentence_of([&] { CHECK(tape::compile(r, cache.options())(std::array{1.0, 0.0})[0] == 1.0); }).empty());
    CHECK(contains(sentence_of([&] { (void)tape::compile(r, wrong); }), "-fno-such-flag-exists"));
    std::signal(SIGCHLD, before);
}

TEST_CASE("a library of fast mathematics leaves subnormal numbers on", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(polar, std::array{2.0, 0.5});
    tape::compile_options fast = cache.options();
    fast.flags = {"-O1", "-ffast-math"};
    const volatile double smallest = 4.9e-324;
    for (int i = 0; i < 2; ++i) { // compiled, and kept
        CHECK(tape::compile(r, fast).was_kept() == (i == 1));
        CHECK(2 * smallest > smallest);
    }
}

TEST_CASE("a failed compilation names its reason and leaves nothing behind", "[tape]") {
    const private_cache cache;
    auto r = tape::record(chained, point_of(2, 0.3));
    tape::compile_options none = cache.options();
    none.compiler = "no-such-compiler; touch /tmp/nothing";
    CHECK(sentence_of([&] { (void)tape::compile(r, none); }) ==
          "compile: there is no C compiler 'no-such-compiler;'; install one, name another, as in compile(r, {.compiler "
          "= \"clang\"}), or replay the recording");
    auto custom = tape::record([](const auto& x) { return outside::cubic_root(x[0]); }, std::array{2.0});
    CHECK(contains(sentence_of([&] { (void)tape::to_c(custom); }), "which has no code in C"));
    auto special = tape::record([](const auto& x) { return lgamma(x[0]); }, std::array{2.0});
    CHECK(sentence_of([&] { (void)tape::compile(special, cache.options()); }) ==
          "compile: the function or its derivatives call 'digamma', which has no code in C; let the code call this "
          "program: compile(r, {.functions = tape::special_functions()}), or replay the recording");
    if (!compiles()) return;
    tape::compile_options wrong = cache.options();
    wrong.flags = {"-fno-such-flag-exists"};
    const std::string said = sentence_of([&] { (void)tape::compile(r, wrong); });
    CHECK(contains(said, "failed with status"));
    CHECK(contains(said, "-fno-such-flag-exists"));
    CHECK_THROWS_AS(tape::compile(r, wrong), tape::compile_error);
    CHECK(cache.size() == 0);
    tape::compile_options open = cache.options();
    open.cache = cache.path() / "open";
    std::filesystem::create_directory(open.cache);
    std::filesystem::permissions(open.cache, std::filesystem::perms::all);
    CHECK(contains(sentence_of([&] { (void)tape::compile(r, open); }), "can be written by others; choose a folder"));
}
