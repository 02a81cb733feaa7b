/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What --mlir-print-ir-*, --mlir-timing and --mlir-pass-statistics show. */
#include <inttypes.h>

#include "base/file.h"
#include "ir/diagnostics.h"
#include "ir/pass/pass_t.h"
#include "ir/symbol.h"
#include "ir/text/text.h"

static bool is_listed(const char *const *names, const char *name)
{
  for (; names != NULL && *names != NULL; names++)
    if (strcmp(*names, name) == 0)
      return true;
  return false;
}

static void send(EchoPassManager *manager, const EchoBuffer *text)
{
  if (manager->options.print != NULL)
    manager->options.print(manager->options.print_user, echo_buffer_str(text));
}

/* "symbol-dce" -> "SymbolDce" */
void echo_pass_title(const EchoPass *pass, EchoBuffer *out)
{
  if (pass->title != NULL) {
    echo_buffer_append_c(out, pass->title);
    return;
  }
  bool starts = true;
  for (const char *c = pass->name; *c != '\0'; c++) {
    if (*c != '-')
      echo_buffer_append_char(out, starts && *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    starts = *c == '-';
  }
}

/* "builtin_module_no-symbol-name/func_func_f/0_1_cse.mlir": a folder for each op, and how often
 * each was dumped before. */
static void tree_path(EchoPassManager *manager, const EchoPass *pass, EchoOp *op,
                      EchoBuffer *folder, EchoBuffer *name)
{
  ECHO_VECTOR(EchoOp *) chain = {0};
  for (EchoOp *at = op; at != NULL; at = echo_op_parent(at))
    echo_vector_push(&chain, at);
  uint64_t count = echo_map_get_or(&manager->tree_counts, echo_key(op), UINT64_MAX) + 1;
  echo_map_set(&manager->tree_counts, echo_key(op), count);
  echo_buffer_append_c(folder, manager->options.print_tree_dir);
  for (size_t i = chain.size; i-- > 0;) {
    EchoOp *at = chain.data[i];
    if (at != op && !echo_map_get(&manager->tree_counts, echo_key(at), &count))
      echo_map_set(&manager->tree_counts, echo_key(at), count = 0);
    echo_buffer_append_u64(name, echo_map_get_or(&manager->tree_counts, echo_key(at), 0));
    echo_buffer_append_char(name, '_');
    EchoStr symbol = echo_symbol_name(at);
    echo_buffer_append_char(folder, '/');
    for (const char *c = at->info->name; *c != '\0'; c++)
      echo_buffer_append_char(folder, *c == '.' ? '_' : *c);
    echo_buffer_append_char(folder, '_');
    echo_buffer_append_str(folder, symbol.size != 0 ? symbol : ECHO_STR("no-symbol-name"));
  }
  echo_buffer_printf(name, "%s.mlir", pass->name);
  echo_vector_destroy(&chain);
}

static void write_tree_file(EchoPassManager *manager, const EchoPass *pass, EchoOp *op,
                            const EchoBuffer *text)
{
  EchoBuffer path = {0}, name = {0}, error = {0};
  tree_path(manager, pass, op, &path, &name);
  bool ok = echo_directory_create(echo_buffer_c_str(&path), &error);
  echo_buffer_append_char(&path, '/');
  echo_buffer_append_str(&path, echo_buffer_str(&name));
  ok = ok && echo_file_write(echo_buffer_c_str(&path), text->data, text->size, &error);
  if (!ok)
    echo_error(manager->ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&name);
  echo_buffer_destroy(&error);
}

/* As mlir-opt shows it, down to the empty lines. `when` is "Before", "After" or "After … Failed".
 */
static void dump(EchoPassManager *manager, const EchoPass *pass, EchoOp *op, const char *when,
                 bool failed)
{
  const EchoPassManagerOptions *options = &manager->options;
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "// -----// IR Dump %s ", when);
  echo_pass_title(pass, &text);
  echo_buffer_printf(&text, "%s (%s)", failed ? " Failed" : "", pass->name);
  EchoStr symbol = echo_symbol_name(op);
  if (options->print_module_scope)
    echo_buffer_printf(&text, " ('%s' operation%s%.*s)", op->info->name,
                       symbol.size != 0 ? ": @" : "", ECHO_STR_ARG(symbol));
  echo_buffer_append_c(&text, " //----- //\n");
  EchoPrintOptions print = {.generic = options->print_generic,
                            .debug_info = options->print_debug_info};
  const EchoOp *shown = options->print_module_scope ? manager->module : op;
  echo_print_op(shown, &print, &text);
  echo_buffer_append_c(&text, shown->block == NULL ? "\n\n" : "\n");
  if (options->print_tree_dir != NULL)
    write_tree_file(manager, pass, op, &text);
  else
    send(manager, &text);
  echo_buffer_destroy(&text);
}

static uint64_t text_hash(const EchoOp *op)
{
  EchoBuffer text = {0};
  echo_print_op(op, &(EchoPrintOptions){.generic = true}, &text);
  uint64_t hash = echo_hash_bytes(text.data, text.size, 0);
  echo_buffer_destroy(&text);
  return hash;
}

void echo_pass_dump_before(EchoPassManager *manager, const EchoPipelineItem *item, EchoOp *op)
{
  const EchoPassManagerOptions *options = &manager->options;
  if (options->print_after_change)
    manager->printed_hash = text_hash(op);
  if (options->print_before_all || is_listed(options->print_before, item->pass->name))
    dump(manager, item->pass, op, "Before", false);
}

void echo_pass_dump_after(EchoPassManager *manager, const EchoPipelineItem *item, EchoOp *op,
                          bool failed)
{
  const EchoPassManagerOptions *options = &manager->options;
  if (failed) {
    if (options->print_after_failure)
      dump(manager, item->pass, op, "After", true);
    return;
  }
  bool wanted = options->print_after_all || is_listed(options->print_after, item->pass->name);
  /* print-ir-after-change narrows what is wanted; alone, where mlir-opt shows nothing, it stands
   * for all passes. */
  if (options->print_after_change)
    wanted = (wanted || options->print_after == NULL) && text_hash(op) != manager->printed_hash;
  if (wanted)
    dump(manager, item->pass, op, "After", false);
}

/* ---- reports ---- */

static void print_banner(EchoBuffer *out, const char *title)
{
  static const char rule[] =
      "===-------------------------------------------------------------------------===";
  int indent = (int)(sizeof rule - 1 - strlen(title)) / 2;
  echo_buffer_printf(out, "%s\n%*s%s\n%s\n", rule, indent, "", title, rule);
}

static uint64_t pipeline_ns(const EchoPipeline *pipeline)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < pipeline->items.size; i++) {
    const EchoPipelineItem *item = &pipeline->items.data[i];
    sum += item->nested != NULL ? pipeline_ns(item->nested) : item->elapsed_ns;
  }
  return sum;
}

static void print_time_row(EchoBuffer *out, uint64_t elapsed_ns, uint64_t total_ns, int indent,
                           const char *quote, EchoStr name, const char *suffix)
{
  double percent = total_ns != 0 ? 100.0 * (double)elapsed_ns / (double)total_ns : 0;
  echo_buffer_printf(out, "  %8.4f (%5.1f%%)  %*s%s%.*s%s%s\n", (double)elapsed_ns * 1e-9, percent,
                     indent, "", quote, ECHO_STR_ARG(name), quote, suffix);
}

static void print_pipeline_times(EchoBuffer *out, const EchoPipeline *pipeline, uint64_t total_ns,
                                 int indent)
{
  for (size_t i = 0; i < pipeline->items.size; i++) {
    const EchoPipelineItem *item = &pipeline->items.data[i];
    if (item->nested == NULL) {
      EchoBuffer title = {0};
      echo_pass_title(item->pass, &title);
      print_time_row(out, item->elapsed_ns, total_ns, indent, "", echo_buffer_str(&title), "");
      echo_buffer_destroy(&title);
      continue;
    }
    print_time_row(out, pipeline_ns(item->nested), total_ns, indent, "'", item->nested->anchor,
                   " Pipeline");
    print_pipeline_times(out, item->nested, total_ns, indent + 2);
  }
}

void echo_pass_manager_print_timing(EchoPassManager *manager, uint64_t parse_ns, uint64_t output_ns)
{
  if (manager == NULL)
    return;
  EchoBuffer out = {0};
  print_banner(&out, "... Execution time report ...");
  uint64_t total_ns = manager->elapsed_ns + parse_ns + output_ns;
  uint64_t passes_ns = pipeline_ns(&manager->root);
  echo_buffer_printf(&out, "  Total Execution Time: %.4f seconds\n\n", (double)total_ns * 1e-9);
  echo_buffer_append_c(&out, "  ----Wall Time----  ----Name----\n");
  print_time_row(&out, parse_ns, total_ns, 0, "", ECHO_STR("Parser"), "");
  print_pipeline_times(&out, &manager->root, total_ns, 0);
  print_time_row(&out, output_ns, total_ns, 0, "", ECHO_STR("Output"), "");
  print_time_row(&out, manager->elapsed_ns - passes_ns, total_ns, 0, "", ECHO_STR("Rest"), "");
  print_time_row(&out, total_ns, total_ns, 0, "", ECHO_STR("Total"), "");
  send(manager, &out);
  echo_buffer_destroy(&out);
}

static int n_digits(uint64_t value)
{
  int n = 1;
  for (; value >= 10; value /= 10)
    n++;
  return n;
}

/* The counters of one pass in columns. */
static void print_counters(EchoBuffer *out, const EchoPipelineItem *item, int indent)
{
  const EchoPassStatistic *rows = item->pass->statistics;
  size_t n = echo_pass_n_statistics(item->pass);
  int value_width = 1, name_width = 0;
  for (size_t i = 0; i < n; i++) {
    int value = n_digits(item->statistics[i]), name = (int)strlen(rows[i].name);
    value_width = value > value_width ? value : value_width;
    name_width = name > name_width ? name : name_width;
  }
  for (size_t i = 0; i < n; i++)
    echo_buffer_printf(out, "%*s(S) %*" PRIu64 " %-*s - %s\n", indent, "", value_width,
                       item->statistics[i], name_width, rows[i].name, rows[i].summary);
}

static void print_pipeline_statistics(EchoBuffer *out, const EchoPipeline *pipeline, int indent)
{
  for (size_t i = 0; i < pipeline->items.size; i++) {
    const EchoPipelineItem *item = &pipeline->items.data[i];
    if (item->nested != NULL) {
      echo_buffer_printf(out, "%*s'%.*s' Pipeline\n", indent, "",
                         ECHO_STR_ARG(item->nested->anchor));
      print_pipeline_statistics(out, item->nested, indent + 2);
      continue;
    }
    echo_buffer_printf(out, "%*s", indent, "");
    echo_pass_title(item->pass, out);
    echo_buffer_append_char(out, '\n');
    print_counters(out, item, indent + 2);
  }
}

void echo_pass_print_statistics(EchoPassManager *manager)
{
  EchoBuffer out = {0};
  print_banner(&out, "... Pass statistics report ...");
  print_pipeline_statistics(&out, &manager->root, 0);
  send(manager, &out);
  echo_buffer_destroy(&out);
}
