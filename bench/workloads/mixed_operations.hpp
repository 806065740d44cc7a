// SPDX-License-Identifier: BSL-1.0
//
// W2: exactly 100 operations over 12 variables with much sharing: 4 exp, 4 log, 4 sqrt, 4 pairs of sin and cos, 3 tanh,
// the rest arithmetic. The number after each line is the count of operations so far.
#pragma once

#include <chainrule/chainrule.hpp>

#include "results.hpp"

namespace workloads {

struct mixed_operations {
    static constexpr auto name = "100 mixed operations, 12 variables";
    static constexpr point<12> at = {0.8, 1.3, 0.7, 1.9, 1.1, 0.6, 1.7, 0.4, 0.9, 1.2, 0.5, 0.3};
    using data = no_data;

    template <class T>
    static constexpr auto formula(const auto& one, const auto& half, const auto& a, const auto& b, const auto& c,
                                  const auto& d, const auto& p, const auto& q, const auto& r, const auto& s,
                                  const auto& u, const auto& v, const auto& w, const auto& z) {
        using std::cos, std::exp, std::log, std::sin, std::sqrt, std::tanh;
        const auto ab = kept<T>(a * b);                         //   1
        const auto cd = kept<T>(c + d);                         //   2
        const auto m1 = kept<T>(ab / cd);                       //   3
        const auto e1 = kept<T>(exp(-m1));                      //   5
        const auto l1 = kept<T>(log(p * p + ab));               //   8
        const auto q1 = kept<T>(sqrt(q * r + cd));              //  11
        const auto alpha = kept<T>(m1 + s);                     //  12
        const auto s1 = kept<T>(sin(alpha));                    //  13
        const auto c1 = kept<T>(cos(alpha));                    //  14
        const auto h1 = kept<T>(tanh(u * s1 - v * c1));         //  18
        const auto k1 = kept<T>(e1 * l1 + q1 * h1);             //  21
        const auto den = kept<T>(one + w * w);                  //  23
        const auto g1 = kept<T>(k1 / den);                      //  24
        const auto beta = kept<T>(q1 * z - l1);                 //  26
        const auto s2 = kept<T>(sin(beta));                     //  27
        const auto c2 = kept<T>(cos(beta));                     //  28
        const auto n1 = kept<T>(s1 * s2 + c1 * w);              //  31
        const auto n2 = kept<T>(c1 * c2 - s1 * z);              //  34
        const auto l2 = kept<T>(log(den + n1 * n1));            //  37
        const auto q2 = kept<T>(sqrt(l2 * l2 + e1));            //  40
        const auto e2 = kept<T>(exp(h1 - q2));                  //  42
        const auto m2 = kept<T>((k1 - g1) / q2);                //  44
        const auto h2 = kept<T>(tanh(m2 + a * d));              //  47
        const auto e3 = kept<T>(exp(half * h2));                //  49
        const auto m3 = kept<T>((e2 + e3) / (q1 + q2));         //  52
        const auto gamma = kept<T>(m3 * n2 + b);                //  54
        const auto s3 = kept<T>(sin(gamma));                    //  55
        const auto c3 = kept<T>(cos(gamma));                    //  56
        const auto l3 = kept<T>(log(q2 + e3 * e3));             //  59
        const auto q3 = kept<T>(sqrt(m3 * m3 + s3 * s3 + one)); //  64
        const auto t1 = kept<T>(s3 * u + c3 * v);               //  67
        const auto t2 = kept<T>(s3 * w - c3 * u);               //  70
        const auto h3 = kept<T>(tanh(t1 / q3));                 //  72
        const auto m4 = kept<T>(t2 / q3);                       //  73
        const auto e4 = kept<T>(exp(m4 * w - h3));              //  76
        const auto l4 = kept<T>(log(one + e4));                 //  78
        const auto m5 = kept<T>((l3 + l4) / (den * q3));        //  81
        const auto delta = kept<T>(m5 * p - z * r);             //  84
        const auto s4 = kept<T>(sin(delta));                    //  85
        const auto c4 = kept<T>(cos(delta));                    //  86
        const auto y1 = kept<T>(m5 * s4 + g1 * c4);             //  89
        const auto y2 = kept<T>(h3 * h2 - m4 * n1);             //  92
        const auto y3 = kept<T>(sqrt(y1 * y1 + e4));            //  95
        return kept<T>(y1 * y2 + y3 * l2 - m3 / q1);            // 100
    }

    static constexpr auto function(const data& = {}) {
        namespace cr = chainrule;
        using namespace cr::literals;
        constexpr auto a = cr::variable<"a">;
        constexpr auto b = cr::variable<"b">;
        constexpr auto c = cr::variable<"c">;
        constexpr auto d = cr::variable<"d">;
        constexpr auto p = cr::variable<"p">;
        constexpr auto q = cr::variable<"q">;
        constexpr auto r = cr::variable<"r">;
        constexpr auto s = cr::variable<"s">;
        constexpr auto u = cr::variable<"u">;
        constexpr auto v = cr::variable<"v">;
        constexpr auto w = cr::variable<"w">;
        constexpr auto z = cr::variable<"z">;
        constexpr auto f = formula<expressions>(1_c, 0.5_c, a, b, c, d, p, q, r, s, u, v, w, z);
        return cr::function(f, cr::wrt(a, b, c, d, p, q, r, s, u, v, w, z));
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        return formula<T>(1.0, 0.5, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11]);
    }

    static value_and_gradient<12> by_hand(const data&, const point<12>& x) { return by_hand_on(x); }

    /// On numbers of any type: with tangents, they give second derivatives.
    template <class T>
    [[gnu::always_inline]] static value_and_gradient<12, T> by_hand_on(const std::array<T, 12>& x) {
        using std::exp, std::log, std::sqrt, std::tanh;
        const T a = x[0], b = x[1], c = x[2], d = x[3], p = x[4], q = x[5];
        const T r = x[6], s = x[7], u = x[8], v = x[9], w = x[10], z = x[11];

        const T ab = a * b;
        const T cd = c + d;
        const T over_cd = 1.0 / cd;
        const T m1 = ab * over_cd;
        const T e1 = exp(-m1);
        const T inside_l1 = p * p + ab;
        const T l1 = log(inside_l1);
        const T q1 = sqrt(q * r + cd);
        T s1, c1;
        sine_and_cosine(m1 + s, s1, c1);
        const T h1 = tanh(u * s1 - v * c1);
        const T k1 = e1 * l1 + q1 * h1;
        const T den = 1.0 + w * w;
        const T over_den = 1.0 / den;
        const T g1 = k1 * over_den;
        T s2, c2;
        sine_and_cosine(q1 * z - l1, s2, c2);
        const T n1 = s1 * s2 + c1 * w;
        const T n2 = c1 * c2 - s1 * z;
        const T inside_l2 = den + n1 * n1;
        const T l2 = log(inside_l2);
        const T q2 = sqrt(l2 * l2 + e1);
        const T over_q2 = 1.0 / q2;
        const T e2 = exp(h1 - q2);
        const T m2 = (k1 - g1) * over_q2;
        const T h2 = tanh(m2 + a * d);
        const T e3 = exp(0.5 * h2);
        const T over_q12 = 1.0 / (q1 + q2);
        const T m3 = (e2 + e3) * over_q12;
        T s3, c3;
        sine_and_cosine(m3 * n2 + b, s3, c3);
        const T inside_l3 = q2 + e3 * e3;
        const T l3 = log(inside_l3);
        const T q3 = sqrt(m3 * m3 + s3 * s3 + 1.0);
        const T over_q3 = 1.0 / q3;
        const T t1 = s3 * u + c3 * v;
        const T t2 = s3 * w - c3 * u;
        const T t1_over_q3 = t1 * over_q3;
        const T h3 = tanh(t1_over_q3);
        const T m4 = t2 * over_q3;
        const T e4 = exp(m4 * w - h3);
        const T inside_l4 = 1.0 + e4;
        const T l4 = log(inside_l4);
        const T over_den_q3 = over_den * over_q3;
        const T m5 = (l3 + l4) * over_den_q3;
        T s4, c4;
        sine_and_cosine(m5 * p - z * r, s4, c4);
        const T y1 = m5 * s4 + g1 * c4;
        const T y2 = h3 * h2 - m4 * n1;
        const T y3 = sqrt(y1 * y1 + e4);
        const T over_q1 = 1.0 / q1;
        const T m3_over_q1 = m3 * over_q1;

        // d_name is the adjoint of name.
        const T l2_over_y3 = l2 / y3;
        const T d_y1 = y2 + y1 * l2_over_y3;
        const T d_delta = d_y1 * (m5 * c4 - g1 * s4);
        const T d_m5 = d_y1 * s4 + d_delta * p;
        const T d_l3 = d_m5 * over_den_q3; // and of l4
        const T m5_d_m5 = m5 * d_m5;

        const T d_exponent4 = e4 * (0.5 * l2_over_y3 + d_l3 / inside_l4);
        const T d_m4 = d_exponent4 * w - y1 * n1;
        const T d_h3 = y1 * h2 - d_exponent4;
        const T d_t2 = d_m4 * over_q3;
        const T d_t1 = d_h3 * (1.0 - h3 * h3) * over_q3;
        const T d_q3 = -(m5_d_m5 * over_q3 + d_t2 * m4 + d_t1 * t1_over_q3);
        const T d_q3_over_q3 = d_q3 * over_q3;
        const T d_s3 = d_t1 * u + d_t2 * w + s3 * d_q3_over_q3;
        const T d_c3 = d_t1 * v - d_t2 * u;
        const T d_gamma = d_s3 * c3 - d_c3 * s3;

        const T d_inside_l3 = d_l3 / inside_l3;
        const T d_m3 = m3 * d_q3_over_q3 + d_gamma * n2 - over_q1;
        const T d_e2 = d_m3 * over_q12;
        const T d_q12 = d_e2 * m3; // with the sign changed
        const T d_exponent2 = d_e2 * e2;
        const T d_e3 = d_e2 + 2.0 * e3 * d_inside_l3;
        const T d_h2 = y1 * h3 + 0.5 * e3 * d_e3;
        const T d_m2 = d_h2 * (1.0 - h2 * h2);
        const T d_k1_minus_g1 = d_m2 * over_q2;
        const T d_q2 = d_inside_l3 - d_q12 - d_k1_minus_g1 * m2 - d_exponent2;
        const T d_q2_over_q2 = d_q2 * over_q2;
        const T d_inside_l2 = (y3 + l2 * d_q2_over_q2) / inside_l2;
        const T d_n1 = 2.0 * n1 * d_inside_l2 - y1 * m4;
        const T d_n2 = d_gamma * m3;

        const T d_g1 = d_y1 * c4 - d_k1_minus_g1;
        const T d_g1_over_den = d_g1 * over_den;
        const T d_k1 = d_k1_minus_g1 + d_g1_over_den;
        const T d_den = d_inside_l2 - m5_d_m5 * over_den - d_g1_over_den * g1;
        const T d_beta = d_n1 * s1 * c2 - d_n2 * c1 * s2;
        const T d_h1 = d_exponent2 + d_k1 * q1;
        const T d_inside_h1 = d_h1 * (1.0 - h1 * h1);
        const T d_s1 = d_n1 * s2 - d_n2 * z + d_inside_h1 * u;
        const T d_c1 = d_n1 * w + d_n2 * c2 - d_inside_h1 * v;
        const T d_alpha = d_s1 * c1 - d_c1 * s1;
        const T d_q1 = m3_over_q1 * over_q1 - d_q12 + d_beta * z + d_k1 * h1;
        const T d_inside_q1 = 0.5 * d_q1 * over_q1;
        const T d_inside_l1 = (d_k1 * e1 - d_beta) / inside_l1;
        const T d_e1 = 0.5 * d_q2_over_q2 + d_k1 * l1;
        const T d_m1_over_cd = (d_alpha - d_e1 * e1) * over_cd;
        const T d_ab = d_inside_l1 + d_m1_over_cd;
        const T d_cd = d_inside_q1 - d_m1_over_cd * m1;

        return {y1 * y2 + y3 * l2 - m3_over_q1,
                {d_ab * b + d_m2 * d, d_ab * a + d_gamma, d_cd, d_cd + d_m2 * a, d_delta * m5 + 2.0 * p * d_inside_l1,
                 d_inside_q1 * r, d_inside_q1 * q - d_delta * z, d_alpha, d_t1 * s3 - d_t2 * c3 + d_inside_h1 * s1,
                 d_t1 * c3 - d_inside_h1 * c1, d_exponent4 * m4 + d_t2 * s3 + d_n1 * c1 + 2.0 * w * d_den,
                 d_beta * q1 - d_delta * r - d_n2 * s1}};
    }
};

} // namespace workloads
