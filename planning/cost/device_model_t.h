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

/* Nanoseconds of arithmetic that takes so long beside bytes that move, on all of the device's
 * cores: a GPU computes while it waits for them, a processor while it moves what its nearest cache
 * holds. For what comes from beyond it waits (bench/results/predict.md). */
double echo_device_model_busy_ns(const EchoDeviceModel *model, double arithmetic_ns, double bytes,
                                 bool transposes);

/* … of operations that wait one for another. */
static inline double echo_chained_rate(const EchoDeviceModel *model, const EchoWork *work)
{
  double lane = model->simple_flops_per_s[work->type] / ECHO_VECTOR_LANES;
  return model->chained_flops_per_s > 0 ? model->chained_flops_per_s : lane;
}

#endif
