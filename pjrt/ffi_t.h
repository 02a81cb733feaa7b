/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handlers of XLA's foreign function interface as call targets: a process has one table of them, by
 * name; a program has a target for each that it calls, and with it what its calls keep from run to
 * run. */
#ifndef ECHO_PJRT_FFI_T_H
#define ECHO_PJRT_FFI_T_H

#include "base/arena.h"
#include "pjrt/ffi_abi.h"
#include "pjrt/plugin_t.h"

/* ---- the table ---- */

/* What a handler has set for a stage, and how it is destroyed. */
typedef struct EchoFfiState {
  int64_t type_id; /* 0: nothing */
  void *data;
} EchoFfiState;
void echo_ffi_state_clear(EchoFfiState *state);

/* What a call says of how an untyped handler is called. */
enum { ECHO_FFI_ORIGINAL = 1, ECHO_FFI_WITH_STATUS, ECHO_FFI_WITH_STATUS_AND_TEXT };

/* A call of version 1 as XLA had them first: addresses alone. `out` is the result's or, where there
 * is not one, an array of the results'. Versions 2 and 3 are given an XlaCustomCallStatus, too, and
 * version 3 the call's backend_config. */
typedef void EchoUntypedCall(void *out, const void *const *in);
typedef void EchoUntypedCall2(void *out, const void *const *in, void *status);
typedef void EchoUntypedCall3(void *out, const void *const *in, const char *text, size_t size,
                              void *status);

/* A typed one of all stages, or an untyped one. */
typedef struct EchoFfiHandler {
  XLA_FFI_Handler_Bundle bundle;
  EchoUntypedCall *untyped; /* NULL: the bundle */
} EchoFfiHandler;

/* The handler that is registered for this name; false: there is none. */
bool echo_ffi_find(EchoStr name, EchoFfiHandler *handler);
extern const PJRT_FFI_Extension ECHO_PJRT_FFI;
extern const XLA_FFI_Api ECHO_FFI_API;

/* For the client's package, which has all four stages of a handler and an address for the number
 * of a type; 0 after a reason of less than `error_size` bytes in `error`. */
int Echo_PJRT_RegisterHandler(const char *name, void *const stages[4], char *error,
                              size_t error_size);
int Echo_PJRT_RegisterUntyped(const char *name, void *function, char *error, size_t error_size);
int Echo_PJRT_RegisterType(const char *name, int64_t *type_id, const void *type_info, char *error,
                           size_t error_size);

/* ---- errors, and what is done later ---- */

struct XLA_FFI_Error {
  int code; /* as a PJRT_Error_Code */
  EchoBuffer message;
};
XLA_FFI_Error *echo_ffi_error(int code, const char *format, ...) ECHO_PRINTF(2, 3);
void echo_ffi_error_destroy(XLA_FFI_Error *error);
/* Waits, and destroys it; the error that it was set to, or NULL. */
XLA_FFI_Error *echo_ffi_future_wait(XLA_FFI_Future *future);

/* ---- calls ---- */

/* A call of a handler: what its stage of instantiation has set stays as long as the program. */
typedef struct EchoFfiSite {
  const void *site;
  EchoFfiState kept;
} EchoFfiSite;

/* What a handler is given as its context. */
struct XLA_FFI_ExecutionContext {
  EchoFfiSite *site;
  EchoFfiState states[XLA_FFI_ExecutionStage_EXECUTE]; /* of this run; [INSTANTIATE] is unused */
  int64_t run_id;
  EchoPjrtUserData *user_data; /* NULL: there is none */
};

/* A dictionary as attributes of a call frame, in `arena`; false with a reason in *error. */
bool echo_ffi_attrs(EchoArena *arena, const EchoAttr *dictionary, XLA_FFI_Attrs *attrs,
                    EchoBuffer *error);

#endif
