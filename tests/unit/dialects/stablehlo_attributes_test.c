/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* StableHLO's attributes: text to struct, struct to text, defaults of windows. */
#include "dialects/dialects.h"
#include "dialects/stablehlo/build.h"
#include "ir/text/text.h"
#include "tests/unit/suite.h"

static EchoContext *ctx;

static void setup(void)
{
  ctx = echo_context_create();
  echo_register_dialects(ctx);
}

static void teardown(void)
{
  echo_context_destroy(ctx);
}

static void expect_text(const EchoAttr *attr, const char *text)
{
  EchoBuffer buffer = {0};
  echo_print_attr(attr, &buffer);
  ck_assert_str_eq(echo_buffer_c_str(&buffer), text);
  ck_assert_ptr_eq(echo_attr_from_text(ctx, text), attr);
  echo_buffer_destroy(&buffer);
}

static EchoDimList dims(const int64_t *values, size_t n)
{
  return (EchoDimList){values, n};
}
#define DIMS(...)                                                                                  \
  dims((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

START_TEST(constructors_write_canonical_text)
{
  expect_text(
      echo_stablehlo_dot_dims_attr(ctx, &(EchoDotDims){DIMS(0), DIMS(0), DIMS(2, 3), DIMS(1, 2)}),
      "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
      "lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>");
  expect_text(echo_stablehlo_dot_dims_attr(ctx, &(EchoDotDims){.lhs_batching = {NULL, 0}}),
              "#stablehlo.dot<>");
  expect_text(echo_stablehlo_gather_dims_attr(ctx, &(EchoGatherDims){.offset_dims = DIMS(1),
                                                                     .start_index_map = DIMS(0),
                                                                     .index_vector_dim = 1}),
              "#stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>");
  expect_text(echo_stablehlo_scatter_dims_attr(
                  ctx, &(EchoScatterDims){.inserted_window_dims = DIMS(0),
                                          .scatter_dims_to_operand_dims = DIMS(0)}),
              "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>");
  expect_text(echo_stablehlo_conv_dims_attr(
                  ctx, &(EchoConvDims){0, 3, DIMS(1, 2), 2, 3, DIMS(0, 1), 0, 1, DIMS(2, 3)}),
              "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, f, 0, 1]>");
  expect_text(echo_stablehlo_channel_handle_attr(ctx, (EchoChannelHandle){1, 0}),
              "#stablehlo.channel_handle<handle = 1, type = 0>");
  expect_text(echo_stablehlo_output_operand_alias_attr(
                  ctx, &(EchoOutputOperandAlias){.operand_tuple_indices = DIMS(1)}),
              "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
              "operand_tuple_indices = [1]>");
  expect_text(echo_stablehlo_result_accuracy_attr(
                  ctx, &(EchoResultAccuracy){1e-5, 0, 2, ECHO_ACCURACY_TOLERANCE}),
              "#stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = "
              "#stablehlo.result_accuracy_mode<TOLERANCE>>");
  expect_text(
      echo_stablehlo_dot_algorithm_attr(
          ctx, &(EchoDotAlgorithm){echo_type_float(ctx, ECHO_BF16), echo_type_float(ctx, ECHO_BF16),
                                   echo_type_f32(ctx), 1, 1, 6, false}),
      "#stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, "
      "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
      "num_primitive_operations = 6, allow_imprecise_accumulation = false>");
  expect_text(echo_stablehlo_compare_direction_attr(ctx, ECHO_COMPARE_GT),
              "#stablehlo<comparison_direction GT>");
  expect_text(echo_stablehlo_compare_type_attr(ctx, ECHO_COMPARE_TOTALORDER),
              "#stablehlo<comparison_type TOTALORDER>");
  expect_text(echo_stablehlo_precision_attr(ctx, ECHO_PRECISION_HIGHEST),
              "#stablehlo<precision HIGHEST>");
  expect_text(echo_stablehlo_rng_algorithm_attr(ctx, ECHO_RNG_THREE_FRY),
              "#stablehlo<rng_algorithm THREE_FRY>");
  expect_text(echo_stablehlo_rng_distribution_attr(ctx, ECHO_RNG_NORMAL),
              "#stablehlo<rng_distribution NORMAL>");
  expect_text(echo_stablehlo_transpose_attr(ctx, ECHO_ADJOINT), "#stablehlo<transpose ADJOINT>");
  expect_text(echo_stablehlo_padding_attr(ctx, (const int64_t[][2]){{1, 2}, {0, -1}}, 2),
              "dense<[[1, 2], [0, -1]]> : tensor<2x2xi64>");
}
END_TEST

START_TEST(unknown_algorithms_are_misuse)
{
  EchoDotAlgorithm algorithm = {
      echo_type_f32(ctx), echo_type_f32(ctx), echo_type_f64(ctx), 1, 1, 1, false};
  ck_assert_ptr_null(echo_stablehlo_dot_algorithm_attr(ctx, &algorithm));
  algorithm.accumulation = echo_type_f32(ctx);
  ck_assert_ptr_nonnull(echo_stablehlo_dot_algorithm_attr(ctx, &algorithm));
}
END_TEST

START_TEST(other_spellings_become_canonical)
{
  expect_text(echo_attr_from_text(ctx, "#stablehlo.dot<  rhs_contracting_dimensions=[1] ,\n"
                                       "lhs_contracting_dimensions = [ 0 ],>"),
              "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>");
  expect_text(echo_attr_from_text(ctx, "#stablehlo.type_extensions<bounds = [4, ?]>"),
              "#stablehlo.bounds<4, ?>");
  expect_text(echo_attr_from_text(ctx, "#stablehlo.conv<raw input_feature_dimension = 1, "
                                       "kernel_output_feature_dimension = 1, "
                                       "output_batch_dimension = 1>"),
              "#stablehlo.conv<[b, f]x[i, o]->[f, b]>");
  /* what the short form cannot say stays as it is */
  const char *twice = "#stablehlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 1>";
  expect_text(echo_attr_from_text(ctx, twice), twice);
}
END_TEST

static EchoOp *op_in(const char *text, const char *name)
{
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("test"), echo_str(text));
  ck_assert_ptr_nonnull(module);
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, name))
      return op;
  ck_abort_msg("no such op: %s", name);
  return NULL;
}

START_TEST(windows_have_defaults)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  EchoOp *op = op_in(
      "func.func @f(%a: tensor<1x8x9x4xf32>, %k: tensor<3x2x4x6xf32>) {\n"
      "  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
      "window = {stride = [2, 1], pad = [[1, 2], [0, 0]], reverse = [false, true]} "
      "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
      "(tensor<1x8x9x4xf32>, tensor<3x2x4x6xf32>) -> tensor<1x5x8x6xf32>\n  return\n}\n",
      "stablehlo.convolution");
  ck_assert_uint_eq(echo_stablehlo_windows(op, windows), 2);
  ck_assert_int_eq(windows[0].size, 3);
  ck_assert_int_eq(windows[0].stride, 2);
  ck_assert_int_eq(windows[0].base_dilation, 1);
  ck_assert_int_eq(windows[0].padding_high, 2);
  ck_assert(!windows[0].reversed);
  ck_assert_int_eq(windows[1].size, 2);
  ck_assert_int_eq(windows[1].window_dilation, 1);
  ck_assert(windows[1].reversed);
  ck_assert_int_eq(echo_stablehlo_window_output(&windows[0], 8), 5);
  ck_assert_int_eq(echo_stablehlo_precision(op, 0), ECHO_PRECISION_DEFAULT);
}
END_TEST

START_TEST(window_output_follows_the_specification)
{
  EchoWindowDim window = {.size = 3, .stride = 2, .base_dilation = 1, .window_dilation = 1};
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 9), 4);
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 2), 0); /* the window does not fit */
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 0), 0);
  window.base_dilation = 3; /* 9 elements span 25 places */
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 9), 12);
  window.window_dilation = 4; /* the window spans 9 */
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 9), 9);
  window.padding_low = -20;
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 9), 0);
  window.padding_low = INT64_MAX;
  ck_assert_int_eq(echo_stablehlo_window_output(&window, 9), -1);
}
END_TEST

START_TEST(compare_types_follow_the_operands)
{
  static const struct {
    const char *element;
    EchoCompareType type;
  } cases[] = {{"f32", ECHO_COMPARE_FLOAT},
               {"i32", ECHO_COMPARE_SIGNED},
               {"ui8", ECHO_COMPARE_UNSIGNED},
               {"i1", ECHO_COMPARE_UNSIGNED},
               {"bf16", ECHO_COMPARE_FLOAT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    EchoBuffer text = {0};
    echo_buffer_printf(
        &text,
        "func.func @f(%%a: tensor<2x%s>) {\n  %%0 = stablehlo.compare LE, %%a, %%a : "
        "(tensor<2x%s>, tensor<2x%s>) -> tensor<2xi1>\n  return\n}\n",
        cases[i].element, cases[i].element, cases[i].element);
    EchoOp *op = op_in(echo_arena_copy_string(echo_context_arena(ctx), text.data, text.size),
                       "stablehlo.compare");
    ck_assert_int_eq(echo_stablehlo_compare_type(op), cases[i].type);
    ck_assert_int_eq(echo_stablehlo_compare_direction(op), ECHO_COMPARE_LE);
    echo_buffer_destroy(&text);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("stablehlo attributes");
  TCase *tests = tcase_create("attributes");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, constructors_write_canonical_text);
  tcase_add_test(tests, unknown_algorithms_are_misuse);
  tcase_add_test(tests, other_spellings_become_canonical);
  tcase_add_test(tests, windows_have_defaults);
  tcase_add_test(tests, window_output_follows_the_specification);
  tcase_add_test(tests, compare_types_follow_the_operands);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
