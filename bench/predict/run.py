#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--threads=N,…] [--device-model=FILE] [--json=FILE] BUILD FOLDER…: what the device model predicts beside what the clock says, by
kind of kernel and by step. A FOLDER holds step.mlir and in.npz (bench/wild/export.py makes them); a file stands for itself, its arguments
drawn (ops.py writes single ops). Without a device model, this machine is calibrated for the threads first. A kernel's time in a step is
the least of all steps of several runs: what others do on the machine only ever adds."""
import argparse
import collections
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

RUNS = 3
RUN_S = 0.5  # of steps, about
MAX_STEPS = 2000


def run(build, program, scratch, threads, model, steps):
    figures = scratch / "figures.json"
    inputs = [f"--inputs={program.parent}/in.npz"] if (program.parent / "in.npz").exists() else []
    command = [build / "bin/echo-run", program, *inputs, "--quiet", "--kernels", f"--threads={threads}", f"--steps={steps}",
               f"--device-model={model}", f"--cache-dir={scratch}/cache", f"--json={figures}"]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return json.loads(figures.read_text())


def measured(build, program, scratch, threads, model):
    """Of each kernel: kind, launches of a step, predicted and measured nanoseconds of all of them."""
    step_s = run(build, program, scratch, threads, model, 3)["step_s"]
    steps = max(3, min(MAX_STEPS, int(RUN_S / max(step_s, 1e-6))))
    runs = [run(build, program, scratch, threads, model, steps)["kernels"] for _ in range(RUNS)]
    least = {}
    for found in runs:
        for kernel in found:
            if kernel["predicted_ns"] is None or kernel["least_step_ns"] is None:
                continue
            name = kernel["name"]
            if name not in least or kernel["least_step_ns"] < least[name]["least_step_ns"]:
                least[name] = kernel
    return [(k["name"], k["kind"], k["launches"], k["launches"] * k["predicted_ns"], k["least_step_ns"]) for k in least.values()]


def calibrated(build, scratch, threads):
    model = scratch / f"host{threads}.device"
    subprocess.run([build / "bin/echo-run", f"--calibrate={model}", f"--threads={threads}"], check=True, capture_output=True)
    return model


def summary(threads, steps, kinds):
    ratios = [predicted / clock for _, predicted, clock in steps]
    within = sum(abs(ratio - 1) <= 0.15 for ratio in ratios)
    spread = math.exp(statistics.mean(abs(math.log(ratio)) for ratio in ratios))
    print(f"\n{threads} threads: predicted / measured {statistics.geometric_mean(ratios):.2f} in the geometric mean, off by a factor of {spread:.2f} on "
          f"average; {within} of {len(ratios)} steps within 15 %\n")
    print("| kind | kernels | ms measured | predicted / measured |\n| --- | --: | --: | --: |")
    for kind, (n, predicted, clock) in sorted(kinds.items(), key=lambda item: -item[1][2]):
        print(f"| {kind} | {n} | {clock * 1e-6:.3f} | {predicted / max(clock, 1):.2f} |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--device-model", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    everything = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for threads in map(int, options.threads.split(",")):
            model = options.device_model or calibrated(options.build, scratch, threads)
            steps, kinds = [], collections.defaultdict(lambda: [0, 0, 0])
            print(f"| step, {threads} threads | ms measured | predicted / measured |\n| --- | --: | --: |")
            for path in options.folders:
                name, program = (path.name, path / "step.mlir") if path.is_dir() else (path.stem, path)
                try:
                    kernels = measured(options.build, program, scratch, threads, model)
                except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
                    print(f"| {name} | not run: {type(error).__name__} | |", flush=True)
                    continue
                predicted, clock = sum(k[3] for k in kernels), sum(k[4] for k in kernels)
                if clock == 0:
                    continue
                steps.append((name, predicted, clock))
                everything.append({"step": name, "threads": threads, "kernels": kernels})
                for _, kind, _, kernel_predicted, kernel_clock in kernels:
                    kinds[kind][0] += 1
                    kinds[kind][1] += kernel_predicted
                    kinds[kind][2] += kernel_clock
                print(f"| {name} | {clock * 1e-6:.3f} | {predicted / clock:.2f} |", flush=True)
            summary(threads, steps, kinds)
    if options.json:
        options.json.write_text(json.dumps(everything) + "\n")


if __name__ == "__main__":
    main()
