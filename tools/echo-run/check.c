/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-run/check.h"

#include <math.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "ir/attributes/element.h"
#include "ir/builder.h"
#include "ir/diagnostics.h"

/* ---- out of the function ---- */

/* What the custom calls of StableHLO's testdata allow. */
#define CALL_TOLERANCE 1e-3
#define CALL_ULPS 3
/* What its ops do where they do not say. */
#define OP_TOLERANCE 1e-4

static double tolerance_of(const EchoOp *op)
{
  const EchoAttr *tolerance = echo_op_attr_or_null(op, "tolerance");
  return tolerance != NULL ? tolerance->as.floating.value : OP_TOLERANCE;
}

/* Whether the op is a check; fills in what it compares by. */
static bool read_check(const EchoOp *op, Check *check)
{
  EchoStr name = echo_op_name(op);
  *check = (Check){.loc = op->loc, .max_ulps = CALL_ULPS, .tolerance = CALL_TOLERANCE};
  bool is_call = echo_str_is(name, "stablehlo.custom_call");
  if (is_call)
    name = echo_op_attr_string(op, "call_target_name");
  if (!echo_str_starts_with(name, "check."))
    return false;
  if (!is_call) {
    check->value = echo_op_attr_or_null(op, "value");
    check->tolerance = tolerance_of(op);
    check->max_ulps = (uint64_t)echo_op_attr_i64(op, "max_ulp_difference", 1);
    check->min_ulps = (uint64_t)echo_op_attr_i64(op, "min_ulp_difference", 0);
  }
  if (echo_str_starts_with(name, "check.expect_almost_eq"))
    check->kind = CHECK_ALMOST_EQUAL;
  else if (echo_str_starts_with(name, "check.expect_close"))
    check->kind = CHECK_CLOSE;
  return true;
}

static bool is_comparable(const EchoOp *op, const Check *check)
{
  size_t wanted = check->value != NULL ? 1 : 2;
  return op->n_results == 0 && op->n_operands == wanted && op->n_regions == 0 &&
         (wanted == 1 || echo_op_operand_type(op, 0) == echo_op_operand_type(op, 1));
}

/* The function returns `values`. */
static void return_values(EchoOp *function, EchoValue *const *values, size_t n)
{
  EchoContext *ctx = echo_op_context(function);
  EchoOp *old = echo_op_body(function, 0)->last;
  EchoBuilder builder = echo_builder_before(old);
  const EchoType **types = echo_alloc_array(n + 1, sizeof *types);
  for (size_t i = 0; i < n; i++)
    types[i] = values[i]->type;
  const EchoType *type = echo_op_attr_or_null(function, "function_type")->as.type_value;
  static const EchoType *const NO_TYPES[1] = {NULL};
  echo_build_op(&builder, old->info->name, values, n, NO_TYPES, 0, NULL, 0);
  echo_op_erase(old);
  echo_op_set_attr(function, "function_type",
                   echo_attr_type(ctx, echo_type_function(ctx, type->as.function.inputs,
                                                          type->as.function.n_inputs, types, n)));
  echo_op_set_attr(function, "res_attrs", NULL);
  echo_free(types);
}

bool check_lift(EchoOp *function, CheckList *checks)
{
  ECHO_VECTOR(EchoValue *) values = {0};
  bool ok = true;
  for (EchoOp *op = echo_op_body(function, 0)->first, *next; op != NULL; op = next) {
    next = op->next;
    Check check;
    if (!read_check(op, &check))
      continue;
    if (!is_comparable(op, &check)) {
      ok = echo_op_error(op, "is no comparison of two values of one type");
      continue;
    }
    check.actual = values.size;
    check.expected = check.value != NULL ? 0 : values.size + 1;
    for (uint32_t i = 0; i < op->n_operands; i++)
      echo_vector_push(&values, echo_op_operand(op, i));
    echo_vector_push(checks, check);
    echo_op_erase(op);
  }
  if (ok && checks->size != 0)
    return_values(function, values.data, values.size);
  echo_vector_destroy(&values);
  return ok;
}

/* ---- comparisons ---- */

/* Magnitude in units in the last place above zero. */
static uint64_t units(const void *data, uint32_t bits)
{
  uint64_t word = 0;
  memcpy(&word, data, (bits + 7) / 8);
  return word & ((UINT64_C(1) << (bits - 1)) - 1);
}

/* Of what is no finite number the distance to anything else is the largest there is, as StableHLO's
 * own check has it. */
static uint64_t units_apart(const EchoType *type, const void *a, const void *b)
{
  double x = echo_element_load_f64(type, a), y = echo_element_load_f64(type, b);
  uint32_t bits = echo_type_bit_width(type);
  if (!isfinite(x) || !isfinite(y))
    return x == y || (isnan(x) && isnan(y)) ? 0 : UINT64_MAX;
  uint64_t u = units(a, bits), v = units(b, bits);
  return signbit(x) != signbit(y) ? u + v : u > v ? u - v : v - u;
}

static bool is_close(const Check *check, const EchoType *type, const void *a, const void *b)
{
  uint64_t apart = units_apart(type, a, b);
  return apart >= check->min_ulps && apart <= check->max_ulps;
}

static bool is_almost_equal(const Check *check, const EchoType *type, const void *a, const void *b)
{
  double x = echo_element_load_f64(type, a), y = echo_element_load_f64(type, b);
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y);
  return x == y || fabs(x - y) <= check->tolerance;
}

static bool is_as_expected(const Check *check, const EchoType *type, const void *a, const void *b)
{
  bool is_float = type->kind == ECHO_TYPE_FLOAT;
  if (!is_float)
    return echo_element_load_i64(type, a) == echo_element_load_i64(type, b);
  if (check->kind == CHECK_CLOSE)
    return is_close(check, type, a, b);
  if (check->kind == CHECK_ALMOST_EQUAL)
    return is_almost_equal(check, type, a, b);
  return echo_element_load_f64(type, a) == echo_element_load_f64(type, b);
}

int64_t check_first_difference(const Check *check, const EchoTensor *actual,
                               const EchoTensor *expected)
{
  const EchoType *type = actual->type->as.shaped.element, *said = expected->type->as.shaped.element;
  size_t bytes = echo_type_element_bytes(actual->type);
  const char *a = actual->data, *b = expected->data;
  if (said->kind == ECHO_TYPE_FLOAT && echo_type_element_bytes(said) == bytes)
    type = said; /* narrow floats are computed as their bytes */
  for (int64_t i = 0; i < actual->n_elements; i++)
    if (!is_as_expected(check, type, a + (size_t)i * bytes, b + (size_t)i * bytes))
      return i;
  return -1;
}
