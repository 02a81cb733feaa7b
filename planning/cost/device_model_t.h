/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What times of whole programs and of single ops both ask of a model. Private to planning/. */
#ifndef ECHO_PLANNING_COST_DEVICE_MODEL_T_H
#define ECHO_PLANNING_COST_DEVICE_MODEL_T_H

#include "planning/cost/device_model.h"

/* Flops a second of contractions such as those of `work`. */
static inline double echo_contraction_rate(const EchoDeviceModel *model, const EchoWork *work)
{
  bool is_tf32 = work->allows_tf32 && work->type == ECHO_RATE_F32 && model->tf32_flops_per_s > 0;
  return is_tf32 ? model->tf32_flops_per_s : model->contraction_flops_per_s[work->type];
}

/* … of operations that wait one for another. */
static inline double echo_chained_rate(const EchoDeviceModel *model, const EchoWork *work)
{
  double lane = model->simple_flops_per_s[work->type] / ECHO_VECTOR_LANES;
  return model->chained_flops_per_s > 0 ? model->chained_flops_per_s : lane;
}

#endif
