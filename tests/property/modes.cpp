// SPDX-License-Identifier: BSL-1.0
//
// Tape mode and forward mode against other derivatives: random expressions recorded operation by operation, against an
// independent forward mode that bounds its rounding errors. modes.hpp tests each function.
#include "catch.hpp"

#include "random_expression.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

// Constants of kernels come with its digits.
template <>
class std::numeric_limits<reference::tracked> : public std::numeric_limits<long double> {};

namespace reference {

template <class T>
struct number_from<chainrule::tape::active<T>> {
    static chainrule::tape::active<T> make(const core::coefficient& c) { return number_from<T>::make(c); }
};

template <class T>
struct number_from<chainrule::dual<T>> {
    static chainrule::dual<T> make(const core::coefficient& c) { return number_from<T>::make(c); }
};

} // namespace reference

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using reference::random_expression;
using reference::tracked;

template <class T>
std::vector<T> converted(const std::vector<long double>& from) {
    return {from.begin(), from.end()};
}

/// The fault of the derivatives of a random expression, or an empty text. `sharp` counts comparisons that would see
/// 1e-10.
std::string fault_of(const random_expression& e, long& compared, long& sharp) {
    constexpr long double unit = 0x1p-64L, slack = 8;
    using forward = reference::dual<tracked>;
    using library_dual = cr::dual<tracked>;
    const auto numbers = converted<tracked>(e.numbers);
    tape::basic_tape<tracked> t;
    using number = tape::active<tracked>;
    std::vector<number> variables;
    for (const long double v : e.variables) variables.push_back(t.variable(tracked(v)));
    const auto results = e.evaluate<number>(variables, std::vector<number>(numbers.begin(), numbers.end()));
    for (std::size_t i = 0; i < e.variables.size(); ++i) {
        std::vector<forward> at;
        std::vector<library_dual> also_at;
        for (std::size_t j = 0; j < e.variables.size(); ++j) {
            at.emplace_back(tracked(e.variables[j]), tracked(i == j ? 1 : 0));
            also_at.emplace_back(tracked(e.variables[j]), std::array{tracked(i == j ? 1 : 0)});
        }
        std::vector<forward> stored;
        std::vector<library_dual> also_stored;
        for (const tracked& c : numbers) {
            stored.emplace_back(c, tracked());
            also_stored.emplace_back(c);
        }
        const auto expected = e.evaluate<forward>(at, stored);
        const auto found = e.evaluate<library_dual>(also_at, also_stored);
        for (const int output : e.outputs) {
            const auto k = static_cast<std::size_t>(output);
            tracked by_tape;
            if (results[k].is_recorded()) {
                t.backward(results[k]);
                by_tape = variables[i].gradient();
            }
            for (const tracked& g : {by_tape, found[k].tangents[0]}) {
                const tracked& right = expected[k].tangent;
                const long double bound = slack * unit * (g.error + right.error);
                ++compared;
                sharp += bound < 1e-10L * std::max(std::abs(right.value), 1e-3L) ? 1 : 0;
                if (!(std::abs(g.value - right.value) <= bound + 1e-30L)) {
                    std::ostringstream out;
                    out.precision(21);
                    out << g.value << " instead of " << right.value << ", where rounding explains " << bound;
                    return out.str();
                }
            }
        }
    }
    return {};
}

} // namespace

TEST_CASE("tape mode and forward mode agree with an independent forward mode on random expressions", "[modes]") {
    long compared = 0, sharp = 0;
    for (unsigned long long seed = 1; seed <= 4000; ++seed) {
        const random_expression e(seed, 6 + static_cast<int>(seed % 50));
        const std::string fault = fault_of(e, compared, sharp);
        if (fault.empty()) continue;
        FAIL("seed " << seed << ": " << fault << '\n' << e.text());
    }
    CAPTURE(compared, sharp);
    CHECK(sharp * 10 > compared * 9);
}
