/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: a policy while it is asked. */
#ifndef ECHO_ECHO_PASS_POLICY_T_H
#define ECHO_ECHO_PASS_POLICY_T_H

#include "echo_pass/policy.h"
#include "echo_pass/search_state_t.h"

struct EchoPolicyRun {
  EchoSearcher *searcher;
  ECHO_VECTOR(EchoPolicyCandidate) candidates;
  ECHO_VECTOR(uint32_t) inputs;      /* candidates, of one candidate after another */
  ECHO_VECTOR(uint32_t) first_input; /* by candidate, and the end */
};

/* Ours, ending with NULL; the first is the default. */
extern const EchoPolicy *const ECHO_POLICIES[];

/* Asks the policy of the options for its proposals. False after an error. */
bool echo_policy_ask(EchoSearcher *searcher);

#endif
