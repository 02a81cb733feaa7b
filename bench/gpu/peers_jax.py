# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The samples' steps in JAX: plain functions on a dictionary of weights with the samples' names and layouts (see peers.py),
loops over time by lax.scan, f32 at full precision, what training carries donated."""

import functools
import re
import time

import jax
import jax.numpy as jnp
from jax import lax

VARIANTS = {"jit": "JAX", "checkpoint": "jax.checkpoint"}
VERSION = jax.__version__


def linear(w, name, x):
    return x @ w[f"{name}.weight"] + w[f"{name}.bias"]


def cross_entropy(logits, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], axis=-1)[..., 0]


# ---- the LSTM that translates: B sentences of T tokens, time first ----


def lstm_cell(w, name, x, h, c):
    gates = x @ w[f"{name}.weight_input"] + h @ w[f"{name}.weight_hidden"] + w[f"{name}.bias"]
    enter, forget, candidate, leave = jnp.split(gates, 4, axis=-1)
    c = jax.nn.sigmoid(forget) * c + jax.nn.sigmoid(enter) * jnp.tanh(candidate)
    return jax.nn.sigmoid(leave) * jnp.tanh(c), c


def nmt(model, w, batch, key, again):
    zeros = jnp.zeros((batch["source"].shape[1], w["attention.key"].shape[0]))

    def read(state, x):
        state = lstm_cell(w, "encoder.0", x, *state)
        return state, state[0]

    (h, c), states = lax.scan(again(read), (zeros, zeros), w["source.embedding"][batch["source"]])
    memory = states.transpose(1, 0, 2)
    keys = memory @ w["attention.key"]

    def write(state, x):
        h, c, fed = state
        h, c = lstm_cell(w, "decoder.0", jnp.concatenate([x, fed], -1), h, c)
        scores = jnp.tanh(keys + (h @ w["attention.query"])[:, None, :]) @ w["attention.score"]
        shares = jax.nn.softmax(jnp.where(batch["mask"], scores, -1e30))
        context = jnp.einsum("bt,bth->bh", shares, memory)
        fed = jnp.tanh(jnp.concatenate([context, h], -1) @ w["attention.combine"])
        return (h, c, fed), fed

    _, outputs = lax.scan(again(write), (h, c, zeros), w["target.embedding"][batch["target_in"]])
    losses = cross_entropy(linear(w, "output", outputs), batch["target_out"])
    return jnp.sum(losses * batch["weight"]) / jnp.maximum(jnp.sum(batch["weight"]), 1), {}


# ---- the Transformer: B texts of T tokens, the table both ways ----


def layer_norm(w, name, x):
    centered = x - jnp.mean(x, -1, keepdims=True)
    return centered * lax.rsqrt(jnp.mean(centered * centered, -1, keepdims=True) + 1e-5) * w[f"{name}.scale"] + w[f"{name}.shift"]


def dropout(x, rate, key):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0) if rate else x


def transformer_layer(model, i, w, x, key):
    B, T, H = x.shape
    key1, key2 = jax.random.split(key)
    y = layer_norm(w, f"attention{i}", x)
    q, k, v = (linear(w, f"attention{i}.{part}", y).reshape(B, T, model.heads, -1) for part in ("query", "key", "value"))
    y = jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(B, T, H)
    x = x + dropout(linear(w, f"attention{i}.output", y), model.dropout, key1)
    y = jax.nn.gelu(linear(w, f"mlp{i}.up", layer_norm(w, f"mlp{i}", x)))
    return x + dropout(linear(w, f"mlp{i}.down", y), model.dropout, key2)


def transformer(model, w, batch, key, again):
    keys = jax.random.split(key, model.count("attention") + 1)
    x = dropout(w["embedding.table"][batch["data"]] + w["embedding.positions"], model.dropout, keys[0])
    for i in range(1, len(keys)):
        x = again(functools.partial(transformer_layer, model, i))(w, x, keys[i])
    logits = layer_norm(w, "output", x) @ w["embedding.table"].T
    return jnp.mean(cross_entropy(logits, batch["labels"])), {}


# ---- ResNet-50: B images, channels last ----


def convolution(w, name, x, stride):
    weight = w[f"{name}.weight"]
    padding = [(size // 2, size // 2) for size in weight.shape[:2]]
    y = lax.conv_general_dilated(x, weight, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"))
    mean = jnp.mean(y, (0, 1, 2))
    variance = jnp.mean(jnp.square(y - mean), (0, 1, 2))
    running = {f"{name}.mean": 0.9 * w[f"{name}.mean"] + 0.1 * mean, f"{name}.variance": 0.9 * w[f"{name}.variance"] + 0.1 * variance}
    return (y - mean) * (lax.rsqrt(variance + 1e-5) * w[f"{name}.scale"]) + w[f"{name}.shift"], running


def bottleneck(name, stride, w, x):
    y, running = x, {}
    for part in (1, 2, 3):
        y, more = convolution(w, f"{name}.{part}", y, stride if part == 2 else 1)
        running |= more
        y = jax.nn.relu(y) if part < 3 else y
    if f"{name}.shortcut.weight" in w:
        x, more = convolution(w, f"{name}.shortcut", x, stride)
        running |= more
    return jax.nn.relu(x + y), running


def resnet50(model, w, batch, key, again):
    is_small = w["stem.weight"].shape[0] == 3
    x, running = convolution(w, "stem", batch["data"], 1 if is_small else 2)
    x = jax.nn.relu(x)
    if not is_small:
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), ((0, 0), (1, 1), (1, 1), (0, 0)))
    for block in range(1, 5):
        for i in range(1, model.count(f"block{block}_") + 1):
            x, more = again(functools.partial(bottleneck, f"block{block}_{i}", 2 if i == 1 and block > 1 else 1))(w, x)
            running |= more
    return jnp.mean(cross_entropy(linear(w, "fc", jnp.mean(x, (1, 2))), batch["labels"])), running


MODELS = {"nmt": nmt, "transformer": transformer, "resnet50": resnet50}

# ---- the optimizers of the samples ----


def sgd(rate, count, weights, moments, gradients):
    moments = jax.tree.map(lambda v, g: 0.9 * v + g, moments[0], gradients), moments[1]
    return jax.tree.map(lambda p, v: p - rate * v, weights, moments[0]), moments


def adam(rate, count, weights, moments, gradients):
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], gradients)
    scale1, scale2 = 1 / (1 - 0.9**count), 1 / (1 - 0.999**count)
    return jax.tree.map(lambda p, m, v: p - rate * (m * scale1) / (jnp.sqrt(v * scale2) + 1e-8), weights, first, second), (first, second)


def training_step(model, again):
    update = adam if model.optimizer == "adam" else sgd

    def step(weights, others, moments, count, rate, batch):
        def loss_of(weights):
            return MODELS[model.kind](model, weights | others, batch, jax.random.fold_in(jax.random.key(0), count), again)

        (loss, running), gradients = jax.value_and_grad(loss_of, has_aux=True)(weights)
        weights, moments = update(rate, count.astype(jnp.float32), weights, moments, gradients)
        return loss, weights, running, moments, count + 1

    return step


class Peer:
    """A training step of `model` by one of VARIANTS; weights and the first batch from `arrays` (name: NumPy array)."""

    def __init__(self, model, variant, arrays, device):
        jax.config.update("jax_default_matmul_precision", "highest")
        again = jax.checkpoint if variant == "checkpoint" else lambda function: function
        self.model, self.function = model, jax.jit(training_step(model, again), donate_argnums=(0, 1, 2, 3))
        weights = {name: jnp.asarray(arrays[name]) for name in model.weights()}
        others = {name: weights.pop(name) for name in list(weights) if re.search(r"\.(mean|variance)$", name)}
        moments = tuple(jax.tree.map(jnp.zeros_like, weights) for _ in range(2 if model.optimizer == "adam" else 1))
        moments = moments if len(moments) == 2 else (*moments, ())
        self.state = (weights, others, moments, jnp.ones((), jnp.int32))
        self.rate = jnp.float32(arrays["rate"])
        self.batch = self.batch_of(arrays)

    @functools.cached_property
    def compiled(self):
        return self.lowered(self.batch).compile()

    def batch_of(self, arrays):
        return {name: jnp.asarray(arrays[name]) for name in self.model.batch_names()}

    def lowered(self, batch):
        return self.function.lower(*self.state, self.rate, batch)

    def step(self):
        loss, *state = self.compiled(*self.state, self.rate, self.batch)
        self.state = tuple(state)
        return loss

    def losses(self, n):
        return [float(self.step()) for _ in range(n)]

    def times(self, n):
        """Seconds of each of n steps, by the clock: JAX has no events."""
        taken = []
        for _ in range(n):
            begin = time.perf_counter()
            jax.block_until_ready(self.step())
            jax.block_until_ready(self.state)
            taken.append(time.perf_counter() - begin)
        return taken

    @staticmethod
    def planned_bytes(compiled):
        """XLA's own count: arguments, results that take no argument's place, and temporary memory."""
        m = compiled.memory_analysis()
        return m.argument_size_in_bytes + m.output_size_in_bytes - m.alias_size_in_bytes + m.temp_size_in_bytes

    def peak_bytes(self):
        return self.planned_bytes(self.compiled)

    def fits(self, arrays, limit):
        """The peak of a step of that batch; None when it is over `limit` bytes. Nothing is run: XLA knows."""
        peak = self.planned_bytes(self.lowered(self.batch_of(arrays)).compile())
        return peak if peak <= limit else None
