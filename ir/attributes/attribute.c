/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Uniquing of scalars, strings, arrays, dictionaries, symbols, types and distinct attributes.
 * Elements, affine maps and locations have files of their own. */
#include "ir/attributes/attribute.h"

#include <stdlib.h>

#include "ir/attributes/attribute_t.h"
#include "ir/attributes/float_format.h"

const EchoAttr *echo_attr_add(EchoContext *ctx, EchoUniquerSlot *slot, uint64_t hash,
                              const EchoAttr *key, size_t size_bytes)
{
  EchoAttr *added = echo_arena_alloc(&ctx->arena, size_bytes);
  memcpy((void *)added, key, size_bytes);
  added->owner = ctx->tag;
  added->hash = (uint32_t)(hash ^ (hash >> 32));
  echo_uniquer_fill(&ctx->attrs, slot, hash, added);
  return added;
}

void echo_context_create_attributes(EchoContext *ctx)
{
  EchoAttr unit = {.kind = ECHO_ATTR_UNIT};
  uint64_t hash = echo_attr_seed(ECHO_ATTR_UNIT);
  unit.hash = (uint32_t)hash;
  unit.owner = ctx->tag;
  ctx->unit = echo_arena_copy(&ctx->arena, &unit, offsetof(EchoAttr, as));
  ctx->false_attr = echo_attr_integer(ctx, ctx->i1, 0);
  ctx->true_attr = echo_attr_integer(ctx, ctx->i1, 1);
  ctx->empty_dictionary = echo_attr_dictionary(ctx, NULL, 0);
  ctx->unknown_location = echo_attr_location_unknown(ctx);
}

const EchoAttr *echo_attr_unit(EchoContext *ctx)
{
  return ctx != NULL ? ctx->unit : NULL;
}

const EchoAttr *echo_attr_bool(EchoContext *ctx, bool value)
{
  return ctx == NULL ? NULL : value ? ctx->true_attr : ctx->false_attr;
}

/* ---- integers ---- */

static bool same_integer(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_INTEGER && a->type == b->type &&
         a->as.integer.value == b->as.integer.value;
}

static bool same_wide_integer(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  if (a->kind != ECHO_ATTR_INTEGER || a->type != b->type)
    return false;
  size_t n_words = (a->type->as.integer.width + 63) / 64;
  return memcmp(a->as.integer.words, b->as.integer.words, n_words * sizeof(uint64_t)) == 0;
}

/* The low bits of value, extended as the type says; i1 is 0 or 1. */
static int64_t normalize_integer(const EchoType *type, int64_t value)
{
  if (type->kind == ECHO_TYPE_INDEX)
    return value;
  uint32_t width = type->as.integer.width;
  if (width >= 64)
    return value;
  if (width == 0)
    return 0;
  uint32_t unused = 64 - width;
  uint64_t shifted = (uint64_t)value << unused;
  if (type->as.integer.signedness == ECHO_UNSIGNED || width == 1)
    return (int64_t)(shifted >> unused);
  return (int64_t)shifted >> unused;
}

bool echo_attr_check_owner(EchoContext *ctx, const char *what, const char *name,
                           const EchoAttr *attr)
{
  if (ECHO_UNLIKELY(ctx == NULL))
    return false; /* nobody to tell */
  return attr == NULL || ECHO_LIKELY(attr->owner == ctx->tag) ||
         echo_misuse(ctx, echo_loc_unknown(), "%s: '%s' is of another context", what, name);
}

bool echo_attr_is_given(EchoContext *ctx, const char *name, const void *argument)
{
  return ECHO_LIKELY(ctx != NULL && argument != NULL) ||
         echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: '%s' is NULL", name);
}

bool echo_attr_needs_type(EchoContext *ctx, const char *name, const EchoType *type)
{
  return echo_attr_is_given(ctx, name, type) &&
         echo_type_check_owner(ctx, "an attribute is made", name, type);
}

bool echo_attr_needs_attr(EchoContext *ctx, const char *name, const EchoAttr *attr)
{
  return echo_attr_is_given(ctx, name, attr) &&
         echo_attr_check_owner(ctx, "an attribute is made", name, attr);
}

static bool is_integer_type(EchoContext *ctx, const EchoType *type)
{
  return echo_attr_needs_type(ctx, "type", type) &&
         (ECHO_LIKELY(type->kind == ECHO_TYPE_INTEGER || type->kind == ECHO_TYPE_INDEX) ||
          echo_misuse(ctx, echo_loc_unknown(),
                      "an integer attribute is made: 'type' is %s, no integer or index",
                      echo_type_text(ctx, type)));
}

static bool is_float_type(EchoContext *ctx, const EchoType *type)
{
  return echo_attr_needs_type(ctx, "type", type) &&
         (ECHO_LIKELY(type->kind == ECHO_TYPE_FLOAT) ||
          echo_misuse(ctx, echo_loc_unknown(), "a float attribute is made: 'type' is %s, no float",
                      echo_type_text(ctx, type)));
}

static bool is_wide_integer(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INTEGER && type->as.integer.width > 64;
}

/* `words` are borrowed; bits above the width are cleared. */
static const EchoAttr *unique_wide_integer(EchoContext *ctx, const EchoType *type,
                                           const uint64_t *words)
{
  uint32_t width = type->as.integer.width;
  size_t n_words = (width + 63) / 64;
  uint64_t *masked = echo_alloc_array(n_words, sizeof *masked);
  memcpy(masked, words, n_words * sizeof *masked);
  if (width % 64 != 0)
    masked[n_words - 1] &= (UINT64_C(1) << (width % 64)) - 1;

  EchoAttr key = {.kind = ECHO_ATTR_INTEGER, .type = type};
  key.as.integer.value = (int64_t)masked[0];
  key.as.integer.words = masked;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_INTEGER), type->hash);
  hash = echo_hash_bytes(masked, n_words * sizeof *masked, hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_wide_integer, &key);
  const EchoAttr *result = slot->object;
  if (result == NULL) {
    key.as.integer.words = echo_arena_copy(&ctx->arena, masked, n_words * sizeof *masked);
    result = echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(integer));
  }
  echo_free(masked);
  return result;
}

const EchoAttr *echo_attr_integer_words(EchoContext *ctx, const EchoType *type,
                                        const uint64_t *words)
{
  if (!is_integer_type(ctx, type) || !echo_attr_is_given(ctx, "words", words))
    return NULL;
  return is_wide_integer(type) ? unique_wide_integer(ctx, type, words)
                               : echo_attr_integer(ctx, type, (int64_t)words[0]);
}

static const EchoAttr *extend_to_wide(EchoContext *ctx, const EchoType *type, int64_t value)
{
  size_t n_words = (type->as.integer.width + 63) / 64;
  uint64_t *words = echo_alloc_array(n_words, sizeof *words);
  bool ones = value < 0 && type->as.integer.signedness != ECHO_UNSIGNED;
  memset(words, ones ? 0xff : 0, n_words * sizeof *words);
  words[0] = (uint64_t)value;
  const EchoAttr *result = unique_wide_integer(ctx, type, words);
  echo_free(words);
  return result;
}

const EchoAttr *echo_attr_integer(EchoContext *ctx, const EchoType *type, int64_t value)
{
  if (!is_integer_type(ctx, type))
    return NULL;
  if (is_wide_integer(type))
    return extend_to_wide(ctx, type, value);
  EchoAttr key = {.kind = ECHO_ATTR_INTEGER, .type = type};
  key.as.integer.value = normalize_integer(type, value);
  uint64_t hash = echo_hash_combine(type->hash, (uint64_t)key.as.integer.value);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_integer, &key);
  if (slot->object != NULL)
    return slot->object;
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(integer));
}

const EchoAttr *echo_attr_i64(EchoContext *ctx, int64_t value)
{
  return echo_attr_integer(ctx, echo_type_i64(ctx), value);
}

const EchoAttr *echo_attr_i32(EchoContext *ctx, int32_t value)
{
  return echo_attr_integer(ctx, echo_type_i32(ctx), value);
}

/* ---- floats: equal when their bits are ---- */

static bool same_float(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  if (a->kind != ECHO_ATTR_FLOAT || a->type != b->type ||
      a->as.floating.bits != b->as.floating.bits)
    return false;
  return a->as.floating.words == NULL ||
         memcmp(a->as.floating.words, b->as.floating.words, 2 * sizeof(uint64_t)) == 0;
}

const EchoAttr *echo_attr_float_words(EchoContext *ctx, const EchoType *type,
                                      const uint64_t words[2])
{
  if (!is_float_type(ctx, type) || !echo_attr_is_given(ctx, "words", words))
    return NULL;
  EchoFloatKind kind = type->as.float_kind;
  uint32_t width = echo_float_bit_width(kind);
  uint64_t used[2] = {words[0], width > 64 ? words[1] : 0};
  if (width % 64 != 0)
    used[width / 64] &= (UINT64_C(1) << (width % 64)) - 1;

  EchoAttr key = {.kind = ECHO_ATTR_FLOAT, .type = type};
  key.as.floating.bits = used[0];
  key.as.floating.words = width > 64 ? used : NULL;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_FLOAT), type->hash);
  hash = echo_hash_combine(echo_hash_combine(hash, used[0]), used[1]);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_float, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.floating.value = echo_float_words_to_f64(kind, used);
  if (width > 64)
    key.as.floating.words = echo_arena_copy(&ctx->arena, used, sizeof used);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(floating));
}

const EchoAttr *echo_attr_float(EchoContext *ctx, const EchoType *type, double value)
{
  if (!is_float_type(ctx, type))
    return NULL;
  uint64_t words[2];
  echo_float_words_from_f64(type->as.float_kind, value, words);
  return echo_attr_float_words(ctx, type, words);
}

const EchoAttr *echo_attr_float_bits(EchoContext *ctx, const EchoType *type, uint64_t bits)
{
  return echo_attr_float_words(ctx, type, (uint64_t[2]){bits, 0});
}

/* ---- strings and types ---- */

static bool same_string(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_STRING && a->type == b->type &&
         echo_str_equal(a->as.string, b->as.string);
}

const EchoAttr *echo_attr_string_typed(EchoContext *ctx, EchoStr value, const EchoType *type)
{
  if (!echo_check_string(ctx, "an attribute", "value", value) ||
      !echo_type_check_owner(ctx, "an attribute is made", "type", type))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_STRING, .type = type};
  key.as.string = value;
  uint64_t hash = echo_attr_seed(ECHO_ATTR_STRING);
  hash = echo_hash_bytes(value.data, value.size, type != NULL ? hash ^ type->hash : hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_string, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.string = echo_context_intern(ctx, value);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(string));
}

const EchoAttr *echo_attr_string(EchoContext *ctx, EchoStr value)
{
  return echo_attr_string_typed(ctx, value, NULL);
}

static bool same_type_attr(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_TYPE && a->as.type_value == b->as.type_value;
}

const EchoAttr *echo_attr_type(EchoContext *ctx, const EchoType *value)
{
  if (!echo_attr_needs_type(ctx, "value", value))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_TYPE};
  key.as.type_value = value;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_TYPE), value->hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_type_attr, &key);
  if (slot->object != NULL)
    return slot->object;
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(type_value));
}

/* ---- arrays ---- */

static bool same_array(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_ARRAY && echo_same_attrs(a->as.array.elements, a->as.array.size,
                                                       b->as.array.elements, b->as.array.size);
}

const EchoAttr *echo_attr_array(EchoContext *ctx, const EchoAttr *const *elements, size_t size)
{
  if (ctx == NULL || (size != 0 && !echo_attr_is_given(ctx, "elements", elements)))
    return NULL;
  for (size_t i = 0; i < size; ++i)
    if (!echo_attr_needs_attr(ctx, "elements[]", elements[i]))
      return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_ARRAY};
  key.as.array.elements = elements;
  key.as.array.size = size;
  uint64_t hash = echo_hash_attrs(echo_attr_seed(ECHO_ATTR_ARRAY), elements, size);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_array, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.array.elements = echo_copy_attrs(ctx, elements, size);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(array));
}

/* ---- dictionaries ---- */

/* Names are interned and sorted, so entries compare as pointers; their sizes follow from the
 * pointers. */
static bool same_dictionary(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  if (a->kind != ECHO_ATTR_DICTIONARY || a->as.dictionary.size != b->as.dictionary.size)
    return false;
  for (size_t i = 0; i < a->as.dictionary.size; ++i)
    if (a->as.dictionary.entries[i].name.data != b->as.dictionary.entries[i].name.data ||
        a->as.dictionary.entries[i].value != b->as.dictionary.entries[i].value)
      return false;
  return true;
}

/* Entries are sorted and their names interned; the array is borrowed. */
static const EchoAttr *unique_dictionary(EchoContext *ctx, const EchoNamedAttr *entries,
                                         size_t size)
{
  EchoAttr key = {.kind = ECHO_ATTR_DICTIONARY};
  key.as.dictionary.entries = entries;
  key.as.dictionary.size = size;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_DICTIONARY), size);
  for (size_t i = 0; i < size; ++i) {
    hash = echo_hash_bytes(entries[i].name.data, entries[i].name.size, hash);
    hash = echo_hash_combine(hash, entries[i].value->hash);
  }
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_dictionary, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.dictionary.entries =
      size != 0 ? echo_arena_copy(&ctx->arena, entries, size * sizeof *entries) : NULL;
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(dictionary));
}

static int compare_entries(const void *a, const void *b)
{
  return echo_str_compare(((const EchoNamedAttr *)a)->name, ((const EchoNamedAttr *)b)->name);
}

/* Dictionaries are small and mostly sorted: insertion up to a bound, the library's sort above. */
static void sort_entries(EchoNamedAttr *entries, size_t size)
{
  enum { SMALL = 16 };
  if (size > SMALL) {
    qsort(entries, size, sizeof *entries, compare_entries);
    return;
  }
  for (size_t i = 1; i < size; ++i) {
    EchoNamedAttr moved = entries[i];
    size_t j = i;
    for (; j > 0 && echo_str_compare(moved.name, entries[j - 1].name) < 0; --j)
      entries[j] = entries[j - 1];
    entries[j] = moved;
  }
}

enum { ENTRIES_ON_STACK = 32 };

const EchoAttr *echo_attr_dictionary(EchoContext *ctx, const EchoNamedAttr *entries, size_t size)
{
  if (size == 0)
    return ctx != NULL ? unique_dictionary(ctx, NULL, 0) : NULL;
  if (!echo_attr_is_given(ctx, "entries", entries))
    return NULL;
  for (size_t i = 0; i < size; ++i)
    if (!echo_attr_is_given(ctx, "entries[].name", entries[i].name.data) ||
        !echo_attr_needs_attr(ctx, "entries[].value", entries[i].value))
      return NULL;
  EchoNamedAttr on_stack[ENTRIES_ON_STACK];
  EchoNamedAttr *sorted =
      size <= ENTRIES_ON_STACK ? on_stack : echo_alloc_array(size, sizeof *sorted);
  for (size_t i = 0; i < size; ++i)
    sorted[i] = (EchoNamedAttr){echo_context_intern(ctx, entries[i].name), entries[i].value};
  sort_entries(sorted, size);
  bool ok = true;
  for (size_t i = 1; i < size && ok; ++i)
    ok = sorted[i].name.data != sorted[i - 1].name.data ||
         echo_misuse(ctx, echo_loc_unknown(), "a dictionary is made: 'entries' name '%s' twice",
                     sorted[i].name.data);
  const EchoAttr *result = ok ? unique_dictionary(ctx, sorted, size) : NULL;
  if (sorted != on_stack)
    echo_free(sorted);
  return result;
}

/* Index of the first entry that is not before `name`. */
static size_t lower_bound(const EchoAttr *dictionary, EchoStr name)
{
  size_t low = 0, high = dictionary->as.dictionary.size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (echo_str_compare(dictionary->as.dictionary.entries[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const EchoAttr *echo_dictionary_get_or_null(const EchoAttr *dictionary, const char *name)
{
  if (dictionary == NULL)
    return NULL;
  EchoStr wanted = echo_str(name);
  size_t index = lower_bound(dictionary, wanted);
  if (index == dictionary->as.dictionary.size)
    return NULL;
  const EchoNamedAttr *entry = &dictionary->as.dictionary.entries[index];
  return echo_str_equal(entry->name, wanted) ? entry->value : NULL;
}

const EchoNamedAttr *echo_dictionary_without_dialect_or_null(const EchoAttr *dictionary)
{
  for (size_t i = 0; dictionary != NULL && i < dictionary->as.dictionary.size; i++) {
    const EchoNamedAttr *entry = &dictionary->as.dictionary.entries[i];
    if (memchr(entry->name.data, '.', entry->name.size) == NULL)
      return entry;
  }
  return NULL;
}

const EchoAttr *echo_dictionary_with(EchoContext *ctx, const EchoAttr *dictionary, EchoStr name,
                                     const EchoAttr *value)
{
  if (!echo_attr_check_owner(ctx, "an attribute is made", "dictionary", dictionary) ||
      !echo_attr_check_owner(ctx, "an attribute is made", "value", value) ||
      !echo_attr_is_given(ctx, "name", name.data))
    return NULL;
  if (dictionary == NULL)
    dictionary = ctx->empty_dictionary;
  if (dictionary->kind != ECHO_ATTR_DICTIONARY) {
    echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: 'dictionary' is none");
    return NULL;
  }
  const EchoNamedAttr *entries = dictionary->as.dictionary.entries;
  size_t size = dictionary->as.dictionary.size;
  size_t index = lower_bound(dictionary, name);
  bool present = index < size && echo_str_equal(entries[index].name, name);
  if (!present && value == NULL)
    return dictionary;

  EchoNamedAttr on_stack[ENTRIES_ON_STACK];
  EchoNamedAttr *changed =
      size < ENTRIES_ON_STACK ? on_stack : echo_alloc_array(size + 1, sizeof *changed);
  size_t n = 0;
  for (size_t i = 0; i < index; ++i)
    changed[n++] = entries[i];
  if (value != NULL)
    changed[n++] = (EchoNamedAttr){echo_context_intern(ctx, name), value};
  for (size_t i = index + present; i < size; ++i)
    changed[n++] = entries[i];
  const EchoAttr *result = unique_dictionary(ctx, changed, n);
  if (changed != on_stack)
    echo_free(changed);
  return result;
}

/* ---- symbols ---- */

static bool same_symbol(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  if (a->kind != ECHO_ATTR_SYMBOL_REF || !echo_str_equal(a->as.symbol.root, b->as.symbol.root) ||
      a->as.symbol.n_nested != b->as.symbol.n_nested)
    return false;
  for (size_t i = 0; i < a->as.symbol.n_nested; ++i)
    if (!echo_str_equal(a->as.symbol.nested[i], b->as.symbol.nested[i]))
      return false;
  return true;
}

const EchoAttr *echo_attr_symbol_nested(EchoContext *ctx, EchoStr root, const EchoStr *nested,
                                        size_t n_nested)
{
  if (!echo_check_string(ctx, "an attribute", "root", root) ||
      (n_nested != 0 && !echo_attr_is_given(ctx, "nested", nested)))
    return NULL;
  for (size_t i = 0; i < n_nested; ++i)
    if (!echo_check_string(ctx, "an attribute", "nested[]", nested[i]))
      return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_SYMBOL_REF};
  key.as.symbol.root = root;
  key.as.symbol.nested = nested;
  key.as.symbol.n_nested = n_nested;
  uint64_t hash = echo_hash_bytes(root.data, root.size, echo_attr_seed(ECHO_ATTR_SYMBOL_REF));
  for (size_t i = 0; i < n_nested; ++i)
    hash = echo_hash_bytes(nested[i].data, nested[i].size, hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_symbol, &key);
  if (slot->object != NULL)
    return slot->object;
  key.as.symbol.root = echo_context_intern(ctx, root);
  EchoStr *owned = ECHO_ARENA_ARRAY(&ctx->arena, EchoStr, n_nested);
  for (size_t i = 0; i < n_nested; ++i)
    owned[i] = echo_context_intern(ctx, nested[i]);
  key.as.symbol.nested = owned;
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(symbol));
}

const EchoAttr *echo_attr_symbol(EchoContext *ctx, EchoStr root)
{
  return echo_attr_symbol_nested(ctx, root, NULL, 0);
}

/* ---- distinct ---- */

static bool same_distinct(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_DISTINCT && a->as.distinct.id == b->as.distinct.id &&
         a->as.distinct.value == b->as.distinct.value;
}

const EchoAttr *echo_attr_distinct(EchoContext *ctx, uint64_t id, const EchoAttr *value)
{
  if (!echo_attr_needs_attr(ctx, "value", value))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_DISTINCT};
  key.as.distinct.id = id;
  key.as.distinct.value = value;
  uint64_t hash = echo_hash_combine(echo_attr_seed(ECHO_ATTR_DISTINCT), id);
  hash = echo_hash_combine(hash, value->hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_distinct, &key);
  if (slot->object != NULL)
    return slot->object;
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(distinct));
}
