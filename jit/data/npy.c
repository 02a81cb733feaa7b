/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/data/npy.h"

enum { MAGIC_BYTES = 6, HEADER_ALIGNMENT = 64, MAX_HEADER_BYTES = 1 << 20 };

/* NumPy's names of our element types. The byte order of one-byte types is "not applicable". */
static const struct {
  EchoElementKind kind;
  char code;
  unsigned bytes;
} KINDS[] = {
    {ECHO_ELEMENT_I1, 'b', 1},   {ECHO_ELEMENT_I8, 'i', 1},   {ECHO_ELEMENT_I16, 'i', 2},
    {ECHO_ELEMENT_I32, 'i', 4},  {ECHO_ELEMENT_I64, 'i', 8},  {ECHO_ELEMENT_UI8, 'u', 1},
    {ECHO_ELEMENT_UI16, 'u', 2}, {ECHO_ELEMENT_UI32, 'u', 4}, {ECHO_ELEMENT_UI64, 'u', 8},
    {ECHO_ELEMENT_F16, 'f', 2},  {ECHO_ELEMENT_BF16, 'V', 2}, {ECHO_ELEMENT_F32, 'f', 4},
    {ECHO_ELEMENT_F64, 'f', 8},
};

enum { N_KINDS = sizeof KINDS / sizeof KINDS[0] };

uint64_t echo_tensor_bytes(const EchoTensor *tensor)
{
  if (tensor == NULL)
    return 0;
  return echo_type_static_bytes(tensor->type);
}

/* ---- the header: a Python dictionary literal ---- */

typedef struct Header {
  EchoStr descr;
  bool has_descr, has_order, has_shape, is_fortran;
  int64_t dims[ECHO_MAX_RANK];
  size_t rank;
} Header;

typedef struct Reader {
  const char *at, *end;
} Reader;

static void skip_space(Reader *reader)
{
  while (reader->at < reader->end &&
         (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t'))
    reader->at++;
}

static bool take(Reader *reader, char c)
{
  skip_space(reader);
  if (reader->at == reader->end || *reader->at != c)
    return false;
  reader->at++;
  return true;
}

static bool take_word(Reader *reader, const char *word)
{
  skip_space(reader);
  size_t size = strlen(word);
  if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
    return false;
  reader->at += size;
  return true;
}

static bool take_string(Reader *reader, EchoStr *string)
{
  skip_space(reader);
  if (reader->at == reader->end || (*reader->at != '\'' && *reader->at != '"'))
    return false;
  char quote = *reader->at++;
  const char *close = memchr(reader->at, quote, (size_t)(reader->end - reader->at));
  if (close == NULL)
    return false;
  *string = (EchoStr){reader->at, (size_t)(close - reader->at)};
  reader->at = close + 1;
  return true;
}

static bool take_dim(Reader *reader, int64_t *dim)
{
  skip_space(reader);
  const char *begin = reader->at;
  while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
    reader->at++;
  if (!echo_str_to_i64((EchoStr){begin, (size_t)(reader->at - begin)}, dim))
    return false;
  take(reader, 'L'); /* as Python 2 wrote long integers */
  return true;
}

static bool take_shape(Reader *reader, Header *header)
{
  if (!take(reader, '('))
    return false;
  while (!take(reader, ')')) {
    if (header->rank == ECHO_MAX_RANK || !take_dim(reader, &header->dims[header->rank++]))
      return false;
    if (take(reader, ','))
      continue;
    return take(reader, ')');
  }
  return true;
}

static bool take_entry(Reader *reader, Header *header)
{
  EchoStr key;
  if (!take_string(reader, &key) || !take(reader, ':'))
    return false;
  if (echo_str_is(key, "descr") && !header->has_descr)
    return header->has_descr = take_string(reader, &header->descr);
  if (echo_str_is(key, "fortran_order") && !header->has_order) {
    header->is_fortran = take_word(reader, "True");
    return header->has_order = header->is_fortran || take_word(reader, "False");
  }
  if (echo_str_is(key, "shape") && !header->has_shape)
    return header->has_shape = take_shape(reader, header);
  return false;
}

static bool parse_header(EchoStr text, Header *header, EchoBuffer *error)
{
  Reader reader = {text.data, text.data + text.size};
  bool ok = take(&reader, '{');
  while (ok && !take(&reader, '}')) {
    ok = take_entry(&reader, header);
    if (ok && !take(&reader, ',')) {
      ok = take(&reader, '}');
      break;
    }
  }
  skip_space(&reader);
  if (ok && reader.at == reader.end && header->has_descr && header->has_order && header->has_shape)
    return true;
  size_t shown = text.size < 100 ? text.size : 100;
  echo_buffer_printf(error, "the array's header is none that holds plain numbers: %.*s", (int)shown,
                     text.data);
  return false;
}

/* "<f4": order, code, bytes; complex numbers, 'c', are pairs. */
static bool parse_descr(EchoStr descr, EchoElementKind *kind, unsigned *bytes, bool *is_big,
                        bool *is_pair)
{
  if (descr.size < 2)
    return false;
  char order = descr.data[0];
  *is_big = order == '>';
  bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
  EchoStr rest = {descr.data + has_order, descr.size - has_order};
  uint64_t size;
  if (rest.size < 2 || !echo_str_to_u64((EchoStr){rest.data + 1, rest.size - 1}, &size))
    return false;
  *is_pair = rest.data[0] == 'c';
  char code = *is_pair ? 'f' : rest.data[0];
  size = *is_pair ? size / 2 : size;
  if (*is_pair && size != 4 && size != 8)
    return false;
  for (size_t i = 0; i < N_KINDS; i++)
    if (KINDS[i].code == code && KINDS[i].bytes == size) {
      *kind = KINDS[i].kind;
      *bytes = KINDS[i].bytes;
      return true;
    }
  return false;
}

/* ---- the data ---- */

/* One element; the copy takes the opposite byte order when `swap`. */
static void copy_element(char *to, const char *from, unsigned bytes, bool swap)
{
  for (unsigned i = 0; i < bytes; i++)
    to[i] = from[swap ? bytes - 1 - i : i];
}

/* Element at column-major position `i` of the file, of `n_parts` numbers, goes to its row-major
 * place. */
static void copy_fortran(EchoTensor *tensor, const char *from, unsigned bytes, bool swap,
                         int64_t n_parts)
{
  size_t rank = echo_type_rank(tensor->type) - (n_parts != 1);
  const int64_t *dims = tensor->type->as.shaped.dims;
  int64_t strides[ECHO_MAX_RANK], index[ECHO_MAX_RANK] = {0}, place = 0;
  echo_shape_strides(dims, rank, strides);
  char *data = tensor->data;
  for (int64_t i = 0; i < tensor->n_elements / n_parts; i++) {
    for (int64_t k = 0; k < n_parts; k++)
      copy_element(data + (place * n_parts + k) * (int64_t)bytes,
                   from + (i * n_parts + k) * (int64_t)bytes, bytes, swap);
    for (size_t axis = 0; axis < rank; axis++) {
      place += strides[axis];
      if (++index[axis] < dims[axis])
        break;
      place -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
}

static void copy_data(EchoTensor *tensor, const char *from, unsigned bytes, bool is_big,
                      bool is_fortran, bool is_pair)
{
  char *data = tensor->data;
  bool swap = is_big && bytes > 1;
  if (is_fortran && echo_type_rank(tensor->type) > 1)
    copy_fortran(tensor, from, bytes, swap, is_pair ? 2 : 1);
  else if (swap)
    for (int64_t i = 0; i < tensor->n_elements; i++)
      copy_element(data + i * (int64_t)bytes, from + i * (int64_t)bytes, bytes, true);
  else if (tensor->n_elements != 0)
    memcpy(data, from, (size_t)tensor->n_elements * bytes);
  if (tensor->kind == ECHO_ELEMENT_I1)
    for (int64_t i = 0; i < tensor->n_elements; i++)
      data[i] = data[i] != 0;
}

/* Splits the file into header text and data. */
static bool split(EchoStr bytes, EchoStr *header, EchoStr *data, EchoBuffer *error)
{
  const unsigned char *at = (const unsigned char *)bytes.data;
  if (!echo_str_starts_with(bytes, ECHO_NPY_MAGIC) || bytes.size < MAGIC_BYTES + 2) {
    echo_buffer_append_c(error, "no .npy array: it does not start as one");
    return false;
  }
  unsigned version = at[MAGIC_BYTES];
  if (version < 1 || version > 3) {
    echo_buffer_printf(error, "version %u.%u of the .npy format is not known", version,
                       (unsigned)at[MAGIC_BYTES + 1]);
    return false;
  }
  size_t n_length = version == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + n_length, length = 0;
  for (size_t i = n_length; i-- > 0 && start <= bytes.size;)
    length = length << 8 | at[MAGIC_BYTES + 2 + i];
  if (start > bytes.size || length > bytes.size - start || length > MAX_HEADER_BYTES) {
    echo_buffer_append_c(error, "the array is cut off within its header");
    return false;
  }
  *header = (EchoStr){bytes.data + start, length};
  *data = (EchoStr){bytes.data + start + length, bytes.size - start - length};
  return true;
}

EchoTensor *echo_npy_parse_or_null(EchoContext *ctx, EchoStr bytes, EchoBuffer *error)
{
  if (ctx == NULL || bytes.data == NULL) {
    echo_buffer_printf(error, "an array is read: '%s' is NULL", ctx == NULL ? "ctx" : "bytes");
    return NULL;
  }
  EchoStr text, data;
  Header header = {0};
  if (!split(bytes, &text, &data, error) || !parse_header(text, &header, error))
    return NULL;
  EchoElementKind kind;
  unsigned element_bytes;
  bool is_big, is_pair;
  if (!parse_descr(header.descr, &kind, &element_bytes, &is_big, &is_pair)) {
    echo_buffer_printf(error, "arrays of '%.*s' are not supported", ECHO_STR_ARG(header.descr));
    return NULL;
  }
  if (is_pair && header.rank == ECHO_MAX_RANK) {
    echo_buffer_append_c(error, "the array has too many dimensions");
    return NULL;
  }
  if (is_pair)
    header.dims[header.rank++] = 2;
  const EchoType *type =
      echo_type_tensor(ctx, header.dims, header.rank, echo_element_type(ctx, kind), NULL);
  uint64_t n_bytes;
  if (!echo_type_bytes(type, &n_bytes)) {
    echo_buffer_append_c(error, "the array's shape is too large");
    return NULL;
  }
  if (n_bytes != data.size) {
    echo_buffer_printf(error, "the array should have %llu bytes of data and has %zu",
                       (unsigned long long)n_bytes, data.size);
    return NULL;
  }
  EchoTensor *tensor = echo_tensor_create(type, false);
  copy_data(tensor, data.data, element_bytes, is_big, header.is_fortran, is_pair);
  return tensor;
}

/* ---- writing ---- */

static void append_shape(const EchoType *type, EchoBuffer *out)
{
  echo_buffer_append_char(out, '(');
  for (size_t i = 0; i < echo_type_rank(type); i++)
    echo_buffer_printf(out, i == 0 ? "%lld" : ", %lld", (long long)echo_type_dim(type, i));
  echo_buffer_append_c(out, echo_type_rank(type) == 1 ? ",)" : ")");
}

void echo_npy_append_header(const EchoTensor *tensor, EchoBuffer *out)
{
  if (tensor == NULL || out == NULL)
    return;
  size_t which = 0;
  while (which < N_KINDS && KINDS[which].kind != tensor->kind)
    which++;
  ECHO_CHECK(which < N_KINDS, "element kind %d cannot be written", (int)tensor->kind);
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': ",
                     KINDS[which].bytes == 1 ? '|' : '<', KINDS[which].code, KINDS[which].bytes);
  append_shape(tensor->type, &text);
  echo_buffer_append_c(&text, ", }");
  size_t prefix = MAGIC_BYTES + 2 + 2;
  while ((prefix + text.size + 1) % HEADER_ALIGNMENT != 0)
    echo_buffer_append_char(&text, ' ');
  echo_buffer_append_char(&text, '\n'); /* at most 64 dimensions of 20 digits: fits version 1.0 */
  echo_buffer_append(out, ECHO_NPY_MAGIC "\x01", MAGIC_BYTES + 2);
  echo_buffer_append_char(out, (char)(text.size & 0xff));
  echo_buffer_append_char(out, (char)(text.size >> 8));
  echo_buffer_append_str(out, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
}

void echo_npy_append(const EchoTensor *tensor, EchoBuffer *out)
{
  if (tensor == NULL || out == NULL)
    return;
  echo_npy_append_header(tensor, out);
  echo_buffer_append(out, tensor->data, (size_t)echo_tensor_bytes(tensor));
}
