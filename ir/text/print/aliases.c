/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which attributes and types are printed by a short name, as MLIR's builtin dialect has it: affine
 * maps, integer sets, locations (with --mlir-print-debuginfo), distinct attributes with a value,
 * tuples of more than 16 types. */
#include <stdlib.h>

#include "ir/text/lexer_t.h"
#include "ir/text/print/printer_t.h"

enum { LONG_TUPLE = 16 };

static const char *attr_alias_or_null(const EchoContext *ctx, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_OPAQUE:
    return ctx->kept_alias_names.n_live != 0 ? echo_map_get_ptr(&ctx->kept_alias_names, attr)
                                             : NULL;
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

/* Dialects of MLIR 19 that have no table here. */
static const char *const OTHER_MLIR_DIALECTS[] = {
    "acc",       "affine",        "amdgpu",     "amx",        "arm_neon",   "arm_sme",   "arm_sve",
    "async",     "bufferization", "cf",         "complex",    "dlti",       "emitc",     "index",
    "irdl",      "linalg",        "llvm",       "mesh",       "ml_program", "mpi",       "nvvm",
    "omp",       "pdl",           "pdl_interp", "polynomial", "ptr",        "quant",     "rocdl",
    "shape",     "sparse_tensor", "spirv",      "tensor",     "tosa",       "transform", "ub",
    "x86vector", "xegpu"};

bool echo_aliases_mlir_knows(const EchoContext *ctx, const EchoOpInfo *info)
{
  EchoStr name = echo_op_info_dialect(info);
  const EchoDialect *dialect = echo_context_dialect_or_null(ctx, name);
  if (dialect != NULL)
    return dialect->in_mlir;
  for (size_t i = 0; i < sizeof OTHER_MLIR_DIALECTS / sizeof *OTHER_MLIR_DIALECTS; i++)
    if (echo_str_is(name, OTHER_MLIR_DIALECTS[i]))
      return true;
  return false;
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
    if (attr_alias_or_null(ctx, attr) != NULL || holds_unknown_location(ctx, attr))
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

/* The kept aliases that the text of a dialect attribute names. */
static void opaque_children(Visit *v, EchoStr text)
{
  if (v->aliases->ctx->kept_alias_names.n_live == 0)
    return;
  for (size_t i = 0; i + 1 < text.size; i++) {
    if (text.data[i] == '"')
      for (i++; i + 1 < text.size && text.data[i] != '"'; i++)
        i += text.data[i] == '\\';
    if (text.data[i] != '#')
      continue;
    size_t end = i + 1;
    while (end < text.size && echo_char_is(text.data[end], ECHO_CHAR_SUFFIX))
      end++;
    EchoStr name = {text.data + i + 1, end - i - 1};
    child_attr(v, (const EchoAttr *)(uintptr_t)echo_string_map_get_or(
                      &v->aliases->ctx->kept_aliases, name, 0));
    i = end - 1;
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
    opaque_children(v, attr->as.opaque.text);
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
  if (!enter(aliases, attr, attr_alias_or_null(aliases->ctx, attr), false, can_be_deferred, &index))
    return index;
  aliases->list.data[index].is_kept = attr->kind == ECHO_ATTR_OPAQUE;
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

/* Without the numbers that make names unique. */
static int compare_names(const char *a, const char *b)
{
  size_t n_a = strlen(a), n_b = strlen(b);
  while (n_a != 0 && echo_char_is(a[n_a - 1], ECHO_CHAR_DIGIT))
    n_a--;
  while (n_b != 0 && echo_char_is(b[n_b - 1], ECHO_CHAR_DIGIT))
    n_b--;
  return echo_str_compare((EchoStr){a, n_a}, (EchoStr){b, n_b});
}

/* By depth, types first, by name, then as visited. */
static int compare(const void *a, const void *b)
{
  const Order *x = a, *y = b;
  if (x->alias.depth != y->alias.depth)
    return x->alias.depth < y->alias.depth ? -1 : 1;
  if (x->alias.is_type != y->alias.is_type)
    return x->alias.is_type ? -1 : 1;
  int by_name = compare_names(x->alias.name, y->alias.name);
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
  static const char *const NAMES[] = {"map", "set", "loc", "distinct", "tuple"};
  uint32_t counts[sizeof NAMES / sizeof *NAMES] = {0};
  for (size_t i = 0; i < order.size; i++) {
    EchoAlias alias = order.data[i].alias;
    for (size_t name = 0; !alias.is_kept && name < sizeof NAMES / sizeof *NAMES; name++)
      if (strcmp(NAMES[name], alias.name) == 0)
        alias.suffix = counts[name]++;
    echo_vector_push(&aliases->list, alias);
    echo_map_set(&aliases->index, echo_key(alias.object), aliases->list.size);
  }
  echo_vector_destroy(&order);
}

void echo_aliases_destroy(EchoAliases *aliases)
{
  echo_vector_destroy(&aliases->list);
  echo_vector_destroy(&aliases->children);
  echo_map_destroy(&aliases->index);
}
