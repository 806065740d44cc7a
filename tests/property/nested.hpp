// SPDX-License-Identifier: BSL-1.0
//
// Nested numbers with derivatives: every function of the table, called with dual numbers of dual numbers, dual numbers
// of active numbers, and so on. First and second derivatives must be those of the kernel. Each nested_*.cpp
// tests a quarter of the rows.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace functions = chainrule::functions;
using namespace chainrule::literals;

// The functions as a program calls them: by a name that argument-dependent lookup finds.
template <class Row>
struct call;
#define CHAINRULE_ROW(NAME, ...)                                                                                       \
    template <>                                                                                                        \
    struct call<functions::NAME> {                                                                                     \
        template <class... T>                                                                                          \
        static constexpr auto of(const T&... x) {                                                                      \
            return NAME(x...);                                                                                         \
        }                                                                                                              \
    };
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

template <class T, std::size_t N>
using point_of = std::array<T, N>;

/// A function of N arguments, at 3 p + 1, in every number type that is compared, and what a kernel says of it. So the
/// comparisons are compiled once for each N and not for each function.
template <std::size_t N>
struct nested_function {
    using dual_of_float = cr::dual<float, N>;
    using dual_of_dual = cr::dual<cr::dual<double, N>, N>;
    using dual_of_active = cr::dual<tape::active<double>, N>;
    using active_of_dual = tape::active<cr::dual<double, N>>;
    using active_of_active = tape::active<tape::active<double>>;

    template <class T>
    using at = T (*)(const point_of<T, N>&);
    std::tuple<at<dual_of_float>, at<dual_of_dual>, at<dual_of_active>, at<active_of_dual>, at<active_of_active>> in;
    std::vector<std::array<functions::interval, N>> boxes;
    /// Value, gradient and Hessian.
    void (*by_kernel)(const point_of<double, N>& p, double& value, point_of<double, N>& gradient,
                      std::array<point_of<double, N>, N>& hessian);

    template <class T>
    T operator()(const point_of<T, N>& p) const {
        return std::get<at<T>>(in)(p);
    }
};

template <std::size_t N>
class nesting {
    using function = nested_function<N>;

    function f_;
    point_of<double, N> point_{};
    double value_ = 0;
    point_of<double, N> gradient_{};
    std::array<point_of<double, N>, N> hessian_{};

    static Approx near(double expected, double size) {
        return Approx(expected).epsilon(1e-11).margin(1e-12 * (1 + size));
    }

    void compare(double value, const point_of<double, N>& gradient) const {
        CHECK(value == value_);
        for (std::size_t i = 0; i < N; ++i) CHECK(gradient[i] == near(gradient_[i], std::abs(value)));
    }
    void compare_row(std::size_t i, const point_of<double, N>& row) const {
        for (std::size_t j = 0; j < N; ++j) {
            CAPTURE(i, j);
            CHECK(row[j] == near(hessian_[i][j], std::abs(gradient_[i])));
        }
    }

    void dual_of_dual() const {
        using outer = typename function::dual_of_dual;
        using inner = cr::dual<double, N>;
        point_of<outer, N> p;
        for (std::size_t i = 0; i < N; ++i) p[i] = outer::variable(inner::variable(point_[i], i), i);
        const outer r = f_(p);
        compare(r.value.value, r.value.tangents);
        for (std::size_t i = 0; i < N; ++i) {
            CHECK(r.tangents[i].value == near(gradient_[i], std::abs(value_)));
            compare_row(i, r.tangents[i].tangents);
        }
    }
    void dual_of_active() const {
        using outer = typename function::dual_of_active;
        using inner = tape::active<double>;
        tape::tape t;
        point_of<inner, N> x;
        point_of<outer, N> p;
        for (std::size_t i = 0; i < N; ++i) {
            x[i] = t.variable(point_[i]);
            p[i] = outer::variable(x[i], i);
        }
        const outer r = f_(p);
        point_of<double, N> gradient{};
        for (std::size_t i = 0; i < N; ++i) gradient[i] = r.tangents[i].value();
        compare(r.value.value(), gradient);
        for (std::size_t i = 0; i < N; ++i) compare_row(i, swept(t, r.tangents[i], x));
    }
    void active_of_dual() const {
        using outer = typename function::active_of_dual;
        using inner = cr::dual<double, N>;
        tape::basic_tape<inner> t;
        point_of<outer, N> x;
        for (std::size_t i = 0; i < N; ++i) x[i] = t.variable(inner::variable(point_[i], i));
        const outer r = f_(x);
        compare(r.value().value, r.value().tangents);
        t.backward(r);
        for (std::size_t i = 0; i < N; ++i) {
            CHECK(x[i].gradient().value == near(gradient_[i], std::abs(value_)));
            compare_row(i, x[i].gradient().tangents);
        }
    }
    void active_of_active() const {
        using outer = typename function::active_of_active;
        using inner = tape::active<double>;
        tape::tape t;
        tape::basic_tape<inner> outer_tape;
        point_of<inner, N> x;
        point_of<outer, N> p;
        for (std::size_t i = 0; i < N; ++i) {
            x[i] = t.variable(point_[i]);
            p[i] = outer_tape.variable(x[i]);
        }
        const outer r = f_(p);
        outer_tape.backward(r);
        point_of<double, N> gradient{};
        for (std::size_t i = 0; i < N; ++i) gradient[i] = p[i].gradient().value();
        compare(r.value().value(), gradient);
        for (std::size_t i = 0; i < N; ++i) compare_row(i, swept(t, p[i].gradient(), x));
    }
    void dual_of_float() const {
        using number = typename function::dual_of_float;
        point_of<number, N> p;
        for (std::size_t i = 0; i < N; ++i) p[i] = number::variable(static_cast<float>(point_[i]), i);
        const number r = f_(p);
        // The argument is rounded: how much that matters, the derivatives tell.
        double size = std::abs(value_);
        for (std::size_t i = 0; i < N; ++i) size += std::abs(gradient_[i]) * (1 + std::abs(point_[i]));
        CHECK(static_cast<double>(r.value) == Approx(value_).margin(1e-6 * size));
        for (std::size_t i = 0; i < N; ++i) {
            double sensitivity = size;
            for (std::size_t j = 0; j < N; ++j) sensitivity += std::abs(hessian_[i][j]) * (1 + std::abs(point_[j]));
            CHECK(static_cast<double>(r.tangents[i]) == Approx(gradient_[i]).margin(1e-5 * sensitivity));
        }
    }

    static point_of<double, N> swept(tape::tape& t, const tape::active<double>& y,
                                     const point_of<tape::active<double>, N>& x) {
        point_of<double, N> result{};
        if (!y.is_recorded()) return result; // constant
        t.backward(y);
        for (std::size_t i = 0; i < N; ++i) result[i] = x[i].gradient();
        return result;
    }

public:
    explicit nesting(const function& f) : f_(f) {}

    void check() {
        for (const auto& box : f_.boxes)
            for (const double part : {0.3, 0.85}) {
                for (std::size_t i = 0; i < N; ++i) { // each at another place of its interval: equal ones hide much
                    const double place = std::fmod(part + 0.37 * static_cast<double>(i), 1.0);
                    point_[i] = (box[i].low + (box[i].high - box[i].low) * place - 1) / 3;
                }
                CAPTURE(point_);
                f_.by_kernel(point_, value_, gradient_, hessian_);
                dual_of_float();
                dual_of_dual();
                dual_of_active();
                active_of_dual();
                active_of_active();
            }
    }
};

template <class Row, class T, std::size_t... I>
T called(const point_of<T, sizeof...(I)>& p, std::index_sequence<I...>) {
    const point_of<T, sizeof...(I)> u{T(3.0 * p[I] + 1.0)...};
    return call<Row>::of(u[I]...);
}

template <class Row>
nested_function<Row::arity> function_of_row() {
    constexpr std::size_t count = Row::arity;
    nested_function<count> f{};
    const auto set = []<class T>(T (*&at)(const point_of<T, count>&)) {
        at = [](const point_of<T, count>& p) { return called<Row>(p, std::make_index_sequence<count>{}); };
    };
    std::apply([&](auto&... at) { (set(at), ...); }, f.in);
    f.boxes.assign(functions::boxes_of<Row>.begin(), functions::boxes_of<Row>.end());
    f.by_kernel = [](const point_of<double, count>& p, double& v, point_of<double, count>& g,
                     std::array<point_of<double, count>, count>& h) {
        constexpr auto F = [] {
            constexpr auto x = cr::variable<"x">;
            [[maybe_unused]] constexpr auto y = cr::variable<"y">;
            [[maybe_unused]] constexpr auto z = cr::variable<"z">;
            if constexpr (count == 1)
                return cr::function(call<Row>::of(3_c * x + 1_c), cr::wrt(x));
            else if constexpr (count == 2)
                return cr::function(call<Row>::of(3_c * x + 1_c, 3_c * y + 1_c), cr::wrt(x, y));
            else
                return cr::function(call<Row>::of(3_c * x + 1_c, 3_c * y + 1_c, 3_c * z + 1_c), cr::wrt(x, y, z));
        }();
        const auto [value, gradient, hessian] = F.value_gradient_and_hessian(p);
        v = value;
        for (std::size_t i = 0; i < count; ++i) {
            g[i] = gradient[i];
            for (std::size_t j = 0; j < count; ++j) h[i][j] = hessian[i][j];
        }
    };
    return f;
}

/// Checks of every `parts` rows one.
template <unsigned Part, unsigned Parts>
void check_nesting() {
    const auto one = []<class Row>(Row) {
        if constexpr (Row::position % Parts == Part) DYNAMIC_SECTION(Row::name) {
                nesting<Row::arity>(function_of_row<Row>()).check();
            }
    };
    [&]<class... Row>(functions::row_list<Row...>) { (one(Row{}), ...); }(functions::all{});
}

} // namespace
