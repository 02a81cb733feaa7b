/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Networks of the papers on memory. */
#include "samples/nets/nets.h"

int main(int argc, char **argv)
{
  return net_main(argc, argv, "nets", "resnet50");
}
