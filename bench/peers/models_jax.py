# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of the comparison in JAX: an attention NMT (unrolled and with lax.scan) and a decoder-only Transformer.

Each is a training step: (parameters, moments, step count, batch...) -> (loss, parameters, moments, step count), Adam,
f32, with the state donated. Plain functions on dictionaries of arrays: what the peers run is the model, not a library.
"""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np

LEARNING_RATE, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.999, 1e-8


@dataclasses.dataclass
class Step:
    """A training step and what it starts from: step(*arguments)."""

    function: object
    arguments: tuple
    donated: tuple


def adam(parameters, first, second, count, gradients):
    count = count + 1
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, first, gradients)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, second, gradients)
    scale1 = 1 / (1 - BETA1 ** count.astype(jnp.float32))
    scale2 = 1 / (1 - BETA2 ** count.astype(jnp.float32))
    parameters = jax.tree.map(
        lambda p, m, v: p - LEARNING_RATE * (m * scale1) / (jnp.sqrt(v * scale2) + EPSILON), parameters, first, second
    )
    return parameters, first, second, count


def training_step(loss_function, parameters, batch):
    """A step over (parameters, first, second, count, *batch)."""

    def step(parameters, first, second, count, *batch):
        loss, gradients = jax.value_and_grad(loss_function)(parameters, *batch)
        return (loss, *adam(parameters, first, second, count, gradients))

    zeros = jax.tree.map(jnp.zeros_like, parameters)
    arguments = (parameters, zeros, jax.tree.map(jnp.zeros_like, parameters), jnp.zeros((), jnp.int32), *batch)
    return Step(step, arguments, (0, 1, 2, 3))


def draw(random, *shape, scale=None):
    scale = scale if scale is not None else 1 / np.sqrt(shape[0])
    return jnp.asarray(random.normal(size=shape).astype(np.float32) * scale)


def cross_entropy(logits, targets):
    """Mean over tokens; picking one element a row, as most people write it."""
    logarithms = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logarithms, targets[..., None], axis=-1))


# ---- the attention NMT: one LSTM layer each way in, MLP attention, input feeding ----


def lstm_cell(weights, inputs, hidden, cell):
    gates = jnp.concatenate([inputs, hidden], axis=-1) @ weights["w"] + weights["b"]
    enter, forget, candidate, leave = jnp.split(gates, 4, axis=-1)
    cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(enter) * jnp.tanh(candidate)
    return jax.nn.sigmoid(leave) * jnp.tanh(cell), cell


def nmt_parameters(random, hidden, vocabulary):
    H, V = hidden, vocabulary
    return {
        "source": draw(random, V, H, scale=0.1),
        "target": draw(random, V, H, scale=0.1),
        "encoder": {"w": draw(random, 2 * H, 4 * H), "b": jnp.zeros(4 * H)},
        "decoder": {"w": draw(random, 3 * H, 4 * H), "b": jnp.zeros(4 * H)},
        "keys": draw(random, H, H),
        "query": draw(random, H, H),
        "score": draw(random, H),
        "combine": draw(random, 2 * H, H),
        "output": draw(random, H, V),
    }


def attend(weights, memory, keys, hidden):
    """memory, keys: [B, T, H]; hidden: [B, H]. The [B, T, H] tanh in between is what Echo was written about."""
    scores = jnp.tanh(keys + (hidden @ weights["query"])[:, None, :]) @ weights["score"]
    return jnp.einsum("bt,bth->bh", jax.nn.softmax(scores, axis=-1), memory)


def decoder_step(weights, memory, keys, state, embedded):
    hidden, cell, fed = state
    hidden, cell = lstm_cell(weights["decoder"], jnp.concatenate([embedded, fed], axis=-1), hidden, cell)
    context = attend(weights, memory, keys, hidden)
    fed = jnp.tanh(jnp.concatenate([hidden, context], axis=-1) @ weights["combine"])
    return (hidden, cell, fed), fed


def nmt_loss(weights, source, target, expected, *, form, checkpointed):
    """source, target, expected: [B, T] tokens."""
    batch, hidden = source.shape[0], weights["keys"].shape[0]
    zeros = jnp.zeros((batch, hidden))
    read = functools.partial(lstm_cell, weights["encoder"])
    write = functools.partial(decoder_step, weights)
    if checkpointed:
        read, write = jax.checkpoint(read), jax.checkpoint(write)
    embedded_in, embedded_out = weights["source"][source], weights["target"][target]
    if form == "scan":

        def encode(state, x):
            state = read(x, *state)
            return state, state[0]

        (h, c), states = jax.lax.scan(encode, (zeros, zeros), embedded_in.transpose(1, 0, 2))
        memory = states.transpose(1, 0, 2)
        keys = memory @ weights["keys"]
        _, outputs = jax.lax.scan(lambda s, x: write(memory, keys, s, x), (h, c, zeros), embedded_out.transpose(1, 0, 2))
        return cross_entropy(outputs @ weights["output"], expected.T)
    h, c, states = zeros, zeros, []
    for t in range(source.shape[1]):
        h, c = read(embedded_in[:, t], h, c)
        states.append(h)
    memory = jnp.stack(states, axis=1)
    keys = memory @ weights["keys"]
    state, outputs = (h, c, zeros), []
    for t in range(target.shape[1]):
        state, output = write(memory, keys, state, embedded_out[:, t])
        outputs.append(output)
    return cross_entropy(jnp.stack(outputs, axis=1) @ weights["output"], expected)


def nmt(form="unrolled", checkpointed=False, hidden=256, batch=32, length=20, vocabulary=4000, seed=0):
    random = np.random.default_rng(seed)
    tokens = [jnp.asarray(random.integers(0, vocabulary, (batch, length), dtype=np.int32)) for _ in range(3)]
    loss = functools.partial(nmt_loss, form=form, checkpointed=checkpointed)
    return training_step(loss, nmt_parameters(random, hidden, vocabulary), tokens)


# ---- the Transformer: pre-norm, causal, tied embedding, dropout ----


def layer_norm(x, gain, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gain + bias


def dropout(key, x, rate):
    kept = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(kept, x / (1 - rate), 0)


def transformer_parameters(random, layers, hidden, length, vocabulary):
    H = hidden

    def layer():
        return {
            "norm1": {"g": jnp.ones(H), "b": jnp.zeros(H)},
            "qkv": draw(random, H, 3 * H),
            "proj": draw(random, H, H),
            "norm2": {"g": jnp.ones(H), "b": jnp.zeros(H)},
            "up": draw(random, H, 4 * H),
            "up_b": jnp.zeros(4 * H),
            "down": draw(random, 4 * H, H),
            "down_b": jnp.zeros(H),
        }

    return {
        "embedding": draw(random, vocabulary, H, scale=0.02),
        "position": draw(random, length, H, scale=0.02),
        "layers": [layer() for _ in range(layers)],
        "norm": {"g": jnp.ones(H), "b": jnp.zeros(H)},
    }


def transformer_layer(w, x, key, heads, rate):
    B, T, H = x.shape
    key1, key2, key3 = jax.random.split(key, 3)
    y = layer_norm(x, w["norm1"]["g"], w["norm1"]["b"])
    q, k, v = (part.reshape(B, T, heads, H // heads) for part in jnp.split(y @ w["qkv"], 3, axis=-1))
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(H // heads).astype(np.float32)
    causal = jnp.tril(jnp.ones((T, T), bool))
    shares = dropout(key1, jax.nn.softmax(jnp.where(causal, scores, -1e30), axis=-1), rate)
    y = jnp.einsum("bhts,bshd->bthd", shares, v).reshape(B, T, H) @ w["proj"]
    x = x + dropout(key2, y, rate)
    y = layer_norm(x, w["norm2"]["g"], w["norm2"]["b"])
    y = jax.nn.gelu(y @ w["up"] + w["up_b"]) @ w["down"] + w["down_b"]
    return x + dropout(key3, y, rate)


def transformer_loss(weights, tokens, expected, key, *, heads, rate, checkpointed):
    layer = functools.partial(transformer_layer, heads=heads, rate=rate)
    if checkpointed:
        layer = jax.checkpoint(layer)
    x = weights["embedding"][tokens] + weights["position"]
    for w, layer_key in zip(weights["layers"], jax.random.split(key, len(weights["layers"]))):
        x = layer(w, x, layer_key)
    x = layer_norm(x, weights["norm"]["g"], weights["norm"]["b"])
    return cross_entropy(x @ weights["embedding"].T, expected)


def transformer(checkpointed=False, layers=4, hidden=256, heads=4, length=128, batch=8, vocabulary=4000, rate=0.1, seed=0):
    random = np.random.default_rng(seed)
    tokens, expected = (
        jnp.asarray(random.integers(0, vocabulary, (batch, length), dtype=np.int32)) for _ in range(2)
    )
    key = jnp.asarray(np.array([0, seed + 1], dtype=np.uint32))
    loss = functools.partial(transformer_loss, heads=heads, rate=rate, checkpointed=checkpointed)
    return training_step(loss, transformer_parameters(random, layers, hidden, length, vocabulary), (tokens, expected, key))


MODELS = {
    "nmt": functools.partial(nmt, "unrolled"),
    "nmt_scan": functools.partial(nmt, "scan"),
    "transformer": transformer,
}
SMALL = {
    "nmt": dict(hidden=16, batch=4, length=4, vocabulary=40),
    "nmt_scan": dict(hidden=16, batch=4, length=4, vocabulary=40),
    "transformer": dict(layers=2, hidden=32, heads=4, length=16, batch=2, vocabulary=40),
}
