# SPDX-License-Identifier: BSL-1.0
#
# cmake -D "COMPILE=command" -D INCLUDE=folder -P headers.cmake: each header of include/chainrule compiles in a file of device
# code that includes no other.
cmake_minimum_required(VERSION 3.21)

file(GLOB headers RELATIVE ${INCLUDE} ${INCLUDE}/chainrule/*.hpp)
foreach(header IN LISTS headers)
    cmake_path(GET header STEM name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/header_${name}.cu)
    file(WRITE ${source} "#include <${header}>\n")
    execute_process(COMMAND ${COMPILE} -cubin -o ${source}.cubin ${source} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
