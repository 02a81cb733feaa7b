/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Folding of integer and index arithmetic. Floats are left alone: what a float op gives is the op's
 * own business at run time, on the target that runs it. */
#include "dialects/arith/arith.h"
#include "dialects/arith/hooks_t.h"

typedef struct Ints {
  uint32_t width;
  int64_t a, b; /* sign-extended */
} Ints;

static int64_t sign_extend(uint64_t value, uint32_t width)
{
  if (width >= 64)
    return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (width - 1);
  value &= (sign << 1) - 1;
  return (int64_t)((value ^ sign) - sign);
}

static uint64_t zero_extend(int64_t value, uint32_t width)
{
  return width >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << width) - 1);
}

typedef bool IntFn(const Ints *in, int64_t *result);

static bool fold_addi(const Ints *in, int64_t *result)
{
  *result = (int64_t)((uint64_t)in->a + (uint64_t)in->b);
  return true;
}
static bool fold_subi(const Ints *in, int64_t *result)
{
  *result = (int64_t)((uint64_t)in->a - (uint64_t)in->b);
  return true;
}
static bool fold_muli(const Ints *in, int64_t *result)
{
  *result = (int64_t)((uint64_t)in->a * (uint64_t)in->b);
  return true;
}
static bool fold_andi(const Ints *in, int64_t *result)
{
  *result = in->a & in->b;
  return true;
}
static bool fold_ori(const Ints *in, int64_t *result)
{
  *result = in->a | in->b;
  return true;
}
static bool fold_xori(const Ints *in, int64_t *result)
{
  *result = in->a ^ in->b;
  return true;
}
static bool fold_shli(const Ints *in, int64_t *result)
{
  if (in->b < 0 || in->b >= (int64_t)in->width)
    return false;
  *result = (int64_t)((uint64_t)in->a << in->b);
  return true;
}
static bool fold_shrui(const Ints *in, int64_t *result)
{
  if (in->b < 0 || in->b >= (int64_t)in->width)
    return false;
  *result = (int64_t)(zero_extend(in->a, in->width) >> in->b);
  return true;
}
static bool fold_shrsi(const Ints *in, int64_t *result)
{
  if (in->b < 0 || in->b >= (int64_t)in->width)
    return false;
  *result = in->a >> in->b;
  return true;
}
static bool fold_maxsi(const Ints *in, int64_t *result)
{
  *result = in->a > in->b ? in->a : in->b;
  return true;
}
static bool fold_minsi(const Ints *in, int64_t *result)
{
  *result = in->a < in->b ? in->a : in->b;
  return true;
}
static bool fold_maxui(const Ints *in, int64_t *result)
{
  *result = (uint64_t)in->a > (uint64_t)in->b ? in->a : in->b;
  return true;
}
static bool fold_minui(const Ints *in, int64_t *result)
{
  *result = (uint64_t)in->a < (uint64_t)in->b ? in->a : in->b;
  return true;
}
static bool divides(const Ints *in)
{
  return in->b != 0 &&
         !(in->b == -1 && in->a == sign_extend(UINT64_C(1) << (in->width - 1), in->width));
}
static bool fold_divsi(const Ints *in, int64_t *result)
{
  if (!divides(in))
    return false;
  *result = in->a / in->b;
  return true;
}
static bool fold_remsi(const Ints *in, int64_t *result)
{
  if (!divides(in))
    return false;
  *result = in->a % in->b;
  return true;
}
static bool fold_floordivsi(const Ints *in, int64_t *result)
{
  if (!divides(in))
    return false;
  *result = in->a / in->b - (in->a % in->b != 0 && (in->a < 0) != (in->b < 0));
  return true;
}
static bool fold_ceildivsi(const Ints *in, int64_t *result)
{
  if (!divides(in))
    return false;
  *result = in->a / in->b + (in->a % in->b != 0 && (in->a < 0) == (in->b < 0));
  return true;
}
static bool fold_divui(const Ints *in, int64_t *result)
{
  if (in->b == 0)
    return false;
  *result = (int64_t)(zero_extend(in->a, in->width) / zero_extend(in->b, in->width));
  return true;
}
static bool fold_remui(const Ints *in, int64_t *result)
{
  if (in->b == 0)
    return false;
  *result = (int64_t)(zero_extend(in->a, in->width) % zero_extend(in->b, in->width));
  return true;
}
static bool fold_ceildivui(const Ints *in, int64_t *result)
{
  if (in->b == 0)
    return false;
  uint64_t a = zero_extend(in->a, in->width), b = zero_extend(in->b, in->width);
  *result = (int64_t)(a / b + (a % b != 0));
  return true;
}

/* Identities with a constant on the right: x op c = x, or = c. */
enum { NO_IDENTITY = INT32_MIN };
static const struct IntFold {
  const char *name;
  IntFn *fold;
  int32_t right_identity;  /* x op this = x */
  int32_t right_absorbing; /* x op this = this */
} INT_FOLDS[] = {
    {"arith.addi", fold_addi, 0, NO_IDENTITY},
    {"arith.subi", fold_subi, 0, NO_IDENTITY},
    {"arith.muli", fold_muli, 1, 0},
    {"arith.andi", fold_andi, -1, 0},
    {"arith.ori", fold_ori, 0, -1},
    {"arith.xori", fold_xori, 0, NO_IDENTITY},
    {"arith.shli", fold_shli, 0, NO_IDENTITY},
    {"arith.shrui", fold_shrui, 0, NO_IDENTITY},
    {"arith.shrsi", fold_shrsi, 0, NO_IDENTITY},
    {"arith.maxsi", fold_maxsi, NO_IDENTITY, NO_IDENTITY},
    {"arith.maxui", fold_maxui, 0, -1},
    {"arith.minsi", fold_minsi, NO_IDENTITY, NO_IDENTITY},
    {"arith.minui", fold_minui, -1, 0},
    {"arith.divsi", fold_divsi, 1, NO_IDENTITY},
    {"arith.divui", fold_divui, 1, NO_IDENTITY},
    {"arith.remsi", fold_remsi, NO_IDENTITY, NO_IDENTITY},
    {"arith.remui", fold_remui, NO_IDENTITY, NO_IDENTITY},
    {"arith.floordivsi", fold_floordivsi, 1, NO_IDENTITY},
    {"arith.ceildivsi", fold_ceildivsi, 1, NO_IDENTITY},
    {"arith.ceildivui", fold_ceildivui, 1, NO_IDENTITY},
};

static const struct IntFold *int_fold_or_null(const EchoOp *op)
{
  for (size_t i = 0; i < sizeof INT_FOLDS / sizeof INT_FOLDS[0]; ++i)
    if (echo_op_is(op, INT_FOLDS[i].name))
      return &INT_FOLDS[i];
  return NULL;
}

/* A scalar integer constant, or the element of a splat. */
static bool constant_int(const EchoAttr *attr, int64_t *value)
{
  if (attr == NULL)
    return false;
  if (attr->kind == ECHO_ATTR_INTEGER && attr->as.integer.words == NULL) {
    *value = attr->as.integer.value;
    return true;
  }
  if (attr->kind == ECHO_ATTR_DENSE_ELEMENTS && attr->as.elements.is_splat) {
    *value = echo_elements_i64(attr, 0);
    return true;
  }
  return false;
}

/* NULL when the type's shape is not known. */
static const EchoAttr *int_attr_or_null(EchoContext *ctx, const EchoType *type, int64_t value)
{
  if (!echo_type_is_shaped(type))
    return echo_attr_integer(ctx, type, value);
  return echo_type_has_static_shape(type) ? echo_attr_splat_i64(ctx, type, value) : NULL;
}

static uint32_t int_width(const EchoType *type)
{
  const EchoType *scalar = echo_type_element(type);
  return scalar->kind == ECHO_TYPE_INDEX ? 64 : scalar->as.integer.width;
}

bool echo_arith_fold_integer(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  const struct IntFold *row = int_fold_or_null(op);
  const EchoType *type = echo_op_result_type(op, 0);
  Ints in = {.width = int_width(type)};
  if (row == NULL || in.width > 64 || !constant_int(operands[1], &in.b))
    return false;
  in.b = sign_extend((uint64_t)in.b, in.width);
  if (row->right_identity != NO_IDENTITY &&
      in.b == sign_extend((uint64_t)(int64_t)row->right_identity, in.width)) {
    results[0].value = echo_op_operand(op, 0);
    return true;
  }
  if (row->right_absorbing != NO_IDENTITY &&
      in.b == sign_extend((uint64_t)(int64_t)row->right_absorbing, in.width)) {
    results[0].value = echo_op_operand(op, 1);
    return true;
  }
  int64_t value = 0;
  if (!constant_int(operands[0], &in.a))
    return false;
  in.a = sign_extend((uint64_t)in.a, in.width);
  if (!row->fold(&in, &value))
    return false;
  results[0].attr =
      int_attr_or_null(echo_op_context(op), type, sign_extend((uint64_t)value, in.width));
  return results[0].attr != NULL;
}

static bool compare(EchoCmpiPredicate predicate, int64_t a, int64_t b)
{
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b; /* sign extension keeps the unsigned order */
  switch (predicate) {
  case ECHO_CMPI_EQ:
    return a == b;
  case ECHO_CMPI_NE:
    return a != b;
  case ECHO_CMPI_SLT:
    return a < b;
  case ECHO_CMPI_SLE:
    return a <= b;
  case ECHO_CMPI_SGT:
    return a > b;
  case ECHO_CMPI_SGE:
    return a >= b;
  case ECHO_CMPI_ULT:
    return ua < ub;
  case ECHO_CMPI_ULE:
    return ua <= ub;
  case ECHO_CMPI_UGT:
    return ua > ub;
  case ECHO_CMPI_UGE:
    return ua >= ub;
  }
  return false;
}

bool echo_arith_fold_cmpi(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  int64_t a = 0, b = 0;
  uint32_t width = int_width(echo_op_operand_type(op, 0));
  EchoCmpiPredicate predicate = (EchoCmpiPredicate)echo_op_attr_i64(op, "predicate", 0);
  bool known = width <= 64 && constant_int(operands[0], &a) && constant_int(operands[1], &b);
  if (!known && echo_op_operand(op, 0) != echo_op_operand(op, 1))
    return false;
  bool value = compare(predicate, sign_extend((uint64_t)a, width), sign_extend((uint64_t)b, width));
  if (!known)
    value = compare(predicate, 0, 0);
  results[0].attr = int_attr_or_null(echo_op_context(op), echo_op_result_type(op, 0), value);
  return results[0].attr != NULL;
}

bool echo_arith_fold_select(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  int64_t condition = 0;
  if (echo_op_operand(op, 1) == echo_op_operand(op, 2)) {
    results[0].value = echo_op_operand(op, 1);
    return true;
  }
  if (!constant_int(operands[0], &condition))
    return false;
  results[0].value = echo_op_operand(op, (condition & 1) != 0 ? 1 : 2);
  return true;
}

bool echo_arith_fold_cast(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  int64_t value = 0;
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  if (from == to) {
    results[0].value = echo_op_operand(op, 0);
    return true;
  }
  bool is_signed = echo_op_is(op, "arith.extsi") || echo_op_is(op, "arith.index_cast");
  bool is_unsigned = echo_op_is(op, "arith.extui") || echo_op_is(op, "arith.index_castui") ||
                     echo_op_is(op, "arith.trunci");
  if ((!is_signed && !is_unsigned) || !constant_int(operands[0], &value))
    return false;
  uint32_t from_width = int_width(from);
  if (from_width > 64 || int_width(to) > 64)
    return false;
  value = is_signed ? sign_extend((uint64_t)value, from_width)
                    : (int64_t)zero_extend(value, from_width);
  results[0].attr =
      int_attr_or_null(echo_op_context(op), to, sign_extend((uint64_t)value, int_width(to)));
  return results[0].attr != NULL;
}

bool echo_arith_fold_constant(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  (void)operands;
  results[0].attr = echo_op_attr_or_null(op, "value");
  return true;
}
