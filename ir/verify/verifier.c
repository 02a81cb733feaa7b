/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verifier's order of work; see ir/verify/verifier_t.h for its parts. */
#include "ir/verify/verifier.h"

#include "ir/op_t.h"
#include "ir/symbol_t.h"
#include "ir/text/text.h"
#include "ir/verify/verifier_t.h"

enum { BROKEN_ITSELF = 1, BROKEN_INSIDE = 2 };

/* An end of a region that takes any number of values: its parent's hook looks at their types, and
 * says as much of them at the parent's place. */
static bool ends_with_values(EchoVerifier *verifier, const EchoOp *op)
{
  const EchoRowCheck *row = echo_verifier_row(verifier, op->info);
  return echo_op_has_trait(op, ECHO_TERMINATOR) && op->n_successors == 0 && row->spec != NULL &&
         row->spec->n_operands == 1 && row->spec->operands[0].variadic;
}

/* Of ops around it hooks are kept from what is broken inside, unless they see only values' types.
 */
static void mark_broken(EchoVerifier *verifier, const EchoOp *op, bool has_structure)
{
  echo_map_set(&verifier->broken, echo_key(op), BROKEN_ITSELF);
  if (has_structure && ends_with_values(verifier, op))
    return;
  for (const EchoOp *at = op; at != verifier->root;) {
    at = echo_op_parent(at);
    if (!echo_map_insert(&verifier->broken, echo_key(at), BROKEN_INSIDE))
      return; /* what is around it was marked with it */
  }
}

/* ---- hooks ---- */

/* What a type kept as text means is not known here (a quantized element holds what a constant
 * stores). */
static bool elements_hold(const EchoType *inferred, const EchoType *actual)
{
  return inferred == actual || inferred->kind == ECHO_TYPE_OPAQUE ||
         actual->kind == ECHO_TYPE_OPAQUE;
}

static bool inferred_holds(const EchoContext *ctx, const EchoType *inferred, const EchoType *actual)
{
  if (inferred == actual)
    return true;
  if (!echo_type_is_tensor(inferred) || !echo_type_is_tensor(actual) ||
      !elements_hold(echo_type_element(inferred), echo_type_element(actual)) ||
      echo_type_rank(inferred) != echo_type_rank(actual))
    return false;
  for (uint32_t i = 0; i < echo_type_rank(actual); ++i) {
    int64_t a = echo_type_dim(inferred, i), b = echo_type_dim(actual, i);
    if (a != b && a != ECHO_DYNAMIC && b != ECHO_DYNAMIC)
      return false;
  }
  return echo_type_encodings_agree(ctx, inferred, actual);
}

static void append_types(EchoBuffer *text, const EchoType *const *types, size_t n)
{
  for (size_t i = 0; i < n; ++i) {
    echo_buffer_append_c(text, i == 0 ? "'" : ", '");
    echo_print_type(types[i], text);
    echo_buffer_append_char(text, '\'');
  }
}

static bool inference_error(const EchoOp *op, const EchoType *const *inferred, size_t n_inferred)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "inferred type(s) ");
  append_types(&text, inferred, n_inferred);
  echo_buffer_append_c(&text, " are incompatible with return type(s) of operation ");
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (i != 0)
      echo_buffer_append_c(&text, ", ");
    append_types(&text, &op->results[i].type, 1);
  }
  bool ok = echo_op_error(op, "%s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return ok;
}

static bool check_inferred(EchoVerifier *verifier, const EchoOp *op)
{
  EchoArenaMark mark = echo_arena_mark(&verifier->scratch);
  size_t capacity = (size_t)op->n_operands + op->n_results + 8, n_inferred = capacity;
  EchoValue **operands = ECHO_ARENA_ARRAY(&verifier->scratch, EchoValue *, op->n_operands);
  const EchoType **types = ECHO_ARENA_ARRAY(&verifier->scratch, const EchoType *, capacity);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    operands[i] = echo_op_operand(op, i);
  EchoOpState state = {
      .ctx = verifier->ctx,
      .info = op->info,
      .loc = op->loc,
      .operands = operands,
      .n_operands = op->n_operands,
      .successors = echo_op_successors(op),
      .n_successors = op->n_successors,
      .n_regions = op->n_regions,
      .properties = op->properties,
      .attrs = op->attrs,
  };
  bool ok = op->info->infer(&state, op->regions, types, &n_inferred);
  if (ok) {
    bool holds = n_inferred == op->n_results;
    for (uint32_t i = 0; holds && i < op->n_results; ++i)
      holds = inferred_holds(verifier->ctx, types[i], op->results[i].type);
    ok = holds || inference_error(op, types, n_inferred);
  }
  echo_arena_reset(&verifier->scratch, mark);
  return ok;
}

static const EchoDialect *checking_dialect_or_null(const EchoContext *ctx, EchoStr attr_name)
{
  const char *dot = memchr(attr_name.data, '.', attr_name.size);
  if (dot == NULL)
    return NULL;
  EchoStr name = {attr_name.data, (size_t)(dot - attr_name.data)};
  const EchoDialect *dialect = echo_context_dialect_or_null(ctx, name);
  return dialect != NULL && dialect->verify_op_attr != NULL ? dialect : NULL;
}

static bool has_dialect_checks(EchoVerifier *verifier, const EchoAttr *attrs)
{
  size_t slot = echo_hash_u64(echo_key(attrs)) % ECHO_N_CACHED_ATTRS;
  if (verifier->cached_attrs[slot].attrs == attrs)
    return verifier->cached_attrs[slot].has_dialect_checks;
  bool found = false;
  for (size_t i = 0; i < attrs->as.dictionary.size; ++i)
    found = found ||
            checking_dialect_or_null(verifier->ctx, attrs->as.dictionary.entries[i].name) != NULL;
  verifier->cached_attrs[slot].attrs = attrs;
  verifier->cached_attrs[slot].has_dialect_checks = found;
  return found;
}

static bool check_dialect_attrs(EchoVerifier *verifier, const EchoOp *op)
{
  bool ok = true;
  for (size_t i = 0; i < op->attrs->as.dictionary.size; ++i) {
    const EchoNamedAttr *entry = &op->attrs->as.dictionary.entries[i];
    const EchoDialect *dialect = checking_dialect_or_null(verifier->ctx, entry->name);
    if (dialect != NULL)
      ok = dialect->verify_op_attr(op, entry) && ok;
  }
  return ok;
}

static bool check_hooks(EchoVerifier *verifier, const EchoOp *op)
{
  bool ok = op->attrs == NULL || !has_dialect_checks(verifier, op->attrs) ||
            check_dialect_attrs(verifier, op);
  if (op->info->infer != NULL)
    ok = check_inferred(verifier, op) && ok;
  if (op->info->verify != NULL)
    ok = ok && op->info->verify(op);
  return ok;
}

/* ---- the whole ---- */

static bool may_run_hooks(const EchoVerifier *verifier, const EchoOp *op)
{
  if (ECHO_LIKELY(verifier->broken.n_live == 0))
    return true;
  if (echo_map_has(&verifier->broken, echo_key(op)))
    return false;
  const EchoOp *parent = op != verifier->root ? echo_op_parent(op) : NULL;
  return parent == NULL || echo_map_get_or(&verifier->broken, echo_key(parent), 0) != BROKEN_ITSELF;
}

static bool verify_all(EchoVerifier *verifier)
{
  bool ok = true;
  for (EchoOp *op = verifier->root; op != NULL; op = echo_op_walk_next(verifier->root, op)) {
    bool has_structure = echo_verify_structure(verifier, op);
    if (ECHO_UNLIKELY(!echo_verify_row(verifier, op) || !has_structure)) {
      ok = false;
      mark_broken(verifier, op, has_structure);
    }
  }
  for (EchoOp *op = verifier->root; op != NULL; op = echo_op_walk_next(verifier->root, op)) {
    bool has_hooks = op->info->verify != NULL || op->info->infer != NULL || op->attrs != NULL;
    if (has_hooks && may_run_hooks(verifier, op))
      ok = check_hooks(verifier, op) && ok;
  }
  if (verifier->structure_is_good)
    ok = echo_verify_dominance(verifier) && ok;
  return ok;
}

bool echo_verify(EchoOp *op)
{
  if (op == NULL)
    return false;
  EchoVerifier verifier = {.ctx = echo_op_context(op), .root = op, .structure_is_good = true};
  echo_symbol_tables_begin(verifier.ctx);
  bool ok = verify_all(&verifier);
  echo_symbol_tables_end(verifier.ctx);
  echo_map_destroy(&verifier.rows);
  echo_map_destroy(&verifier.broken);
  echo_arena_destroy(&verifier.scratch);
  return ok;
}
