# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD-DIRECTORY [NAME...]: what our kernels do on the emulated GPU (tests/gpu), as markdown on standard output.

Steps of the samples at sizes that an interpreter of PTX runs in seconds: figures are of shapes, not of speed. Rows are
the kernels that take the most of a step by the roofline model; the first table sums them by kind, the last one says
which fall short of the aim, and by what. With ptxas on PATH,
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
    "ResNet-50 (8 channels, 4 images of 32 x 32)": ["nets", "--model=resnet50", "--width=8", "--batch=4", "--image=32"],
}
MULTIPROCESSORS = 132
WORK_OF_ONE = 4096  # bytes to move, from which on a multiprocessor more is worth a block: 128 threads, two accesses of 16

# Single kernels at the sizes of real steps.
SHAPES = ["reductions", "movement", "scatter", "products"]


def kernels_of_model(build, command, scratch):
    step = scratch / "model.mlir"  # a step as another target would write it has no sums in two levels
    subprocess.run([build / "bin" / command[0], *command[1:], "--emit=model", "-o", step], check=True)
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


def shortcomings(k):
    """What keeps a kernel from the aim, with its figure; a product's blocks read their operands again, which an L2 has."""
    is_product = k["kind"] in ("contraction", "convolution")
    if k["bytes"] > 1.15 * k["floor_bytes"] and not is_product:
        yield "bytes/floor above 1.15", ratio(k["bytes"], k["floor_bytes"])
    if k["sector_use"] < 0.9:
        yield "sector use below 0.9", f"{k['sector_use']:.2f}"
    if k["bank_conflicts"]:
        yield "bank conflicts", k["bank_conflicts"]
    if k["spill_bytes"]:
        yield "spills", k["spill_bytes"]
    if k["blocks"] < min(MULTIPROCESSORS, k["floor_bytes"] / WORK_OF_ONE):
        yield f"fewer blocks than {MULTIPROCESSORS}, or than 4 KB each ask for", k["blocks"]


def short(kernels):
    found = {}
    total = sum(k["roofline_ns"] * k["launches"] for k in kernels)
    for k in sorted(kernels, key=lambda k: -k["roofline_ns"] * k["launches"]):
        for reason, figure in shortcomings(k):
            found.setdefault(reason, []).append((k, figure))
    for reason, group in found.items():
        share = 100 * sum(k["roofline_ns"] * k["launches"] for k, _ in group) / total
        names = [f"{k['kernel']} {figure}" for k, figure in group]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        yield [reason, ", ".join(names[:8]) + more, len(group), sum(k["launches"] for k, _ in group), f"{share:.0f} %"]


def longest(kernels, n):
    for k in sorted(kernels, key=lambda k: -k["roofline_ns"] * k["launches"])[:n]:
        unknown = k["registers"] is None
        yield [k["kernel"], k["kind"], k["launches"], k["bytes"], ratio(k["bytes"], k["floor_bytes"]), f"{k['sector_use']:.2f}",
               k["bank_conflicts"], k["blocks"], k["threads"], f"{k['instructions_a_thread']:.0f}",
               "-" if unknown else k["registers"], "-" if unknown else k["spill_bytes"], k["roofline_ns"]]


def main():
    names = sys.argv[2:]
    build = pathlib.Path(sys.argv[1]).resolve()
    for name, command in MODELS.items():
        if names and not name.startswith(tuple(names)):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            kernels = kernels_of_model(build, command, pathlib.Path(scratch))
        print(f"## {name}\n")
        table(["kind", "kernels", "launches", "bytes/floor", "sector use", "bank conflicts", "active lanes", "blocks", "time"],
              by_kind(kernels))
        table(["kernel", "kind", "launches", "bytes", "bytes/floor", "sector use", "bank conflicts", "blocks", "threads",
               "instructions a thread", "registers", "spills", "roofline ns"], longest(kernels, 12))
        table(["falls short by", "kernels, with their figures", "kernels", "launches", "time"], short(kernels))
    here = pathlib.Path(__file__).resolve().parent
    for name in SHAPES:
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            kernels = kernels_of(build, here / f"{name}.mlir", pathlib.Path(scratch))
        print(f"## {name}.mlir\n")
        table(["kernel", "kind", "launches", "bytes", "bytes/floor", "sector use", "bank conflicts", "blocks", "threads",
               "instructions a thread", "registers", "spills", "roofline ns"], longest(kernels, 12))


main()
