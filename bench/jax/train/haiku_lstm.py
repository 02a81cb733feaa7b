# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""haiku and optax: a character LSTM of two layers, unrolled by lax.scan."""
from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp
import optax
from report import train

VOCABULARY, WIDTH, LENGTH, BATCH = 128, 128, 64, 32


def forward(tokens):
    x = hk.Embed(VOCABULARY, WIDTH)(tokens)
    core = hk.DeepRNN([hk.LSTM(WIDTH), hk.LSTM(WIDTH)])
    outputs, _ = hk.dynamic_unroll(core, x.swapaxes(0, 1), core.initial_state(BATCH))
    return hk.Linear(VOCABULARY)(outputs.swapaxes(0, 1))


net = hk.without_apply_rng(hk.transform(forward))
tokens = jax.random.randint(jax.random.key(1), (BATCH, LENGTH + 1), 0, VOCABULARY)
params = net.init(jax.random.key(0), tokens[:, :-1])
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))


@partial(jax.jit, donate_argnums=0)
def step(state, key):
    params, moments = state

    def loss_of(params):
        logits = net.apply(params, tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, gradients = jax.value_and_grad(loss_of)(params)
    updates, moments = optimizer.update(gradients, moments, params)
    return (optax.apply_updates(params, updates), moments), loss


train(step, (params, optimizer.init(params)))
