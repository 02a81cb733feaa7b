#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--size=small|medium] [--only=NAME,…] [--plan] [--device=cpu|cuda] [--json=FILE] BUILD: training steps of published packages (steps.py), exported by JAX
and run by BUILD (by an interpreter that has what requirements.txt names): results beside JAX's, bits with Echo on beside off, bytes
of temporaries and time of a step beside XLA's on this machine in this run. A step that cannot be made (a package is missing), read or
run is a row that says so, and the exit status is 1 then. With ECHO_CHECKOUTS=FOLDER also those of repositories (checkouts.py). --plan:
nothing runs, bytes alone are compared, as planned. --device=cuda: Echo runs there, beside JAX on the processor, and no time is taken
(`./dev gpu …/run.py --device=cuda build` is the emulated GPU)."""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
GOALS = ("overhead=2%", "overhead=10%", "budget=min")
STEPS = 5
TIMEOUT_S = 900
EXPORT_ENVIRONMENT = {"JAX_PLATFORMS": "cpu", "PATH": "/usr/bin:/bin"}
if "ECHO_CHECKOUTS" in os.environ:
    EXPORT_ENVIRONMENT["ECHO_CHECKOUTS"] = os.path.abspath(os.environ["ECHO_CHECKOUTS"])


def last_line(text):
    return (text.strip().splitlines() or ["no message"])[-1][:160]


def call(command, **options):
    """None where it went well, else why not."""
    try:
        done = subprocess.run(command, text=True, capture_output=True, check=False, timeout=TIMEOUT_S, **options)
    except subprocess.TimeoutExpired:
        return f"not done in {TIMEOUT_S} s"
    return None if done.returncode == 0 else last_line(done.stderr or done.stdout)


def differences(folder, goal):
    """Which results are not within what is allowed of JAX's, or, with Echo on, not to the bit those of Echo off."""
    found, expected, allowed = (numpy.load(folder / f"{name}.npz") for name in ("on" if goal else "off", "off" if goal else "out", "allowed"))
    wrong = []
    for name in expected.files:
        a, b = found[name], expected[name]
        if a.dtype != b.dtype and goal is None:
            a = a.astype(b.dtype)
        if goal is not None:
            same = a.tobytes() == b.tobytes()
        else:
            same = numpy.allclose(a.astype(float), b.astype(float), rtol=0, atol=float(allowed[name]), equal_nan=True)
        wrong += [] if same else [name]
    return wrong


def echo_run(build, folder, goal, device):
    """Figures of a run, with the names of results that are `wrong`, or why it `failed`; of a processor with milliseconds."""
    figures, flags = folder / "figures.json", [] if goal is None else [f"--echo={goal}"]
    command = [build / "bin/echo-run", folder / "step.mlir", f"--inputs={folder}/in.npz", "--quiet", f"--device={device}", *flags, f"--json={figures}"]
    failed = call([*command, f"--outputs={folder}/{'on' if goal else 'off'}.npz"])
    if failed is not None:
        return {"failed": failed}
    found, wrong = json.loads(figures.read_text()), differences(folder, goal)
    row = {"temp_bytes": found["planned_temp_bytes"], "wrong": wrong, "compile_s": found["compile_s"]}
    if device != "cpu":
        return row
    failed = call([*command, f"--steps={STEPS}"])
    if failed is not None:
        return {"failed": failed}
    return row | {"ms": 1e3 * json.loads(figures.read_text())["step_s"]}


def plan(build, name, size, folder):
    """The step's row, and as it is printed."""
    why = call([sys.executable, HERE / "export.py", name, size, folder, "--plan"], cwd=HERE, env=EXPORT_ENVIRONMENT)
    figures, row = folder / "figures.json", {"step": name, "size": size}
    for goal in (None, *GOALS) if why is None else ():
        flags = [] if goal is None else [f"--echo={goal}"]
        why = why or call([build / "bin/echo-run", folder / "step.mlir", "--plan-only", "--quiet", *flags, f"--json={figures}"])
        row[goal or "off"] = json.loads(figures.read_text())["planned_temp_bytes"] if why is None else None
    if why is not None:
        return row | {"failed": why}, f"| {name} | {why} | | | | |"
    row["xla"] = json.loads((folder / "xla.json").read_text())["temp_bytes"]
    return row, f"| {name} | " + " | ".join(f"{row[key] / 1e6:.1f}" for key in ("xla", "off", *GOALS)) + " |"


def measure(build, name, size, folder, device):
    row = {"step": name, "size": size}
    why = call([sys.executable, HERE / "export.py", name, size, folder], cwd=HERE, env=EXPORT_ENVIRONMENT)
    if why is not None:
        return row | {"failed": f"not exported: {why}"}
    row["xla"] = json.loads((folder / "xla.json").read_text())
    row["off"] = echo_run(build, folder, None, device)
    if "failed" in row["off"]:
        return row | {"failed": row["off"]["failed"]}
    for goal in GOALS:
        row[goal] = echo_run(build, folder, goal, device)
    return row


def cell(row, key, xla):
    found = row[key]
    if "failed" in found:
        return f"failed: {found['failed']}"
    mark = "" if not found["wrong"] else " (not JAX's)" if key == "off" else " (other bits)"
    time = f", {found['ms'] / xla['ms']:.2f}" if "ms" in found else ""
    return f"{found['temp_bytes'] / max(xla['temp_bytes'], 1):.2f}{time}{mark}"


def table_row(row):
    if "failed" in row:
        return f"| {row['step']} | {row['failed']} | | | | | |"
    xla = row["xla"]
    checkpointed = f"{xla['checkpoint_temp_bytes'] / max(xla['temp_bytes'], 1):.2f}, {xla['checkpoint_ms'] / xla['ms']:.2f}"
    cells = [cell(row, key, xla) for key in ("off", *GOALS)]
    return f"| {row['step']} | {xla['temp_bytes'] / 1e6:.3f}, {xla['ms']:.2f} | {checkpointed} | " + " | ".join(cells) + " |"


def summary(rows):
    for key in ("off", *GOALS):
        found = [row for row in rows if key in row and "failed" not in row[key]]
        if not found:
            continue
        parts = [max(row[key]["temp_bytes"], 1) / max(row["xla"]["temp_bytes"], 1) for row in found]
        times = [row[key]["ms"] / row["xla"]["ms"] for row in found if "ms" in row[key]]
        wrong = sum(bool(row[key]["wrong"]) for row in found)
        time = f", time {statistics.geometric_mean(times):.2f}" if times else ""
        print(f"{key}: {len(found)} of {len(rows)} run, {wrong} with other results; temporaries {statistics.geometric_mean(parts):.2f} of "
              f"XLA's{time} in the geometric mean")


def finish(rows, options):
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(1 if any("failed" in row for row in rows) else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=("small", "medium"), default="small")
    parser.add_argument("--only")
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    files = ["steps.py"] + ["checkouts.py"] * ("ECHO_CHECKOUTS" in os.environ)
    names = [name for file in files for name in re.findall(r"^@step\ndef (\w+)", (HERE / file).read_text(), re.MULTILINE)]
    if options.only:
        unknown = set(options.only.split(",")) - set(names)
        if unknown:
            sys.exit(f"run.py: no step {', '.join(sorted(unknown))}")
        names = options.only.split(",")
    rows = []
    if options.plan:
        print("| step | XLA, MB | off | " + " | ".join(GOALS) + " |\n| --- | --: | --: |" + " --: |" * len(GOALS))
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                row, line = plan(options.build, name, options.size, pathlib.Path(folder))
            print(line, flush=True)
            rows.append(row)
        finish(rows, options)
    print("| step | XLA: MB, ms | `jax.checkpoint` | off | " + " | ".join(GOALS) + " |\n| --- | --: | --: | --: |" + " --: |" * len(GOALS))
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(options.build, name, options.size, pathlib.Path(folder), options.device))
        print(table_row(rows[-1]), flush=True)
    print()
    summary(rows)
    finish(rows, options)


if __name__ == "__main__":
    main()
