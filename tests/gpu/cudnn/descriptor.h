/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Descriptors of the emulated cuDNN: attributes by name, held to what NVIDIA's documentation asks
 * of them when they are set and when a descriptor is finalized. */
#ifndef ECHO_TESTS_GPU_CUDNN_DESCRIPTOR_H
#define ECHO_TESTS_GPU_CUDNN_DESCRIPTOR_H

#include "tests/gpu/cudnn/kernel.h"

enum { NO_KNOB = -1, MAX_ATTRIBUTES = 8, MAX_ELEMENTS = 32, MAX_DIMS = 8 };

typedef struct Attribute {
  cudnnBackendAttributeName_t name;
  cudnnBackendAttributeType_t type;
  int64_t n;
  char bytes[MAX_ELEMENTS * 8];
} Attribute;

typedef struct Descriptor {
  cudnnBackendDescriptorType_t type;
  bool is_finalized;
  size_t n_attributes;
  Attribute attributes[MAX_ATTRIBUTES];
  /* What engines, their configurations and plans are of: */
  const struct Descriptor *operation;
  int64_t engine, knob; /* knob: its value; NO_KNOB */
  Kernel kernel;        /* of a plan */
} Descriptor;

size_t element_bytes(cudnnBackendAttributeType_t type);
cudnnStatus_t descriptor_set(Descriptor *descriptor, cudnnBackendAttributeName_t name,
                             cudnnBackendAttributeType_t type, int64_t n, const void *elements);
/* Of a finalized descriptor; *n becomes how many there are, of which n_wanted are written. */
cudnnStatus_t descriptor_get(const Descriptor *descriptor, cudnnBackendAttributeName_t name,
                             cudnnBackendAttributeType_t type, int64_t n_wanted, int64_t *n,
                             void *elements);
const Attribute *find_or_null(const Descriptor *descriptor, cudnnBackendAttributeName_t name);
/* Of attributes that are there. */
int64_t get_int(const Descriptor *descriptor, cudnnBackendAttributeName_t name, size_t i);
int get_enum(const Descriptor *descriptor, cudnnBackendAttributeName_t name);
Descriptor *get_descriptor(const Descriptor *descriptor, cudnnBackendAttributeName_t name);

/* What holds of a descriptor by itself: all that it needs is there, and fits. */
cudnnStatus_t descriptor_check(const Descriptor *descriptor);
/* The shape of an operation that has been finalized, or is being. */
cudnnStatus_t read_shape(const Descriptor *operation, Shape *shape);
/* x, w, y of an operation. */
void operands_of(const Descriptor *operation, const Descriptor *operands[3]);

#endif
