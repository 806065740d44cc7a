// SPDX-License-Identifier: BSL-1.0
//
// Preaccumulation: a section of a recording is replaced by the Jacobian of its outputs with respect to its inputs,
// where that has fewer entries than the section has operands. A sweep then takes less memory and time.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tape/derivatives/numbers_within.hpp>
#include <chainrule/tape/derivatives/section_jacobian.hpp>

#include <functional>

namespace chainrule::tape {

/// The part of a recording from here to preaccumulate(). Example: `tape::section s(t); ...; s.preaccumulate(y, z);`
template <class T>
class section {
public:
    using number = active<T>; ///< of the tape

    /// Begins a section at the end of the recording.
    explicit section(basic_tape<T>& on) : tape_(&on), begin_(on.mark()) {}

    /// Ends the section, whose outputs are these numbers: active numbers, or lists, tuples and structs of them.
    /// Replaces its statements by one for each output, with the derivatives with respect to the numbers from before the
    /// section that it depends on, and returns true, if these statements have fewer operands. The outputs then are
    /// their results, and using other numbers of the section throws std::logic_error. Otherwise, or if an operation()
    /// is in the section, everything stays as it is. The next section begins here.
    ///
    /// Throws std::logic_error if the tape was rewound to before the section, or if an output is on another tape.
    template <class... Output>
    bool preaccumulate(Output&... outputs) {
        constexpr bool seen = sizeof...(Output) > 0 && (true && ... && has_outputs<Output>());
        static_assert(seen,
                      "section: an output has no active numbers of the tape's type, or hides them in a class; name "
                      "the numbers that are used after the section");
        if constexpr (seen) {
            memory& m = kept_memory();
            m.outputs.clear();
            (within::for_each_active<T>(outputs, [&](number& y) { m.outputs.push_back({0, &y}); }), ...);
            const bool replaced = replace(m);
            begin_ = tape_->mark();
            return replaced;
        } else {
            return false;
        }
    }

    /// See preaccumulate(function, inputs...).
    template <class F, class... X>
    [[nodiscard]] static auto of_call(F& f, X&&... x) {
        using given = std::invoke_result_t<F&, X...>;
        if constexpr (std::is_void_v<given>) {
            static_assert(!std::is_void_v<given>,
                          "preaccumulate: the function returns nothing; return the numbers that "
                          "are used after the section");
        } else {
            using result = std::remove_cvref_t<decltype(within::assigned(std::declval<given>()))>;
            constexpr bool seen = !within::has<within::closed>(within::types<result>());
            static_assert(seen, "preaccumulate: the function returns active numbers in expressions or hidden in a "
                                "class; return numbers, or lists, tuples or structs of them");
            basic_tape<T>* on = nullptr;
            (within::for_each_active<T>(
                 x, [&](const number& input) { on = on == nullptr && input.is_recorded() ? input.recorder() : on; }),
             ...);
            if constexpr (seen && within::has<T>(within::types<result>()))
                if (on != nullptr) {
                    section part(*on);
                    result outputs = std::invoke(f, std::forward<X>(x)...);
                    part.preaccumulate(outputs);
                    return outputs;
                }
            return result(std::invoke(f, std::forward<X>(x)...));
        }
    }

private:
    basic_tape<T>* tape_;
    position begin_;

    struct output {
        index result;
        number* at;
    };
    struct memory {
        std::vector<output> outputs;
        std::vector<index> results, operands;
        std::vector<T> partials;
        sweeping::section_jacobian<T> jacobian;
    };
    // An allocation would take longer than a short section.
    [[nodiscard]] static memory& kept_memory() {
        static thread_local memory kept;
        return kept;
    }

    template <class Output>
    [[nodiscard]] static consteval bool has_outputs() {
        return !std::is_const_v<Output> && within::has<T>(within::types<Output>()) &&
               !within::has<within::closed>(within::types<Output>());
    }

    bool replace(memory& m) {
        tape_->check_not_swept("preaccumulate");
        if (!tape_->recording_.has(begin_))
            core::raise(std::logic_error("preaccumulate: the tape was rewound to before the section began; begin the "
                                         "section afterwards"));
        const position end = tape_->mark();
        std::erase_if(m.outputs, [&](output& y) {
            y.result = y.at->is_recorded() ? tape_->checked_number(*y.at, "preaccumulate") : 0;
            return y.result < begin_.next; // from before the section, or plain
        });
        if (tape_->has_operation_since(begin_)) return false;
        std::ranges::sort(m.outputs, {}, &output::result);
        m.results.clear();
        for (const output& y : m.outputs)
            if (m.results.empty() || m.results.back() != y.result) m.results.push_back(y.result);
        if (!m.jacobian.is_smaller(tape_->recording_, begin_, end, m.results)) return false;
        m.jacobian.compute();
        m.jacobian.reserve_row(m.partials, m.operands);
        // Fewer entries than before fit into the blocks, so nothing fails from here.
        tape_->rewind_to(begin_);
        auto y = m.outputs.begin();
        for (std::size_t i = 0; i < m.results.size(); ++i) {
            m.jacobian.read_row(i, m.partials, m.operands);
            const place result = tape_->recording_.append(m.partials.data(), m.operands.data(), m.operands.size());
            for (; y != m.outputs.end() && y->result == m.results[i]; ++y)
                *y->at = tape_->handle(y->at->value(), result);
        }
        return true;
    }
};

/// f(x...), recorded as a section: see section::preaccumulate(). The outputs are what f returns: an active number, or a
/// list, a tuple or a struct of them. Use no other numbers that f computes. The inputs are found, also those that f
/// captures; x has at least one recorded number, whose tape it is. Where x has no active numbers, as in replay, this is
/// f(x...). Example: `number y = preaccumulate([](auto a, auto b) { ...; return c; }, a, b);`
template <class F, class... X>
[[nodiscard]] auto preaccumulate(F&& f, X&&... x) {
    if constexpr ((false || ... || within::is_unassigned<std::remove_cvref_t<X>>)) {
        return chainrule::tape::preaccumulate(f, within::assigned(std::forward<X>(x))...);
    } else {
        using T = typename decltype(within::first(
            (core::type_list<>{} + ... + within::types<std::remove_cvref_t<X>>())))::type;
        if constexpr (std::same_as<T, within::closed>)
            return std::invoke(f, std::forward<X>(x)...);
        else
            return section<T>::of_call(f, std::forward<X>(x)...);
    }
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
