/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of one and two operands on scalars, as rows/elementwise.def says. */
#include "dialects/stablehlo/emit/scalar_t.h"
#include "dialects/stablehlo/rows/elementwise_t.h"

const EchoType *echo_scalar_type(EchoContext *ctx, EchoElementKind kind)
{
  return echo_element_is_unsigned(kind)
             ? echo_type_integer(ctx, echo_element_bits(kind), ECHO_SIGNLESS)
             : echo_element_type(ctx, kind);
}

EchoValue *echo_scalar_promote(EchoBuilder *builder, EchoElementKind kind, EchoValue *value)
{
  if (!echo_kind_is_half(kind))
    return value;
  return echo_arith_unary(builder, "arith.extf", value, echo_type_f32(builder->ctx));
}

EchoValue *echo_scalar_demote(EchoBuilder *builder, EchoElementKind kind, EchoValue *value)
{
  if (!echo_kind_is_half(kind))
    return value;
  return echo_arith_unary(builder, "arith.truncf", value, echo_scalar_type(builder->ctx, kind));
}

/* ---- rows of one and two operands ---- */

EchoValue *echo_scalar_unary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                             EchoValue *operand)
{
  const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[opcode];
  EchoHloEmitFn *emit = echo_element_is_float(kind) ? row->emit_float : row->emit_int;
  if (kind == ECHO_ELEMENT_NONE || emit == NULL)
    return NULL;
  EchoValue *result = emit(builder, kind, echo_scalar_promote(builder, kind, operand), NULL);
  return row->gives_predicate ? result : echo_scalar_demote(builder, kind, result);
}

EchoValue *echo_scalar_binary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                              EchoValue *lhs, EchoValue *rhs)
{
  const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[opcode];
  EchoHloEmitFn *emit = echo_element_is_float(kind) ? row->emit_float : row->emit_int;
  if (kind == ECHO_ELEMENT_NONE || emit == NULL)
    return NULL;
  EchoValue *b = echo_scalar_promote(builder, kind, rhs);
  EchoValue *a = echo_scalar_promote(builder, kind, lhs);
  return echo_scalar_demote(builder, kind, emit(builder, kind, a, b));
}

/* ---- neutral elements ---- */

const EchoAttr *echo_scalar_neutral_or_null(EchoContext *ctx, EchoHloOpcode opcode,
                                            EchoElementKind kind)
{
  const EchoHloElementwise *row = &ECHO_HLO_ELEMENTWISE[opcode];
  bool is_float = echo_element_is_float(kind);
  bool has_neutral =
      row->neutral == ECHO_NEUTRAL_BOTH || row->neutral == ECHO_NEUTRAL_OF_REDUCTIONS;
  if (kind == ECHO_ELEMENT_NONE || !has_neutral || (is_float && row->evaluate_float == NULL))
    return NULL;
  const EchoType *type = echo_scalar_type(ctx, kind);
  return is_float ? echo_attr_float(ctx, type, row->neutral_float)
                  : echo_attr_integer(ctx, type, echo_hlo_neutral_i64(row->neutral_int, kind));
}
