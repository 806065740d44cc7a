# SPDX-License-Identifier: BSL-1.0
"""In the place of Boost from a server: the headers of this machine, as the component that Conan's Boost has."""
import os

from conan import ConanFile


class Boost(ConanFile):
    name = "boost"
    version = "1.74.0"
    options = {"header_only": [True, False]}
    default_options = {"header_only": False}
    package_type = "header-library"

    def package_id(self):
        self.info.clear()

    def package(self):
        folder = os.path.join(self.package_folder, "include")
        os.makedirs(folder)
        os.symlink(os.environ["BOOST_HEADERS"], os.path.join(folder, "boost"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Boost")
        self.cpp_info.components["headers"].set_property("cmake_target_name", "Boost::headers")
        self.cpp_info.components["headers"].bindirs = []
        self.cpp_info.components["headers"].libdirs = []
