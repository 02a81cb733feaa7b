#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compiling.py BUILD FOLDER…: processor time of compiling, by XLA and by Echo (`echo-translate --emit=bundle`, its start and its reading in it),
without Echo's search and with it at 2 %, of steps that JAX lowered before: FOLDER/NAME/step.mlir, both sides from that text, the least of
two, XLA's tracing and lowering not counted. Prints a table and the geometric means. Needs jax."""
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

import exported  # sets XLA to one thread


def xla_s(text):
    times = []
    for i in range(2):
        begin = exported.spent_s()
        exported.executable_of(f"{text}\n// {i}\n")
        times.append(exported.spent_s() - begin)
    return min(times)


def echo_s(build, step, flags):
    times = []
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(2):
            begin = exported.spent_s(resource.RUSAGE_CHILDREN)
            subprocess.run([build / "bin/echo-translate", step, "--emit=bundle", *flags, "-o", f"{scratch}/step.bundle"], check=True, capture_output=True, timeout=900)
            times.append(exported.spent_s(resource.RUSAGE_CHILDREN) - begin)
    return min(times)


def main():
    build, rows = pathlib.Path(sys.argv[1]), []
    print("| step | XLA, s | off, s | off / XLA | overhead=2%, s | overhead=2% / XLA |\n| --- | --: | --: | --: | --: | --: |")
    for folder in sorted(p for f in sys.argv[2:] for p in pathlib.Path(f).iterdir() if (p / "step.mlir").exists()):
        xla, off, on = xla_s((folder / "step.mlir").read_text()), echo_s(build, folder / "step.mlir", []), echo_s(build, folder / "step.mlir", ["--echo=overhead=2%"])
        rows.append((off / xla, on / xla))
        print(f"| {folder.name} | {xla:.2f} | {off:.2f} | {off / xla:.2f} | {on:.2f} | {on / xla:.2f} |", flush=True)
    means = [math.exp(sum(math.log(row[i]) for row in rows) / len(rows)) for i in range(2)]
    print(f"\n{len(rows)} steps; geometric means {means[0]:.2f} and {means[1]:.2f}")


if __name__ == "__main__":
    main()
