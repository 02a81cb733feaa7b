# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""equinox and optax: an MLP mixer, vmapped over the batch."""
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from report import train

PATCHES, WIDTH, LAYERS, BATCH = 64, 64, 4, 64


class Block(eqx.Module):
    over_patches: eqx.nn.MLP
    over_channels: eqx.nn.MLP
    norm1: eqx.nn.LayerNorm
    norm2: eqx.nn.LayerNorm

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.over_patches = eqx.nn.MLP(PATCHES, PATCHES, 128, 1, jax.nn.gelu, key=a)
        self.over_channels = eqx.nn.MLP(WIDTH, WIDTH, 256, 1, jax.nn.gelu, key=b)
        self.norm1, self.norm2 = eqx.nn.LayerNorm((PATCHES, WIDTH)), eqx.nn.LayerNorm((PATCHES, WIDTH))

    def __call__(self, x):
        x = x + jax.vmap(self.over_patches, 1, 1)(self.norm1(x))
        return x + jax.vmap(self.over_channels)(self.norm2(x))


class Mixer(eqx.Module):
    blocks: list
    embedding: eqx.nn.Linear
    head: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, LAYERS + 2)
        self.blocks = [Block(k) for k in keys[2:]]
        self.embedding, self.head = eqx.nn.Linear(16, WIDTH, key=keys[0]), eqx.nn.Linear(WIDTH, 10, key=keys[1])

    def __call__(self, patches):
        x = jax.vmap(self.embedding)(patches)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(0))


params, static = eqx.partition(Mixer(jax.random.key(0)), eqx.is_array)
patches = jax.random.normal(jax.random.key(1), (BATCH, PATCHES, 16))
labels = jax.random.randint(jax.random.key(2), (BATCH,), 0, 10)
optimizer = optax.adam(1e-3)


@partial(jax.jit, donate_argnums=0)
def step(state, key):
    params, moments = state

    def loss_of(params):
        logits = jax.vmap(eqx.combine(params, static))(patches)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    updates, moments = optimizer.update(gradients, moments, params)
    return (optax.apply_updates(params, updates), moments), loss


train(step, (params, optimizer.init(params)))
