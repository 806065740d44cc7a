# SPDX-License-Identifier: BSL-1.0
#
# cmake -D "COMPILE=command" -D INCLUDE=folder -P headers.cmake: each header of include/chainrule compiles in a file of device
# code that includes no other, for the device and for the processor. (nvcc passes tensor.hpp on to g++ without the parameter
# packs of a built-in function.)
cmake_minimum_required(VERSION 3.21)

file(GLOB headers RELATIVE ${INCLUDE} ${INCLUDE}/chainrule/*.hpp)
foreach(header IN LISTS headers)
    cmake_path(GET header STEM name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/header_${name}.cu)
    file(WRITE ${source} "#include <${header}>\n")
    if(name STREQUAL tensor)
        set(what -cubin)
    else()
        set(what -c)
    endif()
    execute_process(COMMAND ${COMPILE} ${what} -o ${source}.o ${source} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
