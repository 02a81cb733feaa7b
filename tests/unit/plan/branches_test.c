/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one branch hands to another that goes the same way: whatever is computed again at whatever
 * price, every way gives the same bits, and a price decides, from the least time to the fewest
 * bytes. */
#include "dialects/interfaces/evaluate.h"
#include "echo_pass/branch_pair_t.h"
#include "ir/verify/verifier.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <math.h>

#define N_SEEDS 60
#define MATRIX "tensor<8x8xf32>"

static const double PRICES[] = {0, 0.001, 0.01, 0.1, 1, 100};
#define N_PRICES (sizeof PRICES / sizeof PRICES[0])

/* ---- random branches ---- */

typedef struct Maker {
  EchoBuffer *text;
  uint64_t random;
  int n_regions, n_results; /* of the writer */
} Maker;

static int draw(Maker *maker, int n)
{
  maker->random = echo_hash_u64(maker->random + 1);
  return (int)(maker->random % (uint64_t)n);
}

static void open_region(const Maker *maker, int region)
{
  echo_buffer_append_c(maker->text, region == 0 ? "({\n" : "}, {\n");
}

/* `handed` values of a region, of those from `prefix` 0 up to `n`. */
static void close_region(Maker *maker, char prefix, int n, int handed)
{
  echo_buffer_append_c(maker->text, "    stablehlo.return ");
  for (int k = 0; k < handed; ++k)
    echo_buffer_printf(maker->text, "%s%%%c%d", k == 0 ? "" : ", ", prefix, draw(maker, n + 1));
  for (int k = 0; k < handed; ++k)
    echo_buffer_append_c(maker->text, k == 0 ? " : " MATRIX : ", " MATRIX);
  echo_buffer_append_c(maker->text, "\n  ");
}

static void close_branch(const Maker *maker, int n_results)
{
  echo_buffer_append_c(maker->text, "}) : (tensor<i32>) -> (");
  for (int k = 0; k < n_results; ++k)
    echo_buffer_append_c(maker->text, k == 0 ? MATRIX : ", " MATRIX);
  echo_buffer_append_c(maker->text, ")\n");
}

/* One of the ops that a region is made of; v0 is from outside. */
static void add_op(Maker *maker, int i)
{
  int a = draw(maker, i), b = draw(maker, i);
  switch (draw(maker, 4)) {
  case 0:
    echo_buffer_printf(maker->text, "    %%v%d = stablehlo.constant dense<0.0> : " MATRIX "\n", i);
    break;
  case 1:
    echo_buffer_printf(maker->text, "    %%v%d = stablehlo.tanh %%v%d : " MATRIX "\n", i, a);
    break;
  case 2:
    echo_buffer_printf(maker->text, "    %%v%d = stablehlo.add %%v%d, %%v%d : " MATRIX "\n", i, a,
                       b);
    break;
  default:
    echo_buffer_printf(maker->text,
                       "    %%v%d = stablehlo.dot_general %%v%d, %%w, contracting_dims = [1] x [0] "
                       ": (" MATRIX ", " MATRIX ") -> " MATRIX "\n",
                       i, a);
  }
}

static void make_writer(Maker *maker)
{
  echo_buffer_printf(maker->text, "  %%f:%d = \"stablehlo.case\"(%%p) ", maker->n_results);
  for (int r = 0; r < maker->n_regions; ++r) {
    int n = draw(maker, 7);
    open_region(maker, r);
    for (int i = 1; i <= n; ++i)
      add_op(maker, i);
    close_region(maker, 'v', n, maker->n_results);
  }
  close_branch(maker, maker->n_results);
}

/* Sums of some of what was handed on, with weights that tell them apart; `way` decides. */
static void make_reader(Maker *maker, char name, const char *way)
{
  echo_buffer_printf(maker->text, "  %%%c = \"stablehlo.case\"(%%%s) ", name, way);
  for (int r = 0; r < maker->n_regions; ++r) {
    int n = 0;
    open_region(maker, r);
    echo_buffer_append_c(maker->text, "    %c0 = stablehlo.tanh %x : " MATRIX "\n");
    for (int k = 0; k < maker->n_results; ++k) {
      if (draw(maker, 3) == 0)
        continue;
      echo_buffer_printf(maker->text,
                         "    %%d%d = stablehlo.subtract %%f#%d, %%c%d : " MATRIX "\n"
                         "    %%c%d = stablehlo.cosine %%d%d : " MATRIX "\n",
                         n + 1, k, n, n + 1, n + 1);
      ++n;
    }
    echo_buffer_printf(maker->text, "    stablehlo.return %%c%d : " MATRIX "\n  ", n);
  }
  close_branch(maker, 1);
}

/* A branch, one or two that go its way, one of them behind a barrier, and where the seed says so
 * others that read what it hands on: one that goes another way, an op before or behind. Or it has
 * one reader alone, and may run inside of that. */
static void make_step(EchoBuffer *text, uint32_t seed)
{
  Maker maker = {text, seed, 2, 0};
  maker.n_regions += draw(&maker, 2);
  maker.n_results = 2 + draw(&maker, 4);
  echo_buffer_append_c(text, "func.func @main(%p: tensor<i32>, %q: tensor<i32>, %x: " MATRIX
                             ", %w: " MATRIX ") -> (" MATRIX ", " MATRIX ", " MATRIX ", " MATRIX
                             ") {\n  %v0 = stablehlo.sine %x : " MATRIX "\n");
  make_writer(&maker);
  bool is_alone = draw(&maker, 3) == 0;
  int other = is_alone ? 0 : draw(&maker, 4);
  echo_buffer_printf(text, "  %%m = stablehlo.abs %s : " MATRIX "\n",
                     other == 1   ? "%f#1"
                     : other == 2 ? "%v0"
                                  : "%x");
  make_reader(&maker, 'g', "p");
  echo_buffer_append_c(text,
                       "  %o:2 = stablehlo.optimization_barrier %g, %p : " MATRIX ", tensor<i32>\n"
                       "  %e = stablehlo.add %o#0, %m : " MATRIX "\n");
  if (is_alone)
    maker.n_results = 0;
  make_reader(&maker, 'h', other == 3 ? "q" : "o#1");
  echo_buffer_printf(
      text, "  return %%e, %%h, %s, %s : " MATRIX ", " MATRIX ", " MATRIX ", " MATRIX "\n}\n",
      is_alone || draw(&maker, 3) == 0 ? "%x" : "%f#0",
      !is_alone && draw(&maker, 3) == 0 ? "%f#1" : "%x");
}

/* ---- tests ---- */

/* A hash of all that main returns, of arguments between -1/2 and 1/2. */
static uint64_t run(const TestStep *step, int way)
{
  const EchoBlock *body = echo_op_body(step->main, 0);
  EchoTensor *arguments[4], *results[4];
  uint64_t hash = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    arguments[i] = echo_tensor_create(echo_block_arg(body, i)->type, true);
    for (int64_t k = 0; k < arguments[i]->n_elements; ++k)
      echo_tensor_set_f64(arguments[i], k,
                          i < 2 ? way * (i == 0 ? 1 : -1)
                                : (double)(echo_hash_u64(i << 16 | (uint64_t)k) % 257) / 257 - 0.5);
  }
  ck_assert(echo_interpret(step->ctx, step->module, step->main,
                           (const EchoTensor *const *)arguments, 4, results, 4));
  for (uint32_t i = 0; i < 4; ++i) {
    for (int64_t k = 0; k < results[i]->n_elements; ++k)
      hash = echo_hash_combine(hash, (uint64_t)(echo_tensor_get_f64(results[i], k) * 0x1p40));
    echo_tensor_destroy(results[i]);
    echo_tensor_destroy(arguments[i]);
  }
  return hash;
}

static size_t n_handed_on(const TestStep *step)
{
  for (const EchoOp *op = echo_op_body(step->main, 0)->first; op != NULL; op = op->next)
    if (echo_op_is_branch(op))
      return op->n_results;
  return 0;
}

START_TEST(every_way_gives_the_same_bits)
{
  EchoBuffer text = {0};
  EchoArena scratch = {0};
  EchoDeviceModel device;
  echo_device_model_default(&device);
  make_step(&text, (uint32_t)_i);
  for (size_t p = 0; p < N_PRICES; ++p) {
    TestStep step, again;
    test_step_parse(&step, echo_buffer_c_str(&text));
    test_step_parse(&again, echo_buffer_c_str(&text));
    echo_decide_stacks(again.main, &device, PRICES[p], &scratch);
    ck_assert(echo_verify(again.module));
    ck_assert_uint_le(n_handed_on(&again), n_handed_on(&step));
    for (int way = -1; way <= 3; ++way) /* what no region has goes the last one's way */
      ck_assert_msg(run(&step, way) == run(&again, way), "seed %d, price %g, way %d", _i, PRICES[p],
                    way);
    ck_assert_uint_eq(echo_decide_stacks(again.main, &device, PRICES[p], &scratch), 0);
    test_step_destroy(&step);
    test_step_destroy(&again);
  }
  echo_arena_destroy(&scratch);
  echo_buffer_destroy(&text);
}
END_TEST

/* Of each region by itself; a price between two that decide otherwise is found. */
START_TEST(a_price_decides)
{
  TestStep step;
  EchoBuffer text = {0};
  EchoArena scratch = {0};
  EchoDeviceModel device;
  EchoBranchPair pair;
  double prices[8];
  echo_device_model_default(&device);
  make_step(&text, (uint32_t)_i);
  test_step_parse(&step, echo_buffer_c_str(&text));
  EchoOp *writer = echo_op_body(step.main, 0)->first;
  while (!echo_op_is_branch(writer))
    writer = writer->next;
  EchoOp *reader = echo_branch_next_reader_or_null(writer, writer);
  bool any = reader != NULL && echo_branch_pair_create(&pair, writer, reader, &scratch);
  for (size_t r = 0; any && r < writer->n_regions; ++r) {
    double last_bytes = INFINITY, last_ns = -1;
    for (size_t p = 0; p < N_PRICES; ++p) {
      EchoStackChoice choice;
      echo_branch_choice_create(&choice, &pair, r, &device, PRICES[p]);
      ck_assert_double_le(choice.bytes, last_bytes);
      ck_assert_double_ge(choice.ns, last_ns);
      last_bytes = choice.bytes;
      last_ns = choice.ns;
      echo_stack_choice_destroy(&choice);
    }
  }
  ck_assert(!any || echo_stack_prices(step.main, &device, &scratch, prices, 8) != 0);
  echo_arena_destroy(&scratch);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("branches");
  TCase *tcase = tcase_create("branches");
  tcase_add_loop_test(tcase, every_way_gives_the_same_bits, 0, N_SEEDS);
  tcase_add_loop_test(tcase, a_price_decides, 0, N_SEEDS);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
