# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""micro_jax.py FOLDER: training steps whose four microbatches, or updates, are written out by a Python loop, in the ways in which that is done.
Writes FOLDER/NAME.mlir. Needs jax and optax."""
import pathlib
import sys

import jax
import jax.numpy as jnp
import optax

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
N = 4
zeros, tmap = jnp.zeros, jax.tree.map
SIZES = [256] * 7 + [10]
PARAMS = [(zeros((a, b)), zeros((b,))) for a, b in zip(SIZES[:-1], SIZES[1:])]
X, Y = zeros((N, 1024, 256)), zeros((N, 1024), jnp.int32)
cross_entropy = optax.softmax_cross_entropy_with_integer_labels


def write(name, step, *args, donate=(0,)):
    (FOLDER / f"{name}.mlir").write_text(jax.jit(step, donate_argnums=donate).lower(*args).as_text())


def logits(p, x, noise=lambda i, x: x):
    for i, (w, b) in enumerate(p[:-1]):
        x = noise(i, jax.nn.gelu(x @ w + b))
    return x @ p[-1][0] + p[-1][1]


def loss(p, x, y):
    return cross_entropy(logits(p, x), y).mean()


def sgd(p, gradients):
    return tmap(lambda a, g: a - 0.1 * g, p, gradients)


def added(p, batches, of=loss):
    """Gradients added one after the other, the first to nothing; and the losses."""
    total, values = None, []
    for batch in batches:
        value, g = jax.value_and_grad(of)(p, *batch)
        total = g if total is None else tmap(jnp.add, total, g)
        values.append(value)
    return total, values


def forms():
    def rows(p, x, y):
        total, values = added(p, [(x[i * 1024:(i + 1) * 1024], y[i * 1024:(i + 1) * 1024]) for i in range(N)])
        return sgd(p, tmap(lambda g: g / N, total)), sum(values) / N
    write("rows", rows, PARAMS, X.reshape(-1, 256), Y.reshape(-1))
    def every_fourth(p, x, y):
        return sgd(p, added(p, [(x[i::N], y[i::N]) for i in range(N)])[0])
    write("every_fourth", every_fourth, PARAMS, X.reshape(-1, 256), Y.reshape(-1))
    def dynamic(p, x, y):
        return sgd(p, added(p, [tuple(jax.lax.dynamic_slice_in_dim(a, 1024 * i, 1024) for a in (x, y)) for i in range(N)])[0])
    write("dynamic", dynamic, PARAMS, X.reshape(-1, 256), Y.reshape(-1))
    def taken(p, x, y):
        return sgd(p, added(p, [(jnp.take(x, i, 0), jnp.take(y, i, 0)) for i in range(N)])[0])
    write("taken", taken, PARAMS, X, Y)
    def split(p, x, y):
        total, values = added(p, zip(jnp.split(x, N), jnp.split(y, N)), lambda *args: loss(*args) / N)
        return sgd(p, total), jnp.mean(jnp.stack(values))
    write("split", split, PARAMS, X.reshape(-1, 256), Y.reshape(-1))
    def one_loss(p, x, y):
        value, g = jax.value_and_grad(lambda p: sum(loss(p, x[i], y[i]) for i in range(N)) / N)(p)
        return sgd(p, g), value
    write("one_loss", one_loss, PARAMS, X, Y)
    def columns(p, x, y):
        return sgd(p, added(p, [(x[:, i], y[:, i]) for i in range(N)])[0])
    write("columns", columns, PARAMS, X.swapaxes(0, 1), Y.swapaxes(0, 1))
    def in_loop(p, xs, ys):
        def step(p, batch):
            return sgd(p, added(p, [(batch[0][i], batch[1][i]) for i in range(N)])[0]), None
        return jax.lax.scan(step, p, (xs, ys))[0]
    write("in_loop", in_loop, PARAMS, jnp.stack([X] * 3), jnp.stack([Y] * 3))
    def bf16_metrics(p, x, y):
        total, out = None, []
        for i in range(N):
            def of(p):
                z = logits(tmap(lambda a: a.astype(jnp.bfloat16), p), x[i].astype(jnp.bfloat16)).astype(jnp.float32)
                return cross_entropy(z, y[i]).mean(), (z.argmax(-1) == y[i]).mean()
            values, g = jax.value_and_grad(of, has_aux=True)(p)
            total = g if total is None else tmap(jnp.add, total, g)
            out.append(values)
        return sgd(p, total), out
    write("bf16_metrics", bf16_metrics, PARAMS, X, Y)


def keys(name, of_copies):
    def dropped(p, x, y, key):
        def noise(i, x):
            return jnp.where(jax.random.bernoulli(jax.random.fold_in(key, i), 0.9, x.shape), x / 0.9, 0)
        return cross_entropy(logits(p, x, noise), y).mean()
    def step(p, x, y, key):
        return sgd(p, added(p, [(x[i], y[i], k) for i, k in enumerate(of_copies(key))], dropped)[0])
    write(name, step, PARAMS, X, Y, jax.random.PRNGKey(0))


def states():
    opt = optax.MultiSteps(optax.adam(1e-3), every_k_schedule=N)
    def multisteps(p, state, x, y):
        for i in range(N):
            g = jax.grad(loss)(p, x[i], y[i])
            updates, state = opt.update(g, state, p)
            p = optax.apply_updates(p, updates)
        return p, state
    write("multisteps", multisteps, PARAMS, opt.init(PARAMS), X, Y, donate=(0, 1))
    def running_mean(p, x, y):
        mean = tmap(jnp.zeros_like, p)
        for i in range(N):
            g = jax.grad(loss)(p, x[i], y[i])
            mean = tmap(lambda m, g: m + (g - m) / (i + 1), mean, g)
        return sgd(p, mean)
    write("running_mean", running_mean, PARAMS, X, Y)
    def running_mean_scan(p, x, y):
        def one(mean, batch):
            i, *batch = batch
            g = jax.grad(loss)(p, *batch)
            return tmap(lambda m, g: m + (g - m) / (i + 1), mean, g), None
        return sgd(p, jax.lax.scan(one, tmap(jnp.zeros_like, p), (jnp.arange(N, dtype=jnp.float32), x, y))[0])
    write("running_mean_scan", running_mean_scan, PARAMS, X, Y)
    write("arguments", lambda p, xs, ys: sgd(p, added(p, zip(xs, ys))[0]), PARAMS, list(X), list(Y))


def updates(name, opt):
    """An update after each microbatch, written out and as a scan; and the same number of them on one batch."""

    def update(p, state, x, y):
        value, gradient = jax.value_and_grad(loss)(p, x, y)
        change, state = opt.update(gradient, state, p)
        return optax.apply_updates(p, change), state, value

    def written(p, state, x, y):
        losses = []
        for i in range(N):
            p, state, value = update(p, state, x[i], y[i])
            losses.append(value)
        return p, state, jnp.stack(losses)

    def scanned(p, state, x, y):
        def one(carry, batch):
            p, state, value = update(*carry, *batch)
            return (p, state), value

        (p, state), losses = jax.lax.scan(one, (p, state), (x, y))
        return p, state, losses

    def on_one(p, state, x, y):
        for _ in range(N):
            p, state, value = update(p, state, x, y)
        return p, state, value

    def on_one_scanned(p, state, x, y):
        def one(carry, _):
            p, state, value = update(*carry, x, y)
            return (p, state), value

        (p, state), losses = jax.lax.scan(one, (p, state), length=N)
        return p, state, losses[-1]

    for form, step in (("", written), ("_scan", scanned)):
        write(name + form, step, PARAMS, opt.init(PARAMS), X, Y, donate=(0, 1))
    for form, step in (("_on_one", on_one), ("_on_one_scan", on_one_scanned)):
        write(name + form, step, PARAMS, opt.init(PARAMS), X[0], Y[0], donate=(0, 1))


def tied():
    params = {"e": zeros((1000, 128)), "w": [zeros((128, 128))] * 4}
    tokens = zeros((32, 65), jnp.int32)
    def words(p, t):
        h = p["e"][t[:, :-1]]
        for w in p["w"]:
            h = h + jnp.tanh(h @ w)
        return cross_entropy(h @ p["e"].T, t[:, 1:]).mean()
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))
    def step(gradients):
        def run(p, state, t):
            value, g = gradients(p, [t[i:i + 8] for i in range(0, 32, 8)])
            updates, state = tx.update(g, state, p)
            return optax.apply_updates(p, updates), state, value
        return run
    def by_batch(p, batches):
        total, values = added(p, [(t,) for t in batches], words)
        return sum(values), tmap(lambda g: g / N, total)
    def at_once(p, batches):
        return jax.value_and_grad(lambda p: sum(words(p, t) for t in batches) / N)(p)
    write("tied", step(by_batch), params, tx.init(params), tokens, donate=(0, 1))
    write("tied_one_loss", step(at_once), params, tx.init(params), tokens, donate=(0, 1))


forms()
keys("keys_split", lambda key: jax.random.split(key, N))
keys("keys_folded", lambda key: [jax.random.fold_in(key, i) for i in range(N)])
states()
tied()
updates("sgd_steps", optax.sgd(0.1))
updates("adam_steps", optax.adam(1e-3))
updates("clipped_steps", optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(1e-3, 100))))
updates("multi_steps", optax.MultiSteps(optax.adam(1e-3), every_k_schedule=N))
