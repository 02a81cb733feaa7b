/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/ir/test_dialect.h"

static bool fold_add(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  if (operands[1] != NULL && operands[1]->as.integer.value == 0) {
    results[0].value = echo_op_operand(op, 0);
    return true;
  }
  if (operands[0] == NULL || operands[1] == NULL)
    return false;
  results[0].attr =
      echo_attr_integer(echo_op_context(op), op->results[0].type,
                        operands[0]->as.integer.value + operands[1]->as.integer.value);
  return true;
}

/* Two results, one of them a constant: half of the operand's own value, and the operand. */
static bool fold_split(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  if (operands[0] == NULL)
    return false;
  results[0].attr = echo_attr_integer(echo_op_context(op), op->results[0].type,
                                      operands[0]->as.integer.value / 2);
  results[1].value = echo_op_operand(op, 0);
  return true;
}

/* In place: marks the op once. */
static bool fold_mark(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  (void)operands;
  (void)results;
  if (echo_op_has_attr(op, "marked"))
    return false;
  echo_op_set_attr(op, "marked", echo_attr_unit(echo_op_context(op)));
  return true;
}

static bool infer_first(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                        size_t *n_types)
{
  (void)regions;
  types[0] = state->operands[0]->type;
  *n_types = 1;
  return true;
}

static bool verify_even(const EchoOp *op)
{
  return echo_op_attr_i64(op, "value", 0) % 2 == 0 || echo_op_error(op, "value must be even");
}

static const EchoOpInfo OPS[] = {
    {.name = "test.module",
     .attrs = "sym_name: string?",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_SYMBOL_TABLE | ECHO_NO_TERMINATOR | ECHO_SINGLE_BLOCK |
               ECHO_GRAPH_REGION | ECHO_SYMBOL},
    {.name = "test.func",
     .attrs = "sym_name: string, function_type: type?, sym_visibility: string?",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_SYMBOL | ECHO_FUNCTION},
    {.name = "test.return",
     .operands = "values: any*",
     .traits = ECHO_TERMINATOR | ECHO_RETURN_LIKE | ECHO_PURE},
    {.name = "test.br", .n_successors = ECHO_VARIADIC, .traits = ECHO_TERMINATOR | ECHO_PURE},
    {.name = "test.const",
     .results = "result: any",
     .attrs = "value: int",
     .traits = ECHO_PURE | ECHO_CONSTANT},
    {.name = "test.even",
     .results = "result: any",
     .attrs = "value: int",
     .traits = ECHO_PURE,
     .verify = verify_even},
    {.name = "test.add",
     .operands = "lhs: int, rhs: int",
     .results = "result: int",
     .traits = ECHO_PURE | ECHO_COMMUTATIVE | ECHO_SAME_TYPE,
     .fold = fold_add},
    {.name = "test.sub",
     .operands = "lhs: int, rhs: int",
     .results = "result: int",
     .traits = ECHO_PURE | ECHO_SAME_TYPE},
    {.name = "test.neg",
     .operands = "in: int",
     .results = "result: int",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_INVOLUTION},
    {.name = "test.abs",
     .operands = "in: int",
     .results = "result: int",
     .traits = ECHO_PURE | ECHO_SAME_TYPE | ECHO_IDEMPOTENT},
    {.name = "test.split",
     .operands = "in: int",
     .results = "low: int, same: int",
     .traits = ECHO_PURE,
     .fold = fold_split},
    {.name = "test.mark",
     .operands = "in: any",
     .results = "result: any",
     .attrs = "marked: unit?",
     .traits = ECHO_PURE,
     .infer = infer_first,
     .fold = fold_mark},
    {.name = "test.segments",
     .operands = "first: any*, maybe: any?, last: any*",
     .attrs = "operandSegmentSizes: array<i32>",
     .traits = ECHO_PURE},
    {.name = "test.middle",
     .operands = "first: any, many: any*, last: any",
     .results = "results: any*",
     .traits = ECHO_PURE},
    {.name = "test.between",
     .operands = "first: any, many: any*, last: int",
     .results = "results: any*",
     .traits = ECHO_PURE},
    {.name = "test.groups",
     .operands = "many: int*, maybe: float?, last: any",
     .attrs = "operandSegmentSizes: array<i32>",
     .traits = ECHO_PURE},
    {.name = "test.region",
     .operands = "in: any*",
     .results = "results: any*",
     .n_regions = ECHO_VARIADIC,
     .traits = ECHO_PURE},
    {.name = "test.loop",
     .operands = "in: any*",
     .results = "results: any*",
     .n_regions = 1,
     .traits = ECHO_RECURSIVE_EFFECTS},
    {.name = "test.graph",
     .results = "results: any*",
     .n_regions = 1,
     .traits = ECHO_GRAPH_REGION | ECHO_NO_TERMINATOR | ECHO_PURE},
    {.name = "test.isolated", .n_regions = 1, .traits = ECHO_ISOLATED | ECHO_SIDE_EFFECTS},
    {.name = "test.use",
     .operands = "in: any*",
     .results = "results: any*",
     .traits = ECHO_SIDE_EFFECTS},
    {.name = "test.read", .results = "result: any", .traits = ECHO_READS_MEMORY},
    {.name = "test.barrier",
     .operands = "in: any*",
     .results = "results: any*",
     .traits = ECHO_PURE | ECHO_BARRIER},
    {.name = "test.call",
     .operands = "in: any*",
     .results = "results: any*",
     .attrs = "callee: symbol",
     .traits = ECHO_CALL | ECHO_SIDE_EFFECTS},
};

static EchoOp *materialize(EchoBuilder *builder, const EchoAttr *value, const EchoType *type)
{
  EchoAttrArg args[] = {{"value", value}};
  return echo_build_op(builder, "test.const", NULL, 0, &type, 1, args, 1);
}

const EchoDialect TEST_DIALECT = {.name = "test",
                                  .summary = "For tests",
                                  .ops = OPS,
                                  .n_ops = sizeof OPS / sizeof OPS[0],
                                  .materialize_constant = materialize};

TestIr test_ir_create(void)
{
  TestIr ir = {.ctx = echo_context_create()};
  echo_context_register_dialect(ir.ctx, &TEST_DIALECT);
  ir.i32 = echo_type_i32(ir.ctx);
  EchoBuilder builder = echo_builder_at_end(ir.ctx, NULL);
  ir.module = echo_build_op_with_regions(&builder, "test.module", NULL, 0, NULL, 0, NULL, 0, 1);
  ir.body = echo_block_create(ir.ctx);
  echo_region_append(&ir.module->regions[0], ir.body);
  return ir;
}

void test_ir_destroy(TestIr *ir)
{
  echo_op_erase(ir->module);
  echo_context_destroy(ir->ctx);
}

EchoValue *test_const(TestIr *ir, EchoBlock *block, int64_t value)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  return echo_op_result(materialize(&builder, echo_attr_integer(ir->ctx, ir->i32, value), ir->i32),
                        0);
}

EchoValue *test_binary(TestIr *ir, EchoBlock *block, const char *name, EchoValue *lhs,
                       EchoValue *rhs)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  return echo_build_binary(&builder, name, lhs, rhs, ir->i32);
}

EchoValue *test_unary(TestIr *ir, EchoBlock *block, const char *name, EchoValue *operand)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  return echo_build_unary(&builder, name, operand, ir->i32);
}

EchoOp *test_use(TestIr *ir, EchoBlock *block, EchoValue *const *values, size_t n)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  return echo_build_op(&builder, "test.use", values, n, NULL, 0, NULL, 0);
}

EchoOp *test_with_regions(TestIr *ir, EchoBlock *block, const char *name, size_t n_results,
                          size_t n_regions)
{
  const EchoType *types[16];
  for (size_t i = 0; i < n_results; ++i)
    types[i] = ir->i32;
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  EchoOp *op = echo_build_op_with_regions(&builder, name, NULL, 0, n_results != 0 ? types : NULL,
                                          n_results, NULL, 0, n_regions);
  for (size_t i = 0; i < n_regions; ++i)
    echo_region_append(&op->regions[i], echo_block_create(ir->ctx));
  return op;
}

void test_return(TestIr *ir, EchoBlock *block, EchoValue *const *values, size_t n)
{
  EchoBuilder builder = echo_builder_at_end(ir->ctx, block);
  echo_build_op(&builder, "test.return", values, n, NULL, 0, NULL, 0);
}

void test_branch(TestIr *ir, EchoBlock *block, EchoBlock *const *successors, size_t n)
{
  EchoOpState state = {.ctx = ir->ctx,
                       .info = echo_context_op_info(ir->ctx, "test.br"),
                       .successors = successors,
                       .n_successors = (uint16_t)n};
  echo_block_append(block, echo_op_create(&state));
}

size_t test_n_messages(const EchoContext *ctx, const char *text)
{
  size_t n = 0;
  for (size_t i = 0; i < echo_context_n_diagnostics(ctx); ++i)
    for (const EchoDiagnostic *at = echo_context_diagnostic(ctx, i); at != NULL; at = at->next_note)
      n += strcmp(at->message, text) == 0;
  return n;
}
