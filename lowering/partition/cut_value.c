/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "lowering/partition/write_t.h"

typedef struct Cut {
  EchoValue *value;
  const EchoSplit *as;
} Cut;

bool echo_split_is_within(const EchoSplits *splits, const EchoSplit *less, const EchoSplit *more)
{
  for (size_t a = 0; a < splits->n_digits; a++) {
    if (more != NULL && more->at[a].dim == ECHO_AT_SUM)
      return false;
    if (less != NULL && less->at[a].dim != ECHO_AT_NONE &&
        (more == NULL || !echo_place_equal(less->at[a], more->at[a])))
      return false;
  }
  return true;
}

/* The type of what is cut further. */
static const EchoType *type_of_part(const EchoSplitWriter *w, const EchoValue *value,
                                    const EchoSplit *as)
{
  const EchoSplit *has = echo_split_of(w->splits, value);
  EchoSplit further = echo_split_copy(as);
  for (size_t a = 0; has != NULL && a < w->splits->n_digits; a++)
    if (echo_place_cuts(has->at[a]))
      further.at[a].dim = ECHO_AT_NONE;
  return echo_split_type(w->splits, w->ctx, value->type, &further);
}

/* A count along a dimension that one run cuts from the outermost on begins at this process's part.
 * A number of type float is rounded once, as in the whole. NULL: it is no such count. */
static EchoValue *count_part_or_null(EchoSplitWriter *w, const EchoOp *iota, const EchoSplit *as)
{
  EchoValue *value = echo_op_result(iota, 0);
  const EchoType *type = type_of_part(w, value, as), *element = echo_type_element(type);
  const EchoSplit *has = echo_split_of(w->splits, value);
  size_t counted = (size_t)echo_op_attr_i64(iota, "iota_dimension", 0);
  EchoSplit chosen = echo_split_none(), none = echo_split_none();
  EchoRun run, second;
  EchoBuilder b = echo_builder_behind(w, value);
  for (size_t a = 0; a < w->splits->n_digits; a++)
    if (as->at[a].dim == counted)
      chosen.at[a] = as->at[a];
  if (element->kind == ECHO_TYPE_COMPLEX || has != NULL)
    return NULL;
  if (!echo_next_run(w->splits, &chosen, &none, &run))
    return echo_hlo_iota(&b, type, (int64_t)counted);
  if (run.below != echo_type_dim(type, counted) ||
      echo_next_run(w->splits, &chosen, &none, &second))
    return NULL;
  const EchoType *integer = element->kind == ECHO_TYPE_INTEGER ? element : echo_type_i64(w->ctx);
  const EchoType *counts = echo_type_with_element(w->ctx, type, integer);
  EchoValue *part = echo_run_part(w, &b, &run);
  EchoValue *start = echo_hlo_convert(
      &b, echo_hlo_multiply(&b, part, echo_hlo_constant_i64(&b, part->type, run.below)), integer);
  EchoValue *sum = echo_hlo_add(&b, echo_hlo_iota(&b, counts, (int64_t)counted),
                                echo_hlo_broadcast_scalar(&b, start, counts));
  return echo_hlo_convert(&b, sum, element);
}

/* How operand `i` is to be had, for a part of the result. */
static const EchoSplit *operand_split(EchoSplitWriter *w, const EchoOp *op, uint32_t i,
                                      const EchoSplit *as)
{
  EchoSplit split = echo_split_none();
  for (size_t a = 0; a < w->splits->n_digits; a++)
    if (!echo_place_cuts(as->at[a]) ||
        !echo_place_before(w->splits, op, i, a, as->at[a], &split.at[a]))
      split.at[a].dim = ECHO_AT_NONE;
  return echo_split_keep(w->splits, &split);
}

/* Whether parts of its operands make a part of its result. */
static bool is_by_parts(EchoSplitWriter *w, const EchoOp *op, const EchoSplit *as)
{
  if (op == NULL || op->n_results != 1 ||
      (!echo_op_has_trait(op, ECHO_ELEMENTWISE) &&
       echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM))
    return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!echo_split_is_within(w->splits, echo_split_of(w->splits, echo_op_operand(op, i)),
                              operand_split(w, op, i, as)))
      return false;
  return true;
}

static EchoValue *clone_part(EchoSplitWriter *w, const EchoOp *op, const EchoSplit *as)
{
  EchoValue *value = echo_op_result(op, 0);
  EchoBuilder b = echo_builder_behind(w, value);
  EchoOp *part = echo_builder_insert(&b, echo_op_clone(op, NULL));
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *operand = echo_op_operand(op, i);
    const EchoSplit *split = operand_split(w, op, i, as);
    if (split != echo_split_of(w->splits, operand))
      echo_op_set_operand(part, i, echo_made_or_null(w, operand, split));
  }
  echo_value_set_type(echo_op_result(part, 0), type_of_part(w, value, as));
  return echo_op_result(part, 0);
}

static EchoValue *constant_part_or_null(EchoSplitWriter *w, EchoValue *value, const EchoSplit *as)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      !constant->as.elements.is_splat)
    return NULL;
  EchoBuilder b = echo_builder_behind(w, value);
  const EchoType *type = type_of_part(w, value, as);
  return echo_hlo_constant(&b, echo_attr_elements(w->ctx, type, constant->as.elements.data,
                                                  echo_type_element_bytes(type), true));
}

/* Makes the part, where those of the op's operands were made. */
static EchoValue *make_part(EchoSplitWriter *w, EchoValue *value, const EchoSplit *as)
{
  EchoOp *op = echo_value_def_or_null(value);
  EchoValue *part = constant_part_or_null(w, value, as);
  if (part == NULL && op != NULL && echo_hlo_opcode(op) == ECHO_HLO_IOTA)
    part = count_part_or_null(w, op, as);
  if (part != NULL)
    return part;
  return is_by_parts(w, op, as) ? clone_part(w, op, as)
                                : echo_slice_parts(w, value, echo_split_of(w->splits, value), as);
}

EchoValue *echo_cut_value(EchoSplitWriter *w, EchoValue *value, const EchoSplit *as)
{
  ECHO_VECTOR(Cut) open = {0}; /* operands above those that need them */
  echo_vector_push(&open, (Cut){value, as});
  while (open.size != 0) {
    Cut cut = echo_vector_last(&open);
    EchoOp *op = echo_value_def_or_null(cut.value);
    size_t before = open.size;
    if (echo_made_or_null(w, cut.value, cut.as) != NULL) {
      open.size--;
      continue;
    }
    for (uint32_t i = 0; is_by_parts(w, op, cut.as) && i < op->n_operands; i++) {
      EchoValue *operand = echo_op_operand(op, i);
      const EchoSplit *split = operand_split(w, op, i, cut.as);
      if (split != echo_split_of(w->splits, operand) &&
          echo_made_or_null(w, operand, split) == NULL)
        echo_vector_push(&open, (Cut){operand, split});
    }
    if (open.size == before)
      echo_make(w, cut.value, cut.as, make_part(w, cut.value, cut.as));
  }
  echo_vector_destroy(&open);
  return echo_made_or_null(w, value, as);
}
