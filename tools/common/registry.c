/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All dialects and passes, for tools that compile. */
#include "jit/driver/register.h"
#include "tools/common/report.h"

EchoContext *echo_report_create_context(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_all(ctx, NULL);
  echo_context_set_diagnostic_handler(ctx, echo_report_diagnostic, NULL);
  return ctx;
}

EchoPassRegistry *echo_report_create_registry(void)
{
  EchoPassRegistry *registry = echo_pass_registry_create();
  echo_register_all(NULL, registry);
  return registry;
}
