/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Translation of one kernel function to LLVM IR. Each op has one emit function, found by its row;
 * every Echo value has one LLVM value. Thread-safe between kernels: the IR is only read, and each
 * translation has its own LLVM context and its own text for errors. Private to codegen/. */
#ifndef ECHO_CODEGEN_EMIT_T_H
#define ECHO_CODEGEN_EMIT_T_H

#include <llvm-c/Core.h>

#include "base/map.h"
#include "ir/table/op_info.h"

typedef struct EchoEmitter EchoEmitter;
typedef bool EchoEmitFn(EchoEmitter *emitter, const EchoOp *op);

/* Which function emits which op: built once from the tables of emit_*.c, then only read. */
typedef struct EchoEmitTable {
  EchoMap functions; /* row -> EchoEmitFn * */
} EchoEmitTable;

typedef struct EchoEmitRow {
  const char *name;
  EchoEmitFn *emit;
} EchoEmitRow;

void echo_emit_table_create(EchoEmitTable *table, const EchoContext *ctx);
void echo_emit_table_destroy(EchoEmitTable *table);

typedef struct EchoEmitError {
  const EchoOp *op;
  EchoBuffer message;
} EchoEmitError;

struct EchoEmitter {
  const EchoEmitTable *table;
  LLVMContextRef llvm;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  LLVMBasicBlockRef entry;     /* where stack memory is reserved */
  EchoMap values;              /* EchoValue * -> LLVMValueRef */
  LLVMValueRef *access_groups; /* one for each parallel loop of the kernel, in order of emission */
  size_t n_access_groups, next_access_group;
  LLVMValueRef access_group; /* of the innermost parallel loop; NULL = none */
  /* Of the processor; none: tiles are never split. */
  int64_t n_vector_registers, vector_register_bytes;
  const EchoMap *needed; /* ops and values of the part of a tile that is emitted; NULL = all */
  bool is_device;        /* a GPU's function */
  bool rounds_to_bf16;   /* the GPU has an instruction for it */
  bool has_narrow_index; /* index values are i32: echo_emit_index */
  bool flushes_denormals;
  EchoEmitError *error;
};

/* Tells LLVM by the function attribute `name` what the thread's arithmetic does to denormals, where
 * it flushes them: folds in LLVM give the same bits, and f32 code of a GPU is told to (.ftz). */
void echo_emit_denormals(const EchoEmitter *emitter, const char *name);

/* x + 0 with the sign of x: x, or where denormals are flushed the zero that one counts as. For code
 * that would else move bits only. */
LLVMValueRef echo_emit_flushed(EchoEmitter *emitter, LLVMValueRef x);

/* Whether an op or a value is of what is emitted. */
static inline bool echo_emit_needs(const EchoEmitter *emitter, const void *op_or_value)
{
  return emitter->needed == NULL || echo_map_has(emitter->needed, echo_key(op_or_value));
}

/* A pass of an scf.for: once, or where it is a tile of more sums than there are registers, once for
 * each part of them. */
bool echo_emit_pass(EchoEmitter *emitter, const EchoOp *loop);
/* Whether this scf.for has one pass for certain, and so is no loop in LLVM. */
bool echo_emit_runs_once(const EchoOp *loop);
/* What LLVM is told of unrolling a loop. Of one that is not unrolled it takes one vector a pass
 * where it makes vectors; the vectors' own loop may still be left as it is. */
typedef enum EchoUnrolling {
  ECHO_MAY_UNROLL,
  ECHO_STAYS_ROLLED,
  ECHO_VECTORS_STAY_ROLLED,
} EchoUnrolling;
/* Of this scf.for of a host's kernel. Left as it is what LLVM could not unroll, or where only code
 * would grow. Cost: the ops inside. */
EchoUnrolling echo_emit_unrolling(const EchoEmitter *emitter, const EchoOp *loop);
/* Passes of an scf.for where their count is a constant, else 1. */
int64_t echo_emit_passes(const EchoOp *loop);
/* The alloca that this memory is, maybe in another shape: a task's own. */
const EchoOp *echo_emit_allocation_or_null(const EchoValue *memory);
/* Whether this scf.for and those inside it do nothing but fill memory of the task's own, or copy to
 * or from it, and would only make code grow if they were unrolled. Cost: the ops inside. */
bool echo_emit_is_long_staging(const EchoEmitter *emitter, const EchoOp *loop);
/* Whether the loop moves a few elements, no power of two of them, to or from memory of the task's
 * own and does nothing else. */
bool echo_emit_is_short_staging(const EchoOp *loop);
/* Emits such loops, of memory that registers cannot hold, as one memset or memcpy where all that
 * they go through lies side by side; *is_staging: whether it did. False after an error. */
bool echo_emit_staging(EchoEmitter *emitter, const EchoOp *loop, bool *is_staging);
/* What LLVM is told of a loop at `branch`, which leads back to its begin: that passes do not depend
 * on one another in accesses of this group (NULL: nothing), that it is no vectors', whether it is
 * unrolled. */
void echo_emit_loop_facts(EchoEmitter *emitter, LLVMValueRef branch, LLVMValueRef access_group,
                          bool stays_scalar, EchoUnrolling unrolling);
/* Ops of a block but its terminator. */
bool echo_emit_block(EchoEmitter *emitter, const EchoBlock *block);
bool echo_emit_op(EchoEmitter *emitter, const EchoOp *op);
/* Records the first error; returns false. */
bool echo_emit_error(EchoEmitter *emitter, const EchoOp *op, const char *format, ...)
    ECHO_PRINTF(3, 4);

LLVMValueRef echo_emit_get(EchoEmitter *emitter, const EchoValue *value);
void echo_emit_set(EchoEmitter *emitter, const EchoValue *value, LLVMValueRef llvm);
static inline LLVMValueRef echo_emit_operand(EchoEmitter *emitter, const EchoOp *op, size_t index)
{
  return echo_emit_get(emitter, echo_op_operand(op, index));
}
/* Of arith.addi, muli, …: whether the op says that it does not overflow as a signed one. */
bool echo_emit_is_without_overflow(const EchoOp *op);
static inline bool echo_emit_result(EchoEmitter *emitter, const EchoOp *op, LLVMValueRef value)
{
  echo_emit_set(emitter, echo_op_result(op, 0), value);
  return true;
}

/* The type of a value in a register: index is i64 or i32, bf16 is i16, a memref is its first
 * element's address. NULL when there is none. */
LLVMTypeRef echo_emit_type_or_null(const EchoEmitter *emitter, const EchoType *type);
/* The type in memory: i1 is a byte. */
LLVMTypeRef echo_emit_memory_type_or_null(const EchoEmitter *emitter, const EchoType *type);
LLVMTypeRef echo_emit_i64(const EchoEmitter *emitter);
LLVMTypeRef echo_emit_index(const EchoEmitter *emitter);
LLVMValueRef echo_emit_i64_constant(const EchoEmitter *emitter, int64_t value);
/* Call of an LLVM intrinsic overloaded on `type`. */
LLVMValueRef echo_emit_intrinsic(EchoEmitter *emitter, const char *name, LLVMTypeRef type,
                                 LLVMValueRef *arguments, unsigned n);
/* The entry of an alloca of `bytes` bytes. */
LLVMValueRef echo_emit_alloca(EchoEmitter *emitter, LLVMTypeRef element, uint64_t n,
                              unsigned alignment);

/* Address of the element that the operands from `first` on pick in memref operand `memref`; NULL
 * after an error. */
LLVMValueRef echo_emit_address(EchoEmitter *emitter, const EchoOp *op, size_t memref, size_t first);

/* The same in two parts, the second one, *offset_bytes, for the instruction to add. */
LLVMValueRef echo_emit_split_address(EchoEmitter *emitter, const EchoOp *op, size_t memref,
                                     size_t first, int64_t *offset_bytes);

/* Bytes that this address is known to be a multiple of, in a GPU's kernel: at least an element's.
 */
unsigned echo_emit_alignment(const EchoOp *op, size_t memref, size_t first);

/* x - trunc(x / y) * y, exact. */
LLVMValueRef echo_emit_host_remainder(EchoEmitter *emitter, LLVMValueRef x, LLVMValueRef y);
/* arith.remf in a GPU's function: exact, as on the host. */
bool echo_emit_device_remainder(EchoEmitter *emitter, const EchoOp *op);

/* Tables by dialect, each ended by a NULL name. */
extern const EchoEmitRow ECHO_EMIT_ARITH[], ECHO_EMIT_MATH[], ECHO_EMIT_SCF[], ECHO_EMIT_MEMREF[],
    ECHO_EMIT_VECTOR[], ECHO_EMIT_GPU[], ECHO_EMIT_NVGPU[];

#endif
