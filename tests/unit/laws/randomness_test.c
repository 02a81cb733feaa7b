/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 4: randomness is data. Random ops take key and counter as operands and are pure: equal
 * operands give equal bits, and dropout that is recomputed for its gradient draws the same mask. So
 * does what is written without key and counter. */
#include "dialects/dialects.h"
#include "echo_pass/echo_pass.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "jit/compile.h"
#include "lowering/lowering.h"
#include "tests/unit/suite.h"

/* A dropout before contractions. The result %y is zero exactly where its mask dropped, and %rx, of
 * the gradient by what that mask was applied to, as well: all else is positive. Results take the
 * storage of what is read until the end, so that no space of theirs is free to keep the mask in. */
#define HEAD                                                                                       \
  "func.func @main(%x: tensor<128x128xf32> {tf.aliasing_output = 1 : i32}, "                       \
  "%w: tensor<128x128xf32> {tf.aliasing_output = 2 : i32}, %key: tensor<ui64>, %counter: "         \
  "tensor<ui64>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<f32>) " \
  "{\n"                                                                                            \
  "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
#define REST                                                                                       \
  "  %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, "     \
  "tensor<128x128xf32>) -> tensor<128x128xf32>\n"                                                  \
  "  %e = stablehlo.exponential %z : tensor<128x128xf32>\n"                                        \
  "  %o = stablehlo.dot_general %e, %w, contracting_dims = [1] x [0] : (tensor<128x128xf32>, "     \
  "tensor<128x128xf32>) -> tensor<128x128xf32>\n"                                                  \
  "  %loss = stablehlo.reduce(%o init: %zero) applies stablehlo.add across dimensions = [0, 1] : " \
  "(tensor<128x128xf32>, tensor<f32>) -> tensor<f32>\n"                                            \
  "  %gx, %gw = \"nn.gradient\"(%loss, %x, %w) : (tensor<f32>, tensor<128x128xf32>, "              \
  "tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>)\n"                           \
  "  %rx = stablehlo.multiply %gx, %x : tensor<128x128xf32>\n"                                     \
  "  return %y, %rx, %gw, %loss : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, " \
  "tensor<f32>\n"                                                                                  \
  "}\n"
static const char STEP[] =
    HEAD "  %y = \"nn.dropout\"(%x, %key, %counter) <{rate = 5.000000e-01 : f64}> : "
         "(tensor<128x128xf32>, "
         "tensor<ui64>, tensor<ui64>) -> tensor<128x128xf32>\n" REST;

/* The same with a mask that is drawn from a state that the program does not see. */
static const char DRAWN[] = HEAD
    "  %one = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "  %shape = stablehlo.constant dense<128> : tensor<2xi64>\n"
    "  %none = stablehlo.constant dense<0.0> : tensor<128x128xf32>\n"
    "  %half = stablehlo.constant dense<0.5> : tensor<128x128xf32>\n"
    "  %u = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, "
    "tensor<2xi64>) -> tensor<128x128xf32>\n"
    "  %kept = stablehlo.compare LT, %u, %half : (tensor<128x128xf32>, tensor<128x128xf32>) -> "
    "tensor<128x128xi1>\n"
    "  %y = stablehlo.select %kept, %x, %none : tensor<128x128xi1>, tensor<128x128xf32>\n" REST;

enum { N = 128 * 128, N_RESULTS = 4 };

typedef struct Results {
  float *data[N_RESULTS];
  size_t n[N_RESULTS];
  size_t n_recomputed; /* random ops in the backward part */
} Results;

static EchoPassRegistry *create_passes(void)
{
  EchoPassRegistry *passes = echo_pass_registry_create();
  echo_register_ir_passes(passes);
  echo_register_lowering_passes(passes);
  echo_register_echo_passes(passes);
  return passes;
}

static size_t count_recomputed(EchoOp *module)
{
  size_t n = 0;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    n += echo_op_is(op, "stablehlo.rng_bit_generator") && echo_op_has_attr(op, "echo.recompute");
  return n;
}

static void execute(EchoDevice *device, EchoExecutable *executable, uint64_t counter, Results *out)
{
  static float x[N], w[N];
  static const uint64_t key = 0x243f6a8885a308d3u;
  for (size_t i = 0; i < N; ++i) {
    x[i] = 0.25f + (float)(i % 7) * 0.125f;
    w[i] = 0.001f + (float)(i % 5) * 0.001f;
  }
  const void *inputs[] = {x, w, &key, &counter};
  EchoDeviceBuffer *args[4], *results[N_RESULTS];
  for (size_t i = 0; i < 4; ++i) {
    uint64_t bytes = echo_type_static_bytes(echo_executable_arg_type(executable, i));
    args[i] = echo_device_buffer_create_or_null(NULL, device, bytes);
    ck_assert(echo_device_buffer_write(NULL, args[i], inputs[i], bytes));
  }
  ck_assert(echo_executable_execute(executable, args, 4, results, N_RESULTS));
  for (size_t i = 0; i < N_RESULTS; ++i) {
    out->n[i] = (size_t)echo_device_buffer_bytes(results[i]) / sizeof(float);
    out->data[i] = echo_alloc_array(out->n[i], sizeof(float));
    ck_assert(echo_device_buffer_read(NULL, results[i], out->data[i],
                                      echo_device_buffer_bytes(results[i])));
    if (echo_executable_result_alias(executable, i) < 0)
      echo_device_buffer_destroy(results[i]);
  }
  for (size_t i = 0; i < 4; ++i)
    echo_device_buffer_destroy(args[i]);
}

/* Options of Echo, NULL = none; counter: where the random numbers begin, of those that are drawn
 * from a hidden state the run. */
static Results run(const char *text, const char *echo, uint64_t counter, unsigned n_threads)
{
  Results results = {0};
  EchoContext *ctx = echo_context_create();
  EchoPassRegistry *passes = create_passes();
  EchoDevice *device = echo_device_create_cpu(n_threads);
  EchoCompileOptions options = {.echo = echo};
  echo_register_dialects(ctx);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("step"), echo_str(text));
  ck_assert_ptr_nonnull(module);
  ck_assert(echo_compile_to_stage(
      ctx, passes, module, echo != NULL ? ECHO_STAGE_ECHOED : ECHO_STAGE_STEP, &options, NULL));
  results.n_recomputed = count_recomputed(module);
  EchoExecutable *executable = echo_compile_or_null(ctx, passes, device, module, &options, NULL);
  ck_assert_ptr_nonnull(executable);
  ck_assert_uint_eq(echo_executable_n_args(executable), 4);
  ck_assert(echo_executable_draws(executable) == (text == DRAWN));
  echo_executable_seed(executable, 3, counter);
  execute(device, executable, counter, &results);
  echo_executable_destroy(executable);
  echo_device_destroy(device);
  echo_pass_registry_destroy(passes);
  echo_context_destroy(ctx);
  return results;
}

static void release(Results *results)
{
  for (size_t i = 0; i < N_RESULTS; ++i)
    echo_free(results->data[i]);
}

static bool are_same(const Results *a, const Results *b, size_t result)
{
  return memcmp(a->data[result], b->data[result], a->n[result] * sizeof(float)) == 0;
}

/* Where the forward part dropped, the gradient is zero, and nowhere else. */
static void check_mask(const Results *results)
{
  size_t n_dropped = 0;
  for (size_t i = 0; i < N; ++i) {
    bool is_dropped = results->data[0][i] == 0.0f;
    ck_assert_msg(is_dropped == (results->data[1][i] == 0.0f),
                  "element %zu: forward %s it, backward does not agree", i,
                  is_dropped ? "drops" : "keeps");
    n_dropped += is_dropped;
  }
  /* 16384 draws at one half: 64 is their standard deviation. */
  ck_assert_uint_gt(n_dropped, N / 2 - 6 * 64);
  ck_assert_uint_lt(n_dropped, N / 2 + 6 * 64);
}

START_TEST(a_recomputed_mask_is_the_same)
{
  const char *text = _i == 0 ? STEP : DRAWN;
  Results off = run(text, NULL, 7, 1), on = run(text, "budget=min", 7, 2);
  ck_assert_uint_eq(off.n_recomputed, 0);
  ck_assert_msg(on.n_recomputed != 0, "no random op is recomputed: nothing is tested");
  check_mask(&off);
  check_mask(&on);
  for (size_t i = 0; i < N_RESULTS; ++i)
    ck_assert_msg(are_same(&off, &on, i), "result %zu differs with Echo", i);
  release(&off);
  release(&on);
}
END_TEST

START_TEST(the_counter_alone_moves_the_stream)
{
  const char *text = _i == 0 ? STEP : DRAWN;
  Results first = run(text, NULL, 7, 1), again = run(text, NULL, 7, 1);
  Results later = run(text, NULL, 8, 1);
  for (size_t i = 0; i < N_RESULTS; ++i)
    ck_assert(are_same(&first, &again, i));
  ck_assert(!are_same(&first, &later, 0));
  release(&first);
  release(&again);
  release(&later);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("laws/randomness");
  TCase *cases = tcase_create("law 4");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, a_recomputed_mask_is_the_same, 0, 2);
  tcase_add_loop_test(cases, the_counter_alone_moves_the_stream, 0, 2);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
