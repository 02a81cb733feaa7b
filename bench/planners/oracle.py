# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One budget against an integer program: for each gap between two uses of a buffer of the plan without recompute, keep it,
swap it, or run its kernel again, at least time within a budget; solved exactly by CBC (Debian: coinor-cbc).

The program is the compiler's own plan, kernels and predicted times, so the question is nearly the one that
--echo=budget=BYTES,swap=on answers. Nearly: whole kernels are run again, while the compiler fuses its clones anew, and packing loses nothing. So it is a yardstick, not
a bound: the gap printed is how much longer the compiler's step is predicted to take, and may be negative."""

import json
import re
import shutil
import subprocess

LAUNCH = re.compile(r'"kernel\.launch"\(([^)]*)\) <\{callee = @([\w.]+), n_inputs = (\d+)')
BUFFER = re.compile(r'(%\w+) = "plan\.buffer"\(.*\) -> memref<([^>]*)>')
VIEW = re.compile(r'(%\w+) = "plan\.view"\((%\w+)\)')
BITS = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, "i64": 64, "i32": 32, "i8": 8, "i1": 8, "ui32": 32, "ui64": 64, "ui8": 8}
ALIGNMENT = 64


def is_there():
    return shutil.which("cbc") is not None


def size_of(memref):
    *dims, element = memref.split("x")
    count = 1
    for dim in dims:
        count *= int(dim)
    return -(-count * BITS[element] // 8 // ALIGNMENT) * ALIGNMENT


class Program:
    """Steps of a planned main without control flow, and the versions of its buffers: a launch that writes begins one."""

    def __init__(self, text, ns_of_kernel):
        root, self.size, self.steps = {}, {}, []
        for line in text.splitlines():
            if match := BUFFER.search(line):
                self.size[match[1]] = size_of(match[2])
            elif match := VIEW.search(line):
                root[match[1]] = root.get(match[2], match[2])
            elif match := LAUNCH.search(line):
                names = [root.get(n, n) for n in match[1].split(", ")]
                n_inputs = int(match[3])
                self.steps.append((names[:n_inputs], names[n_inputs:], ns_of_kernel[match[2]]))
            elif "plan.while" in line or "plan.case" in line:
                raise ValueError("control flow")
        self.start = [0]
        for step in self.steps:
            self.start.append(self.start[-1] + step[2])
        self.read_versions()

    def read_versions(self):
        """uses[buffer]: steps; versions[buffer]: (first step, last step that reads it, step that makes it)."""
        self.uses, self.versions = {b: [] for b in self.size}, {b: [] for b in self.size}
        for t, (inputs, outputs, _) in enumerate(self.steps):
            for b in dict.fromkeys(inputs + outputs):
                if b in self.size:
                    self.uses[b].append(t)
            for b in inputs:
                if b in self.size:
                    self.versions[b][-1][1] = t
            for b in outputs:
                if b in self.size:
                    self.versions[b].append([t, t])

    def version_at(self, b, t):
        """The version that a reader at step t finds: made before t, or None."""
        made = [v for v in self.versions[b] if v[0] < t]
        return made[-1] if made else None

    def gaps(self):
        for b, uses in self.uses.items():
            for first, last in zip(uses, uses[1:]):
                if last - first > 1 and b in self.steps[last][0]:
                    yield b, first, last

    def live(self):
        bytes_at = [0] * len(self.steps)
        for b, uses in self.uses.items():
            for t in range(uses[0], uses[-1] + 1) if uses else ():
                bytes_at[t] += self.size[b]
        return bytes_at

    def again(self, b, t, depth=0):
        """Running the kernel of b's version again for step t: (nanoseconds, bytes for what it needs beside, the buffers that
        must be there then), or None where an input is gone for good."""
        version = self.version_at(b, t)
        if version is None or depth > 4:
            return None
        inputs, _, ns = self.steps[version[0]]
        extra, needed = 0, set()
        for u in dict.fromkeys(inputs):
            if u not in self.size:
                continue
            wanted = self.version_at(u, version[0])
            if wanted is None or u == b:
                return None
            if self.version_at(u, t) is wanted and self.uses[u][-1] >= t:
                needed.add(u)
                continue
            if self.version_at(u, t) is not wanted:
                return None
            deeper = self.again(u, t, depth + 1)
            if deeper is None:
                return None
            ns, extra, needed = ns + deeper[0], extra + deeper[1] + self.size[u], needed | deeper[2]
        return ns, extra, needed


class Gap:
    """Variables of a gap: s it is swapped, r its kernel runs again, o_t the copy out is over before step t, i_t the copy in
    begins at step t or later. Away at step t: r + o_t + i_t - s."""

    def __init__(self, program, number, gap, out_ns, in_ns):
        self.number, (self.buffer, self.first, self.last) = number, gap
        self.size = program.size[self.buffer]
        self.out_ns, self.in_ns = out_ns(self.size), in_ns(self.size)
        self.inside = range(self.first + 1, self.last)
        self.redo = program.again(self.buffer, self.last)

    def name(self, kind, t=None):
        return f"{kind}{self.number}" if t is None else f"{kind}{self.number}_{t}"

    def rows(self):
        yield f"{self.name('s')} + {self.name('r')} <= 1"
        if self.redo is None:
            yield f"{self.name('r')} <= 0"
        for t in self.inside:
            o, i, s = self.name("o", t), self.name("i", t), self.name("s")
            yield f"{o} - {s} <= 0"
            yield f"{i} - {s} <= 0"
            yield f"{s} - {o} - {i} <= 0"
            if t + 1 in self.inside:
                yield f"{o} - {self.name('o', t + 1)} <= 0"
                yield f"{self.name('i', t + 1)} - {i} <= 0"

    def binaries(self):
        yield from (self.name("s"), self.name("r"))
        for t in self.inside:
            yield from (self.name("o", t), self.name("i", t))


def memory_rows(program, gaps, budget):
    for t, bytes_at in enumerate(program.live()):
        terms = []
        for gap in gaps:
            if t in gap.inside:
                terms += [f"- {gap.size} {gap.name('r')}", f"- {gap.size} {gap.name('o', t)}", f"- {gap.size} {gap.name('i', t)}",
                          f"+ {gap.size} {gap.name('s')}"]
            if gap.redo is not None and gap.redo[1] and gap.last == t:
                terms.append(f"+ {gap.redo[1]} {gap.name('r')}")
        if terms or bytes_at > budget:
            yield (" ".join(terms) or f"0 w{t}") + f" <= {budget - bytes_at}"


def stream_rows(program, gaps):
    """What is copied in a window of steps fits its time and the waiting in it; w_t is all waiting before step t."""
    starts = program.start
    for t in range(1, len(program.steps)):
        yield f"w{t - 1} - w{t} <= 0"
        for begin in sorted({gap.first for gap in gaps if t in gap.inside}):
            terms = [f"+ {gap.out_ns} {gap.name('o', t)}" for gap in gaps if gap.first >= begin and t in gap.inside]
            yield " ".join(terms) + f" + w{begin} - w{t} <= {starts[t] - starts[begin + 1]}"
        for end in sorted({gap.last for gap in gaps if t in gap.inside}):
            terms = [f"+ {gap.in_ns} {gap.name('i', t)}" for gap in gaps if gap.last <= end and t in gap.inside]
            yield " ".join(terms) + f" + w{t} - w{end} <= {starts[end] - starts[t]}"


def need_rows(gaps):
    """What is run again finds its inputs."""
    for gap in gaps:
        for other in gaps:
            if gap.redo is not None and other.buffer in gap.redo[2] and gap.last in other.inside:
                o, i = other.name("o", gap.last), other.name("i", gap.last)
                yield f"{gap.name('r')} + {other.name('r')} + {o} + {i} - {other.name('s')} <= 1"


def solve(program, budget, out_ns, in_ns, work, seconds=30):
    """(least time to add so that live bytes fit the budget, whether that was proved); None when none was found in time."""
    gaps = [Gap(program, n, gap, out_ns, in_ns) for n, gap in enumerate(program.gaps())]
    rows = [row for gap in gaps for row in gap.rows()]
    rows += [*memory_rows(program, gaps, budget), *stream_rows(program, gaps), *need_rows(gaps)]
    costs = [f"{gap.redo[0]} {gap.name('r')}" for gap in gaps if gap.redo is not None]
    lines = ["Minimize", "obj: " + " + ".join([f"w{len(program.steps) - 1}"] + costs), "Subject To"]
    lines += [f"c{i}: {row}" for i, row in enumerate(rows)] + ["Binary", *(b for gap in gaps for b in gap.binaries()), "End"]
    (work / "oracle.lp").write_text("\n".join(lines) + "\n")
    subprocess.run(["cbc", str(work / "oracle.lp"), "sec", str(seconds), "ratio", "0.001", "solve", "solu", str(work / "oracle.sol")],
                   capture_output=True, text=True, check=True)
    head = (work / "oracle.sol").read_text().splitlines()[0]
    if "objective value" not in head or head.startswith(("Infeasible", "Integer infeasible")):
        return None
    return float(head.split("objective value")[1]), head.startswith("Optimal")


def rows_for(bench, model, device, shares=(0.8, 0.65, 0.5)):
    """Compares at shares of the arena without recompute: yields dictionaries with both predicted overheads."""
    planned, facts, _ = bench.planned(model, None, device)
    listing = bench.work / "kernels.json"
    bench.call(["echo-run", planned, "--plan-only", "--kernels", f"--device-model={device}", f"--json={listing}", "--quiet"])
    ns = {k["name"]: k["predicted_ns"] for k in json.loads(listing.read_text())["kernels"]}
    program = Program(planned.read_text(), ns)
    rates = dict(line.split(" = ") for line in bench.call(["echo-plan", "device", device])[0].splitlines() if " = " in line)

    def copy(way):
        rate, latency = float(rates[f"copy_{way}_bytes_per_s"]), float(rates[f"copy_{way}_latency_ns"])
        return lambda n: round(n / rate * 1e9 + latency)

    arena, outside = facts["plan.temp_bytes"], facts["plan.peak_bytes"] - facts["plan.temp_bytes"]
    total_ns = program.start[-1]
    for share in shares:
        budget = int(arena * share)
        best = solve(program, budget, copy("out"), copy("in"), bench.work)
        row = {"share": share, "budget_bytes": budget + outside, "steps": len(program.steps),
               "oracle_overhead": None if best is None else best[0] / total_ns, "proved": best is not None and best[1]}
        try:
            _, ours, _ = bench.planned(model, f"budget={budget + outside},swap=on", device)
            row["overhead"] = ours["echo.on_ns"] / ours["echo.off_ns"] - 1
        except RuntimeError:
            row["overhead"] = None
        if best is not None and row["overhead"] is not None:
            row["gap"] = (1 + row["overhead"]) / (1 + row["oracle_overhead"]) - 1
        yield row
