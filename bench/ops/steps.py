# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""steps.py BUILD FOLDER…: processor time of whole steps by XLA and by Echo, on one thread, in one run. FOLDER/NAME/step.mlir is a step as JAX
lowers it, in.npz its arguments (arg0, …). Prints a line a step, slowest beside XLA last, and the geometric means. Needs jax."""
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import numpy
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jax._src.lib.mlir import ir

jax.config.update("jax_enable_x64", True)


def spent_s(who=resource.RUSAGE_SELF):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def xla_ms(text, arrays):
    """Arguments may be given away, so each run has copies of its own, which are not counted."""
    device = jax.devices()[0]
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        executable = compiler.backend_compile_and_load(device.client, module, _jax.DeviceList((device,)), options, [])
    times = []
    while len(times) < 5 or (sum(times) < 0.1 and len(times) < 60):
        given = [jax.device_put(a, device) for a in arrays]
        jax.block_until_ready(given)
        begin = spent_s()
        jax.block_until_ready(executable.execute(given))
        times.append(spent_s() - begin)
    return 1e3 * statistics.median(times)


def echo_ms(build, folder, expected_ms):
    steps = max(4, min(400, int(400 / max(expected_ms, 0.01))))
    spent = []
    for n in (1, 1, 1 + steps):  # the first fills the cache of kernels
        begin = spent_s(resource.RUSAGE_CHILDREN)
        subprocess.run([build / "bin/echo-run", folder / "step.mlir", f"--inputs={folder}/in.npz", f"--steps={n}", "--threads=1", "--quiet"],
                       check=True, capture_output=True)
        spent.append(spent_s(resource.RUSAGE_CHILDREN) - begin)
    return 1e3 * max(spent[2] - spent[1], 1e-6) / steps


def main():
    build, rows = pathlib.Path(sys.argv[1]), []
    for folder in sorted(p for f in sys.argv[2:] for p in pathlib.Path(f).iterdir() if (p / "in.npz").exists()):
        try:
            arrays = numpy.load(folder / "in.npz")
            xla = xla_ms((folder / "step.mlir").read_text(), [arrays[f"arg{i}"] for i in range(len(arrays.files))])
            rows.append((folder.name, xla, echo_ms(build, folder, xla)))
            print(f"{folder.name} {xla:.3f} {rows[-1][2]:.3f} {rows[-1][2] / xla:.2f}", file=sys.stderr, flush=True)
        except Exception as reason:  # a step that one of them refuses is named, and not counted
            print(f"{folder.name}: {str(reason).splitlines()[0][:120]}", file=sys.stderr, flush=True)
    rows.sort(key=lambda row: row[2] / row[1])
    print("| step | XLA, ms | Echo, ms | Echo / XLA |\n| --- | --: | --: | --: |")
    for name, xla, echo in rows:
        print(f"| {name} | {xla:.3f} | {echo:.3f} | {echo / xla:.2f} |")
    for what, part in (("all", rows), ("below 1 ms of XLA's", [r for r in rows if r[1] < 1]), ("above 10 ms", [r for r in rows if r[1] > 10])):
        if part:
            print(f"\n{len(part)} steps, {what}: geometric mean {math.exp(statistics.fmean(math.log(e / x) for _, x, e in part)):.2f}")


main()
