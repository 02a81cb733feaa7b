# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_explain.py BUILD-DIRECTORY: --echo=explain says what stands in the module that comes out: each value that it calls
recomputed has a clone there, and each clone is called so. Steps of the samples, several policies and goals."""

import pathlib
import re
import subprocess
import sys
import tempfile

STEPS = {
    "vgg11": ["nets", "--model=vgg11", "--batch=2", "--image=32", "--width=8"],
    "resnet50": ["nets", "--model=resnet50", "--batch=2", "--image=32", "--width=8"],
    "unet": ["nets", "--model=unet", "--batch=2", "--image=32", "--width=8"],
    "transformer": ["nets", "--model=transformer", "--layers=3", "--hidden=32", "--heads=2", "--length=16", "--batch=4"],
    "nmt": ["nmt", "--hidden=16", "--batch=4", "--length=6", "--vocab=64", "--layers=2"],
}
GOALS = ["overhead=2%", "overhead=50%", "budget=min", "budget=min policy=greedy", "budget=min policy=chain"]
REMARK = re.compile(r"step\.mlir:(\d+):(\d+): remark: echo: \S+ (recomputed|kept|no longer needed), ")
CLONE = re.compile(r'echo\.recompute\b.*loc\("[^"]*step\.mlir":(\d+):(\d+)')


def compare(tool, step, goal):
    """What is wrong, as text; how many clones there were."""
    run = subprocess.run(
        [tool, f"--echo={goal} explain=true", "--mlir-print-debuginfo", "--mlir-print-local-scope", step],
        capture_output=True, text=True, check=True)
    said = {"recomputed": set(), "kept": set(), "no longer needed": set()}
    for line, column, fate in REMARK.findall(run.stderr):
        said[fate].add((line, column))
    clones = set(CLONE.findall(run.stdout))
    problems = [f"{place} is called recomputed, and no clone stands in the module" for place in said["recomputed"] - clones]
    problems += [f"{place} has a clone, and is not called recomputed" for place in clones - said["recomputed"]]
    problems += [f"{place} has a clone, and is called kept" for place in clones & (said["kept"] - said["recomputed"])]
    return problems, len(clones)


def main():
    tools = pathlib.Path(sys.argv[1]) / "bin"
    n_clones = n_problems = 0
    with tempfile.TemporaryDirectory() as scratch:
        step = f"{scratch}/step.mlir"
        for name, (program, *options) in STEPS.items():
            subprocess.run([tools / program, *options, "--emit=step", f"--o={step}"], check=True)
            for goal in GOALS:
                problems, n = compare(tools / "echo-opt", step, goal)
                n_clones += n
                n_problems += len(problems)
                for problem in problems[:10]:
                    print(f"{name}, {goal}: {problem}")
    print(f"{n_clones} clones, {n_problems} problems")
    sys.exit(1 if n_problems or n_clones == 0 else 0)


main()
