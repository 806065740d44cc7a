#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws the plots of docs/benchmarks from the JSON files beside them (Debian: apt-get install python3-matplotlib)."""
import math
import re
import sys

import tables

try:
    import matplotlib
except ImportError:
    sys.exit("plots.py: matplotlib is not found; install it (Debian: apt-get install python3-matplotlib)")

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "chainrule", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True, "legend.frameon": False, "figure.facecolor": "white",
})
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999", "#8c510a", "#5e3c99", "#4d9221",
           "#b2182b", "#01665e"]  # after Okabe and Ito, to be told apart by everybody; then further ones
MARKERS = "osD^vP*X<>hdp"
# The order of those that are in several plots. The others follow as they appear.
SERIES = ["chainrule compile-time", "chainrule tape", "chainrule dual", "chainrule, relaxed", "by hand", "by hand, SIMD",
          "chainrule compile-time and a loop", "value", "chainrule tape, recorded once", "CppAD", "CppAD, recorded once", "ADOL-C",
          "ADOL-C, recorded once", "g++ 12", "clang++ 19", "tape, one measurement", "value in a loop"]
# Other names of the same thing.
ALSO = {"value and gradient": "chainrule compile-time", "tape": "chainrule tape", "tape, all measurements": "chainrule tape"}
WIDTH = 8.6  # inches: 830 pixels, as wide as pages show a plot, so that letters keep their size


def style_of(name):
    """The colour and the marker of a series, the same in every plot. Colours repeat with other markers."""
    name = ALSO.get(name, name)
    if name not in SERIES:
        SERIES.append(name)
    k, count = SERIES.index(name), len(COLOURS)
    return {"color": COLOURS[k % count], "marker": MARKERS[(k + 5 * (k // count)) % count]}


def save(figure, name):
    figure.savefig(tables.DOCS / "benchmarks" / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


def plain(number, _):
    """A number on an axis, as people write it."""
    return f"{number:g}" if 1e-3 < number < 1e5 else f"$10^{{{round(math.log10(number))}}}$"


def duration(seconds, _):
    """A time on an axis, with its unit."""
    unit, size = next((unit, size) for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 0)) if seconds > 0.999 * size)
    return f"{seconds / (size or 1e-9):.3g} {unit}"


def mark(axis, most=7, written=plain):
    """Powers of ten on a logarithmic axis, and 2 and 5 of each where there is room; nothing at other lines."""
    low, high = axis.get_view_interval()
    decades = math.log10(high / low)
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < most / 3 else (1,), numticks=50))
    axis.set_major_formatter(FuncFormatter(written))
    axis.set_minor_formatter(NullFormatter())


def log_axis(axes, label):
    axes.set_xscale("log")
    axes.set_xlabel(label)
    mark(axes.xaxis)


def contestants(question, label):
    """A line for each row of the benchmark, on it every contestant's ratio to the first."""
    rows = tables.load(question)["rows"]
    names = tables.names_in_order(rows)
    figure, axes = plt.subplots(figsize=(4.4, 0.36 * len(rows) + 1.0))
    for name in names[1:]:
        points = [(tables.ratio(c, row["contestants"][0]), y) for y, row in enumerate(rows) for c in row["contestants"] if c["name"] == name]
        if points:
            axes.errorbar([p[0][0] for p in points], [p[1] for p in points], xerr=[p[0][1] for p in points], **style_of(name),
                          markersize=5, label=name, linestyle="none", elinewidth=1)
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set_yticks(range(len(rows)), [row["row"] for row in rows])
    axes.invert_yaxis()
    log_axis(axes, label)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save(figure, question)


def curves(axes, rows, names, of_row):
    for name in names:
        points = [(of_row(row), c["median"]) for row in rows for c in row["contestants"] if c["name"] == name]
        if points:
            axes.plot(*zip(*points), **style_of(name), markersize=4, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    mark(axes.xaxis)
    mark(axes.yaxis, written=duration)


def number_in(row):
    return int(re.search(r":(\d+)", row["row"]).group(1))


def modes():
    rows = tables.load("modes")["rows"]
    figure, both = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    for axes, what in zip(both, ("Rosenbrock", "Helmholtz")):
        chosen = [row for row in rows if row["row"].startswith(f"{what}, n:")]
        curves(axes, chosen, tables.names_in_order(chosen), number_in)
        axes.set_title(what)
        axes.set_xlabel("variables")
        axes.set_ylabel("time of value and gradient")
        axes.legend(fontsize=8)
    figure.tight_layout()
    save(figure, "modes")


def growth():
    rows = tables.load("growth")["rows"]
    figure, three = plt.subplots(2, 2, figsize=(WIDTH, 6.4))
    three = list(three.flat)
    for axes, what, label in zip(three, ("operations", "variables", "data"), ("operations", "variables", "measurements")):
        chosen = [row for row in rows if row["row"].startswith(what + ":")]
        curves(axes, chosen, tables.names_in_order(chosen), number_in)
        value = [(number_in(row), 4 * c["median"]) for row in chosen for c in row["contestants"] if c["name"] == "value"]
        axes.plot(*zip(*value), color="#999999", linestyle="dashed", label="4 times the value: the theory's bound")
        axes.set_xlabel(label)
        axes.set_ylabel("time")
    # One legend, in the free corner.
    entries = {label: line for axes in three for line, label in zip(*axes.get_legend_handles_labels())}
    three[3].axis("off")
    three[3].legend(entries.values(), entries.keys(), loc="center")
    figure.tight_layout()
    save(figure, "growth")


def memory():
    rows = tables.load("memory")["rows"]
    lines = [(f"{row['row']}: {c['name']}", c["bytes per operation"]) for row in rows for c in row["contestants"]]
    figure, axes = plt.subplots(figsize=(5.5, 0.3 * len(lines) + 0.8))
    # Points: a logarithmic axis has no zero from which the length of a bar could be seen.
    axes.plot([bytes_ for _, bytes_ in lines], range(len(lines)), "o", color=COLOURS[0])
    axes.set_yticks(range(len(lines)), [name for name, _ in lines])
    axes.invert_yaxis()
    log_axis(axes, "bytes per operation")
    save(figure, "memory")


def compile_time():
    rows = [row for row in tables.load("compile_time")["rows"] if row["size"]]
    sizes = {row["ladder"]: set() for row in rows}
    for row in rows:
        sizes[row["ladder"]].add(row["size"])
    ladders = [ladder for ladder, of in sizes.items() if len(of) > 1]
    measures = {"Jacobian": "variables", "Hessian": "variables", "tape": "statements"}
    kinds = (("cpu", "CPU seconds"), ("memory_mb", "peak memory, MB"), ("count", "counts, relative"))
    figure, grid = plt.subplots(len(ladders), len(kinds), figsize=(WIDTH, 2.3 * len(ladders)), squeeze=False)
    for line, ladder in zip(grid, ladders):
        for axes, (key, label) in zip(line, kinds):
            for compiler in dict.fromkeys(row["compiler"] for row in rows):
                points = [(row["size"], row[key]) for row in rows if row["ladder"] == ladder and row["compiler"] == compiler]
                if not points:
                    continue
                if key == "count":
                    points = [(x, y / points[0][1]) for x, y in points]
                axes.plot(*zip(*points), **style_of(compiler), markersize=4, label=compiler)
            axes.set_yscale("log")
            mark(axes.yaxis, 6)
            log_axis(axes, measures.get(ladder, "operations"))
            axes.set_title(f"{ladder}: {label}", fontsize=9)
    grid[0][0].legend(fontsize=8)
    figure.tight_layout()
    save(figure, "compile_time")


PLOTS = {"modes": modes, "peers": lambda: contestants("peers", "time over that of the hand-written code"),
         "second_order": lambda: contestants("second_order", "time over that of the hand-written code"),
         "networks": lambda: contestants("networks", "time over that by hand around OpenBLAS"), "growth": growth, "memory": memory,
         "compile_time": compile_time}


def main():
    for question, draw in PLOTS.items():
        if (tables.DOCS / "benchmarks" / f"{question}.json").exists():
            draw()


if __name__ == "__main__":
    main()
