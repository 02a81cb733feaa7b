/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Folding: a deep stack with most layers left out is the graph of the shallow stack, node by node;
 * what is decided there is carried to layers in the same proportion; what does not repeat is left
 * alone. */
#include "echo_pass/fold_t.h"
#include "planning/schedule/order.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

/* A step, in the order that is best, with its candidates. */
typedef struct Block {
  TestStep step;
  EchoArena scratch;
  EchoDeviceModel device;
  EchoFusionOptions fusion;
  EchoFunctionInterface owner;
  EchoGraph written, graph;
  EchoCandidates candidates;
} Block;

/* The step is made already. */
static void block_create(Block *block)
{
  const EchoBlock *body = block->step.main->regions[0].first;
  ck_assert(
      echo_device_model_load(block->step.ctx, block->step.main->loc, ECHO_STR(""), &block->device));
  block->fusion = echo_fusion_options(&block->device, echo_target_find_or_null(ECHO_STR("cpu")),
                                      (EchoLibraryUse){true, true});
  echo_graph_create(&block->written, body);
  ck_assert(echo_function_interface_create(&block->owner, block->step.main, &block->written));
  uint32_t *order = ECHO_ARENA_ARRAY(&block->scratch, uint32_t, block->written.nodes.size + 1);
  echo_order_best_by_dataflow(&block->written, &block->owner.interface, &block->fusion, order);
  echo_graph_permute(&block->written, order, &block->graph);
  echo_candidates_create(&block->candidates, &block->graph, &block->owner.interface, &block->fusion,
                         &block->device, &block->scratch);
}

static void block_destroy(Block *block)
{
  echo_graph_destroy(&block->written);
  echo_graph_destroy(&block->graph);
  echo_function_interface_destroy(&block->owner);
  echo_arena_destroy(&block->scratch);
  test_step_destroy(&block->step);
}

static bool fold_block(EchoFold *fold, Block *block)
{
  return echo_fold_create(fold, &block->candidates, &block->owner.interface, &block->fusion,
                          &block->device);
}

/* The nodes of either that are no constants, in order, do the same with the same. */
static void check_equal(const EchoGraph *a, const EchoGraph *b)
{
  ck_assert_uint_eq(a->nodes.size, b->nodes.size);
  uint32_t *of_a = echo_alloc_array(a->nodes.size, sizeof(uint32_t)); /* number, no constants */
  uint32_t *of_b = echo_alloc_array(b->nodes.size, sizeof(uint32_t));
  uint32_t n_a = 0, n_b = 0;
  for (uint32_t i = 0; i < a->nodes.size; ++i) {
    of_a[i] = a->nodes.data[i].kind == ECHO_NODE_CONSTANT ? ECHO_NONE : n_a++;
    of_b[i] = b->nodes.data[i].kind == ECHO_NODE_CONSTANT ? ECHO_NONE : n_b++;
  }
  ck_assert_uint_eq(n_a, n_b);
  for (uint32_t i = 0, j = 0; i < a->nodes.size; ++i, ++j) {
    if (of_a[i] == ECHO_NONE) {
      --j;
      continue;
    }
    while (of_b[j] == ECHO_NONE)
      ++j;
    const EchoGraphNode *x = &a->nodes.data[i], *y = &b->nodes.data[j];
    ck_assert_uint_eq(of_a[i], of_b[j]);
    ck_assert_int_eq(x->kind, y->kind);
    ck_assert(x->op->info == y->op->info || x->kind == ECHO_NODE_RETURN);
    ck_assert_uint_eq(x->n_operands, y->n_operands);
    for (uint32_t k = 0; k < x->n_operands; ++k) {
      uint32_t from = a->values.data[echo_graph_operands(a, i)[k]].def;
      uint32_t other = b->values.data[echo_graph_operands(b, j)[k]].def;
      ck_assert_int_eq(from == ECHO_NONE, other == ECHO_NONE);
      if (from != ECHO_NONE && x->kind != ECHO_NODE_RETURN) /* results stand as parameters do */
        ck_assert_uint_eq(of_a[from], of_b[other]);
    }
  }
  echo_free(of_a);
  echo_free(of_b);
}

/* What is read was made before, and has the type that the op reads. */
static void check_graph(const EchoGraph *graph)
{
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = echo_graph_operands(graph, node)[i];
      ck_assert_uint_lt(value, graph->values.size);
      ck_assert(graph->values.data[value].def == ECHO_NONE || graph->values.data[value].def < node);
      if (graph->nodes.data[node].kind != ECHO_NODE_RETURN)
        ck_assert_ptr_eq(echo_graph_type(graph, value),
                         echo_op_operand_type(graph->nodes.data[node].op, i));
    }
}

START_TEST(a_folded_stack_is_a_shallow_one)
{
  static const int DEPTHS[] = {20, 32, 33, 64, 100};
  for (size_t d = 0; d < sizeof DEPTHS / sizeof DEPTHS[0]; ++d) {
    Block deep = {0}, shallow = {0};
    EchoFold fold;
    test_step_stack(&deep.step, DEPTHS[d]);
    block_create(&deep);
    ck_assert_msg(fold_block(&fold, &deep), "%d layers are not folded", DEPTHS[d]);
    ck_assert_uint_eq(fold.repeats.size, 2); /* there and back */
    ck_assert_uint_eq(fold.repeats.data[0].n_cut, fold.repeats.data[1].n_cut);
    check_graph(&fold.graph);
    test_step_stack(&shallow.step, DEPTHS[d] - (int)fold.repeats.data[0].n_cut);
    block_create(&shallow);
    check_equal(&fold.graph, &shallow.graph);
    echo_fold_destroy(&fold);
    block_destroy(&deep);
    block_destroy(&shallow);
  }
}
END_TEST

START_TEST(few_layers_are_not_folded)
{
  Block block = {0};
  EchoFold fold;
  test_step_stack(&block.step, 8);
  block_create(&block);
  ck_assert(!fold_block(&fold, &block));
  echo_fold_destroy(&fold);
  block_destroy(&block);
}
END_TEST

START_TEST(random_steps_stay_whole_or_true)
{
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Block block = {0};
    EchoFold fold;
    test_step_random(&block.step, seed, 2 + seed % 40);
    block_create(&block);
    if (fold_block(&fold, &block))
      check_graph(&fold.graph);
    echo_fold_destroy(&fold);
    block_destroy(&block);
  }
}
END_TEST

/* All that the folded graph may decide on, or every second of it. */
static uint32_t count_carried(Block *block, const EchoFold *fold, uint32_t every)
{
  EchoChoice folded, choice;
  echo_choice_create(&folded, &fold->candidates);
  echo_choice_create(&choice, &block->candidates);
  uint32_t n_seen = 0, n_carried = 0;
  for (uint32_t v = fold->graph.n_inputs; v < fold->graph.values.size; ++v)
    if (fold->candidates.values[v].state == ECHO_VALUE_CANDIDATE)
      folded.values[v].is_recomputed = n_seen++ % every == 0;
  echo_fold_carry(fold, &block->candidates, &folded, &choice);
  for (uint32_t v = 0; v < block->graph.values.size; ++v)
    n_carried += choice.values[v].is_recomputed;
  return n_carried;
}

START_TEST(decisions_are_carried_in_proportion)
{
  Block block = {0};
  EchoFold fold;
  test_step_stack(&block.step, 64);
  block_create(&block);
  ck_assert(fold_block(&fold, &block));
  uint32_t n_candidates = 0;
  for (uint32_t v = 0; v < block.graph.values.size; ++v)
    n_candidates += block.candidates.values[v].state == ECHO_VALUE_CANDIDATE;
  ck_assert_uint_eq(count_carried(&block, &fold, 1), n_candidates);
  uint32_t half = count_carried(&block, &fold, 2);
  ck_assert_uint_ge(half, n_candidates * 3 / 8);
  ck_assert_uint_le(half, n_candidates * 5 / 8);
  echo_fold_destroy(&fold);
  block_destroy(&block);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/fold");
  TCase *tcase = tcase_create("fold");
  tcase_add_test(tcase, a_folded_stack_is_a_shallow_one);
  tcase_add_test(tcase, few_layers_are_not_folded);
  tcase_add_test(tcase, random_steps_stay_whole_or_true);
  tcase_add_test(tcase, decisions_are_carried_in_proportion);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
