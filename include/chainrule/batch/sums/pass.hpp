// SPDX-License-Identifier: BSL-1.0
//
// One pass over data: what the terms of all rows reduce to, for each kind of reduction.
#pragma once

#include <chainrule/batch/data/source_of_data.hpp>
#include <chainrule/batch/execution/options.hpp>
#include <chainrule/batch/rows/row_terms.hpp>
#include <chainrule/differentiate/modes.hpp>

namespace chainrule::batches {

/// `shift` is the maximum that log_sum_exp takes out.
enum class kind { sum, mean, product, maximum, minimum, log_sum_exp, shift };

inline constexpr const char* name_of[] = {"sum", "mean", "prod", "max", "min", "log_sum_exp"};

/// -f and exp(f - shift) for the function of a row.
using shift_variable = std::remove_cvref_t<decltype(variable<"the largest term">)>;
template <class E>
[[nodiscard]] constexpr auto negated(const expression_vector<E>& f) {
    return vector(-f.template get<0>());
}
template <class E>
[[nodiscard]] constexpr auto exponential(const expression_vector<E>& f) {
    return vector(exp(f.template get<0>() - shift_variable{}));
}

/// The order of derivatives that a request asks for.
[[nodiscard]] constexpr int order_of(unsigned request) {
    return (request & request::hessians) != 0 ? 2 : (request & request::jacobians) != 0 ? 1 : 0;
}
/// The reduction of a kind.
template <kind Kind, std::size_t Terms, std::size_t Columns, int Order, bool Compensated>
using reduction_of = std::conditional_t<
    Kind == kind::product, multiplied<Columns, Order>,
    std::conditional_t<Kind == kind::maximum || Kind == kind::minimum, greatest<Terms>,
                       std::conditional_t<Kind == kind::shift, greatest_number,
                                          std::conditional_t<Compensated, added_exactly<Terms>, added<Terms>>>>>;

/// The options of a sum of exponentials. A row of weight 0 is left out: its exponential may overflow, since its number
/// is not among those whose maximum is taken out.
template <class Options>
struct of_exponentials : Options {};
template <class Options>
inline constexpr bool leaves_out_zero_weights = false;
template <class Options>
inline constexpr bool leaves_out_zero_weights<of_exponentials<Options>> = true;

/// What a reduction needs of rows.
template <class Reduction, class Options, bool Counted>
inline constexpr row_roles roles_for = [] {
    constexpr bool greatest = requires { Reduction::is_greatest; };
    return row_roles{Options::weight, Options::mask, Counted, greatest, leaves_out_zero_weights<Options>};
}();

/// The state that the rows of several blocks, of data in pieces or of several processes reduce to.
template <class Reduction, class Places, unsigned Request, class Form, bool Counted, class Data, class Options, class T,
          std::size_t Shared, class To>
[[gnu::noinline]] auto state_of_blocks(const typename Places::vector& f, const Data& data, const Options& options,
                                       const std::array<T, Shared>& shared, const To& to) {
    auto tree = options.processes.template make_tree<Reduction, T>(data);
    const auto add = [&]<class Piece>(const Piece& piece, std::size_t first, std::size_t end) {
        const row_terms<Places, Request, Shared, Piece, Form, roles_for<Reduction, Options, Counted>, T, To> rows{
            piece, f, shared, to};
        options.executor.reduce(rows, first, end, tree);
    };
    if constexpr (Data::rows_known)
        add(data, 0, data.rows());
    else
        data.for_each_piece(add);
    return options.processes.result(tree);
}

/// The state that the rows reduce to, for a row function whose expressions are f. `Places` is that function; To gets
/// the outputs of each row too. One block needs neither a tree nor threads, which would take as long as a hundred rows.
/// It is inlined: arguments handed on through memory would take as long as ten.
template <class Reduction, class Places, unsigned Request, class Form, bool Counted, class Data, class Options, class T,
          std::size_t Shared, class To = no_destination>
[[nodiscard, gnu::always_inline]] inline auto reduced_state(const typename Places::vector& f, const Data& data,
                                                            const Options& options, const std::array<T, Shared>& shared,
                                                            const To& to = {}) {
    if constexpr (Data::rows_known && !Options::several_processes) {
        const std::size_t count = data.rows();
        if (count - 1 < rows_per_block) {
            constexpr row_roles roles = roles_for<Reduction, Options, Counted>;
            const row_terms<Places, Request, Shared, Data, Form, roles, T, To> rows{data, f, shared, to};
            typename block_tree<Reduction, T>::state state;
            if constexpr (decltype(rows)::together == 4)
                reduce_rows<Reduction>(rows, 0, count, state.data());
            else
                reduce_block<Reduction>(rows, 0, count, state.data());
            Reduction::finish(state.data());
            return state;
        }
    }
    return state_of_blocks<Reduction, Places, Request, Form, Counted>(f, data, options, shared, to);
}

/// Whether the mask and the weights leave a row.
template <class Row, class Data, class Options, class T, std::size_t Shared>
[[nodiscard]] bool has_rows(const Row& row, const Data& data, const Options& options,
                            const std::array<T, Shared>& shared) {
    constexpr bool weighted = Options::weight >= 0;
    using reduction = std::conditional_t<weighted, added<2>, greatest<1>>; // both count in their second number
    return reduced_state<reduction, Row, request::values, outputs_as_terms<1>, weighted>(row.f, data, options,
                                                                                         shared)[1] != T(0);
}
/// Refuses a reduction of no rows that is undefined.
inline void require_rows(kind of, bool some) {
    if (!some)
        core::raise(bad_data() << name_of[static_cast<int>(of)]
                               << ": the data have no rows, or the mask or the weights leave none; pass at least one");
}

} // namespace chainrule::batches
