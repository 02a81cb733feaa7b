/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Uniquing of types, and what can be asked of them. */
#include "ir/attributes/type.h"

#include "ir/attributes/attribute_t.h"
#include "ir/table/dialect.h"

/* ---- hashes and equality: by structure, so that they are the same in every run ---- */

static uint64_t hash_types(uint64_t hash, const EchoType *const *types, size_t n)
{
  hash = echo_hash_combine(hash, n);
  for (size_t i = 0; i < n; ++i)
    hash = echo_hash_combine(hash, types[i]->hash);
  return hash;
}

static uint64_t hash_type(const EchoType *type)
{
  uint64_t hash = echo_hash_u64((uint64_t)type->kind + 1);
  switch (type->kind) {
  case ECHO_TYPE_NONE:
  case ECHO_TYPE_INDEX:
    return hash;
  case ECHO_TYPE_INTEGER:
    return echo_hash_combine(hash, (uint64_t)type->as.integer.width << 2 |
                                       (uint64_t)type->as.integer.signedness);
  case ECHO_TYPE_FLOAT:
    return echo_hash_combine(hash, (uint64_t)type->as.float_kind);
  case ECHO_TYPE_COMPLEX:
  case ECHO_TYPE_VECTOR:
  case ECHO_TYPE_TENSOR:
  case ECHO_TYPE_UNRANKED_TENSOR:
  case ECHO_TYPE_MEMREF:
  case ECHO_TYPE_UNRANKED_MEMREF: {
    hash = echo_hash_combine(hash, type->as.shaped.element->hash);
    hash = echo_hash_combine(hash, type->as.shaped.scalable);
    for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
      hash = echo_hash_combine(hash, (uint64_t)type->as.shaped.dims[i]);
    if (type->as.shaped.encoding != NULL)
      hash = echo_hash_combine(hash, type->as.shaped.encoding->hash);
    if (type->as.shaped.memory_space != NULL)
      hash = echo_hash_combine(hash, ~(uint64_t)type->as.shaped.memory_space->hash);
    return hash;
  }
  case ECHO_TYPE_FUNCTION:
    hash = hash_types(hash, type->as.function.inputs, type->as.function.n_inputs);
    return hash_types(hash, type->as.function.results, type->as.function.n_results);
  case ECHO_TYPE_TUPLE:
    return hash_types(hash, type->as.tuple.elements, type->as.tuple.n_elements);
  case ECHO_TYPE_OPAQUE:
    hash = echo_hash_bytes(type->as.opaque.dialect.data, type->as.opaque.dialect.size, hash);
    hash = echo_hash_bytes(type->as.opaque.text.data, type->as.opaque.text.size, hash);
    return echo_hash_parts(hash, type->as.opaque.parts, type->as.opaque.n_parts);
  }
  ECHO_UNREACHABLE("type kind %d", (int)type->kind);
}

static bool same_types(const EchoType *const *a, size_t n_a, const EchoType *const *b, size_t n_b)
{
  return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * sizeof *a) == 0);
}

/* Parts are uniqued already: they compare by pointer. */
static bool same_type(const void *object, const void *key)
{
  const EchoType *a = object, *b = key;
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case ECHO_TYPE_NONE:
  case ECHO_TYPE_INDEX:
    return true;
  case ECHO_TYPE_INTEGER:
    return a->as.integer.width == b->as.integer.width &&
           a->as.integer.signedness == b->as.integer.signedness;
  case ECHO_TYPE_FLOAT:
    return a->as.float_kind == b->as.float_kind;
  case ECHO_TYPE_COMPLEX:
  case ECHO_TYPE_VECTOR:
  case ECHO_TYPE_TENSOR:
  case ECHO_TYPE_UNRANKED_TENSOR:
  case ECHO_TYPE_MEMREF:
  case ECHO_TYPE_UNRANKED_MEMREF:
    return a->as.shaped.element == b->as.shaped.element && a->as.shaped.rank == b->as.shaped.rank &&
           a->as.shaped.scalable == b->as.shaped.scalable &&
           a->as.shaped.encoding == b->as.shaped.encoding &&
           a->as.shaped.memory_space == b->as.shaped.memory_space &&
           (a->as.shaped.rank == 0 ||
            memcmp(a->as.shaped.dims, b->as.shaped.dims, a->as.shaped.rank * sizeof(int64_t)) == 0);
  case ECHO_TYPE_FUNCTION:
    return same_types(a->as.function.inputs, a->as.function.n_inputs, b->as.function.inputs,
                      b->as.function.n_inputs) &&
           same_types(a->as.function.results, a->as.function.n_results, b->as.function.results,
                      b->as.function.n_results);
  case ECHO_TYPE_TUPLE:
    return same_types(a->as.tuple.elements, a->as.tuple.n_elements, b->as.tuple.elements,
                      b->as.tuple.n_elements);
  case ECHO_TYPE_OPAQUE:
    return echo_str_equal(a->as.opaque.dialect, b->as.opaque.dialect) &&
           echo_str_equal(a->as.opaque.text, b->as.opaque.text) &&
           echo_same_parts(a->as.opaque.parts, a->as.opaque.n_parts, b->as.opaque.parts,
                           b->as.opaque.n_parts);
  }
  return false;
}

/* ---- uniquing ---- */

static const EchoType *const *copy_types(EchoContext *ctx, const EchoType *const *types, size_t n)
{
  return n != 0 ? echo_arena_copy(&ctx->arena, types, n * sizeof *types) : NULL;
}

/* Moves what `type` borrows into the context. */
static void own_parts(EchoContext *ctx, EchoType *type)
{
  switch (type->kind) {
  case ECHO_TYPE_VECTOR:
  case ECHO_TYPE_TENSOR:
  case ECHO_TYPE_MEMREF:
    if (type->as.shaped.rank != 0)
      type->as.shaped.dims = echo_arena_copy(&ctx->arena, type->as.shaped.dims,
                                             type->as.shaped.rank * sizeof(int64_t));
    break;
  case ECHO_TYPE_FUNCTION:
    type->as.function.inputs =
        copy_types(ctx, type->as.function.inputs, type->as.function.n_inputs);
    type->as.function.results =
        copy_types(ctx, type->as.function.results, type->as.function.n_results);
    break;
  case ECHO_TYPE_TUPLE:
    type->as.tuple.elements = copy_types(ctx, type->as.tuple.elements, type->as.tuple.n_elements);
    break;
  case ECHO_TYPE_OPAQUE:
    type->as.opaque.dialect = echo_context_intern(ctx, type->as.opaque.dialect);
    type->as.opaque.text = echo_context_intern(ctx, type->as.opaque.text);
    type->as.opaque.parts = echo_copy_parts(ctx, type->as.opaque.parts, type->as.opaque.n_parts);
    break;
  default:
    break;
  }
}

/* The context's type equal to `key`, whose arrays are borrowed. */
static const EchoType *unique(EchoContext *ctx, EchoType *key)
{
  uint64_t hash = hash_type(key);
  EchoUniquerSlot *slot = echo_uniquer_slot(&ctx->types, hash, same_type, key);
  if (slot->object != NULL)
    return slot->object;
  own_parts(ctx, key);
  EchoType *added = ECHO_ARENA_NEW(&ctx->arena, EchoType);
  *added = *key;
  added->owner = ctx->tag;
  added->hash = (uint32_t)(hash ^ (hash >> 32));
  echo_uniquer_fill(&ctx->types, slot, hash, added);
  return added;
}

void echo_context_create_types(EchoContext *ctx)
{
  ctx->none = unique(ctx, &(EchoType){.kind = ECHO_TYPE_NONE});
  ctx->index = unique(ctx, &(EchoType){.kind = ECHO_TYPE_INDEX});
  ctx->i1 = echo_type_integer(ctx, 1, ECHO_SIGNLESS);
  ctx->i32 = echo_type_integer(ctx, 32, ECHO_SIGNLESS);
  ctx->i64 = echo_type_integer(ctx, 64, ECHO_SIGNLESS);
  for (int kind = 0; kind < ECHO_N_FLOAT_KINDS; ++kind)
    ctx->floats[kind] =
        unique(ctx, &(EchoType){.kind = ECHO_TYPE_FLOAT, .as.float_kind = (EchoFloatKind)kind});
}

/* ---- making types ---- */

const EchoType *echo_type_none(EchoContext *ctx)
{
  return ctx != NULL ? ctx->none : NULL;
}

const EchoType *echo_type_index(EchoContext *ctx)
{
  return ctx != NULL ? ctx->index : NULL;
}

const EchoType *echo_type_i1(EchoContext *ctx)
{
  return ctx != NULL ? ctx->i1 : NULL;
}

const EchoType *echo_type_i32(EchoContext *ctx)
{
  return ctx != NULL ? ctx->i32 : NULL;
}

const EchoType *echo_type_i64(EchoContext *ctx)
{
  return ctx != NULL ? ctx->i64 : NULL;
}

const EchoType *echo_type_f32(EchoContext *ctx)
{
  return echo_type_float(ctx, ECHO_F32);
}

const EchoType *echo_type_f64(EchoContext *ctx)
{
  return echo_type_float(ctx, ECHO_F64);
}

const EchoType *echo_type_integer(EchoContext *ctx, uint32_t width, EchoSignedness signedness)
{
  bool is_narrow = width <= ECHO_MAX_INTEGER_WIDTH;
  if (!is_narrow || (unsigned)signedness > ECHO_UNSIGNED) {
    echo_misuse(ctx, echo_loc_unknown(), "a type is made: '%s' is %u, %s",
                is_narrow ? "signedness" : "width", is_narrow ? (unsigned)signedness : width,
                is_narrow ? "none" : "too many bits");
    return NULL;
  }
  if (ctx == NULL)
    return NULL;
  EchoType key = {.kind = ECHO_TYPE_INTEGER};
  key.as.integer.width = width;
  key.as.integer.signedness = signedness;
  return unique(ctx, &key);
}

const EchoType *echo_type_float(EchoContext *ctx, EchoFloatKind kind)
{
  if (ctx != NULL && (unsigned)kind < ECHO_N_FLOAT_KINDS)
    return ctx->floats[kind];
  echo_misuse(ctx, echo_loc_unknown(), "a type is made: 'kind' is %d, no kind of float", (int)kind);
  return NULL;
}

bool echo_type_check_owner(EchoContext *ctx, const char *what, const char *name,
                           const EchoType *type)
{
  if (ECHO_UNLIKELY(ctx == NULL))
    return false; /* nobody to tell */
  return type == NULL || ECHO_LIKELY(type->owner == ctx->tag) ||
         echo_misuse(ctx, echo_loc_unknown(), "%s: '%s' is of another context", what, name);
}

static bool check_types(EchoContext *ctx, const char *name, const EchoType *const *types, size_t n)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (ctx == NULL)
    return false;
  if (n > UINT32_MAX)
    return echo_misuse(ctx, nowhere, "a type is made of %zu '%s'", n, name);
  if (types == NULL && n != 0)
    return echo_misuse(ctx, nowhere, "a type is made: '%s' is NULL, of which there are %zu", name,
                       n);
  for (size_t i = 0; i < n; ++i)
    if (ECHO_UNLIKELY(types[i] == NULL || types[i]->owner != ctx->tag))
      return echo_misuse(ctx, nowhere, "a type is made: '%s[%zu]' is %s", name, i,
                         types[i] == NULL ? "NULL" : "of another context");
  return true;
}

const EchoType *echo_type_tuple(EchoContext *ctx, const EchoType *const *elements, size_t n)
{
  if (!check_types(ctx, "elements", elements, n))
    return NULL;
  EchoType key = {.kind = ECHO_TYPE_TUPLE};
  key.as.tuple.elements = elements;
  key.as.tuple.n_elements = (uint32_t)n;
  return unique(ctx, &key);
}

const EchoType *echo_type_function(EchoContext *ctx, const EchoType *const *inputs, size_t n_inputs,
                                   const EchoType *const *results, size_t n_results)
{
  if (!check_types(ctx, "inputs", inputs, n_inputs) ||
      !check_types(ctx, "results", results, n_results))
    return NULL;
  EchoType key = {.kind = ECHO_TYPE_FUNCTION};
  key.as.function.inputs = inputs;
  key.as.function.n_inputs = (uint32_t)n_inputs;
  key.as.function.results = results;
  key.as.function.n_results = (uint32_t)n_results;
  return unique(ctx, &key);
}

static bool shaped_key(EchoContext *ctx, EchoType *key, EchoTypeKind kind, const int64_t *dims,
                       size_t rank, const EchoType *element)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (element == NULL)
    return echo_misuse(ctx, nowhere, "a type is made: 'element' is NULL");
  if (!echo_type_check_owner(ctx, "a type is made", "element", element))
    return false;
  if (rank > ECHO_MAX_RANK)
    return echo_misuse(ctx, nowhere, "a type is made: 'rank' is %zu, above %d", rank,
                       ECHO_MAX_RANK);
  if (dims == NULL && rank != 0)
    return echo_misuse(ctx, nowhere, "a type is made: 'dims' is NULL, 'rank' is %zu", rank);
  for (size_t i = 0; i < rank; ++i)
    if (ECHO_UNLIKELY(dims[i] < 0 && dims[i] != ECHO_DYNAMIC))
      return echo_misuse(ctx, nowhere, "a type is made: 'dims[%zu]' is %lld", i,
                         (long long)dims[i]);
  *key = (EchoType){.kind = kind};
  key->as.shaped.element = element;
  key->as.shaped.dims = rank != 0 ? dims : NULL;
  key->as.shaped.rank = (uint32_t)rank;
  return true;
}

const EchoType *echo_type_complex(EchoContext *ctx, const EchoType *element)
{
  EchoType key;
  if (!shaped_key(ctx, &key, ECHO_TYPE_COMPLEX, NULL, 0, element))
    return NULL;
  return unique(ctx, &key);
}

const EchoType *echo_type_tensor(EchoContext *ctx, const int64_t *dims, size_t rank,
                                 const EchoType *element, const EchoAttr *encoding)
{
  EchoType key;
  if (!shaped_key(ctx, &key, ECHO_TYPE_TENSOR, dims, rank, element))
    return NULL;
  if (!echo_attr_check_owner(ctx, "a type is made", "encoding", encoding))
    return NULL;
  key.as.shaped.encoding = encoding;
  return unique(ctx, &key);
}

bool echo_type_check_encoding(const EchoContext *ctx, const EchoAttr *encoding, const int64_t *dims,
                              size_t rank, EchoBuffer *error)
{
  if (encoding == NULL || encoding->kind != ECHO_ATTR_OPAQUE)
    return true;
  const EchoDialect *owner = echo_context_dialect_or_null(ctx, encoding->as.opaque.dialect);
  return owner == NULL || owner->check_encoding == NULL ||
         owner->check_encoding(encoding, dims, rank, error);
}

static bool encoding_takes(const EchoContext *ctx, const EchoType *encoded, const EchoType *type)
{
  const EchoAttr *encoding = encoded->as.shaped.encoding;
  if (encoding == NULL || encoding->kind != ECHO_ATTR_OPAQUE)
    return true;
  const EchoDialect *owner = echo_context_dialect_or_null(ctx, encoding->as.opaque.dialect);
  return owner == NULL || owner->encoding_takes == NULL ||
         owner->encoding_takes(encoding, type->as.shaped.dims, type->as.shaped.rank);
}

bool echo_type_encodings_agree(const EchoContext *ctx, const EchoType *a, const EchoType *b)
{
  return a == b || a->kind != ECHO_TYPE_TENSOR || b->kind != ECHO_TYPE_TENSOR ||
         (encoding_takes(ctx, a, b) && encoding_takes(ctx, b, a));
}

const EchoType *echo_type_unranked_tensor(EchoContext *ctx, const EchoType *element)
{
  EchoType key;
  if (!shaped_key(ctx, &key, ECHO_TYPE_UNRANKED_TENSOR, NULL, 0, element))
    return NULL;
  return unique(ctx, &key);
}

const EchoType *echo_type_memref(EchoContext *ctx, const int64_t *dims, size_t rank,
                                 const EchoType *element, const EchoAttr *layout,
                                 const EchoAttr *memory_space)
{
  EchoType key;
  if (!shaped_key(ctx, &key, ECHO_TYPE_MEMREF, dims, rank, element))
    return NULL;
  if (!echo_attr_check_owner(ctx, "a type is made", "layout", layout) ||
      !echo_attr_check_owner(ctx, "a type is made", "memory_space", memory_space))
    return NULL;
  key.as.shaped.encoding = layout;
  key.as.shaped.memory_space = memory_space;
  return unique(ctx, &key);
}

const EchoType *echo_type_unranked_memref(EchoContext *ctx, const EchoType *element,
                                          const EchoAttr *memory_space)
{
  EchoType key;
  if (!shaped_key(ctx, &key, ECHO_TYPE_UNRANKED_MEMREF, NULL, 0, element) ||
      !echo_attr_check_owner(ctx, "a type is made", "memory_space", memory_space))
    return NULL;
  key.as.shaped.memory_space = memory_space;
  return unique(ctx, &key);
}

const EchoType *echo_type_vector(EchoContext *ctx, const int64_t *dims, size_t rank,
                                 const EchoType *element, uint64_t scalable)
{
  EchoType key;
  if (!shaped_key(ctx, &key, ECHO_TYPE_VECTOR, dims, rank, element))
    return NULL;
  key.as.shaped.scalable = scalable;
  return unique(ctx, &key);
}

const EchoType *echo_type_opaque(EchoContext *ctx, EchoStr dialect, EchoStr text)
{
  return echo_type_opaque_of_parts(ctx, dialect, text, NULL, 0);
}

const EchoType *echo_type_opaque_of_parts(EchoContext *ctx, EchoStr dialect, EchoStr text,
                                          const EchoTextPart *parts, size_t n_parts)
{
  if (!echo_check_opaque(ctx, "a type", dialect, text, parts, n_parts))
    return NULL;
  EchoType key = {.kind = ECHO_TYPE_OPAQUE};
  key.as.opaque.dialect = dialect;
  key.as.opaque.text = text;
  key.as.opaque.parts = parts;
  key.as.opaque.n_parts = n_parts;
  return unique(ctx, &key);
}

const EchoType *echo_type_with_element(EchoContext *ctx, const EchoType *shaped,
                                       const EchoType *element)
{
  if (shaped == NULL || element == NULL || !echo_type_is_shaped(shaped)) {
    echo_misuse(ctx, echo_loc_unknown(), "a type is made: '%s' is %s",
                element == NULL ? "element" : "shaped",
                element == NULL || shaped == NULL ? "NULL" : "not shaped");
    return NULL;
  }
  if (!echo_type_check_owner(ctx, "a type is made", "shaped", shaped) ||
      !echo_type_check_owner(ctx, "a type is made", "element", element))
    return NULL;
  EchoType key = *shaped;
  key.as.shaped.element = element;
  return unique(ctx, &key);
}

/* ---- questions ---- */

bool echo_type_is_shaped(const EchoType *type)
{
  if (type == NULL)
    return false;
  switch (type->kind) {
  case ECHO_TYPE_VECTOR:
  case ECHO_TYPE_TENSOR:
  case ECHO_TYPE_UNRANKED_TENSOR:
  case ECHO_TYPE_MEMREF:
  case ECHO_TYPE_UNRANKED_MEMREF:
    return true;
  default:
    return false;
  }
}

const EchoType *echo_type_element(const EchoType *type)
{
  if (type == NULL)
    return NULL;
  return echo_type_is_shaped(type) || type->kind == ECHO_TYPE_COMPLEX ? type->as.shaped.element
                                                                      : type;
}

static bool is_ranked(const EchoType *type)
{
  return type->kind == ECHO_TYPE_VECTOR || type->kind == ECHO_TYPE_TENSOR ||
         type->kind == ECHO_TYPE_MEMREF;
}

static bool dims_compatible(const EchoType *a, const EchoType *b)
{
  if (a->as.shaped.rank != b->as.shaped.rank)
    return false;
  for (uint32_t i = 0; i < a->as.shaped.rank; ++i) {
    int64_t x = a->as.shaped.dims[i], y = b->as.shaped.dims[i];
    if (x != y && x != ECHO_DYNAMIC && y != ECHO_DYNAMIC)
      return false;
  }
  return true;
}

bool echo_type_shapes_compatible(const EchoType *a, const EchoType *b)
{
  if (a == NULL || b == NULL)
    return false;
  if (a == b)
    return true;
  if (!echo_type_is_shaped(a) || !echo_type_is_shaped(b))
    return echo_type_is_shaped(a) == echo_type_is_shaped(b);
  return !is_ranked(a) || !is_ranked(b) || dims_compatible(a, b);
}

static bool are_ranked(const EchoType *a, const EchoType *b)
{
  return a != NULL && b != NULL && is_ranked(a) && is_ranked(b);
}

bool echo_type_same_dims(const EchoType *a, const EchoType *b)
{
  if (!are_ranked(a, b) || echo_type_rank(a) != echo_type_rank(b))
    return false;
  if (a == b)
    return true;
  for (size_t i = 0; i < echo_type_rank(a); ++i)
    if (echo_type_dim(a, i) != echo_type_dim(b, i))
      return false;
  return true;
}

bool echo_type_same_but_ones(const EchoType *a, const EchoType *b)
{
  size_t i = 0, k = 0;
  if (!are_ranked(a, b))
    return false;
  for (;; ++i, ++k) {
    while (i < echo_type_rank(a) && echo_type_dim(a, i) == 1)
      ++i;
    while (k < echo_type_rank(b) && echo_type_dim(b, k) == 1)
      ++k;
    if (i == echo_type_rank(a) || k == echo_type_rank(b))
      return i == echo_type_rank(a) && k == echo_type_rank(b);
    if (echo_type_dim(a, i) != echo_type_dim(b, k))
      return false;
  }
}

bool echo_type_has_static_shape(const EchoType *type)
{
  if (type == NULL)
    return false;
  if (!is_ranked(type))
    return false;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (type->as.shaped.dims[i] == ECHO_DYNAMIC)
      return false;
  return true;
}

bool echo_type_n_elements(const EchoType *type, int64_t *n_elements)
{
  if (type == NULL || n_elements == NULL)
    return false;
  if (!echo_type_is_shaped(type)) {
    *n_elements = 1;
    return true;
  }
  return type->as.shaped.scalable == 0 && echo_type_n_listed(type, n_elements);
}

bool echo_type_n_listed(const EchoType *type, int64_t *n_elements)
{
  if (n_elements == NULL)
    return false;
  if (!echo_type_has_static_shape(type))
    return false;
  /* an empty shape is empty, however large its other dimensions are */
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (type->as.shaped.dims[i] == 0) {
      *n_elements = 0;
      return true;
    }
  int64_t product = 1;
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (!echo_mul_i64(product, type->as.shaped.dims[i], &product))
      return false;
  *n_elements = product;
  return true;
}

/* Bits of a type that stands as an element; 0 when it has no size. */
static uint32_t scalar_bits(const EchoType *type)
{
  switch (type->kind) {
  case ECHO_TYPE_INTEGER:
    return type->as.integer.width;
  case ECHO_TYPE_INDEX:
    return 64;
  case ECHO_TYPE_FLOAT:
    return echo_float_bit_width(type->as.float_kind);
  case ECHO_TYPE_COMPLEX:
    return 2 * scalar_bits(type->as.shaped.element);
  default:
    return 0;
  }
}

uint32_t echo_type_bit_width(const EchoType *type)
{
  if (type == NULL)
    return 0;
  return scalar_bits(echo_type_is_shaped(type) ? type->as.shaped.element : type);
}

/* i0 has no bits, and takes a byte as i1 does: elements have places of their own. */
static uint32_t scalar_bytes(const EchoType *type)
{
  return echo_type_is_integer(type, 0) ? 1 : (scalar_bits(type) + 7) / 8;
}

uint32_t echo_type_element_bytes(const EchoType *type)
{
  if (type == NULL)
    return 0;
  const EchoType *element = echo_type_is_shaped(type) ? type->as.shaped.element : type;
  if (element->kind == ECHO_TYPE_COMPLEX)
    return 2 * scalar_bytes(element->as.shaped.element);
  if (element->kind == ECHO_TYPE_VECTOR && element != type) {
    uint64_t bytes; /* memref<4xvector<8xf32>> */
    return echo_type_bytes(element, &bytes) && bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
  }
  return scalar_bytes(element);
}

bool echo_type_bytes(const EchoType *type, uint64_t *bytes)
{
  if (bytes == NULL)
    return false;
  int64_t n_elements;
  return echo_type_n_elements(type, &n_elements) &&
         echo_mul_u64((uint64_t)n_elements, echo_type_element_bytes(type), bytes);
}

uint64_t echo_type_static_bytes(const EchoType *type)
{
  uint64_t bytes = 0;
  ECHO_CHECK(echo_type_bytes(type, &bytes), "the type's size is not known or not representable");
  return bytes;
}

int64_t echo_type_static_n_elements(const EchoType *type)
{
  int64_t n_elements = 0;
  ECHO_CHECK(echo_type_n_elements(type, &n_elements),
             "the type's shape is not known or not representable");
  return n_elements;
}

/* ---- element kinds ---- */

static EchoElementKind integer_kind(uint32_t width, bool is_unsigned)
{
  switch (width) {
  case 1:
    return is_unsigned ? ECHO_ELEMENT_NONE : ECHO_ELEMENT_I1;
  case 8:
    return is_unsigned ? ECHO_ELEMENT_UI8 : ECHO_ELEMENT_I8;
  case 16:
    return is_unsigned ? ECHO_ELEMENT_UI16 : ECHO_ELEMENT_I16;
  case 32:
    return is_unsigned ? ECHO_ELEMENT_UI32 : ECHO_ELEMENT_I32;
  case 64:
    return is_unsigned ? ECHO_ELEMENT_UI64 : ECHO_ELEMENT_I64;
  default:
    return ECHO_ELEMENT_NONE;
  }
}

EchoElementKind echo_type_element_kind(const EchoType *type)
{
  if (type == NULL)
    return ECHO_ELEMENT_NONE;
  const EchoType *element = echo_type_is_shaped(type) ? type->as.shaped.element : type;
  switch (element->kind) {
  case ECHO_TYPE_INDEX:
    return ECHO_ELEMENT_I64;
  case ECHO_TYPE_INTEGER:
    return integer_kind(element->as.integer.width, element->as.integer.signedness == ECHO_UNSIGNED);
  case ECHO_TYPE_FLOAT:
    switch (element->as.float_kind) {
    case ECHO_F16:
      return ECHO_ELEMENT_F16;
    case ECHO_BF16:
      return ECHO_ELEMENT_BF16;
    case ECHO_F32:
      return ECHO_ELEMENT_F32;
    case ECHO_F64:
      return ECHO_ELEMENT_F64;
    default:
      return ECHO_ELEMENT_NONE;
    }
  default:
    return ECHO_ELEMENT_NONE;
  }
}

const EchoType *echo_element_type(EchoContext *ctx, EchoElementKind kind)
{
  if ((unsigned)kind >= ECHO_N_ELEMENT_KINDS) {
    echo_misuse(ctx, echo_loc_unknown(), "a type is made: 'kind' is %d, no kind of element",
                (int)kind);
    return NULL;
  }
  switch (kind) {
  case ECHO_ELEMENT_F16:
    return echo_type_float(ctx, ECHO_F16);
  case ECHO_ELEMENT_BF16:
    return echo_type_float(ctx, ECHO_BF16);
  case ECHO_ELEMENT_F32:
    return echo_type_float(ctx, ECHO_F32);
  case ECHO_ELEMENT_F64:
    return echo_type_float(ctx, ECHO_F64);
  default:
    return echo_type_integer(ctx, echo_element_bits(kind),
                             echo_element_is_unsigned(kind) ? ECHO_UNSIGNED : ECHO_SIGNLESS);
  }
}

uint32_t echo_element_bits(EchoElementKind kind)
{
  static const uint8_t BITS[ECHO_N_ELEMENT_KINDS] = {
      [ECHO_ELEMENT_I1] = 1,    [ECHO_ELEMENT_I8] = 8,    [ECHO_ELEMENT_I16] = 16,
      [ECHO_ELEMENT_I32] = 32,  [ECHO_ELEMENT_I64] = 64,  [ECHO_ELEMENT_UI8] = 8,
      [ECHO_ELEMENT_UI16] = 16, [ECHO_ELEMENT_UI32] = 32, [ECHO_ELEMENT_UI64] = 64,
      [ECHO_ELEMENT_F16] = 16,  [ECHO_ELEMENT_BF16] = 16, [ECHO_ELEMENT_F32] = 32,
      [ECHO_ELEMENT_F64] = 64};
  return BITS[kind];
}

bool echo_element_is_float(EchoElementKind kind)
{
  return kind >= ECHO_ELEMENT_F16 && kind <= ECHO_ELEMENT_F64;
}

bool echo_element_is_unsigned(EchoElementKind kind)
{
  return kind >= ECHO_ELEMENT_UI8 && kind <= ECHO_ELEMENT_UI64;
}
