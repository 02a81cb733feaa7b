/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/exec/emulated.h"

#include <check.h>

#include "jit/image_t.h"
#include "jit/runtime/cuda/code_t.h"

/* One for the whole process: Check runs each test in one of its own. */
static EchoCuda *open_device(void)
{
  static EchoCuda *cuda;
  EchoBuffer error = {0};
  if (cuda == NULL)
    cuda = echo_cuda_create_or_null(0, &error);
  ck_assert_msg(cuda != NULL, "%s", echo_buffer_c_str(&error));
  return cuda;
}

static bool launch(EchoContext *ctx, EchoCuda *cuda, const EchoCudaCode *code, void **parameters)
{
  bool ok = true;
  for (size_t k = 0; k < code->kernels.size; k++)
    for (size_t p = 0; p < code->kernels.data[k].n_phases && ok; p++) {
      const EchoCudaPhase *phase = &code->kernels.data[k].phases[p];
      if (phase->grid == 0)
        continue;
      CUresult result = cuda->driver.launch(phase->function, phase->grid, 1, 1, phase->block, 1, 1,
                                            phase->shared_bytes, cuda->compute, parameters, NULL);
      ok = echo_cuda_check(ctx, cuda, result, "cuLaunchKernel", phase->name) &&
           echo_cuda_check(ctx, cuda, cuda->driver.stream_synchronize(cuda->compute),
                           "cuStreamSynchronize", phase->name);
    }
  return ok;
}

bool exec_emulate(EchoContext *ctx, EchoOp *module, void *const *buffers, const uint64_t *n_bytes,
                  size_t n_inputs, size_t n)
{
  EchoCuda *cuda = open_device();
  const EchoDeviceMethods *methods = &ECHO_CUDA_METHODS;
  EchoImage image;
  EchoCudaCode code = {.cuda = cuda};
  void *addresses[128] = {NULL}, *parameters[128];
  bool ok = echo_image_for_gpu(ctx, module, cuda->target, &image) &&
            echo_cuda_code_load(&code, ctx, cuda, &image);
  for (size_t i = 0; i < n && ok; i++) {
    parameters[i] = &addresses[i];
    if (n_bytes[i] == 0)
      continue;
    addresses[i] = methods->allocate(ctx, cuda, n_bytes[i]);
    ok = addresses[i] != NULL &&
         (i >= n_inputs || methods->write(ctx, cuda, addresses[i], buffers[i], n_bytes[i]));
  }
  ok = ok && launch(ctx, cuda, &code, parameters);
  for (size_t i = n_inputs; i < n && ok; i++)
    ok = n_bytes[i] == 0 || methods->read(ctx, cuda, addresses[i], buffers[i], n_bytes[i]);
  for (size_t i = 0; i < n; i++)
    if (addresses[i] != NULL)
      methods->release(cuda, addresses[i]);
  echo_cuda_code_destroy(&code);
  echo_image_destroy(&image);
  return ok;
}
