#include "ir/liveness.h"

#include "base/vector.h"

/* A value that is live into a block, and the block's last op that uses it (an op's number + 1; 0 =
 * none). */
typedef struct LiveIn {
  EchoValue *value;
  uint32_t number;   /* of the value, in order of definition */
  uint32_t last_use; /* of the block */
} LiveIn;

typedef struct BlockInfo {
  const EchoBlock *block;
  ECHO_VECTOR(uint32_t) predecessors;
  ECHO_VECTOR(LiveIn) in; /* ascending numbers */
  ECHO_VECTOR(EchoValue *) out;
  ECHO_VECTOR(uint32_t) out_numbers; /* of `out`, for searching */
  EchoValue **in_values;             /* of `in`, as an array to hand out */
} BlockInfo;

typedef struct ValueInfo {
  EchoValue *value;
  uint32_t block;    /* where it is defined */
  uint32_t def;      /* op number + 1; 0 = block argument */
  uint32_t last_use; /* in that block: op number + 1; 0 = none */
} ValueInfo;

struct EchoLiveness {
  EchoMap op_numbers, block_numbers, value_numbers; /* in pre-order */
  ECHO_VECTOR(EchoOp *) ops;
  ECHO_VECTOR(BlockInfo) blocks;
  ECHO_VECTOR(ValueInfo) values;
  ECHO_VECTOR(uint32_t) worklist; /* blocks */
  EchoValue **dying;              /* those of op i: [dying_begin[i], dying_begin[i + 1]) */
  size_t *dying_begin;
};

#define MISSING UINT32_MAX

static uint32_t number_in(const EchoMap *numbers, const void *object)
{
  return (uint32_t)echo_map_get_or(numbers, echo_key(object), MISSING);
}

/* ---- numbering ---- */

static void add_value(EchoLiveness *live, EchoValue *value, uint32_t block, uint32_t def)
{
  echo_map_set(&live->value_numbers, echo_key(value), live->values.size);
  echo_vector_push(&live->values, (ValueInfo){value, block, def, 0});
}

static void add_block(EchoLiveness *live, const EchoBlock *block)
{
  uint32_t number = (uint32_t)live->blocks.size;
  echo_map_set(&live->block_numbers, echo_key(block), number);
  echo_vector_push(&live->blocks, (BlockInfo){.block = block});
  for (uint32_t i = 0; i < block->n_args; ++i)
    add_value(live, echo_block_arg(block, i), number, 0);
}

/* Numbers all that lies inside `root`, definitions of enclosing ops first. */
static void number_all(EchoLiveness *live, EchoOp *root)
{
  for (EchoOp *op = echo_op_walk_next(root, root); op != NULL; op = echo_op_walk_next(root, op)) {
    if (op == op->block->first)
      add_block(live, op->block);
    uint32_t block = number_in(&live->block_numbers, op->block);
    echo_map_set(&live->op_numbers, echo_key(op), live->ops.size);
    echo_vector_push(&live->ops, op);
    for (uint32_t i = 0; i < op->n_results; ++i)
      add_value(live, echo_op_result(op, i), block, (uint32_t)live->ops.size);
  }
}

static void link_predecessors(EchoLiveness *live)
{
  for (uint32_t from = 0; from < live->blocks.size; ++from) {
    const EchoOp *last = live->blocks.data[from].block->last;
    for (uint32_t i = 0; i < last->n_successors; ++i) {
      uint32_t to = number_in(&live->block_numbers, echo_op_successors(last)[i]);
      if (to != MISSING)
        echo_vector_push(&live->blocks.data[to].predecessors, from);
    }
  }
}

/* ---- the sets ---- */

/* Values are handled one after the other, so a set that has the value has it last. */
static bool is_last_in(const BlockInfo *block, uint32_t number)
{
  return block->in.size != 0 && echo_vector_last(&block->in).number == number;
}

static void add_live_out(BlockInfo *block, EchoValue *value, uint32_t number)
{
  if (block->out_numbers.size != 0 && echo_vector_last(&block->out_numbers) == number)
    return;
  echo_vector_push(&block->out, value);
  echo_vector_push(&block->out_numbers, number);
}

/* Makes the value live into `block` and all blocks between there and its definition (or the
 * region's entry). */
static void flow_up(EchoLiveness *live, uint32_t number, uint32_t block)
{
  const ValueInfo *value = &live->values.data[number];
  LiveIn entry = {value->value, number, 0};
  echo_vector_push(&live->blocks.data[block].in, entry);
  echo_vector_push(&live->worklist, block);
  while (live->worklist.size != 0) {
    const BlockInfo *at = &live->blocks.data[echo_vector_pop(&live->worklist)];
    for (size_t i = 0; i < at->predecessors.size; ++i) {
      uint32_t from = at->predecessors.data[i];
      BlockInfo *predecessor = &live->blocks.data[from];
      add_live_out(predecessor, value->value, number);
      if (from == value->block || is_last_in(predecessor, number))
        continue;
      echo_vector_push(&predecessor->in, entry);
      echo_vector_push(&live->worklist, from);
    }
  }
}

static void note_last_use(uint32_t *last_use, uint32_t op)
{
  if (op + 1 > *last_use)
    *last_use = op + 1;
}

/* A use by `user`, at every level of nesting from there up to the value's own region. */
static void add_use(EchoLiveness *live, uint32_t number, const EchoOp *user)
{
  ValueInfo *value = &live->values.data[number];
  const EchoBlock *home = live->blocks.data[value->block].block;
  for (const EchoOp *op = user; op != NULL; op = echo_op_parent(op)) {
    uint32_t op_number = number_in(&live->op_numbers, op);
    if (op->block == home) {
      note_last_use(&value->last_use, op_number);
      return;
    }
    uint32_t block = number_in(&live->block_numbers, op->block);
    ECHO_CHECK_OP(block != MISSING, op, "a use outside of what liveness was computed for");
    BlockInfo *info = &live->blocks.data[block];
    bool known = is_last_in(info, number);
    if (!known)
      flow_up(live, number, block);
    note_last_use(&echo_vector_last(&info->in).last_use, op_number);
    if (known || op->block->region == home->region)
      return; /* what encloses a known block has been told */
  }
}

static void add_uses(EchoLiveness *live)
{
  for (uint32_t i = 0; i < live->values.size; ++i)
    for (const EchoUse *use = live->values.data[i].value->first_use; use != NULL; use = use->next)
      add_use(live, i, use->owner);
}

/* ---- deaths ---- */

static bool has_number(const uint32_t *numbers, size_t n, uint32_t number)
{
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (numbers[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && numbers[low] == number;
}

static bool is_out(const BlockInfo *block, uint32_t number)
{
  return has_number(block->out_numbers.data, block->out_numbers.size, number);
}

typedef struct Death {
  uint32_t op, value;
} Death;

typedef ECHO_VECTOR(Death) Deaths;

/* All deaths, in no order of ops. */
static void collect_deaths(const EchoLiveness *live, Deaths *deaths)
{
  for (uint32_t i = 0; i < live->values.size; ++i) {
    const ValueInfo *value = &live->values.data[i];
    uint32_t at = value->last_use > value->def ? value->last_use : value->def;
    if (at != 0 && !is_out(&live->blocks.data[value->block], i))
      echo_vector_push(deaths, (Death){at - 1, i});
  }
  for (uint32_t b = 0; b < live->blocks.size; ++b) {
    const BlockInfo *block = &live->blocks.data[b];
    for (size_t i = 0; i < block->in.size; ++i) {
      LiveIn in = block->in.data[i];
      uint32_t home = live->values.data[in.number].block;
      if (block->block->region == live->blocks.data[home].block->region && in.last_use != 0 &&
          !is_out(block, in.number))
        echo_vector_push(deaths, (Death){in.last_use - 1, in.number});
    }
  }
}

/* A stable sort by counting: by value, or by op. Fills `begin` (n_keys + 2 zeroes): afterwards
 * those of key k are at [begin[k], begin[k + 1]). */
static void sort_deaths(Deaths *deaths, bool by_op, size_t *begin, size_t n_keys)
{
  Death *sorted = echo_alloc_array(deaths->size, sizeof *sorted);
  for (size_t i = 0; i < deaths->size; ++i)
    begin[(by_op ? deaths->data[i].op : deaths->data[i].value) + 2]++;
  for (size_t i = 2; i < n_keys + 2; ++i)
    begin[i] += begin[i - 1];
  for (size_t i = 0; i < deaths->size; ++i)
    sorted[begin[(by_op ? deaths->data[i].op : deaths->data[i].value) + 1]++] = deaths->data[i];
  if (deaths->size != 0)
    memcpy(deaths->data, sorted, deaths->size * sizeof *sorted);
  echo_free(sorted);
}

static void list_deaths(EchoLiveness *live)
{
  Deaths deaths = {0};
  collect_deaths(live, &deaths);
  size_t *by_value = echo_alloc_zero(live->values.size + 2, sizeof *by_value);
  sort_deaths(&deaths, false, by_value, live->values.size);
  echo_free(by_value);
  live->dying_begin = echo_alloc_zero(live->ops.size + 2, sizeof *live->dying_begin);
  sort_deaths(&deaths, true, live->dying_begin, live->ops.size);
  live->dying = echo_alloc_array(deaths.size, sizeof *live->dying);
  for (size_t i = 0; i < deaths.size; ++i)
    live->dying[i] = live->values.data[deaths.data[i].value].value;
  echo_vector_destroy(&deaths);
}

static void list_live_in(EchoLiveness *live)
{
  for (size_t b = 0; b < live->blocks.size; ++b) {
    BlockInfo *block = &live->blocks.data[b];
    block->in_values = echo_alloc_array(block->in.size, sizeof *block->in_values);
    for (size_t i = 0; i < block->in.size; ++i)
      block->in_values[i] = block->in.data[i].value;
  }
}

/* ---- life ---- */

EchoLiveness *echo_liveness_create(EchoOp *root)
{
  EchoLiveness *live = echo_alloc_zero(1, sizeof *live);
  number_all(live, root);
  ECHO_CHECK(live->ops.size < MISSING - 1 && live->values.size < MISSING,
             "liveness of more than 2^32 ops or values");
  link_predecessors(live);
  add_uses(live);
  list_live_in(live);
  list_deaths(live);
  return live;
}

void echo_liveness_destroy(EchoLiveness *liveness)
{
  if (liveness == NULL)
    return;
  for (size_t b = 0; b < liveness->blocks.size; ++b) {
    BlockInfo *block = &liveness->blocks.data[b];
    echo_vector_destroy(&block->predecessors);
    echo_vector_destroy(&block->in);
    echo_vector_destroy(&block->out);
    echo_vector_destroy(&block->out_numbers);
    echo_free(block->in_values);
  }
  echo_map_destroy(&liveness->op_numbers);
  echo_map_destroy(&liveness->block_numbers);
  echo_map_destroy(&liveness->value_numbers);
  echo_vector_destroy(&liveness->ops);
  echo_vector_destroy(&liveness->blocks);
  echo_vector_destroy(&liveness->values);
  echo_vector_destroy(&liveness->worklist);
  echo_free(liveness->dying);
  echo_free(liveness->dying_begin);
  echo_free(liveness);
}

/* ---- questions ---- */

/* NULL for a block without ops, where nothing is live. */
static const BlockInfo *block_or_null(const EchoLiveness *live, const EchoBlock *block)
{
  uint32_t number = number_in(&live->block_numbers, block);
  return number != MISSING ? &live->blocks.data[number] : NULL;
}

EchoValue *const *echo_liveness_in(const EchoLiveness *liveness, const EchoBlock *block, size_t *n)
{
  const BlockInfo *info = block_or_null(liveness, block);
  *n = info != NULL ? info->in.size : 0;
  return info != NULL ? info->in_values : NULL;
}

EchoValue *const *echo_liveness_out(const EchoLiveness *liveness, const EchoBlock *block, size_t *n)
{
  const BlockInfo *info = block_or_null(liveness, block);
  *n = info != NULL ? info->out.size : 0;
  return info != NULL ? info->out.data : NULL;
}

static const LiveIn *find_in_or_null(const BlockInfo *block, uint32_t number)
{
  size_t low = 0, high = block->in.size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (block->in.data[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < block->in.size && block->in.data[low].number == number;
  return found ? &block->in.data[low] : NULL;
}

bool echo_liveness_is_live_in(const EchoLiveness *liveness, const EchoValue *value,
                              const EchoBlock *block)
{
  const BlockInfo *info = block_or_null(liveness, block);
  return info != NULL && find_in_or_null(info, number_in(&liveness->value_numbers, value)) != NULL;
}

bool echo_liveness_is_live_out(const EchoLiveness *liveness, const EchoValue *value,
                               const EchoBlock *block)
{
  const BlockInfo *info = block_or_null(liveness, block);
  return info != NULL && is_out(info, number_in(&liveness->value_numbers, value));
}

EchoOp *echo_liveness_last_use_or_null(const EchoLiveness *liveness, const EchoValue *value,
                                       const EchoBlock *block)
{
  uint32_t number = number_in(&liveness->value_numbers, value);
  const BlockInfo *info = block_or_null(liveness, block);
  if (number == MISSING || info == NULL)
    return NULL;
  const ValueInfo *known = &liveness->values.data[number];
  uint32_t last_use;
  if (&liveness->blocks.data[known->block] == info) {
    last_use = known->last_use;
  } else {
    const LiveIn *in = find_in_or_null(info, number);
    last_use = in != NULL ? in->last_use : 0;
  }
  return last_use != 0 ? liveness->ops.data[last_use - 1] : NULL;
}

EchoValue *const *echo_liveness_dying(const EchoLiveness *liveness, const EchoOp *op, size_t *n)
{
  uint32_t number = number_in(&liveness->op_numbers, op);
  ECHO_CHECK_OP(number != MISSING, op, "an op that liveness was not computed for");
  size_t begin = liveness->dying_begin[number];
  *n = liveness->dying_begin[number + 1] - begin;
  return liveness->dying + begin;
}
