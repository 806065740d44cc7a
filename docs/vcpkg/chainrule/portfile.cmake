# SPDX-License-Identifier: BSL-1.0
#
# A port of vcpkg, used in place: it installs the sources that it lies in. In a registry, vcpkg_from_github and the hash of
# a release take the place of the next line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release) # headers only

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DCHAINRULE_INSTALL=ON
        -DCHAINRULE_BUILD_TESTS=OFF
        -DCHAINRULE_BUILD_BENCH=OFF
        -DCHAINRULE_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/chainrule)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc") # the texts of the Debian package
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
