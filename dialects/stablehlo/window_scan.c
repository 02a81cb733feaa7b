/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading a reduce_window as a scan. */
#include "dialects/stablehlo/window_scan.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/rows/elementwise_t.h"

enum {
  MIN_WINDOW = 8,  /* two passes and a combination cost more than windows below that */
  MIN_RESULTS = 8, /* fewer results than that are combined from fewer elements than a pass reads */
  MIN_BLOCK = 64,
  /* As many as AVX-512 has vector registers: beyond, a loop over the results keeps few of its
   * positions in registers. */
  SHORT_WINDOW = 32
};

/* Elements are combined in the type that they have. */
static bool has_types_of_results(const EchoOp *op)
{
  for (size_t i = 0; i < op->n_results; ++i)
    if (echo_op_operand_type(op, i)->as.shaped.element !=
        echo_op_result_type(op, i)->as.shaped.element)
      return false;
  return true;
}

/* The dimension along which windows are long; false when there is none, when there are several, or
 * when the others do more than keep their elements. */
static bool find_dim(const EchoWindowDim *windows, size_t rank, size_t *dim)
{
  size_t n_long = 0;
  for (size_t i = 0; i < rank; ++i) {
    const EchoWindowDim *w = &windows[i];
    if (w->stride != 1 || w->base_dilation != 1 || w->window_dilation != 1 || w->reversed)
      return false;
    if (w->size == 1 && (w->padding_low != 0 || w->padding_high != 0))
      return false;
    if (w->size != 1) {
      *dim = i;
      ++n_long;
    }
  }
  return n_long == 1 && windows[*dim].size >= MIN_WINDOW;
}

/* The constant that `value` repeats, or NULL. */
static const EchoAttr *constant_or_null(const EchoValue *value)
{
  const EchoOp *def = echo_value_def_or_null(value);
  while (def != NULL && echo_hlo_opcode(def) == ECHO_HLO_BROADCAST_IN_DIM)
    def = echo_value_def_or_null(echo_op_operand(def, 0));
  const EchoAttr *attr = def != NULL && echo_op_has_trait(def, ECHO_CONSTANT)
                             ? echo_op_attr_or_null(def, "value")
                             : NULL;
  return attr != NULL && attr->kind == ECHO_ATTR_DENSE_ELEMENTS ? attr : NULL;
}

/* Whether `init` is a constant that is neutral to the op of this row (either zero is to a sum). */
static bool is_neutral(const EchoHloElementwise *row, const EchoValue *init)
{
  const EchoAttr *attr = constant_or_null(init);
  if (attr == NULL || echo_type_static_n_elements(attr->type) != 1)
    return false;
  EchoElementKind kind = echo_type_element_kind(attr->type);
  if (kind == ECHO_ELEMENT_NONE)
    return false;
  return echo_element_is_float(kind)
             ? echo_elements_f64(attr, 0) == row->neutral_float
             : echo_elements_i64(attr, 0) == echo_hlo_neutral_i64(row->neutral_int, kind);
}

/* A power of two near the square root: what is left to be combined from block to block is then
 * about as long as a block. */
static int64_t block_length(int64_t n_results)
{
  int64_t block = MIN_BLOCK;
  while (block < n_results / block)
    block *= 2;
  return block;
}

EchoWindowScan echo_hlo_window_scan(const EchoOp *op)
{
  const EchoWindowScan direct = {.form = ECHO_WINDOW_DIRECT};
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_REDUCE_WINDOW)
    return direct;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t rank = echo_stablehlo_windows(op, windows), dim = 0;
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  if (!echo_type_has_static_shape(operand) || !has_types_of_results(op) ||
      !find_dim(windows, rank, &dim) || echo_type_static_n_elements(operand) == 0 ||
      echo_type_static_n_elements(result) == 0)
    return direct;
  EchoHloOpcode opcode = echo_hlo_combiner(&op->regions[0]);
  const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[opcode];
  bool is_one_op = op->n_results == 1 && opcode != ECHO_N_HLO_OPCODES;
  if (is_one_op && row->neutral != ECHO_NEUTRAL_BOTH && row->neutral != ECHO_NEUTRAL_OF_REDUCTIONS)
    return direct;
  const EchoWindowDim *w = &windows[dim];
  EchoWindowScan scan = {.dim = dim,
                         .window = w->size,
                         .n_elements = echo_type_dim(operand, dim),
                         .n_results = echo_type_dim(result, dim),
                         .offset = -w->padding_low};
  bool leaves_padding_out = !is_one_op || is_neutral(row, echo_op_operand(op, 1));
  bool from_start = w->padding_low >= w->size - 1 && w->padding_low >= scan.n_results - 1;
  bool to_end = w->padding_high >= w->size - 1 && w->size - w->padding_low >= scan.n_elements;
  scan.form = ECHO_WINDOW_SLIDING;
  scan.block = scan.window;
  if (leaves_padding_out && (from_start || to_end)) {
    scan.form = from_start ? ECHO_WINDOW_PREFIX : ECHO_WINDOW_SUFFIX;
    scan.offset += from_start ? scan.window - 1 : 0;
    scan.block = block_length(scan.n_results);
  }
  return scan.n_results < MIN_RESULTS ? direct : scan;
}

bool echo_hlo_is_short_window(const EchoOp *op)
{
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_REDUCE_WINDOW || op->n_results != 1)
    return false;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t rank = echo_stablehlo_windows(op, windows);
  int64_t n_places = 1;
  for (size_t i = 0; i < rank && n_places <= SHORT_WINDOW; ++i)
    n_places *= windows[i].size < SHORT_WINDOW + 1 ? windows[i].size : SHORT_WINDOW + 1;
  return n_places <= SHORT_WINDOW && echo_hlo_window_scan(op).form == ECHO_WINDOW_DIRECT;
}

int64_t echo_hlo_window_side_by_side(const EchoOp *op)
{
  if (op == NULL || op->n_results == 0)
    return 1;
  const EchoType *type = echo_op_result_type(op, 0);
  EchoWindowScan scan = echo_hlo_window_scan(op);
  size_t rank = echo_type_rank(type);
  int64_t n = 1;
  if (scan.form == ECHO_WINDOW_DIRECT) {
    for (size_t i = 0; i < rank; ++i)
      n = echo_type_dim(type, i) > 1 ? echo_type_dim(type, i) : n;
    return n;
  }
  for (size_t i = scan.dim + 1; i < rank; ++i)
    n *= echo_type_dim(type, i);
  return n;
}
