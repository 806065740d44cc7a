// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of a sum over data, and of the other reductions, with respect to the numbers of a column: one per row,
// written as the rows are reduced.
#pragma once

#include <chainrule/batch/sums/pass.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace chainrule::batches {

/// Writes a number of each row: `of(outputs)`, times the weight, and 0 for a masked row.
template <class Options, class T, class Of>
struct column_writer {
    T* to;
    Of of;

    template <class L>
    [[gnu::always_inline]] void operator()(std::size_t row, std::size_t count, const L* output, const L* loaded) const {
        L number = of(output);
        if constexpr (Options::weight >= 0) {
            const L weight = loaded[Options::weight];
            number = number * weight;
            if constexpr (leaves_out_zero_weights<Options>) number = select(weight != L(0), number, L(0));
        }
        if constexpr (Options::mask >= 0) number = select(loaded[Options::mask] != L(0), number, L(0));
        if (count == lane_count<L>)
            store(number, to + row);
        else
            store_first(number, to + row, count);
    }
};

/// A pass that writes and reduces values.
template <class V, kind As, bool Counted = false, class Row, class Data, class Options, class T, std::size_t Shared,
          class Of>
[[nodiscard, gnu::always_inline]] inline auto written(const Row& row, const Data& data, const Options& options,
                                                      const std::array<T, Shared>& shared, T* to, const Of& of) {
    using reduction = reduction_of<As, Counted ? 2 : 1, 0, 0, Options::is_compensated>;
    return reduced_state < reduction, row_by_column<V, Row>, request::values | request::jacobians, value_as_term,
           Counted > (row.f, data, options, shared, column_writer<Options, T, Of>{to, of});
}
template <kind As, class Row, class Data, class Options, class T, std::size_t Shared>
[[nodiscard, gnu::always_inline]] inline auto reduced_values(const Row& row, const Data& data, const Options& options,
                                                             const std::array<T, Shared>& shared) {
    return reduced_state<reduction_of<As, 1, 0, 0, Options::is_compensated>, Row, request::values, outputs_as_terms<1>,
                         false>(row.f, data, options, shared);
}

template <class T>
void scale(T* numbers, std::size_t count, T factor) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] *= factor;
}

/// The derivatives of a product with a factor that is 0, or which overflows: of each factor, times those before it and
/// those behind it.
template <class V, class Row, class Data, class Options, class T, std::size_t Shared>
[[gnu::noinline]] void product_gradient(const Row& row, const Data& data, const Options&,
                                        const std::array<T, Shared>& shared, T* to) {
    const row_terms<row_by_column<V, Row>, request::values | request::jacobians, Shared, Data, outputs_as_terms<2>,
                    row_roles{-1, Options::mask}, T>
        rows{data, row.f, shared};
    const auto each = rows.template prepared<T>();
    const auto counts = [&](std::size_t i) {
        if constexpr (Options::mask >= 0)
            return each.valid(i, 1);
        else
            return true;
    };
    T factor[2], product = 1;
    for (std::size_t i = 0; i < data.rows(); ++i) {
        to[i] = product;
        if (!counts(i)) continue;
        each.compute(factor, i, 1);
        product *= factor[0];
    }
    product = 1;
    for (std::size_t i = data.rows(); i-- > 0;) {
        if (!counts(i)) {
            to[i] = 0;
            continue;
        }
        each.compute(factor, i, 1);
        to[i] *= product * factor[1];
        product *= factor[0];
    }
}

/// Whether computing the value of a row twice takes less time than reading and writing a number once more: it calls
/// nothing and divides by nothing.
template <class Row>
inline constexpr bool is_cheap = [] {
    using codegen::opcode;
    const auto& code = Row::template code<request::values>::code();
    for (int i = 0; i < code.size; ++i) {
        const opcode what = codegen::unpack(code.body[static_cast<std::size_t>(i)]).what;
        if (what == opcode::call || what == opcode::sine_cosine || what == opcode::divide) return false;
    }
    return code.size <= 12;
}();

/// The value; writes the derivatives with respect to the column of V.
template <kind Kind, class V, class Row, class Data, class Options, class T, std::size_t Shared>
[[nodiscard]] T column_gradient(const Row& row, const Data& data, const Options& options,
                                const std::array<T, Shared>& shared, T* to) {
    const auto derivative = [](const auto* output) __attribute__((always_inline)) { return output[1]; };
    if constexpr (Kind == kind::sum) {
        return written<V, kind::sum>(row, data, options, shared, to, derivative)[0];
    } else if constexpr (Kind == kind::mean) {
        const auto all = written<V, kind::sum, true>(row, data, options, shared, to, derivative);
        require_rows(Kind, all[1] != T(0));
        scale(to, data.rows(), T(1) / all[1]);
        return all[0] / all[1];
    } else if constexpr (Kind == kind::product) {
        // A smaller product has lost digits, and the quotients would lose them too.
        const auto usual = [](T product) { return std::isnormal(product); };
        T product;
        bool overflows = false; // of the reciprocal of a small factor
        if constexpr (is_cheap<Row>) {
            product = reduced_values<kind::product>(row, data, options, shared)[0];
            const auto derivative_of_product = [product](const auto* output) __attribute__((always_inline)) {
                return std::remove_cvref_t<decltype(*output)>(product) / output[0] * output[1];
            };
            if (usual(product)) (void)written<V, kind::sum>(row, data, options, shared, to, derivative_of_product);
        } else {
            const auto quotient = [](const auto* output)
                                      __attribute__((always_inline)) { return output[1] / output[0]; };
            product = written<V, kind::product>(row, data, options, shared, to, quotient)[0];
            if (usual(product)) scale(to, data.rows(), product);
            for (std::size_t i = 0; i < data.rows(); ++i) overflows = overflows || !std::isfinite(to[i]);
        }
        if (!usual(product) || overflows) product_gradient<V>(row, data, options, shared, to);
        return product;
    } else if constexpr (Kind == kind::log_sum_exp) {
        const T greatest = reduced_values<kind::shift>(row, data, options, shared)[0];
        if (greatest == -std::numeric_limits<T>::infinity()) require_rows(Kind, has_rows(row, data, options, shared));
        std::array<T, Shared + 1> shifted;
        std::copy_n(shared.begin(), Shared, shifted.begin());
        const T shift = shifted[Shared] = greatest - greatest == T(0) ? greatest : T(0);
        const auto exponentials = row.with(exponential(row.f), shift_variable{});
        const T sum =
            written<V, kind::sum>(exponentials, data, of_exponentials<Options>{options}, shifted, to, derivative)[0];
        scale(to, data.rows(), T(1) / sum);
        return shift + std::log(sum);
    } else {
        // Rows that tie share the derivative. Where a row is NaN, all derivatives are.
        constexpr bool least = Kind == kind::minimum;
        const auto state = [&] {
            if constexpr (least)
                return reduced_values<kind::maximum>(row.with(negated(row.f)), data, options, shared);
            else
                return reduced_values<kind::maximum>(row, data, options, shared);
        }();
        require_rows(Kind, state[1] > T(0));
        const T extreme = least ? -state[0] : state[0], share = T(1) / state[1];
        const auto of_those = [&](const auto* output) __attribute__((always_inline)) {
            using L = std::remove_cvref_t<decltype(*output)>;
            return select(output[0] == L(extreme), output[1] * L(share), L(extreme == extreme ? T(0) : extreme));
        };
        (void)written<V, kind::sum>(row, data, options, shared, to, of_those);
        return extreme;
    }
}

} // namespace chainrule::batches
