/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order in which the dimensions of a program's arguments and results lie in memory. What is
 * compiled has arrays by rows alone: where a client wants another order, main takes and gives
 * arrays whose dimensions stand in that order, and moves them inside, where a transpose costs what
 * fusion leaves of it. */
#include <stdlib.h>

#include "dialects/func/build.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "ir/text/text.h"
#include "pjrt/plugin_t.h"

/* ---- what it says ---- */

/* Of an argument or a result: "default", "auto", or minor to major, "{0,1}". */
static const char MODE[] = "mhlo.layout_mode";

static const EchoAttr *result_attr_or_null(const EchoOp *entry, uint32_t i, const char *name)
{
  const EchoAttr *results = echo_op_attr_or_null(entry, "res_attrs");
  const EchoAttr *own = results != NULL ? results->as.array.elements[i] : NULL;
  return own != NULL ? echo_dictionary_get_or_null(own, name) : NULL;
}

/* "{0,1}"; false: something else. */
static bool read_order(EchoStr text, size_t n_dims, int64_t *minor_to_major)
{
  EchoBuffer again = {0};
  const char *at = text.data + 1;
  bool fine = text.size >= 2 && text.data[0] == '{' && text.data[text.size - 1] == '}';
  for (size_t i = 0; fine && i < n_dims; i++) {
    char *end;
    minor_to_major[i] = strtoll(at, &end, 10);
    fine = end != at && end < text.data + text.size;
    at = end + 1;
  }
  fine = fine && echo_pjrt_is_order(minor_to_major, n_dims);
  if (fine) /* and nothing else */
    echo_pjrt_append_order(&again, minor_to_major, n_dims);
  fine = fine && echo_str_equal(text, echo_buffer_str(&again));
  echo_buffer_destroy(&again);
  return fine;
}

static void set_order(EchoPjrtPlace *place, const int64_t *minor_to_major, size_t n_dims)
{
  int64_t by_rows[ECHO_MAX_RANK];
  echo_pjrt_order_by_rows(n_dims, by_rows);
  if (echo_pjrt_is_same_order(minor_to_major, by_rows, n_dims))
    return;
  place->minor_to_major = echo_alloc_array(n_dims, sizeof *place->minor_to_major);
  memcpy(place->minor_to_major, minor_to_major, n_dims * sizeof *minor_to_major);
}

static bool read_place(EchoContext *ctx, const EchoOp *entry, const EchoAttr *mode,
                       const EchoType *type, EchoPjrtPlace *place)
{
  int64_t order[ECHO_MAX_RANK];
  *place = (EchoPjrtPlace){0};
  EchoStr text = mode != NULL && mode->kind == ECHO_ATTR_STRING ? mode->as.string : (EchoStr){0};
  if (mode == NULL || echo_str_is(text, "default") || !echo_type_is_tensor(type))
    return true;
  place->is_free = echo_str_is(text, "auto");
  if (place->is_free)
    return true;
  if (!read_order(text, echo_type_rank(type), order))
    return echo_op_error(entry,
                         "%s is %s: arrays are dense here, their dimensions in any order, "
                         "\"{0,1}\"",
                         MODE, echo_attr_text(ctx, mode));
  set_order(place, order, echo_type_rank(type));
  return true;
}

bool echo_pjrt_read_places(EchoPjrtProgram *program, const EchoOp *entry)
{
  const EchoBlock *body = echo_op_body(entry, 0);
  bool fine = true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    EchoPjrtPlace place;
    fine &= read_place(program->ctx, entry, echo_func_arg_attr_or_null(entry, i, MODE),
                       echo_block_arg(body, i)->type, &place);
    place.is_free = false; /* by rows is as good as any */
    echo_vector_push(&program->arg_places, place);
  }
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    EchoPjrtPlace place;
    fine &= read_place(program->ctx, entry, result_attr_or_null(entry, i, MODE),
                       echo_op_operand_type(body->last, i), &place);
    echo_vector_push(&program->result_places, place);
  }
  return fine;
}

void echo_pjrt_places_destroy(EchoPjrtProgram *program)
{
  for (size_t i = 0; i < program->arg_places.size; i++)
    echo_free(program->arg_places.data[i].minor_to_major);
  for (size_t i = 0; i < program->result_places.size; i++)
    echo_free(program->result_places.data[i].minor_to_major);
  echo_vector_destroy(&program->arg_places);
  echo_vector_destroy(&program->result_places);
}

void echo_pjrt_order_of(const EchoPjrtPlace *place_or_null, size_t n_dims, int64_t *minor_to_major)
{
  if (place_or_null == NULL || place_or_null->minor_to_major == NULL)
    echo_pjrt_order_by_rows(n_dims, minor_to_major);
  else
    memcpy(minor_to_major, place_or_null->minor_to_major, n_dims * sizeof *minor_to_major);
}

/* ---- what a client reads of it ---- */

bool echo_pjrt_has_placed_args(const EchoPjrtProgram *program)
{
  for (size_t i = 0; i < program->arg_places.size; i++)
    if (program->arg_places.data[i].minor_to_major != NULL)
      return true;
  return false;
}

void echo_pjrt_mark_places(EchoPjrtProgram *program, EchoOp *module, bool is_marked)
{
  static const char PLACES[] = "mhlo.xla_entry_computation_parameter_layouts";
  EchoContext *ctx = program->ctx;
  const EchoBlock *body = echo_op_body(echo_module_main_or_null(module), 0);
  ECHO_VECTOR(const EchoAttr *) all = {0};
  EchoBuffer text = {0};
  for (uint32_t i = 0; is_marked && i < body->n_args; i++) {
    size_t n = echo_type_is_tensor(echo_block_arg(body, i)->type)
                   ? echo_type_rank(echo_block_arg(body, i)->type)
                   : 0;
    int64_t order[ECHO_MAX_RANK];
    echo_pjrt_order_of(&program->arg_places.data[i], n, order);
    echo_buffer_clear(&text);
    echo_buffer_append_c(&text, n == 0 ? "dense<" : "dense<[");
    for (size_t k = 0; k < n; k++)
      echo_buffer_printf(&text, "%s%lld", k != 0 ? ", " : "", (long long)order[k]);
    echo_buffer_printf(&text, "%s> : tensor<%zuxindex>", n == 0 ? "" : "]", n);
    echo_vector_push(&all, echo_parse_attr_or_null(ctx, echo_buffer_str(&text)));
  }
  echo_op_set_attr(module, PLACES, is_marked ? echo_attr_array(ctx, all.data, all.size) : NULL);
  echo_vector_destroy(&all);
  echo_buffer_destroy(&text);
}

/* ---- what runs ---- */

/* The argument's dimensions stand in the order of memory; inside they stand as they did. */
static void take(EchoOp *entry, uint32_t i, const int64_t *minor_to_major)
{
  EchoBlock *body = echo_op_body(entry, 0);
  EchoValue *arg = echo_block_arg(body, i);
  size_t rank = echo_type_rank(arg->type);
  int64_t dims[ECHO_MAX_RANK], back[ECHO_MAX_RANK];
  for (size_t k = 0; k < rank; k++) {
    int64_t axis = minor_to_major[rank - 1 - k];
    dims[k] = echo_type_dim(arg->type, (size_t)axis);
    back[axis] = (int64_t)k;
  }
  EchoBuilder builder = echo_builder_before(body->first);
  echo_value_set_type(
      arg, echo_type_tensor(builder.ctx, dims, rank, echo_type_element(arg->type), NULL));
  EchoValue *inside = echo_hlo_transpose(&builder, arg, back);
  EchoOp *transpose = echo_value_def_or_null(inside);
  echo_value_replace_all_uses(arg, inside);
  echo_op_set_operand(transpose, 0, arg);
}

/* A transposed value may lie as what it was made of. */
static void choose(EchoPjrtPlace *place, const EchoOp *end, uint32_t i)
{
  const EchoOp *made = echo_value_def_or_null(echo_op_operand(end, i));
  if (made == NULL || !echo_op_is(made, "stablehlo.transpose"))
    return;
  EchoDimList permutation = echo_stablehlo_dims(made, "permutation");
  int64_t major_to_minor[ECHO_MAX_RANK], order[ECHO_MAX_RANK];
  for (size_t k = 0; k < permutation.size; k++)
    major_to_minor[permutation.dims[k]] = (int64_t)k;
  for (size_t k = 0; k < permutation.size; k++)
    order[k] = major_to_minor[permutation.size - 1 - k];
  set_order(place, order, permutation.size);
}

static void give(EchoOp *end, uint32_t i, const int64_t *minor_to_major)
{
  EchoValue *value = echo_op_operand(end, i);
  size_t rank = echo_type_rank(value->type);
  int64_t major_to_minor[ECHO_MAX_RANK];
  for (size_t k = 0; k < rank; k++)
    major_to_minor[k] = minor_to_major[rank - 1 - k];
  EchoBuilder builder = echo_builder_before(end);
  echo_op_set_operand(end, i, echo_hlo_transpose(&builder, value, major_to_minor));
}

/* An argument takes the place of a result of its type alone. */
static void check_alias(EchoOp *entry, uint32_t i)
{
  const EchoBlock *body = echo_op_body(entry, 0);
  const EchoAttr *alias = echo_func_arg_attr_or_null(entry, i, "tf.aliasing_output");
  if (alias == NULL || alias->kind != ECHO_ATTR_INTEGER || alias->as.integer.value < 0 ||
      alias->as.integer.value >= body->last->n_operands ||
      echo_op_operand_type(body->last, (size_t)alias->as.integer.value) ==
          echo_block_arg(body, i)->type)
    return;
  echo_func_set_arg_attr(entry, i, "tf.aliasing_output", NULL);
  echo_func_set_arg_attr(entry, i, "jax.buffer_donor",
                         echo_attr_bool(echo_op_context(entry), true));
}

static void set_function_type(EchoOp *entry)
{
  EchoContext *ctx = echo_op_context(entry);
  const EchoBlock *body = echo_op_body(entry, 0);
  ECHO_VECTOR(const EchoType *) types = {0};
  for (uint32_t i = 0; i < body->n_args; i++)
    echo_vector_push(&types, echo_block_arg(body, i)->type);
  for (uint32_t i = 0; i < body->last->n_operands; i++)
    echo_vector_push(&types, echo_op_operand_type(body->last, i));
  echo_op_set_attr(
      entry, "function_type",
      echo_attr_type(ctx, echo_type_function(ctx, types.data, body->n_args,
                                             types.data + body->n_args, body->last->n_operands)));
  echo_vector_destroy(&types);
}

void echo_pjrt_lay_out(EchoPjrtProgram *program, EchoOp *entry)
{
  EchoBlock *body = echo_op_body(entry, 0);
  bool is_changed = false;
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    EchoPjrtPlace *place = &program->result_places.data[i];
    if (place->is_free)
      choose(place, body->last, i);
    is_changed |= place->minor_to_major != NULL;
    if (place->minor_to_major != NULL)
      give(body->last, i, place->minor_to_major);
  }
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoPjrtPlace *place = &program->arg_places.data[i];
    is_changed |= place->minor_to_major != NULL;
    if (place->minor_to_major != NULL)
      take(entry, i, place->minor_to_major);
  }
  if (!is_changed)
    return;
  set_function_type(entry);
  for (uint32_t i = 0; i < body->n_args; i++)
    check_alias(entry, i);
}
