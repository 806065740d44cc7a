// SPDX-License-Identifier: BSL-1.0
//
// The forward sweep over a recording: the derivatives of each result with respect to several inputs from those of its
// operands. Results that no later statement uses keep no derivatives: those of outputs go straight to the rows of a
// Jacobian.
#pragma once

#include <chainrule/core/lanes.hpp>
#include <chainrule/core/structural_zero.hpp>
#include <chainrule/tape/recording/for_each_statement.hpp>
#include <chainrule/tape/recording/recording.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace chainrule::tape::sweeping {

/// Several numbers, in vector registers where T has them: compilers compute a list one by one unless it is a vector.
template <class T, std::size_t Lanes>
struct sum_in_lanes {
    static constexpr bool in_vectors = std::is_same_v<T, double> || std::is_same_v<T, float>;
    static constexpr std::size_t width = in_vectors ? std::min(Lanes, simd::native_lanes<T>) : 1;
    using part = typename std::conditional_t<(width > 1), simd::lanes_of<T, width>, std::type_identity<T>>::type;

    part parts[Lanes / width]{};

    [[gnu::always_inline]] void add_product(const T& factor, const T* numbers) {
        for (std::size_t k = 0; k < Lanes / width; ++k) parts[k] = parts[k] + factor * load(numbers + k * width);
    }
    [[gnu::always_inline]] void add(std::size_t lane, const T& number) {
        std::array<T, Lanes> all;
        write(all.data());
        all[lane] = all[lane] + number;
        for (std::size_t k = 0; k < Lanes / width; ++k) parts[k] = load(all.data() + k * width);
    }
    [[gnu::always_inline]] void write(T* to) const {
        for (std::size_t k = 0; k < Lanes / width; ++k)
            if constexpr (width > 1)
                simd::store(to + k * width, parts[k]);
            else
                to[k] = parts[k];
    }
    /// Writes the first of them.
    [[gnu::always_inline]] void write(T* to, std::size_t count) const {
        std::size_t k = 0;
        for (; k < Lanes / width && (k + 1) * width <= count; ++k)
            if constexpr (width > 1)
                simd::store(to + k * width, parts[k]);
            else
                to[k] = parts[k];
        if constexpr (width > 1)
            for (std::size_t i = k * width; i < count; ++i) to[i] = parts[k][i - k * width];
    }
    /// Adds 0 if all numbers are finite, or else NaN. (A sum that overflows gives NaN too.)
    [[gnu::always_inline]] void add_zero_if_finite(part& to) const {
        part sum = parts[0];
        for (std::size_t k = 1; k < Lanes / width; ++k) sum = sum + parts[k];
        to = to + sum * T(0);
    }
    [[nodiscard]] static bool is_zero(const part& p) {
        if constexpr (width > 1) {
            bool zero = true;
            for (std::size_t k = 0; k < width; ++k) zero = zero && p[k] == T(0);
            return zero;
        } else {
            return core::is_structural_zero(p);
        }
    }

private:
    [[gnu::always_inline]] static part load(const T* from) {
        if constexpr (width > 1)
            return simd::load<width>(from);
        else
            return *from;
    }
};

/// Which results statements use as operands, numbered from 1; 0 for the others.
template <class T>
struct used_results {
    std::vector<index> slots; // of each result
    index count = 0, first_of_statements = 0;

    explicit used_results(const recording<T>& from) : slots(from.next()) {
        index statements = 0;
        for (std::size_t b = 0; b < from.block_count(); ++b) {
            const index* const operands = from[b].operands();
            const std::size_t size = from.entries(b);
            for (std::size_t i = 0; i < size; ++i) {
                slots[operands[i] & ~recording<T>::last_operand] = 1;
                statements += operands[i] >> 31;
            }
        }
        for (index& slot : slots)
            if (slot != 0) slot = ++count;
        first_of_statements = from.next() - statements;
    }
};

/// The result of a statement with its row in a Jacobian, or with the column of an input.
struct place_in_matrix {
    index result;
    std::size_t number;
};

/// The results that are recorded, in the order of recording.
[[nodiscard]] inline std::vector<place_in_matrix> in_order(std::span<const index> results) {
    std::vector<place_in_matrix> found;
    found.reserve(results.size());
    bool ordered = true;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i] == 0) continue;
        ordered = ordered && (found.empty() || found.back().result <= results[i]);
        found.push_back({results[i], i});
    }
    if (!ordered)
        std::sort(found.begin(), found.end(), [](const place_in_matrix& a, const place_in_matrix& b) {
            return a.result != b.result ? a.result < b.result : a.number < b.number;
        });
    return found;
}

/// A Jacobian by forward sweeps over a recording, whose statements are all that there is: no user-defined operations.
template <class T>
class forward_jacobian {
public:
    /// The most inputs of one sweep: as many as eight vector registers hold, so that sums stay in registers.
    static constexpr std::size_t most =
        sum_in_lanes<T, 32>::in_vectors ? std::min(std::size_t{32}, 8 * simd::native_lanes<T>) : 8;

    forward_jacobian(const recording<T>& from, std::span<const index> outputs, std::span<const index> inputs)
        : from_(from), used_(from), outputs_(sweeping::in_order(outputs)), inputs_(inputs) {}

    /// Writes it row by row; rows of outputs that are not recorded are left. False if an element may not be finite.
    [[nodiscard]] bool write(T* to) {
        bool finite = true;
        for (std::size_t first = 0; finite && first < inputs_.size();) {
            const std::size_t left = inputs_.size() - first;
            const auto sweep = [&](auto lanes) {
                const std::size_t count = std::min<std::size_t>(lanes, left);
                finite = write_columns<lanes>(to, first, count);
                first += count;
            };
            switch (lanes_for(left)) {
            case 32: sweep(std::integral_constant<std::size_t, std::min(most, std::size_t{32})>{}); break;
            case 16: sweep(std::integral_constant<std::size_t, std::min(most, std::size_t{16})>{}); break;
            case 8: sweep(std::integral_constant<std::size_t, 8>{}); break;
            case 4: sweep(std::integral_constant<std::size_t, 4>{}); break;
            default: sweep(std::integral_constant<std::size_t, 2>{});
            }
        }
        return finite;
    }
    /// The bytes that a sweep takes.
    [[nodiscard]] std::size_t bytes() const {
        return used_.slots.size() * sizeof(index) + (used_.count + 1) * lanes_for(inputs_.size()) * sizeof(T);
    }

private:
    /// How many inputs the next sweep has room for if so many are left.
    [[nodiscard]] static constexpr std::size_t lanes_for(std::size_t inputs) {
        return std::min(most, inputs > 24 ? std::size_t{32} : inputs > 8 ? 16 : inputs > 4 ? 8 : inputs > 2 ? 4 : 2);
    }

    const recording<T>& from_;
    used_results<T> used_;
    std::vector<place_in_matrix> outputs_;
    std::span<const index> inputs_;

    /// The derivatives with respect to the inputs from a first one on.
    template <std::size_t Lanes>
    [[nodiscard]] bool write_columns(T* to, std::size_t first, std::size_t count) {
        constexpr std::align_val_t line{64};
        struct release {
            void operator()(T* p) const { ::operator delete(p, line); }
        };
        const std::size_t variables = variables_used();
        // The sweep writes the derivatives of statements' results; zeros for them would take as long.
        const std::unique_ptr<T, release> memory(
            static_cast<T*>(::operator new((used_.count + 1) * Lanes * sizeof(T), line)));
        T* const derivatives = memory.get();
        std::uninitialized_fill_n(derivatives, (variables + 1) * Lanes, T(0));
        std::uninitialized_default_construct_n(derivatives + (variables + 1) * Lanes,
                                               (used_.count - variables) * Lanes);
        const std::vector<place_in_matrix> seeds = sweeping::in_order(inputs_.subspan(first, count));
        auto seed = seeds.begin();
        for (; seed != seeds.end() && seed->result < used_.first_of_statements; ++seed)
            if (const index slot = used_.slots[seed->result]; slot != 0)
                derivatives[slot * Lanes + seed->number] = T(1);

        auto output = outputs_.begin();
        for (; output != outputs_.end() && output->result < used_.first_of_statements; ++output)
            for (std::size_t k = 0; k < count; ++k)
                to[output->number * inputs_.size() + first + k] = T(inputs_[first + k] == output->result);

        const index* const slots = used_.slots.data();
        index result = used_.first_of_statements;
        typename sum_in_lanes<T, Lanes>::part zeros{}; // until a number is not finite
        for_each_statement(from_, [&](std::span<const index> operands, const T* partials) {
            const index slot = slots[result];
            bool is_output = output != outputs_.end() && output->result == result;
            if (slot != 0 || is_output) {
                sum_in_lanes<T, Lanes> sum;
                for (std::size_t i = 0; i < operands.size(); ++i)
                    sum.add_product(partials[i],
                                    derivatives + slots[operands[i] & ~recording<T>::last_operand] * Lanes);
                for (; seed != seeds.end() && seed->result == result; ++seed) sum.add(seed->number, T(1));
                if (slot != 0) sum.write(derivatives + slot * Lanes);
                for (; is_output; is_output = output != outputs_.end() && output->result == result) {
                    sum.write(to + output->number * inputs_.size() + first, count);
                    sum.add_zero_if_finite(zeros);
                    ++output;
                }
            } else {
                while (seed != seeds.end() && seed->result == result) ++seed;
            }
            ++result;
        });
        return sum_in_lanes<T, Lanes>::is_zero(zeros);
    }
    /// How many slots have results before all statements: the first ones.
    [[nodiscard]] std::size_t variables_used() const {
        for (index r = used_.first_of_statements; r-- > 0;)
            if (used_.slots[r] != 0) return used_.slots[r];
        return 0;
    }
};

} // namespace chainrule::tape::sweeping
