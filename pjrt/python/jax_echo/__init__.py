# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX on Echo: `JAX_PLATFORMS=echo python train.py`.

JAX finds this module by its entry point and calls initialize(). Options come from the environment,
ECHO_OPTIONS="budget=min,report=step.html", or from a function's own compiler_options,
jax.jit(f, compiler_options={"echo_budget": "2GB"}).
"""

import pathlib

LIBRARY = pathlib.Path(__file__).with_name("libpjrt_echo.so")


def initialize():
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir

    xla_bridge.register_plugin("echo", priority=100, library_path=str(LIBRARY), options=None)
    # JAX drops donated arguments on platforms that it does not know to take them.
    platforms = getattr(mlir, "_platforms_with_donation", None)
    if platforms is not None and "echo" not in platforms:
        platforms.append("echo")
