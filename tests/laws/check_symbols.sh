#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_symbols.sh BUILD-DIRECTORY: the libraries export what the installed headers declare, all of it and nothing else,
# each symbol with the version of its library and with the prefix. What is declared is asked of the compiler.
set -eu
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
cd "$scratch"

(cd "$prefix/include" && find echo -name '*.h') | sed 's/.*/#include <&>/' >all.c
gcc -std=c17 -I"$prefix/include" -aux-info functions -fsyntax-only all.c
grep "$prefix/include" functions | grep '\*/ extern ' |
  sed -nE 's/.*[ *](echo_[A-Za-z0-9_]+) \(.*/\1/p' >declared
# Data, "extern const EchoPass ECHO_A[2], ECHO_B;", and functions by the name of their type, "EchoCostFn echo_cost;".
gcc -std=c17 -I"$prefix/include" -E -P all.c | tr '\n' ' ' | tr ';{}' '\n\n\n' | sed -E 's/\[[^]]*\]//g' |
  grep -E '^ *(extern|Echo[A-Za-z]*Fn) [^(]*$' | tr ',' '\n' |
  sed -nE 's/.*[ *]((echo|ECHO)_[A-Za-z0-9_]+) *$/\1/p' >>declared
LC_ALL=C sort -u declared -o declared
test "$(wc -l <declared)" -gt 500 || { echo "few declarations were found"; exit 1; }

version=ECHO_$(echo '#include <echo/base/version.h>
ECHO_VERSION_MAJOR ECHO_VERSION_MINOR' | gcc -I"$prefix/include" -E -P - | tr ' ' .)
# The node itself is an absolute symbol.
nm -D --defined-only --with-symbol-versions "$prefix"/lib*/libecho*.so "$prefix"/lib*/*/libecho*.so 2>/dev/null |
  awk 'NF == 3 && $2 != "A" { print $3 }' | LC_ALL=C sort -u >exported
unversioned=$(grep -v "@@$version\$" exported || true)
test -z "$unversioned" || { echo "without the version $version: $unversioned"; exit 1; }
strange=$(grep -vE '^(echo|ECHO)_' exported || true)
test -z "$strange" || { echo "exported without the prefix: $strange"; exit 1; }
sed 's/@.*//' exported | LC_ALL=C sort -u >names
LC_ALL=C comm -13 declared names >hidden
test ! -s hidden || { echo "exported, but in no installed header:"; cat hidden; exit 1; }
LC_ALL=C comm -23 declared names >missing
test ! -s missing || { echo "declared in an installed header, but not exported:"; cat missing; exit 1; }
