/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --chunk-rows: a contraction whose result is large, and meets only ops that work row by row and
 * contractions that end in something small (the logits of a loss head, the scores of attention, the
 * layer of a Transformer that is four times as wide as what goes in), runs in chunks of rows, so
 * that the large value is never whole. What it ends in is put together again: rows by a
 * concatenation, sums over rows by additions in order.
 *
 *   find    what works on rows, and whether anything else reads large ones (find_rows.c)
 *   pull    what makes large operands of those is made in each chunk, too (pull_rows.c)
 *   write   the chunks one after the other, where the contraction stood (write_chunks.c)
 *
 * Where the gradient can follow at once, as in a loss head, each chunk has its own, and all of it
 * is backward code: the loss is computed with it. Where it must wait, as in attention, it runs in
 * chunks of the same rows later on: what a chunk leaves to its gradient Echo keeps or makes again,
 * chunk by chunk.
 *
 * What a GPU's kernels have in shared memory alone stays as it is: nothing of it is ever whole.
 *
 * Data flow alone decides: not the order of the ops, not what is forward and what backward, not
 * which results the step has. Nor does what Echo is asked for, so that bits do not depend on it. */
#include <stdlib.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/step/kept_products_t.h"
#include "lowering/step/row_head_t.h"
#include "planning/loops/parts.h"

/* A chunk of less than that is not worth its launches and additions. */
#define MIN_CHUNK_BYTES (UINT64_C(1) << 20)
/* Where what comes out takes more than half of what is cut (the layer of a Transformer: what it
 * ends in and a gradient as large, for four times as much), a chunk lasts that many launches: in
 * two spans memory is saved only where Echo makes them again, launches are paid for in any case. */
#define MIN_LAUNCHES 16
#define MIN_CHUNKS 4
#define MAX_CHUNKS 16
#define MIN_GROWTH 2 /* columns of the result for each column of what is contracted */

/* Where the rows of a contraction are: dimensions [first, first + n) of its operand `side`. */
typedef struct RowPlace {
  size_t side, first, n;
  uint8_t n_spans; /* in at most that many spans */
  bool writes_stacks;
  uint64_t launches_bytes; /* that MIN_LAUNCHES move */
  int64_t rank;            /* the largest is best; 0 = no head */
} RowPlace;

static bool begins_head(EchoOp *op, const RowPlace *place, EchoRowHead *head)
{
  const EchoType *read = echo_op_operand_type(op, place->side);
  const EchoType *result = echo_op_result_type(op, 0);
  uint64_t read_bytes;
  *head = (EchoRowHead){
      .ctx = echo_op_context(op), .root = op, .n_rows = 1, .writes_stacks = place->writes_stacks};
  if (!echo_type_bytes(result, &head->bytes) || !echo_type_bytes(read, &read_bytes) ||
      head->bytes < MIN_CHUNK_BYTES * MIN_CHUNKS || head->bytes < read_bytes * MIN_GROWTH)
    return false;
  for (size_t d = place->first; d < place->first + place->n; ++d)
    head->n_rows *= echo_type_dim(read, d);
  head->root_use.operands[place->side] = echo_row_dims(read, place->first, place->n);
  return head->n_rows >= MIN_CHUNKS &&
         echo_rows_down(op, head->n_rows, &head->root_use) == ECHO_ROWS_PRODUCT;
}

/* Beside a chunk stand the sums so far and what is added to them, and what the contractions have
 * given back. A chunk that is smaller than those hardly lowers the peak, and every chunk reads and
 * writes the sums once more: so it is as large as they are. Returns the number of chunks; 0: they
 * would be too short. */
static int64_t choose_chunks(EchoRowHead *head, const RowPlace *place)
{
  uint64_t beside = head->sum_bytes + head->row_bytes;
  uint64_t chunk_bytes = beside > MIN_CHUNK_BYTES ? beside : MIN_CHUNK_BYTES;
  if (head->saves_little && head->largest_bytes / MIN_CHUNKS < place->launches_bytes)
    return 0;
  if (head->saves_little && chunk_bytes < place->launches_bytes)
    chunk_bytes = place->launches_bytes;
  uint64_t n = (head->largest_bytes + chunk_bytes - 1) / chunk_bytes;
  n = n < MIN_CHUNKS ? MIN_CHUNKS : n > MAX_CHUNKS ? MAX_CHUNKS : n;
  head->rows_a_chunk =
      head->stack_rows != 0 ? head->stack_rows : (head->n_rows + (int64_t)n - 1) / (int64_t)n;
  return (head->n_rows + head->rows_a_chunk - 1) / head->rows_a_chunk;
}

/* The more chunks, the less each of them holds. Sums over rows so far and what is added to them
 * stand beside a chunk of their size: with sums twice as many hold as much, and take longer. */
static int64_t rank_place(EchoOp *op, const RowPlace *place)
{
  EchoRowHead head;
  bool is_found = begins_head(op, place, &head) && echo_find_rows(&head, place->n_spans);
  int64_t n = is_found ? choose_chunks(&head, place) : 0;
  int64_t rank = n != 0 && head.sum_bytes == 0 ? 4 * n + 1 : 2 * n;
  echo_row_head_destroy(&head);
  return rank;
}

static int compare_members(const void *a, const void *b)
{
  const EchoRowMember *x = a, *y = b;
  return x->op == y->op ? 0 : echo_op_is_before(x->op, y->op) ? -1 : 1;
}

/* `gone`: contractions that the chunks replace. */
static bool chunk(EchoOp *op, const RowPlace *place, EchoMap *gone)
{
  EchoRowHead head;
  bool is_chunked = begins_head(op, place, &head) && echo_find_rows(&head, place->n_spans) &&
                    echo_pull_rows(&head);
  if (is_chunked) {
    for (size_t m = 0; m < head.members.size; ++m)
      echo_map_set(gone, echo_key(head.members.data[m].op), 1);
    choose_chunks(&head, place);
    qsort(head.members.data, head.members.size, sizeof(EchoRowMember), compare_members);
    echo_write_chunks(&head);
  }
  echo_row_head_destroy(&head);
  return is_chunked;
}

/* The best rows of `side`: heads or sequences, which no sum is over, or the queries where those are
 * few. Of as good ones the longest range of leading dimensions. */
static void find_place(EchoOp *op, const RowPlace *within, RowPlace *best)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  const EchoType *type = echo_op_operand_type(op, within->side);
  EchoDimList contracting = within->side == 0 ? dims->lhs_contracting : dims->rhs_contracting;
  size_t rank = echo_type_rank(type);
  for (size_t first = 0, end; first < rank; ++first) {
    for (end = first; end < rank && !echo_dim_list_has(contracting, (int64_t)end);)
      ++end;
    for (; end > first; --end) {
      RowPlace place = *within;
      place.first = first;
      place.n = end - first;
      if (echo_type_dim(type, end - 1) == 1 || echo_type_dim(type, first) == 1)
        continue;
      place.rank = rank_place(op, &place);
      if (place.rank > best->rank)
        *best = place;
    }
  }
}

/* Rows are consecutive dimensions of an operand that all that follows shares. In one span, if that
 * can be. */
static bool chunk_contraction(EchoOp *op, const RowPlace *any, EchoMap *gone)
{
  for (size_t side = 0; side < 2; ++side) {
    const EchoType *type = echo_op_operand_type(op, side);
    if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type))
      return false;
  }
  for (uint8_t n_spans = 1; n_spans <= ECHO_MAX_ROW_SPANS; ++n_spans)
    for (size_t side = 0; side < 2; ++side) {
      RowPlace within = *any, place = {0};
      within.side = side;
      within.n_spans = n_spans;
      find_place(op, &within, &place);
      if (place.rank != 0 && chunk(op, &place, gone))
        return true;
    }
  return false;
}

/* Of `contractions` those that are not gone; of those that write stacks, those in loops. Returns
 * how many run in chunks now. */
static size_t chunk_all(const EchoOpList *contractions, const RowPlace *any, EchoMap *gone)
{
  size_t n = 0;
  for (size_t i = 0; i < contractions->size; ++i) {
    EchoOp *op = contractions->data[i];
    if (!echo_map_has(gone, echo_key(op)) &&
        (!any->writes_stacks || echo_hlo_opcode(echo_op_parent(op)) == ECHO_HLO_WHILE))
      n += chunk_contraction(op, any, gone);
  }
  return n;
}

/* One that begins_head would take, by its size alone. */
static bool has_large_product(EchoOp *function)
{
  uint64_t bytes;
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL &&
        echo_type_bytes(echo_op_result_type(op, 0), &bytes) &&
        bytes >= MIN_CHUNK_BYTES * MIN_CHUNKS)
      return true;
  return false;
}

/* What loops hand to a gradient in chunks comes last: it has the chunks of that. */
static void chunk_function(EchoPassRun *pass, EchoOp *function, const EchoFusionOptions *options,
                           const EchoDeviceModel *device)
{
  double bytes = MIN_LAUNCHES * device->launch_ns * 1e-9 * device->memory_bytes_per_s;
  RowPlace any = {.launches_bytes = bytes < 0x1p62 ? (uint64_t)bytes : UINT64_C(1) << 62};
  EchoOpList contractions = {0};
  EchoMap gone = {0}, facts = {0};
  if (options->fuses_contractions && has_large_product(function))
    echo_find_kept_products(function, options, &facts);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL && !echo_product_stays(&facts, op))
      echo_vector_push(&contractions, op);
  size_t n = chunk_all(&contractions, &any, &gone);
  any.writes_stacks = true;
  size_t n_stacked = n != 0 ? chunk_all(&contractions, &any, &gone) : 0;
  if (n_stacked != 0)
    echo_loop_part_stacks(function);
  echo_pass_count(pass, "heads", n + n_stacked);
  echo_map_destroy(&facts);
  echo_map_destroy(&gone);
  echo_vector_destroy(&contractions);
}

static bool run(EchoPassRun *pass)
{
  EchoDeviceModel device;
  EchoFusionOptions options;
  if (!echo_fusion_options_load(pass, &device, &options))
    return false;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && op->regions[0].first != NULL)
      chunk_function(pass, op, &options, &device);
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"device", "model that fusion pays on: a name or a file", ""},
    ECHO_FUSION_PASS_OPTIONS,
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"heads", "contractions that run in chunks of rows"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_CHUNK_ROWS = {
    .name = "chunk-rows",
    .summary = "run a loss head or attention in chunks of rows",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
