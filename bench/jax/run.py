# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training programs in flax, equinox, haiku and plain JAX, unchanged, on JAX's CPU and on Echo: run.py WHEEL [DIRECTORY].

Makes a virtual environment in DIRECTORY (build/jax), installs what requirements.txt says and the wheel that
`./dev wheel` wrote, runs every program of train/ on each platform in a process of its own, and prints the table of
bench/results/jax.md. Fails when a loss differs from that of JAX's CPU by more than 2 % or when the bits of the trained
state depend on the budget.
"""

import json
import os
import pathlib
import subprocess
import sys

import environment

HERE = pathlib.Path(__file__).resolve().parent
MODES = {
    "XLA": {"JAX_PLATFORMS": "cpu"},
    "off": {"JAX_PLATFORMS": "echo", "ECHO_OPTIONS": "off"},
    "echo": {"JAX_PLATFORMS": "echo"},
    "budget=min": {"JAX_PLATFORMS": "echo", "ECHO_OPTIONS": "budget=min"},
}


def measure(python, program, mode):
    result = subprocess.run(
        [python, "-W", "ignore", program], env={**os.environ, **MODES[mode]}, capture_output=True, text=True
    )
    if result.returncode != 0:
        raise SystemExit(f"{program.name} {mode}: {result.stderr[-2000:]}")
    return json.loads(result.stdout.strip().splitlines()[-1])


def main():
    directory = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/jax")
    python = environment.make(sys.argv[1], directory)
    print("| program | | first loss | last loss | temporaries | compile | step | bits |")
    print("| --- | --- | --: | --: | --: | --: | --: | --- |")
    failed = False
    for program in sorted((HERE / "train").glob("*.py")):
        if program.stem == "report":
            continue
        rows = {mode: measure(python, program, mode) for mode in MODES}
        for mode, row in rows.items():
            print(
                f"| {program.stem} | {mode} | {row['losses'][0]:.6f} | {row['losses'][-1]:.6f} "
                f"| {row['temp_bytes'] / 1e6:.2f} MB | {row['compile_s']:.1f} s | {1000 * row['step_s']:.0f} ms "
                f"| {row['state'][:8]} |",
                flush=True,
            )
            close = abs(row["losses"][-1] / rows["XLA"]["losses"][-1] - 1) < 0.02
            same = mode == "XLA" or row["state"] == rows["off"]["state"]
            failed |= not close or not same
    if failed:
        raise SystemExit("a loss is not that of JAX's CPU, or bits depend on the budget")


main()
