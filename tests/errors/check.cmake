# SPDX-License-Identifier: BSL-1.0
#
# cmake -D SOURCE=file.cpp -D COMPILE=command -D COMPILER_FAMILY=g++ -D ROOT=folder -D MANUAL=errors.md
# [-D BAD_TWIN_ONLY=ON] -P check.cmake
cmake_minimum_required(VERSION 3.21)

# In other languages compilers may quote differently.
set(ENV{LC_ALL} C)

if(NOT BAD_TWIN_ONLY)
    execute_process(COMMAND ${COMPILE} -fsyntax-only ${SOURCE} RESULT_VARIABLE failed ERROR_VARIABLE output)
    if(failed)
        message("${output}")
        message(FATAL_ERROR "the good twin must compile")
    endif()
endif()

execute_process(COMMAND ${COMPILE} -fsyntax-only -DCHAINRULE_BAD ${SOURCE} RESULT_VARIABLE failed ERROR_VARIABLE output)
message("${output}")
if(NOT failed)
    message(FATAL_ERROR "the bad twin must not compile")
endif()

file(STRINGS ${SOURCE} expectations REGEX "^// expect: ")
if(NOT expectations)
    message(FATAL_ERROR "${SOURCE} has no line '// expect: SENTENCE'")
endif()
file(READ ${MANUAL} manual)
foreach(expectation IN LISTS expectations)
    string(REPLACE "// expect: " "" sentence "${expectation}")
    string(FIND "${output}" "${sentence}" in_output)
    string(FIND "${manual}" "${sentence}" in_manual)
    if(in_output EQUAL -1)
        message(FATAL_ERROR "the compiler does not say: ${sentence}")
    endif()
    if(in_manual EQUAL -1)
        message(FATAL_ERROR "${MANUAL} does not explain: ${sentence}")
    endif()
endforeach()

# What the compiler prints is bounded, in lines and in bytes. A test may state a higher bound, and why, in a line
# `// at most N lines on COMPILER: REASON` or `// at most N bytes on COMPILER: REASON`.
# g++ from version 14 on also shows the source of each step of an instantiation, which the bounds do not count.
string(REGEX REPLACE "(required (from|by)[^\n]*\n)( +[0-9]* [|] [^\n]*\n)+" "\\1" output "${output}")
# Without precompiled headers clang would not name their files.
string(REGEX REPLACE "In file included from [^\n]*/(run_time|umbrella)\\.hpp:[0-9]+:\n" "" output "${output}")
string(REGEX REPLACE "[^\n]" "" newlines "${output}")
string(LENGTH "${newlines}" lines)
string(LENGTH "${output}" bytes)
foreach(unit IN ITEMS lines bytes)
    set(most 25)
    if("${unit}" STREQUAL "bytes")
        # The folders of this checkout are not part of a message.
        string(REPLACE "${ROOT}/" "" short_output "${output}")
        string(LENGTH "${short_output}" bytes)
        set(most 4096)
    endif()
    string(REPLACE "+" "[+]" family ${COMPILER_FAMILY})
    file(STRINGS ${SOURCE} exception REGEX "^// at most [0-9]+ ${unit} on ${family}: .+")
    if(exception)
        string(REGEX REPLACE "^// at most ([0-9]+) .*" "\\1" most "${exception}")
    endif()
    message(STATUS "${${unit}} ${unit} of output, at most ${most} allowed")
    if(${unit} GREATER most)
        message(FATAL_ERROR "too many ${unit} of output: ${${unit}}")
    endif()
endforeach()
