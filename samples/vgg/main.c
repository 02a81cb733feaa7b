/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* samples/nets with VGG19 as the default model. */
#include "samples/nets/nets.h"

int main(int argc, char **argv)
{
  const NetProgram program = {"vgg", "training steps of VGG19, or of another network", "vgg19"};
  return net_main(argc, argv, &program);
}
