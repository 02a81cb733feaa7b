/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verifier's state and its parts:
 *
 *   check_row.c         counts and constraints of operands, results, attributes, regions and
 *                       successors; traits
 *   check_structure.c   blocks, terminators, successors, symbol tables
 *   verifier.c          hooks: inferred types, the rows' own checks, dialect attributes
 *   check_dominance.c   definitions before uses, isolation
 *
 * Hooks run on ops whose rows and structure hold, their own, those of what lies inside and of the
 * parent: a hook may rely on them. Each part returns false after it reported an error. */
#ifndef ECHO_IR_VERIFY_VERIFIER_T_H
#define ECHO_IR_VERIFY_VERIFIER_T_H

#include "ir/context_t.h"
#include "ir/verify/dominance.h"
#include "ir/verify/verifier.h"

/* What is worked out once for each row. */
typedef struct EchoRowCheck {
  const EchoOpInfo *info;
  const EchoOpSpec *spec;          /* NULL: unregistered, nothing to check */
  int32_t loose_operand;           /* the optional or variadic entry; -1 = none, -2 = several */
  int32_t loose_result;            /* likewise */
  const EchoAttr *good_properties; /* the last dictionary that held; NULL = none yet */
} EchoRowCheck;

enum { ECHO_N_CACHED_ROWS = 256, ECHO_N_CACHED_ATTRS = 256 };

typedef struct EchoVerifier {
  EchoContext *ctx;
  EchoOp *root;
  EchoRowCheck *cached_rows[ECHO_N_CACHED_ROWS]; /* by address of the row; a miss asks `rows` */
  EchoMap rows;                                  /* const EchoOpInfo * -> EchoRowCheck * */
  struct {
    const EchoAttr *attrs;
    bool has_dialect_checks;
  } cached_attrs[ECHO_N_CACHED_ATTRS]; /* by address of a dictionary of discardable attributes */
  EchoArena scratch;
  EchoMap broken;         /* ops with an error of their own -> 1; ops around them -> 2 */
  bool structure_is_good; /* no error that would lead dominance astray */
} EchoVerifier;

EchoRowCheck *echo_verifier_row(EchoVerifier *verifier, const EchoOpInfo *info);
bool echo_verify_row(EchoVerifier *verifier, const EchoOp *op);
/* Sets structure_is_good. */
bool echo_verify_structure(EchoVerifier *verifier, const EchoOp *op);
bool echo_verify_dominance(EchoVerifier *verifier);

#endif
