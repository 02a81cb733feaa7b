# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""steps_jax.py FOLDER: training steps whose state is larger than their activations, as JAX writes them: optimizers with norms of all
gradients, with conditions around the update, with accumulation; loops with large carries. For each, NAME.mlir, its inputs, JAX's
results, and what XLA takes for temporaries on the CPU. Needs jax and optax."""
import json
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy
import optax

WIDTH, DEPTH, BATCH = 512, 8, 64


def parameters():
    keys = jax.random.split(jax.random.PRNGKey(0), DEPTH)
    return [(jax.random.normal(key, (WIDTH, WIDTH)) * WIDTH**-0.5, jnp.zeros((WIDTH,))) for key in keys]


def loss_of(layers, x, y):
    for w, b in layers:
        x = jnp.tanh(x @ w + b)
    return ((x - y) ** 2).mean()


def batch(n=None):
    shape = (BATCH, WIDTH) if n is None else (n, BATCH, WIDTH)
    return jax.random.normal(jax.random.PRNGKey(1), shape), 0.1 * jax.random.normal(jax.random.PRNGKey(2), shape)


def sgd(layers, gradients):
    return jax.tree.map(lambda p, g: p - 0.1 * g, layers, gradients)


def with_optimizer(optimizer, donated=(0, 1)):
    """A step with this optimizer of optax; parameters and state are donated, unless they are kept."""

    def step(layers, state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(layers, x, y)
        updates, state = optimizer.update(gradients, state, layers, **({"value": loss} if needs_loss else {}))
        return optax.apply_updates(layers, updates), state, loss

    needs_loss = optimizer is OPTIMIZERS["plateau"]
    return step, (parameters(), optimizer.init(parameters()), *batch()), donated


OPTIMIZERS = {
    "sgd": optax.sgd(0.1),
    "momentum": optax.sgd(0.1, momentum=0.9),
    "nesterov": optax.sgd(0.1, momentum=0.9, nesterov=True),
    "adam": optax.adam(1e-3),
    "adamw_clipped": optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3)),
    "amsgrad": optax.amsgrad(1e-3),
    "lamb": optax.lamb(1e-3),
    "fromage": optax.fromage(1e-3),
    "lion": optax.lion(1e-4),
    "adafactor": optax.adafactor(1e-3),
    "rmsprop": optax.rmsprop(1e-3, momentum=0.9),
    "apply_if_finite": optax.apply_if_finite(optax.adam(1e-3), 5),
    "multi_steps": optax.MultiSteps(optax.adam(1e-3), 4),
    "accumulate_clip": optax.MultiSteps(optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3)), 2),
    "plateau": optax.chain(optax.adam(1e-3), optax.contrib.reduce_on_plateau()),
    "average": optax.chain(optax.adam(1e-3), optax.ema(0.99)),
}


def lookahead():
    """Slow parameters follow fast ones: both are state, and results swap roles."""
    optimizer = optax.lookahead(optax.sgd(0.1, momentum=0.9), sync_period=5, slow_step_size=0.5)

    def step(both, state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(both.fast, x, y)
        updates, state = optimizer.update(gradients, state, both)
        return optax.apply_updates(both, updates), state, loss

    start = optax.LookaheadParams(fast=parameters(), slow=parameters())
    return step, (start, optimizer.init(start), *batch()), (0, 1)


def skip_if_not_finite():
    """The whole update in one branch of a cond, the old state in the other."""
    optimizer = optax.adam(1e-3)

    def step(layers, state, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(layers, x, y)

        def update(layers, state):
            updates, state = optimizer.update(gradients, state, layers)
            return optax.apply_updates(layers, updates), state

        is_fine = jnp.isfinite(optax.global_norm(gradients))
        layers, state = jax.lax.cond(is_fine, update, lambda layers, state: (layers, state), layers, state)
        return layers, state, loss

    return step, (parameters(), optimizer.init(parameters()), *batch()), (0, 1)


def switch_rates():
    """Three branches that all update."""

    def step(layers, which, x, y):
        gradients = jax.grad(loss_of)(layers, x, y)
        branches = [lambda p, g, r=r: jax.tree.map(lambda a, b: a - r * b, p, g) for r in (0.1, 0.2, 0.3)]
        return jax.lax.switch(which, branches, layers, gradients)

    return step, (parameters(), jnp.int32(1), *batch()), (0,)


def ema_weights():
    """Averaged weights beside the trained ones."""

    def step(layers, average, x, y):
        loss, gradients = jax.value_and_grad(loss_of)(layers, x, y)
        layers = sgd(layers, gradients)
        return layers, jax.tree.map(lambda a, p: 0.99 * a + 0.01 * p, average, layers), loss

    return step, (parameters(), parameters(), *batch()), (0, 1)


def microbatches(step_of):
    """Four microbatches: unrolled, or in a loop."""

    def step(layers, x, y):
        total, loss = step_of(layers, x, y)
        return sgd(layers, total), loss

    return step, (parameters(), *batch(4)), (0,)


def unrolled(layers, x, y):
    total, losses = None, 0.0
    for i in range(4):
        loss, gradients = jax.value_and_grad(loss_of)(layers, x[i], y[i])
        total = gradients if total is None else jax.tree.map(jnp.add, total, gradients)
        losses += loss
    return total, losses


def scanned(layers, x, y):
    def body(carry, sample):
        total, losses = carry
        loss, gradients = jax.value_and_grad(loss_of)(layers, *sample)
        return (jax.tree.map(jnp.add, total, gradients), losses + loss), None

    return jax.lax.scan(body, (jax.tree.map(jnp.zeros_like, layers), 0.0), (x, y))[0]


def steps_in_a_loop(optimizer):
    def step(layers, state, x, y):
        def body(carry, sample):
            layers, state = carry
            loss, gradients = jax.value_and_grad(loss_of)(layers, *sample)
            updates, state = optimizer.update(gradients, state, layers)
            return (optax.apply_updates(layers, updates), state), loss

        return jax.lax.scan(body, (layers, state), (x, y))

    return step, (parameters(), optimizer.init(parameters()), *batch(4)), (0, 1)


def big(n=1):
    arrays = [0.1 * jax.random.normal(jax.random.PRNGKey(i), (1024, 1024)) for i in range(n)]
    return arrays[0] if n == 1 else arrays


def loop_one():
    """One large carry, updated element by element."""
    return lambda x: jax.lax.fori_loop(0, 10, lambda i, x: x * 0.9 + 0.1, x), (big(),), (0,)


def loop_several():
    def body(carry):
        i, x, v, s = carry
        v = 0.9 * v + x
        return i + 1, x - 0.1 * v, v, s + jnp.sum(x)

    return lambda x, v: jax.lax.while_loop(lambda c: c[0] < 10, body, (0, x, v, 0.0)), tuple(big(2)), (0, 1)


def loop_swapped():
    return lambda a, b: jax.lax.fori_loop(0, 9, lambda i, c: (c[1], c[0]), (a, b)), tuple(big(2)), (0, 1)


def loop_ping_pong():
    """One carry takes the other's place, and is made anew from both (Fibonacci, momentum's last step)."""
    return lambda a, b: jax.lax.fori_loop(0, 9, lambda i, c: (c[1], 0.5 * (c[0] + c[1])), (a, b)), tuple(big(2)), (0, 1)


def loop_stencil():
    """The old carry is read at other places while the new one is made."""
    return lambda x: jax.lax.fori_loop(0, 9, lambda i, x: 0.5 * (jnp.roll(x, 1, 0) + jnp.roll(x, 1, 1)), x), (big(),), (0,)


def loop_read_after():
    """The old carry is read after the new one is made."""

    def body(i, carry):
        x, d = carry
        new = jnp.tanh(x @ x) * 0.5
        return new, d + jnp.abs(new - x)

    return lambda x, d: jax.lax.fori_loop(0, 4, body, (x, d)), tuple(big(2)), (0, 1)


def loop_matmul():
    return lambda x, w: jax.lax.fori_loop(0, 4, lambda i, x: jnp.tanh(x @ w), x), tuple(big(2)), (0,)


def loop_write_slices():
    """A stack written slice by slice, beside a carry."""

    def body(i, carry):
        x, stack = carry
        x = x * 0.9 + 0.1
        return x, jax.lax.dynamic_update_index_in_dim(stack, x, i, 0)

    return lambda x, s: jax.lax.fori_loop(0, 4, body, (x, s)), (big(), jnp.zeros((4, 1024, 1024))), (0, 1)


def loop_from_constants():
    """Carries that begin as zeros and ones of full size."""
    def body(i, carry):
        a, b, x = carry
        return a + x, b * x, x * 0.9

    return lambda x: jax.lax.fori_loop(0, 5, body, (jnp.zeros_like(x), jnp.ones_like(x), x)), (big(),), (0,)


def constants_broadcast():
    """Constants of full size that several kernels read, some as results."""
    return lambda x: (x + jnp.full_like(x, 2.0), jnp.cumsum(jnp.full_like(x, 3.0), 0) + x, x @ jnp.full_like(x, 4.0)), (big(),), (0,)


def loop_case():
    """A cond inside of a loop, around the update of a carry."""

    def body(i, carry):
        x, v = carry
        return jax.lax.cond(i % 2 == 0, lambda x, v: (x - 0.1 * v, 0.9 * v), lambda x, v: (x, v + x), x, v)

    return lambda x, v: jax.lax.fori_loop(0, 6, body, (x, v)), tuple(big(2)), (0, 1)


STEPS = {
    **{name: lambda optimizer=optimizer: with_optimizer(optimizer) for name, optimizer in OPTIMIZERS.items()},
    "kept_clipped": lambda: with_optimizer(OPTIMIZERS["adamw_clipped"], ()),
    "kept_lion": lambda: with_optimizer(OPTIMIZERS["lion"], ()),
    "lookahead": lookahead,
    "skip_if_not_finite": skip_if_not_finite,
    "switch_rates": switch_rates,
    "ema_weights": ema_weights,
    "micro_unrolled": lambda: microbatches(unrolled),
    "micro_scanned": lambda: microbatches(scanned),
    "loop_sgd_steps": lambda: steps_in_a_loop(optax.sgd(0.1)),
    "loop_adam_steps": lambda: steps_in_a_loop(optax.adam(1e-3)),
    "loop_lamb_steps": lambda: steps_in_a_loop(optax.lamb(1e-3)),
    "loop_one": loop_one,
    "loop_several": loop_several,
    "loop_swapped": loop_swapped,
    "loop_ping_pong": loop_ping_pong,
    "loop_stencil": loop_stencil,
    "loop_read_after": loop_read_after,
    "loop_matmul": loop_matmul,
    "loop_write_slices": loop_write_slices,
    "loop_from_constants": loop_from_constants,
    "loop_case": loop_case,
    "constants_broadcast": constants_broadcast,
}


def dump(folder, name, step, arguments, donated):
    lowered = jax.jit(step, donate_argnums=donated, keep_unused=True).lower(*arguments)
    (folder / f"{name}.mlir").write_text(lowered.as_text())
    leaves = [numpy.asarray(leaf) for leaf in jax.tree.leaves(arguments)]
    numpy.savez(folder / f"{name}.in.npz", **{f"arg{i}": leaf for i, leaf in enumerate(leaves)})
    compiled = lowered.compile()
    xla = compiled.memory_analysis()
    results = jax.tree.leaves(compiled(*jax.tree.map(jnp.array, arguments)))
    numpy.savez(folder / f"{name}.out.npz", **{f"res{i}": numpy.asarray(leaf) for i, leaf in enumerate(results)})
    return {"xla_temp_bytes": xla.temp_size_in_bytes, "argument_bytes": xla.argument_size_in_bytes}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    facts = {}
    for name, make in STEPS.items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        facts[name] = dump(folder, name, *make())
        print(name, facts[name], flush=True)
    known = folder / "xla.json"
    known.write_text(json.dumps({**(json.loads(known.read_text()) if known.exists() else {}), **facts}, indent=1) + "\n")


main()
