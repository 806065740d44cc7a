// SPDX-License-Identifier: BSL-1.0
//
// The node behind a tensor: a view of a buffer, and the operation that computed it, which knows the tensors it read and
// how to pass a gradient on to them. Nodes are counted and freed without recursion, so a chain may have any length.
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

/// An argument of an operation, with the version its numbers had. Of numbers that somebody may change through a span the
/// version does not tell all, so those that are read again have a checksum too.
template <arithmetic T>
struct argument {
    node<T>* source = nullptr;
    std::uint32_t version = 0;
    std::uint32_t checksum = 0;
};

/// Where a gradient is to be written: dense, in the shape of the value; added to what is there, or over it.
template <arithmetic T>
struct gradient_target {
    T* numbers;
    bool adds;
};

/// What an operation leaves to the end of the backward pass, as bits: to change leaves that descend, see node::descends().
using remainder = std::uint8_t;
namespace leaving {
inline constexpr remainder nothing = 0, descent_of_weights = 1, descent_of_bias = 2, memory = 4; // to be taken for it
} // namespace leaving

/// A tensor. A leaf is a node without arguments; an operation derives from this and adds what its backward pass needs.
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

    /// Shows the numbers of another tensor, all in their places.
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
    bool keeps_gradient = false; // of an interior node, after the backward pass: see keep_gradient()
    bool pending = false;        // in the backward pass under way
    bool views_argument = false; // shares the numbers of its first argument
    bool is_product = false;     // of matrices: what follows may become part of it
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
    /// Passes the gradient on to the arguments that want one. May leave the change of leaves that descend for the end.
    virtual void backward() {}
    /// The end of a pass in which nothing failed: changes the leaves that descend. That must not fail, so
    /// prepare_descent(), which is called for all operations before, takes the memory and puts it into the reserve.
    virtual void prepare_descent() {}
    virtual void descend() noexcept {}

    [[nodiscard]] bool leaf() const noexcept { return argument_count == 0; }
    [[nodiscard]] node& at(std::size_t k) const noexcept { return *arguments[k].source; }
    [[nodiscard]] bool wanted(std::size_t k) const noexcept { return at(k).wants_gradient; }
    [[nodiscard]] const T* gradient_numbers() const noexcept { return gradient->template numbers<T>(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(count) * sizeof(T); }

    /// Where the gradient of this value goes next.
    [[nodiscard, gnu::always_inline]] gradient_target<T> take_gradient() {
        if (!gradient.unique()) [[unlikely]]
            make_gradient();
        return {gradient->template numbers<T>(), std::exchange(gradient_written, true)};
    }
    /// Memory for the gradient: anew where there is none, and where others look at it: a handle that grad() gave, or the
    /// backward pass under way, which remembers what was there before. That of a node that keeps its gradient is larger,
    /// is made by keep_gradient(), and never leaves the node.
    void make_gradient() {
        storage::buffer_reference own(storage::buffer::make(bytes()));
        if (gradient_written) std::copy_n(gradient_numbers(), count, own->template numbers<T>());
        gradient = std::move(own);
    }
    /// From now on a pass does not drop the gradient but adds it to those of earlier passes, which lie behind it. A sum
    /// in its place would be passed on again.
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
    /// The gradient has been passed on, or the pass has failed.
    void drop_gradient() noexcept {
        if (!keeps_gradient) gradient = {};
        gradient_written = false;
    }
    /// The gradient has been passed on in a pass that has succeeded.
    void add_to_kept_gradient() noexcept {
        for (index i = 0; i < count; ++i) kept_gradient()[i] += gradient_numbers()[i];
        gradient_kept = true;
        gradient_written = false;
    }
    /// Whether the operation that reads this value changes it itself, at the end of the pass, instead of its gradient.
    [[nodiscard]] bool descends() const noexcept { return descent != T(0) && uses == 1 && !gradient_written; }
    /// The same for sums: zeros are there to begin with.
    [[nodiscard]] T* add_to_gradient() {
        const auto [target, adds] = take_gradient();
        if (!adds) std::fill_n(target, count, T(0));
        return target;
    }
    /// Hands the gradient of this value to an argument of the same count of elements as it is. The last one to be
    /// served may take the memory over, unless one of them keeps its gradient and so has memory of another size.
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

    /// Sets the shape of a value without gaps and takes memory for it.
    void make_dense(const extents& new_shape) {
        const index elements = new_shape.count_or_none(sizeof(T));
        if (elements < 0) [[unlikely]]
            new_shape.refuse_count(name());
        shape = new_shape;
        strides = storage::dense_strides(shape);
        take_memory(elements);
    }
    /// The same for a matrix.
    void make_matrix(index rows, index columns) {
        shape.set(rows, columns);
        strides.set(columns, 1);
        index elements = 0;
        if (__builtin_mul_overflow(rows, columns, &elements) || elements > extents::most_elements(sizeof(T))) [[unlikely]]
            shape.refuse_count(name());
        take_memory(elements);
    }
    /// The same for a scalar; of a new node.
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
    /// Ends the life of the object and gives its memory back.
    virtual void destroy() noexcept {
        this->node::~node();
        storage::give_back(this, sizeof(node));
    }

public:
    /// Counts one use less; frees the node, and what only it used, when that was the last.
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

    /// Puts this node before those of a list.
    void link(node*& first) noexcept { next_ = std::exchange(first, this); }
    [[nodiscard]] node* linked() const noexcept { return next_; }

    /// Calls visit(node) for this node and all that it was computed from, once each, without memory of its own.
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
