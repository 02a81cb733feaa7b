/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/calibrate.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/thread_pool.h"
#include "ir/text/text.h"
#include "jit/compile.h"
#include "jit/runtime/mpi.h"
#include "planning/cost/target.h"
#include "tools/common/report.h"

enum {
  N_RUNS = 8,         /* at least, of which the first meets cold memory; */
  RUNS_NS = 50000000, /* as many as take this long: one of them may not be disturbed */
  CHAIN = 64,         /* operations on each element: arithmetic, not traffic, takes the time */
  HALVES_CHAIN = 8,   /* of halves on a processor, where each operation waits for two conversions:
                         few enough that those of several elements go side by side, as in a step */
  N_MEETINGS = 10000, /* of all threads, that one may find them awake and alone */
  CONVOLVED = 32      /* features */
};
static const double CONVOLUTION_FLOPS = 2 * 4 * 14 * 14 * 3 * 3 * CONVOLVED * CONVOLVED;

/* How large the programs are, so that the device is busy and little else is in what they take. */
typedef struct Sizes {
  int64_t n_chained, n_chained_halves; /* elements of a chain */
  int64_t generated, library;          /* rows and columns of a product: of loops, of a library */
  int64_t depth;                       /* of a product; 0: as many */
  int n_transcendentals;               /* on each element, a multiple of four */
  int64_t transposed;                  /* rows and columns */
  /* Of each of two arrays, one read, one written: in the nearest cache of all that share it; beyond
   * any cache. */
  uint64_t min_stream_bytes, max_stream_bytes;
} Sizes;

/* A task or more of a chain for each thread of a processor. */
static const Sizes OF_HOST = {.n_chained = 1 << 16,
                              .n_chained_halves = 1 << 16,
                              .generated = 256,
                              .library = 512,
                              .n_transcendentals = 16,
                              .transposed = 256,
                              .min_stream_bytes = UINT64_C(512) << 10,
                              .max_stream_bytes = UINT64_C(128) << 20};
/* Many waves of blocks; streams that fit half of an L2, and twenty of them. */
static const Sizes OF_GPU = {.n_chained = 1 << 22,
                             .n_chained_halves = 1 << 22,
                             .generated = 4096,
                             .library = 4096,
                             .n_transcendentals = 16,
                             .transposed = 4096,
                             .min_stream_bytes = UINT64_C(8) << 20,
                             .max_stream_bytes = UINT64_C(1) << 30};
/* An emulated one is slow and its clock exact: a chain that is one wave of 108 multiprocessors,
 * eight blocks of 256 threads on each, 16 bytes a thread; as many blocks of a product, but short
 * ones. It has no L2. */
static const Sizes OF_EMULATED = {.n_chained = 108 * 8 * 256 * 4,
                                  .n_chained_halves = 108 * 8 * 256 * 8,
                                  .generated = 1024,
                                  .library = 1024,
                                  .depth = 128,
                                  .n_transcendentals = 4,
                                  .transposed = 1024,
                                  .min_stream_bytes = UINT64_C(16) << 20,
                                  .max_stream_bytes = UINT64_C(16) << 20};

static const char *const TYPES[ECHO_RATE_TYPES] = {"f64", "f32", "f16", "bf16", "i32"};

/* ---- programs ---- */

static void begin_program(EchoBuffer *text, int64_t n, const char *type)
{
  echo_buffer_clear(text);
  echo_buffer_printf(text, "func.func @main(%%x: tensor<%lldx%s>) -> tensor<%lldx%s> {\n",
                     (long long)n, type, (long long)n, type);
}

static void end_program(EchoBuffer *text, int last, int64_t n, const char *type)
{
  echo_buffer_printf(text, "  return %%v%d : tensor<%lldx%s>\n}\n", last, (long long)n, type);
}

/* Each needs the one before, and none can be merged with its neighbour. */
static void write_chain(EchoBuffer *text, const char *const *ops, int n_ops, const char *constant,
                        int64_t n, const char *type)
{
  begin_program(text, n, type);
  echo_buffer_printf(text, "  %%c = stablehlo.constant dense<%s> : tensor<%lldx%s>\n", constant,
                     (long long)n, type);
  echo_buffer_printf(text, "  %%v0 = stablehlo.add %%x, %%c : tensor<%lldx%s>\n", (long long)n,
                     type);
  for (int i = 1; i < n_ops; i++)
    echo_buffer_printf(text, "  %%v%d = stablehlo.%s %%v%d, %%c : tensor<%lldx%s>\n", i, ops[i % 2],
                       i - 1, (long long)n, type);
  end_program(text, n_ops - 1, n, type);
}

static void write_arithmetic(EchoBuffer *text, EchoRateType rate, int n_ops, int64_t n)
{
  static const char *const FLOAT_OPS[] = {"add", "multiply"}, *const INT_OPS[] = {"xor",
                                                                                  "multiply"};
  bool is_int = rate == ECHO_RATE_INT;
  write_chain(text, is_int ? INT_OPS : FLOAT_OPS, n_ops, is_int ? "5" : "0.5", n, TYPES[rate]);
}

/* What training steps ask for, in turn, each of an argument in the middle of its range. They do not
 * wait for one another: in a step, a kernel has one or two on an element, and overlaps those of
 * many elements; in a chain they take ten times as long. */
static void write_transcendentals(EchoBuffer *text, int64_t n, int count, const char *type)
{
  static const char *const OPS[] = {"tanh", "exponential", "log", "logistic"};
  long long size = n;
  begin_program(text, n, type);
  echo_buffer_printf(text, "  %%v0 = stablehlo.abs %%x : tensor<%lldx%s>\n", size, type);
  for (int i = 1; i <= count; i++)
    echo_buffer_printf(text,
                       "  %%c%d = stablehlo.constant dense<%.3f> : tensor<%lldx%s>\n"
                       "  %%a%d = stablehlo.add %%x, %%c%d : tensor<%lldx%s>\n"
                       "  %%t%d = stablehlo.%s %%a%d : tensor<%lldx%s>\n"
                       "  %%v%d = stablehlo.add %%v%d, %%t%d : tensor<%lldx%s>\n",
                       i, 0.25 + i * 0.125, size, type, i, i, size, type, i, OPS[(i - 1) % 4], i,
                       size, type, i, i - 1, i, size, type);
  end_program(text, count, n, type);
}

/* Of the argument, [n, depth], and the same as [depth, n]. */
/* What lets a GPU multiply in tf32. */
static const char TF32[] =
    ", precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, "
    "rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, "
    "rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>";

static void write_contraction(EchoBuffer *text, int64_t n, int64_t depth, const char *type,
                              const char *algorithm)
{
  long long m = n, k = depth;
  echo_buffer_clear(text);
  echo_buffer_printf(
      text,
      "func.func @main(%%x: tensor<%lldx%lldx%s>) -> tensor<%lldx%lldx%s> {\n"
      "  %%y = stablehlo.reshape %%x : (tensor<%lldx%lldx%s>) -> tensor<%lldx%lldx%s>\n"
      "  %%v0 = stablehlo.dot_general %%x, %%y, contracting_dims = [1] x [0]%s : "
      "(tensor<%lldx%lldx%s>, tensor<%lldx%lldx%s>) -> tensor<%lldx%lldx%s>\n"
      "  return %%v0 : tensor<%lldx%lldx%s>\n}\n",
      m, k, type, m, m, type, m, k, type, k, m, type, algorithm, m, k, type, k, m, type, m, m, type,
      m, m, type);
}

/* Of loops: CONVOLVED features to as many, of windows of 3 x 3. */
static void write_convolution(EchoBuffer *text, const char *type)
{
  echo_buffer_clear(text);
  echo_buffer_printf(
      text,
      "func.func @main(%%x: tensor<4x16x16x%dx%s>) -> tensor<4x14x14x%dx%s> {\n"
      "  %%c = stablehlo.constant dense<1> : tensor<3x3x%dx%dxi32>\n"
      "  %%k = stablehlo.convert %%c : (tensor<3x3x%dx%dxi32>) -> tensor<3x3x%dx%dx%s>\n"
      "  %%v0 = stablehlo.convolution(%%x, %%k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
      "[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
      "(tensor<4x16x16x%dx%s>, tensor<3x3x%dx%dx%s>) -> tensor<4x14x14x%dx%s>\n"
      "  return %%v0 : tensor<4x14x14x%dx%s>\n}\n",
      CONVOLVED, type, CONVOLVED, type, CONVOLVED, CONVOLVED, CONVOLVED, CONVOLVED, CONVOLVED,
      CONVOLVED, type, CONVOLVED, type, CONVOLVED, CONVOLVED, type, CONVOLVED, type, CONVOLVED,
      type);
}

/* One pass: reads n x n elements, and writes them in the other order. */
static void write_transpose(EchoBuffer *text, int64_t n)
{
  echo_buffer_clear(text);
  echo_buffer_printf(text,
                     "func.func @main(%%x: tensor<%lldx%lldxf32>) -> tensor<%lldx%lldxf32> {\n"
                     "  %%v0 = stablehlo.transpose %%x, dims = [1, 0] : (tensor<%lldx%lldxf32>) -> "
                     "tensor<%lldx%lldxf32>\n"
                     "  return %%v0 : tensor<%lldx%lldxf32>\n}\n",
                     (long long)n, (long long)n, (long long)n, (long long)n, (long long)n,
                     (long long)n, (long long)n, (long long)n, (long long)n, (long long)n);
}

/* Two additions an element (dialects/stablehlo/window_scan.h), of which each waits for another. */
static void write_chained(EchoBuffer *text, int64_t n)
{
  begin_program(text, n, "f32");
  echo_buffer_printf(text,
                     "  %%c = stablehlo.constant dense<0.0> : tensor<f32>\n"
                     "  %%v0 = \"stablehlo.reduce_window\"(%%x, %%c) ({\n"
                     "  ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
                     "    %%s = stablehlo.add %%a, %%b : tensor<f32>\n"
                     "    stablehlo.return %%s : tensor<f32>\n"
                     "  }) {window_dimensions = array<i64: %lld>, padding = dense<[[%lld, 0]]> : "
                     "tensor<1x2xi64>} : (tensor<%lldxf32>, tensor<f32>) -> tensor<%lldxf32>\n",
                     (long long)n, (long long)n - 1, (long long)n, (long long)n);
  end_program(text, 0, n, "f32");
}

/* One pass: reads and writes n elements. */
static void write_stream(EchoBuffer *text, int64_t n)
{
  begin_program(text, n, "f32");
  echo_buffer_printf(text, "  %%v0 = stablehlo.negate %%x : tensor<%lldxf32>\n", (long long)n);
  end_program(text, 0, n, "f32");
}

/* ---- timing ---- */

typedef struct Calibrator {
  EchoDevice *device;
  EchoPassRegistry *passes;
  EchoBuffer text;
  double launch_ns; /* taken off what a kernel takes */
  Sizes sizes;
  bool is_gpu, is_counted; /* counted: an emulated GPU, whose clock is exact */
} Calibrator;

typedef struct KernelSums {
  uint64_t elapsed_ns, least_ns;
} KernelSums;

static KernelSums kernel_sums(const EchoExecutable *executable)
{
  size_t n;
  const EchoKernelTime *times = echo_executable_kernel_times(executable, &n);
  KernelSums sums = {0};
  for (size_t i = 0; i < n; i++) {
    sums.elapsed_ns += times[i].elapsed_ns;
    sums.least_ns += times[i].least_ns;
  }
  return sums;
}

/* Zeros; NULL after diagnostics. */
static EchoDeviceBuffer *create_argument_or_null(EchoContext *ctx, EchoDevice *device,
                                                 uint64_t bytes)
{
  EchoDeviceBuffer *x = echo_device_buffer_create_or_null(ctx, device, bytes);
  void *zeros = x != NULL ? echo_alloc_zero((size_t)bytes + 1, 1) : NULL;
  if (x != NULL && !echo_device_buffer_write(ctx, x, zeros, bytes)) {
    echo_device_buffer_destroy(x);
    x = NULL;
  }
  echo_free(zeros);
  return x;
}

/* The shortest launches: what others do on the machine only ever adds. False after diagnostics. */
static bool least_run_ns(Calibrator *calibrator, EchoContext *ctx, EchoExecutable *executable,
                         double *ns)
{
  EchoCudaCounters counters;
  uint64_t bytes = echo_type_static_bytes(echo_executable_arg_type(executable, 0));
  EchoDeviceBuffer *x = create_argument_or_null(ctx, calibrator->device, bytes), *result = NULL;
  calibrator->is_counted = echo_executable_counters(executable, 0, &counters);
  int n_runs = calibrator->is_counted ? 1 : N_RUNS;
  uint64_t runs_ns = calibrator->is_counted ? 0 : RUNS_NS;
  bool ok = x != NULL;
  echo_executable_time_kernels(executable, true);
  for (int run = 0; ok && (run < n_runs || kernel_sums(executable).elapsed_ns < runs_ns); run++) {
    ok = echo_executable_execute(executable, &x, 1, &result, 1);
    echo_device_buffer_destroy(ok ? result : NULL);
  }
  echo_device_buffer_destroy(x);
  *ns = (double)kernel_sums(executable).least_ns;
  return ok;
}

/* Nanoseconds of the program in the calibrator's text. False after diagnostics. */
static bool time_program(Calibrator *calibrator, double *ns)
{
  *ns = 0;
  EchoContext *ctx = echo_report_create_context();
  EchoOp *module =
      echo_parse_text_or_null(ctx, ECHO_STR("calibration"), echo_buffer_str(&calibrator->text));
  EchoExecutable *executable =
      module != NULL
          ? echo_compile_or_null(ctx, calibrator->passes, calibrator->device, module, NULL, NULL)
          : NULL;
  bool ok = executable != NULL && least_run_ns(calibrator, ctx, executable, ns);
  *ns -= calibrator->launch_ns;
  if (*ns < 1)
    *ns = 1;
  echo_executable_destroy(executable);
  echo_context_flush_diagnostics(ctx);
  echo_context_destroy(ctx);
  return ok;
}

static bool time_rate(Calibrator *calibrator, double work, double *per_s)
{
  double ns;
  if (!time_program(calibrator, &ns))
    return false;
  *per_s = work / ns * 1e9;
  return true;
}

/* ---- the model ---- */

static bool measure_type(Calibrator *calibrator, EchoRateType rate, EchoDeviceModel *model)
{
  const Sizes *sizes = &calibrator->sizes;
  bool is_library = rate == ECHO_RATE_F64 || rate == ECHO_RATE_F32;
  bool is_half = rate == ECHO_RATE_F16 || rate == ECHO_RATE_BF16;
  int64_t n = is_library ? sizes->library : sizes->generated;
  int64_t depth = sizes->depth != 0 ? sizes->depth : n;
  int64_t n_chained = is_half ? sizes->n_chained_halves : sizes->n_chained;
  double flops = 2 * (double)n * (double)n * (double)depth;
  write_contraction(&calibrator->text, n, depth, TYPES[rate], "");
  if (!time_rate(calibrator, flops, &model->contraction_flops_per_s[rate]))
    return false;
  if (calibrator->is_gpu && rate == ECHO_RATE_F32) {
    write_contraction(&calibrator->text, n, depth, TYPES[rate], TF32);
    if (!time_rate(calibrator, flops, &model->tf32_flops_per_s))
      return false;
  }
  write_convolution(&calibrator->text, TYPES[rate]); /* too small for a GPU, which has one rate */
  if (!calibrator->is_gpu &&
      !time_rate(calibrator, CONVOLUTION_FLOPS, &model->loop_flops_per_s[rate]))
    return false;
  int n_ops = is_half && !calibrator->is_gpu ? HALVES_CHAIN : CHAIN;
  write_arithmetic(&calibrator->text, rate, n_ops, n_chained);
  if (!time_rate(calibrator, (double)n_ops * (double)n_chained, &model->simple_flops_per_s[rate]))
    return false;
  if (rate == ECHO_RATE_INT) { /* there are none: their rate is never asked for */
    model->transcendentals_per_s[rate] = model->transcendentals_per_s[ECHO_RATE_F32];
    return true;
  }
  write_transcendentals(&calibrator->text, n_chained, sizes->n_transcendentals, TYPES[rate]);
  return time_rate(calibrator, (double)sizes->n_transcendentals * (double)n_chained,
                   &model->transcendentals_per_s[rate]);
}

static bool measure_stream(Calibrator *calibrator, uint64_t bytes, double *bytes_per_s)
{
  write_stream(&calibrator->text, (int64_t)(bytes / 4));
  return time_rate(calibrator, 2 * (double)bytes, bytes_per_s);
}

static double clock_ns(clockid_t clock)
{
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Of this thread's processor, which makes a copy on the CPU; a GPU's is waited for. */
static double now_ns(bool is_gpu)
{
  return clock_ns(is_gpu ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID);
}

/* From and to host memory as swapped values wait in: a GPU's is pinned. */
static bool measure_copies(EchoDevice *device, uint64_t bytes, bool is_gpu, EchoDeviceModel *model)
{
  double best_ns[2] = {0, 0};
  EchoDeviceBuffer *buffer = echo_device_buffer_create_or_null(NULL, device, bytes);
  EchoDeviceBuffer *waiting = echo_device_host_buffer_create_or_null(NULL, device, bytes);
  bool ok = buffer != NULL && waiting != NULL;
  void *host = ok ? echo_device_buffer_address(waiting) : NULL;
  if (ok)
    memset(host, 0, (size_t)bytes);
  for (int run = 0; run <= N_RUNS && ok; run++)
    for (int is_out = 0; is_out < 2; is_out++) {
      double begin = now_ns(is_gpu);
      ok = is_out ? echo_device_buffer_read(NULL, buffer, host, bytes)
                  : echo_device_buffer_write(NULL, buffer, host, bytes);
      double elapsed = now_ns(is_gpu) - begin;
      if (run == 1 || (run > 1 && elapsed < best_ns[is_out]))
        best_ns[is_out] = elapsed;
    }
  if (ok) {
    model->copy_in_bytes_per_s = (double)bytes / best_ns[0] * 1e9;
    model->copy_out_bytes_per_s = (double)bytes / best_ns[1] * 1e9;
  }
  echo_device_buffer_destroy(waiting);
  echo_device_buffer_destroy(buffer);
  return ok;
}

/* How far the logarithms of rates [first, end) are from `mean`: the sum of squares. */
static double distance(const double *log_rates, size_t first, size_t end, double mean)
{
  double sum = 0;
  for (size_t i = first; i < end; i++)
    sum += (log_rates[i] - mean) * (log_rates[i] - mean);
  return sum;
}

static double mean_of(const double *numbers, size_t first, size_t end)
{
  double sum = 0;
  for (size_t i = first; i < end; i++)
    sum += numbers[i];
  return end > first ? sum / (double)(end - first) : 0;
}

/* The rates of ever larger arrays, each twice the one before, fall in steps: the nearest cache has
 * that of the first, memory of the last, and what is between may be a cache that is shared. The
 * steps that fit best; a level holds the last of its sizes. (What the system says of its last cache
 * may be shared with many others.) */
static void fit_levels(const double *log_rates, size_t n, double least_bytes,
                       EchoDeviceModel *model)
{
  double best = INFINITY, cache = log_rates[0], memory = log_rates[n - 1];
  model->cache_bytes_per_s = exp(cache);
  model->memory_bytes_per_s = exp(memory);
  for (size_t near = 1; near < n; near++)
    for (size_t far = near; far < n; far++) {
      double shared = mean_of(log_rates, near, far);
      double error = distance(log_rates, 0, near, cache) + distance(log_rates, near, far, shared) +
                     distance(log_rates, far, n, memory);
      if (error >= best)
        continue;
      best = error;
      model->last_cache_bytes = ldexp(least_bytes, (int)near - 1);
      model->shared_cache_bytes_per_s = far > near ? exp(shared) : 0;
      model->shared_cache_bytes = far > near ? ldexp(least_bytes, (int)far - 1) : 0;
    }
}

enum { MAX_STREAMS = 32 };

static bool measure_streams(Calibrator *calibrator, EchoDeviceModel *model)
{
  uint64_t least = calibrator->sizes.min_stream_bytes, most = calibrator->sizes.max_stream_bytes;
  double log_rates[MAX_STREAMS], rate;
  size_t n = 0;
  if (least == most)
    return measure_stream(calibrator, most, &model->memory_bytes_per_s);
  for (uint64_t bytes = least; bytes <= most && n < MAX_STREAMS; bytes *= 2) {
    if (!measure_stream(calibrator, bytes, &rate))
      return false;
    log_rates[n++] = log(rate);
  }
  fit_levels(log_rates, n, 2 * (double)least, model);
  return true;
}

/* ---- waking threads ---- */

/* Threads that wait for one another. */
typedef struct Meeting {
  _Atomic unsigned n_there;
  unsigned n;
} Meeting;

static void meet(void *user, int64_t begin, int64_t end, unsigned thread)
{
  Meeting *meeting = user;
  (void)thread;
  for (int64_t i = begin; i < end; i++)
    atomic_fetch_add(&meeting->n_there, 1);
  while (atomic_load(&meeting->n_there) < meeting->n)
    sched_yield();
}

/* Until all threads of the pool work and have come back: the shortest of many. */
static double waking_ns(EchoThreadPool *pool)
{
  double least_ns = INFINITY;
  for (int i = 0; i < N_MEETINGS; i++) {
    Meeting meeting = {.n = echo_thread_pool_size(pool)};
    double begin = clock_ns(CLOCK_MONOTONIC);
    echo_thread_pool_run(pool, meeting.n, 1, meet, &meeting);
    least_ns = fmin(least_ns, clock_ns(CLOCK_MONOTONIC) - begin);
  }
  return least_ns;
}

/* Of the smallest kernel, which wakes no thread, and of one that does. */
static bool measure_launch(Calibrator *calibrator, EchoDeviceModel *model)
{
  write_stream(&calibrator->text, 1);
  if (!time_program(calibrator, &model->launch_ns))
    return false;
  calibrator->launch_ns = model->launch_ns;
  model->call_ns = calibrator->is_gpu ? 0 : model->launch_ns;
  EchoThreadPool *pool = calibrator->is_gpu ? NULL : echo_device_pool(calibrator->device);
  if (pool != NULL && echo_thread_pool_size(pool) > 1)
    model->launch_ns = fmax(waking_ns(pool), model->call_ns);
  return true;
}

/* What a host has of memory, or what a GPU has left. */
static void ask_memory(const Calibrator *calibrator, EchoDeviceModel *model)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (calibrator->is_gpu)
    model->memory_bytes = (double)echo_device_free_bytes(calibrator->device);
  else if (pages > 0 && page > 0)
    model->memory_bytes = (double)pages * (double)page;
}

static bool measure(Calibrator *calibrator, EchoDeviceModel *model)
{
  ask_memory(calibrator, model);
  if (!measure_launch(calibrator, model))
    return false;
  calibrator->sizes = calibrator->is_counted ? OF_EMULATED : calibrator->is_gpu ? OF_GPU : OF_HOST;
  if (!calibrator->is_gpu)
    model->copy_in_latency_ns = model->copy_out_latency_ns = model->call_ns;
  if (!measure_streams(calibrator, model))
    return false;
  int64_t transposed = calibrator->sizes.transposed;
  write_transpose(&calibrator->text, transposed);
  if (!time_rate(calibrator, 2 * (double)transposed * (double)transposed * sizeof(float),
                 &model->transpose_bytes_per_s))
    return false;
  write_chained(&calibrator->text, calibrator->sizes.n_chained);
  if (!calibrator->is_gpu &&
      !time_rate(calibrator, 2 * (double)calibrator->sizes.n_chained, &model->chained_flops_per_s))
    return false;
  /* The clock of an emulated GPU is not the host's. */
  if (!calibrator->is_counted &&
      !measure_copies(calibrator->device, OF_HOST.max_stream_bytes, calibrator->is_gpu, model))
    return false;
  for (int rate = 0; rate < ECHO_RATE_TYPES; rate++)
    if (!measure_type(calibrator, (EchoRateType)rate, model))
      return false;
  return true;
}

void calibrate_shipped(const EchoDevice *device, EchoDeviceModel *model)
{
  const EchoTargetInfo *target = echo_target_find_or_null(echo_str(echo_device_target(device)));
  if (target == NULL || !echo_device_model_find(echo_str(target->device_model), model))
    echo_device_model_default(model);
}

bool calibrate(EchoDevice *device, EchoStr name, EchoDeviceModel *model)
{
  Calibrator calibrator = {.device = device,
                           .passes = echo_report_create_registry(),
                           .is_gpu = strcmp(echo_device_target(device), "cpu") != 0};
  calibrate_shipped(device, model);
  memset(model->name, 0, sizeof model->name);
  memcpy(model->name, name.data, name.size);
  model->cores = calibrator.is_gpu ? 0 : echo_thread_pool_size(echo_device_pool(device));
  bool ok = measure(&calibrator, model);
  echo_pass_registry_destroy(calibrator.passes);
  echo_buffer_destroy(&calibrator.text);
  return ok;
}

EchoStr calibrate_model_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  EchoStr name = echo_str(slash != NULL ? slash + 1 : path);
  const char *dot = strrchr(name.data, '.');
  if (dot != NULL && dot != name.data)
    name.size = (size_t)(dot - name.data);
  if (name.size >= ECHO_DEVICE_NAME_BYTES)
    name.size = ECHO_DEVICE_NAME_BYTES - 1;
  return name.size != 0 ? name : ECHO_STR("host");
}

/* ---- telling ---- */

static void tell_rate(const char *name, double rate, double shipped, EchoBuffer *out)
{
  echo_buffer_printf(out, "  %-28s %10.4g %10.4g\n", name, rate * 1e-9, shipped * 1e-9);
}

void calibrate_tell(const EchoDeviceModel *model, const EchoDeviceModel *of, EchoBuffer *out)
{
  const EchoDeviceModel shipped = *of;
  echo_buffer_printf(out, "  %-28s %10s %10s\n", "10^9 a second", "measured", "shipped");
  for (int rate = 0; rate < ECHO_RATE_TYPES; rate++) {
    const char *type = rate == ECHO_RATE_INT ? "integers" : TYPES[rate];
    const struct {
      const char *name;
      double measured, shipped;
    } rows[] = {{"contraction", model->contraction_flops_per_s[rate],
                 shipped.contraction_flops_per_s[rate]},
                {"convolution", model->loop_flops_per_s[rate], shipped.loop_flops_per_s[rate]},
                {"elementwise", model->simple_flops_per_s[rate], shipped.simple_flops_per_s[rate]},
                {"transcendental", model->transcendentals_per_s[rate],
                 shipped.transcendentals_per_s[rate]}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] - (rate == ECHO_RATE_INT); i++) {
      char name[64];
      snprintf(name, sizeof name, "%s, %s", rows[i].name, type);
      tell_rate(name, rows[i].measured, rows[i].shipped, out);
    }
  }
  if (model->tf32_flops_per_s != 0)
    tell_rate("contraction, tf32", model->tf32_flops_per_s, shipped.tf32_flops_per_s, out);
  if (model->chained_flops_per_s != 0)
    tell_rate("one after another", model->chained_flops_per_s, shipped.chained_flops_per_s, out);
  tell_rate("bytes, memory", model->memory_bytes_per_s, shipped.memory_bytes_per_s, out);
  tell_rate("bytes, cache", model->cache_bytes_per_s, shipped.cache_bytes_per_s, out);
  tell_rate("bytes, transposed", model->transpose_bytes_per_s, shipped.transpose_bytes_per_s, out);
  tell_rate("bytes, copied out", model->copy_out_bytes_per_s, shipped.copy_out_bytes_per_s, out);
  tell_rate("bytes, copied in", model->copy_in_bytes_per_s, shipped.copy_in_bytes_per_s, out);
  echo_buffer_printf(out, "  %-28s %10.4g %10.4g\n", "cache, MB", model->last_cache_bytes * 1e-6,
                     shipped.last_cache_bytes * 1e-6);
  if (model->shared_cache_bytes_per_s != 0) {
    tell_rate("bytes, shared cache", model->shared_cache_bytes_per_s,
              shipped.shared_cache_bytes_per_s, out);
    echo_buffer_printf(out, "  %-28s %10.4g %10.4g\n", "shared cache, MB",
                       model->shared_cache_bytes * 1e-6, shipped.shared_cache_bytes * 1e-6);
  }
  echo_buffer_printf(out, "  %-28s %10.4g %10.4g\n", "launch, ns", model->launch_ns,
                     shipped.launch_ns);
  if (model->cores != 0)
    echo_buffer_printf(out, "  %-28s %10.4g %10.4g\n", "call, ns", model->call_ns, shipped.call_ns);
  if (echo_mpi_size() == 1)
    return;
  tell_rate("bytes, link", model->link_bytes_per_s, shipped.link_bytes_per_s, out);
  echo_buffer_printf(out, "  %-28s %10.4g %10.4g\n", "link, ns", model->link_latency_ns,
                     shipped.link_latency_ns);
}
