/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The op table. An op is one row: name, operands, results, attributes, regions, traits and hooks.
 * The verifier, parser, printer, documentation and coverage test all read the row; passes read
 * traits and hooks and never list op names. */
#ifndef ECHO_IR_TABLE_OP_INFO_H
#define ECHO_IR_TABLE_OP_INFO_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- traits: bits of EchoOpInfo.traits ---- */
#define ECHO_PURE (UINT64_C(1) << 0) /* no effects, speculatable: may be moved, cloned, erased */
#define ECHO_TERMINATOR (UINT64_C(1) << 1)     /* ends a block */
#define ECHO_ISOLATED (UINT64_C(1) << 2)       /* regions see no values from above */
#define ECHO_SYMBOL (UINT64_C(1) << 3)         /* has sym_name */
#define ECHO_SYMBOL_TABLE (UINT64_C(1) << 4)   /* its region's symbols are looked up here */
#define ECHO_COMMUTATIVE (UINT64_C(1) << 5)    /* of its two operands */
#define ECHO_ELEMENTWISE (UINT64_C(1) << 6)    /* result element i is of operand elements i only */
#define ECHO_SAME_TYPE (UINT64_C(1) << 7)      /* all operands and results have one type */
#define ECHO_SAME_SHAPE (UINT64_C(1) << 8)     /* all shaped operands and results have one shape */
#define ECHO_SINGLE_BLOCK (UINT64_C(1) << 9)   /* each region has at most one block */
#define ECHO_NO_TERMINATOR (UINT64_C(1) << 10) /* its blocks need none (builtin.module) */
#define ECHO_CONSTANT (UINT64_C(1) << 11)      /* no operands; value in attribute "value" */
#define ECHO_BARRIER (UINT64_C(1) << 12)       /* result i is operand i; a wall for all motion */
#define ECHO_HEAVY (UINT64_C(1) << 13)         /* contraction or convolution: compute-bound */
#define ECHO_MOVEMENT (UINT64_C(1) << 14)      /* result elements are operand elements */
#define ECHO_REDUCTION (UINT64_C(1) << 15)     /* combines many elements into one */
#define ECHO_GRAPH_REGION (UINT64_C(1) << 16)  /* regions without SSA dominance */
#define ECHO_SIDE_EFFECTS (UINT64_C(1) << 17)  /* writes memory or acts on the world; never dead */
#define ECHO_EXACT (UINT64_C(1) << 18)       /* evaluate is correctly rounded: folds may call it */
#define ECHO_RETURN_LIKE (UINT64_C(1) << 19) /* passes its operands to the parent's results */
#define ECHO_RECURSIVE_EFFECTS (UINT64_C(1) << 20) /* as pure as what its regions hold */
#define ECHO_READS_MEMORY (UINT64_C(1) << 21) /* erasable when unused, not moved across writes */
#define ECHO_ALLOCATES (UINT64_C(1) << 22)    /* result is fresh memory */
#define ECHO_CALL (UINT64_C(1) << 23)         /* attribute "callee" names a function */
#define ECHO_FUNCTION (UINT64_C(1) << 24)   /* attribute function_type; entry arguments = inputs */
#define ECHO_IDEMPOTENT (UINT64_C(1) << 25) /* f(f(x)) = f(x); of two operands, f(x, x) = x */
#define ECHO_INVOLUTION (UINT64_C(1) << 26) /* f(f(x)) = x */
#define ECHO_LOOP (UINT64_C(1) << 27)       /* a region may run more than once */
#define ECHO_DEFAULT_DIALECT (UINT64_C(1) << 28) /* ops inside may leave its name out */
#define ECHO_UPDATES (UINT64_C(1) << 29) /* result 0 is operand 0 but for the places it writes */
/* Bits 40 to 47 are the planned program's: dialects/plan/plan.h. */
#define ECHO_UNREGISTERED (UINT64_C(1) << 63) /* no row of its own: everything is kept verbatim */

/* ---- hooks' small types ---- */

/* What an op costs to run once; all counts are per execution, exact for static shapes. */
typedef struct EchoCost {
  double flops;                     /* adds, multiplies, compares … */
  double transcendentals;           /* exp, log, tanh … each counted once */
  double bytes_read, bytes_written; /* operands and results, if each went to memory once */
  double link_calls, link_bytes;    /* collectives, and what this device sends in them */
  bool is_beside;                   /* it runs beside others, until its results are read */
  /* Of a contraction, a convolution, a window or a sort: results that lie side by side for the
   * lanes of a vector. 0: not said. */
  double n_side_by_side;
  /* Of a convolution: whether each of those has a factor of its own, where else they share one. */
  bool has_own_factors;
} EchoCost;

/* What a fold may answer, result by result: an existing value, or a constant attribute. */
typedef struct EchoFoldResult {
  EchoValue *value;     /* or NULL */
  const EchoAttr *attr; /* or NULL */
} EchoFoldResult;

/* operands[i] = the constant attribute of operand i, or NULL. Returns true when it filled all
 * n_results of `results` (or changed the op in place, leaving them empty). */
typedef bool EchoFoldFn(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results);
typedef bool EchoVerifyFn(const EchoOp *op); /* emits errors; false when there was one */
/* Result types from operands and attributes; regions are present. state->result_types is not set
 * yet. Fills `types` (capacity *n_types; sets *n_types). Errors go to `loc`. */
typedef bool EchoInferFn(const EchoOpState *state, const EchoRegion *regions,
                         const EchoType **types, size_t *n_types);
typedef void EchoCostFn(const EchoOp *op, EchoCost *cost);
typedef bool
EchoParseFn(EchoAsmParser *parser); /* pretty form, after the op's name; see ir/text/asm.h */
typedef void EchoPrintFn(EchoAsmPrinter *printer, const EchoOp *op);
/* Names that an op suggests for its results and its regions' arguments in the pretty form (never in
 * the generic one): calls name(user, value, "cst") for each; the printer makes them unique
 * ("cst_0"). A named result starts a new result group, so that all named, they print as "%values,
 * %indices = ". */
typedef void EchoNameValueFn(void *user, const EchoValue *value, const char *name);
typedef void EchoNameValuesFn(const EchoOp *op, EchoNameValueFn *name, void *user);

/* Interfaces declared above ir/: see dialects/interfaces/. */
typedef struct EchoEvaluator EchoEvaluator;
typedef struct EchoGradient EchoGradient;
typedef struct EchoElementEmitter EchoElementEmitter;
/* Computes all results of `op` from its operands' tensors. results[i] are empty tensors to create.
 */
typedef bool EchoEvaluateFn(EchoEvaluator *evaluator, const EchoOp *op,
                            const EchoTensor *const *operands, EchoTensor **results);
/* Adds to the operands' gradients what flows back through `op`. */
typedef bool EchoDifferentiateFn(EchoGradient *gradient, EchoOp *op);
/* Emits the scalar computation of one element of result `result` at `indices`. */
typedef EchoValue *EchoEmitElementFn(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                     EchoValue *const *indices);

/* ---- the row ---- */

/* Legend of the texts:
 *   operands, results   "lhs: tensor, inits: tensor*": comma-separated "name: constraint[?|*]";
 *                       ? = optional, * = variadic. More than one optional or variadic needs
 *                       operandSegmentSizes (in `attrs`).
 *   attrs               "dimension: i64, algorithm: any?": "name: constraint[?]"; these are the
 *                       inherent ones (properties). "flags: any? = #arith.overflow<none>" has a
 *                       default, a dialect's attribute, which the parser and the builder write out
 *                       where it is left out.
 *   constraints         for values: any, tensor, tensor<float>, tensor<int>, tensor<pred>,
 *                       tensor<complex>, memref, vector, index, int, float, i1, i32, i64, and what
 *                       a dialect registers;
 *                       for attributes: any, unit, bool, i32, i64, index, int, float, string,
 *                       symbol, type, array, dict, elements, array<i64>, array<i32>, array<i1>,
 *                       affine_map, and what a dialect registers.
 *   n_regions           exact count, or ECHO_VARIADIC. */
#define ECHO_VARIADIC (-1)

struct EchoOpInfo {
  const char *name; /* "dialect.op" */
  const char *operands, *results, *attrs;
  int n_regions, n_successors;
  uint64_t traits;
  EchoVerifyFn *verify;
  EchoInferFn *infer;
  EchoFoldFn *fold;
  EchoEvaluateFn *evaluate;
  EchoDifferentiateFn *differentiate;
  EchoEmitElementFn *emit_element;
  EchoCostFn *cost;
  EchoParseFn *parse;
  EchoPrintFn *print;
  const char *summary;           /* one line for the documentation */
  EchoNameValuesFn *name_values; /* NULL = values are numbered */
};

/* The row as the context parsed it; kept beside the row. */
typedef bool EchoTypeConstraintFn(const EchoType *type);
typedef bool EchoAttrConstraintFn(const EchoAttr *attr);

typedef struct EchoValueSpec {
  EchoStr name, constraint_name;
  EchoTypeConstraintFn *constraint;
  bool optional, variadic;
} EchoValueSpec;

typedef struct EchoAttrSpec {
  EchoStr name, constraint_name; /* name interned */
  EchoAttrConstraintFn *constraint;
  bool optional;
  const EchoAttr *initial; /* the default; NULL = none */
} EchoAttrSpec;

typedef struct EchoOpSpec {
  const EchoOpInfo *info;
  const EchoValueSpec *operands, *results;
  const EchoAttrSpec *attrs;
  size_t n_operands, n_results, n_attrs;
  const EchoAttr *defaults; /* dictionary of all that have one; NULL when none has */
} EchoOpSpec;

/* The parsed row of a registered op; NULL for unregistered ones. O(1). */
const EchoOpSpec *echo_context_op_spec_or_null(const EchoContext *ctx, const EchoOpInfo *info);
/* `properties` (NULL = none) with the row's defaults for what they leave out. */
const EchoAttr *echo_op_spec_complete(EchoContext *ctx, const EchoOpSpec *spec,
                                      const EchoAttr *properties);
/* Operands of group `group` (index into the row's operand list): [*begin, *begin + *count). Honours
 * operandSegmentSizes. */
void echo_op_operand_group(const EchoOp *op, size_t group, size_t *begin, size_t *count);

static inline bool echo_op_has_trait(const EchoOp *op, uint64_t traits) /* all of them */
{
  return (op->info->traits & traits) == traits;
}
static inline EchoStr echo_op_name(const EchoOp *op)
{
  return echo_str(op->info->name);
}
bool echo_op_is(const EchoOp *op, const char *name);
/* What stands before the first '.' of a row's name. */
static inline EchoStr echo_op_info_dialect(const EchoOpInfo *info)
{
  EchoStr dialect = {info->name, strcspn(info->name, ".")};
  return dialect;
}
/* Pure, or RECURSIVE_EFFECTS and everything inside is. */
bool echo_op_is_pure(const EchoOp *op);
/* May be erased when its results are unused. */
bool echo_op_is_dead_if_unused(const EchoOp *op);
/* The cost hook, or a default from the bytes of operands and results (flops = result elements). */
void echo_op_cost(const EchoOp *op, EchoCost *cost);
/* The value attribute when `value` is the result of an ECHO_CONSTANT op, else NULL. */
const EchoAttr *echo_value_constant_or_null(const EchoValue *value);

#ifdef __cplusplus
}
#endif

#endif
