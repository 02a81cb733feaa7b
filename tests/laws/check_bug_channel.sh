#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_bug_channel.sh BUILD-DIRECTORY: law 6. A compiler bug, here a pass whose invariant breaks, prints the op, writes a
# reproducer that replays it, and aborts; a pass that is killed by a signal leaves the reproducer too; bad input comes as a
# diagnostic and exit status 1, and leaves no output.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir tmp
export TMPDIR="$scratch/tmp"
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

# Without a name for it, the reproducer is a new file in $TMPDIR that is named on standard error, and the module before the
# passes: what the first of them changed is not in it.
bug echo-opt f.mlir --load-pass-plugin=./panic.so --canonicalize --panic-on-tanh
named() { sed -n "s/^echo-opt: what replays this .* is in '\\(.*\\)'$/\\1/p" stderr; }
test -s "$(named)" || fail "the reproducer is not named"
bug echo-opt "$(named)" --load-pass-plugin=./panic.so --run-reproducer

# Killed by a signal, the stack's end included.
crash() { # STATUS SIGNAL COMMAND...
  expected=$1 signal=$2
  shift 2
  status=0
  "$@" >stdout 2>stderr || status=$?
  test "$status" = "$expected" || fail "exit status $status, not $expected: $*"
  grep -q "crashed by $signal" stderr || fail "the signal is not named: $*"
  test ! -s stdout || fail "something was printed"
}
echo old >out.mlir
for case in segv:139:SIGSEGV overflow:139:SIGSEGV abort:134:SIGABRT bus:135:SIGBUS fpe:136:SIGFPE ill:132:SIGILL; do
  how=${case%%:*} signal=${case##*:}
  status=${case%:*} status=${status#*:}
  crash "$status" "$signal" echo-opt f.mlir --load-pass-plugin=./panic.so --cse --crash=how="$how" -o out.mlir
  again=$(named)
  test -s "$again" || fail "$signal left no reproducer"
  grep -q "pipeline: .*cse.*crash{how=$how}" "$again" || fail "the reproducer of $signal names no pipeline"
  crash "$status" "$signal" echo-opt "$again" --load-pass-plugin=./panic.so --run-reproducer \
    --mlir-pass-pipeline-crash-reproducer=again.mlir
  grep -q "crash{how=$how}" again.mlir || fail "the named reproducer of $signal is not there"
  test "$(cat out.mlir)" = old || fail "an output file was touched"
done
printf '%s\n' 'func.func @f() {' >cut.mlir
status=0
echo-opt cut.mlir 2>stderr || status=$?
test "$status" = 1 || fail "exit status $status for a file that is cut off"

# The input: a diagnostic with its place, exit status 1, no reproducer, and the output as it was.
sed 's/stablehlo.tanh/stablehlo.tan_h/' f.mlir >bad.mlir
rm -f again.mlir tmp/*
status=0
echo-opt bad.mlir --cse --mlir-pass-pipeline-crash-reproducer=again.mlir -o out.mlir >stdout 2>stderr || status=$?
test "$status" = 1 || fail "exit status $status for bad input"
grep -q '^bad.mlir:3:[0-9]*: error: ' stderr || fail "no diagnostic with its place"
test ! -e again.mlir || fail "bad input left a reproducer"
test -z "$(ls tmp)" || fail "bad input left something in \$TMPDIR"
test ! -s stdout || fail "something was printed"
test "$(cat out.mlir)" = old || fail "an output file was touched"
