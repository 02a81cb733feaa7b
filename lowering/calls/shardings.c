/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shardings, as Shardy writes them. */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "dialects/sdy/shardings.h"
#include "ir/symbol.h"
#include "lowering/calls/collectives_t.h"

EchoProcesses echo_processes_of(const EchoOp *module)
{
  return (EchoProcesses){echo_op_attr_i64(module, "mhlo.num_replicas", 1),
                         echo_op_attr_i64(module, "mhlo.num_partitions", 1)};
}

typedef ECHO_VECTOR(int64_t) Numbers;

/* The text of a mesh; NULL: there is no such mesh. */
static const EchoAttr *mesh_or_null(const EchoOp *module, EchoStr mesh)
{
  EchoContext *ctx = echo_op_context(module);
  if (echo_str_starts_with(mesh, "mesh<"))
    return echo_attr_opaque(ctx, ECHO_STR("sdy"), mesh, true);
  const EchoOp *op =
      echo_symbol_lookup_or_null((EchoOp *)(uintptr_t)module, echo_attr_symbol(ctx, mesh));
  const EchoAttr *attr = op != NULL ? echo_op_attr_or_null(op, "mesh") : NULL;
  return attr != NULL && attr->kind == ECHO_ATTR_OPAQUE ? attr : NULL;
}

/* `"x"=2` in the mesh's text: the axis's size and how many devices one step along it passes, in the
 * mesh's own order of them. False where there is no such axis, or the mesh is not one of the
 * module's processes; on one of a single device, as a function that was exported for one says,
 * nothing is cut. */
static bool find_axis(const EchoOp *module, EchoStr mesh, EchoStr axis, int64_t *stride,
                      int64_t *size)
{
  const EchoProcesses processes = echo_processes_of(module);
  const EchoAttr *attr = mesh_or_null(module, mesh);
  if (attr == NULL)
    return false;
  EchoStr rest = attr->as.opaque.text, name;
  bool is_there = false;
  const int64_t all = processes.n_replicas * processes.n_partitions;
  int64_t left = all;
  for (int64_t n; echo_sdy_next_axis(&rest, &name, &n);) {
    if (n == 0 || left % n != 0)
      return false;
    left /= n;
    if (is_there)
      *stride *= n;
    if (echo_str_equal(name, axis)) {
      is_there = true;
      *stride = 1;
      *size = n;
    }
  }
  return is_there && (left == 1 || left == all);
}

/* Whether an axis, or a piece of it, cuts or is summed over already. */
static bool is_used(const Numbers *numbers, int64_t stride, int64_t size)
{
  for (size_t at = 0; at < numbers->size;) {
    int64_t n = numbers->data[at++];
    for (n = n < 0 ? -n : n; n > 0; --n, at += 2) {
      int64_t own = numbers->data[at], own_size = numbers->data[at + 1];
      if (size != 1 && own_size != 1 && stride < own * own_size && own < stride * size)
        return true;
    }
  }
  return false;
}

/* `"x"` in the text of manual_axes. */
static bool is_among(EchoStr axes, EchoStr axis)
{
  for (size_t i = 0; i + axis.size + 2 <= axes.size; i++)
    if (axes.data[i] == '"' && axes.data[i + axis.size + 1] == '"' &&
        memcmp(axes.data + i + 1, axis.data, axis.size) == 0)
      return true;
  return false;
}

/* One text of a sharding while it is read. */
typedef struct Reader {
  const EchoOp *module;
  EchoStr mesh;
  EchoStr manual; /* nothing is said of other axes; empty: of all */
  const char *at;
  Numbers *out;
  Numbers *open; /* dimensions with `?`; NULL: nobody asks */
} Reader;

/* `"x"` or `"x":(2)4`, the piece of four that comes behind one of two; out->data[count] goes on by
 * `step`. False where the mesh has no such axis, or it is used twice. */
static bool read_axis(Reader *r, size_t count, int64_t step)
{
  EchoStr axis = {r->at + 1, strcspn(r->at + 1, "\"")};
  int64_t stride = 1, size = 1;
  r->at = axis.data + axis.size;
  if (*r->at != '"' || !find_axis(r->module, r->mesh, axis, &stride, &size))
    return false;
  r->at++;
  if (r->at[0] == ':' && r->at[1] == '(') {
    char *end;
    int64_t before = strtoll(r->at + 2, &end, 10);
    int64_t piece = *end == ')' ? strtoll(end + 1, &end, 10) : 0;
    if (before < 1 || piece < 1 || size % before != 0 || size / before % piece != 0)
      return false;
    stride *= size / before / piece;
    size = piece;
    r->at = end;
  }
  if (r->manual.size != 0 && !is_among(r->manual, axis))
    return true;
  if (is_used(r->out, stride, size))
    return false;
  echo_vector_push(r->out, stride);
  echo_vector_push(r->out, size);
  r->out->data[count] += step;
  return true;
}

/* `{"x", "y", ?}p1`: a number of axes, negative with `step`, and their strides and sizes;
 * *is_open where more may cut. */
static bool read_axes(Reader *r, int64_t step, bool *is_open)
{
  size_t count = r->out->size;
  echo_vector_push(r->out, 0);
  *is_open = false;
  for (r->at++; *r->at != '}';)
    if (*r->at == '\0' || (*r->at == '"' && !read_axis(r, count, step))) {
      return false;
    } else if (*r->at != '}') {
      *is_open |= *r->at == '?';
      r->at++;
    }
  r->at++;
  return true;
}

/* `<@mesh, [{"x", "y"}, {}], unreduced={"z"}>`; r->at moves behind it. */
static bool read_sharding(Reader *r)
{
  static const char SUM[] = "unreduced={";
  const char *at = echo_sdy_find_mesh(r->at, &r->mesh);
  r->at = at != NULL ? strchr(at, '[') : NULL;
  if (r->at == NULL)
    return false;
  bool is_open = false;
  for (int64_t dim = 0; *r->at != ']';)
    if (*r->at == '{') {
      if (!read_axes(r, 1, &is_open))
        return false;
      if (is_open && r->open != NULL)
        echo_vector_push(r->open, dim);
      dim++;
    } else if (*r->at == '\0') {
      return false;
    } else {
      r->at++;
    }
  const char *end = strchr(r->at, '>'), *sum = strstr(r->at, SUM);
  if (end == NULL)
    return false;
  if (sum != NULL && sum < end) {
    r->at = sum + sizeof SUM - 2;
    if (!read_axes(r, -1, &is_open))
      return false;
    if (r->out->data[r->out->size - 1] == 0) /* over no axis */
      r->out->size--;
  }
  r->at = end + 1;
  return true;
}

/* `device_ids=[3, 1, 0, 2]` of the mesh; NULL: it has none. False where they are not each of the
 * module's processes once. One alone is where a value lies that is not divided. */
static bool read_order(const EchoOp *module, EchoStr mesh, const EchoAttr **order)
{
  const EchoProcesses processes = echo_processes_of(module);
  const EchoAttr *attr = mesh_or_null(module, mesh);
  const int64_t n = processes.n_replicas * processes.n_partitions;
  Numbers ids = {0};
  EchoBuffer text = {0};
  *order = NULL;
  if (attr == NULL)
    return true;
  echo_buffer_append_str(&text, attr->as.opaque.text);
  const char *at = strstr(echo_buffer_c_str(&text), "device_ids=[");
  const bool has_any = at != NULL;
  at = has_any ? at + sizeof "device_ids=[" - 1 : NULL;
  while (has_any && *at >= '0' && *at <= '9') {
    char *end;
    echo_vector_push(&ids, strtoll(at, &end, 10));
    at = end + strspn(end, ", ");
  }
  bool ok =
      !has_any || ids.size == 1 || ((int64_t)ids.size == n && echo_order_fits(ids.data, ids.size));
  if (ok && ids.size > 1)
    *order = echo_attr_i64_array(echo_op_context(module), ids.data, ids.size);
  echo_buffer_destroy(&text);
  echo_vector_destroy(&ids);
  return ok;
}

bool echo_sharding_read(const EchoOp *module, const EchoAttr *shardings, size_t i,
                        const EchoAttr *manual_or_null, EchoSharding *sharding)
{
  EchoContext *ctx = echo_op_context(module);
  EchoBuffer text = {0};
  Numbers numbers = {0}, open = {0};
  Reader reader = {.module = module, .out = &numbers, .open = &open};
  if (shardings->kind == ECHO_ATTR_OPAQUE)
    echo_buffer_append_str(&text, shardings->as.opaque.text);
  if (manual_or_null != NULL && manual_or_null->kind == ECHO_ATTR_OPAQUE)
    reader.manual = manual_or_null->as.opaque.text;
  reader.at = echo_buffer_c_str(&text);
  *sharding = (EchoSharding){0};
  bool ok = true;
  for (size_t k = 0; ok && k <= i; k++) {
    numbers.size = open.size = 0;
    ok = read_sharding(&reader);
  }
  ok = ok && read_order(module, reader.mesh, &sharding->order);
  if (ok)
    sharding->parts = echo_attr_i64_array(ctx, numbers.data, numbers.size);
  if (ok && open.size != 0)
    sharding->open = echo_attr_i64_array(ctx, open.data, open.size);
  echo_buffer_destroy(&text);
  echo_vector_destroy(&numbers);
  echo_vector_destroy(&open);
  return ok;
}

bool echo_sharding_misses_mesh(const EchoOp *module, const EchoAttr *sharding, EchoStr *mesh)
{
  if (sharding == NULL || sharding->kind != ECHO_ATTR_OPAQUE)
    return false;
  EchoStr text = sharding->as.opaque.text; /* uniqued, and ends in a NUL */
  for (const char *at = text.data; (at = echo_sdy_find_mesh(at, mesh)) != NULL;)
    if (mesh_or_null(module, *mesh) == NULL)
      return true;
  return false;
}

int64_t echo_sharding_device(const EchoOp *module, const EchoAttr *sharding)
{
  static const char IDS[] = "device_ids=[";
  EchoBuffer text = {0};
  int64_t device = -1;
  if (sharding->kind == ECHO_ATTR_OPAQUE)
    echo_buffer_append_str(&text, sharding->as.opaque.text);
  EchoStr name;
  const EchoAttr *mesh = echo_sdy_find_mesh(echo_buffer_c_str(&text), &name) != NULL
                             ? mesh_or_null(module, name)
                             : NULL;
  echo_buffer_clear(&text);
  if (mesh != NULL)
    echo_buffer_append_str(&text, mesh->as.opaque.text);
  const char *ids = strstr(echo_buffer_c_str(&text), IDS);
  if (ids != NULL && strchr(echo_buffer_c_str(&text), '"') == NULL) {
    char *end;
    device = strtoll(ids + sizeof IDS - 1, &end, 10);
    device = *end == ']' ? device : -1;
  }
  echo_buffer_destroy(&text);
  return device;
}

const EchoAttr *echo_manual_axes_or_null(const EchoOp *module, const EchoOp *manual)
{
  const EchoAttr *axes = echo_op_attr_or_null(manual, "manual_axes");
  const EchoAttr *ins = echo_op_attr_or_null(manual, "in_shardings");
  const EchoAttr *outs = echo_op_attr_or_null(manual, "out_shardings");
  EchoBuffer text = {0}, shardings = {0};
  Numbers numbers = {0};
  Reader reader = {.module = module, .out = &numbers};
  bool is_open, ok = axes->kind == ECHO_ATTR_OPAQUE && ins->kind == ECHO_ATTR_OPAQUE &&
                     outs->kind == ECHO_ATTR_OPAQUE;
  if (ok) {
    echo_buffer_append_str(&text, axes->as.opaque.text);
    echo_buffer_append_str(&shardings, ins->as.opaque.text);
    echo_buffer_append_str(&shardings, outs->as.opaque.text);
    const char *list = strchr(echo_buffer_c_str(&text), '{');
    echo_sdy_find_mesh(echo_buffer_c_str(&shardings), &reader.mesh);
    reader.at = list;
    ok = list != NULL &&
         read_axes(&reader, 1, &is_open); /* with neither operand nor result there are none */
  }
  const EchoAttr *parts =
      ok ? echo_attr_i64_array(echo_op_context(module), numbers.data, numbers.size) : NULL;
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&shardings);
  echo_vector_destroy(&numbers);
  return parts;
}
