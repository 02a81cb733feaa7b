/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Images of a CSV file, plain or gzip: a row is an image's values, one a place or three, and its
 * class. */
#ifndef ECHO_SAMPLES_NETS_IMAGES_H
#define ECHO_SAMPLES_NETS_IMAGES_H

#include "base/vector.h"
#include "samples/nets/nets.h"

typedef struct NetImages {
  ECHO_VECTOR(float) values; /* [n, Y, X, 1 or 3], mean 0 and deviation 1 over the file */
  ECHO_VECTOR(int32_t) classes;
  int64_t channels;
} NetImages;

/* False, with each row that does not fit the model's images and classes as a line of *error. */
bool net_images_read(NetImages *images, const NetConfig *config, const char *path,
                     EchoBuffer *error);
void net_images_destroy(NetImages *images);

/* A batch drawn from them; gray values go to all three channels. */
void net_images_fill(const NetImages *images, const NetConfig *config, uint64_t seed, float *data,
                     int32_t *labels);

#endif
