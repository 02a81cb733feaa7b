/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <time.h>

#include "base/memory.h"
#include "ir/text/text.h"
#include "jit/compile.h"
#include "jit/driver/processes.h"
#include "jit/runtime/cuda/nccl.h"
#include "jit/runtime/mpi.h"
#include "tools/common/report.h"
#include "tools/echo-run/calibrate.h"

/* The smallest call is all latency; of the largest, latency is a thousandth on any link. */
enum { FEW_BYTES = 16, MANY_BYTES = 1 << 22, N_FEW = 400, N_MANY = 40 };

/* ---- what carries it ---- */

/* Each process gives all others `bytes` bytes: once, and what that took here. */
typedef struct Exchange {
  bool (*run)(struct Exchange *exchange, double *ns, EchoBuffer *error);
  uint64_t bytes;
  char *own, *all;            /* of a CPU's */
  EchoExecutable *executable; /* of a GPU's */
  EchoDeviceBuffer *x;
  bool is_counted; /* of an emulated GPU, whose clock is exact: once will do */
} Exchange;

static double now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static bool run_on_hosts(Exchange *exchange, double *ns, EchoBuffer *error)
{
  double begin = now_ns();
  bool ok = echo_mpi_all_gather(exchange->own, exchange->all, exchange->bytes, error);
  *ns = now_ns() - begin;
  return ok;
}

/* By the device's events around the call. */
static double kernels_ns(const EchoExecutable *executable)
{
  size_t n;
  const EchoKernelTime *times = echo_executable_kernel_times(executable, &n);
  double ns = 0;
  for (size_t i = 0; i < n; i++)
    ns += (double)times[i].elapsed_ns;
  return ns;
}

static bool run_on_gpus(Exchange *exchange, double *ns, EchoBuffer *error)
{
  (void)error; /* told as diagnostics */
  EchoDeviceBuffer *result = NULL;
  double before = kernels_ns(exchange->executable);
  bool ok = echo_executable_execute(exchange->executable, &exchange->x, 1, &result, 1);
  *ns = kernels_ns(exchange->executable) - before;
  echo_device_buffer_destroy(ok ? result : NULL);
  return ok;
}

/* Of `n_tries` exchanges the shortest, by the process for which each took longest. */
static bool time_exchange(Exchange *exchange, int n_tries, double *ns, EchoBuffer *error)
{
  size_t n = (size_t)echo_mpi_size();
  double *of_all = echo_alloc_zero(n, sizeof *of_all);
  bool ok = true;
  for (int i = 0; i < (exchange->is_counted ? 1 : n_tries) && ok; i++) {
    double elapsed = 0, longest = 0;
    ok = echo_mpi_all_gather(&elapsed, of_all, sizeof elapsed, error) && /* all are here */
         exchange->run(exchange, &elapsed, error) &&
         echo_mpi_all_gather(&elapsed, of_all, sizeof elapsed, error);
    for (size_t k = 0; k < n; k++)
      longest = of_all[k] > longest ? of_all[k] : longest;
    *ns = i == 0 || longest < *ns ? longest : *ns;
  }
  echo_free(of_all);
  return ok;
}

/* ---- between hosts, by MPI ---- */

static bool time_hosts(double *few_ns, double *many_ns, EchoBuffer *error)
{
  size_t n = (size_t)echo_mpi_size();
  Exchange exchange = {.run = run_on_hosts,
                       .own = echo_alloc_zero(MANY_BYTES, 1),
                       .all = echo_alloc_zero(n, MANY_BYTES)};
  exchange.bytes = FEW_BYTES;
  bool ok = time_exchange(&exchange, N_FEW, few_ns, error);
  exchange.bytes = MANY_BYTES;
  ok = ok && time_exchange(&exchange, N_MANY, many_ns, error);
  echo_free(exchange.own);
  echo_free(exchange.all);
  return ok;
}

/* ---- between GPUs, by NCCL, in a program as any ---- */

/* Diagnostics show lines of `text` as long as the context lives. */
static EchoOp *parse_gather_or_null(EchoContext *ctx, uint64_t bytes, EchoBuffer *text)
{
  int n = echo_mpi_size();
  long long count = (long long)(bytes / sizeof(float)), all = n * count;
  echo_buffer_printf(text,
                     "module attributes {mhlo.num_replicas = %d : i32} {\n"
                     "func.func @main(%%x: tensor<%lldxf32>) -> tensor<%lldxf32> {\n"
                     "  %%v = \"stablehlo.all_gather\"(%%x) <{all_gather_dim = 0 : i64, "
                     "replica_groups = dense<[[",
                     n, count, all);
  for (int i = 0; i < n; i++)
    echo_buffer_printf(text, "%s%d", i != 0 ? ", " : "", i);
  echo_buffer_printf(text,
                     "]]> : tensor<1x%dxi64>}> : (tensor<%lldxf32>) -> tensor<%lldxf32>\n"
                     "  return %%v : tensor<%lldxf32>\n}\n}\n",
                     n, count, all, all);
  return echo_parse_text_or_null(ctx, ECHO_STR("calibration"), echo_buffer_str(text));
}

/* NULL after diagnostics, or with an error. */
static EchoExecutable *compile_gather_or_null(EchoContext *ctx, EchoPassRegistry *passes,
                                              EchoDevice *device, uint64_t bytes, EchoBuffer *text,
                                              EchoBuffer *error)
{
  const EchoProcessesOptions processes = {.n_processes = echo_mpi_size(),
                                          .state = ECHO_STATE_WHOLE};
  const EchoCompileOptions compile = {.target = echo_device_target(device)};
  if (!echo_nccl_register_targets(ctx, error))
    return NULL;
  EchoOp *module = parse_gather_or_null(ctx, bytes, text);
  if (module == NULL || !echo_processes_lower(ctx, passes, module, &processes, &compile) ||
      !echo_nccl_prepare(module, error))
    return NULL;
  return echo_compile_or_null(ctx, passes, device, module, &compile, NULL);
}

static bool time_gather(EchoPassRegistry *passes, EchoDevice *device, uint64_t bytes, int n_tries,
                        double *ns, EchoBuffer *error)
{
  EchoCudaCounters counters;
  EchoBuffer text = {0};
  EchoContext *ctx = echo_report_create_context();
  void *zeros = echo_alloc_zero((size_t)bytes, 1);
  Exchange exchange = {.run = run_on_gpus, .bytes = bytes};
  exchange.executable = compile_gather_or_null(ctx, passes, device, bytes, &text, error);
  if (exchange.executable != NULL)
    exchange.x = echo_device_buffer_create_or_null(ctx, device, bytes);
  bool ok = exchange.x != NULL && echo_device_buffer_write(ctx, exchange.x, zeros, bytes);
  if (ok) {
    exchange.is_counted = echo_executable_counters(exchange.executable, 0, &counters);
    echo_executable_time_kernels(exchange.executable, true);
  }
  bool *all_ok = echo_alloc_zero((size_t)echo_mpi_size(), sizeof *all_ok);
  ok = echo_mpi_all_gather(&ok, all_ok, sizeof ok, error) && ok;
  for (int i = 0; i < echo_mpi_size(); i++)
    ok = ok && all_ok[i];
  echo_free(all_ok);
  ok = ok && time_exchange(&exchange, n_tries, ns, error);
  echo_device_buffer_destroy(exchange.x);
  echo_executable_destroy(exchange.executable);
  echo_free(zeros);
  echo_context_flush_diagnostics(ctx);
  echo_context_destroy(ctx);
  echo_buffer_destroy(&text);
  return ok;
}

static bool time_gpus(EchoDevice *device, double *few_ns, double *many_ns, EchoBuffer *error)
{
  if (!echo_nccl_start(device, error))
    return false;
  EchoPassRegistry *passes = echo_report_create_registry();
  bool ok = time_gather(passes, device, FEW_BYTES, N_FEW, few_ns, error) &&
            time_gather(passes, device, MANY_BYTES, N_MANY, many_ns, error);
  echo_pass_registry_destroy(passes);
  return ok;
}

/* ---- the model ---- */

bool calibrate_link(EchoDevice *device, EchoDeviceModel *model, EchoBuffer *error)
{
  double few_ns = 0, many_ns = 0, others = (double)echo_mpi_size() - 1;
  if (others < 1)
    return true;
  bool is_gpu = strcmp(echo_device_target(device), "cpu") != 0;
  bool ok =
      is_gpu ? time_gpus(device, &few_ns, &many_ns, error) : time_hosts(&few_ns, &many_ns, error);
  if (ok && many_ns <= few_ns) {
    echo_buffer_append_c(error, "the clock does not tell a long exchange from a short one");
    ok = false;
  }
  if (ok) {
    model->link_latency_ns = few_ns;
    model->link_bytes_per_s = others * (MANY_BYTES - FEW_BYTES) / (many_ns - few_ns) * 1e9;
  }
  return ok;
}
