# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""until_jax.py FOLDER: loops that end when they will (jax.lax.while_loop, fori_loop with bounds that are data), each as the loop (NAME_until) and
as its body alone, a function of what the loop carries (NAME_body). Writes FOLDER/NAME_FORM.mlir and XLA's temporaries on its CPU, FOLDER/xla.json. Needs jax and optax."""
import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import optax

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
zeros, lax = jnp.zeros, jax.lax
temporaries = {}


def write(name, step, *args, donate=0):
    lowered = jax.jit(step, donate_argnums=donate).lower(*args)
    (FOLDER / f"{name}.mlir").write_text(lowered.as_text())
    temporaries[name] = lowered.compile().memory_analysis().temp_size_in_bytes


def until(name, body, carry, *rest, limit=1000):
    """body(carry, *rest) gives the next carry and a number that is to become small."""
    def loop(carry, *rest):
        goes_on = lambda s: (s[1] > 1e-4) & (s[2] < limit)
        go = lambda s: (*body(s[0], *rest), s[2] + 1)
        return lax.while_loop(goes_on, go, (carry, jnp.float32(1), jnp.int32(0)))
    write(f"{name}_until", loop, carry, *rest)
    write(f"{name}_body", body, carry, *rest)


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def mlp(params, x):
    for w, b in params[:-1]:
        x = jax.nn.gelu(x @ w + b)
    return x @ params[-1][0] + params[-1][1]


def fits():
    sizes = [256] * 9 + [10]
    params = [(zeros((a, b)), zeros(b)) for a, b in zip(sizes[:-1], sizes[1:])]
    x, y = zeros((1024, 256)), zeros(1024, jnp.int32)
    loss = lambda p, x, y: optax.softmax_cross_entropy_with_integer_labels(mlp(p, x), y).mean()
    def descent(p, x, y):
        value, g = jax.value_and_grad(loss)(p, x, y)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), value
    until("descent", descent, params, x, y)
    tx = optax.adam(1e-3)
    def adam(state, x, y):
        value, g = jax.value_and_grad(loss)(state[0], x, y)
        u, opt = tx.update(g, state[1])
        return (optax.apply_updates(state[0], u), opt), optax.global_norm(g)
    until("adam", adam, (params, tx.init(params)), x, y)
    lbfgs = optax.lbfgs(memory_size=4)
    def search(state, x, y):
        f = lambda p: loss(p, x, y)
        value, g = optax.value_and_grad_from_state(f)(state[0], state=state[1])
        u, opt = lbfgs.update(g, state[1], state[0], value=value, grad=g, value_fn=f)
        return (optax.apply_updates(state[0], u), opt), optax.global_norm(g)
    small = [(zeros((64, 64)), zeros(64))] * 3
    lb, lx = optax.lbfgs(memory_size=4), zeros((512, 64))
    until("lbfgs", search, (small, lb.init(small)), lx, zeros(512, jnp.int32))
    def noisy(state, x, y):
        p, key = state
        key, now = jax.random.split(key)
        value, g = jax.value_and_grad(loss)(p, x + 0.1 * jax.random.normal(now, x.shape), y)
        return (jax.tree.map(lambda p, g: p - 0.1 * g, p, g), key), value
    until("noisy", noisy, (params, jax.random.PRNGKey(0)), x, y)


def blocks():
    w = {"q": zeros((128, 384)), "o": zeros((128, 128)), "a": zeros((128, 512)), "b": zeros((512, 128))}
    def block(w, x, heads=4):
        batch, length, width = x.shape
        split = lambda z: z.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)
        q, k, v = map(split, jnp.split(norm(x) @ w["q"], 3, -1))
        scores = jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0, -1)
        x = x + jnp.einsum("bhqk,bhkd->bhqd", scores, v).transpose(0, 2, 1, 3).reshape(x.shape) @ w["o"]
        return x + jax.nn.gelu(norm(x) @ w["a"]) @ w["b"]
    x = zeros((8, 128, 128))
    def transformer(ws, x, y):
        def loss(ws):
            h = x
            for w in ws:
                h = block(w, h)
            return ((h - y) ** 2).mean()
        value, g = jax.value_and_grad(loss)(ws)
        return jax.tree.map(lambda p, g: p - 0.1 * g, ws, g), value
    until("transformer", transformer, [w] * 4, x, x)
    def scanned(ws, x, y):
        loss = lambda ws: ((lax.scan(lambda h, w: (block(w, h), None), x, ws)[0] - y) ** 2).mean()
        value, g = jax.value_and_grad(loss)(ws)
        return jax.tree.map(lambda p, g: p - 0.1 * g, ws, g), value
    until("scanned", scanned, jax.tree.map(lambda a: jnp.stack([a] * 8), w), x, x)
    def equilibrium(z, w, x):
        """A fixed point of a layer: only values, no gradient."""
        new = norm(block(w, z) + x)
        return new, jnp.abs(new - z).max()
    until("equilibrium", equilibrium, x, w, x)
    def picture(image, w, target):
        """An image that is made to have the features of another."""
        conv = lambda x, w: jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        def loss(image):
            h = image
            for k in w:
                h = conv(h, k)
            gram = jnp.einsum("nhwa,nhwb->nab", h, h)
            return ((gram - target) ** 2).mean()
        value, g = jax.value_and_grad(loss)(image)
        return image - 0.1 * g, value
    until("picture", picture, zeros((4, 64, 64, 3)), [zeros((3, 3, 3, 32))] + [zeros((3, 3, 32, 32))] * 4, zeros((4, 32, 32)))


def bounds():
    """fori_loop whose bounds are data."""
    sizes = [128] * 7
    params = [(zeros((a, b)), zeros(b)) for a, b in zip(sizes[:-1], sizes[1:])]
    loss = lambda p, x: (mlp(p, x) ** 2).mean()
    x = zeros((64, 256, 128))
    def train(p, x, n):
        def one(i, p):
            g = jax.grad(loss)(p, lax.dynamic_index_in_dim(x, i, keepdims=False))
            return jax.tree.map(lambda p, g: p - 0.1 * g, p, g)
        return lax.fori_loop(0, n, one, p)
    write("batches_until", train, params, x, jnp.int32(0))
    write("batches_body", lambda p, x, i: jax.tree.map(lambda p, g: p - 0.1 * g, p, jax.grad(loss)(p, lax.dynamic_index_in_dim(x, i, keepdims=False))), params, x, jnp.int32(0))
    def nested(p, x, n):
        """Steps to convergence on each batch."""
        def one(i, p):
            b = lax.dynamic_index_in_dim(x, i, keepdims=False)
            def inner(s):
                value, g = jax.value_and_grad(loss)(s[0], b)
                return jax.tree.map(lambda p, g: p - 0.1 * g, s[0], g), value
            return lax.while_loop(lambda s: s[1] > 1e-3, inner, (p, jnp.float32(1)))[0]
        return lax.fori_loop(0, n, one, p)
    write("nested_until", nested, params, x, jnp.int32(0))
    def power(v, a):
        new = a @ v
        new = new / jnp.linalg.norm(new)
        return new, jnp.abs(new - v).max()
    until("power", power, zeros((512, 64)), zeros((512, 512)))
    def conjugate(s, a):
        x, r, p, rr = s
        q = a @ p
        alpha = rr / jnp.vdot(p, q)
        x, new = x + alpha * p, r - alpha * q
        nn = jnp.vdot(new, new)
        return (x, new, new + nn / rr * p, nn), nn
    v = zeros(65536)
    until("conjugate", lambda s, d: conjugate(s, Diagonal(d)), (v, v, v, jnp.float32(1)), v)
    def decode(state, w):
        """Words until one ends the sentence: a cache that is written at a place that is data."""
        words, at, cache, _ = state
        h = w["e"][words[:, at]]
        cache = lax.dynamic_update_slice(cache, (h @ w["k"])[:, None], (0, at, 0))
        s = jnp.einsum("bd,btd->bt", h, cache)
        s = jax.nn.softmax(jnp.where(jnp.arange(cache.shape[1]) <= at, s, -1e9))
        h = h + jnp.einsum("bt,btd->bd", s, cache)
        word = (h @ w["e"].T).argmax(-1)
        words = lax.dynamic_update_slice(words, word[:, None].astype(words.dtype), (0, at + 1))
        return (words, at + 1, cache, word), (word != 0).any().astype(jnp.float32)
    w = {"e": zeros((1000, 128)), "k": zeros((128, 128))}
    until("decode", decode, (zeros((16, 256), jnp.int32), jnp.int32(0), zeros((16, 256, 128)), zeros(16, jnp.int32)), w, limit=254)


class Diagonal:
    def __init__(self, d):
        self.d = d

    def __matmul__(self, x):
        return self.d * x + jnp.roll(x, 1) + jnp.roll(x, -1)


fits()
blocks()
bounds()
(FOLDER / "xla.json").write_text(json.dumps(temporaries, indent=1) + "\n")
