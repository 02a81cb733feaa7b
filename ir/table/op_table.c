/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses the texts of op rows, once, when their dialect is registered. The first mistake in a
 * row is told, with its name: of our own rows it is a bug, a plugin is refused. The legend of the
 * texts is in ir/table/op_info.h. */
#include "ir/context_t.h"

/* ---- constraints that every dialect may name ---- */

static bool any_type(const EchoType *type)
{
  (void)type;
  return true;
}
static bool tensor_type(const EchoType *type)
{
  return echo_type_is_tensor(type);
}
static bool float_type(const EchoType *type)
{
  return type->kind == ECHO_TYPE_FLOAT;
}
static bool int_type(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INTEGER;
}
static bool index_type(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INDEX;
}
static bool complex_type(const EchoType *type)
{
  return type->kind == ECHO_TYPE_COMPLEX;
}
static bool i1_type(const EchoType *type)
{
  return echo_type_is_integer(type, 1);
}
static bool i32_type(const EchoType *type)
{
  return echo_type_is_integer(type, 32);
}
static bool i64_type(const EchoType *type)
{
  return echo_type_is_integer(type, 64);
}
static bool memref_type(const EchoType *type)
{
  return type->kind == ECHO_TYPE_MEMREF || type->kind == ECHO_TYPE_UNRANKED_MEMREF;
}
static bool vector_type(const EchoType *type)
{
  return type->kind == ECHO_TYPE_VECTOR;
}
static bool float_tensor(const EchoType *type)
{
  return tensor_type(type) && float_type(type->as.shaped.element);
}
/* Predicates are not numbers: "tensor<pred>" is apart, as in StableHLO. */
static bool int_tensor(const EchoType *type)
{
  return tensor_type(type) && int_type(type->as.shaped.element) &&
         !i1_type(type->as.shaped.element);
}
static bool pred_tensor(const EchoType *type)
{
  return tensor_type(type) && i1_type(type->as.shaped.element);
}
static bool complex_tensor(const EchoType *type)
{
  return tensor_type(type) && complex_type(type->as.shaped.element);
}

static const EchoTypeConstraint TYPE_CONSTRAINTS[] = {{"any", any_type},
                                                      {"tensor", tensor_type},
                                                      {"tensor<float>", float_tensor},
                                                      {"tensor<int>", int_tensor},
                                                      {"tensor<pred>", pred_tensor},
                                                      {"tensor<complex>", complex_tensor},
                                                      {"memref", memref_type},
                                                      {"vector", vector_type},
                                                      {"index", index_type},
                                                      {"int", int_type},
                                                      {"float", float_type},
                                                      {"i1", i1_type},
                                                      {"i32", i32_type},
                                                      {"i64", i64_type},
                                                      {NULL, NULL}};

static bool any_attr(const EchoAttr *attr)
{
  (void)attr;
  return true;
}
static bool int_attr(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER;
}
static bool bool_attr(const EchoAttr *attr)
{
  return int_attr(attr) && i1_type(attr->type);
}
static bool i32_attr(const EchoAttr *attr)
{
  return int_attr(attr) && i32_type(attr->type);
}
static bool i64_attr(const EchoAttr *attr)
{
  return int_attr(attr) && i64_type(attr->type);
}
static bool index_attr(const EchoAttr *attr)
{
  return int_attr(attr) && index_type(attr->type);
}
static bool elements_attr(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_DENSE_ELEMENTS || attr->kind == ECHO_ATTR_DENSE_STRINGS ||
         attr->kind == ECHO_ATTR_DENSE_RESOURCE || attr->kind == ECHO_ATTR_SPARSE;
}
static bool array_of(const EchoAttr *attr, uint32_t width)
{
  return attr->kind == ECHO_ATTR_DENSE_ARRAY &&
         echo_type_is_integer(attr->as.dense_array.element, width);
}
static bool i64_array(const EchoAttr *attr)
{
  return array_of(attr, 64);
}
static bool i32_array(const EchoAttr *attr)
{
  return array_of(attr, 32);
}
static bool i1_array(const EchoAttr *attr)
{
  return array_of(attr, 1);
}

#define ATTR_KIND_CONSTRAINT(name, wanted)                                                         \
  static bool name(const EchoAttr *attr)                                                           \
  {                                                                                                \
    return attr->kind == (wanted);                                                                 \
  }
ATTR_KIND_CONSTRAINT(unit_attr, ECHO_ATTR_UNIT)
ATTR_KIND_CONSTRAINT(float_attr, ECHO_ATTR_FLOAT)
ATTR_KIND_CONSTRAINT(string_attr, ECHO_ATTR_STRING)
ATTR_KIND_CONSTRAINT(symbol_attr, ECHO_ATTR_SYMBOL_REF)
ATTR_KIND_CONSTRAINT(type_attr, ECHO_ATTR_TYPE)
ATTR_KIND_CONSTRAINT(array_attr, ECHO_ATTR_ARRAY)
ATTR_KIND_CONSTRAINT(dict_attr, ECHO_ATTR_DICTIONARY)
ATTR_KIND_CONSTRAINT(affine_map_attr, ECHO_ATTR_AFFINE_MAP)

static const EchoAttrConstraint ATTR_CONSTRAINTS[] = {{"any", any_attr},
                                                      {"unit", unit_attr},
                                                      {"bool", bool_attr},
                                                      {"i32", i32_attr},
                                                      {"i64", i64_attr},
                                                      {"index", index_attr},
                                                      {"int", int_attr},
                                                      {"float", float_attr},
                                                      {"string", string_attr},
                                                      {"symbol", symbol_attr},
                                                      {"type", type_attr},
                                                      {"array", array_attr},
                                                      {"dict", dict_attr},
                                                      {"elements", elements_attr},
                                                      {"array<i64>", i64_array},
                                                      {"array<i32>", i32_array},
                                                      {"array<i1>", i1_array},
                                                      {"affine_map", affine_map_attr},
                                                      {NULL, NULL}};

static EchoTypeConstraintFn *type_constraint_in(const EchoTypeConstraint *table, EchoStr name)
{
  for (; table != NULL && table->name != NULL; ++table)
    if (echo_str_is(name, table->name))
      return table->holds;
  return NULL;
}

static EchoAttrConstraintFn *attr_constraint_in(const EchoAttrConstraint *table, EchoStr name)
{
  for (; table != NULL && table->name != NULL; ++table)
    if (echo_str_is(name, table->name))
      return table->holds;
  return NULL;
}

/* ---- the text of a row ---- */

typedef struct Entry {
  EchoStr name, constraint, initial;
  bool optional, variadic;
} Entry;

typedef struct RowParser {
  EchoContext *ctx;
  const EchoDialect *dialect;
  const EchoOpInfo *info;
  EchoBuffer *error; /* the first mistake */
  bool is_bad;
} RowParser;

static void ECHO_PRINTF(2, 3) complain(RowParser *row, const char *format, ...)
{
  if (row->is_bad)
    return;
  row->is_bad = true;
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_printf(row->error, "row '%s'", row->info->name);
  echo_buffer_vprintf(row->error, format, arguments);
  va_end(arguments);
}

static EchoStr trim(EchoStr text)
{
  while (text.size > 0 && text.data[0] == ' ')
    text = (EchoStr){text.data + 1, text.size - 1};
  while (text.size > 0 && text.data[text.size - 1] == ' ')
    text.size--;
  return text;
}

/* Takes the first entry off *rest; entries are separated by commas outside of angle brackets. */
static EchoStr take_entry(EchoStr *rest)
{
  size_t depth = 0, end = 0;
  for (; end < rest->size && (depth > 0 || rest->data[end] != ','); ++end) {
    if (rest->data[end] == '<')
      depth++;
    else if (rest->data[end] == '>' && depth > 0)
      depth--;
  }
  EchoStr entry = {rest->data, end};
  size_t taken = end < rest->size ? end + 1 : end;
  *rest = (EchoStr){rest->data + taken, rest->size - taken};
  return trim(entry);
}

static Entry parse_entry(RowParser *row, EchoStr text)
{
  const char *colon = text.size != 0 ? memchr(text.data, ':', text.size) : NULL;
  if (colon == NULL) {
    complain(row, ": '%.*s' is not 'name: constraint'", ECHO_STR_ARG(text));
    return (Entry){0};
  }
  size_t name_size = (size_t)(colon - text.data);
  EchoStr constraint = {colon + 1, text.size - name_size - 1}, initial = {0};
  const char *equals = memchr(constraint.data, '=', constraint.size);
  if (equals != NULL) {
    initial = (EchoStr){equals + 1, (size_t)(text.data + text.size - equals - 1)};
    constraint.size = (size_t)(equals - constraint.data);
  }
  Entry entry = {.name = trim((EchoStr){text.data, name_size}),
                 .constraint = trim(constraint),
                 .initial = trim(initial)};
  if (entry.name.size == 0 || entry.constraint.size == 0) {
    complain(row, ": '%.*s' is not 'name: constraint'", ECHO_STR_ARG(text));
    return (Entry){0};
  }
  char last = entry.constraint.data[entry.constraint.size - 1];
  entry.optional = last == '?';
  entry.variadic = last == '*';
  if (entry.optional || entry.variadic)
    entry.constraint.size--;
  return entry;
}

/* Entries of a text into the context's arena; NULL is an empty text. */
static Entry *parse_entries(RowParser *row, const char *text, size_t *n_entries)
{
  ECHO_VECTOR(Entry) entries = {0};
  EchoStr rest = text != NULL ? trim(echo_str(text)) : ECHO_STR("");
  while (rest.size != 0) {
    Entry entry = parse_entry(row, take_entry(&rest));
    for (size_t i = 0; i < entries.size; ++i)
      if (echo_str_equal(entries.data[i].name, entry.name))
        complain(row, " names '%.*s' twice", ECHO_STR_ARG(entry.name));
    echo_vector_push(&entries, entry);
  }
  Entry *kept = ECHO_ARENA_ARRAY(&row->ctx->arena, Entry, entries.size);
  if (entries.size != 0)
    memcpy(kept, entries.data, entries.size * sizeof *kept);
  *n_entries = entries.size;
  echo_vector_destroy(&entries);
  return kept;
}

/* Common names, then the row's own dialect, then the dialects registered before it. */
static EchoTypeConstraintFn *find_type_constraint(RowParser *row, EchoStr name)
{
  EchoTypeConstraintFn *found = type_constraint_in(TYPE_CONSTRAINTS, name);
  if (found == NULL)
    found = type_constraint_in(row->dialect->type_constraints, name);
  for (size_t i = 0; found == NULL && i < row->ctx->dialects.size; ++i)
    found = type_constraint_in(row->ctx->dialects.data[i]->type_constraints, name);
  if (found == NULL)
    complain(row, ": no type constraint is named '%.*s'", ECHO_STR_ARG(name));
  return found;
}

static EchoAttrConstraintFn *find_attr_constraint(RowParser *row, EchoStr name)
{
  EchoAttrConstraintFn *found = attr_constraint_in(ATTR_CONSTRAINTS, name);
  if (found == NULL)
    found = attr_constraint_in(row->dialect->attr_constraints, name);
  for (size_t i = 0; found == NULL && i < row->ctx->dialects.size; ++i)
    found = attr_constraint_in(row->ctx->dialects.data[i]->attr_constraints, name);
  if (found == NULL)
    complain(row, ": no attribute constraint is named '%.*s'", ECHO_STR_ARG(name));
  return found;
}

static const EchoValueSpec *parse_values(RowParser *row, const char *text, size_t *n)
{
  const Entry *entries = parse_entries(row, text, n);
  EchoValueSpec *values = ECHO_ARENA_ARRAY(&row->ctx->arena, EchoValueSpec, *n);
  for (size_t i = 0; i < *n; ++i)
    values[i] = (EchoValueSpec){.name = echo_context_intern(row->ctx, entries[i].name),
                                .constraint_name = entries[i].constraint,
                                .constraint = find_type_constraint(row, entries[i].constraint),
                                .optional = entries[i].optional,
                                .variadic = entries[i].variadic};
  return values;
}

/* "#dialect.text". */
static const EchoAttr *initial_value_or_null(RowParser *row, EchoStr text)
{
  const char *dot = memchr(text.data, '.', text.size);
  if (dot == NULL || text.data[0] != '#') {
    complain(row, ": '%.*s' is no dialect's attribute", ECHO_STR_ARG(text));
    return NULL;
  }
  EchoStr dialect = {text.data + 1, (size_t)(dot - text.data) - 1};
  return echo_attr_opaque(row->ctx, dialect, (EchoStr){dot + 1, text.size - dialect.size - 2},
                          true);
}

static const EchoAttrSpec *parse_attrs(RowParser *row, const char *text, size_t *n)
{
  const Entry *entries = parse_entries(row, text, n);
  EchoAttrSpec *attrs = ECHO_ARENA_ARRAY(&row->ctx->arena, EchoAttrSpec, *n);
  for (size_t i = 0; i < *n; ++i) {
    if (entries[i].variadic)
      complain(row, ": attribute '%.*s' cannot be variadic", ECHO_STR_ARG(entries[i].name));
    attrs[i] = (EchoAttrSpec){.name = echo_context_intern(row->ctx, entries[i].name),
                              .constraint_name = entries[i].constraint,
                              .constraint = find_attr_constraint(row, entries[i].constraint),
                              .optional = entries[i].optional};
    if (entries[i].initial.size != 0)
      attrs[i].initial = initial_value_or_null(row, entries[i].initial);
  }
  return attrs;
}

static const EchoAttr *defaults_of(EchoContext *ctx, const EchoOpSpec *spec)
{
  const EchoAttr *defaults = NULL;
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (spec->attrs[i].initial != NULL)
      defaults = echo_dictionary_with(ctx, defaults, spec->attrs[i].name, spec->attrs[i].initial);
  return defaults;
}

/* With several groups of unknown length, an attribute must say how long each is. */
static void check_segments(RowParser *row, const EchoOpSpec *spec, const EchoValueSpec *values,
                           size_t n_values, const char *attr_name)
{
  size_t n_open = 0;
  for (size_t i = 0; i < n_values; ++i)
    n_open += values[i].optional || values[i].variadic;
  if (n_open < 2)
    return;
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (echo_str_is(spec->attrs[i].name, attr_name))
      return;
  complain(row, " needs attribute '%s'", attr_name);
}

/* What one hook or trait asks of the others. */
static void check_hooks(RowParser *row)
{
  const EchoOpInfo *info = row->info;
  if ((info->parse == NULL) != (info->print == NULL))
    complain(row, " has a text form that is %s",
             info->parse == NULL ? "only printed" : "only read");
  if (info->emit_element != NULL && info->evaluate == NULL)
    complain(row, " has 'emit_element' but no 'evaluate', which says what it computes");
  if (info->n_regions < ECHO_VARIADIC || info->n_successors < ECHO_VARIADIC)
    complain(row, " has a negative count");
}

const EchoOpSpec *echo_op_spec_parse_or_null(EchoContext *ctx, const EchoDialect *dialect,
                                             const EchoOpInfo *info, EchoBuffer *error)
{
  RowParser row = {ctx, dialect, info, error, false};
  EchoOpSpec *spec = ECHO_ARENA_NEW(&ctx->arena, EchoOpSpec);
  *spec = (EchoOpSpec){.info = info};
  spec->operands = parse_values(&row, info->operands, &spec->n_operands);
  spec->results = parse_values(&row, info->results, &spec->n_results);
  spec->attrs = parse_attrs(&row, info->attrs, &spec->n_attrs);
  if (!row.is_bad)
    spec->defaults = defaults_of(ctx, spec);
  check_segments(&row, spec, spec->operands, spec->n_operands, "operandSegmentSizes");
  check_segments(&row, spec, spec->results, spec->n_results, "resultSegmentSizes");
  check_hooks(&row);
  return row.is_bad ? NULL : spec;
}
