// SPDX-License-Identifier: BSL-1.0
//
// How do gradients reach the leaves? Operations are visited by falling level, so each passes its gradient on when all of
// it has arrived; there is no recursion and no search. Gradients of computed tensors are dropped once passed on.
#pragma once

#include <chainrule/tensor/tensor.hpp>

namespace chainrule::tensor {
namespace graph {

/// The operations whose gradient waits to be passed on, by falling level.
template <element T>
class backward_pass {
public:
    backward_pass() : waiting_(std::move(kept())) {}
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    ~backward_pass() {
        // Only after an exception is anything left.
        for (node<T>* left : waiting_) {
            left->pending = false;
            finish(*left);
        }
        waiting_.clear();
        kept() = std::move(waiting_);
    }

    void run(node<T>& root) {
        add(root);
        while (!waiting_.empty()) {
            std::pop_heap(waiting_.begin(), waiting_.end(), lower);
            node<T>& next = *waiting_.back();
            waiting_.pop_back();
            next.pending = false;
            const finisher drop{next};
            check_versions(next);
            next.backward();
            for (std::uint32_t k = 0; k < next.argument_count; ++k)
                if (node<T>& source = next.at(k); source.wants_gradient && !source.leaf()) add(source);
        }
    }

private:
    struct finisher {
        node<T>& of;
        ~finisher() { finish(of); }
    };
    static void finish(node<T>& done) {
        if (done.keeps_gradient || done.leaf()) return;
        done.gradient = {};
        done.gradient_written = false;
    }
    static bool lower(const node<T>* a, const node<T>* b) { return a->level < b->level; }
    static std::vector<node<T>*>& kept() {
        static thread_local std::vector<node<T>*> memory;
        return memory;
    }
    void add(node<T>& next) {
        if (std::exchange(next.pending, true)) return;
        waiting_.push_back(&next);
        std::push_heap(waiting_.begin(), waiting_.end(), lower);
    }
    static void check_versions(const node<T>& of) {
        for (std::uint32_t k = 0; k < of.argument_count; ++k) {
            const node<T>& source = of.at(k);
            if ((of.reads >> k & 1) != 0 && source.values->version != of.arguments[k].version)
                throw gradient_error(sentence("backward: ", of.name(), " needs argument ", k + 1, " of shape ", source.shape,
                                              ", which was changed in place after it was read (change ",
                                              source.values->version, ", read at ", of.arguments[k].version,
                                              "); change a clone() instead"));
        }
        if ((of.reads & reading::result) != 0 && of.values->version != of.version)
            throw gradient_error(sentence("backward: ", of.name(), " needs its result of shape ", of.shape,
                                          ", which was changed in place after it was computed; change a clone() instead"));
    }

    std::vector<node<T>*> waiting_;
};

} // namespace graph

template <element T>
void tensor<T>::backward() const
    requires differentiable
{
    if (count() != 1)
        throw gradient_error(sentence("backward: the tensor has shape ", shape(),
                                      " and not one element; give a seed of that shape, or take backward() of a sum"));
    backward(full<T>(shape(), T(1)));
}

template <element T>
void tensor<T>::backward(const tensor& seed) const
    requires differentiable
{
    if (!requires_grad())
        throw gradient_error(sentence("backward: the tensor of shape ", shape(), " was computed from nothing that wants a "
                                      "gradient; call requires_grad(true) on the leaves before they are used"));
    if (seed.shape() != shape())
        throw shape_error(sentence("backward: the seed has shape ", seed.shape(), " and the tensor ", shape(),
                                   "; give a seed of the tensor's shape"));
    graph::node<T>& root = node();
    if (!root.leaf()) {
        root.gradient = {};
        root.gradient_written = false;
    }
    const auto [target, adds] = root.take_gradient();
    const extents packed = dense_strides(shape());
    loops::map(shape(), target, adds, [](T s) { return s; }, std::tuple<const T*>(seed.node().numbers), packed, seed.strides());
    if (!root.leaf()) graph::backward_pass<T>().run(root);
}

} // namespace chainrule::tensor
