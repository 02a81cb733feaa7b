/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What one device sends in each collective: EchoCallTarget.sent_bytes. By the number of members of
 * its group, and what is sent whatever the engine (Thakur, Rabenseifner and Gropp 2005). */
#ifndef ECHO_JIT_RUNTIME_SENT_BYTES_T_H
#define ECHO_JIT_RUNTIME_SENT_BYTES_T_H

#include "dialects/kernel/call_target.h"

double echo_all_gather_sent_bytes(const EchoAttr *config, double operand_bytes);
/* A part for each member is combined by it and gathered. */
double echo_all_reduce_sent_bytes(const EchoAttr *config, double operand_bytes);
double echo_all_to_all_sent_bytes(const EchoAttr *config, double operand_bytes);
/* To one other, who hands it on while it comes. */
double echo_one_sent_bytes(const EchoAttr *config, double operand_bytes);

#endif
