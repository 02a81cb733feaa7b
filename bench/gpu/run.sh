#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh: on a machine with a CUDA driver. Every kernel against float64, whole training steps (the same bits with Echo on and
# off, losses against a CPU's), then times by events, of products beside cuBLASLt's where that is found. The table comes last; figures.json beside this file has all of it.
# Exit status 1 when something is not as it must be.
cd "$(dirname "$0")" || exit 1
steps=${STEPS:-10} # as many as there are batches, at most
failed=0
table=$(mktemp)
kernel_table=$(mktemp)
trap 'rm -f "$table" "$kernel_table" off.npz' EXIT

# The first number behind a key of a JSON file.
figure() { sed -n "s/.*\"$2\": *\([-0-9.e+]*\).*/\1/p" "$1" | head -n 1; }

# step NAME PART OPTION…: runs a whole step on what it is given, where that is not drawn.
step() {
  model=$1
  file=step_$1_$2.bundle
  shift 2
  if [ -e "$model.inputs.npz" ]; then
    set -- "--inputs=$model.inputs.npz" "--feed=$model.feed.npz" "$@"
  fi
  ./echo-run-bundle "$file" "$@"
}

# kinds FLOORS JSON NAME: a line for each kind of kernel: milliseconds in a step, the rate at which what it takes and gives
# passes, and that rate as a part of `copy` bytes a nanosecond.
kinds() {
  tr '{},' '[\n*]' <"$2" | awk -v floors="$1" -v copy="$copy" -v name="$3" '
    BEGIN { while ((getline line < floors) > 0) { split(line, f, " "); kind[f[1]] = f[2]; bytes[f[1]] = f[3] } }
    { gsub(/[" ]/, ""); split($0, part, ":") }
    part[1] == "name" { kernel = part[2] }
    part[1] == "launches" { n[kernel] = part[2] }
    part[1] == "measured_ns" && kernel in kind { ns[kind[kernel]] += n[kernel] * part[2]; moved[kind[kernel]] += n[kernel] * bytes[kernel] }
    END {
      for (k in ns) if (ns[k] > 0)
        printf "%-28s %-16s %12.3f %10.1f %9.0f %%\n", name, k, ns[k] / 1e6, moved[k] / ns[k], (copy > 0 ? 100 * moved[k] / ns[k] / copy : 0)
    }' | sort -k 3 -n -r
}

# products: a line for each product: microseconds by our kernel, and by the faster of it and cuBLASLt, and how much of that rate
# ours has.
products() {
  for part in own library; do
    tr '{},' '[\n*]' <"products_$part.json" | awk -v part="$part" '
      { gsub(/[" ]/, ""); split($0, pair, ":") }
      pair[1] == "name" { kernel = pair[2] }
      pair[1] == "least_ns" { print part, kernel, pair[2] }'
  done | awk '
    BEGIN { while ((getline line < "products.txt") > 0) { split(line, f, " "); order[++n] = f[1]; what[f[1]] = f[2] } }
    { ns[$1, $2] = $3 }
    END {
      for (i = 1; i <= n; i++) {
        own = ns["own", order[i]]; best = ns["library", order[i]]
        if (best > own) best = own
        printf "%-28s %12.1f %12.1f %9.0f %%\n", what[order[i]], own / 1e3, best / 1e3, (own > 0 ? 100 * best / own : 0)
      }
    }'
}

# check NAME COMMAND…: one line, and what was said when it fails.
check() {
  label=$1
  shift
  if said=$("$@" 2>&1); then
    echo "ok    $label"
  else
    echo "WRONG $label"
    echo "$said" | grep -v ': same' | head -n 20
    failed=1
  fi
}

for bundle in kernels_*.bundle; do
  name=${bundle%.bundle}
  n=$(cut -d ' ' -f 2 "$name.txt" | sort -u | wc -l)
  check "$name: $n kernels against float64 (res N: line N + 1 of $name.txt)" \
    ./echo-run-bundle "$bundle" --expect="$name.npz" --rtol=1e-4 --atol=1e-5
done

for bundle in step_*_off.bundle; do
  name=${bundle#step_}
  name=${name%_off.bundle}
  # Sums are taken in another order there, three steps long: a bound on what that makes of a loss.
  check "$name: the loss of step 3 is that of a CPU" \
    step "$name" off --steps=3 --expect="loss_$name.npz" --rtol=1e-3 --outputs=off.npz
  check "$name: Echo on and off, the same bits" \
    step "$name" on --steps=3 --expect=off.npz --rtol=0 --atol=0
done

for part in own library; do
  ./echo-run-bundle "products_$part.bundle" --steps="$steps" --quiet --kernels --json="products_$part.json" || failed=1
done
./echo-run-bundle copy.bundle --steps=10 --quiet --kernels --json=copy.json || failed=1
copy_ns=$(figure copy.json measured_ns)
copy=$(awk -v bytes="$(cut -d ' ' -f 3 copy.txt)" -v ns="${copy_ns:-0}" 'BEGIN { print (ns > 0 ? bytes / ns : 0) }')
echo "[" >figures.json
comma=
for bundle in step_*.bundle; do
  name=${bundle%.bundle}
  part=${name##*_}
  model=${name#step_}
  model=${model%_*}
  step "$model" "$part" --steps="$steps" --quiet --json="$name.json" || { failed=1; continue; }
  step "$model" "$part" --steps=3 --quiet --kernels --json="$name.kernels.json" || { failed=1; continue; }
  {
    printf '%s{"step": "%s", "run": ' "$comma" "$name"
    cat "$name.json"
    printf ', "kernels": '
    cat "$name.kernels.json"
    echo "}"
  } >>figures.json
  comma=,
  printf '%-28s %12s %14s %10s\n' "$name" "$(figure "$name.json" step_s)" "$(figure "$name.json" measured_peak_bytes)" \
    "$(figure "$name.json" n_launches)" >>"$table"
  kinds "$name.txt" "$name.kernels.json" "$name" >>"$kernel_table"
done
echo "]" >>figures.json

echo
echo "products: $(sed -n 's/.*"library": *"\(.*\)".*/\1/p' products_library.json | head -n 1)"
printf '%-28s %12s %12s %11s\n' "product" "ours, us" "best, us" "of the best"
products
echo
printf '%-28s %-16s %12s %10s %11s\n' "step" "kernels" "ms a step" "GB/s" "of a copy"
cat "$kernel_table"
echo
printf '%-28s %12s %14s %10s\n' "step" "seconds" "peak bytes" "launches"
cat "$table"
exit $failed
