// SPDX-License-Identifier: BSL-1.0
//
// The inputs and results of a sweep over a tape: seeds, derivatives in several lanes, and the adjoints as a custom
// operation sees them.
#pragma once

#include <chainrule/core/large_memory.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tape/recording/active.hpp>

#include <array>
#include <stdexcept>
#include <vector>

namespace chainrule::tape {

/// An output with the weight of its derivatives.
template <class T>
struct seed {
    active<T> output;
    T weight = T(1);
};

/// Derivatives of up to Lanes outputs with respect to every recorded number: see basic_tape::backward<Lanes>.
template <class T, std::size_t Lanes>
class lane_adjoints {
public:
    /// The derivative of each output with respect to x; zero for a number that is not recorded. Throws std::logic_error
    /// for a number that was recorded after the sweep or is no longer recorded.
    [[nodiscard]] std::array<T, Lanes> operator[](const active<T>& x) const {
        if (!x.is_recorded()) return {};
        const basic_tape<T>* const tape = basic_tape<T>::checked_tape(x.place_, "backward");
        if (heads<T>::of(x.place_) != head_)
            core::raise(std::logic_error("backward: the number belongs to another tape; use that one"));
        const index n = tape->number_of(x);
        if (adjoints_.empty()) [[unlikely]]
            core::raise(
                std::logic_error("backward: the derivatives were moved from; use the object that they were moved to"));
        if (x.place_ >= end_)
            core::raise(std::logic_error("backward: the number was recorded after the sweep; call backward() again"));
        return adjoints_[n];
    }

private:
    friend class basic_tape<T>;
    lane_adjoints(const head<T>* on, place end, std::size_t size)
        : head_(on), end_(end), adjoints_(size, std::array<T, Lanes>{}) {}

    const head<T>* head_;
    place end_; // the end of the results that were swept
    std::vector<std::array<T, Lanes>, core::large_allocator<std::array<T, Lanes>>> adjoints_;
};

/// The adjoints of a sweep, as a custom operation sees them.
template <class T>
class adjoint_view {
public:
    /// The adjoint of a number, to read or add to. Numbers that are not recorded share one adjoint that is never read.
    [[nodiscard]] T& operator[](const active<T>& x) const { return first_[tape_->number_of(x) * stride_]; }

private:
    friend class basic_tape<T>;
    adjoint_view(const basic_tape<T>& tape, T* first, std::size_t stride)
        : tape_(&tape), first_(first), stride_(stride) {}

    const basic_tape<T>* tape_;
    T* first_;
    std::size_t stride_;
};

} // namespace chainrule::tape
