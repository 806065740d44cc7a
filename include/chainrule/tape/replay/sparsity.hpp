// SPDX-License-Identifier: BSL-1.0
//
// Patterns of the derivatives of a recording, without its numbers: which values each operation depends on, and which of
// them its derivatives vary with. tape/sparse/sparsity.hpp finds patterns in such lists.
#pragma once

#include <chainrule/tape/replay/program.hpp>
#include <chainrule/tape/sparse/sparsity.hpp>

#include <numeric>

namespace chainrule::tape::replays {

/// Statements without numbers, with as much of the interface of a tape's recording as patterns need.
class statement_list {
public:
    static constexpr index last_operand = index{1} << 31;

    explicit statement_list(std::size_t inputs) : first_(static_cast<index>(inputs + 1)), next_(first_) {}

    /// Adds a statement; operands that are 0 are nobody.
    index add(std::span<const index> operands) {
        if (next_ == last_operand - 1)
            core::raise(std::length_error("sparsity: a recording has 2^31 operations; record parts of the function"));
        for (const index k : operands)
            if (k != 0) operands_.push_back(k);
        if (first_of_last_ == operands_.size()) operands_.push_back(0);
        operands_.back() |= last_operand;
        first_of_last_ = operands_.size();
        return next_++;
    }

    struct block {
        const std::vector<index>& all;
        [[nodiscard]] const index* operands() const { return all.data(); }
    };
    [[nodiscard]] std::size_t block_count() const { return 1; }
    [[nodiscard]] block operator[](std::size_t) const { return {operands_}; }
    [[nodiscard]] std::size_t entries(std::size_t) const { return operands_.size(); }
    [[nodiscard]] std::size_t operand_count() const { return operands_.size(); }
    [[nodiscard]] index first_of_statements() const { return first_; }
    [[nodiscard]] index next() const { return next_; }

private:
    std::vector<index> operands_;
    std::size_t first_of_last_ = 0;
    index first_, next_;
};

/// The operations of a program that have derivatives, as statements.
template <class T>
class program_statements {
public:
    explicit program_statements(const program<T>& of) : program_(of), list_(of.inputs), number_(of.size) {
        std::iota(number_.begin(), number_.begin() + static_cast<std::ptrdiff_t>(of.inputs), index{1});
        for (const run<T>& r : of.runs)
            for (slot k = 0; k < r.count; ++k) add_result(r, k);
    }

    [[nodiscard]] sparsity_pattern jacobian() const {
        std::vector<index> outputs;
        outputs.reserve(program_.outputs.size());
        for (const slot s : program_.outputs) outputs.push_back(number_[s]);
        return sweeping::dependencies(list_, outputs, inputs());
    }
    /// That of a program of one output: what the adjoints of the inputs depend on. An adjoint depends on those of the
    /// results that take its value, and on what the derivatives of these vary with.
    [[nodiscard]] sparsity_pattern hessian() && {
        std::vector<index> adjoints(list_.next()); // by the number of the value
        const auto add_share = [&](index& to, index result, const operation_with_operands& from, unsigned by) {
            std::array<index, 5> operands{to, result};
            for (unsigned k = 0; k < 3; ++k)
                if ((from.what->curvature[by] >> k & 1u) != 0) operands[2 + k] = from.operands[k];
            // What depends on one number needs no statement.
            index only = 0;
            for (const index k : operands) {
                if (k == 0 || k == only) continue;
                if (only != 0) {
                    to = list_.add(operands);
                    return;
                }
                only = k;
            }
            to = only;
        };
        for (std::size_t i = results_.size(); i-- > 0;) {
            const operation_with_operands& from = results_[i];
            const index result = adjoints[program_.inputs + 1 + i];
            for (unsigned k = 0; k < 3; ++k)
                if (from.operands[k] != 0) add_share(adjoints[from.operands[k]], result, from, k);
        }
        return sweeping::dependencies(list_, std::span(adjoints).subspan(1, program_.inputs), inputs())
            .made_symmetric();
    }

private:
    struct operation_with_operands {
        const operation<T>* what;
        std::array<index, 3> operands; // the numbers of those with a derivative, else 0
    };

    const program<T>& program_;
    statement_list list_;
    std::vector<index> number_; // of the value in a slot, 0 for one without derivative
    std::vector<operation_with_operands> results_;

    void add_result(const run<T>& r, slot which) {
        if (r.varying == 0) {
            number_[r.result + which] = 0;
            return;
        }
        operation_with_operands made{r.what, {}};
        for (unsigned k = 0; k < r.what->arity; ++k)
            if ((r.varying >> k & 1) != 0) made.operands[k] = number_[r.operands[k].at(program_.slots.data(), which)];
        number_[r.result + which] = list_.add(made.operands);
        results_.push_back(made);
    }
    [[nodiscard]] std::vector<index> inputs() const {
        std::vector<index> numbers(program_.inputs);
        std::iota(numbers.begin(), numbers.end(), index{1});
        return numbers;
    }
};

} // namespace chainrule::tape::replays
