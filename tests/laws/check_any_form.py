#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Echo saves does not depend on how a step was written: real steps with their ops in other legal orders, with the loss
returned twice, with all results in a tuple and with what is elementwise computed on flat arrays, come to the same peak and the same predicted time. So does a step in a loop, with the ops of
the loop's body in other orders, of one that holds two copies of what it repeats, too; and a step of microbatches written out one
after the other, cut from one array or arguments each.

usage: check_any_form.py BUILD-DIRECTORY

Where the order given is better than all that are found from the dataflow alone (KEEPS_ITS_ORDER), another order of the text may
cost what that is worth; two others come to the same all the same."""

import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

STEPS = {
    "transformer": "nets --model=transformer --layers=2 --hidden=64 --heads=2 --length=32 --batch=4 --classes=200",
    "resnet": "nets --model=resnet50 --batch=2",
    "unet": "nets --model=unet --batch=1",
    "vgg": "nets --model=vgg16 --image=32 --classes=10 --batch=16 --batch-norm",
    "nmt": "nmt --layers=1 --hidden=32 --batch=8 --length=6 --vocab=100 --dropout=0.2",
}
KEEPS_ITS_ORDER = {"nmt", "unet", "microbatches", "microbatches as arguments"}
LOOPS = {"microbatches in a loop over steps": "golden/echo/bodies.mlir", "a scan of two copies": "golden/echo/scan_unrolled.mlir", "a scan with a remainder": "golden/echo/scan_remainder.mlir"}  # under tests/
PRICES = [0, 1, 2, 5, 10, 20]  # percent
FACTS = ["echo.off_bytes", "echo.on_bytes", "echo.off_ns", "echo.on_ns"]


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True, capture_output=True, **options).stdout


def main_start(lines):
    """Where main's ops begin, in the generic form."""
    return next(i for i, line in enumerate(lines) if '"func.func"' in line and 'sym_name = "main"' in line) + 2


def body_start(lines):
    """Where those of the last loop's body begin; of loops inside each other, the innermost one's."""
    loop = max(i for i, line in enumerate(lines) if '"stablehlo.while"' in line)
    indent = len(lines[loop]) - len(lines[loop].lstrip())
    return next(i for i in range(loop, len(lines)) if lines[i] == " " * indent + "}, {") + 2


def split(text, find_start=main_start):
    """The lines before a block, its ops (each a list of lines), its terminator, and what follows."""
    lines = text.split("\n")
    start = find_start(lines)
    indent = len(lines[start]) - len(lines[start].lstrip())
    ops, end = [], start
    while len(lines[end]) - len(lines[end].lstrip()) >= indent:
        if len(lines[end]) - len(lines[end].lstrip()) == indent and not re.match(r"\s*(\}|\^)", lines[end]):
            ops.append([])
        ops[-1].append(lines[end])
        end += 1
    return lines[:start], ops[:-1], ops[-1], lines[end:]


def permuted(text, seed, find_start=main_start):
    """The ops of a block in a random order in which each follows what it reads."""
    before, ops, terminator, after = split(text, find_start)
    defined = {}
    for number, op in enumerate(ops):
        match = re.match(r"\s*(%\w+)(:\d+)?\s*=", op[0])
        if match:
            defined[match.group(1)] = number
    waits = [{defined[name] for name in re.findall(r"%\w+", "\n".join(op)) if name in defined} - {number} for number, op in enumerate(ops)]
    readers = [[] for _ in ops]
    for number, wait in enumerate(waits):
        for definer in wait:
            readers[definer].append(number)
    left, order, pick = [len(wait) for wait in waits], [], random.Random(seed)
    ready = [number for number, wait in enumerate(waits) if not wait]
    while ready:
        number = ready.pop(pick.randrange(len(ready)))
        order.append(number)
        for reader in readers[number]:
            left[reader] -= 1
            if left[reader] == 0:
                ready.append(reader)
    assert len(order) == len(ops)
    return "\n".join(before + ["\n".join(ops[number]) for number in order] + terminator + after)


def with_loss_twice(text):
    """The last scalar float result is returned once more."""
    before, ops, terminator, after = split(text)
    head, operands, types = re.match(r'(.*"func.return"\()(.*)(?=\).*: \()(?:.*: \()(.*)\) -> \(\)', terminator[0]).groups()
    names, kinds = operands.split(", "), types.split(", ")
    loss = max(i for i, kind in enumerate(kinds) if kind == "tensor<f32>")
    tail = terminator[0][len(head) + len(operands):]
    terminator = [head + ", ".join(names + [names[loss]]) + tail.replace(types, ", ".join(kinds + ["tensor<f32>"]))]
    before[-2] = re.sub(r"(function_type = \(.*\) -> \(.*?)\)", r"\1, tensor<f32>)", before[-2], count=1)
    before[-2] = re.sub(r", res_attrs = \[.*?\](?=, |>)", "", before[-2])
    return "\n".join(before + ["\n".join(op) for op in ops] + terminator + after)


def as_tuple(text):
    """All results in one tuple, of a module that stands at no stage yet: steps at one hold no tuples."""
    before, ops, terminator, after = split(text)
    operands, types = re.match(r'.*"func.return"\((.*?)\).*: \((.*)\) -> \(\)', terminator[0]).groups()
    ops.append([f'%all = "stablehlo.tuple"({operands}) : ({types}) -> tuple<{types}>'])
    terminator = [f'"func.return"(%all) : (tuple<{types}>) -> ()']
    before[-2] = re.sub(r"(function_type = \(.*\) -> )\(.*?\)", rf"\1tuple<{types}>", before[-2], count=1)
    before[-2] = re.sub(r", res_attrs = \[.*?\](?=, |>)", "", before[-2])
    text = "\n".join(before + ["\n".join(op) for op in ops] + terminator + after)
    return re.sub(r'echo.stage = "step"', "written.as_tuple", text, count=1)


def flat(text):
    """Elementwise ops of two and more dimensions on arrays of one, as many optimizers are written: reshaped before and behind."""
    before, ops, terminator, after = split(text)
    pattern = re.compile(r'\s*(%\w+) = ("stablehlo\.(?:add|subtract|multiply|divide|maximum|minimum|tanh|exponential|rsqrt|sqrt|log|negate)")\((.*?)\)(.*) : \((.*)\) -> (tensor<((?:\d+x)+)\w+>)$')
    made = []
    for op in ops:
        match = pattern.match(op[0]) if len(op) == 1 else None
        dims = [int(d) for d in match.group(7).split("x")[:-1]] if match else []
        if len(dims) < 2:
            made.append(op)
            continue
        result, name, operands, attributes, kinds, kind, written = match.groups()
        line = kind.replace(written, f"{math.prod(dims)}x")
        flats = [f"%flat{result[1:]}_{i}" for i, _ in enumerate(operands.split(", "))]
        made += [[f'{new} = "stablehlo.reshape"({old}) : ({kind}) -> {line}'] for new, old in zip(flats, operands.split(", "))]
        made.append([f'%flat{result[1:]} = {name}({", ".join(flats)}){attributes} : ({", ".join([line] * len(flats))}) -> {line}'])
        made.append([f'{result} = "stablehlo.reshape"(%flat{result[1:]}) : ({line}) -> {kind}'])
    text = "\n".join(before + ["\n".join(op) for op in made] + terminator + after)
    return re.sub(r'echo.stage = "step"', "written.flat", text, count=1)


def facts(binary, text):
    """What the step comes to at the least, and on the curve at each price; there is one curve, whatever is asked for."""
    done = subprocess.run([binary / "echo-opt", "-", "--echo=budget=min", "--device-model=gpu-a100-40g", "--to=echoed", "-o", "-"],
                          check=True, text=True, capture_output=True, input=text, env=dict(os.environ, ECHO_DEBUG="curve"))
    found = dict(re.findall(r"(echo\.\w+) = (\d+) : i64", done.stdout.split("\n", 1)[0]))
    points = [(int(ns), int(size)) for size, ns in re.findall(r"\[curve\] (\d+) bytes, (\d+) ns", done.stderr)]
    result = {name: int(found[name]) for name in FACTS}
    for price in PRICES:
        limit = result["echo.off_ns"] * (100 + price) // 100
        result[f"bytes at {price} %"] = min((size for ns, size in points if ns <= limit), default=result["echo.off_bytes"])
    return result


def tolerance(name, form):
    """Of flat ops one may stand on the other side of dimensions of size 1: of its time, some nanoseconds, and so a point may stand behind a price."""
    return 0 if form != "flat" else 1e-5 if name.endswith("_ns") else 1e-2 if name.startswith("bytes at") else 0


def are_equal(found, expected, form):
    return all(abs(found[name] - expected[name]) <= expected[name] * tolerance(name, form) for name in expected)


def compare(binary, name, forms):
    """How many plans, and in words those that differ from the first form's."""
    n_checked, wrong = 0, []
    first, *others = forms
    expected = facts(binary, forms[first])
    for form in others:
        found = facts(binary, forms[form])
        n_checked += len(PRICES) + 1
        if not are_equal(found, expected, form):
            wrong.append(f"{name}: {form} comes to {found}, {first} to {expected}")
    return n_checked, wrong


def microbatches(is_cut=True, n_micro=4, n_layers=8, width=32, batch=256):
    """A network of tanh layers, its gradients for so many microbatches added one after the other, then taken from its weights. They are cut from one array, or
    arguments each."""
    weight, bias, wide, all_of = f"tensor<{width}x{width}xf32>", f"tensor<{width}xf32>", f"tensor<{batch}x{width}xf32>", f"tensor<{n_micro}x{batch}x{width}xf32>"
    params = [(f"%w{i}", weight) for i in range(n_layers)] + [(f"%b{i}", bias) for i in range(n_layers)]
    lines, totals = [], {}
    def product(name, left, right, contracted, kinds, result):
        a, b = contracted
        lines.append(f"%{name} = stablehlo.dot_general {left}, {right}, contracting_dims = [{a}] x [{b}] : ({kinds[0]}, {kinds[1]}) -> {result}")
    inputs = [f"%x: {all_of}"] if is_cut else [f"%s{m}: tensor<1x{batch}x{width}xf32>" for m in range(n_micro)]
    for m in range(n_micro):
        if is_cut:
            lines.append(f"%s{m} = stablehlo.slice %x [{m}:{m + 1}, 0:{batch}, 0:{width}] : ({all_of}) -> tensor<1x{batch}x{width}xf32>")
        lines.append(f"%h{m}_0 = stablehlo.reshape %s{m} : (tensor<1x{batch}x{width}xf32>) -> {wide}")
        for i in range(n_layers):
            product(f"p{m}_{i}", f"%h{m}_{i}", f"%w{i}", (1, 0), (wide, weight), wide)
            lines.append(f"%o{m}_{i} = stablehlo.broadcast_in_dim %b{i}, dims = [1] : ({bias}) -> {wide}")
            lines.append(f"%a{m}_{i} = stablehlo.add %p{m}_{i}, %o{m}_{i} : {wide}")
            lines.append(f"%h{m}_{i + 1} = stablehlo.tanh %a{m}_{i} : {wide}")
        lines.append(f"%v{m} = stablehlo.multiply %h{m}_{n_layers}, %h{m}_{n_layers} : {wide}")
        lines.append(f"%l_{m} = stablehlo.reduce(%v{m} init: %zero) applies stablehlo.add across dimensions = [0, 1] : ({wide}, tensor<f32>) -> tensor<f32>")
        lines.append(f"%d{m}_{n_layers} = stablehlo.add %h{m}_{n_layers}, %h{m}_{n_layers} : {wide}")
        for i in reversed(range(n_layers)):
            lines.append(f"%q{m}_{i} = stablehlo.multiply %h{m}_{i + 1}, %h{m}_{i + 1} : {wide}")
            lines.append(f"%r{m}_{i} = stablehlo.subtract %one, %q{m}_{i} : {wide}")
            lines.append(f"%z{m}_{i} = stablehlo.multiply %d{m}_{i + 1}, %r{m}_{i} : {wide}")
            product(f"w{i}_{m}", f"%h{m}_{i}", f"%z{m}_{i}", (0, 0), (wide, wide), weight)
            lines.append(f"%b{i}_{m} = stablehlo.reduce(%z{m}_{i} init: %zero) applies stablehlo.add across dimensions = [0] : ({wide}, tensor<f32>) -> {bias}")
            product(f"d{m}_{i}", f"%z{m}_{i}", f"%w{i}", (1, 1), (wide, weight), wide)
        for name, kind in params + [("%l", "tensor<f32>")]:
            if m != 0:
                lines.append(f"{name}_to{m} = stablehlo.add {totals[name]}, {name}_{m} : {kind}")
            totals[name] = f"{name}_to{m}" if m != 0 else f"{name}_0"
    lines += [f"{name}_new = stablehlo.subtract {name}, {totals[name]} : {kind}" for name, kind in params]
    kinds = ", ".join([kind for _, kind in params] + ["tensor<f32>"])
    lines.append(f"return {', '.join(f'{name}_new' for name, _ in params)}, {totals['%l']} : {kinds}")
    arguments = ", ".join(f"{name}: {kind} {{tf.aliasing_output = {i} : i32}}" for i, (name, kind) in enumerate(params))
    constants = [f"%one = stablehlo.constant dense<1.0> : {wide}", "%zero = stablehlo.constant dense<0.0> : tensor<f32>"]
    return f"func.func @main({arguments}, {', '.join(inputs)}) -> ({kinds}) {{\n" + "\n".join(constants + lines) + "\n}\n"


def forms_of_step(name, text):
    forms = {"one order": permuted(text, 1), "another order": permuted(text, 2), "the loss twice": with_loss_twice(permuted(text, 3)),
             "a tuple": as_tuple(permuted(text, 4)), "flat": flat(permuted(text, 5))}
    return forms if name in KEEPS_ITS_ORDER else forms | {"as written": text}


def forms_of_loop(text):
    return {"as written": text, "one order": permuted(text, 1, body_start), "another order": permuted(text, 2, body_start)}


def as_step(binary, model):
    return run(binary / "echo-opt", model, "--to=step", "--mlir-print-op-generic", "-o", "-")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve() / "bin"
    tests = pathlib.Path(__file__).resolve().parent.parent
    all_forms = {name: forms_of_loop(as_step(binary, tests / path)) for name, path in LOOPS.items()}
    with tempfile.TemporaryDirectory() as work:
        model = pathlib.Path(work) / "model.mlir"
        for name, command in STEPS.items():
            run(binary / command.split()[0], *command.split()[1:], "--emit=model", "-o", model)
            all_forms[name] = forms_of_step(name, as_step(binary, model))
        for name, is_cut in (("microbatches", True), ("microbatches as arguments", False)):
            model.write_text(microbatches(is_cut))
            all_forms[name] = forms_of_step(name, as_step(binary, model))
    n_checked, wrong = 0, []
    for name, forms in all_forms.items():
        n_more, more = compare(binary, name, forms)
        n_checked += n_more
        wrong += more
    least = {name: facts(binary, all_forms[name]["one order"])["echo.on_bytes"] for name in all_forms if name.startswith("microbatches")}
    if least["microbatches"] != least["microbatches as arguments"]:
        wrong.append(f"the least depends on where microbatches come from: {least}")
    print("\n".join(wrong + [f"{n_checked} plans, {len(wrong)} differ"]))
    sys.exit(bool(wrong))


main()
