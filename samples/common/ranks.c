/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/ranks.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vector.h"
#include "dialects/echo/parts.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "jit/data/parts.h"
#include "jit/driver/processes.h"
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

bool sample_ranks_start(const char *program, bool is_parallel, int64_t limit_s, int argc,
                        char **argv)
{
  if (!echo_mpi_is_launched())
    return true;
  EchoBuffer error = {0};
  echo_mpi_set_limit((double)limit_s);
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

static bool is_gpu(const EchoDevice *device)
{
  return strcmp(echo_device_name(device), "cuda") == 0;
}

/* What carries the calls: MPI, or NCCL between GPUs. */
static bool register_targets(EchoContext *ctx, const EchoDevice *device, EchoBuffer *error)
{
  return is_gpu(device) ? echo_nccl_register_targets(ctx, error)
                        : echo_mpi_register_targets(ctx, error);
}

static EchoContext *create_planner(void *device)
{
  EchoContext *ctx = sample_context_create();
  EchoBuffer error = {0};
  ECHO_CHECK(register_targets(ctx, device, &error), "%s", echo_buffer_c_str(&error));
  return ctx;
}

bool sample_ranks_partition(EchoContext *ctx, const EchoPassRegistry *passes, EchoDevice *device,
                            EchoOp *module, const char *batch, bool shards_state,
                            const EchoCompileOptions *compile)
{
  if (echo_mpi_size() == 1)
    return true;
  EchoBuffer error = {0};
  ask_for_wholes(echo_module_main_or_null(module));
  const EchoProcessesOptions options = {.n_processes = echo_mpi_size(),
                                        .batch = batch,
                                        .state =
                                            shards_state ? ECHO_STATE_PARTS : ECHO_STATE_BY_GOAL,
                                        .create_context = create_planner,
                                        .user = device};
  EchoCompileOptions on_device = *compile;
  on_device.target = is_gpu(device) ? echo_device_target(device) : NULL;
  bool ok = register_targets(ctx, device, &error) &&
            (!is_gpu(device) || echo_nccl_start(device, &error)) &&
            echo_processes_lower(ctx, passes, module, &options, &on_device) &&
            (is_gpu(device) ? echo_nccl_prepare(module, &error) : echo_mpi_prepare(module, &error));
  if (error.size != 0)
    echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
  echo_context_flush_diagnostics(ctx);
  echo_buffer_destroy(&error);
  return ok;
}

/* ---- state in parts ---- */

static const EchoAttr *parts_or_null(const EchoOp *module, size_t arg)
{
  const EchoOp *main = echo_mpi_size() > 1 ? echo_module_main_or_null(module) : NULL;
  const EchoAttr *parts = main != NULL ? echo_func_arg_attr_or_null(main, arg, ECHO_PARTS) : NULL;
  return parts != NULL && echo_parts_cut(parts).n_parts != 1 ? parts : NULL;
}

/* The type that this process has of a whole; what does not fit would not have been compiled. */
static const EchoType *part_type(EchoContext *ctx, const EchoType *whole, const EchoAttr *parts)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0, at = 0; d < echo_type_rank(whole); d++)
    dims[d] = echo_type_dim(whole, d) / echo_parts_next_cut(parts, &at).n_parts;
  return echo_type_tensor(ctx, dims, echo_type_rank(whole), echo_type_element(whole), NULL);
}

void sample_ranks_shrink(EchoDevice *device, EchoContext *ctx, const EchoOp *module, size_t arg,
                         const EchoType *whole, EchoDeviceBuffer **buffer)
{
  const EchoAttr *parts = parts_or_null(module, arg);
  if (parts == NULL)
    return;
  const EchoType *type = part_type(ctx, whole, parts);
  char *all = echo_alloc((size_t)echo_device_buffer_bytes(*buffer) + 1);
  char *own = echo_alloc((size_t)echo_type_static_bytes(type) + 1);
  sample_buffer_read(*buffer, all);
  echo_parts_copy(all, own, type, parts, 0, echo_mpi_rank(), false);
  echo_device_buffer_destroy(*buffer);
  *buffer = sample_buffer_create(device, echo_type_static_bytes(type));
  sample_buffer_write(*buffer, own);
  echo_free(all);
  echo_free(own);
}

bool sample_ranks_read(EchoContext *ctx, const EchoOp *module, size_t arg, const EchoType *whole,
                       const EchoDeviceBuffer *buffer, void *out, EchoBuffer *error)
{
  const EchoAttr *parts = parts_or_null(module, arg);
  if (parts == NULL) {
    sample_buffer_read(buffer, out);
    return true;
  }
  const EchoType *type = part_type(ctx, whole, parts);
  const size_t bytes = (size_t)echo_type_static_bytes(type);
  char *own = echo_alloc(bytes + 1);
  char *all = echo_alloc_array(bytes + 1, (size_t)echo_mpi_size());
  sample_buffer_read(buffer, own);
  bool ok = echo_mpi_gather(own, all, bytes, error);
  for (int rank = echo_mpi_size(); ok && sample_ranks_is_first() && rank-- > 0;)
    echo_parts_copy(out, all + (size_t)rank * bytes, type, parts, 0, rank, true);
  echo_free(own);
  echo_free(all);
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
