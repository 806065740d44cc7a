# SPDX-License-Identifier: BSL-1.0
#
# Builds and runs the program of this folder in folder WORK, with the target chainrule::module of the installed package
# and of a subdirectory. An older CMake is told what to do instead.
cmake_minimum_required(VERSION 3.21)

function(run)
    execute_process(COMMAND ${ARGV} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${CHAINRULE_BUILD} --prefix ${WORK}/prefix)
if(CMAKE_VERSION VERSION_LESS 3.28)
    file(WRITE ${WORK}/source/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.21)
project(importing LANGUAGES CXX)
set(CHAINRULE_MODULE ON)
find_package(chainrule 0.1 CONFIG REQUIRED)
]])
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/source -B ${WORK}/build -G ${GENERATOR}
            -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    if(NOT failed OR NOT said MATCHES "CHAINRULE_MODULE needs CMake 3.28 or newer and the generator Ninja, and this is ${CMAKE_VERSION}")
        message(FATAL_ERROR "An older CMake does not say what it lacks: ${said}")
    endif()
    return()
endif()
foreach(way IN ITEMS CMAKE_PREFIX_PATH=${WORK}/prefix CHAINRULE_SOURCE=${CHAINRULE_SOURCE})
    file(REMOVE_RECURSE ${WORK}/build)
    run(${CMAKE_COMMAND} -S ${PROGRAM} -B ${WORK}/build -G Ninja -D CMAKE_CXX_COMPILER=${COMPILER} -D ${way})
    run(${CMAKE_COMMAND} --build ${WORK}/build)
    run(${WORK}/build/program)
endforeach()
