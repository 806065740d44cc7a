#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What does the compiler pay? User + system seconds and peak memory of each compiler for the umbrella header alone, the
two-variable example, 100 mixed operations over 12 variables, and 400 and 800 random shared operations over 10 variables.

Each file is compiled to an object with -O2; the figures are the least of --runs runs. --limits holds g++ against the budget
(LIMITS below) and exits with 1 where one is passed. --check also runs the random programs and compares their derivatives with
those the generator computed.

    python3 bench/compile_time/measure.py
    python3 bench/compile_time/measure.py --compiler g++ --runs 1 --only "400 operations"
"""
import argparse
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent
LIMITS = {  # seconds and MB for g++ -O2
    "include": (0.45, 130),
    "two variables": (0.6, None),
    "100 mixed operations": (1.0, None),
    "400 operations": (2.5, None),
    "800 operations": (6.0, None),
}
PATIENCE = 120  # seconds, after which a compiler is stopped
VARIABLES = 10
LATEST = 20  # operands are picked from this many latest names


class Number:
    """A value and its gradient, to keep the random expressions well-conditioned and to know their answer."""

    def __init__(self, value, gradient):
        self.value, self.gradient = value, gradient

    def chain(self, value, slope):
        return Number(value, [slope * g for g in self.gradient])

    def with_other(self, other, value, slope, other_slope):
        return Number(value, [slope * g + other_slope * h for g, h in zip(self.gradient, other.gradient)])

    def is_tame(self):
        return 0.1 < abs(self.value) < 4.0 and max(map(abs, self.gradient)) < 100.0


OPERATIONS = {  # name: operands, text, number
    "add": (2, "{} + {}", lambda a, b: a.with_other(b, a.value + b.value, 1.0, 1.0)),
    "subtract": (2, "{} - {}", lambda a, b: a.with_other(b, a.value - b.value, 1.0, -1.0)),
    "multiply": (2, "{} * {}", lambda a, b: a.with_other(b, a.value * b.value, b.value, a.value)),
    "divide": (2, "{} / {}", lambda a, b: a.with_other(b, a.value / b.value, 1.0 / b.value, -a.value / b.value**2)),
    "sin": (1, "sin({})", lambda a: a.chain(math.sin(a.value), math.cos(a.value))),
    "exp": (1, "exp({})", lambda a: a.chain(math.exp(a.value), math.exp(a.value))),
}
WEIGHTS = {"add": 5, "subtract": 4, "multiply": 6, "divide": 3, "sin": 1, "exp": 1}


def random_program(operations, seed=1):
    """The lines of exactly this many operations, and the last one's value and gradient. Nothing is computed in vain: a name
    that would leave the window unused is taken as an operand, and the last operations join what is left."""
    dice = random.Random(seed)
    point = [round(0.6 + 0.13 * i, 2) for i in range(VARIABLES)]
    names = [f"x{i}" for i in range(VARIABLES)]
    numbers = [Number(p, [float(i == j) for j in range(VARIABLES)]) for i, p in enumerate(point)]
    unused = list(range(VARIABLES))
    lines = []

    def append(operation, operands):
        _, text, compute = OPERATIONS[operation]
        names.append(f"t{len(lines)}")
        numbers.append(compute(*(numbers[i] for i in operands)))
        lines.append(f"    constexpr auto {names[-1]} = {text.format(*(names[i] for i in operands))};")
        unused[:] = [i for i in unused if i not in operands] + [len(names) - 1]

    while len(lines) + len(unused) - 1 < operations:
        for _ in range(1000):
            operation = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            window = range(max(0, len(names) - LATEST), len(names))
            leaving = unused[0] < len(names) - LATEST + 2
            operands = [dice.choice(window) for _ in range(OPERATIONS[operation][0])]
            if leaving:
                operands[0] = unused[0]
            try:
                tame = OPERATIONS[operation][2](*(numbers[i] for i in operands)).is_tame()
            except (ArithmeticError, ValueError):
                tame = False
            if tame and (len(operands) == 1 or operands[0] != operands[1]):
                break
        else:
            operation, operands = "sin", [unused[0]]
        append(operation, operands)
    while len(unused) > 1:
        append("add", unused[:2])
    return lines, point, numbers[-1]


def random_source(operations):
    lines, point, answer = random_program(operations)
    variables = "\n".join(f'    constexpr auto x{i} = cr::variable<"x{i}">;' for i in range(VARIABLES))
    body = "\n".join(lines)
    names = ", ".join(f"x{i}" for i in range(VARIABLES))
    source = f"""#include <chainrule/chainrule.hpp>
#include <array>
namespace cr = chainrule;

auto answer(const std::array<double, {VARIABLES}>& p) {{
{variables}
{body}
    return cr::function(t{operations - 1}, cr::wrt({names})).value_and_gradient(p);
}}
"""
    check = f"""
#include <cstdio>
int main() {{
    const auto [value, gradient] = answer({{{", ".join(map(str, point))}}});
    std::printf("%.17g\\n", value);
    for (double each : gradient) std::printf("%.17g\\n", each);
}}
"""
    return source, check, [answer.value, *answer.gradient]


INCLUDE = "#include <chainrule/chainrule.hpp>\n"
TWO_VARIABLES = """#include <chainrule/chainrule.hpp>
#include <cstdio>
namespace cr = chainrule;

int main() {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto F = cr::function(log(x) + x * y - sin(y), cr::wrt(x, y));
    const auto [value, gradient] = F.value_and_gradient(2.0, 5.0);
    std::printf("%.17g %.17g %.17g\\n", value, gradient[0], gradient[1]);
}
"""
MIXED = """#include "mixed_operations.hpp"
auto answer(const workloads::point<12>& p) { return workloads::mixed_operations::function().value_and_gradient(p); }
"""
SOURCES = {
    "include": lambda: (INCLUDE, None, None),
    "two variables": lambda: (TWO_VARIABLES, None, None),
    "100 mixed operations": lambda: (MIXED, None, None),
    "400 operations": lambda: random_source(400),
    "800 operations": lambda: random_source(800),
}


def run(command):
    """Exit status, user + system seconds and peak memory in MB, of the command and all it starts; and its errors."""
    process = subprocess.Popen(["timeout", str(PATIENCE), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, errors


def first_error(errors):
    return next((line[:400] for line in errors.split("\n") if "error:" in line), errors[:400])


def answers_agree(compile_command, folder, source, check, expected):
    path, program = folder / "check.cpp", folder / "check"
    path.write_text(source + check)
    subprocess.run([*compile_command, path, "-o", program], check=True)
    numbers = map(float, subprocess.run([program], capture_output=True, text=True, check=True).stdout.split())
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(numbers, expected, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", action="append", help="may be given more than once; default: g++ and clang++-19")
    parser.add_argument("--flags", default="-O2")
    parser.add_argument("--include", default=BENCH.parent / "include")
    parser.add_argument("--only", action="append", choices=SOURCES, help="may be given more than once")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="run the random programs too and compare their derivatives")
    parser.add_argument("--limits", action="store_true", help="exit with 1 if g++ passes its budget")
    options = parser.parse_args()
    compilers = options.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]
    good = True
    print(f"{'':22}" + "".join(f"{compiler + ' ' + options.flags:>22}" for compiler in compilers))
    print(f"{'':22}" + f"{'seconds':>14}{'MB':>8}" * len(compilers))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what in options.only or SOURCES:
            source, check, expected = SOURCES[what]()
            path = folder / "measured.cpp"
            path.write_text(source)
            row, problems = f"{what:22}", []
            for compiler in compilers:
                command = [*compiler.split(), "-std=c++20", *options.flags.split(), f"-I{options.include}",
                           f"-I{BENCH / 'workloads'}"]
                runs = []
                while len(runs) < options.runs and not (runs and runs[-1][0]):
                    runs.append(run([*command, "-c", path, "-o", folder / "measured.o"]))
                failed = next((run for run in runs if run[0]), None)
                if failed:
                    late = failed[0] == 124
                    row += f"{f'over {PATIENCE}' if late else 'fails':>14}{'':8}"
                    problems.append(f"{compiler}, {what}: {'stopped' if late else first_error(failed[3])}")
                    continue
                seconds, memory = (min(run[i] for run in runs) for i in (1, 2))
                row += f"{seconds:14.2f}{memory:8.0f}"
                most_seconds, most_memory = LIMITS[what]
                if options.limits and compiler.startswith("g++"):
                    if seconds > most_seconds or (most_memory and memory > most_memory):
                        problems.append(f"{compiler}, {what}: the budget is {most_seconds} s, {most_memory or 'any'} MB")
                if options.check and check and not answers_agree(command, folder, source, check, expected):
                    problems.append(f"{compiler}, {what}: wrong derivatives")
            print(row, flush=True)
            for problem in problems:
                print(problem, file=sys.stderr)
            good = good and not problems
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
