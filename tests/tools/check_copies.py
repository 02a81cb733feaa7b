#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of random computations written out outside of loops, of slices, strided or not, of arguments of their own or both, with or
without state that one copy hands to the next, of slices or all of one array, in random orders of the text: what --roll-loops makes of them is valid and computes
the same on the interpreter, to the bit.

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


STATES = ["add", "subtract", "product", "lerp", "choose"]


def next_state(lines, pick, made, copy, name, op, inputs):
    """What the copy makes of the state `name`, of ops of the state alone and of values of its own."""
    state, (first, second) = made[name], (made[value] for value in inputs)
    out = f"%n_{name}_{copy}"
    lines.append(f"%h_{name}_{copy} = stablehlo.multiply {state}, %half : {ROWS}")
    if op == "product":
        lines.append(f"%d_{name}_{copy} = stablehlo.dot_general {first}, %w1, contracting_dims = [1] x [0] : ({ROWS}, {WEIGHT}) -> {ROWS}")
        lines.append(f"{out} = stablehlo.add %d_{name}_{copy}, %h_{name}_{copy} : {ROWS}")
    elif op == "lerp":
        lines.append(f"%d_{name}_{copy} = stablehlo.subtract {first}, {state} : {ROWS}")
        lines.append(f"%e_{name}_{copy} = stablehlo.constant dense<{1 / (copy + 1)}> : {ROWS}")
        lines.append(f"%f_{name}_{copy} = stablehlo.multiply %d_{name}_{copy}, %e_{name}_{copy} : {ROWS}")
        lines.append(f"{out} = stablehlo.add {state}, %f_{name}_{copy} : {ROWS}")
    elif op == "choose":  # reads values and the state in regions
        lines.append(
            f'{out} = "stablehlo.if"(%is) ({{ %g_{name}_{copy} = stablehlo.add {first}, {state} : {ROWS} '
            f"stablehlo.return %g_{name}_{copy} : {ROWS} }}, {{ stablehlo.return %h_{name}_{copy} : {ROWS} }}) : (tensor<i1>) -> {ROWS}"
        )
    else:
        lines.append(f"{out} = stablehlo.{op} %h_{name}_{copy}, {second} : {ROWS}")
    return out


def program_of_one_array(seed):
    """Copies that read no slices, all the same."""
    return program_with_states(seed, is_one=True)


def program_with_states(seed, is_one=False):
    pick = random.Random(seed)
    n_copies, n_states = pick.choice([2, 3, 4]), pick.randint(1, 3)
    arguments = [f"%w{i}: {WEIGHT}" for i in range(3)] + [f"%c{i}: {ROWS}" for i in range(3)]
    arguments += [f"%x: tensor<{2 * n_copies}x4xf32>", f"%one: {ROWS}", "%is: tensor<i1>"] + [f"%p{i}: {ROWS}" for i in range(n_states)]
    states = [f"s{i}" for i in range(n_states)]
    names, recipe = ["x", *states, "v"], [("v", "multiply", ("x", pick.choice(states)), 1)]
    for i in range(pick.randint(1, 7)):
        recipe.append((f"v{i}", pick.choice(OPS), (pick.choice(names), pick.choice(names)), pick.randrange(1, 9)))
        names.append(f"v{i}")
    recipe.append(("last", "product", ("v", "v"), 0))
    names.append("last")
    made_of = [name for name in names if name[0] in "vl"]
    kinds = {name: (pick.choice(STATES), [pick.choice(made_of) for _ in range(2)]) for name in states}
    kinds[states[-1]] = (pick.choice(STATES), ["last", "last"])
    begins_late = pick.random() < 0.2  # the first copy makes the first state and reads none
    lines = [f"%half = stablehlo.constant dense<0.5> : {ROWS}", f"%zero = stablehlo.constant dense<0.0> : {ROWS}"]
    now = {name: pick.choice([f"%p{i}", "%zero", "%c0"]) for i, name in enumerate(states)}
    copies = []
    for copy in range(n_copies):
        made = {"x": f"%x_{copy}", **now}
        if is_one:
            made["x"] = "%one"
        else:
            lines.append(f"%x_{copy} = stablehlo.slice %x [{2 * copy}:{2 * copy + 2}, 0:4] : (tensor<{2 * n_copies}x4xf32>) -> {ROWS}")
        for name, op, inputs, number in recipe:
            one_op(lines, made, copy, name, op, inputs, number, False)
        if copy == 0 and begins_late:
            now[states[0]] = made["last"]
        for name in states[begins_late and copy == 0 :]:
            now[name] = next_state(lines, pick, made, copy, name, *kinds[name])
        copies.append(made)
    results = [now[name] for name in states if pick.random() < 0.8] or [now[states[0]]]
    results += [add_up(lines, pick, copies, pick.choice(names[-3:]), i) for i in range(pick.randint(0, 2))]
    if pick.random() < 0.4:
        name = pick.choice(names[1:])
        lines.append(f"%z = stablehlo.multiply {copies[0][name]}, {copies[-1][name]} : {ROWS}")
        results.append("%z")
    types = ", ".join([ROWS] * len(results))
    text = "\n".join(shuffled(lines, pick))
    return f"func.func @main({', '.join(arguments)}) -> ({types}) {{\n{text}\nreturn {', '.join(results)} : {types}\n}}\n"


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


def check(binary, program, seed, work):
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
    is_bad = False
    for make in (program, program_with_states, program_of_one_array):
        n_rolled, n_wrong = 0, 0
        with tempfile.TemporaryDirectory() as work:
            for seed in seeds:
                is_rolled, wrong = check(binary, make, seed, pathlib.Path(work))
                n_rolled += is_rolled
                n_wrong += wrong != ""
                if wrong:
                    print(f"seed {seed}: {wrong}")
        print(f"{make.__name__}: {len(seeds)} programs, {n_rolled} rolled up, {n_wrong} wrong")
        is_bad |= n_wrong != 0 or n_rolled < len(seeds) // 3
    sys.exit(is_bad)


main()
