/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loading plugins: see ir/pass/plugin.h for what one exports. Loaded plugins stay loaded until the
 * process ends, since the registries point into them. */
#ifndef ECHO_JIT_DRIVER_PLUGIN_H
#define ECHO_JIT_DRIVER_PLUGIN_H

#include "ir/pass/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens `path` and checks its version. NULL with the reason appended to *error when it is no plugin
 * of this version. */
const EchoPluginInfo *echo_plugin_load_or_null(const char *path, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
