/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kinds of kernels, a row each, in the order of EchoKernelKind. */
#include "dialects/kernel/kernel.h"

static const EchoKernelRow KINDS[] = {
    [ECHO_KERNEL_MAP] = {.name = "map",
                         .in_place = ECHO_IN_PLACE_LOOPS,
                         .is_fused = true,
                         .writes_elements = true,
                         .takes_reduction = true,
                         .takes_product = true},
    [ECHO_KERNEL_ROW_REDUCE] = {.name = "row_reduce",
                                .in_place = ECHO_IN_PLACE_LOOPS,
                                .is_fused = true,
                                .writes_elements = true,
                                .writes_rows = true,
                                .takes_rows = true},
    [ECHO_KERNEL_COLUMN_REDUCE] = {.name = "column_reduce",
                                   .in_place = ECHO_IN_PLACE_LOOPS,
                                   .is_fused = true,
                                   .writes_rows = true},
    [ECHO_KERNEL_REDUCE] = {.name = "reduce", .in_place = ECHO_IN_PLACE_LOOPS, .is_fused = true},
    [ECHO_KERNEL_TRANSPOSE] = {.name = "transpose",
                               .in_place = ECHO_IN_PLACE_LOOPS,
                               .is_fused = true,
                               .writes_elements = true},
    [ECHO_KERNEL_CONTRACTION] = {.name = "contraction",
                                 .in_place = ECHO_IN_PLACE_LOOPS,
                                 .is_product = true,
                                 .writes_elements = true},
    [ECHO_KERNEL_CONVOLUTION] = {.name = "convolution",
                                 .in_place = ECHO_IN_PLACE_LOOPS,
                                 .is_product = true,
                                 .writes_elements = true},
    [ECHO_KERNEL_SCATTER] = {.name = "scatter",
                             .in_place = ECHO_IN_PLACE_UPDATE,
                             .takes_scalars = true},
    [ECHO_KERNEL_SORT] = {.name = "sort",
                          .takes_scalars = true,
                          .is_scalar = true,
                          .is_chain = true},
    [ECHO_KERNEL_WINDOW] = {.name = "window",
                            .takes_scalars = true,
                            .is_scalar = true,
                            .is_chain = true},
    [ECHO_KERNEL_RNG] = {.name = "rng", .takes_scalars = true, .is_scalar = true},
    [ECHO_KERNEL_LIBRARY] = {.name = "library"},
    [ECHO_KERNEL_OTHER] = {.name = "other", .takes_scalars = true, .is_scalar = true},
};
_Static_assert(sizeof KINDS / sizeof KINDS[0] == ECHO_N_KERNEL_KINDS, "one row a kind");

const EchoKernelRow *echo_kernel_row(EchoKernelKind kind)
{
  ECHO_CHECK((unsigned)kind < ECHO_N_KERNEL_KINDS, "kernel kind %d", (int)kind);
  return &KINDS[kind];
}

bool echo_kernel_kind_parse(EchoStr name, EchoKernelKind *kind)
{
  for (int i = 0; kind != NULL && name.data != NULL && i < ECHO_N_KERNEL_KINDS; ++i) {
    if (!echo_str_is(name, KINDS[i].name))
      continue;
    *kind = (EchoKernelKind)i;
    return true;
  }
  return false;
}

EchoKernelKind echo_kernel_kind(const EchoOp *func)
{
  EchoKernelKind kind = ECHO_KERNEL_OTHER;
  ECHO_CHECK_OP(echo_kernel_kind_parse(echo_op_attr_string(func, "kind"), &kind), func,
                "kernel without a kind");
  return kind;
}
