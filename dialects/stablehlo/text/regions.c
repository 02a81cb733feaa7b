/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pretty forms of reduce and while. reduce with one commutative op whose operands are the
 * region's arguments is written with "applies" and has its region made up when read; every other
 * one has a "reducer" whose arguments stand in pairs (element, accumulator), unlike their order in
 * the block. */
#include "dialects/stablehlo/text/text_t.h"

#include "base/vector.h"
#include "ir/builder.h"

static EchoBuffer *out(EchoAsmPrinter *printer)
{
  return echo_asm_out(printer);
}

/* ---- reduce ---- */

/* Grows in step: operand i and its initial value, or an element argument and its accumulator. */
typedef struct Pair {
  EchoAsmOperand first, second;
  const EchoType *first_type, *second_type;
  EchoLoc first_loc, second_loc;
} Pair;

typedef ECHO_VECTOR(Pair) PairList;

/* "(%a init: %b), (%c init: %d)" */
static bool parse_inputs(EchoAsmParser *parser, PairList *pairs)
{
  do {
    Pair pair = {0};
    if (!echo_asm_try_token(parser, "("))
      return true;
    if (!echo_asm_parse_operand(parser, &pair.first) || !echo_asm_parse_keyword(parser, "init") ||
        !echo_asm_parse_token(parser, ":") || !echo_asm_parse_operand(parser, &pair.second) ||
        !echo_asm_parse_token(parser, ")"))
      return false;
    echo_vector_push(pairs, pair);
  } while (echo_asm_try_token(parser, ","));
  return true;
}

/* "across dimensions = [0] {…} : (types) -> types", operands resolved. *element = of the first
 * input. */
static bool parse_across(EchoAsmParser *parser, const PairList *inputs, const EchoType **element)
{
  EchoDimList dims;
  const EchoType **types, **results;
  size_t n_types, n_results;
  if (!echo_asm_parse_keyword(parser, "across") || !echo_asm_parse_keyword(parser, "dimensions") ||
      !echo_asm_parse_token(parser, "=") || !echo_hlo_parse_int_list(parser, &dims))
    return false;
  echo_asm_add_attr(parser, "dimensions",
                    echo_attr_i64_array(echo_asm_context(parser), dims.dims, dims.size));
  if (!echo_asm_try_attr_dict(parser) || !echo_asm_parse_token(parser, ":"))
    return false;
  EchoLoc loc = echo_asm_loc(parser);
  if (!echo_asm_parse_function_type(parser, &types, &n_types, &results, &n_results))
    return false;
  if (n_types != 2 * inputs->size || n_types == 0)
    return echo_asm_error(parser, loc, "%zu operands present, but expected %zu", 2 * inputs->size,
                          n_types);
  for (size_t i = 0; i < inputs->size; ++i)
    if (!echo_asm_resolve_operand(parser, &inputs->data[i].first, types[i]))
      return false;
  for (size_t i = 0; i < inputs->size; ++i)
    if (!echo_asm_resolve_operand(parser, &inputs->data[i].second, types[inputs->size + i]))
      return false;
  for (size_t i = 0; i < n_results; ++i)
    echo_asm_add_result_type(parser, results[i]);
  *element = echo_type_element(types[0]);
  return true;
}

/* A commutative op of this dialect with two operands, one result and no region. */
static bool is_combiner(const EchoOpInfo *info)
{
  return info != NULL && (info->traits & ECHO_COMMUTATIVE) != 0 && info->n_regions == 0 &&
         echo_str_starts_with(echo_str(info->name), "stablehlo.");
}

static bool parse_applies(EchoAsmParser *parser, const PairList *inputs)
{
  EchoContext *ctx = echo_asm_context(parser);
  EchoLoc loc = echo_asm_loc(parser);
  EchoStr name;
  const EchoType *element;
  if (!echo_asm_parse_any_keyword(parser, &name))
    return false;
  const EchoOpInfo *info = echo_context_op_info_or_null(ctx, echo_context_todays_name(ctx, name));
  if (!is_combiner(info))
    return echo_asm_error(parser, loc,
                          "expected the inner-op to be a commutative binary-op from the stablehlo "
                          "dialect, with zero region, producing single result");
  if (!parse_across(parser, inputs, &element))
    return false;
  const EchoType *type = echo_type_tensor(ctx, NULL, 0, element, NULL);
  EchoLoc op_loc = echo_asm_op_loc(parser);
  EchoBlock *block = echo_asm_add_region_with_block(parser, (const EchoType *[]){type, type},
                                                    (const EchoLoc[]){op_loc, op_loc}, 2);
  EchoBuilder builder = echo_builder_at_end(ctx, block);
  builder.loc = op_loc;
  EchoValue *combined = echo_build_binary(&builder, info->name, echo_block_arg(block, 0),
                                          echo_block_arg(block, 1), type);
  EchoOp *end = echo_build_op(&builder, "stablehlo.return", &combined, 1, NULL, 0, NULL, 0);
  echo_asm_share_loc(parser, &echo_value_def_or_null(combined)->loc);
  echo_asm_share_loc(parser, &end->loc);
  for (size_t i = 0; i < 2; ++i)
    echo_asm_share_loc(parser, &block->args[i]->loc);
  return true;
}

static bool parse_region_arg(EchoAsmParser *parser, EchoAsmOperand *name, const EchoType **type,
                             EchoLoc *loc)
{
  if (!echo_asm_parse_operand(parser, name) || !echo_asm_parse_token(parser, ":") ||
      !echo_asm_parse_type(parser, type))
    return false;
  *loc = name->loc;
  return echo_asm_try_loc(parser, loc);
}

/* "reducer(%a: T, %acc: T) (%b: U, %bcc: U) {…}" */
static bool parse_reducer_region(EchoAsmParser *parser, PairList *pairs)
{
  while (echo_asm_try_token(parser, "(")) {
    Pair pair = {0};
    if (!parse_region_arg(parser, &pair.first, &pair.first_type, &pair.first_loc) ||
        !echo_asm_parse_token(parser, ",") ||
        !parse_region_arg(parser, &pair.second, &pair.second_type, &pair.second_loc) ||
        !echo_asm_parse_token(parser, ")"))
      return false;
    echo_vector_push(pairs, pair);
  }
  size_t n = pairs->size;
  EchoArena *arena = echo_context_arena(echo_asm_context(parser));
  EchoAsmOperand *names = ECHO_ARENA_ARRAY(arena, EchoAsmOperand, 2 * n);
  const EchoType **types = ECHO_ARENA_ARRAY(arena, const EchoType *, 2 * n);
  EchoLoc *locs = ECHO_ARENA_ARRAY(arena, EchoLoc, 2 * n);
  for (size_t i = 0; i < n; ++i) {
    const Pair *pair = &pairs->data[i];
    names[i] = pair->first;
    types[i] = pair->first_type;
    locs[i] = pair->first_loc;
    names[n + i] = pair->second;
    types[n + i] = pair->second_type;
    locs[n + i] = pair->second_loc;
  }
  return echo_asm_parse_region(parser, names, types, locs, 2 * n);
}

bool echo_hlo_parse_reduce(EchoAsmParser *parser)
{
  PairList inputs = {0}, args = {0};
  const EchoType *element;
  bool ok = parse_inputs(parser, &inputs);
  if (ok && echo_asm_try_keyword(parser, "applies"))
    ok = parse_applies(parser, &inputs);
  else
    ok = ok && parse_across(parser, &inputs, &element) &&
         echo_asm_parse_keyword(parser, "reducer") && parse_reducer_region(parser, &args);
  echo_vector_destroy(&inputs);
  echo_vector_destroy(&args);
  return ok;
}

/* The region's one op when "applies" says all of it: commutative, of scalars of the first input's
 * element type, applied to the arguments in order, returned as it is. */
static const EchoOp *applied_op_or_null(const EchoOp *op)
{
  const EchoBlock *block = op->regions[0].first;
  if (block == NULL || block->next != NULL || block->n_args != 2 || op->n_operands != 2)
    return NULL;
  const EchoOp *inner = block->first, *end = inner != NULL ? inner->next : NULL;
  if (end == NULL || end->next != NULL || !is_combiner(inner->info) || inner->n_operands != 2 ||
      inner->n_results != 1 || !echo_op_is(end, "stablehlo.return") || end->n_operands != 1)
    return NULL;
  const EchoType *input = echo_op_operand_type(op, 0), *type = echo_op_result_type(inner, 0);
  if (!echo_type_is_tensor(type) || echo_type_rank(type) != 0 ||
      type->as.shaped.element != input->as.shaped.element || type->as.shaped.encoding != NULL)
    return NULL;
  for (size_t i = 0; i < 2; ++i)
    if (echo_op_operand(inner, i) != echo_block_arg(block, i) ||
        echo_op_operand_type(inner, i) != type)
      return NULL;
  return echo_op_operand(end, 0) == echo_op_result(inner, 0) ? inner : NULL;
}

static void print_region_arg(EchoAsmPrinter *printer, const EchoBlockArg *arg)
{
  echo_asm_print_value(printer, &arg->value);
  echo_buffer_append_c(out(printer), ": ");
  echo_asm_print_type(printer, arg->value.type);
  echo_asm_print_loc(printer, arg->loc);
}

static void print_reducer(EchoAsmPrinter *printer, const EchoOp *op, size_t n)
{
  const EchoBlock *block = op->regions[0].first;
  if (block == NULL || block->n_args != 2 * n)
    return; /* not a valid op: printed for a debugger's eyes only */
  echo_asm_print_newline(printer);
  echo_buffer_append_c(out(printer), " reducer");
  for (size_t i = 0; i < n; ++i) {
    echo_buffer_append_char(out(printer), '(');
    print_region_arg(printer, block->args[i]);
    echo_buffer_append_c(out(printer), ", ");
    print_region_arg(printer, block->args[n + i]);
    echo_buffer_append_c(out(printer), ") ");
  }
  echo_buffer_append_char(out(printer), ' ');
  echo_asm_print_region(printer, &op->regions[0], false, true);
}

void echo_hlo_print_reduce(EchoAsmPrinter *printer, const EchoOp *op)
{
  static const char *const elided[] = {"dimensions", NULL};
  size_t n = op->n_operands / 2;
  const EchoOp *applied = applied_op_or_null(op);
  for (size_t i = 0; i < n; ++i) {
    echo_buffer_append_c(out(printer), i == 0 ? "(" : ", (");
    echo_asm_print_value(printer, echo_op_operand(op, i));
    echo_buffer_append_c(out(printer), " init: ");
    echo_asm_print_value(printer, echo_op_operand(op, n + i));
    echo_buffer_append_char(out(printer), ')');
  }
  if (applied != NULL)
    echo_asm_print(printer, " applies %s", applied->info->name);
  echo_buffer_append_c(out(printer), " across dimensions = ");
  echo_hlo_print_int_list(printer, echo_stablehlo_dims(op, "dimensions"));
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_FUNCTIONAL);
  if (applied == NULL)
    print_reducer(printer, op, n);
}

/* ---- while ---- */

/* "(%arg = %init, …)" */
static bool parse_carried(EchoAsmParser *parser, PairList *pairs)
{
  if (!echo_asm_parse_token(parser, "("))
    return false;
  if (echo_asm_try_token(parser, ")"))
    return true;
  do {
    Pair pair = {0};
    if (!echo_asm_parse_operand(parser, &pair.first) || !echo_asm_parse_token(parser, "=") ||
        !echo_asm_parse_operand(parser, &pair.second))
      return false;
    echo_vector_push(pairs, pair);
  } while (echo_asm_try_token(parser, ","));
  return echo_asm_parse_token(parser, ")");
}

static bool parse_carried_types(EchoAsmParser *parser, const PairList *pairs,
                                const EchoType ***types)
{
  size_t n_types = 0;
  EchoLoc loc = echo_asm_loc(parser);
  if (pairs->size == 0)
    return true;
  if (!echo_asm_parse_token(parser, ":") || !echo_asm_parse_type_list(parser, types, &n_types))
    return false;
  if (n_types != pairs->size)
    return echo_asm_error(parser, loc, "%zu operands present, but expected %zu", pairs->size,
                          n_types);
  for (size_t i = 0; i < n_types; ++i) {
    if (!echo_asm_resolve_operand(parser, &pairs->data[i].second, (*types)[i]))
      return false;
    echo_asm_add_result_type(parser, (*types)[i]);
  }
  return true;
}

static bool parse_loop(EchoAsmParser *parser, PairList *pairs)
{
  const EchoType **types = NULL;
  if (!parse_carried(parser, pairs) || !parse_carried_types(parser, pairs, &types) ||
      !echo_asm_try_attr_dict_with_keyword(parser))
    return false;
  EchoArena *arena = echo_context_arena(echo_asm_context(parser));
  EchoAsmOperand *names = ECHO_ARENA_ARRAY(arena, EchoAsmOperand, pairs->size);
  for (size_t i = 0; i < pairs->size; ++i)
    names[i] = pairs->data[i].first;
  /* Reading a region may overwrite what the type list pointed to. */
  const EchoType **kept = ECHO_ARENA_ARRAY(arena, const EchoType *, pairs->size);
  if (pairs->size != 0)
    memcpy(kept, types, pairs->size * sizeof *kept);
  return echo_asm_parse_keyword(parser, "cond") &&
         echo_asm_parse_region(parser, names, kept, NULL, pairs->size) &&
         echo_asm_parse_keyword(parser, "do") &&
         echo_asm_parse_region(parser, names, kept, NULL, pairs->size);
}

bool echo_hlo_parse_while(EchoAsmParser *parser)
{
  PairList pairs = {0};
  bool ok = parse_loop(parser, &pairs);
  echo_vector_destroy(&pairs);
  return ok;
}

void echo_hlo_print_while(EchoAsmPrinter *printer, const EchoOp *op)
{
  const EchoBlock *body = op->regions[1].first;
  echo_buffer_append_char(out(printer), '(');
  for (size_t i = 0; i < op->n_operands; ++i) {
    if (i != 0)
      echo_buffer_append_c(out(printer), ", ");
    if (body != NULL && i < body->n_args)
      echo_asm_print_value(printer, echo_block_arg(body, i));
    echo_buffer_append_c(out(printer), " = ");
    echo_asm_print_value(printer, echo_op_operand(op, i));
  }
  echo_buffer_append_char(out(printer), ')');
  echo_hlo_print_signature(printer, op, ECHO_HLO_TYPES_OPERANDS);
  echo_asm_print_attr_dict_with_keyword(printer, op, NULL);
  echo_asm_print_newline(printer);
  echo_buffer_append_c(out(printer), "cond ");
  echo_asm_print_region(printer, &op->regions[0], false, true);
  echo_buffer_append_c(out(printer), " do ");
  echo_asm_print_region(printer, &op->regions[1], false, true);
}
