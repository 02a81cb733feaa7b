/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a client learns what lies where: a program for many devices, as each of them runs it, says in
 * XLA's words how its arguments and results are cut. */
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/text/text.h"
#include "pjrt/plugin_t.h"

/* Along one dimension: which part a device has, and of how many. */
typedef struct Cut {
  int64_t part, n_parts;
} Cut;

/* The dimension whose axes begin at *at of `parts`; *at moves behind it. */
static Cut cut_of(const EchoAttr *parts, size_t *at, int64_t device)
{
  Cut cut = {0, 1};
  for (int64_t n = echo_attr_ints_get(parts, (*at)++); n > 0; --n, *at += 2) {
    int64_t stride = echo_attr_ints_get(parts, *at), size = echo_attr_ints_get(parts, *at + 1);
    cut.part = cut.part * size + device / stride % size;
    cut.n_parts *= size;
  }
  return cut;
}

/* The part of the whole, counted row by row, that a device has; *n_parts: of how many. */
static int64_t part_of(const EchoAttr *parts, int64_t device, int64_t *n_parts)
{
  int64_t part = 0;
  *n_parts = 1;
  for (size_t at = 0; at < echo_attr_ints_size(parts);) {
    Cut cut = cut_of(parts, &at, device);
    part = part * cut.n_parts + cut.part;
    *n_parts *= cut.n_parts;
  }
  return part;
}

/* "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}": parts along each dimension, and behind them
 * how many devices have the same; then the devices, part by part. The last dimensions are whole
 * where `parts` says nothing of them. */
static void append_sharding(EchoBuffer *out, const EchoAttr *parts, size_t rank, int64_t n_devices)
{
  int64_t n_parts = 1;
  if (parts != NULL)
    part_of(parts, 0, &n_parts);
  if (n_parts == 1) {
    echo_buffer_append_c(out, "{replicated}");
    return;
  }
  echo_buffer_append_c(out, "{devices=[");
  for (size_t d = 0, at = 0; d < rank; d++) {
    int64_t n = at < echo_attr_ints_size(parts) ? cut_of(parts, &at, 0).n_parts : 1;
    echo_buffer_printf(out, "%s%lld", d != 0 ? "," : "", (long long)n);
  }
  if (n_parts < n_devices)
    echo_buffer_printf(out, ",%lld", (long long)(n_devices / n_parts));
  echo_buffer_append_c(out, "]");
  bool is_first = true;
  for (int64_t part = 0; part < n_parts; part++)
    for (int64_t device = 0; device < n_devices; device++)
      if (part_of(parts, device, &n_parts) == part) {
        echo_buffer_printf(out, "%s%lld", is_first ? "" : ",", (long long)device);
        is_first = false;
      }
  echo_buffer_append_c(out, n_parts < n_devices ? " last_tile_dim_replicate}" : "}");
}

void echo_pjrt_print_for_each(EchoPjrtProgram *program, EchoOp *module)
{
  EchoContext *ctx = program->ctx;
  const EchoOp *main = echo_module_main_or_null(module);
  const EchoBlock *body = echo_op_body(main, 0);
  const EchoAttr *results = echo_op_attr_or_null(main, "res_attrs");
  EchoBuffer text = {0};
  ECHO_VECTOR(const EchoAttr *) args = {0};
  for (uint32_t i = 0; i < body->n_args; i++) {
    echo_buffer_clear(&text);
    append_sharding(&text, echo_func_arg_attr_or_null(main, i, ECHO_PARTS),
                    echo_type_rank(echo_block_arg(body, i)->type), (int64_t)program->n_ranks);
    echo_vector_push(&args, echo_attr_string(ctx, echo_buffer_str(&text)));
  }
  echo_buffer_clear(&text);
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    const EchoAttr *attrs = results != NULL ? results->as.array.elements[i] : NULL;
    echo_buffer_append_c(&text, i == 0 ? "{" : ", ");
    append_sharding(&text, attrs != NULL ? echo_dictionary_get_or_null(attrs, ECHO_PARTS) : NULL,
                    echo_type_rank(echo_op_operand_type(body->last, i)), (int64_t)program->n_ranks);
  }
  if (body->last->n_operands != 1)
    echo_buffer_append_c(&text, body->last->n_operands == 0 ? "{}" : "}");
  EchoStr all = echo_buffer_str(&text);
  if (body->last->n_operands == 1) /* no tuple */
    all = (EchoStr){all.data + 1, all.size - 1};
  echo_op_set_attr(module, "mhlo.spmd_parameters_shardings",
                   echo_attr_array(ctx, args.data, args.size));
  echo_op_set_attr(module, "mhlo.spmd_output_sharding", echo_attr_string(ctx, all));
  echo_print_op(module, NULL, &program->for_each);
  echo_op_set_attr(module, "mhlo.spmd_parameters_shardings", NULL);
  echo_op_set_attr(module, "mhlo.spmd_output_sharding", NULL);
  echo_vector_destroy(&args);
  echo_buffer_destroy(&text);
}
