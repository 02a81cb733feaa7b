/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making ops one after the other at an insertion point. The builder sets location and inserts; it
 * leaves to echo_verify what its arguments alone do not tell. */
#ifndef ECHO_IR_BUILDER_H
#define ECHO_IR_BUILDER_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

struct EchoBuilder {
  EchoContext *ctx;
  EchoBlock *block; /* NULL = created ops stay detached */
  EchoOp *before;   /* insert before this op; NULL = at the end of block */
  EchoLoc loc;      /* given to every op built */
  const EchoAttr
      *attrs; /* discardable attributes given to every op built (e.g. the phase); may be NULL */
  void (*inserted)(void *user, EchoOp *op); /* sees every op that is inserted; NULL = nobody */
  void *inserted_user;
};

EchoBuilder echo_builder_at_end(EchoContext *ctx, EchoBlock *block);
EchoBuilder echo_builder_before(EchoOp *op); /* location of `op` */
EchoBuilder echo_builder_after(EchoOp *op);

/* One attribute of a build call. */
typedef struct EchoAttrArg {
  const char *name;
  const EchoAttr *value; /* NULL = left out */
} EchoAttrArg;

/* General form. `attrs` may be NULL when n_attrs is 0; names that the row lists become properties.
 * result_types NULL and n_results 0 = inferred by the row's infer hook (or, for ECHO_SAME_TYPE, the
 * first operand's type).
 *   errors   NULL after a misuse (ir/diagnostics.h): no such row, counts that are not the row's, a
 *            list that is NULL and has a count, a NULL or a value of another context in one, an
 *            operand that is not of its type, result types that cannot be inferred; in a pass,
 *            where code and not input made the call, all of these panic
 * What a row's own verifier asks for beyond that, echo_verify finds. */
EchoOp *echo_build_op(EchoBuilder *builder, const char *name, EchoValue *const *operands,
                      size_t n_operands, const EchoType *const *result_types, size_t n_results,
                      const EchoAttrArg *attrs, size_t n_attrs);
/* With regions (empty) and successors. */
EchoOp *echo_build_op_with_regions(EchoBuilder *builder, const char *name,
                                   EchoValue *const *operands, size_t n_operands,
                                   const EchoType *const *result_types, size_t n_results,
                                   const EchoAttrArg *attrs, size_t n_attrs, size_t n_regions);
/* Shorthands that return result 0, NULL where the op is; result type inferred when `type` is NULL.
 */
EchoValue *echo_build_unary(EchoBuilder *builder, const char *name, EchoValue *operand,
                            const EchoType *type);
EchoValue *echo_build_binary(EchoBuilder *builder, const char *name, EchoValue *lhs, EchoValue *rhs,
                             const EchoType *type);
/* Inserts a detached op at the insertion point; NULL, with the op left as it is, after a misuse. */
EchoOp *echo_builder_insert(EchoBuilder *builder, EchoOp *op);

/* What builders of one op begin and end with. Arguments that are needed before echo_build_op sees
 * them: false for a builder that is NULL or has no context, and after a misuse that names the
 * argument, `name`: a pointer that is NULL; a type, an attribute or a value of another context; a
 * list that is NULL and has a count, or holds a NULL or a value of another context. */
bool echo_builder_check(const EchoBuilder *builder, const char *op, const char *name,
                        const void *argument);
bool echo_builder_check_type(const EchoBuilder *builder, const char *op, const char *name,
                             const EchoType *type);
bool echo_builder_check_attr(const EchoBuilder *builder, const char *op, const char *name,
                             const EchoAttr *attr);
bool echo_builder_check_value(const EchoBuilder *builder, const char *op, const char *name,
                              const EchoValue *value);
bool echo_builder_check_values(const EchoBuilder *builder, const char *op, const char *name,
                               EchoValue *const *values, size_t n);
/* Result 0 of an op that was built; NULL for one that was refused. */
static inline EchoValue *echo_built_result(const EchoOp *op)
{
  return op != NULL ? echo_op_result(op, 0) : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
