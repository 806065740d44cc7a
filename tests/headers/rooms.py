# SPDX-License-Identifier: BSL-1.0
"""Checks the rooms of include/chainrule: includes go down only, also in the order of chainrule.hpp, headers do not
include one another in a circle, and a room's namespace has its name. `rooms.py ROOT --draw` prints which room includes
which."""

import pathlib
import re
import sys

# From the ground up. Rooms of one line do not see one another. The headers in front of the rooms of batch/ and tape/ have
# what users call.
ORDER = [
    ["functions"],
    ["core"],
    ["expression"],
    ["graph"],
    ["trace"],
    ["differentiate"],
    ["optimise"],
    ["codegen"],
    ["kernel"],
    ["entry"],
    ["symbolic"],
    ["print"],
    ["matrices"],
    ["algebra"],
    ["custom_function"],
    ["dual"],
    ["batch/lanes"],
    ["batch/data", "batch/rows"],
    ["batch/execution"],
    ["batch/roots", "batch/sums"],
    ["batch"],
    ["batch/fits"],
    ["steps"],
    ["tape/recording"],
    ["tape/derivatives"],
    ["tape/sparse"],
    ["tape/replay"],
    ["tape/compiled"],
    ["tape"],
    ["tensor/storage"],
    ["tensor/kernels"],
    ["tensor/graph"],
    ["tensor/operations"],
    ["tensor/files"],
    ["tensor/training"],
    ["tensor/layers", "tensor/static_network"],
    ["interop"],
]
# Namespaces that are a room's own; the others are public, or detail. The concept `expression` keeps the namespace of that
# room from being called so.
NAMESPACES = {"core": "core", "expression": "expressions", "graph": "graph", "differentiate": "differentiate",
              "optimise": "optimise", "codegen": "codegen", "kernel": "kernel", "batch": "batches",
              "steps": "stepping"}

root = pathlib.Path(sys.argv[1])
level = {room: i for i, rooms in enumerate(ORDER) for room in rooms}
include = re.compile(r"^#include <chainrule/([^>]+\.hpp)>", re.MULTILINE)
headers = {str(p.relative_to(root)): p.read_text() for p in sorted(root.rglob("*.hpp"))}
includes = {h: include.findall(text) for h, text in headers.items()}
faults = []


def room_of(header):
    """The room of a header, or None where it is a door: a header in front of the rooms, which users include."""
    parts = header.split("/")
    if parts[0] == "tensor":
        return "/".join(parts[:2]) if len(parts) > 2 else None
    if parts[0] in ("batch", "tape"):
        return "/".join(parts[:-1])
    return parts[0] if len(parts) > 1 else None


def is_alias(header):
    """The old place of a header: nothing but one include."""
    return re.fullmatch(r"(//[^\n]*\n|\n|#pragma once\n|#include <chainrule/[^>]+>\n)*", headers[header]) is not None


for header, included in includes.items():
    room = room_of(header)
    if room is not None and room not in level and not is_alias(header):
        faults.append(f"{header}: {room} is in no place of the order in tests/headers/rooms.py")
        continue
    for other in included:
        if other not in headers:
            faults.append(f"{header}: includes {other}, which is not there")
        elif room in level and room_of(other) is None:
            faults.append(f"{header}: includes {other}, a door for users; include the header that has what is needed")
        elif room in level and room_of(other) != room and level[room_of(other)] >= level[room]:
            faults.append(f"{header}: includes {other}, which is in a room above {room} or beside it")

visited, path = set(), []


def visit(header):
    if header in path:
        faults.append("a circle: " + " -> ".join(path[path.index(header):] + [header]))
    if header in visited or header not in includes:
        return
    visited.add(header)
    path.append(header)
    for other in includes[header]:
        visit(other)
    path.pop()


for header in includes:
    visit(header)

for header, text in headers.items():
    room = room_of(header)
    for name in re.findall(r"^namespace (?:chainrule::)?(\w+) \{\s*$", text, re.MULTILINE):
        owner = next((r for r, n in NAMESPACES.items() if n == name), None)
        if owner is not None and owner != header.split("/")[0] and header != "core/rooms.hpp" and not header.startswith("tensor/"):
            faults.append(f"{header}: adds to namespace {name}, which belongs to the room {owner}")

below = [(level[room_of(o)], o) for o in includes["chainrule.hpp"] if room_of(o) in level]
for (upper, _), (lower, other) in zip(below, below[1:]):
    if lower < upper:
        faults.append(f"chainrule.hpp: includes {other} after a room above it")

if "--draw" in sys.argv:
    for rooms in ORDER:
        for room in rooms:
            seen = sorted({room_of(o) for h in headers if room_of(h) == room for o in includes[h]} - {room, None}, key=level.get)
            print(f"{room:24} {' '.join(seen)}")

for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
