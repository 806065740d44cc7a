// SPDX-License-Identifier: BSL-1.0
//
// ht: hand tracking. 26 parameters (global rotation and translation, four angles for each finger) pose a skeleton of 22
// bones, which moves the vertices of a mesh. The residuals are measured points minus the mesh's points that correspond
// to them: vertices, or points of triangles, each with two coordinates that are sought too ("complicated"). The result
// is the Jacobian, row by row: for each of the three residuals of a point, the derivatives with respect to its own two
// coordinates if there are any, then to the parameters.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "eval.hpp"

namespace gradbench {

/// Three rows of a transformation: three columns of its linear part, then the translation.
template <class T>
using affine = std::array<std::array<T, 4>, 3>;

/// a after b, in numbers T.
template <class T = double, class A, class B>
constexpr affine<T> after(const affine<A>& a, const affine<B>& b) {
    affine<T> result;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            T sum = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
            if (j == 3) sum += a[i][3];
            result[i][j] = sum;
        }
    return result;
}

/// The rotation of a joint, about z after y after x, where sines and cosines of x and z are given and y is zero.
template <class T>
constexpr affine<T> joint(const T& sx, const T& cx, const T& sz, const T& cz) {
    return {{{cz, -(sz * cx), sz * sx, T(0.0)}, {sz, cz * cx, -(cz * sx), T(0.0)}, {T(0.0), sx, cx, T(0.0)}}};
}

/// The three bones of a finger that move, as transformations from the pose at rest: the first turns about x and z by
/// angles[0] and angles[1], the others about x by angles[2] and angles[3]. `root` is the bone that they hang on.
template <class T, class Bone>
constexpr std::array<affine<T>, 3> finger_of(const std::array<T, 4>& angles, const affine<Bone>& root,
                                             const std::array<affine<Bone>, 3>& relative,
                                             const std::array<affine<Bone>, 3>& from_rest) {
    using std::sin, std::cos;
    std::array<affine<T>, 3> result;
    affine<T> absolute = after<T>(after<Bone>(root, relative[0]),
                                  joint<T>(sin(angles[0]), cos(angles[0]), sin(angles[1]), cos(angles[1])));
    result[0] = after<T>(absolute, from_rest[0]);
    for (std::size_t i = 1; i < 3; ++i) {
        absolute =
            after<T>(after<T>(absolute, relative[i]), joint<T>(sin(angles[i + 1]), cos(angles[i + 1]), T(0.0), T(1.0)));
        result[i] = after<T>(absolute, from_rest[i]);
    }
    return result;
}

/// The rotation about the direction of w by its length.
template <class T>
std::array<std::array<T, 3>, 3> rotation_by(const std::array<T, 3>& w) {
    using std::sin, std::cos, std::sqrt;
    const T angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), s = sin(angle), c = cos(angle), rest = 1.0 - c;
    const T x = w[0] / angle, y = w[1] / angle, z = w[2] / angle;
    const std::array<T, 3> part{rest * x, rest * y, rest * z}, sine{s * x, s * y, s * z};
    return {{{c + part[0] * x, part[0] * y - sine[2], part[0] * z + sine[1]},
             {part[0] * y + sine[2], c + part[1] * y, part[1] * z - sine[0]},
             {part[0] * z - sine[1], part[1] * z + sine[0], c + part[2] * z}}};
}

struct ht {
    static constexpr auto name = "ht";
    static constexpr std::size_t parameters = 26, fingers = 5;

    struct weight {
        std::size_t bone;
        double share;
    };
    struct model {
        std::vector<std::size_t> parents;                // of a bone; of the first one and the last one 0
        std::vector<affine<double>> relative, from_rest; // of a bone: to its parent; to it from the pose at rest
        std::vector<std::array<double, 3>> vertices;
        std::vector<std::vector<weight>> weights; // of a vertex
        std::vector<std::array<std::size_t, 3>> triangles;
        bool is_mirrored = false;
    };
    model hand;
    std::vector<std::size_t> correspondences; // of a point: a vertex, or a triangle
    std::vector<std::array<double, 3>> seen;
    numbers point; // the parameters, then the two coordinates of each point in its triangle

    // What follows from the above.
    std::vector<affine<double>> absolute; // of the bones without angles
    std::vector<std::size_t> used;        // the vertices that occur

    [[nodiscard]] bool is_complicated() const { return point.size() > parameters; }
    [[nodiscard]] std::size_t columns() const { return parameters + (is_complicated() ? 2 : 0); }
    [[nodiscard]] static bool moves(std::size_t bone) { return bone != 0 && bone <= 4 * fingers && bone % 4 != 1; }
    [[nodiscard]] static constexpr std::size_t first_of(std::size_t finger) { return 4 * finger + 2; }

    /// A hand of random shape: four bones for each finger, the first fixed to the wrist, and a forearm.
    static ht of_size(std::size_t vertices, std::size_t points, bool is_complicated) {
        workloads::seeded random(4711);
        ht result;
        model& hand = result.hand;
        for (std::size_t bone = 0; bone < 4 * fingers + 2; ++bone) {
            const bool at_wrist = bone % 4 == 1 || bone > 4 * fingers;
            hand.parents.push_back(at_wrist || bone == 0 ? 0 : bone - 1);
            for (auto* to : {&hand.relative, &hand.from_rest}) {
                const double x = random.between(-1.0, 1.0), z = random.between(-1.0, 1.0);
                to->push_back(joint(std::sin(x), std::cos(x), std::sin(z), std::cos(z)));
                for (auto& row : to->back()) row[3] = random.between(-0.5, 0.5);
            }
        }
        const auto below = [&](std::size_t count) {
            return static_cast<std::size_t>(random.between(0.0, static_cast<double>(count)));
        };
        const auto place = [&] {
            return std::array{random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)};
        };
        for (std::size_t v = 0; v < vertices; ++v) {
            hand.vertices.push_back(place());
            const std::size_t bone = below(hand.parents.size());
            hand.weights.push_back({{bone, v % 2 == 0 ? 1.0 : 0.7}});
            if (v % 2 == 1) hand.weights.back().push_back({hand.parents[bone], 0.3});
        }
        for (std::size_t t = 0; t < 2 * vertices; ++t)
            hand.triangles.push_back({below(vertices), below(vertices), below(vertices)});
        for (std::size_t i = 0; i < points; ++i) {
            result.correspondences.push_back(below(is_complicated ? hand.triangles.size() : vertices));
            result.seen.push_back(place());
        }
        result.point = random_numbers(parameters + (is_complicated ? 2 * points : 0), 0.1, 0.5);
        result.complete();
        return result;
    }

    /// The counts of bones, vertices, triangles and points, 1 if the points lie in triangles, 1 if the hand is
    /// mirrored; parents, the two matrices of each bone, vertices, all bones' weights of each, triangles,
    /// correspondences, points, parameters, coordinates.
    static ht read(std::istream& in) {
        ht result;
        model& hand = result.hand;
        const std::size_t bones = read_size(in), vertices = read_size(in), triangles = read_size(in),
                          points = read_size(in), coordinates = 2 * points * read_size(in);
        hand.is_mirrored = read_size(in) == 1;
        for (std::size_t bone = 0; bone < bones; ++bone) hand.parents.push_back(read_size(in));
        for (auto* to : {&hand.relative, &hand.from_rest})
            for (std::size_t bone = 0; bone < bones; ++bone) {
                to->emplace_back();
                for (auto& row : to->back())
                    for (double& x : row) in >> x;
                (void)read_numbers(in, 4); // the last row, 0 0 0 1
            }
        const auto read_places = [&](std::size_t count, auto& to) {
            to.resize(count);
            for (auto& place : to)
                for (auto& x : place) in >> x;
        };
        read_places(vertices, hand.vertices);
        for (std::size_t v = 0; v < vertices; ++v) {
            const numbers shares = read_numbers(in, bones);
            hand.weights.emplace_back();
            for (std::size_t bone = 0; bone < bones; ++bone)
                if (shares[bone] != 0.0) hand.weights.back().push_back({bone, shares[bone]});
        }
        read_places(triangles, hand.triangles);
        for (std::size_t i = 0; i < points; ++i) result.correspondences.push_back(read_size(in));
        read_places(points, result.seen);
        result.point = read_numbers(in, parameters + coordinates);
        if (in) result.complete();
        return result;
    }

    void complete() {
        absolute = hand.relative;
        for (std::size_t bone = 1; bone < absolute.size(); ++bone)
            if (!moves(bone)) absolute[bone] = after(absolute[hand.parents[bone]], hand.relative[bone]);
        std::vector<bool> occurs(hand.vertices.size());
        for (const std::size_t c : correspondences)
            for (const std::size_t v : corners(c)) occurs[v] = true;
        used.clear();
        for (std::size_t v = 0; v < occurs.size(); ++v)
            if (occurs[v]) used.push_back(v);
    }
    /// The vertices of a correspondence: those of a triangle, or the same one three times.
    [[nodiscard]] std::array<std::size_t, 3> corners(std::size_t c) const {
        return is_complicated() ? hand.triangles[c] : std::array{c, c, c};
    }
    [[nodiscard]] auto of_finger(const std::vector<affine<double>>& bones, std::size_t finger) const {
        const std::size_t bone = first_of(finger);
        return std::array{bones[bone], bones[bone + 1], bones[bone + 2]};
    }
    /// Adds a share of a vertex moved by a bone.
    template <class T, class Bone>
    static void add_moved(std::array<T, 3>& to, double share, const affine<Bone>& by, const std::array<double, 3>& v) {
        for (std::size_t i = 0; i < 3; ++i)
            to[i] += share * (by[i][0] * v[0] + by[i][1] * v[1] + by[i][2] * v[2] + by[i][3]);
    }

    /// The residuals.
    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        using T = number_of<List>;
        std::vector<affine<T>> bones(absolute.size());
        for (std::size_t finger = 0; finger < fingers; ++finger) {
            const std::size_t angle = 6 + 4 * finger, bone = first_of(finger);
            const auto moved = finger_of<T>({x[angle], x[angle + 1], x[angle + 2], x[angle + 3]}, absolute[bone - 1],
                                            of_finger(hand.relative, finger), of_finger(hand.from_rest, finger));
            std::copy(moved.begin(), moved.end(), &bones[bone]);
        }
        const auto turn = rotation_by<T>({x[0], x[1], x[2]});
        std::vector<std::array<T, 3>> places(hand.vertices.size());
        for (const std::size_t v : used) {
            std::array<T, 3> p{T(0.0), T(0.0), T(0.0)};
            for (const auto& [bone, share] : hand.weights[v])
                if (moves(bone))
                    add_moved(p, share, bones[bone], hand.vertices[v]);
                else
                    add_moved(p, share, after(absolute[bone], hand.from_rest[bone]), hand.vertices[v]);
            if (hand.is_mirrored) p[0] = -p[0];
            for (std::size_t i = 0; i < 3; ++i)
                places[v][i] = turn[i][0] * p[0] + turn[i][1] * p[1] + turn[i][2] * p[2] + x[3 + i];
        }
        std::vector<T> residuals;
        residuals.reserve(3 * seen.size());
        for (std::size_t k = 0; k < seen.size(); ++k) {
            const auto [a, b, c] = corners(correspondences[k]);
            for (std::size_t i = 0; i < 3; ++i)
                if (is_complicated()) {
                    const auto &s = x[parameters + 2 * k], &t = x[parameters + 2 * k + 1];
                    residuals.push_back(seen[k][i] -
                                        (s * places[a][i] + t * places[b][i] + (1.0 - s - t) * places[c][i]));
                } else {
                    residuals.push_back(seen[k][i] - places[a][i]);
                }
        }
        return residuals;
    }

    /// The residuals as a function of what has a column in the Jacobian: in triangles, a shift of all points' first
    /// coordinates and one of all second ones, then the parameters.
    template <class List>
    [[nodiscard]] auto of_columns(const List& z) const {
        const std::size_t own = columns() - parameters;
        std::vector<number_of<List>> x(point.begin(), point.end());
        for (std::size_t j = 0; j < parameters; ++j) x[j] = z[own + j];
        for (std::size_t k = parameters; k < x.size(); ++k) x[k] += z[k % 2];
        return (*this)(x);
    }
    /// Where of_columns() is differentiated.
    [[nodiscard]] numbers columns_at() const {
        numbers at(columns());
        std::copy_n(point.begin(), parameters, at.end() - static_cast<std::ptrdiff_t>(parameters));
        return at;
    }

    /// What moves vertices, with derivatives.
    struct pose {
        std::vector<affine<double>> bones;                        // from the pose at rest
        std::vector<std::array<affine<double>, 4>> by_angle;      // of a bone: with respect to the angles of its finger
        std::array<std::array<std::array<double, 3>, 3>, 4> turn; // then with respect to the rotation's parameters
    };

    /// The Jacobian of a pose: rotation(w, turn) and finger(angles, finger, bones, by_angle) write its parts.
    template <class Rotation, class Finger>
    void write_jacobian(numbers& result, const Rotation& rotation, const Finger& finger) const {
        pose at{std::vector<affine<double>>(absolute.size()),
                std::vector<std::array<affine<double>, 4>>(absolute.size()),
                {}};
        rotation(std::array{point[0], point[1], point[2]}, at.turn);
        for (std::size_t bone = 0; bone < absolute.size(); ++bone)
            if (!moves(bone)) at.bones[bone] = after(absolute[bone], hand.from_rest[bone]);
        for (std::size_t f = 0; f < fingers; ++f) {
            const double* const a = &point[6 + 4 * f];
            finger(std::array{a[0], a[1], a[2], a[3]}, f, &at.bones[first_of(f)], &at.by_angle[first_of(f)]);
        }

        struct vertex {
            std::array<double, 3> place;
            std::array<std::array<double, parameters>, 3> slope;
        };
        std::vector<vertex> vertices(hand.vertices.size());
        for (const std::size_t v : used) {
            std::array<double, 3> p{};
            std::array<std::array<double, 3>, 4 * fingers> by_angle{};
            std::array<bool, fingers> touched{};
            for (const auto& [bone, share] : hand.weights[v]) {
                add_moved(p, share, at.bones[bone], hand.vertices[v]);
                if (!moves(bone)) continue;
                const std::size_t f = (bone - 2) / 4, angles = bone - first_of(f) + 2;
                touched[f] = true;
                for (std::size_t a = 0; a < angles; ++a)
                    add_moved(by_angle[4 * f + a], share, at.by_angle[bone][a], hand.vertices[v]);
            }
            const double sign = hand.is_mirrored ? -1.0 : 1.0;
            p[0] *= sign;
            for (std::size_t i = 0; i < 3; ++i) {
                auto& slope = vertices[v].slope[i];
                const auto along = [&](const auto& turn, const auto& d, double first) {
                    return turn[i][0] * first * d[0] + turn[i][1] * d[1] + turn[i][2] * d[2];
                };
                vertices[v].place[i] = along(at.turn[0], p, 1.0) + point[3 + i];
                for (std::size_t k = 0; k < 3; ++k) slope[k] = along(at.turn[k + 1], p, 1.0);
                slope[3 + i] = 1.0;
                for (std::size_t f = 0; f < fingers; ++f)
                    for (std::size_t a = 4 * f; touched[f] && a < 4 * f + 4; ++a)
                        slope[6 + a] = along(at.turn[0], by_angle[a], sign);
            }
        }

        result.resize(3 * seen.size() * columns());
        double* to = result.data();
        for (std::size_t k = 0; k < seen.size(); ++k) {
            const auto corner = corners(correspondences[k]);
            const vertex &a = vertices[corner[0]], &b = vertices[corner[1]], &c = vertices[corner[2]];
            for (std::size_t i = 0; i < 3; ++i) {
                if (is_complicated()) {
                    const double s = point[parameters + 2 * k], t = point[parameters + 2 * k + 1], rest = 1.0 - s - t;
                    *to++ = c.place[i] - a.place[i];
                    *to++ = c.place[i] - b.place[i];
                    for (std::size_t j = 0; j < parameters; ++j)
                        to[j] = -(s * a.slope[i][j] + t * b.slope[i][j] + rest * c.slope[i][j]);
                } else {
                    for (std::size_t j = 0; j < parameters; ++j) to[j] = -a.slope[i][j];
                }
                to += parameters;
            }
        }
    }

    void by_hand(numbers& result) const {
        write_jacobian(
            result,
            [](const std::array<double, 3>& w, auto& turn) {
                const double angle = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), s = std::sin(angle),
                             c = std::cos(angle);
                const std::array u{w[0] / angle, w[1] / angle, w[2] / angle};
                // R = c I + s [u]x + (1 - c) u u', and u_i changes with w_k by (delta_ik - u_i u_k) / angle.
                for (std::size_t k = 0; k < 4; ++k) {
                    const bool value = k == 0;
                    const double by = value ? 0.0 : u[k - 1]; // the angle by w
                    std::array<double, 3> du{};
                    for (std::size_t i = 0; !value && i < 3; ++i) du[i] = ((i == k - 1) - u[i] * by) / angle;
                    const double dc = value ? c : -s * by, ds = value ? s : c * by, d1 = value ? 1.0 - c : s * by;
                    for (std::size_t i = 0; i < 3; ++i)
                        for (std::size_t j = 0; j < 3; ++j) {
                            double x = d1 * u[i] * u[j] + (1.0 - c) * (du[i] * u[j] + u[i] * du[j]);
                            if (i == j)
                                x += dc;
                            else
                                x += ((j + 3 - i) % 3 == 1 ? -1.0 : 1.0) * (ds * u[3 - i - j] + s * du[3 - i - j]);
                            turn[k][i][j] = x;
                        }
                }
            },
            [this](const std::array<double, 4>& angles, std::size_t f, affine<double>* bones, auto* by_angle) {
                std::array<double, 5> s, c; // of the angles; the last one is zero
                for (std::size_t a = 0; a < 4; ++a) {
                    s[a] = std::sin(angles[a]);
                    c[a] = std::cos(angles[a]);
                }
                s[4] = 0.0;
                c[4] = 1.0;
                const std::size_t first = first_of(f);
                affine<double> reached = absolute[first - 1];
                std::array<affine<double>, 4> slopes;
                for (std::size_t i = 0, known = 0; i < 3; ++i) {
                    const std::size_t x = i == 0 ? 0 : i + 1, z = i == 0 ? 1 : 4;
                    const auto turned = after(reached, hand.relative[first + i]);
                    const auto turn = joint(s[x], c[x], s[z], c[z]);
                    for (std::size_t a = 0; a < known; ++a)
                        slopes[a] = after(after(slopes[a], hand.relative[first + i]), turn);
                    slopes[known++] = without_translation(after(turned, by_x(s[x], c[x], s[z], c[z])));
                    if (i == 0) slopes[known++] = without_translation(after(turned, by_z(s[x], c[x], s[z], c[z])));
                    reached = after(turned, turn);
                    bones[i] = after(reached, hand.from_rest[first + i]);
                    for (std::size_t a = 0; a < known; ++a)
                        by_angle[i][a] = after(slopes[a], hand.from_rest[first + i]);
                }
            });
    }
    static affine<double> by_x(double sx, double cx, double sz, double cz) {
        return {{{0.0, sz * sx, sz * cx, 0.0}, {0.0, -cz * sx, -cz * cx, 0.0}, {0.0, cx, -sx, 0.0}}};
    }
    static affine<double> by_z(double sx, double cx, double sz, double cz) {
        return {{{-sz, -cz * cx, cz * sx, 0.0}, {cz, -sz * cx, sz * sx, 0.0}, {}}};
    }
    static affine<double> without_translation(affine<double> a) {
        for (auto& row : a) row[3] = 0.0;
        return a;
    }

    bool by_kernel(numbers& result) const;
    void by_tape(numbers& result) const;
};

} // namespace gradbench
