# SPDX-License-Identifier: BSL-1.0
"""Compares what a program prints with what is written down.

Each line must be equal, except that a written line `/regex/` stands for any line that the regular expression matches
whole (times, for instance), and a written line `...` for any number of lines.

    python3 expected_output.py EXPECTED_FILE PROGRAM [ARGUMENT...]
"""

import re
import subprocess
import sys


def pattern(line):
    if line == "...":
        return r"(?:[^\n]*\n)*?"
    if len(line) > 1 and line.startswith("/") and line.endswith("/"):
        return f"(?:{line[1:-1]})\n"
    return re.escape(line) + "\n"


def matches(expected, actual):
    patterns = [pattern(line.rstrip()) for line in expected.rstrip().splitlines()]
    lines = [line.rstrip() + "\n" for line in actual.rstrip().splitlines()]
    return re.fullmatch("".join(patterns), "".join(lines)) is not None


def report(expected, actual):
    return f"expected:\n{expected.rstrip()}\n\nprinted:\n{actual.rstrip()}"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        expected = file.read()
    run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, text=True, check=True)
    if not matches(expected, run.stdout):
        sys.exit(report(expected, run.stdout))
