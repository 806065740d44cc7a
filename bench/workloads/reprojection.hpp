// SPDX-License-Identifier: BSL-1.0
//
// W4: the reprojection residual of bundle adjustment as in ADBench: a point in space is rotated (Rodrigues), projected,
// distorted radially and compared with the feature seen. Two outputs, fifteen inputs, the whole 2 x 15 Jacobian.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

struct reprojection {
    static constexpr auto name = "Reprojection residual, 2 x 15 Jacobian";
    // rotation vector, centre, focal length, principal point, radial distortion, point in space, weight
    static constexpr point<15> at = {0.21,  -0.34, 0.47,    0.6, -0.8, -2.9, 1.7, 0.05,
                                     -0.03, 0.013, -0.0041, 0.9, 1.4,  1.2,  0.83};
    struct data {
        std::array<double, 2> feature = {0.37, 0.52};
    };

    template <class T>
    static constexpr auto formula(const auto& seen_x, const auto& seen_y, const auto& together, const auto& one,
                                  const auto& rx, const auto& ry, const auto& rz, const auto& cx, const auto& cy,
                                  const auto& cz, const auto& focal, const auto& px, const auto& py, const auto& k1,
                                  const auto& k2, const auto& x, const auto& y, const auto& z, const auto& weight) {
        using std::cos, std::sin, std::sqrt;
        const auto dx = kept<T>(x - cx);
        const auto dy = kept<T>(y - cy);
        const auto dz = kept<T>(z - cz);

        const auto angle = kept<T>(sqrt(rx * rx + ry * ry + rz * rz));
        const auto sine = kept<T>(sin(angle));
        const auto cosine = kept<T>(cos(angle));
        const auto over_angle = kept<T>(one / angle);
        const auto ux = kept<T>(rx * over_angle);
        const auto uy = kept<T>(ry * over_angle);
        const auto uz = kept<T>(rz * over_angle);
        const auto along = kept<T>((ux * dx + uy * dy + uz * dz) * (one - cosine));
        const auto camera_x = kept<T>(dx * cosine + (uy * dz - uz * dy) * sine + ux * along);
        const auto camera_y = kept<T>(dy * cosine + (uz * dx - ux * dz) * sine + uy * along);
        const auto camera_z = kept<T>(dz * cosine + (ux * dy - uy * dx) * sine + uz * along);

        const auto image_x = kept<T>(camera_x / camera_z);
        const auto image_y = kept<T>(camera_y / camera_z);
        const auto radius2 = kept<T>(image_x * image_x + image_y * image_y);
        const auto distortion = kept<T>(one + k1 * radius2 + k2 * radius2 * radius2);
        return together(weight * (image_x * distortion * focal + px - seen_x),
                        weight * (image_y * distortion * focal + py - seen_y));
    }

    static constexpr auto both = [](const auto& error_x, const auto& error_y) {
        return chainrule::vector(error_x, error_y);
    };

    /// For a feature of any kind, stored numbers or exact constants: a function of both errors.
    template <class Together = decltype(both)>
    static constexpr auto function_of(const auto& seen_x, const auto& seen_y, const Together& together = {}) {
        namespace cr = chainrule;
        using namespace cr::literals;
        constexpr auto rx = cr::variable<"rx">;
        constexpr auto ry = cr::variable<"ry">;
        constexpr auto rz = cr::variable<"rz">;
        constexpr auto cx = cr::variable<"cx">;
        constexpr auto cy = cr::variable<"cy">;
        constexpr auto cz = cr::variable<"cz">;
        constexpr auto focal = cr::variable<"focal">;
        constexpr auto px = cr::variable<"px">;
        constexpr auto py = cr::variable<"py">;
        constexpr auto k1 = cr::variable<"k1">;
        constexpr auto k2 = cr::variable<"k2">;
        constexpr auto x = cr::variable<"x">;
        constexpr auto y = cr::variable<"y">;
        constexpr auto z = cr::variable<"z">;
        constexpr auto weight = cr::variable<"weight">;
        return cr::function(formula<expressions>(seen_x, seen_y, together, 1_c, rx, ry, rz, cx, cy, cz, focal, px, py,
                                                 k1, k2, x, y, z, weight),
                            cr::wrt(rx, ry, rz, cx, cy, cz, focal, px, py, k1, k2, x, y, z, weight));
    }

    static constexpr auto function(const data& seen) { return function_of(seen.feature[0], seen.feature[1]); }

    template <class T>
    static std::array<T, 2> ordinary(const data& seen, const T* x) {
        const auto pair = [](auto&& error_x, auto&& error_y) {
            return std::array<T, 2>{T(std::forward<decltype(error_x)>(error_x)),
                                    T(std::forward<decltype(error_y)>(error_y))};
        };
        return formula<T>(seen.feature[0], seen.feature[1], pair, 1.0, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7],
                          x[8], x[9], x[10], x[11], x[12], x[13], x[14]);
    }

    static values_and_jacobian<2, 15> by_hand(const data& seen, const point<15>& p) { return by_hand_on(seen, p); }

    /// On numbers of any type: with tangents, they give second derivatives.
    template <class T>
    [[gnu::always_inline]] static values_and_jacobian<2, 15, T> by_hand_on(const data& seen,
                                                                           const std::array<T, 15>& p) {
        using std::sqrt;
        const T rx = p[0], ry = p[1], rz = p[2];
        const T dx = p[11] - p[3], dy = p[12] - p[4], dz = p[13] - p[5];
        const T focal = p[6], k1 = p[9], k2 = p[10], weight = p[14];

        const T angle = sqrt(rx * rx + ry * ry + rz * rz);
        T sine, cosine;
        sine_and_cosine(angle, sine, cosine);
        const T over_angle = 1.0 / angle;
        const T ux = rx * over_angle, uy = ry * over_angle, uz = rz * over_angle;
        const T versine = 1.0 - cosine;
        const T ud = ux * dx + uy * dy + uz * dz;
        const T along = ud * versine;
        const T cross_x = uy * dz - uz * dy, cross_y = uz * dx - ux * dz, cross_z = ux * dy - uy * dx;
        const T camera_x = dx * cosine + cross_x * sine + ux * along;
        const T camera_y = dy * cosine + cross_y * sine + uy * along;
        const T camera_z = dz * cosine + cross_z * sine + uz * along;

        const T over_z = 1.0 / camera_z;
        const T image_x = camera_x * over_z, image_y = camera_y * over_z;
        const T radius2 = image_x * image_x + image_y * image_y;
        const T k2_radius2 = k2 * radius2;
        const T distortion = 1.0 + (k1 + k2_radius2) * radius2;
        const T distorted_x = image_x * distortion, distorted_y = image_y * distortion;
        const T apart_x = distorted_x * focal + p[7] - seen.feature[0];
        const T apart_y = distorted_y * focal + p[8] - seen.feature[1];

        // The 2 x 2 block d error / d image is symmetric; here it is already divided by camera_z.
        const T scale = weight * focal;
        const T scale_over_z = scale * over_z;
        const T slope = 2.0 * (k1 + 2.0 * k2_radius2) * scale_over_z;
        const T slope_x = slope * image_x;
        const T diagonal = scale_over_z * distortion;
        const T xx = diagonal + slope_x * image_x;
        const T xy = slope_x * image_y;
        const T yy = diagonal + slope * image_y * image_y;
        const T scale_radius2 = scale * radius2;
        const T k1_x = scale_radius2 * image_x, k1_y = scale_radius2 * image_y;

        const T sine_ux = sine * ux, sine_uy = sine * uy, sine_uz = sine * uz;
        const T sine_dx = sine * dx, sine_dy = sine * dy, sine_dz = sine * dz;

        values_and_jacobian<2, 15, T> result;
        result.values = {weight * apart_x, weight * apart_y};

        // One row: g is the adjoint of the point before the camera; back through the rotation.
        const auto rotation_and_point = [&](std::array<T, 15>& row, T gx, T gy) {
            const T gz = -(gx * image_x + gy * image_y);
            const T ug = ux * gx + uy * gy + uz * gz;
            const T versine_ug = versine * ug;
            const T d_dx = gx * cosine + gy * sine_uz - gz * sine_uy + ux * versine_ug;
            const T d_dy = gy * cosine + gz * sine_ux - gx * sine_uz + uy * versine_ug;
            const T d_dz = gz * cosine + gx * sine_uy - gy * sine_ux + uz * versine_ug;
            const T d_ux = (sine_dy * gz - sine_dz * gy + along * gx + versine_ug * dx) * over_angle;
            const T d_uy = (sine_dz * gx - sine_dx * gz + along * gy + versine_ug * dy) * over_angle;
            const T d_uz = (sine_dx * gy - sine_dy * gx + along * gz + versine_ug * dz) * over_angle;
            const T d_sine = cross_x * gx + cross_y * gy + cross_z * gz;
            const T d_cosine = dx * gx + dy * gy + dz * gz - ud * ug;
            const T d_angle = d_sine * cosine - d_cosine * sine - (ux * d_ux + uy * d_uy + uz * d_uz);
            row[0] = d_ux + ux * d_angle;
            row[1] = d_uy + uy * d_angle;
            row[2] = d_uz + uz * d_angle;
            row[3] = -d_dx;
            row[4] = -d_dy;
            row[5] = -d_dz;
            row[11] = d_dx;
            row[12] = d_dy;
            row[13] = d_dz;
        };
        auto& [row_x, row_y] = result.jacobian;
        rotation_and_point(row_x, xx, xy);
        row_x[6] = weight * distorted_x;
        row_x[7] = weight;
        row_x[8] = 0.0;
        row_x[9] = k1_x;
        row_x[10] = k1_x * radius2;
        row_x[14] = apart_x;
        rotation_and_point(row_y, xy, yy);
        row_y[6] = weight * distorted_y;
        row_y[7] = 0.0;
        row_y[8] = weight;
        row_y[9] = k1_y;
        row_y[10] = k1_y * radius2;
        row_y[14] = apart_y;
        return result;
    }
};

} // namespace workloads
