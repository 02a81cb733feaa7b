/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/plan.h"

#include <stdio.h>

#include "base/json.h"
#include "jit/report/memory_timeline.h"
#include "samples/common/session.h"

enum { MAX_LAYERS = 64 };

/* Nothing is run, so the device need not be here: a step of the size that is planned this way is a
 * GPU's. */
#define PLANNED_DEVICE "gpu-h100-80g"

static const char *planned_device(const SamplePlanOptions *options)
{
  return options->device != NULL ? options->device : PLANNED_DEVICE;
}

/* Bytes of one layer's values at the peak. */
typedef struct LayerBytes {
  char name[48];
  uint64_t bytes;
} LayerBytes;

/* One plan. */
typedef struct Plan {
  uint64_t peak_bytes, temp_bytes;
  double overhead; /* predicted time over that without Echo; below zero where it fuses better */
  uint64_t by_kind[ECHO_N_MEMORY_KINDS];
  LayerBytes layers[MAX_LAYERS]; /* arena values live at the peak, by the layer that writes them */
  size_t n_layers;
  double plan_s;
} Plan;

static void add_layer_bytes(Plan *plan, EchoStr name, uint64_t bytes)
{
  size_t i = 0;
  while (i < plan->n_layers && !echo_str_is(name, plan->layers[i].name))
    i++;
  if (i == MAX_LAYERS)
    return;
  if (i == plan->n_layers) {
    snprintf(plan->layers[i].name, sizeof plan->layers[i].name, "%.*s", ECHO_STR_ARG(name));
    plan->n_layers++;
  }
  plan->layers[i].bytes += bytes;
}

static void read_timeline(Plan *plan, EchoOp *module)
{
  EchoMemoryTimeline timeline;
  echo_memory_timeline_create(&timeline, module);
  for (int kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
    plan->by_kind[kind] = timeline.peak_by_kind[kind];
  for (size_t i = 0; i < timeline.values.size; i++) {
    const EchoMemoryValue *value = &timeline.values.data[i];
    bool is_fixed = value->kind <= ECHO_MEMORY_CONSTANTS;
    if (!is_fixed && value->begin <= timeline.peak_step && timeline.peak_step <= value->end) {
      EchoStr layer = echo_loc_name(value->loc);
      add_layer_bytes(plan, layer.size != 0 ? layer : ECHO_STR("other"), value->bytes);
    }
  }
  echo_memory_timeline_destroy(&timeline);
}

static bool plan_step(const SamplePlanOptions *options, const char *echo, Plan *plan)
{
  double begin_s = sample_now_s();
  EchoContext *ctx = sample_context_create();
  EchoPassRegistry *passes = sample_passes_create();
  EchoOp *module = options->build(options->user, ctx);
  const EchoCompileOptions compile = {.echo = echo, .device = planned_device(options)};
  bool ok = sample_compile_to_stage(ctx, passes, module, ECHO_STAGE_PLANNED, &compile);
  *plan = (Plan){.peak_bytes = (uint64_t)echo_op_attr_i64(module, "plan.peak_bytes", 0),
                 .temp_bytes = (uint64_t)echo_op_attr_i64(module, "plan.temp_bytes", 0),
                 .plan_s = sample_now_s() - begin_s};
  int64_t off_ns = echo_op_attr_i64(module, "echo.off_ns", 0);
  if (off_ns > 0)
    plan->overhead = (double)echo_op_attr_i64(module, "echo.on_ns", 0) / (double)off_ns - 1;
  if (ok)
    read_timeline(plan, module);
  echo_pass_registry_destroy(passes);
  echo_context_destroy(ctx);
  return ok;
}

static void write_plan(EchoJsonWriter *json, const char *key, const Plan *plan)
{
  echo_json_key(json, key);
  echo_json_begin_object(json);
  echo_json_key(json, "by_kind");
  echo_json_begin_object(json);
  for (int kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
    echo_json_field_u64(json, echo_memory_kind_json_key((EchoMemoryKind)kind), plan->by_kind[kind]);
  echo_json_end_object(json);
  echo_json_key(json, "by_layer");
  echo_json_begin_object(json);
  for (size_t i = 0; i < plan->n_layers; i++)
    echo_json_field_u64(json, plan->layers[i].name, plan->layers[i].bytes);
  echo_json_end_object(json);
  echo_json_end_object(json);
}

static bool write_json(const SamplePlanOptions *options, const Plan *off, const Plan *on)
{
  EchoBuffer text = {0};
  EchoJsonWriter json = echo_json_writer(&text);
  echo_json_begin_object(&json);
  echo_json_field_string(&json, "device_model", echo_str(planned_device(options)));
  echo_json_field_u64(&json, "peak_bytes_off", off->peak_bytes);
  echo_json_field_u64(&json, "peak_bytes_on", on->peak_bytes);
  echo_json_field_u64(&json, "temp_bytes_off", off->temp_bytes);
  echo_json_field_u64(&json, "temp_bytes_on", on->temp_bytes);
  echo_json_field_f64(&json, "predicted_overhead", on->overhead);
  echo_json_field_f64(&json, "plan_s_off", off->plan_s);
  echo_json_field_f64(&json, "plan_s_on", on->plan_s);
  write_plan(&json, "off", off);
  write_plan(&json, "on", on);
  echo_json_end_object(&json);
  echo_buffer_append_char(&text, '\n');
  bool ok = sample_write_file(options->program, options->json, &text);
  echo_buffer_destroy(&text);
  return ok;
}

static void print_kinds(const Plan *off, const Plan *on)
{
  for (int kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
    if (off->by_kind[kind] != 0 || on->by_kind[kind] != 0)
      printf("  %-14s %10.1f MB %10.1f MB\n", echo_memory_kind_name((EchoMemoryKind)kind),
             (double)off->by_kind[kind] / 1e6, (double)on->by_kind[kind] / 1e6);
}

bool sample_plan_only(const SamplePlanOptions *options)
{
  Plan off, on;
  if (!plan_step(options, NULL, &off) ||
      !plan_step(options, options->echo != NULL ? options->echo : "", &on))
    return false;
  printf("times are predicted for %s\n", planned_device(options));
  printf("without Echo: peak %.1f MB, temporaries %.1f MB, planned in %.2f s\n",
         (double)off.peak_bytes / 1e6, (double)off.temp_bytes / 1e6, off.plan_s);
  printf("with Echo:    peak %.1f MB, temporaries %.1f MB, planned in %.2f s\n",
         (double)on.peak_bytes / 1e6, (double)on.temp_bytes / 1e6, on.plan_s);
  printf("%.2f times less; predicted time %+.2f %%\nat the peak:\n",
         (double)off.peak_bytes / (double)on.peak_bytes, 100 * on.overhead);
  print_kinds(&off, &on);
  return options->json == NULL || write_json(options, &off, &on);
}
