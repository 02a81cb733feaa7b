#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same figures for processes of this machine, and what they then take: nmt with one batch divided among 1, 2 and 4 of them, a
thread each; then its memory with the optimizer's state in parts.

  python3 bench/scale/measured.py build [--state]     the last table alone"""
import os
import re
import subprocess
import sys
import tempfile

import scale

DEVICE = "cpu-2core-avx512"
CORES_OF_MODEL = 2
NMT = ["--batch=64", "--hidden=128"]
BATCH = "arg45:1,arg46,arg47:1,arg48:1,arg49:1"  # words come time first
STEPS = 40


def of_one_core(bench):
    """The model of one thread: arithmetic and cache go with the cores (echo_device_model_on_threads)."""
    text = open(os.path.join(scale.DEVICES, DEVICE + ".device")).read()

    def part(match):
        return f"{match.group(1)} = {float(match.group(2)) / CORES_OF_MODEL!r}"

    text = re.sub(r"^((?:contraction|loop|simple)_flops_per_s\S*|transcendentals_per_s\S*|chained_flops_per_s|cache_bytes_per_s|transpose_bytes_per_s|cores)"
                  r" = (\S+)", part, text, flags=re.M)
    path = bench.path("one.device")
    open(path, "w").write(text)
    return path


def predict(bench, n):
    model, step, planned = (bench.path(f"nmt{n}.{kind}.mlir") for kind in ("model", "step", "planned"))
    device = of_one_core(bench)
    bench.run("nmt", *NMT, "--emit=model", "-o", model)
    passes = scale.partitioning(n, BATCH, DEVICE) if n > 1 else ""
    bench.run("echo-opt", model, *([f"--pass-pipeline=builtin.module({passes})"] if passes else []), "-o", step)
    bench.run("echo-opt", step, "--to=planned", f"--device-model={DEVICE}", "-o", planned)
    sums = scale.sum_bytes(step)
    return bench.seconds(planned, device) * 1e3, bench.peak_bytes(planned), len(sums), sum(sums) / 1e6


def predict_in_parts(bench, n):
    """By arithmetic, as scale.py has it, and as the step is planned."""
    model, step, planned = (bench.path(f"nmt{n}.{kind}.mlir") for kind in ("model", "step", "planned"))
    bench.run("nmt", *NMT, "--emit=model", "-o", model)
    peaks = []
    for in_parts in (False, True):
        bench.run("echo-opt", model, f"--pass-pipeline=builtin.module({scale.partitioning(n, BATCH, DEVICE, in_parts)})", "-o", step)
        bench.run("echo-opt", step, "--to=planned", f"--device-model={DEVICE}", "-o", planned)
        if not in_parts:
            state = scale.argument_bytes(step)["optimizer"]
        peaks.append(bench.peak_bytes(planned))
    return peaks[0], peaks[0] - state * (1 - 1 / n), peaks[1]


def measure(bench, n, *options, steps=STEPS):
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(n), os.path.join(bench.bin, "nmt"), "--data-parallel",
               f"--steps={steps}", "--threads=1", *NMT, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr[:2000])
    text = done.stdout
    calls = re.search(r"(\d+) calls and ([\d.]+) MB a step", text)
    return (float(re.search(r"step: ([\d.]+) ms", text).group(1)), int(re.search(r"measured (\d+)", text).group(1)),
            int(calls.group(1)) if calls else 0, float(calls.group(2)) if calls else 0.0)


def print_state(bench):
    print("| processes | whole state | in parts by arithmetic | planned | allocated |")
    print("| --: | --: | --: | --: | --: |")
    for n in (2, 4):
        expected, found = predict_in_parts(bench, n), measure(bench, n, "--shard-state", "--no-validation", steps=2)
        print(f"| {n} | " + " | ".join(f"{b:,.0f}" for b in (*expected, found[1])) + " |", flush=True)


def print_steps(bench):
    print("| processes | ms predicted | measured | bytes predicted | allocated | calls | made | MB sent | sent |")
    print("| --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    for n in (1, 2, 4):
        expected, found = predict(bench, n), measure(bench, n)
        print(f"| {n} | {expected[0]:.1f} | {found[0]:.1f} | {expected[1]:,} | {found[1]:,} | {expected[2]} | {found[2]} | "
              f"{expected[3]:.2f} | {found[3]:.2f} |", flush=True)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--state"]
    with tempfile.TemporaryDirectory() as work:
        bench = scale.Bench(arguments[0] if arguments else "build", work)
        if len(arguments) == len(sys.argv) - 1:
            print_steps(bench)
        print_state(bench)


if __name__ == "__main__":
    main()
