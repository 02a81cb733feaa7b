/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a module's arithmetic flushes denormals (base/float_mode.h). It does, as XLA's does on a
 * CPU, unless the module says `echo.denormals = "keep"`: the interpreter, folds, machine code, PTX
 * and the simulator all ask here, so that the bits are one. */
#ifndef ECHO_DIALECTS_INTERFACES_DENORMALS_H
#define ECHO_DIALECTS_INTERFACES_DENORMALS_H

#include "base/float_mode.h"
#include "ir/attributes/element.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For any op of the module. O(depth). */
bool echo_op_flushes_denormals(const EchoOp *op);
/* Says it of a module, or takes it back. */
void echo_module_keep_denormals(EchoOp *module, bool keeps);

/* What arithmetic makes of an element of a format, and what it leaves of a result on its way there:
 * a zero where the thread flushes and the value, rounded to the format, is a denormal of f64 or of
 * f32, which bf16 is computed in. Denormals of other formats are normal in f32. */
double echo_denormal_flushed(EchoFloatKind kind, double value);

#ifdef __cplusplus
}
#endif

#endif
