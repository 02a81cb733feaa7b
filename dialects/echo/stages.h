/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The stages of a compile (docs/stages.md) as a legality table: which dialects and ops may remain
 * in each; a dialect that the table does not name says so itself (EchoDialect.stages). A module
 * says where it stands in the attribute echo.stage, which the verifier enforces; a module without
 * it is taken as "model". */
#ifndef ECHO_DIALECTS_ECHO_STAGES_H
#define ECHO_DIALECTS_ECHO_STAGES_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On a module whose blocks stand in the order that --echo decided on, with the price of that order:
 * --schedule leaves them there unless its option order= says otherwise. */
#define ECHO_ORDERED_ATTR "echo.ordered"
/* On a module that --echo brought below a budget, in bytes of the whole step: --plan-memory refuses
 * a plan that takes more. */
#define ECHO_BUDGET_ATTR "echo.budget_bytes"
/* On a function that --unroll-loops offers beside another, whose name it is: the same with short
 * loops written out. --echo takes the one or the other. */
#define ECHO_UNROLLED_ATTR "echo.unrolled"
/* The same of --roll-loops: loops whose bodies hold several copies of one computation hold one, and
 * copies outside of loops are one in a loop. */
#define ECHO_ROLLED_ATTR "echo.rolled"
/* The same of --merge-recomputed: what was to be computed again behind barriers is read instead. */
#define ECHO_MERGED_ATTR "echo.merged"

typedef enum EchoStage {
  ECHO_STAGE_MODEL,
  ECHO_STAGE_TENSOR,
  ECHO_STAGE_STEP,
  ECHO_STAGE_ECHOED,
  ECHO_STAGE_SCHEDULED,
  ECHO_STAGE_KERNELS,
  ECHO_STAGE_PLANNED,
  ECHO_STAGE_LOOPS,
  ECHO_N_STAGES
} EchoStage;

/* "model", "tensor", "step", … */
const char *echo_stage_name(EchoStage stage);
bool echo_stage_from_name(EchoStr name, EchoStage *stage);
/* "model, step..planned" as bits 1 << stage. False with the reason appended to *error. */
bool echo_stages_parse(EchoStr text, uint32_t *stages, EchoBuffer *error);
/* From echo.stage; ECHO_STAGE_MODEL when it has none. */
EchoStage echo_module_stage(const EchoOp *module);
/* Sets echo.stage. Passes that reach a stage call it last; the verifier then holds the module to
 * it. */
bool echo_module_set_stage(EchoOp *module, EchoStage stage);
/* How many results of main, the last ones, its caller does not see: tokens of effects. */
#define ECHO_HIDDEN_RESULTS "echo.hidden_results"
/* On the argument of main, its last, that its caller does not see: the state that random numbers
 * are drawn from, ui64[3]: key, and the low and the high word of a counter. */
#define ECHO_RANDOM_STATE "echo.random_state"
#define ECHO_RANDOM_STATE_WORDS 3

/* The function "main" that has a body. O(ops directly inside). */
EchoOp *echo_module_main_or_null(const EchoOp *module);
/* Every op of `module` against the table of `stage`: an error for each op that may not remain.
 * O(ops). */
bool echo_stage_verify(const EchoOp *module, EchoStage stage);
/* The first of them; NULL when all may remain. */
const EchoOp *echo_stage_illegal_op_or_null(const EchoOp *module, EchoStage stage);

#ifdef __cplusplus
}
#endif

#endif
