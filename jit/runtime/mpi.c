/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/mpi.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "ir/op.h"
#include "ir/table/op_info.h"

/* ---- the library ---- */

/* A handle is a pointer to an object of Open MPI's, a number of MPICH's. */
typedef struct Handle {
  uintptr_t value;
} Handle;

typedef enum Family { OPEN_MPI, MPICH } Family;

static const struct {
  const char *file;
  Family family;
} FILES[] = {{"libmpi.so.40", OPEN_MPI},
             {"libmpi.so.80", OPEN_MPI},
             {"libmpich.so.12", MPICH},
             {"libmpi.so.12", MPICH}};

typedef enum Constant {
  WORLD,
  BYTE,
  INT8,
  INT16,
  INT32,
  INT64,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  FLOAT,
  DOUBLE,
  SUM,
  PRODUCT,
  MIN,
  MAX,
  AND,
  OR,
  XOR,
  ERRORS_RETURN,
  N_CONSTANTS
} Constant;

/* Names of Open MPI's objects and MPICH's numbers (its mpi.h, ABI 12). */
static const struct {
  const char *open_mpi;
  uint32_t mpich;
} CONSTANTS[N_CONSTANTS] = {
    [WORLD] = {"ompi_mpi_comm_world", 0x44000000},
    [BYTE] = {"ompi_mpi_byte", 0x4c00010d},
    [INT8] = {"ompi_mpi_int8_t", 0x4c000137},
    [INT16] = {"ompi_mpi_int16_t", 0x4c000238},
    [INT32] = {"ompi_mpi_int32_t", 0x4c000439},
    [INT64] = {"ompi_mpi_int64_t", 0x4c00083a},
    [UINT8] = {"ompi_mpi_uint8_t", 0x4c00013b},
    [UINT16] = {"ompi_mpi_uint16_t", 0x4c00023c},
    [UINT32] = {"ompi_mpi_uint32_t", 0x4c00043d},
    [UINT64] = {"ompi_mpi_uint64_t", 0x4c00083e},
    [FLOAT] = {"ompi_mpi_float", 0x4c00040a},
    [DOUBLE] = {"ompi_mpi_double", 0x4c00080b},
    [SUM] = {"ompi_mpi_op_sum", 0x58000003},
    [PRODUCT] = {"ompi_mpi_op_prod", 0x58000004},
    [MIN] = {"ompi_mpi_op_min", 0x58000002},
    [MAX] = {"ompi_mpi_op_max", 0x58000001},
    [AND] = {"ompi_mpi_op_band", 0x58000006},
    [OR] = {"ompi_mpi_op_bor", 0x58000008},
    [XOR] = {"ompi_mpi_op_bxor", 0x5800000a},
    [ERRORS_RETURN] = {"ompi_mpi_errors_return", 0x54000001},
};

enum {
  THREAD_SERIALIZED = 2,
  UNDEFINED_COLOR = -32766, /* MPI_UNDEFINED of both */
  TAG = 0,
  MAX_ARGS = 12,
  MAX_ERROR_TEXT = 1024, /* above both families' MPI_MAX_ERROR_STRING */
  MAX_COUNT = 1 << 30    /* of a call; more goes in blocks */
};

typedef struct Group {
  const EchoAttr *ranks;
  int64_t size;
  Handle comm;
  int members, place; /* 0 where this process is in no group */
} Group;

static struct {
  void *library;
  Family family;
  bool is_started;
  int rank, size;
  Handle constants[N_CONSTANTS];
  ECHO_VECTOR(Group) groups;
} mpi = {.size = 1};

/* Calls a function by name. `types` has a letter an argument: p a pointer, i an int, h a handle. */
typedef union Argument {
  const void *p;
  int i;
  Handle h;
} Argument;

static bool invoke(const char *name, const char *types, const Argument *arguments, int *code)
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
static bool call(EchoBuffer *error, const char *name, const char *types, const Argument *arguments)
{
  int code = 0, ignored = 0, length = 0;
  char text[MAX_ERROR_TEXT] = "";
  if (!invoke(name, types, arguments, &code)) {
    echo_buffer_printf(error, "%s is not in the MPI library", name);
    return false;
  }
  if (code == 0)
    return true;
  const Argument why[] = {{.i = code}, {.p = text}, {.p = &length}};
  invoke("MPI_Error_string", "ipp", why, &ignored);
  echo_buffer_printf(error, "rank %d of %d: %s: %.*s", mpi.rank, mpi.size, name,
                     (int)strcspn(text, "\n"), text);
  return false;
}

static Handle load_handle(const void *memory)
{
  Handle handle = {0};
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
  for (int i = 0; i < N_CONSTANTS; i++) {
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

bool echo_mpi_start(EchoBuffer *error)
{
  int provided = 0;
  const Argument none[] = {{.p = NULL}, {.p = NULL}, {.i = THREAD_SERIALIZED}, {.p = &provided}};
  if (!open_library(error) || !find_constants(error) ||
      !call(error, "MPI_Init_thread", "ppip", none))
    return false;
  const Argument handler[] = {{.h = mpi.constants[WORLD]}, {.h = mpi.constants[ERRORS_RETURN]}};
  const Argument rank[] = {{.h = mpi.constants[WORLD]}, {.p = &mpi.rank}};
  const Argument size[] = {{.h = mpi.constants[WORLD]}, {.p = &mpi.size}};
  mpi.is_started = call(error, "MPI_Comm_rank", "hp", rank) &&
                   call(error, "MPI_Comm_size", "hp", size) &&
                   call(error, "MPI_Comm_set_errhandler", "hh", handler);
  if (mpi.is_started && provided < THREAD_SERIALIZED) {
    echo_buffer_append_c(error, "the MPI library serves one thread only");
    return false;
  }
  return mpi.is_started;
}

void echo_mpi_finish(void)
{
  EchoBuffer error = {0};
  if (mpi.is_started)
    call(&error, "MPI_Finalize", "", NULL);
  mpi.is_started = false;
  echo_vector_destroy(&mpi.groups);
  echo_buffer_destroy(&error);
}

void echo_mpi_abort(void)
{
  EchoBuffer error = {0};
  const Argument arguments[] = {{.h = mpi.constants[WORLD]}, {.i = 1}};
  if (mpi.is_started)
    call(&error, "MPI_Abort", "hi", arguments);
  echo_buffer_destroy(&error);
}

int echo_mpi_rank(void)
{
  return mpi.rank;
}

int echo_mpi_size(void)
{
  return mpi.size;
}

/* ---- bytes of all processes ---- */

static bool check_count(uint64_t count, EchoBuffer *error)
{
  if (count <= MAX_COUNT)
    return true;
  echo_buffer_printf(error, "%llu elements for one process are more than a call of MPI carries",
                     (unsigned long long)count);
  return false;
}

bool echo_mpi_all_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error)
{
  const Argument a[] = {
      {.p = own},        {.i = (int)bytes},          {.h = mpi.constants[BYTE]}, {.p = all},
      {.i = (int)bytes}, {.h = mpi.constants[BYTE]}, {.h = mpi.constants[WORLD]}};
  return check_count(bytes, error) && call(error, "MPI_Allgather", "pihpihh", a);
}

bool echo_mpi_gather(const void *own, void *all, uint64_t bytes, EchoBuffer *error)
{
  const Argument a[] = {{.p = own}, {.i = (int)bytes},          {.h = mpi.constants[BYTE]},
                        {.p = all}, {.i = (int)bytes},          {.h = mpi.constants[BYTE]},
                        {.i = 0},   {.h = mpi.constants[WORLD]}};
  return check_count(bytes, error) && call(error, "MPI_Gather", "pihpihih", a);
}

/* ---- groups ---- */

static const Group *find_group_or_null(const EchoAttr *ranks, int64_t size)
{
  for (size_t i = 0; i < mpi.groups.size; i++)
    if (mpi.groups.data[i].ranks == ranks && mpi.groups.data[i].size == size)
      return &mpi.groups.data[i];
  return NULL;
}

static bool make_group(const EchoAttr *ranks, int64_t size, EchoBuffer *error)
{
  int64_t at = -1;
  uint64_t memory = 0;
  for (size_t i = 0; i < echo_attr_ints_size(ranks); i++)
    if (echo_attr_ints_get(ranks, i) == mpi.rank)
      at = (int64_t)i;
  Group group = {.ranks = ranks, .size = size, .members = at < 0 ? 0 : (int)size};
  group.place = at < 0 ? 0 : (int)(at % size);
  const Argument a[] = {{.h = mpi.constants[WORLD]},
                        {.i = at < 0 ? UNDEFINED_COLOR : (int)(at / size)},
                        {.i = group.place},
                        {.p = &memory}};
  if (!call(error, "MPI_Comm_split", "hiip", a))
    return false;
  group.comm = load_handle(&memory);
  if (group.members != 0) {
    const Argument handler[] = {{.h = group.comm}, {.h = mpi.constants[ERRORS_RETURN]}};
    if (!call(error, "MPI_Comm_set_errhandler", "hh", handler))
      return false;
  }
  echo_vector_push(&mpi.groups, group);
  return true;
}

static bool is_ours(const EchoOp *op)
{
  /* neighbours need no group */
  return echo_op_is(op, "stablehlo.custom_call") &&
         !echo_str_is(echo_op_attr_string(op, "call_target_name"), "echo.mpi.permute") &&
         echo_str_starts_with(echo_op_attr_string(op, "call_target_name"), "echo.mpi.");
}

bool echo_mpi_prepare(EchoOp *module, EchoBuffer *error)
{
  bool ok = true;
  for (EchoOp *op = module; op != NULL && ok; op = echo_op_walk_next(module, op)) {
    const EchoAttr *config = is_ours(op) ? echo_op_attr_or_null(op, "backend_config") : NULL;
    if (config == NULL)
      continue;
    const EchoAttr *ranks = echo_dictionary_get_or_null(config, "ranks");
    int64_t size = echo_dictionary_get_or_null(config, "group_size")->as.integer.value;
    ok = find_group_or_null(ranks, size) != NULL || make_group(ranks, size, error);
  }
  return ok;
}

/* ---- the targets ---- */

static const Group *group_or_null(const EchoTargetCall *c)
{
  const EchoAttr *ranks =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "ranks") : NULL;
  const EchoAttr *size =
      c->config != NULL ? echo_dictionary_get_or_null(c->config, "group_size") : NULL;
  const Group *group =
      ranks != NULL && size != NULL ? find_group_or_null(ranks, size->as.integer.value) : NULL;
  if (group == NULL)
    echo_buffer_append_c(c->error, "its groups were not made before the run");
  return group;
}

static uint64_t bytes_of(const EchoType *type)
{
  return echo_type_static_bytes(type);
}

static Handle type_of(const EchoType *type)
{
  static const Constant TYPES[ECHO_N_ELEMENT_KINDS] = {
      [ECHO_ELEMENT_I1] = UINT8,    [ECHO_ELEMENT_I8] = INT8,     [ECHO_ELEMENT_I16] = INT16,
      [ECHO_ELEMENT_I32] = INT32,   [ECHO_ELEMENT_I64] = INT64,   [ECHO_ELEMENT_UI8] = UINT8,
      [ECHO_ELEMENT_UI16] = UINT16, [ECHO_ELEMENT_UI32] = UINT32, [ECHO_ELEMENT_UI64] = UINT64,
      [ECHO_ELEMENT_F32] = FLOAT,   [ECHO_ELEMENT_F64] = DOUBLE};
  return mpi.constants[TYPES[echo_type_element_kind(type)]];
}

static Handle reduction_of(const EchoTargetCall *c)
{
  static const struct {
    const char *name;
    Constant constant;
  } NAMES[] = {{"sum", SUM}, {"product", PRODUCT}, {"min", MIN}, {"max", MAX},
               {"and", AND}, {"or", OR},           {"xor", XOR}};
  const EchoAttr *name = echo_dictionary_get_or_null(c->config, "reduction");
  for (size_t i = 0; name != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (echo_str_is(name->as.string, NAMES[i].name))
      return mpi.constants[NAMES[i].constant];
  return mpi.constants[SUM];
}

static bool run_all_gather(const EchoTargetCall *c)
{
  const Group *group = group_or_null(c);
  uint64_t bytes = bytes_of(c->operand_types[0]);
  if (group == NULL || !check_count(bytes, c->error))
    return false;
  const Argument a[] = {{.p = c->operands[0]}, {.i = (int)bytes}, {.h = mpi.constants[BYTE]},
                        {.p = c->results[0]},  {.i = (int)bytes}, {.h = mpi.constants[BYTE]},
                        {.h = group->comm}};
  return call(c->error, "MPI_Allgather", "pihpihh", a);
}

static bool run_all_to_all(const EchoTargetCall *c)
{
  const Group *group = group_or_null(c);
  uint64_t bytes = group != NULL ? bytes_of(c->operand_types[0]) / (uint64_t)group->size : 0;
  if (group == NULL || !check_count(bytes, c->error))
    return false;
  const Argument a[] = {{.p = c->operands[0]}, {.i = (int)bytes}, {.h = mpi.constants[BYTE]},
                        {.p = c->results[0]},  {.i = (int)bytes}, {.h = mpi.constants[BYTE]},
                        {.h = group->comm}};
  return call(c->error, "MPI_Alltoall", "pihpihh", a);
}

/* In blocks where there is more than a call carries. */
static bool run_all_reduce(const EchoTargetCall *c)
{
  const Group *group = group_or_null(c);
  int64_t n = echo_type_static_n_elements(c->operand_types[0]);
  size_t size = echo_type_element_bytes(c->operand_types[0]);
  bool ok = group != NULL;
  for (int64_t at = 0; at < n && ok; at += MAX_COUNT) {
    const Argument a[] = {{.p = (const char *)c->operands[0] + (size_t)at * size},
                          {.p = (char *)c->results[0] + (size_t)at * size},
                          {.i = (int)(n - at < MAX_COUNT ? n - at : MAX_COUNT)},
                          {.h = type_of(c->operand_types[0])},
                          {.h = reduction_of(c)},
                          {.h = group->comm}};
    ok = call(c->error, "MPI_Allreduce", "ppihhh", a);
  }
  return ok;
}

static bool run_reduce_scatter(const EchoTargetCall *c)
{
  const Group *group = group_or_null(c);
  int64_t n = echo_type_static_n_elements(c->result_types[0]);
  if (group == NULL || !check_count((uint64_t)n, c->error))
    return false;
  const Argument a[] = {{.p = c->operands[0]},  {.p = c->results[0]},
                        {.i = (int)n},          {.h = type_of(c->operand_types[0])},
                        {.h = reduction_of(c)}, {.h = group->comm}};
  return call(c->error, "MPI_Reduce_scatter_block", "ppihhh", a);
}

/* From the first of each group; zeros where there is none. */
static bool run_broadcast(const EchoTargetCall *c)
{
  const Group *group = group_or_null(c);
  uint64_t bytes = bytes_of(c->operand_types[0]);
  if (group == NULL || !check_count(bytes, c->error))
    return false;
  if (group->members == 0) {
    memset(c->results[0], 0, bytes);
    return true;
  }
  memcpy(c->results[0], c->operands[0], bytes);
  const Argument a[] = {{.p = c->results[0]},
                        {.i = (int)bytes},
                        {.h = mpi.constants[BYTE]},
                        {.i = 0},
                        {.h = group->comm}};
  return call(c->error, "MPI_Bcast", "pihih", a);
}

/* Both ways at once where the process sends and receives; to whom nobody sends, zeros come. */
static bool run_permute(const EchoTargetCall *c)
{
  const EchoAttr *pairs = echo_dictionary_get_or_null(c->config, "ranks");
  uint64_t bytes = bytes_of(c->operand_types[0]);
  int to = -1, from = -1;
  for (size_t i = 0; i + 1 < echo_attr_ints_size(pairs); i += 2) {
    if (echo_attr_ints_get(pairs, i) == mpi.rank)
      to = (int)echo_attr_ints_get(pairs, i + 1);
    if (echo_attr_ints_get(pairs, i + 1) == mpi.rank)
      from = (int)echo_attr_ints_get(pairs, i);
  }
  if (!check_count(bytes, c->error))
    return false;
  if (from < 0)
    memset(c->results[0], 0, bytes);
  if (from == mpi.rank)
    memcpy(c->results[0], c->operands[0], bytes);
  if ((to < 0 && from < 0) || from == mpi.rank)
    return true;
  const Argument send[] = {{.p = c->operands[0]},
                           {.i = (int)bytes},
                           {.h = mpi.constants[BYTE]},
                           {.i = to},
                           {.i = TAG},
                           {.h = mpi.constants[WORLD]}};
  const Argument receive[] = {{.p = c->results[0]},
                              {.i = (int)bytes},
                              {.h = mpi.constants[BYTE]},
                              {.i = from},
                              {.i = TAG},
                              {.h = mpi.constants[WORLD]},
                              {.p = (void *)(uintptr_t)(mpi.family == MPICH)}};
  const Argument both[] = {{.p = c->operands[0]},
                           {.i = (int)bytes},
                           {.h = mpi.constants[BYTE]},
                           {.i = to},
                           {.i = TAG},
                           {.p = c->results[0]},
                           {.i = (int)bytes},
                           {.h = mpi.constants[BYTE]},
                           {.i = from},
                           {.i = TAG},
                           {.h = mpi.constants[WORLD]},
                           {.p = (void *)(uintptr_t)(mpi.family == MPICH)}}; /* no status */
  if (from < 0)
    return call(c->error, "MPI_Send", "pihiih", send);
  if (to < 0)
    return call(c->error, "MPI_Recv", "pihiihp", receive);
  return call(c->error, "MPI_Sendrecv", "pihiipihiihp", both);
}

static bool run_rank(const EchoTargetCall *c)
{
  uint32_t rank = (uint32_t)mpi.rank;
  memcpy(c->results[0], &rank, sizeof rank);
  return true;
}

static const EchoCallTarget TARGETS[] = {
    {.name = "echo.mpi.all_gather",
     .summary = "values of a group along a leading dimension",
     .run = run_all_gather},
    {.name = "echo.mpi.all_reduce",
     .summary = "values of a group, combined",
     .run = run_all_reduce},
    {.name = "echo.mpi.all_to_all",
     .summary = "pieces of a group, exchanged",
     .run = run_all_to_all},
    {.name = "echo.mpi.broadcast", .summary = "the value of a group's first", .run = run_broadcast},
    {.name = "echo.mpi.permute", .summary = "a value of another process", .run = run_permute},
    {.name = "echo.mpi.rank", .summary = "this process", .run = run_rank},
    {.name = "echo.mpi.reduce_scatter",
     .summary = "pieces of a group, combined",
     .run = run_reduce_scatter},
};

bool echo_mpi_register_targets(EchoContext *ctx, EchoBuffer *error)
{
  bool ok = true;
  for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0] && ok; i++)
    ok = echo_context_register_call_target(ctx, &TARGETS[i], error);
  return ok;
}
