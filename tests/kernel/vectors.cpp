// SPDX-License-Identifier: BSL-1.0
//
// Kernels of equal terms, which are computed on vectors: the same bits as computed one by one, at run time and in
// constant expressions, for each way of reading inputs and writing outputs.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace core = chainrule::core;
using namespace cr::literals;

template <class T>
auto bits(T number) {
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<std::uint32_t>(number);
    else
        return std::bit_cast<std::uint64_t>(number);
}

/// Inputs whose order in memory is not known, which are read one by one.
template <class T>
struct scattered {
    std::vector<T> numbers;
    T operator[](std::size_t i) const { return numbers[i]; }
    void refresh() {}
};

/// The outputs of a request, computed without vectors.
template <unsigned Request, class T, class F>
std::vector<T> without_vectors(const F& f, std::vector<T> inputs, std::size_t outputs) {
    std::vector<T> result(outputs);
    using program = typename F::template code<Request>::program;
    program::template run<T>(scattered<T>{std::move(inputs)},
                             cr::kernel::numbers_of<T>(cr::detail::function_parts::expressions(f)), result);
    return result;
}

template <class T, class Range>
void require_same(const Range& got, const std::vector<T>& expected, std::size_t from) {
    for (const T number : got) {
        CAPTURE(from);
        REQUIRE(bits(number) == bits(expected.at(from)));
        ++from;
    }
}

template <class T, std::size_t N>
constexpr std::array<T, N> a_point() {
    std::array<T, N> p{};
    for (std::size_t i = 0; i < N; ++i) p[i] = T(0.3) + T(i * i % 11) / T(8) - T(i) / T(64);
    return p;
}

// Terms of neighbours, and what differs at both ends.
constexpr auto valley = cr::function<13>([](const auto& x) {
    auto sum = 0.0 * x[0];
    for (std::size_t i = 0; i + 1 < 13; ++i) {
        auto rise = x[i + 1] - x[i] * x[i], rest = 1.0 - x[i];
        sum += 100.0 * rise * rise + rest * rest;
    }
    return sum;
});

// Calls, quotients and a shared factor.
constexpr auto entropy = cr::function<11>([](const auto& x) {
    auto total = 0.0 * x[0], sum = 0.0 * x[0];
    for (const auto& u : x) total += u;
    for (const auto& u : x) sum += u * log(u / total) + sin(u) * cos(u) / (1.0 + u * u);
    return sum;
});

// A chain of calls has no equal parts.
constexpr auto chain = cr::function<2>([](const auto& x) {
    auto r = x[0];
    for (int i = 0; i < 20; ++i) r = sin(r) * x[1];
    return r;
});

template <class Program>
struct body_of;
template <class... Constants, int PairPlaces, bool Conditional, bool Relaxed, cr::codegen::packed... I, class Own>
struct body_of<cr::codegen::packed_program<cr::codegen::constant_slots<Constants...>,
                                           cr::codegen::instructions<PairPlaces, Conditional, Relaxed, I...>, Own>> {
    static constexpr int count = sizeof...(I);
    /// The instructions with vectors, or 0 for a program without.
    template <int Lanes>
    static consteval int packed_count() {
        constexpr cr::codegen::packed body[] = {I...};
        return cr::codegen::pack_into_vectors<2 * count>(Lanes, body, count, sizeof...(Constants)).size;
    }
};
template <const auto& F>
using program_of = body_of<
    typename std::remove_cvref_t<decltype(F)>::template code<cr::request::values | cr::request::jacobians>::program>;

static_assert(0 < program_of<valley>::packed_count<4>());
static_assert(10 * program_of<valley>::packed_count<4>() < 9 * program_of<valley>::count);
static_assert(0 < program_of<valley>::packed_count<2>());
static_assert(program_of<chain>::packed_count<4>() == 0);

} // namespace

TEST_CASE("the value and gradient of equal terms", "[vectors]") {
    const auto check = [](const auto& f, auto point) {
        using T = typename decltype(point)::value_type;
        constexpr unsigned both = cr::request::values | cr::request::jacobians;
        const std::vector<T> expected =
            without_vectors<both, T>(f, std::vector<T>(point.begin(), point.end()), point.size() + 1);
        const auto got = f.value_and_gradient(point);
        CHECK(bits(got.value) == bits(expected[0]));
        require_same<T>(got.gradient, expected, 1);
        require_same<T>(f.gradient(std::vector<T>(point.begin(), point.end())), expected, 1);
    };
    check(valley, a_point<double, 13>());
    check(valley, a_point<float, 13>());
    check(entropy, a_point<double, 11>());
    check(entropy, a_point<float, 11>());
}

TEST_CASE("vectors in constant expressions", "[vectors]") {
    constexpr auto point = a_point<double, 13>();
    constexpr auto constant = valley.value_and_gradient(point);
    auto at = point;
    const auto computed = valley.value_and_gradient(at);
    CHECK(bits(constant.value) == bits(computed.value));
    for (std::size_t i = 0; i < 13; ++i) CHECK(bits(constant.gradient[i]) == bits(computed.gradient[i]));
}

TEST_CASE("vectors of a Jacobian and a Hessian", "[vectors]") {
    // Each output of its neighbours, with a parameter.
    constexpr auto x = cr::variables<"x", 12>;
    constexpr auto k = cr::variable<"k">;
    const auto rates = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return cr::function(cr::vector((x.template get<(I + 1) % 12>() - x.template get<(I + 10) % 12>()) *
                                           x.template get<(I + 11) % 12>() -
                                       x.template get<I>() + k...),
                            cr::wrt(x), cr::given(k = 0.7));
    }(std::make_index_sequence<12>{});
    const auto point = a_point<double, 12>();
    std::vector<double> inputs(point.begin(), point.end());
    inputs.push_back(0.7);
    constexpr unsigned both = cr::request::values | cr::request::jacobians;
    const std::vector<double> expected = without_vectors<both, double>(rates, inputs, 12 + 144);
    const auto [values, jacobian] = rates.value_and_jacobian(point);
    require_same<double>(values, expected, 0);
    for (std::size_t i = 0; i < 12; ++i) require_same<double>(jacobian[i], expected, 12 + 12 * i);

    const auto valley_point = a_point<double, 13>();
    const std::vector<double> second = without_vectors<cr::request::hessians, double>(
        valley, std::vector<double>(valley_point.begin(), valley_point.end()), 13 * 14 / 2);
    const auto hessian = valley.hessian(valley_point);
    for (std::size_t i = 0, k2 = 0; i < 13; ++i)
        for (std::size_t j = i; j < 13; ++j, ++k2) {
            REQUIRE(bits(hessian[i][j]) == bits(second[k2]));
            REQUIRE(bits(hessian[j][i]) == bits(second[k2]));
        }
}

// A quadratic form with stored numbers, alone and as part of more: with a factor, and with a coefficient that all its
// derivatives have.
constexpr auto stored = [] {
    std::array<std::array<double, 8>, 8> a{};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j) a[i][j] = 0.1 * static_cast<double>((3 * i + 5 * j) % 13) + 0.01;
    return a;
}();
constexpr auto form_of = [](auto combine) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        constexpr auto x = cr::variables<"x", 8>;
        const auto row = [&](std::size_t i) { return (... + (stored[i][I] * x.template get<I>())); };
        return cr::function(combine((... + (x.template get<I>() * row(I))), (... + x.template get<I>())), cr::wrt(x));
    }(std::make_index_sequence<8>{});
};
constexpr auto form = form_of([](auto f, auto) { return f; });
constexpr auto form_with_factor = form_of([](auto f, auto sum) { return f * log(sum) + exp(sum); });
constexpr auto form_with_coefficient = form_of([](auto f, auto sum) { return exp(sum) - sqrt(2_c) * f / sum; });

static_assert(0 < program_of<form_with_factor>::packed_count<4>());
static_assert(0 < program_of<form_with_coefficient>::packed_count<4>());

TEST_CASE("stored numbers in vectors", "[vectors]") {
    const auto check = [](const auto& f) {
        const auto point = a_point<double, 8>();
        constexpr unsigned both = cr::request::values | cr::request::jacobians;
        const std::vector<double> expected =
            without_vectors<both, double>(f, std::vector<double>(point.begin(), point.end()), 9);
        const auto got = f.value_and_gradient(point);
        CHECK(bits(got.value) == bits(expected[0]));
        require_same<double>(got.gradient, expected, 1);
    };
    check(form);
    check(form_with_factor);
    check(form_with_coefficient);
}
