# SPDX-License-Identifier: BSL-1.0
#
# Makes the Debian package in folder WORK; lintian has nothing against it, it holds the umbrella header, and the consumer
# compiles and runs with what it unpacks.
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CPACK} --config ${CHAINRULE_BUILD}/CPackConfig.cmake -B ${WORK} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${WORK}/libchainrule-dev_*_all.deb)
execute_process(COMMAND ${LINTIAN} --allow-root --fail-on error,warning ${package} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND dpkg-deb --contents ${package} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
foreach(file IN ITEMS include/chainrule/chainrule.hpp share/cmake/chainrule/chainrule-config.cmake share/pkgconfig/chainrule.pc)
    if(NOT contents MATCHES " \\./usr/${file}\n")
        message(FATAL_ERROR "The package has no /usr/${file}:\n${contents}")
    endif()
endforeach()
execute_process(COMMAND dpkg -x ${package} ${WORK}/unpacked COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -D WAY=prefix -D PREFIX=${WORK}/unpacked/usr -D CONSUMER=${CONSUMER}
        -D WORK=${WORK}/consumer -D GENERATOR=${GENERATOR} -D COMPILER=${COMPILER}
        -P ${CMAKE_CURRENT_LIST_DIR}/check.cmake
    COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${WORK}/consumer/build/CMakeCache.txt found REGEX "^chainrule_DIR:PATH=")
if(NOT found MATCHES "/unpacked/usr/")
    message(FATAL_ERROR "The consumer uses another package: ${found}")
endif()
