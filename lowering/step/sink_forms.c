/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Forms of arrays, and what a broadcast is in another form than its own. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "lowering/step/sink_updates_t.h"

const EchoType *echo_sink_array_type(EchoContext *ctx, const EchoType *form, const EchoType *like)
{
  if (echo_type_same_dims(form, like))
    return like;
  return echo_type_with_element(ctx, form, like->as.shaped.element);
}

const EchoType *echo_sink_slice_type(EchoContext *ctx, const EchoType *form, const EchoType *like)
{
  const EchoType *array = echo_sink_array_type(ctx, form, like);
  int64_t dims[ECHO_MAX_RANK] = {1};
  size_t rank = echo_type_rank(form);
  for (size_t d = 1; d < rank; ++d)
    dims[d] = echo_type_dim(form, d);
  return echo_type_tensor(ctx, dims, rank, array->as.shaped.element, array->as.shaped.encoding);
}

/* Dimensions [first, end) of one type hold the same elements as those of the other. */
typedef struct Seam {
  size_t first[2], end[2];
} Seam;

/* The next dimensions of both that end at one place; false where there is none. Dimensions of size
 * 1 belong to what is before them. */
static bool next_seam(const EchoType *const types[2], Seam *seam)
{
  int64_t size[2] = {1, 1};
  for (size_t s = 0; s < 2; ++s) {
    seam->first[s] = seam->end[s];
    if (seam->end[s] < echo_type_rank(types[s]))
      size[s] = echo_type_dim(types[s], seam->end[s]++);
  }
  while (size[0] != size[1]) {
    size_t s = size[0] < size[1] ? 0 : 1;
    if (size[s] == 0 || seam->end[s] == echo_type_rank(types[s]))
      return false;
    size[s] *= echo_type_dim(types[s], seam->end[s]++);
  }
  for (size_t s = 0; s < 2; ++s)
    while (seam->end[s] < echo_type_rank(types[s]) && echo_type_dim(types[s], seam->end[s]) == 1)
      ++seam->end[s];
  return true;
}

/* Which dimensions of the operand lie in the result's [first, end): all that have more than one
 * element (`*all`), or none. */
static bool covers(const EchoOp *op, EchoDimList places, const Seam *seam, size_t *next, bool *all)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  int64_t n_operand = 1, n_result = 1;
  for (size_t d = seam->first[0]; d < seam->end[0]; ++d)
    n_result *= echo_type_dim(result, d);
  for (; *next < places.size && places.dims[*next] < (int64_t)seam->end[0]; ++*next)
    n_operand *= echo_type_dim(operand, *next);
  *all = n_operand == n_result;
  return *all || n_operand == 1;
}

bool echo_sink_broadcast(const EchoOp *op, const EchoType *form, EchoSinkBroadcast *broadcast)
{
  EchoDimList places = echo_stablehlo_dims(op, "broadcast_dimensions");
  const EchoType *const types[2] = {echo_op_result_type(op, 0), form};
  Seam seam = {0};
  size_t next = 0;
  *broadcast = (EchoSinkBroadcast){0};
  for (size_t d = 1; d < places.size; ++d)
    if (places.dims[d] <= places.dims[d - 1])
      return false;
  while (seam.end[0] < echo_type_rank(types[0]) || seam.end[1] < echo_type_rank(form)) {
    bool all;
    if (!next_seam(types, &seam) || !covers(op, places, &seam, &next, &all))
      return false;
    for (size_t d = seam.first[1]; d < seam.end[1] && all; ++d) {
      broadcast->places[broadcast->rank] = (int64_t)d;
      broadcast->dims[broadcast->rank++] = echo_type_dim(form, d);
    }
  }
  return true;
}
