// SPDX-License-Identifier: BSL-1.0
//
// Relaxed values of random expressions, in each form: their error stays within a bound that the expression as written
// determines, their derivatives agree with forward mode, and together they take fewer operations than as written.
//
// CHAINRULE_FUZZ_EXPRESSIONS sets the number of expressions (1000), CHAINRULE_FUZZ_SEED the first seed (1).
#include "catch.hpp"

#include "random_expression.hpp"

#include <cstdlib>
#include <string>

namespace reference {

/// A number with the bound of docs/how-it-works.md#relaxed-values for its error, in units of the roundoff, and the sum
/// of the magnitudes of its terms.
struct bounded {
    long double value = 0;
    long double magnitude = 0;
    long double error = 0;

    bounded() = default;
    bounded(long double v) : value(v), magnitude(std::abs(v)), error(0) {}
    bounded(long double v, long double m, long double propagated) : value(v), magnitude(m), error(propagated + m) {}

    friend bounded operator-(const bounded& a) {
        bounded r = a;
        r.value = -a.value;
        return r;
    }
    friend bounded operator+(const bounded& a, const bounded& b) {
        return {a.value + b.value, a.magnitude + b.magnitude, a.error + b.error};
    }
    friend bounded operator-(const bounded& a, const bounded& b) { return a + -b; }
    friend bounded operator*(const bounded& a, const bounded& b) {
        return {a.value * b.value, a.magnitude * b.magnitude, a.error * b.magnitude + a.magnitude * b.error};
    }
    friend bounded operator/(const bounded& a, const bounded& b) {
        const long double d = std::abs(b.value), m = a.magnitude / d;
        return {a.value / b.value, m, (a.error + m * b.error) / d};
    }
    friend bounded operator*(chainrule::irrational c, const bounded& a) { return bounded(c.as<long double>()) * a; }
    friend bool operator==(const bounded& a, const bounded& b) { return a.value == b.value; }
    friend auto operator<=>(const bounded& a, const bounded& b) { return a.value <=> b.value; }
};

// An argument is rounded once more, since its terms may be added in another order.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    inline bounded NAME(const bounded& x) {                                                                            \
        const long double r = chainrule::evaluation::NAME(x.value);                                                    \
        const long double by_x = chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, r);          \
        return {r, std::abs(r), std::abs(by_x) * (x.error + x.magnitude) + cmath_error * std::abs(r)};                 \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    inline bounded NAME(const bounded& x, const bounded& y) {                                                          \
        const long double r = chainrule::evaluation::NAME(x.value, y.value);                                           \
        const long double by_x = chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, y.value, r); \
        const long double by_y = chainrule::functions::derivative<1, chainrule::functions::NAME>(x.value, y.value, r); \
        return {r, std::abs(r),                                                                                        \
                std::abs(by_x) * (x.error + x.magnitude) + std::abs(by_y) * (y.error + y.magnitude) +                  \
                    cmath_error * std::abs(r)};                                                                        \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    inline bounded NAME(const bounded& x, const bounded& y, const bounded& z) {                                        \
        const long double r = chainrule::evaluation::NAME(x.value, y.value, z.value);                                  \
        const long double by_x =                                                                                       \
            chainrule::functions::derivative<0, chainrule::functions::NAME>(x.value, y.value, z.value, r);             \
        const long double by_y =                                                                                       \
            chainrule::functions::derivative<1, chainrule::functions::NAME>(x.value, y.value, z.value, r);             \
        const long double by_z =                                                                                       \
            chainrule::functions::derivative<2, chainrule::functions::NAME>(x.value, y.value, z.value, r);             \
        return {r, std::abs(r),                                                                                        \
                std::abs(by_x) * (x.error + x.magnitude) + std::abs(by_y) * (y.error + y.magnitude) +                  \
                    std::abs(by_z) * (z.error + z.magnitude) + cmath_error * std::abs(r)};                             \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

template <>
struct number_from<bounded> {
    static bounded make(const core::coefficient& c) { return bounded(c.as<long double>()); }
};

} // namespace reference

namespace {

using namespace reference;

unsigned long long setting(const char* name, unsigned long long standard) {
    const char* const text = std::getenv(name);
    return text == nullptr ? standard : std::strtoull(text, nullptr, 10);
}

random_expression expression_of(unsigned long long seed) {
    return {seed, seed % 100 == 99 ? 300 : 6 + static_cast<int>(seed % 50), seed % 2 == 0};
}

/// A request of an expression with all outputs relaxed.
differentiate::problem derive(const random_expression& e, unsigned request, graph::relaxed_form form) {
    differentiate::problem p;
    graph::lowering l(p.g);
    for (std::size_t v = 0; v < e.variables.size(); ++v) (void)p.g.variable(static_cast<int>(v));
    core::list<graph::term> roots;
    for (const int root : e.lower(p.g)) roots.push_back({0, p.g.call(functions::relaxed::position, root)});
    if (form == graph::relaxed_form::rearranged)
        graph::relax<graph::relaxed_form::rearranged>(l, roots);
    else if (form == graph::relaxed_form::reciprocals)
        graph::relax<graph::relaxed_form::reciprocals>(l, roots);
    else
        graph::relax<graph::relaxed_form::written>(l, roots);
    p.rearranged = form == graph::relaxed_form::rearranged;
    core::list<int> by;
    for (std::size_t v = 0; v < e.variables.size(); ++v) by.push_back(p.g.variable(static_cast<int>(v)));
    p.variable_count = by.size();
    differentiate::derive_requested(p, roots, by, request);
    return p;
}

template <class T>
std::vector<T> converted(const std::vector<long double>& from) {
    std::vector<T> to;
    for (const long double v : from) to.push_back(static_cast<T>(v));
    return to;
}

struct statistics {
    long compared = 0;
    long sharp = 0; // comparisons that would see a relative error of 1e-10
    // Operations and calls.
    long written = 0, rearranged = 0, with_reciprocals = 0;
    long written_calls = 0, rearranged_calls = 0;
};

long calls_of(const codegen::code& c) {
    long calls = 0;
    for (const codegen::instruction& s : c.body) calls += s.what == codegen::opcode::call ? 1 : 0;
    return calls;
}
void count(const codegen::code& c, graph::relaxed_form form, statistics& s) {
    if (form == graph::relaxed_form::written) {
        s.written += codegen::cost_of(c);
        s.written_calls += calls_of(c);
    } else if (form == graph::relaxed_form::rearranged) {
        s.rearranged += codegen::cost_of(c);
        s.rearranged_calls += calls_of(c);
    } else {
        s.with_reciprocals += codegen::cost_of(c);
    }
}

std::string difference(long double found, long double expected, long double bound, statistics& s) {
    const long double scale = std::max(std::abs(expected), 1e-3L);
    ++s.compared;
    s.sharp += bound < 1e-10L * scale ? 1 : 0;
    if (std::isfinite(found) && std::abs(found - expected) <= bound + 1e-30L) return {};
    std::ostringstream out;
    out.precision(21);
    out << found << " instead of " << expected << ", where rounding explains " << bound;
    return out.str();
}

/// The gradient of an output as written, in forward mode.
tracked derivative(const random_expression& e, std::size_t output, std::size_t variable) {
    std::vector<dual<tracked>> at, numbers;
    for (const long double x : e.variables) at.push_back(dual<tracked>(x));
    for (const long double c : e.numbers) numbers.push_back(dual<tracked>(c));
    at[variable].tangent = tracked(1);
    return e.evaluate<dual<tracked>>(at, numbers)[static_cast<std::size_t>(e.outputs[output])].tangent;
}

std::string fault_of(const random_expression& e, graph::relaxed_form form, statistics& s) {
    differentiate::problem p = derive(e, request::values | request::jacobians, form);
    const int outputs = p.outputs.size();
    codegen::compilation made(std::move(p));
    codegen::run_passes(made, 0);
    const codegen::code& c = made.made;
    count(c, form, s);

    const auto bounds = e.evaluate<bounded>(converted<bounded>(e.variables), converted<bounded>(e.numbers));
    // The numbers of the point as doubles, exactly.
    const auto found = run(c, converted<double>(e.variables), converted<double>(e.numbers), outputs);
    const auto tracked_outputs = run(c, converted<tracked>(e.variables), converted<tracked>(e.numbers), outputs);
    const std::size_t m = e.outputs.size(), n = e.variables.size();
    for (std::size_t k = 0; k < m; ++k) {
        const bounded& b = bounds[static_cast<std::size_t>(e.outputs[k])];
        if (const std::string d =
                difference(static_cast<long double>(found[k]), b.value, 4 * 0x1p-53L * (b.error + b.magnitude), s);
            !d.empty())
            return "value " + std::to_string(k) + ": " + d;
        for (std::size_t i = 0; i < n; ++i) {
            const tracked& derived = tracked_outputs[m + k * n + i];
            const tracked expected = derivative(e, k, i);
            if (const std::string d =
                    difference(derived.value, expected.value, 8 * 0x1p-64L * (derived.error + expected.error), s);
                !d.empty())
                return "derivative " + std::to_string(i) + " of " + std::to_string(k) + ": " + d;
        }
    }
    return {};
}

} // namespace

TEST_CASE("relaxed values of random expressions stay within the bound of the expression as written", "[fuzz]") {
    const unsigned long long count = setting("CHAINRULE_FUZZ_EXPRESSIONS", 1000);
    const unsigned long long first = setting("CHAINRULE_FUZZ_SEED", 1);
    statistics s;
    int faults = 0;
    for (unsigned long long seed = first; seed < first + count && faults < 5; ++seed) {
        const random_expression e = expression_of(seed);
        for (const auto form :
             {graph::relaxed_form::rearranged, graph::relaxed_form::reciprocals, graph::relaxed_form::written})
            if (const std::string fault = fault_of(e, form, s); !fault.empty()) {
                ++faults;
                FAIL_CHECK("seed " << seed << ", form " << static_cast<int>(form) << ": " << fault << '\n' << e.text());
            }
    }
    CAPTURE(s.compared, s.sharp, s.written, s.rearranged, s.with_reciprocals, s.written_calls, s.rearranged_calls);
    CHECK(s.sharp * 10 > s.compared * 8);
    CHECK(s.rearranged < s.written);
    CHECK(s.with_reciprocals < s.written);
    CHECK(s.rearranged_calls < s.written_calls);
}
