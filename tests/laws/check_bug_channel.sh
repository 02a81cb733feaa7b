#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_bug_channel.sh BUILD-DIRECTORY: law 6. A compiler bug, here a pass whose invariant breaks, prints the op, writes a
# reproducer that replays it, and aborts; bad input comes as a diagnostic and exit status 1, and leaves no output.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export PATH="$build/bin:$PATH"
fail() { echo "$1"; cat stderr; exit 1; }

cc -std=c17 -Wall -Wextra -Werror -fPIC -shared -I"$root" "$root/tests/laws/panic_plugin.c" -o panic.so
printf '%s\n' 'func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {' '  %y = stablehlo.add %x, %x : tensor<4xf32>' \
  '  %z = stablehlo.tanh %y : tensor<4xf32>' '  return %z : tensor<4xf32>' '}' >f.mlir

# The bug: SIGABRT, the op and the place on standard error, a file that replays it, and nothing on standard output.
bug() { # COMMAND...
  status=0
  "$@" >stdout 2>stderr || status=$?
  test "$status" = 134 || fail "exit status $status, not an abort: $*"
  grep -q 'tanh must not be here' stderr || fail "the message is missing"
  grep -q 'stablehlo.tanh' stderr || fail "the op is missing"
  test ! -s stdout || fail "something was printed"
}
bug echo-opt f.mlir --load-pass-plugin=./panic.so --cse --panic-on-tanh \
  --mlir-pass-pipeline-crash-reproducer=again.mlir
grep -q 'panic-on-tanh' again.mlir || fail "the reproducer names no pipeline"
bug echo-opt again.mlir --load-pass-plugin=./panic.so --run-reproducer
echo old >out.mlir
bug echo-opt f.mlir --load-pass-plugin=./panic.so --panic-on-tanh -o out.mlir
test "$(cat out.mlir)" = old || fail "an output file was touched"

# The input: a diagnostic with its place, exit status 1, no reproducer, and the output as it was.
sed 's/stablehlo.tanh/stablehlo.tan_h/' f.mlir >bad.mlir
rm again.mlir
status=0
echo-opt bad.mlir --cse --mlir-pass-pipeline-crash-reproducer=again.mlir -o out.mlir >stdout 2>stderr || status=$?
test "$status" = 1 || fail "exit status $status for bad input"
grep -q '^bad.mlir:3:[0-9]*: error: ' stderr || fail "no diagnostic with its place"
test ! -e again.mlir || fail "bad input left a reproducer"
test ! -s stdout || fail "something was printed"
test "$(cat out.mlir)" = old || fail "an output file was touched"
