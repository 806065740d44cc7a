// SPDX-License-Identifier: BSL-1.0
//
// One call of a batch: the columns are checked, become the inputs and outputs of a program, and the program runs.
#pragma once

#include <chainrule/batch/data/arguments.hpp>
#include <chainrule/batch/data/destinations.hpp>
#include <chainrule/batch/execution/executors.hpp>
#include <chainrule/entry/positional_function.hpp>

namespace chainrule::batches {

// Streams with the layouts of lists, one after the other.
template <template <class, layout...> class Streams, class T, class... Lists>
consteval auto streams_for() {
    constexpr std::size_t count = (std::size_t{0} + ... + Lists::count);
    constexpr auto layouts = [] {
        std::array<layout, count + 1> all{};
        std::size_t at = 0;
        (([&] {
             for (const layout each : Lists::layouts) all[at++] = each;
         }()),
         ...);
        return all;
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::type_identity<Streams<T, layouts[I]...>>{};
    }(std::make_index_sequence<count>{});
}

template <class Points, std::size_t Variables, class... W>
consteval auto places_of(core::type_list<W...>) {
    std::size_t i = 0;
    return std::array<std::size_t, sizeof...(W) + 1>{place_in<Points, W>(i++, Variables)...};
}
/// The columns of the variables of a function, first those in wrt(...), then the parameters.
template <class Points, std::size_t Variables, class Names>
struct input_columns {
    using points = Points;
    using names = expressions::long_list<Names>;
    static constexpr std::size_t variables = Variables;
    static constexpr std::size_t count = names::size;
    static constexpr bool named = !std::same_as<typename Points::names, void>;

    /// The column of each, or not_given.
    static constexpr std::array<std::size_t, count + 1> places = places_of<Points, variables>(names{});
    static constexpr std::array<layout, count> layouts = [] {
        std::array<layout, count> all{};
        for (std::size_t i = 0; i < count; ++i)
            all[i] = places[i] == not_given ? layout::common : Points::layouts[places[i]];
        return all;
    }();

    static consteval bool complete() {
        std::size_t found = 0;
        for (std::size_t i = 0; i < count; ++i) found += places[i] != not_given ? 1u : 0u;
        for (std::size_t i = 0; i < variables; ++i)
            if (places[i] == not_given) return false;
        return found == Points::count;
    }
};
template <class Points, class F>
using columns_for = input_columns<Points, F::variables_list::size, expressions::short_list<typename F::inputs_list>>;

template <std::size_t PerSet>
[[nodiscard]] consteval std::size_t sets_of(std::size_t further) {
    if constexpr (PerSet == 0)
        return 1;
    else
        return further / PerSet;
}

/// What is wrong with the columns of a call, as far as their types determine it.
enum class column_fault : unsigned char {
    none,
    reported_already,
    other_names,
    other_count,
    no_column,
    count_of_outputs,
    constant_output,
    several_types
};

/// Places is the number of output columns, Compact a second one that is right too.
template <class Inputs, class Further, class Outs, std::size_t Places, std::size_t Compact>
consteval column_fault fault_of_columns() {
    using points = typename Inputs::points;
    using T = std::remove_const_t<typename points::number>;
    if (!Inputs::complete()) return Inputs::named ? column_fault::other_names : column_fault::other_count;
    if (all_common<points>) return column_fault::no_column;
    if (Outs::count != Places && Outs::count != Compact) return column_fault::count_of_outputs;
    if (std::is_const_v<typename Outs::number> || !no_common<Outs>) return column_fault::constant_output;
    constexpr bool one_type = std::same_as<T, typename Outs::number> && same_number<T, Further>;
    return one_type ? column_fault::none : column_fault::several_types;
}

/// Whether there is no fault; reports it otherwise. Compilers write out the template arguments of each function on the
/// way to a sentence: so these are short, and what calls it should be near the function that a user calls.
template <column_fault Fault>
consteval bool right_columns() {
    static_assert(Fault != column_fault::other_names,
                  "batch: the names of the columns are not the variables in wrt(...), with parameters in "
                  "given(...) if they have columns; name each variable once");
    static_assert(Fault != column_fault::other_count,
                  "batch: there is not one column per variable in wrt(...); give that many, in order, or "
                  "name them");
    static_assert(Fault != column_fault::no_column,
                  "batch: each variable is one number for all points; give a column for at least one, or "
                  "call the function itself");
    static_assert(Fault != column_fault::count_of_outputs,
                  "batch: there is not one output column per number of the results; give that many, of a "
                  "Jacobian or Hessian row by row");
    static_assert(Fault != column_fault::constant_output,
                  "batch: an output is constant; give memory that can be written");
    static_assert(Fault != column_fault::several_types,
                  "batch: inputs, directions and outputs hold numbers of different types; give all of them "
                  "one type, float or double");
    return Fault == column_fault::none;
}

/// Hands columns without fault on as streams: to(inputs, outputs, stored numbers, count of points).
template <std::size_t PerSet, class F, class Points, class Further, class Outs, class To>
void with_streams(const F& f, const Points& points, const Further& further, const Outs& outs, const To& to) {
    using inputs = columns_for<Points, F>;
    using T = std::remove_const_t<typename Points::number>;
    using in = typename decltype(streams_for<input_streams, T, inputs, Further>())::type;
    using out = typename decltype(streams_for<output_streams, T, Outs>())::type;

    in from{};
    out where{};
    described_column described[in::count + out::count + 1];
    const auto bound = detail::function_parts::bound(f).template as<T>();
    constexpr auto names = expressions::texts_of(typename inputs::names{});
    stream_filler<in> in_filler{from, described};
    for (std::size_t i = 0; i < inputs::count; ++i)
        if (inputs::places[i] == not_given)
            in_filler.add(&bound.values[i < inputs::variables ? 0 : i - inputs::variables], 0, 0, true, "column of",
                          names[i], 0);
        else
            in_filler.add_column(points, inputs::places[i], "column of", names[i], 0);
    [[maybe_unused]] const auto converted = as_numbers<T>(further);
    if constexpr (PerSet != 0)
        for (std::size_t i = 0; i < Further::count; ++i)
            in_filler.add_column(converted, i, "direction's or weights' column", nullptr, i + 1);
    stream_filler<out> out_filler{where, described + in::count};
    for (std::size_t k = 0; k < Outs::count; ++k) out_filler.add_column(outs, k, "output column", nullptr, k + 1);
    check_described_columns(described, in::count, described + in::count, out::count, sizeof(T));

    constexpr std::size_t stored = kernel::count_of_numbers(typename F::outputs_list{});
    const auto numbers = kernel::numbers_of<T>(detail::function_parts::expressions(f));
    T copy[stored + 1]{};
    for (std::size_t i = 0; i < stored; ++i) copy[i] = numbers[i];

    std::size_t count = 0;
    for (std::size_t i = 0; i < in::count && count == 0; ++i)
        if (!described[i].common) count = described[i].size;
    to(from, where, static_cast<const T*>(copy), count);
}

/// Runs a program over streams. (A class: g++ 12 fails on a lambda.)
template <class Program, class To, std::size_t Shared, std::size_t PerSet, class Executor>
struct run_over_streams {
    const Executor& executor;
    template <class T, class In, class Out>
    void operator()(const In& from, const Out& where, const T* numbers, std::size_t count) const {
        using all_points = loop<Program, T, In, Out, To, Shared, PerSet>;
        if constexpr (std::same_as<Executor, one_thread>)
            all_points::run(from, where, numbers, count);
        else
            executor.for_each_range(count, [&](std::size_t first, std::size_t end) {
                all_points::run(from_point(from, first), from_point(where, first), numbers, end - first);
            });
    }
};

/// A call: the program of a request for a function, with PerSet inputs at a time of the further ones.
template <unsigned Request, std::size_t PerSet, class F, class Points, class Further, class Outs>
class call_of_batch {
    using inputs = columns_for<Points, F>;
    using outputs = typename F::outputs_list;
    using all_destinations = destinations_of<Request, inputs::variables, typename inputs::names, outputs>;
    using full = typename all_destinations::full;
    using compact = typename all_destinations::compact;
    static constexpr std::size_t sets = sets_of<PerSet>(Further::count);

public:
    static consteval column_fault fault() {
        if constexpr (detail::all_bound<Request, inputs::variables, typename inputs::names, outputs>())
            return fault_of_columns<inputs, Further, Outs, sets * full::places, sets * compact::places>();
        else
            return column_fault::reported_already;
    }
    template <class Executor>
    static void run(const F& f, const Points& points, const Further& further, const Outs& outs,
                    const Executor& executor) {
        using program = typename F::template code<Request>::program;
        using to = std::conditional_t<Outs::count == sets * full::places, full, compact>;
        with_streams<PerSet>(f, points, further, outs,
                             run_over_streams<program, to, inputs::count, PerSet, Executor>{executor});
    }
};

} // namespace chainrule::batches
