/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/mpi_t.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "ir/op.h"
#include "ir/table/op_info.h"
#include "jit/runtime/collective_calls_t.h"

/* ---- the library ---- */

typedef enum Family { OPEN_MPI, MPICH } Family;

static const struct {
  const char *file;
  Family family;
} FILES[] = {{"libmpi.so.40", OPEN_MPI},
             {"libmpi.so.80", OPEN_MPI},
             {"libmpich.so.12", MPICH},
             {"libmpi.so.12", MPICH}};

/* Names of Open MPI's objects and MPICH's numbers (its mpi.h, ABI 12). */
static const struct {
  const char *open_mpi;
  uint32_t mpich;
} CONSTANTS[ECHO_MPI_N_CONSTANTS] = {
    [ECHO_MPI_WORLD] = {"ompi_mpi_comm_world", 0x44000000},
    [ECHO_MPI_BYTE] = {"ompi_mpi_byte", 0x4c00010d},
    [ECHO_MPI_ERRORS_RETURN] = {"ompi_mpi_errors_return", 0x54000001},
    [ECHO_MPI_INFO_NULL] = {"ompi_mpi_info_null", 0x1c000000},
};

enum {
  THREAD_FUNNELED = 1, /* the thread that started alone may call */
  THREAD_SERIALIZED = 2,
  UNDEFINED_COLOR = -32766, /* MPI_UNDEFINED of both */
  MAX_ARGS = 12,
  MAX_ERROR_TEXT = 1024, /* above both families' MPI_MAX_ERROR_STRING */
};

static struct {
  void *library;
  Family family;
  bool is_started, serves_threads;
  int rank, size;
  int local_rank; /* among those of this machine */
  EchoMpiHandle constants[ECHO_MPI_N_CONSTANTS];
  ECHO_VECTOR(EchoMpiGroup) groups;
  ECHO_VECTOR(EchoBuffer) calls; /* by number, what messages call each */
  bool checks;                   /* some call may be missed by some processes */
} mpi = {.size = 1, .serves_threads = true};

static bool invoke(const char *name, const char *types, const EchoMpiArgument *arguments, int *code)
{
  void *address = dlsym(mpi.library, name);
  void (*function)(void);
  ffi_type *formal[MAX_ARGS];
  void *actual[MAX_ARGS];
  int ints[MAX_ARGS];
  void *pointers[MAX_ARGS];
  size_t n = strlen(types);
  ffi_cif cif;
  if (address == NULL)
    return false;
  memcpy(&function, &address, sizeof address);
  for (size_t k = 0; k < n; k++) {
    bool is_int = types[k] == 'i' || (types[k] == 'h' && mpi.family == MPICH);
    formal[k] = is_int ? &ffi_type_sint : &ffi_type_pointer;
    if (types[k] == 'i')
      ints[k] = arguments[k].i;
    else if (types[k] == 'h')
      ints[k] = (int)(uint32_t)arguments[k].h.value;
    memcpy(&pointers[k], &arguments[k], sizeof pointers[k]);
    actual[k] = is_int ? (void *)&ints[k] : (void *)&pointers[k];
  }
  if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)n, &ffi_type_sint, formal) != FFI_OK)
    return false;
  ffi_arg result = 0;
  ffi_call(&cif, function, &result, actual);
  *code = (int)result;
  return true;
}

/* The same with the reason of a failure. */
EchoMpiHandle echo_mpi_constant(EchoMpiConstant constant)
{
  return mpi.constants[constant];
}

EchoMpiArgument echo_mpi_no_status(void)
{
  return (EchoMpiArgument){.p = (void *)(uintptr_t)(mpi.family == MPICH)};
}

EchoMpiArgument echo_mpi_in_place(void)
{
  return (EchoMpiArgument){.p = (void *)(mpi.family == MPICH ? UINTPTR_MAX : 1)};
}

bool echo_mpi_call(EchoBuffer *error, const char *name, const char *types,
                   const EchoMpiArgument *arguments)
{
  int code = 0, ignored = 0, length = 0;
  char text[MAX_ERROR_TEXT] = "";
  if (!invoke(name, types, arguments, &code)) {
    echo_buffer_printf(error, "%s is not in the MPI library", name);
    return false;
  }
  echo_mpi_went_on();
  if (code == 0)
    return true;
  const EchoMpiArgument why[] = {{.i = code}, {.p = text}, {.p = &length}};
  invoke("MPI_Error_string", "ipp", why, &ignored);
  echo_buffer_printf(error, "rank %d of %d: %s: %.*s", mpi.rank, mpi.size, name,
                     (int)strcspn(text, "\n"), text);
  return false;
}

static EchoMpiHandle load_handle(const void *memory)
{
  EchoMpiHandle handle = {0};
  if (mpi.family == MPICH) {
    int number;
    memcpy(&number, memory, sizeof number);
    handle.value = (uint32_t)number;
  } else {
    memcpy(&handle.value, memory, sizeof handle.value);
  }
  return handle;
}

/* The family whose launcher started this process first: the other one would find itself alone. */
static bool open_library(EchoBuffer *error)
{
  bool is_open_mpi = getenv("OMPI_COMM_WORLD_SIZE") != NULL;
  for (int pass = 0; pass < 2 && mpi.library == NULL; pass++)
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && mpi.library == NULL; i++) {
      if ((FILES[i].family == OPEN_MPI) != (is_open_mpi == (pass == 0)))
        continue;
      mpi.library = dlopen(FILES[i].file, RTLD_NOW | RTLD_GLOBAL); /* its plugins look here */
      mpi.family = FILES[i].family;
    }
  if (mpi.library == NULL)
    echo_buffer_append_c(error, "many processes need Open MPI or MPICH, and neither libmpi.so.40 "
                                "nor libmpich.so.12 is on this machine");
  return mpi.library != NULL;
}

static bool find_constants(EchoBuffer *error)
{
  for (int i = 0; i < ECHO_MPI_N_CONSTANTS; i++) {
    mpi.constants[i].value = mpi.family == MPICH
                                 ? CONSTANTS[i].mpich
                                 : (uintptr_t)dlsym(mpi.library, CONSTANTS[i].open_mpi);
    if (mpi.constants[i].value == 0) {
      echo_buffer_printf(error, "%s is not in the MPI library", CONSTANTS[i].open_mpi);
      return false;
    }
  }
  return true;
}

/* ---- start and end ---- */

bool echo_mpi_is_launched(void)
{
  static const char *const VARIABLES[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof VARIABLES / sizeof VARIABLES[0]; i++)
    if (getenv(VARIABLES[i]) != NULL)
      return true;
  return false;
}

/* Those that share a memory are of one machine. */
static bool find_local_rank(EchoBuffer *error)
{
  const int shared = mpi.family == MPICH ? 1 : 0; /* MPI_COMM_TYPE_SHARED */
  uint64_t memory = 0;
  const EchoMpiArgument split[] = {{.h = mpi.constants[ECHO_MPI_WORLD]},
                                   {.i = shared},
                                   {.i = mpi.rank},
                                   {.h = mpi.constants[ECHO_MPI_INFO_NULL]},
                                   {.p = &memory}};
  if (!echo_mpi_call(error, "MPI_Comm_split_type", "hiihp", split))
    return false;
  const EchoMpiArgument rank[] = {{.h = load_handle(&memory)}, {.p = &mpi.local_rank}};
  const EchoMpiArgument freed[] = {{.p = &memory}};
  return echo_mpi_call(error, "MPI_Comm_rank", "hp", rank) &&
         echo_mpi_call(error, "MPI_Comm_free", "p", freed);
}

bool echo_mpi_start(EchoBuffer *error)
{
  int provided = 0;
  const EchoMpiArgument none[] = {
      {.p = NULL}, {.p = NULL}, {.i = THREAD_SERIALIZED}, {.p = &provided}};
  if (!open_library(error) || !find_constants(error) ||
      !echo_mpi_call(error, "MPI_Init_thread", "ppip", none))
    return false;
  const EchoMpiArgument handler[] = {{.h = mpi.constants[ECHO_MPI_WORLD]},
                                     {.h = mpi.constants[ECHO_MPI_ERRORS_RETURN]}};
  const EchoMpiArgument rank[] = {{.h = mpi.constants[ECHO_MPI_WORLD]}, {.p = &mpi.rank}};
  const EchoMpiArgument size[] = {{.h = mpi.constants[ECHO_MPI_WORLD]}, {.p = &mpi.size}};
  mpi.is_started = echo_mpi_call(error, "MPI_Comm_rank", "hp", rank) &&
                   echo_mpi_call(error, "MPI_Comm_size", "hp", size) &&
                   echo_mpi_call(error, "MPI_Comm_set_errhandler", "hh", handler) &&
                   find_local_rank(error);
  mpi.serves_threads = provided >= THREAD_SERIALIZED;
  if (mpi.is_started && provided < THREAD_FUNNELED) {
    echo_buffer_append_c(error, "the MPI library serves one thread only");
    return false;
  }
  if (mpi.is_started && mpi.size > 1)
    echo_mpi_watch_begin(mpi.rank, mpi.size);
  return mpi.is_started;
}

static void forget_calls(void)
{
  for (size_t i = 0; i < mpi.calls.size; i++)
    echo_buffer_destroy(&mpi.calls.data[i]);
  echo_vector_clear(&mpi.calls);
  mpi.checks = false;
}

void echo_mpi_finish(void)
{
  EchoBuffer error = {0};
  if (mpi.is_started)
    echo_mpi_call(&error, "MPI_Finalize", "", NULL);
  mpi.is_started = false;
  echo_mpi_watch_end();
  for (size_t i = 0; i < mpi.groups.size; i++) {
    echo_free(mpi.groups.data[i].scratch);
    echo_free(mpi.groups.data[i].ranks.numbers);
  }
  echo_vector_destroy(&mpi.groups);
  forget_calls();
  echo_vector_destroy(&mpi.calls);
  echo_buffer_destroy(&error);
}

void echo_mpi_abort(void)
{
  EchoBuffer error = {0};
  const EchoMpiArgument arguments[] = {{.h = mpi.constants[ECHO_MPI_WORLD]}, {.i = 1}};
  echo_mpi_wait_until_heard();
  if (mpi.is_started)
    echo_mpi_call(&error, "MPI_Abort", "hi", arguments);
  echo_buffer_destroy(&error);
}

bool echo_mpi_serves_threads(void)
{
  return mpi.serves_threads;
}

int echo_mpi_rank(void)
{
  return mpi.rank;
}

int echo_mpi_local_rank(void)
{
  return mpi.local_rank;
}

int echo_mpi_size(void)
{
  return mpi.size;
}

/* ---- bytes of all processes ---- */

bool echo_mpi_check_count(uint64_t count, EchoBuffer *error)
{
  if (count <= ECHO_MPI_MAX_COUNT)
    return true;
  echo_buffer_printf(error, "%llu elements for one process are more than a call of MPI carries",
                     (unsigned long long)count);
  return false;
}

bool echo_mpi_all_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error)
{
  const EchoMpiArgument a[] = {{.p = own},
                               {.i = (int)bytes},
                               {.h = mpi.constants[ECHO_MPI_BYTE]},
                               {.p = all},
                               {.i = (int)bytes},
                               {.h = mpi.constants[ECHO_MPI_BYTE]},
                               {.h = mpi.constants[ECHO_MPI_WORLD]}};
  return echo_mpi_check_count(bytes, error) && echo_mpi_call(error, "MPI_Allgather", "pihpihh", a);
}

bool echo_mpi_broadcast(void *data, uint64_t bytes, EchoBuffer *error)
{
  const EchoMpiArgument a[] = {{.p = data},
                               {.i = (int)bytes},
                               {.h = mpi.constants[ECHO_MPI_BYTE]},
                               {.i = 0},
                               {.h = mpi.constants[ECHO_MPI_WORLD]}};
  return echo_mpi_check_count(bytes, error) && echo_mpi_call(error, "MPI_Bcast", "pihih", a);
}

bool echo_mpi_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error)
{
  const EchoMpiArgument a[] = {{.p = own},
                               {.i = (int)bytes},
                               {.h = mpi.constants[ECHO_MPI_BYTE]},
                               {.p = all},
                               {.i = (int)bytes},
                               {.h = mpi.constants[ECHO_MPI_BYTE]},
                               {.i = 0},
                               {.h = mpi.constants[ECHO_MPI_WORLD]}};
  return echo_mpi_check_count(bytes, error) && echo_mpi_call(error, "MPI_Gather", "pihpihih", a);
}

bool echo_mpi_check_same(uint64_t own, const char *what, EchoBuffer *error)
{
  int n = mpi.size;
  uint64_t *all = echo_alloc_zero((size_t)n, sizeof *all);
  bool ok = echo_mpi_all_gather(&own, all, sizeof own, error);
  bool is_same = true;
  for (int i = 1; i < n && ok; i++)
    if (all[i] != all[0]) {
      echo_buffer_printf(error, "%s rank %d", is_same ? what : ",", i);
      is_same = false;
    }
  if (!is_same)
    echo_buffer_printf(error,
                       " of %d than on rank 0: all processes run one module with the same "
                       "options",
                       n);
  echo_free(all);
  return ok && is_same;
}

/* ---- groups ---- */

EchoMpiRanks echo_mpi_ranks(const EchoAttr *ranks, int64_t size)
{
  EchoMpiRanks copy = {.n = echo_attr_ints_size(ranks), .size = size};
  copy.numbers = echo_alloc_array(copy.n + 1, sizeof *copy.numbers);
  for (size_t i = 0; i < copy.n; i++)
    copy.numbers[i] = echo_attr_ints_get(ranks, i);
  return copy;
}

bool echo_mpi_ranks_are(const EchoMpiRanks *ranks, const EchoAttr *other, int64_t size)
{
  bool are = ranks->size == size && ranks->n == echo_attr_ints_size(other);
  for (size_t i = 0; i < ranks->n && are; i++)
    are = ranks->numbers[i] == echo_attr_ints_get(other, i);
  return are;
}

const EchoMpiGroup *echo_mpi_group_or_null(const EchoAttr *ranks, int64_t size)
{
  for (size_t i = 0; i < mpi.groups.size; i++)
    if (echo_mpi_ranks_are(&mpi.groups.data[i].ranks, ranks, size))
      return &mpi.groups.data[i];
  return NULL;
}

EchoMpiPlace echo_mpi_place(const EchoAttr *ranks, int64_t size)
{
  int64_t at = -1;
  for (size_t i = 0; i < echo_attr_ints_size(ranks); i++)
    if (echo_attr_ints_get(ranks, i) == mpi.rank)
      at = (int64_t)i;
  if (at < 0)
    return (EchoMpiPlace){.group = -1};
  EchoMpiPlace place = {.group = at / size, .place = (int)(at % size)};
  for (int64_t i = 0; i < size; i++) /* none at places that are negative */
    place.members += echo_attr_ints_get(ranks, (size_t)(at - at % size + i)) >= 0;
  return place;
}

static bool make_group(const EchoAttr *ranks, int64_t size, EchoBuffer *error)
{
  const EchoMpiPlace at = echo_mpi_place(ranks, size);
  uint64_t memory = 0;
  if (echo_mpi_group_or_null(ranks, size) != NULL)
    return true;
  EchoMpiGroup group = {.size = size, .members = at.members, .place = at.place};
  const EchoMpiArgument a[] = {{.h = mpi.constants[ECHO_MPI_WORLD]},
                               {.i = at.group < 0 ? UNDEFINED_COLOR : (int)at.group},
                               {.i = at.place},
                               {.p = &memory}};
  if (!echo_mpi_call(error, "MPI_Comm_split", "hiip", a))
    return false;
  group.ranks = echo_mpi_ranks(ranks, size);
  group.comm = load_handle(&memory);
  group.scratch = echo_alloc_array(
      (size_t)(group.members > ECHO_MPI_SCRATCH ? group.members : ECHO_MPI_SCRATCH),
      sizeof(uint64_t));
  if (group.members != 0) {
    const EchoMpiArgument handler[] = {{.h = group.comm},
                                       {.h = mpi.constants[ECHO_MPI_ERRORS_RETURN]}};
    if (!echo_mpi_call(error, "MPI_Comm_set_errhandler", "hh", handler))
      return false;
  }
  echo_vector_push(&mpi.groups, group);
  return true;
}

/* Of a module that a person wrote or changed, too: groups of one size, of processes that there are.
 * A place that is left has a negative number. */
static bool check_groups(const EchoCollectiveCall *call, const EchoAttr *ranks,
                         const EchoAttr *size, EchoBuffer *error)
{
  bool ok = echo_attr_is_i64_array(ranks) && size != NULL && size->kind == ECHO_ATTR_INTEGER &&
            size->as.integer.value >= 1 &&
            echo_attr_ints_size(ranks) % (uint64_t)size->as.integer.value == 0;
  for (size_t i = 0; ok && i < echo_attr_ints_size(ranks); i++)
    ok = echo_attr_ints_get(ranks, i) < mpi.size;
  if (!ok)
    echo_buffer_printf(error, "'%.*s' has no groups of %d processes in its configuration",
                       ECHO_STR_ARG(call->target), mpi.size);
  return ok;
}

/* Its number, and what messages call it. */
static void number_call(EchoOp *op, const EchoCollectiveCall *call)
{
  EchoBuffer text = {0};
  echo_collective_call_tell(op, call, (int64_t)mpi.calls.size);
  echo_collective_call_describe(
      &text, call->target, echo_collective_call_place(echo_op_attr_or_null(op, call->config_name)));
  echo_vector_push(&mpi.calls, text);
  mpi.checks = mpi.checks || echo_collective_call_may_be_missed(op);
}

bool echo_mpi_prepare_with(EchoOp *module, EchoMpiMakeGroup *make, EchoBuffer *error)
{
  bool ok = true;
  forget_calls();
  for (EchoOp *op = module; op != NULL && ok; op = echo_op_walk_next(module, op)) {
    EchoCollectiveCall call;
    if (!echo_collective_call_read(op, &call))
      continue;
    const EchoAttr *ranks = echo_dictionary_get_or_null(call.config, "ranks");
    const EchoAttr *size = echo_dictionary_get_or_null(call.config, "group_size");
    ok = check_groups(&call, ranks, size, error) && (echo_str_is(call.target, "echo.mpi.permute") ||
                                                     make(ranks, size->as.integer.value, error));
    number_call(op, &call);
  }
  return ok;
}

const char *echo_mpi_call_to_meet_or_null(int64_t number)
{
  return mpi.checks && number >= 0 && (uint64_t)number < mpi.calls.size
             ? echo_buffer_c_str(&mpi.calls.data[number])
             : NULL;
}

bool echo_mpi_prepare(EchoOp *module, EchoBuffer *error)
{
  return echo_mpi_prepare_with(module, make_group, error);
}
