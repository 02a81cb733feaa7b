#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peers.py [--seconds=S] [--json=FILE]: whole steps of the samples in PyTorch and JAX, beside ours on the same GPU.

Reads peers.json, which pack wrote: what the steps take, and of smaller ones what they are given and their losses, which a peer
must agree with before its time counts. Each peer is a process of its own. All of a model's are made and compiled at once; then
each measures alone: the time of a step, the peak of its allocator (of XLA's plan); and one after the other looks for the largest
batch whose step fits the bytes that peers.json says, in what is left of the model's seconds. What is not installed, fails or takes longer than S seconds in all is said in its row. --check
--device=cpu only compares losses. Exit status 1 when a peer's losses are others.
"""

import argparse
import fcntl
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = {"torch": ("PyTorch", ("eager", "checkpoint", "compile")), "jax": ("JAX", ("jit", "checkpoint"))}
NAMES = {"eager": "PyTorch eager", "compile": "torch.compile", "jit": "JAX"}
N_LOSSES, N_STEPS, N_BATCHES_TRIED = 3, 20, 6
LOSS_TOLERANCE = 5e-3  # relative, of three steps: torch.compile's ResNet is 1.2e-3 off on a CPU, where eager and JAX are 1e-5
ELEMENTS = {"f32": "float32", "i32": "int32", "i1": "bool", "ui64": "uint64"}


class Model:
    """A step as peers.json has it. Its batch is the first dimension of its data, or the last where time comes first."""

    def __init__(self, description):
        self.kind, self.optimizer = description["kind"], description["optimizer"]
        self.heads, self.dropout = description["heads"], description["dropout"]
        self.arguments = {a["name"]: a for a in description["arguments"]}

    def shape(self, name):
        return self.arguments[name]["shape"]

    def weights(self):
        return [n for n, a in self.arguments.items() if a["role"] == "weight"]

    def batch_names(self):
        return [n for n, a in self.arguments.items() if a["role"] == "batch"]

    def count(self, prefix):
        """How many layers prefix1, prefix2, … there are."""
        return len({m.group() for n in self.arguments for m in [re.match(re.escape(prefix) + r"\d+(?=\.)", n)] if m})

    def batch_size(self):
        return self.shape("mask" if "mask" in self.arguments else "data")[0]

    def drawn(self, names, batch=None, seed=0):
        """Arrays for those arguments, of so many sentences, texts or images."""
        import numpy as np

        random, own = np.random.default_rng(seed), self.batch_size()
        arrays = {}
        for name in names:
            argument = self.arguments[name]
            shape, is_batch = list(argument["shape"]), argument["role"] == "batch"
            if is_batch and batch:
                shape[1 if self.kind == "nmt" and name != "mask" else 0] = batch
            if "below" in argument:
                arrays[name] = random.integers(0, argument["below"], shape, dtype=np.int32)
            elif argument["type"] == "i1":
                arrays[name] = np.ones(shape, bool)
            elif name == "weight" or re.search(r"\.(scale|variance)$", name):
                arrays[name] = np.ones(shape, np.float32)
            elif re.search(r"\.(shift|mean|bias)$", name):
                arrays[name] = np.zeros(shape, np.float32)
            else:
                scale = 1 if is_batch else max(1, int(np.prod(shape[:-1]))) ** -0.5
                arrays[name] = (scale * random.standard_normal(shape)).astype(np.float32)
        return arrays


def given(folder, name, model):
    """What a small step is given: arrays by name."""
    import numpy as np

    with np.load(folder / f"peers_{name}.npz") as arrays:
        return {n: arrays[f"arg{a['index']}"] for n, a in model.arguments.items() if a["role"] in ("weight", "batch", "rate")}


def peer_class(library):
    sys.path.insert(0, str(HERE))
    return __import__(f"peers_{library}")


def losses_of(module, variant, folder, name, description, device):
    model = Model(description)
    return module.Peer(model, variant, given(folder, name, model), device).losses(N_LOSSES)


def agree(losses, expected):
    return all(abs(a - b) <= LOSS_TOLERANCE * abs(b) for a, b in zip(losses, expected))


def largest_batches(peer, model, batch, peak, limit):
    """Batch and peak of the largest step that is known to fit, and the least that is known not to (None: none was tried), after
    each that is tried. A step's bytes are almost linear in its batch: from two that fit the next guess is a line's."""
    (best, best_peak), refused, slope = (batch, peak), None, peak / batch
    for _ in range(N_BATCHES_TRIED):
        if refused and refused - best <= max(1, best // 32):
            break
        guess = max(best + 1, int(best + (limit - best_peak) / slope))
        guess = min(guess, (best + refused) // 2) if refused else guess
        peak = peer.fits(model.drawn(model.batch_names(), guess), limit)
        if peak is None:
            refused = guess
        else:
            slope = max(1, (peak - best_peak) / (guess - best))
            best, best_peak = guess, peak
        yield best, best_peak, refused


def peer_of(settings, module, model):
    arrays = model.drawn(model.weights() + model.batch_names()) | {"rate": 0.01}
    return module.Peer(model, settings.variant, arrays, settings.device)


def measure(settings):
    """One peer of one model: its row as a line of JSON. `settings.lock` is held with the others while it is made and compiled,
    alone while it is measured."""
    document = json.loads((settings.folder / "peers.json").read_text())
    lock = open(settings.lock, "a")
    fcntl.flock(lock, fcntl.LOCK_SH)
    module, model = peer_class(settings.library), Model(document["models"][settings.model])
    row = {"version": module.VERSION, "batch": model.batch_size()}
    check = document["checks"][settings.model]
    row["losses"] = losses_of(module, settings.variant, settings.folder, settings.model, check, settings.device)
    row["agrees"] = agree(row["losses"], check["losses"])
    if not settings.check:
        peer = peer_of(settings, module, model)
        peer.losses(2)
        fcntl.flock(lock, fcntl.LOCK_UN)
        fcntl.flock(lock, fcntl.LOCK_EX)
        peer.losses(2)
        times = peer.times(settings.steps)
        row |= {"step_s": statistics.median(times), "least_step_s": min(times), "most_step_s": max(times), "peak_bytes": peer.peak_bytes()}
    print(json.dumps(row), flush=True)


def search(settings):
    """The largest batch of one peer of one model, a line of JSON for each that is tried."""
    document = json.loads((settings.folder / "peers.json").read_text())
    module, model = peer_class(settings.library), Model(document["models"][settings.model])
    limit, peak = document["memory_bytes"], settings.peak
    if peak > limit:
        print(json.dumps({"largest_batch": 0, "refused_batch": model.batch_size()}))
        return
    for found in largest_batches(peer_of(settings, module, model), model, model.batch_size(), peak, limit):
        print(json.dumps(dict(zip(("largest_batch", "largest_peak_bytes", "refused_batch"), found))), flush=True)


def last_row(text):
    """The last line that is a row: what a peer said before it failed or was stopped."""
    rows = [line for line in text.splitlines() if line.startswith("{")]
    return json.loads(rows[-1]) if rows else {}


def missing(library):
    """Why the library cannot be used, or None. Asked in another process, so that none of it stays in this one."""
    probe = "import numpy, torch; assert torch.cuda.is_available(), 'it finds no GPU'" if library == "torch" else \
            "import numpy, jax; assert jax.default_backend() == 'gpu', 'it finds no GPU'"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it fails"])[-1]


class Process:
    """One peer of one model, as a process of this program with these options more."""

    def __init__(self, settings, model, library, variant, *options):
        environment = dict(os.environ, XLA_PYTHON_CLIENT_PREALLOCATE="false", TF_CPP_MIN_LOG_LEVEL="3")
        self.row = {"model": model, "library": library, "variant": variant}
        self.out, self.errors = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        command = [sys.executable, __file__, f"--model={model}", f"--library={library}", f"--variant={variant}",
                   f"--folder={settings.folder}", f"--device={settings.device}", f"--steps={settings.steps}", *options]
        self.process = subprocess.Popen(command, stdout=self.out, stderr=self.errors, env=environment)

    def finish(self, deadline):
        """What it told by then, and in "note" what went wrong."""
        note = None
        try:
            self.process.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            note = "stopped: its time was up"
        self.out.seek(0)
        self.errors.seek(0)
        if self.process.returncode != 0 and note is None:
            note = (self.errors.read().strip().splitlines() or [f"exit status {self.process.returncode}"])[-1][:300]
        return last_row(self.out.read()) | ({"note": note} if note else {})


def run_model(settings, model, peers, seconds):
    """Rows of all peers of a model, which have so many seconds together."""
    end = time.monotonic() + seconds
    with tempfile.NamedTemporaryFile() as lock:
        options = [f"--lock={lock.name}"] + ["--check"] * settings.check
        started = [Process(settings, model, *peer, *options) for peer in peers]
        rows = [process.row | process.finish(end) for process in started]
    for i, row in enumerate(rows):
        left = end - time.monotonic()
        if "step_s" in row and row["agrees"] and left > 0:
            process = Process(settings, model, row["library"], row["variant"], f"--peak={row['peak_bytes']}")
            row |= process.finish(time.monotonic() + left / (len(rows) - i))
        yield row


def shown(row):
    name = NAMES.get(row["variant"]) or ("torch.utils.checkpoint" if row["library"] == "torch" else "jax.checkpoint")
    label = f"{row['model']} {name}"
    if not row.get("agrees", True):
        return f"{label:<36} WRONG: losses {row['losses']}"
    if "step_s" not in row:
        return f"{label:<36} {row.get('note', 'losses agree')}"
    spread = 100 * (row["most_step_s"] - row["least_step_s"]) / row["step_s"]
    return (f"{label:<36} {1e3 * row['step_s']:>10.2f} {spread:>7.0f} % {row['peak_bytes'] / 1e6:>10.1f} {row.get('largest_batch', '?'):>8}"
            f" {row.get('note', '')}").rstrip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=pathlib.Path, default=HERE)
    parser.add_argument("--seconds", type=float, default=300, help="for all peers together")
    parser.add_argument("--steps", type=int, default=N_STEPS)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="compare losses, measure nothing")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    for name in "model", "library", "variant", "lock":
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.model:
        return search(settings) if settings.peak else measure(settings)
    document, rows, peers = json.loads((settings.folder / "peers.json").read_text()), [], []
    for library, (title, variants) in LIBRARIES.items():
        reason = missing(library) if settings.device == "cuda" else None
        if reason:
            print(f"peers: no {title}: {reason}")
            rows.append({"library": library, "note": reason})
        else:
            peers += [(library, variant) for variant in variants]
    if peers:
        print(f"{'peers':<36} {'ms a step':>10} {'spread':>9} {'peak, MB':>10} largest batch in {document['memory_bytes'] / 1e9:g} GB")
    for i, model in enumerate(document["models"] if peers else []):
        for row in run_model(settings, model, peers, settings.seconds / len(document["models"])):
            rows.append(row)
            print(shown(row), flush=True)
    if settings.json:
        settings.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if all(row.get("agrees", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
