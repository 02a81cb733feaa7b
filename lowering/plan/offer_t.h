/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that --echo may take in the place of others: the same, written in another way. */
#ifndef ECHO_LOWERING_PLAN_OFFER_T_H
#define ECHO_LOWERING_PLAN_OFFER_T_H

#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a copy of a function in another way; returns how much of it: 0 is no offer. */
typedef size_t EchoOfferWrite(EchoOp *copy, uint64_t max_ops);

typedef struct EchoOfferKind {
  const char *attr; /* what marks such offers, and names the function that each is for */
  const char *from; /* of the offers that are copied instead of their functions; may be NULL */
  uint64_t max_ops; /* for `may_be` and the writers */
} EchoOfferKind;

/* Beside each function of the module that is no offer itself what `write`, and `then` of what was
 * simplified, make of a copy of it, or of what `kind` has copied instead, where `may_be` is true of
 * that; `then` may be NULL. Nothing for what calls others, which a copy by itself cannot, nor where
 * the module has such offers already. False after an error. */
bool echo_offer_functions(EchoPassRun *pass, const EchoOfferKind *kind,
                          bool (*may_be)(EchoOp *function, uint64_t max_ops), EchoOfferWrite *write,
                          EchoOfferWrite *then);

#ifdef __cplusplus
}
#endif

#endif
