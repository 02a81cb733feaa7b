/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers of elements in wider words than they need. JAX's random bits are a function of each
 * element's number in 64 bits, taken apart into two words of 32: of fewer than 2^32 elements the
 * upper word is zero, and the lower one is what 32 bits come to. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

#define MAX_OPS                                                                                    \
  32 /* that a number is made by: eight dimensions are seven sums of eight products                \
      */

/* Elements are integers of whole bytes, not quantized. */
static bool is_of_words(EchoContext *ctx, const EchoType *type)
{
  EchoElementKind kind = echo_type_element_kind(type);
  return echo_element_bits(kind) >= 8 && !echo_element_is_float(kind) &&
         echo_element_type(ctx, kind) == echo_type_element(type) &&
         echo_type_has_static_shape(type) && type->as.shaped.encoding == NULL;
}

static uint64_t most_of_type(const EchoType *type)
{
  EchoElementKind kind = echo_type_element_kind(type);
  uint32_t bits = echo_element_bits(kind) - !echo_element_is_unsigned(kind);
  return UINT64_MAX >> (64 - bits);
}

/* The most that an element can be, none of which is negative; false where that is not known. At
 * most *n_left ops are looked at. */
static bool find_most(const EchoValue *value, int *n_left, uint64_t *most)
{
  const EchoOp *op = echo_value_def_or_null(value);
  const EchoAttr *constant = echo_value_constant_or_null(value);
  uint64_t left, right;
  if (op == NULL || --*n_left < 0 || !is_of_words(echo_op_context(op), value->type))
    return false;
  bool is_known = false;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_CONSTANT:
    is_known = constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
               constant->as.elements.is_splat;
    *most = is_known ? (uint64_t)echo_elements_i64(constant, 0) : 0;
    break;
  case ECHO_HLO_IOTA: {
    int64_t n = echo_type_dim(value->type, (size_t)echo_op_attr_i64(op, "iota_dimension", 0));
    is_known = n > 0;
    *most = (uint64_t)n - 1;
    break;
  }
  case ECHO_HLO_BROADCAST_IN_DIM:
  case ECHO_HLO_RESHAPE:
    is_known = find_most(echo_op_operand(op, 0), n_left, most);
    break;
  case ECHO_HLO_ADD:
    is_known = find_most(echo_op_operand(op, 0), n_left, &left) &&
               find_most(echo_op_operand(op, 1), n_left, &right) &&
               !__builtin_add_overflow(left, right, most);
    break;
  case ECHO_HLO_MULTIPLY:
    is_known = find_most(echo_op_operand(op, 0), n_left, &left) &&
               find_most(echo_op_operand(op, 1), n_left, &right) &&
               !__builtin_mul_overflow(left, right, most);
    break;
  default:
    break;
  }
  return is_known && *most <= most_of_type(value->type);
}

bool echo_hlo_shift_out_count(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  int n_left = MAX_OPS, n_other = 1;
  uint64_t most, distance;
  if (!find_most(echo_op_operand(op, 1), &n_other, &distance) || distance == 0 || distance >= 64 ||
      !find_most(echo_op_operand(op, 0), &n_left, &most) || most >> distance != 0)
    return false;
  EchoValue *zero = echo_hlo_constant_i64(&rewriter->builder, type, 0);
  echo_rewriter_replace(rewriter, op, &zero);
  return true;
}

/* The result of `op` in a narrower type, from operands converted to that; NULL where it is not what
 * they come to there, bit for bit. */
static EchoValue *narrow_or_null(EchoBuilder *b, const EchoOp *op, const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  switch (opcode) {
  case ECHO_HLO_ADD:
  case ECHO_HLO_MULTIPLY: {
    EchoValue *left = echo_hlo_convert(b, echo_op_operand(op, 0), element);
    EchoValue *right = echo_hlo_convert(b, echo_op_operand(op, 1), element);
    return opcode == ECHO_HLO_ADD ? echo_hlo_add(b, left, right)
                                  : echo_hlo_multiply(b, left, right);
  }
  case ECHO_HLO_CONSTANT: { /* however large */
    const EchoAttr *number = echo_value_constant_or_null(echo_op_result(op, 0));
    bool is_one =
        number != NULL && number->kind == ECHO_ATTR_DENSE_ELEMENTS && number->as.elements.is_splat;
    return is_one ? echo_hlo_constant_i64(b, type, echo_elements_i64(number, 0)) : NULL;
  }
  case ECHO_HLO_IOTA: {
    int64_t dim = echo_op_attr_i64(op, "iota_dimension", 0);
    uint64_t n = (uint64_t)echo_type_dim(type, (size_t)dim);
    return n <= most_of_type(type) ? echo_hlo_iota(b, type, dim) : NULL;
  }
  default:
    return NULL;
  }
}

bool echo_hlo_count_in_narrow_type(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0), *wide = echo_op_operand_type(op, 0);
  EchoContext *ctx = echo_op_context(op);
  EchoOp *def = echo_value_def_or_null(echo_op_operand(op, 0));
  if (def == NULL || !is_of_words(ctx, type) || !is_of_words(ctx, wide) ||
      echo_element_bits(echo_type_element_kind(type)) >=
          echo_element_bits(echo_type_element_kind(wide)) ||
      (def->n_operands != 0 && !echo_value_has_one_use(echo_op_operand(op, 0))))
    return false;
  EchoValue *narrow = narrow_or_null(&rewriter->builder, def, type);
  if (narrow == NULL)
    return false;
  echo_rewriter_replace(rewriter, op, &narrow);
  if (echo_value_is_unused(echo_op_result(def, 0))) /* before its operands are looked at */
    echo_rewriter_erase(rewriter, def);
  return true;
}
