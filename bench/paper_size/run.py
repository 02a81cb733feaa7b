# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The four models of the Echo paper (NMT, DeepSpeech2, Transformer, ResNet-152) planned at the paper's sizes: without recompute, by
the paper's greedy rule, and by Echo at its price of 2 % of the predicted time. Writes paper_size.json and paper_size.md; nothing is
run, and bytes and predicted times are the same on every machine. Models already in the JSON file are kept unless they are named.

    python3 bench/paper_size/run.py build [MODEL…]
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "results"
# NMT's steps are nodes of the graph, as they were for the authors; DeepSpeech2's 8,000 are loops, and nodes at a quarter of its length.
MODELS = {  # name: (what, command, whether the mean counts it)
    "nmt": ("NMT: 2 + 2 LSTM layers with attention, hidden 512, batch 128, length 100",
            "nmt --layers=2 --hidden=512 --batch=128 --length=100 --vocab=17000", True),
    "deepspeech2": ("DeepSpeech2: 5 bidirectional GRU layers, hidden 1,760, batch 12, 1,600 frames (16 s)",
                    "nets --model=deepspeech2 --batch=12", True),
    "transformer": ("Transformer (base): 6 + 6 layers, hidden 512, batch 128, length 100",
                    "nets --model=transformer-base --batch=128", True),
    "resnet152": ("ResNet-152, 224 x 224, batch 32", "nets --model=resnet152 --batch=32", True),
    "deepspeech2-steps": ("DeepSpeech2 step by step, 400 frames (4 s)",
                          "nets --model=deepspeech2 --batch=12 --length=400 --labels=60 --unroll", False),
}
ECHO = {"greedy": "policy=greedy,overhead=1000%", "echo": "overhead=2%", "ten": "overhead=10%", "min": "budget=min"}


def plan(build, command, echo):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/plan.json"
        words = command.split() + ["--plan-only", f"--echo={echo}", f"--json={path}"]
        subprocess.run([f"{build}/bin/{words[0]}", *words[1:]], check=True, stdout=subprocess.DEVNULL)
        return json.loads(pathlib.Path(path).read_text())


def measure(build, name, figures, kinds):
    what, command, counts = MODELS[name]
    row = figures.setdefault(name, {})
    row.update(what=what, command=command, counts=counts)
    row["commit"] = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], text=True, check=True,
                                   capture_output=True).stdout.strip()
    row["date"] = datetime.date.today().isoformat()
    for kind in kinds:
        result = plan(build, command, ECHO[kind])
        row["off"] = {"peak_bytes": result["peak_bytes_off"], "temp_bytes": result["temp_bytes_off"],
                      "plan_s": result["plan_s_off"], **result["off"]}
        row[kind] = {"peak_bytes": result["peak_bytes_on"], "temp_bytes": result["temp_bytes_on"],
                     "plan_s": result["plan_s_on"], "overhead": result["predicted_overhead"], **result["on"]}
        print(name, kind, f"{row['off']['peak_bytes'] / row[kind]['peak_bytes']:.2f}", f"{row[kind]['overhead']:+.2%}",
              flush=True)


def megabytes(n):
    return f"{n / 1e6:,.0f}"


def cell(row, kind):
    if kind not in row:
        return ""
    here = row[kind]
    return f"{megabytes(here['peak_bytes'])}, {row['off']['peak_bytes'] / here['peak_bytes']:.2f}, {100 * here['overhead']:+.1f} %"


def mean(figures, kind):
    ratios = [row["off"]["peak_bytes"] / row[kind]["peak_bytes"] for row in figures.values() if row["counts"] and kind in row]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def holders(row, kind):
    """What stands at the peak, the largest kinds and layers."""
    def largest(parts, n):
        return ", ".join(f"{k.replace('_', ' ')} {megabytes(v)}" for k, v in sorted(parts.items(), key=lambda p: -p[1])[:n] if v >= 5e5)
    return largest(row[kind]["by_kind"], 4), largest(row[kind]["by_layer"], 5)


def write_markdown(figures, notes):
    lines = ["# The paper's models at the paper's sizes", "",
             "`python3 bench/paper_size/run.py build`; planned for " + "`gpu-h100-80g`, nothing is run; any machine gives the same bytes. Commits and dates by model are in `paper_size.json`.", "",
             "MB of the planned peak, how many times less than without recompute, and what it adds to the predicted time. The greedy rule of the paper has no price; Echo's is 2 %. "
             "The authors' own figures, against MXNet on one GPU: 1.89 in the mean of four models, 3.13 at most.", "",
             "| model | off | the paper's greedy rule | Echo, `overhead=2%` | `overhead=10%` | `budget=min` |",
             "| --- | --: | --: | --: | --: | --: |"]
    for row in figures.values():
        lines.append(f"| {row['what']} | {megabytes(row['off']['peak_bytes'])} | " + " | ".join(cell(row, k) for k in ECHO) + " |")
    lines.append("| geometric mean of the first four | | " + " | ".join(f"{mean(figures, k):.2f}" for k in ECHO) + " |")
    lines += ["", "## What holds the peak", "", "MB, by kind and by layer, with Echo at 2 %.", "",
              "| model | kinds | layers |", "| --- | --- | --- |"]
    for name, row in figures.items():
        if "echo" in row:
            lines.append(f"| {name} | " + " | ".join(holders(row, "echo")) + " |")
    if notes:
        lines += ["", notes.rstrip()]
    (RESULTS / "paper_size.md").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("models", nargs="*", help=", ".join(MODELS))
    parser.add_argument("--kinds", default=",".join(ECHO), help="which plans (default: %(default)s)")
    parser.add_argument("--table-only", action="store_true")
    options = parser.parse_args()
    path = RESULTS / "paper_size.json"
    figures = json.loads(path.read_text()) if path.exists() else {}
    figures = {name: figures[name] for name in MODELS if name in figures}
    if not options.table_only:
        for name in options.models or MODELS:
            measure(options.build, name, figures, options.kinds.split(","))
            figures = {n: figures[n] for n in MODELS if n in figures}
            path.write_text(json.dumps(figures, indent=1) + "\n")
    notes = ROOT / "bench" / "paper_size" / "notes.md"
    write_markdown(figures, notes.read_text() if notes.exists() else "")


if __name__ == "__main__":
    main()
