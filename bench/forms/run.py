# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--before=BUILD] [--json=FILE] BUILD FOLDER: what Echo plans for each step (*.mlir) of a folder, without recompute, at 2 and at
10 % more predicted time, and at the least; beside an older build's, and beside XLA's temporaries where the folder has them (xla.json).
Plans depend on no machine: gpu-a100-40g predicts."""
import argparse
import json
import pathlib
import re
import subprocess

GOALS = [None, "overhead=2%", "overhead=10%", "budget=min"]


def plan(build, step, echo):
    """Arena in MB and added time in percent, or None where the step is refused."""
    flags = [] if echo is None else [f"--echo={echo}"]
    done = subprocess.run([build / "bin/echo-opt", step, "--to=planned", "--device-model=gpu-a100-40g", "-o", "-", *flags],
                          check=False, text=True, capture_output=True)
    if done.returncode != 0:
        return None
    facts = {k: int(v) for k, v in re.findall(r"(\w+\.\w+) = (\d+) : i64", done.stdout.split("\n", 1)[0])}
    return [facts["plan.temp_bytes"] / 1e6, 100 * (facts.get("echo.on_ns", 1) / facts.get("echo.off_ns", 1) - 1)]


def cell(found):
    return "refused" if found is None else f"{found[0]:.2f} ({found[1]:+.1f} %)"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--json")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    builds = ([("before", options.before)] if options.before else []) + [("now", options.build)]
    print("| step | | off | 2 % | 10 % | least |\n| --- | --- | --: | --: | --: | --: |")
    rows = {}
    xla = options.folder / "xla.json"
    temporaries = json.loads(xla.read_text()) if xla.exists() else {}
    for step in sorted(options.folder.glob("*.mlir")):
        if step.stem in temporaries:
            print(f"| {step.stem} | XLA | {temporaries[step.stem] / 1e6:.2f} | | | |")
        for name, build in builds:
            found = [plan(build, step, goal) for goal in GOALS]
            rows[f"{step.stem}, {name}"] = found
            print(f"| {step.stem} | {name} | " + " | ".join(cell(entry) for entry in found) + " |", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


main()
