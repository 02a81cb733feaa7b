/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/ranks.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "jit/runtime/cuda/nccl.h"

/* ---- start and end ---- */

static bool check_options(int argc, char **argv, EchoBuffer *error)
{
  uint64_t options = 0;
  for (int i = 1; i < argc; i++)
    options = echo_hash_combine(options, echo_hash_bytes(argv[i], strlen(argv[i]), 0));
  return echo_mpi_check_same(options, "other options on", error);
}

/* All know of the error, and the first has said it: each ends by itself. A launcher that is told of
 * an abort may drop what was said right before. */
static void end_together(void)
{
  EchoBuffer error = {0};
  const uint8_t own = 0;
  uint8_t *all = echo_alloc_zero((size_t)echo_mpi_size(), 1);
  if (echo_mpi_size() == 1 || echo_mpi_all_gather(&own, all, 1, &error))
    echo_mpi_finish();
  else
    echo_mpi_abort();
  echo_free(all);
  echo_buffer_destroy(&error);
}

bool sample_ranks_start(const char *program, bool is_parallel, int argc, char **argv)
{
  if (!echo_mpi_is_launched())
    return true;
  EchoBuffer error = {0};
  bool ok = echo_mpi_start(&error);
  int n = echo_mpi_size();
  ok = ok && (n == 1 || check_options(argc, argv, &error));
  if (ok && n > 1 && !is_parallel) {
    echo_buffer_printf(&error,
                       "there are %d processes: say --data-parallel, and they divide the batch", n);
    ok = false;
  }
  if (!ok && sample_ranks_is_first())
    fprintf(stderr, "%s: error: %s\n", program, echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  if (!ok) {
    end_together();
    return false;
  }
  ok = sample_ranks_is_first() || freopen("/dev/null", "w", stdout) != NULL;
  if (!ok)
    sample_ranks_end(false);
  return ok;
}

void sample_ranks_end(bool ok)
{
  fflush(stdout);
  fflush(stderr);
  if (ok || echo_mpi_size() == 1)
    echo_mpi_finish();
  else
    echo_mpi_abort();
}

bool sample_ranks_is_first(void)
{
  return echo_mpi_rank() == 0;
}

/* ---- the step of one process ---- */

/* A result that the step hands out is asked for as a whole. */
static void ask_for_wholes(EchoOp *main)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  const EchoAttr *whole = echo_attr_string(ctx, ECHO_STR("{replicated}"));
  ECHO_VECTOR(const EchoAttr *) own = {0};
  for (uint32_t i = 0; i < echo_op_body(main, 0)->last->n_operands; i++) {
    const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
    echo_vector_push(&own, echo_dictionary_with(ctx, attrs, ECHO_STR("mhlo.sharding"), whole));
  }
  echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
}

/* What carries the calls: MPI, or NCCL between GPUs. */
static bool start_engine(EchoContext *ctx, const EchoDevice *device, bool is_gpu, EchoBuffer *error)
{
  return is_gpu ? echo_nccl_register_targets(ctx, error) && echo_nccl_start(device, error)
                : echo_mpi_register_targets(ctx, error);
}

bool sample_ranks_partition(EchoContext *ctx, const EchoPassRegistry *passes,
                            const EchoDevice *device, EchoOp *module, const char *batch)
{
  if (echo_mpi_size() == 1)
    return true;
  EchoBuffer error = {0};
  bool is_gpu = strcmp(echo_device_name(device), "cuda") == 0;
  const EchoCompileOptions options = {.target = is_gpu ? echo_device_target(device) : NULL};
  ask_for_wholes(echo_module_main_or_null(module));
  EchoPassManager *manager = echo_pass_manager_create(ctx, passes, NULL);
  bool ok = start_engine(ctx, device, is_gpu, &error) &&
            echo_pipeline_add_partitioning(manager, echo_mpi_size(), batch, &options) &&
            echo_pipeline_add_collectives(manager, &options) &&
            echo_pass_manager_run(manager, module) &&
            (is_gpu ? echo_nccl_prepare(module, &error) : echo_mpi_prepare(module, &error));
  echo_pass_manager_destroy(manager);
  if (error.size != 0)
    echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
  echo_context_flush_diagnostics(ctx);
  echo_buffer_destroy(&error);
  return ok;
}

void sample_ranks_write(EchoDeviceBuffer *part, const void *whole, int64_t outer)
{
  size_t n = (size_t)echo_mpi_size(), rank = (size_t)echo_mpi_rank();
  size_t bytes = (size_t)echo_device_buffer_bytes(part), row = bytes / (size_t)outer;
  char *own = echo_alloc(bytes + 1);
  for (size_t i = 0; i < (size_t)outer; i++)
    memcpy(own + i * row, (const char *)whole + (i * n + rank) * row, row);
  sample_buffer_write(part, own);
  echo_free(own);
}

/* ---- report ---- */

const char *sample_ranks_describe(const EchoDevice *device, double steps_s, int64_t n_steps,
                                  EchoBuffer *text)
{
  const EchoMpiFacts facts = echo_mpi_facts();
  const EchoCallTimes beside = echo_device_call_times(device);
  echo_buffer_clear(text);
  if (echo_mpi_size() > 1 && n_steps > 0)
    echo_buffer_printf(text,
                       "%d processes: %.0f calls and %.2f MB a step, %.1f ms (%.0f %% of the step) "
                       "in them, %.1f ms of it beside computation\n",
                       echo_mpi_size(), (double)facts.n_calls / (double)n_steps,
                       (double)facts.bytes / (double)n_steps * 1e-6,
                       facts.busy_s / (double)n_steps * 1e3, 100 * facts.busy_s / steps_s,
                       (double)beside.hidden_ns / (double)n_steps * 1e-6);
  return echo_buffer_c_str(text);
}
