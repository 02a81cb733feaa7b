#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of random computations written out outside of loops, of slices, strided or not, of arguments of their own or both, in random
orders of the text: what --roll-loops makes of them is valid and computes the same on the interpreter, to the bit.

usage: check_copies.py BUILD-DIRECTORY [FIRST-SEED LAST-SEED]"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROWS, WEIGHT = "tensor<2x4xf32>", "tensor<4x4xf32>"
OPS = ["tanh", "negate", "add", "multiply", "subtract", "product", "own", "shared"]


def one_op(lines, made, copy, name, op, inputs, number, is_odd):
    """An op of a copy; `made` names what the copy has so far."""
    first, second = (made[value] for value in inputs)
    out = f"%{name}_{copy}"
    if op in ("tanh", "negate"):
        lines.append(f"{out} = stablehlo.{'cosine' if is_odd else op} {first} : {ROWS}")
    elif op in ("add", "multiply", "subtract"):
        lines.append(f"{out} = stablehlo.{op} {first}, {second} : {ROWS}")
    elif op == "product":
        lines.append(f"{out} = stablehlo.dot_general {first}, %w{number % 3}, contracting_dims = [1] x [0] : ({ROWS}, {WEIGHT}) -> {ROWS}")
    elif op == "shared":
        lines.append(f"{out} = stablehlo.multiply {first}, %c{number % 3} : {ROWS}")
    else:  # made of nothing of the copy; in the first one perhaps of fewer ops
        source = f"%c{number % 3}"
        if copy != 0 or number % 2:
            lines.append(f"%k_{name}_{copy} = stablehlo.constant dense<{(copy + number) / 8}> : {ROWS}")
            lines.append(f"%o_{name}_{copy} = stablehlo.add {source}, %k_{name}_{copy} : {ROWS}")
            source = f"%o_{name}_{copy}"
        lines.append(f"%t_{name}_{copy} = stablehlo.tanh {source} : {ROWS}")
        lines.append(f"{out} = stablehlo.multiply {first}, %t_{name}_{copy} : {ROWS}")
    made[name] = out


def add_up(lines, pick, copies, name, number):
    """The value `name` of all copies, added one after the other; the sum's name."""
    order = list(range(len(copies)))
    if pick.random() < 0.3:
        order.reverse()
    total = "%zero" if pick.random() < 0.5 else copies[order.pop(0)][name]
    is_left = pick.random() < 0.3
    for copy in order:
        term = copies[copy][name]
        lines.append(f"%s{number}_{copy} = stablehlo.add {term if is_left else total}, {total if is_left else term} : {ROWS}")
        total = f"%s{number}_{copy}"
    return total


def shuffled(lines, pick):
    """Each line in a random place behind those that it reads."""
    makers = {line.split(" = ")[0]: number for number, line in enumerate(lines)}
    waits = [{makers[name] for name in re.findall(r"%\w+", line.split(" = ", 1)[1]) if name in makers} for line in lines]
    done, order = set(), []
    while len(order) < len(lines):
        number = pick.choice([number for number in range(len(lines)) if number not in done and waits[number] <= done])
        done.add(number)
        order.append(lines[number])
    return order


def program(seed):
    pick = random.Random(seed)
    n_copies, begins = pick.choice([2, 3, 4]), pick.choice([["x"], ["a"], ["x", "a"]])
    arguments = [f"%w{i}: {WEIGHT}" for i in range(3)] + [f"%c{i}: {ROWS}" for i in range(3)]
    if "x" in begins:
        arguments.append(f"%x: tensor<{2 * n_copies}x4xf32>")
    if "a" in begins:
        arguments += [f"%a{copy}: {ROWS}" for copy in range(n_copies)]
    names, recipe = list(begins), []
    for i in range(pick.randint(3, 9)):
        recipe.append((f"v{i}", pick.choice(OPS), (pick.choice(names), pick.choice(names)), pick.randrange(1, 9)))
        names.append(f"v{i}")
    recipe.append(("last", "product", (pick.choice(names),) * 2, 0))
    names.append("last")
    is_strided = pick.random() < 0.4
    is_odd, lines, copies = pick.random() < 0.15, [f"%zero = stablehlo.constant dense<0.0> : {ROWS}"], []
    for copy in range(n_copies):
        made = {"a": f"%a{copy}", "x": f"%x_{copy}"}
        if "x" in begins:
            rows = f"{copy}:{2 * n_copies}:{n_copies}" if is_strided else f"{2 * copy}:{2 * copy + 2}"
            lines.append(f"%x_{copy} = stablehlo.slice %x [{rows}, 0:4] : (tensor<{2 * n_copies}x4xf32>) -> {ROWS}")
        for name, op, inputs, number in recipe:
            one_op(lines, made, copy, name, op, inputs, number, is_odd and copy == 1 and name == "v1")
        copies.append(made)
    results = [add_up(lines, pick, copies, pick.choice(names[-3:]), i) for i in range(pick.randint(1, 3))]
    if pick.random() < 0.6:
        name = pick.choice(names)
        lines.append(f"%z = stablehlo.multiply {copies[0][name]}, {copies[-1][name]} : {ROWS}")
        results.append("%z")
    kinds = ", ".join([ROWS] * len(results))
    text = "\n".join(shuffled(lines, pick))
    return f"func.func @main({', '.join(arguments)}) -> ({kinds}) {{\n{text}\nreturn {', '.join(results)} : {kinds}\n}}\n"


def run(*command):
    return subprocess.run([str(c) for c in command], check=False, text=True, capture_output=True)


def rolled_alone(text):
    """The function that is offered, as main of its own; None: none is."""
    if "echo.rolled" not in text:
        return None
    start = text.index("  func.func", text.index("func.func @main(") + 1)
    return "module {\n" + text[start:].replace("@main_0", "@main").replace(" attributes {echo.rolled = @main}", "")


def check(binary, seed, work):
    """Whether there was a loop, and what is wrong with it."""
    written, rolled, values = work / "written.mlir", work / "rolled.mlir", work / "values.npz"
    written.write_text(program(seed))
    done = run(binary / "echo-opt", written, "--pass-pipeline=builtin.module(canonicalize,cse,dce,roll-loops)", "-o", "-")
    if done.returncode != 0:
        return False, done.stderr
    text = rolled_alone(done.stdout)
    if text is None:
        return False, ""
    rolled.write_text(text)
    for step in ((written, f"--outputs={values}"), (rolled, f"--expect={values}", "--rtol=0", "--atol=0")):
        done = run(binary / "echo-run", *step, "--device=interpreter", "--steps=1", "--quiet")
        if done.returncode != 0:
            return True, done.stdout + done.stderr
    return True, ""


def main():
    binary = pathlib.Path(sys.argv[1]).resolve() / "bin"
    seeds = range(*(int(seed) for seed in sys.argv[2:4])) if len(sys.argv) > 2 else range(60)
    n_rolled, n_wrong = 0, 0
    with tempfile.TemporaryDirectory() as work:
        for seed in seeds:
            is_rolled, wrong = check(binary, seed, pathlib.Path(work))
            n_rolled += is_rolled
            n_wrong += wrong != ""
            if wrong:
                print(f"seed {seed}: {wrong}")
    print(f"{len(seeds)} programs, {n_rolled} rolled up, {n_wrong} wrong")
    sys.exit(n_wrong != 0 or n_rolled < len(seeds) // 3)


main()
