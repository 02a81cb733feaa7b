/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --verify-plan: runs a planned function with tags in place of data. Every byte range of the arena,
 * of host memory and of the arguments holds the tag of the buffer that wrote it last; a reader must
 * find the whole of its own buffer there. The invariant that this proves: between a write and its
 * last read nobody else writes there. A copy to or from the host reads and writes from the op that
 * begins it to the one that waits for it: until then its event is the tag of what it writes. It
 * shares no code with the planners. */
#include "base/map.h"
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"

#include <stdlib.h>

/* One piece of a memory: bytes [begin, end) were last written as buffer `tag`. Sorted, disjoint. */
typedef struct Piece {
  uint64_t begin, end;
  const EchoValue *tag;
} Piece;

typedef struct Memory {
  ECHO_VECTOR(Piece) pieces;
} Memory;

typedef struct Checker {
  EchoOp *function;
  Memory arena, host;
  EchoMap written; /* roots outside the arena that were written, and arguments that hold input */
  EchoMap copies;  /* event of a copy that is under way -> the tag that it copies */
  bool is_fine;
} Checker;

static const EchoValue *root_of(const EchoValue *value)
{
  for (const EchoOp *def = echo_value_def_or_null(value);
       def != NULL && echo_op_is(def, "plan.view"); def = echo_value_def_or_null(value))
    value = echo_op_operand(def, 0);
  return value;
}

static bool in_arena(const EchoValue *root, uint64_t *begin, uint64_t *end)
{
  const EchoOp *def = echo_value_def_or_null(root);
  if (def == NULL || !echo_op_is(def, "plan.buffer"))
    return false;
  *begin = (uint64_t)echo_op_attr_i64(def, "offset", 0);
  *end = *begin + echo_type_static_bytes(root->type);
  return true;
}

/* The first piece that ends after `begin`. */
static size_t find_piece(const Memory *memory, uint64_t begin)
{
  size_t low = 0, high = memory->pieces.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (memory->pieces.data[middle].end <= begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* What the whole of the range, which is not empty, holds; NULL when that is not one buffer. */
static const EchoValue *tag_or_null(const Memory *memory, uint64_t begin, uint64_t end)
{
  size_t i = find_piece(memory, begin);
  if (i == memory->pieces.size || memory->pieces.data[i].begin > begin ||
      memory->pieces.data[i].end < end)
    return NULL;
  return memory->pieces.data[i].tag;
}

/* Puts `n` pieces in the place of [first, last). */
static void replace_pieces(Memory *memory, size_t first, size_t last, const Piece *pieces, size_t n)
{
  size_t tail = memory->pieces.size - last;
  echo_vector_reserve(&memory->pieces, first + n + tail);
  memmove(memory->pieces.data + first + n, memory->pieces.data + last, tail * sizeof(Piece));
  memcpy(memory->pieces.data + first, pieces, n * sizeof(Piece));
  memory->pieces.size = first + n + tail;
}

static void write_range(Memory *memory, uint64_t begin, uint64_t end, const EchoValue *tag)
{
  if (begin == end)
    return;
  size_t first = find_piece(memory, begin), last = first, n = 0;
  Piece pieces[3];
  while (last < memory->pieces.size && memory->pieces.data[last].begin < end)
    ++last;
  if (first < last && memory->pieces.data[first].begin < begin)
    pieces[n++] = (Piece){memory->pieces.data[first].begin, begin, memory->pieces.data[first].tag};
  pieces[n++] = (Piece){begin, end, tag};
  if (first < last && memory->pieces.data[last - 1].end > end)
    pieces[n++] =
        (Piece){end, memory->pieces.data[last - 1].end, memory->pieces.data[last - 1].tag};
  replace_pieces(memory, first, last, pieces, n);
}

static void write_buffer(Checker *checker, const EchoOp *op, const EchoValue *buffer)
{
  const EchoValue *root = root_of(buffer);
  const EchoOp *def = echo_value_def_or_null(root);
  uint64_t begin, end;
  if (def != NULL && echo_op_is(def, "plan.constant"))
    checker->is_fine = echo_op_error(op, "writes a constant");
  else if (in_arena(root, &begin, &end))
    write_range(&checker->arena, begin, end, root);
  else
    echo_map_set(&checker->written, echo_key(root), 1);
}

static void read_buffer(Checker *checker, const EchoOp *op, const EchoValue *buffer)
{
  const EchoValue *root = root_of(buffer);
  const EchoOp *def = echo_value_def_or_null(root);
  uint64_t begin, end;
  if (def != NULL && echo_op_is(def, "plan.constant"))
    return;
  if (!in_arena(root, &begin, &end)) {
    if (!echo_map_has(&checker->written, echo_key(root)))
      checker->is_fine = echo_op_error(op, "reads a result before it is written");
    return;
  }
  if (begin == end || tag_or_null(&checker->arena, begin, end) == root)
    return;
  checker->is_fine =
      echo_op_error(op, "reads bytes %llu to %llu of the arena, which hold something else",
                    (unsigned long long)begin, (unsigned long long)end);
  echo_note(echo_op_context(op), def->loc, "the buffer it means to read");
}

/* An output that shares bytes with an operand of the same launch must be that operand's very
 * buffer. */
static void check_overlap(Checker *checker, const EchoOp *op, const EchoValue *output,
                          size_t n_others)
{
  const EchoValue *root = root_of(output);
  uint64_t begin, end, other_begin, other_end;
  if (!in_arena(root, &begin, &end))
    return;
  for (size_t i = 0; i < n_others; ++i) {
    const EchoValue *other = root_of(echo_op_operand(op, i));
    if (other != root && in_arena(other, &other_begin, &other_end) && begin < other_end &&
        other_begin < end)
      checker->is_fine = echo_op_error(op, "writes over operand #%zu, which is another buffer", i);
  }
}

static void check_launch(Checker *checker, const EchoOp *op)
{
  size_t n_inputs = (size_t)echo_op_attr_i64(op, "n_inputs", 0);
  for (size_t i = 0; i < n_inputs; ++i)
    read_buffer(checker, op, echo_op_operand(op, i));
  for (size_t i = n_inputs; i < op->n_operands; ++i) {
    check_overlap(checker, op, echo_op_operand(op, i), i);
    for (size_t k = n_inputs; k < i; ++k)
      if (root_of(echo_op_operand(op, i)) == root_of(echo_op_operand(op, k)))
        checker->is_fine = echo_op_error(op, "writes two results to one buffer");
    write_buffer(checker, op, echo_op_operand(op, i));
  }
}

/* ---- copies to and from the host ---- */

static void host_range(const EchoOp *swap, uint64_t *begin, uint64_t *end)
{
  *begin = (uint64_t)echo_op_attr_i64(swap, "host_offset", 0);
  *end = *begin + echo_type_static_bytes(echo_op_operand_type(swap, 0));
}

static void begin_swap(Checker *checker, const EchoOp *op)
{
  const EchoValue *event = echo_op_result(op, 0), *root = root_of(echo_op_operand(op, 0));
  uint64_t begin, end, own_begin, own_end;
  host_range(op, &begin, &end);
  if (begin == end)
    return; /* nothing is copied */
  if (echo_op_is(op, "plan.swap_out")) {
    read_buffer(checker, op, root);
    write_range(&checker->host, begin, end, event);
    echo_map_set_ptr(&checker->copies, event, root);
    return;
  }
  const EchoValue *tag = tag_or_null(&checker->host, begin, end);
  if (tag == NULL || echo_map_has(&checker->copies, echo_key(tag))) {
    checker->is_fine = echo_op_error(op, "copies host memory that holds no whole value");
    return;
  }
  echo_map_set_ptr(&checker->copies, event, tag);
  if (in_arena(root, &own_begin, &own_end))
    write_range(&checker->arena, own_begin, own_end, event);
  else
    checker->is_fine = echo_op_error(op, "expects a buffer of the arena");
}

/* Both ends of a copy must have been left alone since it began. */
static void end_swap(Checker *checker, const EchoOp *wait)
{
  EchoValue *event = echo_op_operand(wait, 0);
  const EchoOp *op = echo_value_def_or_null(event);
  const EchoValue *tag = echo_map_get_ptr(&checker->copies, event);
  const EchoValue *root = root_of(echo_op_operand(op, 0));
  bool is_out = echo_op_is(op, "plan.swap_out");
  uint64_t begin, end, own_begin, own_end;
  if (tag == NULL)
    return; /* waited for already, or never begun, which has been told */
  host_range(op, &begin, &end);
  bool is_whole = tag_or_null(&checker->host, begin, end) == (is_out ? event : tag);
  if (!is_whole)
    checker->is_fine = echo_op_error(op, "has its host memory written by another copy");
  if (in_arena(root, &own_begin, &own_end) &&
      tag_or_null(&checker->arena, own_begin, own_end) != (is_out ? root : event))
    checker->is_fine = echo_op_error(op, "has its buffer written before the copy is waited for");
  if (!is_out)
    write_buffer(checker, op, root);
  else if (is_whole)
    write_range(&checker->host, begin, end, root);
  echo_map_erase(&checker->copies, echo_key(event));
}

static void check_waits(Checker *checker)
{
  for (EchoOp *op = checker->function; op != NULL; op = echo_op_walk_next(checker->function, op))
    if ((echo_op_is(op, "plan.swap_out") || echo_op_is(op, "plan.swap_in")) &&
        echo_map_has(&checker->copies, echo_key(echo_op_result(op, 0))))
      checker->is_fine = echo_op_error(op, "is never waited for");
}

static void check_op(Checker *checker, const EchoOp *op)
{
  if (echo_op_is(op, "kernel.launch")) {
    check_launch(checker, op);
  } else if (echo_op_is(op, "plan.copy")) {
    read_buffer(checker, op, echo_op_operand(op, 0));
    write_buffer(checker, op, echo_op_operand(op, 1));
  } else if (echo_op_is(op, "plan.swap_out") || echo_op_is(op, "plan.swap_in")) {
    begin_swap(checker, op);
  } else if (echo_op_is(op, "plan.wait")) {
    end_swap(checker, op);
  } else if (echo_op_is(op, "plan.while") || echo_op_is(op, "plan.case") ||
             echo_op_is(op, "plan.condition")) {
    for (size_t i = 0; i < op->n_operands; ++i)
      read_buffer(checker, op, echo_op_operand(op, i));
  }
}

/* Where the walk goes on after the last op of a region. A loop runs condition, body, condition,
 * body, condition, so that what one iteration leaves is what the next one finds; the branches of a
 * case run one after the other, each must hold by itself. */
typedef struct Frame {
  const EchoOp *op;
  size_t step;
} Frame;

static const EchoOp *next_of_frame(Frame *frame)
{
  bool is_loop = echo_op_has_trait(frame->op, ECHO_LOOP);
  size_t n_steps = is_loop ? 5 : frame->op->n_regions;
  if (frame->step >= n_steps)
    return NULL;
  size_t region = is_loop ? frame->step % 2 : frame->step;
  ++frame->step;
  return echo_op_body(frame->op, region)->first;
}

static void check_function(Checker *checker)
{
  ECHO_VECTOR(Frame) frames = {0};
  const EchoOp *op = checker->function->regions[0].first->first;
  while (op != NULL || frames.size != 0) {
    if (op == NULL) {
      op = next_of_frame(&echo_vector_last(&frames));
      if (op == NULL) {
        op = frames.data[frames.size - 1].op->next;
        --frames.size;
      }
      continue;
    }
    check_op(checker, op);
    if (op->n_regions != 0) {
      echo_vector_push(&frames, (Frame){op, 0});
      op = NULL;
    } else {
      op = op->next;
    }
  }
  echo_vector_destroy(&frames);
}

static bool is_result(const EchoOp *function, uint32_t argument)
{
  const EchoAttr *all = echo_op_attr_or_null(function, "arg_attrs");
  return all != NULL && all->kind == ECHO_ATTR_ARRAY && argument < all->as.array.size &&
         echo_dictionary_get_or_null(all->as.array.elements[argument], "plan.result") != NULL;
}

/* Every result must have been written by the end. */
static void check_results(Checker *checker)
{
  const EchoBlock *entry = checker->function->regions[0].first;
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    if (is_result(checker->function, i) &&
        !echo_map_has(&checker->written, echo_key(echo_block_arg(entry, i))))
      checker->is_fine =
          echo_op_error(checker->function, "never writes its result, argument #%u", i);
  }
}

static void mark_inputs(Checker *checker)
{
  const EchoBlock *entry = checker->function->regions[0].first;
  for (uint32_t i = 0; i < entry->n_args; ++i)
    if (!is_result(checker->function, i))
      echo_map_set(&checker->written, echo_key(echo_block_arg(entry, i)), 1);
}

/* A buffer without an offset has no bytes that could be checked. */
static bool check_places(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_op_is(op, "plan.buffer") && !echo_op_has_attr(op, "offset"))
      return echo_op_error(op, "has no offset yet: --plan-memory gives it one");
  return true;
}

static bool holds_plan(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_op_is(op, "kernel.launch") || echo_str_is(echo_op_info_dialect(op->info), "plan"))
      return true;
  const EchoBlock *entry = function->regions[0].first;
  for (uint32_t i = 0; i < entry->n_args; ++i)
    if (is_result(function, i))
      return true;
  return false;
}

static bool check_is_planned(EchoOp *module)
{
  const EchoOp *first = NULL;
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "func.func") || op->regions[0].first == NULL)
      continue;
    if (holds_plan(op))
      return true;
    first = first == NULL ? op : first;
  }
  return echo_op_error(first != NULL ? first : module,
                       "holds no plan: the module is at stage '%s', plans are made on the way to "
                       "'%s'",
                       echo_stage_name(echo_module_stage(module)),
                       echo_stage_name(ECHO_STAGE_PLANNED));
}

static bool run(EchoPassRun *pass)
{
  bool is_fine = check_is_planned(pass->op);
  pass->keeps_all = true;
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "func.func") || op->regions[0].first == NULL)
      continue;
    if (!check_places(op))
      return false;
    Checker checker = {.function = op, .is_fine = true};
    mark_inputs(&checker);
    check_function(&checker);
    check_waits(&checker);
    check_results(&checker);
    is_fine &= checker.is_fine;
    echo_vector_destroy(&checker.arena.pieces);
    echo_vector_destroy(&checker.host.pieces);
    echo_map_destroy(&checker.written);
    echo_map_destroy(&checker.copies);
  }
  return is_fine;
}

const EchoPass ECHO_PASS_VERIFY_PLAN = {
    .name = "verify-plan",
    .summary = "check that no live buffer of a planned module is overwritten",
    .anchor = "builtin.module",
    .run = run,
};
