# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMPILER=nvcc|clang|hip -D COMPILE=command -D SOURCE=requests.cu -P requests.cmake: compiles for a device
# without a warning. Of nvcc, no kernel may contain the trap that it puts where a host's table is used.
cmake_minimum_required(VERSION 3.21)

set(result ${CMAKE_CURRENT_BINARY_DIR}/requests_${COMPILER})
if(COMPILER STREQUAL nvcc)
    set(options -ptx)
else()
    set(options -O0 -S)
endif()
execute_process(COMMAND ${COMPILE} ${options} -o ${result} ${SOURCE} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed OR output MATCHES "warning")
    message(FATAL_ERROR "${output}")
endif()
if(NOT COMPILER STREQUAL nvcc)
    return() # refuses what the device does not have
endif()
file(STRINGS ${result} lines REGEX "\\.entry|trap;")
set(kernel "")
foreach(line IN LISTS lines)
    # newton() ends the kernel where there is no root.
    if(line MATCHES "trap" AND NOT kernel MATCHES "[0-9]roots")
        message(FATAL_ERROR "a trap in ${kernel}")
    endif()
    if(line MATCHES "entry")
        set(kernel "${line}")
    endif()
endforeach()
