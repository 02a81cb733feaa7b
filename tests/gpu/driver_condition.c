/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handles of conditional nodes. A value that no kernel has set since the launch is no value, though
 * the driver would take the one of before. */
#include <stdlib.h>

#include "tests/gpu/driver.h"

typedef struct Condition {
  CUgraph graph; /* NULL: destroyed */
  unsigned value;
  bool is_taken, is_set;
} Condition;

/* The upper half of a handle, so that other numbers are none. */
#define HANDLE_MARK (UINT64_C(0x636f6e64) << 32)

static struct {
  Condition *all;
  size_t n;
} conditions;

static Condition *find_or_null(CUgraphConditionalHandle handle)
{
  uint64_t number = handle ^ HANDLE_MARK;
  return number < conditions.n && conditions.all[number].graph != NULL ? &conditions.all[number]
                                                                       : NULL;
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext context, unsigned value, unsigned flags)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS || graph == NULL || context == NULL || flags != 0)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  conditions.all = realloc(conditions.all, (conditions.n + 1) * sizeof *conditions.all);
  conditions.all[conditions.n] = (Condition){.graph = graph, .value = value};
  *handle = HANDLE_MARK | conditions.n++;
  return CUDA_SUCCESS;
}

bool condition_take(CUgraphConditionalHandle handle, CUgraph graph)
{
  Condition *condition = find_or_null(handle);
  if (condition == NULL || condition->graph != graph || condition->is_taken)
    return false;
  condition->is_taken = true;
  return true;
}

bool condition_all_taken(CUgraph graph)
{
  for (size_t i = 0; i < conditions.n; i++)
    if (conditions.all[i].graph == graph && !conditions.all[i].is_taken)
      return false;
  return true;
}

void condition_forget(CUgraph graph)
{
  for (size_t i = 0; i < conditions.n; i++)
    if (conditions.all[i].graph == graph)
      conditions.all[i].graph = NULL;
}

void condition_clear(CUgraphConditionalHandle handle)
{
  Condition *condition = find_or_null(handle);
  if (condition != NULL)
    condition->is_set = false;
}

bool condition_set(uint64_t handle, uint32_t value)
{
  Condition *condition = find_or_null(handle);
  if (condition == NULL)
    return false;
  condition->value = value;
  condition->is_set = true;
  return true;
}

bool condition_get(CUgraphConditionalHandle handle, unsigned *value)
{
  const Condition *condition = find_or_null(handle);
  *value = condition != NULL ? condition->value : 0;
  return condition != NULL && condition->is_set;
}
