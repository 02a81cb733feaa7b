/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/fuzz/graph_fuzz/checks.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "dialects/interfaces/denormals.h"
#include "echo_pass/search_t.h"
#include "ir/verify/verifier.h"
#include "tests/fuzz/graph_fuzz/ops.h"

/* What a failure prints: set once the text is there. */
static const EchoBuffer *current_text;

ECHO_NORETURN void fail(const char *what, const EchoBuffer *details)
{
  fprintf(stderr, "---- %s\n%s---- in\n%s", what, details != NULL ? echo_buffer_c_str(details) : "",
          current_text != NULL ? echo_buffer_c_str(current_text) : "(no text yet)\n");
  abort();
}

const EchoBuffer *show_on_failure(const EchoBuffer *text)
{
  const EchoBuffer *last = current_text;
  current_text = text;
  return last;
}

static void print_panic(void *user, const char *file, int line, const char *message,
                        const void *subject)
{
  (void)user;
  fprintf(stderr, "%s:%d: %s\n", file, line, message);
  if (subject != NULL)
    echo_op_dump(subject);
  fail("panic", NULL);
}

/* Prints the module; what is printed, in either form, prints the same once read. */
static void print_and_reparse(const EchoOp *module, EchoBuffer *text)
{
  for (int generic = 1; generic >= 0; generic--) {
    EchoPrintOptions options = {.generic = generic != 0};
    EchoBuffer errors = {0}, again = {0};
    echo_buffer_clear(text);
    echo_print_op(module, &options, text);
    current_text = text;
    EchoContext *ctx = create_context(&errors);
    EchoOp *copy = echo_parse_text_or_null(ctx, ECHO_STR("printed"), echo_buffer_str(text));
    echo_context_flush_diagnostics(ctx);
    if (copy == NULL)
      fail("what was printed does not parse", &errors);
    echo_print_op(copy, &options, &again);
    if (!echo_str_equal(echo_buffer_str(text), echo_buffer_str(&again)))
      fail("printed again it differs", &again);
    echo_context_destroy(ctx);
    echo_buffer_destroy(&again);
    echo_buffer_destroy(&errors);
  }
}

void expect_same(const char *what, const Run *a, const Run *b, size_t first, size_t end)
{
  for (size_t i = first; i < end; i++) {
    int64_t where;
    if (same_bits(a->results[i], b->results[i], &where))
      continue;
    EchoBuffer details = {0};
    echo_buffer_printf(&details, "result %zu, element %lld: %a and %a\n", i, (long long)where,
                       echo_tensor_get_f64(a->results[i], where),
                       echo_tensor_get_f64(b->results[i], where));
    fail(what, &details);
  }
}

void run_or_fail(Run *run, EchoStr text, const Settings *settings)
{
  if (!run_step(run, text, settings))
    fail("does not compile or run", &run->errors);
  if (run->measured_bytes != run->planned_bytes) {
    echo_buffer_printf(&run->errors, "planned %llu, measured %llu bytes\n",
                       (unsigned long long)run->planned_bytes,
                       (unsigned long long)run->measured_bytes);
    fail("the peak is not as planned", &run->errors);
  }
}

static uint64_t planned_or_fail(EchoStr text, const Settings *settings)
{
  Run run;
  if (!run_to_stage(&run, text, ECHO_STAGE_PLANNED, settings))
    fail("has no plan", &run.errors);
  uint64_t bytes = run.planned_bytes;
  run_destroy(&run);
  return bytes;
}

/* What Echo names as the smallest budget when it is asked for the impossible. */
static uint64_t smallest_budget(EchoStr text, Settings settings)
{
  static const char words[] = "the smallest possible one is ";
  Run run;
  settings.echo = "budget=1";
  if (run_to_stage(&run, text, ECHO_STAGE_ECHOED, &settings))
    fail("a budget of one byte is met", NULL);
  const char *at = strstr(echo_buffer_c_str(&run.errors), words);
  if (at == NULL)
    fail("a budget of one byte is refused for another reason", &run.errors);
  uint64_t bytes = strtoull(at + strlen(words), NULL, 10);
  run_destroy(&run);
  return bytes;
}

void check_echo(Bytes *bytes, EchoStr step, const Run *off, Settings settings)
{
  static const char *const OPTIONS[] = {"overhead=100%", "budget=min", "", "policy=greedy"};
  char budget[64];
  uint32_t choice = draw(bytes, 6);
  uint64_t limit = off->planned_bytes;
  settings.echo = choice < 4 ? OPTIONS[choice] : budget;
  if (choice >= 4) {
    uint64_t least = smallest_budget(step, settings);
    limit = least < limit ? least + (limit - least) * draw(bytes, 9) / 8 : least;
    snprintf(budget, sizeof budget, "budget=%llu", (unsigned long long)limit);
  }
  Run on;
  run_or_fail(&on, step, &settings);
  expect_same("Echo changes bits", off, &on, 0, off->n_results);
  settings.echo = "budget=min";
  uint64_t least = planned_or_fail(step, &settings);
  if (on.planned_bytes > limit || on.planned_bytes > off->planned_bytes ||
      least > on.planned_bytes + on.planned_bytes / ECHO_LOWEST_SLACK) {
    echo_buffer_printf(&on.errors, "%s: %llu bytes; without %llu, lowest %llu, limit %llu\n",
                       choice < 4 ? OPTIONS[choice] : budget, (unsigned long long)on.planned_bytes,
                       (unsigned long long)off->planned_bytes, (unsigned long long)least,
                       (unsigned long long)limit);
    fail("a peak that must not be", &on.errors);
  }
  run_destroy(&on);
}

void check_every_op(EchoStr step, const Run *off, const Settings *settings)
{
  Run unused, run;
  EchoBuffer everything = {0}, error = {0};
  size_t n_compared = 0;
  if (!run_to_stage(&unused, step, ECHO_STAGE_STEP, settings))
    fail("does not parse", &unused.errors);
  return_everything(unused.ctx, unused.main);
  echo_print_op(unused.module, NULL, &everything);
  const EchoBuffer *last = show_on_failure(&everything);
  run_destroy(&unused);
  run_or_fail(&run, echo_buffer_str(&everything), settings);
  expect_same("more results change bits", off, &run, 0, off->n_results);
  if (!check_ops(echo_buffer_str(&everything), &run, &n_compared, &error))
    fail("an op computes something else than the interpreter", &error);
  show_on_failure(last);
  run_destroy(&run);
  echo_buffer_destroy(&everything);
  echo_buffer_destroy(&error);
}

/* At stage step; false where something has no gradient, which is an answer. */
static bool make_step(EchoStr text, const Settings *settings, EchoBuffer *step)
{
  Run run;
  bool ok = run_to_stage(&run, text, ECHO_STAGE_STEP, settings);
  if (ok)
    print_and_reparse(run.module, step);
  else if (strstr(echo_buffer_c_str(&run.errors), "has no gradient") == NULL)
    fail("does not become a step", &run.errors);
  run_destroy(&run);
  return ok;
}

/* Removed with all that is in it when the program ends; an abort leaves it. */
static char cache_dir[] = "/tmp/echo-graph-fuzz-XXXXXX";

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *place)
{
  (void)facts, (void)type, (void)place;
  return remove(path);
}

static void remove_cache(void)
{
  nftw(cache_dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *get_cache_dir_or_null(void)
{
  static const char *made;
  if (made == NULL && (made = mkdtemp(cache_dir)) != NULL)
    atexit(remove_cache);
  return made;
}

static bool computes_f64(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    for (uint32_t i = 0; i < op->n_results; i++)
      if (echo_type_element_kind(echo_op_result_type(op, i)) == ECHO_ELEMENT_F64)
        return true;
  return false;
}

void check_input(Generator *generator, const char *target, StepCheck *check)
{
  EchoBuffer errors = {0}, text = {0}, step = {0};
  echo_panic_set_handler(print_panic, NULL);
  current_text = NULL;
  generator->ctx = create_context(&errors);
  EchoOp *module = generate_module(generator);
  if (target != NULL && computes_f64(module)) /* a GPU takes no denormals of f64 for zeros */
    echo_module_keep_denormals(module, true);
  print_and_reparse(module, &text);
  if (!echo_verify(module)) {
    echo_context_flush_diagnostics(generator->ctx);
    fail("does not verify", &errors);
  }
  Settings settings = {.loss_number = generator->loss_number,
                       .target = target,
                       .n_threads = 1,
                       .cache_dir = get_cache_dir_or_null()};
  if (make_step(echo_buffer_str(&text), &settings, &step)) {
    current_text = &step;
    check(&generator->bytes, echo_buffer_str(&text), echo_buffer_str(&step), &settings);
  }
  current_text = NULL;
  echo_context_destroy(generator->ctx);
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&step);
  echo_buffer_destroy(&errors);
}
