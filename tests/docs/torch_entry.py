# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What torch_xla does to find plug-ins, with a module in its place, for its own wheels take gigabytes: prints the name, whether the
library is there, and how programs are to be handed over. bench/pytorch/run.py trains with torch_xla itself."""

import importlib.metadata
import os
import sys
import types

torch_xla, plugins = types.ModuleType("torch_xla.experimental"), types.ModuleType("torch_xla.experimental.plugins")
plugins.DevicePlugin, torch_xla.plugins = object, plugins
sys.modules.update({"torch_xla": types.ModuleType("torch_xla"), "torch_xla.experimental": torch_xla, "torch_xla.experimental.plugins": plugins})
for entry in importlib.metadata.entry_points(group="torch_xla.plugins"):
    print(entry.name, os.path.exists(entry.load()().library_path()), os.environ["XLA_STABLEHLO_COMPILE"])
