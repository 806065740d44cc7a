#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts the instructions of derived and of hand-written gradients.

Each workload is compiled as measured.cpp, its answers are compared, and callgrind counts the instructions of the two
functions with everything they call; the difference of two run lengths leaves out start-up and symbol look-up. "code" is the
length of the function itself in objdump. Exits with 1 if an answer is wrong or a ratio is above --limit.

    python3 bench/instructions/measure.py
    python3 bench/instructions/measure.py --compiler g++ --only rosenbrock
    python3 bench/instructions/measure.py --json docs/benchmarks/instructions.json
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent
WORKLOADS = {  # workload: header
    "log_product_sine": "log_product_sine.hpp",
    "mixed_operations": "mixed_operations.hpp",
    "black_scholes": "black_scholes.hpp",
    "reprojection": "reprojection.hpp",
    "rosenbrock": "rosenbrock.hpp",
    "rosenbrock_reordered": "rosenbrock.hpp",
    "helmholtz_stored": "helmholtz.hpp",
    "helmholtz_stored_symmetric": "helmholtz.hpp",
    "helmholtz_given": "helmholtz.hpp",
    "helmholtz_exact": "helmholtz.hpp",
    "helmholtz_exact_simd": "helmholtz.hpp",
}
HALVES = ("derived", "hand_written")
SHORT, LONG = 20, 120


def compile_workload(compiler, flags, include, workload, program):
    return subprocess.run(
        [*compiler.split(), "-std=c++20", *flags, f"-I{include}", f"-I{BENCH / 'workloads'}",
         f'-DHEADER="{WORKLOADS[workload]}"', f"-DWORKLOAD={workload}", HERE / "measured.cpp", "-o", program],
        capture_output=True, text=True)


def collected(program, half, calls):
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
         f"--toggle-collect=*workloads::{half}<*", program, half, str(calls)],
        capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def instructions(program, half):
    return (collected(program, half, LONG) - collected(program, half, SHORT)) / (LONG - SHORT)


def disassembly(program):
    """The instructions in the file and the names called, for each half."""
    text = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", program],
                          capture_output=True, text=True, check=True).stdout
    found = {}
    for block in text.split("\n\n"):
        head, *lines = block.strip().split("\n")
        half = re.match(r"[0-9a-f]+ <.*workloads::(derived|hand_written)<", head)
        if half:
            code = [line.split("\t", 1)[1] for line in lines if "\t" in line]
            code = [line for line in code if not re.match(r"(nop|data16|cs nop|xchg +%ax,%ax)", line)]
            calls = [re.sub(r"@plt.*", "", line.split("<")[1]) for line in code if re.match(r"(call|jmp) .*@plt", line)]
            found[half.group(1)] = (len(code), calls)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", action="append", help="may be given more than once; default: g++ and clang++-19")
    parser.add_argument("--flags", default="-O2 -march=x86-64-v3")
    parser.add_argument("--include", default=BENCH.parent / "include")
    parser.add_argument("--only", action="append", choices=WORKLOADS, help="may be given more than once")
    parser.add_argument("--json", type=pathlib.Path, help="a file to write the counts to")
    parser.add_argument("--limit", type=float, default=float("inf"), help="fail if a ratio is above this")
    options = parser.parse_args()
    for tool in ("valgrind", "objdump"):
        if not shutil.which(tool):
            sys.exit(f"measure.py: {tool} is not found; install it (Debian: apt-get install valgrind binutils)")
    compilers = options.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]
    if not compilers:
        sys.exit("measure.py: neither g++ nor clang++-19 is found; install one, or name another with --compiler")
    good, rows = True, []
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            print(f"\n{compiler} {options.flags}: instructions executed per call\n")
            print(f"{'workload':28}{'derived':>9}{'by hand':>9}{'ratio':>7}{'code':>13}{'difference':>12}")
            details = []
            for workload in options.only or WORKLOADS:
                program = pathlib.Path(folder) / workload
                built = compile_workload(compiler, options.flags.split(), options.include, workload, program)
                if built.returncode:
                    error = next((line for line in built.stderr.split("\n") if "error:" in line), built.stderr)
                    print(f"{workload:28}does not compile: {error[:400]}", flush=True)
                    good = False
                    continue
                check = subprocess.run([program], capture_output=True, text=True)
                difference = (check.stdout.split("\n") + ["", ""])[1]
                if check.returncode:
                    print(f"{workload:28}answers differ: {difference or check.stderr}")
                    good = False
                    continue
                ours, theirs = (instructions(program, half) for half in HALVES)
                code = disassembly(program)
                lengths = " / ".join(str(code[half][0]) for half in HALVES)
                print(f"{workload:28}{ours:9.0f}{theirs:9.0f}{ours / theirs:7.3f}{lengths:>13}{difference:>12}", flush=True)
                good = good and ours / theirs <= options.limit
                rows.append({"workload": workload, "compiler": compiler, "derived": ours, "by_hand": theirs})
                if workload == "log_product_sine":
                    details = [f"  {half}: {code[half][0]} instructions, calls {', '.join(code[half][1])}" for half in HALVES]
            print("\nlog_product_sine in objdump:", *details, sep="\n") if details else None
    if options.json:
        versions = {c: subprocess.run([*c.split(), "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
                    for c in compilers}
        options.json.write_text(json.dumps({"question": "instructions", "context": {"flags": options.flags, "compilers": versions},
                                            "rows": rows}, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
