# SPDX-License-Identifier: BSL-1.0
#
# add_peer(PROGRAM NAME [FUNCTIONS names] [HEADERS folders] [LIBRARIES files] [DEFINITIONS names] [OPTIONS flags]): NAME.cpp,
# which defines a function NAME, or those named, takes part in PROGRAM if all these headers and libraries are found. The
# functions are then in `entered`, which is else empty.
function(add_peer program name)
    cmake_parse_arguments(PARSE_ARGV 2 its "" "" "FUNCTIONS;HEADERS;LIBRARIES;DEFINITIONS;OPTIONS")
    set(entered PARENT_SCOPE)
    foreach(found IN LISTS its_HEADERS its_LIBRARIES)
        if(NOT found)
            return()
        endif()
    endforeach()
    add_library(${program}_${name} OBJECT ${name}.cpp)
    target_include_directories(${program}_${name} SYSTEM PRIVATE ${its_HEADERS})
    # NDEBUG where the flags lack it: TMB's CppAD does not compile without.
    target_compile_definitions(${program}_${name} PRIVATE NDEBUG ${its_DEFINITIONS})
    target_compile_options(${program}_${name} PRIVATE ${its_OPTIONS})
    target_link_libraries(${program}_${name} PRIVATE chainrule::chainrule)
    target_link_libraries(${program} PRIVATE ${program}_${name} ${its_LIBRARIES})
    if(its_FUNCTIONS)
        set(entered ${its_FUNCTIONS} PARENT_SCOPE)
    else()
        set(entered ${name} PARENT_SCOPE)
    endif()
endfunction()
