/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* XLA's foreign function interface, version 0.3, by which a handler that somebody compiled for JAX
 * is called (names, order and layout are those of the published xla/ffi/api/c_api.h;
 * tests/tools/pjrt_abi.py holds them against it), and the extension of PJRT that registers one. Of
 * a struct, the size that it says is counted up to XLA_FFI_SIZE's field: some say less than they
 * have. */
#ifndef ECHO_PJRT_FFI_ABI_H
#define ECHO_PJRT_FFI_ABI_H

#include "pjrt/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XLA_FFI_MAJOR = 0, XLA_FFI_MINOR = 3 };

#define XLA_FFI_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

typedef struct XLA_FFI_Extension_Base {
  size_t struct_size;
  int type; /* 1: metadata */
  struct XLA_FFI_Extension_Base *next;
} XLA_FFI_Extension_Base;
enum { XLA_FFI_METADATA = 1 };

#define XLA_FFI_HEAD                                                                               \
  size_t struct_size;                                                                              \
  XLA_FFI_Extension_Base *extension_start

typedef struct XLA_FFI_Error XLA_FFI_Error;
typedef struct XLA_FFI_Future XLA_FFI_Future;
typedef struct XLA_FFI_ExecutionContext XLA_FFI_ExecutionContext;
typedef int XLA_FFI_DataType; /* XLA's numbers of element types */

typedef enum {
  XLA_FFI_ExecutionStage_INSTANTIATE = 0,
  XLA_FFI_ExecutionStage_PREPARE = 1,
  XLA_FFI_ExecutionStage_INITIALIZE = 2,
  XLA_FFI_ExecutionStage_EXECUTE = 3
} XLA_FFI_ExecutionStage;

typedef enum {
  XLA_FFI_AttrType_ARRAY = 1,
  XLA_FFI_AttrType_DICTIONARY = 2,
  XLA_FFI_AttrType_SCALAR = 3,
  XLA_FFI_AttrType_STRING = 4
} XLA_FFI_AttrType;

enum { XLA_FFI_BUFFER = 1 }; /* the only kind of argument and of result */

/* ---- what a handler is called with ---- */

typedef struct XLA_FFI_Api_Version {
  XLA_FFI_HEAD;
  int major_version, minor_version;
} XLA_FFI_Api_Version;

typedef struct XLA_FFI_ByteSpan {
  const char *ptr;
  size_t len;
} XLA_FFI_ByteSpan;

typedef struct XLA_FFI_Scalar {
  XLA_FFI_DataType dtype;
  const void *value;
} XLA_FFI_Scalar;

typedef struct XLA_FFI_Array {
  XLA_FFI_DataType dtype;
  size_t size;
  const void *data;
} XLA_FFI_Array;

typedef struct XLA_FFI_Buffer {
  XLA_FFI_HEAD;
  XLA_FFI_DataType dtype;
  void *data;
  int64_t rank;
  int64_t *dims;
} XLA_FFI_Buffer;

typedef struct XLA_FFI_Args {
  XLA_FFI_HEAD;
  int64_t size;
  int *types;
  void **args;
} XLA_FFI_Args;

typedef struct XLA_FFI_Rets {
  XLA_FFI_HEAD;
  int64_t size;
  int *types;
  void **rets;
} XLA_FFI_Rets;

typedef struct XLA_FFI_Attrs {
  XLA_FFI_HEAD;
  int64_t size;
  XLA_FFI_AttrType *types;
  XLA_FFI_ByteSpan **names; /* sorted */
  void **attrs;
} XLA_FFI_Attrs;

typedef struct XLA_FFI_CallFrame {
  XLA_FFI_HEAD;
  const struct XLA_FFI_Api *api;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_ExecutionStage stage;
  XLA_FFI_Args args;
  XLA_FFI_Rets rets;
  XLA_FFI_Attrs attrs;    /* the last that its size counts */
  XLA_FFI_Future *future; /* out */
} XLA_FFI_CallFrame;

typedef XLA_FFI_Error *XLA_FFI_Handler(XLA_FFI_CallFrame *frame);

typedef struct XLA_FFI_Handler_Bundle {
  XLA_FFI_Handler *instantiate, *prepare, *initialize; /* NULL: none */
  XLA_FFI_Handler *execute;
} XLA_FFI_Handler_Bundle;

typedef struct XLA_FFI_TypeId {
  int64_t type_id;
} XLA_FFI_TypeId;

typedef struct XLA_FFI_TypeInfo {
  XLA_FFI_HEAD;
  void (*deleter)(void *object);
} XLA_FFI_TypeInfo;

/* ---- what a handler says of itself ---- */

typedef struct XLA_FFI_Metadata {
  size_t struct_size;
  XLA_FFI_Api_Version api_version;
  uint32_t traits;
  XLA_FFI_TypeId state_type_id;
} XLA_FFI_Metadata;

typedef struct XLA_FFI_Metadata_Extension {
  XLA_FFI_Extension_Base extension_base;
  XLA_FFI_Metadata *metadata;
} XLA_FFI_Metadata_Extension;

/* ---- what a handler may call ---- */

typedef struct XLA_FFI_Error_Create_Args {
  XLA_FFI_HEAD;
  const char *message;
  int errc; /* as a PJRT_Error_Code */
} XLA_FFI_Error_Create_Args;

typedef struct XLA_FFI_Error_GetMessage_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Error *error;
  const char *message;
} XLA_FFI_Error_GetMessage_Args;

typedef struct XLA_FFI_Error_Destroy_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Error *error;
} XLA_FFI_Error_Destroy_Args;

typedef struct XLA_FFI_Handler_Register_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ByteSpan name, platform;
  XLA_FFI_Handler_Bundle bundle;
  uint32_t traits;
} XLA_FFI_Handler_Register_Args;

typedef struct XLA_FFI_Stream_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  void *stream;
} XLA_FFI_Stream_Get_Args;

typedef struct XLA_FFI_Type_Register_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ByteSpan name;
  XLA_FFI_TypeId *type_id; /* in and out; 0: a new one */
  const XLA_FFI_TypeInfo *type_info;
} XLA_FFI_Type_Register_Args;

typedef struct XLA_FFI_ExecutionContext_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_TypeId *type_id;
  void *data;
} XLA_FFI_ExecutionContext_Get_Args;

typedef struct XLA_FFI_State_Set_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_ExecutionStage stage;
  XLA_FFI_TypeId *type_id;
  void *state;
} XLA_FFI_State_Set_Args;

typedef struct XLA_FFI_State_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  XLA_FFI_ExecutionStage stage;
  XLA_FFI_TypeId *type_id;
  void *state;
} XLA_FFI_State_Get_Args;

typedef struct XLA_FFI_DeviceMemory_Allocate_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  size_t size, alignment;
  void *data;
} XLA_FFI_DeviceMemory_Allocate_Args;

typedef struct XLA_FFI_DeviceMemory_Free_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  size_t size;
  void *data;
} XLA_FFI_DeviceMemory_Free_Args;

typedef struct XLA_FFI_ThreadPool_Schedule_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  void (*task)(void *data);
  void *data;
} XLA_FFI_ThreadPool_Schedule_Args;

typedef struct XLA_FFI_ThreadPool_NumThreads_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  int64_t *num_threads;
} XLA_FFI_ThreadPool_NumThreads_Args;

typedef struct XLA_FFI_Future_Create_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Future *future;
} XLA_FFI_Future_Create_Args;

typedef struct XLA_FFI_Future_SetAvailable_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Future *future;
} XLA_FFI_Future_SetAvailable_Args;

typedef struct XLA_FFI_Future_SetError_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Future *future;
  XLA_FFI_Error *error; /* taken over */
} XLA_FFI_Future_SetError_Args;

typedef struct XLA_FFI_RunId_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  int64_t run_id;
} XLA_FFI_RunId_Get_Args;

typedef struct XLA_FFI_DeviceOrdinal_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ExecutionContext *ctx;
  int32_t device_ordinal;
} XLA_FFI_DeviceOrdinal_Get_Args;

typedef struct XLA_FFI_Api {
  XLA_FFI_HEAD;
  XLA_FFI_Api_Version api_version;
  const void *internal_api; /* XLA's own C++: NULL */
  XLA_FFI_Error *(*XLA_FFI_Error_Create)(XLA_FFI_Error_Create_Args *args);
  void (*XLA_FFI_Error_GetMessage)(XLA_FFI_Error_GetMessage_Args *args);
  void (*XLA_FFI_Error_Destroy)(XLA_FFI_Error_Destroy_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Handler_Register)(XLA_FFI_Handler_Register_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Stream_Get)(XLA_FFI_Stream_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Type_Register)(XLA_FFI_Type_Register_Args *args);
  XLA_FFI_Error *(*XLA_FFI_ExecutionContext_Get)(XLA_FFI_ExecutionContext_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_State_Set)(XLA_FFI_State_Set_Args *args);
  XLA_FFI_Error *(*XLA_FFI_State_Get)(XLA_FFI_State_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_DeviceMemory_Allocate)(XLA_FFI_DeviceMemory_Allocate_Args *args);
  XLA_FFI_Error *(*XLA_FFI_DeviceMemory_Free)(XLA_FFI_DeviceMemory_Free_Args *args);
  XLA_FFI_Error *(*XLA_FFI_ThreadPool_Schedule)(XLA_FFI_ThreadPool_Schedule_Args *args);
  XLA_FFI_Error *(*XLA_FFI_ThreadPool_NumThreads)(XLA_FFI_ThreadPool_NumThreads_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Future_Create)(XLA_FFI_Future_Create_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Future_SetAvailable)(XLA_FFI_Future_SetAvailable_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Future_SetError)(XLA_FFI_Future_SetError_Args *args);
  XLA_FFI_Error *(*XLA_FFI_RunId_Get)(XLA_FFI_RunId_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_DeviceOrdinal_Get)(XLA_FFI_DeviceOrdinal_Get_Args *args);
} XLA_FFI_Api;

/* ---- PJRT's extension, version 3 ---- */

enum { PJRT_EXTENSION_FFI = 5 };

typedef struct PJRT_FFI_Type_Info {
  void (*deleter)(void *object);
  void *serialize, *deserialize;
} PJRT_FFI_Type_Info;

typedef struct PJRT_FFI_Type_Register_Args {
  PJRT_HEAD;
  const char *type_name;
  size_t type_name_size;
  int64_t type_id; /* in and out; 0: a new one */
  const PJRT_FFI_Type_Info *type_info;
} PJRT_FFI_Type_Register_Args;

typedef struct PJRT_FFI_UserData_Add_Args {
  PJRT_HEAD;
  PJRT_ExecuteContext *context;
  struct {
    int64_t type_id;
    void *data;
  } user_data;
} PJRT_FFI_UserData_Add_Args;

typedef struct PJRT_FFI_Register_Handler_Args {
  size_t struct_size;
  const char *target_name;
  size_t target_name_size;
  void *handler; /* an XLA_FFI_Handler of the last stage */
  const char *platform_name;
  size_t platform_name_size;
  int traits;
} PJRT_FFI_Register_Handler_Args;

typedef struct PJRT_FFI_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*type_register)(PJRT_FFI_Type_Register_Args *args);
  PJRT_Error *(*user_data_add)(PJRT_FFI_UserData_Add_Args *args);
  PJRT_Error *(*register_handler)(PJRT_FFI_Register_Handler_Args *args);
} PJRT_FFI_Extension;

#ifdef __cplusplus
}
#endif

#endif
