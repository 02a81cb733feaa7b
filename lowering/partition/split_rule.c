/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rule of one op. Dimensions of its operands that come out in one place (dim_map_t.h) are cut
 * together: the place is then cut in the results, or, where it is gone, the results are partial.
 * Where operands want one digit in different places the one is taken that moves the fewest bytes
 * between processes: weights that are cut as the batch is are gathered, not the batch. What an op
 * mixes is wanted whole. Ops that are linear hand partial sums on, so that what is added up is
 * reduced once. */
#include "base/arena.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "lowering/partition/split_t.h"
#include "lowering/step/dim_map_t.h"

/* ---- places ---- */

/* [.., D, ..] as another shape: the same elements in the order of both. */
static bool place_in_shape(const EchoType *from, const EchoType *to, EchoPlace place, int64_t size,
                           EchoPlace *out)
{
  int64_t flat = place.span, after = 1;
  if (echo_type_static_n_elements(from) == 0)
    return false;
  for (size_t d = echo_type_rank(from); d-- > (size_t)place.dim + 1;)
    flat *= echo_type_dim(from, d);
  for (size_t d = echo_type_rank(to); d-- > 0; after *= echo_type_dim(to, d)) {
    int64_t end = after * echo_type_dim(to, d);
    if (flat >= end)
      continue;
    if (flat % after != 0 || end % (flat * size) != 0)
      return false;
    *out = (EchoPlace){.dim = (uint8_t)d, .span = flat / after};
    return true;
  }
  return false;
}

static bool is_reshape(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_RESHAPE;
}

/* Numbers of dimensions that are gone, as a place has them: from the last one down. */
enum { FIRST_GONE = ECHO_AT_SUM - 1 };

static bool is_gone(EchoPlace place)
{
  return place.dim >= ECHO_MAX_RANK;
}

/* Where a place of operand `i` comes out, gone ones as FIRST_GONE - k. */
static bool comes_out(const EchoSplits *splits, const EchoOp *op, uint32_t i, size_t digit,
                      EchoPlace place, EchoPlace *out)
{
  int to[ECHO_MAX_RANK];
  const EchoType *type = echo_op_operand_type(op, i), *result = echo_op_result_type(op, 0);
  if (is_reshape(op))
    return place_in_shape(type, result, place, splits->digits[digit].size, out);
  if (!echo_split_dim_map(op, i, to))
    return false;
  int at = to[place.dim];
  if (at == ECHO_DIM_MIXED)
    return echo_aligned_out(op, splits->digits[digit].size, place, out);
  out->span = place.span;
  if (at <= ECHO_DIM_GONE) {
    out->dim = (uint8_t)(FIRST_GONE - (ECHO_DIM_GONE - at));
    return true;
  }
  out->dim = (uint8_t)at;
  return at >= 0 && at < (int)echo_type_rank(result) &&
         echo_type_dim(result, (size_t)at) == echo_type_dim(type, place.dim);
}

/* Operands that a slice, a padding or a concatenation moves. */
static uint32_t n_moved(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_CONCATENATE ? op->n_operands : 1;
}

bool echo_place_before(const EchoSplits *splits, const EchoOp *op, uint32_t i, size_t digit,
                       EchoPlace place, EchoPlace *before)
{
  int to[ECHO_MAX_RANK];
  const EchoType *type = echo_op_operand_type(op, i);
  if (is_reshape(op))
    return place_in_shape(echo_op_result_type(op, 0), type, place, splits->digits[digit].size,
                          before);
  if (!echo_type_is_tensor(type) || !echo_split_dim_map(op, i, to))
    return false;
  int at = is_gone(place) ? ECHO_DIM_GONE - (FIRST_GONE - place.dim) : place.dim;
  for (size_t d = 0; d < echo_type_rank(type); d++)
    if (to[d] == at &&
        (is_gone(place) ||
         echo_type_dim(type, d) == echo_type_dim(echo_op_result_type(op, 0), place.dim))) {
      *before = (EchoPlace){.dim = (uint8_t)d, .span = place.span};
      return true;
    }
  return i < n_moved(op) && !is_gone(place) && to[place.dim] == ECHO_DIM_MIXED &&
         echo_aligned_before(op, splits->digits[digit].size, place, before);
}

/* ---- partial sums ---- */

bool echo_split_is_zero(const EchoSplits *splits, const EchoValue *value)
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
    if (echo_map_has(&splits->sums, echo_key(value)))
      return true;
    const EchoOp *op = echo_value_def_or_null(value);
    if (op != NULL && echo_op_is(op, "sdy.sharding_constraint")) {
      value = echo_op_operand(op, 0);
      continue;
    }
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
  const EchoSplit *split = echo_split_of(splits, value);
  return split != NULL && split->combiner == ECHO_HLO_ADD && echo_value_has_one_use(value);
}

/* Those are sums, over the same processes, or zeros. */
static bool all_sums(const EchoSplits *splits, const EchoOp *op, uint32_t first, uint32_t end)
{
  const EchoSplit *sum = NULL;
  for (uint32_t i = first; i < end; i++) {
    const EchoValue *value = echo_op_operand(op, i);
    const EchoSplit *split = echo_split_of(splits, value);
    if (!is_sum(splits, value)) {
      if (echo_split_is_zero(splits, value))
        continue;
      return false;
    }
    for (size_t a = 0; sum != NULL && a < splits->n_digits; a++)
      if ((sum->at[a].dim == ECHO_AT_SUM) != (split->at[a].dim == ECHO_AT_SUM))
        return false;
    sum = split;
  }
  return sum != NULL;
}

static bool is_float(const EchoType *type)
{
  return echo_type_element(type)->kind == ECHO_TYPE_FLOAT;
}

/* Sums of it depend on their order. */
static bool is_rounded(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_element(type)->kind != ECHO_TYPE_INTEGER;
}

static bool adds_from_zero(const EchoSplits *splits, const EchoOp *op)
{
  return op->n_results == 1 && echo_hlo_combiner(&op->regions[0]) == ECHO_HLO_ADD &&
         echo_split_is_zero(splits, echo_op_operand(op, 1));
}

/* The op of the sum is the sum of the op, and no larger: operands are partial, or the op takes them
 * as they are. */
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
    return is_sum(splits, first) && echo_split_is_zero(splits, echo_op_operand(op, 1));
  case ECHO_HLO_NEGATE:
  case ECHO_HLO_TRANSPOSE:
  case ECHO_HLO_RESHAPE:
  case ECHO_HLO_SLICE:
    return is_sum(splits, first);
  case ECHO_HLO_BROADCAST_IN_DIM:
    return is_sum(splits, first) && echo_type_static_n_elements(first->type) ==
                                        echo_type_static_n_elements(echo_op_result_type(op, 0));
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
    return is_sum(splits, first) && adds_from_zero(splits, op);
  default:
    return false;
  }
}

/* Digits over which sums go through the op; none where another operand is cut by one of them. */
static EchoSplit sums_through(const EchoSplits *splits, const EchoOp *op)
{
  EchoSplit sums = echo_split_none();
  if ((splits->own != NULL && splits->own->keeps_order) || !is_linear(splits, op))
    return sums;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const EchoSplit *split = echo_split_of(splits, echo_op_operand(op, i));
    for (size_t a = 0; split != NULL && a < splits->n_digits; a++)
      if (is_sum(splits, echo_op_operand(op, i)) && split->at[a].dim == ECHO_AT_SUM)
        sums.at[a].dim = ECHO_AT_SUM;
  }
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const EchoSplit *split = echo_split_of(splits, echo_op_operand(op, i));
    for (size_t a = 0; split != NULL && a < splits->n_digits; a++)
      if (sums.at[a].dim == ECHO_AT_SUM && echo_place_cuts(split->at[a]))
        return echo_split_none();
  }
  sums.combiner = ECHO_HLO_ADD;
  return sums;
}

/* ---- what is gone ---- */

EchoHloOpcode echo_split_combiner(const EchoSplits *splits, const EchoOp *op)
{
  EchoHloOpcode combiner = ECHO_N_HLO_OPCODES;
  if (splits->own != NULL && splits->own->keeps_order && op->n_results != 0 &&
      is_rounded(echo_op_result_type(op, 0)))
    return combiner;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_DOT_GENERAL:
  case ECHO_HLO_CONVOLUTION:
    return ECHO_HLO_ADD;
  case ECHO_HLO_SCATTER:
    return op->n_results == 1 && echo_hlo_combiner(&op->regions[0]) == ECHO_HLO_ADD &&
                   echo_split_is_zero(splits, echo_op_operand(op, 0))
               ? ECHO_HLO_ADD
               : ECHO_N_HLO_OPCODES;
  case ECHO_HLO_GATHER: /* of a table that is cut along its rows */
  case ECHO_HLO_DYNAMIC_SLICE:
    if (!echo_split_reads_indexed(op))
      return ECHO_N_HLO_OPCODES;
    return echo_type_bit_width(echo_type_element(echo_op_result_type(op, 0))) == 1 ? ECHO_HLO_OR
                                                                                   : ECHO_HLO_ADD;
  case ECHO_HLO_REDUCE:
    combiner = op->n_results == 1 ? echo_hlo_combiner(&op->regions[0]) : ECHO_N_HLO_OPCODES;
    break;
  default:
    return ECHO_N_HLO_OPCODES;
  }
  switch (combiner) {
  case ECHO_HLO_ADD: /* an initial value would be added by every process */
    return adds_from_zero(splits, op) ? combiner : ECHO_N_HLO_OPCODES;
  case ECHO_HLO_MAXIMUM:
  case ECHO_HLO_MINIMUM:
  case ECHO_HLO_AND:
  case ECHO_HLO_OR:
    return combiner;
  default:
    return ECHO_N_HLO_OPCODES;
  }
}

/* ---- the choice of a place ---- */

typedef struct Choice {
  EchoSplits *splits;
  const EchoOp *op;
  EchoHloOpcode combiner;
  EchoSplit out; /* as comes_out has it */
} Choice;

/* Where operand `i` has the digit: what is partial is reduced to parts where all take it so. */
static EchoPlace place_of(const EchoSplits *splits, const EchoOp *op, uint32_t i, size_t digit)
{
  const EchoSplit *split = echo_split_of(splits, echo_op_operand(op, i));
  const EchoSplit *demand = NULL;
  if (split != NULL && split->at[digit].dim == ECHO_AT_SUM)
    demand = echo_demand_of(splits, echo_op_operand(op, i));
  if (demand != NULL)
    return demand->at[digit];
  return split != NULL ? split->at[digit] : (EchoPlace){.dim = ECHO_AT_NONE};
}

/* Where the result is taken in parts, and an operand can be. NONE: it cannot. */
static EchoPlace demanded(const Choice *c, size_t digit)
{
  const EchoSplit *out = echo_demand_of(c->splits, echo_op_result(c->op, 0));
  const EchoPlace none = {.dim = ECHO_AT_NONE};
  EchoPlace before;
  if (out == NULL || !echo_place_cuts(out->at[digit]) ||
      !echo_split_has_room(c->splits, &c->out, digit, out->at[digit],
                           echo_type_dim(echo_op_result_type(c->op, 0), out->at[digit].dim)))
    return none;
  for (uint32_t i = 0; i < c->op->n_operands; i++)
    if (echo_place_before(c->splits, c->op, i, digit, out->at[digit], &before))
      return out->at[digit];
  return none;
}

/* Bytes that come to a process where `place` is taken for the digit. */
static double bytes_moved(const Choice *c, size_t digit, EchoPlace place)
{
  const EchoOp *op = c->op;
  const int64_t size = c->splits->digits[digit].size;
  double bytes = 0;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const EchoSplit *split = echo_split_of(c->splits, echo_op_operand(op, i));
    EchoPlace before, own = place_of(c->splits, op, i, digit);
    if (!echo_place_cuts(own) || (echo_place_before(c->splits, op, i, digit, place, &before) &&
                                  echo_place_equal(before, own)))
      continue;
    bytes += (double)echo_type_static_bytes(echo_op_operand_type(op, i)) * (double)(size - 1) /
             (double)echo_split_n_parts(c->splits, split);
  }
  if (is_gone(place)) /* an all_reduce of n sends (n - 1) / n of it twice */
    bytes += 2.0 * (double)echo_type_static_bytes(echo_op_result_type(op, 0)) * (double)(size - 1) /
             (double)size / (double)echo_split_n_parts(c->splits, &c->out);
  return bytes;
}

/* The size of what is cut: an operand's, where it is gone. */
static int64_t size_at(const Choice *c, uint32_t operand, EchoPlace own, EchoPlace place)
{
  return is_gone(place) ? echo_type_dim(echo_op_operand_type(c->op, operand), own.dim)
                        : echo_type_dim(echo_op_result_type(c->op, 0), place.dim);
}

static void choose(Choice *c, size_t digit)
{
  EchoPlace best = {.dim = ECHO_AT_NONE}, last = best;
  double least = 0;
  for (uint32_t i = 0; i < c->op->n_operands; i++) {
    EchoPlace place, own = place_of(c->splits, c->op, i, digit);
    if (!echo_place_cuts(own) || !comes_out(c->splits, c->op, i, digit, own, &place) ||
        (is_gone(place) && c->combiner == ECHO_N_HLO_OPCODES) ||
        (last.dim == place.dim && last.span == place.span) ||
        !echo_split_has_room(c->splits, &c->out, digit, place, size_at(c, i, own, place)))
      continue;
    double bytes = bytes_moved(c, digit, place);
    if (best.dim == ECHO_AT_NONE || bytes < least) {
      best = place;
      least = bytes;
    }
    last = place;
  }
  c->out.at[digit] = best;
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

/* What follows from the places that were chosen. */
static void follow_choice(const Choice *c, const EchoSplit *sums, const EchoSplit **want,
                          const EchoSplit **out)
{
  EchoSplits *splits = c->splits;
  EchoSplit own = c->out;
  for (uint32_t i = 0; i < c->op->n_operands; i++) {
    EchoSplit wants = echo_split_none();
    const bool is_partial = is_sum(splits, echo_op_operand(c->op, i));
    for (size_t a = 0; a < splits->n_digits; a++)
      if (sums->at[a].dim == ECHO_AT_SUM && is_partial)
        wants.at[a].dim = ECHO_AT_SUM;
      else if (own.at[a].dim == ECHO_AT_NONE ||
               !echo_place_before(splits, c->op, i, a, own.at[a], &wants.at[a]))
        wants.at[a].dim = ECHO_AT_NONE;
    wants.combiner = sums->combiner;
    want[i] = echo_split_keep(splits, &wants);
  }
  own.combiner = sums->combiner;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (sums->at[a].dim == ECHO_AT_SUM) {
      own.at[a].dim = ECHO_AT_SUM;
    } else if (own.at[a].dim != ECHO_AT_NONE && is_gone(own.at[a])) {
      own.at[a].dim = ECHO_AT_SUM;
      own.combiner = c->combiner;
    }
  *out = echo_split_keep(splits, &own);
}

void echo_split_rule(EchoSplits *splits, const EchoOp *op, const EchoSplit **want,
                     const EchoSplit **out)
{
  bool any = op->n_results != 0 && echo_demand_of(splits, echo_op_result(op, 0)) != NULL;
  *out = NULL;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    want[i] = NULL;
    any |= echo_split_of(splits, echo_op_operand(op, i)) != NULL;
  }
  if (!any || !has_shapes(op))
    return;
  int to[ECHO_MAX_RANK];
  if (!is_reshape(op) && !echo_dim_map(op, 0, to))
    return;
  const EchoSplit sums = sums_through(splits, op);
  Choice c = {.splits = splits, .op = op, .out = echo_split_none()};
  c.combiner = echo_split_combiner(splits, op);
  const uint64_t same = echo_same_results(splits, op);
  for (size_t a = 0; a < splits->n_digits; a++)
    if (sums.at[a].dim != ECHO_AT_SUM && (same >> a & 1) != 0)
      choose(&c, a);
  for (size_t a = 0; a < splits->n_digits; a++) /* how operands come is first */
    if (sums.at[a].dim != ECHO_AT_SUM && c.out.at[a].dim == ECHO_AT_NONE && (same >> a & 1) != 0)
      c.out.at[a] = demanded(&c, a);
  follow_choice(&c, &sums, want, out);
}
