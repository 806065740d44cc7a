// SPDX-License-Identifier: BSL-1.0
//
// The inverses of 3 x 3 and 4 x 4 matrices of float or double in SIMD lanes, by the formulas of matrices/inverse.hpp:
// clang packs the scalar formulas into twice as many instructions.
#pragma once

#include <chainrule/core/lanes.hpp>
#include <chainrule/matrices/fixed_matrix.hpp>

#include <type_traits>

namespace chainrule::detail {

/// Whether such inverses are computed in lanes. With registers of less than 512 bits, the scalar formulas of 3 x 3
/// matrices are faster: 2.5 ns against 2.9 ns on clang with AVX2, where packed with AVX-512 they take 6.5 ns.
template <class T, std::size_t Rows>
#if defined(__AVX512VL__)
inline constexpr bool inverts_in_lanes = (Rows == 3 || Rows == 4) && in_lanes<T>;
#else
inline constexpr bool inverts_in_lanes = Rows == 4 && in_lanes<T>;
#endif

template <class T>
struct four_lanes {
    typedef T numbers [[gnu::vector_size(4 * sizeof(T))]];
    typedef T row [[gnu::vector_size(4 * sizeof(T)), gnu::aligned(alignof(T)), gnu::may_alias]];

    numbers v;

    [[nodiscard, gnu::always_inline]] static four_lanes load(const T* from) {
        return {*reinterpret_cast<const row*>(from)};
    }
    [[gnu::always_inline]] void store(T* to) const { *reinterpret_cast<row*>(to) = v; }

    /// The lanes I, J, K, L of a, or from 4 on those of b.
    template <int I, int J, int K, int L>
    [[nodiscard, gnu::always_inline]] static four_lanes take(const four_lanes& a, const four_lanes& b) {
        return {CHAINRULE_LANES_OF(a.v, b.v, I, J, K, L)};
    }
    template <int I, int J, int K, int L>
    [[nodiscard, gnu::always_inline]] four_lanes take() const {
        return take<I, J, K, L>(*this, *this);
    }
};

/// 1 / determinant times the adjugate. The lanes of a vector are a column of the adjugate, whose elements are
/// x * u - y * v + z * w with alternating signs.
template <class T>
[[gnu::always_inline]] inline void inverse_in_lanes(const T* a, T* result) {
    using lanes = four_lanes<T>;
    const lanes rows[] = {lanes::load(a), lanes::load(a + 4), lanes::load(a + 8), lanes::load(a + 12)};

    // The minors of two rows in the columns 01, 02, 03, 12, and those in 13 and 23 of both pairs of rows.
    const auto four_minors = [](const lanes& p, const lanes& q) __attribute__((always_inline)) {
        return lanes{p.template take<0, 0, 0, 1>().v * q.template take<1, 2, 3, 2>().v -
                     p.template take<1, 2, 3, 2>().v * q.template take<0, 0, 0, 1>().v};
    };
    const lanes s = four_minors(rows[0], rows[1]), t = four_minors(rows[2], rows[3]);
    const lanes others{
        lanes::template take<1, 2, 5, 6>(rows[0], rows[2]).v * lanes::template take<3, 3, 7, 7>(rows[1], rows[3]).v -
        lanes::template take<3, 3, 7, 7>(rows[0], rows[2]).v * lanes::template take<1, 2, 5, 6>(rows[1], rows[3]).v};
    const T first[] = {s.v[0], s.v[1], s.v[2], s.v[3], others.v[0], others.v[1]};
    const T second[] = {t.v[0], t.v[1], t.v[2], t.v[3], others.v[2], others.v[3]};
    const T determinant = first[0] * second[5] - first[1] * second[4] + first[2] * second[3] + first[3] * second[2] -
                          first[4] * second[1] + first[5] * second[0];
    const T scale = T(1) / determinant;

    // The minors 5, 5, 4, 3; 4, 2, 2, 1; 3, 1, 0, 0.
    const auto column = [](const lanes& row, const lanes& u, const lanes& v, const lanes& w,
                           const typename lanes::numbers& signs) __attribute__((always_inline)) {
        return lanes{(row.template take<1, 0, 0, 0>().v * u.v - row.template take<2, 2, 1, 1>().v * v.v +
                      row.template take<3, 3, 3, 2>().v * w.v) *
                     signs};
    };
    const lanes s1 = lanes::template take<1, 1, 0, 7>(others, s), s2 = lanes::template take<4, 2, 2, 1>(s, others);
    const lanes t1 = lanes::template take<3, 3, 2, 7>(others, t), t2 = lanes::template take<6, 2, 2, 1>(t, others);
    const lanes s3 = s.template take<3, 1, 0, 0>(), t3 = t.template take<3, 1, 0, 0>();
    const typename lanes::numbers from_plus = {scale, -scale, scale, -scale}, from_minus = -from_plus;
    const lanes c0 = column(rows[1], t1, t2, t3, from_plus), c1 = column(rows[0], t1, t2, t3, from_minus);
    const lanes c2 = column(rows[3], s1, s2, s3, from_plus), c3 = column(rows[2], s1, s2, s3, from_minus);

    const lanes low01 = lanes::template take<0, 4, 1, 5>(c0, c1), low23 = lanes::template take<0, 4, 1, 5>(c2, c3);
    const lanes high01 = lanes::template take<2, 6, 3, 7>(c0, c1), high23 = lanes::template take<2, 6, 3, 7>(c2, c3);
    lanes::template take<0, 1, 4, 5>(low01, low23).store(result);
    lanes::template take<2, 3, 6, 7>(low01, low23).store(result + 4);
    lanes::template take<0, 1, 4, 5>(high01, high23).store(result + 8);
    lanes::template take<2, 3, 6, 7>(high01, high23).store(result + 12);
}

/// 1 / determinant times the columns of the adjugate, which are the cross products of two rows each.
template <class T>
[[gnu::always_inline]] inline void inverse_of_three_rows(const T* a, T* result) {
    using lanes = four_lanes<T>;
    const lanes row0 = lanes::load(a), row1 = lanes::load(a + 3), end = lanes::load(a + 5);
    const lanes row2 = end.template take<1, 2, 3, 0>();
    // Cross products with their elements in the order z, x, y: two of four rotations are left out.
    const auto cross = [](const lanes& p, const lanes& q) __attribute__((always_inline)) {
        return lanes{p.v * q.template take<1, 2, 0, 3>().v - p.template take<1, 2, 0, 3>().v * q.v};
    };
    const lanes c0 = cross(row1, row2), c1 = cross(row2, row0), c2 = cross(row0, row1);
    const lanes by_first{row0.v * c0.template take<1, 2, 0, 3>().v};
    const T scale = T(1) / (by_first.v[0] + by_first.v[1] + by_first.v[2]);
    const lanes low = lanes::template take<1, 5, 2, 3>(c0, c1), high = lanes::template take<6, 1, 0, 4>(c0, c1);
    lanes{lanes::template take<0, 1, 5, 2>(low, c2).v * scale}.store(result);
    lanes{lanes::template take<0, 6, 2, 3>(high, c2).v * scale}.store(result + 4);
    result[8] = c2.v[0] * scale;
}

} // namespace chainrule::detail
