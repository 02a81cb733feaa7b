#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exported.py BUILD FOLDER…: steps that JAX lowered before, beside XLA, in one run. Each FOLDER/NAME holds step.mlir and its arguments,
in.npz (`export.py NAME SIZE FOLDER/NAME --arguments` writes both). Of each: results beside XLA's, within ten times what a change of the
arguments in their last place does to them; bits with Echo on beside off; bytes of temporaries, and processor time of a step on one thread,
as parts of XLA's. A row for a step that one of the two refuses says so. Needs jax, on one thread: times are a thread's."""
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import ml_dtypes
import numpy
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jax._src.lib.mlir import ir

GOALS = ("off", "overhead=2%", "overhead=10%", "budget=min")
ROUNDING = {"bf16": 2 ** -8, "f16": 2 ** -11, "f32": 2 ** -22}
SAFETY = 10


def spent_s(who=resource.RUSAGE_SELF):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def executable_of(text):
    device = jax.devices()[0]
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        return compiler.backend_compile_and_load(device.client, module, _jax.DeviceList((device,)), options, [])


def arguments_of(text, folder):
    """As the step takes them: an .npz has no bf16."""
    arrays = numpy.load(folder / "in.npz")
    types = dict(re.findall(r"%arg(\d+): tensor<(?:\d+x)*(\w+)>", re.search(r"@main\(.*", text).group(0)))
    return [arrays[f"arg{i}"].astype(ml_dtypes.bfloat16) if types[str(i)] == "bf16" else arrays[f"arg{i}"] for i in range(len(arrays.files))]


def run_xla(executable, arrays):
    """Arguments may be given away, so each run has copies of its own. Results, widened, and seconds."""
    device = jax.devices()[0]
    given = [jax.device_put(a, device) for a in arrays]
    jax.block_until_ready(given)
    begin = spent_s()
    results = executable.execute(given)
    jax.block_until_ready(results)
    seconds = spent_s() - begin
    results = [numpy.asarray(r) for r in results]
    return [r.astype(numpy.float32) if r.dtype.name == "bfloat16" else r for r in results], seconds


def perturbed(arrays, relative):
    noise = numpy.random.default_rng(7)
    return [(a * (1 + relative * noise.standard_normal(a.shape))).astype(a.dtype) if a.dtype.kind not in "iub" else a for a in arrays]


def allowed(executable, arrays, results, rounding):
    others = [run_xla(executable, perturbed(arrays, relative))[0] for relative in (-rounding, rounding)]
    bounds = []
    for i, result in enumerate(results):
        wide = result.astype(float)
        moved = max(float(numpy.nanmax(numpy.abs(other[i].astype(float) - wide), initial=0)) for other in others)
        bounds.append(SAFETY * moved + 1e-5 * float(numpy.nanmax(numpy.abs(wide), initial=0)) + 1e-7)
    return bounds


def echo(build, folder, scratch, goal, expected_s):
    """Temporaries, processor seconds of a step, and the results' file. A bundle is compiled and searched for but once."""
    flags, bundle, out = [] if goal == "off" else [f"--echo={goal}"], scratch / "step.bundle", scratch / f"{GOALS.index(goal)}.npz"
    subprocess.run([build / "bin/echo-translate", folder / "step.mlir", "--emit=bundle", *flags, "-o", bundle],
                   check=True, capture_output=True, timeout=900)
    command = [build / "bin/echo-run-bundle", bundle, f"--inputs={folder}/in.npz", "--threads=1", "--quiet"]
    subprocess.run([*command, f"--outputs={out}", f"--json={scratch}/figures.json"], check=True, capture_output=True, timeout=900)
    steps, spent = max(3, min(2000, int(0.4 / max(expected_s, 1e-6)))), []
    for n in (1, 1 + steps):
        begin = spent_s(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, f"--steps={n}"], check=True, capture_output=True, timeout=900)
        spent.append(spent_s(resource.RUSAGE_CHILDREN) - begin)
    found = json.loads((scratch / "figures.json").read_text())
    return found["planned_temp_bytes"], max(spent[1] - spent[0], 1e-7) / steps, out


def differs(found, expected, bounds):
    """Whether a result is further from XLA's than `bounds`, or, without them, other bits than Echo's."""
    found = numpy.load(found)
    if bounds is None:
        other = numpy.load(expected)
        return any(found[name].tobytes() != other[name].tobytes() for name in other.files)
    return any(not numpy.allclose(found[f"res{i}"].astype(float), r.astype(float), rtol=0, atol=bounds[i], equal_nan=True)
               for i, r in enumerate(expected))


def measure(build, folder, scratch):
    text = (folder / "step.mlir").read_text()
    executable, arrays = executable_of(text), arguments_of(text, folder)
    results, _ = run_xla(executable, arrays)
    times = []
    while len(times) < 5 or (sum(times) < 0.2 and len(times) < 60):
        times.append(run_xla(executable, arrays)[1])
    rounding = next((value for kind, value in ROUNDING.items() if f"x{kind}>" in text), ROUNDING["f32"])
    bounds = allowed(executable, arrays, results, rounding)
    row = {"step": folder.name, "xla_bytes": executable.get_compiled_memory_stats().temp_size_in_bytes, "xla_s": statistics.median(times)}
    for goal in GOALS:
        temp_bytes, step_s, out = echo(build, folder, scratch, goal, row["xla_s"])
        off = scratch / "0.npz"
        wrong = differs(out, results, bounds) if goal == "off" else differs(out, off, None)
        row[goal] = {"temp_bytes": temp_bytes, "step_s": step_s, "wrong": wrong}
    return row


def cell(row, goal):
    found = row[goal]
    mark = "" if not found["wrong"] else " (not XLA's)" if goal == "off" else " (other bits)"
    return f"{found['temp_bytes'] / max(row['xla_bytes'], 1):.2f}, {found['step_s'] / row['xla_s']:.2f}{mark}"


def main():
    build, rows = pathlib.Path(sys.argv[1]), []
    print("| step | XLA: MB, ms | " + " | ".join(GOALS) + " |\n| --- | --: |" + " --: |" * len(GOALS))
    for folder in sorted(p for f in sys.argv[2:] for p in pathlib.Path(f).iterdir() if (p / "in.npz").exists()):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                row = measure(build, folder, pathlib.Path(scratch))
            except Exception as reason:  # one that either refuses has a row that says so
                said = getattr(reason, "stderr", None) or str(reason)
                said = said.decode() if isinstance(said, bytes) else said
                print(f"| {folder.name} | {(said.strip().splitlines() or ['no message'])[-1][:120]} | | | | |", flush=True)
                continue
        rows.append(row)
        print(f"| {row['step']} | {row['xla_bytes'] / 1e6:.3f}, {1e3 * row['xla_s']:.2f} | " + " | ".join(cell(row, g) for g in GOALS) + " |", flush=True)
    print()
    for goal in GOALS if rows else ():
        parts = [max(row[goal]["temp_bytes"], 1) / max(row["xla_bytes"], 1) for row in rows]
        times = [row[goal]["step_s"] / row["xla_s"] for row in rows]
        print(f"{goal}: {len(rows)} run, {sum(row[goal]['wrong'] for row in rows)} with other results; temporaries {statistics.geometric_mean(parts):.2f} of "
              f"XLA's, time {statistics.geometric_mean(times):.2f} in the geometric mean")


if __name__ == "__main__":
    main()
