/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A dialect: a name, a table of op rows, constraints, and hooks for its attributes and types.
 * Tables are static and const; a context holds pointers to them. */
#ifndef ECHO_IR_TABLE_DIALECT_H
#define ECHO_IR_TABLE_DIALECT_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoTypeConstraint {
  const char *name;
  EchoTypeConstraintFn *holds;
} EchoTypeConstraint;

typedef struct EchoAttrConstraint {
  const char *name;
  EchoAttrConstraintFn *holds;
} EchoAttrConstraint;

struct EchoDialect {
  const char *name;
  const char *former_name; /* text that calls it so is read as if it said `name`; may be NULL */
  /* Ops that have another name today than `name` and their own, as pairs: "copy",
   * "stablehlo.optimization_barrier". Ends with a NULL; may be NULL. */
  const char *const (*former_ops)[2];
  const char *summary;
  const EchoOpInfo *ops;
  size_t n_ops;
  const EchoTypeConstraint *type_constraints; /* ends with a NULL name; may be NULL */
  const EchoAttrConstraint *attr_constraints; /* likewise */
  /* Parses the text of an opaque attribute of this dialect into a payload in the context's arena,
   * once, when the attribute is uniqued. NULL payload = nothing special. False after an error at
   * `loc`. May be NULL. */
  bool (*parse_attr)(EchoContext *ctx, EchoLoc loc, EchoStr text, bool is_pretty,
                     const void **payload);
  /* Writes the text that the dialect's own printer gives an attribute with this payload, when that
   * differs from `text`; false = it stays as written. Its answer for its own answer is false. May
   * be NULL. */
  bool (*canonical_attr)(EchoContext *ctx, const void *payload, EchoStr text, bool is_pretty,
                         EchoBuffer *out);
  /* Whether a tensor of these dimensions may have an attribute of this dialect as its encoding,
   * where one is read; false with a reason in *error. May be NULL. */
  bool (*check_encoding)(const EchoAttr *encoding, const int64_t *dims, size_t rank,
                         EchoBuffer *error);
  /* Whether a value of a tensor type with this encoding may have these dimensions, of which dynamic
   * ones are any. May be NULL. */
  bool (*encoding_takes)(const EchoAttr *encoding, const int64_t *dims, size_t rank);
  /* Checks the text of a type of this dialect where it is read; false after an error at `loc`. May
   * be NULL. */
  bool (*check_type)(EchoContext *ctx, EchoLoc loc, EchoStr text);
  /* Appends the text that MLIR prints for a type that was read as `text` and holds no aliases;
   * false = it stays as written. May be NULL. */
  bool (*canonical_type)(EchoContext *ctx, EchoStr text, EchoBuffer *out);
  /* Checks discardable attributes of this dialect ("dialect.name") on any op. May be NULL. */
  bool (*verify_op_attr)(const EchoOp *op, const EchoNamedAttr *attr);
  /* Makes the op that holds a folded constant, before `before`; NULL when the dialect cannot. May
   * be NULL. */
  EchoOp *(*materialize_constant)(EchoBuilder *builder, const EchoAttr *value,
                                  const EchoType *type);
  /* The stages of a compile in which its ops may stand, beside what the table of stages says
   * (dialects/echo/stages.h, which reads this text): "model, step..planned". NULL = none. */
  const char *stages;
  /* MLIR 19 has this dialect too: its AsmPrinter knows more of its ops than of unknown ones, and so
   * does ours. */
  bool in_mlir;
};

#ifdef __cplusplus
}
#endif

#endif
