# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for many GPUs, emulated ones whose NCCL goes through the MPI that is here: every collective by every type against NumPy, sums
whose bits are the CPU's, training with Echo on and off, and what ends a run. Usage: check_nccl.py BUILD."""

import json
import os
import pathlib
import shutil
import sys
import tempfile

import numpy as np

import check_mpi
from check_mpi import BUILD, HERE, LAUNCHERS, fail, launch

# A link so slow to carry that next to nothing is worth gathering, and one so slow to begin that all is.
LINKS = {"parts": (1e6, 1000), "gather": (1e12, 1e9)}
EMULATED = BUILD / "gpu"


def write_model(scratch, name):
    rate, latency = LINKS[name]
    path = scratch / f"{name}.device"
    path.write_text(f"name = {name}\nlink_bytes_per_s = {rate}\nlink_latency_ns = {latency}\n")
    return path


def compare(what, scratch, got, expected, arrays):
    a, b = np.load(scratch / f"{got}.npz"), np.load(scratch / f"{expected}.npz")
    for name in arrays or b.files:
        if a[name].tobytes() != b[name].tobytes():
            fail(f"{what}: {name} of {got} has not the bits of {expected}")


def run(scratch, launcher, n, out, *arguments):
    """Results and figures are out.npz and out.json; None when it fails."""
    done = launch(launcher, n, "--quiet", f"--outputs={scratch}/{out}.npz", f"--json={scratch}/{out}.json", *arguments)
    if done.returncode != 0:
        fail(f"{launcher[0]} -n {n}: {' '.join(map(str, arguments))}", done)
        return None
    return json.loads((scratch / f"{out}.json").read_text())


def check_order(scratch, launcher, n):
    """Sums of floats, gathered or in parts, together or alone, have the bits of the sum from the first member to the last."""
    sizes, kinds = (1, n - 1, n, 1001, 4097) + (3,) * 70, ("f32", "f64", "f16")
    expected = check_mpi.write_sums(scratch, n, [(size, kinds[i % len(kinds)]) for i, size in enumerate(sizes)])
    for name in LINKS:
        told = run(scratch, launcher, n, "order", "--device=cuda", f"--inputs={scratch}/in.npz",
                   f"--device-model={write_model(scratch, name)}", scratch / "order.mlir")
        if told is None:
            continue
        out = np.load(scratch / "order.npz")
        for key, total in expected.items():
            if out[key].tobytes() != total.tobytes():
                fail(f"{launcher[0]} -n {n}, {name}: {key} is not the sum from the first member to the last")
        processes = told["processes"]
        if (processes["n"] != n or not 2 <= processes["n_calls"] < 2 * len(sizes) or processes["own_bytes"] != 0
                or not 1 <= processes["n_calls_beside"] <= processes["n_calls"] or "NCCL 2." not in processes["engine"]
                or not 0 <= processes["beside_computation_s"] <= processes["calls_s"]):
            fail(f"{launcher[0]} -n {n}, {name}: the report says {processes}")
        if told["planned_peak_bytes"] != told["measured_peak_bytes"]:
            fail(f"{launcher[0]} -n {n}, {name}: planned is not measured")


def check_step(scratch, launcher, module, n, tolerance, *split):
    """A step on GPUs: Echo on and off, graphs and single launches, the same bits; the CPU's results, but for the order of its products."""
    arguments = ["--steps=2", "--feed=res0:arg0", *split, HERE / module]
    off = run(scratch, launcher, n, "off", "--device=cuda", *arguments)
    on = run(scratch, launcher, n, "on", "--device=cuda", "--echo=budget=min", *arguments)
    timed = run(scratch, launcher, n, "timed", "--device=cuda", "--kernels", *arguments)
    cpu = run(scratch, launcher, n, "cpu", *arguments)
    if None in (off, on, timed, cpu):
        return
    compare(f"{launcher[0]} -n {n}: {module}", scratch, "on", "off", None)
    compare(f"{launcher[0]} -n {n}: {module}", scratch, "timed", "off", None)
    for figures in (off, on):
        if figures["planned_peak_bytes"] != figures["measured_peak_bytes"]:
            fail(f"{launcher[0]} -n {n}: {module}: planned is not measured")
    gpu, host = np.load(scratch / "off.npz"), np.load(scratch / "cpu.npz")
    for name in host.files:
        if not np.allclose(gpu[name], host[name], rtol=tolerance, atol=tolerance / 10):
            fail(f"{launcher[0]} -n {n}: {module}: {name} of GPUs is not that of CPUs")


def check_control(scratch, launcher):
    """Loops, and branches that not all take."""
    rng = np.random.default_rng(1)
    x, k = rng.standard_normal((4, 6)).astype("f4"), rng.integers(0, 9, (4, 6)).astype("i4")
    np.savez(scratch / "in.npz", arg0=x, arg1=k)
    for out, arguments in (("gpu", ["--device=cuda"]), ("timed", ["--device=cuda", "--kernels"]), ("cpu", ["--device=interpreter"])):
        run(scratch, launcher, 4, out, *arguments, f"--inputs={scratch}/in.npz", HERE / "loop_4.mlir")
    gpu, cpu, sums = np.load(scratch / "gpu.npz"), np.load(scratch / "cpu.npz"), k
    for _ in range(3):
        sums = np.stack([sums[0] + sums[2], sums[1] + sums[3]] * 2)
    if not np.array_equal(gpu["res1"], sums) or not np.allclose(gpu["res0"], cpu["res0"], rtol=1e-5):
        fail(f"{launcher[0]}: loop_4.mlir on GPUs")
    compare(f"{launcher[0]}: loop_4.mlir", scratch, "timed", "gpu", None)


def check_samples(scratch, launcher):
    """nmt and nets on two GPUs have the losses of one; with state in parts the bits of whole state."""
    for name, arguments in (
        ("nmt", ["--hidden=8", "--length=4", "--batch=8", "--max-pairs=300", "--no-validation", "--quiet", "--steps=2"]),
        ("nets", ["--model=transformer", "--layers=1", "--hidden=8", "--heads=2", "--length=4", "--classes=16", "--batch=4", "--steps=2",
                  "--optimizer=adam"]),
    ):
        losses, saved = [], []
        for n, state in ((1, []), (2, []), (2, ["--shard-state"])):
            file = scratch / "state.safetensors"
            command = [BUILD / "bin" / name, "--device=cuda", "--threads=1", f"--json={scratch}/losses.json", f"--cache-dir={scratch}",
                       f"--save={file}", *arguments]
            command = command if n == 1 else [*launcher, "-n", "2", *command, "--data-parallel", *state]
            done = check_mpi.subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                fail(f"{launcher[0]}: {name} on {n} GPUs", done)
                return
            losses.append(json.loads((scratch / "losses.json").read_text())["losses"])
            saved.append(file.read_bytes())
        if len(losses[0]) != 2 or not np.allclose(*losses[:2], rtol=1e-5):
            fail(f"{launcher[0]}: {name}: losses {losses}")
        if losses[1] != losses[2] or saved[1] != saved[2]:
            fail(f"{launcher[0]}: {name}: losses and checkpoint with state in parts are not those with whole state")


def check_calibrated(scratch, launcher):
    """NCCL's link, by a clock that counts: an emulated call is a copy of what a process gives and one of what all give, 25 GB/s and 1,000 ns each."""
    model, n = scratch / "gpu.device", 2
    done = launch(launcher, n, "--device=cuda", f"--calibrate={model}", timeout=900)
    if done.returncode != 0:
        fail(f"{launcher[0]}: the link of GPUs was to be measured", done)
        return
    numbers = dict(line.split(" = ") for line in model.read_text().splitlines() if " = " in line)
    latency, rate = (float(numbers[key]) for key in ("link_latency_ns", "link_bytes_per_s"))
    # A process gives (n - 1) parts and copies n + 1; beside copies there is a launch.
    if not (2000 < latency < 5000) or not np.isclose(rate, 25e9 * (n - 1) / (n + 1), rtol=1e-4):
        fail(f"{launcher[0]}: a link of {latency} ns and {rate} bytes a second")


def check_faults(scratch, launcher):
    """What goes wrong is said with rank, op and place, and no process stays."""
    step = HERE / "step_4.mlir"
    alone = scratch / "driver"
    alone.mkdir(exist_ok=True)
    shutil.copy(EMULATED / "libcuda.so.1", alone)
    (alone / "libnccl.so.2").write_bytes(b"no library")  # before one that the machine may have
    old = scratch / "old"
    old.mkdir(exist_ok=True)
    shutil.copy(EMULATED / "libcuda.so.1", old)
    check_mpi.subprocess.run(["cc", "-shared", "-x", "c", os.devnull, "-o", old / "libnccl.so.2"], check=True)
    cases = (
        ("a library that lacks calls", "NCCL is too old: it has no nccl", {"LD_LIBRARY_PATH": str(old)}, []),
        ("a missing library", "need NCCL, and libnccl.so.2 cannot be loaded", {"LD_LIBRARY_PATH": str(alone)}, []),
        ("a library that cannot be used", "ncclGetUniqueId: unhandled system error (ECHO_GPU_NCCL=none)", {"ECHO_GPU_NCCL": "none"}, []),
        ("a remote error", "calls 'echo.mpi.all_gather', which failed: rank 1 of 4: NCCL: remote process exited", {"ECHO_GPU_NCCL": "remote:1"}, []),
        ("a rank that does not join", "has waited for 2 s, and not all of its group have joined it", {"ECHO_GPU_NCCL": "absent:1"},
         ["--collective-limit=2"]),
        ("too few GPUs", "there is no device cuda:2: the driver has 2", {"ECHO_GPU_COUNT": "2"}, []),
        ("too few that are named", "rank 2 of 4 is process 2 of its machine, and cuda:0,1 names 2 GPUs", {"ECHO_GPU_COUNT": "4"},
         ["--device=cuda:0,1"]),
    )
    for what, message, environment, arguments in cases:
        before = {key: os.environ.get(key) for key in environment}
        os.environ.update(environment)
        done = launch([*launcher, *exported(launcher, environment)], 4, "--device=cuda", *arguments, step, timeout=60)
        for key, value in before.items():
            os.environ.pop(key) if value is None else os.environ.__setitem__(key, value)
        if done.returncode == 0 or message not in done.stderr:
            fail(f"{launcher[0]}: {what}: '{message}' was to be said", done)
    rank = "$OMPI_COMM_WORLD_RANK$PMI_RANK"
    done = check_mpi.subprocess.run(
        [*launcher, "-n", "4", "sh", "-c", f"[ {rank} != 2 ] || LD_LIBRARY_PATH={alone}; exec {check_mpi.RUN} --device=cuda --threads=1 {step}"],
        capture_output=True, text=True, timeout=60)
    if done.returncode == 0 or "rank 2 of 4 cannot use NCCL: GPUs of many processes need NCCL" not in done.stderr:
        fail(f"{launcher[0]}: who cannot use NCCL, and why, was to be said", done)
    os.environ["ECHO_GPU_NCCL"] = "remote:0"
    done = launch([*launcher, *exported(launcher, ["ECHO_GPU_NCCL"])], 2, "--device=cuda", f"--calibrate={scratch}/none.device", timeout=300)
    del os.environ["ECHO_GPU_NCCL"]
    if done.returncode == 0 or "calibration:3:8: error: 'kernel.library' op calls 'echo.mpi.all_gather', which failed: rank 1 of 2: NCCL: remote" \
            not in done.stderr or "\0" in done.stderr or (scratch / "none.device").exists():
        fail(f"{launcher[0]}: a link that fails is not measured", done)
    done = launch(launcher, 4, "--device=cuda:3,2,1,0", "--quiet", step)
    if done.returncode == 0 or "there is no device cuda:3" not in done.stderr:
        fail(f"{launcher[0]}: the first of the named GPUs is the first process's", done)


def exported(launcher, names):
    """Open MPI's launcher hands over what it is told to, MPICH's all."""
    return [word for name in names for word in ("-x", name)] if launcher[0] != "mpirun.mpich" else []


def main():
    os.environ["LD_LIBRARY_PATH"] = str(EMULATED)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for launcher in LAUNCHERS:
            launcher = [*launcher, *exported(launcher, ["LD_LIBRARY_PATH"])]
            for n in (2, 4):
                check_mpi.check_collectives(scratch, launcher, n, "cuda")
                check_order(scratch, launcher, n)
            # Products sum their terms, at most 48 here, in an order of the GPU's own: a few ULP of the largest.
            check_step(scratch, launcher, "step_4.mlir", 4, 1e-5)
            check_step(scratch, launcher, "step_whole.mlir", 2, 1e-5, "--data-parallel=arg1")
            check_step(scratch, launcher, "jit_lstm.mlir", 4, 1e-5)
            check_control(scratch, launcher)
            check_mpi.check_state(scratch, launcher, "cuda")
            check_faults(scratch, launcher)
            check_mpi.check_killed(launcher, "--device=cuda")
        launcher = [*LAUNCHERS[0], *exported(LAUNCHERS[0], ["LD_LIBRARY_PATH"])]
        check_calibrated(scratch, launcher)
        check_samples(scratch, launcher)
    return 1 if check_mpi.failures else 0


if __name__ == "__main__":
    sys.exit(main())
