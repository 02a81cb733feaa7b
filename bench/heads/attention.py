#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One training step of a layer of attention, written in many ways: the scores must be whole in none.

    attention.py [BUILD_DIR] [--batch=2] [--length=1024] [--width=256] [--heads=4] [--layers=2] [--only=SUBSTRING]
    attention.py [BUILD_DIR] --check …     runs each instead: results beside JAX's, Echo off and on

The first form prints planned temporaries in MB, without Echo, in 2 % of time and at the least, beside those of XLA's CPU compiler
(--markdown: as it stands in bench/results/attention.md). Needs jax, optax and flax.
"""
import argparse
import functools
import pathlib
import sys

import flax.linen as linen
import jax
import jax.numpy as jnp
import numpy as np

from run import is_as_jax, planned_mb

WAYS = {}


def way(function):
    WAYS[function.__name__] = function
    return function


def split(p, x, heads, order="bthd"):
    b, t, e = x.shape
    parts = [(x @ p[name]).reshape(b, t, heads, e // heads) for name in ("q", "k", "v")]
    return parts if order == "bthd" else [part.transpose(0, 2, 1, 3) for part in parts]


def join(p, x, out, order="bthd"):
    out = out if order == "bthd" else out.transpose(0, 2, 1, 3)
    return out.reshape(x.shape) @ p["o"]


def tril(t):
    return jnp.tril(jnp.ones((t, t), bool))


@way
def jax_nn_causal(p, x, heads):
    return join(p, x, jax.nn.dot_product_attention(*split(p, x, heads), is_causal=True))


@way
def jax_nn_window(p, x, heads):
    return join(p, x, jax.nn.dot_product_attention(*split(p, x, heads), is_causal=True, local_window_size=(64, 0)))


@way
def jax_nn_padded(p, x, heads):
    lengths = jnp.full((x.shape[0],), x.shape[1] - 7)
    out = jax.nn.dot_product_attention(*split(p, x, heads), query_seq_lengths=lengths, key_value_seq_lengths=lengths)
    return join(p, x, out)


@way
def grouped_queries(p, x, heads):
    q, k, v = split(p, x, heads)
    return join(p, x, jax.nn.dot_product_attention(q, k[:, :, ::2], v[:, :, ::2], is_causal=True))


@way
def one_key_for_all(p, x, heads):
    q, k, v = split(p, x, heads)
    s = jnp.einsum("bthd,bsd->bhts", q, k[:, :, 0]) / 8.0
    w = jax.nn.softmax(jnp.where(tril(x.shape[1]), s, -1e9), -1)
    return join(p, x, jnp.einsum("bhts,bsd->bthd", w, v[:, :, 0]))


@way
def einsum_heads_first(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    s = jnp.where(tril(x.shape[1]), jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0, -1e9)
    return join(p, x, jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(s, -1), v), "bhtd")


@way
def einsum_queries_last(p, x, heads):
    q, k, v = split(p, x, heads)
    s = jnp.einsum("bthd,bshd->bhst", q, k) / 8.0
    return join(p, x, jnp.einsum("bhst,bshd->bthd", jax.nn.softmax(s, 2), v))


@way
def matmul_one_head(p, x, heads):
    q, k, v = x @ p["q"], x @ p["k"], x @ p["v"]
    s = jnp.where(tril(x.shape[1]), q @ k.swapaxes(1, 2) / 16.0, -jnp.inf)
    w = jnp.exp(s - jax.lax.stop_gradient(s.max(-1, keepdims=True)))
    return (w / w.sum(-1, keepdims=True)) @ v @ p["o"]


@way
def one_product_for_all(p, x, heads):
    """The weights of queries, keys and values in one matrix."""
    b, t, e = x.shape
    qkv = (x @ jnp.concatenate([p["q"], p["k"], p["v"]], 1)).reshape(b, t, 3, heads, e // heads)
    q, k, v = (qkv[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    w = jax.nn.softmax(jnp.where(tril(t), q @ k.swapaxes(-1, -2) / 8.0, -1e9), -1)
    return join(p, x, w @ v, "bhtd")


@way
def vmapped_heads(p, x, heads):
    def one(q, k, v):
        return jax.nn.softmax(q @ k.T / 8.0, -1) @ v
    over = jax.vmap(jax.vmap(one))
    return join(p, x, over(*split(p, x, heads, "bhtd")), "bhtd")


@way
def exp_log_softmax(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    w = jnp.exp(jax.nn.log_softmax(q @ k.swapaxes(-1, -2) / 8.0, -1))
    return join(p, x, w @ v, "bhtd")


@way
def sigmoid_scores(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    return join(p, x, jax.nn.sigmoid(q @ k.swapaxes(-1, -2) / 8.0 - 5.0) @ v, "bhtd")


@way
def softcap(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    s = jnp.where(tril(x.shape[1]), 50.0 * jnp.tanh(q @ k.swapaxes(-1, -2) / 400.0), -1e9)
    return join(p, x, jax.nn.softmax(s, -1) @ v, "bhtd")


@way
def cosine(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    unit = lambda z: z * jax.lax.rsqrt((z * z).sum(-1, keepdims=True) + 1e-6)
    return join(p, x, jax.nn.softmax(10.0 * unit(q) @ unit(k).swapaxes(-1, -2), -1) @ v, "bhtd")


@way
def rotary(p, x, heads):
    q, k, v = split(p, x, heads)
    t, d = x.shape[1], q.shape[-1]
    angle = jnp.arange(t)[:, None] / 10000 ** (jnp.arange(0, d, 2) / d)
    sin, cos = jnp.sin(angle)[:, None], jnp.cos(angle)[:, None]
    def turn(z):
        a, b = jnp.split(z, 2, -1)
        return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)
    return join(p, x, jax.nn.dot_product_attention(turn(q), turn(k), v, is_causal=True))


@way
def slopes_by_distance(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    t = x.shape[1]
    distance = jnp.arange(t)[None, :] - jnp.arange(t)[:, None]
    slopes = 2.0 ** -jnp.arange(1, heads + 1)
    s = q @ k.swapaxes(-1, -2) / 8.0 + slopes[:, None, None] * distance
    return join(p, x, jax.nn.softmax(jnp.where(tril(t), s, -1e9), -1) @ v, "bhtd")


@way
def learned_bias_by_distance(p, x, heads):
    q, k, v = split(p, x, heads, "bhtd")
    t = x.shape[1]
    bucket = jnp.clip(jnp.arange(t)[None, :] - jnp.arange(t)[:, None] + 16, 0, 31)
    s = q @ k.swapaxes(-1, -2) / 8.0 + p["q"][:heads, :32][:, bucket]
    return join(p, x, jax.nn.softmax(s, -1) @ v, "bhtd")


@way
def bf16(p, x, heads):
    q, k, v = (z.astype(jnp.bfloat16) for z in split(p, x, heads))
    return join(p, x, jax.nn.dot_product_attention(q, k, v, is_causal=True).astype(jnp.float32))


@way
def softmax_in_f32(p, x, heads):
    q, k, v = (z.astype(jnp.bfloat16) for z in split(p, x, heads, "bhtd"))
    s = (q @ k.swapaxes(-1, -2)).astype(jnp.float32) / 8.0
    w = jax.nn.softmax(jnp.where(tril(x.shape[1]), s, -1e9), -1).astype(jnp.bfloat16)
    return join(p, x, (w @ v).astype(jnp.float32), "bhtd")


@way
def flax_linen(p, x, heads, rate=0.0, seed=0):
    mask = linen.make_causal_mask(jnp.ones(x.shape[:2]))
    q, k, v = split(p, x, heads)
    out = linen.dot_product_attention(q, k, v, mask=mask, dropout_rng=jax.random.PRNGKey(seed), dropout_rate=rate,
                                      deterministic=rate == 0.0, broadcast_dropout=False)
    return join(p, x, out)


@way
def flax_linen_dropout(p, x, heads):
    return flax_linen(p, x, heads, 0.1)


@way
def dropout_of_each_layer(p, x, heads):
    """A key that the layer's weights give: no two layers drop the same."""
    return flax_linen(p, x, heads, 0.1, jax.lax.bitcast_convert_type(p["q"][0, 0], jnp.uint32))


@way
def checkpointed(p, x, heads):
    return jax.checkpoint(functools.partial(jax_nn_causal, heads=heads))(p, x)


@way
def memory_of_half_the_length(p, x, heads):
    """Every query, but keys and values of half of the words: an encoder's."""
    q = split(p, x, heads)[0]
    _, k, v = split(p, jnp.tanh(x[:, ::2]), heads)
    return join(p, x, jax.nn.dot_product_attention(q, k, v))


def step_of(attention, options, rate, in_scan):
    def forward(params, x):
        layer = lambda x, p: x + attention(p, x, options.heads)
        if in_scan:
            return jax.lax.scan(lambda x, p: (layer(x, p), None), x, params)[0]
        for i in range(options.layers):
            x = layer(x, jax.tree.map(lambda a: a[i], params))
        return x

    def step(params, x, y):
        loss, gradients = jax.value_and_grad(lambda p: ((forward(p, x) - y) ** 2).mean())(params)
        return jax.tree.map(lambda p, g: p - rate * g, params, gradients), loss
    return jax.jit(step, donate_argnums=0, keep_unused=True)


def draw(options):
    rng = np.random.default_rng(0)
    normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    tokens = (options.batch, options.length, options.width)
    params = {name: normal(options.layers, options.width, options.width) * options.width ** -0.5 for name in "qkvo"}
    return params, normal(*tokens), normal(*tokens)


def forms_of(options):
    """Each way written out, and as a scan over the layers."""
    names = [(name, in_scan) for in_scan in (False, True) for name in WAYS]
    for name, in_scan in names:
        label = name.replace("_", " ") + (", layers in a scan" if in_scan else "")
        if options.only in label:
            yield label, functools.partial(step_of, WAYS[name], options, in_scan=in_scan)


def plan_table(options):
    arguments = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), draw(options))
    rows = []
    for label, step in forms_of(options):
        lowered = step(rate=0.1).lower(*arguments)
        cells = [lowered.compile().memory_analysis().temp_size_in_bytes / 1e6]
        cells += [planned_mb(options.build, lowered.as_text(), echo) for echo in (None, "overhead=2%", "budget=min")]
        rows.append([label] + ["refused" if mb is None else f"{mb:.1f}" for mb in cells])
        print("  ".join(f"{cell:>9}" for cell in rows[-1][1:]), label, flush=True)
    if options.markdown:
        header = ["attention", "XLA", "off", "`overhead=2%`", "`budget=min`"]
        print("\n| " + " | ".join(header) + " |\n| --- |" + " --: |" * 4)
        print("\n".join("| " + " | ".join(row) + " |" for row in rows))


def check(options):
    """The rate is so high that a new weight is its gradient."""
    arguments = draw(options)
    n_wrong = 0
    for label, step in forms_of(options):
        # sums of some thousand float32 through a softmax: 2^-24 each; bf16 keeps 2^-9 of scores of up to 8
        limit = 2 ** -4 if label.split(",")[0] in ("bf16", "softmax in f32") else 1e-3
        n_wrong += not is_as_jax(options.build, step(rate=1000.0).lower(*arguments), arguments, label, limit)
    return n_wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build"))
    for name, number in (("batch", 2), ("length", 1024), ("width", 256), ("heads", 4), ("layers", 2)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        sys.exit(check(options) != 0)
    plan_table(options)


if __name__ == "__main__":
    main()
