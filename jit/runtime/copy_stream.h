/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A queue of copies and calls that one thread of its own carries out in order, beside the
 * computation: what a copy engine is to a GPU. The invariant: copies finish in the order in which
 * they were pushed, and what a waited-for copy wrote is visible to whoever waited. Not a thread
 * pool: it divides nothing. */
#ifndef ECHO_JIT_RUNTIME_COPY_STREAM_H
#define ECHO_JIT_RUNTIME_COPY_STREAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoCopyStream EchoCopyStream;
typedef void EchoStreamCall(void *user);

EchoCopyStream *echo_copy_stream_create(void);
/* Waits for what was pushed. NULL allowed. */
void echo_copy_stream_destroy(EchoCopyStream *stream);

/* Begins a copy of n_bytes and returns its number, 1 for the first. Neither range may be written
 * (nor `to` be read) by others until the copy has been waited for. One thread pushes. */
uint64_t echo_copy_stream_push(EchoCopyStream *stream, void *to, const void *from, size_t n_bytes);
/* The same of a call. */
uint64_t echo_copy_stream_push_call(EchoCopyStream *stream, EchoStreamCall *call, void *user);
/* Returns once that copy and all before it are done. */
void echo_copy_stream_wait(EchoCopyStream *stream, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif
