/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PJRT's extension for layouts, version 3, as published in
 * xla/pjrt/c/pjrt_c_api_layouts_extension.h (tests/tools/pjrt_abi.py holds it against that). */
#ifndef ECHO_PJRT_LAYOUTS_ABI_H
#define ECHO_PJRT_LAYOUTS_ABI_H

#include "pjrt/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PJRT_EXTENSION_LAYOUTS = 4 };

typedef struct PJRT_Layouts_MemoryLayout PJRT_Layouts_MemoryLayout;
typedef struct PJRT_Layouts_SerializedLayout PJRT_Layouts_SerializedLayout;

typedef struct PJRT_Layouts_MemoryLayout_Destroy_Args {
  PJRT_HEAD;
  PJRT_Layouts_MemoryLayout *layout;
} PJRT_Layouts_MemoryLayout_Destroy_Args;

typedef struct PJRT_Layouts_MemoryLayout_Serialize_Args {
  PJRT_HEAD;
  PJRT_Layouts_MemoryLayout *layout;
  const char *serialized_bytes; /* from here on: out */
  size_t serialized_bytes_size;
  PJRT_Layouts_SerializedLayout *serialized_layout;
  void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout *layout);
} PJRT_Layouts_MemoryLayout_Serialize_Args;

typedef struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
  PJRT_HEAD;
  PJRT_Client *client;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Layouts_MemoryLayout *layout; /* out */
} PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args;

typedef struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
  PJRT_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Layouts_MemoryLayout *layout; /* out */
} PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args;

typedef struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
  PJRT_HEAD;
  PJRT_TopologyDescription *topology_description;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Layouts_MemoryLayout *layout; /* out */
} PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args;

typedef struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
  PJRT_HEAD;
  PJRT_Executable *executable;
  size_t num_outputs;                  /* out */
  PJRT_Layouts_MemoryLayout **layouts; /* out; the executable's */
} PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args;

typedef struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*PJRT_Layouts_MemoryLayout_Destroy)(PJRT_Layouts_MemoryLayout_Destroy_Args *args);
  PJRT_Error *(*PJRT_Layouts_MemoryLayout_Serialize)(
      PJRT_Layouts_MemoryLayout_Serialize_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Client_GetDefaultLayout)(
      PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Buffer_MemoryLayout)(
      PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Topology_GetDefaultLayout)(
      PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Executable_GetOutputLayouts)(
      PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args);
} PJRT_Layouts_Extension;

extern const PJRT_Layouts_Extension ECHO_PJRT_LAYOUTS;

#ifdef __cplusplus
}
#endif

#endif
