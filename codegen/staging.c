/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Staging: loops that fill memory of a task's own with zeros, or copy to or from it, and do nothing
 * else. As loops they cost LLVM more than the sums that they serve: it makes vectors of each, a
 * second loop for the rest, and looks for addresses in nests of four. Where the elements lie side
 * by side on both sides, the innermost loop, and what is around it as far as they still do, is one
 * memset or memcpy here, which LLVM writes out where it is short. Only of memory that registers
 * cannot hold: what they can hold is gone once the loops over it are unrolled. */
#include "codegen/emit_t.h"
#include "codegen/target_t.h"
#include "dialects/arith/arith.h"

/* MOST_HELD: bytes in the 32 vector registers of 64 bytes that a processor has at the most. */
enum { MAX_LEVELS = 16, MOST_HELD = 32 * 64 };

/* Loops, the outermost first, each alone in the one before, and what the innermost does. */
typedef struct Nest {
  const EchoOp *loops[MAX_LEVELS];
  size_t n;
  const EchoOp *store, *load; /* load NULL: stores a constant */
} Nest;

const EchoOp *echo_emit_allocation_or_null(const EchoValue *memory)
{
  const EchoOp *def = echo_value_def_or_null(memory);
  while (def != NULL &&
         (echo_op_is(def, "memref.collapse_shape") || echo_op_is(def, "memref.expand_shape")))
    def = echo_value_def_or_null(echo_op_operand(def, 0));
  return def != NULL && echo_op_is(def, "memref.alloca") ? def : NULL;
}

static bool finds_place(const EchoOp *op)
{
  return op->n_results == 1 && op->n_regions == 0 && (op->info->traits & ECHO_PURE) != 0 &&
         echo_op_result_type(op, 0)->kind == ECHO_TYPE_INDEX;
}

/* The op of a block that holds nothing else but what finds places; NULL where there are others. */
static const EchoOp *only_loop_or_null(const EchoBlock *block)
{
  const EchoOp *loop = NULL;
  for (const EchoOp *op = block->first; op != NULL; op = op->next) {
    if (finds_place(op) || echo_op_is(op, "scf.yield"))
      continue;
    if (loop != NULL || !echo_op_is(op, "scf.for"))
      return NULL;
    loop = op;
  }
  return loop;
}

/* Whether the block stores one value, a constant or what it loads, and else finds the places. */
static bool find_accesses(const EchoBlock *block, Nest *nest)
{
  nest->store = nest->load = NULL;
  for (const EchoOp *op = block->first; op != NULL; op = op->next) {
    bool is_store = echo_op_is(op, "memref.store"), is_load = echo_op_is(op, "memref.load");
    if ((is_store && nest->store != NULL) || (is_load && nest->load != NULL))
      return false;
    nest->store = is_store ? op : nest->store;
    nest->load = is_load ? op : nest->load;
    if (!is_store && !is_load && !finds_place(op) && !echo_op_is(op, "scf.yield"))
      return false;
  }
  return nest->store != NULL &&
         (nest->load == NULL || echo_op_operand(nest->store, 0) == echo_op_result(nest->load, 0));
}

/* Memory of the task's own that registers cannot hold. */
static bool is_beyond_registers(const EchoOp *alloca)
{
  const EchoType *type = echo_op_result_type(alloca, 0);
  int64_t n = 0;
  return echo_type_n_elements(type, &n) &&
         n >= MOST_HELD / (int64_t)echo_type_element_bytes(type->as.shaped.element);
}

/* Whether the loop is the outermost of a nest that stages and nothing else; fills *nest. */
static bool find_nest(const EchoOp *loop, Nest *nest)
{
  const EchoOp *next = loop;
  for (nest->n = 0; next != NULL; next = only_loop_or_null(echo_op_body(next, 0))) {
    int64_t step = 0;
    if (nest->n == MAX_LEVELS || next->n_results != 0 ||
        !echo_arith_constant_i64(echo_op_operand(next, 2), &step) || step != 1)
      return false;
    nest->loops[nest->n++] = next;
  }
  if (!find_accesses(echo_op_body(nest->loops[nest->n - 1], 0), nest))
    return false;
  const EchoOp *to = echo_emit_allocation_or_null(echo_op_operand(nest->store, 1)), *from = NULL;
  if (!echo_type_has_static_shape(echo_op_operand_type(nest->store, 1)) ||
      (nest->load != NULL && !echo_type_has_static_shape(echo_op_operand_type(nest->load, 0))))
    return false;
  if (nest->load != NULL)
    from = echo_emit_allocation_or_null(echo_op_operand(nest->load, 0));
  bool is_apart = to != from;
  return is_apart &&
         ((to != NULL && is_beyond_registers(to)) || (from != NULL && is_beyond_registers(from)));
}

/* ---- what is not unrolled ---- */

/* Whether the op's block holds nothing else but what finds places. */
static bool is_alone(const EchoOp *op)
{
  for (const EchoOp *each = op->block->first; each != NULL; each = each->next)
    if (each != op &&
        (each->n_regions != 0 || (each->n_results == 0 && !echo_op_is(each, "scf.yield"))))
      return false;
  return true;
}

/* Passes of the loop and of those around it that hold nothing but it, up to the task's own block; 0
 * where they do not stand there. */
static int64_t passes_in_task(const EchoOp *loop)
{
  const EchoOp *parent = echo_block_parent(loop->block);
  int64_t passes = echo_emit_passes(loop);
  while (parent != NULL && echo_op_is(parent, "scf.for") && is_alone(loop)) {
    loop = parent;
    parent = echo_block_parent(loop->block);
    int64_t outer = echo_emit_passes(loop);
    passes = passes > INT32_MAX / outer ? INT32_MAX : passes * outer;
  }
  return parent != NULL && echo_op_is(parent, "scf.parallel") ? passes : 0;
}

/* Of a loop that holds none: as one loop with those around it, it would have more passes, of a
 * vector each, than LLVM unrolls. */
static bool is_long(const EchoEmitter *emitter, const EchoOp *loop)
{
  Nest nest;
  if (!find_accesses(echo_op_body(loop, 0), &nest) || emitter->vector_register_bytes == 0)
    return false;
  const EchoOp *store = nest.store, *load = nest.load;
  if (echo_emit_allocation_or_null(echo_op_operand(store, 1)) == NULL &&
      (load == NULL || echo_emit_allocation_or_null(echo_op_operand(load, 0)) == NULL))
    return false;
  int64_t bytes = (int64_t)echo_type_element_bytes(echo_op_operand_type(store, 0));
  return passes_in_task(loop) * bytes > ECHO_MOST_PASSES_UNROLLED * emitter->vector_register_bytes;
}

bool echo_emit_is_long_staging(const EchoEmitter *emitter, const EchoOp *loop)
{
  Nest nest;
  const EchoOp *innermost = loop;
  for (const EchoOp *next = loop; next != NULL; next = only_loop_or_null(echo_op_body(next, 0)))
    innermost = next;
  bool is_outer = innermost != loop; /* a gathered line is a few vectors */
  return is_long(emitter, innermost) || (is_outer && find_nest(loop, &nest));
}

/* All that stands in it once, or is gone through with the loop alone, as far as the task. */
static int64_t passes_of_task(const EchoOp *loop)
{
  int64_t passes = echo_emit_passes(loop);
  const EchoOp *parent = echo_block_parent(loop->block);
  for (; parent != NULL && echo_op_is(parent, "scf.for"); parent = echo_block_parent(loop->block)) {
    int64_t outer = echo_emit_passes(parent);
    if (outer > 1 && (!is_alone(loop) || outer > ECHO_MOST_PASSES_UNROLLED))
      return 0;
    if (outer == 1 && !echo_emit_runs_once(parent))
      return 0;
    passes *= outer;
    loop = parent;
  }
  return parent != NULL && echo_op_is(parent, "scf.parallel") ? passes : 0;
}

/* Whether all that stands in the loop finds places, loads, stores or runs once, and some of the
 * memory is the task's own. */
static bool only_moves(const EchoOp *loop)
{
  bool has_own = false;
  for (EchoOp *op = echo_op_walk_next(loop, (EchoOp *)loop); op != NULL;
       op = echo_op_walk_next(loop, op)) {
    bool is_store = echo_op_is(op, "memref.store"), is_load = echo_op_is(op, "memref.load");
    if (is_store || is_load)
      has_own |= echo_emit_allocation_or_null(echo_op_operand(op, is_store ? 1 : 0)) != NULL;
    else if (!finds_place(op) && !echo_op_is(op, "scf.yield") &&
             !(echo_op_is(op, "scf.for") && echo_emit_runs_once(op)))
      return false;
  }
  return has_own;
}

bool echo_emit_is_short_staging(const EchoOp *loop)
{
  int64_t passes = echo_emit_passes(loop), all = passes_of_task(loop);
  return (passes & (passes - 1)) != 0 && all > 0 && all <= ECHO_MOST_PASSES_UNROLLED &&
         only_moves(loop);
}

/* ---- side by side ---- */

/* By how much `value` grows from a pass of `loop` to the next; false where that is not known. */
static bool growth(const EchoOp *loop, const EchoValue *value, int64_t *by)
{
  const EchoOp *def = echo_value_def_or_null(value);
  int64_t a = 0, b = 0;
  *by = 0;
  if (def == NULL) {
    *by = value == echo_block_arg(echo_op_body(loop, 0), 0);
    return true;
  }
  const EchoOp *around = def;
  while (around != NULL && around != loop)
    around = echo_block_parent(around->block);
  if (around == NULL)
    return true; /* from outside of the loop */
  for (size_t i = 0; i < def->n_operands; ++i)
    if (!growth(loop, echo_op_operand(def, i), i == 0 ? &a : &b))
      return false;
  bool is_sum = echo_op_is(def, "arith.addi"), is_difference = echo_op_is(def, "arith.subi");
  if (is_sum || is_difference) {
    *by = is_sum ? a + b : a - b;
    return true;
  }
  int64_t factor = 0;
  if (echo_op_is(def, "arith.muli") && b == 0 &&
      echo_arith_constant_i64(echo_op_operand(def, 1), &factor))
    return echo_mul_i64(a, factor, by);
  return a == 0 && b == 0 && def->n_operands <= 2;
}

/* By how many elements the place of an access moves on from a pass of `loop` to the next. */
static bool moves_by(const EchoOp *loop, const EchoOp *access, size_t memref, int64_t expected)
{
  const EchoType *type = echo_op_operand_type(access, memref);
  int64_t stride = 1, sum = 0;
  for (uint32_t i = type->as.shaped.rank; i-- > 0; stride *= echo_type_dim(type, i)) {
    int64_t by = 0;
    if (echo_type_dim(type, i) == 1)
      continue;
    if (!growth(loop, echo_op_operand(access, memref + 1 + i), &by) ||
        !echo_mul_i64(by, stride, &by))
      return false;
    sum += by;
  }
  return sum == expected;
}

static bool constant_passes(const EchoOp *loop, int64_t *n)
{
  int64_t low = 0, high = 0;
  if (!echo_arith_constant_i64(echo_op_operand(loop, 0), &low) ||
      !echo_arith_constant_i64(echo_op_operand(loop, 1), &high) || low >= high)
    return false;
  *n = high - low;
  return true;
}

static bool is_zero(const EchoValue *value)
{
  const EchoOp *def = echo_value_def_or_null(value);
  const EchoAttr *attr =
      def != NULL && echo_op_is(def, "arith.constant") ? echo_op_attr_or_null(def, "value") : NULL;
  if (attr == NULL)
    return false;
  if (attr->kind == ECHO_ATTR_INTEGER)
    return attr->as.integer.value == 0;
  return attr->kind == ECHO_ATTR_FLOAT && attr->as.floating.words == NULL &&
         attr->as.floating.bits == 0;
}

/* Whether all that the nest goes through lies side by side; `n` is what a pass of the outermost
 * loop takes. */
static bool is_one_piece(const Nest *nest, int64_t *n)
{
  const EchoType *element = echo_op_operand_type(nest->store, 1)->as.shaped.element;
  bool is_in_bytes = element->kind != ECHO_TYPE_INTEGER || element->as.integer.width >= 8;
  if (!is_in_bytes || (nest->load == NULL && !is_zero(echo_op_operand(nest->store, 0))))
    return false;
  *n = 1;
  for (size_t i = nest->n; i-- > 0;) {
    int64_t passes = 1;
    if (!moves_by(nest->loops[i], nest->store, 1, *n) ||
        (nest->load != NULL && !moves_by(nest->loops[i], nest->load, 0, *n)))
      return false;
    if (i > 0 && (!constant_passes(nest->loops[i], &passes) || !echo_mul_i64(*n, passes, n)))
      return false;
  }
  return true;
}

/* ---- memset and memcpy ---- */

/* What finds places in the first pass of all loops. */
static bool emit_places(EchoEmitter *emitter, const Nest *nest)
{
  for (size_t i = 0; i < nest->n; ++i) {
    const EchoBlock *block = echo_op_body(nest->loops[i], 0);
    echo_emit_set(emitter, echo_block_arg(block, 0), echo_emit_operand(emitter, nest->loops[i], 0));
    for (const EchoOp *op = block->first; op != NULL; op = op->next)
      if (finds_place(op) && !echo_emit_op(emitter, op))
        return false;
  }
  return true;
}

static bool emit_piece(EchoEmitter *emitter, const Nest *nest, int64_t n)
{
  LLVMBuilderRef builder = emitter->builder;
  if (!emit_places(emitter, nest))
    return false;
  const EchoOp *loop = nest->loops[0];
  const EchoType *element = echo_op_operand_type(nest->store, 1)->as.shaped.element;
  unsigned alignment = (unsigned)echo_type_element_bytes(element);
  LLVMValueRef to = echo_emit_address(emitter, nest->store, 1, 2), from = NULL;
  if (nest->load != NULL)
    from = echo_emit_address(emitter, nest->load, 0, 1);
  if (to == NULL || (nest->load != NULL && from == NULL))
    return false;
  LLVMValueRef passes = LLVMBuildNSWSub(builder, echo_emit_operand(emitter, loop, 1),
                                        echo_emit_operand(emitter, loop, 0), "");
  LLVMValueRef bytes =
      LLVMBuildNSWMul(builder, passes, echo_emit_i64_constant(emitter, n * alignment), "");
  if (from != NULL) {
    LLVMBuildMemCpy(builder, to, alignment, from, alignment, bytes);
    return true;
  }
  LLVMValueRef zero = LLVMConstInt(LLVMInt8TypeInContext(emitter->llvm), 0, false);
  LLVMBuildMemSet(builder, to, zero, bytes, alignment);
  return true;
}

bool echo_emit_staging(EchoEmitter *emitter, const EchoOp *loop, bool *is_staging)
{
  LLVMBuilderRef builder = emitter->builder;
  Nest nest;
  int64_t n = 1, passes = 0;
  *is_staging = !emitter->is_device && emitter->needed == NULL && find_nest(loop, &nest) &&
                is_one_piece(&nest, &n);
  if (!*is_staging)
    return true;
  if (constant_passes(loop, &passes))
    return emit_piece(emitter, &nest, n);
  LLVMBasicBlockRef some = LLVMAppendBasicBlockInContext(emitter->llvm, emitter->function, "some");
  LLVMBasicBlockRef after =
      LLVMAppendBasicBlockInContext(emitter->llvm, emitter->function, "after");
  LLVMValueRef low = echo_emit_operand(emitter, loop, 0),
               high = echo_emit_operand(emitter, loop, 1);
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntSLT, low, high, ""), some, after);
  LLVMPositionBuilderAtEnd(builder, some);
  if (!emit_piece(emitter, &nest, n))
    return false;
  LLVMBuildBr(builder, after);
  LLVMPositionBuilderAtEnd(builder, after);
  return true;
}
