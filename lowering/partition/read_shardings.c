/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --read-shardings: what Shardy or GSPMD say of main's arguments and results, as numbers, while the
 * mesh that they speak of is there. */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/lowering.h"
#include "lowering/partition/batch_arguments_t.h"

/* GSPMD's text: "{replicated}", "{devices=[4,1]<=[4]}", "{devices=[4,1]0,1,2,3}": all processes
 * along one dimension, in their order. NULL for anything else. */
static const EchoAttr *parts_of_text_or_null(EchoContext *ctx, EchoStr sharding, int64_t n)
{
  static const char BEGIN[] = "{devices=[";
  if (echo_str_is(sharding, "{replicated}"))
    return echo_attr_i64_array(ctx, NULL, 0);
  if (!echo_str_starts_with(sharding, BEGIN))
    return NULL;
  EchoBuffer text = {0}, order = {0}, listed = {0};
  ECHO_VECTOR(int64_t) parts = {0};
  echo_buffer_append_str(&text, sharding);
  char *at = text.data + sizeof BEGIN - 1, last = ',';
  bool ok = echo_buffer_c_str(&text) != NULL;
  for (; ok && last == ','; last = *at != '\0' ? *at++ : '\0') {
    int64_t size = strtoll(at, &at, 10);
    ok = size == 1 || size == n;
    echo_vector_push(&parts, size == 1 ? 0 : 1);
    if (size != 1) {
      echo_vector_push(&parts, 1);
      echo_vector_push(&parts, size);
    }
  }
  echo_buffer_printf(&order, "<=[%lld]}", (long long)n);
  for (int64_t i = 0; i < n; i++)
    echo_buffer_printf(&listed, "%lld%c", (long long)i, i + 1 < n ? ',' : '}');
  ok = ok && last == ']' &&
       (strcmp(at, echo_buffer_c_str(&order)) == 0 || strcmp(at, echo_buffer_c_str(&listed)) == 0);
  const EchoAttr *attr = ok ? echo_attr_i64_array(ctx, parts.data, parts.size) : NULL;
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&order);
  echo_buffer_destroy(&listed);
  echo_vector_destroy(&parts);
  return attr;
}

/* An argument's or a result's attributes with the sharding read; NULL after an error. */
static const EchoAttr *read_or_null(const EchoOp *module, const EchoOp *main, const EchoAttr *attrs,
                                    const char *what, uint32_t i, int64_t n)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoAttr *sdy = echo_dictionary_get_or_null(attrs, "sdy.sharding");
  const EchoAttr *mhlo = echo_dictionary_get_or_null(attrs, "mhlo.sharding"), *parts = NULL;
  if (sdy == NULL && mhlo == NULL)
    return attrs;
  if (sdy != NULL)
    parts = echo_parts_or_null(module, sdy, 0, NULL);
  else if (mhlo->kind == ECHO_ATTR_STRING)
    parts = parts_of_text_or_null(ctx, mhlo->as.string, n);
  if (parts == NULL) {
    echo_op_error(main,
                  "has a sharding of %s #%u that is not understood: write what each device does "
                  "with jax.shard_map",
                  what, i);
    return NULL;
  }
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("sdy.sharding"), NULL);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("mhlo.sharding"), NULL);
  return echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_READ_SHARDING), parts);
}

static bool read_all(const EchoOp *module, EchoOp *main, const char *name, const char *what,
                     int64_t n)
{
  const EchoAttr *all = echo_op_attr_or_null(main, name);
  ECHO_VECTOR(const EchoAttr *) own = {0};
  bool ok = true;
  for (uint32_t i = 0; all != NULL && i < all->as.array.size; i++) {
    const EchoAttr *attrs = read_or_null(module, main, all->as.array.elements[i], what, i, n);
    ok &= attrs != NULL;
    echo_vector_push(&own, attrs);
  }
  if (ok && own.size != 0)
    echo_op_set_attr(main, name, echo_attr_array(echo_op_context(main), own.data, own.size));
  echo_vector_destroy(&own);
  return ok;
}

bool echo_read_shardings(EchoOp *module, EchoOp *main, int64_t n)
{
  bool ok = read_all(module, main, "arg_attrs", "argument", n);
  return read_all(module, main, "res_attrs", "result", n) && ok;
}

static bool run(EchoPassRun *pass)
{
  EchoOp *module = pass->op, *main = echo_module_main_or_null(module);
  const EchoProcesses processes = echo_processes_of(module);
  return main == NULL || echo_read_shardings(module, main, processes.n_partitions);
}

const EchoPass ECHO_PASS_READ_SHARDINGS = {
    .name = "read-shardings",
    .summary = "shardings of main as numbers, for --partition-batch",
    .anchor = "builtin.module",
    .run = run,
};
