/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An NCCL for the emulated GPU: the calls that Echo makes, as NVIDIA's documentation has them, on
 * the MPI that the program has loaded. What a call reads and writes the driver copies, so that it
 * finds races with it. Everything that both sides must say alike is compared. It combines from the
 * last member to the first. ECHO_GPU_NCCL says what goes wrong: none (it cannot be used); remote:N
 * (rank 1's call N fails, and later); absent:N (rank 1 never joins call N). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/runtime/cuda/nccl_abi_t.h"
#include "tests/gpu/nccl/exchange.h"

#define EXPORTED __attribute__((visibility("default")))
#define DECLARE(type, name, symbol, parameters) EXPORTED type symbol parameters;
ECHO_NCCL_CALLS(DECLARE)
#undef DECLARE
/* The driver's, and the one that this library alone knows of it (tests/gpu/driver.h). */
#define DECLARE(name, symbol, parameters) CUresult symbol parameters;
ECHO_CUDA_CALLS(DECLARE)
#undef DECLARE
CUresult echoCudaPoll(CUstream stream, bool (*poll)(void *user), void *user);

enum { VERSION = 22703 };

/* Host memory that calls on a communicator use, one after the other. */
typedef struct Space {
  void *data;
  size_t bytes;
  bool is_used;
} Space;

struct ncclComm {
  World *world;
  Space *spaces;
  size_t n_spaces;
  uint64_t n_calls, n_of_all; /* those that not two alone make */
  ncclResult_t error;
  bool is_aborted;
};

typedef enum Kind { ALL_REDUCE, ALL_GATHER, BROADCAST, SEND, RECV } Kind;

typedef struct Part {
  Kind kind;
  CUdeviceptr from, to;
  size_t count, bytes; /* bytes: of what one member sends */
  ncclDataType_t type;
  ncclRedOp_t by;
  int root;        /* or the peer */
  char *own, *all; /* in host memory: what is sent, and of all members what came */
} Part;

/* One call, or a group of them. */
typedef struct Call {
  ncclComm_t comm;
  CUstream stream;
  Part *parts;
  size_t n, capacity;
  Space *space;
  Exchange *exchange;
  bool is_absent;
} Call;

static struct {
  int depth;
  Call *open; /* what is collected; NULL: nothing yet */
  ncclResult_t failed;
  char error[256];
} state;

static ncclResult_t refuse(ncclResult_t result, const char *why)
{
  snprintf(state.error, sizeof state.error, "%s", why);
  return result;
}

/* ---- what it is ---- */

ncclResult_t ncclGetVersion(int *version)
{
  *version = VERSION;
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result)
{
  static const char *const TEXTS[] = {"no error",
                                      "unhandled cuda error",
                                      "unhandled system error",
                                      "internal error",
                                      "invalid argument",
                                      "invalid usage",
                                      "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return (size_t)result < sizeof TEXTS / sizeof TEXTS[0] ? TEXTS[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm)
{
  (void)comm;
  return state.error;
}

static const char *fault(void)
{
  const char *text = getenv("ECHO_GPU_NCCL");
  return text != NULL ? text : "";
}

static bool has_fault(const char *name, const ncclComm_t comm)
{
  size_t size = strlen(name);
  return world_rank(comm->world) == 1 && strncmp(fault(), name, size) == 0 &&
         comm->n_calls >= strtoull(fault() + size, NULL, 10);
}

/* ---- communicators ---- */

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
  if (strcmp(fault(), "none") == 0)
    return refuse(ncclSystemError, "ECHO_GPU_NCCL=none");
  for (size_t i = 0; i < sizeof id->internal; i++)
    id->internal[i] = (char)(7 * i + 1);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int n_ranks, ncclUniqueId id, int rank)
{
  ncclUniqueId expected;
  ncclGetUniqueId(&expected);
  size_t free_bytes, total_bytes;
  if (cuMemGetInfo_v2(&free_bytes, &total_bytes) != CUDA_SUCCESS)
    return refuse(ncclUnhandledCudaError, "no device is current");
  World *world = world_create_or_null(n_ranks, rank);
  if (world == NULL)
    return refuse(ncclSystemError, "the processes are not those of MPI");
  *comm = calloc(1, sizeof **comm);
  (*comm)->world = world;
  return world_check_same(world, &id, sizeof id) && memcmp(&id, &expected, sizeof id) == 0
             ? ncclSuccess
             : refuse(ncclInvalidArgument, "not the id that rank 0 has made");
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made,
                           ncclConfig_t *config)
{
  if (comm == NULL || comm->is_aborted || config != NULL || color < NCCL_SPLIT_NOCOLOR)
    return refuse(ncclInvalidArgument, "ncclCommSplit of no communicator");
  if (state.depth != 0)
    return refuse(ncclInvalidUsage, "ncclCommSplit in a group of collectives");
  World *world = world_split_or_null(comm->world, color, key);
  *made = NULL;
  if (world == NULL)
    return color < 0 ? ncclSuccess : ncclSystemError;
  *made = calloc(1, sizeof **made);
  (*made)->world = world;
  return ncclSuccess;
}

static void release(ncclComm_t comm)
{
  for (size_t i = 0; i < comm->n_spaces; i++)
    (void)cuMemFreeHost(comm->spaces[i].data);
  free(comm->spaces);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
  if (comm == NULL || comm->is_aborted)
    return refuse(ncclInvalidArgument, "ncclCommDestroy of no communicator");
  release(comm); /* waits for what is under way */
  world_destroy(comm->world);
  free(comm);
  return ncclSuccess;
}

/* It stays, with its memory: what is under way looks at it, and what other communicators have under
 * way is not waited for. */
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
  if (comm == NULL || comm->is_aborted)
    return refuse(ncclInvalidArgument, "ncclCommAbort of no communicator");
  comm->is_aborted = true;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
  if (comm == NULL || comm->is_aborted)
    return refuse(ncclInvalidArgument, "ncclCommGetAsyncError of no communicator");
  *error = comm->error;
  return ncclSuccess;
}

/* ---- combining ---- */

static size_t type_bytes(ncclDataType_t type)
{
  static const size_t BYTES[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return (size_t)type < sizeof BYTES / sizeof BYTES[0] ? BYTES[type] : 0;
}

#define COMBINE(T)                                                                                 \
  static void combine_##T(T *to, const T *from, size_t n, ncclRedOp_t by)                          \
  {                                                                                                \
    for (size_t i = 0; i < n; i++)                                                                 \
      to[i] = by == ncclSum    ? (T)(to[i] + from[i])                                              \
              : by == ncclProd ? (T)(to[i] * from[i])                                              \
              : by == ncclMax  ? (to[i] > from[i] ? to[i] : from[i])                               \
                               : (to[i] < from[i] ? to[i] : from[i]);                               \
  }
COMBINE(int8_t)
COMBINE(uint8_t)
COMBINE(int32_t)
COMBINE(uint32_t)
COMBINE(int64_t)
COMBINE(uint64_t)
COMBINE(float)
COMBINE(double)

static bool combine(ncclDataType_t type, void *to, const void *from, size_t n, ncclRedOp_t by)
{
  switch (type) {
  case ncclInt8:
    combine_int8_t(to, from, n, by);
    return true;
  case ncclUint8:
    combine_uint8_t(to, from, n, by);
    return true;
  case ncclInt32:
    combine_int32_t(to, from, n, by);
    return true;
  case ncclUint32:
    combine_uint32_t(to, from, n, by);
    return true;
  case ncclInt64:
    combine_int64_t(to, from, n, by);
    return true;
  case ncclUint64:
    combine_uint64_t(to, from, n, by);
    return true;
  case ncclFloat32:
    combine_float(to, from, n, by);
    return true;
  case ncclFloat64:
    combine_double(to, from, n, by);
    return true;
  case ncclFloat16:
  case ncclBfloat16:
    break;
  }
  return false;
}

/* Of all members' values, one behind the other, the last's with those before it. */
static void combine_part(const Call *call, const Part *part)
{
  int n = world_size(call->comm->world);
  char *sum = part->all + (size_t)(n - 1) * part->bytes;
  for (int i = n - 1; i-- > 0;)
    combine(part->type, sum, part->all + (size_t)i * part->bytes, part->count, part->by);
}

/* ---- a call as the device carries it out ---- */

static size_t add_legs(const Call *call, const Part *part, Leg *legs)
{
  const World *world = call->comm->world;
  int own = world_rank(world), n = world_size(world);
  bool is_between_two = part->kind == SEND || part->kind == RECV;
  size_t n_legs = 0;
  for (int peer = 0; peer < n; peer++) {
    if (peer == own || (is_between_two && peer != part->root))
      continue;
    bool gives = part->kind != RECV && (part->kind != BROADCAST || part->root == own);
    bool takes = part->kind != SEND && (part->kind != BROADCAST || part->root == peer);
    legs[n_legs++] = (Leg){.peer = peer,
                           .sends = part->kind != RECV,
                           .receives = part->kind != SEND,
                           .header = {.kind = (int32_t)(is_between_two ? SEND : part->kind),
                                      .type = (int32_t)part->type,
                                      .by = (int32_t)part->by,
                                      .root = is_between_two ? 0 : part->root,
                                      .count = part->count,
                                      .number = is_between_two ? 0 : call->comm->n_of_all},
                           .from = part->own,
                           .to = part->all + (part->kind == RECV || part->kind == BROADCAST
                                                  ? 0
                                                  : (size_t)peer * part->bytes),
                           .sent_bytes = gives ? part->bytes : 0,
                           .received_bytes = takes ? part->bytes : 0};
  }
  return n_legs;
}

static void finish(Call *call)
{
  int own = world_rank(call->comm->world);
  for (size_t i = 0; i < call->n; i++) {
    Part *part = &call->parts[i];
    if (part->kind == ALL_REDUCE || part->kind == ALL_GATHER)
      memcpy(part->all + (size_t)own * part->bytes, part->own, part->bytes);
    if (part->kind == BROADCAST && part->root == own)
      memcpy(part->all, part->own, part->bytes);
    if (part->kind == ALL_REDUCE)
      combine_part(call, part);
  }
}

static bool is_done(void *user)
{
  Call *call = user;
  ncclComm_t comm = call->comm;
  int peer = 0;
  if (comm->is_aborted)
    return true;
  if (call->is_absent || comm->error != ncclSuccess)
    return false;
  switch (exchange_advance(call->exchange, &peer)) {
  case EXCHANGE_RUNS:
    return false;
  case EXCHANGE_DIFFERS:
    snprintf(state.error, sizeof state.error, "call %llu is another one than that of member %d",
             (unsigned long long)comm->n_calls, peer);
    comm->error = ncclInvalidUsage;
    return false;
  case EXCHANGE_DONE:
    break;
  }
  finish(call);
  return true;
}

/* The last of a call in its stream. */
static bool is_over(void *user)
{
  Call *call = user;
  call->space->is_used = false;
  exchange_destroy(call->exchange);
  free(call->parts);
  free(call);
  return true;
}

/* ---- asking for it ---- */

static Space *take_space_or_null(ncclComm_t comm, size_t bytes)
{
  for (size_t i = 0; i < comm->n_spaces; i++)
    if (!comm->spaces[i].is_used && comm->spaces[i].bytes >= bytes)
      return &comm->spaces[i];
  return NULL;
}

/* Spaces are pointed to: there are as many as there ever will be. */
static Space *make_space_or_null(ncclComm_t comm, size_t bytes)
{
  enum { MAX_SPACES = 1024 };
  if (comm->spaces == NULL)
    comm->spaces = calloc(MAX_SPACES, sizeof *comm->spaces);
  Space *space = take_space_or_null(comm, bytes);
  if (space == NULL && comm->n_spaces < MAX_SPACES) {
    space = &comm->spaces[comm->n_spaces];
    if (cuMemHostAlloc(&space->data, bytes, 0) != CUDA_SUCCESS)
      return NULL;
    space->bytes = bytes;
    comm->n_spaces++;
  }
  if (space != NULL)
    space->is_used = true;
  return space;
}

static bool give(const Part *part, int own)
{
  return part->kind != RECV && (part->kind != BROADCAST || part->root == own);
}

static size_t n_received(const Call *call, const Part *part)
{
  int n = world_size(call->comm->world);
  return part->kind == SEND ? 0 : part->kind == RECV || part->kind == BROADCAST ? 1 : (size_t)n;
}

static bool place(Call *call)
{
  size_t bytes = 0;
  for (size_t i = 0; i < call->n; i++)
    bytes += (1 + n_received(call, &call->parts[i])) * (call->parts[i].bytes + 16);
  call->space = make_space_or_null(call->comm, bytes + 1);
  char *at = call->space != NULL ? call->space->data : NULL;
  for (size_t i = 0; i < call->n && at != NULL; i++) {
    Part *part = &call->parts[i];
    part->own = at;
    part->all = at + (part->bytes + 15) / 16 * 16;
    at = part->all + (n_received(call, part) * part->bytes + 15) / 16 * 16;
  }
  return at != NULL;
}

static CUresult copy_results(const Call *call)
{
  CUresult result = CUDA_SUCCESS;
  int n = world_size(call->comm->world);
  for (size_t i = 0; i < call->n && result == CUDA_SUCCESS; i++) {
    const Part *part = &call->parts[i];
    bool is_last = part->kind == ALL_REDUCE;
    size_t bytes = (is_last ? 1 : n_received(call, part)) * part->bytes;
    const char *from = is_last ? part->all + (size_t)(n - 1) * part->bytes : part->all;
    if (bytes != 0)
      result = cuMemcpyHtoDAsync_v2(part->to, from, bytes, call->stream);
  }
  return result;
}

static ncclResult_t ask(Call *call)
{
  ncclComm_t comm = call->comm;
  int own = world_rank(comm->world);
  if (!place(call))
    return refuse(ncclSystemError, "host memory is used up");
  comm->n_calls++;
  comm->n_of_all += call->parts[0].kind != SEND && call->parts[0].kind != RECV;
  CUresult result = CUDA_SUCCESS;
  Leg *legs = calloc(call->n * (size_t)world_size(comm->world) + 1, sizeof *legs);
  size_t n_legs = 0;
  for (size_t i = 0; i < call->n; i++) {
    const Part *part = &call->parts[i];
    n_legs += add_legs(call, part, legs + n_legs);
    if (result == CUDA_SUCCESS && give(part, own) && part->bytes != 0)
      result = cuMemcpyDtoHAsync_v2(part->own, part->from, part->bytes, call->stream);
  }
  call->exchange = exchange_create(comm->world, legs, n_legs);
  free(legs);
  call->is_absent = has_fault("absent:", comm);
  if (has_fault("remote:", comm))
    comm->error = ncclRemoteError;
  if (result == CUDA_SUCCESS)
    result = echoCudaPoll(call->stream, is_done, call);
  if (result == CUDA_SUCCESS)
    result = copy_results(call);
  if (result == CUDA_SUCCESS)
    result = echoCudaPoll(call->stream, is_over, call);
  return result == CUDA_SUCCESS
             ? ncclSuccess
             : refuse(ncclUnhandledCudaError, "the device refuses a copy of a call");
}

ncclResult_t ncclGroupStart(void)
{
  state.depth++;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
  if (state.depth == 0)
    return refuse(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--state.depth != 0)
    return ncclSuccess;
  Call *call = state.open;
  ncclResult_t failed = state.failed;
  state.open = NULL;
  state.failed = ncclSuccess;
  if (failed != ncclSuccess || call == NULL) {
    free(call != NULL ? call->parts : NULL);
    free(call);
    return failed;
  }
  return ask(call);
}

static bool is_right(ncclComm_t comm, CUstream stream, const Part *part)
{
  if (comm == NULL || comm->is_aborted || comm->error != ncclSuccess || stream == NULL ||
      type_bytes(part->type) == 0)
    return false;
  bool names_peer = part->kind != ALL_REDUCE && part->kind != ALL_GATHER;
  if (names_peer && (part->root < 0 || part->root >= world_size(comm->world)))
    return false;
  return part->kind != ALL_REDUCE || (part->by >= ncclSum && part->by <= ncclMin &&
                                      combine(part->type, NULL, NULL, 0, part->by));
}

static void add_part(Call *call, Part part)
{
  if (call->n == call->capacity) {
    call->capacity = call->capacity == 0 ? 16 : 2 * call->capacity;
    call->parts = realloc(call->parts, call->capacity * sizeof *call->parts);
  }
  call->parts[call->n++] = part;
}

static ncclResult_t add(ncclComm_t comm, CUstream stream, Part part)
{
  ncclResult_t result = ncclSuccess;
  part.bytes = part.count * type_bytes(part.type);
  ncclGroupStart();
  if (!is_right(comm, stream, &part))
    result = refuse(ncclInvalidArgument, "a communicator, type, operation or peer that is none");
  else if (state.open != NULL && (state.open->comm != comm || state.open->stream != stream))
    result = refuse(ncclInvalidUsage, "a group on two communicators or streams");
  if (result == ncclSuccess && state.open == NULL) {
    state.open = calloc(1, sizeof *state.open);
    state.open->comm = comm;
    state.open->stream = stream;
  }
  if (result == ncclSuccess)
    add_part(state.open, part);
  else
    state.failed = result;
  ncclResult_t ended = ncclGroupEnd();
  return result != ncclSuccess ? result : ended;
}

static CUdeviceptr address(const void *pointer)
{
  return (CUdeviceptr)(uintptr_t)pointer;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclRedOp_t by, ncclComm_t comm, CUstream stream)
{
  return add(comm, stream,
             (Part){.kind = ALL_REDUCE,
                    .from = address(from),
                    .to = address(to),
                    .count = count,
                    .type = type,
                    .by = by});
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclComm_t comm, CUstream stream)
{
  return add(comm, stream,
             (Part){.kind = ALL_GATHER,
                    .from = address(from),
                    .to = address(to),
                    .count = count,
                    .type = type});
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, CUstream stream)
{
  return add(comm, stream,
             (Part){.kind = BROADCAST,
                    .from = address(from),
                    .to = address(to),
                    .count = count,
                    .type = type,
                    .root = root});
}

ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, CUstream stream)
{
  return add(
      comm, stream,
      (Part){.kind = SEND, .from = address(from), .count = count, .type = type, .root = peer});
}

ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      CUstream stream)
{
  return add(comm, stream,
             (Part){.kind = RECV, .to = address(to), .count = count, .type = type, .root = peer});
}
