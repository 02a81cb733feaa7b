/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One kernel function as an LLVM module: a function a phase, over a range of its tasks. */
#include "codegen/kernel_t.h"

#include <llvm-c/IRReader.h>

#include "dialects/arith/arith.h"

static bool is_phase(const EchoOp *op)
{
  return echo_op_is(op, "scf.parallel");
}

static bool phase_error(EchoEmitError *error, const EchoOp *op, const char *message)
{
  if (error->message.size == 0) {
    error->op = op;
    echo_buffer_append_c(&error->message, message);
  }
  return false;
}

bool echo_kernel_phases(EchoArena *arena, const EchoOp *func, const EchoKernelPhase **phases,
                        size_t *n_phases, EchoEmitError *error)
{
  const EchoBlock *body = echo_op_body(func, 0);
  size_t n = 0;
  for (const EchoOp *op = body->first; op != NULL; op = op->next)
    n += is_phase(op);
  EchoKernelPhase *all = ECHO_ARENA_ARRAY(arena, EchoKernelPhase, n + 1);
  EchoStr name = echo_op_attr_string(func, "sym_name");
  size_t i = 0;
  for (const EchoOp *op = body->first; op != NULL; op = op->next) {
    int64_t low = 0, high = 0, step = 0;
    if (!is_phase(op))
      continue;
    bool is_range = op->n_operands == 3 && echo_arith_constant_i64(echo_op_operand(op, 0), &low) &&
                    echo_arith_constant_i64(echo_op_operand(op, 1), &high) &&
                    echo_arith_constant_i64(echo_op_operand(op, 2), &step) && low == 0 && step == 1;
    if (!is_range)
      return phase_error(error, op, "of a kernel runs over a constant range from 0 in steps of 1");
    int64_t grain = echo_op_attr_i64(op, "kernel.grain", 1);
    if (grain < 1)
      return phase_error(error, op, "expects a kernel.grain of one or more");
    EchoBuffer symbol = {0};
    echo_buffer_printf(&symbol, "%.*s.%zu", ECHO_STR_ARG(name), i);
    all[i++] = (EchoKernelPhase){
        .symbol = {echo_arena_copy_string(arena, symbol.data, symbol.size), symbol.size},
        .n_tasks = high > 0 ? high : 0,
        .grain = grain};
    echo_buffer_destroy(&symbol);
  }
  *phases = all;
  *n_phases = n;
  return true;
}

/* ---- translation ---- */

/* Loads the addresses of the function's memrefs. */
static bool emit_arguments(EchoEmitter *emitter, const EchoOp *func, LLVMValueRef buffers)
{
  LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->llvm, 0);
  const EchoBlock *body = echo_op_body(func, 0);
  for (uint32_t i = 0; i < body->n_args; ++i) {
    const EchoValue *argument = echo_block_arg(body, i);
    if (argument->type->kind != ECHO_TYPE_MEMREF)
      return echo_emit_error(emitter, func, "takes something else than memrefs");
    LLVMValueRef index = echo_emit_i64_constant(emitter, i);
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(emitter->builder, pointer, buffers, &index, 1, "");
    echo_emit_set(emitter, argument, LLVMBuildLoad2(emitter->builder, pointer, slot, ""));
  }
  return true;
}

static void add_attribute(LLVMContextRef llvm, LLVMValueRef function, LLVMAttributeIndex index,
                          const char *name)
{
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(llvm, kind, 0));
}

static LLVMValueRef add_function(EchoEmitter *emitter, EchoStr symbol)
{
  LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->llvm, 0), i64 = echo_emit_i64(emitter);
  LLVMTypeRef parameters[] = {pointer, i64, i64};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->llvm), parameters, 3, false);
  LLVMValueRef function = LLVMAddFunction(emitter->module, symbol.data, type);
  emitter->function = function;
  add_attribute(emitter->llvm, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                "nounwind");
  add_attribute(emitter->llvm, function, 1, "noalias"); /* no kernel writes the table of buffers */
  add_attribute(emitter->llvm, function, 1, "readonly");
  echo_emit_denormals(emitter, "denormal-fp-math");
  return function;
}

/* A loop over tasks [begin, end); the builder is left behind it. */
static bool emit_tasks(EchoEmitter *emitter, const EchoBlock *body, LLVMValueRef begin,
                       LLVMValueRef end)
{
  LLVMBuilderRef builder = emitter->builder;
  LLVMBasicBlockRef task = LLVMAppendBasicBlockInContext(emitter->llvm, emitter->function, "task");
  LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(emitter->llvm, emitter->function, "done");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntSLT, begin, end, ""), task, done);
  LLVMPositionBuilderAtEnd(builder, task);
  LLVMValueRef index = LLVMBuildPhi(builder, echo_emit_i64(emitter), "");
  LLVMAddIncoming(index, &begin, &before, 1);
  echo_emit_set(emitter, echo_block_arg(body, 0), index);
  if (!echo_emit_block(emitter, body))
    return false;
  LLVMBasicBlockRef last = LLVMGetInsertBlock(builder);
  LLVMValueRef next = LLVMBuildNSWAdd(builder, index, echo_emit_i64_constant(emitter, 1), "");
  LLVMAddIncoming(index, &next, &last, 1);
  LLVMValueRef again = LLVMBuildICmp(builder, LLVMIntSLT, next, end, "");
  echo_emit_loop_facts(emitter, LLVMBuildCondBr(builder, again, task, done), NULL, false,
                       ECHO_STAYS_ROLLED);
  LLVMPositionBuilderAtEnd(builder, done);
  return true;
}

/* Everything that stands before the phase in the function, then its tasks. One alone is task 0: its
 * index is a constant, and with it the bounds of the loops inside. */
static bool translate_phase(EchoEmitter *emitter, const EchoOp *func, const EchoOp *op,
                            const EchoKernelPhase *phase)
{
  emitter->function = add_function(emitter, phase->symbol);
  emitter->entry = LLVMAppendBasicBlockInContext(emitter->llvm, emitter->function, "entry");
  echo_map_clear(&emitter->values);
  LLVMPositionBuilderAtEnd(emitter->builder, emitter->entry);
  if (!emit_arguments(emitter, func, LLVMGetParam(emitter->function, 0)))
    return false;
  for (const EchoOp *each = echo_op_body(func, 0)->first; each != op; each = each->next)
    if (!is_phase(each) && !echo_emit_op(emitter, each))
      return false;
  const EchoBlock *body = echo_op_body(op, 0);
  bool fine;
  if (phase->n_tasks == 1) {
    echo_emit_set(emitter, echo_block_arg(body, 0), echo_emit_i64_constant(emitter, 0));
    fine = echo_emit_block(emitter, body);
  } else {
    fine = emit_tasks(emitter, body, LLVMGetParam(emitter->function, 1),
                      LLVMGetParam(emitter->function, 2));
  }
  LLVMBuildRetVoid(emitter->builder);
  return fine;
}

static const char GROUPS[] = "echo.access.groups";

bool echo_kernel_translate(const EchoEmitTable *table, LLVMModuleRef module, const EchoOp *func,
                           const EchoKernelPhase *phases, size_t n_phases,
                           const EchoKernelTarget *target, EchoEmitError *error)
{
  EchoEmitter emitter = {.table = table,
                         .llvm = LLVMGetModuleContext(module),
                         .module = module,
                         .n_vector_registers = target->n_vector_registers,
                         .vector_register_bytes = target->vector_register_bytes,
                         .flushes_denormals = target->flushes_denormals,
                         .error = error};
  unsigned n_groups = LLVMGetNamedMetadataNumOperands(module, GROUPS);
  emitter.builder = LLVMCreateBuilderInContext(emitter.llvm);
  emitter.access_groups = echo_alloc_array(n_groups + 1, sizeof *emitter.access_groups);
  emitter.n_access_groups = n_groups;
  LLVMGetNamedMetadataOperands(module, GROUPS, emitter.access_groups);
  size_t i = 0;
  bool fine = true;
  for (const EchoOp *op = echo_op_body(func, 0)->first; op != NULL && fine && i < n_phases;
       op = op->next)
    if (is_phase(op))
      fine = translate_phase(&emitter, func, op, &phases[i++]);
  echo_free(emitter.access_groups);
  echo_map_destroy(&emitter.values);
  LLVMDisposeBuilder(emitter.builder);
  return fine;
}

static size_t count_parallel_loops(const EchoOp *func)
{
  size_t n = 0;
  for (EchoOp *op = (EchoOp *)func; op != NULL; op = echo_op_walk_next(func, op))
    n += echo_op_is(op, "scf.for") && echo_op_has_attr(op, "kernel.parallel");
  return n;
}

LLVMModuleRef echo_kernel_module(LLVMContextRef llvm, const EchoOp *const *funcs, size_t n_funcs,
                                 EchoBuffer *error)
{
  size_t n_loops = 0;
  for (size_t i = 0; i < n_funcs; ++i) {
    size_t loops = count_parallel_loops(funcs[i]);
    n_loops = loops > n_loops ? loops : n_loops; /* functions may share them */
  }
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "!%s = !{", GROUPS);
  for (size_t i = 0; i < n_loops; ++i)
    echo_buffer_printf(&text, "%s!%zu", i == 0 ? "" : ", ", i);
  echo_buffer_append_c(&text, "}\n");
  for (size_t i = 0; i < n_loops; ++i)
    echo_buffer_printf(&text, "!%zu = distinct !{}\n", i);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data, text.size, "kernel");
  echo_buffer_destroy(&text);
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (!LLVMParseIRInContext(llvm, buffer, &module, &message)) /* takes the buffer */
    return module;
  echo_buffer_append_c(error, message != NULL ? message : "LLVM refused the module");
  LLVMDisposeMessage(message);
  return NULL;
}
