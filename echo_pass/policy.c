/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a policy sees of a training step, and the way of its proposals to the search. */
#include "echo_pass/policy_t.h"

#include "ir/diagnostics.h"

/* ---- by name ---- */

static const char KIND[] = "echo policy";

bool echo_context_register_policy(EchoContext *ctx, const EchoPolicy *policy, EchoBuffer *error)
{
  if (policy->name == NULL || policy->name[0] == '\0') {
    echo_buffer_append_c(error, "a policy has no name");
    return false;
  }
  if (policy->summary == NULL || policy->propose == NULL) {
    echo_buffer_printf(error, "policy '%s' has no %s", policy->name,
                       policy->summary == NULL ? "summary" : "'propose'");
    return false;
  }
  if (echo_policy_or_null(ctx, echo_str(policy->name)) == NULL &&
      echo_context_register_row(ctx, KIND, policy->name, policy))
    return true;
  echo_buffer_printf(error, "two policies are named '%s'", policy->name);
  return false;
}

const EchoPolicy *echo_policy_or_null(const EchoContext *ctx, EchoStr name)
{
  for (size_t i = 0; ECHO_POLICIES[i] != NULL; ++i)
    if (echo_str_is(name, ECHO_POLICIES[i]->name))
      return ECHO_POLICIES[i];
  return echo_context_row_or_null(ctx, KIND, name);
}

void echo_policy_list_names(const EchoContext *ctx, EchoBuffer *out)
{
  ECHO_VECTOR(const char *) names = {0};
  const EchoPolicy *row;
  for (size_t i = 0; ECHO_POLICIES[i] != NULL; ++i)
    echo_vector_push(&names, ECHO_POLICIES[i]->name);
  for (size_t i = 0; (row = echo_context_row_at_or_null(ctx, KIND, i)) != NULL; ++i)
    echo_vector_push(&names, row->name);
  for (size_t i = 0; i < names.size; ++i)
    echo_buffer_printf(out, "%s%s",
                       i == 0               ? ""
                       : i + 1 < names.size ? ", "
                                            : " or ",
                       names.data[i]);
  echo_vector_destroy(&names);
}

/* ---- what a policy sees ---- */

uint32_t echo_policy_n_candidates(const EchoPolicyRun *run)
{
  return (uint32_t)run->candidates.size;
}

const EchoPolicyCandidate *echo_policy_candidate(const EchoPolicyRun *run, uint32_t index)
{
  ECHO_CHECK(index < run->candidates.size, "candidate %u of %zu", index, run->candidates.size);
  return &run->candidates.data[index];
}

const uint32_t *echo_policy_inputs(const EchoPolicyRun *run, uint32_t index, uint32_t *n_inputs)
{
  ECHO_CHECK(index < run->candidates.size, "candidate %u of %zu", index, run->candidates.size);
  *n_inputs = run->first_input.data[index + 1] - run->first_input.data[index];
  return run->inputs.data + run->first_input.data[index];
}

const EchoGraph *echo_policy_graph(const EchoPolicyRun *run)
{
  return run->searcher->candidates->graph;
}

const uint64_t *echo_policy_live_bytes(const EchoPolicyRun *run)
{
  return run->searcher->candidates->live_bytes;
}

static void find_readers(const EchoCandidates *candidates, EchoPolicyCandidate *candidate)
{
  const EchoGraph *graph = candidates->graph;
  candidate->last_forward = candidate->def;
  candidate->first_backward = ECHO_NONE;
  for (uint32_t u = 0; u < graph->values.data[candidate->value].n_uses; ++u) {
    uint32_t user = echo_graph_uses(graph, candidate->value)[u];
    if (!echo_candidate_is_late(candidates, candidate->value, user))
      candidate->last_forward = user;
    else if (candidate->first_backward == ECHO_NONE)
      candidate->first_backward = user;
  }
}

static void add_candidate(EchoPolicyRun *run, uint32_t value, uint32_t *index_of_value)
{
  const EchoCandidates *candidates = run->searcher->candidates;
  const EchoGraph *graph = candidates->graph;
  uint32_t node = graph->values.data[value].def;
  EchoPolicyCandidate candidate = {.op = graph->nodes.data[node].op,
                                   .bytes = graph->values.data[value].bytes,
                                   .recompute_ns = candidates->nodes[node].ns,
                                   .region = candidates->values[value].component,
                                   .value = value,
                                   .def = node,
                                   .may_rerun = echo_node_is_recomputable(graph, node),
                                   .is_cheap = candidates->nodes[node].is_cheap};
  find_readers(candidates, &candidate);
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t input = index_of_value[echo_graph_operands(graph, node)[i]];
    if (input != ECHO_NONE)
      echo_vector_push(&run->inputs, input);
  }
  index_of_value[value] = (uint32_t)run->candidates.size;
  echo_vector_push(&run->candidates, candidate);
  echo_vector_push(&run->first_input, (uint32_t)run->inputs.size);
}

static void policy_run_create(EchoPolicyRun *run, EchoSearcher *searcher)
{
  const EchoCandidates *candidates = searcher->candidates;
  size_t n_values = candidates->graph->values.size;
  *run = (EchoPolicyRun){.searcher = searcher};
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  uint32_t *index_of_value = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, n_values + 1);
  echo_vector_push(&run->first_input, 0);
  for (uint32_t v = 0; v < n_values; ++v)
    index_of_value[v] = ECHO_NONE;
  for (uint32_t v = 0; v < n_values; ++v)
    if (candidates->values[v].state == ECHO_VALUE_CANDIDATE)
      add_candidate(run, v, index_of_value);
  echo_arena_reset(candidates->scratch, mark);
}

static void policy_run_destroy(EchoPolicyRun *run)
{
  echo_vector_destroy(&run->candidates);
  echo_vector_destroy(&run->inputs);
  echo_vector_destroy(&run->first_input);
}

/* ---- what it says ---- */

bool echo_policy_propose(EchoPolicyRun *run, const bool *is_recomputed, bool cuts_chains)
{
  for (size_t i = 0; i < run->candidates.size; ++i)
    if (is_recomputed[i] && !run->candidates.data[i].may_rerun)
      return echo_op_error(run->candidates.data[i].op,
                           "policy '%s' would compute it again, and it may run once only",
                           run->searcher->policy->name);
  if (!echo_search_has_work(run->searcher, 2))
    return true;
  EchoArenaMark mark = echo_arena_mark(run->searcher->scratch);
  EchoPoint point;
  echo_point_create(run->searcher, &point);
  for (size_t i = 0; i < run->candidates.size; ++i)
    point.choice.values[run->candidates.data[i].value].is_recomputed = is_recomputed[i];
  echo_search_propose_soon(run->searcher, &point, cuts_chains, true);
  echo_arena_reset(run->searcher->scratch, mark);
  return true;
}

bool echo_policy_ask(EchoSearcher *searcher)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPolicyRun run;
  policy_run_create(&run, searcher);
  bool ok = searcher->policy->propose(&run);
  echo_search_take_up(searcher);
  policy_run_destroy(&run);
  echo_arena_reset(searcher->scratch, mark);
  return ok;
}
