// SPDX-License-Identifier: BSL-1.0
//
// The tensor that users hold: a handle to a node, cheap to copy; copies share numbers and gradient. This header makes
// it from numbers, reads and writes its elements, and gives its gradient; the operations are functions in other
// headers.
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

/// A tensor of any rank, row-major; views of it (reshape, transpose, slice, broadcast_to) share its numbers.
/// A handle: copies are the same tensor. Tensors that share numbers or a graph belong to one thread at a time.
/// Example: `tensor<float> w{{1, 2}, {3, 4}}; w.requires_grad(true); sum(w * w).backward(); w.grad();`
template <arithmetic T>
class tensor {
public:
    using value_type = T;
    static constexpr bool differentiable = std::floating_point<T>;

    /// The scalar 0, of shape ().
    tensor() : tensor(extents{}, std::initializer_list<T>{T(0)}) {}
    /// A scalar, or nested braces of numbers of one shape.
    tensor(const nested_values<T>& values) : tensor(values.shape(), values.numbers()) {}
    tensor(std::initializer_list<nested_values<T>> rows) : tensor(nested_values<T>(rows)) {}
    /// From numbers in row-major order. Throws shape_error where their count is not that of the shape.
    tensor(const extents& shape, std::span<const T> numbers) : tensor(shape, numbers.begin(), numbers.size()) {}
    tensor(const extents& shape, std::initializer_list<T> numbers)
        : tensor(shape, std::span<const T>(numbers.begin(), numbers.size())) {}
    tensor(const extents& shape, const std::vector<T>& numbers) : tensor(shape, numbers.begin(), numbers.size()) {}
    /// The handle of a node: for operations. A template, since 0 would be a null pointer and is to be a scalar.
    template <std::derived_from<graph::node<T>> Node>
    explicit tensor(Node* node) noexcept : node_(node) {}

    // What it is.
    [[nodiscard]] const extents& shape() const { return node().shape; }
    /// The size along an axis, which may count from the end.
    [[nodiscard]] index size(index axis) const { return shape()[storage::axis_of("size", axis, rank())]; }
    [[nodiscard]] std::size_t rank() const { return shape().rank(); }
    /// The number of elements.
    [[nodiscard]] index count() const { return node().count; }
    /// In elements, one per axis; 0 where the view repeats numbers.
    [[nodiscard]] const extents& strides() const { return node().strides; }
    /// Whether the elements lie without gaps in row-major order.
    [[nodiscard]] bool contiguous() const { return node().dense; }
    /// Whether both are views of the same numbers.
    [[nodiscard]] bool shares_numbers_with(const tensor& other) const {
        return node().values.get() == other.node().values.get();
    }

    // Numbers out.
    /// The number of a tensor that has one element.
    [[nodiscard]] T item() const {
        if (count() != 1)
            raise(shape_error(storage::sentence("item: the tensor has shape ", shape(),
                                                " and not one element; use (i, j, ...) or values()")));
        return *node().numbers;
    }
    /// The element at a position: one number per axis, which may count from the end.
    template <std::convertible_to<index>... Position>
    [[nodiscard]] T operator()(Position... position) const {
        return node().numbers[offset_of("operator()", {index_of(position)...})];
    }
    /// All numbers in row-major order, copied.
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
    /// The numbers in place, for reading, in row-major order, as long as a handle of them lives: of a temporary there is
    /// none. Throws shape_error for a view with gaps.
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
    /// The numbers in place, for writing, as long as a handle of them lives: of a temporary there is none. What was
    /// computed from them before can no longer be differentiated, where its derivative reads them. The span may be kept:
    /// what is computed from then on remembers a checksum of the numbers that its derivative reads, and backward() throws
    /// where they have changed. Throws gradient_error for a tensor that wants a gradient, unless no_grad is in force.
    [[nodiscard]] std::span<T> mutable_span() & {
        check_contiguous("mutable_span");
        before_change("mutable_span");
        node().values->lent = true;
        return {node().numbers, static_cast<std::size_t>(count())};
    }
    template <class Temporary = tensor>
    void mutable_span() && {
        static_assert(!std::same_as<Temporary, tensor>,
                      "mutable_span: the tensor is a temporary, so the span would dangle; give it a name");
    }
    /// Sets every element.
    void fill(T number) {
        before_change("fill");
        kernels::for_each(shape(), [&](index at) { node().numbers[at] = number; }, strides());
    }
    /// Sets the element at a position.
    void set(const extents& position, T number) {
        const index at = offset_of("set", position);
        before_change("set");
        node().numbers[at] = number;
    }
    /// Copies the numbers of a tensor that broadcasts to this shape. No operation of the graph: see no_grad.
    void assign(const tensor& source) {
        if (storage::broadcast_shape("assign", shape(), source.shape()) != shape())
            raise(shape_error(storage::sentence("assign: shape ", source.shape(), " does not broadcast to ", shape(),
                                                "; give a tensor of the shape to be written")));
        const tensor held = shares_numbers_with(source) ? source.clone() : source;
        before_change("assign");
        kernels::copy(shape(), node().numbers, strides(), held.node().numbers,
                      storage::broadcast_strides(held.shape(), held.strides(), shape()));
    }

    /// The same numbers in memory of their own, outside any graph.
    [[nodiscard]] tensor clone() const {
        tensor copy = empty<T>(shape());
        kernels::copy(shape(), copy.node().numbers, copy.strides(), node().numbers, strides());
        return copy;
    }
    /// The same numbers, shared, outside any graph.
    [[nodiscard]] tensor detach() const {
        auto* made = graph::make<graph::node<T>>();
        made->share_value(*node_);
        return tensor(made);
    }

    // Gradients.
    /// Whether backward() passes a gradient on to this tensor.
    [[nodiscard]] bool requires_grad() const { return node().wants_gradient; }
    /// Makes a tensor that was not computed from others collect gradients, or not. Returns *this.
    tensor& requires_grad(bool wanted) requires differentiable {
        if (!node().leaf() && !wanted)
            raise(gradient_error(storage::sentence("requires_grad: a result of ", node().name(),
                                                   " wants a gradient because its arguments do; use detach()")));
        node().wants_gradient = wanted;
        return *this;
    }
    /// Makes backward() keep the gradient of a computed tensor; leaves keep theirs anyway. Returns *this.
    tensor& retain_grad() requires differentiable {
        check_wants_gradient("retain_grad");
        node().keep_gradient();
        return *this;
    }
    /// The sum of the gradients of all backward passes since zero_grad(), zeros where there was none; of the shape of
    /// the tensor. Of a leaf, it shares memory with the gradient until that is written again: a change of it in place
    /// changes the gradient, and it stays as it is when gradients are forgotten or added. Throws gradient_error where
    /// none is collected.
    [[nodiscard]] tensor grad() const requires differentiable {
        check_wants_gradient("grad");
        if (!node().leaf() && !node().keeps_gradient)
            raise(gradient_error(storage::sentence("grad: the gradient of a result of ", node().name(),
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
    /// Whether a backward pass has reached this tensor since zero_grad().
    [[nodiscard]] bool has_grad() const { return node().gradient_written || node().gradient_kept; }
    /// Forgets the gradient.
    void zero_grad() { node().forget_gradient(); }
    /// Adds the derivatives of this scalar to the gradients of the leaves it was computed from.
    void backward() const requires differentiable;
    /// The same for any shape: derivatives of the sum of all elements times `seed`, which has the shape of the tensor.
    void backward(const tensor& seed) const requires differentiable;

    /// The node: for operations.
    [[nodiscard]] graph::node<T>& node() const {
        if (!node_) [[unlikely]]
            refuse_moved_from();
        return *node_.get();
    }
    /// Whether this handle alone holds the node, so that an operation may reuse it.
    [[nodiscard]] bool sole_owner() const { return node().references == 1 && node().values.unique(); }

    /// The numbers are about to be changed. For operations in place.
    void before_change(const char* call) {
        if (node().wants_gradient && graph::recording)
            raise(gradient_error(
                storage::sentence(call, ": the tensor of shape ", shape(),
                                  " wants a gradient and would be changed in place "
                                  "where no derivative can follow; change it while a no_grad lives, or use clone()")));
        if (node().wants_gradient && !node().leaf())
            raise(gradient_error(
                storage::sentence(call, ": the tensor of shape ", shape(), " was computed by ", node().name(),
                                  ", and its graph would not know of the change; use detach() or clone()")));
        check_unrepeated(call);
        ++node().values->version;
    }
    /// Throws shape_error for a view that shows numbers several times.
    void check_unrepeated(const char* call) const {
        if (contiguous()) return;
        for (std::size_t axis = 0; axis < rank(); ++axis)
            if (strides()[axis] == 0 && shape()[axis] > 1)
                raise(shape_error(storage::sentence(
                    call, ": the tensor of shape ", shape(), " is a view that repeats numbers along axis ", axis,
                    ", so that a change of one element would change others; change a clone()")));
    }

private:
    template <class Iterator>
    tensor(const extents& shape, Iterator numbers, std::size_t count) : node_(graph::make<graph::node<T>>()) {
        const index places = shape.count("tensor", sizeof(T));
        if (places != static_cast<index>(count))
            raise(shape_error(storage::sentence("tensor: shape ", shape, " holds ", places, " numbers and ", count,
                                                " were given; give one number for each place")));
        node().make_dense(shape);
        std::copy_n(numbers, count, node().numbers);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_moved_from() {
        raise(std::logic_error("tensor: it was moved from and holds nothing; assign another to it before it is used"));
    }
    // A position beyond all that an index can say lies outside of every shape; it must not become one from the end.
    template <class Position>
    static constexpr index index_of(Position position) {
        if constexpr (std::unsigned_integral<Position>)
            if (position > static_cast<std::make_unsigned_t<index>>(std::numeric_limits<index>::max()))
                return std::numeric_limits<index>::max();
        return static_cast<index>(position);
    }
    void check_contiguous(const char* call) const {
        if (!contiguous())
            raise(shape_error(storage::sentence(call, ": the tensor of shape ", shape(),
                                                " is a view with gaps; use clone() or values()")));
    }
    void check_wants_gradient(const char* call) const {
        if (!node().wants_gradient)
            raise(gradient_error(
                storage::sentence(call, ": the tensor of shape ", shape(),
                                  " does not collect gradients; call requires_grad(true) before it is used")));
    }
    [[nodiscard]] index offset_of(const char* call, const extents& position) const {
        if (position.rank() != rank())
            raise(
                shape_error(storage::sentence(call, ": ", position.rank(), " numbers do not name an element of shape ",
                                              shape(), "; give one number per axis")));
        index offset = 0;
        for (std::size_t axis = 0; axis < rank(); ++axis) {
            const index size = shape()[axis], at = position[axis] < 0 ? position[axis] + size : position[axis];
            if (at < 0 || at >= size)
                raise(shape_error(storage::sentence(call, ": position ", position, " lies outside shape ", shape(),
                                                    "; positions go from 0 to the size - 1, or from -1 backwards")));
            offset += at * strides()[axis];
        }
        return offset;
    }

    graph::node_reference<T> node_;
};

} // namespace chainrule::tensor
