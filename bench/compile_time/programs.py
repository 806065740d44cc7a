# SPDX-License-Identifier: BSL-1.0
"""The programs of the compile-time benchmarks: the header alone, an example of two variables, 100 mixed operations, and
ladders: in depth (one long chain), in width (a sum of many independent terms), in sharing (random programs whose results are used
again), in a loop of traced code, in the number of variables of a Jacobian and of a Hessian, and in the statements of a function on
a tape.

A program is a pair of its ladder and its size; measure.py times them and counts.py counts."""
import math
import random

VARIABLES = 10
LATEST = 20  # operands are picked from this many latest names
HEAD = """#include <chainrule/chainrule.hpp>
#include <array>
namespace cr = chainrule;
using namespace cr::literals;

"""


class Number:
    """A value and its gradient, to keep the random expressions well-conditioned and to know their answer."""

    def __init__(self, value, gradient):
        self.value, self.gradient = value, gradient

    def chain(self, value, slope):
        return Number(value, [slope * g for g in self.gradient])

    def with_other(self, other, value, slope, other_slope):
        return Number(value, [slope * g + other_slope * h for g, h in zip(self.gradient, other.gradient)])

    def is_tame(self):
        return 0.1 < abs(self.value) < 4.0 and max(map(abs, self.gradient)) < 100.0


OPERATIONS = {  # name: operands, text, number
    "add": (2, "{} + {}", lambda a, b: a.with_other(b, a.value + b.value, 1.0, 1.0)),
    "subtract": (2, "{} - {}", lambda a, b: a.with_other(b, a.value - b.value, 1.0, -1.0)),
    "multiply": (2, "{} * {}", lambda a, b: a.with_other(b, a.value * b.value, b.value, a.value)),
    "divide": (2, "{} / {}", lambda a, b: a.with_other(b, a.value / b.value, 1.0 / b.value, -a.value / b.value**2)),
    "sin": (1, "sin({})", lambda a: a.chain(math.sin(a.value), math.cos(a.value))),
    "exp": (1, "exp({})", lambda a: a.chain(math.exp(a.value), math.exp(a.value))),
}
WEIGHTS = {"add": 5, "subtract": 4, "multiply": 6, "divide": 3, "sin": 1, "exp": 1}


def random_program(operations, seed=1):
    """The lines of exactly this many operations, and the last one's value and gradient. Nothing is computed in vain: a name
    that would leave the window unused is taken as an operand, and the last operations join what is left."""
    dice = random.Random(seed)
    point = [round(0.6 + 0.13 * i, 2) for i in range(VARIABLES)]
    names = [f"x{i}" for i in range(VARIABLES)]
    numbers = [Number(p, [float(i == j) for j in range(VARIABLES)]) for i, p in enumerate(point)]
    unused = list(range(VARIABLES))
    lines = []

    def append(operation, operands):
        _, text, compute = OPERATIONS[operation]
        names.append(f"t{len(lines)}")
        numbers.append(compute(*(numbers[i] for i in operands)))
        lines.append(f"    constexpr auto {names[-1]} = {text.format(*(names[i] for i in operands))};")
        unused[:] = [i for i in unused if i not in operands] + [len(names) - 1]

    while len(lines) + len(unused) - 1 < operations:
        for _ in range(1000):
            operation = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            window = range(max(0, len(names) - LATEST), len(names))
            leaving = unused[0] < len(names) - LATEST + 2
            operands = [dice.choice(window) for _ in range(OPERATIONS[operation][0])]
            if leaving:
                operands[0] = unused[0]
            try:
                tame = OPERATIONS[operation][2](*(numbers[i] for i in operands)).is_tame()
            except (ArithmeticError, ValueError):
                tame = False
            if tame and (len(operands) == 1 or operands[0] != operands[1]):
                break
        else:
            operation, operands = "sin", [unused[0]]
        append(operation, operands)
    while len(unused) > 1:
        append("add", unused[:2])
    return lines, point, numbers[-1]


def source_of(lines, result, variables, request="value_and_gradient"):
    """A function that returns what is requested of `result`, an expression or several, in x0, x1, ..."""
    declared = "\n".join(f'    constexpr auto x{i} = cr::variable<"x{i}">;' for i in range(variables))
    names = ", ".join(f"x{i}" for i in range(variables))
    body = "\n".join(lines)
    return f"""{HEAD}auto answer(const std::array<double, {variables}>& p) {{
{declared}
{body}
    return cr::function({result}, cr::wrt({names})).{request}(p);
}}
"""


def sharing(operations):
    lines = random_program(operations)[0]
    return source_of(lines, f"t{len(lines) - 1}", VARIABLES)


def random_check(operations):
    """A main function for the random program, which prints value and gradient, and what it should print."""
    _, point, answer = random_program(operations)
    check = f"""
#include <cstdio>
int main() {{
    const auto [value, gradient] = answer({{{", ".join(map(str, point))}}});
    std::printf("%.17g\\n", value);
    for (double each : gradient) std::printf("%.17g\\n", each);
}}
"""
    return check, [answer.value, *answer.gradient]


def depth(operations):
    """sin(... x1 * sin(x0 * x1) ...): each operation needs the one before."""
    lines = [f"    constexpr auto t0 = x0 * x{VARIABLES - 1};"]
    for i in range(1, operations):
        text = "sin(t{})" if i % 2 else "t{} * x" + str(i // 2 % VARIABLES)
        lines.append(f"    constexpr auto t{i} = {text.format(i - 1)};")
    return source_of(lines, f"t{operations - 1}", VARIABLES)


def width(operations):
    """sin(1 * x0) + sin(2 * x1) + ...: three operations for each term."""
    lines = ["    constexpr auto s1 = sin(x0) * 1_c;"]
    terms = (operations + 2) // 3
    for i in range(2, terms + 1):
        lines.append(f"    constexpr auto s{i} = s{i - 1} + sin({i}_c * x{i % VARIABLES});")
    return source_of(lines, f"s{terms}", VARIABLES)


def jacobian(size):
    """As many outputs as variables, each of a few neighbouring variables: Lorenz' model of 1996, with a sine."""
    lines = [f"    constexpr auto f{i} = (x{(i + 1) % size} - x{(i - 2) % size}) * x{(i - 1) % size} - sin(x{i});" for i in range(size)]
    return source_of(lines, f"cr::vector({', '.join(f'f{i}' for i in range(size))})", size, "value_and_jacobian")


def hessian(size):
    """All entries differ from zero: a logarithm of a sum over all variables, and a product with another."""
    lines = ["    constexpr auto s1 = x0 * x0;", "    constexpr auto r1 = x0;"]
    for i in range(1, size):
        lines.append(f"    constexpr auto s{i + 1} = s{i} + {i + 1}_c * x{i} * x{i};")
        lines.append(f"    constexpr auto r{i + 1} = r{i} + x{i} * log(x{i});")
    return source_of(lines, f"log(1_c + s{size}) * r{size}", size, "value_gradient_and_hessian")


def include(_):
    return "#include <chainrule/chainrule.hpp>\n"


def two_variables(_):
    return """#include <chainrule/chainrule.hpp>
#include <cstdio>
namespace cr = chainrule;

int main() {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto F = cr::function(log(x) + x * y - sin(y), cr::wrt(x, y));
    const auto [value, gradient] = F.value_and_gradient(2.0, 5.0);
    std::printf("%.17g %.17g %.17g\\n", value, gradient[0], gradient[1]);
}
"""


def mixed_operations(_):
    return """#include "mixed_operations.hpp"
auto answer(const workloads::point<12>& p) { return workloads::mixed_operations::function().value_and_gradient(p); }
"""


def tape(statements):
    """A function of a tape's numbers with so many assignments, each of one operation."""
    dice = random.Random(1)
    names = [f"x[{i}]" for i in range(4)]
    lines = []
    for i in range(statements):
        operation = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        operands = [dice.choice(names[-LATEST:]) for _ in range(OPERATIONS[operation][0])]
        lines.append(f"    const number t{i} = {OPERATIONS[operation][1].format(*operands)};")
        names.append(f"t{i}")
    body = "\n".join(lines)
    return f"""#include <chainrule/tape.hpp>
using number = chainrule::tape::active<double>;

number answer(const number* x) {{
{body}
    return {names[-1]};
}}
"""


def traced(operations):
    """A loop in traced code: each of its turns is five operations."""
    return f"""#include <chainrule/chainrule.hpp>
constexpr auto F = chainrule::function([](auto x, auto y) {{
    for (int i = 0; i < {operations // 5}; ++i) {{
        const auto z = x * y + 0.25;
        x = y - sin(z);
        y = z / 3.0;
    }}
    return x + y;
}});
auto answer(double x, double y) {{ return F.value_and_gradient(x, y); }}
"""


def sum_over_data(operations):
    """The sum of traced code over rows: each turn of its loop is five operations; two depend on shared numbers alone."""
    return f"""#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>
#include <vector>
constexpr auto x = chainrule::variable<"x">;
constexpr auto a = chainrule::variable<"a">;
auto answer(const std::vector<double>& column) {{
    return chainrule::sum(
        [](auto r, auto s) {{
            for (int i = 0; i < {operations // 5}; ++i) {{
                s = sin(s) * 1.5;
                r = sin(r + 0.25) * s;
            }}
            return r;
        }},
        chainrule::over(x = column), chainrule::wrt(a)).value_and_gradient(0.5);
}}
"""


STEPS = (10, 30, 100, 200, 400, 800, 1600, 2000)
LADDERS = {  # name: the source of a size, and the sizes
    "include": (include, (None,)),
    "two variables": (two_variables, (None,)),
    "100 mixed operations": (mixed_operations, (None,)),
    "sharing": (sharing, STEPS),
    "depth": (depth, STEPS[:5]),  # templates may not recur much deeper
    "width": (width, STEPS),
    "traced": (traced, (200,)),
    "sum over data": (sum_over_data, (200,)),
    "Jacobian": (jacobian, (2, 5, 10, 20)),
    "Hessian": (hessian, (2, 5, 10)),
    "tape": (tape, (100, 300, 1000)),
}
TO_AN_OBJECT = {"tape"}  # ladders whose price is not what the front end makes, but what is made of it


def name_of(ladder, size):
    return ladder if size is None else f"{ladder} {size}"


PROGRAMS = {name_of(ladder, size): (ladder, size) for ladder, (_, sizes) in LADDERS.items() for size in sizes}


def source(name):
    ladder, size = PROGRAMS[name]
    return LADDERS[ladder][0](size)
