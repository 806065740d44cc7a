# SPDX-License-Identifier: BSL-1.0
"""Checks that dot draws the picture beside a .dot file. Compares nodes, arrows and labels, but not their positions, which depend on
the version of Graphviz.

    python3 same_picture.py DOT PICTURE.dot PICTURE.svg
"""
import re
import subprocess
import sys


def parts(svg):
    return sorted(re.findall(r"<title>.*?</title>|<text[^>]*>(.*?)</text>", svg)), sorted(re.findall(r"<title>(.*?)</title>", svg))


def main():
    dot, graph, picture = sys.argv[1:]
    drawn = subprocess.run([dot, "-Tsvg", graph], capture_output=True, text=True, check=True).stdout
    with open(picture, encoding="utf-8") as file:
        committed = file.read()
    if parts(drawn) != parts(committed):
        sys.exit(f"{picture} is not the picture of {graph}; build the target `pictures`")
    if len(parts(committed)[1]) < 5:
        sys.exit(f"{picture} has hardly any nodes")
    print("the same nodes, arrows and labels")


if __name__ == "__main__":
    main()
