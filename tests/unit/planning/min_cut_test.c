/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Minimum cuts against every subset of nodes on small graphs, and against augmenting shortest
 * paths, O(V E^2), on larger ones; both nearest cuts against what they are defined by. */
#include "planning/cuts/min_cut.h"

#include <check.h>
#include <stdlib.h>

static uint64_t random_state;

static uint32_t next_below(uint32_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state % n);
}

static void random_network(EchoFlowNetwork *network, uint32_t n_nodes, uint32_t n_edges,
                           uint32_t n_infinite, uint32_t max_capacity)
{
  for (uint32_t i = 0; i < n_nodes; i++)
    echo_flow_add_node(network);
  for (uint32_t i = 0; i < n_edges; i++) {
    uint32_t from = next_below(n_nodes), to = next_below(n_nodes);
    echo_flow_add_edge(network, from, to,
                       i < n_infinite ? ECHO_FLOW_INFINITE : next_below(max_capacity + 1));
  }
}

/* ECHO_FLOW_INFINITE when an infinite edge leaves the side. */
static uint64_t value_of_side(const EchoFlowNetwork *network, const EchoBitset *side)
{
  uint64_t value = 0;
  for (size_t i = 0; i < network->edges.size; i++) {
    EchoFlowEdge edge = network->edges.data[i];
    if (!echo_bitset_has(side, edge.from) || echo_bitset_has(side, edge.to))
      continue;
    if (edge.capacity == ECHO_FLOW_INFINITE)
      return ECHO_FLOW_INFINITE;
    value += edge.capacity;
  }
  return value;
}

/* The least value over all subsets with node 0 in and node n-1 out; `all` and `any` are the
 * intersection and the union of the minimum sides. */
static uint64_t brute_force(const EchoFlowNetwork *network, uint64_t *all, uint64_t *any)
{
  uint32_t n = network->n_nodes;
  uint64_t best = UINT64_MAX;
  EchoBitset side;
  echo_bitset_create(&side, n);
  for (uint64_t mask = 0; mask < UINT64_C(1) << (n - 2); mask++) {
    side.words[0] = mask << 1 | 1;
    uint64_t value = value_of_side(network, &side);
    if (value < best) {
      best = value;
      *all = UINT64_MAX;
      *any = 0;
    }
    if (value == best) {
      *all &= side.words[0];
      *any |= side.words[0];
    }
  }
  echo_bitset_destroy(&side);
  return best;
}

START_TEST(agrees_with_every_subset)
{
  random_state = 1234567;
  for (int round = 0; round < 3000; round++) {
    EchoFlowNetwork network = {0};
    uint32_t n = 2 + next_below(9);
    random_network(&network, n, next_below(4 * n), next_below(4), 1 + next_below(9));
    uint64_t all = 0, any = 0;
    uint64_t want = brute_force(&network, &all, &any);
    for (int s = 0; s < 2; s++) {
      EchoMinCut cut;
      bool finite = echo_flow_min_cut(&network, 0, n - 1,
                                      s == 0 ? ECHO_CUT_NEAR_SOURCE : ECHO_CUT_NEAR_SINK, &cut);
      ck_assert_uint_eq(cut.value, want);
      ck_assert(finite == (want != ECHO_FLOW_INFINITE));
      if (finite)
        ck_assert_uint_eq(cut.source_side.words[0], s == 0 ? all : any);
      echo_min_cut_destroy(&cut);
    }
    echo_flow_destroy(&network);
  }
}
END_TEST

/* Edmonds and Karp on an adjacency matrix. */
static uint64_t reference_flow(const EchoFlowNetwork *network, uint32_t source, uint32_t sink)
{
  uint32_t n = network->n_nodes;
  uint64_t *residual = calloc((size_t)n * n, sizeof *residual), flow = 0;
  uint32_t *parent = malloc(n * sizeof *parent), *queue = malloc(n * sizeof *queue);
  for (size_t i = 0; i < network->edges.size; i++)
    residual[network->edges.data[i].from * n + network->edges.data[i].to] +=
        network->edges.data[i].capacity;
  for (;;) {
    for (uint32_t v = 0; v < n; v++)
      parent[v] = UINT32_MAX;
    uint32_t head = 0, tail = 0;
    queue[tail++] = source;
    parent[source] = source;
    while (head < tail && parent[sink] == UINT32_MAX) {
      uint32_t v = queue[head++];
      for (uint32_t w = 0; w < n; w++)
        if (parent[w] == UINT32_MAX && residual[v * n + w] > 0) {
          parent[w] = v;
          queue[tail++] = w;
        }
    }
    if (parent[sink] == UINT32_MAX)
      break;
    uint64_t amount = UINT64_MAX;
    for (uint32_t v = sink; v != source; v = parent[v])
      if (residual[parent[v] * n + v] < amount)
        amount = residual[parent[v] * n + v];
    for (uint32_t v = sink; v != source; v = parent[v]) {
      residual[parent[v] * n + v] -= amount;
      residual[v * n + parent[v]] += amount;
    }
    flow += amount;
  }
  free(residual);
  free(parent);
  free(queue);
  return flow;
}

START_TEST(agrees_with_augmenting_paths)
{
  random_state = 424242;
  for (int round = 0; round < 120; round++) {
    EchoFlowNetwork network = {0};
    uint32_t n = 20 + next_below(100);
    random_network(&network, n, n * (2 + next_below(5)), 0, 1000000);
    uint64_t want = reference_flow(&network, 0, n - 1);
    EchoMinCut near, far;
    ck_assert(echo_flow_min_cut(&network, 0, n - 1, ECHO_CUT_NEAR_SOURCE, &near));
    ck_assert(echo_flow_min_cut(&network, 0, n - 1, ECHO_CUT_NEAR_SINK, &far));
    ck_assert_uint_eq(near.value, want);
    ck_assert_uint_eq(far.value, want);
    ck_assert_uint_eq(value_of_side(&network, &near.source_side), want);
    ck_assert_uint_eq(value_of_side(&network, &far.source_side), want);
    ck_assert(!echo_bitset_union(&far.source_side, &near.source_side));
    echo_min_cut_destroy(&near);
    echo_min_cut_destroy(&far);
    echo_flow_destroy(&network);
  }
}
END_TEST

START_TEST(split_nodes_cost_their_capacity)
{
  /* source -> a(5) -> b(3) -> sink, and a -> c(4) -> sink: the cheapest node cut is a alone. */
  EchoFlowNetwork network = {0};
  uint32_t source = echo_flow_add_node(&network), sink = echo_flow_add_node(&network);
  uint32_t a = echo_flow_add_split_node(&network, 5), b = echo_flow_add_split_node(&network, 3);
  uint32_t c = echo_flow_add_split_node(&network, 4);
  echo_flow_add_edge(&network, source, a, ECHO_FLOW_INFINITE);
  echo_flow_add_edge(&network, echo_flow_split_exit(a), b, ECHO_FLOW_INFINITE);
  echo_flow_add_edge(&network, echo_flow_split_exit(a), c, ECHO_FLOW_INFINITE);
  echo_flow_add_edge(&network, echo_flow_split_exit(b), sink, ECHO_FLOW_INFINITE);
  echo_flow_add_edge(&network, echo_flow_split_exit(c), sink, ECHO_FLOW_INFINITE);
  EchoMinCut cut;
  ck_assert(echo_flow_min_cut(&network, source, sink, ECHO_CUT_NEAR_SOURCE, &cut));
  ck_assert_uint_eq(cut.value, 5);
  ck_assert(echo_min_cut_on_source_side(&cut, a));
  ck_assert(!echo_min_cut_on_source_side(&cut, echo_flow_split_exit(a)));
  echo_min_cut_destroy(&cut);
  echo_flow_destroy(&network);
}
END_TEST

/* A layered network of 100,000 nodes, as a long step would give: every node split, edges to near
 * layers. */
START_TEST(a_hundred_thousand_nodes)
{
  random_state = 99;
  EchoFlowNetwork network = {0};
  uint32_t source = echo_flow_add_node(&network), sink = echo_flow_add_node(&network);
  uint32_t first = network.n_nodes, n_values = 50000;
  for (uint32_t i = 0; i < n_values; i++)
    echo_flow_add_split_node(&network, 1 + next_below(1 << 24));
  for (uint32_t i = 0; i < n_values; i++) {
    uint32_t leave = echo_flow_split_exit(first + 2 * i);
    for (uint32_t k = 0; k < 2 && i + 1 < n_values; k++) {
      uint32_t reach = n_values - 1 - i < 40 ? n_values - 1 - i : 40;
      echo_flow_add_edge(&network, leave, first + 2 * (i + 1 + next_below(reach)),
                         ECHO_FLOW_INFINITE);
    }
    if (i % 97 == 0)
      echo_flow_add_edge(&network, source, first + 2 * i, ECHO_FLOW_INFINITE);
    if (i % 89 == 88)
      echo_flow_add_edge(&network, leave, sink, ECHO_FLOW_INFINITE);
  }
  EchoMinCut near, far;
  ck_assert(echo_flow_min_cut(&network, source, sink, ECHO_CUT_NEAR_SOURCE, &near));
  ck_assert(echo_flow_min_cut(&network, source, sink, ECHO_CUT_NEAR_SINK, &far));
  ck_assert_uint_eq(near.value, far.value);
  ck_assert_uint_eq(value_of_side(&network, &near.source_side), near.value);
  ck_assert_uint_eq(value_of_side(&network, &far.source_side), far.value);
  echo_min_cut_destroy(&near);
  echo_min_cut_destroy(&far);
  echo_flow_destroy(&network);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("min_cut");
  TCase *tests = tcase_create("min_cut");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, agrees_with_every_subset);
  tcase_add_test(tests, agrees_with_augmenting_paths);
  tcase_add_test(tests, split_nodes_cost_their_capacity);
  tcase_add_test(tests, a_hundred_thousand_nodes);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
