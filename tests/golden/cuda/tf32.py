# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tf32.py make IN.npz | check IN.npz OUT.npz: operands for tf32_products.mlir, and what its products may be.

What is made in tf32 is, but for the order of its sums, the product of operands rounded to 11 bits, ties away from zero; what is
not is nearer to the exact product than any rounding of operands leaves it. Some elements of each result are computed exactly."""

import array
import ast
import itertools
import math
import random
import re
import struct
import sys
import zipfile

SHAPES = [(96, 128), (128, 64), (50, 36), (41, 36), (3, 70, 34), (3, 70, 22), (33, 7), (7, 35), (2, 40, 3, 8), (2, 8, 3, 24),
          (1000, 20), (20, 776), (1000, 24), (776, 24), (20, 1000)]
# The operands of each result, how they are multiplied, and whether in tf32.
PRODUCTS = [(0, 1, "mk,kn->mn", True), (2, 3, "mk,nk->mn", True), (4, 5, "bkm,bkn->bmn", True), (6, 7, "mk,kn->mn", True),
            (8, 9, "bmck,bkcn->bcmn", True), (1, 0, "km,nk->mn", True), (10, 11, "mk,kn->mn", True), (12, 13, "mk,nk->mn", True),
            (14, 11, "km,kn->mn", True), (0, 1, "mk,kn->mn", False), (0, 1, "mk,kn->mn", False)]


def of_bits(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def tf32(x):
    return of_bits(struct.unpack("<I", struct.pack("<f", x))[0] + 0x1000 & 0xFFFFE000)


def draw(rng):
    bits = struct.unpack("<I", struct.pack("<f", rng.gauss(0, 1)))[0]
    return of_bits(bits & 0xFFFFE000 | 0x1000 if rng.random() < 0.3 else bits)  # some halfway between two of tf32


def make(path):
    rng = random.Random(11)
    with zipfile.ZipFile(path, "w") as archive:
        for i, shape in enumerate(SHAPES):
            header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
            header = header.ljust(117) + "\n"
            elements = array.array("f", (draw(rng) for _ in range(math.prod(shape))))
            archive.writestr(f"arg{i}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + elements.tobytes())


def load(path):
    """Of each array its shape and elements."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            end = 10 + struct.unpack("<H", data[8:10])[0]
            shape = ast.literal_eval(re.search(r"'shape': (\(.*?\))", data[:end].decode("latin1"))[1])
            arrays[name.removesuffix(".npy")] = shape, array.array("f", data[end:])
    return arrays


def element(tensor, letters, at):
    shape, elements = tensor
    position = 0
    for letter, size in zip(letters, shape):
        position = position * size + at[letter]
    return elements[position]


def check(arguments, results):
    arguments, results = load(arguments), load(results)
    rng = random.Random(12)
    for i, (a, b, subscripts, is_tf32) in enumerate(PRODUCTS):
        a, b, result = arguments[f"arg{a}"], arguments[f"arg{b}"], results[f"res{i}"]
        of_a, of_b, of_result = re.split(",|->", subscripts)
        k = a[0][of_a.index("k")]
        is_far = False
        places = [[0, size - 1] for size in result[0]]
        places = list(itertools.product(*places)) + [[rng.randrange(size) for size in result[0]] for _ in range(600)]
        for place in places:
            at = dict(zip(of_result, place))
            pairs = [(element(a, of_a, at | {"k": j}), element(b, of_b, at | {"k": j})) for j in range(k)]
            got = element(result, of_result, at)
            size = sum(abs(x * y) for x, y in pairs)
            of_f32 = abs(got - math.fsum(x * y for x, y in pairs))
            of_tf32 = abs(got - math.fsum(tf32(x) * tf32(y) for x, y in pairs))
            sums = k * 2.0**-24 * 1.001 * size  # of k roundings to f32 at most
            assert of_f32 <= (2.0**-10 + 2.0**-22) * size + sums, (i, at)
            assert (of_tf32 if is_tf32 else of_f32) <= sums, (i, at, of_tf32, of_f32, sums)
            is_far |= (of_f32 if is_tf32 else of_tf32) > sums
        assert is_far, i  # operands rounded otherwise are told apart


{"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
