/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/fuzz/graph_fuzz/ops.h"

#include <math.h>

#include "dialects/interfaces/evaluate.h"
#include "ir/builder.h"

enum { MAX_READS = 64, MAX_RESULTS = 512 };

static bool is_named(const EchoOp *op, const char *name)
{
  return echo_str_is(echo_op_name(op), name);
}

/* Constants are what they are, and views of a barrier are their operands. */
static bool is_computed(const EchoOp *op)
{
  return !echo_op_has_trait(op, ECHO_CONSTANT) && !echo_op_has_trait(op, ECHO_BARRIER) &&
         !echo_op_has_trait(op, ECHO_TERMINATOR);
}

void return_everything(EchoContext *ctx, EchoOp *main)
{
  EchoOp *terminator = echo_op_body(main, 0)->last;
  const EchoType *old = echo_op_attr_or_null(main, "function_type")->as.type_value;
  const EchoType *types[MAX_RESULTS];
  for (EchoOp *op = echo_op_body(main, 0)->first; op != terminator; op = op->next)
    for (uint32_t i = 0; i < op->n_results && is_computed(op); i++)
      if (terminator->n_operands < MAX_RESULTS)
        echo_op_append_operand(terminator, echo_op_result(op, i));
  for (uint32_t i = 0; i < terminator->n_operands; i++)
    types[i] = echo_op_operand_type(terminator, i);
  echo_op_set_attr(main, "res_attrs", NULL);
  echo_op_set_attr(main, "function_type",
                   echo_attr_type(ctx, echo_type_function(ctx, old->as.function.inputs,
                                                          old->as.function.n_inputs, types,
                                                          terminator->n_operands)));
}

/* ---- bounds ---- */

typedef enum BoundKind { EXACT, ULPS, SUM, NO_BOUND } BoundKind;

/* Units of the last place of f32 and f64 by which an expansion may differ from the interpreter: its
 * own bound and the interpreter's. f16 and bf16 are computed in f32 and rounded: 1. */
static const struct {
  const char *op;
  double f32, f64;
} FUNCTIONS[] = {
    {"stablehlo.exponential", 2, 2}, {"stablehlo.exponential_minus_one", 4, 4},
    {"stablehlo.log", 2, 2},         {"stablehlo.log_plus_one", 3, 3},
    {"stablehlo.tanh", 7, 5},        {"stablehlo.logistic", 5, 5},
    {"stablehlo.sine", 2, 4},        {"stablehlo.cosine", 2, 4},
    {"stablehlo.cbrt", 2, 3},        {"stablehlo.rsqrt", 3, 3},
    {"stablehlo.power", 2, 9},       {"stablehlo.atan2", 2, 4},
};

static bool has_floats(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_element_is_float(echo_type_element_kind(echo_op_result_type(op, i))))
      return true;
  return false;
}

static BoundKind kind_of_one(const EchoOp *op, double *f32, double *f64)
{
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++)
    if (is_named(op, FUNCTIONS[i].op)) {
      *f32 = FUNCTIONS[i].f32;
      *f64 = FUNCTIONS[i].f64;
      return ULPS;
    }
  if (echo_op_has_trait(op, ECHO_EXACT) || echo_op_has_trait(op, ECHO_MOVEMENT) ||
      echo_op_has_trait(op, ECHO_RETURN_LIKE) || op->n_regions != 0 || !has_floats(op))
    return EXACT;
  return echo_op_has_trait(op, ECHO_HEAVY) ? SUM : NO_BOUND;
}

static bool sums_in_region(const EchoOp *op)
{
  return is_named(op, "stablehlo.reduce") || is_named(op, "stablehlo.reduce_window") ||
         is_named(op, "stablehlo.scatter") || is_named(op, "stablehlo.select_and_scatter");
}

static BoundKind kind_of(EchoOp *op, double *f32, double *f64)
{
  BoundKind kind = kind_of_one(op, f32, f64);
  if (op->n_regions == 0)
    return kind;
  for (EchoOp *inner = echo_op_walk_next(op, op); inner != NULL;
       inner = echo_op_walk_next(op, inner))
    if (kind_of_one(inner, f32, f64) != EXACT || (sums_in_region(inner) && has_floats(inner)))
      return NO_BOUND;
  if (!sums_in_region(op) || !has_floats(op))
    return EXACT;
  const EchoOp *combine = op->regions[op->n_regions - 1].first->first;
  bool is_sum = is_named(combine, "stablehlo.add") || is_named(combine, "stablehlo.multiply");
  if (!is_sum)
    return EXACT;
  /* Which element a window selects depends on signs, so magnitudes say nothing about it. */
  return op->n_results == 1 && !is_named(op, "stablehlo.select_and_scatter") ? SUM : NO_BOUND;
}

static double digits_of(EchoElementKind kind)
{
  return kind == ECHO_ELEMENT_F64   ? 53
         : kind == ECHO_ELEMENT_F32 ? 24
         : kind == ECHO_ELEMENT_F16 ? 11
                                    : 8;
}

static double largest(EchoElementKind kind)
{
  return kind == ECHO_ELEMENT_F64   ? 0x1.fffffffffffffp1023
         : kind == ECHO_ELEMENT_F16 ? 65504.0
                                    : 0x1.fep127;
}

static double smallest(EchoElementKind kind)
{
  return kind == ECHO_ELEMENT_F64    ? 0x1p-1074
         : kind == ECHO_ELEMENT_F16  ? 0x1p-24
         : kind == ECHO_ELEMENT_BF16 ? 0x1p-133
                                     : 0x1p-149;
}

/* An upper bound of how many numbers meet in one result. */
static double n_terms(const EchoOp *op)
{
  double n = 1;
  for (uint32_t i = 0; i < op->n_operands; i++)
    n += (double)echo_type_static_n_elements(echo_op_operand_type(op, i));
  double n_out = (double)echo_type_static_n_elements(echo_op_result_type(op, 0));
  if (is_named(op, "stablehlo.reduce"))
    return n / fmax(n_out, 1) + 1;
  if (is_named(op, "stablehlo.dot_general")) {
    double a = (double)echo_type_static_n_elements(echo_op_operand_type(op, 0));
    double b = (double)echo_type_static_n_elements(echo_op_operand_type(op, 1));
    return fmin(a, b) + 1;
  }
  return n;
}

/* ---- one op ---- */

/* An op with the values that it reads, its regions included, each once. */
typedef struct Reads {
  EchoValue *values[MAX_READS];
  const EchoTensor *tensors[MAX_READS];
  size_t n;
} Reads;

static void find_reads(EchoOp *op, Reads *reads)
{
  EchoMap seen = {0};
  reads->n = 0;
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
    for (uint32_t i = 0; i < inner->n_operands; i++) {
      EchoValue *value = echo_op_operand(inner, i);
      if (echo_value_block(value) != op->block || echo_map_has(&seen, echo_key(value)))
        continue;
      ECHO_CHECK(reads->n < MAX_READS, "an op reads too much for a test");
      echo_map_set(&seen, echo_key(value), 1);
      reads->values[reads->n++] = value;
    }
  echo_map_destroy(&seen);
}

/* The op alone in a function of what it reads, interpreted on `tensors`. */
static bool interpret(EchoContext *ctx, EchoOp *module, EchoOp *op, const Reads *reads,
                      const EchoTensor *const *tensors, EchoTensor **results)
{
  const EchoType *inputs[MAX_READS], *outputs[MAX_RESULTS];
  EchoValue *returned[MAX_RESULTS];
  EchoMap values = {0};
  EchoBlock *body = echo_block_create(ctx);
  for (size_t i = 0; i < reads->n; i++) {
    inputs[i] = reads->values[i]->type;
    echo_map_set_ptr(&values, reads->values[i],
                     echo_block_add_arg(ctx, body, inputs[i], echo_loc_unknown()));
  }
  EchoOp *copy = echo_op_clone(op, &values);
  echo_block_append(body, copy);
  for (uint32_t i = 0; i < op->n_results; i++) {
    returned[i] = echo_op_result(copy, i);
    outputs[i] = returned[i]->type;
  }
  const EchoType *type = echo_type_function(ctx, inputs, reads->n, outputs, op->n_results);
  EchoAttrArg attrs[] = {{"sym_name", echo_attr_string(ctx, ECHO_STR("alone"))},
                         {"function_type", echo_attr_type(ctx, type)}};
  EchoBuilder builder = echo_builder_at_end(ctx, echo_op_body(module, 0));
  EchoOp *alone = echo_build_op_with_regions(&builder, "func.func", NULL, 0, NULL, 0, attrs, 2, 1);
  echo_region_append(&alone->regions[0], body);
  builder = echo_builder_at_end(ctx, body);
  echo_build_op(&builder, "func.return", returned, op->n_results, NULL, 0, NULL, 0);
  bool ok = echo_interpret(ctx, module, alone, tensors, reads->n, results, op->n_results);
  echo_op_erase(alone);
  echo_map_destroy(&values);
  return ok;
}

static EchoTensor *magnitudes(const EchoTensor *tensor, double least, double most)
{
  EchoTensor *copy = echo_tensor_clone(tensor);
  for (int64_t i = 0; i < copy->n_elements && echo_element_is_float(copy->kind); i++)
    echo_tensor_set_f64(copy, i, fmin(fmax(fabs(echo_tensor_get_f64(copy, i)), least), most));
  return copy;
}

/* How far results may be from what the interpreter says: for sums the number of terms times half a
 * unit of the sum of magnitudes, which holds for every order of summation. */
typedef struct Bound {
  BoundKind kind;
  double ulps, terms;
  EchoTensor *magnitude;  /* of sums */
  EchoTensor *high, *low; /* of products: what no order of some of the factors comes above, below */
} Bound;

/* Distance of two neighbours at `magnitude`. */
static double ulp_at(EchoElementKind kind, double magnitude)
{
  int exponent = 0;
  if (magnitude != 0)
    frexp(magnitude, &exponent);
  double ulp = magnitude != 0 ? ldexp(1, exponent - (int)digits_of(kind)) : 0;
  return fmax(ulp, smallest(kind));
}

static bool is_within(const Bound *bound, EchoElementKind kind, int64_t i, double got, double want)
{
  if (isnan(got) && isnan(want))
    return true;
  if (bound->kind == EXACT)
    return got == want && signbit(got) == signbit(want);
  if (bound->kind == SUM) {
    double magnitude = echo_tensor_get_f64(bound->magnitude, i);
    if (!(magnitude < largest(kind) / 4)) /* some orders of the sum overflow */
      return true;
    if (bound->high != NULL && (!(echo_tensor_get_f64(bound->high, i) < largest(kind) / 4) ||
                                !(echo_tensor_get_f64(bound->low, i) > 1 / largest(kind))))
      return true; /* on the way to a product */
    double unit = ldexp(1, -(int)digits_of(kind));
    double limit = bound->terms * (unit * magnitude * 1.0625 + smallest(kind));
    return fabs(got - want) <= limit;
  }
  if (got == want)
    return true;
  if (isinf(got) || isinf(want)) /* one step beyond the largest number */
    return fmin(fabs(got), fabs(want)) >=
           largest(kind) * (1 - ldexp(bound->ulps, 1 - (int)digits_of(kind)));
  return fabs(got - want) <= bound->ulps * ulp_at(kind, fmax(fabs(got), fabs(want)));
}

static bool agree(const Bound *bound, const EchoTensor *got, const EchoTensor *want,
                  EchoBuffer *error)
{
  for (int64_t i = 0; i < got->n_elements; i++) {
    bool is_float = echo_element_is_float(got->kind);
    double a = is_float ? echo_tensor_get_f64(got, i) : (double)echo_tensor_get_i64(got, i);
    double b = is_float ? echo_tensor_get_f64(want, i) : (double)echo_tensor_get_i64(want, i);
    bool fine = is_float ? is_within(bound, got->kind, i, a, b)
                         : echo_tensor_get_i64(got, i) == echo_tensor_get_i64(want, i);
    if (!fine) {
      echo_buffer_printf(error, "element %lld: compiled %a (%.9g), interpreted %a (%.9g)\n",
                         (long long)i, a, a, b, b);
      return false;
    }
  }
  return true;
}

static bool is_product(const EchoOp *op)
{
  return op->n_regions != 0 &&
         is_named(op->regions[op->n_regions - 1].first->first, "stablehlo.multiply");
}

static bool interpret_magnitudes(EchoContext *ctx, EchoOp *module, EchoOp *op, const Reads *reads,
                                 double least, double most, EchoTensor **result)
{
  EchoTensor *positive[MAX_READS];
  for (size_t i = 0; i < reads->n; i++)
    positive[i] = magnitudes(reads->tensors[i], least, most);
  bool ok = interpret(ctx, module, op, reads, (const EchoTensor *const *)positive, result);
  for (size_t i = 0; i < reads->n; i++)
    echo_tensor_destroy(positive[i]);
  return ok;
}

static bool bound_of(EchoContext *ctx, EchoOp *module, EchoOp *op, const Reads *reads, Bound *bound)
{
  double f32 = 0, f64 = 0;
  *bound = (Bound){.kind = kind_of(op, &f32, &f64)};
  if (bound->kind == ULPS) {
    EchoElementKind kind = echo_type_element_kind(echo_op_result_type(op, 0));
    bound->ulps = kind == ECHO_ELEMENT_F64 ? f64 : kind == ECHO_ELEMENT_F32 ? f32 : 1;
  }
  if (bound->kind != SUM)
    return true;
  bool ok = interpret_magnitudes(ctx, module, op, reads, 0, INFINITY, &bound->magnitude);
  if (ok && is_product(op))
    ok = interpret_magnitudes(ctx, module, op, reads, 1, INFINITY, &bound->high) &&
         interpret_magnitudes(ctx, module, op, reads, 0, 1, &bound->low);
  bound->terms = n_terms(op);
  return ok;
}

static bool check_op(EchoContext *ctx, EchoOp *module, EchoOp *op, const Reads *reads,
                     const EchoMap *tensors, size_t *n_compared, EchoBuffer *error)
{
  EchoTensor *want[MAX_RESULTS] = {0};
  Bound bound;
  bool ok = bound_of(ctx, module, op, reads, &bound);
  if (!ok || bound.kind == NO_BOUND)
    return ok;
  ok = interpret(ctx, module, op, reads, reads->tensors, want);
  for (uint32_t i = 0; i < op->n_results && ok; i++)
    ok = agree(&bound, echo_map_get_ptr(tensors, echo_op_result(op, i)), want[i], error);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_tensor_destroy(want[i]);
  echo_tensor_destroy(bound.magnitude);
  echo_tensor_destroy(bound.high);
  echo_tensor_destroy(bound.low);
  ++*n_compared;
  return ok;
}

/* ---- all of them ---- */

static void keep(EchoMap *tensors, const EchoValue *value, EchoTensor *tensor)
{
  if (echo_map_has(tensors, echo_key(value)))
    echo_tensor_destroy(tensor);
  else
    echo_map_set_ptr(tensors, value, tensor);
}

/* The run's bits under a type of this context. */
static EchoTensor *adopt(const EchoTensor *tensor, const EchoType *type)
{
  EchoTensor *copy = echo_tensor_create(type, false);
  memcpy(copy->data, tensor->data, echo_type_static_bytes(type));
  return copy;
}

/* What each value of main is: inputs, constants, and what the run returned. */
static void collect(EchoMap *tensors, const EchoOp *main, const Run *run)
{
  const EchoBlock *body = echo_op_body(main, 0);
  for (uint32_t i = 0; i < body->n_args; i++)
    keep(tensors, echo_block_arg(body, i), make_input(echo_block_arg(body, i)->type, i));
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    EchoValue *value = echo_op_operand(body->last, i);
    keep(tensors, value, adopt(run->results[i], value->type));
  }
  for (const EchoOp *op = body->first; op != NULL; op = op->next)
    if (echo_op_has_trait(op, ECHO_CONSTANT))
      keep(tensors, echo_op_result(op, 0),
           echo_tensor_from_elements(echo_value_constant_or_null(echo_op_result(op, 0))));
}

/* Whether all that the op reads and returns is known; a barrier's results are not. */
static bool find_tensors(const EchoMap *tensors, const EchoOp *op, Reads *reads)
{
  bool all = true;
  for (size_t i = 0; i < reads->n && all; i++) {
    reads->tensors[i] = echo_map_get_ptr(tensors, reads->values[i]);
    all = reads->tensors[i] != NULL;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    all &= echo_map_has(tensors, echo_key(echo_op_result(op, i)));
  return all;
}

bool check_ops(EchoStr text, const Run *run, size_t *n_compared, EchoBuffer *error)
{
  EchoContext *ctx = create_context(error);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("everything"), text);
  ECHO_CHECK(module != NULL, "what was printed does not parse");
  EchoOp *main = find_main(module);
  EchoMap tensors = {0};
  collect(&tensors, main, run);
  bool ok = true;
  for (EchoOp *op = echo_op_body(main, 0)->first; op != NULL && ok; op = op->next) {
    Reads reads;
    if (!is_computed(op))
      continue;
    find_reads(op, &reads);
    if (!find_tensors(&tensors, op, &reads))
      continue;
    ok = check_op(ctx, module, op, &reads, &tensors, n_compared, error);
    if (!ok)
      echo_print_op(op, NULL, error);
  }
  EchoMapEntry entry;
  for (size_t cursor = 0; echo_map_next(&tensors, &cursor, &entry);)
    echo_tensor_destroy((EchoTensor *)(uintptr_t)entry.value);
  echo_map_destroy(&tensors);
  echo_context_flush_diagnostics(ctx);
  echo_context_destroy(ctx);
  return ok;
}

bool same_bits(const EchoTensor *a, const EchoTensor *b, int64_t *where)
{
  size_t bytes = echo_type_element_bytes(a->type);
  for (int64_t i = 0; i < a->n_elements; i++) {
    if (memcmp((const char *)a->data + (size_t)i * bytes, (const char *)b->data + (size_t)i * bytes,
               bytes) == 0)
      continue;
    if (echo_element_is_float(a->kind) && isnan(echo_tensor_get_f64(a, i)) &&
        isnan(echo_tensor_get_f64(b, i)))
      continue;
    *where = i;
    return false;
  }
  return true;
}
