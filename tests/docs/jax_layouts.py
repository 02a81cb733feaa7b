# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays whose dimensions lie in another order than row by row: what is printed is the same on every platform, as check_jax.py holds it."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding

device = SingleDeviceSharding(jax.devices()[0])


def lying(*major_to_minor):
    return Format(Layout(major_to_minor), device)


def order(array):
    return array.format.layout.major_to_minor


x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
moved = jax.device_put(x, lying(2, 0, 1))
print(order(moved), np.array_equal(moved, x), np.asarray(moved).strides, np.array_equal(np.from_dlpack(moved), x), jnp.sum(moved, axis=1).tolist())

step = jax.jit(lambda w, g: w - 0.5 * g, in_shardings=(lying(1, 0), None), out_shardings=lying(1, 0), donate_argnums=0)
w, g = jax.device_put(np.ones((3, 5), np.float32), lying(1, 0)), jnp.arange(15.0).reshape(3, 5)
for _ in range(3):
    before, w = w, step(w, g)
print(order(w), before.is_deleted(), w.tolist())

compiled = jax.jit(lambda a: (a.T, a @ a.T), out_shardings=Format(Layout.AUTO)).lower(jax.ShapeDtypeStruct((3, 5), jnp.float32)).compile()
turned, product = compiled(g)
print([f.layout.major_to_minor for f in compiled.output_formats], order(turned), turned.tolist(), product.tolist())
print(np.array_equal(jax.jit(lambda a: a * 2)(jax.device_put(g, lying(1, 0))), 2 * g))

by_rows = jax.jit(lambda a: a.T).lower(g).compile()
print(by_rows.output_formats.layout.major_to_minor, order(by_rows(g)))
try:
    by_rows(jax.device_put(np.ones((3, 5), np.float32), lying(1, 0)))
except ValueError as error:
    print("refused:", "input layouts that disagree" in str(error))
