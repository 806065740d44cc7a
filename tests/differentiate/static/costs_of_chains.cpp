// SPDX-License-Identifier: BSL-1.0
//
// Gradients of long chains cost a small multiple of the value, also if each step has a condition or a quotient: 32
// steps take at most twice the operations of 16 steps plus a constant. tests/property/costs.cpp tests this for every
// function at run time.
#include <chainrule/chainrule.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace {

namespace cr = chainrule;
using cr::request::jacobians;
using cr::request::values;

// f(...f(f(x0, x1), x2)..., xn)
template <int Size, class X, class F>
constexpr auto chain(X x, F f) {
    if constexpr (Size == 1)
        return x.template get<0>();
    else
        return f(chain<Size - 1>(x, f), x.template get<Size - 1>());
}

constexpr auto maximum = []<int Size>(std::integral_constant<int, Size>, auto x) {
    return chain<Size>(x, [](auto a, auto b) { return max(a, b); });
};
constexpr auto rectified = []<int Size>(std::integral_constant<int, Size>, auto x) {
    return chain<Size>(x, [](auto a, auto b) { return relu(a + b); });
};
constexpr auto length = []<int Size>(std::integral_constant<int, Size>, auto x) {
    return chain<Size>(x, [](auto a, auto b) { return hypot(a, b); });
};
constexpr auto log_of_sum = []<int Size>(std::integral_constant<int, Size> size, auto x) {
    const auto largest = maximum(size, x);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return largest + log((... + exp(x.template get<I>() - largest)));
    }(std::make_index_sequence<Size>{});
};

template <int Size, unsigned Request, class F>
constexpr int operations(const F& f) {
    constexpr auto x = cr::variables<"x", Size>;
    return cr::operation_count<Request>(cr::function(f(std::integral_constant<int, Size>{}, x), cr::wrt(x))).total;
}
template <class F>
constexpr bool grows_in_proportion(const F& f) {
    return operations < 32, values | jacobians > (f) <= 2 * operations < 16, values | jacobians > (f) + 32;
}
// Gradient alone, together with the value, and apart.
template <class F>
constexpr bool less_costs_no_more(const F& f) {
    constexpr unsigned both = values | jacobians;
    return operations<32, jacobians>(f) <= operations<32, both>(f) &&
           operations<32, both>(f) <= operations<32, values>(f) + operations<32, jacobians>(f);
}

static_assert(grows_in_proportion(maximum) && less_costs_no_more(maximum));
static_assert(grows_in_proportion(rectified) && less_costs_no_more(rectified));
static_assert(grows_in_proportion(length) && less_costs_no_more(length));

static_assert(operations < 32, values | jacobians > (maximum) <= 4 * operations<32, values>(maximum) + 32);
static_assert(operations < 32, values | jacobians > (rectified) <= 2 * operations<32, values>(rectified) + 32);
static_assert(operations < 32, values | jacobians > (length) <= 5 * operations<32, values>(length) + 32);

// The derivative with respect to the maximum is zero, as the optimiser finds with the value and without.
static_assert(operations<16, values>(log_of_sum) == 64);
static_assert(operations < 16, values | jacobians > (log_of_sum) == 81);
static_assert(operations<16, jacobians>(log_of_sum) == 79);

// Mixtures, which docs/derivatives.md names: kinks and conditions of products, and sums of products that overlap.
template <std::size_t Size>
constexpr auto layers = cr::function<Size>([](const auto& q) {
    auto s = q[0] * 1.0;
    for (std::size_t i = 1; i < Size; ++i) s = relu(s * q[i] + q[i - 1]);
    return s;
});
template <std::size_t Size>
constexpr auto extremes = cr::function<Size>([](const auto& q) {
    auto s = q[0] * 1.0;
    for (std::size_t i = 1; i < Size; ++i) s = max(s, q[i]) * min(s, q[i]);
    return s;
});
template <std::size_t Size>
constexpr auto largest = cr::function<Size>([](const auto& q) {
    auto s = q[0] * 1.0;
    for (std::size_t i = 1; i < Size; ++i) s = max(s * q[i], q[i - 1]);
    return s;
});
template <std::size_t Size>
constexpr auto chosen = cr::function<Size>([](const auto& q) {
    auto s = q[0] * 1.0;
    for (std::size_t i = 1; i < Size; ++i) {
        const auto t = s * q[i] + q[i - 1];
        s = select(t > 0, t, 0.1 * s);
    }
    return s;
});
// Layers of four units.
template <std::size_t Layers>
constexpr auto network = cr::function<4 + 16 * Layers>([](const auto& q) {
    std::array<std::remove_cvref_t<decltype(q[0] * 1.0)>, 4> units{q[0], q[1], q[2], q[3]}, next{};
    std::size_t k = 4;
    for (std::size_t layer = 0; layer < Layers; ++layer) {
        for (auto& unit : next) {
            unit = relu(units[0] * q[k] + units[1] * q[k + 1] + units[2] * q[k + 2] + units[3] * q[k + 3]);
            k += 4;
        }
        units = next;
    }
    return units[0] + units[1] + units[2] + units[3];
});
constexpr auto symmetric = cr::function<10>([](const auto& q) {
    std::array<std::remove_cvref_t<decltype(q[0])>, 11> e{};
    e[0] = 1.0;
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t k = i + 1; k > 0; --k) e[k] = e[k] + e[k - 1] * q[i];
    auto s = e[1] * 1.0;
    for (std::size_t k = 2; k <= 10; ++k) s = s * e[k];
    return s;
});
template <class F>
constexpr bool costs(const F& f, int multiple, int variables) {
    return cr::operation_count(f).total <= multiple * cr::operation_count<values>(f).total + variables;
}
static_assert(costs(layers<20>, 5, 20) && costs(layers<40>, 5, 40));
static_assert(costs(extremes<20>, 6, 20) && costs(extremes<40>, 6, 40));
static_assert(costs(largest<20>, 6, 20) && costs(largest<40>, 6, 40));
static_assert(costs(chosen<20>, 3, 20) && costs(chosen<40>, 3, 40));
static_assert(costs(network<2>, 4, 36) && costs(network<4>, 4, 68));
static_assert(costs(symmetric, 5, 10));

} // namespace
