# SPDX-License-Identifier: BSL-1.0
#
# A program whose formulas are compiled for each level of processors: it runs here, whatever this processor is; no level
# shares a symbol with another or with the rest; and what cannot be right is refused.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${PROGRAM} -B ${WORK} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
        -D chainrule_DIR=${CHAINRULE_BUILD}
    OUTPUT_VARIABLE configured COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK} --target program COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/program COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE all ${WORK}/*.o)
set(checked)
foreach(object IN LISTS all)
    if(object MATCHES "_v[34][.]dir/|/starting|/empty")
        continue() # before its symbols are made local
    endif()
    execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${object} OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${NM} --extern-only --defined-only --format=posix ${object} OUTPUT_VARIABLE symbols
        COMMAND_ERROR_IS_FATAL ANY)
    cmake_path(GET object STEM name)
    if(name MATCHES "^v[234]$")
        list(APPEND checked ${name})
        string(REGEX REPLACE "[^\n ]+[.]${name} T [^\n]*\n" "" others "${symbols}")
        if(others)
            message(FATAL_ERROR "the object of ${name} has symbols that a linker may merge:\n${others}")
        endif()
    endif()
    if(code MATCHES "%zmm" AND NOT name STREQUAL v4)
        message(FATAL_ERROR "${object} has instructions of AVX-512")
    elseif(code MATCHES "%ymm" AND NOT name MATCHES "^v[34]$")
        message(FATAL_ERROR "${object} has instructions of AVX")
    elseif(name STREQUAL v4 AND NOT code MATCHES "%zmm" OR name STREQUAL v3 AND NOT code MATCHES "%ymm")
        message(FATAL_ERROR "${object} does not use what the processors of its level have")
    endif()
endforeach()
list(SORT checked)
if(NOT checked STREQUAL "v2;v3;v4")
    message(FATAL_ERROR "objects of the levels are missing: ${checked}")
endif()

# Each target must not build, and says why.
set(refused starting empty)
set(sentences "variables that are initialised as the program starts" "has no function to choose")
foreach(target sentence IN ZIP_LISTS refused sentences)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK} --target ${target}
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    string(FIND "${text}" "${sentence}" place)
    if(result EQUAL 0 OR place EQUAL -1)
        message(FATAL_ERROR "the target ${target} is not refused because it ${sentence}:\n${text}")
    endif()
endforeach()
