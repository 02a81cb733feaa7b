/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rule of one op. Dimensions of its operands that come out in one place (dim_map_t.h) are split
 * together: the place is then split in the results, or, where it is gone, the results are partial.
 * Ops that are linear hand partial sums on, so that what is added up is reduced once. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "ir/diagnostics.h"
#include "lowering/partition/split_t.h"
#include "lowering/step/dim_map_t.h"

static const EchoSplit WHOLE = {.kind = ECHO_SPLIT_WHOLE};

static bool refuse(const EchoOp *op, const char *what, uint32_t operand)
{
  return echo_op_error(op,
                       "%s of operand #%u, and is not partitioned by itself: write what each "
                       "device does with jax.shard_map",
                       what, operand);
}

/* ---- partial sums ---- */

bool echo_split_is_zero(const EchoValue *value)
{
  for (;;) {
    const EchoAttr *constant = echo_value_constant_or_null(value);
    if (constant != NULL) {
      EchoElementKind kind = echo_type_element_kind(constant->type);
      if (constant->kind != ECHO_ATTR_DENSE_ELEMENTS || kind == ECHO_ELEMENT_NONE ||
          !constant->as.elements.is_splat)
        return false;
      return echo_element_is_float(kind) ? echo_elements_f64(constant, 0) == 0
                                         : echo_elements_i64(constant, 0) == 0;
    }
    const EchoOp *op = echo_value_def_or_null(value);
    EchoHloOpcode opcode = op != NULL ? echo_hlo_opcode(op) : ECHO_N_HLO_OPCODES;
    if (opcode != ECHO_HLO_BROADCAST_IN_DIM && opcode != ECHO_HLO_RESHAPE &&
        opcode != ECHO_HLO_CONVERT)
      return false;
    value = echo_op_operand(op, 0);
  }
}

/* Of two readers one may want the whole, and then it is reduced anyway. */
static bool is_sum(const EchoSplits *splits, const EchoValue *value)
{
  EchoSplit split = echo_split_of(splits, value);
  return split.kind == ECHO_SPLIT_PARTIAL && split.combiner == ECHO_HLO_ADD &&
         echo_value_has_one_use(value);
}

static bool is_sum_or_zero(const EchoSplits *splits, const EchoValue *value)
{
  return is_sum(splits, value) || echo_split_is_zero(value);
}

static bool all_sums(const EchoSplits *splits, const EchoOp *op, uint32_t first, uint32_t end)
{
  bool any = false;
  for (uint32_t i = first; i < end; i++) {
    if (!is_sum_or_zero(splits, echo_op_operand(op, i)))
      return false;
    any |= is_sum(splits, echo_op_operand(op, i));
  }
  return any;
}

static bool is_float(const EchoType *type)
{
  return echo_type_element(type)->kind == ECHO_TYPE_FLOAT;
}

static bool adds_from_zero(const EchoOp *op)
{
  return op->n_results == 1 && echo_hlo_combiner(&op->regions[0]) == ECHO_HLO_ADD &&
         echo_split_is_zero(echo_op_operand(op, 1));
}

/* The op of the sum is the sum of the op, and no larger: operands are partial, or the op takes them
 * whole. */
static bool is_linear(const EchoSplits *splits, const EchoOp *op)
{
  const EchoValue *first = op->n_operands != 0 ? echo_op_operand(op, 0) : NULL;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ADD:
  case ECHO_HLO_SUBTRACT:
  case ECHO_HLO_CONCATENATE:
    return echo_type_bit_width(echo_type_element(first->type)) > 1 &&
           all_sums(splits, op, 0, op->n_operands);
  case ECHO_HLO_PAD:
    return is_sum(splits, first) && echo_split_is_zero(echo_op_operand(op, 1));
  case ECHO_HLO_NEGATE:
  case ECHO_HLO_TRANSPOSE:
  case ECHO_HLO_RESHAPE:
  case ECHO_HLO_SLICE:
    return is_sum(splits, first);
  case ECHO_HLO_CONVERT: /* to a narrower type each part would be rounded */
    return is_sum(splits, first) && is_float(first->type) && is_float(echo_op_result_type(op, 0)) &&
           echo_type_bit_width(echo_type_element(first->type)) <=
               echo_type_bit_width(echo_type_element(echo_op_result_type(op, 0)));
  case ECHO_HLO_MULTIPLY:
    return is_float(first->type) &&
           (is_sum(splits, first) != is_sum(splits, echo_op_operand(op, 1)));
  case ECHO_HLO_DIVIDE:
    return is_float(first->type) && is_sum(splits, first);
  case ECHO_HLO_SELECT:
    return all_sums(splits, op, 1, 3);
  case ECHO_HLO_DYNAMIC_UPDATE_SLICE:
    return all_sums(splits, op, 0, 2);
  case ECHO_HLO_REDUCE:
    return is_sum(splits, first) && adds_from_zero(op);
  default:
    return false;
  }
}

static void be_linear(const EchoSplits *splits, const EchoOp *op, EchoSplit *want, EchoSplit *out)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    want[i] = is_sum(splits, echo_op_operand(op, i)) ? echo_split_of(splits, echo_op_operand(op, i))
                                                     : WHOLE;
  *out = (EchoSplit){.kind = ECHO_SPLIT_PARTIAL, .combiner = ECHO_HLO_ADD};
}

/* ---- parts ---- */

/* [.., D, ..] as another shape: in both, `outer` of all that stands before the processes. */
static bool split_of_reshape(const EchoOp *op, EchoSplit in, int64_t n, EchoSplit *out)
{
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  int64_t before = in.outer, stood = 1;
  for (size_t d = 0; d < in.dim; d++)
    before *= echo_type_dim(from, d);
  for (size_t d = 0; d < echo_type_rank(to) && stood <= before; d++) {
    int64_t size = echo_type_dim(to, d);
    if (before % stood == 0 && size % n == 0 && size / n % (before / stood) == 0) {
      *out = (EchoSplit){.kind = ECHO_SPLIT_PART, .dim = (uint8_t)d, .outer = before / stood};
      return true;
    }
    stood *= size;
  }
  return refuse(op, "tears the batch", 0);
}

/* What the op does where its operands' split dimensions are gone. */
static bool rule_of_sum(const EchoOp *op, uint32_t i, EchoSplit *out)
{
  *out = (EchoSplit){.kind = ECHO_SPLIT_PARTIAL, .combiner = ECHO_HLO_ADD};
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_DOT_GENERAL:
  case ECHO_HLO_CONVOLUTION:
    return true;
  case ECHO_HLO_SCATTER:
    if (op->n_results == 1 && echo_hlo_combiner(&op->regions[0]) == ECHO_HLO_ADD &&
        echo_split_is_zero(echo_op_operand(op, 0)))
      return true;
    return refuse(op, "scatters the batch, and not by adding to zeros,", i);
  case ECHO_HLO_REDUCE:
    break;
  default:
    return refuse(op, "mixes the batch", i);
  }
  out->combiner = op->n_results == 1 ? echo_hlo_combiner(&op->regions[0]) : ECHO_N_HLO_OPCODES;
  switch (out->combiner) {
  case ECHO_HLO_ADD: /* an initial value would be added by every process */
    return adds_from_zero(op) || refuse(op, "adds what is not zero to a sum over the batch", i);
  case ECHO_HLO_MAXIMUM:
  case ECHO_HLO_MINIMUM:
  case ECHO_HLO_AND:
  case ECHO_HLO_OR:
    return true;
  default:
    return refuse(op, "reduces the batch in a way that is none of add, maximum, minimum, and, or,",
                  i);
  }
}

/* The dimension of operand `j` that comes out at `place`; -1: none. */
static int dim_at(const EchoOp *op, uint32_t j, int place)
{
  int to[ECHO_MAX_RANK];
  echo_dim_map(op, j, to);
  for (size_t d = 0; d < echo_type_rank(echo_op_operand_type(op, j)); d++)
    if (to[d] == place)
      return (int)d;
  return -1;
}

static bool has_shapes(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!echo_type_is_tensor(echo_op_operand_type(op, i)) ||
        !echo_type_has_static_shape(echo_op_operand_type(op, i)))
      return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!echo_type_is_tensor(echo_op_result_type(op, i)) ||
        !echo_type_has_static_shape(echo_op_result_type(op, i)))
      return false;
  return op->n_results != 0;
}

/* Operand `i` is split: the others follow. */
static bool rule_of_parts(const EchoSplits *splits, const EchoOp *op, uint32_t i, EchoSplit *want,
                          EchoSplit *out)
{
  int to[ECHO_MAX_RANK];
  EchoSplit in = echo_split_of(splits, echo_op_operand(op, i));
  if (!has_shapes(op) || !echo_dim_map(op, i, to) || to[in.dim] == ECHO_DIM_MIXED ||
      to[in.dim] >= (int)echo_type_rank(echo_op_result_type(op, 0)))
    return refuse(op, "mixes the batch", i);
  int place = to[in.dim];
  int64_t size = echo_type_dim(echo_op_operand_type(op, i), in.dim);
  for (uint32_t j = 0; j < op->n_operands; j++) {
    EchoSplit has = echo_split_of(splits, echo_op_operand(op, j));
    int dim = dim_at(op, j, place);
    want[j] = WHOLE;
    if (dim >= 0 && echo_type_dim(echo_op_operand_type(op, j), (size_t)dim) == size)
      want[j] = (EchoSplit){.kind = ECHO_SPLIT_PART, .dim = (uint8_t)dim, .outer = in.outer};
    if (has.kind == ECHO_SPLIT_PART && !echo_split_equal(has, want[j]))
      return refuse(op, "meets the whole batch, or another dimension that is split, with the batch",
                    j);
  }
  if (place <= ECHO_DIM_GONE)
    return rule_of_sum(op, i, out);
  *out = (EchoSplit){.kind = ECHO_SPLIT_PART, .dim = (uint8_t)place, .outer = in.outer};
  return true;
}

bool echo_split_rule(const EchoSplits *splits, const EchoOp *op, EchoSplit *want, EchoSplit *out)
{
  uint32_t i = 0;
  *out = WHOLE;
  while (i < op->n_operands &&
         echo_split_of(splits, echo_op_operand(op, i)).kind != ECHO_SPLIT_PART)
    i++;
  if (i == op->n_operands && is_linear(splits, op)) {
    be_linear(splits, op, want, out);
    return true;
  }
  for (uint32_t j = 0; j < op->n_operands; j++)
    want[j] = WHOLE;
  if (i == op->n_operands)
    return true;
  if (echo_hlo_opcode(op) != ECHO_HLO_RESHAPE)
    return rule_of_parts(splits, op, i, want, out);
  want[0] = echo_split_of(splits, echo_op_operand(op, 0));
  return split_of_reshape(op, want[0], splits->n_processes, out);
}
