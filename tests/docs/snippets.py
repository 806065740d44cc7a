# SPDX-License-Identifier: BSL-1.0
"""Compiles every ```cpp block of a Markdown page, and runs those whose output is shown.

    python3 snippets.py [--sample] PAGE.md -- COMPILER [FLAG...]

A block that defines main is compiled as it stands. Any other gets a prelude and a main function: its declarations that
need a namespace (functions, templates, classes, constexpr variables) go before main, its other statements inside.
Blocks with the same includes are compiled together, each in a namespace of its own; if that fails, each alone.
With --sample, blocks that must not compile are left to tests/errors where a test there expects the same sentence, and
blocks that define main are compiled together as well: then the include that one of them lacks may be that of another.

A comment on the line before a block says more about it:

    <!-- continue -->   before ```cpp: goes on with the program of the block before
    <!-- error -->      before ```cpp: must not compile, with the output in the block below
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
{snippets}
int main() {{
{calls}
}}
"""

SNIPPET = """namespace {name} {{
{declarations}
void run() {{
{statements}
}}
}}
"""

END_OF_OUTPUT = "=== end of output ==="
GROUP = 24  # Larger groups need too much memory.
TESTS_OF_ERRORS = pathlib.Path(__file__).resolve().parent.parent / "errors"

BLOCK = re.compile(
    r"^(?:<!-- *(?P<mark>[^\n]*?) *-->\n+)?^```(?P<language>cpp|text)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
MARKS = {"cpp": (None, "continue", "error"), "text": (None, "output")}
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
        if mark not in MARKS[block["language"]]:
            sys.exit(f"snippets.py: <!-- {mark} --> before ```{block['language']} is no mark; the marks are listed in its head")
        if block["language"] == "text":
            if mark == "output":
                found[-1].output += text
        else:
            if mark != "continue":
                found.append(Program(page.count("\n", 0, block.start("text")) + 1, mark != "error"))
            found[-1].code += text
    for program in found:
        if not program.must_compile and not program.output.strip():
            sys.exit(f"snippets.py: the program of line {program.line} must not compile, and no message is given; add an <!-- output --> block")
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


def is_whole(program):
    return "int main" in program.code


def joined(program):
    """A program that defines main as a block that does not, or as it is if that may change its meaning."""
    lines = program.code.splitlines(keepends=True)
    includes = [line for line in lines if line.startswith("#include")]
    rest = "".join(line for line in lines if not line.startswith("#include")).rstrip()
    named = re.search(r"^(?:template <|namespace) *(?:>|std|chainrule)", rest, re.MULTILINE)  # nothing for a namespace
    if "#" in rest or rest.count("int main() {") != 1 or not rest.endswith("}") or named:
        return program
    body = rest.replace("int main() {", "int run_as_block() {").removesuffix("}") + "return 0;\n}\n"
    return dataclasses.replace(program, code="".join(includes) + body)


def directives(code):
    return "".join(line for line in code.splitlines(keepends=True) if DIRECTIVE.match(line.strip()))


def is_joined(program):
    return "int run_as_block" in program.code


def heads(program):
    """What stands before all programs of a group: of a joined one, its includes."""
    found = directives(program.code)
    return "".join(re.findall(r"^#.*\n", found, re.MULTILINE)) if is_joined(program) else found


def source(group):
    """One program of those in a group, with the directives of all."""
    if is_whole(group[0]):
        return group[0].code
    snippets = calls = ""
    for number, program in enumerate(group):
        lines = program.code.splitlines(keepends=True)
        name = f"snippet_{number}"
        if is_joined(program):
            code = "".join(line for line in lines if not line.startswith("#"))
            snippets += f"namespace {name} {{\n{code}}}\n"
            calls += f'{name}::run_as_block();\nstd::cout << "{END_OF_OUTPUT}\\n" << std::flush;\n'
            continue
        rest = list(pieces("".join(line for line in lines if not DIRECTIVE.match(line.strip()))))
        snippets += SNIPPET.format(
            name=name,
            declarations="".join(piece for piece in rest if is_declaration(piece)),
            statements="".join(piece for piece in rest if not is_declaration(piece)),
        )
        calls += f'{name}::run();\nstd::cout << "{END_OF_OUTPUT}\\n" << std::flush;\n'
    lines = dict.fromkeys(line for program in group for line in heads(program).splitlines(keepends=True))
    return PRELUDE.format(directives="".join(lines), snippets=snippets, calls=calls)


def groups(programs):
    """The programs in groups that are compiled together."""
    found = {}
    for number, program in enumerate(programs):
        alone = is_whole(program) or not program.must_compile
        key = number if alone else ("" if is_joined(program) else directives(program.code), bool(program.output))
        found.setdefault(key, []).append(program)
    for group in found.values():
        for first in range(0, len(group), GROUP):
            yield group[first : first + GROUP]


def faults_of(group, compiler, folder):
    """What is wrong with each program of a group, or None; one fault that may be due to any of them stands for all."""
    first = group[0]
    file, executable = folder / "snippet.cpp", folder / "snippet"
    file.write_text(source(group), encoding="utf-8")
    runs = first.must_compile and first.output
    goal = ["-o", str(executable)] if runs else ["-fsyntax-only"]
    compilation = subprocess.run([*compiler, str(file), *goal], capture_output=True, text=True)
    if first.must_compile != (compilation.returncode == 0):
        wanted = "must compile" if first.must_compile else "must not compile"
        return [f"{wanted}:\n{file.read_text(encoding='utf-8')}\n{compilation.stderr}"] * len(group)
    if not first.must_compile:
        if first.output.strip() not in compilation.stderr:
            return [expected_output.report(first.output, compilation.stderr)]
    elif runs:
        printed = subprocess.run([str(executable)], stdout=subprocess.PIPE, text=True, check=len(group) == 1)
        if is_whole(first):
            outputs = [printed.stdout]
        else:
            outputs = printed.stdout.split(END_OF_OUTPUT + "\n")[:-1]
        if printed.returncode or len(outputs) != len(group):
            return ["does not run to its end"] * len(group)
        return [
            None if expected_output.matches(program.output, output) else expected_output.report(program.output, output)
            for program, output in zip(group, outputs)
        ]
    return [None] * len(group)


def is_tested(sentence):
    """Whether a test in tests/errors expects this sentence, or one that has it."""
    return sentence != "" and any(
        sentence in line
        for test in TESTS_OF_ERRORS.glob("*.cpp")
        for line in test.read_text(encoding="utf-8").split("\n")
        if line.startswith("// expect: ")
    )


def main():
    arguments = sys.argv[1:]
    sample = arguments[0] == "--sample"
    page, separator, *compiler = arguments[sample:]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        all_programs = programs(pathlib.Path(page).read_text(encoding="utf-8"))
        together = [joined(program) if sample and program.must_compile else program for program in all_programs]
        for group in groups(together):
            if sample and not group[0].must_compile and is_tested(group[0].output.strip()):
                continue
            messages = faults_of(group, compiler, pathlib.Path(folder))
            if len(group) > 1 and any(messages):
                alone = [program for program in all_programs if program.line in {other.line for other in group}]
                messages = [faults_of([program], compiler, pathlib.Path(folder))[0] for program in alone]
            for program, message in zip(group, messages):
                print(f"{page}:{program.line}: {message or 'ok'}")
                faults += message is not None
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
