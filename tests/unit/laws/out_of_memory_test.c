/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 6, where memory ends: whichever allocation fails, the hook is called once and nothing is
 * touched after it. Each attempt runs in a process of its own, which the default hook ends with
 * status 1. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "dialects/dialects.h"
#include "echo_pass/echo_pass.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/compile.h"
#include "lowering/lowering.h"
#include "tests/unit/suite.h"

static const char MODULE[] =
    "#map = affine_map<(d0) -> (d0 + 1)>\n"
    "func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {\n"
    "  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>\n"
    "  %1 = stablehlo.add %a, %0 : tensor<4x8xf32> loc(\"f.c\":1:2)\n"
    "  %2 = \"other.op\"(%1) {map = #map, list = [1 : i32, \"text\", dense<[1.0, 2.0]> : "
    "tensor<2xf32>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
    "  return %2 : tensor<4x8xf32>\n"
    "}\n";

/* Parses, verifies, complains and prints. True when all went well. */
static bool parse_and_print(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_allow_unregistered(ctx, true);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("f.mlir"), ECHO_STR(MODULE));
  EchoBuffer text = {0};
  bool ok = module != NULL && echo_verify(module);
  if (ok) {
    echo_op_warning(module, "about %d", 1);
    echo_print_op(module, &(EchoPrintOptions){.debug_info = true}, &text);
    ok = text.size > 100;
  }
  echo_buffer_destroy(&text);
  echo_context_destroy(ctx);
  return ok;
}

static const char STEP[] =
    "func.func @main(%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x8xf32>) -> "
    "(tensor<8x8xf32>, tensor<f32>) {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, "
    "tensor<8x8xf32>) -> tensor<4x8xf32>\n"
    "  %1 = stablehlo.tanh %0 : tensor<4x8xf32>\n"
    "  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : "
    "(tensor<4x8xf32>, tensor<f32>) -> tensor<f32>\n"
    "  %3 = \"nn.gradient\"(%2, %w) : (tensor<f32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "  %4 = stablehlo.subtract %w, %3 : tensor<8x8xf32>\n"
    "  return %4, %2 : tensor<8x8xf32>, tensor<f32>\n"
    "}\n";

static void execute(EchoDevice *device, EchoExecutable *executable)
{
  EchoDeviceBuffer *args[2], *results[2];
  static const float zeros[64];
  for (size_t i = 0; i < 2; i++) {
    uint64_t bytes = echo_type_static_bytes(echo_executable_arg_type(executable, i));
    args[i] = echo_device_buffer_create_or_null(NULL, device, bytes);
    echo_device_buffer_write(NULL, args[i], zeros, bytes);
  }
  if (echo_executable_execute(executable, args, 2, results, 2))
    echo_device_buffer_destroy(results[1]);
  echo_device_buffer_destroy(args[0]);
  echo_device_buffer_destroy(args[1]);
}

/* A training step through all stages, machine code and one run. */
static bool compile_and_run(void)
{
  EchoContext *ctx = echo_context_create();
  EchoPassRegistry *passes = echo_pass_registry_create();
  EchoDevice *device = echo_device_create_cpu(1);
  EchoCompileOptions options = {.echo = "budget=min"};
  echo_register_dialects(ctx);
  echo_register_ir_passes(passes);
  echo_register_lowering_passes(passes);
  echo_register_echo_passes(passes);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("step.mlir"), ECHO_STR(STEP));
  EchoExecutable *executable =
      module != NULL ? echo_compile_or_null(ctx, passes, device, module, &options, NULL) : NULL;
  if (executable != NULL)
    execute(device, executable);
  echo_executable_destroy(executable);
  echo_device_destroy(device);
  echo_pass_registry_destroy(passes);
  echo_context_destroy(ctx);
  return executable != NULL;
}

enum { FINE = 0, OUT_OF_MEMORY = 1, WRONG = 2 };

static int status_with_failure_at(uint64_t n, bool (*work)(void))
{
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    echo_memory_fail_at(n);
    _exit(work() ? FINE : WRONG);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status), "killed by signal %d when allocation %llu failed",
                WTERMSIG(status), (unsigned long long)n);
  return WEXITSTATUS(status);
}

START_TEST(every_allocation_may_fail)
{
  ck_assert_int_eq(status_with_failure_at(0, parse_and_print), FINE);
  uint64_t n = 1;
  int status;
  while ((status = status_with_failure_at(n, parse_and_print)) == OUT_OF_MEMORY)
    ++n;
  ck_assert_int_eq(status, FINE); /* fewer than n allocations were made */
  ck_assert_uint_gt(n, 20);
}
END_TEST

/* A compile makes thousands: each of the first, then fewer and fewer. */
START_TEST(allocations_of_a_compile_may_fail)
{
  ck_assert_int_eq(status_with_failure_at(0, compile_and_run), FINE);
  uint64_t n = 1;
  int status;
  while ((status = status_with_failure_at(n, compile_and_run)) == OUT_OF_MEMORY)
    n += 1 + n / TEST_SIZE(50, 4);
  ck_assert_int_eq(status, FINE);
  ck_assert_uint_gt(n, 500);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("out_of_memory");
  TCase *cases = tcase_create("out_of_memory");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, every_allocation_may_fail);
  tcase_add_test(cases, allocations_of_a_compile_may_fail);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
