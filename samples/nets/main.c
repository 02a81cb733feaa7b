/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Networks of the papers on memory. */
#include "samples/nets/nets.h"

int main(int argc, char **argv)
{
  const NetProgram program = {"nets", "training steps of the networks of the papers on memory",
                              "resnet50"};
  return net_main(argc, argv, &program);
}
