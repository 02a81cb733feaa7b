/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The scf rows: MLIR's structured control flow, the subset that lowered kernels use. */
#include "dialects/dialects.h"

/* Operands [first, …) and results agree with the arguments after `skip` of block `region` and with
 * its terminator's operands. */
static bool check_carried(const EchoOp *op, size_t first, size_t region, size_t skip)
{
  const EchoBlock *block = op->regions[region].first;
  size_t n = op->n_operands - first;
  if (n != op->n_results)
    return echo_op_error(op, "mismatch in number of loop-carried values and defined values");
  if (block->n_args != n + skip)
    return echo_op_error(op, "expects body to have %zu arguments, got %u", n + skip, block->n_args);
  for (size_t i = 0; i < n; ++i) {
    const EchoType *type = echo_op_operand_type(op, first + i);
    if (type != echo_op_result_type(op, i) || type != echo_block_arg(block, i + skip)->type)
      return echo_op_error(op, "types mismatch between %zuth iter operand and defined value", i);
  }
  return true;
}

static bool check_yield(const EchoOp *op, size_t region)
{
  const EchoBlock *block = op->regions[region].first;
  const EchoOp *end = block != NULL ? echo_block_terminator_or_null(block) : NULL;
  if (end == NULL || !echo_op_is(end, "scf.yield"))
    return echo_op_error(op, "expects region #%zu to end in 'scf.yield'", region);
  if (end->n_operands != op->n_results)
    return echo_op_error(op, "region #%zu yields %u values, but the op has %u results", region,
                         end->n_operands, op->n_results);
  for (size_t i = 0; i < op->n_results; ++i)
    if (echo_op_operand_type(end, i) != echo_op_result_type(op, i))
      return echo_op_error(op, "region #%zu yields another type for result #%zu", region, i);
  return true;
}

static bool verify_for(const EchoOp *op)
{
  const EchoType *type = op->n_operands >= 3 ? echo_op_operand_type(op, 0) : NULL;
  if (type == NULL || op->regions[0].first == NULL)
    return echo_op_error(op, "expects bounds, a step and a body");
  if (type != echo_op_operand_type(op, 1) || type != echo_op_operand_type(op, 2))
    return echo_op_error(op, "failed to verify that all of {lowerBound, upperBound, step} have "
                             "same type");
  if (op->regions[0].first->n_args == 0 || echo_block_arg(op->regions[0].first, 0)->type != type)
    return echo_op_error(op, "expected induction variable to be same type as bounds and step");
  return check_carried(op, 3, 0, 1) && check_yield(op, 0);
}

static bool verify_if(const EchoOp *op)
{
  if (op->regions[0].first == NULL)
    return echo_op_error(op, "expects a then region");
  if (op->n_results != 0 && op->regions[1].first == NULL)
    return echo_op_error(op, "must have an else block if defining values");
  return check_yield(op, 0) && (op->regions[1].first == NULL || check_yield(op, 1));
}

static bool verify_parallel(const EchoOp *op)
{
  const EchoBlock *block = op->regions[0].first;
  const EchoAttr *segments = echo_op_attr_or_null(op, "operandSegmentSizes");
  if (block == NULL || segments == NULL || echo_attr_ints_size(segments) != 4)
    return echo_op_error(op, "expects a body and operandSegmentSizes");
  int64_t n = echo_attr_ints_get(segments, 0);
  if (n < 1 || echo_attr_ints_get(segments, 1) != n || echo_attr_ints_get(segments, 2) != n ||
      3 * n + echo_attr_ints_get(segments, 3) != (int64_t)op->n_operands)
    return echo_op_error(op,
                         "expects as many upper bounds and steps as lower bounds, at least one");
  if ((int64_t)block->n_args != n)
    return echo_op_error(op, "expects the same number of induction variables as bounds");
  const EchoOp *end = echo_block_terminator_or_null(block);
  if (end == NULL || !echo_op_is(end, "scf.reduce"))
    return echo_op_error(op, "expects body to terminate with 'scf.reduce'");
  return true;
}

static bool verify_while(const EchoOp *op)
{
  const EchoBlock *before = op->regions[0].first, *after = op->regions[1].first;
  const EchoOp *end = before != NULL ? echo_block_terminator_or_null(before) : NULL;
  if (end == NULL || !echo_op_is(end, "scf.condition"))
    return echo_op_error(op, "expects the 'before' region to terminate with 'scf.condition'");
  if (after == NULL || after->n_args != end->n_operands - 1 || op->n_results != after->n_args)
    return echo_op_error(op, "expects the 'after' region and the results to match what "
                             "'scf.condition' passes");
  const EchoOp *yield = echo_block_terminator_or_null(after);
  if (yield == NULL || !echo_op_is(yield, "scf.yield") || yield->n_operands != op->n_operands ||
      before->n_args != op->n_operands)
    return echo_op_error(op, "expects the 'after' region to yield the loop's operands");
  return true;
}

static const EchoOpInfo OPS[] = {
    {.name = "scf.for",
     .operands = "lowerBound: signless-integer-like, upperBound: signless-integer-like, "
                 "step: signless-integer-like, initArgs: any*",
     .results = "results: any*",
     .n_regions = 1,
     .traits = ECHO_SINGLE_BLOCK | ECHO_RECURSIVE_EFFECTS | ECHO_LOOP,
     .verify = verify_for,
     .summary = "Counted loop with loop-carried values"},
    {.name = "scf.parallel",
     .operands = "lowerBound: index*, upperBound: index*, step: index*, initVals: any*",
     .results = "results: any*",
     .attrs = "operandSegmentSizes: any",
     .n_regions = 1,
     .traits = ECHO_SINGLE_BLOCK | ECHO_RECURSIVE_EFFECTS | ECHO_LOOP,
     .verify = verify_parallel,
     .summary = "Loop nest whose iterations may run in any order"},
    {.name = "scf.reduce",
     .operands = "operands: any*",
     .n_regions = ECHO_VARIADIC,
     .traits = ECHO_TERMINATOR | ECHO_RECURSIVE_EFFECTS,
     .summary = "Ends the body of scf.parallel"},
    {.name = "scf.if",
     .operands = "condition: i1",
     .results = "results: any*",
     .n_regions = 2,
     .traits = ECHO_SINGLE_BLOCK | ECHO_RECURSIVE_EFFECTS,
     .verify = verify_if,
     .summary = "One of two regions"},
    {.name = "scf.while",
     .operands = "inits: any*",
     .results = "results: any*",
     .n_regions = 2,
     .traits = ECHO_SINGLE_BLOCK | ECHO_RECURSIVE_EFFECTS | ECHO_LOOP,
     .verify = verify_while,
     .summary = "Loop with a condition"},
    {.name = "scf.condition",
     .operands = "condition: i1, args: any*",
     .traits = ECHO_TERMINATOR,
     .summary = "Ends the 'before' region of scf.while"},
    {.name = "scf.yield",
     .operands = "results: any*",
     .traits = ECHO_TERMINATOR | ECHO_PURE | ECHO_RETURN_LIKE,
     .summary = "Passes values out of a region"},
};

const EchoDialect ECHO_SCF_DIALECT = {.name = "scf",
                                      .in_mlir = true,
                                      .summary = "Structured control flow, as MLIR's",
                                      .ops = OPS,
                                      .n_ops = sizeof OPS / sizeof OPS[0]};
