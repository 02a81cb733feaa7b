# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""replay.py STEP.ptx LAUNCHES.json EXPECTED.npz: runs a step without arguments from its PTX and its list of launches alone,
through the CUDA driver, and compares its results byte by byte."""

import ctypes
import json
import sys
import zipfile

cuda = ctypes.CDLL("libcuda.so.1")
MAX_DYNAMIC_SHARED_BYTES = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    assert status == 0, f"{name}: {status}"


def allocate(size):
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 16)))
    return address.value


def start():
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)


class Replay:
    def __init__(self, ptx, step):
        self.module = ctypes.c_void_p()
        call("cuModuleLoadDataEx", ctypes.byref(self.module), ptx, 0, None, None)
        self.kernels = {kernel["name"]: kernel for kernel in step["kernels"]}
        self.arena = allocate(step["arena_bytes"])
        self.arguments = [allocate(argument["bytes"]) for argument in step["arguments"]]
        self.constants = []
        for digits in step["constants"]:
            data = bytes.fromhex(digits)
            self.constants.append(allocate(len(data)))
            call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(self.constants[-1]), data, ctypes.c_size_t(len(data)), None)

    def place(self, place):
        if "argument" in place:
            return self.arguments[place["argument"]] + place["offset"]
        return self.arena + place["arena"] if "arena" in place else self.constants[place["constant"]]

    def run(self, steps):
        for step in steps:
            assert step["step"] == "launch", step
            kernel, function = self.kernels[step["kernel"]], ctypes.c_void_p()
            call("cuModuleGetFunction", ctypes.byref(function), self.module, kernel["name"].encode())
            if kernel["dynamic_shared_bytes"]:
                call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED_BYTES, kernel["dynamic_shared_bytes"])
            values = [ctypes.c_uint64(self.place(place)) for place in step["arguments"]]
            pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
            call("cuLaunchKernel", function, *kernel["grid"], *kernel["block"], kernel["dynamic_shared_bytes"], None, pointers, None)

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        call("cuMemcpyDtoHAsync_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size), None)
        call("cuStreamSynchronize", None)
        return data.raw


def main():
    ptx = open(sys.argv[1], "rb").read() + b"\0"
    step = json.load(open(sys.argv[2]))
    start()
    replay = Replay(ptx, step)
    replay.run(step["steps"])
    expected = zipfile.ZipFile(sys.argv[3])
    results = [(replay.arguments[i], argument["bytes"]) for i, argument in enumerate(step["arguments"]) if argument["is_result"]]
    assert len(results) == len(expected.namelist())
    for (address, size), name in zip(results, expected.namelist()):
        assert replay.read(address, size) == expected.read(name)[-size:], name


main()
