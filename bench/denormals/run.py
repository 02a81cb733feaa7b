# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD: arithmetic on denormals and on normal numbers, by XLA and by Echo, flushing and keeping them: processor time of a step, on one
thread. Prints a table. Needs jax."""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import jax
import jax.numpy as jnp
import numpy

STEPS = 200


def spent_s(who=resource.RUSAGE_SELF):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def decay(x):
    for _ in range(8):
        x = x * 0.5 + x * 0.25
    return x


def product(x):
    return x @ x


CASES = [("products and sums", decay, (256, 1024), "float32"), ("products and sums", decay, (256, 1024), "float64"), ("x @ x", product, (256, 256), "float32")]


def xla_ms(function, x):
    compiled = jax.jit(function)
    jax.block_until_ready(compiled(x))
    times = []
    for _ in range(STEPS):
        begin = spent_s()
        jax.block_until_ready(compiled(x))
        times.append(spent_s() - begin)
    return 1e3 * statistics.median(times)


def echo_ms(build, function, x, option):
    """The difference of many steps and of few, so that reading and compiling do not count."""
    with tempfile.TemporaryDirectory() as folder:
        program, inputs = pathlib.Path(folder) / "case.mlir", pathlib.Path(folder) / "in.npz"
        program.write_text(jax.jit(function).lower(x).as_text())
        numpy.savez(inputs, arg0=x)
        spent = []
        for steps in (1, 1, 1 + STEPS):  # the first fills the cache of kernels
            begin = spent_s(resource.RUSAGE_CHILDREN)
            subprocess.run([build / "bin/echo-run", program, f"--inputs={inputs}", f"--steps={steps}", "--threads=1", "--quiet",
                            f"--denormals={option}"], check=True)
            spent.append(spent_s(resource.RUSAGE_CHILDREN) - begin)
        return 1e3 * (spent[2] - spent[1]) / STEPS


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build
    jax.config.update("jax_enable_x64", True)
    print(f"jax {jax.__version__}, one thread, processor time of a step in ms\n")
    print("| | values | XLA | Echo | Echo, `--denormals=keep` |\n| --- | --- | --: | --: | --: |")
    for name, function, shape, kind in CASES:
        for values in ("normal", "denormal"):
            scale = numpy.finfo(kind).tiny * 0.5 if values == "denormal" else 1.0
            x = (numpy.random.default_rng(0).uniform(0.5, 1.5, shape) * scale).astype(kind)
            row = [xla_ms(function, x), echo_ms(build, function, x, "flush"), echo_ms(build, function, x, "keep")]
            print(f"| {name}, {kind} {'x'.join(map(str, shape))} | {values} | " + " | ".join(f"{ms:.3f}" for ms in row) + " |", flush=True)


main()
