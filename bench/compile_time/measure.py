#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compile times: seconds, peak memory and the size of the object for each compiler and each program of programs.py.

Each file is compiled to an object with -O2; the figures are the least of --runs runs. --limits holds the seconds and memory
against LIMITS below and exits with 1 where one is passed. --check also runs the random programs and compares their derivatives
with those the generator computed. --json keeps what was found, with the counts of counts.py.

    python3 bench/compile_time/measure.py
    python3 bench/compile_time/measure.py --compiler g++ --runs 1 --only "sharing 400"
    python3 bench/compile_time/measure.py --json docs/benchmarks/compile_time.json
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

import counts
import programs

BENCH = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {  # user + system seconds and MB by compiler and program
    "g++": {
        "include": (0.45, 130),
        "two variables": (0.6, 700),
        "100 mixed operations": (1.0, 700),
        "sharing 400": (2.5, 700),
        "sharing 800": (6.0, 700),
        "sharing 1600": (15.0, 700),
    },
    "clang++-19": {"sharing 1600": (6.0, 700)},
}
PATIENCE = 120  # seconds, after which a compiler is stopped


def run(command):
    """Exit status, wall seconds, user + system seconds and peak memory in MB, of the command and all it starts; and its errors."""
    began = time.monotonic()
    process = subprocess.Popen(["timeout", str(PATIENCE), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, errors


def answers_agree(compile_command, folder, name):
    """Whether a random program has the derivatives that its generator computed; true for other programs."""
    ladder, size = programs.PROGRAMS[name]
    if ladder != "sharing":
        return True
    check, expected = programs.random_check(size)
    path, program = folder / "check.cpp", folder / "check"
    path.write_text(programs.source(name) + check)
    subprocess.run([*compile_command, path, "-o", program], check=True)
    numbers = map(float, subprocess.run([program], capture_output=True, text=True, check=True).stdout.split())
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(numbers, expected, strict=True))


def processor():
    try:
        return re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def with_version(compiler):
    """g++ 12, for instance."""
    name, *flags = compiler.split()
    return " ".join([re.sub(r"-\d+$", "", name), counts.version_of(name), *flags])


def version_of(compiler):
    return subprocess.run([*compiler.split(), "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def measured(name, compiler, command, folder, runs):
    """A row of what was found, or a sentence that says why there is none."""
    ladder, size = programs.PROGRAMS[name]
    path, made = folder / "measured.cpp", folder / "measured.o"
    path.write_text(programs.source(name))
    found = []
    for _ in range(runs):
        found.append(run([*command, "-c", path, "-o", made]))
        if found[-1][0]:
            late = found[-1][0] == 124
            return f"{compiler}, {name}: {f'stopped after {PATIENCE} s' if late else counts.first_error(found[-1][4])}"
    wall, cpu, memory = (min(each[i] for each in found) for i in (1, 2, 3))
    return {"ladder": ladder, "size": size, "compiler": compiler, "wall": round(wall, 3), "cpu": round(cpu, 3),
            "memory_mb": round(memory, 1), "object_bytes": made.stat().st_size}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", action="append", help="may be given more than once; default: g++ and clang++-19")
    parser.add_argument("--flags", default="-O2")
    parser.add_argument("--include", default=BENCH.parent / "include")
    parser.add_argument("--only", action="append", choices=programs.PROGRAMS, metavar="PROGRAM", help="may be given more than once")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="run the random programs too and compare their derivatives")
    parser.add_argument("--limits", action="store_true", help="exit with 1 if a budget is passed")
    parser.add_argument("--json", type=pathlib.Path, help="a file to write what was found to")
    options = parser.parse_args()
    compilers = options.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]
    print(f"{'':22}" + "".join(f"{compiler + ' ' + options.flags:>32}" for compiler in compilers))
    print(f"{'':22}" + f"{'wall s':>8}{'CPU s':>8}{'MB':>8}{'KiB':>8}" * len(compilers))
    rows, problems = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name in options.only or programs.PROGRAMS:
            line = f"{name:22}"
            for compiler in compilers:
                command = [*compiler.split(), "-std=c++20", *options.flags.split(), f"-I{options.include}", f"-I{BENCH / 'workloads'}"]
                row = measured(name, compiler, command, folder, options.runs)
                if isinstance(row, str):
                    problems.append(row)
                    line += f"{'fails':>32}"
                    continue
                line += f"{row['wall']:8.2f}{row['cpu']:8.2f}{row['memory_mb']:8.0f}{row['object_bytes'] / 1024:8.0f}"
                seconds, memory = LIMITS.get(compiler, {}).get(name, (math.inf, math.inf))
                if options.limits and (row["cpu"] > seconds or row["memory_mb"] > memory):
                    problems.append(f"{compiler}, {name}: the budget is {seconds} s, {memory} MB")
                if options.check and not answers_agree(command, folder, name):
                    problems.append(f"{compiler}, {name}: wrong derivatives")
                if options.json:
                    row["count"], row["count_unit"] = counts.count(name, compiler, folder, options.include)
                row["compiler"] = with_version(compiler)
                rows.append(row)
            print(line, flush=True)
    for problem in problems:
        print(problem, file=sys.stderr)
    if options.json:
        context = {"compilers": {compiler: version_of(compiler) for compiler in compilers}, "processor": processor(),
                   "cores": os.cpu_count(), "flags": options.flags, "date": datetime.date.today().isoformat(), "runs": options.runs}
        options.json.write_text(json.dumps({"question": "compile_time", "context": context, "rows": rows}, indent=1) + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
