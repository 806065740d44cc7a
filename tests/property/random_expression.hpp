// SPDX-License-Identifier: BSL-1.0
//
// Random expressions with shared parts, each with a point at which it has a value and derivatives. They are kept as
// written, apart from the compiler's graph, so that they can be evaluated independently of it. Half of the operations
// are drawn freely, and half in patterns that the optimiser rewrites.
#pragma once

#include "interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

namespace functions = chainrule::functions;
namespace operations = chainrule::operations;
namespace relations = chainrule::relations;

/// One leaf or operation as written; a and b are positions of earlier ones, or the number of a variable or slot.
struct written {
    graph::kind what{};
    unsigned code = 0; // as operations::add::code, or the position of a function
    int a = -1;
    int b = -1;
    core::coefficient constant{};
    int c = -1;

    std::array<int*, 3> operands() { return {&a, &b, &c}; }
    std::array<int, 3> operands() const { return {a, b, c}; }
};

/// An exact power by definition: an integer power is a product by repeated squaring, the power 1/2 is the square root.
template <class T>
std::optional<T> exact_power(const T& base, const core::coefficient& e) {
    if (e == core::coefficient::fraction(1, 2)) return sqrt_of(base);
    if (e == core::coefficient::fraction(-1, 2)) return T(1) / sqrt_of(base);
    if (e.denominator != 1 || e.numerator > 64 || e.numerator < -64) return std::nullopt;
    T result = T(1), square = base;
    for (auto n = e.negative() ? -e.numerator : e.numerator; n > 0; n /= 2) {
        if (n % 2 != 0) result = result * square;
        if (n > 1) square = square * square;
    }
    return e.negative() ? T(1) / result : result;
}

class random_expression {
public:
    std::vector<written> nodes;
    std::vector<int> outputs;
    std::vector<long double> variables, numbers;

    /// `powers`: whether to draw products of exponentials and powers, and polynomials, too.
    random_expression(unsigned long long seed, int size, bool powers = false) : random_(seed) {
        const int variable_count = between(1, 4), number_count = chance(2) ? 0 : between(1, 3);
        for (int i = 0; i < variable_count; ++i) variables.push_back(coordinate());
        for (int i = 0; i < number_count; ++i) numbers.push_back(coordinate());
        for (int i = 0; i < variable_count; ++i) (void)add({graph::kind::variable, 0, i, -1, {}, -1});
        for (int i = 0; i < number_count; ++i) (void)add({graph::kind::stored_number, 0, i, -1, {}, -1});
        while (static_cast<int>(nodes.size()) < size) {
            if (powers && chance(3))
                grow_powers();
            else
                grow();
        }
        for (int i = between(1, 3); i > 0; --i) outputs.push_back(total());
    }

    /// The values of all nodes, computed in written order.
    template <class T>
    std::vector<T> evaluate(const std::vector<T>& at, const std::vector<T>& stored) const {
        std::vector<T> v;
        for (const written& n : nodes) v.push_back(value<T>(n, v, at, stored));
        return v;
    }

    /// The expression as a graph: the node of each output.
    std::vector<int> lower(graph::canonical_graph& g) const {
        std::vector<int> ids;
        const auto id = [&](int i) { return i < 0 ? -1 : ids[static_cast<std::size_t>(i)]; };
        for (const written& n : nodes) {
            if (n.what == graph::kind::variable)
                ids.push_back(g.variable(n.a));
            else if (n.what == graph::kind::stored_number)
                ids.push_back(g.stored_number(n.a));
            else if (n.what == graph::kind::constant)
                ids.push_back(g.constant(n.constant));
            else
                ids.push_back(graph::apply_operation(g, n.code, id(n.a), id(n.b), id(n.c)));
        }
        std::vector<int> roots;
        for (const int output : outputs) roots.push_back(id(output));
        return roots;
    }

    /// What was written and where, for the report of a failure.
    std::string text() const {
        std::ostringstream out;
        out.precision(17);
        std::vector<std::string> parts;
        const auto part = [&](int i) { return parts[static_cast<std::size_t>(i)]; };
        for (const written& n : nodes) {
            std::ostringstream made;
            made.precision(17);
            if (n.what == graph::kind::variable)
                made << "x" << n.a;
            else if (n.what == graph::kind::stored_number)
                made << "number" << n.a;
            else if (n.what == graph::kind::constant && !n.constant.exact())
                made << std::hexfloat << '(' << n.constant.high << " + " << n.constant.low << ")_c";
            else if (n.what == graph::kind::constant && n.constant.denominator != 1)
                made << n.constant.numerator << '/' << n.constant.denominator << "_c";
            else if (n.what == graph::kind::constant)
                made << n.constant.numerator << "_c";
            else if (n.code == operations::negate::code)
                made << "-" << part(n.a);
            else if (n.code == operations::select::code)
                made << "select(" << part(n.a) << ", " << part(n.b) << ", " << part(n.c) << ')';
            else if (n.code == relations::negation::code)
                made << "!(" << part(n.a) << ')';
            else if (n.code >= relations::less::code)
                made << '(' << part(n.a) << detail::infix_sign(n.code) << part(n.b) << ')';
            else if (n.code > operations::negate::code)
                made << '(' << part(n.a) << " +-*/"[n.code - operations::negate::code] << part(n.b) << ')';
            else {
                made << table[n.code].name << '(' << part(n.a);
                if (n.b >= 0) made << ", " << part(n.b);
                if (n.c >= 0) made << ", " << part(n.c);
                made << ')';
            }
            parts.push_back(made.str());
            // Long parts get a name: written out as a tree, the expression may be exponentially long.
            if (parts.back().size() > 60) {
                const std::string name = "e" + std::to_string(parts.size() - 1);
                out << name << " = " << parts.back() << '\n';
                parts.back() = name;
            }
        }
        for (const int output : outputs) out << "output " << part(output) << '\n';
        for (std::size_t i = 0; i < variables.size(); ++i) out << "x" << i << " = " << variables[i] << '\n';
        for (std::size_t i = 0; i < numbers.size(); ++i) out << "number" << i << " = " << numbers[i] << '\n';
        return out.str();
    }

    /// Removes what outputs do not need.
    void prune() {
        std::vector<int> place(nodes.size(), -1);
        for (const int output : outputs) place[static_cast<std::size_t>(output)] = 0;
        for (std::size_t i = nodes.size(); i-- > 0;)
            if (place[i] == 0 && nodes[i].what == graph::kind::call) {
                for (const int o : std::as_const(nodes[i]).operands())
                    if (o >= 0) place[static_cast<std::size_t>(o)] = 0;
            }
        std::vector<written> kept;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (place[i] < 0) continue;
            place[i] = static_cast<int>(kept.size());
            kept.push_back(nodes[i]);
            if (nodes[i].what != graph::kind::call) continue;
            for (int* const o : kept.back().operands())
                if (*o >= 0) *o = place[static_cast<std::size_t>(*o)];
        }
        nodes = kept;
        for (int& output : outputs) output = place[static_cast<std::size_t>(output)];
    }

    /// A copy in which users of operation i use its operand a (or b) instead.
    random_expression without(std::size_t i, bool second) const {
        random_expression e = *this;
        const written n = nodes[i];
        const int to = n.code == operations::select::code ? (second ? n.b : n.c) : second && n.b >= 0 ? n.b : n.a;
        for (written& user : e.nodes)
            if (user.what == graph::kind::call)
                for (int* const o : user.operands())
                    if (*o == static_cast<int>(i)) *o = to;
        for (int& output : e.outputs)
            if (output == static_cast<int>(i)) output = to;
        e.prune();
        return e;
    }

    /// Whether values and derivatives exist at the point.
    bool defined() {
        values_.clear();
        for (const written& n : nodes) values_.push_back(value<long double>(n, values_, variables, numbers));
        // Only used parts: arms that are not taken need no value.
        std::vector<bool> used(nodes.size());
        for (const int output : outputs) used[static_cast<std::size_t>(output)] = true;
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const written& n = nodes[i];
            if (!used[i]) continue;
            if (!defined(n) || !std::isfinite(values_[i])) return false;
            const int untaken = n.what == graph::kind::call && n.code == operations::select::code
                                    ? (values_[static_cast<std::size_t>(n.a)] == 0 ? n.b : n.c)
                                    : -1;
            if (n.what != graph::kind::call) continue;
            for (const int o : n.operands())
                if (o >= 0 && o != untaken) used[static_cast<std::size_t>(o)] = true;
        }
        return true;
    }

private:
    std::mt19937_64 random_;
    std::vector<long double> values_;
    std::vector<bool> private_; // conditions, and what only an untaken arm may use: not to be drawn
    int high_powers_ = 0;

    int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    bool chance(int n) { return between(1, n) == 1; }
    long double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

    long double coordinate() {
        switch (between(0, 5)) {
        case 0: return between(-2, 3);
        case 1: return 0;
        case 2: return uniform(-2, 2);
        default: return uniform(0.1, 3);
        }
    }

    core::coefficient constant() {
        using core::coefficient;
        switch (between(0, 9)) {
        case 0: return coefficient(1);
        case 1: return coefficient(-1);
        case 2: return coefficient(2);
        case 3: return coefficient(between(-5, 5));
        case 4: return coefficient::fraction(1, 2);
        case 5: return coefficient::fraction(between(1, 9), between(1, 9)) * coefficient(chance(2) ? 1 : -1);
        case 6: return coefficient::fraction(between(1, 999), 1000);
        case 7: return chainrule::irrational::two_over_sqrt_pi;
        case 8: return coefficient(chainrule::irrational{0.1, 0x1p-60}) * coefficient(between(1, 30));
        default: // fractions whose products leave 64 bits
            return coefficient::fraction(9007199254740993 + between(0, 99), 4503599627370497 + between(0, 99));
        }
    }

    template <class T>
    T value(const written& n, const std::vector<T>& v, const std::vector<T>& at, const std::vector<T>& stored) const {
        const auto operand = [&](int i) -> const T& { return v[static_cast<std::size_t>(i)]; };
        switch (n.what) {
        case graph::kind::variable: return at[static_cast<std::size_t>(n.a)];
        case graph::kind::stored_number: return stored[static_cast<std::size_t>(n.a)];
        case graph::kind::constant: return number_from<T>::make(n.constant);
        default: break;
        }
        switch (n.code) {
        case operations::negate::code: return -operand(n.a);
        case operations::add::code: return operand(n.a) + operand(n.b);
        case operations::subtract::code: return operand(n.a) - operand(n.b);
        case operations::multiply::code: return operand(n.a) * operand(n.b);
        case operations::divide::code: return operand(n.a) / operand(n.b);
        default: break;
        }
        if (n.code == operations::select::code) return operand(n.a) == T(0) ? operand(n.c) : operand(n.b);
        if (n.code >= relations::less::code)
            return related(static_cast<graph::relation>(n.code - relations::less::code), operand(n.a),
                           operand(n.b < 0 ? n.a : n.b));
        if (n.code == functions::pow::position && nodes[static_cast<std::size_t>(n.b)].what == graph::kind::constant)
            if (const auto p = exact_power(operand(n.a), nodes[static_cast<std::size_t>(n.b)].constant)) return *p;
        return call(n.code, operand(n.a), operand(n.b < 0 ? n.a : n.b), operand(n.c < 0 ? n.a : n.c));
    }

    // Whether an operation has a value and derivatives here.
    bool defined(const written& n) const {
        if (n.a < 0 || n.what != graph::kind::call) return true;
        const auto operand = [&](int i) { return values_[static_cast<std::size_t>(i)]; };
        if (n.code == operations::divide::code) return std::abs(operand(n.b)) > 0.01L;
        // Comparisons have to come out the same in every precision.
        if (n.code >= relations::less::code && n.code <= relations::not_equal::code)
            return std::abs(operand(n.a) - operand(n.b)) > 1e-3L * (std::abs(operand(n.a)) + std::abs(operand(n.b)));
        if (n.code >= operations::negate::code) return true;
        if (n.code == functions::pow::position && nodes[static_cast<std::size_t>(n.b)].what == graph::kind::constant) {
            const core::coefficient& e = nodes[static_cast<std::size_t>(n.b)].constant;
            if (e.denominator == 1 && std::abs(e.numerator) <= 64)
                return !e.negative() || std::abs(operand(n.a)) > 0.1L;
        }
        const auto inside = [](const functions::interval& domain, long double x) {
            return x >= domain.low && x <= domain.high;
        };
        const row_info& row = table[n.code];
        return std::any_of(row.boxes.begin(), row.boxes.begin() + row.box_count, [&](const auto& box) {
            return inside(box[0], operand(n.a)) && (row.arity < 2 || inside(box[1], operand(n.b))) &&
                   (row.arity < 3 || inside(box[2], operand(n.c)));
        });
    }
    static bool moderate(long double v) { return v == 0 || (std::abs(v) > 1e-4L && std::abs(v) < 1e4L); }

    // Each of these returns the position of the new node, or an operand's where the new node would have no place here.
    int add(const written& n) {
        if (!defined(n)) return n.a;
        const long double v = value<long double>(n, values_, variables, numbers);
        if (!moderate(v)) return n.a;
        nodes.push_back(n);
        values_.push_back(v);
        return static_cast<int>(nodes.size()) - 1;
    }
    // The same for parts that are not drawn and need no value here.
    int add_privately(const written& n) {
        nodes.push_back(n);
        values_.push_back(value<long double>(n, values_, variables, numbers));
        private_.resize(nodes.size());
        private_.back() = true;
        return static_cast<int>(nodes.size()) - 1;
    }
    int operate_privately(unsigned code, int a, int b = -1) {
        return add_privately({graph::kind::call, code, a, b, {}, -1});
    }

    // A condition, or -1 where the numbers drawn are too close.
    int condition(int depth) {
        if (depth > 0 && chance(3)) {
            const int p = condition(depth - 1), q = condition(depth - 1);
            if (p < 0 || q < 0) return -1;
            if (chance(3)) return operate_privately(relations::negation::code, p);
            return operate_privately(relations::conjunction::code + (chance(2) ? 1u : 0u), p, q);
        }
        const unsigned code = relations::less::code + static_cast<unsigned>(between(0, 5));
        const int p = any(), q = chance(3) ? exactly(core::coefficient(between(-2, 2))) : any();
        const written n{graph::kind::call, code, p, q, {}, -1};
        return defined(n) ? operate_privately(code, p, q) : -1;
    }
    // Something that has no value or no derivative here: a quotient by 0, or a function outside its domain or at its
    // edge.
    int undefined(int p, int q) {
        const int zero = operate_privately(operations::subtract::code, p, p);
        int bad = -1;
        switch (between(0, 4)) {
        case 0: bad = operate_privately(operations::divide::code, q, zero); break;
        case 1: bad = operate_privately(functions::sqrt::position, zero); break;
        case 2: bad = operate_privately(functions::log::position, zero); break;
        case 3: {
            constexpr unsigned outside[] = {functions::sqrt::position, functions::log::position};
            const int square = operate_privately(operations::multiply::code, p, p);
            const int below =
                operate_privately(operations::subtract::code, operate_privately(operations::negate::code, square),
                                  exactly(core::coefficient(1)));
            bad = operate_privately(outside[between(0, 1)], below);
            break;
        }
        default:
            bad = operate_privately(functions::pow::position, zero, exactly(core::coefficient::fraction(1, 3)));
            break;
        }
        for (int i = between(0, 3); i > 0; --i) {
            const unsigned codes[] = {operations::add::code, operations::subtract::code, operations::multiply::code,
                                      operations::divide::code};
            const int other = chance(4) ? bad : any();
            bad = chance(4)   ? operate_privately(functions::sin::position, bad)
                  : chance(2) ? operate_privately(codes[between(0, 3)], bad, other)
                              : operate_privately(codes[between(0, 3)], other, bad);
        }
        return bad;
    }
    int any_or_zero(int p) { return chance(4) ? exactly(core::coefficient(0)) : p; }
    int choose(int c, int a, int b) {
        const written n{graph::kind::call, operations::select::code, c, a, {}, b};
        const long double v = value<long double>(n, values_, variables, numbers);
        if (!moderate(v)) return 0;
        nodes.push_back(n);
        values_.push_back(v);
        return static_cast<int>(nodes.size()) - 1;
    }
    // Selections, some of them of the same undefined arm, and products with them.
    void select(int p, int q, int r, int s) {
        int arm = -1;
        for (int i = between(1, 3); i > 0; --i) {
            const int c = condition(2);
            if (c < 0) return;
            const bool holds = values_[static_cast<std::size_t>(c)] != 0;
            const int taken = any_or_zero(i == 1 ? p : any());
            if (chance(3)) {
                (void)choose(c, any_or_zero(q), any_or_zero(r));
            } else {
                if (arm < 0) arm = undefined(q, r);
                const int chosen = holds ? choose(c, taken, arm) : choose(c, arm, taken);
                if (chance(2)) (void)times(chosen, s);
            }
        }
    }
    int operate(unsigned code, int a, int b = -1) { return add({graph::kind::call, code, a, b, {}, -1}); }
    int plus(int a, int b) { return operate(operations::add::code, a, b); }
    int minus(int a, int b) { return operate(operations::subtract::code, a, b); }
    int times(int a, int b) { return operate(operations::multiply::code, a, b); }
    int over(int a, int b) { return operate(operations::divide::code, a, b); }
    int negated(int a) { return operate(operations::negate::code, a); }
    int root(int a) { return operate(functions::sqrt::position, a); }
    int exactly(const core::coefficient& c) {
        nodes.push_back({graph::kind::constant, 0, -1, -1, c, -1});
        values_.push_back(c.as<long double>());
        return static_cast<int>(nodes.size()) - 1;
    }
    int power(int a, const core::coefficient& e) {
        const int b = exactly(e);
        return operate(functions::pow::position, a, b);
    }

    int any() {
        const int size = static_cast<int>(nodes.size());
        private_.resize(nodes.size());
        for (;;) {
            const int drawn = chance(2) ? between(0, size - 1) : between(size > 8 ? size - 8 : 0, size - 1);
            if (!private_[static_cast<std::size_t>(drawn)]) return drawn;
        }
    }
    int basic(int a, int b) {
        const unsigned codes[] = {operations::add::code, operations::subtract::code, operations::multiply::code,
                                  operations::divide::code};
        return operate(codes[between(0, 3)], a, b);
    }
    int function(unsigned position, int a, int b, int c = 0) {
        const unsigned arity = table[position].arity;
        return add({graph::kind::call, position, a, arity > 1 ? b : -1, {}, arity > 2 ? c : -1});
    }
    int total() {
        int sum = static_cast<int>(nodes.size()) - 1;
        private_.resize(nodes.size());
        while (private_[static_cast<std::size_t>(sum)]) --sum;
        for (int i = between(0, 4); i > 0; --i) sum = chance(4) ? times(sum, any()) : plus(sum, any());
        return sum;
    }

    int raised(int a, int b) { return operate(functions::pow::position, a, b); }
    int exponential(int a) { return operate(functions::exp::position, a); }
    int polynomial(int p) {
        int sum = any();
        for (int e = 1, degree = between(2, 6); e <= degree; ++e) {
            if (chance(4)) continue;
            const int power_of_p = power(p, core::coefficient(e));
            sum = plus(sum, chance(2) ? times(any(), power_of_p) : times(exactly(constant()), power_of_p));
        }
        return sum;
    }
    void grow_powers() {
        const int p = any(), q = any(), r = any();
        switch (between(0, 6)) {
        case 0: (void)times(exponential(p), exponential(q)); break;
        case 1: (void)over(times(exponential(p), r), exponential(q)); break;
        case 2: (void)times(times(exponential(p), exponential(q)), exponential(negated(p))); break;
        case 3: (void)times(raised(p, q), raised(p, r)); break;
        case 4:
            (void)over(power(p, core::coefficient::fraction(between(-7, 7), 3)),
                       power(p, core::coefficient::fraction(between(1, 7), 5)));
            break;
        case 5: (void)plus(over(q, root(p)), over(r, p)); break;
        default: (void)polynomial(p); break;
        }
    }

    void grow() {
        const int p = any(), q = any(), r = any(), s = any();
        switch (between(0, 31)) {
        case 0: (void)plus(times(p, q), times(p, r)); break;
        case 1: (void)minus(times(q, p), times(p, times(r, q))); break;
        case 2: (void)minus(plus(over(p, q), over(r, q)), over(s, q)); break;
        case 3: (void)minus(plus(p, q), plus(q, p)); break;
        case 4: (void)plus(times(exactly(constant()), p), times(p, exactly(constant()))); break;
        case 5: (void)times(root(p), root(p)); break;
        case 6: (void)over(p, root(p)); break;
        case 7: (void)over(q, times(p, root(p))); break;
        case 8: (void)power(p, core::coefficient(between(-4, 6))); break;
        case 9:
            // Once: powers of powers leave the range of numbers on the way.
            if (high_powers_++ == 0) (void)power(p, core::coefficient(between(7, 40)));
            break;
        case 10: (void)power(p, core::coefficient::fraction(chance(2) ? 1 : -1, 2)); break;
        case 11: (void)power(p, core::coefficient::fraction(between(-7, 7), between(2, 5))); break;
        case 12: (void)basic(exactly(constant()), p); break;
        case 13: (void)basic(p, exactly(constant())); break;
        case 14: (void)times(negated(p), negated(q)); break;
        case 15: (void)minus(q, negated(negated(p))); break;
        case 16: (void)times(times(times(p, q), times(r, p)), times(q, p)); break;
        case 17: (void)times(q, over(exactly(core::coefficient(1)), p)); break;
        case 18: (void)over(p, times(q, r)); break;
        case 19:
            (void)plus(times(function(functions::sin::position, p, p), q),
                       times(function(functions::cos::position, p, p), r));
            break;
        case 20: (void)minus(p, p); break;
        case 21: (void)power(root(p), core::coefficient(between(2, 14))); break;
        case 22: (void)minus(times(p, p), times(exactly(core::coefficient(2)), times(p, q))); break;
        case 23:
        case 24: select(p, q, r, s); break;
        default:
            if (chance(2))
                (void)basic(p, q);
            else
                (void)function(static_cast<unsigned>(between(0, static_cast<int>(table.size()) - 1)), p, q, r);
            break;
        }
    }
};

} // namespace reference
