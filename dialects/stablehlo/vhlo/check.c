/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a version of VHLO has a type or an attribute, and whether VHLO has it at all: errors at
 * the op that holds it. */
#include "dialects/quant/quant.h"
#include "dialects/stablehlo/vhlo/vhlo_t.h"

#include "ir/text/text.h"

static bool needs(const EchoOp *op, const char *what, EchoVhloVersion version, unsigned major,
                  unsigned minor)
{
  return echo_vhlo_has(version, major, minor) ||
         echo_op_error(op, "has %s, which VHLO has from version %u.%u.0 on and not in %u.%u.%u",
                       what, major, minor, version.major, version.minor, version.patch);
}

/* What came after 0.9.0, of the types that are a code and nothing else. */
static bool check_plain(const EchoOp *op, const EchoType *type, EchoVhloVersion version)
{
  static const struct {
    bool is_float;
    uint8_t kind; /* EchoFloatKind, or the width of an integer */
    uint8_t major, minor;
  } LATER[] = {
      {true, ECHO_F4E2M1FN, 1, 8},
      {true, ECHO_F6E2M3FN, 1, 8},
      {true, ECHO_F6E3M2FN, 1, 8},
      {true, ECHO_F8E3M4, 1, 7},
      {true, ECHO_F8E4M3, 1, 7},
      {true, ECHO_F8E4M3FNUZ, 0, 10},
      {true, ECHO_F8E4M3B11FNUZ, 0, 11},
      {true, ECHO_F8E5M2FNUZ, 0, 10},
      {true, ECHO_F8E8M0FNU, 1, 8},
      {true, ECHO_TF32, 1, 6},
      {false, 2, 1, 2},
  };
  for (size_t i = 0; i < sizeof LATER / sizeof *LATER; i++)
    if (LATER[i].is_float ? type->kind == ECHO_TYPE_FLOAT && type->as.float_kind == LATER[i].kind
                          : echo_type_is_integer(type, LATER[i].kind))
      return needs(op, echo_type_text(echo_op_context(op), type), version, LATER[i].major,
                   LATER[i].minor);
  return true;
}

static bool check_types(const EchoOp *op, const EchoType *const *types, size_t n,
                        EchoVhloVersion version)
{
  for (size_t i = 0; i < n; i++)
    if (!echo_vhlo_check_type(op, types[i], version))
      return false;
  return true;
}

static bool check_opaque_type(const EchoOp *op, const EchoType *type, EchoVhloVersion version)
{
  EchoQuantized quantized;
  if (echo_quantized_read(type, &quantized)) {
    bool per_axis = quantized.axis >= 0;
    echo_quantized_destroy(&quantized);
    return !per_axis || needs(op, "a quantized type with an axis", version, 0, 18);
  }
  const EchoType *held = echo_vhlo_future_or_null(echo_op_context(op), type);
  if (held != NULL)
    return needs(op, "a future", version, 1, 15) && echo_vhlo_check_type(op, held, version);
  EchoStr dialect = type->as.opaque.dialect, text = type->as.opaque.text;
  return (echo_str_is(dialect, "stablehlo") && echo_str_is(text, "token")) ||
         (echo_str_is(dialect, "shape") && echo_str_is(text, "witness")) ||
         echo_op_error(op, "has type %s, which is not written as VHLO",
                       echo_type_text(echo_op_context(op), type));
}

bool echo_vhlo_check_type(const EchoOp *op, const EchoType *type, EchoVhloVersion version)
{
  uint8_t code;
  if (echo_vhlo_plain_code(type, &code))
    return check_plain(op, type, version);
  switch (type->kind) {
  case ECHO_TYPE_NONE:
    return needs(op, "a type that is none", version, 1, 6);
  case ECHO_TYPE_INDEX:
    return true;
  case ECHO_TYPE_COMPLEX:
  case ECHO_TYPE_UNRANKED_TENSOR:
    return echo_vhlo_check_type(op, type->as.shaped.element, version);
  case ECHO_TYPE_TENSOR:
    return (type->as.shaped.encoding == NULL ||
            echo_vhlo_check_attr(op, type->as.shaped.encoding, version)) &&
           echo_vhlo_check_type(op, type->as.shaped.element, version);
  case ECHO_TYPE_MEMREF:
    return needs(op, "a memref", version, 1, 13) &&
           echo_vhlo_check_type(op, type->as.shaped.element, version);
  case ECHO_TYPE_FUNCTION:
    return check_types(op, type->as.function.inputs, type->as.function.n_inputs, version) &&
           check_types(op, type->as.function.results, type->as.function.n_results, version);
  case ECHO_TYPE_TUPLE:
    return check_types(op, type->as.tuple.elements, type->as.tuple.n_elements, version);
  case ECHO_TYPE_OPAQUE:
    return check_opaque_type(op, type, version);
  default:
    return echo_op_error(op, "has type %s, which VHLO does not have",
                         echo_type_text(echo_op_context(op), type));
  }
}

static bool check_mesh(const EchoOp *op, const EchoVhloMesh *mesh, EchoVhloVersion version)
{
  return needs(op, "a mesh", version, 1, 16) &&
         (mesh->first == NULL || echo_vhlo_check_attr(op, mesh->first, version)) &&
         (mesh->second == NULL || echo_vhlo_check_attr(op, mesh->second, version));
}

static bool check_opaque(const EchoOp *op, const EchoAttr *attr, EchoVhloVersion version)
{
  const EchoHloPayload *payload =
      echo_str_is(attr->as.opaque.dialect, "stablehlo") ? attr->as.opaque.payload : NULL;
  if (payload != NULL && (payload->kind == ECHO_HLO_ATTR_RESULT_ACCURACY ||
                          payload->kind == ECHO_HLO_ATTR_RESULT_ACCURACY_MODE))
    return needs(op, "a result_accuracy", version, 1, 9);
  if (echo_str_is(attr->as.opaque.dialect, "sdy")) /* goes along as it is */
    return true;
  bool is_written = payload != NULL && (payload->kind == ECHO_HLO_ATTR_BOUNDS ||
                                        payload->kind == ECHO_HLO_ATTR_OUTPUT_OPERAND_ALIAS ||
                                        payload->kind >= ECHO_HLO_ATTR_COMPARISON_DIRECTION);
  if (is_written)
    return true;
  EchoVhloMesh mesh;
  if (payload != NULL && echo_vhlo_mesh(echo_op_context(op), attr, &mesh))
    return check_mesh(op, &mesh, version);
  EchoBuffer text = {0};
  echo_print_attr(attr, &text);
  echo_op_error(op, "has attribute %s, which is not written as VHLO", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

bool echo_vhlo_check_attr(const EchoOp *op, const EchoAttr *attr, EchoVhloVersion version)
{
  switch (attr->kind) {
  case ECHO_ATTR_ARRAY:
    for (size_t i = 0; i < attr->as.array.size; i++)
      if (!echo_vhlo_check_attr(op, attr->as.array.elements[i], version))
        return false;
    return true;
  case ECHO_ATTR_DICTIONARY:
    for (size_t i = 0; i < attr->as.dictionary.size; i++)
      if (!echo_vhlo_check_attr(op, attr->as.dictionary.entries[i].value, version))
        return false;
    return true;
  case ECHO_ATTR_INTEGER:
    return (attr->type->kind == ECHO_TYPE_INTEGER &&
            attr->type->as.integer.signedness == ECHO_SIGNED) || /* a convention of calls */
           echo_vhlo_check_type(op, attr->type, version);
  case ECHO_ATTR_FLOAT:
  case ECHO_ATTR_DENSE_ELEMENTS:
    return echo_vhlo_check_type(op, attr->type, version);
  case ECHO_ATTR_TYPE:
    return echo_vhlo_check_type(op, attr->as.type_value, version);
  case ECHO_ATTR_OPAQUE:
    return check_opaque(op, attr, version);
  default:
    return true;
  }
}
