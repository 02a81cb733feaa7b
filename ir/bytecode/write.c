/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing bytecode, version 6. What an op's properties hold stands in its dictionary, from which
 * every reader makes them; those of ops that MLIR does not know are an attribute of their own.
 * Strings, dictionaries, arrays, places and dense data are encoded as builtin encodes them, other
 * attributes and all types as their text. */
#include "base/map.h"
#include "base/vector.h"
#include "ir/bytecode/bytecode.h"
#include "ir/bytecode/reader_t.h"
#include "ir/context_t.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"

enum { VERSION = ECHO_BYTECODE_NEWEST, MAX_DEPTH = 1024 };

/* Codes of builtin's attributes (builtin.c). */
enum {
  CODE_ARRAY = 0,
  CODE_DICTIONARY = 1,
  CODE_STRING = 2,
  CODE_FILE = 11,
  CODE_UNKNOWN = 15,
  CODE_DENSE_ELEMENTS = 18
};

typedef struct OpGroup {
  EchoStr dialect;
  ECHO_VECTOR(const EchoOpInfo *) ops;
} OpGroup;

typedef struct Writer {
  EchoContext *ctx;
  EchoStringMap string_index, group_index; /* index + 1 */
  ECHO_VECTOR(EchoStr) strings;
  EchoMap attr_index, type_index, op_index, values; /* index + 1 */
  ECHO_VECTOR(const EchoAttr *) attrs;
  ECHO_VECTOR(const EchoType *) types;
  ECHO_VECTOR(OpGroup) groups;
  ECHO_VECTOR(uint64_t) properties; /* numbers of attributes */
  uint32_t depth;
} Writer;

/* ---- integers, sections ---- */

/* As many zeros below the lowest one of the first byte as bytes follow. */
static void put_varint(EchoBuffer *out, uint64_t value)
{
  unsigned n_more = 0;
  while (n_more < 8 && value >> (7 * (n_more + 1)) != 0)
    n_more++;
  if (n_more == 8) {
    echo_buffer_append_char(out, 0);
    echo_buffer_append(out, &value, 8);
    return;
  }
  uint64_t bits = value << (n_more + 1) | UINT64_C(1) << n_more;
  echo_buffer_append(out, &bits, n_more + 1); /* little end first, as the machine's */
}

static void put_flagged(EchoBuffer *out, uint64_t value, bool flag)
{
  put_varint(out, value << 1 | flag);
}

static void put_section(EchoBuffer *out, EchoBytecodeSection id, EchoBuffer *section)
{
  echo_buffer_append_char(out, (char)id);
  put_varint(out, section->size);
  echo_buffer_append(out, section->data, section->size);
  echo_buffer_destroy(section);
}

/* ---- numbers of things, given as they are first named ---- */

static uint64_t string_number(Writer *w, EchoStr string)
{
  uint64_t index = echo_string_map_get_or(&w->string_index, string, 0);
  if (index != 0)
    return index - 1;
  EchoStr kept = echo_context_intern(w->ctx, string);
  echo_vector_push(&w->strings, kept);
  echo_string_map_set(&w->string_index, kept, w->strings.size);
  return w->strings.size - 1;
}

static uint64_t attr_number(Writer *w, const EchoAttr *attr)
{
  uint64_t index = echo_map_get_or(&w->attr_index, echo_key(attr), 0);
  if (index != 0)
    return index - 1;
  echo_vector_push(&w->attrs, attr);
  echo_map_set(&w->attr_index, echo_key(attr), w->attrs.size);
  return w->attrs.size - 1;
}

static uint64_t type_number(Writer *w, const EchoType *type)
{
  uint64_t index = echo_map_get_or(&w->type_index, echo_key(type), 0);
  if (index != 0)
    return index - 1;
  echo_vector_push(&w->types, type);
  echo_map_set(&w->type_index, echo_key(type), w->types.size);
  return w->types.size - 1;
}

/* A row of the table of properties: an attribute. */
static uint64_t properties_number(Writer *w, const EchoAttr *properties)
{
  echo_vector_push(&w->properties, attr_number(w, properties));
  return w->properties.size - 1;
}

/* Whether readers elsewhere have rows for the dialect, and so lay properties out in their own way:
 * MLIR's dialects, and those whose encodings are known here. */
static bool is_of_mlir(const Writer *w, const EchoOpInfo *info)
{
  EchoStr name = echo_op_info_dialect(info);
  const EchoDialect *dialect = echo_context_dialect_or_null(w->ctx, name);
  return dialect != NULL && (info->traits & ECHO_UNREGISTERED) == 0 &&
         (dialect->in_mlir || echo_context_row_or_null(w->ctx, ECHO_BYTECODE_ROW, name) != NULL);
}

/* ---- op names: by dialect, and so numbered before the ops are written ---- */

static OpGroup *group_of(Writer *w, EchoStr dialect)
{
  uint64_t index = echo_string_map_get_or(&w->group_index, dialect, 0);
  if (index == 0) {
    EchoStr kept = echo_context_intern(w->ctx, dialect);
    echo_vector_push(&w->groups, (OpGroup){.dialect = kept});
    index = w->groups.size;
    echo_string_map_set(&w->group_index, kept, index);
  }
  return &w->groups.data[index - 1];
}

static void number_ops(Writer *w, EchoOp *module)
{
  group_of(w, ECHO_STR("builtin"));
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_map_insert(&w->op_index, echo_key(op->info), 0)) {
      OpGroup *group = group_of(w, echo_op_info_dialect(op->info));
      echo_vector_push(&group->ops, op->info);
    }
  uint64_t n = 0;
  for (size_t g = 0; g < w->groups.size; g++)
    for (size_t i = 0; i < w->groups.data[g].ops.size; i++)
      echo_map_set(&w->op_index, echo_key(w->groups.data[g].ops.data[i]), n++);
}

static void put_dialects(Writer *w, EchoBuffer *out)
{
  put_varint(out, w->groups.size);
  for (size_t g = 0; g < w->groups.size; g++)
    put_flagged(out, string_number(w, w->groups.data[g].dialect), false);
  put_varint(out, w->op_index.n_live);
  for (size_t g = 0; g < w->groups.size; g++) {
    const OpGroup *group = &w->groups.data[g];
    if (group->ops.size == 0)
      continue;
    put_varint(out, g);
    put_varint(out, group->ops.size);
    for (size_t i = 0; i < group->ops.size; i++) {
      EchoStr name = echo_str(group->ops.data[i]->name);
      size_t head = group->dialect.size + (name.size > group->dialect.size);
      put_flagged(out, string_number(w, (EchoStr){name.data + head, name.size - head}),
                  is_of_mlir(w, group->ops.data[i]));
    }
  }
}

/* ---- attributes ---- */

/* i1 a bit each; a splat is a byte of them. */
static void put_bools(EchoBuffer *out, const unsigned char *data, size_t size, int64_t n)
{
  bool is_splat = size == 1;
  size_t n_bytes = is_splat ? 1 : ((size_t)n + 7) / 8;
  put_varint(out, n_bytes);
  for (size_t at = 0; at < n_bytes; at++) {
    unsigned bits = is_splat && data[0] != 0 ? 0xff : 0;
    for (size_t i = 0; !is_splat && i < 8 && at * 8 + i < size; i++)
      bits |= (data[at * 8 + i] != 0 ? 1u : 0u) << i;
    echo_buffer_append_char(out, (char)bits);
  }
}

static void put_elements(Writer *w, EchoBuffer *out, const EchoAttr *attr)
{
  put_varint(out, CODE_DENSE_ELEMENTS);
  put_varint(out, type_number(w, attr->type));
  size_t size = attr->as.elements.size_bytes;
  if (echo_type_is_integer(echo_type_element(attr->type), 1)) {
    int64_t n = 0;
    put_bools(out, attr->as.elements.data, size, echo_type_n_listed(attr->type, &n) ? n : 0);
    return;
  }
  put_varint(out, size);
  echo_buffer_append(out, attr->as.elements.data, size);
}

static void put_dictionary(Writer *w, EchoBuffer *out, const EchoAttr *attr)
{
  put_varint(out, CODE_DICTIONARY);
  put_varint(out, attr->as.dictionary.size);
  for (size_t i = 0; i < attr->as.dictionary.size; i++) {
    const EchoNamedAttr *entry = &attr->as.dictionary.entries[i];
    put_varint(out, attr_number(w, echo_attr_string(w->ctx, entry->name)));
    put_varint(out, attr_number(w, entry->value));
  }
}

static void put_array(Writer *w, EchoBuffer *out, const EchoAttr *attr)
{
  put_varint(out, CODE_ARRAY);
  put_varint(out, attr->as.array.size);
  for (size_t i = 0; i < attr->as.array.size; i++)
    put_varint(out, attr_number(w, attr->as.array.elements[i]));
}

/* False: it has only its text. */
static bool put_custom(Writer *w, EchoBuffer *out, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_ARRAY:
    put_array(w, out, attr);
    return true;
  case ECHO_ATTR_DICTIONARY:
    put_dictionary(w, out, attr);
    return true;
  case ECHO_ATTR_STRING:
    if (attr->type != NULL && attr->type->kind != ECHO_TYPE_NONE)
      return false;
    put_varint(out, CODE_STRING);
    put_varint(out, string_number(w, attr->as.string));
    return true;
  case ECHO_ATTR_DENSE_ELEMENTS:
    put_elements(w, out, attr);
    return true;
  default:
    if (attr != echo_attr_location_unknown(w->ctx))
      return false;
    put_varint(out, CODE_UNKNOWN);
    return true;
  }
}

/* Attributes name others while they are written, which come behind them. */
static void put_entries(Writer *w, EchoBuffer *data, EchoBuffer *offsets)
{
  EchoBuffer attr_sizes = {0}, type_sizes = {0};
  for (size_t i = 0; i < w->attrs.size; i++) {
    size_t begin = data->size;
    bool is_custom = put_custom(w, data, w->attrs.data[i]);
    if (!is_custom) {
      echo_print_attr(w->attrs.data[i], data);
      echo_buffer_append_char(data, '\0');
    }
    put_flagged(&attr_sizes, data->size - begin, is_custom);
  }
  for (size_t i = 0; i < w->types.size; i++) {
    size_t begin = data->size;
    echo_print_type(w->types.data[i], data);
    echo_buffer_append_char(data, '\0');
    put_flagged(&type_sizes, data->size - begin, false);
  }
  put_varint(offsets, w->attrs.size);
  put_varint(offsets, w->types.size);
  if (w->attrs.size != 0) {
    put_varint(offsets, 0); /* builtin */
    put_varint(offsets, w->attrs.size);
    echo_buffer_append(offsets, attr_sizes.data, attr_sizes.size);
  }
  if (w->types.size != 0) {
    put_varint(offsets, 0);
    put_varint(offsets, w->types.size);
    echo_buffer_append(offsets, type_sizes.data, type_sizes.size);
  }
  echo_buffer_destroy(&attr_sizes);
  echo_buffer_destroy(&type_sizes);
}

/* First the sizes, the last string's first, then the bytes, each with its NUL. */
static void put_strings(const Writer *w, EchoBuffer *out)
{
  put_varint(out, w->strings.size);
  for (size_t i = w->strings.size; i-- > 0;)
    put_varint(out, w->strings.data[i].size + 1);
  for (size_t i = 0; i < w->strings.size; i++) {
    echo_buffer_append_str(out, w->strings.data[i]);
    echo_buffer_append_char(out, '\0');
  }
}

/* ---- ops ---- */

/* The values that the region itself defines, from `next` on; returns the number behind them. */
static uint64_t number_values(Writer *w, const EchoRegion *region, uint64_t next)
{
  for (const EchoBlock *block = region->first; block != NULL; block = block->next) {
    for (uint32_t i = 0; i < block->n_args; i++)
      echo_map_set(&w->values, echo_key(echo_block_arg(block, i)), next++);
    for (const EchoOp *op = block->first; op != NULL; op = op->next)
      for (uint32_t i = 0; i < op->n_results; i++)
        echo_map_set(&w->values, echo_key(echo_op_result(op, i)), next++);
  }
  return next;
}

static bool put_op(Writer *w, EchoBuffer *out, const EchoOp *op, uint64_t next_value);

static bool put_block(Writer *w, EchoBuffer *out, const EchoBlock *block, uint64_t next_value)
{
  uint64_t n_ops = 0;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    n_ops++;
  put_flagged(out, n_ops, block->n_args != 0);
  if (block->n_args != 0)
    put_varint(out, block->n_args);
  for (uint32_t i = 0; i < block->n_args; i++) {
    const EchoValue *arg = echo_block_arg(block, i);
    put_flagged(out, type_number(w, arg->type), true);
    put_varint(out, attr_number(w, echo_loc_attr(w->ctx, echo_value_loc(arg))));
  }
  if (block->n_args != 0)
    echo_buffer_append_char(out, 0); /* no orders of uses */
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    if (!put_op(w, out, op, next_value))
      return false;
  return true;
}

static bool put_region(Writer *w, EchoBuffer *out, const EchoRegion *region, uint64_t first_value)
{
  uint64_t n_blocks = 0;
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    n_blocks++;
  put_varint(out, n_blocks);
  if (n_blocks == 0)
    return true;
  uint64_t next = number_values(w, region, first_value);
  put_varint(out, next - first_value);
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    if (!put_block(w, out, block, next))
      return false;
  return true;
}

static bool put_regions(Writer *w, EchoBuffer *out, const EchoOp *op, uint64_t next_value)
{
  bool is_isolated = echo_op_has_trait(op, ECHO_ISOLATED), ok = true;
  EchoBuffer own = {0}, *to = is_isolated ? &own : out;
  put_flagged(out, op->n_regions, is_isolated);
  if (w->depth++ == MAX_DEPTH)
    return echo_op_error(op, "stands too deep in others to be written");
  for (uint32_t r = 0; ok && r < op->n_regions; r++)
    ok = put_region(w, to, &op->regions[r], is_isolated ? 0 : next_value);
  w->depth--;
  if (ok && is_isolated)
    put_section(out, ECHO_SECTION_IR, &own);
  else
    echo_buffer_destroy(&own);
  return ok;
}

static uint64_t block_number(const EchoBlock *block)
{
  uint64_t n = 0;
  for (const EchoBlock *before = block->prev; before != NULL; before = before->prev)
    n++;
  return n;
}

/* Properties, of a row, and other attributes, in one dictionary; NULL: there are none. */
static const EchoAttr *dictionary_or_null(Writer *w, const EchoOp *op)
{
  if (!is_of_mlir(w, op->info))
    return op->attrs;
  if (op->properties == NULL || op->attrs == NULL)
    return op->properties != NULL ? op->properties : op->attrs;
  const EchoAttr *all = op->attrs;
  for (size_t i = 0; i < op->properties->as.dictionary.size; i++) {
    const EchoNamedAttr *entry = &op->properties->as.dictionary.entries[i];
    all = echo_dictionary_with(w->ctx, all, entry->name, entry->value);
  }
  return all;
}

enum {
  HAS_ATTRS = 1,
  HAS_RESULTS = 2,
  HAS_OPERANDS = 4,
  HAS_SUCCESSORS = 8,
  HAS_REGIONS = 16,
  HAS_PROPERTIES = 64
};

/* Nothing behind the dialect, as in "text.", would be read without the point. */
static bool is_writable(EchoStr name)
{
  const char *point = memchr(name.data, '.', name.size);
  return echo_bytecode_is_name(name) && point != name.data + name.size - 1;
}

static bool put_op(Writer *w, EchoBuffer *out, const EchoOp *op, uint64_t next_value)
{
  const EchoAttr *dictionary = dictionary_or_null(w, op);
  bool has_properties = !is_of_mlir(w, op->info) && op->properties != NULL;
  if (!is_writable(echo_op_name(op)))
    return echo_op_error(op, "has a name that only text can hold");
  put_varint(out, echo_map_get_or(&w->op_index, echo_key(op->info), 0));
  int parts = (dictionary != NULL ? HAS_ATTRS : 0) | (op->n_results != 0 ? HAS_RESULTS : 0) |
              (op->n_operands != 0 ? HAS_OPERANDS : 0) |
              (op->n_successors != 0 ? HAS_SUCCESSORS : 0) |
              (op->n_regions != 0 ? HAS_REGIONS : 0) | (has_properties ? HAS_PROPERTIES : 0);
  echo_buffer_append_char(out, (char)parts);
  put_varint(out, attr_number(w, echo_loc_attr(w->ctx, op->loc)));
  if (dictionary != NULL)
    put_varint(out, attr_number(w, dictionary));
  if (has_properties)
    put_varint(out, properties_number(w, op->properties));
  if (op->n_results != 0)
    put_varint(out, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    put_varint(out, type_number(w, echo_op_result_type(op, i)));
  if (op->n_operands != 0)
    put_varint(out, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    put_varint(out, echo_map_get_or(&w->values, echo_key(echo_op_operand(op, i)), 0));
  if (op->n_successors != 0)
    put_varint(out, op->n_successors);
  for (uint32_t i = 0; i < op->n_successors; i++)
    put_varint(out, block_number(echo_op_successors(op)[i]));
  return op->n_regions == 0 || put_regions(w, out, op, next_value);
}

/* Blobs, each with its size in front. */
static void put_properties(const Writer *w, EchoBuffer *out)
{
  put_varint(out, w->properties.size);
  for (size_t i = 0; i < w->properties.size; i++) {
    EchoBuffer blob = {0};
    put_varint(&blob, w->properties.data[i]);
    put_varint(out, blob.size);
    echo_buffer_append(out, blob.data, blob.size);
    echo_buffer_destroy(&blob);
  }
}

/* ---- the file ---- */

/* A blob that text would have behind the module. */
static bool check_resources(const EchoOp *module)
{
  const EchoContext *ctx = echo_op_context(module);
  for (size_t i = 0; i < ctx->resources.size; i++)
    if (ctx->resources.data[i].module == module)
      return echo_op_error(module, "has resources, which are not written as bytecode");
  return true;
}

static void destroy(Writer *w)
{
  for (size_t g = 0; g < w->groups.size; g++)
    echo_vector_destroy(&w->groups.data[g].ops);
  echo_vector_destroy(&w->groups);
  echo_vector_destroy(&w->properties);
  echo_vector_destroy(&w->types);
  echo_vector_destroy(&w->attrs);
  echo_vector_destroy(&w->strings);
  echo_map_destroy(&w->values);
  echo_map_destroy(&w->op_index);
  echo_map_destroy(&w->type_index);
  echo_map_destroy(&w->attr_index);
  echo_string_map_destroy(&w->group_index);
  echo_string_map_destroy(&w->string_index);
}

bool echo_write_bytecode(EchoOp *module, EchoBuffer *out)
{
  static const char head[] = "ML\xefR";
  if (module == NULL || out == NULL)
    return echo_misuse(module != NULL ? echo_op_context(module) : NULL, echo_loc_unknown(),
                       "bytecode is written: '%s' is NULL", module == NULL ? "module" : "out");
  if (!check_resources(module))
    return false;
  Writer w = {.ctx = echo_op_context(module)};
  EchoBuffer strings = {0}, dialects = {0}, entries = {0}, offsets = {0}, ir = {0},
             properties = {0};
  number_ops(&w, module);
  put_flagged(&ir, 1, false);
  bool ok = put_op(&w, &ir, module, 0);
  if (ok) {
    put_dialects(&w, &dialects);
    put_entries(&w, &entries, &offsets);
    put_strings(&w, &strings);
    echo_buffer_append(out, head, sizeof head - 1);
    put_varint(out, VERSION);
    echo_buffer_append(out, "Echo", sizeof "Echo");
    put_section(out, ECHO_SECTION_STRING, &strings);
    put_section(out, ECHO_SECTION_DIALECT, &dialects);
    put_section(out, ECHO_SECTION_ATTR_TYPE, &entries);
    put_section(out, ECHO_SECTION_ATTR_TYPE_OFFSET, &offsets);
    put_section(out, ECHO_SECTION_IR, &ir);
    put_properties(&w, &properties);
    put_section(out, ECHO_SECTION_PROPERTIES, &properties);
  }
  echo_buffer_destroy(&ir);
  destroy(&w);
  return ok;
}
