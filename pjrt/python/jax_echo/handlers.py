# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax.ffi.register_ffi_target and register_ffi_type for the platforms "echo" and "cpu".

Echo runs on the CPU: what is registered for it is taken, too, except for what the plug-in does in its own way (LAPACK).
"""

import ctypes

STAGES = ("instantiate", "prepare", "initialize", "execute")

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]


def _address(capsule):
    return None if capsule is None else _pointer(capsule, _name(capsule))


def _call(function, *arguments):
    error = ctypes.create_string_buffer(1024)
    if not function(*arguments, error, ctypes.c_size_t(len(error))):
        raise ValueError(error.value.decode(errors="replace"))


def install(library):
    from jax._src.lib import xla_client
    from jaxlib import lapack

    plugin = ctypes.CDLL(str(library))
    # Some of jaxlib's linear algebra is computed by itself, without LAPACK, and is taken.
    names = {name for registrations in lapack.registrations().values() for name, *_ in registrations}
    own = {name for name in names if name.startswith("lapack_")}

    def register(name, fn, platform, api_version=0, traits=0):
        text = name.decode() if isinstance(name, bytes) else name
        if api_version not in (0, 1):
            raise NotImplementedError(f"{text}: Echo runs handlers of the typed interface (api_version=1) and those before it (0)")
        if api_version == 0:
            _call(plugin.Echo_PJRT_RegisterUntyped, text.encode(), ctypes.c_void_p(_address(fn)))
            return
        stages = fn if isinstance(fn, dict) else {"execute": fn}
        addresses = (ctypes.c_void_p * 4)(*(_address(stages.get(stage)) for stage in STAGES))
        _call(plugin.Echo_PJRT_RegisterHandler, text.encode(), addresses)

    def register_type(name, registration):
        if not isinstance(registration, dict):
            registration = {"type_id": registration}
        _call(
            plugin.Echo_PJRT_RegisterType,
            name.encode(),
            ctypes.c_void_p(_address(registration["type_id"])),
            ctypes.c_void_p(_address(registration.get("type_info"))),
        )

    def also(name, fn, platform, api_version=0, *others):
        if name not in own:
            register(name, fn, platform, api_version)

    # What was registered before; from then on JAX hands over the platform's own.
    cpu = xla_client.xla_platform_names.get("cpu", "cpu")
    for name, registration in list(getattr(xla_client, "_custom_type_id", {}).get(cpu, ())):
        register_type(name, registration)
    for name, fn, api_version, *_ in list(getattr(xla_client, "_custom_callback", {}).get(cpu, ())):
        also(name, fn, cpu, api_version)
    xla_client.register_custom_type_handler("echo", register_type)
    xla_client.register_custom_call_handler("echo", register)

    target, custom_type = xla_client.register_custom_call_target, xla_client.register_custom_type

    def register_custom_call_target(name, fn, platform="cpu", api_version=0, *others, **named):
        target(name, fn, platform, api_version, *others, **named)
        if platform == "cpu":
            also(name, fn, platform, api_version)

    def register_custom_type(type_name, type_id, platform="cpu"):
        custom_type(type_name, type_id, platform)
        if platform == "cpu":
            register_type(type_name, type_id)

    xla_client.register_custom_call_target = register_custom_call_target
    xla_client.register_custom_type = register_custom_type
