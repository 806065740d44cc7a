// SPDX-License-Identifier: BSL-1.0
//
// Points as data of Boost.Hana: a map from variables, or from the strings of their names, to numbers; a tuple of
// arguments by name; and a tuple of numbers by position.
#pragma once

#include <chainrule/entry/inputs.hpp>

#include <boost/hana/core/tag_of.hpp>
#include <boost/hana/fwd/map.hpp>
#include <boost/hana/fwd/tuple.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/unpack.hpp>

#include <concepts>
#include <cstddef>

namespace chainrule::detail {

/// The argument for a pair whose key names no variable.
template <class Key>
struct key_without_variable : refused_argument {
    using variable = typename symbol<boost::hana::string<'?'>>::node;
    double value = 0.0;
};
template <class Key>
consteval void report(key_without_variable<Key>) {
    constexpr bool names_variable = expressions::variable_node<expressions::named_by<Key>>;
    static_assert(names_variable, "f(map): a key of the map of Boost.Hana is neither a variable nor a string; write "
                                  "hana::make_map(hana::make_pair(x, 2.0)) with x = variable<\"x\">");
}
/// The argument for another pair: its variable with its value.
template <class Pair>
CHAINRULE_STEP constexpr auto argument_of(const Pair& pair) {
    using key = std::remove_cvref_t<decltype(boost::hana::first(pair))>;
    if constexpr (expressions::variable_node<expressions::named_by<key>>)
        return expressions::named_by<key>{} = boost::hana::second(pair);
    else
        return key_without_variable<key>{};
}

template <class T>
concept hana_map = std::same_as<typename boost::hana::tag_of<T>::type, boost::hana::map_tag>;

template <hana_map Map>
inline constexpr bool holds_arguments<Map> = true;
template <hana_map Map>
struct arguments_in<Map> {
    template <class F>
    CHAINRULE_STEP static constexpr auto pass(const Map& map, const F& f) {
        return boost::hana::unpack(map, [&](const auto&... pair) { return f(detail::argument_of(pair)...); });
    }
    using type = decltype(pass(std::declval<const Map&>(),
                               []<class... Argument>(const Argument&...) { return core::type_list<Argument...>{}; }));
};

template <class... T>
inline constexpr bool holds_arguments<boost::hana::tuple<T...>> = sizeof...(T) > 0 &&
                                                                  core::all_true({is_named<T>..., true});
template <class... T>
requires(holds_arguments<boost::hana::tuple<T...>>)
struct arguments_in<boost::hana::tuple<T...>> {
    template <class F>
    CHAINRULE_STEP static constexpr auto pass(const boost::hana::tuple<T...>& tuple, const F& f) {
        return boost::hana::unpack(tuple, f);
    }
    using type = core::type_list<T...>;
};

template <class... T>
requires(core::all_true({source_for<T> == source::number..., true}))
struct numbers_listed<boost::hana::tuple<T...>> {
    using types = core::type_list<T...>;
    template <class Number>
    CHAINRULE_STEP static constexpr void copy(const boost::hana::tuple<T...>& tuple, Number* to) {
        boost::hana::unpack(tuple, [&](const T&... each) { ((*to++ = static_cast<Number>(each)), ...); });
    }
};

} // namespace chainrule::detail
