// SPDX-License-Identifier: BSL-1.0
//
// The derivatives of an eval by each of our ways, as functions that write them into a list. tool.cpp answers GradBench
// with them, gradbench.cpp compares and times them.
#pragma once

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <memory>
#include <optional>

#include "ba.hpp"
#include "det.hpp"
#include "gmm.hpp"
#include "hello.hpp"
#include "ht.hpp"
#include "kmeans.hpp"
#include "llsq.hpp"
#include "lse.hpp"
#include "lstm.hpp"
#include "ode.hpp"
#include "particle.hpp"
#include "saddle.hpp"

namespace gradbench {

template <class Eval>
answering by_hand(const Eval& eval) {
    return [&eval](numbers& result) { eval.by_hand(result); };
}

/// By the tape, recorded anew at each call. A gradient's memory is kept, as other libraries keep theirs; tape::gradient
/// keeps 64 MiB at most.
template <class Eval>
answering by_tape(const Eval& eval) {
    if constexpr (requires(numbers& result) { eval.by_tape(result); })
        return [&eval](numbers& result) { eval.by_tape(result); };
    else if constexpr (std::is_same_v<Eval, kmeans>)
        return [&eval, ones = numbers(eval.point.size(), 1.0)](numbers& result) {
            const auto [value, gradient, product] = chainrule::tape::value_gradient_and_hvp(eval, eval.point, ones);
            result = gradient;
            for (std::size_t i = 0; i < result.size(); ++i) result[i] /= product[i];
        };
    else
        return [&eval, on = std::make_shared<chainrule::tape::tape>()](numbers& result) {
            on->clear();
            const auto x = on->variables(eval.point);
            on->backward(eval(x));
            result.resize(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i].gradient();
        };
}

/// By a recording made once. That of ba would be right for one feature, that of kmeans while no point changes its
/// centroid, and those of particle and saddle for one descent.
template <class Eval>
std::optional<answering> by_replay(const Eval& eval) {
    if constexpr (std::is_same_v<Eval, ht>) {
        if (eval.is_complicated()) return std::nullopt;
        return [&eval, recorded = chainrule::tape::record(eval, eval.point)](numbers& result) mutable {
            result.resize(3 * eval.seen.size() * ht::parameters);
            recorded.jacobian(eval.point, result);
        };
    } else if constexpr (std::is_same_v<Eval, ba> || std::is_same_v<Eval, kmeans> || is_descent<Eval>)
        return std::nullopt;
    else
        return [&eval, recorded = chainrule::tape::record(eval, eval.point)](numbers& result) mutable {
            result.resize(eval.point.size());
            recorded.gradient(eval.point, result);
        };
}

/// By a kernel, a sum or repeated steps.
template <class Eval>
std::optional<answering> by_kernel(const Eval& eval) {
    numbers tried;
    if (!eval.by_kernel(tried)) return std::nullopt;
    return [&eval](numbers& result) { (void)eval.by_kernel(result); };
}

} // namespace gradbench
