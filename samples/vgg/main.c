/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* samples/nets with VGG19 as the default model. */
#include "samples/nets/nets.h"

int main(int argc, char **argv)
{
  return net_main(argc, argv, "vgg", "vgg19");
}
