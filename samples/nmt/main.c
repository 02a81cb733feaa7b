/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Neural machine translation on Echo. */
#include <stdlib.h>

#include "samples/common/ranks.h"
#include "samples/nmt/commands.h"

int main(int argc, char **argv)
{
  NmtOptions options;
  switch (nmt_options_parse(argc, argv, &options)) {
  case ECHO_PARSE_EXIT:
    return EXIT_SUCCESS;
  case ECHO_PARSE_ERROR:
    return EXIT_FAILURE;
  case ECHO_PARSE_OK:
    break;
  }
  if (options.plan_only)
    return nmt_plan_only(&options);
  if (options.emit != NULL)
    return nmt_emit(&options);
  if (options.dump_feed != NULL)
    return nmt_dump_feed(&options);
  if (options.demo)
    return nmt_demo(&options);
  if (!sample_ranks_start("nmt", options.data_parallel, options.limit_s, argc, argv))
    return EXIT_FAILURE;
  int status = nmt_train(&options);
  sample_ranks_end(status == EXIT_SUCCESS);
  return status;
}
