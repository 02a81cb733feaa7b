/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of handlers and types, and what a handler may call. */
#include <stdarg.h>
#include <stdio.h>

#include "base/map.h"
#include "base/memory.h"
#include "pjrt/ffi_t.h"

/* ---- errors ---- */

XLA_FFI_Error *echo_ffi_error(int code, const char *format, ...)
{
  XLA_FFI_Error *error = echo_alloc_zero(1, sizeof *error);
  error->code = code;
  va_list args;
  va_start(args, format);
  echo_buffer_vprintf(&error->message, format, args);
  va_end(args);
  return error;
}

void echo_ffi_error_destroy(XLA_FFI_Error *error)
{
  if (error != NULL)
    echo_buffer_destroy(&error->message);
  echo_free(error);
}

static XLA_FFI_Error *error_create(XLA_FFI_Error_Create_Args *args)
{
  return echo_ffi_error(args->errc, "%s", args->message != NULL ? args->message : "");
}

static void error_get_message(XLA_FFI_Error_GetMessage_Args *args)
{
  args->message = args->error != NULL ? echo_buffer_c_str(&args->error->message) : "";
}

static void error_destroy(XLA_FFI_Error_Destroy_Args *args)
{
  echo_ffi_error_destroy(args->error);
}

/* ---- the table: never shrinks, and lives as long as the process ---- */

typedef struct Handler {
  EchoBuffer name;
  EchoFfiHandler called;
} Handler;

typedef struct Type {
  EchoBuffer name;
  int64_t id;
  void (*deleter)(void *object);
} Type;

static struct {
  pthread_mutex_t lock;
  ECHO_VECTOR(Handler) handlers;
  ECHO_VECTOR(Type) types;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static Handler *handler_or_null(EchoStr name)
{
  for (size_t i = 0; i < table.handlers.size; i++)
    if (echo_str_equal(echo_buffer_str(&table.handlers.data[i].name), name))
      return &table.handlers.data[i];
  return NULL;
}

bool echo_ffi_find(EchoStr name, EchoFfiHandler *handler)
{
  pthread_mutex_lock(&table.lock);
  const Handler *known = handler_or_null(name);
  if (known != NULL)
    *handler = known->called;
  pthread_mutex_unlock(&table.lock);
  return known != NULL;
}

/* A handler says for which version it was compiled. One that is newer may ask for what is not
 * there. */
static XLA_FFI_Error *check_version(XLA_FFI_Handler *handler)
{
  XLA_FFI_Metadata metadata = {
      .struct_size = sizeof metadata,
      .api_version = {.struct_size = XLA_FFI_SIZE(XLA_FFI_Api_Version, minor_version)}};
  XLA_FFI_Metadata_Extension extension = {
      .extension_base = {.struct_size = sizeof extension, .type = XLA_FFI_METADATA},
      .metadata = &metadata};
  XLA_FFI_CallFrame frame = {.struct_size = XLA_FFI_SIZE(XLA_FFI_CallFrame, attrs),
                             .extension_start = &extension.extension_base,
                             .api = &ECHO_FFI_API,
                             .stage = XLA_FFI_ExecutionStage_EXECUTE};
  XLA_FFI_Error *error = handler(&frame);
  if (error == NULL && (metadata.api_version.major_version != XLA_FFI_MAJOR ||
                        metadata.api_version.minor_version > XLA_FFI_MINOR))
    error = echo_ffi_error(PJRT_Error_Code_INVALID_ARGUMENT,
                           "it was compiled for version %d.%d of the interface, this is %d.%d",
                           metadata.api_version.major_version, metadata.api_version.minor_version,
                           XLA_FFI_MAJOR, XLA_FFI_MINOR);
  return error;
}

/* Once more is fine where it is the same. */
static XLA_FFI_Error *register_handler(EchoStr name, const EchoFfiHandler *called)
{
  if (name.size == 0 || (called->bundle.execute == NULL && called->untyped == NULL))
    return echo_ffi_error(PJRT_Error_Code_INVALID_ARGUMENT,
                          "a handler needs a name and a function that executes");
  XLA_FFI_Error *error = called->untyped == NULL ? check_version(called->bundle.execute) : NULL;
  if (error != NULL)
    return error;
  pthread_mutex_lock(&table.lock);
  const Handler *known = handler_or_null(name);
  if (known == NULL) {
    Handler handler = {.called = *called};
    echo_buffer_append_str(&handler.name, name);
    echo_vector_push(&table.handlers, handler);
  } else if (memcmp(&known->called, called, sizeof *called) != 0) {
    error = echo_ffi_error(PJRT_Error_Code_ALREADY_EXISTS, "handler '%.*s' is registered twice",
                           ECHO_STR_ARG(name));
  }
  pthread_mutex_unlock(&table.lock);
  return error;
}

/* *id: 0 takes the next that is free, or the one that the name has. */
static XLA_FFI_Error *register_type(EchoStr name, int64_t *id, void (*deleter)(void *object))
{
  XLA_FFI_Error *error = NULL;
  int64_t next = 1;
  pthread_mutex_lock(&table.lock);
  for (size_t i = 0; i < table.types.size && error == NULL; i++) {
    const Type *type = &table.types.data[i];
    bool is_same = echo_str_equal(echo_buffer_str(&type->name), name);
    next = type->id >= next ? type->id + 1 : next;
    if (is_same && *id == 0)
      *id = type->id;
    if (is_same != (type->id == *id))
      error = echo_ffi_error(PJRT_Error_Code_ALREADY_EXISTS,
                             "type '%.*s' has number %lld, which is asked for '%.*s' or not",
                             ECHO_STR_ARG(echo_buffer_str(&type->name)), (long long)type->id,
                             ECHO_STR_ARG(name));
    else if (is_same)
      goto done;
  }
  if (error == NULL) {
    *id = *id != 0 ? *id : next;
    Type type = {.id = *id, .deleter = deleter};
    echo_buffer_append_str(&type.name, name);
    echo_vector_push(&table.types, type);
  }
done:
  pthread_mutex_unlock(&table.lock);
  return error;
}

void echo_ffi_state_clear(EchoFfiState *state)
{
  void (*deleter)(void *object) = NULL;
  pthread_mutex_lock(&table.lock);
  for (size_t i = 0; i < table.types.size; i++)
    if (table.types.data[i].id == state->type_id)
      deleter = table.types.data[i].deleter;
  pthread_mutex_unlock(&table.lock);
  if (state->type_id != 0 && deleter != NULL)
    deleter(state->data);
  *state = (EchoFfiState){0};
}

static XLA_FFI_Error *handler_register(XLA_FFI_Handler_Register_Args *args)
{
  return register_handler((EchoStr){args->name.ptr, args->name.len},
                          &(EchoFfiHandler){.bundle = args->bundle});
}

static XLA_FFI_Error *type_register(XLA_FFI_Type_Register_Args *args)
{
  return register_type((EchoStr){args->name.ptr, args->name.len}, &args->type_id->type_id,
                       args->type_info != NULL ? args->type_info->deleter : NULL);
}

/* ---- what a call keeps ---- */

static EchoFfiState *state_or_null(XLA_FFI_ExecutionContext *ctx, XLA_FFI_ExecutionStage stage)
{
  if (stage == XLA_FFI_ExecutionStage_INSTANTIATE)
    return &ctx->site->kept;
  return stage == XLA_FFI_ExecutionStage_PREPARE || stage == XLA_FFI_ExecutionStage_INITIALIZE
             ? &ctx->states[stage]
             : NULL;
}

static XLA_FFI_Error *state_set(XLA_FFI_State_Set_Args *args)
{
  EchoFfiState *state = state_or_null(args->ctx, args->stage);
  if (state == NULL || args->type_id->type_id == 0)
    return echo_ffi_error(PJRT_Error_Code_INVALID_ARGUMENT,
                          "this stage keeps no state, or its type is not registered");
  if (state->type_id != 0)
    return echo_ffi_error(PJRT_Error_Code_FAILED_PRECONDITION, "the state is set already");
  *state = (EchoFfiState){args->type_id->type_id, args->state};
  return NULL;
}

static XLA_FFI_Error *state_get(XLA_FFI_State_Get_Args *args)
{
  const EchoFfiState *state = state_or_null(args->ctx, args->stage);
  if (state == NULL || state->type_id == 0 || state->type_id != args->type_id->type_id)
    return echo_ffi_error(PJRT_Error_Code_NOT_FOUND, "no state of this type is set");
  args->state = state->data;
  return NULL;
}

static XLA_FFI_Error *execution_context_get(XLA_FFI_ExecutionContext_Get_Args *args)
{
  if (echo_pjrt_user_data_get(args->ctx->user_data, args->type_id->type_id, &args->data))
    return NULL;
  return echo_ffi_error(PJRT_Error_Code_NOT_FOUND, "there is no user data of type %lld",
                        (long long)args->type_id->type_id);
}

/* ---- the device: this processor ---- */

static XLA_FFI_Error *stream_get(XLA_FFI_Stream_Get_Args *args)
{
  (void)args;
  return echo_ffi_error(PJRT_Error_Code_UNIMPLEMENTED, "there is no stream on a CPU");
}

static XLA_FFI_Error *memory_allocate(XLA_FFI_DeviceMemory_Allocate_Args *args)
{
  bool is_power = args->alignment != 0 && (args->alignment & (args->alignment - 1)) == 0;
  if (!is_power)
    return echo_ffi_error(PJRT_Error_Code_INVALID_ARGUMENT, "an alignment of %zu bytes",
                          args->alignment);
  size_t alignment = args->alignment < sizeof(void *) ? sizeof(void *) : args->alignment;
  args->data = echo_alloc_aligned(echo_align_up(args->size + !args->size, alignment), alignment);
  return NULL;
}

static XLA_FFI_Error *memory_free(XLA_FFI_DeviceMemory_Free_Args *args)
{
  echo_free(args->data);
  return NULL;
}

/* A handler runs on a thread of ours already; its tasks run on it, at once. */
static XLA_FFI_Error *pool_schedule(XLA_FFI_ThreadPool_Schedule_Args *args)
{
  args->task(args->data);
  return NULL;
}

static XLA_FFI_Error *pool_n_threads(XLA_FFI_ThreadPool_NumThreads_Args *args)
{
  *args->num_threads = 1;
  return NULL;
}

static XLA_FFI_Error *run_id_get(XLA_FFI_RunId_Get_Args *args)
{
  args->run_id = args->ctx->run_id;
  return NULL;
}

static XLA_FFI_Error *device_ordinal_get(XLA_FFI_DeviceOrdinal_Get_Args *args)
{
  args->device_ordinal = 0;
  return NULL;
}

/* ---- what is done later, on a thread of the handler's ---- */

struct XLA_FFI_Future {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_set;
  XLA_FFI_Error *error;
};

static XLA_FFI_Error *future_create(XLA_FFI_Future_Create_Args *args)
{
  args->future = echo_alloc_zero(1, sizeof *args->future);
  pthread_mutex_init(&args->future->lock, NULL);
  pthread_cond_init(&args->future->changed, NULL);
  return NULL;
}

static void future_set(XLA_FFI_Future *future, XLA_FFI_Error *error)
{
  pthread_mutex_lock(&future->lock);
  future->is_set = true;
  future->error = error;
  pthread_cond_broadcast(&future->changed);
  pthread_mutex_unlock(&future->lock);
}

static XLA_FFI_Error *future_set_available(XLA_FFI_Future_SetAvailable_Args *args)
{
  future_set(args->future, NULL);
  return NULL;
}

static XLA_FFI_Error *future_set_error(XLA_FFI_Future_SetError_Args *args)
{
  future_set(args->future, args->error);
  return NULL;
}

XLA_FFI_Error *echo_ffi_future_wait(XLA_FFI_Future *future)
{
  pthread_mutex_lock(&future->lock);
  while (!future->is_set)
    pthread_cond_wait(&future->changed, &future->lock);
  XLA_FFI_Error *error = future->error;
  pthread_mutex_unlock(&future->lock);
  pthread_cond_destroy(&future->changed);
  pthread_mutex_destroy(&future->lock);
  echo_free(future);
  return error;
}

const XLA_FFI_Api ECHO_FFI_API = {
    .struct_size = sizeof ECHO_FFI_API,
    .api_version = {.struct_size = sizeof ECHO_FFI_API.api_version,
                    .major_version = XLA_FFI_MAJOR,
                    .minor_version = XLA_FFI_MINOR},
    .XLA_FFI_Error_Create = error_create,
    .XLA_FFI_Error_GetMessage = error_get_message,
    .XLA_FFI_Error_Destroy = error_destroy,
    .XLA_FFI_Handler_Register = handler_register,
    .XLA_FFI_Stream_Get = stream_get,
    .XLA_FFI_Type_Register = type_register,
    .XLA_FFI_ExecutionContext_Get = execution_context_get,
    .XLA_FFI_State_Set = state_set,
    .XLA_FFI_State_Get = state_get,
    .XLA_FFI_DeviceMemory_Allocate = memory_allocate,
    .XLA_FFI_DeviceMemory_Free = memory_free,
    .XLA_FFI_ThreadPool_Schedule = pool_schedule,
    .XLA_FFI_ThreadPool_NumThreads = pool_n_threads,
    .XLA_FFI_Future_Create = future_create,
    .XLA_FFI_Future_SetAvailable = future_set_available,
    .XLA_FFI_Future_SetError = future_set_error,
    .XLA_FFI_RunId_Get = run_id_get,
    .XLA_FFI_DeviceOrdinal_Get = device_ordinal_get,
};

/* ---- PJRT's extension, and the client's package ---- */

static PJRT_Error *pjrt_error_of(XLA_FFI_Error *error)
{
  if (error == NULL)
    return NULL;
  PJRT_Error *made =
      echo_pjrt_error_of((PJRT_Error_Code)error->code, echo_buffer_str(&error->message));
  echo_ffi_error_destroy(error);
  return made;
}

static PJRT_Error *extension_type_register(PJRT_FFI_Type_Register_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, type_info);
  ECHO_PJRT_CHECK(args->type_name != NULL, "'type_name' is NULL");
  return pjrt_error_of(register_type((EchoStr){args->type_name, args->type_name_size},
                                     &args->type_id,
                                     args->type_info != NULL ? args->type_info->deleter : NULL));
}

static PJRT_Error *extension_user_data_add(PJRT_FFI_UserData_Add_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, user_data);
  ECHO_PJRT_CHECK_LIVE(args->context, ECHO_PJRT_CONTEXT);
  ECHO_PJRT_CHECK(args->user_data.type_id != 0, "the type of the data is not registered");
  if (echo_pjrt_user_data_add(args->context, args->user_data.type_id, args->user_data.data))
    return NULL;
  return echo_pjrt_error(PJRT_Error_Code_ALREADY_EXISTS, "data of type %lld is there already",
                         (long long)args->user_data.type_id);
}

static PJRT_Error *extension_register_handler(PJRT_FFI_Register_Handler_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, traits);
  ECHO_PJRT_CHECK(args->target_name != NULL && args->handler != NULL,
                  "'target_name' or 'handler' is NULL");
  EchoFfiHandler called = {0};
  memcpy(&called.bundle.execute, &args->handler, sizeof called.bundle.execute);
  return pjrt_error_of(
      register_handler((EchoStr){args->target_name, args->target_name_size}, &called));
}

const PJRT_FFI_Extension ECHO_PJRT_FFI = {
    .base = {.struct_size = sizeof ECHO_PJRT_FFI, .type = PJRT_EXTENSION_FFI},
    .type_register = extension_type_register,
    .user_data_add = extension_user_data_add,
    .register_handler = extension_register_handler,
};

static int say(XLA_FFI_Error *error, char *text, size_t size)
{
  if (error == NULL)
    return 1;
  snprintf(text, size, "%s", echo_buffer_c_str(&error->message));
  echo_ffi_error_destroy(error);
  return 0;
}

int Echo_PJRT_RegisterHandler(const char *name, void *const stages[4], char *error,
                              size_t error_size)
{
  EchoFfiHandler called = {0};
  _Static_assert(sizeof called.bundle == 4 * sizeof *stages, "four functions");
  memcpy(&called.bundle, stages, sizeof called.bundle);
  return say(register_handler(echo_str(name), &called), error, error_size);
}

int Echo_PJRT_RegisterUntyped(const char *name, void *function, char *error, size_t error_size)
{
  EchoFfiHandler called = {0};
  memcpy(&called.untyped, &function, sizeof function);
  return say(register_handler(echo_str(name), &called), error, error_size);
}

int Echo_PJRT_RegisterType(const char *name, int64_t *type_id, const void *type_info, char *error,
                           size_t error_size)
{
  const XLA_FFI_TypeInfo *info = type_info;
  return say(register_type(echo_str(name), type_id, info != NULL ? info->deleter : NULL), error,
             error_size);
}
