/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An op's inherent attributes: from the properties section, where MLIR writes them in the order of
 * their names without those, or from its dictionary. */
#include "ir/bytecode/reader_t.h"

#include <stdlib.h>

const char *echo_bytecode_property_names_or_null(const EchoBytecodeDialect *dialect,
                                                 const EchoOpInfo *info)
{
  const char *dot = strchr(info->name, '.');
  return dialect != NULL && dialect->property_names_or_null != NULL
             ? dialect->property_names_or_null(echo_str(dot != NULL ? dot + 1 : info->name))
             : NULL;
}

static bool is_in_row(const EchoOpSpec *spec, EchoStr name)
{
  for (size_t i = 0; i < spec->n_attrs; i++)
    if (echo_str_equal(spec->attrs[i].name, name))
      return true;
  return false;
}

/* Among names with blanks between them and a mark behind. */
static bool is_named(const char *names, EchoStr name)
{
  for (; *names != '\0'; names += strcspn(names, " "), names += *names == ' ')
    if (echo_str_equal((EchoStr){names, strcspn(names, " ?/")}, name))
      return true;
  return false;
}

/* Whether an attribute of a dictionary is one of the op's properties. */
static bool is_inherent(const EchoBytecodeOpName *op, EchoStr name)
{
  if (op->spec != NULL)
    return is_in_row(op->spec, name);
  const EchoBytecodeDialect *dialect = op->was_registered ? op->dialect->row : NULL;
  if (dialect == NULL || dialect->upgrade != NULL) /* which knows its attributes itself */
    return false;
  const char *names = echo_bytecode_property_names_or_null(dialect, op->info);
  return names != NULL && is_named(names, name);
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
    if (is_inherent(name, entry.name))
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

/* One attribute of an op without a row, "name", "name?" or "name/3", into its properties. */
static bool read_named(EchoBytecodeReader *reader, EchoStr spelled, const EchoAttr **properties)
{
  EchoStr name = {spelled.data, strcspn(spelled.data, " ?/")};
  char mark = name.size < spelled.size ? spelled.data[name.size] : '\0';
  const EchoAttr *value = NULL;
  bool fine = mark == '?' ? echo_bytecode_read_optional_attr(reader, &value)
              : mark == '/'
                  ? read_segments(reader, strtoul(spelled.data + name.size + 1, NULL, 10), &value)
                  : echo_bytecode_read_attr(reader, &value);
  if (fine && value != NULL)
    *properties = echo_dictionary_with(reader->file->ctx, *properties, name, value);
  return fine;
}

/* Of an op without a row: as its dialect says. Numbers of operands that are no attribute stand
 * behind all others. */
static bool read_by_names(EchoBytecodeReader *reader, const EchoBytecodeOpName *name,
                          const EchoAttr **properties)
{
  bool are_sparse = reader->file->version >= ECHO_BYTECODE_SPARSE_SEGMENTS;
  const char *names = echo_bytecode_property_names_or_null(name->dialect->row, name->info);
  if (names == NULL)
    return echo_bytecode_error(reader, "how '%s' encodes its properties is not known",
                               name->info->name);
  EchoStr segments = {0};
  for (; *names != '\0'; names += strcspn(names, " "), names += *names == ' ') {
    EchoStr spelled = {names, strcspn(names, " ")};
    if (are_sparse && memchr(spelled.data, '/', spelled.size) != NULL)
      segments = spelled;
    else if (!read_named(reader, spelled, properties))
      return false;
  }
  return segments.size == 0 || read_named(reader, segments, properties);
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
