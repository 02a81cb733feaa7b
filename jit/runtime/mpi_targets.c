/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets "echo.mpi.…". */
#include <string.h>

#include "ir/attributes/type.h"
#include "ir/diagnostics.h"
#include "jit/runtime/collective_calls_t.h"
#include "jit/runtime/mpi_t.h"
#include "jit/runtime/reduction_t.h"
#include "jit/runtime/sent_bytes_t.h"

enum { N_TAGS = 32768 }; /* any MPI has as many */

/* A value of one permutation does not come for another. */
static int tag_of(const EchoTargetCall *c)
{
  int64_t number = echo_collective_call_number(c->config);
  return number < 0 ? 0 : (int)(number % N_TAGS);
}

static const EchoMpiGroup *group_or_null(const EchoTargetCall *c)
{
  const EchoAttr *ranks =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "ranks") : NULL;
  const EchoAttr *size =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "group_size") : NULL;
  const EchoMpiGroup *group =
      ranks != NULL && size != NULL ? echo_mpi_group_or_null(ranks, size->as.integer.value) : NULL;
  if (group == NULL)
    echo_buffer_append_c(c->error, "its groups were not made before the run");
  return group;
}

static uint64_t bytes_of(const EchoType *type)
{
  return echo_type_static_bytes(type);
}

static uint64_t bytes_of_operands(const EchoTargetCall *c)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < c->n_operands; i++)
    bytes += bytes_of(c->operand_types[i]);
  return bytes;
}

/* One of MPI_Allgather and MPI_Alltoall, of so many bytes for each member; `from` may be
 * MPI_IN_PLACE. */
static bool spread(const EchoTargetCall *c, const char *name, const EchoMpiGroup *group,
                   EchoMpiArgument from, void *to, uint64_t bytes)
{
  const EchoMpiHandle byte = echo_mpi_constant(ECHO_MPI_BYTE);
  const EchoMpiArgument a[] = {
      from,        {.i = (int)bytes}, {.h = byte}, {.p = to}, {.i = (int)bytes},
      {.h = byte}, {.h = group->comm}};
  return echo_mpi_call(c->error, name, "pihpihh", a);
}

/* Operand i alone: each member sends and receives `bytes` of each; what a smaller group leaves is
 * zeros. */
static bool exchange_one(const EchoTargetCall *c, const char *name, const EchoMpiGroup *group,
                         size_t i, uint64_t bytes)
{
  uint64_t filled = bytes * (uint64_t)group->members, all = bytes_of(c->result_types[i]);
  if (!echo_mpi_check_count(bytes, c->error))
    return false;
  if (filled < all)
    memset((char *)c->results[i] + filled, 0, all - filled);
  return spread(c, name, group, (EchoMpiArgument){.p = c->operands[i]}, c->results[i], bytes);
}

/* Of every array its part of row 0, side by side, then of row 1, and so on; and back. */
static void pack(const void *const *arrays, const EchoType *const *types, size_t n, uint64_t n_rows,
                 char *rows)
{
  for (uint64_t row = 0; row < n_rows; row++)
    for (size_t i = 0; i < n; i++) {
      uint64_t part = bytes_of(types[i]) / n_rows;
      memcpy(rows, (const char *)arrays[i] + row * part, part);
      rows += part;
    }
}

static void unpack(void *const *arrays, const EchoType *const *types, size_t n, uint64_t n_rows,
                   const char *rows)
{
  for (uint64_t row = 0; row < n_rows; row++)
    for (size_t i = 0; i < n; i++) {
      uint64_t part = bytes_of(types[i]) / n_rows;
      memcpy((char *)arrays[i] + row * part, rows, part);
      rows += part;
    }
}

/* All operands at once, side by side in memory of the library's own; one after the other where that
 * is more than a call carries. A row of results for each member. */
static bool exchange(const EchoTargetCall *c, const char *name, bool gathers)
{
  const EchoMpiGroup *group = group_or_null(c);
  if (group == NULL)
    return false;
  const uint64_t size = (uint64_t)group->size, n_sent = gathers ? 1 : size;
  const uint64_t row = bytes_of_operands(c) / n_sent;
  bool ok = true;
  if (c->n_operands == 1 || row > ECHO_MPI_MAX_COUNT) {
    for (size_t i = 0; i < c->n_operands && ok; i++)
      ok = exchange_one(c, name, group, i, bytes_of(c->operand_types[i]) / n_sent);
    return ok;
  }
  char *from = echo_mpi_space((n_sent + size) * row), *to = from + n_sent * row;
  memset(to, 0, size * row);
  pack(c->operands, c->operand_types, c->n_operands, n_sent, from);
  ok = spread(c, name, group, (EchoMpiArgument){.p = from}, to, row);
  unpack(c->results, c->result_types, c->n_operands, size, to);
  return ok;
}

static bool run_all_gather(const EchoTargetCall *c)
{
  return exchange(c, "MPI_Allgather", true);
}

static bool run_all_to_all(const EchoTargetCall *c)
{
  return exchange(c, "MPI_Alltoall", false);
}

typedef struct Sum {
  const EchoTargetCall *call;
  const EchoMpiGroup *group;
  EchoReduction by;
  EchoElementKind kind;
  size_t bytes; /* of an element */
} Sum;

/* `n` elements of each member, one behind the other at `values`, into the first ones. */
static void fold(const Sum *sum, char *values, size_t n)
{
  for (int i = 1; i < sum->group->members; i++)
    echo_reduce(sum->by, sum->kind, values, values + (size_t)i * n * sum->bytes, n);
}

/* As many as fit the scratch memory at a time, or one: each member combines them all. */
static bool sum_few(const Sum *sum, const char *from, char *to, size_t n)
{
  size_t most = ECHO_MPI_SCRATCH / (size_t)sum->group->members;
  most = most == 0 ? 1 : most;
  bool ok = true;
  for (size_t at = 0; at < n && ok; at += most) {
    size_t count = n - at < most ? n - at : most;
    ok = spread(sum->call, "MPI_Allgather", sum->group,
                (EchoMpiArgument){.p = from + at * sum->bytes}, sum->group->scratch,
                count * sum->bytes);
    fold(sum, sum->group->scratch, count);
    memcpy(to + at * sum->bytes, sum->group->scratch, count * sum->bytes);
  }
  return ok;
}

/* A part for each member, `n` elements each: they go to it, are combined there, and come back. */
static bool sum_parts(const Sum *sum, const char *from, char *to, size_t n)
{
  size_t part = n * sum->bytes;
  if (!spread(sum->call, "MPI_Alltoall", sum->group, (EchoMpiArgument){.p = from}, to, part))
    return false;
  fold(sum, to, n);
  if (sum->group->place != 0)
    memcpy(to + (size_t)sum->group->place * part, to, part);
  return spread(sum->call, "MPI_Allgather", sum->group, echo_mpi_in_place(), to, part);
}

/* In blocks where there is more than a call carries. */
static bool sum_array(const Sum *sum, const char *from, char *to, size_t n)
{
  size_t members = (size_t)sum->group->members, at = 0;
  bool ok = true;
  while (n - at > ECHO_MPI_SCRATCH / members && n - at >= members && ok) {
    size_t part = (n - at) / members, most = ECHO_MPI_MAX_COUNT / sum->bytes;
    part = part < most ? part : most;
    ok = sum_parts(sum, from + at * sum->bytes, to + at * sum->bytes, part);
    at += part * members;
  }
  return ok && sum_few(sum, from + at * sum->bytes, to + at * sum->bytes, n - at);
}

/* Side by side in memory of the library's own, and back. */
static bool sum_together(const Sum *sum, uint64_t bytes)
{
  const EchoTargetCall *c = sum->call;
  char *from = echo_mpi_space(2 * bytes), *to = from + bytes, *at = from;
  for (size_t i = 0; i < c->n_operands; at += bytes_of(c->operand_types[i++]))
    memcpy(at, c->operands[i], bytes_of(c->operand_types[i]));
  bool ok = sum_array(sum, from, to, bytes / sum->bytes);
  at = to;
  for (size_t i = 0; i < c->n_operands; at += bytes_of(c->operand_types[i++]))
    memcpy(c->results[i], at, bytes_of(c->operand_types[i]));
  return ok;
}

/* From the first member of the group to the last, whatever else travels with an element: what MPI
 * itself sums it sums in an order that depends on the library, the size and the place. */
static bool run_all_reduce(const EchoTargetCall *c)
{
  const EchoMpiGroup *group = group_or_null(c);
  if (group == NULL)
    return false;
  const Sum sum = {.call = c,
                   .group = group,
                   .by = echo_reduction_of(c->config),
                   .kind = echo_type_element_kind(c->operand_types[0]),
                   .bytes = echo_type_element_bytes(c->operand_types[0])};
  if (c->n_operands > 1)
    return sum_together(&sum, bytes_of_operands(c));
  return sum_array(&sum, c->operands[0], c->results[0],
                   (size_t)echo_type_static_n_elements(c->operand_types[0]));
}

/* From the first of each group; zeros where there is none. */
static bool run_broadcast(const EchoTargetCall *c)
{
  const EchoMpiGroup *group = group_or_null(c);
  uint64_t bytes = bytes_of(c->operand_types[0]);
  if (group == NULL || !echo_mpi_check_count(bytes, c->error))
    return false;
  if (group->members == 0) {
    memset(c->results[0], 0, bytes);
    return true;
  }
  memcpy(c->results[0], c->operands[0], bytes);
  const EchoMpiArgument a[] = {{.p = c->results[0]},
                               {.i = (int)bytes},
                               {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
                               {.i = 0},
                               {.h = group->comm}};
  return echo_mpi_call(c->error, "MPI_Bcast", "pihih", a);
}

/* Both ways at once where the process sends and receives; to whom nobody sends, zeros come. */
static bool run_permute(const EchoTargetCall *c)
{
  const EchoAttr *pairs = echo_dictionary_get_or_null(c->config, "ranks");
  uint64_t bytes = bytes_of(c->operand_types[0]);
  const int tag = tag_of(c);
  int to = -1, from = -1;
  for (size_t i = 0; i + 1 < echo_attr_ints_size(pairs); i += 2) {
    if (echo_attr_ints_get(pairs, i) == echo_mpi_rank())
      to = (int)echo_attr_ints_get(pairs, i + 1);
    if (echo_attr_ints_get(pairs, i + 1) == echo_mpi_rank())
      from = (int)echo_attr_ints_get(pairs, i);
  }
  if (!echo_mpi_check_count(bytes, c->error))
    return false;
  if (from < 0)
    memset(c->results[0], 0, bytes);
  if (from == echo_mpi_rank())
    memcpy(c->results[0], c->operands[0], bytes);
  if ((to < 0 && from < 0) || from == echo_mpi_rank())
    return true;
  const EchoMpiArgument send[] = {{.p = c->operands[0]},
                                  {.i = (int)bytes},
                                  {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
                                  {.i = to},
                                  {.i = tag},
                                  {.h = echo_mpi_constant(ECHO_MPI_WORLD)}};
  const EchoMpiArgument receive[] = {
      {.p = c->results[0]}, {.i = (int)bytes}, {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
      {.i = from},          {.i = tag},        {.h = echo_mpi_constant(ECHO_MPI_WORLD)},
      echo_mpi_no_status()};
  const EchoMpiArgument both[] = {{.p = c->operands[0]},
                                  {.i = (int)bytes},
                                  {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
                                  {.i = to},
                                  {.i = tag},
                                  {.p = c->results[0]},
                                  {.i = (int)bytes},
                                  {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
                                  {.i = from},
                                  {.i = tag},
                                  {.h = echo_mpi_constant(ECHO_MPI_WORLD)},
                                  echo_mpi_no_status()}; /* no status */
  if (from < 0)
    return echo_mpi_call(c->error, "MPI_Send", "pihiih", send);
  if (to < 0)
    return echo_mpi_call(c->error, "MPI_Recv", "pihiihp", receive);
  return echo_mpi_call(c->error, "MPI_Sendrecv", "pihiipihiihp", both);
}

static bool run_rank(const EchoTargetCall *c)
{
  uint32_t rank = (uint32_t)echo_mpi_rank();
  memcpy(c->results[0], &rank, sizeof rank);
  return true;
}

typedef struct Row {
  EchoCallTarget target; /* first: a call knows it */
  bool (*carry)(const EchoTargetCall *call);
} Row;

/* The process that is member i of this one's group: places that nobody has are negative. */
static int64_t member(const EchoMpiGroup *group, int i)
{
  const int64_t *numbers = group->ranks.numbers;
  size_t at = 0;
  while (numbers[at] != echo_mpi_rank())
    at++;
  for (at -= at % (size_t)group->size;; at++)
    if (numbers[at] >= 0 && i-- == 0)
      return numbers[at];
}

/* Where a process may miss a call, that those of the group are in the same one: MPI would carry one
 * call's bytes to another. A pair of a permutation is told by its tag. */
static bool meet(const EchoTargetCall *c)
{
  int64_t number = echo_collective_call_number(c->config);
  if (echo_mpi_call_to_meet_or_null(number) == NULL ||
      echo_str_is(echo_str(c->target->name), "echo.mpi.permute"))
    return true;
  const EchoMpiGroup *group = group_or_null(c);
  if (group == NULL || group->members < 2)
    return group != NULL;
  int64_t *numbers = group->scratch;
  if (!spread(c, "MPI_Allgather", group, (EchoMpiArgument){.p = &number}, numbers, sizeof number))
    return false;
  for (int i = 0; i < group->members; i++)
    if (numbers[i] != number) {
      const char *other = echo_mpi_call_to_meet_or_null(numbers[i]);
      echo_buffer_printf(c->error, "rank %d of %d: rank %lld has come to %s meanwhile",
                         echo_mpi_rank(), echo_mpi_size(), (long long)member(group, i),
                         other != NULL ? other : "another call");
      return false;
    }
  return true;
}

static bool run(const EchoTargetCall *c)
{
  const Row *row = (const Row *)(const void *)c->target;
  echo_mpi_begin(c->target->name, echo_collective_call_place(c->config));
  bool ok = meet(c) && row->carry(c);
  echo_mpi_end(bytes_of_operands(c));
  return ok;
}

static const Row ROWS[] = {
    {{.name = "echo.mpi.all_gather",
      .summary = "values of a group along a leading dimension",
      .run = run,
      .may_overlap = true,
      .sent_bytes = echo_all_gather_sent_bytes},
     run_all_gather},
    {{.name = "echo.mpi.all_reduce",
      .summary = "values of a group, combined",
      .run = run,
      .may_overlap = true,
      .sent_bytes = echo_all_reduce_sent_bytes},
     run_all_reduce},
    {{.name = "echo.mpi.all_to_all",
      .summary = "pieces of a group, exchanged",
      .run = run,
      .may_overlap = true,
      .sent_bytes = echo_all_to_all_sent_bytes},
     run_all_to_all},
    {{.name = "echo.mpi.broadcast",
      .summary = "the value of a group's first",
      .run = run,
      .may_overlap = true,
      .sent_bytes = echo_one_sent_bytes},
     run_broadcast},
    {{.name = "echo.mpi.permute",
      .summary = "a value of another process",
      .run = run,
      .may_overlap = true,
      .sent_bytes = echo_one_sent_bytes},
     run_permute},
    {{.name = "echo.mpi.rank", .summary = "this process", .run = run_rank}, NULL},
};

/* The same, each call on the thread of the step: for libraries that serve no other. */
static Row serial_rows[sizeof ROWS / sizeof ROWS[0]];

static const Row *rows_for_library(EchoContext *ctx)
{
  if (echo_mpi_serves_threads())
    return ROWS;
  memcpy(serial_rows, ROWS, sizeof ROWS);
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
    serial_rows[i].target.may_overlap = false;
  if (echo_mpi_rank() == 0)
    echo_warning(ctx, echo_loc_unknown(),
                 "the MPI library serves the thread that started it alone: no collective runs "
                 "beside computation");
  return serial_rows;
}

bool echo_mpi_register_targets(EchoContext *ctx, EchoBuffer *error)
{
  const Row *rows = rows_for_library(ctx);
  bool ok = true;
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0] && ok; i++)
    ok = echo_context_register_call_target(ctx, &rows[i].target, error);
  return ok;
}
