#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Speaks GradBench's protocol: a JSON message a line on standard input, its response on standard output. So it is a tool for
its command line, `gradbench repl`, and others: protocol.py TOOL, where TOOL is the program built from tool.cpp."""
import argparse
import json
import math
import subprocess
import sys


def flat(rows):
    return [x for row in rows for x in row]


def rows(numbers, width):
    return [numbers[i : i + width] for i in range(0, len(numbers), width)]


def lstm_input(given):
    layers, characters, bits = len(given["main_params"]) // 2, len(given["sequence"]), len(given["extra_params"][0])
    return [layers, characters, bits, *flat(given["state"]), *flat(given["sequence"]), *flat(given["main_params"]),
            *flat(given["extra_params"])]


def gmm_input(given):
    return [given["d"], given["k"], given["n"], given["gamma"], given["m"], *flat(given["x"]), *given["alpha"],
            *flat(given["mu"]), *flat(given["q"]), *flat(given["l"])]


def kmeans_input(given):
    points, centroids = given["points"], given["centroids"]
    return [len(points), len(centroids), len(points[0]), *flat(points), *flat(centroids)]


def ht_input(given):
    """The first bone and those that hang on it have the parents -1 and 0."""
    data, model = given["data"], given["data"]["model"]
    return [len(model["parents"]), len(model["base_positions"]), len(model["triangles"]), len(data["points"]),
            int(len(given["us"]) > 0), int(model["is_mirrored"]), *(max(0, bone) for bone in model["parents"]),
            *flat(map(flat, model["base_relatives"])), *flat(map(flat, model["inverse_base_absolutes"])),
            *flat(vertex[:3] for vertex in model["base_positions"]), *flat(model["weights"]), *flat(model["triangles"]),
            *data["correspondences"], *flat(data["points"]), *given["theta"], *flat(given["us"])]


INPUTS = {  # the numbers of an eval in the order in which its read() takes them
    "ba": lambda i: [i["n"], i["m"], i["p"], *i["cam"], *i["x"], i["w"], *i["feat"]],
    "det": lambda i: [i["ell"], *i["A"]],
    "gmm": gmm_input,
    "hello": lambda i: [i],
    "ht": ht_input,
    "kmeans": kmeans_input,
    "llsq": lambda i: [i["n"], len(i["x"]), *i["x"]],
    "lse": lambda i: [len(i["x"]), *i["x"]],
    "lstm": lstm_input,
    "ode": lambda i: [i["s"], len(i["x"]), *i["x"]],
    "particle": lambda i: [i["w"]],
    "saddle": lambda i: i["start"],
}
PRIMALS = {"primal", "objective", "cost", "square"}  # what the evals call their undifferentiated function
MODES = {"ff", "fr", "rf", "rr"}  # nested derivatives, outer mode first


def gmm_constant(given):
    """What the objective has in addition: the constants of the normal density and of Wishart's."""
    d, k, n, gamma, m = (given[name] for name in ("d", "k", "n", "gamma", "m"))
    freedom = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(0.5 * (freedom - i)) for i in range(d))
    wishart = freedom * d * (math.log(gamma) - 0.5 * math.log(2)) - log_gamma
    return -0.5 * n * d * math.log(2 * math.pi) + k * wishart


def ba_jacobian(numbers, given):
    """The sparse matrix as the eval abbreviates it: the first 30 entries of rows, columns and values, and the last."""
    cameras, points, p = 11 * given["n"], 3 * given["m"], given["p"]
    columns = 2 * [*range(11), *range(cameras, cameras + 3), cameras + points]
    return {"rows": [*range(0, 15 * 30, 15), 31 * p], "cols": [*columns, cameras + points + p - 1],
            "vals": [*numbers[:30], numbers[-1]]}


def gmm_jacobian(numbers, given):
    d, k = given["d"], given["k"]
    means, logs, triangles = k, k + k * d, k + 2 * k * d
    size = d * (d - 1) // 2
    return {"alpha": numbers[:k], "mu": rows(numbers[means:logs], d), "q": rows(numbers[logs:triangles], d),
            "l": rows(numbers[triangles:], size) if size else [[] for _ in range(k)]}


def output(module, primal, numbers, given):
    if primal and module == "ba":
        p = given["p"]
        return {"reproj_error": {"elements": numbers[:2], "repeated": p}, "w_err": {"element": numbers[-1], "repeated": p}}
    if primal and module == "gmm":
        return numbers[0] + gmm_constant(given)
    if primal or module in {"hello", "particle"}:
        return numbers if module in {"ht", "ode"} else numbers[0]
    if module == "ht":
        return rows(numbers, len(given["theta"]) + (2 if given["us"] else 0))
    if module == "kmeans":
        return rows(numbers, len(given["centroids"][0]))
    return {"ba": ba_jacobian, "gmm": gmm_jacobian}.get(module, lambda n, _: n)(numbers, given)


def unknown(module):
    return {"success": False, "error": f"there is no eval '{module}' here"}


def evaluate(tool, module, function, given):
    primal = function in PRIMALS
    computed = function if function in MODES else "primal" if primal else "gradient"
    runs = given if module != "hello" else {}
    text = " ".join(map(repr, [runs.get("min_runs", 1), runs.get("min_seconds", 0), *INPUTS[module](given)]))
    done = subprocess.run([tool, module, computed], input=text, text=True, capture_output=True)
    if done.returncode != 0:
        return {"success": False, "error": done.stderr}
    numbers, preparing, times = done.stdout.splitlines()
    timings = [{"name": "prepare", "nanoseconds": int(preparing)}]
    timings += [{"name": "evaluate", "nanoseconds": int(t)} for t in times.split()]
    return {"success": True, "output": output(module, primal, [float(x) for x in numbers.split()], given),
            "timings": timings}


def respond(tool, message):
    kind = message["kind"]
    if kind == "start":
        return {"tool": "chainrule"}
    if kind == "define":
        return {"success": True} if message["module"] in INPUTS else unknown(message["module"])
    if kind == "evaluate" and message["module"] not in INPUTS:
        return unknown(message["module"])
    if kind == "evaluate":
        return evaluate(tool, message["module"], message["function"], message["input"])
    return {}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", help="the program built from tool.cpp")
    tool = parser.parse_args().tool
    for line in sys.stdin:
        message = json.loads(line)
        print(json.dumps({"id": message["id"], **respond(tool, message)}), flush=True)


if __name__ == "__main__":
    main()
