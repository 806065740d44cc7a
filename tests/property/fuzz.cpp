// SPDX-License-Identifier: BSL-1.0
//
// Fuzz test: the compiler runs on random expressions at run time, with the same code as at compile time. Values must
// equal the written operations bit for bit; gradients, Hessians and raised expressions must equal forward-mode dual
// numbers within the rounding errors that both sides track. A smaller request must not give a longer program.
//
// CHAINRULE_FUZZ_EXPRESSIONS sets the number of expressions (1000), CHAINRULE_FUZZ_SEED the first seed (1).
#include "catch.hpp"

#include "random_expression.hpp"
#include "steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

namespace {

using namespace reference;

unsigned long long setting(const char* name, unsigned long long standard) {
    const char* const text = std::getenv(name);
    return text == nullptr ? standard : std::strtoull(text, nullptr, 10);
}

// Size increases with the seed's last digits, so that the first failure of a range is a small one.
random_expression expression_of(unsigned long long seed) {
    return {seed, seed % 100 == 99 ? 300 : 6 + static_cast<int>(seed % 50)};
}

/// What differentiate::derive does for types, with the variables in `wrt`. A stated `growth` is that of the first piece
/// of several.
differentiate::problem derive(const random_expression& e, const std::vector<int>& wrt, unsigned request,
                              chainrule::jacobian_mode way = chainrule::jacobian_mode::reverse, int growth = -1) {
    differentiate::problem p;
    core::list<int> by;
    for (const int v : wrt) by.push_back(p.g.variable(v));
    core::list<graph::term> roots;
    for (const int root : e.lower(p.g)) roots.push_back({0, root});
    p.variable_count = static_cast<int>(e.variables.size());
    differentiate::derive_requested(p, roots, by, request, way, growth);
    while (growth < 0 && p.sweep.next >= 0) differentiate::derive_further(p);
    return p;
}

/// The states between evaluations, in memory that stays for the next expressions: if each expression allocated its own,
/// the page faults would take 19 of 20 seconds of this test.
template <int Words>
class kept_states {
public:
    /// Adds what `make` returns. Whether the arrays of the state are large enough.
    template <class Make>
    bool add(const Make& make) {
        if (count_ == memory_.size()) memory_.push_back(std::make_unique<codegen::saved_state<Words>>());
        std::destroy_at(memory_[count_].get());
        ::new (memory_[count_].get()) codegen::saved_state<Words>(make());
        return memory_[count_++]->complete();
    }
    codegen::saved_state<Words>& back() { return *memory_[count_ - 1]; }
    void clear() { count_ = 0; }

private:
    std::vector<std::unique_ptr<codegen::saved_state<Words>>> memory_;
    std::size_t count_ = 0;
};

/// The program, compiled in several evaluations: each bit of `cuts` ends one after a pass, and `most` limits the size
/// of one. Null if the arrays between the evaluations are too small.
template <int Words>
std::unique_ptr<codegen::finished_program<Words / 32>> packed_in(differentiate::problem p, unsigned cuts,
                                                                 const codegen::piece& most) {
    static kept_states<Words> states;
    states.clear();
    const auto advance = [&](int last, const codegen::piece& limits) {
        const codegen::saved_state<Words>& from = states.back();
        return states.add([&] { return codegen::advance(from, last, limits); });
    };
    if (!states.add([&] { return codegen::begin<Words>(std::move(p)); })) return nullptr;
    while (states.back().next == 0)
        if (!advance(1, most)) return nullptr;
    for (int last; last = codegen::end_of_evaluation(states.back().next, cuts), last < codegen::pass_count;)
        if (!advance(last, most)) return nullptr;
    auto made = std::make_unique<codegen::finished_program<Words / 32>>(codegen::finish<Words / 32>(states.back()));
    return made->complete() ? std::move(made) : nullptr;
}

template <class T>
std::vector<T> converted(const std::vector<long double>& from) {
    std::vector<T> to;
    for (const long double v : from) to.push_back(static_cast<T>(v));
    return to;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }

/// One expression with its right answers.
class trial {
public:
    trial(const random_expression& e, unsigned long long seed) : expression(e) {
        std::mt19937_64 random(seed);
        for (std::size_t i = 0; i < expression.variables.size(); ++i) wrt.push_back(static_cast<int>(i));
        std::shuffle(wrt.begin(), wrt.end(), random);
        wrt.resize(1 + random() % wrt.size());

        const auto v =
            expression.evaluate<double>(converted<double>(expression.variables), converted<double>(expression.numbers));
        for (const int output : expression.outputs) values.push_back(v[static_cast<std::size_t>(output)]);
        differentiate();
    }

    random_expression expression;
    std::vector<int> wrt;
    std::vector<double> values;
    std::vector<tracked> gradients, hessians; // in the order of the outputs of differentiate::derive

private:
    void differentiate() {
        using second_order = dual<dual<tracked>>;
        const std::size_t n = wrt.size(), m = expression.outputs.size();
        std::vector<second_order> numbers;
        for (const long double c : expression.numbers) numbers.push_back({dual<tracked>(c), {}});
        gradients.resize(m * n);
        hessians.resize(m * n * (n + 1) / 2);
        for (std::size_t i = 0, entry = 0; i < n; ++i)
            for (std::size_t j = i; j < n; ++j, ++entry) {
                std::vector<second_order> at;
                for (const long double x : expression.variables) at.push_back({dual<tracked>(x), {}});
                at[static_cast<std::size_t>(wrt[i])].value.tangent = tracked(1);
                at[static_cast<std::size_t>(wrt[j])].tangent.value = tracked(1);
                const auto v = expression.evaluate<second_order>(at, numbers);
                for (std::size_t k = 0; k < m; ++k) {
                    const second_order& r = v[static_cast<std::size_t>(expression.outputs[k])];
                    gradients[k * n + i] = r.value.tangent;
                    hessians[k * n * (n + 1) / 2 + entry] = r.tangent.tangent;
                }
            }
    }
};

/// The tolerance of a derivative: the rounding errors of both sides.
constexpr long double unit = 0x1p-64L;
constexpr long double slack = 8;

struct statistics {
    long compared = 0;
    long sharp = 0;                // comparisons that would see an error of 1e-10
    long programs = 0, packed = 0; // how many were also made in arrays, as while compiling
    long unstable = 0;             // comparisons in which the derived code lost 5 digits more than forward mode
};

std::string difference(const tracked& found, const tracked& expected, statistics& s) {
    const long double bound = slack * unit * (found.error + expected.error);
    const long double scale = std::max(std::abs(expected.value), 1e-3L);
    ++s.compared;
    s.sharp += bound < 1e-10L * scale ? 1 : 0;
    s.unstable += found.error > 1e5L * (expected.error + scale) ? 1 : 0;
    if (std::isfinite(found.value) && std::abs(found.value - expected.value) <= bound + 1e-30L) return {};
    std::ostringstream out;
    out.precision(21);
    out << found.value << " instead of " << expected.value << ", where rounding explains " << bound;
    return out.str();
}

/// The fault of a program in the order of constant evaluation, or an empty text: the same steps have to give the same
/// bits as in the order of run time. (In a real constant expression a function of <cmath> may be rounded differently in
/// its last digit: kernel/constant_expressions.cpp.)
std::string fault_of_order(stepper<double>&& program, const std::vector<double>& variables,
                           const std::vector<double>& numbers) {
    const auto in_order = program.run_in_order(variables, numbers), lazily = program.run_lazily(variables, numbers);
    for (std::size_t i = 0; i < in_order.size(); ++i)
        if (!same_bits(in_order[i], lazily[i])) {
            std::ostringstream out;
            out << std::hexfloat << "constant evaluation gives " << lazily[i] << " instead of " << in_order[i];
            return out.str();
        }
    return {};
}

// The room between evaluations.
constexpr int words = 1 << 17;
#if defined(__clang__)
constexpr bool made_by_clang = true;
#else
constexpr bool made_by_clang = false;
#endif

/// The fault of the program for a request, or an empty text.
std::string fault_of(const trial& t, unsigned request, statistics& s,
                     chainrule::jacobian_mode way = chainrule::jacobian_mode::reverse) {
    const random_expression& e = t.expression;
    differentiate::problem p = derive(e, t.wrt, request, way);
    const int outputs = p.outputs.size();
    const std::vector<double> variables = converted<double>(e.variables), numbers = converted<double>(e.numbers);
    // In arrays between the stages, as while compiling, and in one go.
    const auto packed = packed_in<words>(p, 0, {});
    const auto divided = packed_in<words>(derive(e, t.wrt, request, way, 40), ~0u, {40, 200});
    for (int i = 0; i < outputs && outputs > 1; ++i) {
        differentiate::problem alone = p;
        core::list<graph::term> output;
        output.push_back(p.outputs[i]);
        const std::string d = fault_of_order({codegen::schedule(alone.g, output), 1}, variables, numbers);
        if (!d.empty()) return "output " + std::to_string(i) + " alone: " + d;
    }
    const codegen::code c = codegen::schedule(p.g, p.outputs);
    const auto in_double = run(c, variables, numbers, outputs);
    ++s.programs;
    if (packed) {
        ++s.packed;
        const auto of_packed = run(*packed, variables, numbers);
        for (std::size_t i = 0; i < of_packed.size(); ++i)
            if (!same_bits(of_packed[i], in_double[i])) return "packing changes output " + std::to_string(i);
        if (!divided) return "divided evaluations need more room";
        // With clang, the effort of choosing constant factors is so small in an evaluation that a few divided programs,
        // for which it begins anew with each piece, choose others.
        if (!made_by_clang && (divided->size != packed->size || !std::ranges::equal(divided->body, packed->body)))
            return "divided evaluations make another program";
        if (divided->variable_count != packed->variable_count)
            return "divided evaluations count the variables otherwise";
        if (const std::string d = fault_of_order(stepper<double>(*packed), variables, numbers); !d.empty()) return d;
    }
    std::size_t next = 0;
    if ((request & request::values) != 0)
        for (const double value : t.values) {
            if (!same_bits(in_double[next], value)) {
                std::ostringstream out;
                out << std::hexfloat << "value " << in_double[next] << " instead of " << value;
                return out.str();
            }
            ++next;
        }

    const auto found = run(c, converted<tracked>(e.variables), converted<tracked>(e.numbers), outputs);
    if ((request & request::jacobians) != 0)
        for (std::size_t i = 0; i < t.gradients.size(); ++i)
            if (const std::string d = difference(found.at(next++), t.gradients[i], s); !d.empty())
                return "first derivative " + std::to_string(i) + ": " + d;
    if ((request & request::hessians) != 0)
        for (std::size_t i = 0; i < t.hessians.size(); ++i)
            if (const std::string d = difference(found.at(next++), t.hessians[i], s); !d.empty())
                return "second derivative " + std::to_string(i) + ": " + d;
    return next == found.size() ? "" : "the program has another number of outputs";
}

/// The fault of a product of derivatives and the numbers `further`, or an empty text. `expected` gives output i.
template <class Expected>
std::string fault_of_product(const trial& t, unsigned request, const std::vector<long double>& further,
                             std::size_t size, statistics& s, Expected expected) {
    differentiate::problem p = derive(t.expression, t.wrt, request);
    if (p.outputs.size() != static_cast<int>(size)) return "the program has another number of outputs";
    std::vector<long double> inputs = t.expression.variables;
    inputs.insert(inputs.end(), further.begin(), further.end());
    const auto found = run(codegen::schedule(p.g, p.outputs), converted<tracked>(inputs),
                           converted<tracked>(t.expression.numbers), p.outputs.size());
    for (std::size_t i = 0; i < size; ++i)
        if (const std::string d = difference(found.at(i), expected(i), s); !d.empty())
            return "product " + std::to_string(i) + ": " + d;
    return {};
}

/// The fault of Jacobians and Hessians times directions and weights, or an empty text.
std::string fault_of_products(const trial& t, statistics& s) {
    const std::size_t n = t.wrt.size(), m = t.expression.outputs.size(), triangle = n * (n + 1) / 2;
    std::vector<long double> direction, weights;
    for (std::size_t i = 0; i < n; ++i) direction.push_back(0.75L - 0.5L * static_cast<long double>(i));
    for (std::size_t k = 0; k < m; ++k) weights.push_back(1.25L - static_cast<long double>(k));
    const auto sum = [](std::size_t count, auto term) {
        tracked total(0);
        for (std::size_t i = 0; i < count; ++i) total = total + term(i);
        return total;
    };
    // The place of an entry in the upper triangle.
    const auto entry = [n](std::size_t i, std::size_t j) {
        const std::size_t row = std::min(i, j), column = std::max(i, j);
        return row * n - row * (row + 1) / 2 + column;
    };
    std::string fault = fault_of_product(t, request::tangents, direction, m, s, [&](std::size_t k) {
        return sum(n, [&](std::size_t i) { return t.gradients[k * n + i] * tracked(direction[i]); });
    });
    if (fault.empty())
        fault = fault_of_product(t, request::cotangents, weights, n, s, [&](std::size_t i) {
            return sum(m, [&](std::size_t k) { return t.gradients[k * n + i] * tracked(weights[k]); });
        });
    if (fault.empty())
        fault = fault_of_product(t, request::weighted_hessians, weights, triangle, s, [&](std::size_t e) {
            return sum(m, [&](std::size_t k) { return t.hessians[k * triangle + e] * tracked(weights[k]); });
        });
    if (fault.empty() && m == 1)
        fault = fault_of_product(t, request::hessian_products, direction, n, s, [&](std::size_t i) {
            return sum(n, [&](std::size_t j) { return t.hessians[entry(i, j)] * tracked(direction[j]); });
        });
    const auto written = t.expression.evaluate<tracked>(converted<tracked>(t.expression.variables),
                                                        converted<tracked>(t.expression.numbers));
    // Taylor coefficients up to t^2 along the direction: the value, the slope and half the curvature.
    if (fault.empty())
        fault = fault_of_product(
            t, request::taylor_along | differentiate::taylor_order(2), direction, 3 * m, s, [&](std::size_t number) {
                const std::size_t k = number / 3;
                if (number % 3 == 0) return written[static_cast<std::size_t>(t.expression.outputs[k])];
                return number % 3 == 1
                           ? sum(n, [&](std::size_t i) { return t.gradients[k * n + i] * tracked(direction[i]); })
                           : sum(n * n, [&](std::size_t ij) {
                                 const std::size_t i = ij / n, j = ij % n;
                                 return t.hessians[k * triangle + entry(i, j)] *
                                        tracked(direction[i] * direction[j] / 2);
                             });
            });
    return fault;
}

/// The fault of the derivatives as expressions, or an empty text.
std::string fault_of_raised(const trial& t, statistics& s) {
    const random_expression& e = t.expression;
    differentiate::problem p = derive(e, t.wrt, request::jacobians | request::hessians);
    for (int i = 0; i < p.outputs.size(); ++i) {
        detail::raising rows(p.g);
        const int last = rows.run(p.outputs[i]);
        if (last + 1 != rows.rows.size()) return "the last row is not the expression";
        const tracked found = run<tracked>(rows, last, converted<tracked>(e.variables), converted<tracked>(e.numbers));
        const std::size_t k = static_cast<std::size_t>(i), n = t.gradients.size();
        if (const std::string d = difference(found, k < n ? t.gradients[k] : t.hessians[k - n], s); !d.empty())
            return "raised derivative " + std::to_string(i) + ": " + d;
    }
    return {};
}

/// Names a request that takes more operations than a larger one, or than its parts together; empty if there is none.
std::string fault_of_costs(const trial& t) {
    const auto count = [&](unsigned request) {
        differentiate::problem p = derive(t.expression, t.wrt, request);
        return operations_of(codegen::schedule(p.g, p.outputs));
    };
    constexpr unsigned both = request::values | request::jacobians, all = both | request::hessians;
    const int value = count(request::values), gradient = count(request::jacobians), together = count(both);
    const int everything = count(all);
    std::ostringstream out;
    if (gradient > together) out << "gradient " << gradient << " operations, with the value " << together;
    if (together > value + gradient)
        out << "value and gradient " << together << " operations, apart " << value << " and " << gradient;
    for (const unsigned request : {unsigned{request::hessians}, request::jacobians | request::hessians})
        if (const int less = count(request); less > everything)
            out << "request " << request << ' ' << less << " operations, with the value " << everything;
    return out.str();
}

std::string fault_of(const random_expression& e, unsigned long long seed, statistics& s) {
    try {
        const trial t(e, seed);
        for (const unsigned request :
             {unsigned{request::values}, unsigned{request::jacobians}, request::values | request::jacobians,
              unsigned{request::hessians}, request::values | request::jacobians | request::hessians})
            if (const std::string fault = fault_of(t, request, s); !fault.empty())
                return "request " + std::to_string(request) + ": " + fault;
        for (const chainrule::jacobian_mode way :
             {chainrule::jacobian_mode::forward, chainrule::jacobian_mode::cross_country})
            if (const std::string fault = fault_of(t, request::values | request::jacobians, s, way); !fault.empty())
                return (way == chainrule::jacobian_mode::forward ? "forward: " : "elimination: ") + fault;
        if (const std::string fault = fault_of_products(t, s); !fault.empty()) return fault;
        if (const std::string fault = fault_of_costs(t); !fault.empty()) return fault;
        return fault_of_raised(t, s);
    } catch (const std::logic_error& error) {
        return error.what();
    }
}

/// A smaller expression that is wrong in the same way: operations are left out while that lasts.
random_expression shrunk(random_expression e, unsigned long long seed, const std::string& fault) {
    e.prune();
    const auto is_nan = [](const std::string& report) { return report.find("nan") != std::string::npos; };
    const auto still_wrong = [&](random_expression& smaller) {
        statistics ignored;
        if (!smaller.defined()) return false;
        const std::string found = fault_of(smaller, seed, ignored);
        return found.substr(0, 6) == fault.substr(0, 6) && is_nan(found) == is_nan(fault);
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = e.outputs.size(); i-- > 0 && e.outputs.size() > 1;) {
            random_expression smaller = e;
            smaller.outputs.erase(smaller.outputs.begin() + static_cast<std::ptrdiff_t>(i));
            smaller.prune();
            if (still_wrong(smaller)) e = smaller, changed = true;
        }
        for (std::size_t i = e.nodes.size(); i-- > 0;)
            for (const bool second : {false, true}) {
                if (i >= e.nodes.size() || e.nodes[i].what != graph::kind::call) continue;
                random_expression smaller = e.without(i, second);
                if (smaller.nodes.size() < e.nodes.size() && still_wrong(smaller)) e = smaller, changed = true;
            }
    }
    return e;
}

} // namespace

TEST_CASE("random expressions keep their values and derivatives", "[fuzz]") {
    const unsigned long long count = setting("CHAINRULE_FUZZ_EXPRESSIONS", 1000);
    const unsigned long long first = setting("CHAINRULE_FUZZ_SEED", 1);
    statistics s;
    std::map<std::string, unsigned long long> failed; // by report, the seed
    for (unsigned long long seed = first; seed < first + count && failed.size() < 5; ++seed)
        if (const std::string fault = fault_of(expression_of(seed), seed, s); !fault.empty()) failed[fault] = seed;
    for (const auto& [fault, seed] : failed) {
        const random_expression smaller = shrunk(expression_of(seed), seed, fault);
        statistics ignored;
        FAIL_CHECK("seed " << seed << ": " << fault << "\nA smaller expression: " << fault_of(smaller, seed, ignored)
                           << '\n'
                           << smaller.text());
    }

    // The comparisons have to be able to see something.
    CAPTURE(s.compared, s.sharp, s.unstable, s.programs, s.packed);
    CHECK(s.sharp * 10 > s.compared * 9);
    CHECK(s.packed * 10 > s.programs * 9);
    CHECK(s.unstable * 1000 < s.compared);
}
