#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The IR core's speed and memory against mlir-opt-19. Needs Python and mlir-opt-19.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 bench/ir/run.py "$@"
