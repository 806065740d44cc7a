// SPDX-License-Identifier: BSL-1.0
//
// Expressions and programs in Graphviz format.
#include <chainrule/chainrule.hpp>
#include <chainrule/print/graphviz.hpp>

#include <type_traits>

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y \"2\"">;

static_assert(cr::to_graphviz(x * x - 2_c) == R"(digraph expression {
    rankdir=BT;
    ordering=in;
    n0 [label="x", shape=box];
    n1 [label="*"];
    n0 -> n1;
    n0 -> n1;
    n2 [label="2", shape=plaintext];
    n3 [label="-"];
    n1 -> n3;
    n2 -> n3;
}
)");
static_assert(cr::to_graphviz(-select(x <= y, 2.5, -1e-7)) == R"(digraph expression {
    rankdir=BT;
    ordering=in;
    n0 [label="x", shape=box];
    n1 [label="y \"2\"", shape=box];
    n2 [label="<="];
    n0 -> n2;
    n1 -> n2;
    n3 [label="2.5", shape=plaintext];
    n4 [label="-1e-7", shape=plaintext];
    n5 [label="select"];
    n2 -> n5;
    n3 -> n5;
    n4 -> n5;
    n6 [label="-"];
    n5 -> n6;
}
)");
static_assert(cr::to_graphviz<cr::request::values>(cr::function(2.5 * sin(x) * cos(x) + x / 3_c, cr::wrt(x))) ==
              R"(digraph program {
    rankdir=BT;
    ordering=in;
    n0 [label="3", shape=plaintext];
    n1 [label="x", shape=box];
    n2 [label="sin"];
    n1 -> n2;
    n3 [label="cos"];
    n1 -> n3;
    n4 [label="number 1", shape=plaintext];
    n6 [label="*"];
    n4 -> n6;
    n2 -> n6;
    n8 [label="/"];
    n1 -> n8;
    n0 -> n8;
    n10 [label="a * b + c"];
    n6 -> n10;
    n3 -> n10;
    n8 -> n10;
    n11 [label="f", shape=box, style=rounded];
    n10 -> n11;
}
)");

// A reference where there are no numbers to be written, as for to_string.
static_assert(std::is_reference_v<decltype(cr::to_graphviz(x))> &&
              !std::is_reference_v<decltype(cr::to_graphviz(2.0 * x))>);
