/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/product_t.h"

#include "dialects/plan/plan.h"
#include "jit/runtime/cuda/code_t.h"

enum {
  N_CANDIDATES = 4, /* algorithms that are timed, those that the library expects most of */
  N_TIMED = 3,      /* launches, of which the fastest counts */
  ALIGNMENT = 16,   /* of addresses, for the library's widest accesses */
  FILL = 0x3c       /* of each byte: halves and floats near one */
};

/* What NVIDIA recommends for the workspace of cuBLAS: 32 MiB from Hopper on, 4 MiB before. */
static uint64_t most_workspace_bytes(const EchoCuda *cuda)
{
  return (uint64_t)(strcmp(cuda->target, "sm_90") == 0 ? 32 : 4) << 20;
}

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

void echo_cuda_product_destroy(EchoCuda *cuda, EchoCudaProduct *product)
{
  const EchoCublasLt *lt = cuda->cublaslt;
  if (product == NULL)
    return;
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

/* Where things lie in a product's space: the workspace, then copies of what is not aligned. */
static uint64_t place_copy(const EchoProductOperand *operand, uint64_t bytes, uint64_t *end)
{
  uint64_t at = *end;
  if (operand->alignment < ALIGNMENT)
    *end = echo_align_up(*end + bytes, ECHO_PLAN_ALIGNMENT);
  return at;
}

static uint64_t space_bytes(const EchoCudaProduct *product)
{
  const EchoProduct *p = &product->shape;
  uint64_t end = echo_align_up(product->workspace_bytes, ECHO_PLAN_ALIGNMENT);
  place_copy(&p->a, a_bytes(p), &end);
  place_copy(&p->b, b_bytes(p), &end);
  place_copy(&p->out, out_bytes(p), &end);
  return end;
}

static bool multiply(EchoContext *ctx, EchoCuda *cuda, const EchoCudaProduct *product,
                     CUdeviceptr a, CUdeviceptr b, CUdeviceptr out)
{
  static const float ONE = 1, ZERO = 0;
  static const double WIDE_ONE = 1, WIDE_ZERO = 0;
  const EchoCublasLt *lt = echo_cublaslt_of(cuda);
  bool is_wide = is_double(&product->shape);
  void *d = (void *)(uintptr_t)out, *workspace = (void *)(uintptr_t)product->space;
  return check(
      ctx, cuda,
      lt->matmul(lt->handle, product->desc, is_wide ? (const void *)&WIDE_ONE : (const void *)&ONE,
                 (const void *)(uintptr_t)b, product->b, (const void *)(uintptr_t)a, product->a,
                 is_wide ? (const void *)&WIDE_ZERO : (const void *)&ZERO, d, product->out, d,
                 product->out, &product->algo, product->workspace_bytes != 0 ? workspace : NULL,
                 (size_t)product->workspace_bytes, cuda->compute),
      "cublasLtMatmul");
}

static bool copy(EchoContext *ctx, EchoCuda *cuda, CUdeviceptr to, CUdeviceptr from, uint64_t bytes)
{
  return echo_cuda_check(ctx, cuda, cuda->driver.copy(to, from, (size_t)bytes, cuda->compute),
                         "cuMemcpyDtoDAsync", NULL);
}

bool echo_cuda_product_launch(EchoContext *ctx, EchoCuda *cuda, const EchoCudaProduct *product,
                              const CUdeviceptr *arguments)
{
  const EchoProduct *p = &product->shape;
  CUdeviceptr a = arguments[p->a.argument], b = arguments[p->b.argument];
  CUdeviceptr out = arguments[p->out.argument], result = out;
  uint64_t end = echo_align_up(product->workspace_bytes, ECHO_PLAN_ALIGNMENT);
  CUdeviceptr a_copy = product->space + place_copy(&p->a, a_bytes(p), &end);
  CUdeviceptr b_copy = product->space + place_copy(&p->b, b_bytes(p), &end);
  CUdeviceptr out_copy = product->space + place_copy(&p->out, out_bytes(p), &end);
  bool ok = true;
  if (p->a.alignment < ALIGNMENT) {
    ok = copy(ctx, cuda, a_copy, a, a_bytes(p));
    a = a_copy;
  }
  if (p->b.alignment < ALIGNMENT) {
    ok = ok && copy(ctx, cuda, b_copy, b, b_bytes(p));
    b = b_copy;
  }
  if (p->out.alignment < ALIGNMENT)
    result = out_copy;
  ok = ok && multiply(ctx, cuda, product, a, b, result);
  return ok && (result == out || copy(ctx, cuda, out, result, out_bytes(p)));
}

bool echo_cuda_product_capture(EchoContext *ctx, EchoCuda *cuda, const EchoCudaProduct *product,
                               const CUdeviceptr *arguments, CUgraph *graph)
{
  const EchoCudaDriver *driver = &cuda->driver;
  *graph = NULL;
  if (!echo_cuda_check(ctx, cuda,
                       driver->stream_begin_capture(cuda->compute, CU_STREAM_CAPTURE_MODE_RELAXED),
                       "cuStreamBeginCapture", NULL))
    return false;
  bool ok = echo_cuda_product_launch(ctx, cuda, product, arguments);
  return echo_cuda_check(ctx, cuda, driver->stream_end_capture(cuda->compute, graph),
                         "cuStreamEndCapture", NULL) &&
         ok;
}

/* ---- who is faster ---- */

typedef struct Trial {
  EchoContext *ctx;
  EchoCuda *cuda;
  const EchoCudaKernel *own;
  EchoCudaProduct *product; /* NULL: `own` is timed */
  CUdeviceptr memory[4];    /* a, b, result, workspace */
  CUdeviceptr *arguments;   /* of the kernel */
  void **parameters;
  CUevent begin, end;
} Trial;

static bool check_driver(const Trial *trial, CUresult result, const char *call)
{
  return echo_cuda_check(trial->ctx, trial->cuda, result, call, trial->own->name.data);
}

static bool launch(const Trial *trial)
{
  const EchoCudaDriver *driver = &trial->cuda->driver;
  bool ok = true;
  if (trial->product != NULL)
    return echo_cuda_product_launch(trial->ctx, trial->cuda, trial->product, trial->arguments);
  for (size_t i = 0; i < trial->own->n_phases && ok; i++) {
    const EchoCudaPhase *phase = &trial->own->phases[i];
    ok = phase->grid == 0 ||
         check_driver(trial,
                      driver->launch(phase->function, phase->grid, 1, 1, phase->block, 1, 1, 0,
                                     trial->cuda->compute, trial->parameters, NULL),
                      "cuLaunchKernel");
  }
  return ok;
}

static bool time_launch(const Trial *trial, float *milliseconds)
{
  const EchoCudaDriver *driver = &trial->cuda->driver;
  CUstream compute = trial->cuda->compute;
  return check_driver(trial, driver->event_record(trial->begin, compute), "cuEventRecord") &&
         launch(trial) &&
         check_driver(trial, driver->event_record(trial->end, compute), "cuEventRecord") &&
         check_driver(trial, driver->stream_synchronize(compute), "cuStreamSynchronize") &&
         check_driver(trial, driver->event_elapsed(milliseconds, trial->begin, trial->end),
                      "cuEventElapsedTime");
}

/* The first launch may load code. */
static bool time_fastest(const Trial *trial, float *milliseconds)
{
  float once = 0;
  bool ok = time_launch(trial, milliseconds);
  for (int i = 0; i < N_TIMED && ok; i++) {
    ok = time_launch(trial, &once);
    *milliseconds = i == 0 || once < *milliseconds ? once : *milliseconds;
  }
  return ok;
}

static cublasStatus_t set_preference(const EchoCublasLt *lt, cublasLtMatmulPreference_t preference,
                                     uint64_t workspace_bytes)
{
  const uint32_t schemes =
      CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
  const uint32_t alignment = ALIGNMENT;
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
  if (set_preference(lt, preference, most_workspace_bytes(cuda)) != CUBLAS_STATUS_SUCCESS ||
      lt->heuristic(lt->handle, product->desc, product->b, product->a, product->out, product->out,
                    preference, N_CANDIDATES, results, &n) != CUBLAS_STATUS_SUCCESS)
    n = 0;
  (void)lt->preference_destroy(preference);
  return n;
}

static bool take_memory(Trial *trial)
{
  const EchoProduct *p = &trial->product->shape;
  const uint64_t bytes[] = {a_bytes(p), b_bytes(p), out_bytes(p),
                            most_workspace_bytes(trial->cuda)};
  const uint32_t arguments[] = {p->a.argument, p->b.argument, p->out.argument};
  bool ok = true;
  for (size_t i = 0; i < 4 && ok; i++) {
    void *memory = ECHO_CUDA_METHODS.allocate(trial->ctx, trial->cuda, bytes[i]);
    trial->memory[i] = (CUdeviceptr)(uintptr_t)memory;
    ok = memory != NULL &&
         check_driver(trial,
                      trial->cuda->driver.fill(trial->memory[i], FILL, (size_t)bytes[i],
                                               trial->cuda->compute),
                      "cuMemsetD8Async");
    if (i < 3)
      trial->arguments[arguments[i]] = trial->memory[i];
  }
  return ok &&
         check_driver(trial, trial->cuda->driver.event_create(&trial->begin, 0), "cuEventCreate") &&
         check_driver(trial, trial->cuda->driver.event_create(&trial->end, 0), "cuEventCreate");
}

static void give_back(Trial *trial)
{
  CUevent events[] = {trial->begin, trial->end};
  (void)trial->cuda->driver.stream_synchronize(trial->cuda->compute);
  for (size_t i = 0; i < 2; i++)
    if (events[i] != NULL)
      (void)trial->cuda->driver.event_destroy(events[i]);
  for (size_t i = 0; i < 4; i++)
    if (trial->memory[i] != 0)
      ECHO_CUDA_METHODS.release(trial->cuda, (void *)(uintptr_t)trial->memory[i]);
  echo_free(trial->arguments);
  echo_free(trial->parameters);
}

static bool time_candidates(Trial *trial, EchoProductChoice *choice)
{
  EchoCudaProduct timed = *trial->product;
  cublasLtMatmulHeuristicResult_t results[N_CANDIDATES];
  int n = list_candidates(trial->cuda, &timed, results);
  float least = 0, once = 0;
  trial->product = NULL;
  bool ok = n == 0 || time_fastest(trial, &least);
  timed.space = trial->memory[3];
  timed.shape.a.alignment = timed.shape.b.alignment = timed.shape.out.alignment = ALIGNMENT;
  trial->product = &timed;
  for (int i = 0; i < n && ok; i++) {
    if (results[i].state != CUBLAS_STATUS_SUCCESS ||
        results[i].workspaceSize > most_workspace_bytes(trial->cuda))
      continue;
    timed.algo = results[i].algo;
    timed.workspace_bytes = results[i].workspaceSize;
    ok = time_fastest(trial, &once);
    if (!ok || once >= least)
      continue;
    least = once;
    *choice = (EchoProductChoice){true, timed.workspace_bytes, timed.algo};
  }
  return ok;
}

/* Ours where nothing of the library's is faster. */
static bool measure(EchoContext *ctx, EchoCuda *cuda, EchoCudaProduct *product,
                    const EchoCudaKernel *own, EchoProductChoice *choice)
{
  size_t n = product->shape.out.argument + 1;
  Trial trial = {.ctx = ctx,
                 .cuda = cuda,
                 .own = own,
                 .product = product,
                 .arguments = echo_alloc_zero(n, sizeof(CUdeviceptr)),
                 .parameters = echo_alloc_array(n, sizeof(void *))};
  for (size_t i = 0; i < n; i++)
    trial.parameters[i] = &trial.arguments[i];
  *choice = (EchoProductChoice){0};
  bool ok = take_memory(&trial) && time_candidates(&trial, choice);
  give_back(&trial);
  return ok;
}

static bool decide(EchoContext *ctx, EchoCuda *cuda, EchoCudaProduct *product,
                   const EchoCudaKernel *own, const char *cache_dir, EchoProductChoice *choice)
{
  EchoCublasLt *lt = echo_cublaslt_of(cuda);
  EchoBuffer key = {0};
  bool ok = true;
  print_key(ctx, cuda, &product->shape, &key);
  bool is_known = echo_cublaslt_choice(lt, cache_dir, echo_buffer_str(&key), choice) &&
                  choice->workspace_bytes <= most_workspace_bytes(cuda);
  if (!is_known) {
    ok = measure(ctx, cuda, product, own, choice);
    if (ok)
      echo_cublaslt_choose(lt, cache_dir, echo_buffer_str(&key), choice);
  }
  echo_buffer_destroy(&key);
  return ok;
}

bool echo_cuda_product_create(EchoContext *ctx, EchoCuda *cuda, const EchoProduct *shape,
                              const EchoCudaKernel *own, const char *cache_dir,
                              EchoCudaProduct **product)
{
  EchoProductChoice choice = {0};
  EchoCudaProduct *made = echo_alloc_zero(1, sizeof *made);
  made->shape = *shape;
  *product = NULL;
  /* What it has no description of it does not make. */
  bool is_described = describe(echo_cublaslt_of(cuda), made) == CUBLAS_STATUS_SUCCESS;
  bool ok = !is_described || decide(ctx, cuda, made, own, cache_dir, &choice);
  if (!ok || !choice.is_library) {
    echo_cuda_product_destroy(cuda, made);
    return ok;
  }
  made->algo = choice.algo;
  made->workspace_bytes = choice.workspace_bytes;
  made->space_bytes = space_bytes(made);
  *product = made;
  return true;
}
