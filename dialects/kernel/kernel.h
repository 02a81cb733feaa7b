/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel dialect: fused regions with a kind (kernel.func), their calls on tensors (kernel.call)
 * and on buffers (kernel.launch), and calls into libraries (kernel.library). See docs/stages.md. */
#ifndef ECHO_DIALECTS_KERNEL_KERNEL_H
#define ECHO_DIALECTS_KERNEL_KERNEL_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On a loop of stage kernels: how often its body runs, where that is known and its condition has no
 * effects. */
#define ECHO_KERNEL_N_TRIPS "kernel.n_trips"

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
  ECHO_KERNEL_LIBRARY,
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

/* A product's rows that a GPU's block makes whole stand in its shared memory, beside so much of
 * blocks of the operands, and what is made of rows. */
enum { ECHO_BESIDE_ROWS_BYTES = 16 << 10 };

typedef struct EchoKernelRow {
  const char *name; /* "row_reduce" */
  EchoInPlaceRule in_place;
  /* Producers may join: the loops ask for elements, and a slice of an operand is read as a slice.
   * Else the kernel is one op and constants, which reads all of its operands. */
  bool is_fused;
  /* The same of a product, where the target's own loops make it (EchoFusionOptions).
   */
  bool is_product;
  /* Else, whether constants of rank 0 may join: initial values, what a comparator captures. */
  bool takes_scalars;
  /* Its loops take one element at a time, where a device's rates are those of vectors. */
  bool is_scalar;
  /* Each element's arithmetic is a chain: it takes one lane of those vectors, and what lies side by
   * side (EchoCost.n_side_by_side) takes the others; its time is predicted so. */
  bool is_chain;
  /* What else it may write beside its roots: values at the index of its loop, values of its rows.
   */
  bool writes_elements, writes_rows;
  /* How rows follow: a reduction of its results or of rows that it maps makes it one that reduces;
   * further reductions of the same rows may stand before what is made of them (softmax). */
  bool takes_reduction, takes_rows;
  /* A product whose elements it maps, place by place, makes it one. */
  bool takes_product;
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

/* ---- kernel.library, kernel.invoke, kernel.effect: a call into a library for each item of a grid
 * ----
 *
 * kernel.library stands where a kernel's function would: launches name it. kernel.invoke is the
 * same call on tensors, of which the fusion pass makes a kernel and the lowering a kernel.library.
 * Item t of the grid g0 x g1 x … (row-major) has coordinates c; its call has one argument for each
 * entry of `arguments`, where buffer b is launch operand b (inputs, then results):
 *   an integer or float attribute    that constant
 *   {buffer = b, strides = [s0, …]}  address of buffer b plus the sum of c[i] * s[i] bytes;
 *                                    with `offset = n` n bytes further; with `from = a`, in a grid
 *                                    of one dimension, the s0 bytes there are first copied from the
 *                                    same place of buffer a
 *   {tile = n, total = m, axis = i}  min(n, m - c[i] * n)
 *   {reference = x}                  address of this constant, an i32 or a float (Fortran takes all
 *                                    its arguments so; a character is the low byte of an i32)
 *   {space = b, stride = s}          working space: buffer b plus task * s bytes
 * and is made with the C signature `signature`: "void", "i32", "i64", "f32", "f64", "ptr" (result
 * first). The items are dealt out to `tasks` tasks in equal runs, each run in order; without it
 * each item is a task. Library "trap" has no functions: to reach the call is an error, which says
 * `symbol`. Library "target" has the functions of call_target.h: one call, whose arguments are
 * whole buffers, operands before results, however many: `buffers` names them, in the place of
 * signature and arguments, with `config` beside them; `declared` is the function type that
 * the program has for them, where what they are made of is another by now.
 *
 * kernel.effect is a kernel.invoke that acts on the world: it is never dead, moved over another or
 * run again. Its first operand and its first result are a token, a tensor<i1> that nobody reads:
 * whoever takes it comes later. `has_token` stands on it, and on its kernel.library.
 */
typedef enum EchoLibraryArgKind {
  ECHO_LIBRARY_CONSTANT,
  ECHO_LIBRARY_BUFFER,
  ECHO_LIBRARY_TILE,
  ECHO_LIBRARY_REFERENCE,
  ECHO_LIBRARY_SPACE
} EchoLibraryArgKind;

typedef enum EchoLibraryType {
  ECHO_LIBRARY_VOID,
  ECHO_LIBRARY_I32,
  ECHO_LIBRARY_I64,
  ECHO_LIBRARY_F32,
  ECHO_LIBRARY_F64,
  ECHO_LIBRARY_PTR
} EchoLibraryType;

#define ECHO_LIBRARY_MAX_ARGS 128
#define ECHO_LIBRARY_MAX_GRID 8
#define ECHO_LIBRARY_TRAP "trap"

typedef struct EchoLibraryArg {
  EchoLibraryArgKind kind;
  EchoLibraryType type;                   /* in the signature */
  EchoLibraryType referenced;             /* REFERENCE: i32, f32 or f64 */
  int64_t integer;                        /* CONSTANT and REFERENCE of integer type; TILE: tile */
  double floating;                        /* CONSTANT and REFERENCE of float type */
  size_t buffer;                          /* BUFFER, SPACE: index among the launch's operands */
  int64_t strides[ECHO_LIBRARY_MAX_GRID]; /* BUFFER: bytes; SPACE: the first */
  int64_t offset;                         /* BUFFER: bytes */
  bool is_copied;                         /* BUFFER: from buffer `from` */
  size_t from;
  int64_t total; /* TILE */
  size_t axis;   /* TILE */
} EchoLibraryArg;

typedef struct EchoLibraryCall {
  EchoStr library, symbol; /* "blas", "cblas_sgemm" */
  EchoLibraryType result;
  size_t n_args, n_grid;
  int64_t n_tasks; /* 0: one an item */
  int64_t grid[ECHO_LIBRARY_MAX_GRID];
  EchoLibraryArg args[ECHO_LIBRARY_MAX_ARGS];
  const EchoAttr *config;   /* "target": the call's backend_config or NULL */
  const EchoAttr *buffers;  /* "target": indices among the launch's operands, array<i64>, and no
                             * `args`; else NULL */
  bool has_token;           /* arguments 0 and that of the first result are a token */
  const EchoType *declared; /* "target": a function of the types that the program has, where they
                             * are others by now (complex numbers are pairs); NULL: they are not */
} EchoLibraryCall;

/* "void", "i32", … as a type of a signature; false when `name` is none. */
bool echo_kernel_library_type(const EchoAttr *name, EchoLibraryType *type);
/* Whether it is a kernel.invoke or a kernel.effect. */
bool echo_kernel_is_invoke(const EchoOp *op);
/* Whether it is a kernel.effect that gives nothing but its token. */
bool echo_kernel_only_acts(const EchoOp *op);
/* How many buffers of a kernel.library, kernel.invoke or kernel.effect are inputs; and the type of
 * buffer i, NULL where there is none. */
size_t echo_kernel_n_inputs(const EchoOp *library);
const EchoType *echo_kernel_buffer_type_or_null(const EchoOp *library, size_t i);
/* Reads a verified kernel.library, kernel.invoke or kernel.effect. */
void echo_kernel_library_call(const EchoOp *library, EchoLibraryCall *call);
/* Builds one. */
EchoOp *echo_kernel_library_create(EchoContext *ctx, EchoLoc loc, EchoStr name,
                                   const EchoType *function_type, const EchoLibraryCall *call);
/* A kernel.invoke of this call, or with a token a kernel.effect; `flops`: what it takes, for the
 * device model. */
EchoOp *echo_kernel_invoke(EchoBuilder *builder, const EchoLibraryCall *call,
                           EchoValue *const *operands, size_t n_operands,
                           const EchoType *const *result_types, size_t n_results, double flops);
/* Items of the grid, and tasks that they are dealt out to. */
int64_t echo_kernel_library_n_items(const EchoLibraryCall *call);
int64_t echo_kernel_library_n_tasks(const EchoLibraryCall *call);

/* Fourier transforms are calls of routines of our own, library "echo", each for f32 and f64:
 * echo_fft_f32 of (re, im, re_out, im_out, space, n, rows, inverse); of n real numbers and back, by
 * the first n / 2 + 1 complex ones, echo_rfft_f32 of (re, re_out, im_out, space, n, rows) and
 * echo_irfft_f32 of (re, im, re_out, space, n, rows). `rows`, one behind the other, are a tile of
 * all. The length of the transforms that one of length n >= 1 is made by: n, where its prime
 * factors are at most ECHO_KERNEL_FFT_MAX_FACTOR, else a power of two; and how many doubles of
 * working space a row takes. 0 where n is below 1 or too large. */
#define ECHO_KERNEL_FFT_MAX_FACTOR 31
int64_t echo_kernel_fft_length(int64_t n);
int64_t echo_kernel_fft_space(int64_t n);

/* What the interpreter calls libraries through: a row of this kind, "calls", that the runtime
 * registers with the context (dlopen lives there). Runs a kernel.invoke or kernel.effect on these
 * buffers, operands then results; false after a diagnostic. */
#define ECHO_LIBRARY_RUNNER "library runner"
typedef struct EchoLibraryRunner {
  bool (*run)(const EchoOp *invoke, void *const *buffers);
} EchoLibraryRunner;

#ifdef __cplusplus
}
#endif

#endif
