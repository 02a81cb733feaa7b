/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Growable arrays: `ECHO_VECTOR(int) v = {0}; echo_vector_push(&v, 3);`. Elements move on growth,
 * so no pointer into a vector may be held across a push. */
#ifndef ECHO_BASE_VECTOR_H
#define ECHO_BASE_VECTOR_H

#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_VECTOR(Type)                                                                          \
  struct {                                                                                         \
    Type *data;                                                                                    \
    size_t size, capacity;                                                                         \
  }

/* The new data pointer, with room for at least `needed` elements; updates *capacity. */
void *echo_vector_grow(void *data, size_t *capacity, size_t needed, size_t element_bytes);

#define echo_vector_reserve(vector, needed)                                                        \
  ((void)((needed) <= (vector)->capacity ||                                                        \
          ((vector)->data = (__typeof__((vector)->data))echo_vector_grow(                          \
               (vector)->data, &(vector)->capacity, (needed), sizeof(*(vector)->data)),            \
           0)))
#define echo_vector_push(vector, ...)                                                              \
  (echo_vector_reserve((vector), (vector)->size + 1),                                              \
   (void)((vector)->data[(vector)->size++] = (__VA_ARGS__)))
#define echo_vector_pop(vector) ((vector)->data[--(vector)->size])
#define echo_vector_last(vector) ((vector)->data[(vector)->size - 1])
#define echo_vector_clear(vector) ((void)((vector)->size = 0))
#define echo_vector_destroy(vector)                                                                \
  (echo_free((vector)->data), (vector)->data = NULL, (vector)->size = (vector)->capacity = 0)

#ifdef __cplusplus
}
#endif

#endif
