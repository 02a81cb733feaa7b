/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Meshes, and groups of replicas by their axes: attributes that are kept as text here, and whose
 * parts VHLO encodes. */
#include <inttypes.h>
#include <stdio.h>

#include "dialects/stablehlo/vhlo/codes_t.h"
#include "dialects/stablehlo/vhlo/vhlo_t.h"
#include "ir/text/text.h"

/* ---- reading ---- */

static bool read_sub_axis(EchoBytecodeReader *reader, EchoBuffer *text)
{
  int64_t before, size;
  if (!echo_bytecode_read_signed(reader, &before) || !echo_bytecode_read_signed(reader, &size))
    return false;
  echo_buffer_printf(text, "sub_axis_info<(%" PRId64 ")%" PRId64 ">", before, size);
  return true;
}

static bool read_axis_ref(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *name, *sub_axis;
  uint64_t has_sub_axis;
  if (!echo_bytecode_read_attr(reader, &name) || !echo_bytecode_read_varint(reader, &has_sub_axis))
    return false;
  echo_buffer_append_c(text, "axis_ref<name = ");
  echo_print_attr(name, text);
  if (has_sub_axis != 0) {
    if (!echo_bytecode_read_attr(reader, &sub_axis))
      return false;
    EchoStr inner = sub_axis->kind == ECHO_ATTR_OPAQUE ? sub_axis->as.opaque.text : (EchoStr){0};
    const char *open = inner.size != 0 ? memchr(inner.data, '<', inner.size) : NULL;
    if (open == NULL)
      return echo_bytecode_error(reader, "a part of an axis that is none");
    echo_buffer_printf(text, ", sub_axis_info = %.*s",
                       (int)(inner.size - (size_t)(open + 1 - inner.data) - 1), open + 1);
  }
  echo_buffer_append_c(text, ">");
  return true;
}

static bool read_mesh_axes(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *mesh, *axes;
  if (!echo_bytecode_read_attr(reader, &mesh) || !echo_bytecode_read_attr(reader, &axes))
    return false;
  if (mesh->kind == ECHO_ATTR_STRING)
    mesh = echo_attr_symbol(echo_bytecode_context(reader), mesh->as.string);
  echo_buffer_append_c(text, "replica_group_mesh_axes<mesh = ");
  echo_print_attr(mesh, text);
  echo_buffer_append_c(text, ", axes = ");
  echo_print_attr(axes, text);
  echo_buffer_append_c(text, ">");
  return true;
}

static bool read_mesh_axis(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *name;
  int64_t size;
  if (!echo_bytecode_read_attr(reader, &name) || !echo_bytecode_read_signed(reader, &size))
    return false;
  echo_buffer_append_c(text, "mesh_axis<name = ");
  echo_print_attr(name, text);
  echo_buffer_printf(text, ", size = %" PRId64 ">", size);
  return true;
}

static bool read_mesh(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *axes, *ids;
  if (!echo_bytecode_read_attr(reader, &axes) || !echo_bytecode_read_optional_attr(reader, &ids))
    return false;
  echo_buffer_append_c(text, "mesh<axes = ");
  echo_print_attr(axes, text);
  if (ids != NULL) {
    echo_buffer_append_c(text, ", device_ids = ");
    echo_print_attr(ids, text);
  }
  echo_buffer_append_c(text, ">");
  return true;
}

bool echo_vhlo_read_mesh(EchoBytecodeReader *reader, uint64_t code, const EchoAttr **attr)
{
  EchoBuffer text = {0};
  EchoLoc loc = echo_bytecode_loc(reader);
  bool fine = code == ATTR_SUB_AXIS_INFO             ? read_sub_axis(reader, &text)
              : code == ATTR_AXIS_REF                ? read_axis_ref(reader, &text)
              : code == ATTR_REPLICA_GROUP_MESH_AXES ? read_mesh_axes(reader, &text)
              : code == ATTR_MESH_AXIS               ? read_mesh_axis(reader, &text)
                                                     : read_mesh(reader, &text);
  if (fine)
    *attr = echo_attr_opaque_or_null(echo_bytecode_context(reader), loc, ECHO_STR("stablehlo"),
                                     echo_buffer_str(&text), true);
  echo_buffer_destroy(&text);
  return fine && *attr != NULL;
}

/* ---- writing ---- */

/* "(1)2" of a part of an axis: how much of it lies before, and how much this part is. */
static bool scan_sub_axis(EchoStr text, int64_t *before, int64_t *size)
{
  EchoBuffer copy = {0};
  int end = 0;
  echo_buffer_append(&copy, text.data, text.size);
  bool fine = sscanf(echo_buffer_c_str(&copy), " ( %" SCNd64 " ) %" SCNd64 " %n", before, size,
                     &end) == 2 &&
              (size_t)end == text.size;
  echo_buffer_destroy(&copy);
  return fine;
}

/* Where the value of the last field of an axis begins, if that is a part of it: behind its name,
 * which may hold anything. Else the end. */
static size_t find_part(EchoStr axis)
{
  static const char PART[] = "sub_axis_info = ";
  for (size_t at = axis.size; at-- > 0 && axis.data[at] != '"';)
    if (echo_str_starts_with((EchoStr){axis.data + at, axis.size - at}, PART))
      return at + sizeof PART - 1;
  return axis.size;
}

/* The fields between the angle brackets are those of a dictionary, but that a part of an axis
 * leaves the name of its attribute out. NULL: they are not. */
static const EchoAttr *fields_or_null(EchoContext *ctx, EchoStr inner, bool is_axis)
{
  size_t head = is_axis ? find_part(inner) : inner.size;
  EchoBuffer text = {0};
  echo_buffer_append_char(&text, '{');
  echo_buffer_append(&text, inner.data, head);
  if (head < inner.size) {
    echo_buffer_append_c(&text, "#stablehlo.sub_axis_info<");
    echo_buffer_append(&text, inner.data + head, inner.size - head);
    echo_buffer_append_char(&text, '>');
  }
  echo_buffer_append_char(&text, '}');
  const EchoAttr *fields = echo_parse_attr_or_null(ctx, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return fields != NULL && fields->kind == ECHO_ATTR_DICTIONARY ? fields : NULL;
}

static const char *mnemonic_of(uint64_t code)
{
  switch (code) {
  case ATTR_SUB_AXIS_INFO:
    return "sub_axis_info<";
  case ATTR_AXIS_REF:
    return "axis_ref<";
  case ATTR_REPLICA_GROUP_MESH_AXES:
    return "replica_group_mesh_axes<";
  case ATTR_MESH_AXIS:
    return "mesh_axis<";
  default:
    return "mesh<";
  }
}

static const EchoAttr *field(const EchoAttr *fields, const char *name, EchoAttrKind kind)
{
  const EchoAttr *value = echo_dictionary_get_or_null(fields, name);
  return value != NULL && value->kind == kind ? value : NULL;
}

/* The mesh of groups is a symbol, a string in VHLO, or stands there itself. */
static const EchoAttr *mesh_of_groups(EchoContext *ctx, const EchoAttr *fields)
{
  const EchoAttr *mesh = echo_dictionary_get_or_null(fields, "mesh");
  if (mesh != NULL && mesh->kind == ECHO_ATTR_SYMBOL_REF && mesh->as.symbol.n_nested == 0)
    return echo_attr_string(ctx, mesh->as.symbol.root);
  return field(fields, "mesh", ECHO_ATTR_OPAQUE);
}

static bool read_fields(EchoContext *ctx, const EchoAttr *fields, EchoVhloMesh *mesh)
{
  size_t n = fields->as.dictionary.size;
  const EchoAttr *size = field(fields, "size", ECHO_ATTR_INTEGER);
  switch (mesh->code) {
  case ATTR_AXIS_REF:
    mesh->first = field(fields, "name", ECHO_ATTR_STRING);
    mesh->second = field(fields, "sub_axis_info", ECHO_ATTR_OPAQUE);
    break;
  case ATTR_REPLICA_GROUP_MESH_AXES:
    mesh->first = mesh_of_groups(ctx, fields);
    mesh->second = field(fields, "axes", ECHO_ATTR_ARRAY);
    return mesh->first != NULL && mesh->second != NULL && n == 2;
  case ATTR_MESH_AXIS:
    mesh->first = field(fields, "name", ECHO_ATTR_STRING);
    mesh->size = size != NULL ? size->as.integer.value : 0;
    return mesh->first != NULL && size != NULL && n == 2;
  default:
    mesh->first = field(fields, "axes", ECHO_ATTR_ARRAY);
    mesh->second = field(fields, "device_ids", ECHO_ATTR_DENSE_ELEMENTS);
  }
  return mesh->first != NULL && n == (mesh->second != NULL ? 2 : 1);
}

bool echo_vhlo_mesh(EchoContext *ctx, const EchoAttr *attr, EchoVhloMesh *mesh)
{
  if (attr->kind != ECHO_ATTR_OPAQUE || !echo_str_is(attr->as.opaque.dialect, "stablehlo"))
    return false;
  EchoStr text = echo_str_trim(attr->as.opaque.text);
  for (uint64_t code = ATTR_SUB_AXIS_INFO; code <= ATTR_MESH; code++) {
    size_t head = strlen(mnemonic_of(code));
    if (!echo_str_starts_with(text, mnemonic_of(code)) || text.data[text.size - 1] != '>')
      continue;
    EchoStr inner = {text.data + head, text.size - head - 1};
    *mesh = (EchoVhloMesh){.code = code};
    if (code == ATTR_SUB_AXIS_INFO)
      return scan_sub_axis(inner, &mesh->before, &mesh->size);
    const EchoAttr *fields = fields_or_null(ctx, inner, code == ATTR_AXIS_REF);
    return fields != NULL && read_fields(ctx, fields, mesh);
  }
  return false;
}

bool echo_vhlo_write_mesh(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  EchoVhloMesh mesh;
  if (!echo_vhlo_mesh(echo_bytecode_writer_context(writer), attr, &mesh))
    return false;
  echo_bytecode_put_varint(writer, mesh.code);
  if (mesh.code == ATTR_SUB_AXIS_INFO)
    echo_bytecode_put_signed(writer, mesh.before);
  else
    echo_bytecode_put_attr(writer, mesh.first);
  switch (mesh.code) {
  case ATTR_SUB_AXIS_INFO:
  case ATTR_MESH_AXIS:
    echo_bytecode_put_signed(writer, mesh.size);
    return true;
  case ATTR_AXIS_REF:
    echo_bytecode_put_varint(writer, mesh.second != NULL);
    if (mesh.second == NULL)
      return true;
    break;
  case ATTR_MESH:
    echo_bytecode_put_optional_attr(writer, mesh.second);
    return true;
  default:
    break;
  }
  echo_bytecode_put_attr(writer, mesh.second);
  return true;
}
