// SPDX-License-Identifier: BSL-1.0
//
// W5b: the Helmholtz energy of a mixed fluid of ten components (Griewank and Walther, Evaluating Derivatives, 2008):
//   R T sum x_i log(x_i/(1 - b.x)) - x'Ax/(sqrt(8) b.x) log((1 + (1 + sqrt 2) b.x)/(1 + (1 - sqrt 2) b.x))
// with constant R T, b and a symmetric matrix A, here as stored numbers, as given numbers and as exact constants.
#pragma once

#include <chainrule/chainrule.hpp>

#include <tuple>

#include "results.hpp"

namespace workloads {

using matrix = std::array<std::array<double, 10>, 10>;

inline constexpr matrix interaction = {{
    {0.432, 0.255, 0.505, 0.767, 0.150, 0.175, 0.941, 0.649, 0.197, 0.475},
    {0.255, 0.697, 0.160, 0.620, 0.320, 0.139, 0.189, 0.545, 0.529, 0.172},
    {0.505, 0.160, 0.347, 0.193, 0.665, 0.535, 0.161, 0.947, 0.680, 0.227},
    {0.767, 0.620, 0.193, 0.329, 0.746, 0.743, 0.164, 0.691, 0.700, 0.507},
    {0.150, 0.320, 0.665, 0.746, 0.151, 0.327, 0.148, 0.671, 0.980, 0.237},
    {0.175, 0.139, 0.535, 0.743, 0.327, 0.397, 0.530, 0.248, 0.654, 0.221},
    {0.941, 0.189, 0.161, 0.164, 0.148, 0.530, 0.685, 0.416, 0.674, 0.936},
    {0.649, 0.545, 0.947, 0.691, 0.671, 0.248, 0.416, 0.799, 0.286, 0.206},
    {0.197, 0.529, 0.680, 0.700, 0.980, 0.654, 0.674, 0.286, 0.696, 0.755},
    {0.475, 0.172, 0.227, 0.507, 0.237, 0.221, 0.936, 0.206, 0.755, 0.293},
}};
inline constexpr std::array<double, 10> covolume = {0.021, 0.047, 0.033, 0.052, 0.018,
                                                    0.039, 0.027, 0.044, 0.036, 0.029};
inline constexpr double gas_constant_times_temperature = 2.479;

/// The ten variables and what both forms of the energy have in common: everything but the quadratic form x'Ax.
struct helmholtz {
    static constexpr point<10> at = {0.31, 0.44, 0.27, 0.52, 0.39, 0.61, 0.23, 0.48, 0.35, 0.57};

    static constexpr auto x0 = chainrule::variable<"x0">;
    static constexpr auto x1 = chainrule::variable<"x1">;
    static constexpr auto x2 = chainrule::variable<"x2">;
    static constexpr auto x3 = chainrule::variable<"x3">;
    static constexpr auto x4 = chainrule::variable<"x4">;
    static constexpr auto x5 = chainrule::variable<"x5">;
    static constexpr auto x6 = chainrule::variable<"x6">;
    static constexpr auto x7 = chainrule::variable<"x7">;
    static constexpr auto x8 = chainrule::variable<"x8">;
    static constexpr auto x9 = chainrule::variable<"x9">;
    static constexpr auto variables = std::tuple{x0, x1, x2, x3, x4, x5, x6, x7, x8, x9};

    /// The sum of weight times variable, over ten weights of any kind.
    static constexpr auto weighted = [](auto... weight) {
        return std::apply([&](auto... xi) { return (... + (weight * xi)); }, variables);
    };

    /// The energy from its sums: x_i log(x_i/(1 - b.x)), x'Ax, b.x.
    template <class T>
    static constexpr auto combined(const auto& one, const auto& two, const auto& eight, const auto& rt,
                                   const auto& mixing, const auto& quadratic_form, const auto& bx) {
        using std::log, std::sqrt;
        const auto ratio = kept<T>((one + (one + sqrt(two)) * bx) / (one + (one - sqrt(two)) * bx));
        return kept<T>(rt * mixing - quadratic_form / (sqrt(eight) * bx) * log(ratio));
    }

    /// The energy from the ten rows of Ax.
    static constexpr auto energy(auto... row) {
        namespace cr = chainrule;
        using namespace cr::literals;
        const auto quadratic_form = weighted(row...);
        constexpr auto bx =
            weighted(0.021_c, 0.047_c, 0.033_c, 0.052_c, 0.018_c, 0.039_c, 0.027_c, 0.044_c, 0.036_c, 0.029_c);
        constexpr auto free_volume = 1_c - bx;
        constexpr auto mixing = std::apply([=](auto... xi) { return (... + (xi * log(xi / free_volume))); }, variables);
        return cr::function(combined<expressions>(1_c, 2_c, 8_c, 2.479_c, mixing, quadratic_form, bx),
                            cr::wrt(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9));
    }

    /// x'Ax and Ax + A'x.
    struct products {
        double quadratic_form;
        std::array<double, 10> doubled;
    };

    /// The hand-written half. The logarithms come first, so that no register has to outlive their calls.
    static value_and_gradient<10> by_hand(const point<10>& x, auto products_of_a) {
        constexpr double root_eight = 2.82842712474619009760;
        constexpr double one_plus_root_two = 2.41421356237309504880;
        constexpr double one_minus_root_two = -0.41421356237309504880;
        constexpr double rt = gas_constant_times_temperature;

        double bx = covolume[0] * x[0], sum = x[0];
#pragma GCC unroll 9
        for (std::size_t i = 1; i < 10; ++i) {
            bx += covolume[i] * x[i];
            sum += x[i];
        }
        const double over_free = 1.0 / (1.0 - bx);
        const double over_bx = 1.0 / bx;
        const double above = 1.0 + one_plus_root_two * bx;
        const double over_below = 1.0 / (1.0 + one_minus_root_two * bx);
        const double attraction = (1.0 / root_eight) * over_bx * std::log(above * over_below);
        const double d_attraction = over_bx * (one_plus_root_two / root_eight / above -
                                               one_minus_root_two / root_eight * over_below - attraction);

        value_and_gradient<10> result;
        double mixing = -0.0;
#pragma GCC unroll 10
        for (std::size_t i = 0; i < 10; ++i) {
            const double logarithm = std::log(x[i] * over_free);
            mixing += x[i] * logarithm;
            result.gradient[i] = logarithm;
        }

        const auto [quadratic_form, doubled] = products_of_a();
        const double d_bx = rt * over_free * sum - quadratic_form * d_attraction;
#pragma GCC unroll 10
        for (std::size_t i = 0; i < 10; ++i)
            result.gradient[i] = rt * result.gradient[i] + (covolume[i] * d_bx + rt) - attraction * doubled[i];
        result.value = rt * mixing - quadratic_form * attraction;
        return result;
    }

    static products products_by_symmetry(const matrix& a, const point<10>& x) {
        products result;
        double quadratic_form = -0.0;
#pragma GCC unroll 10
        for (std::size_t i = 0; i < 10; ++i) {
            double row = a[i][0] * x[0];
#pragma GCC unroll 9
            for (std::size_t j = 1; j < 10; ++j) row += a[i][j] * x[j];
            quadratic_form += x[i] * row;
            result.doubled[i] = row + row;
        }
        result.quadratic_form = quadratic_form;
        return result;
    }

    /// Column by column in a loop, which compilers turn into SIMD code by themselves.
    static products products_by_columns(const matrix& a, const point<10>& x) {
        products result;
        for (std::size_t i = 0; i < 10; ++i) {
            double row = a[0][i] * x[0];
#pragma GCC unroll 9
            for (std::size_t j = 1; j < 10; ++j) row += a[j][i] * x[j];
            result.doubled[i] = row + row;
        }
        double doubled_form = -0.0;
#pragma GCC unroll 10
        for (std::size_t i = 0; i < 10; ++i) doubled_form += x[i] * result.doubled[i];
        result.quadratic_form = 0.5 * doubled_form;
        return result;
    }
};

/// A as stored numbers: known at run time only, and nothing says that it is symmetric.
struct helmholtz_stored : helmholtz {
    static constexpr auto name = "Helmholtz, n = 10, stored numbers";
    struct data {
        matrix a = interaction;
    };

    static constexpr auto function(const data& d) {
        const auto row = [&](std::size_t i) { return std::apply(weighted, d.a[i]); };
        return energy(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7), row(8), row(9));
    }

    template <class T>
    static T ordinary(const data& d, const T* x) {
        using std::log;
        T bx(0.0), mixing(0.0), quadratic_form(0.0);
        for (std::size_t i = 0; i < 10; ++i) bx += covolume[i] * x[i];
        const T free_volume = 1.0 - bx;
        for (std::size_t i = 0; i < 10; ++i) {
            mixing += x[i] * log(x[i] / free_volume);
            T row(0.0);
            for (std::size_t j = 0; j < 10; ++j) row += d.a[i][j] * x[j];
            quadratic_form += x[i] * row;
        }
        return combined<T>(1.0, 2.0, 8.0, gas_constant_times_temperature, mixing, quadratic_form, bx);
    }

    static products products_of(const matrix& a, const point<10>& x) {
        products result;
        double quadratic_form = -0.0;
#pragma GCC unroll 10
        for (std::size_t i = 0; i < 10; ++i) {
            double row = a[i][0] * x[0];
#pragma GCC unroll 9
            for (std::size_t j = 1; j < 10; ++j) row += a[i][j] * x[j];
            quadratic_form += x[i] * row;
            result.doubled[i] = row;
        }
        for (std::size_t j = 0; j < 10; ++j) {
            double both = result.doubled[j];
#pragma GCC unroll 10
            for (std::size_t i = 0; i < 10; ++i) both += a[i][j] * x[i];
            result.doubled[j] = both;
        }
        result.quadratic_form = quadratic_form;
        return result;
    }

    static value_and_gradient<10> by_hand(const data& d, const point<10>& x) {
        return helmholtz::by_hand(x, [&] { return products_of(d.a, x); });
    }
};

/// The same expression against a hand-written function that was told of the symmetry.
struct helmholtz_stored_symmetric : helmholtz_stored {
    static constexpr auto name = "Helmholtz, stored, by hand with symmetry";

    static value_and_gradient<10> by_hand(const data& d, const point<10>& x) {
        return helmholtz::by_hand(x, [&] { return products_by_symmetry(d.a, x); });
    }
};

/// A and b as numbers that are given to parameters: b.x has an identity, so the terms share it.
struct helmholtz_given : helmholtz_stored {
    static constexpr auto name = "Helmholtz, n = 10, given numbers";

    static constexpr auto function(const data& d) {
        namespace cr = chainrule;
        using namespace cr::literals;
        constexpr auto x = cr::vector(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9);
        constexpr auto a = cr::matrix<10>(cr::variables<"a", 100>);
        constexpr auto b = cr::variables<"b", 10>;
        constexpr auto bx = dot(b, x);
        constexpr auto free_volume = 1_c - bx;
        constexpr auto mixing = std::apply([=](auto... xi) { return (... + (xi * log(xi / free_volume))); }, variables);
        return cr::function(combined<expressions>(1_c, 2_c, 8_c, 2.479_c, mixing, dot(x, a * x), bx), cr::wrt(x),
                            cr::given(a = d.a, b = covolume));
    }
};

/// A as exact constants: the optimiser may see the symmetry by itself.
struct helmholtz_exact : helmholtz {
    static constexpr auto name = "Helmholtz, n = 10, exact constants";
    using data = no_data;

    static constexpr auto function(const data& = {}) {
        using namespace chainrule::literals;
        return energy(
            weighted(0.432_c, 0.255_c, 0.505_c, 0.767_c, 0.150_c, 0.175_c, 0.941_c, 0.649_c, 0.197_c, 0.475_c),
            weighted(0.255_c, 0.697_c, 0.160_c, 0.620_c, 0.320_c, 0.139_c, 0.189_c, 0.545_c, 0.529_c, 0.172_c),
            weighted(0.505_c, 0.160_c, 0.347_c, 0.193_c, 0.665_c, 0.535_c, 0.161_c, 0.947_c, 0.680_c, 0.227_c),
            weighted(0.767_c, 0.620_c, 0.193_c, 0.329_c, 0.746_c, 0.743_c, 0.164_c, 0.691_c, 0.700_c, 0.507_c),
            weighted(0.150_c, 0.320_c, 0.665_c, 0.746_c, 0.151_c, 0.327_c, 0.148_c, 0.671_c, 0.980_c, 0.237_c),
            weighted(0.175_c, 0.139_c, 0.535_c, 0.743_c, 0.327_c, 0.397_c, 0.530_c, 0.248_c, 0.654_c, 0.221_c),
            weighted(0.941_c, 0.189_c, 0.161_c, 0.164_c, 0.148_c, 0.530_c, 0.685_c, 0.416_c, 0.674_c, 0.936_c),
            weighted(0.649_c, 0.545_c, 0.947_c, 0.691_c, 0.671_c, 0.248_c, 0.416_c, 0.799_c, 0.286_c, 0.206_c),
            weighted(0.197_c, 0.529_c, 0.680_c, 0.700_c, 0.980_c, 0.654_c, 0.674_c, 0.286_c, 0.696_c, 0.755_c),
            weighted(0.475_c, 0.172_c, 0.227_c, 0.507_c, 0.237_c, 0.221_c, 0.936_c, 0.206_c, 0.755_c, 0.293_c));
    }

    static value_and_gradient<10> by_hand(const data&, const point<10>& x) {
        return helmholtz::by_hand(x, [&] { return products_by_symmetry(interaction, x); });
    }
};

/// The same expression against a hand-written function that the compiler can turn into SIMD code.
struct helmholtz_exact_simd : helmholtz_exact {
    static constexpr auto name = "Helmholtz, exact, by hand in SIMD columns";

    static value_and_gradient<10> by_hand(const data&, const point<10>& x) {
        return helmholtz::by_hand(x, [&] { return products_by_columns(interaction, x); });
    }
};

} // namespace workloads
