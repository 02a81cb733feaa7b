/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fuzzes the compiler with valid random training steps. Of each it is checked that
 *   - it verifies, and goes through its text;
 *   - canonicalize, cse and dce leave its bits alone;
 *   - Echo leaves its bits alone, and so do other results and the number of threads;
 *   - every op computes what the interpreter computes from the same operands;
 *   - what is planned is what the device hands out, to the byte; Echo never takes more than no
 *     Echo, its lowest point never more than another, and a budget above it is met.
 *
 * A failure prints the module's text. With -DECHO_FUZZ_STANDALONE: a plain program that takes
 * SEED COUNT, or files. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/verify/verifier.h"
#include "lowering/lowering.h"
#include "tests/fuzz/graph_fuzz/generate.h"
#include "tests/fuzz/graph_fuzz/ops.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* What a failure prints: set once the text is there. */
static const EchoBuffer *current_text;

ECHO_NORETURN static void fail(const char *what, const EchoBuffer *details)
{
  fprintf(stderr, "---- %s\n%s---- in\n%s", what, details != NULL ? echo_buffer_c_str(details) : "",
          current_text != NULL ? echo_buffer_c_str(current_text) : "(no text yet)\n");
  abort();
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

/* ---- checks ---- */

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

/* Of results `first` and on, before `end`. */
static void expect_same(const char *what, const Run *a, const Run *b, size_t first, size_t end)
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

static void run_or_fail(Run *run, EchoStr text, const Settings *settings)
{
  if (!run_step(run, text, settings))
    fail("does not compile", &run->errors);
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

/* One setting of Echo: the same bits in no more memory. */
static void check_echo(Bytes *bytes, EchoStr step, const Run *off, Settings settings)
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
      least > on.planned_bytes) {
    echo_buffer_printf(&on.errors, "%s: %llu bytes; without %llu, lowest %llu, limit %llu\n",
                       choice < 4 ? OPTIONS[choice] : budget, (unsigned long long)on.planned_bytes,
                       (unsigned long long)off->planned_bytes, (unsigned long long)least,
                       (unsigned long long)limit);
    fail("a peak that must not be", &on.errors);
  }
  run_destroy(&on);
}

/* Every op against the interpreter, in a run that returns all values. */
static void check_every_op(EchoStr step, const Run *off, const Settings *settings)
{
  Run unused, run;
  EchoBuffer everything = {0}, error = {0};
  size_t n_compared = 0;
  if (!run_to_stage(&unused, step, ECHO_STAGE_STEP, settings))
    fail("does not parse", &unused.errors);
  return_everything(unused.ctx, unused.main);
  echo_print_op(unused.module, NULL, &everything);
  current_text = &everything;
  run_destroy(&unused);
  run_or_fail(&run, echo_buffer_str(&everything), settings);
  expect_same("more results change bits", off, &run, 0, off->n_results);
  if (!check_ops(echo_buffer_str(&everything), &run, &n_compared, &error))
    fail("an op computes something else than the interpreter", &error);
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

/* The step that `passes` and the rest of the way make of the text, run. */
static void run_behind(Run *run, const char *before, const char *behind, EchoStr text,
                       const Settings *settings)
{
  EchoBuffer step = {0}, pipeline = {0};
  Run made;
  echo_buffer_printf(&pipeline, "%sdifferentiate{loss=%zu}%s,isolate-regions,set-stage{stage=step}",
                     before, settings->loss_number, behind);
  if (!run_passes(&made, text, echo_buffer_c_str(&pipeline)))
    fail("is not differentiated without simplification", &made.errors);
  echo_print_op(made.module, NULL, &step);
  run_destroy(&made);
  const EchoBuffer *last = current_text;
  current_text = &step;
  run_or_fail(run, echo_buffer_str(&step), settings);
  current_text = last;
  echo_buffer_destroy(&step);
  echo_buffer_destroy(&pipeline);
}

/* Against the step as it is differentiated, neither folded nor shared nor cleaned up after
 * `simplified`; results from `first` on. */
static void check_without(const char *simplified, size_t first, EchoStr text, const Run *wanted,
                          const Settings *settings)
{
  Run run;
  run_behind(&run, simplified, "", text, settings);
  expect_same("canonicalize, cse or dce changes bits", wanted, &run, first, wanted->n_results);
  run_destroy(&run);
}

/* Two values that are one when simplified have their gradients added up in another order: what is
 * simplified before it is differentiated keeps the bits of the loss and of what comes after it,
 * not of updates, which come before it. Sums keep the order that the text has, without
 * --sink-transposes, which asks who else reads what is transposed. */
static void check_unsimplified(EchoStr text, const Settings *settings)
{
  Run simplified;
  run_behind(&simplified, "canonicalize,cse,",
             "," ECHO_STRAIGHTEN_PASSES ",chunk-rows,cse,dce,widen-sorts", text, settings);
  check_without("", settings->loss_number, text, &simplified, settings);
  check_without("canonicalize,cse,", 0, text, &simplified, settings);
  run_destroy(&simplified);
}

static void check_step(Bytes *bytes, EchoStr text, EchoStr step, size_t loss_number)
{
  Settings settings = {
      .loss_number = loss_number, .n_threads = 1, .cache_dir = get_cache_dir_or_null()};
  Run off;
  run_or_fail(&off, step, &settings);
  settings.n_threads = 2;
  check_echo(bytes, step, &off, settings);
  if (draw(bytes, 4) == 0)
    check_unsimplified(text, &settings);
  check_every_op(step, &off, &settings);
  run_destroy(&off);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  EchoBuffer errors = {0}, text = {0}, step = {0};
  Generator generator = {.bytes = {.data = data, .size = size}};
  echo_panic_set_handler(print_panic, NULL);
  current_text = NULL;
  generator.ctx = create_context(&errors);
  EchoOp *module = generate_module(&generator);
  print_and_reparse(module, &text);
  if (!echo_verify(module)) {
    echo_context_flush_diagnostics(generator.ctx);
    fail("does not verify", &errors);
  }
  Settings settings = {.loss_number = generator.loss_number};
  if (make_step(echo_buffer_str(&text), &settings, &step)) {
    current_text = &step;
    check_step(&generator.bytes, echo_buffer_str(&text), echo_buffer_str(&step),
               generator.loss_number);
  }
  current_text = NULL;
  echo_context_destroy(generator.ctx);
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&step);
  echo_buffer_destroy(&errors);
  return 0;
}

/* ---- inputs ---- */

static size_t fill(uint8_t *data, size_t max_size, uint64_t seed)
{
  size_t size = 20 + (size_t)(echo_hash_u64(seed) % 300);
  if (size > max_size)
    size = max_size;
  for (size_t i = 0; i < size; i++)
    data[i] = (uint8_t)echo_hash_u64(seed << 20 | (i + 1));
  return size;
}

#ifndef ECHO_FUZZ_STANDALONE
/* Every other input is a new one: most of the space is far from what was found so far. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  return seed % 2 == 0 || size < 8 ? fill(data, max_size, seed)
                                   : LLVMFuzzerMutate(data, size, max_size);
}
#else
static int run_file(const char *path)
{
  static uint8_t data[1 << 16];
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return 1;
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  return LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
  static uint8_t data[512];
  char *end = NULL;
  uint64_t seed = argc == 3 ? strtoull(argv[1], &end, 10) : 0;
  if (end != NULL && *end == '\0') {
    for (uint64_t n = strtoull(argv[2], NULL, 10); n != 0; n--, seed++) {
      fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
      LLVMFuzzerTestOneInput(data, fill(data, sizeof data, seed));
    }
    return 0;
  }
  int status = 0;
  for (int i = 1; i < argc; i++)
    status |= run_file(argv[i]);
  return status;
}
#endif
