# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX alone: a Transformer whose eight layers are one lax.scan, with jax.checkpoint around the layer and SGD by hand."""
from functools import partial

import jax
import jax.numpy as jnp
from report import train

VOCABULARY, WIDTH, HEADS, LAYERS, LENGTH, BATCH = 512, 128, 4, 8, 64, 8


def init(key):
    names = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}
    keys = jax.random.split(key, len(names) + 2)
    layers = {n: jax.random.normal(k, (LAYERS, *s)) * s[0] ** -0.5 for k, (n, s) in zip(keys, names.items())}
    return {
        "layers": layers,
        "embedding": jax.random.normal(keys[-1], (VOCABULARY, WIDTH)) * 0.02,
        "head": jax.random.normal(keys[-2], (WIDTH, VOCABULARY)) * WIDTH**-0.5,
    }


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


@jax.checkpoint
def layer(x, w):
    q, k, v = jnp.split((norm(x) @ w["qkv"]).reshape(BATCH, LENGTH, 3 * HEADS, WIDTH // HEADS), 3, axis=2)
    x = x + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(BATCH, LENGTH, WIDTH) @ w["out"]
    return x + jax.nn.gelu(norm(x) @ w["up"]) @ w["down"], None


tokens = jax.random.randint(jax.random.key(1), (BATCH, LENGTH + 1), 0, VOCABULARY)


@partial(jax.jit, donate_argnums=0)
def step(params, key):
    def loss_of(params):
        x, _ = jax.lax.scan(layer, params["embedding"][tokens[:, :-1]], params["layers"])
        log_p = jax.nn.log_softmax(x @ params["head"])
        return -jnp.take_along_axis(log_p, tokens[:, 1:, None], -1).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, gradients), loss


train(step, init(jax.random.key(0)))
