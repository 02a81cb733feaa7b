/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What NVIDIA's own tools make of our PTX, where they are on PATH: ptxas, nvdisasm. */
#ifndef ECHO_TOOLS_ECHO_TRANSLATE_PTXAS_H
#define ECHO_TOOLS_ECHO_TRANSLATE_PTXAS_H

#include "base/string.h"

/* Machine code for `target` (sm_80 …) into `cubin`, what ptxas -v says into `report`. False after
 * an error, told in *error. */
bool echo_ptxas(EchoStr ptx, const char *target, EchoBuffer *cubin, EchoBuffer *report,
                EchoBuffer *error);
/* The machine code as text. */
bool echo_nvdisasm(EchoStr cubin, EchoBuffer *sass, EchoBuffer *error);
/* The PTX with a comment above each kernel that says what `report` does of it: registers, shared
 * memory with what the launch asks for, spills, and the share of a multiprocessor's warps that fit
 * at once on `target`. */
void echo_ptxas_annotate(EchoStr ptx, EchoStr report, const char *target, EchoBuffer *out);

#endif
