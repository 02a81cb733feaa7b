/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reference evaluation of chlo against values that mpmath computed with 60 digits: within 1 ULP
 * in f64. */
#include <math.h>
#include <stdint.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

typedef struct Case {
  const char *op;
  double a, b, expected; /* b is not used by ops of one operand */
} Case;

static const Case CASES[] = {
    {"acos", -0x1.0000000000000p+0, 0, 0x1.921fb54442d18p+1},
    {"acos", -0x1.8000000000000p-1, 0, 0x1.359d26f93b6c3p+1},
    {"acos", -0x1.12e0be826d695p-30, 0, 0x1.921fb5488e548p+0},
    {"acos", 0x1.3333333333333p-2, 0, 0x1.441f5ecbeef59p+0},
    {"acos", 0x1.ffffde7210be9p-1, 0, 0x1.72ba46065af16p-10},
    {"acosh", 0x1.0000000000000p+0, 0, 0x0.0p+0},
    {"acosh", 0x1.000001ad7f29bp+0, 0, 0x1.d4effc065cae4p-12},
    {"acosh", 0x1.4000000000000p+1, 0, 0x1.9119c13a31bb0p+0},
    {"acosh", 0x1.2a05f20000000p+33, 0, 0x1.7b810429a7c2ap+4},
    {"asin", -0x1.0000000000000p+0, 0, -0x1.921fb54442d18p+0},
    {"asin", -0x1.0000000000000p-1, 0, -0x1.0c152382d7366p-1},
    {"asin", 0x1.19799812dea11p-40, 0, 0x1.19799812dea11p-40},
    {"asin", 0x1.fff2e48e8a71ep-1, 0, 0x1.8e80e1a01556ap+0},
    {"asinh", -0x1.7d78400000000p+26, 0, -0x1.31d23d3ad26e5p+4},
    {"asinh", -0x1.8000000000000p+0, 0, -0x1.31dc0090b63d8p+0},
    {"asinh", 0x1.b7cdfd9d7bdbbp-34, 0, 0x1.b7cdfd9d7bdbbp-34},
    {"asinh", 0x1.8000000000000p+1, 0, 0x1.d185b507edc0ep+0},
    {"atan", -0x1.dcd6500000000p+29, 0, -0x1.921fb53ff74e9p+0},
    {"atan", -0x1.6666666666666p-1, 0, -0x1.38b112d7bd4adp-1},
    {"atan", 0x1.5798ee2308c3ap-27, 0, 0x1.5798ee2308c3ap-27},
    {"atan", 0x1.0000000000000p+1, 0, 0x1.1b6e192ebbe44p+0},
    {"atanh", -0x1.ff7ced916872bp-1, 0, -0x1.e66cfde9c7c2dp+1},
    {"atanh", -0x1.12e0be826d695p-30, 0, -0x1.12e0be826d695p-30},
    {"atanh", 0x1.0000000000000p-2, 0, 0x1.058aefa811452p-2},
    {"atanh", 0x1.ccccccccccccdp-1, 0, 0x1.78e360604b32dp+0},
    {"cosh", -0x1.4000000000000p+4, 0, 0x1.ceb088b68e804p+27},
    {"cosh", 0x1.999999999999ap-4, 0, 0x1.0147f40224b38p+0},
    {"cosh", 0x1.8000000000000p+1, 0, 0x1.422a497d6185ep+3},
    {"sinh", -0x1.4000000000000p+4, 0, -0x1.ceb088b68e804p+27},
    {"sinh", 0x1.12e0be826d695p-30, 0, 0x1.12e0be826d695p-30},
    {"sinh", 0x1.8000000000000p+1, 0, 0x1.40926e70949aep+3},
    {"tan", -0x1.8000000000000p+0, 0, -0x1.c33ed50b88777p+3},
    {"tan", 0x1.0000000000000p-1, 0, 0x1.17b4f5bf3474ap-1},
    {"tan", 0x1.9000000000000p+6, 0, -0x1.2ca74d62b5d38p-1},
    {"erf", -0x1.8000000000000p+1, 0, -0x1.fffd1ac4135f9p-1},
    {"erf", -0x1.0000000000000p-1, 0, -0x1.0a7ef5c18edd2p-1},
    {"erf", 0x1.b7cdfd9d7bdbbp-34, 0, 0x1.f044332d68161p-34},
    {"erf", 0x1.ccccccccccccdp-1, 0, 0x1.98045a6c8a2e6p-1},
    {"erf", 0x1.4000000000000p+1, 0, 0x1.ffcaa8f4c9beap-1},
    {"erfc", -0x1.0000000000000p+1, 0, 0x1.fecd70a13caf2p+0},
    {"erfc", 0x1.0000000000000p-1, 0, 0x1.eb02147ce245cp-2},
    {"erfc", 0x1.4000000000000p+2, 0, 0x1.b0c1a759f7739p-40},
    {"erfc", 0x1.4000000000000p+4, 0, 0x1.b54f244df93dfp-583},
    {"erf_inv", -0x1.ffffde7210be9p-1, 0, -0x1.babd964830d58p+1},
    {"erf_inv", -0x1.0000000000000p-1, 0, -0x1.e861fbb24c00ap-2},
    {"erf_inv", 0x1.5798ee2308c3ap-27, 0, 0x1.308158419499ap-27},
    {"erf_inv", 0x1.3333333333333p-2, 0, 0x1.1700774485ed2p-2},
    {"erf_inv", 0x1.8000000000000p-1, 0, 0x1.a07890f6b2ba1p-1},
    {"erf_inv", 0x1.ffffffaa19c47p-1, 0, 0x1.0357dae0de3e0p+2},
    {"digamma", -0x1.c000000000000p+1, 0, 0x1.638d0b871453ap+0},
    {"digamma", -0x1.999999999999ap-4, 0, 0x1.27d7a36fe377ep+3},
    {"digamma", 0x1.0000000000000p-1, 0, -0x1.f6a897d3214fcp+0},
    {"digamma", 0x1.4000000000000p+3, 0, 0x1.20396dc85cc95p+1},
    {"digamma", 0x1.e848000000000p+19, 0, 0x1.ba18a88c907d1p+3},
    {"lgamma", -0x1.c000000000000p+1, 0, -0x1.4f1b0fe64a5d8p+0},
    {"lgamma", 0x1.0000000000000p-1, 0, 0x1.250d048e7a1bdp-1},
    {"lgamma", 0x1.4000000000000p+1, 0, 0x1.2383e809a67e8p-2},
    {"lgamma", 0x1.9000000000000p+6, 0, 0x1.67225b4879462p+8},
    {"bessel_i1e", -0x1.0000000000000p+1, 0, -0x1.b8df1ae942419p-3},
    {"bessel_i1e", 0x1.4f8b588e368f1p-17, 0, 0x1.4f8a7ca791d2ap-18},
    {"bessel_i1e", 0x1.0000000000000p-1, 0, 0x1.40598cd0be9efp-3},
    {"bessel_i1e", 0x1.4000000000000p+3, 0, 0x1.f0b1232c58151p-4},
    {"bessel_i1e", 0x1.d800000000000p+5, 0, 0x1.a6c1917eeb83ap-5},
    {"bessel_i1e", 0x1.e800000000000p+5, 0, 0x1.9fdb27596fcb6p-5},
    {"bessel_i1e", 0x1.f400000000000p+9, 0, 0x1.9d3c26834858bp-7},
    {"square", -0x1.199999999999ap+0, 0, 0x1.35c28f5c28f5dp+0},
    {"square", 0x1.bf08eb0000000p+34, 0, 0x1.8650127cc3dc8p+69},
    {"zeta", 0x1.0000000000000p+1, 0x1.0000000000000p+0, 0x1.a51a6625307d3p+0},
    {"zeta", 0x1.8000000000000p+1, 0x1.0000000000000p-2, 0x1.02a7cd8772a0ep+6},
    {"zeta", 0x1.8000000000000p+0, 0x1.c000000000000p+2, 0x1.9159bcca73a2fp-1},
    {"zeta", 0x1.4000000000000p+4, 0x1.4000000000000p+1, 0x1.7a3e6e4570500p-27},
    {"polygamma", 0x0.0p+0, 0x1.8000000000000p+0, 0x1.2aed059bd608ap-5},
    {"polygamma", 0x1.0000000000000p+0, 0x1.3333333333333p-2, 0x1.87da06bfa42ddp+3},
    {"polygamma", 0x1.0000000000000p+1, 0x1.0000000000000p+2, -0x1.47d7be05f94bfp-4},
    {"polygamma", 0x1.4000000000000p+2, 0x1.9000000000000p+3, 0x1.91121c05bdfa8p-14},
};

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

/* Runs @f of the text on the arguments; one or more results. */
static void interpret(const char *text, const EchoTensor *const *arguments, size_t n_arguments,
                      EchoTensor **results, size_t n_results)
{
  EchoStr copy = {echo_arena_copy_string(echo_context_arena(ctx), text, strlen(text)),
                  strlen(text)};
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("test"), copy);
  ck_assert_ptr_nonnull(module);
  ck_assert(echo_verify(module));
  ck_assert(echo_interpret(ctx, module, echo_op_body(module, 0)->first, arguments, n_arguments,
                           results, n_results));
}

static EchoTensor *tensor_of(const char *type, const double *values, int64_t n)
{
  EchoTensor *tensor = echo_tensor_create(echo_type_from_text(ctx, type), true);
  for (int64_t i = 0; i < n; ++i)
    echo_tensor_set_f64(tensor, i, values[i]);
  return tensor;
}

static uint64_t ulps_between(double a, double b)
{
  int64_t x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  x = x < 0 ? INT64_MIN - x : x;
  y = y < 0 ? INT64_MIN - y : y;
  return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

START_TEST(functions_are_right_to_one_ulp)
{
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; ++i) {
    const Case *one = &CASES[i];
    bool two = strcmp(one->op, "zeta") == 0 || strcmp(one->op, "polygamma") == 0;
    EchoBuffer text = {0};
    echo_buffer_printf(
        &text,
        "func.func @f(%%a: tensor<f64>, %%b: tensor<f64>) -> tensor<f64> {\n  %%0 = "
        "chlo.%s %%a%s : tensor<f64>%s -> tensor<f64>\n  return %%0 : tensor<f64>\n}\n",
        one->op, two ? ", %b" : "", two ? ", tensor<f64>" : "");
    EchoTensor *a = tensor_of("tensor<f64>", &one->a, 1), *b = tensor_of("tensor<f64>", &one->b, 1);
    EchoTensor *result = NULL;
    interpret(text.data, (const EchoTensor *const[]){a, b}, 2, &result, 1);
    double value = echo_tensor_get_f64(result, 0);
    ck_assert_msg(ulps_between(value, one->expected) <= 1, "chlo.%s(%a, %a) = %a, expected %a",
                  one->op, one->a, one->b, value, one->expected);
    echo_tensor_destroy(a);
    echo_tensor_destroy(b);
    echo_tensor_destroy(result);
    echo_buffer_destroy(&text);
  }
}
END_TEST

START_TEST(edges)
{
  static const double x[] = {1, -1, 2, NAN, 0};
  EchoTensor *a = tensor_of("tensor<5xf64>", x, 5), *result = NULL;
  interpret("func.func @f(%a: tensor<5xf64>) -> tensor<5xf64> {\n"
            "  %0 = chlo.erf_inv %a : tensor<5xf64> -> tensor<5xf64>\n"
            "  return %0 : tensor<5xf64>\n}\n",
            (const EchoTensor *const[]){a}, 1, &result, 1);
  ck_assert(echo_tensor_get_f64(result, 0) == INFINITY);
  ck_assert(echo_tensor_get_f64(result, 1) == -INFINITY);
  ck_assert(isnan(echo_tensor_get_f64(result, 2)));
  ck_assert(isnan(echo_tensor_get_f64(result, 3)));
  ck_assert(echo_tensor_get_f64(result, 4) == 0);
  echo_tensor_destroy(a);
  echo_tensor_destroy(result);
}
END_TEST

START_TEST(next_after_steps_in_the_element_type)
{
  static const double x[] = {1, 1, 0, -1, INFINITY}, y[] = {2, 0, -1, -1, 0};
  static const double bf16[] = {1.0078125, 0.99609375, -0x1p-133, -1, 0x1.fep127};
  EchoTensor *a = tensor_of("tensor<5xbf16>", x, 5), *b = tensor_of("tensor<5xbf16>", y, 5);
  EchoTensor *result = NULL;
  interpret("func.func @f(%a: tensor<5xbf16>, %b: tensor<5xbf16>) -> tensor<5xbf16> {\n"
            "  %0 = chlo.next_after %a, %b : tensor<5xbf16>, tensor<5xbf16> -> tensor<5xbf16>\n"
            "  return %0 : tensor<5xbf16>\n}\n",
            (const EchoTensor *const[]){a, b}, 2, &result, 1);
  for (int64_t i = 0; i < 5; ++i)
    ck_assert_double_eq(echo_tensor_get_f64(result, i), bf16[i]);
  echo_tensor_destroy(a);
  echo_tensor_destroy(b);
  echo_tensor_destroy(result);
}
END_TEST

START_TEST(top_k_is_stable_in_total_order)
{
  static const double x[] = {0, -0.0, 3, 3, NAN, -INFINITY, 7, -1, 7, 2, 7, 2};
  static const double indices[] = {4, 2, 3, 0, 0, 2, 4, 3};
  EchoTensor *a = tensor_of("tensor<2x6xf32>", x, 12), *results[2] = {NULL, NULL};
  interpret("func.func @f(%a: tensor<2x6xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {\n"
            "  %0, %1 = chlo.top_k(%a, k = 4) : tensor<2x6xf32> -> (tensor<2x4xf32>, "
            "tensor<2x4xi32>)\n  return %0, %1 : tensor<2x4xf32>, tensor<2x4xi32>\n}\n",
            (const EchoTensor *const[]){a}, 1, results, 2);
  for (int64_t i = 0; i < 8; ++i)
    ck_assert_int_eq(echo_tensor_get_i64(results[1], i), (int64_t)indices[i]);
  ck_assert(isnan(echo_tensor_get_f64(results[0], 0)));
  ck_assert_double_eq(echo_tensor_get_f64(results[0], 5), 7);
  echo_tensor_destroy(a);
  echo_tensor_destroy(results[0]);
  echo_tensor_destroy(results[1]);
}
END_TEST

START_TEST(mulhi_takes_the_upper_half)
{
  EchoTensor *a = echo_tensor_create(echo_type_from_text(ctx, "tensor<3xi64>"), true);
  EchoTensor *b = echo_tensor_create(a->type, true), *result = NULL;
  static const int64_t x[] = {INT64_MAX, -1, INT64_MIN}, y[] = {4, 5, 2}, high[] = {1, -1, -1};
  for (int64_t i = 0; i < 3; ++i) {
    echo_tensor_set_i64(a, i, x[i]);
    echo_tensor_set_i64(b, i, y[i]);
  }
  interpret("func.func @f(%a: tensor<3xi64>, %b: tensor<3xi64>) -> tensor<3xi64> {\n"
            "  %0 = chlo.mulhi %a, %b : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>\n"
            "  return %0 : tensor<3xi64>\n}\n",
            (const EchoTensor *const[]){a, b}, 2, &result, 1);
  for (int64_t i = 0; i < 3; ++i)
    ck_assert_int_eq(echo_tensor_get_i64(result, i), high[i]);
  echo_tensor_destroy(a);
  echo_tensor_destroy(b);
  echo_tensor_destroy(result);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("chlo evaluate");
  TCase *tests = tcase_create("evaluate");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, functions_are_right_to_one_ulp);
  tcase_add_test(tests, edges);
  tcase_add_test(tests, next_after_steps_in_the_element_type);
  tcase_add_test(tests, top_k_is_stable_in_total_order);
  tcase_add_test(tests, mulhi_takes_the_upper_half);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
