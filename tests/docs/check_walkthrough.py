#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/walkthrough.md shows what the tools print: each line of its blocks, in order, in the output of the command named
before it. A line that holds an ellipsis stands for what is left out."""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/walkthrough.md"
EXAMPLE = "docs/example.mlir"


def output_of(bin_dir, command):
    words = shlex.split(command)
    done = subprocess.run([bin_dir / words[0], *words[1:]], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout.splitlines()


def command_in(line):
    """The command that a line names, or None: `echo-opt …`, or `--to=STAGE` alone."""
    whole = re.search(r"`(echo-(?:opt|translate) [^`]*)`", line)
    if whole and EXAMPLE in whole[1] and "STAGE" not in whole[1]:
        return whole[1]
    stage = re.search(r"`(--to=[a-z]+)`", line)
    return f"echo-opt {EXAMPLE} {stage[1]}" if stage else None


def missing_lines(shown, printed):
    """Lines of a block that do not follow one another in the output."""
    at = 0
    for number, line in shown:
        if "…" in line or not line.strip():
            continue
        later = next((i for i in range(at, len(printed)) if printed[i].strip() == line.strip()), None)
        if later is None:
            yield number, line
        else:
            at = later + 1


def main():
    bin_dir = (ROOT / sys.argv[1] / "bin").resolve()
    command, block, n_blocks, bad = None, None, 0, []
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        if line.startswith("```"):
            if block is not None and command is not None and language == "mlir":
                n_blocks += 1
                bad += missing_lines(block, output_of(bin_dir, command))
            block, language = ([], line[3:]) if block is None else (None, "")
        elif block is not None:
            block.append((number, line))
        else:
            command = command_in(line) or command
    for number, line in bad:
        print(f"docs/walkthrough.md:{number}: is not printed (any more): {line.strip()}")
    if n_blocks == 0:
        sys.exit("no block was checked")
    sys.exit(1 if bad else 0)


main()
