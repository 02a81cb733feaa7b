/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --bucket-collectives: small all_reduces of one reduction, type and groups that do not depend on
 * each other become one of several operands, and each stands where the last of its operands is
 * made, so that it begins then. What sums to what does not change, and all_reduce combines every
 * element in one order: no bit changes. The invariant: each process orders them alike, by the
 * module's text and the device model.
 *
 * An all_reduce of b bytes takes a + b / r by the device model's link; what is left to wait for
 * when all else is done is the last one. Buckets of B of all G bytes take G / B * a + B / r beyond
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
  uint32_t depth; /* most all_reduces on a way to it, itself counted */
  uint32_t number;
} Place;

/* An all_reduce that may share a bucket. */
typedef struct Item {
  EchoOp *op;
  const char *reduction;
  const EchoType *element;
  uint64_t bytes;
  uint32_t number, depth;
  uint64_t ready; /* the key behind which all operands are made */
  bool has_channel;
} Item;

typedef struct Block {
  EchoBlock *block;
  ECHO_VECTOR(Place) places;
  ECHO_VECTOR(Item) items;
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

static bool read_item(EchoOp *op, Item *item)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_ALL_REDUCE || op->n_operands != 1 || op->n_results != 1)
    return false;
  const EchoType *type = echo_op_operand_type(op, 0);
  if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type))
    return false;
  const EchoChannelHandle *channel = echo_stablehlo_channel_or_null(op);
  *item = (Item){.op = op,
                 .reduction = echo_reduction_name_or_null(op, type),
                 .element = echo_type_element(type),
                 .bytes = echo_type_static_bytes(type),
                 .has_channel = channel != NULL && channel->handle > 0};
  return item->reduction != NULL;
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
    if (read_item(op, &item)) {
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
  return a->depth == b->depth && a->element == b->element && a->has_channel == b->has_channel &&
         strcmp(a->reduction, b->reduction) == 0 &&
         echo_op_attr_or_null(a->op, "replica_groups") ==
             echo_op_attr_or_null(b->op, "replica_groups") &&
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

static EchoOp *join(const Item *items, size_t n)
{
  EchoOp *first = items[0].op;
  EchoValue *operands[ECHO_COLLECTIVE_MAX_VALUES];
  const EchoType *types[ECHO_COLLECTIVE_MAX_VALUES];
  for (size_t i = 0; i < n; i++) {
    operands[i] = echo_op_operand(items[i].op, 0);
    types[i] = echo_op_result_type(items[i].op, 0);
  }
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = echo_op_context(first),
                                               .info = first->info,
                                               .loc = first->loc,
                                               .operands = operands,
                                               .n_operands = (uint32_t)n,
                                               .result_types = types,
                                               .n_results = (uint32_t)n,
                                               .properties = first->properties,
                                               .attrs = first->attrs,
                                               .n_regions = 1});
  echo_op_insert_before(made, first);
  echo_region_take_blocks(&made->regions[0], &first->regions[0]);
  for (size_t i = 0; i < n; i++)
    echo_value_replace_all_uses(echo_op_result(items[i].op, 0), echo_op_result(made, (uint32_t)i));
  return made;
}

/* The bucket goes behind `ready`, and behind it what stands between the first of its members and
 * there and is as deep: nothing else can depend on them. */
static void place_bucket(Block *block, const Item *items, size_t n)
{
  uint64_t key = items[n - 1].ready + 1;
  uint32_t first = items[0].number;
  for (size_t i = 0; i < n; i++)
    first = items[i].number < first ? items[i].number : first;
  EchoOp *made = n > 1 ? join(items, n) : items[0].op;
  for (size_t i = first + 1; i < block->places.size && 4 * i <= key; i++) {
    Place *place = &block->places.data[i];
    if (place->depth >= items[0].depth && place->key <= key)
      place->key = key + 1;
  }
  echo_map_set(&block->number_of, echo_key(made), items[0].number + 1u);
  block->places.data[items[0].number].op = made;
  block->places.data[items[0].number].key = key;
  for (size_t i = 1; i < n; i++)
    block->places.data[items[i].number].op = NULL; /* part of the first */
  for (size_t i = 0; i < n && n > 1; i++)
    echo_op_erase(items[i].op);
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

/* From the least deep on: where an item's operand goes is known then. */
static size_t make_buckets(Block *block, uint64_t bucket_bytes)
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
    n_joined += fill_buckets(block, kind.data, kind.size, bucket_bytes);
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

static uint64_t bucket_bytes_by(const EchoDeviceModel *device, const Block *block)
{
  double bytes = 0, latency_s = (device->link_latency_ns + device->launch_ns) * 1e-9;
  for (size_t i = 0; i < block->items.size; i++)
    bytes += (double)block->items.data[i].bytes;
  return (uint64_t)sqrt(bytes * latency_s * device->link_bytes_per_s);
}

static void bucket_block(EchoPassRun *pass, const EchoDeviceModel *device, int64_t bytes_or_0,
                         EchoBlock *own)
{
  Block block = {.block = own};
  read_block(&block);
  if (block.items.size != 0) {
    uint64_t bytes = bytes_or_0 > 0 ? (uint64_t)bytes_or_0 : bucket_bytes_by(device, &block);
    echo_pass_count(pass, "joined", make_buckets(&block, bytes));
    qsort(block.places.data, block.places.size, sizeof(Place), by_key);
    for (size_t i = 0; i < block.places.size; i++)
      if (block.places.data[i].op != NULL)
        echo_op_move_before(block.places.data[i].op, own->last);
  }
  echo_vector_destroy(&block.places);
  echo_vector_destroy(&block.items);
  echo_map_destroy(&block.number_of);
}

/* Blocks that hold an all_reduce, once each. */
static bool run(EchoPassRun *pass)
{
  EchoDeviceModel device;
  int64_t bytes = 0;
  ECHO_VECTOR(EchoBlock *) blocks = {0};
  EchoMap seen = {0};
  if (!echo_pass_option_i64(pass, "bytes", &bytes) ||
      !echo_device_model_load(pass->ctx, pass->op->loc, echo_pass_option(pass, "device"), &device))
    return false;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_ALL_REDUCE &&
        echo_map_insert(&seen, echo_key(op->block), 1))
      echo_vector_push(&blocks, op->block);
  pass->keeps_all = blocks.size == 0;
  for (size_t i = 0; i < blocks.size; i++)
    bucket_block(pass, &device, bytes, blocks.data[i]);
  echo_vector_destroy(&blocks);
  echo_map_destroy(&seen);
  return true;
}

static const EchoPassOption OPTIONS[] = {
    {"bytes", "of a bucket; 0: by the device model's link", "0"},
    {"device", "model that says what a link takes: a name or a file", ""},
    {NULL, NULL, NULL}};
static const EchoPassStatistic STATISTICS[] = {{"joined", "all_reduces that share one"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_BUCKET_COLLECTIVES = {
    .name = "bucket-collectives",
    .summary = "small all_reduces travel together, as soon as their operands are there",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
