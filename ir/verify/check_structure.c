/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks, terminators, successors and symbol tables. Messages are worded as MLIR words them. */
#include "ir/op_t.h"
#include "ir/symbol.h"
#include "ir/verify/verifier_t.h"

/* ---- blocks ---- */

static bool may_lack_terminator(const EchoOp *op)
{
  return (op->info->traits & (ECHO_NO_TERMINATOR | ECHO_UNREGISTERED)) != 0;
}

static bool check_block_end(const EchoOp *parent, const EchoBlock *block)
{
  if (may_lack_terminator(parent) && block == block->region->first && block->next == NULL)
    return true;
  if (block->last == NULL)
    return echo_error(echo_op_context(parent), parent->loc,
                      "empty block: expect at least a terminator");
  if (echo_block_terminator_or_null(block) != NULL)
    return true;
  return echo_op_error_unnamed(block->last, "block with no terminator, has %s",
                               echo_op_text(block->last));
}

/* The entry must not be branched to: it would have no place for the values that enter the region.
 */
static bool check_entry(const EchoOp *parent, const EchoRegion *region)
{
  if (region->first == region->last &&
      (region->first->last == NULL || region->first->last->n_successors == 0))
    return true;
  for (const EchoBlock *block = region->first; block != NULL; block = block->next) {
    const EchoOp *last = block->last;
    for (uint16_t i = 0; last != NULL && i < last->n_successors; ++i)
      if (echo_op_successors(last)[i] == region->first)
        return echo_error(echo_op_context(parent), parent->loc,
                          "entry block of region may not have predecessors");
  }
  return true;
}

static bool check_regions(const EchoOp *op)
{
  bool ok = true;
  for (uint16_t i = 0; i < op->n_regions; ++i) {
    const EchoRegion *region = &op->regions[i];
    if (region->first == NULL)
      continue;
    if ((op->info->traits & ECHO_SINGLE_BLOCK) != 0 && region->first != region->last)
      ok = echo_op_error(op, "expects region #%u to have 0 or 1 blocks", (unsigned)i);
    ok = check_entry(op, region) && ok;
    for (const EchoBlock *block = region->first; block != NULL; block = block->next)
      ok = check_block_end(op, block) && ok;
  }
  return ok;
}

static bool check_position(const EchoOp *op)
{
  if (op->next == NULL || op->block == NULL)
    return true;
  if ((op->info->traits & ECHO_TERMINATOR) != 0)
    return echo_op_error(op, "must be the last operation in the parent block");
  if (op->n_successors != 0)
    return echo_op_error_unnamed(op,
                                 "operation with block successors must terminate its parent block");
  return true;
}

static bool check_successors(const EchoOp *op)
{
  bool ok = true;
  for (uint16_t i = 0; i < op->n_successors; ++i)
    if (op->block == NULL || echo_op_successors(op)[i]->region != op->block->region)
      ok = echo_op_error(op, "reference to block defined in another region");
  return ok;
}

/* ---- symbols ---- */

/* A missing name, or one that is no string, is for the row to report, when it knows sym_name. */
static bool row_checks_name(const EchoOp *op)
{
  const EchoAttr *name = echo_op_attr_or_null(op, "sym_name");
  if (name != NULL && name->kind == ECHO_ATTR_STRING)
    return false;
  const EchoOpSpec *spec = echo_context_op_spec_or_null(echo_op_context(op), op->info);
  for (size_t i = 0; spec != NULL && i < spec->n_attrs; ++i)
    if (echo_str_is(spec->attrs[i].name, "sym_name"))
      return true;
  return false;
}

static bool check_symbol(const EchoOp *op)
{
  if (echo_symbol_name(op).size == 0)
    return row_checks_name(op) || echo_op_error(op, "requires string attribute 'sym_name'");
  EchoStr visibility = echo_op_attr_string(op, "sym_visibility");
  if (visibility.size != 0 && !echo_str_is(visibility, "public") &&
      !echo_str_is(visibility, "private") && !echo_str_is(visibility, "nested"))
    return echo_op_error(op,
                         "visibility expected to be one of [\"public\", \"private\", \"nested\"], "
                         "but got \"%.*s\"",
                         ECHO_STR_ARG(visibility));
  const EchoOp *parent = echo_op_parent(op);
  if (parent != NULL && (parent->info->traits & (ECHO_SYMBOL_TABLE | ECHO_UNREGISTERED)) == 0)
    return echo_op_error(op, "symbol's parent must have the SymbolTable trait");
  return true;
}

static bool check_symbol_table(const EchoOp *op)
{
  if (op->n_regions != 1)
    return echo_op_error(op, "Operations with a 'SymbolTable' must have exactly one region");
  if (op->regions[0].first != op->regions[0].last)
    return echo_op_error(op, "Operations with a 'SymbolTable' must have exactly one block");
  bool ok = true;
  EchoStringMap names = {0};
  EchoOp *symbol = op->regions[0].first != NULL ? op->regions[0].first->first : NULL;
  for (; symbol != NULL; symbol = symbol->next) {
    EchoStr name = echo_symbol_name(symbol);
    uint64_t earlier;
    if (name.size == 0)
      continue;
    if (echo_string_map_get(&names, name, &earlier)) {
      ok = echo_error(echo_op_context(op), symbol->loc, "redefinition of symbol named '%.*s'",
                      ECHO_STR_ARG(name));
      echo_note(echo_op_context(op), ((const EchoOp *)(uintptr_t)earlier)->loc,
                "see existing symbol definition here");
    } else {
      echo_string_map_set(&names, name, echo_key(symbol));
    }
  }
  echo_string_map_destroy(&names);
  return ok;
}

bool echo_verify_structure(EchoVerifier *verifier, const EchoOp *op)
{
  bool ok = check_position(op);
  if (op->n_successors != 0)
    ok = check_successors(op) && ok;
  if (op->n_regions != 0)
    ok = check_regions(op) && ok;
  verifier->structure_is_good = verifier->structure_is_good && ok;
  if ((op->info->traits & ECHO_SYMBOL) != 0)
    ok = check_symbol(op) && ok;
  if ((op->info->traits & ECHO_SYMBOL_TABLE) != 0)
    ok = check_symbol_table(op) && ok;
  return ok;
}
