#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_install.sh BUILD-DIRECTORY: installs into a scratch prefix, then builds there what a user would, against the
# installed headers and libraries only: each header by itself, in C and in C++, a program through CMake and through
# pkg-config, the programs of docs/embedding.md, and the pass plugin of samples/, which the installed echo-opt then loads.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name echo.pc)")
CMAKE_PREFIX_PATH=$prefix
export PKG_CONFIG_PATH CMAKE_PREFIX_PATH

# Headers: none that is private, each by itself, on the package's include path alone.
cd "$scratch"
private=$(find "$prefix/include" -name '*_t.h')
test -z "$private" || { echo "private, but installed: $private"; exit 1; }
if grep -rn '#include "' "$prefix/include"; then
  echo "included from the repository's root"
  exit 1
fi
(cd "$prefix/include" && find echo -name '*.h') | while read -r header; do
  for language in "gcc -std=c17 -x c" "clang-19 -std=c17 -x c" "g++ -std=c++17 -x c++" \
    "clang-19 -std=c++17 -x c++"; do
    # shellcheck disable=SC2046,SC2086 # lists of flags
    ${language% -x *} -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags echo) \
      -include "$header" -x "${language##* }" /dev/null ||
      { echo "$header does not compile by itself with $language"; exit 1; }
  done
done

mkdir "$scratch/user"
cp "$root/tests/install/CMakeLists.txt.in" "$scratch/user/CMakeLists.txt"
cp "$root/tests/install/user.c" "$scratch/user/"
cmake -S "$scratch/user" -B "$scratch/user/build" -G Ninja >"$scratch/user.log"
cmake --build "$scratch/user/build" >>"$scratch/user.log" || { cat "$scratch/user.log"; exit 1; }
"$scratch/user/build/user"
# shellcheck disable=SC2046 # a list of flags
gcc -std=c17 "$scratch/user/user.c" -o "$scratch/by-pkg-config" $(pkg-config --cflags --libs echo) \
  -Wl,-rpath,"$(pkg-config --variable=libdir echo)"
"$scratch/by-pkg-config"

# The programs of docs/embedding.md, in both languages, and what they print. C++ has no { 0 } for a whole structure.
mkdir "$scratch/page"
python3 "$root/tests/install/page_programs.py" "$root/docs/embedding.md" "$scratch/page"
for source in "$scratch"/page/*.c; do
  program=${source%.c}
  for compiler in "gcc -std=c17" "clang-19 -std=c17" "g++ -std=c++17 -x c++" "clang-19 -std=c++17 -x c++"; do
    # shellcheck disable=SC2046,SC2086 # lists of flags
    ${compiler% -x *} -Wall -Wextra -Wpedantic -Werror -Wno-missing-field-initializers \
      -x "$(case $compiler in *c++) echo c++ ;; *) echo c ;; esac)" "$source" -o "$program" $(pkg-config --cflags --libs echo-jit) \
      -Wl,-rpath,"$(pkg-config --variable=libdir echo-jit)"
    "$program" >"$program.printed" || { echo "$source fails, built with $compiler"; exit 1; }
    diff "$program.out" "$program.printed" || { echo "$source prints something else, built with $compiler"; exit 1; }
  done
done

if [ -f "$root/samples/pass_plugin/CMakeLists.txt" ]; then
  cmake -S "$root/samples/pass_plugin" -B "$scratch/plugin" -G Ninja >"$scratch/plugin.log"
  cmake --build "$scratch/plugin" >>"$scratch/plugin.log" || { cat "$scratch/plugin.log"; exit 1; }
  plugin=$(find "$scratch/plugin" -name '*.so')
  printf '%s\n' 'func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {' \
    '  %y = "poly.horner"(%x) <{coefficients = array<f64: 3.0, 2.0, 1.0>}> : (tensor<4xf32>) -> tensor<4xf32>' \
    '  return %y : tensor<4xf32>' '}' >"$scratch/poly.mlir"
  "$prefix/bin/echo-opt" --load-pass-plugin="$plugin" --load-dialect-plugin="$plugin" --poly-to-stablehlo \
    "$scratch/poly.mlir" >"$scratch/lowered.mlir"
  test "$(grep -c stablehlo.multiply "$scratch/lowered.mlir")" = 2
fi
