// SPDX-License-Identifier: BSL-1.0
//
// The number type of traced code: a node of a graph, or a plain number that is not in a graph yet. Every operation adds
// a node; nothing is computed, so traced code cannot branch on numbers.
#pragma once

#include <chainrule/functions/standard_constants.hpp>
#include <chainrule/expression/conditional.hpp>
#include <chainrule/expression/number_functions.hpp>
#include <chainrule/expression/refused_operators.hpp>
#include <chainrule/graph/term_algebra.hpp>
#include <chainrule/trace/plain_operation.hpp>
#include <chainrule/trace/refusals.hpp>

#include <limits>

namespace chainrule {

namespace tracing {

/// What `switch (x)` makes of a traced number.
enum class switched {};

/// The result of comparing traced numbers: the condition of select() and piecewise().
template <class T>
using condition = graph::term_condition<number<T>>;

#if defined(__GNUC__) && !defined(__clang__)
#define CHAINRULE_COMPILES_DEFAULTED_EQUALITY
/// What `a == b` and `a != b` give. g++ compiles a defaulted constexpr operator== with its class, and what it calls,
/// whether or not it is called: so a branch on equality is an error only where it runs, which the trace then states.
template <class T>
class equality : public condition<T> {
public:
    constexpr equality(const condition<T>& c) : condition<T>(c) {}

    // Templates, so that they are for no other conditions.
    template <std::same_as<equality> E>
    friend constexpr equality operator!(const E& c) {
        return !condition<T>(c);
    }
    template <std::same_as<equality> E>
    friend constexpr equality operator&&(const E& c, const E& d) {
        return condition<T>(c) && condition<T>(d);
    }
    template <std::same_as<equality> E>
    friend constexpr equality operator||(const E& c, const E& d) {
        return condition<T>(c) || condition<T>(d);
    }
    template <class U>
    requires std::is_same_v<U, bool>
    constexpr operator U() const {
        if (recorder* const r = this->owner(); r != nullptr)
            r->found = fault::branch_on_equality;
        else
            branch_on_numbers();
        return false;
    }
};
#else
template <class T>
using equality = condition<T>;
#endif

#define CHAINRULE_PLAIN_NUMBER                                                                                         \
    "function: the traced code makes a plain number of a traced one, which has no value while the code is traced; "    \
    "write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) "   \
    "instead of v[x]"

/// A plain number, or an element of an unscoped enumeration, which converts to one.
template <class N>
concept number_or_enumerator = std::is_arithmetic_v<N> || (std::is_enum_v<N> && std::is_convertible_v<N, double>);

template <class T>
class number : public graph::term_algebra<number<T>, condition<T>, equality<T>> {
public:
    using graph_owner = recorder;

    /// Zero, like T().
    constexpr number() : node_(0) {}
    /// An output before the traced code writes it.
    [[nodiscard]] static constexpr number unassigned() {
        number made;
        made.node_ = -1;
        return made;
    }
    template <number_or_enumerator N>
    constexpr number(N value) : node_(0), high_(static_cast<double>(value)) {
        if constexpr (std::numeric_limits<N>::digits > 53) low_ = core::double_word::nearest(value).lo;
    }
    constexpr number(irrational value) : node_(0), high_(value.high), low_(value.low) {}
    /// An integral constant such as boost::hana::int_c<2>.
    template <functions::integral_constant N>
    constexpr number(N) : number(N::value) {}
    /// An exact constant such as 2_c.
    template <expression E>
    requires(int{E::arity} == 0 && int{E::numbers} == 0 && int{E::is_variable} == 0)
    constexpr number(const E&) : node_(0), high_(E::value().template as<double>()) {
        constexpr core::coefficient exact = E::value();
        constexpr core::coefficient rest = exact + -exact_value(exact.as<double>(), 0);
        low_ = rest.as<double>();
    }
    /// An expression without variables, such as sqrt(2_c).
    template <expression E>
    requires(int{E::arity} != 0 && is_constant_expression<E>())
    constexpr number(const E&) : node_(0), kept_(true), operation_(&constant_expression<E>) {}
    /// No other expression, and no text: otherwise compilers would list every operator.
    template <class E>
    requires(is_text<E>)
    constexpr number(const E&) : node_(0) {
        constexpr bool is_number = refuse<E>();
        static_assert(is_number, "function: the traced code uses text as a number; write a number, as in 2.0");
    }
    template <expression E>
    requires(int{E::is_variable} != 0 || int{E::numbers} != 0 || (int{E::arity} != 0 && !is_constant_expression<E>()))
    constexpr number(const E&) : node_(0) {
        constexpr bool is_number = refuse<E>();
        static_assert(is_number, "function: the traced code uses an expression of variables as a number; use the "
                                 "arguments of the code, or call the expression with them, as in f(x = a)");
    }
    constexpr number(recorder& r, int node) : owner_(&r), node_(node) {}

    /// The node of this number in a graph.
    [[nodiscard]] constexpr int in(recorder& r) const {
        if (owner_ != nullptr) return node_;
        return kept_ ? operation_->record(r, high_, low_) : r.constant(high_, low_);
    }
    [[nodiscard]] constexpr recorder* owner() const { return owner_; }
    /// Whether a number was assigned to it.
    [[nodiscard]] constexpr bool assigned() const { return node_ >= 0; }

    friend constexpr number operator-(const number& a) {
        if (a.owner_ != nullptr) return number(*a.owner_, a.owner_->g.negate(a.node_));
        return a.low_ != 0 ? number(irrational{-a.high_, -a.low_}) : plain<operations::negate>(a, 0);
    }
#define CHAINRULE_OPERATOR(SYMBOL, NAME)                                                                               \
    friend constexpr number operator SYMBOL(const number& a, const number& b) {                                        \
        recorder* const r = a.owner_ != nullptr ? a.owner_ : b.owner_;                                                 \
        return r != nullptr ? number(*r, r->g.binary(graph::kind::NAME, a.owner_ != nullptr ? a.node_ : a.in(*r),      \
                                                     b.owner_ != nullptr ? b.node_ : b.in(*r)))                        \
                            : plain<operations::NAME>(a, b);                                                           \
    }
    CHAINRULE_OPERATOR(+, add)
    CHAINRULE_OPERATOR(-, subtract)
    CHAINRULE_OPERATOR(*, multiply)
    CHAINRULE_OPERATOR(/, divide)
#undef CHAINRULE_OPERATOR
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    friend constexpr number operator SYMBOL(const refused_number&, const refused_object<T>&) { return {}; }            \
    friend constexpr number operator SYMBOL(const refused_object<T>&, const refused_number&) { return {}; }
    CHAINRULE_OPERATOR(+)
    CHAINRULE_OPERATOR(-)
    CHAINRULE_OPERATOR(*)
    CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    friend constexpr number& operator SYMBOL(number & a, const refused_object<T>&) { return a; }
    CHAINRULE_OPERATOR(+=)
    CHAINRULE_OPERATOR(-=)
    CHAINRULE_OPERATOR(*=)
    CHAINRULE_OPERATOR(/=)
#undef CHAINRULE_OPERATOR
#define CHAINRULE_OPERATOR(SYMBOL, NAME)                                                                               \
    friend constexpr condition<T> operator SYMBOL(const refused_number&, const refused_object<T>&) { return {false}; } \
    friend constexpr condition<T> operator SYMBOL(const refused_object<T>&, const refused_number&) { return {false}; }
    CHAINRULE_COMPARISONS(CHAINRULE_OPERATOR)
#undef CHAINRULE_OPERATOR
    // As in `double sum = 0; sum += x`.
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    template <class N>                                                                                                 \
    requires std::is_arithmetic_v<N>                                                                                   \
    friend constexpr N& operator SYMBOL(N & plain, const number&) {                                                    \
        constexpr bool is_traced = refuse<N>();                                                                        \
        static_assert(is_traced, "function: the traced code changes a plain number by a traced one, which has no "     \
                                 "value while the code is traced; let it be traced from the start, as in "             \
                                 "auto sum = 0.0 * x, or T sum = 0");                                                  \
        return plain;                                                                                                  \
    }
    CHAINRULE_OPERATOR(+=)
    CHAINRULE_OPERATOR(-=)
    CHAINRULE_OPERATOR(*=)
    CHAINRULE_OPERATOR(/=)
#undef CHAINRULE_OPERATOR
    // With a plain number: better matches than arithmetic of the conversions below. By value, so that compilers name
    // the line that reads a number which is not a constant.
#define CHAINRULE_OPERATOR(SYMBOL, NAME)                                                                               \
    template <number_or_enumerator N>                                                                                  \
    friend constexpr auto operator SYMBOL(const number& a, N b) {                                                      \
        return a SYMBOL number(b);                                                                                     \
    }                                                                                                                  \
    template <number_or_enumerator N>                                                                                  \
    friend constexpr auto operator SYMBOL(N a, const number& b) {                                                      \
        return number(a) SYMBOL b;                                                                                     \
    }
    CHAINRULE_OPERATOR(+, add)
    CHAINRULE_OPERATOR(-, subtract)
    CHAINRULE_OPERATOR(*, multiply)
    CHAINRULE_OPERATOR(/, divide)
    CHAINRULE_COMPARISONS(CHAINRULE_OPERATOR)
#undef CHAINRULE_OPERATOR
    // As in `double d = x`, std::sin(x), tab[x] and `if (x)`.
    constexpr operator double() const {
        constexpr bool known = refuse<T>();
        static_assert(known, CHAINRULE_PLAIN_NUMBER);
        return {};
    }
    // As in static_cast<int>(x).
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, double>)
    explicit constexpr operator U() const {
        if constexpr (std::is_same_v<U, bool>) {
            return static_cast<bool>(*this != 0);
        } else {
            constexpr bool known = refuse<U>();
            static_assert(known, CHAINRULE_PLAIN_NUMBER);
            return {};
        }
    }
#undef CHAINRULE_PLAIN_NUMBER

    // As in `switch (x)`, for which compilers consider no template. (Nothing else considers this one: a scoped
    // enumeration converts to no number.)
    constexpr operator switched() const {
        constexpr bool known = refuse<T>();
        static_assert(known, "function: the traced code switches on a number, which has no value while the code is "
                             "traced; choose with select(x == 1, a, b), or use tape mode");
        return {};
    }

#define CHAINRULE_UNARY(...)
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend constexpr number computed(functions::NAME*, const number& x, const number& y) {                             \
        return number::template called<functions::NAME>(x, y);                                                         \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend constexpr number computed(functions::NAME*, const number& x, const number& y, const number& z) {            \
        return number::template called<functions::NAME>(x, y, z);                                                      \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
    CHAINRULE_CHOICES_AMONG(number)

    // As in q[0], q.size() and `for (auto& v : q)`. Compilers print these lines.
    template <class I>
    void operator[](I) const = delete; // a number, no array: state the count of an array, as in function<10>(f)
    void size() const = delete;        // a number, no array: state the count of an array, as in function<10>(f)
    void begin() const = delete;       // a number, no array: state the count of an array, as in function<10>(f)
    void end() const = delete;

    /// a if the condition holds, else b.
    [[nodiscard]] static constexpr number chosen(const condition<T>& c, const number& a, const number& b) {
        if (c.owner() == nullptr) return c.node() != 0 ? a : b;
        recorder& r = *c.owner();
        const int first = a.in(r);
        return {r, r.g.select(c.node(), first, b.in(r))};
    }
    /// The graph that a recorder makes.
    [[nodiscard]] static constexpr graph::canonical_graph& graph_of(recorder& r) { return r.g; }
    static constexpr bool in_traced_code = true;

    /// Adds the graph of expressions to that of their variables' values; false where these are plain numbers all.
    template <class Expressions, class Inputs, int Rows, class Variables, class Numbers, class Outputs>
    [[nodiscard]] static constexpr bool record_call(const Variables& variables, const Numbers& numbers,
                                                    Outputs& outputs) {
        return lower_onto(Expressions{}, Inputs{}, variables, numbers, outputs);
    }

private:
    friend graph::term_algebra<number, condition<T>, equality<T>>;

    template <class... E, class... V, class Variables, class Numbers, class Outputs>
    [[nodiscard]] static constexpr bool lower_onto(core::type_list<E...>, core::type_list<V...>,
                                                   const Variables& variables, const Numbers& numbers,
                                                   Outputs& outputs) {
        constexpr std::size_t inputs = sizeof...(V),
                              count = static_cast<std::size_t>(core::sum_of({int{E::numbers}..., 0}));
        recorder* r = nullptr;
        for (std::size_t i = 0; i != inputs && r == nullptr; ++i) r = variables[i].owner_;
        for (std::size_t i = 0; i != count && r == nullptr; ++i) r = numbers[i].owner_;
        if (r == nullptr) return false;
        graph::lowering l(r->g);
        const expressions::variable_name names[] = {{V::hash, V::text}..., {}};
        for (std::size_t i = 0; i < inputs; ++i) {
            (void)l.names.add(names[i]);
            l.variables.push_back({names[i], variables[i].in(*r)});
            l.used.push_back(false);
        }
        for (std::size_t i = 0; i != count; ++i) l.exact_numbers.push_back(numbers[i].in(*r));
        int number = 0;
        std::size_t k = 0;
        [[maybe_unused]] const int lowered[] = {
            0, (outputs[k++] = tracing::number<T>(*r, l.template run<E>(number)), number += int{E::numbers})...};
        return true;
    }

    recorder* owner_ = nullptr;
    int node_; // without a graph: 0, or -1 if unassigned
    // Without a graph: the plain number or, if kept_, an operation and its operands. (No comparison with null, which is
    // no constant for g++ 12 under -fsanitize=undefined.)
    bool kept_ = false;
    const plain_operation* operation_ = nullptr;
    double high_ = 0, low_ = 0;

    [[nodiscard]] constexpr double value() const { return kept_ ? operation_->value(high_, low_) : high_; }
    // Whether every type of number holds a number, and sums and products of such, exactly.
    [[nodiscard]] static constexpr bool is_short(double a) {
        // Before any arithmetic: a NaN or an overflow would not be a constant expression.
        if (!(-0x1p14 < a && a < 0x1p14)) return false;
        const double scaled = a * 1024;
        return static_cast<double>(static_cast<int>(scaled)) == scaled &&
               std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(-0.0);
    }
    // An operation on plain numbers. Where its result depends on the type of number, the operation is kept; one on its
    // result is then computed in double.
    template <class Row>
    [[nodiscard]] static constexpr number plain(const number& a, const number& b = 0) {
        if (a.kept_ || b.kept_ || a.low_ != 0 || b.low_ != 0)
            return number(plain_operation_of<Row>.value(a.value(), b.value()));
        if constexpr (std::is_same_v<Row, operations::divide>) {
            if (is_short(a.high_) && is_short(b.high_) && b.high_ != 0 && is_short(a.high_ / b.high_) &&
                a.high_ / b.high_ * b.high_ == a.high_)
                return number(a.high_ / b.high_);
        } else if constexpr (is_arithmetic<Row>) {
            if (is_short(a.high_) && is_short(b.high_)) {
                const double result = plain_operation_of<Row>.value(a.high_, b.high_);
                if (is_short(result)) return number(result);
            }
        }
        number kept;
        kept.node_ = 0;
        kept.kept_ = true;
        kept.operation_ = &plain_operation_of<Row>;
        kept.high_ = a.high_;
        kept.low_ = b.high_;
        return kept;
    }
    template <class Row>
    [[nodiscard]] static constexpr number plain(const number& a, const number& b, const number& c) {
        return number(Row::value(a.value(), b.value(), c.value()));
    }
    template <class Row>
    static constexpr bool is_arithmetic =
        std::is_same_v<Row, operations::negate> || std::is_same_v<Row, operations::add> ||
        std::is_same_v<Row, operations::subtract> || std::is_same_v<Row, operations::multiply>;
};

/// The number type of traced code.
using traced_number = number<void>;

/// Of numbers; of arrays and structs of them: trace/shapes.hpp.
template <class T, class A, class B>
[[nodiscard]] constexpr auto select(const condition<T>& c, const A& a, const B& b) {
    if constexpr (std::is_convertible_v<const A&, number<T>> && std::is_convertible_v<const B&, number<T>>) {
        return number<T>::chosen(c, number<T>(a), number<T>(b));
    } else {
        constexpr bool numbers = refuse<A>();
        static_assert(numbers, "select: the arms are neither numbers, nor arrays or structs of numbers of the same "
                               "shape; choose each number by a select of its own");
        return a;
    }
}
using chainrule::piecewise;
using chainrule::select;
using chainrule::operator^;
using chainrule::operator%;
CHAINRULE_USES_CONSTANT_OPERANDS

} // namespace tracing

template <class T>
inline constexpr bool expressions::has_own_operators<tracing::number<T>> = true;

} // namespace chainrule

/// The limits of double: traced code uses them before its final number type is known.
template <class T>
class std::numeric_limits<chainrule::tracing::number<T>> : public std::numeric_limits<double> {
    using number = chainrule::tracing::number<T>;

public:
    static constexpr number min() noexcept { return std::numeric_limits<double>::min(); }
    static constexpr number max() noexcept { return std::numeric_limits<double>::max(); }
    static constexpr number lowest() noexcept { return std::numeric_limits<double>::lowest(); }
    static constexpr number epsilon() noexcept { return std::numeric_limits<double>::epsilon(); }
    static constexpr number round_error() noexcept { return std::numeric_limits<double>::round_error(); }
    static constexpr number infinity() noexcept { return std::numeric_limits<double>::infinity(); }
    static constexpr number quiet_NaN() noexcept { return std::numeric_limits<double>::quiet_NaN(); }
    static constexpr number signaling_NaN() noexcept { return std::numeric_limits<double>::signaling_NaN(); }
    static constexpr number denorm_min() noexcept { return std::numeric_limits<double>::denorm_min(); }
};
