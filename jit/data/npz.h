/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NumPy's .npz archives: a zip of .npy files, stored or deflated, zip64 where sizes ask for it.
 * Every size and checksum is checked; encrypted, multi-disk and other compressed archives are
 * refused.
 *   source   PKWARE APPNOTE 6.3.9 */
#ifndef ECHO_JIT_DATA_NPZ_H
#define ECHO_JIT_DATA_NPZ_H

#include "jit/data/tensor_set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appends the arrays, named as in NumPy (without ".npy"), to *set. */
bool echo_npz_parse(EchoContext *ctx, EchoStr bytes, EchoTensorSet *set, EchoBuffer *error);

typedef enum EchoNpzCompression { ECHO_NPZ_STORED, ECHO_NPZ_DEFLATED } EchoNpzCompression;

/* Writes atomically. The bytes depend on the set alone: no times. Holds the file in memory. */
bool echo_npz_write(const char *path, const EchoTensorSet *set, EchoNpzCompression compression,
                    EchoBuffer *error);

#ifdef __cplusplus
}
#endif

#endif
