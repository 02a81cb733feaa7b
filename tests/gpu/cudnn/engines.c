/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/cudnn/engines.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_NOTES = 2,
  TILE_KNOB = 2, /* CUDNN_KNOB_TYPE_TILE_SIZE */
  N_TILES = 8,
  FIRST_VALUE = 5
};
#define HUGE_WORKSPACE ((int64_t)1 << 30)

typedef struct Engine {
  int n_notes, notes[MAX_NOTES];
  bool is_for_doubles, rounds_tf32;
  int n_listed; /* how many values of its knob are; 0: it has no knob */
  int64_t workspace;
  double bias; /* what its sums are wrong by */
  double time; /* against its kernel's */
} Engine;

enum { ANY_ORDER, ROUNDED, TRANSFORMED, LARGE, CORES, PLAIN, N_ENGINES };

static const Engine ENGINES[N_ENGINES] = {
    [ANY_ORDER] = {1, {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}, .bias = 1000, .time = 0.01},
    [ROUNDED] = {2,
                 {CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS, CUDNN_NUMERICAL_NOTE_TENSOR_CORE},
                 .bias = 2000,
                 .time = 0.01},
    [TRANSFORMED] = {1, {CUDNN_NUMERICAL_NOTE_WINOGRAD}, .bias = 3000, .time = 0.01},
    [LARGE] =
        {0, {0}, .is_for_doubles = true, .n_listed = 5, .workspace = HUGE_WORKSPACE, .time = 0.01},
    [CORES] = {1,
               {CUDNN_NUMERICAL_NOTE_TENSOR_CORE},
               .rounds_tf32 = true,
               .workspace = 256,
               .time = 0.05},
    [PLAIN] = {0, {0}, .is_for_doubles = true, .n_listed = 1, .workspace = 512, .time = 0.1},
};

bool library_is(const char *what)
{
  const char *text = getenv("ECHO_GPU_CUDNN");
  return text != NULL && strcmp(text, what) == 0;
}

static void configure(Descriptor *config, const Descriptor *operation, int64_t engine, int64_t knob)
{
  config->is_finalized = true;
  config->operation = operation;
  config->engine = engine;
  config->knob = knob;
}

int64_t engines_list(const Descriptor *operation, int mode, Descriptor *const *configs, int64_t n)
{
  Shape shape;
  int64_t size = 0;
  if (read_shape(operation, &shape) != CUDNN_STATUS_SUCCESS)
    return 0;
  bool is_wide = shape.factor_type == CUDNN_DATA_DOUBLE;
  for (int64_t i = 0; i < N_ENGINES; i++) {
    bool is_listed = mode == CUDNN_HEUR_MODE_A || i == PLAIN;
    if (!is_listed || (is_wide && !ENGINES[i].is_for_doubles))
      continue;
    int n_values = mode == CUDNN_HEUR_MODE_A ? ENGINES[i].n_listed : 0;
    if (n_values == 0 && size < n)
      configure(configs[size++], operation, i, NO_KNOB);
    for (int k = 0; k < n_values && size < n; k++)
      configure(configs[size++], operation, i, FIRST_VALUE - k);
  }
  return size;
}

bool engine_is_known(int64_t engine)
{
  return engine >= 0 && engine < N_ENGINES;
}

bool engine_has_knob(int64_t engine, int type, int64_t value)
{
  return ENGINES[engine].n_listed != 0 && type == TILE_KNOB && value >= 0 && value < N_TILES;
}

int64_t engine_notes(int64_t engine, int *notes, int64_t n)
{
  for (int i = 0; i < ENGINES[engine].n_notes && i < n; i++)
    notes[i] = ENGINES[engine].notes[i];
  return ENGINES[engine].n_notes;
}

int64_t engine_workspace(int64_t engine)
{
  return library_is("workspace") ? HUGE_WORKSPACE : ENGINES[engine].workspace;
}

cudnnStatus_t engine_load(Descriptor *plan)
{
  const Engine *engine = &ENGINES[plan->engine];
  Shape shape;
  cudnnStatus_t status = read_shape(plan->operation, &shape);
  if (status != CUDNN_STATUS_SUCCESS)
    return status;
  bool is_f32 = shape.factor_type == CUDNN_DATA_FLOAT;
  return !library_is("plan") &&
                 kernel_load(&plan->kernel, &shape, engine->rounds_tf32 && is_f32, engine->bias)
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED;
}

/* A filter of more places than there are results, as a gradient of filters is when it is read as a
 * convolution, leaves an engine's tiles empty. */
static bool is_awkward(const Descriptor *plan)
{
  Shape s;
  return plan->operation->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR &&
         read_shape(plan->operation, &s) == CUDNN_STATUS_SUCCESS &&
         s.w[0] * s.w[1] * s.w[2] > s.y[0] * s.y[1] * s.y[2];
}

cudnnStatus_t engine_launch(const Descriptor *plan, const uint64_t addresses[4], CUstream stream)
{
  double slower = (library_is("slow") ? 1000 : 1) * (is_awkward(plan) ? 4 : 1);
  if (library_is("execution"))
    return CUDNN_STATUS_EXECUTION_FAILED;
  return kernel_launch(&plan->kernel, addresses, ENGINES[plan->engine].time * slower, stream)
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_EXECUTION_FAILED;
}
