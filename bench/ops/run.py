# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD denormals|sorting|fft: processor time of a step by XLA and by Echo, on one thread: arithmetic on denormals and on normal numbers,
flushing and keeping them; sorts and the first places of rows; Fourier transforms. Prints a table. Needs jax."""
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
from jax import lax

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


DENORMALS = [("products and sums", decay, (256, 1024), "float32"), ("products and sums", decay, (256, 1024), "float64"), ("x @ x", product, (256, 256), "float32")]


def first_places(k):
    return lambda x: lax.top_k(x, k)


SORTING = [
    ("top_k, 1", first_places(1), (32, 10000), False),
    ("top_k, 10", first_places(10), (10000,), False),
    ("top_k, 10, ascending", first_places(10), (10000,), True),
    ("top_k, 50", first_places(50), (32, 10000), False),
    ("top_k, 500", first_places(500), (10000,), False),
    ("top_k, 2", first_places(2), (4096, 8), False),
    ("sort", jnp.sort, (10000,), False),
    ("sort", jnp.sort, (256, 100), False),
    ("sort", jnp.sort, (100000,), False),
    ("argsort", jnp.argsort, (10000,), False),
]

FFT = [
    ("fft, real part", lambda x: jnp.fft.fft(x).real, (256, 256)),
    ("rfft, real part", lambda x: jnp.fft.rfft(x).real, (2048, 32)),
    ("rfft, real part", lambda x: jnp.fft.rfft(x).real, (256, 256)),
    ("rfft, real part", lambda x: jnp.fft.rfft(x).real, (16, 4096)),
    ("rfft, real part", lambda x: jnp.fft.rfft(x).real, (256, 255)),
    ("rfft, real part", lambda x: jnp.fft.rfft(x).real, (256, 251)),
    ("irfft(rfft)", lambda x: jnp.fft.irfft(jnp.fft.rfft(x)), (256, 256)),
    ("irfft2(rfft2)", lambda x: jnp.fft.irfft2(jnp.fft.rfft2(x)), (64, 32, 32)),
    ("fftn, real part", lambda x: jnp.fft.fftn(x).real, (32, 32, 32)),
]


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


def compare_denormals(build):
    jax.config.update("jax_enable_x64", True)
    print("| | values | XLA | Echo | Echo, `--denormals=keep` |\n| --- | --- | --: | --: | --: |")
    for name, function, shape, kind in DENORMALS:
        for values in ("normal", "denormal"):
            scale = numpy.finfo(kind).tiny * 0.5 if values == "denormal" else 1.0
            x = (numpy.random.default_rng(0).uniform(0.5, 1.5, shape) * scale).astype(kind)
            row = [xla_ms(function, x), echo_ms(build, function, x, "flush"), echo_ms(build, function, x, "keep")]
            print(f"| {name}, {kind} {'x'.join(map(str, shape))} | {values} | " + " | ".join(f"{ms:.3f}" for ms in row) + " |", flush=True)


def compare_sorting(build):
    print("| | f32 | XLA | Echo | Echo / XLA |\n| --- | --- | --: | --: | --: |")
    for name, function, shape, ascends in SORTING:
        x = numpy.random.default_rng(0).normal(size=shape).astype("float32")
        x = numpy.sort(x) if ascends else x
        xla, echo = xla_ms(function, x), echo_ms(build, function, x, "flush")
        print(f"| {name} | {'x'.join(map(str, shape))} | {xla:.3f} | {echo:.3f} | {echo / xla:.2f} |", flush=True)


def compare_fft(build):
    print("| | f32 | XLA | Echo | Echo / XLA |\n| --- | --- | --: | --: | --: |")
    for name, function, shape in FFT:
        x = numpy.random.default_rng(0).normal(size=shape).astype("float32")
        xla, echo = xla_ms(function, x), echo_ms(build, function, x, "flush")
        print(f"| {name} | {'x'.join(map(str, shape))} | {xla:.3f} | {echo:.3f} | {echo / xla:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", choices=["denormals", "sorting", "fft"])
    arguments = parser.parse_args()
    print(f"jax {jax.__version__}, one thread, processor time of a step in ms\n")
    {"denormals": compare_denormals, "sorting": compare_sorting, "fft": compare_fft}[arguments.what](arguments.build)


main()
