/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a client learns what lies where: a program for many devices, as each of them runs it, says in
 * XLA's words how its arguments and results are cut. */
#include "dialects/echo/parts.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/text/text.h"
#include "pjrt/plugin_t.h"

/* "{devices=[2,1,2]0,1,2,3 last_tile_dims={replicated}}": parts along each dimension, behind them
 * how many devices have summands of the same part and how many have the same; then the devices,
 * part by part. */
static void append_sharding(EchoBuffer *out, const EchoAttr *parts, const EchoAttr *order,
                            size_t rank, int64_t n_devices)
{
  const EchoCut none = {.n_parts = 1};
  const EchoCut cut = parts != NULL ? echo_parts_cut(parts) : none;
  const EchoCut sum = parts != NULL ? echo_parts_sum(parts) : none;
  int64_t n_copies = n_devices / (cut.n_parts * sum.n_parts);
  if (cut.n_parts == 1 && (sum.n_parts == 1 || n_copies == 1)) {
    echo_buffer_append_c(out, sum.n_parts == 1 ? "{replicated}" : "{unreduced}");
    return;
  }
  echo_buffer_append_c(out, "{devices=[");
  for (size_t d = 0, at = 0; d < rank; d++)
    echo_buffer_printf(out, "%s%lld", d != 0 ? "," : "",
                       (long long)(parts != NULL ? echo_parts_next_cut(parts, &at).n_parts : 1));
  if (sum.n_parts != 1)
    echo_buffer_printf(out, "%s%lld", rank != 0 ? "," : "", (long long)sum.n_parts);
  if (n_copies != 1)
    echo_buffer_printf(out, "%s%lld", rank != 0 || sum.n_parts != 1 ? "," : "",
                       (long long)n_copies);
  echo_buffer_append_char(out, ']');
  bool is_first = true;
  for (int64_t i = 0; i < cut.n_parts * sum.n_parts; i++) {
    const int64_t first =
        echo_cut_process(&cut, i / sum.n_parts) + echo_cut_process(&sum, i % sum.n_parts);
    for (int64_t device = first; device < n_devices; device++)
      if (echo_cut_part(&cut, device) == i / sum.n_parts &&
          echo_cut_part(&sum, device) == i % sum.n_parts) {
        echo_buffer_printf(
            out, "%s%lld", is_first ? "" : ",",
            (long long)(order != NULL ? echo_attr_ints_get(order, (size_t)device) : device));
        is_first = false;
      }
  }
  if (sum.n_parts != 1 || n_copies != 1)
    echo_buffer_printf(out, " last_tile_dims={%s%s%s}", sum.n_parts != 1 ? "unreduced" : "",
                       sum.n_parts != 1 && n_copies != 1 ? ", " : "",
                       n_copies != 1 ? "replicated" : "");
  echo_buffer_append_char(out, '}');
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
                    echo_func_arg_attr_or_null(main, i, ECHO_ORDER),
                    echo_type_rank(echo_block_arg(body, i)->type), (int64_t)program->n_ranks);
    echo_vector_push(&args, echo_attr_string(ctx, echo_buffer_str(&text)));
  }
  echo_buffer_clear(&text);
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    const EchoAttr *attrs = results != NULL ? results->as.array.elements[i] : NULL;
    echo_buffer_append_c(&text, i == 0 ? "{" : ", ");
    append_sharding(&text, attrs != NULL ? echo_dictionary_get_or_null(attrs, ECHO_PARTS) : NULL,
                    attrs != NULL ? echo_dictionary_get_or_null(attrs, ECHO_ORDER) : NULL,
                    echo_type_rank(echo_op_operand_type(body->last, i)), (int64_t)program->n_ranks);
  }
  if (body->last->n_operands == 0) /* XLA counts one sharding where there is no result */
    echo_buffer_append_c(&text, "{{replicated}");
  if (body->last->n_operands != 1)
    echo_buffer_append_char(&text, '}');
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
