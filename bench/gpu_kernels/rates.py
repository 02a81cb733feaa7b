# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rates.py BUILD-DIRECTORY [--check]: the rates of the shipped GPU models, from the instructions that our kernels have, as markdown.

Two programs of one kind that differ in how much they do differ in the instructions of a thread; what the difference takes is the
most that any pipe of a quarter of a multiprocessor, or the one that issues, is taken for. Counts are of the PTX; where an
instruction becomes several, of what ptxas makes of it. What waits for what is not in it: latencies are taken to be covered.
--check also runs the programs on the emulated GPU, as an A100, and fails where its counts are others, or rates of the shipped models.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Multiprocessors, their clock (boost, in GHz), and lanes a cycle of one: CUDA C++ Programming Guide, "Throughput of Native
# Arithmetic Instructions", columns 8.0 and 9.0; memory serves 32 lanes of 4 bytes a cycle. mma: 16-bit multiply-adds a cycle, from the
# data sheets' dense peaks (312 and 989 teraflops), half of it in tf32.
CHIPS = {
    "gpu-a100-40g": {"target": "sm_80", "multiprocessors": 108, "ghz": 1.41,
                     "lanes": {"f32": 64, "alu": 64, "f64": 32, "half": 128, "special": 16, "memory": 32}, "mma": 1024},
    "gpu-h100-80g": {"target": "sm_90", "multiprocessors": 132, "ghz": 1.755,
                     "lanes": {"f32": 128, "alu": 64, "f64": 64, "half": 128, "special": 16, "memory": 32}, "mma": 2048},
}
TYPES = ["f64", "f32", "f16", "bf16", "i32"]
CHECKED_PRODUCTS = ["f32", "bf16", "tf32"] # the others have the same loops, and an emulator takes its time

# What ptxas 13 makes of an instruction that is several, a chain of eight more of them: of the code that is executed where no operand is a
# denormal, infinite or NaN. Multiplications of integers are the f32 pipe's, at the rate of integers.
SEVERAL = {"div.f32": {"f32": 7, "special": 1, "alu": 1, "": 5}, "rcp.f32": {"f32": 5, "special": 1, "alu": 2, "": 6},
           "sqrt.f32": {"f32": 5, "special": 1, "alu": 2, "": 6}, "div.f64": {"f64": 9, "special": 1, "alu": 3, "": 10},
           "rcp.f64": {"f64": 6, "special": 1, "alu": 3, "": 8}, "sqrt.f64": {"f64": 9, "special": 1, "alu": 5, "": 10},
           "min.f64": {"f64": 1, "alu": 7}, "max.f64": {"f64": 1, "alu": 7}, "mul.64": {"alu": 4}, "mul.32": {"alu": 1}}
FREE = {"mov", "cvta", "ret", "bra", "bar", "exit", "cp.async.commit_group", "cp.async.wait_group"}
ALU = {"and", "or", "xor", "not", "shl", "shr", "selp", "setp", "min", "max", "abs", "neg", "lop3", "shf", "prmt", "bfe", "bfi", "set", "copysign"}


def pipes_of(line):
    """Of one instruction: how many of which pipe, of each lane; "" is only issued. mma: its multiply-adds a lane, of 16 bits."""
    name = line.split()[0].rstrip(";")
    parts = name.split(".")
    op, kind = parts[0], parts[-1]
    if op == "mma":
        return {"mma": 16 * 8 * (16 if "m16n8k16" in name else 2 * 8) / 32}
    if op in ("ld", "st", "ldmatrix", "cp") and name not in FREE:
        if "param" in parts:
            return {"": 1}
        words = 4 if op == "ldmatrix" else int(re.search(r"v(\d)", name)[1]) if re.search(r"\.v\d", name) else 1
        words = int(re.search(r", (\d+)", line.split("]")[-1])[1]) // 4 if op == "cp" else words
        return {"memory": max(words * (2 if kind[-2:] == "64" else 1), 1)}
    if op in FREE or name in FREE or op == "activemask":
        return {"": 1}
    if op == "shfl":
        return {"memory": 1}
    if op != "cvt" and kind in ("f16", "f16x2", "bf16", "bf16x2"):
        return {"half": 1}
    width = "f64" if kind == "f64" else "f32" if kind == "f32" else "64" if kind[-2:] == "64" else "32"
    if op == "mul" and kind[0] in "usb":
        width = "64" if width == "64" else "32"
        return {"alu": 1} if "wide" in parts or "hi" in parts else SEVERAL["mul." + width]
    if op == "mad" and kind[0] in "usb":
        return SEVERAL["mul." + width]
    if f"{op}.{width}" in SEVERAL and "approx" not in parts:
        return SEVERAL[f"{op}.{width}"]
    if op in ("ex2", "lg2", "sin", "cos", "rsqrt", "rcp", "sqrt", "tanh", "popc"):
        return {"special": 1}
    if op == "cvt":
        return {"special": 1} if any(part.endswith("64") for part in parts) else {"alu": 1}
    if op in ("add", "sub", "mul", "fma", "mad") and width in ("f32", "f64"):
        return {width: 1}
    if op in ALU or op in ("add", "sub", "addc", "subc"):
        return {"f64": 1} if width == "f64" and op == "setp" else {"alu": 2 if width in ("64", "f64") else 1}
    raise SystemExit(f"rates.py: which pipe has '{name}'?")


def instructions(text):
    return [line.strip() for line in re.sub(r"//.*|\{\n|@%p\d+ ", "", text).split("\n")
            if re.match(r"\s+(@!?%p\d+ )?[a-z][a-z0-9]*[.;]", line) or line.strip() in ("ret;",)]


def busiest(counts, chip):
    """Cycles of a quarter of a multiprocessor, for a warp; and which pipe."""
    cycles = {"issue": sum(n for pipe, n in counts.items() if pipe != "mma") + (counts["mma"] / 64 if counts["mma"] else 0)}
    for pipe, n in counts.items():
        if pipe == "mma":
            cycles[pipe] = n * 32 / (chip["mma"] / 4)
        elif pipe != "":
            cycles[pipe] = n * 32 / (chip["lanes"][pipe] / 4)
    return max(((n, pipe) for pipe, n in cycles.items()), key=lambda of: of[0])


class Bench:
    def __init__(self, build, chip, is_checked):
        self.build, self.chip, self.is_checked = build, chip, is_checked
        self.scratch = pathlib.Path(tempfile.mkdtemp())

    def kernels(self, text):
        self.element_bytes = {"f64": 8, "f32": 4, "i32": 4}.get(re.search(r"tensor<[0-9x]+x(\w+)>", text)[1], 2)
        """Of the one kernel of a program: its PTX, threads launched."""
        path = self.scratch / "program.mlir"
        path.write_text(text)
        ptx = subprocess.run([self.build / "bin/echo-translate", path, "--emit=ptx", f"--target={self.chip['target']}"],
                             check=True, capture_output=True, text=True).stdout
        self.header = ptx
        found = re.findall(r"grid (\d+), block (\d+)\n.*?\.entry [^{]*\{(.*?)\n\}", ptx, re.S)
        assert len(found) == 1, text
        grid, block, body = found[0]
        return body, int(grid) * int(block)

    def counted(self, text):
        """Instructions of a thread on the emulated GPU."""
        figures, path = self.scratch / "kernels.json", self.scratch / "program.mlir"
        path.write_text(text)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.build / "gpu"), ECHO_GPU=self.chip["target"])
        subprocess.run([self.build / "bin/echo-run", path, "--device=cuda", "--kernels", "--quiet", "--no-cache", f"--json={figures}"],
                       check=True, env=environment)
        return [k for k in json.loads(figures.read_text())["kernels"] if k["launches"]][0]["instructions_a_thread"]

    def check(self, what, more, less, n):
        if self.is_checked:
            counted = self.counted(more) - self.counted(less)
            assert abs(counted - n) <= 0.01 * n, f"{what}: {counted} instructions more on the emulated GPU, and {n} in the PTX"

    def rate(self, per_thread, counts):
        cycles, pipe = busiest(counts, self.chip)
        return per_thread * 32 / cycles * 4 * self.chip["multiprocessors"] * self.chip["ghz"] * 1e9, pipe

    def of_map(self, what, program, less, more):
        """Of a kernel without loops: operations of an element a second."""
        elements = 1 << 15
        counts, total = collections.Counter(), 0
        texts = [program(n, elements) for n in (more, less)]
        for sign, text in zip((1, -1), texts):
            body, threads = self.kernels(text)
            for line in instructions(body):
                for pipe, n in pipes_of(line).items():
                    counts[pipe] += sign * n
                total += sign
        self.check(what, *texts, total)
        operations = (more - less) * elements / threads
        return *self.rate(operations, counts), total / operations

    def of_product(self, what, program):
        """Of the loop along the contracted dimension: flops a second."""
        texts = [program(k) for k in (384, 256)]  # of a loop of one round no loop is left
        body, threads = self.kernels(texts[0])
        block = int(re.search(r"\.maxntid (\d+)", self.header)[1])
        area = 1024 * 2048 * block // threads  # of a tile, whose sides are equal or one twice the other
        side = 1 << (area.bit_length() - 1) // 2
        found = [(m[1], m.start(), body.find(f"\n{m[1]}:")) for m in re.finditer(r"bra(?:\.uni)?\s+(\$L\w+);", body)]
        loops = [(begin, end) for _, end, begin in found if 0 <= begin < end]
        outer = max(loops, key=lambda loop: body.count(".global", *loop) * 1000 - (loop[1] - loop[0]) / 1e6)
        inner = [loop for loop in loops if outer[0] < loop[0] and loop[1] < outer[1]]
        text = body[outer[0]:outer[1]] + "bra;"
        for begin, end in inner:
            text = text.replace(body[begin:end], "\n\t")
        parts = [(1, instructions(text))]
        # What a round copies says how long it is along k, and that how often loops in it go round.
        copied = sum(int(n) for n in re.findall(r"cp\.async\.c.*?\], (\d+)", text)) * block
        copied += sum(4 * int(n or 1) for n in re.findall(r"ld\.global\S*?(?:\.v(\d))?\.\w+\s", text)) * block
        k = copied / (side + area // side) / self.element_bytes
        total = k * area / block
        if inner:
            within = [instructions(body[begin:end] + "bra;") for begin, end in inner]
            rounds = (total - self.products(parts[0][1])) / sum(map(self.products, within))
            parts += [(rounds, loop) for loop in within]
        counts = collections.Counter()
        for times, loop in parts:
            for line in loop:
                for pipe, n in pipes_of(line).items():
                    counts[pipe] += times * n
        n_instructions = sum(times * len(loop) for times, loop in parts)
        assert abs(sum(times * self.products(loop) for times, loop in parts) - total) < 1e-6 * total, (what, k)
        if what in CHECKED_PRODUCTS:
            self.check(what, *texts, n_instructions * 128 / k)
        n_products = sum(times * sum(line.startswith(("fma", "mad", "mma")) for line in loop) for times, loop in parts)
        return *self.rate(2 * total, counts), n_instructions / n_products

    @staticmethod
    def products(loop):
        """Multiply-adds of a thread in a loop's round."""
        return sum(64 * (1 if "k16" in line else 0.5) if line.startswith("mma") else line.startswith(("fma", "mad")) for line in loop)


def chain(kind):
    ops = ("xor", "multiply") if kind == "i32" else ("add", "multiply")

    def program(n, elements):
        type_ = f"tensor<{elements}x{kind}>"
        lines = [f"  %c = stablehlo.constant dense<{5 if kind == 'i32' else 0.5}> : {type_}", f"  %v0 = stablehlo.add %x, %c : {type_}"]
        lines += [f"  %v{i} = stablehlo.{ops[i % 2]} %v{i - 1}, %c : {type_}" for i in range(1, n)]
        return f"func.func @main(%x: {type_}) -> {type_} {{\n" + "\n".join(lines) + f"\n  return %v{n - 1} : {type_}\n}}\n"

    return program


def transcendentals(kind):
    def program(n, elements):
        type_ = f"tensor<{elements}x{kind}>"
        lines = [f"  %v0 = stablehlo.abs %x : {type_}"]
        for i in range(1, n + 1):
            op = ("tanh", "exponential", "log", "logistic")[(i - 1) % 4]
            lines += [f"  %c{i} = stablehlo.constant dense<{0.25 + i * 0.125}> : {type_}", f"  %a{i} = stablehlo.add %x, %c{i} : {type_}",
                      f"  %t{i} = stablehlo.{op} %a{i} : {type_}", f"  %v{i} = stablehlo.add %v{i - 1}, %t{i} : {type_}"]
        return f"func.func @main(%x: {type_}) -> {type_} {{\n" + "\n".join(lines) + f"\n  return %v{n} : {type_}\n}}\n"

    return program


def product(kind, algorithm=""):
    def program(k):
        a, b, c = (f"tensor<{m}x{n}x{kind}>" for m, n in ((1024, k), (k, 2048), (1024, 2048)))
        return (f"func.func @main(%a: {a}, %b: {b}) -> {c} {{\n  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]{algorithm} : ({a}, {b}) -> {c}\n"
                f"  return %0 : {c}\n}}\n")

    return program


TF32 = (", precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, "
        "rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>")


def shipped(build, name):
    text = (pathlib.Path(__file__).resolve().parents[2] / f"planning/cost/devices/{name}.device").read_text()
    return dict(line.split(" = ") for line in text.splitlines() if " = " in line)


def main():
    build, is_checked = pathlib.Path(sys.argv[1]).resolve(), "--check" in sys.argv
    wrong = []
    for name, chip in CHIPS.items():
        bench = Bench(build, chip, is_checked and chip["target"] == "sm_80") # the H100's PTX is the same
        model = shipped(build, name)
        print(f"## {name}\n\n| rate | 10^12 a second | bound by | instructions each | shipped |\n| --- | --: | --- | --: | --: |")
        rows = [("contraction_flops_per_s", kind, bench.of_product(kind, product(kind))) for kind in TYPES]
        rows.append(("contraction_flops_per_s", "tf32", bench.of_product("tf32", product("f32", TF32))))
        rows += [("simple_flops_per_s", kind, bench.of_map(kind, chain(kind), 16, 48)) for kind in TYPES]
        rows += [("transcendentals_per_s", kind, bench.of_map(kind, transcendentals(kind), 4, 8)) for kind in TYPES[:4]]
        for rate, kind, (per_s, pipe, each) in rows:
            key = f"{rate}.{'int' if kind == 'i32' else kind}"
            says = float(model[key]) if key in model else None
            print(f"| {rate}, {kind} | {per_s / 1e12:.3g} | {pipe} | {each:.3g} | {'-' if says is None else f'{says / 1e12:.3g}'} |")
            if says is not None and abs(says - per_s) > 0.01 * per_s:
                wrong.append(f"{name}: {key} is {says:g}, derived {per_s:.3g}")
        print()
    if is_checked and wrong:
        raise SystemExit("\n".join(wrong))


main()
