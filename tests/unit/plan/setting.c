/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/unit/plan/setting.h"

#include "tests/unit/suite.h"

void setting_create(Setting *setting)
{
  EchoDeviceModel device;
  setting->scratch = (EchoArena){0};
  echo_device_model_default(&device);
  echo_graph_create(&setting->graph, echo_op_body(setting->step.main, 0));
  ck_assert(echo_function_interface_create(&setting->owner, setting->step.main, &setting->graph));
  EchoFusionOptions fusion = echo_fusion_options(&device, echo_target_find_or_null(ECHO_STR("cpu")),
                                                 (EchoLibraryUse){true, true});
  echo_candidates_create(&setting->candidates, &setting->graph, &setting->owner.interface, &fusion,
                         &device, &setting->scratch);
}

void setting_destroy(Setting *setting)
{
  echo_arena_destroy(&setting->scratch);
  echo_function_interface_destroy(&setting->owner);
  echo_graph_destroy(&setting->graph);
  test_step_destroy(&setting->step);
}
