/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A cuBLASLt for the emulated GPU: the calls that Echo makes, as NVIDIA's documentation has them,
 * by a kernel of its own that the driver beside it executes. It sums along k from the end, so that
 * its bits are not those of Echo's kernels. ECHO_GPU_CUBLASLT says what it is: fast (a tenth of the
 * time that its kernel takes by the device's model), slow (ten times as much) or none (it cannot be
 * used). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/runtime/cuda/cublaslt_abi_t.h"
#include "tests/gpu/cublaslt/kernel.h"

#define EXPORTED __attribute__((visibility("default")))
#define DECLARE(type, name, symbol, parameters) EXPORTED type symbol parameters;
ECHO_CUBLASLT_CALLS(DECLARE)
#undef DECLARE

enum { VERSION = 130099, ALGORITHM = 7, WORKSPACE = 256, NEEDED_ALIGNMENT = 16 };

struct cublasLtContext {
  Kernels kernels;
};

struct cublasLtMatmulDescOpaque {
  int compute, scale;
  int32_t is_transposed[2];
};

struct cublasLtMatrixLayoutOpaque {
  int type;
  uint64_t rows, columns;
  int64_t leading, batch_stride;
  int32_t n_batch;
};

struct cublasLtMatmulPreferenceOpaque {
  uint64_t workspace_bytes;
  uint32_t schemes, alignments[4];
};

static double time_factor(void)
{
  const char *text = getenv("ECHO_GPU_CUBLASLT");
  return text != NULL && strcmp(text, "slow") == 0 ? 10 : 0.1;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
  const char *text = getenv("ECHO_GPU_CUBLASLT");
  if (text != NULL && strcmp(text, "none") == 0)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = calloc(1, sizeof **handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
  kernels_unload(&handle->kernels);
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void)
{
  return VERSION;
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return "CUBLAS_STATUS_SUCCESS";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case CUBLAS_STATUS_EXECUTION_FAILED:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  default:
    return "unknown";
  }
}

/* ---- descriptions ---- */

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, int compute_type,
                                        int scale_type)
{
  *desc = calloc(1, sizeof **desc);
  (*desc)->compute = compute_type;
  (*desc)->scale = scale_type;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc)
{
  free(desc);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, int attribute,
                                              const void *value, size_t bytes)
{
  bool is_known =
      attribute == CUBLASLT_MATMUL_DESC_TRANSA || attribute == CUBLASLT_MATMUL_DESC_TRANSB;
  if (!is_known || bytes != sizeof(int32_t))
    return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(&desc->is_transposed[attribute == CUBLASLT_MATMUL_DESC_TRANSB], value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, int type, uint64_t rows,
                                          uint64_t columns, int64_t leading)
{
  *layout = calloc(1, sizeof **layout);
  **layout = (struct cublasLtMatrixLayoutOpaque){type, rows, columns, leading, 0, 1};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
  free(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, int attribute,
                                                const void *value, size_t bytes)
{
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT && bytes == sizeof layout->n_batch)
    memcpy(&layout->n_batch, value, bytes);
  else if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET &&
           bytes == sizeof layout->batch_stride)
    memcpy(&layout->batch_stride, value, bytes);
  else
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
  *preference = calloc(1, sizeof **preference);
  **preference = (struct cublasLtMatmulPreferenceOpaque){0, 7, {256, 256, 256, 256}};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
  free(preference);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    int attribute, const void *value, size_t bytes)
{
  bool is_alignment = attribute >= CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES &&
                      attribute <= CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES;
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES && bytes == sizeof(uint64_t))
    memcpy(&preference->workspace_bytes, value, bytes);
  else if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK && bytes == sizeof(uint32_t))
    memcpy(&preference->schemes, value, bytes);
  else if (is_alignment && bytes == sizeof(uint32_t))
    memcpy(&preference->alignments[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], value,
           bytes);
  else
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- products ---- */

typedef struct Sizes {
  uint64_t m, n, k;
} Sizes;

static bool is_supported(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                         cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t d)
{
  bool is_wide = a->type == CUDA_R_64F, is_half = a->type == CUDA_R_16F || a->type == CUDA_R_16BF;
  int compute = is_wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
  int scale = is_wide ? CUDA_R_64F : CUDA_R_32F;
  return desc->compute == compute && desc->scale == scale && b->type == a->type &&
         (d->type == a->type || (is_half && d->type == CUDA_R_32F));
}

/* Of column-major matrices: d = op(a) * op(b). */
static bool read_sizes(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t d, Sizes *sizes)
{
  bool a_turned = desc->is_transposed[0] != CUBLAS_OP_N;
  bool b_turned = desc->is_transposed[1] != CUBLAS_OP_N;
  *sizes = (Sizes){.m = a_turned ? a->columns : a->rows,
                   .n = b_turned ? b->rows : b->columns,
                   .k = a_turned ? a->rows : a->columns};
  uint64_t b_k = b_turned ? b->columns : b->rows;
  return b_k == sizes->k && d->rows == sizes->m && d->columns == sizes->n &&
         a->leading >= (int64_t)a->rows && b->leading >= (int64_t)b->rows &&
         d->leading >= (int64_t)d->rows && a->n_batch == d->n_batch && b->n_batch == d->n_batch;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int n_wanted,
                                              cublasLtMatmulHeuristicResult_t *results,
                                              int *n_results)
{
  Sizes sizes;
  *n_results = 0;
  if (handle == NULL || n_wanted < 1 || c == NULL || !read_sizes(desc, a, b, d, &sizes))
    return CUBLAS_STATUS_INVALID_VALUE;
  bool is_aligned = true;
  for (size_t i = 0; i < 4; i++)
    is_aligned &= preference->alignments[i] >= NEEDED_ALIGNMENT;
  if (!is_supported(desc, a, b, d) || !is_aligned || preference->workspace_bytes < WORKSPACE)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  results[0] = (cublasLtMatmulHeuristicResult_t){
      .algo.data = {ALGORITHM}, .workspaceSize = WORKSPACE, .wavesCount = 1};
  *n_results = 1;
  return CUBLAS_STATUS_SUCCESS;
}

static bool is_aligned(const void *address)
{
  return (uintptr_t)address % NEEDED_ALIGNMENT == 0;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
                              cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
                              cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algo,
                              void *workspace, size_t workspace_bytes, CUstream stream)
{
  Sizes sizes;
  bool is_wide = desc->scale == CUDA_R_64F;
  double factor = is_wide ? *(const double *)alpha : (double)*(const float *)alpha;
  double old = is_wide ? *(const double *)beta : (double)*(const float *)beta;
  if (!read_sizes(desc, a_layout, b_layout, d_layout, &sizes) || c != d || c_layout != d_layout ||
      factor < 1 || factor > 1 || old < 0 || old > 0 || algo == NULL ||
      algo->data[0] != ALGORITHM || workspace == NULL || workspace_bytes < WORKSPACE ||
      !is_aligned(a) || !is_aligned(b) || !is_aligned(d) || !is_aligned(workspace))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_supported(desc, a_layout, b_layout, d_layout))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  int64_t from = type_bytes(a_layout->type), to = type_bytes(d_layout->type);
  bool a_turned = desc->is_transposed[0] != CUBLAS_OP_N;
  bool b_turned = desc->is_transposed[1] != CUBLAS_OP_N;
  Arguments arguments = {.a = (uint64_t)(uintptr_t)a,
                         .b = (uint64_t)(uintptr_t)b,
                         .d = (uint64_t)(uintptr_t)d,
                         .workspace = (uint64_t)(uintptr_t)workspace,
                         .m = sizes.m,
                         .n = sizes.n,
                         .k = sizes.k,
                         .a_row = (a_turned ? a_layout->leading : 1) * from,
                         .a_k = (a_turned ? 1 : a_layout->leading) * from,
                         .a_batch = a_layout->batch_stride * from,
                         .b_k = (b_turned ? b_layout->leading : 1) * from,
                         .b_column = (b_turned ? 1 : b_layout->leading) * from,
                         .b_batch = b_layout->batch_stride * from,
                         .d_column = d_layout->leading * to,
                         .d_batch = d_layout->batch_stride * to};
  return kernels_launch(&handle->kernels, a_layout->type, d_layout->type, &arguments,
                        (unsigned)d_layout->n_batch, time_factor(), stream)
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}
