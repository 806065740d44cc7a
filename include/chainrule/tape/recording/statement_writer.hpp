// SPDX-License-Identifier: BSL-1.0
//
// The statements of expressions: their values and partial derivatives, written onto the tape that the operands are on.
#pragma once

#include <chainrule/tape/recording/tape.hpp>

#include <algorithm>
#include <array>

namespace chainrule::tape {

/// Records statements of active<T>. `places` and `values` are those of the operands. Operands that are not recorded get
/// no entry, nor do those that the form drops.
template <class T>
class statement_writer {
public:
    using number = active<T>;

    /// Whether the partial derivatives of a statement of so many operands are computed in registers, and not where they
    /// are recorded. Of four they would take twice the code.
    [[nodiscard]] static constexpr bool is_short(std::size_t count) { return count <= 3; }

    /// Records a statement computed by `run(to)`, which writes the partial derivatives with respect to the operands and
    /// returns the value.
    template <auto Form, std::size_t Count, class Run>
    [[gnu::always_inline]] static number record(const std::array<place, Count>& places,
                                                const std::array<const T*, Count>& values, Run run) {
        if constexpr (is_short(Count))
            return record_short<Form>(places, values, run, std::make_index_sequence<Count>{});
        else
            return record_long<Form>(places, values, run);
    }
    /// The same for programs that may be long: the code has one copy of `run(to)`.
    template <auto Form, std::size_t Count, class Run>
    [[gnu::always_inline]] static number record_program(const std::array<place, Count>& places, Run run) {
        std::array<T, Count> partials;
        T* to = partials.data();
        if constexpr (!is_short(Count) && !Form.drops_zeros) {
            head<T>& at = *heads<T>::recent();
            std::array<index, Count> given{};
            const bool fits = find_operands(at, places, given);
            if (fits) [[likely]]
                to = at.partials + at.entry;
            const T value = run(to);
            if (fits) [[likely]]
                return {value, finish_statement(at, given)};
            return record_copy<Form>(places, partials, value);
        } else {
            const T value = run(to);
            return record_copy<Form>(places, partials, value);
        }
    }

private:
    template <auto Form, std::size_t Count>
    [[gnu::always_inline]] static number record_copy(const std::array<place, Count>& places,
                                                     const std::array<T, Count>& partials, const T& value) {
        return record<Form>(places, {}, [&](T* to) CHAINRULE_INLINE {
            std::copy_n(partials.data(), Count, to);
            return value;
        });
    }
    template <auto Form, std::size_t Count, class Run, std::size_t... K>
    [[gnu::always_inline]] static number record_short(const std::array<place, Count>& places,
                                                      const std::array<const T*, Count>& values, Run run,
                                                      std::index_sequence<K...> all) {
        head<T>& at = *heads<T>::recent();
        std::array<T, Count> partials;
        std::array<index, Count> given;
        const T value = run(partials.data());
        place result;
        if (finish_short_statement<Form>(at, places, given, partials, values, result, all)) [[likely]]
            return {value, result};
        // Copies, so that the former stay in registers.
        if constexpr (Form.has_factors()) {
            const T copies[] = {*values[K]...};
            return {value, place_elsewhere<Form, Count>({places[K]...}, {partials[K]...}, copies)};
        } else {
            return {value, place_elsewhere<Form, Count>({places[K]...}, {partials[K]...}, nullptr)};
        }
    }
    template <auto Form, std::size_t Count, class Run>
    [[gnu::always_inline]] static number record_long(const std::array<place, Count>& places,
                                                     const std::array<const T*, Count>& values, Run run) {
        head<T>& at = *heads<T>::recent();
        std::array<T, Count> partials;
        std::array<index, Count> given;
        if (find_operands(at, places, given)) [[likely]] {
            if constexpr (Form.drops_zeros) {
                const T value = run(partials.data());
                return {value, finish_statement_without_zeros(at, given, partials)};
            } else {
                const T value = run(at.partials + at.entry);
                return {value, finish_statement(at, given)};
            }
        }
        place some = 0;
        for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE { some |= places[k]; });
        if (is_plain(some)) return {run(partials.data()), some};
        if (find_recorded_operands(at, places, given)) [[likely]] {
            const T value = run(partials.data());
            return {value, finish_statement_of_some<Form>(at, places, given, partials, values)};
        }
        const T value = run(partials.data());
        const std::array<place, Count> places_there = places;
        std::array<T, Count> partials_there, values_there;
        for_each_index<Count>([&](std::size_t k) CHAINRULE_INLINE {
            partials_there[k] = partials[k];
            if constexpr (Form.has_factors()) values_there[k] = *values[k];
        });
        return {value, place_elsewhere<Form>(places_there, partials_there,
                                             Form.has_factors() ? values_there.data() : nullptr)};
    }

    // The slow path: the operands are not all recorded on one tape, the tape is paused, or a block is full.
    template <auto Form, std::size_t Count>
    [[gnu::noinline, gnu::cold]] static place place_elsewhere(const std::array<place, Count>& places,
                                                              const std::array<T, Count>& partials, const T* values) {
        basic_tape<T>* owner = nullptr;
        unsigned plain = 0;
        std::array<const T*, Count> at{};
        for (std::size_t k = 0; k < Count; ++k) {
            if constexpr (Form.has_factors()) {
                at[k] = values + k;
                plain |= static_cast<unsigned>(is_plain(places[k])) << k;
            }
            if (is_plain(places[k])) continue;
            basic_tape<T>* const other = basic_tape<T>::tape_of_operand(places[k]);
            if (owner != nullptr && other != owner)
                core::raise(
                    std::logic_error("active: an expression has numbers of two tapes; record all of them on one tape"));
            owner = other;
        }
        if (owner == nullptr) return 0;
        std::array<T, Count> kept;
        std::array<index, Count> numbers;
        std::size_t count = 0;
        for (std::size_t k = 0; k < Count; ++k) {
            if (is_plain(places[k])) continue;
            const index found = owner->number_kept(places[k]);
            if (is_dropped<Form>(k, plain, partials, at)) continue;
            kept[count] = partials[k];
            numbers[count++] = found;
        }
        if (owner->recording_.paused()) return 0;
        owner->check_not_swept("active");
        heads<T>::expect(owner->recording_.head_now());
        if (count == 0) {
            if (!Form.drops_zeros) return constant_result;
            kept[0] = T{};
            numbers[0] = 0;
            count = 1;
        }
        return owner->recording_.append(kept.data(), numbers.data(), count);
    }
};

} // namespace chainrule::tape
