# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pairs_jax.py FOLDER: training steps with short loops, each written twice: as a loop (NAME_loop) and unrolled (NAME_unrolled).
Writes FOLDER/NAME_FORM.mlir. Needs jax and optax."""
import functools
import pathlib
import sys

import jax
import jax.numpy as jnp
import optax

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
zeros, gelu, tanh, sigmoid = jnp.zeros, jax.nn.gelu, jnp.tanh, jax.nn.sigmoid


def unrolled_scan(body, carry, xs, length=None):
    """jax.lax.scan, written out."""
    n = length or jax.tree.leaves(xs)[0].shape[0]
    ys = []
    for i in range(n):
        carry, y = body(carry, jax.tree.map(lambda a: a[i], xs))
        ys.append(y)
    return carry, jax.tree.map(lambda *parts: jnp.stack(parts), *ys)


FORMS = {"loop": jax.lax.scan, "unrolled": unrolled_scan}


def pair(name, make, *args, donate=(0,)):
    """make(scan) is the step."""
    for form, scan in FORMS.items():
        (FOLDER / f"{name}_{form}.mlir").write_text(jax.jit(make(scan), donate_argnums=donate).lower(*args).as_text())


def sgd(params, gradients):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


def plain(loss):
    def step(params, *batch):
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        return value, sgd(params, gradients)
    return step


def trained(forward):
    """make(scan) of a step that brings forward(scan, params, *batch) to zero."""
    return lambda scan: plain(lambda p, *batch: (forward(scan, p, *batch) ** 2).mean())


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def block(x, w, heads=4):
    batch, length, width = x.shape
    split = lambda z: z.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)
    q, k, v = map(split, jnp.split(norm(x) @ w["q"], 3, -1))
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0, -1e9)
    out = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v)
    x = x + out.transpose(0, 2, 1, 3).reshape(batch, length, width) @ w["o"]
    return x + gelu(norm(x) @ w["a"]) @ w["b"]


def block_weights(width, *stack):
    return {"q": zeros((*stack, width, 3 * width)), "o": zeros((*stack, width, width)), "a": zeros((*stack, width, 4 * width)),
            "b": zeros((*stack, 4 * width, width))}


def gru(w, x, h):
    a, b = jnp.split(x @ w[0], 3, -1), jnp.split(h @ w[1], 3, -1)
    z = sigmoid(a[1] + b[1])
    return (1 - z) * tanh(a[2] + sigmoid(a[0] + b[0]) * b[2]) + z * h


def layers():
    mlp = (zeros((8, 256, 256)), zeros((8, 256)))
    layer = lambda h, w: (gelu(h @ w[0] + w[1]), None)
    for n in (3, 8):
        pair(f"mlp_{n}", trained(lambda scan, p, x: scan(layer, x, p)[0]), jax.tree.map(lambda a: a[:n], mlp), zeros((1024, 256)))
    network = lambda scan, p, x: scan(lambda h, w: (block(h, w), None), x, p)[0]
    pair("transformer_4", trained(network), block_weights(128, 4), zeros((8, 128, 128)))
    shared = lambda scan, p, x: scan(lambda h, _: (block(h, p), None), x, None, length=4)[0]
    pair("universal_4", trained(shared), block_weights(128), zeros((8, 128, 128)))
    def hourglass(scan, p, x):
        down = lambda h, w: (h + gelu(norm(h) @ w[0]) @ w[1], None)
        h = scan(down, x, p[0])[0]
        s = h.reshape(*h.shape[:-2], h.shape[-2] // 2, -1) @ p[1]
        s = scan(down, s, p[2])[0] @ p[3]
        return scan(down, h + s.reshape(h.shape), p[4])[0]
    small, big = (zeros((3, 128, 512)), zeros((3, 512, 128))), (zeros((4, 256, 512)), zeros((4, 512, 256)))
    pair("hourglass", trained(hourglass), (small, zeros((256, 256)), big, zeros((256, 256)), small), zeros((8, 128, 128)))
    def residual(scan, p, x):
        conv = lambda x, w: jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        unit = lambda h, w: (h + conv(jax.nn.silu(norm(conv(h, w[0]))), w[1]), None)
        return scan(unit, x, p)[0]
    pair("resnet_5", trained(residual), (zeros((5, 3, 3, 32, 32)),) * 2, zeros((8, 32, 32, 32)))
    def lru(scan, p, x):
        def layer(h, w):
            a, b = sigmoid(norm(h) @ w[0]), norm(h) @ w[1]
            add = lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1])
            return h + gelu(jax.lax.associative_scan(add, (a, b))[1]) @ w[2], None
        return scan(layer, x, p)[0]
    pair("lru_layers_4", trained(lru), (zeros((4, 128, 128)),) * 3, zeros((64, 16, 128)))


def recurrences():
    gates = (zeros((128, 384)), zeros((128, 384)))
    def run(scan, p, x):
        def cell(h, x):
            h = gru(p, x, h)
            return h, h
        return scan(cell, zeros((64, 128)), x)[1]
    pair("gru_6", trained(run), gates, zeros((6, 64, 128)))
    pair("gru_24", trained(run), gates, zeros((24, 64, 128)))
    def deep(inner):
        def make(scan):
            def forward(_, p, xs):
                def cell(hs, x):
                    def layer(x, now):
                        h = gru(now[0], x, now[1])
                        return h, h
                    x, hs = scan(layer, x, (p, hs))
                    return hs, x
                return jax.lax.scan(cell, zeros((3, 64, 128)), xs)[1]
            return trained(forward)(scan)
        return make
    pair("mrnn_3_in_time", deep(3), jax.tree.map(lambda a: jnp.stack([a] * 3), gates), zeros((40, 64, 128)))
    def stack(scan, p, xs):
        def layer(xs, w):
            def cell(h, x):
                h = gru(w, x, h)
                return h, h
            return jax.lax.scan(cell, zeros((64, 128)), xs)[1], None
        return scan(layer, xs, p)[0]
    pair("mrnn_time_in_3", trained(stack), jax.tree.map(lambda a: jnp.stack([a] * 3), gates), zeros((40, 64, 128)))
    def by_k(k):
        def forward(scan, p, x):
            scan = functools.partial(jax.lax.scan, unroll=1 if scan is jax.lax.scan else k)
            return run(scan, p, x)
        return trained(forward)
    pair("gru_63_by_3", by_k(3), gates, zeros((63, 64, 128)))
    pair("gru_64_by_5", by_k(5), gates, zeros((64, 64, 128)))
    def solver(scan, p, x):
        slope = lambda h: tanh(h @ p[0] + p[1]) @ p[2]
        def step(h, _):
            a = slope(h)
            b = slope(h + 0.05 * a)
            c = slope(h + 0.05 * b)
            return h + 0.1 / 6 * (a + 2 * b + 2 * c + slope(h + 0.1 * c)), None
        return scan(step, x, None, length=5)[0]
    pair("runge_kutta_5", trained(solver), (zeros((64, 256)), zeros(256), zeros((256, 64))), zeros((512, 64)))


def steps():
    sizes = [256] + [256] * 8 + [10]
    params = [(zeros((a, b)), zeros((b,))) for a, b in zip(sizes[:-1], sizes[1:])]
    def loss(p, x, y):
        for w, b in p[:-1]:
            x = gelu(x @ w + b)
        return optax.softmax_cross_entropy_with_integer_labels(x @ p[-1][0] + p[-1][1], y).mean()
    x, y = zeros((4, 1024, 256)), zeros((4, 1024), jnp.int32)
    def micro(scan):
        def step(p, x, y):
            def body(carry, batch):
                value, g = jax.value_and_grad(loss)(p, *batch)
                return (jax.tree.map(jnp.add, carry[0], g), carry[1] + value), None
            (g, value), _ = scan(body, (jax.tree.map(jnp.zeros_like, p), 0.0), (x, y))
            return sgd(p, g), value
        return step
    pair("mlp_micro4", micro, params, x, y)
    def train(scan):
        return lambda p, x, y: scan(lambda p, batch: plain(loss)(p, *batch)[::-1], p, (x, y))
    pair("mlp_steps4", train, params, x, y)
    def inner(scan, p, x, y):
        fit = lambda q: ((jax.nn.relu(x @ q[0]) @ q[1] - y) ** 2).mean()
        return fit(scan(lambda q, _: (sgd(q, jax.grad(fit)(q)), None), p, None, length=3)[0])
    pair("maml_3", trained(inner), (zeros((64, 256)), zeros((256, 10))), zeros((256, 64)), zeros((256, 10)))
    def nested(scan):
        network = lambda p, x: (scan(lambda h, w: (block(h, w), None), x, p)[0] ** 2).mean()
        def step(p, x):
            add = lambda total, b: (jax.tree.map(jnp.add, total, jax.grad(network)(p, b)), None)
            return sgd(p, scan(add, jax.tree.map(jnp.zeros_like, p), x)[0])
        return step
    pair("transformer_3_micro_2", nested, block_weights(128, 3), zeros((2, 4, 128, 128)))
    def chunks(scan, p, x, y):
        h = gelu(x @ p[0])
        def part(total, now):
            return total + optax.softmax_cross_entropy_with_integer_labels(now[0] @ p[1], now[1]).sum(), None
        return scan(part, jnp.float32(0), (h.reshape(4, 256, 128), y.reshape(4, 256)))[0]
    pair("chunked_loss_4", trained(chunks), (zeros((128, 128)), zeros((128, 4000))), zeros((1024, 128)), zeros((1024,), jnp.int32))


layers()
recurrences()
steps()
