// SPDX-License-Identifier: BSL-1.0
//
// sum(log_sum_exp(f, over(mu = means), wrt(x)), over(x = seen)): the sum over rows of a reduction over components, such
// as the log-likelihood of a mixture, with derivatives with respect to the numbers of all components.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/over.hpp>
#include <chainrule/batch/rows/component_program.hpp>
#include <chainrule/batch/rows/function_of_components.hpp>
#include <chainrule/batch/sums/reduction_over_data.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace chainrule {

/// What value_and_gradients() of a sum over components returns: of_components[k][j] is the derivative with respect to
/// number j of component k, in the order of over(...); gradient is that with respect to the shared variables.
template <class T, std::size_t Variables, std::size_t Shared>
struct value_and_gradients_result {
    T value;                                             ///< the sum or the mean
    std::vector<std::array<T, Variables>> of_components; ///< one gradient per component
    std::array<T, Shared> gradient;                      ///< with respect to the shared variables
};

/// The sum over rows, or their mean, of a reduction over components: see sum(). A function of the shared variables. It
/// refers to the data and to the components.
template <batches::kind Outer, batches::kind Inner, class Row, class Components, class Data, class W, class Options>
class sum_over_components : Options {
    using kind = batches::kind;
    using T = std::conditional_t<std::is_same_v<typename Components::number, typename Data::number>,
                                 typename Data::number, double>;
    using L = batches::widest<T>;
    using columns = typename Data::variables;
    using function =
        batches::function_of_components<Row, typename Components::variables, W,
                                        batches::chosen_variables<true, typename Row::wrt, columns>, columns>;
    template <unsigned Request, bool Linear>
    using program = batches::component_program<typename function::template code<Request>::program, function, Linear>;
    static constexpr std::size_t lanes = batches::lane_count<L>, own = function::own, shared = std::size_t{W::size};
    static constexpr std::size_t row_size = function::columns + 1; // the row's numbers, and a weight
    // Registers of rows that are computed together: so many that what belongs to a component is seldom loaded, so few
    // that they stay in the first cache.
    static constexpr std::size_t registers = 16;
    // A sum of many rows is that of the sums of parts, at most so many of at least so many rows: which thread computes
    // a part makes no difference.
    static constexpr std::size_t most_parts = 64, least_rows = 64 * registers * lanes;

public:
    sum_over_components(const Row& row, const Components& components, const Data& data, const Options& chosen)
        : Options(chosen), row_(row), components_(components), data_(data) {}

    /// The value, at numbers for the shared variables if there are any.
    template <class... Point>
    [[nodiscard]] T operator()(const Point&... point) const {
        workspace all(*this, shared_numbers(point...));
        const T sum = all.template run<false>(*this);
        return sum * scale(all);
    }

    /// The value and all derivatives.
    template <class... Point>
    [[nodiscard]] value_and_gradients_result<T, own, shared> value_and_gradients(const Point&... point) const {
        value_and_gradients_result<T, own, shared> result{};
        workspace all(*this, shared_numbers(point...));
        if constexpr (Inner == kind::log_sum_exp)
            if (all.components == 0 && data_.rows() != 0)
                core::raise(bad_data() << "sum: there are no components, so log_sum_exp has no derivatives; bind "
                                          "columns with at least one");
        result.value = all.template run<true>(*this);
        const T factor = scale(all);
        result.value *= factor;
        result.of_components.resize(all.components);
        for (std::size_t k = 0; k < all.components; ++k) {
            const auto gradient = all.gradient(*this, k, factor);
            std::copy_n(gradient.begin(), own, result.of_components[k].begin());
            for (std::size_t j = 0; j < shared; ++j) result.gradient[j] += gradient[own + j];
        }
        return result;
    }

    /// Checks that every variable is bound, and that compilers manage the programs.
    static consteval bool complete() {
        if constexpr (codegen::small_enough<request::cotangents, int{function::differentiated},
                                            typename function::inputs, typename Row::expressions>()) {
            constexpr bool all =
                function::template code<request::values>::code().variable_count == int{function::count};
            if constexpr (!all) return Row::template complete<request::values>(); // says which variable is not
            return all;
        }
        return false;
    }

    /// Changes values bound by given().
    template <class... Binding>
    void set(Binding... bindings) {
        row_.set(bindings...);
    }

private:
    Row row_;
    Components components_;
    Data data_;

    template <class... Point>
    [[nodiscard]] std::array<T, shared> shared_numbers(const Point&... point) const {
        std::array<T, shared> numbers{};
        batches::read_point<typename Row::expressions>(W{}, numbers, point...);
        return numbers;
    }
    static constexpr bool counted = Outer == kind::mean && (Options::weight >= 0 || Options::mask >= 0);
    template <class Workspace>
    [[nodiscard]] T scale([[maybe_unused]] const Workspace& all) const {
        if constexpr (counted) {
            if (all.counted == T(0))
                core::raise(bad_data() << "mean: the data have no rows, or the mask or the weights leave none; pass at "
                                          "least one");
            return T(1) / all.counted;
        } else if constexpr (Outer == kind::mean) {
            if (data_.rows() == 0) core::raise(bad_data() << "mean: the data have no rows; pass at least one");
            return T(1) / static_cast<T>(data_.rows());
        } else {
            return T(1);
        }
    }
    /// All numbers on which component k depends.
    [[nodiscard]] auto numbers_of(std::size_t k, const std::array<T, shared>& at) const {
        std::array<T, function::numbers + Row::shared> all{}; // more: where the parameters of the row function lie
        components_.load(all.data(), k, 1);
        std::copy_n(at.begin(), shared, all.begin() + own);
        std::array<T, Row::shared> parameters{};
        row_.copy_parameters(parameters);
        constexpr auto of_row = std::size_t{Row::wrt::size};
        std::copy(parameters.begin() + of_row, parameters.end(), all.begin() + own + shared);
        return all;
    }

    using values = program<request::values, false>;
    using derivatives = program<request::cotangents, true>;
    static auto numbers(const sum_over_components& of) { return kernel::numbers_of<T>(of.row_.f); }

    /// The sums over a part of the rows, and what they are computed with.
    class part_of_rows {
    public:
        T value{}, counted{};      // the sum, and that of the weights
        std::unique_ptr<L[]> sums; // of the terms of derivatives, for each component

        void prepare(std::size_t components, bool with_derivatives) {
            terms_.reset(new L[components * registers]);
            if (with_derivatives) sums.reset(new L[components * derivatives::terms]);
        }

        template <bool Derivatives, class Workspace>
        void run(const sum_over_components& of, const Workspace& all, std::size_t begin, std::size_t end) {
            value = counted = T(0);
            if constexpr (Derivatives)
                for (std::size_t k = 0; k < all.components * derivatives::terms; ++k) sums[k] = L(T(0));
            for (std::size_t first = begin; first < end; first += registers * lanes) {
                const std::size_t last = std::min(end, first + registers * lanes);
                count_ = (last - first + lanes - 1) / lanes;
                for (std::size_t g = 0; g < count_; ++g)
                    of.data_.load(rows_[g], first + g * lanes, std::min(lanes, last - first - g * lanes));
                add_values(of, all);
                reduce_components(all.components, last - first - (count_ - 1) * lanes);
                if constexpr (Derivatives) add_derivatives(of, all);
            }
        }

    private:
        std::unique_ptr<L[]> terms_; // of all components, for the registers of a block
        L rows_[registers][row_size];
        std::size_t count_ = 0;

        template <class Workspace>
        [[gnu::noinline]] void add_values(const sum_over_components& of, const Workspace& all) {
            const auto stored = kernel::numbers_of<L>(of.row_.f);
            for (std::size_t k = 0; k < all.components; ++k)
                for (std::size_t g = 0; g < count_; ++g)
                    values::of_row(&all.kept_values[k * values::kept], rows_[g], stored, &terms_[k * registers + g]);
        }

        /// Turns terms into the weights of their derivatives and adds the sum over the block, whose last register has
        /// `last` rows.
        [[gnu::noinline]] void reduce_components(std::size_t components, std::size_t last) {
            L sum(T(0)), count(T(0));
            for (std::size_t g = 0; g < count_; ++g) {
                auto valid = batches::lanes_below<L>(g + 1 == count_ ? last : lanes);
                if constexpr (Options::mask >= 0) valid = valid & (rows_[g][Options::mask] != L(T(0)));
                L weight(T(1));
                if constexpr (Options::weight >= 0) weight = rows_[g][Options::weight];
                sum += batches::select(valid, reduced(components, &terms_[g], valid, weight), L(T(0)));
                if constexpr (sum_over_components::counted) count += batches::select(valid, weight, L(T(0)));
            }
            value += batches::sum_of(sum);
            if constexpr (sum_over_components::counted) counted += batches::sum_of(count);
        }
        template <class Mask>
        [[gnu::always_inline]] static L reduced(std::size_t components, L* terms, const Mask& valid, const L& weight) {
            L sum(T(0));
            if constexpr (Inner == kind::sum) {
                for (std::size_t k = 0; k < components; ++k) {
                    sum += terms[k * registers];
                    terms[k * registers] = batches::select(valid, weight, L(T(0)));
                }
                return weighted(sum, weight);
            } else {
                using std::exp, std::log;
                L most(-std::numeric_limits<T>::infinity());
                for (std::size_t k = 0; k < components; ++k) {
                    const L& term = terms[k * registers];
                    most = batches::select(term > most, term, most);
                }
                // An infinite maximum cannot be taken out.
                const L shift = batches::select(most - most == L(T(0)), most, L(T(0)));
                for (std::size_t k = 0; k < components; ++k)
                    sum += terms[k * registers] = exp(terms[k * registers] - shift);
                const L share = weight / sum;
                for (std::size_t k = 0; k < components; ++k)
                    terms[k * registers] = batches::select(valid, terms[k * registers] * share, L(T(0)));
                return weighted(shift + log(sum), weight);
            }
        }
        [[gnu::always_inline]] static L weighted(const L& number, [[maybe_unused]] const L& weight) {
            if constexpr (Options::weight >= 0)
                return number * weight;
            else
                return number;
        }

        template <class Workspace>
        [[gnu::noinline]] void add_derivatives(const sum_over_components& of, const Workspace& all) {
            const auto stored = kernel::numbers_of<L>(of.row_.f);
            constexpr std::size_t terms = derivatives::terms;
            for (std::size_t k = 0; k < all.components; ++k) {
                L* const to = &sums[k * terms];
                for (std::size_t g = 0; g < count_; ++g) {
                    rows_[g][row_size - 1] = terms_[k * registers + g];
                    L term[terms + 1];
                    derivatives::of_row(&all.kept[k * derivatives::kept], rows_[g], stored, term);
                    if constexpr (Options::mask >= 0) { // whatever the other numbers of a masked row are
                        const auto valid = rows_[g][Options::mask] != L(T(0));
                        for (std::size_t j = 0; j < terms; ++j) term[j] = batches::select(valid, term[j], L(T(0)));
                    }
                    batches::for_each_constant<terms>([&](std::size_t j)
                                                          __attribute__((always_inline)) { to[j] += term[j]; });
                }
            }
        }
    };

    /// What an evaluation computes with.
    class workspace {
    public:
        std::size_t components;
        T counted{}; // the sum of the weights of all rows
        std::vector<T> kept_values, kept;

        workspace(const sum_over_components& of, const std::array<T, shared>& at)
            : components(of.components_.rows()), kept_values(components * values::kept), at_(at) {
            typename values::template slots_of_component<T> slots;
            for (std::size_t k = 0; k < components; ++k)
                values::prepare(slots, of.numbers_of(k, at_).data(), numbers(of), &kept_values[k * values::kept]);
        }

        /// The sum of the values; with Derivatives also the sums of the derivatives' terms.
        template <bool Derivatives>
        [[nodiscard]] T run(const sum_over_components& of) {
            if constexpr (Derivatives) {
                kept.resize(components * derivatives::kept);
                typename derivatives::template slots_of_component<T> slots;
                for (std::size_t k = 0; k < components; ++k)
                    derivatives::prepare(slots, of.numbers_of(k, at_).data(), numbers(of),
                                         &kept[k * derivatives::kept]);
            }
            const std::size_t rows = of.data_.rows(), block = registers * lanes;
            const std::size_t even = (rows + most_parts - 1) / most_parts;
            const std::size_t size = std::max(least_rows, (even + block - 1) / block * block);
            const std::size_t count = (rows + size - 1) / size;
            const auto run_part = [&](part_of_rows& part, std::size_t k) {
                part.template run<Derivatives>(of, *this, k * size, std::min(rows, (k + 1) * size));
            };
            T sum = 0;
            const bool at_once = of.executor.workers() > 1 && count > 1;
            // The first part's memory becomes that of the sum, unless the next part needs it: glibc returns freed
            // memory from 128 KiB on to the system, and its pages come back one fault at a time in the next call.
            const bool keeps_first = at_once || count == 1;
            if constexpr (Derivatives)
                if (!keeps_first) {
                    sums_.reset(new L[components * derivatives::terms]);
                    for (std::size_t k = 0; k < components * derivatives::terms; ++k) sums_[k] = L(T(0));
                }
            const std::unique_ptr<part_of_rows[]> parts(new part_of_rows[at_once ? count : 1]);
            for (std::size_t k = 0; k < (at_once ? count : 1); ++k) parts[k].prepare(components, Derivatives);
            if (at_once) of.executor.for_each_task(count, [&](std::size_t k) { run_part(parts[k], k); });
            for (std::size_t k = 0; k < count; ++k) {
                part_of_rows& part = parts[at_once ? k : 0];
                if (!at_once) run_part(part, k);
                sum += part.value;
                counted += part.counted;
                if constexpr (Derivatives) {
                    if (keeps_first && k == 0)
                        sums_ = std::move(part.sums);
                    else
                        for (std::size_t j = 0; j < components * derivatives::terms; ++j) sums_[j] += part.sums[j];
                }
            }
            return sum;
        }

        /// The derivatives with respect to the numbers of component k and the shared ones.
        [[nodiscard]] auto gradient(const sum_over_components& of, std::size_t k, T factor) const {
            std::array<T, derivatives::terms + 1> sums{};
            for (std::size_t j = 0; j < derivatives::terms; ++j)
                sums[j] = batches::sum_of(sums_[k * derivatives::terms + j]) * factor;
            typename derivatives::template slots_of_component<T> slots;
            std::array<T, derivatives::kept + 1> unused;
            derivatives::prepare(slots, of.numbers_of(k, at_).data(), numbers(of), unused.data());
            std::array<T, function::differentiated + 1> gradient{};
            derivatives::finish(slots, sums.data(), numbers(of), gradient.data());
            return gradient;
        }

    private:
        std::array<T, shared> at_;
        std::unique_ptr<L[]> sums_; // (nvcc takes no vectors of lanes)
    };
};

/// Makes the sum of a reduction over components, which is a function of its variables in wrt(...).
template <batches::kind Inner, class Row, class Components, class Options>
struct batches::over_components<reduction_over_data<Inner, Row, Components, Options>> {
    static constexpr bool is_defined = true;

    template <class Chosen>
    static constexpr bool is_plain =
        Chosen::weight < 0 && Chosen::mask < 0 && !Chosen::is_compensated &&
        std::is_same_v<decltype(Chosen::executor), one_thread> && !Chosen::several_processes;
    template <class Argument>
    static constexpr bool takes =
        core::is_type_list<Argument> || is_weight<Argument> || is_mask<Argument> || is_executor<Argument>;

    template <kind Outer, class Data, class... Arguments>
    [[nodiscard]] static auto make(const reduction_over_data<Inner, Row, Components, Options>& inner, const Data& data,
                                   const Arguments&... arguments) {
        using W = shared_variables<Arguments...>;
        using columns = typename Data::variables;
        using wrt = typename Row::wrt;
        constexpr bool known =
            (Inner == kind::sum || Inner == kind::log_sum_exp) && (Outer == kind::sum || Outer == kind::mean);
        static_assert(known, "sum: the reduction over components is neither sum nor log_sum_exp, or that over rows is "
                             "neither sum nor mean; use these");
        constexpr bool plain = is_plain<Options> && core::all_true({takes<Arguments>..., true}) && Data::rows_known &&
                               Components::rows_known;
        static_assert(plain, "sum: a sum of a reduction over components takes weights, masks and threads of the rows "
                             "alone; give parameters to the reduction, but no options, and leave out compensated, "
                             "chunks and processes");
        constexpr bool bound = int{chosen_variables<false, wrt, decltype(columns{} + W{})>::size} == 0 &&
                               int{chosen_variables<false, W, wrt>::size} == 0 &&
                               int{chosen_variables<true, W, columns>::size} == 0;
        static_assert(bound, "sum: the variables in wrt(...) of the reduction over components are not those of "
                             "over(...) and wrt(...) of the sum; bind or list each of them once");
        if constexpr (known && plain && bound) {
            const auto chosen =
                with_options(columns{}, options<-1, -1, false, one_thread, one_process>{}, arguments...);
            using made =
                sum_over_components<Outer, Inner, Row, Components, Data, W, std::remove_const_t<decltype(chosen)>>;
            if constexpr (made::complete())
                return made(inner.row_, inner.data_, data, chosen);
            else
                return refused_reduction{};
        } else {
            return refused_reduction{};
        }
    }
};

} // namespace chainrule

#include <chainrule/core/names_end.inc>
