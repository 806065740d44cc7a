// SPDX-License-Identifier: BSL-1.0
//
// The tensor: a handle of a node, cheap to copy; copies share numbers and gradient. This header constructs it, reads
// and writes its elements, and returns its gradient; operations are functions in other headers.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/nested_values.hpp>
#include <chainrule/tensor/graph/operation.hpp>
#include <chainrule/tensor/kernels/loops.hpp>

namespace chainrule::tensor {

template <arithmetic T>
class tensor;
template <arithmetic T>
[[nodiscard]] tensor<T> empty(const extents& shape);

/// A row-major array of any rank, with gradient. A handle: copies refer to the same tensor. Views (reshape, transpose,
/// slice, broadcast_to) share its numbers. Tensors that share numbers or a graph must be used by one thread at a time.
/// Example: `tensor<float> w{{1, 2}, {3, 4}}; w.requires_grad(true); sum(w * w).backward(); w.grad();`
template <arithmetic T>
class tensor {
public:
    using value_type = T;
    static constexpr bool differentiable = std::floating_point<T>; ///< whether it can have a gradient

    /// The scalar 0, of shape ().
    tensor() : tensor(extents{}, std::initializer_list<T>{T(0)}) {}
    /// From a number, which makes a scalar, or nested braces of numbers. Throws shape_error if rows have different
    /// shapes.
    tensor(const nested_values<T>& values) : tensor(values.shape(), values.numbers()) {}
    tensor(std::initializer_list<nested_values<T>> rows) : tensor(nested_values<T>(rows)) {}
    /// From numbers in row-major order. Throws shape_error unless there is one for each element of the shape.
    tensor(const extents& shape, std::span<const T> numbers) : tensor(shape, numbers.begin(), numbers.size()) {}
    tensor(const extents& shape, std::initializer_list<T> numbers)
        : tensor(shape, std::span<const T>(numbers.begin(), numbers.size())) {}
    tensor(const extents& shape, const std::vector<T>& numbers) : tensor(shape, numbers.begin(), numbers.size()) {}
    /// From a vector, with one axis.
    template <std::same_as<std::vector<T>> Numbers>
    explicit tensor(const Numbers& numbers) : tensor({static_cast<index>(numbers.size())}, numbers) {}
    /// The handle of a node, for operations. A template, so that tensor(0) is a scalar and not a null pointer.
    template <std::derived_from<graph::node<T>> Node>
    explicit tensor(Node* node) noexcept : node_(node) {}

    // What it is.
    /// The size of each axis.
    [[nodiscard]] const extents& shape() const { return node().shape; }
    /// The size of an axis; negative axes count from the end. Throws shape_error if there is no such axis.
    [[nodiscard]] index size(index axis) const { return shape()[storage::axis_of("size", axis, rank())]; }
    /// The number of axes.
    [[nodiscard]] std::size_t rank() const { return shape().rank(); }
    /// The number of elements.
    [[nodiscard]] index count() const { return node().count; }
    /// The distance between neighbours along each axis, in elements; 0 along repeated axes.
    [[nodiscard]] const extents& strides() const { return node().strides; }
    /// Whether the elements are contiguous in row-major order.
    [[nodiscard]] bool contiguous() const { return node().dense; }
    /// Whether both are views of the same numbers.
    [[nodiscard]] bool shares_numbers_with(const tensor& other) const {
        return node().values.get() == other.node().values.get();
    }

    // Numbers out.
    /// The number in a tensor with one element. Throws shape_error if there are more or none.
    [[nodiscard]] T item() const {
        if (count() != 1)
            core::raise(shape_error(storage::sentence("item: the tensor has shape ", shape(),
                                                      " and not one element; use (i, j, ...) or values()")));
        return *node().numbers;
    }
    /// The element at a position: one index per axis; negative indices count from the end. Throws shape_error outside
    /// of the shape.
    template <class... Position>
    [[nodiscard]] T operator()(Position... position) const {
        constexpr bool integers = (... && (std::convertible_to<Position, index> && !std::floating_point<Position>));
        static_assert(integers, "tensor: a position is not an integer; write t(i, j) with an integer for each axis");
        if constexpr (integers) return node().numbers[offset_of("operator()", {index_of(position)...})];
        return T();
    }
    template <class Position>
    T operator[](const Position&) const {
        static_assert(!std::same_as<Position, Position>,
                      "tensor: t[i] has no meaning; write t(i, j) for a number, or select(t, axis, i) for a slice");
        return T();
    }
    /// A copy of all numbers in row-major order.
    [[nodiscard]] std::vector<T> values() const {
        std::vector<T> numbers(static_cast<std::size_t>(count()));
        if constexpr (std::same_as<T, bool>) {
            index i = 0;
            kernels::for_each(
                shape(), [&](index at) { numbers[static_cast<std::size_t>(i++)] = node().numbers[at]; }, strides());
        } else {
            kernels::copy(shape(), numbers.data(), storage::dense_strides(shape()), node().numbers, strides());
        }
        return numbers;
    }
    /// The numbers in row-major order, without a copy. Valid while a handle of the tensor lives; not for temporaries.
    /// Throws shape_error if the tensor is a view with gaps.
    [[nodiscard]] std::span<const T> span() const& {
        check_contiguous("span");
        return {node().numbers, static_cast<std::size_t>(count())};
    }
    template <class Temporary = tensor>
    void span() const&& {
        static_assert(!std::same_as<Temporary, tensor>,
                      "span: the tensor is a temporary, so the span would dangle; give it a name, or use values()");
    }

    // Numbers in. These change every tensor that shares the numbers.
    /// The numbers for writing, valid while a handle of the tensor lives; not for temporaries. Derivatives of earlier
    /// operations that read these numbers can no longer be computed. You may keep the span: later operations store a
    /// checksum of the numbers that their derivatives read, and backward() throws if they have changed. Throws
    /// gradient_error if the tensor requires a gradient, except under no_grad, and shape_error for a view with gaps.
    [[nodiscard]] std::span<T> mutable_span() & {
        check_contiguous("mutable_span");
        before_change("mutable_span");
        node().values->is_exposed = true;
        return {node().numbers, static_cast<std::size_t>(count())};
    }
    template <class Temporary = tensor>
    void mutable_span() && {
        static_assert(!std::same_as<Temporary, tensor>,
                      "mutable_span: the tensor is a temporary, so the span would dangle; give it a name");
    }
    /// Sets every element to a number. Throws like mutable_span() about gradients, and shape_error for a view that
    /// repeats numbers.
    void fill(T number) {
        before_change("fill");
        kernels::for_each(shape(), [&](index at) { node().numbers[at] = number; }, strides());
    }
    /// Sets one element. Throws like fill(), and shape_error outside of the shape.
    void set(const extents& position, T number) {
        const index at = offset_of("set", position);
        before_change("set");
        node().numbers[at] = number;
    }
    /// Overwrites the numbers with those of a tensor that broadcasts to this shape; recorded like += if one of both
    /// requires a gradient. Throws shape_error for other shapes, gradient_error where others that share the numbers
    /// would have a wrong gradient, and else like fill().
    void assign(const tensor& source);

    /// A copy with numbers of its own, which may be changed in place. Gradients pass through it: where this tensor
    /// requires one, it is recorded as any operation; detach().clone() is a copy outside of the graph.
    [[nodiscard]] tensor clone() const;
    /// A tensor that shares the numbers, outside of any graph.
    [[nodiscard]] tensor detach() const {
        const graph::node<T>& shared = node();
        auto* made = graph::make<graph::node<T>>();
        made->share_value(shared);
        return tensor(made);
    }

    // Gradients.
    /// Whether backward() computes a gradient for this tensor.
    [[nodiscard]] bool requires_grad() const { return node().wants_gradient; }
    /// Makes a leaf collect gradients, or not. Returns *this. Throws gradient_error for `false` on a computed tensor.
    tensor& requires_grad(bool wanted)
    requires differentiable
    {
        if (!node().leaf() && !wanted)
            core::raise(
                gradient_error(storage::sentence("requires_grad: a result of ", node().name(),
                                                 " requires a gradient because its arguments do; use detach()")));
        node().wants_gradient = wanted;
        return *this;
    }
    template <class Wanted>
    requires(!differentiable)
    tensor& requires_grad(Wanted) {
        static_assert(differentiable || !std::same_as<Wanted, Wanted>,
                      "requires_grad: the elements are not floating-point numbers, which alone have gradients; use "
                      "convert<double>(x)");
        return *this;
    }
    /// Makes backward() keep the gradient of a computed tensor; leaves always keep theirs. Returns *this.
    tensor& retain_grad()
    requires differentiable
    {
        check_wants_gradient("retain_grad");
        node().keep_gradient();
        return *this;
    }
    /// The sum of the gradients of all backward passes since zero_grad(), in the shape of the tensor; zeros if there
    /// was none. For a leaf the result shares memory with the gradient until the next pass writes it: changing it in
    /// place changes the gradient, and later passes do not change it. Throws gradient_error if no gradient is
    /// collected.
    [[nodiscard]] tensor grad() const
    requires differentiable
    {
        check_wants_gradient("grad");
        if (!node().leaf() && !node().keeps_gradient)
            core::raise(gradient_error(storage::sentence("grad: the gradient of a result of ", node().name(),
                                                         " is not kept; call retain_grad() before backward()")));
        if (!node().leaf()) {
            tensor total = empty<T>(shape());
            std::copy_n(node().kept_gradient(), count(), total.node().numbers);
            return total;
        }
        if (!node().gradient_written) {
            const auto [target, adds] = node().take_gradient();
            std::fill_n(target, count(), T(0));
            node().gradient_written = false;
        }
        auto* made = graph::make<graph::node<T>>();
        made->values = node().gradient;
        made->numbers = made->values->template numbers<T>();
        made->shape = shape();
        made->strides = storage::dense_strides(shape());
        made->count = count();
        return tensor(made);
    }
    /// Whether a backward pass has computed a gradient since zero_grad().
    [[nodiscard]] bool has_grad() const { return node().gradient_written || node().gradient_kept; }
    /// Clears the gradient.
    void zero_grad() { node().forget_gradient(); }
    /// Adds the derivatives of this tensor, which must have one element, to the gradients of the leaves it was computed
    /// from. Throws gradient_error if that is not possible; then all gradients are unchanged.
    void backward() const
    requires differentiable;
    /// The same for sum(*this * seed). The seed must have the shape of the tensor, otherwise throws shape_error.
    void backward(const tensor& seed) const
    requires differentiable;

    /// The node, for operations. Throws std::logic_error if the tensor was moved from.
    [[nodiscard]] graph::node<T>& node() const {
        if (!node_) [[unlikely]]
            refuse_moved_from();
        return *node_.get();
    }
    /// Whether this is the only handle of the node and its buffer, so that an operation may reuse them.
    [[nodiscard]] bool sole_owner() const { return node().references == 1 && node().values.unique(); }

    /// Throws unless the numbers may be changed in place.
    void check_change(const char* call) const {
        if (node().wants_gradient && graph::recording)
            core::raise(gradient_error(
                storage::sentence(call, ": the tensor of shape ", shape(),
                                  " requires a gradient and would be changed in place "
                                  "where no derivative can follow; change it while a no_grad lives, or use "
                                  "detach().clone()")));
        if (node().wants_gradient && !node().leaf())
            core::raise(gradient_error(
                storage::sentence(call, ": the tensor of shape ", shape(), " was computed by ", node().name(),
                                  ", and its graph would not know of the change; use detach() or detach().clone()")));
        check_unrepeated(call);
    }
    /// The same, and counts the change. For in-place operations.
    void before_change(const char* call) {
        check_change(call);
        ++node().values->version;
    }
    /// Throws shape_error for a view that repeats numbers.
    void check_unrepeated(const char* call) const {
        if (contiguous()) return;
        for (std::size_t axis = 0; axis < rank(); ++axis)
            if (strides()[axis] == 0 && shape()[axis] > 1)
                core::raise(shape_error(storage::sentence(
                    call, ": the tensor of shape ", shape(), " is a view that repeats numbers along axis ", axis,
                    ", so that a change of one element would change others; change a clone()")));
    }

private:
    template <class Iterator>
    tensor(const extents& shape, Iterator numbers, std::size_t count) : node_(graph::make<graph::node<T>>()) {
        const index places = shape.count("tensor", sizeof(T));
        if (places != static_cast<index>(count))
            core::raise(shape_error(storage::sentence("tensor: shape ", shape, " holds ", places, " numbers and ",
                                                      count, " were given; give one number for each place")));
        node().make_dense(shape);
        std::copy_n(numbers, count, node().numbers);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_moved_from() {
        core::raise(
            std::logic_error("tensor: it was moved from and holds nothing; assign another to it before it is used"));
    }
    // A position too large for `index` must not wrap to a negative one, which would count from the end.
    template <class Position>
    static constexpr index index_of(Position position) {
        if constexpr (std::unsigned_integral<Position>)
            if (position > static_cast<std::make_unsigned_t<index>>(std::numeric_limits<index>::max()))
                return std::numeric_limits<index>::max();
        return static_cast<index>(position);
    }
    void check_contiguous(const char* call) const {
        if (!contiguous())
            core::raise(shape_error(storage::sentence(call, ": the tensor of shape ", shape(),
                                                      " is a view with gaps; use clone() or values()")));
    }
    void check_wants_gradient(const char* call) const {
        if (!node().wants_gradient)
            core::raise(gradient_error(
                storage::sentence(call, ": the tensor of shape ", shape(),
                                  " does not collect gradients; call requires_grad(true) before it is used")));
    }
    [[nodiscard]] index offset_of(const char* call, const extents& position) const {
        if (position.rank() != rank())
            core::raise(
                shape_error(storage::sentence(call, ": ", position.rank(), " numbers do not name an element of shape ",
                                              shape(), "; give one number per axis")));
        index offset = 0;
        for (std::size_t axis = 0; axis < rank(); ++axis) {
            const index size = shape()[axis], at = position[axis] < 0 ? position[axis] + size : position[axis];
            if (at < 0 || at >= size)
                core::raise(
                    shape_error(storage::sentence(call, ": position ", position, " lies outside shape ", shape(),
                                                  "; positions go from 0 to the size - 1, or from -1 backwards")));
            offset += at * strides()[axis];
        }
        return offset;
    }

    graph::node_reference<T> node_;
};

} // namespace chainrule::tensor
