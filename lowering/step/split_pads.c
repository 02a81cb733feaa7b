/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --split-pads: a pad that puts elements between those of its operand, so many around them that
 * each stretch of the result holds one, pads a new dimension behind instead, and is seen flat: the
 * gradient of a strided slice, elements put alternately. What was a division of every index and a
 * gather is a loop of its own then, and two such pads that are added are parts put together.
 * Idempotent. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"
#include "lowering/lowering.h"

/* The pad of an operand of which dimensions are split into themselves and one of one element. */
typedef struct Split {
  size_t rank, n_split;
  int64_t dims[ECHO_MAX_RANK], low[ECHO_MAX_RANK], high[ECHO_MAX_RANK], interior[ECHO_MAX_RANK];
} Split;

static void append(Split *split, int64_t dim, int64_t low, int64_t high, int64_t interior)
{
  split->dims[split->rank] = dim;
  split->low[split->rank] = low;
  split->high[split->rank] = high;
  split->interior[split->rank++] = interior;
}

/* False where no dimension is one to split, or there would be too many. */
static bool read_split(const EchoOp *pad, Split *split)
{
  const EchoType *type = echo_op_operand_type(pad, 0);
  EchoDimList low = echo_stablehlo_dims(pad, "edge_padding_low");
  EchoDimList high = echo_stablehlo_dims(pad, "edge_padding_high");
  EchoDimList interior = echo_stablehlo_dims(pad, "interior_padding");
  *split = (Split){0};
  if (!echo_type_has_static_shape(type) || type->as.shaped.encoding != NULL ||
      2 * low.size > ECHO_MAX_RANK)
    return false;
  for (size_t d = 0; d < low.size; ++d) {
    int64_t dim = echo_type_dim(type, d), between = interior.dims[d];
    bool is_split = dim > 1 && between > 0 && low.dims[d] >= 0 && high.dims[d] >= 0 &&
                    low.dims[d] + high.dims[d] == between;
    append(split, dim, is_split ? 0 : low.dims[d], is_split ? 0 : high.dims[d],
           is_split ? 0 : between);
    if (is_split)
      append(split, 1, low.dims[d], high.dims[d], 0);
    split->n_split += is_split;
  }
  return split->n_split != 0;
}

static void split_pad(EchoOp *op, const Split *split)
{
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  const EchoType *type = echo_op_result_type(op, 0);
  EchoValue *value = echo_hlo_reshape(&builder, echo_op_operand(op, 0), split->dims, split->rank);
  value = echo_hlo_pad(&builder, value, echo_op_operand(op, 1), split->low, split->high,
                       split->interior);
  value = echo_hlo_reshape(&builder, value, type->as.shaped.dims, echo_type_rank(type));
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_split = 0;
  Split split;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    if (echo_hlo_opcode(op) != ECHO_HLO_PAD || !read_split(op, &split))
      continue;
    split_pad(op, &split);
    ++n_split;
  }
  echo_pass_count(pass, "split", n_split);
  pass->keeps_all = n_split == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {
    {"split", "pads between elements that pad a dimension of their own"}, {0}};

const EchoPass ECHO_PASS_SPLIT_PADS = {
    .name = "split-pads",
    .summary = "pads between elements as pads of a dimension of their own",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
