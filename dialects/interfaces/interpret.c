/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interpreter: walks a block, calls each op's evaluate hook, and frees each value after the
 * last op that reads it. */
#include "base/vector.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/diagnostics.h"
#include "ir/symbol.h"

/* Recursion and nesting in the input must not become a crash: one level takes a few hundred bytes
 * of stack. */
enum { MAX_CALL_DEPTH = 256, MAX_REGION_DEPTH = 1000 };

typedef struct Interpreter {
  EchoEvaluator interface; /* first member */
  const EchoOp *module;
  EchoMap values; /* EchoValue * -> EchoTensor *; blocks of all active regions */
  unsigned call_depth, region_depth;
} Interpreter;

static EchoTensor *lookup(const Interpreter *interpreter, const EchoValue *value)
{
  EchoTensor *tensor = echo_map_get_ptr(&interpreter->values, value);
  ECHO_CHECK(tensor != NULL, "a value is read before it is computed");
  return tensor;
}

static void release(Interpreter *interpreter, const EchoValue *value)
{
  echo_tensor_destroy(echo_map_get_ptr(&interpreter->values, value));
  echo_map_erase(&interpreter->values, echo_key(value));
}

/* For each value of `block`, the last op directly in it that reads it, itself or inside its
 * regions. */
static void find_last_readers(const EchoBlock *block, EchoMap *last)
{
  for (uint32_t i = 0; i < block->n_args; i++)
    echo_map_set_ptr(last, echo_block_arg(block, i), NULL);
  for (EchoOp *op = block->first; op != NULL; op = op->next) {
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      for (uint32_t i = 0; i < inner->n_operands; i++)
        if (echo_value_block(echo_op_operand(inner, i)) == block)
          echo_map_set_ptr(last, echo_op_operand(inner, i), op);
    for (uint32_t i = 0; i < op->n_results; i++)
      echo_map_set_ptr(last, echo_op_result(op, i), op); /* unless somebody reads it */
  }
}

static void release_dead(Interpreter *interpreter, EchoOp *op, const EchoMap *last)
{
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
    for (uint32_t i = 0; i < inner->n_operands; i++) {
      const EchoValue *value = echo_op_operand(inner, i);
      if (echo_map_get_ptr(last, value) == op &&
          echo_map_has(&interpreter->values, echo_key(value)))
        release(interpreter, value);
    }
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_map_get_ptr(last, echo_op_result(op, i)) == op)
      release(interpreter, echo_op_result(op, i));
}

/* Elements of every type can be moved; hooks that compute know those of EchoElementKind. */
static bool can_hold(const EchoType *type, bool only_moves)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
         echo_type_element_bytes(type) != 0 &&
         (only_moves || echo_type_element_kind(type) != ECHO_ELEMENT_NONE);
}

/* Ops with regions leave computing to the ops in them. */
static bool only_moves_elements(const EchoOp *op)
{
  return op->n_regions != 0 || (op->info->traits & (ECHO_MOVEMENT | ECHO_CONSTANT | ECHO_BARRIER |
                                                    ECHO_CALL | ECHO_SIDE_EFFECTS)) != 0;
}

static bool check_types(const EchoOp *op)
{
  bool only_moves = only_moves_elements(op), ok = true;
  for (uint32_t i = 0; i < op->n_operands; i++)
    ok &= can_hold(echo_op_operand_type(op, i), only_moves);
  for (uint32_t i = 0; i < op->n_results; i++)
    ok &= can_hold(echo_op_result_type(op, i), only_moves);
  return ok || echo_op_error(op, "cannot be interpreted for values of these types");
}

static bool run_op(Interpreter *interpreter, EchoOp *op)
{
  if (op->info->evaluate == NULL)
    return echo_op_error(op, "cannot be interpreted");
  if (!check_types(op))
    return false;
  const EchoTensor **operands = echo_alloc_array(op->n_operands + 1u, sizeof *operands);
  EchoTensor **results = echo_alloc_zero(op->n_results + 1u, sizeof *results);
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = lookup(interpreter, echo_op_operand(op, i));
  bool ok = op->info->evaluate(&interpreter->interface, op, operands, results);
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (!ok) {
      echo_tensor_destroy(results[i]);
      continue;
    }
    ECHO_CHECK_OP(results[i] != NULL, op, "evaluation left result %u out", i);
    echo_map_set_ptr(&interpreter->values, echo_op_result(op, i), results[i]);
  }
  echo_free(operands);
  echo_free(results);
  return ok;
}

/* Runs the block on copies of `arguments`; `results` are copies of its terminator's operands. */
static bool run_block(Interpreter *interpreter, const EchoBlock *block,
                      const EchoTensor *const *arguments, EchoTensor **results, size_t n_results)
{
  EchoOp *terminator = block->last;
  EchoMap last = {0};
  find_last_readers(block, &last);
  for (uint32_t i = 0; i < block->n_args; i++)
    echo_map_set_ptr(&interpreter->values, echo_block_arg(block, i),
                     echo_tensor_clone(arguments[i]));
  bool ok = true;
  for (EchoOp *op = block->first; op != terminator && ok; op = op->next) {
    ok = run_op(interpreter, op);
    if (ok)
      release_dead(interpreter, op, &last);
  }
  for (size_t i = 0; i < n_results && ok; i++)
    results[i] = echo_tensor_clone(lookup(interpreter, echo_op_operand(terminator, i)));
  EchoMapEntry entry;
  for (size_t cursor = 0; echo_map_next(&last, &cursor, &entry);)
    if (echo_map_has(&interpreter->values, entry.key))
      release(interpreter, (const EchoValue *)(uintptr_t)entry.key);
  echo_map_destroy(&last);
  return ok;
}

static bool run_region(EchoEvaluator *evaluator, const EchoRegion *region,
                       const EchoTensor *const *arguments, size_t n_arguments, EchoTensor **results,
                       size_t n_results)
{
  const EchoBlock *block = region->first;
  ECHO_CHECK(block != NULL && block->next == NULL && block->n_args == n_arguments &&
                 block->last != NULL && block->last->n_operands == n_results,
             "a region of %u arguments is run with %zu", block != NULL ? block->n_args : 0,
             n_arguments);
  Interpreter *interpreter = (Interpreter *)evaluator;
  if (interpreter->region_depth == MAX_REGION_DEPTH)
    return echo_op_error(region->parent, "is nested more than %d deep", MAX_REGION_DEPTH);
  interpreter->region_depth++;
  bool ok = run_block(interpreter, block, arguments, results, n_results);
  interpreter->region_depth--;
  return ok;
}

static bool call_function(Interpreter *interpreter, const EchoOp *function,
                          const EchoTensor *const *arguments, EchoTensor **results,
                          size_t n_results)
{
  if (echo_region_is_empty(&function->regions[0]))
    return echo_op_error(function, "has no body to interpret");
  if (function->regions[0].first->next != NULL)
    return echo_op_error(function, "cannot be interpreted: its body has several blocks");
  if (interpreter->call_depth == MAX_CALL_DEPTH)
    return echo_op_error(function, "is called more than %d deep", MAX_CALL_DEPTH);
  /* A function sees none of its caller's values; a fresh map also makes recursion safe. */
  EchoMap callers = interpreter->values;
  interpreter->values = (EchoMap){0};
  interpreter->call_depth++;
  bool ok = run_block(interpreter, function->regions[0].first, arguments, results, n_results);
  interpreter->call_depth--;
  echo_map_destroy(&interpreter->values);
  interpreter->values = callers;
  return ok;
}

static bool call(EchoEvaluator *evaluator, const EchoOp *caller, const EchoAttr *callee,
                 const EchoTensor *const *arguments, size_t n_arguments, EchoTensor **results,
                 size_t n_results)
{
  (void)n_arguments; /* verified with the symbol use */
  const EchoOp *function = echo_symbol_lookup_or_null(caller, callee);
  if (function == NULL)
    return echo_op_error(caller, "calls an unknown function");
  return call_function((Interpreter *)evaluator, function, arguments, results, n_results);
}

/* What the interpreter relies on before it looks at types. */
static bool check_call(EchoContext *ctx, const EchoOp *module, const EchoOp *function,
                       const EchoTensor *const *arguments, size_t n_arguments,
                       EchoTensor *const *results, size_t n_results)
{
  const char *missing = module == NULL                          ? "module"
                        : function == NULL                      ? "function"
                        : arguments == NULL && n_arguments != 0 ? "arguments"
                        : results == NULL && n_results != 0     ? "results"
                                                                : NULL;
  EchoLoc nowhere = echo_loc_unknown();
  if (missing != NULL)
    return echo_misuse(ctx, nowhere, "a function is interpreted: '%s' is NULL", missing);
  if (echo_op_context(module) != ctx || echo_op_context(function) != ctx)
    return echo_misuse(ctx, nowhere, "a function is interpreted: '%s' is of another context",
                       echo_op_context(module) != ctx ? "module" : "function");
  if (!echo_op_has_trait(function, ECHO_FUNCTION) || function->n_regions != 1)
    return echo_misuse(ctx, nowhere, "a function is interpreted: 'function' is none");
  for (size_t i = 0; i < n_arguments; i++)
    if (arguments[i] == NULL)
      return echo_misuse(ctx, nowhere, "a function is interpreted: 'arguments[%zu]' is NULL", i);
  return true;
}

bool echo_interpret(EchoContext *ctx, const EchoOp *module, const EchoOp *function,
                    const EchoTensor *const *arguments, size_t n_arguments, EchoTensor **results,
                    size_t n_results)
{
  if (ctx == NULL || !check_call(ctx, module, function, arguments, n_arguments, results, n_results))
    return false;
  const EchoBlock *entry =
      echo_region_is_empty(&function->regions[0]) ? NULL : function->regions[0].first;
  if (entry != NULL && entry->n_args != n_arguments)
    return echo_op_error(function, "takes %u arguments, got %zu", entry->n_args, n_arguments);
  for (size_t i = 0; entry != NULL && i < n_arguments; i++)
    if (arguments[i]->type != echo_block_arg(entry, i)->type)
      return echo_op_error(function, "argument %zu is %s, got %s", i,
                           echo_type_text(ctx, echo_block_arg(entry, i)->type),
                           echo_type_text(ctx, arguments[i]->type));
  Interpreter interpreter = {.interface = {ctx, run_region, call}, .module = module};
  EchoFloatMode before = echo_float_mode_set(echo_op_flushes_denormals(module));
  bool ok = call_function(&interpreter, function, arguments, results, n_results);
  echo_float_mode_restore(before);
  echo_map_destroy(&interpreter.values);
  return ok;
}
