// SPDX-License-Identifier: BSL-1.0
//
// The text of expressions at run time: stored numbers, streams, and the round trip through a parser, which reads the
// grammar of C++ and so shows that no parenthesis is missing.
#include <chainrule/chainrule.hpp>

#include "catch.hpp"

#include <charconv>
#include <cmath>
#include <bit>
#include <cstdint>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cr = chainrule;
using cr::to_string;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr double x_value = 0.7, y_value = 1.3;

/// Evaluates a text by the rules of C++ at x = 0.7, y = 1.3.
class evaluator {
public:
    explicit evaluator(std::string_view text) : text_(text) {}
    double run() {
        const double result = sum();
        if (!text_.empty()) throw std::runtime_error("not read: " + std::string(text_));
        return result;
    }

private:
    std::string_view text_;

    bool take(std::string_view token) {
        if (!text_.starts_with(token)) return false;
        text_.remove_prefix(token.size());
        return true;
    }
    void need(std::string_view token) {
        if (!take(token)) throw std::runtime_error("no " + std::string(token) + " before " + std::string(text_));
    }
    double sum() {
        double result = product();
        for (;;) {
            if (take(" + "))
                result = result + product();
            else if (take(" - "))
                result = result - product();
            else
                return result;
        }
    }
    double product() {
        double result = sign();
        for (;;) {
            if (take(" * "))
                result = result * sign();
            else if (take(" / "))
                result = result / sign();
            else
                return result;
        }
    }
    double sign() { return take("-") ? -primary() : primary(); }
    double primary() {
        if (take("(")) {
            const double result = sum();
            need(")");
            return result;
        }
        if (take("sin(")) return call([](double u) { return std::sin(u); });
        if (take("exp(")) return call([](double u) { return std::exp(u); });
        if (take("tanh(")) return call([](double u) { return std::tanh(u); });
        if (take("log(")) return call([](double u) { return std::log(u); });
        if (take("cos(")) return call([](double u) { return std::cos(u); });
        if (take("pow(")) {
            const double base = sum();
            need(", ");
            const double exponent = sum();
            need(")");
            return std::pow(base, exponent);
        }
        if (take("x")) return x_value;
        if (take("y")) return y_value;
        double result = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), result);
        if (error != std::errc()) throw std::runtime_error("no number: " + std::string(text_));
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return result;
    }
    template <class Function>
    double call(Function function) {
        const double argument = sum();
        need(")");
        return function(argument);
    }
};

// A random expression of a depth, made while compiling.
constexpr unsigned next(unsigned seed) { return (seed ^ (seed >> 15)) * 2246822519u + 374761393u; }

template <unsigned Seed, int Depth>
constexpr auto random_expression() {
    constexpr unsigned n = next(next(Seed));
    constexpr unsigned choice = (n >> 8) % 12;
    if constexpr (Depth == 0) {
        if constexpr (choice < 4)
            return x;
        else if constexpr (choice < 8)
            return y;
        else if constexpr (choice == 8)
            return typename cr::constant<static_cast<int>(n % 7) - 3, 1>::node{};
        else if constexpr (choice == 9)
            return typename cr::constant<-1, 3>::node{};
        else if constexpr (choice == 10)
            return typename cr::constant<5, 8>::node{};
        else // an operand that is stored: see stored()
            return x * (0.25 * (static_cast<int>(n % 21) - 10));
    } else {
        constexpr auto left = random_expression<n + 1, Depth - 1>();
        constexpr auto right = random_expression<n + 2, (choice % 3 == 0 ? 0 : Depth - 1)>();
        if constexpr (choice < 2)
            return left + right;
        else if constexpr (choice < 4)
            return left - right;
        else if constexpr (choice < 6)
            return left * right;
        else if constexpr (choice < 8)
            return left / right;
        else if constexpr (choice < 10)
            return -left;
        else if constexpr (choice == 10)
            return sin(left);
        else
            return tanh(left) * -1.5;
    }
}

// A number that the compiler does not know: g++ rounds functions of known numbers correctly, the C library does not.
double unknown(double number) {
    volatile double read = number;
    return read;
}

// The value of an expression's tree at the point, by recursion over its type: two hundred kernels would take a minute
// to compile.
template <class E>
double at_the_point(const E& f) {
    if constexpr (std::is_same_v<E, std::remove_const_t<decltype(x)>>) {
        return unknown(x_value);
    } else if constexpr (std::is_same_v<E, std::remove_const_t<decltype(y)>>) {
        return unknown(y_value);
    } else if constexpr (E::arity == 0) {
        if constexpr (E::numbers > 0)
            return unknown(f.value);
        else
            return unknown(E::value().template as<double>());
    } else {
        const double a = at_the_point([&] {
            if constexpr (E::first::numbers > 0)
                return f.a;
            else
                return typename E::first{};
        }());
        if constexpr (E::arity == 1) {
            if constexpr (unsigned{E::operation::code} == unsigned{cr::operations::negate::code})
                return -a;
            else
                return E::operation::value(a);
        } else {
            const double b = at_the_point([&] {
                if constexpr (E::second::numbers > 0)
                    return f.b;
                else
                    return typename E::second{};
            }());
            switch (static_cast<unsigned>(E::operation::code)) {
            case cr::operations::add::code: return a + b;
            case cr::operations::subtract::code: return a - b;
            case cr::operations::multiply::code: return a * b;
            default: return a / b;
            }
        }
    }
}

template <unsigned Seed>
void check_round_trip() {
    const auto f = random_expression<Seed, 3>();
    const auto text = to_string(f);
    INFO("seed " << Seed << ": " << text);
    const double written = evaluator(text).run(), value = at_the_point(f);
    if (std::isnan(value))
        CHECK(std::isnan(written));
    else
        CHECK(written == value);
}

} // namespace

TEST_CASE("The text of an expression reads back as the same computation") {
    [&]<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
        (check_round_trip<Seed + 1>(), ...);
    }(std::make_integer_sequence<unsigned, 200>{});
}

TEST_CASE("The text reads back as what the kernel computes") {
    const auto check = [](const auto& f) {
        INFO(to_string(f));
        CHECK(evaluator(to_string(f)).run() == Approx(f(x = x_value, y = y_value)).epsilon(1e-15));
    };
    const double c = -0.3;
    check(x - (y - x * c) / (c * y));
    check(pow(x + y, c) - tanh(-(x * y)) * -c);
    check(cr::derivative(exp(x * y) / (x + sin(y)), x));
    check(cr::derivative(pow(x, y) * c - c / (x - y), y, x));
}

TEST_CASE("Stored numbers are written by value, and those below zero in parentheses where they need them") {
    for (const double c : {1.5, -1.5, 0.1, -1e-7, 1e22, 0.0}) {
        const auto f = x * c - c;
        std::string number = "0";
        if (c == 1.5) number = "1.5";
        if (c == -1.5) number = "(-1.5)";
        if (c == 0.1) number = "0.1";
        if (c == -1e-7) number = "(-1e-7)";
        if (c == 1e22) number = "1e22";
        CHECK(to_string(f) == "x * " + number + " - " + number);
    }
}

TEST_CASE("Text goes to streams, string views and strings") {
    std::ostringstream stream;
    auto f = 2.5 * x + y;
    stream << to_string(f) << '|' << to_string(x);
    CHECK(stream.str() == "2.5 * x + y|x");
    const auto text = to_string(f);
    const std::string_view view = text;
    CHECK(view == "2.5 * x + y");
    CHECK(std::string(text) == view);
    CHECK(text == std::string("2.5 * x + y"));
    CHECK(std::string(text.begin(), text.end()) == text.c_str());
}

TEST_CASE("Expressions and predicates go to streams, and their text becomes and joins strings") {
    std::ostringstream stream;
    stream << x << ", " << 2.5 * x << ", " << (x > y) << std::endl;
    CHECK(stream.str() == "x, 2.5 * x, x > y\n");
    const std::string copied = to_string(x + y), braced{to_string(x + y)}, direct(to_string(x + y));
    CHECK(copied == "x + y");
    CHECK(braced == copied);
    CHECK(direct == copied);
    std::string assigned;
    assigned = to_string(x);
    assigned += to_string(y);
    CHECK(assigned == "xy");
    const std::string joined = "f = " + to_string(2.5 * x), behind = copied + to_string(x),
                      before = to_string(x) + copied;
    CHECK(joined == "f = 2.5 * x");
    CHECK(behind == "x + yx");
    CHECK(before == "xx + y");
}

TEST_CASE("A function goes to streams as its program") {
    constexpr auto F = cr::function(x * x + exp(x), cr::wrt(x));
    const auto G = cr::function([](auto t) { return t * t; });
    std::ostringstream stream, expected;
    stream << F << G;
    expected << cr::program_text(F) << cr::program_text(G);
    CHECK(stream.str() == expected.str());
}

TEST_CASE("A number is written with the fewest digits that read back as the same number") {
    std::mt19937_64 random(7);
    const auto check = [](auto number) {
        using T = decltype(number);
        const auto ours = cr::detail::text_of_number(number);
        INFO(ours.characters);
        REQUIRE(ours.size <= 24);
        T back{};
        const auto result = std::from_chars(ours.characters, ours.characters + ours.size, back);
        CHECK(result.ptr == ours.characters + ours.size);
        CHECK(back == number);

        char theirs[64];
        const char* const end = std::to_chars(theirs, theirs + 64, number, std::chars_format::scientific).ptr;
        const auto digits = [](std::string_view text) {
            std::string d;
            for (const char c : text.substr(0, text.find('e')))
                if (c != '.' && c != '-' && !(d.empty() && c == '0')) d += c;
            while (!d.empty() && d.back() == '0') d.pop_back();
            return d;
        };
        CHECK(digits(ours.characters) == digits({theirs, static_cast<std::size_t>(end - theirs)}));
    };
    for (int i = 0; i < 20000; ++i) {
        const double d = std::bit_cast<double>(random());
        if (std::isfinite(d)) check(d);
        const float g = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (std::isfinite(g)) check(g);
        check(static_cast<double>(random() % 100000) / 1000);
    }
    for (const double d :
         {5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1e23, 9007199254740992.0, 0.3, 1e17, 1e16})
        check(d);
    for (int e = -1074; e < 1024; ++e) check(std::ldexp(1.0, e)); // the gap below is half the gap above
}
