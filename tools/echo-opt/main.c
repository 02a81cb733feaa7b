/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-opt: reads a module, runs passes, prints it; with mlir-opt's manners and option names. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "dialects/dialects.h"
#include "dialects/stablehlo/vhlo/vhlo.h"
#include "ir/bytecode/bytecode.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/driver/pipeline.h"
#include "tools/common/plugins.h"
#include "tools/common/progress.h"
#include "tools/common/report.h"
#include "tools/echo-opt/expected.h"

typedef struct Settings {
  EchoPassRegistry *registry;
  const char *output, *pipeline, *stage, *split_marker, *verify_diagnostics, *reproducer, *tree_dir,
      *target_version;
  EchoStringList passes; /* from flags, in order: "cse", "canonicalize{…}" */
  EchoStringList print_before, print_after;
  EchoPlugins plugins;
  bool split, expect_diagnostics, allow_unregistered, verify_each, verify_roundtrip, generic,
      debug_info, local_scope, emit_bytecode, run_reproducer, show_dialects, dump_pipeline,
      no_output, timing, show_ops, disable_threading;
  int64_t elide_above, break_on_op;
  EchoPassManagerOptions manager;
  EchoCompileOptions compile; /* for --to */
  EchoVhloVersion artifact;   /* of target_version */
} Settings;

static bool take_pass_flag(void *user, const char *name, const char *value)
{
  Settings *settings = user;
  EchoStr key = echo_str(name);
  if (echo_pass_registry_get_or_null(settings->registry, key) == NULL &&
      !echo_pass_registry_has_alias(settings->registry, key))
    return false;
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, name);
  if (value != NULL && value[0] != '\0')
    echo_buffer_printf(&text, value[0] == '{' ? "%s" : "{%s}", value);
  echo_vector_push(&settings->passes, text.data); /* lives as long as the process */
  return true;
}

static void append_passes(void *user, EchoBuffer *help)
{
  const Settings *settings = user;
  echo_buffer_append_c(help,
                       "\npasses, in the order given (--NAME or --NAME=\"option=value …\"):\n");
  for (size_t i = 0; i < echo_pass_registry_size(settings->registry); i++) {
    const EchoPass *pass = echo_pass_registry_at(settings->registry, i);
    echo_buffer_printf(help, "  --%-34s %s\n", pass->name, pass->summary);
    for (size_t k = 0; pass->options != NULL && pass->options[k].name != NULL; k++)
      echo_buffer_printf(help, "      %-32s %s (default: %s)\n", pass->options[k].name,
                         pass->options[k].summary, pass->options[k].default_value);
  }
}

static EchoContext *create_context(const Settings *settings)
{
  EchoContext *ctx = echo_plugins_create_planner(&settings->plugins);
  echo_context_allow_unregistered(ctx, settings->allow_unregistered);
  echo_context_set_n_threads(ctx, settings->disable_threading ? 1 : 0);
  if (settings->break_on_op >= 0)
    echo_context_break_on_op(ctx, (uint32_t)settings->break_on_op);
  return ctx;
}

static EchoPrintOptions print_options(const Settings *settings)
{
  return (EchoPrintOptions){.generic = settings->generic,
                            .debug_info = settings->debug_info,
                            .local_scope = settings->local_scope,
                            .elide_elements_above = (uint64_t)settings->elide_above};
}

/* --verify-roundtrip: what we print, generic and pretty, is read back as the same module. */
static bool check_roundtrip(const Settings *settings, EchoOp *module)
{
  bool ok = true;
  for (int generic = 0; generic < 2 && ok; generic++) {
    EchoPrintOptions options = {.generic = generic != 0, .debug_info = true};
    EchoBuffer first = {0}, second = {0};
    echo_print_op(module, &options, &first);
    EchoContext *other = create_context(settings);
    EchoOp *again = echo_parse_text_or_null(other, ECHO_STR("roundtrip"), echo_buffer_str(&first));
    if (again != NULL)
      echo_print_op(again, &options, &second);
    ok = again != NULL && echo_str_equal(echo_buffer_str(&first), echo_buffer_str(&second));
    if (!ok)
      echo_op_error(module, "does not round-trip through its %s text",
                    generic != 0 ? "generic" : "pretty");
    echo_context_destroy(other);
    echo_buffer_destroy(&first);
    echo_buffer_destroy(&second);
  }
  return ok;
}

/* The pipeline text in the resource section of a reproducer; empty when there is none. */
static EchoStr reproducer_pipeline(EchoStr source)
{
  static const char key[] = "pipeline: \"";
  const char *end = source.data + source.size;
  const char *section =
      NULL; /* the last one: its mark may stand in comments and strings before it */
  for (const char *at = source.data; at < end; at++) {
    at = memmem(at, (size_t)(end - at), "{-#", 3);
    if (at == NULL)
      break;
    section = at;
  }
  if (section != NULL)
    section =
        memmem(section, (size_t)(end - section), "mlir_reproducer", strlen("mlir_reproducer"));
  const char *begin =
      section != NULL ? memmem(section, (size_t)(end - section), key, sizeof key - 1) : NULL;
  if (begin == NULL)
    return (EchoStr){0};
  begin += sizeof key - 1;
  const char *close = memchr(begin, '"', (size_t)(end - begin));
  return close != NULL ? (EchoStr){begin, (size_t)(close - begin)} : (EchoStr){0};
}

static bool add_passes(const Settings *settings, EchoPassManager *manager, const EchoOp *module,
                       EchoStr source)
{
  if (settings->run_reproducer) {
    EchoStr pipeline = reproducer_pipeline(source);
    if (pipeline.size == 0)
      return echo_op_error(module, "the input carries no reproducer");
    return echo_pass_manager_add_pipeline(manager, pipeline);
  }
  if (settings->pipeline != NULL &&
      !echo_pass_manager_add_pipeline(manager, echo_str(settings->pipeline)))
    return false;
  for (size_t i = 0; i < settings->passes.size; i++)
    if (!echo_pass_manager_add_pass(manager, echo_str(settings->passes.data[i])))
      return false;
  if (settings->stage == NULL)
    return true;
  EchoStage stage;
  if (!echo_stage_from_name(echo_str(settings->stage), &stage))
    return echo_op_error(module, "--to: '%s' is no stage", settings->stage);
  return echo_pipeline_check_passes(module, stage, &settings->compile) &&
         echo_pipeline_add_stages(manager, module, stage, &settings->compile);
}

static bool run_passes(const Settings *settings, EchoPassManager *manager, EchoOp *module,
                       EchoStr source)
{
  EchoContext *ctx = echo_op_context(module);
  bool ok = add_passes(settings, manager, module, source);
  if (ok && settings->dump_pipeline) {
    EchoBuffer text = {0};
    echo_pass_manager_print_pipeline(manager, &text);
    fprintf(stderr, "Pass Manager with its pipeline:\n%s\n", echo_buffer_c_str(&text));
    echo_buffer_destroy(&text);
  }
  ok = ok && echo_pass_manager_run(manager, module);
  echo_context_flush_diagnostics(ctx);
  return ok;
}

/* Where the printed modules go: together to `text`, or, of a whole file, at once to the output. */
typedef struct Output {
  EchoBuffer text, error;
  EchoFileWriter *writer; /* NULL = to `text` */
} Output;

static bool take_piece(void *user, EchoStr piece)
{
  Output *out = user;
  return echo_file_writer_append(out->writer, piece.data, piece.size, &out->error);
}

/* Standard output is written to when nothing can go wrong any more but the writing. Behind a whole
 * file stands an empty line, as mlir-opt has it; not behind a local scope. */
static bool print_module(const Settings *settings, EchoOp *module, Output *out)
{
  if (settings->emit_bytecode) {
    EchoBuffer bytes = {0};
    bool ok = settings->target_version != NULL
                  ? echo_write_portable_artifact(module, settings->artifact, &bytes)
                  : echo_write_bytecode(module, &bytes);
    echo_buffer_append(&out->text, bytes.data, ok ? bytes.size : 0);
    echo_buffer_destroy(&bytes);
    echo_context_flush_diagnostics(echo_op_context(module));
    return ok;
  }
  EchoPrintOptions options = print_options(settings);
  EchoStr end = options.local_scope ? ECHO_STR("") : ECHO_STR("\n");
  if (out->writer != NULL)
    return echo_print_op_to(module, &options, take_piece, out) && take_piece(out, end);
  echo_print_op(module, &options, &out->text);
  echo_buffer_append_str(&out->text, end);
  return true;
}

static uint64_t now_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Parses, verifies, runs the passes and prints. */
static bool process(const Settings *settings, EchoContext *ctx, uint32_t buffer, EchoStr text,
                    Output *out)
{
  uint64_t begin_ns = now_ns();
  echo_progress_show("reading");
  EchoOp *module = echo_parse_module_or_null(ctx, buffer);
  echo_progress_clear();
  bool ok = module != NULL && echo_verify(module);
  echo_context_flush_diagnostics(ctx);
  if (ok)
    echo_plugins_mark(&settings->plugins, module);
  if (!ok || (settings->verify_roundtrip && !check_roundtrip(settings, module)))
    return false;
  uint64_t parse_ns = now_ns() - begin_ns, output_ns = 0;
  EchoPassManagerOptions options = settings->manager;
  EchoReplay replay = {.source = text};
  const EchoPassWatcher watcher = echo_report_watcher(&replay);
  options.reproducer_source = text;
  options.watcher = &watcher;
  EchoPassManager *manager = echo_pass_manager_create(ctx, settings->registry, &options);
  ok = run_passes(settings, manager, module, text);
  if (ok && !settings->no_output) {
    begin_ns = now_ns();
    ok = print_module(settings, module, out);
    output_ns = now_ns() - begin_ns;
  }
  if (settings->timing)
    echo_pass_manager_print_timing(manager, parse_ns, output_ns);
  echo_pass_manager_destroy(manager);
  echo_replay_destroy(&replay);
  return ok;
}

/* One chunk of the input through everything. `whole_file` is what the text is all of, and goes to
 * the context; NULL when it is a part. */
static bool process_chunk(const Settings *settings, EchoStr file, EchoFile *whole_file,
                          EchoStr text, uint32_t first_line, Output *out)
{
  EchoContext *ctx = create_context(settings);
  echo_context_show_ops(ctx, settings->show_ops && !settings->expect_diagnostics);
  if (whole_file != NULL)
    echo_context_take_file(ctx, whole_file);
  if (text.data[text.size] !=
      '\0') /* the lexer wants a NUL at the end; the next chunk stands there */
    text.data = echo_arena_copy_string(echo_context_arena(ctx), text.data, text.size);
  EchoExpectations *expectations = NULL;
  EchoBuffer report = {0};
  if (settings->expect_diagnostics) {
    expectations = echo_expectations_create(text, first_line, &report);
    echo_context_set_diagnostic_handler(ctx, echo_expectations_receive, expectations);
  }
  bool ok = process(settings, ctx, echo_context_add_buffer(ctx, file, text, first_line), text, out);
  echo_context_flush_diagnostics(ctx);
  if (expectations != NULL) {
    ok = echo_expectations_check(expectations, file.data, &report) && report.size == 0;
    fputs(echo_buffer_c_str(&report), stderr);
    echo_expectations_destroy(expectations);
  }
  echo_buffer_destroy(&report);
  echo_context_destroy(ctx);
  return ok;
}

/* Where the marker stands next, or the end. */
static const char *find_marker(const char *at, const char *end, const char *marker)
{
  const char *found = memmem(at, (size_t)(end - at), marker, strlen(marker));
  return found != NULL ? found : end;
}

static uint32_t count_lines(const char *begin, const char *end)
{
  uint32_t n = 0;
  while ((begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL) {
    n++;
    begin++;
  }
  return n;
}

static bool process_split(const Settings *settings, EchoStr file, EchoStr text, Output *out)
{
  const char *marker = settings->split_marker[0] != '\0' ? settings->split_marker : "// -----";
  const char *at = text.data, *end = text.data + text.size;
  uint32_t line = 1;
  bool ok = true;
  for (bool first = true;; first = false) {
    const char *stop = find_marker(at, end, marker);
    if (!first)
      echo_buffer_append_c(&out->text, "// -----\n");
    ok &= process_chunk(settings, file, NULL, (EchoStr){at, (size_t)(stop - at)}, line, out);
    if (stop == end)
      return ok;
    line += count_lines(at, stop);
    at = stop + strlen(marker);
  }
}

static void print_dialects(const Settings *settings)
{
  EchoContext *ctx = create_context(settings);
  printf("Available Dialects: ");
  for (size_t i = 0; i < echo_context_n_dialects(ctx); i++)
    printf("%s%s", i != 0 ? "," : "", echo_context_dialect(ctx, i)->name);
  printf("\n");
  echo_context_destroy(ctx);
}

static bool process_whole(const Settings *settings, EchoStr name, EchoFile *file, Output *out)
{
  EchoStr text = {file->data, file->size};
  return process_chunk(settings, name, file, text, 1, out);
}

/* Reads, processes, writes. What goes wrong with files is left in out->error. */
static bool run_on(const Settings *settings, const char *path, EchoFile *file, Output *out)
{
  EchoStr name = echo_str(strcmp(path, "-") == 0 ? "<stdin>" : path);
  EchoFileWriter writer;
  if (!echo_file_read(path, file, &out->error) ||
      !echo_file_writer_open(&writer, settings->output != NULL ? settings->output : "-",
                             &out->error))
    return false;
  bool ok;
  /* What may yet turn out to be wrong is not shown before it is through. */
  if (!settings->split && !settings->expect_diagnostics)
    out->writer = &writer;
  ok = settings->split ? process_split(settings, name, (EchoStr){file->data, file->size}, out)
                       : process_whole(settings, name, file, out);
  ok = ok && echo_file_writer_append(&writer, out->text.data, out->text.size, &out->error);
  if (ok)
    return echo_file_writer_commit(&writer, &out->error);
  echo_file_writer_abort(&writer);
  return false;
}

static bool run(const Settings *settings, const char *path)
{
  EchoFile file = {0};
  Output out = {0};
  bool ok = run_on(settings, path, &file, &out);
  if (out.error.size != 0)
    fprintf(stderr, "echo-opt: error: %s\n", echo_buffer_c_str(&out.error));
  echo_buffer_destroy(&out.text);
  echo_buffer_destroy(&out.error);
  echo_file_close(&file);
  return ok;
}

/* With --to, "--echo[=options]" belongs to the pipeline and is no pass to be run on its own. */
static void take_echo_options(Settings *settings)
{
  size_t n_kept = 0;
  for (size_t i = 0; i < settings->passes.size; i++) {
    const char *pass = settings->passes.data[i];
    EchoStr name = {pass, strcspn(pass, "{")};
    if (!echo_str_is(name, "echo")) {
      settings->passes.data[n_kept++] = pass;
      continue;
    }
    EchoBuffer options = {0}; /* lives as long as the process */
    if (pass[name.size] == '{')
      echo_buffer_append(&options, pass + name.size + 1, strlen(pass) - name.size - 2);
    settings->compile.echo = echo_buffer_c_str(&options);
  }
  settings->passes.size = n_kept;
  if (settings->compile.echo == NULL && strcmp(settings->stage, "echoed") == 0)
    settings->compile.echo = "";
}

/* Every pass that a list asks to see is one that there is. */
static bool check_pass_names(const Settings *settings, const char *option,
                             const EchoStringList *names)
{
  for (size_t i = 0; i < names->size; i++)
    if (echo_pass_registry_get_or_null(settings->registry, echo_str(names->data[i])) == NULL) {
      fprintf(stderr, "echo-opt: error: --%s: there is no pass '%s'\n", option, names->data[i]);
      return false;
    }
  return true;
}

static void finish_settings(Settings *settings)
{
  if (settings->stage != NULL)
    take_echo_options(settings);
  settings->split = settings->split_marker != NULL;
  settings->expect_diagnostics = settings->verify_diagnostics != NULL;
  EchoPassManagerOptions *manager = &settings->manager;
  manager->verify_each = settings->verify_each;
  manager->reproducer_path = settings->reproducer;
  manager->print_tree_dir = settings->tree_dir;
  manager->print = echo_report_print;
  manager->print_generic = settings->generic;
  manager->print_debug_info = settings->debug_info;
  echo_vector_push(&settings->print_before, NULL);
  echo_vector_push(&settings->print_after, NULL);
  manager->print_before = settings->print_before.size > 1 ? settings->print_before.data : NULL;
  manager->print_after = settings->print_after.size > 1 ? settings->print_after.data : NULL;
}

static EchoParseOutcome parse(Settings *settings, int argc, char **argv, EchoStringList *positional)
{
  EchoPassManagerOptions *manager = &settings->manager;
  const EchoOption options[] = {
      {"o", ECHO_OPTION_STRING, &settings->output, "FILE", "output (default: standard output)"},
      {"pass-pipeline", ECHO_OPTION_STRING, &settings->pipeline, "TEXT",
       "passes to run: builtin.module(func.func(cse),dce)"},
      {"to", ECHO_OPTION_STRING, &settings->stage, "STAGE",
       "run the compiler up to a stage: tensor, step, echoed, scheduled, kernels, planned, loops"},
      {"target", ECHO_OPTION_STRING, &settings->compile.target, "NAME",
       "with --to: what the program is for: cpu, or a GPU from sm_75 to sm_90"},
      {"device-model", ECHO_OPTION_STRING, &settings->compile.device, "NAME|FILE",
       "with --to: device that times are predicted for; else the target's"},
      {"cublaslt", ECHO_OPTION_FLAG, &settings->compile.cublaslt, NULL,
       "with --to: a GPU's contractions stand alone, so that cuBLASLt may make them"},
      {"cudnn", ECHO_OPTION_FLAG, &settings->compile.cudnn, NULL,
       "with --to: a GPU's convolutions stand alone, so that cuDNN may make them"},
      {"split-input-file", ECHO_OPTION_OPTIONAL, &settings->split_marker, "MARKER",
       "process each part between '// -----' lines by itself"},
      {"verify-diagnostics", ECHO_OPTION_OPTIONAL, &settings->verify_diagnostics, "all",
       "check diagnostics against expected-* comments"},
      {"allow-unregistered-dialect", ECHO_OPTION_FLAG, &settings->allow_unregistered, NULL,
       "keep ops of unknown dialects"},
      {"verify-each", ECHO_OPTION_FLAG, &settings->verify_each, NULL,
       "verify after each pass (default: true)"},
      {"verify-roundtrip", ECHO_OPTION_FLAG, &settings->verify_roundtrip, NULL,
       "check that the printed module is read back the same"},
      {"emit-bytecode", ECHO_OPTION_FLAG, &settings->emit_bytecode, NULL,
       "write bytecode instead of text"},
      {"target-version", ECHO_OPTION_STRING, &settings->target_version, "VERSION",
       "with --emit-bytecode: a portable artifact for StableHLO of that version, from 0.9.0 on"},
      {"mlir-print-op-generic", ECHO_OPTION_FLAG, &settings->generic, NULL,
       "print the generic form"},
      {"mlir-print-debuginfo", ECHO_OPTION_FLAG, &settings->debug_info, NULL, "print locations"},
      {"mlir-print-local-scope", ECHO_OPTION_FLAG, &settings->local_scope, NULL,
       "print without aliases"},
      {"mlir-elide-elementsattrs-if-larger", ECHO_OPTION_I64, &settings->elide_above, "N",
       "leave out dense data of more than N elements"},
      {"mlir-print-ir-before", ECHO_OPTION_LIST, &settings->print_before, "PASSES",
       "print the IR before these passes"},
      {"mlir-print-ir-after", ECHO_OPTION_LIST, &settings->print_after, "PASSES",
       "print the IR after these passes"},
      {"mlir-print-ir-before-all", ECHO_OPTION_FLAG, &manager->print_before_all, NULL,
       "print the IR before each pass"},
      {"mlir-print-ir-after-all", ECHO_OPTION_FLAG, &manager->print_after_all, NULL,
       "print the IR after each pass"},
      {"mlir-print-ir-after-change", ECHO_OPTION_FLAG, &manager->print_after_change, NULL,
       "print the IR after a pass only when it changed"},
      {"mlir-print-ir-after-failure", ECHO_OPTION_FLAG, &manager->print_after_failure, NULL,
       "print the IR after a pass that failed"},
      {"mlir-print-ir-module-scope", ECHO_OPTION_FLAG, &manager->print_module_scope, NULL,
       "print the whole module even for a nested pass"},
      {"mlir-print-ir-tree-dir", ECHO_OPTION_STRING, &settings->tree_dir, "DIR",
       "write the printed IR to files below DIR"},
      {"mlir-timing", ECHO_OPTION_FLAG, &settings->timing, NULL, "show the time of each pass"},
      {"mlir-print-op-on-diagnostic", ECHO_OPTION_FLAG, &settings->show_ops, NULL,
       "attach the op to what is said about it (default: true)"},
      {"break-on-op", ECHO_OPTION_I64, &settings->break_on_op, "ID",
       "raise SIGTRAP when the op that echo_op_dump calls ID is created"},
      {"mlir-disable-threading", ECHO_OPTION_FLAG, &settings->disable_threading, NULL,
       "passes run on one thread"},
      {"mlir-pass-statistics", ECHO_OPTION_FLAG, &manager->statistics, NULL,
       "show the counters of each pass"},
      {"mlir-pass-pipeline-crash-reproducer", ECHO_OPTION_STRING, &settings->reproducer, "FILE",
       "what replays a failing run goes there (a crash: without it too)"},
      {"run-reproducer", ECHO_OPTION_FLAG, &settings->run_reproducer, NULL,
       "run the pipeline that the input carries"},
      ECHO_PLUGIN_OPTIONS(&settings->plugins),
      {"show-dialects", ECHO_OPTION_FLAG, &settings->show_dialects, NULL, "list the dialects"},
      {"dump-pass-pipeline", ECHO_OPTION_FLAG, &settings->dump_pipeline, NULL,
       "print the pipeline that will run"},
      {"no-output", ECHO_OPTION_FLAG, &settings->no_output, NULL, "print no module (for timing)"},
      {0}};
  const EchoCommandLine line = {.tool = "echo-opt",
                                .synopsis = "[options] [FILE]",
                                .summary = "run passes on a module and print it",
                                .options = options,
                                .other = take_pass_flag,
                                .more_help = append_passes,
                                .user = settings};
  return echo_report_command_line(&line, argc, argv, positional);
}

static bool check_target_version(Settings *settings)
{
  if (settings->target_version == NULL)
    return true;
  if (!settings->emit_bytecode) {
    fprintf(stderr, "echo-opt: error: --target-version wants --emit-bytecode\n");
    return false;
  }
  if (echo_vhlo_parse_version(settings->target_version, &settings->artifact))
    return true;
  fprintf(stderr,
          "echo-opt: error: --target-version: '%s' is no version of StableHLO from 0.9.0 to "
          "%d.%d\n",
          settings->target_version, ECHO_VHLO_NEWEST_MAJOR, ECHO_VHLO_NEWEST_MINOR);
  return false;
}

/* What the command line asks for beyond its form. */
static bool check_settings(Settings *settings)
{
  if (!check_pass_names(settings, "mlir-print-ir-before", &settings->print_before) ||
      !check_pass_names(settings, "mlir-print-ir-after", &settings->print_after))
    return false;
  if (settings->compile.target != NULL &&
      !echo_report_check_target("echo-opt", settings->compile.target))
    return false;
  if (!check_target_version(settings) ||
      !echo_plugins_take_passes(&settings->plugins, &settings->compile))
    return false;
  if (settings->plugins.passes.size != 0 && settings->stage == NULL) {
    fprintf(stderr, "echo-opt: error: --before wants --to=STAGE\n");
    return false;
  }
  return true;
}

int main(int argc, char **argv)
{
  static Settings settings = {.verify_each = true, .show_ops = true, .break_on_op = -1};
  if (!echo_plugins_load(&settings.plugins, "echo-opt", argc, argv))
    return EXIT_FAILURE;
  settings.registry = echo_plugins_create_registry(&settings.plugins);
  static EchoStringList positional; /* as long as the process, as what points into it */
  switch (parse(&settings, argc, argv, &positional)) {
  case ECHO_PARSE_EXIT:
    return EXIT_SUCCESS;
  case ECHO_PARSE_ERROR:
    return EXIT_FAILURE;
  case ECHO_PARSE_OK:
    break;
  }
  if (positional.size > 1) {
    fprintf(stderr, "echo-opt: error: more than one input file\n");
    return EXIT_FAILURE;
  }
  if (settings.show_dialects) {
    print_dialects(&settings);
    return EXIT_SUCCESS;
  }
  if (!check_settings(&settings))
    return EXIT_FAILURE;
  finish_settings(&settings);
  echo_report_install_handlers("echo-opt", settings.reproducer);
  return run(&settings, positional.size != 0 ? positional.data[0] : "-") ? EXIT_SUCCESS
                                                                         : EXIT_FAILURE;
}
