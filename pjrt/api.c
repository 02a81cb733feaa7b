/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of functions. */
#include "pjrt/layouts_abi.h"
#include "pjrt/plugin_t.h"

/* What is not offered says so: streams of chunks, transfers that the host drives piece by piece,
 * views of others' memory. */
#define UNIMPLEMENTED(name)                                                                        \
  PJRT_Error *Echo_##name(name##_Args *args)                                                       \
  {                                                                                                \
    (void)args;                                                                                    \
    return echo_pjrt_error(PJRT_Error_Code_UNIMPLEMENTED, "%s", #name);                            \
  }

UNIMPLEMENTED(PJRT_CopyToDeviceStream_Destroy)
UNIMPLEMENTED(PJRT_CopyToDeviceStream_AddChunk)
UNIMPLEMENTED(PJRT_CopyToDeviceStream_TotalBytes)
UNIMPLEMENTED(PJRT_CopyToDeviceStream_GranuleSize)
UNIMPLEMENTED(PJRT_CopyToDeviceStream_CurrentBytes)
UNIMPLEMENTED(PJRT_Client_CreateViewOfDeviceBuffer)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_Destroy)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_TransferData)
UNIMPLEMENTED(PJRT_Client_CreateBuffersForAsyncHostToDevice)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_Device)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_BufferCount)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_BufferSize)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_SetBufferError)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_AddMetadata)
UNIMPLEMENTED(PJRT_Client_DmaMap)
UNIMPLEMENTED(PJRT_Client_DmaUnmap)
UNIMPLEMENTED(PJRT_Client_UpdateGlobalProcessInfo)
UNIMPLEMENTED(PJRT_Client_CreateAliasBuffer)
UNIMPLEMENTED(PJRT_Client_FulfillAliasBuffer)
UNIMPLEMENTED(PJRT_Client_CreateErrorBuffer)
UNIMPLEMENTED(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral)
UNIMPLEMENTED(PJRT_Buffer_CopyRawToHostFuture)
UNIMPLEMENTED(PJRT_Device_PoisonExecution)
UNIMPLEMENTED(PJRT_Device_CreateAsyncTrackingEvent)
UNIMPLEMENTED(PJRT_AsyncTrackingEvent_Destroy)
UNIMPLEMENTED(PJRT_Buffer_DonateWithControlDependency)

const PJRT_Api *GetPjrtApi(void)
{
#define FIELD(function) .function = Echo_##function,
  static const PJRT_Api API = {.struct_size = sizeof API,
                               .extension_start =
                                   (PJRT_Extension_Base *)(uintptr_t)&ECHO_PJRT_LAYOUTS,
                               .pjrt_api_version = {.struct_size = sizeof API.pjrt_api_version,
                                                    .major_version = PJRT_API_MAJOR,
                                                    .minor_version = PJRT_API_MINOR},
                               PJRT_FUNCTIONS(FIELD)};
#undef FIELD
  return &API;
}
