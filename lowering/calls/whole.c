/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-collectives{gather}: every device has all values whole and computes all of them, but for
 * what stands in a manual computation. Arguments that come in parts are gathered, a manual
 * computation is given its parts and what it makes is gathered, results go out in parts. It saves
 * no memory and no time against one device; it runs whatever the shardings are. */
#include <string.h>

#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"

/* Axes of at least two devices each, all of them fewer than 2^31 (manual.c). */
enum { MAX_AXES = 31 };

/* What cuts one dimension: axes, the slowest first. */
typedef struct Cut {
  int64_t strides[MAX_AXES], sizes[MAX_AXES], n_axes, n_parts;
} Cut;

/* The dimension whose axes begin at *at of `parts`; *at moves behind it. Axes of one device cut
 * nothing; last dimensions of which nothing is said are whole. */
static Cut next_cut(const EchoAttr *parts, size_t *at)
{
  Cut cut = {.n_parts = 1};
  int64_t n = *at < echo_attr_ints_size(parts) ? echo_attr_ints_get(parts, (*at)++) : 0;
  for (; n > 0; --n, *at += 2) {
    int64_t size = echo_attr_ints_get(parts, *at + 1);
    if (size == 1)
      continue;
    ECHO_CHECK(cut.n_axes < MAX_AXES, "more axes than devices");
    cut.strides[cut.n_axes] = echo_attr_ints_get(parts, *at);
    cut.sizes[cut.n_axes++] = size;
    cut.n_parts *= size;
  }
  return cut;
}

/* The part of the whole, counted row by row, that a process has. */
static int64_t part_of(const EchoAttr *parts, int64_t process, int64_t *n_parts)
{
  int64_t part = 0;
  *n_parts = 1;
  for (size_t at = 0; at < echo_attr_ints_size(parts);) {
    Cut cut = next_cut(parts, &at);
    for (int64_t i = 0; i < cut.n_axes; i++)
      part = part * cut.sizes[i] + process / cut.strides[i] % cut.sizes[i];
    *n_parts *= cut.n_parts;
  }
  return part;
}

/* The parts along a leading dimension, row by row, each from the first process that has it. */
static EchoValue *gather_parts(EchoBuilder *b, const EchoProcesses *p, const EchoAttr *parts,
                               EchoValue *own)
{
  int64_t n = p->n_replicas * p->n_partitions, n_parts = 1;
  EchoValue *all = echo_gather_all(b, p, own);
  ECHO_VECTOR(EchoValue *) each = {0};
  part_of(parts, 0, &n_parts);
  for (int64_t part = 0; part < n_parts; part++) {
    int64_t process = 0;
    while (process < n && part_of(parts, process, &n_parts) != part)
      process++;
    echo_vector_push(&each, echo_hlo_slice_dim(b, all, 0, process, process + 1));
  }
  EchoValue *found = echo_hlo_concatenate(b, each.data, each.size, 0);
  echo_vector_destroy(&each);
  return found;
}

/* [n, d0, …] with n = a * parts as [a, .., parts * d, ..]: the parts lie along dimension `dim`. */
static EchoValue *spread(EchoBuilder *b, EchoValue *value, int64_t parts, size_t dim)
{
  int64_t split[ECHO_MAX_RANK + 2], order[ECHO_MAX_RANK + 2], joined[ECHO_MAX_RANK + 2];
  size_t rank = echo_type_rank(value->type);
  split[0] = echo_type_dim(value->type, 0) / parts;
  split[1] = parts;
  for (size_t i = 1; i < rank; i++)
    split[i + 1] = echo_type_dim(value->type, i);
  for (size_t i = 0, next = 0; i < rank + 1; i++) {
    next += next == 1;
    order[i] = i == dim + 1 ? 1 : (int64_t)next++;
  }
  for (size_t i = 0; i < rank; i++)
    joined[i] = i == 0 ? split[0] : echo_type_dim(value->type, i) * (i == dim + 1 ? parts : 1);
  EchoValue *moved = echo_hlo_transpose(b, echo_hlo_reshape(b, value, split, rank + 1), order);
  return echo_hlo_reshape(b, moved, joined, rank);
}

/* The whole of which this process has `own`. */
static EchoValue *whole_of(EchoBuilder *b, const EchoProcesses *p, const EchoAttr *parts,
                           EchoValue *own, const EchoType *whole)
{
  int64_t n_parts, counts[ECHO_MAX_RANK], dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(whole), at = 0;
  part_of(parts, 0, &n_parts);
  if (n_parts == 1)
    return own;
  EchoValue *value = gather_parts(b, p, parts, own);
  for (size_t d = 0; d < rank; d++) {
    counts[d] = next_cut(parts, &at).n_parts;
    dims[d] = echo_type_dim(whole, d);
  }
  for (size_t d = rank; d-- > 0;) /* the last dimension's parts follow each other fastest */
    if (counts[d] != 1)
      value = spread(b, value, counts[d], d);
  return echo_hlo_reshape(b, value, dims, rank);
}

/* The part of `whole` that this process has. */
static EchoValue *part_of_whole(EchoBuilder *b, const EchoAttr *parts, EchoValue *whole,
                                const EchoType *part)
{
  int64_t n_parts, dims[ECHO_MAX_RANK];
  EchoValue *starts[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(part), at = 0;
  part_of(parts, 0, &n_parts);
  if (n_parts == 1)
    return whole;
  EchoValue *process = echo_call_rank(b);
  for (size_t d = 0; d < rank; d++) {
    Cut cut = next_cut(parts, &at);
    EchoValue *index = echo_hlo_constant_i64(b, process->type, 0);
    for (int64_t i = 0; i < cut.n_axes; i++) {
      EchoValue *size = echo_hlo_constant_i64(b, process->type, cut.sizes[i]);
      EchoValue *stride = echo_hlo_constant_i64(b, process->type, cut.strides[i]);
      EchoValue *place = echo_hlo_remainder(b, echo_hlo_divide(b, process, stride), size);
      index = echo_hlo_add(b, echo_hlo_multiply(b, index, size), place);
    }
    dims[d] = echo_type_dim(part, d);
    starts[d] = echo_hlo_multiply(b, index, echo_hlo_constant_i64(b, process->type, dims[d]));
  }
  return echo_hlo_dynamic_slice(b, whole, starts, dims);
}

/* ---- a manual computation ---- */

/* Its parts would be parts of a part. */
static bool check_is_outermost(const EchoOp *manual)
{
  for (const EchoOp *op = echo_op_parent(manual); op != NULL; op = echo_op_parent(op))
    if (echo_op_is(op, "sdy.manual_computation"))
      return echo_op_error(manual, "stands inside of another");
  return true;
}

static bool inline_parts(EchoOp *module, const EchoProcesses *p, EchoOp *manual)
{
  EchoBlock *inside = echo_op_body(manual, 0);
  EchoBuilder b = echo_builder_before(manual);
  for (uint32_t i = 0; i < manual->n_operands; i++) {
    const EchoAttr *parts = echo_manual_parts_or_null(module, manual, false, i);
    if (parts == NULL)
      return false;
    EchoValue *own =
        part_of_whole(&b, parts, echo_op_operand(manual, i), echo_block_arg(inside, i)->type);
    echo_value_replace_all_uses(echo_block_arg(inside, i), own);
  }
  while (inside->first != inside->last)
    echo_op_move_before(inside->first, manual);
  for (uint32_t i = 0; i < manual->n_results; i++) {
    const EchoAttr *parts = echo_manual_parts_or_null(module, manual, true, i);
    if (parts == NULL)
      return false;
    EchoValue *all =
        whole_of(&b, p, parts, echo_op_operand(inside->last, i), echo_op_result_type(manual, i));
    echo_value_replace_all_uses(echo_op_result(manual, i), all);
  }
  echo_op_erase(manual);
  return true;
}

/* ---- main's arguments and results ---- */

/* The type of a part; NULL where the parts are not equal. */
static const EchoType *part_type_or_null(EchoContext *ctx, const EchoAttr *parts,
                                         const EchoType *whole)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(whole), at = 0, size = echo_attr_ints_size(parts);
  for (size_t d = 0; d < rank; d++) {
    int64_t n_parts = next_cut(parts, &at).n_parts;
    dims[d] = echo_type_dim(whole, d);
    if (dims[d] % n_parts != 0)
      return NULL;
    dims[d] /= n_parts;
  }
  return at == size ? echo_hlo_tensor(ctx, dims, rank, echo_type_element(whole)) : NULL;
}

/* What a sharding makes of a value of main's, or an error. */
static const EchoAttr *read_parts_or_null(EchoOp *module, const EchoOp *main,
                                          const EchoAttr *sharding, const EchoType *whole,
                                          const char *what, size_t i, const EchoType **part)
{
  EchoContext *ctx = echo_op_context(module);
  const EchoAttr *parts = echo_parts_or_null(module, sharding, 0);
  *part = NULL;
  if (parts != NULL && echo_type_is_tensor(whole) && echo_type_has_static_shape(whole))
    *part = part_type_or_null(ctx, parts, whole);
  if (*part == NULL)
    echo_op_error(main,
                  "has %s #%zu of '%s' with a sharding that is not understood or does not "
                  "cut it into equal parts",
                  what, i, echo_type_text(ctx, whole));
  return *part != NULL ? parts : NULL;
}

static bool gather_argument(EchoOp *module, const EchoProcesses *p, EchoOp *main, size_t i)
{
  EchoBlock *body = echo_op_body(main, 0);
  const EchoAttr *sharding = echo_func_arg_attr_or_null(main, i, "sdy.sharding");
  if (echo_func_arg_attr_or_null(main, i, "mhlo.sharding") != NULL)
    return echo_op_error(main,
                         "has argument #%zu with a sharding of the partitioner before Shardy "
                         "(jax_use_shardy_partitioner)",
                         i);
  if (sharding == NULL)
    return true;
  EchoValue *own = echo_block_arg(body, (uint32_t)i);
  const EchoType *whole = own->type, *part;
  const EchoAttr *parts = read_parts_or_null(module, main, sharding, whole, "argument", i, &part);
  if (parts == NULL)
    return false;
  echo_func_set_arg_attr(main, i, "sdy.sharding", NULL);
  echo_func_set_arg_attr(main, i, ECHO_PARTS, parts);
  if (part == whole)
    return true;
  EchoBuilder b = echo_builder_before(body->first);
  EchoOp *hold = echo_build_op(&b, "stablehlo.optimization_barrier", &own, 1, &whole, 1, NULL, 0);
  echo_value_replace_all_uses(own, echo_op_result(hold, 0));
  echo_op_set_operand(hold, 0, own);
  echo_value_set_type(own, part);
  b = echo_builder_before(hold);
  echo_value_replace_all_uses(echo_op_result(hold, 0), whole_of(&b, p, parts, own, whole));
  echo_op_erase(hold);
  return true;
}

static bool cut_results(EchoOp *module, EchoOp *main)
{
  EchoContext *ctx = echo_op_context(main);
  EchoOp *end = echo_op_body(main, 0)->last;
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  ECHO_VECTOR(const EchoAttr *) own = {0};
  bool ok = true;
  for (uint32_t i = 0; all != NULL && ok && i < end->n_operands; i++) {
    const EchoAttr *attrs = all->as.array.elements[i];
    const EchoAttr *sharding =
        attrs != NULL ? echo_dictionary_get_or_null(attrs, "sdy.sharding") : NULL;
    if (sharding != NULL) {
      const EchoType *part;
      EchoValue *whole = echo_op_operand(end, i);
      const EchoAttr *parts =
          read_parts_or_null(module, main, sharding, whole->type, "result", i, &part);
      ok = parts != NULL;
      EchoBuilder b = echo_builder_before(end);
      if (ok)
        echo_op_set_operand(end, i, part_of_whole(&b, parts, whole, part));
      attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("sdy.sharding"), NULL);
      attrs = ok ? echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_PARTS), parts) : attrs;
    }
    echo_vector_push(&own, attrs);
  }
  if (ok && all != NULL)
    echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
  return ok;
}

/* The place of an argument takes a result only of the same type. */
static void drop_aliases(EchoOp *main)
{
  const EchoBlock *body = echo_op_body(main, 0);
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(main, i, "tf.aliasing_output");
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER && alias->as.integer.value >= 0 &&
        alias->as.integer.value < body->last->n_operands &&
        echo_op_operand_type(body->last, (uint32_t)alias->as.integer.value) !=
            echo_block_arg(body, i)->type)
      echo_func_set_arg_attr(main, i, "tf.aliasing_output", NULL);
  }
}

/* What only says where a value should lie. */
static bool is_hint(const EchoOp *op)
{
  return echo_op_is(op, "sdy.sharding_constraint") || echo_op_is(op, "sdy.reshard") ||
         echo_op_is(op, "sdy.propagation_barrier");
}

bool echo_gather_for_each(EchoOp *module, EchoOp *main, const EchoProcesses *p)
{
  ECHO_VECTOR(EchoOp *) ops = {0};
  bool ok = true;
  for (EchoOp *op = module; ok && op != NULL; op = echo_op_walk_next(module, op))
    if (is_hint(op) || echo_op_is(op, "sdy.manual_computation")) {
      ok = is_hint(op) || check_is_outermost(op);
      echo_vector_push(&ops, op);
    }
  for (size_t i = 0; ok && i < ops.size; i++) {
    if (is_hint(ops.data[i])) {
      echo_value_replace_all_uses(echo_op_result(ops.data[i], 0), echo_op_operand(ops.data[i], 0));
      echo_op_erase(ops.data[i]);
    } else {
      ok = inline_parts(module, p, ops.data[i]);
    }
  }
  echo_vector_destroy(&ops);
  for (size_t i = 0; ok && i < echo_op_body(main, 0)->n_args; i++)
    ok = gather_argument(module, p, main, i);
  ok = ok && cut_results(module, main);
  if (ok) {
    drop_aliases(main);
    echo_set_type_of_body(main);
  }
  return ok;
}
