#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""modules.py BUILD FOLDER...: modules that other projects wrote, beside XLA. Each FOLDER is a checkout (or any folder of .mlir files) whose
files hold StableHLO, CHLO or MHLO, several modules to a file divided by `// -----` as their tests have them. A module that the parser in
jaxlib takes is one that echo-opt is to take; of it each function is run by XLA on a CPU and by echo-run on the same arguments, and
their results are compared. Prints a table of both, and below it each kind of difference with its functions. Needs jax; XLA ends the
process that it finds no way in, so it is asked in one that may end."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DIALECT = re.compile(r"^(?!\s*//).*\b(stablehlo|mhlo|chlo)\.", re.M)
LARGEST = 2e7  # elements of an argument
LIMIT_S = 60


# ---- beside XLA: a process of its own, a line of JSON for each line that asks ----

def draw(kind, rng):
    """An argument of a static tensor type, or None where NumPy has none."""
    import ml_dtypes
    import numpy
    types = {"f32": "f4", "f64": "f8", "f16": "f2", "bf16": ml_dtypes.bfloat16, "i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8",
             "ui8": "u1", "ui16": "u2", "ui32": "u4", "ui64": "u8", "complex<f32>": "c8", "complex<f64>": "c16"}
    element = str(kind.element_type)
    shape = list(kind.shape)
    if element not in types or min(shape, default=0) < 0 or numpy.prod(shape, dtype=float) > LARGEST:
        return None
    if element[0] in "iu":
        return rng.integers(0, 2 if element == "i1" else 4, shape).astype(types[element])
    value = rng.uniform(0.1, 1.5, shape)
    return numpy.asarray(value + 1j * value[::-1] if element.startswith("complex") and shape else value).astype(types[element])


def with_main(module, name, ir):
    """The module, named, with a copy of the function as its only public one; its type."""
    module.operation.attributes["sym_name"] = ir.StringAttr.get("module")
    functions = {ir.StringAttr(op.attributes["sym_name"]).value: op for op in module.body.operations if op.operation.name == "func.func"}
    chosen = functions[name]
    if name != "main":
        if "main" in functions:
            return None
        with ir.InsertionPoint(module.body):
            chosen = functions[name].operation.clone()
        chosen.attributes["sym_name"] = ir.StringAttr.get("main")
        for op in functions.values():
            op.attributes["sym_visibility"] = ir.StringAttr.get("private")
        if "sym_visibility" in chosen.attributes:
            del chosen.attributes["sym_visibility"]
    return ir.FunctionType(ir.TypeAttr(chosen.attributes["function_type"]).value)


def storable(array):
    import numpy
    array = numpy.array(array)
    return array.view("V2") if array.dtype.name == "bfloat16" else array


def run_xla(module, name, into, ir):
    import jax
    import numpy
    from jax._src import compiler
    from jax._src.lib import _jax
    kind = with_main(module, name, ir)
    rng = numpy.random.default_rng(0)
    arguments = None if kind is None else [draw(ir.RankedTensorType(t), rng) for t in kind.inputs]
    if arguments is None or any(a is None for a in arguments):
        return "arguments that NumPy has not, or another main"
    if any(draw(ir.RankedTensorType(t), rng) is None for t in kind.results):
        return "results that NumPy has not"
    device = jax.devices()[0]
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
    program = compiler.backend_compile_and_load(device.client, module, _jax.DeviceList((device,)), options, [])
    results = program.execute([jax.device_put(a, device) for a in arguments])
    numpy.savez(f"{into}.in.npz", **{f"arg{i}": storable(a) for i, a in enumerate(arguments)})
    numpy.savez(f"{into}.out.npz", **{f"res{i}": storable(r) for i, r in enumerate(results)})
    return [len(arguments), len(results)]


def work():
    import jax
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import mhlo
    context = mlir.make_ir_context()
    mhlo.register_mhlo_dialect(context)
    for line in sys.stdin:
        path, name, into = json.loads(line)
        answer = None
        try:
            with context:
                module = ir.Module.parse(pathlib.Path(path).read_text())
                module.operation.verify()
                if name is None:
                    answer = [ir.StringAttr(op.attributes["sym_name"]).value for op in module.body.operations
                              if op.operation.name == "func.func" and len(op.regions[0].blocks) > 0]
                else:
                    answer = run_xla(module, name, into, ir)
        except Exception as error:  # whatever XLA has against it
            answer = str(error).replace("\n", " ")
        print(json.dumps(answer), flush=True)


class Xla:
    """Asks a worker, which is another one after the last ended."""
    def __init__(self):
        self.process = None

    def ask(self, path, name=None, into=None):
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, __file__, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        self.process.stdin.write(json.dumps([str(path), name, str(into)]) + "\n")
        self.process.stdin.flush()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(self.process.stdout.readline)
            try:
                line = answer.result(timeout=LIMIT_S)
            except concurrent.futures.TimeoutError:
                self.process.kill()
                line = ""
        if line == "":
            self.process.kill()
            self.process.wait()
            self.process = None
            return "XLA ended the process, or took too long"
        return json.loads(line)


# ---- beside Echo ----

def split(folders, into):
    """The modules of all files, each once however it is spaced and commented: (project, file), by where it is written."""
    found, seen = {}, set()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*.mlir") if p.is_file()):
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            for part in re.split(r"^// ?-----+.*$", text, flags=re.M):
                key = hashlib.sha1(re.sub(r"\s+", " ", re.sub(r"//.*", "", part)).encode()).hexdigest()
                if key in seen or not DIALECT.search(part):
                    continue
                seen.add(key)
                at = into / f"{len(found)}.mlir"
                at.write_text(part)
                found[at] = (folder.name, str(path.relative_to(folder)))
    return found


def run(command):
    """Exit status and what was said first; the status of what a signal ended, or took too long, is below zero."""
    try:
        done = subprocess.run([str(c) for c in command], check=False, capture_output=True, text=True, timeout=LIMIT_S, errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "took too long"
    lines = [line for line in (done.stderr + done.stdout).split("\n") if "error:" in line or "DIFFERENT" in line]
    return done.returncode, lines[0] if lines else ""


def kind_of(message):
    """The message without its place and its numbers."""
    return re.sub(r"\b[0-9][0-9.e+-]*", "N", re.sub(r"^\S+:\d+:\d+: |^echo-\w+: ", "", message))[:150]


def compare(build, at, name, sizes, into):
    feeds = [f"--inputs={into}.in.npz"] if sizes[0] else []
    checks = [f"--expect={into}.out.npz"] if sizes[1] else []
    return run([build / "bin/echo-run", at, f"--entry={name}", "--quiet", "--no-cache", "--threads=1", *feeds, *checks])


def main():
    if sys.argv[1:] == ["--worker"]:
        return work()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    counts, kinds, xla = collections.Counter(), collections.defaultdict(list), Xla()
    with tempfile.TemporaryDirectory() as scratch:
        modules = split(options.folders, pathlib.Path(scratch))
        for number, (at, (project, path)) in enumerate(modules.items()):
            if sys.stderr.isatty():
                print(f"\r{number} of {len(modules)}", end="", file=sys.stderr)
            counts[project, "modules"] += 1
            functions = xla.ask(at)
            if isinstance(functions, str):
                continue
            counts[project, "taken by jaxlib"] += 1
            status, said = run([options.build / "bin/echo-opt", at, "-o", os.devnull])
            if status != 0:
                kinds["not read: " + kind_of(said)].append(path)
                continue
            counts[project, "by Echo"] += 1
            for name in functions:
                into = at.with_suffix(".values")
                sizes = xla.ask(at, name, into)
                if isinstance(sizes, str):
                    continue
                counts[project, "functions run by XLA"] += 1
                status, said = compare(options.build, at, name, sizes, into)
                counts[project, "equal"] += status == 0
                if status != 0:
                    kinds[("" if status == 1 else f"exit status {status}: ") + kind_of(said)].append(f"{path} @{name}")
    columns = ["modules", "taken by jaxlib", "by Echo", "functions run by XLA", "equal"]
    print("| project | " + " | ".join(columns) + " |\n| --- |" + " --: |" * len(columns))
    for project in dict.fromkeys(folder.name for folder in options.folders):
        print(f"| {project} | " + " | ".join(f"{counts[project, column]:,}" for column in columns) + " |")
    for kind, places in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(places)}: {kind}\n   " + "\n   ".join(places[:3]))


if __name__ == "__main__":
    main()
