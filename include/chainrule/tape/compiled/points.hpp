// SPDX-License-Identifier: BSL-1.0
//
// Compiled recordings at many points: C whose loop over points the compiler puts into SIMD lanes.
#pragma once

#include <chainrule/codegen/vector_library.hpp>
#include <chainrule/tape/compiled/recorded_program.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace chainrule::tape::replays {

/// How many points the code computes at once. Their numbers lie one beside the other: those of the first input at all
/// points, then those of the second, and so on; the results likewise.
inline constexpr std::size_t points_in_c = 8;
/// A program with more instructions is called at each point: what compilers take for a loop grows faster than its body.
inline constexpr int instructions_in_lanes = 2000;

/// Declares the functions of libmvec. They may differ from those of one point in the last bits, by up to 4 ulp.
[[nodiscard]] inline std::string functions_in_lanes() {
    std::string text = "#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__clang__)\n"
                       "#define CHAINRULE_IN_LANES __attribute__((simd(\"notinbranch\")))\n";
    const auto declare = [&](std::string_view name, bool binary = false) {
        // By another name: gcc would join it with a sine to a call that has no lanes.
        const bool renamed = name == "cos";
        text.append("double ")
            .append(renamed ? "chainrule_cos" : name)
            .append(binary ? "(double, double)" : "(double)");
        text += renamed ? " __asm__(\"cos\") __attribute__((const)) CHAINRULE_IN_LANES;\n#define cos chainrule_cos\n"
                        : " CHAINRULE_IN_LANES;\n";
    };
#define CHAINRULE_UNARY(NAME) declare(#NAME);
#define CHAINRULE_BINARY(NAME) declare(#NAME, true);
    CHAINRULE_FIRST_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
    text += "#if __GLIBC_PREREQ(2, 35)\n";
    CHAINRULE_LATER_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
    return text + "#endif\n#endif\n";
}

/// The text of the function `name` of one point, in one piece, as that of several points.
[[nodiscard]] inline std::string text_for_points(const std::string& one, const std::string& name) {
    const std::string include = "#include <math.h>\n", start = "\nvoid " + name + "(";
    const std::string count = std::to_string(points_in_c);
    const std::size_t functions = one.find(include) + include.size(), signature = one.find(start);
    const std::size_t body = one.find(";\n", signature) + 2; // after the line that uses all parameters
    std::string text = include + replays::functions_in_lanes() + one.substr(functions, body - functions) +
                       "    for (int k = 0; k < " + count + "; ++k) {\n";
    const auto is_of_word = [](char c) { return c == '_' || detail::begins_word(c) || ('0' <= c && c <= '9'); };
    for (std::size_t i = body, end = one.rfind('}'); i < end; ++i) {
        text += one[i];
        if (one[i] != '[' || is_of_word(one[i + 1]) == false) continue;
        const std::size_t close = one.find(']', i);
        text += count + " * " + one.substr(i + 1, close - i - 1) + " + k";
        i = close - 1;
    }
    return text + "    }\n}\n";
}

/// The function `name` that calls another one at each point.
[[nodiscard]] inline std::string text_of_calls(const std::string& name, const std::string& called, int inputs,
                                               std::size_t results) {
    const std::string count = std::to_string(points_in_c), n = std::to_string(inputs), m = std::to_string(results);
    const std::string signature = "(const double *restrict in, const double *restrict numbers, double *restrict out)";
    return "void " + called + signature + ";\nvoid " + name + signature + " {\n    static _Thread_local double x[" + n +
           "], y[" + m + "];\n    for (int k = 0; k < " + count + "; ++k) {\n        for (int i = 0; i < " + n +
           "; ++i) x[i] = in[" + count + " * i + k];\n        " + called +
           "(x, numbers, y);\n        for (int i = 0; i < " + m + "; ++i) out[" + count +
           " * i + k] = y[i];\n    }\n}\n";
}

/// The function `name` that computes at several points what `called` computes at one.
[[nodiscard]] inline std::string text_at_points(const codegen::unpacked_program& p, const std::string& name,
                                                const std::string& called, const recorded_graph& of, unsigned request,
                                                std::size_t results) {
    if (p.body.size() > instructions_in_lanes) return replays::text_of_calls(name, called, of.inputs, results);
    return replays::text_for_points(replays::text_in_c(p, name.c_str(), of, request, true, instructions_in_lanes + 1),
                                    name);
}

} // namespace chainrule::tape::replays
