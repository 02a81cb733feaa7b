/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lowerings of kernels by kind; each fills a function opened by echo_kernel_emitter_begin with
 * its phases: top-level scf.parallel loops, one after the other. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_LOWER_KERNEL_T_H
#define ECHO_LOWERING_KERNELS_LOWER_KERNEL_T_H

#include "lowering/kernels/kernel_emitter_t.h"

typedef struct EchoLowerOptions {
  const EchoDeviceModel *device; /* by which work is cut into tasks */
  bool uses_blas;                /* contractions that fit go to the library */
  bool is_gpu;                   /* functions become gpu.func in a gpu.module */
  bool uses_fma;                 /* generated contractions write math.fma */
  bool has_tensor_cores;         /* EchoTargetInfo's */
  int64_t shared_bytes;          /* the same */
  bool describes_products;       /* on a GPU, for a library that may make them */
  bool describes_convolutions;   /* the same */
} EchoLowerOptions;

typedef struct EchoLaunchFacts EchoLaunchFacts;

/* The loops-stage op that takes the place of `kernel` (detached; a func.func or kernel.library), or
 * NULL after errors. `arena` is scratch; the facts are those of its launches. */
EchoOp *echo_lower_kernel_or_null(EchoArena *arena, const EchoOp *kernel,
                                  const EchoLowerOptions *options,
                                  const EchoLaunchFacts *facts_or_null);

/* Any kernel, element by element: maps, row reductions, and whatever else has elements or loops of
 * its own. */
void echo_lower_map(EchoKernelEmitter *emitter);
/* Reductions over leading dimensions with the kept ones contiguous. False (and nothing emitted)
 * when the kernel is not of that form. */
bool echo_lower_column_reduce(EchoKernelEmitter *emitter);

/* Reductions whose elements are combined in order, where lanes can be results. The same. */
bool echo_lower_ordered_reduce(EchoKernelEmitter *emitter);

/* Whether an element of `value` at two neighbouring dimensions is made of neighbours in what the
 * kernel reads, so that both are gone through as one: not where a row or a column was broadcast
 * along one of them, or a part taken out of the inner one. Reshapes go through one number. O(ops
 * that it is made of). */
bool echo_are_neighbours(EchoKernelEmitter *emitter, const EchoValue *value, uint32_t outer,
                         uint32_t inner);

/* Loops for result elements of ops without emit_element, at `indices`, into the innermost scope. */
bool echo_emit_reduce(EchoKernelEmitter *emitter, const EchoOp *reduce, EchoValue *const *indices,
                      EchoValue **results);

/* The same of a reduction with a combiner and at least as many partials as a warp has lanes, which
 * come here together: lane 0 has the result. NULL after an error. */
EchoValue *echo_emit_warp_reduce_or_null(EchoKernelEmitter *emitter, const EchoOp *op,
                                         EchoValue *const *indices, EchoValue *lane);

bool echo_emit_reduce_window(EchoKernelEmitter *emitter, const EchoOp *op,
                             EchoValue *const *indices, EchoValue **results);
/* Elements of ops that have no hook in their row because they need the emitter. */
const EchoElementLowering *echo_element_lowering_or_null(const EchoOp *op);
/* The same for processors: short windows and reductions need no loop, so that results go in
 * vectors. */
const EchoElementLowering *echo_host_element_lowering_or_null(const EchoOp *op);
/* echo_hlo_is_short_reduce, where the op has a neutral element. */
bool echo_is_short_reduce(const EchoOp *op);
EchoValue *echo_emit_short_reduce(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                                  EchoValue *const *indices);
EchoValue *echo_emit_short_window(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                                  EchoValue *const *indices);
EchoValue *echo_emit_rng_element(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices);
EchoValue *echo_emit_map_element(EchoKernelEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices);
/* The operand's indices for place `out` of a windowed op's result and `taps` of its window: always
 * valid ones; *inside says whether they are meant (NULL: always). Returns whether *inside was set.
 */
bool echo_window_indices(EchoKernelEmitter *emitter, const EchoWindowDim *windows,
                         const EchoType *operand, EchoValue *const *out, EchoValue *const *taps,
                         EchoValue **indices, EchoValue **inside);

/* False (and nothing emitted) when the kernel is not one such op whose results it returns. */
bool echo_lower_scatter(EchoKernelEmitter *emitter);
bool echo_lower_sort(EchoKernelEmitter *emitter);
/* The same of a reduce_window that is a scan or, on a processor, of many places; the others are
 * combined element by element. */
bool echo_lower_window(EchoKernelEmitter *emitter);

/* The kernel.library op for a kernel that is one kernel.invoke, else NULL. */
EchoOp *echo_lower_invoke_or_null(const EchoOp *kernel);

/* ---- sorts ---- */

/* What a row of a sort may take of the stack to merge in. */
enum { ECHO_SORT_STACK_BYTES = 2 << 20 };
/* What a GPU's block may take of its memory for the elements that it sorts; it has them twice,
 * which leaves a third of the 48 KB that any kernel may have. */
enum { ECHO_SORT_SHARED_BYTES = 16 << 10 };
/* How many elements of the first n operands a GPU's block sorts at most, a power of two. */
int64_t echo_gpu_sort_piece(const EchoOp *sort, size_t n);
/* Bytes of one row of the first n operands. */
int64_t echo_sort_row_bytes(const EchoOp *sort, size_t n);
/* How many first places of a row anyone reads, as --widen-sorts found; all where it does not say.
 */
int64_t echo_sort_first(const EchoOp *sort);
/* Whether its operands are there twice, the second time for space alone (widen_sorts.c). */
bool echo_sort_is_widened(const EchoOp *sort);

/* ---- combiners ---- */

/* The reduction's body as one commutative op with an exact neutral element: partial sums in a fixed
 * order may be used. */
typedef struct EchoCombiner {
  EchoHloOpcode opcode; /* ECHO_N_HLO_OPCODES: the body is something else */
  EchoElementKind kind;
  const EchoAttr *neutral;
} EchoCombiner;
EchoCombiner echo_combiner_of(const EchoOp *reduce);

/* Element i of what is reduced, row-major, goes to partial i mod lanes, in increasing i; partials
 * meet in groups of `group` neighbours, p[j] op p[j + group / 2] and so on, and the groups' results
 * in the same way. */
typedef struct EchoReductionOrder {
  int64_t lanes, group; /* powers of two; at most 256 and 32 */
} EchoReductionOrder;
EchoReductionOrder echo_reduction_order(const EchoOp *op, EchoElementKind kind, bool is_gpu);

/* The operand as [n_matrices, n_rows, n_columns] of which rows are reduced; false where it is not
 * of that form. */
typedef struct EchoReductionMatrix {
  int64_t n_matrices, n_rows, n_columns;
} EchoReductionMatrix;
bool echo_reduction_matrix(const EchoOp *op, EchoReductionMatrix *matrix);
/* Whether columns lie side by side, several of them. */
bool echo_reduces_columns(const EchoReductionMatrix *matrix);

/* Whether the threads of a block compute one result of an op with loops together; else each thread
 * has its own. A CPU's task is a block of one. */
bool echo_needs_block(const EchoKernelEmitter *emitter, const EchoOp *op);

/* The tree over values[0 .. n): values[0] is its result. */
void echo_emit_tree(EchoKernelEmitter *emitter, const EchoCombiner *combiner, EchoValue **values,
                    int64_t n);

/* ---- tasks ---- */

/* Nanoseconds of all of the kernel by the device model, without its launch. */
double echo_kernel_work_ns(const EchoOp *kernel, const EchoDeviceModel *device);
/* How many of `n` equal pieces of work one task takes: on the CPU so many that it is worth handing
 * to a thread. */
int64_t echo_pieces_per_task(const EchoKernelEmitter *emitter, int64_t n, double total_ns);
int64_t echo_n_tasks(int64_t n, int64_t per_task);

/* Elements that fill lines of memory whatever their type: tasks that take so many, or a multiple of
 * it, write into no line together. */
enum { ECHO_LINES = 64 };

/* What a task takes of a row of `n` elements that a vectorised loop goes through: about `wanted`, a
 * multiple of `unit` or all; >= 1. On the CPU, where parts that are all alike are at most twice as
 * many as asked for, the fewest such parts: a loop of constant count is half the code of one that
 * may have a rest, to LLVM and to the processor. O(n / wanted). */
int64_t echo_task_part(const EchoKernelEmitter *emitter, int64_t n, int64_t wanted, int64_t unit);
/* [task * part, min((task + 1) * part, n)) */
void echo_task_range(EchoKernelEmitter *emitter, EchoValue *task, int64_t part, int64_t n,
                     EchoValue **low, EchoValue **high);

/* Whether every use of `tensor` in the kernel leads to its results place by place. */
bool echo_kernel_is_used_in_place(const EchoOp *kernel, const EchoValue *tensor);

/* ---- launches ---- */

/* What holds of argument i in every launch of a kernel. */
struct EchoLaunchFacts {
  uint32_t n;
  int64_t *alignments; /* of its address, in bytes; at most ECHO_PLAN_ALIGNMENT */
  bool *is_read_only;  /* no byte of it is written while the kernel runs */
  bool *is_output;     /* it is the memory of the kernel's only result */
};

/* By callee, the symbol attribute of the launches in `module`; kernels that nobody launches have no
 * entry. O(launches). */
void echo_collect_launch_facts(EchoArena *arena, EchoOp *module, EchoMap *facts);

/* Maps the phases of a lowered function to blocks and threads: appends one gpu.func a phase to
 * `module`, a gpu.module, and erases the function. The facts become attributes: kernel.alignments,
 * kernel.read_only (numbers of arguments). */
void echo_map_to_gpu(EchoOp *func, const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                     EchoOp *module);

/* Erases pure ops without uses inside `op`, and loops with empty bodies. */
void echo_erase_dead_ops(EchoOp *op);

#endif
