// SPDX-License-Identifier: BSL-1.0
//
// sum(log_sum_exp(f, over(mu = means), wrt(x)), over(x = seen)): the sum over rows of a reduction over components, such
// as the log-likelihood of a mixture, with derivatives with respect to the numbers of all components.
#pragma once

#include <chainrule/batch/component_program.hpp>
#include <chainrule/batch/reduction_over_data.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace chainrule {

/// What value_and_gradients() of a sum over components returns: of_components[k][j] is the derivative with respect to
/// number j of component k, in the order of over(...); gradient is that with respect to the shared variables.
template <class T, std::size_t Variables, std::size_t Shared>
struct value_and_gradients_result {
    T value;
    std::vector<std::array<T, Variables>> of_components;
    std::array<T, Shared> gradient;
};

namespace batches {

/// The variables of `All` that are in `Among`, or are not.
template <bool In, class All, class Among>
struct choice_of_variables;
template <bool In, class... V, class Among>
struct choice_of_variables<In, core::type_list<V...>, Among> {
    using type = typename core::joined_lists<core::type_list<>,
                                             std::conditional_t<(expressions::position_in<V>(Among{}) >= 0) == In,
                                                                core::type_list<V>, core::type_list<>>...>::type;
};
template <bool In, class All, class Among>
using chosen_variables = typename choice_of_variables<In, All, Among>::type;

/// The function of a row and a component, to be differentiated with respect to the component's numbers, C, and shared
/// ones, W. X are the variables of the row, whose columns are `Columns`.
template <class Row, class C, class W, class X, class Columns>
struct function_of_components;
template <class V, class OfRow, class... Bindings, class... E, class C, class W, class... X, class Columns>
struct function_of_components<row_function<V, OfRow, parameters<Bindings...>, E...>, C, W, core::type_list<X...>,
                              Columns> {
    using inputs = decltype(C{} + W{} + core::type_list<X...>{} + core::type_list<typename Bindings::variable...>{});
    static constexpr std::size_t own = std::size_t{C::size}, differentiated = own + std::size_t{W::size};
    static constexpr std::size_t count = std::size_t{inputs::size}, weight = count; // the weight is the last input
    /// A component's numbers, the shared ones and the parameters.
    static constexpr std::size_t numbers = count - sizeof...(X);
    static constexpr std::size_t columns = std::size_t{Columns::size};
    template <unsigned Request>
    using code = codegen::compiled<Request, int{differentiated}, inputs, core::type_list<E...>>;

    /// Where an input is: in the row, behind which is the weight of the derivatives, or at -1 - k of the component.
    static constexpr std::ptrdiff_t place(std::size_t i) {
        constexpr std::ptrdiff_t of_row[] = {expressions::position_in<X>(Columns{})..., 0};
        if (i == weight) return static_cast<std::ptrdiff_t>(columns);
        if (i < differentiated) return -1 - static_cast<std::ptrdiff_t>(i);
        if (i < differentiated + sizeof...(X)) return of_row[i - differentiated];
        return -1 - static_cast<std::ptrdiff_t>(i - sizeof...(X));
    }
};

} // namespace batches

/// The sum over rows, or their mean, of a reduction over components: see sum(). A function of the shared variables. It
/// refers to the data and to the components.
template <batches::kind Outer, batches::kind Inner, class Row, class Components, class Data, class W>
class sum_over_components {
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

public:
    sum_over_components(const Row& row, const Components& components, const Data& data)
        : row_(row), components_(components), data_(data) {}

    /// The value, at numbers for the shared variables if there are any.
    template <class... Point>
    [[nodiscard]] T operator()(const Point&... point) const {
        workspace all(*this, shared_numbers(point...));
        const T sum = all.template run<false>(*this);
        return sum * scale();
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
        const T factor = scale();
        result.value = all.template run<true>(*this) * factor;
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
            constexpr bool all = function::template code<request::values>::code.variable_count == int{function::count};
            if constexpr (!all) return Row::template complete<request::values>(); // says which variable is not
            return all;
        }
        return false;
    }

    /// Changes values bound by given().
    template <class... Binding>
    void set(Binding... values) {
        row_.set(values...);
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
    [[nodiscard]] T scale() const {
        if constexpr (Outer == kind::mean) {
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

    /// What an evaluation computes with.
    class workspace {
        using values = program<request::values, false>;
        using derivatives = program<request::cotangents, true>;

    public:
        std::size_t components;

        workspace(const sum_over_components& of, const std::array<T, shared>& at)
            : components(of.components_.rows()), at_(at), terms_(new L[components * registers]),
              kept_values_(components * values::kept) {
            typename values::template slots_of_component<T> slots;
            for (std::size_t k = 0; k < components; ++k)
                values::prepare(slots, of.numbers_of(k, at_).data(), numbers(of), &kept_values_[k * values::kept]);
        }

        /// The sum of the values; with Derivatives also the sums of the derivatives' terms.
        template <bool Derivatives>
        [[nodiscard]] T run(const sum_over_components& of) {
            if constexpr (Derivatives) {
                kept_.resize(components * derivatives::kept);
                sums_.reset(new L[components * derivatives::terms]);
                for (std::size_t k = 0; k < components * derivatives::terms; ++k) sums_[k] = L(T(0));
                typename derivatives::template slots_of_component<T> slots;
                for (std::size_t k = 0; k < components; ++k)
                    derivatives::prepare(slots, of.numbers_of(k, at_).data(), numbers(of),
                                         &kept_[k * derivatives::kept]);
            }
            T sum = 0;
            const std::size_t rows = of.data_.rows();
            for (std::size_t first = 0; first < rows; first += registers * lanes) {
                const std::size_t end = std::min(rows, first + registers * lanes);
                count_ = (end - first + lanes - 1) / lanes;
                for (std::size_t g = 0; g < count_; ++g)
                    of.data_.load(rows_[g], first + g * lanes, std::min(lanes, end - first - g * lanes));
                const std::size_t last = end - first - (count_ - 1) * lanes;
                add_values(of);
                sum += reduce_components(last);
                if constexpr (Derivatives) add_derivatives(of);
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
        // Of all components, for the registers of a block and for each term. (nvcc takes no vectors of lanes.)
        std::unique_ptr<L[]> terms_, sums_;
        std::vector<T> kept_values_, kept_;
        L rows_[registers][row_size];
        std::size_t count_ = 0;

        static auto numbers(const sum_over_components& of) { return kernel::numbers_of<T>(of.row_.f); }

        [[gnu::noinline]] void add_values(const sum_over_components& of) {
            const auto stored = kernel::numbers_of<L>(of.row_.f);
            for (std::size_t k = 0; k < components; ++k)
                for (std::size_t g = 0; g < count_; ++g)
                    values::of_row(&kept_values_[k * values::kept], rows_[g], stored, &terms_[k * registers + g]);
        }

        /// Turns terms into the weights of their derivatives and returns the sum over the block, whose last register
        /// has `last` rows.
        [[gnu::noinline]] T reduce_components(std::size_t last) {
            L sum(T(0));
            for (std::size_t g = 0; g < count_; ++g) {
                const auto valid = batches::lanes_below<L>(g + 1 == count_ ? last : lanes);
                sum += batches::select(valid, reduced(&terms_[g], valid), L(T(0)));
            }
            return batches::sum_of(sum);
        }
        template <class Mask>
        [[gnu::always_inline]] L reduced(L* terms, const Mask& valid) {
            L sum(T(0));
            if constexpr (Inner == kind::sum) {
                for (std::size_t k = 0; k < components; ++k) {
                    sum += terms[k * registers];
                    terms[k * registers] = batches::select(valid, L(T(1)), L(T(0)));
                }
                return sum;
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
                const L share = L(T(1)) / sum;
                for (std::size_t k = 0; k < components; ++k)
                    terms[k * registers] = batches::select(valid, terms[k * registers] * share, L(T(0)));
                return shift + log(sum);
            }
        }

        [[gnu::noinline]] void add_derivatives(const sum_over_components& of) {
            const auto stored = kernel::numbers_of<L>(of.row_.f);
            constexpr std::size_t terms = derivatives::terms;
            for (std::size_t k = 0; k < components; ++k) {
                L* const sums = &sums_[k * terms];
                for (std::size_t g = 0; g < count_; ++g) {
                    rows_[g][row_size - 1] = terms_[k * registers + g];
                    L term[terms + 1];
                    derivatives::of_row(&kept_[k * derivatives::kept], rows_[g], stored, term);
                    batches::for_each_constant<terms>([&](std::size_t j)
                                                          __attribute__((always_inline)) { sums[j] += term[j]; });
                }
            }
        }
    };
};

/// Makes the sum of a reduction over components, which is a function of its variables in wrt(...).
template <batches::kind Inner, class Row, class Components, class Options>
struct batches::over_components<reduction_over_data<Inner, Row, Components, Options>> {
    static constexpr bool is_defined = true;

    template <kind Outer, class Data, class... Arguments>
    [[nodiscard]] static auto make(const reduction_over_data<Inner, Row, Components, Options>& inner, const Data& data,
                                   const Arguments&...) {
        using W = shared_variables<Arguments...>;
        using columns = typename Data::variables;
        using wrt = typename Row::wrt;
        constexpr bool known =
            (Inner == kind::sum || Inner == kind::log_sum_exp) && (Outer == kind::sum || Outer == kind::mean);
        static_assert(known, "sum: the reduction over components is neither sum nor log_sum_exp, or that over rows is "
                             "neither sum nor mean; use these");
        constexpr bool plain = Options::weight < 0 && Options::mask < 0 && !Options::is_compensated &&
                               std::is_same_v<decltype(Options::executor), one_thread> && !Options::several_processes &&
                               core::all_true({is_list<Arguments>..., true}) && Data::rows_known &&
                               Components::rows_known;
        static_assert(plain, "sum: a sum of a reduction over components takes over(...) and wrt(...) alone; leave out "
                             "weights, masks, threads and chunks, and give parameters to the reduction");
        constexpr bool bound = int{chosen_variables<false, wrt, decltype(columns{} + W{})>::size} == 0 &&
                               int{chosen_variables<false, W, wrt>::size} == 0 &&
                               int{chosen_variables<true, W, columns>::size} == 0;
        static_assert(bound, "sum: the variables in wrt(...) of the reduction over components are not those of "
                             "over(...) and wrt(...) of the sum; bind or list each of them once");
        if constexpr (known && plain && bound) {
            using made = sum_over_components<Outer, Inner, Row, Components, Data, W>;
            if constexpr (made::complete()) return made(inner.row_, inner.data_, data);
        }
    }
};

} // namespace chainrule
