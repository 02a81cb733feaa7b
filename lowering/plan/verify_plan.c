/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --verify-plan: runs a planned function with tags in place of data. Every byte range of the arena,
 * of host memory and of the arguments holds the tag of the buffer that wrote it last; a reader must
 * find the whole of its own buffer there. The invariant that this proves: between a write and its
 * last read nobody else writes there. A copy to or from the host reads and writes from the op that
 * begins it to the one that waits for it, and so does a launch that only begins: until then its
 * event is the tag of what it writes, and what it reads is nobody's to write. It shares no code
 * with the planners. */
#include "base/map.h"
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/plan/plan.h"
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
  Memory arguments; /* side by side */
  EchoMap base;     /* argument -> its first byte there */
  EchoMap copies;   /* event of a copy that is under way -> the tag that it copies */
  EchoMap in_host;  /* argument in host memory -> the tag of what it holds */
  EchoMap newer;    /* such an argument -> whether a buffer holds a newer value of it */
  EchoMap state;    /* a buffer that such an argument came to -> the argument */
  EchoMap begun;    /* event of a launch that is under way -> 1 */
  EchoMap readers;  /* a buffer -> how many of those read it */
  bool is_fine;
} Checker;

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

/* The memory that holds the bytes of `root`, and which they are; NULL for a constant's. */
static Memory *find_memory_or_null(Checker *checker, const EchoValue *root, uint64_t *begin,
                                   uint64_t *end)
{
  const EchoOp *def = echo_value_def_or_null(root);
  if (echo_plan_arena_range(root, begin, end))
    return &checker->arena;
  const EchoValue *argument = def == NULL ? root : echo_plan_lender_or_null(root);
  if (argument == NULL)
    return NULL;
  *begin = echo_map_get_or(&checker->base, echo_key(argument), 0) +
           (def == NULL ? 0 : (uint64_t)echo_op_attr_i64(def, "offset", 0));
  *end = *begin + echo_type_static_bytes(root->type);
  return &checker->arguments;
}

static void refuse_in_host(Checker *checker, const EchoOp *op)
{
  checker->is_fine = echo_op_error(op, "uses an argument that is in host memory");
}

static void write_buffer(Checker *checker, const EchoOp *op, const EchoValue *buffer)
{
  const EchoValue *root = echo_plan_root(buffer);
  const EchoOp *def = echo_value_def_or_null(root);
  const EchoValue *argument = echo_map_get_ptr(&checker->state, root);
  Memory *memory;
  uint64_t begin, end;
  if (argument != NULL && !echo_op_has_trait(op, ECHO_PLAN_SWAP))
    echo_map_set(&checker->newer, echo_key(argument), 1);
  if (echo_map_get_or(&checker->readers, echo_key(root), 0) != 0)
    checker->is_fine = echo_op_error(op, "writes what a call that is under way reads");
  if (echo_map_has(&checker->in_host, echo_key(root)))
    refuse_in_host(checker, op);
  else if (def != NULL && echo_plan_opcode(def) == ECHO_PLAN_CONSTANT)
    checker->is_fine = echo_op_error(op, "writes a constant");
  else if ((memory = find_memory_or_null(checker, root, &begin, &end)) != NULL)
    write_range(memory, begin, end, root);
}

static void read_buffer(Checker *checker, const EchoOp *op, const EchoValue *buffer)
{
  const EchoValue *root = echo_plan_root(buffer);
  const EchoOp *def = echo_value_def_or_null(root);
  uint64_t begin, end;
  if (def != NULL && echo_plan_opcode(def) == ECHO_PLAN_CONSTANT)
    return;
  if (echo_map_has(&checker->in_host, echo_key(root))) {
    refuse_in_host(checker, op);
    return;
  }
  const Memory *memory = find_memory_or_null(checker, root, &begin, &end);
  if (memory == NULL || begin == end || tag_or_null(memory, begin, end) == root)
    return;
  if (def == NULL) {
    checker->is_fine = echo_op_error(op, "reads a result before it is written");
    return;
  }
  uint64_t first = (uint64_t)echo_op_attr_i64(def, "offset", 0);
  checker->is_fine =
      echo_op_error(op, "reads bytes %llu to %llu of %s, which hold something else",
                    (unsigned long long)first, (unsigned long long)(first + end - begin),
                    memory == &checker->arena ? "the arena" : "a result's place");
  echo_note(echo_op_context(op), def->loc, "the buffer it means to read");
}

/* An output that shares bytes with an operand of the same launch must be that operand's very
 * buffer. */
static void check_overlap(Checker *checker, const EchoOp *op, const EchoValue *output,
                          size_t n_others)
{
  const EchoValue *root = echo_plan_root(output);
  uint64_t begin, end, other_begin, other_end;
  const Memory *memory = find_memory_or_null(checker, root, &begin, &end);
  if (memory == NULL)
    return;
  for (size_t i = 0; i < n_others; ++i) {
    const EchoValue *other = echo_plan_root(echo_op_operand(op, i));
    if (other != root && find_memory_or_null(checker, other, &other_begin, &other_end) == memory &&
        begin < other_end && other_begin < end)
      checker->is_fine = echo_op_error(op, "writes over operand #%zu, which is another buffer", i);
  }
}

static void check_results_apart(Checker *checker, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    if (echo_plan_access(op, i) != ECHO_PLAN_WRITE)
      continue;
    check_overlap(checker, op, echo_op_operand(op, i), i);
    for (uint32_t k = 0; k < i; ++k)
      if (echo_plan_access(op, k) == ECHO_PLAN_WRITE &&
          echo_plan_root(echo_op_operand(op, i)) == echo_plan_root(echo_op_operand(op, k)))
        checker->is_fine = echo_op_error(op, "writes two results to one buffer");
  }
}

/* ---- copies to and from the host ---- */

/* What the host end of a copy holds; NULL when that is not one value. */
static const EchoValue *host_tag_or_null(const Checker *checker, const EchoOp *op)
{
  const EchoValue *argument = echo_plan_host_argument_or_null(op);
  uint64_t begin, end;
  if (argument != NULL)
    return echo_map_get_ptr(&checker->in_host, argument);
  echo_plan_host_range(op, &begin, &end);
  return tag_or_null(&checker->host, begin, end);
}

static void set_host_tag(Checker *checker, const EchoOp *op, const EchoValue *tag)
{
  const EchoValue *argument = echo_plan_host_argument_or_null(op);
  uint64_t begin, end;
  echo_plan_host_range(op, &begin, &end);
  if (argument != NULL)
    echo_map_set_ptr(&checker->in_host, argument, tag);
  else
    write_range(&checker->host, begin, end, tag);
}

static void begin_out(Checker *checker, const EchoOp *op)
{
  const EchoValue *event = echo_op_result(op, 0), *root = echo_plan_root(echo_op_operand(op, 0));
  const EchoValue *argument = echo_plan_host_argument_or_null(op);
  read_buffer(checker, op, root);
  set_host_tag(checker, op, event);
  echo_map_set_ptr(&checker->copies, event, root);
  if (argument != NULL)
    echo_map_set(&checker->newer, echo_key(argument), 0);
}

static void begin_in(Checker *checker, const EchoOp *op)
{
  const EchoValue *event = echo_op_result(op, 0), *root = echo_plan_root(echo_op_operand(op, 0));
  const EchoValue *argument = echo_plan_host_argument_or_null(op);
  const EchoValue *tag = host_tag_or_null(checker, op);
  uint64_t begin, end;
  if (tag == NULL || echo_map_has(&checker->copies, echo_key(tag))) {
    checker->is_fine = echo_op_error(op, "copies host memory that holds no whole value");
    return;
  }
  if (argument != NULL && echo_map_get_or(&checker->newer, echo_key(argument), 0) != 0)
    checker->is_fine =
        echo_op_error(op, "copies an argument of which a buffer holds a newer value");
  echo_map_set_ptr(&checker->copies, event, tag);
  if (argument != NULL)
    echo_map_set_ptr(&checker->state, root, argument);
  if (echo_plan_arena_range(root, &begin, &end))
    write_range(&checker->arena, begin, end, event);
  else
    checker->is_fine = echo_op_error(op, "expects a buffer of the arena");
}

static void begin_swap(Checker *checker, const EchoOp *op)
{
  const EchoValue *argument = echo_plan_host_argument_or_null(op);
  if (echo_type_static_bytes(echo_op_operand_type(op, 0)) == 0)
    return; /* nothing is copied */
  if (argument != NULL && !echo_map_has(&checker->in_host, echo_key(argument)))
    checker->is_fine = echo_op_error(op, "expects an argument that is in host memory");
  else if (echo_plan_opcode(op) == ECHO_PLAN_SWAP_OUT)
    begin_out(checker, op);
  else
    begin_in(checker, op);
}

/* Both ends of a copy must have been left alone since it began. */
static void end_swap(Checker *checker, const EchoOp *wait)
{
  EchoValue *event = echo_op_operand(wait, 0);
  const EchoOp *op = echo_value_def_or_null(event);
  const EchoValue *tag = echo_map_get_ptr(&checker->copies, event);
  const EchoValue *root = echo_plan_root(echo_op_operand(op, 0));
  bool is_out = echo_plan_opcode(op) == ECHO_PLAN_SWAP_OUT;
  uint64_t begin, end;
  if (tag == NULL)
    return; /* waited for already, or never begun, which has been told */
  bool is_whole = host_tag_or_null(checker, op) == (is_out ? event : tag);
  if (!is_whole)
    checker->is_fine = echo_op_error(op, "has its host memory written by another copy");
  if (echo_plan_arena_range(root, &begin, &end) &&
      tag_or_null(&checker->arena, begin, end) != (is_out ? root : event))
    checker->is_fine = echo_op_error(op, "has its buffer written before the copy is waited for");
  if (!is_out)
    write_buffer(checker, op, root);
  else if (is_whole)
    set_host_tag(checker, op, root);
  echo_map_erase(&checker->copies, echo_key(event));
}

/* ---- launches that only begin ---- */

/* All that an op reads it reads before it writes. */
static void check_accesses(Checker *checker, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (echo_plan_access(op, i) == ECHO_PLAN_READ)
      read_buffer(checker, op, echo_op_operand(op, i));
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (echo_plan_access(op, i) == ECHO_PLAN_WRITE)
      write_buffer(checker, op, echo_op_operand(op, i));
}

static bool is_access(const EchoOp *launch, uint32_t operand, EchoPlanAccess access)
{
  return echo_plan_access(launch, operand) == access && !echo_plan_is_token(launch, operand);
}

static void count_reader(Checker *checker, const EchoOp *launch, uint32_t operand, bool begins)
{
  uint64_t key = echo_key(echo_plan_root(echo_op_operand(launch, operand)));
  uint64_t n = echo_map_get_or(&checker->readers, key, 0);
  echo_map_set(&checker->readers, key, begins ? n + 1 : n - 1);
}

/* All that it reads must be there now; what it writes is nobody's until it is waited for. */
static void begin_call(Checker *checker, const EchoOp *op)
{
  const EchoValue *event = echo_op_result(op, 0);
  uint64_t begin, end;
  if (!echo_map_insert(&checker->begun, echo_key(event), 1)) {
    checker->is_fine = echo_op_error(op, "begins again before it has been waited for");
    return;
  }
  check_accesses(checker, op);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *root = echo_plan_root(echo_op_operand(op, i));
    Memory *memory = find_memory_or_null(checker, root, &begin, &end);
    if (is_access(op, i, ECHO_PLAN_READ))
      count_reader(checker, op, i, true);
    else if (is_access(op, i, ECHO_PLAN_WRITE) && memory != NULL)
      write_range(memory, begin, end, event);
  }
}

/* What it reads and what it writes must have been left alone since it began. */
static void end_call(Checker *checker, const EchoOp *op)
{
  const EchoValue *event = echo_op_result(op, 0);
  uint64_t begin, end;
  if (!echo_map_erase(&checker->begun, echo_key(event)))
    return; /* waited for already */
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (is_access(op, i, ECHO_PLAN_READ))
      count_reader(checker, op, i, false);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *root = echo_plan_root(echo_op_operand(op, i));
    const Memory *memory = find_memory_or_null(checker, root, &begin, &end);
    bool reads = is_access(op, i, ECHO_PLAN_READ);
    if (memory == NULL || begin == end || (!reads && !is_access(op, i, ECHO_PLAN_WRITE)))
      continue;
    if (tag_or_null(memory, begin, end) != (reads ? root : event))
      checker->is_fine =
          echo_op_error(op, "has operand #%u written before the call is waited for", i);
    if (!reads)
      write_buffer(checker, op, root);
  }
}

static void check_calls(Checker *checker)
{
  for (EchoOp *op = echo_plan_first_or_null(checker->function, ECHO_PLAN_STEP); op != NULL;
       op = echo_plan_next_or_null(checker->function, op, ECHO_PLAN_STEP))
    if (echo_plan_only_begins(op) && echo_map_has(&checker->begun, echo_key(echo_op_result(op, 0))))
      checker->is_fine = echo_op_error(op, "is never waited for");
}

static void check_waits(Checker *checker)
{
  for (EchoOp *op = echo_plan_first_or_null(checker->function, ECHO_PLAN_SWAP); op != NULL;
       op = echo_plan_next_or_null(checker->function, op, ECHO_PLAN_SWAP))
    if (echo_map_has(&checker->copies, echo_key(echo_op_result(op, 0))))
      checker->is_fine = echo_op_error(op, "is never waited for");
}

static void check_op(Checker *checker, const EchoOp *op)
{
  EchoPlanOpcode opcode = echo_plan_opcode(op);
  if (echo_op_has_trait(op, ECHO_PLAN_SWAP)) {
    begin_swap(checker, op);
  } else if (opcode == ECHO_PLAN_WAIT) {
    const EchoOp *begun = echo_value_def_or_null(echo_op_operand(op, 0));
    if (echo_plan_only_begins(begun))
      end_call(checker, begun);
    else
      end_swap(checker, op);
  } else if (echo_plan_only_begins(op)) {
    check_results_apart(checker, op);
    begin_call(checker, op);
  } else {
    if (opcode == ECHO_PLAN_LAUNCH)
      check_results_apart(checker, op);
    check_accesses(checker, op);
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

/* Every result must have been written by the end, and what is in the host be there. */
static void check_results(Checker *checker)
{
  const EchoBlock *entry = checker->function->regions[0].first;
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    if (echo_map_get_or(&checker->newer, echo_key(echo_block_arg(entry, i)), 0) != 0)
      checker->is_fine = echo_op_error(
          checker->function, "never copies the new value of argument #%u back to host memory", i);
    uint64_t begin, end;
    const EchoValue *argument = echo_block_arg(entry, i);
    const Memory *memory = find_memory_or_null(checker, argument, &begin, &end);
    if (!echo_plan_is_result(checker->function, i) || begin == end)
      continue;
    const EchoValue *tag = tag_or_null(memory, begin, end);
    if (tag != argument)
      checker->is_fine = echo_op_error(
          checker->function,
          tag == NULL ? "never writes its result, argument #%u"
                      : "leaves something else in the place of its result, argument #%u",
          i);
  }
}

static void mark_inputs(Checker *checker)
{
  const EchoBlock *entry = checker->function->regions[0].first;
  uint64_t begin = 0;
  for (uint32_t i = 0; i < entry->n_args; ++i) {
    const EchoValue *argument = echo_block_arg(entry, i);
    uint64_t end = begin + echo_type_static_bytes(argument->type);
    echo_map_set(&checker->base, echo_key(argument), begin);
    if (echo_plan_is_in_host(checker->function, i))
      echo_map_set_ptr(&checker->in_host, argument, argument);
    else if (!echo_plan_is_result(checker->function, i))
      write_range(&checker->arguments, begin, end, argument);
    begin = end;
  }
}

/* A buffer without an offset has no bytes that could be checked. */
static bool check_places(EchoOp *function)
{
  for (EchoOp *op = echo_plan_first_or_null(function, ECHO_PLAN_PLACE); op != NULL;
       op = echo_plan_next_or_null(function, op, ECHO_PLAN_PLACE))
    if (echo_plan_opcode(op) == ECHO_PLAN_BUFFER && !echo_op_has_attr(op, "offset"))
      return echo_op_error(op, "has no offset yet: --plan-memory gives it one");
  return true;
}

static bool holds_plan(EchoOp *function)
{
  const uint64_t any = ECHO_PLAN_PLACE | ECHO_PLAN_STEP | ECHO_PLAN_CONTROL;
  if (echo_plan_first_or_null(function, any) != NULL)
    return true;
  for (uint32_t i = 0; i < function->regions[0].first->n_args; ++i)
    if (echo_plan_is_result(function, i))
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
    check_calls(&checker);
    check_results(&checker);
    is_fine &= checker.is_fine;
    echo_vector_destroy(&checker.arena.pieces);
    echo_vector_destroy(&checker.host.pieces);
    echo_vector_destroy(&checker.arguments.pieces);
    echo_map_destroy(&checker.base);
    echo_map_destroy(&checker.copies);
    echo_map_destroy(&checker.in_host);
    echo_map_destroy(&checker.newer);
    echo_map_destroy(&checker.state);
    echo_map_destroy(&checker.begun);
    echo_map_destroy(&checker.readers);
  }
  return is_fine;
}

const EchoPass ECHO_PASS_VERIFY_PLAN = {
    .name = "verify-plan",
    .summary = "check that no live buffer of a planned module is overwritten",
    .anchor = "builtin.module",
    .run = run,
};
