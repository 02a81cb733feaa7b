/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What clients of the PJRT plug-in do alike: the library by dlopen, errors as codes, events. */
#ifndef ECHO_TESTS_UNIT_PJRT_CALLS_T_H
#define ECHO_TESTS_UNIT_PJRT_CALLS_T_H

#include <check.h>
#include <dlfcn.h>
#include <string.h>

#include "pjrt/abi.h"

static const PJRT_Api *api;

/* Fills `api`; the library's handle. */
static void *load_api(void)
{
  void *library = dlopen(ECHO_BINARY_DIR "/lib/libpjrt_echo.so", RTLD_NOW | RTLD_LOCAL);
  ck_assert_msg(library != NULL, "%s", dlerror());
  const PJRT_Api *(*get_api)(void);
  void *symbol = dlsym(library, "GetPjrtApi");
  memcpy(&get_api, &symbol, sizeof get_api);
  ck_assert_ptr_nonnull(symbol);
  api = get_api();
  return library;
}

#define ARGS(name, ...)                                                                            \
  {                                                                                                \
    .struct_size = sizeof(name##_Args), __VA_ARGS__                                                \
  }

/* The code of an error, which is destroyed; its message goes to `text` (256 bytes) when given. */
static PJRT_Error_Code code_of(PJRT_Error *error, char *text)
{
  if (error == NULL)
    return PJRT_Error_Code_OK;
  PJRT_Error_GetCode_Args code = ARGS(PJRT_Error_GetCode, .error = error);
  PJRT_Error_Message_Args message = ARGS(PJRT_Error_Message, .error = error);
  ck_assert_ptr_null(api->PJRT_Error_GetCode(&code));
  api->PJRT_Error_Message(&message);
  ck_assert_uint_ne(message.message_size, 0);
  if (text != NULL) {
    size_t n = message.message_size < 255 ? message.message_size : 255;
    memcpy(text, message.message, n);
    text[n] = '\0';
  }
  PJRT_Error_Destroy_Args destroy = ARGS(PJRT_Error_Destroy, .error = error);
  api->PJRT_Error_Destroy(&destroy);
  return code.code;
}

static void must(PJRT_Error *error)
{
  char text[256] = "";
  PJRT_Error_Code code = code_of(error, text);
  ck_assert_msg(code == PJRT_Error_Code_OK, "error %d: %s", (int)code, text);
}

static void await(PJRT_Event *event)
{
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = event);
  must(api->PJRT_Event_Await(&wait));
  PJRT_Event_Destroy_Args destroy = ARGS(PJRT_Event_Destroy, .event = event);
  must(api->PJRT_Event_Destroy(&destroy));
}

#endif
