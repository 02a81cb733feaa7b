# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs here share: the loop, and a line of JSON with its losses, times and bytes. All of it is JAX's own
interface; nothing knows on which platform it runs."""
import hashlib
import json
import time

import jax
import numpy

STEPS = 20


def digest(tree):
    """The bits of all leaves."""
    bits = hashlib.sha256()
    for leaf in jax.tree.leaves(tree):
        bits.update(numpy.asarray(leaf).tobytes())
    return bits.hexdigest()[:16]


def train(step, state):
    key = jax.random.key(3)
    start = time.perf_counter()
    compiled = step.lower(state, key).compile()
    compile_s = time.perf_counter() - start
    memory = compiled.memory_analysis()
    losses, times = [], []
    for i in range(STEPS):
        start = time.process_time()
        state, loss = step(state, jax.random.fold_in(key, i))
        losses.append(float(loss))
        times.append(time.process_time() - start)
    print(
        json.dumps(
            {
                "losses": losses,
                "state": digest(state),
                "temp_bytes": memory.temp_size_in_bytes,
                "argument_bytes": memory.argument_size_in_bytes,
                "compile_s": compile_s,
                "step_s": sorted(times)[STEPS // 2],
            }
        )
    )
