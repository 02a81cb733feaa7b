/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the infer and verify hooks of this folder (and chlo) share. Inference works on an
 * EchoOpState, so that the parser, the builder and the verifier run the same code; every function
 * reports through echo_hlo_error and returns false then. Dimensions may be ECHO_DYNAMIC: two
 * dimensions agree when they are equal or one is not known. */
#ifndef ECHO_DIALECTS_STABLEHLO_INFER_SHAPE_T_H
#define ECHO_DIALECTS_STABLEHLO_INFER_SHAPE_T_H

#include "dialects/quant/quant.h"
#include "dialects/stablehlo/attributes/attributes_t.h"
#include "ir/table/op_info.h"

/* "'stablehlo.op' op message" at the op under construction; returns false. */
bool echo_hlo_error(const EchoOpState *state, const char *format, ...) ECHO_PRINTF(2, 3);

/* The state that would make `op`; its operands lie in *operands, which the caller frees with
 * echo_free. */
EchoOpState echo_hlo_state_of(const EchoOp *op, EchoValue ***operands);

/* ---- reading a state ---- */

static inline const EchoType *echo_hlo_state_type(const EchoOpState *state, size_t operand)
{
  return state->operands[operand]->type;
}
/* Property or, as old text has it, discardable attribute. */
const EchoAttr *echo_hlo_state_attr_or_null(const EchoOpState *state, const char *name);
EchoDimList echo_hlo_state_dims(const EchoOpState *state, const char *name);
int64_t echo_hlo_state_i64(const EchoOpState *state, const char *name, int64_t otherwise);
/* Payload of a required attribute; NULL after an error. */
const EchoHloPayload *echo_hlo_state_payload_or_null(const EchoOpState *state, const char *name,
                                                     EchoHloAttrKind kind);
/* The type of a ranked operand; NULL after an error. */
const EchoType *echo_hlo_state_tensor_or_null(const EchoOpState *state, size_t operand);
/* The types of operands 0 and 1; false when one of them is no ranked tensor. */
bool echo_hlo_state_tensor_pair(const EchoOpState *state, const EchoType **lhs,
                                const EchoType **rhs);

/* ---- dimensions and types ---- */

static inline bool echo_hlo_dims_agree(int64_t a, int64_t b)
{
  return a == b || a == ECHO_DYNAMIC || b == ECHO_DYNAMIC;
}
/* The known one of two dimensions that agree. */
static inline int64_t echo_hlo_merge_dim(int64_t a, int64_t b)
{
  return a == ECHO_DYNAMIC ? b : a;
}
/* Ranked tensors (or other types that are equal) whose shapes agree; element types are not looked
 * at. */
bool echo_hlo_shapes_agree(const EchoType *a, const EchoType *b);
/* The same and equal element types; a quantized element type agrees with what it expresses or
 * stores. */
bool echo_hlo_types_agree(const EchoType *a, const EchoType *b);
bool echo_hlo_elements_agree(const EchoType *a, const EchoType *b);
static inline bool echo_hlo_is_quantized(const EchoType *element)
{
  return echo_is_quantized(element);
}
/* Element type f16 … of a tensor whose element type may be quantized or complex. */
const EchoType *echo_hlo_real_element(const EchoType *element);

/* Dimension lists: in [0, rank), without repetition; `what` names the list in messages. */
bool echo_hlo_check_dims(const EchoOpState *state, EchoDimList dims, int64_t rank,
                         const char *what);
bool echo_hlo_check_ascending(const EchoOpState *state, EchoDimList dims, const char *what);
bool echo_hlo_check_size(const EchoOpState *state, size_t size, size_t wanted, const char *what);
/* Windows of an op under construction, checked: sizes, strides and dilations positive; lists of the
 * right length. The names are those of the attributes; any may be absent. */
typedef struct EchoHloWindowNames {
  const char *strides, *base_dilations, *window_dilations, *reversal;
} EchoHloWindowNames;
bool echo_hlo_state_windows(const EchoOpState *state, EchoDimList sizes,
                            const EchoHloWindowNames *names, EchoWindowDim *windows);
/* Output size of a window over a dimension that may be dynamic; false after an error. */
bool echo_hlo_window_dim(const EchoOpState *state, const EchoWindowDim *window, int64_t base,
                         int64_t *dim);

/* One inferred result. */
bool echo_hlo_infer_one(const EchoType **types, size_t *n_types, const EchoType *type);
/* One result: a tensor of `operand`'s element type. */
bool echo_hlo_infer_shape(const EchoOpState *state, const EchoType *operand, const int64_t *dims,
                          size_t rank, const EchoType **types, size_t *n_types);
const EchoType *echo_hlo_make_tensor(const EchoOpState *state, const int64_t *dims, size_t rank,
                                     const EchoType *element);

/* ---- operands that say a shape, where they are constants ---- */

/* The numbers of a constant operand of at most ECHO_MAX_RANK integers; false: it is none. */
bool echo_hlo_constant_dims(const EchoOp *op, size_t operand, int64_t *dims, size_t *n);
/* What the operand says fits the result's type (shape), the number of operand 0's elements, its
 * dimensions under a map of them, and for dynamic_pad all three. */
bool echo_hlo_check_said_shape(const EchoOp *op, size_t operand);
bool echo_hlo_check_said_count(const EchoOp *op, size_t operand);
bool echo_hlo_check_said_broadcast(const EchoOp *op, size_t operand, EchoDimList map);
bool echo_hlo_check_said_padding(const EchoOp *op);

/* ---- quantized element types: errors stand at the finished op ---- */

bool echo_hlo_check_quantized_reshape(const EchoOp *op);
bool echo_hlo_check_quantized_broadcast(const EchoOp *op, EchoDimList map);
/* conv: of a convolution; NULL: a product, which contracts these dimensions of rhs. */
bool echo_hlo_check_quantized_contraction(const EchoOp *op, const EchoConvDims *conv,
                                          EchoDimList contracting);

/* ---- regions ---- */

/* The terminator's operands types of the region's only block; NULL when it is missing (which the
 * core verifier reports). */
const EchoOp *echo_hlo_terminator_or_null(const EchoRegion *region);
/* A reduction body: 2n arguments and n results, scalars or tensors of some of the dimensions
 * `kept`. inputs[i] has the element type of group i; accumulation types are those of the terminator
 * and go to elements[i]. */
bool echo_hlo_check_reducer(const EchoOpState *state, const EchoRegion *region,
                            const EchoType *const *inputs, const EchoType *const *inits, size_t n,
                            EchoDimList kept, const EchoType **elements);

#endif
