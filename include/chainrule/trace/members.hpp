// SPDX-License-Identifier: BSL-1.0
//
// Traced code with members: a function object such as a residual that holds its observation. While it is traced, each
// member holds a number that stands for a parameter. The code may pass it on and combine it with traced numbers; where
// it computes with the number itself, or branches on it, its graph depends on the number, so it is traced with several.
#pragma once

#include <chainrule/trace/record.hpp>

#include <array>
#include <bit>

namespace chainrule {

namespace tracing {

/// The names of the members of a function object: see members().
template <class... V>
struct member_names {};

/// A function object of type F that consists of Count members of type Number, in the given round of trace.
template <class F, class Number, int Count, int Round = 0>
struct placeholder_object;

/// The sets of numbers that stand for the members: of several magnitudes, since code may test for an interval; not a
/// number; and then the same with 0 for one member at a time.
enum class round : unsigned char { positive, negative, large, small, unit, tens, thousands, greatest, nan, first_zero };

template <class Number>
[[nodiscard]] constexpr Number placeholder_value(int number, int member) {
    constexpr int first_zero = static_cast<int>(round::first_zero);
    if (number == first_zero + member) return static_cast<Number>(-0.0); // literals are 0, not -0
    // 22 digits that no literal has, so that they are the same in float.
    const auto digits = static_cast<double>((core::mix(0xC0DE, static_cast<core::hash_value>(member)) & 0xFFFFE) | 1);
    const double irregular = 1 + (digits + 0x100000 * (1 + member % 2)) * 0x1p-22;
    switch (static_cast<round>(number)) {
    case round::negative: return static_cast<Number>(-0x1p7 * irregular);
    case round::large: return static_cast<Number>(0x1p100 * irregular);
    case round::small: return static_cast<Number>(0x1p-100 * irregular);
    case round::unit: return static_cast<Number>(0x1p-1 * irregular);
    case round::tens: return static_cast<Number>(0x1p5 * irregular);
    case round::thousands: return static_cast<Number>(0x1p11 * irregular);
    case round::greatest: return static_cast<Number>((sizeof(Number) == 4 ? 0x1p120 : 0x1p1000) * irregular);
    case round::nan:
        if constexpr (sizeof(Number) == 4)
            return std::bit_cast<float>(0x7FC00001u + static_cast<std::uint32_t>(member));
        else
            return std::bit_cast<double>(0x7FF8000020000000u + (static_cast<std::uint64_t>(member) << 29));
    default: return static_cast<Number>(0x1p3 * irregular);
    }
}

// The same class template with traced numbers for members, if F is an instance for Number with such a constructor.
template <class F, class Number>
struct with_traced_members {
    static constexpr bool exists = false;
    using type = F;
};
template <template <class> class Template, class Number>
struct with_traced_members<Template<Number>, Number> {
    static constexpr bool exists = true;
    using type = Template<traced_number>;
};

template <class F, class Number, std::size_t Count>
[[nodiscard]] constexpr auto filled(const Number (&numbers)[Count]) {
    std::array<Number, Count> all{};
    for (std::size_t i = 0; i < Count; ++i) all[i] = numbers[i];
    return std::bit_cast<F>(all);
}

template <class F, class... Number>
concept made_of = requires { F{std::declval<const Number&>()...}; };

// An object made in a constant expression. (nvcc does not expand a pack in an argument of a template.)
template <class F, class Number, std::size_t... I>
[[nodiscard]] constexpr F object_from(std::index_sequence<I...>) {
    return F{Number(I)...};
}
template <class F, class Number, class Indices>
concept constant_from = requires { typename std::bool_constant<(object_from<F, Number>(Indices{}), true)>; };

// Whether an object of type F can be made from one Number for each member, in the order of the members.
template <class F, class Number, std::size_t... I>
[[nodiscard]] consteval bool takes_members(std::index_sequence<I...>) {
    if constexpr (requires { F{Number(I)...}; }) {
        if constexpr (constant_from<F, Number, std::index_sequence<I...>>) {
            const auto members = std::bit_cast<std::array<Number, sizeof...(I)>>(F{Number(I)...});
            return (true && ... && (members[I] == Number(I)));
        }
    }
    return false;
}
template <class F, class Number, std::size_t... I>
[[nodiscard]] consteval bool is_template_of_members(std::index_sequence<I...> all) {
    if constexpr (with_traced_members<F, Number>::exists) {
        using traced = typename with_traced_members<F, Number>::type;
        if constexpr (made_of<traced, typename by_position<0>::number_at<I>::type...>)
            return takes_members<F, Number>(all);
    }
    return false;
}

template <class F, class Number, int Count, int Round>
struct code_of<placeholder_object<F, Number, Count, Round>> {
    static constexpr int members = Count;
    using all_members = std::make_index_sequence<static_cast<std::size_t>(Count)>;
    static constexpr bool is_template = is_template_of_members<F, Number>(all_members{});
    using object = std::conditional_t<is_template, typename with_traced_members<F, Number>::type, F>;

    template <class Traced>
    static constexpr object made(recorder& r, const Traced* x) {
        if constexpr (is_template) {
            return [x]<std::size_t... I>(std::index_sequence<I...>) { return object{x[I]...}; }(all_members{});
        } else {
            Number numbers[static_cast<std::size_t>(Count)];
            for (int i = 0; i < Count; ++i) {
                numbers[i] = placeholder_value<Number>(Round, i);
                r.represent(static_cast<double>(numbers[i]), x[i].in(r));
            }
            return filled<F>(numbers);
        }
    }
    template <class Outputs>
    static constexpr void finish(recorder&, Outputs&) {}
};

/// A hash of the trace of F.
template <class F, class Form>
[[nodiscard]] constexpr core::hash_value fingerprint() {
    const auto hash = [](const recorder& r, const list<int>& outputs) {
        core::hash_value h = static_cast<core::hash_value>(r.g.nodes.count);
        const auto add = [&h](int n) { h = core::mix(h, static_cast<core::hash_value>(n)); };
        for (const node& n : r.g.nodes) {
            add(static_cast<int>(n.what) * 256 + n.function);
            add(n.a);
            add(n.b);
        }
        for (const term& t : r.g.pool) add(t.id);
        for (const core::coefficient& c : r.g.coefficients.magnitudes) h = core::mix(h, c.hash());
        for (const int output : outputs) add(output);
        return h;
    };
    return Form::template call<code_of<F>>(hash, typename Form::all_inputs{});
}

// 0 if a constant evaluation cannot call the code.
template <class F, class Form, core::hash_value Hash = fingerprint<F, Form>()>
constexpr core::hash_value fingerprint_of(int) {
    return Hash;
}
template <class F, class Form>
constexpr core::hash_value fingerprint_of(long) {
    return 0;
}

/// Whether the trace of F is the same for all numbers that stand for its members.
template <class F, class Form>
inline constexpr bool is_independent_of_members = true;
template <class F, class Number, int Count, class Form>
requires(!code_of<placeholder_object<F, Number, Count>>::is_template)
inline constexpr bool is_independent_of_members<placeholder_object<F, Number, Count>, Form> =
    []<int... Round>(std::integer_sequence<int, Round...>) {
        constexpr core::hash_value first = fingerprint_of<placeholder_object<F, Number, Count>, Form>(0);
        return (true && ... && (fingerprint_of<placeholder_object<F, Number, Count, Round + 1>, Form>(0) == first));
    }(std::make_integer_sequence<int, static_cast<int>(round::first_zero) - 1 + (Count < 16 ? Count : 0)>{});

} // namespace tracing
} // namespace chainrule
