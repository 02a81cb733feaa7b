/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops that name processes. */
#include "dialects/stablehlo/opcode.h"

bool echo_hlo_is_collective(const EchoOp *op)
{
  if (op == NULL)
    return false;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ALL_GATHER:
  case ECHO_HLO_ALL_REDUCE:
  case ECHO_HLO_ALL_TO_ALL:
  case ECHO_HLO_COLLECTIVE_BROADCAST:
  case ECHO_HLO_COLLECTIVE_PERMUTE:
  case ECHO_HLO_COLLECTIVE_REDUCE:
  case ECHO_HLO_CROSS_REPLICA_SUM:
  case ECHO_HLO_PARTITION_ID:
  case ECHO_HLO_REDUCE_SCATTER:
  case ECHO_HLO_REPLICA_ID:
    return true;
  default:
    return false;
  }
}
