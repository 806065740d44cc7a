# SPDX-License-Identifier: BSL-1.0
"""Writes a public header and all headers of chainrule that it includes as one file, for Compiler Explorer and for projects
that want one file to copy.

    python3 include/single_header.py [HEADER] > chainrule.hpp      HEADER: chainrule/chainrule.hpp if not given

Headers of the standard library and of Boost stay includes. Lines that are comments are left out.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
INCLUDE = re.compile(r"#include <(chainrule/[\w/]+\.(hpp|inc))>")


def lines_of(header, seen, conditional=False):
    """The lines of a header, with its includes of chainrule replaced by their lines at their first appearance. One that
    appears between #if and #endif has guards, and may appear again."""
    text = (FOLDER / header).read_text()
    once = "#pragma once" in text
    if once and header in seen:
        return
    if once and not conditional:
        seen.add(header)
    guard = "CHAINRULE_HAS_" + re.sub(r"\W", "_", header).upper()
    if once:
        yield f"#ifndef {guard}"
        yield f"#define {guard}"
    depth = 0
    for line in text.splitlines():
        if line.startswith("#if"):
            depth += 1
        elif line.startswith("#endif"):
            depth -= 1
        include = INCLUDE.match(line)
        if include:
            yield from lines_of(include[1], seen, conditional or depth > 0)
        elif line.strip() and not line.lstrip().startswith("//") and line != "#pragma once":
            yield line
    if once:
        yield "#endif"


def single_header(header):
    version = re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (FOLDER / "chainrule/core/version.hpp").read_text())
    yield "// SPDX-License-Identifier: BSL-1.0"
    yield "//"
    yield f"// {header} of chainrule {'.'.join(version)} and all that it includes, written by include/single_header.py."
    yield "#pragma once"
    yield from lines_of(header, set())


def main():
    header = sys.argv[1] if len(sys.argv) > 1 else "chainrule/chainrule.hpp"
    if not (FOLDER / header).is_file():
        sys.exit(f"single_header.py: there is no header {header} in {FOLDER}; name one like chainrule/tape.hpp")
    sys.stdout.writelines(line + "\n" for line in single_header(header))


if __name__ == "__main__":
    main()
