# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX on Echo: `JAX_PLATFORMS=echo python train.py`.

JAX finds this module by its entry point and calls initialize(). Options come from the environment,
ECHO_OPTIONS="budget=min,report=step.html", or from a function's own compiler_options,
jax.jit(f, compiler_options={"echo_budget": "2GB"}).
"""

import pathlib

from jax_echo import cache, callbacks, exporting, handlers, partitioning, sharing

LIBRARY = pathlib.Path(__file__).with_name("libpjrt_echo.so")


def initialize():
    from jax._src import core, xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    xla_bridge.register_plugin("echo", priority=100, library_path=str(LIBRARY), options=cache.options)
    callbacks.install(LIBRARY)
    handlers.install(LIBRARY)
    sharing.install()
    cache.install()
    # JAX drops donated arguments on platforms that it does not know to take them.
    platforms = getattr(mlir, "_platforms_with_donation", None)
    if platforms is not None and "echo" not in platforms:
        platforms.append("echo")
    # Linear algebra is written as calls of LAPACK for the CPU, and in ways of their own for others.
    # Echo calls LAPACK, too; what StableHLO has an op for (cholesky, triangular_solve) stays one.
    lowerings = getattr(mlir, "_platform_specific_lowerings", {})
    if "cpu" not in lowerings:
        return
    rules = lowerings["echo"] = _Rules(lowerings.get("echo", {}), lowerings["cpu"], mlir._lowerings)
    partitioning.install(rules)
    exporting.install(rules)
    own = {id(value) for value in vars(linalg).values() if isinstance(value, core.Primitive)}
    for primitive, rule in list(lowerings["cpu"].items()):
        if id(primitive) in own and primitive.name not in ("cholesky", "triangular_solve"):
            rules.setdefault(primitive, rule)


class _Rules(dict):
    """How primitives are lowered for "echo". What JAX lowers for its CPU and has no general way for (checks, sparse
    matrices) is lowered as there, whenever the module that says how is imported."""

    def __init__(self, own, cpu, general):
        super().__init__(own)
        self._cpu, self._general = cpu, general

    def __contains__(self, primitive):
        return super().__contains__(primitive) or (primitive not in self._general and primitive in self._cpu)

    def __missing__(self, primitive):
        if primitive in self:
            return self._cpu[primitive]
        raise KeyError(primitive)
