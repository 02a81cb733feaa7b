/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The form of a module as it stands: what an op's properties hold stands in its dictionary, from
 * which every reader makes them; those of ops that MLIR does not know are an attribute of their
 * own. */
#include "ir/bytecode/bytecode.h"
#include "ir/bytecode/reader_t.h"
#include "ir/context_t.h"
#include "ir/diagnostics.h"

/* Whether readers elsewhere have rows for the op, and so lay properties out in their own way:
 * MLIR's dialects, and those whose encodings are known here; of an op without a row here, where its
 * layout is known. */
static bool is_of_mlir(const EchoContext *ctx, const EchoOpInfo *info)
{
  EchoStr name = echo_op_info_dialect(info);
  const EchoDialect *dialect = echo_context_dialect_or_null(ctx, name);
  const EchoBytecodeDialect *row = echo_context_row_or_null(ctx, ECHO_BYTECODE_ROW, name);
  if ((info->traits & ECHO_UNREGISTERED) != 0)
    return dialect != NULL && echo_bytecode_property_names_or_null(row, info) != NULL;
  return dialect != NULL && (dialect->in_mlir || row != NULL);
}

/* Properties, of a row, and other attributes, in one dictionary; NULL: there are none. */
static const EchoAttr *dictionary_or_null(EchoContext *ctx, const EchoOp *op)
{
  if (!is_of_mlir(ctx, op->info))
    return op->attrs;
  if (op->properties == NULL || op->attrs == NULL)
    return op->properties != NULL ? op->properties : op->attrs;
  const EchoAttr *all = op->attrs;
  for (size_t i = 0; i < op->properties->as.dictionary.size; i++) {
    const EchoNamedAttr *entry = &op->properties->as.dictionary.entries[i];
    all = echo_dictionary_with(ctx, all, entry->name, entry->value);
  }
  return all;
}

/* Nothing behind the dialect, as in "text.", would be read without the point. */
static bool is_writable(EchoStr name)
{
  const char *point = memchr(name.data, '.', name.size);
  return echo_bytecode_is_name(name) && point != name.data + name.size - 1;
}

static bool describe(void *user, const EchoOp *op, EchoArena *memory, EchoBytecodeOp *description)
{
  EchoContext *ctx = user;
  EchoStr name = echo_op_name(op), dialect = echo_op_info_dialect(op->info);
  if (!is_writable(name))
    return echo_op_error(op, "has a name that only text can hold");
  size_t head = dialect.size + (name.size > dialect.size);
  *description = (EchoBytecodeOp){.dialect = dialect,
                                  .name = {name.data + head, name.size - head},
                                  .is_registered = is_of_mlir(ctx, op->info),
                                  .attrs = dictionary_or_null(ctx, op)};
  if (description->is_registered || op->properties == NULL)
    return true;
  const EchoAttr **properties = ECHO_ARENA_ARRAY(memory, const EchoAttr *, 1);
  properties[0] = op->properties;
  description->properties = properties;
  description->n_properties = 1;
  return true;
}

bool echo_write_bytecode(EchoOp *module, EchoBuffer *out)
{
  if (module == NULL || out == NULL)
    return echo_misuse(module != NULL ? echo_op_context(module) : NULL, echo_loc_unknown(),
                       "bytecode is written: '%s' is NULL", module == NULL ? "module" : "out");
  EchoBytecodeForm form = {.version = ECHO_BYTECODE_NEWEST,
                           .producer = "Echo",
                           .user = echo_op_context(module),
                           .describe = describe};
  return echo_write_bytecode_form(module, &form, out);
}
