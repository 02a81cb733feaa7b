#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""constants.py [--only NAME ...] [--most=SECONDS] FOLDER ...: what each constant of the planners is worth. Rebuilds echo-opt with one constant
changed at a time in a scratch copy of the committed sources, and takes the whole curve of every .mlir step in the folders (ECHO_DEBUG=curve): the
geometric mean of the arena at each price beside that of the sources as they are, how many curves differ, and the processor time. Steps that take
more than SECONDS are left out. Prints rows for bench/results/ablation.md; plans depend on no machine."""
import argparse
import math
import os
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICE = "gpu-a100-40g"
PRICES = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, None]
# name in the table: (file, constant, values to try beside the one that stands there)
CONSTANTS = {
    "MAX_WORK": [("echo_pass/search.c", "MAX_WORK", [250000, 500000, 1000000, 2000000])],
    "MAX_CUTS": [("echo_pass/policies.c", "MAX_CUTS", [2, 4, 16])],
    "AS_GOOD": [("echo_pass/refine.c", "AS_GOOD", [1, 4])],
    "N_KEPT_TRIED": [("echo_pass/refine.c", "N_KEPT_TRIED", [0])],
    "MAX_ABOVE": [("echo_pass/refine.c", "MAX_ABOVE", [0])],
    "MAX_FILLS": [("echo_pass/curve.c", "MAX_FILLS", [128])],
    "MAX_HALVINGS": [("echo_pass/stacks.c", "MAX_HALVINGS", [0, 2, 8])],
    "MAX_LEVELS": [("echo_pass/variants_t.h", "ECHO_MAX_LEVELS", [1, 2, 6])],
    "MAX_ASKED": [("planning/loops/copies_chains.c", "MAX_ASKED", [1, 2, 32])],
    "ECHO_LOOP_MAX_TRIPS": [("planning/loops/slices.h", "ECHO_LOOP_MAX_TRIPS", [16, 64])],
    "OWN_TRIES": [("echo_pass/search_repeated.c", "OWN_TRIES", [0, 128, 512])],
    "ALL_SETS": [("echo_pass/search.c", "ALL_SETS", [8, 1000000])],
    "MAX_IN_ALL_SETS": [("echo_pass/search.c", "MAX_IN_ALL_SETS", [6, 12])],
    "MAX_MADE": [("planning/schedule/joint_order.c", "MAX_MADE", [1, 8, 32])],
    "MAX_WAIT": [("planning/schedule/joint_order.c", "MAX_WAIT", [0, 32, 128])],
    "N_LOWEST": [("echo_pass/frontier.c", "N_LOWEST", [0, 8, 32])],
    "FIRST_OVERHEAD": [("echo_pass/curve.c", "FIRST_OVERHEAD", [0.001, 0.005, 0.02])],
    "MIN_TRIES": [("echo_pass/search.c", "MIN_TRIES", [16, 64])],
    "LATE_PART": [("echo_pass/search.c", "LATE_PART", [1, 1000000])],
    "START_PART": [("echo_pass/bodies.c", "START_PART", [2, 8])],
    "SAME_PART": [("echo_pass/starting_order.c", "SAME_PART", [4, 16])],
    "MAX_TRIES": [("echo_pass/search.c", "MAX_TRIES", [500, 1000, 4000])],
    "OTHERS": [("echo_pass/search.c", "OTHERS", [4, 16])],
    "LOW_PRICE": [("echo_pass/again.c", "LOW_PRICE", [0.05, 0.2])],
    "AGAIN_PART": [("echo_pass/variants.c", "AGAIN_PART", [1, 4])],
    "OUTDONE_PART": [("echo_pass/variants.c", "OUTDONE_PART", [1, 16])],
    "GAIN_PART": [("echo_pass/again.c", "GAIN_PART", [16, 1000000])],
    "ECHO_MAX_ROUNDS": [("echo_pass/variants_t.h", "ECHO_MAX_ROUNDS", [1, 2, 8])],
    "BRIEF_PART": [("echo_pass/candidates.c", "BRIEF_PART", [16, 1000000])],
    "SOONER": [("echo_pass/again.c", "SOONER", [2, 1000000])],
    "LEAST_AFFORDABLE": [("echo_pass/again.c", "LEAST_AFFORDABLE", [2, 128])],
    "MIN_LAUNCHES": [("lowering/step/chunk_rows.c", "MIN_LAUNCHES", [4, 64])],
    "SAVED_PART": [("lowering/step/sink_reductions.c", "SAVED_PART", [1, 8])],
    "STACK_PASSES": [("lowering/step/sink_reductions.c", "STACK_PASSES", [1, 8])],
    "BETWEEN": [("echo_pass/search.c", "BETWEEN", [2, 4, 1000000])],
    "N_PIECES": [("echo_pass/ladder.c", "N_PIECES", [32, 128])],
    "N_RUNGS": [("echo_pass/ladder.c", "N_RUNGS", [16, 64])],
    "MAX_AIMS": [("echo_pass/ladder.c", "MAX_AIMS", [1, 6])],
    "MAX_GAPS": [("echo_pass/refine.c", "MAX_GAPS", [0, 16])],
    "MAX_LOOKS": [("echo_pass/refine.c", "MAX_LOOKS", [1, 6])],
    "N_TRIED": [("echo_pass/refine.c", "N_TRIED", [4, 64])],
    "MAX_RETURNS": [("echo_pass/refine.c", "MAX_RETURNS", [0, 64])],
    "MAX_CLOSURE": [("echo_pass/refine.c", "MAX_CLOSURE", [16])],
    "MAX_DIVES": [("echo_pass/refine.c", "MAX_DIVES", [8])],
    "DIVE_PART": [("echo_pass/refine.c", "DIVE_PART", [16, 256])],
    "MAX_MEASURED_CLASSES": [("echo_pass/curve.c", "MAX_MEASURED_CLASSES", [0])],
    "MAX_PRUNED": [("echo_pass/curve.c", "MAX_PRUNED", [0, 4])],
    "N_PRUNED": [("echo_pass/curve.c", "N_PRUNED", [0, 15])],
    "MAX_MIXED": [("echo_pass/curve.c", "MAX_MIXED", [0, 15])],
    "MIX_PARTS": [("echo_pass/curve.c", "MIX_PARTS", [16, 256])],
    "MAX_BEYOND": [("echo_pass/curve.c", "MAX_BEYOND", [0, 4])],
    "N_MORE_ORDERS": [("echo_pass/frontier.c", "N_MORE_ORDERS", [1, 4])],
    "CHAIN_PART": [("echo_pass/policies.c", "CHAIN_PART", [16, 256])],
    "HEAVY_TRAFFIC": [("echo_pass/candidates.c", "HEAVY_TRAFFIC", [2, 1000000])],
    "MAX_TURNS": [("echo_pass/candidates.c", "MAX_TURNS", [1, 4, 256])],
    "MIN_TURN_PART": [("echo_pass/candidates.c", "MIN_TURN_PART", [2, 16])],
    "N_LEVEL_TARGETS": [("echo_pass/policies.c", "N_LEVEL_TARGETS", [4, 64])],
    "MAX_LINKS": [("echo_pass/chain_levels.c", "MAX_LINKS", [24, 384])],
    "CONE": [("planning/schedule/flow_t.h", "ECHO_FLOW_MAX_CONE", [8, 128])],
    "FEW_MISSING": [("planning/schedule/dataflow_order.c", "FEW_MISSING", [1, 2, 16])],
    "CLOSURE_OF_AN_ORDER": [("planning/schedule/order.c", "MAX_CLOSURE", [16, 256])],
    "FEW_READERS": [("planning/schedule/order.c", "FEW_READERS", [1, 16])],
    "FOLLOWED": [("planning/schedule/order.c", "FOLLOWED", [1, 3, 24])],
    "SMALL_PART": [("planning/schedule/order.c", "SMALL_PART", [4, 64])],
    "LATE_PART_OF_AN_ORDER": [("planning/schedule/order.c", "LATE_PART", [2, 32, 1000000])],
    "MAX_MEMBERS": [("planning/schedule/fusion_cost.c", "MAX_MEMBERS", [32, 512])],
    "MAX_COPIES": [("planning/schedule/fusion.c", "MAX_COPIES", [2, 32])],
    "CURVE_PARTS": [("echo_pass/curve.c", "CURVE_PARTS", [64, 128, 512])],
}


def build(tree, build_folder):
    done = subprocess.run(["cmake", "--build", build_folder, "--target", "echo-opt"], cwd=tree, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout[-2000:])


def scratch_tree():
    """A copy inside the build folder, so that a compiler cache knows its files."""
    tree = ROOT / "build" / "constants"
    tree.mkdir(parents=True, exist_ok=True)
    subprocess.run(f"git -C '{ROOT}' archive HEAD | tar x -C '{tree}'", shell=True, check=True)
    options = ["-DECHO_WERROR=OFF", "-DECHO_BUILD_TESTS=OFF", *os.environ.get("ABLATE_CMAKE", "").split()]
    subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options], check=True, capture_output=True)
    build(tree, tree / "build")
    return tree


def curve(binary, step):
    """Points (bytes, ns) of all functions' curves, the predicted time with nothing recomputed behind them; None where there is no curve."""
    done = subprocess.run([binary, step, "--to=echoed", "--echo=budget=min", f"--device-model={DEVICE}"], text=True, capture_output=True,
                          check=False, env=dict(os.environ, ECHO_DEBUG="curve"))
    points = [(int(b), int(t)) for b, t in re.findall(r"\[curve\] (\d+) bytes, (\d+) ns", done.stderr)]
    off = re.search(r"echo\.off_ns = (\d+)", done.stdout.split("\n", 1)[0])
    return (points, int(off.group(1))) if done.returncode == 0 and len(points) > 1 and off else None


def at_price(found, price):
    """Some points may take less time than nothing recomputed in the order of the text: of nothing cheap enough the first one."""
    points, off = found
    return min((b for b, t in points if price is None or t <= off * (1 + price)), default=points[0][0])


def curves(binary, steps):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = {step: curve(binary, step) for step in steps}
    return found, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def compare(whole, other):
    cells, differ = [], sum(whole[step] != other[step] for step in whole)
    for price in PRICES:
        logs = [math.log(at_price(other[step], price) / at_price(whole[step], price)) for step in whole if other[step] and whole[step]
                and at_price(whole[step], price) and at_price(other[step], price)]
        cells.append(f"{100 * (math.exp(sum(logs) / max(1, len(logs))) - 1):+.2f} %")
    return differ, cells


def changed(text, name, value):
    found = re.search(rf"^#define {name}\b[ \\\n]*(\(.*\)|\S+)", text, re.MULTILINE)
    if not found:
        sys.exit(f"constants: no {name}")
    return text[:found.start(1)] + str(value) + text[found.end(1):], found.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--most", type=float, default=0.5)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    tree = scratch_tree()
    binary = tree / "build/bin/echo-opt"
    steps = []
    for step in sorted(path for folder in options.folders for path in folder.rglob("*.mlir")):
        found, seconds = curves(binary, [step])
        if found[step] is not None and seconds <= options.most:
            steps.append(step)
    whole, seconds = curves(binary, steps)
    print(f"{len(steps)} steps, {seconds:.1f} s\n\n| constant | instead of | curves that differ | 0 % | 1 % | 2 % | 5 % | 10 % | 20 % | 30 % | least | seconds |")
    print("| --- | --: | --: |" + " --: |" * 9)
    for label, places in CONSTANTS.items():
        if options.only and label not in options.only:
            continue
        for file, name, values in places:
            path = tree / file
            kept = path.read_text()
            for value in values:
                text, before = changed(kept, name, value)
                path.write_text(text)
                build(tree, tree / "build")
                other, taken = curves(binary, steps)
                differ, cells = compare(whole, other)
                print(f"| `{label}` {value} | {before} | {differ} | " + " | ".join(cells) + f" | {taken:.1f} |", flush=True)
            path.write_text(kept)
    build(tree, tree / "build")


main()
