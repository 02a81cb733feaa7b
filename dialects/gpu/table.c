/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The gpu rows: what a kernel mapped to blocks and threads is written with, as MLIR's. */
#include "dialects/dialects.h"
#include "dialects/kernel/convolution.h"
#include "dialects/kernel/product.h"

#define POSITION(op, text)                                                                         \
  {                                                                                                \
    .name = "gpu." op, .results = "result: index", .attrs = "dimension: any, upper_bound: any?",   \
    .traits = ECHO_PURE, .summary = text                                                           \
  }

/* What --lower-kernels states of a kernel's arguments, which code generation believes: the powers
 * of two that their addresses are multiples of, and which are only read. Text may say anything. */
static bool verify_facts(const EchoOp *op, uint32_t n_inputs)
{
  const EchoAttr *alignments = echo_op_attr_or_null(op, "kernel.alignments");
  const EchoAttr *read_only = echo_op_attr_or_null(op, "kernel.read_only");
  const EchoAttr *source = echo_op_attr_or_null(op, "kernel.source");
  if (alignments != NULL &&
      (!echo_attr_is_i64_array(alignments) || echo_attr_ints_size(alignments) != n_inputs))
    return echo_op_error(op, "attribute 'kernel.alignments' is an i64 for each of the %u arguments",
                         n_inputs);
  for (uint32_t i = 0; alignments != NULL && i < n_inputs; ++i) {
    int64_t bytes = echo_attr_ints_get(alignments, i);
    if (bytes < 1 || (bytes & (bytes - 1)) != 0)
      return echo_op_error(op, "argument #%u is aligned to %lld bytes: that is no power of two", i,
                           (long long)bytes);
  }
  if (read_only != NULL && !echo_attr_is_i64_array(read_only))
    return echo_op_error(op, "attribute 'kernel.read_only' is the numbers of arguments, as i64");
  for (size_t i = 0; read_only != NULL && i < echo_attr_ints_size(read_only); ++i)
    if (echo_attr_ints_get(read_only, i) < 0 || echo_attr_ints_get(read_only, i) >= n_inputs)
      return echo_op_error(op, "there is no argument #%lld that is only read",
                           (long long)echo_attr_ints_get(read_only, i));
  bool is_fine = source == NULL || source->kind == ECHO_ATTR_ARRAY;
  for (size_t i = 0; source != NULL && is_fine && i < source->as.array.size; ++i)
    is_fine = source->as.array.elements[i]->kind == ECHO_ATTR_STRING;
  return is_fine || echo_op_error(op, "attribute 'kernel.source' is an array of names");
}

static bool verify_func(const EchoOp *op)
{
  const EchoAttr *type = echo_op_attr_or_null(op, "function_type");
  const EchoBlock *entry = op->regions[0].first;
  if (type == NULL || type->kind != ECHO_ATTR_TYPE ||
      type->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return echo_op_error(op, "expects a function type");
  const EchoType *function = type->as.type_value;
  if (entry == NULL || entry->n_args < function->as.function.n_inputs)
    return echo_op_error(op, "expected at least %u arguments to body region",
                         function->as.function.n_inputs);
  for (uint32_t i = 0; i < function->as.function.n_inputs; ++i)
    if (echo_block_arg(entry, i)->type != function->as.function.inputs[i])
      return echo_op_error(op, "expected body region argument #%u to be of type '%s'", i,
                           echo_type_text(echo_op_context(op), function->as.function.inputs[i]));
  return verify_facts(op, function->as.function.n_inputs) && echo_kernel_product_verify(op) &&
         echo_kernel_convolution_verify(op);
}

static const EchoOpInfo OPS[] = {
    {.name = "gpu.module",
     .attrs = "sym_name: string, targets: any?, offloadingHandler: any?",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_SYMBOL | ECHO_SYMBOL_TABLE | ECHO_SINGLE_BLOCK,
     .summary = "Kernels for one device"},
    {.name = "gpu.module_end", .traits = ECHO_TERMINATOR, .summary = "Ends gpu.module"},
    {.name = "gpu.func",
     .attrs =
         "function_type: type, arg_attrs: any?, res_attrs: any?, workgroup_attrib_attrs: any?, "
         "private_attrib_attrs: any?, known_block_size: array<i32>?, known_grid_size: "
         "array<i32>?",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_SYMBOL,
     .verify = verify_func,
     .summary = "A kernel; arguments beyond its type are shared memory"},
    {.name = "gpu.return",
     .operands = "operands: any*",
     .traits = ECHO_TERMINATOR,
     .summary = "Ends gpu.func"},
    POSITION("thread_id", "Position in the block"),
    POSITION("block_id", "Position in the grid"),
    POSITION("block_dim", "Threads in a block"),
    POSITION("grid_dim", "Blocks in the grid"),
    {.name = "gpu.lane_id",
     .results = "result: index",
     .attrs = "upper_bound: any?",
     .traits = ECHO_PURE,
     .summary = "Position in the warp"},
    {.name = "gpu.barrier",
     .traits = ECHO_SIDE_EFFECTS,
     .summary = "All threads of the block meet"},
    {.name = "gpu.shuffle",
     .operands = "value: any, offset: i32, width: i32",
     .results = "shuffleResult: any, valid: i1",
     .attrs = "mode: any",
     .traits = ECHO_SIDE_EFFECTS,
     .summary = "Another lane's value"},
};

const EchoDialect ECHO_GPU_DIALECT = {.name = "gpu",
                                      .in_mlir = true,
                                      .summary = "Kernels mapped to blocks and threads, as MLIR's",
                                      .ops = OPS,
                                      .n_ops = sizeof OPS / sizeof OPS[0]};
