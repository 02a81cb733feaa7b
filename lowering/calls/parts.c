/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parts of what every process has whole, and the whole of parts that they have, as ops. Processes
 * that stand elsewhere along axes of which the parts say nothing have values of their own: a whole
 * is gathered among those that differ along the axes that cut it, and no others. */
#include "base/vector.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"

typedef ECHO_VECTOR(int64_t) Ranks;

/* For each place along the other axes the processes that have part 0, 1, … */
static void add_groups(Ranks *ranks, const EchoProcesses *p, const EchoCut *cut)
{
  for (int64_t first = 0; first < p->n_replicas * p->n_partitions; first++)
    for (int64_t part = 0; part < cut->n_parts && echo_cut_part(cut, first) == 0; part++)
      echo_vector_push(ranks, first + echo_cut_process(cut, part));
}

/* [n, d0, …] with n = a * parts as [a, .., parts * d, ..]: the parts lie along dimension `dim`. */
static EchoValue *spread(EchoBuilder *b, EchoValue *value, int64_t parts, size_t dim)
{
  int64_t split[ECHO_MAX_RANK + 2], order[ECHO_MAX_RANK + 2], joined[ECHO_MAX_RANK + 2];
  size_t rank = echo_type_rank(value->type);
  split[0] = echo_type_dim(value->type, 0) / parts;
  split[1] = parts;
  for (size_t i = 1; i < rank; i++)
    split[i + 1] = echo_type_dim(value->type, i);
  for (size_t i = 0, next = 0; i < rank + 1; i++) {
    next += next == 1;
    order[i] = i == dim + 1 ? 1 : (int64_t)next++;
  }
  for (size_t i = 0; i < rank; i++)
    joined[i] = i == 0 ? split[0] : echo_type_dim(value->type, i) * (i == dim + 1 ? parts : 1);
  EchoValue *moved = echo_hlo_transpose(b, echo_hlo_reshape(b, value, split, rank + 1), order);
  return echo_hlo_reshape(b, moved, joined, rank);
}

static EchoValue *gathered(EchoBuilder *b, const EchoProcesses *p, const EchoAttr *parts,
                           EchoValue *own, const EchoType *whole)
{
  const EchoCut all = echo_parts_cut(parts);
  int64_t counts[ECHO_MAX_RANK], dims[ECHO_MAX_RANK];
  Ranks ranks = {0};
  if (all.n_parts == 1)
    return own;
  size_t rank = echo_type_rank(whole), at = 0;
  add_groups(&ranks, p, &all);
  EchoValue *value = echo_gather_groups(b, ranks.data, ranks.size, all.n_parts, own);
  echo_vector_destroy(&ranks);
  for (size_t d = 0; d < rank; d++) {
    counts[d] = echo_parts_next_cut(parts, &at).n_parts;
    dims[d] = echo_type_dim(whole, d);
  }
  for (size_t d = rank; d-- > 0;) /* the last dimension's parts follow each other fastest */
    if (counts[d] != 1)
      value = spread(b, value, counts[d], d);
  return echo_hlo_reshape(b, value, dims, rank);
}

void echo_group_attrs(EchoContext *ctx, const int64_t *ranks, size_t n, int64_t size,
                      EchoAttrArg attrs[3])
{
  const int64_t dims[] = {(int64_t)n / size, size};
  const EchoType *type = echo_hlo_tensor(ctx, dims, 2, echo_type_i64(ctx));
  const EchoChannelHandle channel = {.handle = 1, .type = 1};
  attrs[0] = (EchoAttrArg){"replica_groups",
                           echo_attr_elements(ctx, type, ranks, n * sizeof *ranks, false)};
  attrs[1] = (EchoAttrArg){"channel_handle", echo_stablehlo_channel_handle_attr(ctx, channel)};
  attrs[2] = (EchoAttrArg){"use_global_device_ids", echo_attr_unit(ctx)};
}

EchoValue *echo_reduce_groups(EchoBuilder *b, EchoHloOpcode combiner, const int64_t *ranks,
                              size_t n, int64_t size, EchoValue *value)
{
  EchoAttrArg attrs[3];
  echo_group_attrs(b->ctx, ranks, n, size, attrs);
  EchoOp *op = echo_build_op_with_regions(b, "stablehlo.all_reduce", &value, 1, &value->type, 1,
                                          attrs, 3, 1);
  EchoBlock *block = echo_block_create(b->ctx);
  const EchoType *scalar = echo_hlo_scalar_type(b->ctx, echo_type_element(value->type));
  echo_region_append(&op->regions[0], block);
  EchoValue *lhs = echo_block_add_arg(b->ctx, block, scalar, op->loc);
  EchoValue *rhs = echo_block_add_arg(b->ctx, block, scalar, op->loc);
  EchoBuilder inner = echo_builder_at_end(b->ctx, block);
  inner.loc = op->loc;
  EchoValue *both = echo_build_binary(&inner, ECHO_STABLEHLO_OPS[combiner].name, lhs, rhs, NULL);
  echo_hlo_return(&inner, &both, 1);
  return echo_op_result(op, 0);
}

EchoValue *echo_whole_of(EchoBuilder *b, const EchoProcesses *p, const EchoAttr *parts,
                         EchoValue *own, const EchoType *whole)
{
  const EchoCut sum = echo_parts_sum(parts);
  EchoValue *value = gathered(b, p, parts, own, whole);
  if (sum.n_parts == 1)
    return value;
  Ranks ranks = {0};
  add_groups(&ranks, p, &sum);
  value = echo_reduce_groups(b, ECHO_HLO_ADD, ranks.data, ranks.size, sum.n_parts, value);
  echo_vector_destroy(&ranks);
  return value;
}

/* Which part this process has, as a value of the type of its number. */
static EchoValue *own_part(EchoBuilder *b, EchoValue *process, const EchoCut *cut)
{
  EchoValue *part = echo_hlo_constant_i64(b, process->type, 0);
  for (size_t i = 0; i < cut->n_axes; i++) {
    EchoValue *size = echo_hlo_constant_i64(b, process->type, cut->axes[i].size);
    EchoValue *stride = echo_hlo_constant_i64(b, process->type, cut->axes[i].stride);
    EchoValue *place = echo_hlo_remainder(b, echo_hlo_divide(b, process, stride), size);
    part = echo_hlo_add(b, echo_hlo_multiply(b, part, size), place);
  }
  return part;
}

/* The first of those that have summands has all of it. */
static EchoValue *summand(EchoBuilder *b, EchoValue *process, const EchoCut *sum, EchoValue *value)
{
  EchoValue *zero = echo_hlo_constant_i64(b, process->type, 0);
  EchoValue *is_first = echo_hlo_compare(b, ECHO_COMPARE_EQ, own_part(b, process, sum), zero);
  return echo_hlo_select(b, is_first, value, echo_hlo_constant_like(b, value, 0));
}

EchoValue *echo_part_of_whole(EchoBuilder *b, const EchoAttr *parts, EchoValue *whole,
                              const EchoType *part)
{
  const EchoCut all = echo_parts_cut(parts), sum = echo_parts_sum(parts);
  int64_t dims[ECHO_MAX_RANK];
  EchoValue *starts[ECHO_MAX_RANK];
  if (all.n_parts == 1 && sum.n_parts == 1)
    return whole;
  size_t rank = echo_type_rank(part), at = 0;
  EchoValue *process = echo_call_rank(b), *value = whole;
  for (size_t d = 0; d < rank; d++) {
    const EchoCut cut = echo_parts_next_cut(parts, &at);
    dims[d] = echo_type_dim(part, d);
    starts[d] = echo_hlo_multiply(b, own_part(b, process, &cut),
                                  echo_hlo_constant_i64(b, process->type, dims[d]));
  }
  if (all.n_parts != 1)
    value = echo_hlo_dynamic_slice(b, whole, starts, dims);
  return sum.n_parts != 1 ? summand(b, process, &sum, value) : value;
}

const EchoType *echo_part_type_or_null(EchoContext *ctx, const EchoAttr *parts,
                                       const EchoType *whole)
{
  int64_t dims[ECHO_MAX_RANK];
  if (!echo_type_is_tensor(whole)) /* a token: each process has its own */
    return echo_attr_ints_size(parts) == 0 ? whole : NULL;
  if (!echo_type_has_static_shape(whole) || !echo_parts_fit(parts, whole, INT32_MAX))
    return NULL;
  size_t rank = echo_type_rank(whole), at = 0;
  for (size_t d = 0; d < rank; d++) {
    int64_t n_parts = echo_parts_next_cut(parts, &at).n_parts;
    dims[d] = echo_type_dim(whole, d);
    if (dims[d] % n_parts != 0)
      return NULL;
    dims[d] /= n_parts;
  }
  return echo_hlo_tensor(ctx, dims, rank, echo_type_element(whole));
}
