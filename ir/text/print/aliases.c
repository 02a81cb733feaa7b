/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which attributes and types are printed by a short name, as MLIR has it: affine maps, integer
 * sets, locations (with --mlir-print-debuginfo), distinct attributes with a value, tuples of more
 * than 16 types, and some attributes of its dialects. */
#include <stdlib.h>

#include "ir/text/print/printer_t.h"

enum { LONG_TUPLE = 16 };

/* Attributes of MLIR's dialects that are always printed by an alias: "#mnemonic<…>" and its name.
 */
static const struct {
  const char *dialect, *mnemonic, *alias;
} DIALECT_ALIASES[] = {
#define LLVM(name)                                                                                 \
  {                                                                                                \
    "llvm", name, name                                                                             \
  }
    LLVM("access_group"),
    LLVM("alias_scope"),
    LLVM("alias_scope_domain"),
    LLVM("di_basic_type"),
    LLVM("di_compile_unit"),
    LLVM("di_composite_type"),
    LLVM("di_derived_type"),
    LLVM("di_file"),
    LLVM("di_global_variable"),
    LLVM("di_global_variable_expression"),
    LLVM("di_label"),
    LLVM("di_lexical_block"),
    LLVM("di_lexical_block_file"),
    LLVM("di_local_variable"),
    LLVM("di_module"),
    LLVM("di_namespace"),
    LLVM("di_null_type"),
    LLVM("di_string_type"),
    LLVM("di_subprogram"),
    LLVM("di_subroutine_type"),
    LLVM("loop_annotation"),
    LLVM("loop_distribute"),
    LLVM("loop_interleave"),
    LLVM("loop_licm"),
    LLVM("loop_peeled"),
    LLVM("loop_pipeline"),
    LLVM("loop_unroll"),
    LLVM("loop_unroll_and_jam"),
    LLVM("loop_unswitch"),
    LLVM("loop_vectorize"),
    LLVM("tbaa_root"),
    LLVM("tbaa_tag"),
    LLVM("tbaa_type_desc"),
#undef LLVM
    {"ml_program", "extern", "extern"},
    {"sparse_tensor", "encoding", "sparse"},
};

static const char *dialect_alias_or_null(const EchoAttr *attr)
{
  EchoStr text = attr->as.opaque.text;
  const char *end = memchr(text.data, '<', text.size);
  EchoStr mnemonic = {text.data, end != NULL ? (size_t)(end - text.data) : text.size};
  for (size_t i = 0; i < sizeof DIALECT_ALIASES / sizeof *DIALECT_ALIASES; i++)
    if (echo_str_is(attr->as.opaque.dialect, DIALECT_ALIASES[i].dialect) &&
        echo_str_is(mnemonic, DIALECT_ALIASES[i].mnemonic))
      return DIALECT_ALIASES[i].alias;
  return NULL;
}

static const char *attr_alias_or_null(const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_OPAQUE:
    return dialect_alias_or_null(attr);
  case ECHO_ATTR_AFFINE_MAP:
    return "map";
  case ECHO_ATTR_INTEGER_SET:
    return "set";
  case ECHO_ATTR_LOCATION:
    return "loc";
  case ECHO_ATTR_DISTINCT:
    return attr->as.distinct.value->kind != ECHO_ATTR_UNIT ? "distinct" : NULL;
  default:
    return NULL;
  }
}

static const char *type_alias_or_null(const EchoType *type)
{
  return type->kind == ECHO_TYPE_TUPLE && type->as.tuple.n_elements > LONG_TUPLE ? "tuple" : NULL;
}

/* The unknown location is there in every context; as an attribute it stands in a list or
 * dictionary. */
static bool holds_unknown_location(const EchoContext *ctx, const EchoAttr *attr)
{
  if (attr->kind == ECHO_ATTR_ARRAY)
    for (size_t i = 0; i < attr->as.array.size; i++)
      if (attr->as.array.elements[i] == ctx->unknown_location)
        return true;
  if (attr->kind == ECHO_ATTR_DICTIONARY)
    for (size_t i = 0; i < attr->as.dictionary.size; i++)
      if (attr->as.dictionary.entries[i].value == ctx->unknown_location)
        return true;
  return false;
}

bool echo_aliases_possible(const EchoContext *ctx, const EchoPrintOptions *options)
{
  if (options->local_scope)
    return false;
  if (options->debug_info)
    return true;
  for (size_t i = 0; i < ctx->attrs.n_slots; i++) {
    const EchoAttr *attr = ctx->attrs.slots[i].object;
    if (attr == NULL || attr == ctx->unknown_location)
      continue;
    if (attr_alias_or_null(attr) != NULL || holds_unknown_location(ctx, attr))
      return true;
  }
  for (size_t i = 0; i < ctx->types.n_slots; i++) {
    const EchoType *type = ctx->types.slots[i].object;
    if (type != NULL && type_alias_or_null(type) != NULL)
      return true;
  }
  return false;
}

/* ---- visiting ---- */

typedef struct Visit {
  EchoAliases *aliases;
  bool can_be_deferred;
  uint32_t depth;
  ECHO_VECTOR(uint32_t) children;
} Visit;

static uint32_t visit_attr(EchoAliases *aliases, const EchoAttr *attr, bool can_be_deferred);
static uint32_t visit_type(EchoAliases *aliases, const EchoType *type, bool can_be_deferred);

static void child(Visit *v, uint32_t index)
{
  uint32_t depth = v->aliases->list.data[index].depth;
  if (depth > v->depth)
    v->depth = depth;
  echo_vector_push(&v->children, index);
}

static void child_attr(Visit *v, const EchoAttr *attr)
{
  if (attr != NULL)
    child(v, visit_attr(v->aliases, attr, v->can_be_deferred));
}

static void child_type(Visit *v, const EchoType *type)
{
  if (type != NULL)
    child(v, visit_type(v->aliases, type, v->can_be_deferred));
}

static void location_children(Visit *v, const EchoAttr *location)
{
  switch (location->as.location.kind) {
  case ECHO_LOC_NAME:
    if (location->as.location.child->as.location.kind != ECHO_LOC_UNKNOWN)
      child_attr(v, location->as.location.child);
    break;
  case ECHO_LOC_CALL_SITE:
    child_attr(v, location->as.location.child);
    child_attr(v, location->as.location.caller);
    break;
  case ECHO_LOC_FUSED:
    child_attr(v, location->as.location.caller);
    for (size_t i = 0; i < location->as.location.n_parts; i++)
      child_attr(v, location->as.location.parts[i]);
    break;
  default:
    break;
  }
}

static void part_children(Visit *v, const EchoTextPart *parts, size_t n_parts)
{
  for (size_t i = 0; i < n_parts; i++) {
    child_attr(v, parts[i].attr);
    child_type(v, parts[i].type);
  }
}

/* In the order in which they are printed. */
static void attr_children(Visit *v, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_ARRAY:
    for (size_t i = 0; i < attr->as.array.size; i++)
      child_attr(v, attr->as.array.elements[i]);
    break;
  case ECHO_ATTR_DICTIONARY:
    for (size_t i = 0; i < attr->as.dictionary.size; i++)
      child_attr(v, attr->as.dictionary.entries[i].value);
    break;
  case ECHO_ATTR_TYPE:
    child_type(v, attr->as.type_value);
    break;
  case ECHO_ATTR_LOCATION:
    location_children(v, attr);
    break;
  case ECHO_ATTR_DISTINCT:
    child_attr(v, attr->as.distinct.value);
    break;
  case ECHO_ATTR_OPAQUE:
    part_children(v, attr->as.opaque.parts, attr->as.opaque.n_parts);
    child_type(v, attr->type);
    break;
  default:
    child_type(v, attr->type);
    break;
  }
}

static void type_children(Visit *v, const EchoType *type)
{
  switch (type->kind) {
  case ECHO_TYPE_COMPLEX:
  case ECHO_TYPE_VECTOR:
  case ECHO_TYPE_TENSOR:
  case ECHO_TYPE_UNRANKED_TENSOR:
  case ECHO_TYPE_MEMREF:
  case ECHO_TYPE_UNRANKED_MEMREF:
    child_type(v, type->as.shaped.element);
    child_attr(v, type->as.shaped.encoding);
    child_attr(v, type->as.shaped.memory_space);
    break;
  case ECHO_TYPE_FUNCTION:
    for (uint32_t i = 0; i < type->as.function.n_inputs; i++)
      child_type(v, type->as.function.inputs[i]);
    for (uint32_t i = 0; i < type->as.function.n_results; i++)
      child_type(v, type->as.function.results[i]);
    break;
  case ECHO_TYPE_TUPLE:
    for (uint32_t i = 0; i < type->as.tuple.n_elements; i++)
      child_type(v, type->as.tuple.elements[i]);
    break;
  case ECHO_TYPE_OPAQUE:
    part_children(v, type->as.opaque.parts, type->as.opaque.n_parts);
    break;
  default:
    break;
  }
}

static void forbid_deferring(EchoAliases *aliases, uint32_t index)
{
  EchoAlias *alias = &aliases->list.data[index];
  if (!alias->can_be_deferred)
    return;
  alias->can_be_deferred = false;
  for (uint32_t i = 0; i < alias->n_children; i++)
    forbid_deferring(aliases, aliases->children.data[alias->first_child + i]);
}

/* True when the object is met for the first time; *index is its place either way. */
static bool enter(EchoAliases *aliases, const void *object, const char *name, bool is_type,
                  bool can_be_deferred, uint32_t *index)
{
  uint64_t known = echo_map_get_or(&aliases->index, echo_key(object), 0);
  if (known != 0) {
    *index = (uint32_t)known - 1;
    if (!can_be_deferred)
      forbid_deferring(aliases, *index);
    return false;
  }
  *index = (uint32_t)aliases->list.size;
  echo_map_set(&aliases->index, echo_key(object), *index + 1u);
  echo_vector_push(&aliases->list, (EchoAlias){.object = object,
                                               .name = name,
                                               .depth = name != NULL,
                                               .is_type = is_type,
                                               .can_be_deferred = can_be_deferred});
  aliases->any |= name != NULL;
  return true;
}

static void leave(Visit *v, uint32_t index)
{
  EchoAlias *alias = &v->aliases->list.data[index];
  alias->first_child = (uint32_t)v->aliases->children.size;
  alias->n_children = (uint32_t)v->children.size;
  if (v->depth != 0)
    alias->depth = v->depth + 1;
  for (size_t i = 0; i < v->children.size; i++)
    echo_vector_push(&v->aliases->children, v->children.data[i]);
  echo_vector_destroy(&v->children);
}

static uint32_t visit_attr(EchoAliases *aliases, const EchoAttr *attr, bool can_be_deferred)
{
  uint32_t index;
  if (!enter(aliases, attr, attr_alias_or_null(attr), false, can_be_deferred, &index))
    return index;
  Visit v = {.aliases = aliases, .can_be_deferred = can_be_deferred};
  attr_children(&v, attr);
  leave(&v, index);
  return index;
}

static uint32_t visit_type(EchoAliases *aliases, const EchoType *type, bool can_be_deferred)
{
  uint32_t index;
  if (!enter(aliases, type, type_alias_or_null(type), true, can_be_deferred, &index))
    return index;
  Visit v = {.aliases = aliases, .can_be_deferred = can_be_deferred};
  type_children(&v, type);
  leave(&v, index);
  return index;
}

void echo_aliases_visit_attr(EchoAliases *aliases, const EchoAttr *attr, bool can_be_deferred)
{
  visit_attr(aliases, attr, can_be_deferred);
}

void echo_aliases_visit_type(EchoAliases *aliases, const EchoType *type)
{
  visit_type(aliases, type, false);
}

/* ---- order ---- */

typedef struct Order {
  EchoAlias alias;
  size_t visited;
} Order;

/* By depth, types first, by name, then as visited. */
static int compare(const void *a, const void *b)
{
  const Order *x = a, *y = b;
  if (x->alias.depth != y->alias.depth)
    return x->alias.depth < y->alias.depth ? -1 : 1;
  if (x->alias.is_type != y->alias.is_type)
    return x->alias.is_type ? -1 : 1;
  int by_name = strcmp(x->alias.name, y->alias.name);
  if (by_name != 0)
    return by_name;
  return (x->visited > y->visited) - (x->visited < y->visited);
}

void echo_aliases_finish(EchoAliases *aliases)
{
  ECHO_VECTOR(Order) order = {0};
  for (size_t i = 0; i < aliases->list.size; i++)
    if (aliases->list.data[i].name != NULL)
      echo_vector_push(&order, (Order){aliases->list.data[i], i});
  if (order.size != 0)
    qsort(order.data, order.size, sizeof *order.data, compare);
  echo_vector_clear(&aliases->list);
  echo_map_clear(&aliases->index);
  EchoStringMap counts = {0};
  for (size_t i = 0; i < order.size; i++) {
    EchoAlias alias = order.data[i].alias;
    EchoStr name = echo_str(alias.name);
    alias.suffix = (uint32_t)echo_string_map_get_or(&counts, name, 0);
    echo_string_map_set(&counts, name, alias.suffix + 1u);
    echo_vector_push(&aliases->list, alias);
    echo_map_set(&aliases->index, echo_key(alias.object), aliases->list.size);
  }
  echo_string_map_destroy(&counts);
  echo_vector_destroy(&order);
}

void echo_aliases_destroy(EchoAliases *aliases)
{
  echo_vector_destroy(&aliases->list);
  echo_vector_destroy(&aliases->children);
  echo_map_destroy(&aliases->index);
}
