# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published PyTorch models, unchanged, on PyTorch/XLA's own CPU and on Echo: run.py WHEEL [DIRECTORY [NAME...]].

Makes a virtual environment in DIRECTORY (build/pytorch; 8 GB, for torch's wheel on PyPI brings CUDA), installs what
requirements.txt says and the wheel that `./dev wheel` wrote, runs every step of steps.py in a process of its own on each,
and prints the table of bench/results/pytorch.md. Fails when a loss differs from XLA's by more than 2 % or when the bits of
the trained state depend on the budget.
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "jax"))

import environment

MODES = {
    "XLA": {"PJRT_DEVICE": "CPU"},
    "off": {"PJRT_DEVICE": "ECHO", "ECHO_OPTIONS": "off"},
    "echo": {"PJRT_DEVICE": "ECHO"},
    "budget=min": {"PJRT_DEVICE": "ECHO", "ECHO_OPTIONS": "budget=min"},
}


def measure(python, name, mode):
    command = [python, "-W", "ignore", HERE / "steps.py", name]
    result = subprocess.run(command, env={**os.environ, **MODES[mode]}, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{name} {mode}: {result.stderr[-2000:]}")
    return json.loads(result.stdout.strip().splitlines()[-1])


def main():
    directory = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/pytorch")
    python = environment.make(sys.argv[1], directory, requirements=HERE / "requirements.txt")
    names = sys.argv[3:]
    if not names:
        listed = subprocess.run([python, "-W", "ignore", HERE / "steps.py"], check=True, capture_output=True, text=True)
        names = listed.stdout.split()
    print("| step | | first loss | last loss | peak of the device | two compilations | step | bits |")
    print("| --- | --- | --: | --: | --: | --: | --: | --- |")
    failed = False
    for name in names:
        rows = {mode: measure(python, name, mode) for mode in MODES}
        for mode, row in rows.items():
            peak = f"{row['peak'] / 1e6:.2f} MB" if row["peak"] else ""
            print(
                f"| {name if mode == 'XLA' else ''} | {mode} | {row['losses'][0]:.6f} | {row['losses'][-1]:.6f} "
                f"| {peak} | {row['compile_s']:.1f} s | {1000 * row['step_s']:.0f} ms | {row['state'][:8]} |",
                flush=True,
            )
            close = abs(row["losses"][-1] / rows["XLA"]["losses"][-1] - 1) < 0.02
            same = mode == "XLA" or row["state"] == rows["off"]["state"]
            failed |= not close or not same
    if failed:
        raise SystemExit("a loss is not that of XLA's CPU, or bits depend on the budget")


main()
