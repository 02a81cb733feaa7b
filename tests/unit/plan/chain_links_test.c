/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The links of a network's chain, on random steps: exactly the values that every way from the
 * inputs to the deepest value passes, found here by taking each value out. */
#include "echo_pass/chain_links.h"
#include "echo_pass/choice.h"
#include "tests/unit/plan/setting.h"
#include "tests/unit/suite.h"

/* ---- by taking values out ---- */

typedef struct Reference {
  const Setting *setting;
  bool *is_part; /* candidates, those left out that maps make of what is there anyway */
  uint32_t *depth;
  uint32_t root; /* the first of the deepest */
} Reference;

static void reference_create(Reference *reference, const Setting *setting)
{
  const EchoGraph *graph = &setting->graph;
  uint32_t *depth = echo_alloc_zero(graph->values.size + 1, sizeof *depth), most = 0;
  *reference = (Reference){.setting = setting, .depth = depth, .root = ECHO_NONE};
  reference->is_part = echo_alloc_zero(graph->values.size + 1, sizeof(bool));
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++) {
    const EchoGraphNode *node = &graph->nodes.data[graph->values.data[v].def];
    bool has_part = node->kind != ECHO_NODE_MAP && node->kind != ECHO_NODE_RESHAPE;
    if (graph->values.data[v].def > setting->candidates.turn)
      break;
    if (setting->candidates.values[v].state != ECHO_VALUE_CANDIDATE)
      continue;
    depth[v] = 1;
    for (uint32_t i = 0; i < node->n_operands; i++) {
      uint32_t operand = graph->operands.data[node->first_operand + i];
      has_part |= reference->is_part[operand];
      if (reference->is_part[operand] && depth[operand] >= depth[v])
        depth[v] = depth[operand] + 1;
    }
    reference->is_part[v] = has_part;
    if (has_part && depth[v] > most) {
      most = depth[v];
      reference->root = v;
    }
  }
}

/* What `value` is computed from, itself included, out of parts; freed by the caller. */
static bool *sources_of(const Reference *reference, uint32_t value)
{
  const EchoGraph *graph = &reference->setting->graph;
  bool *is_in = echo_alloc_zero(graph->values.size + 1, sizeof(bool));
  is_in[value] = true;
  for (uint32_t v = value + 1; v-- > graph->n_inputs;) {
    const EchoGraphNode *node = &graph->nodes.data[graph->values.data[v].def];
    for (uint32_t i = 0; is_in[v] && i < node->n_operands; i++) {
      uint32_t operand = graph->operands.data[node->first_operand + i];
      is_in[operand] |= reference->is_part[operand];
    }
  }
  return is_in;
}

/* Whether something that `value` is computed from leads to the root without it. */
static bool has_way_around(const Reference *reference, const bool *is_source, uint32_t value)
{
  const EchoGraph *graph = &reference->setting->graph;
  bool *is_below = sources_of(reference, value), found = false;
  for (uint32_t v = graph->n_inputs; v <= reference->root; v++) {
    const EchoGraphNode *node = &graph->nodes.data[graph->values.data[v].def];
    for (uint32_t i = 0; is_source[v] && !is_below[v] && i < node->n_operands; i++) {
      uint32_t operand = graph->operands.data[node->first_operand + i];
      found |= operand != value && is_below[operand];
    }
  }
  echo_free(is_below);
  return found;
}

/* The deepest operand of the value's op, the first of equal ones; ECHO_NONE when no part is. */
static uint32_t deepest_operand(const Reference *reference, uint32_t value)
{
  const EchoGraph *graph = &reference->setting->graph;
  const EchoGraphNode *node = &graph->nodes.data[graph->values.data[value].def];
  uint32_t deepest = ECHO_NONE;
  for (uint32_t i = 0; i < node->n_operands; i++) {
    uint32_t operand = graph->operands.data[node->first_operand + i];
    if (reference->is_part[operand] &&
        (deepest == ECHO_NONE || reference->depth[operand] > reference->depth[deepest]))
      deepest = operand;
  }
  return deepest;
}

static size_t check_links(const Setting *setting)
{
  const EchoGraph *graph = &setting->graph;
  Reference reference;
  EchoChainLinks chain;
  size_t n_links = 0;
  reference_create(&reference, setting);
  echo_chain_links_create(&chain, &setting->candidates, &(EchoChainOptions){0});
  bool *is_source = reference.root == ECHO_NONE ? NULL : sources_of(&reference, reference.root);
  for (uint32_t v = reference.root; v != ECHO_NONE; v = deepest_operand(&reference, v)) {
    if (has_way_around(&reference, is_source, v))
      continue;
    n_links++; /* from the last back */
    ck_assert_uint_le(n_links, chain.n_links);
    ck_assert_uint_eq(chain.links[chain.n_links - n_links].value, v);
  }
  ck_assert_uint_eq(n_links, chain.n_links);
  /* Every candidate is in one link, after what it is computed from. */
  size_t n_listed = 0;
  for (size_t k = 0; k < chain.n_links; k++) {
    n_listed += chain.links[k].end - chain.links[k].first;
    for (uint32_t i = chain.links[k].first; i < chain.links[k].end; i++)
      ck_assert_uint_eq(chain.link_of[chain.list[i]], k);
  }
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++)
    if (chain.link_of[v] != ECHO_NONE && chain.link_of[v] < chain.n_links)
      n_listed--;
  ck_assert_uint_eq(n_listed, 0);
  echo_free(is_source);
  echo_free(reference.is_part);
  echo_free(reference.depth);
  return n_links;
}

START_TEST(links_are_what_every_way_passes)
{
  size_t n_links = 0;
  for (uint32_t seed = 0; seed < 400; seed++) {
    Setting setting;
    test_step_random(&setting.step, seed, 2 + seed % 40);
    setting_create(&setting);
    n_links += check_links(&setting);
    setting_destroy(&setting);
  }
  ck_assert_uint_gt(n_links, 400);
}
END_TEST

/* What the last link is computed from. */
static bool *mark_network(const EchoGraph *graph, uint32_t root)
{
  bool *is_needed = echo_alloc_zero(graph->values.size + 1, sizeof *is_needed);
  is_needed[root] = true;
  for (uint32_t v = root; v >= graph->n_inputs && v != 0; v--) {
    const EchoGraphNode *node = &graph->nodes.data[graph->values.data[v].def];
    for (uint32_t i = 0; is_needed[v] && i < node->n_operands; i++)
      is_needed[graph->operands.data[node->first_operand + i]] = true;
  }
  return is_needed;
}

/* In each link of the network the value before it and the one that is held are all that is read of
 * what earlier links hand on. */
static size_t check_held(const Setting *setting)
{
  const EchoGraph *graph = &setting->graph;
  EchoChainLinks chain;
  size_t n_held = 0;
  uint32_t held = ECHO_NONE;
  echo_chain_links_create(&chain, &setting->candidates, &(EchoChainOptions){.holds = true});
  if (chain.n_links == 0)
    return 0;
  bool *is_needed = mark_network(graph, chain.links[chain.n_links - 1].value);
  for (uint32_t k = 0; k < chain.n_links; k++) {
    for (uint32_t i = chain.links[k].first; i < chain.links[k].end; i++) {
      const EchoGraphNode *node = &graph->nodes.data[graph->values.data[chain.list[i]].def];
      for (uint32_t o = 0; o < node->n_operands; o++) {
        uint32_t operand = graph->operands.data[node->first_operand + o];
        uint32_t of = chain.link_of[operand];
        if (is_needed[chain.list[i]] && of != ECHO_NONE && of < k &&
            chain.links[of].value == operand)
          ck_assert(of + 1 == k || operand == held);
      }
    }
    if (chain.links[k].is_held) {
      held = chain.links[k].value;
      n_held++;
    }
  }
  echo_free(is_needed);
  return n_held;
}

START_TEST(parts_read_what_is_held)
{
  size_t n_held = 0;
  for (uint32_t seed = 0; seed < 400; seed++) {
    Setting setting;
    test_step_random(&setting.step, seed, 2 + seed % 40);
    setting_create(&setting);
    n_held += check_held(&setting);
    setting_destroy(&setting);
  }
  ck_assert_uint_gt(n_held, 0);
}
END_TEST

/* Neither choice recomputes what cannot run again, and both leave a plan that computes the same. */
START_TEST(both_choices_can_be_carried_out)
{
  for (uint32_t seed = 0; seed < 100; seed++) {
    Setting setting;
    test_step_random(&setting.step, seed, 2 + seed % 40);
    setting_create(&setting);
    for (int kind = 0; kind < 4; kind++) {
      EchoChoice choice;
      EchoGraph echoed = {0};
      echo_choice_create(&choice, &setting.candidates);
      echo_choice_chain(&choice, &setting.candidates,
                        kind % 2 == 0 ? ECHO_CUT_NEAR_SINK : ECHO_CUT_NEAR_SOURCE, kind >= 2);
      for (uint32_t v = 0; v < setting.graph.values.size; v++)
        ck_assert(!choice.values[v].is_recomputed ||
                  (setting.candidates.values[v].state == ECHO_VALUE_CANDIDATE &&
                   echo_node_is_recomputable(&setting.graph, setting.graph.values.data[v].def)));
      echo_choice_group(&choice, &setting.candidates);
      echo_choice_apply(&choice, &setting.candidates, &echoed);
      ck_assert_uint_ge(echoed.nodes.size, 1);
      echo_graph_destroy(&echoed);
    }
    setting_destroy(&setting);
  }
}
END_TEST

START_TEST(the_policy_computes_the_same)
{
  for (uint32_t seed = 0; seed < 60; seed++) {
    TestStep step;
    uint64_t expected[TEST_MAX_RESULTS], found[TEST_MAX_RESULTS];
    test_step_random(&step, seed, 2 + seed % 40);
    size_t n = test_step_results(&step, expected);
    ck_assert(test_step_run(
        &step, "dce,echo{policy=chain},schedule,fuse,bufferize,plan-memory,verify-plan"));
    ck_assert_uint_eq(test_step_results(&step, found), n);
    for (size_t i = 0; i < n; i++)
      ck_assert_uint_eq(found[i], expected[i]);
    test_step_destroy(&step);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("chain_links");
  TCase *tcase = tcase_create("all");
  tcase_set_timeout(tcase, 60); /* with a sanitizer, on a busy machine */
  tcase_add_test(tcase, links_are_what_every_way_passes);
  tcase_add_test(tcase, parts_read_what_is_held);
  tcase_add_test(tcase, both_choices_can_be_carried_out);
  tcase_add_test(tcase, the_policy_computes_the_same);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
