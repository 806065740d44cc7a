// SPDX-License-Identifier: BSL-1.0
//
// Do numbers with derivatives nest? Every function of the table, called with dual numbers of dual numbers, dual numbers of
// numbers on a tape, and so on: first and second derivatives are those of the kernel. nested_*.cpp share the rows among
// them.
#pragma once

#include "../catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>

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

/// The function of 3 p + 1, argument by argument, for numbers of any type.
template <class Row, class T, std::size_t... I>
T at(const std::array<T, sizeof...(I)>& p, std::index_sequence<I...>) {
    const std::array<T, sizeof...(I)> u{T(3.0 * p[I] + 1.0)...};
    return call<Row>::of(u[I]...);
}

template <class Row>
class nesting {
    static constexpr std::size_t count = Row::arity;
    using indices = std::make_index_sequence<count>;

    std::array<double, count> point_{};
    double value_ = 0;
    std::array<double, count> gradient_{};
    std::array<std::array<double, count>, count> hessian_{};
    std::size_t row_ = 0;

    static Approx near(double expected, double size) { return Approx(expected).epsilon(1e-11).margin(1e-12 * (1 + size)); }

    void compare(double value, const std::array<double, count>& gradient) const {
        CHECK(value == value_);
        for (std::size_t i = 0; i < count; ++i) CHECK(gradient[i] == near(gradient_[i], std::abs(value)));
    }
    void compare_row(std::size_t i, const std::array<double, count>& row) const {
        for (std::size_t j = 0; j < count; ++j) {
            CAPTURE(i, j);
            CHECK(row[j] == near(hessian_[i][j], std::abs(gradient_[i])));
        }
    }

    void dual_of_dual() const {
        using inner = cr::dual<double, count>;
        using outer = cr::dual<inner, count>;
        std::array<outer, count> p;
        for (std::size_t i = 0; i < count; ++i) p[i] = outer::variable(inner::variable(point_[i], i), i);
        const outer r = at<Row>(p, indices{});
        compare(r.value.value, r.value.tangents);
        for (std::size_t i = 0; i < count; ++i) {
            CHECK(r.tangents[i].value == near(gradient_[i], std::abs(value_)));
            compare_row(i, r.tangents[i].tangents);
        }
    }
    void dual_of_active() const {
        using inner = tape::active<double>;
        using outer = cr::dual<inner, count>;
        tape::tape t;
        std::array<inner, count> x;
        std::array<outer, count> p;
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = t.variable(point_[i]);
            p[i] = outer::variable(x[i], i);
        }
        const outer r = at<Row>(p, indices{});
        std::array<double, count> gradient{};
        for (std::size_t i = 0; i < count; ++i) gradient[i] = r.tangents[i].value();
        compare(r.value.value(), gradient);
        for (std::size_t i = 0; i < count; ++i) compare_row(i, swept(t, r.tangents[i], x));
    }
    void active_of_dual() const {
        using inner = cr::dual<double, count>;
        tape::basic_tape<inner> t;
        std::array<tape::active<inner>, count> x;
        for (std::size_t i = 0; i < count; ++i) x[i] = t.variable(inner::variable(point_[i], i));
        const tape::active<inner> r = at<Row>(x, indices{});
        compare(r.value().value, r.value().tangents);
        t.backward(r);
        for (std::size_t i = 0; i < count; ++i) {
            CHECK(x[i].gradient().value == near(gradient_[i], std::abs(value_)));
            compare_row(i, x[i].gradient().tangents);
        }
    }
    void active_of_active() const {
        using inner = tape::active<double>;
        tape::tape t;
        tape::basic_tape<inner> outer_tape;
        std::array<inner, count> x;
        std::array<tape::active<inner>, count> p;
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = t.variable(point_[i]);
            p[i] = outer_tape.variable(x[i]);
        }
        const tape::active<inner> r = at<Row>(p, indices{});
        outer_tape.backward(r);
        std::array<double, count> gradient{};
        for (std::size_t i = 0; i < count; ++i) gradient[i] = p[i].gradient().value();
        compare(r.value().value(), gradient);
        for (std::size_t i = 0; i < count; ++i) compare_row(i, swept(t, p[i].gradient(), x));
    }
    void dual_of_float() const {
        using number = cr::dual<float, count>;
        std::array<number, count> p;
        for (std::size_t i = 0; i < count; ++i) p[i] = number::variable(static_cast<float>(point_[i]), i);
        const number r = at<Row>(p, indices{});
        // The argument is rounded: how much that matters, the derivatives tell.
        double size = std::abs(value_);
        for (std::size_t i = 0; i < count; ++i) size += std::abs(gradient_[i]) * (1 + std::abs(point_[i]));
        CHECK(static_cast<double>(r.value) == Approx(value_).margin(1e-6 * size));
        for (std::size_t i = 0; i < count; ++i) {
            double sensitivity = size;
            for (std::size_t j = 0; j < count; ++j) sensitivity += std::abs(hessian_[i][j]) * (1 + std::abs(point_[j]));
            CHECK(static_cast<double>(r.tangents[i]) == Approx(gradient_[i]).margin(1e-5 * sensitivity));
        }
    }

    static std::array<double, count> swept(tape::tape& t, const tape::active<double>& y,
                                           const std::array<tape::active<double>, count>& x) {
        std::array<double, count> result{};
        if (!y.is_recorded()) return result; // constant
        t.backward(y);
        for (std::size_t i = 0; i < count; ++i) result[i] = x[i].gradient();
        return result;
    }

public:
    void check() {
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
        for (const double part : {0.3, 0.85}) {
            for (std::size_t i = 0; i < count; ++i) {
                const functions::interval domain = Row::domain[i];
                point_[i] = (domain.low + (domain.high - domain.low) * part - 1) / 3;
            }
            CAPTURE(point_);
            const auto [value, gradient, hessian] = F.value_gradient_and_hessian(point_);
            value_ = value;
            for (std::size_t i = 0; i < count; ++i) {
                gradient_[i] = gradient[i];
                for (std::size_t j = 0; j < count; ++j) hessian_[i][j] = hessian[i][j];
            }
            dual_of_float();
            dual_of_dual();
            dual_of_active();
            active_of_dual();
            active_of_active();
        }
    }
};

/// Checks of every `parts` rows one.
template <unsigned Part, unsigned Parts>
void check_nesting() {
    const auto one = []<class Row>(Row) {
        if constexpr (Row::position % Parts == Part) DYNAMIC_SECTION(Row::name) { nesting<Row>().check(); }
    };
    [&]<class... Row>(functions::row_list<Row...>) { (one(Row{}), ...); }(functions::all{});
}

} // namespace
