/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/gpu/device.h"

#include <check.h>
#include <stdlib.h>

static const char HEAD[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n.maxntid 1024, 1, 1\n{\n"
    ".reg .pred %p<16>;\n.reg .b32 %r<64>;\n.reg .f32 %f<64>;\n.reg .b64 %rd<32>;\n"
    ".reg .b16 %h<16>;\n.reg .b32 %t, %b, %i, %n;\n"
    ".shared .align 16 .b8 s[8192];\n"
    "ld.param.u64 %rd0, [a];\nld.param.u64 %rd1, [b];\nld.param.u64 %rd2, [c];\n"
    "cvta.to.global.u64 %rd0, %rd0;\ncvta.to.global.u64 %rd1, %rd1;\n"
    "cvta.to.global.u64 %rd2, %rd2;\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.u32 %n, %ntid.x;\n"
    "mad.lo.s32 %i, %b, %n, %t;\n";

void test_gpu_open(TestGpu *gpu, const char *body)
{
  EchoBuffer text = {0}, error = {0};
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  *gpu = (TestGpu){0};
  bool is_loaded = echo_cuda_driver_load(&gpu->driver, &error);
  ck_assert_msg(is_loaded, "%s", echo_buffer_c_str(&error));
  ck_assert_int_eq(gpu->driver.init(0), CUDA_SUCCESS);
  ck_assert_int_eq(gpu->driver.context_retain(&gpu->context, 0), CUDA_SUCCESS);
  ck_assert_int_eq(gpu->driver.stream_create(&gpu->stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  echo_buffer_printf(&text, "%s%s\nret;\n}\n", HEAD, body);
  CUresult result =
      gpu->driver.module_load(&gpu->module, echo_buffer_c_str(&text), 2, options, values);
  ck_assert_msg(result == CUDA_SUCCESS, "%s\n%s", log, echo_buffer_c_str(&text));
  ck_assert_int_eq(gpu->driver.function_get(&gpu->function, gpu->module, "k"), CUDA_SUCCESS);
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&error);
}

void test_gpu_close(TestGpu *gpu)
{
  for (size_t i = 0; i < gpu->n_buffers; i++)
    gpu->driver.memory_free(gpu->buffers[i]);
  gpu->driver.module_unload(gpu->module);
  gpu->driver.stream_destroy(gpu->stream);
  gpu->driver.context_release(0);
}

CUdeviceptr test_gpu_buffer(TestGpu *gpu, const void *data, size_t n_bytes)
{
  CUdeviceptr address = 0;
  ck_assert_uint_lt(gpu->n_buffers, 8);
  ck_assert_int_eq(gpu->driver.memory_alloc(&address, n_bytes), CUDA_SUCCESS);
  gpu->buffers[gpu->n_buffers++] = address;
  if (data == NULL)
    return address;
  ck_assert_int_eq(gpu->driver.copy_in(address, data, n_bytes, gpu->stream), CUDA_SUCCESS);
  ck_assert_int_eq(gpu->driver.stream_synchronize(gpu->stream), CUDA_SUCCESS);
  return address;
}

void test_gpu_read(TestGpu *gpu, CUdeviceptr from, void *to, size_t n_bytes)
{
  ck_assert_int_eq(gpu->driver.copy_out(to, from, n_bytes, gpu->stream), CUDA_SUCCESS);
  ck_assert_int_eq(gpu->driver.stream_synchronize(gpu->stream), CUDA_SUCCESS);
}

CUresult test_gpu_launch(TestGpu *gpu, CUstream stream, unsigned grid, unsigned block,
                         CUdeviceptr a, CUdeviceptr b, CUdeviceptr c)
{
  void *parameters[] = {&a, &b, &c};
  return gpu->driver.launch(gpu->function, grid, 1, 1, block, 1, 1, 0, stream, parameters, NULL);
}

CUresult test_gpu_run(TestGpu *gpu, unsigned grid, unsigned block, CUdeviceptr a, CUdeviceptr b,
                      CUdeviceptr c)
{
  CUresult result = test_gpu_launch(gpu, gpu->stream, grid, block, a, b, c);
  return result != CUDA_SUCCESS ? result : gpu->driver.stream_synchronize(gpu->stream);
}
