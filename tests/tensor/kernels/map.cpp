// SPDX-License-Identifier: BSL-1.0
//
// Loops over plain arrays: at every length, with groups, blocks and what is left over, they do what the plainest loop
// does.
#include "catch.hpp"

#include <chainrule/tensor/kernels/map.hpp>

#include <limits>
#include <vector>

namespace {

namespace kernels = chainrule::tensor::kernels;
using chainrule::tensor::extents;
namespace ct = chainrule::tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
std::vector<T> counted(ct::index size, T first) {
    std::vector<T> numbers(static_cast<std::size_t>(size));
    for (T& x : numbers) x = first++;
    return numbers;
}

/// Sets f = g * x, or +=, except that a zero of g gives zero.
std::vector<double> by_the_plainest_loop(const std::vector<double>& g, const std::vector<double>& x,
                                         std::vector<double> to, bool adds) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        const double term = g[i] == 0 ? 0 : g[i] * x[i];
        to[i] = adds ? to[i] + term : term;
    }
    return to;
}

} // namespace

TEST_CASE("an infinity or a NaN is found wherever it stands", "[tensor][kernels]") {
    for (const ct::index size : {1, 7, 31, 32, 33, 63, 64, 65, 200}) {
        std::vector<double> numbers = counted<double>(size, -3);
        CHECK(kernels::are_finite(numbers.data(), size));
        for (double& x : numbers)
            for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
                const double kept = std::exchange(x, bad);
                if (kernels::are_finite(numbers.data(), size))
                    FAIL_CHECK(bad << " at " << &x - numbers.data() << " of " << size);
                x = kept;
            }
    }
    CHECK(kernels::are_finite<double>(nullptr, 0));
}

TEST_CASE("a spoiled row or column of a product is found", "[tensor][kernels]") {
    for (const ct::index m : {1, 2, 3, 4, 5, 6, 9})
        for (const ct::index n : {1, 2, 5}) {
            CAPTURE(m, n);
            std::vector<double> product(static_cast<std::size_t>(m * n), 1.0);
            CHECK(!kernels::shows_infinity(product.data(), m, n));
            for (ct::index row = 0; row < m; ++row) {
                std::vector<double> spoiled = product;
                std::fill_n(spoiled.begin() + row * n, n, infinity);
                CHECK(kernels::shows_infinity(spoiled.data(), m, n));
            }
            for (ct::index column = 0; column < n; ++column) {
                std::vector<double> spoiled = product;
                for (ct::index row = 0; row < m; ++row) spoiled[static_cast<std::size_t>(row * n + column)] = -infinity;
                CHECK(kernels::shows_infinity(spoiled.data(), m, n));
            }
        }
}

TEST_CASE("products are careful where one is not finite, and only there, at every length", "[tensor][kernels]") {
    const auto product = [](double g, double x) { return g * x; };
    const auto careful = [](double g, double x) { return g == 0 ? 0 : g * x; };
    for (const ct::index size : {1, 2, 31, 32, 33, 511, 512, 513, 1100})
        for (const ct::index bad : {ct::index{0}, size / 2, size - 1})
            for (const bool adds : {false, true}) {
                CAPTURE(size, bad, adds);
                std::vector<double> g = counted<double>(size, 1), x = counted<double>(size, 0.5);
                g[static_cast<std::size_t>(bad)] = 0;
                x[static_cast<std::size_t>(bad)] = infinity;
                const std::vector<double> before = counted<double>(size, 7);
                const std::vector<double> expected = by_the_plainest_loop(g, x, before, adds);
                const extents shape{size}, packed{1};
                std::vector<double> to = before;
                const std::tuple<const double*, const double*> sources(g.data(), x.data());
                kernels::map_products(shape, to.data(), adds, product, careful, sources, packed, packed, packed);
                CHECK(to == expected);
                if (adds) continue;
                // In the place of a source, and with every other number of a source.
                std::vector<double> in_place = g;
                const std::tuple<const double*, const double*> itself(in_place.data(), x.data());
                kernels::map_products(shape, in_place.data(), false, product, careful, itself, packed, packed, packed);
                CHECK(in_place == expected);
                std::vector<double> apart(2 * x.size());
                for (std::size_t i = 0; i < x.size(); ++i) apart[2 * i] = x[i];
                const std::tuple<const double*, const double*> strided(g.data(), apart.data());
                to = before;
                kernels::map_products(shape, to.data(), false, product, careful, strided, packed, packed, extents{2});
                CHECK(to == expected);
            }
}

TEST_CASE("a source that is repeated is taken as often as there are places", "[tensor][kernels]") {
    const auto product = [](double g, double x) { return g * x; };
    const auto careful = [](double g, double x) { return g == 0 ? 0 : g * x; };
    for (const ct::index columns : {2, 33, 512, 513, 1100})
        for (const double x : {0.5, infinity})
            for (const bool adds : {false, true}) {
                CAPTURE(columns, x, adds);
                constexpr ct::index rows = 3;
                std::vector<double> g = counted<double>(rows * columns, 1);
                for (std::size_t i = 0; i < g.size(); i += 7) g[i] = 0;
                const std::vector<double> before = counted<double>(rows * columns, 7);
                // One number for each row; one row for all; one number for all.
                const extents shape{rows, columns}, packed{columns, 1};
                const std::vector<double> few = [&] {
                    std::vector<double> numbers = counted<double>(columns, 3);
                    numbers.front() = x;
                    return numbers;
                }();
                for (const extents& strides : {extents{1, 0}, extents{0, 1}, extents{0, 0}}) {
                    CAPTURE(strides);
                    if (strides[0] == 1 && rows > columns) continue;
                    std::vector<double> all(g.size());
                    for (ct::index i = 0; i < rows; ++i)
                        for (ct::index j = 0; j < columns; ++j)
                            all[static_cast<std::size_t>(i * columns + j)] =
                                few[static_cast<std::size_t>(i * strides[0] + j * strides[1])];
                    std::vector<double> to = before;
                    const std::tuple<const double*, const double*> sources(g.data(), few.data());
                    kernels::map_products(shape, to.data(), adds, product, careful, sources, packed, packed, strides);
                    CHECK(to == by_the_plainest_loop(g, all, before, adds));
                }
            }
}
