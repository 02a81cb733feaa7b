/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/pass/symbol_uses_t.h"

#include "ir/op_t.h"

#include <string.h>

void echo_symbol_uses_create(EchoSymbolUses *uses, void (*see)(void *user, EchoStr name),
                             void *user)
{
  *uses = (EchoSymbolUses){.see = see, .user = user};
}

void echo_symbol_uses_destroy(EchoSymbolUses *uses)
{
  echo_map_destroy(&uses->seen);
  echo_vector_destroy(&uses->attrs);
}

static void search_later(EchoSymbolUses *uses, const EchoAttr *attr)
{
  if (attr != NULL && echo_map_insert(&uses->seen, echo_key(attr), 1))
    echo_vector_push(&uses->attrs, attr);
}

/* Every part of a reference counts, so that one that is seen from another table than meant keeps
 * too much, not too little. */
static void search(EchoSymbolUses *uses, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_SYMBOL_REF:
    uses->see(uses->user, attr->as.symbol.root);
    for (size_t i = 0; i < attr->as.symbol.n_nested; ++i)
      uses->see(uses->user, attr->as.symbol.nested[i]);
    break;
  case ECHO_ATTR_ARRAY:
    for (size_t i = 0; i < attr->as.array.size; ++i)
      search_later(uses, attr->as.array.elements[i]);
    break;
  case ECHO_ATTR_DICTIONARY:
    for (size_t i = 0; i < attr->as.dictionary.size; ++i)
      search_later(uses, attr->as.dictionary.entries[i].value);
    break;
  case ECHO_ATTR_DISTINCT:
    search_later(uses, attr->as.distinct.value);
    break;
  default:
    break;
  }
}

/* Symbols in text that was kept as it is: "@name" may stand anywhere in it. */
static void search_text(EchoSymbolUses *uses, const EchoAttr *attr)
{
  EchoStr text = attr->as.opaque.text;
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] != '@')
      continue;
    size_t begin = i + 1, end = begin;
    bool quoted = begin < text.size && text.data[begin] == '"';
    if (quoted)
      end = ++begin;
    while (end < text.size &&
           (quoted ? text.data[end] != '"' : strchr(" ,:>})]", text.data[end]) == NULL))
      end++;
    uses->see(uses->user, (EchoStr){text.data + begin, end - begin});
  }
}

void echo_symbol_uses_in(EchoSymbolUses *uses, const EchoAttr *attr)
{
  search_later(uses, attr);
  while (uses->attrs.size != 0) {
    const EchoAttr *next = echo_vector_pop(&uses->attrs);
    if (next->kind == ECHO_ATTR_OPAQUE)
      search_text(uses, next);
    else
      search(uses, next);
  }
}

void echo_symbol_uses_of(EchoSymbolUses *uses, const EchoOp *op)
{
  echo_symbol_uses_in(uses, op->properties);
  echo_symbol_uses_in(uses, op->attrs);
}

bool echo_symbol_is_private(const EchoOp *op)
{
  return (op->info->traits & ECHO_SYMBOL) != 0 && echo_symbol_name(op).size != 0 &&
         echo_str_is(echo_op_attr_string(op, "sym_visibility"), "private");
}
