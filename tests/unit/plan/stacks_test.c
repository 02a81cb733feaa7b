/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which values of a loop's body are stacked for a later loop, against every choice there is; and
 * that a price decides, from the least time to the fewest bytes. */
#include "dialects/interfaces/evaluate.h"
#include "echo_pass/stacks_t.h"
#include "ir/verify/verifier.h"
#include "planning/cost/runtime.h"
#include "planning/loops/slices.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <math.h>
#include <string.h>

#define N_SEEDS TEST_SIZE(60, 15)
#define MAX_VALUES 16

/* ---- two loops ---- */

/* A body of `n_ops` ops on 8 x width matrices, one of the widths 8, 16, 32; two to four of the
 * values are stacked, and a second loop reads them from the last slice to the first; in another
 * order it comes to another sum. */
static void make_loops(EchoBuffer *text, uint32_t seed, int n_ops, int n_trips)
{
  int width[MAX_VALUES] = {16};
  bool is_stacked[MAX_VALUES] = {false};
  uint64_t random = seed;
  echo_buffer_printf(
      text,
      "func.func @main(%%x: tensor<8x16xf32>, %%w8x16: tensor<8x16xf32>, %%w8x32: "
      "tensor<8x32xf32>, %%w8x8: tensor<8x8xf32>, %%w16x8: tensor<16x8xf32>, %%w16x16: "
      "tensor<16x16xf32>, %%w16x32: tensor<16x32xf32>, %%w32x8: tensor<32x8xf32>, "
      "%%w32x16: tensor<32x16xf32>, %%w32x32: tensor<32x32xf32>) -> tensor<f32> {\n"
      "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %%n = stablehlo.constant dense<%d> : tensor<i32>\n"
      "  %%f0 = stablehlo.constant dense<0.0> : tensor<f32>\n",
      n_trips);
  EchoBuffer body = {0};
  for (int i = 1; i <= n_ops; ++i) {
    random = echo_hash_u64(random + 1);
    int from = (int)(random % (uint64_t)i), other = (int)((random >> 8) % (uint64_t)i);
    int kind = (int)((random >> 16) % 3), to = 8 << ((random >> 24) % 3);
    width[i] = width[from];
    is_stacked[i] = (random >> 32) % 3 == 0 || i == n_ops;
    if (kind == 0 && width[other] == width[from]) {
      echo_buffer_printf(&body, "    %%v%d = stablehlo.add %%v%d, %%v%d : tensor<8x%dxf32>\n", i,
                         from, other, width[i]);
    } else if (kind == 1) {
      echo_buffer_printf(&body, "    %%v%d = stablehlo.tanh %%v%d : tensor<8x%dxf32>\n", i, from,
                         width[i]);
    } else {
      width[i] = to;
      echo_buffer_printf(
          &body,
          "    %%v%d = stablehlo.dot_general %%v%d, %%w%dx%d, contracting_dims = [1] x "
          "[0] : (tensor<8x%dxf32>, tensor<%dx%dxf32>) -> tensor<8x%dxf32>\n",
          i, from, width[from], to, width[from], width[from], to, to);
    }
  }
  EchoBuffer names = {0}, types = {0}, first = {0}, yields = {0}, writes = {0}, reads = {0};
  EchoBuffer handed = {0};
  int n_stacks = 0;
  for (int i = 1; i <= n_ops; ++i) {
    if (!is_stacked[i])
      continue;
    int d = width[i];
    echo_buffer_printf(text, "  %%e%d = stablehlo.constant dense<0.0> : tensor<%dx8x%dxf32>\n", i,
                       n_trips, d);
    echo_buffer_printf(&names, ", %%s%d = %%e%d", i, i);
    echo_buffer_printf(&first, ", %%s%d = %%f#%d", i, 2 + n_stacks);
    echo_buffer_printf(&types, ", tensor<%dx8x%dxf32>", n_trips, d);
    echo_buffer_printf(&yields, ", %%t%d", i);
    echo_buffer_printf(&handed, ", %%s%d", i);
    echo_buffer_printf(
        &writes,
        "    %%r%d = stablehlo.reshape %%v%d : (tensor<8x%dxf32>) -> tensor<1x8x%dxf32>\n"
        "    %%t%d = stablehlo.dynamic_update_slice %%s%d, %%r%d, %%i, %%zero, %%zero : "
        "(tensor<%dx8x%dxf32>, tensor<1x8x%dxf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> "
        "tensor<%dx8x%dxf32>\n",
        i, i, d, d, i, i, i, n_trips, d, d, n_trips, d);
    echo_buffer_printf(
        &reads,
        "    %%a%d = stablehlo.dynamic_slice %%s%d, %%k, %%zero, %%zero, sizes = [1, 8, %d] : "
        "(tensor<%dx8x%dxf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x%dxf32>\n"
        "    %%b%d = stablehlo.reduce(%%a%d init: %%f0) applies stablehlo.add across dimensions = "
        "[0, 1, 2] : (tensor<1x8x%dxf32>, tensor<f32>) -> tensor<f32>\n"
        "    %%c%d = stablehlo.subtract %%b%d, %%c%d : tensor<f32>\n",
        i, i, d, n_trips, d, d, i, i, d, n_stacks + 1, i, n_stacks);
    ++n_stacks;
  }
  static const char COND[] =
      " cond {\n    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %p : tensor<i1>\n  } do {\n"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %j = stablehlo.add %i, %one : tensor<i32>\n";
  echo_buffer_printf(text,
                     "  %%f:%d = stablehlo.while(%%i = %%zero, %%v0 = %%x%s) : tensor<i32>, "
                     "tensor<8x16xf32>%s\n%s%s%s",
                     2 + n_stacks, echo_buffer_c_str(&names), echo_buffer_c_str(&types), COND,
                     echo_buffer_c_str(&body), echo_buffer_c_str(&writes));
  echo_buffer_printf(
      text,
      "    %%next = stablehlo.dot_general %%v%d, %%w%dx16, contracting_dims = [1] x [0] "
      ": (tensor<8x%dxf32>, tensor<%dx16xf32>) -> tensor<8x16xf32>\n"
      "    stablehlo.return %%j, %%next%s : tensor<i32>, tensor<8x16xf32>%s\n  }\n",
      n_ops, width[n_ops], width[n_ops], width[n_ops], echo_buffer_c_str(&yields),
      echo_buffer_c_str(&types));
  echo_buffer_printf(text,
                     "  %%b:%d = stablehlo.while(%%i = %%zero, %%c0 = %%f0%s) : tensor<i32>, "
                     "tensor<f32>%s\n%s"
                     "    %%last = stablehlo.constant dense<%d> : tensor<i32>\n"
                     "    %%k = stablehlo.subtract %%last, %%i : tensor<i32>\n%s"
                     "    stablehlo.return %%j, %%c%d%s : tensor<i32>, tensor<f32>%s\n  }\n"
                     "  return %%b#1 : tensor<f32>\n}\n",
                     2 + n_stacks, echo_buffer_c_str(&first), echo_buffer_c_str(&types), COND,
                     n_trips - 1, echo_buffer_c_str(&reads), n_stacks, echo_buffer_c_str(&handed),
                     echo_buffer_c_str(&types));
  EchoBuffer *all[] = {&names, &types, &first, &yields, &writes, &reads, &handed, &body};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    echo_buffer_destroy(all[i]);
}

static void find_pair(EchoLoopPair *pair, const TestStep *step, EchoArena *scratch)
{
  EchoOp *loops[2] = {NULL, NULL};
  for (EchoOp *op = echo_op_body(step->main, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "stablehlo.while"))
      loops[loops[0] != NULL] = op;
  echo_loop_pair_create(pair, loops[0], loops[1], scratch);
}

/* ---- every choice ---- */

/* Nanoseconds and bytes of keeping the values in `kept`; false where something cannot be had. */
static bool price_of(const EchoLoopPair *pair, const EchoGraph *graph,
                     const EchoDeviceModel *device, const uint32_t *values, size_t n, uint64_t kept,
                     double *ns, double *bytes)
{
  bool is_used[256] = {false}, is_kept[256] = {false};
  *ns = *bytes = 0;
  for (size_t i = 0; i < pair->stacks.size; ++i)
    for (uint32_t v = 0; v < graph->values.size; ++v)
      is_used[v] |= graph->values.data[v].value == pair->stacks.data[i].value;
  for (size_t i = 0; i < n; ++i)
    is_kept[values[i]] = (kept >> i & 1) != 0;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    if (entry->n_results != 1 || !is_used[entry->first_result] || is_kept[entry->first_result])
      continue;
    double again = echo_node_ns(graph, node, device);
    if (entry->kind == ECHO_NODE_SINGLE) {
      double traffic =
          (entry->cost.bytes_read + entry->cost.bytes_written) / device->memory_bytes_per_s * 1e9;
      again = echo_device_model_kernel_ns(device, again > traffic ? again : traffic);
    }
    *ns += again;
    for (uint32_t i = 0; i < entry->n_operands; ++i)
      is_used[echo_graph_operands(graph, node)[i]] = true;
  }
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (v < graph->n_arguments && v == 1 && is_used[v] && !is_kept[v])
      return false; /* the carry */
    if (!is_kept[v] || !is_used[v])
      continue;
    *bytes += (double)graph->values.data[v].bytes;
    double written = 2 * (double)graph->values.data[v].bytes;
    *ns += echo_device_model_kernel_ns(device, written / device->memory_bytes_per_s * 1e9);
  }
  return true;
}

static double least_price(const EchoLoopPair *pair, const EchoGraph *graph,
                          const EchoDeviceModel *device, double price)
{
  uint32_t values[MAX_VALUES];
  size_t n = 0;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    const EchoType *type = echo_graph_type(graph, v);
    bool is_matrix = echo_type_rank(type) == 2 && echo_type_dim(type, 0) == 8;
    if (is_matrix && (v == 1 || (v >= graph->n_inputs)) && n < MAX_VALUES)
      values[n++] = v;
  }
  double least = INFINITY;
  for (uint64_t kept = 0; kept < UINT64_C(1) << n; ++kept) {
    double ns, bytes;
    if (price_of(pair, graph, device, values, n, kept, &ns, &bytes) && ns + price * bytes < least)
      least = ns + price * bytes;
  }
  return least;
}

START_TEST(no_choice_is_better)
{
  static const double PRICES[] = {0, 0.001, 0.01, 0.1, 1, 100};
  TestStep step;
  EchoBuffer text = {0};
  EchoArena scratch = {0};
  EchoDeviceModel device;
  EchoLoopPair pair;
  echo_device_model_default(&device);
  make_loops(&text, (uint32_t)_i, 5 + _i % 4, 6);
  test_step_parse(&step, echo_buffer_c_str(&text));
  find_pair(&pair, &step, &scratch);
  ck_assert_uint_gt(pair.stacks.size, 0);
  double last_bytes = INFINITY;
  for (size_t p = 0; p < sizeof PRICES / sizeof PRICES[0]; ++p) {
    EchoStackChoice choice;
    echo_stack_choice_create(&choice, &pair, pair.stacks.data[0].trip_hash, &device, PRICES[p]);
    double found = choice.ns + PRICES[p] * choice.bytes;
    double least = least_price(&pair, &choice.graph, &device, PRICES[p]);
    ck_assert_msg(found <= least * (1 + 1e-9) && found >= least * (1 - 1e-9),
                  "seed %d, price %g: %.17g, least %.17g", _i, PRICES[p], found, least);
    ck_assert_double_le(choice.bytes, last_bytes);
    last_bytes = choice.bytes;
    echo_stack_choice_destroy(&choice);
  }
  echo_loop_pair_destroy(&pair);
  echo_arena_destroy(&scratch);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

/* Products that the first loop computes. */
static size_t n_written(const TestStep *step)
{
  size_t n = 0;
  EchoOp *loop = echo_op_body(step->main, 0)->first;
  while (!echo_op_is(loop, "stablehlo.while"))
    loop = loop->next;
  for (EchoOp *op = loop; op != NULL; op = echo_op_walk_next(loop, op))
    n += echo_op_is(op, "stablehlo.dot_general");
  return n;
}

static size_t n_ops(const TestStep *step, const char *name)
{
  size_t n = 0;
  for (EchoOp *op = step->main; op != NULL; op = echo_op_walk_next(step->main, op))
    n += echo_op_is(op, name);
  return n;
}

/* Carried out at any price, a second time finds at most that equal values were stacked twice; in
 * segments of two or three, too, what is left is a module. */
START_TEST(twice_is_enough)
{
  TestStep step;
  EchoBuffer text = {0};
  EchoArena scratch = {0};
  EchoDeviceModel device;
  double prices[8];
  echo_device_model_default(&device);
  make_loops(&text, (uint32_t)_i, 5 + _i % 4, 6);
  test_step_parse(&step, echo_buffer_c_str(&text));
  size_t n = echo_stack_prices(step.main, &device, &scratch, prices, 8);
  ck_assert_uint_ge(n, 1);
  for (size_t i = 0; i < n; ++i) {
    TestStep again;
    test_step_parse(&again, echo_buffer_c_str(&text));
    echo_decide_stacks(again.main, &device, prices[i], &scratch);
    ck_assert(echo_verify(again.module));
    echo_decide_stacks(again.main, &device, prices[i], &scratch);
    size_t n_stacks = n_ops(&again, "stablehlo.dynamic_update_slice");
    size_t n_products = n_ops(&again, "stablehlo.dot_general");
    echo_decide_stacks(again.main, &device, prices[i], &scratch);
    ck_assert_uint_eq(n_ops(&again, "stablehlo.dynamic_update_slice"), n_stacks);
    ck_assert_uint_eq(n_ops(&again, "stablehlo.dot_general"), n_products);
    size_t n_segmented = echo_segment_loops(again.main, 1, &scratch);
    ck_assert(echo_verify(again.module));
    ck_assert_uint_le(n_segmented, 1);
    ck_assert_uint_eq(echo_segment_loops(again.main, 1, &scratch), 0);
    test_step_destroy(&again);
  }
  echo_arena_destroy(&scratch);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

/* What main returns, a number, of arguments between -1/16 and 1/16. */
static double run(const TestStep *step)
{
  const EchoBlock *body = echo_op_body(step->main, 0);
  EchoTensor *arguments[16], *result;
  ck_assert_uint_le(body->n_args, 16);
  for (uint32_t i = 0; i < body->n_args; ++i) {
    arguments[i] = echo_tensor_create(echo_block_arg(body, i)->type, true);
    for (int64_t k = 0; k < arguments[i]->n_elements; ++k)
      echo_tensor_set_f64(arguments[i], k,
                          (double)(echo_hash_u64(i << 16 | (uint64_t)k) % 257) / 2048 - 0.0625);
  }
  ck_assert(echo_interpret(step->ctx, step->module, step->main,
                           (const EchoTensor *const *)arguments, body->n_args, &result, 1));
  double number = echo_tensor_get_f64(result, 0);
  echo_tensor_destroy(result);
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_tensor_destroy(arguments[i]);
  return number;
}

/* What runs again, as jax.checkpoint would have written it, is decided anew at every price: as if
 * it had not been written, where the writer still computes it all, and with the same bits. Equal
 * ops are one from the start: two products that are one may be worth running again where two are
 * not. */
START_TEST(what_runs_again_is_a_proposal)
{
  static const double PRICES[] = {0, 0.01, 1, 100};
  EchoBuffer text = {0};
  EchoArena scratch = {0};
  EchoDeviceModel device;
  TestStep step;
  echo_device_model_default(&device);
  make_loops(&text, (uint32_t)_i, 5 + _i % 4, 6);
  test_step_parse(&step, echo_buffer_c_str(&text));
  double expected = run(&step);
  for (size_t p = 0; p < sizeof PRICES / sizeof PRICES[0]; ++p) {
    TestStep once, again;
    test_step_parse(&once, echo_buffer_c_str(&text));
    test_step_parse(&again, echo_buffer_c_str(&text));
    ck_assert(test_step_run(&once, "cse,dce") && test_step_run(&again, "cse,dce"));
    size_t n_products = n_written(&again);
    echo_decide_stacks(once.main, &device, PRICES[p], &scratch);
    echo_decide_stacks(again.main, &device, 1e6, &scratch);
    bool is_all_there = test_step_run(&again, "dce") && n_written(&again) == n_products;
    ck_assert(run(&again) == expected);
    echo_decide_stacks(again.main, &device, PRICES[p], &scratch);
    ck_assert(echo_verify(again.module));
    ck_assert(run(&again) == expected);
    ck_assert(test_step_run(&once, "cse,dce") && test_step_run(&again, "cse,dce"));
    ck_assert(!is_all_there ||
              n_ops(&again, "stablehlo.dot_general") <= n_ops(&once, "stablehlo.dot_general"));
    test_step_destroy(&once);
    test_step_destroy(&again);
  }
  echo_arena_destroy(&scratch);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

/* Any number of iterations, on any number of levels: the same bits. */
START_TEST(segments_change_no_bits)
{
  static const int N_TRIPS[] = {5, 7, 13, 16, 31, 60, 101};
  int n_trips = N_TRIPS[_i % 7];
  TestStep step;
  EchoBuffer text = {0};
  EchoArena scratch = {0};
  make_loops(&text, (uint32_t)_i, 5 + _i % 4, n_trips);
  test_step_parse(&step, echo_buffer_c_str(&text));
  double expected = run(&step);
  ck_assert(isfinite(expected));
  for (size_t n_levels = 1; n_levels <= 3; ++n_levels) {
    TestStep again;
    test_step_parse(&again, echo_buffer_c_str(&text));
    size_t n_found = echo_segment_loops(again.main, n_levels, &scratch);
    ck_assert(echo_verify(again.module));
    ck_assert_uint_le(n_found, n_levels);
    ck_assert(n_found != 0 || n_trips < 16);
    double found = run(&again);
    ck_assert_msg(found == expected, "seed %d, %d iterations, %zu levels: %.9g, not %.9g", _i,
                  n_trips, n_levels, found, expected);
    test_step_destroy(&again);
  }
  echo_arena_destroy(&scratch);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

/* An index that is added to itself again and again is given up, not followed. */
START_TEST(long_index_arithmetic_ends)
{
  TestStep step;
  EchoBuffer text = {0};
  int64_t index;
  echo_buffer_append_c(&text, "func.func @main(%i0: tensor<i32>) -> tensor<i32> {\n");
  for (int i = 1; i <= 60; ++i)
    echo_buffer_printf(&text, "  %%i%d = stablehlo.add %%i%d, %%i%d : tensor<i32>\n", i, i - 1,
                       i - 1);
  echo_buffer_append_c(&text, "  return %i60 : tensor<i32>\n}\n");
  test_step_parse(&step, echo_buffer_c_str(&text));
  const EchoBlock *body = echo_op_body(step.main, 0);
  const EchoValue *counter = echo_block_arg(body, 0);
  const EchoOp *op = body->first;
  ck_assert(!echo_loop_index_at(echo_op_operand(body->last, 0), counter, 1, &index));
  for (int i = 1; i <= 5; ++i, op = op->next) {
    ck_assert(echo_loop_index_at(echo_op_result(op, 0), counter, 1, &index));
    ck_assert_int_eq(index, 1 << i);
  }
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}
END_TEST

/* An inner loop takes all of %v and writes [i, j]; the outer one hands that on. */
#define SLOT_LOOPS                                                                                 \
  "func.func @main(%v: tensor<2x3x8xf32>, %o: tensor<i32>) -> tensor<2x3x8xf32> {\n"               \
  "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"                                          \
  "  %one = stablehlo.constant dense<1> : tensor<i32>\n"                                           \
  "  %two = stablehlo.constant dense<2> : tensor<i32>\n"                                           \
  "  %three = stablehlo.constant dense<3> : tensor<i32>\n"                                         \
  "  %y = stablehlo.constant dense<1.0> : tensor<1x1x8xf32>\n"                                     \
  "  %g:2 = stablehlo.while(%i = %zero, %a = %v) : tensor<i32>, tensor<2x3x8xf32>\n"               \
  "  cond {\n"                                                                                     \
  "    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"           \
  "    stablehlo.return %p : tensor<i1>\n"                                                         \
  "  } do {\n"                                                                                     \
  "    %h:2 = stablehlo.while(%j = %zero, %b = %a) : tensor<i32>, tensor<2x3x8xf32>\n"             \
  "    cond {\n"                                                                                   \
  "      %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"       \
  "      stablehlo.return %p : tensor<i1>\n"                                                       \
  "    } do {\n"                                                                                   \
  "      %t = stablehlo.dynamic_update_slice %b, %y, %s, %j, %zero : (tensor<2x3x8xf32>, "         \
  "tensor<1x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x8xf32>\n"               \
  "      %k = stablehlo.add %j, %one : tensor<i32>\n"                                              \
  "      stablehlo.return %k, %t : tensor<i32>, tensor<2x3x8xf32>\n"                               \
  "    }\n"                                                                                        \
  "    %k = stablehlo.add %i, %one : tensor<i32>\n"                                                \
  "    stablehlo.return %k, %h#1 : tensor<i32>, tensor<2x3x8xf32>\n"                               \
  "  }\n"                                                                                          \
  "  return %g#1 : tensor<2x3x8xf32>\n"                                                            \
  "}\n"

static EchoOp *first_loop(EchoBlock *block)
{
  EchoOp *op = block->first;
  while (op->n_regions == 0)
    op = op->next;
  return op;
}

/* Indices that the inner and the outer loop write at, when the first of them is `row`. */
static void slots_of(const char *row, size_t n_expected[2])
{
  TestStep step;
  EchoBuffer text = {0};
  const char *whole = SLOT_LOOPS, *at = strstr(whole, "%s");
  EchoCountedLoop counted;
  echo_buffer_append(&text, whole, (size_t)(at - whole));
  echo_buffer_append_c(&text, row);
  echo_buffer_append_c(&text, at + 2);
  test_step_parse(&step, echo_buffer_c_str(&text));
  EchoOp *outer = first_loop(echo_op_body(step.main, 0)),
         *inner = first_loop(echo_op_body(outer, 1));
  ck_assert(echo_hlo_counted_loop(inner, &counted));
  ck_assert_uint_eq(echo_loop_written_slot(inner, &counted, 1).n, n_expected[0]);
  ck_assert(echo_hlo_counted_loop(outer, &counted));
  ck_assert_uint_eq(echo_loop_written_slot(outer, &counted, 1).n, n_expected[1]);
  echo_buffer_destroy(&text);
  test_step_destroy(&step);
}

/* What loops in loops write of one array: [i, j] the inner one, [i] the outer one. */
START_TEST(slots_of_loops_in_loops)
{
  slots_of("%i", (size_t[]){2, 1});
}
END_TEST

/* A row that is not another one in each iteration of the outer loop is none of its slots; one that
 * changes in the inner loop is no slot at all. */
START_TEST(slots_that_are_written_again)
{
  slots_of("%zero", (size_t[]){2, 0});
  slots_of("%o", (size_t[]){2, 0});
  slots_of("%j", (size_t[]){0, 0});
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("stacks");
  TCase *tcase = tcase_create("stacks");
  tcase_add_loop_test(tcase, no_choice_is_better, 0, N_SEEDS);
  tcase_add_loop_test(tcase, twice_is_enough, 0, N_SEEDS);
  tcase_add_loop_test(tcase, what_runs_again_is_a_proposal, 0, N_SEEDS);
  tcase_add_loop_test(tcase, segments_change_no_bits, 0, N_SEEDS);
  tcase_add_test(tcase, long_index_arithmetic_ends);
  tcase_add_test(tcase, slots_of_loops_in_loops);
  tcase_add_test(tcase, slots_that_are_written_again);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
