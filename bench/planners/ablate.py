# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ablate.py [--only NAME ...] [--json FILE]: what each part of Echo's search is worth. Builds echo-opt once for each part, with that
part switched off in a scratch copy of the committed sources, and plans the networks with it: peaks and predicted times beside
those of the whole search. Nothing here depends on the machine: plans are decided by node counts and the device model."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from random_steps import random_step

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICE = "gpu-a100-40g"
MODELS = {
    "vgg16-cifar": "nets --model=vgg16 --image=32 --classes=10 --batch=228 --batch-norm",
    "resnet50": "nets --model=resnet50 --batch=32",
    "unet": "nets --model=unet --batch=8",
    "transformer": "nets --model=transformer --layers=6 --hidden=256 --heads=4 --length=256 --batch=4 --classes=4000",
    "nmt": "nmt --layers=2 --hidden=256 --batch=64 --length=15 --vocab=4000",
    "vgg11, batch 4": "nets --model=vgg11 --batch=4",
    "nmt, small": "nmt --layers=1 --hidden=64 --batch=16 --length=10 --vocab=500 --dropout=0.2",
    "random-100": None,
}
# name: [(file, what stands there, what takes its place)]; a text that is not found ends the run.
POLICIES, CURVE, ORDER = "echo_pass/policies.c", "echo_pass/curve.c", "planning/schedule/order.c"


def no_order(policy):
    return [(ORDER, "if (policy == ECHO_ORDER_GIVEN || n == 0)", f"if (policy == ECHO_ORDER_GIVEN || policy == {policy} || n == 0)")]


PARTS = {
    "cuts near the source": [(POLICIES, "  propose_side(run, ECHO_CUT_NEAR_SOURCE, false);\n", "")],
    "heavy cuts near the sink": [(POLICIES, "  propose_side(run, ECHO_CUT_NEAR_SINK, true);\n", "")],
    "heavy cuts near the source": [(POLICIES, "  propose_side(run, ECHO_CUT_NEAR_SOURCE, true);\n", "")],
    "chains as proposals": [(POLICIES, "  propose_chains(run);\n  propose_side", "  propose_side")],
    "cuts with their chains cut": [(POLICIES, "    propose_cut(run, &cut, true);\n", "")],
    "cuts with their chains whole": [(POLICIES, "    propose_cut(run, &cut, false);\n", "")],
    "price 1": [(POLICIES, "PRICES[] = {1, 0.25, 0}", "PRICES[] = {0.25, 0}")],
    "price 0.25": [(POLICIES, "PRICES[] = {1, 0.25, 0}", "PRICES[] = {1, 0}")],
    "price 0": [(POLICIES, "PRICES[] = {1, 0.25, 0}", "PRICES[] = {1, 0.25}")],
    "order: demand": no_order("ECHO_ORDER_DEMAND"),
    "order: eager": no_order("ECHO_ORDER_EAGER"),
    "order: late": no_order("ECHO_ORDER_LATE"),
    "giving groups back": [(CURVE, "  prune_lowest(searcher, n_proposed);\n", "  (void)n_proposed;\n  (void)prune_lowest;\n")],
    "mixes of neighbours": [(CURVE, "    mix_neighbours(searcher, frontier->points.data[i], frontier->points.data[i + 1]);\n",
                             "    (void)mix_neighbours;\n")],
    "mixes fitted to a limit": [(CURVE, "static void fit_mix(EchoSearcher *searcher, const Mix *mix, uint64_t limit_ns,\n"
                                        "                    uint64_t enough_bytes)\n{\n",
                                 "static void fit_mix(EchoSearcher *searcher, const Mix *mix, uint64_t limit_ns,\n"
                                 "                    uint64_t enough_bytes)\n{\n  if (limit_ns + 1 != 0 || limit_ns + 1 == 0)\n    return;\n")],
    "groups measured before they are given back": [(CURVE, "#define MAX_MEASURED_CLASSES 24", "#define MAX_MEASURED_CLASSES 0")],
}
GOALS = {"off": None, "2 %": "overhead=2%", "10 %": "overhead=10%", "min": "budget=min", "0.7": 0.7, "0.5": 0.5}


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True, capture_output=True, **options)


def build(tree):
    run("cmake", "--preset", "release", "-DECHO_WERROR=OFF", "-DECHO_BUILD_TESTS=OFF", *os.environ.get("ABLATE_CMAKE", "").split(), cwd=tree)
    run("cmake", "--build", "build", "--target", "echo-opt", "nets", "nmt", cwd=tree)
    return tree / "build/bin"


def replaced(tree, changes):
    """The files' old texts, to be put back."""
    kept = {}
    for name, old, new in changes:
        path = tree / name
        text = path.read_text()
        if old not in text:
            sys.exit(f"ablate: {name} does not hold: {old!r}")
        kept.setdefault(path, text)
        path.write_text(text.replace(old, new, 1))
    return kept


def plan(binary, step, echo):
    """Arena bytes and predicted overhead; None where it cannot be met."""
    flags = [] if echo is None else [f"--echo={echo}"]
    done = subprocess.run([binary / "echo-opt", step, "--to=planned", f"--device-model={DEVICE}", "-o", "-", *flags],
                          check=False, text=True, capture_output=True)
    if done.returncode != 0:
        if "cannot be brought below" in done.stderr:
            return None
        sys.exit(done.stderr)
    facts = {k: int(v) for k, v in re.findall(r"(\w+\.\w+) = (\d+) : i64", done.stdout.split("\n", 1)[0])}
    return {"peak": facts["plan.peak_bytes"], "arena": facts["plan.temp_bytes"], "overhead": facts.get("echo.on_ns", 1) / facts.get("echo.off_ns", 1) - 1}


def plan_all(binary, steps, offs):
    rows = {}
    for model, step in steps.items():
        for goal, echo in GOALS.items():
            text = f"budget={int(echo * offs[model])}" if isinstance(echo, float) else echo
            rows[f"{model}, {goal}"] = plan(binary, step, text)
    return rows


def compare(name, whole, part):
    """What the search is worse by without the part: in the arena (goals of time and min), in points of time (budgets)."""
    losses = []
    for case, row in whole.items():
        other = part[case]
        if row is None or other is None:
            if row is not other:
                losses.append((float("inf"), case, "cannot be met" if other is None else "can be met"))
            continue
        arena, points = other["arena"] / max(1, row["arena"]) - 1, 100 * (other["overhead"] - row["overhead"])
        if abs(arena) > 1e-9 or abs(points) > 1e-9:
            losses.append((abs(arena) + abs(points) / 100, case, f"arena {100 * arena:+.2f} %, time {points:+.2f} points"))
    losses.sort(key=lambda loss: -loss[0])
    print(f"{name}: {len(losses)} of {len(whole)} differ" + "".join(f"; {case}: {text}" for _, case, text in losses[:4]), flush=True)
    return [{"case": case, "what": text} for _, case, text in losses]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        tree = pathlib.Path(work) / "tree"
        tree.mkdir()
        subprocess.run(f"git -C '{ROOT}' archive HEAD | tar x -C '{tree}'", shell=True, check=True)
        binary = build(tree)
        steps, offs = {}, {}
        for name, command in MODELS.items():
            steps[name] = pathlib.Path(work) / f"{name}.mlir"
            if command is None:
                steps[name].write_text(random_step(1, 100))
            else:
                run(binary / command.split()[0], *command.split()[1:], "--emit=model", "-o", steps[name])
            off = run(binary / "echo-opt", steps[name], "--to=planned", f"--device-model={DEVICE}").stdout.split("\n", 1)[0]
            offs[name] = int(re.search(r"plan\.peak_bytes = (\d+)", off).group(1))
        whole = plan_all(binary, steps, offs)
        result = {"whole": whole, "without": {}}
        for name, changes in PARTS.items():
            if options.only and name not in options.only:
                continue
            kept = replaced(tree, changes)
            result["without"][name] = compare(name, whole, plan_all(build(tree), steps, offs))
            for path, text in kept.items():
                path.write_text(text)
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(result, indent=1) + "\n")


main()
