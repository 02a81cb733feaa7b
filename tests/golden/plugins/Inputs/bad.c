/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plugins that are wrong in one place each: which one is said by a macro. */
#include <string.h>

#include "base/memory.h"
#include "jit/driver/plugin.h"

static bool run(EchoPassRun *pass)
{
  (void)pass;
  return true;
}

static bool print_nothing(EchoAsmParser *parser)
{
  (void)parser;
  return true;
}

static bool call_nothing(const EchoTargetCall *call)
{
  (void)call;
  return true;
}

static const EchoPass pass = {
#ifndef NO_PASS_NAME
    .name =
#ifdef KNOWN_PASS
        "cse",
#else
        "fine",
#endif
#endif
#ifndef NO_SUMMARY
    .summary = "does nothing",
#endif
#ifndef RUNLESS
    .run = run,
#endif
};

static const EchoOpInfo ops[] = {
    {
#ifndef NO_OP_NAME
        .name =
#ifdef OTHER_DIALECT
            "worse.op",
#else
            "bad.op",
#endif
#endif
        .operands =
#ifdef NO_CONSTRAINT
            "x: tensr",
#elif defined(NO_COLON)
            "x",
#elif defined(NO_SEGMENTS)
            "x: tensor*, y: tensor*",
#else
            "x: tensor",
#endif
        .results = "y: tensor",
#ifdef VARIADIC_ATTR
        .attrs = "a: i64*",
#elif defined(TWICE)
        .attrs = "a: i64, a: i64",
#elif defined(NO_ATTR_CONSTRAINT)
        .attrs = "a: i65",
#elif defined(BAD_DEFAULT)
        .attrs = "a: i64 = 3",
#else
        .attrs = "",
#endif
#ifdef NEGATIVE
        .n_regions = -2,
#endif
#ifdef HALF_A_TEXT
        .parse = print_nothing,
#endif
#ifdef NO_MEANING
        .emit_element = (EchoEmitElementFn *)print_nothing,
#endif
        .summary = "an op",
    }
#ifdef TWO_ROWS
    ,
    {.name = "bad.op", .operands = "", .results = "", .summary = "an op"}
#endif
};

static const EchoDialect dialect = {
#ifndef NO_DIALECT_NAME
    .name =
#ifdef KNOWN_DIALECT
        "stablehlo",
#else
        "bad",
#endif
#endif
#ifdef NO_STAGE
    .stages = "model, tensor..steps",
#elif defined(BACKWARDS)
    .stages = "planned..step",
#else
    .stages = "model..planned",
#endif
#ifndef NO_OPS
    .ops = ops,
#endif
#ifdef TWO_ROWS
    .n_ops = 2,
#else
    .n_ops = 1,
#endif
};

static const EchoStageLowering lowering = {"lower",
#ifdef NO_LOWERING_STAGE
                                           "model",
#else
                                           "tensor",
#endif
#ifdef NO_PIPELINE
                                           NULL
#elif defined(UNKNOWN_PASS)
                                           "no-such-pass"
#else
                                           "fine"
#endif
};

/* Everything again, and what may not run again, too. */
static bool propose(EchoPolicyRun *policy_run)
{
  uint32_t n = echo_policy_n_candidates(policy_run);
  bool *all = echo_alloc_array(n + 1u, sizeof(bool));
  for (uint32_t i = 0; i < n; i++)
    all[i] = true;
  bool ok = echo_policy_propose(policy_run, all, false);
  echo_free(all);
  return ok;
}

static const EchoPolicy policy = {
#ifndef NO_POLICY_NAME
    .name =
#ifdef KNOWN_POLICY
        "chain",
#else
        "all",
#endif
#endif
#ifndef NO_POLICY_SUMMARY
    .summary = "everything again",
#endif
#ifndef NO_PROPOSE
    .propose = propose,
#endif
};

static void make(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *nodes)
{
  echo_order_make(graph, interface, ECHO_ORDER_GIVEN, nodes);
}

static const EchoOrder order = {
#ifndef NO_ORDER_NAME
    .name =
#ifdef KNOWN_ORDER
        "late",
#else
        "mine",
#endif
#endif
#ifndef NO_ORDER_SUMMARY
    .summary = "as it is",
#endif
#ifndef NO_MAKE
    .make = make,
#endif
};

static const EchoDeviceModel *bad_model(void)
{
  static EchoDeviceModel model;
  echo_device_model_default(&model);
#ifdef NO_MODEL_NAME
  model.name[0] = '\0';
#elif !defined(KNOWN_MODEL)
  strcpy(model.name, "mine");
#endif
#ifdef ZERO_RATE
  model.memory_bytes_per_s = 0;
#endif
  return &model;
}

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
#ifdef NO_INFO
  return NULL;
#endif
  (void)print_nothing;
  (void)run;
  (void)propose;
  (void)make;
  static const EchoPass *const passes[] = {&pass,
#ifdef TWO_PASSES
                                           &pass,
#endif
                                           NULL};
  static const EchoDialect *const dialects[] = {&dialect, NULL};
  static const EchoStageLowering *const lowerings[] = {&lowering,
#ifdef TWO_LOWERINGS
                                                       &lowering,
#endif
                                                       NULL};
  static const EchoPolicy *const policies[] = {&policy,
#ifdef TWO_POLICIES
                                               &policy,
#endif
                                               NULL};
  static const EchoOrder *const orders[] = {&order, NULL};
  static const EchoDeviceModel *models[] = {NULL, NULL};
  models[0] = bad_model();
  static const EchoCallTarget target = {
#ifndef NO_TARGET_NAME
      .name = "target",
#endif
      .summary = "does nothing",
#ifndef NO_TARGET_FUNCTION
      .run = call_nothing,
#endif
  };
  static const EchoCallTarget *const targets[] = {&target,
#ifdef TWO_TARGETS
                                                  &target,
#endif
                                                  NULL};
  static const EchoPluginInfo info = {
#ifdef OLD
      .api_version = 1,
#else
      .api_version = ECHO_PLUGIN_API_VERSION,
#endif
#ifndef NO_NAME
      .name = "bad",
#endif
      .version = "1.0",
      .passes = passes,
      .dialects = dialects,
      .lowerings = lowerings,
      .policies = policies,
      .orders = orders,
      .device_models = models,
      .call_targets = targets,
  };
  return &info;
}
