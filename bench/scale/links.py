# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What links carry, and what an all_reduce over them takes for one device: bandwidths and latencies, each with its source.

A server holds eight devices. Within it they reduce and gather over NVLink; between servers each device sums its eighth with those
of the same place. Latencies are the constants of NCCL's tuner (NVIDIA/nccl, src/graph/tuning.cc, 01afd20: baseLat and hwLat in us,
the formulas for the two algorithms below)."""
import math

DEVICES_A_SERVER = 8

# One way, bytes a second for each device.
NVLINK = 450e9  # 900 GB/s both ways: NVIDIA H100 data sheet
NETWORKS = {
    # Eight ConnectX-7 of 400 Gb/s in a DGX H100, one for each GPU: NVIDIA DGX H100 User Guide, table "Network Modules".
    "InfiniBand": 50e9,
    # One port of 100 Gb/s (IEEE 802.3ba) a server, shared by its eight devices.
    "Ethernet": 12.5e9 / DEVICES_A_SERVER,
}

# Seconds to begin, a step over NVLink, a step over a network.
RING = (8.4e-6, 3.4e-6, 9.6e-6)  # protocol Simple
TREE = (4.4e-6, 0.52e-6, 5.0e-6)  # protocol LL, which carries a quarter of the bytes a second (tuning.cc: 1 / 3.8)
LL_PART = 1 / 3.8


def servers(n):
    return max(1, math.ceil(n / DEVICES_A_SERVER))


def seconds_a_byte(n, network):
    """What each byte of an all_reduce among n devices takes: 2 (g - 1) / g on NVLink, 2 (m - 1) / m of an eighth between servers."""
    inside, outside = min(n, DEVICES_A_SERVER), servers(n)
    within = 2 * (inside - 1) / inside / NVLINK
    between = 2 * (outside - 1) / outside / inside / NETWORKS[network]
    return within + between


def latencies(n):
    """Of a ring and of a tree, as the tuner has them: the number of steps grows with n, or with its logarithm."""
    inside, outside = min(n, DEVICES_A_SERVER), servers(n)
    ring = RING[0] + 2 * (n - outside) * RING[1] + 2 * (outside - 1) * RING[2]
    tree = TREE[0] + 2 * ((inside - 1) * TREE[1] + math.log2(outside) * TREE[2])
    return ring, tree


def as_link(n, network, sums):
    """link_bytes_per_s and link_latency_ns of a device model under which all_reduces among n devices, of `sums` bytes, in which
    each sends 2 (n - 1) / n of them, take what the faster of both algorithms takes, for all of them together."""
    if n == 1:
        return NVLINK, 0.0
    per_byte = seconds_a_byte(n, network)
    ways = [(latency, per_byte / part) for latency, part in zip(latencies(n), (1, LL_PART))]
    latency, per_byte = min(ways, key=lambda way: len(sums) * way[0] + sum(sums) * way[1])
    return 2 * (n - 1) / n / per_byte, latency * 1e9
