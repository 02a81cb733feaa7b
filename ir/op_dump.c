/* For a person in a debugger: the one place in ir/ that writes to a stream. */
#include <stdio.h>

#include "ir/op.h"
#include "ir/text.h"

void echo_op_dump(const EchoOp *op)
{
  EchoBuffer text = {0};
  echo_print_op(op, &(EchoPrintOptions){.generic = true, .local_scope = true}, &text);
  fputs(echo_buffer_c_str(&text), stderr);
  echo_buffer_destroy(&text);
}
