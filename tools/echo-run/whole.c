/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A run from its compile to what it leaves behind: steps, results, comparisons, figures. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "jit/data/npz.h"
#include "tools/echo-run/ranks.h"
#include "tools/echo-run/run.h"

/* Says and frees the reason; false. */
static bool complain(const Run *run, EchoBuffer *error)
{
  fprintf(stderr, "%s: error: %s\n", run->settings->tool, echo_buffer_c_str(error));
  echo_buffer_destroy(error);
  return false;
}

/* As many steps as asked for, as the feed lasts, or one. */
static bool choose_steps(Run *run)
{
  int64_t asked = run->settings->n_steps, fed = run->inputs.n_slices;
  run->outcome.n_steps = asked != 0 ? asked : fed > 0 ? fed : 1;
  if (fed < 0 || run->outcome.n_steps <= fed)
    return true;
  EchoBuffer error = {0};
  echo_buffer_printf(&error, "--steps=%lld, but the feed holds %lld", (long long)asked,
                     (long long)fed);
  return complain(run, &error);
}

/* Steps that nothing tells apart are timed and checked, but they train nothing. */
static void tell_same_steps(const Run *run)
{
  bool draws = run->signature.draws || echo_executable_draws(run->executable);
  bool is_fed = run->inputs.n_slices >= 0 || run->inputs.feeds.size != 0 || draws;
  for (size_t i = 0; i < run->signature.n_args; i++)
    is_fed |= run->signature.arg_alias[i] >= 0;
  if (run->outcome.n_steps > 1 && !is_fed && !run->settings->quiet && !run->settings->plan_only)
    fprintf(stderr,
            "%s: warning: no argument is fed, so all %lld steps are the same: --feed takes "
            "results or data to the next step's arguments, and so do donated arguments\n",
            run->settings->tool, (long long)run->outcome.n_steps);
}

static bool read_expected(Run *run, EchoTensorSet *expected)
{
  EchoBuffer error = {0};
  if (run->settings->expect == NULL ||
      echo_tensor_set_read(run->ctx, run->settings->expect, ECHO_STR("res0"), expected, &error))
    return true;
  return complain(run, &error);
}

/* ---- the run ---- */

/* Lowering replaces main: where it stands and its types are read again before it is interpreted. */
static bool create_machine(Run *run)
{
  if (run->executable != NULL) {
    run->machine =
        machine_create_device_or_null(run->ctx, run->device, run->executable, &run->signature);
    echo_context_flush_diagnostics(run->ctx);
    if (run->machine != NULL)
      machine_seed(run->machine, (uint64_t)run->settings->seed);
    return run->machine != NULL;
  }
  if (!signature_read(run->module, &run->arena, &run->signature)) {
    echo_context_flush_diagnostics(run->ctx);
    return false;
  }
  run->machine = machine_create_interpreter(run->ctx, run->module, &run->signature);
  machine_seed(run->machine, (uint64_t)run->settings->seed);
  return true;
}

/* Results of many processes are whole on the first, unless each writes its own. */
static bool gather(Run *run)
{
  EchoBuffer error = {0};
  return run->settings->own_outputs ||
         ranks_gather(run->ctx, &run->outcome.results, run->result_parts, &error) ||
         complain(run, &error);
}

static bool compare(Run *run, const EchoTensorSet *expected)
{
  Outcome *outcome = &run->outcome;
  EchoBuffer error = {0};
  outcome->is_same = true;
  if (run->settings->expect == NULL || (echo_mpi_rank() != 0 && !run->settings->own_outputs))
    return true;
  size_t n = outcome->results.list.size;
  EchoTensor **results = echo_alloc_array(n + 1, sizeof(EchoTensor *));
  for (size_t i = 0; i < n; i++)
    results[i] = outcome->results.list.data[i].tensor;
  bool ok = compare_results(results, &run->signature, expected, run->settings->tolerance,
                            &outcome->is_same, &outcome->comparison, &error);
  echo_free(results);
  return ok || complain(run, &error);
}

static bool write_text(const Run *run, const char *path, const EchoBuffer *text)
{
  EchoBuffer error = {0};
  return path == NULL || echo_file_write(path, echo_buffer_c_str(text), text->size, &error) ||
         complain(run, &error);
}

/* --trace: the scalar float results of all steps, each as one array. */
static bool write_trace(const Run *run)
{
  const Losses *losses = &run->outcome.losses;
  EchoTensorSet set = {0};
  EchoBuffer error = {0};
  const int64_t dims[] = {run->outcome.n_steps};
  for (size_t i = 0; i < losses->results.size; i++) {
    size_t r = losses->results.data[i];
    EchoTensor *trace = echo_tensor_create(
        echo_type_tensor(run->ctx, dims, 1, echo_type_element(run->signature.result_types[r]),
                         NULL),
        false);
    for (int64_t step = 0; step < dims[0]; step++)
      echo_tensor_set_f64(trace, step,
                          losses->values.data[(size_t)step * losses->results.size + i]);
    echo_tensor_set_add(&set, run->outcome.results.list.data[r].name, trace);
  }
  bool ok = echo_npz_write(run->settings->trace, &set, ECHO_NPZ_STORED, &error);
  echo_tensor_set_destroy(&set);
  return ok || complain(run, &error);
}

static bool write_outputs(const Run *run)
{
  const Settings *settings = run->settings;
  EchoBuffer error = {0}, json = {0};
  if (echo_mpi_rank() != 0 && !settings->own_outputs)
    return true;
  if (settings->outputs != NULL && run->outcome.has_run &&
      !echo_npz_write(settings->outputs, &run->outcome.results, ECHO_NPZ_STORED, &error))
    return complain(run, &error);
  if (echo_mpi_rank() != 0)
    return true;
  if (settings->trace != NULL && run->outcome.has_run && !write_trace(run))
    return false;
  if (settings->json != NULL)
    tell_json(run, &json);
  bool ok =
      write_text(run, settings->json, &json) && write_text(run, settings->report, &run->report);
  echo_buffer_destroy(&json);
  return ok;
}

bool run_module(Run *run, bool (*compile)(Run *run))
{
  EchoTensorSet expected = {0};
  EchoBuffer summary = {0};
  bool ok = choose_steps(run) && read_expected(run, &expected) && compile(run);
  ok = ranks_agree(ok);
  if (ok)
    ranks_speak();
  if (ok && echo_mpi_rank() == 0)
    tell_same_steps(run);
  if (ok && !run->settings->plan_only)
    ok = create_machine(run) && run_steps(run) && gather(run) && compare(run, &expected);
  ok = ok && write_outputs(run);
  bool json_has_stdout = run->settings->json != NULL && strcmp(run->settings->json, "-") == 0;
  if (ok && !run->settings->quiet && !json_has_stdout) {
    tell_summary(run, &summary);
    fputs(echo_buffer_c_str(&summary), stdout);
  } else if (ok && !run->outcome.is_same && !json_has_stdout) {
    fputs(echo_buffer_c_str(&run->outcome.comparison), stdout);
  }
  echo_buffer_destroy(&summary);
  echo_tensor_set_destroy(&expected);
  return ok && (run->settings->plan_only || run->outcome.is_same);
}

void run_destroy(Run *run)
{
  machine_destroy(run->machine);
  echo_executable_destroy(run->executable);
  echo_device_destroy(run->device);
  inputs_destroy(&run->inputs);
  echo_tensor_set_destroy(&run->outcome.results);
  echo_vector_destroy(&run->outcome.losses.results);
  echo_vector_destroy(&run->outcome.losses.values);
  echo_buffer_destroy(&run->outcome.comparison);
  kernels_destroy(&run->outcome.kernels);
  echo_buffer_destroy(&run->report);
  if (run->passes != NULL)
    echo_pass_registry_destroy(run->passes);
  if (run->ctx != NULL)
    echo_context_destroy(run->ctx);
  echo_replay_destroy(&run->replay);
  echo_arena_destroy(&run->arena);
}
