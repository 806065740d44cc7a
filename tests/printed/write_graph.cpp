// SPDX-License-Identifier: BSL-1.0
//
// Prints the graph of the example of the documentation, of the expression or of the program with its gradient. With it
// the files in docs/images/ are made.
#include <chainrule/chainrule.hpp>
#include <chainrule/print/graphviz.hpp>

#include <cstdio>
#include <string_view>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = log(x) + x * y - sin(y);

int main(int, char** arguments) {
    const std::string_view what = arguments[1];
    const char* const text =
        what == "expression" ? cr::to_graphviz(f).c_str() : cr::to_graphviz(cr::function(f, cr::wrt(x, y))).c_str();
    return std::fputs(text, stdout) < 0;
}
