/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* reduce_window as loops: the window's places in row-major order, padding standing for the initial
 * value. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/window_places_t.h"

/* The operand's index for place `out` of the result and `tap` of the window; see
 * lower_convolution.c for the same with features. */
bool echo_window_indices(EchoKernelEmitter *emitter, const EchoWindowDim *windows,
                         const EchoType *operand, EchoValue *const *out, EchoValue *const *taps,
                         EchoValue **indices, EchoValue **inside)
{
  EchoElementEmitter *base = &emitter->base;
  EchoValue *zero = echo_index_constant(base, 0);
  *inside = NULL;
  for (uint32_t i = 0; i < operand->as.shaped.rank; ++i) {
    const EchoWindowDim *window = &windows[i];
    EchoValue *position =
        echo_index_add(base, echo_index_mul_constant(base, out[i], window->stride),
                       echo_index_mul_constant(base, taps[i], window->window_dilation));
    position = echo_index_add_constant(base, position, -window->padding_low);
    int64_t last = (echo_type_dim(operand, i) - 1) * window->base_dilation;
    EchoValue *checks[3] = {NULL, NULL, NULL};
    if (window->padding_low > 0 || window->padding_high > 0) {
      checks[0] = echo_index_compare(base, ECHO_CMPI_SGE, position, zero);
      checks[1] =
          echo_index_compare(base, ECHO_CMPI_SLE, position, echo_index_constant(base, last));
      position = echo_index_min(base, echo_index_max(base, position, zero),
                                echo_index_constant(base, last));
    }
    if (window->base_dilation > 1) {
      EchoValue *rest = echo_index_rem_constant(base, position, window->base_dilation);
      checks[2] = echo_index_compare(base, ECHO_CMPI_EQ, rest, zero);
      position = echo_index_div_constant(base, position, window->base_dilation);
    }
    for (size_t k = 0; k < 3; ++k) {
      EchoValue *operands[] = {*inside, checks[k]};
      if (checks[k] != NULL)
        *inside = *inside == NULL
                      ? checks[k]
                      : base->pure_op(base, "arith.andi", -1, operands, 2, checks[k]->type);
    }
    indices[i] = position;
  }
  return *inside != NULL;
}

EchoWindowPlaces echo_window_places(const EchoOp *op)
{
  EchoWindowPlaces window = {.op = op, .n = op->n_operands / 2, .n_taps = 1};
  window.rank = echo_stablehlo_windows(op, window.dims);
  window.is_empty = echo_type_static_n_elements(echo_op_operand_type(op, 0)) == 0;
  for (size_t i = 0; i < window.rank; ++i) {
    window.sizes[i] = window.dims[i].size;
    window.n_taps *= window.sizes[i];
  }
  return window;
}

void echo_window_read_inits(EchoKernelEmitter *emitter, EchoWindowPlaces *window,
                            EchoValue *const *indices)
{
  window->indices = indices;
  window->inits = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, window->n);
  for (size_t i = 0; i < window->n; ++i)
    window->inits[i] =
        echo_kernel_element(emitter, echo_op_operand(window->op, window->n + i), NULL);
}

bool echo_window_combine(EchoKernelEmitter *emitter, const EchoWindowPlaces *window,
                         EchoValue *const *taps, EchoValue **values, EchoValue **next)
{
  size_t n = window->n;
  EchoValue *operand_indices[ECHO_MAX_RANK], *inside = NULL;
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_window_indices(emitter, window->dims, echo_op_operand_type(window->op, 0), window->indices,
                      taps, operand_indices, &inside);
  for (size_t i = 0; i < n && !emitter->failed; ++i) {
    EchoValue *element =
        window->is_empty
            ? window->inits[i]
            : echo_kernel_element(emitter, echo_op_operand(window->op, i), operand_indices);
    if (element != NULL && inside != NULL && !window->is_empty)
      element = echo_arith_select(echo_kernel_builder(emitter), inside, element, window->inits[i]);
    values[n + i] = element;
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  return !emitter->failed &&
         echo_kernel_inline_region(emitter, &window->op->regions[0], values, 2 * n, next, n);
}

/* The same at place `tap` in row-major order. */
static bool combine_tap(EchoKernelEmitter *emitter, const EchoWindowPlaces *window, EchoValue *tap,
                        EchoValue **values, EchoValue **next)
{
  EchoValue *taps[ECHO_MAX_RANK];
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, tap, window->sizes, window->rank, taps);
  return echo_window_combine(emitter, window, taps, values, next);
}

bool echo_emit_reduce_window(EchoKernelEmitter *emitter, const EchoOp *op,
                             EchoValue *const *indices, EchoValue **results)
{
  EchoWindowPlaces window = echo_window_places(op);
  echo_window_read_inits(emitter, &window, indices);
  size_t n = window.n;
  EchoValue **arguments = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, 2 * n);
  EchoValue **next = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, n);
  for (size_t i = 0; i < n; ++i)
    results[i] = window.inits[i];
  if (emitter->failed || window.n_taps == 0)
    return !emitter->failed;
  EchoValue *tap = echo_kernel_begin_carried(emitter, window.n_taps, window.inits, n, arguments);
  bool fine = combine_tap(emitter, &window, tap, arguments, next);
  for (size_t i = 0; i < n && !fine; ++i)
    next[i] = window.inits[i];
  echo_kernel_end_carried(emitter, next, n, results);
  return fine;
}

EchoValue *echo_emit_short_window(EchoKernelEmitter *emitter, const EchoOp *op, size_t number,
                                  EchoValue *const *indices)
{
  (void)number; /* it has one */
  EchoWindowPlaces window = echo_window_places(op);
  echo_window_read_inits(emitter, &window, indices);
  EchoValue *values[2] = {window.inits[0], NULL};
  for (int64_t i = 0; i < window.n_taps && !emitter->failed; ++i)
    if (!combine_tap(emitter, &window, echo_index_constant(&emitter->base, i), values, values))
      return NULL;
  return emitter->failed ? NULL : values[0];
}

/* stablehlo.map: the body on one element of each operand. */
EchoValue *echo_emit_map_element(EchoKernelEmitter *emitter, const EchoOp *op, size_t number,
                                 EchoValue *const *indices)
{
  (void)number; /* it has one */
  EchoValue **arguments = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, op->n_operands + 1);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    arguments[i] = emitter->base.element(&emitter->base, echo_op_operand(op, i), indices);
    if (arguments[i] == NULL)
      return NULL;
  }
  EchoValue *result = NULL;
  return echo_kernel_inline_region(emitter, &op->regions[0], arguments, op->n_operands, &result, 1)
             ? result
             : NULL;
}
