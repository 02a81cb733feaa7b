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
static bool is_enqueued;
static int n_called, n_left; /* before one fails */

/* Whether it is the one that fails. */
static bool fails(const EchoTargetCall *call)
{
  ck_assert_uint_eq(call->n_operands, 1);
  n_called++;
  if (n_left-- != 0)
    return false;
  echo_buffer_append_c(call->error, "it is the one that fails");
  return true;
}

static bool enqueue_copy(const EchoTargetCall *call, void *stream)
{
  ck_assert_ptr_nonnull(stream);
  return !fails(call) &&
         driver.copy((CUdeviceptr)(uintptr_t)call->results[0],
                     (CUdeviceptr)(uintptr_t)call->operands[0], N, stream) == CUDA_SUCCESS;
}

/* What a GPU can ask for it does not leave to its host. */
static bool copy_here(const EchoTargetCall *call)
{
  ck_assert(!is_enqueued);
  if (fails(call))
    return false;
  memcpy(call->results[0], call->operands[0], N);
  return true;
}

static EchoCallTarget target = {.name = "test.copy", .summary = "a copy", .run = copy_here};

typedef struct Gpu {
  EchoContext *ctx;
  EchoPassRegistry *passes;
  EchoDevice *device;
  EchoExecutable *step;
} Gpu;

static Gpu open_gpu(bool of_stream, bool may_overlap)
{
  EchoBuffer error = {0};
  Gpu gpu = {.ctx = echo_context_create(), .passes = echo_pass_registry_create()};
  echo_register_all(gpu.ctx, gpu.passes);
  is_enqueued = of_stream;
  target.enqueue = of_stream ? enqueue_copy : NULL;
  target.may_overlap = may_overlap;
  n_called = 0;
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

/* On a stream and by the host; in a loop, beside the program and not, run again, and launch by
 * launch. What the host calls is over when the program goes on: it is never beside it. */
START_TEST(a_call_is_made)
{
  int8_t first[N], second[N];
  bool of_stream = _i < 4;
  Gpu gpu = open_gpu(of_stream, _i % 2 != 0);
  ck_assert_ptr_nonnull(gpu.step);
  ck_assert_int_eq(echo_executable_memory(gpu.step).host_bytes != 0, !of_stream);
  echo_executable_time_kernels(gpu.step, _i % 4 >= 2);
  for (int n = 1; n <= 2; n++) {
    ck_assert(run(&gpu, first, second));
    ck_assert_int_eq(n_called, 4 * n);
    for (int i = 0; i < N; i++) {
      int8_t expected = (int8_t)(15 * (i - 5));
      ck_assert_int_eq(first[i], expected);
      ck_assert_int_eq(second[i], (int8_t)(expected * expected + expected));
    }
  }
  ck_assert_int_eq(echo_device_call_times(gpu.device).n_calls != 0, of_stream && _i % 2 != 0);
  close_gpu(&gpu);
}
END_TEST

/* The run ends where it stands, and nothing is left under way. */
START_TEST(a_call_that_fails)
{
  int8_t first[N], second[N];
  Gpu gpu = open_gpu(_i == 0, true);
  n_left = 2;
  ck_assert(!run(&gpu, first, second));
  ck_assert_int_eq(n_called, 3);
  size_t n = echo_context_n_diagnostics(gpu.ctx);
  const char *said = echo_context_diagnostic(gpu.ctx, n - 1)->message;
  ck_assert_msg(strstr(said, "calls 'test.copy', which failed: it is the one that fails") != NULL,
                "%s", said);
  n_left = -1;
  ck_assert(run(&gpu, first, second));
  close_gpu(&gpu);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("calls");
  TCase *tests = tcase_create("calls");
  tcase_add_loop_test(tests, a_call_is_made, 0, 8);
  tcase_add_loop_test(tests, a_call_that_fails, 0, 2);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
