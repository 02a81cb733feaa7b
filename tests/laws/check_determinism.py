"""Law 8: the same input gives the same output, whatever memory held and wherever it lay.

usage: check_determinism.py BUILD-DIRECTORY

Each echo-opt command of the golden tests runs three times: as it is, with fresh memory filled with two different bytes and
the stack moved. Addresses differ by themselves between runs.
"""

import pathlib
import subprocess
import sys

import golden

build = pathlib.Path(sys.argv[1]).resolve()
SETTINGS = [{}, {"MALLOC_PERTURB_": "85"}, {"MALLOC_PERTURB_": "170", "PADDING": "x" * 3000}]


def check(command):
    outputs = []
    for setting in SETTINGS:
        done = subprocess.run(
            command, capture_output=True, env=golden.environment(build, **setting), timeout=300, check=False
        )
        outputs.append((done.returncode, done.stdout, done.stderr))
    timed = any("timing" in word for word in command)
    if all(output == outputs[0] for output in outputs) or timed:
        return ""
    return "not the same every time: " + " ".join(command)


golden.run_all(check, [command for path in golden.files() for command in golden.commands(path)])
