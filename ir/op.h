/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops, values, blocks and regions. An op points to its row in the op table; its results and first
 * operands are allocated with it; operands are nodes of their value's use list. Fields are read
 * anywhere and written only by the functions here: every mutation goes through them, so that use
 * lists, block lists and order stay true. */
#ifndef ECHO_IR_OP_H
#define ECHO_IR_OP_H

#include "base/map.h"
#include "ir/attributes/attribute.h"
#include "ir/diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct EchoValue {
  const EchoType *type;
  EchoUse *first_use;  /* newest first; NULL = unused */
  uint32_t index : 31; /* result or argument number */
  uint32_t is_block_arg : 1;
  uint32_t id; /* stable, unique in the context; decides nothing */
};

/* An argument is its value plus the block it belongs to. */
typedef struct EchoBlockArg {
  EchoValue value; /* first member */
  EchoBlock *block;
  EchoLoc loc;
} EchoBlockArg;

struct EchoUse {
  EchoValue *value;
  EchoUse *next;       /* next use of the same value */
  EchoUse **prev_link; /* what points at this node */
  EchoOp *owner;
};

struct EchoOp {
  EchoOp *prev, *next; /* in the block */
  EchoBlock *block;    /* NULL while detached, and for the top op */
  const EchoOpInfo *info;
  EchoLoc loc;
  const EchoAttr *properties; /* dictionary of inherent attributes, NULL = none: printed as <{…}> */
  const EchoAttr *attrs; /* dictionary of discardable attributes, NULL = none: printed as {…} */
  EchoUse *operands;     /* inside the op, or on their own once grown */
  EchoRegion *regions;   /* n_regions of them, with the op; the successors stand before them */
  uint32_t n_operands, operand_capacity;
  uint32_t n_results;
  uint16_t n_regions, n_successors;
  uint32_t order; /* ascending in the block while block->order_valid */
  uint32_t id;    /* stable, unique in the context; decides nothing */
#ifndef __cplusplus
  EchoValue results[]; /* n_results of them; C++ knows no such member: there, echo_op_result */
#endif
};

struct EchoBlock {
  EchoBlock *prev, *next;
  EchoRegion *region; /* NULL while detached */
  EchoOp *first, *last;
  EchoBlockArg **args;
  uint32_t n_args, arg_capacity;
  bool order_valid;
  uint32_t id;
};

struct EchoRegion {
  EchoBlock *first, *last;
  EchoOp *parent;
};

/* ---- creation ---- */

/* Everything a new op is made of; arrays are borrowed for the call. */
struct EchoOpState {
  EchoContext *ctx;
  const EchoOpInfo *info;
  EchoLoc loc;
  EchoValue *const *operands;
  const EchoType *const *result_types;
  EchoBlock *const *successors;
  const EchoAttr *properties, *attrs; /* dictionaries or NULL */
  uint32_t n_operands, n_results;
  uint16_t n_regions, n_successors; /* regions start empty */
};

/* A detached op. NULL after a misuse (ir/diagnostics.h): a list that is NULL and has a count, a
 * NULL in it, no row, and anything of another context, be it a value, a type, a block, a dictionary
 * or the location; of a location in a buffer only the number of the buffer tells. O(operands +
 * results). */
EchoOp *echo_op_create(const EchoOpState *state);
/* Unlinks from its block, drops its operands and everything inside its regions, and recycles the
 * memory. False after a misuse: a result, or a value inside, is used outside. */
bool echo_op_erase(EchoOp *op);
/* A detached deep copy. Operands are looked up in `values` (EchoValue * -> EchoValue *), falling
 * back to the original; the copies' results and block arguments are added to it. values may be
 * NULL. NULL after a misuse: no op, a value of another context in `values`. */
EchoOp *echo_op_clone(const EchoOp *op, EchoMap *values);
/* The same without regions' contents. */
EchoOp *echo_op_clone_without_regions(const EchoOp *op, EchoMap *values);
EchoContext *echo_op_context(const EchoOp *op);

/* What changes the IR below answers false (NULL) and has done nothing after a misuse
 * (ir/diagnostics.h): a NULL, an index that is not there, what belongs to another context, an op or
 * block that is placed where it cannot be. In a pass these panic. With nothing but NULLs there is
 * nobody to tell. */

/* ---- position ---- */

bool echo_op_insert_before(EchoOp *op, EchoOp *before); /* op is detached, before is not */
bool echo_op_insert_after(EchoOp *op, EchoOp *after);   /* op is detached, after is not */
bool echo_block_append(EchoBlock *block, EchoOp *op);   /* op is detached */
bool echo_block_prepend(EchoBlock *block, EchoOp *op);  /* op is detached */
bool echo_op_unlink(EchoOp *op);                        /* detaches, keeps everything else */
bool echo_op_move_before(EchoOp *op, EchoOp *before);   /* between blocks too */
/* Same block: whether a stands before b. O(1) amortised. */
bool echo_op_is_before(const EchoOp *a, const EchoOp *b);
/* The op whose region holds this op's block; NULL at the top. */
EchoOp *echo_op_parent(const EchoOp *op);
/* The ancestor of `op` (or op itself) that lies directly in `block`; NULL when there is none. */
EchoOp *echo_op_ancestor_in_block(EchoOp *op, const EchoBlock *block);
/* `ancestor` is op, or encloses it. */
bool echo_op_is_ancestor(const EchoOp *ancestor, const EchoOp *op);

/* ---- operands, results, attributes ---- */

static inline EchoValue *echo_op_operand(const EchoOp *op, size_t index)
{
  return op->operands[index].value;
}
static inline EchoValue *echo_op_result(const EchoOp *op, size_t index)
{
  return (EchoValue *)(uintptr_t)(op + 1) + index;
}
static inline const EchoType *echo_op_operand_type(const EchoOp *op, size_t index)
{
  return op->operands[index].value->type;
}
static inline const EchoType *echo_op_result_type(const EchoOp *op, size_t index)
{
  return echo_op_result(op, index)->type;
}
/* n_successors of them. */
static inline EchoBlock **echo_op_successors(const EchoOp *op)
{
  return (EchoBlock **)(void *)op->regions - op->n_successors;
}
bool echo_op_set_operand(EchoOp *op, size_t index, EchoValue *value);
/* Replaces all operands; the count may change. */
bool echo_op_set_operands(EchoOp *op, EchoValue *const *values, size_t n);
bool echo_op_append_operand(EchoOp *op, EchoValue *value);
bool echo_op_erase_operand(EchoOp *op, size_t index);
bool echo_op_set_successor(EchoOp *op, size_t index, EchoBlock *block);
bool echo_value_set_type(EchoValue *value, const EchoType *type);

/* Inherent (properties) first, then discardable; NULL when absent. O(entries). */
const EchoAttr *echo_op_attr_or_null(const EchoOp *op, const char *name);
/* Sets in properties when the row names it as inherent, else among the discardable; value NULL
 * removes. */
bool echo_op_set_attr(EchoOp *op, const char *name, const EchoAttr *value);
bool echo_op_has_attr(const EchoOp *op, const char *name);
/* Value of an integer attribute, or `otherwise` when absent or not an integer. */
int64_t echo_op_attr_i64(const EchoOp *op, const char *name, int64_t otherwise);
/* Value of a string attribute, or an empty string. */
EchoStr echo_op_attr_string(const EchoOp *op, const char *name);

/* ---- values and uses ---- */

EchoOp *echo_value_def_or_null(const EchoValue *value); /* NULL for block arguments */
EchoBlock *echo_value_block(const EchoValue *value);    /* where it is defined */
static inline EchoBlockArg *echo_value_block_arg(const EchoValue *value)
{
  return (EchoBlockArg *)value;
}
static inline bool echo_value_is_unused(const EchoValue *value)
{
  return value->first_use == NULL;
}
static inline bool echo_value_has_one_use(const EchoValue *value)
{
  return value->first_use != NULL && value->first_use->next == NULL;
}
size_t echo_value_n_uses(const EchoValue *value); /* O(uses) */
static inline size_t echo_use_operand_index(const EchoUse *use)
{
  return (size_t)(use - use->owner->operands);
}
EchoLoc echo_value_loc(const EchoValue *value);
/* Every use of `from` becomes a use of `to`. O(uses). */
bool echo_value_replace_all_uses(EchoValue *from, EchoValue *to);
/* Makes one use read another value. */
bool echo_use_set(EchoUse *use, EchoValue *value);

/* ---- blocks and regions ---- */

EchoBlock *echo_block_create(EchoContext *ctx); /* detached, empty */
bool echo_region_append(EchoRegion *region, EchoBlock *block);
bool echo_region_insert_before(EchoRegion *region, EchoBlock *block, EchoBlock *before);
bool echo_block_unlink(EchoBlock *block);
/* Erases its ops (last first) and itself. Its arguments and what its ops define are used inside of
 * it alone, and no block of its region branches to it (checked). */
bool echo_block_erase(EchoBlock *block);
EchoValue *echo_block_add_arg(EchoContext *ctx, EchoBlock *block, const EchoType *type,
                              EchoLoc loc);
bool echo_block_erase_arg(EchoBlock *block, size_t index); /* unused (checked) */
static inline EchoValue *echo_block_arg(const EchoBlock *block, size_t index)
{
  return &block->args[index]->value;
}
EchoOp *echo_block_parent(const EchoBlock *block); /* op that holds it, or NULL */
/* The last op when the row marks it a terminator (or it is unregistered), else NULL. */
EchoOp *echo_block_terminator_or_null(const EchoBlock *block);
/* Moves all blocks of `from` to the end of `to`. */
bool echo_region_take_blocks(EchoRegion *to, EchoRegion *from);
/* Moves ops of [first, end of its block) to the end of `block`, another one. */
bool echo_block_splice(EchoBlock *block, EchoOp *first);
static inline bool echo_region_is_empty(const EchoRegion *region)
{
  return region->first == NULL;
}
/* The only block of region `index` of `op` (checked). */
EchoBlock *echo_op_body(const EchoOp *op, size_t index);

/* ---- walking ---- */

typedef enum EchoWalkResult { ECHO_WALK_CONTINUE, ECHO_WALK_SKIP, ECHO_WALK_STOP } EchoWalkResult;
typedef EchoWalkResult EchoWalkFn(void *user, EchoOp *op);
/* Visits `root` and everything inside, parents first (PRE: SKIP leaves a subtree out) or last; uses
 * no recursion. In post-order the callback may erase the op it is given. Returns false when a
 * callback stopped it. */
bool echo_op_walk_pre(EchoOp *root, EchoWalkFn *fn, void *user);
bool echo_op_walk_post(EchoOp *root, EchoWalkFn *fn, void *user);
/* Stepwise pre-order walk: for (EchoOp *op = root; op; op = echo_op_walk_next(root, op)) … ; visits
 * root first. The current op may gain ops inside it, but must not be erased before stepping. */
EchoOp *echo_op_walk_next(const EchoOp *root, EchoOp *op);
/* Stepwise post-order walk, what stands inside an op before it: for (EchoOp *op =
 * echo_op_post_order_first(root); op != root; op = echo_op_post_order_next(op)) … ; root itself
 * comes last. The ops inside the current one may be reordered before stepping. */
EchoOp *echo_op_post_order_first(EchoOp *root);
EchoOp *echo_op_post_order_next(const EchoOp *op);

/* Debugger's friends: prints the op and its id to stderr; raises SIGTRAP when the op with this id
 * is created. */
void echo_op_dump(const EchoOp *op);
void echo_context_break_on_op(EchoContext *ctx, uint32_t id);

#ifdef __cplusplus
}
#endif

#endif
