/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plugins: what a shared object exports to bring passes, dialects and lowerings of its own, and how
 * a program takes them in. A plugin is tables of rows; nothing of it runs before its version and
 * its rows are found right. Loaded plugins stay until the process ends, since registries and
 * contexts point into them. */
#ifndef ECHO_JIT_DRIVER_PLUGIN_H
#define ECHO_JIT_DRIVER_PLUGIN_H

#include "dialects/kernel/call_target.h"
#include "echo_pass/policy.h"
#include "ir/pass/pass.h"
#include "ir/table/dialect.h"
#include "jit/driver/pipeline.h"
#include "planning/cost/runtime.h"
#include "planning/schedule/order.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when the structures that a plugin fills in change. */
#define ECHO_PLUGIN_API_VERSION 3u

/* Each list ends with NULL; NULL = none. All of it is static in the plugin. */
typedef struct EchoPluginInfo {
  uint32_t api_version; /* ECHO_PLUGIN_API_VERSION of the headers it was built with */
  const char *name, *version;
  const EchoPass *const *passes;
  const EchoDialect *const *dialects;
  const EchoStageLowering *const *lowerings;
  const EchoPolicy *const *policies;           /* --echo=policy=NAME */
  const EchoOrder *const *orders;              /* --order=NAME */
  const EchoDeviceModel *const *device_models; /* --device-model=NAME */
  const EchoCallTarget *const *call_targets;   /* custom calls: call_target_name = NAME */
} EchoPluginInfo;

/* The exported symbol. The returned structure is static in the plugin. */
#define ECHO_PLUGIN_SYMBOL "echo_plugin_info"
typedef const EchoPluginInfo *EchoPluginInfoFn(void);

/* Opens `path` and checks its version and that it has a name. NULL with the reason appended to
 * *error. */
const EchoPluginInfo *echo_plugin_load_or_null(const char *path, EchoBuffer *error);

/* Adds its passes to the registry; false with the first mistake in them appended to *error. */
bool echo_plugin_register_passes(const EchoPluginInfo *plugin, EchoPassRegistry *registry,
                                 EchoBuffer *error);
/* Makes all its other rows known in a context that has our own dialects; false with the first
 * mistake appended to *error, the context being good for nothing then but to be destroyed. */
bool echo_plugin_register_rows(const EchoPluginInfo *plugin, EchoContext *ctx, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
