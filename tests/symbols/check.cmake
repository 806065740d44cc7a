# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMPILE=command -D NM=nm -D SOURCE=file.cpp -D OBJECT=file.o -P check.cmake
cmake_minimum_required(VERSION 3.21)

execute_process(COMMAND ${COMPILE} -c ${SOURCE} -o ${OBJECT} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
message("${symbols}")

# _Znw, _Zna, _Zdl, _Zda: operators new and delete. Types B, C and D: data that can be written.
set(unwanted "_Zn[wa]|_Zd[la]|malloc|calloc|realloc|free|__cxa_|__gxx_personality|_Unwind|_GLOBAL__|[ ][BbCDd][ ]")
if(symbols MATCHES "[^\n]*(${unwanted})[^\n]*")
    message(FATAL_ERROR "unwanted symbol: ${CMAKE_MATCH_0}")
endif()
