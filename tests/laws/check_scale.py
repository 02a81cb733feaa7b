# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Law 7: a pass is O(n log n) or better on straight-line graphs.

usage: check_scale.py BUILD-DIRECTORY [LAYERS]

A deep network of small layers is compiled up to each stage, once with LAYERS layers (half as many up to the stage that Echo's search is in) and once with four times as many. From
n to 4 n, n log n grows by about 4.5 and n squared by 16; the limit stands between them on a scale of factors. So are, with Echo,
what is long in another way: a barrier, sums that are all returned, loops in a row, gradients that meet in one norm, calls in
calls, a branch of many regions, many iterations written out behind a loop. And what looks like one more iteration and is none costs nothing.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import golden

build = pathlib.Path(sys.argv[1]).resolve()
n_layers = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
STAGES = ["tensor", "step", "echoed", "scheduled", "kernels", "planned"]
LIMIT = 8.0
TOO_SHORT_S = 0.05  # below this the clock says nothing about growth
N_TRIES = 4  # the machine may be busy with other work, which large programs feel more than small ones: once is enough

TYPE = "tensor<4x4xf32>"
LAYER = """\
  %d{i} = stablehlo.dot_general %x{h}, %w{k}, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
  %a{i} = stablehlo.add %d{i}, %x{h} : {t}
  %t{i} = stablehlo.tanh %a{i} : {t}
  %m{i} = stablehlo.multiply %t{i}, %t{i} : {t}
  %x{i} = stablehlo.subtract %t{i}, %m{i} : {t}
"""


def network(n, n_weights=4):
    """A training step: n layers that share a few weights, the mean as the loss, one SGD update a weight."""
    weights = [f"%w{k}" for k in range(n_weights)]
    arguments = ", ".join(f"{w}: {TYPE} {{tf.aliasing_output = {k} : i32}}" for k, w in enumerate(weights))
    results = ", ".join([TYPE] * n_weights + ["tensor<f32>"])
    body = [LAYER.format(i=i, h=i - 1, k=i % n_weights, t=TYPE) for i in range(1, n + 1)]
    body.append("  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n")
    body.append(
        f"  %loss = stablehlo.reduce(%x{n} init: %zero) applies stablehlo.add across dimensions = [0, 1]"
        f" : ({TYPE}, tensor<f32>) -> tensor<f32>\n"
    )
    gradients = ", ".join(f"%g{k}" for k in range(n_weights))
    body.append(
        f'  {gradients} = "nn.gradient"(%loss, {", ".join(weights)}) : (tensor<f32>, '
        f'{", ".join([TYPE] * n_weights)}) -> ({", ".join([TYPE] * n_weights)})\n'
    )
    body += [f"  %u{k} = stablehlo.subtract %w{k}, %g{k} : {TYPE}\n" for k in range(n_weights)]
    returned = ", ".join([f"%u{k}" for k in range(n_weights)] + ["%loss"])
    return (
        f"func.func @main({arguments}, %x0: {TYPE}) -> ({results}) {{\n{''.join(body)}"
        f"  return {returned} : {results}\n}}\n"
    )


def barrier(n):
    """n values that meet in one barrier and are read on either side of it."""
    types = ", ".join([TYPE] * n)
    body = [f"  %a{i} = stablehlo.tanh %x{i} : {TYPE}\n" for i in range(n)]
    body.append(f"  %b:{n} = stablehlo.optimization_barrier {', '.join(f'%a{i}' for i in range(n))} : {types}\n")
    body += [f"  %c{i} = stablehlo.multiply %b#{i}, %a{i} : {TYPE}\n" for i in range(n)]
    arguments, results = (", ".join(text.format(i=i, t=TYPE) for i in range(n)) for text in ("%x{i}: {t}", "%c{i}"))
    return f"func.func @main({arguments}) -> ({types}) {{\n{''.join(body)}  return {results} : {types}\n}}\n"


PRODUCT = f"stablehlo.dot_general {{}}, {{}}, contracting_dims = [1] x [0] : ({TYPE}, {TYPE}) -> {TYPE}"
SPREAD = f"stablehlo.broadcast_in_dim %z, dims = [0, 1] : (tensor<1x4xf32>) -> {TYPE}"
INDEX = "tensor<i32>"


def function(n, body, results):
    """Of %x and n more matrices %y; it returns `results`, all matrices."""
    arguments = ", ".join([f"%x: {TYPE}", *(f"%y{i}: {TYPE}" for i in range(n))])
    types = ", ".join([TYPE] * len(results))
    lines = "".join(f"  {line}\n" for line in body)
    return f"func.func @main({arguments}) -> ({types}) {{\n{lines}  return {', '.join(results)} : {types}\n}}\n"


def sums(n):
    """Running sums of n products, all of them results."""
    body = []
    for i in range(n):
        body.append(f"%g{i} = {PRODUCT.format('%x', f'%y{i}')}")
        body.append(f"%r{i} = stablehlo.add {f'%r{i - 1}' if i else '%x'}, %g{i} : {TYPE}")
    return function(n, body, [f"%r{i}" for i in range(n)])


def loops(n):
    """n loops of three iterations, each from what the last one made."""
    body = [f"%k{value} = stablehlo.constant dense<{value}> : {INDEX}" for value in (0, 1, 3)]
    for i in range(n):
        body.append(
            f"%l{i}:2 = stablehlo.while(%i = %k0, %a = {f'%l{i - 1}#1' if i else '%x'}) : {INDEX}, {TYPE}\n"
            f"  cond {{\n    %c = stablehlo.compare LT, %i, %k3 : ({INDEX}, {INDEX}) -> tensor<i1>\n"
            f"    stablehlo.return %c : tensor<i1>\n  }} do {{\n    %j = stablehlo.add %i, %k1 : {INDEX}\n"
            f"    %p = {PRODUCT.format('%a', '%y0')}\n    %t = stablehlo.tanh %p : {TYPE}\n"
            f"    stablehlo.return %j, %t : {INDEX}, {TYPE}\n  }}"
        )
    return function(1, body, [f"%l{n - 1}#1"])


def calls(n):
    """A call of a function that computes a little and calls the next one, n deep."""
    body = [f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n  %r = func.call @f0(%x) : ({TYPE}) -> {TYPE}\n  return %r : {TYPE}\n}}"]
    for i in range(n):
        last = f"func.call @f{i + 1}(%t) : ({TYPE}) -> {TYPE}" if i + 1 < n else f"stablehlo.negate %t : {TYPE}"
        body.append(
            f"func.func private @f{i}(%x: {TYPE}) -> {TYPE} {{\n  %t = stablehlo.tanh %x : {TYPE}\n  %r = {last}\n  return %r : {TYPE}\n}}"
        )
    return "module {\n" + "\n".join(body) + "\n}\n"


def branch(n):
    """A branch of n regions: each adds another number to what all of them read, and what it alone reads."""
    regions = [
        f"{{\n  %c{i} = stablehlo.constant dense<{i}.0> : {TYPE}\n  %a{i} = stablehlo.add %x, %c{i} : {TYPE}\n"
        f"  %b{i} = stablehlo.multiply %a{i}, %y{i} : {TYPE}\n  stablehlo.return %b{i} : {TYPE}\n}}"
        for i in range(n)
    ]
    body = [
        f"%n = stablehlo.slice %x [0:1, 0:1] : ({TYPE}) -> tensor<1x1xf32>",
        "%m = stablehlo.reshape %n : (tensor<1x1xf32>) -> tensor<f32>",
        f"%i = stablehlo.convert %m : (tensor<f32>) -> {INDEX}",
        f'%r = "stablehlo.case"(%i) ({", ".join(regions)}) : ({INDEX}) -> {TYPE}',
    ]
    return function(n, body, ["%r"])


def tail(n):
    """A loop of three iterations over two values, and n more of them written out behind it."""
    body = [f"%k{value} = stablehlo.constant dense<{value}> : {INDEX}" for value in (0, 1, 3)]
    body.append(
        f"%l:3 = stablehlo.while(%i = %k0, %a = %x, %b = %x) : {INDEX}, {TYPE}, {TYPE}\n"
        f"  cond {{\n    %c = stablehlo.compare LT, %i, %k3 : ({INDEX}, {INDEX}) -> tensor<i1>\n"
        f"    stablehlo.return %c : tensor<i1>\n  }} do {{\n    %j = stablehlo.add %i, %k1 : {INDEX}\n"
        f"    %p = {PRODUCT.format('%a', '%y0')}\n    %t = stablehlo.tanh %p : {TYPE}\n"
        f"    %s = stablehlo.add %b, %t : {TYPE}\n    stablehlo.return %j, %t, %s : {INDEX}, {TYPE}, {TYPE}\n  }}"
    )
    for i in range(n):
        a, b = (f"%t{i - 1}", f"%s{i - 1}") if i else ("%l#1", "%l#2")
        body += [
            f"%p{i} = {PRODUCT.format(a, '%y0')}",
            f"%t{i} = stablehlo.tanh %p{i} : {TYPE}",
            f"%s{i} = stablehlo.add {b}, %t{i} : {TYPE}",
        ]
    return function(1, body, [f"%t{n - 1}", f"%s{n - 1}"])


def norm(n):
    """n weights and gradients, which are divided by the sum of all their squares."""
    body = ["%n = stablehlo.constant dense<0.0> : tensor<f32>"]
    for i in range(n):
        body += [
            f"%g{i} = {PRODUCT.format('%x', f'%y{i}')}",
            f"%q{i} = stablehlo.multiply %g{i}, %g{i} : {TYPE}",
            f"%s{i} = stablehlo.reduce(%q{i} init: %n) applies stablehlo.add across dimensions = [0, 1]"
            f" : ({TYPE}, tensor<f32>) -> tensor<f32>",
            f"%t{i} = stablehlo.add {f'%t{i - 1}' if i else '%n'}, %s{i} : tensor<f32>",
        ]
    body.append(f"%w = stablehlo.broadcast_in_dim %t{n - 1}, dims = [] : (tensor<f32>) -> {TYPE}")
    for i in range(n):
        body += [f"%h{i} = stablehlo.divide %g{i}, %w : {TYPE}", f"%r{i} = stablehlo.subtract %y{i}, %h{i} : {TYPE}"]
    return function(n, body, [f"%r{i}" for i in range(n)])


def unmet(n, behind=""):
    """A loop of three iterations that hands on what its body makes of nothing that it carries, and n ops behind it."""
    body = [f"%k{value} = stablehlo.constant dense<{value}> : {INDEX}" for value in (0, 1, 3)]
    body.append("%z = stablehlo.slice %x [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>")
    body.append(
        f"%l:2 = stablehlo.while(%i = %k0, %a = %x) : {INDEX}, {TYPE}\n"
        f"  cond {{\n    %c = stablehlo.compare LT, %i, %k3 : ({INDEX}, {INDEX}) -> tensor<i1>\n"
        f"    stablehlo.return %c : tensor<i1>\n  }} do {{\n    %j = stablehlo.add %i, %k1 : {INDEX}\n"
        f"    %m = {SPREAD}\n    stablehlo.return %j, %m : {INDEX}, {TYPE}\n  }}"
    )
    body += [f"%t{i} = stablehlo.tanh {f'%t{i - 1}' if i else '%l#1'} : {TYPE}" for i in range(n)]
    body.append(behind or f"%b = stablehlo.tanh %t{n - 1} : {TYPE}")
    return function(1, body, [f"%t{n - 1}", "%b"])


def met(n):
    """The same, where what the body makes stands behind the loop as well: it is no further iteration, however often it is looked for."""
    return unmet(n, f"%b = {SPREAD}")


def seconds(path, stage, *flags):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["echo-opt", f"--to={stage}", *flags, str(path), "-o", os.devnull],
        env=golden.environment(build),
        capture_output=True,
        timeout=600,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"--to={stage} failed: {done.stderr[:1000].decode(errors='replace')}")
    return after.ru_utime - before.ru_utime


def is_slow(name, paths, *arguments, repeats=1):
    """Whether the second program takes too much beside the first, in each of the tries."""
    for _ in range(N_TRIES):
        small, large = (min(seconds(path, *arguments) for _ in range(repeats)) for path in paths)
        factor = large / max(small, TOO_SHORT_S)
        mark = "  too much" if factor > LIMIT else ""
        print(f"{name:10} {small:7.2f} s {large:7.2f} s  factor {factor:5.2f}{mark}", flush=True)
        if not mark:
            return False
    return True


def write(folder, make, size):
    path = pathlib.Path(folder) / f"{make.__name__}-{size}.mlir"
    path.write_text(make(size), encoding="ascii")
    return path


failed = False
with tempfile.TemporaryDirectory() as scratch:
    for stage in STAGES:
        n = n_layers // 2 if stage == "echoed" else n_layers
        failed |= is_slow(stage, [write(scratch, network, n), write(scratch, network, 4 * n)], stage, repeats=2)
    for make, factor in ((barrier, 2), (sums, 2), (norm, 2), (loops, 1), (calls, 1), (branch, 1), (tail, 1)):
        wide = [write(scratch, make, factor * n) for n in (n_layers, 4 * n_layers)]
        failed |= is_slow(make.__name__, wide, "planned", "--echo=overhead=2%", "--device-model=gpu-a100-40g")
    alike = [write(scratch, make, n_layers) for make in (unmet, met)]
    failed |= is_slow("met", alike, "planned", "--echo=overhead=2%", "--device-model=gpu-a100-40g")
sys.exit(failed)
