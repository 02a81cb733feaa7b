#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares Echo with JAX and PyTorch: bench/peers/run.sh [options of run.py]. Makes the peers' virtual environments first,
# under build/peers (PyTorch alone takes 6 GB).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
peers=${ECHO_PEERS_DIR:-$root/build/peers}
make_environment() { # name, packages
  name=$1
  shift
  [ -e "$peers/$name/done" ] && return
  python3 -m venv "$peers/$name"
  "$peers/$name/bin/pip" install --quiet "$@"
  touch "$peers/$name/done"
}
mkdir -p "$peers"
make_environment jax jax numpy ml_dtypes
make_environment torch torch numpy
exec python3 "$root/bench/peers/run.py" --work "$peers" "$@"
