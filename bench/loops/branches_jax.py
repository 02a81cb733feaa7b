# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""branches_jax.py FOLDER: training steps with branches inside loops, each as a loop (NAME_loop), unrolled (NAME_unrolled) and, as a
loop, without its branches (NAME_straight). Writes FOLDER/NAME_FORM.mlir and XLA's temporaries on its CPU, FOLDER/xla.json. Needs jax, flax and optax."""
import json
import pathlib
import sys

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
zeros, lax = jnp.zeros, jax.lax
temporaries = {}


def write(name, step, *args):
    lowered = jax.jit(step, donate_argnums=0).lower(*args)
    (FOLDER / f"{name}.mlir").write_text(lowered.as_text())
    temporaries[name] = lowered.compile().memory_analysis().temp_size_in_bytes


def unrolled_scan(body, carry, xs, length=None):
    """jax.lax.scan, written out."""
    ys = []
    for i in range(length or jax.tree.leaves(xs)[0].shape[0]):
        carry, y = body(carry, jax.tree.map(lambda a, i=i: a[i], xs))
        ys.append(y)
    return carry, jax.tree.map(lambda *parts: jnp.stack(parts), *ys)


def never(branch):
    """lax.cond and lax.switch that always take one way, without a branch."""
    return lambda _, *rest: rest[branch](*rest[2:])


def adam(loss):
    """A training step of one loss."""
    tx = optax.adam(1e-3)
    def step(state, *batch):
        params, opt = state
        value, g = jax.value_and_grad(loss)(params, *batch)
        updates, opt = tx.update(g, opt)
        return (optax.apply_updates(params, updates), opt), value
    return step, tx.init


def three(name, make, params, *batch, is_loss=True):
    """make(scan, cond) is a loss, or a whole step."""
    for form, scan, cond in (("loop", lax.scan, lax.cond), ("unrolled", unrolled_scan, lax.cond), ("straight", lax.scan, never(0))):
        if is_loss:
            step, init = adam(make(scan, cond))
            write(f"{name}_{form}", step, (params, init(params)), *batch)
        else:
            write(f"{name}_{form}", make(scan, cond), params, *batch)


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def attend(w, x, heads=4):
    batch, length, width = x.shape
    split = lambda z: z.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)
    q, k, v = map(split, jnp.split(norm(x) @ w["q"], 3, -1))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / (width // heads) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    return x + jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v).transpose(0, 2, 1, 3).reshape(x.shape) @ w["o"]


def feed(w, x):
    return x + jax.nn.gelu(norm(x) @ w["a"]) @ w["b"]


def mix(w, x):
    """A gated linear recurrence."""
    a, u = jnp.split(norm(x) @ w["q"][:, :2 * x.shape[-1]], 2, -1)
    a = jax.nn.sigmoid(a)
    add = lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1])
    return x + jnp.tanh(lax.associative_scan(add, (a, u), axis=1)[1]) @ w["o"]


def weights(n, width):
    return {"q": zeros((n, width, 3 * width)), "o": zeros((n, width, width)), "a": zeros((n, width, 4 * width)), "b": zeros((n, 4 * width, width))}


def depths():
    params, x = weights(8, 128), zeros((8, 128, 128))
    def skipped(scan, cond):
        """Stochastic depth."""
        def loss(p, x, y, key):
            def layer(h, now):
                w, k = now
                taken = jax.random.bernoulli(k, 0.8)
                return cond(taken, lambda h: feed(w, attend(w, h)) * 0.8 + h * 0.2, lambda h: h, h), None
            return ((scan(layer, x, (p, jax.random.split(key, 8)))[0] - y) ** 2).mean()
        return loss
    three("depth", skipped, params, x, x, jax.random.PRNGKey(0))
    def remat(scan, cond):
        def loss(p, x, y, keep):
            def layer(h, now):
                w, k = now
                return cond(k, jax.checkpoint(lambda h: feed(w, attend(w, h))), lambda h: h, h), None
            return ((scan(layer, x, (p, keep))[0] - y) ** 2).mean()
        return loss
    three("depth_remat", remat, params, x, x, zeros(8, bool))
    def hybrid(scan, _):
        """Layers of types that data says."""
        def loss(p, x, kind, y):
            def layer(h, now):
                w, k = now
                if scan is None:
                    return attend(w, h), None
                return lax.switch(k, [attend, feed, mix], w, h), None
            return (((scan or lax.scan)(layer, x, (p, kind))[0] - y) ** 2).mean()
        return loss
    three("hybrid", lambda scan, cond: hybrid(scan if cond is lax.cond else None, cond), params, x, zeros(8, jnp.int32), x)
    def leaves(scan, cond):
        """Layers until the network is sure of its answer."""
        def loss(p, x, y):
            def layer(carry, w):
                h, done = carry
                h = cond(done, lambda h: h, lambda h: feed(w, attend(w, h)), h) if cond is lax.cond else feed(w, attend(w, h))
                sure = jax.nn.softmax(h.mean(1) @ p["head"], -1).max() > 0.9
                return (h, done | sure), None
            (h, _), _ = scan(layer, (x, jnp.bool_(False)), p["layers"])
            return optax.softmax_cross_entropy_with_integer_labels(h.mean(1) @ p["head"], y).mean()
        return loss
    three("early_exit", leaves, {"layers": params, "head": zeros((128, 10))}, x, zeros(8, jnp.int32))


def recurrences():
    w = {"x": zeros((64, 512)), "h": zeros((128, 512)), "s": zeros((128, 128))}
    def clock(scan, cond):
        """A slow state that moves in every fourth step of time (a clockwork RNN), where a flag says so it starts anew."""
        def loss(p, x, fresh, y):
            def cell(carry, now):
                (h, c, slow), (x, new, t) = carry, now
                i, f, g, o = jnp.split(x @ p["x"] + h @ p["h"], 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                slow = cond(t % 4 == 0, lambda s: jnp.tanh(jax.nn.silu(s @ p["s"]) + h), lambda s: s, slow)
                h = cond(new, lambda h: h + slow, lambda h: h * 0.5, h)
                return (h, c, slow), h
            n = x.shape[0]
            hs = scan(cell, (zeros((64, 128)),) * 3, (x, fresh, jnp.arange(n)))[1]
            return ((hs - y) ** 2).mean()
        return loss
    three("clockwork", clock, w, zeros((32, 64, 64)), zeros(32, bool), zeros((32, 64, 128)))
    def in_both(scan, cond):
        """A loop in a branch in a loop."""
        def loss(p, x, deep, y):
            def outer(h, now):
                x, d = now
                inner = lambda h: scan(lambda h, _: (jnp.tanh(h @ p["s"] + x), None), h, None, length=4)[0]
                h = cond(d, inner, lambda h: jnp.tanh(h + x), h)
                return h, h
            return ((scan(outer, zeros((64, 128)), (x, deep))[1] - y) ** 2).mean()
        return loss
    three("loop_in_branch", in_both, w, zeros((12, 64, 128)), zeros(12, bool), zeros((12, 64, 128)))


def steps():
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            for i in range(6):
                h = nn.LayerNorm()(x)
                x = x + nn.Dense(128)(nn.gelu(nn.Dense(512)(h)))
            return nn.Dense(10)(x)
    net = Net()
    params = net.init(jax.random.PRNGKey(0), zeros((1, 128)))
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))
    def fit(p, x, y):
        return optax.softmax_cross_entropy_with_integer_labels(net.apply(p, x), y).mean()
    def finite(scan, cond):
        """Several steps; one whose gradient is not finite is left out."""
        def train(state, x, y):
            def one(state, batch):
                value, g = jax.value_and_grad(fit)(state[0], *batch)
                def update(state):
                    u, opt = tx.update(g, state[1], state[0])
                    return optax.apply_updates(state[0], u), opt
                good = jnp.isfinite(optax.global_norm(g))
                return cond(good, update, lambda state: state, state), value
            return scan(one, state, (x, y))
        return train
    batch = (zeros((4, 512, 128)), zeros((4, 512), jnp.int32))
    three("skip_bad", finite, (params, tx.init(params)), *batch, is_loss=False)
    safe = optax.apply_if_finite(tx, 3)
    def wrapped(scan, cond):
        def train(state, x, y):
            rule = safe if cond is lax.cond else tx
            def one(state, batch):
                value, g = jax.value_and_grad(fit)(state[0], *batch)
                u, opt = rule.update(g, state[1] if rule is safe else state[1].inner_state, state[0])
                opt = opt if rule is safe else state[1]._replace(inner_state=opt)
                return (optax.apply_updates(state[0], u), opt), value
            return scan(one, state, (x, y))
        return train
    three("apply_if_finite", wrapped, (params, safe.init(params)), *batch, is_loss=False)


def modules():
    class Block(nn.Module):
        straight: bool = False
        @nn.compact
        def __call__(self, x, taken):
            def layer(m, x):
                h = nn.LayerNorm()(x)
                h = nn.Dense(128)(nn.silu(nn.Dense(512)(h)) * nn.Dense(512)(h))
                return x + h
            def rest(m, x):
                return x
            if self.is_initializing() or self.straight:
                return layer(self, x), None
            return nn.cond(taken, layer, rest, self, x), None
    def stack(scan, cond):
        def loss(p, x, taken, y):
            block = Block(cond is not lax.cond)
            body = lambda h, now: (block.apply({"params": now[0]}, h, now[1])[0], None)
            return ((scan(body, x, (p, taken))[0] - y) ** 2).mean()
        return loss
    params = jax.vmap(lambda k: Block().init(k, zeros((1, 128)), jnp.bool_(True))["params"])(jax.random.split(jax.random.PRNGKey(0), 10))
    three("flax_cond", stack, params, zeros((1024, 128)), zeros(10, bool), zeros((1024, 128)))


depths()
recurrences()
steps()
modules()
(FOLDER / "xla.json").write_text(json.dumps(temporaries, indent=1) + "\n")
