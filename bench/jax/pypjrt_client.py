# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pypjrt_client.py WHEEL [DIRECTORY]: a client of PJRT that is not JAX's, pypjrt from PyPI, on the plug-in of the wheel: its own probes of a plug-in, then a training
step with a donated argument, a program saved and loaded, a handler written in Python, and what is wrong on purpose, against NumPy. Exit status 1 where one fails."""

import argparse
import pathlib
import subprocess
import sys

import environment

STEP = """module @step {
  func.func public @main(%w: tensor<4x3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> (tensor<4x3xf32>, tensor<f32>) {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
    %t = stablehlo.tanh %y : tensor<8x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x3xf32>, tensor<f32>) -> tensor<f32>
    %squares = stablehlo.multiply %t, %t : tensor<8x3xf32>
    %ones = stablehlo.constant dense<1.0> : tensor<8x3xf32>
    %slopes = stablehlo.subtract %ones, %squares : tensor<8x3xf32>
    %gradient = stablehlo.dot_general %x, %slopes, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %rate = stablehlo.constant dense<0.1> : tensor<4x3xf32>
    %step = stablehlo.multiply %gradient, %rate : tensor<4x3xf32>
    %next = stablehlo.subtract %w, %step : tensor<4x3xf32>
    return %next, %loss : tensor<4x3xf32>, tensor<f32>
  }
}"""
DOUBLE = """module @double {
  func.func public @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %y = stablehlo.custom_call @double(%x) {api_version = 4 : i32} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %y : tensor<8x4xf32>
  }
}"""
F32 = 11  # PJRT_Buffer_Type_F32


def is_refused(call, *arguments):
    try:
        call(*arguments)
    except Exception as error:
        print("refused:", str(error).splitlines()[0])
        return True
    return False


def probe(library):
    import ctypes

    import numpy as np
    import pypjrt
    from pypjrt import ffi

    draw = np.random.default_rng(0).normal
    weights, x = draw(size=(4, 3)).astype(np.float32), draw(size=(8, 4)).astype(np.float32)
    plugin = pypjrt.Plugin(library)
    with pypjrt.Client.create(plugin) as client, client.devices() as devices:

        def check(called, weights):
            """One step on both; the new weights of each."""
            t = np.tanh(x @ weights)
            after = weights - np.float32(0.1) * (x.T @ (1 - t * t))
            state, loss = called(state_of[0], inputs)
            assert np.allclose(np.from_dlpack(loss), t.sum(), rtol=1e-5), (np.from_dlpack(loss), t.sum())
            assert np.allclose(np.from_dlpack(state), after, rtol=1e-5, atol=1e-6)
            return state, after

        step = client.compile(STEP)
        inputs = client.buffer_from_host(x, F32, [8, 4], devices[0])
        state_of = [client.buffer_from_host(weights, F32, [4, 3], devices[0])]
        loaded = client.deserialize_executable(step.serialize())
        for called in (step, step, loaded):
            given = state_of[0]
            state_of[0], weights = check(called, weights)
            assert is_refused(called, given, inputs), "an array was donated twice"
        assert is_refused(client.compile, "no program")
        print(step.name, step.compiled_memory_stats())

        @ffi.handler(plugin, "double")
        def double(call):
            (argument,), (result,) = call.args, call.rets
            bytes_of = lambda buffer: (ctypes.c_char * buffer.nbytes).from_address(buffer.data)  # noqa: E731
            np.frombuffer(bytes_of(result), np.float32)[:] = 2 * np.frombuffer(bytes_of(argument), np.float32)

        (doubled,) = client.compile(DOUBLE)(inputs)
        assert np.array_equal(np.from_dlpack(doubled), 2 * x)
    print("all as NumPy computes it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel")
    parser.add_argument("directory", type=pathlib.Path, nargs="?", default=pathlib.Path("build/jax"))
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.probe:
        return probe(args.probe)
    python = environment.make(args.wheel, args.directory, "pypjrt==0.1.1")
    found = subprocess.run([python, "-c", "import pathlib, jax_echo; print(pathlib.Path(jax_echo.__file__).with_name('libpjrt_echo.so'))"], text=True, capture_output=True, check=True)
    library = found.stdout.strip()
    conform = subprocess.run([python, "-m", "pypjrt.conform", library])
    own = subprocess.run([python, __file__, args.wheel, f"--probe={library}"])
    sys.exit(conform.returncode or own.returncode)


main()
