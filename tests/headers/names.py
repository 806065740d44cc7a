# SPDX-License-Identifier: BSL-1.0
"""Checks that every name in namespace chainrule is documented.

Clang lists the names that `chainrule::` offers after the public headers, as it does for code completion. Each must
occur in code (a block, or between backticks) on docs/reference.md or on a page that this one refers to. Nested
namespaces are internal unless the reference mentions them.

    python3 names.py ROOT CLANG++ [FLAG...]
"""

import pathlib
import re
import subprocess
import sys
import tempfile



def words_in_code(page):
    """The identifiers in the code of a page."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```.*?^```|^    .*?$", text, re.S | re.M)
    spans = re.findall(r"`[^`]+`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    return set(re.findall(r"\w+", " ".join(blocks + spans)))


def namespaces(root):
    """The namespaces that the headers define."""
    found = set()
    for path in (root / "include/chainrule").rglob("*.hpp"):
        opened = re.findall(r"^namespace (?:\[\[.*?\]\] )?([\w:]+)", path.read_text(encoding="utf-8"), re.M)
        found.update(name for names in opened for name in names.split("::"))
    return found


def names_in(namespace, known, root, compiler):
    """The names in a namespace after the lines `known` of a source, other than nested namespaces and operators."""
    start = f"auto x = {namespace}::"
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "names.cpp"
        source.write_text("".join(line + "\n" for line in known) + start + "\n;\n")
        place = f"-code-completion-at={source}:{len(known) + 1}:{len(start) + 1}"
        run = subprocess.run(
            [*compiler, f"-I{root / 'include'}", "-fsyntax-only", "-Xclang", place, str(source)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    found = re.findall(r"^COMPLETION: (\w+)", run.stdout, re.M)
    if "function" not in found and "gradient" not in found:
        sys.exit(f"names.py: {compiler[0]} does not list the names of namespace {namespace}\n{run.stderr}")
    return set(found) - namespaces(root) - {"operator"}


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    reference = root / "docs/reference.md"
    pages = {reference}
    for link in re.findall(r"\]\(([\w-]+\.md)", reference.read_text(encoding="utf-8")):
        if link != "errors.md":
            pages.add(root / "docs" / link)
    documented = set().union(*map(words_in_code, pages))
    headers = sorted(path.name for path in (root / "include/chainrule").glob("*.hpp"))
    names = names_in("chainrule", [f"#include <chainrule/{name}>" for name in headers], root, compiler)
    missing = sorted(names - documented)
    for name in missing:
        print(f"chainrule::{name} is on no page of the reference; document it, or move it to detail or its room's namespace")
    print(f"{len(names)} names, {len(missing)} of them undocumented")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
