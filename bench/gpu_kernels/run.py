# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD-DIRECTORY: what our kernels do on the emulated GPU (tests/gpu), as markdown on standard output.

Steps of the samples at sizes that an interpreter of PTX runs in seconds: figures are of shapes, not of speed. Rows are
the kernels that take the most of a step by the roofline model; the first table sums them by kind. With ptxas on PATH,
registers and spills are its own.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MODELS = {
    "NMT (hidden 64, batch 16, length 8)": ["nmt", "--hidden=64", "--batch=16", "--length=8", "--vocab=200"],
    "Transformer (2 layers, hidden 64, 64 tokens)": ["nets", "--model=transformer", "--layers=2", "--hidden=64",
                                                     "--heads=2", "--length=64", "--classes=256", "--batch=1"],
}

# Single kernels at the sizes of real steps.
SHAPES = ["reductions", "movement", "scatter", "products"]


def kernels_of_model(build, command, scratch):
    step = scratch / "step.mlir"
    subprocess.run([build / "bin" / command[0], *command[1:], "--emit=step", "-o", step], check=True)
    return kernels_of(build, step, scratch)


def kernels_of(build, step, scratch):
    figures = scratch / "kernels.json"
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "gpu"), ECHO_GPU="sm_90")
    if shutil.which("ptxas"):
        environment["ECHO_GPU_PTXAS"] = shutil.which("ptxas")
    subprocess.run([build / "bin/echo-run", step, "--device=cuda", "--kernels", "--quiet", f"--json={figures}"], check=True,
                   env=environment)
    return [k for k in json.loads(figures.read_text())["kernels"] if k["launches"]]


def row(cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def table(names, rows):
    row(names)
    row(["---"] * 2 + ["--:"] * (len(names) - 2))
    for cells in rows:
        row(cells)
    print()


def ratio(part, whole):
    return f"{part / whole:.2f}" if whole else "-"


def by_kind(kernels):
    kinds = {}
    for kernel in kernels:
        kinds.setdefault(kernel["kind"], []).append(kernel)
    total = sum(k["roofline_ns"] * k["launches"] for k in kernels)
    for kind, group in sorted(kinds.items(), key=lambda item: -sum(k["roofline_ns"] * k["launches"] for k in item[1])):
        def whole(key):
            return sum(k[key] * k["launches"] for k in group)

        def mean(key):
            return sum(k[key] * k["launches"] for k in group) / sum(k["launches"] for k in group)

        yield [kind, len(group), sum(k["launches"] for k in group), ratio(whole("bytes"), whole("floor_bytes")), f"{mean('sector_use'):.2f}",
               whole("bank_conflicts"), f"{mean('active_lanes'):.2f}", f"{mean('blocks'):.0f}",
               f"{100 * whole('roofline_ns') / total:.0f} %"]


def longest(kernels, n):
    for k in sorted(kernels, key=lambda k: -k["roofline_ns"] * k["launches"])[:n]:
        unknown = k["registers"] is None
        yield [k["kernel"], k["kind"], k["launches"], k["bytes"], ratio(k["bytes"], k["floor_bytes"]), f"{k['sector_use']:.2f}",
               k["bank_conflicts"], k["blocks"], k["threads"], f"{k['instructions_a_thread']:.0f}",
               "-" if unknown else k["registers"], "-" if unknown else k["spill_bytes"], k["roofline_ns"]]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for name, command in MODELS.items():
        with tempfile.TemporaryDirectory() as scratch:
            kernels = kernels_of_model(build, command, pathlib.Path(scratch))
        print(f"## {name}\n")
        table(["kind", "kernels", "launches", "bytes/floor", "sector use", "bank conflicts", "active lanes", "blocks", "time"],
              by_kind(kernels))
        table(["kernel", "kind", "launches", "bytes", "bytes/floor", "sector use", "bank conflicts", "blocks", "threads",
               "instructions a thread", "registers", "spills", "roofline ns"], longest(kernels, 12))
    here = pathlib.Path(__file__).resolve().parent
    for name in SHAPES:
        with tempfile.TemporaryDirectory() as scratch:
            kernels = kernels_of(build, here / f"{name}.mlir", pathlib.Path(scratch))
        print(f"## {name}.mlir\n")
        table(["kernel", "kind", "launches", "bytes", "bytes/floor", "sector use", "bank conflicts", "blocks", "threads",
               "instructions a thread", "registers", "spills", "roofline ns"], longest(kernels, 12))


main()
