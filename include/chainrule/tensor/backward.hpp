// SPDX-License-Identifier: BSL-1.0
//
// How do gradients reach the leaves? Operations are visited by falling level, so each passes its gradient on when all of
// it has arrived; there is no recursion and no search. Gradients of computed tensors are dropped once passed on.
#pragma once

#include <chainrule/tensor/tensor.hpp>

namespace chainrule::tensor {
namespace graph {

/// The operations whose gradient waits to be passed on, as a heap by level. A few have room in the object itself.
template <arithmetic T>
class waiting_operations {
public:
    waiting_operations() = default;
    waiting_operations(const waiting_operations&) = delete;
    waiting_operations& operator=(const waiting_operations&) = delete;
    ~waiting_operations() {
        if (places_ != few_) memory::give_back(places_, capacity_ * sizeof(node<T>*));
    }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    void push(node<T>& next) {
        if (size_ == capacity_) [[unlikely]]
            grow();
        places_[size_++] = &next;
        if (size_ != 1) std::push_heap(places_, places_ + size_, lower);
    }
    /// The one of the highest level.
    [[nodiscard]] node<T>& pop() {
        if (size_ != 1) std::pop_heap(places_, places_ + size_, lower);
        return *places_[--size_];
    }

private:
    static bool lower(const node<T>* a, const node<T>* b) { return a->level < b->level; }
    void grow() {
        auto** const larger = static_cast<node<T>**>(memory::take(2 * capacity_ * sizeof(node<T>*)));
        std::copy_n(places_, size_, larger);
        if (places_ != few_) memory::give_back(places_, capacity_ * sizeof(node<T>*));
        places_ = larger;
        capacity_ *= 2;
    }
    node<T>* few_[16];
    node<T>** places_ = few_;
    std::size_t size_ = 0, capacity_ = 16;
};

template <arithmetic T>
class backward_pass {
public:
    backward_pass() = default;
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    ~backward_pass() {
        while (!waiting_.empty()) { // only after an exception
            node<T>& left = waiting_.pop();
            left.pending = false;
            finish(left);
        }
    }

    void run(node<T>& root) {
        add(root);
        while (!waiting_.empty()) {
            node<T>& next = waiting_.pop();
            next.pending = false;
            const finisher drop{next};
            check_versions(next);
            for (std::uint32_t k = 0; k < next.argument_count; ++k)
                if (node<T>& source = next.at(k); source.wants_gradient && !source.leaf()) add(source);
            next.backward();
        }
    }

private:
    struct finisher {
        node<T>& of;
        ~finisher() { finish(of); }
    };
    static void finish(node<T>& done) {
        if (!done.leaf()) done.finish_gradient();
    }
    void add(node<T>& next) {
        if (!std::exchange(next.pending, true)) waiting_.push(next);
    }
    static void check_versions(const node<T>& of) {
        if (of.reads == reading::nothing) return;
        for (std::uint32_t k = 0; k < of.argument_count; ++k) {
            const node<T>& source = of.at(k);
            if ((of.reads >> k & 1) != 0 && source.values->version != of.arguments[k].version) [[unlikely]]
                throw gradient_error(sentence("backward: ", of.name(), " needs argument ", k + 1, " of shape ", source.shape,
                                              ", which was changed in place after it was read (change ",
                                              source.values->version, ", read at ", of.arguments[k].version,
                                              "); change a clone() instead"));
        }
        if ((of.reads & reading::result) != 0 && of.values->version != of.version) [[unlikely]]
            throw gradient_error(sentence("backward: ", of.name(), " needs its result of shape ", of.shape,
                                          ", which was changed in place after it was computed; change a clone() instead"));
    }

    waiting_operations<T> waiting_;
};

/// A backward pass from a node whose gradient write_seed(gradient, adds) writes.
template <arithmetic T, class WriteSeed>
void start_backward(node<T>& root, WriteSeed write_seed) {
    if (!root.wants_gradient)
        throw gradient_error(sentence("backward: the tensor of shape ", root.shape, " was computed from nothing that wants a "
                                      "gradient; call requires_grad(true) on the leaves before they are used"));
    const auto [gradient, adds] = root.take_gradient();
    write_seed(gradient, adds);
    if (!root.leaf()) backward_pass<T>().run(root);
}

} // namespace graph

template <arithmetic T>
void tensor<T>::backward() const
    requires differentiable
{
    if (count() != 1)
        throw gradient_error(sentence("backward: the tensor has shape ", shape(),
                                      " and not one element; give a seed of that shape, or take backward() of a sum"));
    graph::start_backward(node(), [](T* gradient, bool adds) { *gradient = adds ? *gradient + T(1) : T(1); });
}

template <arithmetic T>
void tensor<T>::backward(const tensor& seed) const
    requires differentiable
{
    if (seed.shape() != shape())
        throw shape_error(sentence("backward: the seed has shape ", seed.shape(), " and the tensor ", shape(),
                                   "; give a seed of the tensor's shape"));
    graph::start_backward(node(), [&](T* gradient, bool adds) {
        loops::map(shape(), gradient, adds, [](T s) { return s; }, std::tuple<const T*>(seed.node().numbers),
                   dense_strides(shape()), seed.strides());
    });
}

} // namespace chainrule::tensor
