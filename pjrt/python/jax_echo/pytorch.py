# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch/XLA on Echo: `PJRT_DEVICE=ECHO python train.py`.

torch_xla finds the class by its entry point when it is imported. Options come from the environment as they do for JAX,
ECHO_OPTIONS="budget=min,report=step.html".
"""

import os
import pathlib

from torch_xla.experimental import plugins

LIBRARY = pathlib.Path(__file__).with_name("libpjrt_echo.so")


class EchoPlugin(plugins.DevicePlugin):
    """One device of one process."""

    def library_path(self):
        # torch_xla asks for it when it makes its client, before it compiles anything. It hands programs over in XLA's own
        # serialized form, which has no published versions, unless it is told to write StableHLO.
        os.environ["XLA_STABLEHLO_COMPILE"] = "1"
        return str(LIBRARY)

    def configure_single_process(self):
        """Nothing to do: there is one process."""
