/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits that stand together in a dimension: one collective, or one slice, is for one run. */
#include "base/arena.h"
#include "dialects/stablehlo/build.h"
#include "lowering/partition/write_t.h"

/* Elements of the dimension below one step of the digit, where those of `rest` have their part. */
static int64_t below_of(const EchoSplits *splits, const EchoSplit *rest, EchoPlace place)
{
  int64_t below = place.span;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (rest->at[a].dim == place.dim && rest->at[a].span < place.span)
      below /= splits->digits[a].size;
  return below;
}

/* The slowest digit of the first dimension that is cut. */
static size_t first_digit(const EchoSplits *splits, const EchoSplit *chosen)
{
  size_t first = splits->n_digits;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (echo_place_cuts(chosen->at[a]) &&
        (first == splits->n_digits || chosen->at[a].dim < chosen->at[first].dim ||
         (chosen->at[a].dim == chosen->at[first].dim &&
          chosen->at[a].span > chosen->at[first].span)))
      first = a;
  return first;
}

bool echo_next_run(const EchoSplits *splits, EchoSplit *chosen, const EchoSplit *rest, EchoRun *run)
{
  *run = (EchoRun){.n_parts = 1};
  for (;;) {
    size_t digit = first_digit(splits, chosen);
    if (digit == splits->n_digits)
      break;
    const EchoPlace place = chosen->at[digit];
    int64_t below = below_of(splits, rest, place);
    if (run->n_digits != 0 &&
        (place.dim != run->dim || below * splits->digits[digit].size != run->below))
      break;
    run->dim = place.dim;
    run->below = below;
    run->digits[run->n_digits++] = digit;
    run->n_parts *= splits->digits[digit].size;
    chosen->at[digit].dim = ECHO_AT_NONE;
  }
  return run->n_digits != 0;
}

const int64_t *echo_run_groups(const EchoSplits *splits, const EchoRun *run)
{
  EchoCut cut = {.n_parts = run->n_parts, .n_axes = run->n_digits};
  int64_t *ranks = ECHO_ARENA_ARRAY(splits->arena, int64_t, (size_t)splits->n_processes);
  size_t n = 0;
  for (size_t k = 0; k < run->n_digits; k++) {
    cut.axes[k].stride = splits->digits[run->digits[k]].stride;
    cut.axes[k].size = splits->digits[run->digits[k]].size;
  }
  for (int64_t first = 0; first < splits->n_processes; first++)
    for (int64_t part = 0; part < run->n_parts && echo_cut_part(&cut, first) == 0; part++)
      ranks[n++] = first + echo_cut_process(&cut, part);
  return ranks;
}

/* Digits whose strides follow each other are one number. */
EchoValue *echo_run_part(EchoSplitWriter *w, EchoBuilder *b, const EchoRun *run)
{
  EchoValue *process = echo_process_number(w), *part = NULL;
  for (size_t k = 0; k < run->n_digits;) {
    int64_t size = w->splits->digits[run->digits[k]].size;
    int64_t stride = w->splits->digits[run->digits[k]].stride;
    int64_t end = size * stride;
    for (k++; k < run->n_digits; k++) {
      int64_t next = w->splits->digits[run->digits[k]].size;
      if (w->splits->digits[run->digits[k]].stride * next != stride)
        break;
      stride /= next;
      size *= next;
    }
    EchoValue *digit = process;
    if (stride != 1)
      digit = echo_hlo_divide(b, digit, echo_hlo_constant_i64(b, process->type, stride));
    if (end != w->splits->n_processes)
      digit = echo_hlo_remainder(b, digit, echo_hlo_constant_i64(b, process->type, size));
    if (part != NULL)
      part = echo_hlo_multiply(b, part, echo_hlo_constant_i64(b, process->type, size));
    part = part != NULL ? echo_hlo_add(b, part, digit) : digit;
  }
  return part;
}
