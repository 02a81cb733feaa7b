/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/image.h"

void echo_image_destroy(EchoImage *image)
{
  if (image == NULL)
    return;
  if (image->code != NULL)
    image->release(image->code);
  echo_vector_destroy(&image->kernels);
  echo_buffer_destroy(&image->ptx);
  echo_arena_destroy(&image->memory);
  *image = (EchoImage){0};
}
