/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predicted times: kernels come to what was predicted for the graph, loops to their trips. */
#include "dialects/kernel/call_target.h"
#include "ir/symbol.h"
#include "planning/cost/runtime.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <stdio.h>

/* ---- kernels ---- */

static uint64_t kernels_ns(const TestStep *step, const EchoDeviceModel *device)
{
  uint64_t ns = 0;
  EchoSymbolTable symbols;
  echo_symbol_table_create(&symbols, step->module);
  for (const EchoOp *op = echo_op_body(step->main, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "kernel.call"))
      continue;
    EchoStr name = echo_op_attr_or_null(op, "callee")->as.symbol.root;
    ns += echo_kernel_ns(echo_symbol_table_get_or_null(&symbols, name), device);
  }
  echo_symbol_table_destroy(&symbols);
  return ns;
}

START_TEST(kernels_take_what_was_predicted)
{
  EchoDeviceModel device;
  echo_device_model_default(&device);
  for (uint32_t seed = 0; seed < 60; ++seed) {
    TestStep step;
    test_step_random(&step, seed, 6 + seed);
    ck_assert(test_step_run(&step, "dce,echo{overhead=1000%},schedule,fuse"));
    ck_assert_int_gt(test_step_fact(&step, "echo.on_ns"), 0);
    ck_assert_uint_eq(kernels_ns(&step, &device), (uint64_t)test_step_fact(&step, "echo.on_ns"));
    test_step_destroy(&step);
  }
}
END_TEST

/* ---- loops ---- */

/* `n_trips` times `n_ops` additions; `n_nested` such loops inside each other. */
static uint64_t loop_ns(int n_trips, int n_ops, int n_nested)
{
  EchoBuffer text = {0};
  TestStep step;
  echo_buffer_printf(&text,
                     "func.func @main(%%x0: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
                     "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n"
                     "  %%one = stablehlo.constant dense<1> : tensor<i32>\n"
                     "  %%n = stablehlo.constant dense<%d> : tensor<i32>\n",
                     n_trips);
  for (int k = 1; k <= n_nested; ++k)
    echo_buffer_printf(
        &text,
        "%%r%d:2 = stablehlo.while(%%i%d = %%zero, %%x%d = %%x%d) : tensor<i32>, "
        "tensor<64x64xf32>\n"
        "cond {\n  %%p%d = stablehlo.compare LT, %%i%d, %%n : (tensor<i32>, tensor<i32>) -> "
        "tensor<i1>\n  stablehlo.return %%p%d : tensor<i1>\n} do {\n"
        "  %%j%d = stablehlo.add %%i%d, %%one : tensor<i32>\n",
        k, k, k, k - 1, k, k, k, k, k);
  echo_buffer_printf(&text, "  %%y0 = stablehlo.add %%x%d, %%x%d : tensor<64x64xf32>\n", n_nested,
                     n_nested);
  for (int i = 1; i < n_ops; ++i)
    echo_buffer_printf(&text, "  %%y%d = stablehlo.add %%y%d, %%x%d : tensor<64x64xf32>\n", i,
                       i - 1, n_nested);
  echo_buffer_printf(&text, "  stablehlo.return %%j%d, %%y%d : tensor<i32>, tensor<64x64xf32>\n}\n",
                     n_nested, n_ops - 1);
  for (int k = n_nested - 1; k >= 1; --k)
    echo_buffer_printf(
        &text, "  stablehlo.return %%j%d, %%r%d#1 : tensor<i32>, tensor<64x64xf32>\n}\n", k, k + 1);
  echo_buffer_printf(&text, "  return %%r1#1 : tensor<64x64xf32>\n}\n");
  test_step_parse(&step, echo_buffer_c_str(&text));
  ck_assert(test_step_run(&step, "isolate-regions,echo{overhead=0%}"));
  uint64_t ns = (uint64_t)test_step_fact(&step, "echo.off_ns");
  test_step_destroy(&step);
  echo_buffer_destroy(&text);
  return ns;
}

START_TEST(a_loop_takes_its_trips)
{
  uint64_t trip = loop_ns(21, 4, 1) - loop_ns(20, 4, 1);
  ck_assert_uint_gt(trip, 0);
  ck_assert_uint_eq(loop_ns(30, 4, 1) - loop_ns(20, 4, 1), 10 * trip);
  uint64_t condition = loop_ns(10, 4, 1) - 10 * trip; /* once more than the body */
  ck_assert_uint_gt(condition, 0);
  ck_assert_uint_lt(condition, trip);
  /* Nested loops multiply: near enough, for the outer condition. */
  ck_assert_uint_ge(loop_ns(10, 4, 2), 10 * loop_ns(10, 4, 1));
  ck_assert_uint_le(loop_ns(10, 4, 2), 12 * loop_ns(10, 4, 1));
}
END_TEST

START_TEST(a_fused_body_is_one_kernel)
{
  EchoDeviceModel device;
  echo_device_model_default(&device);
  /* Seven more additions in the kernel cost arithmetic, no launch and no traffic. */
  ck_assert_uint_lt(loop_ns(10, 8, 1) - loop_ns(10, 1, 1), 10 * (uint64_t)device.launch_ns);
}
END_TEST

/* Of a program of one kernel, whose text goes: what starts it left out, as if all cores worked. */
static uint64_t without_launch_ns(EchoBuffer *text)
{
  EchoDeviceModel device;
  TestStep step;
  echo_device_model_default(&device);
  test_step_parse(&step, echo_buffer_c_str(text));
  ck_assert(test_step_run(&step, "echo{overhead=0%}"));
  double ns = (double)test_step_fact(&step, "echo.off_ns");
  test_step_destroy(&step);
  echo_buffer_destroy(text);
  bool wakes_threads = ns >= 2 * device.launch_ns;
  return (uint64_t)(wakes_threads ? ns - device.launch_ns : (ns - device.call_ns) / device.cores);
}

/* ---- views ---- */

/* Sums of `rows` of the 256 matrices, which come in one piece or, where `is_flat`, as long rows. */
static uint64_t sums_ns(int rows, bool is_flat)
{
  EchoBuffer text = {0};
  echo_buffer_printf(
      &text,
      "func.func @main(%%%s: tensor<256x%sxf32>) -> tensor<256xf32> {\n"
      "  %%zero = stablehlo.constant dense<0.0> : tensor<f32>\n%s"
      "  %%p = stablehlo.slice %%v [0:256, 0:%d, 0:256] : (tensor<256x128x256xf32>) -> "
      "tensor<256x%dx256xf32>\n"
      "  %%s = stablehlo.reduce(%%p init: %%zero) applies stablehlo.add across dimensions = [1, 2] "
      ": (tensor<256x%dx256xf32>, tensor<f32>) -> tensor<256xf32>\n"
      "  return %%s : tensor<256xf32>\n}\n",
      is_flat ? "x" : "v", is_flat ? "32768" : "128x256",
      is_flat ? "  %v = stablehlo.reshape %x : (tensor<256x32768xf32>) -> "
                "tensor<256x128x256xf32>\n"
              : "",
      rows, rows, rows);
  return without_launch_ns(&text);
}

/* What is read through a reshape is read, as much of it as is read. */
START_TEST(a_view_is_read_like_what_it_is_of)
{
  ck_assert_uint_eq(sums_ns(128, true), sums_ns(128, false));
  ck_assert_uint_lt(sums_ns(8, true) * 8, sums_ns(128, true));
  ck_assert_uint_gt(sums_ns(8, true) * 32, sums_ns(128, true));
}
END_TEST

/* ---- convolutions ---- */

/* 3x3, of `in` features to `out`, in groups; what the launch takes left out. */
static uint64_t convolution_ns(int in, int out, int groups)
{
  EchoBuffer text = {0};
  echo_buffer_printf(
      &text,
      "func.func @main(%%x: tensor<8x32x32x%dxf32>, %%k: tensor<3x3x%dx%dxf32>) -> "
      "tensor<8x32x32x%dxf32> {\n"
      "  %%y = stablehlo.convolution(%%x, %%k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, "
      "f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = "
      "%d : i64} : (tensor<8x32x32x%dxf32>, tensor<3x3x%dx%dxf32>) -> tensor<8x32x32x%dxf32>\n"
      "  return %%y : tensor<8x32x32x%dxf32>\n}\n",
      in, in / groups, out, out, groups, in, in / groups, out, out, out);
  return without_launch_ns(&text);
}

START_TEST(a_convolution_takes_whole_vectors)
{
  uint64_t full = convolution_ns(16, 16, 1), few = convolution_ns(16, 1, 1);
  ck_assert_uint_le(few, full + 1); /* each rounded */
  ck_assert_uint_ge(few + 1, full);
  uint64_t twice = convolution_ns(16, 32, 1);
  ck_assert_uint_le(twice, 2 * full + 2);
  ck_assert_uint_ge(twice + 2, 2 * full);
  /* of groups of one feature, lanes are groups, which share nothing: twice the loads, and copies */
  uint64_t all = convolution_ns(64, 64, 1), depthwise = convolution_ns(64, 64, 64);
  ck_assert_uint_lt(depthwise, all);
  ck_assert_uint_gt(64 * depthwise, 2 * all);
  ck_assert_uint_lt(depthwise, convolution_ns(64, 64, 32)); /* two of 16 lanes in use */
}
END_TEST

/* ---- reductions, elements ---- */

/* Of [1024, columns]: each row to one, or the rows to one row. */
static uint64_t reduced_of_ns(const char *columns, const char *op, const char *type, bool is_rows)
{
  EchoBuffer text = {0};
  const char *to = is_rows ? "1024" : columns;
  echo_buffer_printf(
      &text,
      "func.func @main(%%x: tensor<1024x%sx%s>, %%i: tensor<%s>) -> tensor<%sx%s> {\n"
      "  %%y = stablehlo.reduce(%%x init: %%i) applies stablehlo.%s across dimensions = [%d] : "
      "(tensor<1024x%sx%s>, tensor<%s>) -> tensor<%sx%s>\n  return %%y : tensor<%sx%s>\n}\n",
      columns, type, type, to, type, op, is_rows ? 1 : 0, columns, type, type, to, type, to, type);
  return without_launch_ns(&text);
}

/* Of [1024, 64]. */
static uint64_t reduced_ns(const char *op, const char *type, bool is_rows)
{
  return reduced_of_ns("64", op, type, is_rows);
}

START_TEST(what_is_reduced_waits)
{
  /* a maximum of floats waits for that of the element before, and rows end in a tree of them */
  ck_assert_uint_gt(2 * reduced_ns("maximum", "f32", true), 3 * reduced_ns("add", "f32", true));
  ck_assert_uint_gt(reduced_ns("minimum", "f32", true), reduced_ns("minimum", "f32", false));
  ck_assert_uint_gt(reduced_ns("maximum", "f32", false), reduced_ns("add", "f32", false));
  /* a row of few elements is operations side by side, without a tree */
  uint64_t few = reduced_of_ns("8", "maximum", "f32", true);
  ck_assert_uint_gt(reduced_of_ns("9", "maximum", "f32", true), 2 * few);
  /* of integers it is one instruction, as a sum is */
  ck_assert_uint_eq(reduced_ns("maximum", "i32", true), reduced_ns("add", "i32", true));
}
END_TEST

/* 40 operations on each element, so that they take longer than what they read. */
static uint64_t elements_ns(const char *op, const char *type, const char *other)
{
  EchoBuffer text = {0};
  echo_buffer_printf(&text,
                     "func.func @main(%%v0: tensor<4096x%s>, %%x: tensor<4096x%s>) -> "
                     "tensor<4096x%s> {\n"
                     "  %%k = stablehlo.constant dense<%s> : tensor<4096x%s>\n",
                     type, type, type, type[0] == 'i' ? "7" : "7.0", type);
  for (int i = 1; i <= 40; ++i)
    echo_buffer_printf(&text, "  %%v%d = stablehlo.%s %%v%d%s : tensor<4096x%s>\n", i, op, i - 1,
                       other, type);
  echo_buffer_printf(&text, "  return %%v40 : tensor<4096x%s>\n}\n", type);
  return without_launch_ns(&text);
}

START_TEST(an_element_costs_what_its_op_takes)
{
  uint64_t sum = elements_ns("add", "f32", ", %x"), quotient = elements_ns("divide", "f32", ", %x");
  uint64_t root = elements_ns("sqrt", "f32", "");
  ck_assert_uint_gt(quotient, 3 * sum);
  ck_assert_uint_gt(root, quotient);
  /* a root and a quotient */
  uint64_t inverse = elements_ns("rsqrt", "f32", "");
  ck_assert_uint_le(inverse, root + quotient + 1); /* each rounded */
  ck_assert_uint_ge(inverse + 1, root + quotient);
  /* integers are divided one by one, or multiplied by what is known */
  uint64_t integers = elements_ns("divide", "i32", ", %x");
  ck_assert_uint_gt(integers, 10 * elements_ns("divide", "i32", ", %k"));
  ck_assert_uint_eq(integers, elements_ns("remainder", "i32", ", %x"));
  ck_assert_uint_gt(elements_ns("maximum", "f32", ", %x"), elements_ns("maximum", "f32", ", %k"));
}
END_TEST

/* ---- products ---- */

/* [m, k] by [n, k], or by [k, n] where the second runs along its own dimension; what the launch
 * takes left out. */
static uint64_t product_ns(int m, int k, int n, bool runs_along_k)
{
  EchoBuffer text = {0};
  int rows = runs_along_k ? n : k, columns = runs_along_k ? k : n;
  echo_buffer_printf(&text,
                     "func.func @main(%%x: tensor<%dx%dxf32>, %%y: tensor<%dx%dxf32>) -> "
                     "tensor<%dx%dxf32> {\n"
                     "  %%z = stablehlo.dot_general %%x, %%y, contracting_dims = [1] x [%d] : "
                     "(tensor<%dx%dxf32>, tensor<%dx%dxf32>) -> tensor<%dx%dxf32>\n"
                     "  return %%z : tensor<%dx%dxf32>\n}\n",
                     m, k, rows, columns, m, n, runs_along_k ? 1 : 0, m, k, rows, columns, m, n, m,
                     n);
  return without_launch_ns(&text);
}

START_TEST(a_product_takes_whole_vectors)
{
  /* one row with a matrix: lanes are the matrix' own columns, or else one lane of 16 is in use */
  uint64_t along_n = product_ns(1, 1024, 1024, false), along_k = product_ns(1, 1024, 1024, true);
  ck_assert_uint_gt(along_k, 6 * along_n);
  ck_assert_uint_lt(along_k, 16 * along_n);
  /* so many rows fill the lanes: they cost little more than one */
  ck_assert_uint_lt(product_ns(16, 1024, 1024, true), along_k + along_k / 8);
  /* a sum of few products is mostly its tile's beginning and end, and copies */
  ck_assert_uint_gt(2 * product_ns(64, 8, 64, false), product_ns(64, 16, 64, false) + 200);
  /* where there are many of all, that is little: eight times as many products, eight times as long
   */
  uint64_t large = product_ns(512, 512, 512, false), larger = product_ns(1024, 1024, 1024, false);
  ck_assert_uint_gt(larger, 7 * large);
  ck_assert_uint_lt(larger, 8 * large);
}
END_TEST

/* ---- calls beside the step ---- */

static bool call_nothing(const EchoTargetCall *call)
{
  (void)call;
  return true;
}

static double a_hundredfold(const EchoAttr *config, double operand_bytes)
{
  (void)config;
  return 100 * operand_bytes;
}

/* A call, `n_products` products that do not need it, and a sum that needs both. */
static uint64_t call_ns(const EchoCallTarget *target, int n_products)
{
  EchoBuffer text = {0};
  TestStep step;
  echo_buffer_printf(&text, "func.func @main(%%x: tensor<128x128xf32>) -> tensor<128x128xf32> {\n"
                            "  %%g = stablehlo.custom_call @send(%%x) {has_side_effect = true, "
                            "api_version = 4 : i32} : (tensor<128x128xf32>) -> "
                            "tensor<128x128xf32>\n  %%y0 = stablehlo.tanh %%x : "
                            "tensor<128x128xf32>\n");
  for (int i = 1; i <= n_products; ++i)
    echo_buffer_printf(&text,
                       "  %%y%d = stablehlo.dot_general %%y%d, %%x, contracting_dims = [1] x [0] : "
                       "(tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>\n",
                       i, i - 1);
  echo_buffer_printf(&text,
                     "  %%s = stablehlo.add %%g, %%y%d : tensor<128x128xf32>\n"
                     "  return %%s : tensor<128x128xf32>\n}\n",
                     n_products);
  test_step_parse(&step, echo_buffer_c_str(&text));
  ck_assert(echo_context_register_call_target(step.ctx, target, NULL));
  ck_assert(test_step_run(&step, "call-targets,echo{overhead=0% order=given}"));
  uint64_t ns = (uint64_t)test_step_fact(&step, "echo.off_ns");
  test_step_destroy(&step);
  echo_buffer_destroy(&text);
  return ns;
}

START_TEST(what_runs_while_a_call_is_waited_for_costs_what_exceeds_the_wait)
{
  EchoDeviceModel device;
  echo_device_model_default(&device);
  const EchoCallTarget beside = {
      .name = "send", .run = call_nothing, .may_overlap = true, .sent_bytes = a_hundredfold};
  EchoCallTarget before = beside;
  before.may_overlap = false;
  EchoCallTarget free_of_charge = before;
  free_of_charge.sent_bytes = NULL;
  uint64_t link_ns = echo_device_model_link_ns(&device, 1, 100 * 128 * 128 * 4);
  uint64_t product_ns = call_ns(&before, 2) - call_ns(&before, 1);
  int n_hidden = (int)(link_ns / product_ns) - 1; /* less one for what else there is */
  ck_assert_int_gt(n_hidden, 2);
  ck_assert_uint_eq(call_ns(&before, 9) - call_ns(&before, 1), 8 * product_ns);
  ck_assert_uint_eq(call_ns(&beside, 1), call_ns(&beside, n_hidden));
  ck_assert_uint_eq(call_ns(&beside, n_hidden + 10) - call_ns(&beside, n_hidden + 9), product_ns);
  ck_assert_uint_lt(call_ns(&beside, n_hidden + 10), call_ns(&before, n_hidden + 10));
  ck_assert_uint_eq(call_ns(&before, 3) - call_ns(&free_of_charge, 3), link_ns);
}
END_TEST

/* ---- tasks ---- */

START_TEST(a_grain_covers_the_work_and_grows_with_what_a_launch_takes)
{
  EchoDeviceModel device;
  echo_device_model_default(&device);
  ck_assert_int_eq(echo_grain(&device, 0, 1e9), 1);
  ck_assert_int_eq(echo_grain(&device, 1000, 0), 1000); /* not worth handing out: one portion */
  ck_assert_int_eq(echo_grain(&device, 1000, device.launch_ns), 500);
  device.cores = 16; /* of 16 threads two are worth waking for much less */
  ck_assert_int_eq(echo_grain(&device, 1000, device.launch_ns / 9), 1000);
  ck_assert_int_eq(echo_grain(&device, 1000, device.launch_ns / 8), 500);
  ck_assert_int_eq(echo_grain(&device, 1600, device.launch_ns), 100);
  device.cores = 2;
  ck_assert_int_eq(echo_grain(&device, 3, 1e9), 1);
  ck_assert_int_eq(echo_grain(&device, 256000, 1e12), 1000); /* 256 portions at most */
  for (int64_t n = 1; n < 3000; n += 37)
    for (double launch_ns = 0; launch_ns < 1e6; launch_ns = 3 * launch_ns + 1) {
      device.launch_ns = launch_ns;
      int64_t grain = echo_grain(&device, n, 40000);
      device.launch_ns = 3 * launch_ns + 1;
      ck_assert_int_ge(grain, 1);
      ck_assert_int_le(grain, n);
      ck_assert_int_le((n + grain - 1) / grain, 256);
      ck_assert_int_ge(echo_grain(&device, n, 40000), grain);
    }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/runtime");
  TCase *tcase = tcase_create("runtime");
  tcase_add_test(tcase, kernels_take_what_was_predicted);
  tcase_add_test(tcase, a_loop_takes_its_trips);
  tcase_add_test(tcase, a_fused_body_is_one_kernel);
  tcase_add_test(tcase, a_view_is_read_like_what_it_is_of);
  tcase_add_test(tcase, a_convolution_takes_whole_vectors);
  tcase_add_test(tcase, a_product_takes_whole_vectors);
  tcase_add_test(tcase, what_is_reduced_waits);
  tcase_add_test(tcase, an_element_costs_what_its_op_takes);
  tcase_add_test(tcase, what_runs_while_a_call_is_waited_for_costs_what_exceeds_the_wait);
  tcase_add_test(tcase, a_grain_covers_the_work_and_grows_with_what_a_launch_takes);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
