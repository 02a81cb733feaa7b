/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Remarks: op, bytes, cost, kept or recomputed, and why. */
#include "echo_pass/explain_t.h"

#include "base/map.h"
#include "ir/diagnostics.h"

#include <stdlib.h>

static const char *reason(const EchoCandidates *candidates, const EchoPoint *point, uint32_t value)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t node = graph->values.data[value].def;
  if (point->choice.is_recomputed[value]) {
    if (!point->is_active[point->choice.group[value]])
      return "recomputing it is not worth its time";
    return point->choice.is_step[value] ? "carries a chain inside a segment; its checkpoint is kept"
                                        : "the cut keeps less below it";
  }
  if (!echo_node_is_recomputable(graph, node))
    return "cannot run again";
  if (!echo_node_is_cheap(candidates, node))
    return "too dear to run again";
  return "the cut goes through it: fewest bytes";
}

/* Values that recomputed ones are made of. */
static bool *find_starts(const EchoCandidates *candidates, const EchoPoint *point)
{
  const EchoGraph *graph = candidates->graph;
  bool *is_start = echo_alloc_zero(graph->values.size + 1, sizeof(bool));
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (!point->choice.is_recomputed[v] || !point->is_active[point->choice.group[v]])
      continue;
    uint32_t node = graph->values.data[v].def;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      is_start[echo_graph_operands(graph, node)[i]] = true;
  }
  return is_start;
}

void echo_explain(const EchoOp *function, const EchoCandidates *candidates, const EchoCurve *curve)
{
  const EchoGraph *graph = candidates->graph;
  const EchoPoint *point = &curve->points.data[curve->best];
  EchoContext *ctx = echo_op_context(function);
  bool *is_start = find_starts(candidates, point);
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    bool is_recomputed = point->choice.is_recomputed[v];
    if (candidates->state[v] != ECHO_VALUE_CANDIDATE ||
        (!candidates->is_read[v] && !is_recomputed && !is_start[v]))
      continue;
    const EchoOp *op = graph->nodes.data[graph->values.data[v].def].op;
    bool is_remade = is_recomputed && point->is_active[point->choice.group[v]];
    echo_remark(ctx, op->loc, "echo: %s %s, %llu bytes, %.3g us: %s", op->info->name,
                is_remade ? "recomputed" : "kept", (unsigned long long)graph->values.data[v].bytes,
                candidates->ns[graph->values.data[v].def] * 1e-3, reason(candidates, point, v));
  }
  echo_free(is_start);
  const EchoPoint *off = &curve->points.data[0];
  echo_remark(ctx, function->loc,
              "echo: temporaries %llu bytes without recompute, %llu with; predicted time %+.2f %%",
              (unsigned long long)off->peak_bytes, (unsigned long long)point->peak_bytes,
              off->ns > 0 ? ((double)point->ns / (double)off->ns - 1) * 100 : 0.0);
}

/* ---- what stands at the peak ---- */

typedef struct Owner {
  const EchoGraphNode *node; /* the first of its kind */
  const EchoType *type;
  uint64_t bytes;
  uint32_t count;
} Owner;

#define MAX_OWNERS 12

static int compare_owners(const void *a, const void *b)
{
  const Owner *x = a, *y = b;
  return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : 0;
}

/* Values whose buffers are live at the peak, like ones together: same op, type and phase. */
static void gather_owners(const EchoGraph *graph, const EchoEstimate *estimate, Owner **owners,
                          size_t *n_owners)
{
  ECHO_VECTOR(Owner) list = {0};
  EchoMap index = {0};
  const EchoStorage *storage = &estimate->storage;
  bool *is_counted = echo_alloc_zero(storage->buffers.size + 1, sizeof(bool));
  /* In place, one buffer holds several values: the youngest one written by the peak counts. */
  bool *is_written = echo_alloc_zero(graph->values.size + 1, sizeof(bool));
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
    uint64_t slot = echo_map_get_or(&index, key, list.size);
    if (slot == list.size) {
      echo_map_set(&index, key, slot);
      echo_vector_push(&list, (Owner){node, type, 0, 0});
    }
    list.data[slot].bytes += range->bytes;
    ++list.data[slot].count;
  }
  echo_map_destroy(&index);
  echo_free(is_counted);
  echo_free(is_written);
  *owners = list.data;
  *n_owners = list.size;
}

void echo_explain_peak(const EchoOp *function, const EchoGraph *graph, const EchoEstimate *estimate)
{
  static const char *const PHASES[] = {"forward", "backward", "update", "unmarked"};
  EchoContext *ctx = echo_op_context(function);
  Owner *owners;
  size_t n_owners;
  gather_owners(graph, estimate, &owners, &n_owners);
  if (n_owners != 0)
    qsort(owners, n_owners, sizeof(Owner), compare_owners);
  for (size_t i = 0; i < n_owners && i < MAX_OWNERS; ++i)
    echo_remark(ctx, owners[i].node->op->loc, "at the peak: %llu bytes in %u of %s %s, %s%s",
                (unsigned long long)owners[i].bytes, owners[i].count,
                owners[i].node->op->info->name, echo_type_text(ctx, owners[i].type),
                PHASES[owners[i].node->phase], owners[i].node->is_clone ? ", recomputed" : "");
  echo_free(owners);
}
