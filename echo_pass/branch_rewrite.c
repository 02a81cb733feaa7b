/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Carrying out what two branches come to: what is kept goes through a result of the writer, of
 * which every region has a value of its own; what runs again is built in front of the reader's
 * region; results that nobody reads any more go. */
#include "dialects/stablehlo/build.h"
#include "echo_pass/branch_pair_t.h"
#include "ir/pass/simplify.h"

#include <string.h>

/* What one region of the writer hands on through a result. */
typedef struct Passed {
  EchoValue *value; /* NULL: nothing that anybody reads */
  bool is_kept;     /* for the reader, as it was decided */
} Passed;

/* A result of the writer as it will be. */
typedef struct Slot {
  const EchoType *type;
  Passed *passed; /* by region */
} Slot;

typedef struct Rewriter {
  EchoBranchPair *pair;
  EchoStackChoice *choices; /* by region */
  EchoValue **handed;       /* what was handed on before, [region * n_handed + result] */
  size_t n_regions, n_handed;
  ECHO_VECTOR(Slot) slots; /* the results there were, then new ones */
} Rewriter;

/* ---- what goes through which result ---- */

static void add_slot(Rewriter *rewriter, const EchoType *type)
{
  size_t n = rewriter->n_regions;
  Slot slot = {type, ECHO_ARENA_ARRAY(rewriter->pair->scratch, Passed, n)};
  memset(slot.passed, 0, n * sizeof *slot.passed);
  echo_vector_push(&rewriter->slots, slot);
}

/* Results that others read stay what they are. */
static void begin_slots(Rewriter *rewriter)
{
  EchoBranchPair *pair = rewriter->pair;
  size_t n = rewriter->n_handed = pair->writer->n_results;
  rewriter->handed = ECHO_ARENA_ARRAY(pair->scratch, EchoValue *, rewriter->n_regions * n + 1);
  for (size_t k = 0; k < n; ++k) {
    add_slot(rewriter, echo_op_result_type(pair->writer, k));
    for (size_t r = 0; r < rewriter->n_regions; ++r) {
      EchoValue *value = echo_branch_handed_on(pair, r, k);
      rewriter->handed[r * n + k] = value;
      if (pair->uses[k].is_shared)
        rewriter->slots.data[k].passed[r].value = value;
    }
  }
}

/* The result that the value goes through already; ECHO_NONE without one. */
static uint32_t present_slot(const Rewriter *rewriter, size_t region, const EchoValue *value)
{
  for (uint32_t k = 0; k < rewriter->n_handed; ++k)
    if (rewriter->handed[region * rewriter->n_handed + k] == value)
      return k;
  return ECHO_NONE;
}

/* One of the type through which nothing goes in this region: best one that another region needs. */
static uint32_t free_slot(const Rewriter *rewriter, size_t region, const EchoType *type)
{
  uint32_t found = ECHO_NONE;
  for (uint32_t s = 0; s < rewriter->slots.size; ++s) {
    const Slot *slot = &rewriter->slots.data[s];
    bool is_needed = false;
    for (size_t r = 0; r < rewriter->n_regions; ++r)
      is_needed |= slot->passed[r].value != NULL;
    if (slot->type != type || slot->passed[region].value != NULL)
      continue;
    if (is_needed)
      return s;
    if (found == ECHO_NONE)
      found = s;
  }
  return found;
}

/* What the region makes and keeps goes where it goes already, or, not `present`, through a free
 * result or a new one. */
static void put_kept(Rewriter *rewriter, size_t region, bool present)
{
  const EchoStackChoice *choice = &rewriter->choices[region];
  const EchoGraph *graph = &choice->graph;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    EchoValue *value = (EchoValue *)graph->values.data[v].value;
    uint32_t slot = choice->is_kept[v] ? present_slot(rewriter, region, value) : ECHO_NONE;
    if (!choice->is_kept[v] || (slot != ECHO_NONE) != present)
      continue;
    if (slot == ECHO_NONE)
      slot = free_slot(rewriter, region, value->type);
    if (slot == ECHO_NONE) {
      slot = (uint32_t)rewriter->slots.size;
      add_slot(rewriter, value->type);
    }
    rewriter->slots.data[slot].passed[region] = (Passed){value, true};
  }
}

/* How many reads of the reader are of something else from now on. */
static size_t count_changes(const Rewriter *rewriter)
{
  size_t n = 0;
  for (size_t r = 0; r < rewriter->n_regions; ++r)
    for (size_t k = 0; k < rewriter->n_handed; ++k) {
      const Passed *passed = &rewriter->slots.data[k].passed[r];
      n += echo_branch_reads(rewriter->pair, r, k) &&
           !(passed->is_kept && passed->value == rewriter->handed[r * rewriter->n_handed + k]);
    }
  return n;
}

/* ---- the writer ---- */

/* The branch with results of these types; its own are still there, without regions. */
static EchoOp *rebuild(EchoOp *branch, const EchoType *const *types, uint32_t n)
{
  EchoValue *decider = echo_op_operand(branch, 0);
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = echo_op_context(branch),
                                               .info = branch->info,
                                               .loc = branch->loc,
                                               .operands = &decider,
                                               .result_types = types,
                                               .properties = branch->properties,
                                               .attrs = branch->attrs,
                                               .n_operands = 1,
                                               .n_results = n,
                                               .n_regions = branch->n_regions});
  echo_op_insert_before(made, branch);
  for (size_t r = 0; r < made->n_regions; ++r)
    echo_region_take_blocks(&made->regions[r], &branch->regions[r]);
  return made;
}

/* Where nobody reads what a region hands on, zeros. */
static void hand_on(const Rewriter *rewriter, size_t region)
{
  EchoOp *end = echo_op_body(rewriter->pair->writer, region)->last;
  EchoBuilder builder = echo_builder_before(end);
  builder.attrs = end->attrs;
  for (size_t s = 0; s < rewriter->slots.size; ++s) {
    const Slot *slot = &rewriter->slots.data[s];
    EchoValue *value = slot->passed[region].value;
    if (value == NULL)
      value = echo_hlo_constant_i64(&builder, slot->type, 0);
    if (s < rewriter->n_handed)
      echo_op_set_operand(end, s, value);
    else
      echo_op_append_operand(end, value);
  }
}

static void widen_writer(Rewriter *rewriter)
{
  EchoOp *writer = rewriter->pair->writer;
  size_t n = rewriter->slots.size;
  const EchoType **types = ECHO_ARENA_ARRAY(rewriter->pair->scratch, const EchoType *, n + 1);
  for (size_t s = 0; s < n; ++s)
    types[s] = rewriter->slots.data[s].type;
  for (size_t r = 0; r < rewriter->n_regions; ++r)
    hand_on(rewriter, r);
  EchoOp *made = rebuild(writer, types, (uint32_t)n);
  for (size_t k = 0; k < rewriter->n_handed; ++k)
    echo_value_replace_all_uses(echo_op_result(writer, k), echo_op_result(made, k));
  echo_op_erase(writer);
  rewriter->pair->writer = made;
}

/* Without the results that nobody reads. */
static void narrow_writer(EchoBranchPair *pair)
{
  EchoOp *writer = pair->writer;
  const EchoType **types =
      ECHO_ARENA_ARRAY(pair->scratch, const EchoType *, writer->n_results + 1u);
  uint32_t n = 0;
  for (size_t k = 0; k < writer->n_results; ++k)
    if (!echo_value_is_unused(echo_op_result(writer, k)))
      types[n++] = echo_op_result_type(writer, k);
  for (size_t r = 0; r < writer->n_regions; ++r)
    for (size_t k = writer->n_results; k-- > 0;)
      if (echo_value_is_unused(echo_op_result(writer, k)))
        echo_op_erase_operand(echo_op_body(writer, r)->last, k);
  EchoOp *made = rebuild(writer, types, n);
  n = 0;
  for (size_t k = 0; k < writer->n_results; ++k)
    if (!echo_value_is_unused(echo_op_result(writer, k)))
      echo_value_replace_all_uses(echo_op_result(writer, k), echo_op_result(made, n++));
  echo_op_erase(writer);
  pair->writer = made;
  echo_canonicalize(made, 0);
}

/* ---- the reader ---- */

/* A use of what the writer handed on, in a region of the reader. */
typedef struct Read {
  EchoUse *use;
  EchoValue *handed;
} Read;

/* Values of the writer's region that its results hold for the reader. */
static void know_what_is_there(const Rewriter *rewriter, size_t region, EchoMap *built)
{
  const EchoBranchPair *pair = rewriter->pair;
  const EchoBlock *from = echo_op_body(pair->writer, region);
  for (size_t s = 0; s < rewriter->slots.size; ++s) {
    const Passed *passed = &rewriter->slots.data[s].passed[region];
    if (passed->is_kept ||
        (s < rewriter->n_handed && pair->uses[s].stands && echo_value_block(passed->value) == from))
      echo_map_set_ptr(built, passed->value, echo_op_result(pair->writer, s));
  }
}

static void rewrite_reads(const Rewriter *rewriter, size_t region)
{
  const EchoBranchPair *pair = rewriter->pair;
  EchoBlock *body = echo_op_body(pair->reader, region);
  ECHO_VECTOR(Read) reads = {0};
  for (size_t k = 0; k < rewriter->n_handed; ++k)
    for (EchoUse *use = echo_op_result(pair->writer, k)->first_use; use != NULL; use = use->next)
      if (!pair->uses[k].stands && echo_op_ancestor_in_block(use->owner, body) != NULL)
        echo_vector_push(&reads, (Read){use, rewriter->handed[region * rewriter->n_handed + k]});
  EchoMap built = {0};
  know_what_is_there(rewriter, region, &built);
  echo_stack_choice_build(&rewriter->choices[region], &built, body->first);
  for (size_t i = 0; i < reads.size; ++i) {
    EchoValue *value = echo_map_get_ptr(&built, reads.data[i].handed);
    echo_use_set(reads.data[i].use, value != NULL ? value : reads.data[i].handed);
  }
  echo_map_destroy(&built);
  echo_vector_destroy(&reads);
}

void echo_branch_simplify(EchoOp *branch)
{
  const EchoStr ignored[] = {ECHO_STR("echo.phase"), ECHO_STR("echo.recompute")};
  bool has_control = false;
  for (size_t r = 0; r < branch->n_regions; ++r)
    for (const EchoOp *op = echo_op_body(branch, r)->first; op != NULL; op = op->next)
      has_control |= echo_op_node_kind(op) == ECHO_NODE_CONTROL;
  echo_canonicalize(branch, 0);
  if (!has_control && echo_cse(branch, ignored, sizeof ignored / sizeof ignored[0]) != 0)
    echo_canonicalize(branch, 0);
}

static void carry_out(Rewriter *rewriter)
{
  widen_writer(rewriter);
  for (size_t r = 0; r < rewriter->n_regions; ++r)
    rewrite_reads(rewriter, r);
  narrow_writer(rewriter->pair);
  echo_branch_simplify(rewriter->pair->reader);
}

size_t echo_branch_pair_decide(EchoBranchPair *pair, const EchoDeviceModel *device, double price)
{
  size_t n_regions = pair->writer->n_regions, n_changes;
  EchoArenaMark mark = echo_arena_mark(pair->scratch);
  Rewriter rewriter = {.pair = pair,
                       .choices = ECHO_ARENA_ARRAY(pair->scratch, EchoStackChoice, n_regions),
                       .n_regions = n_regions};
  for (size_t r = 0; r < n_regions; ++r)
    echo_branch_choice_create(&rewriter.choices[r], pair, r, device, price);
  begin_slots(&rewriter);
  for (size_t r = 0; r < n_regions; ++r)
    put_kept(&rewriter, r, true);
  for (size_t r = 0; r < n_regions; ++r)
    put_kept(&rewriter, r, false);
  n_changes = count_changes(&rewriter);
  if (n_changes != 0)
    carry_out(&rewriter);
  for (size_t r = 0; r < n_regions; ++r)
    echo_stack_choice_destroy(&rewriter.choices[r]);
  echo_vector_destroy(&rewriter.slots);
  echo_arena_reset(pair->scratch, mark);
  return n_changes;
}
