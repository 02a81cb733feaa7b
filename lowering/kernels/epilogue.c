/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stands behind a product in its kernel: maps of its elements, each computed by whoever has
 * the element's sum, after that is rounded to the type of the op's result. So the bits are those of
 * the product and the maps in kernels of their own. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/contraction_t.h"

/* ---- which kernels ---- */

static bool keeps_place(const EchoOp *op, int64_t n_elements)
{
  return (echo_op_has_trait(op, ECHO_ELEMENTWISE) || echo_hlo_opcode(op) == ECHO_HLO_RESHAPE) &&
         op->n_results == 1 &&
         echo_type_static_n_elements(echo_op_result_type(op, 0)) == n_elements;
}

bool echo_kernel_is_used_in_place(const EchoOp *kernel, const EchoValue *tensor)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  const EchoOp *def = echo_value_def_or_null(tensor);
  int64_t n_elements = echo_type_static_n_elements(tensor->type);
  EchoMap made_of_it = {0};
  echo_map_set(&made_of_it, echo_key(tensor), 1);
  bool is_in_place = true;
  for (const EchoOp *op = def != NULL ? def->next : body->first; op != body->last && is_in_place;
       op = op->next) {
    bool reads = false;
    for (uint32_t i = 0; i < op->n_operands; ++i)
      reads |= echo_map_has(&made_of_it, echo_key(echo_op_operand(op, i)));
    is_in_place = !reads || keeps_place(op, n_elements);
    if (reads && is_in_place)
      echo_map_set(&made_of_it, echo_key(echo_op_result(op, 0)), 1);
  }
  echo_map_destroy(&made_of_it);
  return is_in_place;
}

const EchoOp *echo_product_or_null(const EchoOp *kernel, bool (*is_product)(const EchoOp *op))
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  const EchoOp *product = NULL;
  for (const EchoOp *op = body->first; op != body->last; op = op->next) {
    if (!is_product(op))
      continue;
    if (product != NULL)
      return NULL;
    product = op;
  }
  if (product == NULL || !echo_kernel_is_used_in_place(kernel, echo_op_result(product, 0)))
    return NULL;
  int64_t n = echo_type_static_n_elements(echo_op_result_type(product, 0));
  for (uint32_t i = 0; i < body->last->n_operands; ++i)
    if (echo_type_static_n_elements(echo_op_operand_type(body->last, i)) != n)
      return NULL;
  return product;
}

/* ---- moved results ---- */

enum { MAX_MOVES = 8 };

/* The ops that move elements of the product to `tensor`, or map each by itself, the last one first;
 * -1: others have a part in it, or they are too many. */
static int find_moves(const EchoValue *product, const EchoValue *tensor,
                      const EchoOp *moves[MAX_MOVES])
{
  int n = 0;
  for (; tensor != product; tensor = echo_op_operand(moves[n - 1], 0)) {
    const EchoOp *def = echo_value_def_or_null(tensor);
    EchoHloOpcode opcode = def != NULL ? echo_hlo_opcode(def) : ECHO_N_HLO_OPCODES;
    bool is_map = def != NULL && echo_op_has_trait(def, ECHO_ELEMENTWISE) && def->n_operands == 1;
    if (n == MAX_MOVES || (opcode != ECHO_HLO_RESHAPE && opcode != ECHO_HLO_TRANSPOSE && !is_map))
      return -1;
    moves[n++] = def;
  }
  return n;
}

bool echo_is_moved_product(const EchoValue *product, const EchoValue *tensor)
{
  const EchoOp *moves[MAX_MOVES];
  return find_moves(product, tensor, moves) >= 0;
}

/* Where the element of the product at `at` is in `tensor`: moved, or place by place. */
static void place_in(EchoKernelEmitter *emitter, const EchoValue *product, EchoValue *const *at,
                     const EchoValue *tensor, EchoValue **indices)
{
  const EchoOp *moves[MAX_MOVES];
  int n = find_moves(product, tensor, moves);
  const EchoType *from = product->type;
  EchoValue *here[ECHO_MAX_RANK];
  emitter->base.builder = echo_kernel_builder(emitter);
  memcpy(here, at, from->as.shaped.rank * sizeof *here);
  for (; n > 0; --n) {
    const EchoType *to = echo_op_result_type(moves[n - 1], 0);
    EchoValue *next[ECHO_MAX_RANK];
    if (echo_hlo_opcode(moves[n - 1]) == ECHO_HLO_TRANSPOSE) {
      EchoDimList order = echo_stablehlo_dims(moves[n - 1], "permutation");
      for (size_t i = 0; i < order.size; ++i)
        next[i] = here[order.dims[i]];
    } else {
      echo_index_reshape(&emitter->base, from->as.shaped.dims, from->as.shaped.rank, here,
                         to->as.shaped.dims, to->as.shaped.rank, next);
    }
    memcpy(here, next, to->as.shaped.rank * sizeof *here);
    from = to;
  }
  echo_index_reshape(&emitter->base, from->as.shaped.dims, from->as.shaped.rank, here,
                     tensor->type->as.shaped.dims, tensor->type->as.shaped.rank, indices);
}

/* ---- elements ---- */

/* Whether others store the result. */
static bool is_of_rows(const EchoContraction *c, size_t result)
{
  return c->row_results_or_null != NULL && c->row_results_or_null[result];
}

/* One place: its element of the product, and what the kernel's results are there. */
static void map_element(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *const *at,
                        EchoValue *sum, EchoValue **values, EchoValue *(*indices)[ECHO_MAX_RANK])
{
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  const EchoValue *product = echo_op_result(c->op, 0);
  const EchoType *type = product->type;
  /* Where no index is of this place, all of them are known further out than the sum is. */
  bool is_further_out = true;
  for (size_t i = 0; i < type->as.shaped.rank; ++i)
    is_further_out &= echo_kernel_depth(emitter, at[i]) + 1 < emitter->n_scopes;
  if (is_further_out)
    echo_kernel_begin_fence(emitter);
  EchoValue *element = echo_scalar_convert(echo_kernel_builder(emitter), c->sum_kind,
                                           echo_type_element_kind(type), sum);
  echo_kernel_bind(emitter, product, ECHO_BIND_SCALAR, element, NULL);
  for (uint32_t i = 0; i < end->n_operands && !emitter->failed; ++i) {
    EchoValue *tensor = echo_op_operand(end, i);
    if (is_of_rows(c, i))
      continue;
    place_in(emitter, product, at, tensor, indices[i]);
    values[i] = echo_kernel_element(emitter, tensor, indices[i]);
  }
  echo_kernel_unbind(emitter, product);
  if (is_further_out)
    echo_kernel_end_fence(emitter);
}

void echo_store_products(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                         EchoValue *m, EchoValue *const *n, EchoValue *const *sums, size_t count)
{
  if (c->rows_or_null != NULL) {
    echo_store_rows(emitter, c, m, n, sums, count);
    return;
  }
  size_t n_outputs = emitter->n_outputs;
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, count * n_outputs);
  EchoValue *(*indices)[ECHO_MAX_RANK] =
      echo_arena_alloc_array(emitter->arena, count * n_outputs, sizeof *indices);
  for (size_t i = 0; i < count && !emitter->failed; ++i) {
    EchoValue *at[ECHO_MAX_RANK];
    c->place(emitter, c, batch, m, n[i], at);
    map_element(emitter, c, at, sums[i], values + i * n_outputs, indices + i * n_outputs);
  }
  for (size_t output = 0; output < n_outputs; ++output)
    for (size_t i = 0; i < count && !is_of_rows(c, output) && !emitter->failed; ++i)
      echo_kernel_store(emitter, values[i * n_outputs + output],
                        echo_kernel_output(emitter, output), indices[i * n_outputs + output]);
}
