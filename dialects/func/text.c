/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pretty form of func.func: [visibility] @name(arguments) [-> results] [attributes {…}] [{…}].
 * Arguments and results carry dictionaries, which stand in the properties arg_attrs and res_attrs.
 */
#include "dialects/func/func_t.h"

#include "base/vector.h"

/* An argument or result of the signature. */
typedef struct Entry {
  EchoAsmOperand name; /* of arguments with a body */
  const EchoType *type;
  const EchoAttr *attrs; /* dictionary or NULL */
  EchoLoc loc;
} Entry;

typedef ECHO_VECTOR(Entry) EntryList;

/* ---- parsing ---- */

static bool parse_optional_dictionary(EchoAsmParser *parser, const EchoAttr **attrs)
{
  *attrs = NULL;
  return !echo_asm_at_token(parser, "{") || echo_asm_parse_attr(parser, NULL, attrs);
}

static bool parse_argument(EchoAsmParser *parser, Entry *entry, bool *is_named)
{
  *is_named = echo_asm_try_operand(parser, &entry->name);
  entry->loc = *is_named ? entry->name.loc : echo_asm_loc(parser);
  if (*is_named && !echo_asm_parse_token(parser, ":"))
    return false;
  return echo_asm_parse_type(parser, &entry->type) &&
         parse_optional_dictionary(parser, &entry->attrs) &&
         (!*is_named || echo_asm_try_loc(parser, &entry->loc));
}

static bool parse_arguments(EchoAsmParser *parser, EntryList *arguments, bool *are_named)
{
  *are_named = false;
  if (!echo_asm_parse_token(parser, "("))
    return false;
  if (echo_asm_try_token(parser, ")"))
    return true;
  do {
    Entry entry = {0};
    bool is_named;
    EchoLoc loc = echo_asm_loc(parser);
    if (!parse_argument(parser, &entry, &is_named))
      return false;
    if (arguments->size != 0 && is_named != *are_named)
      return echo_asm_error(parser, loc,
                            is_named ? "expected type instead of SSA identifier"
                                     : "expected SSA identifier");
    *are_named = is_named;
    echo_vector_push(arguments, entry);
  } while (echo_asm_try_token(parser, ","));
  return echo_asm_parse_token(parser, ")");
}

static bool parse_results(EchoAsmParser *parser, EntryList *results)
{
  Entry entry = {0};
  if (!echo_asm_try_token(parser, "->"))
    return true;
  if (!echo_asm_try_token(parser, "(")) {
    if (!echo_asm_parse_type(parser, &entry.type))
      return false;
    echo_vector_push(results, entry);
    return true;
  }
  if (echo_asm_try_token(parser, ")"))
    return true;
  do {
    if (!echo_asm_parse_type(parser, &entry.type) ||
        !parse_optional_dictionary(parser, &entry.attrs))
      return false;
    echo_vector_push(results, entry);
  } while (echo_asm_try_token(parser, ","));
  return echo_asm_parse_token(parser, ")");
}

/* The property with the entries' dictionaries, when any has one. */
static void add_entry_attrs(EchoAsmParser *parser, const char *name, const EntryList *entries)
{
  EchoContext *ctx = echo_asm_context(parser);
  ECHO_VECTOR(const EchoAttr *) attrs = {0};
  bool any = false;
  for (size_t i = 0; i < entries->size; ++i) {
    const EchoAttr *own = entries->data[i].attrs;
    any = any || (own != NULL && own->as.dictionary.size != 0);
    echo_vector_push(&attrs, own != NULL ? own : echo_attr_dictionary(ctx, NULL, 0));
  }
  if (any)
    echo_asm_add_attr(parser, name, echo_attr_array(ctx, attrs.data, attrs.size));
  echo_vector_destroy(&attrs);
}

static const EchoType **entry_types(EchoContext *ctx, const EntryList *entries)
{
  const EchoType **types =
      ECHO_ARENA_ARRAY(echo_context_arena(ctx), const EchoType *, entries->size);
  for (size_t i = 0; i < entries->size; ++i)
    types[i] = entries->data[i].type;
  return types;
}

static bool parse_body(EchoAsmParser *parser, const EntryList *arguments, bool are_named)
{
  size_t n = are_named ? arguments->size : 0;
  if (!echo_asm_at_token(parser, "{")) {
    /* A declaration has a region all the same, an empty one. */
    echo_asm_add_empty_region(parser);
    return true;
  }
  EchoContext *ctx = echo_asm_context(parser);
  const EchoType **types = entry_types(ctx, arguments);
  EchoAsmOperand *names = ECHO_ARENA_ARRAY(echo_context_arena(ctx), EchoAsmOperand, n);
  EchoLoc *locs = ECHO_ARENA_ARRAY(echo_context_arena(ctx), EchoLoc, n);
  for (size_t i = 0; i < n; ++i) {
    names[i] = arguments->data[i].name;
    locs[i] = arguments->data[i].loc;
  }
  return echo_asm_parse_region(parser, names, types, locs, n);
}

static bool parse_signature(EchoAsmParser *parser, EntryList *arguments, EntryList *results,
                            bool *are_named)
{
  EchoContext *ctx = echo_asm_context(parser);
  if (!parse_arguments(parser, arguments, are_named) || !parse_results(parser, results))
    return false;
  const EchoType *type = echo_type_function(ctx, entry_types(ctx, arguments), arguments->size,
                                            entry_types(ctx, results), results->size);
  echo_asm_add_attr(parser, "function_type", echo_attr_type(ctx, type));
  add_entry_attrs(parser, "arg_attrs", arguments);
  add_entry_attrs(parser, "res_attrs", results);
  return true;
}

bool echo_func_parse_function(EchoAsmParser *parser)
{
  static const char *const visibilities[] = {"public", "private", "nested"};
  EchoContext *ctx = echo_asm_context(parser);
  EntryList arguments = {0}, results = {0};
  EchoStr name;
  bool are_named = false;
  for (size_t i = 0; i < sizeof visibilities / sizeof *visibilities; ++i)
    if (echo_asm_try_keyword(parser, visibilities[i])) {
      echo_asm_add_attr(parser, "sym_visibility", echo_attr_string(ctx, echo_str(visibilities[i])));
      break;
    }
  bool ok = echo_asm_parse_symbol(parser, &name);
  if (ok)
    echo_asm_add_attr(parser, "sym_name", echo_attr_string(ctx, name));
  ok = ok && parse_signature(parser, &arguments, &results, &are_named) &&
       echo_asm_try_attr_dict_with_keyword(parser) && parse_body(parser, &arguments, are_named);
  echo_vector_destroy(&arguments);
  echo_vector_destroy(&results);
  return ok;
}

/* ---- printing ---- */

/* " {…}" of entry i of arg_attrs or res_attrs; nothing when it has none. */
static void print_entry_attrs(EchoAsmPrinter *printer, const EchoAttr *attrs, size_t i)
{
  if (attrs == NULL || attrs->kind != ECHO_ATTR_ARRAY || i >= attrs->as.array.size)
    return;
  const EchoAttr *own = attrs->as.array.elements[i];
  if (own->kind != ECHO_ATTR_DICTIONARY || own->as.dictionary.size == 0)
    return;
  echo_asm_print(printer, " ");
  echo_asm_print_attr(printer, own);
}

static void print_arguments(EchoAsmPrinter *printer, const EchoOp *op, const EchoType *type)
{
  const EchoAttr *attrs = echo_op_attr_or_null(op, "arg_attrs");
  const EchoBlock *entry = op->regions[0].first;
  echo_asm_print(printer, "(");
  for (size_t i = 0; i < type->as.function.n_inputs; ++i) {
    if (i != 0)
      echo_asm_print(printer, ", ");
    if (entry != NULL && i < entry->n_args) {
      echo_asm_print_value(printer, echo_block_arg(entry, i));
      echo_asm_print(printer, ": ");
    }
    echo_asm_print_type(printer, type->as.function.inputs[i]);
    print_entry_attrs(printer, attrs, i);
    if (entry != NULL && i < entry->n_args)
      echo_asm_print_loc(printer, entry->args[i]->loc);
  }
  echo_asm_print(printer, ")");
}

static void print_results(EchoAsmPrinter *printer, const EchoOp *op, const EchoType *type)
{
  const EchoAttr *attrs = echo_op_attr_or_null(op, "res_attrs");
  size_t n = type->as.function.n_results;
  if (n == 0)
    return;
  bool bare = n == 1 && type->as.function.results[0]->kind != ECHO_TYPE_FUNCTION &&
              (attrs == NULL || attrs->as.array.size == 0 ||
               attrs->as.array.elements[0]->as.dictionary.size == 0);
  echo_asm_print(printer, bare ? " -> " : " -> (");
  for (size_t i = 0; i < n; ++i) {
    if (i != 0)
      echo_asm_print(printer, ", ");
    echo_asm_print_type(printer, type->as.function.results[i]);
    print_entry_attrs(printer, attrs, i);
  }
  if (!bare)
    echo_asm_print(printer, ")");
}

void echo_func_print_function(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"sym_name",  "function_type", "sym_visibility",
                                       "arg_attrs", "res_attrs",     NULL};
  EchoStr visibility = echo_op_attr_string(op, "sym_visibility");
  const EchoType *type = echo_func_type(op);
  if (visibility.size != 0)
    echo_asm_print(printer, " %.*s", ECHO_STR_ARG(visibility));
  echo_asm_print(printer, " ");
  echo_asm_print_symbol(printer, echo_op_attr_string(op, "sym_name"));
  print_arguments(printer, op, type);
  print_results(printer, op, type);
  echo_asm_print_attr_dict_with_keyword(printer, op, elided);
  if (echo_region_is_empty(&op->regions[0]))
    return;
  echo_asm_print(printer, " ");
  echo_asm_print_region(printer, &op->regions[0], false, true);
}
