# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flax.nnx and optax: a decoder of four layers, next-token loss."""
from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from report import train

VOCABULARY, WIDTH, HEADS, LAYERS, LENGTH, BATCH = 512, 128, 4, 4, 64, 16


class Layer(nnx.Module):
    def __init__(self, rngs):
        self.norm1, self.norm2 = nnx.LayerNorm(WIDTH, rngs=rngs), nnx.LayerNorm(WIDTH, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(HEADS, WIDTH, decode=False, rngs=rngs)
        self.up, self.down = nnx.Linear(WIDTH, 4 * WIDTH, rngs=rngs), nnx.Linear(4 * WIDTH, WIDTH, rngs=rngs)

    def __call__(self, x, mask):
        x = x + self.attention(self.norm1(x), mask=mask)
        return x + self.down(nnx.gelu(self.up(self.norm2(x))))


class Model(nnx.Module):
    def __init__(self, rngs):
        self.embedding = nnx.Embed(VOCABULARY, WIDTH, rngs=rngs)
        self.layers = nnx.List([Layer(rngs) for _ in range(LAYERS)])
        self.head = nnx.Linear(WIDTH, VOCABULARY, rngs=rngs)

    def __call__(self, tokens):
        x, mask = self.embedding(tokens), nnx.make_causal_mask(tokens)
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(x)


graph, params, rest = nnx.split(Model(nnx.Rngs(0)), nnx.Param, ...)
tokens = jax.random.randint(jax.random.key(1), (BATCH, LENGTH + 1), 0, VOCABULARY)
optimizer = optax.adamw(1e-3)


@partial(jax.jit, donate_argnums=0)
def step(state, key):
    params, moments = state

    def loss_of(params):
        logits = nnx.merge(graph, params, rest)(tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    updates, moments = optimizer.update(gradients, moments, params)
    return (optax.apply_updates(params, updates), moments), loss


train(step, (params, optimizer.init(params)))
