/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the search finds on small steps, against everything there is: each set of values computed
 * again, each legal order of what comes of it, on the one model that plans are made by. */
#include "echo_pass/bound_t.h"
#include "echo_pass/policy_t.h"
#include "echo_pass/search_t.h"
#include "planning/cost/runtime.h"
#include "planning/swap/estimate.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <stdlib.h>

#define N_STEPS TEST_SIZE(600, 30) /* or $ECHO_OPTIMUM_STEPS */
#define N_LENDING_STEPS TEST_SIZE(300, 100)
#define MAX_ORDERS 4000  /* of one choice; steps with more are left out */
#define MIN_CANDIDATES 2 /* so are those with fewer of them, */
#define MAX_CANDIDATES 8 /* or more */
#define MAX_FORWARD 6
#define MAX_NODES 15 /* the return is one */
#define MAX_VALUES 16
#define N_GRAPHS TEST_SIZE(80, 6) /* or as many */

/* ---- steps ---- */

/* Up to five forward ops on matrices of so many rows and their gradients: at most 14 ops. */
static void make_step(EchoBuffer *step, uint64_t seed, int n_rows)
{
  EchoBuffer made = {0}, *text = &made; /* ? stands for the number of rows */
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
  echo_buffer_append_c(text, "func.func @main(%v0: tensor<?x8xf32>");
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", %%w%d: tensor<%dx%dxf32>", i, width[i - 1], width[i]);
  echo_buffer_printf(text, ", %%g%d: tensor<?x%dxf32>) -> (tensor<?x%dxf32>", n, width[n],
                     width[n]);
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", tensor<%dx%dxf32>", width[i - 1], width[i]);
  echo_buffer_append_c(text, ") {\n");
  for (int i = 1; i <= n; ++i) {
    if (kind[i] == 0)
      echo_buffer_printf(text,
                         "  %%v%d = stablehlo.dot_general %%v%d, %%w%d, contracting_dims = [1] x "
                         "[0] : (tensor<?x%dxf32>, tensor<%dx%dxf32>) -> tensor<?x%dxf32>\n",
                         i, i - 1, i, width[i - 1], width[i - 1], width[i], width[i]);
    else if (kind[i] == 3)
      echo_buffer_printf(text, "  %%v%d = stablehlo.add %%v%d, %%v%d : tensor<?x%dxf32>\n", i,
                         i - 1, other[i], width[i]);
    else
      echo_buffer_printf(text, "  %%v%d = stablehlo.%s %%v%d : tensor<?x%dxf32>\n", i,
                         kind[i] == 1 ? "tanh" : "exponential", i - 1, width[i]);
  }
  /* What is returned of the forward part is written last, so that its own space tells nothing. */
  echo_buffer_printf(text, "  %%b%d = stablehlo.multiply %%g%d, %%v%d : tensor<?x%dxf32>\n", n, n,
                     n, width[n]);
  int first = 1; /* below the first weight nobody needs a gradient */
  while (first <= n && kind[first] != 0)
    ++first;
  for (int i = n; i >= first; --i) {
    if (kind[i] == 0) {
      echo_buffer_printf(text,
                         "  %%d%d = stablehlo.dot_general %%v%d, %%b%d, contracting_dims = [0] x "
                         "[0] : (tensor<?x%dxf32>, tensor<?x%dxf32>) -> tensor<%dx%dxf32>\n",
                         i, i - 1, i, width[i - 1], width[i], width[i - 1], width[i]);
      if (i > first)
        echo_buffer_printf(text,
                           "  %%b%d = stablehlo.dot_general %%b%d, %%w%d, contracting_dims = [1] x "
                           "[1] : (tensor<?x%dxf32>, tensor<%dx%dxf32>) -> tensor<?x%dxf32>\n",
                           i - 1, i, i, width[i], width[i - 1], width[i], width[i - 1]);
    } else {
      echo_buffer_printf(text, "  %%b%d = stablehlo.multiply %%b%d, %%v%d : tensor<?x%dxf32>\n",
                         i - 1, i, i, width[i]);
    }
  }
  echo_buffer_printf(text, "  return %%v%d", n);
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", %%d%d", i);
  echo_buffer_printf(text, " : tensor<?x%dxf32>", width[n]);
  for (int i = 1; i <= n; ++i)
    if (kind[i] == 0)
      echo_buffer_printf(text, ", tensor<%dx%dxf32>", width[i - 1], width[i]);
  echo_buffer_append_c(text, "\n}\n");
  for (size_t i = 0; i < made.size; ++i)
    if (made.data[i] == '?')
      echo_buffer_printf(step, "%d", n_rows);
    else
      echo_buffer_append(step, &made.data[i], 1);
  echo_buffer_destroy(&made);
}

/* Any graph of 7 to 13 ops: each reads the youngest value or any, all that is left is returned. */
typedef struct Dag {
  EchoBuffer arguments, body;
  int width[MAX_VALUES], n_reads[MAX_VALUES];
  int n, n_weights;
  uint64_t random;
} Dag;

static int draw(Dag *dag, int n)
{
  dag->random = echo_hash_u64(dag->random + 1);
  return (int)(dag->random % (uint64_t)n);
}

/* Another value as wide as that one, of six that are looked at; -1 without one. */
static int draw_other(Dag *dag, int value)
{
  int found = -1;
  for (int i = 0; i < 6; ++i) {
    int other = draw(dag, dag->n);
    if (dag->width[other] != dag->width[value] || other == value)
      continue;
    found = other;
    if (dag->n_reads[other] == 0)
      break;
  }
  return found;
}

static void add_op(Dag *dag)
{
  int n = dag->n, a = draw(dag, 4) != 0 ? n - 1 : draw(dag, n), kind = draw(dag, 8);
  int from = dag->width[a], other = kind >= 3 && kind < 6 ? draw_other(dag, a) : -1;
  dag->width[n] = kind < 3 ? 8 << draw(dag, 3) : from;
  if (kind < 3) {
    echo_buffer_printf(&dag->arguments, ", %%w%d: tensor<%dx%dxf32>", dag->n_weights, from,
                       dag->width[n]);
    echo_buffer_printf(&dag->body,
                       "  %%v%d = stablehlo.dot_general %%v%d, %%w%d, contracting_dims = [1] x [0] "
                       ": (tensor<8x%dxf32>, tensor<%dx%dxf32>) -> tensor<8x%dxf32>\n",
                       n, a, dag->n_weights++, from, from, dag->width[n], dag->width[n]);
  } else if (other >= 0) {
    echo_buffer_printf(&dag->body, "  %%v%d = stablehlo.%s %%v%d, %%v%d : tensor<8x%dxf32>\n", n,
                       draw(dag, 2) != 0 ? "multiply" : "add", a, other, from);
    ++dag->n_reads[other];
  } else {
    echo_buffer_printf(&dag->body, "  %%v%d = stablehlo.%s %%v%d : tensor<8x%dxf32>\n", n,
                       draw(dag, 2) != 0 ? "tanh" : "exponential", a, from);
  }
  ++dag->n_reads[a];
  ++dag->n;
}

static void make_dag(EchoBuffer *step, uint64_t seed)
{
  Dag dag = {.width = {16}, .n = 1, .random = echo_hash_u64(seed * 7919 + 13)};
  EchoBuffer types = {0}, results = {0};
  for (int n_ops = 7 + draw(&dag, 7); n_ops > 0; --n_ops)
    add_op(&dag);
  for (int i = 1; i < dag.n; ++i)
    if (dag.n_reads[i] == 0) {
      const char *comma = results.size != 0 ? ", " : "";
      echo_buffer_printf(&results, "%s%%v%d", comma, i);
      echo_buffer_printf(&types, "%stensor<8x%dxf32>", comma, dag.width[i]);
    }
  echo_buffer_printf(
      step, "func.func @main(%%v0: tensor<8x16xf32>%s) -> (%s) {\n%s  return %s : %s\n}\n",
      echo_buffer_c_str(&dag.arguments), echo_buffer_c_str(&types), echo_buffer_c_str(&dag.body),
      echo_buffer_c_str(&results), echo_buffer_c_str(&types));
  echo_buffer_destroy(&dag.arguments);
  echo_buffer_destroy(&dag.body);
  echo_buffer_destroy(&types);
  echo_buffer_destroy(&results);
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

/* `lends_results`: their places hold others before. */
static void block_create(Block *block, const char *text, bool lends_results)
{
  *block = (Block){0};
  test_step_parse(&block->step, text);
  block->options = (EchoSearchOptions){.goal = ECHO_GOAL_LEAST, .policy = ECHO_POLICIES[0]};
  ck_assert(echo_device_model_load(block->step.ctx, block->step.main->loc, ECHO_STR(""),
                                   &block->options.device));
  block->options.fusion =
      echo_fusion_options(&block->options.device, echo_target_find_or_null(ECHO_STR("cpu")),
                          (EchoLibraryUse){true, true});
  echo_graph_create(&block->written, block->step.main->regions[0].first);
  ck_assert(echo_function_interface_create(&block->owner, block->step.main, &block->written));
  block->owner.interface.lends_results = lends_results;
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

/* What a plan comes to. */
typedef struct Plan {
  uint64_t bytes, ns;
  uint64_t again_ns; /* kernels of their own that run again */
} Plan;

typedef struct Plans {
  ECHO_VECTOR(Plan) data; /* those that no other one undercuts in bytes and time */
} Plans;

static void add_plan(Plans *plans, Plan plan)
{
  size_t n = 0;
  for (size_t i = 0; i < plans->data.size; ++i) {
    Plan other = plans->data.data[i];
    if (other.bytes <= plan.bytes && other.ns <= plan.ns)
      return;
  }
  for (size_t i = 0; i < plans->data.size; ++i) {
    Plan other = plans->data.data[i];
    if (plan.bytes > other.bytes || plan.ns > other.ns)
      plans->data.data[n++] = other;
  }
  plans->data.size = n;
  echo_vector_push(&plans->data, plan);
}

/* ---- swaps ---- */

#define N_SWAP_STEPS TEST_SIZE(150, 10) /* or as many */
#define N_KNOWN TEST_SIZE(40, 8)
#define N_ROWS 2048           /* so that what is copied is worth it */
#define MAX_SWAP_ORDERS 400   /* of one choice */
#define MAX_SWAP_CANDIDATES 4 /* values that may be computed again, */
#define MAX_STAYS 9           /* times that one may be away */

/* The least time of one budget: every set of values computed again, in every order, with every set
 * of what may be away. `best_ns` is what was found so far: what takes longer without any copies is
 * not looked at. */
typedef struct Budget {
  uint64_t bytes, best_ns;
} Budget;

/* All times that a block need not be there; their number, or more than MAX_STAYS. */
static uint32_t list_stays(const EchoSwapProgram *program, EchoSwapPlace *stays)
{
  uint32_t n = 0;
  for (size_t i = 1; i < program->accesses.size && n <= MAX_STAYS; ++i) {
    const EchoSwapAccess *from = &program->accesses.data[i - 1], *to = from + 1;
    uint64_t bytes = program->blocks.data[to->block].size_bytes;
    if (from->block != to->block || to->step <= from->step + 1 || bytes < ECHO_SWAP_MIN_BYTES)
      continue;
    stays[n++] = (EchoSwapPlace){.block = to->block,
                                 .last_step = from->step,
                                 .next_step = to->step,
                                 .copies_out = true,
                                 .size_bytes = bytes};
  }
  for (uint32_t i = 1; i < n && n <= MAX_STAYS; ++i)
    for (uint32_t k = i; k > 0 && stays[k].last_step < stays[k - 1].last_step; --k) {
      EchoSwapPlace moved = stays[k];
      stays[k] = stays[k - 1];
      stays[k - 1] = moved;
    }
  return n;
}

/* What the program takes longer with these away; INT64_MAX where it does not fit. */
static int64_t with_away(const EchoSwapProgram *program, const int64_t *live,
                         const EchoSwapPlace *stays, uint32_t n, uint32_t set, uint64_t budget,
                         const EchoSwapTransfer *transfer)
{
  EchoSwapPlace places[MAX_STAYS];
  uint32_t n_steps = (uint32_t)program->inner_bytes.size;
  size_t n_places = 0;
  for (uint32_t i = 0; i < n; ++i)
    if ((set >> i & 1) != 0)
      places[n_places++] = stays[i];
  for (uint32_t s = 0; s < n_steps; ++s) {
    int64_t bytes = live[s];
    for (size_t i = 0; i < n_places; ++i)
      if (places[i].last_step < s && s < places[i].next_step)
        bytes -= (int64_t)places[i].size_bytes;
    if (bytes > (int64_t)budget)
      return INT64_MAX;
  }
  echo_swap_place(places, n_places, live, program->start_ns.data, n_steps, budget, transfer);
  return echo_swap_clock(places, n_places, program->start_ns.data, n_steps, transfer, NULL);
}

static void look_with_swaps(const EchoSwapProgram *program, const EchoSwapTransfer *transfer,
                            Budget *budget)
{
  EchoSwapPlace stays[MAX_STAYS + 1];
  uint64_t ns = (uint64_t)program->start_ns.data[program->inner_bytes.size];
  if (ns >= budget->best_ns || echo_swap_least_load(program) > budget->bytes)
    return;
  uint32_t n = list_stays(program, stays);
  int64_t *live = echo_swap_program_live_bytes(program);
  for (uint32_t set = 0; n <= MAX_STAYS && set < 1u << n && ns < budget->best_ns; ++set) {
    int64_t more_ns = with_away(program, live, stays, n, set, budget->bytes, transfer);
    if (more_ns != INT64_MAX && ns + (uint64_t)more_ns < budget->best_ns)
      budget->best_ns = ns + (uint64_t)more_ns;
  }
  echo_free(live);
}

/* ---- orders ---- */

typedef struct Orders {
  const Block *block;
  const EchoGraph *graph;
  uint32_t *order, *waiting;
  uint32_t n;        /* placed */
  uint32_t n_orders; /* seen */
  uint32_t max_orders;
  Budget *budget; /* NULL: nothing is swapped */
  Plans *plans;
  Plan least; /* in bytes, of this choice */
} Orders;

static void look(Orders *orders)
{
  const EchoSearchOptions *options = &orders->block->options;
  EchoGraph permuted = {0};
  EchoEstimate estimate = {0};
  echo_graph_permute(orders->graph, orders->order, &permuted);
  echo_estimate_create(&estimate, &permuted, &orders->block->owner.interface, &options->fusion);
  if (orders->budget != NULL) {
    EchoSwapProgram program;
    EchoSwapTransfer transfer = echo_swap_transfer_of(&options->device);
    echo_swap_program_create(&program, &permuted, &orders->block->owner.interface, &estimate,
                             &options->device);
    look_with_swaps(&program, &transfer, orders->budget);
    echo_swap_program_destroy(&program);
  }
  Plan plan = orders->least;
  plan.bytes = estimate.storage.bound_bytes;
  plan.ns = echo_fusion_ns(&permuted, &estimate.fusion, &options->device);
  add_plan(orders->plans, plan);
  if (plan.bytes < orders->least.bytes)
    orders->least = plan;
  echo_estimate_destroy(&estimate);
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
  for (uint32_t node = 0; node < n_nodes - 1 && orders->n_orders <= orders->max_orders; ++node) {
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

/* All orders of one choice; false where it has too many. */
static bool look_at_orders(Block *block, const EchoGraph *graph, Budget *budget, Plans *plans,
                           Plan *least)
{
  EchoArenaMark mark = echo_arena_mark(&block->scratch);
  Orders orders = {.block = block,
                   .graph = graph,
                   .max_orders = budget == NULL ? MAX_ORDERS : MAX_SWAP_ORDERS,
                   .budget = budget,
                   .plans = plans,
                   .least = *least};
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
  *least = orders.least;
  return orders.n_orders <= orders.max_orders;
}

static bool look_at_set(Block *block, const uint32_t *values, uint32_t n, uint32_t set,
                        Budget *budget, Plans *plans, Plans *choices)
{
  EchoArenaMark mark = echo_arena_mark(&block->scratch);
  EchoPoint point = {0};
  EchoChoice *choice = &point.choice;
  EchoGraph echoed = {0};
  echo_choice_create(choice, &block->candidates);
  for (uint32_t i = 0; i < n; ++i)
    choice->values[values[i]].is_recomputed = (set >> i & 1) != 0;
  echo_choice_group(choice, &block->candidates);
  echo_choice_apply(choice, &block->candidates, &echoed);
  uint64_t again_ns = echo_bound_point_again_ns(&block->candidates, &point, &block->owner.interface,
                                                &block->options);
  Plan least = {UINT64_MAX, 0, again_ns};
  bool is_small = look_at_orders(block, &echoed, budget, plans, &least);
  add_plan(choices, (Plan){least.bytes, again_ns, again_ns});
  echo_graph_destroy(&echoed);
  echo_arena_reset(&block->scratch, mark);
  return is_small;
}

/* Over all sets of candidates: the best plans, and of choices the least bytes against the kernels
 * of their own that run again; with a budget, its least time with swaps. False where there is too
 * much, or next to nothing. */
static bool look_at_all(Block *block, Budget *budget, Plans *plans, Plans *choices)
{
  uint32_t values[MAX_CANDIDATES], n = 0;
  uint32_t most = budget == NULL ? MAX_CANDIDATES : MAX_SWAP_CANDIDATES;
  if (block->graph.nodes.size > MAX_NODES)
    return false;
  for (uint32_t v = 0; v < block->graph.values.size; ++v) {
    if (block->candidates.values[v].state != ECHO_VALUE_CANDIDATE)
      continue;
    if (n == most)
      return false;
    values[n++] = v;
  }
  for (uint32_t set = 0; set < 1u << n; ++set)
    if (!look_at_set(block, values, n, set, budget, plans, choices))
      return false;
  return n >= MIN_CANDIDATES;
}

/* ---- against the search ---- */

typedef struct Score {
  uint32_t n, n_equal, n_close; /* of least ones; of budgets */
  uint32_t n_lower;             /* than all sets */
} Score;

static uint64_t least_of(const Plans *plans)
{
  uint64_t bytes = UINT64_MAX;
  for (size_t i = 0; i < plans->data.size; ++i)
    if (plans->data.data[i].bytes < bytes)
      bytes = plans->data.data[i].bytes;
  return bytes;
}

/* The least time within a budget; UINT64_MAX where nothing fits. */
static uint64_t least_ns(const Plans *plans, uint64_t budget_bytes)
{
  uint64_t ns = UINT64_MAX;
  for (size_t i = 0; i < plans->data.size; ++i)
    if (plans->data.data[i].bytes <= budget_bytes && plans->data.data[i].ns < ns)
      ns = plans->data.data[i].ns;
  return ns;
}

/* Returns what doing nothing takes. */
static uint64_t search(Block *block, Plans *found)
{
  EchoCurve curve;
  EchoFrontier frontier;
  ck_assert(echo_search_frontier(&curve, &frontier, &block->candidates, &block->owner.interface,
                                 &block->options));
  for (size_t i = 0; i < frontier.points.size; ++i) {
    const EchoPoint *point = &curve.points.data[frontier.points.data[i]];
    echo_vector_push(&found->data, ((Plan){point->peak_bytes, point->ns, 0}));
  }
  uint64_t off_bytes = curve.points.data[0].peak_bytes;
  echo_vector_destroy(&frontier.points);
  echo_curve_destroy(&curve);
  return off_bytes;
}

/* Each plan that is best is a budget, up to what doing nothing takes. What is computed several
 * times is in no set, and may be lower than them all. */
static void compare(const Block *block, const Plans *plans, const Plans *found, uint64_t off_bytes,
                    Score *least, Score *budgets)
{
  bool is_lower = least_of(found) < least_of(plans);
  ++least->n;
  least->n_equal += least_of(found) == least_of(plans);
  least->n_lower += is_lower;
  ck_assert_uint_le(least_of(found),
                    least_of(plans) +
                        least_of(plans) / (block->owner.interface.lends_results ? 1 : 2));
  for (size_t i = 0; i < plans->data.size; ++i) {
    Plan plan = plans->data.data[i];
    uint64_t ns = least_ns(found, plan.bytes);
    if (plan.bytes > off_bytes)
      continue;
    ck_assert(is_lower || ns >= plan.ns);
    ++budgets->n;
    budgets->n_equal += ns <= plan.ns;
    budgets->n_close += ns != UINT64_MAX && (ns <= plan.ns || ns - plan.ns <= plan.ns / 50);
  }
}

/* Nothing is below the bounds. */
static void check_bounds(Block *block, const Plans *plans, const Plans *choices, const Plans *found)
{
  for (size_t i = 0; i < plans->data.size; ++i) {
    Plan plan = plans->data.data[i];
    EchoBound bound = echo_bound_find(&block->candidates, &block->owner.interface, &block->options,
                                      plan.bytes, plan.ns);
    ck_assert_uint_le(bound.least_bytes, least_of(plans));
    ck_assert_uint_le(bound.least_bytes, least_of(found));
    ck_assert_uint_le(bound.again_ns, least_ns(choices, plan.bytes));
  }
}

static uint32_t n_wanted(uint32_t usual)
{
  const char *text = getenv("ECHO_OPTIMUM_STEPS");
  return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

/* A step of one kind, made from a seed, in the least and at all budgets. */
static void compare_step(EchoBuffer *text, bool lends_results, Score *least, Score *budgets)
{
  Block block;
  Plans plans = {0}, choices = {0}, found = {0};
  block_create(&block, echo_buffer_c_str(text), lends_results);
  if (look_at_all(&block, NULL, &plans, &choices)) {
    uint64_t off_bytes = search(&block, &found);
    compare(&block, &plans, &found, off_bytes, least, budgets);
    check_bounds(&block, &plans, &choices, &found);
  }
  echo_vector_destroy(&plans.data);
  echo_vector_destroy(&choices.data);
  echo_vector_destroy(&found.data);
  block_destroy(&block);
  echo_buffer_destroy(text);
}

static void print_budgets(const Score *budgets)
{
  if (getenv("ECHO_OPTIMUM_STEPS") != NULL)
    printf("%u, %u within 2 %%, of %u budgets\n", budgets->n_equal, budgets->n_close, budgets->n);
}

/* What is missed has more orders than there is work for: at most one in a hundred. */
static void check_scores(const Score *least, const Score *budgets, uint32_t close_per_mille)
{
  if (getenv("ECHO_OPTIMUM_STEPS") != NULL)
    printf("%u, %u lower, of %u least ones; ", least->n_equal, least->n_lower, least->n);
  print_budgets(budgets);
  ck_assert_msg((least->n_equal + least->n_lower) * 100 >= least->n * 99, "%u of %u",
                least->n_equal, least->n);
  ck_assert_msg(budgets->n_equal * 100 >= budgets->n * 99 &&
                    budgets->n_close * 1000 >= budgets->n * close_per_mille,
                "%u, %u close, of %u budgets", budgets->n_equal, budgets->n_close, budgets->n);
}

static void check_steps(uint32_t n_steps, bool lends_results, uint32_t close_per_mille)
{
  Score least = {0}, budgets = {0};
  for (uint64_t seed = 0; least.n < n_wanted(n_steps); ++seed) {
    EchoBuffer text = {0};
    make_step(&text, seed, 8);
    compare_step(&text, lends_results, &least, &budgets);
  }
  check_scores(&least, &budgets, close_per_mille);
}

START_TEST(small_steps)
{
  check_steps(N_STEPS, false, 995);
}
END_TEST

/* Where places of results are lent, orders that write a large result late have more of them for
 * longer. */
START_TEST(small_steps_that_lend)
{
  check_steps(N_LENDING_STEPS, true, 990);
}
END_TEST

START_TEST(small_graphs)
{
  Score least = {0}, budgets = {0};
  for (uint64_t seed = 0; least.n < n_wanted(N_GRAPHS); ++seed) {
    EchoBuffer text = {0};
    make_dag(&text, seed);
    compare_step(&text, false, &least, &budgets);
  }
  check_scores(&least, &budgets, 995);
}
END_TEST

/* What the search finds with swaps; UINT64_MAX where it refuses. */
static uint64_t search_with_swaps(Block *block, uint64_t budget_bytes)
{
  EchoCurve curve;
  EchoSearchOptions options = block->options;
  options.goal = ECHO_GOAL_BUDGET;
  options.allow_swap = true;
  options.budget_bytes = options.swap_budget_bytes = budget_bytes;
  ck_assert(echo_search(&curve, &block->candidates, &block->owner.interface, &options));
  uint64_t ns = curve.fits ? curve.points.data[curve.best].ns + curve.swap_ns : UINT64_MAX;
  echo_curve_destroy(&curve);
  return ns;
}

/* A step at a part of what it takes without anything. False where there is too much of it. */
static bool compare_with_swaps(Block *block, uint64_t off_bytes, unsigned part, Score *budgets)
{
  Plans plans = {0}, choices = {0};
  uint64_t bytes = off_bytes / 8 * part, found_ns = search_with_swaps(block, bytes);
  Budget budget = {bytes, found_ns};
  bool is_small = look_at_all(block, &budget, &plans, &choices);
  if (is_small && budget.best_ns != UINT64_MAX) {
    ++budgets->n;
    budgets->n_equal += found_ns == budget.best_ns;
    budgets->n_close += found_ns != UINT64_MAX && found_ns - budget.best_ns <= budget.best_ns / 50;
  }
  echo_vector_destroy(&plans.data);
  echo_vector_destroy(&choices.data);
  return is_small;
}

/* What is missed, at most one budget in a hundred, has more orders than there is work for. */
START_TEST(small_steps_with_swaps)
{
  Score budgets = {0};
  uint32_t n_steps = 0;
  for (uint64_t seed = 0; n_steps < n_wanted(N_SWAP_STEPS); ++seed) {
    EchoBuffer text = {0};
    Block block;
    Plans found = {0};
    make_step(&text, seed, N_ROWS);
    block_create(&block, echo_buffer_c_str(&text), true);
    uint64_t off_bytes = search(&block, &found);
    bool is_small = true;
    for (unsigned part = 4; part < 8 && is_small; ++part)
      is_small = compare_with_swaps(&block, off_bytes, part, &budgets);
    n_steps += is_small;
    echo_vector_destroy(&found.data);
    block_destroy(&block);
    echo_buffer_destroy(&text);
  }
  print_budgets(&budgets);
  ck_assert_msg(budgets.n_equal * 100 >= budgets.n * 99 && budgets.n_close * 100 >= budgets.n * 99,
                "%u, %u close, of %u budgets", budgets.n_equal, budgets.n_close, budgets.n);
}
END_TEST

/* What the search chooses. */
typedef struct Chosen {
  uint64_t bytes, ns; /* of the arena as it is packed */
  bool fits;
} Chosen;

static Chosen choose(Block *block, EchoGoal goal, uint64_t budget_bytes, const Chosen *known)
{
  EchoCurve curve;
  EchoSearchOptions options = block->options;
  options.goal = goal;
  options.overhead = 0.1;
  options.budget_bytes = budget_bytes;
  options.known_bytes = known != NULL ? known->bytes : 0;
  options.known_ns = known != NULL ? known->ns : 0;
  ck_assert(echo_search(&curve, &block->candidates, &block->owner.interface, &options));
  Chosen chosen = {curve.least_bytes, curve.points.data[curve.best].ns, curve.fits};
  echo_curve_destroy(&curve);
  return chosen;
}

/* Of a budget the time decides. */
static bool is_no_better(EchoGoal goal, const Chosen *chosen, const Chosen *known)
{
  return goal == ECHO_GOAL_BUDGET ? !chosen->fits || chosen->ns >= known->ns
                                  : chosen->bytes >= known->bytes;
}

static void check_known(Block *block, EchoGoal goal, uint64_t budget_bytes)
{
  const Chosen alone = choose(block, goal, budget_bytes, NULL);
  if (!alone.fits || alone.bytes <= 64)
    return;
  const Chosen worse = {alone.bytes + 64, alone.ns + 1, true};
  const Chosen better = {alone.bytes - 64, alone.ns - 1, true};
  const Chosen *others[] = {&alone, &worse};
  for (size_t i = 0; i < 2; ++i) {
    Chosen beside = choose(block, goal, budget_bytes, others[i]);
    ck_assert(beside.fits);
    ck_assert_uint_eq(beside.ns, alone.ns);
    if (goal != ECHO_GOAL_BUDGET)
      ck_assert_uint_eq(beside.bytes, alone.bytes);
  }
  Chosen beside = choose(block, goal, budget_bytes, &better);
  ck_assert(is_no_better(goal, &beside, &better));
}

/* What is known to be as good or worse changes nothing of what is chosen; beside what is better
 * nothing is made out to be better still. */
START_TEST(what_is_known_changes_no_better_choice)
{
  for (uint64_t seed = 0; seed < n_wanted(N_KNOWN); ++seed) {
    EchoBuffer text = {0};
    Block block;
    Plans found = {0};
    make_step(&text, seed, N_ROWS);
    block_create(&block, echo_buffer_c_str(&text), false);
    uint64_t off_bytes = search(&block, &found);
    check_known(&block, ECHO_GOAL_OVERHEAD, 0);
    check_known(&block, ECHO_GOAL_LEAST, 0);
    for (unsigned part = 5; part <= 8; ++part)
      check_known(&block, ECHO_GOAL_BUDGET, off_bytes / 8 * part);
    echo_vector_destroy(&found.data);
    block_destroy(&block);
    echo_buffer_destroy(&text);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/optimum");
  TCase *cases = tcase_create("brute force");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, small_steps);
  tcase_add_test(cases, small_steps_that_lend);
  tcase_add_test(cases, small_graphs);
  suite_add_tcase(suite, cases);
  TCase *swaps = tcase_create("brute force with swaps");
  tcase_set_timeout(swaps, 300);
  tcase_add_test(swaps, small_steps_with_swaps);
  suite_add_tcase(suite, swaps);
  TCase *known = tcase_create("beside what is known");
  tcase_set_timeout(known, 300);
  tcase_add_test(known, what_is_known_changes_no_better_choice);
  suite_add_tcase(suite, known);
  return echo_test_run(suite);
}
