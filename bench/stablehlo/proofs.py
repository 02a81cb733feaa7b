# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""proofs.py CHECKOUT [BUILD]: which files of StableHLO's testdata expect what no exact implementation gives. For each, the values are computed anew from the file's
inputs (sums and products as fractions, functions by mpmath with 300 bits, Fourier transforms by NumPy in long double), rounded once to the element type, and
held against what the file expects by the file's own measure: 3 units in the last place for expect_close, 0.001 for expect_almost_eq. Prints a table; exits 1
where a file listed here expects what is right. Takes numpy and mpmath; nothing of Echo is asked. With a BUILD folder, the last two columns say how far
the farthest values of Echo's CPU and of its interpreter are off, by the same measure."""
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import mpmath
import numpy as np

mpmath.mp.prec = 300
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": np.uint16, "complex<f32>": np.float32, "complex<f64>": np.float64,
         "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32}
DIGITS = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
LEAST = {"bf16": -133, "f16": -24, "f32": -149, "f64": -1074}
SQUARE = r"dot_general_(.*)_4_3_.*_3_6"


def rounded(value, kind):
    """To the nearest number of the type, ties to even: a fraction."""
    value = Fraction(value)
    if value == 0:
        return value
    exponent = math.frexp(abs(float(value)))[1] - DIGITS[kind]
    step = Fraction(2) ** max(exponent, LEAST[kind])
    return round(value / step) * step


def units(value, kind):
    """How many numbers of the type lie between 0 and this one, with its sign."""
    size = abs(value)
    if size == 0:
        return 0
    exponent = max(math.frexp(float(size))[1] - DIGITS[kind], LEAST[kind])
    count = int(size / Fraction(2) ** exponent) + (exponent - LEAST[kind]) * 2 ** (DIGITS[kind] - 1)
    return count if value > 0 else -count


class Array:
    """Numbers of a file as fractions; complex ones have their parts in a last dimension of two."""

    def __init__(self, text):
        body, shape = text.rsplit("> : tensor<", 1)
        *dims, element = shape[:-1].split("x", shape.count("x") - (element_has_x(shape)))
        self.complex, self.kind = element.startswith("complex"), re.sub(r"complex<(.*)>", r"\1", element)
        dims = [int(d) for d in dims] + [2] * self.complex
        if body.startswith('"0x'):
            raw = np.frombuffer(bytes.fromhex(body[3:-1]), TYPES[element])
            if self.kind == "bf16":
                raw = (raw.astype(np.uint32) << 16).view(np.float32)
            values = [Fraction(int(x)) if raw.dtype.kind in "iu" else Fraction(float(x)) for x in raw]
        else:
            words = re.findall(r"-?[0-9][0-9.eE+-]*", body)
            values = [Fraction(w) if self.kind not in DIGITS else rounded(Fraction(w), self.kind) for w in words]
        self.values = np.empty(len(values), object)
        self.values[:] = values
        self.values = self.values.reshape(dims)


def element_has_x(shape):
    return shape.count("complex")  # its own x


def constants(path, function):
    inside, found = False, []
    for line in path.read_text().splitlines():
        if line.startswith("  func.func private @"):
            inside = line.startswith(f"  func.func private @{function}(")
        if inside and "stablehlo.constant dense<" in line[:60]:
            found.append(Array(line[line.index("dense<") + 6:]))
    return found


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator


def complex_of(pair):
    return mpmath.mpc(number(pair[0]), number(pair[1]))


def fraction(x):
    sign, mantissa, exponent, _ = mpmath.mpf(x)._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def parts(z):
    return [fraction(z.real), fraction(z.imag)]


# ---- what the files compute ----

def product(lhs, rhs):
    a, b = lhs.values, rhs.values
    b = b if rhs.complex else b[..., None]
    y = np.einsum("ik,kjc->ijc", a, b, optimize=False)
    return y if rhs.complex else y[..., 0]


def cumulative_sum(x):
    return np.cumsum(x.values, axis=0)


def cumulative_product(x):
    y = x.values.copy()
    for i in range(1, len(y)):
        (a, b), (c, d) = np.moveaxis(y[i - 1], -1, 0), np.moveaxis(x.values[i], -1, 0)
        y[i] = np.stack([a * c - b * d, a * d + b * c], -1)
    return y


def convolution(x, w):
    y = np.empty((2, 12, 5), object)
    for b, o, i in np.ndindex(y.shape):
        y[b, o, i] = sum(x.values[b, o // 4, i + 2 * k] * w.values[o, 0, k] for k in range(3))
    return y


def triangular(a, b):
    y = b.values.copy()
    for n, r, j in np.ndindex(y.shape):
        y[n, r, j] = (b.values[n, r, j] - sum(y[n, r, k] * a.values[n, k, j] for k in range(j))) / a.values[n, j, j]
    return y


def elementwise(function):
    def compute(x):
        y = np.empty(x.values.shape, object)
        for i in np.ndindex(y.shape):
            y[i] = fraction(function(number(x.values[i])))
        return y
    return compute


def power(x, w):
    y = np.empty(x.values.shape, object)
    for i in np.ndindex(y.shape[:-1]):
        y[i] = parts(mpmath.power(complex_of(x.values[i]), complex_of(w.values[i])))
    return y


def sine_by_formula(x):
    """The file writes sin(a + bi) out in f32: each of its operations rounded once, correctly."""
    def f32(v):
        return rounded(v if isinstance(v, Fraction) else fraction(v), "f32")
    y = np.empty(x.values.shape, object)
    for i in np.ndindex(y.shape[:-1]):
        a, b = x.values[i]
        up, down = f32(mpmath.expm1(number(b))), f32(mpmath.expm1(number(-b)))
        sinh, cosh = f32(f32(up - down) / 2), f32(f32(f32(up + down) + 2) / 2)
        y[i] = [f32(f32(mpmath.sin(number(a))) * cosh), f32(f32(mpmath.cos(number(a))) * sinh)]
    return y


def fourier(transform):
    def compute(x):
        wide = np.vectorize(lambda v: np.longdouble(float(v)), otypes=[np.longdouble])(x.values)
        y = transform(wide[..., 0] + 1j * wide[..., 1] if x.complex else wide)
        y = np.stack([y.real, y.imag], -1) if np.iscomplexobj(y) else y
        assert np.finfo(y.dtype).nmant >= 63, "no long double here"
        return np.vectorize(lambda v: Fraction(*v.as_integer_ratio()), otypes=[object])(y)
    return compute


PROOFS = {
    SQUARE: product,
    "cumsum_.*_8_9": cumulative_sum,
    "cumprod_complex64_8_9": cumulative_product,
    "conv_general_dilated_float32_2_3_9_float32_12_1_3": convolution,
    "triangular_solve_float32_2_8_8_float32_2_10_8": triangular,
    "cosh_float32_20_20_chlo": elementwise(mpmath.cosh),
    "sinh_float32_20_20_chlo": elementwise(mpmath.sinh),
    "pow_complex64_20_30_complex64_20_30": power,
    "sin_complex64_20_20": sine_by_formula,
    "fft_complex128_14_15_16_17": fourier(lambda x: np.fft.irfft(x, 33)),
    "fft_complex64_14_15_16_17": fourier(lambda x: np.fft.irfftn(x, (15, 16, 32), axes=(1, 2, 3))),
    "fft_float.._14_15_16_17": fourier(lambda x: np.fft.rfft(x, 17)),
}
FILES = """conv_general_dilated_float32_2_3_9_float32_12_1_3 cosh_float32_20_20_chlo cumprod_complex64_8_9 cumsum_bfloat16_8_9 cumsum_complex64_8_9
cumsum_float32_8_9 dot_general_bfloat16_4_3_complex128_3_6 dot_general_bfloat16_4_3_complex64_3_6 dot_general_float16_4_3_complex128_3_6
dot_general_float16_4_3_complex64_3_6 dot_general_float32_4_3_complex128_3_6 dot_general_float32_4_3_complex64_3_6 dot_general_int16_4_3_complex64_3_6
dot_general_int32_4_3_float32_3_6 dot_general_int64_4_3_complex64_3_6 dot_general_int8_4_3_float32_3_6 dot_general_uint16_4_3_complex64_3_6
dot_general_uint16_4_3_float32_3_6 dot_general_uint32_4_3_complex128_3_6 dot_general_uint8_4_3_complex64_3_6 fft_complex128_14_15_16_17
fft_complex64_14_15_16_17 fft_float32_14_15_16_17 fft_float64_14_15_16_17 pow_complex64_20_30_complex64_20_30 sin_complex64_20_20 sinh_float32_20_20_chlo
triangular_solve_float32_2_8_8_float32_2_10_8""".split()


def results(path, build, device):
    """What Echo computes of the file, as fractions."""
    with tempfile.TemporaryDirectory() as folder:
        text = "".join(line for line in path.read_text().splitlines(True) if "@check." not in line)
        module = pathlib.Path(folder) / "module.mlir"
        module.write_text(text)
        subprocess.run([build / "bin/echo-run", module, "--quiet", f"--device={device}", f"--outputs={folder}/out.npz"], check=True, stdout=subprocess.DEVNULL)
        values = next(iter(np.load(f"{folder}/out.npz").values()))
    if values.dtype == np.dtype("V2"):
        values = (values.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    values = np.stack([values.real, values.imag], -1) if np.iscomplexobj(values) else values
    return [Fraction(float(x)) for x in values.ravel()]


def farthest(values, exact, kind, is_close):
    """The element that is farthest off: how far, it, and what is right."""
    worst = 0, 0, 0
    for value, right in zip(values, exact):
        off = abs(units(value, kind) - units(right, kind)) if is_close else abs(value - right)
        worst = max(worst, (off, value, right), key=lambda entry: entry[0])
    return worst


def prove(path, build):
    """Of the file, and of each device of Echo that is asked, what is farthest off."""
    compute = next(f for pattern, f in PROOFS.items() if re.fullmatch(pattern, path.stem))
    expected, exact = constants(path, "expected")[0], compute(*constants(path, "inputs"))
    is_close = "@check.expect_close" in path.read_text()
    right = [rounded(value, expected.kind) for value in exact.ravel()]
    all_values = [expected.values.ravel()] + [results(path, build, device) for device in ("cpu", "interpreter") if build]
    return [farthest(values, right, expected.kind, is_close) for values in all_values], 3 if is_close else Fraction(1, 1000), is_close


def main():
    folder, fine = pathlib.Path(sys.argv[1]) / "stablehlo/testdata", True
    build = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    print("| file | expects | exact, rounded | apart | allowed |" + " CPU | interpreter |" * bool(build))
    print("| --- | --: | --: | --: | --: |" + " --: | --: |" * bool(build))
    for name in FILES:
        found, allowed, is_close = prove(folder / f"{name}.mlir", build)
        off, want, right = found[0]
        said = [f"{far[0]} units" if is_close else f"{float(far[0]):.6g}" for far in found]
        cells = [name, f"{float(want):.17g}", f"{float(right):.17g}", said[0], str(allowed if is_close else float(allowed)), *said[1:]]
        print("| " + " | ".join(cells) + " |")
        fine = fine and off > allowed
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
