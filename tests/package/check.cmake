# SPDX-License-Identifier: BSL-1.0
#
# Configures, builds and runs the consumer, with chainrule installed or added as a subdirectory (WAY), in folder WORK.
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
if(WAY STREQUAL "installed")
    run(${CMAKE_COMMAND} --install ${CHAINRULE_BUILD} --prefix ${WORK}/prefix)
    set(where -D CMAKE_PREFIX_PATH=${WORK}/prefix)
else()
    set(where -D CHAINRULE_SOURCE=${CHAINRULE_SOURCE})
endif()
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER} ${where})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
