/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What must hold of a step on every device. A check that fails prints why and the module's text,
 * and ends the program. */
#ifndef ECHO_TESTS_FUZZ_GRAPH_FUZZ_CHECKS_H
#define ECHO_TESTS_FUZZ_GRAPH_FUZZ_CHECKS_H

#include "tests/fuzz/graph_fuzz/generate.h"
#include "tests/fuzz/graph_fuzz/run.h"

/* `text` is the module at stage model, `step` what it became; settings say the target, where
 * compiled kernels are kept, and which result is the loss. */
typedef void StepCheck(Bytes *bytes, EchoStr text, EchoStr step, const Settings *settings);

/* Generates a module from generator->bytes, checks that it verifies and goes through its text, and
 * hands it to `check`, which takes its decisions from the bytes that are left. A module without a
 * gradient is fine. `target` as in Settings. */
void check_input(Generator *generator, const char *target, StepCheck *check);

ECHO_NORETURN void fail(const char *what, const EchoBuffer *details_or_null);
/* What a failure from now on prints; what it printed so far. `text` outlives what it is set for. */
const EchoBuffer *show_on_failure(const EchoBuffer *text);

/* Of results `first` and on, before `end`. */
void expect_same(const char *what, const Run *a, const Run *b, size_t first, size_t end);
/* run_step, which holds what was planned to the byte. */
void run_or_fail(Run *run, EchoStr text, const Settings *settings);
/* One setting of Echo, drawn: the same bits as `off` in no more memory, nor more than its budget.
 */
void check_echo(Bytes *bytes, EchoStr step, const Run *off, Settings settings);
/* Every op against the interpreter, in a run that returns all values and leaves the bits of `off`
 * alone. */
void check_every_op(EchoStr step, const Run *off, const Settings *settings);

#endif
