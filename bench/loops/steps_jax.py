# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""steps_jax.py FOLDER: training steps whose layers or time steps are a loop, as JAX writes them, each beside the same model with
jax.checkpoint around the body and unrolled. Writes FOLDER/NAME.mlir, and the temporaries of XLA's CPU compiler to FOLDER/xla.json.
Needs jax and optax."""
import functools
import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import optax
from jax.ad_checkpoint import checkpoint_name

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
XLA = {}


def dump(name, step, *args, donate=(0,)):
    lowered = jax.jit(step, donate_argnums=donate).lower(*args)
    (FOLDER / f"{name}.mlir").write_text(lowered.as_text())
    XLA[name] = lowered.compile().memory_analysis().temp_size_in_bytes


def sgd(params, gradients):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


def run_layers(layer, stacked, x, form):
    """The layers one after the other: a scan, a scan over checkpointed layers, or unrolled."""
    if form == "unrolled":
        for i in range(jax.tree.leaves(stacked)[0].shape[0]):
            x = layer(x, jax.tree.map(lambda a: a[i], stacked))
        return x
    body = jax.checkpoint(layer) if form == "remat" else layer
    return jax.lax.scan(lambda h, w: (body(h, w), None), x, stacked)[0]


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def block(x, w, heads=4):
    batch, length, width = x.shape
    split = lambda z: z.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)
    q, k, v = map(split, jnp.split((norm(x) * w["g"]) @ w["q"], 3, -1))
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0, -1e9)
    out = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v)
    x = x + out.transpose(0, 2, 1, 3).reshape(batch, length, width) @ w["o"]
    return x + jax.nn.gelu(norm(x) @ w["a"]) @ w["b"]


def transformer(layers, width, words):
    shapes = {"q": (width, 3 * width), "o": (width, width), "a": (width, 4 * width), "b": (4 * width, width), "g": (width,)}
    return jnp.zeros((words, width)), {name: jnp.zeros((layers, *shape)) for name, shape in shapes.items()}


def word_loss(form, params, tokens):
    logits = (norm(run_layers(block, params[1], params[0][tokens], form)) @ params[0].T)[:, :-1]
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


def optimized(loss, optimizer):
    def step(params, state, *batch):
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value
    return step


def plain(loss):
    def step(params, *batch):
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        return value, sgd(params, gradients)
    return step


def lstm(params, inputs, form="scan", unroll=1):
    hidden = params[1].shape[0]
    def cell(carry, x):
        h, s = carry
        i, f, g, o = jnp.split(x @ params[0] + h @ params[1] + params[2], 4, -1)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(s)
        return (h, s), h
    carry = (jnp.zeros((inputs.shape[1], hidden)),) * 2
    if form == "unrolled":
        outputs = []
        for x in inputs:
            carry, h = cell(carry, x)
            outputs.append(h)
        return jnp.stack(outputs)
    return jax.lax.scan(jax.checkpoint(cell) if form == "remat" else cell, carry, inputs, unroll=unroll)[1]


def mean_square(forward):
    """A step that brings forward(params, *batch) to zero."""
    return plain(lambda params, *batch: (forward(params, *batch) ** 2).mean())


def recurrences():
    """Loops over time in other forms: numbers of steps that few numbers divide, both directions, several cells in a body, solvers."""
    zeros, scan, width = jnp.zeros, jax.lax.scan, 128
    weights = (zeros((width, 4 * width)), zeros((width, 4 * width)), zeros((4 * width,)))
    for length in (97, 127, 1000):
        dump(f"lstm_{length}_steps", mean_square(lstm), weights, zeros((length, 32, width)))
    both = lambda p, x: jnp.concatenate([lstm(p[0], x), lstm(p[1], x[::-1])[::-1]], -1)
    dump("lstm_both_ways", mean_square(both), (weights, weights), zeros((63, 32, width)))
    dump("lstm_unrolled_by_4", mean_square(functools.partial(lstm, unroll=4)), weights, zeros((64, 32, width)))
    dump("lstm_unrolled_by_4_odd", mean_square(functools.partial(lstm, unroll=4)), weights, zeros((63, 32, width)))

    def solver(p, x):
        slope = lambda h: jnp.tanh(h @ p[0] + p[1]) @ p[2]
        def step(_, h):
            a = slope(h)
            b = slope(h + 0.05 * a)
            c = slope(h + 0.05 * b)
            return h + 0.1 / 6 * (a + 2 * b + 2 * c + slope(h + 0.1 * c))
        return jax.lax.fori_loop(0, 50, step, x)
    dump("runge_kutta", mean_square(solver), (zeros((64, 256)), zeros(256), zeros((256, 64))), zeros((512, 64)))

    def blockwise(p, x):
        q, k, v = ((x @ w).reshape(-1, 64, 4, 32) for w in p)
        def row(_, q_block):
            def column(carry, block):
                top, total, out = carry
                scores = jnp.einsum("ihd,jhd->hij", q_block, block[0])
                new = jnp.maximum(top, scores.max(-1))
                weight, old = jnp.exp(scores - new[..., None]), jnp.exp(top - new)
                out = out * old[..., None] + jnp.einsum("hij,jhd->hid", weight, block[1])
                return (new, total * old + weight.sum(-1), out), None
            (_, total, out), _ = scan(column, (jnp.full((4, 64), -1e30), zeros((4, 64)), zeros((4, 64, 32))), (k, v))
            return None, out / total[..., None]
        return scan(row, None, q)[1]
    dump("blockwise_attention", mean_square(blockwise), (zeros((128, 128)),) * 3, zeros((1024, 128)))

    def rollout(p, state):
        def step(s, _):
            s = s + 0.1 * jnp.sin(s @ p[2] + jnp.tanh(jnp.tanh(s @ p[0]) @ p[1]) @ p[3])
            return s, (s ** 2).mean()
        return scan(step, state, None, length=200)[1]
    dump("rollout", mean_square(rollout), (zeros((32, 128)), zeros((128, 8)), zeros((32, 32)), zeros((8, 32))), zeros((1024, 32)))

    def convolutional(p, frames):
        def cell(carry, frame):
            h, s = carry
            z = jax.lax.conv_general_dilated(jnp.concatenate([frame, h], -1), p, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            i, f, g, o = jnp.split(z, 4, -1)
            s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(s), s), None
        return scan(cell, (zeros((4, 32, 32, 16)),) * 2, frames)[0][0]
    dump("convolutional_lstm", mean_square(convolutional), zeros((3, 3, 20, 64)), zeros((21, 4, 32, 32, 4)))

    def inner_training(p, x, y):
        loss = lambda q: ((jax.nn.relu(x @ q[0]) @ q[1] - y) ** 2).mean()
        return loss(scan(lambda q, _: (sgd(q, jax.grad(loss)(q)), None), p, None, length=9)[0])
    dump("inner_training", mean_square(inner_training), (zeros((64, 256)), zeros((256, 10))), zeros((256, 64)), zeros((256, 10)))

    def linear(p, x):
        return scan(lambda h, ab: (ab[0] * h + ab[1],) * 2, zeros((16, 128)), (jax.nn.sigmoid(x @ p[0]), x @ p[1]))[1] @ p[2]
    dump("linear_recurrence", mean_square(linear), (zeros((128, 128)),) * 3, zeros((500, 16, 128)))

    def segments(p, x):
        layer = lambda h, w: (h + jax.nn.gelu(h @ w[0]) @ w[1], None)
        segment = jax.checkpoint(lambda h, w: scan(layer, h, w))
        return scan(segment, x, jax.tree.map(lambda a: a.reshape(4, 4, *a.shape[1:]), p))[0]
    dump("segments_by_hand", mean_square(segments), (zeros((16, 128, 512)), zeros((16, 512, 128))), zeros((256, 128)))


def state_spaces():
    """Recurrences whose inputs are made outside of the loop, of less than they are, or are arrays that die in it."""
    zeros, scan, swap = jnp.zeros, jax.lax.scan, lambda z: jnp.swapaxes(z, 0, 1)
    names = ("decay", "step", "in", "out", "last", "gate")
    selective = {name: zeros(shape) for name, shape in zip(names, ((128, 16), (128, 128), (128, 16), (128, 16), (128, 128), (128, 128)))}

    def mamba(p, x):
        step = jax.nn.softplus(x @ p["step"])[..., None]
        decay = jnp.exp(-step * jnp.exp(p["decay"]))
        inputs = step * (x @ p["in"])[:, :, None] * x[..., None]
        def cell(h, abc):
            h = abc[0] * h + abc[1]
            return h, jnp.einsum("bdn,bn->bd", h, abc[2])
        y = scan(cell, zeros((4, 128, 16)), (swap(decay), swap(inputs), swap(x @ p["out"])))[1]
        return (swap(y) * jax.nn.silu(x @ p["gate"])) @ p["last"]
    dump("selective_scan", mean_square(mamba), selective, zeros((4, 200, 128)))

    def rwkv(p, x):
        k, v, r = x @ p["k"], x @ p["v"], jax.nn.sigmoid(x @ p["r"])
        def cell(carry, kv):
            a, b, top = carry
            def mix(k, top):
                new = jnp.maximum(top, k)
                return new, jnp.exp(top - new), jnp.exp(k - new)
            _, old, now = mix(p["u"] + kv[0], top)
            y = (old * a + now * kv[1]) / (old * b + now)
            top, old, now = mix(kv[0], top - jnp.exp(p["w"]))
            return (old * a + now * kv[1], old * b + now, top), y
        first = zeros((8, 128))
        return (r * scan(cell, (first, first, first - 1e30), (k, v))[1]) @ p["o"]
    dump("rwkv", mean_square(rwkv), {n: zeros((128, 128)) for n in "kvro"} | {n: zeros(128) for n in "uw"}, zeros((200, 8, 128)))

    def mlstm(p, x):
        q, k, v, i, f = (x @ w for w in p)
        def cell(carry, now):
            c, n, top = carry
            q, k, v, i, f = now
            f = jax.nn.log_sigmoid(f)
            new = jnp.maximum(f + top, i)
            now, old = jnp.exp(i - new), jnp.exp(f + top - new)
            c = old[:, None, None] * c + now[:, None, None] * v[:, :, None] * k[:, None]
            n = old[:, None] * n + now[:, None] * k
            return (c, n, new), jnp.einsum("bij,bj->bi", c, q) / jnp.maximum(jnp.abs((n * q).sum(-1)), jnp.exp(-new))[:, None]
        return scan(cell, (zeros((8, 64, 64)), zeros((8, 64)), zeros(8)), (q, k, v, i, f))[1]
    dump("mlstm", mean_square(mlstm), (zeros((64, 64)),) * 3 + (zeros(64),) * 2, zeros((100, 8, 64)))


def other_forms():
    """Masks, attention over another recurrence, sampling, layers in layers, maps, counters of every kind."""
    zeros, scan, width = jnp.zeros, jax.lax.scan, 128
    weights = (zeros((width, 4 * width)), zeros((width, 4 * width)), zeros((4 * width,)))

    def masked_gru(p, x, lengths):
        def cell(h, now):
            x, t = now
            a, b = jnp.split(x @ p[0] + p[2], 3, -1), jnp.split(h @ p[1], 3, -1)
            z = jax.nn.sigmoid(a[1] + b[1])
            new = (1 - z) * jnp.tanh(a[2] + jax.nn.sigmoid(a[0] + b[0]) * b[2]) + z * h
            h = jnp.where((t < lengths)[:, None], new, h)
            return h, h
        return scan(cell, zeros((32, width)), (x, jnp.arange(len(x))))[1]
    gates = (zeros((width, 3 * width)), zeros((width, 3 * width)), zeros(3 * width))
    dump("masked_gru", mean_square(masked_gru), gates, zeros((80, 32, width)), zeros(32, jnp.int32))
    dump("lstm_of_lstm", mean_square(lambda p, x: lstm(p[1], lstm(p[0], x))), (weights, weights), zeros((64, 32, width)))

    def attention(p, x, y):
        encoded = lstm(p[0], x)
        keys = encoded @ p[1]
        def cell(carry, now):
            h, s, context = carry
            (w, u, b), query, score = p[2]
            i, f, g, o = jnp.split((now + context) @ w + h @ u + b, 4, -1)
            s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(s)
            weight = jax.nn.softmax(jnp.tanh(keys + h @ query) @ score, 0)
            context = jnp.einsum("sb,sbd->bd", weight, encoded)
            return (h, s, context), h + context
        return scan(cell, (zeros((16, width)),) * 3, y)[1]
    square = zeros((width, width))
    dump("attention_decoder", mean_square(attention), (weights, square, (weights, square, zeros(width))), zeros((40, 16, width)), zeros((40, 16, width)))

    def sampling(p, key):
        def cell(carry, key):
            h, word = carry
            h = jnp.tanh(h @ p[1] + p[0][word])
            logits = h @ p[2]
            word = jax.random.categorical(key, logits)
            return (h, word), jnp.take_along_axis(jax.nn.log_softmax(logits), word[:, None], 1)
        return scan(cell, (zeros((32, width)), zeros(32, jnp.int32)), jax.random.split(key, 40))[1]
    dump("sampling", mean_square(sampling), (zeros((500, width)), square, zeros((width, 500))), jax.random.PRNGKey(0))

    inner = jax.checkpoint(lambda h, w: (jnp.tanh(h @ w) + h, None))
    outer = jax.checkpoint(lambda h, w: scan(inner, h, w))
    dump("remat_in_remat", mean_square(lambda p, x: scan(outer, x, p.reshape(4, 6, width, width))[0]), zeros((24, width, width)), zeros((256, width)))
    dump("map_over_rows", mean_square(lambda p, x: jax.lax.map(lambda row: jax.nn.gelu(row @ p[0]) @ p[1], x)), (zeros((width, 512)), zeros((512, width))),
         zeros((20, 64, width)))

    def counter(start, goes_on, change, index):
        """A step by hand: one loop writes its states where its counter says, the other reads them from the last to the first."""
        def step(p, x):
            def write(carry):
                h, states, i = carry
                return jnp.tanh(h @ p), jax.lax.dynamic_update_index_in_dim(states, h, index(i), 0), change(i)
            def read(carry):
                j, g, total = carry
                h = jax.lax.dynamic_index_in_dim(states, index(start + 3 * (19 - j) if start == 0 else j + 1), keepdims=False)
                g = g * (1 - jnp.tanh(h @ p) ** 2)
                return j + 1, g @ p.T, total + h.T @ g
            h, states, _ = jax.lax.while_loop(lambda carry: goes_on(carry[2]), write, (x, zeros((20, *x.shape)), jnp.asarray(start)))
            return p - jax.lax.while_loop(lambda carry: carry[0] < 20, read, (0, h, jnp.zeros_like(p)))[2], (h ** 2).mean()
        return step
    by_threes = counter(0, lambda i: jax.lax.gt(jnp.int32(60), i), lambda i: i + 3, lambda i: i // 3)
    downwards = counter(20, lambda i: i != 0, lambda i: i - 1, lambda i: i - 1)
    for name, step in (("counter_by_threes", by_threes), ("counter_downwards", downwards)):
        dump(name, step, square, zeros((64, width)))


def forms_of_scans():
    """Scans whose outputs everybody reads, of several types, in each other, under policies; maps, and loops that end when they will."""
    zeros, scan, width = jnp.zeros, jax.lax.scan, 128
    square = zeros((width, width))
    sigmoid, tanh = jax.nn.sigmoid, jnp.tanh

    def gru(w, x, h):
        a, b = jnp.split(x @ w["w"] + w["b"], 3, -1), jnp.split(h @ w["u"], 3, -1)
        z = sigmoid(a[1] + b[1])
        return (1 - z) * tanh(a[2] + sigmoid(a[0] + b[0]) * b[2]) + z * h
    gates = {"w": zeros((width, 3 * width)), "u": zeros((width, 3 * width)), "b": zeros(3 * width)}
    twice = lambda h: (h, h)
    def run_gru(w, x, reverse=False):
        return scan(lambda h, x: twice(gru(w, x, h)), zeros((x.shape[1], width)), x, reverse=reverse)[1]
    def gru_words(p, words):
        logits = run_gru(p[0], p[1][words[:-1]]) @ p[1].T
        return optax.softmax_cross_entropy_with_integer_labels(logits, words[1:]).mean()
    dump("gru_words", plain(gru_words), (gates, zeros((200, width))), zeros((101, 16), jnp.int32))
    def both_ways(p, x):
        for w in p:
            x = run_gru(w, x) + run_gru(w, x, True)
        return x
    dump("gru_both_ways", mean_square(both_ways), [gates] * 3, zeros((100, 12, width)))

    def types(p, xs):
        def cell(carry, now):
            h, c, n = carry
            z = jnp.concatenate([now[0], h], -1).astype(jnp.bfloat16) @ p[0].astype(jnp.bfloat16)
            i, f, g, o = jnp.split(z.astype(jnp.float32) + p[1], 4, -1)
            c = sigmoid(f + 1) * c + sigmoid(i) * tanh(g)
            h = jnp.where(now[1][:, None], sigmoid(o) * tanh(c), h)
            return (h, c, n + now[1].astype(jnp.int32)), (h, n)
        first = (zeros((32, width)), zeros((32, width)), zeros(32, jnp.int32))
        h, n = scan(cell, first, xs, reverse=True)[1]
        return (h @ p[2]) * (n > 3)[..., None]
    dump("several_types", mean_square(types), (zeros((2 * width, 4 * width)), zeros(4 * width), zeros((width, 64))),
         (zeros((100, 32, width)), zeros((100, 32), bool)))

    def before(p, xs):
        def cell(carry, x):
            h, last = carry
            mix = (x + last) / 2
            return (h * sigmoid(mix @ p[1]) + tanh(mix @ p[0]), x), h
        return scan(cell, (zeros((16, width)),) * 2, xs @ p[2])[1]
    dump("carry_before", mean_square(before), (square,) * 3, zeros((200, 16, width)))

    def layers_in_time(p, xs):
        layer = lambda x, wh: twice(tanh(x @ wh[0] + wh[2] @ wh[1]))
        return scan(lambda hs, x: scan(layer, x, (*p, hs))[::-1], zeros((4, 32, width)), xs)[1]
    dump("layers_in_time", mean_square(layers_in_time), (zeros((4, width, width)),) * 2, zeros((64, 32, width)))
    def lstm_layers_in_time(p, xs, reverse=False):
        def layer(x, now):
            w, b, (h, c) = now
            i, f, g, o = jnp.split(jnp.concatenate([x, h], -1) @ w + b, 4, -1)
            c = sigmoid(f) * c + sigmoid(i) * tanh(g)
            h = sigmoid(o) * tanh(c)
            return h + x, (h, c)
        return scan(lambda state, x: scan(layer, x, (*p, state), reverse=reverse)[::-1], (zeros((3, 16, 64)),) * 2, xs)[1]
    for name, reverse in (("", False), ("_reversed", True)):
        dump(f"lstm_layers_in_time{name}", mean_square(functools.partial(lstm_layers_in_time, reverse=reverse)),
             (zeros((3, 128, 256)), zeros((3, 256))), zeros((40, 16, 64)))

    def under_policy(p, x, policy):
        def layer(h, w):
            m = checkpoint_name(jax.nn.gelu(h @ w[0]) @ w[1], "m")
            return h + m * sigmoid(h @ w[2]), None
        return scan(jax.checkpoint(layer, policy=policy), x, p)[0]
    policies = jax.checkpoint_policies
    for name, policy in (("dots", policies.dots_with_no_batch_dims_saveable), ("names", policies.save_only_these_names("m"))):
        dump(f"policy_{name}", mean_square(functools.partial(under_policy, policy=policy)),
             (zeros((10, width, 512)), zeros((10, 512, width)), zeros((10, width, width))), zeros((512, width)))

    wide = (zeros((width, 256)), zeros((256, width)))
    row = lambda p: lambda row: tanh(jax.nn.relu(row @ p[0]) @ p[1]).sum(-1)
    dump("map_in_batches", mean_square(lambda p, x: jax.lax.map(row(p), x, batch_size=8)), wide, zeros((96, 32, width)))
    def trajectory(p, x):
        def step(i, carry):
            s = carry[0] + 0.1 * tanh(carry[0] @ p[0]) @ p[1]
            return s, carry[1].at[i].set(s)
        return jax.lax.fori_loop(0, 60, step, (x, zeros((60, 128, width))))[1]
    dump("trajectory", mean_square(trajectory), wide, zeros((128, width)))
    def associative(p, x):
        add = lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1])
        return jax.lax.associative_scan(add, (sigmoid(x @ p[0]), x @ p[1]))[1] @ p[2]
    dump("associative", mean_square(associative), (square,) * 3, zeros((256, 16, width)))

    def fixed_point(p, x):
        """The gradient of where z = f(z) ends, by a second loop that ends when it will."""
        f = lambda p, z: tanh(jax.nn.gelu(z @ p[0]) @ p[1] + x)
        def solve(g, z):
            going = lambda c: (jnp.abs(c[0] - c[1]).max() > 1e-4) & (c[2] < 100)
            return jax.lax.while_loop(going, lambda c: (g(c[0]), c[0], c[2] + 1), (g(z), z, 0))[0]
        z = solve(functools.partial(f, p), x)
        loss, slope = jax.value_and_grad(lambda z: (z ** 2).mean())(z)
        back = jax.vjp(f, p, z)[1]
        return loss, sgd(p, back(solve(lambda u: slope + back(u)[1], slope))[0])
    dump("fixed_point", fixed_point, (zeros((width, 512)), zeros((512, width))), zeros((1024, width)))
    def until(p, x, y):
        loss = lambda p: ((functools.reduce(lambda h, w: jax.nn.gelu(h @ w), p[:-1], x) @ p[-1] - y) ** 2).mean()
        def train(carry):
            value, gradients = jax.value_and_grad(loss)(carry[0])
            return sgd(carry[0], gradients), value, carry[2] + 1
        return jax.lax.while_loop(lambda c: (c[1] > 1e-3) & (c[2] < 1000), train, (p, jnp.float32(1), 0))
    dump("until", until, (zeros((width, 256)), zeros((256, 256)), zeros((256, 256)), zeros((256, 8))), zeros((2048, width)), zeros((2048, 8)))


def branches():
    """Layers that are left out at random (stochastic depth), or picked, each under one branch, its gradient under another."""
    tokens, params = jnp.zeros((8, 128), jnp.int32), transformer(6, 256, 1000)
    keep, leave = jnp.ones((6,), bool), lambda h, w: h
    pick = lambda taken, layer: lambda h, w: jax.lax.cond(taken, layer, leave, h, w)
    def network(apply):
        def loss(params, tokens, taken):
            h = params[0][tokens]
            for i in range(6):
                h = apply(taken[i], h, jax.tree.map(lambda a: a[i], params[1]))
            return (norm(h) ** 2).mean()
        return plain(loss)
    dump("depth", network(lambda taken, h, w: pick(taken, block)(h, w)), params, tokens, keep)
    dump("depth_remat", network(lambda taken, h, w: pick(taken, jax.checkpoint(block))(h, w)), params, tokens, keep)
    outside = lambda h, w, taken: pick(taken, block)(h, w)
    dump("depth_remat_outside", network(lambda taken, h, w: jax.checkpoint(outside)(h, w, taken)), params, tokens, keep)
    half = lambda h, w: h + jax.nn.gelu(norm(h) @ w["a"]) @ w["b"]
    dump("depth_of_three", network(lambda taken, h, w: jax.lax.switch(taken, [block, leave, half], h, w)), params, tokens,
         jnp.zeros((6,), jnp.int32))
    def scanned(params, tokens, keep):
        layer = lambda h, now: (pick(now[1], block)(h, now[0]), None)
        return (norm(jax.lax.scan(layer, params[0][tokens], (params[1], keep))[0]) ** 2).mean()
    dump("depth_scan", plain(scanned), params, tokens, keep)
    def perceptron(params, x, y, key):
        for own, w, b in zip(jax.random.split(key, 6), *params):
            layer = lambda x, w=w, b=b: x + jax.nn.gelu(x @ w + b) / 0.9
            x = jax.lax.cond(jax.random.bernoulli(own, 0.9), layer, lambda x: x, x)
        return ((x - y) ** 2).mean()
    x = jnp.zeros((4096, 256))
    dump("depth_mlp", plain(perceptron), (jnp.zeros((6, 256, 256)), jnp.zeros((6, 256))), x, x, jax.random.PRNGKey(0))


def main():
    tokens, small = jnp.zeros((8, 128), jnp.int32), jnp.zeros((2, 32), jnp.int32)
    big, little = transformer(8, 256, 1000), transformer(4, 64, 100)
    mlp = (jnp.zeros((8, 256, 256)), jnp.zeros((8, 256)))
    x = jnp.zeros((1024, 256))
    cell = (jnp.zeros((128, 512)), jnp.zeros((128, 512)), jnp.zeros((512,)))
    for form in ("scan", "remat", "unrolled"):
        dump(f"transformer_{form}", plain(functools.partial(word_loss, form)), big, tokens)
        layer = lambda h, w: jax.nn.gelu(h @ w[0] + w[1])
        dump(f"mlp_{form}", plain(lambda p, x, y, form=form: ((run_layers(layer, p, x, form) - y) ** 2).mean()), mlp, x, x)
        dump(f"lstm_{form}", plain(lambda p, x, form=form: (lstm(p, x, form) ** 2).mean()), cell, jnp.zeros((64, 64, 128)))
        adam = optax.adam(1e-3)
        dump(f"adam_{form}", optimized(functools.partial(word_loss, form), adam), little, adam.init(little), small, donate=(0, 1))
    scanned = functools.partial(word_loss, "scan")
    for name, optimizer in (("clipped", optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))), ("lion", optax.lion(1e-3)),
                            ("momentum", optax.sgd(1e-2, momentum=0.9, nesterov=True))):
        dump(name, optimized(scanned, optimizer), little, optimizer.init(little), small, donate=(0, 1))
    batches = jnp.zeros((4, 2, 32), jnp.int32)
    def steps(params, batches):
        return jax.lax.scan(lambda p, b: plain(scanned)(p, b)[::-1], params, batches)
    dump("loop_over_steps", steps, little, batches)
    def microbatches(params, batches):
        add = lambda total, b: (jax.tree.map(jnp.add, total, jax.grad(scanned)(params, b)), None)
        return sgd(params, jax.lax.scan(add, jax.tree.map(jnp.zeros_like, params), batches)[0])
    dump("microbatches", microbatches, little, batches)
    stacked = (jnp.zeros((3, 64, 256)), jnp.zeros((3, 64, 256)), jnp.zeros((3, 256)))
    for form in ("scan", "remat"):
        deep = lambda p, x, form=form: (run_layers(lambda x, w: lstm(w, x) + x, p, x, form) ** 2).mean()
        dump(f"lstm_layers_{form}", plain(deep), stacked, jnp.zeros((16, 32, 64)))
    def dropout(params, tokens, key):
        def layer(carry, w):
            h, key = carry
            key, own = jax.random.split(key)
            h = block(h, w)
            return (jnp.where(jax.random.bernoulli(own, 0.9, h.shape), h / 0.9, 0), key), None
        (h, _), _ = jax.lax.scan(layer, (params[0][tokens], key), params[1])
        return ((h @ params[0].T) ** 2).mean()
    dump("dropout", plain(dropout), little, small, jax.random.PRNGKey(0))
    def two_gradients(params, tokens):
        def losses(p):
            h = run_layers(block, p[1], p[0][tokens], "scan")
            return (h ** 2).mean(), jnp.abs(h).mean()
        values, back = jax.vjp(losses, params)
        (one,), (other,) = back((1.0, 0.0)), back((0.0, 1.0))
        scale = optax.global_norm(one) / (1 + optax.global_norm(other))
        return values, sgd(params, jax.tree.map(lambda a, b: a + scale * b, one, other))
    dump("two_gradients", two_gradients, little, small)
    recurrences()
    state_spaces()
    other_forms()
    forms_of_scans()
    branches()
    (FOLDER / "xla.json").write_text(json.dumps(XLA, indent=1) + "\n")


main()
