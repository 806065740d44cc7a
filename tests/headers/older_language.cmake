# SPDX-License-Identifier: BSL-1.0
#
# cmake -D COMPILE=command -D INCLUDE=folder -P older_language.cmake
cmake_minimum_required(VERSION 3.25)

# Every header that users include says first, and alone, that it needs C++20, or Boost.
file(GLOB_RECURSE files RELATIVE ${INCLUDE} ${INCLUDE}/chainrule/*.hpp)
set(headers)
foreach(header IN LISTS files)
    file(STRINGS ${INCLUDE}/${header} begins REGEX "^#include <chainrule/core/names_begin.inc>$")
    file(STRINGS ${INCLUDE}/${header} ends REGEX "^#include <chainrule/core/names_end.inc>$")
    if(begins AND ends)
        list(APPEND headers ${header})
    elseif(begins OR ends)
        message(FATAL_ERROR "${header} includes one of names_begin.inc and names_end.inc without the other")
    endif()
endforeach()
# Users include what the pages and the examples include, and an old place, which is on no page.
set(included chainrule/text.hpp)
file(GLOB pages ${INCLUDE}/../README.md ${INCLUDE}/../docs/*.md ${INCLUDE}/../docs/examples/*.cpp ${INCLUDE}/../docs/examples/*.hpp)
foreach(page IN LISTS pages)
    file(STRINGS ${page} lines REGEX "^#include <chainrule/[^>]*>")
    list(TRANSFORM lines REPLACE "^#include <([^>]*)>.*$" "\\1")
    list(APPEND included ${lines})
endforeach()
list(REMOVE_DUPLICATES included)
foreach(header IN LISTS included)
    if(NOT header IN_LIST headers)
        message(FATAL_ERROR "${header} does not begin with names_begin.inc")
    endif()
endforeach()

list(GET COMPILE 0 compiler)
function(check_first_error header sentence)
    execute_process(COMMAND ${ARGN} -fsyntax-only -x c++ ${INCLUDE}/${header} RESULT_VARIABLE failed ERROR_VARIABLE output)
    string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
    list(LENGTH errors count)
    list(POP_FRONT errors first)
    if(NOT failed OR NOT first MATCHES "${sentence}" OR count GREATER 2)
        message(FATAL_ERROR "${header}: ${output}")
    endif()
endfunction()
foreach(header IN LISTS headers)
    check_first_error(${header} "chainrule needs C\\+\\+20: compile with -std=c\\+\\+20" ${COMPILE} -std=c++17)
    # -nostdinc hides Boost, and all else that would come after it.
    check_first_error(${header} "chainrule needs the headers of Boost, 1.74 or newer: install them"
        ${compiler} -std=c++20 -nostdinc -I${INCLUDE})
endforeach()
