/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What clients of the PJRT plug-in do alike: the library by dlopen, errors as codes, events, one
 * client, its programs and buffers. */
#ifndef ECHO_TESTS_UNIT_PJRT_CALLS_T_H
#define ECHO_TESTS_UNIT_PJRT_CALLS_T_H

#include <dlfcn.h>
#include <string.h>

#include "pjrt/abi.h"
#include "tests/unit/suite.h"

static const PJRT_Api *api;
static PJRT_Client *client;

/* Fills `api`; the library's handle. */
static inline void *load_api(void)
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
static inline PJRT_Error_Code code_of(PJRT_Error *error, char *text)
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

static inline void must(PJRT_Error *error)
{
  char text[256] = "";
  PJRT_Error_Code code = code_of(error, text);
  ck_assert_msg(code == PJRT_Error_Code_OK, "error %d: %s", (int)code, text);
}

static inline void await(PJRT_Event *event)
{
  PJRT_Event_Await_Args wait = ARGS(PJRT_Event_Await, .event = event);
  must(api->PJRT_Event_Await(&wait));
  PJRT_Event_Destroy_Args destroy = ARGS(PJRT_Event_Destroy, .event = event);
  must(api->PJRT_Event_Destroy(&destroy));
}

/* ---- the client ---- */

static inline void start_client(const PJRT_NamedValue *options, size_t n_options)
{
  PJRT_Client_Create_Args args =
      ARGS(PJRT_Client_Create, .create_options = options, .num_options = n_options);
  must(api->PJRT_Client_Create(&args));
  client = args.client;
}

static inline void destroy_client(PJRT_Client *which)
{
  PJRT_Client_Destroy_Args args = ARGS(PJRT_Client_Destroy, .client = which);
  must(api->PJRT_Client_Destroy(&args));
}

static inline void stop_client(void)
{
  destroy_client(client);
}

/* `options` is a CompileOptionsProto; of no bytes: none. */
static inline PJRT_Error *compile_with(const char *text, const char *options, size_t n_options,
                                       PJRT_LoadedExecutable **executable)
{
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)(uintptr_t)text,
                          .code_size = strlen(text),
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args args =
      ARGS(PJRT_Client_Compile, .client = client, .program = &program, .compile_options = options,
           .compile_options_size = n_options);
  PJRT_Error *error = api->PJRT_Client_Compile(&args);
  *executable = args.executable;
  return error;
}

static inline void unload(PJRT_LoadedExecutable *executable)
{
  PJRT_LoadedExecutable_Destroy_Args args =
      ARGS(PJRT_LoadedExecutable_Destroy, .executable = executable);
  must(api->PJRT_LoadedExecutable_Destroy(&args));
}

static inline void drop(PJRT_Buffer *buffer)
{
  PJRT_Buffer_Destroy_Args args = ARGS(PJRT_Buffer_Destroy, .buffer = buffer);
  must(api->PJRT_Buffer_Destroy(&args));
}

#endif
