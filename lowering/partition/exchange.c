/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Digits that cut a value in one place and are wanted to cut it in another: every process hands its
 * pieces to those that are to have them, and none ever has the whole. */
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/partition/write_t.h"

/* One exchange: the same digits in the same order where they cut and where they are to. */
typedef struct Exchange {
  EchoRun from, to;
} Exchange;

/* The run's digits, as `split` has them. */
static EchoSplit places_of(const EchoRun *run, const EchoSplit *split)
{
  EchoSplit places = echo_split_none();
  for (size_t k = 0; k < run->n_digits; k++)
    places.at[run->digits[k]] = split->at[run->digits[k]];
  return places;
}

static EchoSplit without(const EchoRun *run, const EchoSplit *split)
{
  EchoSplit rest = *split;
  for (size_t k = 0; k < run->n_digits; k++)
    rest.at[run->digits[k]].dim = ECHO_AT_NONE;
  return rest;
}

/* Elements of the whole along the dimension that `has` leaves of the value. */
static int64_t whole_dim(const EchoSplits *splits, const EchoValue *value, const EchoSplit *has,
                         size_t d)
{
  int64_t size = echo_type_dim(value->type, d);
  for (size_t a = 0; a < splits->n_digits; a++)
    size *= has->at[a].dim == d ? splits->digits[a].size : 1;
  return size;
}

/* Whether the digits can go at once: they are one run here and there, and what else cuts the value
 * leaves them room. */
static bool fits(const EchoSplits *splits, const EchoValue *value, const EchoRun *digits,
                 const EchoSplit *has, const EchoSplit *want, Exchange *exchange)
{
  const EchoSplit rest = without(digits, has);
  EchoSplit from = places_of(digits, has), to = places_of(digits, want);
  for (size_t k = 0; k < digits->n_digits; k++) {
    const EchoPlace place = want->at[digits->digits[k]];
    if (!echo_split_has_room(splits, &rest, digits->digits[k], place,
                             whole_dim(splits, value, has, place.dim)))
      return false;
  }
  if (!echo_next_run(splits, &from, &rest, &exchange->from) ||
      !echo_next_run(splits, &to, &rest, &exchange->to) ||
      exchange->from.n_digits != digits->n_digits || exchange->to.n_digits != digits->n_digits)
    return false;
  for (size_t k = 0; k < digits->n_digits; k++)
    if (exchange->from.digits[k] != exchange->to.digits[k])
      return false;
  const int64_t n = exchange->from.n_parts;
  return exchange->from.dim != exchange->to.dim ||
         exchange->from.below % (exchange->to.below * n) == 0 ||
         exchange->to.below % (exchange->from.below * n) == 0;
}

static bool find(const EchoSplits *splits, const EchoValue *value, const EchoSplit *has,
                 const EchoSplit *want, Exchange *exchange)
{
  EchoSplit moving = echo_split_none(), rest = *has;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (echo_place_cuts(has->at[a]) && echo_place_cuts(want->at[a]) &&
        !echo_place_equal(has->at[a], want->at[a])) {
      moving.at[a] = has->at[a];
      rest.at[a].dim = ECHO_AT_NONE;
    }
  EchoRun run;
  while (echo_next_run(splits, &moving, &rest, &run)) {
    if (fits(splits, value, &run, has, want, exchange))
      return true;
    for (size_t k = 0; k < run.n_digits; k++) {
      const EchoRun one = {.digits = {run.digits[k]}, .n_digits = 1};
      if (fits(splits, value, &one, has, want, exchange))
        return true;
    }
  }
  return false;
}

/* Elements of a process's value behind one of dimension `d`. */
static int64_t after_dim(const EchoType *type, size_t d)
{
  int64_t after = 1;
  for (size_t k = d + 1; k < echo_type_rank(type); k++)
    after *= echo_type_dim(type, k);
  return after;
}

/* The value in five dimensions: the parts stand in one, of one element where they come from, of n
 * where they go to, and what is around and between them in the others. */
static EchoValue *exchanged(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value,
                            const Exchange *exchange)
{
  const EchoRun *from = &exchange->from, *to = &exchange->to;
  const int64_t n = from->n_parts;
  const bool goes_in = from->dim == to->dim && from->below > to->below;
  const bool goes_out = from->dim == to->dim && from->below < to->below;
  int64_t of_from = from->below * after_dim(value->type, from->dim);
  int64_t of_to = to->below / (goes_out ? n : 1) * after_dim(value->type, to->dim);
  const bool is_first = goes_in || (!goes_out && from->dim < to->dim);
  const int64_t inner = is_first ? of_to : of_from, outer = is_first ? of_from : of_to;
  const int64_t inner_size = is_first ? n : 1, outer_size = is_first ? 1 : n;
  int64_t dims[5] = {1, outer_size, outer / (inner * inner_size), inner_size, inner};
  dims[0] = echo_type_static_n_elements(value->type) / (outer * outer_size);
  EchoValue *apart = echo_hlo_reshape(b, value, dims, 5);
  const int64_t split = is_first ? 3 : 1, concat = is_first ? 1 : 3;
  dims[split] = 1;
  dims[concat] = n;
  const EchoType *type = echo_hlo_tensor(b->ctx, dims, 5, echo_type_element(value->type));
  EchoAttrArg attrs[5];
  echo_group_attrs(b->ctx, echo_run_groups(w->splits, from), (size_t)w->splits->n_processes, n,
                   attrs);
  attrs[2] = (EchoAttrArg){"split_dimension", echo_attr_i64(b->ctx, split)};
  attrs[3] = (EchoAttrArg){"concat_dimension", echo_attr_i64(b->ctx, concat)};
  attrs[4] = (EchoAttrArg){"split_count", echo_attr_i64(b->ctx, n)};
  EchoOp *op = echo_build_op(b, "stablehlo.all_to_all", &apart, 1, &type, 1, attrs, 5);
  w->facts.n_exchanges++;
  w->facts.exchanged_bytes += echo_type_static_bytes(type);
  int64_t own[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(value->type); d++)
    own[d] = echo_type_dim(value->type, d);
  own[from->dim] *= n;
  own[to->dim] /= n;
  return echo_hlo_reshape(b, echo_op_result(op, 0), own, echo_type_rank(value->type));
}

EchoValue *echo_exchange(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value, EchoSplit *has,
                         const EchoSplit *want)
{
  Exchange exchange;
  if (echo_type_static_n_elements(value->type) == 0)
    return value;
  while (find(w->splits, value, has, want, &exchange)) {
    value = exchanged(w, b, value, &exchange);
    for (size_t k = 0; k < exchange.from.n_digits; k++)
      has->at[exchange.from.digits[k]] = want->at[exchange.from.digits[k]];
  }
  return value;
}
