# SPDX-License-Identifier: BSL-1.0
#
# chainrule_dispatch(TARGET SOURCES file... [LEVELS v2 v3 v4]) compiles source files once for each level of x86-64
# processors. As the program starts, the processor's level chooses the functions that run. docs/batches.md describes it.
#
# The objects of a level keep nothing to themselves by name only: inline functions and templates, also those of the
# standard library, have the same names in every level and in the rest of the program, where linkers merge them. So each
# level becomes one object in which all symbols are local but the functions that are neither inline nor static, whose
# names get the level as a suffix. The program links ifuncs with the plain names.
#
# The same file, run as a script, makes these objects and the source of the ifuncs.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    function(chainrule_dispatch target)
        cmake_parse_arguments(PARSE_ARGV 1 its "" "" "SOURCES;LEVELS")
        if(NOT TARGET ${target} OR NOT its_SOURCES OR its_UNPARSED_ARGUMENTS)
            message(FATAL_ERROR "chainrule_dispatch: the arguments are not a target and source files; write "
                "chainrule_dispatch(program SOURCES formulas.cpp)")
        endif()
        if(NOT its_LEVELS)
            set(its_LEVELS v2 v3 v4)
        endif()
        foreach(level IN LISTS its_LEVELS)
            if(NOT level MATCHES "^v[234]$")
                message(FATAL_ERROR "chainrule_dispatch: ${level} is not a level of processors; choose from v2 v3 v4")
            endif()
        endforeach()
        list(SORT its_LEVELS)
        if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64
                OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" OR NOT CMAKE_OBJCOPY OR NOT CMAKE_OBJDUMP
                OR NOT CMAKE_NM)
            message(STATUS "chainrule: ${target} is compiled for one level of processors; chainrule_dispatch needs "
                "Linux, x86-64, g++ or clang, and GNU binutils")
            target_sources(${target} PRIVATE ${its_SOURCES})
            return()
        endif()
        # The linker of binutils; a compiler may use another one for the program.
        find_program(CHAINRULE_LD NAMES ld.bfd ld REQUIRED)
        mark_as_advanced(CHAINRULE_LD)

        get_property(count TARGET ${target} PROPERTY CHAINRULE_DISPATCHED)
        if(NOT count)
            set(count 0)
        endif()
        math(EXPR count "${count} + 1")
        set_property(TARGET ${target} PROPERTY CHAINRULE_DISPATCHED ${count})
        set(name ${target}_dispatch_${count})
        set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
        set(arguments)
        set(made ${folder}/choice.cpp)
        set(needed)
        foreach(level IN LISTS its_LEVELS)
            add_library(${name}_${level} OBJECT ${its_SOURCES})
            target_include_directories(${name}_${level} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
            target_compile_definitions(${name}_${level} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
            target_compile_features(${name}_${level} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_FEATURES>)
            target_link_libraries(${name}_${level} PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
            # No symbol that stays unique when it is local, no other object format, and code for any kind of target.
            target_compile_options(${name}_${level} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_OPTIONS>
                -march=x86-64-${level} -fPIC -fno-semantic-interposition -fno-lto
                $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
            list(APPEND arguments -D "OBJECTS_${level}=$<TARGET_OBJECTS:${name}_${level}>")
            list(APPEND made ${folder}/${level}.o)
            list(APPEND needed ${name}_${level} $<TARGET_OBJECTS:${name}_${level}>)
        endforeach()
        add_custom_command(OUTPUT ${made}
            COMMAND ${CMAKE_COMMAND} -D "LEVELS=${its_LEVELS}" ${arguments} -D FOLDER=${folder} -D LD=${CHAINRULE_LD}
                -D NM=${CMAKE_NM} -D OBJCOPY=${CMAKE_OBJCOPY} -D OBJDUMP=${CMAKE_OBJDUMP}
                -D "SOURCES=${its_SOURCES}" -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
            DEPENDS ${needed} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
            COMMENT "Choosing among levels of processors for ${target}" VERBATIM)
        set_source_files_properties(${made} PROPERTIES GENERATED ON)
        list(TRANSFORM its_LEVELS PREPEND ${folder}/ OUTPUT_VARIABLE objects)
        list(TRANSFORM objects APPEND .o)
        set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)
        # It runs before the program is ready for sanitizers.
        set_source_files_properties(${folder}/choice.cpp PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-fno-lto"
            SKIP_PRECOMPILE_HEADERS ON)
        target_sources(${target} PRIVATE ${made})
    endfunction()
    return()
endif()

cmake_minimum_required(VERSION 3.21)
function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The symbols of an object that other objects see, of the kinds that a regular expression describes.
function(symbols_of object kinds to)
    execute_process(COMMAND ${NM} --extern-only --defined-only --format=posix ${object}
        OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" lines "${lines}")
    list(FILTER lines INCLUDE REGEX " ${kinds} ")
    list(TRANSFORM lines REPLACE " .*" "")
    list(SORT lines)
    set(${to} "${lines}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${FOLDER})
set(functions)
foreach(level IN LISTS LEVELS)
    # Sections of functions that linkers would merge by name become ordinary ones.
    run(${LD} -r --force-group-allocation -o ${FOLDER}/${level}.all.o ${OBJECTS_${level}})
    execute_process(COMMAND ${OBJDUMP} -h ${FOLDER}/${level}.all.o OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
    if(sections MATCHES "[.](init_array|ctors)")
        message(FATAL_ERROR "chainrule_dispatch: ${SOURCES} has variables that are initialised as the program starts, "
            "with the instructions of every level; make them constexpr or static in a function, and include <iosfwd> "
            "in place of <iostream>")
    endif()
    symbols_of(${FOLDER}/${level}.all.o T its_functions)
    if(NOT its_functions)
        message(FATAL_ERROR "chainrule_dispatch: ${SOURCES} has no function to choose; define one that is neither "
            "inline, static nor a template")
    endif()
    if(functions AND NOT functions STREQUAL its_functions)
        message(FATAL_ERROR "chainrule_dispatch: ${SOURCES} has other functions for ${level} than for the levels below; "
            "define the same for all")
    endif()
    set(functions "${its_functions}")
    list(JOIN functions "\n" names)
    file(WRITE ${FOLDER}/global "${names}\n")
    list(TRANSFORM its_functions REPLACE "(.+)" "\\1 \\1.${level}" OUTPUT_VARIABLE renamed)
    list(JOIN renamed "\n" renamed)
    file(WRITE ${FOLDER}/renamed "${renamed}\n")
    run(${OBJCOPY} --keep-global-symbols=${FOLDER}/global ${FOLDER}/${level}.all.o ${FOLDER}/${level}.local.o)
    run(${OBJCOPY} --redefine-syms=${FOLDER}/renamed ${FOLDER}/${level}.local.o ${FOLDER}/${level}.o)
    file(REMOVE ${FOLDER}/${level}.all.o ${FOLDER}/${level}.local.o)
endforeach()

# __builtin_cpu_supports of clang 16 knows neither the names of levels nor lzcnt, movbe and f16c.
set(text "// Made by chainrule_dispatch.\n// clang-format off\n
#include <cpuid.h>
[[maybe_unused]] static bool has_v3() {
    unsigned a = 0, b = 0, c = 0, d = 0, extended = 0;
    return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi\") &&
           __builtin_cpu_supports(\"bmi2\") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_MOVBE) && (c & bit_F16C) &&
           __get_cpuid(0x80000001, &a, &b, &extended, &d) && (extended & bit_LZCNT);
}
[[maybe_unused]] static bool has_v4() {
    return has_v3() && __builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512bw\") &&
           __builtin_cpu_supports(\"avx512cd\") && __builtin_cpu_supports(\"avx512dq\") &&
           __builtin_cpu_supports(\"avx512vl\");
}
extern \"C\" {\n")
list(GET LEVELS 0 lowest)
set(higher ${LEVELS})
list(POP_FRONT higher)
list(REVERSE higher)
set(n 0)
foreach(function IN LISTS functions)
    foreach(level IN LISTS LEVELS)
        string(APPEND text "void chainrule_${level}_${n}() __asm__(\"${function}.${level}\");\n")
    endforeach()
    string(APPEND text "static void (*choose_${n}())() __asm__(\"chainrule_choose_${n}\");\n"
        "static void (*choose_${n}())() {\n    __builtin_cpu_init();\n")
    foreach(level IN LISTS higher)
        if(level STREQUAL "v2")
            continue()
        endif()
        string(APPEND text "    if (has_${level}()) return chainrule_${level}_${n};\n")
    endforeach()
    string(APPEND text "    return chainrule_${lowest}_${n};\n}\n"
        "__attribute__((ifunc(\"chainrule_choose_${n}\"))) void chainrule_${n}() __asm__(\"${function}\");\n")
    math(EXPR n "${n} + 1")
endforeach()
string(APPEND text "}\n")
file(WRITE ${FOLDER}/choice.cpp "${text}")
