/* Remarks: op, bytes, cost, kept or recomputed, and why. */
#include "echo_pass/explain.h"

#include "ir/diagnostics.h"

static const char *reason(const EchoCandidates *candidates, const EchoPoint *point, uint32_t value)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t node = graph->values.data[value].def;
  if (point->choice.is_recomputed[value]) {
    if (!point->is_active[point->choice.group[value]])
      return "the peak stands without recomputing it";
    return point->choice.is_step[value] ? "carries a chain inside a segment; its checkpoint is kept"
                                        : "the cut keeps less below it";
  }
  if (!echo_node_is_recomputable(graph, node))
    return "cannot run again";
  if (!echo_node_is_cheap(candidates, node))
    return "too dear to run again";
  return "the cut goes through it: fewest bytes";
}

void echo_explain(const EchoOp *function, const EchoCandidates *candidates, const EchoCurve *curve)
{
  const EchoGraph *graph = candidates->graph;
  const EchoPoint *point = &curve->points.data[curve->best];
  EchoContext *ctx = echo_op_context(function);
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (candidates->state[v] != ECHO_VALUE_CANDIDATE ||
        (!candidates->is_read[v] && !point->choice.is_recomputed[v]))
      continue;
    const EchoOp *op = graph->nodes.data[graph->values.data[v].def].op;
    bool is_remade = point->choice.is_recomputed[v] && point->is_active[point->choice.group[v]];
    echo_remark(ctx, op->loc, "echo: %s %s, %llu bytes, %.3g us: %s", op->info->name,
                is_remade ? "recomputed" : "kept", (unsigned long long)graph->values.data[v].bytes,
                candidates->seconds[graph->values.data[v].def] * 1e6, reason(candidates, point, v));
  }
  const EchoPoint *off = &curve->points.data[0];
  echo_remark(ctx, function->loc,
              "echo: temporaries %llu bytes without recompute, %llu with; predicted time %+.2f %%",
              (unsigned long long)off->peak_bytes, (unsigned long long)point->peak_bytes,
              off->seconds > 0 ? (point->seconds / off->seconds - 1) * 100 : 0);
}
