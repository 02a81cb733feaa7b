/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scf to LLVM. Loops test at the bottom behind a guard, the form that LLVM's vectoriser takes; a
 * loop marked kernel.parallel says so on itself and on its memory accesses. */
#include <llvm-c/DebugInfo.h>

#include "codegen/emit_t.h"
#include "dialects/arith/arith.h"

static LLVMBasicBlockRef append_block(EchoEmitter *emitter, const char *name)
{
  return LLVMAppendBasicBlockInContext(emitter->llvm, emitter->function, name);
}

static LLVMMetadataRef node(EchoEmitter *emitter, LLVMMetadataRef *operands, size_t n)
{
  return LLVMMDNodeInContext2(emitter->llvm, operands, n);
}

static LLVMMetadataRef named(EchoEmitter *emitter, const char *name, LLVMMetadataRef value)
{
  LLVMMetadataRef operands[] = {LLVMMDStringInContext2(emitter->llvm, name, strlen(name)), value};
  return node(emitter, operands, value != NULL ? 2 : 1);
}

/* !{self, parallel accesses, vectorize or not, do not unroll}: a node that refers to itself is
 * distinct. */
void echo_emit_loop_facts(EchoEmitter *emitter, LLVMValueRef branch, LLVMValueRef access_group,
                          bool stays_scalar, EchoUnrolling unrolling)
{
  LLVMMetadataRef self = LLVMTemporaryMDNode(emitter->llvm, NULL, 0);
  LLVMMetadataRef operands[4] = {self};
  size_t n = 1;
  if (access_group != NULL) {
    LLVMMetadataRef group = LLVMValueAsMetadata(access_group);
    operands[n++] = named(emitter, "llvm.loop.parallel_accesses", group);
  }
  if (access_group != NULL || stays_scalar) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(emitter->llvm);
    LLVMMetadataRef enable = LLVMValueAsMetadata(LLVMConstInt(bit, !stays_scalar, false));
    operands[n++] = named(emitter, "llvm.loop.vectorize.enable", enable);
  }
  if (unrolling != ECHO_MAY_UNROLL) {
    LLVMMetadataRef stays = named(emitter, "llvm.loop.unroll.disable", NULL);
    operands[n++] = unrolling == ECHO_STAYS_ROLLED
                        ? stays
                        : named(emitter, "llvm.loop.vectorize.followup_all", stays);
  }
  LLVMMetadataRef loop = node(emitter, operands, n);
  LLVMMetadataReplaceAllUsesWith(self, loop);
  unsigned kind = LLVMGetMDKindIDInContext(emitter->llvm, "llvm.loop", 9);
  LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(emitter->llvm, loop));
}

/* Accesses inside belong to a group of this loop's own. */
static void begin_parallel(EchoEmitter *emitter)
{
  ECHO_CHECK(emitter->next_access_group < emitter->n_access_groups, "more loops than were counted");
  emitter->access_group = emitter->access_groups[emitter->next_access_group++];
}

/* low < high for certain: no guard is needed. */
static bool runs_for_sure(const EchoOp *op)
{
  int64_t low = 0, high = 0;
  return echo_arith_constant_i64(echo_op_operand(op, 0), &low) &&
         echo_arith_constant_i64(echo_op_operand(op, 1), &high) && low < high;
}

/* No loop, out of which LLVM would move the pass's stores to stand behind it together. */
static bool emit_once(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoBlock *block = op->regions[0].first;
  echo_emit_set(emitter, echo_block_arg(block, 0), echo_emit_operand(emitter, op, 0));
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (echo_emit_needs(emitter, echo_op_result(op, i)))
      echo_emit_set(emitter, echo_block_arg(block, i + 1), echo_emit_operand(emitter, op, i + 3));
  if (!echo_emit_pass(emitter, op))
    return false;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (echo_emit_needs(emitter, echo_op_result(op, i)))
      echo_emit_set(emitter, echo_op_result(op, i), echo_emit_operand(emitter, block->last, i));
  return true;
}

static bool emit_for(EchoEmitter *emitter, const EchoOp *op)
{
  if (echo_emit_runs_once(op))
    return emit_once(emitter, op);
  bool is_staging = false;
  if (!echo_emit_staging(emitter, op, &is_staging))
    return false;
  if (is_staging)
    return true;
  LLVMBuilderRef builder = emitter->builder;
  const EchoBlock *block = op->regions[0].first;
  LLVMValueRef low = echo_emit_operand(emitter, op, 0), high = echo_emit_operand(emitter, op, 1);
  LLVMValueRef step = echo_emit_operand(emitter, op, 2);
  bool is_parallel = echo_op_has_attr(op, "kernel.parallel");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  LLVMBasicBlockRef body = append_block(emitter, "loop"), after = append_block(emitter, "after");
  bool is_guarded = !runs_for_sure(op);
  if (is_guarded)
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntSLT, low, high, ""), body, after);
  else
    LLVMBuildBr(builder, body);

  LLVMPositionBuilderAtEnd(builder, body);
  LLVMValueRef index = LLVMBuildPhi(builder, LLVMTypeOf(low), "");
  LLVMAddIncoming(index, &low, &before, 1);
  echo_emit_set(emitter, echo_block_arg(block, 0), index);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!echo_emit_needs(emitter, echo_op_result(op, i)))
      continue;
    LLVMTypeRef type = echo_emit_type_or_null(emitter, echo_op_result_type(op, i));
    if (type == NULL)
      return echo_emit_error(emitter, op, "carries a type that LLVM code is not generated for");
    LLVMValueRef init = echo_emit_operand(emitter, op, i + 3);
    LLVMValueRef carried = LLVMBuildPhi(builder, type, "");
    LLVMAddIncoming(carried, &init, &before, 1);
    echo_emit_set(emitter, echo_block_arg(block, i + 1), carried);
  }
  LLVMValueRef outer_group = emitter->access_group;
  if (is_parallel)
    begin_parallel(emitter);
  LLVMValueRef group = emitter->access_group;
  if (!echo_emit_pass(emitter, op))
    return false;
  emitter->access_group = outer_group;

  LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
  LLVMValueRef next = LLVMBuildNSWAdd(builder, index, step, "");
  LLVMAddIncoming(index, &next, &end, 1);
  LLVMValueRef again = LLVMBuildICmp(builder, LLVMIntSLT, next, high, "");
  LLVMValueRef branch = LLVMBuildCondBr(builder, again, body, after);
  EchoUnrolling unrolling = ECHO_MAY_UNROLL;
  if (!emitter->is_device)
    unrolling = echo_emit_unrolling(emitter, op);
  /* masked vectors of few elements would keep the memory that they go to out of registers */
  bool stays_scalar =
      !emitter->is_device && unrolling != ECHO_STAYS_ROLLED && echo_emit_is_short_staging(op);
  if (is_parallel || stays_scalar || unrolling != ECHO_MAY_UNROLL)
    echo_emit_loop_facts(emitter, branch, is_parallel ? group : NULL, stays_scalar, unrolling);
  const EchoOp *yield = block->last;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!echo_emit_needs(emitter, echo_op_result(op, i)))
      continue;
    LLVMValueRef value = echo_emit_operand(emitter, yield, i);
    LLVMAddIncoming(echo_emit_get(emitter, echo_block_arg(block, i + 1)), &value, &end, 1);
  }
  LLVMPositionBuilderAtEnd(builder, after);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!echo_emit_needs(emitter, echo_op_result(op, i)))
      continue;
    LLVMValueRef value = echo_emit_operand(emitter, yield, i);
    LLVMValueRef result = LLVMBuildPhi(builder, LLVMTypeOf(value), "");
    LLVMAddIncoming(result, &value, &end, 1);
    if (is_guarded) {
      LLVMValueRef init = echo_emit_operand(emitter, op, i + 3);
      LLVMAddIncoming(result, &init, &before, 1);
    }
    echo_emit_set(emitter, echo_op_result(op, i), result);
  }
  return true;
}

static bool emit_if(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMBuilderRef builder = emitter->builder;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder), ends[2] = {before, before};
  LLVMBasicBlockRef branches[2], after;
  bool has_else = op->regions[1].first != NULL;
  branches[0] = append_block(emitter, "then");
  branches[1] = has_else ? append_block(emitter, "else") : NULL;
  after = append_block(emitter, "after");
  LLVMBuildCondBr(builder, echo_emit_operand(emitter, op, 0), branches[0],
                  has_else ? branches[1] : after);
  for (size_t r = 0; r < (has_else ? 2u : 1u); ++r) {
    LLVMPositionBuilderAtEnd(builder, branches[r]);
    if (!echo_emit_block(emitter, op->regions[r].first))
      return false;
    ends[r] = LLVMGetInsertBlock(builder);
    LLVMBuildBr(builder, after);
  }
  LLVMPositionBuilderAtEnd(builder, after);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    LLVMTypeRef type = echo_emit_type_or_null(emitter, echo_op_result_type(op, i));
    LLVMValueRef result = LLVMBuildPhi(builder, type, "");
    for (size_t r = 0; r < 2; ++r) {
      LLVMValueRef value = echo_emit_operand(emitter, op->regions[r].first->last, i);
      LLVMAddIncoming(result, &value, &ends[r], 1);
    }
    echo_emit_set(emitter, echo_op_result(op, i), result);
  }
  return true;
}

static bool emit_while(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMBuilderRef builder = emitter->builder;
  const EchoBlock *before = op->regions[0].first, *after = op->regions[1].first;
  LLVMBasicBlockRef start = LLVMGetInsertBlock(builder);
  LLVMBasicBlockRef head = append_block(emitter, "while"), body = append_block(emitter, "do");
  LLVMBasicBlockRef done = append_block(emitter, "after");
  LLVMBuildBr(builder, head);
  LLVMPositionBuilderAtEnd(builder, head);
  for (uint32_t i = 0; i < before->n_args; ++i) {
    LLVMValueRef init = echo_emit_operand(emitter, op, i);
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(init), "");
    LLVMAddIncoming(phi, &init, &start, 1);
    echo_emit_set(emitter, echo_block_arg(before, i), phi);
  }
  if (!echo_emit_block(emitter, before))
    return false;
  const EchoOp *condition = before->last;
  LLVMBuildCondBr(builder, echo_emit_operand(emitter, condition, 0), body, done);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    LLVMValueRef value = echo_emit_operand(emitter, condition, i + 1);
    echo_emit_set(emitter, echo_op_result(op, i), value);
    echo_emit_set(emitter, echo_block_arg(after, i), value);
  }
  LLVMPositionBuilderAtEnd(builder, body);
  if (!echo_emit_block(emitter, after))
    return false;
  LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
  LLVMBuildBr(builder, head);
  for (uint32_t i = 0; i < before->n_args; ++i) {
    LLVMValueRef value = echo_emit_operand(emitter, after->last, i);
    LLVMAddIncoming(echo_emit_get(emitter, echo_block_arg(before, i)), &value, &end, 1);
  }
  LLVMPositionBuilderAtEnd(builder, done);
  return true;
}

const EchoEmitRow ECHO_EMIT_SCF[] = {
    {"scf.for", emit_for}, {"scf.if", emit_if}, {"scf.while", emit_while}, {NULL, NULL}};
