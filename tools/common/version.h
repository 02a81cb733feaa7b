/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One version for all tools. */
#ifndef ECHO_TOOLS_COMMON_VERSION_H
#define ECHO_TOOLS_COMMON_VERSION_H

#define ECHO_VERSION_TEXT "0.1.0 (LLVM 19.1.7)"

#endif
