#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Asks bench/gradbench/protocol.py for every eval as GradBench does: protocol.py PROTOCOL TOOL. The answers expected are
those of formulas written anew here, or by central differences of the eval's own objective."""
import json
import math
import pathlib
import subprocess
import sys

GMM = {"d": 2, "k": 2, "n": 2, "gamma": 1.5, "m": 1, "x": [[0.1, 0.2], [0.3, 0.4]], "alpha": [0.1, 0.3],
       "mu": [[0.2, 0.1], [0.5, 0.6]], "q": [[0.1, -0.1], [0.2, 0.3]], "l": [[0.5], [-0.4]]}
LSTM = {"main_params": [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18]],
        "extra_params": [[0.5, 0.6], [0.7, 0.8], [0.2, 0.1]], "state": [[0.3, 0.4], [0.6, 0.1]],
        "sequence": [[1, 0], [1, 1], [0, 1]]}
BA = {"n": 2, "m": 3, "p": 20, "cam": [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 1.1, 0.1, 0.2, 0.01, 0.001], "x": [0.3, 0.4, 3.0],
      "w": 0.9, "feat": [0.2, 0.3]}


def hand(shift=0.0):
    """Seven vertices that hang on all 22 bones, three points in triangles; the bones' matrices turn about z."""
    def bone(i, j):
        c, s = math.cos(0.3 * i + j), math.sin(0.3 * i + j)
        return [[c, -s, 0, 0.1 * i], [s, c, 0, 0.2 - 0.1 * j], [0, 0, 1, 0.05 * i], [0, 0, 0, 1]]

    bones = range(22)
    model = {"parents": [-1] + [0 if i % 4 == 1 else i - 1 for i in range(1, 22)],
             "base_relatives": [bone(i, 0) for i in bones], "inverse_base_absolutes": [bone(i, 1) for i in bones],
             "base_positions": [[0.1 * v, 0.3 - 0.1 * v, 0.2 * v * v, 1] for v in range(7)],
             "weights": [[0.1 * ((i + v) % 3) for i in bones] for v in range(7)],
             "triangles": [[0, 1, 2], [3, 4, 5], [6, 0, 3]], "is_mirrored": True}
    return {"theta": [0.2 + shift] + [0.1 + 0.02 * i for i in range(25)],
            "data": {"model": model, "correspondences": [2, 0, 1], "points": [[0.1, 0.2, 0.3]] * 3},
            "us": [[0.2, 0.3], [0.1, 0.5], [0.6, 0.2]]}


def mixture(given):
    """The log posterior density of a mixture of Gaussians with Wishart's prior, term by term as in ADBench's article."""
    d, k, n, gamma, m = (given[name] for name in ("d", "k", "n", "gamma", "m"))

    def factor(j):  # lower triangular, the diagonal in logarithms, column by column below it
        rows = [[0.0] * d for _ in range(d)]
        below = iter(given["l"][j])
        for c in range(d):
            rows[c][c] = math.exp(given["q"][j][c])
            for r in range(c + 1, d):
                rows[r][c] = next(below)
        return rows

    def log_sum_exp(terms):
        return math.log(sum(math.exp(t) for t in terms))

    def log_density(x, j):
        apart = [a - b for a, b in zip(x, given["mu"][j])]
        image = [sum(q * a for q, a in zip(row, apart)) for row in factor(j)]
        return sum(given["q"][j]) - 0.5 * sum(z * z for z in image) - 0.5 * d * math.log(2 * math.pi)

    freedom, total = d + m + 1, 0.0
    for x in given["x"]:
        total += log_sum_exp([given["alpha"][j] + log_density(x, j) for j in range(k)]) - log_sum_exp(given["alpha"])
    for j in range(k):
        squares = sum(z * z for row in factor(j) for z in row)
        log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(0.5 * (freedom - i)) for i in range(d))
        norm = freedom * d * (math.log(gamma) - 0.5 * math.log(2)) - log_gamma
        total += norm - 0.5 * gamma**2 * squares + m * sum(given["q"][j])
    return total


POWERS = [math.exp(x - 3.0) for x in (1.0, 2.0, 3.0)]

ASKED = [  # module, function, input, output
    ("hello", "square", 3.0, 9.0),
    ("hello", "double", 9.0, 18.0),
    ("llsq", "primal", {"x": [1.0, 0.5], "n": 3}, 0.5 * (1.5**2 + 1.0 + 0.5**2)),
    ("llsq", "gradient", {"x": [1.0, 0.5], "n": 3}, [1.5 + 1.0 + 0.5, -1.5 + 0.5]),
    ("lse", "primal", {"x": [1.0, 2.0, 3.0]}, 3.0 + math.log(sum(POWERS))),
    ("gmm", "objective", GMM, mixture(GMM)),
    ("det", "primal", {"A": [1.0, 2.0, 3.0, 5.0], "ell": 2}, -1.0),
    ("lse", "gradient", {"x": [1.0, 2.0, 3.0]}, [p / sum(POWERS) for p in POWERS]),
    ("kmeans", "dir", {"points": [[0, 0], [1, 1], [5, 5], [6, 7]], "centroids": [[1, 1], [6, 7]]}, [[0.5, 0.5], [0.5, 1]]),
    ("det", "gradient", {"A": [1.0, 2.0, 3.0, 5.0], "ell": 2}, [5.0, -3.0, -2.0, 1.0]),
    ("ode", "primal", {"x": [0.5, 0.25, 1.5], "s": 10}, [1.0, 0.25, 0.25]),
    *(("particle", function, {"w": 0.0}, 0.2071918746486116) for function in ("ff", "fr", "rf", "rr")),
    ("ode", "gradient", {"x": [0.5, 0.25, 1.5], "s": 10}, [0.5, 1.0, 1.0 / 6.0]),
]


def numbers(value):
    return [x for part in value for x in numbers(part)] if isinstance(value, list) else [value]


def main():
    protocol, tool = sys.argv[1:]
    messages = [{"kind": "start"}, {"kind": "define", "module": "det"}, {"kind": "define", "module": "no such"}]

    def ask(module, function, given):
        if module != "hello":  # its input is a number
            given = {**given, "min_runs": 2, "min_seconds": 0}
        messages.append({"kind": "evaluate", "module": module, "function": function, "input": given})
        return len(messages) - 1

    def changed(given, name, step):  # the first number of an input
        copy = json.loads(json.dumps(given))
        inner = copy[name]
        while isinstance(inner[0], list):
            inner = inner[0]
        inner[0] += step
        return copy

    places = [ask(module, function, given) for module, function, given, _ in ASKED]
    differences = []
    for module, given, name, pick in (("gmm", GMM, "q", lambda o: o["q"][0][0]),
                                      ("gmm", GMM, "alpha", lambda o: o["alpha"][0]),
                                      ("lstm", LSTM, "main_params", lambda o: o[0]),
                                      ("ba", BA, "cam", lambda o: o["vals"][0])):
        ends = [ask(module, "objective", changed(given, name, step)) for step in (-1e-6, 1e-6)]
        differences.append((ends, ask(module, "jacobian", given), pick))
    saddles = [ask("saddle", function, {"start": [1.0, 1.0]}) for function in ("ff", "fr", "rf", "rr")]
    hands = [ask("ht", "objective", hand(step)) for step in (-1e-6, 1e-6)] + [ask("ht", "jacobian", hand())]
    lines = "".join(json.dumps({"id": i, **m}) + "\n" for i, m in enumerate(messages))
    done = subprocess.run([sys.executable, protocol, tool], input=lines, text=True, capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["id"] for a in answers] == list(range(len(messages)))
    assert answers[0]["tool"] == "chainrule" and answers[1]["success"] and not answers[2]["success"]
    evals = pathlib.Path(protocol).parent.joinpath("tool/evals.txt").read_text(encoding="utf-8").split()
    assert evals == sorted({m["module"] for m in messages[3:]}), evals
    for place in range(3, len(messages)):
        assert answers[place]["success"], answers[place]
        runs = 1 if messages[place]["module"] == "hello" else 2
        assert [t["name"] for t in answers[place]["timings"]] == ["prepare"] + runs * ["evaluate"]

    def close(found, expected, tolerance):
        found, expected = numbers(found), numbers(expected)
        assert len(found) == len(expected), (found, expected)
        for a, b in zip(found, expected):
            assert abs(a - b) <= tolerance * (1.0 + abs(b)), (found, expected)

    for place, (_, _, _, expected) in zip(places, ASKED):
        close(answers[place]["output"], expected, 1e-12)
    for ends, derivative, pick in differences:
        low, high = (answers[end]["output"] for end in ends)
        if isinstance(low, dict):
            low, high = (o["reproj_error"]["elements"][0] for o in (low, high))
        close(pick(answers[derivative]["output"]), (high - low) / 2e-6, 1e-7)
    for place in saddles:  # the descents end where a step is shorter than 1e-5
        close(answers[place]["output"], [0.0] * 4, 2e-5)
    low, high, slopes = (answers[place]["output"] for place in hands)
    assert len(slopes) == 9 and all(len(row) == 28 for row in slopes), slopes
    close([row[2] for row in slopes], [(b - a) / 2e-6 for a, b in zip(low, high)], 1e-7)
    jacobian = answers[differences[-1][1]]["output"]
    assert jacobian["rows"][-1] == 31 * BA["p"] and jacobian["cols"][-1] == 11 * 2 + 3 * 3 + 19, jacobian
    print(f"{len(messages)} messages are answered")


if __name__ == "__main__":
    main()
