/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/version.h"

int echo_version(void)
{
  return ECHO_VERSION;
}

const char *echo_version_text(void)
{
  return ECHO_VERSION_TEXT;
}
