// SPDX-License-Identifier: BSL-1.0
//
// The derivatives of evals as we advise: by a kernel, a sum over data or repeated steps. And those by the tape that are
// not the gradient of the objective. Apart from the evals, so that they are compiled once; by_kernels.cpp has the rest.
#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/steps.hpp>
#include <chainrule/tape.hpp>

#include <algorithm>
#include <array>

#include "ba.hpp"
#include "hello.hpp"
#include "ht.hpp"
#include "llsq.hpp"
#include "lse.hpp"
#include "ode.hpp"
#include "particle.hpp"
#include "saddle.hpp"

namespace gradbench {

bool hello::by_kernel(numbers& result) const {
    constexpr auto square = chainrule::function([](auto x) { return x * x; });
    result.assign(1, square.gradient(point[0])[0]);
    return true;
}

bool llsq::by_kernel(numbers& result) const {
    if (point.size() != 128) return false;
    constexpr auto at = chainrule::variable<"t">;
    constexpr auto value = chainrule::variable<"s">;
    constexpr auto x = chainrule::variables<"x", 128>;
    numbers ts(n), signs(n);
    for (std::size_t i = 0; i < n; ++i) signs[i] = sign(ts[i] = t(i));
    const auto loss = chainrule::sum(
        [](const auto& t, const auto& s, const auto& c) {
            auto fit = c[127] * t + c[126]; // Horner
            for (std::size_t j = 126; j-- > 0;) fit = fit * t + c[j];
            return chainrule::square(s - fit);
        },
        chainrule::over(at = ts, value = signs), chainrule::wrt(x));
    const auto gradient = loss.gradient(std::span<const double, 128>(point));
    result.resize(point.size());
    for (std::size_t j = 0; j < result.size(); ++j) result[j] = 0.5 * gradient[j];
    return true;
}

bool lse::by_kernel(numbers& result) const {
    constexpr auto x = chainrule::variable<"x">;
    result.resize(point.size());
    (void)chainrule::log_sum_exp(x, chainrule::over(x = point)).value_and_column_gradient(x, result);
    return true;
}

bool ode::by_kernel(numbers& result) const {
    if (point.size() != 8) return false;
    constexpr auto state = chainrule::variables<"y", 8>;
    constexpr auto rates = chainrule::variables<"x", 8>;
    constexpr auto length = chainrule::variable<"h">;
    const auto run = chainrule::repeat(
        [](const auto& y, const auto& x, const auto& h) {
            const auto slopes = [&](const auto& at) {
                auto to = at;
                to[0] = x[0];
                for (std::size_t i = 1; i < 8; ++i) to[i] = x[i] * at[i - 1];
                return to;
            };
            const auto moved = [&](const auto& by, const auto& k) {
                auto to = k;
                for (std::size_t i = 0; i < 8; ++i) to[i] = y[i] + by * k[i];
                return to;
            };
            auto k1 = slopes(y);
            const auto k2 = slopes(moved(h * 0.5, k1)), k3 = slopes(moved(h * 0.5, k2)), k4 = slopes(moved(h, k3));
            for (std::size_t i = 0; i < 8; ++i) k1[i] = y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            return k1;
        },
        chainrule::state(state), chainrule::wrt(rates), chainrule::given(length = step()), chainrule::steps(steps),
        chainrule::final_cost(state.get<7>()));
    std::array<double, 8> x;
    std::copy_n(point.begin(), 8, x.begin());
    const auto gradient = run.gradient(std::array<double, 8>{}, x);
    result.assign(gradient.begin() + 8, gradient.end());
    return true;
}

/// Kernels of the rotation and of a finger; the loops over vertices and points are those of the hand-written code.
bool ht::by_kernel(numbers& result) const {
    static constexpr auto turned = chainrule::function<3>([](const auto& w) {
        const auto matrix = chainrule::rotation(chainrule::fixed_vector{w[0], w[1], w[2]});
        std::array<number_of<decltype(w)>, 9> entries;
        for (std::size_t i = 0; i < 9; ++i) entries[i] = matrix(i / 3, i % 3);
        return entries;
    });
    constexpr auto angle = chainrule::variables<"angle", 4>;
    constexpr auto matrices = chainrule::variables<"m", 84>;
    auto bent = chainrule::function<chainrule::inputs<4, 84>, chainrule::outputs<36>>(
        []<class T>(const T* angles, const T* m, T* entries) {
            const auto matrix = [&](std::size_t which) {
                affine<T> read;
                for (std::size_t i = 0; i < 12; ++i) read[i / 4][i % 4] = m[12 * which + i];
                return read;
            };
            const auto bones = finger_of<T>({angles[0], angles[1], angles[2], angles[3]}, matrix(0),
                                            {matrix(1), matrix(2), matrix(3)}, {matrix(4), matrix(5), matrix(6)});
            for (std::size_t i = 0; i < 36; ++i) entries[i] = bones[i / 12][i / 4 % 3][i % 4];
        },
        chainrule::wrt(angle), chainrule::given(matrices = std::array<double, 84>{}));
    write_jacobian(
        result,
        [&](const std::array<double, 3>& w, auto& turn) {
            const auto [values, jacobian] = turned.value_and_jacobian(w);
            for (std::size_t i = 0; i < 9; ++i) {
                turn[0][i / 3][i % 3] = values[i];
                for (std::size_t k = 0; k < 3; ++k) turn[k + 1][i / 3][i % 3] = jacobian[i][k];
            }
        },
        [&](const std::array<double, 4>& angles, std::size_t f, affine<double>* bones, auto* by_angle) {
            std::array<double, 84> given;
            auto to = given.begin();
            const auto write = [&](const affine<double>& a) {
                for (const auto& row : a) to = std::copy(row.begin(), row.end(), to);
            };
            write(absolute[first_of(f) - 1]);
            for (const auto& bone : of_finger(hand.relative, f)) write(bone);
            for (const auto& bone : of_finger(hand.from_rest, f)) write(bone);
            bent.set(matrices = given);
            const auto [values, jacobian] = bent.value_and_jacobian(angles);
            for (std::size_t i = 0; i < 36; ++i) {
                bones[i / 12][i / 4 % 3][i % 4] = values[i];
                for (std::size_t a = 0; a < 4; ++a) by_angle[i / 12][a][i / 4 % 3][i % 4] = jacobian[i][a];
            }
        });
    return true;
}

void ht::by_tape(numbers& result) const {
    result.resize(3 * seen.size() * columns());
    if (is_complicated())
        chainrule::tape::jacobian([this](const auto& z) { return of_columns(z); }, columns_at(), result);
    else
        chainrule::tape::jacobian(*this, point, result);
}

bool ba::by_kernel(numbers& result) const {
    blocks(result,
           [](const auto& seen, const auto& x) { return residual::function(seen).value_and_jacobian(x).jacobian; });
    return true;
}

void ba::by_tape(numbers& result) const {
    blocks(result, [](const auto& seen, const auto& at) { return chainrule::tape::jacobian(residual_for(seen), at); });
}

static constexpr auto potential_of_charges =
    chainrule::function([](auto x, auto y, const auto& w) { return particle::potential(std::array{x, y}, w); });

bool particle::by_kernel(numbers& result) const {
    const auto cost = [](const auto& w) {
        return crossing(w[0], [](const auto& p, const auto& at) {
            const auto slope = potential_of_charges.gradient(p[0], p[1], at);
            return std::array{slope[0], slope[1]};
        });
    };
    descend(result, cost, [&](const auto& w) { return gradient_by<mode::forward>(cost, w); });
    return true;
}

static constexpr auto surface =
    chainrule::function([](auto x1, auto y1, auto x2, auto y2) { return (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2); });

bool saddle::by_kernel(numbers& result) const {
    descend(
        result, [](const auto& cost, const auto& x) { return gradient_by<mode::forward>(cost, x); },
        [](const auto& x, const auto& y) {
            const auto slope = surface.gradient(x[0], x[1], y[0], y[1]);
            auto up = y;
            for (std::size_t i = 0; i < 2; ++i) up[i] = -slope[i + 2];
            return up;
        });
    return true;
}

} // namespace gradbench
