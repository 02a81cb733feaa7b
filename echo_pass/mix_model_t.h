/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: what a mix of choices comes to, foretold without making the graph: which
 * bytes leave the profile where a value is not kept, which stay longer because clones start from
 * them, and what the clones take. A look at the whole plan of one mix puts it right for those like
 * it. Order, fusion and storage are those of the plan in which everything is kept. */
#ifndef ECHO_ECHO_PASS_MIX_MODEL_T_H
#define ECHO_ECHO_PASS_MIX_MODEL_T_H

#include "echo_pass/search_state_t.h"

/* As EchoChosenValue has it. */
typedef enum EchoMixDecision {
  ECHO_MIX_KEPT,
  ECHO_MIX_REMADE,
  ECHO_MIX_CARRIED,
  ECHO_MIX_BRIEF
} EchoMixDecision;

/* Made at `site` (ECHO_NONE = not at all), read until `until`. */
typedef struct EchoMixClone {
  uint32_t site, until;
  bool is_whole; /* a reader wants it as a whole: it takes room */
} EchoMixClone;

typedef struct EchoMixModel {
  const EchoCandidates *candidates;
  const EchoGraph *graph;
  EchoMixDecision *decisions;    /* by value: to be set before anything is measured; */
  const EchoRenewals **renewals; /* by value: of what is not kept */
  uint32_t *inner;    /* by node: its result where that stays inside the kernels that read it, which
                         may read what it is made of instead; else ECHO_NONE */
  bool *is_held;      /* by value: it has room in the arena when everything is kept */
  uint32_t *late_use; /* by value: its first reader behind its gap or brief gap; or ECHO_NONE */
  uint32_t *last_use; /* by value: its last reader */
  bool *is_read_whole;   /* by value: a reader behind its gap wants it as a whole */
  uint32_t *held_until;  /* by value: its last reader when everything is kept */
  uint32_t *read_until;  /* by value: the same, of the mix, without clones */
  uint32_t *until;       /* by value: the same, with them */
  EchoMixClone *clones;  /* [first_clone[value] + 2 * renewals before it + mode]: for the readers
                            of a value and for the next link of a chain, as apply.c has it */
  uint32_t *first_clone; /* by value, and the end: no point there is renews it more often */
  int64_t *change;       /* by node: of the profile, as differences */
  int64_t *base;         /* by node: the profile without recompute, put right by the last look */
  int64_t *foretold;     /* by node: the profile of the mix */
  struct EchoMixMemory *memory; /* of the mix that was measured last (mix_model.c) */
} EchoMixModel;

/* Everything kept. Lives in the searcher's scratch arena. */
void echo_mix_model_create(EchoMixModel *model, const EchoSearcher *searcher);

/* A value as a choice has it, which is one of the points that were there or a mix of them; and back
 * again. */
void echo_mix_take_value(EchoMixModel *model, const EchoChoice *choice, uint32_t value);
void echo_mix_give_value(const EchoMixModel *model, EchoChoice *choice, uint32_t value);

/* The last node that reads the value as it was made where it is not kept. */
static inline uint32_t echo_mix_last_early(const EchoMixModel *model, uint32_t value)
{
  const EchoCandidateValue *entry = &model->candidates->values[value];
  return model->decisions[value] == ECHO_MIX_BRIEF ? entry->brief_early : entry->last_early;
}

/* Whether the mix that was foretold last makes a clone of the value. */
bool echo_mix_makes(const EchoMixModel *model, uint32_t value);

/* Fills `change` with what the decisions on the values [first_value, end_value) do to the profile,
 * and returns the nanoseconds that they take. O(values + operands); of all values, from the last
 * one on whose decision is another than before. */
double echo_mix_measure(EchoMixModel *model, uint32_t first_value, uint32_t end_value);
/* The same of all values; the profile then stands in `foretold`. */
double echo_mix_foretell(EchoMixModel *model);
int64_t echo_mix_highest(const EchoMixModel *model);

/* Fills `foretold` with what the plan of `point` holds, in the order given, and takes it for what
 * the decisions come to. Cost of an estimate. `orders`: those that it is about to be evaluated in.
 */
void echo_mix_take_profile(EchoMixModel *model, EchoSearcher *searcher, const EchoPoint *point,
                           unsigned orders);

#endif
