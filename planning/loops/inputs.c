/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which arrays it is worth for, and the ops in the loops. A slice is along one dimension of an
 * array; what it is made of is sliced along the dimension that goes with it, or is taken whole. */
#include "planning/loops/inputs.h"

#include "base/map.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/cost/runtime.h"
#include "planning/loops/along.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"

#include <math.h>
#include <string.h>

#define MAX_OPS 64 /* that one slice is made by: how far up an array is followed */

typedef ECHO_VECTOR(EchoOp *) Ops;

typedef struct Maker {
  EchoBlock *block;
  const EchoDeviceModel *device;
  EchoMap ns_of; /* op -> bits of the nanoseconds that all of its result take */
} Maker;

/* The op of the block that makes it, slice by slice along `dim` if need be; NULL for others. */
static EchoOp *maker_or_null(const Maker *maker, const EchoValue *value, int64_t dim)
{
  EchoOp *op = echo_value_def_or_null(value);
  bool holds = op != NULL && op->block == maker->block && op->n_results == 1 &&
               op->n_operands != 0 && op->n_regions == 0 && echo_op_is_pure(op) && dim >= 0 &&
               echo_type_is_tensor(value->type);
  for (size_t i = 0; holds && i < op->n_operands; ++i)
    holds = echo_along_operand(op, i, dim) != ECHO_ALONG_NONE;
  return holds ? op : NULL;
}

/* ---- who reads an array ---- */

/* The dimension that the op takes one index of, and all of the others; ECHO_ALONG_NONE where it
 * does not. */
static int64_t sliced_dim(const EchoOp *slice)
{
  const EchoType *array = echo_op_operand_type(slice, 0), *type = echo_op_result_type(slice, 0);
  int64_t found = ECHO_ALONG_NONE;
  for (size_t d = 0; d < echo_type_rank(array); ++d) {
    int64_t start;
    if (echo_type_dim(type, d) == echo_type_dim(array, d)) {
      if (!echo_loop_index_at(echo_op_operand(slice, 1 + d), NULL, 0, &start) || start != 0)
        return ECHO_ALONG_NONE;
    } else if (found == ECHO_ALONG_NONE && echo_type_dim(type, d) == 1) {
      found = (int64_t)d;
    } else {
      return ECHO_ALONG_NONE;
    }
  }
  return found;
}

/* All uses of `value` in loops that take slices of it, in *slices; `value` is `made`, or
 * what a loop carries of it. */
static void find_reads(const Maker *maker, const EchoValue *made, const EchoValue *value,
                       Ops *slices)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    EchoOp *op = use->owner;
    size_t k = echo_use_operand_index(use);
    const EchoOp *owner = echo_block_parent(op->block);
    if (value->is_block_arg && op == echo_value_block(value)->last && k == value->index &&
        op->block != maker->block)
      continue; /* handed on */
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE) {
      if (echo_loop_is_invariant(op, k) && echo_value_is_unused(echo_op_result(op, k)) &&
          echo_value_is_unused(echo_block_arg(echo_op_body(op, 0), k)))
        find_reads(maker, made, echo_block_arg(echo_op_body(op, 1), k), slices);
    } else if (op->block != maker->block && echo_hlo_opcode(owner) == ECHO_HLO_WHILE &&
               echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE && k == 0 &&
               maker_or_null(maker, made, sliced_dim(op)) != NULL) {
      echo_vector_push(slices, op);
    }
  }
}

static const EchoOp *last_reader_or_null(const Maker *maker, const EchoValue *value)
{
  const EchoOp *last = NULL;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    const EchoOp *op = echo_op_ancestor_in_block(use->owner, maker->block);
    if (last == NULL || (op != last && echo_op_is_before(last, op)))
      last = op;
  }
  return last;
}

/* ---- what it is worth ---- */

/* Of all slices of an array together. */
typedef struct Price {
  double bytes; /* that stand for it and would not without it */
  double read;  /* bytes that the loop reads */
  double ns;    /* of arithmetic */
} Price;

/* `value` stands until `last` has run, whatever is done. */
static bool stands(const Maker *maker, const EchoValue *value, const EchoOp *last)
{
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || op->block != maker->block || op->n_operands == 0)
    return true;
  const EchoOp *reader = last_reader_or_null(maker, value);
  return reader == last || (reader != NULL && echo_op_is_before(last, reader));
}

static double bytes_of(const EchoValue *value)
{
  return (double)echo_type_static_bytes(value->type);
}

static double ns_of(const Maker *maker, const EchoOp *op)
{
  uint64_t bits = echo_map_get_or(&maker->ns_of, echo_key(op), 0);
  double ns;
  memcpy(&ns, &bits, sizeof ns);
  return ns;
}

static Price price_of(const Maker *maker, const EchoValue *value, int64_t dim, const EchoOp *last,
                      int *n_left);

/* Of making it by `op` from its operands. */
static Price price_of_making(const Maker *maker, const EchoOp *op, int64_t dim, const EchoOp *last,
                             int *n_left)
{
  Price price = {.ns = ns_of(maker, op)};
  for (size_t i = 0; i < op->n_operands; ++i) {
    Price own =
        price_of(maker, echo_op_operand(op, i), echo_along_operand(op, i, dim), last, n_left);
    price.bytes += own.bytes;
    price.read += own.read;
    price.ns += own.ns;
  }
  return price;
}

/* Recursion is bounded by *n_left. Where what it is made of takes no less room, a value is read as
 * it stands. What is made like that counts as if nobody else read it: it can be made again there.
 */
static Price price_of(const Maker *maker, const EchoValue *value, int64_t dim, const EchoOp *last,
                      int *n_left)
{
  const EchoOp *op = maker_or_null(maker, value, dim);
  if (echo_along_is_splat(value))
    return (Price){0};
  Price read = {.bytes = stands(maker, value, last) ? 0 : bytes_of(value), .read = bytes_of(value)};
  if (op == NULL || read.bytes == 0 || --*n_left < 0)
    return read;
  Price made = price_of_making(maker, op, dim, last, n_left);
  return made.bytes < read.bytes ? made : read;
}

/* The price from which on the slices of what `op` makes are made in the loops; NAN where that takes
 * no less room. */
static double turn_of(const Maker *maker, const EchoOp *op, const Ops *slices)
{
  int n_left = MAX_OPS;
  const EchoValue *value = echo_op_result(op, 0);
  Price price = price_of_making(maker, op, sliced_dim(slices->data[0]),
                                last_reader_or_null(maker, value), &n_left);
  double saved = bytes_of(value) - price.bytes, n = (double)slices->size;
  if (n_left < 0 || saved <= 0)
    return NAN;
  double traffic = n * price.read - (n + 1) * bytes_of(value);
  double ns = (n - 1) * price.ns + traffic / maker->device->memory_bytes_per_s * 1e9;
  return ns > 0 ? ns / saved : 0;
}

/* ---- making slices ---- */

typedef struct Made {
  const EchoValue *value;
  int64_t dim;
  EchoValue *slice;
} Made;

typedef struct Slicer {
  const Maker *maker;
  const EchoOp *slice; /* that is replaced */
  const EchoOp *last;  /* that reads the array */
  EchoBuilder builder;
  ECHO_VECTOR(Made) made;
} Slicer;

static EchoValue *slice_of(Slicer *slicer, EchoValue *value, int64_t dim);

static EchoValue *make_slice(Slicer *slicer, EchoOp *op, int64_t dim)
{
  EchoBuilder *builder = &slicer->builder;
  const EchoType *type = echo_along_slice_type(builder->ctx, echo_op_result_type(op, 0), dim);
  EchoMap operands = {0};
  for (size_t i = 0; i < op->n_operands; ++i)
    echo_map_set_ptr(&operands, echo_op_operand(op, i),
                     slice_of(slicer, echo_op_operand(op, i), echo_along_operand(op, i, dim)));
  EchoOp *clone = echo_op_clone(op, &operands);
  echo_map_destroy(&operands);
  echo_value_set_type(echo_op_result(clone, 0), type);
  echo_builder_insert(builder, clone);
  const EchoAttr *phase = echo_op_attr_or_null(slicer->slice, "echo.phase");
  if (phase != NULL)
    echo_op_set_attr(clone, "echo.phase", phase);
  return echo_op_result(clone, 0);
}

/* A slice of it, made or read as price_of() has it. */
static EchoValue *slice_of(Slicer *slicer, EchoValue *value, int64_t dim)
{
  if (dim == ECHO_ALONG_WHOLE)
    return value;
  for (size_t i = 0; i < slicer->made.size; ++i)
    if (slicer->made.data[i].value == value && slicer->made.data[i].dim == dim)
      return slicer->made.data[i].slice;
  EchoOp *op = maker_or_null(slicer->maker, value, dim);
  int n_left = MAX_OPS;
  EchoValue *slice;
  if (echo_along_is_splat(value)) {
    slice = echo_along_splat_or_null(&slicer->builder, value, dim);
  } else if (op != NULL && !stands(slicer->maker, value, slicer->last) &&
             price_of_making(slicer->maker, op, dim, slicer->last, &n_left).bytes <
                 bytes_of(value)) {
    slice = make_slice(slicer, op, dim);
  } else {
    slice = echo_along_read(&slicer->builder, value, dim,
                            echo_op_operand(slicer->slice, 1 + (size_t)sliced_dim(slicer->slice)));
  }
  echo_vector_push(&slicer->made, (Made){value, dim, slice});
  return slice;
}

static void replace_slice(const Maker *maker, EchoOp *op, EchoOp *slice, const EchoOp *last)
{
  Slicer slicer = {
      .maker = maker, .slice = slice, .last = last, .builder = echo_builder_before(slice)};
  slicer.builder.attrs = slice->attrs;
  echo_value_replace_all_uses(echo_op_result(slice, 0), make_slice(&slicer, op, sliced_dim(slice)));
  echo_op_erase(slice);
  echo_vector_destroy(&slicer.made);
}

/* ---- the block ---- */

/* Loops in loops first: what those inside no longer read, those around them need not hand on. */
static void drop_unread(EchoBlock *block)
{
  for (EchoOp *op = block->first; op != NULL; op = op->next) {
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      drop_unread(echo_op_body(op, r));
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE)
      op = echo_loop_drop_unread(op);
  }
}

/* The ops whose slices loops might make, in block order. */
static void find_ops(Maker *maker, Ops *ops)
{
  EchoGraph graph;
  echo_graph_create(&graph, maker->block);
  for (uint32_t node = 0; node < graph.nodes.size; ++node) {
    EchoOp *op = (EchoOp *)graph.nodes.data[node].op;
    if (op == NULL || op->n_results != 1 || !echo_type_is_tensor(echo_op_result_type(op, 0)) ||
        echo_type_rank(echo_op_result_type(op, 0)) == 0 ||
        maker_or_null(maker, echo_op_result(op, 0), 0) == NULL)
      continue;
    double ns = echo_node_ns(&graph, node, maker->device);
    uint64_t bits;
    memcpy(&bits, &ns, sizeof bits);
    echo_map_set(&maker->ns_of, echo_key(op), bits);
    echo_vector_push(ops, op);
  }
  echo_graph_destroy(&graph);
}

static size_t visit(const Maker *maker, EchoOp *op, double price, EchoPrices *turns)
{
  Ops slices = {0};
  size_t n = 0;
  double turn = NAN;
  find_reads(maker, echo_op_result(op, 0), echo_op_result(op, 0), &slices);
  if (slices.size != 0)
    turn = turn_of(maker, op, &slices);
  if (turns != NULL && !isnan(turn)) {
    echo_vector_push(turns, turn);
  } else if (turns == NULL && turn <= price) {
    const EchoOp *last = last_reader_or_null(maker, echo_op_result(op, 0));
    for (size_t i = 0; i < slices.size; ++i)
      replace_slice(maker, op, slices.data[i], last);
    drop_unread(maker->block);
    n = 1;
  }
  echo_vector_destroy(&slices);
  return n;
}

/* From the last op to the first: when an op is looked at, what reads it has been. */
size_t echo_loop_make_inputs(EchoBlock *block, const EchoDeviceModel *device, double price,
                             EchoPrices *turns)
{
  Maker maker = {.block = block, .device = device};
  Ops ops = {0};
  bool any = false;
  size_t n = 0;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    any |= echo_hlo_opcode(op) == ECHO_HLO_WHILE;
  if (any)
    find_ops(&maker, &ops);
  for (size_t i = ops.size; i-- > 0;) {
    n += visit(&maker, ops.data[i], price, turns);
    if (turns == NULL && echo_value_is_unused(echo_op_result(ops.data[i], 0)))
      echo_op_erase(ops.data[i]);
  }
  echo_vector_destroy(&ops);
  echo_map_destroy(&maker.ns_of);
  return n;
}
