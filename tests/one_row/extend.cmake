# SPDX-License-Identifier: BSL-1.0

# Writes a copy of a header of the library to include/ in the folder of this name in the build. Pairs of arguments follow: the
# second text stands in the copy before the first.
function(extend_header folder header)
    set(original ${PROJECT_SOURCE_DIR}/include/chainrule/${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${original})
    file(READ ${original} text)
    math(EXPR last "${ARGC} - 1")
    foreach(place RANGE 2 ${last} 2)
        math(EXPR addition "${place} + 1")
        # Brackets and semicolons are left alone by replacing in the string as a whole.
        string(REPLACE "${ARGV${place}}" "${ARGV${addition}}${ARGV${place}}" extended "${text}")
        if(extended STREQUAL text)
            message(FATAL_ERROR "chainrule: ${header} has no '${ARGV${place}}'; adapt tests/one_row")
        endif()
        set(text "${extended}")
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/include/chainrule/${header} CONTENT "${text}" @ONLY)
endfunction()
