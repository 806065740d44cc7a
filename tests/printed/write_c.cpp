// SPDX-License-Identifier: BSL-1.0
//
// Writes the program of programs.hpp with the name that is given to standard output, in C.
#include "programs.hpp"

#include <chainrule/print/c.hpp>

#include <cstdio>
#include <string_view>

int main(int, char** arguments) {
    using namespace programs;
    const std::string_view name = arguments[1];
#define CASE(NAME, REQUEST)                                                                                            \
    if (name == #NAME) return std::fputs(cr::to_c<#NAME, REQUEST>(NAME).c_str(), stdout) < 0;
    CHAINRULE_TEST_PROGRAMS(CASE)
    return 1;
}
