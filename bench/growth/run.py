#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--ops=1000,10000,100000] [--swap-ops=1000,10000] [--svg=FILE] BUILD: processor time and memory of planning, and how they
grow. Ever deeper Transformers (as in bench/depth), each planned on one thread for overhead=2% and, with swaps, for half of its
arena. Prints tables for bench/results/growth.md and draws them; the exponent is the slope of a straight line through the
logarithms, by least squares."""
import argparse
import math
import os
import pathlib
import re
import subprocess
import tempfile

MODEL = ["--model=transformer", "--hidden=256", "--heads=4", "--length=128", "--batch=4", "--classes=1000", "--emit=step"]
OPS_A_LAYER, OTHER_OPS = 418, 229


def measured(command):
    """Standard output, processor seconds and the largest resident set in MB of one run."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen([str(c) for c in command], stdout=out, stderr=subprocess.PIPE, text=True)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        if status != 0:
            raise SystemExit(errors)
        out.seek(0)
        return out.readline(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def plan(build, step, echo):
    return measured([build / "bin/echo-opt", step, "--to=echoed", f"--echo={echo}", "--device-model=gpu-a100-40g", "--mlir-disable-threading"])


def make_step(build, folder, n_ops):
    step = pathlib.Path(folder) / "step.mlir"
    layers = max(1, round((n_ops - OTHER_OPS) / OPS_A_LAYER))
    subprocess.run([build / "bin/nets", f"--layers={layers}", *MODEL, f"-o={step}"], check=True)
    with step.open() as lines:
        return step, layers, sum(" = stablehlo." in line for line in lines)


def half_of_arena(build, step):
    """A budget halfway between what the step takes with nothing recomputed and what stands beside its arena."""
    head, _, _ = plan(build, step, "overhead=0%")
    off = int(re.search(r"echo\.off_bytes = (\d+)", head).group(1))
    planned, _, _ = measured([build / "bin/echo-opt", step, "--to=planned", "--device-model=gpu-a100-40g", "--mlir-disable-threading"])
    peak = int(re.search(r"plan\.peak_bytes = (\d+)", planned).group(1))
    return peak - off // 2


def exponent(rows):
    xs, ys = [math.log(row[1]) for row in rows], [math.log(row[2]) for row in rows]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def measure(build, name, sizes):
    """Rows (layers, ops, seconds, MB), smallest first."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            step, layers, n_ops = make_step(build, folder, size)
            echo = "overhead=2%" if name == "recompute" else f"budget={half_of_arena(build, step)},swap=on"
            _, seconds, megabytes = plan(build, step, echo)
            rows.append((layers, n_ops, seconds, megabytes))
            print(f"| {name} | {layers:,} | {n_ops:,} | {seconds:.1f} | {seconds / n_ops * 1e6:.0f} | {megabytes:,.0f} |", flush=True)
    return rows


def draw(path, results):
    """Seconds over ops, both in tens; the line that is asked for beside them."""
    width, height, left, top = 560, 400, 60, 20
    points = [row for rows in results.values() for row in rows]
    x0, x1 = math.floor(math.log10(min(p[1] for p in points))), math.ceil(math.log10(max(p[1] for p in points)))
    y0, y1 = math.floor(math.log10(min(p[2] for p in points))), math.ceil(math.log10(max(p[2] for p in points)))

    def place(ops, seconds):
        x = left + (math.log10(ops) - x0) / max(1, x1 - x0) * (width - left - 20)
        y = top + (y1 - math.log10(seconds)) / max(1, y1 - y0) * (height - top - 50)
        return x, y

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for e in range(x0, x1 + 1):
        x, y = place(10.0**e, 10.0**y0)
        parts.append(f'<path d="M{x:.1f} {top} V{y:.1f}" stroke="#ddd"/><text x="{x - 12:.1f}" y="{y + 18:.1f}">1e{e}</text>')
    for e in range(y0, y1 + 1):
        x, y = place(10.0**x0, 10.0**e)
        parts.append(f'<path d="M{x:.1f} {y:.1f} H{width - 20}" stroke="#ddd"/><text x="12" y="{y + 4:.1f}">1e{e} s</text>')
    parts.append(f'<text x="{width // 2 - 10}" y="{height - 10}">ops</text>')
    asked = [place(n, s) for n, s in ((1e4, 2.0), (1e5, 20.0), (1e6, 300.0)) if x0 <= math.log10(n) <= x1 and y0 <= math.log10(s) <= y1]
    if len(asked) > 1:
        parts.append('<polyline fill="none" stroke="#888" stroke-dasharray="5 4" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in asked) + '"/>')
    for (name, rows), color in zip(results.items(), ("#1f77b4", "#d62728")):
        spots = [place(row[1], row[2]) for row in rows]
        parts.append(f'<polyline fill="none" stroke="{color}" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in spots) + '"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in spots]
        parts.append(f'<text x="{spots[-1][0] - 70:.1f}" y="{spots[-1][1] - 10:.1f}" fill="{color}">{name}</text>')
    pathlib.Path(path).write_text("\n".join(parts + ["</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", default="1000,10000,100000")
    parser.add_argument("--swap-ops", default="1000,10000")
    parser.add_argument("--svg")
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    print("| | layers | ops | seconds | µs an op | MB |\n| --- | --: | --: | --: | --: | --: |")
    results = {}
    for name, sizes in (("recompute", options.ops), ("swap", options.swap_ops)):
        if sizes:
            results[name] = measure(options.build, name, [int(size) for size in sizes.split(",")])
    for name, rows in results.items():
        if len(rows) > 1:
            print(f"{name}: seconds grow as ops to the power of {exponent(rows):.2f}", end="")
            large = [row for row in rows if row[1] > 5000]
            print(f", from 10,000 ops on {exponent(large):.2f}" if len(large) > 1 else "")
    if options.svg:
        draw(options.svg, results)


if __name__ == "__main__":
    main()
