/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A policy and an order of someone else's on made-up steps: what a policy is shown is true, what it
 * proposes at random changes no result, and what is estimated in an order is what comes of it. */
#include "echo_pass/policy.h"
#include "planning/schedule/order.h"
#include "tests/unit/plan/step.h"
#include "tests/unit/suite.h"

static uint64_t random_state;

static bool toss(void)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state >> 63 != 0;
}

static void check_readers(const EchoPolicyRun *run, const EchoPolicyCandidate *candidate)
{
  const EchoGraph *graph = echo_policy_graph(run);
  bool reads_early = candidate->last_forward == candidate->def, reads_late = false;
  for (uint32_t node = candidate->def + 1; node < graph->nodes.size; node++)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      if (echo_graph_operands(graph, node)[i] != candidate->value)
        continue;
      ck_assert(node <= candidate->last_forward || node >= candidate->first_backward);
      reads_early |= node == candidate->last_forward;
      reads_late |= node == candidate->first_backward;
    }
  ck_assert(reads_early);
  ck_assert(reads_late || candidate->first_backward == ECHO_NONE);
}

static void check_candidate(const EchoPolicyRun *run, uint32_t index)
{
  const EchoGraph *graph = echo_policy_graph(run);
  const EchoPolicyCandidate *candidate = echo_policy_candidate(run, index);
  ck_assert_ptr_eq(candidate->op, graph->nodes.data[candidate->def].op);
  ck_assert_uint_eq(candidate->bytes, graph->values.data[candidate->value].bytes);
  ck_assert(!candidate->is_cheap || candidate->may_rerun);
  ck_assert(candidate->recompute_ns >= 0);
  check_readers(run, candidate);
  uint32_t n_inputs;
  const uint32_t *inputs = echo_policy_inputs(run, index, &n_inputs);
  ck_assert_uint_le(n_inputs, graph->nodes.data[candidate->def].n_operands);
  for (uint32_t i = 0; i < n_inputs; i++) {
    ck_assert_uint_lt(inputs[i], index);
    ck_assert_uint_lt(echo_policy_candidate(run, inputs[i])->def, candidate->def);
  }
}

static bool propose_at_random(EchoPolicyRun *run)
{
  uint32_t n = echo_policy_n_candidates(run);
  for (uint32_t i = 0; i < n; i++)
    check_candidate(run, i);
  const uint64_t *live_bytes = echo_policy_live_bytes(run);
  uint64_t most = 0;
  for (size_t i = 0; i < echo_policy_graph(run)->nodes.size; i++)
    most = most > live_bytes[i] ? most : live_bytes[i];
  ck_assert(n == 0 || most != 0);
  bool *is_recomputed = echo_alloc_array(n + 1u, sizeof(bool));
  bool ok = true;
  for (int k = 0; k < 6 && ok; k++) {
    for (uint32_t i = 0; i < n; i++)
      is_recomputed[i] = echo_policy_candidate(run, i)->may_rerun && toss();
    ok = echo_policy_propose(run, is_recomputed, toss());
  }
  echo_free(is_recomputed);
  return ok;
}

static const EchoPolicy RANDOM_POLICY = {"random", "a toss for each", propose_at_random, false};

static bool can_run(const EchoGraph *graph, uint32_t node, const bool *is_done, bool is_last)
{
  if (is_done[node] || (graph->nodes.data[node].kind == ECHO_NODE_RETURN && !is_last))
    return false;
  for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; k++) {
    uint32_t def = graph->values.data[echo_graph_operands(graph, node)[k]].def;
    if (def != ECHO_NONE && !is_done[def])
      return false;
  }
  return true;
}

/* Of what can run, by turns the first and the last. */
static void make_zigzag(const EchoGraph *graph, const EchoBlockInterface *interface,
                        uint32_t *order)
{
  (void)interface;
  uint32_t n = (uint32_t)graph->nodes.size;
  bool *is_done = echo_alloc_zero(n + 1u, sizeof(bool));
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      uint32_t node = i % 2 == 0 ? k : n - 1 - k;
      if (!can_run(graph, node, is_done, i + 1 == n))
        continue;
      is_done[node] = true;
      order[i] = node;
      break;
    }
  echo_free(is_done);
}

static const EchoOrder ZIGZAG = {"zigzag", "the first, then the last", make_zigzag};

static void run_step(uint32_t seed, const char *pipeline)
{
  TestStep step;
  uint64_t expected[TEST_MAX_RESULTS], found[TEST_MAX_RESULTS];
  EchoBuffer error = {0};
  random_state = seed;
  test_step_random(&step, seed, 2 + seed % 40);
  ck_assert(echo_context_register_policy(step.ctx, &RANDOM_POLICY, &error));
  ck_assert(echo_context_register_order(step.ctx, &ZIGZAG, &error));
  size_t n = test_step_results(&step, expected);
  ck_assert(test_step_run(&step, pipeline));
  ck_assert_uint_eq(test_step_results(&step, found), n);
  for (size_t i = 0; i < n; i++)
    ck_assert_uint_eq(found[i], expected[i]);
  ck_assert_int_le(test_step_fact(&step, "echo.on_bytes"), test_step_fact(&step, "echo.off_bytes"));
  ck_assert_int_eq(test_step_fact(&step, "plan.bound_bytes"),
                   test_step_fact(&step, "echo.on_bytes"));
  test_step_destroy(&step);
}

START_TEST(random_proposals_compute_the_same)
{
  for (uint32_t seed = 0; seed < 60; seed++)
    run_step(seed, "dce,echo{policy=random budget=min},schedule,fuse,bufferize,plan-memory,"
                   "verify-plan");
}
END_TEST

START_TEST(an_order_is_estimated_as_it_comes)
{
  for (uint32_t seed = 0; seed < 60; seed++)
    run_step(seed, "dce,echo{budget=min order=zigzag},schedule{order=zigzag},fuse,bufferize,"
                   "plan-memory,verify-plan");
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("policy");
  TCase *tcase = tcase_create("all");
  tcase_add_test(tcase, random_proposals_compute_the_same);
  tcase_add_test(tcase, an_order_is_estimated_as_it_comes);
  suite_add_tcase(suite, tcase);
  return echo_test_run(suite);
}
