/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays that loops make slice by slice: random ones, read along any of their dimensions by two
 * loops and, some of them, outside too. The bits stay, and all is done the first time. */
#include "dialects/interfaces/evaluate.h"
#include "ir/verify/verifier.h"
#include "planning/loops/inputs.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <math.h>

#define N_SEEDS 120
#define MAX_OPS 14

/* Shapes of what is made: five iterations along one dimension of each. */
typedef enum Shape { FIRST, SECOND, FLAT, N_SHAPES } Shape;

static const char *const TYPES[N_SHAPES] = {"5x4x6", "4x5x6", "5x24"};
static const char *const SIZES[N_SHAPES] = {"[1, 4, 6]", "[4, 1, 6]", "[1, 24]"};
static const char *const SLICES[N_SHAPES] = {"1x4x6", "4x1x6", "1x24"};
static const char *const STARTS[N_SHAPES] = {"%k, %zero, %zero", "%zero, %k, %zero", "%k, %zero"};
static const char *const INDICES[N_SHAPES] = {", tensor<i32>, tensor<i32>, tensor<i32>",
                                              ", tensor<i32>, tensor<i32>, tensor<i32>",
                                              ", tensor<i32>, tensor<i32>"};
static const char *const ALL[N_SHAPES] = {"[0, 1, 2]", "[0, 1, 2]", "[0, 1]"};

/* Op `i` of kind `kind`: of an earlier value, of another one of its shape, or of an argument. */
static Shape make_op(EchoBuffer *text, int i, int kind, int from, Shape shape, int other)
{
  const char *type = TYPES[shape];
  Shape made = shape;
  switch (kind) {
  case 0:
    echo_buffer_printf(text, "  %%v%d = stablehlo.multiply %%v%d, %%v%d : tensor<%sxf32>\n", i,
                       from, other, type);
    break;
  case 1:
    echo_buffer_printf(text, "  %%v%d = stablehlo.tanh %%v%d : tensor<%sxf32>\n", i, from, type);
    break;
  case 2:
    made = shape == FIRST ? SECOND : FIRST;
    if (shape == FLAT)
      echo_buffer_printf(text,
                         "  %%v%d = stablehlo.reshape %%v%d : (tensor<5x24xf32>) -> "
                         "tensor<5x4x6xf32>\n",
                         i, from);
    else
      echo_buffer_printf(text,
                         "  %%v%d = stablehlo.transpose %%v%d, dims = [1, 0, 2] : "
                         "(tensor<%sxf32>) -> tensor<%sxf32>\n",
                         i, from, type, TYPES[made]);
    break;
  case 3:
    made = shape == FIRST ? FLAT : SECOND;
    if (shape == FIRST)
      echo_buffer_printf(text,
                         "  %%v%d = stablehlo.reshape %%v%d : (tensor<5x4x6xf32>) -> "
                         "tensor<5x24xf32>\n",
                         i, from);
    else
      echo_buffer_printf(text,
                         "  %%v%d = stablehlo.broadcast_in_dim %%b, dims = [0, 2] : "
                         "(tensor<4x6xf32>) -> tensor<4x5x6xf32>\n",
                         i);
    break;
  case 4:
    made = FIRST;
    echo_buffer_printf(text,
                       "  %%v%d = stablehlo.broadcast_in_dim %%c, dims = [0, 1] : "
                       "(tensor<5x4xf32>) -> tensor<5x4x6xf32>\n",
                       i);
    break;
  default:
    echo_buffer_printf(text,
                       "  %%w%d = stablehlo.constant dense<0.75> : tensor<%sxf32>\n"
                       "  %%v%d = stablehlo.subtract %%v%d, %%w%d : tensor<%sxf32>\n",
                       i, type, i, from, i, type);
  }
  return made;
}

/* A loop that adds up, of each iteration, the slices that `is_read` names; its sum begins as
 * `first`. In another order, or with other slices, it comes to another sum. */
static void make_loop(EchoBuffer *text, const char *name, const char *first, const bool *is_read,
                      const Shape *shape, int n, bool is_backward)
{
  echo_buffer_printf(
      text,
      "  %%%s:2 = stablehlo.while(%%i = %%zero, %%c0 = %s) : tensor<i32>, tensor<f32>\n"
      "  cond {\n    %%p = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n    stablehlo.return %%p : tensor<i1>\n  } do {\n"
      "    %%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %%j = stablehlo.add %%i, %%one : tensor<i32>\n"
      "    %%last = stablehlo.constant dense<%d> : tensor<i32>\n"
      "    %%k = stablehlo.%s %%last, %%i : tensor<i32>\n",
      name, first, is_backward ? 4 : 0, is_backward ? "subtract" : "add");
  int at = 0;
  for (int i = 0; i <= n; ++i) {
    if (!is_read[i])
      continue;
    Shape own = shape[i];
    echo_buffer_printf(
        text,
        "    %%a%d = stablehlo.dynamic_slice %%v%d, %s, sizes = %s : (tensor<%sxf32>%s) -> "
        "tensor<%sxf32>\n"
        "    %%b%d = stablehlo.reduce(%%a%d init: %%f0) applies stablehlo.add across dimensions = "
        "%s : (tensor<%sxf32>, tensor<f32>) -> tensor<f32>\n"
        "    %%c%d = stablehlo.subtract %%b%d, %%c%d : tensor<f32>\n",
        i, i, STARTS[own], SIZES[own], TYPES[own], INDICES[own], SLICES[own], i, i, ALL[own],
        SLICES[own], at + 1, i, at);
    ++at;
  }
  echo_buffer_printf(text, "    stablehlo.return %%j, %%c%d : tensor<i32>, tensor<f32>\n  }\n", at);
}

static void make_step(EchoBuffer *text, uint32_t seed)
{
  Shape shape[MAX_OPS + 1] = {FIRST};
  bool is_read[2][MAX_OPS + 1] = {{false}};
  uint64_t random = seed;
  echo_buffer_append_c(
      text, "func.func @main(%v0: tensor<5x4x6xf32>, %b: tensor<4x6xf32>, %c: tensor<5x4xf32>) -> "
            "tensor<f32> {\n"
            "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
            "  %n = stablehlo.constant dense<5> : tensor<i32>\n"
            "  %f0 = stablehlo.constant dense<0.0> : tensor<f32>\n");
  for (int i = 1; i <= MAX_OPS; ++i) {
    random = echo_hash_u64(random + 1);
    int from = (int)(random % (uint64_t)i), other = (int)((random >> 8) % (uint64_t)i);
    other = shape[other] == shape[from] ? other : from;
    shape[i] = make_op(text, i, (int)((random >> 16) % 6), from, shape[from], other);
    is_read[0][i] = (random >> 24) % 4 == 0 || i == MAX_OPS;
    is_read[1][i] = (random >> 32) % 4 == 0;
  }
  make_loop(text, "s", "%f0", is_read[0], shape, MAX_OPS, false);
  make_loop(text, "t", "%s#1", is_read[1], shape, MAX_OPS, true);
  int whole = (int)((random >> 40) % (MAX_OPS + 1)); /* is read outside as well */
  echo_buffer_printf(text,
                     "  %%r = stablehlo.reduce(%%v%d init: %%f0) applies stablehlo.add across "
                     "dimensions = %s : (tensor<%sxf32>, tensor<f32>) -> tensor<f32>\n"
                     "  %%z = stablehlo.add %%r, %%t#1 : tensor<f32>\n"
                     "  return %%z : tensor<f32>\n}\n",
                     whole, ALL[shape[whole]], TYPES[shape[whole]]);
}

/* What main returns, of arguments between -1 and 1. */
static double run(const TestStep *step)
{
  const EchoBlock *body = echo_op_body(step->main, 0);
  EchoTensor *arguments[3], *result;
  for (uint32_t i = 0; i < 3; ++i) {
    arguments[i] = echo_tensor_create(echo_block_arg(body, i)->type, true);
    for (int64_t k = 0; k < arguments[i]->n_elements; ++k)
      echo_tensor_set_f64(arguments[i], k,
                          (double)(echo_hash_u64(i << 16 | (uint64_t)k) % 257) / 128 - 1);
  }
  ck_assert(echo_interpret(step->ctx, step->module, step->main,
                           (const EchoTensor *const *)arguments, 3, &result, 1));
  double number = echo_tensor_get_f64(result, 0);
  echo_tensor_destroy(result);
  for (uint32_t i = 0; i < 3; ++i)
    echo_tensor_destroy(arguments[i]);
  return number;
}

static size_t n_arrays(const EchoBlock *block)
{
  size_t n = 0;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    n += op->n_operands != 0;
  return n;
}

START_TEST(slices_have_the_bits_of_arrays)
{
  TestStep step;
  EchoBuffer text = {0};
  EchoDeviceModel device;
  EchoPrices turns = {0};
  echo_device_model_default(&device);
  make_step(&text, (uint32_t)_i);
  test_step_parse(&step, echo_buffer_c_str(&text));
  EchoBlock *block = echo_op_body(step.main, 0);
  size_t n_before = n_arrays(block);
  double expected = run(&step);
  ck_assert(isfinite(expected));
  ck_assert_uint_eq(echo_loop_make_inputs(block, &device, 0, &turns), 0);
  ck_assert_uint_eq(n_arrays(block), n_before); /* asked for prices: nothing is touched */
  size_t n = echo_loop_make_inputs(block, &device, INFINITY, NULL);
  ck_assert_uint_ge(n, turns.size);
  ck_assert(echo_verify(step.module));
  ck_assert_msg(run(&step) == expected, "seed %d: %.9g, not %.9g, with %zu arrays", _i, run(&step),
                expected, n);
  ck_assert_uint_eq(echo_loop_make_inputs(block, &device, INFINITY, NULL), 0);
  echo_vector_destroy(&turns);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("loop_inputs");
  TCase *tcase = tcase_create("loop_inputs");
  tcase_add_loop_test(tcase, slices_have_the_bits_of_arrays, 0, N_SEEDS);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
