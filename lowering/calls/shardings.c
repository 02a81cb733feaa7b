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

/* Whether an axis, by its stride and size, cuts a dimension already. */
static bool is_used(const Numbers *numbers, int64_t stride, int64_t size)
{
  for (size_t at = 0; at < numbers->size;)
    for (int64_t n = numbers->data[at++]; n > 0; --n, at += 2)
      if (size != 1 && numbers->data[at] == stride && numbers->data[at + 1] == size)
        return true;
  return false;
}

/* `<@mesh, [{"x", "y"}, {}]>`: for each dimension the number of its axes, and their strides and
 * sizes. *text moves behind it. */
static bool read_sharding(const EchoOp *module, const char **text, Numbers *out)
{
  const char *at = strstr(*text, "<@");
  if (at == NULL)
    return false;
  EchoStr mesh = {at + 2, strcspn(at + 2, ",>")};
  at = strchr(at, '[');
  if (at == NULL)
    return false;
  for (at++; *at != ']' && *at != '\0'; at++) {
    if (*at != '{')
      continue;
    size_t count = out->size;
    echo_vector_push(out, 0);
    for (at++; *at != '}'; at++) {
      if (*at == '\0' || *at == '?' || *at == ':')
        return false;
      if (*at != '"')
        continue;
      EchoStr axis = {at + 1, strcspn(at + 1, "\"")};
      int64_t stride = 1, size = 1;
      if (!find_axis(module, mesh, axis, &stride, &size) || is_used(out, stride, size))
        return false;
      echo_vector_push(out, stride);
      echo_vector_push(out, size);
      out->data[count]++;
      at = axis.data + axis.size;
    }
  }
  /* "replicated={…}", "unreduced={…}" say nothing of where the parts lie */
  *text = strchr(at, '>');
  return *at == ']' && *text != NULL && ++*text != NULL;
}

const EchoAttr *echo_parts_or_null(const EchoOp *module, const EchoAttr *shardings, size_t i)
{
  EchoBuffer text = {0};
  Numbers numbers = {0};
  if (shardings->kind == ECHO_ATTR_OPAQUE)
    echo_buffer_append_str(&text, shardings->as.opaque.text);
  const char *at = echo_buffer_c_str(&text);
  bool ok = true;
  for (size_t k = 0; ok && k <= i; k++) {
    numbers.size = 0;
    ok = read_sharding(module, &at, &numbers);
  }
  const EchoAttr *attr =
      ok ? echo_attr_i64_array(echo_op_context(module), numbers.data, numbers.size) : NULL;
  echo_buffer_destroy(&text);
  echo_vector_destroy(&numbers);
  return attr;
}
