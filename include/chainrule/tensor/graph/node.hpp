// SPDX-License-Identifier: BSL-1.0
//
// The node behind a tensor: a view of a buffer, and the operation that computed it, with its arguments and its backward
// function. Nodes are reference-counted and freed without recursion, so a chain may have any length.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/recording.hpp>
#include <chainrule/tensor/storage/extents.hpp>
#include <chainrule/tensor/storage/memory.hpp>

#include <concepts>
#include <cstring>

namespace chainrule::tensor::graph {

template <arithmetic T>
class node;

/// An argument of an operation and the version its buffer had. If a mutable_span of the buffer exists, the version does
/// not count all changes; then the checksum of the numbers does.
template <arithmetic T>
struct argument {
    node<T>* source = nullptr;
    std::uint32_t version = 0;
    std::uint32_t checksum = 0;
};

/// Where to write a gradient: contiguous, in the shape of the value; to be added to if `adds`, else overwritten.
template <arithmetic T>
struct gradient_target {
    T* numbers;
    bool adds;
};

/// Work that an operation defers to the end of the backward pass, as bits: updates of weights that descend, see
/// node::descends().
using remainder = std::uint8_t;
namespace leaving {
inline constexpr remainder nothing = 0, descent_of_weights = 1, descent_of_bias = 2, memory = 4; // to be taken for it
} // namespace leaving

/// A value of the graph. A leaf has no arguments; operations derive from this class and add what their backward
/// function needs.
template <arithmetic T>
class node {
public:
    using value_type = T;

    node() = default;
    node(const node&) = delete;
    node& operator=(const node&) = delete;

    // The value: a view of a buffer.
    storage::buffer_reference values;
    T* numbers = nullptr; // the first element
    extents shape;
    extents strides; // in elements
    index count = 0; // of elements
    bool dense = true;

    /// Makes this a view of all numbers of another node.
    void share_value(const node& other) {
        values = other.values;
        numbers = other.numbers;
        shape = other.shape;
        strides = other.strides;
        count = other.count;
        dense = other.dense;
    }

    // The graph.
    bool wants_gradient = false;
    bool keeps_gradient = false;            // of an interior node, after the backward pass: see keep_gradient()
    bool pending = false;                   // in the backward pass under way
    bool views_argument = false;            // shares the numbers of its first argument
    bool is_product = false;                // of matrices: what follows may become part of it
    remainder left_over = leaving::nothing; // by the pass under way
    std::uint32_t references = 0;
    std::uint32_t uses = 0; // by living operations
    std::uint32_t argument_count = 0;
    values_read reads = reading::nothing;
    std::uint32_t version = 0; // of the buffer, when an operation wrote this value
    std::uint64_t level = 0;   // larger than that of every argument: the order of the backward pass
    argument<T>* arguments = nullptr;

    // The gradient, dense.
    std::uint64_t reached_in = 0; // of a leaf: the last backward pass that came here
    storage::buffer_reference gradient;
    bool gradient_written = false;
    bool gradient_kept = false; // the sum of passes that are over, of an interior node: see keep_gradient()
    // Of a leaf under plain gradient descent: what the gradient is multiplied by before it is added to the value at the
    // end of the pass, where only one operation reads the value. 0 where the gradient is to be collected.
    T descent = 0;

    /// The name of the operation.
    [[nodiscard]] virtual const char* name() const noexcept { return "leaf"; }
    /// Adds to the gradients of the arguments that require one. May defer the update of weights that descend.
    virtual void backward() {}
    /// The deferred updates, after everything that can fail. descend() must not fail: prepare_descent(), which is
    /// called for all operations first, puts the memory that it needs into the reserve.
    virtual void prepare_descent() {}
    virtual void descend() noexcept {}

    [[nodiscard]] bool leaf() const noexcept { return argument_count == 0; }
    [[nodiscard]] node& at(std::size_t k) const noexcept { return *arguments[k].source; }
    [[nodiscard]] bool wanted(std::size_t k) const noexcept { return at(k).wants_gradient; }
    /// The node that computed the numbers of a view; of others the node itself.
    [[nodiscard]] const node& owner() const noexcept {
        const node* of = this;
        while (of->views_argument && !of->leaf()) of = &of->at(0);
        return *of;
    }
    [[nodiscard]] const T* gradient_numbers() const noexcept { return gradient->template numbers<T>(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(count) * sizeof(T); }

    /// The memory for the next contribution to the gradient.
    [[nodiscard, gnu::always_inline]] gradient_target<T> take_gradient() {
        if (!gradient.unique()) [[unlikely]]
            make_gradient();
        return {gradient->template numbers<T>(), std::exchange(gradient_written, true)};
    }
    /// Makes new memory for the gradient if there is none or if it is shared: with a handle from grad(), or with the
    /// current backward pass, which keeps the previous gradient. The memory of a retained gradient is larger, made by
    /// keep_gradient(), and never leaves the node.
    void make_gradient() {
        storage::buffer_reference own(storage::buffer::make(bytes()));
        if (gradient_written) std::copy_n(gradient_numbers(), count, own->template numbers<T>());
        gradient = std::move(own);
    }
    /// From now on each pass adds the gradient to those of earlier passes, which are stored behind it. Summed in place,
    /// they would be passed on again.
    void keep_gradient() {
        if (leaf() || keeps_gradient) return;
        gradient = storage::buffer_reference(storage::buffer::make(2 * bytes()));
        keeps_gradient = true;
        forget_gradient();
    }
    [[nodiscard]] T* kept_gradient() const noexcept { return gradient->template numbers<T>() + count; }
    void forget_gradient() noexcept {
        gradient_written = gradient_kept = false;
        if (keeps_gradient) std::fill_n(kept_gradient(), count, T(0));
    }
    /// Releases the gradient after it has been passed on, or after a failed pass.
    void drop_gradient() noexcept {
        if (!keeps_gradient) gradient = {};
        gradient_written = false;
    }
    /// Adds the gradient to the retained one at the end of a successful pass.
    void add_to_kept_gradient() noexcept {
        for (index i = 0; i < count; ++i) kept_gradient()[i] += gradient_numbers()[i];
        gradient_kept = true;
        gradient_written = false;
    }
    /// Whether the only operation that reads this value updates it at the end of the pass, instead of its gradient.
    [[nodiscard]] bool descends() const noexcept { return descent != T(0) && uses == 1 && !gradient_written; }
    /// The gradient to add to, filled with zeros if it is new.
    [[nodiscard]] T* add_to_gradient() {
        const auto [target, adds] = take_gradient();
        if (!adds) std::fill_n(target, count, T(0));
        return target;
    }
    /// Passes the gradient unchanged to an argument with as many elements. The last argument may take over the memory,
    /// unless the gradient of either node is retained, since then the memory has another size.
    void pass_gradient_to(node& to, bool last) {
        if (last && !(keeps_gradient | to.keeps_gradient | to.gradient_written) && gradient.unique()) {
            to.gradient = std::move(gradient);
            to.gradient_written = true;
            return;
        }
        const T* source = gradient_numbers();
        const auto [target, adds] = to.take_gradient();
        if (adds)
            for (index i = 0; i < count; ++i) target[i] += source[i];
        else
            std::copy_n(source, count, target);
    }

    /// Sets the shape and takes memory for a contiguous value.
    void make_dense(const extents& new_shape) {
        const index elements = new_shape.count_or_none(sizeof(T));
        if (elements < 0) [[unlikely]]
            new_shape.refuse_count(name());
        shape = new_shape;
        strides = storage::dense_strides(shape);
        take_memory(elements);
    }
    /// The same for the shape (rows, columns).
    void make_matrix(index rows, index columns) {
        shape.set(rows, columns);
        strides.set(columns, 1);
        index elements = 0;
        if (__builtin_mul_overflow(rows, columns, &elements) || elements > extents::most_elements(sizeof(T)))
            [[unlikely]]
            shape.refuse_count(name());
        take_memory(elements);
    }
    /// The same for a scalar; the node must be new.
    void make_scalar() { take_memory(1); }

protected:
    [[gnu::always_inline]] ~node() = default;
    [[gnu::always_inline]] void take_memory(index elements) {
        count = elements;
        dense = true;
        values.reset(storage::buffer::make(bytes()));
        numbers = values->template numbers<T>();
    }

private:
    /// Destroys the object and returns its memory.
    virtual void destroy() noexcept {
        this->node::~node();
        storage::give_back(this, sizeof(node));
    }

public:
    /// Drops a reference; frees the node and all arguments that are no longer referenced.
    static void release(node* last) noexcept {
        if (last == nullptr || --last->references != 0) return;
        node* waiting = last;
        last->next_ = nullptr;
        while (waiting != nullptr) {
            node* const dead = std::exchange(waiting, waiting->next_);
            for (std::uint32_t k = 0; k < dead->argument_count; ++k) {
                node* const source = dead->arguments[k].source;
                --source->uses;
                if (--source->references == 0) {
                    source->next_ = waiting;
                    waiting = source;
                }
            }
            dead->destroy();
        }
    }

    /// Prepends this node to a list.
    void link(node*& first) noexcept { next_ = std::exchange(first, this); }
    [[nodiscard]] node* linked() const noexcept { return next_; }

    /// Calls visit(node) once for this node and all nodes that it depends on, without allocating.
    template <class Visit>
    [[gnu::cold]] void each_reachable(Visit visit) noexcept {
        node* last = this;
        next_ = nullptr;
        found_ = true;
        for (node* at = this; at != nullptr; at = at->next_)
            for (std::uint32_t k = 0; k < at->argument_count; ++k)
                if (node& source = at->at(k); !std::exchange(source.found_, true)) {
                    source.next_ = nullptr;
                    last->next_ = &source;
                    last = &source;
                }
        for (node* at = this; at != nullptr; at = at->next_) {
            at->found_ = false;
            visit(*at);
        }
    }

private:
    node* next_ = nullptr; // in the list of those to be freed, to descend, or found
    bool found_ = false;
};

} // namespace chainrule::tensor::graph
