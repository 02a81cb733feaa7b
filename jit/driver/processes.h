/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a module for many processes to what each of them compiles: parts of values, collectives as
 * calls, and, where that is asked for or Echo's goal asks for it, state in parts. */
#ifndef ECHO_JIT_DRIVER_PROCESSES_H
#define ECHO_JIT_DRIVER_PROCESSES_H

#include "jit/driver/pipeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a process holds what all have the same of between steps (--shard-state). */
typedef enum EchoStateForm {
  ECHO_STATE_BY_GOAL, /* in parts where what Echo is asked for asks for it, whole without Echo */
  ECHO_STATE_WHOLE,
  ECHO_STATE_PARTS,
  ECHO_STATE_PARTS_AND_NORMS /* sums over parts are added up between processes, too */
} EchoStateForm;

typedef struct EchoProcessesOptions {
  int64_t n_processes;
  const char *batch; /* arguments that hold it, "arg1,arg2:1"; NULL: shardings say what is cut */
  bool is_whole;     /* values of which nothing is said are whole where no sharding says so, either;
                        else they are each process's own */
  const char *feeds; /* "res1:arg0", beside tf.aliasing_output; NULL: none */
  EchoStateForm state;
  /* A context like the module's, for plans that are tried: what is registered there, and calls of
   * collectives. The caller destroys none of them. NULL: nothing asks for state in parts. */
  EchoContext *(*create_context)(void *user);
  void *user;
} EchoProcessesOptions;

/* Of the module at stage model, in place; with one process nothing. `compile` NULL = defaults. With
 * Echo the step is planned with whole state, and, where that is above a budget or takes time for
 * it, for budget=min and for overhead=, with state in parts: what fits a budget and takes less is
 * taken, the lower peak of budget=min, and of overhead= the lower peak within the price of whole
 * state. Processes decide alike. False after errors. O(plans) */
bool echo_processes_lower(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                          const EchoProcessesOptions *options, const EchoCompileOptions *compile);

#ifdef __cplusplus
}
#endif

#endif
