# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every planner on every network: peak, overhead, planning time, gap to the bound. Writes planners.json and planners.md.

Bytes and predicted times depend on the commit and the device model alone; planning times on the machine too."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import tempfile
import time

import oracle
import report
from random_steps import random_step

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICE = "gpu-a100-40g"
COPIES = ["--out-ns-per-byte=0.0416667", "--out-latency-ns=10000", "--in-ns-per-byte=0.0416667",
          "--in-latency-ns=10000"]  # of that device
NMT = "--layers=2 --hidden=512 --batch=128 --length=100"
MODELS = {  # name: (what, program and options; None: a random step)
    "vgg19": ("VGG19, 224 x 224, batch 32", "nets --model=vgg19 --batch=32"),
    "vgg16-cifar": ("VGG16 with batch norm, 32 x 32, batch 228",
                    "nets --model=vgg16 --image=32 --classes=10 --batch=228 --batch-norm"),
    "resnet50": ("ResNet-50, 224 x 224, batch 32", "nets --model=resnet50 --batch=32"),
    "resnet152": ("ResNet-152, 224 x 224, batch 32", "nets --model=resnet152 --batch=32"),
    "unet": ("U-Net, 256 x 256, batch 8", "nets --model=unet --batch=8"),
    "transformer": ("Transformer: 12 layers, hidden 768, length 1,024, batch 4", "nets --model=transformer --batch=4"),
    "nmt": ("samples/nmt at the Echo paper's size: 2 + 2 layers, hidden 512, batch 128, length 100", f"nmt {NMT}"),
    "random-100": ("a random graph of 100 layers", None),
    "random-400": ("a random graph of 400 layers", None),
}
ORACLE_MODELS = {  # small enough for an integer program
    "VGG11, 32 x 32, batch 16": "nets --model=vgg11 --image=32 --classes=10 --batch=16",
    "Transformer: 1 layer, hidden 256, length 256, batch 8":
        "nets --model=transformer --layers=1 --hidden=256 --heads=4 --length=256 --classes=1000 --batch=8",
    "samples/nmt: 1 + 1 layers, hidden 512, length 3, batch 256": "nmt --layers=1 --hidden=512 --batch=256 --length=3 --vocab=1000",
    "a random graph of 20 layers": None,
}
ECHO = {"keep everything": None, "Echo": "", "Echo, budget=min": "budget=min", "greedy (the paper's rule)":
        "policy=greedy overhead=1000%", "checkpoints of the chain": "policy=chain"}
SWAP = ["aoa", "doa", "wdoa", "swdoa", "mix", "best"]
SHARE = 0.7  # of the peak, that swaps and budgets are asked for
MOST_SECONDS = 150  # of one program
LIMITS_MIB = [490, 450, 400, 350, 300]  # of AutoSwap's table


class Bench:
    def __init__(self, bin_dir, work):
        self.bin, self.work = pathlib.Path(bin_dir), pathlib.Path(work)
        self.rows = []

    def call(self, command):
        """Runs one of our programs; its standard output and seconds."""
        begin = time.perf_counter()
        done = subprocess.run([str(self.bin / command[0])] + [str(c) for c in command[1:]], text=True,
                              capture_output=True, check=False, timeout=MOST_SECONDS)
        seconds = time.perf_counter() - begin
        if done.returncode != 0:
            raise RuntimeError(" ".join(map(str, command)) + "\n" + done.stderr)
        return done.stdout, seconds

    def add(self, model, planner, **figures):
        self.rows.append({"model": model, "planner": planner, **figures})
        print(model, planner, figures, flush=True)

    def model(self, name):
        return self.emit(name, MODELS[name][1], int(name.split("-")[1]) if name.startswith("random") else 0)

    def emit(self, name, command, n_layers):
        """The model's text: by a command of the samples, or a random step of that many layers."""
        path = self.work / f"{name}.mlir"
        if command is None:
            path.write_text(random_step(1, n_layers))
        else:
            extra = [] if command.startswith("nmt") else ["--debug-info"]
            self.call(command.split() + ["--emit=model", "-o", path] + extra)
        return path

    def planned(self, model, echo, device=DEVICE):
        path = self.work / "planned.mlir"
        flags = [] if echo is None else [f"--echo={echo}" if echo else "--echo"]
        _, seconds = self.call(["echo-opt", model, "--to=planned", f"--device-model={device}", "-o", path] + flags)
        with open(path, encoding="utf-8") as file:
            attributes = dict(re.findall(r"(\w+\.\w+) = (\d+) : i64", file.readline()))
        return path, {k: int(v) for k, v in attributes.items()}, seconds


def last_line(text):
    return dict(re.findall(r"(\w+)=(\S+)", text.strip().splitlines()[-1]))


def recompute_row(bench, name, model, planner, echo):
    try:
        _, facts, seconds = bench.planned(model, echo)
    except subprocess.TimeoutExpired:
        bench.add(name, planner, kind="recompute", error=f"more than {MOST_SECONDS} s")
        return 0
    except RuntimeError as error:
        if "cannot be brought below" not in str(error):
            raise
        bench.add(name, planner, kind="recompute", error="cannot be met")
        return 0
    off, on = facts.get("echo.off_ns", 0), facts.get("echo.on_ns", 0)  # swaps included
    bench.add(name, planner, kind="recompute", peak_bytes=facts["plan.peak_bytes"],
              arena_bytes=facts["plan.temp_bytes"], overhead=on / off - 1 if off else 0, plan_s=seconds,
              gap=facts["plan.temp_bytes"] / facts["plan.bound_bytes"] - 1)
    return facts["plan.peak_bytes"]


def recompute(bench, name, model):
    peaks = [recompute_row(bench, name, model, planner, echo) for planner, echo in ECHO.items()]
    budget = int(SHARE * peaks[0])  # of keeping everything
    recompute_row(bench, name, model, "budget 70 %: recompute", f"budget={budget}")
    recompute_row(bench, name, model, "budget 70 %: recompute or swap", f"budget={budget},swap=on")


def offsets(bench, name, planned):
    lifetimes = bench.work / "lifetimes.csv"
    bench.call(["echo-translate", planned, "--emit=lifetimes", "-o", lifetimes])
    for policy in ["default", "first-fit", "best-fit"]:
        out, _ = bench.call(["echo-plan", "pool", lifetimes, f"--policy={policy}"])
        found = last_line(out)
        bench.add(name, f"offsets: {policy}", kind="offsets", arena_bytes=int(found["height"]),
                  plan_s=float(found["ms"]) / 1000, gap=int(found["height"]) / int(found["load"]) - 1)


def swap(bench, trace, limit_bytes, policy, flags=()):
    out, seconds = bench.call(["echo-plan", "swap", trace, f"--limit={limit_bytes}", f"--policy={policy}", *flags])
    found = last_line(out)
    return {"peak_bytes": int(found["planned_peak_bytes"]), "of_bytes": int(found["peak_bytes"]),
            "overhead": float(found["overhead_pct"]) / 100, "plan_s": seconds,
            "zero_bytes": int(found.get("zero_overhead_limit_bytes", 0))}


def swapping(bench, name, planned, peak_bytes):
    trace = bench.work / "trace.csv"
    bench.call(["echo-translate", planned, "--emit=trace", f"--device-model={DEVICE}", "-o", trace])
    limit = int(SHARE * peak_bytes)
    for policy in SWAP:
        try:
            found = swap(bench, trace, limit, policy, COPIES)
            if policy == "best":
                found["zero_bytes"] = swap(bench, trace, limit, policy, COPIES + ["--zero-overhead"])["zero_bytes"]
        except RuntimeError as error:
            if "cannot be met" not in str(error):
                raise
            bench.add(name, f"swap: {policy}", kind="swap", error="cannot be met")
            continue
        bench.add(name, f"swap: {policy}", kind="swap", **{k: v for k, v in found.items() if v or k == "overhead"})


def chain(bench, name, model):
    table = bench.work / "chain.csv"
    bench.call(["echo-translate", model, "--emit=chain", "-o", table])
    out, seconds = bench.call(["echo-plan", "chain", table])
    found = last_line(out)
    layers = len(table.read_text().splitlines()) - 1
    bench.add(name, "chain model: optimum", kind="chain", layers=layers, peak_bytes=int(found["peak_bytes"]),
              store_all_bytes=int(found["store_all_bytes"]), sqrt_n_bytes=int(found["sqrt_n_bytes"]), plan_s=seconds)


def compare_with_oracle(bench):
    """One budget against the integer program, on small models; empty without a solver."""
    found = {}
    for number, (what, command) in enumerate(ORACLE_MODELS.items()):
        if not oracle.is_there():
            print("no cbc (Debian: coinor-cbc): no integer program", flush=True)
            break
        found[what] = list(oracle.rows_for(bench, bench.emit(f"oracle-{number}", command, 20), DEVICE))
        print(what, found[what], flush=True)
    return found


def autoswap(bench):
    """AutoSwap's table on our own trace, on a device that makes its iteration as long as theirs."""
    device = ROOT / "bench/planners/paper-gpu.device"
    planned, facts, _ = bench.planned(bench.model("vgg16-cifar"), None, device)
    trace = bench.work / "trace.csv"
    bench.call(["echo-translate", planned, "--emit=trace", f"--device-model={device}", "-o", trace])
    last = trace.read_text().splitlines()[-1].split(",")
    table = {"peak_bytes": facts["plan.peak_bytes"], "iteration_ns": int(last[2]), "overhead": {}, "zero_bytes": {}}
    for policy in SWAP:
        table["overhead"][policy] = [swap(bench, trace, limit << 20, policy)["overhead"] for limit in LIMITS_MIB]
        table["zero_bytes"][policy] = swap(bench, trace, LIMITS_MIB[0] << 20, policy, ["--zero-overhead"])["zero_bytes"]
    return table


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {"processor": names[0] if names else platform.machine(), "threads": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1)}


def commit():
    return subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True,
                          text=True, check=False).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, help="where the programs are")
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--out", default=str(ROOT / "bench/results"), help="where the results go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(options.bin, work)
        for name in options.models:
            model = bench.model(name)
            recompute(bench, name, model)
            planned, facts, _ = bench.planned(model, None)
            offsets(bench, name, planned)
            swapping(bench, name, planned, facts["plan.peak_bytes"])
            chain(bench, name, model)
        document = {"date": str(datetime.date.today()), "machine": machine(), "commit": commit(), "device": DEVICE,
                    "models": {name: MODELS[name][0] for name in options.models}, "rows": bench.rows,
                    "autoswap": autoswap(bench), "oracle": compare_with_oracle(bench)}
    out = pathlib.Path(options.out)
    (out / "planners.json").write_text(json.dumps(document, indent=1) + "\n")
    (out / "planners.md").write_text(report.text(document, LIMITS_MIB))


if __name__ == "__main__":
    main()
