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
  EchoStr *result_names;                      /* jax.result_info, or empty; NULL: none has any */
  int64_t *result_alias;                      /* tf.aliasing_output: result -> argument, or -1 */
  int64_t *arg_alias;                         /* the other way round */
  int64_t *result_places; /* behind bufferization: the argument of main that it is, or -1 */
  bool draws;             /* behind the arguments main has one that is hidden: ECHO_RANDOM_STATE */
  EchoOp *main;
} Signature;

/* False after diagnostics: no main, shapes or types that cannot be held, impossible aliases. */
bool signature_read(EchoOp *module, EchoArena *arena, Signature *signature);

/* "res3", or what JAX calls a result ("result['loss']"); false: no result, or several, has it. */
bool signature_find_result(const Signature *signature, EchoStr name, size_t *result);
/* "res3", and behind it what JAX calls it. */
void signature_append_result(const Signature *signature, size_t result, EchoBuffer *out);

/* The result that --loss=TEXT means, a number or JAX's name; -1 where main has none of that name.
 * `main` is as it was read. */
int64_t signature_loss(const EchoOp *main, EchoStr text);

/* What main says of a result: behind bufferization at the argument that it is. */
const EchoAttr *signature_result_attr_or_null(const Signature *signature, size_t result,
                                              const char *name);

#endif
