/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An op's inherent attributes: from the properties section, where MLIR writes them in the order of
 * their names without those, or from its dictionary. */
#include "ir/bytecode/reader_t.h"

static bool is_inherent(const EchoOpSpec *spec, EchoStr name)
{
  for (size_t i = 0; i < spec->n_attrs; i++)
    if (echo_str_equal(spec->attrs[i].name, name))
      return true;
  return false;
}

bool echo_bytecode_op_attrs(EchoBytecodeReader *reader, const EchoBytecodeOpName *name,
                            const EchoAttr *dictionary, const EchoAttr **properties,
                            const EchoAttr **attrs)
{
  EchoContext *ctx = reader->file->ctx;
  if (dictionary != NULL && dictionary->kind != ECHO_ATTR_DICTIONARY)
    return echo_bytecode_error(reader, "an op's attributes that are no dictionary");
  size_t n = dictionary != NULL ? dictionary->as.dictionary.size : 0;
  EchoNamedAttr *rest = ECHO_ARENA_ARRAY(&reader->file->memory, EchoNamedAttr, n + 1);
  size_t n_rest = 0;
  for (size_t i = 0; i < n; i++) {
    EchoNamedAttr entry = dictionary->as.dictionary.entries[i];
    if (name->spec != NULL && is_inherent(name->spec, entry.name))
      *properties = echo_dictionary_with(ctx, *properties, entry.name, entry.value);
    else
      rest[n_rest++] = entry;
  }
  *attrs = n_rest != 0 ? echo_attr_dictionary(ctx, rest, n_rest) : NULL;
  if (name->spec != NULL)
    *properties = echo_op_spec_complete(ctx, name->spec, *properties);
  return true;
}

/* How many operands each group of the row takes: dense, or pairs of index and number. */
static bool read_segments(EchoBytecodeReader *reader, size_t n_groups, const EchoAttr **attr)
{
  if (reader->file->version < ECHO_BYTECODE_SPARSE_SEGMENTS)
    return echo_bytecode_read_attr(reader, attr);
  uint64_t n, bits = 0;
  bool is_sparse;
  if (!echo_bytecode_read_flagged(reader, &n, &is_sparse) ||
      (is_sparse && n != 0 && !echo_bytecode_read_varint(reader, &bits)))
    return false;
  if (n > n_groups || bits > 31)
    return echo_bytecode_error(reader, "numbers of operands for more groups than there are");
  int32_t *sizes = ECHO_ARENA_ARRAY(&reader->file->memory, int32_t, n_groups + 1);
  memset(sizes, 0, (n_groups + 1) * sizeof *sizes);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t value, index = i;
    if (!echo_bytecode_read_varint(reader, &value))
      return false;
    if (is_sparse) {
      index = value & ((UINT64_C(1) << bits) - 1);
      value >>= bits;
    }
    if (index >= n_groups || value > INT32_MAX)
      return echo_bytecode_error(reader, "an impossible number of operands");
    sizes[index] = (int32_t)value;
  }
  *attr = echo_attr_i32_array(reader->file->ctx, sizes, n_groups);
  return true;
}

/* The row's attributes in the order of their names. */
typedef struct Layout {
  const EchoAttrSpec **attrs;
  size_t n, n_optional;         /* optional: may lack */
  const EchoAttrSpec *segments; /* or NULL */
} Layout;

static bool may_lack(const EchoAttrSpec *attr)
{
  return attr->optional || attr->initial != NULL;
}

static void read_layout(EchoBytecodeFile *file, const EchoOpSpec *spec, Layout *layout)
{
  *layout =
      (Layout){.attrs = ECHO_ARENA_ARRAY(&file->memory, const EchoAttrSpec *, spec->n_attrs + 1)};
  for (size_t i = 0; i < spec->n_attrs; i++) {
    const EchoAttrSpec *attr = &spec->attrs[i];
    if (echo_str_is(attr->name, "operandSegmentSizes")) {
      layout->segments = attr;
      continue;
    }
    size_t at = layout->n++;
    for (; at > 0 && echo_str_compare(attr->name, layout->attrs[at - 1]->name) < 0; at--)
      layout->attrs[at] = layout->attrs[at - 1];
    layout->attrs[at] = attr;
    layout->n_optional += may_lack(attr);
  }
}

/* How many that may lack stand behind it in the row, where what an op was given later stands last.
 */
static size_t newer_in_row(const EchoOpSpec *spec, const EchoAttrSpec *attr)
{
  size_t n = 0; /* a bit's number, however long the row is */
  for (const EchoAttrSpec *behind = attr + 1; behind < spec->attrs + spec->n_attrs && n < 31;
       behind++)
    n += may_lack(behind) && !echo_str_is(behind->name, "operandSegmentSizes");
  return n;
}

/* Reads all of the row's attributes but those optional ones whose bit stands in `left_out`: bit 0
 * is that of the last in the row. */
static bool read_laid_out(EchoBytecodeReader *reader, const EchoOpSpec *spec, const Layout *layout,
                          unsigned left_out, const EchoAttr **properties)
{
  EchoContext *ctx = reader->file->ctx;
  *properties = NULL;
  for (size_t i = 0; i < layout->n; i++) {
    const EchoAttrSpec *attr = layout->attrs[i];
    const EchoAttr *value = NULL;
    if (left_out != 0 && may_lack(attr) && (left_out >> newer_in_row(spec, attr) & 1) != 0)
      continue;
    if (may_lack(attr) ? !echo_bytecode_read_optional_attr(reader, &value)
                       : !echo_bytecode_read_attr(reader, &value))
      return false;
    if (value == NULL)
      continue;
    if (!attr->constraint(value))
      return echo_bytecode_error(reader, "'%.*s' is not what '%s' has there",
                                 ECHO_STR_ARG(attr->name), spec->info->name);
    *properties = echo_dictionary_with(ctx, *properties, attr->name, value);
  }
  const EchoAttr *sizes = NULL;
  if (layout->segments != NULL) {
    if (!read_segments(reader, spec->n_operands, &sizes))
      return false;
    *properties = echo_dictionary_with(ctx, *properties, layout->segments->name, sizes);
  }
  return reader->at == reader->end || echo_bytecode_error(reader, "trailing bytes");
}

/* What is written depends on the version of the dialect: an optional attribute of the row may not
 * have been there yet. Of all that may lack, the fewest are left out with which the bytes are read
 * to their end, and of as many the newest. */
static bool read_by_row(EchoBytecodeReader *reader, const EchoOpSpec *spec,
                        const EchoAttr **properties)
{
  enum { MAX_OPTIONAL = 12 }; /* of 4,096 layouts; custom_call, which has the most, has eight */
  EchoBytecodeFile *file = reader->file;
  Layout layout;
  read_layout(file, spec, &layout);
  unsigned n_bits = layout.n_optional <= MAX_OPTIONAL ? (unsigned)layout.n_optional : MAX_OPTIONAL;
  EchoBytecodeReader again = *reader;
  bool was_silent = file->is_silent;
  file->is_silent = true;
  for (unsigned n_out = 0; n_out <= n_bits; n_out++) {
    for (unsigned set = 0; set < 1u << n_bits; set++) {
      if ((unsigned)__builtin_popcount(set) != n_out)
        continue;
      *reader = again;
      if (read_laid_out(reader, spec, &layout, set, properties)) {
        file->is_silent = was_silent;
        return true;
      }
    }
  }
  file->is_silent = was_silent;
  *reader = again;
  return echo_bytecode_error(reader, "the properties of '%s' are not laid out as its row says",
                             spec->info->name);
}

/* Of an op without a row: as its dialect says. */
static bool read_by_names(EchoBytecodeReader *reader, const EchoBytecodeOpName *name,
                          const EchoAttr **properties)
{
  EchoStr op = echo_str(name->info->name);
  const char *dot = memchr(op.data, '.', op.size);
  EchoStr tail = dot != NULL ? echo_str(dot + 1) : op;
  const EchoBytecodeDialect *row = name->dialect->row;
  const char *names =
      row != NULL && row->property_names_or_null != NULL ? row->property_names_or_null(tail) : NULL;
  if (names == NULL)
    return echo_bytecode_error(reader, "how '%s' encodes its properties is not known", op.data);
  while (*names != '\0') {
    EchoStr attr = {names, strcspn(names, " ")};
    const EchoAttr *value;
    if (!echo_bytecode_read_attr(reader, &value))
      return false;
    *properties = echo_dictionary_with(reader->file->ctx, *properties, attr, value);
    names += attr.size + (names[attr.size] == ' ');
  }
  return true;
}

bool echo_bytecode_read_properties(EchoBytecodeReader *reader, const EchoBytecodeOpName *name,
                                   const EchoAttr **properties)
{
  EchoBytecodeFile *file = reader->file;
  size_t index;
  if (!echo_bytecode_read_index(reader, file->n_properties, "set of properties", &index))
    return false;
  EchoBytecodeReader inner = echo_bytecode_reader(file, file->properties[index]);
  bool fine;
  if (!name->was_registered)
    fine = echo_bytecode_read_attr(&inner, properties) &&
           ((*properties)->kind == ECHO_ATTR_DICTIONARY ||
            echo_bytecode_error(&inner, "properties that are no dictionary"));
  else if (name->spec != NULL)
    fine = read_by_row(&inner, name->spec, properties);
  else
    fine = read_by_names(&inner, name, properties);
  return fine && (inner.at == inner.end ||
                  echo_bytecode_error(&inner, "trailing bytes behind the properties of '%s'",
                                      name->info->name));
}
