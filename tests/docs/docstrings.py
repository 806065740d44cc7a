# SPDX-License-Identifier: BSL-1.0
"""Checks that every public name has a docstring, as Doxygen sees it with docs/site/Doxyfile: `docstrings.py ROOT FOLDER
DOXYGEN`, which works in FOLDER.

Public are the names in namespace chainrule; and those in its other namespaces for users, and members of classes, that
the pages have in their code. One docstring serves all overloads of a name; that of a class also serves its constructors
and the members that it names. Doxygen does not see what macros define, such as the functions of the table:
tests/headers/names.py looks for these on the pages.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT, FOLDER, DOXYGEN = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
sys.path.insert(0, str(ROOT / "tests/headers"))
import names  # noqa: E402

OPTIONS = f"""
@INCLUDE = docs/site/Doxyfile
HIDE_UNDOC_MEMBERS = NO
HIDE_UNDOC_CLASSES = NO
GENERATE_HTML = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OUTPUT_DIRECTORY = "{FOLDER}"
WARN_LOGFILE = "{FOLDER}/doxygen.log"
"""
NAMESPACES = ["chainrule"] + [f"chainrule::{name}" for name in (
    "literals mpi request tape tensor tensor::activations tensor::layers tensor::losses tensor::optimisers "
    "tensor::schedules").split()]
# The types of expressions, whose members are for the library.
EXPRESSIONS = set("abbreviated abbreviated_predicate binary comparison constant logical_not number real_constant "
                  "symbol ternary traced_output unary".split())
# What they mean is known from the standard library.
OF_CONTAINERS = set("back begin data empty end iterator max min pointer size value_type what".split())


def without_arguments(name):
    """A name without the arguments of templates."""
    while (shorter := re.sub(r"\s*<[^<>]*>", "", name)) != name:
        name = shorter
    return name


def docstring(element):
    parts = (element.find("briefdescription"), element.find("detaileddescription"))
    return " ".join("".join(part.itertext()) for part in parts if part is not None).strip()


def declarations():
    """The docstrings of namespaces and classes, and (scope, name, file:line, docstring) of what these declare."""
    scopes, found = {}, []
    for path in sorted((FOLDER / "xml").glob("*.xml")):
        scope = ElementTree.parse(path).getroot().find("compounddef")
        kind = "" if scope is None else scope.get("kind")
        if kind not in ("namespace", "class", "struct", "concept") or scope.get("prot", "public") != "public":
            continue
        full_name = without_arguments(scope.findtext("compoundname"))
        scopes[full_name] = scopes.get(full_name, "") + " " + docstring(scope)
        declared = [] if kind == "namespace" else [(*full_name.rpartition("::")[::2], scope)]
        for member in scope.iter("memberdef"):
            name = member.findtext("name")
            # One letter is a word in a macro's argument that Doxygen takes for a declaration.
            if member.get("prot") == "public" and member.get("kind") != "friend" and len(name) > 1:
                declared.append((full_name, name, member))
        for outer, name, element in declared:
            place = element.find("location")
            found.append((outer, name, f"{place.get('file')}:{place.get('line')}", docstring(element)))
    return scopes, found


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(FOLDER / "xml", ignore_errors=True)
    subprocess.run([DOXYGEN, "-"], input=OPTIONS, text=True, cwd=ROOT, check=True)
    scopes, found = declarations()
    on_pages = set().union(*map(names.words_in_code, (ROOT / "docs").glob("*.md")))
    places, documented = {}, set()
    for scope, name, place, text in found:
        namespace = max((n for n in NAMESPACES if f"{scope}::".startswith(f"{n}::")), key=len, default=None)
        if namespace is None or scope not in scopes:
            continue
        path = f"{scope}::{name}".removeprefix(f"{namespace}::").split("::")  # classes, and the name
        is_member = len(path) > 1
        if is_member and (path[0] in EXPRESSIONS or name in OF_CONTAINERS or name == path[-2]):
            continue
        if scope != "chainrule" and not set(path) <= on_pages:
            continue
        places.setdefault(f"{scope}::{name}", place)
        if text or is_member and re.search(rf"\b{re.escape(name)}\b", scopes[scope]):
            documented.add(f"{scope}::{name}")
    missing = sorted(f"{place}: {name}" for name, place in places.items() if name not in documented)
    for name in missing:
        print(f"{name} has no docstring")
    print(f"{len(places)} public names, {len(missing)} without a docstring")
    return 1 if missing or len(places) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
