# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One PyTorch peer: prints a JSON line with the peak bytes of a step above its state, step time, time to the first step."""

import argparse
import json
import statistics
import time

import torch
import torch._functorch.config as functorch_config
from torch._C._profiler import _EventType
from torch.profiler import ProfilerActivity, profile

import models_torch


def peak_of(step):
    """Largest sum of live bytes that one step allocates, from the CPU allocator's own events."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True, record_shapes=True, with_stack=True) as profiler:
        step()
    events, pending = [], list(profiler.profiler.kineto_results.experimental_event_tree())
    while pending:
        event = pending.pop()
        pending.extend(event.children)
        if event.typed[0] == _EventType.Allocation:
            events.append((event.start_time_ns, event.typed[1].alloc_size))
    live = peak = 0
    for _, size in sorted(events, key=lambda event: event[0]):
        live += size
        peak = max(peak, live)
    return peak


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=models_torch.MODELS)
    parser.add_argument("--checkpointed", action="store_true")
    parser.add_argument("--budget", type=float, help="torch.compile with this activation memory budget")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    model, batch = models_torch.MODELS[options.model](options.checkpointed, options.small)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    forward = model
    if options.budget is not None:
        functorch_config.activation_memory_budget = options.budget
        forward = torch.compile(model)

    def step():
        loss = forward(*batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.item()

    begin = time.perf_counter()
    first_loss = step()
    first_step_s = time.perf_counter() - begin
    step()
    times = []
    for _ in range(options.steps):
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    print(json.dumps({
        "peak_bytes": peak_of(step),
        "step_s": statistics.median(times),
        "first_step_s": first_step_s,
        "loss": first_loss,
        "version": torch.__version__,
    }))


if __name__ == "__main__":
    main()
