# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays on Echo and other libraries (NumPy, PyTorch) by DLPack, which JAX has for its own platforms alone.

Echo's arrays are in the host's memory: to other libraries they are a CPU's, shared and not copied. What comes from another
library goes to Echo by a copy, unless a device is named; so `copy=False` is an error.
"""

import numpy as np


def _is_on_echo(array):
    return {device.platform for device in array.sharding.device_set} == {"echo"}


def _export(array):
    """The array on JAX's CPU back end, which shares its memory."""
    import jax
    from jax_echo import callbacks

    return jax.device_put(np.asarray(array), callbacks.start_cpu().local_devices()[0])


def install():
    from jax._src import array, dlpack, xla_bridge
    from jax_echo import callbacks

    own_device, own_export, own_import = array.ArrayImpl.__dlpack_device__, array.ArrayImpl.__dlpack__, dlpack.from_dlpack

    def __dlpack_device__(self):
        is_one = len(self.sharding.device_set) == 1
        return (dlpack.DLDeviceType.kDLCPU, 0) if is_one and _is_on_echo(self) else own_device(self)

    def __dlpack__(self, **options):
        is_one = len(self.sharding.device_set) == 1
        return own_export(_export(self) if is_one and _is_on_echo(self) else self, **options)

    def from_dlpack(external_array, device=None, copy=None):
        if xla_bridge.default_backend() != "echo" or device is not None:
            return own_import(external_array, device, copy)
        if copy is False:
            raise ValueError("an array from another library goes to an Echo device by a copy: copy=False cannot be met")
        import jax

        callbacks.start_cpu()
        return jax.device_put(own_import(external_array, None, copy), jax.local_devices()[0])

    array.ArrayImpl.__dlpack_device__, array.ArrayImpl.__dlpack__ = __dlpack_device__, __dlpack__
    from_dlpack.__doc__ = own_import.__doc__
    for module in (dlpack, __import__("jax.dlpack").dlpack):
        module.from_dlpack = from_dlpack
