#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--only=TEXT] [--threads=N] BUILD: convolutions and their gradients, one op a module, as JAX lowers them, by XLA and by
BUILD's echo-run in one run: median wall time, and processor time (user and system, all threads) of a step; largest difference from XLA's
result as a part of the largest element. Run by a Python with JAX. On a busy machine processor time says more than wall time."""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

LEAST_S, MOST_STEPS = 0.2, 200  # a figure is of so many steps as take this long, in wall time of XLA's first
NHWC, NCHW = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")
NWC = ("NWC", "WIO", "NWC")


def case(name, x, k, dims=NHWC, dtype="float32", **options):
    return {"name": name, "x": x, "k": k, "dims": dims, "dtype": dtype, "options": {"window_strides": (1,) * (len(x) - 2), "padding": "SAME"} | options}


CASES = [
    case("3x3 64, 56x56, b8", (8, 56, 56, 64), (3, 3, 64, 64)),
    case("3x3 64, 56x56, b1", (1, 56, 56, 64), (3, 3, 64, 64)),
    case("3x3 128, 28x28, b8", (8, 28, 28, 128), (3, 3, 128, 128)),
    case("3x3 512, 7x7, b8", (8, 7, 7, 512), (3, 3, 512, 512)),
    case("3x3 16, 32x32, b32", (32, 32, 32, 16), (3, 3, 16, 16)),
    case("3x3 1 to 32, 28x28, b32", (32, 28, 28, 1), (3, 3, 1, 32)),
    case("3x3 32 to 64, 14x14, b32", (32, 14, 14, 32), (3, 3, 32, 64)),
    case("3x3/2 64 to 128, 56x56, b8", (8, 56, 56, 64), (3, 3, 64, 128), window_strides=(2, 2)),
    case("1x1 256 to 64, 56x56, b8", (8, 56, 56, 256), (1, 1, 256, 64)),
    case("1x1/2 64 to 128, 56x56, b8", (8, 56, 56, 64), (1, 1, 64, 128), window_strides=(2, 2)),
    case("7x7/2 3 to 64, 112x112, b8", (8, 112, 112, 3), (7, 7, 3, 64), window_strides=(2, 2)),
    case("3x3 depthwise 64, 28x28, b8", (8, 28, 28, 64), (3, 3, 1, 64), feature_group_count=64),
    case("3x3 groups of 16, 28x28, b8", (8, 28, 28, 64), (3, 3, 16, 64), feature_group_count=4),
    case("3x3 dilated 32, 32x32, b8", (8, 32, 32, 32), (3, 3, 32, 32), rhs_dilation=(2, 2)),
    case("4x4 transposed 64 to 32, 16x16, b8", (8, 16, 16, 64), (4, 4, 64, 32), lhs_dilation=(2, 2), padding=((2, 2), (2, 2))),
    case("1-D 5, 64, 512, b8", (8, 512, 64), (5, 64, 64), NWC),
    case("3x3 64, 56x56, b8, NCHW", (8, 64, 56, 56), (64, 64, 3, 3), NCHW),
    case("3x3 16, 32x32, b32, NCHW", (32, 16, 32, 32), (16, 16, 3, 3), NCHW),
    case("3x3 64, 28x28, b8, bf16", (8, 28, 28, 64), (3, 3, 64, 64), dtype="bfloat16"),
]


def processor_s(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def functions(row):
    import jax
    def forward(x, k):
        return jax.lax.conv_general_dilated(x, k, dimension_numbers=row["dims"], **row["options"])
    def data(x, k, dy):
        return jax.vjp(lambda x: forward(x, k), x)[1](dy)[0]
    def weights(x, k, dy):
        return jax.vjp(lambda k: forward(x, k), k)[1](dy)[0]
    return {"forward": forward, "data": data, "weights": weights}


def xla(run, arguments):
    import jax
    jax.block_until_ready(run(*arguments))
    start = time.perf_counter()
    jax.block_until_ready(run(*arguments))
    steps = max(5, min(MOST_STEPS, int(LEAST_S / (time.perf_counter() - start))))
    walls, before = [], processor_s(resource.RUSAGE_SELF)
    for _ in range(steps):
        start = time.perf_counter()
        jax.block_until_ready(run(*arguments))
        walls.append(1e3 * (time.perf_counter() - start))
    return statistics.median(walls), 1e3 * (processor_s(resource.RUSAGE_SELF) - before) / steps, steps


def echo(build, folder, threads, repeats):
    """Wall and processor time of a step, and what the device model says; the start of the program is taken away by a run of one step."""
    def once(steps, *more):
        before = processor_s(resource.RUSAGE_CHILDREN)
        subprocess.run([build / "bin/echo-run", folder / "op.mlir", f"--inputs={folder}/in.npz", "--quiet", f"--threads={threads}",
                        f"--json={folder}/out.json", f"--steps={steps}", *more], check=True)
        return processor_s(resource.RUSAGE_CHILDREN) - before, json.loads((folder / "out.json").read_text())
    once(1, f"--outputs={folder}/found.npz")  # and compiles, for the others to find in the cache
    one, _ = once(1)
    many, figures = once(repeats + 1)
    return 1e3 * figures["step_s"], 1e3 * (many - one) / repeats, figures


def measure(build, row, what, run, arguments, threads):
    import jax
    import numpy
    wide = [numpy.asarray(a.astype("float32")) for a in arguments]
    def widened(*given):
        return run(*(a.astype(row["dtype"]) for a in given)).astype("float32")
    lowered = jax.jit(run if row["dtype"] == "float32" else widened, keep_unused=True).lower(*wide)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "op.mlir").write_text(lowered.as_text())
        numpy.savez(folder / "in.npz", **{f"arg{i}": a for i, a in enumerate(wide)})
        compiled = lowered.compile()
        theirs = xla(compiled, wide)
        ours = echo(build, folder, threads, theirs[2])
        result, found = numpy.asarray(compiled(*wide)), numpy.load(folder / "found.npz")
        off = numpy.abs(found[found.files[0]].astype(float) - result).max() / max(numpy.abs(result).max(), 1e-30)
    print(f"| {row['name']} | {what} | {theirs[0]:.2f}, {theirs[1]:.2f} | {ours[0]:.2f}, {ours[1]:.2f} | {ours[0] / theirs[0]:.2f}, "
          f"{ours[1] / max(theirs[1], 1e-3):.2f} | {off:.0e} |", flush=True)
    return ours[0] / theirs[0], ours[1] / max(theirs[1], 1e-3)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.threads])
    import jax
    print("| convolution | | XLA: ms, processor ms | Echo | Echo / XLA | off by |\n| --- | --- | --: | --: | --: | --: |")
    found = {}
    for row in CASES:
        if options.only and options.only not in row["name"]:
            continue
        keys = jax.random.split(jax.random.key(1), 3)
        x, k = (jax.random.normal(key, row[part], row["dtype"]) for key, part in zip(keys, "xk"))
        runs = functions(row)
        dy = jax.random.normal(keys[2], jax.eval_shape(runs["forward"], x, k).shape, row["dtype"])
        for what, run in runs.items():
            arguments = (x, k) if what == "forward" else (x, k, dy)
            found.setdefault(what, []).append(measure(options.build, row, what, run, arguments, options.threads))
    print()
    for what, ratios in found.items():
        wall, processor = (statistics.geometric_mean(max(r[i], 1e-3) for r in ratios) for i in (0, 1))
        print(f"- {what}: wall {wall:.2f}, processor time {processor:.2f} of XLA's in the geometric mean of {len(ratios)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
