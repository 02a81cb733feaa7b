/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The safetensors format: a JSON header, then the tensors' bytes, little-endian and row-major. A
 * file is taken only when its tensors cover the data exactly, without holes or overlaps, as the
 * format asks.
 *   source   huggingface/safetensors README, "Format" */
#ifndef ECHO_JIT_DATA_SAFETENSORS_H
#define ECHO_JIT_DATA_SAFETENSORS_H

#include "jit/data/tensor_set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The header's "__metadata__": texts by name. */
typedef struct EchoMetadata {
  EchoStr key, value;
} EchoMetadata;
typedef struct EchoMetadataList {
  ECHO_VECTOR(EchoMetadata) list;
  EchoArena arena; /* of texts that were read */
} EchoMetadataList;

void echo_metadata_destroy(EchoMetadataList *metadata);
/* Copies both. */
void echo_metadata_add(EchoMetadataList *metadata, EchoStr key, EchoStr value);
/* Empty when absent (data NULL). */
EchoStr echo_metadata_get(const EchoMetadataList *metadata, const char *key);

/* Appends to *set in the order of the data, and to *metadata (may be NULL). On failure returns
 * false with the reason appended to *error. */
bool echo_safetensors_parse(EchoContext *ctx, EchoStr bytes, EchoTensorSet *set,
                            EchoMetadataList *metadata, EchoBuffer *error);
bool echo_safetensors_read(EchoContext *ctx, const char *path, EchoTensorSet *set,
                           EchoMetadataList *metadata, EchoBuffer *error);
/* Writes atomically: after a crash the old file or the new one is there. metadata may be NULL.
 * Holds the file in memory. */
bool echo_safetensors_write(const char *path, const EchoTensorSet *set,
                            const EchoMetadataList *metadata, EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
