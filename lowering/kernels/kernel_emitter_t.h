/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Emission of one kernel's loops: nested scopes, values computed once and as far out as their
 * indices allow, tensors bound to buffers. The lowerings of the kinds of kernels (lower_map.c, …)
 * open loops and ask for elements; these functions see to it that each element is computed in
 * the outermost loop that knows its indices. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_KERNEL_EMITTER_T_H
#define ECHO_LOWERING_KERNELS_KERNEL_EMITTER_T_H

#include "base/map.h"
#include "base/vector.h"
#include "dialects/arith/arith.h"
#include "dialects/interfaces/element.h"
#include "dialects/kernel/kernel.h"
#include "dialects/memref/memref.h"
#include "dialects/scf/scf.h"
#include "dialects/stablehlo/emit/scalar.h"
#include "planning/cost/device_model.h"

enum { ECHO_MAX_SCOPES = 64 };

typedef struct EchoMemoEntry {
  const void *head; /* tensor value, op name or attribute */
  EchoValue *const *operands;
  size_t n_operands;
  int64_t extra;
  EchoValue *value;
  size_t next; /* entry with the same hash + 1; 0 = none */
} EchoMemoEntry;

/* A block that code is being appended to. Scope 0 is the function's (constants, views), scope 1 the
 * body of a task. */
typedef struct EchoScope {
  EchoBuilder builder;
  EchoOp *loop;   /* scf.for whose body this is; NULL = none */
  EchoOp *resume; /* the enclosing scope's insertion point after the loop */
  bool is_fence;  /* nothing asked for inside is computed further out */
  EchoMap heads;  /* hash -> entry + 1 */
  ECHO_VECTOR(EchoMemoEntry) entries;
} EchoScope;

typedef enum EchoBindingKind {
  ECHO_BIND_BUFFER, /* memref of the tensor's shape */
  ECHO_BIND_SCALAR, /* one value for all indices */
  ECHO_BIND_LOCAL,  /* memref of one dimension: row-major position - offset */
  ECHO_BIND_ROWS,   /* the same, with gaps between rows; offset is that of rows */
  ECHO_BIND_COLUMNS /* columns of a matrix of a batch of them, with gaps in between */
} EchoBindingKind;

typedef struct EchoBinding {
  EchoBindingKind kind;
  EchoValue *value;
  EchoValue *offset; /* LOCAL, ROWS, COLUMNS: the first column */
  size_t n_row_dims; /* ROWS: of the tensor, whose other dimensions are a row's */
  int64_t pitch;     /* ROWS, COLUMNS: elements from one to the next */
  int64_t dims[3];   /* COLUMNS: matrices, rows, columns of them that the tensor is */
} EchoBinding;

typedef struct EchoKernelEmitter EchoKernelEmitter;

/* How an op is computed whose row has no emit_element; one of the two is there. */
typedef struct EchoElementLowering {
  /* Loops of its own, into the innermost scope: all results' elements at `indices`, one an op
   * result. False after an error. */
  bool (*loops)(EchoKernelEmitter *emitter, const EchoOp *op, EchoValue *const *indices,
                EchoValue **results);
  /* No loops, but the emitter. NULL after an error. */
  EchoValue *(*element)(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                        EchoValue *const *indices);
} EchoElementLowering;

/* NULL: there is none. The emitter is given this function, for what it looks up calls the emitter.
 */
typedef const EchoElementLowering *EchoFindElementLowering(const EchoOp *op);

struct EchoKernelEmitter {
  EchoElementEmitter base; /* first: hooks get a pointer to it */
  EchoFindElementLowering *element_lowering_or_null;
  EchoContext *ctx;
  EchoArena *arena; /* scratch */
  const EchoOp *kernel;
  const EchoDeviceModel *device;
  double work_ns; /* of the whole kernel by that model */
  EchoOp *func;
  EchoBlock *entry;
  EchoScope *scopes[ECHO_MAX_SCOPES];
  size_t n_scopes;
  EchoMap depths;   /* value -> scope it is defined in */
  EchoMap bindings; /* tensor value -> EchoBinding * */
  size_t n_inputs, n_outputs;
  /* While a loop over part of a dimension is being filled: its index is known to lie in [piece_low,
   * piece_high), which picks one operand of a concatenation. NULL = no such loop. */
  const EchoValue *piece_index;
  int64_t piece_low, piece_high;
  const struct EchoLaunchFacts *facts_or_null; /* of the kernel's arguments; lower_kernel_t.h */
  bool has_tensor_cores;
  int64_t shared_bytes; /* EchoTargetInfo's */
  bool is_gpu;     /* tasks become blocks and parallel loops threads: smaller tasks, flat loops */
  bool uses_fma;   /* the target has fused multiply-add: contractions write math.fma */
  size_t n_nested; /* elements being computed, one inside the other */
  bool failed;
};

/* A detached func.func `name` of the kernel's signature on memrefs (inputs, then outputs), with the
 * kernel's arguments bound to it. `arena` is scratch for the emitter's life. */
void echo_kernel_emitter_begin(EchoKernelEmitter *emitter, EchoArena *arena, const EchoOp *kernel,
                               EchoStr name, EchoFindElementLowering *element_lowering_or_null);
/* Appends func.return and hands the function over (NULL after errors: it is erased then). */
EchoOp *echo_kernel_emitter_finish_or_null(EchoKernelEmitter *emitter);
/* Drops the function instead. */
void echo_kernel_emitter_abandon(EchoKernelEmitter *emitter);

EchoValue *echo_kernel_output(const EchoKernelEmitter *emitter, size_t result); /* its memref */

/* ---- loops: each opens a scope ---- */

/* scf.parallel over [0, n_tasks): a phase, which takes `total_ns` by the device model; from that
 * comes its kernel.grain. Returns the task's index. */
EchoValue *echo_kernel_begin_tasks(EchoKernelEmitter *emitter, int64_t n_tasks, double total_ns);
void echo_kernel_end_tasks(EchoKernelEmitter *emitter);
/* scf.for from low to high (exclusive) in steps of `step`. */
EchoValue *echo_kernel_begin_for(EchoKernelEmitter *emitter, EchoValue *low, EchoValue *high,
                                 int64_t step, bool is_parallel);
EchoValue *echo_kernel_begin_range(EchoKernelEmitter *emitter, int64_t n, bool is_parallel);
/* Over [0, size) in steps of `step`: a pass ends in rows x vectors vector.store ops, row by row, of
 * sums that do not meet, each to a place that nothing else in the pass reads or writes. */
EchoValue *echo_kernel_begin_tile(EchoKernelEmitter *emitter, EchoValue *size, int64_t step,
                                  int64_t rows, int64_t vectors);
/* Over [low, high), known to the concatenations inside. */
EchoValue *echo_kernel_begin_piece(EchoKernelEmitter *emitter, int64_t low, int64_t high,
                                   bool is_parallel);
void echo_kernel_end_piece(EchoKernelEmitter *emitter);
void echo_kernel_end_for(EchoKernelEmitter *emitter);
/* scf.for over [0, n) with carried values: fills `carried` with the block's arguments. */
EchoValue *echo_kernel_begin_carried(EchoKernelEmitter *emitter, int64_t n, EchoValue *const *inits,
                                     size_t n_carried, EchoValue **carried);
/* The same over [0, high). */
EchoValue *echo_kernel_begin_carried_to(EchoKernelEmitter *emitter, EchoValue *high,
                                        EchoValue *const *inits, size_t n_carried,
                                        EchoValue **carried);
/* Ends it with these values for the next iteration; fills `results`. */
void echo_kernel_end_carried(EchoKernelEmitter *emitter, EchoValue *const *next, size_t n,
                             EchoValue **results);
/* scf.if without results; what is asked for inside stays inside. */
void echo_kernel_begin_if(EchoKernelEmitter *emitter, EchoValue *condition);
void echo_kernel_end_if(EchoKernelEmitter *emitter);
/* A scope in the same block whose memory of elements ends with it: for combiners' bodies. */
void echo_kernel_begin_fence(EchoKernelEmitter *emitter);
void echo_kernel_end_fence(EchoKernelEmitter *emitter);

/* The innermost scope's builder. */
static inline EchoBuilder *echo_kernel_builder(EchoKernelEmitter *emitter)
{
  return &emitter->scopes[emitter->n_scopes - 1]->builder;
}

/* ---- elements ---- */

EchoValue *echo_kernel_element(EchoKernelEmitter *emitter, EchoValue *tensor,
                               EchoValue *const *indices);
void echo_kernel_bind(EchoKernelEmitter *emitter, const EchoValue *tensor, EchoBindingKind kind,
                      EchoValue *value, EchoValue *offset);
/* ECHO_BIND_COLUMNS. The memory's type holds all values of the tensor's. */
void echo_kernel_bind_columns(EchoKernelEmitter *emitter, const EchoValue *tensor,
                              EchoValue *memory, EchoValue *first_column, const int64_t dims[3],
                              int64_t pitch);
/* ECHO_BIND_ROWS, likewise. */
void echo_kernel_bind_rows(EchoKernelEmitter *emitter, const EchoValue *tensor, EchoValue *memory,
                           EchoValue *first_row, size_t n_row_dims, int64_t pitch);
void echo_kernel_unbind(EchoKernelEmitter *emitter, const EchoValue *tensor);
/* Load and store of the innermost scope, in the buffer's dimensions; neighbouring dimensions whose
 * indices are digits of one number are joined by a view. */
EchoValue *echo_kernel_load(EchoKernelEmitter *emitter, EchoValue *memref,
                            EchoValue *const *indices);
void echo_kernel_store(EchoKernelEmitter *emitter, EchoValue *value, EchoValue *memref,
                       EchoValue *const *indices);
/* Stack memory of the innermost scope. */
EchoValue *echo_kernel_alloca(EchoKernelEmitter *emitter, const EchoType *element,
                              const int64_t *dims, size_t rank);
/* Scope in which `value` is defined. */
size_t echo_kernel_depth(const EchoKernelEmitter *emitter, const EchoValue *value);
/* Inlines a region of scalar tensors (a combiner): arguments bound to `arguments`, results filled.
 */
bool echo_kernel_inline_region(EchoKernelEmitter *emitter, const EchoRegion *region,
                               EchoValue *const *arguments, size_t n_arguments, EchoValue **results,
                               size_t n_results);
/* Whether the op is computed by loops of its own (reduce, reduce_window). */
static inline bool echo_kernel_has_loops(const EchoKernelEmitter *emitter, const EchoOp *op)
{
  const EchoElementLowering *lowering = emitter->element_lowering_or_null(op);
  return lowering != NULL && lowering->loops != NULL;
}

#endif
