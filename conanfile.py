# SPDX-License-Identifier: BSL-1.0
"""The recipe of Conan 2: `conan create .` in this folder."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout


class Chainrule(ConanFile):
    name = "chainrule"
    description = "Automatic differentiation while the program compiles"
    license = "BSL-1.0"
    topics = ("automatic-differentiation", "expression-templates", "constexpr", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"  # of a program that uses it; the package is the same for all
    implements = ["auto_header_only"]
    exports_sources = "LICENSE", "include/*"
    no_copy_source = True
    default_options = {"boost/*:header_only": True}
    test_package_folder = "tests/package/conan"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/chainrule/core/version.hpp"))
        self.version = ".".join(re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def layout(self):
        basic_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.74 <2]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        include = os.path.join(self.source_folder, "include")
        copy(self, "*", include, os.path.join(self.package_folder, "include"), excludes="*.py*")

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.requires = ["boost::headers"]
        # chainrule_dispatch(...) and, with CHAINRULE_MODULE, the target of the module
        modules = [os.path.join("include", f"chainrule-{part}.cmake") for part in ("dispatch", "module")]
        self.cpp_info.set_property("cmake_build_modules", modules)
