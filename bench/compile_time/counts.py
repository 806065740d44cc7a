#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts the work of a compiler on the programs that measure.py times, so that every machine gives the same numbers: for g++ the
megabytes that its front end allocates, for clang the types, declarations and statements in its tree. For functions on a tape, where
the work of the optimiser counts, the size of the object with -O2, in kB, which shows what is inlined into each statement. Also
that size for a program followed by -g, which is compiled with debug information, or by -O0, where g++ emits constants that nothing
reads at run time.

Exits with 1 where a count passes its budget. Budgets are for the compiler versions named below; others are left out with a
line. A change that adds something worth its price raises a budget, knowingly.

    python3 bench/compile_time/counts.py
    python3 bench/compile_time/counts.py --compiler clang++-19 --only include
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import programs

BENCH = pathlib.Path(__file__).resolve().parent.parent
BUDGETS = {  # by compiler and its version, then by program
    ("g++", "12"): {
        "include": 91, "two variables": 97, "100 mixed operations": 140, "sharing 400": 207, "sharing 800": 331,
        "depth 200": 194, "width 400": 193, "Jacobian 20": 138, "Hessian 10": 206, "tape 300": 77,
        "sharing 100 -g": 155, "sharing 800 -g": 691, "traced 200 -g": 155.2, "traced 200 -O0": 99.5, "sum over data 200": 212,
    },
    ("clang++-19", "19"): {
        "include": 316.9, "two variables": 361.9, "100 mixed operations": 736.3, "sharing 400": 1557.2, "sharing 1600": 4793.6,
        "depth 200": 1216.1, "width 400": 1378.4, "Jacobian 20": 754.2, "Hessian 10": 1133.3, "tape 300": 67.5,
        "sharing 100 -g": 58, "sharing 800 -g": 249, "traced 200 -g": 44.5, "traced 200 -O0": 76, "sum over data 200": 1081.7,
    },
}
OBJECT_UNIT = "kB of object"
ENDS = {" -g": ["-O2", "-g"], " -O0": ["-O0"]}  # of the names of programs that are compiled with such flags
SIZES = {"k": 1e3, "M": 1e6, "G": 1e9, "": 1.0}
PATIENCE = 100  # seconds, after which a compiler is stopped


def allocated(report):
    size, unit = re.search(r"^ TOTAL .*?([0-9]+)([kMG]?)$", report, re.MULTILINE).groups()
    return float(size) * SIZES[unit] / 1e6


def in_the_tree(report):
    return sum(int(n) for n in re.findall(r"^ *(\d+) (?:types|decls|stmts/exprs) total", report, re.MULTILINE)) / 1e3


COUNTERS = {  # the flags that make a compiler report, what is counted, and how it is read from the report
    "g++": (["-ftime-report"], "MB allocated", allocated),
    "clang++": (["-Xclang", "-print-stats"], "thousands in the tree", in_the_tree),
}


def counter_of(compiler):
    return COUNTERS["clang++" if "clang" in compiler else "g++"]


def first_error(errors):
    return next((line[:400] for line in errors.split("\n") if "error:" in line), errors[:400])


def count(name, compiler, folder, include):
    """What a compiler makes of a program, and the unit; ValueError where it does not compile."""
    path, made = folder / "counted.cpp", folder / "counted.o"
    end = next((end for end in ENDS if name.endswith(end)), "")
    name = name.removesuffix(end)
    path.write_text(programs.source(name))
    if end or programs.PROGRAMS[name][0] in programs.TO_AN_OBJECT:
        flags, unit, read = [*ENDS.get(end, ["-O2"]), "-c", "-o", made], OBJECT_UNIT, lambda _: made.stat().st_size / 1e3
    else:
        flags, unit, read = counter_of(compiler)
        flags = ["-fsyntax-only", *flags]
    done = subprocess.run(["timeout", str(PATIENCE), *compiler.split(), "-std=c++20", *flags, f"-I{include}", f"-I{BENCH / 'workloads'}",
                           path], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"stopped after {PATIENCE} s" if done.returncode == 124 else first_error(done.stderr))
    return read(done.stderr + done.stdout), unit


def version_of(compiler):
    return subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0].strip()


def main():
    compilers = [compiler for compiler, _ in BUDGETS]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", action="append", choices=compilers, help="may be given more than once; default: both")
    parser.add_argument("--only", action="append", choices=[name + end for end in ["", *ENDS] for name in programs.PROGRAMS],
                        metavar="PROGRAM", help="may be given more than once")
    parser.add_argument("--include", default=BENCH.parent / "include")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for compiler in options.compiler or compilers:
            if not shutil.which(compiler):
                print(f"{compiler} is not found; nothing is counted")
                continue
            version = version_of(compiler)
            if (compiler, version) not in BUDGETS:
                print(f"{compiler} is version {version}, for which no budget is recorded; nothing is counted")
                continue
            print(f"{compiler} {version}: {counter_of(compiler)[1]} ({OBJECT_UNIT} of tape and with -g or -O0), and the budget")
            budgets = BUDGETS[compiler, version]
            for name in options.only or budgets:
                budget = budgets.get(name, float("inf"))
                try:
                    found, _ = count(name, compiler, pathlib.Path(folder), options.include)
                except ValueError as error:
                    print(f"    {name:24} does not compile: {error}")
                    good = False
                    continue
                print(f"    {name:24}{found:10.1f}{budget:10.1f}{'' if found <= budget else '   over the budget'}", flush=True)
                good = good and found <= budget
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
