/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a row's print hook calls. */
#include "ir/text/print/printer_t.h"

EchoBuffer *echo_asm_out(EchoAsmPrinter *printer)
{
  return printer->out;
}

void echo_asm_print(EchoAsmPrinter *printer, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(printer->out, format, arguments);
  va_end(arguments);
}

void echo_asm_print_value(EchoAsmPrinter *printer, const EchoValue *value)
{
  echo_printer_value(printer, value);
}

void echo_asm_print_operands(EchoAsmPrinter *printer, const EchoOp *op, size_t begin, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (i != 0)
      echo_buffer_append_c(printer->out, ", ");
    echo_printer_value(printer, op->operands[begin + i].value);
  }
}

void echo_asm_print_typed_operands(EchoAsmPrinter *printer, const EchoOp *op)
{
  if (op->n_operands == 0)
    return;
  echo_buffer_append_char(printer->out, ' ');
  echo_asm_print_operands(printer, op, 0, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    echo_buffer_append_c(printer->out, i == 0 ? " : " : ", ");
    echo_printer_type(printer, echo_op_operand_type(op, i));
  }
}

void echo_asm_print_type(EchoAsmPrinter *printer, const EchoType *type)
{
  echo_printer_type(printer, type);
}

void echo_asm_print_attr(EchoAsmPrinter *printer, const EchoAttr *attr)
{
  echo_printer_attr(printer, attr);
}

void echo_asm_print_attr_without_type(EchoAsmPrinter *printer, const EchoAttr *attr)
{
  echo_printer_attr_with(printer, attr, ECHO_ELIDE_ALWAYS);
}

void echo_asm_print_symbol(EchoAsmPrinter *printer, EchoStr name)
{
  echo_printer_symbol(printer->out, name);
}

static bool is_elided(EchoStr name, const char *const *elided)
{
  for (; elided != NULL && *elided != NULL; elided++)
    if (echo_str_is(name, *elided))
      return true;
  return false;
}

void echo_asm_print_newline(EchoAsmPrinter *printer)
{
  echo_buffer_append_char(printer->out, '\n');
  echo_printer_indent(printer);
}

const EchoNamedAttr *echo_printer_next_of_both(const EchoAttr *const dictionaries[2], size_t at[2])
{
  const EchoNamedAttr *next = NULL;
  size_t from = 0;
  for (size_t i = 0; i < 2; i++) {
    if (dictionaries[i] == NULL || at[i] >= dictionaries[i]->as.dictionary.size)
      continue;
    const EchoNamedAttr *entry = &dictionaries[i]->as.dictionary.entries[at[i]];
    if (next == NULL || echo_str_compare(entry->name, next->name) < 0) {
      next = entry;
      from = i;
    }
  }
  at[from] += next != NULL;
  return next;
}

/* Properties and discardable attributes merged in the order of their names. */
static void attr_dict(EchoAsmPrinter *p, const EchoOp *op, const char *const *elided,
                      const char *prefix)
{
  const EchoAttr *const dictionaries[2] = {op->properties, op->attrs};
  size_t at[2] = {0, 0};
  const EchoNamedAttr *next;
  bool any = false;
  while ((next = echo_printer_next_of_both(dictionaries, at)) != NULL) {
    if (is_elided(next->name, elided))
      continue;
    echo_buffer_append_c(p->out, any ? ", " : prefix);
    echo_printer_named_attr(p, next);
    any = true;
  }
  if (any)
    echo_buffer_append_char(p->out, '}');
}

void echo_asm_print_attr_dict(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided)
{
  attr_dict(printer, op, elided, " {");
}

void echo_asm_print_attr_dict_with_keyword(EchoAsmPrinter *printer, const EchoOp *op,
                                           const char *const *elided)
{
  attr_dict(printer, op, elided, " attributes {");
}

void echo_asm_print_region(EchoAsmPrinter *printer, const EchoRegion *region, bool print_entry_args,
                           bool print_terminator)
{
  echo_printer_region(printer, region, print_entry_args, print_terminator);
}

void echo_asm_print_successor(EchoAsmPrinter *printer, const EchoBlock *block)
{
  echo_printer_block_name(printer, block);
}

void echo_asm_print_loc(EchoAsmPrinter *printer, EchoLoc loc)
{
  echo_printer_argument_loc(printer, loc);
}

void echo_asm_print_functional_type(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_printer_functional_type(printer, op);
}
