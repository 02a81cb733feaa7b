/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How builtin's attributes and types are written: as MLIR encodes them, the rarer ones (integers
 * and floats above 64 bits, maps, memrefs) as their text. */
#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/writer_t.h"

#include "ir/attributes/attribute.h"

static void put(EchoBytecodeWriter *w, uint64_t value)
{
  echo_bytecode_put_varint(w, value);
}

static void put_attr(EchoBytecodeWriter *w, const EchoAttr *attr, EchoBytecodeAs as)
{
  put(w, echo_bytecode_attr_number(w, attr, as));
}

static void put_type(EchoBytecodeWriter *w, const EchoType *type)
{
  put(w, echo_bytecode_type_number(w, type, ECHO_AS_BUILTIN));
}

static void put_string_attr(EchoBytecodeWriter *w, EchoStr string)
{
  put_attr(w, echo_attr_string(w->ctx, string), ECHO_AS_BUILTIN);
}

static void put_attrs(EchoBytecodeWriter *w, const EchoAttr *const *attrs, size_t n)
{
  put(w, n);
  for (size_t i = 0; i < n; i++)
    put_attr(w, attrs[i], ECHO_AS_BUILTIN);
}

static void put_dictionary(EchoBytecodeWriter *w, const EchoAttr *attr, EchoBytecodeAs as)
{
  put(w, CODE_DICTIONARY);
  put(w, attr->as.dictionary.size);
  for (size_t i = 0; i < attr->as.dictionary.size; i++) {
    put_string_attr(w, attr->as.dictionary.entries[i].name);
    put_attr(w, attr->as.dictionary.entries[i].value,
             as == ECHO_AS_MIXED ? ECHO_AS_OWN : ECHO_AS_BUILTIN);
  }
}

static void put_symbol(EchoBytecodeWriter *w, const EchoAttr *attr)
{
  size_t n = attr->as.symbol.n_nested;
  put(w, n == 0 ? CODE_FLAT_SYMBOL : CODE_SYMBOL);
  put_string_attr(w, attr->as.symbol.root);
  if (n == 0)
    return;
  put(w, n);
  for (size_t i = 0; i < n; i++)
    put_attr(w, echo_attr_symbol(w->ctx, attr->as.symbol.nested[i]), ECHO_AS_BUILTIN);
}

static bool put_location(EchoBytecodeWriter *w, const EchoAttr *attr)
{
  const __typeof__(attr->as.location) *loc = &attr->as.location;
  bool is_range = loc->end_line != loc->line || loc->end_column != loc->column;
  switch (loc->kind) {
  case ECHO_LOC_UNKNOWN:
    put(w, CODE_UNKNOWN);
    return true;
  case ECHO_LOC_FILE:
    put(w, is_range ? CODE_FILE_RANGE : CODE_FILE);
    put_string_attr(w, loc->name);
    if (is_range)
      put(w, loc->end_line == loc->line ? 3 : 4);
    put(w, loc->line);
    put(w, loc->column);
    if (is_range && loc->end_line != loc->line)
      put(w, loc->end_line);
    if (is_range)
      put(w, loc->end_column);
    return true;
  case ECHO_LOC_NAME:
    put(w, CODE_NAME);
    put_string_attr(w, loc->name);
    put_attr(w, loc->child, ECHO_AS_BUILTIN);
    return true;
  case ECHO_LOC_CALL_SITE:
    put(w, CODE_CALL_SITE);
    put_attr(w, loc->child, ECHO_AS_BUILTIN);
    put_attr(w, loc->caller, ECHO_AS_BUILTIN);
    return true;
  case ECHO_LOC_FUSED:
    put(w, loc->caller != NULL ? CODE_FUSED_WITH_METADATA : CODE_FUSED);
    put_attrs(w, loc->parts, loc->n_parts);
    if (loc->caller != NULL)
      put_attr(w, loc->caller, ECHO_AS_BUILTIN);
    return true;
  }
  return false;
}

static bool put_number(EchoBytecodeWriter *w, const EchoAttr *attr)
{
  bool is_float = attr->kind == ECHO_ATTR_FLOAT;
  uint32_t width = attr->type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(attr->type);
  if (width > 64)
    return false;
  put(w, is_float ? CODE_FLOAT : CODE_INTEGER);
  put_type(w, attr->type);
  echo_bytecode_put_int(w, width,
                        is_float ? attr->as.floating.bits : (uint64_t)attr->as.integer.value);
  return true;
}

static void put_dense_array(EchoBytecodeWriter *w, const EchoAttr *attr)
{
  size_t bytes = attr->as.dense_array.size * echo_type_element_bytes(attr->as.dense_array.element);
  put(w, CODE_DENSE_ARRAY);
  put_type(w, attr->as.dense_array.element);
  put(w, attr->as.dense_array.size);
  put(w, bytes);
  if (!w->is_numbering)
    echo_buffer_append(w->out, attr->as.dense_array.data, bytes);
}

static bool put_string(EchoBytecodeWriter *w, const EchoAttr *attr)
{
  bool is_typed = attr->type != NULL && attr->type->kind != ECHO_TYPE_NONE;
  put(w, is_typed ? CODE_STRING_WITH_TYPE : CODE_STRING);
  echo_bytecode_put_string(w, attr->as.string);
  if (is_typed)
    put_type(w, attr->type);
  return true;
}

bool echo_bytecode_write_attr(EchoBytecodeWriter *w, const EchoAttr *attr, EchoBytecodeAs as)
{
  if (as == ECHO_AS_OWN) {
    w->is_wrong = !w->form->write_attr(w, attr) || w->is_wrong;
    return true;
  }
  switch (attr->kind) {
  case ECHO_ATTR_ARRAY:
    put(w, CODE_ARRAY);
    put_attrs(w, attr->as.array.elements, attr->as.array.size);
    return true;
  case ECHO_ATTR_DICTIONARY:
    put_dictionary(w, attr, as);
    return true;
  case ECHO_ATTR_STRING:
    return put_string(w, attr);
  case ECHO_ATTR_SYMBOL_REF:
    put_symbol(w, attr);
    return true;
  case ECHO_ATTR_TYPE:
    put(w, CODE_TYPE);
    put_type(w, attr->as.type_value);
    return true;
  case ECHO_ATTR_UNIT:
    put(w, CODE_UNIT);
    return true;
  case ECHO_ATTR_INTEGER:
  case ECHO_ATTR_FLOAT:
    return put_number(w, attr);
  case ECHO_ATTR_DENSE_ARRAY:
    put_dense_array(w, attr);
    return true;
  case ECHO_ATTR_DENSE_ELEMENTS:
    put(w, CODE_DENSE_ELEMENTS);
    put_type(w, attr->type);
    echo_bytecode_put_elements(w, attr);
    return true;
  case ECHO_ATTR_DENSE_RESOURCE:
    put(w, CODE_DENSE_RESOURCE);
    put_type(w, attr->type);
    put(w, echo_bytecode_resource_number(w, attr->as.string));
    return true;
  case ECHO_ATTR_LOCATION:
    return put_location(w, attr);
  default:
    return false;
  }
}

/* ---- types ---- */

static void put_types(EchoBytecodeWriter *w, const EchoType *const *types, size_t n)
{
  put(w, n);
  for (size_t i = 0; i < n; i++)
    put_type(w, types[i]);
}

static bool put_float_type(EchoBytecodeWriter *w, EchoFloatKind kind)
{
  static const struct {
    EchoFloatKind kind;
    TypeCode code;
  } FLOATS[] = {{ECHO_BF16, CODE_BF16}, {ECHO_F16, CODE_F16}, {ECHO_F32, CODE_F32},
                {ECHO_F64, CODE_F64},   {ECHO_F80, CODE_F80}, {ECHO_F128, CODE_F128}};
  for (size_t i = 0; i < sizeof FLOATS / sizeof *FLOATS; i++)
    if (FLOATS[i].kind == kind) {
      put(w, FLOATS[i].code);
      return true;
    }
  return false;
}

static void put_shaped(EchoBytecodeWriter *w, TypeCode code, const EchoAttr *encoding,
                       const EchoType *type)
{
  put(w, code);
  if (encoding != NULL)
    put_attr(w, encoding, ECHO_AS_BUILTIN);
  if (type->kind != ECHO_TYPE_UNRANKED_TENSOR)
    echo_bytecode_put_signeds(w, type->as.shaped.dims, type->as.shaped.rank);
  put_type(w, type->as.shaped.element);
}

bool echo_bytecode_write_type(EchoBytecodeWriter *w, const EchoType *type, EchoBytecodeAs as)
{
  if (as == ECHO_AS_OWN) {
    w->is_wrong = !w->form->write_type(w, type) || w->is_wrong;
    return true;
  }
  switch (type->kind) {
  case ECHO_TYPE_NONE:
    put(w, CODE_NONE);
    return true;
  case ECHO_TYPE_INTEGER:
    put(w, CODE_INTEGER_TYPE);
    put(w, (uint64_t)type->as.integer.width << 2 | type->as.integer.signedness);
    return true;
  case ECHO_TYPE_INDEX:
    put(w, CODE_INDEX);
    return true;
  case ECHO_TYPE_FLOAT:
    return put_float_type(w, type->as.float_kind);
  case ECHO_TYPE_COMPLEX:
    put(w, CODE_COMPLEX);
    put_type(w, type->as.shaped.element);
    return true;
  case ECHO_TYPE_FUNCTION:
    put(w, CODE_FUNCTION);
    put_types(w, type->as.function.inputs, type->as.function.n_inputs);
    put_types(w, type->as.function.results, type->as.function.n_results);
    return true;
  case ECHO_TYPE_TUPLE:
    put(w, CODE_TUPLE);
    put_types(w, type->as.tuple.elements, type->as.tuple.n_elements);
    return true;
  case ECHO_TYPE_TENSOR:
    put_shaped(w, type->as.shaped.encoding != NULL ? CODE_TENSOR_WITH_ENCODING : CODE_TENSOR,
               type->as.shaped.encoding, type);
    return true;
  case ECHO_TYPE_UNRANKED_TENSOR:
    put_shaped(w, CODE_UNRANKED_TENSOR, NULL, type);
    return true;
  case ECHO_TYPE_VECTOR:
    if (type->as.shaped.scalable != 0)
      return false;
    put_shaped(w, CODE_VECTOR, NULL, type);
    return true;
  default:
    return false;
  }
}
