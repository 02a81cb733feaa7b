/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --join-reductions: a reduction of what one like it has reduced is one reduction, where all that
 * it goes through lies side by side: one pass over memory, and one kernel with what is made of it.
 * The order of a sum of floats changes with it, so this runs once, on the training step, before
 * anything is made again. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/step/split_reductions_t.h"

static bool is_plain(const EchoOp *op)
{
  return echo_op_is(op, "stablehlo.reduce") && op->n_operands == 2 &&
         echo_type_has_static_shape(echo_op_operand_type(op, 0)) &&
         echo_type_element(echo_op_operand_type(op, 0)) ==
             echo_type_element(echo_op_result_type(op, 0));
}

bool echo_reduce_may_begin_twice(EchoHloOpcode combiner, const EchoValue *value)
{
  const EchoAttr *init = echo_value_constant_or_null(value);
  if (combiner == ECHO_HLO_MAXIMUM || combiner == ECHO_HLO_MINIMUM || combiner == ECHO_HLO_AND ||
      combiner == ECHO_HLO_OR)
    return true;
  if (combiner != ECHO_HLO_ADD || init == NULL || init->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  EchoElementKind kind = echo_type_element_kind(init->type);
  return echo_element_is_float(kind)
             ? echo_elements_f64(init, 0) == 0
             : echo_element_bits(kind) != 0 && echo_elements_i64(init, 0) == 0;
}

/* The reduction whose result `op` reduces, and nobody else reads; NULL where there is none that
 * could as well go on. */
static EchoOp *inner_or_null(const EchoOp *op)
{
  EchoOp *inner = echo_value_def_or_null(echo_op_operand(op, 0));
  if (inner == NULL || !is_plain(inner) || !echo_value_has_one_use(echo_op_operand(op, 0)) ||
      inner->block != op->block)
    return NULL;
  EchoHloOpcode combiner = echo_hlo_combiner(&op->regions[0]);
  const EchoAttr *init = echo_value_constant_or_null(echo_op_operand(op, 1));
  bool goes_on = combiner == echo_hlo_combiner(&inner->regions[0]) && init != NULL &&
                 init == echo_value_constant_or_null(echo_op_operand(inner, 1)) &&
                 echo_reduce_may_begin_twice(combiner, echo_op_operand(op, 1));
  return goes_on ? inner : NULL;
}

/* What both reduce, as dimensions of the inner operand, ascending: their number. */
static size_t list_reduced(const EchoOp *inner, const EchoOp *op, int64_t *dims)
{
  EchoDimList first = echo_stablehlo_dims(inner, "dimensions");
  EchoDimList second = echo_stablehlo_dims(op, "dimensions");
  int64_t kept = 0;
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(echo_op_operand_type(inner, 0)); ++d)
    if (echo_dim_list_has(first, (int64_t)d) || echo_dim_list_has(second, kept++))
      dims[n++] = (int64_t)d;
  return n;
}

/* But for dimensions of size 1. */
static bool lie_side_by_side(const EchoType *type, const int64_t *dims, size_t n)
{
  for (size_t i = 0; i + 1 < n; ++i)
    for (int64_t d = dims[i] + 1; d < dims[i + 1]; ++d)
      if (echo_type_dim(type, (size_t)d) != 1)
        return false;
  return true;
}

/* What takes the place of `op` and of what it reduces; NULL where they stay. */
static EchoOp *join_or_null(EchoOp *op)
{
  EchoOp *inner = is_plain(op) ? inner_or_null(op) : NULL;
  int64_t dims[ECHO_MAX_RANK];
  size_t n = inner != NULL ? list_reduced(inner, op, dims) : 0;
  if (n == 0 || !lie_side_by_side(echo_op_operand_type(inner, 0), dims, n))
    return NULL;
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  EchoValue *whole =
      echo_reduce_like(&builder, op, echo_op_operand(inner, 0), echo_op_operand(op, 1), dims, n);
  echo_value_replace_all_uses(echo_op_result(op, 0), whole);
  echo_op_erase(op);
  echo_op_erase(inner);
  return echo_value_def_or_null(whole);
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_joined = 0;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    while (next != NULL && echo_op_is(op, "stablehlo.reduce") && echo_op_is_ancestor(op, next))
      next = echo_op_walk_next(pass->op, next); /* its body goes with it */
    for (EchoOp *joined = join_or_null(op); joined != NULL; joined = join_or_null(joined))
      ++n_joined;
  }
  echo_pass_count(pass, "joined", n_joined);
  pass->keeps_all = n_joined == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {{"joined", "reductions of reductions"}, {0}};

const EchoPass ECHO_PASS_JOIN_REDUCTIONS = {
    .name = "join-reductions",
    .summary = "reductions of what was reduced likewise, side by side in memory, are one",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
