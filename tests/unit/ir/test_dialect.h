/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A small dialect for testing ir/ by itself: one op for each trait and hook that the files of ir/
 * look at. */
#ifndef ECHO_TESTS_UNIT_IR_TEST_DIALECT_H
#define ECHO_TESTS_UNIT_IR_TEST_DIALECT_H

#include "ir/builder.h"
#include "ir/table/dialect.h"

extern const EchoDialect TEST_DIALECT;

/* A context with the dialect, and a test.module with one empty block. */
typedef struct TestIr {
  EchoContext *ctx;
  EchoOp *module;
  EchoBlock *body;
  const EchoType *i32;
} TestIr;

TestIr test_ir_create(void);
void test_ir_destroy(TestIr *ir);

/* At the end of `block`, of type i32. */
EchoValue *test_const(TestIr *ir, EchoBlock *block, int64_t value);
EchoValue *test_binary(TestIr *ir, EchoBlock *block, const char *name, EchoValue *lhs,
                       EchoValue *rhs);
EchoValue *test_unary(TestIr *ir, EchoBlock *block, const char *name, EchoValue *operand);
/* Uses `values`; has an effect, so that it and they stay. */
EchoOp *test_use(TestIr *ir, EchoBlock *block, EchoValue *const *values, size_t n);
/* An op with `n_regions` regions of one empty block each, and `n_results` results of i32. */
EchoOp *test_with_regions(TestIr *ir, EchoBlock *block, const char *name, size_t n_results,
                          size_t n_regions);
void test_return(TestIr *ir, EchoBlock *block, EchoValue *const *values, size_t n);
void test_branch(TestIr *ir, EchoBlock *block, EchoBlock *const *successors, size_t n);

/* splitmix64: a stream of its own for each seed. */
static inline uint64_t test_random(uint64_t *state)
{
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* Counts messages equal to `text` among all diagnostics and their notes. */
size_t test_n_messages(const EchoContext *ctx, const char *text);

#endif
