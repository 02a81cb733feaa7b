/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collectives that stand one behind the other as one of several operands, in the place of the
 * first. A reduce_scatter has one operand by its row: of several each process is sent its pieces of
 * everybody's (all_to_all), and adds them up from the first member to the last, as
 * --lower-collectives has one do. */
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"

static EchoOp *joined(EchoOp *const *ops, size_t n)
{
  EchoOp *first = ops[0];
  EchoValue *operands[ECHO_COLLECTIVE_MAX_VALUES];
  const EchoType *types[ECHO_COLLECTIVE_MAX_VALUES];
  for (size_t i = 0; i < n; i++) {
    operands[i] = echo_op_operand(ops[i], 0);
    types[i] = echo_op_result_type(ops[i], 0);
  }
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = echo_op_context(first),
                                               .info = first->info,
                                               .loc = first->loc,
                                               .operands = operands,
                                               .n_operands = (uint32_t)n,
                                               .result_types = types,
                                               .n_results = (uint32_t)n,
                                               .properties = first->properties,
                                               .attrs = first->attrs,
                                               .n_regions = first->n_regions});
  echo_op_insert_before(made, first);
  if (first->n_regions != 0)
    echo_region_take_blocks(&made->regions[0], &first->regions[0]);
  return made;
}

/* An all_to_all numbers replicas or partitions; where there is one of the others that is what
 * processes are numbered by. */
bool echo_can_join_scatters(const EchoProcesses *processes)
{
  return processes->n_replicas == 1 || processes->n_partitions == 1;
}

/* Of pieces [members, …] everybody's for this process. */
static EchoOp *exchanged(EchoBuilder *b, const EchoOp *like, const EchoProcesses *processes,
                         EchoValue *const *pieces, size_t n)
{
  const EchoType *types[ECHO_COLLECTIVE_MAX_VALUES];
  EchoAttrArg attrs[5] = {
      {"concat_dimension", echo_attr_i64(b->ctx, 0)},
      {"replica_groups", echo_op_attr_or_null(like, "replica_groups")},
      {"split_count", echo_attr_i64(b->ctx, echo_type_dim(pieces[0]->type, 0))},
      {"split_dimension", echo_attr_i64(b->ctx, 0)},
  };
  for (size_t i = 0; i < n; i++)
    types[i] = pieces[i]->type;
  const EchoAttr *channel = echo_op_attr_or_null(like, "channel_handle");
  const bool by_partition = processes->n_partitions != 1 && channel != NULL;
  if (by_partition)
    attrs[4] = (EchoAttrArg){"channel_handle", channel};
  return echo_build_op(b, "stablehlo.all_to_all", pieces, n, types, n, attrs, by_partition ? 5 : 4);
}

static void join_scatters(EchoOp *const *ops, size_t n, const EchoProcesses *processes)
{
  EchoBuilder b = echo_builder_before(ops[0]);
  EchoValue *pieces[ECHO_COLLECTIVE_MAX_VALUES];
  for (size_t i = 0; i < n; i++) {
    const size_t dim = (size_t)echo_op_attr_i64(ops[i], "scatter_dimension", 0);
    const int64_t members = echo_type_dim(echo_op_operand_type(ops[i], 0), dim) /
                            echo_type_dim(echo_op_result_type(ops[i], 0), dim);
    pieces[i] = echo_split_to_front(&b, echo_op_operand(ops[i], 0), dim, members);
  }
  EchoOp *made = exchanged(&b, ops[0], processes, pieces, n);
  for (size_t i = 0; i < n; i++)
    echo_value_replace_all_uses(echo_op_result(ops[i], 0),
                                echo_fold_members(&b, ops[i], echo_type_dim(pieces[i]->type, 0),
                                                  echo_op_result(made, (uint32_t)i),
                                                  echo_op_result_type(ops[i], 0)));
}

void echo_join_collectives(EchoOp *const *ops, size_t n, const EchoProcesses *processes)
{
  if (echo_hlo_opcode(ops[0]) == ECHO_HLO_REDUCE_SCATTER) {
    join_scatters(ops, n, processes);
  } else {
    EchoOp *made = joined(ops, n);
    for (size_t i = 0; i < n; i++)
      echo_value_replace_all_uses(echo_op_result(ops[i], 0), echo_op_result(made, (uint32_t)i));
  }
  for (size_t i = 0; i < n; i++)
    echo_op_erase(ops[i]);
}
