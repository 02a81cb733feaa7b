/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel dialect: fused regions with a kind (kernel.func), their calls on tensors (kernel.call)
 * and on buffers (kernel.launch), and calls into libraries (kernel.library). See docs/stages.md. */
#ifndef ECHO_DIALECTS_KERNEL_KERNEL_H
#define ECHO_DIALECTS_KERNEL_KERNEL_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kinds ---- */

/* The "kind" attribute of kernel.func and the kernel.kind attribute of lowered functions. A kind is
 * a row: fusion, storage and cost read it below, its loops stand in the table of
 * lowering/kernels/lower_kernels.c. */
typedef enum EchoKernelKind {
  ECHO_KERNEL_MAP,
  ECHO_KERNEL_ROW_REDUCE,
  ECHO_KERNEL_COLUMN_REDUCE,
  ECHO_KERNEL_REDUCE,
  ECHO_KERNEL_TRANSPOSE,
  ECHO_KERNEL_CONTRACTION,
  ECHO_KERNEL_CONVOLUTION,
  ECHO_KERNEL_SCATTER,
  ECHO_KERNEL_SORT,
  ECHO_KERNEL_WINDOW,
  ECHO_KERNEL_RNG,
  ECHO_KERNEL_OTHER,
  ECHO_N_KERNEL_KINDS
} EchoKernelKind;

/* Which operand a result may be written over. */
typedef enum EchoInPlaceRule {
  ECHO_IN_PLACE_NEVER,
  /* Loops over the elements of results, smaller results first and rows one by one: an operand that
   * is read where the result is stored, or in its row before that. */
  ECHO_IN_PLACE_LOOPS,
  /* The operand that the op updates (ECHO_UPDATES), place by place. */
  ECHO_IN_PLACE_UPDATE
} EchoInPlaceRule;

typedef struct EchoKernelRow {
  const char *name; /* "row_reduce" */
  EchoInPlaceRule in_place;
  /* Producers may join: the loops ask for elements, and a slice of an operand is read as a slice.
   * Else the kernel is one op and constants, which reads all of its operands. */
  bool is_fused;
  /* Else, whether constants of rank 0 may join: initial values, what a comparator captures. */
  bool takes_scalars;
  /* Its loops take one element at a time, where a device's rates are those of vectors. */
  bool is_scalar;
  /* Each element's arithmetic is a chain: it takes one lane of those vectors, and its time is
   * predicted so. */
  bool is_chain;
  /* What else it may write beside its roots: values at the index of its loop, values of its rows.
   */
  bool writes_elements, writes_rows;
  /* How rows follow: a reduction of its results or of rows that it maps makes it one that reduces;
   * further reductions of the same rows may stand before what is made of them (softmax). */
  bool takes_reduction, takes_rows;
} EchoKernelRow;

const EchoKernelRow *echo_kernel_row(EchoKernelKind kind);
static inline const char *echo_kernel_kind_name(EchoKernelKind kind)
{
  return echo_kernel_row(kind)->name;
}
/* False when `name` is none. */
bool echo_kernel_kind_parse(EchoStr name, EchoKernelKind *kind);
/* Of a verified kernel.func. */
EchoKernelKind echo_kernel_kind(const EchoOp *func);

/* Builders. A NULL, or what does not fit, is a misuse as for echo_build_op, and the answer NULL. */

/* A detached kernel.func with an empty entry block of these argument types; the caller fills it and
 * ends it with echo_kernel_return. */
EchoOp *echo_kernel_func_create(EchoContext *ctx, EchoLoc loc, EchoStr name, EchoKernelKind kind,
                                const EchoType *function_type);
EchoOp *echo_kernel_return(EchoBuilder *builder, EchoValue *const *values, size_t n);
EchoOp *echo_kernel_call(EchoBuilder *builder, EchoStr callee, EchoValue *const *operands, size_t n,
                         const EchoType *const *result_types, size_t n_results);
/* inputs, then one output buffer for each result of the kernel. */
EchoOp *echo_kernel_launch(EchoBuilder *builder, EchoStr callee, EchoValue *const *inputs,
                           size_t n_inputs, EchoValue *const *outputs, size_t n_outputs);

/* ---- kernel.library: a call into a library for each task of a grid ----
 *
 * The op stands where the kernel's function would: launches name it. Task t of the grid g0 x g1 x …
 * (row-major) has coordinates c; its call has one argument for each entry of `arguments`:
 *   an integer or float attribute    that constant
 *   {buffer = b, strides = [s0, …]}  address of launch operand b plus the sum of c[i] * s[i] bytes
 *   {tile = n, total = m, axis = i}  min(n, m - c[i] * n)
 * and is made with the C signature `signature`: "void", "i32", "i64", "f32", "f64", "ptr" (result
 * first).
 */
typedef enum EchoLibraryArgKind {
  ECHO_LIBRARY_CONSTANT,
  ECHO_LIBRARY_BUFFER,
  ECHO_LIBRARY_TILE
} EchoLibraryArgKind;

typedef enum EchoLibraryType {
  ECHO_LIBRARY_VOID,
  ECHO_LIBRARY_I32,
  ECHO_LIBRARY_I64,
  ECHO_LIBRARY_F32,
  ECHO_LIBRARY_F64,
  ECHO_LIBRARY_PTR
} EchoLibraryType;

#define ECHO_LIBRARY_MAX_ARGS 24
#define ECHO_LIBRARY_MAX_GRID 8

typedef struct EchoLibraryArg {
  EchoLibraryArgKind kind;
  EchoLibraryType type;
  int64_t integer;                        /* CONSTANT of integer type; TILE: tile */
  double floating;                        /* CONSTANT of float type */
  size_t buffer;                          /* BUFFER: index among the launch's operands */
  int64_t strides[ECHO_LIBRARY_MAX_GRID]; /* BUFFER: bytes */
  int64_t total;                          /* TILE */
  size_t axis;                            /* TILE */
} EchoLibraryArg;

typedef struct EchoLibraryCall {
  EchoStr library, symbol; /* "blas", "cblas_sgemm" */
  EchoLibraryType result;
  size_t n_args, n_grid;
  int64_t grid[ECHO_LIBRARY_MAX_GRID];
  EchoLibraryArg args[ECHO_LIBRARY_MAX_ARGS];
} EchoLibraryCall;

/* "void", "i32", … as a type of a signature; false when `name` is none. */
bool echo_kernel_library_type(const EchoAttr *name, EchoLibraryType *type);
/* Reads a verified kernel.library. */
void echo_kernel_library_call(const EchoOp *library, EchoLibraryCall *call);
/* Builds one. */
EchoOp *echo_kernel_library_create(EchoContext *ctx, EchoLoc loc, EchoStr name,
                                   const EchoType *function_type, const EchoLibraryCall *call);
/* Product of the grid. */
int64_t echo_kernel_library_n_tasks(const EchoLibraryCall *call);

#ifdef __cplusplus
}
#endif

#endif
