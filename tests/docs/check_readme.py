# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines of README.md under "Use it", typed one after the other in an empty folder as they stand there.

usage: check_readme.py BUILD-DIRECTORY

The first line, which builds and puts the tools on PATH, has been done.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD_LINE = "./dev build && PATH=$PWD/build/bin:$PATH"


def lines():
    section = (ROOT / "README.md").read_text().split("\n## Use it\n", 1)[1].split("\n## ", 1)[0]
    block = section.split("```\n", 2)[1]
    return [line[2:].split("  #")[0].strip() for line in block.splitlines() if line.startswith("$ ")]


def main():
    typed = lines()
    if typed[0] != BUILD_LINE or len(typed) < 2:
        sys.exit(f"README.md, 'Use it': the first line is '{typed[0]}', not '{BUILD_LINE}'")
    path = f"{pathlib.Path(sys.argv[1]).resolve() / 'bin'}:{os.environ['PATH']}"
    n_bad = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PATH=path, HOME=folder, XDG_CACHE_HOME=folder)
        for line in typed[1:]:
            done = subprocess.run(line, shell=True, cwd=folder, env=environment, text=True, capture_output=True)
            if done.returncode != 0:
                print(f"README.md: exit status {done.returncode}: {line}\n{done.stderr[-2000:]}")
                n_bad += 1
    print(f"{len(typed) - 1} lines, {n_bad} of them fail")
    sys.exit(1 if n_bad else 0)


main()
