# SPDX-License-Identifier: BSL-1.0
#
# The libraries with an adapter in include/chainrule/interop, as targets chainrule_NAME for tests and examples; one that
# is not found is skipped.
find_path(CHAINRULE_IPOPT_INCLUDE IpTNLP.hpp PATH_SUFFIXES coin-or coin)
find_library(CHAINRULE_IPOPT_LIBRARY ipopt)
find_path(CHAINRULE_NLOPT_INCLUDE nlopt.hpp)
find_library(CHAINRULE_NLOPT_LIBRARY NAMES nlopt_cxx nlopt)
find_path(CHAINRULE_CVODES_INCLUDE cvodes/cvodes.h)
find_library(CHAINRULE_CVODES_LIBRARY sundials_cvodes)
find_library(CHAINRULE_NVECSERIAL_LIBRARY sundials_nvecserial)
find_library(CHAINRULE_SUNDIALS_CORE_LIBRARY sundials_core)
find_package(Ceres QUIET)
find_package(MPI QUIET COMPONENTS CXX)
set(chainrule_cvodes_libraries ${CHAINRULE_CVODES_LIBRARY} ${CHAINRULE_NVECSERIAL_LIBRARY})
if(CHAINRULE_SUNDIALS_CORE_LIBRARY) # from SUNDIALS 7 on, which Debian compiles with MPI
    list(APPEND chainrule_cvodes_libraries ${CHAINRULE_SUNDIALS_CORE_LIBRARY} ${MPI_CXX_LIBRARIES})
endif()
mark_as_advanced(CHAINRULE_IPOPT_INCLUDE CHAINRULE_IPOPT_LIBRARY CHAINRULE_NLOPT_INCLUDE CHAINRULE_NLOPT_LIBRARY
    CHAINRULE_CVODES_INCLUDE CHAINRULE_CVODES_LIBRARY CHAINRULE_NVECSERIAL_LIBRARY CHAINRULE_SUNDIALS_CORE_LIBRARY)

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
add_partner(cvodes libsundials-dev ${chainrule_cvodes_libraries})
set(needs_of_ceres)
if(TARGET Ceres::ceres)
    get_target_property(needs_of_ceres Ceres::ceres INTERFACE_LINK_LIBRARIES)
endif()
# On Debian, glog is not found without libunwind-dev, which the packages of libc++ replace.
if(TARGET Ceres::ceres AND (TARGET glog::glog OR NOT "glog::glog" IN_LIST needs_of_ceres))
    add_partner(ceres libceres-dev Ceres::ceres)
else()
    add_partner(ceres libceres-dev Ceres-NOTFOUND)
endif()
if(TARGET MPI::MPI_CXX AND MPIEXEC_EXECUTABLE)
    add_partner(mpi "libopenmpi-dev openmpi-bin" MPI::MPI_CXX)
else()
    add_partner(mpi "libopenmpi-dev openmpi-bin" MPI-NOTFOUND)
endif()
if(TARGET chainrule_cvodes)
    target_include_directories(chainrule_cvodes SYSTEM INTERFACE ${CHAINRULE_CVODES_INCLUDE})
    if(TARGET MPI::MPI_CXX) # with which Debian compiles its headers
        target_include_directories(chainrule_cvodes SYSTEM INTERFACE ${MPI_CXX_INCLUDE_DIRS})
    endif()
endif()
if(TARGET chainrule_ipopt)
    target_include_directories(chainrule_ipopt SYSTEM INTERFACE ${CHAINRULE_IPOPT_INCLUDE})
endif()

# Runs a program on some ranks as a test; the further arguments stand before mpirun. By itself Open MPI runs neither as
# root, as in a container, nor on fewer processors than ranks.
function(add_mpi_test name ranks program)
    add_test(NAME ${name}
        COMMAND ${ARGN} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${program}>)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT
        "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe;OMPI_MCA_btl_vader_single_copy_mechanism=none;ASAN_OPTIONS=detect_leaks=0") # Open MPI keeps memory to the end
endfunction()
