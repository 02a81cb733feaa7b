/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "lowering/partition/write_t.h"
#include "lowering/step/dim_map_t.h"

typedef struct Cut {
  EchoValue *value;
  EchoSplit as;
} Cut;

EchoValue *echo_process_number(EchoSplitWriter *w)
{
  if (w->process != NULL)
    return w->process;
  EchoBuilder b = echo_builder_before(echo_op_body(w->main, 0)->first);
  const EchoType *type = echo_hlo_scalar_type(w->ctx, echo_type_integer(w->ctx, 32, ECHO_UNSIGNED));
  EchoOp *op = echo_build_op(&b, "stablehlo.partition_id", NULL, 0, &type, 1, NULL, 0);
  w->process = echo_hlo_convert(&b, echo_op_result(op, 0), echo_type_i64(w->ctx));
  return w->process;
}

/* Where this process's part begins: its number times `size`. */
static EchoValue *start_of_part(EchoSplitWriter *w, EchoBuilder *b, int64_t size)
{
  EchoValue *process = echo_process_number(w);
  return echo_hlo_multiply(b, process, echo_hlo_constant_i64(b, process->type, size));
}

/* ---- by slices ---- */

static EchoValue *slice_part(EchoSplitWriter *w, EchoValue *value, EchoSplit as)
{
  EchoBuilder b = echo_builder_behind(w, value);
  int64_t dims[ECHO_MAX_RANK], whole = echo_type_dim(value->type, as.dim);
  EchoValue *starts[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(value->type);
  bool is_apart = as.outer != 1;
  for (size_t d = 0; d < rank + is_apart; d++)
    dims[d] = d < as.dim                       ? echo_type_dim(value->type, d)
              : is_apart && d == as.dim        ? as.outer
              : d == as.dim + (size_t)is_apart ? whole / as.outer
                                               : echo_type_dim(value->type, d - is_apart);
  EchoValue *apart = is_apart ? echo_hlo_reshape(&b, value, dims, rank + 1) : value;
  size_t at = as.dim + (size_t)is_apart;
  dims[at] /= w->splits->n_processes;
  EchoValue *zero = echo_hlo_constant_i64(&b, echo_process_number(w)->type, 0);
  EchoValue *start = start_of_part(w, &b, dims[at]);
  for (size_t d = 0; d < rank + is_apart; d++)
    starts[d] = d == at ? start : zero;
  EchoValue *part = echo_hlo_dynamic_slice(&b, apart, starts, dims);
  const EchoType *type = echo_split_type(w, value->type, as);
  return echo_hlo_reshape(&b, part, type->as.shaped.dims, rank);
}

/* ---- by parts of what makes it ---- */

/* A number of type float is rounded once, as in the whole. */
static EchoValue *count_part(EchoSplitWriter *w, const EchoOp *iota, EchoSplit as)
{
  EchoBuilder b = echo_builder_behind(w, echo_op_result(iota, 0));
  const EchoType *type = echo_split_type(w, echo_op_result_type(iota, 0), as);
  const EchoType *element = echo_type_element(type);
  int64_t counted = echo_op_attr_i64(iota, "iota_dimension", 0);
  if (counted != as.dim)
    return echo_hlo_iota(&b, type, counted);
  const EchoType *integer = element->kind == ECHO_TYPE_INTEGER ? element : echo_type_i64(w->ctx);
  const EchoType *counts = echo_type_with_element(w->ctx, type, integer);
  EchoValue *start =
      echo_hlo_convert(&b, start_of_part(w, &b, echo_type_dim(type, as.dim)), integer);
  EchoValue *sum = echo_hlo_add(&b, echo_hlo_iota(&b, counts, counted),
                                echo_hlo_broadcast_scalar(&b, start, counts));
  return echo_hlo_convert(&b, sum, element);
}

/* Whether parts of its operands make a part of its result. */
static bool is_by_parts(const EchoOp *op)
{
  return op != NULL && op->n_results == 1 &&
         (echo_op_has_trait(op, ECHO_ELEMENTWISE) ||
          echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM);
}

/* How operand `i` is to be had, for a part of the result. */
static EchoSplit operand_split(const EchoOp *op, uint32_t i, EchoSplit as)
{
  int to[ECHO_MAX_RANK];
  const EchoType *type = echo_op_operand_type(op, i);
  echo_dim_map(op, i, to);
  for (size_t d = 0; d < echo_type_rank(type); d++)
    if (to[d] == as.dim &&
        echo_type_dim(type, d) == echo_type_dim(echo_op_result_type(op, 0), as.dim))
      return (EchoSplit){.kind = ECHO_SPLIT_PART, .dim = (uint8_t)d, .outer = as.outer};
  return (EchoSplit){.kind = ECHO_SPLIT_WHOLE};
}

static EchoValue *clone_part(EchoSplitWriter *w, const EchoOp *op, EchoSplit as)
{
  EchoBuilder b = echo_builder_behind(w, echo_op_result(op, 0));
  EchoOp *part = echo_builder_insert(&b, echo_op_clone(op, NULL));
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoSplit split = operand_split(op, i, as);
    if (split.kind == ECHO_SPLIT_PART)
      echo_op_set_operand(part, i, echo_made_or_null(w, echo_op_operand(op, i), split));
  }
  echo_value_set_type(echo_op_result(part, 0), echo_split_type(w, echo_op_result_type(op, 0), as));
  return echo_op_result(part, 0);
}

static EchoValue *constant_part_or_null(EchoSplitWriter *w, EchoValue *value, EchoSplit as)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      !constant->as.elements.is_splat)
    return NULL;
  EchoBuilder b = echo_builder_behind(w, value);
  const EchoType *type = echo_split_type(w, value->type, as);
  return echo_hlo_constant(&b, echo_attr_elements(w->ctx, type, constant->as.elements.data,
                                                  echo_type_element_bytes(type), true));
}

/* Makes the part, where those of the op's operands were made. */
static EchoValue *make_part(EchoSplitWriter *w, EchoValue *value, EchoSplit as)
{
  EchoOp *op = echo_value_def_or_null(value);
  EchoValue *part = constant_part_or_null(w, value, as);
  bool is_number = echo_type_element(value->type)->kind != ECHO_TYPE_COMPLEX;
  if (part != NULL)
    return part;
  if (op != NULL && echo_hlo_opcode(op) == ECHO_HLO_IOTA && as.outer == 1 && is_number)
    return count_part(w, op, as);
  return is_by_parts(op) ? clone_part(w, op, as) : slice_part(w, value, as);
}

EchoValue *echo_cut_value(EchoSplitWriter *w, EchoValue *value, EchoSplit as)
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
    for (uint32_t i = 0; is_by_parts(op) && i < op->n_operands; i++) {
      EchoSplit split = operand_split(op, i, cut.as);
      if (split.kind == ECHO_SPLIT_PART &&
          echo_made_or_null(w, echo_op_operand(op, i), split) == NULL)
        echo_vector_push(&open, (Cut){echo_op_operand(op, i), split});
    }
    if (open.size == before)
      echo_make(w, cut.value, cut.as, make_part(w, cut.value, cut.as));
  }
  echo_vector_destroy(&open);
  return echo_made_or_null(w, value, as);
}
