/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The door: what a plugin hands over is checked here, or by the one it is handed to. */
#include "jit/driver/plugin.h"

#include <dlfcn.h>

static bool check_info(const EchoPluginInfo *info, const char *path, EchoBuffer *error)
{
  if (info == NULL)
    echo_buffer_printf(error, "'%s' describes nothing: its '%s' returns NULL", path,
                       ECHO_PLUGIN_SYMBOL);
  else if (info->api_version != ECHO_PLUGIN_API_VERSION)
    echo_buffer_printf(error, "'%s' was built for plugin interface %u, this is %u", path,
                       info->api_version, ECHO_PLUGIN_API_VERSION);
  else if (info->name == NULL || info->name[0] == '\0')
    echo_buffer_printf(error, "'%s' has no name", path);
  else
    return true;
  return false;
}

const EchoPluginInfo *echo_plugin_load_or_null(const char *path, EchoBuffer *error)
{
  if (path == NULL) {
    echo_buffer_append_c(error, "a plugin is loaded: 'path' is NULL");
    return NULL;
  }
  if (path[0] == '\0') { /* dlopen would open the program itself */
    echo_buffer_append_c(error, "its file has no name");
    return NULL;
  }
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    echo_buffer_append_c(error, dlerror());
    return NULL;
  }
  EchoPluginInfoFn *describe;
  /* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bytes
   * agree. */
  void *symbol = dlsym(handle, ECHO_PLUGIN_SYMBOL);
  memcpy(&describe, &symbol, sizeof describe);
  if (symbol == NULL) {
    echo_buffer_printf(error, "'%s' exports no '%s': it is not a plugin", path, ECHO_PLUGIN_SYMBOL);
    dlclose(handle);
    return NULL;
  }
  const EchoPluginInfo *info = describe();
  if (check_info(info, path, error))
    return info;
  dlclose(handle);
  return NULL;
}

static bool check_taken(const EchoPluginInfo *plugin, const char *name, const void *by,
                        EchoBuffer *error)
{
  if (plugin != NULL && by != NULL)
    return true;
  echo_buffer_printf(error, "a plugin is taken in: '%s' is NULL", plugin == NULL ? "plugin" : name);
  return false;
}

bool echo_plugin_register_passes(const EchoPluginInfo *plugin, EchoPassRegistry *registry,
                                 EchoBuffer *error)
{
  if (!check_taken(plugin, "registry", registry, error))
    return false;
  for (size_t i = 0; plugin->passes != NULL && plugin->passes[i] != NULL; i++)
    if (!echo_pass_registry_try_add(registry, plugin->passes[i], error))
      return false;
  return true;
}

/* A dialect whose ops may stand somewhere. */
static bool register_dialect(EchoContext *ctx, const EchoDialect *dialect, EchoBuffer *error)
{
  EchoBuffer reason = {0};
  uint32_t stages;
  bool ok = echo_context_try_register_dialect(ctx, dialect, error);
  if (ok && dialect->stages != NULL &&
      !echo_stages_parse(echo_str(dialect->stages), &stages, &reason)) {
    echo_buffer_printf(error, "dialect '%s', stages \"%s\": %s", dialect->name, dialect->stages,
                       echo_buffer_c_str(&reason));
    ok = false;
  }
  echo_buffer_destroy(&reason);
  return ok;
}

bool echo_plugin_register_rows(const EchoPluginInfo *plugin, EchoContext *ctx, EchoBuffer *error)
{
  if (!check_taken(plugin, "ctx", ctx, error))
    return false;
  for (size_t i = 0; plugin->dialects != NULL && plugin->dialects[i] != NULL; i++)
    if (!register_dialect(ctx, plugin->dialects[i], error))
      return false;
  for (size_t i = 0; plugin->lowerings != NULL && plugin->lowerings[i] != NULL; i++)
    if (!echo_context_register_lowering(ctx, plugin->lowerings[i], error))
      return false;
  for (size_t i = 0; plugin->policies != NULL && plugin->policies[i] != NULL; i++)
    if (!echo_context_register_policy(ctx, plugin->policies[i], error))
      return false;
  for (size_t i = 0; plugin->orders != NULL && plugin->orders[i] != NULL; i++)
    if (!echo_context_register_order(ctx, plugin->orders[i], error))
      return false;
  for (size_t i = 0; plugin->device_models != NULL && plugin->device_models[i] != NULL; i++)
    if (!echo_context_register_device_model(ctx, plugin->device_models[i], error))
      return false;
  for (size_t i = 0; plugin->call_targets != NULL && plugin->call_targets[i] != NULL; i++)
    if (!echo_context_register_call_target(ctx, plugin->call_targets[i], error))
      return false;
  return true;
}
