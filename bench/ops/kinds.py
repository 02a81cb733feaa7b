# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kinds.py BUILD [PART…]: functions of one kernel or a few, as JAX lowers them, of the kinds that training steps have: the shortest call by
XLA and the shortest launches of all kernels by Echo, added up, on one core, in one run. What others do on that core adds to XLA's at once,
as no call of it ends undisturbed then: keep it free. XLA's has the dispatch of a call in it, some 20 µs. PART: only what has it in its
name. Prints a table, slowest beside XLA first, and the geometric mean. Needs jax."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # the flags alone leave XLA a second thread

import jax
import jax.numpy as jnp
import numpy
from jax import lax

import blocks

DRAWN = numpy.random.default_rng(0)
SECONDS = 0.25
CASES = {}


def normal(*shape):
    return DRAWN.standard_normal(shape).astype("float32")


def below(limit, *shape):
    return DRAWN.integers(0, limit, shape).astype("int32")


def case(name, function, *arguments):
    CASES[name] = function, arguments


def gradient(function):
    """Of the sum of squares, by all arguments."""
    return lambda *arguments: jax.grad(lambda given: jnp.sum(function(*given) ** 2))(arguments)


def convolve(stride=1, groups=1):
    return lambda x, k: lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def attention(q, k, v):
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k) / 8), v)


def layer_norm(x, scale, shift):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift


def batch_norm(x, scale, shift):
    return (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * scale + shift


def cross_entropy(logits, wanted):
    return jax.value_and_grad(lambda x: -jnp.take_along_axis(jax.nn.log_softmax(x), wanted[:, None], 1).mean())(logits)


def pooled(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def recurrent(x, w, u, b):
    def cell(carry, row):
        h, s = carry
        i, f, g, o = jnp.split(row @ w + h @ u + b, 4, -1)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(s)
        return (h, s), h
    zero = jnp.zeros((x.shape[1], u.shape[0]))
    return lax.scan(cell, (zero, zero), x)[1]


def adam(p, g, m, v):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 1e-3 * m / (jnp.sqrt(jnp.abs(v)) + 1e-8), m, v


def scanned(a, b):
    return lax.associative_scan(lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1]), (a, b), axis=1)


def add_products():
    for m, k, n in ((4, 512, 512), (4, 2048, 512), (32, 512, 512), (32, 2048, 512), (512, 512, 512), (1000, 100, 300), (8192, 64, 64), (10000, 128, 10), (2048, 2048, 1), (1, 2048, 2048)):
        case(f"product {m}x{k}x{n}", lambda a, b: a @ b, normal(m, k), normal(k, n))
    for m, k, n in ((512, 32, 2048), (64, 8192, 64), (128, 10000, 10)):
        case(f"product {m}x{k}x{n}, left transposed", lambda a, b: a.T @ b, normal(k, m), normal(k, n))
    case("product 32x512x2048, right transposed", lambda a, b: a @ b.T, normal(32, 512), normal(2048, 512))
    case("64 products 64x32x64", lambda a, b: a @ b, normal(64, 64, 32), normal(64, 32, 64))
    case("1024 products 16x16x16", lambda a, b: a @ b, normal(1024, 16, 16), normal(1024, 16, 16))
    case("20000 products 4x4x4", lambda a, b: a @ b, normal(20000, 4, 4), normal(20000, 4, 4))
    case("50000 products 3x3x1", lambda a, b: jnp.einsum("nij,nj->ni", a, b), normal(50000, 3, 3), normal(50000, 3))
    case("einsum bikc,bjkc->bijc", lambda a, b: jnp.einsum("bikc,bjkc->bijc", a, b), normal(1, 64, 64, 32), normal(1, 64, 64, 32))
    case("einsum bijc,cd->bijd", lambda a, b: jnp.einsum("bijc,cd->bijd", a, b), normal(2, 64, 64, 32), normal(32, 32))
    heads = [normal(4, 128, 4, 64) for _ in range(3)]
    case("attention", attention, *heads)
    case("attention, gradient", gradient(attention), *heads)


def add_convolutions():
    for x, k, stride, groups in (((8, 64, 64, 3), (3, 3, 3, 32), 1, 1), ((16, 32, 32, 32), (3, 3, 32, 32), 1, 1), ((16, 32, 32, 32), (3, 3, 32, 64), 2, 1), ((8, 28, 28, 64), (1, 1, 64, 256), 1, 1),
                                 ((4, 28, 28, 96), (7, 7, 1, 96), 1, 96), ((4, 224, 224, 3), (16, 16, 3, 192), 16, 1), ((8, 28, 28, 64), (3, 3, 16, 64), 1, 4)):
        name = f"convolution {'x'.join(map(str, x))} by {'x'.join(map(str, k))}/{stride}"
        case(name, convolve(stride, groups), normal(*x), normal(*k))
        case(f"{name}, gradient", gradient(convolve(stride, groups)), normal(*x), normal(*k))
    case("maxima of 2x2, gradient", gradient(pooled), normal(16, 32, 32, 64))
    case("LSTM 40x4x64, gradient", gradient(recurrent), normal(40, 4, 64), normal(64, 256), normal(64, 256), normal(256))
    case("LSTM 40x16x256, gradient", gradient(recurrent), normal(40, 16, 256), normal(256, 1024), normal(256, 1024), normal(1024))


def add_maps():
    for name, function in {"exp": jnp.exp, "log": lambda x: jnp.log(jnp.abs(x) + 1), "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid, "gelu": jax.nn.gelu, "sin": jnp.sin,
                           "rsqrt": lambda x: lax.rsqrt(jnp.abs(x) + 1), "power": lambda x: (jnp.abs(x) + 0.1) ** 1.7, "erf": lax.erf, "cbrt": jnp.cbrt, "remainder": lambda x: jnp.remainder(x, 0.3),
                           "i32 by 7": lambda x: (x * 1000).astype(jnp.int32) // 7}.items():
        case(f"{name}, 1000x1000", function, normal(1000, 1000))
    case("Adam, 1000x1000", adam, *(normal(1000, 1000) for _ in range(4)))
    case("slice of every second column", lambda x: x[:, ::2], normal(1000, 2000))
    case("slice of every third of an array", lambda x: x[::3], normal(3000000))
    case("gradient of a slice of every second column", gradient(lambda x: x[:, ::2]), normal(1000, 1000))
    case("transpose 1000x1000", lambda x: x.T, normal(1000, 1000))
    case("transpose 8x128x8x64", lambda x: x.transpose(0, 2, 1, 3), normal(8, 128, 8, 64))
    case("columns put together", lambda x, y: jnp.concatenate([x, y], 1), normal(1000, 500), normal(1000, 500))
    case("padded by 1", lambda x: jnp.pad(x, 1), normal(1000, 1000))
    case("nearest, 2x2", lambda x: jax.image.resize(x, (8, 64, 64, 16), "nearest"), normal(8, 32, 32, 16))


def add_reductions():
    case("softmax 512x1000", jax.nn.softmax, normal(512, 1000))
    case("cross entropy 512x1000, gradient", cross_entropy, normal(512, 1000), below(1000, 512))
    case("layer norm 1024x512, gradient", gradient(layer_norm), normal(1024, 512), normal(512), normal(512))
    case("batch norm 16x28x28x64, gradient", gradient(batch_norm), normal(16, 28, 28, 64), normal(64), normal(64))
    case("means of rows 4096x256", lambda x: x.mean(1), normal(4096, 256))
    case("means of columns 4096x256", lambda x: x.mean(0), normal(4096, 256))
    case("maxima of rows 4096x256", lambda x: x.max(1), normal(4096, 256))
    case("argmax of rows 4096x256", lambda x: x.argmax(1), normal(4096, 256))
    case("sums of rows 65536x7", lambda x: x.sum(1), normal(65536, 7))
    case("counts above 64 bounds of 20000", lambda x: (x[:, None] > jnp.linspace(-3, 3, 64)).sum(0), normal(20000))
    case("rows of a table, gradient", lambda t, i: jax.grad(lambda t: jnp.sum(t[i] ** 2))(t), normal(10000, 64), below(10000, 8192))
    case("sums of segments 50000x16 to 5000", lambda x, i: jax.ops.segment_sum(x, i, 5000), normal(50000, 16), below(5000, 50000))
    case("cumulative sums of rows 1000x1000", lambda x: jnp.cumsum(x, 1), normal(1000, 1000))
    case("associative scan 8x256x64", scanned, normal(8, 256, 64), normal(8, 256, 64))
    case("sort of rows 256x1000", lambda x: jnp.sort(x, 1), normal(256, 1000))
    case("first 5 of 256x1000", lambda x: lax.top_k(x, 5), normal(256, 1000))
    case("fft 256x256", lambda x: jnp.abs(jnp.fft.rfft(x)), normal(256, 256))
    case("random, normal, 1000x1000", lambda k: jax.random.normal(jax.random.wrap_key_data(k), (1000, 1000)), numpy.array([1, 2], "uint32"))


def xla_ms(compiled, arguments):
    given, times = [jax.device_put(a) for a in arguments], []
    jax.block_until_ready(compiled(*given))
    end = time.perf_counter() + SECONDS
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 1000):
        begin = time.perf_counter()
        jax.block_until_ready(compiled(*given))
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def echo_ms(build, text, arguments, expected_ms):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "step.mlir").write_text(text)
        numpy.savez(folder / "in.npz", **{f"arg{i}": a for i, a in enumerate(arguments)})
        steps = max(5, min(1000, int(1e3 * SECONDS / max(expected_ms, 0.01))))
        subprocess.run([build / "bin/echo-run", folder / "step.mlir", f"--inputs={folder}/in.npz", "--threads=1", "--quiet", "--kernels", "--no-cache",
                        f"--steps={steps}", f"--json={folder}/figures.json"], check=True, capture_output=True, timeout=300)
        kernels = json.loads((folder / "figures.json").read_text())["kernels"]
    return 1e-6 * sum(kernel["launches"] * (kernel["least_ns"] or 0) for kernel in kernels)


def main():
    build, parts, rows = pathlib.Path(sys.argv[1]), sys.argv[2:], []
    for add in (add_products, add_convolutions, add_maps, add_reductions):
        add()
    blocks.add(case, gradient)
    for name, (function, arguments) in CASES.items():
        if parts and not any(part in name for part in parts):
            continue
        lowered = jax.jit(function).lower(*arguments)
        xla = xla_ms(lowered.compile(), arguments)
        rows.append((echo_ms(build, lowered.as_text(), arguments, xla) / xla, xla, name))
        print(f"{name} {rows[-1][0]:.2f}", file=sys.stderr, flush=True)
    print("| | XLA, ms | Echo, ms | Echo / XLA |\n| --- | --: | --: | --: |")
    for ratio, xla, name in sorted(rows, reverse=True):
        print(f"| {name} | {xla:.3f} | {ratio * xla:.3f} | {ratio:.2f} |")
    print(f"\n{len(rows)} functions, geometric mean {math.exp(sum(math.log(max(row[0], 1e-3)) for row in rows) / len(rows)):.2f}")


if __name__ == "__main__":
    main()
