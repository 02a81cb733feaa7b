/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hash table of names with stack order, and how values and blocks are found through it. */
#include "ir/text/parse/names_t.h"

#include <stdlib.h>

#include "ir/text/parse/tokens_t.h"

/* ---- the table ---- */

/* Up to eight characters, zero-padded, are their own word. A longer name's has the highest bit set,
 * which no character of a name has, its size below that, and a hash. */
enum {
  SHORT_BYTES = 8,
  SIZE_BITS = 24,
  HASH_BITS = 63 - SIZE_BITS,
  LARGEST_SIZE = (1 << SIZE_BITS) - 1
};
#define LONG_NAME (UINT64_C(1) << 63)

static uint64_t short_word(const EchoLexer *lexer, const char *name, size_t size)
{
  uint64_t word = 0;
  if (ECHO_LIKELY((size_t)(lexer->end - name) >= sizeof word && name >= lexer->begin &&
                  name < lexer->end)) {
    memcpy(&word, name, sizeof word);
    return size >= sizeof word ? word : word & ((UINT64_C(1) << (8 * size)) - 1);
  }
  memcpy(&word, name, size < sizeof word ? size : sizeof word);
  return word;
}

static uint64_t long_word(const char *name, size_t size)
{
  uint64_t stored_size = size < LARGEST_SIZE ? size : LARGEST_SIZE;
  return LONG_NAME | stored_size << HASH_BITS | echo_hash_bytes(name, size, 0) >> (64 - HASH_BITS);
}

/* Numbers hash to themselves: the values of a region are mostly numbered in order, and so are then
 * their slots. */
static uint32_t hash_of(uint64_t word)
{
  if ((word & LONG_NAME) != 0)
    return (uint32_t)word;
  uint32_t number = 0;
  uint64_t rest = word;
  for (; rest != 0; rest >>= 8) {
    uint32_t digit = (uint32_t)(rest & 0xff) - '0';
    if (digit > 9)
      return (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    number = number * 10 + digit;
  }
  return number;
}

EchoNameKey echo_name_key(const EchoLexer *lexer, const char *name, size_t size)
{
  EchoNameKey key = {.name = name, .size = (uint32_t)size};
  key.word = size <= SHORT_BYTES ? short_word(lexer, name, size) : long_word(name, size);
  key.hash = hash_of(key.word);
  return key;
}

static uint32_t size_of(const EchoNameEntry *entry)
{
  size_t size = 0;
  if ((entry->word & LONG_NAME) == 0) {
    while (size < SHORT_BYTES && entry->word >> (8 * size) != 0)
      size++;
    return (uint32_t)size;
  }
  size = (size_t)(entry->word >> HASH_BITS & LARGEST_SIZE);
  while (size >= LARGEST_SIZE && echo_char_is(entry->name[size], ECHO_CHAR_SUFFIX))
    size++;
  return (uint32_t)size;
}

static bool is_name(const EchoNameEntry *entry, const EchoNameKey *key)
{
  return entry->word == key->word &&
         ((key->word & LONG_NAME) == 0 ||
          (key->size == size_of(entry) && memcmp(entry->name, key->name, key->size) == 0));
}

uint32_t echo_name_find(const EchoNameTable *table, const EchoNameKey *key, size_t base)
{
  if (table->n_slots == 0)
    return ECHO_NAME_NONE;
  uint32_t i = table->slots[key->hash & (table->n_slots - 1)];
  while (i != ECHO_NAME_NONE && i >= base) {
    const EchoNameEntry *entry = &table->entries.data[i];
    if (is_name(entry, key))
      return i;
    i = entry->next;
  }
  return ECHO_NAME_NONE;
}

static void rehash(EchoNameTable *table)
{
  size_t n_slots = table->n_slots == 0 ? 64 : table->n_slots * 2;
  table->slots = echo_realloc_array(table->slots, n_slots, sizeof *table->slots);
  table->n_slots = n_slots;
  memset(table->slots, 0xff, n_slots * sizeof *table->slots);
  for (size_t i = 0; i < table->entries.size; i++) {
    EchoNameEntry *entry = &table->entries.data[i];
    uint32_t *slot = &table->slots[hash_of(entry->word) & (n_slots - 1)];
    entry->next = *slot;
    *slot = (uint32_t)i;
  }
}

uint32_t echo_name_push(EchoNameTable *table, const EchoNameKey *key, void *value, uint32_t count)
{
  if (table->entries.size >= table->n_slots)
    rehash(table);
  uint32_t *slot = &table->slots[key->hash & (table->n_slots - 1)];
  uint32_t index = (uint32_t)table->entries.size;
  echo_vector_push(
      &table->entries,
      (EchoNameEntry){
          .name = key->name, .value = value, .word = key->word, .next = *slot, .count = count});
  *slot = index;
  return index;
}

void echo_name_pop_to(EchoNameTable *table, size_t mark)
{
  while (table->entries.size > mark) {
    const EchoNameEntry *entry = &table->entries.data[--table->entries.size];
    table->slots[hash_of(entry->word) & (table->n_slots - 1)] = entry->next;
  }
}

void echo_name_destroy(EchoNameTable *table)
{
  echo_vector_destroy(&table->entries);
  echo_free(table->slots);
  table->slots = NULL;
}

/* ---- values ---- */

static EchoNameKey key_of(const EchoNameEntry *entry)
{
  return (EchoNameKey){entry->name, entry->word, size_of(entry), hash_of(entry->word)};
}

static EchoValue *different_type(EchoAsmParser *p, const EchoNameKey *key, const EchoType *type,
                                 const EchoType *prior, const char *prior_at)
{
  echo_parser_error_at(p, key->name - 1,
                       "use of value '%%%.*s' expects different type than prior uses: '%s' vs '%s'",
                       (int)key->size, key->name, echo_type_text(p->ctx, type),
                       echo_type_text(p->ctx, prior));
  echo_note(p->ctx, echo_parser_loc(p, prior_at), "prior use here");
  return NULL;
}

/* The stand-in for result `number` of a name that is not defined yet. */
static EchoValue *forward_reference(EchoAsmParser *p, uint32_t entry_index, const EchoNameKey *key,
                                    uint32_t number, const EchoType *type)
{
  EchoNameEntry *entry = &p->values.entries.data[entry_index];
  for (uint32_t i = entry->count; i != ECHO_NAME_NONE; i = p->forwards.data[i].next) {
    const EchoForwardRef *forward = &p->forwards.data[i];
    if (forward->number != number)
      continue;
    EchoValue *value = &forward->placeholder->value;
    if (value->type != type)
      return different_type(p, key, type, value->type, forward->at);
    return value;
  }
  uint32_t index = p->free_forward;
  EchoBlockArg *placeholder;
  if (index != ECHO_NAME_NONE) {
    p->free_forward = p->forwards.data[index].next;
    placeholder = p->forwards.data[index].placeholder;
  } else {
    index = (uint32_t)p->forwards.size;
    placeholder = ECHO_ARENA_NEW(echo_context_arena(p->ctx), EchoBlockArg);
    echo_vector_push(&p->forwards, (EchoForwardRef){0});
  }
  *placeholder = (EchoBlockArg){.value = {.type = type, .is_block_arg = 1}};
  p->forwards.data[index] = (EchoForwardRef){placeholder, key->name - 1, number, entry->count};
  entry->count = index;
  return &placeholder->value;
}

EchoValue *echo_parser_resolve(EchoAsmParser *p, const EchoNameKey *key, uint32_t number,
                               const EchoType *type)
{
  uint32_t index = echo_name_find(&p->values, key, p->isolation_mark);
  if (ECHO_UNLIKELY(index == ECHO_NAME_NONE))
    index = echo_name_push(&p->values, key, NULL, ECHO_NAME_NONE);
  const EchoNameEntry *entry = &p->values.entries.data[index];
  if (ECHO_UNLIKELY(entry->value == NULL))
    return forward_reference(p, index, key, number, type);
  if (ECHO_UNLIKELY(number >= entry->count)) {
    echo_parser_error_at(p, key->name - 1, "reference to invalid result number");
    return NULL;
  }
  EchoValue *value = (EchoValue *)entry->value + number;
  if (ECHO_UNLIKELY(value->type != type))
    return different_type(p, key, type, value->type, entry->name - 1);
  return value;
}

/* Hands the uses that came before the definition over to it. */
static bool resolve_forwards(EchoAsmParser *p, const EchoNameKey *key, uint32_t head,
                             EchoValue *values, uint32_t count)
{
  bool fine = true;
  for (uint32_t i = head; i != ECHO_NAME_NONE;) {
    EchoForwardRef *forward = &p->forwards.data[i];
    uint32_t next = forward->next;
    EchoValue *placeholder = &forward->placeholder->value;
    if (forward->number >= count) {
      fine = echo_parser_error_at(p, forward->at, "reference to invalid result number");
    } else if (values[forward->number].type != placeholder->type) {
      fine = echo_parser_error_at(
          p, key->name - 1, "definition of SSA value '%%%.*s#%u' has type '%s'", (int)key->size,
          key->name, forward->number, echo_type_text(p->ctx, values[forward->number].type));
      echo_note(p->ctx, echo_parser_loc(p, forward->at), "previously used here with type '%s'",
                echo_type_text(p->ctx, placeholder->type));
    } else {
      echo_value_replace_all_uses(placeholder, &values[forward->number]);
      forward->next = p->free_forward;
      p->free_forward = i;
    }
    i = next;
  }
  return fine;
}

bool echo_parser_define(EchoAsmParser *p, const EchoNameKey *key, EchoValue *values, uint32_t count)
{
  uint32_t index = echo_name_find(&p->values, key, p->isolation_mark);
  if (ECHO_LIKELY(index == ECHO_NAME_NONE)) {
    echo_name_push(&p->values, key, values, count);
    return true;
  }
  EchoNameEntry *entry = &p->values.entries.data[index];
  if (entry->value != NULL) {
    echo_parser_error_at(p, key->name - 1, "redefinition of SSA value '%%%.*s'", (int)key->size,
                         key->name);
    return echo_note(p->ctx, echo_parser_loc(p, entry->name - 1), "previously defined here");
  }
  /* The entry stays dead below; the definition's own scope decides how long the name lives. */
  uint32_t head = entry->count;
  entry->count = ECHO_NAME_NONE;
  echo_name_push(&p->values, key, values, count);
  return resolve_forwards(p, key, head, values, count);
}

/* ---- blocks ---- */

EchoBlock *echo_parser_block_reference(EchoAsmParser *p, EchoToken token)
{
  EchoNameKey key =
      echo_name_key(&p->lexer, token.start + 1, (size_t)(token.end - token.start - 1));
  uint32_t index = echo_name_find(&p->blocks, &key, p->blocks_mark);
  if (index != ECHO_NAME_NONE)
    return p->blocks.entries.data[index].value;
  EchoBlock *block = echo_block_create(p->ctx);
  echo_name_push(&p->blocks, &key, block, 0);
  return block;
}

EchoBlock *echo_parser_define_block(EchoAsmParser *p, EchoToken token)
{
  EchoNameKey key =
      echo_name_key(&p->lexer, token.start + 1, (size_t)(token.end - token.start - 1));
  uint32_t index = echo_name_find(&p->blocks, &key, p->blocks_mark);
  if (index == ECHO_NAME_NONE) {
    EchoBlock *block = echo_block_create(p->ctx);
    echo_name_push(&p->blocks, &key, block, 1);
    return block;
  }
  EchoNameEntry *entry = &p->blocks.entries.data[index];
  if (entry->count != 0) {
    echo_parser_error_at(p, token.start, "redefinition of block '%.*s'",
                         ECHO_STR_ARG(echo_token_text(token)));
    echo_note(p->ctx, echo_parser_loc(p, entry->name - 1), "previously defined here");
    return NULL;
  }
  entry->count = 1;
  entry->name = key.name;
  return entry->value;
}

/* ---- scopes ---- */

void echo_parser_push_scope(EchoAsmParser *p, bool isolated, EchoRegionFrame *frame)
{
  frame->isolated = isolated;
  frame->values_mark = p->values.entries.size;
  frame->blocks_mark = p->blocks_mark;
  frame->isolation_mark = p->isolation_mark;
  p->blocks_mark = p->blocks.entries.size;
  if (isolated)
    p->isolation_mark = p->values.entries.size;
}

static bool check_blocks_defined(EchoAsmParser *p)
{
  bool fine = true;
  for (size_t i = p->blocks_mark; i < p->blocks.entries.size; i++) {
    const EchoNameEntry *entry = &p->blocks.entries.data[i];
    if (entry->count == 0)
      fine = echo_parser_error_at(p, entry->name - 1, "reference to an undefined block");
  }
  return fine;
}

/* Forgets the values from `mark` on, but those that are used and not defined yet, which an
 * enclosing region may still define, or, behind an isolated region, nobody. */
static void pop_values(EchoAsmParser *p, size_t mark, bool isolated)
{
  size_t n_kept = 0;
  EchoNameEntry *entries = p->values.entries.data;
  ECHO_VECTOR(EchoNameEntry) kept = {0};
  for (size_t i = mark; i < p->values.entries.size; i++)
    if (entries[i].value == NULL && entries[i].count != ECHO_NAME_NONE)
      echo_vector_push(&kept, entries[i]);
  echo_name_pop_to(&p->values, mark);
  for (; n_kept < kept.size; n_kept++) {
    const EchoNameEntry *entry = &kept.data[n_kept];
    EchoNameKey key = key_of(entry);
    if (!isolated) {
      echo_name_push(&p->values, &key, NULL, entry->count);
      continue;
    }
    for (uint32_t i = entry->count; i != ECHO_NAME_NONE; i = p->forwards.data[i].next)
      echo_vector_push(&p->unresolved, p->forwards.data[i]);
  }
  echo_vector_destroy(&kept);
}

bool echo_parser_pop_scope(EchoAsmParser *p, const EchoRegionFrame *frame)
{
  bool fine = check_blocks_defined(p);
  pop_values(p, frame->values_mark, frame->isolated);
  p->isolation_mark = frame->isolation_mark;
  echo_name_pop_to(&p->blocks, p->blocks_mark);
  p->blocks_mark = frame->blocks_mark;
  return fine;
}

static int by_position(const void *a, const void *b)
{
  const char *x = ((const EchoForwardRef *)a)->at, *y = ((const EchoForwardRef *)b)->at;
  return (x > y) - (x < y);
}

bool echo_parser_check_undefined(EchoAsmParser *p)
{
  pop_values(p, 0, true);
  if (p->unresolved.size == 0)
    return true;
  qsort(p->unresolved.data, p->unresolved.size, sizeof *p->unresolved.data, by_position);
  for (size_t i = 0; i < p->unresolved.size; i++)
    echo_parser_error_at(p, p->unresolved.data[i].at, "use of undeclared SSA value name");
  return false;
}
