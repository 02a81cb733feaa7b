# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that were exported for JAX's CPU back end, called on Echo: it runs what is lowered for a CPU, LAPACK among it."""

import dataclasses


def install(rules):
    """Beside the other ways that the platform "echo" has of its own to lower primitives."""
    from jax._src.export import _export
    from jax._src.interpreters import mlir

    def call(ctx, *values, exported):
        if "cpu" in exported.platforms and "echo" not in exported.platforms:
            exported = dataclasses.replace(exported, platforms=tuple("echo" if name == "cpu" else name for name in exported.platforms))
        return _export._call_exported_lowering(ctx, *values, exported=exported)

    rules[_export.call_exported_p] = mlir.LoweringRuleEntry(call, True)
