/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/sent_bytes_t.h"

/* One where none are named: a call that is refused when it runs. */
static double n_members(const EchoAttr *config)
{
  const EchoAttr *size = config != NULL && config->kind == ECHO_ATTR_DICTIONARY
                             ? echo_dictionary_get_or_null(config, "group_size")
                             : NULL;
  bool is_number = size != NULL && size->kind == ECHO_ATTR_INTEGER && size->as.integer.value > 0;
  return is_number ? (double)size->as.integer.value : 1;
}

double echo_all_gather_sent_bytes(const EchoAttr *config, double operand_bytes)
{
  return (n_members(config) - 1) * operand_bytes;
}

double echo_all_reduce_sent_bytes(const EchoAttr *config, double operand_bytes)
{
  return 2 * echo_all_to_all_sent_bytes(config, operand_bytes);
}

double echo_all_to_all_sent_bytes(const EchoAttr *config, double operand_bytes)
{
  double n = n_members(config);
  return (n - 1) / n * operand_bytes;
}

double echo_one_sent_bytes(const EchoAttr *config, double operand_bytes)
{
  return n_members(config) > 1 ? operand_bytes : 0;
}
