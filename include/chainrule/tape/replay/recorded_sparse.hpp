// SPDX-License-Identifier: BSL-1.0
//
// Sparse Jacobians and Hessians of a recorded function. Pattern and groups are found once for each recording.
#pragma once

#include <chainrule/tape/recording/list_of.hpp>
#include <chainrule/tape/replay/recorded_runs.hpp>
#include <chainrule/tape/replay/sparsity.hpp>
#include <chainrule/tape/sparse/sparse_matrix.hpp>

namespace chainrule::tape::replays {

/// The calls of a recorded function for sparse derivatives.
template <class T, class F, class Values>
class sparse_runs : public recorded_runs<T, F, Values> {
    using runs = recorded_runs<T, F, Values>;

protected:
    using runs::check_one;
    using runs::inputs;
    using runs::memory_;
    using runs::outputs;
    using runs::run;
    using runs::runs;

public:
    /// The pattern of the Jacobian, from the recording: it holds at every point where the recording does, whatever
    /// operands select() and functions with kinks take.
    [[nodiscard]] const sparsity_pattern& jacobian_sparsity() { return plan_of_jacobian().pattern(); }
    /// That of the Hessian of a function of one value, both halves.
    [[nodiscard]] const sparsity_pattern& hessian_sparsity() { return plan_of_hessian().pattern(); }

    /// The Jacobian, which needs a sweep for every eight groups of columns or rows.
    template <points::list_of_numbers X>
    [[nodiscard]] sparse_matrix<T> sparse_jacobian(const X& x) {
        run(x);
        sparse_matrix<T> result{jacobian_sparsity(), std::vector<T>(jacobian_sparsity().size())};
        write_jacobian(result.entries);
        return result;
    }
    /// Its entries in the order of the pattern, into memory of the caller.
    template <points::list_of_numbers X>
    void sparse_jacobian(const X& x, memory_of<T> to) {
        run(x);
        replays::check_memory("sparse_jacobian", "entries in its pattern", 1, jacobian_sparsity().size(), to);
        write_jacobian(to);
    }
    /// The Hessian of a function of one value, both halves: a sweep for every four groups.
    template <points::list_of_numbers X>
    [[nodiscard]] sparse_matrix<T> sparse_hessian(const X& x) {
        run(x);
        sparse_matrix<T> result{hessian_sparsity(), std::vector<T>(hessian_sparsity().size())};
        write_hessian(result.entries);
        return result;
    }
    /// Its entries in the order of the pattern, into memory of the caller.
    template <points::list_of_numbers X>
    void sparse_hessian(const X& x, memory_of<T> to) {
        run(x);
        replays::check_memory("sparse_hessian", "entries in its pattern", 1, hessian_sparsity().size(), to);
        write_hessian(to);
    }

private:
    matrix<T> products_; // of the groups, row by row

    const jacobian_plan& plan_of_jacobian() {
        if (this->jacobian_plan_ == nullptr)
            this->jacobian_plan_ =
                std::make_shared<const jacobian_plan>(program_statements<T>(memory_.what()).jacobian());
        return *this->jacobian_plan_;
    }
    const hessian_plan& plan_of_hessian() {
        check_one();
        if (this->hessian_plan_ == nullptr)
            this->hessian_plan_ = std::make_shared<const hessian_plan>(program_statements<T>(memory_.what()).hessian());
        return *this->hessian_plan_;
    }

    void write_jacobian(std::span<T> to) {
        const jacobian_plan& plan = plan_of_jacobian();
        const auto in_group = [&](std::size_t first) {
            return [&, first](std::size_t i, std::size_t k) {
                return T(plan.groups().groups[i] == static_cast<int>(first + k) ? 1 : 0);
            };
        };
        make_room(plan.groups().count, plan.by_rows() ? inputs() : outputs());
        replays::for_parts<directions>(plan.groups().count, [&](std::size_t first, std::size_t count) {
            if (plan.by_rows())
                keep(first, count, memory_.sweep_lanes(count, in_group(first)), [](std::size_t i) { return i; });
            else
                keep(first, count, memory_.run_tangents(count, in_group(first)),
                     [&](std::size_t i) { return memory_.place(i); });
        });
        read(plan.places(), to);
    }
    void write_hessian(std::span<T> to) {
        const hessian_plan& plan = plan_of_hessian();
        make_room(plan.groups().count, inputs());
        replays::for_parts<second_directions>(plan.groups().count, [&](std::size_t first, std::size_t count) {
            const auto* const g = memory_.run_second(count, [&](std::size_t i, std::size_t k) {
                return T(plan.groups().groups[i] == static_cast<int>(first + k) ? 1 : 0);
            });
            for (std::size_t k = 0; k < count; ++k)
                for (std::size_t i = 0; i < inputs(); ++i) products_(first + k, i) = g[i].tangents[k];
        });
        read(plan.places(), to);
    }

    void make_room(std::size_t groups, std::size_t length) {
        if (products_.rows() != groups || products_.columns() != length) products_ = matrix<T>(groups, length);
    }
    template <class Place>
    void keep(std::size_t first, std::size_t count, const lane_values<T>* of, Place place) {
        for (std::size_t i = 0; i < products_.columns(); ++i)
            for (std::size_t k = 0; k < count; ++k) products_(first + k, i) = of[place(i)][k];
    }
    void read(const std::vector<product_place>& places, std::span<T> to) const {
        for (std::size_t k = 0; k < places.size(); ++k)
            to[k] = products_(static_cast<std::size_t>(places[k].group), static_cast<std::size_t>(places[k].at));
    }
};

} // namespace chainrule::tape::replays
