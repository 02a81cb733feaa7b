/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the sample can do; each returns the exit status. */
#ifndef ECHO_SAMPLES_NMT_COMMANDS_H
#define ECHO_SAMPLES_NMT_COMMANDS_H

#include "samples/nmt/options.h"

int nmt_train(const NmtOptions *options);     /* --train, --steps, --save, --resume */
int nmt_demo(const NmtOptions *options);      /* --demo */
int nmt_plan_only(const NmtOptions *options); /* --plan-only */
int nmt_emit(const NmtOptions *options);      /* --emit */
int nmt_dump_feed(const NmtOptions *options); /* --dump-feed */

#endif
