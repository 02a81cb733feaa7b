# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Law 8: the same input gives the same output, whatever memory held and wherever it lay.

usage: check_determinism.py BUILD-DIRECTORY

Each echo-opt command of the golden tests runs twice: as it is, and with fresh memory filled, by turns with one byte, and with
another and the stack moved. Addresses differ by themselves between runs. Two training steps are compiled from the text of each
stage, which gives the same program each time, and run with several numbers of threads, which gives the same results. On another
machine the last bits of results may differ where the BLAS does: docs/stages.md.
"""

import pathlib
import subprocess
import sys
import tempfile

import golden

build = pathlib.Path(sys.argv[1]).resolve()
SETTINGS = [{}, {"MALLOC_PERTURB_": "85"}, {"MALLOC_PERTURB_": "170", "PADDING": "x" * 3000}]


ECHO = "--echo=budget=min"


def outcome(command, setting=None):
    return subprocess.run(
        command, capture_output=True, env=golden.environment(build, **(setting or {})), timeout=300, check=False
    )


def check(item):
    number, command = item
    settings = SETTINGS[0], SETTINGS[1 + number % 2]
    outputs = [(done.returncode, done.stdout, done.stderr) for done in (outcome(command, setting) for setting in settings)]
    timed = any("timing" in word for word in command)
    if all(output == outputs[0] for output in outputs) or timed:
        return ""
    return "not the same every time: " + " ".join(command)


def check_stages(item):
    """The program that comes from the text of a stage is the one that comes from the model."""
    model, stage, whole = item
    text = outcome(["echo-opt", str(model), f"--to={stage}", ECHO])
    # Echo runs once: behind its stage there is nothing left for it.
    options = [ECHO] if golden.STAGES.index(stage) < golden.STAGES.index("echoed") else []
    again = subprocess.run(
        ["echo-opt", "-", "--to=loops", *options],
        input=text.stdout, capture_output=True, env=golden.environment(build), timeout=300, check=False,
    )
    if whole.returncode != 0 or again.returncode != 0:
        return f"{model.name} from {stage}: {(whole.stderr + text.stderr + again.stderr)[:300].decode(errors='replace')}"
    return "" if again.stdout == whole.stdout else f"{model.name}: another program from the text of stage {stage}"


def check_threads(model):
    """Results do not depend on the number of threads, nor on what memory held."""
    results = []
    for i, (threads, setting) in enumerate([(1, {}), (2, SETTINGS[1]), (4, SETTINGS[2]), (7, {})]):
        out = pathlib.Path(scratch) / f"{model.stem}-{i}.npz"
        done = outcome(
            ["echo-run", str(model), "--no-cache", "--quiet", "--steps=3", f"--threads={threads}", ECHO, f"--outputs={out}"],
            setting,
        )
        if done.returncode != 0:
            return f"{model.name}: {done.stderr[:300].decode(errors='replace')}"
        results.append(out.read_bytes())
    return "" if all(result == results[0] for result in results) else f"{model.name}: results depend on the threads"


def check_any(item):
    function, argument = item
    return function(argument)


with tempfile.TemporaryDirectory() as scratch:
    steps = {step: outcome(["echo-opt", str(step), "--to=loops", ECHO]) for step in golden.models(build, scratch).values()}
    golden.run_all(
        check_any,
        [(check, item) for item in enumerate(command for path in golden.files() for command in golden.commands(path))]
        + [(check_stages, (step, stage, whole)) for step, whole in steps.items() for stage in golden.STAGES]
        + [(check_threads, step) for step in steps],
    )
