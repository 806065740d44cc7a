// SPDX-License-Identifier: BSL-1.0
//
// Recording: an operation is a node with counted references to its arguments and the versions of their buffers.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/checksum.hpp>
#include <chainrule/tensor/graph/node_reference.hpp>

namespace chainrule::tensor::graph {

/// An operation with Count arguments. Derived has `static constexpr const char* called`, its name in errors, and `void
/// propagate()`, which passes the gradient on. `arguments` holds plain pointers, counted by hand, so that freeing does
/// not recurse.
template <class Derived, arithmetic T, std::size_t Count>
class operation : public node<T> {
public:
    operation() { this->arguments = places_; }
    [[nodiscard]] const char* name() const noexcept override { return Derived::called; }
    void backward() override { static_cast<Derived&>(*this).propagate(); }

protected:
    [[gnu::always_inline]] ~operation() = default;

private:
    void destroy() noexcept override {
        auto* self = static_cast<Derived*>(this);
        self->~Derived();
        storage::give_back(self, sizeof(Derived));
    }
    argument<T> places_[Count] = {};
};

/// Throws gradient_error: another handle has changed the value in place, and the graph does not contain that change.
template <arithmetic T>
[[gnu::cold, gnu::noinline]] void refuse_outdated(const char* by, const node<T>& read) {
    core::raise(gradient_error(
        storage::sentence(by, ": the tensor of shape ", read.shape, " computed by ", read.name(),
                          " was changed in place through another handle or view; use the handle that made "
                          "the change, or change a clone()")));
}
/// Whether another handle has changed the value in place since it was computed.
template <arithmetic T>
[[nodiscard, gnu::always_inline]] inline bool is_outdated(const node<T>& read) {
    return !read.leaf() && read.values->version != read.version;
}
template <arithmetic T>
[[gnu::always_inline]] inline void check_current(const node<T>& by, const node<T>& read) {
    if (is_outdated(read)) [[unlikely]]
        refuse_outdated(by.name(), read);
}

/// Appends an argument to an operation that has room for it.
template <arithmetic T>
[[gnu::always_inline]] inline void add_argument(node<T>& made, const node<T>& source) {
    auto& shared = const_cast<node<T>&>(source); // the graph shares what the handle lets read
    argument<T>& place = made.arguments[made.argument_count];
    place.source = &shared;
    place.version = shared.values->version;
    if (shared.values->is_exposed && reads_argument(made.reads, made.argument_count)) [[unlikely]]
        place.checksum = checksum(shared);
    ++made.argument_count;
    ++shared.references;
    ++shared.uses;
    if (made.level <= shared.level) made.level = shared.level + 1;
}

/// Records that `made` was computed from `sources`, unless none of them requires a gradient.
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
