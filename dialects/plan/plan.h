/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading a bufferized function: what each op is to the program, what it does to which bytes, who
 * uses a buffer, and what stands beside the arena. The invariant: whoever plans, checks, draws or
 * runs such a function asks here and compares no op names. Views are looked through; a copy to or
 * from the host, and a launch that only begins, use their buffers until they have been waited for.
 * Nothing here changes the IR. */
#ifndef ECHO_DIALECTS_PLAN_PLAN_H
#define ECHO_DIALECTS_PLAN_PLAN_H

#include "base/vector.h"
#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- traits of the rows: one of the first three on every op of the program but terminators ----
 */

#define ECHO_PLAN_PLACE (UINT64_C(1) << 40) /* its result names memory; nothing runs */
#define ECHO_PLAN_STEP (UINT64_C(1) << 41)  /* runs, and takes time: a launch, a copy, a wait … */
#define ECHO_PLAN_CONTROL (UINT64_C(1) << 42) /* runs its regions: spans the steps inside */
#define ECHO_PLAN_SWAP (UINT64_C(1) << 43)    /* a step that begins a copy to or from the host */

/* The rows by number, for who does something else for each; kernel.launch counts among them. */
typedef enum EchoPlanOpcode {
  ECHO_PLAN_ARENA,
  ECHO_PLAN_BUFFER,
  ECHO_PLAN_VIEW,
  ECHO_PLAN_CONSTANT,
  ECHO_PLAN_COPY,
  ECHO_PLAN_WHILE,
  ECHO_PLAN_CONDITION,
  ECHO_PLAN_CASE,
  ECHO_PLAN_YIELD,
  ECHO_PLAN_SWAP_OUT,
  ECHO_PLAN_SWAP_IN,
  ECHO_PLAN_WAIT,
  ECHO_N_PLAN_ROWS,
  ECHO_PLAN_LAUNCH = ECHO_N_PLAN_ROWS, /* a step with a row in another dialect: kernel.launch */
  ECHO_PLAN_NO_OP                      /* no op of a planned program */
} EchoPlanOpcode;

extern const EchoOpInfo ECHO_PLAN_OPS[ECHO_N_PLAN_ROWS];

/* O(1). */
static inline EchoPlanOpcode echo_plan_opcode(const EchoOp *op)
{
  uintptr_t offset = (uintptr_t)op->info - (uintptr_t)ECHO_PLAN_OPS;
  if (offset < sizeof ECHO_PLAN_OPS)
    return (EchoPlanOpcode)(offset / sizeof(EchoOpInfo));
  return echo_op_has_trait(op, ECHO_PLAN_STEP) ? ECHO_PLAN_LAUNCH : ECHO_PLAN_NO_OP;
}

/* ---- the walk ---- */

/* Ops of `root` and inside it, in order of the text (control flow before what it holds), that have
 * at least one of `traits`:
 *   for (op = echo_plan_first_or_null(f, T); op != NULL; op = echo_plan_next_or_null(f, op, T)) */
EchoOp *echo_plan_first_or_null(EchoOp *root, uint64_t traits);
EchoOp *echo_plan_next_or_null(EchoOp *root, EchoOp *op, uint64_t traits);

/* ---- bytes ---- */

typedef enum EchoPlanAccess {
  ECHO_PLAN_NO_ACCESS, /* a place, an event, or control flow that only hands it on */
  ECHO_PLAN_READ,
  ECHO_PLAN_WRITE
} EchoPlanAccess;

/* What `op` itself does to the bytes of that operand; what is inside it is asked for by itself. */
EchoPlanAccess echo_plan_access(const EchoOp *op, uint32_t operand);

/* Whether `type` is that of what begins something: !plan.event. */
bool echo_plan_is_event(const EchoType *type);
/* Whether `op` is a launch that has only begun when it returns: its event is waited for by a
 * plan.wait, and until then nobody may write what it reads, nor touch what it writes. Apart from
 * its token, the first input and the first output, which only says that it has begun. */
bool echo_plan_only_begins(const EchoOp *op);
/* Whether that operand of such a launch is its token. */
bool echo_plan_is_token(const EchoOp *launch, uint32_t operand);

/* What names the bytes of `memref`, views looked through: the result of plan.buffer or
 * plan.constant, or an argument. */
const EchoValue *echo_plan_root(const EchoValue *memref);
/* The result, an argument of the function, in whose place a plan.buffer lies, before the result is
 * written; NULL where `root` is no such buffer. */
const EchoValue *echo_plan_lender_or_null(const EchoValue *root);
/* What the bytes of `root` lie in, and where: the arena, an argument (its own bytes or those of a
 * plan.buffer in it), or, for a constant, itself. */
const EchoValue *echo_plan_place(const EchoValue *root, uint64_t *begin, uint64_t *end);
/* Where a plan.buffer lies in its arena; false when `root` is none that lies there. */
bool echo_plan_arena_range(const EchoValue *root, uint64_t *begin, uint64_t *end);
/* The bytes of host memory that a swap reads or writes; none where its other end is an argument. */
void echo_plan_host_range(const EchoOp *swap, uint64_t *begin, uint64_t *end);
/* The argument in host memory that a swap reads or writes; NULL where it is a place of the
 * program's own. */
EchoValue *echo_plan_host_argument_or_null(const EchoOp *swap);
/* Whether argument `argument` of a bufferized function is the place of a result. */
bool echo_plan_is_result(const EchoOp *function, size_t argument);

/* Whether the caller holds argument `argument` in host memory, so that only swaps touch it:
 * attribute plan.in_host. */
#define ECHO_PLAN_IN_HOST "plan.in_host"
bool echo_plan_is_in_host(const EchoOp *function, size_t argument);

/* One operand that is a buffer, a view of it, or the event of a copy of it. */
typedef struct EchoPlanUse {
  EchoOp *op;
  uint32_t operand;
} EchoPlanUse;

typedef ECHO_VECTOR(EchoPlanUse) EchoPlanUses;

/* Appends everybody who uses the bytes of `buffer`, views apart, in no particular order.
 * O(uses). */
void echo_plan_collect_uses(EchoValue *buffer, EchoPlanUses *uses);
/* The innermost block that all of the uses, at least one, stand in or inside of. A buffer lives
 * from the first to the last of its ops that uses it: a loop that some uses stand inside of and
 * some outside counts whole. O(uses * depth). */
EchoBlock *echo_plan_common_block(const EchoPlanUses *uses);

#define ECHO_PLAN_ALIGNMENT UINT64_C(64) /* of every buffer in the arena, and of every constant */

/* The function's plan.arena. */
EchoOp *echo_plan_arena_or_null(const EchoOp *function);
/* Arguments, results and constants (each up to the next one's alignment): what stands beside the
 * arena. */
uint64_t echo_plan_outside_bytes(EchoOp *function);
/* Arguments that are in host memory, and what swaps take of it beside them. */
uint64_t echo_plan_host_bytes(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
