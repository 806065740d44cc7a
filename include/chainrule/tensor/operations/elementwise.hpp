// SPDX-License-Identifier: BSL-1.0
//
// Element-wise operations with broadcasting: + - * / and the functions of the table, with gradients by the rules in
// rules.hpp.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/creation.hpp>
#include <chainrule/tensor/kernels/map.hpp>
#include <chainrule/tensor/operations/in_place.hpp>
#include <chainrule/tensor/operations/refusals.hpp>
#include <chainrule/tensor/operations/rules.hpp>

namespace chainrule::tensor {

namespace operations {

/// target = gradient * derivative(values...), or +=, element by element; see passed_on(). The gradient is the first
/// source.
template <class Rule, class T, class Derivative, class... Value, class... Strides>
void pass_on(const extents& shape, T* target, bool adds, Derivative derivative,
             const std::tuple<const T*, const Value*...>& sources, const Strides&... strides) {
    const auto product = [derivative](T g, Value... values) { return g * derivative(values...); };
    if constexpr (is_always_finite<Rule>)
        kernels::map(shape, target, adds, product, sources, strides...);
    else
        kernels::map_products(
            shape, target, adds, product,
            [derivative](T g, Value... values) { return passed_on<Rule>(g, derivative(values...)); }, sources,
            strides...);
}

template <class Rule, arithmetic T>
class elementwise_1 final : public operation<elementwise_1<Rule, T>, T, 1> {
public:
    static constexpr const char* called = Rule::called;
    explicit elementwise_1(const Rule& rule) : rule_(rule) {}

    void compute(const node<T>& x) {
        this->make_dense(x.shape);
        kernels::map(
            this->shape, this->numbers, false, [this](T a) { return rule_.value(a); }, std::tuple<const T*>(x.numbers),
            this->strides, x.strides);
        record(*this, Rule::reads, x);
    }
    void propagate() {
        node<T>& x = this->at(0);
        const auto [target, adds] = x.take_gradient();
        const extents packed = storage::dense_strides(this->shape);
        pass_on<Rule>(
            this->shape, target, adds, [rule = rule_](T a, T r) { return rule.template derivative<0>(a, r); },
            std::tuple<const T*, const T*, const T*>(this->gradient_numbers(), x.numbers, this->numbers), packed,
            packed, x.strides, this->strides);
    }

private:
    [[no_unique_address]] Rule rule_;
};

template <class Rule, arithmetic T>
class elementwise_2 final : public operation<elementwise_2<Rule, T>, T, 2> {
public:
    static constexpr const char* called = Rule::called;

    void compute(const node<T>& a, const node<T>& b) {
        this->make_dense(a.shape == b.shape ? a.shape : storage::broadcast_shape(called, a.shape, b.shape));
        write(*this, a, b);
        record(*this, read_for(a, b), a, b);
    }
    /// The result overwrites the numbers of `to`. They may be those of a if no derivative that is required reads a.
    void compute_in_place(const node<T>& to, const node<T>& a, const node<T>& b) {
        this->share_value(to);
        record(*this, read_for(a, b), a, b);
        write(*this, a, b);
        this->version = ++this->values->version;
    }
    /// The values that the required derivatives read.
    static graph::values_read read_for(const node<T>& a, const node<T>& b) {
        return (a.wants_gradient ? Rule::template read_by<0> : reading::nothing) |
               (b.wants_gradient ? Rule::template read_by<1> : reading::nothing);
    }
    static void write(const node<T>& to, const node<T>& a, const node<T>& b) {
        kernels::map(
            to.shape, to.numbers, false, [](T x, T y) { return Rule::value(x, y); },
            std::tuple<const T*, const T*>(a.numbers, b.numbers), to.strides,
            storage::broadcast_strides(a.shape, a.strides, to.shape),
            storage::broadcast_strides(b.shape, b.strides, to.shape));
    }
    void propagate() {
        if (this->wanted(1)) propagate_to<1>();
        if (this->wanted(0)) propagate_to<0>();
    }

private:
    template <int K>
    void propagate_to() {
        node<T>& to = this->at(K);
        const bool same_shape = to.shape == this->shape;
        if constexpr (std::same_as<Rule, operations::add> || (std::same_as<Rule, operations::subtract> && K == 0)) {
            if (same_shape) return this->pass_gradient_to(to, K == 0 || !this->wanted(0));
            return add_broadcast(to, this->gradient_numbers());
        } else if (same_shape) {
            const auto [target, adds] = to.take_gradient();
            terms<K>(target, adds);
        } else {
            const storage::buffer_reference products(storage::buffer::make(this->bytes()));
            terms<K>(products->template numbers<T>(), false);
            add_broadcast(to, products->template numbers<T>());
        }
    }
    template <int K>
    void terms(T* target, bool adds) const {
        const node<T>&a = this->at(0), &b = this->at(1);
        const extents packed = storage::dense_strides(this->shape);
        pass_on<Rule>(
            this->shape, target, adds, [](T x, T y, T r) { return Rule::template derivative<K>(x, y, r); },
            std::tuple<const T*, const T*, const T*, const T*>(this->gradient_numbers(), a.numbers, b.numbers,
                                                               this->numbers),
            packed, packed, storage::broadcast_strides(a.shape, a.strides, this->shape),
            storage::broadcast_strides(b.shape, b.strides, this->shape), this->strides);
    }
    void add_broadcast(node<T>& to, const T* terms_to_sum) const {
        kernels::add_to(this->shape, to.add_to_gradient(),
                        storage::broadcast_strides(to.shape, storage::dense_strides(to.shape), this->shape),
                        terms_to_sum, storage::dense_strides(this->shape));
    }
};

template <class Rule, arithmetic T>
[[nodiscard]] tensor<T> apply(const tensor<T>& x, const Rule& rule = {}) {
    auto* made = make<elementwise_1<Rule, T>>(rule);
    tensor<T> result(made);
    made->compute(x.node());
    return result;
}
template <class Rule, arithmetic T>
[[nodiscard]] tensor<T> apply(const tensor<T>& a, const tensor<T>& b) {
    return computed<elementwise_2<Rule, T>>(a.node(), b.node());
}

/// a = rule(a, b) in the memory of a. Sentences advise to write `instead`.
template <class Rule, arithmetic T>
void apply_in_place(const char* call, const char* instead, tensor<T>& a, const tensor<T>& b) {
    if (storage::broadcast_shape(call, a.shape(), b.shape()) != a.shape())
        core::raise(shape_error(storage::sentence(call, ": shape ", b.shape(), " does not broadcast to ", a.shape(),
                                                  ", which is changed in place; write ", instead)));
    const bool recorded = recording && (a.requires_grad() || b.requires_grad());
    // The same numbers in the same places, as in y *= y. With a gradient for a alone, b is a constant that has its
    // numbers: y *= y.detach().
    const bool same = a.node().numbers == b.node().numbers && a.shape() == b.shape() && a.strides() == b.strides() &&
                      (!recorded || b.requires_grad());
    // If b is another view of the same numbers, it would change while it is read.
    const bool overlaps = !same && a.shares_numbers_with(b);
    const tensor<T> other = overlaps ? b.detach().clone() : b;
    if (!recorded) {
        if constexpr (std::integral<T> && requires { Rule::check(T(), T()); }) // before the first number is written
            kernels::for_each(
                a.shape(), [&](index x, index y) { Rule::check(a.node().numbers[x], other.node().numbers[y]); },
                a.strides(), storage::broadcast_strides(other.shape(), other.strides(), a.shape()));
        a.before_change(call);
        elementwise_2<Rule, T>::write(a.node(), a.node(), other.node());
        return;
    }
    if (overlaps && b.requires_grad())
        core::raise(gradient_error(storage::sentence(call, ": the argument of shape ", b.shape(),
                                                     " is a view of the tensor that is "
                                                     "changed in place, and requires a gradient; write ",
                                                     instead)));
    check_replaced(call, instead, a);
    // Of + - * /, the derivatives of the last two with respect to b read a, which is overwritten.
    constexpr bool reads_old = (Rule::template read_by<1> & reading::first) != reading::nothing;
    const tensor<T> old = reads_old && b.requires_grad() ? a.clone() : a;
    const tensor<T>& second = same ? old : other;
    auto* made = make<elementwise_2<Rule, T>>();
    tensor<T> result(made);
    // Detached, since a gradient requested later would need values that are overwritten here.
    made->compute_in_place(a.node(), old.node(), (second.requires_grad() ? second : second.detach()).node());
    a = std::move(result);
}

} // namespace operations

#define CHAINRULE_OPERATOR(SYMBOL, RULE)                                                                               \
    template <arithmetic T>                                                                                            \
    [[nodiscard]] tensor<T> operator SYMBOL(const tensor<T>& a, const tensor<T>& b) {                                  \
        return operations::apply<operations::RULE>(a, b);                                                              \
    }                                                                                                                  \
    template <arithmetic T, operations::number<T> S>                                                                   \
    [[nodiscard]] tensor<T> operator SYMBOL(const tensor<T>& a, S b) {                                                 \
        return operations::apply(a, operations::with_number<operations::RULE, 0, T>{static_cast<T>(b)});               \
    }                                                                                                                  \
    template <arithmetic T, operations::number<T> S>                                                                   \
    [[nodiscard]] tensor<T> operator SYMBOL(S a, const tensor<T>& b) {                                                 \
        return operations::apply(b, operations::with_number<operations::RULE, 1, T>{static_cast<T>(a)});               \
    }                                                                                                                  \
    template <arithmetic T>                                                                                            \
    tensor<T>& operator SYMBOL##=(tensor<T>& a, const tensor<T>& b) {                                                  \
        operations::apply_in_place<operations::RULE>("operator" #SYMBOL "=", "a = a " #SYMBOL " b", a, b);             \
        return a;                                                                                                      \
    }                                                                                                                  \
    template <arithmetic T, operations::number<T> S>                                                                   \
    tensor<T>& operator SYMBOL##=(tensor<T>& a, S b) {                                                                 \
        operations::apply_in_place<operations::RULE>("operator" #SYMBOL "=", "a = a " #SYMBOL " b", a,                 \
                                                     full<T>({}, static_cast<T>(b)));                                  \
        return a;                                                                                                      \
    }                                                                                                                  \
    /* Of a view that has no name, as in select(x, 0, 1) += 1.0. */                                                    \
    template <arithmetic T, class B>                                                                                   \
    requires(std::same_as<B, tensor<T>> || operations::number<B, T>)                                                   \
    tensor<T> operator SYMBOL##=(tensor<T>&& a, const B & b) {                                                         \
        return a SYMBOL## = b;                                                                                         \
    }
CHAINRULE_OPERATOR(+, add)
CHAINRULE_OPERATOR(-, subtract)
CHAINRULE_OPERATOR(*, multiply)
CHAINRULE_OPERATOR(/, divide)
#undef CHAINRULE_OPERATOR

template <arithmetic T>
[[nodiscard]] tensor<T> operator-(const tensor<T>& x) {
    return operations::apply<operations::negate>(x);
}
template <arithmetic T>
[[nodiscard]] tensor<T> operator+(const tensor<T>& x) {
    return x;
}

namespace operations {
/// The numbers that a function of the table accepts: no integers for max and min, since max(x, 1) is a reduction.
template <class S, class Row>
concept number_of =
    number<S> && (!std::integral<S> || !(std::same_as<Row, functions::max> || std::same_as<Row, functions::min>));
} // namespace operations

// The functions of the table. They take no braces, since max(x, {0, 1}) is a reduction too.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <std::floating_point T>                                                                                   \
    [[nodiscard]] tensor<T> NAME(const tensor<T>& x) {                                                                 \
        return operations::apply<operations::of_table<functions::NAME>>(x);                                            \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <std::floating_point T, std::same_as<tensor<T>> Y>                                                        \
    [[nodiscard]] tensor<T> NAME(const tensor<T>& x, const Y& y) {                                                     \
        return operations::apply<operations::of_table<functions::NAME>>(x, y);                                         \
    }                                                                                                                  \
    template <std::floating_point T, operations::number_of<functions::NAME> S>                                         \
    [[nodiscard]] tensor<T> NAME(const tensor<T>& x, S y) {                                                            \
        using row = typename functions::called_with<functions::NAME, S>::type;                                         \
        return operations::apply(x, operations::with_number<operations::of_table<row>, 0, T>{static_cast<T>(y)});      \
    }                                                                                                                  \
    template <std::floating_point T, operations::number_of<functions::NAME> S>                                         \
    [[nodiscard]] tensor<T> NAME(S x, const tensor<T>& y) {                                                            \
        return operations::apply(                                                                                      \
            y, operations::with_number<operations::of_table<functions::NAME>, 1, T>{static_cast<T>(x)});               \
    }
#define CHAINRULE_TERNARY(NAME, ...) // no tensor function: see clamp() in conditions.hpp
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

// A custom function (chainrule/custom_function.hpp), element by element.
template <class Row, std::floating_point T>
[[nodiscard]] tensor<T> call_custom(Row, const tensor<T>& x) {
    return operations::apply<operations::of_table<Row>>(x);
}
template <class Row, std::floating_point T>
[[nodiscard]] tensor<T> call_custom(Row, const tensor<T>& x, const tensor<T>& y) {
    return operations::apply<operations::of_table<Row>>(x, y);
}
template <class Row, std::floating_point T, operations::number S>
[[nodiscard]] tensor<T> call_custom(Row, const tensor<T>& x, S y) {
    return operations::apply(x, operations::with_number<operations::of_table<Row>, 0, T>{static_cast<T>(y)});
}
template <class Row, std::floating_point T, operations::number S>
[[nodiscard]] tensor<T> call_custom(Row, S x, const tensor<T>& y) {
    return operations::apply(y, operations::with_number<operations::of_table<Row>, 1, T>{static_cast<T>(x)});
}
template <class T>
inline constexpr bool is_tensor = false;
template <class T>
inline constexpr bool is_tensor<tensor<T>> = true;
template <class Row, class A, class B, class C>
requires(is_tensor<A> || is_tensor<B> || is_tensor<C>)
auto call_custom(Row, const A&, const B&, const C&) {
    static_assert(!std::same_as<Row, Row>, "custom_function: a function of three arguments does not accept tensors; "
                                           "combine functions of one and two arguments instead");
}

} // namespace chainrule::tensor
