# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model's StableHLO text as JAX lowers it, its arguments and its results: MODEL.mlir, .in.npz, .out.npz."""

import argparse
import pathlib

import jax
import numpy as np

import models_jax


def arrays(prefix, tree):
    return {f"{prefix}{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(tree))}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=models_jax.MODELS)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--checkpointed", action="store_true", help="with jax.checkpoint")
    parser.add_argument("--small", action="store_true", help="sizes for tests")
    parser.add_argument("--locations", action="store_true", help="with source locations")
    parser.add_argument("--steps", type=int, default=1, help="results are those after so many steps")
    options = parser.parse_args()
    sizes = models_jax.SMALL[options.model] if options.small else {}
    step = models_jax.MODELS[options.model](checkpointed=options.checkpointed, **sizes)
    lowered = jax.jit(step.function, donate_argnums=step.donated, keep_unused=True).lower(*step.arguments)
    name = options.model + ("_checkpointed" if options.checkpointed else "") + ("_small" if options.small else "")
    options.directory.mkdir(parents=True, exist_ok=True)
    (options.directory / f"{name}.mlir").write_text(lowered.as_text(debug_info=options.locations))
    np.savez(options.directory / f"{name}.in.npz", **arrays("arg", step.arguments))
    run = jax.jit(step.function)
    arguments = step.arguments
    for _ in range(options.steps):
        results = run(*arguments)
        arguments = (*results[1:], *arguments[len(step.donated) :])
    np.savez(options.directory / f"{name}.out.npz", **arrays("res", results))


if __name__ == "__main__":
    main()
