// SPDX-License-Identifier: BSL-1.0
//
// The Jacobian of a part of a recording: the derivatives of some of its results with respect to the results before it
// that it uses. Sets of bits show which entries there are; sweeps over the part alone compute their values.
// tape/preaccumulate.hpp records it in place of the part.
#pragma once

#include <chainrule/expression/leaves.hpp>
#include <chainrule/tape/derivatives/jacobians.hpp>

#include <bit>
#include <cstdint>

namespace chainrule::tape::sweeping {

/// The results before a part of a recording that its statements use, each numbered once: a table by hash.
class numbers_of_inputs {
public:
    void clear() {
        inputs_.clear();
        table_.assign(64, 0);
    }
    [[nodiscard]] index number_of(index result) {
        for (std::size_t at = std::size_t{result} * 0x9e3779b97f4a7c15ull >> 32;; ++at) {
            index& found = table_[at & (table_.size() - 1)];
            if (found == 0) {
                inputs_.push_back(result);
                found = static_cast<index>(inputs_.size());
                return 2 * inputs_.size() < table_.size() ? found - 1 : grown();
            }
            if (inputs_[found - 1] == result) return found - 1;
        }
    }
    [[nodiscard]] std::span<const index> all() const { return inputs_; }

private:
    std::vector<index> inputs_, table_; // the table counts from 1

    index grown() {
        table_.assign(2 * table_.size(), 0);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            std::size_t at = std::size_t{inputs_[i]} * 0x9e3779b97f4a7c15ull >> 32;
            while (table_[at & (table_.size() - 1)] != 0) ++at;
            table_[at & (table_.size() - 1)] = static_cast<index>(i + 1);
        }
        return static_cast<index>(inputs_.size() - 1);
    }
};

/// The Jacobian of a part of a recording. An object keeps its memory for the next one.
template <class T>
class section_jacobian {
public:
    /// Finds the statements between two positions on which the outputs depend, results of that part without repetition,
    /// and the entries of the Jacobian. An entry is where statements lead from an input to an output, whatever its
    /// value, as in the part itself. Returns whether it has fewer entries than the part has operands.
    [[nodiscard]] bool is_smaller(const recording<T>& from, const position& begin, const position& end,
                                  std::span<const index> outputs) {
        first_ = begin.next;
        results_ = end.next - begin.next;
        outputs_ = outputs;
        words_ = (outputs.size() + 63) / 64;
        of_results_.assign(results_ * words_, 0);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            of_results_[(outputs[i] - first_) * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
        of_inputs_.clear();
        inputs_.clear();
        statements_.clear();
        const std::size_t operands = collect(from, begin, end);
        return count_entries() < operands;
    }

    /// Computes the entries, by as many sweeps as there are outputs or inputs, whichever cost less.
    void compute() {
        values_.resize(outputs_.size() * inputs_.all().size());
        // As in jacobian(): a forward sweep would make NaN of what a reverse sweep skips.
        if constexpr (!expressions::is_active<T>)
            if (sweeping::cost(inputs_.all().size()) < sweeping::cost(outputs_.size()) && sweep_forwards()) return;
        if (outputs_.size() == 1)
            sweep_backwards<1>(0, 1);
        else
            sweeping::for_each_part(outputs_.size(), [&](auto lanes, std::size_t first, std::size_t count) {
                sweep_backwards<lanes>(first, count);
            });
    }

    /// Makes room for any row.
    void reserve_row(std::vector<T>& partials, std::vector<index>& operands) const {
        partials.reserve(inputs_.all().size() + 1);
        operands.reserve(inputs_.all().size() + 1);
    }
    /// The entries of an output, as the partial derivatives and operands of one statement. One without any has an entry
    /// without effect.
    void read_row(std::size_t output, std::vector<T>& partials, std::vector<index>& operands) const {
        partials.clear();
        operands.clear();
        const std::span<const index> inputs = inputs_.all();
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if ((of_inputs_[i * words_ + output / 64] >> (output % 64) & 1) != 0) {
                partials.push_back(values_[output * inputs.size() + i]);
                operands.push_back(inputs[i]);
            }
        if (operands.empty()) {
            partials.push_back(T{});
            operands.push_back(0);
        }
    }

private:
    struct statement {
        std::size_t result, begin; // of its entries
    };

    index first_ = 0; // result of the part
    std::size_t results_ = 0;
    std::span<const index> outputs_;
    numbers_of_inputs inputs_;
    // Of each result and input the outputs that depend on it, in so many words.
    std::size_t words_ = 0;
    std::vector<std::uint64_t> of_results_, of_inputs_;
    // The statements on which outputs depend, and their entries, from last to first. Operands are results of the part,
    // counted from 0, and after all results the inputs.
    std::vector<statement> statements_;
    std::vector<std::size_t> operands_;
    std::vector<T> partials_;
    std::size_t entries_ = 0;
    std::vector<T> lanes_;  // of a sweep, for each result and input
    std::vector<T> values_; // row by row

    /// Returns how many operands the part has.
    std::size_t collect(const recording<T>& from, const position& begin, const position& end) {
        std::size_t count = 0;
        for_each_block(from, begin, end,
                       [&](std::size_t, std::size_t first, std::size_t last) { count += last - first; });
        operands_.resize(count);
        partials_.resize(count);
        entries_ = 0;
        // Most sections have few outputs.
        if (words_ == 1)
            collect_entries(from, begin, end, std::integral_constant<std::size_t, 1>{});
        else
            collect_entries(from, begin, end, words_);
        return count;
    }
    template <class Words>
    void collect_entries(const recording<T>& from, const position& begin, const position& end, Words words) {
        constexpr index mark = recording<T>::last_operand;
        std::size_t result = results_;
        bool is_needed = false;
        for_each_block(from, begin, end, [&](std::size_t block, std::size_t first, std::size_t last) {
            const index* const operands = from[block].operands();
            const T* const partials = from[block].partials();
            for (std::size_t i = last; i-- > first;) {
                index operand = operands[i];
                if ((operand & mark) != 0) {
                    --result;
                    std::uint64_t all = 0;
                    for (std::size_t k = 0; k < words; ++k) all |= of_results_[result * words + k];
                    is_needed = all != 0;
                    if (is_needed) statements_.push_back({result, entries_});
                    operand &= ~mark;
                }
                if (!is_needed || operand == 0) continue;
                partials_[entries_] = partials[i];
                std::uint64_t* to;
                if (operand >= first_) {
                    const std::size_t operand_of_part = operand - first_;
                    operands_[entries_++] = operand_of_part;
                    to = of_results_.data() + operand_of_part * words;
                } else {
                    const std::size_t input = inputs_.number_of(operand);
                    operands_[entries_++] = results_ + input;
                    if (of_inputs_.size() == input * words) of_inputs_.resize((input + 1) * words);
                    to = of_inputs_.data() + input * words;
                }
                for (std::size_t k = 0; k < words; ++k) to[k] |= of_results_[result * words + k];
            }
        });
    }
    /// Calls f(block, first entry, end of entries) for the blocks of the part, from last to first.
    template <class F>
    static void for_each_block(const recording<T>& from, const position& begin, const position& end, F f) {
        for (std::size_t b = end.block + 1; b-- > begin.block;)
            if (b < from.block_count())
                f(b, b == begin.block ? begin.entry : 0, b == end.block ? end.entry : from.entries(b));
    }
    /// How many entries the Jacobian has as statements.
    [[nodiscard]] std::size_t count_entries() const {
        std::size_t count = outputs_.size();
        for (std::size_t k = 0; k < words_; ++k) {
            std::uint64_t found = 0;
            for (std::size_t i = k; i < of_inputs_.size(); i += words_) {
                count += static_cast<std::size_t>(std::popcount(of_inputs_[i]));
                found |= of_inputs_[i];
            }
            count -= static_cast<std::size_t>(std::popcount(found));
        }
        return count;
    }

    [[nodiscard]] std::size_t end_of(std::size_t s) const {
        return s + 1 < statements_.size() ? statements_[s + 1].begin : entries_;
    }

    template <std::size_t Lanes>
    void sweep_backwards(std::size_t first, std::size_t count) {
        const std::size_t inputs = inputs_.all().size();
        lanes_.assign((results_ + inputs) * Lanes, T{});
        for (std::size_t k = 0; k < count; ++k) lanes_[(outputs_[first + k] - first_) * Lanes + k] = T(1);
        T* const adjoints = lanes_.data();
        for (std::size_t s = 0; s < statements_.size(); ++s) {
            std::array<T, Lanes> adjoint;
            std::copy_n(adjoints + statements_[s].result * Lanes, Lanes, adjoint.begin());
            const std::size_t end = end_of(s);
            for (std::size_t i = statements_[s].begin; i < end; ++i) {
                T* const to = adjoints + operands_[i] * Lanes;
                const T& partial = partials_[i];
                if (core::keeps_zero(partial))
                    for (std::size_t k = 0; k < Lanes; ++k) sweeping::add_product(to[k], partial, adjoint[k]);
                else
                    for (std::size_t k = 0; k < Lanes; ++k) sweeping::add(to[k], partial, adjoint[k]);
            }
        }
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < inputs; ++i)
                values_[(first + k) * inputs + i] = adjoints[(results_ + i) * Lanes + k];
    }

    /// False if an entry may not be finite.
    [[nodiscard]] bool sweep_forwards() {
        bool finite = true;
        sweeping::for_each_part(inputs_.all().size(), [&](auto lanes, std::size_t first, std::size_t count) {
            finite = finite && sweep_forwards<lanes>(first, count);
        });
        return finite;
    }
    template <std::size_t Lanes>
    [[nodiscard]] bool sweep_forwards(std::size_t first, std::size_t count) {
        const std::size_t inputs = inputs_.all().size();
        lanes_.assign((results_ + inputs) * Lanes, T{});
        T* const derivatives = lanes_.data();
        for (std::size_t k = 0; k < count; ++k) derivatives[(results_ + first + k) * Lanes + k] = T(1);
        for (std::size_t s = statements_.size(); s-- > 0;) {
            std::array<T, Lanes> sum{};
            for (std::size_t i = end_of(s); i-- > statements_[s].begin;)
                for (std::size_t k = 0; k < Lanes; ++k)
                    sum[k] = sum[k] + partials_[i] * derivatives[operands_[i] * Lanes + k];
            std::copy_n(sum.begin(), Lanes, derivatives + statements_[s].result * Lanes);
        }
        bool finite = true;
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            for (std::size_t k = 0; k < count; ++k) {
                const T& value = derivatives[(outputs_[i] - first_) * Lanes + k];
                finite = finite && core::keeps_zero(value);
                values_[i * inputs + first + k] = value;
            }
        return finite;
    }
};

} // namespace chainrule::tape::sweeping
