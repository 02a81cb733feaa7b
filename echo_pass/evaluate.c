/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points, and what each comes to. A look at a point is a look at the whole graph with it carried
 * out: ordered, fused, placed. */
#include "dialects/plan/plan.h"
#include "echo_pass/search_state_t.h"
#include "planning/offsets/offsets.h"

/* ---- points ---- */

void echo_point_create(const EchoSearcher *searcher, EchoPoint *point)
{
  *point = (EchoPoint){0};
  echo_choice_create(&point->choice, searcher->candidates);
  for (uint32_t m = 0; m < searcher->candidates->n_menus && searcher->regions_at_least; ++m)
    point->choice.levels[m] = searcher->candidates->menus[m].n_levels - 1;
}

/* A choice's hash is that of the values it recomputes, in turn, and of its levels. */
static uint64_t hash_choice(const EchoChoice *choice, const EchoCandidates *candidates)
{
  uint64_t hash = 0;
  for (size_t v = 0; v < candidates->graph->values.size; ++v)
    if (choice->values[v].is_recomputed)
      hash = echo_choice_hash_value(choice, hash, (uint32_t)v);
  for (uint32_t m = 0; m < candidates->n_menus; ++m)
    hash = echo_hash_combine(hash, choice->levels[m]);
  return hash;
}

/* Of what it comes to: groups that are given back are kept. */
static uint64_t hash_remade(const EchoChoice *choice, const EchoCandidates *candidates)
{
  uint64_t hash = 0;
  for (uint32_t v = 0; v < candidates->graph->values.size; ++v)
    if (echo_choice_remakes(choice, v))
      hash = echo_choice_hash_value(choice, hash, v);
  for (uint32_t m = 0; m < candidates->n_menus; ++m)
    hash = echo_hash_combine(hash, choice->levels[m]);
  return hash;
}

bool echo_point_is_known(const EchoSearcher *searcher, const EchoPoint *point)
{
  return echo_map_has(&searcher->known, hash_choice(&point->choice, searcher->candidates));
}

bool echo_point_finish(EchoSearcher *searcher, EchoPoint *point)
{
  uint64_t hash = hash_choice(&point->choice, searcher->candidates);
  if (!echo_map_insert(&searcher->known, hash, 1))
    return false;
  echo_choice_group(&point->choice, searcher->candidates);
  return true;
}

void echo_point_copy(const EchoSearcher *searcher, const EchoPoint *from, EchoPoint *to,
                     EchoArena *arena)
{
  size_t n_values = searcher->candidates->graph->values.size + 1;
  const EchoChoice *choice = &from->choice;
  *to = *from;
  to->choice.values = echo_arena_copy(arena, choice->values, n_values * sizeof *choice->values);
  if (choice->groups != NULL)
    to->choice.groups =
        echo_arena_copy(arena, choice->groups, choice->n_groups * sizeof *choice->groups);
  to->choice.levels = echo_arena_copy(
      arena, choice->levels, (searcher->candidates->n_menus + 1u) * sizeof *choice->levels);
}

bool echo_point_is_lower(const EchoPoint *a, const EchoPoint *b)
{
  return a->peak_bytes != b->peak_bytes ? a->peak_bytes < b->peak_bytes : a->ns < b->ns;
}

bool echo_point_is_cheaper(const EchoPoint *a, const EchoPoint *b)
{
  return a->ns != b->ns ? a->ns < b->ns : a->peak_bytes < b->peak_bytes;
}

void echo_curve_add_orders(EchoSearcher *searcher, size_t index)
{
  EchoCurve *curve = searcher->curve;
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES; ++policy) {
    EchoPoint *point = &curve->points.data[index];
    EchoPoint copy = *point; /* its choice is shared */
    bool is_known = ((point->orders & ~point->copies) >> policy & 1) == 0;
    if (is_known || policy == point->order || point->ns_in[policy] >= point->ns ||
        point->bytes_in[policy] >= curve->points.data[0].peak_bytes)
      continue;
    point->copies |= 1u << policy;
    copy.order = (EchoOrderPolicy)policy;
    copy.orders = copy.copies = ECHO_ALL_ORDERS; /* no other is better in both */
    copy.peak_bytes = point->bytes_in[policy];
    copy.ns = point->ns_in[policy];
    echo_vector_push(&curve->points, copy);
  }
}

void echo_curve_add(EchoSearcher *searcher, const EchoPoint *point)
{
  EchoCurve *curve = searcher->curve;
  if (!echo_point_is_lower(point, &curve->points.data[0]))
    return;
  EchoPoint added;
  echo_point_copy(searcher, point, &added, &curve->memory);
  echo_vector_push(&curve->points, added);
  echo_curve_add_orders(searcher, curve->points.size - 1);
}

/* ---- evaluating ---- */

/* What the regions of control nodes come to, in a graph that has them in another order. */
static void set_levels(const EchoChoice *choice, const EchoCandidates *candidates, EchoGraph *graph)
{
  EchoMap level_of_op = {0};
  for (uint32_t m = 0; m < candidates->n_menus; ++m) {
    const EchoRegionMenu *menu = &candidates->menus[m];
    echo_map_set_ptr(&level_of_op, candidates->graph->nodes.data[menu->node].op,
                     &menu->levels[choice->levels[m]]);
  }
  for (size_t i = 0; i < graph->nodes.size && candidates->n_menus != 0; ++i) {
    EchoGraphNode *node = &graph->nodes.data[i];
    const EchoRegionLevel *level = echo_map_get_ptr(&level_of_op, node->op);
    if (level == NULL)
      continue;
    node->inner_bytes = level->bytes;
    node->inner_ns = level->ns;
    node->takes = level->takes;
  }
  echo_map_destroy(&level_of_op);
}

void echo_point_apply(const EchoPoint *point, const EchoCandidates *candidates, EchoGraph *echoed)
{
  if (point->as_written == NULL) {
    echo_choice_apply(&point->choice, candidates, echoed);
    return;
  }
  echo_graph_copy(point->as_written, echoed);
  set_levels(&point->choice, candidates, echoed);
}

/* That order, or, where the options name one, that, or the point's own, on `scratch`. NULL where a
 * policy before it makes that order, too. */
static uint32_t *make_order_or_null(EchoOrders *orders, const EchoOrder *named,
                                    const EchoPoint *point, EchoOrderPolicy policy,
                                    EchoArena *scratch)
{
  uint32_t *order = ECHO_ARENA_ARRAY(scratch, uint32_t, orders->graph->nodes.size + 1);
  if (named != NULL)
    echo_order_run(named, orders->graph, orders->interface, order);
  else if (point->own_order != NULL)
    memcpy(order, point->own_order, orders->graph->nodes.size * sizeof *order);
  else if (!echo_orders_make(orders, policy, order))
    return NULL;
  return order;
}

void echo_point_apply_in_order(const EchoPoint *point, const EchoCandidates *candidates,
                               const EchoBlockInterface *interface, const EchoFusionOptions *fusion,
                               EchoGraph *ordered)
{
  EchoGraph echoed = {0};
  EchoOrders orders = {0};
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  echo_point_apply(point, candidates, &echoed);
  echo_orders_create(&orders, &echoed, interface);
  const uint32_t *order =
      make_order_or_null(&orders, fusion->order, point, point->order, candidates->scratch);
  ECHO_CHECK(order != NULL, "a point stands in an order of its own");
  echo_graph_permute(&echoed, order, ordered);
  echo_arena_reset(candidates->scratch, mark);
  echo_orders_destroy(&orders);
  echo_graph_destroy(&echoed);
}

/* What the graph comes to in this order; the one given needs no other graph. */
static void measure_order(EchoSearcher *searcher, const EchoGraph *echoed, const uint32_t *order,
                          bool is_given, uint64_t *peak_bytes, uint64_t *ns)
{
  const EchoSearchOptions *options = searcher->options;
  EchoEstimate *estimate = &searcher->estimate;
  const EchoGraph *ordered = is_given ? echoed : &searcher->ordered;
  if (!is_given)
    echo_graph_permute(echoed, order, &searcher->ordered);
  echo_estimate_create(estimate, ordered, searcher->interface, &options->fusion);
  *peak_bytes = estimate->storage.bound_bytes;
  *ns = echo_fusion_ns(ordered, &estimate->fusion, &options->device);
}

static uint64_t hash_order(const uint32_t *order, size_t n)
{
  uint64_t hash = n;
  for (size_t i = 0; i < n; ++i)
    hash = echo_hash_combine(hash, order[i]);
  return hash | 1;
}

/* The policy that made this order of the same graph before, or `policy` itself. */
static EchoOrderPolicy find_equal(const EchoPoint *point, EchoOrderPolicy policy)
{
  for (unsigned other = 0; other < ECHO_N_ORDER_POLICIES; ++other)
    if (other != policy && (point->orders >> other & 1) != 0 &&
        point->bytes_in[other] != UINT64_MAX && point->hash_in[other] == point->hash_in[policy])
      return (EchoOrderPolicy)other;
  return policy;
}

/* What another policy made already is not measured again. */
static void measure_policy(EchoSearcher *searcher, EchoOrders *orders, EchoOrderPolicy policy,
                           EchoPoint *point)
{
  uint64_t *peak_bytes = &point->bytes_in[policy], *ns = &point->ns_in[policy];
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  const EchoOrder *named = searcher->options->fusion.order;
  const uint32_t *order = make_order_or_null(orders, named, point, policy, searcher->scratch);
  bool is_given = policy == ECHO_ORDER_GIVEN && named == NULL && point->own_order == NULL;
  *peak_bytes = *ns = UINT64_MAX;
  if (order != NULL) {
    point->hash_in[policy] = hash_order(order, orders->graph->nodes.size);
    EchoOrderPolicy equal = find_equal(point, policy);
    if (equal == policy)
      measure_order(searcher, orders->graph, order, is_given, peak_bytes, ns);
    *peak_bytes = point->bytes_in[equal];
    *ns = point->ns_in[equal];
  }
  echo_arena_reset(searcher->scratch, mark);
}

/* Keeps the lower of what the point has, if anything, and what this order gives. What is known
 * already is work like the rest: how far a search goes does not hang on it. */
static void evaluate_order(EchoSearcher *searcher, EchoOrders *orders, EchoOrderPolicy policy,
                           EchoTry *try, EchoPoint *point)
{
  if ((try->orders >> policy & 1) == 0) {
    measure_policy(searcher, orders, policy, point);
    try->orders |= 1u << policy;
    try->bytes_in[policy] = point->bytes_in[policy];
    try->ns_in[policy] = point->ns_in[policy];
    try->hash_in[policy] = point->hash_in[policy];
  }
  uint64_t peak_bytes = point->bytes_in[policy] = try->bytes_in[policy];
  point->ns_in[policy] = try->ns_in[policy];
  point->hash_in[policy] = try->hash_in[policy];
  if (peak_bytes != UINT64_MAX) { /* else a policy before it makes that order, too */
    searcher->work += try->n_nodes;
    if (point->orders == 0 || peak_bytes < point->peak_bytes ||
        (peak_bytes == point->peak_bytes && policy < point->order)) {
      point->peak_bytes = peak_bytes;
      point->ns = point->ns_in[policy];
      point->order = policy;
    }
  }
  point->orders |= 1u << policy;
}

static uint64_t hash_graph(const EchoSearcher *searcher, const EchoPoint *point,
                           const EchoGraph *echoed)
{
  uint64_t hash = echo_graph_hash(echoed);
  for (uint32_t m = 0; m < searcher->candidates->n_menus; ++m)
    hash = echo_hash_combine(hash, point->choice.levels[m]);
  return hash;
}

/* Choices that differ may make one graph, and one choice is looked at in ever more orders. */
static EchoTry *find_try(EchoSearcher *searcher, uint64_t choice_hash, uint64_t graph_hash,
                         size_t n_nodes)
{
  uint64_t index = searcher->known_graphs.tries.size;
  echo_map_set(&searcher->known_graphs.graph_of_choice, choice_hash, graph_hash);
  if (echo_map_insert(&searcher->known_graphs.try_of_graph, graph_hash, index))
    echo_vector_push(&searcher->known_graphs.tries, (EchoTry){.n_nodes = (uint32_t)n_nodes});
  return &searcher->known_graphs.tries
              .data[echo_map_get_or(&searcher->known_graphs.try_of_graph, graph_hash, index)];
}

/* What is known of the graph with that hash; NULL: nothing. */
static EchoTry *known_try_or_null(const EchoSearcher *searcher, uint64_t graph_hash)
{
  uint64_t index;
  return echo_map_get(&searcher->known_graphs.try_of_graph, graph_hash, &index)
             ? &searcher->known_graphs.tries.data[index]
             : NULL;
}

/* What is known of the graph that the choice makes; NULL where that was not made yet. */
static EchoTry *try_of_choice_or_null(const EchoSearcher *searcher, uint64_t choice_hash)
{
  uint64_t graph_hash;
  return echo_map_get(&searcher->known_graphs.graph_of_choice, choice_hash, &graph_hash)
             ? known_try_or_null(searcher, graph_hash)
             : NULL;
}

void echo_point_note_given(EchoSearcher *searcher, const EchoPoint *point, const EchoGraph *echoed,
                           const EchoEstimate *estimate)
{
  if (searcher->options->fusion.order != NULL || point->as_written != NULL)
    return;
  uint32_t n = (uint32_t)echoed->nodes.size;
  EchoTry *try = find_try(searcher, hash_remade(&point->choice, searcher->candidates),
                          hash_graph(searcher, point, echoed), n);
  if ((try->orders >> ECHO_ORDER_GIVEN & 1) != 0)
    return;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  uint32_t *order = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, n + 1u);
  for (uint32_t i = 0; i < n; ++i)
    order[i] = i;
  try->orders |= 1u << ECHO_ORDER_GIVEN;
  try->bytes_in[ECHO_ORDER_GIVEN] = estimate->storage.bound_bytes;
  try->ns_in[ECHO_ORDER_GIVEN] =
      echo_fusion_ns(echoed, &estimate->fusion, &searcher->options->device);
  try->hash_in[ECHO_ORDER_GIVEN] = hash_order(order, n);
  echo_arena_reset(searcher->scratch, mark);
}

static void evaluate_orders(EchoSearcher *searcher, EchoOrders *orders, unsigned wanted,
                            EchoTry *try, EchoPoint *point)
{
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES; ++policy)
    if ((wanted >> policy & 1) != 0 && (point->orders >> policy & 1) == 0)
      evaluate_order(searcher, orders, (EchoOrderPolicy)policy, try, point);
}

void echo_point_look(EchoSearcher *helper, const EchoSearcher *searcher, EchoLook *look)
{
  EchoPoint point = *look->point; /* the search asks for it in its turn */
  const EchoCandidates *candidates = helper->candidates;
  look->choice_hash = hash_remade(&point.choice, candidates);
  const EchoTry *known = try_of_choice_or_null(searcher, look->choice_hash);
  if (known != NULL && (look->orders & ~known->orders) == 0) {
    look->orders = 0;
    return;
  }
  echo_point_apply(&point, candidates, &helper->echoed);
  look->graph_hash = hash_graph(helper, &point, &helper->echoed);
  known = known_try_or_null(searcher, look->graph_hash);
  look->found = known != NULL ? *known : (EchoTry){.n_nodes = (uint32_t)helper->echoed.nodes.size};
  echo_orders_create(&helper->tried_orders, &helper->echoed, helper->interface);
  evaluate_orders(helper, &helper->tried_orders, look->orders, &look->found, &point);
}

void echo_search_take_look(EchoSearcher *searcher, const EchoLook *look)
{
  if (look->orders == 0) /* it was known */
    return;
  EchoTry *try = find_try(searcher, look->choice_hash, look->graph_hash, look->found.n_nodes);
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES; ++policy) {
    if ((look->found.orders & ~try->orders & 1u << policy) == 0)
      continue;
    try->orders |= 1u << policy;
    try->bytes_in[policy] = look->found.bytes_in[policy];
    try->ns_in[policy] = look->found.ns_in[policy];
    try->hash_in[policy] = look->found.hash_in[policy];
  }
}

/* Of a graph that is not known yet in all those orders. */
static void evaluate_anew(EchoSearcher *searcher, EchoPoint *point, unsigned wanted)
{
  EchoOrders *orders = &searcher->tried_orders;
  bool is_named = searcher->options->fusion.order != NULL; /* there is one, and it stands for all */
  echo_point_apply(point, searcher->candidates, &searcher->echoed);
  echo_orders_create(orders, &searcher->echoed, searcher->interface);
  size_t n_nodes = searcher->echoed.nodes.size;
  EchoTry written = {.n_nodes = (uint32_t)n_nodes}; /* as written it has numbers of its own */
  EchoTry *try = point->as_written != NULL
                     ? &written
                     : find_try(searcher, hash_remade(&point->choice, searcher->candidates),
                                hash_graph(searcher, point, &searcher->echoed), n_nodes);
  if (is_named)
    evaluate_order(searcher, orders, ECHO_ORDER_GIVEN, try, point);
  else
    evaluate_orders(searcher, orders, wanted, try, point);
  if (is_named)
    point->orders = point->copies = ECHO_ALL_ORDERS;
}

void echo_point_evaluate(EchoSearcher *searcher, EchoPoint *point, unsigned wanted)
{
  wanted &= ~point->orders;
  if (wanted == 0)
    return;
  EchoTry *known = NULL;
  if (point->as_written == NULL && searcher->options->fusion.order == NULL)
    known = try_of_choice_or_null(searcher, hash_remade(&point->choice, searcher->candidates));
  if (known != NULL && (wanted & ~known->orders) == 0)
    evaluate_orders(searcher, NULL, wanted, known, point);
  else
    evaluate_anew(searcher, point, wanted);
}

/* ---- packing ---- */

/* Half steps: a loop is entered in the first half of its step and runs in the second. */
static EchoOffsetBlock make_block(int64_t first, int64_t last, uint64_t bytes)
{
  return (EchoOffsetBlock){.lower = first,
                           .upper = last + 1,
                           .size_bytes = echo_align_up(bytes, ECHO_PLAN_ALIGNMENT),
                           .alignment = ECHO_PLAN_ALIGNMENT,
                           .fixed_offset = ECHO_OFFSET_FREE};
}

/* Buffers, and what the regions of control flow hold, each as if it were one. */
static void gather_blocks(const EchoGraph *graph, const EchoEstimate *estimate,
                          EchoOffsetBlock *blocks, size_t *n_blocks)
{
  *n_blocks = 0;
  for (size_t i = 0; i < estimate->storage.buffers.size; ++i) {
    const EchoBufferRange *range = &estimate->storage.buffers.data[i];
    if (range->kind == ECHO_BUFFER_ARENA)
      blocks[(*n_blocks)++] =
          make_block(2 * (int64_t)range->first_step,
                     2 * (int64_t)range->last_step + !range->is_only_entered, range->bytes);
  }
  for (uint32_t g = 0; g < estimate->fusion.groups.size; ++g) {
    uint64_t bytes = echo_storage_inner_bytes(&estimate->storage, graph, &estimate->fusion, g);
    if (bytes != 0)
      blocks[(*n_blocks)++] = make_block(2 * (int64_t)g + 1, 2 * (int64_t)g + 1, bytes);
  }
}

void echo_point_estimate_create(const EchoSearcher *searcher, const EchoPoint *point,
                                EchoGraph *ordered, EchoEstimate *estimate)
{
  echo_point_apply_in_order(point, searcher->candidates, searcher->interface,
                            &searcher->options->fusion, ordered);
  echo_estimate_create(estimate, ordered, searcher->interface, &searcher->options->fusion);
}

uint64_t echo_point_arena_bytes(const EchoSearcher *searcher, const EchoPoint *point)
{
  EchoGraph ordered = {0};
  EchoEstimate estimate = {0};
  echo_point_estimate_create(searcher, point, &ordered, &estimate);
  size_t max_blocks = estimate.storage.buffers.size + estimate.fusion.groups.size, n_blocks;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoOffsetBlock *blocks = ECHO_ARENA_ARRAY(searcher->scratch, EchoOffsetBlock, max_blocks + 1);
  uint64_t *offsets = ECHO_ARENA_ARRAY(searcher->scratch, uint64_t, max_blocks + 1);
  gather_blocks(&ordered, &estimate, blocks, &n_blocks);
  EchoOffsetOptions options = ECHO_OFFSETS_OF_COMPILER;
  EchoOffsetResult result = {0};
  EchoBuffer error = {0};
  ECHO_CHECK(echo_offsets_assign_canonical(blocks, n_blocks, &options, offsets, &result, &error),
             "no plan: %s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  echo_arena_reset(searcher->scratch, mark);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&ordered);
  return result.height_bytes > point->peak_bytes ? result.height_bytes : point->peak_bytes;
}
