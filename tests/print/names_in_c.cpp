// SPDX-License-Identifier: BSL-1.0
//
// Which names a function in C cannot have, and the names of custom functions in programs in C.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/print/c.hpp>

#include <string>
#include <string_view>

namespace cr = chainrule;

namespace {

using cr::detail::fault_of_name;

fault_of_name fault_of(const char* name) {
    return cr::detail::fault_of_name_in_c(name, static_cast<int>(std::string_view(name).size()));
}

template <int Number>
struct gamma_again : cr::custom_function<gamma_again<Number>, 1> {
    static constexpr char name[] = "gamma";
    template <class T>
    static constexpr T value(const T& x) {
        return x + Number;
    }
    template <class T>
    static constexpr auto derivative(const T&, const T&) {
        return 1;
    }
};
} // namespace

TEST_CASE("names that are taken in C", "[print]") {
    for (const char* const name : {"sin",           "sinf",      "sinl",    "sinf64x", "gamma",
                                   "gammaf",        "y0",        "jnl",     "isnan",   "isinff",
                                   "M_PI",          "HUGE_VALF", "FP_NAN",  "NAN",     "abs",
                                   "main",          "lgammaf_r", "float_t", "double",  "inline",
                                   "asm",           "_Bool",     "__f",     "in",      "out",
                                   "numbers",       "memory",    "t1",      "t120",    "chainrule_sigmoid",
                                   "CHAINRULE_PART"}) {
        CAPTURE(name);
        CHECK(fault_of(name) == fault_of_name::reserved);
    }
    for (const char* const name :
         {"f",      "t",  "t_1", "t1x",      "sine", "sin2",      "sinx",    "sinf3", "rate", "input",
          "gammas", "_f", "x",   "logistic", "M",    "chainrule", "doubles", "log_2", "si",   "custom_gamma"}) {
        CAPTURE(name);
        CHECK(fault_of(name) == fault_of_name::none);
    }
    for (const char* const name : {"", "2nd", "my function", "a-b", "f(x)", "\xc3\xa9"}) {
        CAPTURE(name);
        CHECK(fault_of(name) == fault_of_name::not_an_identifier);
    }
}

TEST_CASE("every function of the table that C has is taken", "[print]") {
    for (const auto& row : cr::detail::rows_of_table) {
        CAPTURE(row.name);
        if (row.is_in_math_h()) CHECK(fault_of(row.name) == fault_of_name::reserved);
    }
}

TEST_CASE("custom functions have names of their own in C", "[print]") {
    constexpr auto x = cr::variable<"x">;
    constexpr auto F = cr::function(gamma_again<1>{}(x)*gamma_again<2>{}(x), cr::wrt(x));
    const std::string text = cr::to_c<"custom_gamma">(F).c_str();
    CAPTURE(text);
    CHECK(text.find("double custom_gamma_2(double x);") != std::string::npos);
    CHECK(text.find("double custom_gamma_3(double x);") != std::string::npos);
    CHECK(text.find("gamma(double") == std::string::npos);
}
