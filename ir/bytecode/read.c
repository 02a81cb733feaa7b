/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A whole file: its head, its sections, its module. */
#include "ir/bytecode/bytecode.h"
#include "ir/bytecode/reader_t.h"

#include "ir/context_t.h"

static const char MAGIC[4] = {'M', 'L', (char)0xef, 'R'};

bool echo_is_bytecode(EchoStr bytes)
{
  return bytes.data != NULL && bytes.size >= sizeof MAGIC &&
         memcmp(bytes.data, MAGIC, sizeof MAGIC) == 0;
}

typedef struct Sections {
  EchoBytecodeSpan spans[ECHO_N_SECTIONS];
  bool is_there[ECHO_N_SECTIONS];
} Sections;

static bool read_sections(EchoBytecodeReader *reader, Sections *sections)
{
  static const EchoBytecodeSection NEEDED[] = {ECHO_SECTION_STRING, ECHO_SECTION_DIALECT,
                                               ECHO_SECTION_ATTR_TYPE,
                                               ECHO_SECTION_ATTR_TYPE_OFFSET, ECHO_SECTION_IR};
  while (reader->at != reader->end) {
    EchoBytecodeSection id;
    EchoBytecodeSpan span;
    if (!echo_bytecode_read_section(reader, &id, &span))
      return false;
    if (sections->is_there[id])
      return echo_bytecode_error(reader, "section %d is there twice", (int)id);
    sections->spans[id] = span;
    sections->is_there[id] = true;
  }
  for (size_t i = 0; i < sizeof NEEDED / sizeof *NEEDED; i++)
    if (!sections->is_there[NEEDED[i]])
      return echo_bytecode_error(reader, "section %d is missing", (int)NEEDED[i]);
  return sections->is_there[ECHO_SECTION_RESOURCE] ==
             sections->is_there[ECHO_SECTION_RESOURCE_OFFSET] ||
         echo_bytecode_error(reader, "resources without their offsets, or offsets alone");
}

static bool read_head(EchoBytecodeReader *reader)
{
  EchoBytecodeFile *file = reader->file;
  EchoStr producer;
  reader->at += sizeof MAGIC;
  if (!echo_bytecode_read_varint(reader, &file->version))
    return false;
  if (file->version > ECHO_BYTECODE_NEWEST)
    return echo_bytecode_error(reader, "version %llu, newer than %d, the newest that is known",
                               (unsigned long long)file->version, ECHO_BYTECODE_NEWEST);
  return echo_bytecode_read_c_string(reader, &producer);
}

static bool read_tables(EchoBytecodeFile *file, const Sections *sections)
{
  const EchoBytecodeSpan *spans = sections->spans;
  return echo_bytecode_read_strings(file, spans[ECHO_SECTION_STRING]) &&
         (!sections->is_there[ECHO_SECTION_PROPERTIES] ||
          echo_bytecode_read_property_table(file, spans[ECHO_SECTION_PROPERTIES])) &&
         echo_bytecode_read_dialects(file, spans[ECHO_SECTION_DIALECT]) &&
         (!sections->is_there[ECHO_SECTION_RESOURCE] ||
          echo_bytecode_read_resources(file, spans[ECHO_SECTION_RESOURCE],
                                       spans[ECHO_SECTION_RESOURCE_OFFSET])) &&
         echo_bytecode_read_entries(file, spans[ECHO_SECTION_ATTR_TYPE],
                                    spans[ECHO_SECTION_ATTR_TYPE_OFFSET]);
}

/* The module of a file that has one, or one around its ops. */
static EchoOp *module_of(EchoBytecodeFile *file, EchoBlock *block)
{
  EchoOp *only = block->first;
  echo_block_unlink(block);
  if (only != NULL && only->next == NULL && echo_op_is(only, "builtin.module")) {
    echo_op_unlink(only);
    echo_block_erase(block);
    return only;
  }
  EchoOpState state = {.ctx = file->ctx,
                       .info = echo_context_op_info_any(file->ctx, ECHO_STR("builtin.module")),
                       .loc =
                           echo_loc_from_attr(echo_attr_location_file(file->ctx, file->name, 0, 0)),
                       .n_regions = 1};
  EchoOp *module = echo_op_create(&state);
  echo_region_append(&module->regions[0], block);
  return module;
}

static bool upgrade(EchoBytecodeFile *file, EchoOp *module)
{
  for (size_t i = 0; i < file->n_dialects; i++) {
    const EchoBytecodeDialectName *dialect = &file->dialects[i];
    if (dialect->has_ops && dialect->row != NULL && dialect->row->upgrade != NULL &&
        !dialect->row->upgrade(module))
      return false;
  }
  return true;
}

static EchoOp *read_file(EchoBytecodeFile *file)
{
  EchoBytecodeReader reader = {file, file->begin, file->end, 0};
  Sections sections = {0};
  if (!read_head(&reader) || !read_sections(&reader, &sections) || !read_tables(file, &sections))
    return NULL;
  EchoRegion region = {0};
  EchoBlock *block = echo_block_create(file->ctx);
  echo_region_append(&region, block);
  if (!echo_bytecode_read_body(file, sections.spans[ECHO_SECTION_IR], &region, block))
    return NULL;
  EchoOp *module = module_of(file, block);
  return upgrade(file, module) ? module : NULL;
}

EchoOp *echo_read_bytecode_or_null(EchoContext *ctx, EchoStr file_name, EchoStr bytes)
{
  if (ctx == NULL || file_name.data == NULL || bytes.data == NULL || !echo_is_bytecode(bytes)) {
    echo_misuse(ctx, echo_loc_unknown(), "bytecode is read: '%s' is none",
                file_name.data == NULL ? "file_name" : "bytes");
    return NULL;
  }
  EchoBytecodeFile file = {.ctx = ctx,
                           .name = file_name,
                           .begin = (const uint8_t *)bytes.data,
                           .end = (const uint8_t *)bytes.data + bytes.size};
  size_t first_resource = ctx->resources.size;
  EchoOp *module = read_file(&file);
  for (size_t i = first_resource; i < ctx->resources.size; i++)
    ctx->resources.data[i].module = module;
  echo_arena_destroy(&file.memory);
  echo_context_flush_diagnostics(ctx);
  return module;
}
