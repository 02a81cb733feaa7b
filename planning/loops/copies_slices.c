/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slices that copies begin at: of one array, one size and the same strides, that lie as far from
 * each other; the one that lies first is the first copy's. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/copies_t.h"

#include <stdlib.h>

static const int64_t *starts_of(const EchoOp *slice)
{
  return echo_stablehlo_dims(slice, "start_indices").dims;
}

int64_t echo_copies_stride(const EchoOp *slice, size_t dim)
{
  EchoDimList strides = echo_stablehlo_dims(slice, "strides");
  return dim < strides.size ? strides.dims[dim] : 1;
}

static bool is_of_group(const EchoCopiesSliceGroup *group, const EchoOp *op, size_t dim)
{
  const EchoOp *other = group->slices.data[0];
  bool holds = group->dim == dim && echo_op_operand(other, 0) == echo_op_operand(op, 0) &&
               echo_op_result_type(other, 0) == echo_op_result_type(op, 0);
  for (size_t d = 0; d < echo_type_rank(echo_op_result_type(op, 0)) && holds; ++d)
    holds = echo_copies_stride(other, d) == echo_copies_stride(op, d) &&
            (d == dim || starts_of(other)[d] == starts_of(op)[d]);
  return holds;
}

static void add_slice(EchoCopiesSliceGroups *groups, EchoOp *op, size_t dim)
{
  const EchoType *type = echo_op_result_type(op, 0);
  uint64_t hash = echo_hash_combine(echo_key(echo_op_operand(op, 0)), echo_key(type) + dim);
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    hash = echo_hash_combine(echo_hash_combine(hash, (uint64_t)echo_copies_stride(op, d)),
                             d == dim ? 0 : (uint64_t)starts_of(op)[d]);
  uint32_t first = (uint32_t)echo_map_get_or(&groups->by_hash, hash, 0), i = first;
  while (i != 0 && !is_of_group(&groups->all.data[i - 1], op, dim))
    i = groups->all.data[i - 1].next;
  if (i == 0) {
    echo_vector_push(&groups->all, ((EchoCopiesSliceGroup){.dim = dim, .next = first}));
    i = (uint32_t)groups->all.size;
    echo_map_set(&groups->by_hash, hash, i);
  }
  echo_vector_push(&groups->all.data[i - 1].slices, op);
}

/* Once for each dimension that it could begin elsewhere in. */
static void add_slices(EchoCopiesSliceGroups *groups, EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0), *array = echo_op_operand_type(op, 0);
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (echo_type_dim(type, d) != echo_type_dim(array, d))
      add_slice(groups, op, d);
}

static int compare(const void *a, const void *b)
{
  EchoOp *const *x = a, *const *y = b;
  const int64_t *from = starts_of(*x), *to = starts_of(*y);
  for (size_t d = 0; d < echo_type_rank(echo_op_result_type(*x, 0)); ++d)
    if (from[d] != to[d])
      return from[d] < to[d] ? -1 : 1;
  return 0;
}

bool echo_copies_are_one_place(const EchoCopiesSliceGroup *group, size_t i, size_t k)
{
  return compare(&group->slices.data[i], &group->slices.data[k]) == 0;
}

bool echo_copies_slice(EchoOp *const *slices, size_t n, EchoCopiesSlice *slice)
{
  bool any = false;
  for (size_t d = 0; d < echo_type_rank(echo_op_result_type(slices[0], 0)); ++d) {
    int64_t step = starts_of(slices[1])[d] - starts_of(slices[0])[d];
    for (size_t i = 1; i < n; ++i)
      if (starts_of(slices[i])[d] - starts_of(slices[i - 1])[d] != step)
        return false;
    if (step != 0 && any)
      return false;
    if (step != 0)
      *slice = (EchoCopiesSlice){d, step};
    any |= step != 0;
  }
  return any;
}

/* Sorts the slices, those that begin at one place side by side, and counts the places. */
static void count_copies(EchoCopiesSliceGroup *group)
{
  EchoDataflowOrder firsts = {0};
  EchoCopiesSlice slice;
  qsort(group->slices.data, group->slices.size, sizeof(EchoOp *), compare);
  for (size_t i = 0; i < group->slices.size; ++i)
    if (i == 0 || compare(&group->slices.data[i - 1], &group->slices.data[i]) != 0)
      echo_vector_push(&firsts, group->slices.data[i]);
  if (firsts.size > 1 && echo_copies_slice(firsts.data, firsts.size, &slice))
    group->n_copies = (int64_t)firsts.size;
  echo_vector_destroy(&firsts);
}

void echo_copies_find_slices(const EchoBlock *block, EchoCopiesSliceGroups *groups)
{
  for (EchoOp *op = block->first; op != block->last; op = op->next)
    if (echo_hlo_opcode(op) == ECHO_HLO_SLICE)
      add_slices(groups, op);
  for (size_t i = 0; i < groups->all.size; ++i)
    count_copies(&groups->all.data[i]);
}

void echo_copies_destroy_slices(EchoCopiesSliceGroups *groups)
{
  for (size_t i = 0; i < groups->all.size; ++i)
    echo_vector_destroy(&groups->all.data[i].slices);
  for (size_t i = 0; i < groups->chains.size; ++i)
    echo_vector_destroy(&groups->chains.data[i].slices);
  echo_vector_destroy(&groups->all);
  echo_vector_destroy(&groups->chains);
  echo_map_destroy(&groups->by_hash);
}
