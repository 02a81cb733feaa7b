/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plugin with two orders, of which one is none, and a device model on which tanh is dear. */
#include <string.h>

#include "base/memory.h"
#include "jit/driver/plugin.h"

/* Of what can run, the last. */
static void make_last(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order)
{
  (void)interface;
  uint32_t n = (uint32_t)graph->nodes.size;
  bool *is_done = echo_alloc_zero(n + 1u, sizeof(bool));
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t node = n; node-- > 0;) {
      bool can_run =
          !is_done[node] && (graph->nodes.data[node].kind != ECHO_NODE_RETURN || i + 1 == n);
      for (uint32_t k = 0; k < graph->nodes.data[node].n_operands && can_run; k++) {
        uint32_t def = graph->values.data[echo_graph_operands(graph, node)[k]].def;
        can_run = def == ECHO_NONE || is_done[def];
      }
      if (!can_run)
        continue;
      is_done[node] = true;
      order[i] = node;
      break;
    }
  echo_free(is_done);
}

static void make_backwards(const EchoGraph *graph, const EchoBlockInterface *interface,
                           uint32_t *order)
{
  (void)interface;
  for (uint32_t i = 0; i < graph->nodes.size; i++)
    order[i] = (uint32_t)graph->nodes.size - 1 - i;
}

/* A millisecond for each tanh; one op has a wrong answer, and the rates stand. */
static double op_ns(const EchoOp *op, const EchoWork *work, double ns)
{
  (void)work;
  return strcmp(op->info->name, "stablehlo.tanh") == 0       ? 1e6
         : strcmp(op->info->name, "stablehlo.multiply") == 0 ? -1
                                                             : ns;
}

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoOrder last = {"last", "of what can run, the last", make_last};
  static const EchoOrder backwards = {"backwards", "no order at all", make_backwards};
  static const EchoOrder *const orders[] = {&last, &backwards, NULL};
  static EchoDeviceModel model;
  echo_device_model_default(&model);
  strcpy(model.name, "slow-tanh");
  model.op_ns = op_ns;
  static const EchoDeviceModel *const models[] = {&model, NULL};
  static const EchoPluginInfo info = {.api_version = ECHO_PLUGIN_API_VERSION,
                                      .name = "named",
                                      .version = "1.0",
                                      .orders = orders,
                                      .device_models = models};
  return &info;
}
