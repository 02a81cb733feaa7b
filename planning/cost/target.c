/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/cost/target.h"

/* Below sm_75 today's ptxas refuses what LLVM writes; above sm_90 the driver takes PTX of an
 * earlier one. A GPU without a model of its own takes that of its nearest relative. */
static const EchoTargetInfo TARGETS[] = {
    {"cpu", false, false, 0, "cpu-2core-avx512"},
    {"sm_75", true, false, 64 << 10, "gpu-a100-40g"},
    {"sm_80", true, true, 163 << 10, "gpu-a100-40g"},
    {"sm_86", true, true, 99 << 10, "gpu-a100-40g"},
    {"sm_87", true, true, 163 << 10, "gpu-a100-40g"},
    {"sm_89", true, true, 99 << 10, "gpu-a100-40g"},
    {"sm_90", true, true, 227 << 10, "gpu-h100-80g"},
};
enum { N_TARGETS = sizeof TARGETS / sizeof TARGETS[0] };

const EchoTargetInfo *echo_target_find_or_null(EchoStr name)
{
  for (size_t i = 0; i < N_TARGETS; ++i)
    if (echo_str_is(name, TARGETS[i].name))
      return &TARGETS[i];
  return NULL;
}

void echo_target_refuse(EchoStr name, EchoBuffer *out)
{
  echo_buffer_printf(out, "'%.*s' is no target: ", ECHO_STR_ARG(name));
  for (size_t i = 0; i < N_TARGETS; ++i)
    echo_buffer_printf(out, "%s%s",
                       i == 0              ? ""
                       : i + 1 < N_TARGETS ? ", "
                                           : " and ",
                       TARGETS[i].name);
  echo_buffer_append_c(out, " are");
}

const EchoTargetInfo *echo_target_load_or_null(EchoContext *ctx, EchoLoc loc, EchoStr name)
{
  const EchoTargetInfo *target = echo_target_find_or_null(name);
  if (target != NULL)
    return target;
  EchoBuffer message = {0};
  echo_target_refuse(name, &message);
  echo_error(ctx, loc, "%s", echo_buffer_c_str(&message));
  echo_buffer_destroy(&message);
  return NULL;
}
