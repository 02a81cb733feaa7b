/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where main's results lie of which its signature says nothing: as a manual computation makes them,
 * as a constraint wants them, as arguments come; element by element on. Whatever is found here, the
 * same is computed. */
#include "base/map.h"
#include "base/vector.h"
#include "dialects/func/build.h"
#include "lowering/calls/collectives_t.h"

static void set_place(EchoMap *places, EchoContext *ctx, const EchoValue *value,
                      const EchoAttr *parts_or_null)
{
  if (parts_or_null != NULL && echo_part_type_or_null(ctx, parts_or_null, value->type) != NULL)
    echo_map_set_ptr(places, value, parts_or_null);
}

/* Of the first operand that lies in parts and has the result's shape. */
static void follow(EchoMap *places, const EchoOp *op)
{
  if (!echo_op_has_trait(op, ECHO_ELEMENTWISE) || op->n_results != 1)
    return;
  EchoContext *ctx = echo_op_context(op);
  const EchoType *type = echo_op_result_type(op, 0);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const EchoType *own = echo_op_operand_type(op, i);
    const EchoAttr *parts = echo_map_get_ptr(places, echo_op_operand(op, i));
    if (parts == NULL || echo_parts_cut(parts).n_parts == 1 || !echo_type_is_tensor(own) ||
        echo_parts_sum(parts).n_parts != 1 ||
        echo_type_with_element(ctx, own, echo_type_element(type)) != type)
      continue;
    set_place(places, ctx, echo_op_result(op, 0), parts);
    return;
  }
}

static void read_op(const EchoOp *module, EchoMap *places, const EchoOp *op)
{
  EchoContext *ctx = echo_op_context(module);
  if (echo_op_is(op, "sdy.manual_computation")) {
    for (uint32_t i = 0; i < op->n_results; i++)
      set_place(places, ctx, echo_op_result(op, i),
                echo_parts_or_null(module, echo_op_attr_or_null(op, "out_shardings"), i,
                                   echo_op_attr_or_null(op, "manual_axes")));
    return;
  }
  const EchoAttr *sharding = op->n_results == 1 ? echo_op_attr_or_null(op, "sharding") : NULL;
  if (sharding != NULL)
    set_place(places, ctx, echo_op_result(op, 0), echo_parts_or_null(module, sharding, 0, NULL));
  else
    follow(places, op);
}

void echo_find_result_places(const EchoOp *module, const EchoOp *main, const EchoAttr **parts)
{
  const EchoBlock *body = echo_op_body(main, 0);
  EchoMap places = {0};
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoAttr *sharding = echo_func_arg_attr_or_null(main, i, "sdy.sharding");
    if (sharding != NULL)
      set_place(&places, echo_op_context(module), echo_block_arg(body, i),
                echo_parts_or_null(module, sharding, 0, NULL));
  }
  for (const EchoOp *op = body->first; op != NULL; op = op->next)
    read_op(module, &places, op);
  for (uint32_t i = 0; i < body->last->n_operands; i++)
    parts[i] = echo_map_get_ptr(&places, echo_op_operand(body->last, i));
  echo_map_destroy(&places);
}
