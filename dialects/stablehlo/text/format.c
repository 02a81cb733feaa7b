/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads and writes the pretty forms that are described by a table, and the pieces that the other
 * forms share. */
#include "dialects/stablehlo/text/text_t.h"

#include "base/vector.h"

typedef ECHO_VECTOR(EchoAsmOperand) OperandList;

/* ---- lists and words ---- */

bool echo_hlo_parse_int_list(EchoAsmParser *parser, EchoDimList *list)
{
  ECHO_VECTOR(int64_t) ints = {0};
  bool ok = echo_asm_parse_token(parser, "[");
  if (ok && !echo_asm_try_token(parser, "]")) {
    do {
      int64_t value = 0;
      ok = echo_asm_parse_i64(parser, &value);
      echo_vector_push(&ints, value);
    } while (ok && echo_asm_try_token(parser, ","));
    ok = ok && echo_asm_parse_token(parser, "]");
  }
  if (ok) {
    EchoArena *arena = echo_context_arena(echo_asm_context(parser));
    int64_t *kept = ECHO_ARENA_ARRAY(arena, int64_t, ints.size);
    if (ints.size != 0)
      memcpy(kept, ints.data, ints.size * sizeof *kept);
    *list = (EchoDimList){kept, ints.size};
  }
  echo_vector_destroy(&ints);
  return ok;
}

void echo_hlo_print_int_list(EchoAsmPrinter *printer, EchoDimList list)
{
  EchoBuffer *out = echo_asm_out(printer);
  echo_buffer_append_char(out, '[');
  for (size_t i = 0; i < list.size; ++i) {
    if (i != 0)
      echo_buffer_append_c(out, ", ");
    echo_buffer_append_i64(out, list.dims[i]);
  }
  echo_buffer_append_char(out, ']');
}

bool echo_hlo_parse_word(EchoAsmParser *parser, const char *dialect, EchoHloAttrKind kind,
                         const EchoAttr **attr)
{
  EchoLoc loc = echo_asm_loc(parser);
  EchoStr word;
  if (!echo_asm_parse_any_keyword(parser, &word))
    return false;
  int value = echo_hlo_enum_value(kind, word);
  if (value < 0)
    return echo_asm_error(parser, loc, "'%.*s' is not a %s", ECHO_STR_ARG(word),
                          echo_hlo_enum(kind)->mnemonic);
  *attr = echo_hlo_enum_attr(echo_asm_context(parser), dialect, kind, value);
  return true;
}

/* ---- signatures ---- */

static bool resolve_all(EchoAsmParser *parser, const EchoAsmOperand *operands, size_t n,
                        const EchoType *const *types)
{
  for (size_t i = 0; i < n; ++i)
    if (!echo_asm_resolve_operand(parser, &operands[i], types[i]))
      return false;
  return true;
}

static bool check_count(EchoAsmParser *parser, EchoLoc loc, size_t n_operands, size_t n_types)
{
  return n_operands == n_types ||
         echo_asm_error(parser, loc, "%zu operands present, but expected %zu", n_operands, n_types);
}

static bool apply_function_type(EchoAsmParser *parser, EchoLoc loc, const EchoType *type,
                                const EchoAsmOperand *operands, size_t n)
{
  if (!check_count(parser, loc, n, type->as.function.n_inputs))
    return false;
  if (type->as.function.n_results != 1)
    return echo_asm_error(parser, loc, "expected single output");
  echo_asm_add_result_type(parser, type->as.function.results[0]);
  return resolve_all(parser, operands, n, type->as.function.inputs);
}

static bool apply_same(EchoAsmParser *parser, const EchoType *operand_type, const EchoType *result,
                       const EchoAsmOperand *operands, size_t n)
{
  for (size_t i = 0; i < n; ++i)
    if (!echo_asm_resolve_operand(parser, &operands[i], operand_type))
      return false;
  echo_asm_add_result_type(parser, result);
  return true;
}

static bool parse_functional(EchoAsmParser *parser, const EchoAsmOperand *operands, size_t n)
{
  EchoLoc loc = echo_asm_loc(parser);
  const EchoType **inputs, **results;
  size_t n_inputs, n_results;
  if (!echo_asm_parse_function_type(parser, &inputs, &n_inputs, &results, &n_results) ||
      !check_count(parser, loc, n, n_inputs))
    return false;
  for (size_t i = 0; i < n_results; ++i)
    echo_asm_add_result_type(parser, results[i]);
  return resolve_all(parser, operands, n, inputs);
}

/* tensor<…xcomplex<f32>> as tensor<…xf32>. */
static const EchoType *real_type_or_null(EchoContext *ctx, const EchoType *type)
{
  if (!echo_type_is_shaped(type) || type->as.shaped.element->kind != ECHO_TYPE_COMPLEX)
    return NULL;
  return echo_type_with_element(ctx, type, type->as.shaped.element->as.shaped.element);
}

static bool parse_one_type(EchoAsmParser *parser, EchoHloSignature signature,
                           const EchoAsmOperand *operands, size_t n)
{
  EchoLoc loc = echo_asm_loc(parser);
  const EchoType *type;
  if (!echo_asm_parse_type(parser, &type))
    return false;
  if (signature == ECHO_HLO_TYPES_TUPLE) {
    if (type->kind != ECHO_TYPE_TUPLE)
      return echo_asm_error(parser, loc, "expected tuple type");
    echo_asm_add_result_type(parser, type);
    return check_count(parser, loc, n, type->as.tuple.n_elements) &&
           resolve_all(parser, operands, n, type->as.tuple.elements);
  }
  if (type->kind == ECHO_TYPE_FUNCTION)
    return apply_function_type(parser, loc, type, operands, n);
  if (signature == ECHO_HLO_TYPES_SAME)
    return apply_same(parser, type, type, operands, n);
  const EchoType *real = real_type_or_null(echo_asm_context(parser), type);
  if (real == NULL)
    return echo_asm_error(parser, loc, "expected tensor with complex element type");
  return apply_same(parser, real, type, operands, n);
}

static bool parse_select_types(EchoAsmParser *parser, const EchoAsmOperand *operands, size_t n)
{
  EchoLoc loc = echo_asm_loc(parser);
  const EchoType **types;
  size_t n_types;
  if (!echo_asm_parse_type_list(parser, &types, &n_types))
    return false;
  if (n_types == 1 && types[0]->kind == ECHO_TYPE_FUNCTION)
    return apply_function_type(parser, loc, types[0], operands, n);
  if (n_types != 2)
    return echo_asm_error(parser, loc, "expected functional type or list of two types");
  return echo_asm_resolve_operand(parser, &operands[0], types[0]) &&
         apply_same(parser, types[1], types[1], operands + 1, n - 1);
}

static bool parse_type_lists(EchoAsmParser *parser, EchoHloSignature signature,
                             const EchoAsmOperand *operands, size_t n)
{
  EchoLoc loc = echo_asm_loc(parser);
  const EchoType **types;
  size_t n_types;
  if (!echo_asm_parse_type_list(parser, &types, &n_types))
    return false;
  bool are_operands = signature != ECHO_HLO_TYPES_RESULTS;
  if (are_operands &&
      (!check_count(parser, loc, n, n_types) || !resolve_all(parser, operands, n, types)))
    return false;
  /* MHLO leaves out the result's where it is the only operand's. */
  if (signature == ECHO_HLO_TYPES_ARROW && (n_types != 1 || echo_asm_at_token(parser, "->")) &&
      (!echo_asm_parse_token(parser, "->") || !echo_asm_parse_type_list(parser, &types, &n_types)))
    return false;
  for (size_t i = 0; signature != ECHO_HLO_TYPES_OPERANDS && i < n_types; ++i)
    echo_asm_add_result_type(parser, types[i]);
  return true;
}

bool echo_hlo_parse_signature(EchoAsmParser *parser, EchoHloSignature signature,
                              const EchoAsmOperand *operands, size_t n_operands)
{
  if (signature == ECHO_HLO_TYPES_OPERANDS && n_operands == 0)
    return true;
  if (!echo_asm_parse_token(parser, ":"))
    return false;
  switch (signature) {
  case ECHO_HLO_TYPES_FUNCTIONAL:
    return parse_functional(parser, operands, n_operands);
  case ECHO_HLO_TYPES_SAME:
  case ECHO_HLO_TYPES_TUPLE:
  case ECHO_HLO_TYPES_COMPLEX:
    return parse_one_type(parser, signature, operands, n_operands);
  case ECHO_HLO_TYPES_SELECT:
    return parse_select_types(parser, operands, n_operands);
  default:
    return parse_type_lists(parser, signature, operands, n_operands);
  }
}

static bool operands_have_type(const EchoOp *op, size_t begin, const EchoType *type)
{
  for (size_t i = begin; i < op->n_operands; ++i)
    if (echo_op_operand_type(op, i) != type)
      return false;
  return true;
}

/* Whether the short form says everything. */
static bool is_short(const EchoOp *op, EchoHloSignature signature)
{
  const EchoType *result = op->n_results == 1 ? echo_op_result_type(op, 0) : NULL;
  switch (signature) {
  case ECHO_HLO_TYPES_SAME:
    return result != NULL && operands_have_type(op, 0, result);
  case ECHO_HLO_TYPES_SELECT:
    return result != NULL && op->n_operands == 3 && operands_have_type(op, 1, result);
  case ECHO_HLO_TYPES_COMPLEX: {
    const EchoType *real = result != NULL ? real_type_or_null(echo_op_context(op), result) : NULL;
    return real != NULL && operands_have_type(op, 0, real);
  }
  default:
    return true;
  }
}

static void print_operand_types(EchoAsmPrinter *printer, const EchoOp *op)
{
  for (size_t i = 0; i < op->n_operands; ++i) {
    if (i != 0)
      echo_buffer_append_c(echo_asm_out(printer), ", ");
    echo_asm_print_type(printer, echo_op_operand_type(op, i));
  }
}

static void print_result_types(EchoAsmPrinter *printer, const EchoOp *op)
{
  for (size_t i = 0; i < op->n_results; ++i) {
    if (i != 0)
      echo_buffer_append_c(echo_asm_out(printer), ", ");
    echo_asm_print_type(printer, echo_op_result_type(op, i));
  }
}

void echo_hlo_print_signature(EchoAsmPrinter *printer, const EchoOp *op, EchoHloSignature signature)
{
  if (signature == ECHO_HLO_TYPES_OPERANDS && op->n_operands == 0)
    return;
  echo_buffer_append_c(echo_asm_out(printer), " : ");
  if (signature == ECHO_HLO_TYPES_FUNCTIONAL || !is_short(op, signature)) {
    echo_asm_print_functional_type(printer, op);
    return;
  }
  switch (signature) {
  case ECHO_HLO_TYPES_PAIRWISE:
  case ECHO_HLO_TYPES_OPERANDS:
    print_operand_types(printer, op);
    return;
  case ECHO_HLO_TYPES_ARROW:
    print_operand_types(printer, op);
    echo_buffer_append_c(echo_asm_out(printer), " -> ");
    print_result_types(printer, op);
    return;
  case ECHO_HLO_TYPES_SELECT:
    echo_asm_print_type(printer, echo_op_operand_type(op, 0));
    echo_buffer_append_c(echo_asm_out(printer), ", ");
    echo_asm_print_type(printer, echo_op_result_type(op, 0));
    return;
  default:
    print_result_types(printer, op);
    return;
  }
}

/* ---- attributes with their default value are left out ---- */

static bool is_false(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER && attr->as.integer.value == 0;
}
static bool is_one(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER && attr->as.integer.value == 1;
}
static bool is_empty(const EchoAttr *attr)
{
  return (attr->kind == ECHO_ATTR_ARRAY && attr->as.array.size == 0) ||
         (attr->kind == ECHO_ATTR_DICTIONARY && attr->as.dictionary.size == 0);
}
static bool is_default_accuracy(const EchoAttr *attr)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(attr, ECHO_HLO_ATTR_RESULT_ACCURACY);
  return payload != NULL && payload->as.accuracy.mode == ECHO_ACCURACY_DEFAULT &&
         payload->as.accuracy.atol == 0 && payload->as.accuracy.rtol == 0 &&
         payload->as.accuracy.ulps == 0;
}

static const struct {
  const char *name;
  EchoAttrConstraintFn *is_default;
} DEFAULTS[] = {
    {"result_accuracy", is_default_accuracy},
    {"has_side_effect", is_false},
    {"api_version", is_one},
    {"called_computations", is_empty},
    {"output_operand_aliases", is_empty},
    {"composite_attributes", is_empty},
    {"version", is_false},
    {"lower", is_false},
};
enum { N_DEFAULTS = sizeof DEFAULTS / sizeof *DEFAULTS, MAX_ELIDED = 8 };

void echo_hlo_print_attr_dict(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided)
{
  const char *names[MAX_ELIDED + N_DEFAULTS + 1];
  size_t n = 0;
  for (; elided != NULL && elided[n] != NULL; ++n) {
    ECHO_CHECK(n < MAX_ELIDED, "a form leaves out more than %d attributes", (int)MAX_ELIDED);
    names[n] = elided[n];
  }
  for (size_t i = 0; op->properties != NULL && i < N_DEFAULTS; ++i) {
    const EchoAttr *value = echo_dictionary_get_or_null(op->properties, DEFAULTS[i].name);
    if (value != NULL && DEFAULTS[i].is_default(value))
      names[n++] = DEFAULTS[i].name;
  }
  names[n] = NULL;
  echo_asm_print_attr_dict(printer, op, names);
}

/* ---- formats ---- */

/* "%a, %b" and, when something follows, the comma after it (*comma). */
static bool parse_operands(EchoAsmParser *parser, OperandList *operands, bool *comma)
{
  EchoAsmOperand operand;
  *comma = false;
  while (echo_asm_try_operand(parser, &operand)) {
    echo_vector_push(operands, operand);
    *comma = echo_asm_try_token(parser, ",");
    if (!*comma)
      break;
  }
  return true;
}

static bool parse_clause_value(EchoAsmParser *parser, const EchoHloClause *clause,
                               const EchoAttr **attr)
{
  EchoContext *ctx = echo_asm_context(parser);
  EchoDimList list;
  int64_t value;
  EchoStr text;
  switch (clause->kind) {
  case ECHO_HLO_CLAUSE_DIMS:
    if (!echo_hlo_parse_int_list(parser, &list))
      return false;
    *attr = echo_attr_i64_array(ctx, list.dims, list.size);
    return true;
  case ECHO_HLO_CLAUSE_INT:
    if (!echo_asm_parse_i64(parser, &value))
      return false;
    *attr = echo_attr_i64(ctx, value);
    return true;
  case ECHO_HLO_CLAUSE_STRING:
    if (!echo_asm_parse_string(parser, &text))
      return false;
    *attr = echo_attr_string(ctx, text);
    return true;
  case ECHO_HLO_CLAUSE_WORD:
    return echo_hlo_parse_word(parser, "stablehlo", clause->word, attr);
  case ECHO_HLO_CLAUSE_BOOL:
    return echo_asm_parse_attr(parser, echo_type_i1(ctx), attr);
  }
  ECHO_UNREACHABLE("clause kind %d", (int)clause->kind);
}

static bool parse_clauses(EchoAsmParser *parser, const EchoHloFormat *format, bool after_comma)
{
  bool needs_comma = format->n_operands != 0;
  for (const EchoHloClause *clause = format->clauses; clause->keyword != NULL; ++clause) {
    if (needs_comma && !after_comma && !echo_asm_try_token(parser, ",")) {
      if (clause->kind == ECHO_HLO_CLAUSE_BOOL)
        continue;
      return echo_asm_parse_token(parser, ",");
    }
    const EchoAttr *attr;
    if (!echo_asm_parse_keyword(parser, clause->keyword) || !echo_asm_parse_token(parser, "=") ||
        !parse_clause_value(parser, clause, &attr))
      return false;
    echo_asm_add_attr(parser, clause->attr, attr);
    needs_comma = true;
    after_comma = false;
  }
  return !after_comma || echo_asm_error(parser, echo_asm_loc(parser), "expected SSA operand");
}

bool echo_hlo_parse_format(EchoAsmParser *parser, const EchoHloFormat *format)
{
  OperandList operands = {0};
  bool comma = false;
  EchoLoc loc = echo_asm_loc(parser);
  bool ok = format->n_operands == 0 || parse_operands(parser, &operands, &comma);
  if (ok && format->n_operands >= 0 && operands.size != (size_t)format->n_operands)
    ok = echo_asm_error(parser, loc, "expected %d operands, got %zu", format->n_operands,
                        operands.size);
  ok = ok && parse_clauses(parser, format, comma) && echo_asm_try_attr_dict(parser) &&
       echo_hlo_parse_signature(parser, format->signature, operands.data, operands.size);
  echo_vector_destroy(&operands);
  return ok;
}

static void print_clause(EchoAsmPrinter *printer, const EchoOp *op, const EchoHloClause *clause)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, clause->attr);
  echo_asm_print(printer, "%s = ", clause->keyword);
  switch (clause->kind) {
  case ECHO_HLO_CLAUSE_DIMS:
    echo_hlo_print_int_list(printer, echo_stablehlo_dims(op, clause->attr));
    return;
  case ECHO_HLO_CLAUSE_WORD: {
    const EchoHloPayload *payload = echo_hlo_payload_or_null(attr, clause->word);
    echo_buffer_append_c(echo_asm_out(printer),
                         payload != NULL ? echo_hlo_enum(clause->word)->words[payload->as.word]
                                         : "?");
    return;
  }
  default:
    echo_asm_print_attr_without_type(printer, attr);
    return;
  }
}

void echo_hlo_print_format(EchoAsmPrinter *printer, const EchoOp *op, const EchoHloFormat *format)
{
  const char *elided[sizeof format->clauses / sizeof *format->clauses + 1];
  size_t n_elided = 0;
  bool anything = format->n_operands != 0;
  if (anything) {
    echo_buffer_append_char(echo_asm_out(printer), ' ');
    echo_asm_print_operands(printer, op, 0, op->n_operands);
  }
  for (const EchoHloClause *clause = format->clauses; clause->keyword != NULL; ++clause) {
    const EchoAttr *attr = echo_op_attr_or_null(op, clause->attr);
    elided[n_elided++] = clause->attr;
    if (clause->kind == ECHO_HLO_CLAUSE_BOOL && (attr == NULL || is_false(attr)))
      continue;
    echo_buffer_append_c(echo_asm_out(printer), anything ? ", " : " ");
    print_clause(printer, op, clause);
    anything = true;
  }
  elided[n_elided] = NULL;
  echo_hlo_print_attr_dict(printer, op, elided);
  echo_hlo_print_signature(printer, op, format->signature);
}

/* ---- the table ---- */

#define DIMS(text, attr_name)                                                                      \
  {                                                                                                \
    .keyword = text, .attr = attr_name, .kind = ECHO_HLO_CLAUSE_DIMS                               \
  }
#define INT(text, attr_name)                                                                       \
  {                                                                                                \
    .keyword = text, .attr = attr_name, .kind = ECHO_HLO_CLAUSE_INT                                \
  }
#define STRING(text, attr_name)                                                                    \
  {                                                                                                \
    .keyword = text, .attr = attr_name, .kind = ECHO_HLO_CLAUSE_STRING                             \
  }
#define WORD(text, attr_name, word_kind)                                                           \
  {                                                                                                \
    .keyword = text, .attr = attr_name, .kind = ECHO_HLO_CLAUSE_WORD,                              \
    .word = ECHO_HLO_ATTR_##word_kind                                                              \
  }
#define FORMAT ECHO_HLO_DEFINE_FORMAT

FORMAT(unary, 1, ECHO_HLO_TYPES_SAME, {{0}})
FORMAT(binary, 2, ECHO_HLO_TYPES_SAME, {{0}})
FORMAT(ternary, 3, ECHO_HLO_TYPES_SAME, {{0}})
FORMAT(functional, -1, ECHO_HLO_TYPES_FUNCTIONAL, {{0}})
FORMAT(select, 3, ECHO_HLO_TYPES_SELECT, {{0}})
FORMAT(complex, 2, ECHO_HLO_TYPES_COMPLEX, {{0}})
FORMAT(after_all, -1, ECHO_HLO_TYPES_SAME, {{0}})
FORMAT(results, 0, ECHO_HLO_TYPES_RESULTS, {{0}})
FORMAT(return, -1, ECHO_HLO_TYPES_OPERANDS, {{0}})
FORMAT(tuple, -1, ECHO_HLO_TYPES_TUPLE, {{0}})
FORMAT(broadcast, 1, ECHO_HLO_TYPES_FUNCTIONAL, {DIMS("sizes", "broadcast_sizes")})
FORMAT(broadcast_in_dim, 1, ECHO_HLO_TYPES_FUNCTIONAL, {DIMS("dims", "broadcast_dimensions")})
FORMAT(cholesky, 1, ECHO_HLO_TYPES_SAME,
       {{.keyword = "lower", .attr = "lower", .kind = ECHO_HLO_CLAUSE_BOOL}})
FORMAT(concatenate, -1, ECHO_HLO_TYPES_FUNCTIONAL, {INT("dim", "dimension")})
FORMAT(dynamic_broadcast_in_dim, 2, ECHO_HLO_TYPES_FUNCTIONAL,
       {DIMS("dims", "broadcast_dimensions")})
FORMAT(dynamic_iota, 1, ECHO_HLO_TYPES_FUNCTIONAL, {INT("dim", "iota_dimension")})
FORMAT(dynamic_slice, -1, ECHO_HLO_TYPES_FUNCTIONAL, {DIMS("sizes", "slice_sizes")})
FORMAT(einsum, 2, ECHO_HLO_TYPES_FUNCTIONAL, {STRING("config", "einsum_config")})
FORMAT(unary_einsum, 1, ECHO_HLO_TYPES_FUNCTIONAL, {STRING("config", "einsum_config")})
FORMAT(fft, 1, ECHO_HLO_TYPES_FUNCTIONAL,
       {WORD("type", "fft_type", FFT_TYPE), DIMS("length", "fft_length")})
FORMAT(get_dimension_size, 1, ECHO_HLO_TYPES_FUNCTIONAL, {INT("dim", "dimension")})
FORMAT(set_dimension_size, 2, ECHO_HLO_TYPES_FUNCTIONAL, {INT("dim", "dimension")})
FORMAT(iota, 0, ECHO_HLO_TYPES_RESULTS, {INT("dim", "iota_dimension")})
FORMAT(pad, 2, ECHO_HLO_TYPES_FUNCTIONAL,
       {DIMS("low", "edge_padding_low"), DIMS("high", "edge_padding_high"),
        DIMS("interior", "interior_padding")})
FORMAT(reverse, 1, ECHO_HLO_TYPES_SAME, {DIMS("dims", "dimensions")})
FORMAT(rng, 3, ECHO_HLO_TYPES_FUNCTIONAL,
       {WORD("distribution", "rng_distribution", RNG_DISTRIBUTION)})
FORMAT(rng_bit_generator, 1, ECHO_HLO_TYPES_FUNCTIONAL,
       {WORD("algorithm", "rng_algorithm", RNG_ALGORITHM)})
FORMAT(transpose, 1, ECHO_HLO_TYPES_FUNCTIONAL, {DIMS("dims", "permutation")})
