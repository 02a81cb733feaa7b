/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/nccl_t.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/vector.h"

enum { MAX_WHY = 512 }; /* of a reason that is told to the others */

static const char LIBRARY[] = "libnccl.so.2";

static struct {
  EchoNcclTable table;
  const EchoCuda *cuda;
  ncclComm_t world; /* NULL before start */
  int version;      /* 22703 for 2.27.3 */
  bool is_aborted;
  ECHO_VECTOR(EchoNcclGroup) groups;
} nccl;

/* ---- the library ---- */

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
 * agree. */
static bool find(void *handle, const char *symbol, void *function)
{
  void *address = dlsym(handle, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

#define ECHO_NCCL_FIND(type, name, symbol, parameters)                                             \
  if (missing == NULL && !find(library, #symbol, &nccl.table.name))                                \
    missing = #symbol;

/* It stays loaded: it has threads of its own. */
static bool open_library(EchoBuffer *error)
{
  const char *missing = NULL;
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    echo_buffer_printf(error,
                       "GPUs of many processes need NCCL, and %s cannot be loaded (%s): install it "
                       "(Debian's libnccl2) or have LD_LIBRARY_PATH name its folder",
                       LIBRARY, dlerror());
    return false;
  }
  ECHO_NCCL_CALLS(ECHO_NCCL_FIND)
  if (missing != NULL)
    echo_buffer_printf(error, "NCCL is too old: it has no %s, which came with 2.18", missing);
  return missing == NULL &&
         echo_nccl_check(nccl.table.get_version(&nccl.version), "ncclGetVersion", error);
}

bool echo_nccl_check(ncclResult_t result, const char *call, EchoBuffer *error)
{
  if (result == ncclSuccess)
    return true;
  const char *last = nccl.table.last_error(NULL);
  echo_buffer_printf(error, "rank %d of %d: %s: %s", echo_mpi_rank(), echo_mpi_size(), call,
                     nccl.table.error_string(result));
  if (last != NULL && last[0] != '\0')
    echo_buffer_printf(error, " (%.*s)", (int)strcspn(last, "\n"), last);
  return false;
}

/* ---- start and end ---- */

/* Whether all can go on; those that can say who cannot, and why. */
static bool agree(bool ok, EchoBuffer *error)
{
  typedef struct Said {
    uint8_t ok;
    char why[MAX_WHY];
  } Said;
  int n = echo_mpi_size();
  Said own = {.ok = ok}, *all = echo_alloc_zero((size_t)n, sizeof *all);
  if (!ok)
    snprintf(own.why, sizeof own.why, "%s", echo_buffer_c_str(error));
  bool all_ok = echo_mpi_all_gather(&own, all, sizeof own, error);
  for (int i = 0; i < n && all_ok && ok; i++)
    if (all[i].ok == 0) {
      echo_buffer_printf(error, "rank %d of %d cannot use NCCL: %.*s", i, n, MAX_WHY - 1,
                         all[i].why);
      all_ok = false;
    }
  echo_free(all);
  return ok && all_ok;
}

static bool make_world(EchoBuffer *error)
{
  ncclUniqueId id = {{0}};
  bool ok = echo_mpi_rank() != 0 ||
            echo_nccl_check(nccl.table.get_unique_id(&id), "ncclGetUniqueId", error);
  if (!agree(ok, error) || !echo_mpi_broadcast(&id, sizeof id, error))
    return false;
  CUresult result = nccl.cuda->driver.context_set(nccl.cuda->context);
  if (result != CUDA_SUCCESS) {
    echo_cuda_describe(&nccl.cuda->driver, result, "cuCtxSetCurrent", error);
    return false;
  }
  echo_mpi_wait_in("ncclCommInitRank", (EchoStr){0});
  ok = echo_nccl_check(nccl.table.init_rank(&nccl.world, echo_mpi_size(), id, echo_mpi_rank()),
                       "ncclCommInitRank", error);
  echo_mpi_wait_in(NULL, (EchoStr){0});
  return ok;
}

bool echo_nccl_start(const EchoDevice *device_or_null, EchoBuffer *error)
{
  if (echo_mpi_size() == 1 || (nccl.world != NULL && !nccl.is_aborted))
    return true; /* on all: for another module */
  nccl.cuda = echo_device_cuda_or_null(device_or_null);
  nccl.is_aborted = false;
  if (nccl.cuda == NULL)
    echo_buffer_printf(error, "rank %d of %d has no GPU", echo_mpi_rank(), echo_mpi_size());
  bool ok = nccl.cuda != NULL && open_library(error);
  return agree(ok, error) && agree(make_world(error), error);
}

void echo_nccl_leave(const EchoCuda *cuda)
{
  if (cuda != nccl.cuda)
    return;
  for (size_t i = 0; i < nccl.groups.size; i++) {
    EchoNcclGroup *group = &nccl.groups.data[i];
    if (group->comm != NULL && group->comm != nccl.world && !nccl.is_aborted)
      (void)nccl.table.destroy(group->comm);
    echo_free(group->ranks.numbers);
  }
  if (nccl.world != NULL && !nccl.is_aborted)
    (void)nccl.table.destroy(nccl.world);
  nccl.world = NULL;
  nccl.cuda = NULL;
  echo_vector_destroy(&nccl.groups);
}

void echo_nccl_abort(void)
{
  if (nccl.world == NULL || nccl.is_aborted)
    return;
  nccl.is_aborted = true;
  for (size_t i = 0; i < nccl.groups.size; i++)
    if (nccl.groups.data[i].comm != NULL && nccl.groups.data[i].comm != nccl.world)
      (void)nccl.table.abort(nccl.groups.data[i].comm);
  (void)nccl.table.abort(nccl.world);
}

void echo_nccl_describe(EchoBuffer *out)
{
  if (nccl.world != NULL)
    echo_buffer_printf(out, "NCCL %d.%d.%d", nccl.version / 10000, nccl.version / 100 % 100,
                       nccl.version % 100);
}

/* ---- while it runs ---- */

bool echo_nccl_is_well(EchoBuffer *error)
{
  bool ok = true;
  for (size_t i = 0; nccl.world != NULL && ok && i <= nccl.groups.size; i++) {
    ncclComm_t comm = i == 0 ? nccl.world : nccl.groups.data[i - 1].comm;
    ncclResult_t found = ncclSuccess;
    if (comm == NULL)
      continue;
    ok = echo_nccl_check(nccl.table.async_error(comm, &found), "ncclCommGetAsyncError", error) &&
         (found == ncclInProgress || echo_nccl_check(found, "NCCL", error));
  }
  return ok;
}

/* ---- groups ---- */

const EchoNcclTable *echo_nccl_table(void)
{
  return &nccl.table;
}

const EchoCuda *echo_nccl_cuda(void)
{
  return nccl.cuda;
}

ncclComm_t echo_nccl_world(void)
{
  return nccl.world;
}

const EchoNcclGroup *echo_nccl_group_or_null(const EchoAttr *ranks, int64_t size)
{
  for (size_t i = 0; i < nccl.groups.size; i++)
    if (echo_mpi_ranks_are(&nccl.groups.data[i].ranks, ranks, size))
      return &nccl.groups.data[i];
  return NULL;
}

/* One group of all, in their order. */
static bool is_world(const EchoAttr *ranks, int64_t size)
{
  bool is = size == echo_mpi_size() && echo_attr_ints_size(ranks) == (size_t)size;
  for (int64_t i = 0; i < size && is; i++)
    is = echo_attr_ints_get(ranks, (size_t)i) == i;
  return is;
}

static bool make_group(const EchoAttr *ranks, int64_t size, EchoBuffer *error)
{
  if (echo_nccl_group_or_null(ranks, size) != NULL)
    return true;
  const EchoMpiPlace at = echo_mpi_place(ranks, size);
  EchoNcclGroup group = {
      .size = size, .members = at.members, .place = at.place, .comm = nccl.world};
  if (!is_world(ranks, size)) {
    group.comm = NULL;
    echo_mpi_wait_in("ncclCommSplit", (EchoStr){0});
    ncclResult_t result = nccl.table.split(
        nccl.world, at.group < 0 ? NCCL_SPLIT_NOCOLOR : (int)at.group, at.place, &group.comm, NULL);
    echo_mpi_wait_in(NULL, (EchoStr){0});
    if (!echo_nccl_check(result, "ncclCommSplit", error))
      return false;
  }
  group.ranks = echo_mpi_ranks(ranks, size);
  echo_vector_push(&nccl.groups, group);
  return true;
}

bool echo_nccl_prepare(EchoOp *module, EchoBuffer *error)
{
  return echo_mpi_prepare_with(module, make_group, error);
}
