/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The stated bounds of the expanded functions, measured: every f32 whose bits are a multiple of a
 * stride (all of them with ECHO_MATH_STRIDE=1, some minutes a function) against libm in double, f64
 * at random against long double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "codegen/codegen.h"
#include "codegen/loader.h"
#include "dialects/dialects.h"
#include "dialects/interfaces/scalar.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass.h"
#include "ir/text/text.h"
#include "lowering/lowering.h"
#include "tests/unit/exec/harness.h"
#include "tests/unit/suite.h"

enum { CHUNK = 65536 };

typedef struct Compiled {
  EchoContext *ctx;
  EchoCompiledModule module;
  EchoLoader *loader;
  EchoKernelFn *run;
  int64_t n_tasks;
} Compiled;

/* A kernel of a stablehlo or chlo op, or, of an op of math that none of those needs, loops. */
static void append_kernel(EchoBuffer *text, const char *op, const char *type, int n_inputs)
{
  char tensor[64], form[160];
  bool is_chlo = strncmp(op, "chlo.", 5) == 0;
  snprintf(tensor, sizeof tensor, "%s<%dx%s>", strncmp(op, "math.", 5) == 0 ? "memref" : "tensor",
           CHUNK, type);
  if (strncmp(op, "math.", 5) == 0) {
    echo_buffer_printf(text,
                       "func.func @k(%%a: %s, %%o: %s) attributes {kernel.kind = \"map\"} {\n"
                       "%%n = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                       "%%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
                       "%%c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
                       "\"scf.parallel\"(%%c0, %%n, %%c1) <{operandSegmentSizes = array<i32: 1, 1, "
                       "1, 0>}> ({\n^bb0(%%i: index):\n"
                       "%%x = \"memref.load\"(%%a, %%i) : (%s, index) -> %s\n"
                       "%%y = \"%s\"(%%x) : (%s) -> %s\n"
                       "\"memref.store\"(%%y, %%o, %%i) : (%s, %s, index) -> ()\n"
                       "\"scf.reduce\"() : () -> ()\n}) : (index, index, index) -> ()\nreturn\n}\n",
                       tensor, tensor, CHUNK, tensor, type, op, type, type, type, tensor);
    return;
  }
  const char *second = n_inputs == 2 ? ", " : "", *second_type = n_inputs == 2 ? tensor : "";
  snprintf(form, sizeof form, is_chlo ? "%s -> %s" : "%s", tensor, tensor);
  echo_buffer_printf(text,
                     "\"kernel.func\"() <{sym_name = \"k\", kind = \"map\", function_type = "
                     "(%s%s%s) -> %s}> ({\n^bb0(%%a: %s%s%s):\n%%0 = %s%s %%a%s : %s\n"
                     "\"kernel.return\"(%%0) : (%s) -> ()\n}) : () -> ()\n",
                     tensor, second, second_type, tensor, tensor, n_inputs == 2 ? ", %b: " : "",
                     second_type, is_chlo ? "" : "stablehlo.", op, n_inputs == 2 ? ", %b" : "",
                     form, tensor);
}

static Compiled compile(const char *op, const char *type, int n_inputs)
{
  Compiled c = {.ctx = echo_context_create()};
  EchoBuffer text = {0};
  echo_register_dialects(c.ctx);
  append_kernel(&text, op, type, n_inputs);
  EchoOp *module = echo_parse_text_or_null(c.ctx, ECHO_STR("k"), echo_buffer_str(&text));
  ck_assert_ptr_nonnull(module);
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_ir_passes(registry);
  echo_register_lowering_passes(registry);
  EchoPassManagerOptions manager_options = {0};
  EchoPassManager *manager = echo_pass_manager_create(c.ctx, registry, &manager_options);
  ck_assert(echo_pass_manager_add_pipeline(
      manager, ECHO_STR("chlo-to-stablehlo,dce,lower-kernels,expand-math")));
  ck_assert(echo_pass_manager_run(manager, module));
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(registry);
  EchoCodegenOptions options = {0};
  ck_assert(echo_codegen_compile(c.ctx, module, &options, &c.module));
  c.loader = echo_loader_create_or_null(c.ctx);
  ck_assert(c.loader != NULL &&
            echo_loader_add_object(c.loader, c.ctx, c.module.kernels[0].object));
  void *address = NULL;
  ck_assert(echo_loader_lookup(c.loader, c.ctx, c.module.kernels[0].phases[0].symbol, &address));
  memcpy(&c.run, &address, sizeof c.run);
  c.n_tasks = c.module.kernels[0].phases[0].n_tasks;
  echo_buffer_destroy(&text);
  return c;
}

static void release(Compiled *c)
{
  echo_loader_destroy(c->loader);
  echo_compiled_module_destroy(&c->module);
  echo_context_destroy(c->ctx);
}

/* Distance in units of the last place of a type with `digits` digits and least exponent `lowest`.
 */
static long double distance(long double got, long double want, long double rounded, int digits,
                            int lowest)
{
  if (isnan(got) && isnan(want))
    return 0;
  if (got == rounded) /* also where both are infinite */
    return got == want || isinf(got) ? 0 : 0.5L;
  if (isnan(got) || isnan(want) || isinf(got) != isinf(rounded))
    return INFINITY;
  int exponent = 0;
  frexpl(want, &exponent);
  int unit = exponent - digits < lowest ? lowest : exponent - digits;
  return fabsl(got - want) / ldexpl(1.0L, unit);
}

static double logistic_f64(double x)
{
  return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}
static double rsqrt_f64(double x)
{
  return 1 / sqrt(x);
}
static long double logistic_long(long double x)
{
  return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}
static long double rsqrt_long(long double x)
{
  return 1 / sqrtl(x);
}

/* In long double: three of Halley's steps from what erfc's asymptote and erf's slope give. */
static long double erf_inv_long(long double x)
{
  long double a = fabsl(x), w = -log1pl(-a * a), y;
  if (!(a < 1))
    return a == 1 ? x * INFINITY : NAN;
  y = w < 5 ? a * 0.886226925452758014L * (1 + 0.13L * w) : sqrtl(w - 0.5L * logl(w) - 0.45L);
  for (int step = 0; step < 6; ++step) {
    long double error = a < 0.5L ? erfl(y) - a : (1 - a) - erfcl(y);
    long double newton = error * expl(y * y) * 0.886226925452758014L;
    y -= newton / (1 + y * newton);
  }
  return copysignl(y, x);
}
static double erf_inv_f64(double x)
{
  return (double)erf_inv_long(x);
}

static const struct Function {
  const char *op;
  EchoScalarOpcode opcode; /* whose row has the bounds */
  double (*f64)(double);
  long double (*wide)(long double);
  double low, high; /* of the f64 samples */
} FUNCTIONS[] = {
    {"exponential", ECHO_MATH_EXP, exp, expl, -750, 710},
    {"math.exp2", ECHO_MATH_EXP2, exp2, exp2l, -1080, 1025},
    {"exponential_minus_one", ECHO_MATH_EXPM1, expm1, expm1l, -40, 700},
    {"log", ECHO_MATH_LOG, log, logl, 0, 1e300},
    {"math.log2", ECHO_MATH_LOG2, log2, log2l, 0, 1e300},
    {"math.log10", ECHO_MATH_LOG10, log10, log10l, 0, 1e300},
    {"log_plus_one", ECHO_MATH_LOG1P, log1p, log1pl, -1, 1e300},
    {"logistic", ECHO_N_SCALAR_OPCODES, logistic_f64, logistic_long, -700, 40},
    {"chlo.erf", ECHO_N_SCALAR_OPCODES, erf, erfl, -6, 6},
    {"chlo.erfc", ECHO_N_SCALAR_OPCODES, erfc, erfcl, -6, 26},
    {"chlo.erf_inv", ECHO_N_SCALAR_OPCODES, erf_inv_f64, erf_inv_long, -1, 1},
    {"tanh", ECHO_MATH_TANH, tanh, tanhl, -20, 20},
    {"rsqrt", ECHO_MATH_RSQRT, rsqrt_f64, rsqrt_long, 0, 1e10},
    {"cbrt", ECHO_MATH_CBRT, cbrt, cbrtl, -1e300, 1e300},
    {"sine", ECHO_MATH_SIN, sin, sinl, -1e6, 1e6},
    {"cosine", ECHO_MATH_COS, cos, cosl, -1e6, 1e6},
    {"tan", ECHO_MATH_TAN, tan, tanl, -1e6, 1e6},
    {"math.erf", ECHO_MATH_ERF, erf, erfl, -6, 6},
    {"math.atan", ECHO_MATH_ATAN, atan, atanl, -1e300, 1e300},
    {"math.round", ECHO_MATH_ROUND, round, roundl, -1e16, 1e16},
};
enum { N_FUNCTIONS = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/* Of what no row has: logistic is exp, + and /; lowering/model states those of chlo's functions. */
static const struct {
  const char *op;
  double f32, f64;
} OTHER_BOUNDS[] = {
    {"logistic", 3, 3}, {"chlo.erf", 1.5, 3}, {"chlo.erfc", 5, 12}, {"chlo.erf_inv", 4, 7}};

/* In units of the last place. */
static double bound_of(const struct Function *function, bool is_f64)
{
  if (function->opcode != ECHO_N_SCALAR_OPCODES) {
    const EchoScalar *row = &ECHO_SCALARS[function->opcode];
    return (is_f64 ? row->f64_error : row->f32_error) / 100.0;
  }
  size_t i = 0;
  while (strcmp(OTHER_BOUNDS[i].op, function->op) != 0)
    ++i;
  return is_f64 ? OTHER_BOUNDS[i].f64 : OTHER_BOUNDS[i].f32;
}

START_TEST(f32_bounds_hold)
{
  const struct Function *function = &FUNCTIONS[_i];
  const char *stride_text = getenv("ECHO_MATH_STRIDE");
  uint64_t stride = stride_text != NULL ? strtoull(stride_text, NULL, 10) : 4099;
  ck_assert(stride > 0);
  Compiled c = compile(function->op, "f32", 1);
  float *in = aligned_alloc(64, CHUNK * sizeof *in), *out = aligned_alloc(64, CHUNK * sizeof *out);
  void *buffers[] = {in, out};
  double worst = 0;
  float worst_x = 0;
  for (uint64_t bits = 0; bits <= UINT32_MAX;) {
    size_t n = 0;
    for (; n < CHUNK && bits <= UINT32_MAX; ++n, bits += stride) {
      uint32_t word = (uint32_t)bits;
      memcpy(&in[n], &word, sizeof word);
    }
    for (size_t i = n; i < CHUNK; ++i)
      in[i] = 1.0f;
    c.run((void *const *)buffers, 0, c.n_tasks);
    for (size_t i = 0; i < n; ++i) {
      double want = function->f64((double)in[i]);
      double ulps = (double)distance(out[i], want, (long double)(float)want, 24, -149);
      if (ulps > worst) {
        worst = ulps;
        worst_x = in[i];
      }
    }
  }
  if (getenv("ECHO_MATH_REPORT") != NULL)
    printf("%-24s f32  worst %.3f ULP at %a, bound %.2f\n", function->op, worst, (double)worst_x,
           bound_of(function, false));
  ck_assert_msg(worst <= bound_of(function, false), "%s: %.3f ULP at %a", function->op, worst,
                (double)worst_x);
  free(in);
  free(out);
  release(&c);
}
END_TEST

static double uniform(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

/* Within the function's range: even over it, then over smaller and smaller parts of it, over all
 * magnitudes, and beside 1. */
enum { N_ROUNDS = 6 };
static double sample(const struct Function *function, int round, uint64_t *state)
{
  static const double WIDTHS[] = {1.0, 1e-3, 1e-9, 0.1};
  double x, unit = uniform(state);
  if (round < 4)
    x = (function->low + (function->high - function->low) * unit) * WIDTHS[round];
  else if (round == 4)
    x = ldexp(1 + unit, (int)(uniform(state) * 80) - 70) * (uniform(state) < 0.5 ? -1 : 1);
  else
    x = 1 + (unit - 0.5) * ldexp(1, -(int)(uniform(state) * 50));
  if (x <= function->low || x >= function->high)
    x = function->low < 0 && x < 0 ? function->low * unit : function->high * unit;
  return x;
}

START_TEST(f64_bounds_hold)
{
  const struct Function *function = &FUNCTIONS[_i];
  Compiled c = compile(function->op, "f64", 1);
  double *in = aligned_alloc(64, CHUNK * sizeof *in), *out = aligned_alloc(64, CHUNK * sizeof *out);
  void *buffers[] = {in, out};
  long double worst = 0;
  double worst_x = 0;
  uint64_t state = 1;
  for (int round = 0; round < N_ROUNDS; ++round) {
    for (size_t i = 0; i < CHUNK; ++i)
      in[i] = sample(function, round, &state);
    c.run((void *const *)buffers, 0, c.n_tasks);
    for (size_t i = 0; i < CHUNK; ++i) {
      long double want = function->wide((long double)in[i]);
      long double ulps = distance(out[i], want, (long double)(double)want, 53, -1074);
      if (ulps > worst) {
        worst = ulps;
        worst_x = in[i];
      }
    }
  }
  if (getenv("ECHO_MATH_REPORT") != NULL)
    printf("%-24s f64  worst %.3Lf ULP at %a, bound %.2f\n", function->op, worst, worst_x,
           bound_of(function, true));
  ck_assert_msg(worst <= bound_of(function, true), "%s: %.3Lf ULP at %a", function->op, worst,
                worst_x);
  free(in);
  free(out);
  release(&c);
}
END_TEST

/* ---- functions of two numbers ---- */

static const struct Binary {
  const char *op;
  EchoScalarOpcode opcode;
  double (*f64)(double, double);
  long double (*wide)(long double, long double);
  bool is_power; /* a positive base, and an exponent that keeps the result finite */
} BINARIES[] = {{"power", ECHO_MATH_POWF, pow, powl, true},
                {"atan2", ECHO_MATH_ATAN2, atan2, atan2l, false}};
enum { N_BINARIES = sizeof BINARIES / sizeof BINARIES[0] };

/* Magnitudes of all sizes; bases also beside 1, where exponents are large. */
static void sample_pair(const struct Binary *function, int round, uint64_t *state, bool is_f64,
                        double *x, double *y)
{
  double range = is_f64 ? 1000 : 120;
  *x = ldexp(1 + uniform(state), (int)(uniform(state) * (round % 2 == 0 ? 4 : 60)) - 2);
  if (round >= 2)
    *x = 1 / *x;
  if (!function->is_power) {
    *x = uniform(state) < 0.5 ? -*x : *x;
    *y = (uniform(state) - 0.5) * ldexp(1, (int)(uniform(state) * 60) - 30);
    return;
  }
  if (round == 3)
    *x = 1 + (uniform(state) - 0.5) * ldexp(1, is_f64 ? -30 : -8);
  if (!is_f64)
    *x = (float)*x;
  double bits = fabs(log2(*x));
  *y = (uniform(state) * 2 - 1) * range / (bits < 1e-300 ? 1 : bits);
}

static void check_pairs(const struct Binary *function, bool is_f64)
{
  Compiled c = compile(function->op, is_f64 ? "f64" : "f32", 2);
  double *in[2], *out = aligned_alloc(64, CHUNK * sizeof *out);
  for (int k = 0; k < 2; ++k)
    in[k] = aligned_alloc(64, CHUNK * sizeof *in[k]);
  void *buffers[] = {in[0], in[1], out};
  long double worst = 0;
  double worst_x = 0, worst_y = 0;
  uint64_t state = 1;
  for (int round = 0; round < 4; ++round) {
    for (size_t i = 0; i < CHUNK; ++i) {
      double x, y;
      sample_pair(function, round, &state, is_f64, &x, &y);
      if (is_f64) {
        in[0][i] = x;
        in[1][i] = y;
      } else {
        ((float *)in[0])[i] = (float)x;
        ((float *)in[1])[i] = (float)y;
      }
    }
    c.run((void *const *)buffers, 0, c.n_tasks);
    for (size_t i = 0; i < CHUNK; ++i) {
      double x = is_f64 ? in[0][i] : ((float *)in[0])[i],
             y = is_f64 ? in[1][i] : ((float *)in[1])[i];
      long double got = is_f64 ? out[i] : ((float *)out)[i];
      long double want = is_f64 ? function->wide(x, y) : function->f64(x, y);
      long double ulps = is_f64 ? distance(got, want, (long double)(double)want, 53, -1074)
                                : distance(got, want, (long double)(float)want, 24, -149);
      if (ulps > worst) {
        worst = ulps;
        worst_x = x;
        worst_y = y;
      }
    }
  }
  const EchoScalar *row = &ECHO_SCALARS[function->opcode];
  double bound = (is_f64 ? row->f64_error : row->f32_error) / 100.0;
  if (getenv("ECHO_MATH_REPORT") != NULL)
    printf("%-24s %s  worst %.3Lf ULP at %a, %a, bound %.2f\n", function->op,
           is_f64 ? "f64" : "f32", worst, worst_x, worst_y, bound);
  ck_assert_msg(worst <= bound, "%s: %.3Lf ULP at %a, %a", function->op, worst, worst_x, worst_y);
  free(in[0]);
  free(in[1]);
  free(out);
  release(&c);
}

START_TEST(bounds_of_pairs_hold)
{
  check_pairs(&BINARIES[_i / 2], _i % 2 != 0);
}
END_TEST

/* A row of an elementary function without samples here would have an unmeasured bound. */
START_TEST(every_row_is_measured)
{
  for (int opcode = 0; opcode < ECHO_N_SCALAR_OPCODES; ++opcode) {
    const EchoScalar *scalar = &ECHO_SCALARS[opcode];
    bool is_measured = !scalar->is_expanded || opcode == ECHO_MATH_IPOWI; /* exact: scalar_test */
    for (size_t i = 0; i < N_FUNCTIONS; ++i)
      is_measured |= (int)FUNCTIONS[i].opcode == opcode;
    for (size_t i = 0; i < N_BINARIES; ++i)
      is_measured |= (int)BINARIES[i].opcode == opcode;
    ck_assert_msg(is_measured, "%s is in no list", scalar->info->name);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("exec/math_ulp");
  TCase *tests = tcase_create("bounds");
  tcase_set_timeout(tests, 3600);
  tcase_add_loop_test(tests, f32_bounds_hold, 0, N_FUNCTIONS);
  tcase_add_loop_test(tests, f64_bounds_hold, 0, N_FUNCTIONS);
  tcase_add_loop_test(tests, bounds_of_pairs_hold, 0, 2 * N_BINARIES);
  tcase_add_test(tests, every_row_is_measured);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
