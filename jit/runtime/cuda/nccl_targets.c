/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets "echo.mpi.…" on GPUs. What only moves goes as bytes; what NCCL combines is what
 * --lower-collectives leaves to it: integers, whose sums are the same in any order. */
#include "ir/attributes/type.h"
#include "jit/runtime/cuda/nccl_t.h"
#include "jit/runtime/mpi_t.h"
#include "jit/runtime/reduction_t.h"
#include "jit/runtime/sent_bytes_t.h"

static uint64_t bytes_of(const EchoType *type)
{
  return echo_type_static_bytes(type);
}

static const EchoNcclGroup *group_or_null(const EchoTargetCall *c)
{
  const EchoAttr *ranks =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "ranks") : NULL;
  const EchoAttr *size =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "group_size") : NULL;
  const EchoNcclGroup *group =
      ranks != NULL && size != NULL ? echo_nccl_group_or_null(ranks, size->as.integer.value) : NULL;
  if (group == NULL)
    echo_buffer_append_c(c->error, "its groups were not made before the run");
  return group;
}

/* ---- the device's own ---- */

static bool ask(const EchoTargetCall *c, CUresult result, const char *call)
{
  if (result != CUDA_SUCCESS)
    echo_cuda_describe(&echo_nccl_cuda()->driver, result, call, c->error);
  return result == CUDA_SUCCESS;
}

static CUdeviceptr at(const void *address, uint64_t offset)
{
  return (CUdeviceptr)(uintptr_t)address + offset;
}

static bool copy(const EchoTargetCall *c, CUdeviceptr to, CUdeviceptr from, uint64_t bytes,
                 CUstream stream)
{
  return bytes == 0 || ask(c, echo_nccl_cuda()->driver.copy(to, from, (size_t)bytes, stream),
                           "cuMemcpyDtoDAsync");
}

static bool clear(const EchoTargetCall *c, CUdeviceptr to, uint64_t bytes, CUstream stream)
{
  return bytes == 0 ||
         ask(c, echo_nccl_cuda()->driver.fill(to, 0, (size_t)bytes, stream), "cuMemsetD8Async");
}

/* ---- groups of calls ---- */

static bool check(const EchoTargetCall *c, ncclResult_t result, const char *call)
{
  return echo_nccl_check(result, call, c->error);
}

static bool begin(const EchoTargetCall *c)
{
  return check(c, echo_nccl_table()->group_start(), "ncclGroupStart");
}

/* After a call that failed, too: the group is over either way. */
static bool end(const EchoTargetCall *c, bool ok)
{
  ncclResult_t result = echo_nccl_table()->group_end();
  return ok && check(c, result, "ncclGroupEnd");
}

static bool send(const EchoTargetCall *c, const void *from, uint64_t offset, uint64_t bytes,
                 int peer, ncclComm_t comm, CUstream stream)
{
  return check(c,
               echo_nccl_table()->send((const char *)from + offset, (size_t)bytes, ncclUint8, peer,
                                       comm, stream),
               "ncclSend");
}

static bool receive(const EchoTargetCall *c, void *to, uint64_t offset, uint64_t bytes, int peer,
                    ncclComm_t comm, CUstream stream)
{
  return check(
      c, echo_nccl_table()->recv((char *)to + offset, (size_t)bytes, ncclUint8, peer, comm, stream),
      "ncclRecv");
}

/* ---- the targets ---- */

/* What a smaller group leaves of results is zeros. */
static bool clear_rest(const EchoTargetCall *c, size_t i, uint64_t filled, CUstream stream)
{
  uint64_t all = bytes_of(c->result_types[i]);
  return filled >= all || clear(c, at(c->results[i], filled), all - filled, stream);
}

static bool all_gather(const EchoTargetCall *c, CUstream stream)
{
  const EchoNcclGroup *group = group_or_null(c);
  bool ok = group != NULL;
  for (size_t i = 0; i < c->n_operands && ok; i++)
    ok = clear_rest(c, i, bytes_of(c->operand_types[i]) * (uint64_t)group->members, stream);
  if (!ok || group->members == 0)
    return ok;
  ok = begin(c);
  for (size_t i = 0; i < c->n_operands && ok; i++)
    ok = check(c,
               echo_nccl_table()->all_gather(c->operands[i], c->results[i],
                                             (size_t)bytes_of(c->operand_types[i]), ncclUint8,
                                             group->comm, stream),
               "ncclAllGather");
  return end(c, ok);
}

/* Its own piece a process copies. */
static bool all_to_all(const EchoTargetCall *c, CUstream stream)
{
  const EchoNcclGroup *group = group_or_null(c);
  bool ok = group != NULL;
  for (size_t i = 0; i < c->n_operands && ok; i++) {
    uint64_t part = bytes_of(c->operand_types[i]) / (uint64_t)group->size;
    uint64_t own = part * (uint64_t)group->place;
    ok = clear_rest(c, i, part * (uint64_t)group->members, stream) &&
         (group->members == 0 ||
          copy(c, at(c->results[i], own), at(c->operands[i], own), part, stream));
  }
  if (!ok || group->members == 0)
    return ok;
  ok = begin(c);
  for (size_t i = 0; i < c->n_operands && ok; i++) {
    uint64_t part = bytes_of(c->operand_types[i]) / (uint64_t)group->size;
    for (int peer = 0; peer < group->members && ok; peer++)
      ok = peer == group->place ||
           (send(c, c->operands[i], part * (uint64_t)peer, part, peer, group->comm, stream) &&
            receive(c, c->results[i], part * (uint64_t)peer, part, peer, group->comm, stream));
  }
  return end(c, ok);
}

static bool type_of(EchoElementKind kind, ncclDataType_t *type)
{
  static const struct {
    EchoElementKind kind;
    ncclDataType_t type;
  } TYPES[] = {{ECHO_ELEMENT_I8, ncclInt8},   {ECHO_ELEMENT_UI8, ncclUint8},
               {ECHO_ELEMENT_I32, ncclInt32}, {ECHO_ELEMENT_UI32, ncclUint32},
               {ECHO_ELEMENT_I64, ncclInt64}, {ECHO_ELEMENT_UI64, ncclUint64}};
  for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++)
    if (TYPES[i].kind == kind) {
      *type = TYPES[i].type;
      return true;
    }
  return false;
}

static bool reduction_of(EchoReduction by, ncclRedOp_t *op)
{
  switch (by) {
  case ECHO_REDUCTION_SUM:
    *op = ncclSum;
    return true;
  case ECHO_REDUCTION_PRODUCT:
    *op = ncclProd;
    return true;
  case ECHO_REDUCTION_MIN:
    *op = ncclMin;
    return true;
  case ECHO_REDUCTION_MAX:
    *op = ncclMax;
    return true;
  case ECHO_REDUCTION_AND:
  case ECHO_REDUCTION_OR:
  case ECHO_REDUCTION_XOR:
    break;
  }
  return false;
}

static bool all_reduce(const EchoTargetCall *c, CUstream stream)
{
  const EchoNcclGroup *group = group_or_null(c);
  ncclDataType_t type;
  ncclRedOp_t by;
  if (group == NULL)
    return false;
  if (!type_of(echo_type_element_kind(c->operand_types[0]), &type) ||
      !reduction_of(echo_reduction_of(c->config), &by)) {
    echo_buffer_append_c(c->error, "NCCL does not combine these: the module was lowered for MPI");
    return false;
  }
  bool ok = begin(c);
  for (size_t i = 0; i < c->n_operands && ok; i++)
    ok = check(
        c,
        echo_nccl_table()->all_reduce(c->operands[i], c->results[i],
                                      (size_t)echo_type_static_n_elements(c->operand_types[i]),
                                      type, by, group->comm, stream),
        "ncclAllReduce");
  return end(c, ok);
}

/* From the first of each group; zeros where there is none. */
static bool broadcast(const EchoTargetCall *c, CUstream stream)
{
  const EchoNcclGroup *group = group_or_null(c);
  uint64_t bytes = bytes_of(c->operand_types[0]);
  if (group == NULL)
    return false;
  if (group->members == 0)
    return clear(c, at(c->results[0], 0), bytes, stream);
  return check(c,
               echo_nccl_table()->broadcast(c->operands[0], c->results[0], (size_t)bytes, ncclUint8,
                                            0, group->comm, stream),
               "ncclBroadcast");
}

/* Both ways at once; to whom nobody sends, zeros come. */
static bool permute(const EchoTargetCall *c, CUstream stream)
{
  const EchoAttr *pairs = echo_dictionary_get_or_null(c->config, "ranks");
  uint64_t bytes = bytes_of(c->operand_types[0]);
  int to = -1, from = -1, own = echo_mpi_rank();
  for (size_t i = 0; i + 1 < echo_attr_ints_size(pairs); i += 2) {
    if (echo_attr_ints_get(pairs, i) == own)
      to = (int)echo_attr_ints_get(pairs, i + 1);
    if (echo_attr_ints_get(pairs, i + 1) == own)
      from = (int)echo_attr_ints_get(pairs, i);
  }
  if (from == own)
    return copy(c, at(c->results[0], 0), at(c->operands[0], 0), bytes, stream);
  if (from < 0 && !clear(c, at(c->results[0], 0), bytes, stream))
    return false;
  if (to < 0 && from < 0)
    return true;
  ncclComm_t world = echo_nccl_world();
  bool ok = begin(c);
  ok = ok && (to < 0 || send(c, c->operands[0], 0, bytes, to, world, stream)) &&
       (from < 0 || receive(c, c->results[0], 0, bytes, from, world, stream));
  return end(c, ok);
}

/* The driver has read what is not pinned when it returns. */
static bool rank(const EchoTargetCall *c, CUstream stream)
{
  uint32_t own = (uint32_t)echo_mpi_rank();
  return ask(c, echo_nccl_cuda()->driver.copy_in(at(c->results[0], 0), &own, sizeof own, stream),
             "cuMemcpyHtoDAsync");
}

/* ---- rows ---- */

typedef struct Row {
  EchoCallTarget target; /* first: a call knows it */
  bool (*ask)(const EchoTargetCall *call, CUstream stream);
} Row;

static bool enqueue(const EchoTargetCall *c, void *stream)
{
  if (echo_nccl_world() == NULL) {
    echo_buffer_append_c(c->error, "NCCL was not started");
    return false;
  }
  uint64_t bytes = 0;
  for (size_t i = 0; i < c->n_operands; i++)
    bytes += bytes_of(c->operand_types[i]);
  echo_mpi_count(1, bytes, 0);
  return ((const Row *)(const void *)c->target)->ask(c, stream);
}

static bool run(const EchoTargetCall *c)
{
  echo_buffer_append_c(c->error, "it is NCCL's, which a GPU alone calls");
  return false;
}

static const Row ROWS[] = {
    {{.name = "echo.mpi.all_gather",
      .summary = "values of a group along a leading dimension",
      .run = run,
      .enqueue = enqueue,
      .may_overlap = true,
      .sent_bytes = echo_all_gather_sent_bytes},
     all_gather},
    {{.name = "echo.mpi.all_reduce",
      .summary = "values of a group, combined",
      .run = run,
      .enqueue = enqueue,
      .may_overlap = true,
      .sent_bytes = echo_all_reduce_sent_bytes},
     all_reduce},
    {{.name = "echo.mpi.all_to_all",
      .summary = "pieces of a group, exchanged",
      .run = run,
      .enqueue = enqueue,
      .may_overlap = true,
      .sent_bytes = echo_all_to_all_sent_bytes},
     all_to_all},
    {{.name = "echo.mpi.broadcast",
      .summary = "the value of a group's first",
      .run = run,
      .enqueue = enqueue,
      .may_overlap = true,
      .sent_bytes = echo_one_sent_bytes},
     broadcast},
    {{.name = "echo.mpi.permute",
      .summary = "a value of another process",
      .run = run,
      .enqueue = enqueue,
      .may_overlap = true,
      .sent_bytes = echo_one_sent_bytes},
     permute},
    {{.name = "echo.mpi.rank", .summary = "this process", .run = run, .enqueue = enqueue}, rank},
};

bool echo_nccl_register_targets(EchoContext *ctx, EchoBuffer *error)
{
  bool ok = true;
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0] && ok; i++)
    ok = echo_context_register_call_target(ctx, &ROWS[i].target, error);
  return ok;
}
