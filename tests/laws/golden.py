# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The golden tests as inputs for the laws: their files, and the echo-opt commands of their RUN lines."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUN = re.compile(r"^\s*//\s*RUN:(.*)$", re.M)


def files():
    return sorted((ROOT / "tests" / "golden").rglob("*.mlir"))


def environment(build, **more):
    path = os.pathsep.join([str(build / "bin"), os.environ["PATH"]])
    return {**os.environ, "PATH": path, **more}


def commands(path):
    """The first command of each RUN line, when it is a plain echo-opt that reads this file."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    found = []
    for line in re.sub(r"\\\n\s*//\s*RUN:", " ", "\n".join(RUN.findall(text)) + "\n").splitlines():
        first = re.split(r"\||\d?>|<|&&|;", line)[0].replace("%s", shlex.quote(str(path)))
        if "%" in first or str(path) not in first:
            continue
        try:
            words = shlex.split(first)
        except ValueError:
            continue
        if words and words[0] == "echo-opt":
            found.append(words)
    return found


STAGES = ["model", "tensor", "step", "echoed", "scheduled", "kernels", "planned", "loops"]


def models(build, folder):
    """Training steps at stage model, by name: one of a few ops, one of layers, steps of time, dropout and an optimizer."""
    nmt = pathlib.Path(folder) / "nmt.mlir"
    subprocess.run(
        ["nmt", "--emit=model", "--max-pairs=100", "--layers=2", "--hidden=8", "--batch=2", "--length=2", "--dropout=0.2",
         "-o", str(nmt)],
        env=environment(build),
        check=True,
    )
    return {"training_step": ROOT / "tests" / "golden" / "echo-run" / "training_step.mlir", "nmt": nmt}


def run_all(check, items):
    """Calls check(item), which returns a problem or "", on every item; exits with what came of it."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(check, items) if problem]
    for problem in problems:
        print(problem)
    print(f"{len(items)} checked, {len(problems)} problems")
    sys.exit(1 if problems or not items else 0)
