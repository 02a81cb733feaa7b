# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""harnesses.py [--slice=I/N] [--transform=none|grad|vmap|jvp] [--x64]: JAX's primitives, as its wheel has them with arguments (internal_test_util.test_harnesses, some
5,600), each a program of its own on Echo and on JAX's CPU; or their gradients, batches of three, or derivatives along a direction. Run by a Python with JAX, the wheel and
absl-py, JAX_PLATFORMS=echo,cpu. Prints each whose results differ: in type, in what is no number, in any whole number, or by more than rounding. What depends on a choice is
left out (eigenvectors, singular vectors), and so is what JAX has no CPU lowering for."""

import argparse
import signal
import zlib

import jax
import jax.numpy as jnp
import numpy as np
from absl import flags
from jax._src.internal_test_util import test_harnesses

CHOICES = ("eigh_", "svd", "eig_", "schur")
TOLERANCES = {"float64": 1e-12, "complex128": 1e-12, "float32": 1e-5, "complex64": 1e-5}  # of others, narrow ones, 2e-2: relative, and to the largest number of the result
LARGEST = 100_000  # elements of an argument that is differentiated


def is_key(x):
    return jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key)


def weights(x):
    return jnp.cos(jnp.arange(x.size, dtype=jnp.float32)).reshape(x.shape)


def weighted(results):
    """A number that every finite result has a part in."""
    total = jnp.float32(0)
    for x in jax.tree.leaves(results):
        if jnp.issubdtype(x.dtype, jnp.inexact):
            x = jnp.real(x)
            total += jnp.sum(weights(x) * jnp.where(jnp.isfinite(x), x, 0).astype(jnp.float32))
    return total


def transformed(transform, f, args):
    """A function and its arguments; None where there is nothing to transform."""
    if transform == "none":
        return f, args
    if not all(hasattr(x, "dtype") for x in args):
        return None
    if transform == "vmap":
        return None if any(is_key(x) for x in args) else (jax.vmap(f), [np.stack([x, np.flip(x), x]) for x in map(np.asarray, args)])
    places = [i for i, x in enumerate(args) if jnp.issubdtype(x.dtype, jnp.inexact) and 0 < x.size < LARGEST]

    def of_floats(*floats):
        everything = list(args)
        for i, x in zip(places, floats):
            everything[i] = x
        return f(*everything)

    floats = [args[i] for i in places]
    if not places:
        return None
    if transform == "grad":
        return jax.grad(lambda *floats: weighted(of_floats(*floats)), argnums=tuple(range(len(places)))), floats
    return (lambda *floats: jax.jvp(of_floats, floats, tuple(weights(x).astype(x.dtype) for x in floats))[1]), floats


def run(device, f, args):
    with jax.default_device(device):
        results = jax.jit(f)(*[jax.device_put(x, device) for x in args])
    leaves = [x for x in jax.tree.leaves(results) if x.dtype != jax.dtypes.float0]
    return [np.asarray(jax.random.key_data(x) if is_key(x) else x) for x in leaves]


def difference(wanted, found):
    """Empty: there is none."""
    if wanted.shape != found.shape or wanted.dtype != found.dtype:
        return f"{found.dtype}{found.shape}, not {wanted.dtype}{wanted.shape}"
    if not jnp.issubdtype(wanted.dtype, jnp.inexact):
        n = int(np.sum(wanted != found))
        return f"{n} of {wanted.size} {wanted.dtype} differ" if n else ""
    wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
    tolerance = TOLERANCES.get(wanted.dtype.name, 2e-2)
    x, y = wanted.astype(wide), found.astype(wide)
    if not np.array_equal(np.isnan(x), np.isnan(y)):
        return "others are no numbers"
    largest = np.max(np.abs(x[np.isfinite(x)]), initial=0)
    return "" if np.allclose(x, y, rtol=tolerance, atol=tolerance * largest, equal_nan=True) else f"off by {np.nanmax(np.abs(x - y)):.1e}, the largest is {largest:.1e}"


def on_both(harness, transform, devices):
    """What differs; None where JAX's CPU does not run it."""
    args = harness.dyn_args_maker(np.random.RandomState(zlib.adler32(harness.fullname.encode())))
    made = transformed(transform, harness.dyn_fun, args)
    if made is None:
        return None
    try:
        wanted = run(devices["cpu"], *made)
    except Exception:  # whatever it is that JAX does not differentiate, batch or lower
        return None
    return next(filter(None, map(difference, wanted, run(devices["echo"], *made))), "")


def too_long(*_):
    raise TimeoutError("did not end within the time limit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slice", default="0/1")
    parser.add_argument("--transform", default="none", choices=["none", "grad", "vmap", "jvp"])
    parser.add_argument("--x64", action="store_true")
    parser.add_argument("--timeout", type=int, default=120)
    args = parser.parse_args()
    flags.FLAGS(["harnesses.py"])
    jax.config.update("jax_enable_x64", args.x64)
    signal.signal(signal.SIGALRM, too_long)
    devices = {name: jax.devices(name)[0] for name in ("echo", "cpu")}
    first, step = map(int, args.slice.split("/"))
    count = {"the same": 0, "different": 0, "left out": 0}
    for harness in test_harnesses.all_harnesses[first::step]:
        is_out = any(limit.filter(dtype=harness.dtype) and "cpu" in limit.devices for limit in harness.jax_unimplemented)
        said = None
        if not is_out and not harness.fullname.startswith(CHOICES):
            signal.alarm(args.timeout)
            try:
                said = on_both(harness, args.transform, devices)
            except Exception as error:
                said = str(error).replace("\n", " ")[:300] or repr(error)
            signal.alarm(0)
        count["left out" if said is None else "different" if said else "the same"] += 1
        if said:
            print(f"{harness.fullname}: {said}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in count.items()))


if __name__ == "__main__":
    main()
