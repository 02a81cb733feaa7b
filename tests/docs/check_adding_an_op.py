#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/adding_an_op.md adds an op: its blocks go into copies of the files that they name, what includes one of these is
compiled anew, and the tests that walk the rows, the finite differences, the CPU against the interpreter and PTX must
hold. Nothing of the build is touched."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/adding_an_op.md"
PLACE = re.compile(r"^In `([^`]+)`, (?:above `([^`]+)`|at the end):$")
OPS = ["stablehlo.reciprocal", "stablehlo.softsign"]
MODULE = """func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.reciprocal %a : tensor<64xf32>
  %1 = stablehlo.softsign %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}
"""
WRONG = '%0 = "test.x"() : () -> tensor<4xi32>\n%1 = "stablehlo.reciprocal"(%0) : (tensor<4xi32>) -> tensor<4xi32>\n'


def fail(message):
    sys.exit(f"docs/adding_an_op.md: {message}")


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def blocks():
    """(file, text before which it goes or None, block) of the page."""
    lines = iter(PAGE.read_text().splitlines())
    for line in lines:
        place = PLACE.match(line)
        if not place:
            continue
        if next(lines) != "" or not next(lines).startswith("```"):
            fail(f"no block follows: {line}")
        block = []
        for inside in lines:
            if inside == "```":
                break
            block.append(inside + "\n")
        yield place[1], place[2], "".join(block)


def add_blocks(copy):
    """Writes the files that the page changes below `copy`; returns their names."""
    changed = []
    for name, above, block in blocks():
        target = copy / name
        if name not in changed:
            changed.append(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
        text = target.read_text()
        if above is None:
            text += block
        elif text.count(above + "\n") == 1:
            text = text.replace(above + "\n", block + above + "\n")
        else:
            fail(f"{name} does not hold this line once: {above}")
        target.write_text(text)
    return changed


class Build:
    """The objects of a build directory, compiled anew where they depend on what changed."""

    def __init__(self, directory, copy, changed):
        self.directory, self.copy = directory, copy
        commands = json.loads((directory / "compile_commands.json").read_text())
        self.commands = {re.search(r" -o (\S+)", entry["command"])[1]: entry for entry in commands}
        self.changed = {ROOT / name for name in changed}
        self.dependent = self.find_dependent()

    def find_dependent(self):
        found, output = set(), None
        for line in run(["ninja", "-C", self.directory, "-t", "deps"]).splitlines():
            if line.startswith(" "):
                path = pathlib.Path(os.path.normpath(self.directory / line.strip()))
                if path in self.changed:
                    found.add(output)
            elif line:
                output = line.split(":")[0]
        return {output for output in found if output in self.commands}

    def compile(self, output):
        """Without optimisation, the copies' folder before the sources'."""
        entry = self.commands[output]
        words = shlex.split(entry["command"])
        target = self.copy / "objects" / output.replace("/", "_")
        source = words[words.index("-c") + 1]
        if pathlib.Path(source) in self.changed:
            source = str(self.copy / pathlib.Path(source).relative_to(ROOT))
        keep, skip = [], False
        for word in words[: words.index("-c")]:
            if skip or word in ("-MD", "-Werror", "-O2", "-O3", "-g"):
                skip = False
            elif word in ("-MT", "-MF", "-o"):
                skip = True
            elif word.startswith("-DECHO_SOURCE_DIR="):
                keep.append(f'-DECHO_SOURCE_DIR="{self.copy}"')
            else:
                keep.append(word)
        first = next(i for i, word in enumerate(keep) if word.startswith("-I"))
        keep.insert(first, f"-I{self.copy}")
        run([*keep, "-O0", "-o", str(target), "-c", source], cwd=entry["directory"])
        return str(target)

    def compile_all(self, outputs):
        (self.copy / "objects").mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(outputs, pool.map(self.compile, outputs)))

    def path_of(self, name):
        listing = run(["ninja", "-C", self.directory, "-t", "targets", "all"]).splitlines()
        return next(line.split(":")[0] for line in listing if line.split(":")[0].endswith(f"/{name}"))

    def link_command(self, target):
        lines = run(["ninja", "-C", self.directory, "-t", "commands", target]).splitlines()
        words = shlex.split(lines[-1])
        return words[words.index("&&") + 1 : len(words) - words[::-1].index("&&") - 1]

    def link(self, target, like, objects, library):
        """`target` with `objects` for its own and the new library objects before the libraries that `like` links."""
        words = self.link_command(like)
        own = {word for word in words if word.endswith(".o")}
        program = self.copy / pathlib.Path(target).name
        words[words.index("-o") + 1] = str(program)
        at = next(i for i, word in enumerate(words) if word in own)
        words = [word for word in words if word not in own]
        words[at:at] = [*objects, *library]
        run(words, cwd=self.directory)
        return program


def objects_of(build, target):
    return [word for word in build.link_command(target) if word.endswith(".o")]


def make_programs(build):
    """echo-opt and echo-translate of static libraries, and the tests, all with the new rows."""
    tests = ["elementwise_rows_test", "rows_test", "gradient_test", "op_matrix_test"]
    targets = {name: build.path_of(name) for name in tests}
    own = {name: objects_of(build, target) for name, target in targets.items()}
    for tool in ("echo-opt", "echo-translate"):
        own[tool] = objects_of(build, f"bin/{tool}")
    library = [output for output in build.dependent if output.startswith("CMakeFiles/echo_")]
    sources = {output for name in tests for output in own[name]}
    wanted = sorted({*library, *sources, *(o for t in own.values() for o in t if o in build.dependent)})
    new = build.compile_all(wanted)
    library = [new[output] for output in sorted(library)]
    like = targets["op_matrix_test"]
    return {
        name: build.link(name, targets.get(name, like), [new.get(o, o) for o in objects], library)
        for name, objects in own.items()
    }


def check(copy, programs):
    run([programs["elementwise_rows_test"]])
    run([programs["rows_test"]])
    run([programs["gradient_test"]])
    matrix = programs["op_matrix_test"]
    run([matrix], env={**os.environ, "CK_RUN_CASE": "covered"})
    for op in OPS:
        run([matrix], env={**os.environ, "CK_RUN_CASE": "cpu", "ECHO_MATRIX_OP": op})
    golden = copy / "tests/golden/stablehlo/elementwise.mlir"
    file_check = run(["llvm-config-19", "--prefix"]).strip() + "/bin/FileCheck"
    run([file_check, golden, "--strict-whitespace"], input=run([programs["echo-opt"], golden]))
    wrong = subprocess.run(
        [programs["echo-opt"], "--allow-unregistered-dialect"], input=WRONG, capture_output=True, text=True
    )
    if wrong.returncode != 1 or "operand #0 must be tensor of floats" not in wrong.stderr:
        fail(f"reciprocal of integers is not refused: {wrong.stderr}")
    ptx = run([programs["echo-translate"], "-", "--emit=ptx", "--target=sm_80"], input=MODULE)
    if ".visible .entry" not in ptx or "div.rn.ftz.f32" not in ptx:
        fail(f"no PTX of the ops:\n{ptx}")


def main():
    directory = (ROOT / sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for name in ("builtin", "func", "stablehlo", "chlo", "sdy"):
            shutil.copytree(ROOT / "tests/golden" / name, copy / "tests/golden" / name)
        shutil.copytree(ROOT / "tests/grad", copy / "tests/grad")
        changed = add_blocks(copy)
        programs = make_programs(Build(directory, copy, changed))
        check(copy, programs)


main()
