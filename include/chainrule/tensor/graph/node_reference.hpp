// SPDX-License-Identifier: BSL-1.0
//
// Reference-counted handles of nodes, and make() for new nodes.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/node.hpp>

namespace chainrule::tensor::graph {

/// A reference-counted handle of a node.
template <arithmetic T>
class node_reference {
public:
    node_reference() = default;
    explicit node_reference(node<T>* shared) noexcept : shared_(shared) {
        if (shared_ != nullptr) ++shared_->references;
    }
    node_reference(const node_reference& other) noexcept : node_reference(other.shared_) {}
    node_reference(node_reference&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    node_reference& operator=(node_reference other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~node_reference() { node<T>::release(shared_); }

    [[nodiscard]] node<T>* get() const noexcept { return shared_; }
    [[nodiscard]] node<T>* operator->() const noexcept { return shared_; }
    [[nodiscard]] node<T>& operator*() const noexcept { return *shared_; }
    explicit operator bool() const noexcept { return shared_ != nullptr; }

private:
    node<T>* shared_ = nullptr;
};

/// A new node of a derived class, in memory from the reserve of the thread.
template <class Node, class... Argument>
[[nodiscard]] Node* make(Argument&&... arguments) {
    void* place = storage::take(sizeof(Node));
    CHAINRULE_TRY { return ::new (place) Node(std::forward<Argument>(arguments)...); }
    CHAINRULE_CATCH(...) {
        storage::give_back(place, sizeof(Node));
        CHAINRULE_RETHROW;
    }
}

} // namespace chainrule::tensor::graph
