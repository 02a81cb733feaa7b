/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What of Shardy's dialect stands in programs: meshes, sharding constraints, sharding attributes,
 * what one device of many does by hand, and what Shardy's own passes leave (reshards.c). Their
 * attributes are kept as text; nothing here shards anything. */
#include "dialects/dialects.h"
#include "dialects/echo/parts.h"
#include "dialects/interfaces/evaluate.h"
#include "dialects/interfaces/gradient.h"
#include "dialects/sdy/manual_t.h"
#include "dialects/sdy/reshards_t.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/text/text_t.h"

static const char *const DIRECTIONS[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};

bool echo_sdy_parse_stripped(EchoAsmParser *parser, const char *name, const char *mnemonic)
{
  EchoStr body;
  if (!echo_asm_at_token(parser, "<")) {
    const EchoAttr *whole;
    if (!echo_asm_parse_attr(parser, NULL, &whole))
      return false;
    echo_asm_add_attr(parser, name, whole);
    return true;
  }
  if (!echo_asm_parse_balanced(parser, '<', &body))
    return false;
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, mnemonic);
  echo_buffer_append_str(&text, body);
  echo_asm_add_attr(
      parser, name,
      echo_attr_opaque(echo_asm_context(parser), ECHO_STR("sdy"), echo_buffer_str(&text), true));
  echo_buffer_destroy(&text);
  return true;
}

void echo_sdy_print_stripped(EchoAsmPrinter *printer, const EchoOp *op, const char *name)
{
  EchoStr text = echo_op_attr_or_null(op, name)->as.opaque.text;
  const char *body = memchr(text.data, '<', text.size);
  echo_asm_print(printer, "%.*s", (int)(text.size - (size_t)(body - text.data)), body);
}

static bool is_named(const EchoAttr *attr, const char *prefix)
{
  return attr->kind == ECHO_ATTR_OPAQUE && echo_str_is(attr->as.opaque.dialect, "sdy") &&
         echo_str_starts_with(attr->as.opaque.text, prefix);
}
static bool is_mesh(const EchoAttr *attr)
{
  return is_named(attr, "mesh<");
}
static bool is_sharding(const EchoAttr *attr)
{
  return is_named(attr, "sharding<");
}
static bool is_direction(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER && attr->as.integer.value >= 0 &&
         attr->as.integer.value < 4;
}

/* sdy.mesh @name = <["x"=2, "y"=4]> {…} */
static bool parse_mesh(EchoAsmParser *parser)
{
  EchoStr name;
  if (!echo_asm_parse_symbol(parser, &name) || !echo_asm_parse_token(parser, "="))
    return false;
  echo_asm_add_attr(parser, "sym_name", echo_attr_string(echo_asm_context(parser), name));
  return echo_sdy_parse_stripped(parser, "mesh", "mesh") && echo_asm_try_attr_dict(parser);
}

static void print_mesh(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"sym_name", "mesh", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_symbol(printer, echo_op_attr_string(op, "sym_name"));
  echo_asm_print(printer, " = ");
  echo_sdy_print_stripped(printer, op, "mesh");
  echo_asm_print_attr_dict(printer, op, elided);
}

/* sdy.sharding_constraint %input <@mesh, [{"x"}]> {…} : type */
static bool parse_constraint(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  const EchoType *type;
  if (!echo_asm_parse_operand(parser, &operand) ||
      !echo_sdy_parse_stripped(parser, "sharding", "sharding") || !echo_asm_try_attr_dict(parser) ||
      !echo_asm_parse_token(parser, ":") || !echo_asm_parse_type(parser, &type))
    return false;
  echo_asm_add_result_type(parser, type);
  return echo_asm_resolve_operand(parser, &operand, type);
}

static void print_constraint(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"sharding", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, " ");
  echo_sdy_print_stripped(printer, op, "sharding");
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_result_type(op, 0));
}

/* sdy.sharding_group %input group_id=3 {…} : type */
static bool parse_group(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  const EchoType *type;
  int64_t id;
  if (!echo_asm_parse_operand(parser, &operand) || !echo_asm_parse_keyword(parser, "group_id") ||
      !echo_asm_parse_token(parser, "=") || !echo_asm_parse_i64(parser, &id))
    return false;
  echo_asm_add_attr(parser, "group_id", echo_attr_i64(echo_asm_context(parser), id));
  return echo_asm_try_attr_dict(parser) && echo_asm_parse_token(parser, ":") &&
         echo_asm_parse_type(parser, &type) && echo_asm_resolve_operand(parser, &operand, type);
}

static void print_group(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"group_id", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, " group_id=%lld", (long long)echo_op_attr_i64(op, "group_id", 0));
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_operand_type(op, 0));
}

/* sdy.propagation_barrier %input allowed_direction=NONE {…} : type */
static bool parse_barrier(EchoAsmParser *parser)
{
  EchoAsmOperand operand;
  const EchoType *type;
  EchoStr direction;
  if (!echo_asm_parse_operand(parser, &operand) ||
      !echo_asm_parse_keyword(parser, "allowed_direction") || !echo_asm_parse_token(parser, "="))
    return false;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_any_keyword(parser, &direction))
    return false;
  for (int32_t i = 0; i < 4; i++)
    if (echo_str_is(direction, DIRECTIONS[i])) {
      echo_asm_add_attr(parser, "allowed_direction", echo_attr_i32(echo_asm_context(parser), i));
      if (!echo_asm_try_attr_dict(parser) || !echo_asm_parse_token(parser, ":") ||
          !echo_asm_parse_type(parser, &type))
        return false;
      echo_asm_add_result_type(parser, type);
      return echo_asm_resolve_operand(parser, &operand, type);
    }
  return echo_asm_error(parser, loc, "'%.*s' is no direction: NONE, FORWARD, BACKWARD, BOTH",
                        ECHO_STR_ARG(direction));
}

static void print_barrier(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"allowed_direction", NULL};
  echo_asm_print(printer, " ");
  echo_asm_print_operands(printer, op, 0, 1);
  echo_asm_print(printer, " allowed_direction=%s",
                 DIRECTIONS[echo_op_attr_i64(op, "allowed_direction", 0) & 3]);
  echo_asm_print_attr_dict(printer, op, elided);
  echo_asm_print(printer, " : ");
  echo_asm_print_type(printer, echo_op_result_type(op, 0));
}

/* On one device a constraint says nothing; of several it is kept, once it was read. */
static bool fold_constraint(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  (void)operands;
  if (echo_op_has_attr(op, ECHO_READ_SHARDING))
    return false;
  results[0] = (EchoFoldResult){.value = echo_op_operand(op, 0)};
  return true;
}

/* Nothing here goes by what Shardy would. */
static bool fold_barrier(EchoOp *op, const EchoAttr *const *operands, EchoFoldResult *results)
{
  (void)operands;
  results[0] = (EchoFoldResult){.value = echo_op_operand(op, 0)};
  return true;
}

static bool evaluate_constraint(EchoEvaluator *evaluator, const EchoOp *op,
                                const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  (void)op;
  results[0] = echo_tensor_clone(operands[0]);
  return true;
}

static bool differentiate_constraint(EchoGradient *gradient, EchoOp *op)
{
  EchoValue *incoming = echo_gradient_of_or_null(gradient, echo_op_result(op, 0));
  if (incoming != NULL)
    echo_gradient_add(gradient, echo_op_operand(op, 0), incoming);
  return true;
}

static bool is_per_value(const EchoAttr *attr)
{
  return is_named(attr, "sharding_per_value<[");
}
static bool is_axes(const EchoAttr *attr)
{
  return is_named(attr, "manual_axes{");
}
static bool is_axis_list(const EchoAttr *attr)
{
  return is_named(attr, "axis_ref_list{");
}
static bool is_axis_lists(const EchoAttr *attr)
{
  return is_named(attr, "list_of_axis_ref_lists[");
}
static bool is_moved_axes(const EchoAttr *attr)
{
  return is_named(attr, "all_to_all_param_list[");
}

static bool verify_named(const EchoOp *op)
{
  if (!echo_sdy_verify_manual(op))
    return false;
  const EchoBlock *body = op->regions[0].first;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (echo_block_arg(body, i)->type != echo_op_operand_type(op, i))
      return echo_op_error(op, "has operand #%u of another type than its body's argument", i);
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_op_operand_type(body->last, i) != echo_op_result_type(op, i))
      return echo_op_error(op, "has result #%u of another type than what its body returns", i);
  return true;
}

static bool evaluate_named(EchoEvaluator *evaluator, const EchoOp *op,
                           const EchoTensor *const *operands, EchoTensor **results)
{
  return evaluator->run_region(evaluator, &op->regions[0], operands, op->n_operands, results,
                               op->n_results);
}

/* sdy.return %a, %b : types */
static void print_return(EchoAsmPrinter *printer, const EchoOp *op)
{
  echo_asm_print_typed_operands(printer, op);
}

static const EchoAttrConstraint ATTR_CONSTRAINTS[] = {{"mesh", is_mesh},
                                                      {"sharding", is_sharding},
                                                      {"direction", is_direction},
                                                      {"shardings", is_per_value},
                                                      {"axes", is_axes},
                                                      {"axis_list", is_axis_list},
                                                      {"axis_lists", is_axis_lists},
                                                      {"moved_axes", is_moved_axes},
                                                      {NULL, NULL}};

/* A value that comes to lie as `out_sharding` says, by a collective that its name tells: the same
 * value. */
#define RESHARD(op, of, what)                                                                      \
  {                                                                                                \
    .name = "sdy." #op, .operands = "tensor: tensor", .results = "result: tensor",                 \
    .attrs = of "out_sharding: sharding", .traits = ECHO_PURE | ECHO_SAME_TYPE,                    \
    .fold = fold_constraint, .evaluate = evaluate_constraint,                                      \
    .differentiate = differentiate_constraint, .parse = echo_sdy_parse_##op,                       \
    .print = echo_sdy_print_##op, .summary = what                                                  \
  }

/* An edge along which Shardy let shardings go. */
#define EDGE(op, of, what)                                                                         \
  {                                                                                                \
    .name = "sdy." #op, .operands = "input: tensor", .results = "result: tensor", .attrs = of,     \
    .traits = ECHO_PURE | ECHO_SAME_TYPE, .fold = fold_barrier, .evaluate = evaluate_constraint,   \
    .differentiate = differentiate_constraint, .parse = echo_sdy_parse_edge,                       \
    .print = echo_sdy_print_edge, .summary = what                                                  \
  }

static const EchoOpInfo OPS[] = {
    RESHARD(all_gather, "gathering_axes: axis_lists, ", "Parts come together"),
    RESHARD(all_reduce, "reduction_axes: axis_list, ", "Summands come together"),
    RESHARD(all_slice, "slicing_axes: axis_lists, ", "Parts are taken"),
    RESHARD(all_to_all, "params: moved_axes, ",
            "Parts along one dimension for those along another"),
    RESHARD(collective_permute, "", "Parts change places"),
    {.name = "sdy.constant",
     .results = "output: statically shaped tensor",
     .attrs = "value: elements",
     .traits = ECHO_PURE | ECHO_CONSTANT | ECHO_EXACT,
     .infer = echo_hlo_infer_constant,
     .evaluate = echo_hlo_evaluate_constant,
     .parse = echo_hlo_parse_constant,
     .print = echo_hlo_print_constant,
     .summary = "Constant"},
    EDGE(data_flow_edge, "sharding: sharding?", "Where a sharding goes on"),
    EDGE(func_data_flow_edge, NULL, "Where a function's sharding goes on"),
    {.name = "sdy.manual_computation",
     .operands = "operands: any*",
     .results = "results: any*",
     .attrs = "in_shardings: shardings, out_shardings: shardings, manual_axes: axes",
     .n_regions = 1,
     .traits = ECHO_SINGLE_BLOCK | ECHO_SIDE_EFFECTS,
     .verify = echo_sdy_verify_manual,
     .parse = echo_sdy_parse_manual,
     .print = echo_sdy_print_manual,
     .summary = "What each device does with its parts"},
    {.name = "sdy.mesh",
     .attrs = "sym_name: string, mesh: mesh",
     .traits = ECHO_SYMBOL,
     .parse = parse_mesh,
     .print = print_mesh,
     .summary = "Devices by named axes"},
    {.name = "sdy.named_computation",
     .operands = "operands: any*",
     .results = "results: any*",
     .attrs = "name: string, in_shardings: shardings?, out_shardings: shardings?",
     .n_regions = 1,
     .traits = ECHO_SINGLE_BLOCK | ECHO_ISOLATED,
     .verify = verify_named,
     .evaluate = evaluate_named,
     .parse = echo_sdy_parse_named,
     .print = echo_sdy_print_named,
     .summary = "A call that was taken in"},
    {.name = "sdy.propagation_barrier",
     .operands = "input: tensor",
     .results = "result: tensor",
     .attrs = "allowed_direction: direction",
     .traits = ECHO_PURE | ECHO_SAME_TYPE,
     .fold = fold_barrier,
     .evaluate = evaluate_constraint,
     .differentiate = differentiate_constraint,
     .parse = parse_barrier,
     .print = print_barrier,
     .summary = "A value whose sharding goes on one way, or none"},
    RESHARD(reduce_scatter, "reduce_scatter_axes: axis_lists, ", "Summands come together in parts"),
    RESHARD(replicated_to_unreduced, "axes: axis_list, ", "A whole becomes a summand of one"),
    {.name = "sdy.reshard",
     .operands = "input: tensor",
     .results = "result: tensor",
     .attrs = "sharding: sharding",
     .traits = ECHO_PURE | ECHO_SAME_TYPE,
     .fold = fold_constraint,
     .evaluate = evaluate_constraint,
     .differentiate = differentiate_constraint,
     .parse = parse_constraint,
     .print = print_constraint,
     .summary = "How a value comes to lie on the mesh"},
    {.name = "sdy.return",
     .operands = "operands: any*",
     .traits = ECHO_TERMINATOR,
     .parse = echo_asm_parse_typed_operands,
     .print = print_return,
     .summary = "Parts that a device gives"},
    RESHARD(sharded_to_unreduced, "axes: axis_lists, ", "Parts become summands"),
    {.name = "sdy.sharding_constraint",
     .operands = "input: tensor",
     .results = "result: tensor",
     .attrs = "sharding: sharding",
     .traits = ECHO_PURE | ECHO_SAME_TYPE,
     .fold = fold_constraint,
     .evaluate = evaluate_constraint,
     .differentiate = differentiate_constraint,
     .parse = parse_constraint,
     .print = print_constraint,
     .summary = "How a value should lie on the mesh"},
    {.name = "sdy.sharding_group",
     .operands = "input: tensor",
     .attrs = "group_id: i64",
     .traits = ECHO_SIDE_EFFECTS,
     .parse = parse_group,
     .print = print_group,
     .summary = "Values that should lie alike"},
};

const EchoDialect ECHO_SDY_DIALECT = {
    .name = "sdy",
    .summary = "Shardy: meshes, shardings, and what its passes leave",
    .ops = OPS,
    .n_ops = sizeof OPS / sizeof *OPS,
    .attr_constraints = ATTR_CONSTRAINTS,
};
