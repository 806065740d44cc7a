# SPDX-License-Identifier: BSL-1.0
#
# The libraries with an adapter in include/chainrule/interop, as targets chainrule_NAME for tests and examples; one that
# is not found is skipped.
find_path(CHAINRULE_IPOPT_INCLUDE IpTNLP.hpp PATH_SUFFIXES coin-or coin)
find_library(CHAINRULE_IPOPT_LIBRARY ipopt)
find_path(CHAINRULE_NLOPT_INCLUDE nlopt.hpp)
find_library(CHAINRULE_NLOPT_LIBRARY NAMES nlopt_cxx nlopt)
find_package(Ceres QUIET)
mark_as_advanced(CHAINRULE_IPOPT_INCLUDE CHAINRULE_IPOPT_LIBRARY CHAINRULE_NLOPT_INCLUDE CHAINRULE_NLOPT_LIBRARY)

function(add_partner name package)
    if(ARGN MATCHES "NOTFOUND")
        message(STATUS "chainrule: ${name} not found, the tests of interop/${name}.hpp are skipped (Debian: ${package})")
        return()
    endif()
    add_library(chainrule_${name} INTERFACE)
    target_link_libraries(chainrule_${name} INTERFACE chainrule::chainrule ${ARGN})
endfunction()

add_partner(ipopt coinor-libipopt-dev ${CHAINRULE_IPOPT_LIBRARY})
add_partner(nlopt libnlopt-cxx-dev ${CHAINRULE_NLOPT_LIBRARY})
if(TARGET Ceres::ceres)
    add_partner(ceres libceres-dev Ceres::ceres)
else()
    add_partner(ceres libceres-dev Ceres-NOTFOUND)
endif()
if(TARGET chainrule_ipopt)
    target_include_directories(chainrule_ipopt SYSTEM INTERFACE ${CHAINRULE_IPOPT_INCLUDE})
endif()
