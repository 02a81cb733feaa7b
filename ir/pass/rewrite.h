/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pattern rewriting to a fixpoint with a worklist: folds from the op table, dead ops, and patterns
 * given as table rows. Laws of a pattern: it looks only at the op and what its operands reach; it
 * changes the IR only through the rewriter; it returns true exactly when it changed something; it
 * makes the IR smaller or cheaper by a measure that ends; numerics stay bit for bit (no
 * reassociation, no folding of inexact float ops). */
#ifndef ECHO_IR_PASS_REWRITE_H
#define ECHO_IR_PASS_REWRITE_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct EchoRewriter {
  EchoBuilder builder; /* set before the matched op */
  void *user;          /* of the options */
  struct EchoRewriteDriver *driver;
};

typedef bool EchoPatternFn(EchoRewriter *rewriter, EchoOp *op);

typedef struct EchoPattern {
  const char *op; /* name of the root op; NULL = any op with `traits` */
  uint64_t traits;
  EchoPatternFn *apply;
  const char *summary;
} EchoPattern;

/* Replaces results by values (n = n_results) and erases the op. */
void echo_rewriter_replace(EchoRewriter *rewriter, EchoOp *op, EchoValue *const *values);
void echo_rewriter_erase(EchoRewriter *rewriter, EchoOp *op);
/* Tells the driver that `op` was changed in place or made outside the rewriter's builder. */
void echo_rewriter_changed(EchoRewriter *rewriter, EchoOp *op);

typedef struct EchoRewriteOptions {
  const EchoPattern *patterns; /* may be NULL */
  size_t n_patterns;
  void *user;            /* what patterns share; may be NULL */
  bool fold;             /* use the rows' fold hooks and erase dead ops */
  uint64_t max_rewrites; /* 0 = no bound */
} EchoRewriteOptions;

/* Applies greedily inside `root` until nothing matches. Returns false when the bound was hit;
 * *n_rewrites may be NULL. O(rewrites + ops). */
bool echo_rewrite_greedily(EchoOp *root, const EchoRewriteOptions *options, uint64_t *n_rewrites);

/* Patterns that a dialect contributes to canonicalize are registered with the context by the tool.
 */
void echo_context_add_canonicalization(EchoContext *ctx, const EchoPattern *patterns, size_t n);

#ifdef __cplusplus
}
#endif

#endif
