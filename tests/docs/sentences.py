# SPDX-License-Identifier: BSL-1.0
"""Checks that docs/errors.md has the sentence of every static_assert in the headers: `sentences.py ROOT`."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = " ".join((root / "docs" / "errors.md").read_text().split()).replace("\\|", "|")
literal = r'"((?:[^"\\]|\\.)*)"'
assertion = re.compile(r"static_assert\(")
last_text = re.compile(rf"((?:{literal}[\s\\]*)+)\)$")  # backslashes: in macros, behind each line
faults, checked = [], 0


def end_of_call(text, start):
    """The position behind the parenthesis that ends a call whose arguments begin at `start`."""
    depth, in_text, i = 1, False, start
    while depth and i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == '"':
            in_text = not in_text
        elif not in_text:
            depth += {"(": 1, ")": -1}.get(text[i], 0)
        i += 1
    return i


for header in sorted((root / "include").rglob("*.hpp")):
    text = re.sub(r"^ *//.*$", "", header.read_text(), flags=re.MULTILINE)
    for call in assertion.finditer(text):
        found = last_text.search(text[call.end():end_of_call(text, call.end())])
        if found is None:
            continue
        sentence = re.sub(r"\\(.)", r"\1", "".join(re.findall(literal, found.group(1))))
        checked += 1
        if " ".join(sentence.split()) not in page:
            faults.append(f"{header.relative_to(root)}: {sentence}")

for fault in faults:
    print(fault, file=sys.stderr)
print(f"{checked} sentences, {len(faults)} not in docs/errors.md")
sys.exit(1 if faults or checked < 300 else 0)
