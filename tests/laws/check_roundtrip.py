# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Law 1: print, parse, print again gives the same bytes, and mlir-opt-19 gives the generic form back unchanged.

usage: check_roundtrip.py BUILD-DIRECTORY

Every golden file is an input, and every stage of two training steps, on the GPU path too; those files are excepted whose point
is to be rejected. A file that says "// upstream: REASON" uses what
LLVM 19 does not know, and is not shown to mlir-opt.
"""

import pathlib
import subprocess
import sys
import tempfile

import golden

build = pathlib.Path(sys.argv[1]).resolve()
FLAGS = ["--split-input-file", "--allow-unregistered-dialect"]
GENERIC = "--mlir-print-op-generic"


def run(tool, flags, text):
    return subprocess.run(
        [tool, *FLAGS, *flags, "-"], input=text, capture_output=True, env=golden.environment(build), timeout=120
    )


def differing_line(a, b):
    pairs = zip(a.splitlines() + [b"(end)"], b.splitlines() + [b"(end)"])
    return next((f"\n  {x[:200]!r}\n  {y[:200]!r}" for x, y in pairs if x != y), "")


def check(path):
    text = path.read_bytes()
    if b"expected-error" in text or b"not echo-opt" in text:
        return ""
    for flags in ([], [GENERIC]):
        first = run("echo-opt", flags, text)
        if first.returncode != 0:
            return f"{path}: rejected: {first.stderr[:300].decode(errors='replace')}"
        second = run("echo-opt", flags, first.stdout)
        if second.returncode != 0:
            return f"{path}: what was printed is rejected: {second.stderr[:300].decode(errors='replace')}"
        if second.stdout != first.stdout:
            return f"{path}: {flags}: printed again it differs" + differing_line(first.stdout, second.stdout)
    if b"// upstream:" in text:
        return ""
    upstream = run("mlir-opt-19", [GENERIC], first.stdout)
    if upstream.returncode != 0:
        return f"{path}: mlir-opt rejects it: {upstream.stderr[:300].decode(errors='replace')}"
    if upstream.stdout != first.stdout:
        return f"{path}: mlir-opt prints it differently" + differing_line(first.stdout, upstream.stdout)
    return ""


def stage_files(folder):
    """The models of golden.py at every stage."""
    for name, model in golden.models(build, folder).items():
        for stage, options in [*((stage, []) for stage in golden.STAGES), ("loops", ["--target=sm_80"])]:
            path = pathlib.Path(folder) / f"{name}-{stage}{len(options)}.mlir"
            command = ["echo-opt", str(model), f"--to={stage}", "--echo=budget=min", *options, "-o", str(path)]
            subprocess.run(command, env=golden.environment(build), check=True)
            yield path


with tempfile.TemporaryDirectory() as scratch:
    golden.run_all(check, [*golden.files(), *stage_files(scratch)])
