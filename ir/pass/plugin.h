/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a plugin (a shared object loaded by --load-pass-plugin or --load-dialect-plugin) exports:
 * one function that describes it. The tool checks the version before anything else. */
#ifndef ECHO_IR_PASS_PLUGIN_H
#define ECHO_IR_PASS_PLUGIN_H

#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_PLUGIN_API_VERSION 1u

typedef struct EchoPluginInfo {
  uint32_t api_version; /* ECHO_PLUGIN_API_VERSION of the headers it was built with */
  const char *name, *version;
  void (*register_passes)(EchoPassRegistry *registry); /* NULL = brings no passes */
  void (*register_dialects)(EchoContext *ctx);         /* NULL = brings no dialects */
} EchoPluginInfo;

/* The exported symbol. The returned structure is static in the plugin. */
#define ECHO_PLUGIN_SYMBOL "echo_plugin_info"
typedef const EchoPluginInfo *EchoPluginInfoFn(void);

#ifdef __cplusplus
}
#endif

#endif
