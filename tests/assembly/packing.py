# SPDX-License-Identifier: BSL-1.0
"""Checks that a compiler does not collect results into vectors one by one before it stores them, and keeps those of statements on
dual numbers in registers. Compiles results.cpp for AVX-512 and looks for registers of 64 bytes in kernels, in statements on a tape
and a kernel of many operations for the instructions that collect, and in those on dual numbers for results on the stack.

    python3 packing.py COMPILER [FLAG...]
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

OF_KERNEL = re.compile(r"%zmm")
OF_STATEMENT = re.compile(r"\tv?(?:unpcklpd|insertf|movhpd|movlhps|movddup|permt2pd)")
ON_DUAL_NUMBERS = re.compile(r"\tv?mov\w+ +%[xyz]mm\d+,.*\(%rsp\)")


def main():
    compiler, *flags = sys.argv[1:]
    source = pathlib.Path(__file__).with_name("results.cpp")
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "results.o"
        subprocess.run([compiler, *flags, "-O3", "-march=skylake-avx512", "-mprefer-vector-width=512", "-c", source, "-o", made], check=True)
        text = subprocess.run(["objdump", "-drC", "--no-show-raw-insn", made], capture_output=True, text=True, check=True).stdout
    found = collections.Counter()
    for block in text.split("\n\n"):
        head = re.match(r"\s*[0-9a-f]+ <(stored_\w+|alone_\w+|dual_\w+|chainrule::tape::statement_in_registers<double)", block)
        if head and "[clone .cold]" not in block.partition("\n")[0]:
            name = head.group(1)
            sought = OF_KERNEL if name.startswith("stored_") else ON_DUAL_NUMBERS if name.startswith("dual_") else OF_STATEMENT
            found[name] += len(sought.findall(block))
    for function, count in found.items():
        print(f"{function}: {count} instructions collect results or store them on the stack")
    return 0 if len(found) == 10 and not any(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
