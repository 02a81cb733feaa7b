/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/driver/plugin.h"

#include <dlfcn.h>

const EchoPluginInfo *echo_plugin_load_or_null(const char *path, EchoBuffer *error)
{
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
  if (info == NULL || info->api_version != ECHO_PLUGIN_API_VERSION) {
    echo_buffer_printf(error, "'%s' was built for plugin interface %u, this is %u", path,
                       info != NULL ? info->api_version : 0, ECHO_PLUGIN_API_VERSION);
    dlclose(handle);
    return NULL;
  }
  return info;
}
