/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --select-masks: x times a converted boolean is x where that is true, else zero. Where x is
 * infinite or no number StableHLO has a NaN beside a false one; XLA makes a select of every such
 * product, and programs that were only ever run by it rely on the zero. So this is no part of the
 * stages: whoever takes XLA's place asks for it. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"

/* The booleans that the value is made of; NULL where it is made otherwise. */
static EchoValue *mask_or_null(const EchoValue *value)
{
  const EchoOp *def = echo_value_def_or_null(value);
  bool is_mask = def != NULL && echo_hlo_opcode(def) == ECHO_HLO_CONVERT &&
                 echo_type_is_tensor(echo_op_operand_type(def, 0)) &&
                 echo_type_element_kind(echo_op_operand_type(def, 0)) == ECHO_ELEMENT_I1 &&
                 echo_element_is_float(echo_type_element_kind(value->type)) &&
                 echo_type_has_static_shape(value->type);
  return is_mask ? echo_op_operand(def, 0) : NULL;
}

static bool select(EchoOp *op)
{
  for (uint32_t i = 0; i < 2; ++i) {
    EchoValue *mask = mask_or_null(echo_op_operand(op, i));
    EchoValue *other = echo_op_operand(op, 1 - i);
    if (mask == NULL || other->type != echo_op_result_type(op, 0))
      continue;
    EchoBuilder builder = echo_builder_before(op);
    builder.attrs = op->attrs;
    EchoValue *zero = echo_hlo_constant_like(&builder, other, 0);
    echo_value_replace_all_uses(echo_op_result(op, 0),
                                echo_hlo_select(&builder, mask, other, zero));
    echo_op_erase(op);
    return true;
  }
  return false;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n = 0;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    n += echo_hlo_opcode(op) == ECHO_HLO_MULTIPLY && select(op);
  }
  pass->keeps_all = n == 0;
  echo_pass_count(pass, "products", n);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"products", "products that are selects now"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_SELECT_MASKS = {
    .name = "select-masks",
    .summary = "make selects of products with booleans, as XLA does",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
