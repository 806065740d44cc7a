// SPDX-License-Identifier: BSL-1.0
//
// Second and sparse derivatives by hand: formulas, subexpressions shared. The Hessians of 100 mixed operations and of
// the reprojection come from the hand-written gradient, on numbers with a tangent for each variable.
#include "../workloads/tangents.hpp"
#include "contestant.hpp"

namespace second_order {
namespace {

template <class Problem>
struct by_hand_of;

/// What all dense Hessians have.
template <std::size_t N>
struct dense {
    static constexpr auto name = "by hand";
    workloads::point<N> x;
    double value = 0.0;
    std::array<double, N> gradient{};
    std::array<std::array<double, N>, N> hessian{};

    explicit dense(const workloads::point<N>& at) : x(at) {}
    [[nodiscard]] bench::answer answer() const {
        return dense_answer(value, gradient, [&](std::size_t i, std::size_t j) { return hessian[i][j]; });
    }
};

template <>
struct by_hand_of<helmholtz_hessian> : dense<10> {
    by_hand_of() : dense(workloads::helmholtz_stored::at) {}

    void compute() {
        constexpr double root_eight = 2.82842712474619009760;
        constexpr double plus = 2.41421356237309504880, minus = -0.41421356237309504880; // 1 + sqrt 2, 1 - sqrt 2
        constexpr double rt = workloads::gas_constant_times_temperature;
        const auto& b = workloads::covolume;
        const auto& a = given<workloads::helmholtz_stored>.a;
        double bx = 0.0, sum = 0.0, form = 0.0, mixing = 0.0;
        std::array<double, 10> doubled{};
        for (std::size_t i = 0; i < 10; ++i) {
            bx += b[i] * x[i];
            sum += x[i];
        }
        for (std::size_t i = 0; i < 10; ++i) {
            double row = 0.0;
            for (std::size_t j = 0; j < 10; ++j) {
                row += a[i][j] * x[j];
                doubled[j] += a[i][j] * x[i];
            }
            form += x[i] * row;
            doubled[i] += row;
        }
        const double over_free = 1.0 / (1.0 - bx), over_bx = 1.0 / bx;
        const double above = 1.0 + plus * bx, over_above = 1.0 / above, over_below = 1.0 / (1.0 + minus * bx);
        // The logarithm over sqrt(8), as a function of b.x, and what it is divided by b.x; with their derivatives.
        const double ratio = std::log(above * over_below) / root_eight;
        const double d_ratio = (plus * over_above - minus * over_below) / root_eight;
        const double dd_ratio =
            (minus * over_below * (minus * over_below) - plus * over_above * (plus * over_above)) / root_eight;
        const double attraction = ratio * over_bx;
        const double d_attraction = (d_ratio - attraction) * over_bx;
        const double dd_attraction = (dd_ratio - 2.0 * d_attraction) * over_bx;
        const double d_bx = rt * over_free * sum - form * d_attraction;
        const double by_both = rt * sum * over_free * over_free - form * dd_attraction;
        std::array<double, 10> mixed; // what stands beside b
        for (std::size_t i = 0; i < 10; ++i) {
            const double logarithm = std::log(x[i] * over_free);
            mixing += x[i] * logarithm;
            gradient[i] = rt * logarithm + rt + b[i] * d_bx - attraction * doubled[i];
            mixed[i] = rt * over_free - d_attraction * doubled[i];
        }
        for (std::size_t i = 0; i < 10; ++i) {
            const double scaled = by_both * b[i] + mixed[i];
            for (std::size_t j = 0; j < 10; ++j)
                hessian[i][j] = scaled * b[j] + b[i] * mixed[j] - attraction * (a[i][j] + a[j][i]);
            hessian[i][i] += rt / x[i];
        }
        value = rt * mixing - form * attraction;
    }
};

template <std::size_t N>
struct by_hand_of<rosenbrock_hessian<N>> : dense<N> {
    using dense<N>::x, dense<N>::value, dense<N>::gradient, dense<N>::hessian;

    by_hand_of() : dense<N>(workloads::rosenbrock_of<N>::at) {}

    void compute() {
        double sum = 0.0, carried = 0.0, curvature = 0.0;
        for (auto& row : hessian) row.fill(0.0);
        for (std::size_t i = 0; i + 1 < N; ++i) {
            const double rise = x[i + 1] - x[i] * x[i], rest = 1.0 - x[i];
            const double slope = 200.0 * rise, beside = -400.0 * x[i];
            sum += 100.0 * (rise * rise) + rest * rest;
            gradient[i] = carried - 2.0 * (x[i] * slope + rest);
            hessian[i][i] = curvature + 2.0 - 2.0 * slope - 2.0 * x[i] * beside;
            hessian[i][i + 1] = hessian[i + 1][i] = beside;
            carried = slope;
            curvature = 200.0;
        }
        gradient[N - 1] = carried;
        hessian[N - 1][N - 1] = curvature;
        value = sum;
    }
};

template <>
struct by_hand_of<mixed_operations_hessian> : dense<12> {
    by_hand_of() : dense(workloads::mixed_operations::at) {}

    [[gnu::flatten]] void compute() {
        const auto found = workloads::mixed_operations::by_hand_on(workloads::with_unit_tangents(x));
        value = found.value.value;
        for (std::size_t i = 0; i < 12; ++i) {
            gradient[i] = found.gradient[i].value;
            hessian[i] = found.gradient[i].tangents;
        }
    }
};

/// With density = spot phi(d1) = strike discount phi(d2).
template <>
struct by_hand_of<black_scholes_hessian> : dense<5> {
    by_hand_of() : dense(workloads::black_scholes::at) {}

    void compute() {
        constexpr double root_half = 0.70710678118654752440, over_root_two_pi = 0.39894228040143267794;
        const auto [spot, strike, rate, volatility, time] = x;
        const double over_spot = 1.0 / spot, over_strike = 1.0 / strike, over_volatility = 1.0 / volatility;
        const double root = std::sqrt(time), over_time = 1.0 / time;
        const double spread = volatility * root, over_spread = 1.0 / spread;
        const double drift = rate + 0.5 * volatility * volatility;
        const double d1 = (std::log(spot * over_strike) + drift * time) * over_spread, d2 = d1 - spread;
        const double cdf1 = 0.5 * std::erfc(-root_half * d1), cdf2 = 0.5 * std::erfc(-root_half * d2);
        const double discount = std::exp(-rate * time);
        const double density = over_root_two_pi * spot * std::exp(-0.5 * d1 * d1);
        const double discount_cdf2 = discount * cdf2, paid = strike * discount_cdf2;
        // Derivatives of d1 and d2; those by spot, strike and rate are equal.
        const double by_spot = over_spread * over_spot, by_strike = -over_spread * over_strike;
        const double by_rate = root * over_volatility;
        const double d1_volatility = -d2 * over_volatility, d2_volatility = -d1 * over_volatility;
        const double d1_time = drift * over_spread - 0.5 * d1 * over_time;
        const double decay = 0.5 * spread * over_time, d2_time = d1_time - decay;
        const double vega = density * root, of_spot = density * over_spot, of_strike = density * over_strike;

        value = spot * cdf1 - paid;
        gradient = {cdf1, -discount_cdf2, paid * time, vega, density * decay + rate * paid};
        auto& h = hessian;
        h[0][0] = of_spot * by_spot;
        h[1][0] = of_spot * by_strike;
        h[2][0] = of_spot * by_rate;
        h[3][0] = of_spot * d1_volatility;
        h[4][0] = of_spot * d1_time;
        h[1][1] = -of_strike * by_strike;
        h[2][1] = time * discount_cdf2 - of_strike * by_rate;
        h[3][1] = -of_strike * d2_volatility;
        h[4][1] = rate * discount_cdf2 - of_strike * d2_time;
        h[2][2] = time * (density * by_rate - time * paid);
        h[3][2] = time * density * d2_volatility;
        h[4][2] = paid - rate * time * paid + time * density * d2_time;
        h[3][3] = -vega * d1 * d1_volatility;
        h[4][3] = 0.5 * vega * over_time - vega * d1 * d1_time;
        h[4][4] = -density * decay * (d1 * d1_time + 0.5 * over_time) + rate * (density * d2_time - rate * paid);
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < i; ++j) h[j][i] = h[i][j];
    }
};

template <>
struct by_hand_of<reprojection_hessian> : dense<15> {
    by_hand_of() : dense(workloads::reprojection::at) {}

    [[gnu::flatten]] void compute() {
        const auto found =
            workloads::reprojection::by_hand_on(given<workloads::reprojection>, workloads::with_unit_tangents(x));
        const auto& [p, q] = found.values;
        const auto& [by_p, by_q] = found.jacobian;
        value = 0.5 * (p.value * p.value + q.value * q.value);
        for (std::size_t i = 0; i < 15; ++i) {
            gradient[i] = p.value * by_p[i].value + q.value * by_q[i].value;
            for (std::size_t j = 0; j < 15; ++j)
                hessian[i][j] = p.value * by_p[i].tangents[j] + q.value * by_q[i].tangents[j] +
                                by_p[i].value * by_p[j].value + by_q[i].value * by_q[j].value;
        }
    }
};

template <>
struct by_hand_of<rosenbrock_product> {
    static constexpr auto name = "by hand";
    numbers x = rosenbrock_product::at(), v = rosenbrock_product::direction(), product = numbers(x.size());

    void compute() {
        const std::size_t n = x.size();
        const double* const at = x.data();
        const double* const along = v.data();
        double* const result = product.data();
        const auto diagonal = [&](std::size_t i) { return 2.0 - 400.0 * (at[i + 1] - 3.0 * (at[i] * at[i])); };
        result[0] = diagonal(0) * along[0] - 400.0 * at[0] * along[1];
        for (std::size_t i = 1; i + 1 < n; ++i)
            result[i] = (diagonal(i) + 200.0) * along[i] - 400.0 * (at[i - 1] * along[i - 1] + at[i] * along[i + 1]);
        result[n - 1] = 200.0 * along[n - 1] - 400.0 * at[n - 2] * along[n - 2];
    }
    [[nodiscard]] bench::answer answer() const { return product_answer(product); }
};

/// The calls in a loop of their own, as in the gradient.
template <>
struct by_hand_of<logistic_regression_product> {
    static constexpr auto name = "by hand";
    using workload = workloads::logistic_regression;
    static constexpr std::size_t n = workload::weights;
    workloads::point<n> w = workload::at;
    numbers v = logistic_regression_product::direction();
    std::array<double, n> product{};

    void compute() {
        constexpr std::size_t block = 80;
        const auto& seen = given<workload>;
        std::array<double, n> direction, sums{};
        std::copy(v.begin(), v.end(), direction.begin());
        for (std::size_t first = 0; first < workload::points; first += block) {
            const auto* const x = seen.x.data() + first;
            std::array<double, block> power, along;
            for (std::size_t i = 0; i < block; ++i) {
                double a = 0.0, b = 0.0;
                for (std::size_t j = 0; j < n; ++j) {
                    a += w[j] * x[i][j];
                    b += direction[j] * x[i][j];
                }
                power[i] = a; // the curvature is even, so that the label, 1 or -1, has no influence
                along[i] = b;
            }
            for (double& p : power) p = std::exp(p);
            for (std::size_t i = 0; i < block; ++i) {
                const double share = 1.0 / (1.0 + power[i]);
                along[i] *= power[i] * share * share;
            }
            for (std::size_t i = 0; i < block; ++i)
                for (std::size_t j = 0; j < n; ++j) sums[j] += along[i] * x[i][j];
        }
        for (std::size_t j = 0; j < n; ++j) product[j] = sums[j] / static_cast<double>(workload::points);
    }
    [[nodiscard]] bench::answer answer() const { return product_answer(product); }
};

/// The lower triangle row by row: in each row the entry beside the diagonal, then the diagonal.
template <std::size_t N>
struct by_hand_of<rosenbrock_sparse<N>> {
    static constexpr auto name = "by hand";
    numbers x = rosenbrock_sparse<N>::at(), entries = numbers(2 * N - 1);

    void compute() {
        const double* const at = x.data();
        double* const to = entries.data();
        const auto diagonal = [&](std::size_t i) { return 2.0 - 400.0 * (at[i + 1] - 3.0 * (at[i] * at[i])); };
        to[0] = diagonal(0);
        for (std::size_t i = 1; i + 1 < N; ++i) {
            to[2 * i - 1] = -400.0 * at[i - 1];
            to[2 * i] = diagonal(i) + 200.0;
        }
        to[2 * N - 3] = -400.0 * at[N - 2];
        to[2 * N - 2] = 200.0;
    }
    [[nodiscard]] bench::answer answer() const { return {entries, 0, 1}; }
};

/// The lower triangle, of each point four places: by the points below it, below and to the right, to the left, itself.
template <>
struct by_hand_of<minimal_surface> {
    static constexpr auto name = "by hand";
    static constexpr std::size_t side = minimal_surface::side;
    numbers x = minimal_surface::at(), entries = numbers(4 * side * side);

    void compute() {
        constexpr double scale = minimal_surface::over_width_squared;
        double* const to = entries.data();
        std::fill(entries.begin(), entries.end(), 0.0);
        // A triangle with the right angle at `corner`; `p` and `q` are its other corners, each with its place in the
        // row of the later of each pair.
        const auto triangle = [&](double a, double b, double* corner, double* p, double* q, double* by_p, double* by_q,
                                  double* by_both) {
            const double over = 1.0 / (1.0 + scale * (a * a + b * b)), cubed = 0.5 * over * std::sqrt(over);
            const double aa = cubed * (1.0 + scale * b * b), bb = cubed * (1.0 + scale * a * a);
            const double ab = -cubed * scale * a * b;
            *p += aa;
            *q += bb;
            *by_both += ab;
            *by_p -= aa + ab;
            *by_q -= bb + ab;
            *corner += aa + bb + 2.0 * ab;
        };
        for (std::size_t i = 0; i + 1 < side; ++i)
            for (std::size_t j = 0; j + 1 < side; ++j) {
                const std::size_t k = i * side + j;
                double* const here = to + 4 * k;
                double* const right = here + 4;
                double* const above = here + 4 * side;
                double* const across = above + 4;
                triangle(x[k + 1] - x[k], x[k + side] - x[k], here + 3, right + 3, above + 3, right + 2, above + 0,
                         above + 1);
                triangle(x[k + side] - x[k + side + 1], x[k + 1] - x[k + side + 1], across + 3, above + 3, right + 3,
                         across + 2, across + 0, above + 1);
            }
    }
    [[nodiscard]] bench::answer answer() const { return surface_answer(entries); }
};

/// Row by row, as in compressed rows: above, left, itself, right, below.
template <std::size_t Side>
struct by_hand_of<bratu<Side>> {
    static constexpr auto name = "by hand";
    numbers u = bratu<Side>::at(), entries = numbers(5 * Side * Side - 4 * Side);

    void compute() {
        double* to = entries.data();
        for (std::size_t i = 0; i < Side; ++i)
            for (std::size_t j = 0; j < Side; ++j) {
                if (i > 0) *to++ = -1.0;
                if (j > 0) *to++ = -1.0;
                *to++ = 4.0 - bratu<Side>::width_squared * std::exp(u[i * Side + j]);
                if (j + 1 < Side) *to++ = -1.0;
                if (i + 1 < Side) *to++ = -1.0;
            }
    }
    [[nodiscard]] bench::answer answer() const { return {entries, 0, 1}; }
};

} // namespace

contestant by_hand() { return contestant_of<by_hand_of>(); }

} // namespace second_order
