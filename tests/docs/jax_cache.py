# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step that JAX keeps in its compilation cache: whether it was found there, and what it computes, as check_jax.py holds them."""

import jax
import jax.numpy as jnp

jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
found = []
jax.monitoring.register_event_listener(lambda event, **_: found.append(event))


@jax.jit
def step(weights, x):
    return weights - 0.1 * jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(weights)


weights, x = jnp.full((4, 2), 0.5), jnp.arange(12.0).reshape(3, 4)
found.clear()
compiled = step.lower(weights, x).compile()
print("loaded" if "/jax/compilation_cache/cache_hits" in found else "compiled", compiled(weights, x).round(3).tolist())
