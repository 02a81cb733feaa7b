/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls of one's own: a stablehlo.custom_call names a target, and a plugin or a program that
 * embeds Echo brings the function that runs where the call stands. In the IR it is a kernel.invoke,
 * or a kernel.effect where it acts on the world, of library "target". */
#ifndef ECHO_DIALECTS_KERNEL_CALL_TARGET_H
#define ECHO_DIALECTS_KERNEL_CALL_TARGET_H

#include "base/string.h"
#include "ir/attributes/attribute.h"
#include "ir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_LIBRARY_TARGET "target"

/* One call. Arrays are dense and row-major, whatever layouts the call names (they are transposed
 * before and behind it); booleans are bytes, complex numbers pairs. They are the call's for as long
 * as it runs. */
typedef struct EchoTargetCall {
  const EchoAttr *config; /* the call's backend_config: a dictionary, a string; NULL: it has none */
  size_t n_operands, n_results;
  const EchoType *const *operand_types, *const *result_types; /* tensors or buffers, static */
  const void *const *operands;
  void *const *results;                /* all of each is to be written */
  EchoBuffer *error;                   /* why the call fails, one line */
  const struct EchoCallTarget *target; /* the row that is called */
  const void *site; /* the same in all runs of one call of one executable, and in no other's */
} EchoTargetCall;

typedef struct EchoCallTarget {
  const char *name; /* call_target_name of the custom_call */
  const char *summary;
  /* false, with the reason appended to call->error, ends the run with an error at the call's place.
   * Runs on the thread that runs the step, or on one of its pool; never twice for a call that has
   * an effect (has_side_effect), in the order of the program among those. */
  bool (*run)(const EchoTargetCall *call);
  /* The same on a GPU, where operands and results are addresses of the device: asks for it on
   * `stream`, a CUstream of the device whose context is current, behind what was asked of it
   * before, and returns. The stream is one for all such calls of a device: what they read is made
   * before they begin, and what reads their results waits for them. NULL: a GPU's host makes the
   * call (`run`), with copies in the host's memory (host_call.h). */
  bool (*enqueue)(const EchoTargetCall *call, void *stream);
  /* The types are the program's, though the bytes lie as the call's layouts say; else dimensions
   * are in the order of memory. */
  bool sees_logical_shapes;
  /* A call of it that has an effect may run beside the program, on a thread of its own for all such
   * calls of a device, one after another in the order of the program: it begins when its operands
   * are there, and is waited for before its results are used. */
  bool may_overlap;
  /* Of a collective: bytes that one device sends to others, where `operand_bytes` are its own. Its
   * price is that of a device model's link. NULL: it is none. */
  double (*sent_bytes)(const EchoAttr *config, double operand_bytes);
} EchoCallTarget;

/* The kind of its rows in a context. `target` stays the caller's and must outlive the context.
 * false, with the reason appended to *error, where it lacks something or its name is taken. */
#define ECHO_CALL_TARGET "call target"
bool echo_context_register_call_target(EchoContext *ctx, const EchoCallTarget *target,
                                       EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
