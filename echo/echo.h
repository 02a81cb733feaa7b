/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Echo in a program of one's own: #include <echo/echo.h>, link Echo::jit (docs/embedding.md has
 * whole programs). In the order in which a program meets them:
 *
 *   context      echo_context_create, echo_context_set_diagnostic_handler: owns types, attributes,
 *                ops and what was said about them; one thread at a time
 *   registry     echo_pass_registry_create, echo_register_all: all dialects and passes
 *   module       echo_parse_file_or_null, echo_parse_text_or_null, or echo_func_build_module and
 *                the builders, echo_hlo_… and echo_nn_…; echo_verify; echo_print_op
 *   compile      echo_compile_pipeline, echo_compile_to_stage; echo_compile_or_null gives an
 *                executable, echo_compile_ptx the text of its kernels on a GPU, echo_bundle_create
 *                a file that echo_bundle_load_or_null makes an executable of
 *   run          echo_device_create_cpu, echo_device_buffer_create_or_null, …_write, …_read;
 *                echo_executable_execute
 *
 * Whatever fails returns false or NULL, and the reason is among the context's diagnostics. Who
 * calls …_create calls …_destroy; ops, types and attributes go with their context. Executables are
 * destroyed before their context and device, buffers before their device. Not here: what passes
 * and plugins are written with, see <echo/jit/driver/plugin.h>. */
#ifndef ECHO_ECHO_ECHO_H
#define ECHO_ECHO_ECHO_H

#include "base/version.h"
#include "dialects/func/build.h"
#include "dialects/nn/build.h"
#include "dialects/stablehlo/build.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/bundle.h"
#include "jit/compile.h"
#include "jit/driver/register.h"
#include "jit/runtime/bundle/bundle.h"

#endif
