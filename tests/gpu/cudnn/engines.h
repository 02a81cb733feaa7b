/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Engines of the emulated cuDNN: some that nobody may take who wants his sums exact and the same in
 * each run, and whose results show it. */
#ifndef ECHO_TESTS_GPU_CUDNN_ENGINES_H
#define ECHO_TESTS_GPU_CUDNN_ENGINES_H

#include "tests/gpu/cudnn/descriptor.h"

/* What ECHO_GPU_CUDNN says of the library: "fast", "slow", "none", "old", "plan", "workspace",
 * "execution". */
bool library_is(const char *what);

/* Configurations in the order of the heuristic mode; answers how many there are. */
int64_t engines_list(const Descriptor *operation, int mode, Descriptor *const *configs, int64_t n);
bool engine_is_known(int64_t engine);
bool engine_has_knob(int64_t engine, int type, int64_t value);
int64_t engine_notes(int64_t engine, int *notes, int64_t n);
int64_t engine_workspace(int64_t engine);
cudnnStatus_t engine_load(Descriptor *plan);
cudnnStatus_t engine_launch(const Descriptor *plan, const uint64_t addresses[4], CUstream stream);

#endif
