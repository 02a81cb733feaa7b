# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One JAX peer: prints a JSON line with the peak bytes of a step above its state, step time, time to the first step."""

import argparse
import json
import statistics
import time

import jax

import models_jax


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=models_jax.MODELS)
    parser.add_argument("--checkpointed", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    sizes = models_jax.SMALL[options.model] if options.small else {}
    step = models_jax.MODELS[options.model](checkpointed=options.checkpointed, **sizes)
    arguments = jax.block_until_ready(step.arguments)
    begin = time.perf_counter()
    lowered = jax.jit(step.function, donate_argnums=step.donated, keep_unused=True).lower(*arguments)
    lower_s = time.perf_counter() - begin
    compiled = lowered.compile()
    compile_s = time.perf_counter() - begin - lower_s
    batch = arguments[len(step.donated) :]
    results = jax.block_until_ready(compiled(*arguments))
    first_step_s = time.perf_counter() - begin
    times = []
    for _ in range(options.steps):
        before = time.perf_counter()
        results = jax.block_until_ready(compiled(*results[1:], *batch))
        times.append(time.perf_counter() - before)
    memory = compiled.memory_analysis()
    print(json.dumps({
        "peak_bytes": memory.temp_size_in_bytes + memory.output_size_in_bytes - memory.alias_size_in_bytes,
        "step_s": statistics.median(times),
        "first_step_s": first_step_s,
        "lower_s": lower_s,
        "compile_s": compile_s,
        "loss": float(results[0]),
        "version": jax.__version__,
    }))


if __name__ == "__main__":
    main()
