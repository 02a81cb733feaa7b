/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How good translations are. */
#ifndef ECHO_SAMPLES_NMT_SCORE_H
#define ECHO_SAMPLES_NMT_SCORE_H

#include "base/string.h"

/* Lines of `candidates` that are equal to those of `references`, as a fraction. Both hold a
 * sentence a line. */
double nmt_exact_match(EchoStr candidates, EchoStr references);

/* Corpus BLEU, in percent: up to 4-grams of words as they stand (no tokenisation, case-sensitive),
 * one reference, brevity penalty, no smoothing. Source: Papineni et al. (2002). */
double nmt_bleu(EchoStr candidates, EchoStr references);

#endif
