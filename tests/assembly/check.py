# SPDX-License-Identifier: BSL-1.0
"""Checks that the library emits what a person would write. Compiles twins.cpp with a compiler and compares each derived_NAME with
written_NAME: floating-point operations of each kind, and calls.

    python3 check.py COMPILER [FLAG...]
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

RECORDED = {"g++": ("12",), "clang++": ("16", "19")}  # versions whose machine code is known to agree
CALLED = re.compile(r"R_X86_64_PL\w+\s+(\w+)")
OPERATION = re.compile(r"^v?(add|sub|mul|div|sqrt|fn?m(?:add|sub)\d*)(?:sd|pd)$")


def operations(lines):
    counts = collections.Counter()
    for line in lines:
        if called := CALLED.search(line):  # by a call, or by a jump at the end
            counts[f"call of {called.group(1)}"] += 1
            continue
        parts = line.split("\t")
        words = parts[-1].split()
        if not words:
            continue
        name = words[0]
        if found := OPERATION.match(name):
            # Two numbers in one register are two operations.
            counts[found.group(1)] += 2 if name.endswith("pd") else 1
    return counts


def main():
    compiler, *flags = sys.argv[1:]
    name = re.search(r"clang\+\+|g\+\+", compiler).group()
    version = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0].strip()
    if version not in RECORDED[name]:
        print(f"{compiler} is version {version}, which is not among the recorded ones; nothing is compared")
        return 0
    source = pathlib.Path(__file__).with_name("twins.cpp")
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "twins.o"
        subprocess.run([compiler, *flags, "-O2", "-c", source, "-o", made], check=True)
        text = subprocess.run(["objdump", "-drC", "--no-show-raw-insn", made], capture_output=True, text=True, check=True).stdout
    found = {}
    for block in text.split("\n\n"):
        if head := re.match(r"\s*[0-9a-f]+ <(derived|written)_(\w+)\(", block):
            found.setdefault(head.group(2), {})[head.group(1)] = operations(block.split("\n")[1:])
    good = bool(found)
    for twin, halves in found.items():
        same = halves["derived"] == halves["written"]
        good = good and same
        print(f"{twin}: {dict(halves['derived'])}" + ("" if same else f", by hand {dict(halves['written'])}"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
