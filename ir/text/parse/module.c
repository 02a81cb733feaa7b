/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Entry points of the parser, and what stands at the top level of a file: aliases, ops, metadata.
 */
#include "base/file.h"
#include "ir/builder.h"
#include "ir/bytecode/bytecode.h"
#include "ir/text/parse/attribute/attr_t.h"
#include "ir/text/parse/attribute/loc_t.h"
#include "ir/text/parse/attribute/type_t.h"
#include "ir/text/parse/names_t.h"
#include "ir/text/parse/recursion_t.h"
#include "ir/text/parse/resource_t.h"
#include "ir/text/parse/tokens_t.h"
#include "ir/text/text.h"

/* ---- top level ---- */

static bool redefined_alias(EchoAsmParser *p, const char *at, const char *what, EchoStr name)
{
  return echo_parser_error_at(p, at, "redefinition of %s alias id '%.*s'", what,
                              ECHO_STR_ARG(name));
}

/* "#name = attribute" */
static bool attr_alias_definition(EchoAsmParser *p)
{
  EchoToken token = p->lexer.token;
  EchoStr name = {token.start + 1, (size_t)(token.end - token.start - 1)};
  if (echo_string_map_get_or(&p->attr_aliases, name, 0) != 0)
    return redefined_alias(p, token.start, "attribute", name);
  if (memchr(name.data, '.', name.size) != NULL)
    return echo_parser_error(p,
                             "attribute names with a '.' are reserved for dialect-defined names");
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '=', "expected '=' in attribute alias definition"))
    return false;
  const EchoAttr *value = echo_parser_attr(p, NULL);
  if (value == NULL)
    return false;
  echo_string_map_set(&p->attr_aliases, name, (uint64_t)(uintptr_t)value);
  return true;
}

/* "!name = type" */
static bool type_alias_definition(EchoAsmParser *p)
{
  EchoToken token = p->lexer.token;
  EchoStr name = {token.start + 1, (size_t)(token.end - token.start - 1)};
  if (echo_string_map_get_or(&p->type_aliases, name, 0) != 0)
    return redefined_alias(p, token.start, "type", name);
  if (memchr(name.data, '.', name.size) != NULL)
    return echo_parser_error(p, "type names with a '.' are reserved for dialect-defined names");
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '=', "expected '=' in type alias definition"))
    return false;
  const EchoType *value = echo_parser_type(p);
  if (value == NULL)
    return false;
  echo_string_map_set(&p->type_aliases, name, (uint64_t)(uintptr_t)value);
  return true;
}

static bool top_level(EchoAsmParser *p)
{
  for (;;) {
    switch (p->lexer.token.kind) {
    case ECHO_TOKEN_EOF:
      return true;
    case ECHO_TOKEN_ERROR:
      return false;
    case ECHO_TOKEN_HASH_ID:
      if (!attr_alias_definition(p))
        return false;
      break;
    case ECHO_TOKEN_EXCLAM_ID:
      if (!type_alias_definition(p))
        return false;
      break;
    case ECHO_TOKEN_METADATA_BEGIN:
      if (!echo_parser_metadata(p))
        return false;
      break;
    default:
      if (!echo_parser_body(p, 0))
        return false;
      break;
    }
  }
}

static void parser_init(EchoAsmParser *p, EchoContext *ctx, uint32_t buffer_id, EchoStr text)
{
  *p = (EchoAsmParser){.ctx = ctx, .free_forward = ECHO_NAME_NONE};
  echo_vector_reserve(&p->op_values, 64); /* never NULL: pointers into them are formed freely */
  echo_vector_reserve(&p->types, 64);
  echo_vector_reserve(&p->successors, 64);
  echo_vector_reserve(&p->named, 64);
  echo_lexer_init(&p->lexer, ctx, buffer_id, text);
}

static void parser_destroy(EchoAsmParser *p)
{
  echo_string_map_destroy(&p->attr_aliases);
  echo_string_map_destroy(&p->type_aliases);
  echo_map_destroy(&p->distinct_values);
  echo_string_map_destroy(&p->op_names);
  echo_name_destroy(&p->values);
  echo_name_destroy(&p->blocks);
  echo_vector_destroy(&p->forwards);
  echo_vector_destroy(&p->unresolved);
  echo_vector_destroy(&p->deferred_locs);
  echo_vector_destroy(&p->shared_locs);
  echo_vector_destroy(&p->bindings);
  echo_vector_destroy(&p->operands);
  echo_vector_destroy(&p->op_values);
  echo_vector_destroy(&p->types);
  echo_vector_destroy(&p->successors);
  echo_vector_destroy(&p->regions);
  echo_vector_destroy(&p->free_regions);
  echo_vector_destroy(&p->named);
  echo_vector_destroy(&p->ops);
  echo_vector_destroy(&p->open_regions);
  echo_arena_destroy(&p->scratch);
  echo_arena_destroy(&p->names);
}

/* The module around top-level ops that bring none. */
static EchoOp *wrap_in_module(EchoContext *ctx, uint32_t buffer_id, EchoBlock *block)
{
  EchoOpState state = {.ctx = ctx,
                       .info = echo_context_op_info_any(ctx, ECHO_STR("builtin.module")),
                       .loc = echo_loc_from_attr(echo_attr_location_file(
                           ctx, ctx->buffers.data[buffer_id].file_name, 0, 0)),
                       .n_regions = 1};
  EchoOp *module = echo_op_create(&state);
  echo_region_append(&module->regions[0], block);
  return module;
}

/* Parses all ops of the file into `block`. */
static bool parse_top_ops(EchoAsmParser *p, EchoRegion *region, EchoBlock *block)
{
  EchoRegionFrame frame = {.region = region, .block = block};
  echo_parser_push_scope(p, true, &frame);
  echo_vector_push(&p->open_regions, frame);
  return top_level(p) && echo_parser_check_undefined(p) &&
         echo_parser_resolve_deferred_locs(p, block);
}

/* The lexer needs a NUL behind the text: a piece of a larger buffer is copied. */
static EchoStr terminated(EchoContext *ctx, EchoStr text)
{
  if (text.data != NULL && text.data[text.size] == '\0')
    return text;
  char *copy = echo_alloc(text.size + 1);
  if (text.size != 0)
    memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  echo_vector_push(&ctx->owned_blocks, copy);
  return (EchoStr){copy, text.size};
}

EchoOp *echo_parse_module_or_null(EchoContext *ctx, uint32_t buffer_id)
{
  if (ctx == NULL || buffer_id >= ctx->buffers.size) {
    echo_misuse(ctx, echo_loc_unknown(), "a module is parsed: 'buffer_id' is %u, none", buffer_id);
    return NULL;
  }
  if (echo_is_bytecode(ctx->buffers.data[buffer_id].text))
    return echo_read_bytecode_or_null(ctx, ctx->buffers.data[buffer_id].file_name,
                                      ctx->buffers.data[buffer_id].text);
  EchoStr text = terminated(ctx, ctx->buffers.data[buffer_id].text);
  EchoAsmParser *p = echo_alloc(sizeof *p);
  parser_init(p, ctx, buffer_id, text);
  EchoRegion region = {0};
  EchoBlock *block = echo_block_create(ctx);
  echo_region_append(&region, block);
  size_t first_resource = ctx->resources.size;
  EchoOp *module = NULL;
  if (parse_top_ops(p, &region, block)) {
    EchoOp *only = block->first;
    echo_block_unlink(block);
    if (only != NULL && only->next == NULL && echo_op_is(only, "builtin.module")) {
      echo_op_unlink(only);
      echo_block_erase(block);
      module = only;
    } else {
      module = wrap_in_module(ctx, buffer_id, block);
    }
  }
  for (size_t i = first_resource; i < ctx->resources.size; i++)
    ctx->resources.data[i].module = module;
  parser_destroy(p);
  echo_free(p);
  for (size_t i = 0; i < ctx->files.size; i++) /* from now on only diagnostics read them */
    echo_file_forget(&ctx->files.data[i]);
  echo_context_flush_diagnostics(ctx);
  return module;
}

EchoOp *echo_parse_text_or_null(EchoContext *ctx, EchoStr file_name, EchoStr text)
{
  uint32_t buffer_id = echo_context_add_buffer(ctx, file_name, text, 1);
  return buffer_id != ECHO_NO_BUFFER ? echo_parse_module_or_null(ctx, buffer_id) : NULL;
}

EchoOp *echo_parse_file_or_null(EchoContext *ctx, const char *path)
{
  if (ctx == NULL || path == NULL) {
    echo_misuse(ctx, echo_loc_unknown(), "a file is parsed: 'path' is NULL");
    return NULL;
  }
  EchoFile file;
  EchoBuffer error = {0};
  if (!echo_file_read(path, &file, &error)) {
    echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
    echo_buffer_destroy(&error);
    echo_context_flush_diagnostics(ctx);
    return NULL;
  }
  echo_buffer_destroy(&error);
  EchoStr text = {file.data, file.size};
  EchoStr name =
      strcmp(path, "-") == 0 ? ECHO_STR("<stdin>") : echo_context_intern(ctx, echo_str(path));
  echo_context_take_file(ctx, &file);
  return echo_parse_text_or_null(ctx, name, text);
}

/* ---- lone types and attributes ---- */

static bool is_text(EchoContext *ctx, EchoStr text)
{
  return ctx != NULL && (text.data != NULL ||
                         echo_misuse(ctx, echo_loc_unknown(), "a text is parsed: 'text' is NULL"));
}

/* Text of a caller becomes NUL-terminated and lives as long as what may point into it. */
static EchoAsmParser *lone_parser(EchoContext *ctx, EchoStr text)
{
  EchoAsmParser *p = echo_alloc(sizeof *p);
  const char *copy = echo_arena_copy_string(echo_context_arena(ctx), text.data, text.size);
  parser_init(p, ctx, UINT32_MAX, (EchoStr){copy, text.size});
  return p;
}

static bool lone_parser_end(EchoAsmParser *p, bool fine)
{
  fine = fine && (echo_parser_at(p, ECHO_TOKEN_EOF) ||
                  echo_parser_error(p, "found trailing characters: '%s'", p->lexer.token.start));
  parser_destroy(p);
  echo_free(p);
  return fine;
}

const EchoType *echo_parse_type_or_null(EchoContext *ctx, EchoStr text)
{
  if (!is_text(ctx, text))
    return NULL;
  EchoAsmParser *p = lone_parser(ctx, text);
  const EchoType *type = echo_parser_type(p);
  return lone_parser_end(p, type != NULL) ? type : NULL;
}

const EchoAttr *echo_parse_attr_or_null(EchoContext *ctx, EchoStr text)
{
  if (!is_text(ctx, text))
    return NULL;
  EchoAsmParser *p = lone_parser(ctx, text);
  const EchoAttr *attr = echo_parser_attr(p, NULL);
  return lone_parser_end(p, attr != NULL) ? attr : NULL;
}
