# SPDX-License-Identifier: BSL-1.0
"""Makes the package of Conan's recipe in FOLDER and builds the consumer with it.

    python3 recipe.py ROOT FOLDER BOOST_INCLUDE COMPILER [FLAG...]

Where Conan 2 is installed, it does so, without a network: its Boost is made of the headers of this machine. Elsewhere the
methods of the recipe run with stand-ins for the few functions of Conan that they call.
"""
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

ROOT, FOLDER, BOOST = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
COMPILER = sys.argv[4:]


def with_conan(conan):
    shutil.copytree(ROOT, FOLDER / "source", ignore=shutil.ignore_patterns("build", ".git", "bench"))
    environment = {**os.environ, "CONAN_HOME": str(FOLDER / "home"), "BOOST_HEADERS": str(BOOST / "boost")}
    recipes = FOLDER / "source/tests/package"
    create = [conan, "create", "--no-remote", "-s", "compiler.cppstd=20"]
    for command in ([conan, "profile", "detect"], [*create, recipes / "conan_boost", "-o", "&:header_only=True"],
                    [*create, FOLDER / "source"]):
        subprocess.run(command, env=environment, check=True)


class Conan:
    """The base class of recipes: it keeps what they ask for."""

    def __init__(self, source, package):
        self.recipe_folder = self.source_folder = str(source)
        self.package_folder = str(package)
        self.required, self.cpp_info, self.properties = {}, types.SimpleNamespace(), {}
        self.cpp_info.set_property = self.properties.__setitem__

    def requires(self, reference, **traits):
        self.required[reference] = traits


def copy(_, pattern, src, dst, excludes=None):
    """As the documentation of conan.tools.files.copy says: patterns of names, folders included."""
    for path in pathlib.Path(src).rglob("*"):
        if path.is_file() and fnmatch.fnmatch(name := str(path.relative_to(src)), pattern):
            if not (excludes and fnmatch.fnmatch(name, excludes)):
                target = pathlib.Path(dst, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)


def exported(patterns):
    """The sources that a recipe sees in Conan's cache: those it exports."""
    for pattern in patterns:
        copy(None, pattern, ROOT, FOLDER / "exported")
    return FOLDER / "exported"


def recipe_class():
    standard = []
    members = {
        "conan": {"ConanFile": Conan},
        "conan.tools": {},
        "conan.tools.build": {"check_min_cppstd": lambda _, least: standard.append(least)},
        "conan.tools.files": {"copy": copy, "load": lambda _, path: pathlib.Path(path).read_text(encoding="utf-8")},
        "conan.tools.layout": {"basic_layout": lambda _: None},
    }
    for name, content in members.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(content)
    scope = {}
    exec(compile((ROOT / "conanfile.py").read_text(encoding="utf-8"), "conanfile.py", "exec"), scope)
    return scope["Chainrule"], standard


def without_conan():
    made, standard = recipe_class()
    package = FOLDER / "package"
    recipe = made(ROOT, package)
    recipe.set_version()
    recipe.source_folder = str(exported(made.exports_sources))
    for step in (recipe.layout, recipe.requirements, recipe.validate, recipe.package, recipe.package_info):
        step()

    manifest = (ROOT / "vcpkg.json").read_text(encoding="utf-8")
    assert recipe.version == re.search(r'"version": "(.*?)"', manifest)[1], recipe.version
    assert standard == [20], standard
    least = re.search(r"boost_version ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    assert recipe.required == {f"boost/[>={least} <2]": {"transitive_headers": True}}, recipe.required
    assert recipe.cpp_info.requires == ["boost::headers"]
    assert (ROOT / made.test_package_folder / "conanfile.py").is_file()
    assert (package / "licenses/LICENSE").is_file()
    for module in recipe.properties["cmake_build_modules"]:
        assert (package / module).is_file(), module
    headers = {path.relative_to(ROOT) for path in (ROOT / "include/chainrule").rglob("*") if path.is_file()}
    packed = {path.relative_to(package) for path in package.rglob("*") if path.is_file()}
    expected = headers | {pathlib.Path(p) for p in ("licenses/LICENSE", *recipe.properties["cmake_build_modules"])}
    assert packed == expected, sorted(map(str, packed ^ expected))

    consumer = ROOT / "tests/package/consumer"
    subprocess.run([*COMPILER, f"-I{package / 'include'}", "-idirafter", BOOST, consumer / "main.cpp",
                    consumer / "slope.cpp", "-o", FOLDER / "program"], check=True)
    subprocess.run([FOLDER / "program"], check=True)


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
program = shutil.which("conan")
if program and re.search(r"version 2", subprocess.run([program, "--version"], capture_output=True, text=True).stdout):
    with_conan(program)
else:
    print("Conan 2 is not found; its functions are replaced")
    without_conan()
