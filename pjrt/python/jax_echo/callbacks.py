# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax.debug.print, jax.debug.callback, pure_callback and io_callback on Echo.

JAX writes a call into Python as a custom call for its own back ends, by the number of a callable that it hands over when
it compiles, which the PJRT C API has no place for. Here the call is one of a target that the plug-in registers, its
callables are kept by number in this module, and the plug-in is given the one function that finds and runs them.
"""

import atexit
import ctypes
import dataclasses
import itertools
import secrets
import weakref

import numpy as np

TARGET = "echo_python_callback"
CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_char),
    ctypes.c_size_t,
)

HOLD = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_int)

# Numbers are those of no other process: JAX may keep compiled functions on disk. An entry lives as long as what JAX has lowered,
# and as the plug-in's programs that call it: one may run when JAX has let go of it.
_numbers = itertools.count(secrets.randbits(62))
_entries = weakref.WeakValueDictionary()
_held = {}


class _Entry:
    def __init__(self, function, operands, results):
        self.function, self.operands, self.results = function, operands, results


def _view(address, aval):
    n_bytes = int(np.prod(aval.shape)) * aval.dtype.itemsize
    if n_bytes == 0:
        return np.zeros(aval.shape, aval.dtype)
    return np.frombuffer((ctypes.c_char * n_bytes).from_address(address), aval.dtype).reshape(aval.shape)


def _run(number, operands, results, error, error_size):
    try:
        entry = _entries.get(number)
        if entry is None:
            raise RuntimeError("its Python function is not in this process")
        arguments = [_view(operands[i], aval).copy() for i, aval in enumerate(entry.operands)]
        for i, (aval, value) in enumerate(zip(entry.results, entry.function(*arguments))):
            _view(results[i], aval)[...] = value
        return 1
    except BaseException as raised:  # nothing may pass through the C code between
        reason = f"{type(raised).__name__}: {raised}".encode()[: error_size - 1] + b"\0"
        ctypes.memmove(error, reason, len(reason))
        return 0


def _hold(number, is_held):
    entry, n_programs = _held.pop(number, (_entries.get(number), 0))
    n_programs += 1 if is_held else -1
    if entry is not None and n_programs > 0:
        _held[number] = (entry, n_programs)


_callback, _hold_callback = CALLBACK(_run), HOLD(_hold)


def _checked(function, avals):
    """The function with its results as arrays of the types that it has promised."""
    from jax._src import dtypes

    def run(*arguments):
        values = [np.asarray(dtypes.canonicalize_value(np.asarray(value))) for value in function(*arguments)]
        if len(values) != len(avals):
            raise RuntimeError(f"Mismatched number of outputs from callback. Expected: {len(avals)}, Actual: {len(values)}")
        for i, (value, aval) in enumerate(zip(values, avals)):
            for what in ("shape", "dtype"):
                if getattr(value, what) != getattr(aval, what):
                    raise RuntimeError(
                        f"Incorrect output {what} for return value #{i}: "
                        f"Expected: {getattr(aval, what)}, Actual: {getattr(value, what)}"
                    )
        return values

    return run


def start_cpu():
    """JAX's own CPU back end, which callbacks get their arrays on and other libraries share memory with: where JAX_PLATFORMS
    names Echo alone, it is started here, for programs that need it only."""
    from jax._src import xla_bridge

    backends = xla_bridge.backends()
    with xla_bridge._backend_lock:
        if "cpu" not in backends:
            backends["cpu"] = xla_bridge._init_backend("cpu")
        return backends["cpu"]


def _bits_of(aval):
    """What stands for an array on the way to Python and back: Echo widens floats of a byte and less, and these are to come as they are."""
    from jax._src import core, dtypes

    aval = core.physical_aval(aval)
    if not dtypes.issubdtype(aval.dtype, np.floating) or aval.dtype.itemsize > 1:
        return aval
    return core.ShapedArray(aval.shape, np.dtype(f"uint{dtypes.itemsize_bits(aval.dtype)}"))


def _as(ctx, value, before, after):
    """An array of `before` as the bits of `after`, which is as wide."""
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir.dialects import hlo

    return value if before.dtype == after.dtype else hlo.bitcast_convert(mlir.aval_to_ir_type(ctx.module_context, after), value)


def _set_sharding(ctx, call, sharding, n_results):
    """What JAX says of where the call is made, a device or each: as many times as it has results, a token among them."""
    from jax._src.interpreters import mlir

    if hasattr(sharding, "shardings"):  # Shardy's
        one = sharding.shardings[0]
        sharding = type(sharding)((one,) * max(n_results, 1)) if one.logical_device_ids is not None else None
    if sharding is not None:
        mlir.set_sharding(ctx.module_context, call, sharding)


def _emit(ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect, sharding=None):
    from jax._src import core, ffi

    start_cpu()
    function = _checked(callback, result_avals)
    entry = _Entry(function, [core.physical_aval(a) for a in operand_avals], [core.physical_aval(a) for a in result_avals])
    number = next(_numbers)
    _entries[number] = entry
    ctx.module_context.add_keepalive(entry)
    bits_in, bits_out = [_bits_of(aval) for aval in operand_avals], [_bits_of(aval) for aval in result_avals]
    operands = [_as(ctx, *value) for value in zip(operands, entry.operands, bits_in)]
    ctx = dataclasses.replace(ctx, avals_in=bits_in, avals_out=bits_out)
    if token:
        operands = [token, *operands]
        ctx = dataclasses.replace(
            ctx, avals_in=[core.abstract_token, *ctx.avals_in], avals_out=[core.abstract_token, *ctx.avals_out]
        )
    call = ffi.build_ffi_lowering_function(TARGET, has_side_effect=has_side_effect)
    call = call(ctx, *operands, index=np.uint64(number))
    _set_sharding(ctx, call, sharding, len(call.results))
    results = call.results
    if token:
        token, *results = results
    return [_as(ctx, *value) for value in zip(results, bits_out, entry.results)], token, entry


def install(library):
    """Has JAX write callbacks this way for the platform "echo"."""
    from jax._src import callback

    set_callback = ctypes.CDLL(str(library)).Echo_PJRT_SetCallback
    set_callback(_callback, _hold_callback)
    atexit.register(set_callback, _callback, None)  # programs may outlive the interpreter
    emit = callback.emit_python_callback

    def emit_python_callback(ctx, function, token, operands, operand_avals, result_avals, *, has_side_effect, sharding=None, **others):
        if tuple(ctx.module_context.platforms) != ("echo",):
            return emit(ctx, function, token, operands, operand_avals, result_avals, has_side_effect=has_side_effect, sharding=sharding, **others)
        return _emit(ctx, function, token, operands, operand_avals, result_avals, has_side_effect=has_side_effect, sharding=sharding)

    callback.emit_python_callback = emit_python_callback
