# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Callbacks into Python, from loops, branches, conditions and gradients: what is printed is the same on every platform and with
every budget, as check_jax.py holds it. Each effect happens once for each time that the program says so."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

seen = []


@jax.custom_vjp
def host_sin(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def host_cos(x, g):
    return (g * jax.pure_callback(np.cos, jax.ShapeDtypeStruct(x.shape, x.dtype), x),)


host_sin.defvjp(lambda x: (host_sin(x), x), host_cos)


@jax.jit
def step(weights, x):
    def loss_of(weights):
        def layer(h, w):
            h = jnp.tanh(h @ w)
            jax.debug.callback(lambda mean: seen.append(round(float(mean), 3)), h.mean(), ordered=True)
            return h + 0.1 * host_sin(h), None

        h, _ = jax.lax.scan(layer, x, weights)
        loss = (h * h).mean()
        jax.debug.print("loss {loss:.3f}", loss=loss, ordered=True)
        return loss

    loss, gradient = jax.value_and_grad(loss_of)(weights)
    factor = io_callback(lambda loss: np.float32(len(seen)), jax.ShapeDtypeStruct((), jnp.float32), loss, ordered=True)
    return weights + 0 * factor - 0.5 * gradient, loss


@jax.jit
def count(x):
    def more(state):
        jax.debug.print("more than {}?", state[0], ordered=True)
        return state[0] < 3

    def body(state):
        text = "even {}", "odd {}"
        tell = [lambda n, t=t: jax.debug.print(t, n, ordered=True) for t in text]
        jax.lax.cond(state[0] % 2 == 0, *tell, state[0])
        return state[0] + 1, state[1] * 2

    return jax.lax.while_loop(more, body, (0, x))


weights = 0.3 * jax.random.normal(jax.random.key(0), (12, 32, 32))
x = jax.random.normal(jax.random.key(1), (256, 32))
for _ in range(3):
    weights, loss = step(weights, x)
print(count(jnp.float32(1.5)))
jax.effects_barrier()
print(len(seen), seen[:12])
jax.jit(lambda x: jax.debug.print("no result, {}", x.sum()))(jnp.ones(3))
many = {f"w{i}": jnp.full((2,), float(i)) for i in range(200)}  # all of a state, as a checkpoint is written
one_more = lambda state: jax.tree.map(lambda w: np.asarray(w) + 1, state)  # noqa: E731
many = jax.jit(lambda state: jax.lax.scan(lambda s, _: (io_callback(one_more, s, s, ordered=True), None), state, None, length=3)[0])(many)
print(many["w0"], many["w199"])
jax.effects_barrier()


def fail(x):
    raise ValueError("said in Python")


try:
    print(jax.jit(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct(x.shape, x.dtype), x))(jnp.ones(3)))
except jax.errors.JaxRuntimeError as error:
    print("ValueError: said in Python" in str(error))

# What JAX lowers for its CPU and has no general way for, from modules that are imported late.
from jax.experimental import checkify, sparse  # noqa: E402


@jax.jit
def checked(x):
    checkify.debug_check(jnp.all(x > 0), "no positive number in {x}", x=x)
    return jnp.log(x)


error, _ = checkify.checkify(checked)(jnp.array([1.0, -1.0]))
print(checked(jnp.array([1.0, 4.0])), error.get())
matrix = sparse.CSR.fromdense(jnp.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]))
print(jax.jit(lambda m, v: m @ v)(matrix, jnp.arange(3.0)))

# What jaxlib computes itself, and registers beside its calls of LAPACK, of complex numbers too.
for imaginary in (0.0, 0.25j):
    above = jnp.arange(1.0, 8.0) + imaginary
    values, vectors = jax.jit(jax.scipy.linalg.eigh_tridiagonal)(jnp.cos(jnp.arange(8.0)) + 0 * above[0], above)
    whole = np.diag(np.cos(np.arange(8.0))) + np.diag(above, 1) + np.diag(np.conj(above), -1)
    print(np.asarray(values).round(3), abs(whole @ vectors - vectors * values).max() < 1e-4)

# Floats of a byte and less go to Python and back as they are.
for kind in ("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn"):
    narrow = jnp.arange(6).astype(kind)
    print(jax.jit(lambda x: jax.pure_callback(lambda a: a[::-1], jax.ShapeDtypeStruct(x.shape, x.dtype), x))(narrow).astype(jnp.float32).tolist())
