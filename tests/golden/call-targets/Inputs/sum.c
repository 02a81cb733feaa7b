/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Target "running_sums": result i is the sum of operands 0 to i; of as many arrays as there are. */
#include <echo/jit/driver/plugin.h>

static bool running_sums(const EchoTargetCall *call)
{
  for (size_t i = 0; i < call->n_results; i++) {
    int64_t n = echo_type_static_n_elements(call->result_types[i]);
    float *sums = call->results[i];
    for (int64_t j = 0; j < n; j++)
      sums[j] = ((const float *)call->operands[i])[j] +
                (i == 0 ? 0 : ((const float *)call->results[i - 1])[j]);
  }
  return call->n_results <= call->n_operands;
}

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoCallTarget target = {
      .name = "running_sums", .summary = "sums of operands", .run = running_sums};
  static const EchoCallTarget *const targets[] = {&target, NULL};
  static const EchoPluginInfo info = {.api_version = ECHO_PLUGIN_API_VERSION,
                                      .name = "sum",
                                      .version = "1.0",
                                      .call_targets = targets};
  return &info;
}
