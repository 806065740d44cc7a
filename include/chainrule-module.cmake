# SPDX-License-Identifier: BSL-1.0
#
# The target chainrule::module, for `import chainrule;`. It is made where CHAINRULE_MODULE is on as the library is found or
# added, and compiled there: a compiled module fits one compiler and its flags, so that none is installed.
# docs/install.md describes it.
if(NOT CHAINRULE_MODULE OR TARGET chainrule_module)
    return()
endif()
if(CMAKE_VERSION VERSION_LESS 3.28 OR NOT CMAKE_GENERATOR MATCHES "Ninja|Visual Studio")
    message(FATAL_ERROR "chainrule: CHAINRULE_MODULE needs CMake 3.28 or newer and the generator Ninja, and this is "
        "${CMAKE_VERSION} with ${CMAKE_GENERATOR}; compile chainrule/chainrule.cppm by hand, as docs/install.md says")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17
        OR CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    message(FATAL_ERROR "chainrule: CHAINRULE_MODULE needs a compiler that tells what a file imports; use clang 19")
endif()

set(chainrule_module_folder ${CMAKE_CURRENT_LIST_DIR}) # in the sources
if(NOT EXISTS ${chainrule_module_folder}/chainrule/chainrule.cppm)
    get_target_property(chainrule_module_folder chainrule::chainrule INTERFACE_INCLUDE_DIRECTORIES)
    list(GET chainrule_module_folder 0 chainrule_module_folder)
    string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" chainrule_module_folder "${chainrule_module_folder}")
endif()
add_library(chainrule_module STATIC EXCLUDE_FROM_ALL)
add_library(chainrule::module ALIAS chainrule_module)
target_sources(chainrule_module PUBLIC FILE_SET CXX_MODULES
    BASE_DIRS ${chainrule_module_folder} FILES ${chainrule_module_folder}/chainrule/chainrule.cppm)
target_link_libraries(chainrule_module PUBLIC chainrule::chainrule)
unset(chainrule_module_folder)
