/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The PJRT C API, version 0.90, as far as the plug-in answers it: names, order and layout are the
 * published interface's (xla/pjrt/c/pjrt_c_api.h; tests/tools/pjrt_abi.py holds them against it).
 * Every argument struct begins with its own size as the caller knows it, so that fields can be
 * added at its end. What is not answered is declared by name only. */
#ifndef ECHO_PJRT_ABI_H
#define ECHO_PJRT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PJRT_API_MAJOR = 0, PJRT_API_MINOR = 90 };

typedef enum {
  PJRT_Error_Code_OK = 0,
  PJRT_Error_Code_CANCELLED = 1,
  PJRT_Error_Code_UNKNOWN = 2,
  PJRT_Error_Code_INVALID_ARGUMENT = 3,
  PJRT_Error_Code_DEADLINE_EXCEEDED = 4,
  PJRT_Error_Code_NOT_FOUND = 5,
  PJRT_Error_Code_ALREADY_EXISTS = 6,
  PJRT_Error_Code_PERMISSION_DENIED = 7,
  PJRT_Error_Code_RESOURCE_EXHAUSTED = 8,
  PJRT_Error_Code_FAILED_PRECONDITION = 9,
  PJRT_Error_Code_ABORTED = 10,
  PJRT_Error_Code_OUT_OF_RANGE = 11,
  PJRT_Error_Code_UNIMPLEMENTED = 12,
  PJRT_Error_Code_INTERNAL = 13,
  PJRT_Error_Code_UNAVAILABLE = 14,
  PJRT_Error_Code_DATA_LOSS = 15,
  PJRT_Error_Code_UNAUTHENTICATED = 16
} PJRT_Error_Code;

typedef enum {
  PJRT_NamedValue_kString = 0,
  PJRT_NamedValue_kInt64,
  PJRT_NamedValue_kInt64List,
  PJRT_NamedValue_kFloat,
  PJRT_NamedValue_kBool
} PJRT_NamedValue_Type;

typedef enum {
  PJRT_Buffer_Type_INVALID,
  PJRT_Buffer_Type_PRED,
  PJRT_Buffer_Type_S8,
  PJRT_Buffer_Type_S16,
  PJRT_Buffer_Type_S32,
  PJRT_Buffer_Type_S64,
  PJRT_Buffer_Type_U8,
  PJRT_Buffer_Type_U16,
  PJRT_Buffer_Type_U32,
  PJRT_Buffer_Type_U64,
  PJRT_Buffer_Type_F16,
  PJRT_Buffer_Type_F32,
  PJRT_Buffer_Type_F64,
  PJRT_Buffer_Type_BF16,
  PJRT_Buffer_Type_C64,
  PJRT_Buffer_Type_C128,
  PJRT_Buffer_Type_F8E5M2,
  PJRT_Buffer_Type_F8E4M3FN,
  PJRT_Buffer_Type_F8E4M3B11FNUZ,
  PJRT_Buffer_Type_F8E5M2FNUZ,
  PJRT_Buffer_Type_F8E4M3FNUZ,
  PJRT_Buffer_Type_S4,
  PJRT_Buffer_Type_U4,
  PJRT_Buffer_Type_TOKEN,
  PJRT_Buffer_Type_S2,
  PJRT_Buffer_Type_U2,
  PJRT_Buffer_Type_F8E4M3,
  PJRT_Buffer_Type_F8E3M4,
  PJRT_Buffer_Type_F8E8M0FNU,
  PJRT_Buffer_Type_F4E2M1FN
} PJRT_Buffer_Type;

typedef enum {
  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
  PJRT_HostBufferSemantics_kImmutableZeroCopy,
  PJRT_HostBufferSemantics_kMutableZeroCopy
} PJRT_HostBufferSemantics;

typedef enum {
  PJRT_Buffer_MemoryLayout_Type_Tiled = 0,
  PJRT_Buffer_MemoryLayout_Type_Strides
} PJRT_Buffer_MemoryLayout_Type;

typedef struct PJRT_Error PJRT_Error;
typedef struct PJRT_Event PJRT_Event;
typedef struct PJRT_Client PJRT_Client;
typedef struct PJRT_Device PJRT_Device;
typedef struct PJRT_Memory PJRT_Memory;
typedef struct PJRT_DeviceDescription PJRT_DeviceDescription;
typedef struct PJRT_TopologyDescription PJRT_TopologyDescription;
typedef struct PJRT_Executable PJRT_Executable;
typedef struct PJRT_LoadedExecutable PJRT_LoadedExecutable;
typedef struct PJRT_Buffer PJRT_Buffer;
typedef struct PJRT_ExecuteContext PJRT_ExecuteContext;
typedef struct PJRT_SerializedExecutable PJRT_SerializedExecutable;
typedef struct PJRT_SerializedCompileOptions PJRT_SerializedCompileOptions;
typedef struct PJRT_SerializedTopology PJRT_SerializedTopology;
typedef struct PJRT_DeviceAssignmentSerialized PJRT_DeviceAssignmentSerialized;
typedef struct PJRT_SendCallbackInfo PJRT_SendCallbackInfo;
typedef struct PJRT_RecvCallbackInfo PJRT_RecvCallbackInfo;

/* The head of an extension; its type is a number of the interface. */
typedef struct PJRT_Extension_Base {
  size_t struct_size;
  int type;
  struct PJRT_Extension_Base *next;
} PJRT_Extension_Base;

/* What every struct of the interface begins with. */
#define PJRT_HEAD                                                                                  \
  size_t struct_size;                                                                              \
  PJRT_Extension_Base *extension_start

typedef void (*PJRT_Event_OnReadyCallback)(PJRT_Error *error, void *user_arg);

typedef struct PJRT_NamedValue {
  PJRT_HEAD;
  const char *name;
  size_t name_size;
  PJRT_NamedValue_Type type;
  union {
    const char *string_value;
    int64_t int64_value;
    const int64_t *int64_array_value;
    float float_value;
    bool bool_value;
  };
  size_t value_size;
} PJRT_NamedValue;

typedef struct PJRT_Program {
  PJRT_HEAD;
  char *code;
  size_t code_size;
  const char *format;
  size_t format_size;
} PJRT_Program;

typedef struct PJRT_Buffer_MemoryLayout_Tiled {
  PJRT_HEAD;
  const int64_t *minor_to_major;
  size_t minor_to_major_size;
  const int64_t *tile_dims;
  const size_t *tile_dim_sizes;
  size_t num_tiles;
} PJRT_Buffer_MemoryLayout_Tiled;

typedef struct PJRT_Buffer_MemoryLayout_Strides {
  PJRT_HEAD;
  const int64_t *byte_strides;
  size_t num_byte_strides;
} PJRT_Buffer_MemoryLayout_Strides;

typedef struct PJRT_Buffer_MemoryLayout {
  PJRT_HEAD;
  union {
    PJRT_Buffer_MemoryLayout_Tiled tiled;
    PJRT_Buffer_MemoryLayout_Strides strides;
  };
  PJRT_Buffer_MemoryLayout_Type type;
} PJRT_Buffer_MemoryLayout;

typedef struct PJRT_ExecuteOptions {
  PJRT_HEAD;
  PJRT_SendCallbackInfo **send_callbacks;
  PJRT_RecvCallbackInfo **recv_callbacks;
  size_t num_send_ops;
  size_t num_recv_ops;
  int launch_id;
  const int64_t *non_donatable_input_indices;
  size_t num_non_donatable_input_indices;
  PJRT_ExecuteContext *context;
  const char *call_location;
  size_t num_tasks;
  int *task_ids;
  int64_t *incarnation_ids;
} PJRT_ExecuteOptions;

typedef struct PJRT_Error_Destroy_Args {
  PJRT_HEAD;
  PJRT_Error *error;
} PJRT_Error_Destroy_Args;

typedef struct PJRT_Error_Message_Args {
  PJRT_HEAD;
  const PJRT_Error *error;
  const char *message;
  size_t message_size;
} PJRT_Error_Message_Args;

typedef struct PJRT_Error_GetCode_Args {
  PJRT_HEAD;
  const PJRT_Error *error;
  PJRT_Error_Code code;
} PJRT_Error_GetCode_Args;

typedef struct PJRT_Plugin_Initialize_Args {
  PJRT_HEAD;
} PJRT_Plugin_Initialize_Args;

typedef struct PJRT_Plugin_Attributes_Args {
  PJRT_HEAD;
  const PJRT_NamedValue *attributes;
  size_t num_attributes;
} PJRT_Plugin_Attributes_Args;

typedef struct PJRT_Event_Destroy_Args {
  PJRT_HEAD;
  PJRT_Event *event;
} PJRT_Event_Destroy_Args;

typedef struct PJRT_Event_IsReady_Args {
  PJRT_HEAD;
  PJRT_Event *event;
  bool is_ready;
} PJRT_Event_IsReady_Args;

typedef struct PJRT_Event_Error_Args {
  PJRT_HEAD;
  PJRT_Event *event;
} PJRT_Event_Error_Args;

typedef struct PJRT_Event_Await_Args {
  PJRT_HEAD;
  PJRT_Event *event;
} PJRT_Event_Await_Args;

typedef struct PJRT_Event_OnReady_Args {
  PJRT_HEAD;
  PJRT_Event *event;
  PJRT_Event_OnReadyCallback callback;
  void *user_arg;
} PJRT_Event_OnReady_Args;

typedef struct PJRT_Event_Create_Args {
  PJRT_HEAD;
  PJRT_Event *event;
} PJRT_Event_Create_Args;

typedef struct PJRT_Event_Set_Args {
  PJRT_HEAD;
  PJRT_Event *event;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
} PJRT_Event_Set_Args;

typedef struct PJRT_Client_Create_Args {
  PJRT_HEAD;
  const PJRT_NamedValue *create_options;
  size_t num_options;
  void (*kv_get_callback)(void);
  void *kv_get_user_arg;
  void (*kv_put_callback)(void);
  void *kv_put_user_arg;
  PJRT_Client *client;
  void (*kv_try_get_callback)(void);
  void *kv_try_get_user_arg;
} PJRT_Client_Create_Args;

typedef struct PJRT_Client_Destroy_Args {
  PJRT_HEAD;
  PJRT_Client *client;
} PJRT_Client_Destroy_Args;

typedef struct PJRT_Client_PlatformName_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  const char *platform_name;
  size_t platform_name_size;
} PJRT_Client_PlatformName_Args;

typedef struct PJRT_Client_ProcessIndex_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  int process_index;
} PJRT_Client_ProcessIndex_Args;

typedef struct PJRT_Client_PlatformVersion_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  const char *platform_version;
  size_t platform_version_size;
} PJRT_Client_PlatformVersion_Args;

typedef struct PJRT_Client_Devices_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  PJRT_Device *const *devices;
  size_t num_devices;
} PJRT_Client_Devices_Args;

typedef struct PJRT_Client_AddressableDevices_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  PJRT_Device *const *addressable_devices;
  size_t num_addressable_devices;
} PJRT_Client_AddressableDevices_Args;

typedef struct PJRT_Client_LookupDevice_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  int id;
  PJRT_Device *device;
} PJRT_Client_LookupDevice_Args;

typedef struct PJRT_Client_LookupAddressableDevice_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  int local_hardware_id;
  PJRT_Device *addressable_device;
} PJRT_Client_LookupAddressableDevice_Args;

typedef struct PJRT_Client_AddressableMemories_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  PJRT_Memory *const *addressable_memories;
  size_t num_addressable_memories;
} PJRT_Client_AddressableMemories_Args;

typedef struct PJRT_Client_Compile_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  const PJRT_Program *program;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_LoadedExecutable *executable;
} PJRT_Client_Compile_Args;

typedef struct PJRT_Client_DefaultDeviceAssignment_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  int num_replicas;
  int num_partitions;
  size_t default_assignment_size;
  int *default_assignment;
} PJRT_Client_DefaultDeviceAssignment_Args;

typedef struct PJRT_Client_BufferFromHostBuffer_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  const void *data;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  const int64_t *byte_strides;
  size_t num_byte_strides;
  PJRT_HostBufferSemantics host_buffer_semantics;
  PJRT_Device *device;
  PJRT_Memory *memory;
  PJRT_Buffer_MemoryLayout *device_layout;
  PJRT_Event *done_with_host_buffer;
  PJRT_Buffer *buffer;
} PJRT_Client_BufferFromHostBuffer_Args;

typedef struct PJRT_Client_TopologyDescription_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  PJRT_TopologyDescription *topology;
} PJRT_Client_TopologyDescription_Args;

typedef struct PJRT_Client_CreateUninitializedBuffer_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Device *device;
  PJRT_Memory *memory;
  PJRT_Buffer *buffer;
} PJRT_Client_CreateUninitializedBuffer_Args;

typedef struct PJRT_DeviceDescription_Id_Args {
  PJRT_HEAD;
  PJRT_DeviceDescription *device_description;
  int id;
} PJRT_DeviceDescription_Id_Args;

typedef struct PJRT_DeviceDescription_ProcessIndex_Args {
  PJRT_HEAD;
  PJRT_DeviceDescription *device_description;
  int process_index;
} PJRT_DeviceDescription_ProcessIndex_Args;

typedef struct PJRT_DeviceDescription_Attributes_Args {
  PJRT_HEAD;
  PJRT_DeviceDescription *device_description;
  size_t num_attributes;
  const PJRT_NamedValue *attributes;
} PJRT_DeviceDescription_Attributes_Args;

typedef struct PJRT_DeviceDescription_Kind_Args {
  PJRT_HEAD;
  PJRT_DeviceDescription *device_description;
  const char *device_kind;
  size_t device_kind_size;
} PJRT_DeviceDescription_Kind_Args;

typedef struct PJRT_DeviceDescription_DebugString_Args {
  PJRT_HEAD;
  PJRT_DeviceDescription *device_description;
  const char *debug_string;
  size_t debug_string_size;
} PJRT_DeviceDescription_DebugString_Args;

typedef struct PJRT_DeviceDescription_ToString_Args {
  PJRT_HEAD;
  PJRT_DeviceDescription *device_description;
  const char *to_string;
  size_t to_string_size;
} PJRT_DeviceDescription_ToString_Args;

typedef struct PJRT_Device_GetDescription_Args {
  PJRT_HEAD;
  PJRT_Device *device;
  PJRT_DeviceDescription *device_description;
} PJRT_Device_GetDescription_Args;

typedef struct PJRT_Device_IsAddressable_Args {
  PJRT_HEAD;
  PJRT_Device *device;
  bool is_addressable;
} PJRT_Device_IsAddressable_Args;

typedef struct PJRT_Device_LocalHardwareId_Args {
  PJRT_HEAD;
  PJRT_Device *device;
  int local_hardware_id;
} PJRT_Device_LocalHardwareId_Args;

typedef struct PJRT_Device_AddressableMemories_Args {
  PJRT_HEAD;
  PJRT_Device *device;
  PJRT_Memory *const *memories;
  size_t num_memories;
} PJRT_Device_AddressableMemories_Args;

typedef struct PJRT_Device_DefaultMemory_Args {
  PJRT_HEAD;
  PJRT_Device *device;
  PJRT_Memory *memory;
} PJRT_Device_DefaultMemory_Args;

typedef struct PJRT_Device_MemoryStats_Args {
  PJRT_HEAD;
  PJRT_Device *device;
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  bool peak_bytes_in_use_is_set;
  int64_t num_allocs;
  bool num_allocs_is_set;
  int64_t largest_alloc_size;
  bool largest_alloc_size_is_set;
  int64_t bytes_limit;
  bool bytes_limit_is_set;
  int64_t bytes_reserved;
  bool bytes_reserved_is_set;
  int64_t peak_bytes_reserved;
  bool peak_bytes_reserved_is_set;
  int64_t bytes_reservable_limit;
  bool bytes_reservable_limit_is_set;
  int64_t largest_free_block_bytes;
  bool largest_free_block_bytes_is_set;
  int64_t pool_bytes;
  bool pool_bytes_is_set;
  int64_t peak_pool_bytes;
  bool peak_pool_bytes_is_set;
} PJRT_Device_MemoryStats_Args;

typedef struct PJRT_Memory_Id_Args {
  PJRT_HEAD;
  PJRT_Memory *memory;
  int id;
} PJRT_Memory_Id_Args;

typedef struct PJRT_Memory_Kind_Args {
  PJRT_HEAD;
  PJRT_Memory *memory;
  const char *kind;
  size_t kind_size;
} PJRT_Memory_Kind_Args;

typedef struct PJRT_Memory_DebugString_Args {
  PJRT_HEAD;
  PJRT_Memory *memory;
  const char *debug_string;
  size_t debug_string_size;
} PJRT_Memory_DebugString_Args;

typedef struct PJRT_Memory_ToString_Args {
  PJRT_HEAD;
  PJRT_Memory *memory;
  const char *to_string;
  size_t to_string_size;
} PJRT_Memory_ToString_Args;

typedef struct PJRT_Memory_AddressableByDevices_Args {
  PJRT_HEAD;
  PJRT_Memory *memory;
  PJRT_Device *const *devices;
  size_t num_devices;
} PJRT_Memory_AddressableByDevices_Args;

typedef struct PJRT_Memory_Kind_Id_Args {
  PJRT_HEAD;
  PJRT_Memory *memory;
  int kind_id;
} PJRT_Memory_Kind_Id_Args;

typedef struct PJRT_Executable_Destroy_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
} PJRT_Executable_Destroy_Args;

typedef struct PJRT_Executable_Name_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  const char *executable_name;
  size_t executable_name_size;
} PJRT_Executable_Name_Args;

typedef struct PJRT_Executable_NumReplicas_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_replicas;
} PJRT_Executable_NumReplicas_Args;

typedef struct PJRT_Executable_NumPartitions_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_partitions;
} PJRT_Executable_NumPartitions_Args;

typedef struct PJRT_Executable_NumOutputs_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_outputs;
} PJRT_Executable_NumOutputs_Args;

typedef struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  int64_t size_in_bytes;
} PJRT_Executable_SizeOfGeneratedCodeInBytes_Args;

typedef struct PJRT_Executable_GetCostAnalysis_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_properties;
  const PJRT_NamedValue *properties;
} PJRT_Executable_GetCostAnalysis_Args;

typedef struct PJRT_Executable_OutputMemoryKinds_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_outputs;
  const char *const *memory_kinds;
  const size_t *memory_kind_sizes;
} PJRT_Executable_OutputMemoryKinds_Args;

typedef struct PJRT_Executable_OptimizedProgram_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  PJRT_Program *program;
} PJRT_Executable_OptimizedProgram_Args;

typedef struct PJRT_Executable_Serialize_Args {
  PJRT_HEAD;
  const PJRT_Executable *executable;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_SerializedExecutable *serialized_executable;
  void (*serialized_executable_deleter)(PJRT_SerializedExecutable *exec);
} PJRT_Executable_Serialize_Args;

typedef struct PJRT_Executable_OutputElementTypes_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  PJRT_Buffer_Type *output_types;
  size_t num_output_types;
} PJRT_Executable_OutputElementTypes_Args;

typedef struct PJRT_Executable_OutputDimensions_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_outputs;
  const int64_t *dims;
  const size_t *dim_sizes;
} PJRT_Executable_OutputDimensions_Args;

typedef struct PJRT_Executable_Fingerprint_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  const char *executable_fingerprint;
  size_t executable_fingerprint_size;
} PJRT_Executable_Fingerprint_Args;

typedef struct PJRT_Executable_GetCompiledMemoryStats_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  int64_t generated_code_size_in_bytes;
  int64_t argument_size_in_bytes;
  int64_t output_size_in_bytes;
  int64_t alias_size_in_bytes;
  int64_t temp_size_in_bytes;
  int64_t host_generated_code_size_in_bytes;
  int64_t host_argument_size_in_bytes;
  int64_t host_output_size_in_bytes;
  int64_t host_alias_size_in_bytes;
  int64_t host_temp_size_in_bytes;
  int64_t peak_memory_in_bytes;
  int64_t total_size_in_bytes;
} PJRT_Executable_GetCompiledMemoryStats_Args;

typedef struct PJRT_Executable_DeserializeAndLoad_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  const char *serialized_executable;
  size_t serialized_executable_size;
  PJRT_LoadedExecutable *loaded_executable;
  const char *overridden_serialized_compile_options;
  size_t overridden_serialized_compile_options_size;
} PJRT_Executable_DeserializeAndLoad_Args;

typedef struct PJRT_Executable_GetCompileOptions_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_SerializedCompileOptions *serialized_compile_options;
  void (*serialized_compile_options_deleter)(PJRT_SerializedCompileOptions *options);
} PJRT_Executable_GetCompileOptions_Args;

typedef struct PJRT_LoadedExecutable_Destroy_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
} PJRT_LoadedExecutable_Destroy_Args;

typedef struct PJRT_LoadedExecutable_GetExecutable_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *loaded_executable;
  PJRT_Executable *executable;
} PJRT_LoadedExecutable_GetExecutable_Args;

typedef struct PJRT_LoadedExecutable_AddressableDevices_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
  PJRT_Device *const *addressable_devices;
  size_t num_addressable_devices;
} PJRT_LoadedExecutable_AddressableDevices_Args;

typedef struct PJRT_LoadedExecutable_Delete_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
} PJRT_LoadedExecutable_Delete_Args;

typedef struct PJRT_LoadedExecutable_IsDeleted_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
  bool is_deleted;
} PJRT_LoadedExecutable_IsDeleted_Args;

typedef struct PJRT_LoadedExecutable_Execute_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
  PJRT_ExecuteOptions *options;
  PJRT_Buffer *const *const *argument_lists;
  size_t num_devices;
  size_t num_args;
  PJRT_Buffer **const *output_lists;
  PJRT_Event **device_complete_events;
  PJRT_Device *execute_device;
} PJRT_LoadedExecutable_Execute_Args;

typedef struct PJRT_LoadedExecutable_Fingerprint_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
  const char *executable_fingerprint;
  size_t executable_fingerprint_size;
} PJRT_LoadedExecutable_Fingerprint_Args;

typedef struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {
  PJRT_HEAD;
  PJRT_LoadedExecutable *executable;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_DeviceAssignmentSerialized *serialized_device_assignment;
  void (*serialized_device_assignment_deleter)(PJRT_DeviceAssignmentSerialized *da);
} PJRT_LoadedExecutable_GetDeviceAssignment_Args;

typedef struct PJRT_Buffer_Destroy_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
} PJRT_Buffer_Destroy_Args;

typedef struct PJRT_Buffer_ElementType_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Buffer_Type type;
} PJRT_Buffer_ElementType_Args;

typedef struct PJRT_Buffer_Dimensions_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  const int64_t *dims;
  size_t num_dims;
} PJRT_Buffer_Dimensions_Args;

typedef struct PJRT_Buffer_UnpaddedDimensions_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  const int64_t *unpadded_dims;
  size_t num_dims;
} PJRT_Buffer_UnpaddedDimensions_Args;

typedef struct PJRT_Buffer_DynamicDimensionIndices_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  const size_t *dynamic_dim_indices;
  size_t num_dynamic_dims;
} PJRT_Buffer_DynamicDimensionIndices_Args;

typedef struct PJRT_Buffer_GetMemoryLayout_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Buffer_MemoryLayout layout;
} PJRT_Buffer_GetMemoryLayout_Args;

typedef struct PJRT_Buffer_OnDeviceSizeInBytes_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  size_t on_device_size_in_bytes;
} PJRT_Buffer_OnDeviceSizeInBytes_Args;

typedef struct PJRT_Buffer_Device_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Device *device;
} PJRT_Buffer_Device_Args;

typedef struct PJRT_Buffer_Memory_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Memory *memory;
} PJRT_Buffer_Memory_Args;

typedef struct PJRT_Buffer_Delete_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
} PJRT_Buffer_Delete_Args;

typedef struct PJRT_Buffer_IsDeleted_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  bool is_deleted;
} PJRT_Buffer_IsDeleted_Args;

typedef struct PJRT_Buffer_CopyToDevice_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Device *dst_device;
  PJRT_Buffer *dst_buffer;
} PJRT_Buffer_CopyToDevice_Args;

typedef struct PJRT_Buffer_CopyToMemory_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Memory *dst_memory;
  PJRT_Buffer *dst_buffer;
} PJRT_Buffer_CopyToMemory_Args;

typedef struct PJRT_Buffer_ToHostBuffer_Args {
  PJRT_HEAD;
  PJRT_Buffer *src;
  PJRT_Buffer_MemoryLayout *host_layout;
  void *dst;
  size_t dst_size;
  PJRT_Event *event;
} PJRT_Buffer_ToHostBuffer_Args;

typedef struct PJRT_Buffer_IsOnCpu_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  bool is_on_cpu;
} PJRT_Buffer_IsOnCpu_Args;

typedef struct PJRT_Buffer_ReadyEvent_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Event *event;
} PJRT_Buffer_ReadyEvent_Args;

typedef struct PJRT_Buffer_UnsafePointer_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  uintptr_t buffer_pointer;
} PJRT_Buffer_UnsafePointer_Args;

typedef struct PJRT_Buffer_IncreaseExternalReferenceCount_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
} PJRT_Buffer_IncreaseExternalReferenceCount_Args;

typedef struct PJRT_Buffer_DecreaseExternalReferenceCount_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
} PJRT_Buffer_DecreaseExternalReferenceCount_Args;

typedef struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  void *device_memory_ptr;
} PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args;

typedef struct PJRT_Buffer_CopyRawToHost_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  void *dst;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;
} PJRT_Buffer_CopyRawToHost_Args;

typedef struct PJRT_TopologyDescription_Create_Args {
  PJRT_HEAD;
  const char *topology_name;
  size_t topology_name_size;
  const PJRT_NamedValue *create_options;
  size_t num_options;
  PJRT_TopologyDescription *topology;
} PJRT_TopologyDescription_Create_Args;

typedef struct PJRT_TopologyDescription_Destroy_Args {
  PJRT_HEAD;
  PJRT_TopologyDescription *topology;
} PJRT_TopologyDescription_Destroy_Args;

typedef struct PJRT_TopologyDescription_PlatformName_Args {
  PJRT_HEAD;
  const PJRT_TopologyDescription *topology;
  const char *platform_name;
  size_t platform_name_size;
} PJRT_TopologyDescription_PlatformName_Args;

typedef struct PJRT_TopologyDescription_PlatformVersion_Args {
  PJRT_HEAD;
  PJRT_TopologyDescription *topology;
  const char *platform_version;
  size_t platform_version_size;
} PJRT_TopologyDescription_PlatformVersion_Args;

typedef struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {
  PJRT_HEAD;
  const PJRT_TopologyDescription *topology;
  PJRT_DeviceDescription *const *descriptions;
  size_t num_descriptions;
} PJRT_TopologyDescription_GetDeviceDescriptions_Args;

typedef struct PJRT_TopologyDescription_Serialize_Args {
  PJRT_HEAD;
  PJRT_TopologyDescription *topology;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_SerializedTopology *serialized_topology;
  void (*serialized_topology_deleter)(PJRT_SerializedTopology *serialized_topology);
} PJRT_TopologyDescription_Serialize_Args;

typedef struct PJRT_TopologyDescription_Attributes_Args {
  PJRT_HEAD;
  PJRT_TopologyDescription *topology;
  const PJRT_NamedValue *attributes;
  size_t num_attributes;
} PJRT_TopologyDescription_Attributes_Args;

typedef struct PJRT_Compile_Args {
  PJRT_HEAD;
  const PJRT_TopologyDescription *topology;
  const PJRT_Program *program;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_Client *client;
  PJRT_Executable *executable;
} PJRT_Compile_Args;

typedef struct PJRT_TopologyDescription_Deserialize_Args {
  PJRT_HEAD;
  const char *serialized_topology;
  size_t serialized_topology_size;
  PJRT_TopologyDescription *topology;
} PJRT_TopologyDescription_Deserialize_Args;

typedef struct PJRT_ExecuteContext_Create_Args {
  PJRT_HEAD;
  PJRT_ExecuteContext *context;
} PJRT_ExecuteContext_Create_Args;

typedef struct PJRT_ExecuteContext_Destroy_Args {
  PJRT_HEAD;
  PJRT_ExecuteContext *context;
} PJRT_ExecuteContext_Destroy_Args;

/* All functions, in the order of the table. */
#define PJRT_FUNCTIONS(X)                                                                          \
  X(PJRT_Error_Destroy)                                                                            \
  X(PJRT_Error_Message)                                                                            \
  X(PJRT_Error_GetCode)                                                                            \
  X(PJRT_Plugin_Initialize)                                                                        \
  X(PJRT_Plugin_Attributes)                                                                        \
  X(PJRT_Event_Destroy)                                                                            \
  X(PJRT_Event_IsReady)                                                                            \
  X(PJRT_Event_Error)                                                                              \
  X(PJRT_Event_Await)                                                                              \
  X(PJRT_Event_OnReady)                                                                            \
  X(PJRT_Client_Create)                                                                            \
  X(PJRT_Client_Destroy)                                                                           \
  X(PJRT_Client_PlatformName)                                                                      \
  X(PJRT_Client_ProcessIndex)                                                                      \
  X(PJRT_Client_PlatformVersion)                                                                   \
  X(PJRT_Client_Devices)                                                                           \
  X(PJRT_Client_AddressableDevices)                                                                \
  X(PJRT_Client_LookupDevice)                                                                      \
  X(PJRT_Client_LookupAddressableDevice)                                                           \
  X(PJRT_Client_AddressableMemories)                                                               \
  X(PJRT_Client_Compile)                                                                           \
  X(PJRT_Client_DefaultDeviceAssignment)                                                           \
  X(PJRT_Client_BufferFromHostBuffer)                                                              \
  X(PJRT_DeviceDescription_Id)                                                                     \
  X(PJRT_DeviceDescription_ProcessIndex)                                                           \
  X(PJRT_DeviceDescription_Attributes)                                                             \
  X(PJRT_DeviceDescription_Kind)                                                                   \
  X(PJRT_DeviceDescription_DebugString)                                                            \
  X(PJRT_DeviceDescription_ToString)                                                               \
  X(PJRT_Device_GetDescription)                                                                    \
  X(PJRT_Device_IsAddressable)                                                                     \
  X(PJRT_Device_LocalHardwareId)                                                                   \
  X(PJRT_Device_AddressableMemories)                                                               \
  X(PJRT_Device_DefaultMemory)                                                                     \
  X(PJRT_Device_MemoryStats)                                                                       \
  X(PJRT_Memory_Id)                                                                                \
  X(PJRT_Memory_Kind)                                                                              \
  X(PJRT_Memory_DebugString)                                                                       \
  X(PJRT_Memory_ToString)                                                                          \
  X(PJRT_Memory_AddressableByDevices)                                                              \
  X(PJRT_Executable_Destroy)                                                                       \
  X(PJRT_Executable_Name)                                                                          \
  X(PJRT_Executable_NumReplicas)                                                                   \
  X(PJRT_Executable_NumPartitions)                                                                 \
  X(PJRT_Executable_NumOutputs)                                                                    \
  X(PJRT_Executable_SizeOfGeneratedCodeInBytes)                                                    \
  X(PJRT_Executable_GetCostAnalysis)                                                               \
  X(PJRT_Executable_OutputMemoryKinds)                                                             \
  X(PJRT_Executable_OptimizedProgram)                                                              \
  X(PJRT_Executable_Serialize)                                                                     \
  X(PJRT_LoadedExecutable_Destroy)                                                                 \
  X(PJRT_LoadedExecutable_GetExecutable)                                                           \
  X(PJRT_LoadedExecutable_AddressableDevices)                                                      \
  X(PJRT_LoadedExecutable_Delete)                                                                  \
  X(PJRT_LoadedExecutable_IsDeleted)                                                               \
  X(PJRT_LoadedExecutable_Execute)                                                                 \
  X(PJRT_Executable_DeserializeAndLoad)                                                            \
  X(PJRT_LoadedExecutable_Fingerprint)                                                             \
  X(PJRT_Buffer_Destroy)                                                                           \
  X(PJRT_Buffer_ElementType)                                                                       \
  X(PJRT_Buffer_Dimensions)                                                                        \
  X(PJRT_Buffer_UnpaddedDimensions)                                                                \
  X(PJRT_Buffer_DynamicDimensionIndices)                                                           \
  X(PJRT_Buffer_GetMemoryLayout)                                                                   \
  X(PJRT_Buffer_OnDeviceSizeInBytes)                                                               \
  X(PJRT_Buffer_Device)                                                                            \
  X(PJRT_Buffer_Memory)                                                                            \
  X(PJRT_Buffer_Delete)                                                                            \
  X(PJRT_Buffer_IsDeleted)                                                                         \
  X(PJRT_Buffer_CopyToDevice)                                                                      \
  X(PJRT_Buffer_ToHostBuffer)                                                                      \
  X(PJRT_Buffer_IsOnCpu)                                                                           \
  X(PJRT_Buffer_ReadyEvent)                                                                        \
  X(PJRT_Buffer_UnsafePointer)                                                                     \
  X(PJRT_Buffer_IncreaseExternalReferenceCount)                                                    \
  X(PJRT_Buffer_DecreaseExternalReferenceCount)                                                    \
  X(PJRT_Buffer_OpaqueDeviceMemoryDataPointer)                                                     \
  X(PJRT_CopyToDeviceStream_Destroy)                                                               \
  X(PJRT_CopyToDeviceStream_AddChunk)                                                              \
  X(PJRT_CopyToDeviceStream_TotalBytes)                                                            \
  X(PJRT_CopyToDeviceStream_GranuleSize)                                                           \
  X(PJRT_CopyToDeviceStream_CurrentBytes)                                                          \
  X(PJRT_TopologyDescription_Create)                                                               \
  X(PJRT_TopologyDescription_Destroy)                                                              \
  X(PJRT_TopologyDescription_PlatformName)                                                         \
  X(PJRT_TopologyDescription_PlatformVersion)                                                      \
  X(PJRT_TopologyDescription_GetDeviceDescriptions)                                                \
  X(PJRT_TopologyDescription_Serialize)                                                            \
  X(PJRT_TopologyDescription_Attributes)                                                           \
  X(PJRT_Compile)                                                                                  \
  X(PJRT_Executable_OutputElementTypes)                                                            \
  X(PJRT_Executable_OutputDimensions)                                                              \
  X(PJRT_Buffer_CopyToMemory)                                                                      \
  X(PJRT_Client_CreateViewOfDeviceBuffer)                                                          \
  X(PJRT_Executable_Fingerprint)                                                                   \
  X(PJRT_Client_TopologyDescription)                                                               \
  X(PJRT_Executable_GetCompiledMemoryStats)                                                        \
  X(PJRT_Memory_Kind_Id)                                                                           \
  X(PJRT_ExecuteContext_Create)                                                                    \
  X(PJRT_ExecuteContext_Destroy)                                                                   \
  X(PJRT_Buffer_CopyRawToHost)                                                                     \
  X(PJRT_AsyncHostToDeviceTransferManager_Destroy)                                                 \
  X(PJRT_AsyncHostToDeviceTransferManager_TransferData)                                            \
  X(PJRT_Client_CreateBuffersForAsyncHostToDevice)                                                 \
  X(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer)                                          \
  X(PJRT_AsyncHostToDeviceTransferManager_Device)                                                  \
  X(PJRT_AsyncHostToDeviceTransferManager_BufferCount)                                             \
  X(PJRT_AsyncHostToDeviceTransferManager_BufferSize)                                              \
  X(PJRT_AsyncHostToDeviceTransferManager_SetBufferError)                                          \
  X(PJRT_AsyncHostToDeviceTransferManager_AddMetadata)                                             \
  X(PJRT_Client_DmaMap)                                                                            \
  X(PJRT_Client_DmaUnmap)                                                                          \
  X(PJRT_Client_CreateUninitializedBuffer)                                                         \
  X(PJRT_Client_UpdateGlobalProcessInfo)                                                           \
  X(PJRT_TopologyDescription_Deserialize)                                                          \
  X(PJRT_Client_CreateAliasBuffer)                                                                 \
  X(PJRT_Client_FulfillAliasBuffer)                                                                \
  X(PJRT_LoadedExecutable_GetDeviceAssignment)                                                     \
  X(PJRT_Client_CreateErrorBuffer)                                                                 \
  X(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral)                                         \
  X(PJRT_Buffer_CopyRawToHostFuture)                                                               \
  X(PJRT_Device_PoisonExecution)                                                                   \
  X(PJRT_Device_CreateAsyncTrackingEvent)                                                          \
  X(PJRT_AsyncTrackingEvent_Destroy)                                                               \
  X(PJRT_Executable_GetCompileOptions)                                                             \
  X(PJRT_Buffer_DonateWithControlDependency)                                                       \
  X(PJRT_Event_Create)                                                                             \
  X(PJRT_Event_Set)

/* Two answer nothing, all others an error that the caller destroys, or NULL. */
typedef void PJRT_Error_Destroy(PJRT_Error_Destroy_Args *args);
typedef void PJRT_Error_Message(PJRT_Error_Message_Args *args);
typedef PJRT_Error *PJRT_Error_GetCode(PJRT_Error_GetCode_Args *args);
typedef PJRT_Error *PJRT_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args);
typedef PJRT_Error *PJRT_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args);
typedef PJRT_Error *PJRT_Event_Destroy(PJRT_Event_Destroy_Args *args);
typedef PJRT_Error *PJRT_Event_IsReady(PJRT_Event_IsReady_Args *args);
typedef PJRT_Error *PJRT_Event_Error(PJRT_Event_Error_Args *args);
typedef PJRT_Error *PJRT_Event_Await(PJRT_Event_Await_Args *args);
typedef PJRT_Error *PJRT_Event_OnReady(PJRT_Event_OnReady_Args *args);
typedef PJRT_Error *PJRT_Client_Create(PJRT_Client_Create_Args *args);
typedef PJRT_Error *PJRT_Client_Destroy(PJRT_Client_Destroy_Args *args);
typedef PJRT_Error *PJRT_Client_PlatformName(PJRT_Client_PlatformName_Args *args);
typedef PJRT_Error *PJRT_Client_ProcessIndex(PJRT_Client_ProcessIndex_Args *args);
typedef PJRT_Error *PJRT_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args *args);
typedef PJRT_Error *PJRT_Client_Devices(PJRT_Client_Devices_Args *args);
typedef PJRT_Error *PJRT_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args);
typedef PJRT_Error *PJRT_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args);
typedef PJRT_Error *
PJRT_Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args);
typedef PJRT_Error *PJRT_Client_AddressableMemories(PJRT_Client_AddressableMemories_Args *args);
typedef PJRT_Error *PJRT_Client_Compile(PJRT_Client_Compile_Args *args);
typedef PJRT_Error *
PJRT_Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args);
typedef PJRT_Error *PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args);
typedef PJRT_Error *PJRT_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args);
typedef PJRT_Error *
PJRT_DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args *args);
typedef PJRT_Error *PJRT_DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args *args);
typedef PJRT_Error *PJRT_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args *args);
typedef PJRT_Error *
PJRT_DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args *args);
typedef PJRT_Error *PJRT_DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args *args);
typedef PJRT_Error *PJRT_Device_GetDescription(PJRT_Device_GetDescription_Args *args);
typedef PJRT_Error *PJRT_Device_IsAddressable(PJRT_Device_IsAddressable_Args *args);
typedef PJRT_Error *PJRT_Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args *args);
typedef PJRT_Error *PJRT_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args *args);
typedef PJRT_Error *PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args);
typedef PJRT_Error *PJRT_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args);
typedef PJRT_Error *PJRT_Memory_Id(PJRT_Memory_Id_Args *args);
typedef PJRT_Error *PJRT_Memory_Kind(PJRT_Memory_Kind_Args *args);
typedef PJRT_Error *PJRT_Memory_DebugString(PJRT_Memory_DebugString_Args *args);
typedef PJRT_Error *PJRT_Memory_ToString(PJRT_Memory_ToString_Args *args);
typedef PJRT_Error *PJRT_Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args *args);
typedef PJRT_Error *PJRT_Executable_Destroy(PJRT_Executable_Destroy_Args *args);
typedef PJRT_Error *PJRT_Executable_Name(PJRT_Executable_Name_Args *args);
typedef PJRT_Error *PJRT_Executable_NumReplicas(PJRT_Executable_NumReplicas_Args *args);
typedef PJRT_Error *PJRT_Executable_NumPartitions(PJRT_Executable_NumPartitions_Args *args);
typedef PJRT_Error *PJRT_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args *args);
typedef PJRT_Error *
PJRT_Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args);
typedef PJRT_Error *PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args);
typedef PJRT_Error *PJRT_Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args *args);
typedef PJRT_Error *PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args);
typedef PJRT_Error *PJRT_Executable_Serialize(PJRT_Executable_Serialize_Args *args);
typedef PJRT_Error *PJRT_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args);
typedef PJRT_Error *
PJRT_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args);
typedef PJRT_Error *
PJRT_LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args *args);
typedef PJRT_Error *PJRT_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args);
typedef PJRT_Error *PJRT_LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args *args);
typedef PJRT_Error *PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args);
typedef PJRT_Error *
PJRT_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args);
typedef PJRT_Error *PJRT_LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args *args);
typedef PJRT_Error *PJRT_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args);
typedef PJRT_Error *PJRT_Buffer_ElementType(PJRT_Buffer_ElementType_Args *args);
typedef PJRT_Error *PJRT_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args *args);
typedef PJRT_Error *PJRT_Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args *args);
typedef PJRT_Error *
PJRT_Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args *args);
typedef PJRT_Error *PJRT_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args);
typedef PJRT_Error *PJRT_Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args);
typedef PJRT_Error *PJRT_Buffer_Device(PJRT_Buffer_Device_Args *args);
typedef PJRT_Error *PJRT_Buffer_Memory(PJRT_Buffer_Memory_Args *args);
typedef PJRT_Error *PJRT_Buffer_Delete(PJRT_Buffer_Delete_Args *args);
typedef PJRT_Error *PJRT_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args *args);
typedef PJRT_Error *PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args);
typedef PJRT_Error *PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args);
typedef PJRT_Error *PJRT_Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args);
typedef PJRT_Error *PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args);
typedef PJRT_Error *PJRT_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args);
typedef PJRT_Error *
PJRT_Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args);
typedef PJRT_Error *
PJRT_Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args);
typedef PJRT_Error *
PJRT_Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args);
typedef struct PJRT_CopyToDeviceStream_Destroy_Args PJRT_CopyToDeviceStream_Destroy_Args;
typedef PJRT_Error *PJRT_CopyToDeviceStream_Destroy(PJRT_CopyToDeviceStream_Destroy_Args *args);
typedef struct PJRT_CopyToDeviceStream_AddChunk_Args PJRT_CopyToDeviceStream_AddChunk_Args;
typedef PJRT_Error *PJRT_CopyToDeviceStream_AddChunk(PJRT_CopyToDeviceStream_AddChunk_Args *args);
typedef struct PJRT_CopyToDeviceStream_TotalBytes_Args PJRT_CopyToDeviceStream_TotalBytes_Args;
typedef PJRT_Error *
PJRT_CopyToDeviceStream_TotalBytes(PJRT_CopyToDeviceStream_TotalBytes_Args *args);
typedef struct PJRT_CopyToDeviceStream_GranuleSize_Args PJRT_CopyToDeviceStream_GranuleSize_Args;
typedef PJRT_Error *
PJRT_CopyToDeviceStream_GranuleSize(PJRT_CopyToDeviceStream_GranuleSize_Args *args);
typedef struct PJRT_CopyToDeviceStream_CurrentBytes_Args PJRT_CopyToDeviceStream_CurrentBytes_Args;
typedef PJRT_Error *
PJRT_CopyToDeviceStream_CurrentBytes(PJRT_CopyToDeviceStream_CurrentBytes_Args *args);
typedef PJRT_Error *PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args);
typedef PJRT_Error *PJRT_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args);
typedef PJRT_Error *
PJRT_TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args *args);
typedef PJRT_Error *
PJRT_TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args *args);
typedef PJRT_Error *PJRT_TopologyDescription_GetDeviceDescriptions(
    PJRT_TopologyDescription_GetDeviceDescriptions_Args *args);
typedef PJRT_Error *
PJRT_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args);
typedef PJRT_Error *
PJRT_TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args *args);
typedef PJRT_Error *PJRT_Compile(PJRT_Compile_Args *args);
typedef PJRT_Error *
PJRT_Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args *args);
typedef PJRT_Error *PJRT_Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args *args);
typedef PJRT_Error *PJRT_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args);
typedef struct PJRT_Client_CreateViewOfDeviceBuffer_Args PJRT_Client_CreateViewOfDeviceBuffer_Args;
typedef PJRT_Error *
PJRT_Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args *args);
typedef PJRT_Error *PJRT_Executable_Fingerprint(PJRT_Executable_Fingerprint_Args *args);
typedef PJRT_Error *PJRT_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args *args);
typedef PJRT_Error *
PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args);
typedef PJRT_Error *PJRT_Memory_Kind_Id(PJRT_Memory_Kind_Id_Args *args);
typedef PJRT_Error *PJRT_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args);
typedef PJRT_Error *PJRT_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args);
typedef PJRT_Error *PJRT_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_Destroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_TransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args);
typedef struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args;
typedef PJRT_Error *PJRT_Client_CreateBuffersForAsyncHostToDevice(
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_Device_Args
    PJRT_AsyncHostToDeviceTransferManager_Device_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_Device(
    PJRT_AsyncHostToDeviceTransferManager_Device_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_BufferCount(
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_BufferSize(
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_SetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_AddMetadata(
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *args);
typedef struct PJRT_Client_DmaMap_Args PJRT_Client_DmaMap_Args;
typedef PJRT_Error *PJRT_Client_DmaMap(PJRT_Client_DmaMap_Args *args);
typedef struct PJRT_Client_DmaUnmap_Args PJRT_Client_DmaUnmap_Args;
typedef PJRT_Error *PJRT_Client_DmaUnmap(PJRT_Client_DmaUnmap_Args *args);
typedef PJRT_Error *
PJRT_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args);
typedef struct PJRT_Client_UpdateGlobalProcessInfo_Args PJRT_Client_UpdateGlobalProcessInfo_Args;
typedef PJRT_Error *
PJRT_Client_UpdateGlobalProcessInfo(PJRT_Client_UpdateGlobalProcessInfo_Args *args);
typedef PJRT_Error *
PJRT_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args);
typedef struct PJRT_Client_CreateAliasBuffer_Args PJRT_Client_CreateAliasBuffer_Args;
typedef PJRT_Error *PJRT_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args *args);
typedef struct PJRT_Client_FulfillAliasBuffer_Args PJRT_Client_FulfillAliasBuffer_Args;
typedef PJRT_Error *PJRT_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args *args);
typedef PJRT_Error *
PJRT_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args);
typedef struct PJRT_Client_CreateErrorBuffer_Args PJRT_Client_CreateErrorBuffer_Args;
typedef PJRT_Error *PJRT_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args);
typedef struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args;
typedef PJRT_Error *PJRT_AsyncHostToDeviceTransferManager_TransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args);
typedef struct PJRT_Buffer_CopyRawToHostFuture_Args PJRT_Buffer_CopyRawToHostFuture_Args;
typedef PJRT_Error *PJRT_Buffer_CopyRawToHostFuture(PJRT_Buffer_CopyRawToHostFuture_Args *args);
typedef struct PJRT_Device_PoisonExecution_Args PJRT_Device_PoisonExecution_Args;
typedef PJRT_Error *PJRT_Device_PoisonExecution(PJRT_Device_PoisonExecution_Args *args);
typedef struct PJRT_Device_CreateAsyncTrackingEvent_Args PJRT_Device_CreateAsyncTrackingEvent_Args;
typedef PJRT_Error *
PJRT_Device_CreateAsyncTrackingEvent(PJRT_Device_CreateAsyncTrackingEvent_Args *args);
typedef struct PJRT_AsyncTrackingEvent_Destroy_Args PJRT_AsyncTrackingEvent_Destroy_Args;
typedef PJRT_Error *PJRT_AsyncTrackingEvent_Destroy(PJRT_AsyncTrackingEvent_Destroy_Args *args);
typedef PJRT_Error *PJRT_Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args);
typedef struct PJRT_Buffer_DonateWithControlDependency_Args
    PJRT_Buffer_DonateWithControlDependency_Args;
typedef PJRT_Error *
PJRT_Buffer_DonateWithControlDependency(PJRT_Buffer_DonateWithControlDependency_Args *args);
typedef PJRT_Error *PJRT_Event_Create(PJRT_Event_Create_Args *args);
typedef PJRT_Error *PJRT_Event_Set(PJRT_Event_Set_Args *args);

typedef struct PJRT_Api_Version {
  PJRT_HEAD;
  int major_version;
  int minor_version;
} PJRT_Api_Version;

typedef struct PJRT_Api {
  PJRT_HEAD;
  PJRT_Api_Version pjrt_api_version;
#define PJRT_FIELD(name) name *name;
  PJRT_FUNCTIONS(PJRT_FIELD)
#undef PJRT_FIELD
} PJRT_Api;

/* The plug-in's symbol by the interface; the table lives as long as the process. */
const PJRT_Api *GetPjrtApi(void);

#ifdef __cplusplus
}
#endif

#endif
