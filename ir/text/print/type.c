/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types as text. */
#include "ir/text/dialect_symbol_t.h"
#include "ir/text/print/printer_t.h"

static void append_dims(EchoBuffer *out, const EchoType *type)
{
  for (uint32_t i = 0; i < type->as.shaped.rank; i++) {
    int64_t dim = type->as.shaped.dims[i];
    bool scalable = type->kind == ECHO_TYPE_VECTOR && (type->as.shaped.scalable >> i & 1) != 0;
    if (scalable)
      echo_buffer_append_char(out, '[');
    if (dim == ECHO_DYNAMIC)
      echo_buffer_append_char(out, '?');
    else
      echo_buffer_append_i64(out, dim);
    if (scalable)
      echo_buffer_append_char(out, ']');
    echo_buffer_append_char(out, 'x');
  }
}

static void shaped(EchoAsmPrinter *p, const EchoType *type, const char *keyword)
{
  EchoBuffer *out = p->out;
  echo_buffer_append_c(out, keyword);
  echo_buffer_append_char(out, '<');
  if (type->kind == ECHO_TYPE_UNRANKED_TENSOR || type->kind == ECHO_TYPE_UNRANKED_MEMREF)
    echo_buffer_append_c(out, "*x");
  else
    append_dims(out, type);
  echo_printer_type(p, type->as.shaped.element);
  if (type->as.shaped.encoding != NULL) {
    echo_buffer_append_c(out, ", ");
    echo_printer_attr(p, type->as.shaped.encoding);
  }
  if (type->as.shaped.memory_space != NULL) {
    echo_buffer_append_c(out, ", ");
    echo_printer_attr_with(p, type->as.shaped.memory_space, ECHO_ELIDE_DEFAULT);
  }
  echo_buffer_append_char(out, '>');
}

static void type_list(EchoAsmPrinter *p, const EchoType *const *types, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (i != 0)
      echo_buffer_append_c(p->out, ", ");
    echo_printer_type(p, types[i]);
  }
}

static void function(EchoAsmPrinter *p, const EchoType *type)
{
  const EchoType *const *results = type->as.function.results;
  uint32_t n_results = type->as.function.n_results;
  echo_buffer_append_char(p->out, '(');
  type_list(p, type->as.function.inputs, type->as.function.n_inputs);
  echo_buffer_append_c(p->out, ") -> ");
  bool bare = n_results == 1 && results[0]->kind != ECHO_TYPE_FUNCTION;
  if (!bare)
    echo_buffer_append_char(p->out, '(');
  type_list(p, results, n_results);
  if (!bare)
    echo_buffer_append_char(p->out, ')');
}

static void integer(EchoBuffer *out, const EchoType *type)
{
  if (type->as.integer.signedness == ECHO_SIGNED)
    echo_buffer_append_char(out, 's');
  else if (type->as.integer.signedness == ECHO_UNSIGNED)
    echo_buffer_append_char(out, 'u');
  echo_buffer_append_char(out, 'i');
  echo_buffer_append_u64(out, type->as.integer.width);
}

static void opaque(EchoAsmPrinter *p, const EchoType *type)
{
  EchoBuffer *out = p->out;
  EchoStr text = type->as.opaque.text;
  bool pretty = echo_symbol_is_pretty(text);
  echo_buffer_append_char(out, '!');
  echo_buffer_append_str(out, type->as.opaque.dialect);
  echo_buffer_append_char(out, pretty ? '.' : '<');
  echo_printer_text(p, text, type->as.opaque.parts, type->as.opaque.n_parts);
  if (!pretty)
    echo_buffer_append_char(out, '>');
}

void echo_printer_type_plain(EchoAsmPrinter *p, const EchoType *type)
{
  EchoBuffer *out = p->out;
  switch (type->kind) {
  case ECHO_TYPE_NONE:
    echo_buffer_append_c(out, "none");
    break;
  case ECHO_TYPE_INTEGER:
    integer(out, type);
    break;
  case ECHO_TYPE_INDEX:
    echo_buffer_append_c(out, "index");
    break;
  case ECHO_TYPE_FLOAT:
    echo_buffer_append_c(out, echo_float_name(type->as.float_kind));
    break;
  case ECHO_TYPE_COMPLEX:
    echo_buffer_append_c(out, "complex<");
    echo_printer_type(p, type->as.shaped.element);
    echo_buffer_append_char(out, '>');
    break;
  case ECHO_TYPE_VECTOR:
    shaped(p, type, "vector");
    break;
  case ECHO_TYPE_TENSOR:
  case ECHO_TYPE_UNRANKED_TENSOR:
    shaped(p, type, "tensor");
    break;
  case ECHO_TYPE_MEMREF:
  case ECHO_TYPE_UNRANKED_MEMREF:
    shaped(p, type, "memref");
    break;
  case ECHO_TYPE_FUNCTION:
    function(p, type);
    break;
  case ECHO_TYPE_TUPLE:
    echo_buffer_append_c(out, "tuple<");
    type_list(p, type->as.tuple.elements, type->as.tuple.n_elements);
    echo_buffer_append_char(out, '>');
    break;
  case ECHO_TYPE_OPAQUE:
    opaque(p, type);
    break;
  }
}

void echo_printer_type(EchoAsmPrinter *p, const EchoType *type)
{
  if (p->collecting) {
    echo_aliases_visit_type(&p->aliases, type);
    return;
  }
  if (echo_printer_reuse(p, type))
    return;
  EchoPrinterMark mark = echo_printer_mark(p);
  if (!echo_printer_alias(p, type))
    echo_printer_type_plain(p, type);
  echo_printer_remember(p, type, mark);
}

void echo_print_type(const EchoType *type, EchoBuffer *out)
{
  if (type == NULL || out == NULL)
    return;
  EchoAsmPrinter p = {.out = out, .options.local_scope = true};
  echo_printer_type(&p, type);
}
