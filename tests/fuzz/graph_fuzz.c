/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fuzzes the compiler with valid random training steps. Of each it is checked that
 *   - it verifies, and goes through its text;
 *   - canonicalize, cse and dce leave its bits alone;
 *   - Echo leaves its bits alone, and so do other results and the number of threads;
 *   - every op computes what the interpreter computes from the same operands;
 *   - what is planned is what the device hands out, to the byte; Echo never takes more than no
 *     Echo, its lowest point no more than another (but for the part that it may), and a budget
 *     above it is met.
 *
 * A failure prints the module's text. */
#include "lowering/lowering.h"
#include "tests/fuzz/graph_fuzz/checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The step that `passes` and the rest of the way make of the text, run. */
static void run_behind(Run *run, const char *before, const char *behind, EchoStr text,
                       const Settings *settings)
{
  EchoBuffer step = {0}, pipeline = {0};
  Run made;
  echo_buffer_printf(&pipeline,
                     "nn-to-stablehlo,chlo-to-stablehlo,%sdifferentiate{loss=%zu}%s,"
                     "isolate-regions,set-stage{stage=step}",
                     before, settings->loss_number, behind);
  if (!run_passes(&made, text, echo_buffer_c_str(&pipeline)))
    fail("is not differentiated without simplification", &made.errors);
  echo_print_op(made.module, NULL, &step);
  run_destroy(&made);
  const EchoBuffer *last = show_on_failure(&step);
  run_or_fail(run, echo_buffer_str(&step), settings);
  show_on_failure(last);
  echo_buffer_destroy(&step);
  echo_buffer_destroy(&pipeline);
}

/* Against the step as it is differentiated, neither folded nor shared nor cleaned up after
 * `simplified`; results from `first` on. */
static void check_without(const char *simplified, size_t first, EchoStr text, const Run *wanted,
                          const Settings *settings)
{
  Run run;
  run_behind(&run, simplified, "", text, settings);
  expect_same("canonicalize, cse or dce changes bits", wanted, &run, first, wanted->n_results);
  run_destroy(&run);
}

/* Two values that are one when simplified have their gradients added up in another order: what is
 * simplified before it is differentiated keeps the bits of the loss and of what comes after it,
 * not of updates, which come before it. Sums keep the order that the text has, without
 * --sink-transposes, which asks who else reads what is transposed. */
static void check_unsimplified(EchoStr text, const Settings *settings)
{
  Run simplified;
  run_behind(&simplified, "canonicalize,cse,",
             "," ECHO_STRAIGHTEN_PASSES ",chunk-rows,cse,dce,widen-sorts", text, settings);
  check_without("", settings->loss_number, text, &simplified, settings);
  check_without("canonicalize,cse,", 0, text, &simplified, settings);
  run_destroy(&simplified);
}

static void check_step(Bytes *bytes, EchoStr text, EchoStr step, const Settings *given)
{
  Settings settings = *given;
  Run off;
  run_or_fail(&off, step, &settings);
  settings.n_threads = 2;
  check_echo(bytes, step, &off, settings);
  if (draw(bytes, 4) == 0)
    check_unsimplified(text, &settings);
  check_every_op(step, &off, &settings);
  run_destroy(&off);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Generator generator = {.bytes = {.data = data, .size = size}, .scale = &SMALL_SCALE};
  check_input(&generator, NULL, check_step);
  return 0;
}
