# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Law 7: a pass is O(n log n) or better on straight-line graphs.

usage: check_scale.py BUILD-DIRECTORY [LAYERS]

A deep network of small layers is compiled up to each stage, once with LAYERS layers and once with four times as many. From
n to 4 n, n log n grows by about 4.5 and n squared by 16; the limit stands between them on a scale of factors. So is a barrier
with as many operands, with Echo.
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


def is_slow(name, small, large):
    factor = large / max(small, TOO_SHORT_S)
    mark = "  too much" if factor > LIMIT else ""
    print(f"{name:10} {small:7.2f} s {large:7.2f} s  factor {factor:5.2f}{mark}")
    return factor > LIMIT


def write(folder, make, size):
    path = pathlib.Path(folder) / f"{make.__name__}-{size}.mlir"
    path.write_text(make(size), encoding="ascii")
    return path


failed = False
with tempfile.TemporaryDirectory() as scratch:
    deep = [write(scratch, network, n) for n in (n_layers, 4 * n_layers)]
    for stage in STAGES:
        failed |= is_slow(stage, *(min(seconds(path, stage) for _ in range(2)) for path in deep))
    wide = [write(scratch, barrier, n) for n in (2 * n_layers, 8 * n_layers)]
    failed |= is_slow("barrier", *(seconds(path, "planned", "--echo=overhead=2%", "--device-model=gpu-a100-40g") for path in wide))
sys.exit(failed)
