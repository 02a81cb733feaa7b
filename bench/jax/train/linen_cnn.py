# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flax.linen and optax: a convolutional network with batch norm and dropout."""
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from report import train


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        for width in (32, 64, 64):
            x = nn.Conv(width, (3, 3), use_bias=False)(x)
            x = nn.relu(nn.BatchNorm(use_running_average=not train)(x))
            x = nn.avg_pool(x, (2, 2), (2, 2))
        x = x.reshape((x.shape[0], -1))
        x = nn.Dropout(0.2, deterministic=not train)(nn.relu(nn.Dense(128)(x)))
        return nn.Dense(10)(x)


net, optimizer = Net(), optax.adam(1e-3)
images = jax.random.normal(jax.random.key(1), (64, 32, 32, 3))
labels = jax.random.randint(jax.random.key(2), (64,), 0, 10)
variables = net.init(jax.random.key(0), images, False)
state = (variables["params"], variables["batch_stats"], optimizer.init(variables["params"]))


@partial(jax.jit, donate_argnums=0)
def step(state, key):
    params, stats, moments = state

    def loss_of(params):
        logits, updated = net.apply(
            {"params": params, "batch_stats": stats}, images, True, rngs={"dropout": key}, mutable=["batch_stats"]
        )
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), updated["batch_stats"]

    (loss, stats), gradients = jax.value_and_grad(loss_of, has_aux=True)(params)
    updates, moments = optimizer.update(gradients, moments, params)
    return (optax.apply_updates(params, updates), stats, moments), loss


train(step, state)
