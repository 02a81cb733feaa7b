/* --plan-only: what a step will take, with and without Echo, without running anything. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "samples/nmt/commands.h"
#include "samples/nmt/trainer.h"

/* One plan. */
typedef struct Plan {
  uint64_t peak_bytes, temp_bytes, bound_bytes;
  double plan_s;
} Plan;

static uint64_t module_bytes(const EchoOp *module, const char *name)
{
  return (uint64_t)echo_op_attr_i64(module, name, 0);
}

static bool plan_step(const NmtOptions *options, const NmtConfig *config, const char *echo,
                      Plan *plan)
{
  double begin_s = nmt_now_s();
  EchoContext *ctx = nmt_context_create();
  EchoPassRegistry *passes = nmt_passes_create();
  NmtModel model;
  nmt_build_training_step(ctx, config, &model);
  const EchoCompileOptions compile = {.echo = echo, .device = options->device_model};
  bool ok = echo_compile_to_stage(ctx, passes, model.module, ECHO_STAGE_PLANNED, &compile, NULL);
  *plan = (Plan){module_bytes(model.module, "plan.peak_bytes"),
                 module_bytes(model.module, "plan.temp_bytes"),
                 module_bytes(model.module, "plan.bound_bytes"), nmt_now_s() - begin_s};
  nmt_model_destroy(&model);
  echo_pass_registry_destroy(passes);
  echo_context_destroy(ctx);
  return ok;
}

static bool write_json(const char *path, const Plan *off, const Plan *on)
{
  EchoBuffer text = {0}, error = {0};
  EchoJsonWriter json = echo_json_writer(&text);
  echo_json_begin_object(&json);
  echo_json_field_u64(&json, "peak_bytes_off", off->peak_bytes);
  echo_json_field_u64(&json, "peak_bytes_on", on->peak_bytes);
  echo_json_field_u64(&json, "temp_bytes_off", off->temp_bytes);
  echo_json_field_u64(&json, "temp_bytes_on", on->temp_bytes);
  echo_json_field_f64(&json, "plan_s_off", off->plan_s);
  echo_json_field_f64(&json, "plan_s_on", on->plan_s);
  echo_json_end_object(&json);
  echo_buffer_append_char(&text, '\n');
  bool ok = echo_file_write(path, text.data, text.size, &error);
  if (!ok)
    fprintf(stderr, "nmt: error: %s\n", echo_buffer_c_str(&error));
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&error);
  return ok;
}

int nmt_plan_only(const NmtOptions *options)
{
  NmtConfig config = options->config;
  Plan off, on;
  config.source_vocab = config.target_vocab = options->vocab;
  if (!plan_step(options, &config, NULL, &off) ||
      !plan_step(options, &config, options->echo != NULL ? options->echo : "", &on))
    return EXIT_FAILURE;
  printf("without Echo: peak %.1f MB, temporaries %.1f MB, planned in %.2f s\n",
         (double)off.peak_bytes / 1e6, (double)off.temp_bytes / 1e6, off.plan_s);
  printf("with Echo:    peak %.1f MB, temporaries %.1f MB, planned in %.2f s\n",
         (double)on.peak_bytes / 1e6, (double)on.temp_bytes / 1e6, on.plan_s);
  printf("%.2f times less\n", (double)off.peak_bytes / (double)on.peak_bytes);
  bool ok = options->json == NULL || write_json(options->json, &off, &on);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
