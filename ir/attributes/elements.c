/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dense data: elements of tensors and vectors, dense arrays, resources and sparse elements. Data is
 * hashed and compared once for each attribute that is made, and copied only when it is new. */
#include "ir/attributes/attribute_t.h"
#include "ir/attributes/element.h"

/* Data from this size on is a block of its own, so that it can be adopted and does not fill arena
 * chunks. */
enum { OWN_BLOCK_BYTES = 1 << 16, DATA_ALIGNMENT = 64 };

/* ---- dense elements ---- */

static bool same_elements(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_DENSE_ELEMENTS && a->type == b->type &&
         a->as.elements.is_splat == b->as.elements.is_splat &&
         a->as.elements.size_bytes == b->as.elements.size_bytes &&
         (a->as.elements.size_bytes == 0 ||
          memcmp(a->as.elements.data, b->as.elements.data, a->as.elements.size_bytes) == 0);
}

/* The scalar whose bytes repeat in the data, and how many bits of its last byte are used (8 = all).
 */
static uint32_t used_bits_of_last_byte(const EchoType *type, size_t *scalar_bytes)
{
  const EchoType *scalar = echo_type_element(type);
  if (scalar->kind == ECHO_TYPE_COMPLEX)
    scalar = scalar->as.shaped.element;
  *scalar_bytes = echo_type_element_bytes(scalar);
  uint32_t rest = echo_type_bit_width(scalar) % 8;
  return rest == 0 ? 8 : rest;
}

/* Whether bits above the elements' width are zero, as equality needs. */
static bool is_clean(const EchoType *type, const unsigned char *data, size_t size_bytes)
{
  size_t scalar_bytes;
  uint32_t used = used_bits_of_last_byte(type, &scalar_bytes);
  if (used == 8)
    return true;
  unsigned char unused_bits = (unsigned char)(0xff << used);
  for (size_t last = scalar_bytes - 1; last < size_bytes; last += scalar_bytes)
    if ((data[last] & unused_bits) != 0)
      return false;
  return true;
}

static void clean(const EchoType *type, unsigned char *data, size_t size_bytes)
{
  size_t scalar_bytes;
  uint32_t used = used_bits_of_last_byte(type, &scalar_bytes);
  for (size_t last = scalar_bytes - 1; last < size_bytes; last += scalar_bytes)
    data[last] = (unsigned char)(data[last] & ~(0xff << used));
}

/* All elements equal the first one: the data equals itself one element further. */
static bool is_uniform(const void *data, size_t size_bytes, size_t element_bytes)
{
  return memcmp(data, (const char *)data + element_bytes, size_bytes - element_bytes) == 0;
}

/* Bytes of all elements that the text of a type's elements lists: of a scalable vector, those of
 * its base. */
static bool listed_bytes(const EchoType *type, uint64_t *bytes)
{
  int64_t n_elements;
  return echo_type_n_listed(type, &n_elements) &&
         echo_mul_u64((uint64_t)n_elements, echo_type_element_bytes(type), bytes);
}

/* The bytes that `data` must have fit the type. */
static bool check_elements(EchoContext *ctx, const EchoType *type, const void *data,
                           size_t size_bytes, bool is_splat)
{
  EchoLoc nowhere = echo_loc_unknown();
  uint64_t full_bytes;
  if (ctx == NULL)
    return false; /* nobody to tell */
  if (type == NULL || (data == NULL && size_bytes != 0))
    return echo_misuse(ctx, nowhere, "dense elements are made: '%s' is NULL",
                       type == NULL ? "type" : "data");
  if (!echo_type_check_owner(ctx, "dense elements are made", "type", type))
    return false;
  size_t element_bytes = echo_type_element_bytes(type);
  if (!echo_type_is_shaped(type) || element_bytes == 0 || !listed_bytes(type, &full_bytes))
    return echo_misuse(ctx, nowhere, "dense elements are made: 'type' is %s, without a static size",
                       echo_type_text(ctx, type));
  uint64_t needed = is_splat ? element_bytes : full_bytes;
  return size_bytes == needed ||
         echo_misuse(ctx, nowhere,
                     "dense elements are made: 'size_bytes' is %zu, but %s takes %llu", size_bytes,
                     echo_type_text(ctx, type), (unsigned long long)needed);
}

static EchoAttr elements_key(const EchoType *type, const void *data, size_t size_bytes,
                             bool is_splat)
{
  size_t element_bytes = echo_type_element_bytes(type);
  uint64_t full_bytes = 0;
  listed_bytes(type, &full_bytes);
  EchoAttr key = {.kind = ECHO_ATTR_DENSE_ELEMENTS, .type = type};
  key.as.elements.data = data;
  key.as.elements.size_bytes = size_bytes;
  key.as.elements.is_splat = is_splat;
  /* A splat of no elements keeps its element: the text has it. */
  if (full_bytes != 0 && !is_splat && is_uniform(data, size_bytes, element_bytes)) {
    key.as.elements.size_bytes = element_bytes;
    key.as.elements.is_splat = true;
  }
  return key;
}

static const void *copy_data(EchoContext *ctx, const void *data, size_t size_bytes)
{
  void *copy;
  if (size_bytes >= OWN_BLOCK_BYTES) {
    copy = echo_alloc_aligned(size_bytes, DATA_ALIGNMENT);
    echo_vector_push(&ctx->owned_blocks, copy);
  } else {
    size_t alignment = size_bytes >= DATA_ALIGNMENT ? DATA_ALIGNMENT : 16;
    copy = echo_arena_alloc_aligned(&ctx->arena, size_bytes, alignment);
  }
  if (size_bytes != 0)
    memcpy(copy, data, size_bytes);
  return copy;
}

/* `owned`: NULL, or the block that holds the key's data, which is kept or freed here. */
static const EchoAttr *unique_elements(EchoContext *ctx, EchoAttr *key, void *owned)
{
  size_t size_bytes = key->as.elements.size_bytes;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_DENSE_ELEMENTS), key->type->hash);
  hash = echo_hash_bytes(key->as.elements.data, size_bytes, hash + key->as.elements.is_splat);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_elements, key);
  if (slot->object != NULL) {
    echo_free(owned);
    return slot->object;
  }
  if (owned != NULL && size_bytes >= OWN_BLOCK_BYTES) {
    echo_vector_push(&ctx->owned_blocks, owned);
  } else {
    key->as.elements.data = copy_data(ctx, key->as.elements.data, size_bytes);
    echo_free(owned);
  }
  return echo_attr_add(ctx, slot, hash, key, ECHO_ATTR_BYTES(elements));
}

const EchoAttr *echo_attr_elements_adopt(EchoContext *ctx, const EchoType *type, void *data,
                                         size_t size_bytes, bool is_splat)
{
  if (!check_elements(ctx, type, data, size_bytes, is_splat)) {
    echo_free(data);
    return NULL;
  }
  if (!is_clean(type, data, size_bytes))
    clean(type, data, size_bytes);
  EchoAttr key = elements_key(type, data, size_bytes, is_splat);
  return unique_elements(ctx, &key, data);
}

const EchoAttr *echo_attr_elements(EchoContext *ctx, const EchoType *type, const void *data,
                                   size_t size_bytes, bool is_splat)
{
  if (!check_elements(ctx, type, data, size_bytes, is_splat))
    return NULL;
  if (!is_clean(type, data, size_bytes)) {
    void *copy = echo_alloc_aligned(size_bytes, DATA_ALIGNMENT);
    memcpy(copy, data, size_bytes);
    return echo_attr_elements_adopt(ctx, type, copy, size_bytes, is_splat);
  }
  EchoAttr key = elements_key(type, data, size_bytes, is_splat);
  return unique_elements(ctx, &key, NULL);
}

/* The largest element: a complex pair of f128 or of the widest integers that a number is stored to
 * here. */
enum { SPLAT_ON_STACK_BYTES = 256 };

static bool check_splat(EchoContext *ctx, const EchoType *type, size_t most_bytes,
                        size_t *element_bytes)
{
  if (!echo_type_check_owner(ctx, "a splat is made", "type", type))
    return false;
  bool has_elements = type != NULL && echo_type_is_shaped(type);
  *element_bytes = has_elements ? echo_type_element_bytes(type) : 0;
  return (*element_bytes != 0 && *element_bytes <= most_bytes) ||
         echo_misuse(ctx, echo_loc_unknown(), "a splat is made: 'type' is %s%s",
                     type != NULL ? echo_type_text(ctx, type) : "NULL",
                     type != NULL ? ", whose elements are no numbers" : "");
}

const EchoAttr *echo_attr_splat_f64(EchoContext *ctx, const EchoType *type, double value)
{
  unsigned char data[SPLAT_ON_STACK_BYTES] = {0};
  size_t element_bytes;
  if (!check_splat(ctx, type, sizeof data, &element_bytes))
    return NULL;
  const EchoType *element = echo_type_element(type);
  echo_element_store_f64(element->kind == ECHO_TYPE_COMPLEX ? element->as.shaped.element : element,
                         data, value);
  return echo_attr_elements(ctx, type, data, element_bytes, true);
}

const EchoAttr *echo_attr_splat_i64(EchoContext *ctx, const EchoType *type, int64_t value)
{
  unsigned char data[SPLAT_ON_STACK_BYTES] = {0};
  size_t element_bytes;
  if (!check_splat(ctx, type, sizeof data, &element_bytes))
    return NULL;
  const EchoType *element = echo_type_element(type);
  echo_element_store_i64(element->kind == ECHO_TYPE_COMPLEX ? element->as.shaped.element : element,
                         data, value);
  return echo_attr_elements(ctx, type, data, element_bytes, true);
}

/* ---- strings, resources, sparse ---- */

static bool same_dense_strings(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_DENSE_STRINGS && a->type == b->type &&
         echo_same_attrs(a->as.array.elements, a->as.array.size, b->as.array.elements,
                         b->as.array.size);
}

/* A type with dimensions. */
static bool needs_shaped(EchoContext *ctx, const EchoType *type)
{
  return echo_attr_needs_type(ctx, "type", type) &&
         (echo_type_is_shaped(type) ||
          echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: 'type' is %s, not shaped",
                      echo_type_text(ctx, type)));
}

/* An attribute of this kind or, where that is another, of the other. */
static bool needs_kind(EchoContext *ctx, const char *name, const EchoAttr *attr, EchoAttrKind kind,
                       EchoAttrKind other)
{
  return echo_attr_needs_attr(ctx, name, attr) &&
         (attr->kind == kind || attr->kind == other ||
          echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: '%s' is %s", name,
                      echo_attr_text(ctx, attr)));
}

/* One string for all elements, or one for each. */
static bool check_strings(EchoContext *ctx, const EchoType *type, const EchoAttr *const *strings,
                          size_t size)
{
  int64_t n_listed;
  if (!needs_shaped(ctx, type) || (size != 0 && !echo_attr_is_given(ctx, "strings", strings)))
    return false;
  for (size_t i = 0; i < size; ++i)
    if (!needs_kind(ctx, "strings[]", strings[i], ECHO_ATTR_STRING, ECHO_ATTR_STRING))
      return false;
  return (echo_type_n_listed(type, &n_listed) && (size == 1 || size == (size_t)n_listed)) ||
         echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: 'size' is %zu, 'type' is %s",
                     size, echo_type_text(ctx, type));
}

const EchoAttr *echo_attr_dense_strings(EchoContext *ctx, const EchoType *type,
                                        const EchoAttr *const *strings, size_t size)
{
  if (!check_strings(ctx, type, strings, size))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_DENSE_STRINGS, .type = type};
  key.as.array.elements = strings;
  key.as.array.size = size;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_DENSE_STRINGS), type->hash);
  hash = echo_hash_attrs(hash, strings, size);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_dense_strings, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.array.elements = echo_copy_attrs(ctx, strings, size);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(array));
}

static bool same_resource(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_DENSE_RESOURCE && a->type == b->type &&
         echo_str_equal(a->as.string, b->as.string);
}

const EchoAttr *echo_attr_dense_resource(EchoContext *ctx, const EchoType *type, EchoStr name)
{
  if (!needs_shaped(ctx, type) || !echo_check_string(ctx, "an attribute", "key", name))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_DENSE_RESOURCE, .type = type};
  key.as.string = name;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_DENSE_RESOURCE), type->hash);
  hash = echo_hash_bytes(name.data, name.size, hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_resource, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.string = echo_context_intern(ctx, name);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(string));
}

static bool same_sparse(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_SPARSE && a->type == b->type &&
         a->as.sparse.indices == b->as.sparse.indices && a->as.sparse.values == b->as.sparse.values;
}

const EchoAttr *echo_attr_sparse(EchoContext *ctx, const EchoType *type, const EchoAttr *indices,
                                 const EchoAttr *values)
{
  if (!needs_shaped(ctx, type) ||
      !needs_kind(ctx, "indices", indices, ECHO_ATTR_DENSE_ELEMENTS, ECHO_ATTR_DENSE_ELEMENTS) ||
      !needs_kind(ctx, "values", values, ECHO_ATTR_DENSE_ELEMENTS, ECHO_ATTR_DENSE_STRINGS))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_SPARSE, .type = type};
  key.as.sparse.indices = indices;
  key.as.sparse.values = values;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_SPARSE), type->hash);
  hash = echo_hash_combine(echo_hash_combine(hash, indices->hash), values->hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_sparse, &key);
  if (slot->object != NULL)
    return slot->object;
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(sparse));
}

/* ---- dense arrays ---- */

static size_t dense_array_bytes(const EchoAttr *array)
{
  return array->as.dense_array.size * echo_type_element_bytes(array->as.dense_array.element);
}

static bool same_dense_array(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_DENSE_ARRAY &&
         a->as.dense_array.element == b->as.dense_array.element &&
         a->as.dense_array.size == b->as.dense_array.size &&
         (a->as.dense_array.size == 0 ||
          memcmp(a->as.dense_array.data, b->as.dense_array.data, dense_array_bytes(a)) == 0);
}

/* `name`: of the argument that is `data`. */
static const EchoAttr *dense_array(EchoContext *ctx, const EchoType *element, const char *name,
                                   const void *data, size_t size)
{
  if (ctx == NULL)
    return NULL;
  if (element == NULL || (data == NULL && size != 0)) {
    echo_misuse(ctx, echo_loc_unknown(), "a dense array is made: '%s' is NULL",
                element == NULL ? "element" : name);
    return NULL;
  }
  if (element->kind != ECHO_TYPE_INTEGER && element->kind != ECHO_TYPE_FLOAT) {
    echo_misuse(ctx, echo_loc_unknown(), "a dense array is made: 'element' is %s, no number",
                echo_type_text(ctx, element));
    return NULL;
  }
  size_t unused;
  if (!echo_type_check_owner(ctx, "a dense array is made", "element", element))
    return NULL;
  if (__builtin_mul_overflow(size, echo_type_element_bytes(element), &unused)) {
    echo_misuse(ctx, echo_loc_unknown(), "a dense array is made: 'size' is %zu, too many", size);
    return NULL;
  }
  EchoAttr key = {.kind = ECHO_ATTR_DENSE_ARRAY};
  key.as.dense_array.element = element;
  key.as.dense_array.data = data;
  key.as.dense_array.size = size;
  size_t size_bytes = dense_array_bytes(&key);
  if (!is_clean(element, data, size_bytes)) {
    echo_misuse(ctx, echo_loc_unknown(), "a dense array is made: '%s' has bits above its elements",
                name);
    return NULL;
  }
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_DENSE_ARRAY), element->hash);
  hash = echo_hash_bytes(data, size_bytes, hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_dense_array, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.dense_array.data = copy_data(ctx, data, size_bytes);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(dense_array));
}

const EchoAttr *echo_attr_dense_array(EchoContext *ctx, const EchoType *element, const void *data,
                                      size_t size)
{
  return dense_array(ctx, element, "data", data, size);
}

const EchoAttr *echo_attr_i64_array(EchoContext *ctx, const int64_t *values, size_t size)
{
  return dense_array(ctx, echo_type_i64(ctx), "values", values, size);
}

const EchoAttr *echo_attr_i32_array(EchoContext *ctx, const int32_t *values, size_t size)
{
  return dense_array(ctx, echo_type_i32(ctx), "values", values, size);
}

const EchoAttr *echo_attr_bool_array(EchoContext *ctx, const bool *values, size_t size)
{
  return dense_array(ctx, echo_type_i1(ctx), "values", values, size);
}

/* ---- element by element ---- */

/* Where element `index` lies, and its type. */
static const void *element_at(const EchoAttr *attr, size_t index, const EchoType **element)
{
  ECHO_CHECK(attr != NULL, "element %zu of no attribute", index);
  if (attr->kind == ECHO_ATTR_DENSE_ARRAY) {
    ECHO_CHECK(index < attr->as.dense_array.size, "element %zu of a dense array of %zu", index,
               attr->as.dense_array.size);
    *element = attr->as.dense_array.element;
    return (const char *)attr->as.dense_array.data + index * echo_type_element_bytes(*element);
  }
  ECHO_CHECK(attr->kind == ECHO_ATTR_DENSE_ELEMENTS, "attribute kind %d has no elements",
             (int)attr->kind);
  *element = attr->type->as.shaped.element;
  size_t offset = attr->as.elements.is_splat ? 0 : index * echo_type_element_bytes(attr->type);
  ECHO_CHECK(offset < attr->as.elements.size_bytes, "element %zu is not there", index);
  return (const char *)attr->as.elements.data + offset;
}

int64_t echo_elements_i64(const EchoAttr *elements, size_t index)
{
  const EchoType *element;
  const void *data = element_at(elements, index, &element);
  return echo_element_load_i64(element, data);
}

double echo_elements_f64(const EchoAttr *elements, size_t index)
{
  const EchoType *element;
  const void *data = element_at(elements, index, &element);
  return echo_element_load_f64(element, data);
}

size_t echo_attr_ints_size(const EchoAttr *ints)
{
  if (ints == NULL)
    return 0;
  if (ints->kind == ECHO_ATTR_DENSE_ARRAY)
    return ints->as.dense_array.size;
  ECHO_CHECK(ints->kind == ECHO_ATTR_DENSE_ELEMENTS && ints->type->as.shaped.rank == 1,
             "attribute kind %d is no list of integers", (int)ints->kind);
  return (size_t)ints->type->as.shaped.dims[0];
}

int64_t echo_attr_ints_get(const EchoAttr *ints, size_t index)
{
  return echo_elements_i64(ints, index);
}
