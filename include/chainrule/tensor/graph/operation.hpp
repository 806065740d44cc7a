// SPDX-License-Identifier: BSL-1.0
//
// Recording: an operation is a node with counted references to its arguments and the versions of their buffers.
#pragma once

#include <chainrule/core/for_each_index.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/node_reference.hpp>
#include <chainrule/tensor/kernels/loops.hpp>

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

/// A checksum of the bits of all elements in order. It misses one change in 2^32.
template <arithmetic T>
[[gnu::cold, gnu::noinline]] std::uint32_t checksum(const node<T>& of) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
    constexpr std::size_t lanes = 8;                  // independent of each other, so that they overlap
    // Of 16 bytes of a long double, 10 are its value.
    constexpr std::size_t bytes = std::numeric_limits<T>::digits == 64 && sizeof(T) == 16 ? 10 : sizeof(T);
    std::uint64_t lane[lanes];
    std::fill_n(lane, lanes, odd);
    // A product spreads a bit to higher ones only, and the rotation brings those down.
    const auto mixed = [](std::uint64_t sum, std::uint64_t word) { return std::rotl((sum ^ word) * odd, 31); };
    std::size_t next = 0;
    const auto add = [&](const T* number) {
        std::uint64_t words[2] = {};
        std::memcpy(words, number, bytes);
        std::uint64_t& sum = lane[next++ % lanes];
        sum = mixed(sum, words[0]);
        if constexpr (bytes > sizeof(std::uint64_t)) sum = mixed(sum, words[1]);
    };
    if (of.dense && bytes == sizeof(T)) { // word by word
        constexpr std::size_t at_once = lanes * sizeof(std::uint64_t) / sizeof(T);
        const auto count = static_cast<std::size_t>(of.count);
        std::size_t i = 0;
        for (; i + at_once <= count; i += at_once) {
            std::uint64_t words[lanes];
            std::memcpy(words, of.numbers + i, sizeof(words));
            core::for_each_index<lanes, lanes>([&](std::size_t k) { lane[k] = mixed(lane[k], words[k]); });
        }
        for (; i < count; ++i) add(of.numbers + i);
    } else {
        kernels::for_each(of.shape, [&](index at) { add(of.numbers + at); }, of.strides);
    }
    std::uint64_t all = 0;
    for (const std::uint64_t sum : lane) all = mixed(all, sum);
    return static_cast<std::uint32_t>(all * odd >> 32);
}

/// Appends an argument to an operation that has room for it.
template <arithmetic T>
[[gnu::always_inline]] inline void add_argument(node<T>& made, const node<T>& source) {
    auto& shared = const_cast<node<T>&>(source); // the graph shares what the handle lets read
    argument<T>& place = made.arguments[made.argument_count];
    place.source = &shared;
    place.version = shared.values->version;
    if (shared.values->is_exposed && (made.reads >> made.argument_count & 1) != 0) [[unlikely]]
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
