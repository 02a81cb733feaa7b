#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Step time, memory for each device and the largest model on 1 to 4,096 devices, with data parallelism, optimizer state in shards and
Echo: the planner gives the memory, the device model the time, bench/scale/links.py what links take. Each device keeps its batch.

  python3 bench/scale/scale.py build > tables.md

The step is divided among two processes once (--partition); among more, what each does is the same and its calls have more
members, so the text says another group_size. Echo decides once, on eight devices."""
import os
import re
import subprocess
import sys
import tempfile

import links

MODEL = "gpu-h100-80g"
MEMORY = 80e9
COUNTS = (1, 2, 4, 8, 16, 64, 256, 1024, 4096)
OVERHEAD = "overhead=3%"
TRANSFORMER = ["nets", "--model=transformer", "--hidden=512", "--heads=8", "--length=128", "--classes=8000", "--optimizer=adam",
               "--batch=64"]
# What each device has, which batch, and the arguments that hold it.
SAMPLES = {
    "ResNet-50, 32 x 32, 64 images, Adam": (["nets", "--model=resnet50", "--image=32", "--batch=128", "--optimizer=adam"], "arg0,arg1"),
    "Transformer, 2 layers, 32 texts of 128, Adam": (TRANSFORMER + ["--layers=2"], "arg0,arg1"),
}
LAYERS = (1, 2)  # of the Transformer, for what a layer takes


DEVICES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "planning", "cost", "devices")


def partitioning(n, batch, device, in_parts=False):
    """What a tool under mpirun does to a step that is divided among n processes, with state in parts if so."""
    return ("nn-to-stablehlo,chlo-to-stablehlo,inline,symbol-dce,canonicalize,cse,differentiate,chlo-to-stablehlo,expand-batch-norm,"
            f"canonicalize,cse,partition{{processes={n} batch={batch}}},canonicalize,cse,dce,"
            f"{'shard-state,canonicalize,cse,dce,' if in_parts else ''}bucket-collectives{{device={device}}},lower-collectives")


class Bench:
    def __init__(self, build, work):
        self.bin, self.work = os.path.join(build, "bin"), work

    def run(self, tool, *args):
        done = subprocess.run([os.path.join(self.bin, tool), *args], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{tool} {' '.join(args)}: {done.stderr[:2000]}")
        return done.stdout + done.stderr

    def path(self, name):
        return os.path.join(self.work, name)

    def divided(self, name, sample, batch):
        """The step of one of two processes, before anything is decided."""
        model, step = self.path(name + ".model.mlir"), self.path(name + ".step.mlir")
        self.run(sample[0], *sample[1:], "--emit=model", "-o", model)
        self.run("echo-opt", model, f"--pass-pipeline=builtin.module({partitioning(2, batch, MODEL)})", "-o", step)
        return step

    def device(self, n, network, sums):
        """A file of the model with the link that n devices have."""
        rate, latency = links.as_link(n, network, sums)
        text = open(os.path.join(DEVICES, MODEL + ".device")).read()
        text = re.sub(r"link_bytes_per_s = .*", f"link_bytes_per_s = {rate!r}", text)
        text = re.sub(r"link_latency_ns = .*", f"link_latency_ns = {latency!r}", text)
        path = self.path(f"{network}_{n}.device")
        open(path, "w").write(text)
        return path

    def among(self, module, n):
        text = open(module).read()
        path = module.replace(".mlir", f".{n}.mlir")
        open(path, "w").write(re.sub(r"group_size = 2 : i64", f"group_size = {n} : i64", text))
        return path

    def planned(self, module, device, *options):
        path = module.replace(".mlir", ".planned.mlir")
        self.run("echo-opt", module, "--to=planned", f"--device-model={device}", *options, "-o", path)
        return path

    def peak_bytes(self, planned):
        return int(re.search(r"plan\.peak_bytes = (\d+)", open(planned).read()).group(1))

    def seconds(self, planned, device):
        trace = self.run("echo-translate", planned, "--emit=trace", f"--device-model={device}")
        return int(trace.strip().splitlines()[-1].split(",")[2]) * 1e-9


BYTES = {"f32": 4, "i32": 4, "ui64": 8, "i64": 8, "ui32": 4, "i1": 1}


def bytes_of(type_text):
    *dims, element = type_text.split("x")
    n = BYTES[element]
    for dim in dims:
        n *= int(dim)
    return n


def argument_bytes(module):
    """By role: parameter, optimizer, input."""
    head = re.search(r"func\.func @main\((.*?)\) ->", open(module).read(), re.S).group(1)
    total = {}
    for kind, attrs in re.findall(r"%arg\d+: tensor<([^>]*)> \{(.*?)\}", head):
        role = re.search(r'echo\.role = "(\w+)"', attrs).group(1)
        total[role] = total.get(role, 0) + bytes_of(kind)
    return total


def sum_bytes(module):
    """Bytes of each all_reduce's operands."""
    calls = re.findall(r"@echo\.mpi\.all_reduce\(.*: \((.*?)\) ->", open(module).read())
    return [sum(bytes_of(t) for t in re.findall(r"tensor<([^>]*)>", operands)) for operands in calls]


def megabytes(n):
    return f"{n / 1e6:,.1f}"


def print_sample(bench, title, sample, batch):
    name = sample[1].split("=")[1]
    step = bench.divided(name, sample, batch)
    arguments, sums = argument_bytes(step), sum_bytes(step)
    eight = bench.device(8, "InfiniBand", sums)
    echoed = bench.path(name + ".echoed.mlir")
    bench.run("echo-opt", bench.among(step, 8), "--to=echoed", "--echo=" + OVERHEAD, f"--device-model={eight}", "-o", echoed)
    text = open(echoed).read().replace("group_size = 8 : i64", "group_size = 2 : i64")
    open(echoed, "w").write(text)
    print(f"\n## {title}\n\nParameters {megabytes(arguments['parameter'])} MB, state {megabytes(arguments['optimizer'])} MB, "
          f"{len(sums)} calls of {megabytes(sum(sums))} MB in all.\n")
    print("| devices | ms InfiniBand | Ethernet | with Echo | Ethernet | MB a device | with Echo | state in shards | both |")
    print("| --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    for n in COUNTS:
        times, memory = [], []
        for module in (step, echoed):
            for network in links.NETWORKS:
                device = bench.device(n, network, sums)
                planned = bench.planned(bench.among(module, n), device)
                times.append(bench.seconds(planned, device) * 1e3)
            memory.append(bench.peak_bytes(planned))
        memory += [peak - arguments["optimizer"] * (1 - 1 / n) for peak in memory]
        print(f"| {n:,} | " + " | ".join(f"{t:.2f}" for t in times) + " | " + " | ".join(megabytes(m) for m in memory) + " |", flush=True)


def print_largest(bench):
    """Layers that 80 GB hold: memory is what one layer takes, times layers, and what is there without any."""
    rows = {}
    for layers in LAYERS:
        step = bench.divided(f"layers{layers}", TRANSFORMER + [f"--layers={layers}"], "arg0,arg1")
        arguments = argument_bytes(step)
        peaks = [bench.peak_bytes(bench.planned(step, MODEL, *options)) for options in ([], ["--echo=" + OVERHEAD])]
        rows[layers] = (arguments, peaks)
    first, last = LAYERS
    (a, peak_a), (b, peak_b) = rows[first], rows[last]

    def per_layer(role):
        return (b[role] - a[role]) / (last - first)

    def largest(n, with_echo, in_shards):
        elsewhere = 1 - 1 / n if in_shards else 0
        slope = (peak_b[with_echo] - peak_a[with_echo]) / (last - first) - per_layer("optimizer") * elsewhere
        at_first = peak_a[with_echo] - a["optimizer"] * elsewhere
        layers = first + max(0, int((MEMORY - at_first) / slope))
        return (a["parameter"] + (layers - first) * per_layer("parameter")) / 4e6

    print("\n## The largest model\n\nParameters, in millions, of the Transformer that 80 GB for each device hold, by its layers.\n")
    print("| devices | data parallel | with Echo | state in shards | both |")
    print("| --: | --: | --: | --: | --: |")
    for n in COUNTS:
        print(f"| {n:,} | " + " | ".join(f"{largest(n, e, s):,.0f}" for s in (0, 1) for e in (0, 1)) + " |")


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(build, work)
        for title, (sample, batch) in SAMPLES.items():
            print_sample(bench, title, sample, batch)
        print_largest(bench)


if __name__ == "__main__":
    main()
