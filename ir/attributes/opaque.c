/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes of dialects: text, the attributes and types that stand in it, and what the dialect
 * made of it. */
#include "ir/attributes/attribute_t.h"
#include "ir/table/dialect.h"

static bool same_opaque(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_OPAQUE && a->as.opaque.is_pretty == b->as.opaque.is_pretty &&
         echo_str_equal(a->as.opaque.dialect, b->as.opaque.dialect) &&
         echo_str_equal(a->as.opaque.text, b->as.opaque.text) && a->type == b->type &&
         echo_same_parts(a->as.opaque.parts, a->as.opaque.n_parts, b->as.opaque.parts,
                         b->as.opaque.n_parts);
}

uint64_t echo_hash_parts(uint64_t hash, const EchoTextPart *parts, size_t n_parts)
{
  for (size_t i = 0; i < n_parts; ++i)
    hash =
        echo_hash_combine(hash, parts[i].attr != NULL ? parts[i].attr->hash : parts[i].type->hash);
  return hash;
}

bool echo_same_parts(const EchoTextPart *a, size_t n_a, const EchoTextPart *b, size_t n_b)
{
  if (n_a != n_b)
    return false;
  for (size_t i = 0; i < n_a; ++i)
    if (a[i].offset != b[i].offset || a[i].attr != b[i].attr || a[i].type != b[i].type)
      return false;
  return true;
}

const EchoTextPart *echo_copy_parts(EchoContext *ctx, const EchoTextPart *parts, size_t n_parts)
{
  return n_parts != 0 ? echo_arena_copy(&ctx->arena, parts, n_parts * sizeof *parts) : NULL;
}

/* Each part is an attribute or a type of this context, and stands in the text behind the last. */
static bool check_part(EchoContext *ctx, const char *what, size_t i, const EchoTextPart *part,
                       size_t begin, size_t size)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (part->offset < begin || part->offset > size || part->size > size - part->offset)
    return echo_misuse(ctx, nowhere, "%s is made: 'parts[%zu]' does not stand in 'text', in order",
                       what, i);
  if ((part->attr != NULL) == (part->type != NULL))
    return echo_misuse(ctx, nowhere,
                       "%s is made: 'parts[%zu]' is not either an attribute or a type", what, i);
  uint16_t owner = part->attr != NULL ? part->attr->owner : part->type->owner;
  return owner == ctx->tag ||
         echo_misuse(ctx, nowhere, "%s is made: 'parts[%zu]' is of another context", what, i);
}

bool echo_check_opaque(EchoContext *ctx, const char *what, EchoStr dialect, EchoStr text,
                       const EchoTextPart *parts, size_t n_parts)
{
  if (!echo_check_string(ctx, what, "dialect", dialect) ||
      !echo_check_string(ctx, what, "text", text))
    return false;
  if (dialect.size == 0)
    return echo_misuse(ctx, echo_loc_unknown(), "%s is made: 'dialect' is empty", what);
  if (parts == NULL && n_parts != 0)
    return echo_misuse(ctx, echo_loc_unknown(),
                       "%s is made: 'parts' is NULL, of which there are %zu", what, n_parts);
  size_t begin = 0;
  for (size_t i = 0; i < n_parts; ++i) {
    if (!check_part(ctx, what, i, &parts[i], begin, text.size))
      return false;
    begin = parts[i].offset + parts[i].size;
  }
  return true;
}

/* The attribute that the dialect's own printer would write, when that is not this text; *failed
 * after an error. */
static const EchoAttr *canonical_or_null(EchoContext *ctx, EchoLoc loc, EchoAttr *key, bool *failed)
{
  const EchoDialect *owner = echo_context_dialect_or_null(ctx, key->as.opaque.dialect);
  EchoStr text = key->as.opaque.text;
  bool is_pretty = key->as.opaque.is_pretty;
  *failed = owner != NULL && owner->parse_attr != NULL &&
            !owner->parse_attr(ctx, loc, text, is_pretty, &key->as.opaque.payload);
  if (*failed || owner == NULL || owner->canonical_attr == NULL || key->as.opaque.n_parts != 0)
    return NULL;
  EchoBuffer canonical = {0};
  const EchoAttr *attr = NULL;
  if (owner->canonical_attr(ctx, key->as.opaque.payload, text, is_pretty, &canonical)) {
    attr = echo_attr_opaque_of_parts_or_null(ctx, loc, key->as.opaque.dialect,
                                             echo_buffer_str(&canonical), is_pretty, key->type,
                                             NULL, 0);
    *failed = attr == NULL;
  }
  echo_buffer_destroy(&canonical);
  return attr;
}

const EchoAttr *echo_attr_opaque_of_parts_or_null(EchoContext *ctx, EchoLoc loc, EchoStr dialect,
                                                  EchoStr text, bool is_pretty,
                                                  const EchoType *type, const EchoTextPart *parts,
                                                  size_t n_parts)
{
  if (!echo_check_opaque(ctx, "an attribute", dialect, text, parts, n_parts) ||
      !echo_type_check_owner(ctx, "an attribute is made", "type", type))
    return NULL;
  EchoAttr key = {.kind = ECHO_ATTR_OPAQUE, .type = type};
  key.as.opaque.dialect = dialect;
  key.as.opaque.text = text;
  key.as.opaque.is_pretty = is_pretty;
  key.as.opaque.parts = parts;
  key.as.opaque.n_parts = n_parts;
  uint64_t hash = echo_attr_seed(ECHO_ATTR_OPAQUE) + is_pretty;
  hash = echo_hash_bytes(dialect.data, dialect.size, hash);
  hash = echo_hash_bytes(text.data, text.size, hash);
  hash = echo_hash_parts(hash, parts, n_parts);
  if (type != NULL)
    hash = echo_hash_combine(hash, type->hash);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_opaque, &key);
  if (slot->object != NULL)
    return slot->object;

  key.as.opaque.dialect = echo_context_intern(ctx, dialect);
  key.as.opaque.text = echo_context_intern(ctx, text);
  bool failed;
  const EchoAttr *canonical = canonical_or_null(ctx, loc, &key, &failed);
  if (failed || canonical != NULL)
    return canonical;
  key.as.opaque.parts = echo_copy_parts(ctx, parts, n_parts);
  /* the hook may have made attributes, which moves slots */
  slot = echo_attr_slot(ctx, hash, same_opaque, &key);
  ECHO_CHECK(slot->object == NULL, "parse_attr of dialect '%s' made its own attribute",
             key.as.opaque.dialect.data);
  return echo_attr_add(ctx, slot, hash, &key, ECHO_ATTR_BYTES(opaque));
}

const EchoAttr *echo_attr_opaque_or_null(EchoContext *ctx, EchoLoc loc, EchoStr dialect,
                                         EchoStr text, bool is_pretty)
{
  return echo_attr_opaque_of_parts_or_null(ctx, loc, dialect, text, is_pretty, NULL, NULL, 0);
}

const EchoAttr *echo_attr_opaque(EchoContext *ctx, EchoStr dialect, EchoStr text, bool is_pretty)
{
  const EchoAttr *attr =
      echo_attr_opaque_or_null(ctx, echo_loc_unknown(), dialect, text, is_pretty);
  ECHO_CHECK(attr != NULL, "dialect '%.*s' refuses '%.*s'", ECHO_STR_ARG(dialect),
             ECHO_STR_ARG(text));
  return attr;
}
