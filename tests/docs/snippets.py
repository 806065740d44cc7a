# SPDX-License-Identifier: BSL-1.0
"""Compiles every ```cpp block of a Markdown page, and runs those whose output is shown.

    python3 snippets.py PAGE.md -- COMPILER [FLAG...]

A block that defines main is compiled as it stands. Any other gets a prelude and a main function: its declarations that
need a namespace (functions, templates, classes, constexpr variables) go before main, its other statements inside.

A comment on the line before a block says more about it:

    <!-- continue -->   before ```cpp: goes on with the program of the block before
    <!-- error -->      before ```cpp: must not compile
    <!-- output -->     before ```text: what the program above prints, compared as in expected_output.py; for a program
                        that must not compile, text that every compiler prints
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

import expected_output

PRELUDE = """#include <chainrule/chainrule.hpp>
#include <iostream>
{directives}
namespace cr = chainrule;
using namespace cr::literals;
namespace snippet {{
{declarations}
void run() {{
{statements}
}}
}}
int main() {{ snippet::run(); }}
"""

BLOCK = re.compile(
    r"^(?:<!-- *(?P<mark>\w+) *-->\n+)?^```(?P<language>cpp|text)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
DIRECTIVE = re.compile(r"^(?:#.*|using namespace .*;|namespace \w+ = .*;)$")
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[(){}\[\];]", re.DOTALL)
DECLARATION = re.compile(r"(?:constexpr|inline|template|struct|class|enum|namespace|using|concept)\b")
FUNCTION = re.compile(r"(?!return\b|else\b|do\b)\w[\w:<>,&*\s]*[\s&*>]\w+\([^;={]*\)\s*(?:->[^;={]*)?\{")


@dataclasses.dataclass
class Program:
    line: int
    must_compile: bool
    code: str = ""
    output: str = ""


def programs(page):
    """The programs of a page, each with the output shown for it."""
    found = []
    for block in BLOCK.finditer(page):
        mark, text = block["mark"], block["text"]
        if block["language"] == "text":
            if mark == "output":
                found[-1].output += text
        else:
            if mark != "continue":
                found.append(Program(page.count("\n", 0, block.start("text")) + 1, mark != "error"))
            found[-1].code += text
    return found


def pieces(code):
    """Cuts code into statements and declarations: after a semicolon or a line's last brace outside all brackets."""
    depth = start = 0
    for token in TOKEN.finditer(code):
        if token[0] in ("(", "[", "{"):
            depth += 1
        elif token[0] in (")", "]", "}"):
            depth -= 1
        ends_line = re.match(r"[ \t]*(?://|\n|$)", code[token.end() :])
        if depth == 0 and (token[0] == ";" or token[0] == "}" and ends_line):
            yield code[start : token.end()]
            start = token.end()
    yield code[start:]


def is_declaration(piece):
    code = re.sub(r"^(?:\s|//[^\n]*\n)*", "", piece)
    return bool(DECLARATION.match(code) or FUNCTION.match(code))


def source(code):
    """A whole program."""
    if "int main" in code:
        return code
    lines = code.splitlines(keepends=True)
    rest = "".join(line for line in lines if not DIRECTIVE.match(line.strip()))
    return PRELUDE.format(
        directives="".join(line for line in lines if DIRECTIVE.match(line.strip())),
        declarations="".join(piece for piece in pieces(rest) if is_declaration(piece)),
        statements="".join(piece for piece in pieces(rest) if not is_declaration(piece)),
    )


def fault(program, compiler, folder):
    """What is wrong with a program, or None."""
    file, executable = folder / "snippet.cpp", folder / "snippet"
    file.write_text(source(program.code), encoding="utf-8")
    runs = program.must_compile and program.output
    goal = ["-o", str(executable)] if runs else ["-fsyntax-only"]
    compilation = subprocess.run([*compiler, str(file), *goal], capture_output=True, text=True)
    if program.must_compile != (compilation.returncode == 0):
        wanted = "must compile" if program.must_compile else "must not compile"
        return f"{wanted}:\n{file.read_text(encoding='utf-8')}\n{compilation.stderr}"
    if not program.must_compile:
        if program.output.strip() not in compilation.stderr:
            return expected_output.report(program.output, compilation.stderr)
    elif runs:
        printed = subprocess.run([str(executable)], stdout=subprocess.PIPE, text=True, check=True).stdout
        if not expected_output.matches(program.output, printed):
            return expected_output.report(program.output, printed)
    return None


def main():
    page, separator, *compiler = sys.argv[1:]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(pathlib.Path(page).read_text(encoding="utf-8")):
            message = fault(program, compiler, pathlib.Path(folder))
            print(f"{page}:{program.line}: {message or 'ok'}")
            faults += message is not None
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
