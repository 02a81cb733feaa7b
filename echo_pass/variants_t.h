/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: the ways in which a function may be planned, of which one takes its place.
 * The invariant: what was written is one of them, so that no offer makes a plan worse. Not how one
 * of them is searched (step_t.h). */
#ifndef ECHO_ECHO_PASS_VARIANTS_T_H
#define ECHO_ECHO_PASS_VARIANTS_T_H

#include "echo_pass/step_t.h"

/* As written, and as --roll-loops, --unroll-loops and --merge-recomputed offer it beside that. */
typedef enum EchoForm {
  ECHO_FORM_WRITTEN,
  ECHO_FORM_ROLLED,
  ECHO_FORM_UNROLLED,
  ECHO_FORM_MERGED,
  ECHO_N_FORMS
} EchoForm;

/* By form: the attribute that marks such an offer; NULL for what was written. */
extern const char *const ECHO_OFFER_ATTRS[ECHO_N_FORMS];

/* A function, and what is offered beside it, whose place it may take; NULL: nothing. */
typedef struct EchoOffer {
  EchoOp *forms[ECHO_N_FORMS];
} EchoOffer;

#define ECHO_MAX_PRICES 6 /* that stacks are decided by */
#define ECHO_MAX_LEVELS 3 /* of segments */
#define ECHO_MAX_FAMILY (1 + 2 * ECHO_MAX_PRICES * (1 + ECHO_MAX_LEVELS))
#define ECHO_MAX_AGAIN 4  /* that begin with a point of another (again_t.h), in each of */
#define ECHO_MAX_ROUNDS 4 /* so many rounds (bench/results/ablation.md) */
#define ECHO_MAX_VARIANTS (ECHO_N_FORMS * ECHO_MAX_FAMILY + ECHO_MAX_ROUNDS * ECHO_MAX_AGAIN)

typedef struct EchoVariant {
  EchoOp *function;
  EchoStep step;
  size_t n_stacks; /* added, dropped or put into segments; with what branches hand on no more */
  EchoForm form;
  bool is_outdone; /* with nothing recomputed, in bytes and in time, by one of another form */
  struct EchoVariant *from; /* NULL, or the variant whose point was carried out to make this one; */
  EchoBody *from_own;       /* of its step, the one whose curve has */
  size_t from_point;        /* that point, */
  size_t n_regions;         /* and how many groups that computes again */
} EchoVariant;

typedef struct EchoVariants {
  EchoVariant *data; /* the first is what was written */
  size_t size;
  EchoTaken off;     /* what that takes with nothing recomputed */
  EchoTaken known;   /* what the best so far takes of what does what is asked; 0 bytes: none does */
  EchoVariant *best; /* what the options ask for; the first one after an error */
  EchoBody *own;     /* of its step, whose best point that is */
} EchoVariants;

/* Makes all variants of the offer, its own functions among them, and searches them. False after an
 * error. Destroy with echo_variants_destroy in either case, which erases all functions but the best
 * one; it lives in `scratch`. Cost: those of one form share the work of one search. */
bool echo_variants_create(EchoVariants *variants, const EchoOffer *offer,
                          const EchoSearchOptions *options, EchoArena *scratch);
void echo_variants_destroy(EchoVariants *variants);

#endif
