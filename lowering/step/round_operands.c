/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --round-operands: what a dot_general's algorithm has rounded before it is multiplied is
 * converted: f32 scores' gradients that JAX multiplies with keys of bf16. Both operands are halves
 * then, which tensor cores multiply. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/lowering.h"

static uint64_t round_operands(EchoOp *dot)
{
  uint64_t n_rounded = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    const EchoType *element = echo_stablehlo_rounded_element_or_null(dot, i);
    if (element == NULL)
      continue;
    EchoBuilder builder = echo_builder_before(dot);
    echo_op_set_operand(dot, i, echo_hlo_convert(&builder, echo_op_operand(dot, i), element));
    ++n_rounded;
  }
  return n_rounded;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_rounded = 0;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL)
      n_rounded += round_operands(op);
  echo_pass_count(pass, "rounded", n_rounded);
  pass->keeps_all = n_rounded == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {{"rounded", "operands converted"}, {0}};

const EchoPass ECHO_PASS_ROUND_OPERANDS = {
    .name = "round-operands",
    .summary = "convert what a dot's algorithm has rounded",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
