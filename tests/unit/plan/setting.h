/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A step as what decides on it sees it: its graph and its candidates, on the default device. */
#ifndef ECHO_TESTS_UNIT_PLAN_SETTING_H
#define ECHO_TESTS_UNIT_PLAN_SETTING_H

#include "echo_pass/candidates.h"
#include "tests/unit/plan/step.h"

typedef struct Setting {
  TestStep step;
  EchoGraph graph;
  EchoFunctionInterface owner;
  EchoCandidates candidates;
  EchoArena scratch;
} Setting;

/* Of setting->step, which was made; it is destroyed with the setting. */
void setting_create(Setting *setting);
void setting_destroy(Setting *setting);

#endif
