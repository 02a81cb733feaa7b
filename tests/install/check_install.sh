#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_install.sh BUILD-DIRECTORY: installs into a scratch prefix, then builds there what a user would, against the
# installed headers and libraries only: each header by itself, in C and in C++, a program through CMake and through
# pkg-config, the programs of docs/embedding.md, and the plugins of samples/, which the installed tools then load.
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
echo 'extern int unit_of_its_own;' >unit.c # a list of rows declares nothing
(cd "$prefix/include" && find echo -name '*.h') | while read -r header; do
  for language in "gcc -std=c17 -x c" "clang-19 -std=c17 -x c" "g++ -std=c++17 -x c++" \
    "clang-19 -std=c++17 -x c++"; do
    # shellcheck disable=SC2046,SC2086 # lists of flags
    ${language% -x *} -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags echo) \
      -include "$header" -x "${language##* }" unit.c ||
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

# What that page says to type, as it stands there: its first program, by CMake and by hand, in a home with the package.
mkdir "$scratch/home"
ln -s "$prefix" "$scratch/home/echo"
cp "$scratch/page/train.c" "$scratch/page/typed/program.c"
(cd "$scratch/page/typed" && env -u PKG_CONFIG_PATH -u CMAKE_PREFIX_PATH HOME="$scratch/home" sh -eu commands.sh >printed 2>&1) ||
  { cat "$scratch/page/typed/printed"; echo "what docs/embedding.md says to type fails"; exit 1; }
n_runs=$(grep -c '^step 1: loss' "$scratch/page/typed/printed")
n_lines=$(grep -cxFf "$scratch/page/train.out" "$scratch/page/typed/printed")
if [ "$n_runs" != 2 ] || [ "$n_lines" != $((2 * $(wc -l <"$scratch/page/train.out"))) ]; then
  cat "$scratch/page/typed/printed"
  echo "what docs/embedding.md says to type prints something else"
  exit 1
fi

# Plugins of samples/, each built against the installed package and taken by the installed tools.
plugin() { # FOLDER: sets $plugin
  cmake -S "$root/samples/$1" -B "$scratch/$1" -G Ninja >"$scratch/plugin.log"
  cmake --build "$scratch/$1" >>"$scratch/plugin.log" || { cat "$scratch/plugin.log"; exit 1; }
  plugin=$(find "$scratch/$1" -name '*.so')
}
cd "$scratch"
PATH=$prefix/bin:$PATH

# A pass, and a lowering that every tool runs by itself.
plugin pass_plugin
printf '%s\n' 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {' \
  '  %y = "poly.horner"(%x) <{coefficients = array<f64: 3.0, 2.0, 1.0>}> : (tensor<4xf32>) -> tensor<4xf32>' \
  '  return %y : tensor<4xf32>' '}' >poly.mlir
echo-opt --load-pass-plugin="$plugin" --load-dialect-plugin="$plugin" --poly-to-stablehlo poly.mlir >lowered.mlir
test "$(grep -c stablehlo.multiply lowered.mlir)" = 2
echo-run --load-dialect-plugin="$plugin" --device=interpreter --outputs=interpreted.npz --quiet poly.mlir
echo-run --load-dialect-plugin="$plugin" --no-cache --expect=interpreted.npz --quiet poly.mlir
echo-translate --load-dialect-plugin="$plugin" --emit=ptx poly.mlir | grep -q mul

# A dialect whose op is in every stage: trained from text, with Echo and without, the same bits.
plugin dialect_plugin
dialect=$plugin
cp "$root/samples/dialect_plugin/train.mlir" train.mlir
echo-run --no-cache --load-dialect-plugin="$dialect" --steps=20 --outputs=off.npz --json=off.json --quiet train.mlir
echo-run --no-cache --load-dialect-plugin="$dialect" --steps=20 --echo=budget=min --expect=off.npz --rtol=0 --atol=0 \
  --json=on.json --quiet train.mlir
peak() { grep -o '"planned_peak_bytes": *[0-9]*' "$1" | grep -o '[0-9]*$'; }
test "$(peak on.json)" -lt "$(peak off.json)"
echo-translate --load-dialect-plugin="$dialect" --emit=ptx train.mlir | grep -q 'act.softsign train.mlir:'

# A bundle, by the installed tool alone: the same bits.
echo-translate --load-dialect-plugin="$dialect" --emit=bundle train.mlir -o train.bundle
mkdir alone && cp "$prefix/bin/echo-run-bundle" train.bundle off.npz alone
env -i PATH=/nonexistent alone/echo-run-bundle alone/train.bundle --steps=20 --expect=alone/off.npz --rtol=0 --atol=0 --quiet

# Custom calls, one of them with an effect, in a loop.
plugin target_plugin
echo-run --no-cache --load-pass-plugin="$plugin" --quiet "$root/samples/target_plugin/filter.mlir"
test "$(wc -l <largest.csv)" = 3

# A policy, on the same step: the same bits again.
plugin policy_plugin
echo-run --no-cache --load-dialect-plugin="$dialect" --load-pass-plugin="$plugin" --steps=20 --echo=policy=densest,budget=min \
  --expect=off.npz --rtol=0 --atol=0 --json=densest.json --quiet train.mlir
test "$(peak densest.json)" -lt "$(peak off.json)"
