/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a module at stage loops to what the runtime is handed. Private to jit/. */
#ifndef ECHO_JIT_IMAGE_T_H
#define ECHO_JIT_IMAGE_T_H

#include "codegen/codegen.h"
#include "jit/runtime/image.h"

/* Whether `what` ("an executable") can be made of `module`: not NULL, of `ctx`, at stage loops. */
bool echo_image_check_module(EchoContext *ctx, const EchoOp *module, const char *what);
/* PTX for `target`, and the launch shape of each entry. Needs no GPU. False after diagnostics; the
 * image is destroyed by the caller either way. */
bool echo_image_for_gpu(EchoContext *ctx, EchoOp *module, const char *target, EchoImage *image);
/* Machine code of the host, loaded into this process. As above. */
bool echo_image_for_host(EchoContext *ctx, EchoOp *module, const EchoCodegenOptions *options,
                         EchoImage *image);

#endif
