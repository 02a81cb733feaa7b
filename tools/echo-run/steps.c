/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The steps of a run: feed, run, time, read. Progress goes to stderr, and only to a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/progress.h"
#include "tools/echo-run/run.h"

#define PROGRESS_SECONDS 0.1

static double now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
  qsort(values, n, sizeof *values, compare_doubles);
  return n % 2 != 0 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void find_losses(Run *run)
{
  const Signature *signature = &run->signature;
  for (size_t r = 0; r < signature->n_results; r++)
    if (echo_type_rank(signature->result_types[r]) == 0 &&
        echo_element_is_float(echo_type_element_kind(signature->result_types[r])))
      echo_vector_push(&run->outcome.losses.results, r);
}

static bool read_losses(Run *run)
{
  Losses *losses = &run->outcome.losses;
  for (size_t i = 0; i < losses->results.size; i++) {
    EchoTensor *value = machine_read_result_or_null(run->machine, losses->results.data[i]);
    if (value == NULL)
      return false;
    echo_vector_push(&losses->values, echo_tensor_get_f64(value, 0));
    echo_tensor_destroy(value);
  }
  return true;
}

static void show_progress(const Run *run, int64_t step, double elapsed_s)
{
  const Losses *losses = &run->outcome.losses;
  fprintf(stderr, "\r\033[Kstep %lld/%lld", (long long)step, (long long)run->outcome.n_steps);
  EchoBuffer name = {0};
  for (size_t i = 0; i < losses->results.size && i < 4; i++) {
    echo_buffer_clear(&name);
    signature_append_result(&run->signature, losses->results.data[i], &name);
    fprintf(stderr, "  %s %.6g", echo_buffer_c_str(&name),
            losses->values.data[losses->values.size - losses->results.size + i]);
  }
  echo_buffer_destroy(&name);
  fprintf(stderr, "  %.3g steps/s", (double)step / elapsed_s);
}

static bool feed_slices(Run *run, int64_t step)
{
  bool ok = true;
  for (size_t i = 0; i < run->signature.n_args && ok; i++)
    if (run->inputs.slices[i] != NULL)
      ok = machine_write_arg(run->machine, i, inputs_slice(&run->inputs, &run->signature, i, step));
  return ok;
}

/* From the results of one step to the arguments of the next. Two passes over the pairs are not
 * needed: machine_feed reads results only, which no feed changes, unless the result lives in an
 * argument; aliased arguments are never fed. */
static bool carry_over(Run *run)
{
  bool ok = true;
  for (size_t i = 0; i < run->inputs.feeds.size && ok; i++)
    ok =
        machine_feed(run->machine, run->inputs.feeds.data[i].result, run->inputs.feeds.data[i].arg);
  machine_advance(run->machine);
  return ok;
}

static bool run_all(Run *run, double *times)
{
  bool shows = isatty(STDERR_FILENO) && !run->settings->quiet && run->outcome.n_steps > 1;
  if (!run->settings->quiet)
    echo_progress_show("step 1 of %lld", (long long)run->outcome.n_steps);
  double begin = now_s(), shown = 0;
  int64_t first_timed = run->outcome.n_steps > 1; /* the first step meets cold memory */
  for (int64_t step = 0; step < run->outcome.n_steps; step++) {
    bool ok = (step == 0 || carry_over(run)) && feed_slices(run, step);
    if (step == first_timed && run->executable != NULL && run->settings->kernels)
      echo_executable_time_kernels(run->executable, true);
    double before = now_s();
    ok = ok && machine_step(run->machine);
    double after = now_s();
    times[step] = after - before;
    if (!ok || !read_losses(run)) {
      echo_progress_clear();
      return false;
    }
    if (shows && (after - shown > PROGRESS_SECONDS || step + 1 == run->outcome.n_steps)) {
      show_progress(run, step + 1, after - begin);
      shown = after;
    }
  }
  if (shows)
    fputc('\n', stderr);
  else
    echo_progress_clear();
  return true;
}

static bool read_results(Run *run)
{
  EchoBuffer name = {0};
  bool ok = true;
  for (size_t r = 0; r < run->signature.n_results && ok; r++) {
    EchoTensor *result = machine_read_result_or_null(run->machine, r);
    ok = result != NULL;
    echo_buffer_clear(&name);
    echo_buffer_printf(&name, "res%zu", r);
    if (ok)
      echo_tensor_set_add(&run->outcome.results, echo_buffer_str(&name), result);
  }
  echo_buffer_destroy(&name);
  return ok;
}

static uint64_t process_peak_bytes(void)
{
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static void take_times(Outcome *outcome, double *times)
{
  const int64_t n = outcome->n_steps, first = n > 1; /* the first step meets cold memory */
  outcome->first_step_s = times[0];
  outcome->least_step_s = outcome->most_step_s = times[first];
  for (int64_t i = first; i < n; i++) {
    if (times[i] < outcome->least_step_s)
      outcome->least_step_s = times[i];
    if (times[i] > outcome->most_step_s)
      outcome->most_step_s = times[i];
  }
  outcome->step_s = median(times, (size_t)n);
}

bool run_steps(Run *run)
{
  Outcome *outcome = &run->outcome;
  find_losses(run);
  bool ok = true;
  for (size_t i = 0; i < run->signature.n_args; i++) {
    ok = ok && machine_write_arg(run->machine, i, run->inputs.args[i]->data);
    echo_tensor_destroy(run->inputs.args[i]); /* the machine has it now */
    run->inputs.args[i] = NULL;
  }
  double *times = echo_alloc_array((size_t)outcome->n_steps, sizeof *times);
  ok = ok && run_all(run, times) && read_results(run);
  echo_context_flush_diagnostics(run->ctx);
  if (ok) {
    if (run->settings->kernels && run->executable != NULL)
      kernels_measure(&outcome->kernels, run->executable,
                      (uint64_t)(outcome->n_steps > 1 ? outcome->n_steps - 1 : 1));
    outcome->has_run = true;
    take_times(outcome, times);
    outcome->process_peak_bytes = process_peak_bytes();
    if (run->device != NULL) {
      outcome->measured_peak_bytes = echo_device_peak_bytes(run->device);
      outcome->measured_host_bytes = echo_device_host_peak_bytes(run->device);
    }
  }
  echo_free(times);
  return ok;
}
