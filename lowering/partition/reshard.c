/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value as it is wanted that is had otherwise, by what goes between processes. */
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/partition/write_t.h"

/* ---- shapes ---- */

/* The value with the run's dimension apart as [outer, own, below], where it is not the outermost
 * part of its dimension: three dimensions, *at the one of the parts. Else as it is. */
static EchoValue *apart(EchoBuilder *b, EchoValue *value, const EchoRun *run, int64_t own,
                        size_t *at)
{
  const EchoType *type = value->type;
  int64_t dims[3] = {1, own, run->below};
  *at = run->dim;
  if (echo_type_dim(type, run->dim) == own * run->below)
    return value;
  for (size_t d = 0; d < run->dim; d++)
    dims[0] *= echo_type_dim(type, d);
  for (size_t d = (size_t)run->dim + 1; d < echo_type_rank(type); d++)
    dims[2] *= echo_type_dim(type, d);
  dims[0] *= echo_type_dim(type, run->dim) / (own * run->below);
  *at = 1;
  return echo_hlo_reshape(b, value, dims, 3);
}

/* `like` with its dimension `dim` times `by` / `over`. */
static const EchoType *with_dim(EchoContext *ctx, const EchoType *like, size_t dim, int64_t by,
                                int64_t over)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(like); d++)
    dims[d] = d == dim ? echo_type_dim(like, d) * by / over : echo_type_dim(like, d);
  return echo_hlo_tensor(ctx, dims, echo_type_rank(like), echo_type_element(like));
}

static EchoValue *in_shape(EchoBuilder *b, EchoValue *value, const EchoType *type)
{
  return value->type == type
             ? value
             : echo_hlo_reshape(b, value, type->as.shaped.dims, echo_type_rank(type));
}

/* ---- collectives ---- */

static EchoValue *gathered(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value, const EchoRun *run)
{
  const EchoType *whole = with_dim(w->ctx, value->type, run->dim, run->n_parts, 1);
  size_t at;
  EchoValue *own = apart(b, value, run, 1, &at);
  const EchoType *type = with_dim(w->ctx, own->type, at, run->n_parts, 1);
  EchoAttrArg attrs[4];
  echo_group_attrs(b->ctx, echo_run_groups(w->splits, run), (size_t)w->splits->n_processes,
                   run->n_parts, attrs);
  attrs[3] = (EchoAttrArg){"all_gather_dim", echo_attr_i64(b->ctx, (int64_t)at)};
  EchoOp *op = echo_build_op(b, "stablehlo.all_gather", &own, 1, &type, 1, attrs, 4);
  w->facts.n_gathers++;
  w->facts.gathered_bytes += echo_type_static_bytes(type);
  return in_shape(b, echo_op_result(op, 0), whole);
}

static EchoValue *reduced(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value, const EchoRun *run,
                          EchoHloOpcode combiner)
{
  w->facts.n_reductions++;
  w->facts.reduced_bytes += echo_type_static_bytes(value->type);
  return echo_reduce_groups(b, combiner, echo_run_groups(w->splits, run),
                            (size_t)w->splits->n_processes, run->n_parts, value);
}

static EchoValue *scattered(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value,
                            const EchoRun *run, EchoHloOpcode combiner)
{
  const EchoType *part = with_dim(w->ctx, value->type, run->dim, 1, run->n_parts);
  size_t at;
  EchoValue *all = apart(b, value, run, run->n_parts, &at);
  w->facts.n_reductions++;
  w->facts.reduced_bytes += echo_type_static_bytes(value->type);
  EchoValue *own =
      echo_reduce_scatter_groups(b, combiner, echo_run_groups(w->splits, run),
                                 (size_t)w->splits->n_processes, run->n_parts, at, all);
  return in_shape(b, own, part);
}

/* Among those that are to have summands where they have the same now, the first along the digits
 * keeps it. */
static EchoValue *summands(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value,
                           const EchoSplit *has, const EchoSplit *want)
{
  EchoRun run = {.n_parts = 1};
  for (size_t a = 0; a < w->splits->n_digits; a++)
    if (want->at[a].dim == ECHO_AT_SUM && has->at[a].dim != ECHO_AT_SUM) {
      run.digits[run.n_digits++] = a;
      run.n_parts *= w->splits->digits[a].size;
    }
  EchoValue *part = echo_run_part(w, b, &run);
  EchoValue *is_first =
      echo_hlo_compare(b, ECHO_COMPARE_EQ, part, echo_hlo_constant_i64(b, part->type, 0));
  return echo_hlo_select(b, is_first, value, echo_hlo_constant_like(b, value, 0));
}

/* ---- slices ---- */

EchoValue *echo_slice_parts(EchoSplitWriter *w, EchoValue *value, const EchoSplit *has,
                            const EchoSplit *want)
{
  EchoBuilder b = echo_builder_behind(w, value);
  EchoSplit chosen = echo_split_copy(want), rest = echo_split_copy(has);
  for (size_t a = 0; a < w->splits->n_digits; a++)
    if (echo_place_cuts(rest.at[a]))
      chosen.at[a].dim = ECHO_AT_NONE;
  EchoRun run;
  while (echo_next_run(w->splits, &chosen, &rest, &run)) {
    const EchoType *part = with_dim(w->ctx, value->type, run.dim, 1, run.n_parts);
    int64_t dims[ECHO_MAX_RANK];
    EchoValue *starts[ECHO_MAX_RANK];
    size_t at;
    EchoValue *all = apart(&b, value, &run, run.n_parts, &at);
    EchoValue *number = echo_run_part(w, &b, &run);
    EchoValue *zero = echo_hlo_constant_i64(&b, number->type, 0);
    for (size_t d = 0; d < echo_type_rank(all->type); d++) {
      dims[d] = echo_type_dim(all->type, d) / (d == at ? run.n_parts : 1);
      starts[d] = zero;
    }
    starts[at] =
        dims[at] == 1
            ? number
            : echo_hlo_multiply(&b, number, echo_hlo_constant_i64(&b, number->type, dims[at]));
    value = in_shape(&b, echo_hlo_dynamic_slice(&b, all, starts, dims), part);
    for (size_t k = 0; k < run.n_digits; k++)
      rest.at[run.digits[k]] = want->at[run.digits[k]];
  }
  return value;
}

/* ---- all of it ---- */

/* What is partial in `has` and not in `want`: reduced to parts where those are wanted and have
 * room, else to the whole. */
static EchoValue *without_partial(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value,
                                  EchoSplit *has, const EchoSplit *want)
{
  EchoSplits *splits = w->splits;
  const EchoHloOpcode combiner = has->combiner;
  EchoSplit to_parts = echo_split_none(), rest = *has;
  EchoRun run, whole = {.n_parts = 1};
  for (size_t a = 0; a < splits->n_digits; a++) {
    if (has->at[a].dim != ECHO_AT_SUM ||
        (want->at[a].dim == ECHO_AT_SUM && want->combiner == combiner))
      continue;
    rest.at[a].dim = ECHO_AT_NONE;
    int64_t size = 0;
    if (echo_place_cuts(want->at[a])) {
      size = echo_type_dim(value->type, want->at[a].dim);
      for (size_t k = 0; k < splits->n_digits; k++)
        size *= has->at[k].dim == want->at[a].dim ? splits->digits[k].size : 1;
    }
    if (size != 0 && echo_split_has_room(splits, &rest, a, want->at[a], size)) {
      to_parts.at[a] = want->at[a];
    } else {
      whole.digits[whole.n_digits++] = a;
      whole.n_parts *= splits->digits[a].size;
    }
  }
  while (echo_next_run(splits, &to_parts, &rest, &run)) {
    value = scattered(w, b, value, &run, combiner);
    for (size_t k = 0; k < run.n_digits; k++)
      rest.at[run.digits[k]] = want->at[run.digits[k]];
  }
  if (whole.n_digits != 0)
    value = reduced(w, b, value, &whole, combiner);
  *has = rest;
  return value;
}

/* What still cuts otherwise than wanted; first what is not wanted to cut at all. */
static bool moved(const EchoSplits *splits, const EchoSplit *has, const EchoSplit *want,
                  EchoSplit *moved)
{
  bool any = false, any_gone = false;
  *moved = echo_split_none();
  for (size_t a = 0; a < splits->n_digits; a++)
    any_gone |= echo_place_cuts(has->at[a]) && !echo_place_cuts(want->at[a]);
  for (size_t a = 0; a < splits->n_digits; a++)
    if (echo_place_cuts(has->at[a]) && !echo_place_equal(has->at[a], want->at[a]) &&
        !(any_gone && echo_place_cuts(want->at[a]))) {
      moved->at[a] = has->at[a];
      any = true;
    }
  return any;
}

/* One run of `moved`, from the innermost on: what is gathered is below what is not yet. */
static EchoValue *gather_one(EchoSplitWriter *w, EchoBuilder *b, EchoValue *value, EchoSplit *has,
                             const EchoSplit *moved)
{
  EchoSplits *splits = w->splits;
  EchoSplit left = *moved, rest = *has, again = echo_split_none();
  EchoRun run;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (echo_place_cuts(moved->at[a]))
      rest.at[a].dim = ECHO_AT_NONE;
  echo_next_run(splits, &left, &rest, &run);
  for (size_t k = 0; k < run.n_digits; k++) {
    again.at[run.digits[k]] = moved->at[run.digits[k]];
    has->at[run.digits[k]].dim = ECHO_AT_NONE;
  }
  echo_next_run(splits, &again, has, &run);
  return gathered(w, b, value, &run);
}

EchoValue *echo_reshard(EchoSplitWriter *w, EchoValue *value, const EchoSplit *wanted)
{
  EchoSplits *splits = w->splits;
  EchoBuilder b = echo_builder_behind(w, value);
  EchoSplit has = echo_split_copy(echo_split_of(splits, value)), left;
  const EchoSplit want = echo_split_copy(wanted);
  EchoValue *made = without_partial(w, &b, value, &has, &want);
  made = echo_exchange(w, &b, made, &has, &want);
  while (moved(splits, &has, &want, &left)) { /* a run that is gone makes room for others */
    made = gather_one(w, &b, made, &has, &left);
    made = echo_exchange(w, &b, made, &has, &want);
  }
  bool adds = false;
  for (size_t a = 0; a < splits->n_digits; a++)
    adds |= want.at[a].dim == ECHO_AT_SUM && has.at[a].dim != ECHO_AT_SUM;
  const EchoSplit *now = echo_split_keep(splits, &has);
  if (made != value)
    echo_make(w, value, now, made);
  made = echo_slice_parts(w, made, now, echo_split_without_sums(splits, wanted));
  if (!adds)
    return made;
  b = echo_builder_behind(w, made);
  return summands(w, &b, made, &has, &want);
}
