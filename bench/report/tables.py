#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the tables of docs/benchmarks.md from the JSON files beside it, each between its marks:

    <!-- table: peers -->
    <!-- end of table -->

With --check nothing is written; exits with 1 where a table is not what its file says or one is missing.
"""
import argparse
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
MARKS = re.compile(r"(<!-- table: ([a-z_]+)(?: ([^>]*?))? -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)


def load(question):
    return json.loads((DOCS / "benchmarks" / f"{question}.json").read_text())


def duration(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size:  # what rounds to 1000 of a unit is 1 of the next
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def ratio(contestant, first):
    """The median over the first's, and half the distance of the quartiles."""
    return (contestant["median"] / first["median"], (contestant["high"] - contestant["low"]) / 2 / first["median"])


def ratio_text(contestant, first):
    middle, spread = ratio(contestant, first)
    digits = 3 if middle < 0.01 else 2 if middle < 10 else 1 if middle < 100 else 0
    return f"{middle:.{digits}f} ± {spread:.{digits}f}"


def written(head, lines):
    rule = ["---", *["---" if text in ("machine", "compiler", "flags", "package of Debian", "in") else "---:" for text in head[1:]]]
    return "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *lines])


def names_in_order(rows):
    """The contestants of all rows, each once, the first of a row before what follows it."""
    names = []
    for row in rows:
        for contestant in row["contestants"]:
            if contestant["name"] not in names:
                names.append(contestant["name"])
    return names


def ratios_by_contestant(rows):
    """Contestants below, rows of the benchmark across: the first's time, and ratios to it."""
    lines = []
    for name in names_in_order(rows):
        cells = []
        for row in rows:
            first = row["contestants"][0]
            its = next((c for c in row["contestants"] if c["name"] == name), None)
            cells.append("" if its is None else duration(its["median"]) if its is first else ratio_text(its, first))
        lines.append([name, *cells])
    return written(["", *[row["row"] for row in rows]], lines)


def ratios_by_row(rows):
    """Rows of the benchmark below, contestants across."""
    names = names_in_order(rows)
    lines = []
    for row in rows:
        first = row["contestants"][0]
        of = {c["name"]: c for c in row["contestants"]}
        lines.append([row["row"], duration(first["median"]),
                      *[ratio_text(of[name], first) if name in of else "" for name in names[1:]]])
    return written(["", *names], lines)


def growth(rows):
    lines = []
    for row in rows:
        of = {c["name"]: c for c in row["contestants"]}
        value, gradient = of["value"], of["value and gradient"]
        tapes = [c for name, c in of.items() if name.startswith("tape")]
        tape = min(tapes, key=lambda c: c["median"])
        lines.append([row["row"].replace(":", ": "), duration(value["median"]), duration(gradient["median"]), ratio_text(gradient, value),
                      duration(tape["median"]), ratio_text(tape, value)])
    return written(["", "value", "value and gradient", "factor", "tape", "factor"], lines)


def memory(rows):
    lines = []
    for row in rows:
        for c in row["contestants"]:
            lines.append([f"{row['row']}: {c['name']}", f"{c['operations']:,.0f}", f"{c['bytes']:,.0f}", f"{c['bytes per operation']:.1f}"])
    return written(["", "operations", "bytes", "bytes per operation"], lines)


def instructions(rows):
    compilers = list(dict.fromkeys(row["compiler"] for row in rows))
    of = {(row["workload"], row["compiler"]): row for row in rows}
    lines = []
    for workload in dict.fromkeys(row["workload"] for row in rows):
        cells = []
        for compiler in compilers:
            its = of.get((workload, compiler))
            cells += [f"{its['derived']:.0f}", f"{its['by_hand']:.0f}", f"{its['derived'] / its['by_hand']:.3f}"] if its else [""] * 3
        lines.append([workload.replace("_", " "), *cells])
    return written(["", *[text for c in compilers for text in (f"{c}: derived", "by hand", "ratio")]], lines)


def compile_time(rows):
    compilers = list(dict.fromkeys(row["compiler"] for row in rows))
    of = {(row["ladder"], row["size"], row["compiler"]): row for row in rows}
    units = {row["compiler"]: row["count_unit"] for row in reversed(rows)}  # of the first row; programs of the tape count their objects
    lines = []
    for ladder, size in dict.fromkeys((row["ladder"], row["size"]) for row in rows):
        cells = []
        for compiler in compilers:
            its = of.get((ladder, size, compiler))
            if not its:
                cells += [""] * 4
                continue
            count = f"{its['count']:,.0f}" if its["count_unit"] == units[compiler] else ""
            cells += [f"{its['cpu']:.2f}", f"{its['memory_mb']:.0f}", f"{its['object_bytes'] / 1024:.0f}", count]
        lines.append([f"{ladder}: {size}" if size else ladder, *cells])
    return written(["", *[text for c in compilers for text in (f"{c}: CPU s", "peak MB", "object KiB", units[c])]], lines)


def contexts():
    """On what each question was measured."""
    lines = []
    for question in TABLES:
        on = load(question)["context"]
        compilers = on.get("compiler") or "; ".join(on["compilers"].values())
        machine = f"{on['processor']}, {on['cores']} processors" if "processor" in on else "any: counted by valgrind"
        lines.append([question.replace("_", " "), machine, compilers, f"`{on['flags']}`", on.get("date", "")])
    return written(["", "machine", "compiler", "flags", "date"], lines)


def versions():
    """The versions of other libraries, and in which questions they take part."""
    of = {}
    for question in TABLES:
        for library, package in load(question)["context"].get("libraries", {}).items():
            of.setdefault((library, package), []).append(question.replace("_", " "))
    return written(["library", "package of Debian", "in"], [[library, f"`{package}`", ", ".join(where)] for (library, package), where in of.items()])


TABLES = {"modes": ratios_by_row, "peers": ratios_by_contestant, "second_order": ratios_by_row, "gradbench": ratios_by_row, "networks": ratios_by_contestant, "growth": growth, "memory": memory,
          "instructions": instructions, "compile_time": compile_time}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a table is outdated or missing")
    options = parser.parse_args()
    page = DOCS / "benchmarks.md"
    text = page.read_text()

    def filled(match):
        mark, question, part, _, end = match.groups()
        if question in ("context", "versions"):
            return mark + "\n" + (contexts() if question == "context" else versions()) + "\n" + end
        rows = load(question)["rows"]
        if part:
            rows = [row for row in rows if re.search(part, row.get("row", row.get("ladder", "")))]
            if not rows:
                sys.exit(f"docs/benchmarks.md: <!-- table: {question} {part} --> finds no row; correct its expression")
        return mark + "\n" + TABLES[question](rows) + "\n" + end

    new = MARKS.sub(filled, text)
    if options.check:
        if new != text:
            print("docs/benchmarks.md: a table is not what docs/benchmarks/*.json says; run bench/report/tables.py")
            return 1
        missing = {*TABLES, "context", "versions"} - {question for _, question, *_ in MARKS.findall(text)}
        if missing:
            print(f"docs/benchmarks.md: no marks for the tables {', '.join(sorted(missing))}; write <!-- table: NAME --> and <!-- end of table -->")
            return 1
        print(f"{len(MARKS.findall(text))} tables are what their files say")
        return 0
    page.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
