/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A dialect in one file: "act", whose op act.softsign stays an op of its own from the model to the
 * kernel. Its row has a text form, a verifier, a fold, a gradient, what the interpreter computes,
 * what a kernel computes, and what that costs; fusion, Echo and the code generators ask for no
 * more.
 *
 *   %y = act.softsign %x steepness 2.0 : tensor<4xf32>        y = x / (1 + steepness |x|) */
#include <math.h>

#include <echo/dialects/arith/arith.h>
#include <echo/dialects/interfaces/element.h>
#include <echo/dialects/interfaces/evaluate.h>
#include <echo/dialects/interfaces/gradient.h>
#include <echo/dialects/stablehlo/build.h>
#include <echo/ir/diagnostics.h>
#include <echo/ir/text/asm.h>
#include <echo/jit/driver/plugin.h>

static double steepness(const EchoOp *op)
{
  return echo_op_attr_or_null(op, "steepness")->as.floating.value;
}

/* ---- constraints: what the texts of the row may name ---- */

static bool is_f32_or_f64_tensor(const EchoType *type)
{
  if (!echo_type_is_tensor(type))
    return false;
  EchoElementKind kind = echo_type_element_kind(type);
  return kind == ECHO_ELEMENT_F32 || kind == ECHO_ELEMENT_F64;
}

static bool is_f64(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_FLOAT && attr->type->kind == ECHO_TYPE_FLOAT &&
         attr->type->as.float_kind == ECHO_F64;
}

/* ---- hooks ---- */

static bool verify(const EchoOp *op)
{
  if (steepness(op) > 0 && isfinite(steepness(op)))
    return true;
  return echo_op_error(op, "wants a steepness above zero, not %g", steepness(op));
}

static bool infer(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                  size_t *n_types)
{
  (void)regions;
  types[0] = state->operands[0]->type;
  *n_types = 1;
  return true;
}

/* Of zeros it is what it reads. */
static bool fold(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  const EchoAttr *x = operands[0]; /* the constant that is read, or NULL */
  if (x == NULL || x->kind != ECHO_ATTR_DENSE_ELEMENTS || !x->as.elements.is_splat ||
      echo_elements_f64(x, 0) != 0)
    return false;
  results[0].value = echo_op_operand(op, 0);
  return true;
}

/* Operation by operation as in the kernel, so that both come to the same bits: what is computed in
 * double is rounded to f32 after each. */
static bool evaluate(EchoEvaluator *evaluator, const EchoOp *op, const EchoTensor *const *operands,
                     EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  EchoTensor *y = results[0] = echo_tensor_create(echo_op_result_type(op, 0), false);
  bool is_single = x->kind == ECHO_ELEMENT_F32;
  double k = is_single ? (float)steepness(op) : steepness(op);
  for (int64_t i = 0; i < x->n_elements; i++) {
    double value = echo_tensor_get_f64(x, i), scaled = k * fabs(value);
    double below = 1 + (is_single ? (float)scaled : scaled);
    echo_tensor_set_f64(y, i, value / (is_single ? (float)below : below));
  }
  return true;
}

/* One element of the result in scalar arithmetic, on every target. */
static EchoValue *emit(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                       EchoValue *const *indices)
{
  (void)result;
  EchoBuilder *b = emitter->builder;
  EchoValue *x = echo_emit_element(emitter, echo_op_operand(op, 0), indices);
  if (x == NULL)
    return NULL; /* the error has been reported */
  EchoValue *k = echo_arith_float(b, x->type, steepness(op)),
            *one = echo_arith_float(b, x->type, 1);
  EchoValue *scaled =
      echo_arith_binary(b, "arith.mulf", k, echo_arith_unary(b, "math.absf", x, NULL));
  return echo_arith_binary(b, "arith.divf", x, echo_arith_binary(b, "arith.addf", one, scaled));
}

/* dy/dx = 1 / (1 + k |x|)^2: of the forward part it asks for x alone. */
static bool differentiate(EchoGradient *gradient, EchoOp *op)
{
  EchoBuilder *b = gradient->builder;
  EchoValue *x = echo_op_operand(op, 0);
  EchoValue *gy = echo_gradient_of_or_null(gradient, echo_op_result(op, 0));
  if (gy == NULL || !echo_gradient_needs(gradient, x))
    return true;
  EchoValue *k = echo_hlo_constant_like(b, x, steepness(op));
  EchoValue *scaled = echo_hlo_multiply(b, k, echo_hlo_abs(b, x));
  EchoValue *below = echo_hlo_add(b, echo_hlo_constant_like(b, x, 1), scaled);
  echo_gradient_add(gradient, x, echo_hlo_divide(b, gy, echo_hlo_multiply(b, below, below)));
  return true;
}

static void cost(const EchoOp *op, EchoCost *cost)
{
  const EchoType *type = echo_op_result_type(op, 0);
  uint64_t bytes;
  int64_t n_elements;
  if (!echo_type_bytes(type, &bytes) || !echo_type_n_elements(type, &n_elements))
    return;                                           /* a dynamic shape */
  *cost = (EchoCost){.flops = 4 * (double)n_elements, /* |x|, *, +, / */
                     .bytes_read = (double)bytes,
                     .bytes_written = (double)bytes};
}

/* ---- the text ---- */

static bool parse(EchoAsmParser *parser)
{
  EchoAsmOperand x;
  const EchoAttr *value;
  const EchoType *type;
  if (!echo_asm_parse_operand(parser, &x) || !echo_asm_parse_keyword(parser, "steepness") ||
      !echo_asm_parse_attr(parser, echo_type_f64(echo_asm_context(parser)), &value) ||
      !echo_asm_try_attr_dict(parser) || !echo_asm_parse_token(parser, ":") ||
      !echo_asm_parse_type(parser, &type) || !echo_asm_resolve_operand(parser, &x, type))
    return false;
  echo_asm_add_attr(parser, "steepness", value);
  echo_asm_add_result_type(parser, type);
  return true;
}

static void print(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"steepness", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_value(printer, echo_op_operand(op, 0));
  echo_asm_print(printer, " steepness ");
  echo_asm_print_attr_without_type(printer, echo_op_attr_or_null(op, "steepness"));
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_result_type(op, 0));
}

/* ---- the row, the dialect, the plugin ---- */

static const EchoTypeConstraint type_constraints[] = {
    {"tensor of f32 or f64", is_f32_or_f64_tensor}, {0}};
static const EchoAttrConstraint attr_constraints[] = {{"f64", is_f64}, {0}};

static const EchoOpInfo ops[] = {
    {.name = "act.softsign",
     .operands = "x: tensor of f32 or f64",
     .results = "y: tensor of f32 or f64",
     .attrs = "steepness: f64",
     .traits = ECHO_PURE | ECHO_ELEMENTWISE | ECHO_SAME_TYPE,
     .verify = verify,
     .infer = infer,
     .fold = fold,
     .evaluate = evaluate,
     .differentiate = differentiate,
     .emit_element = emit,
     .cost = cost,
     .parse = parse,
     .print = print,
     .summary = "x / (1 + steepness |x|)"},
};

static const EchoDialect dialect = {
    .name = "act",
    .summary = "activations",
    .stages = "model..planned", /* the last before loops, of which kernels are made */
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
    .type_constraints = type_constraints,
    .attr_constraints = attr_constraints,
};

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoDialect *const dialects[] = {&dialect, NULL};
  static const EchoPluginInfo info = {
      .api_version = ECHO_PLUGIN_API_VERSION,
      .name = "act",
      .version = "1.0",
      .dialects = dialects,
  };
  return &info;
}
