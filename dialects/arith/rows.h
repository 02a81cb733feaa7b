/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* clang-format off */
/* The ops of arith and what they mean on scalars, a row each. Every reader expands this list: the op
 * table (dialects/arith/table.c), the opcodes and the evaluation of scalars (dialects/interfaces/
 * scalar.h), through it folds and the GPU simulator, and code generation (codegen/emit_arith.c),
 * where a row without an emit function does not compile.
 *
 * Columns: form, opcode, MLIR's name, traits beyond the form's, summary, then what the form asks
 * for:
 *   CONSTANT              nothing (-): a value, not a computation
 *   INT, INT_FLAGS        identity e (x op e = x, or NONE), absorbing z (x op z = z, or NONE), when
 *                         the result is not poison, the result; FLAGS: with overflowFlags, which
 *                         fold as none
 *   INT_PAIR, INT_CARRY   first result, second result; CARRY: the second is an i1
 *   FLOAT                 when every target gives the same result (NaN apart), the result
 *   SIGN                  the result's bits
 *   CMPI, CMPF            nothing (-): the predicates are lists of their own, below
 *   SELECT                nothing (-)
 *   INT_CAST, INDEX_CAST  verifier, the result; INDEX_CAST: memrefs may be seen so too
 *   BITCAST, EXTF, TRUNCF nothing (-)
 *   INT_TO_FLOAT, FLOAT_TO_INT   whether the integer is signed
 * In these expressions a and b are the operands: int64_t, sign-extended, or double; ua and ub are
 * integers zero-extended; bits and sign are an operand's bits and the sign bit's mask; width is the
 * integer type's. Results are cut to their type: integers modulo 2^width, floats rounded once. */
#ifndef ECHO_DIALECTS_ARITH_ROWS_H
#define ECHO_DIALECTS_ARITH_ROWS_H

#include "ir/table/op_info.h" /* the traits */

#define ECHO_ARITH_ROWS(X) \
  X(CONSTANT, CONSTANT, constant, 0, "An integer, index, float or vector constant", -) \
  X(INT_FLAGS, ADDI, addi, ECHO_COMMUTATIVE, "Sum, modulo 2^width", \
    0, NONE, true, ua + ub) \
  X(INT_FLAGS, SUBI, subi, 0, "Difference, modulo 2^width", \
    0, NONE, true, ua - ub) \
  X(INT_FLAGS, MULI, muli, ECHO_COMMUTATIVE, "Product, modulo 2^width", \
    1, 0, true, ua * ub) \
  X(INT_FLAGS, SHLI, shli, 0, "Left shift; poison when the amount is not below the width", \
    0, NONE, ub < width, ua << ub) \
  X(INT, SHRUI, shrui, 0, "Right shift, zeros in", \
    0, NONE, ub < width, ua >> ub) \
  X(INT, SHRSI, shrsi, 0, "Right shift, sign in", \
    0, NONE, ub < width, a >> ub) \
  X(INT, ANDI, andi, ECHO_COMMUTATIVE | ECHO_IDEMPOTENT, "Bitwise and", \
    -1, 0, true, ua & ub) \
  X(INT, ORI, ori, ECHO_COMMUTATIVE | ECHO_IDEMPOTENT, "Bitwise or", \
    0, -1, true, ua | ub) \
  X(INT, XORI, xori, ECHO_COMMUTATIVE, "Bitwise exclusive or", \
    0, NONE, true, ua ^ ub) \
  X(INT, MAXSI, maxsi, ECHO_COMMUTATIVE, "Signed maximum", \
    NONE, NONE, true, a > b ? a : b) \
  X(INT, MAXUI, maxui, ECHO_COMMUTATIVE, "Unsigned maximum", \
    0, -1, true, ua > ub ? ua : ub) \
  X(INT, MINSI, minsi, ECHO_COMMUTATIVE, "Signed minimum", \
    NONE, NONE, true, a < b ? a : b) \
  X(INT, MINUI, minui, ECHO_COMMUTATIVE, "Unsigned minimum", \
    -1, 0, true, ua < ub ? ua : ub) \
  X(INT, DIVSI, divsi, 0, "Signed quotient towards zero", \
    1, NONE, divides(a, b, width), a / b) \
  X(INT, DIVUI, divui, 0, "Unsigned quotient", \
    1, NONE, ub != 0, ua / ub) \
  X(INT, REMSI, remsi, 0, "Signed remainder, sign of the dividend", \
    NONE, NONE, divides(a, b, width), a % b) \
  X(INT, REMUI, remui, 0, "Unsigned remainder", \
    NONE, NONE, ub != 0, ua % ub) \
  X(INT, CEILDIVSI, ceildivsi, 0, "Signed quotient towards plus infinity", \
    1, NONE, divides(a, b, width), a / b + (a % b != 0 && (a < 0) == (b < 0))) \
  X(INT, CEILDIVUI, ceildivui, 0, "Unsigned quotient, rounded up", \
    1, NONE, ub != 0, ua / ub + (ua % ub != 0)) \
  X(INT, FLOORDIVSI, floordivsi, 0, "Signed quotient towards minus infinity", \
    1, NONE, divides(a, b, width), a / b - (a % b != 0 && (a < 0) != (b < 0))) \
  X(INT_PAIR, MULUI_EXTENDED, mului_extended, 0, "Both halves of the unsigned product", \
    ua * ub, unsigned_product(ua, ub) >> width) \
  X(INT_PAIR, MULSI_EXTENDED, mulsi_extended, 0, "Both halves of the signed product", \
    ua * ub, signed_product(a, b) >> width) \
  X(INT_CARRY, ADDUI_EXTENDED, addui_extended, 0, "Unsigned sum and its carry", \
    ua + ub, zero_extend(ua + ub, width) < ua) \
  X(FLOAT, ADDF, addf, ECHO_COMMUTATIVE, "Sum, rounded to nearest even", true, a + b) \
  X(FLOAT, SUBF, subf, 0, "Difference", true, a - b) \
  X(FLOAT, MULF, mulf, ECHO_COMMUTATIVE, "Product", true, a * b) \
  X(FLOAT, DIVF, divf, 0, "Quotient", true, a / b) \
  X(FLOAT, REMF, remf, 0, "Remainder of the quotient towards zero, as C's fmod", true, fmod(a, b)) \
  X(FLOAT, MAXIMUMF, maximumf, ECHO_COMMUTATIVE, "Maximum; NaN when either is; +0 above -0", \
    true, -minimum(-a, -b)) \
  X(FLOAT, MINIMUMF, minimumf, ECHO_COMMUTATIVE, "Minimum; NaN when either is; -0 below +0", \
    true, minimum(a, b)) \
  X(FLOAT, MAXNUMF, maxnumf, 0, "Maximum; the number when the other is NaN", \
    !are_opposite_zeros(a, b), fmax(a, b)) \
  X(FLOAT, MINNUMF, minnumf, 0, "Minimum; the number when the other is NaN", \
    !are_opposite_zeros(a, b), fmin(a, b)) \
  X(SIGN, NEGF, negf, ECHO_INVOLUTION, "Flips the sign bit", bits ^ sign) \
  X(CMPI, CMPI, cmpi, 0, "Integer comparison:" ECHO_CMPI_PREDICATES(ECHO_PREDICATE_TEXT), -) \
  X(CMPF, CMPF, cmpf, 0, "Float comparison:" ECHO_CMPF_PREDICATES(ECHO_PREDICATE_TEXT), -) \
  X(SELECT, SELECT, select, 0, "One of two values", -) \
  X(INT_CAST, EXTSI, extsi, 0, "Sign extension", echo_arith_verify_widen, a) \
  X(INT_CAST, EXTUI, extui, 0, "Zero extension", echo_arith_verify_widen, ua) \
  X(INT_CAST, TRUNCI, trunci, 0, "Low bits", echo_arith_verify_narrow, ua) \
  X(INDEX_CAST, INDEX_CAST, index_cast, 0, \
    "Between index and integers, sign-extended or truncated", echo_arith_verify_index_cast, a) \
  X(INDEX_CAST, INDEX_CASTUI, index_castui, 0, \
    "Between index and integers, zero-extended or truncated", echo_arith_verify_index_cast, ua) \
  X(BITCAST, BITCAST, bitcast, 0, "The same bits as another type of the same width", -) \
  X(INT_TO_FLOAT, SITOFP, sitofp, 0, "Signed integer to float", true) \
  X(INT_TO_FLOAT, UITOFP, uitofp, 0, "Unsigned integer to float", false) \
  X(FLOAT_TO_INT, FPTOSI, fptosi, 0, \
    "Float to signed integer, towards zero; poison out of range", true) \
  X(FLOAT_TO_INT, FPTOUI, fptoui, 0, \
    "Float to unsigned integer, towards zero; poison out of range", false) \
  X(EXTF, EXTF, extf, 0, "To a wider float, exact", -) \
  X(TRUNCF, TRUNCF, truncf, 0, "To a narrower float, rounded to nearest even", -)

/* Predicates in the order of their numbers: name, MLIR's word, holds when. */
#define ECHO_CMPI_PREDICATES(X) \
  X(EQ, "eq", ua == ub) \
  X(NE, "ne", ua != ub) \
  X(SLT, "slt", a < b) \
  X(SLE, "sle", a <= b) \
  X(SGT, "sgt", a > b) \
  X(SGE, "sge", a >= b) \
  X(ULT, "ult", ua < ub) \
  X(ULE, "ule", ua <= ub) \
  X(UGT, "ugt", ua > ub) \
  X(UGE, "uge", ua >= ub)

/* o…: neither is NaN, u…: or one is. C's != holds for NaN, its other comparisons do not. */
#define ECHO_CMPF_PREDICATES(X) \
  X(FALSE, "false", false) \
  X(OEQ, "oeq", a == b) \
  X(OGT, "ogt", a > b) \
  X(OGE, "oge", a >= b) \
  X(OLT, "olt", a < b) \
  X(OLE, "ole", a <= b) \
  X(ONE, "one", a < b || a > b) \
  X(ORD, "ord", !isunordered(a, b)) \
  X(UEQ, "ueq", !(a < b || a > b)) \
  X(UGT, "ugt", !(a <= b)) \
  X(UGE, "uge", !(a < b)) \
  X(ULT, "ult", !(a >= b)) \
  X(ULE, "ule", !(a > b)) \
  X(UNE, "une", a != b) \
  X(UNO, "uno", isunordered(a, b)) \
  X(TRUE, "true", true)
/* clang-format on */

#define ECHO_PREDICATE_TEXT(id, word, holds) " " word

#endif
