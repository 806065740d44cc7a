// SPDX-License-Identifier: BSL-1.0
//
// Curves over the steps of a training, such as the loss, as an SVG picture with axes, ticks, labels and a legend.
#pragma once

#include "svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace examples {

/// A line of the picture.
struct curve {
    std::string name;
    std::vector<double> x, y;
};

/// The labels of the axes.
struct axis_labels {
    std::string title, x = "step", y = "loss";
};

/// Round numbers (1, 2 or 5 times a power of ten) between low and high, about `count` of them.
[[nodiscard]] inline std::vector<double> ticks(double low, double high, double count) {
    const double exact = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(exact)));
    const double ratio = exact / power, distance = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    std::vector<double> result;
    // Ticks are integer multiples, so that 0 is exact and errors do not accumulate.
    for (double k = std::ceil(low / distance - 1e-9); k * distance <= high + 1e-9 * distance; ++k)
        result.push_back(k * distance);
    return result;
}

/// The curves as SVG. Points that are not finite leave a gap. Throws std::invalid_argument if a curve has different
/// numbers of x and y, or no curve has a finite point.
[[nodiscard]] inline std::string loss_curve(const std::vector<curve>& curves, const axis_labels& labels = {}) {
    constexpr double width = 720, height = 440, left = 70, right = 20, top = 40, bottom = 55;
    constexpr double inf = std::numeric_limits<double>::infinity();
    struct range {
        double low = inf, high = -inf;

        void include(double v) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
        void widen() { // an interval of one number is widened
            if (low < high) return;
            const double by = low == 0 ? 1 : 0.1 * std::fabs(low);
            low -= by;
            high += by;
        }
    } xs, ys;
    const auto is_finite = [](const curve& c, std::size_t i) { return std::isfinite(c.x[i]) && std::isfinite(c.y[i]); };
    for (const curve& c : curves) {
        if (c.x.size() != c.y.size())
            throw std::invalid_argument("loss_curve: '" + c.name + "' has " + std::to_string(c.x.size()) + " x and " +
                                        std::to_string(c.y.size()) + " y; give as many of both");
        for (std::size_t i = 0; i < c.x.size(); ++i)
            if (is_finite(c, i)) {
                xs.include(c.x[i]);
                ys.include(c.y[i]);
            }
    }
    if (xs.low > xs.high) throw std::invalid_argument("loss_curve: there is no finite point; give at least one");
    if (ys.low > 0) ys.low = 0; // so that the distance of a loss from 0 is visible
    xs.widen();
    ys.widen();
    const auto across = [&](double x) { return left + (x - xs.low) / (xs.high - xs.low) * (width - left - right); };
    const auto up = [&](double y) {
        return height - bottom - (y - ys.low) / (ys.high - ys.low) * (height - top - bottom);
    };

    std::string picture;
    const auto line = [&](double x1, double y1, double x2, double y2, std::string_view colour) {
        picture += "<line x1=\"" + svg::number(x1) + "\" y1=\"" + svg::number(y1) + "\" x2=\"" + svg::number(x2) +
                   "\" y2=\"" + svg::number(y2) + "\" stroke=\"" + std::string(colour) + "\"/>\n";
    };
    for (const double x : ticks(xs.low, xs.high, 8)) {
        line(across(x), top, across(x), height - bottom, "#e4e4e4");
        line(across(x), height - bottom, across(x), height - bottom + 5, "black");
        picture += svg::label(across(x), height - bottom + 20, "middle", svg::number(x));
    }
    for (const double y : ticks(ys.low, ys.high, 6)) {
        line(left, up(y), width - right, up(y), "#e4e4e4");
        line(left - 5, up(y), left, up(y), "black");
        picture += svg::label(left - 9, up(y) + 4, "end", svg::number(y));
    }
    line(left, height - bottom, width - right, height - bottom, "black");
    line(left, top, left, height - bottom, "black");
    picture += svg::label(width / 2, 22, "middle", labels.title, "font-size=\"15\"");
    picture += svg::label((left + width - right) / 2, height - 12, "middle", labels.x);
    picture += svg::label(18, (top + height - bottom) / 2, "middle", labels.y,
                          "transform=\"rotate(-90 18 " + svg::number((top + height - bottom) / 2) + ")\"");

    static constexpr std::array<std::string_view, 6> colours{"#1f77b4", "#d95f02", "#1b9e77",
                                                             "#7b3294", "#b2182b", "#666666"};
    for (std::size_t n = 0; n < curves.size(); ++n) {
        const curve& c = curves[n];
        const std::string colour(colours[n % colours.size()]);
        std::string points;
        const auto end_line = [&] {
            if (points.empty()) return;
            picture += "<polyline fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" "
                       "stroke-linecap=\"round\" stroke=\"" +
                       colour + "\" points=\"" + points + "\"/>\n";
            points.clear();
        };
        const auto add = [&](std::size_t i) {
            if (!points.empty()) points += ' ';
            points += svg::number(across(c.x[i]), 5) + ',' + svg::number(up(c.y[i]), 5);
        };
        // Of points within half a pixel across, the first, lowest, highest and last suffice to look the same.
        const auto column = [&](std::size_t i) { return std::floor(2 * across(c.x[i])); };
        for (std::size_t i = 0; i < c.x.size();) {
            if (!is_finite(c, i)) {
                end_line();
                ++i;
                continue;
            }
            std::size_t end = i, lowest = i, highest = i;
            for (; end < c.x.size() && is_finite(c, end) && column(end) == column(i); ++end) {
                if (c.y[end] < c.y[lowest]) lowest = end;
                if (c.y[end] > c.y[highest]) highest = end;
            }
            std::array<std::size_t, 4> kept{i, std::min(lowest, highest), std::max(lowest, highest), end - 1};
            const auto last = std::unique(kept.begin(), kept.end());
            std::for_each(kept.begin(), last, add);
            i = end;
        }
        end_line();
        if (c.name.empty()) continue;
        const double y = top + 14 + 18 * static_cast<double>(n);
        line(width - right - 150, y - 4, width - right - 125, y - 4, colour);
        picture += svg::label(width - right - 118, y, "start", c.name);
    }
    return svg::document(width, height, picture);
}

/// The moving average over the given count of numbers, fewer at the beginning: less noise, with a delay.
[[nodiscard]] inline std::vector<double> running_mean(const std::vector<double>& y, std::size_t count) {
    std::vector<double> result(y.size());
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        sum += y[i];
        if (i >= count) sum -= y[i - count];
        result[i] = sum / static_cast<double>(std::min(i + 1, count));
    }
    return result;
}

/// One curve over the steps 0, 1, 2 and so on.
[[nodiscard]] inline curve over_steps(std::string name, std::vector<double> y) {
    std::vector<double> x(y.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    return {std::move(name), std::move(x), std::move(y)};
}

} // namespace examples
