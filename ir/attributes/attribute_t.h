/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the files of ir/ that make attributes unique them. An attribute takes only the bytes that its
 * kind uses: it is never copied by value. */
#ifndef ECHO_IR_ATTRIBUTES_ATTRIBUTE_T_H
#define ECHO_IR_ATTRIBUTES_ATTRIBUTE_T_H

#include "ir/context_t.h"

/* Bytes of an attribute whose payload is `as.member`. */
#define ECHO_ATTR_BYTES(member) (offsetof(EchoAttr, as) + sizeof(((EchoAttr *)NULL)->as.member))

/* The slot of an attribute that is looked up by its key, an EchoAttr on the stack whose arrays are
 * borrowed. Inline, so that `same` is a direct call; it may rely on equal kinds. */
static inline EchoUniquerSlot *echo_attr_slot(EchoContext *ctx, uint64_t hash,
                                              EchoUniquerEqualFn *same, const EchoAttr *key)
{
  return echo_uniquer_slot(&ctx->attrs, hash, same, key);
}

/* Copies the first size_bytes of `key` into the context as the attribute of an empty slot. */
const EchoAttr *echo_attr_add(EchoContext *ctx, EchoUniquerSlot *slot, uint64_t hash,
                              const EchoAttr *key, size_t size_bytes);

/* An argument that an attribute cannot do without, and that is of this context; a misuse that names
 * it otherwise. */
bool echo_attr_is_given(EchoContext *ctx, const char *name, const void *argument);
bool echo_attr_needs_type(EchoContext *ctx, const char *name, const EchoType *type);
bool echo_attr_needs_attr(EchoContext *ctx, const char *name, const EchoAttr *attr);
/* A string that has bytes where its size says so; a misuse of who makes `what` otherwise. */
static inline bool echo_check_string(EchoContext *ctx, const char *what, const char *name,
                                     EchoStr str)
{
  return ECHO_LIKELY(ctx != NULL && (str.data != NULL || str.size == 0)) ||
         echo_misuse(ctx, echo_loc_unknown(), "%s is made: '%s' is NULL, of %zu bytes", what, name,
                     str.size);
}

/* Where hashes of a kind start. */
static inline uint64_t echo_attr_seed(EchoAttrKind kind)
{
  return echo_hash_u64((uint64_t)kind + 101);
}
static inline uint64_t echo_hash_attrs(uint64_t hash, const EchoAttr *const *attrs, size_t n)
{
  hash = echo_hash_combine(hash, n);
  for (size_t i = 0; i < n; ++i)
    hash = echo_hash_combine(hash, attrs[i]->hash);
  return hash;
}
static inline bool echo_same_attrs(const EchoAttr *const *a, size_t n_a, const EchoAttr *const *b,
                                   size_t n_b)
{
  return n_a == n_b && (n_a == 0 || memcmp(a, b, n_a * sizeof *a) == 0);
}
static inline const EchoAttr *const *echo_copy_attrs(EchoContext *ctx, const EchoAttr *const *attrs,
                                                     size_t n)
{
  return n != 0 ? echo_arena_copy(&ctx->arena, attrs, n * sizeof *attrs) : NULL;
}

/* Of the parts of an opaque text, for attributes and types alike. */
bool echo_check_opaque(EchoContext *ctx, const char *what, EchoStr dialect, EchoStr text,
                       const EchoTextPart *parts, size_t n_parts);
uint64_t echo_hash_parts(uint64_t hash, const EchoTextPart *parts, size_t n_parts);
bool echo_same_parts(const EchoTextPart *a, size_t n_a, const EchoTextPart *b, size_t n_b);
const EchoTextPart *echo_copy_parts(EchoContext *ctx, const EchoTextPart *parts, size_t n_parts);

#endif
