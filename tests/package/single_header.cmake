# SPDX-License-Identifier: BSL-1.0
#
# Writes the single header into folder WORK, and builds and runs the consumer with nothing else of chainrule.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/include/chainrule)
execute_process(COMMAND ${PYTHON} ${SCRIPT} OUTPUT_FILE ${WORK}/include/chainrule/chainrule.hpp COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${WORK}/include/chainrule/chainrule.hpp includes REGEX "^# *include <chainrule/.*hpp>")
if(includes)
    message(FATAL_ERROR "the single header includes parts of itself: ${includes}")
endif()
execute_process(COMMAND ${COMPILE} -I${WORK}/include ${CONSUMER}/main.cpp ${CONSUMER}/slope.cpp -o ${WORK}/consumer
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/consumer COMMAND_ERROR_IS_FATAL ANY)
