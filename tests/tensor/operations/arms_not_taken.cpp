// SPDX-License-Identifier: BSL-1.0
//
// What was not chosen leaks into no gradient: an element whose function is infinitely steep or not defined, but which a
// condition, a position, a slice or a flat function leaves out, has the gradient zero, and disturbs no other.
#include "catch.hpp"

#include <chainrule/special_functions.hpp>
#include <chainrule/tensor.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace ct = chainrule::tensor;
namespace functions = chainrule::functions;
using ct::tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> hard{0.0, -0.0, 1.0, -1.0, -2.5, 1e300, infinity, -infinity, not_a_number};

// The functions of Boost.Math refuse some points by an assertion or an exception; at the pole and at NaN they answer.
#define CHAINRULE_IS_CMATH false
#define CHAINRULE_IS_BUILTIN false
#define CHAINRULE_IS_BOOST true
#define CHAINRULE_IS_FORMULA(...) false
template <class Row>
inline constexpr bool is_of_boost = false;
#define CHAINRULE_ROW(NAME, VALUE, ...)                                                                                \
    template <>                                                                                                        \
    inline constexpr bool is_of_boost<functions::NAME> = CHAINRULE_IS_##VALUE;
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

template <class Row>
bool takes(double point) {
    return !is_of_boost<Row> || point != point || (point == 0 && Row::arity == 1);
}

template <class Row, class... T>
auto called(const T&... x) {
    return ct::operations::apply<ct::operations::of_table<Row>>(x...);
}

double inside(functions::interval domain) { return domain.low + 0.4 * (domain.high - domain.low); }

/// Chooses the first element of y in every way, and checks that the second one has no gradient and changes no other.
/// `arguments` have two elements each.
template <class F>
void check_choices(const F& f, std::vector<tensor<double>> arguments) {
    for (tensor<double>& a : arguments) a.requires_grad(true);
    std::vector<double> alone;
    const auto check = [&](const char* how, const auto& choose) {
        CAPTURE(how);
        for (tensor<double>& a : arguments) a.zero_grad();
        ct::sum(choose(f(arguments))).backward();
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            CAPTURE(k, arguments[k](1));
            CHECK(arguments[k].grad()(1) == 0);
            CHECK(arguments[k].grad()(0) == alone[k]);
        }
    };
    {
        std::vector<tensor<double>> first;
        for (const tensor<double>& a : arguments) first.push_back(tensor<double>{a(0)}.requires_grad(true));
        ct::sum(f(first)).backward();
        for (const tensor<double>& a : first) alone.push_back(a.grad()(0));
    }
    const tensor<bool> mask{true, false};
    check("where", [&](const auto& y) { return ct::where(mask, y, 0); });
    check("where, the other arm", [&](const auto& y) { return ct::where(!mask, 0, y); });
    check("slice", [](const auto& y) { return ct::slice(y, 0, 0, 1); });
    check("select", [](const auto& y) { return ct::select(y, 0, 0); });
    check("take", [](const auto& y) { return ct::take(y, {0}); });
    check("gather", [](const auto& y) { return ct::gather(y, 0, tensor<ct::index>{ct::index{0}}); });
    check("element by element", [&](const auto& y) { return ct::where(mask, y + y * 2.0 - 2.0 * y, 0); });
}

struct all_rows {
    template <class... Rows, class F>
    static void visit(functions::row_list<Rows...>, F f) {
        (f.template operator()<Rows>(), ...);
    }
};

tensor<double> pair(double a, double b) { return tensor<double>{a, b}; }

double gradient_at(const tensor<double>& x, ct::index i) { return x.grad()(i); }

} // namespace

TEST_CASE("tensors: no function of the table leaks from an element that is not chosen", "[table]") {
    all_rows::visit(functions::all(), []<class Row>() {
        CAPTURE(std::string(Row::name));
        for (const double bad : hard) {
            if (!takes<Row>(bad)) continue;
            if constexpr (Row::arity == 1) {
                check_choices([](const auto& a) { return called<Row>(a[0]); }, {pair(inside(Row::domain[0]), bad)});
            } else if constexpr (Row::arity == 2) {
                const double u = inside(Row::domain[0]), v = inside(Row::domain[1]);
                const auto f = [](const auto& a) { return called<Row>(a[0], a[1]); };
                check_choices(f, {pair(u, bad), pair(v, v)});
                check_choices(f, {pair(u, u), pair(v, bad)});
                check_choices(f, {pair(u, bad), pair(v, bad)});
            }
        }
    });
}

TEST_CASE("tensors: no operator leaks from an element that is not chosen") {
    for (const double bad : hard)
        for (const double other : hard) {
            const std::vector<tensor<double>> at{pair(0.75, bad), pair(1.5, other)};
            check_choices([](const auto& a) { return a[0] * a[1]; }, at);
            check_choices([](const auto& a) { return a[0] / a[1]; }, at);
            check_choices([](const auto& a) { return 2.0 / a[0] - a[1] / 3.0 + sqrt(a[0]); }, at);
        }
}

TEST_CASE("tensors: flat functions let nothing through") {
    for (const double at : {-1.0, 0.0}) { // sqrt'(0) is infinite, and so is the gradient that relu must not pass on
        tensor<double> x = pair(at, 4);
        x.requires_grad(true);
        ct::sum(ct::sqrt(ct::relu(x))).backward();
        CHECK(gradient_at(x, 0) == 0);
        CHECK(gradient_at(x, 1) == 0.25);
        x.zero_grad();
        ct::sum(ct::log(ct::max(x, 0.0))).backward();
        CHECK(gradient_at(x, 0) == (at < 0 ? 0 : infinity)); // on a tie half of it
        CHECK(gradient_at(x, 1) == 0.25);
    }
    tensor<double> x = pair(0, 4);
    x.requires_grad(true);
    ct::sum(ct::relu(ct::log(x))).backward(); // of -inf
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == 0.25);
    x.zero_grad();
    ct::sum(ct::clamp(1.0 / x, -1.0, 1.0)).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == -1.0 / 16);
    x.zero_grad();
    ct::sum(ct::clamp(ct::log(x), -1.0, 2.0)).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == 0.25);
    x.zero_grad();
    const tensor<bool> zero = ct::equal(x, 0.0);
    ct::sum(ct::where(zero, 1.0, ct::sin(x) / x)).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == Approx((4 * std::cos(4.0) - std::sin(4.0)) / 16));
    x.zero_grad();
    (ct::max(ct::sqrt(x)) + ct::min(ct::where(zero, 5.0, ct::log(x)))).backward();
    CHECK(gradient_at(x, 0) == 0);
    CHECK(gradient_at(x, 1) == 0.5);
}

TEST_CASE("tensors: NaN in, NaN out where it is chosen") {
    tensor<double> x = pair(not_a_number, 4);
    x.requires_grad(true);
    ct::sum(ct::relu(ct::sqrt(x) * x)).backward();
    CHECK(std::isnan(gradient_at(x, 0)));
    CHECK(gradient_at(x, 1) == 3);
}

TEST_CASE("tensors: rows that are not chosen leak through no matrix product") {
    for (const double bad : {infinity, -infinity, not_a_number})
        for (const ct::index size : {2, 40}) { // by every kernel of products
            CAPTURE(bad, size);
            const auto filled = [&](ct::extents shape, double first) {
                tensor<double> x = ct::full<double>(shape, 0.5);
                x.mutable_span()[0] = first;
                return x.requires_grad(true);
            };
            const auto only_last = [&](const tensor<double>& y) { return ct::sum(ct::slice(y, 0, size - 1)); };
            const auto finite = [](const tensor<double>& x) {
                for (const double g : x.grad().values())
                    if (!std::isfinite(g)) return false;
                return true;
            };
            { // a row of x
                tensor<double> x = filled({size, size}, bad), w = filled({size, size}, 0.25), b = filled({size}, 0);
                only_last(ct::linear(x, w, b)).backward();
                CHECK((finite(x) && finite(w) && finite(b)));
                CHECK(x.grad()(0, 0) == 0);
                CHECK(w.grad()(0, 0) == 0.5);
                tensor<double> y = ct::matmul(x, w) + b;
                for (tensor<double>* t : {&x, &w, &b}) t->zero_grad();
                only_last(ct::relu(std::move(y))).backward();
                CHECK((finite(x) && finite(w) && finite(b)));
                CHECK(w.grad()(0, 0) == 0.5);
            }
            { // a column of the weights
                tensor<double> x = filled({size, size}, 0.25), w = filled({size, size}, bad);
                ct::sum(ct::slice(ct::matmul(x, w), 1, 1)).backward();
                CHECK((finite(x) && finite(w)));
                CHECK(x.grad()(0, 0) == 0.5 * static_cast<double>(size - 1));
                CHECK((w.grad()(0, 0) == 0 && w.grad()(0, 1) == 0.25 + 0.5 * static_cast<double>(size - 1)));
            }
            { // a stack, of which the second is chosen, with an operand turned round
                tensor<double> x = filled({2, size, size}, bad), w = filled({size, size}, 0.25);
                ct::sum(ct::select(ct::matmul(x, ct::transpose(w)), 0, 1)).backward();
                CHECK((finite(x) && finite(w)));
            }
            { // images
                tensor<double> x = filled({2, 1, 5, 5}, bad), kernels = filled({2, 1, 2, 2}, 0.25);
                ct::sum(ct::select(ct::conv2d(x, kernels), 0, 1)).backward();
                CHECK((finite(x) && finite(kernels)));
                x.zero_grad();
                kernels.zero_grad();
                ct::sum(ct::slice(ct::conv2d(x, kernels), 2, 1)).backward();
                CHECK((finite(x) && finite(kernels)));
            }
        }
}

TEST_CASE("tensors: rows that are not chosen leak through no reduction") {
    tensor<double> x{{-infinity, -infinity, -infinity}, {1, 2, 3}}; // a row that is masked whole: its softmax is NaN
    x.requires_grad(true);
    const auto check = [&](const tensor<double>& y) {
        x.zero_grad();
        y.backward();
        for (ct::index j = 0; j < 3; ++j) {
            CHECK(x.grad()(0, j) == 0);
            CHECK(std::isfinite(x.grad()(1, j)));
        }
    };
    const auto weighted = [](const tensor<double>& y) { return ct::sum(y * tensor<double>{1, 2, 4}); };
    check(weighted(ct::select(ct::softmax(x), 0, 1)));
    check(weighted(ct::select(ct::log_softmax(x), 0, 1)));
    check(weighted(ct::where(tensor<bool>{{false}, {true}}, ct::softmax(x), 0.0)));
    check(ct::select(ct::mean(x, 1), 0, 1) + ct::select(ct::variance(x, 1), 0, 1));
    check(ct::select(ct::max(x - x, 1), 0, 1) + ct::select(ct::min(x, 1), 0, 1)); // of NaN
    const tensor<bool> usable{false, true};
    check(ct::sum(ct::where(usable, ct::stack({ct::cross_entropy(ct::slice(x, 0, 0, 1), std::vector<int>{1}),
                                               ct::cross_entropy(ct::slice(x, 0, 1), std::vector<int>{1})}), 0.0)));
}
