/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host tensors by name, in the order they were added: what data files (.npy, .npz, .safetensors)
 * hold. The set owns its tensors and names; a name stands once. */
#ifndef ECHO_JIT_DATA_TENSOR_SET_H
#define ECHO_JIT_DATA_TENSOR_SET_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vector.h"
#include "ir/attributes/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoNamedTensor {
  EchoStr name; /* NUL-terminated */
  EchoTensor *tensor;
} EchoNamedTensor;

/* A zero-initialised set is empty and ready. */
typedef struct EchoTensorSet {
  ECHO_VECTOR(EchoNamedTensor) list;
  EchoStringMap by_name; /* index in list */
  EchoArena arena;
} EchoTensorSet;

/* Takes the tensor. False when the name is there already: the tensor is still the caller's then. */
bool echo_tensor_set_add(EchoTensorSet *set, EchoStr name, EchoTensor *tensor);
EchoTensor *echo_tensor_set_get_or_null(const EchoTensorSet *set, EchoStr name);
void echo_tensor_set_destroy(EchoTensorSet *set);

/* Reads what `path` holds by its first bytes: .npz (each array under its name), .npy (one, under
 * `lone_name`), else .safetensors. Appends to *set. On failure returns false with the reason
 * appended to *error. */
bool echo_tensor_set_read(EchoContext *ctx, const char *path, EchoStr lone_name, EchoTensorSet *set,
                          EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
