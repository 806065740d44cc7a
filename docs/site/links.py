# SPDX-License-Identifier: BSL-1.0
"""Checks that every link of a built site leads to a file and a heading of it: links.py FOLDER."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.names.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def main(folder):
    pages = {path: Page(path) for path in sorted(folder.glob("*.html")) if path.name != "404.html"}
    front = folder / "headers/index.html"  # of Doxygen's pages; it names those of the namespaces
    pages[front] = Page(front)
    links, wrong = 0, []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{path.name}: {link} does not exist")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                wrong.append(f"{path.name}: {link} names no heading")
    print("\n".join(wrong))
    print(f"{len(pages)} pages, {links} links, {len(wrong)} wrong")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
