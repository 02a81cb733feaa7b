/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arith dialect, MLIR's by name and meaning: scalar and vector arithmetic without effects. This
 * header has the predicates' numbers and builders that write MLIR's default attributes out, so that
 * printed text is what mlir-opt prints. Builders fold nothing, except the index ones, which say so.
 */
#ifndef ECHO_DIALECTS_ARITH_ARITH_H
#define ECHO_DIALECTS_ARITH_ARITH_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the "predicate" attribute. */
typedef enum EchoCmpfPredicate {
  ECHO_CMPF_FALSE,
  ECHO_CMPF_OEQ,
  ECHO_CMPF_OGT,
  ECHO_CMPF_OGE,
  ECHO_CMPF_OLT,
  ECHO_CMPF_OLE,
  ECHO_CMPF_ONE,
  ECHO_CMPF_ORD,
  ECHO_CMPF_UEQ,
  ECHO_CMPF_UGT,
  ECHO_CMPF_UGE,
  ECHO_CMPF_ULT,
  ECHO_CMPF_ULE,
  ECHO_CMPF_UNE,
  ECHO_CMPF_UNO,
  ECHO_CMPF_TRUE
} EchoCmpfPredicate;

typedef enum EchoCmpiPredicate {
  ECHO_CMPI_EQ,
  ECHO_CMPI_NE,
  ECHO_CMPI_SLT,
  ECHO_CMPI_SLE,
  ECHO_CMPI_SGT,
  ECHO_CMPI_SGE,
  ECHO_CMPI_ULT,
  ECHO_CMPI_ULE,
  ECHO_CMPI_UGT,
  ECHO_CMPI_UGE
} EchoCmpiPredicate;

/* arith.constant of an integer or index type. */
EchoValue *echo_arith_int(EchoBuilder *builder, const EchoType *type, int64_t value);
EchoValue *echo_arith_index(EchoBuilder *builder, int64_t value);
/* arith.constant of a float type, rounded to it; and by its bits. */
EchoValue *echo_arith_float(EchoBuilder *builder, const EchoType *type, double value);
EchoValue *echo_arith_float_bits(EchoBuilder *builder, const EchoType *type, uint64_t bits);
/* An op of two operands and one result of the same type: "arith.addf", "arith.muli", "math.powf" …
 */
EchoValue *echo_arith_binary(EchoBuilder *builder, const char *name, EchoValue *lhs,
                             EchoValue *rhs);
/* One operand; type NULL = the operand's: "arith.negf", "arith.extf", "math.exp" … */
EchoValue *echo_arith_unary(EchoBuilder *builder, const char *name, EchoValue *operand,
                            const EchoType *type);
EchoValue *echo_arith_cmpf(EchoBuilder *builder, EchoCmpfPredicate predicate, EchoValue *lhs,
                           EchoValue *rhs);
EchoValue *echo_arith_cmpi(EchoBuilder *builder, EchoCmpiPredicate predicate, EchoValue *lhs,
                           EchoValue *rhs);
EchoValue *echo_arith_select(EchoBuilder *builder, EchoValue *condition, EchoValue *on_true,
                             EchoValue *on_false);
/* math.fma: a * b + c, rounded once. */
EchoValue *echo_math_fma(EchoBuilder *builder, EchoValue *a, EchoValue *b, EchoValue *c);

/* The operation of a constant integer or index value; false when `value` is not one. */
bool echo_arith_constant_i64(const EchoValue *value, int64_t *result);

#ifdef __cplusplus
}
#endif

#endif
