/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --bucket-collectives: small collectives of one kind, type and groups that do not depend on each
 * other become one of several operands, and each stands where the last of its operands is made, so
 * that it begins then. What sums to what does not change, and every element is combined in one
 * order: no bit changes. The invariant: each process orders them alike, by the module's text and
 * the device model.
 *
 *   all_reduce, reduce_scatter   of one reduction: gradients
 *   all_gather                   of what the step returns (parameters that are made in parts): it
 *                                is whole at the end in any case. Others are whole for as long as
 *                                they are read, and one that came with the first of them longer.
 *
 * A call of b bytes takes a + b / r by the device model's link; what is left to wait for when all
 * else is done is the last one. Buckets of B of all G bytes of a kind take G / B * a + B / r beyond
 * the G / r that nothing changes: least at B = sqrt(G * a * r). */
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/lowering.h"
#include "planning/cost/runtime.h"

/* An op of a block. */
typedef struct Place {
  EchoOp *op;
  uint64_t key;   /* where it goes: four times its number, and more behind a bucket */
  uint32_t depth; /* most collectives of buckets on a way to it, itself counted */
  uint32_t number;
} Place;

/* A collective that may share a bucket. */
typedef struct Item {
  EchoOp *op;
  EchoHloOpcode opcode;
  const char *reduction; /* "" of a gather */
  const EchoType *element;
  uint64_t bytes; /* of the whole */
  uint32_t number, depth;
  uint64_t ready; /* the key behind which all operands are made */
  bool has_channel;
} Item;

/* So many of Block.joined, which become one. */
typedef struct Bucket {
  size_t first, n;
} Bucket;

typedef struct Block {
  EchoBlock *block;
  const EchoProcesses *processes;
  ECHO_VECTOR(Place) places;
  ECHO_VECTOR(Item) items;
  ECHO_VECTOR(EchoOp *) joined;
  ECHO_VECTOR(Bucket) buckets;
  EchoMap number_of; /* op -> its number + 1 */
} Block;

/* ---- what depends on what ---- */

static const Place *maker_or_null(const Block *block, const EchoValue *value)
{
  EchoOp *def = echo_value_def_or_null(value);
  EchoOp *here = def != NULL ? echo_op_ancestor_in_block(def, block->block) : NULL;
  uint64_t number = here != NULL ? echo_map_get_or(&block->number_of, echo_key(here), 0) : 0;
  return number != 0 ? &block->places.data[number - 1] : NULL;
}

/* Deepest of what the op and what is inside of it reads. */
static uint32_t depth_of_operands(const Block *block, EchoOp *root)
{
  uint32_t depth = 0;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    for (uint32_t i = 0; i < op->n_operands; i++) {
      const Place *maker = maker_or_null(block, echo_op_operand(op, i));
      if (maker != NULL && maker->depth > depth)
        depth = maker->depth;
    }
  return depth;
}

/* Whether all that reads it, as it is or in another shape, is the end of main. */
static bool is_returned(const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    const EchoOp *user = use->owner;
    if (echo_hlo_opcode(user) == ECHO_HLO_RESHAPE ? !is_returned(echo_op_result(user, 0))
                                                  : !echo_op_is(user, "func.return"))
      return false;
  }
  return true;
}

static bool read_item(const Block *block, EchoOp *op, Item *item)
{
  const EchoHloOpcode opcode = echo_hlo_opcode(op);
  const bool gathers = opcode == ECHO_HLO_ALL_GATHER, scatters = opcode == ECHO_HLO_REDUCE_SCATTER;
  if ((opcode != ECHO_HLO_ALL_REDUCE && !gathers && !scatters) || op->n_operands != 1 ||
      op->n_results != 1)
    return false;
  const EchoType *type = echo_op_operand_type(op, 0), *made = echo_op_result_type(op, 0);
  if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type) ||
      !echo_type_has_static_shape(made))
    return false;
  const EchoChannelHandle *channel = echo_stablehlo_channel_or_null(op);
  *item = (Item){.op = op,
                 .opcode = opcode,
                 .element = echo_type_element(type),
                 .bytes = echo_type_static_bytes(gathers ? made : type),
                 .has_channel = channel != NULL && channel->handle > 0};
  if (gathers)
    item->reduction =
        echo_type_element_kind(type) != ECHO_ELEMENT_NONE && is_returned(echo_op_result(op, 0))
            ? ""
            : NULL;
  else
    item->reduction = echo_reduction_name_or_null(op, type);
  return item->reduction != NULL && (!scatters || echo_can_join_scatters(block->processes));
}

/* What acts on the world keeps its order: it counts as reading what acted before it. */
static void read_block(Block *block)
{
  uint32_t acted = 0;
  for (EchoOp *op = block->block->first; op != block->block->last; op = op->next) {
    Item item;
    Place place = {.op = op, .number = (uint32_t)block->places.size};
    place.key = 4 * (uint64_t)place.number;
    place.depth = depth_of_operands(block, op);
    if (read_item(block, op, &item)) {
      item.number = place.number;
      item.depth = ++place.depth;
      echo_vector_push(&block->items, item);
    } else if (!echo_op_is_dead_if_unused(op)) {
      place.depth = acted = place.depth > acted ? place.depth : acted;
    }
    echo_map_set(&block->number_of, echo_key(op), place.number + 1u);
    echo_vector_push(&block->places, place);
  }
}

/* ---- buckets ---- */

static bool travel_together(const Item *a, const Item *b)
{
  return a->opcode == b->opcode && a->depth == b->depth && a->element == b->element &&
         a->has_channel == b->has_channel && strcmp(a->reduction, b->reduction) == 0 &&
         echo_op_attr_or_null(a->op, "replica_groups") ==
             echo_op_attr_or_null(b->op, "replica_groups") &&
         echo_op_attr_or_null(a->op, "all_gather_dim") ==
             echo_op_attr_or_null(b->op, "all_gather_dim") &&
         echo_op_has_attr(a->op, "use_global_device_ids") ==
             echo_op_has_attr(b->op, "use_global_device_ids");
}

static int by_readiness(const void *a, const void *b)
{
  const Item *x = a, *y = b;
  if (x->ready != y->ready)
    return x->ready < y->ready ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* The bucket goes behind `ready`, and behind it what stands between the first of its members and
 * there and is as deep: nothing else can depend on them. */
static void place_bucket(Block *block, const Item *items, size_t n)
{
  uint64_t key = items[n - 1].ready + 1;
  uint32_t first = items[0].number;
  for (size_t i = 0; i < n; i++)
    first = items[i].number < first ? items[i].number : first;
  for (size_t i = first + 1; i < block->places.size && 4 * i <= key; i++) {
    Place *place = &block->places.data[i];
    if (place->depth >= items[0].depth && place->key <= key)
      place->key = key + 1;
  }
  if (n > 1)
    echo_vector_push(&block->buckets, (Bucket){block->joined.size, n});
  for (size_t i = 0; i < n; i++) {
    block->places.data[items[i].number].key = key;
    if (n > 1)
      echo_vector_push(&block->joined, items[i].op);
  }
}

/* Items of one kind, in order of their readiness, until a bucket is full. */
static size_t fill_buckets(Block *block, Item *items, size_t n, uint64_t bucket_bytes)
{
  size_t n_joined = 0;
  qsort(items, n, sizeof *items, by_readiness);
  for (size_t begin = 0, end; begin < n; begin = end) {
    uint64_t bytes = items[begin].bytes;
    for (end = begin + 1; end < n && end - begin < ECHO_COLLECTIVE_MAX_VALUES &&
                          bytes + items[end].bytes <= bucket_bytes;
         end++)
      bytes += items[end].bytes;
    n_joined += end - begin > 1 ? end - begin : 0;
    place_bucket(block, items + begin, end - begin);
  }
  return n_joined;
}

static uint64_t key_of_operand(const Block *block, const EchoOp *op)
{
  const Place *maker = maker_or_null(block, echo_op_operand(op, 0));
  return maker != NULL ? maker->key : 0;
}

static int by_depth(const void *a, const void *b)
{
  const Item *x = a, *y = b;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static uint64_t bucket_bytes_by(const EchoDeviceModel *device, const Block *block,
                                EchoHloOpcode opcode)
{
  double bytes = 0, latency_s = (device->link_latency_ns + device->launch_ns) * 1e-9;
  for (size_t i = 0; i < block->items.size; i++)
    if (block->items.data[i].opcode == opcode)
      bytes += (double)block->items.data[i].bytes;
  return (uint64_t)sqrt(bytes * latency_s * device->link_bytes_per_s);
}

/* From the least deep on: where an item's operand goes is known then. */
static size_t make_buckets(Block *block, const EchoDeviceModel *device, uint64_t bytes_or_0)
{
  size_t n_joined = 0, n = block->items.size;
  Item *items = block->items.data;
  ECHO_VECTOR(Item) kind = {0};
  bool *is_taken = echo_alloc_zero(n + 1, sizeof *is_taken);
  qsort(items, n, sizeof *items, by_depth);
  for (size_t i = 0; i < n; i++) {
    if (is_taken[i])
      continue;
    echo_vector_clear(&kind);
    for (size_t k = i; k < n && items[k].depth == items[i].depth; k++) {
      if (is_taken[k] || !travel_together(&items[i], &items[k]))
        continue;
      is_taken[k] = true;
      items[k].ready = key_of_operand(block, items[k].op);
      echo_vector_push(&kind, items[k]);
    }
    n_joined += fill_buckets(block, kind.data, kind.size,
                             bytes_or_0 != 0 ? bytes_or_0
                                             : bucket_bytes_by(device, block, items[i].opcode));
  }
  echo_free(is_taken);
  echo_vector_destroy(&kind);
  return n_joined;
}

static int by_key(const void *a, const void *b)
{
  const Place *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- the pass ---- */

static void bucket_block(EchoPassRun *pass, const EchoDeviceModel *device,
                         const EchoProcesses *processes, int64_t bytes_or_0, EchoBlock *own)
{
  Block block = {.block = own, .processes = processes};
  read_block(&block);
  if (block.items.size != 0) {
    echo_pass_count(pass, "joined",
                    make_buckets(&block, device, bytes_or_0 > 0 ? (uint64_t)bytes_or_0 : 0));
    qsort(block.places.data, block.places.size, sizeof(Place), by_key);
    for (size_t i = 0; i < block.places.size; i++)
      echo_op_move_before(block.places.data[i].op, own->last);
    for (size_t i = 0; i < block.buckets.size; i++)
      echo_join_collectives(block.joined.data + block.buckets.data[i].first,
                            block.buckets.data[i].n, processes);
  }
  echo_vector_destroy(&block.places);
  echo_vector_destroy(&block.items);
  echo_vector_destroy(&block.joined);
  echo_vector_destroy(&block.buckets);
  echo_map_destroy(&block.number_of);
}

static bool may_travel(const EchoOp *op)
{
  const EchoHloOpcode opcode = echo_hlo_opcode(op);
  return opcode == ECHO_HLO_ALL_REDUCE || opcode == ECHO_HLO_REDUCE_SCATTER ||
         opcode == ECHO_HLO_ALL_GATHER;
}

/* Blocks that hold such an op, once each. */
static bool run(EchoPassRun *pass)
{
  EchoDeviceModel device;
  const EchoProcesses processes = echo_processes_of(pass->op);
  int64_t bytes = 0;
  ECHO_VECTOR(EchoBlock *) blocks = {0};
  EchoMap seen = {0};
  if (!echo_pass_option_i64(pass, "bytes", &bytes) ||
      !echo_device_model_load(pass->ctx, pass->op->loc, echo_pass_option(pass, "device"), &device))
    return false;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    if (may_travel(op) && echo_map_insert(&seen, echo_key(op->block), 1))
      echo_vector_push(&blocks, op->block);
  pass->keeps_all = blocks.size == 0;
  for (size_t i = 0; i < blocks.size; i++)
    bucket_block(pass, &device, &processes, bytes, blocks.data[i]);
  echo_vector_destroy(&blocks);
  echo_map_destroy(&seen);
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"bytes", "of a bucket; 0: by the device model's link", "0"},
    {"device", "model that says what a link takes: a name or a file", ""},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"joined", "collectives that share one"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_BUCKET_COLLECTIVES = {
    .name = "bucket-collectives",
    .summary = "small collectives travel together, as soon as their operands are there",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
