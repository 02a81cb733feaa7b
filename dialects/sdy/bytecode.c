/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shardy's attributes in bytecode, as the text that they have: what stands in each other is read as
 * an attribute of its own, and its text without the name goes into the whole's. */
#include <inttypes.h>

#include "dialects/sdy/bytecode.h"
#include "ir/text/text.h"

typedef enum AttrCode {
  CODE_MANUAL_AXES = 0,
  CODE_MESH_AXIS = 1,
  CODE_MESH = 2,
  CODE_SUB_AXIS = 3,
  CODE_AXIS_REF = 4,
  CODE_DIMENSION_SHARDING = 5,
  CODE_SHARDING = 6,
  CODE_SHARDING_PER_VALUE = 7,
  CODE_DIMENSION_MAPPING = 8,
  CODE_TENSOR_MAPPING = 9,
  CODE_RULE = 10,
  CODE_AXIS_LIST = 11,
  CODE_AXIS_LISTS = 12,
  CODE_MOVED_AXES = 13,
  CODE_MOVED_AXES_LIST = 14,
  CODE_SHARDING_UNREDUCED = 15,
  CODE_SHARDING_PER_VALUE_UNREDUCED = 16,
  CODE_SHARDING_REDUCED_BY = 17
} AttrCode;

/* The text between the angle brackets of one of our attributes, of any other all of it. */
static EchoStr body_of(const EchoAttr *attr)
{
  if (attr->kind != ECHO_ATTR_OPAQUE)
    return (EchoStr){0};
  EchoStr text = attr->as.opaque.text;
  const char *open = memchr(text.data, '<', text.size);
  if (open == NULL || text.data[text.size - 1] != '>')
    return text;
  size_t skipped = (size_t)(open + 1 - text.data);
  return (EchoStr){open + 1, text.size - skipped - 1};
}

/* "a, b": the texts of a list of attributes. */
static bool read_list(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *const *list;
  size_t n;
  if (!echo_bytecode_read_attrs(reader, &list, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    echo_buffer_append_c(text, i == 0 ? "" : ", ");
    if (list[i]->kind == ECHO_ATTR_STRING)
      echo_print_attr(list[i], text);
    else
      echo_buffer_append_str(text, body_of(list[i]));
  }
  return true;
}

static bool read_name(EchoBytecodeReader *reader, EchoBuffer *text)
{
  EchoStr name;
  if (!echo_bytecode_read_string(reader, &name))
    return false;
  echo_print_attr(echo_attr_string(echo_bytecode_context(reader), name), text);
  return true;
}

static bool read_mesh(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const int64_t *ids;
  size_t n;
  echo_buffer_append_c(text, "mesh<[");
  if (!read_list(reader, text) || !echo_bytecode_read_signeds(reader, &ids, &n))
    return false;
  echo_buffer_append_c(text, "]");
  for (size_t i = 0; i < n; i++)
    echo_buffer_printf(text, "%s%" PRId64, i == 0 ? ", device_ids=[" : ", ", ids[i]);
  echo_buffer_append_c(text, n != 0 ? "]>" : ">");
  return true;
}

static bool read_axis_ref(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *sub_axis;
  echo_buffer_append_c(text, "axis_ref<");
  if (!read_name(reader, text) || !echo_bytecode_read_optional_attr(reader, &sub_axis))
    return false;
  if (sub_axis != NULL) {
    echo_buffer_append_c(text, ":");
    echo_buffer_append_str(text, body_of(sub_axis));
  }
  echo_buffer_append_c(text, ">");
  return true;
}

/* {"x", ?}p1: axes, open or closed, a priority. */
static bool read_dimension(EchoBytecodeReader *reader, EchoBuffer *text)
{
  uint8_t is_closed;
  uint64_t priority;
  bool has_priority;
  echo_buffer_append_c(text, "dimension_sharding<{");
  size_t before = text->size;
  if (!read_list(reader, text) || !echo_bytecode_read_byte(reader, &is_closed) ||
      !echo_bytecode_read_flagged(reader, &priority, &has_priority))
    return false;
  if (is_closed == 0)
    echo_buffer_append_c(text, text->size != before ? ", ?" : "?");
  echo_buffer_append_c(text, "}");
  if (has_priority)
    echo_buffer_printf(text, "p%" PRIu64, priority);
  echo_buffer_append_c(text, ">");
  return true;
}

static bool read_axes(EchoBytecodeReader *reader, const char *name, EchoBuffer *text)
{
  EchoBuffer axes = {0};
  bool fine = read_list(reader, &axes);
  if (fine && axes.size != 0)
    echo_buffer_printf(text, ", %s={%s}", name, axes.data);
  echo_buffer_destroy(&axes);
  return fine;
}

static bool read_sharding(EchoBytecodeReader *reader, AttrCode code, EchoBuffer *text)
{
  const EchoAttr *mesh;
  int64_t reduction;
  if (!echo_bytecode_read_attr(reader, &mesh))
    return false;
  echo_buffer_append_c(text, "sharding<");
  if (mesh->kind == ECHO_ATTR_OPAQUE)
    echo_buffer_append_str(text, mesh->as.opaque.text);
  else
    echo_print_attr(mesh, text);
  echo_buffer_append_c(text, ", [");
  if (!read_list(reader, text))
    return false;
  echo_buffer_append_c(text, "]");
  if (!read_axes(reader, "replicated", text) ||
      (code != CODE_SHARDING && !read_axes(reader, "unreduced", text)))
    return false;
  if (code == CODE_SHARDING_REDUCED_BY && !echo_bytecode_read_signed(reader, &reduction))
    return false;
  echo_buffer_append_c(text, ">");
  return true;
}

static bool read_per_value(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *const *list;
  size_t n;
  if (!echo_bytecode_read_attrs(reader, &list, &n))
    return false;
  echo_buffer_append_c(text, "sharding_per_value<[");
  for (size_t i = 0; i < n; i++)
    echo_buffer_printf(text, "%s<%.*s>", i == 0 ? "" : ", ", ECHO_STR_ARG(body_of(list[i])));
  echo_buffer_append_c(text, "]>");
  return true;
}

/* ---- how the dimensions of an op's operands and results go together ---- */

/* Factors are called i to z, then z_1, z_2, … */
static void print_factor(int64_t factor, EchoBuffer *text)
{
  enum { N_LETTERS = 'z' - 'i' + 1 };
  if (factor >= 0 && factor < N_LETTERS)
    echo_buffer_append_char(text, (char)('i' + factor));
  else
    echo_buffer_printf(text, "z_%" PRId64, factor - N_LETTERS + 1);
}

/* One dimension: its factors side by side. */
static bool read_dimension_mapping(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const int64_t *factors;
  size_t n;
  if (!echo_bytecode_read_signeds(reader, &factors, &n))
    return false;
  echo_buffer_append_c(text, "dim_mapping<");
  for (size_t i = 0; i < n; i++)
    print_factor(factors[i], text);
  echo_buffer_append_c(text, ">");
  return true;
}

static bool read_factors(EchoBytecodeReader *reader, const char *name, EchoBuffer *text)
{
  const int64_t *factors;
  size_t n;
  if (!echo_bytecode_read_signeds(reader, &factors, &n))
    return false;
  for (size_t i = 0; i < n; i++) {
    if (i == 0)
      echo_buffer_printf(text, " %s={", name);
    else
      echo_buffer_append_c(text, ", ");
    print_factor(factors[i], text);
  }
  echo_buffer_append_c(text, n != 0 ? "}" : "");
  return true;
}

/* ([i, k], [k, j])->([i, j]) {i=2, j=3, k=4} reduction={k}, custom */
static bool read_rule(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const int64_t *sizes;
  size_t n;
  uint8_t is_custom;
  if (!echo_bytecode_read_signeds(reader, &sizes, &n))
    return false;
  echo_buffer_append_c(text, "op_sharding_rule<(");
  if (!read_list(reader, text))
    return false;
  echo_buffer_append_c(text, ")->(");
  if (!read_list(reader, text))
    return false;
  echo_buffer_append_c(text, ") {");
  for (size_t i = 0; i < n; i++) {
    echo_buffer_append_c(text, i == 0 ? "" : ", ");
    print_factor((int64_t)i, text);
    echo_buffer_printf(text, "=%" PRId64, sizes[i]);
  }
  echo_buffer_append_c(text, "}");
  if (!read_factors(reader, "reduction", text) || !read_factors(reader, "need_replication", text) ||
      !read_factors(reader, "permutation", text) ||
      !read_factors(reader, "blocked_propagation", text) ||
      !echo_bytecode_read_byte(reader, &is_custom))
    return false;
  echo_buffer_append_c(text, is_custom != 0 ? ", custom>" : ">");
  return true;
}

/* ---- axes of reshards ---- */

static const char AXIS_LIST[] = "axis_ref_list";

/* [{"x"}, {}] */
static bool read_axis_lists(EchoBytecodeReader *reader, EchoBuffer *text)
{
  const EchoAttr *const *lists;
  size_t n, skipped = sizeof AXIS_LIST - 1;
  if (!echo_bytecode_read_attrs(reader, &lists, &n))
    return false;
  echo_buffer_append_c(text, "list_of_axis_ref_lists[");
  for (size_t i = 0; i < n; i++) {
    EchoStr list = lists[i]->kind == ECHO_ATTR_OPAQUE ? lists[i]->as.opaque.text : (EchoStr){0};
    if (!echo_str_starts_with(list, AXIS_LIST))
      return echo_bytecode_error(reader, "a list of axes is expected");
    echo_buffer_printf(text, "%s%.*s", i == 0 ? "" : ", ", (int)(list.size - skipped),
                       list.data + skipped);
  }
  echo_buffer_append_c(text, "]");
  return true;
}

/* {"x"}: 0->1 */
static bool read_moved_axes(EchoBytecodeReader *reader, EchoBuffer *text)
{
  int64_t from, to;
  echo_buffer_append_c(text, "all_to_all_param<{");
  if (!read_list(reader, text) || !echo_bytecode_read_signed(reader, &from) ||
      !echo_bytecode_read_signed(reader, &to))
    return false;
  echo_buffer_printf(text, "}: %" PRId64 "->%" PRId64 ">", from, to);
  return true;
}

/* The attributes between a name with an opening bracket and a closing one. */
static bool read_between(EchoBytecodeReader *reader, const char *open, const char *close,
                         EchoBuffer *text)
{
  echo_buffer_append_c(text, open);
  if (!read_list(reader, text))
    return false;
  echo_buffer_append_c(text, close);
  return true;
}

static bool read_text(EchoBytecodeReader *reader, uint64_t code, EchoBuffer *text)
{
  int64_t before, size;
  switch (code) {
  case CODE_MANUAL_AXES:
    return read_between(reader, "manual_axes{", "}", text);
  case CODE_MESH_AXIS:
    echo_buffer_append_c(text, "mesh_axis<");
    if (!read_name(reader, text) || !echo_bytecode_read_signed(reader, &size))
      return false;
    echo_buffer_printf(text, "=%" PRId64 ">", size);
    return true;
  case CODE_MESH:
    return read_mesh(reader, text);
  case CODE_SUB_AXIS:
    if (!echo_bytecode_read_signed(reader, &before) || !echo_bytecode_read_signed(reader, &size))
      return false;
    echo_buffer_printf(text, "sub_axis_info<(%" PRId64 ")%" PRId64 ">", before, size);
    return true;
  case CODE_AXIS_REF:
    return read_axis_ref(reader, text);
  case CODE_DIMENSION_SHARDING:
    return read_dimension(reader, text);
  case CODE_SHARDING:
  case CODE_SHARDING_UNREDUCED:
  case CODE_SHARDING_REDUCED_BY:
    return read_sharding(reader, (AttrCode)code, text);
  case CODE_SHARDING_PER_VALUE:
  case CODE_SHARDING_PER_VALUE_UNREDUCED:
    return read_per_value(reader, text);
  case CODE_DIMENSION_MAPPING:
    return read_dimension_mapping(reader, text);
  case CODE_TENSOR_MAPPING:
    return read_between(reader, "tensor_mapping<[", "]>", text);
  case CODE_RULE:
    return read_rule(reader, text);
  case CODE_AXIS_LIST:
    return read_between(reader, "axis_ref_list{", "}", text);
  case CODE_AXIS_LISTS:
    return read_axis_lists(reader, text);
  case CODE_MOVED_AXES:
    return read_moved_axes(reader, text);
  case CODE_MOVED_AXES_LIST:
    return read_between(reader, "all_to_all_param_list[", "]", text);
  default:
    return echo_bytecode_error(reader,
                               "what Shardy's attribute of code %" PRIu64 " is is not known", code);
  }
}

static bool read_attr(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  EchoBuffer text = {0};
  EchoLoc loc = echo_bytecode_loc(reader);
  bool fine = read_text(reader, code, &text);
  if (fine)
    *attr = echo_attr_opaque_or_null(echo_bytecode_context(reader), loc, ECHO_STR("sdy"),
                                     echo_buffer_str(&text), true);
  echo_buffer_destroy(&text);
  return fine && *attr != NULL;
}

const EchoBytecodeDialect ECHO_SDY_BYTECODE = {.read_attr = read_attr};
