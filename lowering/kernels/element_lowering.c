/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops whose elements need more than the hook of their row: a table by opcode, beside the rows,
 * since what it holds is made of the emitter, which dialects/ does not know. */
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/window_scan.h"
#include "lowering/kernels/lower_kernel_t.h"

static const EchoElementLowering LOWERINGS[ECHO_N_HLO_OPCODES] = {
    [ECHO_HLO_REDUCE] = {.loops = echo_emit_reduce},
    [ECHO_HLO_REDUCE_WINDOW] = {.loops = echo_emit_reduce_window},
    [ECHO_HLO_RNG_BIT_GENERATOR] = {.element = echo_emit_rng_element},
    [ECHO_HLO_MAP] = {.element = echo_emit_map_element},
};

const EchoElementLowering *echo_element_lowering_or_null(const EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_N_HLO_OPCODES)
    return NULL;
  const EchoElementLowering *lowering = &LOWERINGS[opcode];
  return lowering->loops != NULL || lowering->element != NULL ? lowering : NULL;
}

const EchoElementLowering *echo_host_element_lowering_or_null(const EchoOp *op)
{
  static const EchoElementLowering SHORT_WINDOW = {.element = echo_emit_short_window};
  static const EchoElementLowering SHORT_REDUCE = {.element = echo_emit_short_reduce};
  return echo_hlo_is_short_window(op) ? &SHORT_WINDOW
         : echo_is_short_reduce(op)   ? &SHORT_REDUCE
                                      : echo_element_lowering_or_null(op);
}
