/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pass manager's own structures, shared by its files; not for passes. */
#ifndef ECHO_IR_PASS_PASS_T_H
#define ECHO_IR_PASS_PASS_T_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vector.h"
#include "ir/pass/pass.h"

typedef struct EchoPassAlias {
  const char *name, *summary, *pipeline;
} EchoPassAlias;

struct EchoPassRegistry {
  ECHO_VECTOR(const EchoPass *) passes;
  ECHO_VECTOR(EchoPassAlias) aliases;
  EchoStringMap by_name; /* index + 1 of a pass */
};

const EchoPassAlias *echo_pass_registry_alias_or_null(const EchoPassRegistry *registry,
                                                      EchoStr name);

typedef struct EchoPipeline EchoPipeline;

/* One step of a pipeline: a pass with its options, or a nested pipeline. */
typedef struct EchoPipelineItem {
  const EchoPass *pass; /* NULL = nested */
  EchoPipeline *nested;
  EchoStr *option_values; /* as many as the pass has options */
  uint64_t *statistics;
  uint64_t elapsed_ns, n_runs;
} EchoPipelineItem;

struct EchoPipeline {
  EchoStr anchor; /* "builtin.module", "any" */
  ECHO_VECTOR(EchoPipelineItem) items;
};

typedef struct EchoCachedAnalysis {
  const EchoAnalysis *analysis;
  EchoOp *op;
  void *data;
} EchoCachedAnalysis;

struct EchoPassManager {
  EchoContext *ctx;
  const EchoPassRegistry *registry;
  EchoPassManagerOptions options;
  EchoArena arena; /* pipelines, option texts */
  EchoArena scratch;
  EchoPipeline root;
  ECHO_VECTOR(EchoCachedAnalysis) analyses;
  EchoOp *module; /* while running */
  uint64_t elapsed_ns;
  EchoMap tree_counts;   /* of --mlir-print-ir-tree-dir: op -> dumps of it so far */
  uint64_t printed_hash; /* of the module's text, for print_after_change */
};

size_t echo_pass_n_options(const EchoPass *pass);
size_t echo_pass_n_statistics(const EchoPass *pass);

/* Parses "a,b{x=y},func.func(c)" into `pipeline`, whose anchor is set. */
bool echo_pipeline_parse(EchoPassManager *manager, EchoStr text, EchoPipeline *pipeline);
/* "anchor(a,b{x=y})" */
void echo_pipeline_print(const EchoPipeline *pipeline, EchoBuffer *out);
void echo_pipeline_destroy(EchoPipeline *pipeline);

void echo_pass_title(const EchoPass *pass, EchoBuffer *out);
/* What is shown around a pass: dumps before and after. */
void echo_pass_dump_before(EchoPassManager *manager, const EchoPipelineItem *item, EchoOp *op);
void echo_pass_dump_after(EchoPassManager *manager, const EchoPipelineItem *item, EchoOp *op,
                          bool failed);
void echo_pass_print_statistics(EchoPassManager *manager);

#endif
