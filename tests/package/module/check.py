# SPDX-License-Identifier: BSL-1.0
"""Checks the module `chainrule`: it exports what the headers that it includes offer to users, and nothing else, and
programs that import it compile, link and run: main.cpp, the example of docs/install.md, and one that then includes
headers, of which the module has some and not others.

    python3 check.py ROOT FOLDER CLANG++ [FLAG...]        works in FOLDER

The names in namespace chainrule come from the compiler; those in its nested namespaces are the ones that the pages name.
"""
import pathlib
import re
import subprocess
import sys

ROOT, FOLDER, COMPILER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
sys.path.insert(0, str(ROOT / "tests/headers"))
import names  # noqa: E402

INTERFACE = ROOT / "include/chainrule/chainrule.cppm"
NOT_EXPORTED = {"tensor.hpp", "own_function.hpp"}  # needs Eigen or a CBLAS; has an old name
PAGES_OF_TAPES = ["tape.md", "recordings.md", "large-tapes.md"]
NOT_CALLED = {"each", "heads", "place", "recording", "value", "written"}  # other words in their code
OPERATORS = "+ - * / % ^ & | ~ ! < > += -= *= /= %= ^= &= |= << >> == != <= >= <=> && || ++ -- ,".split()


def run(*command, output=""):
    """Runs a command, which succeeds and prints that."""
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if said.returncode or said.stdout != output:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {said.returncode}\n{said.stdout}")


def operators_after(known, flags):
    """The operators that namespace chainrule has after the lines `known` of a source."""
    source = FOLDER / "operators.cpp"
    uses = [f"using chainrule::operator{symbol};" for symbol in OPERATORS]
    source.write_text("\n".join([*known, "namespace elsewhere {", *uses, "}", ""]))
    said = subprocess.run([*COMPILER, *flags, f"-I{ROOT / 'include'}", "-ferror-limit=0", "-fsyntax-only", str(source)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False).stderr
    absent = {int(line) for line in re.findall(r"operators\.cpp:(\d+):\d+: error", said)}
    return {symbol for line, symbol in enumerate(OPERATORS, len(known) + 2) if line not in absent}


def different(what, expected, exported):
    """Whether two sets differ; prints how."""
    for name in sorted(expected - exported):
        print(f"{INTERFACE.name} does not export {what}{name}")
    for name in sorted(exported - expected):
        print(f"{INTERFACE.name} exports {what}{name}, which is not public")
    return expected != exported


def documented_in(namespace, pages, known):
    """The names of a nested namespace that pages have in their code."""
    words = set().union(*(names.words_in_code(ROOT / "docs" / page) for page in pages))
    return names.names_in(namespace, known, ROOT, COMPILER) & words


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    compiled, module_object = FOLDER / "chainrule.pcm", FOLDER / "chainrule.o"
    run(*COMPILER, f"-I{ROOT / 'include'}", "--precompile", "-x", "c++-module", INTERFACE, "-o", compiled)
    run(COMPILER[0], "-c", compiled, "-o", module_object)
    imports = f"-fmodule-file=chainrule={compiled}"
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    example, printed = re.search(r"```c\+\+\n(.*?)```\n\n```text\n(.*?)```", page, re.S).groups()
    (FOLDER / "example.cpp").write_text(example)
    for source, output in ((pathlib.Path(__file__).with_name("main.cpp"), ""), (FOLDER / "example.cpp", printed)):
        run(*COMPILER, imports, source, module_object, "-o", FOLDER / "program")
        run(FOLDER / "program", output=output)

    (FOLDER / "both.cpp").write_text(
        "import chainrule;\n#include <chainrule/chainrule.hpp>\n#include <chainrule/tape/graphviz.hpp>\n"
        "#include <chainrule/tape/compile.hpp>\n#include <chainrule/interop/odeint.hpp>\n"
        "constexpr auto f = chainrule::function([](auto x) { return x * sin(x); });\n"
        "int main() {\n    chainrule::tape::tape t;\n"
        "    const chainrule::tape::active<double> x = t.variable(2.0), y = x * x;\n"
        "    t.backward(y);\n"
        "    return to_graphviz(t).empty() || x.gradient() != 4.0 || f.gradient(0.0)[0] != 0.0 ? 1 : 0;\n}\n")
    run(*COMPILER, f"-I{ROOT / 'include'}", imports, FOLDER / "both.cpp", module_object, "-o", FOLDER / "program")
    run(FOLDER / "program")

    headers = re.findall(r"^#include <chainrule/.*>$", INTERFACE.read_text(encoding="utf-8"), re.M)
    included = set(re.findall(r"chainrule/(\w+\.hpp)", "".join(headers)))
    public = {path.name for path in (ROOT / "include/chainrule").glob("*.hpp")}
    failed = different("the names of ", public - NOT_EXPORTED, included)
    importing = [*COMPILER, imports]
    exported = {space: names.names_in(space, ["import chainrule;"], ROOT, importing)
                for space in ("chainrule", "chainrule::tape")}
    failed |= different("chainrule::", names.names_in("chainrule", headers, ROOT, COMPILER), exported["chainrule"])
    in_pages = documented_in("chainrule::tape", PAGES_OF_TAPES, headers) - NOT_CALLED
    failed |= different("chainrule::tape::", in_pages, exported["chainrule::tape"])
    failed |= different("operator", operators_after(headers, []), operators_after(["import chainrule;"], [imports]))
    print(f"{len(exported['chainrule'])} names, {'not ' if failed else ''}as public as in the headers")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
