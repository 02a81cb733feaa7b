# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Further kinds for kinds.py: single operations and small blocks as published packages have them (convolutions in every layout, normalisations, positions,
losses, optimizers, movements, halves). `add(case, gradient)` names them all."""
import jax
import jax.numpy as jnp
import numpy
from jax import lax

DRAWN = numpy.random.default_rng(1)


def normal(*shape):
    return DRAWN.standard_normal(shape).astype("float32")


def below(limit, *shape):
    return DRAWN.integers(0, limit, shape).astype("int32")


def half(function):
    """The same in bf16, results too."""
    def of_halves(*arguments):
        given = [a.astype(jnp.bfloat16) if jnp.issubdtype(a.dtype, jnp.floating) else a for a in arguments]
        return function(*given)
    return of_halves


def convolution(layout, stride=1, groups=1, dilated=1, padding="SAME"):
    spatial = len(layout) - 2
    kernel = {"NHWC": "HWIO", "NCHW": "OIHW", "NWC": "WIO", "NCW": "OIW", "NDHWC": "DHWIO"}[layout]
    return lambda x, k: lax.conv_general_dilated(x, k, (stride,) * spatial, padding, rhs_dilation=(dilated,) * spatial, dimension_numbers=(layout, kernel, layout), feature_group_count=groups)


def transposed_convolution(x, k):
    return lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def group_norm(x, scale, shift):
    n, h, w, c = x.shape
    y = x.reshape(n, h, w, 8, c // 8)
    y = (y - y.mean((1, 2, 4), keepdims=True)) * lax.rsqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)
    return y.reshape(x.shape) * scale + shift


def rms_norm(x, scale):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale


def rotary(x):
    angles = jnp.arange(x.shape[1])[:, None] * 10000.0 ** (-jnp.arange(0, x.shape[-1] // 2) / (x.shape[-1] // 2))
    a, b = jnp.split(x, 2, -1)
    cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def masked_softmax(x):
    t = x.shape[-1]
    mask = jnp.tril(jnp.ones((t, t), bool))
    return jax.nn.softmax(jnp.where(mask, x, -1e30))


def alibi(x):
    t, h = x.shape[-1], x.shape[1]
    slopes = 2.0 ** (-8 * jnp.arange(1, h + 1) / h)
    return jax.nn.softmax(x + slopes[:, None, None] * (jnp.arange(t)[None] - jnp.arange(t)[:, None]))


def dropout(kind):
    def of(key, x):
        key = jax.random.wrap_key_data(key, impl=kind)
        return jnp.where(jax.random.bernoulli(key, 0.9, x.shape), x / 0.9, 0)
    return of


def clipped(*gradients):
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in gradients))
    return tuple(g * jnp.minimum(1, 1 / norm) for g in gradients)


def lion(p, g, m):
    return p - 1e-3 * jnp.sign(0.9 * m + 0.1 * g), 0.99 * m + 0.01 * g


def adafactor(p, g, r, c):
    s = g * g + 1e-30
    r, c = 0.9 * r + 0.1 * s.mean(1), 0.9 * c + 0.1 * s.mean(0)
    u = g * lax.rsqrt(r / r.mean())[:, None] * lax.rsqrt(c)[None]
    return p - 1e-3 * u / jnp.maximum(1, jnp.sqrt((u * u).mean())), r, c


def muon(g):
    x = g / jnp.linalg.norm(g)
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return x


def shampoo(g, l, r):
    return l + g @ g.T, r + g.T @ g


def window(init, op, size, stride, padding="SAME"):
    return lambda x: lax.reduce_window(x, init, op, (1, size, size, 1), (1, stride, stride, 1), padding)


def bilinear(x):
    return jax.image.resize(x, (x.shape[0], 2 * x.shape[1], 2 * x.shape[2], x.shape[3]), "bilinear")


def add_convolutions(case, gradient):
    for name, function, x, k in (
            ("NCHW 3x3", convolution("NCHW"), (8, 32, 28, 28), (32, 32, 3, 3)), ("NCHW depthwise 3x3", convolution("NCHW", groups=64), (8, 64, 28, 28), (64, 1, 3, 3)),
            ("NHWC 3x3 dilated by 2", convolution("NHWC", dilated=2), (8, 28, 28, 32), (3, 3, 32, 32)), ("NHWC 5x5", convolution("NHWC"), (8, 28, 28, 16), (5, 5, 16, 32)),
            ("NHWC 7x7/2 of 3", convolution("NHWC", 2), (4, 112, 112, 3), (7, 7, 3, 64)), ("1-D 5 of 64", convolution("NWC"), (8, 512, 64), (5, 64, 64)),
            ("1-D causal 4, depthwise", convolution("NWC", groups=128, padding=[(3, 0)]), (8, 512, 128), (4, 1, 128)), ("1-D dilated by 8", convolution("NWC", dilated=8), (4, 1024, 32), (3, 32, 32)),
            ("1-D NCW 3", convolution("NCW"), (8, 64, 512), (64, 64, 3)), ("3-D 3x3x3", convolution("NDHWC"), (2, 12, 24, 24, 16), (3, 3, 3, 16, 16)),
            ("transposed 4x4/2", transposed_convolution, (8, 14, 14, 64), (4, 4, 64, 32)), ("patches of 4x4", convolution("NHWC", 4), (8, 56, 56, 3), (4, 4, 3, 96))):
        case(f"convolution {name}", function, normal(*x), normal(*k))
        case(f"convolution {name}, gradient", gradient(function), normal(*x), normal(*k))


def add_norms(case, gradient):
    case("group norm 8x28x28x64, gradient", gradient(group_norm), normal(8, 28, 28, 64), normal(64), normal(64))
    case("rms norm 2048x512, gradient", gradient(rms_norm), normal(2048, 512), normal(512))
    case("batch norm NCHW 16x64x28x28, gradient", gradient(lambda x: (x - x.mean((0, 2, 3), keepdims=True)) * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)), normal(16, 64, 28, 28))
    for name, function in (("silu", jax.nn.silu), ("gelu, exact", lambda x: jax.nn.gelu(x, approximate=False)), ("softplus", jax.nn.softplus), ("elu", jax.nn.elu), ("mish", jax.nn.mish), ("log_sigmoid", jax.nn.log_sigmoid)):
        case(f"{name} 1000x1000, gradient", gradient(function), normal(1000, 1000))
    case("softmax, causal mask 8x4x128x128, gradient", gradient(masked_softmax), normal(8, 4, 128, 128))
    case("softmax, ALiBi 8x8x128x128", alibi, normal(8, 8, 128, 128))
    case("logsumexp 1024x1024, gradient", gradient(lambda x: jax.nn.logsumexp(x, -1)), normal(1024, 1024))
    case("logsumexp of columns 1024x1024", lambda x: jax.nn.logsumexp(x, 0), normal(1024, 1024))


def add_prefixes(case, gradient):
    case("cumsum of columns 1000x1000", lambda x: jnp.cumsum(x, 0), normal(1000, 1000))
    case("cumsum 1000x1000, gradient", gradient(lambda x: jnp.cumsum(x, 1)), normal(1000, 1000))
    case("cumlogsumexp 256x512", lambda x: lax.cumlogsumexp(x, 1), normal(256, 512))
    case("cumprod 256x512, gradient", gradient(lambda x: jnp.cumprod(x, 1)), normal(256, 512))
    case("cummax 256x512", lambda x: lax.cummax(x, 1), normal(256, 512))
    case("sort with indices 128x1000", lambda x: lax.sort((x, jnp.broadcast_to(jnp.arange(1000), x.shape)), dimension=1, num_keys=1), normal(128, 1000))
    case("argsort of 20000", jnp.argsort, normal(20000))
    case("unique counts: bincount 100000 to 100", lambda i: jnp.bincount(i, length=100), below(100, 100000))
    case("top 50 of 64x5000", lambda x: lax.top_k(x, 50), normal(64, 5000))
    case("median of rows 256x999", lambda x: jnp.median(x, 1), normal(256, 999))
    case("searchsorted 10000 in 1000", lambda a, v: jnp.searchsorted(jnp.sort(a), v), normal(1000), normal(10000))


def add_movements(case, gradient):
    case("one-hot 4096x1000", lambda i: jax.nn.one_hot(i, 1000), below(1000, 4096))
    case("embedding 30000x128, 4096 rows", lambda t, i: t[i], normal(30000, 128), below(30000, 4096))
    case("embedding 30000x128, 4096 rows, gradient", lambda t, i: jax.grad(lambda t: (t[i] ** 2).sum())(t), normal(30000, 128), below(30000, 4096))
    case("segment max 50000x16 to 5000", lambda x, i: jax.ops.segment_max(x, i, 5000), normal(50000, 16), below(5000, 50000))
    case("segment softmax 50000 to 5000", lambda x, i: jnp.exp(x - jax.ops.segment_max(x, i, 5000)[i]) / jax.ops.segment_sum(jnp.exp(x - jax.ops.segment_max(x, i, 5000)[i]), i, 5000)[i], normal(50000), below(5000, 50000))
    case("roll 1000x1000 by 3, 5", lambda x: jnp.roll(x, (3, 5), (0, 1)), normal(1000, 1000))
    case("shifted windows 8x56x56x32", lambda x: jnp.roll(x, (-3, -3), (1, 2)).reshape(8, 8, 7, 8, 7, 32).transpose(0, 1, 3, 2, 4, 5), normal(8, 56, 56, 32))
    case("repeat rows 1000x100 by 10", lambda x: jnp.repeat(x, 10, 0), normal(1000, 100))
    case("repeat columns 1000x100 by 10", lambda x: jnp.repeat(x, 10, 1), normal(1000, 100))
    case("tile 1000x100 by 1x10", lambda x: jnp.tile(x, (1, 10)), normal(1000, 100))
    case("flip 1000x1000", lambda x: x[:, ::-1], normal(1000, 1000))
    case("bilinear 8x32x32x16 by 2", bilinear, normal(8, 32, 32, 16))
    case("bilinear 8x32x32x16 by 2, gradient", gradient(bilinear), normal(8, 32, 32, 16))
    case("pixel shuffle 8x32x32x64", lambda x: x.reshape(8, 32, 32, 2, 2, 16).transpose(0, 1, 3, 2, 4, 5).reshape(8, 64, 64, 16), normal(8, 32, 32, 64))
    case("NHWC to NCHW 16x56x56x64", lambda x: x.transpose(0, 3, 1, 2), normal(16, 56, 56, 64))
    case("upper triangle of 500", lambda x: x[jnp.triu_indices(500)], normal(500, 500))
    case("take along axis 4096x256", lambda x, i: jnp.take_along_axis(x, i, 1), normal(4096, 256), below(256, 4096, 256))
    case("patches 3x3 of 8x28x28x16", lambda x: lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), normal(8, 28, 28, 16))
    case("rotary 4x256x8x64", rotary, normal(4, 256, 8, 64))
    case("rotary 4x256x8x64, gradient", gradient(rotary), normal(4, 256, 8, 64))
    for kind, words in (("threefry2x32", 2), ("rbg", 4)):
        case(f"dropout 1000x1000, {kind}", dropout(kind), numpy.arange(1, words + 1, dtype="uint32"), normal(1000, 1000))
    case("categorical 4096x128", lambda k, x: jax.random.categorical(jax.random.wrap_key_data(k), x), numpy.array([1, 2], "uint32"), normal(4096, 128))
    case("permutation of 50000", lambda k: jax.random.permutation(jax.random.wrap_key_data(k), 50000), numpy.array([1, 2], "uint32"))


def add_windows(case, gradient):
    for layout_name, x in (("8x56x56x32", normal(8, 56, 56, 32)),):
        case(f"max pool 3x3/2 {layout_name}", window(-jnp.inf, lax.max, 3, 2), x)
        case(f"max pool 3x3/2 {layout_name}, gradient", gradient(window(-jnp.inf, lax.max, 3, 2)), x)
        case(f"average pool 3x3/1 {layout_name}", window(0.0, lax.add, 3, 1), x)
        case(f"average pool 2x2/2 {layout_name}, gradient", gradient(window(0.0, lax.add, 2, 2)), x)
    nchw = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    case("max pool NCHW 2x2 8x32x56x56", nchw, normal(8, 32, 56, 56))
    case("max pool NCHW 2x2 8x32x56x56, gradient", gradient(nchw), normal(8, 32, 56, 56))
    case("global average 16x14x14x512", lambda x: x.mean((1, 2)), normal(16, 14, 14, 512))


def add_optimizers(case, gradient):
    shapes = (784, 256), (256,), (256, 256), (256,), (256, 10), (10,)
    case("clip by global norm", clipped, *(normal(*s) for s in shapes))
    case("Lion 1000x1000", lion, *(normal(1000, 1000) for _ in range(3)))
    case("Adafactor 1000x1000", adafactor, normal(1000, 1000), normal(1000, 1000), numpy.abs(normal(1000)), numpy.abs(normal(1000)))
    case("Muon 256x512", muon, normal(256, 512))
    case("Shampoo statistics 512x256", shampoo, normal(512, 256), normal(512, 512), normal(256, 256))
    case("SGD with momentum 1000x1000", lambda p, g, m: (p - 0.1 * (0.9 * m + g), 0.9 * m + g), *(normal(1000, 1000) for _ in range(3)))
    case("exponential average 1000x1000", lambda a, p: 0.999 * a + 0.001 * p, normal(1000, 1000), normal(1000, 1000))


def add_halves(case, gradient):
    case("bf16 product 256x512x512", half(lambda a, b: a @ b), normal(256, 512), normal(512, 512))
    case("bf16 product 16x512x512", half(lambda a, b: a @ b), normal(16, 512), normal(512, 512))
    case("bf16 softmax 512x1000", half(jax.nn.softmax), normal(512, 1000))
    case("bf16 gelu 1000x1000", half(jax.nn.gelu), normal(1000, 1000))
    case("bf16 silu 1000x1000", half(jax.nn.silu), normal(1000, 1000))
    case("bf16 layer norm 1024x512", half(lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)), normal(1024, 512))
    case("bf16 convolution 3x3 8x28x28x32", half(convolution("NHWC")), normal(8, 28, 28, 32), normal(3, 3, 32, 32))
    case("bf16 depthwise 3x3 8x28x28x64", half(convolution("NHWC", groups=64)), normal(8, 28, 28, 64), normal(3, 3, 1, 64))
    case("bf16 transpose 1000x1000", half(lambda x: x.T), normal(1000, 1000))
    case("bf16 sum of rows 4096x256", half(lambda x: x.sum(1)), normal(4096, 256))
    case("bf16 rotary 4x256x8x64", half(rotary), normal(4, 256, 8, 64))
    case("f16 product 256x512x512", lambda a, b: a.astype("float16") @ b.astype("float16"), normal(256, 512), normal(512, 512))


def add(case, gradient):
    for part in (add_convolutions, add_norms, add_prefixes, add_movements, add_windows, add_optimizers, add_halves):
        part(case, gradient)
