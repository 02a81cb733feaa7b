#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One training step of a loss head, written in many ways: what is planned must not depend on which.

    run.py [BUILD_DIR] [--tokens=8x256,2x1024,…] [--words=32000] [--features=256] [--only=SUBSTRING] [--echo=OPTIONS]
    run.py [BUILD_DIR] --check …           runs each instead, on small shapes: results beside JAX's, Echo off and on

The first form prints a table of planned temporaries in MB (--markdown: as it stands in bench/results/heads.md). Needs jax,
optax and flax.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import jax
import numpy as np

from heads import HEADS, names_in

RETURNS = {  # where the loss stands among the results
    "loss last": lambda params, loss, aux: (params, loss, aux),
    "loss first": lambda params, loss, aux: (loss, params),
    "loss missing": lambda params, loss, aux: params,
    "loss twice": lambda params, loss, aux: (loss, params, loss),
}


def step_of(head, returns, rate):
    def step(params, batch):
        (loss, aux), gradients = jax.value_and_grad(head, has_aux=True)(params, batch)
        return RETURNS[returns](jax.tree.map(lambda p, g: p - rate * g, params, gradients), loss, aux)
    return jax.jit(step, donate_argnums=0, keep_unused=True)


def draw(head, tokens, words, features):
    rng = np.random.default_rng(0)
    normal = lambda *shape: (rng.standard_normal(shape) * 0.3).astype(np.float32)
    params = {"w1": normal(features, features), "w": normal(features, words), "wt": normal(words, features),
              "b": normal(words)}
    batch = {"x": normal(*tokens, features), "y": rng.integers(0, words - 8, tokens).astype(np.int32),
             "m": rng.random(tokens) < 0.8}
    return tuple({name: values[name] for name in names_in(head, values)} for values in (params, batch))


def planned_mb(build, text, echo):
    command = [build / "bin/echo-opt", "-", "--to=planned"] + ([f"--echo={echo}"] if echo else [])
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    found = run.stdout.partition("plan.temp_bytes = ")[2].partition(" ")[0]
    return int(found) / 1e6 if found else None


def plan_table(options, names):
    shapes = [tuple(map(int, tokens.split("x"))) for tokens in options.tokens.split(",")]
    rows = []
    for name in names:
        for returns in RETURNS if name == options.every_return else ["loss last"]:
            cells = []
            for tokens in shapes:
                shape_of = lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype)
                arguments = jax.tree.map(shape_of, draw(HEADS[name], tokens, options.words, options.features))
                text = step_of(HEADS[name], returns, 0.1).lower(*arguments).as_text()
                mb = planned_mb(options.build, text, options.echo)
                cells.append("refused" if mb is None else f"{mb:.1f}")
            rows.append([name.replace("_", " ") + ("" if returns == "loss last" else f", {returns}")] + cells)
            print("  ".join(f"{cell:>9}" for cell in cells), rows[-1][0], flush=True)
    if options.markdown:
        header = ["head"] + ["[" + ", ".join(map(str, tokens)) + "]" for tokens in shapes]
        print("\n| " + " | ".join(header) + " |\n|" + " --- |" + " --: |" * len(shapes))
        print("\n".join("| " + " | ".join(row) + " |" for row in rows))


def run_echo(build, step, inputs, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.npz"
        subprocess.run([build / "bin/echo-run", step, f"--inputs={inputs}", f"--outputs={out}", "--quiet", *options], check=True)
        with np.load(out) as arrays:
            return [arrays[f"res{i}"] for i in range(len(arrays.files))]


def is_as_jax(build, lowered, arguments, label, limit):
    """Runs a step with Echo off and at the least: the same bits, and JAX's results within `limit` of the largest element of each."""
    with tempfile.TemporaryDirectory() as folder:
        step, inputs = pathlib.Path(folder) / "step.mlir", pathlib.Path(folder) / "in.npz"
        step.write_text(lowered.as_text())
        np.savez(inputs, **{f"arg{i}": x for i, x in enumerate(jax.tree.leaves(arguments))})
        off = run_echo(build, step, inputs)
        on = run_echo(build, step, inputs, "--echo=budget=min", "--threads=1")
    wanted = [np.asarray(x, np.float64) for x in jax.tree.leaves(lowered.compile()(*arguments))]
    error = max(np.abs(got.reshape(want.shape) - want).max() / max(np.abs(want).max(), 1e-30)
                for got, want in zip(off, wanted, strict=True))
    is_same = all(a.tobytes() == b.tobytes() for a, b in zip(off, on, strict=True))
    is_right = is_same and error < limit
    print(f"{'ok   ' if is_right else 'WRONG'} {label}: differs by {error:.1e} from JAX; Echo off and on "
          f"{'the same' if is_same else 'NOT the same'}", flush=True)
    return is_right


def check(options, names):
    """The rate is so high that a new weight is its gradient."""
    n_wrong = 0
    for name in names:
        limit = 2 ** -6 if "bf16" in name else 1e-4  # sums of 32,000 float32: 2^-24 each, and bf16 keeps 2^-9
        for tokens in options.tokens.split(","):
            arguments = draw(HEADS[name], tuple(map(int, tokens.split("x"))), options.words, options.features)
            lowered = step_of(HEADS[name], "loss last", 1000.0).lower(*arguments)
            n_wrong += not is_as_jax(options.build, lowered, arguments, f"{name} {tokens}", limit)
    return n_wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--tokens")
    parser.add_argument("--words", type=int, default=32000)
    parser.add_argument("--features", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--every-return", default="optax_integer_labels", help="the head whose loss is also returned elsewhere")
    parser.add_argument("--echo", help="options of --echo; none: without Echo")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.tokens = options.tokens or ("1x61,7x9,3x4x5" if options.check else "2048,8x256,2x1024,1x2048,4x8x64,1x2039,7x293")
    options.features = options.features or (8 if options.check else 256)
    names = [name for name in HEADS if options.only in name]
    if options.check:
        sys.exit(check(options, names) != 0)
    plan_table(options, names)


if __name__ == "__main__":
    main()
