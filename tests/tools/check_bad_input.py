# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input to every tool: a clear error, exit status 1, no crash, no hang, no partial output.

usage: check_bad_input.py BUILD-DIRECTORY

Each case is run with an output file that exists: after a failure it holds what it held, and nothing stands beside it. What is
only deep or large may be accepted, but it must not crash.
"""

import concurrent.futures
import ctypes.util
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOOD = ROOT / "tests" / "golden" / "echo-run" / "training_step.mlir"
GOLDEN_PLAN = ROOT / "tests" / "golden" / "echo-plan" / "Inputs"
KEPT = b"as it was"
TIMEOUT_S = 300
GARBAGE_BYTES = 100 << 20
DEPTH = 10_000
PLANNED_DEPTH = 1_500
MAX_ERROR_BYTES = 1 << 20
NMT = ["nmt", "--max-pairs=200", "--steps=2", "--hidden=8", "--batch=2", "--length=6", "--no-validation", "--quiet"]
# A tool that reads a module, as a function of the input and the output file.
READERS = {
    "echo-opt": lambda source, out: ["echo-opt", source, "-o", out],
    "echo-opt --to=planned": lambda source, out: ["echo-opt", source, "--to=planned", "-o", out],
    "echo-run": lambda source, out: ["echo-run", source, "--no-cache", "--quiet", f"--outputs={out}"],
    "echo-translate": lambda source, out: ["echo-translate", source, "--emit=ptx", "--target=sm_80", "-o", out],
    "echo-run-bundle": lambda source, out: ["echo-run-bundle", source, "--quiet", f"--outputs={out}"],
}

scratch = pathlib.Path(tempfile.mkdtemp())
cases = []  # (name, command, output, may be accepted, keywords of subprocess.run)
counter = 0


def fresh(suffix):
    """A folder of its own for each case, so that what is left behind shows."""
    global counter
    counter += 1
    folder = scratch / str(counter)
    folder.mkdir()
    return folder / f"out{suffix}"


def add(name, make, suffix=".mlir", accepts=False, **run):
    """make(output) is the command; the output file holds KEPT before it."""
    out = fresh(suffix)
    out.write_bytes(KEPT)
    cases.append((name, [str(word) for word in make(str(out))], out, accepts, run))


def add_module(name, text, accepts=False, readers=READERS):
    source = fresh(".in.mlir")
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    for reader, command in readers.items():
        add(f"{name}: {reader}", lambda out, c=command: c(str(source), out), accepts=accepts)


def nested(opening, middle, closing, depth=DEPTH):
    return opening * depth + middle + closing * depth


def nested_branches(depth):
    branches = nested('%0 = "stablehlo.if"(%a) ({\n', "stablehlo.return %a : tensor<i1>\n",
                      "\n}, { stablehlo.return %a : tensor<i1> }) : (tensor<i1>) -> tensor<i1>\nstablehlo.return %0 : tensor<i1>", depth)
    return "func.func @main(%a: tensor<i1>) -> tensor<i1> {\n" + branches + "\n}"


def add_modules():
    good = GOOD.read_bytes()
    good = good[good.index(b"func.func") :].rstrip()
    random.seed(1)
    starts = range(10, len(good) - 1)
    for cut in sorted(random.sample(starts, 12)):
        add_module(f"cut at {cut}", good[:cut], readers={"echo-opt": READERS["echo-opt"]})
    add_module("cut in the middle", good[: len(good) * 2 // 3])
    add_module("wrong type", "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> { return %a : tensor<3xf32> }")
    cycle = "%0 = stablehlo.add %1, %a : tensor<2xf32>\n%1 = stablehlo.add %0, %a : tensor<2xf32>\nreturn %1 : tensor<2xf32>"
    add_module("cycle", "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {" + cycle + "}")
    add_module("unknown op", 'func.func @main() { "no.such"() : () -> ()\n return }')
    add_module("symbol twice", "func.func @main() { return }\nfunc.func @main() { return }")
    calls = "func.func @main() { call @other() : () -> ()\n return }\nfunc.func @other() { call @main() : () -> ()\n return }"
    add_module("calls in a circle", calls, accepts=True)
    huge = "tensor<4294967296x4294967296x4294967296xf32>"
    add_module("product of dimensions", f"func.func @main(%a: {huge}) -> {huge} {{ %0 = stablehlo.abs %a : {huge}\n return %0 : {huge} }}",
               readers={k: v for k, v in READERS.items() if k != "echo-opt"})
    add_module("dimension", "func.func @main(%a: tensor<99999999999999999999xf32>) { return }")
    deep = {
        "regions": nested("module {\n", "", "\n}"),
        "branches": nested_branches(DEPTH),
        "arrays": "module attributes {a = " + nested("[", "", "]") + "} {}",
        "dictionaries": "module attributes {a = " + nested("{a = ", "1", "}") + "} {}",
        "tuples": 'func.func private @f(' + nested("tuple<", "i32", ">") + ")",
        "functions": "module attributes {a = " + nested("(", "i32", ") -> i32") + "} {}",
        "complexes": "func.func private @f(" + nested("complex<", "f32", ">") + ")",
        "locations": "module {} loc(" + nested("fused[", "unknown", "]") + ")",
        "call sites": "module {} loc(" + nested('callsite("a" at ', "unknown", ")") + ")",
        "affine": "module attributes {a = affine_map<(d0) -> (" + nested("(", "d0", ")") + ")>} {}",
        "dense": "module attributes {a = dense<" + nested("[", "1", "]") + "> : tensor<1xi32>} {}",
        "aliases": "".join(f"#a{i + 1} = [#a{i}]\n" for i in range(DEPTH)).join(["#a0 = 1\n", f"module attributes {{a = #a{DEPTH}}} {{}}"]),
        "braces": "{" * DEPTH,
        "opaque": "module attributes {a = #x.y" + nested("<", "", ">") + "} {}",
    }
    for name, text in deep.items():
        readers = READERS if name != "branches" else {"echo-opt": READERS["echo-opt"]}
        add_module(f"{DEPTH} {name}", text, accepts=True, readers=readers)
    # Passes over nested regions take time that grows with the square of the depth.
    add_module(f"{PLANNED_DEPTH} branches", nested_branches(PLANNED_DEPTH), accepts=True)


def add_garbage():
    """Sparse where it can be, so that the disk does not fill."""
    kinds = {"zeros": b"\0", "parentheses": b"(", "quotes": b'"', "names": b"a", "percents": b"%0 = ", "spaces and x": b" " * 4095 + b"x"}
    for name, unit in kinds.items():
        source = fresh(".garbage")
        block = unit * ((1 << 20) // len(unit))
        with open(source, "wb") as file:
            for _ in range(GARBAGE_BYTES >> 20):
                file.write(block)
        readers = READERS if name == "zeros" else {"echo-opt": READERS["echo-opt"]}
        for reader, command in readers.items():
            # A NUL is a blank, as it is to mlir-opt; a module of blanks is an empty one.
            add(f"100 MB of {name}: {reader}", lambda out, c=command, s=source: c(str(s), out), accepts=name == "zeros")
    source = fresh(".random")
    with open(source, "wb") as file:
        for _ in range(GARBAGE_BYTES >> 20):
            file.write(random.randbytes(1 << 20))
    for reader, command in READERS.items():
        add(f"100 MB of noise: {reader}", lambda out, c=command: c(str(source), out))
    add("100 MB of noise as arrays", lambda out: ["echo-run", GOOD, f"--inputs={source}", f"--outputs={out}"], suffix=".npz")
    add("100 MB of noise as a checkpoint", lambda out: NMT + [f"--resume={source}", f"--save={out}"], suffix=".safetensors")
    add("100 MB of noise as lifetimes", lambda out: ["echo-plan", "pool", source, "-o", out], suffix=".csv")


def add_missing():
    none = scratch / "none"
    for reader, command in READERS.items():
        add(f"missing: {reader}", lambda out, c=command: c(str(none), out))
        add(f"a directory: {reader}", lambda out, c=command: c(str(scratch), out))
    add("missing arrays", lambda out: ["echo-run", GOOD, f"--inputs={none}", f"--outputs={out}"], suffix=".npz")
    add("missing expectation", lambda out: ["echo-run", GOOD, f"--expect={none}", f"--outputs={out}"], suffix=".npz", accepts=False)
    add("missing checkpoint", lambda out: NMT + [f"--resume={none}", f"--save={out}"], suffix=".safetensors")
    add("missing text", lambda out: NMT + ["--train", none, none, f"--save={out}"], suffix=".safetensors")
    for command in ("pool", "swap", "chain"):
        add(f"missing: echo-plan {command}", lambda out, c=command: ["echo-plan", c, none, "-o", out], suffix=".csv")
    add("missing device model", lambda out: ["echo-opt", GOOD, "--to=planned", "--echo", f"--device-model={none}", "-o", out])


def add_plugins():
    for kind in ("pass", "dialect"):
        flag = f"--load-{kind}-plugin"
        add(f"{kind} plugin: text", lambda out: ["echo-opt", GOOD, f"{flag}={GOOD}", "-o", out])
        add(f"{kind} plugin: missing", lambda out: ["echo-opt", GOOD, f"{flag}={scratch}/none.so", "-o", out])
        add(f"{kind} plugin: a library that is none", lambda out: ["echo-opt", GOOD, f"{flag}={ctypes.util.find_library('m')}", "-o", out])


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


# What writes a file, more of it than the limit allows.
def writers():
    large = scratch / "large.mlir"
    body = "".join(f"  %{i + 1} = stablehlo.add %{i}, %{i} : tensor<4096xf32>\n" for i in range(200))
    large.write_text(f"func.func @main(%0: tensor<4096xf32>) -> tensor<4096xf32> {{\n{body}  return %200 : tensor<4096xf32>\n}}\n")
    lifetimes = scratch / "lifetimes.csv"
    lifetimes.write_text("id,lower,upper,size\n" + "".join(f"{i},{i},{i + 2},64\n" for i in range(1000)))
    return {
        "echo-opt": lambda out: ["echo-opt", large, "-o", out],
        "echo-run --outputs": lambda out: ["echo-run", large, "--no-cache", "--quiet", f"--outputs={out}"],
        "echo-run --report": lambda out: ["echo-run", large, "--no-cache", "--quiet", f"--report={out}"],
        "echo-translate": lambda out: ["echo-translate", large, "--emit=ptx", "--target=sm_80", "-o", out],
        "echo-plan": lambda out: ["echo-plan", "pool", lifetimes, "-o", out],
        "nmt --save": lambda out: NMT + [f"--save={out}"],
        "nmt --emit": lambda out: NMT + ["--emit=model", "-o", out],
    }


def add_full_disks():
    for name, command in writers().items():
        add(f"a file too large: {name}", command, preexec_fn=limit_files)
        out = fresh("")
        cases.append((f"/dev/full: {name}", [str(w) for w in command("/dev/full")], out, False, {}))
    for name in ("echo-opt", "echo-translate"):
        command = [str(w) for w in writers()[name]("-")]
        cases.append((f"standard output full: {name}", command, fresh(""), False, {"stdout": open("/dev/full", "wb")}))
    disk = scratch / "disk"
    disk.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", disk], capture_output=True, check=False).returncode == 0
    if not mounted:
        print("skipped: a full file system, which takes root and mount")
        return
    (disk / "filling").write_bytes(bytes(4096))
    for name, command in writers().items():
        out = disk / "out"
        cases.append((f"a full file system: {name}", [str(w) for w in command(out)], out, False, {}))


def add_checkpoints():
    """Bits of the header turned: read or refused, never a crash."""
    saved = scratch / "good.safetensors"
    run(NMT + [f"--save={saved}"])
    good = saved.read_bytes()
    header = int.from_bytes(good[:8], "little") + 8
    for i in range(24):
        bad = bytearray(good)
        bad[i if i < 8 else random.randrange(8, header)] ^= 1 << random.randrange(8)
        path = fresh(".bad")
        path.write_bytes(bad)
        add(f"checkpoint, byte turned ({i})", lambda out, p=path: NMT + [f"--resume={p}", f"--save={out}"], suffix=".safetensors",
            accepts=None)
    for size in (0, 1, 7, 8, 9, header - 1, header, len(good) - 1):
        path = fresh(".cut")
        path.write_bytes(good[:size])
        add(f"checkpoint cut at {size}", lambda out, p=path: NMT + [f"--resume={p}", f"--save={out}"], suffix=".safetensors")


def run(command, **more):
    environment = {**os.environ, "PATH": os.pathsep.join([str(BUILD / "bin"), os.environ["PATH"]]), "LC_ALL": "C"}
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "timeout": TIMEOUT_S, "cwd": scratch, "check": False, **more}
    return subprocess.run([str(word) for word in command], env=environment, **settings)


def check(case):
    name, command, out, accepts, more = case
    try:
        done = run(command, **more)
    except subprocess.TimeoutExpired:
        return f"{name}: still running after {TIMEOUT_S} s"
    error = done.stderr.decode(errors="replace")
    what = f"{name}: exit status {done.returncode}: {error[:400]}"
    if done.returncode not in ((0, 1) if accepts in (True, None) else (1,)):
        return what
    if done.returncode == 1 and "error: " not in error:
        return what + " (no error is told)"
    if len(error) > MAX_ERROR_BYTES:
        return f"{name}: {len(error)} bytes of errors"
    if "Sanitizer" in error or "runtime error" in error:
        return what
    if done.returncode == 0:
        return ""
    if out.exists() and out.read_bytes() != KEPT:
        return f"{name}: the output was touched"
    left = [path.name for path in out.parent.iterdir() if path != out and path.name != "filling"]
    return f"{name}: left {left}" if left else ""


try:
    add_modules()
    add_garbage()
    add_missing()
    add_plugins()
    add_full_disks()
    add_checkpoints()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [problem for problem in pool.map(check, cases) if problem]
    print("\n".join(problems))
    print(f"{len(cases)} checked, {len(problems)} problems")
finally:
    if os.path.ismount(scratch / "disk"):
        subprocess.run(["umount", scratch / "disk"], check=False)
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(bool(problems))
