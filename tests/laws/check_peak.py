# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Law 3: the peak is planned. What is planned is what the device hands out, to the byte; Echo never raises it; a smaller
budget never gives a larger one, and one that cannot be met is refused with the smallest that can.

usage: check_peak.py BUILD-DIRECTORY
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import golden

build = pathlib.Path(sys.argv[1]).resolve()
GOLDEN = golden.ROOT / "tests" / "golden"
NMT = ["nmt", "--emit=model", "--batch=4", "--length=2", "--max-pairs=100"]
N_BUDGETS = 3
problems = []


def run(*command):
    return subprocess.run(command, env=golden.environment(build), capture_output=True, text=True, timeout=300, check=False)


def figures(model, *options):
    """What echo-run says of the model, or None with the reason."""
    done = run("echo-run", str(model), "--quiet", "--no-cache", "--json=-", *options)
    return (json.loads(done.stdout), "") if done.returncode == 0 else (None, done.stderr)


def expect(condition, *what):
    if not condition:
        problems.append(" ".join(str(word) for word in what))


def peak(name, model, *options):
    """The planned peak of a run, which must be the measured one."""
    facts, error = figures(model, *options)
    if facts is None:
        problems.append(f"{name} {options}: {error[:300]}")
        return 0
    planned, measured = facts["planned_peak_bytes"], facts["measured_peak_bytes"]
    expect(planned == measured > 0, name, options, "planned", planned, "measured", measured)
    expect(facts["planned_temp_bytes"] < planned, name, options, "temporaries are no less than all")
    return planned


def check_budgets(name, model, off, least):
    """From above the peak without Echo down to the least: each is met, and none takes more than the one before."""
    previous = off
    for i in range(N_BUDGETS + 1):
        budget = off + 64 - (off + 64 - least) * i // N_BUDGETS
        facts, error = figures(model, "--plan-only", f"--echo=budget={budget}")
        expect(facts is not None, name, "budget", budget, error[:300])
        if facts is not None:
            planned = facts["planned_peak_bytes"]
            expect(planned <= budget, name, "budget", budget, "takes", planned)
            expect(planned <= previous, name, "budget", budget, "takes", planned, "a larger one", previous)
            previous = planned
    facts, error = figures(model, "--plan-only", f"--echo=budget={least // 2}")
    said = re.search(r"the smallest possible one is (\d+) bytes", error)
    expect(facts is None and said, name, "a budget of half the least is not refused", error[:300])
    if said:
        facts, error = figures(model, "--plan-only", f"--echo=budget={said.group(1)}")
        expect(facts is not None, name, "the smallest possible budget is refused:", error[:300])


def check_model(name, model):
    off = peak(name, model)
    for options in ("", "=overhead=100%", "=policy=greedy"):
        on = peak(name, model, f"--echo{options}")
        expect(on <= off, name, f"--echo{options} takes", on, "without it", off)
    least = peak(name, model, "--echo=budget=min")
    expect(least <= off, name, "the least is", least, "without Echo", off)
    check_budgets(name, model, off, least)
    return off, least


with tempfile.TemporaryDirectory() as scratch:
    models = {"training_step": GOLDEN / "echo-run" / "training_step.mlir"}
    for layers, dropout in ((1, 0), (2, 0.2)):
        name = f"nmt-{layers}-{dropout}"
        models[name] = pathlib.Path(scratch) / f"{name}.mlir"
        done = run(*NMT, f"--layers={layers}", "--hidden=16", f"--dropout={dropout}", "-o", str(models[name]))
        expect(done.returncode == 0, name, done.stderr)
    for name, model in models.items():
        off, least = check_model(name, model)
        print(f"{name}: {off} bytes without Echo, {least} at least")
        # A test of Echo on a model that Echo can do nothing about would not fail.
        expect(not name.startswith("nmt") or least < off, name, "Echo saves nothing")
for problem in problems:
    print(problem)
sys.exit(bool(problems))
