// SPDX-License-Identifier: BSL-1.0
//
// The numbers of a trace. Each is a leaf of expressions like active<T>, but an expression that is assigned to it is
// decomposed into its operations, which are computed one by one. tape/trace.hpp records each.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/comparison.hpp>

#include <string>

namespace chainrule::tape {

template <class T>
class basic_trace;

/// A number of type T whose operations are recorded in a trace; a number constructed from a plain number is a constant
/// and not in a trace. Use it like active<T>; branches and loops may depend on it, and the trace shows the executed
/// operations. An expression that is stored with auto is computed, and recorded, wherever it is used.
template <class T>
class traced : public recorded_number<traced<T>> {
public:
    using chainrule_expression = traced;
    using number_type = T;
    enum : core::hash_value { hash = core::hash_of(core::hashed::number, 2) };

    traced() = default;
    template <class U>
    requires(!expression<U> && std::convertible_to<U, T>)
    traced(const U& value) : number_(value) {}
    /// Evaluates an expression operation by operation, left operands first, and records each in the trace.
    template <expression E>
    traced(const E& e);

    /// The plain number. Branches may depend on it; derivatives ignore that dependence.
    [[nodiscard]] const T& value() const { return number_.value(); }
    /// Whether the number is in a trace.
    [[nodiscard]] bool is_traced() const { return trace_ != nullptr; }
    /// The derivative, with respect to this number, of the output passed to backward(). Throws std::logic_error if
    /// there is none.
    [[nodiscard]] const T& gradient() const {
        if (trace_ == nullptr)
            core::raise(
                std::logic_error("gradient: the number is not traced; make variables with trace.variable(...)"));
        return number_.gradient();
    }

private:
    friend class basic_trace<T>;

    active<T> number_;
    basic_trace<T>* trace_ = nullptr;

    traced(const active<T>& number, basic_trace<T>* trace) : number_(number), trace_(trace) {}
};

// Comparisons and classifications treat a traced number as an active number of a distinct type.
template <class T>
struct actives_in<traced<T>, 0> {
    using type = traced<T>;
    enum : int { count = 1, mixed = 0 };
};

// Decomposition of expressions
// -----------------------------------------------------------------------------------------------

/// An expression with traced numbers is computed operation by operation; one without is a single operand.
template <class T, class E>
auto operand_of(const E& e);

template <class T, class E>
traced<T> computed_by_operations(const E& e) {
    using operation = typename E::operation;
    if constexpr (int{E::arity} == 1) {
        return basic_trace<T>::template operation<operation>(operand_of<T>(e.a));
    } else if constexpr (int{E::arity} == 3) {
        const auto a = operand_of<T>(expressions::first_of(e));
        const auto b = operand_of<T>(expressions::second_of(e));
        const auto c = operand_of<T>(expressions::third_of(e));
        return basic_trace<T>::template operation<operation>(a, b, c);
    } else {
        // In sequence: function arguments would have no fixed order.
        if constexpr (int{E::first::numbers} == 0) {
            return basic_trace<T>::template operation<operation>(typename E::first{}, operand_of<T>(e.b));
        } else if constexpr (int{E::second::numbers} == 0) {
            return basic_trace<T>::template operation<operation>(operand_of<T>(e.a), typename E::second{});
        } else {
            const auto a = operand_of<T>(e.a);
            const auto b = operand_of<T>(e.b);
            return basic_trace<T>::template operation<operation>(a, b);
        }
    }
}

template <class T, class E>
auto operand_of(const E& e) {
    if constexpr (actives_in<E>::count == 0 || int{E::arity} == 0)
        return e;
    else
        return computed_by_operations<T>(e);
}

template <class T>
template <expression E>
traced<T>::traced(const E& e) {
    using type = typename actives_in<E>::type;
    constexpr bool right_type = std::same_as<type, traced> || std::same_as<type, kernel::none>;
    static_assert(right_type, "traced: the expression has active numbers of another type; make all its variables with "
                              "trace.variable(...)");
    if constexpr (std::same_as<type, kernel::none>)
        number_ = active<T>(e);
    else if constexpr (right_type)
        *this = computed_by_operations<T>(e);
}

} // namespace chainrule::tape
