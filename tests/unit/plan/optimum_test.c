/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the search finds on small steps, against everything there is: each set of values computed
 * again, each legal order of what comes of it, on the one model that plans are made by. */
#include "echo_pass/policy_t.h"
#include "echo_pass/search_t.h"
#include "planning/cost/runtime.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#define N_STEPS 1000
#define MAX_ORDERS 4000  /* of one choice; steps with more are left out */
#define MIN_CANDIDATES 2 /* so are those with fewer of them, */
#define MAX_CANDIDATES 8 /* or more */
#define MAX_FORWARD 6
#define MAX_NODES 15 /* the return is one */

/* ---- steps ---- */

/* Up to five forward ops on 8 x width matrices and their gradients: at most 14 ops. */
static void make_step(EchoBuffer *text, uint64_t seed)
{
  int width[MAX_FORWARD + 1] = {8}, kind[MAX_FORWARD + 1] = {0};
  int other[MAX_FORWARD + 1] = {0};
  uint64_t random = echo_hash_u64(seed + 1);
  int n = 3 + (int)(random % (MAX_FORWARD - 2));
  for (int i = 1; i <= n; ++i) {
    random = echo_hash_u64(random + (uint64_t)i);
    kind[i] = (int)(random % 4);
    other[i] = (int)((random >> 16) % (uint64_t)i);
    if (kind[i] == 3 && width[other[i]] != width[i - 1])
      kind[i] = 1;
    width[i] = kind[i] == 0 ? 8 << ((random >> 8) % 3) : width[i - 1];
  }
  echo_buffer_append_c(text, "func.func @main(%v0: tensor<8x8xf32>");
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", %%w%d: tensor<%dx%dxf32>", i, width[i - 1], width[i]);
  echo_buffer_printf(text, ", %%g%d: tensor<8x%dxf32>) -> (tensor<8x%dxf32>", n, width[n],
                     width[n]);
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", tensor<%dx%dxf32>", width[i - 1], width[i]);
  echo_buffer_append_c(text, ") {\n");
  for (int i = 1; i <= n; ++i) {
    if (kind[i] == 0)
      echo_buffer_printf(text,
                         "  %%v%d = stablehlo.dot_general %%v%d, %%w%d, contracting_dims = [1] x "
                         "[0] : (tensor<8x%dxf32>, tensor<%dx%dxf32>) -> tensor<8x%dxf32>\n",
                         i, i - 1, i, width[i - 1], width[i - 1], width[i], width[i]);
    else if (kind[i] == 3)
      echo_buffer_printf(text, "  %%v%d = stablehlo.add %%v%d, %%v%d : tensor<8x%dxf32>\n", i,
                         i - 1, other[i], width[i]);
    else
      echo_buffer_printf(text, "  %%v%d = stablehlo.%s %%v%d : tensor<8x%dxf32>\n", i,
                         kind[i] == 1 ? "tanh" : "exponential", i - 1, width[i]);
  }
  /* What is returned of the forward part is written last, so that its own space tells nothing. */
  echo_buffer_printf(text, "  %%b%d = stablehlo.multiply %%g%d, %%v%d : tensor<8x%dxf32>\n", n, n,
                     n, width[n]);
  for (int i = n; i >= 1; --i) {
    if (kind[i] == 0) {
      echo_buffer_printf(text,
                         "  %%d%d = stablehlo.dot_general %%v%d, %%b%d, contracting_dims = [0] x "
                         "[0] : (tensor<8x%dxf32>, tensor<8x%dxf32>) -> tensor<%dx%dxf32>\n",
                         i, i - 1, i, width[i - 1], width[i], width[i - 1], width[i]);
      if (i > 1)
        echo_buffer_printf(text,
                           "  %%b%d = stablehlo.dot_general %%b%d, %%w%d, contracting_dims = [1] x "
                           "[1] : (tensor<8x%dxf32>, tensor<%dx%dxf32>) -> tensor<8x%dxf32>\n",
                           i - 1, i, i, width[i], width[i - 1], width[i], width[i - 1]);
    } else if (i > 1) {
      echo_buffer_printf(text, "  %%b%d = stablehlo.multiply %%b%d, %%v%d : tensor<8x%dxf32>\n",
                         i - 1, i, i, width[i]);
    }
  }
  echo_buffer_printf(text, "  return %%v%d", n);
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", %%d%d", i);
  echo_buffer_printf(text, " : tensor<8x%dxf32>", width[n]);
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", tensor<%dx%dxf32>", width[i - 1], width[i]);
  echo_buffer_append_c(text, "\n}\n");
}

/* A step ready to be searched. */
typedef struct Block {
  TestStep step;
  EchoFunctionInterface owner;
  EchoGraph written, graph;
  EchoSearchOptions options;
  EchoCandidates candidates;
  EchoArena scratch;
} Block;

static void block_create(Block *block, const char *text)
{
  *block = (Block){0};
  test_step_parse(&block->step, text);
  block->options = (EchoSearchOptions){.goal = ECHO_GOAL_LEAST, .policy = ECHO_POLICIES[0]};
  ck_assert(echo_device_model_load(block->step.ctx, block->step.main->loc, ECHO_STR(""),
                                   &block->options.device));
  block->options.fusion = echo_fusion_options(&block->options.device);
  echo_graph_create(&block->written, block->step.main->regions[0].first);
  ck_assert(echo_function_interface_create(&block->owner, block->step.main, &block->written));
  uint32_t *order = ECHO_ARENA_ARRAY(&block->scratch, uint32_t, block->written.nodes.size);
  echo_order_best_by_dataflow(&block->written, &block->owner.interface, &block->options.fusion,
                              order);
  echo_graph_permute(&block->written, order, &block->graph);
  echo_candidates_create(&block->candidates, &block->graph, &block->owner.interface,
                         &block->options.fusion, &block->options.device, &block->scratch);
  block->options.written = &block->written;
}

static void block_destroy(Block *block)
{
  echo_graph_destroy(&block->graph);
  echo_graph_destroy(&block->written);
  echo_function_interface_destroy(&block->owner);
  echo_arena_destroy(&block->scratch);
  test_step_destroy(&block->step);
}

/* ---- all there is ---- */

typedef struct Orders {
  const Block *block;
  const EchoGraph *graph;
  uint32_t *order, *waiting;
  uint32_t n;        /* placed */
  uint32_t n_orders; /* seen */
  uint64_t least_bytes;
} Orders;

static void look(Orders *orders)
{
  EchoGraph permuted;
  echo_graph_permute(orders->graph, orders->order, &permuted);
  uint64_t bytes = echo_estimate_bytes(&permuted, &orders->block->owner.interface,
                                       &orders->block->options.fusion);
  if (bytes < orders->least_bytes)
    orders->least_bytes = bytes;
  echo_graph_destroy(&permuted);
}

/* Of the node's readers, one wait less, or one more again. */
static void release(Orders *orders, uint32_t node, bool is_back)
{
  const EchoGraphNode *entry = &orders->graph->nodes.data[node];
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    uint32_t value = entry->first_result + r;
    for (uint32_t u = 0; u < orders->graph->values.data[value].n_uses; ++u)
      orders->waiting[echo_graph_uses(orders->graph, value)[u]] += is_back ? 1 : UINT32_MAX;
  }
}

/* Each order of the rest, depth first. */
static void extend(Orders *orders)
{
  uint32_t n_nodes = (uint32_t)orders->graph->nodes.size;
  if (orders->n == n_nodes - 1) { /* the return is last */
    orders->order[orders->n] = n_nodes - 1;
    ++orders->n_orders;
    look(orders);
    return;
  }
  for (uint32_t node = 0; node < n_nodes - 1 && orders->n_orders <= MAX_ORDERS; ++node) {
    if (orders->waiting[node] != 0)
      continue;
    orders->waiting[node] = 1; /* placed: it is not ready again */
    release(orders, node, false);
    orders->order[orders->n++] = node;
    extend(orders);
    --orders->n;
    release(orders, node, true);
    orders->waiting[node] = 0;
  }
}

/* The least of one choice; false where it has too many orders. */
static bool find_least(Block *block, const EchoGraph *graph, uint64_t *least_bytes)
{
  EchoArenaMark mark = echo_arena_mark(&block->scratch);
  Orders orders = {.block = block, .graph = graph, .least_bytes = UINT64_MAX};
  orders.order = ECHO_ARENA_ARRAY(&block->scratch, uint32_t, graph->nodes.size);
  orders.waiting = ECHO_ARENA_ARRAY(&block->scratch, uint32_t, graph->nodes.size);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    orders.waiting[node] = 0;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      orders.waiting[node] +=
          graph->values.data[echo_graph_operands(graph, node)[i]].def != ECHO_NONE;
  }
  extend(&orders);
  echo_arena_reset(&block->scratch, mark);
  if (orders.least_bytes < *least_bytes)
    *least_bytes = orders.least_bytes;
  return orders.n_orders <= MAX_ORDERS;
}

static bool apply_and_find(Block *block, const uint32_t *values, uint32_t n, uint32_t set,
                           uint64_t *least_bytes)
{
  EchoArenaMark mark = echo_arena_mark(&block->scratch);
  EchoChoice choice;
  EchoGraph echoed;
  echo_choice_create(&choice, &block->candidates);
  for (uint32_t i = 0; i < n; ++i)
    choice.values[values[i]].is_recomputed = (set >> i & 1) != 0;
  echo_choice_group(&choice, &block->candidates);
  echo_choice_apply(&choice, &block->candidates, &echoed);
  bool is_small = find_least(block, &echoed, least_bytes);
  echo_graph_destroy(&echoed);
  echo_arena_reset(&block->scratch, mark);
  return is_small;
}

/* Over all sets of candidates; false where there is too much, or next to nothing. */
static bool find_optimum(Block *block, uint64_t *least_bytes)
{
  uint32_t values[MAX_CANDIDATES], n = 0;
  if (block->graph.nodes.size > MAX_NODES)
    return false;
  for (uint32_t v = 0; v < block->graph.values.size; ++v) {
    if (block->candidates.values[v].state != ECHO_VALUE_CANDIDATE)
      continue;
    if (n == MAX_CANDIDATES)
      return false;
    values[n++] = v;
  }
  *least_bytes = UINT64_MAX;
  for (uint32_t set = 0; set < 1u << n; ++set)
    if (!apply_and_find(block, values, n, set, least_bytes))
      return false;
  return n >= MIN_CANDIDATES;
}

static uint64_t search_least(Block *block)
{
  EchoCurve curve;
  EchoFrontier frontier;
  ck_assert(echo_search_frontier(&curve, &frontier, &block->candidates, &block->owner.interface,
                                 &block->options));
  uint64_t bytes = curve.points.data[echo_vector_last(&frontier.points)].peak_bytes;
  echo_vector_destroy(&frontier.points);
  echo_curve_destroy(&curve);
  return bytes;
}

/* What is missed needs an order that is none of ours: at most one step in a hundred, and half as
 * much again. */
START_TEST(the_least_of_small_steps)
{
  uint32_t n_steps = 0, n_equal = 0;
  for (uint64_t seed = 0; n_steps < N_STEPS; ++seed) {
    EchoBuffer text = {0};
    Block block;
    uint64_t least_bytes;
    make_step(&text, seed);
    block_create(&block, echo_buffer_c_str(&text));
    if (find_optimum(&block, &least_bytes)) {
      uint64_t found_bytes = search_least(&block);
      ++n_steps;
      n_equal += found_bytes == least_bytes;
      ck_assert_msg(found_bytes >= least_bytes && found_bytes <= least_bytes + least_bytes / 2,
                    "seed %llu: %llu bytes, the least is %llu\n%s", (unsigned long long)seed,
                    (unsigned long long)found_bytes, (unsigned long long)least_bytes,
                    echo_buffer_c_str(&text));
    }
    block_destroy(&block);
    echo_buffer_destroy(&text);
  }
  ck_assert_msg(n_equal * 100 >= N_STEPS * 99, "%u of %u", n_equal, n_steps);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/optimum");
  TCase *cases = tcase_create("brute force");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, the_least_of_small_steps);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
