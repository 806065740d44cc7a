# SPDX-License-Identifier: BSL-1.0
"""Turns README.md and the pages of docs/ into those of the site: mkdocs.yml names this file as a hook.

README.md becomes the first page. The site has the pages and pictures of docs/ alone, so links to other files of the
repository lead to the address in repo_url, or are plain text where there is none.
"""

import os
import posixpath
import re

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
KEPT = (".md", ".svg", ".png", ".css")


def on_files(files, config):
    for file in list(files):
        if not file.src_path.startswith("assets/") and not file.src_path.endswith(KEPT):
            files.remove(file)
    front = File("index.md", config["docs_dir"], config["site_dir"], config["use_directory_urls"])
    front.abs_src_path = os.path.join(os.path.dirname(config["docs_dir"]), "README.md")
    files.append(front)
    return files


def on_nav(nav, config, files):
    nav.items.append(Link("What headers declare", "headers/index.html"))  # docs/site/Doxyfile
    return nav


def on_page_markdown(markdown, page, config, files):
    folder = "" if page.file.src_path == "index.md" else "docs"

    def replaced(match):
        picture, text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group(0)
        path, _, heading = target.partition("#")
        from_root = posixpath.normpath(posixpath.join(folder, path))
        inside = posixpath.relpath(from_root, "docs")
        if files.get_file_from_path(inside):
            return f"{picture}[{text}]({inside}{'#' + heading if heading else ''})"
        if config["repo_url"]:
            return f"[{text}]({config['repo_url'].rstrip('/')}/blob/main/{from_root})"
        return text

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in parts)
