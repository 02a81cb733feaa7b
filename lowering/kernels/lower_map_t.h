/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Passes of a kernel that goes element by element: what lower_map.c decides, and what a GPU's way
 * of emitting them shares with the CPU's. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_LOWER_MAP_T_H
#define ECHO_LOWERING_KERNELS_LOWER_MAP_T_H

#include "lowering/kernels/lower_kernel_t.h"

enum { ECHO_MAX_PIECES = 64 };

typedef struct EchoNest {
  int64_t dims[ECHO_MAX_RANK]; /* outermost first; none is 1 */
  size_t n;
} EchoNest;

#define ECHO_NO_PASS SIZE_MAX

typedef struct EchoMapRoot {
  EchoValue *tensor;
  const EchoOp
      *update; /* dynamic_update_slice that writes `tensor` where the rest stands; or NULL */
  size_t result;
  int64_t n_elements;
  size_t pass; /* that makes it; ECHO_NO_PASS until it is known */
} EchoMapRoot;

/* One pass: a nest of loops that makes some of the roots. */
typedef struct EchoMapPass {
  EchoKernelEmitter *emitter;
  EchoMapRoot *roots; /* of all passes */
  size_t n_roots;
  size_t pass; /* its number */
  EchoNest nest;
  size_t tile_dim; /* one past a dimension that some operand is contiguous in, other than the last;
                      0 = none */
  bool has_thread_rows;              /* loops of a row are a thread's: emit_thread_rows */
  size_t n_task_dims;                /* leading dimensions of the nest that make up the tasks */
  size_t n_place_dims;               /* behind those of the nest, with n_places indices all */
  int64_t n_places;                  /* together, which the innermost loop goes through at once */
  int64_t cuts[ECHO_MAX_PIECES + 1]; /* where a dimension is cut for concatenations: the innermost
                                        one, on a GPU `piece_dim` */
  size_t n_pieces, piece_dim;        /* 1: nowhere */
  EchoValue *indices[ECHO_MAX_RANK];
} EchoMapPass;

/* Elements of the roots that have one for each index of the leading dimensions of a nest. */
typedef struct EchoRootElements {
  EchoValue **values; /* by root; NULL: another level's, or another pass's */
  EchoValue *(*indices)[ECHO_MAX_RANK];
} EchoRootElements;

/* Fewest result elements of an op with loops of its own, that a block computes together or a thread
 * alone; INT64_MAX when there is none. */
int64_t echo_map_fewest_results(const EchoKernelEmitter *emitter, bool is_of_block);
/* Cuts a dimension at `cuts`, which are sorted, 0 and its size among them; nowhere where they are
 * too many. */
void echo_map_take_cuts(EchoMapPass *map, int64_t *cuts, size_t n_all);

/* Elements at map->indices of the roots that the leading `level` dimensions have one each of. All
 * are computed before any is stored: results may stand in the buffers of inputs. */
EchoRootElements echo_map_compute_roots(EchoMapPass *map, size_t level);
/* Stores what n calls of that computed, root by root. */
void echo_map_store_roots(EchoMapPass *map, const EchoRootElements *elements, int64_t n);

/* ---- a GPU's ---- */

/* Whether the pass goes through single elements, or staged tiles of them, but no rows. */
bool echo_map_is_flat(const EchoMapPass *map);
/* False, and nothing emitted, where a block goes through rows together. */
bool echo_emit_gpu_map(EchoMapPass *map);

/* From an element of the slice to its place in the array, for a root with an update. */
void echo_map_place_in_array(EchoKernelEmitter *emitter, const EchoOp *update, EchoValue **indices);

#endif
