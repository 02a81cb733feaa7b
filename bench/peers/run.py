# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every peer and Echo on the same models, each in a process of its own, and writes one table and one picture:
bench/results/peers.json, peers.md, peers.svg. See run.sh."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
ECHO_POINTS = ["", "echo", "echo=overhead=5%", "echo=overhead=10%", "echo=budget=min"]
FRACTIONS = [0.8, 0.6, 0.4]  # budgets between the plan without Echo and the lowest


def call(command, options, threads=None):
    """Standard output of a command, or None when it fails; its last words are shown."""
    environment = dict(os.environ)
    if threads:
        environment |= {"OMP_NUM_THREADS": str(threads)}
    print("+", *command, file=sys.stderr, flush=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, env=environment)
    except subprocess.TimeoutExpired:
        return None, f"took more than {options.timeout} s"
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return None, lines[-1] if lines else f"exit status {done.returncode}"
    return done.stdout, None


def row(model, system, variant, stdout, error, extra=None):
    point = {"model": model, "system": system, "variant": variant}
    if stdout is None:
        return point | {"error": error}
    return point | json.loads(stdout.strip().splitlines()[-1]) | (extra or {})


def run_jax(model, options):
    python = options.work / "jax/bin/python"
    for checkpointed in (False, True):
        command = [python, HERE / "run_jax.py", model, f"--steps={options.steps}"]
        command += ["--checkpointed"] * checkpointed + ["--small"] * options.small
        yield row(model, "JAX", "jax.checkpoint" if checkpointed else "plain", *call(list(map(str, command)), options))


def run_torch(model, options):
    python = options.work / "torch/bin/python"
    variants = [("eager", []), ("torch.utils.checkpoint", ["--checkpointed"])]
    variants += [(f"compile, budget {budget:g}", [f"--budget={budget}"]) for budget in options.torch_budgets]
    for name, flags in variants:
        command = [python, HERE / "run_torch.py", model, f"--steps={options.steps}", f"--threads={options.threads}"]
        command += flags + ["--small"] * options.small
        yield row(model, "PyTorch", name, *call(list(map(str, command)), options, options.threads))


def dump(model, options):
    """The text that JAX wrote, with its inputs and results; made once."""
    name = model + "_small" * options.small
    base = options.work / "models" / name
    if not base.with_suffix(".out.npz").exists():
        command = [options.work / "jax/bin/python", HERE / "dump_jax.py", model, options.work / "models"]
        call(list(map(str, command + ["--small"] * options.small)), options)
    return base


def echo_point(model, base, flag, options):
    out = options.work / "models" / "echo-run.json"
    command = [options.echo_run, f"{base}.mlir", f"--inputs={base}.in.npz", f"--steps={options.steps}", "--no-cache",
               f"--threads={options.threads}", f"--json={out}", "--quiet"] + [f"--{flag}"] * bool(flag)
    stdout, error = call(list(map(str, command)), options)
    if stdout is None:
        return {"model": model, "system": "Echo", "variant": flag or "off", "error": error}
    figures = json.loads(out.read_text())
    # The first step against JAX's own results. Adam's first update is the gradient's sign times the rate, so a
    # gradient of nearly nothing may differ by twice the rate.
    command = [options.echo_run, f"{base}.mlir", f"--inputs={base}.in.npz", f"--expect={base}.out.npz",
               "--rtol=1e-3", "--atol=2e-3", "--quiet"] + [f"--{flag}"] * bool(flag)
    agreement, _ = call(list(map(str, command)), options)
    return {
        "model": model,
        "system": "Echo",
        "variant": flag or "off",
        "peak_bytes": figures["measured_peak_bytes"] - figures["planned_arg_bytes"],
        "step_s": figures["step_s"],
        "first_step_s": figures["compile_s"] + figures["first_step_s"],
        "compile_s": figures["compile_s"],
        "loss": figures["losses"]["res0"][0],
        "planned_peak_bytes": figures["planned_peak_bytes"],
        "measured_peak_bytes": figures["measured_peak_bytes"],
        "predicted_overhead": figures["echo"]["predicted_overhead"],
        "n_ops": figures["n_ops"],
        "agrees_with_jax": agreement is not None,
    }


def run_echo(model, options):
    base = dump(model, options)
    points = {}
    for flag in ECHO_POINTS:
        points[flag] = echo_point(model, base, flag, options)
        yield points[flag]
    off, least = points[""], points["echo=budget=min"]
    if "error" in off or "error" in least:
        return
    low, high = least["planned_peak_bytes"], off["planned_peak_bytes"]
    for fraction in FRACTIONS:
        yield echo_point(model, base, f"echo=budget={int(low + fraction * (high - low))}", options)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="virtual environments and models")
    parser.add_argument("--echo-run", type=pathlib.Path, default=ROOT / "build/bin/echo-run")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "bench/results")
    parser.add_argument("--models", default="nmt,nmt_scan,transformer")
    parser.add_argument("--systems", default="jax,torch,echo", help="others keep the rows of the last run")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=900, help="seconds a point")
    parser.add_argument("--torch-budgets", type=lambda text: [float(b) for b in text.split(",") if b], default=[1, 0.5, 0.2, 0],
                        help="activation budgets of torch.compile; each compiles for the better part of a minute")
    parser.add_argument("--small", action="store_true", help="sizes for trying it out")
    options = parser.parse_args()
    options.results.mkdir(parents=True, exist_ok=True)
    path = options.results / "peers.json"
    names = {"jax": "JAX", "torch": "PyTorch", "echo": "Echo"}
    models, systems = options.models.split(","), options.systems.split(",")
    fresh = {(model, names[system]) for model in models for system in systems}
    rows = [r for r in json.loads(path.read_text())["rows"] if (r["model"], r["system"]) not in fresh] if path.exists() else []
    runners = {"jax": run_jax, "torch": run_torch, "echo": run_echo}
    for model in models:
        for system in systems:
            if system == "torch" and model == "nmt_scan":
                continue  # a Python loop is what PyTorch has
            rows += runners[system](model, options)
    document = {
        "date": datetime.date.today().isoformat(),
        "machine": {"processor": platform.processor() or platform.machine(), "threads": options.threads,
                    "load": os.getloadavg()[0]},
        "rows": rows,
    }
    path.write_text(json.dumps(document, indent=2) + "\n")
    (options.results / "peers.md").write_text(report.markdown(document))
    (options.results / "peers.svg").write_text(report.svg(document))


if __name__ == "__main__":
    main()
