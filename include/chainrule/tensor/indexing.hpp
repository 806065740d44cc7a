// SPDX-License-Identifier: BSL-1.0
//
// How are elements chosen by numbers and by conditions? take and gather read positions, where and clamp choose by
// element, comparisons make the conditions; concatenate and stack put tensors together.
// Next: softmax.hpp.
#pragma once

#include <chainrule/tensor/reduce.hpp>

namespace chainrule::tensor {
namespace graph {

/// A position as it stands in a list, from 0. Throws where it lies outside.
template <std::integral I>
[[nodiscard]] index position_in(const char* call, I given, index size, const char* what) {
    const auto at = static_cast<index>(given);
    if (at < -size || at >= size)
        throw shape_error(
            sentence(call, ": ", what, " ", at, " is out of range; there are ", size, ", numbered from 0"));
    return at < 0 ? at + size : at;
}

/// Slices along an axis, by positions; a position may be taken several times.
template <arithmetic T>
class taking final : public operation<taking<T>, T, 1> {
public:
    static constexpr const char* called = "take";

    template <std::integral I>
    void compute(const node<T>& x, std::span<const I> positions, std::size_t axis) {
        const index size = x.shape[axis];
        positions_ = buffer_reference(buffer::make(positions.size() * sizeof(index)));
        index* const chosen = positions_->template numbers<index>();
        for (std::size_t k = 0; k < positions.size(); ++k)
            chosen[k] = position_in(called, positions[k], size, "position");
        extents taken = x.shape;
        taken[axis] = static_cast<index>(positions.size());
        this->make_dense(std::move(taken));
        axis_ = axis;
        extents rest = this->shape;
        rest[axis] = 1;
        for (index k = 0; k < this->shape[axis]; ++k)
            loops::copy(rest, this->numbers + k * this->strides[axis], this->strides,
                        x.numbers + chosen[k] * x.strides[axis], x.strides);
        record(*this, reading::nothing, x);
    }
    void propagate() {
        node<T>& x = this->at(0);
        T* const target = x.add_to_gradient();
        const extents into = dense_strides(x.shape);
        const index* const chosen = positions_->template numbers<index>();
        extents rest = this->shape;
        rest[axis_] = 1;
        for (index k = 0; k < this->shape[axis_]; ++k)
            loops::add_to(rest, target + chosen[k] * into[axis_], into,
                          this->gradient_numbers() + k * this->strides[axis_], this->strides);
    }

private:
    buffer_reference positions_;
    std::size_t axis_ = 0;
};

/// One element per place, from a position along one axis of the same row.
template <arithmetic T>
class gathering final : public operation<gathering<T>, T, 1> {
public:
    static constexpr const char* called = "gather";

    void compute(const node<T>& x, std::size_t axis, const node<index>& positions) {
        this->make_dense(positions.shape);
        const extents packed = dense_strides(x.shape);
        from_ = buffer_reference(buffer::make(static_cast<std::size_t>(this->count) * sizeof(index)));
        index* const from = from_->template numbers<index>();
        extents along = packed, read = x.strides;
        along[axis] = read[axis] = 0;
        index next = 0;
        loops::for_each(
            this->shape,
            [&](index place, index value, index gradient_place) {
                const index at = position_in(called, positions.numbers[place], x.shape[axis], "position");
                from[next] = gradient_place + at * packed[axis];
                this->numbers[next++] = x.numbers[value + at * x.strides[axis]];
            },
            positions.strides, read, along);
        record(*this, reading::nothing, x);
    }
    void propagate() {
        T* const target = this->at(0).add_to_gradient();
        const index* const from = from_->template numbers<index>();
        for (index i = 0; i < this->count; ++i) target[from[i]] += this->gradient_numbers()[i];
    }

private:
    buffer_reference from_;
};

/// Elements of the first argument where a condition holds, of the second where not.
template <arithmetic T>
class choice final : public operation<choice<T>, T, 2> {
public:
    static constexpr const char* called = "where";

    void compute(const node<bool>& condition, const node<T>& a, const node<T>& b) {
        this->make_dense(broadcast_shape(called, condition.shape, broadcast_shape(called, a.shape, b.shape)));
        chosen_ = buffer_reference(buffer::make(static_cast<std::size_t>(this->count)));
        bool* const chosen = chosen_->template numbers<bool>();
        index next = 0;
        loops::for_each(
            this->shape,
            [&](index c, index x, index y) {
                chosen[next] = condition.numbers[c];
                this->numbers[next] = chosen[next] ? a.numbers[x] : b.numbers[y];
                ++next;
            },
            broadcast_strides(condition.shape, condition.strides, this->shape),
            broadcast_strides(a.shape, a.strides, this->shape), broadcast_strides(b.shape, b.strides, this->shape));
        record(*this, reading::nothing, a, b);
    }
    void propagate() {
        const bool* const chosen = chosen_->template numbers<bool>();
        for (const std::size_t k : {0U, 1U}) {
            if (!this->wanted(k)) continue;
            node<T>& to = this->at(k);
            T* const target = to.add_to_gradient();
            index next = 0;
            loops::for_each(
                this->shape,
                [&](index into) {
                    // Not a product with 0: an infinite gradient must not reach the arm that was not taken.
                    if (chosen[next] == (k == 0)) target[into] += this->gradient_numbers()[next];
                    ++next;
                },
                broadcast_strides(to.shape, dense_strides(to.shape), this->shape));
        }
    }

private:
    buffer_reference chosen_;
};

/// Tensors one after the other along an axis.
template <arithmetic T>
class joining final : public node<T> {
public:
    explicit joining(std::size_t parts) : places_(buffer::make(parts * sizeof(argument<T>))) {
        this->arguments = places_->template numbers<argument<T>>();
        std::uninitialized_default_construct_n(this->arguments, parts);
    }
    [[nodiscard]] const char* name() const noexcept override { return "concatenate"; }

    void compute(std::span<const tensor<T>> parts, std::size_t axis) {
        extents joined = parts.front().shape();
        for (const tensor<T>& part : parts.subspan(1)) {
            extents fitting = joined;
            if (part.rank() == fitting.rank()) fitting[axis] = part.shape()[axis];
            if (part.shape() != fitting)
                throw shape_error(sentence("concatenate: parts of shapes ", parts.front().shape(), " and ",
                                           part.shape(), " do not fit along axis ", axis,
                                           "; all other sizes must be equal"));
            joined[axis] += part.shape()[axis];
        }
        this->make_dense(std::move(joined));
        axis_ = axis;
        T* to = this->numbers;
        bool wanted = false;
        for (const tensor<T>& part : parts) {
            loops::copy(part.shape(), to, this->strides, part.node().numbers, part.strides());
            to += part.shape()[axis] * this->strides[axis];
            check_current<T>(*this, part.node());
            wanted = wanted || part.requires_grad();
        }
        if (!recording || !wanted) return;
        this->wants_gradient = true;
        this->version = this->values->version;
        for (const tensor<T>& part : parts) add_argument<T>(*this, part.node());
    }
    void backward() override {
        const T* from = this->gradient_numbers();
        for (std::uint32_t k = 0; k < this->argument_count; ++k) {
            node<T>& part = this->at(k);
            if (part.wants_gradient) {
                const auto [target, adds] = part.take_gradient();
                loops::map(
                    part.shape, target, adds, [](T g) { return g; }, std::tuple<const T*>(from),
                    dense_strides(part.shape), this->strides);
            }
            from += part.shape[axis_] * this->strides[axis_];
        }
    }

private:
    void destroy() noexcept override {
        this->~joining();
        memory::give_back(this, sizeof(joining));
    }
    buffer_reference places_;
    std::size_t axis_ = 0;
};

} // namespace graph

/// The slices of x at positions along an axis; negative positions count from the end. Gradients of a slice that is
/// taken several times add up.
template <arithmetic T, std::integral I>
[[nodiscard]] tensor<T> take(const tensor<T>& x, std::span<const I> positions, index axis = 0) {
    return graph::computed<graph::taking<T>>(x.node(), positions, axis_of("take", axis, x.rank()));
}
template <arithmetic T, std::integral I>
[[nodiscard]] tensor<T> take(const tensor<T>& x, const tensor<I>& positions, index axis = 0) {
    if (positions.rank() != 1)
        throw shape_error(
            sentence("take: positions have shape ", positions.shape(), "; give a tensor of rank 1, or use gather()"));
    return take(x, (positions.contiguous() ? positions : positions.clone()).span(), axis);
}
template <arithmetic T>
[[nodiscard]] tensor<T> take(const tensor<T>& x, std::initializer_list<index> positions, index axis = 0) {
    return take(x, std::span<const index>(positions.begin(), positions.size()), axis);
}

/// result(i, ..., k, ...) = x(i, ..., positions(i, ..., k, ...), ...), where k stands on the axis. The shapes of x and
/// of the positions agree on all other axes.
template <arithmetic T>
[[nodiscard]] tensor<T> gather(const tensor<T>& x, index axis, const tensor<index>& positions) {
    const std::size_t a = axis_of("gather", axis, x.rank());
    extents expected = x.shape();
    if (positions.rank() == x.rank()) expected[a] = positions.shape()[a];
    if (positions.shape() != expected)
        throw shape_error(sentence("gather: positions of shape ", positions.shape(), " do not fit shape ", x.shape(),
                                   " along axis ", axis, "; all other sizes must be equal"));
    return graph::computed<graph::gathering<T>>(x.node(), a, positions.node());
}

/// a where the condition holds, else b; all three broadcast. Nothing of the other arm reaches value or gradient.
template <arithmetic T>
[[nodiscard]] tensor<T> where(const tensor<bool>& condition, const tensor<T>& a, const tensor<T>& b) {
    return graph::computed<graph::choice<T>>(condition.node(), a.node(), b.node());
}
template <arithmetic T, rules::number<T> S>
[[nodiscard]] tensor<T> where(const tensor<bool>& condition, const tensor<T>& a, S b) {
    return where(condition, a, full<T>({}, static_cast<T>(b)));
}
template <arithmetic T, rules::number<T> S>
[[nodiscard]] tensor<T> where(const tensor<bool>& condition, S a, const tensor<T>& b) {
    return where(condition, full<T>({}, static_cast<T>(a)), b);
}

/// Tensors one after the other along an axis that they have.
template <arithmetic T>
[[nodiscard]] tensor<T> concatenate(std::span<const tensor<T>> parts, index axis = 0) {
    if (parts.empty()) throw shape_error("concatenate: there are no parts; give at least one tensor");
    const std::size_t a = axis_of("concatenate", axis, parts.front().rank());
    auto* made = graph::make<graph::joining<T>>(parts.size());
    tensor<T> result(made);
    made->compute(parts, a);
    return result;
}
template <arithmetic T>
[[nodiscard]] tensor<T> concatenate(std::initializer_list<tensor<T>> parts, index axis = 0) {
    return concatenate(std::span<const tensor<T>>(parts.begin(), parts.size()), axis);
}
/// Tensors of one shape side by side along a new axis.
template <arithmetic T>
[[nodiscard]] tensor<T> stack(std::span<const tensor<T>> parts, index axis = 0) {
    std::vector<tensor<T>> thick;
    thick.reserve(parts.size());
    for (const tensor<T>& part : parts) thick.push_back(expand_dims(part, axis));
    return concatenate(std::span<const tensor<T>>(thick), axis);
}
template <arithmetic T>
[[nodiscard]] tensor<T> stack(std::initializer_list<tensor<T>> parts, index axis = 0) {
    return stack(std::span<const tensor<T>>(parts.begin(), parts.size()), axis);
}

// Comparisons by element, with broadcasting. == and != compare whole tensors, as C++ has it; see equal().
namespace graph {
template <arithmetic T, class Compare>
[[nodiscard]] tensor<bool> compare(const char* call, const tensor<T>& a, const tensor<T>& b, Compare compare) {
    tensor<bool> result = empty<bool>(broadcast_shape(call, a.shape(), b.shape()));
    const extents& shape = result.shape();
    loops::map(shape, result.node().numbers, false, compare,
               std::tuple<const T*, const T*>(a.node().numbers, b.node().numbers), result.strides(),
               broadcast_strides(a.shape(), a.strides(), shape), broadcast_strides(b.shape(), b.strides(), shape));
    return result;
}
} // namespace graph

#define CHAINRULE_COMPARISON(NAME, SYMBOL)                                                                             \
    template <arithmetic T>                                                                                            \
    [[nodiscard]] tensor<bool> NAME(const tensor<T>& a, const tensor<T>& b) {                                          \
        return graph::compare(#NAME, a, b, [](T x, T y) { return x SYMBOL y; });                                       \
    }                                                                                                                  \
    template <arithmetic T, rules::number<T> S>                                                                        \
    [[nodiscard]] tensor<bool> NAME(const tensor<T>& a, S b) {                                                         \
        return NAME(a, full<T>({}, static_cast<T>(b)));                                                                \
    }                                                                                                                  \
    template <arithmetic T, rules::number<T> S>                                                                        \
    [[nodiscard]] tensor<bool> NAME(S a, const tensor<T>& b) {                                                         \
        return NAME(full<T>({}, static_cast<T>(a)), b);                                                                \
    }
CHAINRULE_COMPARISON(operator<, <)
CHAINRULE_COMPARISON(operator<=, <=)
CHAINRULE_COMPARISON(operator>, >)
CHAINRULE_COMPARISON(operator>=, >=)
CHAINRULE_COMPARISON(equal, ==)
#undef CHAINRULE_COMPARISON

[[nodiscard]] inline tensor<bool> operator!(const tensor<bool>& a) { return equal(a, false); }

/// Whether shapes and all elements are equal.
template <arithmetic T>
[[nodiscard]] bool operator==(const tensor<T>& a, const tensor<T>& b) {
    return a.shape() == b.shape() && a.values() == b.values();
}

/// x between low and high; the gradient passes where low <= x <= high.
template <std::floating_point T>
[[nodiscard]] tensor<T> clamp(const tensor<T>& x, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    if (!(low <= high))
        throw shape_error(sentence("clamp: there is nothing between ", low, " and ", high, "; give low <= high"));
    return where(x < low, low, where(x > high, high, x));
}

} // namespace chainrule::tensor
