// SPDX-License-Identifier: BSL-1.0
//
// Lanes as numbers, in memory, and as the number type of a kernel.
#include "catch.hpp"

#include <chainrule/batch/lanes/lanes.hpp>
#include <chainrule/chainrule.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace cr = chainrule;
namespace batches = chainrule::batches;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

template <class T>
struct counted {
    T values[64];
    counted() { std::iota(values, values + 64, T(1)); }
};

} // namespace

TEMPLATE_TEST_CASE("lanes: memory at any alignment", "[batch]", float, double) {
    using L = batches::widest<TestType>;
    constexpr std::size_t count = batches::lane_count<L>;
    const counted<TestType> numbers;
    for (std::size_t begin = 0; begin < 5; ++begin) {
        const L loaded = batches::load<L>(numbers.values + begin);
        TestType stored[64] = {};
        batches::store(loaded, stored + begin);
        for (std::size_t i = 0; i < 64; ++i)
            CHECK(stored[i] == (i >= begin && i < begin + count ? numbers.values[i] : TestType(0)));
    }
    for (std::size_t first = 0; first <= count; ++first) {
        // A vector of exactly that size, so that a sanitizer sees accesses beyond it.
        const std::vector<TestType> few(numbers.values, numbers.values + first);
        std::vector<TestType> to(first);
        batches::store_first(batches::load_first<L>(few.data(), first, TestType(7)), to.data(), first);
        CHECK(to == few);
        TestType all[64];
        batches::store(batches::load_first<L>(few.data(), first, TestType(7)), all);
        for (std::size_t i = first; i < count; ++i) CHECK(all[i] == 7);
    }
    for (std::ptrdiff_t stride : {1, 2, 3, -1}) {
        const TestType* const from = stride < 0 ? numbers.values + 40 : numbers.values;
        TestType to[64] = {};
        TestType* const begin = stride < 0 ? to + 40 : to;
        batches::scatter(batches::gather<L>(from, stride), begin, stride);
        for (std::size_t i = 0; i < count; ++i) {
            const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * stride;
            CHECK(begin[at] == from[at]);
        }
    }
}

TEMPLATE_TEST_CASE("lanes: one number of all", "[batch]", float, double) {
    using L = batches::widest<TestType>;
    constexpr auto count = static_cast<TestType>(batches::lane_count<L>);
    counted<TestType> numbers;
    CHECK(batches::sum_of(batches::load<L>(numbers.values)) == count * (count + 1) / 2);
    TestType product = 1;
    for (std::size_t i = 0; i < batches::lane_count<L>; ++i)
        product *= TestType(numbers.values[i] = i % 2 ? 2 : TestType(0.25));
    CHECK(batches::product_of(batches::load<L>(numbers.values)) == product);
    for (std::size_t i = 0; i < batches::lane_count<L>; ++i) {
        counted<TestType> one_unknown;
        one_unknown.values[i] = std::numeric_limits<TestType>::quiet_NaN();
        CHECK(std::isnan(batches::sum_of(batches::load<L>(one_unknown.values))));
    }
}

TEMPLATE_TEST_CASE("lanes: arithmetic and comparisons are those of numbers", "[batch]", float, double) {
    using T = TestType;
    using L = batches::widest<T>;
    const T hard[] = {T(-0.0),
                      T(0),
                      T(1),
                      T(-2.5),
                      std::numeric_limits<T>::infinity(),
                      std::numeric_limits<T>::quiet_NaN(),
                      std::numeric_limits<T>::denorm_min(),
                      std::numeric_limits<T>::max()};
    const auto same = [](const L& lanes, T number) {
        T all[64];
        batches::store(lanes, all);
        for (std::size_t i = 0; i < batches::lane_count<L>; ++i)
            if (std::memcmp(&all[i], &number, sizeof number) != 0 && !(std::isnan(all[i]) && std::isnan(number)))
                return false;
        return true;
    };
    for (T a : hard) {
        CHECK(same(L(a), a));
        CHECK(same(-L(a), -a));
        for (T b : hard) {
            CHECK(same(L(a) + L(b), a + b));
            CHECK(same(L(a) - b, a - b));
            CHECK(same(a * L(b), a * b));
            CHECK(same(L(a) / L(b), a / b));
            CHECK(same(batches::select(L(a) < L(b), L(a), L(b)), a < b ? a : b));
            CHECK(batches::all_of(L(a) <= L(b)) == (a <= b));
            CHECK(batches::any_of(L(a) >= L(b)) == (a >= b));
            CHECK(batches::all_of(L(a) == L(b)) == (a == b));
        }
    }
}

TEST_CASE("lanes: masks", "[batch]") {
    using L = batches::vector_number<double, 2>;
    const double numbers[] = {1.0, 2.0};
    const L both = batches::load<L>(numbers);
    CHECK(batches::any_of((both < 2) & (both > 0)));
    CHECK_FALSE(batches::all_of(both < 2));
    CHECK(batches::all_of((both < 2) | (both == 2)));
    CHECK(batches::all_of(!(both > 2)));
    CHECK_FALSE(batches::any_of(both != both));
}

namespace {

// A loop over points, in lanes.
template <class L>
struct points {
    const batches::element<L>* first;
    const batches::element<L>* second;
    L operator[](std::size_t i) const { return batches::load<L>(i == 0 ? first : second); }
    void refresh() {}
};
struct no_numbers {
    template <class L>
    L operator[](std::size_t) const {
        return 0;
    }
    int operator[](std::size_t) const { return 0; }
    void refresh() {}
};

} // namespace

TEMPLATE_TEST_CASE("lanes: kernels run with them", "[batch]", float, double) {
    using T = TestType;
    using L = batches::widest<T>;
    constexpr auto F =
        cr::function(x * x * y + cr::select(x < y, x / y, y) + cr::max(x, y) * cr::abs(x - y), cr::wrt(x, y));
    using code = typename decltype(F)::template code<cr::request::values | cr::request::jacobians>;
    T first[64], second[64];
    for (std::size_t i = 0; i < 64; ++i) {
        first[i] = static_cast<T>(i % 7) - T(2.5);
        second[i] = static_cast<T>(i % 5) - T(1.5);
    }
    for (std::size_t at = 0; at < 64; at += batches::lane_count<L>) {
        L results[3];
        cr::kernel::runner<typename code::program>::template run<L>(points<L>{first + at, second + at}, no_numbers{},
                                                                    results);
        T all[3][64];
        for (std::size_t k = 0; k < 3; ++k) batches::store(results[k], all[k]);
        for (std::size_t i = 0; i < batches::lane_count<L>; ++i) {
            const auto [value, gradient] = F.value_and_gradient(first[at + i], second[at + i]);
            CHECK(all[0][i] == Approx(value).epsilon(4 * std::numeric_limits<T>::epsilon()));
            CHECK(all[1][i] == Approx(gradient[0]).epsilon(4 * std::numeric_limits<T>::epsilon()));
            CHECK(all[2][i] == Approx(gradient[1]).epsilon(4 * std::numeric_limits<T>::epsilon()));
        }
    }
}
