/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an embedder hands over is checked: each call with one argument that does not fit answers
 * false or NULL, names the argument in a diagnostic, and runs nothing. */
#include <signal.h>

#include "echo/echo.h"
#include "tests/unit/suite.h"

static const char STEP[] =
    "func.func @main(%w: tensor<16x32xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<16x32xf32>, "
    "%y: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {\n"
    "  %0 = stablehlo.add %w, %x : tensor<16x32xf32>\n"
    "  %1 = stablehlo.multiply %x, %y : tensor<16x32xf32>\n"
    "  return %0, %1 : tensor<16x32xf32>, tensor<16x32xf32>\n"
    "}\n";

enum { N = 512, BYTES = N * sizeof(float) };

typedef struct Door {
  EchoContext *ctx;
  EchoPassRegistry *passes;
  EchoDevice *device;
  EchoOp *module;
  EchoExecutable *step;
  EchoDeviceBuffer *args[3], *results[2];
} Door;

static Door door_open(void)
{
  Door door = {.ctx = echo_context_create(), .passes = echo_pass_registry_create()};
  echo_register_all(door.ctx, door.passes);
  door.device = echo_device_create_cpu(1);
  door.module = echo_parse_text_or_null(door.ctx, ECHO_STR("step.mlir"), ECHO_STR(STEP));
  return door;
}

static Door door_open_compiled(void)
{
  Door door = door_open();
  door.step = echo_compile_or_null(door.ctx, door.passes, door.device, door.module, NULL, NULL);
  ck_assert_ptr_nonnull(door.step);
  static float ones[N];
  for (size_t i = 0; i < N; i++)
    ones[i] = 1;
  for (size_t i = 0; i < 3; i++) {
    door.args[i] = echo_device_buffer_create_or_null(door.ctx, door.device, BYTES);
    ck_assert(echo_device_buffer_write(door.ctx, door.args[i], ones, BYTES));
  }
  return door;
}

static void door_close(Door *door)
{
  for (size_t i = 0; i < 3; i++)
    echo_device_buffer_destroy(door->args[i]);
  echo_executable_destroy(door->step);
  echo_device_destroy(door->device);
  echo_pass_registry_destroy(door->passes);
  echo_context_destroy(door->ctx);
}

/* The last diagnostic says this. */
static void expect(const Door *door, uint64_t n_errors, const char *message)
{
  size_t n = echo_context_n_diagnostics(door->ctx);
  ck_assert_uint_eq(echo_context_n_errors(door->ctx), n_errors);
  ck_assert_str_eq(echo_context_diagnostic(door->ctx, n - 1)->message, message);
}

/* Argument 0 is as it was: nothing has run. */
static void expect_untouched(const Door *door)
{
  float w[N];
  ck_assert(echo_device_buffer_read(NULL, door->args[0], w, BYTES));
  for (size_t i = 0; i < N; i++)
    ck_assert_float_eq(w[i], 1);
}

START_TEST(buffers_and_copies)
{
  Door door = door_open();
  ck_assert_ptr_null(echo_device_buffer_create_or_null(door.ctx, NULL, 8));
  expect(&door, 1, "a buffer is created, but 'device' is NULL");
  ck_assert_ptr_null(echo_device_buffer_create_or_null(door.ctx, door.device, UINT64_MAX - 8));
  expect(&door, 2,
         "a buffer is created, but 'size_bytes' is 18446744073709551607: no device has as much");
  ck_assert_ptr_null(echo_device_host_buffer_create_or_null(door.ctx, door.device, UINT64_MAX));
  char host[8] = "1234567";
  EchoDeviceBuffer *buffer = echo_device_buffer_create_or_null(door.ctx, door.device, 8);
  ck_assert(echo_device_buffer_write(door.ctx, buffer, host, 8));
  ck_assert(!echo_device_buffer_write(door.ctx, buffer, "x", 1));
  expect(&door, 4, "a buffer of 8 bytes is written, but 'host_bytes' is 1");
  ck_assert(!echo_device_buffer_write(door.ctx, buffer, NULL, 8));
  expect(&door, 5, "a buffer is written, but 'host' is NULL");
  ck_assert(!echo_device_buffer_write(door.ctx, NULL, host, 8));
  expect(&door, 6, "a buffer is written, but 'buffer' is NULL");
  ck_assert(!echo_device_buffer_read(door.ctx, buffer, host, 2048));
  expect(&door, 7, "a buffer of 8 bytes is read, but 'host_bytes' is 2048");
  ck_assert(!echo_device_buffer_read(NULL, NULL, host, 8)); /* nobody is told */
  ck_assert_uint_eq(echo_context_n_errors(door.ctx), 7);
  ck_assert(echo_device_buffer_read(door.ctx, buffer, host, 8));
  ck_assert_str_eq(host, "1234567");
  echo_device_buffer_destroy(buffer);
  door_close(&door);
}
END_TEST

START_TEST(counts_and_lists_of_a_run)
{
  Door door = door_open_compiled();
  ck_assert(!echo_executable_execute(NULL, door.args, 3, door.results, 2));
  ck_assert(!echo_executable_execute(door.step, door.args, 2, door.results, 2));
  expect(&door, 1, "'n_args' is 2, but there are 3 arguments");
  ck_assert(!echo_executable_execute(door.step, door.args, 3, door.results, 1));
  expect(&door, 2, "'n_results' is 1, but there are 2 results");
  ck_assert(!echo_executable_execute(door.step, NULL, 3, door.results, 2));
  expect(&door, 3, "'args' is NULL, but there are 3 arguments");
  ck_assert(!echo_executable_execute(door.step, door.args, 3, NULL, 2));
  expect(&door, 4, "'results' is NULL, but there are 2 results");
  expect_untouched(&door);
  door_close(&door);
}
END_TEST

START_TEST(buffers_of_a_run)
{
  Door door = door_open_compiled();
  EchoDevice *other = echo_device_create_cpu(1);
  EchoDeviceBuffer *wrong[] = {echo_device_buffer_create_or_null(door.ctx, door.device, 8),
                               echo_device_buffer_create_or_null(door.ctx, other, BYTES),
                               echo_device_host_buffer_create_or_null(door.ctx, door.device, BYTES),
                               NULL};
  static const char *const messages[] = {
      "'args[2]' has 8 bytes, but argument 2, tensor<16x32xf32>, has 2048",
      "'args[2]' is a buffer of another device",
      "'args[2]' is in the host's memory, but argument 2 is to be in the device's",
      "'args[2]' is NULL"};
  for (size_t i = 0; i < 4; i++) {
    EchoDeviceBuffer *args[] = {door.args[0], door.args[1], wrong[i]};
    ck_assert(!echo_executable_execute(door.step, args, 3, door.results, 2));
    expect(&door, i + 1, messages[i]);
    expect_untouched(&door);
    echo_device_buffer_destroy(wrong[i]);
  }
  /* One buffer twice: fine for what is only read, not for what is overwritten. */
  EchoDeviceBuffer *twice[] = {door.args[0], door.args[1], door.args[0]};
  ck_assert(!echo_executable_execute(door.step, twice, 3, door.results, 2));
  expect(&door, 5, "'args[0]' and 'args[2]' are one buffer, but a run overwrites argument 0");
  expect_untouched(&door);
  EchoDeviceBuffer *shared[] = {door.args[0], door.args[1], door.args[1]};
  ck_assert(echo_executable_execute(door.step, shared, 3, door.results, 2));
  ck_assert_ptr_eq(door.results[0], door.args[0]);
  float w[N];
  ck_assert(echo_device_buffer_read(door.ctx, door.results[0], w, BYTES));
  ck_assert_float_eq(w[N - 1], 2);
  echo_device_buffer_destroy(door.results[1]);
  echo_device_destroy(other);
  door_close(&door);
}
END_TEST

/* Arguments 2 and result 1 in the host's memory, where they no longer count as the device's. */
START_TEST(memories_of_a_run)
{
  Door door = door_open_compiled();
  const bool args[] = {false, false, true}, results[] = {false, true};
  ck_assert(!echo_executable_put_in_host(NULL, args, results));
  ck_assert(!echo_executable_put_in_host(door.step, NULL, results));
  expect(&door, 1, "'args' is NULL, which says what is in the host's memory");
  ck_assert(!echo_executable_put_in_host(door.step, args, NULL));
  expect(&door, 2, "'results' is NULL, which says what is in the host's memory");
  EchoExecutableMemory before = echo_executable_memory(door.step);
  ck_assert(echo_executable_put_in_host(door.step, args, results));
  EchoExecutableMemory after = echo_executable_memory(door.step);
  ck_assert_uint_eq(after.peak_bytes, before.peak_bytes - 2 * BYTES);
  ck_assert_uint_eq(after.host_bytes, before.host_bytes + 2 * BYTES);
  ck_assert(!echo_executable_execute(door.step, door.args, 3, door.results, 2));
  expect(&door, 3, "'args[2]' is in the device's memory, but argument 2 is to be in the host's");
  expect_untouched(&door);
  EchoDeviceBuffer *host = echo_device_host_buffer_create_or_null(door.ctx, door.device, BYTES);
  float two[N], product[N];
  for (size_t i = 0; i < N; i++)
    two[i] = 2;
  ck_assert(echo_device_buffer_write(door.ctx, host, two, BYTES));
  EchoDeviceBuffer *given[] = {door.args[0], door.args[1], host};
  ck_assert(echo_executable_execute(door.step, given, 3, door.results, 2));
  ck_assert(echo_device_has_host_buffer(door.device, door.results[1]));
  ck_assert(echo_device_buffer_read(door.ctx, door.results[1], product, BYTES));
  ck_assert_float_eq(product[N - 1], 2);
  echo_device_buffer_destroy(door.results[1]);
  echo_device_buffer_destroy(host);
  door_close(&door);
}
END_TEST

START_TEST(arguments_of_a_compile)
{
  Door door = door_open(), other = door_open();
  const EchoCompileOptions gpu = {.target = "sm_80"}, none = {.target = "sm_999"};
  EchoBuffer ptx = {0};
  ck_assert_ptr_null(echo_compile_or_null(NULL, door.passes, door.device, door.module, NULL, NULL));
  ck_assert_ptr_null(echo_compile_or_null(door.ctx, NULL, door.device, door.module, NULL, NULL));
  expect(&door, 1, "a module is compiled, but 'passes' is NULL");
  ck_assert_ptr_null(echo_compile_or_null(door.ctx, door.passes, NULL, door.module, NULL, NULL));
  expect(&door, 2, "a module is compiled, but 'device' is NULL");
  ck_assert_ptr_null(echo_compile_or_null(door.ctx, door.passes, door.device, NULL, NULL, NULL));
  expect(&door, 3, "a module is compiled, but 'module' is NULL");
  ck_assert_ptr_null(
      echo_compile_or_null(door.ctx, door.passes, door.device, other.module, NULL, NULL));
  expect(&door, 4, "a module is compiled, but 'module' is of another context");
  ck_assert_ptr_null(
      echo_compile_or_null(door.ctx, door.passes, door.device, door.module, &gpu, NULL));
  expect(&door, 5, "'options->target' is 'sm_80', but the device is 'cpu'");
  ck_assert(!echo_compile_ptx(door.ctx, door.passes, door.module, NULL, &ptx));
  expect(&door, 6, "PTX is asked for, but 'options->target' names no GPU");
  ck_assert(!echo_compile_ptx(door.ctx, door.passes, door.module, &none, &ptx));
  expect(&door, 7, "PTX is asked for, but 'options->target' names no GPU");
  ck_assert(!echo_compile_ptx(door.ctx, door.passes, door.module, &gpu, NULL));
  expect(&door, 8, "PTX is asked for, but 'out' is NULL");
  ck_assert(!echo_compile_pipeline(door.ctx, door.passes, door.module, NULL));
  expect(&door, 9, "a pipeline is run, but 'pipeline' is NULL");
  ck_assert(!echo_compile_to_stage(door.ctx, door.passes, door.module, ECHO_N_STAGES, NULL, NULL));
  expect(&door, 10, "'stage' is 8, which is none");
  EchoOp *func = echo_op_body(door.module, 0)->first;
  ck_assert(!echo_compile_pipeline(door.ctx, door.passes, func, "cse"));
  expect(&door, 11, "'func.func' op is given as 'module', but it is none");
  ck_assert_ptr_null(echo_executable_create_or_null(door.ctx, door.device, door.module, NULL));
  expect(&door, 12, "'builtin.module' op is at stage 'model', an executable is made of 'loops'");
  ck_assert_ptr_null(echo_executable_create_or_null(door.ctx, NULL, door.module, NULL));
  expect(&door, 13, "an executable is created, but 'device' is NULL");
  ck_assert_ptr_null(echo_executable_create_or_null(door.ctx, door.device, NULL, NULL));
  expect(&door, 14, "an executable is created, but 'module' is NULL");
  ck_assert_ptr_null(echo_executable_create_or_null(door.ctx, door.device, other.module, NULL));
  expect(&door, 15, "an executable is created, but 'module' is of another context");
  ck_assert_ptr_null(echo_executable_create_or_null(door.ctx, door.device, func, NULL));
  expect(&door, 16, "'func.func' op is given as 'module', but it is none");
  /* After all that the module still compiles, and gives PTX. */
  ck_assert(echo_compile_pipeline(door.ctx, door.passes, door.module, "canonicalize,cse"));
  ck_assert(echo_compile_ptx(door.ctx, door.passes, door.module, &gpu, &ptx));
  ck_assert_ptr_nonnull(strstr(echo_buffer_c_str(&ptx), ".target sm_80"));
  echo_buffer_destroy(&ptx);
  door_close(&door);
  door_close(&other);
}
END_TEST

START_TEST(a_module_is_verified_first)
{
  Door door = door_open();
  EchoOp *add = echo_op_body(echo_op_body(door.module, 0)->first, 0)->first;
  echo_value_set_type(echo_op_result(add, 0), echo_type_f32(door.ctx));
  ck_assert_ptr_null(
      echo_compile_or_null(door.ctx, door.passes, door.device, door.module, NULL, NULL));
  ck_assert_uint_ge(echo_context_n_errors(door.ctx), 1);
  door_close(&door);
}
END_TEST

START_TEST(functions_under_construction)
{
  Door door = door_open();
  const EchoType *f32 = echo_type_f32(door.ctx);
  const EchoType *missing[] = {f32, NULL};
  EchoBuilder body;
  ck_assert_ptr_null(echo_func_build(NULL, "main", NULL, 0, &body));
  ck_assert_ptr_null(echo_func_build(door.module, NULL, NULL, 0, &body));
  expect(&door, 1, "'builtin.module' op is given a function, but 'name' is NULL");
  ck_assert_ptr_null(echo_func_build(door.module, "f", NULL, 0, NULL));
  expect(&door, 2, "'builtin.module' op is given function 'f', but 'body' is NULL");
  ck_assert_ptr_null(echo_func_build(door.module, "f", NULL, 2, &body));
  expect(&door, 3,
         "'builtin.module' op is given function 'f', but 'inputs' is NULL and 'n_inputs' 2");
  ck_assert_ptr_null(echo_func_build(door.module, "f", missing, 2, &body));
  expect(&door, 4, "'builtin.module' op is given function 'f', but 'inputs[1]' is NULL");
  EchoOp *func = echo_func_build(door.module, "f", missing, 1, &body);
  ck_assert_ptr_null(echo_func_build(func, "g", NULL, 0, &body));
  expect(&door, 5, "'func.func' op is given as 'module', but it is none");
  const EchoAttr *zero = echo_attr_i32(door.ctx, 0);
  ck_assert(!echo_func_set_arg_attr(func, 1, "tf.aliasing_output", zero));
  expect(&door, 6, "'func.func' op has 1 arguments, but 'arg' is 1");
  ck_assert(!echo_func_set_arg_attr(func, 0, NULL, zero));
  expect(&door, 7, "'func.func' op is given an argument's attribute, but 'name' is NULL");
  ck_assert(!echo_func_set_arg_attr(door.module, 0, "a.b", zero));
  expect(&door, 8, "'builtin.module' op is given as 'func', but it is no function");
  EchoBuilder outside = echo_builder_at_end(door.ctx, NULL);
  ck_assert(!echo_func_build_return(&outside, NULL, 0));
  expect(&door, 9, "a function returns, but 'body' builds in none");
  EchoValue *x = echo_block_arg(body.block, 0);
  ck_assert(echo_func_set_arg_attr(func, 0, "test.mark", zero));
  ck_assert(echo_func_build_return(&body, &x, 1));
  ck_assert(echo_verify(door.module));
  door_close(&door);
}
END_TEST

START_TEST(shorthands)
{
  Door door = door_open();
  EchoContext *ctx = door.ctx;
  const EchoType *f32 = echo_type_f32(ctx), *index = echo_type_index(ctx);
  const EchoType *types[] = {echo_type_tensor(ctx, (int64_t[]){4, 8}, 2, f32, NULL),
                             echo_type_tensor(ctx, (int64_t[]){3}, 1, f32, NULL), index};
  EchoBuilder b;
  EchoOp *func = echo_func_build(door.module, "f", types, 3, &b);
  ck_assert_ptr_nonnull(func);
  EchoValue *x = echo_block_arg(b.block, 0), *three = echo_block_arg(b.block, 1);
  EchoValue *i = echo_block_arg(b.block, 2);
  const EchoDotDims dot = {0};
  const EchoAttrArg wrong = {"permutation", echo_attr_unit(ctx)};
  uint64_t n = 0;
  /* types, and what a row asks for */
  ck_assert_ptr_null(echo_hlo_tanh(&b, i));
  expect(&door, ++n,
         "'stablehlo.tanh' is built: 'operands[0]', its 'operand', is index, not "
         "tensor of float or complex");
  ck_assert_ptr_null(echo_build_op(&b, "stablehlo.transpose", &x, 1, NULL, 0, NULL, 0));
  ck_assert_uint_eq(echo_context_n_errors(ctx), ++n);
  ck_assert_ptr_null(echo_build_op(&b, "stablehlo.transpose", &x, 1, NULL, 0, &wrong, 1));
  ck_assert_uint_eq(echo_context_n_errors(ctx), ++n);
  /* shapes: the row says what is wrong, and the builder that nothing was built */
  ck_assert_ptr_null(echo_hlo_add(&b, x, three));
  ck_assert_uint_gt(echo_context_n_errors(ctx), n);
  n = echo_context_n_errors(ctx);
  ck_assert_ptr_null(echo_hlo_matmul(&b, x, three));
  ck_assert_uint_gt(echo_context_n_errors(ctx), n);
  /* arguments of the shorthands themselves, each one error */
  n = echo_context_n_errors(ctx);
  ck_assert_ptr_null(echo_hlo_convert(&b, NULL, f32));
  expect(&door, ++n, "'stablehlo.convert' is built: 'operand' is NULL");
  ck_assert_ptr_null(echo_hlo_reshape(&b, i, NULL, 0));
  expect(&door, ++n, "'stablehlo.reshape' is built: 'operand' is index, not a ranked tensor");
  ck_assert_ptr_null(echo_hlo_transpose(&b, x, NULL));
  expect(&door, ++n, "'stablehlo.transpose' is built: 'permutation' is NULL");
  ck_assert_ptr_null(echo_hlo_slice(&b, x, NULL, NULL, NULL));
  expect(&door, ++n, "'stablehlo.slice' is built: 'start' is NULL");
  ck_assert_ptr_null(echo_hlo_constant_f64(&b, f32, 1));
  expect(&door, ++n, "'stablehlo.constant' is built: 'type' is f32, not a ranked tensor");
  ck_assert_ptr_null(echo_hlo_dot_general(&b, x, NULL, &dot, NULL));
  expect(&door, ++n, "'stablehlo.dot_general' is built: 'rhs' is NULL");
  ck_assert_ptr_null(echo_hlo_reduce_sum(&b, NULL, NULL, 0));
  expect(&door, ++n, "'stablehlo.reduce' is built: 'operand' is NULL");
  ck_assert_ptr_null(echo_hlo_concatenate(&b, NULL, 2, 0));
  expect(&door, ++n, "'stablehlo.concatenate' is built: 'operands' is NULL, of which there are 2");
  ck_assert_ptr_null(echo_hlo_custom_call(&b, NULL, &x, 1, types, 1));
  expect(&door, ++n, "'stablehlo.custom_call' is built: 'target' is NULL");
  EchoBuilder inside[2];
  ck_assert_ptr_null(echo_hlo_while(&b, NULL, 2, &inside[0], &inside[1]));
  expect(&door, ++n, "'stablehlo.while' is built: 'inits' is NULL, of which there are 2");
  ck_assert_ptr_null(inside[0].block);
  EchoValue *results[3] = {x, x, x};
  echo_nn_adam(&b, x, x, x, x, x, x, NULL, results);
  expect(&door, ++n, "'nn.adam' is built: 'options' is NULL");
  ck_assert_ptr_null(results[2]);
  echo_nn_gradient(&b, x, NULL, 1, results);
  expect(&door, ++n, "'nn.gradient' is built: 'values' is NULL");
  ck_assert_ptr_null(echo_nn_softmax(&b, NULL));
  expect(&door, ++n, "'nn.softmax' is created: 'operands[0]', its 'input', is NULL");
  ck_assert(!echo_func_build_return(&b, NULL, 1));
  /* nothing of all that is there */
  ck_assert_ptr_null(b.block->first);
  door_close(&door);
}
END_TEST

/* A pass that builds what does not fit is a bug of the compiler's, or of its plugin's. */
static bool run_misuse(EchoPassRun *run)
{
  EchoBuilder b = echo_builder_at_end(run->ctx, NULL);
  return echo_hlo_tanh(&b, NULL) != NULL;
}

START_TEST(in_a_pass_it_panics)
{
  static const EchoPass pass = {.name = "misuse", .summary = "builds nothing", .run = run_misuse};
  Door door = door_open();
  echo_pass_registry_add(door.passes, &pass);
  echo_compile_pipeline(door.ctx, door.passes, door.module, "misuse");
}
END_TEST

START_TEST(versions)
{
  ck_assert_int_eq(echo_version(), ECHO_VERSION);
  ck_assert_str_eq(echo_version_text(), ECHO_VERSION_TEXT);
  ck_assert_int_eq(ECHO_VERSION_NUMBER(1, 2, 3), 10203);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("door");
  TCase *tcase = tcase_create("door");
  tcase_add_test(tcase, buffers_and_copies);
  tcase_add_test(tcase, counts_and_lists_of_a_run);
  tcase_add_test(tcase, buffers_of_a_run);
  tcase_add_test(tcase, memories_of_a_run);
  tcase_add_test(tcase, arguments_of_a_compile);
  tcase_add_test(tcase, a_module_is_verified_first);
  tcase_add_test(tcase, functions_under_construction);
  tcase_add_test(tcase, shorthands);
  tcase_add_test_raise_signal(tcase, in_a_pass_it_panics, SIGABRT);
  tcase_add_test(tcase, versions);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
