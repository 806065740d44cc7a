# SPDX-License-Identifier: BSL-1.0
#
# Configures, builds and runs the consumer in folder WORK. WAY says how it finds chainrule: installed, by pkg-config
# where it is installed, also in folders of other depths, in folder PREFIX, in the build tree, or as a subdirectory.
cmake_minimum_required(VERSION 3.21)

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
set(data share)
if(WAY STREQUAL "pkg_config_folders")
    set(data usr/share/deep)
    run(${CMAKE_COMMAND} -S ${CHAINRULE_SOURCE} -B ${WORK}/library -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
        -D CHAINRULE_BUILD_TESTS=OFF -D CHAINRULE_BUILD_EXAMPLES=OFF -D CHAINRULE_BUILD_BENCH=OFF
        -D CMAKE_INSTALL_PREFIX=${WORK}/prefix -D CMAKE_INSTALL_DATADIR=${data}
        -D CMAKE_INSTALL_INCLUDEDIR=${WORK}/headers)
    run(${CMAKE_COMMAND} --install ${WORK}/library)
elseif(WAY MATCHES "installed|pkg_config")
    run(${CMAKE_COMMAND} --install ${CHAINRULE_BUILD} --prefix ${WORK}/prefix)
endif()
if(WAY MATCHES "pkg_config")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK}/prefix/${data}/pkgconfig
            pkg-config --cflags "chainrule >= 0.1"
        OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    file(MAKE_DIRECTORY ${WORK}/build)
    run(${COMPILER} -std=c++20 ${flags} ${CONSUMER}/main.cpp ${CONSUMER}/slope.cpp -o ${WORK}/build/consumer)
else()
    if(WAY STREQUAL "installed")
        set(where -D CMAKE_PREFIX_PATH=${WORK}/prefix)
    elseif(WAY STREQUAL "prefix")
        set(where -D CMAKE_PREFIX_PATH=${PREFIX})
    elseif(WAY STREQUAL "build_tree")
        set(where -D chainrule_DIR=${CHAINRULE_BUILD})
    else()
        set(where -D CHAINRULE_SOURCE=${CHAINRULE_SOURCE})
    endif()
    run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER} ${where})
    run(${CMAKE_COMMAND} --build ${WORK}/build)
endif()
run(${WORK}/build/consumer)
if(WAY STREQUAL "subdirectory")
    # An installation of the consumer does not install chainrule.
    run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
    if(EXISTS ${WORK}/prefix/include)
        message(FATAL_ERROR "a subdirectory installs its headers with the project around it")
    endif()
endif()
