# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays shared with other libraries, by NumPy's own interface and by DLPack: what is printed is the same on every platform, as
check_jax.py holds it."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(6.0).reshape(2, 3)
seen = np.from_dlpack(x)
print("shared", seen.ctypes.data == x.unsafe_buffer_pointer(), x.__dlpack_device__()[1])
del x
print("outlives the array", seen.tolist())

update = jax.jit(lambda a: a + 1, donate_argnums=0)
y = jnp.ones(3)
seen = np.from_dlpack(y)
print("what another looks at is not overwritten", update(y).tolist(), seen.tolist())
y, z = jnp.ones(3), jnp.zeros(3)
seen, deleted = np.asarray(y), np.asarray(z)
results = [update(y)] + [update(jnp.full(3, 7.0)) for _ in range(5)]
z.delete()
print("nor gone", [result.tolist() for result in results], seen.tolist(), deleted.tolist(), z.is_deleted())
del seen, deleted, y, z

z = jax.dlpack.from_dlpack(np.arange(3, dtype=np.float32))
print("on the device that computes", z.devices() == jnp.ones(3).devices(), (z + jnp.ones(3)).tolist())
if jax.default_backend() == "echo":  # elsewhere there is a way without one
    try:
        raise SystemExit(f"no copy: {jax.dlpack.from_dlpack(np.ones(2), copy=False)}")
    except ValueError as error:
        assert "by a copy" in str(error)
print(jax.dlpack.from_dlpack(jnp.ones(2, jnp.bfloat16)).dtype, jnp.from_dlpack(np.ones(2, np.int8), copy=True).dtype)
