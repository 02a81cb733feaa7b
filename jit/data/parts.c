/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/data/parts.h"

#include <string.h>

#include "dialects/echo/parts.h"

const EchoType *echo_parts_whole_type(EchoContext *ctx, const EchoType *part, const EchoAttr *parts)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0, at = 0; d < echo_type_rank(part); d++)
    dims[d] = echo_type_dim(part, d) * echo_parts_next_cut(parts, &at).n_parts;
  return echo_type_tensor(ctx, dims, echo_type_rank(part), part->as.shaped.element, NULL);
}

/* Rows of the last dimension. */
void echo_parts_copy(void *whole, void *part, const EchoType *part_type, const EchoAttr *parts,
                     size_t skip, int64_t process, bool is_put)
{
  const size_t rank = echo_type_rank(part_type), bytes = echo_type_element_bytes(part_type);
  int64_t begin[ECHO_MAX_RANK] = {0}, at[ECHO_MAX_RANK] = {0}, strides[ECHO_MAX_RANK];
  int64_t stride = 1, row = rank == 0 ? 1 : echo_type_dim(part_type, rank - 1), n_rows = 1;
  for (size_t d = skip, next = 0; d < rank; d++) {
    const EchoCut cut = echo_parts_next_cut(parts, &next);
    begin[d] = echo_cut_part(&cut, process) * echo_type_dim(part_type, d);
    strides[d] = cut.n_parts;
  }
  for (size_t d = rank; d-- > 0;) {
    const int64_t size = echo_type_dim(part_type, d) * (d < skip ? 1 : strides[d]);
    strides[d] = stride;
    stride *= size;
    n_rows *= d + 1 < rank ? echo_type_dim(part_type, d) : 1;
  }
  for (int64_t i = 0; row != 0 && i < n_rows; i++) {
    int64_t offset = 0;
    for (size_t d = 0; d < rank; d++)
      offset += (begin[d] + at[d]) * strides[d];
    char *in_whole = (char *)whole + (size_t)offset * bytes;
    char *in_part = (char *)part + (size_t)(i * row) * bytes;
    memcpy(is_put ? in_whole : in_part, is_put ? in_part : in_whole, (size_t)row * bytes);
    for (size_t d = rank; d-- > 1 && ++at[d - 1] == echo_type_dim(part_type, d - 1);)
      at[d - 1] = 0;
  }
}
