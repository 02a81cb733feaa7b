# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for many processes, on the MPI that is here: every collective by every type against NumPy, a training step against the
same step on one process, steps for the whole batch that are divided, Echo on and off, and what must be refused. Usage: check_mpi.py BUILD."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

BUILD = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
RUN = BUILD / "bin" / "echo-run"
LAUNCHERS = [
    command
    for command in (["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"], ["mpirun.mpich"])
    if shutil.which(command[0])
] or [["mpirun", "--oversubscribe", "--allow-run-as-root"]]
NARROW = "bf16 f8E5M2 f8E4M3 f8E3M4 f8E4M3FN f8E4M3FNUZ f8E5M2FNUZ f8E4M3B11FNUZ f6E2M3FN f6E3M2FN f4E2M1FN".split()
TYPES = "i1 i4 i8 i16 i32 i64 ui4 ui8 ui16 ui32 ui64 f16 f32 f64 complex<f32> complex<f64>".split() + NARROW
# Products of four numbers up to 2 are beyond these.
SMALL = "f8E3M4 f6E2M3FN f4E2M1FN".split()
# What stands in a file for a type that NumPy lacks, or that stands there in another form.
STORED = {"i4": "i32", "ui4": "ui32", "complex<f32>": "f32", "complex<f64>": "f64"} | dict.fromkeys(NARROW, "f32")
NUMPY = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64"}
failures = []


def numpy_type(name):
    name = STORED.get(name, name)
    return np.dtype(NUMPY.get(name, name.replace("ui", "uint") if name[0] == "u" else name.replace("i", "int")))


def reductions(name):
    if name == "i1":
        return {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}
    if name.startswith("complex"):
        return {"add": np.add}
    known = {"add": np.add, "multiply": np.multiply, "minimum": np.minimum, "maximum": np.maximum}
    if "i" in name:
        known |= {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
    return known


def wrapped(total, name):
    return (total + 8) % 16 - 8 if name == "i4" else total % 16 if name == "ui4" else total


def groups_text(groups):
    return f"dense<{groups}> : tensor<{len(groups)}x{len(groups[0])}xi64>"


class Module:
    """A module of replicas, and what NumPy says of it."""

    def __init__(self, n):
        self.n, self.args, self.lines, self.results, self.expected, self.inputs = n, [], [], [], [], {}

    def value(self, name, rng):
        """An argument of 4x6 on each process, as a value of this type; the array of all."""
        stored = STORED.get(name, name)
        dtype = numpy_type(name)
        whole = rng.integers(0 if name == "i1" else 1, 2 if name == "i1" else 3, (self.n, 4, 6)).astype(dtype)
        i = len(self.args)
        self.inputs[f"arg{i}"] = whole
        self.args.append(f"%arg{i}: tensor<4x6x{stored}>")
        if stored == name:
            return f"%arg{i}", whole
        if name.startswith("complex"):
            self.lines.append(f"%v{i} = stablehlo.complex %arg{i}, %arg{i} : tensor<4x6x{name}>")
        else:
            self.lines.append(f"%v{i} = stablehlo.convert %arg{i} : (tensor<4x6x{stored}>) -> tensor<4x6x{name}>")
        return f"%v{i}", whole

    def give(self, text, name, shape, expected):
        k = len(self.results)
        kind = f"tensor<{'x'.join(map(str, shape))}x{name}>"
        self.lines.append(f"%r{k} = {text}{kind}")
        stored = STORED.get(name, name)
        given = kind.replace(name, stored)
        if name.startswith("complex"):
            self.lines.append(f"%s{k} = stablehlo.imag %r{k} : ({kind}) -> {given}")
        elif stored != name:
            self.lines.append(f"%s{k} = stablehlo.convert %r{k} : ({kind}) -> {given}")
        self.results.append((f"%s{k}" if stored != name else f"%r{k}", given))
        self.expected.append((text.split("(")[0] + " " + name, np.stack(expected)))

    def collective(self, op, value, name, attrs, shape, expected, body=None):
        region = ""
        if body:
            scalar = f"tensor<{name}>"
            region = f" ({{\n^bb0(%a: {scalar}, %b: {scalar}):\n{body}\nstablehlo.return %c : {scalar}\n}})"
        self.give(
            f'"stablehlo.{op}"({value}) <{{{attrs}}}>{region} : (tensor<4x6x{name}>) -> ', name, shape, expected
        )

    def add_type(self, name, rng):
        value, x = self.value(name, rng)
        n, everyone = self.n, [list(range(self.n))]
        groups = "replica_groups = " + groups_text(everyone)
        for op, function in reductions(name).items():
            total = x[0]
            for other in x[1:]:
                total = function(total, other).astype(x.dtype)
                total = wrapped(total, name)
            body = f"%c = stablehlo.{op} %a, %b : tensor<{name}>"
            self.collective("all_reduce", value, name, groups, (4, 6), [total] * n, body)
            self.collective(
                "reduce_scatter", value, name, groups + ", scatter_dimension = 0 : i64", (4 // n, 6),
                [total[r * 4 // n : (r + 1) * 4 // n] for r in range(n)], body,
            )
        self.collective(
            "all_gather", value, name, groups + ", all_gather_dim = 1 : i64", (4, 6 * n), [np.concatenate(x, 1)] * n
        )
        self.collective(
            "all_to_all", value, name,
            groups + f", split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = {n} : i64",
            (4 // n, 6 * n), [np.concatenate([part[r * 4 // n : (r + 1) * 4 // n] for part in x], 1) for r in range(n)],
        )
        if n == 4:
            self.add_uneven(value, x, name)
        self.collective("collective_broadcast", value, name, "replica_groups = " + groups_text([[1, 0]]), (4, 6),
                        [x[1], x[1]] + [x[1] * 0] * (n - 2))
        self.collective("collective_permute", value, name, f"source_target_pairs = {groups_text([[0, 1], [n - 1, 0]])}",
                        (4, 6), [x[n - 1], x[0]] + [x[0] * 0] * (n - 2))

    def add_uneven(self, value, x, name):
        """Groups of three and of one."""
        op, function = list(reductions(name).items())[0]
        total = x[2]
        for other in (x[0], x[3]):
            total = function(total, other).astype(x.dtype)
            total = wrapped(total, name)
        groups = "replica_groups = " + groups_text([[2, 0, 3], [1, -1, -1]])
        body = f"%c = stablehlo.{op} %a, %b : tensor<{name}>"
        self.collective("all_reduce", value, name, groups, (4, 6), [total, x[1], total, total], body)

    def add_order(self, rng):
        """2a + b: from first to last, in the order of the groups."""
        value, x = self.value("f32", rng)
        pairs = [[1, 0]] if self.n == 2 else [[2, 0], [1, 3]]
        expected = [None] * self.n
        for a, b in pairs:
            expected[a] = expected[b] = 2 * x[a] + x[b]
        body = "%d = stablehlo.add %a, %a : tensor<f32>\n%c = stablehlo.add %d, %b : tensor<f32>"
        self.collective("all_reduce", value, "f32", "replica_groups = " + groups_text(pairs), (4, 6), expected, body)
        self.give("stablehlo.replica_id : ", "ui32", (), [np.uint32(r) for r in range(self.n)])
        self.results[-1] = (self.results[-1][0], "tensor<ui32>")
        self.lines[-1] = self.lines[-1].replace("tensor<xui32>", "tensor<ui32>")

    def text(self):
        types = ", ".join(t for _, t in self.results)
        values = ", ".join(v for v, _ in self.results)
        lines = "\n".join(self.lines)
        return (
            f"module attributes {{mhlo.num_replicas = {self.n} : i32}} {{\nfunc.func @main({', '.join(self.args)}) -> ({types}) {{\n"
            f"{lines}\nreturn {values} : {types}\n}}\n}}\n"
        )


def launch(launcher, n, *arguments, **options):
    command = launcher + ["-n", str(n), str(RUN), "--threads=1", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **{"timeout": 300, **options})


def fail(what, done=None):
    failures.append(what)
    print(f"{what}\n{done.stdout[-2000:]}{done.stderr[-2000:]}" if done else what)


def check_collectives(scratch, launcher, n, device="interpreter"):
    rng = np.random.default_rng(n)
    module = Module(n)
    for name in TYPES:
        if n == 2 or name not in SMALL:
            module.add_type(name, rng)
    module.add_order(rng)
    (scratch / "all.mlir").write_text(module.text())
    np.savez(scratch / "in.npz", **module.inputs)
    done = launch(launcher, n, f"--device={device}", f"--inputs={scratch}/in.npz", f"--outputs={scratch}/out.npz",
                  "--quiet", scratch / "all.mlir")
    if done.returncode != 0:
        fail(f"{launcher[0]} -n {n}: all collectives", done)
        return
    out = np.load(scratch / "out.npz")
    for i, (what, expected) in enumerate(module.expected):
        if not np.array_equal(out[f"res{i}"], expected):
            fail(f"{launcher[0]} -n {n}: {what}: got\n{out[f'res{i}']}\nexpected\n{expected}")


def write_sums(scratch, n, terms):
    """order.mlir adds up arrays of the given sizes and floats over n processes, in.npz has their inputs. The sums from the first member to the last, by name."""
    rng = np.random.default_rng(n)
    lines, results, types, inputs, expected = [], [], [], {}, {}
    for i, (size, element) in enumerate(terms):
        kind, dtype = f"tensor<{size}x{element}>", element.replace("f", "float")
        x = (rng.standard_normal((n, size)) * 10.0 ** rng.integers(-3, 4, (n, size))).astype(dtype)
        total = x[0]
        for other in x[1:]:
            total = (total + other).astype(dtype)
        inputs[f"arg{i}"], expected[f"res{i}"] = x, np.stack([total] * n)
        lines.append(f'''%r{i} = "stablehlo.all_reduce"(%arg{i}) <{{replica_groups = {groups_text([list(range(n))])}}}> ({{
            ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
              %c = stablehlo.add %a, %b : tensor<{element}>
              stablehlo.return %c : tensor<{element}>
            }}) : ({kind}) -> {kind}''')
        results.append(f"%r{i}")
        types.append(kind)
    arguments = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(types))
    (scratch / "order.mlir").write_text(
        f"module attributes {{mhlo.num_replicas = {n} : i32}} {{\nfunc.func @main({arguments}) -> ({', '.join(types)}) {{\n"
        + "\n".join(lines) + f"\nreturn {', '.join(results)} : {', '.join(types)}\n}}\n}}\n")
    np.savez(scratch / "in.npz", **inputs)
    return expected


def check_order(scratch, launcher, n):
    """Sums of many floats go from the first member to the last: the bits of that sum, whatever the size, and the engine."""
    sizes = (1, n - 1, 4096 // n, 4096 // n + 1, 100003) + (3,) * 70  # more than one call carries
    expected = write_sums(scratch, n, [(size, "f32") for size in sizes])
    done = launch(launcher, n, f"--inputs={scratch}/in.npz", f"--outputs={scratch}/out.npz", f"--json={scratch}/figures.json", "--quiet",
                  "--no-cache", scratch / "order.mlir")
    if done.returncode != 0:
        fail(f"{launcher[0]} -n {n}: sums of many floats", done)
        return
    out = np.load(scratch / "out.npz")
    for name, total in expected.items():
        if out[name].tobytes() != total.tobytes():
            fail(f"{launcher[0]} -n {n}: {name} is not the sum from the first member to the last")
    told = json.loads((scratch / "figures.json").read_text())["processes"]
    # The small ones travel together; nothing reads a sum here, so that each but the last runs beside the next one's beginning.
    if told["n"] != n or not 2 <= told["n_calls"] < len(sizes) or told["n_calls_beside"] < 1 or told["own_bytes"] == 0:
        fail(f"{launcher[0]} -n {n}: the report says {told}")
    check_unsaid(scratch, launcher, n, out)


def check_unsaid(scratch, launcher, n, wanted):
    """A module that does not say for how many processes it is, as XLA's other callers write it, is for those that its groups name."""
    text = (scratch / "order.mlir").read_text().replace(f" attributes {{mhlo.num_replicas = {n} : i32}}", "", 1)
    (scratch / "unsaid.mlir").write_text(text)
    done = launch(launcher, n, f"--inputs={scratch}/in.npz", f"--outputs={scratch}/unsaid.npz", "--quiet", "--no-cache",
                  scratch / "unsaid.mlir")
    if done.returncode != 0:
        fail(f"{launcher[0]} -n {n}: groups without a number of processes", done)
        return
    out = np.load(scratch / "unsaid.npz")
    if any(out[name].tobytes() != wanted[name].tobytes() for name in wanted):
        fail(f"{launcher[0]} -n {n}: other results where the module does not say for how many processes it is")
    alone = launch(launcher, 1, "--quiet", "--no-cache", scratch / "unsaid.mlir")
    if alone.returncode == 0 or f"is for {n} processes" not in alone.stderr:
        fail(f"{launcher[0]}: one process of {n} that groups name", alone)


def check_training(scratch, launcher):
    """The step of JAX's shard_map on four processes, and the same step of one on the whole batch."""
    results = {}
    for key, n, arguments in (
        ("whole", 1, [HERE / "step_whole.mlir"]),
        ("off", 4, [HERE / "step_4.mlir"]),
        ("on", 4, ["--echo=budget=min", HERE / "step_4.mlir"]),
    ):
        done = launch(launcher, n, "--quiet", "--steps=3", "--feed=res0:arg0", f"--outputs={scratch}/{key}.npz", "--no-cache",
                      *arguments)
        if done.returncode != 0:
            fail(f"{launcher[0]}: training, {key}", done)
            return
        results[key] = np.load(scratch / f"{key}.npz")
    for name in ("res0", "res1"):
        if results["on"][name].tobytes() != results["off"][name].tobytes():
            fail(f"{launcher[0]}: {name} is not the same bits with Echo on and off")
        if not np.allclose(results["off"][name], results["whole"][name], rtol=1e-5, atol=1e-7):
            fail(f"{launcher[0]}: {name} of four is not that of one")


def check_stages(scratch, launcher):
    """What a process runs may come at any stage; calls that have no groups are refused before anything runs."""
    opt, step = BUILD / "bin" / "echo-opt", scratch / "calls.mlir"
    passes = "builtin.module(read-shardings,inline,symbol-dce,canonicalize,cse,partition{processes=4},canonicalize,cse,dce,bucket-collectives,lower-collectives)"
    subprocess.run([opt, HERE / "step_4.mlir", f"--pass-pipeline={passes}", "-o", step], check=True)
    results = {}
    for stage in ("model", "kernels", "planned", "loops"):
        path = scratch / f"{stage}.mlir"
        subprocess.run([opt, step, *([] if stage == "model" else [f"--to={stage}"]), "-o", path], check=True)
        done = launch(launcher, 4, "--quiet", "--no-cache", f"--outputs={scratch}/{stage}.npz", path)
        if done.returncode != 0:
            fail(f"{launcher[0]} -n 4: a step at stage {stage}", done)
            return
        results[stage] = np.load(scratch / f"{stage}.npz")
        for name, array in results["model"].items():
            if results[stage][name].tobytes() != array.tobytes():
                fail(f"{launcher[0]} -n 4: {name} of stage {stage} is not that of stage model")
    text = (scratch / "planned.mlir").read_text()
    for old, new in (("group_size = 4", "group_size = 0"), ("group_size = 4 : i64, ", ""), ("ranks = array<i64: 0, 1, 2, 3>", "ranks = array<i64: 0, 1, 2, 9>"),
                     ("ranks = array<i64: 0, 1, 2, 3>", 'ranks = "all"')):
        (scratch / "bad.mlir").write_text(text.replace(old, new))
        done = launch(launcher, 4, "--quiet", "--no-cache", scratch / "bad.mlir")
        if done.returncode != 1 or "has no groups of 4 processes in its configuration" not in done.stderr:
            fail(f"{launcher[0]}: '{new}' for '{old}' was to be refused", done)


def check_partitioned(scratch, launcher, name, n, *split):
    """A step for the whole batch, on one process and divided among n; with Echo too, to the bit."""
    results = {}
    for key, processes, arguments in (("whole", 1, []), ("off", n, split), ("on", n, [*split, "--echo=budget=min"])):
        done = launch(launcher, processes, "--quiet", "--steps=2", "--feed=res0:arg0", f"--outputs={scratch}/{key}.npz",
                      *arguments, HERE / name)
        if done.returncode != 0:
            fail(f"{launcher[0]} -n {processes}: {name} {key}", done)
            return
        results[key] = np.load(scratch / f"{key}.npz")
    for array, whole in results["whole"].items():
        if results["on"][array].tobytes() != results["off"][array].tobytes():
            fail(f"{launcher[0]} -n {n}: {name}: {array} is not the same bits with Echo on and off")
        # Sums over the batch are of at most 8 x 6 terms, of the size of the results: some 50 ULP, and more through two steps.
        if not np.allclose(results["off"][array], whole, rtol=1e-5, atol=1e-6):
            fail(f"{launcher[0]} -n {n}: {name}: {array} is not that of one process")


def check_uncounted(scratch, launcher):
    """A module that does not say how many processes it is for, as Shardy's tools write it, is for the devices of its mesh."""
    counts = re.compile(r"mhlo.num_(partitions|replicas) = \d+ : i32,? ?")
    for name in ("jit_tensor.mlir", "step_4.mlir"):
        saved = []
        (scratch / name).write_text(counts.sub("", (HERE / name).read_text()))
        for file in (HERE / name, scratch / name):
            done = launch(launcher, 4, "--quiet", f"--outputs={scratch}/uncounted.npz", file)
            if done.returncode != 0:
                fail(f"{launcher[0]}: {name}, whose mesh says how many processes there are", done)
                return
            saved.append((scratch / "uncounted.npz").read_bytes())
        if saved[0] != saved[1]:
            fail(f"{launcher[0]}: {name}: the mesh says how many processes there are, and another result comes of it")
    (scratch / "reshard.mlir").write_text("""sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %0 = sdy.reshard %x <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
""")
    done = launch(launcher, 2, "--json=" + str(scratch / "reshard.json"), scratch / "reshard.mlir")
    if done.returncode != 0 or json.loads((scratch / "reshard.json").read_text())["planned_arg_bytes"] != 32:
        fail(f"{launcher[0]}: a value that is resharded has half of its 64 bytes on each process", done)
    # The mesh is the one that shardings name, by its name or as it stands; a function beside sharded ones is of wholes, too.
    cut = """func.func @main(%x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<MESH, [{"x"}, {}]>}) -> tensor<8x2xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
"""
    beside = """func.func private @beside(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
"""
    meshes = 'sdy.mesh @unused = <["a"=8]>\nsdy.mesh @mesh = <["x"=2]>\n'
    for what, text, arguments, n_arg_bytes in (
        ("a mesh beside a larger one", meshes + cut.replace("MESH", "@mesh"), [], 32),
        ("GSPMD's tiles", cut.replace('sdy.sharding = #sdy.sharding<MESH, [{"x"}, {}]>', 'mhlo.sharding = "{devices=[2,1]<=[2]}"'), [], 32),
        ("a mesh that has no name", cut.replace("MESH", 'mesh<["x"=2]>'), [], 32),
        ("partitions that nothing tells apart", "module attributes {mhlo.num_partitions = 2 : i32} {\n" + beside.replace("private @beside", "@main") + "}\n", [], 64),
        ("a function beside a sharded one", meshes + cut.replace("MESH", "@mesh") + beside, ["--entry=beside"], 64),
    ):
        (scratch / "mesh.mlir").write_text(text)
        done = launch(launcher, 2, f"--outputs={scratch}/mesh.npz", f"--json={scratch}/mesh.json", "--quiet", *arguments, scratch / "mesh.mlir")
        if (done.returncode != 0 or json.loads((scratch / "mesh.json").read_text())["planned_arg_bytes"] != n_arg_bytes
                or np.load(scratch / "mesh.npz")["res0"].shape != (8, 2)):
            fail(f"{launcher[0]}: {what}: {n_arg_bytes} bytes of arguments and a whole result", done)
    done = launch(launcher, 2, scratch / "step_4.mlir")
    if done.returncode == 0 or "the module is for 4 processes, and there are 2" not in done.stderr:
        fail(f"{launcher[0]}: two processes where the mesh has four devices", done)


def check_state(scratch, launcher, device="cpu"):
    """Moments of Adam in parts: the same bits, planned and measured bytes less by what the others have, and files for any number."""
    text = (HERE / "jit_adam.mlir").read_text()
    moments = [8 * size for size in (12 * 32, 32, 32 * 20, 20, 20 * 5)]  # bytes of two; the last bias has five elements and stays whole
    (scratch / "jit_adam2.mlir").write_text(text.replace('"d"=4', '"d"=2').replace('size = 4', 'size = 2').replace("num_partitions = 4", "num_partitions = 2"))
    results, told = {}, {}
    rng = np.random.default_rng(7)
    inputs = {f"arg{i}": rng.standard_normal(shape).astype("f4") for i, shape in {19: (16, 12), 20: (16, 5)}.items()}
    inputs |= {f"arg{6 + k + i}": np.zeros(shape, "f4") for k in (1, 7) for i, shape in enumerate([(12, 32), (32,), (32, 20), (20,), (20, 5), (5,)])}
    inputs["arg6"] = np.int32(0)
    np.savez(scratch / "adam.npz", **inputs)

    def run(key, n, steps, arrays, *arguments):
        module = HERE / "jit_adam.mlir" if n == 4 else scratch / "jit_adam2.mlir"
        done = launch(launcher, n, f"--device={device}", "--quiet", f"--steps={steps}", f"--inputs={arrays}", f"--outputs={scratch}/{key}.npz",
                      f"--json={scratch}/{key}.json", *arguments, module)
        if done.returncode != 0:
            fail(f"{launcher[0]} -n {n}: state in parts, {key}", done)
            return False
        results[key] = dict(np.load(scratch / f"{key}.npz"))
        told[key] = json.loads((scratch / f"{key}.json").read_text())
        return True

    for n in (2, 4):
        start = scratch / "adam.npz"
        if not (run("whole", n, 3, start) and run("parts", n, 3, start, "--shard-state")
                and run("echo", n, 3, start, "--shard-state", "--echo=budget=min") and run("norms", n, 3, start, "--shard-state=norms")):
            return
        for key in ("parts", "echo"):
            for name, array in results["whole"].items():
                if results[key][name].tobytes() != array.tobytes():
                    fail(f"{launcher[0]} -n {n}: {name} is not the same bits with state in parts, {key}")
        for name, array in results["whole"].items():
            # A norm of 1,181 squares in another order: a few ULP, once a step.
            if not np.allclose(results["norms"][name], array, rtol=1e-5, atol=1e-7):
                fail(f"{launcher[0]} -n {n}: {name} with norms by parts is not that of the whole")
        spared = sum(bytes - bytes // n for bytes in moments)
        for key in ("parts", "norms"):
            less = told["whole"]["planned_arg_bytes"] - told[key]["planned_arg_bytes"]
            if less != spared or told[key]["measured_peak_bytes"] != told[key]["planned_peak_bytes"]:
                fail(f"{launcher[0]} -n {n}: state in parts, {key}: {less} bytes less of arguments, expected {spared}; {told[key]}")
        if told["parts"]["processes"]["state_bytes_elsewhere"] != spared or told["whole"]["processes"]["state_bytes_elsewhere"] != 0:
            fail(f"{launcher[0]} -n {n}: the report says {told['parts']['processes']} of state in parts")
        # Gradients in parts are one exchange and parameters one gather, however many there are; the bias that stays whole and the norm
        # are calls more.
        for key, most in (("parts", 3), ("norms", 5)):
            if told[key]["processes"]["n_calls"] > 3 * most:
                fail(f"{launcher[0]} -n {n}: state in parts, {key}: more than {most} calls a step: {told[key]['processes']}")
        # A budget takes it where nothing else fits, and not where the step fits as it is.
        fits = told["whole"]["planned_peak_bytes"]
        if run("fits", n, 1, start, f"--echo=budget={fits}") and told["fits"]["planned_arg_bytes"] != told["whole"]["planned_arg_bytes"]:
            fail(f"{launcher[0]} -n {n}: state in parts, but the budget asked for nothing")
        budget = told["echo"]["planned_peak_bytes"]
        if run("budget", n, 3, start, f"--echo=budget={budget}"):
            if told["budget"]["measured_peak_bytes"] > budget or any(
                results["budget"][name].tobytes() != array.tobytes() for name, array in results["whole"].items()
            ):
                fail(f"{launcher[0]} -n {n}: a budget of {budget} bytes was to be kept, with the bits of before: {told['budget']}")
        # So does a price that its calls are within, and with no more bytes than the least.
        if run("price", n, 3, start, "--echo=overhead=1000%"):
            if told["price"]["planned_peak_bytes"] > budget or any(
                results["price"][name].tobytes() != array.tobytes() for name, array in results["whole"].items()
            ):
                fail(f"{launcher[0]} -n {n}: at any price no more than {budget} bytes are needed, with the bits of before: {told['price']}")
        done = launch(launcher, n, f"--device={device}", "--quiet", "--plan-only", f"--echo=budget={budget}", "--shard-state=off",
                      HERE / "jit_adam.mlir" if n == 4 else scratch / "jit_adam2.mlir")
        if done.returncode == 0 or "cannot be brought below the budget" not in done.stderr:
            fail(f"{launcher[0]} -n {n}: {budget} bytes are too few for whole state", done)
    # Two steps on 4 processes, the third on 2: arrays are whole in between.
    if run("first", 4, 2, scratch / "adam.npz", "--shard-state"):
        for i in range(19):
            inputs[f"arg{i}"] = results["first"][f"res{i}"]
        np.savez(scratch / "next.npz", **inputs)
        if run("then", 2, 1, scratch / "next.npz", "--shard-state") and not all(
            np.allclose(results["then"][name], array, rtol=1e-5, atol=1e-6) for name, array in results["whole"].items()
        ):
            fail(f"{launcher[0]}: state in parts of four processes is not read back by two")


def check_samples(scratch, launcher):
    """Losses of samples on many processes are those of one, and a checkpoint of many is one of any number."""

    def losses(n, name, *arguments):
        command = [str(BUILD / "bin" / name), "--threads=1", f"--json={scratch}/losses.json", f"--cache-dir={scratch}", *arguments]
        if n > 1:
            command = [*launcher, "-n", str(n), *command, "--data-parallel"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            fail(f"{launcher[0]}: {' '.join(command)}", done)
            return []
        if n > 1 and (f"{n} processes: " not in done.stdout or "beside computation" not in done.stdout):
            fail(f"{launcher[0]}: {name} does not say what went between processes", done)
        return json.loads((scratch / "losses.json").read_text())["losses"]

    def compare(what, got, expected):
        # A loss is a mean over some hundred words, and its sums differ in their order: a few ULP, and more with each step.
        if len(got) != len(expected) or not np.allclose(got, expected, rtol=1e-5):
            fail(f"{launcher[0]}: losses of {what}: {got}, expected {expected}")

    nmt = ["--hidden=8", "--length=4", "--batch=8", "--max-pairs=300", "--dropout=0.2", "--no-validation", "--quiet"]
    file = scratch / "nmt.safetensors"
    whole = losses(1, "nmt", *nmt, "--steps=6")
    compare("nmt on 4", losses(4, "nmt", *nmt, "--steps=3", f"--save={file}"), whole[:3])
    compare("nmt resumed on 2", losses(2, "nmt", *nmt, "--steps=6", f"--resume={file}"), whole[3:])
    compare("nmt resumed on 1", losses(1, "nmt", *nmt, "--steps=6", f"--resume={file}"), whole[3:])
    parts = scratch / "parts.safetensors"
    state = losses(4, "nmt", *nmt, "--steps=3", f"--save={parts}", "--shard-state")
    if state != losses(4, "nmt", *nmt, "--steps=3", f"--save={file}") or parts.read_bytes() != file.read_bytes():
        fail(f"{launcher[0]}: losses and checkpoint of nmt with state in parts are not those with whole state")
    compare("nmt resumed on 2, state in parts", losses(2, "nmt", *nmt, "--steps=6", f"--resume={parts}", "--shard-state"), whole[3:])
    net = ["--model=transformer", "--layers=1", "--hidden=8", "--heads=2", "--length=4", "--classes=16", "--batch=4", "--steps=3"]
    compare("nets on 2", losses(2, "nets", *net), losses(1, "nets", *net))
    adam = [*net, "--optimizer=adam"]
    if losses(2, "nets", *adam, "--shard-state", f"--save={parts}") != losses(2, "nets", *adam, f"--save={file}"):
        fail(f"{launcher[0]}: losses of nets with state in parts are not those with whole state")
    if parts.read_bytes() != file.read_bytes():
        fail(f"{launcher[0]}: what nets saves with state in parts is not what it saves with whole state")
    for name, arguments, message in (
        ("nmt", nmt, "there are 2 processes: say --data-parallel"),
        ("nets", [*net, "--batch=3", "--data-parallel"], "which 2 processes do not divide: take another batch size"),
    ):
        done = subprocess.run([*launcher, "-n", "2", BUILD / "bin" / name, *arguments], capture_output=True, text=True, timeout=300)
        if done.returncode == 0 or message not in done.stderr:
            fail(f"{launcher[0]}: {name}: '{message}' was to be said", done)


def check_calibrated(scratch, launcher):
    """The link of two processes is in the model that they measure, and what is planned goes by it."""
    model = scratch / "host.device"
    done = launch(launcher, 2, f"--calibrate={model}", timeout=900)
    if done.returncode != 0 or "bytes, link" not in done.stdout:
        fail(f"{launcher[0]}: the link was to be measured", done)
        return
    numbers = dict(line.split(" = ") for line in model.read_text().splitlines() if " = " in line)
    latency, rate = (float(numbers[key]) for key in ("link_latency_ns", "link_bytes_per_s"))
    if not (20 < latency < 1e9 and 1e6 < rate < 1e12) or done.stdout.count("bytes, link") != 1:
        fail(f"{launcher[0]}: a link of {latency} ns and {rate} bytes a second", done)


def check_refused(scratch, launcher):
    step = HERE / "step_4.mlir"
    text = step.read_text()
    cases = {
        "for 4 processes, and there are 2": (2, text),
        "replica_groups has process 1 more than once": (4, text.replace("[[0, 1, 2, 3]]", "[[0, 1, 1, 3]]")),
        "has 3 of 4 in its replica_groups": (
            4, text.replace("[[0, 1, 2, 3]]> : tensor<1x4xi64>", "[[0, 1, 2]]> : tensor<1x3xi64>")),
        "replica_groups misses process 3": (4, text.replace("[[0, 1, 2, 3]]", "[[0, 1, 2, 4]]")),
        "argument #0 on the mesh @none, which no sdy.mesh declares": (
            2, 'module attributes {mhlo.num_partitions = 2 : i32} {\nfunc.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@none, [{"x"}]>})'
               ' -> tensor<8xf32> {\nreturn %x : tensor<8xf32>\n}\n}\n'),
        "for 4 processes, and there are": (2, (HERE / "jit_lstm.mlir").read_text()),
    }
    for message, (n, source) in cases.items():
        (scratch / "bad.mlir").write_text(source)
        done = launch(launcher, n, scratch / "bad.mlir")
        if done.returncode == 0 or message not in done.stderr:
            fail(f"{launcher[0]}: '{message}' was to be said", done)
    done = subprocess.run([RUN, step], capture_output=True, text=True)
    if done.returncode != 1 or "mpirun -n 4 echo-run" not in done.stderr:
        fail("one process was to be told of mpirun", done)
    for r in range(4):
        (scratch / f"step{r}.mlir").write_text(text + "// rank 2\n" * (r == 2))
    rank = "$OMPI_COMM_WORLD_RANK$PMI_RANK"
    done = subprocess.run(launcher + ["-n", "4", "sh", "-c", f"exec {RUN} - < {scratch}/step{rank}.mlir"],
                          capture_output=True, text=True, timeout=300)
    if done.returncode == 0 or "another module on rank 2 of 4" not in done.stderr:
        fail(f"{launcher[0]}: a module that differs was to be refused", done)


def check_missed(scratch, launcher):
    """A collective that not all of its group join is an error that says who waits where, and in time; so are two that meet."""
    add = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      })"""
    both = "dense<[[0, 1]]> : tensor<1x2xi64>"
    total = f'%total{{0}} = "stablehlo.all_reduce"(%{{1}}) <{{{{replica_groups = {both}}}}}> {add.replace("{", "{{").replace("}", "}}")} : (tensor<4xf32>) -> tensor<4xf32>'
    moved = '%moved{0} = "stablehlo.collective_permute"(%{1}) <{{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}}> : (tensor<4xf32>) -> tensor<4xf32>'

    def module(first, second, last, result):
        return f"""module attributes {{mhlo.num_replicas = 2 : i32}} {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %r = stablehlo.replica_id : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %p = stablehlo.compare EQ, %r, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %o = "stablehlo.if"(%p) ({{
      {first}
    }}, {{
      {second}
    }}) : (tensor<i1>) -> tensor<4xf32>
    {last}
    return %{result} : tensor<4xf32>
  }}
}}
"""

    def returned(*lines):
        value = lines[-1].split()[0] if lines else "%x"
        return "\n      ".join([*lines, f"stablehlo.return {value} : tensor<4xf32>"])

    alone = returned(total.format(0, "x"))
    cases = {
        "missed.mlir:7:17: error: rank 0 of 2 has waited for 1 s in echo.mpi.all_reduce, and not all of its group have joined it": [
            module(alone, returned(), "", "o")],
        "in echo.mpi.permute, and not all of its group have joined it": [
            module(returned(total.format(0, "x"), moved.format(0, "total0")), returned(moved.format(0, "x"), total.format(0, "moved0")), "", "o")],
        " has come to echo.mpi.all_reduce at ": [  # which of them is heard is the launcher's
            module(alone, returned(), total.format(1, "o"), "total1"), module(alone, returned(total.format(2, "x")), "", "o")],
    }
    for message, texts in cases.items():
        for text in texts:
            (scratch / "missed.mlir").write_text(text)
            done = launch(launcher, 2, "--collective-limit=1", "--no-cache", scratch / "missed.mlir", timeout=60)
            if done.returncode == 0 or message not in done.stderr:
                fail(f"{launcher[0]}: '{message}' was to be said", done)


def check_killed(launcher, device="--device=cpu"):
    """A rank that dies ends all."""
    begin = time.time()
    steps = f"--steps={100000000 + os.getpid()}"  # nobody else's
    if launcher[0] != "mpirun.mpich":  # how long it lets the others run on, which a loaded machine may not let them do at once
        launcher = [*launcher, "--mca", "odls_base_sigkill_timeout", "5"]
    process = subprocess.Popen(
        launcher + ["-n", "4", "sh", "-c", f"exec {RUN} --threads=1 {steps} {device} --feed=res0:arg0 "
                    f"--quiet {HERE}/step_4.mlir"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    ranks = []
    while len(ranks) < 4 and time.time() - begin < 20:
        time.sleep(0.1)
        ranks = [
            int(entry) for entry in os.listdir("/proc")
            if entry.isdigit() and command_of(entry).startswith(f"{RUN}\0--threads=1\0{steps}\0")
        ]
    while not all(catches_end(rank) for rank in ranks) and time.time() - begin < 40:
        time.sleep(0.1)
    if len(ranks) == 4:
        os.kill(ranks[1], signal.SIGKILL)
    said = ""
    try:
        said = process.communicate(timeout=20)[1].decode()
    except subprocess.TimeoutExpired:
        fail(f"{launcher[0]}: a killed rank does not end the others")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    # MPICH's launcher kills the others, and they say nothing.
    if launcher[0] != "mpirun.mpich" and "was ended while it" not in said:
        fail(f"{launcher[0]}: the ranks that are left do not say where they were: {said}")
    left = [rank for rank in ranks if command_of(rank).startswith(str(RUN))]
    if len(ranks) != 4 or process.returncode == 0 or left:
        fail(f"{launcher[0]}: {len(ranks)} ranks, exit {process.returncode}, {len(left)} left after one was killed")


def catches_end(pid):
    """Whether the process has joined the others: from then on it says where it was."""
    try:
        caught = pathlib.Path(f"/proc/{pid}/status").read_text().split("SigCgt:")[1].split()[0]
    except (OSError, IndexError):
        return True
    return int(caught, 16) >> (signal.SIGTERM - 1) & 1 == 1


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for launcher in LAUNCHERS:
            for n in (2, 4):
                check_collectives(scratch, launcher, n)
                if n == 2:
                    check_collectives(scratch, launcher, n, "cpu")
                check_order(scratch, launcher, n)
            check_training(scratch, launcher)
            check_stages(scratch, launcher)
            for n in (2, 4):
                check_partitioned(scratch, launcher, "step_whole.mlir", n, "--data-parallel=arg1")
            check_partitioned(scratch, launcher, "jit_lstm.mlir", 4)
            check_partitioned(scratch, launcher, "jit_cnn.mlir", 4)
            check_partitioned(scratch, launcher, "jit_tensor.mlir", 4)
            check_uncounted(scratch, launcher)
            check_state(scratch, launcher)
            check_refused(scratch, launcher)
            check_missed(scratch, launcher)
            check_killed(launcher)
        check_calibrated(scratch, LAUNCHERS[0])
        check_samples(scratch, LAUNCHERS[0])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
