/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/unroll.h"

#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/loop.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/schedule/graph.h"

#include <stdlib.h>

typedef ECHO_VECTOR(int64_t) TripCounts;

/* ---- which loops ---- */

static bool is_short(EchoOp *op, int64_t max_trips, EchoCountedLoop *counted)
{
  return echo_hlo_counted_loop(op, counted) && counted->n_trips <= max_trips && echo_op_is_pure(op);
}

static uint64_t add(uint64_t a, uint64_t b)
{
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Ops that the block comes to where loops of up to `max_trips` iterations are written out.
 * Recursion is bounded by the nesting that the parser accepts. */
static uint64_t count_block(const EchoBlock *block, int64_t max_trips)
{
  uint64_t n = 0;
  for (EchoOp *op = block->first; op != NULL; op = op->next) {
    EchoCountedLoop counted;
    uint64_t trips = 1, inside = 0;
    size_t from = 0;
    if (is_short(op, max_trips, &counted)) {
      trips = (uint64_t)counted.n_trips;
      from = 1; /* nothing is left of the condition */
    }
    for (size_t r = from; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      inside = add(inside, count_block(echo_op_body(op, r), max_trips));
    n = add(n, trips != 0 && inside > UINT64_MAX / trips ? UINT64_MAX : add(1, inside * trips));
  }
  return n;
}

static int compare_counts(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* The most iterations of those that the loops have with which the function is not too large; -1
 * where that is none. */
static int64_t find_max_trips(EchoOp *function, uint64_t max_ops)
{
  TripCounts counts = {0};
  EchoCountedLoop counted;
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_hlo_counted_loop(op, &counted))
      echo_vector_push(&counts, counted.n_trips);
  if (counts.size != 0)
    qsort(counts.data, counts.size, sizeof *counts.data, compare_counts);
  int64_t most = -1;
  for (size_t i = 0; i < counts.size; ++i) {
    if (counts.data[i] == most)
      continue;
    if (count_block(echo_op_body(function, 0), counts.data[i]) > max_ops)
      break;
    most = counts.data[i];
  }
  echo_vector_destroy(&counts);
  return most;
}

/* ---- writing out ---- */

/* One iteration, in front of the loop; `carried` are the values that it begins with, and then those
 * that it hands on. */
static void write_trip(EchoOp *loop, const EchoCountedLoop *counted, int64_t trip,
                       EchoValue **carried)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  EchoBuilder builder = echo_builder_before(loop);
  const EchoType *type = echo_block_arg(body, counted->counter)->type;
  EchoMap values = {0};
  carried[counted->counter] =
      echo_hlo_constant_i64(&builder, type, counted->start + trip * counted->step);
  for (uint32_t i = 0; i < body->n_args; ++i)
    echo_map_set_ptr(&values, echo_block_arg(body, i), carried[i]);
  for (const EchoOp *op = body->first; op != body->last; op = op->next)
    echo_op_insert_before(echo_op_clone(op, &values), loop);
  for (uint32_t i = 0; i < body->n_args; ++i) {
    EchoValue *next = echo_op_operand(body->last, i), *copy = echo_map_get_ptr(&values, next);
    carried[i] = copy != NULL ? copy : next;
  }
  echo_map_destroy(&values);
}

static void unroll(EchoOp *loop, const EchoCountedLoop *counted)
{
  EchoValue **carried = echo_alloc_array(loop->n_operands + 1u, sizeof *carried);
  for (uint32_t i = 0; i < loop->n_operands; ++i)
    carried[i] = echo_op_operand(loop, i);
  for (int64_t trip = 0; trip < counted->n_trips; ++trip)
    write_trip(loop, counted, trip, carried);
  for (uint32_t i = 0; i < loop->n_results; ++i)
    echo_value_replace_all_uses(echo_op_result(loop, i), carried[i]);
  echo_free(carried);
  echo_op_erase(loop);
}

typedef ECHO_VECTOR(EchoOp *) Loops;

/* Inner loops first. */
static void find_short(EchoOp *function, int64_t max_trips, Loops *loops)
{
  EchoCountedLoop counted;
  for (EchoOp *op = echo_op_post_order_first(function); op != function && max_trips >= 0;
       op = echo_op_post_order_next(op))
    if (is_short(op, max_trips, &counted))
      echo_vector_push(loops, op);
}

bool echo_loop_has_short(EchoOp *function, uint64_t max_ops)
{
  Loops loops = {0};
  find_short(function, find_max_trips(function, max_ops), &loops);
  bool has_some = loops.size != 0;
  echo_vector_destroy(&loops);
  return has_some;
}

size_t echo_loop_unroll_short(EchoOp *function, uint64_t max_ops)
{
  int64_t max_trips = find_max_trips(function, max_ops);
  Loops loops = {0};
  EchoCountedLoop counted;
  find_short(function, max_trips, &loops);
  for (size_t i = 0; i < loops.size; ++i)
    if (is_short(loops.data[i], max_trips, &counted))
      unroll(loops.data[i], &counted);
  size_t n = loops.size;
  echo_vector_destroy(&loops);
  return n;
}

/* ---- loops of maps ---- */

static bool is_map(const EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_BITCAST_CONVERT:
  case ECHO_HLO_BROADCAST_IN_DIM:
  case ECHO_HLO_CONSTANT:
  case ECHO_HLO_IOTA:
  case ECHO_HLO_RESHAPE:
  case ECHO_HLO_SLICE:
    return true;
  default:
    return echo_op_has_trait(op, ECHO_ELEMENTWISE);
  }
}

static uint64_t carried_bytes(const EchoOp *loop)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < loop->n_operands; ++i)
    bytes += echo_type_static_bytes(echo_op_operand_type(loop, i));
  return bytes;
}

/* Also holds for a loop of such loops, once those are written out. */
static bool is_loop_of_maps(EchoOp *op, uint64_t min_bytes, uint64_t max_ops,
                            EchoCountedLoop *counted)
{
  uint64_t n_ops = 0;
  if (!is_short(op, INT64_MAX, counted) || carried_bytes(op) < min_bytes)
    return false;
  const EchoBlock *body = echo_op_body(op, 1);
  for (const EchoOp *inner = body->first; inner != body->last; inner = inner->next) {
    if (!is_map(inner))
      return false;
    n_ops += !echo_op_has_trait(inner, ECHO_CONSTANT);
  }
  return n_ops != 0 && (uint64_t)counted->n_trips <= max_ops / n_ops;
}

size_t echo_loop_unroll_maps(EchoOp *function, uint64_t min_bytes, uint64_t max_ops)
{
  size_t n = 0;
  EchoCountedLoop counted;
  for (EchoOp *op = echo_op_post_order_first(function), *next; op != function; op = next) {
    next = echo_op_post_order_next(op);
    if (!is_loop_of_maps(op, min_bytes, max_ops, &counted))
      continue;
    unroll(op, &counted);
    ++n;
  }
  return n;
}
