/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/kernels.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/map.h"
#include "ir/symbol.h"
#include "planning/cost/runtime.h"

enum { MAX_TOLD = 25 };

static uint64_t total_ns(const KernelFact *kernel)
{
  return (kernel->is_measured ? kernel->measured_ns : kernel->predicted_ns) * kernel->n_launches;
}

static int compare_kernels(const void *a, const void *b)
{
  const KernelFact *x = a, *y = b;
  uint64_t x_ns = total_ns(x), y_ns = total_ns(y);
  if (x_ns != y_ns)
    return x_ns > y_ns ? -1 : 1;
  return echo_str_compare(x->name, y->name);
}

static void sort(KernelList *kernels)
{
  if (kernels->list.size > 1)
    qsort(kernels->list.data, kernels->list.size, sizeof(KernelFact), compare_kernels);
}

static EchoStr copy(KernelList *kernels, EchoStr text)
{
  return (EchoStr){echo_arena_copy_string(&kernels->arena, text.data, text.size), text.size};
}

static uint64_t count_body(const EchoOp *kernel)
{
  uint64_t n = 0;
  const EchoBlock *body = kernel->regions[0].first;
  for (const EchoOp *op = body->first; op != body->last; op = op->next)
    n++;
  return n;
}

/* One more in the text. Of a kernel that updates, the mean. */
static void add_launch(KernelFact *kernel, const EchoOp *op, const EchoOp *launch,
                       const EchoDeviceModel *device)
{
  uint64_t n = kernel->n_launches++;
  if (echo_kernel_updates(op))
    kernel->predicted_ns =
        (kernel->predicted_ns * n + echo_launch_ns(op, launch, device)) / (n + 1);
}

void kernels_list(KernelList *kernels, EchoOp *module, const EchoDeviceModel *device)
{
  EchoStringMap index = {0};
  ECHO_VECTOR(const EchoOp *) ops = {0};
  *kernels = (KernelList){0};
  for (const EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!echo_op_is(op, "kernel.func"))
      continue;
    KernelFact kernel = {.name = copy(kernels, echo_symbol_name(op)),
                         .kind = copy(kernels, echo_op_attr_string(op, "kind")),
                         .n_ops = count_body(op),
                         .predicted_ns = echo_kernel_ns(op, device),
                         .is_predicted = true};
    echo_string_map_set(&index, kernel.name, kernels->list.size);
    echo_vector_push(&kernels->list, kernel);
    echo_vector_push(&ops, op);
  }
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    uint64_t number;
    if (echo_op_is(op, "kernel.launch") &&
        echo_string_map_get(&index, echo_op_attr_or_null(op, "callee")->as.symbol.root, &number))
      add_launch(&kernels->list.data[number], ops.data[number], op, device);
  }
  echo_vector_destroy(&ops);
  echo_string_map_destroy(&index);
  sort(kernels);
}

void kernels_measure(KernelList *kernels, const EchoExecutable *executable, uint64_t n_steps)
{
  EchoStringMap index = {0};
  size_t n;
  const EchoKernelTime *times = echo_executable_kernel_times(executable, &n);
  for (size_t i = 0; i < kernels->list.size; i++)
    echo_string_map_set(&index, kernels->list.data[i].name, i);
  for (size_t i = 0; i < n; i++) {
    uint64_t number = kernels->list.size;
    if (times[i].n_runs == 0)
      continue;
    if (!echo_string_map_get(&index, times[i].name, &number)) {
      KernelFact kernel = {.name = copy(kernels, times[i].name), .kind = ECHO_STR("")};
      echo_vector_push(&kernels->list, kernel);
    }
    KernelFact *kernel = &kernels->list.data[number];
    kernel->is_measured = true;
    kernel->measured_ns = times[i].elapsed_ns / times[i].n_runs;
    kernel->least_ns = times[i].least_ns;
    kernel->least_step_ns = times[i].least_run_ns;
    kernel->n_launches = times[i].n_runs / n_steps;
    kernel->is_counted = echo_executable_counters(executable, i, &kernel->counters);
  }
  echo_string_map_destroy(&index);
  sort(kernels);
}

void kernels_destroy(KernelList *kernels)
{
  echo_vector_destroy(&kernels->list);
  echo_arena_destroy(&kernels->arena);
}

/* ---- telling ---- */

static void tell_ms(uint64_t ns, bool is_known, EchoBuffer *out)
{
  if (is_known)
    echo_buffer_printf(out, " %11.3f", (double)ns * 1e-6);
  else
    echo_buffer_printf(out, " %11s", "-");
}

static void tell_line(const char *name, const char *kind, uint64_t n_ops, uint64_t n_launches,
                      EchoBuffer *out)
{
  echo_buffer_printf(out, "  %-22s %-13s %5" PRIu64 " %8" PRIu64, name, kind, n_ops, n_launches);
}

void kernels_tell(const KernelList *kernels, EchoBuffer *out)
{
  uint64_t measured_ns = 0, predicted_ns = 0, n_launches = 0, n_ops = 0;
  bool is_measured = false, is_predicted = false;
  echo_buffer_printf(out, "  %-22s %-13s %5s %8s %11s %11s\n", "kernel (times of a step)", "kind",
                     "ops", "launches", "ms measured", "predicted");
  for (size_t i = 0; i < kernels->list.size; i++) {
    const KernelFact *kernel = &kernels->list.data[i];
    uint64_t predicted = kernel->predicted_ns * kernel->n_launches;
    uint64_t measured = kernel->measured_ns * kernel->n_launches;
    measured_ns += measured;
    predicted_ns += predicted;
    n_launches += kernel->n_launches;
    n_ops += kernel->n_ops;
    is_measured |= kernel->is_measured;
    is_predicted |= kernel->is_predicted;
    if (i >= MAX_TOLD)
      continue;
    tell_line(kernel->name.data, kernel->kind.data, kernel->n_ops, kernel->n_launches, out);
    tell_ms(measured, kernel->is_measured, out);
    tell_ms(predicted, kernel->is_predicted, out);
    echo_buffer_append_char(out, '\n');
  }
  tell_line("all", "", n_ops, n_launches, out);
  tell_ms(measured_ns, is_measured, out);
  tell_ms(predicted_ns, is_predicted, out);
  echo_buffer_append_char(out, '\n');
}

static void write_known(EchoJsonWriter *json, const char *key, bool is_known, uint64_t value)
{
  echo_json_key(json, key);
  if (is_known)
    echo_json_u64(json, value);
  else
    echo_json_null(json);
}

static double ratio(uint64_t part, uint64_t whole)
{
  return whole != 0 ? (double)part / (double)whole : 0;
}

/* Of one launch, the mean of all: docs/echo-run.md says what they mean. */
static void write_counters(const KernelFact *kernel, EchoJsonWriter *json)
{
  const EchoCudaCounters *counters = &kernel->counters;
  uint64_t n = counters->n_launches != 0 ? counters->n_launches : 1;
  bool is_assembled = counters->registers != 0;
  echo_json_field_string(json, "kernel", kernel->name);
  echo_json_field_u64(json, "bytes", counters->moved_bytes / n);
  echo_json_field_u64(json, "floor_bytes", counters->floor_bytes / n);
  echo_json_field_f64(json, "sector_use", ratio(counters->used_bytes, counters->sectors * 32));
  echo_json_field_f64(json, "sectors_a_request", ratio(counters->sectors, counters->requests));
  echo_json_field_u64(json, "bank_conflicts", counters->bank_conflicts / n);
  echo_json_field_f64(json, "instructions_a_thread",
                      ratio(counters->thread_instructions, counters->n_threads));
  echo_json_field_f64(json, "active_lanes",
                      ratio(counters->thread_instructions, counters->warp_instructions * 32));
  echo_json_field_u64(json, "blocks", counters->n_blocks / n);
  echo_json_field_u64(json, "threads", counters->n_threads / n);
  echo_json_field_u64(json, "shared_bytes", counters->shared_bytes);
  write_known(json, "registers", is_assembled, counters->registers);
  write_known(json, "spill_bytes", is_assembled, counters->spill_bytes);
  echo_json_field_u64(json, "tensor_flops", counters->tensor_flops / n);
  echo_json_field_u64(json, "roofline_ns", (uint64_t)(counters->roofline_ns / (double)n));
}

void kernels_write_json(const KernelList *kernels, EchoJsonWriter *json)
{
  echo_json_begin_array(json);
  for (size_t i = 0; i < kernels->list.size; i++) {
    const KernelFact *kernel = &kernels->list.data[i];
    echo_json_begin_object(json);
    echo_json_field_string(json, "name", kernel->name);
    echo_json_field_string(json, "kind", kernel->kind);
    echo_json_field_u64(json, "ops", kernel->n_ops);
    echo_json_field_u64(json, "launches", kernel->n_launches);
    write_known(json, "predicted_ns", kernel->is_predicted, kernel->predicted_ns);
    write_known(json, "measured_ns", kernel->is_measured, kernel->measured_ns);
    write_known(json, "least_ns", kernel->is_measured, kernel->least_ns);
    write_known(json, "least_step_ns", kernel->is_measured, kernel->least_step_ns);
    if (kernel->is_counted)
      write_counters(kernel, json);
    echo_json_end_object(json);
  }
  echo_json_end_array(json);
}
