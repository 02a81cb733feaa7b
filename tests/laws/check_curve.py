#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One curve of peak against time: whatever is asked for is a point on it. A budget is met or refused with the least there is; the
peak falls with the budget and with the price; no option, and no policy, reaches a point that another beats in both, on its whole curve.

Random steps are straight lines, and a third as many have loops and branches; some are planned with swaps, too.

usage: check_curve.py BUILD-DIRECTORY [STEPS [FILE.mlir ...]]: so many random steps (the nets where there are any), and these, with swaps"""

import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
n_random = int(sys.argv[2]) if len(sys.argv) > 2 else 12
FILES = [pathlib.Path(name) for name in sys.argv[3:]]
DEVICE = "gpu-a100-40g"
NETS = {
    "transformer": "nets --model=transformer --layers=1 --hidden=64 --heads=2 --length=32 --batch=4 --classes=200",
    "vgg": "nets --model=vgg11 --image=32 --classes=10 --batch=16",
    "nmt": "nmt --layers=1 --hidden=32 --batch=8 --length=2 --vocab=100 --dropout=0.2",
}
WHOLE = {"unet": "nets --model=unet --batch=8"}  # of these the whole curves alone
N_BUDGETS = 12
N_SWAP_BUDGETS = 3
N_WITH_SWAPS = 8  # random steps
OVERHEADS = [0, 0.5, 1, 2, 5, 10, 30, 100]
POLICIES = ["greedy", "chain", "levels"]
# The least may stand this part above the lowest point where that saves time (echo_pass/search_state_t.h).
SLACK = 4096


class Step:
    """A random training step: a graph of contractions, maps and rows over one shape, its gradients, and an update. With regions, some of its
    nodes are counted loops over such a graph, or branches."""

    def __init__(self, seed, has_regions=False):
        self.draw = random.Random(seed)
        self.has_regions = has_regions
        self.B, self.H = self.draw.choice([(64, 64), (256, 64), (512, 32)])
        self.wide, self.square, self.row = (f"tensor<{s}xf32>" for s in (f"{self.B}x{self.H}", f"{self.H}x{self.H}", self.B))
        self.body, self.weights, self.values = [], [], ["%x"]
        self.optimizer = self.draw.choice(["sgd", "momentum", "clip"])

    def add(self, i):
        draw, wide = self.draw, self.wide
        x = self.values[-1] if draw.random() < 0.7 else draw.choice(self.values)
        y = draw.choice(self.values)
        kind = draw.choice(["linear", "linear", "tanh", "exponential", "logistic", "add", "multiply", "row"] + ["loop", "branch"] * self.has_regions)
        if kind in ("linear", "loop", "branch"):
            w = f"%w{len(self.weights)}"
            self.weights.append(w)
        if kind == "linear":
            self.body.append(f"%v{i} = stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : ({wide}, {self.square}) -> {wide}")
        elif kind == "loop":
            self.body += self.loop(i, x, w)
        elif kind == "branch":
            self.body += self.branch(i, x, w)
        elif kind in ("add", "multiply"):
            self.body.append(f"%v{i} = stablehlo.{kind} {x}, {y} : {wide}")
        elif kind == "row":
            self.body += [self.sum(f"%s{i}", x, wide, self.row, "[1]"), self.spread(f"%b{i}", f"%s{i}", self.row, wide, "[0]"),
                          f"%v{i} = stablehlo.subtract {x}, %b{i} : {wide}"]
        else:
            self.body.append(f"%v{i} = stablehlo.{kind} {x} : {wide}")
        self.values.append(f"%v{i}#1" if kind == "loop" else f"%v{i}")

    def cell(self, name, x, w):
        """A layer with a residual, by which a loop stays small: its lines, and what it makes."""
        wide, draw = self.wide, self.draw
        lines = [f"{name}a = stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : ({wide}, {self.square}) -> {wide}"]
        for k in range(draw.randrange(1, 4)):
            lines.append(f"{name}{'abcd'[k + 1]} = stablehlo.{draw.choice(['tanh', 'logistic', 'sine'])} {name}{'abcd'[k]} : {wide}")
        last = lines[-1].split()[0]
        return lines + [f"{name}z = stablehlo.multiply {last}, {x} : {wide}"], f"{name}z"

    def loop(self, i, x, w):
        lines, made = self.cell(f"%l{i}", f"%h{i}", w)
        return [f"%z{i} = stablehlo.constant dense<0> : tensor<i32>", f"%n{i}t = stablehlo.constant dense<{self.draw.randrange(3, 9)}> : tensor<i32>",
                f"%p{i} = stablehlo.constant dense<1> : tensor<i32>", f"%v{i}:2 = stablehlo.while(%k{i} = %z{i}, %h{i} = {x}) : tensor<i32>, {self.wide}",
                f"cond {{ %t{i}c = stablehlo.compare LT, %k{i}, %n{i}t : (tensor<i32>, tensor<i32>) -> tensor<i1>", f"stablehlo.return %t{i}c : tensor<i1> }} do {{",
                *lines, f"%j{i} = stablehlo.add %k{i}, %p{i} : tensor<i32>", f"stablehlo.return %j{i}, {made} : tensor<i32>, {self.wide} }}"]

    def branch(self, i, x, w):
        one, first = self.cell(f"%e{i}", x, w)
        other, second = self.cell(f"%o{i}", x, w)
        returned = [f"stablehlo.return {value} : {self.wide}" for value in (first, second)]
        return [f'%v{i} = "stablehlo.case"(%which) ({{', *one, returned[0], "}, {", *other, returned[1], f"}}) : (tensor<i32>) -> {self.wide}"]

    @staticmethod
    def sum(name, x, type_, result, dims):
        return f"{name} = stablehlo.reduce({x} init: %zero) applies stablehlo.add across dimensions = {dims} : ({type_}, tensor<f32>) -> {result}"

    @staticmethod
    def spread(name, x, type_, result, dims="[]"):
        return f"{name} = stablehlo.broadcast_in_dim {x}, dims = {dims} : ({type_}) -> {result}"

    def scale(self, gradients):
        """By the norm of all of them, as clipping does."""
        if self.optimizer != "clip":
            return gradients
        norm = "%zero"
        for i, g in enumerate(gradients):
            self.body += [f"%q{i} = stablehlo.multiply {g}, {g} : {self.square}", self.sum(f"%t{i}", f"%q{i}", self.square, "tensor<f32>", "[0, 1]"),
                          f"%a{i} = stablehlo.add {norm}, %t{i} : tensor<f32>"]
            norm = f"%a{i}"
        self.body += [f"%root = stablehlo.rsqrt {norm} : tensor<f32>", self.spread("%scale", "%root", "tensor<f32>", self.square)]
        self.body += [f"%c{i} = stablehlo.multiply {g}, %scale : {self.square}" for i, g in enumerate(gradients)]
        return [f"%c{i}" for i in range(len(gradients))]

    def update(self, gradients):
        results = []
        for i, g in enumerate(self.scale(gradients)):
            moment = f"%m{i}" if self.optimizer == "momentum" else g
            if self.optimizer == "momentum":
                self.body.append(f"%n{i} = stablehlo.add %m{i}, {g} : {self.square}")
                moment = f"%n{i}"
            self.body.append(f"%u{i} = stablehlo.subtract %w{i}, {moment} : {self.square}")
            results += [f"%u{i}"] + ([f"%n{i}"] if self.optimizer == "momentum" else [])
        return results

    def text(self):
        self.body.append("%zero = stablehlo.constant dense<0.0> : tensor<f32>")
        for i in range(self.draw.randrange(8, 40)):
            self.add(i)
        self.weights = self.weights or ["%w0"]
        self.body += [f"%last = stablehlo.multiply {self.values[-1]}, {self.values[-1]} : {self.wide}",
                      self.sum("%loss", "%last", self.wide, "tensor<f32>", "[0, 1]")]
        gradients = [f"%g{i}" for i in range(len(self.weights))]
        squares = ", ".join([self.square] * len(self.weights))
        self.body.append(f'{", ".join(gradients)} = "nn.gradient"(%loss, {", ".join(self.weights)}) : (tensor<f32>, {squares}) -> ({squares})')
        results = self.update(gradients)
        inputs = [name for i, w in enumerate(self.weights) for name in ([w, f"%m{i}"] if self.optimizer == "momentum" else [w])]
        arguments = [f"%x: {self.wide}"] + [f"{n}: {self.square} {{tf.aliasing_output = {i} : i32}}" for i, n in enumerate(inputs)]
        if self.has_regions:
            arguments.append("%which: tensor<i32>")
        types = ", ".join([self.square] * len(results) + ["tensor<f32>"])
        lines = "\n  ".join(self.body + [f'return {", ".join(results + ["%loss"])} : {types}'])
        return f"func.func @main({', '.join(arguments)}) -> ({types}) {{\n  {lines}\n}}\n"


def run(*command, **options):
    return subprocess.run([str(c) for c in command], text=True, capture_output=True, check=False, timeout=120, **options)


def plan(path, echo):
    """(bytes of everything, predicted ns), or the bytes that a refusal names."""
    flags = [f"--echo={echo}"] if echo else []
    done = run(build / "bin" / "echo-opt", path, "--to=planned", f"--device-model={DEVICE}", "-o", "-", *flags)
    if done.returncode == 0:
        facts = dict(re.findall(r"(\w+\.\w+) = (\d+) : i64", done.stdout.split("\n", 1)[0]))
        return int(facts["plan.peak_bytes"]), int(facts.get("echo.on_ns", 0)), int(facts.get("echo.off_ns", 0))
    named = re.search(r"the smallest possible one is (\d+) bytes", done.stderr)
    if done.returncode != 1 or not named:
        raise RuntimeError(f"{path.name}, {echo}: exit {done.returncode}: {done.stderr[:400]}")
    return int(named.group(1))


def curve(path, policy):
    """All points (predicted ns, bytes of the arena), as the search has them; of a step with loops those of each way to write them."""
    done = run(build / "bin" / "echo-opt", path, "--to=echoed", f"--device-model={DEVICE}", f"--echo=budget=min,policy={policy}", "-o", "/dev/null",
               env=dict(os.environ, ECHO_DEBUG="curve"))
    if done.returncode != 0:
        raise RuntimeError(f"{path.name}, {policy}: exit {done.returncode}: {done.stderr[:400]}")
    return [(int(ns), int(size)) for size, ns in re.findall(r"\[curve\] (\d+) bytes, (\d+) ns", done.stderr)]


def check_whole_curves(path):
    """No policy has a point that the default's curve does not undercut, near enough."""
    ours, wrong = curve(path, "mincut"), []
    for policy in POLICIES:
        for ns, size in curve(path, policy):
            least = min((lower for sooner, lower in ours if sooner <= ns), default=None)
            if least is None or size + size // SLACK < least:
                wrong.append(f"{path.stem}: {policy} comes to {size} in {ns} ns, and the default to {least}")
    return 1 + len(POLICIES), True, wrong


class Checker:
    def __init__(self, path, has_swaps):
        self.path, self.wrong, self.points, self.n_plans = path, [], {}, 0
        self.has_swaps = has_swaps

    def plan(self, echo):
        self.n_plans += 1
        found = plan(self.path, echo)
        if isinstance(found, tuple) and echo:
            self.points[echo] = found
        return found

    def expect(self, condition, *what):
        if not condition:
            self.wrong.append(" ".join(str(word) for word in (self.path.stem + ":",) + what))

    def budgets(self, off, least):
        previous = None
        for i in range(N_BUDGETS + 1):
            budget = off - (off - least) * i // N_BUDGETS
            found = self.plan(f"budget={budget}")
            if isinstance(found, int):
                self.expect(False, "budget", budget, "is refused with", found, "though", least, "is reached, and", off, "without Echo")
                continue
            self.expect(found[0] <= budget, "budget", budget, "takes", found[0])
            self.expect(previous is None or found[0] <= previous, "budget", budget, "takes", found[0], "and a larger one", previous)
            previous = found[0]

    def refusal(self, least):
        named = self.plan(f"budget={least * 9 // 10}")
        if not isinstance(named, int):
            self.expect(False, "budget", least * 9 // 10, "takes", named[0], "and the least", least)
            return
        self.expect(named <= least, "a refusal names", named, "and the least is", least)
        met = self.plan(f"budget={named}")
        self.expect(isinstance(met, tuple) and met[0] <= named, "a refusal names", named, "which is not met:", met)

    def prices(self):
        previous = None
        for percent in OVERHEADS:
            found = self.plan(f"overhead={percent}%")
            self.expect(previous is None or found[0] <= previous, f"overhead={percent}% takes", found[0], "and a smaller one", previous)
            self.expect(found[1] <= found[2] * (1 + percent / 100), f"overhead={percent}% takes", found[1], "ns, and without Echo", found[2])
            previous = found[0]

    def policies(self, least):
        for policy in POLICIES:
            for goal in ("budget=min", "overhead=5%"):
                found = plan(self.path, f"policy={policy},{goal}")
                self.n_plans += 1
                self.expect(found[0] * SLACK >= least * (SLACK - 1), policy, goal, "takes", found[0], "and the least is", least)
                ours = self.plan(f"budget={found[0]}")
                self.expect(isinstance(ours, int) or ours[1] <= found[1], policy, goal, "takes", found[0], "for", found[1], "ns, and the default", ours)

    def swaps(self, off, least):
        """A budget may be met by swaps too: in no more time than without, the less the larger it is, and never refused where recompute meets it."""
        previous = None
        for i in range(N_SWAP_BUDGETS + 1):
            budget = least + (off - least) * i // N_SWAP_BUDGETS
            found, alone = (self.run(f"budget={budget}{swap}") for swap in (",swap=on", ""))
            swapped = self.swapped(budget)
            if isinstance(found, int):
                self.expect(isinstance(alone, int), "budget", budget, "with swaps is refused with", found, "and without takes", alone)
                self.expect(swapped is None, "budget", budget, "with swaps is refused with", found, "and swaps alone add", swapped, "ns")
                continue
            self.expect(swapped is None or found[1] - found[2] <= swapped, "budget", budget, "adds", found[1] - found[2], "ns with swaps, and swaps alone", swapped)
            self.expect(found[0] <= budget, "budget", budget, "with swaps takes", found[0])
            self.expect(isinstance(alone, int) or found[1] <= alone[1], "budget", budget, "with swaps takes", found[1], "ns, without", alone)
            self.expect(previous is None or found[1] <= previous, "budget", budget, "with swaps takes", found[1], "ns, and a smaller one", previous)
            previous = found[1]

    def swapped(self, budget):
        """What swaps alone add to the time of a step that Echo has left as it is; None where they do not bring it below the budget."""
        step, lowered = (self.path.with_suffix(f".{stage}") for stage in ("step", "lowered"))
        run(build / "bin" / "echo-opt", self.path, "--to=step", "-o", step)
        run(build / "bin" / "echo-opt", step, "--schedule", "--fuse", "--bufferize", "-o", lowered)
        self.n_plans += 1
        done = run(build / "bin" / "echo-opt", lowered, f"--swap=limit={budget} device={DEVICE}", "--plan-memory")
        named = re.search(r"plan.swap_ns = (\d+) : i64", done.stdout)
        return int(named.group(1)) if named else None if done.returncode else 0

    def run(self, echo):
        self.n_plans += 1
        return plan(self.path, echo)

    def undercut(self):
        for echo, (peak, ns, _) in self.points.items():
            for other, (lower, sooner, _) in self.points.items():
                better = lower + peak // SLACK < peak and sooner < ns
                self.expect(not better, echo, "takes", peak, "and", ns, "ns, beaten by", other, "with", lower, "and", sooner)

    def check(self):
        off, least = plan(self.path, "")[0], self.plan("budget=min")[0]
        self.expect(least <= off, "the least is", least, "and without Echo", off)
        self.budgets(off, least)
        self.refusal(least)
        self.prices()
        self.policies(least)
        self.undercut()
        if self.has_swaps:
            self.swaps(off, least)
        for echo, point in self.points.items():
            self.expect(point[0] * SLACK >= least * (SLACK - 1), echo, "takes", point[0], "and the least is", least)
        n_curves, _, worse = check_whole_curves(self.path)
        return self.n_plans + 1 + n_curves, least < off, self.wrong + worse


def with_swaps(path):
    kind, _, seed = path.stem.partition("-")
    return path.name in [file.name for file in FILES] or (kind in ("random", "regions") and int(seed) < N_WITH_SWAPS // 2)


def check(path):
    return check_whole_curves(path) if path.stem in WHOLE else Checker(path, with_swaps(path)).check()


def main():
    with tempfile.TemporaryDirectory() as work:
        paths = []
        for name, command in (NETS | WHOLE).items() if n_random != 0 else []:
            paths.append(pathlib.Path(work) / f"{name}.mlir")
            done = run(build / "bin" / command.split()[0], *command.split()[1:], "--emit=model", "-o", paths[-1])
            assert done.returncode == 0, done.stderr
        for seed in range(n_random):
            paths.append(pathlib.Path(work) / f"random-{seed}.mlir")
            paths[-1].write_text(Step(seed).text())
        for seed in range(n_random // 3):
            paths.append(pathlib.Path(work) / f"regions-{seed}.mlir")
            paths[-1].write_text(Step(seed, has_regions=True).text())
        paths += [pathlib.Path(shutil.copy(file, work)) for file in FILES]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(check, paths))
    wrong = [line for result in results for line in result[2]]
    n_lower = sum(result[1] for result in results)
    if n_lower < len(results) // 2 and not FILES:
        wrong.append("most steps cannot be lowered: nothing was checked")
    print("\n".join(wrong + [f"{sum(result[0] for result in results)} plans of {len(results)} steps, {n_lower} lowered, {len(wrong)} wrong"]))
    sys.exit(bool(wrong))


main()
