"""Budgets from the peak without anything down to the least: recompute and swap together are never slower than either alone,
stay within the budget, and more memory never costs more time."""

import re
import subprocess
import sys

STEP, N_BUDGETS = sys.argv[1], 5


def plan(stage_options, passes=""):
    """Facts of the planned module, or None when the budget is refused, and the smallest budget that is named then."""
    command = ["echo-opt", STEP, "--to=kernels"] + stage_options + ["-o", "-"]
    first = subprocess.run(command, capture_output=True, text=True)
    if first.returncode == 0:
        pipeline = f"builtin.module(bufferize,swap{{{passes}}},plan-memory,verify-plan)"
        first = subprocess.run(["echo-opt", f"--pass-pipeline={pipeline}"], input=first.stdout, capture_output=True, text=True)
    if first.returncode != 0:
        return None, int(re.search(r"smallest possible one is (\d+) bytes", first.stderr)[1])
    head = first.stdout.split("\n", 1)[0]
    return {k: int(v) for k, v in re.findall(r"([a-z_.]+) = (\d+) : i64", head)}, None


def check(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


nothing, _ = plan(["--echo=budget=1000GiB"])
_, least = plan(["--echo=budget=1,swap=on"])
check(nothing and least, "no ends of the curve")
off_ns, peak = nothing["echo.off_ns"], nothing["plan.peak_bytes"]
last_ns, n_mixed = None, 0
for k in range(N_BUDGETS):
    budget = least + (peak - least) * k // (N_BUDGETS - 1)
    both, _ = plan([f"--echo=budget={budget},swap=on"])
    recompute, _ = plan([f"--echo=budget={budget}"])
    swap, _ = plan([], f"limit={budget}")
    check(both is not None, "refused", budget, "though", least, "is possible")
    check(both["plan.peak_bytes"] <= budget, both["plan.peak_bytes"], "is over", budget)
    both_ns = both["echo.on_ns"]
    check(recompute is None or both_ns <= recompute["echo.on_ns"], "recompute alone is faster at", budget)
    check(swap is None or both_ns <= off_ns + swap["plan.swap_ns"], "swap alone is faster at", budget)
    check(last_ns is None or both_ns <= last_ns, "more memory costs time at", budget)
    last_ns = both_ns
    n_mixed += recompute is None and swap is None
check(last_ns <= off_ns, "at the peak something is paid")
print("budgets:", N_BUDGETS, "that need both:", n_mixed)
