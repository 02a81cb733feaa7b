/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls of one's own, in one file.
 *
 * "median_filter": each element becomes the median of the `width` (odd) around it in the last
 * dimension, the ends repeated; a filter that StableHLO has no op for. "append_csv": an effect, a
 * row of numbers more in the file `path`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <echo/jit/driver/plugin.h>

static bool fail(const EchoTargetCall *call, const char *why)
{
  echo_buffer_append_c(call->error, why);
  return false;
}

static const EchoAttr *config_or_null(const EchoTargetCall *call, const char *name)
{
  return call->config != NULL && call->config->kind == ECHO_ATTR_DICTIONARY
             ? echo_dictionary_get_or_null(call->config, name)
             : NULL;
}

static bool is_f32(const EchoType *type)
{
  return echo_type_element_kind(type) == ECHO_ELEMENT_F32;
}

/* ---- median_filter ---- */

static int compare(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float median_at(const float *row, int64_t n, int64_t at, int64_t width, float *space)
{
  for (int64_t i = 0; i < width; i++) {
    int64_t from = at + i - width / 2;
    space[i] = row[from < 0 ? 0 : from >= n ? n - 1 : from];
  }
  qsort(space, (size_t)width, sizeof *space, compare);
  return space[width / 2];
}

static bool median_filter(const EchoTargetCall *call)
{
  const EchoAttr *width = config_or_null(call, "width");
  if (call->n_operands != 1 || call->n_results != 1 || !is_f32(call->operand_types[0]) ||
      !is_f32(call->result_types[0]) ||
      echo_type_static_bytes(call->operand_types[0]) !=
          echo_type_static_bytes(call->result_types[0]) ||
      echo_type_rank(call->operand_types[0]) == 0)
    return fail(call, "it takes one array of f32 and gives one of the same shape");
  if (width == NULL || width->kind != ECHO_ATTR_INTEGER || width->as.integer.value < 1 ||
      width->as.integer.value > 1001 || width->as.integer.value % 2 == 0)
    return fail(call, "'width' is not an odd number up to 1001");
  float space[1001];
  const EchoType *type = call->operand_types[0];
  int64_t n = echo_type_dim(type, echo_type_rank(type) - 1);
  int64_t n_elements = echo_type_static_n_elements(type);
  const float *in = call->operands[0];
  float *out = call->results[0];
  for (int64_t i = 0; i < n_elements; i++)
    out[i] = median_at(in + i / n * n, n, i % n, width->as.integer.value, space);
  return true;
}

/* ---- append_csv ---- */

static bool append_csv(const EchoTargetCall *call)
{
  const EchoAttr *path = config_or_null(call, "path");
  char name[4096];
  if (call->n_operands != 1 || !is_f32(call->operand_types[0]))
    return fail(call, "it takes one array of f32");
  if (path == NULL || path->kind != ECHO_ATTR_STRING || path->as.string.size >= sizeof name)
    return fail(call, "'path' is not the name of a file");
  memcpy(name, path->as.string.data, path->as.string.size);
  name[path->as.string.size] = '\0';
  FILE *file = fopen(name, "a");
  if (file == NULL)
    return fail(call, strerror(errno));
  int64_t n = echo_type_static_n_elements(call->operand_types[0]);
  const float *values = call->operands[0];
  for (int64_t i = 0; i < n; i++)
    fprintf(file, "%.9g%s", (double)values[i], i + 1 < n ? "," : "\n");
  return fclose(file) == 0 || fail(call, strerror(errno));
}

static const EchoCallTarget MEDIAN_FILTER = {.name = "median_filter",
                                             .summary =
                                                 "medians of neighbours along the last dimension",
                                             .run = median_filter};
static const EchoCallTarget APPEND_CSV = {.name = "append_csv",
                                          .summary = "a row more in a file",
                                          .run = append_csv,
                                          .may_overlap = true};

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoCallTarget *const targets[] = {&MEDIAN_FILTER, &APPEND_CSV, NULL};
  static const EchoPluginInfo info = {.api_version = ECHO_PLUGIN_API_VERSION,
                                      .name = "median",
                                      .version = "1.0",
                                      .call_targets = targets};
  return &info;
}
