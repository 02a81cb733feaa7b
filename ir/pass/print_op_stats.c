/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts ops by name and shows the table through the manager's printer. */
#include <stdlib.h>

#include "ir/pass/pass_t.h"
#include "ir/pass/passes.h"

typedef struct Count {
  const EchoOpInfo *info;
  uint64_t n_ops;
} Count;

static int by_name(const void *a, const void *b)
{
  return strcmp(((const Count *)a)->info->name, ((const Count *)b)->info->name);
}

static size_t dialect_width(const char *name)
{
  const char *dot = strchr(name, '.');
  return dot != NULL ? (size_t)(dot - name) : 0;
}

static void append_table(EchoBuffer *out, const Count *counts, size_t n)
{
  size_t widest_dialect = 0, widest_op = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t dialect = dialect_width(counts[i].info->name);
    size_t op = strlen(counts[i].info->name) - dialect;
    widest_dialect = dialect > widest_dialect ? dialect : widest_dialect;
    widest_op = op > widest_op ? op : widest_op;
  }
  echo_buffer_append_c(out, "Operations encountered:\n-----------------------\n");
  for (size_t i = 0; i < n; ++i) {
    const char *name = counts[i].info->name;
    size_t dialect = dialect_width(name);
    echo_buffer_printf(out, "%*s%-*s , %llu\n", (int)(widest_dialect - dialect + 2), "",
                       (int)(dialect + widest_op), name, (unsigned long long)counts[i].n_ops);
  }
}

static bool run_print_op_stats(EchoPassRun *run)
{
  EchoMap counts = {0};
  for (EchoOp *op = run->op; op != NULL; op = echo_op_walk_next(run->op, op))
    echo_map_set(&counts, echo_key(op->info), echo_map_get_or(&counts, echo_key(op->info), 0) + 1);
  Count *sorted = ECHO_ARENA_ARRAY(run->scratch, Count, counts.n_live);
  size_t n = 0;
  EchoMapEntry entry;
  for (size_t i = 0; echo_map_next(&counts, &i, &entry);)
    sorted[n++] = (Count){(const EchoOpInfo *)(uintptr_t)entry.key, entry.value};
  qsort(sorted, n, sizeof *sorted, by_name);
  EchoBuffer text = {0};
  append_table(&text, sorted, n);
  const EchoPassManagerOptions *options = &run->manager->options;
  if (options->print != NULL)
    options->print(options->print_user, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  echo_map_destroy(&counts);
  return true;
}

const EchoPass ECHO_PASS_PRINT_OP_STATS = {.name = "print-op-stats",
                                           .summary = "show how many ops of each name there are",
                                           .keeps = ECHO_KEEPS_ALL,
                                           .run = run_print_op_stats};
