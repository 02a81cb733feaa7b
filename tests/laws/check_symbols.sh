#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_symbols.sh BUILD-DIRECTORY: every symbol that the libraries export starts with echo_ or ECHO_. (The linker
# adds some of its own, sanitizers and coverage others.)
set -eu
found=$(nm -D --defined-only --format=posix "$1"/lib/libecho*.so | awk 'NF > 1 { print $1 }')
[ -n "$found" ] || { echo "no symbols found in $1/lib"; exit 1; }
strange=$(echo "$found" | grep -vE '^(echo_|ECHO_|__(asan|ubsan|tsan|odr_asan|gcov|sanitizer)|(__bss_start|_edata|_end|_init|_fini)$)' || true)
[ -z "$strange" ] || { echo "exported without the prefix:"; echo "$strange"; exit 1; }
