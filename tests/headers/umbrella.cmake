# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMPILE=command -D EXPECTED=headers -D INCLUDE=folder -P umbrella.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${COMPILE} -M ${INCLUDE}/chainrule/chainrule.hpp
    OUTPUT_VARIABLE dependencies COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "${INCLUDE}/" "" dependencies "${dependencies}")
string(REGEX MATCHALL "chainrule/[^ \\\n]+\\.hpp" dependencies "${dependencies}")

set(missing ${EXPECTED})
list(REMOVE_ITEM missing ${dependencies})
set(unwanted ${dependencies})
list(REMOVE_ITEM unwanted ${EXPECTED})
list(FILTER unwanted EXCLUDE REGEX "^chainrule/(functions|graph/canonical_graph|codegen/schedule|optimise/constant_factors)/")
if(missing)
    message(FATAL_ERROR "chainrule.hpp does not include ${missing}")
endif()
if(unwanted)
    message(FATAL_ERROR "chainrule.hpp includes ${unwanted}, which is opt-in")
endif()
