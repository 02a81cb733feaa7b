/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/sdy/shardings.h"

#include <string.h>

#include "dialects/echo/stages.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/symbol.h"

/* `=2`, `[2` or `,2`; 0 where it is no number. */
static int64_t read_size(EchoStr text)
{
  int64_t size = 0;
  for (size_t i = 1; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
    if (__builtin_mul_overflow(size, (int64_t)10, &size) ||
        __builtin_add_overflow(size, (int64_t)(text.data[i] - '0'), &size))
      return 0;
  return text.size != 0 && memchr("=[,", *text.data, 3) != NULL ? size : 0;
}

bool echo_sdy_next_axis(EchoStr *rest, EchoStr *name, int64_t *size)
{
  const char *begin = rest->size != 0 ? memchr(rest->data, '"', rest->size) : NULL;
  if (begin == NULL)
    return false;
  const char *all = rest->data + rest->size;
  const char *end = memchr(begin + 1, '"', (size_t)(all - begin - 1));
  if (end == NULL)
    return false;
  *name = (EchoStr){begin + 1, (size_t)(end - begin - 1)};
  *rest = (EchoStr){end + 1, (size_t)(all - end - 1)};
  *size = read_size(*rest);
  return true;
}

int64_t echo_sdy_mesh_size(const EchoAttr *mesh)
{
  EchoStr rest = mesh->as.opaque.text, name;
  int64_t n = 1, size;
  while (echo_sdy_next_axis(&rest, &name, &size))
    if (__builtin_mul_overflow(n, size, &n))
      return 0;
  return n;
}

const char *echo_sdy_find_mesh(const char *text, EchoStr *mesh)
{
  const char *named = strstr(text, "<@"), *written = strstr(text, "<mesh<");
  if (written != NULL && (named == NULL || written < named)) {
    const char *end = strchr(written, '>');
    if (end != NULL)
      *mesh = (EchoStr){written + 1, (size_t)(end - written)};
    return end != NULL ? end + 1 : NULL;
  }
  if (named == NULL)
    return NULL;
  *mesh = (EchoStr){named + 2, strcspn(named + 2, ",>")};
  return mesh->data + mesh->size;
}

/* ---- how many devices ---- */

static int64_t size_of(EchoOp *module, EchoStr mesh)
{
  EchoContext *ctx = echo_op_context(module);
  if (echo_str_starts_with(mesh, "mesh<"))
    return echo_sdy_mesh_size(echo_attr_opaque(ctx, ECHO_STR("sdy"), mesh, true));
  const EchoOp *op = echo_symbol_lookup_or_null(module, echo_attr_symbol(ctx, mesh));
  const EchoAttr *attr =
      op != NULL && echo_op_is(op, "sdy.mesh") ? echo_op_attr_or_null(op, "mesh") : NULL;
  return attr != NULL ? echo_sdy_mesh_size(attr) : 0;
}

/* The tiles of `{devices=[2,4]<=[8]}`, as XLA's own partitioner is told; of several such texts the
 * most. */
static int64_t n_tiles(EchoStr text)
{
  static const char KEY[] = "devices=[";
  const size_t size = sizeof KEY - 1;
  int64_t most = 0;
  for (size_t i = 0; i + size <= text.size; i++) {
    if (memcmp(text.data + i, KEY, size) != 0)
      continue;
    int64_t n = 1;
    for (i += size - 1; i < text.size && text.data[i] != ']'; i++) {
      bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';
      if (!is_digit &&
          __builtin_mul_overflow(n, read_size((EchoStr){text.data + i, text.size - i}), &n))
        n = 0;
    }
    most = n > most ? n : most;
  }
  return most;
}

/* Of what an attribute names, or those in it do. */
static int64_t most_named(EchoOp *module, const EchoAttr *attr)
{
  int64_t most = 0;
  if (attr == NULL)
    return 0;
  if (attr->kind == ECHO_ATTR_DICTIONARY) {
    for (size_t i = 0; i < attr->as.dictionary.size; i++) {
      const EchoNamedAttr *entry = &attr->as.dictionary.entries[i];
      int64_t n =
          echo_str_is(entry->name, "mhlo.sharding") && entry->value->kind == ECHO_ATTR_STRING
              ? n_tiles(entry->value->as.string)
              : most_named(module, entry->value);
      most = n > most ? n : most;
    }
  } else if (attr->kind == ECHO_ATTR_ARRAY) {
    for (size_t i = 0; i < attr->as.array.size; i++) {
      int64_t n = most_named(module, attr->as.array.elements[i]);
      most = n > most ? n : most;
    }
  } else if (attr->kind == ECHO_ATTR_OPAQUE && echo_str_is(attr->as.opaque.dialect, "sdy")) {
    EchoStr mesh;
    for (const char *at = attr->as.opaque.text.data;
         (at = echo_sdy_find_mesh(at, &mesh)) != NULL;) {
      int64_t n = size_of(module, mesh);
      most = n > most ? n : most;
    }
  }
  return most;
}

int64_t echo_sdy_n_devices(EchoOp *module)
{
  int64_t named = 0, declared = 0;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    const EchoAttr *mesh = echo_op_is(op, "sdy.mesh") ? echo_op_attr_or_null(op, "mesh") : NULL;
    const EchoAttr *const both[] = {op->properties, op->attrs};
    int64_t n = mesh != NULL ? echo_sdy_mesh_size(mesh) : 0;
    declared = n > declared ? n : declared;
    for (size_t i = 0; mesh == NULL && i < 2; i++) {
      n = most_named(module, both[i]);
      named = n > named ? n : named;
    }
  }
  return named != 0 ? named : declared;
}

const EchoAttr *echo_sdy_wanted_or_null(const EchoOp *op)
{
  if (op == NULL || op->info == NULL || strncmp(op->info->name, "sdy.", 4) != 0)
    return NULL;
  if (echo_op_is(op, "sdy.sharding_constraint") || echo_op_is(op, "sdy.reshard"))
    return echo_op_attr_or_null(op, "sharding");
  return echo_op_attr_or_null(op, "out_sharding");
}

bool echo_sdy_wants_sharding(const EchoOp *op)
{
  return echo_sdy_wanted_or_null(op) != NULL;
}

bool echo_sdy_is_edge(const EchoOp *op)
{
  return echo_op_is(op, "sdy.propagation_barrier") || echo_op_is(op, "sdy.data_flow_edge") ||
         echo_op_is(op, "sdy.func_data_flow_edge");
}

static bool has_sharding(const EchoAttr *attrs)
{
  return attrs != NULL && (echo_dictionary_get_or_null(attrs, "sdy.sharding") != NULL ||
                           echo_dictionary_get_or_null(attrs, "mhlo.sharding") != NULL);
}

/* Of an argument or a result. */
static bool has_sharding_of_value(const EchoOp *function)
{
  static const char *const names[] = {"arg_attrs", "res_attrs"};
  for (size_t k = 0; k < 2; k++) {
    const EchoAttr *all = echo_op_attr_or_null(function, names[k]);
    for (size_t i = 0; all != NULL && i < all->as.array.size; i++)
      if (has_sharding(all->as.array.elements[i]))
        return true;
  }
  return false;
}

bool echo_sdy_is_sharded(const EchoOp *module)
{
  for (EchoOp *op = (EchoOp *)(uintptr_t)module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation") || echo_sdy_wants_sharding(op) ||
        echo_op_has_attr(op, "sdy.sharding") || echo_op_has_attr(op, "mhlo.sharding") ||
        (echo_op_is(op, "func.func") && has_sharding_of_value(op)))
      return true;
  return false;
}

/* What --lower-collectives makes of one. */
static bool is_lowered_collective(const EchoOp *op)
{
  return echo_op_is(op, "stablehlo.custom_call") &&
         echo_str_starts_with(echo_op_attr_string(op, "call_target_name"), "echo.mpi.");
}

bool echo_sdy_names_processes(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation") || echo_hlo_is_collective(op) ||
        is_lowered_collective(op))
      return true;
  return false;
}
