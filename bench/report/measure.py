#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs the benchmarks and keeps their numbers: one JSON file for each program in docs/benchmarks.

A program runs one row of its table at a time. Its contestants take turns in random order, many times. The file keeps the median
and the quartiles of each contestant's processor time. tables.py and plots.py make tables and plots of the files.

    python3 bench/report/measure.py --build build/bench
    python3 bench/report/measure.py --build build/bench --only peers --row "Rosenbrock|Helmholtz"
    python3 bench/report/measure.py --build build/bench --quick --to /tmp/somewhere
"""
import argparse
import ctypes
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = {  # question: the program that answers it, in the build folder
    "modes": "bench/modes/modes",
    "peers": "bench/peers/peers",
    "second_order": "bench/second_order/second_order",
    "networks": "bench/tensor/networks",
    "growth": "bench/growth/growth",
    "memory": "bench/memory",
    "batch": "bench/batch/batch",
    "batch_avx2": "bench/batch/batch_avx2",
}
OWN_CLOCKS = {  # question: the program that times its contestants itself: it lists its rows, and prints the times of one
    "gradbench": "bench/gradbench",
}
SCRIPTS = {  # question: a script that writes the same kind of file by itself
    "instructions": BENCH / "instructions" / "measure.py",
    "compile_time": BENCH / "compile_time" / "measure.py",
}
LIBRARIES = {  # question: the other libraries in it, with their Debian packages
    "peers": {"ADOL-C": "libadolc-dev", "CppAD": "r-cran-tmb", "Stan Math": "r-cran-stanheaders", "Sacado": "libtrilinos-sacado-dev",
              "Ceres Solver": "libceres-dev", "Eigen": "libeigen3-dev", "Boost": "libboost-dev"},
    "second_order": {"ADOL-C": "libadolc-dev", "CppAD": "r-cran-tmb"},
    "gradbench": {"ADOL-C": "libadolc-dev", "CppAD": "r-cran-tmb", "Stan Math": "r-cran-stanheaders", "Sacado": "libtrilinos-sacado-dev"},
    "networks": {"OpenBLAS": "libopenblas-dev", "libtorch": "libtorch-dev"},
}
REPETITIONS, SECONDS = 21, 0.02  # of each contestant; of one repetition
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def for_this_processor():
    """The environment of a program. Of processors that OpenBLAS does not know, as in virtual machines, it takes its kernels for SSE3,
    unless it is told better ones."""
    try:
        corename = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
    except OSError:
        return dict(os.environ)
    corename.restype = ctypes.c_char_p
    flags = " ".join(re.findall(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)).split()
    best = "SkylakeX" if "avx512bw" in flags else "Haswell" if "avx2" in flags else None
    return {**({"OPENBLAS_CORETYPE": best} if best and corename() == b"Prescott" else {}), **os.environ}


def rows_of(program):
    """The rows and their contestants, in the order in which they are registered."""
    listed = subprocess.run([program, "--benchmark_list_tests"], capture_output=True, text=True, check=True).stdout
    rows = {}
    for name in listed.splitlines():
        row, contestant = name.removesuffix("/iterations:1").rsplit("/", 1)
        rows.setdefault(row, []).append(contestant)
    return rows


def run_row(program, row, repetitions, seconds):
    """What Google Benchmark reports of each repetition of each contestant of a row."""
    exactly = "^" + re.sub(r"([][.(){}*+?^$|\\])", r"\\\1", row) + "/[^/]*(/iterations:1)?$"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "found.json"
        done = subprocess.run(
            [program, f"--benchmark_filter={exactly}", f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={seconds}",
             "--benchmark_enable_random_interleaving=true", f"--benchmark_out={path}", "--benchmark_out_format=json"],
            capture_output=True, text=True, env=for_this_processor())
        found = json.loads(path.read_text())["benchmarks"] if path.exists() and path.stat().st_size else []
    wrong = [f"{each['name']}: {each['error_message']}" for each in found if each.get("error_occurred")]
    if wrong or done.returncode:
        sys.exit("measure.py: " + ("; ".join(sorted(set(wrong))) or done.stderr[-500:]))
    return [each for each in found if each["run_type"] == "iteration"]


def quartiles(numbers):
    if len(numbers) < 2:
        return [numbers[0]] * 3
    return statistics.quantiles(numbers, n=4, method="inclusive")


def measure(program, only, repetitions, seconds):
    rows = []
    for row, contestants in rows_of(program).items():
        if only and not re.search(only, row):
            continue
        found = run_row(program, row, repetitions, seconds)
        measured = []
        for contestant in contestants:
            runs = [each for each in found if each["name"].removesuffix("/iterations:1") == f"{row}/{contestant}"]
            low, median, high = quartiles([each["cpu_time"] * UNITS[each["time_unit"]] for each in runs])
            entry = {"name": contestant, "median": median, "low": low, "high": high}
            known = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations", "real_time",
                     "cpu_time", "time_unit", "family_index", "per_family_instance_index"}
            counters = {key: value for key, value in runs[0].items() if key not in known}
            measured.append({"name": contestant, **counters} if counters else entry)
        rows.append({"row": row, "contestants": measured})
        print(f"  {row}", flush=True)
    return rows


def measure_by_own_clock(program, only, quick):
    command = [program, *(["--quick"] if quick else [])]
    listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True).stdout
    rows = []
    for row in listed.splitlines():
        if only and not re.search(only, row):
            continue
        done = subprocess.run([*command, "--times", row], capture_output=True, text=True)
        if done.returncode:
            sys.exit("measure.py: " + (done.stderr[-500:] or f"{row}: the program ended with {done.returncode}"))
        measured = []
        for contestant, times in json.loads(done.stdout).items():
            low, median, high = quartiles(times)
            measured.append({"name": contestant, "median": median, "low": low, "high": high})
        rows.append({"row": row, "contestants": measured, "repetitions": len(times)})
        print(f"  {row}", flush=True)
    return rows


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def versions(question):
    """The versions of the packages of other libraries, where dpkg knows them."""
    found = {}
    for library, package in LIBRARIES.get(question, {}).items():
        try:
            asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
        except FileNotFoundError:
            break
        if asked.returncode == 0 and asked.stdout:
            found[library] = f"{package} {asked.stdout}"
    return {"libraries": found} if found else {}


def context(build, repetitions, question):
    cache = (build / "CMakeCache.txt").read_text()
    setting = lambda name: next(iter(re.findall(rf"^{name}:[A-Z]+=(.*)$", cache, re.MULTILINE)), "")
    flags = filter(None, map(setting, ("CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_RELEASE", "CHAINRULE_VECTOR_WIDTH")))
    compiler = subprocess.run([setting("CMAKE_CXX_COMPILER"), "--version"], capture_output=True, text=True, check=True).stdout
    return {"processor": processor(), "cores": os.cpu_count(), "compiler": compiler.splitlines()[0],
            "flags": " ".join(flags).replace(";", " "),
            "date": datetime.date.today().isoformat(), **({"repetitions": repetitions} if repetitions else {}), **versions(question)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build" / "bench")
    parser.add_argument("--to", type=pathlib.Path, default=BENCH.parent / "docs" / "benchmarks")
    parser.add_argument("--only", action="append", choices=[*PROGRAMS, *OWN_CLOCKS, *SCRIPTS], help="a question; may be given more than once")
    parser.add_argument("--row", help="only rows whose name this regular expression finds; they are printed, and nothing is written")
    parser.add_argument("--quick", action="store_true", help="few short repetitions: does it run, do the answers agree?")
    options = parser.parse_args()
    if options.quick and options.to == parser.get_default("to"):
        parser.error("--quick measures too little for docs/benchmarks; name another folder by --to")
    repetitions, seconds = (3, 0.001) if options.quick else (REPETITIONS, SECONDS)
    options.to.mkdir(parents=True, exist_ok=True)
    for question in options.only or [*PROGRAMS, *OWN_CLOCKS, *SCRIPTS]:
        path = options.to / f"{question}.json"
        print(question, flush=True)
        if question in SCRIPTS:
            if not options.quick:
                subprocess.run([sys.executable, SCRIPTS[question], "--json", path], check=True)
            continue
        program = options.build / {**PROGRAMS, **OWN_CLOCKS}[question]
        if not program.exists():
            if options.only:
                sys.exit(f"measure.py --only: {program} is not built; build it first, or leave --only out")
            print(f"  {program} is not built; the question is left out")
            continue
        if question in OWN_CLOCKS:
            rows = measure_by_own_clock(program, options.row, options.quick)
        else:
            rows = measure(program, options.row, repetitions, seconds)
        if not rows:
            sys.exit(f"measure.py --row: '{options.row}' finds no row of {question}; leave --row out for all")
        text = json.dumps({"question": question, "context": context(options.build, None if question in OWN_CLOCKS else repetitions, question), "rows": rows}, indent=1) + "\n"
        if options.row:
            print(text)
        else:
            path.write_text(text)


if __name__ == "__main__":
    main()
