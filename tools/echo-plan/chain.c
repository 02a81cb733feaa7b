/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-plan chain: checkpoints of a chain; and echo-plan device. */
#include <inttypes.h>
#include <stdio.h>

#include "base/map.h"
#include "planning/cost/runtime.h"
#include "tools/common/plugins.h"
#include "tools/common/progress.h"
#include "tools/echo-plan/chain_planners.h"
#include "tools/echo-plan/commands.h"
#include "tools/echo-plan/table.h"

enum { LAYER, BYTES, COST, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {"layer", "bytes", "cost"};

static const struct {
  const char *name;
  void (*plan)(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);
  size_t max_layers;
} algorithms[] = {
    {"linear", echo_chain_linear, SIZE_MAX},
    {"quadratic", chain_quadratic, CHAIN_MAX_QUADRATIC},
    {"cubic", chain_cubic, CHAIN_MAX_CUBIC},
    {"brute", chain_brute, CHAIN_MAX_BRUTE},
};

#define N_ALGORITHMS (sizeof algorithms / sizeof *algorithms)

typedef struct Chain {
  const char *path, *algorithm;
  Table table;
  uint64_t *bytes; /* by layer */
  double *cost;
} Chain;

static bool read_layers(Chain *chain)
{
  static const TableSchema schema = {columns, BYTES + 1, N_COLUMNS};
  Table *table = &chain->table;
  if (!table_read(table, chain->path, &schema))
    return false;
  size_t n = table->rows.size;
  chain->bytes = echo_alloc_array(n, sizeof *chain->bytes);
  chain->cost = echo_alloc_array(n, sizeof *chain->cost);
  EchoStringMap seen = {0};
  uint64_t other, total = 0;
  for (size_t row = 1; row <= n; row++) {
    EchoStr name = table->rows.data[row - 1].fields[LAYER];
    if (name.size == 0)
      table_complain(table, row, "the layer has no name");
    else if (echo_string_map_get(&seen, name, &other))
      table_complain(table, row, "layer '%.*s' was used in row %" PRIu64, ECHO_STR_ARG(name),
                     other);
    else
      echo_string_map_set(&seen, name, row);
    uint64_t size = table_size(table, row, BYTES, "bytes");
    chain->bytes[row - 1] = size;
    chain->cost[row - 1] = table->has_column[COST] ? table_f64(table, row, COST, "cost") : 1;
    if (total < UINT64_C(1) << 61 && total + size >= UINT64_C(1) << 61)
      table_complain(table, row, "the sizes up to here sum to 2^61 bytes or more");
    total = total + size >= UINT64_C(1) << 61 ? UINT64_C(1) << 61 : total + size;
  }
  echo_string_map_destroy(&seen);
  return table_is_fine(table);
}

static int report(const Chain *chain, const EchoChainSet *set)
{
  size_t n = chain->table.rows.size, next = 0;
  EchoChainSet every = {0};
  EchoBuffer text = {0};
  double recompute = 0;
  chain_sqrt_n(n, &every);
  for (size_t i = 0; i < n; i++) {
    if (next < set->size && set->data[next] == i) {
      echo_buffer_append_c(&text, next == 0 ? "checkpoints: " : " ");
      echo_buffer_append_str(&text, chain->table.rows.data[i].fields[LAYER]);
      next++;
    } else {
      recompute += chain->cost[i];
    }
  }
  echo_buffer_printf(&text,
                     "\npeak_bytes=%" PRIu64 " store_all_bytes=%" PRIu64 " sqrt_n_bytes=%" PRIu64
                     " recompute_cost=%.15g checkpoints=%zu\n",
                     echo_chain_peak(chain->bytes, n, set), chain_store_all_bytes(chain->bytes, n),
                     echo_chain_peak(chain->bytes, n, &every), recompute, set->size);
  int status = plan_print(&text);
  echo_vector_destroy(&every);
  echo_buffer_destroy(&text);
  return status;
}

static int solve(Chain *chain)
{
  size_t a = 0;
  while (chain->algorithm != NULL && a < N_ALGORITHMS &&
         !echo_str_is(echo_str(chain->algorithm), algorithms[a].name))
    a++;
  if (a == N_ALGORITHMS) {
    fprintf(stderr, "echo-plan chain: error: no algorithm '%s' (see --help)\n", chain->algorithm);
    return 1;
  }
  if (!read_layers(chain))
    return 1;
  size_t n = chain->table.rows.size;
  if (n > algorithms[a].max_layers) {
    fprintf(stderr, "%s: error: %zu layers; the algorithm '%s' takes at most %zu\n", chain->path, n,
            algorithms[a].name, algorithms[a].max_layers);
    return 1;
  }
  EchoChainSet set = {0};
  echo_progress_show("choosing among %zu layers", n);
  algorithms[a].plan(chain->bytes, n, &set);
  echo_progress_clear();
  int status = report(chain, &set);
  echo_vector_destroy(&set);
  return status;
}

static void append_chain_help(void *user, EchoBuffer *help)
{
  (void)user;
  echo_buffer_append_c(
      help,
      "\nFILE has the header layer,bytes or layer,bytes,cost and a row for each layer in order;\n"
      "the first is the input. Peaks are those of the revised objective; store_all_bytes is\n"
      "all outputs and the largest gradient. recompute_cost sums the cost of the layers not\n"
      "kept (1 each without that column).\n"
      "algorithms: linear, quadratic (least peak); cubic (least sum of checkpoints and largest\n"
      "segment); brute (least peak, every set)\n");
}

int plan_chain(int argc, char **argv)
{
  Chain chain = {0};
  const EchoOption options[] = {
      {"algorithm", ECHO_OPTION_STRING, &chain.algorithm, "NAME", "default: linear"}, {0}};
  const EchoCommandLine line = {.tool = "echo-plan chain",
                                .synopsis = "[options] FILE.csv",
                                .summary = "which layers of a chain to keep",
                                .options = options,
                                .more_help = append_chain_help};
  int status = plan_parse(&line, argc, argv, &chain.path);
  if (status >= 0)
    return status;
  status = solve(&chain);
  echo_free(chain.bytes);
  echo_free(chain.cost);
  table_destroy(&chain.table);
  return status;
}

static void append_device_help(void *user, EchoBuffer *help)
{
  (void)user;
  echo_buffer_append_c(help, "\nmodels:");
  for (size_t m = 0; echo_device_model_name_or_null(m) != NULL; m++)
    echo_buffer_printf(help, " %s", echo_device_model_name_or_null(m));
  echo_buffer_append_char(help, '\n');
}

/* "LINE: message" lines get the file's name in front. */
static void print_mistakes(const char *path, const EchoBuffer *error)
{
  const char *line = echo_buffer_c_str(error);
  for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    int n_digits = (int)strspn(line, "0123456789");
    fprintf(stderr, "%s:%.*s: error:%.*s\n", path, n_digits, line, (int)(end - line) - n_digits - 1,
            line + n_digits + 1);
  }
}

int plan_device(int argc, char **argv)
{
  EchoPlugins plugins = {0};
  const EchoOption options[] = {
      {"load-plugin", ECHO_OPTION_REPEATED, &plugins.paths, "FILE",
       "load device models from a shared object"},
      {"load-pass-plugin", ECHO_OPTION_REPEATED, &plugins.paths, "FILE", "the same"},
      {0}};
  if (!echo_plugins_load(&plugins, "echo-plan device", argc, argv))
    return 1;
  const EchoCommandLine line = {.tool = "echo-plan device",
                                .synopsis = "NAME|FILE",
                                .summary = "checks a device model and prints it in full",
                                .options = options,
                                .more_help = append_device_help};
  const char *path = NULL;
  int status = plan_parse(&line, argc, argv, &path);
  if (status >= 0) {
    echo_plugins_destroy(&plugins);
    return status;
  }
  EchoContext *ctx = echo_plugins_create_context(&plugins);
  EchoDeviceModel model;
  EchoBuffer text = {0}, error = {0};
  EchoFile file;
  const EchoDeviceModel *registered = echo_context_device_model_or_null(ctx, echo_str(path));
  if (registered != NULL)
    model = *registered;
  bool fine = registered != NULL || echo_device_model_find(echo_str(path), &model);
  if (!fine && !echo_file_read(path, &file, &error)) {
    fprintf(stderr, "%s: error: %s\n", path, echo_buffer_c_str(&error));
  } else if (!fine) {
    fine = echo_device_model_parse((EchoStr){file.data, file.size}, &model, &error);
    print_mistakes(path, &error);
    echo_file_close(&file);
  }
  if (fine)
    echo_device_model_print(&model, &text);
  status = fine ? plan_print(&text) : 1;
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&error);
  echo_context_destroy(ctx);
  echo_plugins_destroy(&plugins);
  return status;
}
