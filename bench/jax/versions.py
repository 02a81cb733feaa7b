#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""versions.py BUILD PYTHON ...: what JAX of other years writes, and for other machines. Each PYTHON has a jax (0.4.13 or later) and NumPy, and exports
the steps below as StableHLO text, for a CPU and, from 0.4.31 on, for a GPU and a TPU as well, and as MHLO where it writes that; echo-run runs each, without Echo and at the least memory, and
compares its results with that JAX's on a CPU. Prints a table: the largest difference in the norm of a result, or what was said.

versions.py --export FOLDER: the half that each PYTHON runs; nothing but JAX's interface of 0.4.13 is used, and lowering for other platforms where it has that."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

CASES = {}
PLATFORMS = ["cpu", "cuda", "tpu", "mhlo"]  # the last one: a CPU, in the dialect that StableHLO came from
BUDGETS = {"off": [], "least": ["--echo=budget=min"]}


def case(function):
    CASES[function.__name__] = function
    return function


def normal(*shape, seed=0):
    return numpy.random.default_rng(seed).standard_normal(shape).astype(numpy.float32)


def adam(loss):
    """A step that returns parameters, moments and the loss."""
    import jax

    def step(params, first, second, *batch):
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        tree = jax.tree_util.tree_map
        first = tree(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = tree(lambda v, g: 0.99 * v + 0.01 * g * g, second, gradients)
        return tree(lambda p, m, v: p - 1e-3 * m / (v ** 0.5 + 1e-3), params, first, second), first, second, value
    return step


def trained(loss, params, *batch):
    zeros = {name: numpy.zeros_like(value) for name, value in params.items()}
    return adam(loss), (params, zeros, zeros, *batch)


@case
def transformer():
    """Two layers of causal attention with dropout, layer norm and GELU, the second recomputed by jax.checkpoint."""
    import jax
    import jax.numpy as jnp
    width, heads, words = 32, 4, 50
    shapes = {"embed": (words, width), **{f"{name}{i}": (width, width) for i in range(2) for name in "qkvo"},
              **{f"up{i}": (width, 64) for i in range(2)}, **{f"down{i}": (64, width) for i in range(2)}}
    params = {name: 0.2 * normal(*shape, seed=i) for i, (name, shape) in enumerate(sorted(shapes.items()))}
    tokens = numpy.random.default_rng(1).integers(0, words, (3, 12)).astype(numpy.int32)

    def layer(i, params, x, key):
        norm = lambda x: (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)
        h = norm(x)
        q, k, v = ((h @ params[f"{name}{i}"]).reshape(*x.shape[:2], heads, -1) for name in "qkv")
        scores = jnp.einsum("bthd,bshd->bhts", q, k) / 8 ** 0.5
        scores = jnp.where(jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool)), scores, -1e9)
        kept = jax.random.bernoulli(key, 0.9, scores.shape)
        x = x + jnp.einsum("bhts,bshd->bthd", jnp.where(kept, jax.nn.softmax(scores) / 0.9, 0), v).reshape(x.shape) @ params[f"o{i}"]
        return x + jax.nn.gelu(norm(x) @ params[f"up{i}"]) @ params[f"down{i}"]

    def loss(params, tokens, key):
        x = params["embed"][tokens]
        keys = jax.random.split(key)
        x = jax.checkpoint(layer, static_argnums=0)(1, params, layer(0, params, x, keys[0]), keys[1])
        scores = jax.nn.log_softmax(x @ params["embed"].T)[:, :-1]
        return -jnp.take_along_axis(scores, tokens[:, 1:, None], -1).mean()
    return trained(loss, params, tokens, jax.random.PRNGKey(0))


@case
def recurrence():
    """An LSTM in a scan, rows of different lengths."""
    import jax
    import jax.numpy as jnp
    params = {"w": 0.3 * normal(21, 64, seed=1), "b": normal(64, seed=2), "out": normal(16, 3, seed=3)}

    def loss(params, x, y, lengths):
        def cell(carry, at):
            (h, c), (t, x) = carry, at
            i, f, g, o = jnp.split(jnp.concatenate([x, h], -1) @ params["w"] + params["b"], 4, -1)
            new = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            c = jnp.where((t < lengths)[:, None], new, c)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h @ params["out"]
        zero = jnp.zeros((x.shape[1], 16))
        _, found = jax.lax.scan(cell, (zero, zero), (jnp.arange(x.shape[0]), x))
        return ((found - y) ** 2).mean()
    return trained(loss, params, normal(9, 4, 5), normal(9, 4, 3), numpy.array([9, 4, 7, 1], numpy.int32))


@case
def convolutions():
    """Strided, grouped, dilated and transposed ones, pooling, batch norm's statistics."""
    import jax
    import jax.numpy as jnp
    numbers = ("NHWC", "HWIO", "NHWC")
    params = {"a": 0.3 * normal(3, 3, 6, 12, seed=1), "b": 0.3 * normal(3, 3, 6, 12, seed=2), "c": 0.3 * normal(3, 3, 12, 8, seed=3), "d": normal(8, 5, seed=4)}

    def loss(params, x, y):
        conv = lambda x, w, **options: jax.lax.conv_general_dilated(x, w, dimension_numbers=numbers, **options)
        x = jax.nn.relu(conv(x, params["a"], window_strides=(2, 1), padding="SAME"))
        x = (x - x.mean((0, 1, 2))) * jax.lax.rsqrt(x.var((0, 1, 2)) + 1e-5)
        x = jnp.tanh(conv(x, params["b"], window_strides=(1, 1), padding=[(2, 2), (0, 3)], rhs_dilation=(2, 1), feature_group_count=2))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 2, 1), (1, 2, 2, 1), "SAME")
        x = conv(x, params["c"], window_strides=(1, 1), padding=[(2, 2), (2, 2)], lhs_dilation=(2, 2))
        scores = jax.nn.log_softmax(jnp.mean(x, (1, 2)) @ params["d"])
        return -(scores * jax.nn.one_hot(y, 5)).sum(-1).mean()
    return trained(loss, params, normal(4, 13, 11, 6), numpy.array([0, 3, 1, 4], numpy.int32))


@case
def loops_and_branches():
    import jax
    import jax.numpy as jnp

    def f(x):
        y = jax.lax.fori_loop(0, 5, lambda i, v: v * jnp.cos(v + i), x)
        w = jax.lax.switch(jnp.int32(x[0] > 0) + 1, [jnp.sin, jnp.cos, jnp.exp], x)
        m = jax.lax.map(lambda t: jax.lax.cond(t > 0, lambda t: t * 2, lambda t: -t, t), x)
        return (y + w + m).sum()
    halved = lambda x: jax.lax.while_loop(lambda c: (c[0] < 7) & (jnp.abs(c[1]).sum() > 0.01), lambda c: (c[0] + 1, c[1] * 0.5), (0, x))
    return lambda x: (jax.value_and_grad(f)(x), jax.jvp(f, (x,), (x,)), halved(x)), (normal(8),)


@case
def factorizations():
    """What JAX hands to LAPACK on a CPU, and its gradients."""
    import jax
    import jax.numpy as jnp

    def f(a):
        s = a @ jnp.swapaxes(a, -1, -2) + 6 * jnp.eye(6)
        c = jnp.linalg.cholesky(s)
        solved = jax.scipy.linalg.solve_triangular(c[0], a[0], lower=True)
        return (c.sum() + solved.sum() + jnp.abs(jnp.linalg.qr(a)[1]).sum() + jnp.linalg.eigh(s)[0].sum() + jnp.log(jnp.linalg.svd(a, full_matrices=False)[1]).sum()
                + jnp.linalg.slogdet(s)[1].sum() + jnp.linalg.inv(s).sum() + jnp.linalg.solve(s, a).sum())
    values = lambda a: (jnp.sort(jnp.abs(jnp.linalg.eigvals(a))), jnp.linalg.svd(a, compute_uv=False), jax.scipy.linalg.expm(0.1 * a[0]))
    return lambda a: (jax.value_and_grad(f)(a), values(a)), (normal(3, 6, 6),)


@case
def complex_factorizations():
    import jax
    import jax.numpy as jnp
    a = (normal(2, 5, 5) + 1j * normal(2, 5, 5, seed=1)).astype(numpy.complex64)

    def f(a):
        h = a + jnp.conj(jnp.swapaxes(a, -1, -2))
        p = h @ h + 3 * jnp.eye(5, dtype=a.dtype)
        solved = jax.lax.linalg.triangular_solve(p, a, left_side=False, lower=False, transpose_a=True, conjugate_a=True, unit_diagonal=True)
        return (jnp.linalg.cholesky(p), jnp.linalg.eigvalsh(h), jnp.linalg.solve(a, a[:, :, :2]), solved, jnp.abs(jnp.linalg.qr(a)[1]),
                jnp.linalg.svd(a, compute_uv=False), jnp.abs(jax.lax.linalg.schur(a)[0]), jnp.linalg.eig(a)[0])
    return f, (a,)


@case
def fourier():
    import jax
    import jax.numpy as jnp

    def f(x):
        spectrum = jnp.fft.rfft(x)
        return (jnp.abs(spectrum) ** 2).sum() + jnp.real(jnp.fft.ifft2(jnp.fft.fft2(x)) * 1j).sum() + (jnp.fft.irfft(0.5 * spectrum) ** 2).sum()
    return lambda x: (jax.value_and_grad(f)(x), jnp.abs(jnp.fft.ifft(x + 0j, axis=0)), jnp.fft.irfftn(jnp.fft.rfftn(x))), (normal(4, 30),)


@case
def sorts_and_indices():
    import jax
    import jax.numpy as jnp
    i = numpy.random.default_rng(2).integers(0, 6, (40,)).astype(numpy.int32)
    return lambda x, i: (jnp.sort(x, 0), jnp.argsort(x, 1), jax.lax.top_k(x, 5), jnp.median(x), jnp.unique(i, size=6), jax.ops.segment_sum(x.T, i, 6),
                         jnp.searchsorted(jnp.sort(x[0]), x[1]), jax.lax.approx_max_k(x, 3), jnp.histogram(x, 8)[0], x.at[:, i % 5].add(2.0), jnp.take(x, i, 1),
                         jnp.roll(x, 3, 1), jnp.cumsum(x, 1), jax.lax.cummax(x, 0), jax.image.resize(x, (12, 20), "bilinear")), (normal(6, 40), i)


@case
def random_numbers():
    import jax
    import jax.numpy as jnp
    r = jax.random
    return lambda k: (r.normal(k, (7,)), r.bernoulli(k, 0.3, (9,)), r.permutation(k, 10), r.categorical(k, jnp.zeros((4, 5))), r.gamma(k, 2.0, (4,)),
                      r.truncated_normal(k, -1, 1, (5,)), r.choice(k, 8, (3,), replace=False), r.poisson(k, 3.0, (6,)), r.split(k, 3), r.randint(k, (5,), 0, 100),
                      r.orthogonal(k, 3), r.bits(k, (4,), numpy.uint8)), (jax.random.PRNGKey(5),)


@case
def special_functions():
    import jax.numpy as jnp
    from jax.scipy import special as s
    return lambda x: (s.gammaln(x), s.digamma(x), s.erfinv(jnp.tanh(x)), s.betainc(x, x + 1, jnp.tanh(x)), s.gammainc(x, x), s.i1(x), s.polygamma(1, x), s.ndtri(0.9 * jnp.tanh(x)),
                      jnp.sinc(x), jnp.arctan2(x, -x), jnp.cbrt(x)), (numpy.abs(normal(64)) + 0.1,)


# ---- with JAX ----

def text_of(compiled, arguments, platform):
    """None where that JAX, or none, lowers the step for the platform."""
    if platform == "cpu":
        return compiled.lower(*arguments).as_text(dialect="stablehlo")
    try:
        if platform == "mhlo":
            return compiled.lower(*arguments).as_text(dialect="mhlo")
        return compiled.trace(*arguments).lower(lowering_platforms=(platform,)).as_text(dialect="stablehlo") if hasattr(compiled, "trace") else None
    except Exception as error:  # a jaxlib without GPUs has errors of its own
        print(f"{platform}: {type(error).__name__}: {error}", file=sys.stderr)
        return None


def export(folder):
    import jax
    leaves = lambda tree: [numpy.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]
    for name, make in CASES.items():
        step, arguments = make()
        compiled = jax.jit(step, keep_unused=True)
        for platform in PLATFORMS:
            text = text_of(compiled, arguments, platform)
            if text is not None:
                (folder / f"{name}.{platform}.mlir").write_text(text)
        numpy.savez(folder / f"{name}.in.npz", **{f"arg{i}": leaf for i, leaf in enumerate(leaves(arguments))})
        numpy.savez(folder / f"{name}.out.npz", **{f"res{i}": leaf for i, leaf in enumerate(leaves(compiled(*arguments)))})
    print(jax.__version__)


# ---- with Echo ----

def outcome(build, folder, name, platform):
    """The largest difference, or what was said; empty where there is no such step."""
    worst, step = 0.0, folder / f"{name}.{platform}.mlir"
    if not step.exists():
        return ""
    for echo, options in BUDGETS.items():
        run = subprocess.run([build / "bin/echo-run", step, f"--inputs={folder / name}.in.npz", f"--expect={folder / name}.out.npz", *options],
                             capture_output=True, text=True, check=False)
        worst = max([worst, *map(float, re.findall(r": (?:same|DIFFERENT) by (\S+) of the norm", run.stdout + run.stderr))])
        if run.returncode != 0:
            message = re.search(r"error: (.*)", run.stderr)
            return f"{echo}: {message[1] if message else f'differs by {worst:.1e}'}"
    return f"{worst:.0e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--export", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    options = parser.parse_args()
    if options.export:
        export(options.export)
        return
    if not options.build or not options.pythons:
        parser.error("needs a build folder and at least one Python with JAX")
    table, failed = {}, False
    for python in options.pythons:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([python, __file__, "--export", folder], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"versions: {python}: {done.stderr[-1000:]}")
            version = done.stdout.split()[-1]
            for platform in PLATFORMS:
                cells = {name: outcome(options.build, pathlib.Path(folder), name, platform) for name in CASES}
                failed |= any(":" in cell for cell in cells.values())
                if any(cells.values()):
                    table[version if platform == "cpu" else f"{version}, {platform}"] = cells
    print("| JAX | " + " | ".join(name.replace("_", " ") for name in CASES) + " |\n| --- |" + " --: |" * len(CASES))
    for version, cells in table.items():
        print(f"| {version} | " + " | ".join(cells.values()) + " |")
    sys.exit(failed)


if __name__ == "__main__":
    main()
