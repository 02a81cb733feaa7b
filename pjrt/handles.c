/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handles by address, errors, and bytes that callers hold. */
#include <stdarg.h>

#include "base/map.h"
#include "pjrt/plugin_t.h"

/* ---- handles ---- */

static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
static EchoMap handles; /* address -> kind */

void echo_pjrt_add(const void *handle, EchoPjrtKind kind)
{
  pthread_mutex_lock(&handles_lock);
  echo_map_set(&handles, echo_key(handle), (uint64_t)kind);
  pthread_mutex_unlock(&handles_lock);
}

bool echo_pjrt_remove(const void *handle, EchoPjrtKind kind)
{
  pthread_mutex_lock(&handles_lock);
  bool is_there = handle != NULL && echo_map_get_or(&handles, echo_key(handle), 0) == kind &&
                  echo_map_erase(&handles, echo_key(handle));
  pthread_mutex_unlock(&handles_lock);
  return is_there;
}

bool echo_pjrt_is_live(const void *handle, EchoPjrtKind kind)
{
  pthread_mutex_lock(&handles_lock);
  bool is_live = handle != NULL && echo_map_get_or(&handles, echo_key(handle), 0) == kind;
  pthread_mutex_unlock(&handles_lock);
  return is_live;
}

/* ---- errors ---- */

PJRT_Error *echo_pjrt_error_of(PJRT_Error_Code code, EchoStr message)
{
  PJRT_Error *error = echo_alloc(sizeof *error);
  char *copy = echo_alloc(message.size + 1);
  if (message.size != 0)
    memcpy(copy, message.data, message.size);
  copy[message.size] = '\0';
  *error = (PJRT_Error){code, {copy, message.size}};
  echo_pjrt_add(error, ECHO_PJRT_ERROR);
  return error;
}

PJRT_Error *echo_pjrt_error(PJRT_Error_Code code, const char *format, ...)
{
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  PJRT_Error *error = echo_pjrt_error_of(code, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return error;
}

void Echo_PJRT_Error_Destroy(PJRT_Error_Destroy_Args *args)
{
  if (args == NULL || !ECHO_PJRT_HAS(args, error) ||
      !echo_pjrt_remove(args->error, ECHO_PJRT_ERROR))
    return;
  echo_free((void *)(uintptr_t)args->error->message.data);
  echo_free(args->error);
}

void Echo_PJRT_Error_Message(PJRT_Error_Message_Args *args)
{
  if (args == NULL || !ECHO_PJRT_HAS(args, message_size))
    return;
  bool is_live = echo_pjrt_is_live(args->error, ECHO_PJRT_ERROR);
  args->message = is_live ? args->error->message.data : "";
  args->message_size = is_live ? args->error->message.size : 0;
}

ECHO_PJRT_GETTER(Error_GetCode, code, error, ECHO_PJRT_ERROR, { args->code = args->error->code; })

/* ---- bytes ---- */

EchoBuffer *echo_pjrt_bytes_create(void)
{
  EchoBuffer *bytes = echo_alloc_zero(1, sizeof *bytes);
  echo_pjrt_add(bytes, ECHO_PJRT_BYTES);
  return bytes;
}

void echo_pjrt_bytes_destroy(void *bytes)
{
  if (!echo_pjrt_remove(bytes, ECHO_PJRT_BYTES))
    return;
  echo_buffer_destroy(bytes);
  echo_free(bytes);
}
