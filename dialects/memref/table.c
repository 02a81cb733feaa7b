/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memref rows: the subset that lowered kernels use. */
#include "dialects/dialects.h"

static bool check_access(const EchoOp *op, size_t memref, const EchoType *value)
{
  const EchoType *type = echo_op_operand_type(op, memref);
  size_t n_indices = op->n_operands - memref - 1;
  if (type->kind != ECHO_TYPE_MEMREF)
    return echo_op_error(op, "expects a ranked memref");
  if (n_indices != type->as.shaped.rank)
    return echo_op_error(op, "expects %u indices, got %zu", type->as.shaped.rank, n_indices);
  if (type->as.shaped.element != value)
    return echo_op_error(op, "failed to verify that the value's type matches element type of "
                             "memref");
  return true;
}

static bool verify_load(const EchoOp *op)
{
  return check_access(op, 0, echo_op_result_type(op, 0));
}

static bool verify_store(const EchoOp *op)
{
  return check_access(op, 1, echo_op_operand_type(op, 0));
}

/* Nothing is left of dimensions that are all one. */
static bool check_collapse_to_scalar(const EchoOp *op, const EchoType *from)
{
  for (uint32_t i = 0; i < from->as.shaped.rank; ++i)
    if (from->as.shaped.dims[i] != 1)
      return echo_op_error(op, "rank 0 memrefs can only be extended/collapsed with/from ones");
  return true;
}

static bool verify_collapse_shape(const EchoOp *op)
{
  const EchoAttr *groups = echo_op_attr_or_null(op, "reassociation");
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  if (groups == NULL || groups->kind != ECHO_ATTR_ARRAY || from->kind != ECHO_TYPE_MEMREF ||
      to->kind != ECHO_TYPE_MEMREF)
    return echo_op_error(op, "expects ranked memrefs and a reassociation");
  if (groups->as.array.size != to->as.shaped.rank)
    return echo_op_error(op, "invalid number of reassociation groups: found %zu, expected %u",
                         groups->as.array.size, to->as.shaped.rank);
  int64_t next = 0;
  for (size_t g = 0; g < groups->as.array.size; ++g) {
    const EchoAttr *group = groups->as.array.elements[g];
    int64_t size = 1;
    bool is_dynamic = false;
    if (group->kind != ECHO_ATTR_ARRAY)
      return echo_op_error(op, "expects a list of lists of dimensions");
    for (size_t i = 0; i < group->as.array.size; ++i, ++next) {
      const EchoAttr *dim = group->as.array.elements[i];
      if (dim->kind != ECHO_ATTR_INTEGER || dim->as.integer.value != next ||
          next >= (int64_t)from->as.shaped.rank)
        return echo_op_error(op, "expects the reassociation to list all dimensions in order");
      is_dynamic |= from->as.shaped.dims[next] == ECHO_DYNAMIC;
      if (!is_dynamic && !echo_mul_i64(size, from->as.shaped.dims[next], &size))
        return echo_op_error(op, "collapsed dimension overflows");
    }
    if (to->as.shaped.dims[g] != (is_dynamic ? ECHO_DYNAMIC : size))
      return echo_op_error(op,
                           "expected dimension %zu of collapsed type to be static value of "
                           "%lld",
                           g, (long long)size);
  }
  if (to->as.shaped.rank == 0)
    return check_collapse_to_scalar(op, from);
  if (next != (int64_t)from->as.shaped.rank)
    return echo_op_error(op, "expects the reassociation to list all dimensions in order");
  return true;
}

static bool verify_alloca(const EchoOp *op)
{
  if (echo_op_result_type(op, 0)->kind != ECHO_TYPE_MEMREF)
    return echo_op_error(op, "result must be a memref");
  return true;
}

static const EchoOpInfo OPS[] = {
    {.name = "memref.load",
     .operands = "memref: memref, indices: index*",
     .results = "result: any",
     .attrs = "nontemporal: bool?",
     .traits = ECHO_READS_MEMORY,
     .verify = verify_load,
     .summary = "One element"},
    {.name = "memref.store",
     .operands = "value: any, memref: memref, indices: index*",
     .attrs = "nontemporal: bool?",
     .traits = ECHO_SIDE_EFFECTS,
     .verify = verify_store,
     .summary = "Writes one element"},
    {.name = "memref.alloca",
     .operands = "dynamicSizes: index*, symbolOperands: index*",
     .results = "memref: memref",
     .attrs = "alignment: i64?, operandSegmentSizes: any",
     .traits = ECHO_ALLOCATES,
     .verify = verify_alloca,
     .summary = "Memory on the stack"},
    {.name = "memref.collapse_shape",
     .operands = "src: memref",
     .results = "result: memref",
     .attrs = "reassociation: array",
     .traits = ECHO_PURE,
     .verify = verify_collapse_shape,
     .summary = "View with neighbouring dimensions joined"},
    {.name = "memref.expand_shape",
     .operands = "src: memref, output_shape: index*",
     .results = "result: memref",
     .attrs = "reassociation: array, static_output_shape: array<i64>",
     .traits = ECHO_PURE,
     .summary = "View with dimensions split"},
    {.name = "memref.extract_aligned_pointer_as_index",
     .operands = "source: any",
     .results = "aligned_pointer: index",
     .traits = ECHO_PURE,
     .summary = "Address of the first element"},
    {.name = "memref.global",
     .attrs = "sym_name: string, sym_visibility: string?, type: type, initial_value: any?, "
              "constant: unit?, alignment: i64?",
     .traits = ECHO_SYMBOL,
     .summary = "Memory of the module"},
    {.name = "memref.get_global",
     .results = "result: memref",
     .attrs = "name: symbol",
     .traits = ECHO_PURE,
     .summary = "The memory of a memref.global"},
    {.name = "memref.copy",
     .operands = "source: memref, target: memref",
     .traits = ECHO_SIDE_EFFECTS,
     .summary = "Copies all elements"},
};

const EchoDialect ECHO_MEMREF_DIALECT = {.name = "memref",
                                         .in_mlir = true,
                                         .summary = "Buffers, as MLIR's",
                                         .ops = OPS,
                                         .n_ops = sizeof OPS / sizeof OPS[0]};
