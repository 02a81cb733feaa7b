/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remarks: op, bytes, cost, kept or recomputed, and why. */
#include "echo_pass/explain_t.h"

#include "base/map.h"
#include "ir/diagnostics.h"

#include <stdlib.h>

/* What came of a candidate in the graph that is carried out, whatever was chosen: a choice that
 * nothing needs leaves no trace there. */
typedef enum Fate {
  FATE_DROPPED,   /* nothing behind its gap needs it any more */
  FATE_KEPT,      /* read behind its gap as it was made */
  FATE_RECOMPUTED /* a clone of it stands behind its gap */
} Fate;

/* Marks the originals that `node` of `echoed` reads behind their gap. `at` is the node that it was;
 * ECHO_NONE for what was added. `original` is by value of `echoed`. */
static void mark_read(const EchoCandidates *candidates, const EchoGraph *echoed, uint32_t node,
                      uint32_t at, const uint32_t *original, Fate *fates)
{
  for (uint32_t i = 0; i < echoed->nodes.data[node].n_operands; ++i) {
    uint32_t value = original[echo_graph_operands(echoed, node)[i]];
    if (value != ECHO_NONE && fates[value] == FATE_DROPPED &&
        echo_candidate_is_late(candidates, value, at))
      fates[value] = FATE_KEPT;
  }
}

/* Fates by value of the candidates' graph. The originals stand in `echoed` in their old order, some
 * of them left out; whatever else stands there was added. */
static Fate *find_fates(const EchoCandidates *candidates, const EchoGraph *echoed)
{
  const EchoGraph *graph = candidates->graph;
  Fate *fates = ECHO_ARENA_ARRAY(candidates->scratch, Fate, graph->values.size + 1);
  for (size_t v = 0; v < graph->values.size; ++v)
    fates[v] = FATE_DROPPED;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  uint32_t *original = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, echoed->values.size + 1);
  EchoMap node_of_op = {0};
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    echo_map_set(&node_of_op, echo_key(graph->nodes.data[node].op), node);
  for (uint32_t i = 0; i < echoed->n_inputs; ++i)
    original[i] = ECHO_NONE;
  for (uint32_t i = 0; i < echoed->nodes.size; ++i) {
    const EchoGraphNode *entry = &echoed->nodes.data[i];
    uint32_t node = ECHO_NONE;
    if (entry->op != NULL)
      node = (uint32_t)echo_map_get_or(&node_of_op, echo_key(entry->op), ECHO_NONE);
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      uint32_t value = node == ECHO_NONE ? ECHO_NONE : graph->nodes.data[node].first_result + r;
      original[entry->first_result + r] = entry->is_new ? ECHO_NONE : value;
      if (entry->is_clone && value != ECHO_NONE &&
          echoed->values.data[entry->first_result + r].n_uses != 0)
        fates[value] = FATE_RECOMPUTED;
    }
    mark_read(candidates, echoed, i, entry->is_new ? ECHO_NONE : node, original, fates);
  }
  echo_map_destroy(&node_of_op);
  echo_arena_reset(candidates->scratch, mark);
  return fates;
}

size_t echo_count_regions(const EchoCandidates *candidates, const EchoPoint *point,
                          const EchoGraph *echoed)
{
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  const Fate *fates = find_fates(candidates, echoed);
  bool *is_counted = ECHO_ARENA_ARRAY(candidates->scratch, bool, point->choice.n_groups + 1u);
  memset(is_counted, 0, point->choice.n_groups);
  size_t n_regions = 0;
  for (uint32_t v = 0; v < candidates->graph->values.size; ++v) {
    uint32_t group = point->choice.values[v].group;
    if (fates[v] != FATE_RECOMPUTED || group == ECHO_NONE || is_counted[group])
      continue;
    is_counted[group] = true;
    ++n_regions;
  }
  echo_arena_reset(candidates->scratch, mark);
  return n_regions;
}

static const char *reason(const EchoCandidates *candidates, const EchoPoint *point, uint32_t value,
                          Fate fate)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t node = graph->values.data[value].def;
  if (fate == FATE_DROPPED)
    return "what needed it is computed from other values";
  if (fate == FATE_RECOMPUTED)
    return point->choice.values[value].is_carried
               ? "carries a chain inside a segment; its checkpoint is kept"
               : "the cut keeps less below it";
  if (point->choice.values[value].is_recomputed)
    return "recomputing it is not worth its time";
  if (!echo_node_is_recomputable(graph, node))
    return "cannot run again";
  if (!candidates->nodes[node].is_cheap)
    return "too dear to run again";
  return "the cut goes through it: fewest bytes";
}

void echo_explain(const EchoCandidates *candidates, const EchoCurve *curve)
{
  static const char *const FATES[] = {"no longer needed", "kept", "recomputed"};
  const EchoGraph *graph = candidates->graph;
  const EchoPoint *point = &curve->points.data[curve->best];
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  EchoGraph echoed = {0}; /* not yet reordered, it says what became of each */
  echo_point_apply(point, candidates, &echoed);
  const Fate *fates = find_fates(candidates, &echoed);
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    bool is_named = candidates->values[v].state == ECHO_VALUE_CANDIDATE
                        ? fates[v] != FATE_DROPPED || candidates->values[v].is_read
                        : fates[v] == FATE_RECOMPUTED;
    if (!is_named)
      continue;
    const EchoOp *op = graph->nodes.data[graph->values.data[v].def].op;
    echo_remark(echo_op_context(op), op->loc, "echo: %s %s, %llu bytes, %.3g us: %s",
                op->info->name, FATES[fates[v]], (unsigned long long)graph->values.data[v].bytes,
                candidates->nodes[graph->values.data[v].def].ns * 1e-3,
                reason(candidates, point, v, fates[v]));
  }
  echo_graph_destroy(&echoed);
  echo_arena_reset(candidates->scratch, mark);
}

void echo_explain_sums(const EchoOp *function, uint64_t off_bytes, uint64_t off_ns,
                       const EchoCurve *curve)
{
  const EchoPoint *point = &curve->points.data[curve->best];
  echo_remark(echo_op_context(function), function->loc,
              "echo: temporaries %llu bytes without recompute, %llu with; predicted time %+.2f %%",
              (unsigned long long)off_bytes, (unsigned long long)point->peak_bytes,
              off_ns > 0 ? ((double)point->ns / (double)off_ns - 1) * 100 : 0.0);
}

/* ---- what stands at the peak ---- */

typedef struct Owner {
  const EchoGraphNode *node; /* the first of its kind */
  const EchoType *type;
  uint64_t bytes;
  uint32_t count;
} Owner;

static int compare_owners(const void *a, const void *b)
{
  const Owner *x = a, *y = b;
  return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : 0;
}

/* Values whose buffers are live at the peak, like ones together: same op, type and phase. */
static Owner *gather_owners(const EchoGraph *graph, const EchoEstimate *estimate,
                            EchoArena *scratch, size_t *n_owners)
{
  Owner *owners = ECHO_ARENA_ARRAY(scratch, Owner, estimate->storage.buffers.size);
  EchoMap index = {0};
  const EchoStorage *storage = &estimate->storage;
  bool *is_counted = ECHO_ARENA_ARRAY(scratch, bool, storage->buffers.size + 1);
  memset(is_counted, 0, storage->buffers.size + 1);
  *n_owners = 0;
  /* In place, one buffer holds several values: the youngest one written by the peak counts. */
  bool *is_written = ECHO_ARENA_ARRAY(scratch, bool, graph->values.size + 1);
  memset(is_written, 0, graph->values.size + 1);
  for (uint32_t g = 0; g <= storage->bound_step && g < estimate->fusion.groups.size; ++g) {
    const EchoFusionGroup *group = &estimate->fusion.groups.data[g];
    for (uint32_t i = 0; i < group->n_outputs; ++i)
      is_written[estimate->fusion.outputs.data[group->first_output + i]] = true;
  }
  for (uint32_t v = (uint32_t)graph->values.size; v-- > graph->n_inputs;) {
    uint32_t buffer = storage->buffer_of_value[v];
    const EchoGraphNode *node = &graph->nodes.data[graph->values.data[v].def];
    if (buffer == ECHO_NONE || is_counted[buffer] || !is_written[v] || node->op == NULL)
      continue;
    const EchoBufferRange *range = &storage->buffers.data[buffer];
    if (range->kind != ECHO_BUFFER_ARENA || range->first_step > storage->bound_step ||
        range->last_step < storage->bound_step)
      continue;
    is_counted[buffer] = true;
    const EchoType *type = echo_graph_type(graph, v);
    uint64_t key = echo_hash_combine(echo_hash_combine(echo_key(node->op->info), echo_key(type)),
                                     (uint64_t)node->phase * 2 + node->is_clone);
    uint64_t slot = echo_map_get_or(&index, key, *n_owners);
    if (slot == *n_owners) {
      echo_map_set(&index, key, slot);
      owners[(*n_owners)++] = (Owner){node, type, 0, 0};
    }
    owners[slot].bytes += range->bytes;
    ++owners[slot].count;
  }
  echo_map_destroy(&index);
  return owners;
}

/* What a loop or branch at the peak holds inside. */
static const EchoOp *explain_regions_or_null(const EchoGraph *graph, const EchoEstimate *estimate)
{
  const EchoFusionGroup *group = &estimate->fusion.groups.data[estimate->storage.bound_step];
  const EchoGraphNode *node = &graph->nodes.data[group->root];
  uint64_t bytes = echo_storage_inner_bytes(&estimate->storage, graph, &estimate->fusion,
                                            estimate->storage.bound_step);
  if (bytes == 0)
    return NULL;
  echo_remark(echo_op_context(node->op), node->op->loc, "at the peak: %llu bytes inside %s",
              (unsigned long long)bytes, node->op->info->name);
  return node->op;
}

const EchoOp *echo_explain_peak_or_null(const EchoGraph *graph, const EchoEstimate *estimate,
                                        size_t max_remarks, EchoArena *scratch)
{
  static const char *const PHASES[] = {"forward", "backward", "update", "unmarked"};
  EchoArenaMark mark = echo_arena_mark(scratch);
  size_t n_owners;
  Owner *owners = gather_owners(graph, estimate, scratch, &n_owners);
  if (n_owners != 0)
    qsort(owners, n_owners, sizeof(Owner), compare_owners);
  const EchoOp *inside = explain_regions_or_null(graph, estimate);
  for (size_t i = 0; i < n_owners && i < max_remarks; ++i) {
    const EchoOp *op = owners[i].node->op;
    EchoContext *ctx = echo_op_context(op);
    echo_remark(ctx, op->loc, "at the peak: %llu bytes in %u of %s %s, %s%s",
                (unsigned long long)owners[i].bytes, owners[i].count, op->info->name,
                echo_type_text(ctx, owners[i].type), PHASES[owners[i].node->phase],
                owners[i].node->is_clone ? ", recomputed" : "");
  }
  echo_arena_reset(scratch, mark);
  return inside;
}
