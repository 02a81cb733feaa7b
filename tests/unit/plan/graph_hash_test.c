/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What echo_graph_hash tells apart: the search takes equal hashes for equal graphs, so whatever it
 * may change in a copy has to show. */
#include "base/map.h"
#include "planning/schedule/order.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

#define T "tensor<8xf32>"
#define THREE_OPS                                                                                  \
  "func.func @main(%x: " T ", %y: " T ") -> " T " {\n"                                             \
  "  %0 = stablehlo.add %x, %y : " T "\n"                                                          \
  "  %1 = stablehlo.multiply %0, %x : " T "\n"                                                     \
  "  %2 = stablehlo.subtract %1, %0 : " T "\n"                                                     \
  "  return %2 : " T "\n}\n"

typedef struct Made {
  TestStep step;
  EchoGraph graph;
} Made;

static void make(Made *made, const char *text)
{
  test_step_parse(&made->step, text);
  echo_graph_create(&made->graph, echo_op_body(made->step.main, 0));
}

static void destroy(Made *made)
{
  echo_graph_destroy(&made->graph);
  test_step_destroy(&made->step);
}

START_TEST(copies_hash_alike)
{
  for (uint32_t seed = 0; seed < 20; ++seed) {
    TestStep step;
    EchoGraph graph, copy, again;
    test_step_random(&step, seed, 8 + seed);
    echo_graph_create(&graph, echo_op_body(step.main, 0));
    echo_graph_create(&again, echo_op_body(step.main, 0));
    echo_graph_copy(&graph, &copy);
    ck_assert_uint_eq(echo_graph_hash(&graph), echo_graph_hash(&copy));
    ck_assert_uint_eq(echo_graph_hash(&graph), echo_graph_hash(&again));
    echo_graph_destroy(&again);
    echo_graph_destroy(&copy);
    echo_graph_destroy(&graph);
    test_step_destroy(&step);
  }
}
END_TEST

/* Counts up the operands of the graph, each over what is there before its node: false when all were
 * had. */
static bool next_operands(EchoGraph *graph)
{
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t *operand = &graph->operands.data[graph->nodes.data[node].first_operand + i];
      if (++*operand < graph->nodes.data[node].first_result)
        return true;
      *operand = 0;
    }
  return false;
}

/* Every way to read and every set of clones: as many hashes as graphs. */
START_TEST(operands_and_clones_show)
{
  Made made;
  EchoMap seen = {0};
  uint32_t n_graphs = 0, n_hashes = 0;
  make(&made, THREE_OPS);
  for (size_t i = 0; i < made.graph.operands.size; ++i)
    made.graph.operands.data[i] = 0;
  do
    for (uint32_t clones = 0; clones < 8; ++clones) {
      for (uint32_t node = 0; node < 3; ++node)
        made.graph.nodes.data[node].is_clone = (clones >> node & 1) != 0;
      n_hashes += echo_map_insert(&seen, echo_graph_hash(&made.graph), 1);
      ++n_graphs;
    }
  while (next_operands(&made.graph));
  ck_assert_uint_eq(n_graphs, 2 * 2 * 3 * 3 * 4 * 4 * 5 * 8);
  ck_assert_uint_eq(n_hashes, n_graphs);
  echo_map_destroy(&seen);
  destroy(&made);
}
END_TEST

/* Nodes that could change places, and do. */
START_TEST(the_order_shows)
{
  Made made;
  EchoGraph other;
  static const uint32_t ORDER[] = {1, 0, 2, 3};
  make(&made, "func.func @main(%x: " T ") -> " T " {\n"
              "  %0 = stablehlo.tanh %x : " T "\n"
              "  %1 = stablehlo.tanh %x : " T "\n"
              "  %2 = stablehlo.add %0, %1 : " T "\n"
              "  return %2 : " T "\n}\n");
  echo_graph_permute(&made.graph, ORDER, &other);
  ck_assert_uint_ne(echo_graph_hash(&made.graph), echo_graph_hash(&other));
  echo_graph_destroy(&other);
  destroy(&made);
}
END_TEST

/* One barrier over two values, and two barriers over one each: the same operands in turn. */
START_TEST(what_a_barrier_holds_shows)
{
  Made made;
  EchoGraph one, two;
  make(&made, THREE_OPS);
  echo_graph_create_like(&one, &made.graph);
  echo_graph_create_like(&two, &made.graph);
  echo_graph_add_barrier(&one, (const uint32_t[]){0, 1}, 2);
  echo_graph_add_barrier(&one, (const uint32_t[]){2}, 1);
  echo_graph_add_barrier(&two, (const uint32_t[]){0}, 1);
  echo_graph_add_barrier(&two, (const uint32_t[]){1, 2}, 2);
  echo_graph_finish(&one);
  echo_graph_finish(&two);
  ck_assert_uint_ne(echo_graph_hash(&one), echo_graph_hash(&two));
  echo_graph_destroy(&one);
  echo_graph_destroy(&two);
  destroy(&made);
}
END_TEST

/* Bytes and time of a loop's regions, apart. */
START_TEST(what_regions_come_to_shows)
{
  Made made;
  EchoMap seen = {0};
  uint32_t n_hashes = 0;
  make(&made, "func.func @main(%x: " T ", %p: tensor<i1>) -> " T " {\n"
              "  %0 = \"stablehlo.if\"(%p) ({\n"
              "    %1 = stablehlo.tanh %x : " T "\n"
              "    stablehlo.return %1 : " T "\n"
              "  }, {\n"
              "    stablehlo.return %x : " T "\n"
              "  }) : (tensor<i1>) -> " T "\n"
              "  return %0 : " T "\n}\n");
  EchoGraphNode *branch = &made.graph.nodes.data[0];
  ck_assert_int_eq(branch->kind, ECHO_NODE_CONTROL);
  for (branch->inner_bytes = 0; branch->inner_bytes < 40; ++branch->inner_bytes)
    for (branch->inner_ns = 0; branch->inner_ns < 40; ++branch->inner_ns)
      n_hashes += echo_map_insert(&seen, echo_graph_hash(&made.graph), 1);
  ck_assert_uint_eq(n_hashes, 40 * 40);
  echo_map_destroy(&seen);
  destroy(&made);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("plan/graph_hash");
  TCase *tcase = tcase_create("hash");
  tcase_add_test(tcase, copies_hash_alike);
  tcase_add_test(tcase, operands_and_clones_show);
  tcase_add_test(tcase, the_order_shows);
  tcase_add_test(tcase, what_a_barrier_holds_shows);
  tcase_add_test(tcase, what_regions_come_to_shows);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
