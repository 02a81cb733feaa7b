/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A convolution whose window has many rows as one of as many windows of fewer rows as it has parts:
 * each is a feature more. A window's row i reads the input from i times its dilation on, so that a
 * part's input is what its own rows begin at, and the rows before and behind these that places of
 * the result reach from there. Only such halos are new: what lies between them is the input, cut
 * where parts begin. For weights' gradients of a batch of few images, whose features are the
 * images. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/step/split_reductions_t.h"

/* Of one spatial dimension: parts, rows of the input between the beginnings of two, and halos. The
 * input has `rest` rows behind the last part's own, or lacks as many where that is negative. */
typedef struct Stack {
  size_t spatial;
  int64_t parts, rows, low, high, rest;
  EchoWindowDim window; /* of a part */
} Stack;

static bool read_stack(const EchoOp *op, size_t spatial, const EchoWindowDim *window, int64_t parts,
                       Stack *stack)
{
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  size_t in = (size_t)dims->input_spatial.dims[spatial];
  size_t out = (size_t)dims->output_spatial.dims[spatial];
  int64_t n_out = echo_type_dim(echo_op_result_type(op, 0), out);
  int64_t size = window->size / parts, rows = size * window->window_dilation;
  int64_t reach = (size - 1) * window->window_dilation + 1 + (n_out - 1) * window->stride;
  int64_t high = reach - window->padding_low - rows;
  *stack = (Stack){.spatial = spatial,
                   .parts = parts,
                   .rows = rows,
                   .low = window->padding_low > 0 ? window->padding_low : 0,
                   .high = high > 0 ? high : 0,
                   .rest = echo_type_dim(echo_op_operand_type(op, 0), in) - parts * rows,
                   .window = *window};
  stack->window.size = size;
  stack->window.padding_low = window->padding_low < 0 ? window->padding_low : 0;
  stack->window.padding_high = high < 0 ? high : 0;
  return stack->low + stack->high <= rows && stack->rest > -rows;
}

/* The first dimension of as many parts as are wanted, else that of most; false: none has two. */
static bool find_stack(const EchoOp *op, int64_t wanted, int64_t most, Stack *best)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(op, windows);
  best->parts = 1;
  for (size_t i = 0; i < n && best->parts < wanted; ++i) {
    if (windows[i].base_dilation != 1 || windows[i].reversed)
      continue;
    Stack stack;
    int64_t parts = echo_divisor_near(windows[i].size, wanted);
    for (; parts > best->parts; --parts)
      if (windows[i].size % parts == 0 && parts <= most &&
          read_stack(op, i, &windows[i], parts, &stack)) {
        *best = stack;
        break;
      }
  }
  return best->parts > 1;
}

/* ---- building ---- */

/* [start, limit) of dimension d, with zeros before and behind. */
static EchoValue *take(EchoBuilder *builder, EchoValue *value, size_t d, int64_t start,
                       int64_t limit, int64_t before, int64_t behind)
{
  int64_t low[ECHO_MAX_RANK] = {0}, high[ECHO_MAX_RANK] = {0};
  low[d] = before;
  high[d] = behind;
  if (start != 0 || limit != echo_type_dim(value->type, d))
    value = echo_hlo_slice_dim(builder, value, (int64_t)d, start, limit);
  if (before == 0 && behind == 0)
    return value;
  const EchoType *element = echo_type_element(value->type);
  return echo_hlo_pad(builder, value, echo_hlo_scalar_f64(builder, element, 0), low, high, NULL);
}

/* The last rows of the part before each one: `own` has parts at d, their rows at d + 1. */
static EchoValue *halo_before(EchoBuilder *builder, EchoValue *own, size_t d, const Stack *stack)
{
  EchoValue *ends = take(builder, own, d + 1, stack->rows - stack->low, stack->rows, 0, 0);
  return take(builder, ends, d, 0, stack->parts - 1, 1, 0);
}

/* The first rows of the part behind each one; behind the last are what the input has more, then
 * zeros. */
static EchoValue *halo_behind(EchoBuilder *builder, EchoValue *input, EchoValue *own, size_t d,
                              const Stack *stack)
{
  EchoValue *begins = take(builder, own, d + 1, 0, stack->high, 0, 0);
  if (stack->rest <= 0)
    return take(builder, begins, d, 1, stack->parts, 0, 1);
  int64_t end = stack->parts * stack->rows;
  int64_t n = stack->rest < stack->high ? stack->rest : stack->high;
  EchoValue *last = take(builder, input, d, end, end + n, 0, stack->high - n);
  EchoValue *values[] = {take(builder, begins, d, 1, stack->parts, 0, 0),
                         echo_split_cut(builder, last, d, 1)};
  return echo_hlo_concatenate(builder, values, 2, (int64_t)d);
}

/* [.., F, .., parts, rows, ..] as [.., F * parts, .., rows, ..]; `feature` as it is in the latter.
 */
static EchoValue *merge(EchoBuilder *builder, EchoValue *value, size_t parts, size_t feature)
{
  int64_t permutation[ECHO_MAX_RANK + 1], sizes[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(value->type) - 1, n = 0;
  for (size_t d = 0; d < rank; ++d) {
    size_t from = d < parts ? d : d + 1;
    sizes[d] = echo_type_dim(value->type, from);
    permutation[n++] = (int64_t)from;
    if (d == feature) {
      sizes[d] *= echo_type_dim(value->type, parts);
      permutation[n++] = (int64_t)parts;
    }
  }
  return echo_hlo_reshape(builder, echo_hlo_transpose(builder, value, permutation), sizes, rank);
}

static EchoValue *stacked_input(EchoBuilder *builder, const EchoOp *op, const EchoConvDims *dims,
                                const Stack *stack)
{
  size_t d = (size_t)dims->input_spatial.dims[stack->spatial], n = 0;
  int64_t end = stack->parts * stack->rows;
  EchoValue *input = echo_op_operand(op, 0), *values[3];
  EchoValue *whole = stack->rest < 0
                         ? take(builder, input, d, 0, end + stack->rest, 0, -stack->rest)
                         : take(builder, input, d, 0, end, 0, 0);
  EchoValue *own = echo_split_cut(builder, whole, d, stack->parts);
  if (stack->low > 0)
    values[n++] = halo_before(builder, own, d, stack);
  values[n++] = own;
  if (stack->high > 0)
    values[n++] = halo_behind(builder, input, own, d, stack);
  EchoValue *rows = n == 1 ? own : echo_hlo_concatenate(builder, values, n, (int64_t)d + 1);
  return merge(builder, rows, d, (size_t)dims->input_feature);
}

EchoOp *echo_stack_rows(EchoOp *op, int64_t wanted, int64_t most)
{
  Stack stack;
  if (wanted < 2 || echo_type_rank(echo_op_operand_type(op, 0)) >= ECHO_MAX_RANK ||
      !find_stack(op, wanted, most, &stack))
    return op;
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  EchoWindowDim windows[ECHO_MAX_RANK];
  echo_stablehlo_windows(op, windows);
  windows[stack.spatial] = stack.window;
  size_t d = (size_t)dims->kernel_spatial.dims[stack.spatial];
  EchoValue *cut = echo_split_cut(&builder, echo_op_operand(op, 1), d, stack.parts);
  EchoValue *window = merge(&builder, cut, d, (size_t)dims->kernel_input_feature);
  EchoValue *input = stacked_input(&builder, op, dims, &stack);
  EchoValue *value = echo_hlo_convolution(&builder, input, window, dims, windows, 1, 1,
                                          echo_type_element(echo_op_result_type(op, 0)));
  EchoOp *stacked = echo_value_def_or_null(value);
  echo_stablehlo_copy_precision(op, stacked);
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
  return stacked;
}
