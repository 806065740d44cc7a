// SPDX-License-Identifier: BSL-1.0
//
// The truth values of traced code: nodes of a graph, which select() and piecewise() take and nothing can branch on.
#pragma once

#include <chainrule/trace/recorder.hpp>

namespace chainrule::tracing {

/// The result of comparing traced numbers: the condition of select() and piecewise(). (A template, like number, so its
/// functions are compiled where they are called.)
template <class T>
class condition {
public:
    constexpr condition() = default;
    constexpr condition(bool holds) : node_(holds ? 1 : 0) {}
    constexpr condition(recorder& r, int node) : owner_(&r), node_(node) {}

    // A trace has no numbers: there is no truth value to branch on. (Implicit, for functions that return bool.)
    template <class U>
    requires std::is_same_v<U, bool>
    constexpr operator U() const {
        constexpr bool known = sizeof(U) == 0;
        static_assert(
            known,
            "function: the traced code branches on a number, which has no value while the code is traced; choose with "
            "select(x > 0, a, b), or use tape mode, which records the branch that is taken");
        return false;
    }
    friend constexpr condition operator&&(const condition& c, const condition& d) {
        if (c.owner_ == nullptr) return c.node_ != 0 ? d : c;
        if (d.owner_ == nullptr) return d.node_ != 0 ? c : d;
        return {*c.owner_, c.owner_->g.condition(graph::relation::conjunction, c.node_, d.node_)};
    }
    friend constexpr condition operator||(const condition& c, const condition& d) {
        if (c.owner_ == nullptr) return c.node_ != 0 ? c : d;
        if (d.owner_ == nullptr) return d.node_ != 0 ? d : c;
        return {*c.owner_, c.owner_->g.condition(graph::relation::disjunction, c.node_, d.node_)};
    }
    friend constexpr condition operator!(const condition& c) {
        if (c.owner_ == nullptr) return c.node_ == 0;
        return {*c.owner_, c.owner_->g.condition(graph::relation::negation, c.node_)};
    }

private:
    friend class number<T>;
    recorder* owner_ = nullptr;
    int node_ = 0; // without a graph: whether it holds
};

} // namespace chainrule::tracing
