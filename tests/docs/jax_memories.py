# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""State and activations in the host's memory, as programs for accelerators offload them: what is printed is the same on every
platform, as check_jax.py holds it."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name
from jax.sharding import SingleDeviceSharding

device = jax.devices()[0]
here, there = (SingleDeviceSharding(device, memory_kind=kind) for kind in ("device", "pinned_host"))
x = jnp.arange(4.0)
print(device.default_memory().kind, jax.device_put(x, there).sharding.memory_kind, jax.device_put(jax.device_put(x, there), here).tolist())


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(parameters, moments):
    moments = jax.device_put(moments, here) * 0.5 + parameters
    return parameters - 0.25 * moments, jax.device_put(moments, there)


parameters, moments = x + 1, jax.device_put(jnp.zeros(4), there)
for _ in range(3):
    parameters, moments = step(parameters, moments)
print("state in the host's memory", parameters.tolist(), moments.tolist(), moments.sharding.memory_kind)

moved = jax.jit(lambda a: a + 1, out_shardings=there)(jnp.ones(4))
print("computed for the other memory", moved.tolist(), moved.sharding.memory_kind)

policy = jax.checkpoint_policies.save_and_offload_only_these_names(
    names_which_can_be_saved=[], names_which_can_be_offloaded=["layer"], offload_src="device", offload_dst="pinned_host"
)


def loss(a):
    layer = jax.checkpoint(lambda c, _: (jnp.sin(checkpoint_name(c, "layer")) * c, None), policy=policy)
    return jax.lax.scan(layer, a, None, length=5)[0].sum()


print("activations in the host's memory", np.round(jax.jit(jax.grad(loss))(x), 3).tolist())
