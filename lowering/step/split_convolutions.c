/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A convolution of few results and many terms as one of fewer terms a result, and the sum of those:
 * of weights' gradients, whose results are a window's and whose terms are all places of a batch. It
 * is cut along the input's features, which in such a gradient are the batch: each part is a group
 * of features that makes all results, so that the window's dimension of them comes to stand beside
 * that of the results. A batch of few images has features of its rows first (stack_rows.c). Where
 * it is cut is a function of the op and stands in the IR, as a reduction's is. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/step/split_reductions_t.h"

static bool may_split(const EchoOp *op)
{
  if (!echo_op_is(op, "stablehlo.convolution") || echo_stablehlo_feature_group_count(op) != 1 ||
      echo_stablehlo_batch_group_count(op) != 1)
    return false;
  const EchoType *result = echo_op_result_type(op, 0), *element = echo_type_element(result);
  for (size_t i = 0; i < 2; ++i)
    if (!echo_type_has_static_shape(echo_op_operand_type(op, i)) ||
        echo_type_element(echo_op_operand_type(op, i))->kind != ECHO_TYPE_FLOAT)
      return false;
  return element->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(element) >= 16 &&
         echo_type_rank(result) < ECHO_MAX_RANK;
}

/* How many parts a convolution is worth, and how many at most: as for a product, their sums are no
 * larger than what is read. */
typedef struct Wanted {
  int64_t parts, most;
} Wanted;

static Wanted find_wanted(const EchoOp *op)
{
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  int64_t n_results = echo_type_static_n_elements(echo_op_result_type(op, 0));
  int64_t n = echo_type_dim(rhs, (size_t)dims->kernel_output_feature);
  if (n_results == 0 || echo_type_static_n_elements(rhs) == 0)
    return (Wanted){1, 1};
  int64_t part = n_results * (int64_t)echo_type_element_bytes(echo_split_sum_type(op));
  int64_t read = (int64_t)(echo_type_static_bytes(lhs) + echo_type_static_bytes(rhs));
  return (Wanted){echo_split_wanted(1, n_results / n, n, echo_type_static_n_elements(rhs) / n),
                  read / part};
}

/* 1: it stays whole. */
static int64_t parts_of_features(const EchoOp *op, Wanted wanted)
{
  int64_t features = echo_type_dim(echo_op_operand_type(op, 1),
                                   (size_t)echo_stablehlo_conv_dims(op)->kernel_input_feature);
  int64_t parts = wanted.parts < 2 ? 1 : echo_divisor_near(features, wanted.parts);
  while (parts > 1 && (features % parts != 0 || parts > wanted.most))
    --parts;
  return parts;
}

/* [.., parts * F, .., O, ..] as [.., F, .., parts * O, ..]. */
static EchoValue *turn_window(EchoBuilder *builder, EchoValue *window, const EchoConvDims *dims,
                              int64_t parts)
{
  size_t from = (size_t)dims->kernel_input_feature, to = (size_t)dims->kernel_output_feature;
  size_t rank = echo_type_rank(window->type), n = 0;
  EchoValue *cut = echo_split_cut(builder, window, from, parts);
  int64_t permutation[ECHO_MAX_RANK + 1], sizes[ECHO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    sizes[i] = echo_type_dim(window->type, i);
    if (i == to)
      permutation[n++] = (int64_t)from; /* where `parts` is now */
    permutation[n++] = (int64_t)(i < from ? i : i + 1);
  }
  sizes[from] /= parts;
  sizes[to] *= parts;
  return echo_hlo_reshape(builder, echo_hlo_transpose(builder, cut, permutation), sizes, rank);
}

bool echo_split_convolution(EchoOp *op)
{
  if (!may_split(op))
    return false;
  Wanted wanted = find_wanted(op);
  int64_t parts = parts_of_features(op, wanted);
  op = echo_stack_rows(op, wanted.parts / parts, wanted.most / parts);
  parts = parts_of_features(op, wanted);
  if (parts < 2)
    return false;
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  EchoWindowDim windows[ECHO_MAX_RANK];
  echo_stablehlo_windows(op, windows);
  const EchoType *element = echo_type_element(echo_op_result_type(op, 0));
  const EchoType *sums = echo_split_sum_type(op);
  EchoValue *window = turn_window(&builder, echo_op_operand(op, 1), dims, parts);
  EchoValue *partial =
      echo_hlo_convolution(&builder, echo_op_operand(op, 0), window, dims, windows, parts, 1, sums);
  echo_stablehlo_copy_precision(op, echo_value_def_or_null(partial));
  EchoValue *cut = echo_split_cut(&builder, partial, (size_t)dims->output_feature, parts);
  EchoValue *whole = echo_hlo_reduce_sum(&builder, cut, &dims->output_feature, 1);
  if (sums != element)
    whole = echo_hlo_convert(&builder, whole, element);
  echo_value_replace_all_uses(echo_op_result(op, 0), whole);
  echo_op_erase(op);
  return true;
}
