// SPDX-License-Identifier: BSL-1.0
//
// The destinations of the outputs of a batch's program: each to one stream, or to those of all entries of a symmetric
// matrix that are equal.
#pragma once

#include <chainrule/batch/data/streams.hpp>
#include <chainrule/differentiate/modes.hpp>
#include <chainrule/codegen/pattern.hpp>

#include <array>

namespace chainrule::batches {

/// The requests with symmetric results. A program computes the results with indices i <= j <= k.
inline constexpr unsigned symmetric_requests = request::hessians | request::weighted_hessians | request::thirds;

/// The streams of the outputs of a request, for Rows expressions and Variables variables. Full symmetric results have a
/// stream for each of their entries; else there is one for each output.
template <unsigned Request, std::size_t Rows, std::size_t Variables, bool Full>
struct destinations {
    static constexpr auto outputs_of(unsigned each) {
        for (const auto& m : differentiate::modes)
            if (m.request == each)
                return static_cast<std::size_t>(differentiate::output_count(m, Request, int{Rows}, int{Variables}));
        return std::size_t{0};
    }
    static constexpr bool expands = Full && (Request & symmetric_requests) != 0;
    static constexpr std::size_t degree = (Request & request::thirds) != 0 ? 3 : 2;
    static constexpr std::size_t most = !expands ? 1 : degree == 3 ? 6 : 2;
    static constexpr std::size_t count =
        static_cast<std::size_t>(differentiate::first_output(0, Request, int{Rows}, int{Variables}));
    static constexpr std::size_t compact = expands ? outputs_of(Request & symmetric_requests) : 0;
    static constexpr std::size_t entries = Variables * Variables * (degree == 3 ? Variables : 1);
    static constexpr std::size_t places = expands ? count - compact + entries : count;

    static constexpr void add(destination<most>& to, std::size_t place) {
        for (std::size_t n = 0; n < to.count; ++n)
            if (to.places[n] == place) return;
        to.places[to.count++] = place;
    }
    static constexpr destination<most> equal_entries(std::size_t begin, const std::array<std::size_t, degree>& at) {
        destination<most> all{};
        for (std::size_t i = 0; i < degree; ++i)
            for (std::size_t j = 0; j < degree; ++j) {
                if (i == j) continue;
                const std::size_t place = at[i] * Variables + at[j];
                add(all, begin + (degree == 3 ? place * Variables + at[3 - i - j] : place));
            }
        return all;
    }

    static constexpr auto of = [] {
        std::array<destination<most>, count> all{};
        for (std::size_t k = 0; k < count; ++k) all[k] = {1, {k}};
        if constexpr (expands) {
            constexpr auto indices = differentiate::ascending_indices<degree, Variables>();
            const std::size_t begin = count - compact; // the last of the results that are requested together
            for (std::size_t k = 0; k < compact; ++k) all[begin + k] = equal_entries(begin, indices[k]);
        }
        return all;
    }();
};

/// Of results without the entries that are zero everywhere.
template <class Pattern>
struct sparse_destinations {
    static constexpr bool symmetric = requires { Pattern::places; };
    static constexpr std::size_t most = symmetric ? 2 : 1, places = Pattern::entries;
    static constexpr std::size_t count = [] {
        if constexpr (symmetric)
            return Pattern::places.size();
        else
            return Pattern::entries;
    }();
    static constexpr auto of = [] {
        std::array<destination<most>, count> all{};
        for (std::size_t k = 0; k < count; ++k)
            if constexpr (symmetric) {
                const auto [entry, mirror] = Pattern::places[k];
                all[k] = {entry == mirror ? std::size_t{1} : 2, {entry, mirror}};
            } else {
                all[k] = {1, {k}};
            }
        return all;
    }();
};

/// The streams of a request for a function: both halves of symmetric results, or one where there is memory for just
/// that.
template <unsigned Request, std::size_t Variables, class Inputs, class Expressions>
struct destinations_of {
    static constexpr std::size_t rows = expressions::long_list<Expressions>::size;
    using full = destinations<Request, rows, Variables, true>;
    using compact = destinations<Request, rows, Variables, false>;
};
template <unsigned Request, std::size_t Variables, class Inputs, class Expressions>
requires((Request & request::without_zeros) != 0)
struct destinations_of<Request, Variables, Inputs, Expressions> {
    static constexpr unsigned derivatives = Request & ~unsigned{request::without_zeros};
    template <unsigned Of>
    static auto pattern() {
        if constexpr (Of == request::jacobians)
            return std::type_identity<codegen::jacobian_pattern<Variables, Inputs, Expressions>>{};
        else
            return std::type_identity<codegen::hessian_pattern<Of, Variables, Inputs, Expressions>>{};
    }
    using full = sparse_destinations<typename decltype(pattern<derivatives>())::type>;
    using compact = full;
};

} // namespace chainrule::batches
