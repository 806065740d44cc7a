// SPDX-License-Identifier: BSL-1.0
//
// Programs printed in C and compiled by the C compiler compute the numbers of the kernel, bit for bit.
#include "catch.hpp"
#include "programs.hpp"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

extern "C" {
#define CASE(NAME, REQUEST) void NAME(const double* in, const double* numbers, double* out);
CHAINRULE_TEST_PROGRAMS(CASE)
#undef CASE
// Called by the program of_the_user.
double cubic_root(double x) { return outside::cubic_root(x); }
double power_mean(double x, double y) { return outside::mean(x, y); }
double leaky_line(double x, double y, double z) { return outside::leaky(x, y, z); }
// Called by the program taken_names.
double custom_gamma(double x) { return programs::of_math_h{}(x); }
double custom_gamma_3(double x) { return programs::equal_to_it{}(x); }
double custom_gamma_2(double x) { return programs::guarded_already{}(x); }
double custom_exp(double x) { return programs::in_the_program{}(x); }
double custom_taken_names(double x) { return programs::of_the_program{}(x); }
double custom_t1(double x) { return programs::variable_in_c{}(x); }
double custom_in(double x) { return programs::parameter_in_c{}(x); }
double custom_double(double x) { return programs::keyword_in_c{}(x); }
double custom_my_function(double x) { return programs::with_a_blank{}(x); }
double custom_2nd(double x) { return programs::with_digits{}(x); }
double custom_chainrule_sigmoid(double x) { return programs::defined_in_c{}(x); }
}

namespace {

namespace cr = chainrule;

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

struct outputs {
    std::vector<double> values;
    void add(double v) { values.push_back(v); }
    template <class T, std::size_t N>
    void add(const std::array<T, N>& v) {
        for (const T& e : v) add(e);
    }
    /// The upper triangle.
    template <std::size_t N>
    void add_triangle(const std::array<std::array<double, N>, N>& v) {
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = i; j < N; ++j) add(v[i][j]);
    }
};

/// The results of the kernel for the same request, in the order of the outputs in C.
template <unsigned Request, bool Scalar, class F, class Point>
std::vector<double> by_kernel(const F& f, const Point& p) {
    outputs out;
    if constexpr (Request == cr::request::values) {
        out.add(f(p));
    } else if constexpr (Request == programs::all) {
        const auto r = f.value_gradient_and_hessian(p);
        out.add(r.value);
        out.add(r.gradient);
        out.add_triangle(r.hessian);
    } else if constexpr (Scalar) {
        const auto r = f.value_and_gradient(p);
        out.add(r.value);
        out.add(r.gradient);
    } else {
        const auto [values, jacobian] = f.value_and_jacobian(p);
        out.add(values);
        out.add(jacobian);
    }
    return out.values;
}

template <unsigned Request, std::size_t Variables, bool Scalar = true, class F>
void check(const char* name, const F& f, void (*in_c)(const double*, const double*, double*),
           std::vector<double> parameters, std::vector<double> numbers) {
    std::mt19937 dice(7);
    std::uniform_real_distribution<double> any(-3, 3);
    for (int round = 0; round < 200; ++round) {
        std::array<double, Variables> p;
        for (double& v : p) v = round < 100 ? std::abs(any(dice)) + 0.01 : any(dice);
        if (round == 150) p[0] = 0;
        if (round == 151) p.fill(1.0);
        std::vector<double> in(p.begin(), p.end());
        in.insert(in.end(), parameters.begin(), parameters.end());
        const std::vector<double> expected = by_kernel<Request, Scalar>(f, p);
        std::vector<double> found(expected.size(), -1);
        in_c(in.data(), numbers.data(), found.data());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            CAPTURE(name, round, k, found[k], expected[k], in);
            REQUIRE(same(found[k], expected[k]));
        }
    }
}

} // namespace

TEST_CASE("a program in C computes the numbers of the kernel", "[text]") {
    using namespace programs;
    check<cr::request::values, 3>("every_row", programs::every_row, ::every_row, {}, {});
    check<all, 2>("original", programs::original, ::original, {}, {});
    check<all, 3>("probability", programs::probability, ::probability, {}, {});
    check<first, 3>("selections", programs::selections, ::selections, {}, {2.5});
    check<all, 3>("stored", programs::stored, ::stored, {}, {2.5, 1e-3, 1e-3, 0.1, -7});
    check<first, 2>("parameters", programs::parameters, ::parameters, {0.3}, {});
    check<first, 3, false>("several", programs::several, ::several, {}, {});
    check<first, 3>("of_the_user", programs::of_the_user, ::of_the_user, {}, {});
    check<first, 2>("taken_names", programs::taken_names, ::taken_names, {}, {});
}
