/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --check: every section of a file (between lines "// -----"), in it `main`, or else every public
 * function that takes nothing; each is compiled and run by itself. */
#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "dialects/interfaces/denormals.h"
#include "ir/attributes/element.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tools/common/entry.h"
#include "tools/echo-run/check.h"
#include "tools/echo-run/run.h"

typedef enum Verdict { PASSED, FAILED, REFUSED } Verdict;
static const char *const VERDICTS[] = {"passed", "failed", "refused"};

typedef struct CheckRun {
  const Settings *settings;
  EchoStr section; /* text, behind as many line ends as stand before it in the file */
  size_t line;     /* where the section begins */
  EchoJsonWriter json;
  EchoBuffer text; /* of the JSON */
  size_t n[3];     /* by verdict */
} CheckRun;

/* ---- one function ---- */

/* Complex numbers are compared, and counted, by their parts. */
static void say_difference(Run *run, const Check *check, const EchoTensor *actual,
                           const EchoTensor *expected, int64_t at)
{
  const EchoType *type = actual->type->as.shaped.element;
  size_t offset = (size_t)at * echo_type_element_bytes(actual->type);
  const char *a = (const char *)actual->data + offset, *b = (const char *)expected->data + offset;
  if (type->kind == ECHO_TYPE_FLOAT)
    echo_error(run->ctx, check->loc, "element %lld is %.17g, expected %.17g", (long long)at,
               echo_element_load_f64(type, a), echo_element_load_f64(type, b));
  else
    echo_error(run->ctx, check->loc, "element %lld is %lld, expected %lld", (long long)at,
               (long long)echo_element_load_i64(type, a),
               (long long)echo_element_load_i64(type, b));
}

static bool holds(Run *run, const Check *check)
{
  EchoTensor *actual = machine_read_result_or_null(run->machine, check->actual);
  EchoTensor *expected = check->value != NULL
                             ? echo_tensor_from_elements(check->value)
                             : machine_read_result_or_null(run->machine, check->expected);
  bool is_read = actual != NULL && expected != NULL;
  int64_t at = is_read ? check_first_difference(check, actual, expected) : -1;
  if (at >= 0)
    say_difference(run, check, actual, expected, at);
  echo_tensor_destroy(actual);
  echo_tensor_destroy(expected);
  return is_read && at < 0;
}

static void release(Run *run)
{
  machine_destroy(run->machine);
  echo_executable_destroy(run->executable);
  echo_device_destroy(run->device);
  echo_vector_destroy(&run->outcome.losses.results);
  echo_vector_destroy(&run->outcome.losses.values);
  echo_pass_registry_destroy(run->passes);
  echo_context_destroy(run->ctx);
  echo_replay_destroy(&run->replay);
  echo_arena_destroy(&run->arena);
}

static void create(Run *run, const CheckRun *all)
{
  *run = (Run){.settings = all->settings, .loss = -1};
  run->ctx = echo_plugins_create_context(&all->settings->plugins);
  echo_context_set_n_threads(run->ctx, (unsigned)all->settings->n_threads);
  run->passes = echo_plugins_create_registry(&all->settings->plugins);
  run->module = echo_parse_text_or_null(run->ctx, echo_str(all->settings->file), all->section);
  run->replay.source = echo_context_buffer_text(run->ctx, 0);
  if (run->module == NULL)
    return;
  if (all->settings->plugins.denormals == NULL) /* StableHLO's own interpreter has them */
    echo_module_keep_denormals(run->module, true);
  echo_plugins_mark(&all->settings->plugins, run->module);
}

static bool open_device(Run *run)
{
  EchoBuffer error = {0};
  run->device = echo_device_create_named_or_null(run->settings->device,
                                                 (unsigned)run->settings->n_threads, &error);
  if (run->device == NULL)
    echo_error(run->ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return run->device != NULL;
}

/* Compiled and run; results are in the machine. Types are those that the compiler made of them. */
static bool execute(Run *run)
{
  bool interprets = strcmp(run->settings->device, "interpreter") == 0;
  if (echo_op_body(echo_module_main_or_null(run->module), 0)->n_args != 0)
    return echo_op_error(echo_module_main_or_null(run->module),
                         "takes arguments: nobody checks it");
  if (!interprets && !open_device(run))
    return false;
  if (!run_compile(run) || !signature_read(run->module, &run->arena, &run->signature))
    return false;
  run->machine = interprets ? machine_create_interpreter(run->ctx, run->module, &run->signature)
                            : machine_create_device_or_null(run->ctx, run->device, run->executable,
                                                            &run->signature);
  return run->machine != NULL && machine_step(run->machine);
}

static Verdict check_entry(const CheckRun *all, const char *name, size_t *n_checks)
{
  Run run;
  CheckList checks = {0};
  create(&run, all);
  bool runs = run.module != NULL && echo_verify(run.module) && entry_choose(run.module, name) &&
              echo_module_main_or_null(run.module) != NULL &&
              check_lift(echo_module_main_or_null(run.module), &checks) && execute(&run);
  bool ok = runs;
  for (size_t i = 0; runs && i < checks.size; i++)
    ok &= holds(&run, &checks.data[i]);
  *n_checks = checks.size;
  echo_context_flush_diagnostics(run.ctx);
  echo_vector_destroy(&checks);
  release(&run);
  return !runs ? REFUSED : ok ? PASSED : FAILED;
}

static void tell(CheckRun *all, EchoStr name, size_t n_checks, Verdict verdict)
{
  all->n[verdict]++;
  echo_json_begin_object(&all->json);
  echo_json_field_string(&all->json, "function", name);
  echo_json_field_u64(&all->json, "section_line", all->line);
  echo_json_field_u64(&all->json, "checks", n_checks);
  echo_json_field_string(&all->json, "outcome", echo_str(VERDICTS[verdict]));
  echo_json_end_object(&all->json);
  if (verdict != PASSED && !all->settings->quiet)
    printf("%s:%zu: @%.*s: %s\n", all->settings->file, all->line, ECHO_STR_ARG(name),
           VERDICTS[verdict]);
}

static void check_function(CheckRun *all, EchoStr name)
{
  EchoBuffer text = {0};
  echo_buffer_append_str(&text, name);
  size_t n_checks;
  Verdict verdict = check_entry(all, echo_buffer_c_str(&text), &n_checks);
  tell(all, name, n_checks, verdict);
  echo_buffer_destroy(&text);
}

/* ---- sections ---- */

/* The names of what is run in a section, in order; false where it cannot be read. */
static bool find_functions(const CheckRun *all, EchoBuffer *names)
{
  Run run;
  create(&run, all);
  bool ok = run.module != NULL;
  const EchoOp *main = ok ? echo_module_main_or_null(run.module) : NULL;
  for (const EchoOp *op = ok ? echo_op_body(run.module, 0)->first : NULL; op != NULL; op = op->next)
    if (op == main || (main == NULL && entry_is_public(op) && echo_op_body(op, 0)->n_args == 0)) {
      echo_buffer_append_str(names, echo_op_attr_string(op, "sym_name"));
      echo_buffer_append_char(names, '\0');
    }
  echo_context_flush_diagnostics(run.ctx);
  release(&run);
  return ok;
}

static void check_section(CheckRun *all)
{
  EchoBuffer names = {0};
  if (!find_functions(all, &names))
    tell(all, (EchoStr){0}, 0, REFUSED);
  for (size_t i = 0; i < names.size; i += strlen(names.data + i) + 1)
    check_function(all, echo_str(names.data + i));
  echo_buffer_destroy(&names);
}

/* The first line "// -----" from `at` on, or the end of the text. */
static size_t section_end(EchoStr text, size_t at)
{
  static const char mark[] = "// -----";
  while (at < text.size) {
    if (text.size - at >= sizeof mark - 1 && memcmp(text.data + at, mark, sizeof mark - 1) == 0)
      return at;
    const char *end = memchr(text.data + at, '\n', text.size - at);
    at = end == NULL ? text.size : (size_t)(end - text.data) + 1;
  }
  return at;
}

static void check_sections(CheckRun *all, EchoStr text)
{
  size_t line = 1;
  for (size_t begin = 0; begin < text.size;) {
    size_t end = section_end(text, begin);
    EchoBuffer padded = {0};
    for (size_t i = 1; i < line; i++)
      echo_buffer_append_char(&padded, '\n');
    echo_buffer_append(&padded, text.data + begin, end - begin);
    echo_buffer_c_str(&padded);
    all->section = echo_buffer_str(&padded);
    all->line = line;
    check_section(all);
    echo_buffer_destroy(&padded);
    const char *newline = end < text.size ? memchr(text.data + end, '\n', text.size - end) : NULL;
    size_t next = newline == NULL ? text.size : (size_t)(newline - text.data) + 1;
    for (size_t i = begin; i < next; i++)
      line += text.data[i] == '\n';
    begin = next;
  }
}

bool run_checks(const Settings *settings, EchoBuffer *error)
{
  EchoFile file;
  if (!echo_file_read(settings->file, &file, error))
    return false;
  CheckRun all = {.settings = settings};
  all.json = echo_json_writer(&all.text);
  echo_json_begin_array(&all.json);
  check_sections(&all, (EchoStr){file.data, file.size});
  echo_json_end_array(&all.json);
  echo_file_close(&file);
  bool ok = all.n[FAILED] == 0 && all.n[REFUSED] == 0;
  if (!settings->quiet)
    printf("%s: %zu passed, %zu failed, %zu refused\n", settings->file, all.n[PASSED],
           all.n[FAILED], all.n[REFUSED]);
  if (settings->json != NULL &&
      !echo_file_write(settings->json, echo_buffer_c_str(&all.text), all.text.size, error))
    ok = false;
  echo_buffer_destroy(&all.text);
  return ok;
}
