/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The op on top of the parser's stacks, from its name to its end. */
#include "ir/text/parse/op_t.h"

#include "ir/op_t.h"
#include "ir/text/parse/attribute/loc_t.h"
#include "ir/text/parse/names_t.h"
#include "ir/text/parse/tokens_t.h"

/* ---- op names ---- */

EchoOpName *echo_parser_op_name(EchoAsmParser *p, EchoStr text)
{
  uint64_t hash = text.size;
  for (size_t i = 0; i < text.size; i += 3)
    hash = hash * 31 + (unsigned char)text.data[i];
  EchoOpName **slot = &p->op_name_cache[(hash ^ hash >> 11) % ECHO_OP_NAME_CACHE_SIZE];
  if (*slot != NULL && echo_str_equal((*slot)->text, text))
    return *slot;
  EchoOpName *name = (EchoOpName *)(uintptr_t)echo_string_map_get_or(&p->op_names, text, 0);
  if (name == NULL) {
    name = ECHO_ARENA_NEW(&p->names, EchoOpName);
    EchoStr today = echo_context_todays_name(p->ctx, text);
    *name = (EchoOpName){.text = text, .info = echo_context_op_info_or_null(p->ctx, today)};
    if (name->info == NULL)
      name->info = echo_context_op_info_any(p->ctx, text);
    name->spec = echo_context_op_spec_or_null(p->ctx, name->info);
    echo_string_map_set(&p->op_names, text, (uint64_t)(uintptr_t)name);
  }
  *slot = name;
  return name;
}

bool echo_parser_refuse_former(EchoAsmParser *p, EchoStr op, const char *at)
{
  EchoStr today = echo_context_todays_name(p->ctx, op);
  if (echo_str_equal(today, op))
    return false;
  echo_parser_error_at(p, at, "'%.*s' is read as '%.*s', which there is not", ECHO_STR_ARG(op),
                       ECHO_STR_ARG(today));
  return true;
}

/* ---- the op on top ---- */

EchoStr echo_parser_default_dialect(const EchoAsmParser *p)
{
  return p->ops.size == 0 ? ECHO_STR("builtin") : echo_vector_last(&p->ops).dialect;
}

void echo_parser_push_op(EchoAsmParser *p, EchoOpName *name, const char *start, size_t bindings,
                         EchoStr dialect)
{
  echo_vector_push(&p->ops, (EchoOpFrame){.name = name,
                                          .start = start,
                                          .dialect = dialect,
                                          .bindings = bindings,
                                          .operands = p->operands.size,
                                          .values = p->op_values.size,
                                          .types = p->types.size,
                                          .successors = p->successors.size,
                                          .regions = p->regions.size,
                                          .named = p->named.size});
}

static void pop_op(EchoAsmParser *p)
{
  const EchoOpFrame *frame = &echo_vector_last(&p->ops);
  for (size_t i = frame->regions; i < p->regions.size; i++)
    echo_vector_push(&p->free_regions, p->regions.data[i]);
  p->bindings.size = frame->bindings;
  p->operands.size = frame->operands;
  p->op_values.size = frame->values;
  p->types.size = frame->types;
  p->successors.size = frame->successors;
  p->regions.size = frame->regions;
  p->named.size = frame->named;
  p->ops.size--;
}

static bool is_inherent(const EchoOpSpec *spec, EchoStr name)
{
  for (size_t i = 0; i < spec->n_attrs; i++)
    if (spec->attrs[i].name.data == name.data)
      return true;
  return false;
}

/* What the row calls inherent and stands among the discardable attributes moves to the properties.
 */
static void normalise_attrs(EchoAsmParser *p, const EchoOpSpec *spec, const EchoAttr **properties,
                            const EchoAttr **attrs)
{
  const EchoAttr *given = *attrs;
  size_t n_inherent = 0, n = given->as.dictionary.size;
  const EchoNamedAttr *entries = given->as.dictionary.entries;
  for (size_t i = 0; i < n; i++)
    n_inherent += is_inherent(spec, entries[i].name);
  if (n_inherent == 0)
    return;
  size_t mark = p->named.size;
  for (size_t i = 0; i < n; i++) {
    if (!is_inherent(spec, entries[i].name))
      echo_vector_push(&p->named, entries[i]);
    else
      *properties = echo_dictionary_with(p->ctx, *properties, entries[i].name, entries[i].value);
  }
  *attrs = p->named.size == mark
               ? NULL
               : echo_attr_dictionary(p->ctx, &p->named.data[mark], p->named.size - mark);
  p->named.size = mark;
}

const EchoAttr *echo_parser_complete(EchoAsmParser *p, EchoOpName *name, const EchoAttr *properties)
{
  if (name->spec == NULL || name->spec->defaults == NULL)
    return properties;
  if (name->complete == NULL || name->partial != properties) {
    name->complete = echo_op_spec_complete(p->ctx, name->spec, properties);
    name->partial = properties;
  }
  return name->complete;
}

/* The number of values that the names in front of the op stand for. */
static bool check_bindings(EchoAsmParser *p, const EchoOpFrame *frame, size_t n_results)
{
  size_t n_bound = 0;
  for (size_t i = frame->bindings; i < p->bindings.size; i++)
    n_bound += p->bindings.data[i].count;
  if (n_bound == n_results || n_bound == 0)
    return true;
  const char *at = p->bindings.data[frame->bindings].key.name - 1;
  if (n_results == 0)
    return echo_parser_error_at(p, at, "cannot name an operation with no results");
  return echo_parser_error_at(p, at, "operation defines %zu results but was provided %zu to bind",
                              n_results, n_bound);
}

static bool bind_results(EchoAsmParser *p, const EchoOpFrame *frame, EchoOp *op)
{
  size_t first = 0;
  for (size_t i = frame->bindings; i < p->bindings.size; i++) {
    const EchoBinding *binding = &p->bindings.data[i];
    if (!echo_parser_define(p, &binding->key, &op->results[first], binding->count))
      return false;
    first += binding->count;
  }
  return true;
}

/* Gives what a hook made up the op's location, which may itself not be known yet. */
static void share_loc(EchoAsmParser *p, const EchoOp *op, bool is_deferred)
{
  for (size_t i = 0; i < p->shared_locs.size; i++) {
    *p->shared_locs.data[i] = op->loc;
    if (!is_deferred)
      continue;
    EchoDeferredLoc deferred = echo_vector_last(&p->deferred_locs);
    deferred.target = p->shared_locs.data[i];
    echo_vector_push(&p->deferred_locs, deferred);
  }
  p->shared_locs.size = 0;
}

bool echo_parser_finish_op(EchoAsmParser *p, const EchoType *const *result_types, size_t n_results)
{
  EchoOpFrame frame = echo_vector_last(&p->ops);
  if (!check_bindings(p, &frame, n_results))
    return false;
  size_t n_regions = p->regions.size - frame.regions;
  size_t n_successors = p->successors.size - frame.successors;
  if (n_regions > UINT16_MAX || n_successors > UINT16_MAX)
    return echo_parser_error_at(p, frame.start, "operation has too many %s",
                                n_regions > UINT16_MAX ? "regions" : "successors");
  if (frame.attrs != NULL && frame.name->spec != NULL)
    normalise_attrs(p, frame.name->spec, &frame.properties, &frame.attrs);
  frame.properties = echo_parser_complete(p, frame.name, frame.properties);
  if (frame.name->spec != NULL)
    frame.properties = echo_op_spec_complete(p->ctx, frame.name->spec, frame.properties);
  EchoOpState state = {.ctx = p->ctx,
                       .info = frame.name->info,
                       .loc = echo_parser_loc(p, frame.start),
                       .operands = p->op_values.data + frame.values,
                       .result_types = result_types,
                       .successors = p->successors.data + frame.successors,
                       .properties = frame.properties,
                       .attrs = frame.attrs,
                       .n_operands = (uint32_t)(p->op_values.size - frame.values),
                       .n_results = (uint32_t)n_results,
                       .n_regions = (uint16_t)n_regions,
                       .n_successors = (uint16_t)n_successors};
  EchoOp *op = echo_op_create_unchecked(&state);
  for (size_t i = 0; i < n_regions; i++)
    echo_region_take_blocks(&op->regions[i], p->regions.data[frame.regions + i]);
  EchoRegionFrame *open = &echo_vector_last(&p->open_regions);
  echo_block_append_made(open->block, op);
  size_t n_deferred = p->deferred_locs.size;
  bool fine = bind_results(p, &frame, op) && echo_parser_trailing_loc(p, &op->loc, true);
  share_loc(p, op, p->deferred_locs.size != n_deferred);
  pop_op(p);
  return fine;
}

/* ---- operands ---- */

bool echo_parser_operand_name(EchoAsmParser *p, EchoOperandName *operand)
{
  EchoToken token = p->lexer.token;
  if (ECHO_UNLIKELY(token.kind != ECHO_TOKEN_PERCENT_ID))
    return echo_parser_wrong_token(p, "expected SSA operand");
  operand->key = echo_name_key(&p->lexer, token.start + 1, (size_t)(token.end - token.start - 1));
  operand->number = 0;
  echo_parser_consume(p);
  if (ECHO_UNLIKELY(echo_parser_at(p, ECHO_TOKEN_HASH_ID))) {
    EchoStr digits = echo_parser_text(p);
    uint64_t number;
    if (!echo_str_to_u64((EchoStr){digits.data + 1, digits.size - 1}, &number) ||
        number > UINT32_MAX)
      return echo_parser_error(p, "invalid SSA value result number");
    operand->number = (uint32_t)number;
    echo_parser_consume(p);
  }
  return true;
}

/* ---- regions ---- */

bool echo_parser_open_region(EchoAsmParser *p, bool of_generic_op)
{
  if (!echo_parser_expect(p, '{', "expected '{' to begin a region"))
    return false;
  EchoRegion *region = p->free_regions.size != 0 ? echo_vector_pop(&p->free_regions)
                                                 : ECHO_ARENA_NEW(&p->names, EchoRegion);
  *region = (EchoRegion){0};
  echo_vector_push(&p->regions, region);
  EchoRegionFrame frame = {.region = region, .of_generic_op = of_generic_op};
  const EchoOpInfo *info = echo_vector_last(&p->ops).name->info;
  echo_parser_push_scope(p, (info->traits & ECHO_ISOLATED) != 0, &frame);
  echo_vector_push(&p->open_regions, frame);
  return true;
}

EchoBlock *echo_parser_entry_block(EchoAsmParser *p)
{
  EchoRegionFrame *frame = &echo_vector_last(&p->open_regions);
  frame->block = echo_block_create(p->ctx);
  echo_region_append(frame->region, frame->block);
  return frame->block;
}
