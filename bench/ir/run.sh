#!/usr/bin/env bash
# The IR core's speed and memory against mlir-opt-19. Needs Python and mlir-opt-19.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 bench/ir/run.py "$@"
