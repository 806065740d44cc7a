// SPDX-License-Identifier: BSL-1.0
//
// Truncated power series: the numbers at which the derivative formulas of the table give Taylor coefficients. With y =
// f(x), y' = f'(x) x' is an equation between series, so no function needs a rule of its own. A series is computed order
// by order when one is needed: the formula of exp reads its own result. tape/replay/taylor.hpp uses them.
#pragma once

#include <chainrule/tape/replay/rows.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <vector>

namespace chainrule::tape::replays {

template <class T>
class series_room;

/// The coefficient of t^k of a product, from functions that give those of the factors. What does not move adds nothing,
/// even to an infinity.
template <class T, class A, class B>
[[nodiscard]] T coefficient_of_product(std::size_t k, A a, B b) {
    T sum = a(0) * b(0);
    if (k > 0) {
        const T first = a(k), last = b(k);
        sum = first == T(0) ? T(0) : first * b(0);
        for (std::size_t j = 1; j < k; ++j)
            if (const T x = a(k - j), y = b(j); x != T(0) && y != T(0)) sum = sum + x * y;
        if (last != T(0)) sum = sum + a(0) * last;
    }
    return sum;
}
/// That of a quotient for k > 0, from its lower ones too.
template <class T, class A, class B, class Quotient>
[[nodiscard]] T coefficient_of_quotient(std::size_t k, A a, B b, Quotient q) {
    T sum = a(k);
    for (std::size_t j = 1; j <= k; ++j)
        if (const T x = b(j); x != T(0)) sum = sum - x * q(k - j);
    return sum == T(0) ? sum : sum / b(0);
}

/// A series in a room, or a constant.
template <class T>
class series {
public:
    using has_functions_of_table = void;

    constexpr series() = default;
    template <class N>
    requires std::is_arithmetic_v<N>
    constexpr series(N constant) : value_(static_cast<T>(constant)) {}
    series(series_room<T>& in, unsigned number, const T& value) : value_(value), room_(&in), number_(number) {}

    [[nodiscard]] const T& value() const { return value_; }
    [[nodiscard]] bool is_constant() const { return room_ == nullptr; }
    [[nodiscard]] bool is_constant(T value) const { return room_ == nullptr && value_ == value; }
    [[nodiscard]] T coefficient(std::size_t k) const {
        return k == 0 ? value_ : room_ == nullptr ? T(0) : room_->coefficient(number_, k);
    }
    [[nodiscard]] bool is(const series& other) const {
        return room_ == other.room_ && number_ == other.number_ &&
               (room_ != nullptr ||
                (value_ == other.value_ && __builtin_signbit(value_) == __builtin_signbit(other.value_)));
    }
    /// The room of the first that is in one; null for constants.
    template <class... More>
    [[nodiscard]] static series_room<T>* room_of(const More&... x) {
        series_room<T>* room = nullptr;
        ((room = room == nullptr ? x.room_ : room), ...);
        return room;
    }

    friend series operator+(const series& a) { return a; }
    friend series operator-(const series& a) {
        return a.is_constant() ? series(-a.value_) : a.room_->template node<negate>(-a.value_, a);
    }
    friend series operator+(const series& a, const series& b) {
        return a.is_constant(0) ? b : b.is_constant(0) ? a : made<add>(a.value_ + b.value_, a, b);
    }
    friend series operator-(const series& a, const series& b) {
        return b.is_constant(0) ? a : made<subtract>(a.value_ - b.value_, a, b);
    }
    friend series operator*(const series& a, const series& b) {
        if (a.is_constant(1) || b.is_constant(0)) return b;
        if (b.is_constant(1) || a.is_constant(0)) return a;
        return made<multiply>(a.value_ * b.value_, a, b);
    }
    friend series operator/(const series& a, const series& b) {
        if (b.is_constant(1) || (a.is_constant(0) && !b.is_constant())) return a;
        return made<divide>(a.value_ / b.value_, a, b);
    }
    friend series operator*(irrational a, const series& b) { return series(a.as<T>()) * b; }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend bool operator SYMBOL(const series& a, const series& b) { return a.value_ SYMBOL b.value_; }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON
    friend series select(bool condition, const series& a, const series& b) { return condition ? a : b; }

// Steps are constants, whose zeros are structural.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend series NAME(const series& x) {                                                                              \
        constexpr bool moves = NAME(noting_number(dependence{0, 1, false})).what.varies != 0;                          \
        return called<functions::NAME, moves>(x);                                                                      \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend series NAME(const series& x, const series& y) {                                                             \
        constexpr noting_number varies(dependence{0, 1, false});                                                       \
        return called < functions::NAME, NAME(varies, varies).what.varies != 0 > (x, y);                               \
    }                                                                                                                  \
    template <class N>                                                                                                 \
    requires std::is_arithmetic_v<N>                                                                                   \
    friend series NAME(const series& x, N y) {                                                                         \
        using row = typename functions::called_with<functions::NAME, N>::type;                                         \
        constexpr noting_number varies(dependence{0, 1, false});                                                       \
        return called < row, NAME(varies, varies).what.varies != 0 > (x, series(y));                                   \
    }                                                                                                                  \
    template <class N>                                                                                                 \
    requires std::is_arithmetic_v<N>                                                                                   \
    friend series NAME(N x, const series& y) {                                                                         \
        return NAME(series(x), y);                                                                                     \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend series NAME(const series& x, const series& y, const series& z) {                                            \
        return called<functions::NAME, true>(x, y, z);                                                                 \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

    /// A custom function (chainrule/custom_function.hpp), whose formulas are formulas of series too.
    template <class Row, class... A>
    requires((false || ... || std::same_as<A, series>) && (true && ... && std::convertible_to<const A&, series>))
    friend series call_custom(Row, const A&... x) {
        return called<Row, true>(series(x)...);
    }

private:
    T value_{};
    series_room<T>* room_ = nullptr;
    unsigned number_ = 0;

    template <class Row>
    static series made(const T& value, const series& a, const series& b) {
        series_room<T>* const room = room_of(a, b);
        return room == nullptr ? series(value) : room->template node<Row>(value, a, b);
    }
    template <class Row, bool Moves, class... X>
    static series called(const X&... x) {
        series_room<T>* const room = room_of(x...);
        if constexpr (std::same_as<Row, functions::weighted>)
            if ((false || ... || x.is_constant(0))) return series();
        const T value = Row::value(x.value_...);
        return !Moves || room == nullptr ? series(value) : room->template node<Row>(value, x...);
    }
};

/// The series of one operation: its operands, its result, and those of its derivatives that are needed.
template <class T>
class series_room {
public:
    series_room() = default;
    /// A copy of a recording has a room of its own, which holds nothing yet.
    series_room(const series_room&) noexcept {}
    series_room& operator=(const series_room&) noexcept { return *this; }

    /// Empties the room, for series of so many coefficients.
    void start(std::size_t coefficients) {
        count_ = 0;
        length_ = coefficients;
    }
    /// A series whose coefficients are in memory elsewhere.
    [[nodiscard]] series<T> given(const T* coefficients) {
        entry& e = next();
        e.known = length_;
        e.coefficients = const_cast<T*>(coefficients); // is not written: all are known
        e.what = nullptr;
        e.arity = 0;
        return {*this, count_ - 1, *coefficients};
    }
    /// The result of an operation, which is made once.
    template <class Row, class... X>
    [[nodiscard]] series<T> node(const T& value, const X&... x) {
        const std::array<series<T>, 3> operands{x...};
        const void* const what = &entry_of<Row>;
        for (unsigned i = 0; i < count_; ++i)
            if (all_[i]->what == what && all_[i]->operands[0].is(operands[0]) && all_[i]->operands[1].is(operands[1]) &&
                all_[i]->operands[2].is(operands[2]))
                return {*this, i, all_[i]->coefficients[0]};
        entry& e = next();
        e.what = what;
        e.next_coefficient = &series_room::coefficient_of<Row>;
        e.operands = operands;
        e.arity = sizeof...(X);
        e.has_partials = false;
        e.own.resize(length_);
        e.coefficients = e.own.data();
        e.coefficients[0] = value;
        e.known = 1;
        return {*this, count_ - 1, value};
    }
    [[nodiscard]] T coefficient(unsigned number, std::size_t k) {
        entry& e = *all_[number];
        for (; e.known <= k; ++e.known) e.coefficients[e.known] = e.next_coefficient(*this, number, e.known);
        return e.coefficients[k];
    }

private:
    struct entry {
        const void* what;
        T (*next_coefficient)(series_room&, unsigned, std::size_t);
        std::array<series<T>, 3> operands, partials;
        unsigned arity;
        bool has_partials;
        T* coefficients;
        std::size_t known;
        std::vector<T> own;
    };
    std::vector<std::unique_ptr<entry>> all_; // which stay where they are
    unsigned count_ = 0;
    std::size_t length_ = 0;

    template <class Row>
    static constexpr char entry_of = 0;

    entry& next() {
        if (count_ == all_.size()) all_.push_back(std::make_unique<entry>());
        return *all_[count_++];
    }

    template <class Row>
    [[nodiscard]] static T coefficient_of(series_room& room, unsigned number, std::size_t k) {
        entry& e = *room.all_[number];
        const auto of = [](const series<T>& x) { return [&x](std::size_t j) { return x.coefficient(j); }; };
        if constexpr (std::same_as<Row, negate>) {
            return -e.operands[0].coefficient(k);
        } else if constexpr (std::same_as<Row, add>) {
            return e.operands[0].coefficient(k) + e.operands[1].coefficient(k);
        } else if constexpr (std::same_as<Row, subtract>) {
            return e.operands[0].coefficient(k) - e.operands[1].coefficient(k);
        } else if constexpr (std::same_as<Row, multiply>) {
            return replays::coefficient_of_product<T>(k, of(e.operands[0]), of(e.operands[1]));
        } else if constexpr (std::same_as<Row, divide>) {
            return replays::coefficient_of_quotient<T>(k, of(e.operands[0]), of(e.operands[1]),
                                                       [&](std::size_t j) { return e.coefficients[j]; });
        } else {
            if (!e.has_partials) {
                e.has_partials = true;
                const series<T> result(room, number, e.coefficients[0]);
                room.find_partials<Row>(e, result, std::make_integer_sequence<int, int{Row::arity}>{});
            }
            return chained(e, k);
        }
    }
    // Where an operand is a constant, no derivative is needed.
    template <class Row, int... K>
    void find_partials(entry& e, const series<T>& result, std::integer_sequence<int, K...>) {
        const auto find = [&](auto number) {
            constexpr int operand = number;
            if (!e.operands[operand].is_constant())
                e.partials[operand] = functions::derivative<operand, Row>(e.operands[K]..., result);
        };
        (find(std::integral_constant<int, K>{}), ...);
    }
    // k y_k is the sum of j x_j f'_(k - j).
    [[nodiscard]] static T chained(const entry& e, std::size_t k) {
        T all(0);
        for (unsigned i = 0; i < e.arity; ++i) {
            const series<T>&x = e.operands[i], &slope = e.partials[i];
            if (x.is_constant() || slope.is_constant(0)) continue;
            T sum(0);
            for (std::size_t j = 1; j <= k; ++j) {
                const T moved = x.coefficient(j);
                if (moved == T(0)) continue;
                const T by = slope.coefficient(k - j);
                if (j < k && by == T(0)) continue;
                sum = sum + (j == k ? moved : static_cast<T>(j) * moved / static_cast<T>(k)) * by;
            }
            all = all + sum;
        }
        return all;
    }
};

} // namespace chainrule::tape::replays
