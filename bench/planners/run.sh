#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every planner on every network: bench/planners/run.sh [options of run.py]. Needs the programs in build/bin, or in
# $ECHO_BUILD_DIR/bin.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${ECHO_BUILD_DIR:-$root/build}/bin
[ -x "$bin/nets" ] || { echo "no programs in $bin: run ./dev build first" >&2; exit 1; }
exec python3 "$root/bench/planners/run.py" --bin "$bin" "$@"
