/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shardings, as Shardy writes them. */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "ir/symbol.h"
#include "lowering/calls/collectives_t.h"

EchoProcesses echo_processes_of(const EchoOp *module)
{
  return (EchoProcesses){echo_op_attr_i64(module, "mhlo.num_replicas", 1),
                         echo_op_attr_i64(module, "mhlo.num_partitions", 1)};
}

typedef ECHO_VECTOR(int64_t) Numbers;

/* `"x"=2` in the mesh's text: the axis's size and how many devices one step along it passes. False
 * where there is no such axis, or the mesh is not one of the module's processes in their order. */
static bool find_axis(const EchoOp *module, EchoStr mesh, EchoStr axis, int64_t *stride,
                      int64_t *size)
{
  EchoContext *ctx = echo_op_context(module);
  const EchoProcesses processes = echo_processes_of(module);
  const EchoOp *op =
      echo_symbol_lookup_or_null((EchoOp *)(uintptr_t)module, echo_attr_symbol(ctx, mesh));
  const EchoAttr *attr = op != NULL ? echo_op_attr_or_null(op, "mesh") : NULL;
  if (attr == NULL || attr->kind != ECHO_ATTR_OPAQUE)
    return false;
  EchoBuffer text = {0};
  echo_buffer_append_str(&text, attr->as.opaque.text);
  bool ok = strstr(echo_buffer_c_str(&text), "device_ids") == NULL, is_there = false;
  int64_t left = processes.n_replicas * processes.n_partitions;
  for (const char *at = echo_buffer_c_str(&text); ok && (at = strchr(at, '"')) != NULL;) {
    const char *end = strchr(at + 1, '"');
    int64_t n = end != NULL && end[1] == '=' ? strtoll(end + 2, NULL, 10) : 0;
    ok = n > 0 && left % n == 0;
    if (!ok)
      break;
    left /= n;
    if (is_there)
      *stride *= n;
    if (echo_str_equal((EchoStr){at + 1, (size_t)(end - at - 1)}, axis)) {
      is_there = true;
      *stride = 1;
      *size = n;
    }
    at = end + 1;
  }
  echo_buffer_destroy(&text);
  return ok && is_there && left == 1;
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

/* `{"x", "y", ?}p1`: a number of axes, negative with `step`, and their strides and sizes. A
 * dimension that is open is as it is written. */
static bool read_axes(Reader *r, int64_t step)
{
  size_t count = r->out->size;
  echo_vector_push(r->out, 0);
  for (r->at++; *r->at != '}';)
    if (*r->at == '\0' || (*r->at == '"' && !read_axis(r, count, step)))
      return false;
    else if (*r->at != '}')
      r->at++;
  r->at++;
  return true;
}

/* `<@mesh, [{"x", "y"}, {}], unreduced={"z"}>`; r->at moves behind it. */
static bool read_sharding(Reader *r)
{
  static const char SUM[] = "unreduced={";
  const char *at = strstr(r->at, "<@");
  if (at == NULL)
    return false;
  r->mesh = (EchoStr){at + 2, strcspn(at + 2, ",>")};
  r->at = strchr(at, '[');
  if (r->at == NULL)
    return false;
  while (*r->at != ']')
    if (*r->at == '\0' || (*r->at == '{' && !read_axes(r, 1)))
      return false;
    else if (*r->at != ']')
      r->at++;
  const char *end = strchr(r->at, '>'), *sum = strstr(r->at, SUM);
  if (end == NULL)
    return false;
  if (sum != NULL && sum < end) {
    r->at = sum + sizeof SUM - 2;
    if (!read_axes(r, -1))
      return false;
    if (r->out->data[r->out->size - 1] == 0) /* over no axis */
      r->out->size--;
  }
  r->at = end + 1;
  return true;
}

const EchoAttr *echo_parts_or_null(const EchoOp *module, const EchoAttr *shardings, size_t i,
                                   const EchoAttr *manual_or_null)
{
  EchoBuffer text = {0};
  Numbers numbers = {0};
  Reader reader = {.module = module, .out = &numbers};
  if (shardings->kind == ECHO_ATTR_OPAQUE)
    echo_buffer_append_str(&text, shardings->as.opaque.text);
  if (manual_or_null != NULL && manual_or_null->kind == ECHO_ATTR_OPAQUE)
    reader.manual = manual_or_null->as.opaque.text;
  reader.at = echo_buffer_c_str(&text);
  bool ok = true;
  for (size_t k = 0; ok && k <= i; k++) {
    numbers.size = 0;
    ok = read_sharding(&reader);
  }
  const EchoAttr *attr =
      ok ? echo_attr_i64_array(echo_op_context(module), numbers.data, numbers.size) : NULL;
  echo_buffer_destroy(&text);
  echo_vector_destroy(&numbers);
  return attr;
}
