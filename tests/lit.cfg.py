# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden tests: text in, text out. Tools come from ECHO_BUILD_DIR/bin, FileCheck and mlir-opt from LLVM 19."""

import os
import shutil
import subprocess

import lit.formats
import lit.util

root = os.path.dirname(os.path.abspath(__file__))
build = os.environ.get("ECHO_BUILD_DIR", os.path.join(os.path.dirname(root), "build"))
llvm_bin = subprocess.check_output(["llvm-config-19", "--bindir"], text=True).strip()

config.name = "Echo"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "fuzz", "laws", "grad", "mpi", "Inputs"]
config.test_source_root = root
config.test_exec_root = os.path.join(build, "tests", "lit")

path = [os.path.join(build, "bin"), config.environment["PATH"], llvm_bin]
config.environment["PATH"] = os.pathsep.join(path)
for name, value in os.environ.items():
    if name.endswith("SAN_OPTIONS") or name.startswith("ECHO_"):
        config.environment[name] = value
config.environment["LC_ALL"] = "C"
# The CUDA driver is the emulated one, for whoever asks for a GPU.
config.environment["LD_LIBRARY_PATH"] = os.path.join(build, "gpu")

config.substitutions.append(("%build", build))
config.substitutions.append(("%root", os.path.dirname(root)))

# What a test may ask for with REQUIRES; without it the test is skipped, and the line says which was missing.
for program in ("ptxas", "mlir-opt-19", "mlir-translate-19", "lli-19", "clang-19"):
    if shutil.which(program):
        config.available_features.add(program)
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if "asan" in os.path.basename(build):
    config.available_features.add("asan")
