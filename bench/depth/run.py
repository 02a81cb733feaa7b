#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--layers=12,24,96] [--goals=1%,2%,5%,10%,20%,30%,min] BUILD: the same Transformer with ever more layers: what part of its
arena it needs at the same price, and the processor time of planning. Plans depend on no machine: gpu-a100-40g predicts."""
import argparse
import pathlib
import re
import resource
import subprocess
import tempfile

MODEL = ["--model=transformer", "--hidden=256", "--heads=4", "--length=128", "--batch=4", "--classes=1000", "--emit=step"]


def goal_option(goal):
    return "budget=min" if goal == "min" else f"overhead={goal}"


def plan(build, step, goal):
    """Part of the arena without recompute, added time in percent, seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([build / "bin/echo-opt", step, "--to=echoed", f"--echo={goal_option(goal)}", "--device-model=gpu-a100-40g"],
                          check=True, text=True, capture_output=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    facts = {k: int(v) for k, v in re.findall(r"echo\.(\w+) = (\d+) : i64", done.stdout.split("\n", 1)[0])}
    return facts["on_bytes"] / facts["off_bytes"], 100 * (facts["on_ns"] / facts["off_ns"] - 1), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", default="12,24,96")
    parser.add_argument("--goals", default="1%,2%,5%,10%,20%,30%,min")
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    goals = options.goals.split(",")
    print("| layers | ops | " + " | ".join(goals) + " | seconds |\n| --: |" + " --: |" * (len(goals) + 2))
    with tempfile.TemporaryDirectory() as folder:
        step = pathlib.Path(folder) / "step.mlir"
        for layers in options.layers.split(","):
            subprocess.run([options.build / "bin/nets", f"--layers={layers}", *MODEL, f"-o={step}"], check=True)
            n_ops = sum(" = stablehlo." in line for line in step.open())
            found = [plan(options.build, step, goal) for goal in goals]
            cells = [f"{part:.3f} ({time:+.1f} %)" for part, time, _ in found]
            slowest = max(seconds for _, _, seconds in found)
            print(f"| {layers} | {n_ops} | " + " | ".join(cells) + f" | {slowest:.1f} |", flush=True)


if __name__ == "__main__":
    main()
