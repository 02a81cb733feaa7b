/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --reverse-windows: a convolution by a window that is turned round in front of it, as JAX writes
 * the gradient of an input, reads the window from its end instead: it is what a library knows as
 * that gradient, and the turned window is nowhere in memory. Idempotent. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"
#include "lowering/lowering.h"

/* The spatial dimension of the window's that is `dim` of it; n: none is. */
static size_t spatial_of(const EchoConvDims *dims, int64_t dim)
{
  size_t i = 0;
  while (i < dims->kernel_spatial.size && dims->kernel_spatial.dims[i] != dim)
    ++i;
  return i;
}

static bool reverse_window(EchoOp *op)
{
  bool is_reversed[ECHO_MAX_RANK] = {false};
  EchoWindowDim windows[ECHO_MAX_RANK];
  if (echo_hlo_opcode(op) != ECHO_HLO_CONVOLUTION)
    return false;
  const EchoOp *reverse = echo_value_def_or_null(echo_op_operand(op, 1));
  if (reverse == NULL || echo_hlo_opcode(reverse) != ECHO_HLO_REVERSE)
    return false;
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  EchoDimList turned = echo_stablehlo_dims(reverse, "dimensions");
  size_t n = echo_stablehlo_windows(op, windows);
  for (size_t i = 0; i < n; ++i)
    is_reversed[i] = windows[i].reversed;
  for (size_t i = 0; i < turned.size; ++i) {
    size_t spatial = spatial_of(dims, turned.dims[i]);
    if (spatial == n)
      return false;
    is_reversed[spatial] = !is_reversed[spatial];
  }
  echo_op_set_attr(op, "window_reversal",
                   echo_attr_bool_array(echo_op_context(op), is_reversed, n));
  echo_op_set_operand(op, 1, echo_op_operand(reverse, 0));
  return true;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_reversed = 0;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op)) {
    EchoOp *window = NULL;
    if (echo_hlo_opcode(op) == ECHO_HLO_CONVOLUTION)
      window = echo_value_def_or_null(echo_op_operand(op, 1));
    if (!reverse_window(op))
      continue;
    ++n_reversed;
    if (echo_op_result(window, 0)->first_use == NULL)
      echo_op_erase(window); /* it stands before what is walked to next */
  }
  echo_pass_count(pass, "reversed", n_reversed);
  pass->keeps_all = n_reversed == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {
    {"reversed", "convolutions that read their window from its end"}, {0}};

const EchoPass ECHO_PASS_REVERSE_WINDOWS = {
    .name = "reverse-windows",
    .summary = "convolutions by a reversed window as convolutions that reverse it",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
