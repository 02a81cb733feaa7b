/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets "echo.mpi.…". */
#include <string.h>

#include "ir/attributes/type.h"
#include "jit/runtime/mpi_t.h"

enum { TAG = 0 };

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

static EchoMpiHandle type_of(const EchoType *type)
{
  static const EchoMpiConstant TYPES[ECHO_N_ELEMENT_KINDS] = {
      [ECHO_ELEMENT_I1] = ECHO_MPI_UINT8,    [ECHO_ELEMENT_I8] = ECHO_MPI_INT8,
      [ECHO_ELEMENT_I16] = ECHO_MPI_INT16,   [ECHO_ELEMENT_I32] = ECHO_MPI_INT32,
      [ECHO_ELEMENT_I64] = ECHO_MPI_INT64,   [ECHO_ELEMENT_UI8] = ECHO_MPI_UINT8,
      [ECHO_ELEMENT_UI16] = ECHO_MPI_UINT16, [ECHO_ELEMENT_UI32] = ECHO_MPI_UINT32,
      [ECHO_ELEMENT_UI64] = ECHO_MPI_UINT64, [ECHO_ELEMENT_F32] = ECHO_MPI_FLOAT,
      [ECHO_ELEMENT_F64] = ECHO_MPI_DOUBLE};
  return echo_mpi_constant(TYPES[echo_type_element_kind(type)]);
}

static EchoMpiHandle reduction_of(const EchoTargetCall *c)
{
  static const struct {
    const char *name;
    EchoMpiConstant constant;
  } NAMES[] = {{"sum", ECHO_MPI_SUM}, {"product", ECHO_MPI_PRODUCT}, {"min", ECHO_MPI_MIN},
               {"max", ECHO_MPI_MAX}, {"and", ECHO_MPI_AND},         {"or", ECHO_MPI_OR},
               {"xor", ECHO_MPI_XOR}};
  const EchoAttr *name = echo_dictionary_get_or_null(c->config, "reduction");
  for (size_t i = 0; name != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (echo_str_is(name->as.string, NAMES[i].name))
      return echo_mpi_constant(NAMES[i].constant);
  return echo_mpi_constant(ECHO_MPI_SUM);
}

/* Each member sends and receives `bytes` of each; what a smaller group leaves is zeros. */
static bool exchange(const EchoTargetCall *c, const char *name, const EchoMpiGroup *group,
                     uint64_t bytes)
{
  uint64_t filled = bytes * (uint64_t)group->members, all = bytes_of(c->result_types[0]);
  if (!echo_mpi_check_count(bytes, c->error))
    return false;
  if (filled < all)
    memset((char *)c->results[0] + filled, 0, all - filled);
  const EchoMpiArgument a[] = {
      {.p = c->operands[0]}, {.i = (int)bytes}, {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
      {.p = c->results[0]},  {.i = (int)bytes}, {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
      {.h = group->comm}};
  return echo_mpi_call(c->error, name, "pihpihh", a);
}

static bool run_all_gather(const EchoTargetCall *c)
{
  const EchoMpiGroup *group = group_or_null(c);
  uint64_t bytes = bytes_of(c->operand_types[0]);
  return group != NULL && exchange(c, "MPI_Allgather", group, bytes);
}

static bool run_all_to_all(const EchoTargetCall *c)
{
  const EchoMpiGroup *group = group_or_null(c);
  uint64_t bytes = group != NULL ? bytes_of(c->operand_types[0]) / (uint64_t)group->size : 0;
  return group != NULL && exchange(c, "MPI_Alltoall", group, bytes);
}

/* In blocks where there is more than a call carries. */
static bool run_all_reduce(const EchoTargetCall *c)
{
  const EchoMpiGroup *group = group_or_null(c);
  int64_t n = echo_type_static_n_elements(c->operand_types[0]);
  size_t size = echo_type_element_bytes(c->operand_types[0]);
  bool ok = group != NULL;
  for (int64_t at = 0; at < n && ok; at += ECHO_MPI_MAX_COUNT) {
    const EchoMpiArgument a[] = {
        {.p = (const char *)c->operands[0] + (size_t)at * size},
        {.p = (char *)c->results[0] + (size_t)at * size},
        {.i = (int)(n - at < ECHO_MPI_MAX_COUNT ? n - at : ECHO_MPI_MAX_COUNT)},
        {.h = type_of(c->operand_types[0])},
        {.h = reduction_of(c)},
        {.h = group->comm}};
    ok = echo_mpi_call(c->error, "MPI_Allreduce", "ppihhh", a);
  }
  return ok;
}

static bool run_reduce_scatter(const EchoTargetCall *c)
{
  const EchoMpiGroup *group = group_or_null(c);
  int64_t n = echo_type_static_n_elements(c->result_types[0]);
  if (group == NULL || !echo_mpi_check_count((uint64_t)n, c->error))
    return false;
  const EchoMpiArgument a[] = {{.p = c->operands[0]},  {.p = c->results[0]},
                               {.i = (int)n},          {.h = type_of(c->operand_types[0])},
                               {.h = reduction_of(c)}, {.h = group->comm}};
  return echo_mpi_call(c->error, "MPI_Reduce_scatter_block", "ppihhh", a);
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
                                  {.i = TAG},
                                  {.h = echo_mpi_constant(ECHO_MPI_WORLD)}};
  const EchoMpiArgument receive[] = {
      {.p = c->results[0]}, {.i = (int)bytes}, {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
      {.i = from},          {.i = TAG},        {.h = echo_mpi_constant(ECHO_MPI_WORLD)},
      echo_mpi_no_status()};
  const EchoMpiArgument both[] = {{.p = c->operands[0]},
                                  {.i = (int)bytes},
                                  {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
                                  {.i = to},
                                  {.i = TAG},
                                  {.p = c->results[0]},
                                  {.i = (int)bytes},
                                  {.h = echo_mpi_constant(ECHO_MPI_BYTE)},
                                  {.i = from},
                                  {.i = TAG},
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

static bool run(const EchoTargetCall *c)
{
  const Row *row = (const Row *)(const void *)c->target;
  const EchoAttr *at =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, ECHO_MPI_PLACE) : NULL;
  echo_mpi_begin(c->target->name, at != NULL ? at->as.string : (EchoStr){0});
  bool ok = row->carry(c);
  echo_mpi_end(bytes_of(c->operand_types[0]));
  return ok;
}

static const Row ROWS[] = {
    {{.name = "echo.mpi.all_gather",
      .summary = "values of a group along a leading dimension",
      .run = run},
     run_all_gather},
    {{.name = "echo.mpi.all_reduce", .summary = "values of a group, combined", .run = run},
     run_all_reduce},
    {{.name = "echo.mpi.all_to_all", .summary = "pieces of a group, exchanged", .run = run},
     run_all_to_all},
    {{.name = "echo.mpi.broadcast", .summary = "the value of a group's first", .run = run},
     run_broadcast},
    {{.name = "echo.mpi.permute", .summary = "a value of another process", .run = run},
     run_permute},
    {{.name = "echo.mpi.rank", .summary = "this process", .run = run_rank}, NULL},
    {{.name = "echo.mpi.reduce_scatter", .summary = "pieces of a group, combined", .run = run},
     run_reduce_scatter},
};

bool echo_mpi_register_targets(EchoContext *ctx, EchoBuffer *error)
{
  bool ok = true;
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0] && ok; i++)
    ok = echo_context_register_call_target(ctx, &ROWS[i].target, error);
  return ok;
}
