/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel rows. Callees are not looked up here: one look-up is O(symbols), and a step launches
 * thousands of kernels; the passes that make or lower launches keep a symbol table and check. */
#include "dialects/dialects.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/kernel/call_target.h"
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/verify_t.h"
#include "dialects/plan/plan.h"
#include "ir/context.h"

static const EchoType *function_type_or_null(const EchoOp *op)
{
  const EchoAttr *type = echo_op_attr_or_null(op, "function_type");
  if (type == NULL || type->kind != ECHO_ATTR_TYPE ||
      type->as.type_value->kind != ECHO_TYPE_FUNCTION)
    return NULL;
  return type->as.type_value;
}

static bool verify_func(const EchoOp *op)
{
  const EchoType *type = function_type_or_null(op);
  EchoKernelKind kind;
  if (type == NULL)
    return echo_op_error(op, "expects 'function_type' to be a function type");
  if (!echo_kernel_kind_parse(echo_op_attr_string(op, "kind"), &kind))
    return echo_op_error(op, "has an unknown kind '%.*s'",
                         ECHO_STR_ARG(echo_op_attr_string(op, "kind")));
  const EchoBlock *entry = op->regions[0].first;
  if (entry == NULL || entry->next != NULL)
    return echo_op_error(op, "expects a body of one block");
  if (entry->n_args != type->as.function.n_inputs)
    return echo_op_error(op, "expects %u arguments, got %u", type->as.function.n_inputs,
                         entry->n_args);
  for (uint32_t i = 0; i < entry->n_args; ++i)
    if (echo_block_arg(entry, i)->type != type->as.function.inputs[i])
      return echo_op_error(op, "type of argument #%u does not match the function type", i);
  const EchoOp *end = echo_block_terminator_or_null(entry);
  if (end == NULL || !echo_op_is(end, "kernel.return"))
    return echo_op_error(op, "expects its body to end in 'kernel.return'");
  return true;
}

static bool verify_return(const EchoOp *op)
{
  const EchoOp *func = echo_op_parent(op);
  const EchoType *type = func != NULL ? function_type_or_null(func) : NULL;
  if (type == NULL || !echo_op_is(func, "kernel.func"))
    return echo_op_error(op, "expects parent op 'kernel.func'");
  if (op->n_operands != type->as.function.n_results)
    return echo_op_error(op, "has %u operands, but the kernel returns %u", op->n_operands,
                         type->as.function.n_results);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (echo_op_operand_type(op, i) != type->as.function.results[i])
      return echo_op_error(op, "type of operand #%u does not match the kernel's result", i);
  return true;
}

static bool verify_launch(const EchoOp *op)
{
  int64_t n_inputs = echo_op_attr_i64(op, "n_inputs", -1);
  if (n_inputs < 0 || n_inputs > (int64_t)op->n_operands)
    return echo_op_error(op, "n_inputs is %lld, but it has %u operands", (long long)n_inputs,
                         op->n_operands);
  if (op->n_results == 0)
    return true;
  if (!echo_plan_is_event(echo_op_result_type(op, 0)))
    return echo_op_error(op, "expects a result of type '!plan.event', or none");
  return (n_inputs > 0 && n_inputs < (int64_t)op->n_operands) ||
         echo_op_error(op, "only begins: expects a token among its inputs and its outputs");
}

static bool evaluate_call(EchoEvaluator *evaluator, const EchoOp *op,
                          const EchoTensor *const *operands, EchoTensor **results)
{
  return evaluator->call(evaluator, op, echo_op_attr_or_null(op, "callee"), operands,
                         op->n_operands, results, op->n_results);
}

static bool has_integer(const EchoAttr *dictionary, const char *name, int64_t limit)
{
  const EchoAttr *value = echo_dictionary_get_or_null(dictionary, name);
  return value != NULL && value->kind == ECHO_ATTR_INTEGER && value->as.integer.value >= 0 &&
         value->as.integer.value < limit;
}

static bool is_number(const EchoAttr *attr)
{
  return attr != NULL && (attr->kind == ECHO_ATTR_INTEGER || attr->kind == ECHO_ATTR_FLOAT);
}

static bool is_library_argument(const EchoAttr *argument, size_t n_grid)
{
  if (argument->kind != ECHO_ATTR_DICTIONARY)
    return is_number(argument);
  const EchoAttr *strides = echo_dictionary_get_or_null(argument, "strides");
  bool is_copied = echo_dictionary_get_or_null(argument, "from") != NULL;
  bool is_offset = echo_dictionary_get_or_null(argument, "offset") != NULL;
  bool is_buffer = has_integer(argument, "buffer", INT32_MAX) && strides != NULL &&
                   strides->kind == ECHO_ATTR_DENSE_ARRAY &&
                   strides->as.dense_array.size == n_grid &&
                   (!is_copied || (n_grid == 1 && has_integer(argument, "from", INT32_MAX))) &&
                   (!is_offset || has_integer(argument, "offset", INT64_MAX));
  bool is_tile = has_integer(argument, "tile", INT64_MAX) &&
                 has_integer(argument, "total", INT64_MAX) &&
                 has_integer(argument, "axis", (int64_t)n_grid);
  bool is_space =
      has_integer(argument, "space", INT32_MAX) && has_integer(argument, "stride", INT64_MAX);
  return is_buffer || is_tile || is_space ||
         is_number(echo_dictionary_get_or_null(argument, "reference"));
}

static bool verify_form(const EchoOp *op)
{
  const EchoAttr *arguments = echo_op_attr_or_null(op, "arguments");
  const EchoAttr *signature = echo_op_attr_or_null(op, "signature");
  const EchoAttr *grid = echo_op_attr_or_null(op, "grid");
  if (arguments->as.array.size > ECHO_LIBRARY_MAX_ARGS ||
      signature->as.array.size != arguments->as.array.size + 1)
    return echo_op_error(op,
                         "expects one type for the result and one for each argument, at most %d",
                         ECHO_LIBRARY_MAX_ARGS);
  size_t n_grid = echo_attr_ints_size(grid);
  if (n_grid > ECHO_LIBRARY_MAX_GRID)
    return echo_op_error(op, "expects a grid of at most %d dimensions", ECHO_LIBRARY_MAX_GRID);
  for (size_t i = 0; i < signature->as.array.size; ++i) {
    EchoLibraryType type;
    if (!echo_kernel_library_type(signature->as.array.elements[i], &type))
      return echo_op_error(op, "signature type #%zu is none of void, i32, i64, f32, f64, ptr", i);
  }
  for (size_t i = 0; i < arguments->as.array.size; ++i)
    if (!is_library_argument(arguments->as.array.elements[i], n_grid))
      return echo_op_error(op,
                           "argument #%zu is neither a constant nor {buffer, strides}, "
                           "{tile, total, axis}, {reference} or {space, stride}",
                           i);
  return true;
}

static bool verify_library(const EchoOp *op)
{
  const EchoType *type = function_type_or_null(op);
  if (type == NULL)
    return echo_op_error(op, "expects 'function_type' to be a function type");
  return verify_form(op) && echo_kernel_verify_call(op);
}

static bool is_token(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_rank(type) == 0 &&
         echo_type_element_kind(type) == ECHO_ELEMENT_I1;
}

static bool verify_invoke(const EchoOp *op)
{
  return verify_form(op) && echo_kernel_verify_call(op);
}

static bool verify_effect(const EchoOp *op)
{
  if (!verify_invoke(op))
    return false;
  bool has_tokens = op->n_operands != 0 && op->n_results != 0 &&
                    is_token(echo_op_operand_type(op, 0)) && is_token(echo_op_result_type(op, 0)) &&
                    echo_attr_ints_size(echo_op_attr_or_null(op, "buffers")) ==
                        (size_t)op->n_operands + op->n_results;
  return has_tokens || echo_op_error(op, "expects a token, tensor<i1>, as its first operand and "
                                         "result, and all its buffers to be handed over");
}

static bool evaluate_invoke(EchoEvaluator *evaluator, const EchoOp *op,
                            const EchoTensor *const *operands, EchoTensor **results)
{
  const EchoLibraryRunner *runner =
      echo_context_row_or_null(evaluator->ctx, ECHO_LIBRARY_RUNNER, ECHO_STR("calls"));
  if (runner == NULL)
    return echo_op_error(op, "cannot be interpreted: nothing here calls libraries");
  void **buffers = echo_alloc_array((size_t)op->n_operands + op->n_results + 1, sizeof *buffers);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    buffers[i] = operands[i]->data;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    results[i] = echo_tensor_create(echo_op_result_type(op, i), true);
    buffers[op->n_operands + i] = results[i]->data;
  }
  bool ok = runner->run(op, buffers);
  echo_free(buffers);
  return ok;
}

/* What it is to links. Its first operand is a token. */
static void cost_link(const EchoOp *op, EchoCost *cost)
{
  const EchoCallTarget *target = echo_context_row_or_null(echo_op_context(op), ECHO_CALL_TARGET,
                                                          echo_op_attr_string(op, "symbol"));
  if (!echo_str_is(echo_op_attr_string(op, "library"), ECHO_LIBRARY_TARGET) || target == NULL)
    return;
  cost->is_beside = target->may_overlap;
  if (target->sent_bytes == NULL)
    return;
  double token_bytes = (double)echo_type_static_bytes(echo_op_operand_type(op, 0));
  cost->link_calls = 1;
  cost->link_bytes =
      target->sent_bytes(echo_op_attr_or_null(op, "config"), cost->bytes_read - token_bytes);
}

static void cost_invoke(const EchoOp *op, EchoCost *cost)
{
  *cost = (EchoCost){.flops = echo_op_attr_or_null(op, "flops")->as.floating.value};
  for (uint32_t i = 0; i < op->n_operands; ++i)
    cost->bytes_read += (double)echo_type_static_bytes(echo_op_operand_type(op, i));
  for (uint32_t i = 0; i < op->n_results; ++i)
    cost->bytes_written += (double)echo_type_static_bytes(echo_op_result_type(op, i));
}

static void cost_effect(const EchoOp *op, EchoCost *cost)
{
  cost_invoke(op, cost);
  cost_link(op, cost);
}

#define INVOKE_ATTRS                                                                               \
  "library: string, symbol: string, signature: array, arguments: array, grid: array<i64>, "        \
  "tasks: i64?, flops: float, config: any?, buffers: array<i64>?, declared: type?"

static const EchoOpInfo OPS[] = {
    {.name = "kernel.func",
     .attrs = "sym_name: string, function_type: type, kind: string",
     .n_regions = 1,
     .traits = ECHO_ISOLATED | ECHO_SYMBOL | ECHO_FUNCTION | ECHO_SINGLE_BLOCK,
     .verify = verify_func,
     .summary = "A fused region of tensor ops that becomes one kernel"},
    {.name = "kernel.return",
     .operands = "results: any*",
     .traits = ECHO_TERMINATOR | ECHO_PURE | ECHO_RETURN_LIKE,
     .verify = verify_return,
     .summary = "Ends kernel.func"},
    {.name = "kernel.call",
     .operands = "operands: any*",
     .results = "results: any*",
     .attrs = "callee: symbol",
     .traits = ECHO_PURE | ECHO_CALL,
     .evaluate = evaluate_call,
     .summary = "Runs a kernel on tensors"},
    {.name = "kernel.launch",
     .operands = "operands: any*",
     .results = "done: any?",
     .attrs = "callee: symbol, n_inputs: i64",
     .traits = ECHO_SIDE_EFFECTS | ECHO_CALL | ECHO_PLAN_STEP,
     .verify = verify_launch,
     .summary =
         "Runs a kernel on buffers: inputs, then one output a result; where it gives an event, "
         "it only begins a call with an effect"},
    {.name = "kernel.library",
     .attrs = "sym_name: string, function_type: type, library: string, symbol: string, signature: "
              "array, arguments: array, grid: array<i64>, tasks: i64?, config: any?, buffers: "
              "array<i64>?, has_token: unit?, declared: type?",
     .traits = ECHO_SYMBOL,
     .verify = verify_library,
     .summary = "A kernel that calls a library for each item of a grid"},
    {.name = "kernel.invoke",
     .operands = "operands: tensor*",
     .results = "results: tensor*",
     .attrs = INVOKE_ATTRS,
     .traits = ECHO_PURE | ECHO_HEAVY,
     .verify = verify_invoke,
     .evaluate = evaluate_invoke,
     .cost = cost_invoke,
     .summary = "The same call on tensors: results are what it writes"},
    {.name = "kernel.effect",
     .operands = "operands: tensor*",
     .results = "results: tensor*",
     .attrs = INVOKE_ATTRS ", has_token: unit",
     .traits = ECHO_SIDE_EFFECTS | ECHO_HEAVY,
     .verify = verify_effect,
     .evaluate = evaluate_invoke,
     .cost = cost_effect,
     .summary = "One that acts on the world, in the order of a token"},
};

const EchoDialect ECHO_KERNEL_DIALECT = {.name = "kernel",
                                         .summary = "Fused regions, launches and library calls",
                                         .ops = OPS,
                                         .n_ops = sizeof OPS / sizeof OPS[0]};
