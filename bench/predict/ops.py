#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ops.py FOLDER: writes programs of one kernel each, small, middling and beyond the cache, for run.py: what the rates of a device model are
held against, kind by kind."""
import pathlib
import sys


def tensor(shape, type="f32"):
    return "tensor<" + "".join(f"{n}x" for n in shape) + type + ">"


def function(arguments, result, lines):
    """`lines` name their arguments %a0, %a1 … and end in %r, of type `result`."""
    heads = ", ".join(f"%a{i}: {t}" for i, t in enumerate(arguments))
    return f"func.func @main({heads}) -> {result} {{\n" + "".join(f"  {line}\n" for line in lines) + f"  return %r : {result}\n}}\n"


def unary(op, shape, type="f32"):
    t = tensor(shape, type)
    return function([t], t, [f"%b = stablehlo.abs %a0 : {t}", f"%r = stablehlo.{op} %b : {t}"])


def binary(op, shape, type="f32"):
    t = tensor(shape, type)
    return function([t, t], t, [f"%b = stablehlo.abs %a0 : {t}", f"%r = stablehlo.{op} %b, %a1 : {t}"])


def transpose(shape, permutation):
    t, r = tensor(shape), tensor([shape[d] for d in permutation])
    return function([t], r, [f"%r = stablehlo.transpose %a0, dims = {permutation} : ({t}) -> {r}"])


def reduction(shape, dimensions, op="add", type="f32"):
    t, r, s = tensor(shape, type), tensor([n for d, n in enumerate(shape) if d not in dimensions], type), tensor([], type)
    return function([t], r, [f"%c = stablehlo.constant dense<0.0> : {s}",
                             f"%r = stablehlo.reduce(%a0 init: %c) applies stablehlo.{op} across dimensions = {dimensions} : ({t}, {s}) -> {r}"])


def product(lhs, rhs, contracting, batching=None, type="f32"):
    batch = len(batching[0]) if batching else 0
    free = [n for d, n in enumerate(lhs) if d != contracting[0] and d >= batch], [n for d, n in enumerate(rhs) if d != contracting[1] and d >= batch]
    a, b, r = tensor(lhs, type), tensor(rhs, type), tensor(lhs[:batch] + free[0] + free[1], type)
    dims = (f"batching_dims = {batching[0]} x {batching[1]}, " if batching else "") + f"contracting_dims = [{contracting[0]}] x [{contracting[1]}]"
    return function([a, b], r, [f"%r = stablehlo.dot_general %a0, %a1, {dims} : ({a}, {b}) -> {r}"])


def convolution(x, k, stride=1, groups=1):
    out = [x[0], -(-x[1] // stride), -(-x[2] // stride), k[3]]
    pads = [max(0, (out[d] - 1) * stride + k[d - 1] - x[d]) for d in (1, 2)]
    pad = ", ".join(f"[{p // 2}, {p - p // 2}]" for p in pads)
    a, b, r = tensor(x), tensor(k), tensor(out)
    return function([a, b], r, [f"%r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{stride = [{stride}, {stride}], "
                                f"pad = [{pad}]}} {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({a}, {b}) -> {r}"])


def windows(shape, window, op="maximum"):
    out = [n // w for n, w in zip(shape, window)]
    t, r, s = tensor(shape), tensor(out), tensor([])
    return function([t], r, [f"%c = stablehlo.constant dense<0.0> : {s}", f'%r = "stablehlo.reduce_window"(%a0, %c) ({{', f"^bb0(%x: {s}, %y: {s}):",
                             f"  %z = stablehlo.{op} %x, %y : {s}", f"  stablehlo.return %z : {s}",
                             f"}}) {{window_dimensions = array<i64: {', '.join(map(str, window))}>, window_strides = array<i64: {', '.join(map(str, window))}>}} : ({t}, {s}) -> {r}"])


def prefix(shape):
    t, s, n = tensor(shape), tensor([]), shape[-1]
    window = [1] * (len(shape) - 1) + [n]
    pads = ", ".join(["[0, 0]"] * (len(shape) - 1) + [f"[{n - 1}, 0]"])
    return function([t], t, [f"%c = stablehlo.constant dense<0.0> : {s}", '%r = "stablehlo.reduce_window"(%a0, %c) ({', f"^bb0(%x: {s}, %y: {s}):",
                             f"  %z = stablehlo.add %x, %y : {s}", f"  stablehlo.return %z : {s}",
                             f"}}) {{window_dimensions = array<i64: {', '.join(map(str, window))}>, padding = dense<[{pads}]> : tensor<{len(shape)}x2xi64>}} : ({t}, {s}) -> {t}"])


def gather(table, n):
    t, i, r = tensor(table), tensor([n, 1], "i32"), tensor([n, table[1]])
    m = tensor([n, 1], "i32")
    return function([t, i], r, [f"%m = stablehlo.constant dense<{table[0] - 1}> : {m}", f"%i = stablehlo.and %a1, %m : {m}",
                                f'%r = "stablehlo.gather"(%a0, %i) {{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], '
                                f"index_vector_dim = 1>, slice_sizes = array<i64: 1, {table[1]}>}} : ({t}, {i}) -> {r}"])


def scatter(table, n):
    t, i, u, s = tensor(table), tensor([n, 1], "i32"), tensor([n, table[1]]), tensor([])
    return function([t, i, u], t, [f"%m = stablehlo.constant dense<{table[0] - 1}> : {i}", f"%i = stablehlo.and %a1, %m : {i}",
                                   '%r = "stablehlo.scatter"(%a0, %i, %a2) ({', f"^bb0(%x: {s}, %y: {s}):", f"  %z = stablehlo.add %x, %y : {s}", f"  stablehlo.return %z : {s}",
                                   "}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
                                   f"index_vector_dim = 1>}} : ({t}, {i}, {u}) -> {t}"])


def sort(shape):
    t, s = tensor(shape), tensor([])
    return function([t], t, ['%r = "stablehlo.sort"(%a0) ({', f"^bb0(%x: {s}, %y: {s}):", f"  %z = stablehlo.compare LT, %x, %y : ({s}, {s}) -> tensor<i1>",
                             "  stablehlo.return %z : tensor<i1>", f"}}) {{dimension = {len(shape) - 1} : i64}} : ({t}) -> {t}"])


def fft(shape):
    t = tensor(shape)
    c = tensor(shape[:-1] + [shape[-1] // 2 + 1], "complex<f32>")
    r = tensor(shape[:-1] + [shape[-1] // 2 + 1])
    return function([t], r, [f"%f = stablehlo.fft %a0, type = RFFT, length = [{shape[-1]}] : ({t}) -> {c}", f"%r = stablehlo.real %f : ({c}) -> {r}"])


PROGRAMS = {f"{op}_{n}": unary(op, [n]) for op in ("negate", "exponential", "log", "tanh", "logistic", "rsqrt", "sqrt", "sine", "cbrt", "log_plus_one",
                                                   "exponential_minus_one", "floor") for n in (64, 65536)}
PROGRAMS |= {f"negate_{n}": unary("negate", [n]) for n in (1 << 20, 1 << 22, 1 << 24)}
PROGRAMS |= {f"{op}_{n}": binary(op, [n]) for op in ("add", "divide", "power", "remainder", "atan2") for n in (64, 65536)}
PROGRAMS |= {f"transpose_{'x'.join(map(str, shape))}": transpose(shape, permutation)
             for shape, permutation in (([16, 16], [1, 0]), ([64, 64], [1, 0]), ([256, 256], [1, 0]), ([4096, 4096], [1, 0]), ([8, 64, 8, 32], [0, 2, 1, 3]), ([8, 64, 256], [0, 2, 1]))}
PROGRAMS |= {f"rows_{m}x{n}": reduction([m, n], [1]) for m, n in ((64, 10), (64, 64), (1024, 64), (256, 1024), (4096, 4096))}
PROGRAMS |= {f"maxima_{m}x{n}": reduction([m, n], [1], "maximum") for m, n in ((64, 10), (256, 64), (256, 1024))}
PROGRAMS |= {f"columns_{m}x{n}": reduction([m, n], [0]) for m, n in ((64, 10), (64, 64), (1024, 64), (1024, 256), (4096, 4096))}
PROGRAMS |= {f"all_{n}": reduction([n], [0]) for n in (64, 4096, 65536, 1 << 22)}
PROGRAMS |= {f"dot_{m}x{k}x{n}": product([m, k], [k, n], (1, 0))
             for m, k, n in ((8, 8, 8), (16, 16, 16), (32, 64, 32), (64, 64, 4), (64, 256, 64), (256, 256, 1), (1, 256, 256), (8, 512, 2048), (32, 784, 128), (128, 128, 128), (256, 256, 256),
                             (1024, 1024, 1024))}
PROGRAMS |= {f"dot_nt_{m}x{k}x{n}": product([m, k], [n, k], (1, 1)) for m, k, n in ((16, 16, 16), (32, 64, 32), (8, 512, 2048), (256, 256, 256))}
PROGRAMS |= {f"dot_tn_{m}x{k}x{n}": product([k, m], [k, n], (0, 0)) for m, k, n in ((16, 16, 16), (32, 64, 32), (784, 32, 128), (256, 256, 256))}
PROGRAMS |= {f"dot_batch_{b}x{m}x{k}x{n}": product([b, m, k], [b, k, n], (2, 1), ([0], [0])) for b, m, k, n in ((16, 32, 16, 32), (64, 64, 32, 64), (8, 128, 64, 128))}
PROGRAMS |= {f"conv_{'x'.join(map(str, x))}_{'x'.join(map(str, k))}{'_' + str(stride) if stride > 1 else ''}{'_g' + str(groups) if groups > 1 else ''}": convolution(x, k, stride, groups)
             for x, k, stride, groups in (([8, 28, 28, 1], [3, 3, 1, 32], 1, 1), ([8, 28, 28, 32], [3, 3, 32, 64], 1, 1), ([8, 28, 28, 16], [3, 3, 16, 3], 1, 1),
                                          ([8, 28, 28, 64], [3, 3, 64, 64], 1, 1), ([8, 28, 28, 64], [1, 1, 64, 64], 1, 1), ([8, 28, 28, 64], [3, 3, 64, 128], 2, 1),
                                          ([8, 56, 56, 3], [7, 7, 3, 64], 2, 1), ([8, 28, 28, 64], [3, 3, 1, 64], 1, 64), ([2, 8, 8, 8], [3, 3, 8, 8], 1, 1))}
PROGRAMS |= {f"pool_{'x'.join(map(str, shape))}": windows(shape, [1, 2, 2, 1]) for shape in ([8, 28, 28, 32], [2, 8, 8, 8])}
PROGRAMS |= {f"prefix_{'x'.join(map(str, shape))}": prefix(shape) for shape in ([10000], [256, 256])}
PROGRAMS |= {f"gather_{n}_of_{'x'.join(map(str, table))}": gather(table, n) for table, n in (([1024, 64], 256), ([65536, 8], 4096))}
PROGRAMS |= {f"scatter_{n}_to_{'x'.join(map(str, table))}": scatter(table, n) for table, n in (([1024, 64], 256), ([65536, 8], 4096))}
PROGRAMS |= {f"sort_{'x'.join(map(str, shape))}": sort(shape) for shape in ([10000], [256, 100])}
PROGRAMS |= {f"fft_{'x'.join(map(str, shape))}": fft(shape) for shape in ([256, 256], [16, 4096], [256, 251])}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in PROGRAMS.items():
        (folder / f"{name}.mlir").write_text(text)


if __name__ == "__main__":
    main()
