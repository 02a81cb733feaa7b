/* gpu to LLVM's NVVM intrinsics. */
#include "codegen/emit.h"

const EchoEmitRow ECHO_EMIT_GPU[] = {{NULL, NULL}};
