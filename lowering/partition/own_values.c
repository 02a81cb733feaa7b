/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that each process runs on values of its own, with collectives in it: along which digits
 * all have the same of a value. It is so for what is made of nothing but that, for what a
 * collective gives to all of a group, and for nothing else. What is the same can be cut; what
 * differs cannot.
 */
#include "base/arena.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/partition/split_t.h"

typedef struct Finder {
  EchoSplits *splits;
  EchoOwnValues *own;
  EchoProcesses processes;
} Finder;

/* ---- asked ---- */

static uint64_t all_digits(const EchoSplits *splits)
{
  return (UINT64_C(1) << splits->n_digits) - 1;
}

uint64_t echo_same_digits(const EchoSplits *splits, const EchoValue *value)
{
  return splits->own == NULL ? all_digits(splits)
                             : echo_map_get_or(&splits->own->same, echo_key(value), 0);
}

uint64_t echo_same_results(const EchoSplits *splits, const EchoOp *op)
{
  uint64_t same = op->n_results != 0 ? all_digits(splits) : 0;
  for (uint32_t i = 0; i < op->n_results; i++)
    same &= echo_same_digits(splits, echo_op_result(op, i));
  return same;
}

const EchoSplit *echo_split_of_same(EchoSplits *splits, const EchoSplit *split,
                                    const EchoValue *value)
{
  const uint64_t same = echo_same_digits(splits, value);
  if (split == NULL || same == all_digits(splits))
    return split;
  EchoSplit own = *split;
  for (size_t a = 0; a < splits->n_digits; a++)
    if ((same >> a & 1) == 0)
      own.at[a].dim = ECHO_AT_NONE;
  return echo_split_keep(splits, &own);
}

const EchoSplit *echo_summands(EchoSplits *splits, const EchoOp *op)
{
  uint64_t digits;
  if (!echo_map_get(&splits->own->sums, echo_key(op), &digits))
    return NULL;
  EchoSplit split = echo_split_none();
  for (size_t a = 0; a < splits->n_digits; a++)
    if ((digits >> a & 1) != 0)
      split.at[a].dim = ECHO_AT_SUM;
  split.combiner = echo_hlo_combiner(&op->regions[0]);
  return echo_split_keep(splits, &split);
}

void echo_own_values_destroy(EchoOwnValues *own)
{
  echo_map_destroy(&own->same);
  echo_map_destroy(&own->sums);
}

/* ---- groups ---- */

/* Digits that the members of each group differ in, and in no others, all of them there and in
 * their order; 0: groups of another kind. */
static uint64_t digits_of_groups(const EchoSplits *splits, const int64_t *ranks, size_t n,
                                 int64_t size)
{
  EchoCut cut = {.n_parts = 1};
  uint64_t digits = 0;
  for (size_t a = 0; a < splits->n_digits; a++) {
    const int64_t stride = splits->digits[a].stride, parts = splits->digits[a].size;
    bool differs = false;
    for (int64_t i = 1; i < size; i++)
      differs |= ranks[i] / stride % parts != ranks[0] / stride % parts;
    if (!differs)
      continue;
    digits |= UINT64_C(1) << a;
    cut.axes[cut.n_axes].stride = stride;
    cut.axes[cut.n_axes++].size = parts;
    cut.n_parts *= parts;
  }
  if (cut.n_parts != size)
    return 0;
  for (size_t i = 0; i < n; i++) {
    const int64_t first = ranks[i - i % (size_t)size];
    if (first < 0 || echo_cut_part(&cut, first) != 0 ||
        ranks[i] != first + echo_cut_process(&cut, (int64_t)(i % (size_t)size)))
      return 0;
  }
  return digits;
}

/* ---- ops ---- */

static uint64_t same_of(const Finder *f, const EchoValue *value)
{
  return echo_map_get_or(&f->own->same, echo_key(value), 0);
}

static void set_same(Finder *f, const EchoValue *value, uint64_t digits)
{
  echo_map_set(&f->own->same, echo_key(value), digits);
}

static void set_results(Finder *f, const EchoOp *op, uint64_t digits)
{
  for (uint32_t i = 0; i < op->n_results; i++)
    set_same(f, echo_op_result(op, i), digits);
}

static uint64_t same_operands(const Finder *f, const EchoOp *op)
{
  uint64_t same = all_digits(f->splits);
  for (uint32_t i = 0; i < op->n_operands; i++)
    same &= same_of(f, echo_op_operand(op, i));
  return same;
}

static bool find_block(Finder *f, EchoBlock *block);

/* To all of a group goes the same; along other digits it is as the operand was. */
static bool find_grouped(Finder *f, EchoOp *op)
{
  const int64_t *ranks;
  size_t n;
  int64_t size;
  if (!echo_collective_groups(op, &f->processes, f->splits->arena, &ranks, &n, &size))
    return false;
  const uint64_t digits = n != 0 ? digits_of_groups(f->splits, ranks, n, size) : 0;
  for (uint32_t i = 0; i < op->n_results; i++)
    set_same(f, echo_op_result(op, i),
             digits != 0 && i < op->n_operands ? digits | same_of(f, echo_op_operand(op, i)) : 0);
  if (echo_hlo_opcode(op) == ECHO_HLO_ALL_REDUCE && digits != 0 &&
      echo_hlo_combiner(&op->regions[0]) != ECHO_N_HLO_OPCODES)
    echo_map_set(&f->own->sums, echo_key(op), digits);
  return true;
}

/* A loop goes on for as long on every process where its condition is the same. */
static bool find_loop(Finder *f, EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    set_same(f, echo_op_result(op, i), same_of(f, echo_op_operand(op, i)));
  for (bool again = true; again;) {
    again = false;
    for (uint16_t r = 0; r < op->n_regions; r++) {
      EchoBlock *block = echo_op_body(op, r);
      for (uint32_t i = 0; i < block->n_args; i++)
        set_same(f, echo_block_arg(block, i), same_of(f, echo_op_result(op, i)));
      if (!find_block(f, block))
        return false;
    }
    const uint64_t goes_on = same_of(f, echo_op_operand(echo_op_body(op, 0)->last, 0));
    for (uint32_t i = 0; i < op->n_results; i++) {
      const uint64_t before = same_of(f, echo_op_result(op, i));
      const uint64_t now =
          before & goes_on & same_of(f, echo_op_operand(echo_op_body(op, 1)->last, i));
      again |= now != before;
      set_same(f, echo_op_result(op, i), now);
    }
  }
  return true;
}

/* What the regions of any other op read from around them counts as its operands do. */
static bool find_regions(Finder *f, EchoOp *op)
{
  const uint64_t operands = same_operands(f, op);
  uint64_t inside = echo_op_is_pure(op) ? operands : 0;
  const bool is_branch = echo_hlo_opcode(op) == ECHO_HLO_CASE || echo_hlo_opcode(op) == ECHO_HLO_IF;
  for (uint32_t i = 0; i < op->n_results; i++)
    set_same(f, echo_op_result(op, i), operands);
  for (uint16_t r = 0; r < op->n_regions; r++)
    for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next) {
      for (uint32_t i = 0; i < block->n_args; i++)
        set_same(f, echo_block_arg(block, i), all_digits(f->splits));
      if (!find_block(f, block))
        return false;
      for (uint32_t i = 0; is_branch && i < op->n_results; i++)
        set_same(f, echo_op_result(op, i),
                 same_of(f, echo_op_result(op, i)) & same_of(f, echo_op_operand(block->last, i)));
      inside &= same_operands(f, block->last);
    }
  if (!is_branch)
    set_results(f, op, inside);
  return true;
}

static bool find_op(Finder *f, EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ALL_GATHER:
  case ECHO_HLO_ALL_REDUCE:
  case ECHO_HLO_COLLECTIVE_BROADCAST:
    return find_grouped(f, op);
  case ECHO_HLO_OPTIMIZATION_BARRIER:
    for (uint32_t i = 0; i < op->n_results; i++)
      set_same(f, echo_op_result(op, i), same_of(f, echo_op_operand(op, i)));
    return true;
  case ECHO_HLO_WHILE:
    return find_loop(f, op);
  default:
    if (!echo_hlo_is_collective(op))
      return find_regions(f, op);
    set_results(f, op, 0);
    return true;
  }
}

static bool find_block(Finder *f, EchoBlock *block)
{
  bool ok = true;
  for (EchoOp *op = block->first; op != NULL && ok; op = op->next)
    if (!echo_op_has_trait(op, ECHO_RETURN_LIKE))
      ok = find_op(f, op);
  return ok;
}

bool echo_own_values_find(EchoSplits *splits, EchoOwnValues *own, EchoOp *main,
                          const uint64_t *args)
{
  EchoBlock *body = echo_op_body(main, 0);
  Finder f = {splits, own, echo_processes_of(echo_op_parent(main))};
  own->n_replicas = f.processes.n_replicas;
  echo_map_clear(&own->same);
  echo_map_clear(&own->sums);
  for (uint32_t i = 0; i < body->n_args; i++)
    set_same(&f, echo_block_arg(body, i), args[i]);
  return find_block(&f, body);
}
