/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Main as one process runs it, in place. Between a value and a use that wants it otherwise stands
 * what makes it so, once for each value, right behind it: an all_reduce of what is partial, a slice
 * of what is whole (cut_value.c), an all_gather of a part. */
#include "dialects/stablehlo/build.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/partition/write_t.h"

#define PHASE "echo.phase" /* of an op, and of what is put behind it */

/* ---- made once ---- */

EchoValue *echo_made_or_null(const EchoSplitWriter *w, const EchoValue *value, EchoSplit as)
{
  uint64_t at = echo_map_get_or(&w->made_of, echo_key(value), UINT64_MAX);
  for (; at != UINT64_MAX; at = w->made.data[at].next)
    if (echo_split_equal(w->made.data[at].as, as))
      return w->made.data[at].value;
  return NULL;
}

EchoValue *echo_make(EchoSplitWriter *w, const EchoValue *value, EchoSplit as, EchoValue *made)
{
  uint64_t next = echo_map_get_or(&w->made_of, echo_key(value), UINT64_MAX);
  echo_map_set(&w->made_of, echo_key(value), w->made.size);
  echo_split_set(w->splits, made, as);
  echo_vector_push(&w->made, (EchoMadeValue){as, made, next});
  return made;
}

EchoBuilder echo_builder_behind(EchoSplitWriter *w, EchoValue *value)
{
  EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL) {
    EchoBlock *block = echo_value_block(value);
    EchoBuilder b = block == echo_op_body(w->main, 0)
                        ? echo_builder_after(echo_value_def_or_null(echo_process_number(w)))
                        : echo_builder_before(block->first);
    b.loc = echo_value_loc(value);
    return b;
  }
  EchoBuilder b = echo_builder_after(op);
  const EchoAttr *phase = echo_op_attr_or_null(op, PHASE);
  if (phase != NULL)
    b.attrs = echo_dictionary_with(w->ctx, NULL, ECHO_STR(PHASE), phase);
  return b;
}

/* ---- collectives ---- */

/* All processes are one group. */
static const int64_t *all_processes(const EchoSplitWriter *w)
{
  int64_t n = w->splits->n_processes,
          *ranks = ECHO_ARENA_ARRAY(w->splits->arena, int64_t, (size_t)n);
  for (int64_t i = 0; i < n; i++)
    ranks[i] = i;
  return ranks;
}

static EchoValue *reduced(EchoSplitWriter *w, EchoValue *value, EchoHloOpcode combiner)
{
  EchoBuilder b = echo_builder_behind(w, value);
  size_t n = (size_t)w->splits->n_processes;
  value = echo_reduce_groups(&b, combiner, all_processes(w), n, (int64_t)n, value);
  w->facts.n_reductions++;
  w->facts.reduced_bytes += echo_type_static_bytes(value->type);
  return value;
}

/* The whole of parts: [.., outer, each one's, ..] gathered along what follows `outer`. */
static EchoValue *gathered(EchoSplitWriter *w, EchoValue *value, EchoSplit split)
{
  EchoBuilder b = echo_builder_behind(w, value);
  int64_t dims[ECHO_MAX_RANK], n = w->splits->n_processes;
  size_t rank = echo_type_rank(value->type);
  for (size_t d = 0; d <= rank; d++)
    dims[d] = d < split.dim    ? echo_type_dim(value->type, d)
              : d == split.dim ? split.outer
                               : echo_type_dim(value->type, d - 1);
  dims[split.dim + 1] /= split.outer;
  EchoValue *apart = echo_hlo_reshape(&b, value, dims, rank + 1);
  dims[split.dim + 1] *= n;
  const EchoType *type = echo_hlo_tensor(b.ctx, dims, rank + 1, echo_type_element(value->type));
  EchoAttrArg attrs[4];
  echo_group_attrs(b.ctx, all_processes(w), (size_t)n, n, attrs);
  attrs[3] = (EchoAttrArg){"all_gather_dim", echo_attr_i64(b.ctx, (int64_t)split.dim + 1)};
  EchoOp *op = echo_build_op(&b, "stablehlo.all_gather", &apart, 1, &type, 1, attrs, 4);
  for (size_t d = 0; d < rank; d++)
    dims[d] = echo_type_dim(value->type, d) * (d == split.dim ? n : 1);
  return echo_hlo_reshape(&b, echo_op_result(op, 0), dims, rank);
}

/* ---- values as they are wanted ---- */

static EchoValue *as_wanted(EchoSplitWriter *w, EchoValue *value, EchoSplit want)
{
  EchoSplit has = echo_split_of(w->splits, value);
  if (echo_split_equal(has, want) || want.kind == ECHO_SPLIT_PARTIAL)
    return value; /* what is wanted partial and is not are zeros */
  EchoValue *made = echo_made_or_null(w, value, want);
  if (made != NULL)
    return made;
  const EchoSplit whole = {.kind = ECHO_SPLIT_WHOLE};
  if (has.kind == ECHO_SPLIT_WHOLE)
    return echo_cut_value(w, value, want);
  if (want.kind == ECHO_SPLIT_PART)
    return echo_make(w, value, want, as_wanted(w, as_wanted(w, value, whole), want));
  return echo_make(w, value, want,
                   has.kind == ECHO_SPLIT_PARTIAL ? reduced(w, value, has.combiner)
                                                  : gathered(w, value, has));
}

const EchoType *echo_split_type(const EchoSplitWriter *w, const EchoType *type, EchoSplit split)
{
  int64_t dims[ECHO_MAX_RANK];
  if (split.kind != ECHO_SPLIT_PART)
    return type;
  for (size_t d = 0; d < echo_type_rank(type); d++)
    dims[d] = echo_type_dim(type, d) / (d == split.dim ? w->splits->n_processes : 1);
  return echo_hlo_tensor(w->ctx, dims, echo_type_rank(type), echo_type_element(type));
}

static void set_type(const EchoSplitWriter *w, EchoValue *value)
{
  echo_value_set_type(value, echo_split_type(w, value->type, echo_split_of(w->splits, value)));
}

/* ---- ops ---- */

static void set_size(EchoOp *op, const char *name, size_t dim, int64_t size)
{
  EchoDimList list = echo_stablehlo_dims(op, name);
  int64_t sizes[ECHO_MAX_RANK];
  memcpy(sizes, list.dims, list.size * sizeof *sizes);
  sizes[dim] = size;
  echo_op_set_attr(op, name, echo_attr_i64_array(echo_op_context(op), sizes, list.size));
}

/* Attributes that hold the size of what is split, of operand 0, which is a part already. */
static void shrink_attributes(const EchoSplitWriter *w, EchoOp *op, size_t dim)
{
  int64_t part = echo_type_dim(echo_op_operand_type(op, 0), dim);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_SLICE:
    set_size(op, "limit_indices", dim, part);
    return;
  case ECHO_HLO_DYNAMIC_SLICE:
    set_size(op, "slice_sizes", dim, part);
    return;
  case ECHO_HLO_GATHER: /* a batching dimension has slices of one element */
    if (echo_stablehlo_dims(op, "slice_sizes").dims[dim] == part * w->splits->n_processes)
      set_size(op, "slice_sizes", dim, part);
    return;
  default:
    return;
  }
}

static void write_block(EchoSplitWriter *w, EchoBlock *block);

static void write_op(EchoSplitWriter *w, EchoOp *op)
{
  uint64_t index = 0;
  bool has_wants = echo_map_get(&w->splits->of_op, echo_key(op), &index);
  for (uint32_t i = 0; has_wants && i < op->n_operands; i++)
    echo_op_set_operand(op, i,
                        as_wanted(w, echo_op_operand(op, i), w->splits->wants.data[index + i]));
  if (has_wants && op->n_operands != 0 && w->splits->wants.data[index].kind == ECHO_SPLIT_PART)
    shrink_attributes(w, op, w->splits->wants.data[index].dim);
  for (uint32_t i = 0; i < op->n_results; i++)
    set_type(w, echo_op_result(op, i));
  for (uint16_t r = 0; r < op->n_regions; r++)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      write_block(w, block);
}

static void write_block(EchoSplitWriter *w, EchoBlock *block)
{
  for (uint32_t i = 0; i < block->n_args; i++)
    set_type(w, echo_block_arg(block, i));
  for (EchoOp *op = block->first, *next; op != NULL; op = next) {
    next = op->next;
    write_op(w, op);
  }
}

EchoSplitFacts echo_splits_write(EchoSplits *splits, EchoOp *main, const EchoSplit *results)
{
  EchoSplitWriter w = {.splits = splits, .ctx = echo_op_context(main), .main = main};
  EchoOp *end = echo_op_body(main, 0)->last;
  write_block(&w, echo_op_body(main, 0));
  for (uint32_t i = 0; i < end->n_operands; i++)
    echo_op_set_operand(end, i, as_wanted(&w, echo_op_operand(end, i), results[i]));
  echo_map_destroy(&w.made_of);
  echo_vector_destroy(&w.made);
  return w.facts;
}
