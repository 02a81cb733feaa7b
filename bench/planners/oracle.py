"""One budget against an integer program: for each gap between two uses of a buffer of the plan without recompute, keep it,
swap it, or run its kernel again, at least time within a budget; solved exactly by CBC (Debian: coinor-cbc).

The program is the compiler's own plan, kernels and predicted times, so the question is nearly the one that
--echo=budget=BYTES,swap=on answers. Nearly: the integer program lets copies overlap for free (each gap waits only for its own
copies) and recomputes whole kernels, while the compiler's copies share two streams, and its clones are fused anew. So it is a
yardstick, not a bound: the gap printed is how much longer the compiler's step is predicted to take, and may be negative."""

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


def solve(program, budget, out_ns, in_ns, work, seconds=60):
    """Least time to add so that live bytes fit the budget; None when nothing fits (or was found in time)."""
    live, gaps = program.live(), list(program.gaps())
    choices = []  # (gap, cost, extra bytes at the step of the next use, buffers needed there)
    for g, (b, first, last) in enumerate(gaps):
        wait = out_ns(program.size[b]) + in_ns(program.size[b]) - (program.start[last] - program.start[first + 1])
        choices.append((g, max(0, wait), 0, set()))
        if (redo := program.again(b, last)) is not None:
            choices.append((g, redo[0], redo[1], redo[2]))
    rows = []
    for g in range(len(gaps)):
        rows.append(" + ".join(f"x{c}" for c, choice in enumerate(choices) if choice[0] == g) + " <= 1")
    for t, bytes_at in enumerate(live):
        terms = [(-program.size[gaps[c[0]][0]], k) for k, c in enumerate(choices) if gaps[c[0]][1] < t < gaps[c[0]][2]]
        terms += [(c[2], k) for k, c in enumerate(choices) if c[2] and gaps[c[0]][2] == t]
        if bytes_at > budget and not terms:
            return None
        if bytes_at > budget or any(size > 0 for size, _ in terms):
            rows.append(" ".join(f"{size:+d} x{k}" for size, k in terms) + f" <= {budget - bytes_at}")
    for k, (g, _, _, needed) in enumerate(choices):
        for u in needed:  # away at that step: in a gap of its own that spans it
            t = gaps[g][2]
            for c, choice in enumerate(choices):
                b, first, last = gaps[choice[0]]
                if b == u and first < t < last:
                    rows.append(f"x{k} + x{c} <= 1")
    lines = ["Minimize", "obj: " + " + ".join(f"{c[1]} x{k}" for k, c in enumerate(choices)), "Subject To"]
    lines += [f"r{i}: {row}" for i, row in enumerate(rows)] + ["Binary", " ".join(f"x{k}" for k in range(len(choices))), "End"]
    (work / "oracle.lp").write_text("\n".join(lines) + "\n")
    subprocess.run(["cbc", str(work / "oracle.lp"), "sec", str(seconds), "solve", "solu", str(work / "oracle.sol")],
                   capture_output=True, text=True, check=True)
    head = (work / "oracle.sol").read_text().splitlines()[0]
    if not head.startswith("Optimal"):
        return None
    return float(head.split("objective value")[1])


def rows_for(bench, model, device, shares=(0.9, 0.8, 0.7, 0.6, 0.5)):
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
               "oracle_overhead": None if best is None else best / total_ns}
        try:
            _, ours, _ = bench.planned(model, f"budget={budget + outside},swap=on", device)
            row["overhead"] = ours["echo.on_ns"] / ours["echo.off_ns"] - 1
        except RuntimeError:
            row["overhead"] = None
        if best is not None and row["overhead"] is not None:
            row["gap"] = (1 + row["overhead"]) / (1 + row["oracle_overhead"]) - 1
        yield row
