# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMPILE=command -D SOURCE=kernels.cu -P sycl.cmake: compiles for SPIR-V in clang's mode for SYCL without a warning.
# The code calls functions of C's mathematics alone, as SYCL's libraries have them, and has no instructions of a processor.
cmake_minimum_required(VERSION 3.21)

cmake_path(GET SOURCE STEM name)
set(result ${CMAKE_CURRENT_BINARY_DIR}/${name}_sycl.ll)
execute_process(COMMAND ${COMPILE} -S -emit-llvm -o ${result} ${SOURCE} RESULT_VARIABLE failed OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
if(failed OR output MATCHES "warning")
    message(FATAL_ERROR "${output}")
endif()
file(STRINGS ${result} kernels REGEX "^define .*_by_library")
if(NOT kernels)
    message(FATAL_ERROR "no kernel was compiled")
endif()
file(STRINGS ${result} assembly REGEX " asm ")
file(STRINGS ${result} called REGEX "^declare ")
list(FILTER called EXCLUDE REGEX "@(llvm\\.|(log|sqrt|exp|erfc|sin|cos)f?\\()")
if(assembly OR called)
    message(FATAL_ERROR "not for a device:\n${assembly}\n${called}")
endif()
