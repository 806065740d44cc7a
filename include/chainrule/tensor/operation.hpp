// SPDX-License-Identifier: BSL-1.0
//
// How does an operation come into the graph? It is a node that keeps references to the tensors it read, with the version
// that their numbers had. Next: tensor.hpp, the handle that users hold.
#pragma once

#include <chainrule/tensor/node.hpp>

namespace chainrule::tensor::graph {

/// An operation with Count arguments; Derived has `static constexpr const char* called` and `void propagate()`, which
/// passes the gradient on. Only references to nodes stand in `arguments`, so that freeing does not recurse.
template <class Derived, arithmetic T, std::size_t Count>
class operation : public node<T> {
public:
    operation() { this->arguments = places_; }
    [[nodiscard]] const char* name() const noexcept override { return Derived::called; }
    void backward() override { static_cast<Derived&>(*this).propagate(); }

private:
    void destroy() noexcept override {
        auto* self = static_cast<Derived*>(this);
        self->~Derived();
        memory::give_back(self, sizeof(Derived));
    }
    argument<T> places_[Count] = {};
};

/// Reads of a value that another handle has since changed in place would follow a graph that does not know the change.
template <arithmetic T>
[[gnu::cold, gnu::noinline]] void refuse_outdated(const node<T>& by, const node<T>& read) {
    throw gradient_error(sentence(by.name(), ": the tensor of shape ", read.shape, " computed by ", read.name(),
                                  " was changed in place through another handle or view; use the handle that made "
                                  "the change, or change a clone()"));
}
template <arithmetic T>
[[gnu::always_inline]] inline void check_current(const node<T>& by, const node<T>& read) {
    if (!read.leaf() && read.values->version != read.version) [[unlikely]]
        refuse_outdated(by, read);
}

/// One more argument of an operation; there must be room for it.
template <arithmetic T>
[[gnu::always_inline]] inline void add_argument(node<T>& made, const node<T>& source) {
    auto& shared = const_cast<node<T>&>(source); // the graph shares what the handle lets read
    made.arguments[made.argument_count++] = {&shared, shared.values->version};
    ++shared.references;
    ++shared.uses;
    if (made.level <= shared.level) made.level = shared.level + 1;
}

/// Makes `made` the operation that computed its value from `sources`; without effect where nothing wants a gradient.
template <arithmetic T, class... Source>
[[gnu::always_inline]] inline void record(node<T>& made, values_read reads, const Source&... sources) {
    (check_current<T>(made, sources), ...);
    if (!recording || !(... || sources.wants_gradient)) return;
    made.wants_gradient = true;
    made.reads = reads;
    made.version = made.values->version;
    (add_argument(made, sources), ...);
}

} // namespace chainrule::tensor::graph
