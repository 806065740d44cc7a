// SPDX-License-Identifier: BSL-1.0
//
// The interface of other libraries in GradBench's evals. Each is in a file of its own, since their headers clash: a
// class with those of these members that it can answer. Each eval has an object of it.
//   gradient(f, x, result)            of a function of a list
//   newton_direction(f, x, result)    its gradient over the diagonal of its Hessian, which is diagonal
//   jacobian(f, x, to)                of a function of an array to a list, row by row; goes_forward is true if it
//                                     takes a direction for each variable, so that many rows cost little
// A library takes no part in evals that need another one. `particle` and `saddle`, which nest derivatives, have none.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>

#include "../ba.hpp"
#include "../det.hpp"
#include "../gmm.hpp"
#include "../hello.hpp"
#include "../ht.hpp"
#include "../kmeans.hpp"
#include "../llsq.hpp"
#include "../lse.hpp"
#include "../lstm.hpp"
#include "../ode.hpp"

namespace gradbench {

/// By a library in an eval; nothing where it takes no part.
template <class Eval>
using entry_to = std::optional<answering> (*)(const Eval&);

template <class... Eval>
using entries_to = std::tuple<entry_to<Eval>...>;

struct peer {
    const char* name;
    entries_to<ba, det, gmm, hello, ht, kmeans, llsq, lse, lstm, ode> entries;
};

/// The Jacobian of the hand in N columns.
template <std::size_t N, class Library>
void write_columns(Library& library, const ht& eval, numbers& result) {
    std::array<double, N> at;
    std::ranges::copy(eval.columns_at(), at.begin());
    result.resize(3 * eval.seen.size() * N);
    library.jacobian([&](const auto& z) { return eval.of_columns(z); }, at, result.data());
}

template <class Library, class Eval>
std::optional<answering> enter(const Eval& eval) {
    constexpr bool has_jacobian = requires { &Library::template jacobian<Eval, 1>; };
    const auto its = std::make_shared<Library>();
    if constexpr (std::is_same_v<Eval, ba>) {
        if constexpr (has_jacobian)
            return [&eval, its](numbers& result) {
                eval.blocks(result, [&](const auto& seen, const auto& at) {
                    std::array<std::array<double, 15>, 2> rows;
                    its->jacobian(ba::residual_for(seen), at, rows[0].data());
                    return rows;
                });
            };
    } else if constexpr (std::is_same_v<Eval, ht>) {
        if constexpr (has_jacobian && requires { requires Library::goes_forward; })
            return [&eval, its](numbers& result) {
                if (eval.is_complicated())
                    write_columns<ht::parameters + 2>(*its, eval, result);
                else
                    write_columns<ht::parameters>(*its, eval, result);
            };
    } else if constexpr (std::is_same_v<Eval, kmeans>) {
        if constexpr (requires { &Library::template newton_direction<Eval>; })
            return [&eval, its](numbers& result) {
                result.resize(eval.point.size());
                its->newton_direction(eval, eval.point, result);
            };
    } else if constexpr (requires { &Library::template gradient<Eval>; }) {
        return [&eval, its](numbers& result) {
            result.resize(eval.point.size());
            its->gradient(eval, eval.point, result);
        };
    }
    return std::nullopt;
}

template <class Library>
peer peer_of(const char* name) {
    return [name]<class... Eval>(std::type_identity<std::tuple<entry_to<Eval>...>>) {
        return peer{name, {enter<Library, Eval>...}};
    }(std::type_identity<decltype(peer::entries)>{});
}

} // namespace gradbench
