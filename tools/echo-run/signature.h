/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What main takes and gives, as tensors, read off a module at any stage: before planning from its
 * function type, behind it from buffers and their attributes. */
#ifndef ECHO_TOOLS_ECHO_RUN_SIGNATURE_H
#define ECHO_TOOLS_ECHO_RUN_SIGNATURE_H

#include "base/arena.h"
#include "dialects/echo/stages.h"

typedef struct Signature {
  size_t n_args, n_results;
  const EchoType **arg_types, **result_types; /* ranked, static, with an element kind */
  EchoStr *arg_roles;                         /* echo.role, or empty */
  int64_t *result_alias;                      /* tf.aliasing_output: result -> argument, or -1 */
  int64_t *arg_alias;                         /* the other way round */
  int64_t *result_places; /* behind bufferization: the argument of main that it is, or -1 */
  EchoOp *main;
} Signature;

/* False after diagnostics: no main, shapes or types that cannot be held, impossible aliases. */
bool signature_read(EchoOp *module, EchoArena *arena, Signature *signature);

/* What main says of a result: behind bufferization at the argument that it is. */
const EchoAttr *signature_result_attr_or_null(const Signature *signature, size_t result,
                                              const char *name);

#endif
