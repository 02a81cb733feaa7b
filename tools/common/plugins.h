/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plugins on the command line of a tool: --load-plugin=FILE, and as mlir-opt has it
 * --load-pass-plugin=FILE and --load-dialect-plugin=FILE, which mean the same, and what goes with
 * them: --before=STAGE:PIPELINE runs passes between two stages, --order=NAME picks the order of
 * execution, --denormals=keep and --tf32 the arithmetic. Whatever is wrong with them is said before
 * anything is read. */
#ifndef ECHO_TOOLS_COMMON_PLUGINS_H
#define ECHO_TOOLS_COMMON_PLUGINS_H

#include "base/command_line.h"
#include "jit/driver/plugin.h"

typedef struct EchoPlugins {
  const char *tool;
  ECHO_VECTOR(const EchoPluginInfo *) loaded;
  EchoStringList paths;  /* what the option table sees: already loaded */
  EchoStringList before; /* as given */
  const char *order;
  const char *denormals; /* "flush", "keep"; NULL = as the module says */
  bool tf32;             /* allowed, whatever the module says */
  ECHO_VECTOR(EchoStagePasses) passes;
} EchoPlugins;

/* Rows of a tool's option table. */
#define ECHO_PLUGIN_OPTIONS(plugins)                                                               \
  {"load-plugin", ECHO_OPTION_REPEATED, &(plugins)->paths, "FILE",                                 \
   "load passes, dialects, custom calls, … from a shared object"},                                 \
      {"load-pass-plugin", ECHO_OPTION_REPEATED, &(plugins)->paths, "FILE", "the same"},           \
      {"load-dialect-plugin", ECHO_OPTION_REPEATED, &(plugins)->paths, "FILE", "the same"},        \
      {"order", ECHO_OPTION_STRING, &(plugins)->order, "NAME",                                     \
       "order of execution: given, flow, demand and others of ours, or a plugin's; else the "      \
       "best"},                                                                                    \
      {"denormals", ECHO_OPTION_STRING, &(plugins)->denormals, "flush|keep",                       \
       "arithmetic takes denormals for zeros (flush, the default) or keeps them (keep)"},          \
      {"tf32", ECHO_OPTION_FLAG, &(plugins)->tf32, NULL,                                           \
       "a GPU may multiply f32 of default precision in tf32"},                                     \
  {                                                                                                \
    "before", ECHO_OPTION_REPEATED, &(plugins)->before, "STAGE:PIPELINE",                          \
        "run passes on the way, between STAGE and the stage before it"                             \
  }

/* Loads what the command line names, wherever it stands there: plugins bring flags and names, so
 * this comes before the command line is parsed as a whole. All rows are tried in a context of their
 * own. False after a message. */
bool echo_plugins_load(EchoPlugins *plugins, const char *tool, int argc, char **argv);
/* Once the command line is parsed: fills `passes` from `before`, and *options with them and the
 * order. False after a message. */
bool echo_plugins_take_passes(EchoPlugins *plugins, EchoCompileOptions *options);
/* Marks a module that was read with what the command line says of it: --denormals, --tf32. */
void echo_plugins_mark(const EchoPlugins *plugins, EchoOp *module);
void echo_plugins_destroy(EchoPlugins *plugins);

/* As echo_report_create_context and echo_report_create_registry, with what the plugins bring.
 * `plugins` NULL = none. */
EchoContext *echo_plugins_create_context(const EchoPlugins *plugins);
/* Of a tool that plans and runs nothing: what goes between processes is known without an MPI. */
EchoContext *echo_plugins_create_planner(const EchoPlugins *plugins);
EchoPassRegistry *echo_plugins_create_registry(const EchoPlugins *plugins);

#endif
