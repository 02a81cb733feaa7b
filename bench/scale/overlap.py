#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What running calls beside the step gains: a Transformer on two processes of this machine, planned with --overlap-calls and without,
in turns, over a link that is slowed down in a network of its own (needs root and tc).

  python3 bench/scale/overlap.py build [MBIT]..."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

import scale

DEVICE = "cpu-2core-avx512"
STEPS, TURNS = 12, 4
NETS = ["--model=transformer", "--hidden=256", "--heads=4", "--length=64", "--classes=2000", "--batch=8", "--layers=2", "--optimizer=sgd"]
# A packet is no larger than what the filter lets through at once; the queue is never full.
LINK = "ip link set lo mtu 9000 up && tc qdisc add dev lo root tbf rate {}mbit burst 1mb latency 2000ms && exec "
MPI = "mpirun --mca btl tcp,self --mca btl_tcp_if_include lo --mca mpi_yield_when_idle 1 --oversubscribe --allow-run-as-root -n 2 "


def plan(bench):
    model, step, kernels = (bench.path(f"{kind}.mlir") for kind in ("model", "step", "kernels"))
    planned = {name: bench.path(name.replace(" ", "_") + ".mlir") for name in ("beside", "waited for")}
    bench.run("nets", *NETS, "--emit=model", "-o", model)
    bench.run("echo-opt", model, f"--pass-pipeline=builtin.module({scale.partitioning(2, 'arg0,arg1', DEVICE)})", "-o", step)
    bench.run("echo-opt", step, "--to=kernels", "-o", kernels)
    bench.run("echo-opt", kernels, "--pass-pipeline=builtin.module(bufferize,overlap-calls,plan-memory)", "-o", planned["beside"])
    bench.run("echo-opt", kernels, "--pass-pipeline=builtin.module(bufferize,plan-memory)", "-o", planned["waited for"])
    return planned


def measure(bench, path, mbit):
    figures = bench.path("figures.json")
    run = f"{os.path.abspath(bench.bin)}/echo-run --threads=1 --quiet --no-cache --steps={STEPS} --json={figures} {path}"
    done = subprocess.run(["unshare", "-n", "sh", "-c", LINK.format(mbit) + MPI + run], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr[:2000])
    told = json.load(open(figures))
    return told["step_s"], told["processes"]["calls_s"] / STEPS, told["processes"]["beside_computation_s"] / STEPS, told["measured_peak_bytes"]


def main():
    with tempfile.TemporaryDirectory() as work:
        bench = scale.Bench(sys.argv[1] if len(sys.argv) > 1 else "build", work)
        planned = plan(bench)
        print("| MB/s | calls are | ms a step, least | median | ms of calls | beside computation | bytes |")
        print("| --: | --- | --: | --: | --: | --: | --: |")
        for mbit in map(int, sys.argv[2:] or ("400", "800")):
            found = {name: [] for name in planned}
            for _ in range(TURNS):
                for name, path in planned.items():
                    found[name].append(measure(bench, path, mbit))
            for name, runs in found.items():
                steps, calls, beside, peaks = zip(*runs)
                print(f"| {mbit / 8:.0f} | {name} | {min(steps) * 1e3:.0f} | {statistics.median(steps) * 1e3:.0f} | "
                      f"{statistics.median(calls) * 1e3:.0f} | {statistics.median(beside) * 1e3:.0f} | {max(peaks):,} |", flush=True)


if __name__ == "__main__":
    main()
