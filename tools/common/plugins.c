/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/common/plugins.h"

#include <stdio.h>

#include "dialects/interfaces/denormals.h"
#include "dialects/stablehlo/precision.h"
#include "jit/runtime/mpi.h"
#include "tools/common/report.h"

static bool complain(const EchoPlugins *plugins, const char *what, EchoBuffer *reason)
{
  fprintf(stderr, "%s: error: %s: %s\n", plugins->tool, what, echo_buffer_c_str(reason));
  echo_buffer_destroy(reason);
  return false;
}

static bool load(EchoPlugins *plugins, const char *path)
{
  EchoBuffer error = {0};
  const EchoPluginInfo *plugin = echo_plugin_load_or_null(path, &error);
  if (plugin == NULL)
    return complain(plugins, "cannot load the plugin", &error);
  for (size_t i = 0; i < plugins->loaded.size; i++)
    if (plugins->loaded.data[i] == plugin)
      return true; /* given as a pass plugin and as a dialect plugin */
  echo_vector_push(&plugins->loaded, plugin);
  return true;
}

static bool register_all(const EchoPlugins *plugins, EchoContext *ctx, EchoPassRegistry *registry,
                         EchoBuffer *error)
{
  for (size_t i = 0; plugins != NULL && i < plugins->loaded.size; i++) {
    const EchoPluginInfo *plugin = plugins->loaded.data[i];
    if ((registry != NULL && !echo_plugin_register_passes(plugin, registry, error)) ||
        (ctx != NULL && !echo_plugin_register_rows(plugin, ctx, error)))
      return false;
  }
  return true;
}

/* One after another, so that the message names the one that is wrong. */
static bool try_all(const EchoPlugins *plugins)
{
  EchoContext *ctx = echo_report_create_context();
  EchoPassRegistry *registry = echo_report_create_registry();
  EchoBuffer error = {0}, what = {0};
  bool ok = true;
  for (size_t i = 0; i < plugins->loaded.size && ok; i++) {
    const EchoPluginInfo *plugin = plugins->loaded.data[i];
    ok = echo_plugin_register_passes(plugin, registry, &error) &&
         echo_plugin_register_rows(plugin, ctx, &error);
    if (!ok)
      echo_buffer_printf(&what, "plugin '%s'", plugin->name);
  }
  echo_pass_registry_destroy(registry);
  echo_context_destroy(ctx);
  if (!ok)
    complain(plugins, echo_buffer_c_str(&what), &error);
  echo_buffer_destroy(&what);
  return ok;
}

static bool is_load_option(EchoStr name)
{
  return echo_str_is(name, "load-plugin") || echo_str_is(name, "load-pass-plugin") ||
         echo_str_is(name, "load-dialect-plugin");
}

bool echo_plugins_load(EchoPlugins *plugins, const char *tool, int argc, char **argv)
{
  plugins->tool = tool;
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i] + (argv[i][0] == '-') + (argv[i][0] == '-' && argv[i][1] == '-');
    size_t size = strcspn(argument, "=");
    EchoStr name = {argument, size};
    if (argv[i][0] != '-' || !is_load_option(name))
      continue;
    const char *path = argument[size] == '=' ? argument + size + 1
                       : i + 1 < argc        ? argv[i + 1]
                                             : "";
    if (!load(plugins, path))
      return false;
  }
  return plugins->loaded.size == 0 || try_all(plugins);
}

bool echo_plugins_take_passes(EchoPlugins *plugins, EchoCompileOptions *options)
{
  for (size_t i = 0; i < plugins->before.size; i++) {
    EchoBuffer error = {0};
    EchoStagePasses passes;
    if (!echo_stage_passes_parse(plugins->before.data[i], &passes, &error))
      return complain(plugins, "--before", &error);
    echo_vector_push(&plugins->passes, passes);
  }
  if (plugins->denormals != NULL && !echo_str_is(echo_str(plugins->denormals), "flush") &&
      !echo_str_is(echo_str(plugins->denormals), "keep")) {
    EchoBuffer error = {0};
    echo_buffer_printf(&error, "'%s' is none of flush, keep", plugins->denormals);
    return complain(plugins, "--denormals", &error);
  }
  options->order = plugins->order;
  options->passes = plugins->passes.data;
  options->n_passes = plugins->passes.size;
  return true;
}

void echo_plugins_mark(const EchoPlugins *plugins, EchoOp *module)
{
  if (plugins->denormals != NULL)
    echo_module_keep_denormals(module, echo_str_is(echo_str(plugins->denormals), "keep"));
  if (plugins->tf32)
    echo_module_allow_tf32(module, true);
}

void echo_plugins_destroy(EchoPlugins *plugins)
{
  echo_vector_destroy(&plugins->loaded);
  echo_vector_destroy(&plugins->paths);
  echo_vector_destroy(&plugins->before);
  echo_vector_destroy(&plugins->passes);
}

EchoContext *echo_plugins_create_context(const EchoPlugins *plugins)
{
  EchoContext *ctx = echo_report_create_context();
  EchoBuffer error = {0};
  ECHO_CHECK(register_all(plugins, ctx, NULL, &error), "%s", echo_buffer_c_str(&error));
  return ctx;
}

EchoContext *echo_plugins_create_planner(const EchoPlugins *plugins)
{
  EchoContext *ctx = echo_plugins_create_context(plugins);
  EchoBuffer error = {0};
  if (!echo_mpi_register_targets(ctx, &error))
    echo_buffer_destroy(&error); /* a plugin brings them */
  return ctx;
}

EchoPassRegistry *echo_plugins_create_registry(const EchoPlugins *plugins)
{
  EchoPassRegistry *registry = echo_report_create_registry();
  EchoBuffer error = {0};
  ECHO_CHECK(register_all(plugins, NULL, registry, &error), "%s", echo_buffer_c_str(&error));
  return registry;
}
