# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMPILER=nvcc|clang|hip -D COMPILE=command -D SOURCE=kernels.cu [-D PAGE=gpu.md] -P check.cmake: compiles for a
# device without a warning, and compares the registers of each kernel with those of its twin where the compiler reports
# them. Nothing may spill. The program of the page compiles, too.
cmake_minimum_required(VERSION 3.21)

if(PAGE)
    file(READ ${PAGE} page)
    string(REGEX MATCH "```cuda\n([^`]*)```" program "${page}")
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/page.cu "${CMAKE_MATCH_1}")
    execute_process(COMMAND ${COMPILE} -c -o ${CMAKE_CURRENT_BINARY_DIR}/page.o ${CMAKE_CURRENT_BINARY_DIR}/page.cu
        COMMAND_ERROR_IS_FATAL ANY)
endif()

# How a compiler reports the registers of a kernel, and spilled ones.
set(result ${CMAKE_CURRENT_BINARY_DIR}/kernels_${COMPILER})
if(COMPILER STREQUAL nvcc)
    set(options --resource-usage -cubin)
    set(registers "'_Z[0-9]+KERNEL[^']*' for '[a-z_0-9]+'[^']*Used ([0-9]+) registers")
    set(spills "[1-9][0-9]* bytes spill")
elseif(COMPILER STREQUAL hip)
    set(options -S)
    set(registers "\\.name: +_Z[0-9]+KERNEL[^-]*\\.vgpr_count: +([0-9]+)")
    set(spills "\\.private_segment_fixed_size: +[1-9]")
else()
    set(options -S)
endif()
execute_process(COMMAND ${COMPILE} ${options} -o ${result} ${SOURCE} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed OR output MATCHES "warning")
    message(FATAL_ERROR "${output}")
endif()
if(NOT registers)
    return() # PTX has as many registers as it likes
endif()
if(COMPILER STREQUAL hip)
    file(READ ${result} output)
endif()
if(output MATCHES "${spills}")
    message(FATAL_ERROR "a kernel spills registers:\n${output}")
endif()

# Registers of the library's kernel in percent of the hand-written one, with room for another version of the compiler.
set(limit_gradient 105)
set(limit_chain 105)
set(limit_paths 105)
set(limit_pairs 105)
if(COMPILER STREQUAL hip)
    set(limit_pairs 150) # keeps the results until all are computed; up to 64 registers cost no occupancy
endif()
set(limit_newton 115)
set(limit_greeks 115)
foreach(name IN ITEMS gradient chain paths pairs newton greeks)
    foreach(way IN ITEMS library hand)
        string(REPLACE KERNEL ${name}_by_${way} pattern "${registers}")
        if(NOT output MATCHES "${pattern}")
            message(FATAL_ERROR "no registers of ${name}_by_${way}:\n${output}")
        endif()
        set(${way} ${CMAKE_MATCH_1})
    endforeach()
    math(EXPR percent "100 * ${library} / ${hand}")
    message(STATUS "${name}: ${library} registers, by hand ${hand}, ${percent} %")
    if(percent GREATER limit_${name})
        message(FATAL_ERROR "${name}: more than ${limit_${name}} %")
    endif()
endforeach()
