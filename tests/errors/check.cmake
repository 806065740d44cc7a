# SPDX-License-Identifier: BSL-1.0
#
# cmake -D SOURCE=file.cpp -D COMPILE=command -D MAX_LINES=n -D MANUAL=errors.md [-D BAD_TWIN_ONLY=ON]
# -P check.cmake
cmake_minimum_required(VERSION 3.25)

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

string(REGEX REPLACE "[^\n]" "" newlines "${output}")
string(LENGTH "${newlines}" lines)
message(STATUS "${lines} lines of output, at most ${MAX_LINES} allowed")
if(lines GREATER MAX_LINES)
    message(FATAL_ERROR "too many lines of output: ${lines}")
endif()

# Messages about long expressions are counted in bytes, too.
file(STRINGS ${SOURCE} bytes REGEX "^// at most [0-9]+ bytes$")
if(bytes)
    string(REGEX REPLACE "[^0-9]" "" bytes "${bytes}")
    string(LENGTH "${output}" length)
    if(length GREATER bytes)
        message(FATAL_ERROR "too many bytes of output: ${length}")
    endif()
endif()
