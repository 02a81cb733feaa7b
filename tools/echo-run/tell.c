/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a run found out, for people and for machines. */
#include <inttypes.h>

#include "base/json.h"
#include "jit/runtime/cuda/nccl.h"
#include "jit/runtime/mpi.h"
#include "tools/echo-run/run.h"

enum { MAX_VALUES_SHOWN = 8 };

static void append_bytes(EchoBuffer *out, const char *name, uint64_t bytes)
{
  echo_buffer_printf(out, "%s ", name);
  echo_buffer_append_bytes(out, bytes);
}

static void tell_memory(const Outcome *outcome, EchoBuffer *out)
{
  const EchoExecutableMemory *planned = &outcome->planned;
  append_bytes(out, "memory: planned peak", planned->peak_bytes);
  append_bytes(out, " (arguments", planned->arg_bytes);
  append_bytes(out, ", results", planned->result_bytes);
  append_bytes(out, ", temporary", planned->arena_bytes + planned->constant_bytes);
  if (planned->constant_bytes != 0)
    append_bytes(out, ", of them constants", planned->constant_bytes);
  echo_buffer_append_char(out, ')');
  if (outcome->has_run)
    append_bytes(out, ", measured", outcome->measured_peak_bytes);
  if (planned->library_bytes != 0)
    append_bytes(out, "; libraries work in", planned->library_bytes);
  if (planned->host_bytes != 0)
    append_bytes(out, "; in the host's memory", planned->host_bytes);
  echo_buffer_append_char(out, '\n');
}

static void tell_echo(const EchoFacts *echo, EchoBuffer *out)
{
  echo_buffer_printf(out, "echo: %" PRIu64 " regions, %" PRIu64 " values recomputed, ",
                     echo->n_regions, echo->n_recomputed);
  echo_buffer_append_bytes(out, echo->bytes_saved);
  echo_buffer_printf(out, " saved, predicted time %+.2f %%, gap=%.2f%%\n",
                     echo->predicted_overhead * 100, echo->gap * 100);
}

/* "1, 2.5, …" */
static void tell_result(const Signature *signature, size_t result, const EchoTensor *tensor,
                        EchoBuffer *out)
{
  signature_append_result(signature, result, out);
  echo_buffer_append_c(out, " = [");
  bool is_float = echo_element_is_float(tensor->kind);
  bool is_unsigned = echo_element_is_unsigned(tensor->kind);
  for (int64_t i = 0; i < tensor->n_elements && i < MAX_VALUES_SHOWN; i++) {
    echo_buffer_append_c(out, i == 0 ? "" : ", ");
    if (is_float)
      echo_buffer_printf(out, "%.9g", echo_tensor_get_f64(tensor, i));
    else if (is_unsigned)
      echo_buffer_append_u64(out, (uint64_t)echo_tensor_get_i64(tensor, i));
    else
      echo_buffer_append_i64(out, echo_tensor_get_i64(tensor, i));
  }
  if (tensor->n_elements > MAX_VALUES_SHOWN)
    echo_buffer_printf(out, ", … %lld elements", (long long)tensor->n_elements);
  echo_buffer_append_c(out, "]\n");
}

void tell_summary(const Run *run, EchoBuffer *out)
{
  const Outcome *outcome = &run->outcome;
  echo_buffer_printf(out, "main: %zu arguments, %zu results, %" PRIu64 " ops",
                     run->signature.n_args, run->signature.n_results, outcome->n_ops);
  if (outcome->is_planned)
    echo_buffer_printf(out, ", %" PRIu64 " kernels, %" PRIu64 " launches", outcome->n_kernels,
                       outcome->n_launches);
  echo_buffer_append_char(out, '\n');
  if (run->inputs.n_drawn != 0)
    echo_buffer_printf(out, "inputs: %zu drawn from seed %lld\n", run->inputs.n_drawn,
                       (long long)run->settings->seed);
  if (outcome->echo.is_on)
    tell_echo(&outcome->echo, out);
  if (outcome->is_planned)
    tell_memory(outcome, out);
  if (outcome->state_bytes_elsewhere != 0)
    echo_buffer_printf(
        out,
        "state in parts: %" PRIu64 " bytes of arguments with other processes, %" PRIu64
        " bytes that %d do not divide\n",
        outcome->state_bytes_elsewhere, outcome->state_bytes_undivided, echo_mpi_size());
  echo_buffer_printf(out, "time: compile %.3f s", outcome->compile_s);
  if (outcome->has_run)
    echo_buffer_printf(out, ", step %.6f s (median of %lld)", outcome->step_s,
                       (long long)outcome->n_steps);
  echo_buffer_append_char(out, '\n');
  if (run->settings->kernels && outcome->is_planned)
    kernels_tell(&outcome->kernels, out);
  for (size_t i = 0; i < outcome->results.list.size; i++)
    tell_result(&run->signature, i, outcome->results.list.data[i].tensor, out);
  echo_buffer_append_str(out, echo_buffer_str(&outcome->comparison));
}

/* ---- JSON ---- */

static void optional_u64(EchoJsonWriter *json, const char *key, bool is_known, uint64_t value)
{
  echo_json_key(json, key);
  if (is_known)
    echo_json_u64(json, value);
  else
    echo_json_null(json);
}

static void optional_f64(EchoJsonWriter *json, const char *key, bool is_known, double value)
{
  echo_json_key(json, key);
  if (is_known)
    echo_json_f64(json, value);
  else
    echo_json_null(json);
}

static void write_memory(EchoJsonWriter *json, const Outcome *outcome, bool is_measured)
{
  bool is_planned = outcome->is_planned;
  const EchoExecutableMemory *planned = &outcome->planned;
  optional_u64(json, "planned_peak_bytes", is_planned, planned->peak_bytes);
  optional_u64(json, "planned_temp_bytes", is_planned,
               planned->arena_bytes + planned->constant_bytes);
  optional_u64(json, "planned_arg_bytes", is_planned, planned->arg_bytes);
  optional_u64(json, "planned_result_bytes", is_planned, planned->result_bytes);
  optional_u64(json, "planned_constant_bytes", is_planned, planned->constant_bytes);
  optional_u64(json, "planned_arena_bytes", is_planned, planned->arena_bytes);
  optional_u64(json, "arena_bound_bytes", is_planned, outcome->bound_bytes);
  optional_u64(json, "measured_peak_bytes", is_measured, outcome->measured_peak_bytes);
  optional_u64(json, "library_bytes", is_planned, planned->library_bytes);
  optional_u64(json, "planned_host_bytes", is_planned, planned->host_bytes);
  optional_u64(json, "measured_host_bytes", is_measured, outcome->measured_host_bytes);
  optional_u64(json, "process_peak_bytes", outcome->has_run, outcome->process_peak_bytes);
}

static void write_echo(EchoJsonWriter *json, const EchoFacts *echo)
{
  echo_json_key(json, "echo");
  echo_json_begin_object(json);
  echo_json_field_bool(json, "on", echo->is_on);
  echo_json_field_u64(json, "regions", echo->n_regions);
  echo_json_field_u64(json, "values_recomputed", echo->n_recomputed);
  echo_json_field_u64(json, "bytes_saved", echo->bytes_saved);
  echo_json_field_f64(json, "predicted_overhead", echo->predicted_overhead);
  echo_json_field_f64(json, "gap", echo->gap);
  optional_u64(json, "peak_bytes_off", echo->off_peak_bytes != 0, echo->off_peak_bytes);
  echo_json_end_object(json);
}

/* "losses": {"res0": [step by step], …} */
static void write_losses(EchoJsonWriter *json, const Losses *losses)
{
  EchoBuffer name = {0};
  size_t n = losses->results.size;
  echo_json_key(json, "losses");
  echo_json_begin_object(json);
  for (size_t i = 0; i < n; i++) {
    echo_buffer_clear(&name);
    echo_buffer_printf(&name, "res%zu", losses->results.data[i]);
    echo_json_key(json, echo_buffer_c_str(&name));
    echo_json_begin_array(json);
    for (size_t k = i; k < losses->values.size; k += n)
      echo_json_f64(json, losses->values.data[k]);
    echo_json_end_array(json);
  }
  echo_json_end_object(json);
  echo_buffer_destroy(&name);
}

/* "result_names": {"res0": what JAX calls it, …} */
static void write_result_names(EchoJsonWriter *json, const Signature *signature)
{
  EchoBuffer name = {0};
  echo_json_key(json, "result_names");
  echo_json_begin_object(json);
  for (size_t i = 0; signature->result_names != NULL && i < signature->n_results; i++)
    if (signature->result_names[i].size != 0) {
      echo_buffer_clear(&name);
      echo_buffer_printf(&name, "res%zu", i);
      echo_json_field_string(json, echo_buffer_c_str(&name), signature->result_names[i]);
    }
  echo_json_end_object(json);
  echo_buffer_destroy(&name);
}

/* What went between processes, from the first step on, and how much of it ran beside computation.
 */
static void write_processes(EchoJsonWriter *json, const Run *run)
{
  const EchoDevice *device = run->device;
  const EchoMpiFacts facts = echo_mpi_facts();
  const EchoCallTimes beside = echo_device_call_times(device);
  echo_json_key(json, "processes");
  echo_json_begin_object(json);
  echo_json_field_u64(json, "n", (uint64_t)echo_mpi_size());
  EchoBuffer engine = {0};
  echo_nccl_describe(&engine);
  echo_json_field_string(json, "engine",
                         engine.size != 0 ? echo_buffer_str(&engine) : echo_str("MPI"));
  echo_buffer_destroy(&engine);
  echo_json_field_u64(json, "n_calls", facts.n_calls);
  echo_json_field_u64(json, "n_calls_beside", beside.n_calls);
  echo_json_field_u64(json, "bytes", facts.bytes);
  echo_json_field_u64(json, "own_bytes", facts.own_bytes);
  echo_json_field_u64(json, "state_bytes_elsewhere", run->outcome.state_bytes_elsewhere);
  echo_json_field_u64(json, "state_bytes_undivided", run->outcome.state_bytes_undivided);
  echo_json_field_f64(json, "calls_s", facts.busy_s);
  echo_json_field_f64(json, "beside_computation_s", (double)beside.hidden_ns * 1e-9);
  echo_json_end_object(json);
}

const char *run_target_or_null(const Run *run)
{
  if (run->device != NULL && strcmp(echo_device_target(run->device), "cpu") != 0)
    return echo_device_target(run->device);
  return run->settings->target;
}

bool run_is_for_gpu(const Run *run)
{
  const char *target = run_target_or_null(run);
  return target != NULL && strcmp(target, "cpu") != 0;
}

/* As --device names it. A plan alone may be for what is not here, which its target says. */
static const char *device_name(const Run *run)
{
  const char *asked = run->settings->device;
  bool is_gpu = strncmp(asked, "cuda", 4) == 0;
  if (!run->settings->plan_only || run_is_for_gpu(run) == is_gpu)
    return asked;
  return is_gpu ? "cpu" : "cuda";
}

void tell_json(const Run *run, EchoBuffer *out)
{
  const Outcome *outcome = &run->outcome;
  EchoJsonWriter json = echo_json_writer(out);
  echo_json_begin_object(&json);
  echo_json_field_string(&json, "file", echo_str(run->settings->file));
  const char *target = run_target_or_null(run); /* of a plan alone no device says it */
  echo_json_field_string(&json, "device", echo_str(device_name(run)));
  echo_json_field_string(&json, "target", echo_str(target != NULL ? target : "cpu"));
  echo_json_field_u64(&json, "n_ops", outcome->n_ops);
  optional_u64(&json, "n_kernels", outcome->is_planned, outcome->n_kernels);
  optional_u64(&json, "n_launches", outcome->is_planned, outcome->n_launches);
  optional_u64(&json, "n_cache_hits", outcome->is_planned, outcome->n_cache_hits);
  write_memory(&json, outcome, outcome->has_run && run->device != NULL);
  echo_json_field_f64(&json, "compile_s", outcome->compile_s);
  optional_f64(&json, "first_step_s", outcome->has_run, outcome->first_step_s);
  optional_f64(&json, "step_s", outcome->has_run, outcome->step_s);
  optional_f64(&json, "least_step_s", outcome->has_run, outcome->least_step_s);
  optional_f64(&json, "most_step_s", outcome->has_run, outcome->most_step_s);
  echo_json_field_i64(&json, "steps", outcome->has_run ? outcome->n_steps : 0);
  echo_json_field_u64(&json, "threads", outcome->n_threads);
  if (run->executable != NULL) {
    EchoBuffer library = {0};
    echo_executable_library(run->executable, &library);
    echo_json_field_string(&json, "library", echo_buffer_str(&library));
    echo_buffer_destroy(&library);
  }
  if (echo_mpi_size() > 1 && outcome->has_run)
    write_processes(&json, run);
  write_echo(&json, &outcome->echo);
  write_losses(&json, &outcome->losses);
  write_result_names(&json, &run->signature);
  if (run->settings->kernels && outcome->is_planned) {
    echo_json_key(&json, "kernels");
    kernels_write_json(&outcome->kernels, &json);
  }
  if (run->settings->expect != NULL && outcome->has_run)
    echo_json_field_bool(&json, "as_expected", outcome->is_same);
  echo_json_end_object(&json);
  echo_buffer_append_char(out, '\n');
}
