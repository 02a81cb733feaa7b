/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MLIR's quant dialect, for its types alone: StableHLO's tensors may have quantized elements, which
 * are kept as text. */
#include "dialects/dialects.h"
#include "dialects/quant/quant_t.h"

const EchoDialect ECHO_QUANT_DIALECT = {
    .name = "quant",
    .summary = "quantized element types; kept as they are",
    .check_type = echo_quant_check_type,
    .canonical_type = echo_quant_canonical_type,
};
