/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/data/safetensors.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "jit/data/npy.h"

enum { LENGTH_BYTES = 8, DATA_ALIGNMENT = 8 };
#define MAX_HEADER_BYTES (UINT64_C(100) << 20) /* the format's own limit */

static const struct {
  const char *name;
  EchoElementKind kind;
} DTYPES[] = {
    {"BOOL", ECHO_ELEMENT_I1},  {"I8", ECHO_ELEMENT_I8},     {"I16", ECHO_ELEMENT_I16},
    {"I32", ECHO_ELEMENT_I32},  {"I64", ECHO_ELEMENT_I64},   {"U8", ECHO_ELEMENT_UI8},
    {"U16", ECHO_ELEMENT_UI16}, {"U32", ECHO_ELEMENT_UI32},  {"U64", ECHO_ELEMENT_UI64},
    {"F16", ECHO_ELEMENT_F16},  {"BF16", ECHO_ELEMENT_BF16}, {"F32", ECHO_ELEMENT_F32},
    {"F64", ECHO_ELEMENT_F64},
};

enum { N_DTYPES = sizeof DTYPES / sizeof DTYPES[0] };

void echo_metadata_destroy(EchoMetadataList *metadata)
{
  if (metadata == NULL)
    return;
  echo_vector_destroy(&metadata->list);
  echo_arena_destroy(&metadata->arena);
}

void echo_metadata_add(EchoMetadataList *metadata, EchoStr key, EchoStr value)
{
  if (metadata == NULL || key.data == NULL || value.data == NULL)
    return;
  EchoStr kept_key = {echo_arena_copy_string(&metadata->arena, key.data, key.size), key.size};
  EchoStr kept = {echo_arena_copy_string(&metadata->arena, value.data, value.size), value.size};
  echo_vector_push(&metadata->list, (EchoMetadata){kept_key, kept});
}

EchoStr echo_metadata_get(const EchoMetadataList *metadata, const char *key)
{
  for (size_t i = 0; metadata != NULL && i < metadata->list.size; i++)
    if (echo_str_is(metadata->list.data[i].key, key))
      return metadata->list.data[i].value;
  return (EchoStr){0};
}

/* ---- reading ---- */

/* One tensor as the header describes it. */
typedef struct Entry {
  EchoStr name;
  const EchoType *type;
  uint64_t begin, end;
} Entry;

typedef ECHO_VECTOR(Entry) EntryList;

static bool wrong(EchoBuffer *error, EchoStr name, const char *what)
{
  echo_buffer_printf(error, "tensor '%.*s' %s", ECHO_STR_ARG(name), what);
  return false;
}

static bool read_u64(const json_t *value, uint64_t *number)
{
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return false;
  *number = (uint64_t)json_integer_value(value);
  return true;
}

static bool read_type(EchoContext *ctx, const json_t *description, Entry *entry, EchoBuffer *error)
{
  const json_t *dtype = json_object_get(description, "dtype");
  const json_t *shape = json_object_get(description, "shape");
  const EchoType *element = NULL;
  for (size_t i = 0; i < N_DTYPES && json_is_string(dtype); i++)
    if (strcmp(json_string_value(dtype), DTYPES[i].name) == 0)
      element = echo_element_type(ctx, DTYPES[i].kind);
  if (element == NULL)
    return wrong(error, entry->name, "has a dtype that is not supported");
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = json_array_size(shape);
  if (!json_is_array(shape) || rank > ECHO_MAX_RANK)
    return wrong(error, entry->name, "has no shape");
  for (size_t i = 0; i < rank; i++) {
    uint64_t dim;
    if (!read_u64(json_array_get(shape, i), &dim))
      return wrong(error, entry->name, "has a dimension that is no size");
    dims[i] = (int64_t)dim;
  }
  entry->type = echo_type_tensor(ctx, dims, rank, element, NULL);
  return true;
}

static bool read_place(const json_t *description, uint64_t data_bytes, Entry *entry,
                       EchoBuffer *error)
{
  const json_t *offsets = json_object_get(description, "data_offsets");
  uint64_t n_bytes;
  if (!json_is_array(offsets) || json_array_size(offsets) != 2 ||
      !read_u64(json_array_get(offsets, 0), &entry->begin) ||
      !read_u64(json_array_get(offsets, 1), &entry->end) || entry->begin > entry->end)
    return wrong(error, entry->name, "has no data_offsets");
  if (entry->end > data_bytes)
    return wrong(error, entry->name, "lies outside the file, which is cut off or corrupt");
  if (!echo_type_bytes(entry->type, &n_bytes) || n_bytes != entry->end - entry->begin)
    return wrong(error, entry->name, "has a shape that does not fit its data");
  return true;
}

static bool read_metadata(const json_t *object, EchoMetadataList *metadata, EchoBuffer *error)
{
  const char *key;
  json_t *value;
  if (!json_is_object(object)) {
    echo_buffer_append_c(error, "__metadata__ is no object");
    return false;
  }
  json_object_foreach((json_t *)(uintptr_t)object, key, value)
  {
    if (!json_is_string(value)) {
      echo_buffer_printf(error, "__metadata__ '%s' is no string", key);
      return false;
    }
    if (metadata != NULL)
      echo_metadata_add(metadata, echo_str(key),
                        (EchoStr){json_string_value(value), json_string_length(value)});
  }
  return true;
}

static int compare_entries(const void *a, const void *b)
{
  const Entry *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return echo_str_compare(x->name, y->name);
}

/* Sorts by place; the tensors must cover the data exactly. */
static bool check_cover(EntryList *entries, uint64_t data_bytes, EchoBuffer *error)
{
  if (entries->size != 0)
    qsort(entries->data, entries->size, sizeof(Entry), compare_entries);
  uint64_t at = 0;
  for (size_t i = 0; i < entries->size; i++) {
    const Entry *entry = &entries->data[i];
    if (entry->begin != at)
      return wrong(error, entry->name,
                   entry->begin < at ? "overlaps another" : "stands behind a hole in the data");
    at = entry->end;
  }
  if (at == data_bytes)
    return true;
  echo_buffer_printf(error, "%llu bytes of data belong to no tensor",
                     (unsigned long long)(data_bytes - at));
  return false;
}

static bool read_header(EchoContext *ctx, const json_t *header, uint64_t data_bytes,
                        EntryList *entries, EchoMetadataList *metadata, EchoBuffer *error)
{
  const char *name;
  json_t *description;
  json_object_foreach((json_t *)(uintptr_t)header, name, description)
  {
    if (strcmp(name, "__metadata__") == 0) {
      if (!read_metadata(description, metadata, error))
        return false;
      continue;
    }
    Entry entry = {.name = echo_str(name)};
    if (!read_type(ctx, description, &entry, error) ||
        !read_place(description, data_bytes, &entry, error))
      return false;
    echo_vector_push(entries, entry);
  }
  return check_cover(entries, data_bytes, error);
}

/* Copies every tensor out. Names that *set has already are an error. */
static bool take_tensors(const EntryList *entries, const char *data, EchoTensorSet *set,
                         EchoBuffer *error)
{
  for (size_t i = 0; i < entries->size; i++) {
    const Entry *entry = &entries->data[i];
    EchoTensor *tensor = echo_tensor_create(entry->type, false);
    if (entry->end != entry->begin)
      memcpy(tensor->data, data + entry->begin, (size_t)(entry->end - entry->begin));
    if (tensor->kind == ECHO_ELEMENT_I1)
      for (int64_t k = 0; k < tensor->n_elements; k++)
        ((char *)tensor->data)[k] = ((const char *)tensor->data)[k] != 0;
    if (!echo_tensor_set_add(set, entry->name, tensor)) {
      echo_tensor_destroy(tensor);
      return wrong(error, entry->name, "is given twice");
    }
  }
  return true;
}

static uint64_t header_length(EchoStr bytes)
{
  uint64_t length = 0;
  for (unsigned i = LENGTH_BYTES; i-- > 0;)
    length = length << 8 | (unsigned char)bytes.data[i];
  return length;
}

bool echo_safetensors_parse(EchoContext *ctx, EchoStr bytes, EchoTensorSet *set,
                            EchoMetadataList *metadata, EchoBuffer *error)
{
  if (ctx == NULL || bytes.data == NULL || set == NULL) {
    echo_buffer_printf(error, "tensors are read: '%s' is NULL",
                       ctx == NULL          ? "ctx"
                       : bytes.data == NULL ? "bytes"
                                            : "set");
    return false;
  }
  uint64_t length = bytes.size >= LENGTH_BYTES ? header_length(bytes) : UINT64_MAX;
  if (length > MAX_HEADER_BYTES || length > bytes.size - LENGTH_BYTES) {
    echo_buffer_append_c(error, "no .npy, .npz or .safetensors file, or cut off");
    return false;
  }
  json_error_t json_error;
  json_t *header = json_loadb(bytes.data + LENGTH_BYTES, (size_t)length,
                              JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &json_error);
  if (!json_is_object(header)) {
    echo_buffer_printf(error, "the safetensors header is no JSON object: %s",
                       header == NULL ? json_error.text : "it is another value");
    json_decref(header);
    return false;
  }
  EntryList entries = {0};
  const char *data = bytes.data + LENGTH_BYTES + length;
  bool ok =
      read_header(ctx, header, bytes.size - LENGTH_BYTES - length, &entries, metadata, error) &&
      take_tensors(&entries, data, set, error);
  echo_vector_destroy(&entries);
  json_decref(header);
  return ok;
}

bool echo_safetensors_read(EchoContext *ctx, const char *path, EchoTensorSet *set,
                           EchoMetadataList *metadata, EchoBuffer *error)
{
  if (ctx == NULL || path == NULL || set == NULL) {
    echo_buffer_printf(error, "tensors are read: '%s' is NULL",
                       ctx == NULL    ? "ctx"
                       : path == NULL ? "path"
                                      : "set");
    return false;
  }
  EchoFile file;
  if (!echo_file_read(path, &file, error))
    return false;
  EchoBuffer reason = {0};
  bool ok = echo_safetensors_parse(ctx, (EchoStr){file.data, file.size}, set, metadata, &reason);
  if (!ok)
    echo_buffer_printf(error, "'%s': %s", path, echo_buffer_c_str(&reason));
  echo_buffer_destroy(&reason);
  echo_file_close(&file);
  return ok;
}

/* ---- writing ---- */

static const char *dtype_name(EchoElementKind kind)
{
  for (size_t i = 0; i < N_DTYPES; i++)
    if (DTYPES[i].kind == kind)
      return DTYPES[i].name;
  ECHO_UNREACHABLE("element kind %d cannot be written", (int)kind);
}

/* Compact JSON: spaces outside strings are the writer's indentation. */
static void compact(EchoStr text, EchoBuffer *out)
{
  bool in_string = false;
  for (size_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    if (!in_string && (c == ' ' || c == '\n'))
      continue;
    if (c == '"')
      in_string = !in_string;
    echo_buffer_append_char(out, c);
    if (in_string && c == '\\')
      echo_buffer_append_char(out, text.data[++i]);
  }
}

static void write_metadata(EchoJsonWriter *json, const EchoMetadataList *metadata)
{
  EchoBuffer key = {0};
  echo_json_key(json, "__metadata__");
  echo_json_begin_object(json);
  for (size_t i = 0; i < metadata->list.size; i++) {
    echo_buffer_clear(&key);
    echo_buffer_append_str(&key, metadata->list.data[i].key);
    echo_json_field_string(json, echo_buffer_c_str(&key), metadata->list.data[i].value);
  }
  echo_json_end_object(json);
  echo_buffer_destroy(&key);
}

static void write_entry(EchoJsonWriter *json, const EchoNamedTensor *named, uint64_t begin)
{
  const EchoType *type = named->tensor->type;
  echo_json_key(json, named->name.data);
  echo_json_begin_object(json);
  echo_json_field_string(json, "dtype", echo_str(dtype_name(named->tensor->kind)));
  echo_json_key(json, "shape");
  echo_json_begin_array(json);
  for (size_t i = 0; i < echo_type_rank(type); i++)
    echo_json_i64(json, echo_type_dim(type, i));
  echo_json_end_array(json);
  echo_json_key(json, "data_offsets");
  echo_json_begin_array(json);
  echo_json_u64(json, begin);
  echo_json_u64(json, begin + echo_tensor_bytes(named->tensor));
  echo_json_end_array(json);
  echo_json_end_object(json);
}

bool echo_safetensors_write(const char *path, const EchoTensorSet *set,
                            const EchoMetadataList *metadata, EchoBuffer *error)
{
  if (path == NULL || set == NULL) {
    echo_buffer_printf(error, "tensors are written: '%s' is NULL", path == NULL ? "path" : "set");
    return false;
  }
  EchoBuffer text = {0}, file = {0};
  EchoJsonWriter json = echo_json_writer(&text);
  uint64_t data_bytes = 0;
  echo_json_begin_object(&json);
  if (metadata != NULL && metadata->list.size != 0)
    write_metadata(&json, metadata);
  for (size_t i = 0; i < set->list.size; i++) {
    write_entry(&json, &set->list.data[i], data_bytes);
    data_bytes += echo_tensor_bytes(set->list.data[i].tensor);
  }
  echo_json_end_object(&json);
  for (unsigned i = 0; i < LENGTH_BYTES; i++)
    echo_buffer_append_char(&file, '\0');
  compact(echo_buffer_str(&text), &file);
  while (file.size % DATA_ALIGNMENT != 0)
    echo_buffer_append_char(&file, ' ');
  uint64_t length = file.size - LENGTH_BYTES;
  for (unsigned i = 0; i < LENGTH_BYTES; i++)
    file.data[i] = (char)(length >> (8 * i) & 0xff);
  echo_buffer_reserve(&file, (size_t)data_bytes + 1);
  for (size_t i = 0; i < set->list.size; i++)
    echo_buffer_append(&file, set->list.data[i].tensor->data,
                       (size_t)echo_tensor_bytes(set->list.data[i].tensor));
  bool ok = echo_file_write(path, file.data, file.size, error);
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&file);
  return ok;
}
