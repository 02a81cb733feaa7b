#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_needs.sh BUILD-DIRECTORY: law 5. Nothing is needed to look: the tools load no driver, CUDA library, BLAS or Python when
# they start, and with nothing on PATH and no such library to be found they compile, run on the CPU and emit PTX.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# What each program and library of ours is linked with, by itself and not through others.
allowed='^lib(echo|echo-jit|c|m|z|ffi|jansson|LLVM[-.0-9]*|pthread|dl|[a-z]+san)\.so|^ld-linux|^libgcc_s'
for file in "$build"/bin/* "$build"/lib/*.so; do
  others=$(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }' | grep -Ev "$allowed" || true)
  test -z "$others" || { echo "$file needs $others"; exit 1; }
done

model=$root/tests/golden/echo-run/training_step.mlir
for command in \
  "echo-opt $model --to=planned --echo=budget=min -o planned.mlir" \
  "echo-run $model --no-cache --quiet --echo --outputs=out.npz" \
  "echo-translate $model --emit=ptx --target=sm_80 -o step.ptx"; do
  # shellcheck disable=SC2086 # a command line
  env -i PATH=/nonexistent HOME="$scratch" "$build"/bin/$command ||
    { echo "fails with nothing on PATH: $command"; exit 1; }
done
grep -q '^\.visible \.entry\|^\.entry\|\.entry ' step.ptx || { echo "no PTX"; exit 1; }
test -s out.npz
