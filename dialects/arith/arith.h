/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arith dialect, MLIR's by name and meaning: scalar and vector arithmetic without effects. This
 * header has builders that write MLIR's default attributes out, so that printed text is what
 * mlir-opt prints; what the ops mean is in dialects/interfaces/scalar.h. Builders fold nothing;
 * a NULL, or what does not fit, is a misuse as for echo_build_op, and the answer NULL. */
#ifndef ECHO_DIALECTS_ARITH_ARITH_H
#define ECHO_DIALECTS_ARITH_ARITH_H

#include "dialects/interfaces/scalar.h"
#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

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
/* a / b for b in [1, 2] and |a| at most b, to within 0.7 units of the last place: of f32 nine
 * multiplications and additions, where a GPU makes fourteen instructions of a division; other types
 * divide. */
EchoValue *echo_arith_quotient(EchoBuilder *builder, EchoValue *a, EchoValue *b);

/* The operation of a constant integer or index value; false when `value` is not one. */
bool echo_arith_constant_i64(const EchoValue *value, int64_t *result);

#ifdef __cplusplus
}
#endif

#endif
