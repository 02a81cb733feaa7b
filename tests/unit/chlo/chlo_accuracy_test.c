/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The accuracy that --chlo-to-stablehlo promises, on the interpreter (whose own functions are
 * within 1 ULP), against values of 200 bits' precision rounded to f64. */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/pass/pass.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "lowering/lowering.h"
#include "tests/unit/suite.h"

/* `wide`: f64 only, too long for the others. */
static const struct {
  const char *op;
  bool wide;
  double x, want;
} POINTS[] = {
    {"erf", false, 0x1.5800000000000p-27, 0x1.8429953d980dap-27},
    {"erf", false, 0x1.4800000000000p-7, 0x1.721893db832f1p-7},
    {"erf", false, 0x1.3400000000000p-2, 0x1.5156af991f1d3p-2},
    {"erf", false, 0x1.6600000000000p-1, 0x1.5ac1eecd69c40p-1},
    {"erf", false, 0x1.fa00000000000p-1, 0x1.acf15f4cf98c3p-1},
    {"erf", false, 0x1.0000000000000p+0, 0x1.af767a741088bp-1},
    {"erf", false, 0x1.4c00000000000p+0, 0x1.dde0a90611a0dp-1},
    {"erf", false, 0x1.0000000000000p+1, 0x1.fd9ae142795e3p-1},
    {"erf", false, 0x1.c000000000000p+1, 0x1.ffffe710d565ep-1},
    {"erf", false, -0x1.9a00000000000p-2, -0x1.b70eee9514a3dp-2},
    {"erf", false, -0x1.b400000000000p+0, -0x1.f7cceef15d631p-1},
    {"erf", true, 0x1.c3dde2277f49fp-22, 0x1.fde083846c9fdp-22},
    {"erf", true, 0x1.799999999999ap+2, 0x1.fffffffffffffp-1},
    {"erfc", false, 0x1.5800000000000p-27, 0x1.ffffff9ef59abp-1},
    {"erfc", false, 0x1.4800000000000p-7, 0x1.fa379db091f34p-1},
    {"erfc", false, 0x1.0000000000000p-1, 0x1.eb02147ce245cp-2},
    {"erfc", false, 0x1.fa00000000000p-1, 0x1.4c3a82cc19cf4p-3},
    {"erfc", false, 0x1.0000000000000p+0, 0x1.4226162fbddd5p-3},
    {"erfc", false, 0x1.8000000000000p+0, 0x1.15aaa8ec85205p-5},
    {"erfc", false, 0x1.8000000000000p+1, 0x1.729df6503422ap-16},
    {"erfc", false, 0x1.fa00000000000p+2, 0x1.ff94e3fca1752p-95},
    {"erfc", false, 0x1.0400000000000p+3, 0x1.ddf56913a541ep-100},
    {"erfc", false, -0x1.0000000000000p-1, 0x1.853f7ae0c76e9p+0},
    {"erfc", false, -0x1.0000000000000p+1, 0x1.fecd70a13caf2p+0},
    {"erfc", true, 0x1.feb0b2fd5443ap-1, 0x1.445441722dc77p-3},
    {"erfc", true, 0x1.870426a2c928dp+4, 0x1.e634ab3df8f04p-868},
    {"erfc", true, 0x1.3ffffef39085fp+4, 0x1.b553a022fb670p-583},
    {"erfc", true, 0x1.a333333333333p+4, 0x1.19b89f2d7ab28p-996},
    {"erf_inv", false, 0x1.5800000000000p-27, 0x1.30dcb01e590dcp-27},
    {"erf_inv", false, 0x1.4800000000000p-7, 0x1.22b0a79173f9ap-7},
    {"erf_inv", false, 0x1.3400000000000p-2, 0x1.17c3fdce037d2p-2},
    {"erf_inv", false, 0x1.f600000000000p-2, 0x1.dd50506994b8dp-2},
    {"erf_inv", false, 0x1.0000000000000p-1, 0x1.e861fbb24c00ap-2},
    {"erf_inv", false, 0x1.6600000000000p-1, 0x1.769f798ad7049p-1},
    {"erf_inv", false, 0x1.dc00000000000p-1, 0x1.47a020312b1aep+0},
    {"erf_inv", false, 0x1.fa00000000000p-1, 0x1.c842779dcc40cp+0},
    {"erf_inv", false, -0x1.0000000000000p-2, -0x1.cd70681d5ff70p-3},
    {"erf_inv", false, -0x1.cc00000000000p-1, -0x1.286336b6170ffp+0},
    {"erf_inv", true, 0x1.fffffff768fa1p-1, 0x1.147af7e11d345p+2},
    {"erf_inv", true, 0x1.ffffffffffff7p-1, 0x1.6b42341743884p+2},
    {"erf_inv", true, -0x1.fffffffffffffp-1, -0x1.7744f8f74e94ap+2},
    {"erf_inv", true, 0x1.8d4b9aa18a4dap-1, 0x1.b83199bbb4343p-1},
    {"erf_inv", true, 0x1.fffffca501acbp-1, 0x1.e21eb9013cbe7p+1},
    {"erf_inv", true, 0x1.ac9a7b3b7302fp-995, 0x1.7bd7046f44287p-995},
    {"acos", false, 0x0.0p+0, 0x1.921fb54442d18p+0},
    {"acos", false, 0x1.4800000000000p-7, 0x1.8f8fb2764d32bp+0},
    {"acos", false, 0x1.0000000000000p-1, 0x1.0c152382d7366p+0},
    {"acos", false, 0x1.cc00000000000p-1, 0x1.d182359c82bf9p-2},
    {"acos", false, 0x1.fa00000000000p-1, 0x1.39d7789102f12p-3},
    {"acos", false, 0x1.0000000000000p+0, 0x0.0p+0},
    {"acos", false, -0x1.3400000000000p-2, 0x1.e055b9964b9f3p+0},
    {"acos", false, -0x1.cc00000000000p-1, 0x1.57ef6e90b2799p+1},
    {"acos", true, 0x1.fc40694911386p-1, 0x1.eff044bb74b7fp-4},
    {"asin", false, 0x1.5800000000000p-27, 0x1.5800000000000p-27},
    {"asin", false, 0x1.4800000000000p-7, 0x1.480166facf6cdp-7},
    {"asin", false, 0x1.0000000000000p-1, 0x1.0c152382d7366p-1},
    {"asin", false, 0x1.cc00000000000p-1, 0x1.1dbf27dd2221ap+0},
    {"asin", false, 0x1.fa00000000000p-1, 0x1.6ae4c63222736p+0},
    {"asin", false, 0x1.0000000000000p+0, 0x1.921fb54442d18p+0},
    {"asin", false, -0x1.3400000000000p-2, -0x1.38d8114823369p-2},
    {"asin", false, -0x1.cc00000000000p-1, -0x1.1dbf27dd2221ap+0},
    {"asin", true, -0x1.56e1fc2f8f359p-997, -0x1.56e1fc2f8f359p-997},
    {"atan", false, 0x1.5800000000000p-27, 0x1.5800000000000p-27},
    {"atan", false, 0x1.4800000000000p-7, 0x1.47fd321db6fc2p-7},
    {"atan", false, 0x1.6600000000000p-1, 0x1.386c52d3db11fp-1},
    {"atan", false, 0x1.0000000000000p+0, 0x1.921fb54442d18p-1},
    {"atan", false, 0x1.8000000000000p+1, 0x1.3fc176b7a8560p+0},
    {"atan", false, 0x1.9000000000000p+6, 0x1.8f905eb2def22p+0},
    {"atan", false, -0x1.0000000000000p+1, -0x1.1b6e192ebbe44p+0},
    {"acosh", false, 0x1.0200000000000p+0, 0x1.ffaad0fa45262p-4},
    {"acosh", false, 0x1.1a00000000000p+0, 0x1.c9b0f277e6e6ap-2},
    {"acosh", false, 0x1.8000000000000p+0, 0x1.ecc2caec5160ap-1},
    {"acosh", false, 0x1.0000000000000p+1, 0x1.5124271980435p+0},
    {"acosh", false, 0x1.c000000000000p+2, 0x1.5124271980435p+1},
    {"acosh", false, 0x1.9000000000000p+6, 0x1.531738dcbc627p+2},
    {"acosh", false, 0x1.3800000000000p+15, 0x1.6938c696cb297p+3},
    {"acosh", true, 0x1.0000000001198p+0, 0x1.7ba455f46f4d0p-20},
    {"acosh", true, 0x1.c7b1f3cac7433p+1023, 0x1.632dff7d92dd1p+9},
    {"asinh", false, 0x1.5800000000000p-27, 0x1.5800000000000p-27},
    {"asinh", false, 0x1.4800000000000p-7, 0x1.47fe990d79f72p-7},
    {"asinh", false, 0x1.3400000000000p-2, 0x1.2f890e9e1dbdbp-2},
    {"asinh", false, 0x1.0000000000000p+0, 0x1.c34366179d427p-1},
    {"asinh", false, 0x1.8000000000000p+1, 0x1.d185b507edc0ep+0},
    {"asinh", false, 0x1.f400000000000p+8, 0x1.ba18adcabd78ap+2},
    {"asinh", false, 0x1.d400000000000p+14, 0x1.6004158e6c93ap+3},
    {"asinh", false, -0x1.9a00000000000p-3, -0x1.974f4009cf877p-3},
    {"asinh", false, -0x1.4000000000000p+2, -0x1.27fdfac4e4380p+1},
    {"asinh", true, 0x1.4e718d7d7625ap+664, 0x1.cd35cd6cad20fp+8},
    {"atanh", false, 0x1.5800000000000p-27, 0x1.5800000000000p-27},
    {"atanh", false, 0x1.4800000000000p-7, 0x1.4802cdf8620e7p-7},
    {"atanh", false, 0x1.3400000000000p-2, 0x1.3dd3d1f24e85fp-2},
    {"atanh", false, 0x1.6600000000000p-1, 0x1.bb463ed05c38dp-1},
    {"atanh", false, 0x1.fa00000000000p-1, 0x1.4890c3ba92a50p+1},
    {"atanh", false, -0x1.9a00000000000p-3, -0x1.9f9cea93319edp-3},
    {"atanh", false, -0x1.cc00000000000p-1, -0x1.76cc6077efb49p+0},
    {"cosh", false, 0x1.5800000000000p-27, 0x1.0000000000000p+0},
    {"cosh", false, 0x1.9a00000000000p-4, 0x1.01489833b4b8cp+0},
    {"cosh", false, 0x1.0000000000000p+0, 0x1.8b07551d9f550p+0},
    {"cosh", false, 0x1.4000000000000p+1, 0x1.88776e4b30aa3p+2},
    {"cosh", false, 0x1.c000000000000p+2, 0x1.1228949ba3a8cp+9},
    {"cosh", false, 0x1.6000000000000p+3, 0x1.d3c4489115628p+14},
    {"cosh", false, -0x1.0000000000000p-1, 0x1.20ac1862ae8d0p+0},
    {"cosh", false, -0x1.8000000000000p+1, 0x1.422a497d6185ep+3},
    {"cosh", true, 0x1.62f3333333333p+9, 0x1.1fdb71f9335bap+1023},
    {"cosh", true, 0x1.cb851eb851eb8p+0, 0x1.8be0e7f103baep+1},
    {"sinh", false, 0x1.5800000000000p-27, 0x1.5800000000000p-27},
    {"sinh", false, 0x1.9a00000000000p-4, 0x1.9aaf5ced589a9p-4},
    {"sinh", false, 0x1.9a00000000000p-1, 0x1.c73ed0f0c6fefp-1},
    {"sinh", false, 0x1.fa00000000000p-1, 0x1.283e292cd5324p+0},
    {"sinh", false, 0x1.0000000000000p+0, 0x1.2cd9fc44eb982p+0},
    {"sinh", false, 0x1.4000000000000p+1, 0x1.83368cdb0b6d3p+2},
    {"sinh", false, 0x1.c000000000000p+2, 0x1.122876ba380c9p+9},
    {"sinh", false, 0x1.6000000000000p+3, 0x1.d3c4488cb48d7p+14},
    {"sinh", false, -0x1.0000000000000p-1, -0x1.0acd00fe63b97p-1},
    {"sinh", false, -0x1.8000000000000p+1, -0x1.40926e70949aep+3},
    {"sinh", true, 0x1.62f3333333333p+9, 0x1.1fdb71f9335bap+1023},
    {"sinh", true, -0x1.6b851eb851eb8p+0, -0x1.f29cad7c77b79p+0},
    {"tan", false, 0x1.5800000000000p-27, 0x1.5800000000000p-27},
    {"tan", false, 0x1.9a00000000000p-4, 0x1.9b5ff603d5b08p-4},
    {"tan", false, 0x1.0000000000000p+0, 0x1.8eb245cbee3a6p+0},
    {"tan", false, 0x1.8000000000000p+0, 0x1.c33ed50b88777p+3},
    {"tan", false, 0x1.0000000000000p+1, -0x1.17af62e0950f8p+1},
    {"tan", false, 0x1.c000000000000p+2, 0x1.be2e6e13eea79p-1},
    {"tan", false, -0x1.0000000000000p-1, -0x1.17b4f5bf3474ap-1},
};

static const struct {
  const char *name;
  int mantissa_bits, least_exponent;
  double largest;
} TYPES[] = {{"f64", 52, -1022, 0x1.fffffffffffffp1023},
             {"f32", 23, -126, 0x1.fffffep127},
             {"f16", 10, -14, 65504},
             {"bf16", 7, -126, 0x1.fep127}};

enum { N_TYPES = sizeof TYPES / sizeof TYPES[0], F64 = 0, F32 = 1, F16 = 2 };

static double ulp(double x, size_t t)
{
  int exponent = x == 0 ? TYPES[t].least_exponent : ilogb(x);
  if (exponent < TYPES[t].least_exponent)
    exponent = TYPES[t].least_exponent;
  return ldexp(1, exponent - TYPES[t].mantissa_bits);
}

static double promised_ulps(const char *op, size_t t)
{
  if (strncmp(op, "erf", 3) != 0)
    return 4;
  if (t > F32)
    return 1; /* of f32, rounded */
  if (strcmp(op, "erf_inv") == 0)
    return 4;
  bool is_erf = strcmp(op, "erf") == 0;
  return t == F64 ? (is_erf ? 3 : 10) : is_erf ? 1.5 : 5;
}

static void lower(EchoContext *ctx, EchoOp *module)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  const EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ctx, registry, &options);
  ck_assert(echo_pass_manager_add_pipeline(manager, ECHO_STR("chlo-to-stablehlo")));
  ck_assert(echo_pass_manager_run(manager, module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
}

static double evaluate(const char *op, size_t t, double x)
{
  char text[512];
  const char *type = TYPES[t].name;
  snprintf(text, sizeof text,
           "func.func @f(%%a: tensor<%s>) -> tensor<%s> {\n  %%0 = chlo.%s %%a : tensor<%s> -> "
           "tensor<%s>\n  return %%0 : tensor<%s>\n}\n",
           type, type, op, type, type, type);
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("test"), echo_str(text));
  ck_assert_msg(module != NULL && echo_verify(module), "%s", text);
  lower(ctx, module);
  const EchoOp *function = echo_op_body(module, 0)->first;
  EchoTensor *arg = echo_tensor_create(echo_block_arg(echo_op_body(function, 0), 0)->type, true);
  EchoTensor *result = NULL;
  echo_tensor_set_f64(arg, 0, x);
  ck_assert(echo_interpret(ctx, module, function, (const EchoTensor *const *)&arg, 1, &result, 1));
  double y = echo_tensor_get_f64(result, 0);
  echo_tensor_destroy(arg);
  echo_tensor_destroy(result);
  echo_context_destroy(ctx);
  return y;
}

START_TEST(points)
{
  for (size_t t = 0; t < N_TYPES; t++)
    for (size_t i = 0; i < sizeof POINTS / sizeof POINTS[0]; i++) {
      double x = POINTS[i].x, want = POINTS[i].want;
      if ((POINTS[i].wide && t != F64) || (t == F16 && x != 0 && fabs(x) < 0x1p-14))
        continue;
      double got = evaluate(POINTS[i].op, t, x);
      if (fabs(want) > TYPES[t].largest + ulp(TYPES[t].largest, t) / 2)
        ck_assert_msg(isinf(got), "%s of %s at %a: %a", POINTS[i].op, TYPES[t].name, x, got);
      else
        ck_assert_msg(fabs(got - want) <= promised_ulps(POINTS[i].op, t) * ulp(want, t),
                      "%s of %s at %a: %a, not %a", POINTS[i].op, TYPES[t].name, x, got, want);
    }
}
END_TEST

START_TEST(limits)
{
  static const struct {
    const char *op;
    double x, want;
  } rows[] = {
      {"erf", INFINITY, 1},
      {"erf", -INFINITY, -1},
      {"erf", -0.0, -0.0},
      {"erf", NAN, NAN},
      {"erfc", INFINITY, 0},
      {"erfc", -INFINITY, 2},
      {"erfc", NAN, NAN},
      {"erfc", 30, 0},
      {"erf_inv", 1, INFINITY},
      {"erf_inv", -0.0, -0.0},
      {"erf_inv", -1, -INFINITY},
      {"erf_inv", 1.5, NAN},
      {"erf_inv", NAN, NAN},
      {"acos", 2, NAN},
      {"asin", -2, NAN},
      {"asin", -0.0, -0.0},
      {"acosh", 0.5, NAN},
      {"acosh", INFINITY, INFINITY},
      {"acosh", 1, 0},
      {"asinh", -INFINITY, -INFINITY},
      {"asinh", -0.0, -0.0},
      {"asinh", NAN, NAN},
      {"atanh", 1, INFINITY},
      {"atanh", -1, -INFINITY},
      {"atanh", 2, NAN},
      {"atan", -0.0, -0.0},
      {"cosh", -INFINITY, INFINITY},
      {"cosh", 0, 1},
      {"sinh", -INFINITY, -INFINITY},
      {"sinh", -0.0, -0.0},
      {"sinh", NAN, NAN},
      {"tan", INFINITY, NAN},
      {"atanh", -0.0, -0.0},
  };
  for (size_t t = 0; t < N_TYPES; t++)
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      double got = evaluate(rows[i].op, t, rows[i].x), want = rows[i].want;
      bool same = isnan(want) ? isnan(got) : got == want && signbit(got) == signbit(want);
      ck_assert_msg(same, "%s of %s at %g: %g, not %g", rows[i].op, TYPES[t].name, rows[i].x, got,
                    want);
    }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("chlo_accuracy");
  TCase *tests = tcase_create("ULP");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, points);
  tcase_add_test(tests, limits);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
