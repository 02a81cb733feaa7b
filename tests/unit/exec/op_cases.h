/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One function, or more, for each op that computes: what tests/unit/exec/op_matrix_test.c runs in
 * every element type that the op takes. An op without a case fails that test. */
#ifndef ECHO_TESTS_UNIT_EXEC_OP_CASES_H
#define ECHO_TESTS_UNIT_EXEC_OP_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Element types, in the order of OP_TYPES. */
enum { N_OP_TYPES = 13 };
extern const char *const OP_TYPES[N_OP_TYPES];
enum {
  OP_F64 = 1 << 0,
  OP_F32 = 1 << 1,
  OP_F16 = 1 << 2,
  OP_BF16 = 1 << 3,
  OP_I1 = 1 << 4,
  OP_SIGNED = 0xf << 5,   /* i8 i16 i32 i64 */
  OP_UNSIGNED = 0xf << 9, /* ui8 ui16 ui32 ui64 */
  OP_FLOATS = OP_F64 | OP_F32 | OP_F16 | OP_BF16,
  OP_INTEGERS = OP_SIGNED | OP_UNSIGNED,
  OP_BITS = OP_I1 | OP_INTEGERS,
  OP_ARITHMETIC = OP_FLOATS | OP_INTEGERS,
  OP_NUMBERS = OP_ARITHMETIC | OP_I1
};

typedef struct OpCase {
  const char *op;   /* "stablehlo.add": the text must hold it */
  unsigned types;   /* exactly these pass the verifier */
  const char *text; /* of a function from its argument list on; $T = element type, $R = the neutral
                       of a maximum, $Z = zero */
  /* Distance allowed between kernel and interpreter: 0 = equal bits. f16 and bf16 are computed in
   * f32 and rounded once, by both: one unit. */
  double f64_ulps, f32_ulps, half_ulps;
  double scale; /* ulps count at this magnitude or above: sums that cancel */
  double low, high;
  int64_t int_low, int_high;
  bool by_lowering; /* no hook evaluates it: the interpreter sees what --chlo-to-stablehlo made */
  unsigned refused; /* of `types`: nothing computes these, and an error says so */
  enum {
    OP_ANY,
    OP_SPECIAL,
    OP_WHOLE
  } values; /* floats: with infinities and NaNs; whole numbers,
               of which sums and products are exact */
} OpCase;

extern const OpCase OP_CASES[];
extern const size_t N_OP_CASES;

/* Ops that nothing compiles, with the reason. */
typedef struct OpExcuse {
  const char *op, *reason;
} OpExcuse;
extern const OpExcuse OP_EXCUSES[];
extern const size_t N_OP_EXCUSES;

#endif
