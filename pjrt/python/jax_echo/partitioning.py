# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax.experimental.custom_partitioning on Echo: the function itself, which Echo partitions as everything else.

JAX writes a call that XLA's partitioner takes apart by calling back into Python, with the shardings that it has found; the PJRT C API
has no place for that. What the function computes is the same.
"""


def _lower(ctx, *values, call, **others):
    from jax._src import core
    from jax._src.interpreters import mlir

    return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *values)


def install(rules):
    """Beside the other ways that the platform "echo" has of its own to lower primitives."""
    from jax._src import custom_partitioning
    from jax._src.interpreters import mlir

    rules[custom_partitioning.custom_partitioning_p] = mlir.LoweringRuleEntry(_lower, True)
