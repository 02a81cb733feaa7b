#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The IR core against mlir-opt-19, in one run: parse + verify + print, and cse + canonicalize.

Inputs are generated: arith ops in generic syntax, in 200 functions and in one; a million ops in one function; 100 MB of
dense constants as a hexadecimal blob; two million decimal floats. Each command runs REPEATS times, the two tools in turn;
the table shows medians, the spread (min..max), processor time and the peak resident set. Usage: bench/ir/run.py [--echo-opt build/bin/echo-opt] [--repeats 5] [--quick]
"""
import argparse, datetime, json, os, platform, random, statistics, subprocess, sys, tempfile, time

OPS = ["addi", "muli", "subi", "andi", "ori", "xori"]


def write_module(path, n_ops, n_functions):
    """n_ops arith ops in n_functions functions, generic syntax, each reading two recent values."""
    rng = random.Random(1)
    per_function = n_ops // n_functions
    with open(path, "w") as out:
        out.write('"builtin.module"() ({\n')
        for f in range(n_functions):
            out.write('  "func.func"() <{function_type = (i64, i64) -> i64, sym_name = "f%d"}> ({\n' % f)
            out.write("  ^bb0(%a0: i64, %a1: i64):\n")
            names = ["%a0", "%a1"]
            for i in range(per_function):
                if i % 16 == 0:
                    out.write('    %%v%d = "arith.constant"() <{value = %d : i64}> : () -> i64\n' % (i, rng.randrange(1000)))
                else:
                    op = OPS[rng.randrange(len(OPS))]
                    flags = " <{overflowFlags = #arith.overflow<none>}>" if op[-4:] in ("addi", "muli", "subi") else ""
                    out.write('    %%v%d = "arith.%s"(%s, %s)%s : (i64, i64) -> i64\n' % (
                        i, op, names[-1 - rng.randrange(min(8, len(names)))], names[-1 - rng.randrange(min(64, len(names)))], flags))
                names.append("%%v%d" % i)
            out.write('    "func.return"(%s) : (i64) -> ()\n' % names[-1])
            out.write("  }) : () -> ()\n")
        out.write("}) : () -> ()\n")


def write_constants(path, megabytes):
    """One dense constant of `megabytes` MB, as a hex blob."""
    n = megabytes * 1000000 // 4
    with open(path, "w") as out:
        out.write('%c = "arith.constant"() <{value = dense<"0x')
        block = os.urandom(1000000).hex().upper()
        for _ in range(megabytes):
            out.write(block)
        out.write('"> : tensor<%dxf32>}> : () -> tensor<%dxf32>\n' % (n, n))


def write_decimals(path, n_numbers):
    """One dense f32 constant as a list of decimal numbers of 17 digits."""
    rng = random.Random(1)
    with open(path, "w") as out:
        out.write('%c = "arith.constant"() <{value = dense<[')
        for begin in range(0, n_numbers, 1000):
            n = min(1000, n_numbers - begin)
            out.write((", " if begin else "") + ", ".join("%.16e" % rng.gauss(0, 1) for _ in range(n)))
        out.write(']> : tensor<%dxf32>}> : () -> tensor<%dxf32>\n' % (n_numbers, n_numbers))


def generate(write, *arguments):
    """In a process of its own: what this one has in memory when it starts a tool would count as that tool's peak."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            write(*arguments)
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("cannot write the inputs")


def measure(command, repeats):
    seconds, cpu, peak = [], [], 0
    for _ in range(repeats):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds.append(time.monotonic() - begin)
        if status != 0:
            sys.exit("failed: " + " ".join(command))
        cpu.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss * 1024)
    return {"median_s": statistics.median(seconds), "min_s": min(seconds), "max_s": max(seconds),
            "cpu_s": statistics.median(cpu), "peak_bytes": peak}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--echo-opt", default="build/bin/echo-opt")
    parser.add_argument("--mlir-opt", default="mlir-opt-19")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="only the 200,000 ops; bench/results/ir.json stays as it is")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        cases = [("200k ops, 200 functions", 200000, 200), ("200k ops, one function", 200000, 1)]
        if not arguments.quick:
            cases.append(("1M ops, one function", 1000000, 1))
        jobs = []
        for title, n_ops, n_functions in cases:
            path = os.path.join(folder, "ops_%d_%d.mlir" % (n_ops, n_functions))
            generate(write_module, path, n_ops, n_functions)
            jobs.append((title + ": parse, verify, print", path, ["--mlir-print-op-generic"]))
            jobs.append((title + ": and cse, canonicalize", path, ["--mlir-print-op-generic", "--cse", "--canonicalize"]))
        if not arguments.quick:
            path = os.path.join(folder, "constants.mlir")
            generate(write_constants, path, 100)
            jobs.append(("100 MB of dense constants: parse, verify, print", path, ["--mlir-print-op-generic"]))
            path = os.path.join(folder, "decimals.mlir")
            generate(write_decimals, path, 2000000)
            jobs.append(("2M floats of 17 digits: parse, verify, print", path, ["--mlir-print-op-generic"]))
        for title, path, flags in jobs:
            ours = measure([arguments.echo_opt, *flags, path], arguments.repeats)
            theirs = measure([arguments.mlir_opt, "--mlir-disable-threading", *flags, path], arguments.repeats)
            rows.append({"case": title, "input_bytes": os.path.getsize(path), "echo": ours, "mlir": theirs})
            print("%-48s echo %6.3f s (%.3f..%.3f) %5d MB | mlir %6.3f s (%.3f..%.3f) %5d MB | "
                  "%5.1f x faster (%.1f x in processor time), %.2f of the memory" % (
                title, ours["median_s"], ours["min_s"], ours["max_s"], ours["peak_bytes"] // 1000000,
                theirs["median_s"], theirs["min_s"], theirs["max_s"], theirs["peak_bytes"] // 1000000,
                theirs["median_s"] / ours["median_s"], theirs["cpu_s"] / ours["cpu_s"],
                ours["peak_bytes"] / theirs["peak_bytes"]), flush=True)
    if arguments.quick:
        return
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    result = {"date": datetime.date.today().isoformat(), "machine": "%s, %d cores" % (cpu, os.cpu_count()), "commit": commit,
              "command": "bench/ir/run.py --repeats %d" % arguments.repeats, "rows": rows}
    os.makedirs("bench/results", exist_ok=True)
    with open("bench/results/ir.json", "w") as out:
        json.dump(result, out, indent=2)
        out.write("\n")


if __name__ == "__main__":
    main()
