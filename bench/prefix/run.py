# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD: cumulative and windowed operations of JAX, compiled by XLA and by Echo: the median step of each, one after the other on the
same threads, their ratio, and what Echo's device model predicted. Prints a table. Needs jax."""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import jax
import jax.numpy as jnp
import numpy
from jax import lax

REPEATS = 15
N = 100_000


def sum_of_squares(f):
    return jax.grad(lambda x: (f(x) ** 2).sum())


def window_sum(x):
    return lax.reduce_window(x, 0.0, lax.add, (1000,), (1,), "SAME")


CASES = [
    ("cumsum", jnp.cumsum, (N,)),
    ("cumsum, reverse", lambda x: lax.cumsum(x, reverse=True), (N,)),
    ("cumsum, gradient", sum_of_squares(jnp.cumsum), (N,)),
    ("cumsum, rows", lambda x: jnp.cumsum(x, 1), (512, 2048)),
    ("cumsum, columns", lambda x: jnp.cumsum(x, 0), (2048, 512)),
    ("cumsum, middle", lambda x: jnp.cumsum(x, 1), (8, 2048, 64)),
    ("cumprod", jnp.cumprod, (N,)),
    ("cummax", lax.cummax, (N,)),
    ("cumlogsumexp", lax.cumlogsumexp, (N,)),
    ("associative_scan", lambda x: lax.associative_scan(jnp.add, x), (N,)),
    ("window sum of 1000", window_sum, (N,)),
    ("window sum, gradient", sum_of_squares(window_sum), (N,)),
]


def xla_ms(function, x):
    compiled, x = jax.jit(function), jnp.asarray(x)
    jax.block_until_ready(compiled(x))
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        jax.block_until_ready(compiled(x))
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def echo_ms(build, function, x):
    """Median step and its prediction."""
    with tempfile.TemporaryDirectory() as folder:
        program, inputs = pathlib.Path(folder) / "case.mlir", pathlib.Path(folder) / "in.npz"
        program.write_text(jax.jit(function).lower(x).as_text())
        numpy.savez(inputs, arg0=x)
        done = subprocess.run([build / "bin/echo-run", program, f"--inputs={inputs}", f"--steps={REPEATS}", "--kernels"], check=True,
                              text=True, capture_output=True)
    step = re.search(r"step (\S+) s \(median", done.stdout).group(1)
    predicted = re.search(r"^ +all +.* (\S+)$", done.stdout, re.MULTILINE).group(1)
    return 1e3 * float(step), float(predicted)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build
    rng = numpy.random.default_rng(0)
    print(f"{os.cpu_count()} processors, jax {jax.__version__}, f32, medians of {REPEATS}\n")
    print("| | shape | XLA, ms | Echo, ms | Echo / XLA | predicted, ms |\n| --- | --- | --: | --: | --: | --: |")
    for name, function, shape in CASES:
        x = rng.uniform(0.5, 1.5, shape).astype("float32")
        xla, (echo, predicted) = xla_ms(function, x), echo_ms(build, function, x)
        print(f"| {name} | {'x'.join(map(str, shape))} | {xla:.3f} | {echo:.3f} | {echo / xla:.2f} | {predicted:.3f} |", flush=True)


main()
