/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How builtin's attributes and types are read: a code, then the parts. */
#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/reader_t.h"
#include "ir/context_t.h"

/* ---- parts ---- */

static bool read_kind(EchoBytecodeReader *reader, EchoAttrKind kind, const char *what,
                      const EchoAttr **attr)
{
  return echo_bytecode_read_attr(reader, attr) &&
         ((*attr)->kind == kind ||
          echo_bytecode_error(reader, "what is no %s where one belongs", what));
}

static bool read_string_attr(EchoBytecodeReader *reader, EchoStr *string)
{
  const EchoAttr *attr;
  if (!read_kind(reader, ECHO_ATTR_STRING, "string", &attr))
    return false;
  *string = attr->as.string;
  return true;
}

static bool read_loc(EchoBytecodeReader *reader, const EchoAttr **loc)
{
  return read_kind(reader, ECHO_ATTR_LOCATION, "location", loc);
}

static bool read_shaped_type(EchoBytecodeReader *reader, const EchoType **type)
{
  return echo_bytecode_read_type(reader, type) &&
         (echo_type_is_shaped(*type) || echo_bytecode_error(reader, "a type without a shape"));
}

/* Words of a number above 64 bits, as many as are not zero; room for `n_words`. */
static bool read_words(EchoBytecodeReader *reader, uint64_t *words, size_t n_words)
{
  size_t n;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  if (n > n_words)
    return echo_bytecode_error(reader, "a number of %zu words where %zu fit", n, n_words);
  for (size_t i = 0; i < n_words; i++) {
    int64_t word = 0;
    if (i < n && !echo_bytecode_read_signed(reader, &word))
      return false;
    words[i] = (uint64_t)word;
  }
  return true;
}

/* ---- attributes ---- */

static bool read_dictionary(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  size_t n;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  EchoNamedAttr *entries = ECHO_ARENA_ARRAY(&reader->file->memory, EchoNamedAttr, n + 1);
  for (size_t i = 0; i < n; i++)
    if (!read_string_attr(reader, &entries[i].name) ||
        !echo_bytecode_read_attr(reader, &entries[i].value))
      return false;
  *attr = echo_attr_dictionary(reader->file->ctx, entries, n);
  return *attr != NULL;
}

static bool read_symbol(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoStr root;
  const EchoAttr *const *parts;
  size_t n;
  if (!read_string_attr(reader, &root) || !echo_bytecode_read_attrs(reader, &parts, &n))
    return false;
  EchoStr *nested = ECHO_ARENA_ARRAY(&reader->file->memory, EchoStr, n + 1);
  for (size_t i = 0; i < n; i++) {
    if (parts[i]->kind != ECHO_ATTR_SYMBOL_REF)
      return echo_bytecode_error(reader, "a nested symbol that is none");
    nested[i] = parts[i]->as.symbol.root;
  }
  *attr = echo_attr_symbol_nested(reader->file->ctx, root, nested, n);
  return true;
}

static bool read_integer(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *type;
  if (!echo_bytecode_read_type(reader, &type))
    return false;
  EchoContext *ctx = reader->file->ctx;
  uint32_t width = type->kind == ECHO_TYPE_INTEGER ? type->as.integer.width : 64;
  if (type->kind != ECHO_TYPE_INTEGER && type->kind != ECHO_TYPE_INDEX)
    return echo_bytecode_error(reader, "an integer of type %s", echo_type_text(ctx, type));
  if (width > 64) {
    size_t n_words = (width + 63) / 64;
    uint64_t *words = ECHO_ARENA_ARRAY(&reader->file->memory, uint64_t, n_words);
    if (!read_words(reader, words, n_words))
      return false;
    *attr = echo_attr_integer_words(ctx, type, words);
    return true;
  }
  uint64_t value;
  if (!echo_bytecode_read_int(reader, width, &value))
    return false;
  *attr = echo_attr_integer(ctx, type, (int64_t)value);
  return true;
}

static bool read_float(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *type;
  if (!echo_bytecode_read_type(reader, &type))
    return false;
  EchoContext *ctx = reader->file->ctx;
  if (type->kind != ECHO_TYPE_FLOAT)
    return echo_bytecode_error(reader, "a float of type %s", echo_type_text(ctx, type));
  uint32_t width = echo_float_bit_width(type->as.float_kind);
  uint64_t words[2] = {0, 0};
  if (width > 64 ? !read_words(reader, words, 2)
                 : !echo_bytecode_read_int(reader, width, &words[0]))
    return false;
  if (width < 64)
    words[0] &= (UINT64_C(1) << width) - 1;
  *attr = width > 64 ? echo_attr_float_words(ctx, type, words)
                     : echo_attr_float_bits(ctx, type, words[0]);
  return *attr != NULL;
}

static bool read_file_loc(EchoBytecodeReader *reader, bool is_range, const EchoAttr **attr)
{
  EchoStr file;
  uint64_t places[4] = {0, 0, 0, 0};
  size_t n = 2;
  if (!read_string_attr(reader, &file) || (is_range && !echo_bytecode_read_count(reader, &n)))
    return false;
  if (n > 4)
    return echo_bytecode_error(reader, "a place of %zu numbers", n);
  for (size_t i = 0; i < n; i++) {
    if (!echo_bytecode_read_varint(reader, &places[i]))
      return false;
    if (places[i] > UINT32_MAX)
      return echo_bytecode_error(reader, "a line or column above 32 bits");
  }
  uint32_t line = (uint32_t)places[0], column = (uint32_t)places[1];
  if (n <= 2)
    *attr = echo_attr_location_file(reader->file->ctx, file, line, column);
  else if (n == 3) /* line:column to :end_column */
    *attr =
        echo_attr_location_range(reader->file->ctx, file, line, column, line, (uint32_t)places[2]);
  else
    *attr = echo_attr_location_range(reader->file->ctx, file, line, column, (uint32_t)places[2],
                                     (uint32_t)places[3]);
  return true;
}

static bool read_fused(EchoBytecodeReader *reader, bool has_metadata, const EchoAttr **attr)
{
  const EchoAttr *const *parts, *metadata = NULL;
  size_t n;
  if (!echo_bytecode_read_attrs(reader, &parts, &n) ||
      (has_metadata && !echo_bytecode_read_attr(reader, &metadata)))
    return false;
  for (size_t i = 0; i < n; i++)
    if (parts[i]->kind != ECHO_ATTR_LOCATION)
      return echo_bytecode_error(reader, "a fused location of what is none");
  *attr = echo_attr_location_fused(reader->file->ctx, parts, n, metadata);
  return true;
}

static bool read_location(EchoBytecodeReader *reader, AttrCode code, const EchoAttr **attr)
{
  EchoContext *ctx = reader->file->ctx;
  const EchoAttr *a, *b;
  EchoStr name;
  switch (code) {
  case CODE_CALL_SITE:
    if (!read_loc(reader, &a) || !read_loc(reader, &b))
      return false;
    *attr = echo_attr_location_call_site(ctx, a, b);
    return true;
  case CODE_FILE:
  case CODE_FILE_RANGE:
    return read_file_loc(reader, code == CODE_FILE_RANGE, attr);
  case CODE_FUSED:
  case CODE_FUSED_WITH_METADATA:
    return read_fused(reader, code == CODE_FUSED_WITH_METADATA, attr);
  case CODE_NAME:
    if (!read_string_attr(reader, &name) || !read_loc(reader, &a))
      return false;
    *attr = echo_attr_location_name(ctx, name, a);
    return true;
  default:
    *attr = echo_attr_location_unknown(ctx);
    return true;
  }
}

static bool read_dense_resource(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *type;
  size_t key;
  if (!read_shaped_type(reader, &type) ||
      !echo_bytecode_read_index(reader, reader->file->n_resources, "resource", &key))
    return false;
  *attr = echo_attr_dense_resource(reader->file->ctx, type, reader->file->resources[key]);
  return true;
}

static bool read_dense_array(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *element;
  uint64_t n;
  EchoStr data;
  if (!echo_bytecode_read_type(reader, &element) || !echo_bytecode_read_varint(reader, &n) ||
      !echo_bytecode_read_blob(reader, &data))
    return false;
  uint32_t bytes = echo_type_element_bytes(element);
  bool is_scalar = element->kind == ECHO_TYPE_INTEGER || element->kind == ECHO_TYPE_FLOAT;
  if (!is_scalar || bytes == 0 || n != data.size / bytes || data.size % bytes != 0)
    return echo_bytecode_error(reader, "an array of %llu elements of type %s in %zu bytes",
                               (unsigned long long)n, echo_type_text(reader->file->ctx, element),
                               data.size);
  *attr =
      echo_attr_dense_array(reader->file->ctx, element, data.size != 0 ? data.data : "", (size_t)n);
  return true;
}

static bool read_dense_elements(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *type;
  EchoStr data;
  return read_shaped_type(reader, &type) && echo_bytecode_read_blob(reader, &data) &&
         echo_bytecode_elements(reader, type, data, attr);
}

static bool read_dense_strings(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *type;
  uint64_t is_splat;
  int64_t n = 1;
  if (!read_shaped_type(reader, &type) || !echo_bytecode_read_varint(reader, &is_splat))
    return false;
  if (is_splat == 0 &&
      (!echo_type_n_elements(type, &n) || (uint64_t)n > echo_bytecode_left(reader)))
    return echo_bytecode_error(reader, "strings for type %s",
                               echo_type_text(reader->file->ctx, type));
  const EchoAttr **strings =
      ECHO_ARENA_ARRAY(&reader->file->memory, const EchoAttr *, (size_t)n + 1);
  for (int64_t i = 0; i < n; i++) {
    EchoStr string;
    if (!echo_bytecode_read_string(reader, &string))
      return false;
    strings[i] = echo_attr_string(reader->file->ctx, string);
  }
  *attr = echo_attr_dense_strings(reader->file->ctx, type, strings, (size_t)n);
  return true;
}

static bool read_sparse(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const EchoType *type;
  const EchoAttr *indices, *values;
  if (!read_shaped_type(reader, &type) ||
      !read_kind(reader, ECHO_ATTR_DENSE_ELEMENTS, "dense elements", &indices) ||
      !read_kind(reader, ECHO_ATTR_DENSE_ELEMENTS, "dense elements", &values))
    return false;
  *attr = echo_attr_sparse(reader->file->ctx, type, indices, values);
  return *attr != NULL;
}

static bool read_string_with_type(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoStr string;
  const EchoType *type;
  if (!echo_bytecode_read_string(reader, &string) || !echo_bytecode_read_type(reader, &type))
    return false;
  *attr = echo_attr_string_typed(reader->file->ctx, string, type);
  return true;
}

bool echo_bytecode_builtin_attr(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoContext *ctx = reader->file->ctx;
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  const EchoAttr *const *list;
  const EchoType *type;
  EchoStr string;
  size_t n;
  switch (code) {
  case CODE_ARRAY:
    if (!echo_bytecode_read_attrs(reader, &list, &n))
      return false;
    *attr = echo_attr_array(ctx, list, n);
    return true;
  case CODE_DICTIONARY:
    return read_dictionary(reader, attr);
  case CODE_STRING:
    if (!echo_bytecode_read_string(reader, &string))
      return false;
    *attr = echo_attr_string(ctx, string);
    return true;
  case CODE_STRING_WITH_TYPE:
    return read_string_with_type(reader, attr);
  case CODE_FLAT_SYMBOL:
    if (!read_string_attr(reader, &string))
      return false;
    *attr = echo_attr_symbol(ctx, string);
    return true;
  case CODE_SYMBOL:
    return read_symbol(reader, attr);
  case CODE_TYPE:
    if (!echo_bytecode_read_type(reader, &type))
      return false;
    *attr = echo_attr_type(ctx, type);
    return true;
  case CODE_UNIT:
    *attr = echo_attr_unit(ctx);
    return true;
  case CODE_INTEGER:
    return read_integer(reader, attr);
  case CODE_FLOAT:
    return read_float(reader, attr);
  case CODE_DENSE_RESOURCE:
    return read_dense_resource(reader, attr);
  case CODE_DENSE_ARRAY:
    return read_dense_array(reader, attr);
  case CODE_DENSE_ELEMENTS:
    return read_dense_elements(reader, attr);
  case CODE_DENSE_STRINGS:
    return read_dense_strings(reader, attr);
  case CODE_SPARSE:
    return read_sparse(reader, attr);
  case CODE_DISTINCT:
    if (!echo_bytecode_read_attr(reader, attr))
      return false;
    *attr = echo_attr_distinct(ctx, reader->file->n_distinct++, *attr);
    return true;
  case CODE_CALL_SITE:
  case CODE_FILE:
  case CODE_FUSED:
  case CODE_FUSED_WITH_METADATA:
  case CODE_NAME:
  case CODE_UNKNOWN:
  case CODE_FILE_RANGE:
    return read_location(reader, (AttrCode)code, attr);
  default:
    return echo_bytecode_error(reader, "builtin has no attribute of code %llu",
                               (unsigned long long)code);
  }
}

/* ---- types ---- */

static bool check_shape(EchoBytecodeReader *reader, const int64_t *dims, size_t rank)
{
  if (rank > ECHO_MAX_RANK)
    return echo_bytecode_error(reader, "a shape of rank %zu", rank);
  for (size_t i = 0; i < rank; i++)
    if (dims[i] < 0 && dims[i] != ECHO_DYNAMIC)
      return echo_bytecode_error(reader, "a dimension of %lld", (long long)dims[i]);
  return true;
}

static bool is_identity(const EchoAttr *layout)
{
  if (layout->kind != ECHO_ATTR_AFFINE_MAP || layout->as.affine.n_symbols != 0 ||
      layout->as.affine.n_results != layout->as.affine.n_dims)
    return false;
  for (uint32_t i = 0; i < layout->as.affine.n_results; i++)
    if (layout->as.affine.results[i]->kind != ECHO_AFFINE_DIM ||
        layout->as.affine.results[i]->value != i)
      return false;
  return true;
}

static bool read_integer_type(EchoBytecodeReader *reader, const EchoType **type)
{
  uint64_t bits;
  if (!echo_bytecode_read_varint(reader, &bits))
    return false;
  if (bits >> 2 > ECHO_MAX_INTEGER_WIDTH || (bits & 3) == 3)
    return echo_bytecode_error(reader, "an integer type of %llu bits",
                               (unsigned long long)(bits >> 2));
  *type = echo_type_integer(reader->file->ctx, (uint32_t)(bits >> 2), (EchoSignedness)(bits & 3));
  return true;
}

static bool read_function_type(EchoBytecodeReader *reader, const EchoType **type)
{
  const EchoType *const *inputs, *const *results;
  size_t n_inputs, n_results;
  if (!echo_bytecode_read_types(reader, &inputs, &n_inputs) ||
      !echo_bytecode_read_types(reader, &results, &n_results))
    return false;
  *type = echo_type_function(reader->file->ctx, inputs, n_inputs, results, n_results);
  return true;
}

static bool read_memref(EchoBytecodeReader *reader, bool has_space, const EchoType **type)
{
  const EchoAttr *space = NULL, *layout;
  const int64_t *dims;
  size_t rank;
  const EchoType *element;
  if ((has_space && !echo_bytecode_read_attr(reader, &space)) ||
      !echo_bytecode_read_signeds(reader, &dims, &rank) || !check_shape(reader, dims, rank) ||
      !echo_bytecode_read_type(reader, &element) || !echo_bytecode_read_attr(reader, &layout))
    return false;
  *type = echo_type_memref(reader->file->ctx, dims, rank, element,
                           is_identity(layout) ? NULL : layout, space);
  return true;
}

bool echo_bytecode_tensor(EchoBytecodeReader *reader, const int64_t *dims, size_t rank,
                          const EchoType *element, const EchoAttr *encoding, const EchoType **type)
{
  EchoBuffer error = {0};
  bool ok = echo_type_check_encoding(reader->file->ctx, encoding, dims, rank, &error) ||
            echo_bytecode_error(reader, "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  *type = ok ? echo_type_tensor(reader->file->ctx, dims, rank, element, encoding) : NULL;
  return *type != NULL;
}

static bool read_tensor(EchoBytecodeReader *reader, bool has_encoding, const EchoType **type)
{
  const EchoAttr *encoding = NULL;
  const int64_t *dims;
  size_t rank;
  const EchoType *element;
  if ((has_encoding && !echo_bytecode_read_attr(reader, &encoding)) ||
      !echo_bytecode_read_signeds(reader, &dims, &rank) || !check_shape(reader, dims, rank) ||
      !echo_bytecode_read_type(reader, &element))
    return false;
  return echo_bytecode_tensor(reader, dims, rank, element, encoding, type);
}

static bool read_vector(EchoBytecodeReader *reader, bool is_scalable, const EchoType **type)
{
  size_t n = 0, rank;
  uint64_t scalable = 0;
  const int64_t *dims;
  const EchoType *element;
  if (is_scalable && !echo_bytecode_read_count(reader, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    uint8_t flag;
    if (!echo_bytecode_read_byte(reader, &flag))
      return false;
    if (flag != 0 && i < ECHO_MAX_RANK)
      scalable |= UINT64_C(1) << i;
  }
  if (!echo_bytecode_read_signeds(reader, &dims, &rank) || !check_shape(reader, dims, rank) ||
      !echo_bytecode_read_type(reader, &element))
    return false;
  *type = echo_type_vector(reader->file->ctx, dims, rank, element, scalable);
  return *type != NULL;
}

static bool read_unranked(EchoBytecodeReader *reader, TypeCode code, const EchoType **type)
{
  EchoContext *ctx = reader->file->ctx;
  const EchoAttr *space = NULL;
  const EchoType *element;
  if ((code == CODE_UNRANKED_MEMREF_IN_SPACE && !echo_bytecode_read_attr(reader, &space)) ||
      !echo_bytecode_read_type(reader, &element))
    return false;
  *type = code == CODE_UNRANKED_TENSOR ? echo_type_unranked_tensor(ctx, element)
                                       : echo_type_unranked_memref(ctx, element, space);
  return true;
}

bool echo_bytecode_builtin_type(EchoBytecodeReader *reader, const EchoType **type)
{
  EchoContext *ctx = reader->file->ctx;
  static const EchoFloatKind FLOATS[] = {ECHO_BF16, ECHO_F16, ECHO_F32,
                                         ECHO_F64,  ECHO_F80, ECHO_F128};
  static const EchoFloatKind LATER_FLOATS[] = {ECHO_TF32,          ECHO_F8E5M2,     ECHO_F8E4M3,
                                               ECHO_F8E4M3FN,      ECHO_F8E5M2FNUZ, ECHO_F8E4M3FNUZ,
                                               ECHO_F8E4M3B11FNUZ, ECHO_F8E3M4,     ECHO_F4E2M1FN,
                                               ECHO_F6E2M3FN,      ECHO_F6E3M2FN,   ECHO_F8E8M0FNU};
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  const EchoType *const *list;
  size_t n;
  switch (code) {
  case CODE_INTEGER_TYPE:
    return read_integer_type(reader, type);
  case CODE_INDEX:
    *type = echo_type_index(ctx);
    return true;
  case CODE_FUNCTION:
    return read_function_type(reader, type);
  case CODE_BF16:
  case CODE_F16:
  case CODE_F32:
  case CODE_F64:
  case CODE_F80:
  case CODE_F128:
    *type = echo_type_float(ctx, FLOATS[code - CODE_BF16]);
    return true;
  case CODE_COMPLEX:
    if (!echo_bytecode_read_type(reader, type))
      return false;
    *type = echo_type_complex(ctx, *type);
    return *type != NULL;
  case CODE_MEMREF:
  case CODE_MEMREF_IN_SPACE:
    return read_memref(reader, code == CODE_MEMREF_IN_SPACE, type);
  case CODE_NONE:
    *type = echo_type_none(ctx);
    return true;
  case CODE_TENSOR:
  case CODE_TENSOR_WITH_ENCODING:
    return read_tensor(reader, code == CODE_TENSOR_WITH_ENCODING, type);
  case CODE_TUPLE:
    if (!echo_bytecode_read_types(reader, &list, &n))
      return false;
    *type = echo_type_tuple(ctx, list, n);
    return true;
  case CODE_UNRANKED_MEMREF:
  case CODE_UNRANKED_MEMREF_IN_SPACE:
  case CODE_UNRANKED_TENSOR:
    return read_unranked(reader, (TypeCode)code, type);
  case CODE_VECTOR:
  case CODE_SCALABLE_VECTOR:
    return read_vector(reader, code == CODE_SCALABLE_VECTOR, type);
  case CODE_TF32:
  case CODE_F8E5M2:
  case CODE_F8E4M3:
  case CODE_F8E4M3FN:
  case CODE_F8E5M2FNUZ:
  case CODE_F8E4M3FNUZ:
  case CODE_F8E4M3B11FNUZ:
  case CODE_F8E3M4:
  case CODE_F4E2M1FN:
  case CODE_F6E2M3FN:
  case CODE_F6E3M2FN:
  case CODE_F8E8M0FNU:
    *type = echo_type_float(ctx, LATER_FLOATS[code - CODE_TF32]);
    return true;
  default:
    return echo_bytecode_error(reader, "builtin has no type of code %llu",
                               (unsigned long long)code);
  }
}
