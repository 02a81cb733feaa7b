/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The CUDA driver's interface as far as it is used here: names, numbers and signatures are those
 * that NVIDIA publishes in cuda.h, which need not be there to build. One list of calls: the table
 * that is filled from the driver and the driver that tests emulate are both made of it. */
#ifndef ECHO_JIT_RUNTIME_CUDA_ABI_T_H
#define ECHO_JIT_RUNTIME_CUDA_ABI_T_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult, CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;

enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_MISALIGNED_ADDRESS = 716,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
  CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
  CUDA_ERROR_UNKNOWN = 999
};

typedef enum CUdevice_attribute {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13, /* kHz */
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36, /* kHz */
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
} CUdevice_attribute;

typedef enum CUfunction_attribute {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;

typedef enum CUjit_option {
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
} CUjit_option;

enum { CU_STREAM_CAPTURE_MODE_RELAXED = 2 };
enum { CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DISABLE_TIMING = 2 };

typedef enum CUmemorytype { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2 } CUmemorytype;

/* The first version, which every driver has beside later ones. */
typedef struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  void **kernelParams;
  void **extra;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

/* Of CUDA 12.3: graphs in a node, run while, or if, a value that kernels set is not 0. */
typedef uint64_t CUgraphConditionalHandle;
typedef enum CUgraphConditionalNodeType {
  CU_GRAPH_COND_TYPE_IF = 0,
  CU_GRAPH_COND_TYPE_WHILE = 1
} CUgraphConditionalNodeType;
enum { CU_GRAPH_NODE_TYPE_CONDITIONAL = 13 };

typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
  CUgraphConditionalHandle handle;
  CUgraphConditionalNodeType type;
  unsigned size;
  CUgraph *phGraph_out; /* the driver's array of `size` graphs, empty at first */
  CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

/* Of its kinds of nodes one is used here; what is not is 0. */
typedef struct CUgraphNodeParams {
  int type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_CONDITIONAL_NODE_PARAMS conditional;
  } of;
  long long reserved2;
} CUgraphNodeParams;

/* X(name, symbol in the library, parameters) */
#define ECHO_CUDA_CALLS(X)                                                                         \
  X(init, cuInit, (unsigned flags))                                                                \
  X(driver_version, cuDriverGetVersion, (int *version))                                            \
  X(error_name, cuGetErrorName, (CUresult error, const char **text))                               \
  X(error_string, cuGetErrorString, (CUresult error, const char **text))                           \
  X(device_count, cuDeviceGetCount, (int *count))                                                  \
  X(device_get, cuDeviceGet, (CUdevice * device, int ordinal))                                     \
  X(device_name, cuDeviceGetName, (char *name, int length, CUdevice device))                       \
  X(device_total, cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                          \
  X(device_attribute, cuDeviceGetAttribute,                                                        \
    (int *value, CUdevice_attribute attribute, CUdevice device))                                   \
  X(context_retain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))              \
  X(context_release, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                              \
  X(context_set, cuCtxSetCurrent, (CUcontext context))                                             \
  X(context_synchronize, cuCtxSynchronize, (void))                                                 \
  X(memory_info, cuMemGetInfo_v2, (size_t * free_bytes, size_t * total_bytes))                     \
  X(memory_alloc, cuMemAlloc_v2, (CUdeviceptr * address, size_t bytes))                            \
  X(memory_free, cuMemFree_v2, (CUdeviceptr address))                                              \
  X(host_alloc, cuMemHostAlloc, (void **address, size_t bytes, unsigned flags))                    \
  X(host_free, cuMemFreeHost, (void *address))                                                     \
  X(copy_in, cuMemcpyHtoDAsync_v2,                                                                 \
    (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))                             \
  X(copy_out, cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))   \
  X(copy, cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
  X(fill, cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))   \
  X(stream_create, cuStreamCreate, (CUstream * stream, unsigned flags))                            \
  X(stream_destroy, cuStreamDestroy_v2, (CUstream stream))                                         \
  X(stream_synchronize, cuStreamSynchronize, (CUstream stream))                                    \
  X(stream_query, cuStreamQuery, (CUstream stream))                                                \
  X(stream_begin_capture, cuStreamBeginCapture_v2, (CUstream stream, int mode))                    \
  X(stream_end_capture, cuStreamEndCapture, (CUstream stream, CUgraph * graph))                    \
  X(stream_wait, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))              \
  X(event_create, cuEventCreate, (CUevent * event, unsigned flags))                                \
  X(event_destroy, cuEventDestroy_v2, (CUevent event))                                             \
  X(event_record, cuEventRecord, (CUevent event, CUstream stream))                                 \
  X(event_synchronize, cuEventSynchronize, (CUevent event))                                        \
  X(event_query, cuEventQuery, (CUevent event))                                                    \
  X(event_elapsed, cuEventElapsedTime, (float *milliseconds, CUevent from, CUevent to))            \
  X(module_load, cuModuleLoadDataEx,                                                               \
    (CUmodule * module, const void *image, unsigned n, CUjit_option *options, void **values))      \
  X(module_unload, cuModuleUnload, (CUmodule module))                                              \
  X(function_get, cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name)) \
  X(function_attribute, cuFuncGetAttribute,                                                        \
    (int *value, CUfunction_attribute attribute, CUfunction function))                             \
  X(function_set, cuFuncSetAttribute,                                                              \
    (CUfunction function, CUfunction_attribute attribute, int value))                              \
  X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                        \
    (int *n_blocks, CUfunction function, int block_size, size_t dynamic_shared))                   \
  X(launch, cuLaunchKernel,                                                                        \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,     \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,                   \
     void **parameters, void **extra))                                                             \
  X(graph_create, cuGraphCreate, (CUgraph * graph, unsigned flags))                                \
  X(graph_destroy, cuGraphDestroy, (CUgraph graph))                                                \
  X(graph_add_kernel, cuGraphAddKernelNode,                                                        \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t n_after,                  \
     const CUDA_KERNEL_NODE_PARAMS *params))                                                       \
  X(graph_add_copy, cuGraphAddMemcpyNode,                                                          \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t n_after,                  \
     const CUDA_MEMCPY3D *params, CUcontext context))                                              \
  X(graph_add_child, cuGraphAddChildGraphNode,                                                     \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t n_after, CUgraph child))  \
  X(graph_instantiate, cuGraphInstantiateWithFlags,                                                \
    (CUgraphExec * exec, CUgraph graph, unsigned long long flags))                                 \
  X(graph_exec_destroy, cuGraphExecDestroy, (CUgraphExec exec))                                    \
  X(graph_launch, cuGraphLaunch, (CUgraphExec exec, CUstream stream))                              \
  X(graph_set_kernel, cuGraphExecKernelNodeSetParams,                                              \
    (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params))                   \
  X(graph_set_copy, cuGraphExecMemcpyNodeSetParams,                                                \
    (CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params, CUcontext context))          \
  X(graph_set_child, cuGraphExecChildGraphNodeSetParams,                                           \
    (CUgraphExec exec, CUgraphNode node, CUgraph child))

/* What older drivers lack, and can be done without. */
#define ECHO_CUDA_LATER_CALLS(X)                                                                   \
  X(conditional_create, cuGraphConditionalHandleCreate,                                            \
    (CUgraphConditionalHandle * handle, CUgraph graph, CUcontext context, unsigned value,          \
     unsigned flags))                                                                              \
  X(graph_add_node, cuGraphAddNode,                                                                \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t n_after,                  \
     CUgraphNodeParams *params))

#endif
