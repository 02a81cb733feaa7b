#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of JAX through echo-run's interpreter and compares the results with JAX's own.

    compare_with_jax.py [BUILD_DIR] [--only=SUBSTRING] [--device=interpreter] [--seed=0] [--keep=DIR]

Every program is the text that JAX lowers a function to. Exact ops must agree to the bit (any NaN equals any NaN),
transcendentals within the ULPs that both sides together may err, contractions within the rounding of their sums. Nothing
in the build or the tests needs jax: without it the script says so and is done.
"""
import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

try:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    from jax import lax
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

jax.config.update("jax_enable_x64", True)

FLOATS = ["float64", "float32", "float16", "bfloat16"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
ALL = FLOATS + INTEGERS + ["bool"]

# What the two sides may differ by, in ULPs of the result: 1 of ours, the rest XLA's.
EXACT, ULPS = 0, 10

PROGRAMS = {}


def program(name, function, *args, ulps=EXACT, atol=0.0):
    assert name not in PROGRAMS, name
    PROGRAMS[name] = (function, args, ulps, atol)


def dtype(name):
    return np.dtype(getattr(ml_dtypes, name)) if name == "bfloat16" else np.dtype(name)


def draw(rng, shape, name, low=-4.0, high=4.0):
    kind = dtype(name)
    if name == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if name in INTEGERS:
        limits = np.iinfo(kind)
        return rng.integers(max(limits.min, -100), min(limits.max, 100), shape).astype(kind)
    return rng.uniform(low, high, shape).astype(kind)


def edges(name):
    """Every pair of these is tried."""
    if name == "bool":
        return np.array([False, True])
    kind = dtype(name)
    if name in INTEGERS:
        limits = np.iinfo(kind)
        width = kind.itemsize * 8
        values = {limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, 2, 3, 7, width - 1, width, width + 1}
        if name in SIGNED:
            values |= {-1, -2, -3, -7}
        return np.array(sorted(values), dtype=kind)
    largest = float(ml_dtypes.finfo(kind).max)
    return np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.25, 100.0, np.inf, -np.inf, np.nan,
                     largest, -largest], dtype=kind)


def pairs(name):
    both = list(itertools.product(edges(name), repeat=2))
    return np.array([a for a, _ in both], edges(name).dtype), np.array([b for _, b in both], edges(name).dtype)


# ---- the programs ----


def elementwise(rng):
    positive = {"log", "sqrt", "rsqrt", "log1p", "cbrt"}
    exact = {"abs": lax.abs, "ceil": lax.ceil, "floor": lax.floor, "neg": lax.neg, "sign": lax.sign,
             "finite": lax.is_finite, "round": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
             "even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), "sqrt": lax.sqrt}
    inexact = {"cbrt": lax.cbrt, "cos": lax.cos, "sin": lax.sin, "tan": lax.tan, "exp": lax.exp, "expm1": lax.expm1,
               "log": lax.log, "log1p": lax.log1p, "logistic": lax.logistic, "rsqrt": lax.rsqrt, "tanh": lax.tanh}
    for name in FLOATS:
        x = np.concatenate([edges(name), draw(rng, 400, name, -20, 20)])
        program(f"unary_exact_{name}", lambda x: tuple(f(x) for f in exact.values()), x)
        small = np.concatenate([edges(name)[:9], draw(rng, 400, name, -20, 20)])
        program(f"unary_{name}", lambda x: tuple(f(x) for k, f in inexact.items() if k not in positive), small,
                ulps=ULPS)
        program(f"unary_positive_{name}", lambda x: tuple(f(x) for k, f in inexact.items() if k in positive),
                np.abs(small) + dtype(name).type(0.125), ulps=ULPS)
        a, b = pairs(name)
        program(f"binary_exact_{name}", lambda a, b: (lax.add(a, b), lax.sub(a, b), lax.mul(a, b), lax.div(a, b),
                                                      lax.max(a, b), lax.min(a, b), lax.rem(a, b)), a, b)
        program(f"compare_{name}", lambda a, b: tuple(f(a, b) for f in (lax.eq, lax.ne, lax.lt, lax.le, lax.gt,
                                                                         lax.ge)), a, b)
        program(f"total_order_{name}", lambda a, b: (lax.lt_to_p.bind(a, b), lax.le_to_p.bind(a, b),
                                                     lax.eq_to_p.bind(a, b)), a, b)
        c, d = draw(rng, 300, name, 0.1, 9), draw(rng, 300, name, -3, 3)
        program(f"power_{name}", lambda c, d: (lax.pow(c, d), lax.atan2(d, c)), c, d, ulps=ULPS)
        program(f"atan2_edges_{name}", lambda a, b: lax.atan2(a, b), a, b, ulps=ULPS)
        for bits in ((5, 10), (8, 7), (4, 3), (3, 1), (8, 23), (11, 52)):
            program(f"reduce_precision_{bits[0]}_{bits[1]}_{name}",
                    lambda x, bits=bits: lax.reduce_precision(x, *bits), x)
        low, high = dtype(name).type(-1), dtype(name).type(2)
        program(f"clamp_{name}", lambda a, b, low=low, high=high: (lax.clamp(a, b, high), lax.clamp(low, b, high)), a, b)
    for name in INTEGERS:
        a, b = pairs(name)
        program(f"integer_{name}", lambda a, b: (
            a + b, a - b, a * b, lax.div(a, b), lax.rem(a, b), lax.max(a, b), lax.min(a, b), a & b, a | b, a ^ b, ~a,
            lax.population_count(a), lax.clz(a), lax.sign(a), lax.shift_left(a, b), lax.shift_right_logical(a, b),
            lax.shift_right_arithmetic(a, b), lax.eq(a, b), lax.lt(a, b), lax.ge(a, b), lax.clamp(b, a, b)), a, b)
        program(f"integer_power_{name}", lambda a: tuple(lax.integer_pow(a, k) for k in range(5)), a)
    a, b = pairs("bool")
    program("predicates", lambda a, b: (a & b, a | b, a ^ b, ~a, lax.eq(a, b), lax.lt(a, b), lax.max(a, b),
                                        lax.min(a, b)), a, b)
    for source in ALL:
        values = edges(source)
        if source in FLOATS:
            far = [200.7, -200.7, 70000.5, -70000.5, 3e9, -3e9, 254.5, 255.5, 1e19, -1e19]
            values = np.concatenate([values, np.array([v for v in far if abs(v) < 65000 or source != "float16"], values.dtype)])
        if source.endswith("int64"):
            values = np.concatenate([values, np.array([2**53 + 1, 2**62 + 2**38 + 1, 2**24 + 1], values.dtype)])
        program(f"convert_from_{source}", lambda x: tuple(lax.convert_element_type(x, dtype(t)) for t in ALL), values)
    for name in ALL:
        p, x, y = draw(rng, 50, "bool"), draw(rng, 50, name), draw(rng, 50, name)
        program(f"select_{name}", lambda p, x, y: lax.select(p, x, y), p, x, y)
    for a, b in (("float32", "int32"), ("float64", "uint64"), ("bfloat16", "int16"), ("float16", "uint16"),
                 ("int32", "uint32"), ("float64", "int32"), ("int8", "uint32")):
        count = 8 // dtype(b).itemsize
        shape = (6, 8 // dtype(a).itemsize)
        program(f"bitcast_{a}_{b}", lambda x, b=b: lax.bitcast_convert_type(x, dtype(b)),
                draw(rng, shape, a) if dtype(a).itemsize != 1 else draw(rng, (6, 2, 4), a))


def movement(rng):
    for name in ALL:
        x = draw(rng, (3, 4, 5), name)
        one, counted = dtype(name).type(1), dtype(name if name != "bool" else "int32")
        program(f"movement_{name}", lambda x, one=one, counted=counted: (
            lax.transpose(x, (2, 0, 1)), lax.rev(x, (0, 2)), lax.slice(x, (1, 0, 1), (3, 4, 5), (1, 2, 3)),
            lax.reshape(x, (5, 12)), lax.broadcast_in_dim(x, (2, 3, 4, 1, 5), (1, 2, 4)),
            lax.concatenate([x, x[:, :2]], 1), lax.pad(x, one, ((1, -1, 1), (-2, 3, 0), (2, -7, 2))),
            lax.pad(x, one, ((-1, -1, 0), (0, 0, 3), (-3, 1, 1))),
            lax.iota(counted, 7)), x)
    x = draw(rng, (6, 7), "float32")
    for kind in ("int32", "int64", "uint32", "uint64", "int8", "uint8"):
        limits = np.iinfo(kind)
        for at in sorted({max(-9, limits.min), max(-1, limits.min), 0, 3, 6, 9, 127, limits.max}):
            program(f"dynamic_slice_{kind}_{at}", lambda x, i: (
                lax.dynamic_slice_p.bind(x, i, i, slice_sizes=(2, 3)),
                lax.dynamic_update_slice_p.bind(x, x[:2, :3] * 2, i, i)), x, dtype(kind).type(at))


GATHERS = [  # operand, indices, (offset, collapsed, map, operand batching, indices batching), sizes
    ((5, 6), (4, 1), ((1,), (0,), (0,), (), ()), (1, 6)),
    ((5, 6), (4, 1), ((1,), (0,), (0,), (), ()), (1, 3)),
    ((5, 6), (3, 2, 2), ((), (0, 1), (0, 1), (), ()), (1, 1)),
    ((5, 6), (3, 2, 2), ((), (0, 1), (1, 0), (), ()), (1, 1)),
    ((5, 6), (3, 2), ((0, 2), (), (1, 0), (), ()), (2, 3)),
    ((5, 6, 7), (4, 3, 2), ((1, 3), (1,), (0, 2), (), ()), (2, 1, 3)),
    ((3, 5, 6), (3, 4, 1), ((2,), (1,), (1,), (0,), (0,)), (1, 1, 4)),
    ((5, 3, 6), (4, 3, 1), ((2,), (0,), (0,), (1,), (1,)), (1, 1, 6)),
    ((2, 5, 3, 6), (3, 4, 2, 2), ((), (1, 3), (3, 1), (0, 2), (2, 0)), (1, 1, 1, 1)),
]

SCATTERS = [  # operand, indices, updates, (window, inserted, map, operand batching, indices batching)
    ((5, 6), (4, 1), (4, 6), ((1,), (0,), (0,), (), ())),
    ((5, 6), (3, 2, 2), (3, 2), ((), (0, 1), (0, 1), (), ())),
    ((5, 6), (3, 2, 2), (3, 2), ((), (0, 1), (1, 0), (), ())),
    ((5, 6), (4, 1), (6, 4), ((0,), (0,), (0,), (), ())),
    ((3, 5, 6), (3, 4, 1), (3, 4, 6), ((2,), (1,), (1,), (0,), (0,))),
    ((5, 3, 6), (4, 3, 1), (4, 3, 6), ((2,), (0,), (0,), (1,), (1,))),
    ((2, 5, 3, 6), (3, 4, 2, 2), (3, 4, 2), ((), (1, 3), (3, 1), (0, 2), (2, 0))),
]


def indexing(rng):
    for k, (operand, indices, numbers, sizes) in enumerate(GATHERS):
        dims = lax.GatherDimensionNumbers(*numbers)
        for kind in ("int32", "int64", "uint8"):
            i = rng.integers(0 if kind == "uint8" else -3, 9, indices).astype(kind)
            program(f"gather_{k}_{kind}", lambda x, i, dims=dims, sizes=sizes: lax.gather(
                x, i, dims, sizes, mode=lax.GatherScatterMode.CLIP), draw(rng, operand, "float32"), i)
        i = rng.integers(-3, 9, indices).astype("int32")
        program(f"gather_fill_{k}", lambda x, i, dims=dims, sizes=sizes: lax.gather(
            x, i, dims, sizes, mode=lax.GatherScatterMode.FILL_OR_DROP), draw(rng, operand, "int16"), i)
    for k, (operand, indices, updates, numbers) in enumerate(SCATTERS):
        dims = lax.ScatterDimensionNumbers(*numbers)
        for name in ("float64", "int32", "uint8"):
            for verb in ("add", "min", "max", "mul", ""):
                f = getattr(lax, f"scatter_{verb}" if verb else "scatter")
                n_different = 1 if verb else 0
                i = rng.integers(-2, 8, indices).astype("int32")
                if not n_different:  # the last of equal indices is not specified
                    i = unique_indices(rng, operand, indices, numbers)
                program(f"scatter_{verb or 'set'}_{k}_{name}", lambda x, i, u, f=f, dims=dims: f(
                    x, i, u, dims, mode=lax.GatherScatterMode.FILL_OR_DROP),
                        draw(rng, operand, name), i, draw(rng, updates, name), ulps=4 if name == "float64" else 0,
                        atol=1e-13)
    x = draw(rng, (4, 5, 6), "float32")
    program("indexed_updates", lambda x: (x.at[1, 2].set(7), x.at[:, 1:3].add(1), x.at[..., -1].multiply(2),
                                          x.at[2:4, ::2].min(0), x[jnp.array([0, 3, -1]), :, jnp.array([1, 2, 5])],
                                          jnp.take_along_axis(x, jnp.argsort(x, 1), 1)), x)


def unique_indices(rng, operand, indices, numbers):
    """Index vectors that differ within each batch of `indices`, some outside."""
    _, _, mapped, _, batching = numbers
    out = np.zeros(indices, "int32")
    batch_axes = [a for a in range(len(indices) - 1) if a in batching]
    free_axes = [a for a in range(len(indices) - 1) if a not in batching]
    for at in np.ndindex(*(indices[a] for a in batch_axes)):
        spaces = list(itertools.product(*(range(-1, operand[d] + 1) for d in mapped)))
        picked = rng.permutation(len(spaces))
        for n, free in enumerate(np.ndindex(*(indices[a] for a in free_axes))):
            where = [0] * (len(indices) - 1)
            for a, v in list(zip(batch_axes, at)) + list(zip(free_axes, free)):
                where[a] = v
            out[tuple(where)] = spaces[picked[n]]
    return out


CONVOLUTIONS = [  # lhs, rhs, strides, padding, lhs dilation, rhs dilation, numbers, feature groups, batch groups
    ((2, 3, 9), (4, 3, 3), (1,), [(0, 0)], (1,), (1,), ("NCH", "OIH", "NCH"), 1, 1),
    ((2, 3, 9, 8), (4, 3, 3, 2), (2, 1), [(1, 2), (0, 1)], (1, 1), (2, 1), ("NCHW", "OIHW", "NCHW"), 1, 1),
    ((2, 9, 8, 4), (3, 2, 2, 6), (1, 2), [(2, 1), (1, 1)], (2, 3), (1, 2), ("NHWC", "HWIO", "NHWC"), 2, 1),
    ((2, 9, 8, 4), (3, 2, 1, 4), (1, 1), [(1, 1), (1, 0)], (1, 1), (1, 1), ("NHWC", "HWIO", "NHWC"), 4, 1),
    ((6, 9, 8, 2), (3, 3, 2, 3), (1, 1), [(0, 0), (0, 0)], (1, 1), (1, 1), ("NHWC", "HWIO", "NHWC"), 1, 3),
    ((2, 9, 8, 4), (3, 2, 4, 6), (1, 1), [(-1, -2), (-1, 2)], (1, 1), (1, 1), ("NHWC", "HWIO", "NCHW"), 1, 1),
    ((4, 9, 2, 3), (5, 3, 4, 2), (2, 2), [(3, 3), (0, 0)], (1, 2), (2, 1), ("CHNW", "OHIW", "WNCH"), 1, 1),
    ((2, 3, 4, 5, 6), (4, 3, 2, 2, 2), (1, 2, 1), [(0, 1), (1, 0), (0, 0)], (1, 1, 2), (1, 2, 1),
     ("NCDHW", "OIDHW", "NCDHW"), 1, 1),
    ((3, 4), (4, 5), (), [], (), (), ("NC", "IO", "NC"), 1, 1),
]

DOTS = [  # lhs, rhs, contracting, batching
    ((3, 4), (4, 5), ((1,), (0,)), ((), ())),
    ((4, 3), (5, 4), ((0,), (1,)), ((), ())),
    ((4,), (4,), ((0,), (0,)), ((), ())),
    ((2, 3, 4), (2, 5, 4), ((2,), (2,)), ((0,), (0,))),
    ((3, 2, 4, 6), (6, 5, 4, 2), ((2, 3), (2, 0)), ((1,), (3,))),
    ((2, 3, 4), (3, 2, 5), ((), ()), ((0, 1), (1, 0))),
    ((3,), (4,), ((), ()), ((), ())),
    ((3, 0), (0, 5), ((1,), (0,)), ((), ())),
]


def contractions(rng):
    for name in ("float64", "float32", "bfloat16", "float16", "int32", "uint8", "int64"):
        error = float(ml_dtypes.finfo(dtype(name)).eps) * 300 if name in FLOATS else 0
        for k, (a, b, contracting, batching) in enumerate(DOTS):
            program(f"dot_{k}_{name}", lambda x, y, c=contracting, n=batching: lax.dot_general(x, y, (c, n)),
                    draw(rng, a, name), draw(rng, b, name), atol=error, ulps=2)
        for k, c in enumerate(CONVOLUTIONS):
            if name not in ("float64", "float32", "int32"):
                continue
            program(f"convolution_{k}_{name}", lambda x, y, c=c: lax.conv_general_dilated(
                x, y, c[2], c[3], c[4], c[5], c[6], c[7], c[8]), draw(rng, c[0], name), draw(rng, c[1], name),
                    atol=error, ulps=2)
    program("dot_mixed", lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())),
                                                      preferred_element_type=np.int32),
            draw(rng, (3, 4), "int8"), draw(rng, (4, 5), "int8"))
    for k, c in list(enumerate(CONVOLUTIONS))[:8]:  # transposes of convolutions reverse windows
        x, w = draw(rng, c[0], "float64"), draw(rng, c[1], "float64")
        program(f"convolution_gradient_{k}", lambda x, w, c=c: jax.grad(lambda x, w: jnp.sum(jnp.sin(
            lax.conv_general_dilated(x, w, c[2], c[3], c[4], c[5], c[6], c[7], c[8]))), (0, 1))(x, w), x, w, atol=1e-11)


WINDOWS = [  # operand, window, strides, padding, base dilation, window dilation
    ((9,), (3,), (2,), [(0, 0)], (1,), (1,)),
    ((6, 7), (2, 3), (1, 2), [(1, 0), (2, 2)], (1, 1), (1, 1)),
    ((6, 7), (2, 3), (2, 1), [(1, 3), (0, 2)], (2, 1), (3, 2)),
    ((6, 7), (2, 3), (1, 1), [(-1, -2), (3, -1)], (1, 3), (1, 1)),
    ((3, 70), (1, 70), (1, 1), [(0, 0), (69, 0)], (1, 1), (1, 1)),  # long ones: scans
    ((70, 3), (70, 1), (1, 1), [(0, 69), (0, 0)], (1, 1), (1, 1)),
    ((70, 3), (11, 1), (1, 1), [(5, 5), (0, 0)], (1, 1), (1, 1)),
    ((40,), (30,), (1,), [(-3, 20)], (1,), (1,)),
]


def reductions(rng):
    for name in ALL:
        x = draw(rng, (4, 5, 6), name)
        if name in FLOATS:
            x[0, 0, 0], x[1, 2, 3] = np.nan, -0.0
        program(f"reduce_{name}", lambda x: tuple(f(x, axis) for f in (jnp.max, jnp.min)
                                                  for axis in ((0,), (1, 2), (0, 1, 2), ())), x)
        program(f"argmax_{name}", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0)), x)
        program(f"sort_{name}", lambda x: (lax.sort(x, dimension=1), *lax.sort((x, jnp.broadcast_to(
            jnp.arange(6), x.shape)), dimension=2, is_stable=True, num_keys=1)), x)
        y = draw(rng, (4, 5, 6), name)
        if name != "bool":
            error = float(ml_dtypes.finfo(dtype(name)).eps) * 300 if name in FLOATS else 0
            program(f"sum_{name}", lambda x: tuple(f(x, axis) for f in (lambda x, a: jnp.sum(x, a, dtype=x.dtype),)
                                                   for axis in ((0,), (1, 2), (0, 1, 2))), y, atol=error, ulps=4)
            program(f"product_{name}", lambda x: jnp.prod(x, 1, dtype=x.dtype), y, ulps=16)
    program("any_all", lambda x: (jnp.any(x, 0), jnp.all(x, 1)), draw(rng, (4, 5), "bool"))
    for k, (operand, window, strides, padding, base, dilation) in enumerate(WINDOWS):
        for name in ("float32", "int32", "uint8", "bfloat16"):
            x = draw(rng, operand, name)
            kind = dtype(name)
            lowest = -np.inf if name in FLOATS else np.iinfo(kind).min
            program(f"reduce_window_{k}_{name}", lambda x, w=(window, strides, padding, base, dilation), kind=kind,
                    lowest=lowest: (lax.reduce_window(x, kind.type(lowest), lax.max, *w),
                                    lax.reduce_window(x, kind.type(0), lax.add, *w)), x, ulps=4, atol=float(ml_dtypes.finfo(kind).eps) * 60 if name in FLOATS else 0)
    for k, (operand, window, strides, padding) in enumerate((((9,), (3,), (2,), "VALID"), ((6, 7), (2, 3), (1, 2), "SAME"),
                                                             ((6, 7), (3, 3), (1, 1), "SAME"))):
        def pooled(x, window=window, strides=strides, padding=padding):
            return lax.reduce_window(x, -jnp.inf, lax.max, window, strides, padding)
        program(f"select_and_scatter_{k}", lambda x, f=pooled: jax.grad(lambda x: jnp.sum(jnp.sin(f(x))))(x),
                draw(rng, operand, "float64"), atol=1e-14)
        ties = rng.integers(0, 2, operand).astype("float64")
        program(f"select_and_scatter_ties_{k}", lambda x, f=pooled: jax.grad(lambda x: jnp.sum(f(x)))(x), ties)
    x = draw(rng, (4, 9), "float64")
    program("cumulative", lambda x: (jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 1), lax.cumlogsumexp(x, 0)), x,
            atol=1e-12, ulps=8)
    x = draw(rng, (2, 300, 3), "float64")
    program("cumulative_long", lambda x: tuple(f(x, 1, reverse=r) for f in (lax.cumsum, lax.cummax, lax.cummin, lax.cumlogsumexp)
                                               for r in (False, True)), x, atol=1e-11, ulps=8)
    program("cumulative_gradient", lambda x: jax.grad(lambda x: jnp.sum(jnp.cumsum(x, 1) ** 2))(x), x, atol=1e-10, ulps=8)


def programs(rng):
    key = jax.random.PRNGKey(7)
    program("threefry", lambda k: (jax.random.bits(k, (5, 7)), jax.random.uniform(k, (9,)), jax.random.split(k, 3),
                                   jax.random.bits(k, (3,), dtype=np.uint64), jax.random.bits(k, (5,), dtype=np.uint8),
                                   jax.random.randint(k, (6,), -5, 50), jax.random.permutation(k, 11)), np.asarray(key))
    program("random_normal", lambda k: (jax.random.normal(k, (50,)), jax.random.normal(k, (50,), dtype=np.float32)),
            np.asarray(key), ulps=64, atol=1e-6)
    program("chlo_f64", lambda x: (lax.erf(x), lax.erfc(x), jnp.arcsinh(x), jnp.arctan(x), jnp.sinh(x), jnp.cosh(x)),
            draw(rng, 200, "float64"), ulps=16, atol=1e-15)
    program("chlo_unit_f64", lambda x: (lax.erf_inv(x), jnp.arcsin(x), jnp.arccos(x), jnp.arctanh(x), lax.square(x)),
            draw(rng, 200, "float64", -0.99, 0.99), ulps=64, atol=1e-15)
    program("chlo_f32", lambda x: (lax.erf(x), lax.erfc(x), jnp.arcsinh(x), jnp.arctan(x), jnp.sinh(x), jnp.cosh(x)),
            draw(rng, 200, "float32"), ulps=16, atol=1e-7)
    program("top_k", lambda x: lax.top_k(x, 3), rng.permutation(40).reshape(5, 8).astype("float32"))
    x = draw(rng, (4, 5), "float64")
    program("while", lambda x: lax.while_loop(lambda c: jnp.sum(c[0]) < 100, lambda c: (c[0] * 1.5 + 1, c[1] + 1),
                                              (jnp.abs(x), 0)), x, ulps=4)
    program("scan", lambda x: lax.scan(lambda c, r: (jnp.tanh(c + r), c), jnp.zeros(5), x), x, ulps=16)
    for at in (-5, 0, 1, 2, 9):
        program(f"switch_{at}", lambda i, x: lax.switch(i, [lambda x: x, lambda x: x * 2, lambda x: -x], x),
                np.int32(at), x)
    program("cond", lambda p, x: lax.cond(p, lambda x: x + 1, lambda x: x - 1, x), np.bool_(True), x)
    w, b, y = draw(rng, (5, 3), "float64"), draw(rng, (3,), "float64"), rng.integers(0, 3, 4)

    def loss(w, b, x):
        logits = jnp.tanh(x @ w + b)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))

    program("training_step", lambda w, b, x: jax.value_and_grad(loss, (0, 1))(w, b, x), w, b, x, ulps=64, atol=1e-14)
    program("layer_norm", lambda x: (x - x.mean(1, keepdims=True)) / jnp.sqrt(x.var(1, keepdims=True) + 1e-5), x,
            ulps=64, atol=1e-14)


# ---- comparing ----


def ulp_size(kind, x):
    """Distance to the next number of the format."""
    info = ml_dtypes.finfo(kind)
    exponent = np.floor(np.log2(np.maximum(np.abs(x), float(info.smallest_normal))))
    return np.exp2(exponent) * float(info.eps)


def flush(x, kind):
    """XLA's CPU code takes subnormal numbers for zero."""
    wide = x.astype("float64")
    return np.where(np.abs(wide) < float(ml_dtypes.finfo(kind).smallest_normal), np.copysign(0.0, wide), wide)


def difference(got, want, ulps, atol):
    """A sentence, or None."""
    if got.dtype.kind == "V":
        got = got.view(ml_dtypes.bfloat16)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if want.dtype.kind in "biu":
        wrong = got != want
    else:
        g, w = (flush(x, want.dtype) for x in (got, want))
        with np.errstate(all="ignore"):
            close = np.abs(g - w) <= atol + ulps * ulp_size(want.dtype, w)
        same = (g == w) & (np.signbit(g) == np.signbit(w))
        wrong = ~(same | (np.isnan(g) & np.isnan(w)) | (close & bool(ulps or atol)))
    if not wrong.any():
        return None
    at = tuple(np.argwhere(wrong)[0])
    return f"{wrong.sum()} of {wrong.size} differ; at {tuple(map(int, at))} {got[at]!r} instead of {want[at]!r}"


def run(tool, device, folder, name):
    function, args, ulps, atol = PROGRAMS[name]
    jitted = jax.jit(function)
    try:
        text = jitted.lower(*args).as_text()
        want = jax.tree.leaves(jitted(*args))
    except (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        return [f"JAX: {error}"]
    (folder / f"{name}.mlir").write_text(text)
    inputs, outputs = folder / f"{name}.in.npz", folder / f"{name}.out.npz"
    np.savez(inputs, **{f"arg{i}": np.asarray(a) for i, a in enumerate(args)})
    done = subprocess.run([tool, f"--device={device}", "--quiet", f"--inputs={inputs}", f"--outputs={outputs}",
                           str(folder / f"{name}.mlir")], capture_output=True, text=True)
    if done.returncode != 0:
        return [f"exit status {done.returncode}: {done.stderr.strip()[:300]}"]
    results = np.load(outputs)
    found = [difference(results[f"res{i}"], np.asarray(w), ulps, atol) for i, w in enumerate(want)]
    return [f"result {i}: {problem}" for i, problem in enumerate(found) if problem]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("--only", default="")
    parser.add_argument("--device", default="interpreter")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="folder that programs, inputs and outputs stay in")
    settings = parser.parse_args()
    rng = np.random.default_rng(settings.seed)
    for make in (elementwise, movement, indexing, contractions, reductions, programs):
        make(rng)
    tool = str(pathlib.Path(settings.build) / "bin" / "echo-run")
    names = [name for name in PROGRAMS if settings.only in name]
    n_failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(settings.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            problems = run(tool, settings.device, folder, name)
            n_failed += bool(problems)
            for problem in problems:
                print(f"FAIL {name}: {problem}", flush=True)
    print(f"{len(names) - n_failed} programs agree, {n_failed} do not")
    sys.exit(n_failed != 0)


if __name__ == "__main__":
    main()
