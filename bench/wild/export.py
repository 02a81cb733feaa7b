# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""export.py NAME SIZE FOLDER: one step of steps.py as JAX lowers it (step.mlir), its arguments and results (in.npz, out.npz), by how much
each result may differ (allowed.npz), and what XLA says of it on this machine (xla.json): bytes of temporaries and milliseconds a step, as it is and with `jax.checkpoint` around the
loss (contractions kept). Nothing is written where any of it fails.

export.py NAME SIZE FOLDER --plan: step.mlir alone, and in xla.json the bytes of temporaries; nothing is run.
export.py NAME SIZE FOLDER --arguments: step.mlir and in.npz, for exported.py; nothing is compiled."""
import json
import pathlib
import statistics
import sys
import time

import jax
import numpy

import checkouts  # which adds to steps.STEPS
import steps

REPEATS = 5
ROUNDING = {"bf16": 2 ** -8, "f16": 2 ** -11, "f32": 2 ** -22}  # of the narrowest float type in a step, f32 generously
SAFETY = 10  # rounding happens at every op, not at the arguments alone


def checkpointed(loss):
    return jax.checkpoint(loss, policy=jax.checkpoint_policies.dots_saveable)


def measure(step, arguments, donated):
    """Temporaries in bytes of the step as it would be run, and its median milliseconds, with no argument given away."""
    compiled = jax.jit(step, donate_argnums=donated, keep_unused=True).lower(*arguments).compile()
    run = jax.jit(step).lower(*arguments).compile()
    jax.block_until_ready(run(*arguments))
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        jax.block_until_ready(run(*arguments))
        times.append(1e3 * (time.perf_counter() - start))
    return compiled.memory_analysis().temp_size_in_bytes, statistics.median(times)


def leaves(tree):
    """Of types that an .npz can hold: bf16 widened, keys as the words they are lowered to."""
    found = [jax.numpy.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    found = [numpy.asarray(jax.random.key_data(leaf) if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf) for leaf in found]
    return [leaf.astype(numpy.float32) if leaf.dtype.name == "bfloat16" else leaf for leaf in found]


def perturbed(tree, relative):
    """Floats, each changed by about so much."""
    noise = numpy.random.default_rng(7)
    def change(leaf):
        leaf = jax.numpy.asarray(leaf)
        if not jax.numpy.issubdtype(leaf.dtype, jax.numpy.floating):
            return leaf
        return (leaf * (1 + relative * noise.standard_normal(leaf.shape))).astype(leaf.dtype)
    return jax.tree.map(change, tree)


def allowed_differences(run, arguments, results, rounding):
    """How far a result may be from JAX's: what rounding may do to it. A step of Adam moves a weight whose gradient is zero but for
    rounding by its whole learning rate, so one tolerance for all would be either loose or wrong."""
    others = [leaves(run(*perturbed(arguments, relative))) for relative in (-rounding, rounding)]
    found = []
    for i, result in enumerate(results):
        wide, scale = result.astype(numpy.float64), numpy.abs(result.astype(numpy.float64))
        moved = max(float(numpy.nanmax(numpy.abs(other[i].astype(numpy.float64) - wide), initial=0)) for other in others)
        found.append(numpy.float64(SAFETY * moved + 1e-5 * float(numpy.nanmax(scale, initial=0)) + 1e-7))
    return found


def main():
    name, size, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    try:
        step, arguments, donated = steps.STEPS[name](size, lambda loss: loss)
    except ModuleNotFoundError as missing:
        sys.exit(f"this Python has no package '{missing.name}': pip install -r bench/wild/requirements.txt")
    lowered = jax.jit(step, donate_argnums=donated, keep_unused=True).lower(*arguments)
    text = lowered.as_text()
    given = {f"arg{i}": leaf for i, leaf in enumerate(leaves(arguments))}
    if "--arguments" in sys.argv:
        folder.mkdir(parents=True, exist_ok=True)
        numpy.savez(folder / "in.npz", **given)
        (folder / "step.mlir").write_text(text)
        return
    if "--plan" in sys.argv:
        facts = {"temp_bytes": lowered.compile().memory_analysis().temp_size_in_bytes}
        (folder / "xla.json").write_text(json.dumps(facts))
        (folder / "step.mlir").write_text(text)
        return
    run = jax.jit(step)
    results = leaves(run(*arguments))
    rounding = next((value for kind, value in ROUNDING.items() if f"x{kind}>" in text), ROUNDING["f32"])
    allowed = allowed_differences(run, arguments, results, rounding)
    facts = dict(zip(("temp_bytes", "ms"), measure(step, arguments, donated)))
    other, arguments_again, _ = steps.STEPS[name](size, checkpointed)
    facts |= dict(zip(("checkpoint_temp_bytes", "checkpoint_ms"), measure(other, arguments_again, donated)))
    numpy.savez(folder / "in.npz", **given)
    numpy.savez(folder / "out.npz", **{f"res{i}": leaf for i, leaf in enumerate(results)})
    numpy.savez(folder / "allowed.npz", **{f"res{i}": bound for i, bound in enumerate(allowed)})
    (folder / "xla.json").write_text(json.dumps(facts))
    (folder / "step.mlir").write_text(text)


if __name__ == "__main__":
    main()
