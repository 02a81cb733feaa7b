/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: a function with its bodies while it is searched from one of the starting
 * orders, and what it then takes. Not which of several functions is the best. */
#ifndef ECHO_ECHO_PASS_STEP_T_H
#define ECHO_ECHO_PASS_STEP_T_H

#include "echo_pass/bodies_t.h"

/* Bytes of the arena and predicted time. */
typedef struct EchoTaken {
  uint64_t bytes, ns;
} EchoTaken;

/* A function with its bodies; its own block as it was searched from each start. */
typedef struct EchoStep {
  EchoFunctionInterface owner;
  EchoBodies bodies;
  EchoBody own[ECHO_N_STARTS]; /* from one start after the other */
  size_t n_own;
} EchoStep;

/* The function's bodies are searched, its own block is ready to be, from the first start. False
 * after an error. Destroy with echo_step_destroy in either case; it lives in `scratch`. */
bool echo_step_create(EchoStep *step, EchoOp *function, const EchoSearchOptions *options,
                      EchoArena *scratch);
void echo_step_destroy(EchoStep *step);
/* One more start, which the options then name with its part of the work. False where there is none
 * that shows anything else. */
bool echo_step_next(EchoStep *step, EchoSearchOptions *options);
/* The function's own block from the last start, on what the budget leaves to the arena. False after
 * an error. */
bool echo_step_search(EchoStep *step, const EchoSearchOptions *options);
bool echo_step_fits(const EchoStep *step, const EchoBody *own, const EchoSearchOptions *options);
/* What stands beside the arena and cannot be moved. */
uint64_t echo_step_beside_bytes(const EchoStep *step, const EchoBody *own);
/* What the best point takes, copies included: of state that waits in the host the arena has less.
 */
EchoTaken echo_curve_on(const EchoCurve *curve);
/* What the best point of `own` takes beside kernels that run again. */
uint64_t echo_body_once_ns(const EchoBody *own, const EchoSearchOptions *options);
/* What no plan of this step is below, in as much room as the best point of `taken` has: the curve
 * of `own`, or of a step that it was carried out for. What else than kernels that run again the
 * step takes is taken to be no less than in the fastest plan that was seen, of this step or, by
 * `once_ns` (UINT64_MAX: nothing), of that one. */
EchoTaken echo_step_bound(const EchoStep *step, const EchoBody *own, const EchoCurve *taken,
                          uint64_t once_ns, const EchoSearchOptions *options);
/* The best point of `own`, one of its own, is what is to become of the function. */
void echo_step_decide(EchoStep *step, const EchoBody *own);
/* That, in its function. Returns how many groups are recomputed. */
size_t echo_step_rewrite(EchoStep *step, EchoBody *own, const EchoFusionOptions *fusion);

#endif
