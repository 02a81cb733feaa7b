/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of this folder share. */
#ifndef ECHO_DIALECTS_STABLEHLO_EVALUATE_EVALUATE_T_H
#define ECHO_DIALECTS_STABLEHLO_EVALUATE_EVALUATE_T_H

#include "dialects/interfaces/denormals.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/window_scan.h"

/* An uninitialised tensor of the type of result i. */
static inline EchoTensor *echo_hlo_new_result(const EchoOp *op, size_t i)
{
  return echo_tensor_create(echo_op_result_type(op, i), false);
}

/* An element as arithmetic sees it, and a result as it leaves it: where the thread flushes
 * denormals, they are zeros. What only moves bits uses echo_tensor_get_f64 and _set_f64. */
static inline double echo_hlo_flushed(const EchoTensor *tensor, double value)
{
  const EchoType *element = tensor->type->as.shaped.element;
  return element->kind == ECHO_TYPE_FLOAT ? echo_denormal_flushed(element->as.float_kind, value)
                                          : value;
}

static inline double echo_hlo_get_number(const EchoTensor *tensor, int64_t index)
{
  return echo_hlo_flushed(tensor, echo_tensor_get_f64(tensor, index));
}

static inline void echo_hlo_set_number(EchoTensor *tensor, int64_t index, double value)
{
  echo_tensor_set_f64(tensor, index, echo_hlo_flushed(tensor, value));
}

/* Copies element `from` of `source` to element `to` of `target`, whose element types are the same.
 */
void echo_hlo_copy_element(EchoTensor *target, int64_t to, const EchoTensor *source, int64_t from);

/* Multi-dimensional counting: index[] steps through all positions of `dims` in row-major order;
 * false when it is past the last. */
static inline bool echo_hlo_next_index(const int64_t *dims, size_t rank, int64_t *index)
{
  for (size_t d = rank; d-- > 0;) {
    if (++index[d] < dims[d])
      return true;
    index[d] = 0;
  }
  return false;
}

/* Row-major position of `index` in `type`'s shape. */
static inline int64_t echo_hlo_linear(const EchoType *type, const int64_t *index)
{
  int64_t linear = 0;
  for (uint32_t d = 0; d < echo_type_rank(type); d++)
    linear = linear * echo_type_dim(type, d) + index[d];
  return linear;
}

/* target[i] = a[j] op b[k] for a row of two operands: floats through double (correctly rounded for
 * + - * / min max: 53 >= 2 * 24 + 2), integers modulo 2^width. */
void echo_hlo_binary_element(EchoHloOpcode opcode, EchoTensor *target, int64_t i,
                             const EchoTensor *a, int64_t j, const EchoTensor *b, int64_t k);

/* The opcode of a region that is one binary op on its two arguments, in order; ECHO_N_HLO_OPCODES
 * otherwise. */
EchoHloOpcode echo_hlo_region_opcode(const EchoRegion *region);

/* accumulators[k][to] = region(accumulators[k][to] …, x[k][from] …), k < n; `opcode` (n = 1)
 * instead of running the region where it is not ECHO_N_HLO_OPCODES. */
bool echo_hlo_fold_in(EchoEvaluator *evaluator, const EchoRegion *region, EchoHloOpcode opcode,
                      EchoTensor **accumulators, int64_t to, const EchoTensor *const *x,
                      int64_t from, size_t n);

/* y = the contraction of lhs and rhs; types as dot_general has them. */
void echo_hlo_contract(EchoTensor *y, const EchoTensor *lhs, const EchoTensor *rhs,
                       const EchoDotDims *dims);

/* A reduce_window of a form other than DIRECT, into `results`, which are there. Linear in elements
 * and results. False when its body fails. */
bool echo_hlo_evaluate_window_scan(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoWindowScan *form, const EchoTensor *const *operands,
                                   EchoTensor **results);

#endif
