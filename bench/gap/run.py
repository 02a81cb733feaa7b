#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--goals=2%,5%,10%,20%,min] BUILD STEP…: the gap of each plan to the bound on its time, in percent, with the part of its arena
that it needs; medians by goal. STEP is a file, or arguments of `nets` (`nets: --model=resnet50 --batch=8`). Plans depend on no machine:
gpu-a100-40g predicts."""
import argparse
import pathlib
import re
import shlex
import statistics
import subprocess
import tempfile


def goal_option(goal):
    return "budget=min" if goal == "min" else f"overhead={goal}"


def plan(build, step, goal):
    """Part of the arena without recompute, added time and gap in percent."""
    done = subprocess.run([build / "bin/echo-opt", step, "--to=echoed", f"--echo={goal_option(goal)}", "--device-model=gpu-a100-40g"],
                          check=True, text=True, capture_output=True)
    facts = {k: int(v) for k, v in re.findall(r"echo\.(\w+) = (\d+) : i64", done.stdout.split("\n", 1)[0])}
    return (facts["on_bytes"] / max(facts["off_bytes"], 1), 100 * (facts["on_ns"] / facts["off_ns"] - 1),
            100 * (facts["on_ns"] / facts["bound_ns"] - 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goals", default="2%,5%,10%,20%,min")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("steps", nargs="+")
    options = parser.parse_args()
    goals = options.goals.split(",")
    gaps = {goal: [] for goal in goals}
    print("| step | " + " | ".join(goals) + " |\n| --- |" + " --: |" * len(goals))
    with tempfile.TemporaryDirectory() as folder:
        for name in options.steps:
            step = pathlib.Path(name)
            if name.startswith("nets:"):
                step = pathlib.Path(folder) / "step.mlir"
                subprocess.run([options.build / "bin/nets", *shlex.split(name[5:]), "--emit=step", f"-o={step}"], check=True)
            cells = []
            for goal in goals:
                part, time, gap = plan(options.build, step, goal)
                gaps[goal].append(gap)
                cells.append(f"{gap:.1f} ({part:.2f} at {time:+.1f} %)")
            print(f"| {step.stem if not name.startswith('nets:') else name[5:].strip()} | " + " | ".join(cells) + " |", flush=True)
    print("| median | " + " | ".join(f"{statistics.median(gaps[goal]):.1f}" for goal in goals) + " |")
    print(f"\nMedian of all: {statistics.median(sum(gaps.values(), [])):.1f} %")


if __name__ == "__main__":
    main()
