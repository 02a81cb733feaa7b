/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random control flow graphs against the definition: a dominates b when every path from the entry
 * to b goes through a. */
#include "ir/verify/dominance.h"
#include "tests/unit/ir/test_dialect.h"
#include "tests/unit/suite.h"

enum { MAX_BLOCKS = 14 };

typedef struct Graph {
  EchoBlock *blocks[MAX_BLOCKS];
  size_t n_blocks;
  bool edge[MAX_BLOCKS][MAX_BLOCKS];
} Graph;

static Graph random_graph(TestIr *ir, EchoOp *holder, uint64_t *seed)
{
  Graph graph = {.n_blocks = 1 + test_random(seed) % MAX_BLOCKS};
  for (size_t i = 0; i < graph.n_blocks; ++i) {
    graph.blocks[i] = i == 0 ? holder->regions[0].first : echo_block_create(ir->ctx);
    if (i != 0)
      echo_region_append(&holder->regions[0], graph.blocks[i]);
  }
  for (size_t i = 0; i < graph.n_blocks; ++i) {
    EchoBlock *successors[4];
    size_t n = test_random(seed) % 4;
    for (size_t s = 0; s < n; ++s) {
      size_t to = test_random(seed) % graph.n_blocks;
      successors[s] = graph.blocks[to];
      graph.edge[i][to] = true;
    }
    if (n == 0)
      test_return(ir, graph.blocks[i], NULL, 0);
    else
      test_branch(ir, graph.blocks[i], successors, n);
  }
  return graph;
}

/* Blocks that can be reached from the entry without stepping on `removed` (n_blocks = none). */
static void reach(const Graph *graph, size_t removed, bool *reached)
{
  size_t stack[MAX_BLOCKS], n = 0;
  memset(reached, 0, MAX_BLOCKS * sizeof *reached);
  if (removed == 0)
    return;
  reached[0] = true;
  stack[n++] = 0;
  while (n != 0) {
    size_t from = stack[--n];
    for (size_t to = 0; to < graph->n_blocks; ++to)
      if (graph->edge[from][to] && !reached[to] && to != removed) {
        reached[to] = true;
        stack[n++] = to;
      }
  }
}

START_TEST(random_graphs)
{
  TestIr ir = test_ir_create();
  uint64_t seed = (uint64_t)_i * 977 + 5;
  for (int round = 0; round < 200; ++round) {
    EchoOp *holder = test_with_regions(&ir, ir.body, "test.region", 0, 1);
    Graph graph = random_graph(&ir, holder, &seed);
    EchoDominance *dominance = echo_dominance_create(ir.module);
    bool reachable[MAX_BLOCKS], without[MAX_BLOCKS];
    reach(&graph, graph.n_blocks, reachable);
    for (size_t a = 0; a < graph.n_blocks; ++a) {
      reach(&graph, a, without);
      ck_assert_int_eq(echo_dominance_is_reachable(dominance, graph.blocks[a]), reachable[a]);
      for (size_t b = 0; b < graph.n_blocks; ++b) {
        bool want = a == b || !reachable[b] || (reachable[a] && !without[b]);
        if (echo_dominance_block(dominance, graph.blocks[a], graph.blocks[b]) != want)
          ck_abort_msg("round %d: %zu dominates %zu should be %d", round, a, b, want);
      }
    }
    echo_dominance_destroy(dominance);
    echo_op_erase(holder);
  }
  test_ir_destroy(&ir);
}
END_TEST

START_TEST(values)
{
  TestIr ir = test_ir_create();
  EchoOp *holder = test_with_regions(&ir, ir.body, "test.region", 1, 1);
  EchoBlock *entry = echo_op_body(holder, 0), *left = echo_block_create(ir.ctx);
  EchoBlock *right = echo_block_create(ir.ctx), *join = echo_block_create(ir.ctx);
  echo_region_append(&holder->regions[0], left);
  echo_region_append(&holder->regions[0], right);
  echo_region_append(&holder->regions[0], join);
  EchoValue *arg = echo_block_add_arg(ir.ctx, entry, ir.i32, echo_loc_unknown());
  EchoValue *first = test_const(&ir, entry, 1), *second = test_unary(&ir, entry, "test.neg", first);
  test_branch(&ir, entry, (EchoBlock *[]){left, right}, 2);
  EchoValue *in_left = test_const(&ir, left, 2);
  EchoOp *nested = test_with_regions(&ir, left, "test.region", 1, 1);
  EchoOp *inner = test_use(&ir, echo_op_body(nested, 0), NULL, 0);
  test_branch(&ir, left, &join, 1);
  test_branch(&ir, right, &join, 1);
  EchoOp *last = test_use(&ir, join, NULL, 0);
  EchoDominance *dominance = echo_dominance_create(ir.module);
  ck_assert(echo_dominance_value(dominance, first, echo_value_def_or_null(second)));
  ck_assert(!echo_dominance_value(dominance, second, echo_value_def_or_null(first)));
  ck_assert(!echo_dominance_value(dominance, first, echo_value_def_or_null(first)));
  ck_assert(echo_dominance_value(dominance, arg, last));
  ck_assert(echo_dominance_value(dominance, first, last));
  ck_assert(!echo_dominance_value(dominance, in_left, last));
  ck_assert(echo_dominance_value(dominance, in_left, inner));
  ck_assert(!echo_dominance_value(dominance, echo_op_result(nested, 0), inner));
  ck_assert(!echo_dominance_value(dominance, first, holder));
  echo_dominance_destroy(dominance);
  test_ir_destroy(&ir);
}
END_TEST

/* A chain of 100000 diamonds: no recursion, and no quadratic time. */
START_TEST(large)
{
  enum { N = 100000 };
  TestIr ir = test_ir_create();
  EchoOp *holder = test_with_regions(&ir, ir.body, "test.region", 0, 1);
  EchoBlock *at = echo_op_body(holder, 0);
  for (int i = 0; i < N; ++i) {
    EchoBlock *next[3];
    for (int j = 0; j < 3; ++j)
      echo_region_append(&holder->regions[0], next[j] = echo_block_create(ir.ctx));
    test_branch(&ir, at, next, 2);
    test_branch(&ir, next[0], &next[2], 1);
    test_branch(&ir, next[1], &next[2], 1);
    at = next[2];
  }
  EchoDominance *dominance = echo_dominance_create(ir.module);
  for (EchoBlock *block = holder->regions[0].first; block != NULL; block = block->next) {
    ck_assert(echo_dominance_block(dominance, holder->regions[0].first, block));
    if (block != at && echo_dominance_block(dominance, at, block))
      ck_abort_msg("the last block dominates another");
  }
  echo_dominance_destroy(dominance);
  test_ir_destroy(&ir);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("dominance");
  TCase *tcase = tcase_create("dominance");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, random_graphs, 0, 10);
  tcase_add_test(tcase, values);
  tcase_add_test(tcase, large);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
