#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what JAX prints for a variety of programs, plain and with locations; checks that echo-opt gives it back and that echo-run
computes what JAX computes.

    jax_texts.py OUT_DIR [--echo-opt=PATH] [--echo-run=PATH [--device=interpreter|cpu]] [--only=NAME]

Needs jax; nothing in the build or the tests does. For each program OUT_DIR gets NAME.mlir (lowered.as_text()) and
NAME.loc.mlir (debug_info=True). With --echo-opt each file is read and printed again, which must give the same bytes. With
--echo-run it is run on random inputs (NAME.in.npz) and compared with JAX's own results (NAME.out.npz). Exit status 1 when
anything differs.
"""
import argparse
import difflib
import os
import pathlib
import subprocess
import sys

# XLA would keep bf16 intermediates in f32; Echo's numerics belong to the op.
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

PROGRAMS = {}


def program(make):
    """Registers a function that returns (function, arguments, jit options)."""
    PROGRAMS[make.__name__] = make
    return make


def sgd(loss, parameters, *rest):
    value, gradients = jax.value_and_grad(loss)(parameters, *rest)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)


def step(loss):
    return lambda parameters, *rest: sgd(loss, parameters, *rest)


def adam(loss):
    def run(parameters, m, v, t, *rest):
        value, gradients = jax.value_and_grad(loss)(parameters, *rest)
        m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, gradients)
        v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, gradients)
        scale = jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        parameters = jax.tree.map(
            lambda p, a, b: p - 1e-3 * scale * a / (jnp.sqrt(b) + 1e-8), parameters, m, v)
        return value, parameters, m, v, t + 1

    return run


def cross_entropy(logits, labels):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1)
    return -picked.mean()


@program
def mlp():
    def loss(p, x, y):
        for w, b in p[:-1]:
            x = jax.nn.relu(x @ w + b)
        w, b = p[-1]
        return cross_entropy(x @ w + b, y)

    sizes = [12, 16, 16, 10]
    p = [(jnp.ones((a, b)), jnp.ones(b)) for a, b in zip(sizes, sizes[1:])]
    return step(loss), (p, jnp.ones((4, 12)), jnp.zeros(4, jnp.int32)), {"donate_argnums": 0}


@program
def mlp_adam_bf16():
    def loss(p, x, y):
        h = jnp.tanh(x.astype(jnp.bfloat16) @ p["w"].astype(jnp.bfloat16))
        return jnp.square(h.astype(jnp.float32).sum(-1) - y).mean()

    p = {"w": jnp.ones((4, 8))}
    zero = {"w": jnp.zeros((4, 8))}
    return adam(loss), (p, zero, zero, jnp.float32(1), jnp.ones((2, 4)), jnp.ones(2)), {
        "donate_argnums": (0, 1, 2)}


@program
def convolution_net():
    def loss(p, x, y):
        x = lax.conv_general_dilated(x, p["k1"], (1, 1), "SAME",
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = lax.conv_general_dilated(x, p["k2"], (2, 2), "SAME", rhs_dilation=(1, 1),
                                     feature_group_count=2,
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        x = (x - mean) * lax.rsqrt(var + 1e-5) * p["scale"]
        x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME") / 4
        return cross_entropy(x.reshape(x.shape[0], -1) @ p["w"], y)

    p = {"k1": jnp.ones((3, 3, 1, 4)), "k2": jnp.ones((3, 3, 2, 8)), "scale": jnp.ones(8),
         "w": jnp.ones((4 * 4 * 8, 10))}
    return step(loss), (p, jnp.ones((2, 16, 16, 1)), jnp.zeros(2, jnp.int32)), {}


def attention(p, x, mask):
    q, k, v = (jnp.einsum("btd,dhk->bthk", x, p[n]) for n in "qkv")
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) / 2.0
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    return jnp.einsum("bhqs,bshk,hkd->bqd", weights, v, p["o"])


def transformer_loss(p, tokens, key, checkpoint):
    def layer(x, p, key):
        def norm(x):
            x = x - x.mean(-1, keepdims=True)
            return x * lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-5)

        mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
        a = attention(p, norm(x), mask)
        keep = jax.random.bernoulli(key, 0.9, a.shape)
        x = x + jnp.where(keep, a / 0.9, 0)
        return x + jax.nn.gelu(norm(x) @ p["w1"]) @ p["w2"]

    if checkpoint:
        layer = jax.checkpoint(layer)
    x = p["embedding"][tokens[:, :-1]]
    for i, lp in enumerate(p["layers"]):
        x = layer(x, lp, jax.random.fold_in(key, i))
    return cross_entropy(x @ p["embedding"].T, tokens[:, 1:])


def transformer_arguments():
    layer = {n: jnp.ones((8, 2, 4)) for n in "qkv"}
    layer |= {"o": jnp.ones((2, 4, 8)), "w1": jnp.ones((8, 16)), "w2": jnp.ones((16, 8))}
    p = {"embedding": jnp.ones((20, 8)), "layers": [layer, layer]}
    return p, jnp.zeros((2, 6), jnp.int32), jax.random.PRNGKey(0)


@program
def transformer():
    loss = lambda p, t, k: transformer_loss(p, t, k, False)
    return step(loss), transformer_arguments(), {"donate_argnums": 0}


@program
def transformer_checkpoint():
    loss = lambda p, t, k: transformer_loss(p, t, k, True)
    return step(loss), transformer_arguments(), {}


def lstm_cell(p, carry, x):
    h, c = carry
    gates = jnp.concatenate([x, h], -1) @ p["w"] + p["b"]
    i, f, g, o = jnp.split(gates, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h


def lstm_loss(p, x, y, unrolled):
    zero = jnp.zeros((x.shape[1], 6))
    carry = (zero, zero)
    if unrolled:
        hs = []
        for t in range(x.shape[0]):
            carry, h = lstm_cell(p, carry, x[t])
            hs.append(h)
        hs = jnp.stack(hs)
    else:
        _, hs = lax.scan(lambda c, x: lstm_cell(p, c, x), carry, x)
    return cross_entropy(hs @ p["v"], y)


def lstm_arguments():
    p = {"w": jnp.ones((9, 24)), "b": jnp.ones(24), "v": jnp.ones((6, 7))}
    return p, jnp.ones((4, 2, 3)), jnp.zeros((4, 2), jnp.int32)


@program
def lstm_scan():
    return step(lambda p, x, y: lstm_loss(p, x, y, False)), lstm_arguments(), {}


@program
def lstm_unrolled():
    return step(lambda p, x, y: lstm_loss(p, x, y, True)), lstm_arguments(), {}


@program
def control_flow():
    def run(x, i):
        x = lax.cond(i > 0, lambda x: x + 1, lambda x: x * 2, x)
        x = lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x)
        x = lax.fori_loop(0, 5, lambda j, x: x + j, x)
        return lax.while_loop(lambda x: (x < 100).all(), lambda x: x * 2, x)

    return run, (jnp.ones(3), jnp.int32(1)), {}


@program
def indexing():
    def run(x, i, u):
        x = x.at[i].add(u)
        x = x.at[2].set(0.0)
        y = lax.dynamic_slice(x, (i[0], 0), (2, 3))
        x = lax.dynamic_update_slice(x, y, (i[1], 1))
        return x[:, ::-1][::2, 1:], jnp.flip(x), jnp.pad(x, ((1, 2), (0, 1))), x[i, i]

    return run, (jnp.ones((5, 4)), jnp.array([1, 2]), jnp.ones((2, 4))), {}


@program
def sorting():
    def run(x):
        return (jnp.sort(x), jnp.argsort(x), lax.top_k(x, 2), jnp.argmax(x, -1), jnp.cumsum(x, 0),
                jnp.unique(x, size=3), jnp.median(x))

    return run, (jnp.ones((3, 4)),), {}


@program
def random_numbers():
    def run(key):
        a, b = jax.random.split(key)
        return (jax.random.normal(a, (3,)), jax.random.uniform(b, (2, 2)),
                jax.random.randint(a, (4,), 0, 10), jax.random.permutation(b, 5),
                jax.random.gumbel(a, (2,)), jax.random.bits(b, (3,), jnp.uint8))

    return run, (jax.random.PRNGKey(0),), {}


@program
def random_bit_generator():
    def run(key):
        return jax.random.uniform(key, (3, 4)), jax.random.normal(key, (5,), jnp.bfloat16)

    return run, (jax.random.key(0, impl="rbg"),), {}


@program
def elementwise():
    def run(x, n, b):
        special = jax.scipy.special
        floats = [jnp.abs, jnp.cbrt, jnp.ceil, jnp.cos, jnp.exp, jnp.expm1, jnp.floor, jnp.isfinite,
                  jnp.log, jnp.log1p, jax.nn.sigmoid, jnp.negative, jnp.round, jnp.sign, jnp.sin,
                  jnp.sqrt, jnp.tan, jnp.tanh, lax.rsqrt, jnp.arccos, jnp.arcsin, jnp.arctan,
                  jnp.arccosh, jnp.arcsinh, jnp.arctanh, jnp.cosh, jnp.sinh, jnp.square, special.erf,
                  special.erfc, special.erfinv, special.gammaln, special.digamma, special.i1e,
                  lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
                  lambda x: lax.reduce_precision(x, 5, 10), lambda x: x.astype(jnp.int32),
                  lambda x: lax.bitcast_convert_type(x, jnp.int32), jax.nn.gelu, jax.nn.silu,
                  lambda x: special.polygamma(2, x)]
        pairs = [jnp.arctan2, jnp.maximum, jnp.minimum, jnp.power, jnp.remainder, jnp.nextafter,
                 lax.div, lax.rem, special.zeta, jnp.hypot, lax.complex]
        ints = [lax.clz, lax.population_count, jnp.invert, jnp.abs]
        int_pairs = [jnp.bitwise_and, jnp.bitwise_or, jnp.bitwise_xor, lax.shift_left, lax.div,
                     lax.shift_right_arithmetic, lax.shift_right_logical]
        return ([f(x) for f in floats], [f(x, x + 1) for f in pairs], [f(n) for f in ints],
                [f(n, n + 1) for f in int_pairs], jnp.where(b, x, 0), jnp.clip(x, 0, 1), b & ~b,
                lax.clamp(x, x + 1, x + 2), x == x + 1, n < 3, lax.real(lax.complex(x, x)))

    return run, (jnp.ones(3), jnp.arange(3), jnp.array([True, False, True])), {}


@program
def element_types():
    def run(*xs):
        return [x + x for x in xs], [x.astype(jnp.float32) for x in xs], xs[0] * jnp.ones(3, jnp.int8)

    types = [jnp.int8, jnp.int16, jnp.int32, jnp.uint8, jnp.uint16, jnp.uint32, jnp.float16,
             jnp.bfloat16, jnp.float32, jnp.float8_e4m3fn, jnp.float8_e5m2]
    return run, tuple(jnp.ones(3, t) for t in types), {}


@program
def constants():
    table = jnp.arange(24, dtype=jnp.float32).reshape(4, 6) / 7
    flags = jnp.arange(40) % 3 == 0

    def run(x):
        return (x @ table, jnp.where(flags, 1, 2), jnp.inf * x, jnp.nan * x,
                x + jnp.array([0.1, -0.0, 1e30, 1e-40]), jnp.eye(3), jnp.linspace(0, 1, 5))

    return run, (jnp.ones((2, 4)),), {}


@program
def reductions():
    def run(x):
        return (x.sum(), x.prod(0), x.max((0, 2)), x.min(), (x > 0).any(), (x > 0).all(1),
                jax.nn.logsumexp(x, -1), x.std(), jnp.argmin(x), jnp.linalg.norm(x),
                lax.reduce(x, jnp.float32(0), lambda a, b: a + 2 * b, (1,)),
                lax.cumprod(x, 1), lax.cummax(x, 2, reverse=True))

    return run, (jnp.ones((2, 3, 4)),), {}


@program
def linear_algebra():
    def run(a, b):
        c = jnp.linalg.cholesky(a)
        return c, jax.scipy.linalg.solve_triangular(c, b, lower=True), jnp.fft.fft(b), jnp.kron(a, a)

    return run, (jnp.eye(3), jnp.ones((3, 2))), {}


@program
def batched():
    def loss(w, x):
        return jnp.sum(jnp.sin(x @ w))

    per_example = jax.vmap(jax.grad(loss), (None, 0))
    return lambda w, x: (per_example(w, x), jax.jacfwd(loss)(w, x[0])), (
        jnp.ones((3, 2)), jnp.ones((5, 4, 3))), {}


def floats(*shape):
    return jnp.zeros(shape)


@program
def convolution_gradients():
    def loss(k, x):
        y = lax.conv_general_dilated(x, k, (2, 1), ((1, 2), (0, 1)), lhs_dilation=(1, 2),
                                     rhs_dilation=(2, 1), feature_group_count=2,
                                     dimension_numbers=("NCHW", "OIHW", "NCHW"))
        return jnp.sum(jnp.sin(y))

    return jax.grad(loss, (0, 1)), (floats(4, 2, 3, 2), floats(2, 4, 9, 7)), {}


@program
def convolution_transposed():
    def loss(k, x):
        y = lax.conv_transpose(x, k, (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))
        return jnp.sum(y**2)

    return jax.grad(loss, (0, 1)), (floats(3, 4, 5), floats(2, 6, 4)), {}


@program
def convolution_batch_groups():
    def loss(k, x):
        y = lax.conv_general_dilated(x, k, (1, 1), "VALID", batch_group_count=2,
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.sum(y**3)

    return jax.grad(loss, (0, 1)), (floats(2, 2, 3, 4), floats(4, 5, 5, 3)), {}


@program
def pooling():
    def loss(x):
        y = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 2), (1, 2, 1), ((0, 0), (1, 1), (0, 1)))
        return jnp.sum(y**2)

    return jax.grad(loss), (floats(2, 7, 5),), {}


@program
def einsum():
    loss = lambda a, b: jnp.sum(jnp.tanh(jnp.einsum("bij,bkjl->bikl", a, b)))
    return jax.grad(loss, (0, 1)), (floats(2, 3, 4), floats(2, 5, 4, 2)), {}


@program
def gather_and_scatter():
    def run(x, i, j, y, k, u):
        picked = jax.grad(lambda x: jnp.sum(x[i, :, j] ** 2))(x)
        return (x[i, :, j], jnp.take(x, i, axis=1, mode="clip"), picked, y.at[k].max(u),
                y.at[k].min(u), y.at[k].mul(u), y.at[k].add(u))

    return run, (floats(4, 5, 6), jnp.array([0, 3, 1]), jnp.array([5, -1, 2]), floats(6, 4),
                 jnp.array([1, 1, 5]), floats(3, 4)), {}


@program
def moving_slices():
    def run(x, i):
        grad = jax.grad(lambda x: jnp.sum(lax.dynamic_slice(x, (i, 0), (2, 2)) ** 2))(x)
        padded = lambda x: jnp.sum(lax.pad(x, jnp.float32(1), ((1, -1, 2), (-1, 2, 1))) ** 2)
        return (lax.dynamic_slice(x, (i, i - 1), (2, 3)), grad, jax.grad(padded)(x),
                lax.dynamic_update_slice(x, x[:2, :2], (i, i)))

    return run, (floats(5, 6), jnp.int32(4)), {}


@program
def loops_and_branches():
    def run(w, xs, x):
        final = lambda w: jnp.sum(lax.scan(lambda c, t: (jnp.tanh(c @ w + t), c * 2),
                                           jnp.zeros((2, 3)), xs)[0] ** 2)
        branches = [lambda x: jnp.sum(jnp.sin(x)), lambda x: jnp.sum(jnp.cos(x) * x)]
        chosen = lambda x: lax.switch((x[0] > 0).astype(jnp.int32), branches, x)
        counted = lax.while_loop(lambda c: (c[0] < 7) & (c[1].sum() < 50),
                                 lambda c: (c[0] + 1, c[1] * 1.5 + 1), (0, x))
        return jax.grad(final)(w), jax.grad(chosen)(x), counted

    return run, (floats(3, 3), floats(6, 2, 3), floats(5)), {}


@program
def integers():
    def run(a, b, c, d):
        return (a // b, a % b, lax.div(a, b), lax.rem(a, b), a << 2, a >> 1, ~a, a ^ b, a**2,
                lax.shift_right_logical(a, jnp.int32(3)), lax.population_count(a), lax.clz(a),
                jnp.abs(a), jnp.sign(a), c + d, c - d, c * d, c // d, c % d, c > d,
                jnp.maximum(c, d), c.astype(jnp.float32) / 3)

    return run, (jnp.array([-7, 7, -8, 2**31 - 1]), jnp.array([2, -2, 3, -1]),
                 jnp.array([250, 3, 0, 255], jnp.uint8), jnp.array([10, 2, 1, 255], jnp.uint8)), {}


@program
def rounding():
    def run(x):
        return (jnp.round(x * 4), lax.round(x * 4, lax.RoundingMethod.AWAY_FROM_ZERO),
                jnp.floor(x * 4), jnp.ceil(x * 4), jnp.trunc(x * 4), x.astype(jnp.int32),
                (x.astype(jnp.float16) * 3).astype(jnp.float32), jnp.clip(x, -0.2, 0.3),
                x.astype(jnp.bfloat16).astype(jnp.float32), lax.cumlogsumexp(x))

    return run, (floats(9),), {}


# Programs that are only read and printed, and why.
NOT_RUN = {
    "elementwise": "complex results, and functions that have no lowering",
    "element_types": "8-bit floats",
    "linear_algebra": "calls into LAPACK",
}


def lower(make):
    run, arguments, options = make()
    return jax.jit(run, **options).lower(*arguments)


def randomise(arguments):
    """Floats drawn from a seed; everything else as it is."""
    generator = np.random.default_rng(0)

    def draw(value):
        if not hasattr(value, "dtype") or not jnp.issubdtype(value.dtype, jnp.floating):
            return value
        return jnp.asarray(generator.uniform(0.1, 1.2, value.shape), value.dtype)

    return jax.tree.map(draw, arguments)


def check_numbers(make, path, echo_run, device):
    run, arguments, _ = make()
    arguments = randomise(arguments)
    jitted = jax.jit(run)
    kept = sorted(jitted.lower(*arguments)._lowering.compile_args["kept_var_idx"])
    leaves = jax.tree.leaves(arguments)
    raw = [jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x for x in leaves]
    inputs, outputs = path.with_suffix(".in.npz"), path.with_suffix(".out.npz")
    np.savez(inputs, **{f"arg{i}": np.asarray(raw[k]) for i, k in enumerate(kept)})
    results = jax.tree.leaves(jitted(*arguments))
    np.savez(outputs, **{f"res{i}": np.asarray(x) for i, x in enumerate(results)})
    command = [echo_run, str(path), f"--inputs={inputs}", f"--expect={outputs}", "--rtol=1e-4",
               "--atol=2e-5", f"--device={device}"]
    result = subprocess.run(command, capture_output=True, text=True)
    return "" if result.returncode == 0 else (result.stderr + result.stdout)[:1000]


def check(echo_opt, path, with_locations):
    command = [echo_opt, str(path)] + (["--mlir-print-debuginfo"] if with_locations else [])
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return result.stderr
    wanted = path.read_text()
    if result.stdout.rstrip("\n") == wanted.rstrip("\n"):
        return ""
    lines = difflib.unified_diff(wanted.splitlines(), result.stdout.splitlines(), "jax", "echo-opt",
                                 lineterm="", n=0)
    return "\n".join(list(lines)[:12])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--echo-opt")
    parser.add_argument("--echo-run")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    failures = 0
    for name, make in PROGRAMS.items():
        if options.only not in (None, name):
            continue
        lowered = lower(make)
        for with_locations in (False, True):
            path = options.out / f"{name}{'.loc' if with_locations else ''}.mlir"
            path.write_text(lowered.as_text(debug_info=with_locations))
            problem = check(options.echo_opt, path, with_locations) if options.echo_opt else ""
            if problem == "" and options.echo_run and not with_locations and name not in NOT_RUN:
                problem = check_numbers(make, path, options.echo_run, options.device)
            failures += problem != ""
            if problem:
                print(f"{path}:\n{problem}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
