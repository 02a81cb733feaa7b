#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh: on a machine with a CUDA driver. Every kernel against float64, whole training steps (the same bits with Echo on and
# off, losses against a CPU's), then times by events, of products beside cuBLASLt's where that is found, of steps beside those of
# PyTorch and JAX where PYTHON (python3) has them, which take PEER_SECONDS at most. The table comes last; figures.json beside this file has all of it.
# Exit status 1 when something is not as it must be.
cd "$(dirname "$0")" || exit 1
steps=${STEPS:-10} # as many as there are batches, at most
python=${PYTHON:-python3}
peer_seconds=${PEER_SECONDS:-330}
failed=0
table=$(mktemp)
kernel_table=$(mktemp)
peer_table=$(mktemp)
trap 'rm -f "$table" "$kernel_table" "$peer_table" off.npz' EXIT

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

# ours NAME JSON BATCH: a line for a step: milliseconds, how far its slowest and its fastest are apart, megabytes, launches,
# the batch.
ours() {
  awk -v name="$1" -v s="$(figure "$2" step_s)" -v least="$(figure "$2" least_step_s)" -v most="$(figure "$2" most_step_s)" \
    -v bytes="$(figure "$2" measured_peak_bytes)" -v launches="$(figure "$2" n_launches)" -v batch="$3" \
    'BEGIN { printf "%-36s %10.2f %7.0f %% %10.1f %8s %10d\n", name, 1e3 * s, (s > 0 ? 100 * (most - least) / s : 0), bytes / 1e6, batch, launches }'
}

# rows NAME JSON…: as part of figures.json, an array of what these files hold.
rows() {
  printf '"%s": [' "$1"
  shift
  comma=
  for json in "$@"; do
    [ -s "$json" ] || continue
    printf '%s{"step": "%s", "run": ' "$comma" "${json%.json}"
    cat "$json"
    if [ -s "${json%.json}.kernels.json" ]; then
      printf ', "kernels": '
      cat "${json%.json}.kernels.json"
    fi
    printf '}'
    comma=,
  done
  printf ']'
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
for bundle in step_*.bundle; do
  name=${bundle%.bundle}
  part=${name##*_}
  model=${name#step_}
  model=${model%_*}
  step "$model" "$part" --steps="$steps" --quiet --json="$name.json" || { failed=1; continue; }
  step "$model" "$part" --steps=3 --quiet --kernels --json="$name.kernels.json" || { failed=1; continue; }
  ours "$name" "$name.json" "" >>"$table"
  kinds "$name.txt" "$name.kernels.json" "$name" >>"$kernel_table"
done

# The largest batch whose plan fits: it must take what was planned, and no more than is given. Its ids, its sentences are drawn.
while read -r name batch; do
  name=largest_$name
  ./echo-run-bundle "$name.bundle" --steps=3 --quiet --json="$name.json" || { failed=1; continue; }
  ours "$name" "$name.json" "$batch" >>"$table"
  if [ "$(figure "$name.json" measured_peak_bytes)" != "$(figure "$name.json" planned_peak_bytes)" ]; then
    echo "WRONG $name: its peak is not the one that was planned"
    failed=1
  fi
done <largest.txt

rm -f peers_figures.json
if command -v "$python" >/dev/null; then
  "$python" peers.py --seconds="$peer_seconds" --json=peers_figures.json >"$peer_table" || failed=1
else
  echo "peers: no $python" >"$peer_table"
fi
{
  printf '{'
  rows steps $(ls step_*.json | grep -v kernels)
  printf ', '
  rows largest largest_*.json
  printf ', "peers": '
  cat peers_figures.json 2>/dev/null || printf '[]'
  echo '}'
} >figures.json

echo
echo "products: $(sed -n 's/.*"library": *"\(.*\)".*/\1/p' products_library.json | head -n 1)"
printf '%-28s %12s %12s %11s\n' "product" "ours, us" "best, us" "of the best"
products
echo
printf '%-28s %-16s %12s %10s %11s\n' "step" "kernels" "ms a step" "GB/s" "of a copy"
cat "$kernel_table"
echo
printf '%-36s %10s %9s %10s %8s %10s\n' "step" "ms a step" "spread" "peak, MB" "batch" "launches"
cat "$table"
echo
cat "$peer_table"
exit $failed
