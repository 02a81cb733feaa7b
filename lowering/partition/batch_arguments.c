/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which of main's arguments and results are parts of the batch: by name, or by the shardings that
 * JAX writes. */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "dialects/func/build.h"
#include "ir/diagnostics.h"
#include "lowering/partition/batch_arguments_t.h"

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

bool echo_batch_read_names(const EchoOp *main, EchoStr names, int64_t n, EchoSplit *args)
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
    ok = check_dim(main, "argument", arg, echo_block_arg(body, arg)->type, dim, n);
    args[arg] = (EchoSplit){.kind = ECHO_SPLIT_PART, .dim = (uint8_t)dim, .outer = 1};
  }
  echo_buffer_destroy(&text);
  return ok;
}

/* ---- by shardings ---- */

/* The one dimension that all processes divide, in their order; none: whole. False for anything
 * else. */
static bool split_of_parts(const EchoAttr *parts, int64_t n, EchoSplit *split)
{
  size_t size = echo_attr_ints_size(parts);
  *split = (EchoSplit){.kind = ECHO_SPLIT_WHOLE};
  for (size_t at = 0, d = 0; at < size; d++) {
    int64_t left = n, stride = 1, axis = 1;
    if (echo_attr_ints_get(parts, at) < 0) /* summands */
      return false;
    for (int64_t k = echo_attr_ints_get(parts, at++); k > 0; --k, at += 2) {
      stride = echo_attr_ints_get(parts, at);
      axis = echo_attr_ints_get(parts, at + 1);
      if (axis != 1 && stride * axis != left)
        return false;
      left /= axis;
    }
    if (left == n)
      continue;
    if (left != 1 || split->kind != ECHO_SPLIT_WHOLE)
      return false;
    *split = (EchoSplit){.kind = ECHO_SPLIT_PART, .dim = (uint8_t)d, .outer = 1};
  }
  return true;
}

static bool read_parts(const EchoOp *main, const EchoAttr *parts, const char *what, uint32_t i,
                       const EchoType *type, int64_t n, EchoSplit *split)
{
  if (!split_of_parts(parts, n, split))
    return echo_op_error(main,
                         "has a sharding of %s #%u that does not divide one dimension among all "
                         "%lld processes: write what each device does with jax.shard_map",
                         what, i, (long long)n);
  return split->kind == ECHO_SPLIT_WHOLE || check_dim(main, what, i, type, split->dim, n);
}

bool echo_batch_read_shardings(const EchoOp *main, int64_t n, EchoSplit *args)
{
  const EchoBlock *body = echo_op_body(main, 0);
  bool ok = true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoAttr *parts = echo_func_arg_attr_or_null(main, i, ECHO_READ_SHARDING);
    if (parts != NULL)
      ok &= read_parts(main, parts, "argument", i, echo_block_arg(body, i)->type, n, &args[i]);
  }
  return ok;
}

/* ---- results ---- */

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

bool echo_batch_read_results(const EchoOp *main, int64_t n, const EchoSplit *args,
                             EchoSplit *results)
{
  const EchoOp *end = echo_op_body(main, 0)->last;
  const EchoAttr *attrs = echo_op_attr_or_null(main, "res_attrs");
  bool ok = true;
  for (uint32_t i = 0; i < end->n_operands; i++) {
    const EchoAttr *own = attrs != NULL ? attrs->as.array.elements[i] : NULL;
    const EchoAttr *parts =
        own != NULL ? echo_dictionary_get_or_null(own, ECHO_READ_SHARDING) : NULL;
    int64_t argument = aliased_argument(main, i);
    if (argument >= 0)
      results[i] = args[argument];
    else if (parts != NULL)
      ok &= read_parts(main, parts, "result", i, echo_op_operand_type(end, i), n, &results[i]);
    else if (results[i].kind == ECHO_SPLIT_PARTIAL ||
             (results[i].kind == ECHO_SPLIT_PART && results[i].outer != 1))
      results[i] = (EchoSplit){.kind = ECHO_SPLIT_WHOLE};
  }
  return ok;
}
