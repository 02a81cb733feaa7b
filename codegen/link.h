/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects of a module's kernels as one piece of code that can lie anywhere: what refers to
 * itself is resolved, and what cannot be is a list of cells, to be filled in where the code is
 * loaded. No linker is needed, and no loader that knows objects. */
#ifndef ECHO_CODEGEN_LINK_H
#define ECHO_CODEGEN_LINK_H

#include "base/vector.h"
#include "codegen/codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Eight bytes of the code that hold an address: of function number `import` among
 * ECHO_KERNEL_IMPORTS, or, where that is -1, of the code itself, `offset_of` bytes from its start.
 */
typedef struct EchoCodeCell {
  uint64_t where;
  int64_t import;
  uint64_t offset_of;
} EchoCodeCell;

/* Begins at a multiple of this. */
enum { ECHO_CODE_ALIGNMENT = 4096 };

typedef struct EchoLinkedCode {
  EchoBuffer bytes;
  ECHO_VECTOR(EchoCodeCell) cells;
  ECHO_VECTOR(uint64_t)
  phases; /* where each begins: all of the first kernel, then the next one's */
} EchoLinkedCode;

/* False after a diagnostic at the kernel whose object asks for what cannot be resolved; *code is
 * empty then. O(bytes). */
bool echo_codegen_link(EchoContext *ctx, const EchoCompiledModule *compiled, EchoLinkedCode *code);
void echo_linked_code_destroy(EchoLinkedCode *code);

#ifdef __cplusplus
}
#endif

#endif
