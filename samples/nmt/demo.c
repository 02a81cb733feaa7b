/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The demonstration: numerals learned twice from one seed, without and with Echo, and everything
 * that can be shown about it. */
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "codegen/codegen.h"
#include "ir/text/text.h"
#include "jit/report/memory_report.h"
#include "samples/common/session.h"
#include "samples/nmt/commands.h"
#include "samples/nmt/run.h"
#include "samples/nmt/score.h"

enum { COMPARED_STEPS = 200, CHECK_EVERY = 400, MAX_STEPS = 6000, SHOWN_TRANSLATIONS = 8 };
#define WANTED_EXACT 0.99
/* At this size arithmetic is dear beside memory, and 2 % of predicted time, the pass's default,
 * buys little. */
#define DEMO_ECHO "overhead=10%"

/* One of the two runs, after the steps that are compared. */
typedef struct Side {
  const char *label;
  NmtProgram program;
  NmtState state;
  NmtTraining training;
  EchoExecutableMemory memory;
  uint8_t *bytes; /* of the state after COMPARED_STEPS */
  uint64_t n_bytes;
} Side;

typedef struct Demo {
  NmtRun run;
  Side off, on;
  bool bit_identical;
  double exact_match, trained_s;
  int64_t trained_steps;
  float final_loss;
} Demo;

static const char *demo_echo(const NmtOptions *options)
{
  return options->echo != NULL ? options->echo : DEMO_ECHO;
}

static void print_bytes(uint64_t bytes)
{
  printf("%8.2f MB", (double)bytes / 1e6);
}

typedef struct Progress {
  const char *label;
  int64_t last_step;
  double begin_s, previous_s;
} Progress;

static bool show(void *user, int64_t step, float loss)
{
  Progress *progress = user;
  double now_s = sample_now_s();
  nmt_progress(progress->label, step, progress->last_step, loss, now_s - progress->previous_s);
  progress->previous_s = now_s;
  return true;
}

/* Losses depend on the machine as far as its BLAS does. */
static void print_library(const EchoExecutable *executable)
{
  EchoBuffer library = {0};
  echo_executable_library(executable, &library);
  if (library.size != 0)
    printf("matrix products by %s: the last bits of losses depend on it\n",
           echo_buffer_c_str(&library));
  echo_buffer_destroy(&library);
}

static bool train_side(Demo *demo, Side *side, const char *label, const char *echo)
{
  const NmtOptions *options = demo->run.options;
  side->label = label;
  if (!nmt_run_compile_step(&demo->run, echo, &side->program))
    return false;
  side->memory = echo_executable_memory(side->program.executable);
  if (side == &demo->off)
    print_library(side->program.executable);
  printf("%s: compiled in %.2f s, %zu kernels; planned peak", label, side->program.compile_s,
         echo_executable_n_kernels(side->program.executable));
  print_bytes(side->memory.peak_bytes);
  printf(" (arena");
  print_bytes(side->memory.arena_bytes);
  printf(")\n");
  fflush(stdout);
  nmt_state_create(&side->state, demo->run.device, &side->program.model, options->seed);
  Progress progress = {label, COMPARED_STEPS, sample_now_s(), sample_now_s()};
  nmt_run_train(&demo->run, &side->program, &side->state, COMPARED_STEPS, show, &progress,
                &side->training);
  sample_progress_clear();
  side->bytes = nmt_state_bytes(&side->state, &side->n_bytes);
  const float *losses = side->training.losses.data;
  printf("%s: loss %.4f to %.4f in %d steps, %.1f ms a step, %.0f tokens a second\n", label,
         (double)losses[0], (double)losses[COMPARED_STEPS - 1], COMPARED_STEPS,
         side->training.step_s * 1e3, side->training.tokens_per_s);
  fflush(stdout);
  return true;
}

static void destroy_side(Side *side)
{
  if (side->state.buffers != NULL)
    nmt_state_destroy(&side->state);
  nmt_training_destroy(&side->training);
  nmt_program_destroy(&side->program);
  echo_free(side->bytes);
  side->bytes = NULL;
}

static void compare_sides(Demo *demo)
{
  const Side *off = &demo->off, *on = &demo->on;
  demo->bit_identical =
      off->n_bytes == on->n_bytes && memcmp(off->bytes, on->bytes, (size_t)off->n_bytes) == 0 &&
      memcmp(off->training.losses.data, on->training.losses.data, COMPARED_STEPS * sizeof(float)) ==
          0;
  printf("\n                     without Echo     with Echo\n");
  printf("planned peak         ");
  print_bytes(off->memory.peak_bytes);
  printf("   ");
  print_bytes(on->memory.peak_bytes);
  printf("   %.2f times less\n  of it temporaries  ",
         (double)off->memory.peak_bytes / (double)on->memory.peak_bytes);
  print_bytes(off->memory.arena_bytes);
  printf("   ");
  print_bytes(on->memory.arena_bytes);
  printf("   %.2f times less\nmeasured peak        ",
         (double)off->memory.arena_bytes / (double)on->memory.arena_bytes);
  print_bytes(off->training.measured_peak_bytes);
  printf("   ");
  print_bytes(on->training.measured_peak_bytes);
  printf("\nprocess peak         ");
  print_bytes(off->training.process_peak_bytes);
  printf("   ");
  print_bytes(on->training.process_peak_bytes);
  printf("\ntime a step          %8.1f ms   %8.1f ms   %.2f times\n", off->training.step_s * 1e3,
         on->training.step_s * 1e3, on->training.step_s / off->training.step_s);
  printf("losses and weights after %d steps: %s\n\n", COMPARED_STEPS,
         demo->bit_identical ? "bit-identical" : "DIFFERENT");
  fflush(stdout);
}

/* Goes on with Echo until unseen numerals come out right. */
static bool train_on(Demo *demo, EchoBuffer *translations)
{
  const EchoBuffer *references = &demo->run.task.valid_target;
  double begin_s = sample_now_s();
  for (int64_t last = COMPARED_STEPS;
       demo->exact_match < WANTED_EXACT + 0.005 && last < MAX_STEPS;) {
    last += CHECK_EVERY;
    NmtTraining stretch;
    Progress progress = {"training on", last, sample_now_s(), sample_now_s()};
    nmt_run_train(&demo->run, &demo->on.program, &demo->on.state, last, show, &progress, &stretch);
    sample_progress_clear();
    demo->final_loss = echo_vector_last(&stretch.losses);
    nmt_training_destroy(&stretch);
    echo_buffer_clear(translations);
    if (!nmt_run_translate(&demo->run, &demo->on.state, translations))
      return false;
    demo->exact_match = nmt_exact_match(echo_buffer_str(translations), echo_buffer_str(references));
    demo->trained_steps = last;
    printf("step %5lld  loss %.4f  unseen numerals right: %.1f %%\n", (long long)last,
           (double)demo->final_loss, 100 * demo->exact_match);
    fflush(stdout);
  }
  demo->trained_s = sample_now_s() - begin_s;
  return true;
}

static EchoStr take_line(EchoStr *text)
{
  size_t size = 0;
  while (size < text->size && text->data[size] != '\n')
    size++;
  EchoStr line = {text->data, size};
  size_t skip = size < text->size ? size + 1 : size;
  *text = (EchoStr){text->data + skip, text->size - skip};
  return line;
}

static void show_translations(const Demo *demo, const EchoBuffer *translations)
{
  EchoStr sources = echo_buffer_str(&demo->run.task.valid_source);
  EchoStr answers = echo_buffer_str(translations);
  printf("\n");
  for (int i = 0; i < SHOWN_TRANSLATIONS && sources.size != 0; i++) {
    EchoStr source = take_line(&sources), answer = take_line(&answers);
    printf("  %.*s -> %.*s\n", ECHO_STR_ARG(source), ECHO_STR_ARG(answer));
  }
}

/* ---- what is written ---- */

static bool write_file(const char *directory, const char *name, EchoStr text)
{
  EchoBuffer path = {0}, error = {0};
  echo_buffer_printf(&path, "%s/%s", directory, name);
  bool ok = echo_directory_create(directory, &error) &&
            echo_file_write(echo_buffer_c_str(&path), text.data, text.size, &error);
  if (!ok)
    fprintf(stderr, "nmt: error: %s\n", echo_buffer_c_str(&error));
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  return ok;
}

/* The IR of every stage, each compiled on from the one before it. */
static bool write_stages(const Demo *demo)
{
  EchoContext *ctx = sample_context_create();
  NmtModel model;
  EchoBuffer text = {0};
  nmt_build_training_step(ctx, &demo->run.config, &model);
  const EchoCompileOptions compile = {.echo = demo_echo(demo->run.options)};
  bool ok = true;
  for (int stage = 0; stage < ECHO_N_STAGES && ok; stage++) {
    char name[64];
    snprintf(name, sizeof name, "%d-%s.mlir", stage, echo_stage_name((EchoStage)stage));
    echo_buffer_clear(&text);
    ok = sample_compile_to_stage(ctx, demo->run.passes, model.module, (EchoStage)stage, &compile);
    if (ok)
      echo_print_op(model.module, NULL, &text);
    ok = ok && write_file(demo->run.options->demo_dir, name, echo_buffer_str(&text));
  }
  echo_buffer_destroy(&text);
  nmt_model_destroy(&model);
  echo_context_destroy(ctx);
  return ok;
}

static bool write_ptx(const Demo *demo)
{
  EchoContext *ctx = sample_context_create();
  NmtModel model;
  EchoBuffer text = {0};
  nmt_build_training_step(ctx, &demo->run.config, &model);
  const EchoCompileOptions compile = {.echo = demo_echo(demo->run.options),
                                      .target = "sm_80",
                                      .device = demo->run.options->device_model};
  bool ok =
      sample_compile_to_stage(ctx, demo->run.passes, model.module, ECHO_STAGE_LOOPS, &compile) &&
      echo_codegen_ptx(ctx, model.module, "sm_80", &text) &&
      write_file(demo->run.options->demo_dir, "kernels.ptx", echo_buffer_str(&text));
  echo_context_flush_diagnostics(ctx);
  echo_buffer_destroy(&text);
  nmt_model_destroy(&model);
  echo_context_destroy(ctx);
  return ok;
}

/* A planned step and what it holds. */
typedef struct Planned {
  EchoContext *ctx;
  NmtModel model;
  EchoMemoryTimeline timeline;
} Planned;

static bool plan(const Demo *demo, const char *echo, Planned *planned)
{
  planned->ctx = sample_context_create();
  nmt_build_training_step(planned->ctx, &demo->run.config, &planned->model);
  const EchoCompileOptions compile = {.echo = echo, .device = demo->run.options->device_model};
  bool ok = sample_compile_to_stage(planned->ctx, demo->run.passes, planned->model.module,
                                    ECHO_STAGE_PLANNED, &compile);
  if (ok)
    echo_memory_timeline_create(&planned->timeline, planned->model.module);
  return ok;
}

static void planned_destroy(Planned *planned)
{
  echo_memory_timeline_destroy(&planned->timeline);
  nmt_model_destroy(&planned->model);
  echo_context_destroy(planned->ctx);
}

static bool write_report(const Demo *demo)
{
  Planned off = {0}, on = {0};
  EchoBuffer text = {0};
  const char *echo = demo_echo(demo->run.options);
  bool ok = plan(demo, NULL, &off) && plan(demo, echo, &on);
  if (ok) {
    char measured[64], exact[64];
    snprintf(measured, sizeof measured, "%.2f MB, %.2f MB with Echo",
             (double)demo->off.training.measured_peak_bytes / 1e6,
             (double)demo->on.training.measured_peak_bytes / 1e6);
    snprintf(exact, sizeof exact, "%.1f %%", 100 * demo->exact_match);
    const EchoMemoryFact facts[] = {
        {"measured peak", measured},
        {"losses and weights", demo->bit_identical ? "bit-identical" : "different"},
        {"unseen numerals right", exact}};
    double off_ns = (double)echo_op_attr_i64(on.model.module, "echo.off_ns", 0);
    double on_ns = (double)echo_op_attr_i64(on.model.module, "echo.on_ns", 0);
    const EchoMemoryReport report = {.title = "English numerals to German",
                                     .before = &off.timeline,
                                     .after = &on.timeline,
                                     .predicted_overhead = off_ns > 0 ? on_ns / off_ns - 1 : 0,
                                     .facts = facts,
                                     .n_facts = sizeof facts / sizeof facts[0]};
    echo_memory_report_html(&report, &text);
    ok = write_file(demo->run.options->demo_dir, "report.html", echo_buffer_str(&text));
  }
  echo_buffer_destroy(&text);
  planned_destroy(&off);
  if (on.ctx != NULL)
    planned_destroy(&on);
  return ok;
}

static bool write_json(const Demo *demo)
{
  const Side *off = &demo->off, *on = &demo->on;
  EchoBuffer text = {0}, error = {0};
  EchoJsonWriter json = echo_json_writer(&text);
  echo_json_begin_object(&json);
  echo_json_field_u64(&json, "peak_bytes_off", off->memory.peak_bytes);
  echo_json_field_u64(&json, "peak_bytes_on", on->memory.peak_bytes);
  echo_json_field_u64(&json, "temp_bytes_off", off->memory.arena_bytes);
  echo_json_field_u64(&json, "temp_bytes_on", on->memory.arena_bytes);
  echo_json_field_u64(&json, "measured_bytes_off", off->training.measured_peak_bytes);
  echo_json_field_u64(&json, "measured_bytes_on", on->training.measured_peak_bytes);
  echo_json_field_u64(&json, "process_bytes_off", off->training.process_peak_bytes);
  echo_json_field_u64(&json, "process_bytes_on", on->training.process_peak_bytes);
  echo_json_field_f64(&json, "step_s_off", off->training.step_s);
  echo_json_field_f64(&json, "step_s_on", on->training.step_s);
  EchoBuffer library = {0};
  echo_executable_library(on->program.executable, &library);
  echo_json_field_string(&json, "library", echo_buffer_str(&library));
  echo_buffer_destroy(&library);
  echo_json_field_bool(&json, "bit_identical", demo->bit_identical);
  echo_json_field_f64(&json, "exact_match", demo->exact_match);
  echo_json_field_i64(&json, "steps", demo->trained_steps);
  echo_json_key(&json, "losses");
  echo_json_begin_array(&json);
  for (size_t i = 0; i < on->training.losses.size; i++)
    echo_json_f64(&json, (double)on->training.losses.data[i]);
  echo_json_end_array(&json);
  echo_json_end_object(&json);
  echo_buffer_append_char(&text, '\n');
  bool ok = echo_file_write(demo->run.options->json, text.data, text.size, &error);
  if (!ok)
    fprintf(stderr, "nmt: error: %s\n", echo_buffer_c_str(&error));
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&error);
  return ok;
}

static bool check(bool holds, const char *what)
{
  if (!holds)
    fprintf(stderr, "nmt: failed: %s\n", what);
  return holds;
}

static bool run_demo(Demo *demo)
{
  const NmtOptions *options = demo->run.options;
  EchoBuffer translations = {0};
  printf(
      "English numerals to German: %zu training pairs, %zu unseen ones for testing; Echo with %s\n",
      demo->run.task.train.pairs.size, demo->run.task.valid.pairs.size, demo_echo(options));
  bool ok = train_side(demo, &demo->off, "without Echo", NULL);
  if (ok) { /* one at a time, so that the process's own peak is that of one */
    nmt_state_destroy(&demo->off.state);
    ok = train_side(demo, &demo->on, "with Echo", demo_echo(options));
  }
  if (!ok)
    return false;
  compare_sides(demo);
  ok = train_on(demo, &translations);
  if (ok)
    show_translations(demo, &translations);
  echo_buffer_destroy(&translations);
  ok = ok && write_stages(demo) && write_ptx(demo) && write_report(demo);
  if (ok)
    printf("\nIR of every stage, PTX and report.html: %s\n", options->demo_dir);
  ok = ok && (options->json == NULL || write_json(demo));
  bool held = check(demo->bit_identical, "training with Echo is not bit-identical");
  held &= check(demo->exact_match >= WANTED_EXACT, "too few unseen numerals come out right");
  held &= check(demo->on.memory.peak_bytes <= demo->off.memory.peak_bytes, "Echo raised the peak");
  for (int side = 0; side < 2; side++) {
    const Side *s = side == 0 ? &demo->off : &demo->on;
    held &= check(s->memory.peak_bytes == s->training.measured_peak_bytes,
                  "the measured peak is not the planned one");
  }
  return ok && held;
}

int nmt_demo(const NmtOptions *options)
{
  Demo demo = {0};
  if (!nmt_run_create(&demo.run, options))
    return EXIT_FAILURE;
  bool ok = run_demo(&demo);
  destroy_side(&demo.off);
  destroy_side(&demo.on);
  nmt_run_destroy(&demo.run);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
