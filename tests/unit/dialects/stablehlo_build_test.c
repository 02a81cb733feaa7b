/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The builder shorthands make ops that verify, of the types that StableHLO says. */
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/stablehlo/build.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;
static EchoOp *module;
static EchoBuilder builder;
static EchoValue *matrix, *vector, *scalar, *integer; /* 2x3, 3, f32; i32 */

static void setup(void)
{
  ctx = echo_context_create();
  echo_register_dialects(ctx);
  module = echo_parse_text_or_null(
      ctx, ECHO_STR("test"),
      ECHO_STR("func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>, %d: "
               "tensor<i32>) {\n  return\n}\n"));
  EchoBlock *body = echo_op_body(module, 0)->first->regions[0].first;
  builder = echo_builder_before(body->first);
  matrix = echo_block_arg(body, 0);
  vector = echo_block_arg(body, 1);
  scalar = echo_block_arg(body, 2);
  integer = echo_block_arg(body, 3);
}

/* Everything built so far is valid. */
static void teardown(void)
{
  bool ok = echo_verify(module);
  if (!ok) {
    EchoBuffer text = {0};
    echo_diagnostic_format(ctx, echo_context_diagnostic(ctx, 0), &text);
    fprintf(stderr, "%s", echo_buffer_c_str(&text));
    echo_buffer_destroy(&text);
  }
  ck_assert(ok);
  echo_context_destroy(ctx);
}

static void expect_type(const EchoValue *value, const char *type)
{
  ck_assert_str_eq(echo_type_text(ctx, value->type), type);
}

START_TEST(elementwise)
{
  expect_type(echo_hlo_tanh(&builder, matrix), "tensor<2x3xf32>");
  expect_type(echo_hlo_is_finite(&builder, matrix), "tensor<2x3xi1>");
  expect_type(echo_hlo_power(&builder, matrix, matrix), "tensor<2x3xf32>");
  expect_type(echo_hlo_complex(&builder, matrix, matrix), "tensor<2x3xcomplex<f32>>");
  expect_type(echo_hlo_real(&builder, echo_hlo_complex(&builder, vector, vector)), "tensor<3xf32>");
  EchoValue *pred = echo_hlo_compare(&builder, ECHO_COMPARE_LT, vector, vector);
  expect_type(pred, "tensor<3xi1>");
  expect_type(
      echo_hlo_compare_as(&builder, ECHO_COMPARE_EQ, ECHO_COMPARE_TOTALORDER, vector, vector),
      "tensor<3xi1>");
  expect_type(echo_hlo_not(&builder, pred), "tensor<3xi1>");
  expect_type(echo_hlo_select(&builder, pred, vector, vector), "tensor<3xf32>");
  expect_type(echo_hlo_clamp(&builder, scalar, matrix, scalar), "tensor<2x3xf32>");
  expect_type(echo_hlo_convert(&builder, matrix, echo_type_i32(ctx)), "tensor<2x3xi32>");
  ck_assert_ptr_eq(echo_hlo_convert(&builder, matrix, echo_type_f32(ctx)), matrix);
  expect_type(echo_hlo_bitcast_convert(&builder, vector, echo_type_from_text(ctx, "tensor<3xi32>")),
              "tensor<3xi32>");
  expect_type(echo_hlo_reduce_precision(&builder, vector, 5, 10), "tensor<3xf32>");
}
END_TEST

START_TEST(creation)
{
  const EchoType *ints = echo_type_from_text(ctx, "tensor<4xi8>");
  const EchoAttr *value = echo_value_constant_or_null(echo_hlo_constant_f64(&builder, ints, 3.0));
  ck_assert_int_eq(echo_elements_i64(value, 2), 3);
  value = echo_value_constant_or_null(echo_hlo_constant_i64(&builder, vector->type, -2));
  ck_assert_double_eq(echo_elements_f64(value, 0), -2.0);
  expect_type(echo_hlo_constant_like(&builder, matrix, 1.5), "tensor<2x3xf32>");
  expect_type(echo_hlo_constant_bool(&builder, echo_type_from_text(ctx, "tensor<i1>"), true),
              "tensor<i1>");
  expect_type(echo_hlo_scalar_f64(&builder, echo_type_f64(ctx), 1), "tensor<f64>");
  expect_type(echo_hlo_scalar_i64(&builder, echo_type_i64(ctx), 1), "tensor<i64>");
  expect_type(echo_hlo_iota(&builder, matrix->type, 1), "tensor<2x3xf32>");
}
END_TEST

START_TEST(movement)
{
  const EchoType *cube = echo_type_from_text(ctx, "tensor<2x4x3xf32>");
  expect_type(echo_hlo_broadcast_in_dim(&builder, matrix, cube, (int64_t[]){0, 2}, 2),
              "tensor<2x4x3xf32>");
  expect_type(echo_hlo_broadcast_scalar(&builder, scalar, cube), "tensor<2x4x3xf32>");
  ck_assert_ptr_eq(echo_hlo_broadcast_scalar(&builder, scalar, scalar->type), scalar);
  expect_type(echo_hlo_broadcast_reduced(&builder, matrix, cube, (int64_t[]){1}, 1),
              "tensor<2x4x3xf32>");
  expect_type(echo_hlo_transpose(&builder, matrix, (int64_t[]){1, 0}), "tensor<3x2xf32>");
  ck_assert_ptr_eq(echo_hlo_transpose(&builder, matrix, (int64_t[]){0, 1}), matrix);
  expect_type(echo_hlo_reshape(&builder, matrix, (int64_t[]){6}, 1), "tensor<6xf32>");
  ck_assert_ptr_eq(echo_hlo_reshape(&builder, matrix, (int64_t[]){2, 3}, 2), matrix);
  expect_type(echo_hlo_reverse(&builder, matrix, (int64_t[]){1}, 1), "tensor<2x3xf32>");
  expect_type(
      echo_hlo_slice(&builder, matrix, (int64_t[]){0, 0}, (int64_t[]){2, 3}, (int64_t[]){1, 2}),
      "tensor<2x2xf32>");
  expect_type(echo_hlo_slice_dim(&builder, matrix, 1, 1, 2), "tensor<2x1xf32>");
  expect_type(echo_hlo_pad(&builder, matrix, scalar, (int64_t[]){0, 1}, (int64_t[]){0, -1},
                           (int64_t[]){1, 0}),
              "tensor<3x3xf32>");
  expect_type(echo_hlo_concatenate(&builder, (EchoValue *[]){matrix, matrix}, 2, 0),
              "tensor<4x3xf32>");
  EchoValue *starts[] = {integer, integer};
  EchoValue *piece = echo_hlo_dynamic_slice(&builder, matrix, starts, (int64_t[]){1, 2});
  expect_type(piece, "tensor<1x2xf32>");
  expect_type(echo_hlo_dynamic_update_slice(&builder, matrix, piece, starts), "tensor<2x3xf32>");
}
END_TEST

START_TEST(gather_and_scatter)
{
  EchoValue *indices =
      echo_hlo_constant_i64(&builder, echo_type_from_text(ctx, "tensor<5x1xi32>"), 1);
  const int64_t zero = 0, one = 1;
  EchoGatherDims gather = {.offset_dims = {&one, 1},
                           .collapsed_slice_dims = {&zero, 1},
                           .start_index_map = {&zero, 1},
                           .index_vector_dim = 1};
  EchoValue *rows = echo_hlo_gather(&builder, matrix, indices, &gather, (int64_t[]){1, 3}, false);
  expect_type(rows, "tensor<5x3xf32>");
  EchoScatterDims scatter = {.update_window_dims = {&one, 1},
                             .inserted_window_dims = {&zero, 1},
                             .scatter_dims_to_operand_dims = {&zero, 1},
                             .index_vector_dim = 1};
  expect_type(
      echo_hlo_scatter(&builder, matrix, indices, rows, &scatter, "stablehlo.add", false, false),
      "tensor<2x3xf32>");
  expect_type(echo_hlo_scatter(&builder, matrix, indices, rows, &scatter, NULL, true, true),
              "tensor<2x3xf32>");
}
END_TEST

START_TEST(contractions)
{
  const int64_t one = 1;
  EchoDotDims dims = {.lhs_contracting = {&one, 1}, .rhs_contracting = {&one, 1}};
  expect_type(echo_hlo_dot_general(&builder, matrix, matrix, &dims, NULL), "tensor<2x2xf32>");
  expect_type(echo_hlo_dot_general(&builder, matrix, matrix, &dims, echo_type_f64(ctx)),
              "tensor<2x2xf64>");
  expect_type(echo_hlo_matmul(&builder, matrix, vector), "tensor<2xf32>");
  EchoValue *image =
      echo_hlo_constant_f64(&builder, echo_type_from_text(ctx, "tensor<1x8x8x4xf32>"), 1);
  EchoValue *kernel =
      echo_hlo_constant_f64(&builder, echo_type_from_text(ctx, "tensor<3x3x2x6xf32>"), 1);
  static const int64_t inner[] = {1, 2}, outer[] = {0, 1};
  EchoConvDims conv = {0, 3, {inner, 2}, 2, 3, {outer, 2}, 0, 3, {inner, 2}};
  EchoWindowDim windows[] = {
      {.size = 3,
       .stride = 2,
       .base_dilation = 1,
       .window_dilation = 1,
       .padding_low = 1,
       .padding_high = 1},
      {.size = 3, .stride = 1, .base_dilation = 1, .window_dilation = 2, .reversed = true}};
  expect_type(echo_hlo_convolution(&builder, image, kernel, &conv, windows, 2, 1, NULL),
              "tensor<1x4x4x6xf32>");
}
END_TEST

START_TEST(reductions)
{
  const int64_t one = 1;
  expect_type(echo_hlo_reduce_sum(&builder, matrix, &one, 1), "tensor<2xf32>");
  expect_type(echo_hlo_reduce_max(&builder, matrix, &one, 1), "tensor<2xf32>");
  EchoValue *ints = echo_hlo_convert(&builder, matrix, echo_type_from_text(ctx, "i8"));
  EchoValue *most = echo_hlo_reduce_max(&builder, ints, &one, 1);
  const EchoAttr *init =
      echo_value_constant_or_null(echo_op_operand(echo_value_def_or_null(most), 1));
  ck_assert_int_eq(echo_elements_i64(init, 0), -128);
  expect_type(echo_hlo_reduce(&builder, matrix, scalar, (int64_t[]){0, 1}, 2, "stablehlo.multiply"),
              "tensor<f32>");
  EchoWindowDim windows[] = {{.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1},
                             {.size = 2, .stride = 1, .base_dilation = 1, .window_dilation = 1}};
  EchoValue *pooled = echo_hlo_reduce_window(&builder, matrix, scalar, windows, "stablehlo.add");
  expect_type(pooled, "tensor<2x2xf32>");
  expect_type(echo_hlo_select_and_scatter(&builder, matrix, pooled, scalar, windows,
                                          ECHO_COMPARE_GE, "stablehlo.add"),
              "tensor<2x3xf32>");
}
END_TEST

START_TEST(control_flow)
{
  EchoBuilder cond, body, branches[2];
  EchoOp *loop = echo_hlo_while(&builder, (EchoValue *[]){integer, matrix}, 2, &cond, &body);
  EchoValue *limit = echo_hlo_scalar_i64(&cond, echo_type_i32(ctx), 10);
  EchoValue *more = echo_hlo_compare(&cond, ECHO_COMPARE_LT, echo_block_arg(cond.block, 0), limit);
  echo_hlo_return(&cond, &more, 1);
  EchoValue *next[] = {echo_block_arg(body.block, 0),
                       echo_hlo_tanh(&body, echo_block_arg(body.block, 1))};
  echo_hlo_return(&body, next, 2);
  expect_type(echo_op_result(loop, 1), "tensor<2x3xf32>");
  EchoOp *choice = echo_hlo_case(&builder, integer, &vector->type, 1, branches, 2);
  for (size_t i = 0; i < 2; ++i)
    echo_hlo_return(&branches[i], &vector, 1);
  expect_type(echo_op_result(choice, 0), "tensor<3xf32>");
  EchoValue *pred = echo_hlo_compare(&builder, ECHO_COMPARE_EQ, integer, integer);
  EchoOp *other = echo_hlo_if(&builder, pred, NULL, 0, branches);
  for (size_t i = 0; i < 2; ++i)
    echo_hlo_return(&branches[i], NULL, 0);
  ck_assert_uint_eq(other->n_results, 0);
  EchoOp *barrier = echo_hlo_optimization_barrier(&builder, (EchoValue *[]){vector, scalar}, 2);
  expect_type(echo_op_result(barrier, 1), "tensor<f32>");
  echo_hlo_custom_call(&builder, "target", &vector, 1, &matrix->type, 1);
  EchoValue *state = echo_hlo_constant_i64(&builder, echo_type_from_text(ctx, "tensor<2xui64>"), 1);
  EchoValue *random[2];
  echo_hlo_rng_bit_generator(&builder, ECHO_RNG_THREE_FRY, state,
                             echo_type_from_text(ctx, "tensor<4xui32>"), random);
  expect_type(random[1], "tensor<4xui32>");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("stablehlo builders");
  TCase *tests = tcase_create("builders");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, elementwise);
  tcase_add_test(tests, creation);
  tcase_add_test(tests, movement);
  tcase_add_test(tests, gather_and_scatter);
  tcase_add_test(tests, contractions);
  tcase_add_test(tests, reductions);
  tcase_add_test(tests, control_flow);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
