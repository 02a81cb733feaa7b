# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of bench/planners."""

# Overhead in % of the iteration at each limit, as published (arXiv 1903.06631), and the limit of no overhead.
PAPER = {"aoa": [0, 2.60, 5.68, 10.31, 13.78], "doa": [1.47, 0, 3.44, 8.84, 11.26], "wdoa": [0, 0, 2.67, 7.37, 11.26],
         "swdoa": [0, 0, 3.44, 8.84, 11.26], "mix": [0, 0, 2.67, 7.37, 11.26]}
# VGG19 at 224 x 224, MiB an image, as published (arXiv 2502.12499): keep all, every sqrt(n)-th, the optimum.
PAPER_CHAIN = {"keep all": 75.58, "every sqrt(n)-th": 54.17, "optimum": 37.32}


def mb(n):
    return f"{n / 1e6:,.1f}"


def percent(x):
    return f"{100 * x:.2f}" if x is not None else ""


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def table(head, rows):
    return row(head) + row(["---"] * len(head)) + "".join(row(r) for r in rows) + "\n"


def cells(r):
    if "error" in r:
        return [r["planner"], "", "", "", "", r["error"]]
    note = ""
    if r["kind"] == "swap" and "zero_bytes" in r:
        note = f"no overhead down to {mb(r['zero_bytes'])} MB"
    if r["kind"] == "chain":
        note = (f"{r['layers']} layers; keep all {mb(r['store_all_bytes'])}, every sqrt(n)-th "
                f"{mb(r['sqrt_n_bytes'])} MB")
    peak, arena = r.get("peak_bytes"), r.get("arena_bytes")
    return [r["planner"], mb(peak) if peak else "", mb(arena) if arena else "", percent(r.get("overhead")),
            f"{r['plan_s']:.3f}", note if "gap" not in r else percent(r["gap"])]


def models(document):
    text = ""
    head = ["planner", "peak, MB", "arena, MB", "overhead, %", "planning, s", "gap to the bound, %; notes"]
    for name, what in document["models"].items():
        text += f"## {what}\n\n"
        text += table(head, [cells(r) for r in document["rows"] if r["model"] == name])
    return text


def autoswap(found, limits):
    head = ["limit, MiB"] + [f"{p.upper()} {who}" for p in PAPER for who in ("paper", "here")] + ["best here"]
    rows = []
    for i, limit in enumerate(limits):
        pairs = [x for p in PAPER for x in (f"{PAPER[p][i]:.2f}", percent(found["overhead"][p][i]))]
        rows.append([str(limit)] + pairs + [percent(found["overhead"]["best"][i])])
    zero = {p: found["zero_bytes"][p] / found["peak_bytes"] for p in found["zero_bytes"]}
    return ("## AutoSwap's table\n\n"
            "Overhead in % of the iteration. Paper: a VGG of SINGA at CIFAR size, peak 647.7 MiB, 81.6 ms. Here: VGG16 with "
            f"batch norm at 32 x 32, batch 228, as the compiler plans it: peak {found['peak_bytes'] / 2**20:.1f} MiB, "
            f"{found['iteration_ns'] / 1e6:.1f} ms by `bench/planners/paper-gpu.device`, the paper's transfer model.\n\n"
            + table(head, rows)
            + "Smallest limit without overhead, of the peak: paper 69.5 %; here "
            + ", ".join(f"{p} {100 * x:.1f} %" for p, x in zero.items()) + ".\n\n")


def oracle(found):
    if not found:
        return ""
    rows = []
    for what, points in found.items():
        for p in points:
            ours = "refused" if p["overhead"] is None else percent(p["overhead"])
            best = "none" if p["oracle_overhead"] is None else percent(p["oracle_overhead"])
            best += "" if p["proved"] or p["oracle_overhead"] is None else " (best in 30 s)"
            rows.append([what if p is points[0] else "", str(p["steps"]), f"{100 * p['share']:.0f}", best, ours,
                         percent(p.get("gap"))])
    return ("## One budget against an integer program\n\n"
            "Budgets in % of the arena without recompute; overhead in % of the predicted step; the gap is how much longer our "
            "step takes. The integer program (CBC, `bench/planners/oracle.py`) keeps, swaps or runs again whole kernels of the "
            "plan without recompute, on two copy streams, and packs without loss; ours fuses its clones anew, so a gap can be "
            "negative.\n\n"
            + table(["model", "kernels", "budget", "integer program", "Echo, swap=on", "gap"], rows))


def text(document, limits):
    m = document["machine"]
    found = [r for r in document["rows"] if r["model"] == "vgg19" and r["kind"] == "chain"]
    out = ("# Every planner on every network\n\n"
           f"`bench/planners/run.sh`, {document['date']}, commit {document['commit']}; {m['processor']}, {m['threads']} "
           f"threads, load {m['load']}. Times of steps are predicted for {document['device']}. Peak: arguments, results "
           "and arena. Planning of recompute is the whole way from the model to the plan; that of swapping includes "
           "reading the trace. Swaps and budgets are asked for 70 % of the peak. swap: the policies of echo-plan on the "
           "trace of the plan, with the device's copy rates.\n\n")
    out += models(document) + oracle(document["oracle"]) + autoswap(document["autoswap"], limits)
    if found:
        batch = 32
        ours = {"keep all": found[0]["store_all_bytes"], "every sqrt(n)-th": found[0]["sqrt_n_bytes"],
                "optimum": found[0]["peak_bytes"]}
        out += ("## The chain of VGG19\n\nMiB an image, from the chain that the compiler finds in its own graph.\n\n"
                + table(["", "paper", "here"], [[k, f"{PAPER_CHAIN[k]:.2f}", f"{ours[k] / batch / 2**20:.2f}"]
                                                for k in ours]))
    return out.rstrip("\n") + "\n"
