/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fuzzes GPU kernels with the training steps of graph_fuzz, on the GPU that the loader finds, which
 * is the emulated one of tests/gpu: what that finds (accesses out of bounds or misaligned, reads of
 * what nothing wrote, races) is an error of the run. Of each step it is checked that
 *   - every op computes what the interpreter computes, within the bounds that the CPU has to keep;
 *   - Echo, other results and other prices leave its bits alone, swapped values come back whole;
 *   - what is planned is what the device hands out, to the byte.
 *
 * A failure prints the module's text. */
#include <stdio.h>

#include "jit/runtime/device.h"
#include "tests/fuzz/graph_fuzz/checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Values that wait in the host's memory; other device models, by whose prices other kernels come
 * about. */
static void check_plans(Bytes *bytes, EchoStr step, const Run *off, Settings settings)
{
  static const char *const MODELS[] = {"gpu-a100-40g", "gpu-h100-80g"};
  Run other;
  settings.echo = "budget=min,swap=on";
  run_or_fail(&other, step, &settings);
  expect_same("swapping changes bits", off, &other, 0, off->n_results);
  run_destroy(&other);
  settings.echo = NULL;
  settings.device = MODELS[draw(bytes, 2)];
  run_or_fail(&other, step, &settings);
  expect_same("prices change bits", off, &other, 0, off->n_results);
  run_destroy(&other);
}

static void check_step(Bytes *bytes, EchoStr text, EchoStr step, const Settings *settings)
{
  (void)text;
  Run off;
  run_or_fail(&off, step, settings);
  check_echo(bytes, step, &off, *settings);
  if (draw(bytes, 2) == 0)
    check_plans(bytes, step, &off, *settings);
  check_every_op(step, &off, settings);
  run_destroy(&off);
}

/* Of the GPU that there is, which is looked for once. */
static const char *find_target(void)
{
  static char target[32];
  if (target[0] != '\0')
    return target;
  EchoBuffer error = {0};
  EchoDevice *device = echo_device_create_cuda_or_null(0, &error);
  if (device == NULL)
    fail("there is no GPU (LD_LIBRARY_PATH=build/gpu has an emulated one)", &error);
  snprintf(target, sizeof target, "%s", echo_device_target(device));
  echo_device_destroy(device);
  return target;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const Scale *const SCALES[] = {&SMALL_SCALE, &MIDDLE_SCALE, &LARGE_SCALE};
  Generator generator = {.bytes = {.data = data, .size = size}};
  generator.scale = SCALES[draw(&generator.bytes, 3)];
  check_input(&generator, find_target(), check_step);
  return 0;
}
