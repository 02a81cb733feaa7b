/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing bytecode, section by section, as MLIR's writer does. */
#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/reader_t.h"
#include "ir/bytecode/writer_t.h"
#include "ir/context_t.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"

enum { MAX_DEPTH = 1024 };

/* ---- integers, sections ---- */

/* As many zeros below the lowest one of the first byte as bytes follow. */
void echo_bytecode_append_varint(EchoBuffer *out, uint64_t value)
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

void echo_bytecode_append_flagged(EchoBuffer *out, uint64_t value, bool flag)
{
  echo_bytecode_append_varint(out, value << 1 | flag);
}

static void put_section(EchoBuffer *out, EchoBytecodeSection id, EchoBuffer *section)
{
  echo_buffer_append_char(out, (char)id);
  echo_bytecode_append_varint(out, section->size);
  echo_buffer_append(out, section->data, section->size);
  echo_buffer_destroy(section);
}

/* ---- what hooks call ---- */

EchoContext *echo_bytecode_writer_context(EchoBytecodeWriter *writer)
{
  return writer->ctx;
}

void echo_bytecode_put_byte(EchoBytecodeWriter *writer, uint8_t value)
{
  if (!writer->is_numbering)
    echo_buffer_append_char(writer->out, (char)value);
}

void echo_bytecode_put_varint(EchoBytecodeWriter *writer, uint64_t value)
{
  if (!writer->is_numbering)
    echo_bytecode_append_varint(writer->out, value);
}

void echo_bytecode_put_signed(EchoBytecodeWriter *writer, int64_t value)
{
  echo_bytecode_put_varint(writer, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void echo_bytecode_put_signeds(EchoBytecodeWriter *writer, const int64_t *values, size_t n)
{
  echo_bytecode_put_varint(writer, n);
  for (size_t i = 0; i < n; i++)
    echo_bytecode_put_signed(writer, values[i]);
}

void echo_bytecode_put_int(EchoBytecodeWriter *writer, uint32_t width, uint64_t value)
{
  if (width < 64)
    value &= (UINT64_C(1) << width) - 1;
  if (width <= 8)
    echo_bytecode_put_byte(writer, (uint8_t)value);
  else
    echo_bytecode_put_signed(writer, (int64_t)value);
}

void echo_bytecode_put_string(EchoBytecodeWriter *writer, EchoStr string)
{
  echo_bytecode_put_varint(writer, echo_bytecode_string_number(writer, string));
}

void echo_bytecode_put_attr(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  echo_bytecode_put_varint(writer, echo_bytecode_attr_number(writer, attr, ECHO_AS_OWN));
}

void echo_bytecode_put_optional_attr(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  uint64_t flagged =
      attr != NULL ? echo_bytecode_attr_number(writer, attr, ECHO_AS_OWN) << 1 | 1 : 0;
  echo_bytecode_put_varint(writer, flagged);
}

void echo_bytecode_put_attrs(EchoBytecodeWriter *writer, const EchoAttr *const *attrs, size_t n)
{
  echo_bytecode_put_varint(writer, n);
  for (size_t i = 0; i < n; i++)
    echo_bytecode_put_attr(writer, attrs[i]);
}

void echo_bytecode_put_type(EchoBytecodeWriter *writer, const EchoType *type)
{
  echo_bytecode_put_varint(writer, echo_bytecode_type_number(writer, type, ECHO_AS_OWN));
}

void echo_bytecode_put_types(EchoBytecodeWriter *writer, const EchoType *const *types, size_t n)
{
  echo_bytecode_put_varint(writer, n);
  for (size_t i = 0; i < n; i++)
    echo_bytecode_put_type(writer, types[i]);
}

/* A bit each; equal ones are a byte of them. */
static void put_bools(EchoBytecodeWriter *w, const unsigned char *data, bool is_splat, size_t n)
{
  size_t n_bytes = is_splat ? 1 : (n + 7) / 8;
  echo_bytecode_put_varint(w, n_bytes);
  for (size_t at = 0; at < n_bytes; at++) {
    unsigned bits = is_splat && data[0] != 0 ? 0xff : 0;
    for (size_t i = at * 8; !is_splat && i < n && i < at * 8 + 8; i++)
      bits |= (data[i] != 0 ? 1u : 0u) << (i % 8);
    echo_bytecode_put_byte(w, (uint8_t)bits);
  }
}

void echo_bytecode_put_elements(EchoBytecodeWriter *writer, const EchoAttr *elements)
{
  if (writer->is_numbering)
    return;
  const char *data = elements->as.elements.data;
  size_t size = elements->as.elements.size_bytes;
  size_t one = echo_type_element_bytes(elements->type);
  int64_t n_listed = 0;
  size_t n = echo_type_n_listed(elements->type, &n_listed) ? (size_t)n_listed : 0;
  bool are_equal =
      elements->as.elements.is_splat || (size > one && memcmp(data, data + one, size - one) == 0);
  if (echo_type_is_integer(echo_type_element(elements->type), 1)) {
    put_bools(writer, elements->as.elements.data, are_equal && n > 1, n);
    return;
  }
  size_t written = are_equal ? one : size;
  echo_bytecode_append_varint(writer->out, written);
  echo_buffer_append(writer->out, data, written);
}

/* ---- tables ---- */

/* Things whose dialect is the same stand together, with it and how many they are in front. */
static void put_group_head(const EchoBytecodeTable *table, size_t i, EchoBuffer *out)
{
  size_t n = table->entries.size, end = i;
  uint32_t dialect = table->entries.data[table->order[i]].dialect;
  if (i != 0 && table->entries.data[table->order[i - 1]].dialect == dialect)
    return;
  while (end < n && table->entries.data[table->order[end]].dialect == dialect)
    end++;
  echo_bytecode_append_varint(out, dialect);
  echo_bytecode_append_varint(out, end - i);
}

static void put_dialects(EchoBytecodeWriter *w, EchoBuffer *out)
{
  uint32_t version = w->form->version;
  echo_bytecode_append_varint(out, w->dialects.size);
  for (size_t i = 0; i < w->dialects.size; i++) {
    uint64_t name = echo_bytecode_string_number(w, w->dialects.data[i]);
    echo_bytecode_append_varint(out, version < ECHO_BYTECODE_DIALECT_VERSIONS ? name : name << 1);
  }
  if (version >= ECHO_BYTECODE_NO_UNKNOWN_ARG_LOCS)
    echo_bytecode_append_varint(out, w->names.entries.size);
  for (size_t i = 0; i < w->names.entries.size; i++) {
    const EchoBytecodeNumbered *name = &w->names.entries.data[w->names.order[i]];
    put_group_head(&w->names, i, out);
    uint64_t string = echo_bytecode_string_number(w, name->name);
    echo_bytecode_append_varint(
        out, version < ECHO_BYTECODE_PROPERTIES ? string : string << 1 | name->is_registered);
  }
}

static void put_table(EchoBytecodeWriter *w, const EchoBytecodeTable *table, bool are_types,
                      EchoBuffer *data, EchoBuffer *offsets)
{
  w->out = data;
  for (size_t i = 0; i < table->entries.size; i++) {
    const EchoBytecodeNumbered entry = table->entries.data[table->order[i]];
    size_t begin = data->size;
    put_group_head(table, i, offsets);
    bool is_encoded = are_types ? echo_bytecode_write_type(w, entry.object, entry.as)
                                : echo_bytecode_write_attr(w, entry.object, entry.as);
    if (!is_encoded) {
      if (are_types)
        echo_print_type(entry.object, data);
      else
        echo_print_attr(entry.object, data);
      echo_buffer_append_char(data, '\0');
    }
    echo_bytecode_append_flagged(offsets, data->size - begin, is_encoded);
  }
}

static void put_entries(EchoBytecodeWriter *w, EchoBuffer *data, EchoBuffer *offsets)
{
  echo_bytecode_append_varint(offsets, w->attrs.entries.size);
  echo_bytecode_append_varint(offsets, w->types.entries.size);
  put_table(w, &w->attrs, false, data, offsets);
  put_table(w, &w->types, true, data, offsets);
}

/* First the sizes, the last string's first, then the bytes, each with its NUL. */
static void put_strings(const EchoBytecodeWriter *w, EchoBuffer *out)
{
  echo_bytecode_append_varint(out, w->strings.size);
  for (size_t i = w->strings.size; i-- > 0;)
    echo_bytecode_append_varint(out, w->strings.data[i].size + 1);
  for (size_t i = 0; i < w->strings.size; i++) {
    echo_buffer_append_str(out, w->strings.data[i]);
    echo_buffer_append_char(out, '\0');
  }
}

/* ---- ops ---- */

/* The values that the region itself defines, from `next` on; returns the number behind them. */
static uint64_t number_values(EchoBytecodeWriter *w, const EchoRegion *region, uint64_t next)
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

static bool put_op(EchoBytecodeWriter *w, EchoBuffer *out, const EchoOp *op, uint64_t next_value);

static void put_args(EchoBytecodeWriter *w, EchoBuffer *out, const EchoBlock *block)
{
  const EchoOp *parent = echo_block_parent(block);
  EchoBytecodeAs types = echo_bytecode_types_as(echo_bytecode_op(w, parent));
  echo_bytecode_append_varint(out, block->n_args);
  EchoValue **args = ECHO_ARENA_ARRAY(&w->memory, EchoValue *, block->n_args + 1);
  for (uint32_t i = 0; i < block->n_args; i++) {
    args[i] = echo_block_arg(block, i);
    const EchoAttr *loc = echo_loc_attr(w->ctx, echo_value_loc(args[i]));
    uint64_t type = echo_bytecode_type_number(w, args[i]->type, types);
    bool may_lack = w->form->version >= ECHO_BYTECODE_NO_UNKNOWN_ARG_LOCS;
    bool has_loc = !may_lack || loc != echo_attr_location_unknown(w->ctx);
    echo_bytecode_append_varint(out, may_lack ? type << 1 | has_loc : type);
    if (has_loc)
      echo_bytecode_append_varint(out, echo_bytecode_attr_number(w, loc, ECHO_AS_BUILTIN));
  }
  if (w->form->version < ECHO_BYTECODE_USE_LIST_ORDERS)
    return;
  EchoBuffer orders = {0};
  bool has_orders = echo_bytecode_put_use_orders(w, &orders, args, block->n_args, false);
  echo_buffer_append_char(out, has_orders ? PART_USE_LIST_ORDERS : 0);
  echo_buffer_append(out, orders.data, orders.size);
  echo_buffer_destroy(&orders);
}

static bool put_block(EchoBytecodeWriter *w, EchoBuffer *out, const EchoBlock *block,
                      uint64_t next_value)
{
  uint64_t n_ops = 0;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    n_ops++;
  echo_bytecode_append_flagged(out, n_ops, block->n_args != 0);
  if (block->n_args != 0)
    put_args(w, out, block);
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    if (!put_op(w, out, op, next_value))
      return false;
  return true;
}

static bool put_region(EchoBytecodeWriter *w, EchoBuffer *out, const EchoRegion *region,
                       uint64_t first_value)
{
  uint64_t n_blocks = 0;
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    n_blocks++;
  echo_bytecode_append_varint(out, n_blocks);
  if (n_blocks == 0)
    return true;
  uint64_t next = number_values(w, region, first_value);
  echo_bytecode_append_varint(out, next - first_value);
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    if (!put_block(w, out, block, next))
      return false;
  return true;
}

static bool put_regions(EchoBytecodeWriter *w, EchoBuffer *out, const EchoOp *op,
                        uint64_t next_value)
{
  bool is_isolated =
      echo_op_has_trait(op, ECHO_ISOLATED) || !echo_map_has(&w->exposed, echo_key(op));
  bool is_section = is_isolated && w->form->version >= ECHO_BYTECODE_REGION_SECTIONS, ok = true;
  EchoBuffer own = {0}, *to = is_section ? &own : out;
  echo_bytecode_append_flagged(out, op->n_regions, is_isolated);
  if (w->depth++ == MAX_DEPTH)
    return echo_op_error(op, "stands too deep in others to be written");
  for (uint32_t r = 0; ok && r < op->n_regions; r++)
    ok = put_region(w, to, &op->regions[r], is_isolated ? 0 : next_value);
  w->depth--;
  if (ok && is_section)
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

/* The number of a set of properties: equal ones are written once. */
static uint64_t put_properties(EchoBytecodeWriter *w, const EchoBytecodeOp *form)
{
  EchoBuffer blob = {0};
  for (size_t i = 0; i < form->n_properties; i++) {
    const EchoAttr *attr = form->properties[i];
    EchoBytecodeAs as = form->is_own ? ECHO_AS_OWN : ECHO_AS_BUILTIN;
    uint64_t number = attr != NULL ? echo_bytecode_attr_number(w, attr, as) : 0;
    if (!form->are_optional)
      echo_bytecode_append_varint(&blob, number);
    else
      echo_bytecode_append_varint(&blob, attr != NULL ? number << 1 | 1 : 0);
  }
  uint64_t index = echo_string_map_get_or(&w->property_index, echo_buffer_str(&blob), 0);
  if (index == 0) {
    EchoStr kept = {echo_arena_copy_string(&w->memory, blob.data, blob.size), blob.size};
    echo_vector_push(&w->properties, kept);
    index = w->properties.size;
    echo_string_map_set(&w->property_index, kept, index);
  }
  echo_buffer_destroy(&blob);
  return index - 1;
}

static void put_head(EchoBytecodeWriter *w, EchoBuffer *out, const EchoOp *op,
                     const EchoBytecodeOp *form)
{
  echo_bytecode_append_varint(
      out, echo_bytecode_attr_number(w, echo_loc_attr(w->ctx, op->loc), ECHO_AS_BUILTIN));
  if (form->attrs != NULL)
    echo_bytecode_append_varint(
        out,
        echo_bytecode_attr_number(w, form->attrs, form->is_own ? ECHO_AS_MIXED : ECHO_AS_BUILTIN));
  if (form->n_properties != 0)
    echo_bytecode_append_varint(out, put_properties(w, form));
  if (op->n_results != 0)
    echo_bytecode_append_varint(out, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_bytecode_append_varint(out, echo_bytecode_type_number(w, echo_op_result_type(op, i),
                                                               echo_bytecode_types_as(form)));
  if (op->n_operands != 0)
    echo_bytecode_append_varint(out, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    echo_bytecode_append_varint(out,
                                echo_map_get_or(&w->values, echo_key(echo_op_operand(op, i)), 0));
  if (op->n_successors != 0)
    echo_bytecode_append_varint(out, op->n_successors);
  for (uint32_t i = 0; i < op->n_successors; i++)
    echo_bytecode_append_varint(out, block_number(echo_op_successors(op)[i]));
}

static bool put_result_orders(EchoBytecodeWriter *w, EchoBuffer *out, const EchoOp *op,
                              const EchoBytecodeOp *form)
{
  if (w->form->version < ECHO_BYTECODE_USE_LIST_ORDERS || op->n_results == 0)
    return false;
  EchoValue **results = ECHO_ARENA_ARRAY(&w->memory, EchoValue *, op->n_results);
  for (uint32_t i = 0; i < op->n_results; i++)
    results[i] = echo_op_result(op, i);
  return echo_bytecode_put_use_orders(w, out, results, op->n_results, form->is_remade);
}

static bool put_op(EchoBytecodeWriter *w, EchoBuffer *out, const EchoOp *op, uint64_t next_value)
{
  const EchoBytecodeOp *form = echo_bytecode_op(w, op);
  EchoBuffer orders = {0};
  bool has_orders = put_result_orders(w, &orders, op, form);
  int parts = (form->attrs != NULL ? PART_ATTRS : 0) | (op->n_results != 0 ? PART_RESULTS : 0) |
              (op->n_operands != 0 ? PART_OPERANDS : 0) |
              (op->n_successors != 0 ? PART_SUCCESSORS : 0) |
              (op->n_regions != 0 ? PART_REGIONS : 0) | (has_orders ? PART_USE_LIST_ORDERS : 0) |
              (form->n_properties != 0 ? PART_PROPERTIES : 0);
  uint32_t name = w->op_names.data[form - w->ops.data];
  echo_bytecode_append_varint(out, w->names.entries.data[name].number);
  echo_buffer_append_char(out, (char)parts);
  put_head(w, out, op, form);
  echo_buffer_append(out, orders.data, orders.size);
  echo_buffer_destroy(&orders);
  return op->n_regions == 0 || put_regions(w, out, op, next_value);
}

/* Blobs, each with its size in front. */
static void put_property_table(const EchoBytecodeWriter *w, EchoBuffer *out)
{
  echo_bytecode_append_varint(out, w->properties.size);
  for (size_t i = 0; i < w->properties.size; i++) {
    echo_bytecode_append_varint(out, w->properties.data[i].size);
    echo_buffer_append_str(out, w->properties.data[i]);
  }
}

/* ---- the file ---- */

static void destroy(EchoBytecodeWriter *w)
{
  echo_vector_destroy(&w->strings);
  echo_vector_destroy(&w->dialects);
  echo_vector_destroy(&w->ops);
  echo_vector_destroy(&w->op_names);
  echo_vector_destroy(&w->properties);
  echo_vector_destroy(&w->resources);
  echo_vector_destroy(&w->attrs.entries);
  echo_vector_destroy(&w->types.entries);
  echo_vector_destroy(&w->names.entries);
  echo_map_destroy(&w->attr_index);
  echo_map_destroy(&w->type_index);
  echo_map_destroy(&w->op_index);
  echo_map_destroy(&w->exposed);
  echo_map_destroy(&w->values);
  echo_string_map_destroy(&w->string_index);
  echo_string_map_destroy(&w->dialect_index);
  echo_string_map_destroy(&w->name_index);
  echo_string_map_destroy(&w->property_index);
  echo_string_map_destroy(&w->resource_index);
  echo_string_map_destroy(&w->blob_index);
  echo_arena_destroy(&w->memory);
}

static bool put_file(EchoBytecodeWriter *w, const EchoOp *module, EchoBuffer *out)
{
  static const char head[] = "ML\xefR";
  size_t begin = out->size;
  EchoBuffer strings = {0}, dialects = {0}, entries = {0}, offsets = {0}, ir = {0},
             properties = {0};
  put_dialects(w, &dialects);
  put_entries(w, &entries, &offsets);
  echo_bytecode_append_flagged(&ir, 1, false);
  bool ok = put_op(w, &ir, module, 0) && !w->is_wrong;
  if (ok) {
    echo_buffer_append(out, head, sizeof head - 1);
    echo_bytecode_append_varint(out, w->form->version);
    echo_buffer_append(out, w->form->producer, strlen(w->form->producer) + 1);
    put_section(out, ECHO_SECTION_DIALECT, &dialects);
    put_section(out, ECHO_SECTION_ATTR_TYPE_OFFSET, &offsets);
    put_section(out, ECHO_SECTION_ATTR_TYPE, &entries);
    put_section(out, ECHO_SECTION_IR, &ir);
    ok = echo_bytecode_put_resources(w, module, out, begin);
    put_strings(w, &strings);
    put_section(out, ECHO_SECTION_STRING, &strings);
    put_property_table(w, &properties);
    if (w->form->version >= ECHO_BYTECODE_PROPERTIES)
      put_section(out, ECHO_SECTION_PROPERTIES, &properties);
  }
  echo_buffer_destroy(&ir);
  echo_buffer_destroy(&dialects);
  echo_buffer_destroy(&entries);
  echo_buffer_destroy(&offsets);
  echo_buffer_destroy(&properties);
  return ok;
}

bool echo_write_bytecode_form(EchoOp *module, const EchoBytecodeForm *form, EchoBuffer *out)
{
  size_t begin = out->size;
  EchoBytecodeWriter w = {.ctx = echo_op_context(module), .form = form};
  bool ok = echo_bytecode_number(&w, module) && put_file(&w, module, out);
  destroy(&w);
  if (!ok)
    out->size = begin;
  return ok;
}
