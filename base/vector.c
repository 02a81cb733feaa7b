/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/vector.h"

void *echo_vector_grow(void *data, size_t *capacity, size_t needed, size_t element_bytes)
{
  enum { FIRST_CAPACITY = 8 };
  size_t grown = *capacity < FIRST_CAPACITY ? FIRST_CAPACITY : *capacity + *capacity / 2;
  if (grown < needed)
    grown = needed;
  void *moved = echo_realloc_array(data, grown, element_bytes);
  *capacity = grown;
  return moved;
}
