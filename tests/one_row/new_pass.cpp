// SPDX-License-Identifier: BSL-1.0
//
// Uses an instruction and a pass that the library does not have, but for the row of the table of instructions, and the
// function and row of the list of passes, that CMakeLists.txt adds to copies of these: a number times itself is a
// square. Emission, texts, counting and the tests' interpreter know the instruction, and the compiler runs the pass.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/text.hpp>

#include <string_view>

namespace {

namespace cr = chainrule;
namespace codegen = chainrule::codegen;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(sin(x * x) * y, cr::wrt(x, y));

template <class F>
constexpr int squares(const F&) {
    const auto& code = F::template code<cr::request::values>::code();
    int count = 0;
    for (int i = 0; i < code.size; ++i)
        count += codegen::unpack(code.body[static_cast<std::size_t>(i)]).what == codegen::opcode::square ? 1 : 0;
    return count;
}
static_assert(squares(F) == 1);
static_assert(codegen::pass_number("squares") == codegen::pass_number("schedule") + 1);

constexpr auto values = cr::request::values;
static_assert(std::string_view(cr::program_text<values>(F)).find("t1 = x * x\n") != std::string_view::npos);
static_assert(std::string_view(cr::to_c<"f", values>(F)).find("const double t1 = in[0] * in[0];") !=
              std::string_view::npos);
static_assert(std::string_view(cr::to_graphviz<values>(F)).find("label=\"square\"") != std::string_view::npos);
static_assert(cr::operation_count<values>(F).multiplications == 2);
static_assert(F(0.0, 2.0) == 0);

} // namespace

TEST_CASE("a program with an instruction of one row computes as before", "[passes]") {
    CHECK(F(0.3, 2.0) == std::sin(0.3 * 0.3) * 2.0);
    CHECK(F.gradient(0.3, 2.0)[0] == Approx(2 * 0.3 * std::cos(0.3 * 0.3) * 2.0).epsilon(1e-14));
}
