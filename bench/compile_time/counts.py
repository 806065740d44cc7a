#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""How much does a compiler make of the files that measure.py times? Counted, not timed, so that every machine gives the same
numbers: for g++ the megabytes that its front end allocates, for clang the types, declarations and statements in its tree.

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

import measure

BUDGETS = {  # compiler and its version: what is counted, and by file the budget
    ("g++", "12"): ("MB allocated", {"include": 56, "two variables": 66, "100 mixed operations": 137, "400 operations": 222}),
    ("clang++-19", "19"): ("thousands in the tree", {"include": 236, "two variables": 291, "100 mixed operations": 700, "400 operations": 1340}),
}
SIZES = {"k": 1e3, "M": 1e6, "G": 1e9, "": 1.0}


def allocated(report):
    size, unit = re.search(r"^ TOTAL .*?([0-9]+)([kMG]?)$", report, re.MULTILINE).groups()
    return float(size) * SIZES[unit] / 1e6


def in_the_tree(report):
    return sum(int(n) for n in re.findall(r"^ *(\d+) (?:types|decls|stmts/exprs) total", report, re.MULTILINE)) / 1e3


COUNTERS = {"g++": (["-ftime-report"], allocated), "clang++-19": (["-Xclang", "-print-stats"], in_the_tree)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", action="append", choices=COUNTERS, help="may be given more than once; default: both")
    parser.add_argument("--only", action="append", choices=measure.SOURCES, help="may be given more than once")
    parser.add_argument("--include", default=measure.BENCH.parent / "include")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "counted.cpp"
        for compiler in options.compiler or COUNTERS:
            if not shutil.which(compiler):
                print(f"{compiler} is not found; nothing is counted")
                continue
            version = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0]
            if (compiler, version.strip()) not in BUDGETS:
                print(f"{compiler} is version {version.strip()}, for which no budget is recorded; nothing is counted")
                continue
            what, budgets = BUDGETS[compiler, version.strip()]
            flags, count = COUNTERS[compiler]
            print(f"{compiler} {version.strip()}: {what}, and the budget")
            for name, budget in budgets.items():
                if options.only and name not in options.only:
                    continue
                path.write_text(measure.SOURCES[name]()[0])
                done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *flags, f"-I{options.include}",
                                       f"-I{measure.BENCH / 'workloads'}", path], capture_output=True, text=True)
                if done.returncode:
                    print(f"    {name:24} does not compile: {measure.first_error(done.stderr)}")
                    good = False
                    continue
                found = count(done.stderr + done.stdout)
                print(f"    {name:24}{found:10.1f}{budget:10.1f}{'' if found <= budget else '   over the budget'}", flush=True)
                good = good and found <= budget
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
