/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The IR section: ops, blocks and regions, read without recursion. Values are numbered by region;
 * inside an isolated region the numbers start anew. */
#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/reader_t.h"
#include "ir/op_t.h"

/* A numbered value; a placeholder while only uses of it were seen. */
typedef struct Slot {
  EchoValue *value;
  bool is_placeholder;
} Slot;

/* An op whose regions are being read. */
typedef struct Frame {
  EchoRegion *region, *region_end;
  EchoBytecodeReader reader; /* of an isolated op's section; else its parent's goes on */
  bool is_isolated, is_own;  /* is_own: the reader is not the parent's */
  EchoBlock **blocks;
  size_t n_blocks, block; /* n_blocks 0 = the region's head is not read yet */
  uint64_t n_ops;         /* left in the block */
  size_t first_slot, next_slot, end_slot;
  size_t scope; /* the first slot that ops here may name */
} Frame;

typedef struct Body {
  EchoBytecodeFile *file;
  ECHO_VECTOR(Frame) frames;
  ECHO_VECTOR(Slot) slots;
  ECHO_VECTOR(EchoValue *) operands;
  ECHO_VECTOR(const EchoType *) types;
  ECHO_VECTOR(EchoBlock *) successors;
} Body;

/* ---- values ---- */

static bool define(Body *body, Frame *frame, EchoBytecodeReader *reader, EchoValue *value)
{
  if (frame->next_slot >= frame->end_slot)
    return echo_bytecode_error(reader, "a region defines more values than it announced");
  Slot *slot = &body->slots.data[frame->next_slot++];
  if (slot->is_placeholder && slot->value->first_use != NULL &&
      !echo_value_replace_all_uses(slot->value, value))
    return false;
  *slot = (Slot){value, false};
  return true;
}

static bool read_operand(Body *body, const Frame *frame, EchoBytecodeReader *reader,
                         EchoValue **value)
{
  size_t index;
  if (!echo_bytecode_read_index(reader, body->slots.size - frame->scope, "value", &index))
    return false;
  Slot *slot = &body->slots.data[frame->scope + index];
  if (slot->value == NULL) {
    EchoBlockArg *placeholder = ECHO_ARENA_NEW(&body->file->memory, EchoBlockArg);
    *placeholder =
        (EchoBlockArg){.value = {.type = echo_type_none(body->file->ctx), .is_block_arg = 1}};
    *slot = (Slot){&placeholder->value, true};
  }
  *value = slot->value;
  return true;
}

/* ---- use-list orders: read and left out ---- */

static bool skip_use_list_orders(EchoBytecodeReader *reader, size_t n_values)
{
  uint64_t n = 1, index;
  if (n_values > 1 && !echo_bytecode_read_varint(reader, &n))
    return false;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t n_indices;
    bool is_pairs;
    if ((n_values > 1 && !echo_bytecode_read_varint(reader, &index)) ||
        !echo_bytecode_read_flagged(reader, &n_indices, &is_pairs))
      return false;
    for (uint64_t k = 0; k < n_indices; k++)
      if (!echo_bytecode_read_varint(reader, &index))
        return false;
  }
  return true;
}

/* ---- blocks ---- */

static bool read_arg(EchoBytecodeReader *reader, const EchoType **type, const EchoAttr **loc)
{
  EchoBytecodeFile *file = reader->file;
  *loc = echo_attr_location_unknown(file->ctx);
  if (file->version < ECHO_BYTECODE_NO_UNKNOWN_ARG_LOCS)
    return echo_bytecode_read_type(reader, type) && echo_bytecode_read_attr(reader, loc);
  uint64_t index; /* of the type, and whether a location follows */
  bool has_loc;
  if (!echo_bytecode_read_flagged(reader, &index, &has_loc) ||
      !echo_bytecode_type_at(reader, index, type))
    return false;
  return !has_loc || echo_bytecode_read_attr(reader, loc);
}

static bool read_args(Body *body, Frame *frame, EchoBytecodeReader *reader, EchoBlock *block)
{
  size_t n;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    const EchoType *type;
    const EchoAttr *loc;
    if (!read_arg(reader, &type, &loc))
      return false;
    if (loc->kind != ECHO_ATTR_LOCATION)
      return echo_bytecode_error(reader, "an argument's location that is none");
    EchoValue *arg = echo_block_add_arg(body->file->ctx, block, type, echo_loc_from_attr(loc));
    if (arg == NULL || !define(body, frame, reader, arg))
      return false;
  }
  uint8_t has_orders = 0;
  if (body->file->version >= ECHO_BYTECODE_USE_LIST_ORDERS &&
      !echo_bytecode_read_byte(reader, &has_orders))
    return false;
  return has_orders == 0 || skip_use_list_orders(reader, n);
}

static bool read_block_head(Body *body, Frame *frame, EchoBytecodeReader *reader)
{
  bool has_args;
  return echo_bytecode_read_flagged(reader, &frame->n_ops, &has_args) &&
         (!has_args || read_args(body, frame, reader, frame->blocks[frame->block]));
}

static void reserve_slots(Body *body, Frame *frame, size_t n)
{
  frame->first_slot = frame->next_slot = body->slots.size;
  frame->end_slot = body->slots.size + n;
  echo_vector_reserve(&body->slots, frame->end_slot);
  for (size_t i = 0; i < n; i++)
    body->slots.data[body->slots.size++] = (Slot){NULL, false};
}

static bool read_region_head(Body *body, Frame *frame, EchoBytecodeReader *reader)
{
  size_t n_blocks, n_values = 0;
  if (!echo_bytecode_read_count(reader, &n_blocks))
    return false;
  frame->n_blocks = n_blocks;
  frame->block = 0;
  if (n_blocks == 0)
    return true;
  if (!echo_bytecode_read_count(reader, &n_values))
    return false;
  frame->blocks = ECHO_ARENA_ARRAY(&body->file->memory, EchoBlock *, n_blocks);
  for (size_t i = 0; i < n_blocks; i++) {
    frame->blocks[i] = echo_block_create(body->file->ctx);
    echo_region_append(frame->region, frame->blocks[i]);
  }
  reserve_slots(body, frame, n_values);
  return read_block_head(body, frame, reader);
}

static bool close_region(Body *body, Frame *frame, EchoBytecodeReader *reader)
{
  for (size_t i = frame->first_slot; i < frame->end_slot; i++)
    if (body->slots.data[i].is_placeholder)
      return echo_bytecode_error(reader, "a value is used and defined nowhere");
  body->slots.size = frame->first_slot;
  frame->n_blocks = 0;
  frame->region++;
  return true;
}

/* ---- ops ---- */

static bool read_results(Body *body, EchoBytecodeReader *reader)
{
  size_t n;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    const EchoType *type;
    if (!echo_bytecode_read_type(reader, &type))
      return false;
    echo_vector_push(&body->types, type);
  }
  return true;
}

static bool read_operands(Body *body, const Frame *frame, EchoBytecodeReader *reader)
{
  size_t n;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    EchoValue *value;
    if (!read_operand(body, frame, reader, &value))
      return false;
    echo_vector_push(&body->operands, value);
  }
  return true;
}

static bool read_successors(Body *body, const Frame *frame, EchoBytecodeReader *reader)
{
  size_t n, index;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    if (!echo_bytecode_read_index(reader, frame->n_blocks, "block", &index))
      return false;
    echo_vector_push(&body->successors, frame->blocks[index]);
  }
  return n <= UINT16_MAX || echo_bytecode_error(reader, "an op of %zu successors", n);
}

/* Everything of an op but its regions, appended to the block. */
static bool read_op(Body *body, Frame *frame, EchoBytecodeReader *reader, EchoOp **result,
                    bool *is_isolated)
{
  EchoBytecodeFile *file = body->file;
  size_t index;
  uint8_t parts;
  const EchoAttr *loc, *dictionary = NULL;
  EchoOpState state = {.ctx = file->ctx};
  body->operands.size = body->types.size = body->successors.size = 0;
  if (!echo_bytecode_read_index(reader, file->n_op_names, "op name", &index) ||
      !echo_bytecode_read_byte(reader, &parts) || !echo_bytecode_read_attr(reader, &loc))
    return false;
  const EchoBytecodeOpName *name = &file->op_names[index];
  if (loc->kind != ECHO_ATTR_LOCATION)
    return echo_bytecode_error(reader, "an op's location that is none");
  if (name->spec == NULL && !name->is_upgraded && !echo_context_allows_unregistered(file->ctx))
    return echo_bytecode_error(reader, "'%s' is unregistered, and unregistered ops are not allowed",
                               name->info->name);
  uint64_t n_regions = 0;
  *is_isolated = false;
  if (((parts & PART_ATTRS) != 0 && !echo_bytecode_read_attr(reader, &dictionary)) ||
      ((parts & PART_PROPERTIES) != 0 &&
       !echo_bytecode_read_properties(reader, name, &state.properties)) ||
      ((parts & PART_RESULTS) != 0 && !read_results(body, reader)) ||
      ((parts & PART_OPERANDS) != 0 && !read_operands(body, frame, reader)) ||
      ((parts & PART_SUCCESSORS) != 0 && !read_successors(body, frame, reader)) ||
      ((parts & PART_USE_LIST_ORDERS) != 0 && !skip_use_list_orders(reader, body->types.size)) ||
      ((parts & PART_REGIONS) != 0 &&
       !echo_bytecode_read_flagged(reader, &n_regions, is_isolated)) ||
      !echo_bytecode_op_attrs(reader, name, dictionary, &state.properties, &state.attrs))
    return false;
  if (n_regions > UINT16_MAX || n_regions > echo_bytecode_left(reader))
    return echo_bytecode_error(reader, "an op of %llu regions", (unsigned long long)n_regions);
  state.info = name->info;
  state.loc = echo_loc_from_attr(loc);
  state.operands = body->operands.data;
  state.n_operands = (uint32_t)body->operands.size;
  state.result_types = body->types.data;
  state.n_results = (uint32_t)body->types.size;
  state.successors = body->successors.data;
  state.n_successors = (uint16_t)body->successors.size;
  state.n_regions = (uint16_t)n_regions;
  EchoOp *op = echo_op_create_unchecked(&state);
  echo_block_append_made(frame->blocks[frame->block], op);
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!define(body, frame, reader, echo_op_result(op, i)))
      return false;
  *result = op;
  return true;
}

static bool push_frame(Body *body, EchoBytecodeReader *reader, EchoOp *op, bool is_isolated)
{
  Frame frame = {.region = op->regions,
                 .region_end = op->regions + op->n_regions,
                 .is_isolated = is_isolated,
                 .scope = is_isolated ? body->slots.size : echo_vector_last(&body->frames).scope};
  if (is_isolated && body->file->version >= ECHO_BYTECODE_REGION_SECTIONS) {
    EchoBytecodeSection id;
    EchoBytecodeSpan span;
    if (!echo_bytecode_read_section(reader, &id, &span))
      return false;
    if (id != ECHO_SECTION_IR)
      return echo_bytecode_error(reader, "section %d where a region's belongs", (int)id);
    frame.reader = echo_bytecode_reader(body->file, span);
    frame.is_own = true;
  }
  echo_vector_push(&body->frames, frame);
  return true;
}

/* The reader that a frame's bytes come from. */
static EchoBytecodeReader *reader_of(Body *body)
{
  size_t i = body->frames.size - 1;
  while (!body->frames.data[i].is_own)
    i--;
  return &body->frames.data[i].reader;
}

/* One step: a region's head or end, a block's head or an op. */
static bool step(Body *body)
{
  Frame *frame = &echo_vector_last(&body->frames);
  EchoBytecodeReader *reader = reader_of(body);
  if (frame->region == frame->region_end) {
    if (frame->is_own && reader->at != reader->end)
      return echo_bytecode_error(reader, "trailing bytes behind a region");
    body->frames.size--;
    return true;
  }
  if (frame->n_blocks == 0) {
    if (!read_region_head(body, frame, reader))
      return false;
    frame->region += frame->n_blocks == 0;
    return true;
  }
  if (frame->n_ops == 0) {
    if (++frame->block == frame->n_blocks)
      return close_region(body, frame, reader);
    return read_block_head(body, frame, reader);
  }
  frame->n_ops--;
  EchoOp *op = NULL;
  bool is_isolated = false;
  return read_op(body, frame, reader, &op, &is_isolated) &&
         (op->n_regions == 0 || push_frame(body, reader, op, is_isolated));
}

bool echo_bytecode_read_body(EchoBytecodeFile *file, EchoBytecodeSpan section, EchoRegion *region,
                             EchoBlock *block)
{
  Body body = {.file = file};
  Frame top = {.region = region,
               .region_end = region + 1,
               .reader = echo_bytecode_reader(file, section),
               .is_isolated = true,
               .is_own = true,
               .blocks = &block,
               .n_blocks = 1};
  echo_vector_push(&body.frames, top);
  bool fine = read_block_head(&body, &body.frames.data[0], &body.frames.data[0].reader);
  while (fine && body.frames.size != 0)
    fine = step(&body);
  echo_vector_destroy(&body.frames);
  echo_vector_destroy(&body.slots);
  echo_vector_destroy(&body.operands);
  echo_vector_destroy(&body.types);
  echo_vector_destroy(&body.successors);
  return fine;
}
