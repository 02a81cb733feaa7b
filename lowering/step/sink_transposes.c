/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --sink-transposes: a reduction of what was transposed, perhaps mapped since, is one of what there
 * was before, so that it goes through memory as that lies. A transpose is sunk where nothing but
 * reductions is left of it: every reader is one, or an elementwise op of which the same holds,
 * whose other operands are transposed likewise or can be had in any order. What some reader keeps
 * in its transposed order is left alone: read from there, a sum is in the order of memory already.
 * The order of a sum of floats changes with it, so this runs once, on the training step, before
 * anything is made again, and not where loops are written out. */
#include "base/map.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "lowering/lowering.h"
#include "lowering/step/dim_order_t.h"
#include "lowering/step/split_reductions_t.h"

/* A value in a transposed order: dimension d of it is dimension permutation[d] of another, which it
 * is the transpose of. */
typedef struct Turned {
  EchoValue *value;
  EchoDimList permutation;
  EchoValue *source; /* what it is the transpose of, once that is known */
  uint32_t cone;     /* of what is sunk together: a parent in a union-find forest */
  bool is_kept;      /* of a root: some reader needs the transposed order */
} Turned;

typedef struct Sinker {
  ECHO_VECTOR(Turned) turned; /* in the order of their block */
  EchoMap numbers;            /* value -> number in `turned` */
  uint64_t n_sunk;
} Sinker;

static uint32_t find_cone(Sinker *sinker, uint32_t i)
{
  Turned *turned = sinker->turned.data;
  for (; turned[i].cone != i; i = turned[i].cone)
    turned[i].cone = turned[turned[i].cone].cone;
  return i;
}

static void keep(Sinker *sinker, uint32_t i)
{
  sinker->turned.data[find_cone(sinker, i)].is_kept = true;
}

static void join(Sinker *sinker, uint32_t a, uint32_t b)
{
  Turned *turned = sinker->turned.data;
  a = find_cone(sinker, a);
  b = find_cone(sinker, b);
  uint32_t root = a < b ? a : b;
  bool is_kept = turned[a].is_kept || turned[b].is_kept;
  turned[a].cone = turned[b].cone = root;
  turned[root].is_kept = is_kept;
}

static bool find_turned(const Sinker *sinker, const EchoValue *value, uint32_t *number)
{
  uint64_t found;
  if (!echo_map_get(&sinker->numbers, echo_key(value), &found))
    return false;
  *number = (uint32_t)found;
  return true;
}

static bool is_plain(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
         type->as.shaped.encoding == NULL;
}

/* ---- what is in a transposed order ---- */

static uint32_t add_turned(Sinker *sinker, EchoValue *value, EchoDimList permutation)
{
  uint32_t number = (uint32_t)sinker->turned.size;
  Turned turned = {.value = value, .permutation = permutation, .cone = number};
  echo_vector_push(&sinker->turned, turned);
  echo_map_set(&sinker->numbers, echo_key(value), number);
  return number;
}

/* Whether elements change places in memory: dimensions of size 1 are nowhere. */
static bool moves_elements(const EchoType *source, EchoDimList permutation)
{
  int64_t last = -1;
  for (size_t d = 0; d < permutation.size; ++d) {
    if (echo_type_dim(source, (size_t)permutation.dims[d]) == 1)
      continue;
    if (permutation.dims[d] < last)
      return true;
    last = permutation.dims[d];
  }
  return false;
}

static void note_transpose(Sinker *sinker, EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  if (!is_plain(type) || !is_plain(echo_op_result_type(op, 0)) ||
      !moves_elements(type, permutation))
    return;
  uint32_t number = add_turned(sinker, echo_op_result(op, 0), permutation);
  sinker->turned.data[number].source = echo_op_operand(op, 0);
}

static bool is_same_list(EchoDimList a, EchoDimList b)
{
  return a.size == b.size && memcmp(a.dims, b.dims, a.size * sizeof *a.dims) == 0;
}

/* The result is in the order of the operands, where those agree. */
static void note_map(Sinker *sinker, EchoOp *op)
{
  uint32_t first = UINT32_MAX, other;
  for (uint32_t i = 0; i < op->n_operands && first == UINT32_MAX; ++i)
    if (find_turned(sinker, echo_op_operand(op, i), &other))
      first = other;
  if (first == UINT32_MAX || !is_plain(echo_op_result_type(op, 0)))
    return;
  uint32_t number =
      add_turned(sinker, echo_op_result(op, 0), sinker->turned.data[first].permutation);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    if (find_turned(sinker, operand, &other)) {
      if (!is_same_list(sinker->turned.data[first].permutation,
                        sinker->turned.data[other].permutation))
        keep(sinker, number);
      join(sinker, number, other);
    } else if (echo_type_rank(operand->type) != 0 && !echo_has_any_order(operand)) {
      keep(sinker, number);
    }
  }
}

static bool is_map(const EchoOp *op)
{
  return echo_op_has_trait(op, ECHO_ELEMENTWISE) && op->n_results == 1 && op->n_regions == 0 &&
         op->n_operands != 0;
}

/* ---- what becomes of it ---- */

/* A reduction of one tensor whose combiner may be applied in any order. */
static bool is_reduction_of(const EchoOp *op, const EchoValue *value)
{
  return echo_hlo_opcode(op) == ECHO_HLO_REDUCE && op->n_operands == 2 &&
         echo_op_operand(op, 0) == value && is_plain(echo_op_result_type(op, 0)) &&
         echo_combiner_of(op).opcode != ECHO_N_HLO_OPCODES;
}

static void check_readers(Sinker *sinker, uint32_t number)
{
  const EchoValue *value = sinker->turned.data[number].value;
  const EchoBlock *block = echo_value_def_or_null(value)->block;
  uint32_t other;
  bool is_fine = value->first_use != NULL;
  for (const EchoUse *use = value->first_use; use != NULL && is_fine; use = use->next) {
    const EchoOp *reader = use->owner;
    is_fine = reader->block == block &&
              (is_reduction_of(reader, value) ||
               (is_map(reader) && find_turned(sinker, echo_op_result(reader, 0), &other)));
  }
  if (!is_fine)
    keep(sinker, number);
}

/* ---- rewriting ---- */

/* The value with its dimensions in the order they had before the permutation. */
static EchoValue *build_source(Sinker *sinker, EchoBuilder *b, EchoValue *value,
                               EchoDimList permutation)
{
  uint32_t number;
  if (echo_type_rank(value->type) == 0)
    return value;
  if (find_turned(sinker, value, &number))
    return sinker->turned.data[number].source;
  return echo_build_in_order(b, value, permutation.dims);
}

static void build_map(Sinker *sinker, Turned *turned)
{
  EchoOp *op = echo_value_def_or_null(turned->value);
  EchoBuilder b = echo_builder_before(op);
  EchoMap values = {0};
  b.attrs = op->attrs;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    echo_map_set_ptr(&values, operand, build_source(sinker, &b, operand, turned->permutation));
  }
  const EchoType *type = echo_order_type(b.ctx, turned->value->type, turned->permutation.dims);
  turned->source = echo_clone_map(op, &values, type);
  echo_map_destroy(&values);
}

/* Where the kept dimensions, in the order of the transposed value, are among those of the reduction
 * of its source; false when they are where they were. */
static bool find_kept(const EchoDimList *permutation, EchoDimList reduced, int64_t *places)
{
  bool is_moved = false;
  size_t n = 0;
  for (size_t d = 0; d < permutation->size; ++d) {
    if (echo_dim_list_has(reduced, (int64_t)d))
      continue;
    places[n] = 0;
    for (size_t k = 0; k < permutation->size; ++k)
      places[n] +=
          !echo_dim_list_has(reduced, (int64_t)k) && permutation->dims[k] < permutation->dims[d];
    is_moved |= places[n] != (int64_t)n;
    ++n;
  }
  return is_moved;
}

static void reduce_source(const Turned *turned, EchoOp *op)
{
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  EchoDimList reduced = echo_stablehlo_dims(op, "dimensions");
  int64_t dims[ECHO_MAX_RANK], places[ECHO_MAX_RANK];
  size_t n = 0;
  for (int64_t s = 0; s < (int64_t)turned->permutation.size; ++s)
    for (size_t i = 0; i < reduced.size; ++i)
      if (turned->permutation.dims[reduced.dims[i]] == s)
        dims[n++] = s;
  EchoValue *sum = echo_reduce_like(&b, op, turned->source, echo_op_operand(op, 1), dims, n);
  if (find_kept(&turned->permutation, reduced, places))
    sum = echo_hlo_transpose(&b, sum, places);
  echo_value_replace_all_uses(echo_op_result(op, 0), sum);
  echo_op_erase(op);
}

static void sink(Sinker *sinker, uint32_t number)
{
  Turned *turned = &sinker->turned.data[number];
  const EchoUse *next;
  if (turned->source == NULL)
    build_map(sinker, turned);
  for (const EchoUse *use = turned->value->first_use; use != NULL; use = next) {
    next = use->next;
    if (!is_reduction_of(use->owner, turned->value))
      continue;
    reduce_source(turned, use->owner);
    ++sinker->n_sunk;
  }
}

static void run_block(Sinker *sinker, EchoBlock *block)
{
  echo_vector_clear(&sinker->turned);
  echo_map_clear(&sinker->numbers);
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_hlo_opcode(op) == ECHO_HLO_TRANSPOSE)
      note_transpose(sinker, op);
    else if (is_map(op))
      note_map(sinker, op);
  uint32_t n = (uint32_t)sinker->turned.size;
  for (uint32_t i = 0; i < n; ++i)
    check_readers(sinker, i);
  for (uint32_t i = 0; i < n; ++i)
    if (!sinker->turned.data[find_cone(sinker, i)].is_kept)
      sink(sinker, i);
  for (uint32_t i = n; i-- > 0;) /* readers first */
    if (!sinker->turned.data[find_cone(sinker, i)].is_kept)
      echo_op_erase(echo_value_def_or_null(sinker->turned.data[i].value));
}

static bool run(EchoPassRun *pass)
{
  Sinker sinker = {0};
  ECHO_VECTOR(EchoBlock *) blocks = {0};
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    for (size_t r = 0; r < op->n_regions; ++r)
      for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
        echo_vector_push(&blocks, block);
  /* bodies of reductions go with them, and are gone through before */
  for (size_t i = blocks.size; i-- > 0;)
    run_block(&sinker, blocks.data[i]);
  echo_vector_destroy(&blocks);
  echo_vector_destroy(&sinker.turned);
  echo_map_destroy(&sinker.numbers);
  echo_pass_count(pass, "sunk", sinker.n_sunk);
  pass->keeps_all = sinker.n_sunk == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {{"sunk", "reductions of what was transposed"}, {0}};

const EchoPass ECHO_PASS_SINK_TRANSPOSES = {
    .name = "sink-transposes",
    .summary = "reduce what a transposed value was made of, in the order of memory",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
