/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parts of what every process has whole, and the whole of parts that they have, as ops. Processes
 * that stand elsewhere along axes of which the parts say nothing have values of their own: a whole
 * is gathered among those that differ along the axes that cut it, and no others. */
#include "base/vector.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"

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

/* The region of a reduction by `combiner`. */
static void add_combiner(EchoOp *op, EchoHloOpcode combiner, const EchoType *element)
{
  EchoContext *ctx = echo_op_context(op);
  EchoBlock *block = echo_block_create(ctx);
  const EchoType *scalar = echo_hlo_scalar_type(ctx, element);
  echo_region_append(&op->regions[0], block);
  EchoValue *lhs = echo_block_add_arg(ctx, block, scalar, op->loc);
  EchoValue *rhs = echo_block_add_arg(ctx, block, scalar, op->loc);
  EchoBuilder inner = echo_builder_at_end(ctx, block);
  inner.loc = op->loc;
  EchoValue *both = echo_build_binary(&inner, ECHO_STABLEHLO_OPS[combiner].name, lhs, rhs, NULL);
  echo_hlo_return(&inner, &both, 1);
}

EchoValue *echo_reduce_groups(EchoBuilder *b, EchoHloOpcode combiner, const int64_t *ranks,
                              size_t n, int64_t size, EchoValue *value)
{
  EchoAttrArg attrs[3];
  echo_group_attrs(b->ctx, ranks, n, size, attrs);
  EchoOp *op = echo_build_op_with_regions(b, "stablehlo.all_reduce", &value, 1, &value->type, 1,
                                          attrs, 3, 1);
  add_combiner(op, combiner, echo_type_element(value->type));
  return echo_op_result(op, 0);
}

EchoValue *echo_reduce_scatter_groups(EchoBuilder *b, EchoHloOpcode combiner, const int64_t *ranks,
                                      size_t n, int64_t size, size_t dim, EchoValue *value)
{
  EchoAttrArg attrs[4];
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(value->type); d++)
    dims[d] = echo_type_dim(value->type, d) / (d == dim ? size : 1);
  const EchoType *part =
      echo_hlo_tensor(b->ctx, dims, echo_type_rank(value->type), echo_type_element(value->type));
  echo_group_attrs(b->ctx, ranks, n, size, attrs);
  attrs[3] = (EchoAttrArg){"scatter_dimension", echo_attr_i64(b->ctx, (int64_t)dim)};
  EchoOp *op =
      echo_build_op_with_regions(b, "stablehlo.reduce_scatter", &value, 1, &part, 1, attrs, 4, 1);
  add_combiner(op, combiner, echo_type_element(value->type));
  return echo_op_result(op, 0);
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
