/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The plan rows: buffers in one arena, host control flow on buffers, copies to and from host
 * memory. Values are memrefs with identity layout; see docs/stages.md. */
#include "dialects/dialects.h"
#include "dialects/plan/plan.h"
#include "ir/diagnostics.h"

#define MEMORY_ALIGNMENT_MAX (INT64_C(1) << 30)

static bool is_power_of_two(int64_t value)
{
  return value > 0 && (value & (value - 1)) == 0;
}

static bool verify_static(const EchoOp *op, const EchoType *type, uint64_t *bytes)
{
  if (!echo_type_is_memref(type) || type->as.shaped.encoding != NULL ||
      !echo_type_bytes(type, bytes))
    return echo_op_error(op, "expects a memref of static shape and identity layout");
  return true;
}

static bool verify_arena(const EchoOp *op)
{
  int64_t size = echo_op_attr_i64(op, "size_bytes", -1);
  int64_t alignment = echo_op_attr_i64(op, "alignment", -1);
  uint64_t bytes;
  if (size < 0)
    return echo_op_error(op, "expects a size of zero or more bytes");
  if (!is_power_of_two(alignment) || alignment > MEMORY_ALIGNMENT_MAX)
    return echo_op_error(op, "expects an alignment that is a power of two");
  if (!verify_static(op, echo_op_result_type(op, 0), &bytes))
    return false;
  if (bytes != (uint64_t)size)
    return echo_op_error(op, "has size_bytes %lld, but its type has %llu bytes", (long long)size,
                         (unsigned long long)bytes);
  return true;
}

/* A place in that of a result, which is an argument of the function. */
static bool verify_lent(const EchoOp *op, uint64_t bytes)
{
  const EchoValue *result = echo_op_operand(op, 0);
  const EchoOp *function = echo_block_parent(echo_value_block(result));
  int64_t offset = echo_op_attr_i64(op, "offset", -1);
  uint64_t end, available;
  if (function == NULL || !echo_plan_is_result(function, result->index))
    return echo_op_error(op, "expects the result of 'plan.arena', or the place of a result");
  if (!verify_static(op, result->type, &available))
    return false;
  if (offset < 0 || (uint64_t)offset % ECHO_PLAN_ALIGNMENT != 0)
    return echo_op_error(op, "expects an offset that is a multiple of %llu",
                         (unsigned long long)ECHO_PLAN_ALIGNMENT);
  if (!echo_add_u64((uint64_t)offset, bytes, &end) || end > available)
    return echo_op_error(op, "reaches past the end of the result's place");
  return true;
}

static bool verify_buffer(const EchoOp *op)
{
  uint64_t bytes;
  if (!verify_static(op, echo_op_result_type(op, 0), &bytes))
    return false;
  const EchoOp *arena = echo_value_def_or_null(echo_op_operand(op, 0));
  if (arena == NULL)
    return verify_lent(op, bytes);
  if (echo_plan_opcode(arena) != ECHO_PLAN_ARENA)
    return echo_op_error(op, "expects the result of 'plan.arena', or the place of a result");
  if (!echo_op_has_attr(op, "offset"))
    return true; /* before plan-memory */
  int64_t offset = echo_op_attr_i64(op, "offset", -1);
  int64_t alignment = echo_op_attr_i64(arena, "alignment", 1);
  uint64_t end;
  if (offset < 0 || offset % alignment != 0)
    return echo_op_error(op, "expects an offset that is a multiple of the arena's alignment %lld",
                         (long long)alignment);
  if (!echo_add_u64((uint64_t)offset, bytes, &end) ||
      end > (uint64_t)echo_op_attr_i64(arena, "size_bytes", 0))
    return echo_op_error(op, "reaches past the end of its arena");
  return true;
}

static bool verify_view(const EchoOp *op)
{
  uint64_t source, result;
  if (!verify_static(op, echo_op_operand_type(op, 0), &source) ||
      !verify_static(op, echo_op_result_type(op, 0), &result))
    return false;
  if (source != result)
    return echo_op_error(op, "views %llu bytes as %llu", (unsigned long long)source,
                         (unsigned long long)result);
  return true;
}

static bool verify_constant(const EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = echo_op_result_type(op, 0);
  uint64_t bytes;
  if (!verify_static(op, type, &bytes))
    return false;
  if (value->type == NULL || !echo_type_is_tensor(value->type) ||
      value->type->as.shaped.element != type->as.shaped.element ||
      echo_type_rank(value->type) != echo_type_rank(type))
    return echo_op_error(op, "expects a value of its own shape and element type");
  for (size_t i = 0; i < echo_type_rank(type); ++i)
    if (echo_type_dim(type, i) != echo_type_dim(value->type, i))
      return echo_op_error(op, "expects a value of its own shape and element type");
  return true;
}

static bool verify_copy(const EchoOp *op)
{
  if (echo_op_operand_type(op, 0) != echo_op_operand_type(op, 1))
    return echo_op_error(op, "expects source and destination of one type");
  return true;
}

static bool verify_end(const EchoOp *op, const EchoBlock *block, EchoPlanOpcode opcode)
{
  const EchoOp *end = block != NULL ? echo_block_terminator_or_null(block) : NULL;
  if (end == NULL || echo_plan_opcode(end) != opcode)
    return echo_op_error(op, "expects a region that ends in '%s'", ECHO_PLAN_OPS[opcode].name);
  return true;
}

static bool verify_while(const EchoOp *op)
{
  if (echo_op_attr_i64(op, "n_trips", 0) < 0)
    return echo_op_error(op, "expects n_trips of zero or more");
  return verify_end(op, op->regions[0].first, ECHO_PLAN_CONDITION) &&
         verify_end(op, op->regions[1].first, ECHO_PLAN_YIELD);
}

static bool verify_flag(const EchoOp *op, const EchoType *type, bool allows_index)
{
  bool is_scalar = echo_type_is_memref(type) && echo_type_rank(type) == 0;
  if (is_scalar && (echo_type_is_integer(type->as.shaped.element, 1) ||
                    (allows_index && echo_type_is_integer(type->as.shaped.element, 32))))
    return true;
  return echo_op_error(op, "expects %s", allows_index ? "memref<i1> or memref<i32>" : "memref<i1>");
}

static bool verify_condition(const EchoOp *op)
{
  return verify_flag(op, echo_op_operand_type(op, 0), false);
}

static bool verify_case(const EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  if (!verify_flag(op, type, true))
    return false;
  if (op->n_regions == 0 ||
      (echo_type_is_integer(type->as.shaped.element, 1) && op->n_regions != 2))
    return echo_op_error(op, "expects %s",
                         op->n_regions == 0 ? "a region" : "two regions for a flag");
  for (size_t i = 0; i < op->n_regions; ++i)
    if (!verify_end(op, op->regions[i].first, ECHO_PLAN_YIELD))
      return false;
  return true;
}

/* An argument that is in host memory is the other end. */
static bool verify_argument_swap(const EchoOp *op)
{
  if (echo_op_has_attr(op, "host_offset"))
    return echo_op_error(op, "expects either an argument or a host_offset");
  if (echo_op_operand_type(op, 0) != echo_op_operand_type(op, 1))
    return echo_op_error(op, "expects source and destination of one type");
  return echo_value_def_or_null(echo_op_operand(op, 1)) == NULL ||
         echo_op_error(op, "expects an argument that is in host memory");
}

static bool verify_swap(const EchoOp *op)
{
  int64_t offset = echo_op_attr_i64(op, "host_offset", -1);
  uint64_t bytes;
  if (!verify_static(op, echo_op_operand_type(op, 0), &bytes))
    return false;
  if (op->n_operands == 2)
    return verify_argument_swap(op);
  if (offset < 0)
    return echo_op_error(op, "expects a host_offset of zero or more bytes");
  if (bytes > (uint64_t)(INT64_MAX - offset))
    return echo_op_error(op, "reaches past the end of any memory");
  return true;
}

static bool verify_wait(const EchoOp *op)
{
  const EchoOp *begun = echo_value_def_or_null(echo_op_operand(op, 0));
  if (begun == NULL || !(echo_op_has_trait(begun, ECHO_PLAN_SWAP) || echo_plan_only_begins(begun)))
    return echo_op_error(
        op, "expects the result of 'plan.swap_out', of 'plan.swap_in' or of 'kernel.launch'");
  return true;
}

static const EchoTypeConstraint TYPES[] = {{"plan.event", echo_plan_is_event}, {NULL, NULL}};

const EchoOpInfo ECHO_PLAN_OPS[ECHO_N_PLAN_ROWS] = {
    [ECHO_PLAN_ARENA] = {.name = "plan.arena",
                         .results = "arena: memref",
                         .attrs = "size_bytes: i64, alignment: i64",
                         .traits = ECHO_ALLOCATES | ECHO_PLAN_PLACE,
                         .verify = verify_arena,
                         .summary = "The step's one arena"},
    [ECHO_PLAN_BUFFER] = {.name = "plan.buffer",
                          .operands = "arena: memref",
                          .results = "buffer: memref",
                          .attrs = "offset: i64?",
                          .traits = ECHO_ALLOCATES | ECHO_PLAN_PLACE,
                          .verify = verify_buffer,
                          .summary =
                              "A typed place in the arena, at a byte offset once it is planned, "
                              "or in that of a result that is written later"},
    [ECHO_PLAN_VIEW] = {.name = "plan.view",
                        .operands = "source: memref",
                        .results = "view: memref",
                        .traits = ECHO_PURE | ECHO_PLAN_PLACE,
                        .verify = verify_view,
                        .summary = "The same bytes under another shape"},
    [ECHO_PLAN_CONSTANT] = {.name = "plan.constant",
                            .results = "data: memref",
                            .attrs = "value: elements",
                            .traits = ECHO_PURE | ECHO_PLAN_PLACE,
                            .verify = verify_constant,
                            .summary = "Read-only data outside the arena"},
    [ECHO_PLAN_COPY] = {.name = "plan.copy",
                        .operands = "source: memref, destination: memref",
                        .traits = ECHO_SIDE_EFFECTS | ECHO_PLAN_STEP,
                        .verify = verify_copy,
                        .summary = "Copies one buffer to another"},
    [ECHO_PLAN_WHILE] =
        {.name = "plan.while",
         .operands = "carried: memref*",
         .attrs = "n_trips: i64?",
         .n_regions = 2,
         .traits = ECHO_SIDE_EFFECTS | ECHO_LOOP | ECHO_SINGLE_BLOCK | ECHO_PLAN_CONTROL,
         .verify = verify_while,
         .summary =
             "Runs its body while the condition region's flag holds, n_trips times where that is "
             "known; carried values stay in their buffers"},
    [ECHO_PLAN_CONDITION] = {.name = "plan.condition",
                             .operands = "flag: memref",
                             .traits = ECHO_TERMINATOR | ECHO_PLAN_STEP,
                             .verify = verify_condition,
                             .summary = "Ends the condition region of plan.while"},
    [ECHO_PLAN_CASE] =
        {.name = "plan.case",
         .operands = "index: memref",
         .n_regions = ECHO_VARIADIC,
         .traits = ECHO_SIDE_EFFECTS | ECHO_SINGLE_BLOCK | ECHO_PLAN_CONTROL,
         .verify = verify_case,
         .summary =
             "Runs one of its regions: by index, the last when out of range, or the first for "
             "true and the second for false"},
    [ECHO_PLAN_YIELD] = {.name = "plan.yield",
                         .traits = ECHO_TERMINATOR,
                         .summary = "Ends a region"},
    [ECHO_PLAN_SWAP_OUT] = {.name = "plan.swap_out",
                            .operands = "source: memref, argument: memref?",
                            .results = "done: plan.event",
                            .attrs = "host_offset: i64?",
                            .traits = ECHO_SIDE_EFFECTS | ECHO_PLAN_STEP | ECHO_PLAN_SWAP,
                            .verify = verify_swap,
                            .summary =
                                "Starts a copy to host memory, or to an argument that is there"},
    [ECHO_PLAN_SWAP_IN] = {.name = "plan.swap_in",
                           .operands = "destination: memref, argument: memref?",
                           .results = "done: plan.event",
                           .attrs = "host_offset: i64?",
                           .traits = ECHO_SIDE_EFFECTS | ECHO_PLAN_STEP | ECHO_PLAN_SWAP,
                           .verify = verify_swap,
                           .summary =
                               "Starts a copy from host memory, or from an argument that is there"},
    [ECHO_PLAN_WAIT] = {.name = "plan.wait",
                        .operands = "event: plan.event",
                        .traits = ECHO_SIDE_EFFECTS | ECHO_PLAN_STEP,
                        .verify = verify_wait,
                        .summary = "Waits for a copy or a call to be done"},
};

const EchoDialect ECHO_PLAN_DIALECT = {.name = "plan",
                                       .summary =
                                           "Buffers in one arena, and the host program over them",
                                       .ops = ECHO_PLAN_OPS,
                                       .n_ops = ECHO_N_PLAN_ROWS,
                                       .type_constraints = TYPES};
