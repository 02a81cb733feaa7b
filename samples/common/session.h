/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every sample needs to start: a context with all dialects whose diagnostics go to standard
 * error, the passes, a clock. */
#ifndef ECHO_SAMPLES_COMMON_SESSION_H
#define ECHO_SAMPLES_COMMON_SESSION_H

#include "base/string.h"
#include "jit/compile.h"

EchoContext *sample_context_create(void);
EchoPassRegistry *sample_passes_create(void);

double sample_now_s(void); /* a monotonic clock */

/* echo_compile_to_stage and echo_compile_or_null, which show on a terminal what they do. */
bool sample_compile_to_stage(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                             EchoStage stage, const EchoCompileOptions *options);
EchoExecutable *sample_compile_or_null(EchoContext *ctx, const EchoPassRegistry *passes,
                                       EchoDevice *device, EchoOp *module,
                                       const EchoCompileOptions *options,
                                       const EchoExecutableOptions *executable);

/* By name (NULL: the host); NULL after a message that begins with the program's name. */
EchoDevice *sample_device_create_or_null(const char *program, const char *name, int64_t n_threads);

/* Buffers whose sizes are the sample's own and right; copies are of the whole buffer. Where the
 * device fails, or has not enough memory, they and sample_execute say so and end the program. */
EchoDeviceBuffer *sample_buffer_create(EchoDevice *device, uint64_t size_bytes);
/* Moves the buffer to the memory that the executable has argument `arg` in, where it is not there:
 * with swaps, state may wait in the host's. */
void sample_buffer_fit(EchoDevice *device, const EchoExecutable *executable, size_t arg,
                       EchoDeviceBuffer **buffer);
void sample_buffer_write(EchoDeviceBuffer *buffer, const void *host);
void sample_buffer_read(const EchoDeviceBuffer *buffer, void *host);
/* One run with as many arguments and results as the executable has. */
void sample_execute(EchoExecutable *executable, EchoDeviceBuffer *const *args,
                    EchoDeviceBuffer **results);

/* Writes the text ("-": standard output). False after a message that begins with the program's
 * name. */
bool sample_write_file(const char *program, const char *path, const EchoBuffer *text);

/* Takes the module to a stage by name and writes its text to `path` (NULL: standard output), with
 * the layers' names as locations when `has_locations`. False after a message. */
bool sample_emit(const char *program, EchoContext *ctx, EchoOp *module, const char *stage,
                 const EchoCompileOptions *options, bool has_locations, const char *path);

#endif
