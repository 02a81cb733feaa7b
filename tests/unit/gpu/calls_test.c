/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of targets that a step makes on a GPU. */
#include <string.h>

#include "dialects/kernel/call_target.h"
#include "echo/echo.h"
#include "jit/runtime/cuda/cuda_t.h"
#include "tests/unit/suite.h"

enum { N = 64 };

static const char STEP[] =
    "func.func @main(%x: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>) {\n"
    "  %k = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %n = stablehlo.constant dense<3> : tensor<i32>\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<64xi8>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %d = stablehlo.add %v, %v : tensor<64xi8>\n"
    "    %e = stablehlo.custom_call @test.copy(%d) {has_side_effect = true, api_version = 4 : i32} "
    ": (tensor<64xi8>) -> tensor<64xi8>\n"
    "    %f = stablehlo.add %e, %x : tensor<64xi8>\n"
    "    %j = stablehlo.add %i, %k : tensor<i32>\n"
    "    stablehlo.return %j, %f : tensor<i32>, tensor<64xi8>\n"
    "  }\n"
    "  %s = stablehlo.custom_call @test.copy(%0#1) {has_side_effect = true, api_version = 4 : i32} "
    ": (tensor<64xi8>) -> tensor<64xi8>\n"
    "  %m = stablehlo.multiply %0#1, %0#1 : tensor<64xi8>\n"
    "  %r = stablehlo.add %m, %s : tensor<64xi8>\n"
    "  return %s, %r : tensor<64xi8>, tensor<64xi8>\n"
    "}\n";

static EchoCudaDriver driver;
static int n_enqueued, n_left; /* before one fails */

static bool enqueue_copy(const EchoTargetCall *call, void *stream)
{
  ck_assert_uint_eq(call->n_operands, 1);
  ck_assert_ptr_nonnull(stream);
  n_enqueued++;
  if (n_left-- == 0) {
    echo_buffer_append_c(call->error, "it is the one that fails");
    return false;
  }
  return driver.copy((CUdeviceptr)(uintptr_t)call->results[0],
                     (CUdeviceptr)(uintptr_t)call->operands[0], N, stream) == CUDA_SUCCESS;
}

static bool refuse(const EchoTargetCall *call)
{
  echo_buffer_append_c(call->error, "the host was not to call it");
  return false;
}

static EchoCallTarget target = {.name = "test.copy", .summary = "a copy", .run = refuse};

typedef struct Gpu {
  EchoContext *ctx;
  EchoPassRegistry *passes;
  EchoDevice *device;
  EchoExecutable *step;
} Gpu;

static Gpu open_gpu(bool is_enqueued, bool may_overlap)
{
  EchoBuffer error = {0};
  Gpu gpu = {.ctx = echo_context_create(), .passes = echo_pass_registry_create()};
  echo_register_all(gpu.ctx, gpu.passes);
  target.enqueue = is_enqueued ? enqueue_copy : NULL;
  target.may_overlap = may_overlap;
  n_enqueued = 0;
  n_left = -1;
  ck_assert(echo_context_register_call_target(gpu.ctx, &target, &error));
  gpu.device = echo_device_create_named_or_null("cuda", 1, &error);
  ck_assert_msg(gpu.device != NULL && echo_cuda_driver_load(&driver, &error), "%s",
                echo_buffer_c_str(&error));
  EchoOp *module = echo_parse_text_or_null(gpu.ctx, ECHO_STR("step.mlir"), ECHO_STR(STEP));
  gpu.step = echo_compile_or_null(gpu.ctx, gpu.passes, gpu.device, module, NULL, NULL);
  return gpu;
}

static void close_gpu(Gpu *gpu)
{
  echo_executable_destroy(gpu->step);
  echo_device_destroy(gpu->device);
  echo_pass_registry_destroy(gpu->passes);
  echo_context_destroy(gpu->ctx);
}

static bool run(Gpu *gpu, int8_t *first, int8_t *second)
{
  int8_t x[N];
  for (int i = 0; i < N; i++)
    x[i] = (int8_t)(i - 5);
  EchoDeviceBuffer *arg = echo_device_buffer_create_or_null(gpu->ctx, gpu->device, N);
  EchoDeviceBuffer *results[2] = {NULL, NULL};
  ck_assert(echo_device_buffer_write(gpu->ctx, arg, x, N));
  bool ok = echo_executable_execute(gpu->step, &arg, 1, results, 2);
  if (ok) {
    ck_assert(echo_device_buffer_read(gpu->ctx, results[0], first, N));
    ck_assert(echo_device_buffer_read(gpu->ctx, results[1], second, N));
  }
  echo_device_buffer_destroy(arg);
  for (int i = 0; i < 2; i++)
    echo_device_buffer_destroy(results[i]);
  return ok;
}

/* In a loop, beside the program and not, run again, and launch by launch. */
START_TEST(a_call_is_enqueued)
{
  int8_t first[N], second[N];
  Gpu gpu = open_gpu(true, _i % 2 != 0);
  ck_assert_ptr_nonnull(gpu.step);
  echo_executable_time_kernels(gpu.step, _i >= 2);
  for (int n = 1; n <= 2; n++) {
    ck_assert(run(&gpu, first, second));
    ck_assert_int_eq(n_enqueued, 4 * n);
    for (int i = 0; i < N; i++) {
      int8_t expected = (int8_t)(15 * (i - 5));
      ck_assert_int_eq(first[i], expected);
      ck_assert_int_eq(second[i], (int8_t)(expected * expected + expected));
    }
  }
  ck_assert_int_eq(echo_device_call_times(gpu.device).n_calls != 0, _i % 2);
  close_gpu(&gpu);
}
END_TEST

/* The run ends where it stands, and nothing is left under way. */
START_TEST(a_call_that_fails)
{
  int8_t first[N], second[N];
  Gpu gpu = open_gpu(true, true);
  n_left = 2;
  ck_assert(!run(&gpu, first, second));
  ck_assert_int_eq(n_enqueued, 3);
  size_t n = echo_context_n_diagnostics(gpu.ctx);
  const char *said = echo_context_diagnostic(gpu.ctx, n - 1)->message;
  ck_assert_msg(strstr(said, "calls 'test.copy', which failed: it is the one that fails") != NULL,
                "%s", said);
  n_left = -1;
  ck_assert(run(&gpu, first, second));
  close_gpu(&gpu);
}
END_TEST

START_TEST(one_of_the_host_is_refused)
{
  Gpu gpu = open_gpu(false, false);
  ck_assert_ptr_null(gpu.step);
  size_t n = echo_context_n_diagnostics(gpu.ctx);
  const char *said = echo_context_diagnostic(gpu.ctx, n - 1)->message;
  ck_assert_msg(strstr(said, "which runs on the CPU: a GPU cannot call it") != NULL, "%s", said);
  close_gpu(&gpu);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("calls");
  TCase *tests = tcase_create("calls");
  tcase_add_loop_test(tests, a_call_is_enqueued, 0, 4);
  tcase_add_test(tests, a_call_that_fails);
  tcase_add_test(tests, one_of_the_host_is_refused);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
