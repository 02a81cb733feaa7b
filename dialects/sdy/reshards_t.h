/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text of the ops that Shardy's own passes leave in a program: how a value comes to lie in another
 * way, by which collective, edges along which shardings went, calls that were taken in. */
#ifndef ECHO_DIALECTS_SDY_RESHARDS_T_H
#define ECHO_DIALECTS_SDY_RESHARDS_T_H

#include "ir/text/asm.h"

/* "<…>" as the attribute #sdy.mnemonic<…>, which may stand there whole. */
bool echo_sdy_parse_stripped(EchoAsmParser *parser, const char *name, const char *mnemonic);
void echo_sdy_print_stripped(EchoAsmPrinter *printer, const EchoOp *op, const char *name);

/* sdy.NAME axes %tensor out_sharding=<@mesh, …> {…} : type, where axes are written as the attribute
 * #sdy<mnemonic axes> is. */
#define ECHO_SDY_RESHARD_TEXT(name)                                                                \
  bool echo_sdy_parse_##name(EchoAsmParser *parser);                                               \
  void echo_sdy_print_##name(EchoAsmPrinter *printer, const EchoOp *op);
ECHO_SDY_RESHARD_TEXT(all_gather)
ECHO_SDY_RESHARD_TEXT(all_reduce)
ECHO_SDY_RESHARD_TEXT(all_slice)
ECHO_SDY_RESHARD_TEXT(all_to_all)
ECHO_SDY_RESHARD_TEXT(collective_permute)
ECHO_SDY_RESHARD_TEXT(reduce_scatter)
ECHO_SDY_RESHARD_TEXT(replicated_to_unreduced)
ECHO_SDY_RESHARD_TEXT(sharded_to_unreduced)

/* sdy.data_flow_edge %input sharding=<@mesh, …> {…} : type, without a sharding too */
ECHO_SDY_RESHARD_TEXT(edge)
/* sdy.named_computation<"name">(%a) in_shardings=[…] out_shardings=[…] (%b: type) {…} {…} : (type)
 * -> type, without shardings too */
ECHO_SDY_RESHARD_TEXT(named)

#endif
