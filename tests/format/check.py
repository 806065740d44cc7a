# SPDX-License-Identifier: BSL-1.0
"""Checks that clang-format 19 would leave every source as it is, and that no line is longer than 120 columns.

    python3 check.py            names the files and lines at fault
    python3 check.py --write    formats them
"""
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = "19"  # others break lines in other places
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("include", "tests", "bench", "docs")
ENDS = ("hpp", "cpp", "cppm")
LONGEST = 120
MAY_BE_LONGER = re.compile(r"^// expect: |^ *-?[0-9.]{100,}")  # a sentence of a compiler, a number of many digits


def formatter():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", said):
                return path
    return None


def main():
    program = formatter()
    if program is None:
        print(f"clang-format {VERSION} is not found (Debian: clang-format-{VERSION}); nothing is checked")
        return 0
    sources = sorted(str(p) for folder in FOLDERS for end in ENDS for p in (ROOT / folder).rglob(f"*.{end}"))
    if "--write" in sys.argv[1:]:
        return subprocess.run([program, "-i", *sources]).returncode
    found = subprocess.run([program, "--dry-run", *sources], capture_output=True, text=True).stderr
    faults = re.findall(r"^(\S+:\d+:\d+): warning: code should be clang-formatted", found, re.MULTILINE)
    for source in sources:
        for number, line in enumerate(pathlib.Path(source).read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > LONGEST and not MAY_BE_LONGER.match(line):
                faults.append(f"{source}:{number}: {len(line)} columns")
    print(*faults, sep="\n")
    if faults:
        print(f"{len(faults)} places are not formatted; python3 tests/format/check.py --write mends all but long lines")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
