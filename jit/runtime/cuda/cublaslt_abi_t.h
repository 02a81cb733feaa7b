/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuBLASLt's interface as far as it is used here: names, numbers and signatures are those that
 * NVIDIA publishes in cublasLt.h, which need not be there to build; the same from version 11 to 13.
 * One list of calls: the table that is filled from the library and the library that tests emulate
 * are both made of it. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CUBLASLT_ABI_T_H
#define ECHO_JIT_RUNTIME_CUDA_CUBLASLT_ABI_T_H

#include <stddef.h>
#include <stdint.h>

#include "jit/runtime/cuda/abi_t.h"

typedef int cublasStatus_t;
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;

/* Plain data: it may be written to a file and used later by the same version of the library. */
typedef struct cublasLtMatmulAlgo_t {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;

typedef struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
};
enum { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_16BF = 14 };
enum { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70 };
enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };                                 /* int32_t */
enum { CUBLASLT_MATMUL_DESC_TRANSA = 3, CUBLASLT_MATMUL_DESC_TRANSB = 4 }; /* int32_t */
enum {
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,         /* int32_t */
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6 /* int64_t, elements */
};
enum {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,   /* uint64_t */
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3, /* uint32_t */
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5, /* uint32_t, and B, C, D */
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8
};
/* Parts along k, where there are several, meet in the workspace, in order. The scheme that is left
 * out adds them up in the result as they come. */
enum { CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2, CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4 };

/* X(type of the result, name, symbol in the library, parameters) */
#define ECHO_CUBLASLT_CALLS(X)                                                                     \
  X(cublasStatus_t, create, cublasLtCreate, (cublasLtHandle_t * handle))                           \
  X(cublasStatus_t, destroy, cublasLtDestroy, (cublasLtHandle_t handle))                           \
  X(size_t, get_version, cublasLtGetVersion, (void))                                               \
  X(const char *, status_name, cublasLtGetStatusName, (cublasStatus_t status))                     \
  X(cublasStatus_t, desc_create, cublasLtMatmulDescCreate,                                         \
    (cublasLtMatmulDesc_t * desc, int compute_type, int scale_type))                               \
  X(cublasStatus_t, desc_destroy, cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t desc))          \
  X(cublasStatus_t, desc_set, cublasLtMatmulDescSetAttribute,                                      \
    (cublasLtMatmulDesc_t desc, int attribute, const void *value, size_t bytes))                   \
  X(cublasStatus_t, layout_create, cublasLtMatrixLayoutCreate,                                     \
    (cublasLtMatrixLayout_t * layout, int type, uint64_t rows, uint64_t columns, int64_t leading)) \
  X(cublasStatus_t, layout_destroy, cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t layout))  \
  X(cublasStatus_t, layout_set, cublasLtMatrixLayoutSetAttribute,                                  \
    (cublasLtMatrixLayout_t layout, int attribute, const void *value, size_t bytes))               \
  X(cublasStatus_t, preference_create, cublasLtMatmulPreferenceCreate,                             \
    (cublasLtMatmulPreference_t * preference))                                                     \
  X(cublasStatus_t, preference_destroy, cublasLtMatmulPreferenceDestroy,                           \
    (cublasLtMatmulPreference_t preference))                                                       \
  X(cublasStatus_t, preference_set, cublasLtMatmulPreferenceSetAttribute,                          \
    (cublasLtMatmulPreference_t preference, int attribute, const void *value, size_t bytes))       \
  X(cublasStatus_t, heuristic, cublasLtMatmulAlgoGetHeuristic,                                     \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,                 \
     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,                 \
     cublasLtMatmulPreference_t preference, int n_wanted,                                          \
     cublasLtMatmulHeuristicResult_t *results, int *n_results))                                    \
  X(cublasStatus_t, matmul, cublasLtMatmul,                                                        \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a,         \
     cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,              \
     const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,                    \
     cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algo, void *workspace,           \
     size_t workspace_bytes, CUstream stream))

#endif
