# SPDX-License-Identifier: BSL-1.0
"""Checks that what the pages name is there: the target of each link, with its heading, and in the pages on the code each
path in backquotes. Headers may be named from include/chainrule on, other files by their names alone. And that the site,
mkdocs.yml, has every page in its list."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted((root / "docs").rglob("*.md"))
fence = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
link = re.compile(r"\]\(([^()\s]+)\)")
quoted = re.compile(r"`([\w.-]+(?:/[\w.-]+)*/?)`")
is_path = re.compile(r".*/|.*\.(?:hpp|inc|cpp|py|cmake|md|txt)|(?:\.ci|bench|cmake|docs|include|tests)/.*")
PLACEHOLDER = re.compile(r"\b(?:NAME|ROOM)\b")
pages_on_code = {"CONTRIBUTING.md", "how-it-works.md"}
names = {p.name for folder in ("bench", "docs", "include", "tests") for p in (root / folder).rglob("*.*")}
faults, checked = [], 0


def headings(page):
    """The anchors of a page's headings, as GitHub makes them."""
    text = fence.sub("", page.read_text())
    titles = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    anchors = set(re.findall(r'<a id="([^"]+)">', text))
    for title in titles:
        anchor = re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower()).replace(" ", "-")
        anchors.add(next(a for i in range(len(titles)) if (a := f"{anchor}-{i}" if i else anchor) not in anchors))
    return anchors


for page in pages:
    text = fence.sub("", page.read_text())
    name = page.relative_to(root)
    for target in link.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        checked += 1
        if not file.exists():
            faults.append(f"{name}: links to {path}, which is not there")
        elif anchor and file.suffix == ".md" and anchor not in headings(file):
            faults.append(f"{name}: links to {target}, which has no such heading")
    for path in quoted.findall(text) if page.name in pages_on_code else []:
        if not is_path.fullmatch(path) or PLACEHOLDER.search(path):
            continue
        checked += 1
        if path not in names and not any((root / start / path).exists() for start in ("", "include", "include/chainrule")):
            faults.append(f"{name}: names {path}, which is not there")

listed = re.findall(r": ([\w-]+\.md)$", (root / "mkdocs.yml").read_text(), re.MULTILINE)
for page in (root / "docs").glob("*.md"):
    checked += 1
    if listed.count(page.name) != 1:
        faults.append(f"mkdocs.yml: lists {page.name} {listed.count(page.name)} times")

for fault in faults:
    print(fault)
print(f"{checked} links and paths, {len(faults)} wrong")
sys.exit(1 if faults or checked < 100 else 0)
