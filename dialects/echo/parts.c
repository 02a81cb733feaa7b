/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/echo/parts.h"

#include "base/bitset.h"
#include "ir/attributes/type.h"
#include "ir/diagnostics.h"

bool echo_parts_fit(const EchoAttr *parts, const EchoType *type, int64_t n_processes)
{
  if (parts->kind != ECHO_ATTR_DENSE_ARRAY ||
      parts->as.dense_array.element->kind != ECHO_TYPE_INTEGER || !echo_type_is_tensor(type))
    return false;
  size_t at = 0, size = echo_attr_ints_size(parts), rank = echo_type_rank(type);
  int64_t left = n_processes;
  for (size_t d = 0; at < size; d++) {
    int64_t n = echo_attr_ints_get(parts, at++);
    bool is_sum = n < 0;
    if (n == INT64_MIN || (!is_sum && d >= rank))
      return false;
    n = is_sum ? -n : n;
    if ((uint64_t)n > (size - at) / 2)
      return false;
    for (; n > 0; n--, at += 2) {
      int64_t stride = echo_attr_ints_get(parts, at), axis = echo_attr_ints_get(parts, at + 1);
      if (stride < 1 || axis < 1 || axis > left)
        return false;
      left /= axis;
    }
    if (is_sum)
      return at == size;
  }
  return true;
}

static void add_axis(EchoCut *cut, int64_t stride, int64_t size)
{
  if (size == 1)
    return;
  ECHO_CHECK(cut->n_axes < ECHO_MAX_CUT_AXES, "more axes than devices");
  cut->axes[cut->n_axes].stride = stride;
  cut->axes[cut->n_axes++].size = size;
  cut->n_parts *= size;
}

EchoCut echo_parts_next_cut(const EchoAttr *parts, size_t *at)
{
  EchoCut cut = {.n_parts = 1};
  if (*at == echo_attr_ints_size(parts) || echo_attr_ints_get(parts, *at) < 0)
    return cut;
  for (int64_t n = echo_attr_ints_get(parts, (*at)++); n > 0; n--, *at += 2)
    add_axis(&cut, echo_attr_ints_get(parts, *at), echo_attr_ints_get(parts, *at + 1));
  return cut;
}

/* Where the dimensions end. */
static size_t end_of_dims(const EchoAttr *parts)
{
  size_t at = 0, size = echo_attr_ints_size(parts);
  while (at < size && echo_attr_ints_get(parts, at) >= 0)
    at += 1 + 2 * (size_t)echo_attr_ints_get(parts, at);
  return at;
}

EchoCut echo_parts_sum(const EchoAttr *parts)
{
  EchoCut cut = {.n_parts = 1};
  for (size_t at = end_of_dims(parts) + 1; at < echo_attr_ints_size(parts); at += 2)
    add_axis(&cut, echo_attr_ints_get(parts, at), echo_attr_ints_get(parts, at + 1));
  return cut;
}

EchoCut echo_parts_cut(const EchoAttr *parts)
{
  EchoCut all = {.n_parts = 1};
  for (size_t at = 0, end = end_of_dims(parts); at < end;) {
    EchoCut cut = echo_parts_next_cut(parts, &at);
    for (size_t i = 0; i < cut.n_axes; i++)
      add_axis(&all, cut.axes[i].stride, cut.axes[i].size);
  }
  return all;
}

int64_t echo_cut_part(const EchoCut *cut, int64_t process)
{
  int64_t part = 0;
  for (size_t i = 0; i < cut->n_axes; i++)
    part = part * cut->axes[i].size + process / cut->axes[i].stride % cut->axes[i].size;
  return part;
}

int64_t echo_cut_process(const EchoCut *cut, int64_t part)
{
  int64_t process = 0;
  for (size_t i = cut->n_axes; i-- > 0; part /= cut->axes[i].size)
    process += part % cut->axes[i].size * cut->axes[i].stride;
  return process;
}

bool echo_order_fits(const int64_t *processes, size_t n)
{
  EchoBitset there;
  bool ok = true;
  echo_bitset_create(&there, n);
  for (size_t i = 0; ok && i < n; i++) {
    ok = processes[i] >= 0 && (uint64_t)processes[i] < n &&
         !echo_bitset_has(&there, (size_t)processes[i]);
    if (ok)
      echo_bitset_set(&there, (size_t)processes[i]);
  }
  echo_bitset_destroy(&there);
  return ok;
}

int64_t echo_order_place(const EchoAttr *order, int64_t process)
{
  int64_t place = 0;
  if (order == NULL)
    return process;
  while (echo_attr_ints_get(order, (size_t)place) != process)
    place++;
  return place;
}
