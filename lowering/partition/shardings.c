/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How main's arguments and results, what constraints want, and what manual computations take and
 * give are cut: by name, or by the shardings that JAX writes. */
#include "lowering/partition/shardings_t.h"

#include <stdlib.h>
#include <string.h>

#include "dialects/func/build.h"
#include "dialects/sdy/shardings.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"

static bool check_dim(const EchoOp *main, const char *what, uint32_t i, const EchoType *type,
                      int64_t dim, int64_t n)
{
  if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type) || dim < 0 ||
      (size_t)dim >= echo_type_rank(type))
    return echo_op_error(main, "is split along dimension %lld of %s #%u, which '%s' has not",
                         (long long)dim, what, i, echo_type_text(echo_op_context(main), type));
  if (echo_type_dim(type, (size_t)dim) % n != 0)
    return echo_op_error(main,
                         "is split along dimension %lld of %s #%u, '%s', which %lld processes do "
                         "not divide: take another batch size, or as many processes as divide it",
                         (long long)dim, what, i, echo_type_text(echo_op_context(main), type),
                         (long long)n);
  return true;
}

/* ---- by name ---- */

/* "arg3", "arg3:1", "3:1": an argument, and a dimension of it. *text moves behind it. */
static bool read_argument(const char **text, uint32_t n_args, uint32_t *arg, int64_t *dim)
{
  const char *at = strncmp(*text, "arg", 3) == 0 ? *text + 3 : *text;
  char *end;
  unsigned long number = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : n_args;
  if (number >= n_args)
    return false;
  *arg = (uint32_t)number;
  *dim = 0;
  if (*end == ':') {
    if (end[1] < '0' || end[1] > '9')
      return false;
    *dim = strtoll(end + 1, &end, 10);
  }
  *text = end + (*end == ',');
  return *end == ',' || *end == '\0';
}

bool echo_batch_read_names(EchoSplits *splits, const EchoOp *main, EchoStr names,
                           const EchoSplit **args)
{
  const EchoBlock *body = echo_op_body(main, 0);
  EchoBuffer text = {0};
  echo_buffer_append_str(&text, names);
  bool ok = true;
  for (const char *at = echo_buffer_c_str(&text); ok && *at != '\0';) {
    uint32_t arg;
    int64_t dim;
    if (!read_argument(&at, body->n_args, &arg, &dim)) {
      ok = echo_op_error(main,
                         "has %u arguments, and '%s' is none of them: the batch is named as "
                         "arg0,arg3:1, an argument and its dimension (0 where none is said)",
                         body->n_args, at);
      break;
    }
    const EchoType *type = echo_block_arg(body, arg)->type;
    ok = check_dim(main, "argument", arg, type, dim, splits->n_processes);
    if (!ok)
      break;
    EchoSplit split = echo_split_none(); /* all processes are one digit: no sharding was read */
    split.at[0] = (EchoPlace){.dim = (uint8_t)dim,
                              .span = echo_type_dim(type, (size_t)dim) / splits->n_processes};
    args[arg] = echo_split_keep(splits, &split);
  }
  echo_buffer_destroy(&text);
  return ok;
}

/* ---- by shardings ---- */

/* Why `parts` are no split of the value. */
static bool refuse(const EchoSplits *splits, const EchoOp *op, const EchoAttr *parts,
                   const char *what, uint32_t i, const EchoType *type)
{
  size_t at = 0;
  for (size_t d = 0; d < echo_type_rank(type); d++)
    if (!check_dim(op, what, i, type, (int64_t)d, echo_parts_next_cut(parts, &at).n_parts))
      return false;
  return echo_op_error(op,
                       "has a sharding of %s #%u whose axes lie across those of others among the "
                       "%lld processes: use meshes whose axes nest",
                       what, i, (long long)splits->n_processes);
}

/* What the one that reads an argument wants of it, of whose own nothing is said: so it comes. NULL:
 * there are more, or it says nothing either. */
static const EchoAttr *parts_of_reader_or_null(const EchoValue *argument)
{
  const EchoUse *use = argument->first_use;
  const EchoAttr *read = use != NULL && use->next == NULL
                             ? echo_op_attr_or_null(use->owner, ECHO_READ_SHARDING)
                             : NULL;
  if (read == NULL || echo_op_has_attr(use->owner, ECHO_OPEN_DIMS) || echo_is_for_one(use->owner))
    return NULL;
  return echo_op_is(use->owner, "sdy.manual_computation")
             ? read->as.array.elements[1 + echo_use_operand_index(use)]
             : read;
}

bool echo_arguments_read(EchoSplits *splits, const EchoOp *main, const EchoSplit **args)
{
  const EchoBlock *body = echo_op_body(main, 0);
  bool ok = true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoAttr *parts = echo_func_arg_attr_or_null(main, i, ECHO_READ_SHARDING);
    const EchoType *type = echo_block_arg(body, i)->type;
    args[i] = NULL;
    const EchoAttr *wanted =
        parts == NULL ? parts_of_reader_or_null(echo_block_arg(body, i)) : NULL;
    if (!echo_type_is_tensor(type))
      continue;
    if (parts != NULL && !echo_split_of_parts(splits, parts, type, &args[i]))
      ok = refuse(splits, main, parts, "argument", i, type);
    if (wanted != NULL && !echo_split_of_parts(splits, wanted, type, &args[i]))
      args[i] = NULL;
  }
  return ok;
}

/* The argument whose place result `i` takes; -1: none. */
static int64_t aliased_argument(const EchoOp *main, uint32_t i)
{
  for (uint32_t k = 0; k < echo_op_body(main, 0)->n_args; k++) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(main, k, "tf.aliasing_output");
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER && alias->as.integer.value == i)
      return k;
  }
  return -1;
}

/* As a sharding can say it: no sums, and each dimension cut from its outermost on. */
static const EchoSplit *as_handed_out(EchoSplits *splits, const EchoSplit *split,
                                      const EchoType *type)
{
  split = echo_split_without_sums(splits, split);
  return echo_type_is_tensor(type) && echo_split_is_plain(splits, split, type) ? split : NULL;
}

bool echo_results_read(EchoSplits *splits, const EchoOp *main, const EchoSplit *const *args,
                       const EchoSplit **results)
{
  const EchoOp *end = echo_op_body(main, 0)->last;
  const EchoAttr *attrs = echo_op_attr_or_null(main, "res_attrs");
  bool ok = true;
  for (uint32_t i = 0; i < end->n_operands; i++) {
    const EchoAttr *own = attrs != NULL ? attrs->as.array.elements[i] : NULL;
    const EchoAttr *parts =
        own != NULL ? echo_dictionary_get_or_null(own, ECHO_READ_SHARDING) : NULL;
    const EchoAttr *open = own != NULL ? echo_dictionary_get_or_null(own, ECHO_OPEN_DIMS) : NULL;
    const EchoType *type = echo_op_operand_type(end, i);
    const EchoSplit *has = as_handed_out(splits, results[i], type), *check;
    int64_t argument = aliased_argument(main, i);
    results[i] = has;
    if (argument >= 0) {
      results[i] = args[argument];
    } else if (parts != NULL && echo_type_is_tensor(type)) {
      if (!echo_split_of_parts(splits, parts, type, &check))
        ok = refuse(splits, main, parts, "result", i, type);
      else
        results[i] = echo_constrained(splits, parts, open, has, type);
    }
  }
  return ok;
}

/* ---- constraints ---- */

bool echo_is_constraint(const EchoOp *op)
{
  return echo_sdy_wants_sharding(op) || echo_sdy_is_edge(op) ||
         (echo_op_is(op, "stablehlo.custom_call") &&
          echo_str_is(echo_op_attr_string(op, "call_target_name"), "Sharding"));
}

const EchoSplit *echo_constrained(EchoSplits *splits, const EchoAttr *parts, const EchoAttr *open,
                                  const EchoSplit *has, const EchoType *type)
{
  const EchoSplit *want = NULL;
  if (!echo_split_of_parts(splits, parts, type, &want))
    want = NULL; /* dimensions that are not divided are had whole */
  if (open == NULL || has == NULL)
    return want;
  EchoSplit both = echo_split_copy(want);
  for (size_t a = 0; a < splits->n_digits; a++)
    for (size_t k = 0; k < echo_attr_ints_size(open); k++)
      if (both.at[a].dim == ECHO_AT_NONE && has->at[a].dim == echo_attr_ints_get(open, k) &&
          echo_split_has_room(splits, &both, a, has->at[a], echo_type_dim(type, has->at[a].dim)))
        both.at[a] = has->at[a];
  return echo_split_keep(splits, &both);
}

/* ---- manual computations ---- */

/* Whether a digit is of the axes. */
static bool is_digit_of(const EchoSplits *splits, size_t digit, const EchoAttr *axes)
{
  const EchoCut cut = echo_parts_cut(axes);
  int64_t stride = splits->digits[digit].stride;
  for (size_t i = 0; i < cut.n_axes; i++)
    if (stride >= cut.axes[i].stride && stride < cut.axes[i].stride * cut.axes[i].size)
      return true;
  return false;
}

bool echo_manual_split(EchoSplits *splits, const EchoOp *manual, bool of_results, uint32_t i,
                       const EchoSplit **split, const EchoSplit **inside)
{
  const EchoAttr *read = echo_op_attr_or_null(manual, ECHO_READ_SHARDING);
  const EchoAttr *axes = read->as.array.elements[0];
  const EchoAttr *parts = read->as.array.elements[1 + (of_results ? manual->n_operands : 0) + i];
  const EchoValue *own =
      of_results ? echo_op_operand(echo_op_body(manual, 0)->last, i) : echo_op_operand(manual, i);
  const EchoType *type = of_results ? echo_op_result_type(manual, i) : own->type;
  const EchoType *part = of_results ? own->type : echo_block_arg(echo_op_body(manual, 0), i)->type;
  const char *what = of_results ? "result" : "operand";
  *split = *inside = NULL;
  if (!echo_type_is_tensor(type) && echo_attr_ints_size(parts) == 0) /* a token: each has its own */
    return true;
  if (echo_part_type_or_null(echo_op_context(manual), parts, type) != part)
    return echo_op_error(manual, "has %s #%u of '%s', of which its sharding does not make '%s'",
                         what, i, echo_type_text(echo_op_context(manual), type),
                         echo_type_text(echo_op_context(manual), part));
  if (!echo_split_of_parts(splits, parts, type, split))
    return refuse(splits, manual, parts, what, i, type);
  const EchoSplit *others = echo_split_without_sums(splits, echo_split_of(splits, own));
  EchoSplit all = echo_split_copy(*split), within = echo_split_none();
  for (size_t a = 0; others != NULL && a < splits->n_digits; a++) {
    if (!echo_place_cuts(others->at[a]) || is_digit_of(splits, a, axes) ||
        all.at[a].dim != ECHO_AT_NONE ||
        !echo_split_has_room(splits, &all, a, others->at[a],
                             echo_type_dim(type, others->at[a].dim)))
      continue;
    /* below what the axes of its own cut: the body sees it in its part */
    if (echo_type_dim(part, others->at[a].dim) % (others->at[a].span * splits->digits[a].size) != 0)
      continue;
    all.at[a] = within.at[a] = others->at[a];
  }
  *split = echo_split_keep(splits, &all);
  *inside = echo_split_keep(splits, &within);
  return true;
}

/* ---- calls around what each process does ---- */

static bool calls(const EchoOp *op, const char *target)
{
  return echo_op_is(op, "stablehlo.custom_call") && op->n_operands == 1 && op->n_results == 1 &&
         echo_str_is(echo_op_attr_string(op, "call_target_name"), target);
}

bool echo_goes_into_parts(const EchoOp *op)
{
  return calls(op, "SPMDFullToShardShape");
}

bool echo_is_shard_call(const EchoOp *op)
{
  return echo_goes_into_parts(op) || calls(op, "SPMDShardToFullShape");
}

bool echo_shard_call_split(EchoSplits *splits, const EchoOp *op, const EchoSplit **split)
{
  EchoContext *ctx = echo_op_context(op);
  const bool goes_in = echo_goes_into_parts(op);
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  const EchoType *whole = goes_in ? from : to, *part = goes_in ? to : from;
  const EchoAttr *parts = echo_op_attr_or_null(op, ECHO_READ_SHARDING);
  *split = NULL;
  if (parts == NULL || echo_part_type_or_null(ctx, parts, whole) != part)
    return echo_op_error(op, "has '%s' and '%s', which its sharding does not make of each other",
                         echo_type_text(ctx, whole), echo_type_text(ctx, part));
  return echo_split_of_parts(splits, parts, whole, split) ||
         refuse(splits, op, parts, goes_in ? "operand" : "result", 0, whole);
}
