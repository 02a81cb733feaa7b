/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/product_t.h"

enum { N_CANDIDATES = 4 }; /* algorithms that are timed, those that the library expects most of */

/* As the library sees it, column by column: result' = b' * a'. */
typedef struct EchoCudaProduct {
  EchoCudaLibraryCall call; /* first */
  EchoProduct shape;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t a, b, out;
  cublasLtMatmulAlgo_t algo;
} EchoCudaProduct;

static bool check(EchoContext *ctx, EchoCuda *cuda, cublasStatus_t status, const char *call)
{
  return status == CUBLAS_STATUS_SUCCESS || echo_error(ctx, echo_loc_unknown(), "%s: %s", call,
                                                       echo_cublaslt_of(cuda)->status_name(status));
}

/* ---- descriptions ---- */

static int data_type(const EchoType *type)
{
  switch (echo_type_element_kind(type)) {
  case ECHO_ELEMENT_F64:
    return CUDA_R_64F;
  case ECHO_ELEMENT_F16:
    return CUDA_R_16F;
  case ECHO_ELEMENT_BF16:
    return CUDA_R_16BF;
  default:
    return CUDA_R_32F;
  }
}

static bool is_double(const EchoProduct *shape)
{
  return data_type(shape->factor) == CUDA_R_64F;
}

/* A matrix of rows x columns, which lies row by row, is one of columns x rows that lies column by
 * column. */
static cublasStatus_t create_layout(const EchoCublasLt *lt, cublasLtMatrixLayout_t *layout,
                                    const EchoProductOperand *operand, const EchoType *type,
                                    int64_t rows, int64_t columns, int64_t n_batch)
{
  int64_t line = operand->is_transposed ? rows : columns;
  int64_t n_lines = operand->is_transposed ? columns : rows;
  const int32_t count = (int32_t)n_batch;
  cublasStatus_t status = lt->layout_create(layout, data_type(type), (uint64_t)line,
                                            (uint64_t)n_lines, operand->leading);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = lt->layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = lt->layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                            &operand->batch_stride, sizeof operand->batch_stride);
  return status;
}

static cublasStatus_t describe(const EchoCublasLt *lt, EchoCudaProduct *product)
{
  const EchoProduct *p = &product->shape;
  const int32_t first = p->b.is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  const int32_t second = p->a.is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  int compute = is_double(p) ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
  cublasStatus_t status =
      lt->desc_create(&product->desc, compute, is_double(p) ? CUDA_R_64F : CUDA_R_32F);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = lt->desc_set(product->desc, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = lt->desc_set(product->desc, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = create_layout(lt, &product->a, &p->a, p->factor, p->m, p->k, p->n_batch);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = create_layout(lt, &product->b, &p->b, p->factor, p->k, p->n, p->n_batch);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = create_layout(lt, &product->out, &p->out, p->result, p->m, p->n, p->n_batch);
  return status;
}

static void destroy(EchoCuda *cuda, EchoCudaLibraryCall *call)
{
  const EchoCublasLt *lt = cuda->cublaslt;
  EchoCudaProduct *product = (EchoCudaProduct *)call;
  if (product->desc != NULL)
    (void)lt->desc_destroy(product->desc);
  cublasLtMatrixLayout_t layouts[] = {product->a, product->b, product->out};
  for (size_t i = 0; i < 3; i++)
    if (layouts[i] != NULL)
      (void)lt->layout_destroy(layouts[i]);
  echo_free(product);
}

static void append_operand(EchoBuffer *key, const EchoProductOperand *operand)
{
  echo_buffer_printf(key, ", %s %lld %lld", operand->is_transposed ? "columns" : "rows",
                     (long long)operand->leading, (long long)operand->batch_stride);
}

/* All that the time of either may depend on. */
static void print_key(EchoContext *ctx, EchoCuda *cuda, const EchoProduct *p, EchoBuffer *key)
{
  echo_buffer_printf(key, "%s, %s, ", cuda->name, cuda->target);
  echo_cublaslt_describe(echo_cublaslt_of(cuda), key);
  echo_buffer_printf(key, ": %lld x (%lld x %lld x %lld) of %s to %s", (long long)p->n_batch,
                     (long long)p->m, (long long)p->n, (long long)p->k,
                     echo_type_text(ctx, p->factor), echo_type_text(ctx, p->result));
  append_operand(key, &p->a);
  append_operand(key, &p->b);
}

/* ---- launches ---- */

static uint64_t matrix_bytes(const EchoProduct *p, const EchoProductOperand *operand, int64_t rows,
                             int64_t columns, const EchoType *type)
{
  int64_t line = operand->is_transposed ? rows : columns;
  int64_t n_lines = operand->is_transposed ? columns : rows;
  int64_t n = (p->n_batch - 1) * operand->batch_stride + (n_lines - 1) * operand->leading + line;
  return (uint64_t)n * echo_type_element_bytes(type);
}

static uint64_t a_bytes(const EchoProduct *p)
{
  return matrix_bytes(p, &p->a, p->m, p->k, p->factor);
}

static uint64_t b_bytes(const EchoProduct *p)
{
  return matrix_bytes(p, &p->b, p->k, p->n, p->factor);
}

static uint64_t out_bytes(const EchoProduct *p)
{
  return matrix_bytes(p, &p->out, p->m, p->n, p->result);
}

static EchoCudaLibraryOperand operand_of(const EchoProductOperand *operand, uint64_t bytes)
{
  return (EchoCudaLibraryOperand){operand->argument, operand->alignment, bytes};
}

static bool multiply(EchoContext *ctx, EchoCuda *cuda, const EchoCudaLibraryCall *call,
                     const CUdeviceptr *operands, CUdeviceptr workspace)
{
  static const float ONE = 1, ZERO = 0;
  static const double WIDE_ONE = 1, WIDE_ZERO = 0;
  const EchoCublasLt *lt = echo_cublaslt_of(cuda);
  const EchoCudaProduct *product = (const EchoCudaProduct *)call;
  bool is_wide = is_double(&product->shape);
  void *d = (void *)(uintptr_t)operands[2];
  return check(ctx, cuda,
               lt->matmul(lt->handle, product->desc,
                          is_wide ? (const void *)&WIDE_ONE : (const void *)&ONE,
                          (const void *)(uintptr_t)operands[1], product->b,
                          (const void *)(uintptr_t)operands[0], product->a,
                          is_wide ? (const void *)&WIDE_ZERO : (const void *)&ZERO, d, product->out,
                          d, product->out, &product->algo, (void *)(uintptr_t)workspace,
                          (size_t)call->workspace_bytes, cuda->compute),
               "cublasLtMatmul");
}

static const EchoCudaLibraryMethods METHODS = {.enqueue = multiply, .destroy = destroy};

/* ---- who is faster ---- */

static cublasStatus_t set_preference(const EchoCublasLt *lt, cublasLtMatmulPreference_t preference,
                                     uint64_t workspace_bytes)
{
  const uint32_t schemes =
      CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
  const uint32_t alignment = ECHO_LIBRARY_ALIGNMENT;
  cublasStatus_t status = lt->preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &workspace_bytes, sizeof workspace_bytes);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = lt->preference_set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes,
                                sizeof schemes);
  for (int i = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
       i <= CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES && status == CUBLAS_STATUS_SUCCESS; i++)
    status = lt->preference_set(preference, i, &alignment, sizeof alignment);
  return status;
}

/* Algorithms that the library has for it; none is no error. */
static int list_candidates(EchoCuda *cuda, const EchoCudaProduct *product,
                           cublasLtMatmulHeuristicResult_t *results)
{
  const EchoCublasLt *lt = echo_cublaslt_of(cuda);
  cublasLtMatmulPreference_t preference = NULL;
  int n = 0;
  if (lt->preference_create(&preference) != CUBLAS_STATUS_SUCCESS)
    return 0;
  if (set_preference(lt, preference, echo_cuda_most_workspace(cuda)) != CUBLAS_STATUS_SUCCESS ||
      lt->heuristic(lt->handle, product->desc, product->b, product->a, product->out, product->out,
                    preference, N_CANDIDATES, results, &n) != CUBLAS_STATUS_SUCCESS)
    n = 0;
  (void)lt->preference_destroy(preference);
  return n;
}

static EchoLibraryChoice choice_of(const cublasLtMatmulHeuristicResult_t *result)
{
  EchoLibraryChoice choice = {.is_library = true,
                              .workspace_bytes = result->workspaceSize,
                              .n_words = sizeof result->algo.data / sizeof result->algo.data[0]};
  memcpy(choice.words, result->algo.data, sizeof result->algo.data);
  return choice;
}

static void set_algorithm(EchoCudaProduct *product, const EchoLibraryChoice *choice)
{
  memcpy(product->algo.data, choice->words, sizeof product->algo.data);
  product->call.workspace_bytes = choice->workspace_bytes;
}

/* Ours where nothing of the library's is faster. */
static bool time_candidates(const EchoCudaTrial *trial, EchoCudaProduct *product,
                            EchoLibraryChoice *choice)
{
  cublasLtMatmulHeuristicResult_t results[N_CANDIDATES];
  int n = list_candidates(trial->cuda, product, results);
  float least = 0, once = 0;
  bool ok = n == 0 || echo_cuda_trial_time(trial, NULL, &least);
  for (int i = 0; i < n && ok; i++) {
    EchoLibraryChoice candidate = choice_of(&results[i]);
    if (results[i].state != CUBLAS_STATUS_SUCCESS ||
        candidate.workspace_bytes > echo_cuda_most_workspace(trial->cuda))
      continue;
    set_algorithm(product, &candidate);
    ok = echo_cuda_trial_time(trial, &product->call, &once);
    if (!ok || once >= least)
      continue;
    least = once;
    *choice = candidate;
  }
  return ok;
}

static bool measure(EchoContext *ctx, EchoCuda *cuda, EchoCudaProduct *product,
                    const EchoCudaKernel *own, EchoLibraryChoice *choice)
{
  EchoCudaTrial trial;
  *choice = (EchoLibraryChoice){0};
  bool ok = echo_cuda_trial_begin(&trial, ctx, cuda, own, &product->call) &&
            time_candidates(&trial, product, choice);
  echo_cuda_trial_end(&trial);
  return ok;
}

/* What was kept may be of another limit, or no algorithm. */
static bool is_possible(const EchoCuda *cuda, const EchoLibraryChoice *choice)
{
  return !choice->is_library || (choice->workspace_bytes <= echo_cuda_most_workspace(cuda) &&
                                 choice->n_words == sizeof(cublasLtMatmulAlgo_t) / 8);
}

static bool decide(EchoContext *ctx, EchoCuda *cuda, EchoCudaProduct *product,
                   const EchoCudaKernel *own, const char *cache_dir, EchoLibraryChoice *choice)
{
  EchoCublasLt *lt = echo_cublaslt_of(cuda);
  EchoBuffer key = {0};
  bool ok = true;
  print_key(ctx, cuda, &product->shape, &key);
  bool is_known = echo_library_choice(&lt->choices, cache_dir, echo_buffer_str(&key), choice) &&
                  is_possible(cuda, choice);
  if (!is_known) {
    ok = measure(ctx, cuda, product, own, choice);
    if (ok)
      echo_library_choose(&lt->choices, cache_dir, echo_buffer_str(&key), choice);
  }
  echo_buffer_destroy(&key);
  return ok;
}

bool echo_cuda_product_create(EchoContext *ctx, EchoCuda *cuda, const EchoProduct *shape,
                              const EchoCudaKernel *own, const char *cache_dir,
                              EchoCudaLibraryCall **call)
{
  EchoLibraryChoice choice = {0};
  EchoCudaProduct *made = echo_alloc_zero(1, sizeof *made);
  made->call = (EchoCudaLibraryCall){.methods = &METHODS,
                                     .operands = {operand_of(&shape->a, a_bytes(shape)),
                                                  operand_of(&shape->b, b_bytes(shape)),
                                                  operand_of(&shape->out, out_bytes(shape))}};
  made->shape = *shape;
  *call = NULL;
  /* What it has no description of it does not make. */
  bool is_described = describe(echo_cublaslt_of(cuda), made) == CUBLAS_STATUS_SUCCESS;
  bool ok = !is_described || decide(ctx, cuda, made, own, cache_dir, &choice);
  if (!ok || !choice.is_library) {
    destroy(cuda, &made->call);
    return ok;
  }
  set_algorithm(made, &choice);
  *call = &made->call;
  return true;
}
