#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX_PLATFORMS=echo,cpu beside.py SCRIPT [ARGUMENT...]: runs a script that nobody changed, and each program that it compiles for Echo once more on XLA's
CPU with the same arguments. Names what differs by more than rounding, what holds a third more temporaries than XLA (and 4 KB), and what XLA
refuses. With BESIDE=FOLDER the module, its arguments and XLA's results go there, as echo-run takes them. Left out: programs with effects, callbacks or
mutable arrays. What XLA's own results differ by as much where each argument is moved by its last
place is counted as sensitive, not named. A module that Echo refuses goes to BESIDE, too."""
import atexit
import hashlib
import os
import pathlib
import runpy
import sys

import jax
import numpy as np
from jax._src import compiler
from jax._src.interpreters import pxla
from jax._src.lib import _jax

OUT = os.environ.get("BESIDE")
counts = {"programs": 0, "compared": 0, "different": 0, "sensitive": 0, "more memory": 0}
modules, seen = {}, set()
compile_as_ever, call_as_ever = compiler.compile_or_get_cached, pxla.ExecuteReplicated.__call__


def compile_and_note(backend, module, *rest, **options):
    text = str(module) if backend.platform == "echo" else None
    try:
        program = compile_as_ever(backend, module, *rest, **options)
    except Exception as error:
        if text is not None:
            print("REFUSED", str(error)[:200].replace("\n", " "), keep(text, [], []), flush=True)
        raise
    if text is not None:
        counts["programs"] += 1
        modules[id(program)] = (program, module, text)
    return program


def host(array):
    is_key = jax.dtypes.issubdtype(getattr(array, "dtype", np.dtype("f4")), jax.dtypes.prng_key)
    return np.array(jax.random.key_data(array) if is_key else array)


def distance(want, got):
    """Of the norm, and whether that is more than rounding; of whole numbers, how many are others."""
    if want.shape != got.shape or want.dtype != got.dtype:
        return float("inf"), True
    tolerance = {"bfloat16": 2e-2, "float16": 2e-2, "float32": 2e-4, "complex64": 2e-4, "float64": 1e-10, "complex128": 1e-10}.get(want.dtype.name)
    if tolerance is None:
        other = float(np.mean(want != got)) if want.size else 0.0
        return other, other > 0.002
    if want.dtype.itemsize == 2:
        want, got = want.astype("f4"), got.astype("f4")
    finite = np.isfinite(want)
    if not np.array_equal(finite, np.isfinite(got)):
        return float("inf"), True
    far = float(np.linalg.norm(want[finite] - got[finite]) / (np.linalg.norm(want[finite]) or 1))
    return far, far > tolerance


def keep(text, arguments, results):
    if OUT is None:
        return ""
    at = pathlib.Path(OUT) / hashlib.sha1(text.encode()).hexdigest()[:8]
    at.with_suffix(".mlir").write_text(text)
    for ending, name, arrays in ((".in.npz", "arg", arguments), (".out.npz", "res", results)):
        np.savez(at.with_suffix(ending), **{f"{name}{i}": a.view("V2") if a.dtype.name == "bfloat16" else a for i, a in enumerate(arrays)})
    return str(at)


def moved(array, rng):
    if array.dtype.kind != "f" or array.dtype.itemsize < 4:
        return array
    return np.asarray(array * (1 + rng.choice([-1, 1], array.shape) * np.finfo(array.dtype).eps), array.dtype)


def sensitivity(program, device, arguments, want):
    """How far XLA's results go, each as a part of its norm, where the arguments are others in their last place: the most of three times."""
    rng, far = np.random.default_rng(0), np.zeros(len(want))
    for _ in range(3):
        got = program.execute([jax.device_put(moved(a, rng), device) for a in arguments])
        far = np.maximum(far, [distance(a, host(b))[0] for a, b in zip(want, got, strict=True)])
    return far


def compare(name, noted, arguments, outputs):
    program, module, text = noted
    device = jax.devices("cpu")[0]
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
    other = compiler.backend_compile_and_load(device.client, module, _jax.DeviceList((device,)), options, [])
    want = [host(r) for r in other.execute([jax.device_put(a, device) for a in arguments])]
    counts["compared"] += 1
    ours, theirs = (p.get_compiled_memory_stats().temp_size_in_bytes for p in (program, other))
    if ours > theirs * 4 / 3 + 4096:
        counts["more memory"] += 1
        print(f"MEMORY {name}: {ours:,} bytes, XLA {theirs:,}", keep(text, arguments, want), flush=True)
    far = [(i, d) for i, (a, b) in enumerate(zip(want, outputs, strict=True)) for d, is_far in [distance(a, host(b))] if is_far]
    if far:
        own = sensitivity(other, device, arguments, want)
        if all(d < 20 * own[i] for i, d in far):  # sums in another order move more than one place
            counts["sensitive"] += 1
            return
        counts["different"] += 1
        print(f"DIFFERENT {name}:", ", ".join(f"result {i} by {d:.2g}" for i, d in far[:4]), keep(text, arguments, want), flush=True)


def call_and_compare(self, *arguments):
    key = id(self.xla_executable)
    is_plain = not (self.ordered_effects or self.has_unordered_effects or self.has_host_callbacks or self.mut is not None)
    if key in seen or key not in modules or not is_plain:
        return call_as_ever(self, *arguments)
    seen.add(key)
    values = [host(a) for i, a in enumerate(arguments) if i in self.kept_var_idx]  # before they are donated
    outputs = call_as_ever(self, *arguments)
    try:
        compare(self.name, modules[key], values, outputs)
    except Exception as error:  # whatever XLA has against it
        print(f"NOT COMPARED {self.name}: {str(error)[:200]}", flush=True)
    return outputs


if __name__ == "__main__":
    compiler.compile_or_get_cached = compile_and_note
    pxla.ExecuteReplicated.__call__ = call_and_compare
    atexit.register(lambda: print("BESIDE", counts, flush=True))
    sys.argv = sys.argv[1:]
    sys.path.insert(0, str(pathlib.Path(sys.argv[0]).resolve().parent))
    runpy.run_path(sys.argv[0], run_name="__main__")
