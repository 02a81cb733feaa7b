/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of windows that are scans. As in reductions, sums of floats are taken in
 * double and rounded once. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/evaluate/evaluate_t.h"

typedef struct WindowScan {
  EchoEvaluator *evaluator;
  const EchoRegion *region;
  EchoHloOpcode opcode;
  EchoWindowScan form;
  size_t n;                          /* values combined at once */
  const EchoTensor *const *operands; /* n, then the n initial values */
  EchoTensor **results;
  EchoTensor **sum, **spare; /* n scalars each */
  int64_t x0, y0, inner;     /* where the line starts, and its stride */
} WindowScan;

static void set_scalars(const WindowScan *s, EchoTensor **to, const EchoTensor *const *from,
                        int64_t at)
{
  for (size_t k = 0; k < s->n; k++)
    echo_hlo_copy_element(to[k], 0, from[k], at);
}

/* Element i of the line in *x at the position returned: the initial value beside it. */
static int64_t element_at(const WindowScan *s, int64_t i, const EchoTensor *const **x)
{
  bool is_inside = i >= 0 && i < s->form.n_elements;
  *x = is_inside ? s->operands : s->operands + s->n;
  return is_inside ? s->x0 + i * s->inner : 0;
}

/* accumulators[to] = accumulators[to] op x[from] */
static bool fold(const WindowScan *s, EchoTensor **accumulators, int64_t to,
                 const EchoTensor *const *x, int64_t from)
{
  return echo_hlo_fold_in(s->evaluator, s->region, s->opcode, accumulators, to, x, from, s->n);
}

/* sum = x[from] op sum */
static bool fold_before(const WindowScan *s, const EchoTensor *const *x, int64_t from)
{
  set_scalars(s, s->spare, x, from);
  if (!fold(s, s->spare, 0, (const EchoTensor *const *)s->sum, 0))
    return false;
  set_scalars(s, s->sum, (const EchoTensor *const *)s->spare, 0);
  return true;
}

static void store_sum(const WindowScan *s, int64_t result)
{
  for (size_t k = 0; k < s->n; k++)
    echo_hlo_copy_element(s->results[k], s->y0 + result * s->inner, s->sum[k], 0);
}

static bool scan_line(const WindowScan *s)
{
  const EchoWindowScan *form = &s->form;
  bool is_prefix = form->form == ECHO_WINDOW_PREFIX, ok = true;
  set_scalars(s, s->sum, s->operands + s->n, 0);
  for (int64_t j = 0; j < form->n_results && ok; j++) {
    int64_t result = is_prefix ? j : form->n_results - 1 - j, i = result + form->offset;
    const EchoTensor *const *x;
    int64_t at = element_at(s, i, &x);
    if (i >= 0 && i < form->n_elements)
      ok = is_prefix ? fold(s, s->sum, 0, x, at) : fold_before(s, x, at);
    store_sum(s, result);
  }
  return ok;
}

/* Each window is the end of one block of `window` elements and the start of the next (van Herk;
 * Gil and Werman): ends[i] op starts[i], each made from its neighbour. */
static bool slide_line(const WindowScan *s)
{
  const EchoWindowScan *form = &s->form;
  int64_t window = form->window, at;
  const EchoTensor *const *x;
  bool ok = true;
  for (int64_t first = 0; first < form->n_results && ok; first += window) {
    int64_t left = form->n_results - first, n = left < window ? left : window;
    set_scalars(s, s->sum, s->operands + s->n, 0);
    for (int64_t j = window - 1; j >= 0 && ok; j--) {
      at = element_at(s, first + j + form->offset, &x);
      ok = fold_before(s, x, at);
      if (j < n)
        store_sum(s, first + j);
    }
    at = element_at(s, first + window + form->offset, &x);
    set_scalars(s, s->sum, x, at);
    for (int64_t j = 1; j < n && ok; j++) {
      ok =
          fold(s, s->results, s->y0 + (first + j) * s->inner, (const EchoTensor *const *)s->sum, 0);
      at = element_at(s, first + j + window + form->offset, &x);
      ok = ok && fold(s, s->sum, 0, x, at);
    }
  }
  return ok;
}

static bool scan_lines(WindowScan *s)
{
  const EchoType *type = s->operands[0]->type;
  int64_t n_outer = 1;
  s->inner = 1;
  for (size_t d = 0; d < echo_type_rank(type); d++)
    *(d < s->form.dim ? &n_outer : &s->inner) *= d != s->form.dim ? echo_type_dim(type, d) : 1;
  bool ok = true;
  for (int64_t line = 0; line < n_outer * s->inner && ok; line++) {
    int64_t outer = line / s->inner, at = line % s->inner;
    s->x0 = outer * s->form.n_elements * s->inner + at;
    s->y0 = outer * s->form.n_results * s->inner + at;
    ok = s->form.form == ECHO_WINDOW_SLIDING ? slide_line(s) : scan_line(s);
  }
  return ok;
}

static EchoTensor **create_scalars(const EchoTensor *const *like, size_t n)
{
  EchoTensor **scalars = echo_alloc_array(n + 1, sizeof *scalars);
  for (size_t k = 0; k < n; k++)
    scalars[k] = echo_tensor_create(like[k]->type, false);
  return scalars;
}

static void destroy_all(EchoTensor **tensors, size_t n)
{
  for (size_t k = 0; k < n; k++)
    echo_tensor_destroy(tensors[k]);
  echo_free(tensors);
}

/* Of the same shape, uninitialised. */
static EchoTensor *double_like(EchoContext *ctx, const EchoTensor *x)
{
  const EchoType *f64 = echo_type_f64(ctx);
  return echo_tensor_create(
      echo_hlo_tensor(ctx, x->type->as.shaped.dims, echo_type_rank(x->type), f64), false);
}

static EchoTensor *in_double(EchoContext *ctx, const EchoTensor *x)
{
  EchoTensor *wide = double_like(ctx, x);
  for (int64_t i = 0; i < x->n_elements; i++)
    echo_hlo_set_number(wide, i, echo_hlo_get_number(x, i));
  return wide;
}

static bool run(WindowScan *s)
{
  s->sum = create_scalars(s->operands + s->n, s->n);
  s->spare = create_scalars(s->operands + s->n, s->n);
  bool ok = scan_lines(s);
  destroy_all(s->sum, s->n);
  destroy_all(s->spare, s->n);
  return ok;
}

static bool sum_in_double(WindowScan *s, EchoContext *ctx)
{
  EchoTensor *y = s->results[0], *wide_y = double_like(ctx, y);
  EchoTensor *wide[] = {in_double(ctx, s->operands[0]), in_double(ctx, s->operands[1])};
  s->operands = (const EchoTensor *const *)wide;
  s->results = &wide_y;
  bool ok = run(s);
  for (int64_t i = 0; i < y->n_elements; i++)
    echo_hlo_set_number(y, i, echo_hlo_get_number(wide_y, i));
  echo_tensor_destroy(wide_y);
  echo_tensor_destroy(wide[0]);
  echo_tensor_destroy(wide[1]);
  return ok;
}

bool echo_hlo_evaluate_window_scan(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoWindowScan *form, const EchoTensor *const *operands,
                                   EchoTensor **results)
{
  WindowScan s = {.evaluator = evaluator,
                  .region = &op->regions[0],
                  .opcode = op->n_results == 1 ? echo_hlo_region_opcode(&op->regions[0])
                                               : ECHO_N_HLO_OPCODES,
                  .form = *form,
                  .n = op->n_results,
                  .operands = operands,
                  .results = results};
  bool is_sum = s.opcode == ECHO_HLO_ADD && echo_element_is_float(operands[0]->kind) &&
                operands[0]->type->as.shaped.element == results[0]->type->as.shaped.element;
  return is_sum ? sum_in_double(&s, echo_op_context(op)) : run(&s);
}
