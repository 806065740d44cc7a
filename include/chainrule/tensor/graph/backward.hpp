// SPDX-License-Identifier: BSL-1.0
//
// The backward pass. It visits operations by falling level, so that the gradient of each is complete when it is passed
// on, without recursion or search. Gradients of computed tensors are released once they have been passed on.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/creation.hpp>
#include <chainrule/tensor/graph/operation.hpp>
#include <chainrule/tensor/kernels/map.hpp>

#include <atomic>

namespace chainrule::tensor {
namespace graph {

/// A list with room for a few elements in the object itself.
template <class Value>
class short_list {
public:
    short_list() = default;
    short_list(const short_list&) = delete;
    short_list& operator=(const short_list&) = delete;
    ~short_list() {
        if (places_ != few_) storage::give_back(places_, capacity_ * sizeof(Value));
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] Value* begin() noexcept { return places_; }
    [[nodiscard]] Value* end() noexcept { return places_ + size_; }
    void push(const Value& next) {
        if (size_ == capacity_) [[unlikely]]
            grow();
        places_[size_++] = next;
    }
    Value& pop() noexcept { return places_[--size_]; }

private:
    void grow() {
        auto* const larger = static_cast<Value*>(storage::take(2 * capacity_ * sizeof(Value)));
        std::copy_n(places_, size_, larger);
        if (places_ != few_) storage::give_back(places_, capacity_ * sizeof(Value));
        places_ = larger;
        capacity_ *= 2;
    }
    static constexpr std::size_t room = 16;
    static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_default_constructible_v<Value>);
    Value few_[room];
    Value* places_ = few_;
    std::size_t size_ = 0, capacity_ = room;
};

/// A unique number for each backward pass of the program; threads reserve 2^32 at a time.
[[nodiscard]] inline std::uint64_t number_of_pass() noexcept {
    static constinit std::atomic<std::uint64_t> blocks = 0;
    static constinit thread_local std::uint64_t last = 0;
    if ((++last & 0xffffffff) == 1) [[unlikely]]
        last = blocks.fetch_add(1, std::memory_order_relaxed) << 32 | 1;
    return last;
}

/// One backward pass. If it fails, all gradients and values are unchanged: the gradients of leaves are restored, and
/// retained gradients and deferred updates are applied only at the end.
template <arithmetic T>
class backward_pass {
public:
    explicit backward_pass(node<T>& root) noexcept : root_(root) {}
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    ~backward_pass() {
        if (!done_) [[unlikely]]
            undo();
    }

    /// Runs the pass from the root, whose gradient write_seed(gradient, adds) writes.
    template <class WriteSeed>
    void run(WriteSeed write_seed) {
        reach(root_);
        const auto [gradient, adds] = root_.take_gradient();
        write_seed(gradient, adds);
        while (waiting_.size() != 0) {
            node<T>& next = highest();
            next.pending = false;
            check_versions(next);
            for (std::uint32_t k = 0; k < next.argument_count; ++k)
                if (node<T>& source = next.at(k); source.wants_gradient) reach(source);
            next.backward();
            if (next.left_over != leaving::nothing) {
                next.link(descending_);
                left_over_ |= next.left_over;
            } else if (next.keeps_gradient) [[unlikely]] {
                remember(next, nullptr);
            } else {
                next.drop_gradient();
            }
        }
        if ((left_over_ & leaving::memory) != 0) prepare_descents();
        done_ = true;
        for (node<T>* next = descending_; next != nullptr; next = next->linked()) {
            next->descend();
            next->left_over = leaving::nothing;
            next->drop_gradient();
        }
        if (outliving_ != nullptr) [[unlikely]]
            finish();
    }

private:
    /// A leaf and the gradient it had before the pass; or an operation that retains its gradient.
    struct outliving {
        node<T>* of;
        storage::buffer* before;
        outliving* next;
    };

    [[gnu::always_inline]] void reach(node<T>& next) {
        if (next.leaf()) {
            if (next.reached_in == pass_) return;
            if (next.gradient_written) [[unlikely]]
                remember(next, next.gradient.get());
            next.reached_in = pass_;
        } else if (!next.pending) {
            waiting_.push(&next);
            if (waiting_.size() != 1) std::push_heap(waiting_.begin(), waiting_.end(), lower);
            next.pending = true;
        }
    }
    [[gnu::noinline]] void remember(node<T>& next, storage::buffer* before) {
        outliving_ = ::new (storage::take(sizeof(outliving))) outliving{&next, before, outliving_};
        if (before != nullptr) ++before->references; // so that it is not written
    }
    /// Calls visit(node, previous gradient) for all that remember() stored, and clears the list.
    template <class Visit>
    void for_each_outliving(Visit visit) noexcept {
        while (outliving_ != nullptr) {
            const outliving each = *outliving_;
            storage::give_back(outliving_, sizeof(outliving));
            outliving_ = each.next;
            const storage::buffer_reference before(each.before);
            if (each.before != nullptr) --each.before->references; // that of remember()
            visit(*each.of, before);
        }
    }
    static bool lower(const node<T>* a, const node<T>* b) { return a->level < b->level; }
    [[nodiscard]] node<T>& highest() {
        if (waiting_.size() != 1) std::pop_heap(waiting_.begin(), waiting_.end(), lower);
        return *waiting_.pop();
    }

    [[gnu::noinline]] void prepare_descents() {
        for (node<T>* next = descending_; next != nullptr; next = next->linked())
            if ((next->left_over & leaving::memory) != 0) next->prepare_descent();
    }
    [[gnu::noinline]] void finish() noexcept {
        for_each_outliving([](node<T>& each, const storage::buffer_reference& before) {
            if (!before) each.add_to_kept_gradient();
        });
    }
    /// Must not allocate: the pass may have failed because there is no memory.
    [[gnu::cold, gnu::noinline]] void undo() noexcept {
        root_.each_reachable([this](node<T>& each) {
            if (!each.leaf()) {
                each.pending = false;
                each.left_over = leaving::nothing;
                if (each.gradient_written) each.drop_gradient();
            } else if (each.reached_in == pass_) {
                each.gradient_written = false;
            }
        });
        for_each_outliving([](node<T>& each, const storage::buffer_reference& before) {
            if (!before) return;
            each.gradient = before;
            each.gradient_written = true;
        });
    }
    static void check_versions(const node<T>& of) {
        if (of.reads == reading::nothing) return;
        for (std::uint32_t k = 0; k < of.argument_count; ++k) {
            const node<T>& source = of.at(k);
            if (!reads_argument(of.reads, k)) continue;
            if (source.values->version != of.arguments[k].version) [[unlikely]]
                core::raise(gradient_error(
                    storage::sentence("backward: ", of.name(), " needs argument ", k + 1, " of shape ", source.shape,
                                      ", which was changed in place after it was read (change ", source.values->version,
                                      ", read at ", of.arguments[k].version, "); change a clone() instead")));
            if (source.values->is_exposed && of.arguments[k].checksum != checksum(source)) [[unlikely]]
                core::raise(gradient_error(
                    storage::sentence("backward: ", of.name(), " needs argument ", k + 1, " of shape ", source.shape,
                                      ", which was changed through a mutable_span() after it was read; write before "
                                      "the tensor is read, or change a clone() instead")));
        }
        if ((of.reads & reading::result) != 0 && of.values->version != of.version) [[unlikely]]
            core::raise(gradient_error(
                storage::sentence("backward: ", of.name(), " needs its result of shape ", of.shape,
                                  ", which was changed in place after it was computed; change a clone() instead")));
    }

    node<T>& root_;
    const std::uint64_t pass_ = number_of_pass();
    short_list<node<T>*> waiting_; // operations whose gradient is to be passed on: a heap by level
    outliving* outliving_ = nullptr;
    node<T>* descending_ = nullptr; // the last of the operations that change leaves at the end
    remainder left_over_ = leaving::nothing;
    bool done_ = false;
};

/// Runs a backward pass from a node whose gradient write_seed(gradient, adds) writes.
template <arithmetic T, class WriteSeed>
void start_backward(node<T>& root, WriteSeed write_seed) {
    if (!root.wants_gradient)
        core::raise(gradient_error(storage::sentence("backward: the tensor of shape ", root.shape,
                                                     " does not depend on a tensor that requires a gradient; "
                                                     "call requires_grad(true) on the leaves before they are used")));
    if (is_outdated(root)) refuse_outdated("backward", root);
    backward_pass<T>(root).run(write_seed);
}

} // namespace graph

template <arithmetic T>
void tensor<T>::backward() const
requires differentiable
{
    if (count() != 1)
        core::raise(gradient_error(
            storage::sentence("backward: the tensor has shape ", shape(),
                              " and not one element; give a seed of that shape, or take backward() of a sum")));
    graph::start_backward(node(), [](T* gradient, bool adds) { *gradient = adds ? *gradient + T(1) : T(1); });
}

template <arithmetic T>
void tensor<T>::backward(const tensor& seed) const
requires differentiable
{
    if (seed.shape() != shape())
        core::raise(shape_error(storage::sentence("backward: the seed has shape ", seed.shape(), " and the tensor ",
                                                  shape(), "; give a seed of the tensor's shape")));
    graph::start_backward(node(), [&](T* gradient, bool adds) {
        kernels::map(
            shape(), gradient, adds, [](T s) { return s; }, std::tuple<const T*>(seed.node().numbers),
            storage::dense_strides(shape()), seed.strides());
    });
}

} // namespace chainrule::tensor
