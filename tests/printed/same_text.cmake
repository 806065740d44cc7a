# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMMAND=program -D WHAT=argument -D OUT=file -D EXPECTED=file -P same_text.cmake
cmake_minimum_required(VERSION 3.21)

execute_process(COMMAND ${COMMAND} ${WHAT} OUTPUT_FILE ${OUT} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUT} ${EXPECTED} RESULT_VARIABLE differ)
if(differ)
    message(FATAL_ERROR "${EXPECTED} is not what the library prints, ${OUT}; build the target `pictures`")
endif()
