#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""back_compat.py BUILD: programs that JAX keeps so that what it exported once can be read for ever (export_back_compat_test_data, which its wheel
ships): for CPUs, GPUs and TPUs, as text and as bytecode, with arguments and results. echo-run runs each and compares. Vectors that are one of many
(of symmetric matrices, singular values, Schur's) are compared by the matrix that they make, of other eigenvectors the values alone. Prints a line for each that is not as JAX's. Needs jax."""
import argparse
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys
import tempfile

import jax._src.internal_test_util.export_back_compat_test_data as data
import numpy


def programs(value, seen):
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict) and "mlir_module_text" in value:
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from programs(inner, seen)


def adjoint(x):
    return numpy.conj(numpy.swapaxes(x, -1, -2))


def singular(results):
    u, s, vt = results[:3]
    return [s, (u[..., :s.shape[-1]] * s[..., None, :]) @ vt[..., :s.shape[-1], :]]


def symmetric(results):
    vectors, values = results[:2]
    return [values, (vectors * values[..., None, :]) @ adjoint(vectors)]


def schur(results):
    return [results[1] @ results[0] @ adjoint(results[1])]


def eigen(results):
    """Of values that are zero but for rounding, any vectors are some."""
    return [numpy.sort(numpy.abs(results[0]), -1)]


MATRICES = [("svd", singular), ("eigh", symmetric), ("Eigh", symmetric), ("schur", schur), ("eig_", eigen)]


def read(path):
    """Results in order, complex ones as such."""
    with numpy.load(path) as file:
        found = [file[name] for name in sorted(file.files, key=lambda name: int(name[3:]))]
    return found


def as_complex(found, wanted):
    return [numpy.ascontiguousarray(x).view(w.dtype)[..., 0] if numpy.iscomplexobj(w) and not numpy.iscomplexobj(x) else x for x, w in zip(found, wanted)]


def outcome(build, program, name, folder, suffix):
    """Empty: as JAX's."""
    module, arguments, results = folder / f"module.{suffix}", folder / "in.npz", folder / "out.npz"
    module.write_bytes(program["mlir_module_text"].encode() if suffix == "mlir" else program["mlir_module_serialized"])
    numpy.savez(arguments, **{f"arg{i}": numpy.asarray(x) for i, x in enumerate(program["inputs"])})
    wanted = [numpy.asarray(x) for x in program["expected_outputs"]]
    numpy.savez(folder / "wanted.npz", **{f"res{i}": x for i, x in enumerate(wanted)})
    makes = next((make for part, make in MATRICES if part in name), None)
    options = [f"--outputs={results}"] if makes else [f"--expect={folder / 'wanted.npz'}"]
    run = subprocess.run([build / "bin/echo-run", module, f"--inputs={arguments}", *options], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        said = re.search(r"error: (.*)|(res\d.*DIFFERENT.*)", run.stderr + run.stdout)
        return said[0] if said else f"exit status {run.returncode}"
    if not makes or len(wanted) < 2:
        return ""
    worst = max(numpy.abs(x - y).max() / numpy.abs(y).max() for x, y in zip(makes(as_complex(read(results), wanted)), makes(wanted)))
    return "" if worst < (2e-3 if "tpu" in name else 1e-4) else f"vectors make another matrix, by {worst:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    build, seen, n, n_failed = parser.parse_args().build, set(), 0, 0
    for module in pkgutil.iter_modules(data.__path__):
        if module.ispkg:
            continue
        found = vars(importlib.import_module(f"{data.__name__}.{module.name}"))
        for number, program in enumerate(p for name, value in found.items() if not name.startswith("__") for p in programs(value, seen)):
            for suffix in "mlir", "mlirbc":
                with tempfile.TemporaryDirectory() as folder:
                    said = outcome(build, program, module.name, pathlib.Path(folder), suffix)
                n, n_failed = n + 1, n_failed + bool(said)
                if said:
                    print(f"{module.name} {number}, {suffix}: {said}", flush=True)
    print(f"{n} programs, {n - n_failed} as JAX's")


if __name__ == "__main__":
    main()
