/* What --mlir-print-ir-*, --mlir-timing and --mlir-pass-statistics show. */
#include <inttypes.h>

#include "base/file.h"
#include "ir/diagnostics.h"
#include "ir/pass_t.h"
#include "ir/symbol.h"
#include "ir/text.h"

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

/* One file a pass below print_tree_dir: "builtin_module/3_cse.mlir". */
static void write_tree_file(EchoPassManager *manager, const EchoPass *pass, const EchoBuffer *text)
{
  EchoBuffer path = {0}, error = {0};
  echo_buffer_printf(&path, "%s/builtin_module", manager->options.print_tree_dir);
  bool ok = echo_directory_create(echo_buffer_c_str(&path), &error);
  echo_buffer_printf(&path, "/%u_%s.mlir", manager->n_tree_files++, pass->name);
  ok = ok && echo_file_write(echo_buffer_c_str(&path), text->data, text->size, &error);
  if (!ok)
    echo_error(manager->ctx, echo_loc_unknown(), "cannot write '%s': %s", echo_buffer_c_str(&path),
               echo_buffer_c_str(&error));
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
}

static void dump(EchoPassManager *manager, const EchoPass *pass, EchoOp *op, const char *when)
{
  const EchoPassManagerOptions *options = &manager->options;
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "// -----// IR Dump %s %s", when, pass->name);
  EchoStr symbol = echo_symbol_name(op);
  if (symbol.size != 0)
    echo_buffer_printf(&text, " ('%s' operation: @%.*s)", op->info->name, ECHO_STR_ARG(symbol));
  echo_buffer_append_c(&text, " //----- //\n");
  EchoPrintOptions print = {.generic = options->print_generic,
                            .debug_info = options->print_debug_info};
  echo_print_op(options->print_module_scope ? manager->module : op, &print, &text);
  echo_buffer_append_char(&text, '\n');
  if (options->print_tree_dir != NULL)
    write_tree_file(manager, pass, &text);
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
    dump(manager, item->pass, op, "Before");
}

void echo_pass_dump_after(EchoPassManager *manager, const EchoPipelineItem *item, EchoOp *op,
                          bool failed)
{
  const EchoPassManagerOptions *options = &manager->options;
  if (failed) {
    if (options->print_after_failure)
      dump(manager, item->pass, op, "After");
    return;
  }
  bool wanted = options->print_after_all || is_listed(options->print_after, item->pass->name);
  /* As in mlir-opt, print-ir-after-change narrows the list, or stands for "all" when there is none.
   */
  if (options->print_after_change)
    wanted = (wanted || options->print_after == NULL) && text_hash(op) != manager->printed_hash;
  if (wanted)
    dump(manager, item->pass, op, "After");
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
  echo_buffer_printf(out, "  %9.4f (%5.1f%%)  %*s%s%.*s%s%s\n", (double)elapsed_ns * 1e-9, percent,
                     indent, "", quote, ECHO_STR_ARG(name), quote, suffix);
}

static void print_pipeline_times(EchoBuffer *out, const EchoPipeline *pipeline, uint64_t total_ns,
                                 int indent)
{
  for (size_t i = 0; i < pipeline->items.size; i++) {
    const EchoPipelineItem *item = &pipeline->items.data[i];
    if (item->nested == NULL) {
      print_time_row(out, item->elapsed_ns, total_ns, indent, "", echo_str(item->pass->name), "");
      continue;
    }
    print_time_row(out, pipeline_ns(item->nested), total_ns, indent, "'", item->nested->anchor,
                   " Pipeline");
    print_pipeline_times(out, item->nested, total_ns, indent + 2);
  }
}

void echo_pass_print_timing(EchoPassManager *manager)
{
  EchoBuffer out = {0};
  print_banner(&out, "... Execution time report ...");
  uint64_t total_ns = manager->elapsed_ns, passes_ns = pipeline_ns(&manager->root);
  echo_buffer_printf(&out, "  Total Execution Time: %.4f seconds\n\n", (double)total_ns * 1e-9);
  echo_buffer_append_c(&out, "  ----Wall Time----  ----Name----\n");
  print_pipeline_times(&out, &manager->root, total_ns, 0);
  print_time_row(&out, total_ns - passes_ns, total_ns, 0, "", ECHO_STR("Rest"), "");
  print_time_row(&out, total_ns, total_ns, 0, "", ECHO_STR("Total"), "");
  send(manager, &out);
  echo_buffer_destroy(&out);
}

static void print_pipeline_statistics(EchoBuffer *out, const EchoPipeline *pipeline, int indent)
{
  echo_buffer_printf(out, "%*s'%.*s' Pipeline\n", indent, "", ECHO_STR_ARG(pipeline->anchor));
  for (size_t i = 0; i < pipeline->items.size; i++) {
    const EchoPipelineItem *item = &pipeline->items.data[i];
    if (item->nested != NULL) {
      print_pipeline_statistics(out, item->nested, indent + 2);
      continue;
    }
    echo_buffer_printf(out, "%*s%s\n", indent + 2, "", item->pass->name);
    for (size_t k = 0; k < echo_pass_n_statistics(item->pass); k++)
      echo_buffer_printf(out, "%*s(S) %6" PRIu64 " %s - %s\n", indent + 4, "", item->statistics[k],
                         item->pass->statistics[k].name, item->pass->statistics[k].summary);
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
